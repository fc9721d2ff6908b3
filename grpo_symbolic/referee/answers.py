"""Answer a question with the engine: judge its statements, weigh what a failure means; and look for a repair.

This is what runs in a worker process; everything that goes in and comes out is plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.searching import Watch
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.statement import Statement, substitute_statement
from grpo_symbolic.referee.certifying import Certify, certify
from grpo_symbolic.referee.closing.closing import Closed, closed, first_numbers, is_open, whole_symbols
from grpo_symbolic.referee.closing.factorials import counting, generalised, has_factorials
from grpo_symbolic.referee.closing.peeling import peeled
from grpo_symbolic.referee.closing.trials import numbers_to_try
from grpo_symbolic.referee.findings import CERTAIN, NO_VALUE, SIZES, STANDING, Status
from grpo_symbolic.referee.questions import Closing, Question, Repair
from grpo_symbolic.referee.repair import repaired
from grpo_symbolic.referee.suppositions import Needed, Spared, needed, spared
from grpo_symbolic.referee.weighing import PREMISE, VACUOUS, Answer, weigh
from grpo_symbolic.referee.whole_exponents import at_whole_numbers, restricted

#: Whole numbers at which factorials are tried of what fails between them.
_NUMBERS = 8
_FEW_POINTS = 20
#: The same for each of several symbols together.
_FEWER = 3
_BETWEEN = "it fails between whole numbers, but no failure was found where its factorials are of whole numbers"
_SOME_EXPONENTS = "where the bases of its powers need not be positive, checked for the first whole exponents only"
_NO_POWER = "one side holds where the base of a power on the other is not positive, which may have a value"
_POSITIVE_ONLY = "it holds where the bases of its powers are positive; elsewhere that was not decided"


#: What can be asked.
Task: TypeAlias = Question | Closing | Repair | Needed | Spared | Certify


def respond(task: Task, settings: Settings, watch: Watch) -> Answer:
    """Answer whatever is asked; of a repair or a remark on what a step supposes, the answer has only that."""
    if isinstance(task, Question):
        return answer(task, settings, watch)
    if isinstance(task, Closing):
        return close(task, settings, watch)
    if isinstance(task, Repair):
        return repair(task, settings)
    if isinstance(task, Certify):
        return certify(task, settings)
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
            return Answer(Status.CONDITION, number, "", PREMISE)
        if found.counterexample is not None and found.status is not Status.UNDECIDED:
            return found
        if weakest is None or (found.code, weakest.code).count(VACUOUS) == 1:
            weakest = found if weakest is None or weakest.code == VACUOUS else weakest
        elif _rank(found) < _rank(weakest):
            weakest = found
    return weakest or Answer(Status.UNDECIDED, 0, "empty", "nothing was read that could be checked")


def _judged(statement: Statement, question: Question, number: int, settings: Settings, watch: Watch) -> Answer:
    found = _at_any_numbers(statement, question, number, settings, watch)
    between = found.counterexample is not None and found.status is not Status.UNDECIDED and _between(statement, found)
    if not between:
        return _with_true_powers(found, statement, question, number, settings, watch)
    # A factorial is one of a whole number, and may fail between them what holds for all.
    for point in _whole_points(counting(statement)):
        numbers = {symbol: Number(value) for symbol, value in point.items()}
        other = _at_any_numbers(substitute_statement(statement, numbers), question, number, settings, watch)
        if other.counterexample is not None and other.status is not Status.UNDECIDED:
            return _at_numbers(other, point)
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


def _with_true_powers(
    found: Answer, statement: Statement, question: Question, number: int, settings: Settings, watch: Watch
) -> Answer:
    """What holds, unless powers in it were read for positive bases only: then what holds for whole exponents as well.

    A failure for these is one, what was found for some of them is no more than support, and that a power has no value
    is not known of them.
    """
    if found.status not in STANDING and found.code != NO_VALUE:
        return found

    def decides(other: Statement) -> bool:
        return judge_statement(other, (), settings, "step", watch=watch).verdict in (Verdict.PROVED, Verdict.DECIDED)

    powers = restricted(statement, question.powers, decides)
    tried = False
    for point, there in at_whole_numbers(statement, powers) if powers else ():
        tried = True
        other = _at_any_numbers(there, question, number, settings, watch)
        if other.counterexample is not None and other.status is not Status.UNDECIDED:
            return _at_numbers(other, point)
        if other.status not in STANDING:
            return Answer(Status.UNDECIDED, number, "resisted", _POSITIVE_ONLY, evidence=found.evidence)
    if not powers:
        return found
    if found.code == NO_VALUE:
        return Answer(Status.UNDECIDED, number, "resisted", _NO_POWER, evidence=found.evidence)
    if not tried:
        return replace(found, status=Status.UNDECIDED, code="resisted", reason=_POSITIVE_ONLY)
    return replace(found, status=Status.SUPPORTED, code=SIZES, reason=_SOME_EXPONENTS)


def _at_numbers(found: Answer, point: Mapping[Symbol, Fraction]) -> Answer:
    """A failure with the numbers that were put in for symbols."""
    if found.counterexample is None:
        return found
    at = tuple((symbol.name, str(value)) for symbol, value in point.items())
    return replace(found, counterexample=replace(found.counterexample, at=(*at, *found.counterexample.at)))


def _at_any_numbers(statement: Statement, question: Question, number: int, settings: Settings, watch: Watch) -> Answer:
    try:
        judgement = judge_statement(statement, (), settings, "step", watch=watch)
    except (GrpoSymbolicError, ArithmeticError, RecursionError) as error:
        return Answer(Status.UNDECIDED, number, "failed", _said(error))
    return weigh(judgement, question, number)


def _said(error: BaseException) -> str:
    text = str(error).removeprefix("step: ")
    return f"the engine stopped: {text or type(error).__name__}"


def _rank(found: Answer) -> int:
    # What is said for a case asserts nothing, whatever it says of other values of the indices.
    return [Status.UNDECIDED, Status.CONDITION, Status.SUPPORTED, Status.DECIDED, Status.PROVED].index(found.status)


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
    for number in numbers_to_try(statements[0], symbol):
        found = judged((substitute_statement(statements[0], {symbol: Number(Fraction(number))}),))
        if found.counterexample is not None:
            witness = found.counterexample
            return replace(found, counterexample=replace(witness, at=((symbol.name, str(number)), *witness.at)))
        if found.status not in STANDING:
            return Answer(Status.UNDECIDED)
        tried.append(str(number))
    if not tried:
        return Answer(Status.UNDECIDED)
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
