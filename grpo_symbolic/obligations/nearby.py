"""Plans for the statements about what is near a point and what a map does: all that their principles ask for.

What they speak of is differentiated or has no jump, so it is continuous wherever it has a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ONE, ZERO, differentiate
from grpo_symbolic.language.elements import sums_over
from grpo_symbolic.language.expression import (
    CONTINUOUS,
    Apply,
    Expression,
    Number,
    Symbol,
    free_symbols,
    substitute,
    walk,
)
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.statement import (
    All,
    Any,
    Relation,
    Statement,
    eq,
    expressions_of,
    ge,
    gt,
    le,
    lt,
    ne,
)
from grpo_symbolic.language.unknown import Applied
from grpo_symbolic.obligations.obligation import (
    Obligation,
    Plan,
    domain_statement,
    domain_statements,
    parted,
    values_needed,
)
from grpo_symbolic.obligations.sums import sums_so_far

Matrix = tuple[tuple[Expression, ...], ...]


def fixed_point(statement: FixedPoint, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The point stays, and the eigenvalues of the derivative are where they have to be."""
    point = point_of(statement)
    there = tuple(substitute(step, point) for step in statement.steps)
    explicit = not (statement.flow or statement.successors)
    kept = All(tuple(eq(value, goal if explicit else ZERO) for value, goal in zip(there, statement.at, strict=True)))
    slopes = _slopes(statement.steps, statement.variables, point)
    stable = _of_flow if statement.flow else _of_steps
    if statement.successors:
        condition = _of_steps(slopes, statement.attracting, _slopes(statement.steps, statement.successors, point))
    else:
        condition = stable(slopes, statement.attracting)
    plan = (
        *_inside(point, given),
        *values_nearby(statement, statement.steps, given),
        Obligation("the point stays", given, kept, True, there),
        Obligation("attracts" if statement.attracting else "repels", given, condition, True, there),
    )
    return _with_ends(statement, statement.steps, given, plan)


def local_extremum(statement: LocalExtremum, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The first derivatives vanish, and the second one has a sign in all directions."""
    body, point = statement.expression, point_of(statement)
    first = tuple(differentiate(body, symbol) for symbol in statement.variables)
    second = _slopes(first, statement.variables, point)
    there = tuple(substitute(item, point) for item in (body, *first))
    sign = gt if statement.minimum else lt
    curved: tuple[Statement, ...] = (sign(second[0][0], ZERO),)
    if len(second) == 2:
        curved = (*curved, gt(_determinant(second), ZERO))
    plan = (
        *_inside(point, given),
        *values_nearby(statement, (body,), given),
        Obligation("stationary", given, All(tuple(eq(slope, ZERO) for slope in there[1:])), True, there),
        Obligation("second derivative", given, All(curved), True, there),
    )
    return _with_ends(statement, (body,), given, plan)


def converges(statement: Converges, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Steps stay where they may start and lead nearer; the goal, where it is a value of the symbol, is kept."""
    symbol, step, to = statement.symbol, statement.step, statement.to
    refuse_jumps(step, symbol)
    start = [ne(symbol, to)]
    obligations: list[Obligation] = []
    if statement.within is not None:
        start.append(lt(_distance(symbol, to), statement.within))
        obligations.append(Obligation("neighbourhood is positive", given, gt(statement.within, ZERO)))
    known = (*given, *start)
    reached, kept_if = True, given
    # A goal that is no end of the domain could not be approached: there would be starts on one side of it only.
    if not symbol.domain.is_whole_line:
        closure = replace(symbol, domain=replace(symbol.domain, lower_closed=True, upper_closed=True))
        obligations.append(Obligation("goal is a value or an end", given, domain_statement(closure, to)))
        obligations.append(Obligation("steps stay in the domain", known, domain_statement(symbol, step)))
        if isinstance(to, Number):
            reached = to.value in symbol.domain
        else:
            kept_if = (*given, domain_statement(symbol, to))
    if reached:
        obligations.append(Obligation("goal is kept", kept_if, eq(substitute(step, {symbol: to}), to)))
    nearer = lt(_distance(step, to), _distance(symbol, to))
    return ((*obligations, Obligation("steps lead nearer", known, nearer)),)


def some_zero(statement: SomeZero, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """Opposite signs at two points, and a value everywhere in between."""
    symbol, body, rising = statement.symbol, statement.expression, statement.rising
    low, high = (substitute(body, {symbol: end}) for end in (statement.below, statement.above))
    plan = (
        *_between(body, symbol, (statement.below, statement.above), given),
        Obligation("sign at the lower point", given, (lt if rising else gt)(low, ZERO)),
        Obligation("sign at the upper point", given, (gt if rising else lt)(high, ZERO)),
    )
    return (plan,)


def every_cycle(statement: EveryCycle, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """The three ends go where the images of the intervals need them."""
    ends = (statement.lower, statement.middle, statement.upper)
    low, middle, high = (substitute(statement.step, {statement.symbol: end}) for end in ends)
    plan = (
        *_between(statement.step, statement.symbol, ends, given),
        Obligation("lower end goes up to the upper one or beyond", given, ge(low, statement.upper)),
        Obligation("middle goes below the lower end", given, lt(middle, statement.lower)),
        Obligation("upper end goes up to the middle or beyond", given, ge(high, statement.middle)),
    )
    return (plan,)


def where(statement: Converges | SomeZero | EveryCycle, given: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The hypotheses under which a statement speaks of its function, which needs values there only."""
    symbol = statement.symbol
    match statement:
        case Converges(to=to, within=within):
            return given if within is None else (*given, lt(_distance(symbol, to), within))
        case SomeZero(below=first, above=last) | EveryCycle(lower=first, upper=last):
            return (*given, ge(symbol, first), le(symbol, last))


def spoken_of(statement: FixedPoint | LocalExtremum) -> tuple[Expression, ...]:
    """The functions of which a statement says what they do near its point."""
    return statement.steps if isinstance(statement, FixedPoint) else (statement.expression,)


def point_of(statement: FixedPoint | LocalExtremum) -> dict[Symbol, Expression]:
    """The point, by all symbols that run through what is near it."""
    values = statement.at * (len(running(statement)) // len(statement.variables))
    return dict(zip(running(statement), values, strict=True))


def running(statement: FixedPoint | LocalExtremum | EveryIterate) -> tuple[Symbol, ...]:
    """The symbols that a statement binds: they run through all that is near its point, or through the iterates."""
    return (*statement.variables, *(statement.successors if isinstance(statement, FixedPoint) else ()))


def refuse_restricted(statement: Statement, hypotheses: Sequence[Statement]) -> None:
    """Refuse hypotheses about symbols that a statement binds, and sums over coordinates of which it speaks.

    Raises:
        DeclarationError: where there are such.
    """
    if isinstance(statement, EveryIterate):
        for item in sums_so_far(statement, hypotheses)[1]:
            if item.change is not None and parted([item.sum.symbol], hypotheses)[0]:
                raise DeclarationError(f"hypotheses restrict {item.sum.symbol}, which runs through the terms of a sum")
        for symbol in statement.variables:
            if parted([symbol], hypotheses)[0]:
                raise DeclarationError(f"hypotheses restrict {symbol}, which runs through the iterates; use where")
            if sums_over(symbol, *expressions_of(statement)):
                raise DeclarationError(f"a sum depends on {symbol}, the coordinate of one of its terms")
    if not isinstance(statement, FixedPoint | LocalExtremum):
        return
    named = {symbol for value in statement.at for symbol in free_symbols(value)}
    for symbol in running(statement):
        # A letter that names a coordinate of the point as well is one that hypotheses may speak of.
        if symbol not in named and parted([symbol], hypotheses)[0]:
            raise DeclarationError(f"hypotheses restrict {symbol}, which runs through all that is near the point")
        if sums_over(symbol, *spoken_of(statement)):
            raise DeclarationError(f"a sum depends on {symbol}, the coordinate of one of its terms")


def _slopes(bodies: Iterable[Expression], symbols: Sequence[Symbol], point: Mapping[Symbol, Expression]) -> Matrix:
    """The derivative at a point, a row for each function."""
    return tuple(tuple(substitute(differentiate(body, symbol), point) for symbol in symbols) for body in bodies)


def _determinant(matrix: Matrix) -> Expression:
    (a, b), (c, d) = matrix
    return a * d - b * c


def _of_steps(old: Matrix, attracting: bool, new: Matrix | None = None) -> Statement:
    """That the zeros of det(mu new + old) lie inside of the unit circle, or that one lies outside.

    Without ``new``, of det(mu - old). The sign of mu does not matter for one zero, and nor does that of both.
    """
    if len(old) == 1:
        slope = old[0][0] if new is None else old[0][0] / new[0][0]
        return All((lt(slope, ONE), gt(slope, -ONE))) if attracting else Any((gt(slope, ONE), lt(slope, -ONE)))
    (a, b), (c, d) = old
    if new is None:
        trace, last = a + d, _determinant(old)
        signs = [ONE - trace + last, ONE + trace + last, ONE - last]
        return All(tuple(gt(sign, ZERO) for sign in signs)) if attracting else Any(tuple(lt(s, ZERO) for s in signs))
    (e, f), (g, h) = new
    leading, middle, last = _determinant(new), e * d + a * h - f * c - b * g, _determinant(old)
    signs = [leading * part for part in (leading + middle + last, leading - middle + last, leading - last)]
    if attracting:
        return All(tuple(gt(sign, ZERO) for sign in signs))
    return All((ne(leading, ZERO), Any(tuple(lt(sign, ZERO) for sign in signs))))


def _of_flow(slopes: Matrix, attracting: bool) -> Statement:
    """That the eigenvalues have negative real parts, or that one has a positive one."""
    if len(slopes) == 1:
        return (lt if attracting else gt)(slopes[0][0], ZERO)
    trace, determinant = slopes[0][0] + slopes[1][1], _determinant(slopes)
    if attracting:
        return All((lt(trace, ZERO), gt(determinant, ZERO)))
    return Any((gt(trace, ZERO), lt(determinant, ZERO)))


def _moving_roots(statement: FixedPoint | LocalExtremum, conditions: Iterable[Relation]) -> tuple[Relation, ...]:
    """That radicands are not negative, of those that change next to the point."""
    moving = frozenset(running(statement))
    return tuple(
        item for item in conditions if item.operator == ">=" and not moving.isdisjoint(free_symbols(item.left))
    )


def _with_ends(
    statement: FixedPoint | LocalExtremum, bodies: Iterable[Expression], given: tuple[Statement, ...], plan: Plan
) -> tuple[Plan, ...]:
    """A plan, and another one that may refute: radicands are positive at the point or have a valley there."""
    point, ends = point_of(statement), list[Obligation]()
    for number, item in enumerate(_moving_roots(statement, values_needed(bodies)), start=1):
        first = [differentiate(item.left, symbol) for symbol in running(statement)]
        second = [differentiate(slope, symbol) for slope, symbol in zip(first, running(statement), strict=True)]
        radicand, *derivatives = (substitute(part, point) for part in (item.left, *first, *second))
        slopes, bends = derivatives[: len(first)], derivatives[len(first) :]
        valley = All((eq(radicand, ZERO), *(eq(part, ZERO) for part in slopes), *(ge(part, ZERO) for part in bends)))
        known = (*given, *values_needed(derivatives))
        ends.append(Obligation(f"radicand {number}", known, Any((gt(radicand, ZERO), valley)), True, (radicand,)))
    return (plan, (*ends, *plan)) if ends else (plan,)


def _inside(point: Mapping[Symbol, Expression], given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """That a point lies inside of the domains, and not at their ends."""
    inside = tuple(dict.fromkeys(domain_statements({_opened(symbol): value for symbol, value in point.items()})))
    if inside:
        yield Obligation("the point lies inside", given, All(inside))


def values_nearby(
    statement: FixedPoint | LocalExtremum,
    bodies: Iterable[Expression],
    given: tuple[Statement, ...],
    label: str = "values nearby",
) -> Iterator[Obligation]:
    """That functions have values at the point of a statement and next to it."""
    point, needed = point_of(statement), values_needed(bodies)
    # A root may have no value next to where its radicand vanishes, although it has one there.
    roots = _moving_roots(statement, needed)
    strict = (gt(item.left, item.right) if item in roots else item for item in needed)
    nearby = (Relation(substitute(item.left, point), item.operator, item.right) for item in strict)
    conditions = tuple(dict.fromkeys(nearby))
    if conditions:
        yield Obligation(label, given, All(conditions), necessary=not roots)


def _opened(symbol: Symbol) -> Symbol:
    """The symbol without the ends of its domain."""
    return replace(symbol, domain=replace(symbol.domain, lower_closed=False, upper_closed=False))


def _between(
    body: Expression, symbol: Symbol, ends: tuple[Expression, ...], given: tuple[Statement, ...]
) -> Iterator[Obligation]:
    """That points increase and lie in the domain, and that a function has a value from the first to the last one."""
    refuse_jumps(body, symbol)
    increasing = tuple(lt(first, second) for first, second in pairwise(ends))
    domains = domain_statements({symbol: ends[0]}) + domain_statements({symbol: ends[-1]})
    yield Obligation("points inside the interval", given, All((*increasing, *domains)))
    conditions = values_needed((body,))
    if conditions:
        between = (*given, ge(symbol, ends[0]), le(symbol, ends[-1]))
        yield Obligation("values between the points", between, All(conditions))


def refuse_jumps(body: Expression, symbol: Symbol) -> None:
    """Refuse what jumps, and what is not known to be continuous where it has values.

    Raises:
        UnsupportedError: for the sign of something that depends on the symbol, integrals, series and limits of it, and
            unknown functions that are not said to be continuous.
    """
    for node in walk(body):
        jumps = isinstance(node, Apply) and node.operator not in CONTINUOUS
        if isinstance(node, Applied) and node.function.derivatives is None and symbol in free_symbols(node):
            raise UnsupportedError(f"{node.sign} may jump, and what is stated of {symbol} needs a continuous function")
        # The limit of continuous functions may jump, and so may an integral or a series.
        if (jumps or node.bound is not None) and symbol in free_symbols(node):
            raise UnsupportedError(f"{node} may jump, and what is stated of {symbol} needs a continuous function")


def _distance(first: Expression, second: Expression) -> Expression:
    return Apply("absolute", (first - second,))
