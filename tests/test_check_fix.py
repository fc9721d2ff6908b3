"""`check --fix`: repairs typed into a copy, which is checked again, and the paper as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app
from grpo_symbolic.reading.document.files import read_source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.referee import fixing
from grpo_symbolic.referee.check import Options, review_of
from grpo_symbolic.referee.copies import changed, changed_bytes
from grpo_symbolic.referee.findings import STANDING, Rewrite, Status
from grpo_symbolic.referee.fixing import fix
from grpo_symbolic.referee.papers import open_paper
from grpo_symbolic.referee.typed_edits import changes

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
MAP = """[symbols]
x = "(0, 1)"
y = "(0, 1)"
[[claim]]
quote = '='
kind = "identity"
"""

#: A row with a slip and what the author will have meant, typed by a person.
SLIPS = [
    (r"(x - y)^2 = x^2 - 2xy - y^2", r"(x - y)^2 = x^2 - 2xy + y^2"),
    (r"(x + y)^2 = x^2 + xy + y^2", r"(x + y)^2 = x^2 + 2xy + y^2"),
    (r"(x + y)(x - y) = x^2 - y^3", r"(x + y)(x - y) = x^2 - y^2"),
    (r"\frac{x + y}{2} = \frac{x}{2} + \frac{y}{3}", r"\frac{x + y}{2} = \frac{x}{2} + \frac{y}{2}"),
    (r"\log(x y) = \log x - \log y", r"\log(x y) = \log x + \log y"),
    (r"\cosh^2 x - \cosh^2 x = 1 - 0", None),
    (r"x (1 - x) = x - xx = x - \frac{x^2}{2}", r"x (1 - x) = x - xx = x - x^2"),
    (r"\sqrt{x^2 y} = x \sqrt{y} = \sqrt{x} \sqrt{y}", r"\sqrt{x^2 y} = x \sqrt{y} = x \sqrt{y}"),
    (r"\left( x + y \right)^3 = x^3 + 3x^2y + 2xy^2 + y^3", r"\left( x + y \right)^3 = x^3 + 3x^2y + 3xy^2 + y^3"),
    (r"\frac{2}{x + y} = \frac{1}{x/2 + y/2} = 2 (x + y)", r"\frac{2}{x + y} = \frac{1}{x/2 + y/2} = \frac{2}{x + y}"),
    (r"x y = y x = y y", r"x y = y x = x y"),
    (r"x - (y - x) = x - y + x = 2x + y", r"x - (y - x) = x - y + x = 2x - y"),
    (
        r"\frac{1}{\sqrt{xy}} = \frac{1}{\sqrt{yx}} = \frac{1}{xy}",
        r"\frac{1}{\sqrt{xy}} = \frac{1}{\sqrt{yx}} = \frac{1}{\sqrt{xy}}",
    ),
    (r"x^2 + 2xy + y^2 = xx + 2yx + yy = x + y^2", r"x^2 + 2xy + y^2 = xx + 2yx + yy = (x + y)^2"),
    (
        r"\frac{1 + xy + y}{x} = \frac{1 + yx + y}{x} = \frac{1 + xy}{x}",
        r"\frac{1 + xy + y}{x} = \frac{1 + yx + y}{x} = \frac{1 + xy + y}{x}",
    ),
]


def paper(folder: Path, *rows: str, said: str = MAP, before: str = "") -> Path:
    body = "\n".join(f"\\begin{{equation}}\n  {row}\n\\end{{equation}}\nText.\n" for row in rows)
    path = folder / "p.tex"
    path.write_text(f"\\documentclass{{article}}\n{before}\n\\begin{{document}}\n{body}\\end{{document}}\n")
    (folder / "p.notation.toml").write_text(said)
    return path


def fixed(path: Path):
    opened = open_paper(path)
    return fix(opened, review_of(opened, OPTIONS), OPTIONS)


def run(*arguments: object):
    return CliRunner().invoke(app, [str(one) for one in arguments])


# What is typed.


@pytest.mark.parametrize(("slip", "meant"), SLIPS, ids=[slip for slip, _ in SLIPS])
def test_a_slip_is_mended_where_it_was_made(tmp_path, slip, meant):
    found = fixed(paper(tmp_path, slip))
    added = [line[1:].strip() for line in found.difference("copy") if line.startswith("+  ")]
    if meant is None:  # another slip than the one edit of the repair, but whatever is written holds
        assert all(one.status in (*STANDING, Status.BY_DEFINITION) for one in found.review.findings) or not added
    else:
        assert added == [meant]
        assert {one.status for one in found.review.findings} == {Status.DECIDED}


def test_a_turned_sign_is_mended(tmp_path):
    found = fixed(paper(tmp_path, r"\frac{x + y}{2} \leq \sqrt{x y}", said=MAP.replace("'='", r"'\leq'")))
    assert [line for line in found.difference("copy") if line[:2] == "+ "] == [r"+  \frac{x + y}{2} \ge \sqrt{x y}"]
    assert [one.status for one in found.review.findings] == [Status.DECIDED]


@pytest.mark.slow
def test_several_rows_of_one_display_and_a_side_that_two_rows_share(tmp_path):
    chain = "\\begin{aligned} (x+y)^2 &= x^2 + xy + y^2 \\\\ &= x(x + 2y) + y^2 \\\\ &= x^2 + 2xy + y^3 \\end{aligned}"
    found = fixed(paper(tmp_path, chain))
    assert [one.status for one in found.before.findings] == [Status.REFUTED] * 3
    assert [one.status for one in found.review.findings] == [Status.DECIDED] * 3
    (after,) = (line for line in found.difference("copy") if line.startswith("+  "))
    assert after[3:] == chain.replace("xy + y^2 \\", "2xy + y^2 \\").replace("y^3", "y^2")


def test_what_stands_in_an_argument_of_a_macro_is_mended_and_what_it_prints_itself_is_refused(tmp_path):
    macros = r"\newcommand{\sq}[1]{(#1)^2}\newcommand{\rest}{x^2 + xy + y^2}"
    found = fixed(paper(tmp_path, r"x^2 - y^2 + 2y^2 = \sq{x} - \sq{y}", r"\sq{x + y} = \rest", before=macros))
    assert [line for line in found.difference("copy") if line[:2] == "+ "] == [r"+  x^2 - y^2 + 2y^2 = \sq{x} + \sq{y}"]
    ((left, why),) = found.left
    assert left.place.line == 10
    assert why.startswith("p.tex:10:16: ")
    assert why.endswith(r"it may stand in the macro \rest")


def test_labels_columns_comments_and_spaces_stay(tmp_path):
    rows = "  x - y &= x + y - 2y \\\\\n &= % a remark = 1\n    x\n    + y \\label{eq:1}\n"
    text = f"\\begin{{aligned}}\n{rows} \\end{{aligned}}"
    found = fixed(paper(tmp_path, text, said=MAP.replace("quote = '='", "label = 'eq:1'")))
    lines = list(found.difference("copy"))
    assert [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-    + y \\label{eq:1}",
        "+    - y \\label{eq:1}",
    ]


def test_a_side_over_two_rows_is_mended(tmp_path):
    rows = "\\begin{aligned}\n (x+y)^2 &= xx + 2xy + yy \\\\\n  &= x^2 + xy \\\\\n  &\\quad + y^2\n\\end{aligned}"
    found = fixed(paper(tmp_path, rows))
    assert {one.status for one in found.review.findings} == {Status.DECIDED}
    assert [line for line in found.difference("copy") if line[:2] == "+ "] == ["+  &= x^2 + 2xy \\\\"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([side for slip, _ in SLIPS for side in slip.split(" = ")]), st.data())
def test_changes_stay_inside_of_the_formula(side, data):
    proposed = list(changes(parse_tree(side), side, ["x", "y"]))
    start, end, new = data.draw(st.sampled_from(proposed))
    assert 0 <= start <= end <= len(side)
    assert changed(side, [(start, end, new)]) == side[:start] + new + side[end:]


# What is checked again.


def with_rewrite(review, old: str, new: str):
    """A review in which the repair of its first failing row is typed otherwise."""
    found = []
    for one in review.findings:
        if one.rewrite is not None and one.rewrite.old == old:
            one = replace(one, rewrite=Rewrite(one.rewrite.place, old, new))
        found.append(one)
    return replace(review, findings=tuple(found))


def test_a_repair_with_which_its_row_does_not_hold_is_taken_back(tmp_path, monkeypatch):
    monkeypatch.setattr(fixing, "MAX_PASSES", 1)
    opened = open_paper(paper(tmp_path, r"(x + y)(x - y) = x^2 - y^3", r"x + y = x - y"))
    review = review_of(opened, OPTIONS)
    found = fix(opened, with_rewrite(review, "3", "4"), OPTIONS)
    assert [one.place.line for one in found.taken] == [10]
    assert [(one.place.line, why) for one, why in found.left] == [(5, "its row says REFUTED in the copy")]
    assert [one.status for one in found.review.findings] == [Status.REFUTED, Status.DECIDED]


def test_a_repair_that_breaks_what_held_is_taken_back(tmp_path):
    # The side that the two rows share makes the first row hold and the second one fail.
    chain = r"\begin{aligned} x - y &= x + y \\ &= y + x \end{aligned}"
    opened = open_paper(paper(tmp_path, chain))
    review = review_of(opened, OPTIONS)
    held = [one.status for one in review.findings]
    found = fix(opened, review, OPTIONS)
    if found.taken:  # the left side was changed
        assert [one.status for one in found.review.findings] == [Status.DECIDED, Status.DECIDED]
    first = next(one for one in review.findings if one.rewrite is not None)
    plus = replace(first.rewrite.place, line=5, column=first.place.column)
    text = opened.paper.source.text.splitlines()[4]
    column = text.index("+") + 1
    plus = replace(first.rewrite.place, line=5, end_line=5, column=column, end_column=column + 1)
    worse = replace(review, findings=(replace(first, rewrite=Rewrite(plus, "+", "-")), *review.findings[1:]))
    found = fix(opened, worse, OPTIONS)
    assert held == [Status.REFUTED, Status.DECIDED]
    assert not found.taken
    ((_, why),) = found.left
    assert why.startswith("with it, ")
    assert why.endswith("says REFUTED and not DECIDED")


def test_what_meets_another_change_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(fixing, "MAX_PASSES", 1)
    opened = open_paper(paper(tmp_path, r"(x + y)(x - y) = x^2 - y^3", r"x + y = x - y"))
    review = review_of(opened, OPTIONS)
    first, second = review.findings
    both = replace(second, rewrite=replace(first.rewrite, new="5"))
    found = fix(opened, replace(review, findings=(first, both)), OPTIONS)
    assert [(one.place.line, "changes the same place" in why) for one, why in found.left] == [(10, True)]


# Files.

TEXTS = st.text(st.sampled_from("ab\n é$\\"), max_size=30)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.data(),
)
def test_a_changed_file_is_read_as_the_changed_text(tmp_path_factory, text, encoding, end, data):
    path = tmp_path_factory.mktemp("file") / "a.tex"
    path.write_bytes(text.replace("\n", end).encode(encoding))
    read = read_source(path).text
    start = data.draw(st.integers(0, len(read)))
    stop = data.draw(st.integers(start, len(read)))
    before = path.read_bytes()
    path.write_bytes(changed_bytes(before, [(start, stop, "NEW")]))
    assert read_source(path).text == read[:start] + "NEW" + read[stop:]
    assert changed_bytes(before, []) == before


def test_the_copy_is_written_and_the_paper_is_as_it_was(tmp_path):
    path = paper(tmp_path, r"x + y = x - y")
    before = path.read_bytes()
    found = run("check", path, "--fix", "--jobs", "1")
    copy = tmp_path / "p.fixed.tex"
    assert found.exit_code == 1
    assert path.read_bytes() == before
    assert copy.read_text() == before.decode().replace("x - y", "x + y").replace("x + y = x + y", "x - y = x - y") or (
        run("check", copy, "--notation", tmp_path / "p.notation.toml").exit_code == 0
    )
    assert "1 of 1 row mended and checked again: it holds" in found.output
    again = run("check", path, "--fix", "--jobs", "1")
    assert again.exit_code == 2
    assert "p.fixed.tex is there already; --force overwrites it" in again.output
    assert run("check", path, "--fix", "--force", "--jobs", "1").exit_code == 1


def test_in_place_the_exit_code_is_that_of_what_became_of_it(tmp_path):
    path = paper(tmp_path, r"(x + y)(x - y) = x^2 - y^3")
    found = run("check", path, "--fix", "--in-place", "--jobs", "1")
    assert found.exit_code == 0
    assert "x^2 - y^2" in path.read_text()
    assert not (tmp_path / "p.fixed.tex").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "other.tex"], "say where repairs go: add --fix"),
        (["--in-place"], "say where repairs go: add --fix"),
        (["--fix", "--watch"], "--fix is done once, without --watch"),
        (["--fix", "--in-place", "--out", "o.tex"], "either --in-place or to --out"),
        (["--fix", "--force", "--out", "p.tex"], "p.tex is the paper itself; --in-place changes that"),
    ],
)
def test_the_paper_is_not_overwritten_unless_that_is_said(tmp_path, monkeypatch, arguments, message):
    path = paper(tmp_path, r"(x + y)(x - y) = x^2 - y^3")
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    found = run("check", "p.tex", "--jobs", "1", *arguments)
    assert found.exit_code == 2
    assert message in found.output
    assert path.read_bytes() == before


def several(folder: Path) -> Path:
    path = paper(folder, r"x + y = y + x", r"\input{parts/a}")
    path.write_text(
        path.read_text().replace("\\begin{equation}\n  \\input{parts/a}\n\\end{equation}", "\\input{parts/a}")
    )
    (folder / "parts").mkdir()
    (folder / "parts" / "a.tex").write_bytes(b"caf\xe9\r\n\\[ (x + y)(x - y) = x^2 - y^3 \\]\r\n")
    return path


@pytest.mark.slow
def test_a_file_that_is_included_is_mended_in_a_folder_and_refused_without_one(tmp_path):
    path = several(tmp_path)
    refused = run("check", path, "--fix", "--jobs", "1")
    assert refused.exit_code == 2
    assert "a.tex is to be changed, which" in refused.output
    assert "--out p.fixed/" in refused.output
    found = run("check", path, "--fix", "--out", tmp_path / "copy", "--jobs", "1")
    assert found.exit_code == 1
    assert (tmp_path / "copy" / "p.tex").read_bytes() == path.read_bytes()
    mended = (tmp_path / "copy" / "parts" / "a.tex").read_bytes()
    assert mended == b"caf\xe9\r\n\\[ (x + y)(x - y) = x^2 - y^2 \\]\r\n"
    told = run("check", tmp_path / "copy" / "p.tex", "--notation", tmp_path / "p.notation.toml", "--jobs", "1")
    assert told.exit_code == 0


def test_a_single_file_beside_nothing_that_it_includes_is_refused(tmp_path):
    path = several(tmp_path)
    path.write_text(path.read_text().replace("x + y = y + x", "x + y = y - x"))
    (tmp_path / "parts" / "a.tex").write_text("nothing")
    (tmp_path / "elsewhere").mkdir()
    found = run("check", path, "--fix", "--out", tmp_path / "elsewhere" / "q.tex", "--jobs", "1")
    assert found.exit_code == 2
    assert "includes files that are not beside" in found.output


def test_data_stay_whole_on_standard_output(tmp_path):
    path = paper(tmp_path, r"(x + y)(x - y) = x^2 - y^3")
    found = run("check", path, "--fix", "--format", "json", "--jobs", "1")
    assert json.loads(found.stdout)["summary"]["counts"]["REFUTED"] == 1
    assert "+  (x + y)(x - y) = x^2 - y^2" in found.stderr


def test_nothing_is_written_where_nothing_can_be_mended(tmp_path):
    path = paper(tmp_path, r"x + y = y + x")
    found = run("check", path, "--fix", "--jobs", "1")
    assert found.exit_code == 0
    assert "no step that fails has a repair, so nothing was written" in found.output
    assert not (tmp_path / "p.fixed.tex").exists()


def test_bars_that_are_too_many_are_left_out(tmp_path):
    (tmp_path / "p.tex").write_text("\\[ z = z + 1 - 1 = |z| \\]\n")
    (tmp_path / "p.notation.toml").write_text("[symbols]\nz = '(-1, 1)'\n")
    found = fixed(tmp_path / "p.tex")
    assert [line for line in found.difference("copy") if line[:2] == "+\\"] == ["+\\[ z = z + 1 - 1 = z \\]"]
