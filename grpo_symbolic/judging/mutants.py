"""Single-node changes of statements and definitions: what a typo could have made of them.

A claim that no mutant can hurt says nothing, and a check that no mutant can fail checks nothing. A
mutant that survives must be proved: then it is equivalent to the claim or implied by the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import pairwise

from grpo_symbolic.derivation.chain import Claim, steps_of
from grpo_symbolic.errors import DeclarationError, GrpoSymbolicError
from grpo_symbolic.evidence import Settings, Verdict
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.composites import Extremum, Monotone, UniqueZero
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Expression,
    Number,
    Symbol,
    rebuild,
    substitute,
)
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement, is_elementary, symbols_of
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.obligations.obligation import unfold_statement

_SWAPS = {
    "add": "subtract",
    "subtract": "add",
    "multiply": "divide",
    "divide": "multiply",
    "cosh": "sinh",
    "sinh": "cosh",
    "maximum": "minimum",
    "minimum": "maximum",
}
_TURNED = {**MIRRORED, "=": "!=", "!=": "="}


_DECIDED = (Verdict.DECIDED, Verdict.PROVED)


@dataclass(frozen=True)
class Mutant:
    """A changed statement, with its number in the enumeration and a description of the single change.

    The statement is ``None`` where the change makes something that cannot even be written.
    """

    number: int
    change: str
    statement: Statement | None

    @property
    def name(self) -> str:
        """Number and change, which together name the mutant among all of its claim."""
        return f"{self.number}: {self.change}"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: ``caught``, ``proved`` (equivalent or implied), ``refused`` or ``survived``."""

    mutant: Mutant
    kind: str
    reason: str


def mutants(statement: Statement) -> Iterator[Mutant]:
    """Every single-node change of a statement, in a fixed order."""
    symbols = symbols_of(statement)
    for number, (change, changed) in enumerate(_mutate_statement(statement, symbols), start=1):
        yield Mutant(number, change, changed)


def mutated_definition(
    define: Callable[..., Expression], arity: int
) -> Iterator[tuple[str, Callable[..., Expression]]]:
    """Every single-node change of a definition such as a penalty, as a function of the same arguments."""
    arguments = tuple(real(f"argument_{number}", "(0, 1)", "argument of a definition") for number in range(arity))
    body = define(*arguments)
    for change, changed in _mutate(body, arguments):

        def mutated(*values: Expression, _body: Expression = changed) -> Expression:
            return substitute(_body, dict(zip(arguments, values, strict=True)))

        yield change, mutated


def try_mutant(original: Claim, mutant: Mutant, settings: Settings) -> Outcome:
    """Judge a mutant in the claim's place, with the claim's hypotheses and lemmas and without its derivation.

    A mutant that is decided is true: it is equivalent to the claim or implied by the same facts. One that is
    only supported is asked about again with the claim itself and its steps among the facts.
    """
    if mutant.statement is None:
        return Outcome(mutant, "refused", "cannot be written")
    given, lemmas = hypotheses_and_lemmas(original)
    try:
        first = judge_statement(mutant.statement, given, settings, original.id, lemmas=lemmas)
        if first.verdict is Verdict.REFUTED:
            return Outcome(mutant, "caught", "refuted")
        if first.verdict in _DECIDED:
            return Outcome(mutant, "proved", "decided: equivalent or implied")
        if first.vacuous:
            return Outcome(mutant, "refused", "its premises were not shown to hold anywhere")
        notes = "; ".join(item.note for item in first.evidence if item.verdict is not Verdict.SUPPORTED)
        if {item.verdict for item in first.evidence if item.method == "numeric"} != {Verdict.SUPPORTED}:
            return Outcome(mutant, "caught", notes)
        facts = (*lemmas, *_own_facts(original))
        again = judge_statement(mutant.statement, given, settings, original.id, lemmas=facts)
    except (GrpoSymbolicError, ArithmeticError) as error:
        return Outcome(mutant, "refused", str(error))
    if again.verdict in _DECIDED:
        return Outcome(mutant, "proved", "implied by the claim and its steps")
    return Outcome(mutant, "survived", notes or "supported by sampling, decided by nothing")


def _own_facts(original: Claim) -> Iterator[Statement]:
    """What the claim and the steps of its derivation say about each point."""
    for made in (original, *steps_of(original)):
        if is_elementary(made.statement) and made.given == original.given:
            yield unfold_statement(made.statement)


def _mutate_statement(statement: Statement, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Statement | None]]:
    if isinstance(statement, Relation):
        turned = _TURNED[statement.operator]
        yield f"{statement.operator} becomes {turned}", replace(statement, operator=turned)
    if isinstance(statement, Monotone | UniqueZero):
        yield "direction turned", replace(statement, increasing=not statement.increasing)
    if isinstance(statement, Extremum):
        yield "minimum and maximum swapped", replace(statement, minimum=not statement.minimum)
    for item in fields(statement):
        value = getattr(statement, item.name)
        if item.name == "symbol":
            continue
        for change, changed in _mutate_value(value, symbols):
            yield change, _rewritten(statement, item.name, changed)


def _rewritten(statement: Statement, field: str, changed: object) -> Statement | None:
    if changed is None:
        return None
    try:
        return replace(statement, **{field: changed})
    except DeclarationError:
        return None


def _mutate_value(value: object, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, object]]:
    if isinstance(value, Expression):
        yield from _mutate(value, symbols)
    elif isinstance(value, Statement):
        yield from _mutate_statement(value, symbols)
    elif isinstance(value, tuple):
        for position, item in enumerate(value):
            for change, changed in _mutate_value(item, symbols):
                yield change, None if changed is None else (*value[:position], changed, *value[position + 1 :])


def _mutate(expression: Expression, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Expression]]:
    """Changes at this node, then changes below it."""
    yield from _changes_here(expression, symbols)
    if isinstance(expression, Call):
        # A named function stands for its body, so a slip in the body counts as one in the claim.
        yield from _mutate(expression.value, symbols)
        return
    for position, child in enumerate(expression.children):
        if isinstance(expression, Apply) and expression.operator == "power" and position == 1:
            continue  # the exponent was changed together with its power
        for change, changed in _mutate(child, symbols):
            children = (*expression.children[:position], changed, *expression.children[position + 1 :])
            yield change, rebuild(expression, children)


def _changes_here(expression: Expression, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Expression]]:
    match expression:
        case Number(value):
            yield f"{value} becomes {value + 1}", Number(value + 1)
        case Symbol():
            # The next symbol in reading order stands for "the wrong letter".
            for symbol, other in pairwise((*symbols, *symbols[:1])):
                if symbol == expression and other != symbol:
                    yield f"{symbol} becomes {other}", other
        case Apply("power", (base, Number(exponent))):
            yield f"exponent {exponent} becomes {exponent + 1}", base ** (exponent + Fraction(1))
        case Apply("negate", (inner,)):
            yield f"sign of {inner} lost", inner
        case Apply("sqrt" | "log" | "tanh", (inner,)):
            yield f"{expression.operator} lost", inner
        case Apply("exp", (inner,)):
            yield "sign of an exponent turned", Apply("exp", (-inner,))
        case Apply(operator, operands) if operator in _SWAPS:
            yield f"{operator} becomes {_SWAPS[operator]}", Apply(_SWAPS[operator], operands)
