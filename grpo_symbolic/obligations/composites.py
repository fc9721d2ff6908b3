"""Plans of elementary obligations for the composite statements: each plan suffices to decide its statement.

The statements and what is given are unfolded: they hold no Derivative, Substitution or Call. Obligations that the
statement itself implies are marked *necessary*: only their refutation refutes the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, differentiate
from grpo_symbolic.language.composites import Extremum, Limit, Monotone, Summed, UniqueRoot, UniqueZero, Zeros
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, Total, free_symbols, substitute, walk
from grpo_symbolic.language.indexed import index_set_of
from grpo_symbolic.language.statement import (
    All,
    Statement,
    eq,
    expressions_of,
    ge,
    gt,
    le,
    lt,
    ne,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.obligations.obligation import Obligation, Plan, domain_statement

#: What a unique zero expands to: the first two are about its interval, the others about its two points.
ZERO_LABELS = (
    "bracket inside the interval",
    "strictly monotone",
    "sign at the lower point",
    "sign at the upper point",
)


def require_whole(symbol: Symbol, hypotheses: Sequence[Statement], instead: str) -> None:
    """Refuse hypotheses that cut the interval of which a statement speaks."""
    if restricts(symbol, hypotheses):
        raise DeclarationError(f"hypotheses restrict {symbol}; use {instead}")


def _require_one_coordinate(symbol: Symbol, *expressions: Expression) -> None:
    """Refuse sums that change with the coordinate of every output, where a statement is about that of one."""
    if _summed_over(symbol, *expressions):
        raise DeclarationError(f"a sum depends on {symbol}, the coordinate of one of its terms")


def _summed_over(symbol: Symbol, *expressions: Expression) -> bool:
    totals = (node for item in expressions for node in walk(item) if isinstance(node, Total))
    return symbol.indexed is not None and any(symbol in free_symbols(total) for total in totals)


def restricts(symbol: Symbol, hypotheses: Sequence[Statement]) -> bool:
    """Whether hypotheses may cut the symbol's domain into pieces, so that a derivative's sign decides nothing."""
    return any(symbol in symbols_of(hypothesis) for hypothesis in hypotheses)


def holding_at(
    about: tuple[Statement, ...], values: dict[Symbol, Expression], given: tuple[Statement, ...], label: str
) -> Plan:
    """That hypotheses hold at values of the symbols that they restrict."""
    if not about:
        return ()
    there = All(tuple(substitute_statement(item, values) for item in about))
    return (Obligation(label, given, there),)


def _parted(symbol: Symbol, given: tuple[Statement, ...]) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Hypotheses that restrict a symbol, which must hold at its particular value as well, and the others."""
    about = tuple(item for item in given if restricts(symbol, [item]))
    return about, tuple(item for item in given if item not in about)


def monotone(statement: Monotone, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Compare two points, or show the sign of the derivative where the domain is not cut."""
    symbol, body = statement.symbol, statement.expression
    if _summed_over(symbol, body):
        # Two points would differ at every output; the partial derivative is by the coordinate of one.
        if cut:
            raise DeclarationError(f"hypotheses restrict {symbol}, on which a sum depends")
        return ((_sign_of_derivative(statement, body, given),),)
    other = _second(symbol, (*given, eq(body, ZERO)))
    later = substitute(body, {symbol: other})
    copies = tuple(substitute_statement(hypothesis, {symbol: other}) for hypothesis in given)
    comparison = lt(body, later) if statement.increasing else gt(body, later)
    two_points = Obligation("two points", (*given, *copies, lt(symbol, other)), comparison)
    # The sign of the derivative decides only on an interval.
    if cut:
        return ((two_points,),)
    try:
        sufficient = _sign_of_derivative(statement, body, given)
    except UnsupportedError:
        return ((two_points,),)
    # Two points drawn at random hardly ever lie where a function falls next to one point: its derivative tells.
    return (sufficient,), (two_points,), (_no_wrong_sign(statement, body, given), two_points)


def _sign_of_derivative(statement: Monotone, body: Expression, given: tuple[Statement, ...]) -> Obligation:
    slope = differentiate(body, statement.symbol)
    sign = gt(slope, ZERO) if statement.increasing else lt(slope, ZERO)
    return Obligation("sign of the derivative", given, sign, False, (body,))


def _no_wrong_sign(statement: Monotone, body: Expression, given: tuple[Statement, ...]) -> Obligation:
    """What monotonicity implies of the derivative, wherever there is one inside the domain."""
    symbol = statement.symbol
    slope = differentiate(body, symbol)
    inside = tuple(ne(symbol, Number(end)) for end in symbol.domain.closed_ends)
    sign = ge(slope, ZERO) if statement.increasing else le(slope, ZERO)
    return Obligation("no wrong sign of the derivative", (*given, *inside, *side_conditions(slope)), sign)


def _second(symbol: Symbol, statements: Sequence[Statement]) -> Symbol:
    """Another value of a symbol, under a name that is not taken."""
    taken = {other.name for other in symbols_of(*statements)}
    name = f"{symbol.name}_2"
    while name in taken:
        name += "_2"
    return replace(symbol, name=name, latex=symbol.latex + "'")


def limit(statement: Limit, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """Bound the distance from the limit by the rate, near a point that the domain reaches."""
    body, distance, constant = statement.expression, statement.distance, statement.constant
    _require_one_coordinate(statement.symbol, body)
    close: tuple[Statement, ...] = (gt(distance, ZERO),)
    obligations = [Obligation("constant is positive", given, gt(constant, ZERO))]
    obligations += _approached(statement, given)
    if statement.near is not None:
        near = statement.near
        close += (le(distance, near),)
        obligations.append(Obligation("neighbourhood is positive", given, gt(near, ZERO)))
    if statement.value is None:
        rate = constant * _power(distance, -statement.exponent)
        obligations.append(Obligation("diverges at least at the rate", (*given, *close), ge(body, rate)))
    else:
        rate = constant * _power(distance, statement.exponent)
        gap = body - statement.value
        obligations.append(Obligation("rate from above", (*given, *close), le(gap, rate)))
        obligations.append(Obligation("rate from below", (*given, *close), ge(gap, -rate)))
    return (tuple(obligations),)


def _approached(statement: Limit, given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """That the domain of the symbol reaches up to the point, from the side in question."""
    domain, point, side = statement.symbol.domain, statement.point, statement.side
    if side == "oo":
        if domain.upper is not None:
            raise DeclarationError(f"{statement.symbol} in {domain} cannot tend to infinity")
        return
    parts = list[Statement]()
    if domain.lower is not None:
        parts.append((ge if side == "+" else gt)(point, Number(domain.lower)))
    if domain.upper is not None:
        parts.append((lt if side == "+" else le)(point, Number(domain.upper)))
    if parts:
        yield Obligation("point can be approached", given, All(tuple(parts)))


def _power(base: Expression, exponent: Fraction) -> Expression:
    whole = base if abs(exponent) == 1 else base ** abs(exponent)
    if abs(exponent).denominator == 2:
        root = Apply("sqrt", (base,))
        steps = abs(exponent).numerator
        whole = root if steps == 1 else root**steps
    return 1 / whole if exponent < 0 else whole


def unique_root(statement: UniqueRoot, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The root is one, and nothing else is."""
    symbol, root = statement.symbol, statement.root
    condition = statement.condition
    _require_one_coordinate(symbol, *expressions_of(condition))
    about, others = _parted(symbol, given) if cut else ((), given)
    satisfied = holding_at(about, {symbol: root}, others, "root satisfies the hypotheses")
    return (
        (
            Obligation("root lies in the domain", others, domain_statement(symbol, root)),
            *satisfied,
            Obligation("root satisfies the condition", others, substitute_statement(condition, {symbol: root})),
            Obligation("nothing else does", (*given, condition), eq(symbol, root)),
        ),
    )


def unique_zero(statement: UniqueZero, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """A strictly monotone function with opposite signs at two points."""
    symbol, body = statement.symbol, statement.expression
    below, above = statement.below, statement.above
    between: tuple[Statement, ...] = ()
    inside: list[Statement] = [lt(below, above)]
    if statement.lower is not None:
        between += (gt(symbol, statement.lower),)
        inside.append(gt(below, statement.lower))
    if statement.upper is not None:
        between += (lt(symbol, statement.upper),)
        inside.append(lt(above, statement.upper))
    inside += [domain_statement(symbol, point) for point in (below, above)]
    _require_one_coordinate(symbol, body)
    low, high = (substitute(body, {symbol: point}) for point in (below, above))
    slope = differentiate(body, symbol)
    up = statement.increasing
    return (
        (
            Obligation(ZERO_LABELS[0], given, All(tuple(inside)), necessary=False),
            Obligation(
                ZERO_LABELS[1],
                (*given, *between),
                gt(slope, ZERO) if up else lt(slope, ZERO),
                False,
                (body,),
            ),
            Obligation(ZERO_LABELS[2], given, lt(low, ZERO) if up else gt(low, ZERO), necessary=False),
            Obligation(ZERO_LABELS[3], given, gt(high, ZERO) if up else lt(high, ZERO), necessary=False),
        ),
    )


def zeros_in_brackets(statement: Zeros) -> tuple[UniqueZero, ...]:
    """The zero in each bracket, as the only one of the symbol restricted to that bracket."""
    return tuple(
        UniqueZero(expression, unknown, low, high, rising)
        for number, (low, high) in enumerate(statement.brackets)
        for rising in [statement.rising is (number % 2 == 0)]
        for unknown in [_restricted(statement.symbol, low, high)]
        for expression in [substitute(statement.expression, {statement.symbol: unknown})]
    )


def _restricted(symbol: Symbol, low: Expression | None, high: Expression | None) -> Symbol:
    """The symbol on the part of its domain between two numbers, which belong to it; None for the domain's end."""
    domain = symbol.domain
    if isinstance(low, Number):
        domain = replace(domain, lower=low.value, lower_closed=True)
    if isinstance(high, Number):
        domain = replace(domain, upper=high.value, upper_closed=True)
    return replace(symbol, domain=domain)


def zeros(statement: Zeros, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """A unique zero in each bracket, and no zero between them."""
    symbol, body, domain = statement.symbol, statement.expression, statement.symbol.domain
    _require_one_coordinate(symbol, body)
    points = [point for bracket in statement.brackets for point in bracket]
    if not all(isinstance(point, Number) and point.value in domain for point in points):
        raise DeclarationError(f"brackets of zeros must lie in the domain of {symbol}")
    plan: list[Obligation] = []
    ends: list[Expression | None] = [None, *points, None]
    for number, (low, high) in enumerate(zip(ends[::2], ends[1::2], strict=True)):
        between = _restricted(symbol, low, high)
        if between.domain.lower != between.domain.upper:
            value = substitute(body, {symbol: between})
            sign = gt(value, ZERO) if statement.rising is (number % 2 == 1) else lt(value, ZERO)
            where = f"sign before zero {number + 1}" if high is not None else "sign after the last zero"
            plan.append(Obligation(where, given, sign))
    for number, zero in enumerate(zeros_in_brackets(statement), start=1):
        for item in unique_zero(zero, given)[0]:
            plan.append(replace(item, label=f"zero {number}: {item.label}", necessary=item.label in ZERO_LABELS[2:]))
    return (tuple(plan),)


def extremum(statement: Extremum, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Compare with every other point, or show the signs of the slope on both sides."""
    symbol, body, at = statement.symbol, statement.expression, statement.at
    _require_one_coordinate(symbol, body)
    value = substitute(body, {symbol: at})
    best = gt(body, value) if statement.minimum else lt(body, value)
    about, others = _parted(symbol, given) if cut else ((), given)
    # The slopes say nothing of the value at the point itself.
    inside = (
        Obligation("point lies in the domain", others, domain_statement(symbol, at), True, (value,)),
        *holding_at(about, {symbol: at}, others, "point satisfies the hypotheses"),
    )
    compared = (*inside, Obligation("better than any other point", (*given, ne(symbol, at)), best))
    try:
        slope = differentiate(body, symbol)
    except UnsupportedError:
        return (compared,)
    falling, rising = lt(slope, ZERO), gt(slope, ZERO)
    before, after = (falling, rising) if statement.minimum else (rising, falling)
    slopes = list(inside)
    if not _is_number(at, symbol.domain.lower):
        slopes.append(Obligation("slope before", (*given, lt(symbol, at)), before, False, (body,)))
    if not _is_number(at, symbol.domain.upper):
        slopes.append(Obligation("slope after", (*given, gt(symbol, at)), after, False, (body,)))
    return (compared,) if cut else (tuple(slopes), compared)


def _is_number(expression: Expression, value: Fraction | None) -> bool:
    return isinstance(expression, Number) and expression.value == value


def summed(statement: Summed, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """The weighted sum of the premise is a multiple of the conclusion, and the signs are kept."""
    sign = statement.premise.operator
    if sign == "!=" or statement.conclusion.operator != sign:
        raise DeclarationError(f"only relations of one and the same sign can be summed: {statement}")
    premise = statement.premise.left - statement.premise.right
    conclusion = statement.conclusion.left - statement.conclusion.right
    weight, scale = statement.weight, statement.scale
    identity = eq(Total(weight * premise), scale * conclusion)
    summed = Obligation(f"sum over the {index_set_of(statement).elements}", given, identity, necessary=False)
    if sign == "=":
        return ((summed, Obligation("scale does not vanish", given, ne(scale, ZERO), necessary=False)),)
    # A strict inequality stays strict: there is at least one output, and every weight is positive.
    weighted = gt(weight, ZERO) if sign in ("<", ">") else ge(weight, ZERO)
    return (
        (
            summed,
            Obligation("weights keep the sign", given, weighted, necessary=False),
            Obligation("scale is positive", given, gt(scale, ZERO), necessary=False),
        ),
    )
