"""Expand statements into elementary obligations, and collect what must hold for them to be defined.

An Obligation says: for all values of the symbols in their domains, if the hypotheses hold then the
conclusion holds, all of them Boolean combinations of relations without Derivative or Substitution.

A statement expands to plans. Each plan suffices to decide the statement. Obligations that the
statement itself implies are marked *necessary*: only their refutation refutes the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.calculus import ZERO, differentiate, unfold
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.expression import (
    Apply,
    Binder,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    free_symbols,
    sqrt,
    substitute,
)
from grpo_symbolic.statement import (
    All,
    Any,
    Equivalent,
    Extremum,
    Implies,
    Instance,
    Limit,
    Monotone,
    Relation,
    Statement,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
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


@dataclass(frozen=True)
class Obligation:
    """One elementary thing to check: ``hypotheses`` imply ``conclusion`` on the symbols' domains.

    ``defined`` holds functions that were differentiated on the way: they must have values as well, which
    their derivatives do not show (the derivative of log(u) is defined for negative u). A ``side_condition``
    belongs to another obligation, which has the same hypotheses and is checked as well.
    """

    label: str
    hypotheses: tuple[Statement, ...]
    conclusion: Statement
    necessary: bool = True
    defined: tuple[Expression, ...] = ()
    side_condition: bool = False

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """All symbols, hypotheses first."""
        return symbols_of(*self.hypotheses, self.conclusion)


Plan = tuple[Obligation, ...]


def expand(
    statement: Statement, hypotheses: Sequence[Statement] = (), lemmas: Sequence[Statement] = ()
) -> tuple[Plan, ...]:
    """Expand a statement into alternative plans of elementary obligations.

    Hypotheses restrict where the statement is claimed; lemmas hold everywhere and only help.

    Raises:
        DeclarationError: if hypotheses cut the interval on which a unique zero is claimed.
    """
    given = tuple(unfold_statement(item) for item in (*hypotheses, *lemmas))
    match statement:
        case All(parts):
            return _conjunction(parts, hypotheses, lemmas)
        case Implies(premise, conclusion):
            return expand(conclusion, (*hypotheses, premise), lemmas)
        case Equivalent(left, right):
            hidden = differentiated(statement)
            forward = Obligation("forward", (*given, unfold_statement(left)), unfold_statement(right), True, hidden)
            backward = Obligation("backward", (*given, unfold_statement(right)), unfold_statement(left), True, hidden)
            return ((forward, backward),)
        case Relation() | Any():
            hidden = differentiated(statement)
            return ((Obligation("claim", given, unfold_statement(statement), True, hidden),),)
        case Monotone():
            return _monotone(statement, given, _cut(statement.symbol, hypotheses))
        case Limit():
            return _limit(statement, given)
        case UniqueRoot():
            return _unique_root(statement, given)
        case UniqueZero():
            if _cut(statement.symbol, hypotheses):
                raise DeclarationError(f"hypotheses restrict {statement.symbol}; use lower and upper for its interval")
            return _unique_zero(statement, given)
        case Extremum():
            return _extremum(statement, given, _cut(statement.symbol, hypotheses))
        case Summed():
            return _summed(statement, given)
        case TermOfTotal(body):
            return ((Obligation("terms are not negative", given, ge(unfold(body), ZERO)),),)
        case Instance(inner, at):
            values = {symbol: unfold(value) for symbol, value in at}
            plans = expand(substitute_statement(unfold_statement(inner), values))
            inside = tuple(
                Obligation(f"{symbol.name} in its domain", (), domain_statement(symbol, value))
                for symbol, value in values.items()
                if symbol.domain.lower is not None or symbol.domain.upper is not None
            )
            return tuple(inside + plan for plan in plans)
        case _:
            raise DeclarationError(f"no expansion for {type(statement).__name__}")


def _cut(symbol: Symbol, hypotheses: Sequence[Statement]) -> bool:
    """Whether hypotheses may cut the symbol's domain into pieces, so that a derivative's sign decides nothing."""
    return any(symbol in symbols_of(hypothesis) for hypothesis in hypotheses)


def _conjunction(
    parts: Sequence[Statement], hypotheses: Sequence[Statement], lemmas: Sequence[Statement]
) -> tuple[Plan, ...]:
    """Check every part by its first plan; alternatives inside a conjunction are not combined."""
    joined: list[Obligation] = []
    for number, part in enumerate(parts, start=1):
        for obligation in expand(part, hypotheses, lemmas)[0]:
            joined.append(replace(obligation, label=f"part {number}: {obligation.label}"))
    return (tuple(joined),)


def _monotone(statement: Monotone, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    symbol, body = statement.symbol, unfold(statement.expression)
    other = replace(symbol, name=symbol.name + "_2", latex=symbol.latex + "'")
    later = substitute(body, {symbol: other})
    copies = tuple(substitute_statement(hypothesis, {symbol: other}) for hypothesis in given)
    comparison = lt(body, later) if statement.increasing else gt(body, later)
    two_points = Obligation("two points", (*given, *copies, lt(symbol, other)), comparison)
    slope = differentiate(body, symbol)
    sign = gt(slope, ZERO) if statement.increasing else lt(slope, ZERO)
    derivative = Obligation("sign of the derivative", given, sign, False, (body,))
    # The sign of the derivative decides only on an interval.
    if cut:
        return ((two_points,),)
    return (derivative,), (two_points,)


def _limit(statement: Limit, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    body, distance, constant = unfold(statement.expression), unfold(statement.distance), unfold(statement.constant)
    close: tuple[Statement, ...] = (gt(distance, ZERO),)
    obligations = [Obligation("constant is positive", given, gt(constant, ZERO), necessary=False)]
    if statement.near is not None:
        near = unfold(statement.near)
        close += (le(distance, near),)
        obligations.append(Obligation("neighbourhood is positive", given, gt(near, ZERO), necessary=False))
    if statement.value is None:
        rate = constant * _power(distance, -statement.exponent)
        obligations.append(Obligation("diverges at least at the rate", (*given, *close), ge(body, rate)))
    else:
        rate = constant * _power(distance, statement.exponent)
        gap = body - unfold(statement.value)
        obligations.append(Obligation("rate from above", (*given, *close), le(gap, rate)))
        obligations.append(Obligation("rate from below", (*given, *close), ge(gap, -rate)))
    return (tuple(obligations),)


def _power(base: Expression, exponent: Fraction) -> Expression:
    whole = base if abs(exponent) == 1 else base ** abs(exponent)
    if abs(exponent).denominator == 2:
        root = sqrt(base)
        steps = abs(exponent).numerator
        whole = root if steps == 1 else root**steps
    return 1 / whole if exponent < 0 else whole


def _unique_root(statement: UniqueRoot, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    symbol, root = statement.symbol, unfold(statement.root)
    condition = unfold_statement(statement.condition)
    return (
        (
            Obligation("root lies in the domain", given, domain_statement(symbol, root)),
            Obligation("root satisfies the condition", given, substitute_statement(condition, {symbol: root})),
            Obligation("nothing else does", (*given, condition), eq(symbol, root)),
        ),
    )


def _unique_zero(statement: UniqueZero, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    symbol, body = statement.symbol, unfold(statement.expression)
    below, above = unfold(statement.below), unfold(statement.above)
    between: tuple[Statement, ...] = ()
    inside: list[Statement] = [lt(below, above)]
    if statement.lower is not None:
        between += (gt(symbol, unfold(statement.lower)),)
        inside.append(gt(below, unfold(statement.lower)))
    if statement.upper is not None:
        between += (lt(symbol, unfold(statement.upper)),)
        inside.append(lt(above, unfold(statement.upper)))
    inside += [domain_statement(symbol, point) for point in (below, above)]
    low, high = (substitute(body, {symbol: point}) for point in (below, above))
    slope = differentiate(body, symbol)
    up = statement.increasing
    return (
        (
            Obligation("bracket inside the interval", given, All(tuple(inside)), necessary=False),
            Obligation(
                "strictly monotone",
                (*given, *between),
                gt(slope, ZERO) if up else lt(slope, ZERO),
                False,
                (body,),
            ),
            Obligation("sign at the lower point", given, lt(low, ZERO) if up else gt(low, ZERO), necessary=False),
            Obligation("sign at the upper point", given, gt(high, ZERO) if up else lt(high, ZERO), necessary=False),
        ),
    )


def _extremum(statement: Extremum, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    symbol, body, at = statement.symbol, unfold(statement.expression), unfold(statement.at)
    slope = differentiate(body, symbol)
    value = substitute(body, {symbol: at})
    falling, rising = lt(slope, ZERO), gt(slope, ZERO)
    before, after = (falling, rising) if statement.minimum else (rising, falling)
    best = gt(body, value) if statement.minimum else lt(body, value)
    inside = Obligation("point lies in the domain", given, domain_statement(symbol, at))
    compared = (inside, Obligation("better than any other point", (*given, ne(symbol, at)), best))
    slopes = (
        inside,
        Obligation("slope before", (*given, lt(symbol, at)), before, False, (body,)),
        Obligation("slope after", (*given, gt(symbol, at)), after, False, (body,)),
    )
    return (compared,) if cut else (slopes, compared)


def _summed(statement: Summed, given: tuple[Statement, ...]) -> tuple[Plan, ...]:
    sign = statement.premise.operator
    if sign == "!=" or statement.conclusion.operator != sign:
        raise DeclarationError(f"only relations of one and the same sign can be summed: {statement}")
    premise = unfold(statement.premise.left) - unfold(statement.premise.right)
    conclusion = unfold(statement.conclusion.left) - unfold(statement.conclusion.right)
    weight, scale = unfold(statement.weight), unfold(statement.scale)
    identity = eq(Total(weight * premise), scale * conclusion)
    summed = Obligation("sum over the outputs", given, identity, necessary=False)
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


def unfold_statement(statement: Statement) -> Statement:
    """Carry out the derivatives and substitutions in an elementary statement."""
    match statement:
        case Relation(left, operator, right):
            return Relation(unfold(left), operator, unfold(right))
        case All(parts):
            return All(tuple(unfold_statement(part) for part in parts))
        case Any(parts):
            return Any(tuple(unfold_statement(part) for part in parts))
        case Implies(premise, conclusion):
            return Implies(unfold_statement(premise), unfold_statement(conclusion))
        case Equivalent(left, right):
            return Equivalent(unfold_statement(left), unfold_statement(right))
        case _:
            raise DeclarationError(f"a composite statement cannot stand inside another: {statement}")


def domain_statement(symbol: Symbol, value: Expression) -> Statement:
    """``value`` lies in the domain of ``symbol``."""
    domain, parts = symbol.domain, list[Statement]()
    if domain.lower is not None:
        low = Number(domain.lower)
        parts.append(ge(value, low) if domain.lower_closed else gt(value, low))
    if domain.upper is not None:
        high = Number(domain.upper)
        parts.append(le(value, high) if domain.upper_closed else lt(value, high))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def well_defined(obligation: Obligation) -> Obligation | None:
    """The side conditions of an obligation's conclusion, or None if it is defined everywhere.

    Denominators must not vanish, radicands must not be negative and logarithms need positive arguments,
    wherever the hypotheses hold. Conditions stand inner first, so each is defined given those before it.
    """
    conditions: dict[Statement, None] = {}
    for expression in (*obligation.defined, *_relation_sides(obligation.conclusion)):
        for condition in side_conditions(expression):
            conditions.setdefault(condition)
    if not conditions:
        return None
    parts = tuple(conditions)
    conclusion = parts[0] if len(parts) == 1 else All(parts)
    # Undefined somewhere on the domain means that the statement itself fails to say something there.
    return Obligation(f"{obligation.label}: well defined", obligation.hypotheses, conclusion, side_condition=True)


def differentiated(statement: Statement) -> tuple[Expression, ...]:
    """The functions under a Derivative in a statement, at the point where the derivative is taken."""
    return tuple(
        hidden for expression in expressions_of(statement) for hidden in _functions_under_derivative(expression)
    )


def _functions_under_derivative(expression: Expression) -> Iterator[Expression]:
    match expression:
        case Derivative(body, _):
            yield unfold(body)
        case Substitution(body, symbol, replacement):
            for hidden in _functions_under_derivative(body):
                yield substitute(hidden, {symbol: unfold(replacement)})
        case _:
            for child in expression.children:
                yield from _functions_under_derivative(child)


def _relation_sides(statement: Statement) -> Iterator[Expression]:
    match statement:
        case Relation(left, _, right):
            yield left
            yield right
        case All(parts) | Any(parts):
            for part in parts:
                yield from _relation_sides(part)
        case Implies(left, right) | Equivalent(left, right):
            yield from _relation_sides(left)
            yield from _relation_sides(right)


def side_conditions(expression: Expression) -> Iterator[Relation]:
    """What must hold for an unfolded expression to have a value, inner expressions first."""
    # What a bound variable must satisfy is the business of whoever can evaluate an integral, series or limit.
    for child in expression.children[1:] if isinstance(expression, Binder) else expression.children:
        yield from side_conditions(child)
    match expression:
        case Apply("divide", (_, denominator)):
            if not isinstance(denominator, Number) or denominator == ZERO:
                yield ne(denominator, ZERO)
        case Apply("power", (base, Number(value))):
            if value.denominator == 2:
                yield ge(base, ZERO) if value > 0 else gt(base, ZERO)
            elif value <= 0:
                yield ne(base, ZERO)
        case Apply("sqrt", (radicand,)):
            if free_symbols(radicand) or not (isinstance(radicand, Number) and radicand.value >= 0):
                yield ge(radicand, ZERO)
        case Apply("log" | "gamma", (argument,)):
            if not (isinstance(argument, Number) and argument.value > 0):
                yield gt(argument, ZERO)
