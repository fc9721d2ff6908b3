"""`check --baseline`: only what is new counts, and what was there is known by what stands in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.referee.baseline import Former, read_former, since
from grpo_symbolic.referee.findings import Finding, Review, Span, Status
from grpo_symbolic.referee.machine import SCHEMA, as_json

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

WRONG, ALSO, UNREAD, TRUE = "x + x = 3x", "x x = x^3", "x = 1/2x", "x + x = 2x"
MAP = '[symbols]\nx = "(0, 1)"\n[[claim]]\nquote = "="\nkind = "identity"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.notation.toml").write_text(MAP)
    return tmp_path


def write(folder: Path, *rows: str) -> None:
    (folder / "p.tex").write_text("\n\n".join(row if row.startswith("%") else f"\\[ {row} \\]" for row in rows))


def run(*arguments: str):
    return CliRunner().invoke(app, ["check", "p.tex", "--jobs", "1", *arguments])


def recorded(folder: Path, *rows: str):
    write(folder, *rows)
    return run("--write-baseline", "b.json")


@pytest.mark.slow
def test_what_is_known_does_not_count_wherever_it_stands(folder):
    assert recorded(folder, WRONG, TRUE, UNREAD).exit_code == 1
    assert run("--baseline", "b.json").exit_code == 0
    write(folder, "% new lines", TRUE, TRUE, UNREAD, "% more", WRONG.replace(" ", "  "))
    found = run("--baseline", "b.json")
    assert found.exit_code == 0
    assert "2 known from b.json, 0 new" in found.output
    assert "REFUTED  step" not in found.output
    assert "REFUTED  step" in run("--baseline", "b.json", "-v").output


@pytest.mark.parametrize(
    ("rows", "code"),
    [((WRONG, ALSO), 1), ((WRONG, WRONG), 1), ((WRONG, UNREAD), 3), ((WRONG, r"x^2^2 = x"), 1), ((WRONG, TRUE), 0)],
)
def test_what_is_new_counts(folder, rows, code):
    recorded(folder, WRONG, TRUE)
    write(folder, *rows)
    found = run("--baseline", "b.json")
    assert found.exit_code == code
    assert f"1 known from b.json, {int(code > 0)} new" in found.output
    assert run("--baseline", "b.json", "--allow-unchecked").exit_code == (code if code != 3 else 0)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (r"\label{eq:1} " + WRONG, r"\label{eq:1} " + TRUE, "step 1 of eq:1, REFUTED then, is mended"),
        (WRONG, TRUE, "step 1, REFUTED then, is there no longer"),
        (r"\label{eq:1} " + WRONG, r"\label{eq:1} " + UNREAD, "step 1 of eq:1, REFUTED then, is NOT UNDERSTOOD now"),
    ],
)
def test_what_disappeared_is_told(folder, before, after, told):
    recorded(folder, before, TRUE)
    write(folder, after, TRUE)
    assert f"since b.json: {told}" in run("--baseline", "b.json").output
    data = json.loads(run("--baseline", "b.json", "--format", "json").output)
    assert data["baseline"] == {"file": "b.json", "gone": [told]}


def test_broken_displays_are_told_apart_by_what_is_typed(folder):
    recorded(folder, TRUE, "x^2^2 = x")
    write(folder, TRUE, "x^3^3 = x")
    found = run("--baseline", "b.json")
    assert found.exit_code == 1
    assert "0 known from b.json, 1 new" in found.output


def test_without_a_map_what_was_guessed_then_is_known_as_well(folder):
    (folder / "p.notation.toml").unlink()
    assert recorded(folder, TRUE).exit_code == 3
    assert run("--baseline", "b.json").exit_code == 0
    write(folder, TRUE, "x + 2x = 4x")
    assert run("--baseline", "b.json").exit_code == 3
    (folder / "p.notation.toml").write_text(MAP)
    recorded(folder, TRUE)
    (folder / "p.notation.toml").unlink()
    assert run("--baseline", "b.json").exit_code == 3, "that the map is lost is new"


def test_what_could_not_be_followed_is_known_without_its_line(folder):
    recorded(folder, TRUE)
    (folder / "p.tex").write_text("\\input{absent}\n" + (folder / "p.tex").read_text())
    assert run("--baseline", "b.json").exit_code == 3
    run("--write-baseline", "b.json")
    (folder / "p.tex").write_text("% another line\n" + (folder / "p.tex").read_text())
    assert run("--baseline", "b.json").exit_code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "is no result of grpo-symbolic check"),
        ('{"schema": 1, "steps": []}', f"another version (schema 1, this one writes {SCHEMA})"),
        (f'{{"schema": {SCHEMA}, "steps": [3]}}', "is not as --format json writes it"),
        (f'{{"schema": {SCHEMA}, "steps": [{{}}], "notation": {{}}}}', "is not as --format json writes it"),
    ],
)
def test_what_is_no_baseline_is_refused(folder, content, message):
    write(folder, TRUE)
    (folder / "b.json").write_text(content)
    found = run("--baseline", "b.json")
    assert found.exit_code == 2
    assert message in found.output
    assert "Traceback" not in found.output
    assert run("--baseline", "absent.json").exit_code == 2


@pytest.mark.parametrize("target", ["p.tex", "p.notation.toml", "notes.json"])
def test_a_baseline_is_written_over_nothing_but_a_result(folder, target):
    write(folder, TRUE)
    (folder / "notes.json").write_text("[1]")
    before = (folder / target).read_text()
    assert run("--write-baseline", target).exit_code == 2
    assert (folder / target).read_text() == before
    (folder / "old.json").write_text('{"schema": 1, "steps": []}')
    assert run("--write-baseline", "old.json").exit_code == 0
    assert run("--write-baseline", "old.json", "--baseline", "old.json").exit_code == 0


# Any reviews.

ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from([Status.DECIDED, Status.REFUTED, Status.UNDECIDED, Status.BROKEN]),
        st.sampled_from(["", "timeout"]),
    ),
    max_size=8,
)


def review(rows, first_line: int = 1) -> Review:
    found = tuple(
        Finding(Span("p.tex", line, 1, line, 2), status, None, 1, text, "=", "0", code=code)
        for line, (text, status, code) in enumerate(rows, first_line)
    )
    return Review("p.tex", found, 50, 60, 1)


@settings(deadline=None)
@given(ROWS, st.integers(1, 1000), st.randoms())
def test_a_review_has_nothing_new_since_itself_in_any_order(tmp_path_factory, rows, line, random):
    path = tmp_path_factory.mktemp("b") / "b.json"
    path.write_text(as_json(review(rows), 0))
    moved = list(rows)
    random.shuffle(moved)
    again = since(review(moved, line), read_former(path))
    assert not [one for one in again.findings if one.counts and one.status is not Status.DECIDED]
    assert again.since.gone == ()
    assert read_former(path).rows == Former.of(review(rows)).rows


@settings(deadline=None)
@given(ROWS, ROWS)
def test_what_is_new_is_what_the_baseline_has_not_or_not_so_often(before, after):
    found = since(review(after), Former.of(review(before)))
    bad = [row for row in after if row[1] is not Status.DECIDED]
    old = [row for row in before if row[1] is not Status.DECIDED]
    new = [one for one in found.findings if one.counts and one.status is not Status.DECIDED]
    assert len(new) == sum(max(0, bad.count(row) - old.count(row)) for row in set(bad))
    assert len(found.since.gone) == sum(max(0, old.count(row) - bad.count(row)) for row in set(old))


def test_what_was_ignored_was_never_accepted():
    ignored = review([("a", Status.REFUTED, "")])
    ignored = replace(ignored, findings=tuple(replace(one, ignored="a reason") for one in ignored.findings))
    again = since(review([("a", Status.REFUTED, "")]), Former.of(ignored))
    assert [one.counts for one in again.findings] == [True]
    assert since(ignored, Former.of(ignored)).exit_code(allow_unchecked=True) == 0
