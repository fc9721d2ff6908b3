"""Plans of elementary obligations for the composite statements: each plan suffices to decide its statement.

The statements and what is given are unfolded: they hold no Derivative, Substitution or Call. Obligations that the
statement itself implies are marked *necessary*: only their refutation refutes the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, differentiate
from grpo_symbolic.language.composites import (
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.elements import sums_over
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, Total, free_indices, substitute
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
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
from grpo_symbolic.obligations import nearby
from grpo_symbolic.obligations.iterates import every_iterate
from grpo_symbolic.obligations.obligation import Obligation, Plan, domain_statement, holding_at, impossibility, parted

#: What a unique zero expands to: the first two are about its interval, the others about its two points.
ZERO_LABELS = (
    "bracket inside the interval",
    "strictly monotone",
    "sign at the lower point",
    "sign at the upper point",
)


def _signed(expression: Expression, positive: bool) -> Statement:
    return gt(expression, ZERO) if positive else lt(expression, ZERO)


def _slope(label: str, body: Expression, symbol: Symbol, given: tuple[Statement, ...], rising: bool) -> Obligation:
    """That a function, which has a value, has a derivative of one sign. Suffices on an interval, by the mean value.

    Raises:
        UnsupportedError: if no derivative can be written.
    """
    return Obligation(label, given, _signed(differentiate(body, symbol), rising), False, (body,))


def _monotone(statement: Monotone, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Compare two points, or show the sign of the derivative where the domain is not cut."""
    symbol, body, rising = statement.symbol, statement.expression, statement.increasing
    if sums_over(symbol, body):
        # Two points would differ at every output; the partial derivative is by the coordinate of one.
        if cut:
            raise DeclarationError(f"hypotheses restrict {symbol}, on which a sum depends")
        return ((_slope("sign of the derivative", body, symbol, given, rising),),)
    two_points = (_two_points("two points", body, symbol, given, rising),)
    if cut:
        return (two_points,)
    if symbol.domain.whole:
        return _monotone_in_steps(statement, given)
    try:
        sufficient = _slope("sign of the derivative", body, symbol, given, rising)
    except UnsupportedError:
        return (two_points,)
    # Two points drawn at random hardly ever lie where a function falls next to one point: its derivative tells.
    return (sufficient,), two_points, (_no_wrong_sign(body, symbol, given, rising), *two_points)


def _two_points(label: str, body: Expression, symbol: Symbol, known: tuple[Statement, ...], rising: bool) -> Obligation:
    """That a function compares at any two points as one does that rises, or falls."""
    other, hypotheses = two_values(symbol, known, body)
    later = substitute(body, {symbol: other})
    return Obligation(label, hypotheses, lt(body, later) if rising else gt(body, later))


def two_values(
    symbol: Symbol, known: tuple[Statement, ...], *beside: Expression
) -> tuple[Symbol, tuple[Statement, ...]]:
    """Another value of a symbol, named unlike all that there is, and that both are as is known, in this order."""
    other = _second(symbol, (*known, *(eq(item, ZERO) for item in beside)))
    copies = tuple(substitute_statement(item, {symbol: other}) for item in known)
    return other, (*known, *copies, lt(symbol, other))


def _monotone_in_steps(statement: Monotone, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """Compare each whole number with the next one; a derivative of one sign at all real numbers is enough as well."""
    symbol, body, rising = statement.symbol, statement.expression, statement.increasing
    last = symbol.domain.upper
    if last is not None and last == symbol.domain.lower:
        raise DeclarationError(f"{symbol} is always {last}, so that nothing rises or falls with it")
    inside = () if last is None else (lt(symbol, Number(last)),)
    after = substitute(body, {symbol: symbol + 1})
    step = Obligation("one step further", (*given, *inside), lt(body, after) if rising else gt(body, after))
    try:
        return (step,), (_slope("sign of the derivative", body, symbol, given, rising),)
    except UnsupportedError:
        return ((step,),)


def _no_wrong_sign(body: Expression, symbol: Symbol, given: tuple[Statement, ...], rising: bool) -> Obligation:
    """What monotonicity implies of the derivative, wherever there is one inside the domain."""
    slope, domain = differentiate(body, symbol), symbol.domain
    ends = (end for end in (domain.lower, domain.upper) if end is not None and end in domain)
    inside = tuple(ne(symbol, Number(end)) for end in ends)
    sign = ge(slope, ZERO) if rising else le(slope, ZERO)
    return Obligation("no wrong sign of the derivative", (*given, *inside, *side_conditions(slope)), sign)


def _second(symbol: Symbol, statements: Sequence[Statement]) -> Symbol:
    """Another value of a symbol, under a name that is not taken."""
    taken = {other.name for other in symbols_of(*statements)}
    name = f"{symbol.name}_2"
    while name in taken:
        name += "_2"
    return replace(symbol, name=name, latex=symbol.latex + "'")


def _limit(statement: Limit, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Bound the distance from the limit by the rate, near a point that the domain reaches."""
    body, distance, constant = statement.expression, statement.distance, statement.constant
    close = (*given, gt(distance, ZERO))
    obligations = [Obligation("constant is positive", given, gt(constant, ZERO)), *_approached(statement, given)]
    if statement.near is not None:
        close += (le(distance, statement.near),)
        obligations.append(Obligation("neighbourhood is positive", given, gt(statement.near, ZERO)))
    if statement.value is None:
        rate = constant * _power(distance, -statement.exponent)
        obligations.append(Obligation("diverges at least at the rate", close, ge(body, rate)))
    else:
        rate, gap = constant * _power(distance, statement.exponent), body - statement.value
        obligations.append(Obligation("rate from above", close, le(gap, rate)))
        obligations.append(Obligation("rate from below", close, ge(gap, -rate)))
    return (tuple(obligations),)


def _approached(statement: Limit, given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """That the domain of the symbol reaches up to the point, from the side in question."""
    domain, point, side = statement.symbol.domain, statement.point, statement.side
    if side == "oo":
        if domain.upper is not None:
            raise DeclarationError(f"{statement.symbol} in {domain} cannot tend to infinity")
        return
    # The point itself may be missing, but not what lies beside it.
    beside = replace(domain, lower_closed=side == "+", upper_closed=side == "-")
    if not domain.is_whole_line:
        reached = domain_statement(replace(statement.symbol, domain=beside), point)
        yield Obligation("point can be approached", given, reached)


def _power(base: Expression, exponent: Fraction) -> Expression:
    root = base if exponent.denominator == 1 else Apply("sqrt", (base,))
    steps = abs(exponent.numerator)
    whole = root if steps == 1 else root**steps
    return 1 / whole if exponent < 0 else whole


def _attained(
    point: str, symbol: Symbol, value: Expression, given: tuple[Statement, ...], cut: bool, *defined: Expression
) -> tuple[tuple[Statement, ...], Plan]:
    """That a value of a symbol lies in its domain and satisfies the hypotheses about it; before it, the others."""
    about, others = parted([symbol], given) if cut else ((), given)
    inside = Obligation(f"{point} lies in the domain", others, domain_statement(symbol, value), True, defined)
    return others, (inside, *holding_at(about, {symbol: value}, others, f"{point} satisfies the hypotheses"))


def _unique_root(statement: UniqueRoot, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The root is one, and nothing else is."""
    symbol, root, condition = statement.symbol, statement.root, statement.condition
    others, inside = _attained("root", symbol, root, given, cut)
    satisfied = substitute_statement(condition, {symbol: root})
    satisfying = Obligation("root satisfies the condition", others, satisfied)
    return ((*inside, satisfying, Obligation("nothing else does", (*given, condition), eq(symbol, root))),)


def _unique_zero(statement: UniqueZero, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """A strictly monotone function with opposite signs at two points."""
    symbol, body, rising = statement.symbol, statement.expression, statement.increasing
    below, above = statement.below, statement.above
    stated = ((gt, below, statement.lower), (lt, above, statement.upper))
    ends = [(beyond, point, end) for beyond, point, end in stated if end is not None]
    between = (*given, *(beyond(symbol, end) for beyond, _, end in ends))
    inside = [lt(below, above), *(beyond(point, end) for beyond, point, end in ends)]
    domains = [domain_statement(symbol, point) for point in (below, above)]
    low, high = (substitute(body, {symbol: point}) for point in (below, above))
    plan = (
        Obligation(ZERO_LABELS[0], given, All((*inside, *domains))),
        _slope(ZERO_LABELS[1], body, symbol, between, rising),
        Obligation(ZERO_LABELS[2], given, _signed(low, not rising)),
        Obligation(ZERO_LABELS[3], given, _signed(high, rising)),
    )
    # As for a monotone function, what cannot decide may refute, and is what samples are taken of.
    return plan, (_no_wrong_sign(body, symbol, between, rising), *plan)


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


def _zeros(statement: Zeros, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """A unique zero in each bracket, and no zero between them."""
    symbol, body = statement.symbol, statement.expression
    points = [point for bracket in statement.brackets for point in bracket]
    if not all(isinstance(point, Number) and point.value in symbol.domain for point in points):
        raise DeclarationError(f"brackets of zeros must lie in the domain of {symbol}")
    plan: list[Obligation] = []
    ends: list[Expression | None] = [None, *points, None]
    for number, (low, high) in enumerate(zip(ends[::2], ends[1::2], strict=True)):
        between = _restricted(symbol, low, high)
        if between.domain.lower != between.domain.upper:
            sign = _signed(substitute(body, {symbol: between}), statement.rising is (number % 2 == 1))
            where = f"sign before zero {number + 1}" if high is not None else "sign after the last zero"
            plan.append(Obligation(where, given, sign))
    for number, zero in enumerate(zeros_in_brackets(statement), start=1):
        for item in _unique_zero(zero, given, cut)[0]:
            plan.append(replace(item, label=f"zero {number}: {item.label}", necessary=item.label in ZERO_LABELS[2:]))
    return (tuple(plan),)


def _extremum(statement: Extremum, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Compare with every other point, or show the signs of the slope on both sides; only these show that it is sloped.

    Without a slope two points are compared on each side.
    """
    symbol, body, at = statement.symbol, statement.expression, statement.at
    value = substitute(body, {symbol: at})
    best = gt(body, value) if statement.minimum else lt(body, value)
    # The slopes say nothing of the value at the point itself.
    _, inside = _attained("point", symbol, at, given, cut, value)
    compared = [*inside, Obligation("better than any other point", (*given, ne(symbol, at)), best)]
    sides = [
        (where, beyond, compare, rising)
        for where, beyond, compare, end, rising in (
            ("before", lt, le, symbol.domain.lower, not statement.minimum),
            ("after", gt, ge, symbol.domain.upper, statement.minimum),
        )
        if not (isinstance(at, Number) and at.value == end)
    ]
    if statement.sloped:
        compared += [
            _two_points(f"two points {where}", body, symbol, (*given, compare(symbol, at)), rising)
            for where, _, compare, rising in sides
        ]
    try:
        slopes = [
            _slope(f"slope {where}", body, symbol, (*given, beyond(symbol, at)), rising)
            for where, beyond, _, rising in sides
        ]
        slope = differentiate(body, symbol)
        curvature = _slope("slope is monotone", slope, symbol, given, statement.minimum)
    except UnsupportedError:
        return (tuple(compared),)
    if cut:
        return (tuple(compared),)
    stationary = Obligation("stationary there", given, eq(substitute(slope, {symbol: at}), ZERO), False, (value,))
    curved = (*inside, stationary, replace(curvature, defined=(body, slope)))
    return (*inside, *slopes), tuple(compared), curved


def _summed(statement: Summed, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The weighted sum of the premise is a multiple of the conclusion, and the signs are kept."""
    sign, weight, scale = statement.premise.operator, statement.weight, statement.scale
    if sign == "!=" or statement.conclusion.operator != sign:
        raise DeclarationError(f"only relations of one and the same sign can be summed: {statement}")
    premise = statement.premise.left - statement.premise.right
    conclusion = statement.conclusion.left - statement.conclusion.right
    summed = eq(_summed_up(weight * premise, scale * conclusion), scale * conclusion)
    needed = {"weighted sum": summed, "scale does not vanish": ne(scale, ZERO)}
    if sign != "=":
        # A strict inequality stays strict: there is at least one output, and every weight is positive.
        weighted = gt(weight, ZERO) if sign in ("<", ">") else ge(weight, ZERO)
        needed = {"weighted sum": summed, "weights keep the sign": weighted, "scale is positive": gt(scale, ZERO)}
    return (tuple(Obligation(label, given, part, necessary=False) for label, part in needed.items()),)


def _summed_up(body: Expression, conclusion: Expression) -> Expression:
    """The sum over all elements of which a body is; if these are several ones, over those of which no conclusion is."""
    found = free_indices(body)
    if len(found) < 2:
        return Total(body)
    for over in sorted(set(found).difference(free_indices(conclusion)), key=found.index, reverse=True):
        body = Total(body, over)
    return body


def _impossible(statement: Impossible, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    return ((impossibility("never holds", (*given, statement.condition)),),)


def _term_of_total(statement: TermOfTotal, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    return ((Obligation("terms are not negative", given, ge(statement.body, ZERO)),),)


#: How each kind is expanded, and what an author writes instead of a hypothesis that cuts the interval it speaks of.
KINDS: Mapping[type[Statement], tuple[Callable[..., tuple[Plan, ...]], str | None]] = {
    Monotone: (_monotone, None),
    Limit: (_limit, "near for its neighbourhood"),
    UniqueRoot: (_unique_root, None),
    UniqueZero: (_unique_zero, "lower and upper for its interval"),
    Zeros: (_zeros, "brackets for its zeros"),
    Extremum: (_extremum, None),
    Impossible: (_impossible, None),
    Summed: (_summed, None),
    TermOfTotal: (_term_of_total, None),
    FixedPoint: (nearby.fixed_point, None),
    LocalExtremum: (nearby.local_extremum, None),
    Converges: (nearby.converges, "within for how far from the goal it may start"),
    SomeZero: (nearby.some_zero, "below and above for the two points"),
    EveryCycle: (nearby.every_cycle, "lower and upper for the interval"),
    EveryIterate: (every_iterate, None),
}


def plans_of(statement: Statement, given: tuple[Statement, ...], hypotheses: Sequence[Statement]) -> tuple[Plan, ...]:
    """The plans of a composite statement under what is given, which are hypotheses and what lemmas say.

    Where hypotheses may cut the domain of its symbol into pieces, the sign of a derivative decides nothing.

    Raises:
        DeclarationError: if hypotheses cut the interval on which a zero or a limit is claimed, or if a sum depends on
            the coordinate of which the statement speaks, in it or in what is given.
        UnsupportedError: for kinds that are not expanded here.
    """
    if type(statement) not in KINDS:
        raise UnsupportedError(f"no expansion for {type(statement).__name__}; say in obligations what has to be shown")
    expand, instead = KINDS[type(statement)]
    nearby.refuse_restricted(statement, hypotheses)
    symbol: Symbol | None = getattr(statement, "symbol", None)
    if symbol is None:
        return expand(statement, given, False)
    cut = bool(parted([symbol], hypotheses)[0])
    if cut and instead is not None:
        raise DeclarationError(f"hypotheses restrict {symbol}; use {instead}")
    if not isinstance(statement, Monotone) and sums_over(symbol, *expressions_of(statement)):
        raise DeclarationError(f"a sum depends on {symbol}, the coordinate of one of its terms")
    if sums_over(symbol, *expressions_of(given)):
        raise DeclarationError(f"a sum that is given depends on {symbol}, of which something is said at one element")
    return expand(statement, given, cut)
