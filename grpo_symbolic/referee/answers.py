"""Answer a question with the engine: judge its statements, weigh what a failure means; and look for a repair.

This is what runs in a worker process; everything that goes in and comes out is plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.searching import Watch
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.statement import Equivalent, Relation, Statement, conjuncts, substitute_statement
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.referee.closing.closing import Closed, closed, first_numbers, for_numbers, is_open, whole_symbols
from grpo_symbolic.referee.closing.factorials import counting, generalised, has_factorials
from grpo_symbolic.referee.closing.peeling import peeled
from grpo_symbolic.referee.findings import (
    CERTAIN,
    CONDITION_NOT_READ,
    KIND_UNKNOWN,
    NO_VALUE,
    NOT_EQUIVALENT,
    SIZES,
    STANDING,
    Status,
)
from grpo_symbolic.referee.questions import Closing, Question, Repair
from grpo_symbolic.referee.repair import repaired
from grpo_symbolic.referee.suppositions import Needed, Spared, needed, spared

_VACUOUS = "vacuous"
#: Whole numbers for which a sum is written out that has no closed form.
_NUMBERS = 8
_FEW_POINTS = 20
#: The same for each of several symbols together.
_FEWER = 3
_BETWEEN = "it fails between whole numbers, but no failure was found where its factorials are of whole numbers"
#: Words that were not read may say anything: ``modulo 3``, ``is false``.
HOLDS_AS_READ = "it holds as far as it was read, but a condition on its row was not read"
_PREMISE = "what the arrow leads to is said for the case that it holds"


@dataclass(frozen=True)
class Answer:
    """What the engine says about one question; ``instance`` is the number of the statement that decides it.

    ``repair`` tells the edit with which it holds, and ``mended`` are its relations with that. ``reasons`` say why its
    integrals, series and limits were replaced by closed forms, ``notes`` are remarks on what it supposes.
    """

    status: Status
    instance: int = 0
    code: str = ""
    reason: str = ""
    counterexample: Witness | None = None
    failing: tuple[int, int] | None = None
    repair: str | None = None
    evidence: tuple[Evidence, ...] = ()
    mended: tuple[Relation, ...] = ()
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


#: What can be asked.
Task: TypeAlias = Question | Closing | Repair | Needed | Spared


def respond(task: Task, settings: Settings, watch: Watch) -> Answer:
    """Answer whatever is asked; of a repair or a remark on what a step supposes, the answer has only that."""
    if isinstance(task, Question):
        return answer(task, settings, watch)
    if isinstance(task, Closing):
        return close(task, settings, watch)
    if isinstance(task, Repair):
        return repair(task, settings)
    try:
        if isinstance(task, Needed):
            condition = needed(task, settings)
            said = [] if condition is None else [f"it would hold if {condition}, which is not said here"]
        else:
            said = [f"{condition} is not needed: it holds without that as well" for condition in spared(task, settings)]
    except (GrpoSymbolicError, ArithmeticError, RecursionError):
        said = []
    return Answer(Status.UNDECIDED, notes=tuple(said))


def answer(question: Question, settings: Settings, watch: Watch) -> Answer:
    """Judge all statements of a question; the first that fails decides, else the weakest.

    Under a condition such as "where A > 0" some instances may say nothing at all; they count only if all do.
    """
    weakest: Answer | None = None
    for number, statement in enumerate(question.statements):
        found = _judged(statement, question, number, settings, watch)
        if question.opening and found.status not in STANDING:
            return Answer(Status.CONDITION, number, "", _PREMISE)
        if found.counterexample is not None and found.status is not Status.UNDECIDED:
            return found
        if weakest is None or (found.code, weakest.code).count(_VACUOUS) == 1:
            weakest = found if weakest is None or weakest.code == _VACUOUS else weakest
        elif _rank(found) < _rank(weakest):
            weakest = found
    return weakest or Answer(Status.UNDECIDED, 0, "empty", "nothing was read that could be checked")


def _judged(statement: Statement, question: Question, number: int, settings: Settings, watch: Watch) -> Answer:
    found = _at_any_numbers(statement, question, number, settings, watch)
    if found.counterexample is None or found.status is Status.UNDECIDED or not _between(statement, found):
        return found
    # A factorial is one of a whole number, and may fail between them what holds for all.
    for point in _whole_points(counting(statement)):
        numbers = {symbol: Number(value) for symbol, value in point.items()}
        other = _at_any_numbers(substitute_statement(statement, numbers), question, number, settings, watch)
        if other.counterexample is not None and other.status is not Status.UNDECIDED:
            at = tuple((symbol.name, str(value)) for symbol, value in point.items())
            return replace(other, counterexample=replace(other.counterexample, at=(*at, *other.counterexample.at)))
    return Answer(Status.UNDECIDED, number, "resisted", _BETWEEN, evidence=found.evidence)


def _between(statement: Statement, found: Answer) -> bool:
    """Whether a statement with factorials fails where they are not of whole numbers."""
    counted = {symbol.name for symbol in counting(statement)}
    at = () if found.counterexample is None else found.counterexample.at
    return any(name in counted and not value.lstrip("-").isdecimal() for name, value in at)


def _whole_points(symbols: Sequence[Symbol]) -> Iterator[dict[Symbol, Fraction]]:
    """The first whole numbers in the domains of some symbols, together."""
    count = _NUMBERS if len(symbols) == 1 else _FEWER
    ranges = [first_numbers(symbol, count) for symbol in symbols]
    return islice((dict(zip(symbols, point, strict=True)) for point in product(*ranges)), _FEWER**3)


def _at_any_numbers(statement: Statement, question: Question, number: int, settings: Settings, watch: Watch) -> Answer:
    try:
        judgement = judge_statement(statement, (), settings, "step", watch=watch)
    except (GrpoSymbolicError, ArithmeticError, RecursionError) as error:
        return Answer(Status.UNDECIDED, number, "failed", _said(error))
    return _weigh(judgement, question, number)


def _said(error: BaseException) -> str:
    text = str(error).removeprefix("step: ")
    return f"the engine stopped: {text or type(error).__name__}"


def _rank(found: Answer) -> int:
    return [Status.UNDECIDED, Status.SUPPORTED, Status.DECIDED, Status.PROVED].index(found.status)


def _weigh(judgement: Judgement, question: Question, number: int) -> Answer:
    """Turn a judgement into an answer; only the failure of the relation itself can refute a step."""
    evidence = judgement.evidence
    if judgement.verdict in (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED):
        if question.conditional:
            return Answer(Status.UNDECIDED, number, CONDITION_NOT_READ, HOLDS_AS_READ, evidence=evidence)
        return Answer(Status.of(judgement.verdict), number, evidence=evidence)
    undefined = next((item for item in _undefined(evidence)), None)
    refuting = next(
        (
            item
            for item in evidence
            if item.verdict is Verdict.REFUTED and item.witness and not item.obligation.endswith(WELL_DEFINED)
        ),
        None,
    )
    if refuting is not None and judgement.verdict is Verdict.REFUTED:
        return _failed(refuting, question, number, evidence)
    apart = _without_value(question.statements[number], evidence)
    if apart is not None and question.asserted and not question.conditional:
        reason = "is not equivalent: one side holds where the other has no value"
        return Answer(Status.REFUTED, number, NO_VALUE, reason, apart, evidence=evidence)
    if undefined is not None:
        return Answer(Status.UNDECIDED, number, "domain", undefined, evidence=evidence)
    never = next((item for item in evidence if item.impossible), None)
    if never is not None:
        reason = f"its condition never holds: {never.note}"
        return Answer(Status.UNDECIDED, number, _VACUOUS, reason, evidence=evidence)
    return Answer(Status.UNDECIDED, number, "resisted", _resisted(evidence), evidence=evidence)


def _failed(refuting: Evidence, question: Question, number: int, evidence: tuple[Evidence, ...]) -> Answer:
    share = _share(evidence)
    if question.conditional:
        reason = "it fails in general, but a condition on its row was not read"
        return Answer(Status.UNDECIDED, number, CONDITION_NOT_READ, reason, refuting.witness, share, None, evidence)
    if question.asserted and question.arrow:
        reason = "is not equivalent to what stands before the arrow"
        return Answer(Status.REFUTED, number, NOT_EQUIVALENT, reason, refuting.witness, share, None, evidence)
    if question.asserted:
        return Answer(Status.REFUTED, number, "", "is not an identity", refuting.witness, share, None, evidence)
    if question.premise:
        return Answer(Status.CONDITION, number, "", _PREMISE)
    reason = "fails as an identity; is it a condition, a definition or a consequence? say so in the map"
    if question.arrow:
        reason = "does not follow as the arrow before it says; is something assumed? say so in the map"
    return Answer(Status.NOT_AN_IDENTITY, number, KIND_UNKNOWN, reason, refuting.witness, share, None, evidence)


def _without_value(statement: Statement, evidence: Sequence[Evidence]) -> Witness | None:
    """A point at which one side of an equivalence certainly holds and the other, all of relations, has no value."""
    if not isinstance(statement, Equivalent):
        return None
    for side, label in ((statement.right, "forward"), (statement.left, "backward")):
        if not all(isinstance(part, Relation) for part in conjuncts(side)):
            continue
        for item in evidence:
            certain = item.verdict is Verdict.REFUTED and item.obligation == f"{label}{WELL_DEFINED}"
            if certain and item.witness is not None:
                return replace(item.witness, left="holds", right="no value")
    return None


def _share(evidence: Sequence[Evidence]) -> tuple[int, int] | None:
    for item in evidence:
        if item.failing and item.points:
            return item.failing, item.points
    return None


def _undefined(evidence: Sequence[Evidence]) -> Iterator[str]:
    for item in evidence:
        if item.undefined:
            yield f"a side is {item.note}"
        if item.verdict is Verdict.REFUTED and item.obligation.endswith(WELL_DEFINED):
            at = ", ".join(f"{name} = {value}" for name, value in item.witness.at) if item.witness else ""
            yield "a side is undefined at " + at if at else f"a side is undefined on the domains: {item.note}"


def _resisted(evidence: Sequence[Evidence]) -> str:
    tried = [f"{item.method}: {item.note}" for item in evidence if item.verdict is Verdict.UNDECIDED and item.note]
    return "; ".join(dict.fromkeys(tried)) or "no method could say anything"


def close(task: Closing, settings: Settings, watch: Watch) -> Answer:
    """Judge a question about integrals, sums and limits by their closed forms; UNDECIDED where one was not found.

    Where sums end at a symbol, their closed forms decide for all numbers, and thus for all whole ones; what they do not
    decide is judged for the first whole numbers, with the sums written out.
    """

    # Where only a decision counts, a few points show soon enough that there is none.
    brief = replace(settings, points=min(settings.points, _FEW_POINTS), hunt=False)

    def decides(statement: Statement) -> bool:
        verdict = judge_statement(statement, (), brief, "step", watch=watch).verdict
        return verdict in (Verdict.PROVED, Verdict.DECIDED)

    def answered(statements: Sequence[Statement], thoroughly: Settings = brief) -> Answer:
        return answer(replace(task.question, statements=tuple(statements)), thoroughly, watch)

    def judged(statements: Sequence[Statement]) -> Answer:
        forms: list[Closed] = []
        for statement in statements:
            try:
                form = closed(statement, decides) if is_open(statement) else Closed(statement, ())
            except (GrpoSymbolicError, ArithmeticError, RecursionError):
                form = None
            if form is None:
                return Answer(Status.UNDECIDED)
            forms.append(form)
        # What has no integrals and the like was judged before, and not decided.
        opened = any(map(is_open, statements))
        found = answered([form.statement for form in forms], settings) if opened else Answer(Status.UNDECIDED)
        if found.status not in CERTAIN and any(has_factorials(one.statement) for one in forms):
            stronger = answered([generalised(form.statement, decides) for form in forms])
            found = stronger if stronger.status in CERTAIN else found
        if found.status in (Status.SUPPORTED, Status.UNDECIDED) and len(forms) == 1:
            for statement, reason in peeled(forms[0].statement, decides):
                same = answered([statement])
                if same.status in CERTAIN:
                    return replace(same, reasons=(*forms[0].reasons, reason))
        return replace(found, reasons=tuple(dict.fromkeys(reason for form in forms for reason in form.reasons)))

    statements = task.question.statements
    whole = tuple(dict.fromkeys(symbol for one in statements for symbol in whole_symbols(one)))
    if not all(first_numbers(symbol, 1) for symbol in whole):
        return Answer(Status.UNDECIDED)
    found = judged(statements)
    if not whole or found.status in CERTAIN:
        return found
    return (
        _for_numbers(statements, whole[0], judged) if len(whole) == len(statements) == 1 else Answer(Status.UNDECIDED)
    )


def _for_numbers(
    statements: Sequence[Statement], symbol: Symbol, judged: Callable[[Sequence[Statement]], Answer]
) -> Answer:
    tried: list[str] = []
    for number, statement in for_numbers(statements[0], symbol, _NUMBERS):
        found = judged((statement,))
        if found.counterexample is not None:
            witness = found.counterexample
            return replace(found, counterexample=replace(witness, at=((symbol.name, str(number)), *witness.at)))
        if found.status not in STANDING:
            return Answer(Status.UNDECIDED)
        tried.append(str(number))
    return Answer(Status.SUPPORTED, 0, SIZES, f"checked for {symbol.name} = {', '.join(tried)} only")


def repair(task: Repair, settings: Settings) -> Answer:
    """Look for the edit that makes a refuted step hold; the answer has only that."""
    try:
        found = repaired(task, settings)
    except (GrpoSymbolicError, ArithmeticError, RecursionError):
        found = None
    if found is None:
        return Answer(Status.REFUTED)
    return Answer(Status.REFUTED, repair=found.text, mended=found.relations)
