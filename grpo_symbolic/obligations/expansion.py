"""Expand statements into elementary obligations.

A statement expands to plans. Each plan suffices to decide the statement. Obligations that the
statement itself implies are marked *necessary*: only their refutation refutes the statement.

A statement whose hypotheses never hold is true and says nothing. Hypotheses are all that restrict where it speaks:
those that are given, the premise of an implication, what is summed over the outputs. Of an equivalence it is enough
that one side can hold, since the other then does; where neither can, it holds, but this has to be shown. What compares
values of a symbol, all else held fixed, needs two of them: hypotheses may tie it to the other symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Limit,
    Monotone,
    Summed,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.definedness import differentiated
from grpo_symbolic.language.everywhere import refuse_unclear_elements
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols, substitute
from grpo_symbolic.language.further import refuse_further, refuse_one_for_all
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit, Supposed
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjuncts,
    is_elementary,
    map_expressions,
    ne,
    parts_of,
    symbols_of,
)
from grpo_symbolic.language.support import has_brackets, refuse_brackets
from grpo_symbolic.language.unknown import ForEvery
from grpo_symbolic.obligations.composites import KINDS, plans_of, two_values
from grpo_symbolic.obligations.further import cases
from grpo_symbolic.obligations.lemmas import available
from grpo_symbolic.obligations.nearby import running, spoken_of, values_nearby, where
from grpo_symbolic.obligations.obligation import (
    Obligation,
    Plan,
    domain_statement,
    holding_at,
    parted,
    unfold_statement,
    values_needed,
)
from grpo_symbolic.obligations.sequences import limits_supposed, without_limits
from grpo_symbolic.obligations.sums import at_first_numbers
from grpo_symbolic.obligations.support import by_support, on_the_support
from grpo_symbolic.obligations.unknown import (
    at_examples,
    by_letters,
    examples_hold,
    in_letters,
    of_constants,
    refuse_captured,
    told_apart,
    where_examples_are,
    with_examples,
)

_SUPPOSED = "what hypotheses differentiate or expect has a value"
_DIFFERENTIATED = "what is differentiated or expected has a value"


#: All kinds of statements; of another one nothing is known, and nothing is said where one is a part of something.
_KNOWN = {Relation, All, Any, Implies, Equivalent, Existence, *KINDS}
_KNOWN |= {ForEvery, SequenceLimit, LimitSuperior, InTheLimit, MonotoneLimit}


def refuse_unknown(*statements: Statement) -> None:
    """Refuse kinds of statements of which nothing is known, also inside of others.

    Raises:
        UnsupportedError: where there are such.
    """
    for statement in statements:
        if type(statement) not in _KNOWN:
            kind = type(statement).__name__
            raise UnsupportedError(f"nothing is known of statements of the kind {kind}; say what they expand to")
        refuse_unknown(*parts_of(statement))


def expand(
    statement: Statement, hypotheses: Sequence[Statement] = (), lemmas: Sequence[Statement] = ()
) -> tuple[Plan, ...]:
    """Expand a statement into alternative plans of elementary obligations.

    Hypotheses restrict where the statement is claimed; lemmas hold everywhere and only help.

    Raises:
        DeclarationError: if hypotheses cut the interval on which a unique zero or a limit is claimed, if a sum over
            the outputs depends on the coordinate of which a composite statement speaks, or if a further element stands
            where it is not clear which one is meant.
        UnsupportedError: for kinds of statements of which nothing is known.
    """
    refuse_unknown(statement, *hypotheses, *lemmas)
    generic, given = told_apart(statement, hypotheses)
    statement = without_limits(statement, given, limits_supposed(generic))
    refuse_further(statement, given)
    refuse_one_for_all(statement, given)
    refuse_unclear_elements(statement, given, lemmas)
    refuse_brackets(statement)
    plans = _under(given, statement, (), tuple(map(unfold_statement, lemmas)))
    expanded = tuple(
        tuple(part for obligation in plan for case in cases(obligation) for part in by_support(case)) for plan in plans
    )
    if generic:
        refuse_captured(generic, expanded, (statement, *given, *lemmas))
    refuting = tuple(_at_numbers(expanded[0])) if expanded else ()
    plans = (*expanded, (*expanded[0], *refuting)) if refuting else expanded
    exist = examples_hold(generic, tuple(map(unfold_statement, given)))
    lettered = tuple((*(part for item in plan for part in by_letters(item, generic)), *exist) for plan in plans)
    of_examples = tuple(at_examples(plans[0], generic)) if plans else ()
    return (*lettered, (*lettered[0], *of_examples)) if of_examples else lettered


def _at_numbers(plan: Plan) -> Iterator[Obligation]:
    """What obligations say at the first numbers up to which their sums run: only there these can be computed."""
    for item in plan:
        if item.necessary:
            for where, (*hypotheses, conclusion) in at_first_numbers((*item.hypotheses, item.conclusion)):
                yield replace(
                    item,
                    label=f"{item.label}, at {where}",
                    hypotheses=tuple(hypotheses),
                    conclusion=conclusion,
                    defined=(),
                )


def _under(
    stated: tuple[Statement, ...], statement: Statement, known: tuple[Statement, ...], lemmas: tuple[Statement, ...]
) -> tuple[Plan, ...]:
    """The plans of a statement under what is stated and, unfolded already, known: all of it has to have values.

    A hypothesis without a value holds nowhere. But one that lost on the way what had none would hold all the same, as
    the derivative of the logarithm is -1 at -1.
    """
    while isinstance(statement, Implies):
        stated, statement = (*stated, statement.premise), statement.conclusion
    known = (*known, *map(unfold_statement, stated))
    hidden = tuple(item for one in stated for item in differentiated(one))
    values = _have_values(hidden, known, _SUPPOSED)
    return tuple((*plan, *values) for plan in _expand(statement, known, lemmas))


def _expand(statement: Statement, hypotheses: tuple[Statement, ...], lemmas: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """Expand a statement under what is unfolded already."""
    match statement:
        case All(parts):
            return _conjunction(parts, hypotheses, lemmas)
        case Implies():
            return _under((), statement, hypotheses, lemmas)
        case Equivalent():
            hidden = differentiated(statement)
            left, right = unfold_statement(statement.left), unfold_statement(statement.right)
            plan: list[Obligation] = []
            for label, premise, conclusion in (("forward", left, right), ("backward", right, left)):
                given, premises = _given((*hypotheses, premise), lemmas, f"{label}: ")
                plan += (*premises, Obligation(label, given, conclusion, True, hidden))
            return (tuple(plan),)
        case Existence(inner, at):
            values = _have_values(differentiated(at), hypotheses, "what the witness differentiates has a value")
            plans = _instance(inner, {symbol: unfold(value) for symbol, value in at}, hypotheses, lemmas)
            return tuple((*plan, *values) for plan in plans)
        case _:
            given, premises = _given(hypotheses, lemmas)
            return tuple((*premises, *plan) for plan in _plans(statement, given, hypotheses))


def _plans(stated: Statement, given: tuple[Statement, ...], hypotheses: tuple[Statement, ...]) -> tuple[Plan, ...]:
    """The plans of a statement that is neither a conjunction nor an implication, under what is known."""
    statement = map_expressions(stated, unfold)
    if isinstance(statement, Relation | Any):
        return ((Obligation("claim", given, unfold_statement(stated), True, differentiated(stated)),),)
    values = _derivatives(stated, statement, {}, given)
    return tuple((*plan, *values) for plan in plans_of(statement, given, hypotheses))


def _derivatives(
    stated: Statement, statement: Statement, values: Mapping[Symbol, Expression], given: tuple[Statement, ...]
) -> Plan:
    """That what was differentiated on the way in a statement, now at some values, has a value where it speaks of it."""

    def hidden(part: object) -> tuple[Expression, ...]:
        return tuple(substitute(item, values) for item in differentiated(part))

    if isinstance(stated, FixedPoint | LocalExtremum) and isinstance(statement, FixedPoint | LocalExtremum):
        # The point itself depends on nothing that is near it, even where it is called by the same letter.
        nearby = values_nearby(statement, hidden(spoken_of(stated)), given, _DIFFERENTIATED)
        return (*nearby, *_have_values(hidden(stated.at), given, "what the point differentiates has a value"))
    functions = hidden(stated)
    return _have_values(functions, _where(statement, given)) if functions else ()


def _where(statement: Statement, given: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The hypotheses under which a statement speaks of its expression: some speak of a part of the domain only."""
    if isinstance(statement, Converges | SomeZero | EveryCycle):
        return where(statement, given)
    if isinstance(statement, Limit | UniqueZero):
        return max((item.hypotheses for item in plans_of(statement, given, ())[0]), key=len)
    return given


def _given(
    known: tuple[Statement, ...], lemmas: tuple[Statement, ...], prefix: str = ""
) -> tuple[tuple[Statement, ...], Plan]:
    """Hypotheses and what lemmas add to them, with the obligations under which they do."""
    facts, premises = available(known, lemmas)
    shown = tuple(
        Obligation(f"{prefix}premise {number} of a lemma", given, premise, necessary=False)
        for number, (given, premise) in enumerate(premises, start=1)
    )
    return (*known, *facts), shown


def _have_values(hidden: tuple[Expression, ...], given: tuple[Statement, ...], label: str = _DIFFERENTIATED) -> Plan:
    """That functions which were differentiated on the way have values."""
    # Whether what counts only on a support has one depends on the case.
    in_cases = tuple(filter(has_brackets, hidden))
    conditions = values_needed(item for item in hidden if item not in in_cases)
    if not conditions and not in_cases:
        return ()
    return (Obligation(label, given, All(conditions), defined=in_cases),)


def _instance(
    inner: Statement,
    values: dict[Symbol, Expression],
    hypotheses: tuple[Statement, ...],
    lemmas: tuple[Statement, ...],
) -> tuple[Plan, ...]:
    """Hypotheses about the witness are shown of it; the others, about parameters, are given."""
    about, others = parted(values, hypotheses)
    inside = tuple(
        Obligation(f"{symbol.name} in its domain", others, domain_statement(symbol, value))
        for symbol, value in values.items()
        if not symbol.domain.is_whole_line
    )
    satisfied = holding_at(about, values, others, "the hypotheses hold at the witness")
    derivatives = tuple(
        replace(item, label=f"{item.label} ({number})" if number > 1 else item.label)
        for number, item in enumerate(_derivatives_at(inner, values, others), start=1)
    )
    plans = _expand(instantiated(inner, values), others, lemmas)
    return tuple((*inside, *satisfied, *plan, *derivatives) for plan in plans)


def _derivatives_at(
    statement: Statement, values: Mapping[Symbol, Expression], given: tuple[Statement, ...]
) -> Iterator[Obligation]:
    """That what is differentiated in a statement at particular values has a value, as under ``_under``."""
    match statement:
        case All(parts):
            for part in parts:
                yield from _derivatives_at(part, values, given)
        case Implies(premise, conclusion):
            known = (*given, instantiated(premise, values))
            yield from _derivatives_at(premise, values, known)
            yield from _derivatives_at(conclusion, values, known)
        case _:
            yield from _derivatives(statement, instantiated(statement, values), values, given)


def instantiated(statement: Statement, values: Mapping[Symbol, Expression]) -> Statement:
    """An elementary statement, one about zeros or a conjunction of them at particular values of its free symbols.

    Raises:
        DeclarationError: for other composite statements, and where a value is given for the unknown of a zero, or
            contains it.
    """

    def at(expression: Expression) -> Expression:
        return substitute(unfold(expression), values)

    match statement:
        case All(parts):
            return All(tuple(instantiated(part, values) for part in parts))
        case Implies(premise, conclusion):
            return Implies(map_expressions(premise, at), instantiated(conclusion, values))
        case FixedPoint() | LocalExtremum() | EveryIterate():
            _refuse_values(running(statement), values)
            return map_expressions(statement, at)
        case UniqueZero(symbol=unknown) | Zeros(symbol=unknown) | SomeZero(symbol=unknown):
            _refuse_values((unknown,), values)
            return map_expressions(statement, at)
        case Converges(symbol=unknown) | EveryCycle(symbol=unknown):
            _refuse_values((unknown,), values)
            return map_expressions(statement, at)
    if not is_elementary(statement):
        raise DeclarationError(f"no values can be given to the symbols of {statement}")
    return map_expressions(statement, at)


def _refuse_values(bound: Sequence[Symbol], values: Mapping[Symbol, Expression]) -> None:
    for unknown in bound:
        if unknown in values or any(unknown in free_symbols(value) for value in values.values()):
            raise DeclarationError(f"{unknown} is bound by the statement; no value can be given to it or use it")


def _conjunction(
    parts: Sequence[Statement], hypotheses: tuple[Statement, ...], lemmas: tuple[Statement, ...]
) -> tuple[Plan, ...]:
    """Check every part by its first plan; alternatives inside a conjunction are not combined."""
    joined: list[Obligation] = []
    for number, part in enumerate(parts, start=1):
        for obligation in _expand(part, hypotheses, lemmas)[0]:
            joined.append(replace(obligation, label=f"part {number}: {obligation.label}"))
    return (tuple(joined),)


@dataclass(frozen=True)
class Premises:
    """Unfolded statements that must hold together somewhere, or for an equivalence one of two such lists."""

    label: str
    statements: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


def premises(statement: Statement, hypotheses: Sequence[Statement]) -> tuple[Premises, ...]:
    """Everything that must be able to hold, each list once; nothing where nothing restricts the statement.

    Raises:
        UnsupportedError: for kinds of statements of which nothing is known.
    """
    refuse_unknown(statement, *hypotheses)
    found: dict[tuple[Statement, ...], Premises] = {}
    generic, given = told_apart(statement, hypotheses)
    for item in _premises(statement, (*given, *where_examples_are(generic)), generic):
        stated, otherwise = (
            _can_be_computed(with_examples(generic, map(unfold_statement, side)))
            for side in (item.statements, item.otherwise)
        )
        known, others = on_the_support(stated), on_the_support(otherwise)
        if known and known not in found:
            label = item.label if (known, others) == (stated, otherwise) else f"{item.label} where nothing vanishes"
            # Evidence is found by its label, so labels differ.
            before = sum(other.label.startswith(label) for other in found.values())
            name = f"{label} ({before + 1})" if before else label
            found[known] = Premises(name, in_letters(known), in_letters(others))
    return tuple(found.values())


def _can_be_computed(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The statements; if sums in them run up to a number, at the first such number: what can hold there can hold."""
    known = tuple(statements)
    return next((there for _, there in at_first_numbers(known)), known)


def _premises(statement: Statement, given: tuple[Statement, ...], generic: tuple[Supposed, ...]) -> Iterator[Premises]:
    match statement:
        case All(parts) if parts:
            for part in parts:
                yield from _premises(part, given, generic)
        case Implies(premise, conclusion):
            yield from _premises(conclusion, (*given, premise), generic)
        case Equivalent(left, right):
            yield Premises("one side can hold", (*given, left), (*given, right))
        case Summed(premise):
            yield Premises("the premise can hold", (*given, premise))
        case LimitSuperior(symbol=symbol, where=known) if known is not None:
            everywhere = of_constants(generic, map(unfold_statement, (*given, known)), symbol)
            yield Premises("what is known of every number can hold", everywhere)
        case Monotone(expression, symbol) if _is_tied(symbol, given):
            compared = two_values(symbol, tuple(map(unfold_statement, given)), expression)[1]
            yield Premises("there are two points to compare", compared)
        case Extremum(symbol=symbol, at=value) | UniqueRoot(symbol=symbol, root=value) if _is_tied(symbol, given):
            yield Premises("there is another point", (*given, ne(symbol, value)))
        case EveryIterate(kept):
            yield Premises("the hypotheses can hold", given)
            for part in conjuncts(kept):
                if isinstance(part, Implies):
                    yield from _premises(part, given, generic)
        case Existence(inner, at):
            # Hypotheses about the witness are shown of it; the others are about parameters.
            values = {symbol: unfold(value) for symbol, value in at}
            others = parted(values, given)[1]
            at_witness = _premises(instantiated(inner, values), others, generic)
            for stated, there in zip(_premises(inner, others, generic), at_witness, strict=True):
                first, second = (
                    _decided(stated.statements, there.statements),
                    _decided(stated.otherwise, there.otherwise),
                )
                yield replace(stated, statements=first, otherwise=second)
        case _:
            yield Premises("the hypotheses can hold", given)


def _is_tied(symbol: Symbol, given: tuple[Statement, ...]) -> bool:
    """Whether a symbol may have one value only, all else held fixed."""
    return bool(parted([symbol], given)[0]) or symbol.domain.lower == symbol.domain.upper is not None


def _decided(stated: tuple[Statement, ...], there: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """What is left open of statements at a witness, such as a zero that has no name, may hold near it instead."""
    return tuple(before if symbols_of(after) else after for before, after in zip(stated, there, strict=True))
