"""Sums up to a whole number by induction: what is decided agrees with adding up, and nothing false passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Claim,
    Expression,
    Statement,
    Total,
    binomial,
    both,
    by_induction,
    claim,
    derive,
    either,
    eq,
    every_iterate,
    exp,
    factorial,
    ge,
    gt,
    implies,
    increasing,
    judge,
    le,
    log,
    lt,
    minimum,
    ne,
    rational,
    real,
    sqrt,
    sum_of,
    tends_to,
    whole,
)
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.counting import as_binomial
from grpo_symbolic.language.expression import Number, substitute
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.language.vocabulary import gamma
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.translate.tree import statement_tree

k = whole("k", "[0, oo)", "an index")
m = whole("m", "[1, oo)", "a number of terms")
n = whole("n", "[0, oo)", "a number of steps")
p = real("p", "(0, 1)", "a probability")
r = real("r", "(0, oo)", "a rate")
w = real("w", "(0, 1)", "the share of an output", indexed=True)
x = real("x", "(0, 1)", "a number")

geometric = sum_of(p**k, k, 0, n)
closed = (1 - p ** (n + 1)) / (1 - p)

#: A statement kept by an induction, and what it says in plain numbers of a probability and a rate.
HOLD: dict[str, tuple[Statement, Callable[[int, Fraction, Fraction], bool]]] = {
    "numbers": (eq(sum_of(k, k, 0, n), n * (n + 1) / 2), lambda n, p, r: sum(range(n + 1)) == Fraction(n * (n + 1), 2)),
    "squares": (
        eq(sum_of(k**2, k, 1, n), n * (n + 1) * (2 * n + 1) / 6),
        lambda n, p, r: 6 * sum(i * i for i in range(n + 1)) == n * (n + 1) * (2 * n + 1),
    ),
    "cubes": (
        both(eq(sum_of(k, k, 0, n), n * (n + 1) / 2), eq(sum_of(k**3, k, 0, n), sum_of(k, k, 0, n) ** 2)),
        lambda n, p, r: sum(i**3 for i in range(n + 1)) == sum(range(n + 1)) ** 2,
    ),
    "geometric": (
        eq(geometric, closed),
        lambda n, p, r: sum(p**i for i in range(n + 1)) == (1 - p ** (n + 1)) / (1 - p),
    ),
    "geometric-mean": (
        eq(sum_of(k * p**k, k, 0, n), p * (1 - (n + 1) * p**n + n * p ** (n + 1)) / (1 - p) ** 2),
        lambda n, p, r: (
            sum(i * p**i for i in range(n + 1)) == p * (1 - (n + 1) * p**n + n * p ** (n + 1)) / (1 - p) ** 2
        ),
    ),
    "telescoping": (
        eq(sum_of(1 / (k * (k + 1)), k, 1, n), 1 - 1 / (n + 1)),
        lambda n, p, r: sum(Fraction(1, i * (i + 1)) for i in range(1, n + 1)) == 1 - Fraction(1, n + 1),
    ),
    "constant": (eq(sum_of(r, k, 0, n), (n + 1) * r), lambda n, p, r: sum(r for _ in range(n + 1)) == (n + 1) * r),
    "of-two": (
        eq(sum_of(2**k, k, 0, n - 1), 2**n - 1),
        lambda n, p, r: sum(2**i for i in range(n)) == 2**n - 1,
    ),
    "inverse-squares": (
        le(sum_of(1 / k**2, k, 1, n + 1), 2 - 1 / (n + 1)),
        lambda n, p, r: sum(Fraction(1, i * i) for i in range(1, n + 2)) <= 2 - Fraction(1, n + 1),
    ),
    "at-least-one-each": (
        ge(sum_of((1 + r) ** k, k, 0, n), n + 1),
        lambda n, p, r: sum((1 + r) ** i for i in range(n + 1)) >= n + 1,
    ),
    "two-things": (
        both(gt(geometric, 0), eq((1 - p) * geometric, 1 - p ** (n + 1))),
        lambda n, p, r: (1 - p) * sum(p**i for i in range(n + 1)) == 1 - p ** (n + 1),
    ),
    "under-a-premise": (
        implies(gt(r, 1), ge(sum_of(r**k, k, 0, n), n + 1)),
        lambda n, p, r: r <= 1 or sum(r**i for i in range(n + 1)) >= n + 1,
    ),
}
FAIL: dict[str, Statement] = {
    "numbers-without-the-last": eq(sum_of(k, k, 0, n), n * (n - 1) / 2),
    "squares-with-a-slip": eq(sum_of(k**2, k, 1, n), n * (n + 1) * (2 * n - 1) / 6),
    "right-up-to-three": eq(sum_of(k, k, 0, n), n * (n + 1) / 2 + n * (n - 1) * (n - 2) * (n - 3)),
    "geometric-with-another-power": eq(geometric, (1 - p**n) / (1 - p)),
    "geometric-without-its-start": eq(sum_of(p**k, k, 1, n), closed),
    "geometric-below": lt(geometric, 1),
    "another-first-number": eq(sum_of(k, k, 2, n + 1), n * (n + 1) / 2),
    "telescoping-from-zero": eq(sum_of(1 / (k * (k + 1)), k, 0, n), 1 - 1 / (n + 1)),
    "a-term-without-value": eq(sum_of(1 / (k - 2), k, 1, m), sum_of(1 / (k - 2), k, 1, m)),
    "bounded-and-is-not": le(sum_of(1 / k**2, k, 1, m), rational(3, 2)),
    "cubes-are-squares": eq(sum_of(k**3, k, 0, n), sum_of(k**2, k, 0, n)),
    "strict-where-it-is-attained": gt(sum_of((1 + r) ** k, k, 0, n), n + 1),
    "a-step-from-nowhere": eq(sum_of(k, k, 0, n), n * (n + 1) / 2 + 1),
    "less-with-more-terms": le(sum_of(r**k, k, 0, n), 1),
}


@pytest.mark.parametrize("name", HOLD)
def test_sums_that_are_right_are_decided(name) -> None:
    kept, said = HOLD[name]
    numbers = [Fraction(1, 7), Fraction(1, 2), Fraction(4, 5)]
    assert all(said(steps, one, 3 * one) for steps in range(15) for one in numbers)
    assert judge(by_induction(kept, n)).verdict is Verdict.DECIDED


@pytest.mark.parametrize("name", FAIL)
def test_sums_that_are_wrong_are_refuted(name) -> None:
    kept = FAIL[name]
    along = m if m in symbols_of(kept) else n
    assert judge(by_induction(kept, along)).verdict is Verdict.REFUTED


COEFFICIENTS = st.lists(st.integers(-2, 2), min_size=3, max_size=3)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(COEFFICIENTS, COEFFICIENTS, st.integers(0, 2), st.integers(-1, 2), st.sampled_from(["=", "<=", ">"]))
def test_random_sums_are_never_decided_against_adding_up(term, value, first, beyond, sign) -> None:
    def polynomial(at: Expression | int, numbers: list[int]) -> Expression:
        return numbers[0] + numbers[1] * at + numbers[2] * at**2  # type: ignore[return-value]

    start = max(first - 1 - beyond, 0)
    along = whole("n", f"[{start}, oo)", "a number")
    ends = along + beyond if beyond >= 0 else along - -beyond
    total, closed_form = sum_of(polynomial(k, term), k, first, ends), polynomial(along, value) * (along + 1) / 2
    verdict = judge(by_induction(Relation(total, sign, closed_form), along)).verdict
    added = [
        (
            sum(term[0] + term[1] * i + term[2] * i * i for i in range(first, steps + beyond + 1)),
            Fraction((value[0] + value[1] * steps + value[2] * steps**2) * (steps + 1), 2),
        )
        for steps in range(start, start + 40)
    ]
    right = all({"=": a == b, "<=": a <= b, ">": a > b}[sign] for a, b in added)
    assert right or verdict not in STANDING
    assert not right or verdict is not Verdict.REFUTED
    # What differs, differs early for polynomials of so low a degree.
    assert sign != "=" or verdict is (Verdict.DECIDED if right else Verdict.REFUTED)


# What a sum that is known says.


def claimed(statement: Statement, *using: object) -> Claim:
    return claim("a.of-a-sum", "Of a sum", statement, using=using)


known = claim("a.geometric", "A geometric sum", by_induction(eq(geometric, closed), n))


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        (claimed(lt(geometric, 1 / (1 - p)), known), Verdict.DECIDED),
        (claimed(lt(sum_of(p**k, k, 0, m - 1), 1 / (1 - p)), known.at({n: m - 1})), Verdict.DECIDED),
        (claimed(increasing(geometric, n), known, known.at({n: n + 1})), Verdict.DECIDED),
        (claimed(eq(geometric * (1 - p), 1 - p * p**n), known), Verdict.DECIDED),
        (claimed(eq(geometric * (1 - p), 1 - p**n), known), Verdict.REFUTED),
        (claimed(ge(geometric, 1 / (1 - p)), known), Verdict.REFUTED),
        # Here the number may be below the first one, where nothing is known of the sum but its values.
        (claimed(lt(sum_of(p**k, k, 0, m - 2), 1 / (1 - p)), known.at({n: m - 2})), Verdict.SUPPORTED),
        (claimed(lt(sum_of(p**k, k, 1, n), 1 / (1 - p)), known), Verdict.SUPPORTED),
    ],
)
def test_a_closed_form_may_be_used_where_it_holds(made: Claim, verdict: Verdict) -> None:
    assert judge(made).verdict is verdict


def test_a_sum_of_which_nothing_is_known_decides_nothing() -> None:
    # Its terms need not have values: that for k = 2 has none, and that for k = 5 is not looked at.
    other, later = (sum_of(1 / (k - pole), k, 1, m) for pole in (2, 5))
    assert judge(eq(other, other)).verdict is Verdict.REFUTED
    assert judge(eq(later, later)).verdict in (Verdict.SUPPORTED, Verdict.UNDECIDED)
    premised = claim("a.p", "Under a premise", implies(gt(p, rational(1, 2)), eq(other, 1)), assumed=True)
    assert judge(claimed(eq(other - other, 0), premised)).verdict is not Verdict.DECIDED


def test_a_limit_of_sums_is_decided_by_their_closed_form() -> None:
    errors = sum_of(1 / ((k + 1) * (k + 2)), k, 0, n)
    made = claim("a.sums", "Sums", by_induction(eq(errors, 1 - 1 / (n + 2)), n))
    limit = tends_to(errors, 1, n, to=None, side="oo", constant=1)
    assert judge(claimed(limit, made)).verdict is Verdict.DECIDED
    slower = tends_to(errors, 1, n, to=None, side="oo", constant=rational(1, 100))
    assert judge(claimed(slower, made)).verdict is not Verdict.DECIDED


def test_a_derivation_goes_on_from_a_sum() -> None:
    line = derive(geometric, "a sum").eq(closed, "in closed form", using=[known]).lt(1 / (1 - p), "a power is positive")
    assert judge(claim("a.line", "Line", derivation=line)).verdict is Verdict.DECIDED


# What is no sum for an induction.

WRONG = {
    "terms-that-change": (sum_of(n * k, k, 0, n), "depend on n: say how they change from one to the next"),
    "an-end-twice-as-far": (sum_of(k, k, 0, 2 * n), "needs sums from a whole number to it"),
    "a-start-that-moves": (sum_of(k, k, n, n + 2), "needs sums from a whole number to it"),
    "a-start-between": (Binder("sum", k, k, rational(1, 2), n), "needs sums from a whole number to it"),
    "not-begun": (sum_of(k, k, 5, n), "has not begun where n is 0"),
    "begun-long-ago": (sum_of(k, k, 0, n + 100), "too many terms there"),
}


@pytest.mark.parametrize(("total", "message"), WRONG.values(), ids=WRONG)
def test_other_sums_are_bad_input(total, message) -> None:
    with pytest.raises(CheckError, match=message):
        judge(by_induction(ge(total, 0), n))


def test_a_sum_runs_over_whole_numbers_from_a_first_one_on() -> None:
    with pytest.raises(DeclarationError, match="x is none; declare it with whole"):
        sum_of(x, x, 0, n)
    with pytest.raises(DeclarationError, match="a sum from 0 on: m begins at 1"):
        sum_of(m, m, 0, n)


def test_sums_inside_of_other_sums_are_not_taken_for_numbers() -> None:
    inside = sum_of(x**k, k, 0, n)
    integral = Binder("integral", inside, x, rational(0), rational(1, 2))
    for kept in (eq(integral - integral, 0), eq(Total(w) * n, Total(w) * n + 0 * Total(sum_of(w**k, k, 0, n)))):
        assert judge(by_induction(kept, n)).verdict is not Verdict.DECIDED


@pytest.mark.parametrize(
    "kept",
    [
        lambda total: implies(ge(n, 3), ge(total**2, 0)),
        lambda total: implies(ge(n, 10), eq(total - total, 0)),
        lambda total: both(ge(n, 0), implies(ge(n, 3), ge(total**2, 0))),
    ],
)
def test_a_term_without_a_value_is_seen_where_the_premise_fails_as_well(kept) -> None:
    # The sum of 1/(k - 2) has no value from n = 2 on, and only the term for k = 2 tells.
    assert judge(by_induction(kept(sum_of(1 / (k - 2), k, 0, n)), n)).verdict is not Verdict.DECIDED
    assert judge(by_induction(kept(sum_of(1 / (k + 2), k, 0, n)), n)).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("pole", "premise", "expected"),
    [
        # What is supposed up to some number is supposed of all before: terms beyond need no value.
        (7, le(n, 5), True),
        (6, le(n, 5), True),
        (5, le(n, 5), False),
        (0, le(n, 5), False),
        # What is supposed from some number on, or with a gap, is not.
        (2, ge(n, 3), False),
        (4, either(le(n, 2), ge(n, 6)), False),
    ],
)
def test_terms_need_values_only_up_to_where_a_premise_holds(pole, premise, expected) -> None:
    total = sum_of(1 / (k - pole), k, 0, n)
    found = judge(by_induction(implies(premise, eq(2 * total, total + total)), n)).verdict
    assert (found is Verdict.DECIDED) is expected


def test_a_premise_with_a_sum_is_one_about_the_next_sum_after_a_step() -> None:
    # The sum of k - 3 is negative up to 4, and was not negative before its first term.
    total, other = sum_of(k - 3, k, 1, n), sum_of(1 / (k - 20), k, 1, n)
    plans = expand(by_induction(implies(lt(total, 0), eq(2 * other, other + other)), n))
    (inherited,) = {one for plan in plans for one in plan if one.label == "what is supposed was supposed before"}
    assert judge(inherited.conclusion, given=inherited.hypotheses).verdict is Verdict.REFUTED


def test_a_number_that_is_called_as_a_sum_so_far_is_not_taken_for_it() -> None:
    named = real("sum_1", "(-oo, oo)", "a sum", latex="S")
    assert judge(by_induction(le(sum_of(k - k + 1, k, 0, n), 100), n), given=[eq(named, 0)]).verdict not in STANDING


@pytest.mark.slow
def test_binomial_sums_are_compared_term_by_term_up_to_the_last_one() -> None:
    top = whole("M", "[1, oo)", "how many there are")
    left, right = sum_of((k + 1) * binomial(top, k + 1), k, 0, n), sum_of(top * binomial(top - 1, k), k, 0, n)
    same = claim("t.same", "Terms", by_induction(implies(le(n, top - 1), eq(left, right)), n))
    assert judge(same).verdict is Verdict.DECIDED
    at_end = {n: top - 1}
    whole_sums = [substitute(one, at_end) for one in (left, right)]
    assert judge(claim("t.all", "Sums", eq(*whole_sums), using=[same.at(at_end)])).verdict is Verdict.DECIDED
    wrong = judge(claim("t.wrong", "Sums", eq(whole_sums[0], 2 * whole_sums[1]), using=[same.at(at_end)])).verdict
    assert wrong is Verdict.REFUTED
    # Beyond the last one the terms have no value, and the lemma says nothing.
    beyond = [substitute(one, {n: top}) for one in (left, right)]
    assert judge(claim("t.beyond", "Sums", eq(*beyond), using=[same.at({n: top})])).verdict is not Verdict.DECIDED


def test_steps_that_do_not_count_leave_sums_alone() -> None:
    kept = every_iterate(eq(sum_of(k, k, 0, n), n * (n + 1) / 2), {n: n + 2}, {n: 0})
    assert judge(kept).verdict is not Verdict.DECIDED


def test_obligations_say_that_one_term_is_added() -> None:
    (plan, more) = expand(by_induction(eq(geometric, closed), n))
    said = {item.label: item for item in plan}
    step = said["a step keeps it"].conclusion
    assert isinstance(step, Relation)
    assert str(step.left) == f"(sum_1 + {unfold(p ** (n + 1))})"
    assert not said["a step keeps it"].necessary
    start = said["it holds at the start"]
    assert start.necessary
    assert isinstance(start.conclusion, Relation)
    assert start.conclusion.left == substitute(unfold(p**k), {k: Number(Fraction(0))})
    assert [item.label for item in more if item not in plan] == [f"it holds at {number}" for number in range(1, 9)]


def test_sums_are_written_in_every_language() -> None:
    made = by_induction(eq(geometric, closed), n)
    assert statement_text(made).startswith(
        "Σ[p^k for k from 0 to n] = (1 - p^(n + 1))/(1 - p) for every n in {0, 1, ...}"
    )
    assert statement_latex(made).startswith(r"$\sum_{k=0}^{n} p^{k} = \frac{1 - p^{n + 1}}{1 - p}$ for every")
    assert statement_tree(made)[1][1] == ["sum", ["power", "p", "k"], "k", 0, "n"]  # type: ignore[index]


def verdict_of(statement: Statement | None) -> Verdict | None:
    """None where nothing can be judged."""
    try:
        return None if statement is None else judge(statement).verdict
    except CheckError:
        return None


@pytest.mark.slow
def test_slips_in_a_sum_are_caught() -> None:
    slips = list(mutants(by_induction(eq(geometric, closed), n)))
    assert len(slips) > 8
    found = [verdict_of(slip.statement) for slip in slips if "= becomes" not in slip.change]
    assert not set(STANDING) & set(found)
    assert found.count(Verdict.REFUTED) > 6


# Terms that change with the number up to which a sum runs, as binomial ones do.


def chance(members: Expression, successes: Expression) -> Expression:
    """The probability of so many successes among some members."""
    return binomial(members, successes) * p**successes * (1 - p) ** (members - successes)


def power(first: Fraction, second: Fraction, members: int) -> Fraction:
    return sum((comb(members, i) * first**i * second ** (members - i) for i in range(members + 1)), Fraction(0))


shifted = -p * chance(n, k - 1)
mean_changes = [((m + 1) / m, -p * (m + 1) / m * (k - 1) * chance(m, k - 1))]
powers = sum_of(r**k * x ** (n - k) * binomial(n, k), k, 0, n)
BINOMIAL: dict[str, tuple[Statement, Callable[[int, Fraction, Fraction], bool]]] = {
    "chances-sum-to-1": (
        by_induction(eq(sum_of(chance(n, k), k, 0, n), 1), n, changes=[(1, shifted)]),
        lambda n, p, r: power(p, 1 - p, n) == 1,
    ),
    "mean-number": (
        by_induction(eq(sum_of(k * chance(m, k), k, 0, m), m * p), m, changes=mean_changes),
        lambda n, p, r: sum(i * comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)) == n * p,
    ),
    "subsets": (
        by_induction(eq(sum_of(binomial(n, k), k, 0, n), 2**n), n, changes=[(2, -binomial(n, k - 1))]),
        lambda n, p, r: sum(comb(n, i) for i in range(n + 1)) == 2**n,
    ),
    "binomial-theorem": (
        by_induction(
            eq(powers, (r + x) ** n),
            n,
            changes=[(r + x, -(r**k) * x ** (n - k + 1) * binomial(n, k - 1))],
        ),
        lambda n, p, r: power(r, p, n) == (r + p) ** n,
    ),
    "multiples": (
        by_induction(eq(sum_of(n * k, k, 0, n), n**2 * (n + 1) / 2), n, changes=[(1, k * (k - 1) / 2)]),
        lambda n, p, r: 2 * sum(n * i for i in range(n + 1)) == n**2 * (n + 1),
    ),
}


@pytest.mark.parametrize("name", BINOMIAL)
def test_sums_of_terms_that_change_are_decided(name) -> None:
    statement, said = BINOMIAL[name]
    assert all(said(members, one, 3 * one) for members in range(9) for one in (Fraction(1, 7), Fraction(4, 5)))
    assert judge(statement).verdict is Verdict.DECIDED


NOT_BINOMIAL = {
    "chances-and-more": by_induction(eq(sum_of(chance(n, k), k, 0, n), 1 + n * p), n, changes=[(1, shifted)]),
    "another-mean": by_induction(eq(sum_of(k * chance(m, k), k, 0, m), m * p**2), m, changes=mean_changes),
    "one-term-too-many": by_induction(eq(sum_of(chance(n, k), k, 0, n + 1), 1), n, changes=[(1, shifted)]),
    "powers-of-three": by_induction(eq(sum_of(binomial(n, k), k, 0, n), 3**n), n, changes=[(3, -binomial(n, k - 1))]),
    "few-subsets": by_induction(lt(sum_of(binomial(n, k), k, 0, n), 100), n, changes=[(2, -binomial(n, k - 1))]),
    "other-multiples": by_induction(eq(sum_of(n * k, k, 0, n), n**2), n, changes=[(1, k * (k - 1) / 2)]),
}
LONG = ("chances-and-more", "another-mean", "one-term-too-many")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in NOT_BINOMIAL]
)
def test_wrong_sums_of_terms_that_change_are_refuted(name) -> None:
    assert judge(NOT_BINOMIAL[name]).verdict is Verdict.REFUTED


WRONG_CHANGES = {
    "another-sign": (1, -shifted),
    "a-constant": (1, k),
    "another-factor": (2, shifted),
    "a-factor-below-one": (p, shifted),
    "the-chance-itself": (1, chance(n, k)),
    "not-shifted": (1, -p * chance(n, k)),
    "without-a-value": (1, 1 / (k - 3)),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if number > 1 else []) for number, name in enumerate(WRONG_CHANGES)],
)
def test_a_wrong_change_of_terms_shows_nothing(name) -> None:
    # It is right that the chances sum to 1, and not shown so.
    right = by_induction(eq(sum_of(chance(n, k), k, 0, n), 1), n, changes=[WRONG_CHANGES[name]])
    assert judge(right).verdict in (Verdict.SUPPORTED, Verdict.UNDECIDED)


def test_changes_that_belong_to_no_sum_are_bad_input() -> None:
    few, total = whole("f", "[0, 5]", "an index up to five"), sum_of(chance(n, k), k, 0, n)
    bounded = sum_of(chance(n, few), few, 0, n)
    cases = {
        "more changes of terms than sums": by_induction(eq(geometric, closed), n, changes=[(1, shifted)]),
        "say how they change": by_induction(eq(total + sum_of(n * k, k, 0, n), 1), n, changes=[(1, shifted)]),
        "does not run through all terms": by_induction(eq(bounded, 1), n, changes=[(1, -p * chance(n, few - 1))]),
        "has not begun where n is 0": by_induction(ge(sum_of(n * k, k, 1, n), 0), n, changes=[(1, k)]),
        "use another letter": by_induction(eq(sum_of(n, n, 0, n), n**2 + 2 * n), n, changes=[(1, n)]),
    }
    for message, statement in cases.items():
        with pytest.raises(CheckError, match=message):
            judge(statement)
    with pytest.raises(CheckError, match="hypotheses restrict k, which runs through the terms of a sum"):
        judge(by_induction(eq(total, 1), n, changes=[(1, shifted)]), given=[lt(k, 1)])
    with pytest.raises(DeclarationError, match="only where whole numbers are counted one by one"):
        replace(every_iterate(ge(n, 0), {n: n + 2}, {n: 0}), changes=((rational(1), rational(1)),))


def test_what_is_no_change_and_no_symbol_is_told() -> None:
    for changes in ((1, k), [1], [(1, k, 2)]):
        with pytest.raises(DeclarationError, match="changes of terms are a list of pairs"):
            by_induction(ge(sum_of(n * k, k, 0, n), 0), n, changes=changes)
    for along in (n + 1, 3):
        with pytest.raises(DeclarationError, match="an induction is along a symbol"):
            by_induction(ge(n, 0), along)
    with pytest.raises(DeclarationError, match="a sum runs over whole numbers, and 3 is none"):
        sum_of(k, 3, 0, n)


def test_the_factor_of_a_change_is_the_same_for_all_terms() -> None:
    # The first term that is not 0 is negative and falls most slowly, so that the sum is negative from 14 on.
    members = whole("M", "[2, oo)", "a number of members")

    def total(last: int) -> Fraction:
        return sum((i * (i - Fraction(101, 100)) / (i + 1) ** last for i in range(last + 1)), Fraction(0))

    assert total(15) < 0 < total(12)
    body = k * (k - rational(101, 100)) * (k + 1) ** (-members)
    false = by_induction(ge(sum_of(body, k, 0, members), 0), members, changes=[(1 / (k + 1), k * 0)])
    with pytest.raises(CheckError, match="that differs from term to term"):
        judge(false)


def test_how_terms_change_is_said() -> None:
    made = by_induction(eq(sum_of(n * k, k, 0, n), n**2 * (n + 1) / 2), n, changes=[(1, k * (k - 1) / 2)])
    assert "terms become 1 times what they were, and more by how k·(k - 1)/2 grows to the next term" in statement_text(
        made
    )
    assert r"at the next number a term is $1$ times what it was, and more by how" in statement_latex(made)


def test_binomial_coefficients_are_written_as_such() -> None:
    said = eq(binomial(n + 1, k), rational(1))
    assert statement_latex(said) == r"\binom{n + 1}{k} = 1"
    assert statement_text(said) == "binomial(n + 1, k) = 1"
    other = factorial(n) / (factorial(k) * factorial(n - k + 1))
    assert as_binomial(other) is None
    assert as_binomial(binomial(n, k - 1)) == (n, k - 1)
    assert "binom" not in statement_latex(eq(other, 1))


# Factorials.


FACTORIALS = {
    "recursion": (eq(factorial(n + 1), (n + 1) * factorial(n)), Verdict.DECIDED),
    "another-recursion": (eq(factorial(n + 1), n * factorial(n)), Verdict.REFUTED),
    "three-steps": (eq(factorial(n + 3) / factorial(n), (n + 1) * (n + 2) * (n + 3)), Verdict.DECIDED),
    "at-four": (eq(factorial(4), 24), Verdict.DECIDED),
    "positive": (gt(factorial(n), 0), Verdict.DECIDED),
    "none": (eq(binomial(n, 0), 1), Verdict.DECIDED),
    "one": (eq(binomial(m, 1), m), Verdict.DECIDED),
    "two-of-one": (eq(binomial(m, 2), m * (m - 1) / 2), Verdict.REFUTED),
    "more-than-powers": (by_induction(ge(factorial(m), 2 ** (m - 1)), m), Verdict.DECIDED),
    "not-more-than-those": (by_induction(ge(factorial(m), 3 ** (m - 1)), m), Verdict.REFUTED),
    "weighted": (by_induction(eq(sum_of(k * factorial(k), k, 0, n), factorial(n + 1) - 1), n), Verdict.DECIDED),
    "weighted-wrongly": (by_induction(eq(sum_of(k * factorial(k), k, 0, n), factorial(n + 1)), n), Verdict.REFUTED),
    "near-e": (by_induction(le(sum_of(1 / factorial(k), k, 0, m), 3 - 1 / factorial(m)), m), Verdict.DECIDED),
}


@pytest.mark.parametrize(("statement", "verdict"), FACTORIALS.values(), ids=FACTORIALS)
def test_factorials_are_known_by_their_recursion(statement, verdict) -> None:
    assert judge(statement).verdict is verdict


CHOSEN = {
    "Pascal": (eq(binomial(n + 1, k + 1), binomial(n, k) + binomial(n, k + 1)), le(k + 1, n), Verdict.DECIDED),
    "not-Pascal": (eq(binomial(n + 1, k + 1), binomial(n, k) * 2), le(k + 1, n), Verdict.REFUTED),
    "Pascal-too-far": (eq(binomial(n + 1, k + 1), binomial(n, k) + binomial(n, k + 1)), le(k, n), Verdict.REFUTED),
    "symmetry": (eq(binomial(n, k), binomial(n, n - k)), le(k, n), Verdict.DECIDED),
    "absorption": (eq((k + 1) * binomial(n, k + 1), n * binomial(n - 1, k)), lt(k, n), Verdict.DECIDED),
    "positive": (gt(binomial(n, k), 0), le(k, n), Verdict.DECIDED),
    "one-at-least": (ge(binomial(n, k), 2), le(k, n), Verdict.REFUTED),
}


@pytest.mark.parametrize(("statement", "condition", "verdict"), CHOSEN.values(), ids=CHOSEN)
def test_binomials_are_known_by_their_recursions(statement, condition, verdict) -> None:
    assert judge(statement, given=[condition]).verdict is verdict


def test_what_is_given_of_a_factorial_does_not_show_that_another_one_has_a_value() -> None:
    # It holds at k = n + 1 as well, where (n - k)! has no value.
    given = [gt(binomial(n + 1, k), 0)]
    for statement in (
        eq(binomial(n, k), binomial(n, k)),
        eq((n + 1) * binomial(n, k), (n + 1 - k) * binomial(n + 1, k)),
    ):
        assert judge(statement, given=given).verdict is Verdict.REFUTED
        assert judge(statement, given=[*given, le(k, n)]).verdict is Verdict.DECIDED


def test_an_implication_does_not_show_that_what_stands_in_it_has_a_value() -> None:
    number = real("z", "(-oo, oo)", "any number")
    inverse = eq(1 / gamma(number), 1 / gamma(number))
    premised = implies(gt(gamma(number), 0), gt(number, 0))  # also where gamma(z) has no value, for z < 0
    assert judge(inverse, given=[premised]).verdict is not Verdict.DECIDED


def test_a_sum_to_the_smaller_of_two_numbers_may_be_asked_for() -> None:
    few = whole("f", "[0, 3]", "a number up to three")
    smaller = minimum(n, few)
    known = claim("a.numbers", "Numbers", by_induction(eq(sum_of(k, k, 0, n), n * (n + 1) / 2), n))
    said = eq(sum_of(k, k, 0, smaller), smaller * (smaller + 1) / 2)
    assert judge(claimed(said, known.at({n: smaller}))).verdict is Verdict.DECIDED


def test_gamma_functions_of_which_little_is_known_are_left_alone() -> None:
    number = real("z", "(-oo, oo)", "any number")
    below = gt(gamma(number), 0)
    for hypothesis, conclusion in (
        (implies(below, lt(number, 0)), lt(number, 0)),  # true only where gamma(z) has a value
        (gt(number, -1), eq(gamma(number + 1), number * gamma(number))),  # has none for z < 0
        (gt(number, -1), eq(gamma(number + 1), number * exp(log(gamma(number))))),
    ):
        assert judge(conclusion, given=[hypothesis]).verdict not in STANDING
    assert judge(eq(gamma(number + 1), number * gamma(number)), given=[gt(number, 0)]).verdict is Verdict.DECIDED


# Terms that have no value.

WITHOUT_VALUE = {
    "a-pole-times-zero": eq(sum_of(1 / (k - 2), k, 0, 3) * 0, 0),
    "a-pole-that-cancels": eq(sum_of(1 / (k - 2), k, 0, 3) - sum_of(1 / (k - 2), k, 0, 3), 0),
    "a-logarithm-of-zero": eq(0 * sum_of(log(k), k, 0, 3), 0),
    "a-root-of-a-negative": ge(exp(sum_of(sqrt(k - 1), k, 0, 3)), 0),
    "a-zeroth-power-of-zero": eq(sum_of(rational(0) ** k, k, 0, 3), 1),
    "a-pole-at-a-symbol": eq(0 * sum_of(1 / (k - n), k, 0, 3), 0),
    "a-factorial-of-a-negative": eq(0 * sum_of(factorial(k - 3), k, 0, 3), 0),
}


@pytest.mark.parametrize("statement", WITHOUT_VALUE.values(), ids=WITHOUT_VALUE)
def test_every_term_of_a_sum_between_two_numbers_has_a_value(statement) -> None:
    judged = judge(statement)
    assert judged.verdict is Verdict.REFUTED
    assert "it has no value" in repr(judged)


@pytest.mark.parametrize(
    ("total", "value"),
    [
        (sum_of(1 / (k - 2), k, 3, 4), rational(3, 2)),
        (sum_of(k**2, k, 0, 39), rational(39 * 40 * 79, 6)),
        (sum_of(1 / (k - 2), k, 3, 2), 0),
        (sum_of(n * k, k, 0, 3), 6 * n),
        (sum_of(sum_of(k, k, 0, 2) * k, k, 1, 3), 18),
    ],
)
def test_a_sum_between_two_numbers_is_that_of_its_terms(total, value) -> None:
    assert judge(eq(total, value)).verdict is Verdict.DECIDED
    assert judge(eq(total, value + 1)).verdict is Verdict.REFUTED


def test_a_sum_between_other_ends_is_not_written_out() -> None:
    index = whole("k", "[0, 5]", "an index up to five")
    for total in (sum_of(k, k, 0, 40), sum_of(k, k, 2, 0), sum_of(index, index, 0, 6), sum_of(k, k, 0, n)):
        assert total.terms is None


@pytest.mark.parametrize(
    ("total", "verdict", "said"),
    [
        (sum_of(1 / (k - 2), k, 0, n), Verdict.UNDECIDED, "has no value at n = "),
        # These have none for the first numbers, at which all terms are looked at.
        (sum_of(1 / (k - n), k, 0, n), Verdict.REFUTED, "it has no value"),
        (sum_of(log(k), k, 0, n), Verdict.REFUTED, "it has no value"),
    ],
)
def test_a_sum_without_a_value_is_not_supported_whatever_stands_beside_it(total, verdict, said) -> None:
    for statement in (eq(0 * total, 0), eq(total - total, 0), gt(exp(total), 0)):
        judged = judge(statement)
        assert judged.verdict is verdict
        assert said in repr(judged)


def test_the_first_point_without_a_value_is_told_whichever_sum_comes_first() -> None:
    early, late = (sum_of(1 / (k - pole), k, 0, n) for pole in (2, 3))
    for first, second in ((early, late), (late, early)):
        said = repr(judge(eq(0 * first + 0 * second, 0)))
        assert f"{early} has no value at n = 2" in said
        assert f"{late} has no value" not in said


def test_an_end_of_a_domain_is_looked_at_as_well() -> None:
    share = real("s", "[0, 1]", "a share")
    assert judge(ge(sum_of(share**k, k, 0, n), 1)).verdict is Verdict.REFUTED
    assert judge(ge(sum_of(p**k, k, 0, n), 1)).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("base", [rational(0), rational(-1), x - x])
def test_no_power_of_what_is_not_positive_has_a_whole_number_for_its_exponent(base) -> None:
    for statement in (eq(base**n, base**n), by_induction(le(base ** (2 * m), 1), m), ge(0 * base**m, 0)):
        judged = judge(statement)
        assert judged.verdict is not Verdict.DECIDED
        assert judged.verdict is not Verdict.SUPPORTED


def test_a_strict_inequality_with_equal_sides_at_a_sample_is_not_supported() -> None:
    total = sum_of(k, k, 0, n)
    for statement in (gt(total, n), ne(total, n), lt(n, total), gt(total, 0)):
        assert judge(statement).verdict is Verdict.REFUTED
    assert judge(ge(total, n)).verdict is Verdict.SUPPORTED
    assert judge(gt(total + 1, n)).verdict is Verdict.SUPPORTED
