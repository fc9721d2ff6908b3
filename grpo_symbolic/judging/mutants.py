"""Single-node changes of statements and definitions: what a typo could have made of them.

A claim that no mutant can hurt says nothing, and a check that no mutant can fail checks nothing. A
mutant that survives must be shown to be implied by the claim, by what decides claims; otherwise it is a debt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import pairwise

from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import DeclarationError, GrpoSymbolicError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.composites import Extremum, Monotone, Summed, UniqueZero
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Delta,
    Expression,
    Number,
    Symbol,
    free_symbols,
    rebuild,
    substitute,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.nearby import EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import MonotoneLimit
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement, is_elementary, symbols_of
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.obligations.obligation import WELL_DEFINED, unfold_statement

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


#: It is refuted, at a witness that was confirmed.
CAUGHT = "caught"
#: It certainly has no value at a witness.
UNDEFINED = "undefined"
#: The sum that it names does not give what it concludes, at a witness; the conclusion may hold for another reason.
UNFOUNDED = "unfounded"
#: It cannot be written, or cannot mean anything.
REFUSED = "refused"
#: It is decided that its premises never hold, so it says nothing.
VACUOUS = "vacuous"
#: It is decided, so equivalent to the claim or implied by the same facts.
PROVED = "proved"
#: Sampling supports it and nothing decides it.
SURVIVED = "survived"
#: There is no evidence for it and none against it.
UNSETTLED = "unsettled"


@dataclass(frozen=True)
class JudgedMutant:
    """What became of a mutant, one of the kinds above, and why."""

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
        if changed is None:
            continue

        def mutated(*values: Expression, _body: Expression = changed) -> Expression:
            return substitute(_body, dict(zip(arguments, values, strict=True)))

        yield change, mutated


def slips_of(definition: Definition) -> Iterator[tuple[str, Definition]]:
    """Every single-node change of the body of a named function, as a function of the same name."""
    for change, changed in _mutate(definition.body, free_symbols(definition.body)):
        if changed is not None:
            yield change, replace(definition, body=changed)


def try_mutant(original: Claim, mutant: Mutant, settings: Settings) -> JudgedMutant:
    """Judge a mutant in the claim's place, with the claim's hypotheses and lemmas and without its derivation.

    A mutant that is decided is true: it is equivalent to the claim or implied by the same facts. One that is
    not settled is asked about again with the claim itself and its steps among the facts. Only a witness catches a
    mutant: that nothing was found, or that it was not shown to say anything, is no evidence against it.
    """
    if mutant.statement is None:
        return JudgedMutant(mutant, REFUSED, "cannot be written")
    try:
        given, lemmas = hypotheses_and_lemmas(original)
        facts = (*lemmas, *own_facts(original))
        first = judge_statement(mutant.statement, given, settings, original.id, lemmas=lemmas)
        found = _settled(mutant, first, "decided: equivalent or implied")
        if found is not None:
            return found
        again = judge_statement(mutant.statement, given, settings, original.id, lemmas=facts)
    except (GrpoSymbolicError, ArithmeticError) as error:
        meaningless = isinstance(error, DeclarationError) or isinstance(error.__cause__, DeclarationError)
        return JudgedMutant(mutant, REFUSED if meaningless else UNSETTLED, str(error))
    return _settled(mutant, again, "implied by the claim and its steps") or _left_open(mutant, first)


def _settled(mutant: Mutant, judgement: Judgement, proved: str) -> JudgedMutant | None:
    """The outcome if the checks settle the mutant; a refutation counts only with its witness."""
    if judgement.verdict in STANDING:
        return JudgedMutant(mutant, PROVED, proved)
    refuting = [item for item in judgement.evidence if item.verdict is Verdict.REFUTED and item.witness is not None]
    sampled = [item for item in refuting if item.method == numeric.METHOD]
    if isinstance(mutant.statement, Summed) and sampled:
        return JudgedMutant(mutant, UNFOUNDED, sampled[0].note)
    if judgement.verdict is Verdict.REFUTED:
        certain = [item for item in refuting if item.obligation in judgement.implied]
        without_value = all(item.obligation.endswith(WELL_DEFINED) for item in certain)
        return JudgedMutant(mutant, UNDEFINED if without_value else CAUGHT, certain[0].note) if certain else None
    impossible = [item for item in judgement.evidence if item.impossible and item.obligation in judgement.possible]
    return JudgedMutant(mutant, VACUOUS, impossible[0].note) if judgement.vacuous and impossible else None


def _left_open(mutant: Mutant, judgement: Judgement) -> JudgedMutant:
    """The outcome of a mutant that nothing settles, with what resisted."""
    notes = "; ".join(item.note for item in judgement.evidence if item.verdict is not Verdict.SUPPORTED)
    if judgement.verdict is Verdict.SUPPORTED:
        return JudgedMutant(mutant, SURVIVED, notes or "supported by sampling, decided by nothing")
    return JudgedMutant(mutant, UNSETTLED, notes or "nothing could be sampled")


def own_facts(original: Claim) -> Iterator[Statement]:
    """What the claim and the steps of its derivation say about each point; nothing if it is stated as a falsehood."""
    for made in (original, *original.steps) if original.refuted is None else ():
        if is_elementary(made.statement) and made.given == original.given:
            yield unfold_statement(made.statement)


def _mutate_statement(statement: Statement, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Statement | None]]:
    if isinstance(statement, Relation):
        turned = _TURNED[statement.operator]
        yield f"{statement.operator} becomes {turned}", replace(statement, operator=turned)
    if isinstance(statement, Monotone | UniqueZero):
        yield "direction turned", replace(statement, increasing=not statement.increasing)
    if isinstance(statement, Extremum | LocalExtremum):
        yield "minimum and maximum swapped", replace(statement, minimum=not statement.minimum)
    if isinstance(statement, FixedPoint):
        yield "attracting and repelling swapped", replace(statement, attracting=not statement.attracting)
    if isinstance(statement, SomeZero | MonotoneLimit):
        yield "direction turned", replace(statement, rising=not statement.rising)
    for item in fields(statement):
        value = getattr(statement, item.name)
        if item.name in ("symbol", "variables", "successors", "such_as"):
            continue
        if isinstance(statement, EveryIterate) and statement.counted is not None and item.name != "kept":
            continue  # base and step follow from the domain
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


def _mutate(expression: Expression, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Expression | None]]:
    """Changes at this node, then changes below it; None for one that cannot be written."""
    yield from _changes_here(expression, symbols)
    yield from _other_elements(expression)
    if isinstance(expression, Call):
        # A named function stands for its body, so a slip in the body counts as one in the claim.
        yield from _mutate(expression.value, symbols)
        return
    for position, child in enumerate(expression.children):
        if isinstance(expression, Apply) and expression.operator == "power" and position and isinstance(child, Number):
            continue  # the exponent was changed together with its power
        for change, changed in _mutate(child, symbols):
            yield change, None if changed is None else _with_child(expression, position, changed)


def _other_elements(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """An element taken for another one, all elements for those of a support, a value for a slope."""
    if isinstance(expression, Supported):
        yield f"{expression.on} may be 0", expression.body
    if isinstance(expression, Applied) and expression.order:
        yield f"{expression} becomes a value", expression.function(expression.argument)
    if isinstance(expression, Delta):
        for value in (1, 0):
            yield f"{expression} becomes {value}", Number(Fraction(value))
    if isinstance(expression, Symbol) and expression.family != expression:
        yield f"{expression} becomes {expression.family}", expression.family


def _with_child(expression: Expression, position: int, changed: Expression) -> Expression | None:
    children = (*expression.children[:position], changed, *expression.children[position + 1 :])
    try:
        return rebuild(expression, children)
    except DeclarationError:
        return None


def _changes_here(expression: Expression, symbols: tuple[Symbol, ...]) -> Iterator[tuple[str, Expression]]:
    match expression:
        case Number(value):
            yield f"{value} becomes {value + 1}", Number(value + 1)
        case Symbol():
            # The next symbol in reading order stands for "the wrong letter".
            for symbol, other in pairwise((*symbols, *symbols[:1])):
                if symbol == expression and other != symbol:
                    yield f"{symbol} becomes {other}", other
        case GroupExpectation(law=law, own=own, mixed=mixed):
            if mixed:
                yield "all groups count", replace(expression, mixed=False)
            if own != law:
                yield "nothing is known of the member", replace(expression, own=law)
        case Apply("power", (base, Number(exponent))):
            yield f"exponent {exponent} becomes {exponent + 1}", base ** (exponent + Fraction(1))
        case Apply("power", (base, exponent)):
            yield f"exponent {exponent} becomes {exponent + 1}", base ** (exponent + 1)
        case Apply("negate", (inner,)):
            yield f"sign of {inner} lost", inner
        case Apply("sqrt" | "log" | "tanh", (inner,)):
            yield f"{expression.operator} lost", inner
        case Apply("exp", (inner,)):
            yield "sign of an exponent turned", Apply("exp", (-inner,))
        case Apply(operator, operands) if operator in _SWAPS:
            yield f"{operator} becomes {_SWAPS[operator]}", Apply(_SWAPS[operator], operands)
