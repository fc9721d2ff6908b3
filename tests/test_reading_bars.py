"""Bars within bars, what only TeX rejects, and tokens that may not be read as if they stood there once."""

from __future__ import annotations

import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading.places import BrokenLatex, NotRead
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.nested import MAX_BARS
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import STANDING, Finding, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

QUICK = Options(Settings(points=20, digits=20, effort=500, boxes=500), timeout=20, jobs=1)
MAP = '[symbols]\nx = "(0, 1)"\ns = "(-oo, oo)"\nt = "(-oo, oo)"\n'

#: Bars that can be paired in one way only, and the same with a left and a right bar.
PAIRED = {
    "a difference of absolute values": ("||x| - |y||", r"\lvert \lvert x \rvert - \lvert y \rvert \rvert"),
    "at the end": ("|x - |y||", r"\lvert x - \lvert y \rvert \rvert"),
    "three deep": ("|1 - |x - |y|||", r"\lvert 1 - \lvert x - \lvert y \rvert \rvert \rvert"),
    "with a sign": ("|-|x| - 1|", r"\lvert -\lvert x \rvert - 1 \rvert"),
    "in a power": ("||x| - 1|^2", r"\lvert \lvert x \rvert - 1 \rvert^2"),
    "side by side": ("|x||y||z|", r"\lvert x \rvert \lvert y \rvert \lvert z \rvert"),
    "after a factor": ("f(x)|x||y|", r"f(x)\lvert x \rvert \lvert y \rvert"),
    "a difference with a factor": ("|x| - 2|y|", r"\lvert x \rvert - 2\lvert y \rvert"),
    "powers": ("|x|^2|y|^2", r"\lvert x \rvert^2\lvert y \rvert^2"),
    "norms": (r"||x|| - ||y||", r"\lVert x \rVert - \lVert y \rVert"),
    "a norm with an index": (r"||x||_2 - ||y||_2", r"\lVert x \rVert_2 - \lVert y \rVert_2"),
    "norms in bars": (r"|\|x\| - \|y\||", r"\lvert \lVert x \rVert - \lVert y \rVert \rvert"),
    "bars in a norm": (r"\||x| - 1\|", r"\lVert \lvert x \rvert - 1 \rVert"),
    "left and right outside": (r"\left||x| - 1\right|", r"\lvert \lvert x \rvert - 1 \rvert"),
    "bigger bars outside": (r"\bigl||x| - 1\bigr|", r"\lvert \lvert x \rvert - 1 \rvert"),
    "in two parts": ("|x||y| = ||x||y||", r"\lvert x\rvert\lvert y\rvert = \lvert\lvert x\rvert\lvert y\rvert\rvert"),
    "an expectation given something": (r"E(|x||y)", r"E(\lvert x \rvert \mid y)"),
    "evaluations": (r"|a| + f|_0 + |b| + g|_0", r"\lvert a \rvert + f|_0 + \lvert b \rvert + g|_0"),
}  # fmt: skip


@pytest.mark.parametrize(("typed", "meant"), PAIRED.values(), ids=PAIRED)
def test_bars_are_paired_where_there_is_one_way(typed, meant):
    assert parse_tree(typed) == parse_tree(meant)


AMBIGUOUS = [
    "|s|t|-1|",
    "|a|b|c|",
    "|a|b - 2|c|",
    "|x|y|z||w|",
    "2|a|b|c|",
    "|x| - |s|t|-1|",
    "|a|(b+c)|d|",
]


@pytest.mark.parametrize("typed", AMBIGUOUS)
def test_bars_that_can_be_paired_in_several_ways_are_refused(typed):
    with pytest.raises(NotRead, match="can be paired in several ways") as caught:
        parse_tree(typed)
    assert caught.value.code == "ambiguous"


def test_very_many_bars_are_refused():
    with pytest.raises(NotRead, match=f"more than {MAX_BARS} bars"):
        parse_tree("|x|y" * MAX_BARS)
    assert len(parse_tree("+".join(["|x|"] * (MAX_BARS // 2)))) == MAX_BARS - 1


def findings(folder, latex: str) -> list[Finding]:
    (folder / "p.tex").write_text(rf"\[ {latex} \]" + "\n\nText.\n\n" + r"\[ x = x \label{end} \]")
    (folder / "p.notation.toml").write_text(MAP)
    *found, end = check_paper(folder / "p.tex", QUICK).findings
    assert end.status is Status.DECIDED
    return found


DECIDED = [
    r"|s + |t|| \ge s",
    r"|x - |s|| \le x + |s|",
    r"\lvert x - \lvert s \rvert \rvert \le |x| + |s|",
    ".5 = 1/2",
    r"x - .5 = x - \frac12",
    "1{,}000 = 1000",
    "1{,}234{,}567.5 = 1234567.5",
    "3! = 6",
    "3!=6",
    r"\left(\frac{x+x}{2}\right)^2 = x^2",
    r"x \cdot \\ \cdot x = x^2",
    r"2 \textcolor{red}{\Big(} x + 1 \textcolor{red}{\Big)} = 2x + 2",
    r"2 \textcolor{red}{(x + 1)} = 2x + 2",
    r"\bigl( x + x \bigr) = 2x",
    r"x \le \\ \le 2x",
    "-(-x) = x",
    "x - -x = 2x",
]  # fmt: skip


@pytest.mark.parametrize("latex", DECIDED)
def test_these_are_read(tmp_path, latex):
    assert {one.status for one in findings(tmp_path, latex)} <= {Status.DECIDED, Status.SUPPORTED, Status.BY_DEFINITION}


#: Compiles, and cannot be read, or not for certain.
REFUSED = [
    "|x|^2 - |x|-|s|| \\le x^2",
    "|s|t|-1| = s",
    "x - s | = 1",
    "(x + x = 2x",
    "x + x) = 2x",
    "(x + x] = 2x",
    r"\left. x \right) = x",
    "x == x",
    r"x \le\le x",
    r"x = \ne x",
    "x^(2) = x",
    r"\frac{1}) = 1",
    "x = rac{x}{2}",
    "3!! = 3",
    "3!! = 720",
    "3!!! = 3",
    "(x)! ! = 3",
    "3 != 6",
    "x != s",
    "x ++ x = 2x",
    "x +- x = 0",
    "x -+ x = 0",
    "+ + x = x",
    r"x \pm + x = 2x",
    r"x \cdot\cdot x = x^2",
    r"x \times\times x = x^2",
    r"x \cdot\times x = x^2",
    r"x \cdot \cdot \\ x = x^2",
    "x // x = 1",
    r"\frac{x+x}{2}^2 = x^2",
    r"{\frac{x+x}{2}}^2 = x^2",
    r"\dfrac{x}{1}^2 = x^2",
    "x = 1,000",
    r"\max(1,000, x) = 1",
    r"\max(1,200) = 200",
    "0{,}5 = 1/2",
    "1{,}0000 = 1",
    "x^.5 = x",
    r"\frac.5 2 = 1",
    "2 .5 = 1",
    r"\max(x, \dots, ) = x",
]


@pytest.mark.parametrize("latex", REFUSED)
def test_what_compiles_and_cannot_be_read_is_not_understood(tmp_path, latex):
    found = findings(tmp_path, latex)
    assert found
    assert not {one.status for one in found} & {*STANDING, Status.BY_DEFINITION, Status.BROKEN, Status.REFUTED}
    assert any(one.status is Status.NOT_UNDERSTOOD for one in found)
    assert not any(one.code == "internal" for one in found)


#: pdflatex stops at each of these with an error.
REJECTED = [
    r"\left x + x \right = 2x",
    r"\left( x + x = 2x",
    r"x + x \right) = 2x",
    r"\big = x",
    r"\left{ x \right} = x",
    r"\left= x \right) = x",
    r"{\left( x} \right) = x",
    r"x \middle| x = x",
    r"\begin{aligned} \left( x & + x \right) = x \end{aligned}",
    r"\begin{aligned} \left( x \\ + x \right) = x \end{aligned}",
    "x^2^2 = x",
    "x_1_2 = x",
    "x^2' = x",
    r"\frac{1}{x = 1",
    "x} = x",
    r"\begin{cases} x = x",
    r"x \end{cases} = x",
]


@pytest.mark.parametrize("latex", REJECTED)
def test_what_tex_rejects_is_broken(tmp_path, latex):
    assert Status.BROKEN in {one.status for one in findings(tmp_path, latex)}


def test_a_scan_may_lose_a_right():
    assert parse_tree(r"\left( x ) = x") == parse_tree("(x) = x")
    with pytest.raises(BrokenLatex, match=r"no delimiter follows this \\left"):
        parse_tree(r"\left x ) = x")
