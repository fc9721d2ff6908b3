"""Functions of which nothing is known: what is decided holds of every one, and nothing false is.

The oracle of what is false where something is supposed of all arguments is a function, in plain numbers, of which that
holds and what is stated does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from grpo_symbolic import (
    Derivative,
    Statement,
    Substitution,
    absolute,
    attracts,
    both,
    by_induction,
    converges,
    eq,
    every_iterate,
    exp,
    for_every,
    ge,
    gt,
    implies,
    increasing,
    judge,
    le,
    log,
    lt,
    on_support,
    rational,
    real,
    repels,
    some_zero,
    sum_of,
    unknown_function,
    whole,
)
from grpo_symbolic.errors import CheckError, DeclarationError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.text import statement_text

x, y = (real(name, "(-oo, oo)", "a point") for name in "xy")
c = real("x_star", "(-oo, oo)", "a fixed point", latex="x^*")
unit = real("u", "(0, 1)", "a probability")
r = real("r", "(0, oo)", "a radius")
k = real("k", "(0, 1)", "a factor")
n, i = (whole(name, "[0, oo)", "a number") for name in "ni")
f = unknown_function("f", x, "a smooth map", derivatives=1)
g = unknown_function("g", x, "a continuous map", derivatives=0)
jump = unknown_function("h", x, "any map")
inner = unknown_function("q", unit, "a map of probabilities", derivatives=0)
bounded = unknown_function("b", x, "a map to the unit interval", derivatives=0, values="[0, 1]")
variation, error = (unknown_function(name, n, "a sequence") for name in ("T", "d"))
FIXED = eq(f(c), c)
FLAT = for_every(x, implies(le(absolute(x - c), r), le(absolute(f.slope(x)), k)), such_as={f: c + k * (x - c)})
RISING = for_every(x, gt(f.slope(x), 0), such_as={f: x})
GROWING = for_every(
    n, both(le(variation(n + 1), variation(n) + error(n + 1)), ge(error(n), 0)), such_as={variation: n, error: 1}
)
NEARER = {
    one: for_every(x, implies(ne_zero, lt(absolute(one(x)), absolute(x))), such_as={one: x / 2})
    for one in (g, jump)
    for ne_zero in (gt(absolute(x), 0),)
}

TRUE: list[tuple[Statement, list[Statement]]] = [
    (eq(f(x), f(y)), [eq(x, y)]),
    (eq(f.slope(x), f.slope(y)), [eq(x, y)]),
    (eq(f(f(c)), c), [FIXED]),
    (eq(Derivative(f(x**2), x), 2 * x * f.slope(x**2)), []),
    (eq(Substitution(Derivative(f(x), x), x, c), f.slope(c)), []),
    (le(bounded(x), 1), []),
    (eq(on_support(x, f(x)), f(x)), [eq(f(0), 0)]),
    (eq(inner(x), inner(x)), [gt(x, 0), lt(x, 1)]),
    (attracts({x: f(x)}, c), [FIXED, lt(absolute(f.slope(c)), 1)]),
    (repels({x: f(x)}, c), [FIXED, gt(f.slope(c), 1)]),
    (some_zero(g(x), x, 0, 1, rising=True), [lt(g(0), 0), gt(g(1), 0)]),
    (converges(f(x), x, c, within=r), [FLAT, FIXED]),
    (converges(g(x), x, 0), [NEARER[g], eq(g(0), 0)]),
    (increasing(f(x), x), [RISING]),
    (lt(f(x), f(y)), [RISING, lt(x, y)]),
    (by_induction(le(variation(n), sum_of(error(i), i, 1, n)), n), [GROWING, eq(variation(0), 0)]),
]


@pytest.mark.parametrize(("statement", "given"), TRUE)
def test_what_holds_of_every_function_is_decided(statement, given):
    assert judge(statement, given=given).verdict is Verdict.DECIDED


#: What is stated and what is supposed; letters for values suffice to refute it.
FALSE: list[tuple[Statement, list[Statement]]] = [
    (eq(f(x), f(y)), []),
    (eq(f(x), x), [FIXED]),
    (eq(f.slope(x), f.slope(y)), [eq(f(x), f(y))]),
    (lt(bounded(x), 1), []),
    (eq(inner(x), inner(x)), []),
    (attracts({x: f(x)}, c), [FIXED, le(absolute(f.slope(c)), 1)]),
    (attracts({x: f(x)}, c), [lt(absolute(f.slope(c)), 1)]),
    (repels({x: f(x)}, c), [FIXED, lt(absolute(f.slope(c)), 1)]),
]


@pytest.mark.parametrize(("statement", "given"), FALSE)
def test_what_fails_for_some_function_is_refuted(statement, given):
    assert judge(statement, given=given).verdict is Verdict.REFUTED


def slope(function: Callable[[float], float], at: float) -> float:
    return (function(at + 1e-6) - function(at - 1e-6)) / 2e-6


def test_no_attack_on_the_contraction_is_decided():
    """Each is false for a function that is given here, and that has what is supposed."""
    points = [random.Random(1).uniform(-1, 1) for _ in range(50)]
    weak = for_every(x, implies(le(absolute(x - c), r), le(absolute(f.slope(x)), 1)), such_as={f: c + k * (x - c)})

    assert all(abs(slope(lambda t: -t, at)) <= 1 + 1e-9 for at in points)  # -x never comes nearer to 0
    assert judge(converges(f(x), x, c, within=r), given=[weak, FIXED]).verdict not in STANDING

    def beyond(t: float) -> float:  # flat in [-1, 1], and another fixed point at 2
        return 0.0 if abs(t) <= 1 else 2 * (abs(t) - 1) ** 2

    assert all(slope(beyond, at) == 0 for at in points)
    assert beyond(2) == 2
    assert judge(converges(f(x), x, c, within=4 * r), given=[FLAT, FIXED]).verdict not in STANDING
    assert judge(eq(y, c), given=[FLAT, FIXED, eq(f(y), y)]).verdict not in STANDING

    far = 5.0  # the constant function 5 is flat, and 0 is no fixed point of it
    assert abs(far - 0) > 1
    assert judge(converges(f(x), x, c, within=r), given=[FLAT]).verdict not in STANDING
    assert judge(le(absolute(f(x) - c), r), given=[FLAT, le(absolute(x - c), r)]).verdict not in STANDING

    assert all(slope(lambda t: 0.0, at) == 0 for at in points)  # a constant does not rise
    level = for_every(x, ge(f.slope(x), 0), such_as={f: x})
    assert judge(increasing(f(x), x), given=[level]).verdict not in STANDING


def test_what_jumps_is_no_continuous_function():
    """Steps from t to (t + 1)/2 beyond 1, and to t/2 up to it, lead nearer to 0, but from 2 never below 1."""
    at = Fraction(2)
    for _ in range(50):
        before, at = at, (at + 1) / 2
        assert 1 < at < before
    assert judge(converges(jump(x), x, 0), given=[NEARER[jump], eq(jump(0), 0)]).verdict not in STANDING
    assert (
        judge(some_zero(jump(x), x, 0, 1, rising=True), given=[lt(jump(0), 0), gt(jump(1), 0)]).verdict not in STANDING
    )


@pytest.mark.parametrize("example", [x, absolute(x) + 1, 1 / x**2])
def test_examples_are_like_what_is_supposed(example):
    """Not positive; not differentiable; without a value at 0."""
    supposed = for_every(x, gt(f(x), 0), such_as={f: example})
    assert judge(gt(f(y), 0), given=[supposed]).verdict not in STANDING


def test_what_fails_for_the_example_is_refuted():
    assert judge(lt(f(y), f(x)), given=[RISING, lt(x, y)]).verdict is Verdict.REFUTED
    assert judge(gt(f(y), 0), given=[for_every(x, gt(f(x), 0), such_as={f: x})]).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (gt(f(y), 0), [RISING, gt(y, 0)]),  # not of x - 5
        (le(absolute(f(x) - f(y)), absolute(x - y) * k), [FLAT]),  # not far from the fixed point
        (eq(jump(3 * y), 3 * jump(y)), [for_every(x, eq(jump(2 * x), 2 * jump(x)), such_as={jump: x})]),
    ],
)
def test_an_example_alone_supports_nothing(statement, given):
    assert judge(statement, given=given).verdict is Verdict.UNDECIDED


def test_an_example_is_looked_at_only_where_its_function_has_values():
    """The example 2u is 2 at 1, where the function has no value."""
    supposed = for_every(unit, gt(inner(unit), 0), such_as={inner: 2 * unit})
    assert judge(lt(inner(x), 2), given=[supposed, ge(x, 1), gt(inner(x), 1)]).verdict is not Verdict.REFUTED
    assert judge(gt(inner(x), 0), given=[supposed, ge(x, 1)]).verdict not in STANDING


def test_of_an_argument_where_there_is_no_value_nothing_holds():
    s = unknown_function("s", unit, "a function of a share", derivatives=1)
    flat = for_every(unit, le(absolute(s.slope(unit)), 1), such_as={s: unit / 2})
    lipschitz = le(absolute(s(x) - s(y)), absolute(x - y))
    inside = [both(gt(one, 0), lt(one, 1)) for one in (x, y)]
    assert judge(lipschitz, given=[flat]).verdict is Verdict.REFUTED
    assert judge(lipschitz, given=[flat, inside[0]]).verdict is Verdict.REFUTED
    assert judge(lipschitz, given=[flat, *inside]).verdict in STANDING


def test_what_is_supposed_where_there_is_no_value_is_like_no_function():
    supposed = for_every(unit, gt(inner(unit + 1), 0), such_as={inner: rational(1)})
    assert judge(gt(inner(unit), 0), given=[supposed]).verdict not in STANDING


def test_the_converse_of_an_instance_is_not_supposed():
    supposed = for_every(unit, gt(inner(unit), 0), such_as={inner: rational(1)})
    assert judge(gt(inner(unit), 0), given=[supposed]).verdict is Verdict.DECIDED
    assert judge(gt(inner(x), 0), given=[supposed]).verdict not in STANDING


def test_what_is_supposed_of_one_number_is_not_of_the_second_point_of_a_comparison():
    """The function with f(y) = -y up to 0 and 5 there has a peak at 0, and falls before."""
    peak = real("x_2", "(-oo, oo)", "a point", latex="x'")
    highest = for_every(y, implies(lt(y, peak), lt(jump(y), jump(peak))), such_as={jump: y})
    with pytest.raises(CheckError, match="speaks of x_2, as another number is called; rename it"):
        judge(increasing(jump(x), x), given=[highest])
    assert judge(lt(jump(x), jump(peak)), given=[highest, lt(x, peak)]).verdict is Verdict.DECIDED


def test_what_differentiates_what_has_no_value_is_supposed_of_no_function():
    """The logarithm of -exp(x) has no value, and what is written for its derivative is 1."""
    negative = for_every(x, both(eq(Derivative(log(f(x)), x), 1), lt(f(x), 0)), such_as={f: -exp(x)})
    assert judge(lt(f(y), 0), given=[negative]).verdict not in STANDING
    positive = for_every(x, eq(Derivative(log(f(x)), x), 1), such_as={f: exp(x)})
    assert judge(gt(f(y), 0), given=[positive]).verdict is Verdict.DECIDED


def test_iterates_of_any_map_stay_near():
    start = le(absolute(x - c), r)
    kept = every_iterate(le(absolute(y - c), k**n * r), {y: f(y), n: n + 1}, {y: x, n: 0})
    assert judge(kept, given=[FLAT, FIXED, start]).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: g.slope(x), "g is not said to have a derivative of order 1: declare it with derivatives"),
        (lambda: inner(2), r"q has no value at 2: it is defined on \(0, 1\)"),
        (lambda: error(x), "d is a sequence, and x need not be a whole number"),
        (lambda: unknown_function("s", n, "a sequence", derivatives=0), "a sequence, of which nothing is continuous"),
        (lambda: unknown_function("s", x, "a map", derivatives=1, values="[0, 1]"), "say in hypotheses where"),
        (lambda: unknown_function("s", x, " "), "say in words what it means"),
        (lambda: unknown_function("s", x, "a map", derivatives=-1), "a number of derivatives is meant"),
        (lambda: for_every(x, gt(x, 0), such_as={}), "speaks of no unknown function"),
        (lambda: for_every(x, gt(f(x), 0), such_as={}), "give an example of f in such_as"),
        (lambda: for_every(x, gt(f(x), 0), such_as={f: g(x)}), "an example of f is a known function"),
        (lambda: for_every(x, gt(inner(unit), 0), such_as={inner: x}), r"q is defined on \(0, 1\), and x has other"),
        (lambda: for_every(x, increasing(f(x), x), such_as={f: x}), "is a relation or combines some"),
        (lambda: expand(FLAT), "what is stated holds for every x anyway"),
        (lambda: expand(increasing(k, k), [FLAT]), "speaks of k, which the statement binds"),
        (lambda: expand(gt(f(real("f", "(0, 1)", "a letter")), 0)), "a symbol and an unknown function are called f"),
        (lambda: expand(eq(f(x), unknown_function("f", x, "another")(x))), "two unknown functions are called f"),
        (lambda: expand(gt(f(x), 0), [RISING, FLAT]), "two examples of f"),
    ],
)
def test_what_says_nothing_is_refused_with_what_to_do(make, message):
    with pytest.raises(DeclarationError, match=message):
        make()


@pytest.mark.parametrize("statement", [eq(f(1 / x), 0), eq(sum_of(error(i), i, 0, n), 0)])
def test_what_has_no_letter_is_refused(statement):
    with pytest.raises(UnsupportedError, match=r"may have no value|nothing is known stands in what binds"):
        expand(statement)


def test_a_hypothesis_on_all_arguments_stands_in_no_other_statement():
    with pytest.raises(CheckError, match="a composite statement cannot stand inside another"):
        judge(implies(RISING, gt(f(x), 0)))


def test_it_is_printed_and_read_again():
    said = f(x + 1) - f.slope(c) / f(f(y))
    assert expression_latex(said) == r"f(x + 1) - \frac{f'(x^*)}{f(f(y))}"
    assert read_back(str(expression_latex(said)), said).status == "agrees"
    for slip in (f(x + 1) - f(c) / f(f(y)), f(x + 1) - f.slope(c) / f(y), f(x) - f.slope(c) / f(f(y))):
        assert read_back(str(expression_latex(slip)), said).status == "differs"
    assert statement_text(RISING) == "for every x in (-oo, oo): f'(x) > 0 (such as f(x) = x)"
    assert statement_latex(RISING) == r"for every $x \in \mathbb{R}$ $f'(x) > 0$ (such as $f(x) = x$)"


def test_letters_are_the_same_for_equal_arguments_and_new():
    taken = real("f_at_x", "(-oo, oo)", "another letter")
    ((obligation,),) = expand(lt(f(x) + f(x), taken * f(y)))
    assert {symbol.name for symbol in obligation.symbols} == {"f_at_x", "f_at_x_2", "f_at_y", "x", "y"}
    assert unfold(f(x)) == f(x)
