"""Whole numbers: what is decided of them holds when small ones are tried out, and what fails does so at whole ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Derivative,
    Extremum,
    UniqueRoot,
    UniqueZero,
    Zeros,
    attracts,
    both,
    by_induction,
    claim,
    converges,
    decreasing,
    define,
    either,
    eq,
    every_iterate,
    exp,
    ge,
    gt,
    implies,
    increasing,
    instance,
    judge,
    le,
    local_maximum,
    log,
    lt,
    ne,
    never,
    rational,
    real,
    some_zero,
    sqrt,
    tends_to,
    whole,
)
from grpo_symbolic.checks.recheck import holds, refutes
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import STANDING, Verdict, Witness
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Monotone
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, is_whole, substitute
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import All, Any, Implies, Relation, Statement, symbols_of
from grpo_symbolic.points.intervals import point_at
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.translate.latex import domain_latex, statement_latex
from grpo_symbolic.translate.mathml import mathml
from grpo_symbolic.translate.python import Python
from grpo_symbolic.translate.text import expression_text, statement_text
from grpo_symbolic.translate.tree import expression_tree

k = whole("k", "[1, 4]", "one of four")
m = whole("m", "[1, oo)", "a number of trials")
n = whole("n", "[0, oo)", "a number of steps")
G = whole("G", "(1, oo)", "a group size")
late = whole("N", "[5, oo)", "a number from five on")
a = real("a", "(-1, oo)", "what is earned in a step")
r = real("r", "(0, oo)", "a rate")
p, q = (real(name, "(0, 1)", "a probability") for name in "pq")
x = real("x", "(-oo, oo)", "a number")


def mixed(size: Expression) -> Expression:
    """The chance that not all of so many binary rewards are equal."""
    return 1 - p**size - (1 - p) ** size


def geometric(steps: Expression) -> Expression:
    return (1 - p ** (steps + 1)) / (1 - p)


HOLD: dict[str, Statement] = {
    "one-more-factor": eq(p ** (n + 1), p * p**n),
    "one-factor-less": eq(p ** (n - 1), p**n / p),
    "a-power-of-a-product": eq((p * q) ** n, p**n * q**n),
    "a-power-of-a-quotient": eq((p / q) ** n, p**n / q**n),
    "a-power-of-a-power": eq((p**n) ** m, p ** (n * m)),
    "a-square": eq((p**2) ** n, p ** (2 * n)),
    "a-root": eq(sqrt(p) ** (2 * n), p**n),
    "twice-as-much": eq(rational(2) ** (n + 1), 2**n + 2**n),
    "a-sum-of-exponents": eq(p ** (n + m), p**n * p**m),
    "positive": gt(r**n, 0),
    "at-most-one": le(p**n, 1),
    "less-than-one": lt(p**m, 1),
    "a-power-falls": decreasing(p**n, n),
    "a-power-rises": increasing((1 + r) ** n, n),
    "rises-with-its-base": increasing(r**m, r),
    "not-above-its-base": le(p**m, p),
    "a-mixed-group-may-be": gt(mixed(G), 0),
    "a-mixed-group-need-not-be": lt(mixed(G), 1),
    "larger-groups-are-mixed-more-often": increasing(mixed(G), G),
    "all-right-is-rarer": lt(p ** (G + 1), p**G),
    "a-part-of-a-geometric-sum": lt(geometric(n), 1 / (1 - p)),
    "a-geometric-sum-rises": increasing(geometric(n), n),
    "bernoulli": by_induction(ge((1 + a) ** n, 1 + n * a), n),
    "bernoulli-strictly": by_induction(gt((1 + r) ** G, 1 + G * r), G),
    "bernoulli-of-a-complement": by_induction(ge((1 - p) ** n, 1 - n * p), n),
    "two-to-the-n": by_induction(gt(2**n, n), n),
    "two-to-the-n-and-squares": by_induction(gt(2**late, late**2), late),
    "a-product-of-neighbours": by_induction(ge(n * (n - 1), 0), n),
    "an-odd-number-squared": by_induction(ge((2 * n - 1) ** 2, 1), n),
    "a-union-bound": by_induction(le(1 - (1 - p) ** m, m * p), m),
    "a-step-of-a-square": increasing((n - rational(1, 4)) ** 2, n),
    "one-of-two": either(le(n, 3), ge(n, 2)),
    "between-the-ends": le(k * (k - 5), 0),
    "two-things": both(le(p**n, 1), gt(p**n, 0)),
    "under-a-premise": by_induction(implies(gt(p, rational(1, 2)), gt(p**n, rational(1, 2) ** (n + 1))), n),
    "the-first-is-the-least": Extremum(n**2 + n, n, rational(0)),
    "nothing-else": UniqueRoot(n, eq(n**2 + 3 * n, 10), rational(2)),
    "impossible": never(both(gt(p**n, 1), ge(n, 0))),
    "there-is-one": instance(gt(2**n, 1000), {n: 10}),
}
FAIL: dict[str, Statement] = {
    "two-more-factors": eq(p ** (n + 2), p * p**n),
    "no-factor": eq(p ** (n + 1), p**n),
    "a-power-of-a-sum": eq((p + q) ** m, p**m + q**m),
    "a-sum-of-powers": eq(p ** (n + m), p**n + p**m),
    "another-power-of-a-power": eq((p**n) ** m, p ** (n + m)),
    "three-times-as-much": eq(rational(2) ** (n + 1), 3 * 2**n),
    "above-one": ge(p**n, 1),
    "less-than-one-at-zero": lt(p**n, 1),
    "all-below-a-bound": lt((1 + r) ** n, 1000),
    "a-power-of-any-base-falls": decreasing(r**n, n),
    "a-power-rises-below-one": increasing(p**n, n),
    "half-a-step-more": eq(p**n, p ** (n + rational(1, 2))),
    "above-its-base": gt(p**m, p),
    "a-mixed-group-from-one-on": gt(mixed(m), 0),
    "always-half": ge(mixed(G), rational(1, 2)),
    "never-more-than-half": le(mixed(G), rational(1, 2)),
    "more-than-one": gt(mixed(G), 1),
    "larger-groups-are-mixed-less-often": decreasing(mixed(G), G),
    "mixed-by-a-margin": gt(mixed(G + 1), mixed(G) + rational(1, 1000)),
    "all-of-a-geometric-sum": ge(geometric(n), 1 / (1 - p)),
    "one-term-too-few": eq(geometric(n), (1 - p**n) / (1 - p)),
    "bernoulli-reversed": by_induction(le((1 + a) ** n, 1 + n * a), n),
    "bernoulli-strict": by_induction(gt((1 + a) ** n, 1 + n * a), n),
    "bernoulli-strict-from-one-on": by_induction(gt((1 + r) ** m, 1 + m * r), m),
    "bernoulli-with-more": by_induction(ge((1 + r) ** n, 1 + 2 * n * r), n),
    "bernoulli-of-another-base": by_induction(ge((1 + a) ** n, 2 + n * a), n),
    "two-to-the-n-is-more": by_induction(gt(2**n, n + 1), n),
    "squares-too-early": by_induction(gt(2**n, n**2), n),
    "cubes": by_induction(gt(2**late, late**3), late),
    "a-step-fails": by_induction(le(n * (n - 1), 0), n),
    "late-failure": by_induction(lt(n, 20), n),
    "a-union-bound-reversed": by_induction(ge(1 - (1 - p) ** m, m * p), m),
    "a-step-of-a-square-back": increasing((n - rational(3, 4)) ** 2, n),
    "one-of-three": le(k, 3),
    "none-of-them": ne(k, 3),
    "another-is-the-least": Extremum((n - 3) ** 2, n, rational(0)),
    "something-else": UniqueRoot(n, eq(n**2 + n, 2 * n), rational(0)),
    "possible": never(eq(n, 3)),
    "there-is-none": instance(gt(2**n, 1000), {n: 9}),
    "of-a-base-that-may-vanish": ge((1 + a - a) ** n * x**n, 0),
}


# An oracle that shares nothing with the checks: numbers are put in and powers multiplied out.

GRID = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)]
REALS = {p: GRID, q: GRID[1:3], r: [*GRID, Fraction(2)], a: [Fraction(-9, 10), Fraction(0), *GRID], x: [Fraction(1)]}
MOST = 30


def calculated(expression: Expression, at: dict[Symbol, Fraction]) -> Fraction:
    """The value, powers as repeated products; an exponent of p**(1/2) does not occur."""
    match expression:
        case Number(value):
            return value
        case Symbol():
            return at[expression]
        case Apply("power", (base, exponent)):
            times = calculated(exponent, at)
            if times.denominator == 2:
                root = calculated(base, at) ** times  # a float, which the comparisons below take
                return Fraction(root)
            product_of_all = prod([calculated(base, at)] * abs(int(times)), start=Fraction(1))
            return product_of_all if times >= 0 else 1 / product_of_all
        case Apply("sqrt", (inner,)):
            return Fraction(float(calculated(inner, at)) ** 0.5)
        case Apply("negate", (inner,)):
            return -calculated(inner, at)
        case Apply(operator, (left, right)):
            first, second = calculated(left, at), calculated(right, at)
            if operator == "divide":
                return first / second
            return {"add": first + second, "subtract": first - second, "multiply": first * second}[operator]
    raise TypeError(f"no value for {expression}")


def true_at(statement: Statement, at: dict[Symbol, Fraction]) -> bool:
    match statement:
        case Relation(left, operator, right):
            gap = calculated(left, at) - calculated(right, at)
            if abs(gap) < Fraction(1, 10**12) and "sqrt" in str(statement):
                gap = Fraction(0)
            signs = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
            return ((gap > 0) - (gap < 0)) in signs[operator]
        case All(parts):
            return all(true_at(part, at) for part in parts)
        case Any(parts):
            return any(true_at(part, at) for part in parts)
        case Implies(premise, conclusion):
            return not true_at(premise, at) or true_at(conclusion, at)
    raise TypeError(f"no truth of {statement}")


def tried(statement: Statement) -> Iterator[dict[Symbol, Fraction]]:
    symbols = symbols_of(statement)
    choices = [REALS[one] if one in REALS else whole_values(one) for one in symbols]
    for values in product(*choices):
        yield dict(zip(symbols, values, strict=True))


def whole_values(symbol: Symbol) -> list[Fraction]:
    first, last = symbol.domain.lower, symbol.domain.upper
    return [Fraction(value) for value in range(int(first), int(last if last is not None else first + MOST) + 1)]


def enumerated(statement: Statement) -> bool:
    """Whether a statement about whole numbers is true as far as small ones tell."""
    match statement:
        case EveryIterate(kept):
            return enumerated(kept)
        case Monotone(expression, symbol, rising):
            later = substitute(expression, {symbol: symbol + (1 if symbol.domain.whole else rational(1, 10))})
            return enumerated(lt(expression, later) if rising else gt(expression, later))
        case Extremum(expression, symbol, at):
            other = [at_point for at_point in tried(eq(symbol, 0)) if at_point[symbol] != at.value]
            return all(calculated(expression, point) > calculated(expression, {symbol: at.value}) for point in other)
        case UniqueRoot(symbol, condition, root):
            found = [point[symbol] for point in tried(eq(symbol, 0)) if true_at(condition, point)]
            return found == [root.value]
        case _:
            return all(true_at(statement, at) for at in tried(statement))


def asked(statement: Statement) -> Statement:
    """What the oracle is asked in the place of existence and impossibility."""
    match statement:
        case _ if hasattr(statement, "condition") and not isinstance(statement, UniqueRoot):
            return implies(statement.condition, lt(rational(1), 0))
        case _ if hasattr(statement, "at") and hasattr(statement, "statement"):
            values = dict(statement.at)
            inner = statement.statement
            return replace(inner, left=substitute(inner.left, values))
    return statement


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_of_whole_numbers_is_decided(name) -> None:
    assert enumerated(asked(HOLD[name]))
    assert judge(HOLD[name]).verdict is Verdict.DECIDED


@pytest.mark.parametrize("name", FAIL)
def test_what_fails_of_whole_numbers_is_refuted_at_whole_ones(name) -> None:
    judgement = judge(FAIL[name])
    assert judgement.verdict is Verdict.REFUTED
    wholes = {symbol.name for symbol in (k, m, n, G, late)}
    witnesses = [item.witness for item in judgement.evidence if item.witness is not None]
    assert witnesses
    for witness in witnesses:
        for name_of, value in witness.at:
            assert name_of.removesuffix("_2") not in wholes or Fraction(value).denominator == 1


@pytest.mark.parametrize("name", sorted(set(FAIL) - {"of-a-base-that-may-vanish"}))
def test_what_is_refuted_fails_when_it_is_tried_out(name) -> None:
    assert not enumerated(asked(FAIL[name]))


#: True of whole numbers and false of reals, which is what most deciding methods speak of.
TRUE_OF_WHOLE_NUMBERS_ONLY = {
    "two-neighbours": ge(n * (n - 1), 0),
    "no-half": ne(2 * n, 1),
    "one-of-four": eq((k - 1) * (k - 2) * (k - 3) * (k - 4), 0),
    "an-odd-square": ge((2 * n - 1) ** 2, 1),
    "a-square-rises": increasing((2 * n - 1) ** 2 + n, n),
}


@pytest.mark.parametrize("name", TRUE_OF_WHOLE_NUMBERS_ONLY)
def test_what_fails_between_whole_numbers_only_is_not_refuted(name) -> None:
    assert enumerated(TRUE_OF_WHOLE_NUMBERS_ONLY[name])
    assert judge(TRUE_OF_WHOLE_NUMBERS_ONLY[name]).verdict is not Verdict.REFUTED


def expressions() -> st.SearchStrategy[Expression]:
    shift, factor = st.integers(-1, 2), st.integers(-3, 3).map(rational)
    power = st.builds(lambda base, by: base ** (n + by), st.sampled_from([p, 1 - p, rational(1, 2)]), shift)
    term = st.builds(lambda c, part: c * part, factor, st.one_of(power, st.sampled_from([n, n * p, p, n**2])))
    return st.builds(lambda one, two, c: one + two + c, term, term, factor)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(expressions(), st.sampled_from("=<>"), expressions(), st.booleans())
def test_random_statements_are_never_decided_against_the_numbers(left, sign, right, induction) -> None:
    relation = Relation(left, {"<": "<=", ">": ">="}.get(sign, sign), right)
    verdict = judge(by_induction(relation, n) if induction and n in symbols_of(relation) else relation).verdict
    if verdict in STANDING:
        assert enumerated(relation)
    if enumerated(relation) and verdict is Verdict.REFUTED:
        pytest.fail(f"{relation} holds wherever it was tried out, and is refuted")


def test_nothing_rises_with_a_number_that_is_always_the_same() -> None:
    three = whole("t", "[3, 3]", "three")
    with pytest.raises(CheckError, match="t is always 3, so that nothing rises or falls with it"):
        judge(increasing(1 / (three - 3), three))


# What whole numbers are.


@pytest.mark.parametrize(
    ("domain", "first", "last"),
    [("[0, oo)", 0, None), ("(0, oo)", 1, None), ("[1/2, 7/2]", 1, 3), ("(1, 4)", 2, 3), ("(-oo, 0)", None, -1)],
)
def test_ends_are_the_first_and_the_last_whole_number(domain, first, last) -> None:
    declared = whole("i", domain, "a number").domain
    assert (declared.lower, declared.upper) == (first, last)
    assert Fraction(2) in declared or last == -1
    assert Fraction(1, 2) not in declared
    assert Fraction(1, 2) in whole("i", "[0, oo)", "a number").domain.hull


REFUSED = {
    "no number": (lambda: whole("i", "(1, 2)", "a number"), "no whole number lies in"),
    "no end": (lambda: whole("i", "(-oo, oo)", "a number"), "need a first or a last one"),
    "an end between": (lambda: Interval(Fraction(1, 2), None, True, whole=True), "do not begin or end at 1/2"),
    "an end that is not there": (lambda: Interval(Fraction(1), Fraction(2), True, whole=True), "do not begin or end"),
    "a derivative": (lambda: Derivative(p**n, n), "n is a whole number, by which nothing has a derivative"),
    "a zero between": (lambda: some_zero(n - 2, n, 1, 3, rising=True), "n is whole, and this speaks of all real"),
    "the only zero": (lambda: UniqueZero(n - 2, n, rational(1), rational(3), True), "n is whole"),
    "zeros": (lambda: Zeros(n - 2, n, ((rational(1), rational(3)),), True), "n is whole"),
    "steps that converge": (lambda: converges(n / 2, n, 0), "n is whole"),
    "what attracts": (lambda: attracts({n: n / 2}, 0), "n is whole"),
    "a local maximum": (lambda: local_maximum(-(n**2), {n: 0}), "n is whole"),
    "a limit at a point": (lambda: tends_to(n, 1, n, to=1, side="+", constant=1), "n is whole"),
    "an induction without base": (
        lambda: by_induction(gt(p, 0), p),
        r"an induction along p has no base: its domain is \(0, 1\)",
    ),
    "an induction downwards": (
        lambda: by_induction(gt(p, 0), whole("i", "(-oo, 0]", "a number")),
        r"no base: its domain is \{\.\.\., -1, 0\}",
    ),
    "an induction that ends": (lambda: by_induction(gt(k, 0), k), "ends in .1, 2, 3, 4., where no step"),
    "a lemma at one half": (lambda: claim("a.b", "t", le(p**n, 1)).at({n: rational(1, 2)}), "n is whole, and 1/2"),
    "a lemma at a real": (lambda: claim("a.b", "t", le(p**n, 1)).at({n: 2 * p}), "n is whole, and .2 . p. need"),
}


@pytest.mark.parametrize(("build", "message"), REFUSED.values(), ids=REFUSED)
def test_what_whole_numbers_do_not_have_is_refused(build, message) -> None:
    with pytest.raises(DeclarationError, match=message):
        build()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (instance(gt(2**n, 2), {n: rational(3, 2)}), "n is whole, and 3/2 need not be"),
        (Extremum((n - rational(1, 2)) ** 2, n, rational(1, 2)), "n is whole, and 1/2 need not be"),
        (UniqueRoot(n, eq(2 * n, 1), rational(1, 2)), "n is whole, and 1/2 need not be"),
        (every_iterate(ge(n, 0), {n: n / 2}, {n: 1}), "n is whole, and .n / 2. need not be"),
        (every_iterate(ge(n, 0), {n: n + 1}, {n: rational(1, 2)}), "n is whole, and 1/2 need not be"),
    ],
)
def test_values_that_need_not_be_whole_are_bad_input(statement, message) -> None:
    with pytest.raises(CheckError, match=message):
        judge(statement)


def test_what_is_plainly_whole() -> None:
    double = define("double", (n,), 2 * n)
    assert all(map(is_whole, [n, 2 * n - 3, n * m, n**2, -n, double(m), rational(4)]))
    assert not any(map(is_whole, [n / 2, p, rational(1, 2), n * p, p**n, sqrt(n), double(p)]))


def test_samples_of_whole_numbers_are_whole_and_cover_ends_and_small_ones() -> None:
    for symbol, small in ((n, range(6)), (G, range(2, 7)), (k, range(1, 5))):
        drawn = {point[symbol] for point in draw_points([symbol], 80, seed=0)}
        assert drawn >= {Fraction(value) for value in small}
        assert all(value in symbol.domain for value in drawn)
    assert max(point[n] for point in draw_points([n], 80, seed=0)) > 1000
    assert point_at(n.domain, Fraction(1, 3)) in n.domain
    assert point_at(p.domain, Fraction(1, 3)) == Fraction(1, 3)


def test_a_counterexample_between_whole_numbers_is_not_confirmed() -> None:
    neighbours, numbers = ge(n * (n - 1), 0), ge(x * (x - 1), 0)
    assert refutes((), numbers, Witness((("x", "1/2"),), "-1/4", "0"))
    assert not refutes((), neighbours, Witness((("n", "1/2"),), "-1/4", "0"))
    # Two thirds is no solution that anybody could print exactly, but a box around the root of 2 is one.
    assert holds([eq(x**2, 2)], [("x", "1.41421356237310")])
    assert not holds([eq(n**2, 2)], [("n", "1.41421356237310")])


def test_hypotheses_that_no_whole_number_satisfies_show_nothing() -> None:
    judgement = judge(gt(n, 3), given=[gt(n, rational(1, 3)), lt(n, rational(2, 3))])
    assert judgement.verdict is Verdict.UNDECIDED
    assert judge(gt(n, 0), given=[gt(n, rational(1, 3))]).verdict is Verdict.DECIDED
    # Decided of all real numbers would be more, and is not so.
    assert judge(ge(n, 1), given=[gt(n, rational(1, 3))]).verdict is Verdict.UNDECIDED


# Powers.


def test_powers_are_kept_as_typed_and_mean_exponentials() -> None:
    assert unfold(p ** (n + 1)) == exp((n + 1) * log(p))
    assert unfold(p**2) == p**2
    assert substitute(p**n, {n: rational(2)}) == p**2
    assert judge(eq(Derivative(p**n, p), n * p ** (n - 1))).verdict is Verdict.DECIDED
    assert judge(eq(Derivative(p**r, r), log(p) * p**r)).verdict is Verdict.DECIDED
    assert judge(eq(Derivative(p**r, r), p**r)).verdict is Verdict.REFUTED
    assert judge(eq(r**q, exp(q * log(r)))).verdict is Verdict.DECIDED


def test_a_base_that_is_not_positive_has_no_power() -> None:
    share = real("s", "[0, 1]", "a share")
    for statement in (ge(x**n, 0), le(share**n, 1), eq(x**n, x**n)):
        assert judge(statement).verdict is Verdict.REFUTED
    assert judge(le(share**n, 1), given=[gt(share, 0)]).verdict is Verdict.DECIDED


def test_powers_are_written_in_every_language() -> None:
    assert expression_text(p ** (n + 1) + (1 - p) ** n) == "p^(n + 1) + (1 - p)^n"
    assert expression_tree(p**n) == ["power", "p", "n"]
    assert statement_latex(gt((1 - p) ** (n + 1), 0)) == "(1 - p)^{n + 1} > 0"
    assert "<msup><mi>p</mi><mi>n</mi></msup>" in mathml("p^{n}")
    assert Python(exact=True).text(2 ** (n + 1) + p**-n) == "F(2)**(n + 1) + p**(-n)"


def test_whole_domains_are_listed() -> None:
    assert [str(one.domain) for one in (n, G, k)] == ["{0, 1, ...}", "{2, 3, ...}", "{1, 2, 3, 4}"]
    assert str(whole("i", "[0, 9]", "a number").domain) == "{0, 1, ..., 9}"
    assert domain_latex(n) == r"n \in \{0, 1, \dots\}"
    assert "<mi>…</mi>" in mathml(domain_latex(n))


# Inductions.


def test_an_induction_says_what_it_shows_and_from_where() -> None:
    made = HOLD["bernoulli"]
    assert statement_text(made) == (
        "(1 + a)^n ≥ 1 + n·a for every n in {0, 1, ...} by induction (at n = 0, and at n + 1 wherever it holds at n)"
    )
    assert statement_latex(made) == (
        r"$(1 + a)^{n} \geq 1 + n a$ for every $n \in \{0, 1, \dots\}$: "
        r"it holds for $n = 0$, and for $n + 1$ wherever it holds for $n$"
    )


def test_what_an_induction_shows_holds_of_every_whole_number() -> None:
    made = claim("a.bernoulli", "Bernoulli", HOLD["bernoulli"])
    lemma = made.at({n: 2 * m})
    assert isinstance(lemma.statement, Implies)
    assert judge(ge((1 + a) ** (2 * m), 1 + 2 * m * a), given=[lemma.statement]).verdict is Verdict.DECIDED
    # Steps by two, and numbers that are not reached, show nothing of all.
    for other in (every_iterate(ge(n, 0), {n: n + 2}, {n: 0}), every_iterate(ge(n, 0), {n: n + 1}, {n: 3})):
        with pytest.raises(DeclarationError, match="no pointwise consequence"):
            claim("a.b", "t", other).at({n: m})


def test_mutants_of_an_induction_change_what_it_shows() -> None:
    found = [mutant.statement for mutant in mutants(HOLD["bernoulli"])]
    assert len(found) >= 6
    assert all(isinstance(other, EveryIterate) and other.counted == n for other in found)
    assert "exponent n becomes (n + 1)" in [mutant.change for mutant in mutants(eq(p ** (n + 1), p * p**n))]
