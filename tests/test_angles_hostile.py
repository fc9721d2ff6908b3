"""Angles, attacked: what is false or has no value somewhere is never decided, and true twins are.

Each false statement is held against an oracle that shares nothing with the deciding methods: mpmath at many points,
where it has to fail, or to have no value, at one of them. Each true one has to hold at all of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import ModuleType

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_here import asked
from property_tests import examples

from grpo_symbolic.checks import exact, ranges, smt
from grpo_symbolic.checks.proposals import installed
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.verdicts import Inquiry
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rebuild
from grpo_symbolic.language.statement import Relation, Statement, eq, ge, gt, le, lt, ne, symbols_of
from grpo_symbolic.language.vocabulary import absolute, arctan, cos, exp, log, maximum, rational, real, sin, sqrt
from grpo_symbolic.obligations.obligation import Obligation, unfold_statement
from grpo_symbolic.reading.notation.elementary import FUNCTIONS

X, Y, Z = (real(name, "(-oo, oo)", "any angle") for name in "xyz")
P, Q = (real(name, "(0, oo)", "a positive number") for name in "pq")
N = real("n", "(-oo, 0)", "a negative number")
C = real("c", "[-1, 1]", "a sine or cosine")
W = real("w", "[0, oo)", "a size")
ACUTE = real("a", "(0, 3/2)", "less than a right angle")
WIDE = real("b", "(2, 3)", "an obtuse angle")
PI = 4 * arctan(rational(1))
HALF = rational(1, 2)
tan, cot, sec, asin, acos = (FUNCTIONS[name] for name in ("tan", "cot", "sec", "arcsin", "arccos"))

#: Statements, with hypotheses if there are any, that are false somewhere or have no value somewhere.
FALSE: Mapping[str, Sequence[Statement]] = {
    # Signs, factors and functions.
    "sum of sines": [eq(sin(X + Y), sin(X) + sin(Y))],
    "sine is odd": [eq(sin(-X), sin(X))],
    "cosine is even": [eq(cos(-X), -cos(X))],
    "double angle": [eq(cos(2 * X), 1 - sin(X) ** 2)],
    "triple angle": [eq(sin(3 * X), 3 * sin(X) - 3 * sin(X) ** 3)],
    "product to sum": [eq(sin(X) * sin(Y), (cos(X + Y) - cos(X - Y)) / 2)],
    "quarter of a turn": [eq(sin(X + PI / 2), sin(X))],
    "a third of a turn": [eq(sin(X) + sin(X + PI / 3) + sin(X + 2 * PI / 3), 0)],
    "exact value": [eq(cos(PI / 5), HALF)],
    "an eighth": [eq(sin(PI / 8), sqrt(2 + sqrt(rational(2))) / 2)],
    "pi is rational": [eq(PI, rational(355, 113))],
    "pi is a root": [eq(PI, sqrt(2) + sqrt(3))],
    "almost a turn": [eq(sin(X + rational(355, 113)), -sin(X))],
    "almost an integer": [eq(cos(rational(22)), rational(-1))],
    # Branches of inverse functions.
    "arcsine of a sine": [eq(asin(sin(X)), X)],
    "arccosine of a cosine": [eq(acos(cos(X)), X)],
    "arctangent of a tangent": [eq(arctan(tan(X)), X)],
    "arctangent of a tangent, obtuse": [eq(arctan(tan(WIDE)), WIDE)],
    "arcsine of a sine, obtuse": [eq(asin(sin(WIDE)), WIDE)],
    "both signs": [eq(arctan(X) + arctan(1 / X), PI / 2)],
    "negative": [eq(arctan(N) + arctan(1 / N), PI / 2)],
    "nonzero": [eq(arctan(X) + arctan(1 / X), PI / 2), ne(X, 0)],
    "across the branch": [eq(arctan(P) + arctan(Q), arctan((P + Q) / (1 - P * Q))), ne(P * Q, 1)],
    "sum of arctangents": [eq(arctan(rational(2)) + arctan(rational(3)), arctan(rational(-1)))],
    "a turn lost": [eq(arctan(rational(1)) + arctan(rational(2)) + arctan(rational(3)), rational(0))],
    "a turn gained": [eq(4 * arctan(rational(1, 5)) - arctan(rational(1, 239)), 5 * PI / 4)],
    "72 degrees": [eq(arctan(sqrt(5 + 2 * sqrt(5))), rational(0))],
    "difference across the branch": [eq(arctan(X) - arctan(Y), arctan((X - Y) / (1 + X * Y))), ne(1 + X * Y, 0)],
    "double arctangent": [eq(2 * arctan(P), arctan(2 * P / (1 - P**2))), ne(P, 1)],
    "arcsine and arccosine": [eq(asin(C) + acos(C), PI)],
    "arccosine is odd": [eq(acos(-C), -acos(C))],
    "half of an arctangent": [eq(arctan(X / 2), arctan(X) / 2)],
    "reciprocal": [eq(arctan(1 / P), 1 / arctan(P))],
    # Roots.
    "sine from a cosine": [eq(sqrt(1 - cos(X) ** 2), sin(X))],
    "cosine from a sine": [eq(sqrt(1 - sin(X) ** 2), cos(X))],
    "half angle, sine": [eq(sqrt((1 - cos(X)) / 2), sin(X / 2))],
    "half angle, cosine": [eq(sqrt((1 + cos(X)) / 2), cos(X / 2))],
    "half angle, obtuse": [eq(sqrt(1 - sin(WIDE) ** 2), cos(WIDE))],
    "1 - cos": [eq(sqrt(1 - cos(X)), sqrt(2) * sin(X / 2))],
    "1 + sin": [eq(sqrt(1 + sin(X)), sin(X / 2) + cos(X / 2))],
    "secant from a tangent": [eq(sqrt(1 + tan(X) ** 2), sec(X)), ne(cos(X), 0)],
    "root of a product": [eq(sqrt(sin(X) * cos(X)) ** 2, sin(X) * cos(X))],
    "roots of factors": [eq(sqrt(sin(X) * sin(Y)), sqrt(sin(X)) * sqrt(sin(Y))), ge(sin(X) * sin(Y), 0)],
    "odd power": [eq(sqrt(sin(X) ** 6), sin(X) ** 3)],
    "root of a fourth power": [eq(sqrt(arctan(X) ** 2), arctan(X))],
    "negative root": [eq(sqrt(arctan(X) ** 4), -(arctan(X) ** 2))],
    "power 3/2": [eq((sin(X) ** 2) ** Fraction(3, 2), sin(X) ** 3)],
    # No value somewhere.
    "pole of tan": [eq(tan(X), sin(X) / cos(X))],
    "pole of cot": [eq(cot(X) * tan(X), 1)],
    "pole of sec": [eq(sec(X) * cos(X), 1)],
    "isolated": [eq(sin(X) ** 2 / (1 - cos(X)), 1 + cos(X))],
    "cosecant": [eq(sin(X) / sin(X), 1)],
    "zero times a pole": [eq(0 * tan(X), 0)],
    "0/0": [eq((sin(X) - sin(X)) / (cos(X) - cos(X)), 0)],
    "hidden 0/0": [eq(X / (sin(X) ** 2 + cos(X) ** 2 - 1), X / (cos(Y) ** 2 + sin(Y) ** 2 - 1))],
    "0 to the power 0": [eq((sin(X) ** 2 + cos(X) ** 2 - 1) ** 0, 1)],
    "cosine of arccosine": [eq(cos(acos(X)), X)],
    "sine of arcsine": [eq(sin(asin(P)), P)],
    "tangent addition": [eq(tan(X + Y), (tan(X) + tan(Y)) / (1 - tan(X) * tan(Y))), ne(cos(X) * cos(Y), 0)],
    "double tangent": [eq(tan(2 * X), 2 * tan(X) / (1 - tan(X) ** 2)), ne(cos(X), 0)],
    "log of sin": [eq(exp(log(sin(X))), sin(X))],
    "log of a square": [eq(log(sin(X) ** 2), 2 * log(absolute(sin(X))))],
    "log of a product": [eq(log(sin(X) * sin(Y)), log(sin(X)) + log(sin(Y))), gt(sin(X) * sin(Y), 0)],
    "log of a cosine": [eq(log(1 - sin(X) ** 2), 2 * log(cos(X))), ne(cos(X), 0)],
    "root of a sine": [ge(sqrt(sin(X)), 0)],
    "root of a negative number": [eq(sqrt(-1 - sin(X) ** 2), sqrt(-1 - sin(X) ** 2))],
    # Inequalities, absolute values, what does not follow.
    "no absolute value": [eq(absolute(sin(X)), sin(X))],
    "absolute value inside": [eq(sin(absolute(X)), absolute(sin(X)))],
    "maximum": [eq(maximum(sin(X), cos(X)), sin(X))],
    "strict": [lt(sin(X), 1)],
    "strictly below its angle": [lt(absolute(sin(X)), absolute(X))],
    "below its angle": [le(sin(X), X)],
    "too small a bound": [le(sin(X) + cos(X), rational(141421, 100000))],
    "parabola": [gt(cos(X), 1 - X**2 / 2)],
    "narrower parabola": [ge(cos(X), 1 - X**2 / rational(21, 10))],
    "arctangent is below": [lt(arctan(W), W)],
    "arctangent is above": [ge(arctan(W), W / sqrt(1 + W**2 / 2))],
    "bounded by 7/5": [lt(arctan(X), rational(7, 5))],
    "equal sines": [eq(X, Y), eq(sin(X), sin(Y))],
    "equal sines and cosines": [eq(X, Y), eq(sin(X), sin(Y)), eq(cos(X), cos(Y))],
    "equal cosines": [eq(sin(X), sin(Y)), eq(cos(X), cos(Y))],
    "triangle": [eq(sin(X) + sin(Y), sin(Z)), eq(X + Y + Z, PI)],
}

#: The same without what made them false.
TRUE: Mapping[str, Sequence[Statement]] = {
    "sine from a cosine": [eq(sqrt(1 - cos(X) ** 2), absolute(sin(X)))],
    "half angle, sine": [eq(sqrt((1 - cos(X)) / 2), absolute(sin(X / 2)))],
    "secant from a tangent": [eq(sqrt(1 + tan(X) ** 2), absolute(sec(X))), ne(cos(X), 0)],
    "odd power": [eq(sqrt(sin(X) ** 6), absolute(sin(X)) ** 3)],
    "root of a fourth power": [eq(sqrt(arctan(X) ** 4), arctan(X) ** 2)],
    "pole of tan": [eq(tan(X), sin(X) / cos(X)), ne(cos(X), 0)],
    "pole of cot": [eq(cot(X) * tan(X), 1), ne(cos(X), 0), ne(sin(X), 0)],
    "isolated": [eq(sin(X) ** 2 / (1 - cos(X)), 1 + cos(X)), lt(cos(X), 1)],
    "nowhere": [eq((1 - sin(X) ** 2 / 4) / (2 + sin(X)), (2 - sin(X)) / 4)],
    "zero times a pole": [eq(0 * tan(X), 0), ne(cos(X), 0)],
    "cosine of arccosine": [eq(cos(acos(C)), C)],
    "sine of arcsine": [eq(sin(asin(C)), C)],
    "tangent of arctangent": [eq(tan(arctan(X)), X)],
    "cosine of arctangent": [eq(cos(arctan(X)), 1 / sqrt(1 + X**2))],
    "arctangent is odd": [eq(arctan(-X), -arctan(X))],
    "both signs": [eq(arctan(P) + arctan(1 / P), PI / 2)],
    "negative": [eq(arctan(N) + arctan(1 / N), -PI / 2)],
    "sum of arctangents": [eq(arctan(rational(2)) + arctan(rational(3)), PI - arctan(rational(1)))],
    "three arctangents": [eq(arctan(rational(1)) + arctan(rational(2)) + arctan(rational(3)), PI)],
    "arcsine and arccosine": [eq(asin(C) + acos(C), PI / 2)],
    "log of sin": [eq(exp(log(sin(X))), sin(X)), gt(sin(X), 0)],
    "bound": [le(sin(X) + cos(X), sqrt(2))],
    "parabola": [ge(cos(X), 1 - X**2 / 2)],
    "below its angle": [le(absolute(sin(X)), absolute(X))],
    "arctangent between": [le(arctan(W), W)],
    "arctangent above": [ge(arctan(W), W / sqrt(1 + W**2))],
    "equal angles": [eq(sin(X), sin(Y)), eq(X, Y)],
    "triangle": [eq(sin(X) * cos(Y) + cos(X) * sin(Y), sin(Z)), eq(X + Y + Z, PI)],
}

LITTLE = Settings(effort=300, boxes=200)
without_solvers = pytest.mark.skipif(installed.skipped() != (), reason="no solver is installed: pip install '.[smt]'")


def is_decided(conclusion: Statement, *hypotheses: Statement, effort: Settings = LITTLE) -> bool:
    """Whether everything that there is to be shown is decided, that all has a value included."""
    plan = Inquiry(conclusion, tuple(hypotheses)).plans[0]
    return all(_stands(item, effort, (ranges, exact, smt)) for item in plan)


def _stands(item: Obligation, effort: Settings, methods: Sequence[ModuleType]) -> bool:
    said = (asked(method, item, effort) for method in methods)
    return any(one is not None and one.verdict is Verdict.DECIDED for one in said)


# The oracle.


class NowhereError(ArithmeticError):
    """Something has no value at a point."""


def value(expression: Expression, at: Mapping[Symbol, mpmath.mpf]) -> mpmath.mpf:
    """The value with many digits.

    Raises:
        NowhereError: if there is none, or it is too close to where there is none.
    """
    match expression:
        case Number(number):
            return mpmath.mpf(number.numerator) / number.denominator
        case Symbol():
            return at[expression]
        case Apply("power", (base, Number(exponent))):
            below = value(base, at)
            if (exponent <= 0 and _is_zero(below)) or (exponent.denominator == 2 and below < 0):
                raise NowhereError(expression)
            return below ** (mpmath.mpf(exponent.numerator) / exponent.denominator)
        case Apply(name, operands):
            return _applied(name, [value(operand, at) for operand in operands])
    raise TypeError(expression)


def _is_zero(number: mpmath.mpf) -> bool:
    return abs(number) < mpmath.mpf(10) ** -35


def _applied(name: str, operands: list[mpmath.mpf]) -> mpmath.mpf:
    last = operands[-1]
    if name == "sqrt" and _is_zero(last):
        return mpmath.mpf(0)
    if (name == "divide" and _is_zero(last)) or (name == "log" and last <= 0) or (name == "sqrt" and last < 0):
        raise NowhereError(name)
    functions = {
        "add": mpmath.fadd,
        "subtract": mpmath.fsub,
        "multiply": mpmath.fmul,
        "divide": mpmath.fdiv,
        "negate": mpmath.fneg,
        "absolute": abs,
        "maximum": max,
        "minimum": min,
        "arctan": mpmath.atan,
    }
    return functions.get(name, getattr(mpmath, name, None))(*operands)


def holds_at(relation: Relation, at: Mapping[Symbol, mpmath.mpf]) -> bool:
    gap = value(relation.left, at) - value(relation.right, at)
    sign = 0 if abs(gap) < mpmath.mpf(10) ** -25 else int(mpmath.sign(gap))
    return sign in {"=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}}[relation.operator]


def _values_in(symbol: Symbol, source: random.Random) -> mpmath.mpf:
    """A number in the domain: a multiple of a twelfth of a turn, a small rational, its edge or any number."""
    domain = symbol.domain
    low = mpmath.mpf(-9) if domain.lower is None else mpmath.mpf(domain.lower.numerator) / domain.lower.denominator
    high = mpmath.mpf(9) if domain.upper is None else mpmath.mpf(domain.upper.numerator) / domain.upper.denominator
    while True:
        kind = source.randrange(4)
        if kind == 0:
            drawn = mpmath.pi * source.randrange(-24, 25) / 12
        elif kind == 1:
            drawn = mpmath.mpf(source.randrange(-6, 7)) / source.choice((1, 1, 2, 50))
        elif kind == 2:
            drawn = source.choice((low, high))
        else:
            drawn = low + (high - low) * mpmath.mpf(source.random())
        inside = low <= drawn <= high
        open_ends = (drawn == low and not domain.lower_closed) or (drawn == high and not domain.upper_closed)
        if inside and (not open_ends or (domain.lower is None and domain.upper is None)):
            return drawn


def points(statements: Sequence[Relation], number: int, seed: int) -> Iterator[dict[Symbol, mpmath.mpf]]:
    """Points at which the hypotheses hold, equations between angles among them."""
    source, (_, *hypotheses) = random.Random(seed), statements
    for _ in range(number):
        at = {symbol: _values_in(symbol, source) for symbol in symbols_of(*statements)}
        _satisfy(hypotheses, at, source)
        try:
            if all(holds_at(hypothesis, at) for hypothesis in hypotheses):
                yield at
        except NowhereError:
            continue


def _satisfy(hypotheses: Sequence[Relation], at: dict[Symbol, mpmath.mpf], source: random.Random) -> None:
    """Move a point to where equations between the angles hold, whole turns apart or supplementary."""
    symbols = list(at)
    if eq(X + Y + Z, PI) in hypotheses:
        at[Z] = mpmath.pi - at[X] - at[Y]
    elif any(hypothesis.operator == "=" for hypothesis in hypotheses) and len(symbols) > 1:
        turn = 2 * mpmath.pi * source.randrange(-1, 2)
        at[symbols[0]] = source.choice((at[symbols[1]] + turn, mpmath.pi - at[symbols[1]], -at[symbols[1]]))


def fails_somewhere(statements: Sequence[Statement], *, number: int = 600, seed: int = 7) -> bool:
    """Whether the first statement fails or has no value at one of the points at which the others hold."""
    written = [item for item in map(unfold_statement, statements) if isinstance(item, Relation)]
    with mpmath.workdps(50):
        for at in points(written, number, seed):
            try:
                if not holds_at(written[0], at):
                    return True
            except NowhereError:
                return True
    return False


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if place % 4 else []) for place, name in enumerate(FALSE)]
)
def test_nothing_that_fails_is_decided(name: str) -> None:
    assert fails_somewhere(FALSE[name])
    assert not is_decided(*FALSE[name])


@without_solvers
@pytest.mark.parametrize("name", TRUE)
def test_true_twins_are(name: str) -> None:
    assert not fails_somewhere(TRUE[name], number=100)
    assert is_decided(*TRUE[name], effort=Settings())


# Random statements: sides rewritten by rules, of which some hold everywhere and some do not.

SURE: Mapping[str, Sequence[Callable[[Expression], Expression]]] = {
    "sin": (
        lambda u: -sin(-u),
        lambda u: cos(PI / 2 - u),
        lambda u: 2 * sin(u / 2) * cos(u / 2),
        lambda u: sin(u + 2 * PI),
        lambda u: (3 * sin(u) - sin(3 * u)) / 4 + sin(u) * cos(u) ** 2,
    ),
    "cos": (
        lambda u: cos(-u),
        lambda u: sin(u + PI / 2),
        lambda u: 1 - 2 * sin(u / 2) ** 2,
        lambda u: -cos(u - PI),
        lambda u: cos(u / 2) ** 2 - sin(u / 2) ** 2,
    ),
    "arctan": (lambda u: -arctan(-u), lambda u: 2 * arctan(u / (1 + sqrt(1 + u**2))), lambda u: PI / 2 - acot(u)),
}
DOUBTFUL: Mapping[str, Sequence[Callable[[Expression], Expression]]] = {
    "sin": (lambda u: sqrt(1 - cos(u) ** 2), lambda u: sqrt((1 - cos(2 * u)) / 2), lambda u: sin(arctan(tan(u)))),
    "cos": (lambda u: sqrt(1 - sin(u) ** 2), lambda u: 1 / sqrt(1 + tan(u) ** 2), lambda u: sin(u) / tan(u)),
    "arctan": (lambda u: PI / 2 - arctan(1 / u), lambda u: asin(u), lambda u: arctan(u + 1) - PI / 4),
}


def acot(number: Expression) -> Expression:
    """The angle between 0 and half a turn with this cotangent, without a pole."""
    return 2 * arctan(sqrt(1 + number**2) - number)


def drawn(source: random.Random, *, with_inverse: bool) -> Expression:
    """A sum of products of sines and cosines, perhaps with an inverse tangent."""
    total: Expression = Number(Fraction(source.randrange(-2, 3)))
    for _ in range(source.randrange(1, 3)):
        term: Expression = Number(Fraction(source.choice((-2, -1, 1, 3))))
        for _ in range(source.randrange(1, 3)):
            inner = source.choice((X, Y, X + Y, 2 * X, X / 2, X + PI / source.choice((2, 3, 4, 6)), X * Y))
            functions = (sin, cos, arctan) if with_inverse else (sin, cos)
            term = term * source.choice(functions)(inner)
        total = total + term
    return total


def rewritten(
    expression: Expression,
    rules: Mapping[str, Sequence[Callable[[Expression], Expression]]],
    source: random.Random,
    share: float,
) -> Expression:
    """An expression with some of its functions rewritten by a rule."""
    children = tuple(rewritten(child, rules, source, share) for child in expression.children)
    match rebuild(expression, children):
        case Apply(name, (inner,)) if name in rules and not isinstance(inner, Number) and source.random() < share:
            return source.choice(rules[name])(inner)
        case changed:
            return changed


@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 10**9))
def test_what_is_rewritten_by_sure_rules_is_decided(seed: int) -> None:
    source = random.Random(seed)
    side = drawn(source, with_inverse=False)
    statement = eq(side, rewritten(side, SURE, source, 0.6))
    assert not fails_somewhere([statement], number=10, seed=seed)
    assert _stands(Obligation("claim", (), statement), LITTLE, (exact,))


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 10**9))
def test_no_random_statement_that_fails_is_decided(seed: int) -> None:
    source = random.Random(seed)
    side = drawn(source, with_inverse=True)
    other = rewritten(rewritten(side, SURE, source, 0.3), DOUBTFUL, source, 0.4)
    compare = source.choice((eq, eq, le, lt))
    statement = compare(side, other if compare is eq else other + source.choice((0, 1, 3)))
    if is_decided(statement):
        assert not fails_somewhere([statement], number=80, seed=seed)
