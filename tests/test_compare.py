"""`grpo-symbolic compare`: what became of each row from one version of a paper to the next."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.referee.baseline import Former, Row
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.versions import Kind, compare

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

MAP = '[symbols]\nx = "(0, 1)"\n[[claim]]\nquote = "="\nkind = "identity"\n'
OLD = {"a": "x + x = 3x", "b": "x + x = 2x", "c": "x x = x^3", "d": "x = 5x", "e": "x - x = 0"}
NEW = {"e": "x - x = 0", "a": "x + x = 2x", "b": "x + x = x", "c": "x x = x^3", "f": "3x = x", "g": "x = 1/2x"}


def paper(path: Path, rows: dict[str, str], said: str | None = MAP) -> Path:
    path.write_text("\n\n".join(f"\\[ {row} \\label{{{label}}} \\]" for label, row in rows.items()))
    if said is not None:
        path.with_name(f"{path.stem}.notation.toml").write_text(said)
    return path


def run(*arguments: object):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_every_row_is_told_once_and_the_worst_first(tmp_path):
    old, new = paper(tmp_path / "v1.tex", OLD), paper(tmp_path / "v2.tex", NEW)
    found = run(old, new, "--jobs", "1")
    *told, summary = found.output.splitlines()
    assert found.exit_code == 1
    assert [line.replace(str(tmp_path), "") for line in told] == [
        "broke: /v2.tex:5:4: step 1 of b, DECIDED before, REFUTED now",
        "new: /v2.tex:9:4: step 1 of f, REFUTED now",
        "new, not checked: /v2.tex:11:11: step 1 of g, NOT UNDERSTOOD [ambiguous] now",
        "still wrong: /v2.tex:7:4: step 1 of c, REFUTED before, REFUTED now",
        "mended: /v2.tex:3:4: step 1 of a, REFUTED before, DECIDED now",
        "gone: /v1.tex:7:4: step 1 of d, REFUTED before",
    ]
    assert "1 broke; 1 new; 1 new, not checked; 1 still wrong; 1 mended; 1 gone" in summary


@pytest.mark.parametrize(
    ("before", "after", "code", "allowed"),
    [
        ("x + x = 3x", "x + x = 3x", 0, 0),
        ("x + x = 3x", "x + x = 4x", 0, 0),
        ("x + x = 3x", "x + x = 2x", 0, 0),
        ("x + x = 2x", "x + x = 3x", 1, 1),
        ("x + x = 2x", r"x + x = \mathfrak{Q}", 3, 0),
        (r"x + x = \mathfrak{Q}", r"x + x = \mathfrak{Q}", 0, 0),
        (r"x + x = \mathfrak{Q}", "x + x = 3x", 1, 1),
    ],
)
def test_the_exit_code_is_about_what_is_worse(tmp_path, before, after, code, allowed):
    old, new = paper(tmp_path / "v1.tex", {"a": before}), paper(tmp_path / "v2.tex", {"a": after})
    assert run(old, new, "--jobs", "1").exit_code == code
    assert run(old, new, "--jobs", "1", "--allow-unchecked").exit_code == allowed


def test_a_former_result_is_a_version_and_json_says_the_same(tmp_path):
    old, new = paper(tmp_path / "v1.tex", OLD), paper(tmp_path / "v2.tex", NEW)
    result = CliRunner().invoke(app, ["check", str(old), "--jobs", "1", "--write-baseline", str(tmp_path / "v1.json")])
    assert result.exit_code == 1
    found = run(tmp_path / "v1.json", new, "--jobs", "1", "--json")
    data = json.loads(found.stdout)
    assert found.exit_code == data["summary"]["exit_code"] == 1
    assert [one["kind"] for one in data["changes"]] == [
        "broke", "new", "new, not checked", "still wrong", "mended", "gone",
    ]  # fmt: skip
    assert data["changes"][-1]["new"] is None
    assert data["changes"][1]["old"] is None
    assert sum(data["summary"]["counts"].values()) == len(data["changes"])


@pytest.mark.slow
def test_an_old_version_without_a_map_is_read_with_that_of_the_new_one(tmp_path):
    old, new = paper(tmp_path / "v1.tex", OLD, None), paper(tmp_path / "v2.tex", OLD)
    assert run(old, new, "--jobs", "1").exit_code == 0
    (tmp_path / "v2.notation.toml").unlink()
    found = run(old, new, "--jobs", "1")
    assert found.exit_code == 0
    assert "rests on guesses" in found.output


def test_what_cannot_be_read_is_a_usage_error(tmp_path):
    new = paper(tmp_path / "v2.tex", OLD)
    (tmp_path / "v1.json").write_text("{}")
    assert run(tmp_path / "absent.tex", new).exit_code == 2
    assert run(tmp_path / "v1.json", new).exit_code == 2


# Any versions.


def former(rows) -> Former:
    made = (Row((text,), verdict.value, "", text, ("l", number) if number else None) for text, verdict, number in rows)
    return Former("p", tuple(made), False, ())


STATES = [Status.DECIDED, Status.REFUTED, Status.UNDECIDED]
ROWS = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(STATES), st.sampled_from([0, 1, 2])), max_size=7)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(ROWS, ROWS)
def test_every_failing_row_of_either_version_is_told_exactly_once(old, new):
    first, second = former(old), former(new)
    found = compare(first, second)
    olds = [id(one.old) for one in found.changes if one.old is not None]
    news = [id(one.new) for one in found.changes if one.new is not None]
    assert len(set(olds)) == len(olds)
    assert len(set(news)) == len(news)
    for row in first.rows:
        assert row.verdict != "REFUTED" or id(row) in olds
    for row in second.rows:
        assert row.verdict != "REFUTED" or id(row) in news


@settings(deadline=None)
@given(ROWS, st.randoms())
def test_nothing_is_worse_since_the_same_rows_in_another_order(rows, random):
    distinct = list({row[0]: row for row in rows}.values())
    moved = list(distinct)
    random.shuffle(moved)
    found = compare(former(distinct), former(moved))
    assert found.exit_code(allow_unchecked=True) == 0
    assert {one.kind for one in found.changes} <= {Kind.STILL}


@pytest.mark.parametrize(("before", "after"), list(product([*STATES, None], repeat=2)))
def test_what_became_of_one_row(before, after):
    expected = {
        (Status.DECIDED, Status.REFUTED): "broke",
        (Status.DECIDED, Status.UNDECIDED): "no longer checked",
        (Status.REFUTED, Status.DECIDED): "mended",
        (Status.REFUTED, Status.REFUTED): "still wrong",
        (Status.REFUTED, Status.UNDECIDED): "no longer checked",
        (Status.REFUTED, None): "gone",
        (Status.UNDECIDED, Status.DECIDED): "settled",
        (Status.UNDECIDED, Status.REFUTED): "new",
        (None, Status.REFUTED): "new",
        (None, Status.UNDECIDED): "new, not checked",
    }
    old, new = ([("a", status, 0)] if status else [] for status in (before, after))
    found = compare(former(old), former(new))
    assert [one.kind.value for one in found.changes] == [
        expected[before, after] for _ in [0] if (before, after) in expected
    ]
