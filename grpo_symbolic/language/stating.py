"""How an author states things: short constructors for statements that are not relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_all, require_mapping, told
from grpo_symbolic.language.composites import Existence, Impossible, Limit, Monotone
from grpo_symbolic.language.expression import Expression, Number, Scalar, Symbol, as_expression
from grpo_symbolic.language.nearby import Converges, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Statement
from grpo_symbolic.language.unknown import ForEvery, UnknownFunction


def both(*parts: Statement) -> All:
    """Every part holds."""
    return All(require_all(parts, Statement, "both"))


def either(*parts: Statement) -> Any:
    """At least one part holds."""
    return Any(require_all(parts, Statement, "either"))


def implies(premise: Statement, conclusion: Statement) -> Implies:
    """The conclusion holds wherever the premise does."""
    return Implies(require(premise, Statement, "implies"), require(conclusion, Statement, "implies"))


def iff(left: Statement, right: Statement) -> Equivalent:
    """Both statements hold at the same points."""
    return Equivalent(require(left, Statement, "iff"), require(right, Statement, "iff"))


def increasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly increasing in the symbol."""
    return Monotone(as_expression(expression), symbol, True)


def decreasing(expression: Expression, symbol: Symbol) -> Monotone:
    """The expression is strictly decreasing in the symbol."""
    return Monotone(as_expression(expression), symbol, False)


def tends_to(
    expression: Expression,
    value: Scalar | None,
    symbol: Symbol,
    *,
    to: Scalar | None,
    side: str,
    constant: Scalar,
    exponent: int | Fraction = 1,
    near: Scalar | None = None,
) -> Limit:
    """A limit with an explicit rate; ``value=None`` means +infinity, ``to=None`` with side "oo" infinity.

    Raises:
        DeclarationError: as ``Limit`` does.
    """
    rate = as_expression(exponent)
    if not isinstance(rate, Number):
        raise DeclarationError(f"limit rate exponent {rate} is not a positive half-integer")
    point = as_expression(0 if to is None else to)
    target = None if value is None else as_expression(value)
    close = None if near is None else as_expression(near)
    return Limit(as_expression(expression), symbol, point, side, target, as_expression(constant), rate.value, close)


def attracts(
    step: Mapping[Symbol, Expression], at: Scalar | Sequence[Scalar], *, next_values: Sequence[Symbol] = ()
) -> FixedPoint:
    """The fixed point ``at`` of the steps from each symbol to its expression attracts what starts nearby.

    With ``next_values`` the expressions are equations that vanish at the next values, which have these names.
    """
    require_mapping(step, Symbol, "a step from each symbol to an expression")
    names = require_all(next_values, Symbol, "next_values")
    return FixedPoint(tuple(step), _coordinates(tuple(step.values())), _coordinates(at), True, names)


def repels(
    step: Mapping[Symbol, Expression], at: Scalar | Sequence[Scalar], *, next_values: Sequence[Symbol] = ()
) -> FixedPoint:
    """The fixed point repels what starts nearby; as for ``attracts``."""
    return replace(attracts(step, at, next_values=next_values), attracting=False)


def attracts_flow(rates: Mapping[Symbol, Expression], at: Scalar | Sequence[Scalar]) -> FixedPoint:
    """The rest point ``at`` of a flow with these rates of change attracts what starts nearby."""
    return replace(attracts(rates, at), flow=True)


def local_maximum(expression: Expression, at: Mapping[Symbol, Scalar]) -> LocalExtremum:
    """The expression has a strict local maximum at these values of its variables."""
    require_mapping(at, Symbol, "the point of a local extremum")
    return LocalExtremum(as_expression(expression), tuple(at), _coordinates(tuple(at.values())))


def local_minimum(expression: Expression, at: Mapping[Symbol, Scalar]) -> LocalExtremum:
    """The expression has a strict local minimum at these values of its variables."""
    return replace(local_maximum(expression, at), minimum=True)


def converges(step: Expression, symbol: Symbol, to: Scalar, *, within: Scalar | None = None) -> Converges:
    """Steps from the symbol to ``step`` lead nearer to ``to``, and their iterates converge to it."""
    return Converges(as_expression(step), symbol, as_expression(to), None if within is None else as_expression(within))


def some_zero(expression: Expression, symbol: Symbol, below: Scalar, above: Scalar, *, rising: bool) -> SomeZero:
    """The expression changes its sign between two values of the symbol, and so has a zero there."""
    return SomeZero(as_expression(expression), symbol, as_expression(below), as_expression(above), rising)


def every_iterate(
    kept: Statement,
    steps: Mapping[Symbol, Scalar],
    start: Mapping[Symbol, Scalar],
    *,
    where: Statement | None = None,
    such_as: Mapping[Symbol, Scalar] | None = None,
) -> EveryIterate:
    """By induction: from the start on, ``kept`` holds after any number of steps from each symbol to its expression.

    ``where`` is what holds between an iterate and the next, if the steps are not given by a formula. With the values
    that ``such_as`` gives to its letters it holds wherever ``kept`` does, so that no run ends:
    ``every_iterate(ge(x, 0), {x: x + y}, {x: 0}, where=gt(y, 0), such_as={y: 1})``.

    Raises:
        DeclarationError: if a symbol has a step and no start, or the other way round.
    """
    require_mapping(steps, Symbol, "the steps of an induction")
    require_mapping(start, Symbol, "the start of an induction")
    for symbol in (*steps, *start):
        if symbol not in steps or symbol not in start:
            raise DeclarationError(f"{symbol} needs {'a start' if symbol in steps else 'a step'}, or nothing is shown")
    moves, begin = (tuple(as_expression(values[symbol]) for symbol in steps) for values in (steps, start))
    values = {} if such_as is None else such_as
    require_mapping(values, Symbol, "such_as")
    chosen = tuple((symbol, as_expression(value)) for symbol, value in values.items())
    return EveryIterate(kept, tuple(steps), moves, begin, where, such_as=chosen)


def by_induction(kept: Statement, symbol: Symbol, *, changes: Sequence[tuple[Scalar, Scalar]] = ()) -> EveryIterate:
    """``kept`` holds for every whole number of the symbol's domain: for the first one, and after each for the next one.

    Sums up to the number may stand in it, see ``sum_of``. If it occurs in their terms f(k), ``changes`` has for each
    such sum a factor r and an expression g of the index: at the next number the terms are r f(k) + g(k + 1) - g(k).

    Raises:
        DeclarationError: if it is no symbol or not whole, or its domain has no first number or a last one, and where
            changes are no pairs.
    """
    if not isinstance(symbol, Symbol):
        raise DeclarationError(f"an induction is along a symbol, and {told(symbol)} is none")
    for change in require_all(changes, object, "changes of terms"):
        if isinstance(change, tuple | list) and len(change) == 2:
            continue
        raise DeclarationError("changes of terms are a list of pairs, each of a factor and an expression: [(r, g)]")
    first = symbol.domain.lower
    if not symbol.domain.whole or first is None:
        raise DeclarationError(f"an induction along {symbol} has no base: its domain is {symbol.domain}")
    if symbol.domain.upper is not None:
        raise DeclarationError(f"an induction along {symbol} ends in {symbol.domain}, where no step can be taken")
    counting = every_iterate(kept, {symbol: symbol + 1}, {symbol: Number(first)})
    return replace(counting, changes=tuple((as_expression(factor), as_expression(shift)) for factor, shift in changes))


def _coordinates(at: Scalar | Sequence[Scalar]) -> tuple[Expression, ...]:
    return tuple(map(as_expression, at)) if isinstance(at, Sequence) else (as_expression(at),)


def for_every(
    symbol: Symbol, body: Statement, *, such_as: Mapping[UnknownFunction, Scalar], where: Statement | None = None
) -> ForEvery:
    """The hypothesis that ``body``, about unknown functions, holds for every value of the symbol.

    ``such_as`` has an example of each of them: ``for_every(x, gt(f(x), 0), such_as={f: x**2 + 1})``. With ``where`` the
    examples are like this where that holds, such as the constant sequence of a fixed point.
    """
    return ForEvery(symbol, body, _examples(such_as), where)


def _examples(such_as: Mapping[UnknownFunction, Scalar]) -> tuple[tuple[UnknownFunction, Expression], ...]:
    require_mapping(such_as, UnknownFunction, "such_as")
    return tuple((function, as_expression(value)) for function, value in such_as.items())


def has_limit(
    term: Expression,
    symbol: Symbol,
    to: Scalar,
    *,
    by: Scalar | None = None,
    such_as: Mapping[UnknownFunction, Scalar] | None = None,
) -> SequenceLimit:
    """The term tends to ``to`` as the whole number grows: ``has_limit(s(n), n, L, such_as={s: L})`` as a hypothesis.

    As what is stated, the distance of the term is at most ``by``, which is made of what is supposed to tend and tends
    to 0; without it the term itself is made of that.
    """
    bound = None if by is None else as_expression(by)
    return SequenceLimit(as_expression(term), symbol, as_expression(to), bound, _examples(such_as or {}))


def limit_superior(
    term: Expression, symbol: Symbol, most: Scalar, *, by: Scalar, where: Statement | None = None
) -> LimitSuperior:
    """The limit superior of the term is at most ``most``: for every number the term is at most ``by``.

    ``where`` is what else is known of every number, with letters that may be others at each of them. It speaks of the
    number in sequences only, so that it can hold of every number if it can hold at all.
    """
    return LimitSuperior(as_expression(term), symbol, as_expression(most), as_expression(by), where)


def in_the_limit(conclusion: Statement, symbol: Symbol, *, because: Statement) -> InTheLimit:
    """The conclusion follows from what ``because``, which holds for every number, becomes in the limit."""
    return InTheLimit(conclusion, symbol, because)


def rises_to_a_limit(term: Expression, symbol: Symbol, *, at_most: Scalar) -> MonotoneLimit:
    """The term never falls as the whole number grows and is bounded, so it has a limit."""
    return MonotoneLimit(as_expression(term), symbol, as_expression(at_most), True)


def falls_to_a_limit(term: Expression, symbol: Symbol, *, at_least: Scalar) -> MonotoneLimit:
    """The term never rises as the whole number grows and is bounded, so it has a limit."""
    return MonotoneLimit(as_expression(term), symbol, as_expression(at_least), False)


def never(condition: Statement) -> Impossible:
    """The condition holds nowhere: the other half of a proof by contradiction, or that there is no such point."""
    return Impossible(condition)


def instance(statement: Statement, at: Mapping[Symbol, Scalar]) -> Existence:
    """The statement holds at these values: a claim of existence that shows its witness."""
    require_mapping(at, Symbol, "the values of a witness")
    witness = tuple((symbol, as_expression(value)) for symbol, value in at.items())
    return Existence(require(statement, Statement, "instance"), witness)
