"""What stands between formulas: columns, words, conditions, "and" and "or", arrows, double signs, numbers of rows.

Each row has what a mathematician makes of it: ``D`` a statement that holds, ``N`` one that fails, ``C`` something
assumed, ``U`` something on the row was left unread, ``?`` something is refused. Every false row has a true twin.
"""

from __future__ import annotations

import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.explain import explain
from grpo_symbolic.referee.findings import HOLDS, STANDING, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
REALS = '[symbols]\nx = "(-oo, oo)"\ny = "(-oo, oo)"\nz = "(-oo, oo)"\n'
LETTERS = {
    Status.NOT_AN_IDENTITY: "N",
    Status.REFUTED: "N",
    Status.CONDITION: "C",
    Status.UNDECIDED: "U",
    Status.NOT_UNDERSTOOD: "?",
    Status.BROKEN: "B",
} | dict.fromkeys(STANDING, "D")


def reviewed(folder, paper: str, said: str = REALS):
    (folder / "p.tex").write_text(paper)
    (folder / "p.notation.toml").write_text(said)
    return check_paper(folder / "p.tex", OPTIONS)


def judged(folder, paper: str, said: str = REALS) -> str:
    review = reviewed(folder, paper, said)
    letters = "".join(LETTERS[finding.status] for finding in review.findings)
    assert (review.exit_code() == HOLDS) == (set(letters) <= {"D", "C"})
    return letters


COLUMNS = [
    (r"\begin{align*} x+x &= 2x & y-y &= 0 \end{align*}", "DD"),
    (r"\begin{align*} x+x &= 2x & y-y &= y \end{align*}", "DN"),
    (r"\begin{align*} x+x &= 3x & y-y &= 0 \end{align*}", "ND"),
    (r"\[\begin{aligned} x &= x, & y &= y, & z &= z^3. \end{aligned}\]", "DDN"),
    (r"\[\begin{array}{ll} x+y = y+x & x-y = x-y \end{array}\]", "DD"),
    (r"\[\begin{array}{ll} x+y = y+x & x-y = y-x \end{array}\]", "DN"),
    (r"\[\begin{array}{rcl} x & = & x+0 \\ & = & 0+x \end{array}\]", "DD"),
    (r"\begin{eqnarray*} x &=& x + 0 \\ &=& x + 1 \end{eqnarray*}", "DN"),
    (r"\begin{alignat*}{2} 2x &+ y &&= y + 2x \end{alignat*}", "D"),
    (r"\begin{alignat*}{2} 2x &+ y &&= y + x \end{alignat*}", "N"),
    (r"\begin{flalign*} x &= x+0 & y &= y+0 \\ &= 0+x & &= 0+y \end{flalign*}", "DDDD"),
    (r"\begin{align*} x &= x+0 & y &= y+0 \\ &= 0+x & &= y+1 \end{align*}", "DDDN"),
    (r"\begin{align*} x &= x+0 & y &= y+0 \\ &= y+0 & &= x+0 \end{align*}", "DNDN"),
    (r"\begin{align*} x &= x+0 && \text{by definition} \\ &= 0+x && \text{(symmetry)} \end{align*}", "DD"),
    (r"\begin{align*} \sqrt{x^2} &= x && (x \ge 0) \\ \sqrt{y^2} &= y && (y \le 1) \end{align*}", "DN"),
    (r"\begin{align*} \sqrt{x^2} &= x && \text{for } x \ge 0 & y &= y^3 \end{align*}", "DN"),
    (r"\begin{align*} x &= x & &\text{and} & y &= 2y \end{align*}", "DN"),
    (r"\begin{align*} x+x &= 2x & y & z \end{align*}", "D?"),
]


@pytest.mark.parametrize(("paper", "expected"), COLUMNS)
def test_equations_beside_each_other_are_statements_of_their_own(tmp_path, paper, expected):
    assert judged(tmp_path, paper) == expected


ROWS = [
    # A variable that is compared with a number is the range; anything else is a statement, or is left open.
    (r"|x| = x, \qquad x \ge 0", "D"),
    (r"|x| = x, \qquad 2x \ge x", "NN"),
    (r"x^2-y^2 = (x-y)(x+y), \qquad x^2+y^2 \le 2xy", "DN"),
    (r"x^2-y^2 = (x-y)(x+y), \qquad x^2+y^2 \ge 2xy", "DD"),
    (r"x+x = 2x, \quad y < x", "U"),
    (r"x+x = 2x, \quad x^2+y^2 \le 1", "U"),
    (r"\sqrt{x^2} = x, \quad x > 0, \quad y = 2y", "DN"),
    (r"\sqrt{x^2} = x, \quad x > 0, \quad y = y+0", "DD"),
    (r"x = |x| \text{ for } x \ge 0, \quad x = -|x| \text{ for } x \le 0", "DD"),
    (r"x = |x| \text{ for } x \ge 0, \quad x = -|x| \text{ for } x \le 1", "DN"),
    # Words that begin a statement.
    (r"x+x = 2x, \qquad\text{that is, } 2x = 3x", "DN"),
    (r"x+x = 2x, \qquad\text{that is, } 2x = x+x", "DD"),
    (r"x+x = 2x \text{ which gives } 2x = 3x", "DN"),
    (r"x+x = 2x \quad\text{or equivalently}\quad 2x = 3x", "DN"),
    (r"x+x = 2x, \quad\text{equivalently}\quad 2x = x+x", "DD"),
    (r"x+x = 2x \text{ as well as } y = 2y", "DN"),
    (r"x+x = 2x \text{ i.e.\ } y = y+1", "DN"),
    (r"2x = x+x = 2x \text{ i.e.\ } y = y", "DDD"),
    # Words that restrict, or may say anything.
    (r"x+x = 2x \text{ since } 2x = 3x", "U"),
    (r"|x| = x \text{ since } x \ge 0", "D"),
    (r"x+x = 2x \text{ because } 2x = 3x", "U"),
    (r"x+x = 2x \text{ unless } x = 2", "U"),
    (r"x+x = 2x \text{ (mod 3)}", "U"),
    (r"x+x = 2x \text{ is false}", "U"),
    (r"x+x = 2x \text{ otherwise}", "U"),
    (r"x+x = 2x \text{ for large } y", "U"),
    (r"x+x = 2x \text{ by Lemma 2}", "D"),
    (r"x+x = 2x \quad\text{(Jensen's inequality)}", "D"),
    (r"x+x = 2x \text{ with } y > 0 \text{ and } z = 2z + y^2", "U"),
    # "And" and "or".
    (r"x \ge 0 \text{ or } x \le 0", "D"),
    (r"x \ge 0 \text{ or } x \le -1", "N"),
    (r"x \ge 0 \lor x \le 0", "D"),
    (r"\text{either } x > 0 \text{ or } x \le 0", "D"),
    (r"x \ge x \land y > y", "N"),
    (r"x^2 \ge x \text{ if } x \ge 1 \text{ or } x \le 0", "D"),
    (r"x^2 \ge x \text{ if } x \ge 1 \text{ or } x \le \frac12", "N"),
    (r"x^2 \ge x \qquad (x \ge 1 \lor x \le 0)", "D"),
    (r"xy > 0 \impliedby x > 0 \text{ and } y > 0", "CD"),
    (r"xy > 0 \iff x > 0 \text{ and } y > 0", "CN"),
    (r"x = 1 \lor x = 2 \iff (x-1)(x-2) = 0", "CD"),
    (r"x = 1 \lor x = 3 \iff (x-1)(x-2) = 0", "CN"),
    (r"xy = 0 \implies x = 0 \text{ and } y = 0", "CN"),
    (r"xy = 0 \implies x = 0 \text{ or } y = 0", "CD"),
    (r"\left(x = 1 \text{ or } x = 2\right) \text{ and } x > 1 \iff x = 2", "CD"),
    (r"x = 1, y = 2 \implies x+y = 3", "CD"),
    (r"|x| \le 1 \iff -1 \le x \le 1", "CDD"),
    (r"|x| \le 1 \iff -1 \le x \le 2", "CNN"),
    (r"x = 1 \text{ if and only if } x^2 = 1", "CN"),
    (r"x > 0 \text{ implies } x^3 > 0", "CD"),
    (r"x \vee y = y \vee x", "?"),
    # Arrows that are not read.
    (r"x > 1 \not\Rightarrow x > 2", "?"),
    (r"x > 1 \nRightarrow x > 2", "?"),
    (r"x = 1 \to x^2 = 1", "?"),
    (r"x > 1 \leftrightarrow x > 2", "?"),
    # Double signs.
    (r"(x \pm y)^2 = x^2 \pm 2xy + y^2", "D"),
    (r"(x \pm y)^2 = x^2 \mp 2xy + y^2", "N"),
    (r"(x \pm y)(x \mp y) = x^2 - y^2", "D"),
    (r"x^2 = 4 \iff x = \pm 2", "CD"),
    (r"x^2 = 4 \iff x = \pm 3", "CN"),
    (r"\sqrt{x^2} = \pm x", "D"),
    (r"x = \pm y \pm z", "?"),
    (r"x = \pm y \text{ and } z = \pm y", "?"),
    (r"\pm 2 = 2", "?"),
    (r"x \le \pm x", "?"),
    # Congruences.
    (r"7 \equiv 4 \pmod 3", "?"),
    (r"7 = 6 + 1 \equiv 4 \pmod 3", "D?"),
    (r"7 = 4 \quad (\text{mod } 3)", "?"),
]


@pytest.mark.parametrize(("row", "expected"), ROWS)
def test_rows_mean_what_their_words_say(tmp_path, row, expected):
    assert judged(tmp_path, rf"\[ {row} \]") == expected


def test_what_is_assumed_is_printed(tmp_path):
    (finding,) = reviewed(tmp_path, r"\[ x^2 \ge x \text{ if } x \ge 1 \text{ or } x \le 0 \]").findings
    assert finding.read is not None
    assert finding.read.given == ("x ≥ 1 or x ≤ 0",)
    (finding,) = reviewed(tmp_path, r"\[ x \ge 0 \text{ or } x < 1 \text{ and } y = y \]").findings
    assert finding.read is not None
    assert (finding.read.left, finding.read.relation, finding.read.right) == ("x ≥ 0", "or", "(x < 1 and y = y)")


def test_what_was_not_read_is_named(tmp_path):
    (finding,) = reviewed(tmp_path, r"\[ x + x = 2x, \quad \text{unless } x = 2 \text{ or } y = 1 \]").findings
    assert (finding.status, finding.code) == (Status.UNDECIDED, "condition-not-read")
    assert finding.notes == (r"not read on this row: unless } x = 2 \text{ or } y = 1",)


EQUIVALENT = '[[claim]]\nlabel = "a"\nkind = "condition"\n[[claim]]\nlabel = "b"\nkind = "equivalent"\nof = "a"\n'


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (r"x = 1 \text{ or } x = 2", "(x-1)(x-2) = 0", "CD"),
        (r"x = 1 \text{ or } x = 2", "x = 1", "CN"),
        (r"(x-1)(x-2) = 0", r"x = 1 \text{ or } x = 2", "CD"),
        (r"x^2 = y \text{ and } y^2 = x", r"y = x^2 \text{ and } x^4 = x", "CCDD"),
        (r"x^2 = y \text{ and } y^2 = x", r"y = x^2 \text{ and } x^3 = x", "CCNN"),
        (r"x \ge 3 \text{ unless } y = 1", r"x - 3 \ge 0", "C?"),
        (r"x = 1 \text{ or } 2", r"(x-1)(x-2) = 0", "??"),
    ],
)
def test_premises_that_the_map_declares_are_read_whole(tmp_path, first, second, expected):
    named = (
        rf"\begin{{equation}} {row} \label{{{name}}} \end{{equation}}" for row, name in ((first, "a"), (second, "b"))
    )
    assert judged(tmp_path, "\n".join(named), REALS + EQUIVALENT) == expected


@pytest.mark.parametrize(
    ("paper", "labels"),
    [
        (r"\begin{align} \label{a} x &= y \\ z &= 1 \end{align}", ["a", None]),
        (r"\begin{align} x &= y \\ z &= 1 \label{a} \end{align}", [None, "a"]),
        (r"\begin{align} x &= y \nonumber \\ z &= 1 \label{a} \end{align}", ["a", "a"]),
        (r"\begin{align} x &= y, \label{a} \\ z &= 1 \tag{7} \end{align}", ["a", None]),
        (r"\begin{gather} x = y \label{a} \\ z = 1 \end{gather}", ["a", None]),
        (r"\begin{align*} x &= y \\ z &= 1 \tag{7} \label{a} \end{align*}", ["a", "a"]),
        (r"\begin{equation} \label{a} \begin{aligned} x &= y \\ z &= 1 \end{aligned} \end{equation}", ["a", "a"]),
        (r"\begin{multline} x = y \\ + z \label{a} \end{multline}", ["a"]),
    ],
)
def test_the_label_of_a_row_names_no_other_row(paper, labels):
    (display,) = read_text(paper).displays()
    assert [step.label for step in display.steps] == labels
    assert display.label in ("a", None)
    assert (display.label is None) == (None in labels)


def test_the_claim_about_a_row_is_about_no_other_row(tmp_path):
    said = REALS + '[[claim]]\nlabel = "a"\nkind = "condition"\n'
    assert judged(tmp_path, r"\begin{align} x &= y \label{a} \\ y &= y + 1 \end{align}", said) == "CN"
    said = REALS + "[[claim]]\nquote = 'x &= 2'\nkind = 'condition'\n"
    assert judged(tmp_path, r"\begin{align*} x &= 2 & x &= 2x \end{align*}", said) == "CN"


def test_findings_stand_where_their_row_stands(tmp_path):
    paper = "\\begin{align*}\nx &= x &\ny &= 2y \\\\\n&= x^3 &\n&= 3y\n\\end{align*}"
    review = reviewed(tmp_path, paper)
    assert [(one.place.line, one.place.end_line, one.left) for one in review.findings] == [
        (2, 2, "x"), (3, 3, "y"), (4, 4, "x"), (5, 5, "2y")
    ]  # fmt: skip


def test_a_finding_stands_on_the_row_of_its_right_side(tmp_path):
    paper = (
        "\\begin{align}\n  x + x &= 2x \\label{one} \\\\\n    &= 3x \\label{two} \\\\\n    &\\le x +\n    x + x \\\\\n"
        "  y &= y \\label{three} = \\\\\n    & y + 0\n\\end{align}\n"
    )
    review = reviewed(tmp_path, paper)
    assert [(one.place.line, one.place.column, one.place.end_line, one.label) for one in review.findings] == [
        (2, 3, 2, "one"), (3, 6, 3, "two"), (4, 6, 5, None), (6, 3, 6, "three"), (7, 7, 7, None)
    ]  # fmt: skip
    (located,) = (line for line in explain(f"{tmp_path / 'p.tex'}:3", OPTIONS) if "of its chain" in line)
    assert located.endswith("p.tex:3:6: step 2 of its chain, two")
