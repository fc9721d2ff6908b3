"""What is stated about fixed points, local extrema, iterates, zeros and cycles: what is refused, what it promises."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Derivative,
    EveryCycle,
    Extremum,
    Total,
    UniqueRoot,
    UniqueZero,
    absolute,
    attracts,
    attracts_flow,
    both,
    converges,
    either,
    eq,
    exp,
    gt,
    implies,
    instance,
    judge,
    local_maximum,
    local_minimum,
    log,
    lt,
    maximum,
    minimum,
    rational,
    real,
    repels,
    some_zero,
    sqrt,
)
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.nearby import Converges, FixedPoint, LocalExtremum
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.language.vocabulary import sign
from grpo_symbolic.obligations.expansion import expand, instantiated
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.translate.tree import statement_tree

a = real("a", "(0, oo)", "a positive number")
p = real("p", "(0, 1)", "a probability")
q = real("q", "(0, 1)", "another probability")
r = real("r", "(0, 4)", "a rate of growth")
x = real("x", "(-oo, oo)", "a number")
y = real("y", "(-oo, oo)", "another number")
z = real("z", "[0, 1]", "a share")
shares = real("w", "(0, 1)", "the share of an output", indexed=True)

half = rational(1, 2)
logistic = r * p * (1 - p)
valley = 1 - 4 * z * (1 - z)


def verdict(statement: Statement, *hypotheses: Statement) -> Verdict:
    return judge(statement, given=hypotheses).verdict


half_derivative = Derivative((x * log(x) - x) / 2, x)

HOLD = {
    "attracts-below-3": (attracts({p: logistic}, 1 - 1 / r), gt(r, 1), lt(r, 3)),
    "repels-above-3": (repels({p: logistic}, 1 - 1 / r), gt(r, 3)),
    "a-parameter-may-be-called-as-it-is": (attracts({x: y - a * x}, y / (1 + a)), lt(a, 1)),
    "next-values-by-an-equation": (attracts({x: 2 * y - x}, 0, next_values=[y]),),
    "two-variables": (attracts({x: x / 2 + y / 4, y: y / 3}, (0, 0)),),
    "a-saddle-repels": (repels({x: x / 2 + y / 4, y: 3 * y}, (0, 0)),),
    "a-turn-that-shrinks": (attracts({x: (x - y) / 2, y: (x + y) / 2}, (0, 0)),),
    "a-flow": (attracts_flow({x: -(x**3) - x}, 0),),
    "a-flow-that-turns": (attracts_flow({x: y, y: -x - y}, (0, 0)),),
    "a-local-maximum": (local_maximum(x**2 - x**4, {x: 1 / sqrt(2)}),),
    "a-bowl": (local_minimum(x**2 + x * y + y**2, {x: 0, y: 0}),),
    "it-converges": (converges(p * (2 - p), p, 1),),
    "it-converges-from-inside": (converges(x**2, x, 0, within=1),),
    "it-jumps-over-the-goal": (converges(-x / 2, x, 0),),
    "a-zero-between": (some_zero(x**2 - a, x, 0, 1 + a, rising=True),),
    "every-cycle": (EveryCycle(valley, z, rational(1, 100), half, rational(96, 100)),),
    "a-goal-may-be-written-as-a-quotient": (converges(p * (2 - p), p, rational(2) / 2),),
    "a-goal-may-be-an-end-by-a-hypothesis": (converges(p * (2 - p), p, y), eq(y, 1)),
    "a-derivative-at-the-point": (attracts({x: half_derivative + 1}, 1),),
    "a-derivative-between-the-points": (some_zero(half_derivative, x, half, 2, rising=True),),
    "a-derivative-within": (
        converges(Derivative((x + 2) * log(x + 2) / 2 - x / 2, x) - log(2) / 2, x, 0, within=half),
    ),
    "a-derivative-at-a-witness": (instance(attracts({x: a * half_derivative + 1}, 1), {a: 1}),),
    "a-root-of-a-parameter": (attracts({x: sqrt(z) * x / 2}, 0),),
    "plain-numbers": (attracts({x: 1}, 1),),
    "a-concave-function": (Extremum(x * y - x**2 / 2 - exp(x), x, q, minimum=False), eq(y, q + exp(q))),
}


@pytest.mark.parametrize("case", HOLD.values(), ids=HOLD)
def test_what_holds_is_decided(case) -> None:
    assert verdict(*case) is Verdict.DECIDED


FAIL = {
    "slope-may-exceed-1": (attracts({p: logistic}, 1 - 1 / r), gt(r, 1)),
    "slope-is-1": (attracts({x: x + x**3}, 0),),
    "slope-is-minus-1": (attracts({x: -x}, 0),),
    "slope-1-does-not-repel": (repels({x: x - x**3}, 0),),
    "no-fixed-point": (attracts({x: x / 2 + 1}, 0),),
    "an-end-of-the-domain": (attracts({p: p / 2}, 0),),
    "no-value-on-one-side": (attracts({x: sqrt(x) ** 3}, 0),),
    "no-value-on-one-side-by-a-power": (attracts({x: x ** Fraction(3, 2)}, 0),),
    "next-values-are-not-determined": (attracts({x: y**2 - x}, 0, next_values=[y]),),
    "a-turn-that-grows": (attracts({x: x - y, y: x + y}, (0, 0)),),
    "one-of-two-grows": (attracts({x: x / 2, y: 2 * y}, (0, 0)),),
    "a-flow-around": (attracts_flow({x: y, y: -x}, (0, 0)),),
    "flat": (local_maximum(-(x**4), {x: 0}),),
    "a-minimum": (local_maximum(x**2, {x: 0}),),
    "not-stationary": (local_maximum(x - x**2, {x: 0}),),
    "a-saddle": (local_minimum(x**2 + 3 * x * y + y**2, {x: 0, y: 0}),),
    "it-only-turns": (converges(-x, x, 0),),
    "too-far": (converges(x**2, x, 0, within=2),),
    "it-leaves": (converges(p - half, p, 0),),
    "a-goal-outside": (converges(p / 2 + 1, p, 2),),
    "a-goal-that-is-not-kept": (converges(x / 2 * absolute(x) / absolute(x), x, 0),),
    "another-fixed-point": (converges(p + (p - half) * (half - p) * p, p, 1),),
    "a-pole-between": (some_zero(1 / x, x, -1, 1, rising=True),),
    "the-other-direction": (some_zero(x, x, -1, 1, rising=False),),
    "the-wrong-order": (some_zero(x, x, 1, -1, rising=False),),
    "not-beyond": (EveryCycle(valley, z, rational(1, 10), half, rational(96, 100)),),
    "the-point-has-no-value": (attracts({x: x / 2 + half}, -Derivative(log(x), x)), eq(x, -1)),
    "no-value-next-to-the-point": (attracts({x: x / 2 + (-(x**2)) ** Fraction(3, 2)}, 0),),
    "the-witness-has-no-value": (instance(attracts({x: y * x / 2}, 0), {y: Derivative(log(q - 1), q)}),),
    "not-below": (EveryCycle(valley, z, rational(1, 100), rational(1, 4), rational(96, 100)),),
}


@pytest.mark.parametrize("case", FAIL.values(), ids=FAIL)
def test_what_fails_is_refuted(case) -> None:
    assert verdict(*case) is Verdict.REFUTED


clipped = minimum(1, maximum(-1, Binder("limit+", (x - half) / (absolute(x - half) + y), y, None, rational(0))))


@pytest.mark.parametrize(
    "statement",
    [
        some_zero(sign(x) + half, x, -1, 1, rising=True),
        converges(sign(x) * x / 2, x, 0),
        some_zero(x - rational(1, 3) + 10 * x * (1 - x) * clipped, x, 0, 1, rising=True),
    ],
    ids=str,
)
def test_nothing_follows_for_what_jumps(statement) -> None:
    with pytest.raises(UnsupportedError, match="jump"):
        expand(statement)
    assert verdict(statement) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: attracts({x: y, y: x, p: p}, (0, 0, 0)), "one or two different variables"),
        (lambda: attracts({x: y, y: x}, 0), "as many steps"),
        (lambda: attracts({x: y - x}, 0, next_values=[y, p]), "needs its successor"),
        (lambda: attracts({x: y - x}, 0, next_values=[x]), "other names"),
        (lambda: converges(x / 2, x, x), "depends on x"),
        (lambda: some_zero(x, x, x - 1, x + 1, rising=True), "depends on x"),
        (lambda: Extremum(x**3, x, x), "depends on x"),
        (lambda: UniqueRoot(x, eq(x, x), x), "depends on x"),
        (lambda: UniqueZero(x, x, x - 1, x + 1, True), "depends on x"),
        (lambda: EveryCycle(valley, z, 0, half, rational(1)), r"write rational\(0\)"),
        (lambda: attracts({half: x}, 0), "a symbol, such as .* is meant, and 1/2 is none"),
    ],
)
def test_what_cannot_mean_anything_is_refused_where_it_is_written(make, message) -> None:
    with pytest.raises(DeclarationError, match=message):
        make()


def test_hypotheses_about_what_runs_are_refused() -> None:
    for statement in (attracts({x: x / 2}, 0), local_maximum(-(x**2), {x: 0})):
        with pytest.raises(DeclarationError, match="runs through all that is near"):
            expand(statement, [gt(x, -1)])
    with pytest.raises(DeclarationError, match="use within"):
        expand(converges(x / 2, x, 0), [gt(x, -1)])
    # The same letter may name the point: hypotheses are then about the point.
    assert verdict(attracts({x: x**2}, x), eq(x, 0)) is Verdict.DECIDED
    assert verdict(attracts({x: x**2}, x), eq(x, 1)) is Verdict.REFUTED


def test_one_coordinate_of_a_sum_is_refused() -> None:
    with pytest.raises(DeclarationError, match="a sum depends on w"):
        expand(attracts({shares: shares / (1 + Total(shares))}, half))


def test_values_are_put_into_the_statement_and_not_into_what_it_binds() -> None:
    at_point = instance(implies(eq(logistic, p), attracts({q: r * q * (1 - q)}, p)), {r: 2, p: half})
    assert verdict(at_point) is Verdict.DECIDED
    assert verdict(instance(implies(eq(logistic, p), attracts({q: r * q * (1 - q)}, p)), {r: 4, p: rational(3, 4)}))
    never_asked = instance(implies(gt(r, 3), attracts({q: r * q * (1 - q)}, half)), {r: 2})
    assert verdict(never_asked) is Verdict.UNDECIDED
    with pytest.raises(DeclarationError, match="bound by the statement"):
        instantiated(attracts({p: logistic}, half), {p: half})


SAID = {
    "steps": (
        attracts({p: logistic}, 1 - 1 / r),
        r"under steps from $p \in (0, 1)$ to $r p(1 - p)$, the fixed point $p = 1 - \frac{1}{r}$ attracts what starts "
        "nearby: the slope there is less than 1 in absolute value",
        "p = 1 - 1/r attracts what starts nearby (the slope there is less than 1 in absolute value): "
        "steps p → r·p·(1 - p)",
    ),
    "equation": (
        repels({x: 2 * y - 3 * x}, x, next_values=[y]),
        r"under steps from $x \in \mathbb{R}$ to $y \in \mathbb{R}$ nearby with $2y - 3x = 0$, the fixed point $x$ "
        "repels what starts nearby: the slope there is more than 1 in absolute value",
        "x repels what starts nearby (the slope there is more than 1 in absolute value): "
        "steps x → y with 2·y - 3·x = 0",
    ),
    "saddle": (
        repels({x: x / 2, y: 2 * y}, (0, 0)),
        r"under steps from $x \in \mathbb{R}$ and $y \in \mathbb{R}$ to $\frac{x}{2}$ and $2y$, the fixed point "
        "$x = 0$ and $y = 0$ repels almost all that starts nearby: an eigenvalue there lies outside of the unit circle",
        "x = 0, y = 0 repels almost all that starts nearby (an eigenvalue there lies outside of the unit circle): "
        "steps x, y → x/2, 2·y",
    ),
    "flow": (
        attracts_flow({x: y, y: -x - y}, (0, 0)),
        r"where $x \in \mathbb{R}$ and $y \in \mathbb{R}$ change at the rate $y$ and $-x - y$, the rest point $x = 0$ "
        "and $y = 0$ attracts what starts nearby: both eigenvalues there have negative real parts",
        "x = 0, y = 0 attracts what starts nearby (both eigenvalues there have negative real parts): "
        "at the rate y, -x - y of x, y",
    ),
    "maximum": (
        local_maximum(-(x**2), {x: 0}),
        r"$-x^{2}$ over $x \in \mathbb{R}$ has a strict local maximum at $x = 0$: it is stationary there, and its "
        "second derivative is negative",
        "-x² has a strict local maximum at x = 0, stationary and concave",
    ),
    "convergence": (
        converges(x**2, x, 0, within=1),
        r"steps from $x \in \mathbb{R}$ with $\lvert x\rvert  < 1$ to $x^{2}$ converge to $0$, to which each one from "
        r"elsewhere leads nearer: $\lvert x^{2}\rvert  < \lvert x\rvert $",
        "steps x → x² lead nearer and converge to 0 from x in (-oo, oo) within 1 of it",
    ),
    "zero": (
        some_zero(x**3 - 2, x, 1, 2, rising=True),
        r"$x^{3} - 2$ vanishes for some $x \in \mathbb{R}$ between $1$ and $2$, for it is negative at the first one "
        "and positive at the second one",
        "x³ - 2 vanishes for some x between 1 and 2",
    ),
    "cycles": (
        EveryCycle(valley, z, rational(1, 100), half, rational(96, 100)),
        r"steps from $z \in [0, 1]$ to $1 - 4z(1 - z)$ have cycles of every length between $\frac{1}{100}$ and "
        r"$\frac{24}{25}$, for from $\frac{1}{100}$ one leads to some $z \geq \frac{24}{25}$, from $\frac{1}{2}$ one "
        r"leads to some $z < \frac{1}{100}$ and from $\frac{24}{25}$ one leads to some $z \geq \frac{1}{2}$",
        "steps z → 1 - 4·z·(1 - z) have cycles of every length between 1/100, 1/2, 24/25",
    ),
}


@pytest.mark.parametrize(("statement", "latex", "text"), SAID.values(), ids=SAID)
def test_it_is_said_with_its_reason(statement, latex, text) -> None:
    assert str(statement_latex(statement)) == latex
    assert statement_text(statement) == text


def test_other_programs_get_every_field() -> None:
    tree = statement_tree(attracts({x: 2 * y - x}, 0, next_values=[y]))
    assert tree == ["fixed-point", ["x"], [["subtract", ["multiply", 2, "y"], "x"]], [0], True, ["y"], False]


@pytest.mark.parametrize("name", ["attracts-below-3", "a-bowl", "it-converges", "a-zero-between", "every-cycle"])
def test_mutants_change_what_is_said_and_not_what_is_bound(name) -> None:
    statement, *hypotheses = HOLD[name]
    changed = [mutant.statement for mutant in mutants(statement) if mutant.statement is not None]
    assert len(changed) > 3
    if isinstance(statement, FixedPoint | LocalExtremum):
        assert {mutant.variables for mutant in changed} == {statement.variables}
    caught = [other for other in changed if verdict(other, *hypotheses) is Verdict.REFUTED]
    assert caught


small = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(slope=small, bend=small, at=small)
def test_iterates_do_what_a_fixed_point_promises(slope: Fraction, bend: Fraction, at: Fraction) -> None:
    """The oracle iterates the map from next to the point, in exact arithmetic at first and in floats from there."""

    def step(value):
        return at + slope * (value - at) + bend * (value - at) ** 2

    point, body = rational(at.numerator, at.denominator), step(x)
    if verdict(attracts({x: body}, point)) is Verdict.DECIDED:
        value = float(at) + 1e-3
        for _ in range(2000):
            value = float(at) + float(slope) * (value - float(at)) + float(bend) * (value - float(at)) ** 2
        assert abs(value - float(at)) < 1e-6
    elif verdict(repels({x: body}, point)) is Verdict.DECIDED:
        near = at + Fraction(1, 10**9)
        assert abs(step(near) - at) > Fraction(1, 10**9)
    else:
        assert abs(slope) == 1


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True)
@given(slope=small, bend=small, reach=st.fractions(min_value=Fraction(1, 4), max_value=2, max_denominator=4))
def test_iterates_converge_where_that_is_decided(slope: Fraction, bend: Fraction, reach: Fraction) -> None:
    radius = rational(reach.numerator, reach.denominator)
    step = rational(slope.numerator, slope.denominator) * x + rational(bend.numerator, bend.denominator) * x**2
    decided = verdict(Converges(step, x, rational(0), radius)) is Verdict.DECIDED
    starts = [float(reach) * part / 50 for part in range(-49, 50) if part]
    nearer = [abs(float(slope) * start + float(bend) * start**2) < abs(start) for start in starts]
    assert decided <= all(nearer)
    for start in starts if decided else ():
        value = start
        for _ in range(3000):
            value = float(slope) * value + float(bend) * value**2
        assert abs(value) < 1e-3 or abs(slope) == 1


def test_a_radicand_may_vanish_where_it_does_not_become_negative() -> None:
    """The function has values on both sides, and a slope; this is true, so it must not be refuted."""
    assert verdict(attracts({x: x / 2 + (x**2) ** Fraction(3, 2)}, 0)) is not Verdict.REFUTED


def test_parts_of_a_statement_at_a_witness_ask_for_their_own_derivatives() -> None:
    slope = Derivative(a * log(a) - a, a)
    parts = both(attracts({x: x * slope / 2}, 0), lt(slope, 1), gt(Derivative(log(a), a), 0))
    assert verdict(instance(parts, {a: 1})) is Verdict.DECIDED


def test_one_of_two_cases_is_a_relation() -> None:
    with pytest.raises(DeclarationError, match="cannot stand inside another"):
        expand(either(attracts({x: x / 2}, 0), repels({x: x / 2}, 0)))


def test_a_logarithm_has_values_nearby() -> None:
    assert verdict(local_maximum(log(p) + log(1 - p), {p: half})) is Verdict.DECIDED
