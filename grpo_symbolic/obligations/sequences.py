r"""What has to be shown of limits of sequences: relations, for every number and between limits.

Soundness. Let sequences $s_1, \dots, s_m$ tend to $L_1, \dots, L_m$ as $n$ grows, and let $g$ be made of them by
operations that are continuous wherever they have a value. If $g(s_1(n), \dots, s_m(n))$ has a value for every $n$ and
$g(L_1, \dots, L_m)$ has one, the former tends to the latter. A sequence moved by a fixed number, or of which only every
second term or the like is met, has the same limit. So an equation, and an inequality with $\leq$, between such $g$
that holds for every $n$ holds of the limits; a strict one may become an equation there. What is at most $g$ for every
$n$ has a limit superior of at most the limit of $g$, and a distance that is at most a $g$ which tends to 0 tends to 0.
A sequence that never falls and is bounded from above has a limit.

All of it is for every $n$: no hypothesis may restrict $n$, and nothing that is to be a constant may depend on it. That
$g$ has a value at the limits is shown with the rest. A statement here names the bound $g$ as a part of what it says, so
that it is refuted where this fails for the examples of what is supposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO, unfold
from grpo_symbolic.language.expression import (
    CONTINUOUS,
    Apply,
    Expression,
    Number,
    Symbol,
    free_symbols,
    rebuild,
    substitute,
)
from grpo_symbolic.language.sequences import (
    InTheLimit,
    LimitSuperior,
    MonotoneLimit,
    OfSequences,
    SequenceLimit,
    Supposed,
)
from grpo_symbolic.language.statement import (
    All,
    Implies,
    Relation,
    Statement,
    expressions_of,
    ge,
    le,
    relations_of,
)
from grpo_symbolic.language.unknown import Applied, UnknownFunction
from grpo_symbolic.obligations.obligation import parted, values_needed

Limits = Mapping[UnknownFunction, Expression]
#: What comparisons that hold for every number become in the limit.
_IN_THE_LIMIT = {"=": "=", "<": "<=", "<=": "<=", ">": ">=", ">=": ">="}


def limits_supposed(generic: Iterable[Supposed]) -> Limits:
    """The limits of sequences, by the sequence.

    Raises:
        DeclarationError: if there are two of one sequence.
    """
    found: dict[UnknownFunction, Expression] = {}
    for item in generic:
        if isinstance(item, SequenceLimit) and found.setdefault(item.sequence, item.to) != item.to:
            raise DeclarationError(f"{item.term} is supposed to tend to {found[item.sequence]}, and to {item.to}")
    return found


def without_limits(statement: Statement, given: Sequence[Statement], limits: Limits) -> Statement:
    """A statement in which what is said of limits has become what suffices for it, for every number and of them.

    Raises:
        DeclarationError: if what is given restricts the number that grows.
        UnsupportedError: where something is to tend of which no limit is supposed, or that may jump.
    """
    match statement:
        case All(parts):
            return All(tuple(without_limits(part, given, limits) for part in parts))
        case Implies(premise, conclusion):
            return Implies(premise, without_limits(conclusion, (*given, premise), limits))
        case SequenceLimit() | LimitSuperior() | InTheLimit() | MonotoneLimit():
            if parted([statement.symbol], given)[0]:
                raise DeclarationError(f"hypotheses restrict {statement.symbol}, which grows beyond all numbers")
            if isinstance(statement, LimitSuperior) and parted(statement.moving, given)[0]:
                raise DeclarationError(f"what is given of every {statement.symbol} stands in where")
            return All(_sufficient(statement, limits))
    return statement


def _sufficient(statement: OfSequences, limits: Limits) -> tuple[Statement, ...]:
    symbol = statement.symbol
    match statement:
        case InTheLimit(conclusion, _, because):
            passed_on = tuple(_in_the_limit(part, symbol, limits) for part in relations_of(because))
            return (because, *values_needed(expressions_of(passed_on)), Implies(All(passed_on), conclusion))
        case LimitSuperior(term, _, most, by, where):
            bounded = le(term, by) if where is None else Implies(where, le(term, by))
            return bounded, le(_limit_of(by, symbol, limits), most)
        case SequenceLimit(term, _, to, by):
            distance = Apply("absolute", (term - to,))
            bound = distance if by is None else by
            return le(distance, bound), le(_limit_of(bound, symbol, limits), ZERO)
        case MonotoneLimit(term, _, bound, rising):
            later, compare = substitute(unfold(term), {symbol: symbol + 1}), ge if rising else le
            return compare(later, term), compare(bound, term)


def _in_the_limit(relation: Relation, symbol: Symbol, limits: Limits) -> Relation:
    sides = (_limit_of(side, symbol, limits) for side in (relation.left, relation.right))
    left, right = sides
    return Relation(left, _IN_THE_LIMIT[relation.operator], right)


def _limit_of(expression: Expression, symbol: Symbol, limits: Limits) -> Expression:
    """What an expression tends to, with the limits in the place of sequences.

    Raises:
        UnsupportedError: if it is not made of them by continuous operations.
    """
    found = _with_limits(unfold(expression), symbol, limits)
    if symbol in free_symbols(found):
        raise DeclarationError(f"a limit that is supposed depends on {symbol}, along which {expression} runs")
    return found


def _with_limits(expression: Expression, symbol: Symbol, limits: Limits) -> Expression:
    if symbol not in free_symbols(expression):
        return expression
    match expression:
        case Applied(function, argument, 0) if function in limits and _grows(argument, symbol):
            return limits[function]
        case Applied(function) if function.derivatives is not None:
            pass
        case Apply(operator) if operator in CONTINUOUS:
            pass
        case _:
            raise UnsupportedError(f"no limit of {expression} is supposed as {symbol} grows, or it may jump there")
    return rebuild(expression, tuple(_with_limits(child, symbol, limits) for child in expression.children))


def _grows(argument: Expression, symbol: Symbol) -> bool:
    """Whether an argument plainly takes each of infinitely many numbers in turn, so that a sequence has its limit."""
    match argument:
        case Symbol():
            return argument == symbol
        case Apply("add", (first, second)):
            apart = symbol not in free_symbols(second)
            moving, fixed = (first, second) if apart else (second, first)
            return symbol not in free_symbols(fixed) and _grows(moving, symbol)
        case Apply("multiply", (Number(factor), other)):
            return factor >= 1 and _grows(other, symbol)
    return False
