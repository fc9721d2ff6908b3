"""Statements about where something holds: arrows, "and" and "or", sets, both signs at once, each with false twins."""

from __future__ import annotations

import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.wording import headline

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
SYMBOLS = "[symbols]\n" + "".join(f'{name} = "(-oo, oo)"\n' for name in "xyst")
FAILS = Status.NOT_AN_IDENTITY


def checked(folder, paper: str, claims: str = ""):
    (folder / "p.tex").write_text(paper)
    (folder / "p.notation.toml").write_text(SYMBOLS + claims)
    return check_paper(folder / "p.tex", OPTIONS).findings


TRUE = [
    r"x = 1 \lor x = 2 \iff (x - 1)(x - 2) = 0",
    r"(x - 1)(x - 2) = 0 \iff x = 1 \text{ or } x = 2",
    r"(x - 1)(x - 2) = 0 \iff (x = 1) \vee (x = 2)",
    r"(x - 1)^2 (x - 2) = 0 \iff x = 1 \text{ or } x = 2 \text{ or } x = 1",
    r"x^2 + y^2 = 0 \iff x = 0 \text{ and } y = 0",
    r"x > 1 \text{ and } x < 3 \iff (x - 1)(x - 3) < 0",
    r"x > 2 \text{ and } (x < 5 \text{ or } x < -3) \iff x \in (2, 5)",
    r"[x \ge 1 \land y \ge 0] \lor [x \le 1 \land y \le 0] \iff (x - 1) y \ge 0",
    r"x^2 = 9 \iff x = \pm 3",
    r"x^2 - 2 s x + t = 0 \iff x = s \pm \sqrt{s^2 - t}",
    r"x^2 = 9 \iff x \in \{-3, 3\}",
    r"x^2 \ne 9 \iff x \notin \{-3, 3\}",
    r"x^2 = 9 \quad\iff\quad x \in \{-3, 3\}",
    r"x^2 = 9 \quad\iff\quad x = 3 \quad\text{or}\quad x = -3",
    r"x^2 \ge 9 \iff x \notin (-3, 3)",
    r"0 < x < 1 \iff x \in (0, 2) \cap (-1, 1)",
    r"x \in (0, 2) \setminus (1, 2) \iff 0 < x \le 1",
    r"x \in \{1, 2\} \implies x^2 + 2 = 3 x",
    r"x^2 + y^2 = 0 \iff x = y = 0",
    r"x^2 < 9 \iff x \in (-3, 3)",
    r"x^2 \le 9 \iff x \in [-3, 3]",
    r"x^2 > 9 \iff x \in (-\infty, -3) \cup (3, \infty)",
    r"x^2 < 9 \iff -3 < x < 3",
    r"-3 < x < 3 \iff x^2 < 9",
    r"x^2 + 1 = 0 \iff x \in \emptyset",
    r"x^2 + 1 = 0 \iff \text{no real solution}",
    r"x^2 + 1 > 0 \iff x \in \mathbb{R}",
    r"x^2 > 0 \iff x \in \mathbb{R} \setminus \{0\}",
    r"x = 1 \text{ if and only if } 2 x = 2",
    r"x = 1 \text{ implies } x^2 = 1",
    r"s t = 0 \text{ and } s = 1 \implies t = 0",
    r"x = 0 \text{ or } x = 1 \implies x^2 = x",
    r"\frac{x + 5}{x - 7} - 5 = \frac{4 x - 40}{13 - x} \iff \frac{4 x - 40}{7 - x} = \frac{4 x - 40}{13 - x}",
]
FALSE = [
    r"x = 1 \lor x = 3 \iff (x - 1)(x - 2) = 0",
    r"(x - 1)(x - 2) = 0 \iff x = 1 \text{ or } x = 2 \text{ or } x = 3",
    r"(x - 1)(x - 2) = 0 \iff (x = 1) \vee (x = -2)",
    r"x^2 + y^2 = 0 \iff x = 0 \text{ or } y = 0",
    r"x y = 0 \implies x = 0 \text{ and } y = 0",
    r"x > 1 \text{ and } x < 3 \iff (x - 1)(x - 3) > 0",
    r"x > 2 \text{ or } (x < 5 \text{ and } x < -3) \iff x \in (2, 5)",
    r"x^2 = 9 \iff x = \pm 4",
    r"x^2 = 9 \iff x \in \{3\}",
    r"x^2 > 9 \iff x \notin (-3, 3)",
    r"x \in (0, 2) \setminus (1, 2) \iff 0 < x < 1",
    r"x \in \{1, 3\} \implies x^2 + 2 = 3 x",
    r"x^2 = 9 \iff x \notin \{-3, 3\}",
    r"x^2 \le 9 \iff x \in (-3, 3)",
    r"x^2 > 9 \iff x \in (-\infty, -3] \cup (3, \infty)",
    r"x^2 < 9 \iff -3 < x < 4",
    r"-4 < x < 3 \iff x^2 < 9",
    r"x^2 = 1 \iff x \in \emptyset",
    r"x^2 - 1 = 0 \iff \text{no real solution}",
    r"x^2 > 0 \iff x \in \mathbb{R}",
    r"s = t \iff s^2 = s t",
    r"s^2 = s t \implies s = t",
    r"x = 1 \text{ if and only if } x^2 = 1",
    r"x^2 = 1 \text{ implies } x = 1",
    r"x = 0 \text{ or } x = 2 \implies x^2 = x",
]


@pytest.mark.parametrize("row", TRUE)
def test_statements_that_hold_at_the_same_points_are_decided(tmp_path, row):
    assert checked(tmp_path, rf"\[ {row} \]")[-1].status is Status.DECIDED


@pytest.mark.parametrize("row", FALSE)
def test_statements_that_do_not_fail_at_a_point(tmp_path, row):
    found = checked(tmp_path, rf"\[ {row} \]")[-1]
    wanted = (FAILS, "kind-unknown") if "impl" in row else (Status.REFUTED, "not-equivalent")
    assert (found.status, found.code) == wanted
    assert found.counterexample is not None


@pytest.mark.parametrize(
    "row",
    [
        r"x > 1, \quad x < 3 \iff (x - 1)(x - 3) < 0",
        r"x = y \implies x^2 = y^2, \text{ and } x = 2 x",
        r"x = \pm 1 \text{ and } y = \pm 1 \iff x^2 = 1 \text{ and } y^2 = 1",
        r"x^2 = 4 \iff x = \pm 1 \pm 1",
        r"(x - 1)^2 = 9 \iff x \mp 1 = \pm 3",
        r"x^2 < 9 \iff x < \pm 3",
        r"x^2 = 9 \iff x \mp 1 = \pm 3 \text{ or } x = 3",
        r"x = 1 \iff x \in \{1, \dots, 3\}",
        r"x = 1 \iff x \in [1, 2, 3]",
        r"x = 1 \iff x \in (0, 3) \cup (0, 4) \setminus \{2\}",
        r"x = 1 \iff x \in S",
        r"x > 1 \not\Rightarrow x > 2",
    ],
)
def test_what_can_be_read_in_two_ways_or_is_no_set_is_refused(tmp_path, row):
    found = checked(tmp_path, rf"\[ {row} \]")
    assert Status.NOT_UNDERSTOOD in {one.status for one in found}
    assert found[-1].status in (Status.NOT_UNDERSTOOD, FAILS)
    assert Status.REFUTED not in {one.status for one in found}


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (r"\sqrt{x^2} = \pm x", Status.DECIDED),
        (r"\pm 2 = 2", Status.NOT_UNDERSTOOD),
        (r"\pm 2 = 2 \text{ or } x = 1", Status.NOT_UNDERSTOOD),
        (r"(s \pm t)^2 = s^2 \pm 2 s t + t^2", Status.DECIDED),
        (r"(s \pm t)^2 = s^2 \mp 2 s t + t^2", FAILS),
        (r"\text{either } x \ge 0 \text{ or } x \le 0", Status.DECIDED),
        (r"\text{either } x > 0 \text{ or } x < 0", FAILS),
        (r"\emptyset", Status.NOT_UNDERSTOOD),
        (r"\text{no solution}", Status.NOT_UNDERSTOOD),
        (r"\iff x = x", Status.NOT_UNDERSTOOD),
        (r"x = x \iff", Status.NOT_UNDERSTOOD),
        (r"x^2 + 2 = 3 x \quad \text{for } x \in \{1, 2\}", Status.DECIDED),
        (r"x^2 + 2 = 3 x \quad \text{for } x \in \{1, 3\}", FAILS),
        (r"x = x \quad \text{for } \emptyset", Status.UNDECIDED),
        (r"\text{let } x = 2 y, \quad x + y = 3 y", Status.DECIDED),
        (r"\text{let } x = 2 y, \quad x + y = 4 y", FAILS),
        (r"\text{Let } x = 2 y", Status.NOT_UNDERSTOOD),
        (r"x \in (0, 1)", Status.CONDITION),
    ],
)
def test_statements_without_an_arrow(tmp_path, row, status):
    assert checked(tmp_path, rf"\[ {row} \]")[-1].status is status


@pytest.mark.slow
def test_an_arrow_at_the_beginning_of_a_row_joins_whole_rows(tmp_path):
    rows = r"x^2 &= 4 \\ \iff\quad x &= 2 \quad\text{or}\quad x = -2 \\ \iff\quad |x| &= %s"
    found = checked(tmp_path, rf"\begin{{align}} {rows % '2'} \end{{align}}")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED, Status.DECIDED]
    found = checked(tmp_path, rf"\begin{{align}} {rows % '3'} \end{{align}}")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED, Status.REFUTED]


def test_an_arrow_after_no_statement_joins_nothing_before(tmp_path):
    paper = r"\[ x = 1 \] \[ \begin{cases} x + y = 2 \\ x = y \end{cases} \iff 2 x = 2 \]"
    found = checked(tmp_path, paper)
    assert [one.status for one in found] == [FAILS, Status.NOT_UNDERSTOOD, Status.NOT_UNDERSTOOD]


def test_what_stands_before_an_equivalence_is_not_asserted(tmp_path):
    found = checked(tmp_path, r"\[ x^2 = 4 \iff x = \pm 2 \]")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED]
    found = checked(tmp_path, r"\[ x \in (0, 1) \implies x^2 < x \]")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED]
    found = checked(tmp_path, r"\[ x^2 = 4 \iff x = \pm 2 \iff |x| = 3 \]")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED, Status.REFUTED]


def rows(first: str, second: str) -> tuple[str, str]:
    entry = "[[claim]]\nlabel = 'a'\nkind = 'condition'\n[[claim]]\nlabel = 'b'\nkind = 'equivalent'\nof = 'a'\n"
    return rf"\[ {first} \label{{a}} \] so \[ {second} \label{{b}} \]", entry


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("x^2 = y \\text{ and } y^2 = x", "y = x^2 \\text{ and } x^4 = x", Status.DECIDED),
        ("x^2 = y \\text{ and } y^2 = x", "y = x^2 \\text{ and } x^3 = x", Status.REFUTED),
        ("x - 2 > 0 \\text{ and } x (x - 2) < 15", "2 < x < 5", Status.DECIDED),
        ("x - 2 > 0 \\text{ and } x (x - 2) < 15", "2 < x < 6", Status.REFUTED),
        ("x = 1 \\text{ or } x = 2", "x^2 - 3 x + 2 = 0", Status.DECIDED),
        ("x = 1 \\text{ or } x = 2", "x = 1", Status.REFUTED),
        ("7 = 13 \\text{ or } 4 x = 40", "x = 10", Status.DECIDED),
        ("7 = 13", "\\text{no solution}", Status.DECIDED),
        ("x = x", "\\text{no solution}", Status.REFUTED),
        ("x = x", "\\text{all}", Status.DECIDED),
        ("s = t", "s^2 = s t", Status.REFUTED),
    ],
)
def test_rows_of_several_statements_are_equivalent_together(tmp_path, first, second, status):
    paper, entry = rows(first, second)
    found = [one for one in checked(tmp_path, paper, entry) if one.label == "b"]
    assert found
    assert {one.status for one in found} == {status}


@pytest.mark.parametrize(
    ("first", "second"),
    [("s = t", r"\sqrt{s} = \sqrt{t}"), (r"\frac{x^2 - s^2}{x - s} = 0", "x^2 - s^2 = 0"), (r"1/x = 1/y", "x = y")],
)
def test_an_equivalence_fails_where_one_side_holds_and_the_other_has_no_value(tmp_path, first, second):
    paper, entry = rows(first, second)
    found = checked(tmp_path, paper, entry)[-1]
    assert (found.status, found.code) == (Status.REFUTED, "no-value")
    assert "the other has no value" in headline(found)


def test_a_premise_with_a_condition_that_was_not_read_is_no_premise(tmp_path):
    paper, entry = rows(r"x = 1 \text{ unless } y = 2", "x^2 = x")
    assert checked(tmp_path, paper, entry)[-1].status is Status.NOT_UNDERSTOOD


def test_nothing_is_equivalent_to_what_is_introduced(tmp_path):
    paper, entry = rows(r"\text{Let } x = 2 y", "x^2 = 4 y^2")
    assert Status.REFUTED not in {one.status for one in checked(tmp_path, paper, entry)}


@pytest.mark.slow
def test_what_goes_on_in_the_next_display_belongs_to_its_side_of_the_arrow(tmp_path):
    found = checked(tmp_path, r"\[ x^2 + y^2 = 0 \iff x = y \] \[ = 0 \]")
    assert [one.status for one in found] == [Status.CONDITION, Status.DECIDED, Status.DECIDED]
    found = checked(tmp_path, r"\[ x^2 + y^2 = 0 \iff x = y \] \[ = 1 \]")
    assert [one.status for one in found] == [Status.CONDITION, Status.REFUTED, Status.REFUTED]


def test_an_arrow_beside_several_statements_is_refused(tmp_path):
    paper = r"\begin{align} x > 1, \quad x &< 3 \\ \iff \quad (x - 1)(x - 3) &< 0 \end{align}"
    assert checked(tmp_path, paper)[-1].status is Status.NOT_UNDERSTOOD


@pytest.mark.slow
def test_a_condition_on_the_last_row_is_about_both_sides_of_an_equivalence(tmp_path):
    paper = r"\begin{align} x &= y \\ \iff x^2 &= y^2 \qquad \text{for } x \ge 0 \text{ and } y %s 0 \end{align}"
    assert checked(tmp_path, paper % r"\ge")[-1].status is Status.DECIDED
    assert checked(tmp_path, paper % r"\le")[-1].status is Status.REFUTED


#: Powers with a symbol in the exponent: what holds of positive bases only, and twins of it that hold.
EXPONENTS = [
    (r"x = (1 + y/n)^n \iff x^{1/n} = 1 + y/n", Status.REFUTED),
    (r"x = (1 + y/n)^n \text{ if and only if } x^{1/n} = 1 + y/n", Status.REFUTED),
    (r"x = y^n \iff x^{1/n} = y", Status.REFUTED),
    (r"x^n = y^n \iff x = y", Status.REFUTED),
    (r"x^n = y^n \implies x = y", FAILS),
    (r"\log x = n \log y \iff x = y^n", Status.REFUTED),
    (r"2 x^n = 2 y^n \iff x^n = y^n", Status.SUPPORTED),
    (r"x = y^n \text{ and } y > 0 \implies x^{1/n} = y", Status.DECIDED),
    (r"p = q^n \iff p^{1/n} = q", Status.DECIDED),
    (r"p^a = q^a \iff p = q", Status.DECIDED),
    # A power of 0 has a value, whatever is left out to read it.
    (r"x^n = 0 \iff x = 0", Status.UNDECIDED),
]


@pytest.mark.parametrize(("row", "status"), EXPONENTS)
def test_powers_of_negative_numbers_are_not_left_out_where_something_is_said_to_hold(tmp_path, row, status):
    (tmp_path / "p.tex").write_text(rf"\[ {row} \]")
    declared = 'n = "[1, oo)"\na = "(0, 1)"\np = "(0, oo)"\nq = "(0, oo)"\n'
    (tmp_path / "p.notation.toml").write_text(SYMBOLS + declared)
    *_, found = check_paper(tmp_path / "p.tex", OPTIONS).findings
    assert found.status is status, found
    assert (found.counterexample is not None) == (status in (Status.REFUTED, FAILS))


def test_a_case_at_one_size_is_one_at_all(tmp_path):
    (tmp_path / "p.tex").write_text(r"\[ x = (1 + y/n)^n \implies x^{1/n} = 1 + y/n \]")
    (tmp_path / "p.notation.toml").write_text(SYMBOLS + "[sizes]\nn = [2, 3]\n")
    first, _ = check_paper(tmp_path / "p.tex", OPTIONS).findings
    assert first.status is Status.CONDITION, first
