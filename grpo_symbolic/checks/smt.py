"""Decide obligations with two SMT solvers, z3 and cvc5, from the same script.

Soundness. The script of ``translate.smtlib`` is satisfied at every point of the domains at which the hypotheses hold
and the conclusion fails. So if a solver says unsat there is none. One solver is believed; where both are installed the
other is asked as well, and it is an error if they contradict each other. A goal may be decided with some terms as
variables: then it holds whatever values these terms have.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grpo_symbolic.checks import cvc5_process
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.common_terms import generalised
from grpo_symbolic.checks.proposer import Proposer
from grpo_symbolic.errors import CheckError, UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, SolverAnswer, Verdict
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import Relation, conjuncts
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.smtlib import Scripts, scripts_for

METHOD = "smt"

_BY_RANGE = "interval arithmetic on the domains"

#: Resource units of z3 per unit of effort. Arithmetic on algebraic numbers costs z3 time but hardly any units.
_Z3_UNITS = 5
#: Emergency brake in milliseconds of processor time, far above what an obligation that is decided within its budget
#: takes: verdicts depend on the deterministic budget, unless the machine is very much slower than today's.
_BRAKE = 5000
#: How many times longer the clock may run than the processor works, on a crowded machine.
_MOST_CROWDED = 64
#: A second opinion gets the effort divided by this.
_BRIEF = 12
#: With so many roots and functions, common terms are first taken as variables.
_MANY_KERNELS = 3


def unavailable() -> str | None:
    """One line that says how to get a solver, or None if at least one can be imported."""
    if _has("z3") or _has("cvc5"):
        return None
    return "neither z3 nor cvc5 is installed: pip install 'grpo-symbolic[smt]'"


def check(obligation: Obligation, settings: Settings, proposer: Proposer) -> Evidence | None:
    """Decide an obligation whose relations are polynomial up to roots, exponentials and logarithms.

    None if some expression has no such form.

    Raises:
        CheckError: if the two solvers contradict each other.
    """
    started = time.perf_counter()
    try:
        found = _judge(obligation, settings, proposer)
    except UnsupportedError:
        return None
    except UndefinedError as error:
        found = _Finding(Verdict.UNDECIDED, f"undefined everywhere: {error}")
    make = award if found.verdict is Verdict.DECIDED else Evidence
    return make(
        METHOD,
        found.verdict,
        obligation.label,
        found.note,
        answers=found.answers,
        aids=found.aids,
        candidates=found.candidates,
        seconds=time.perf_counter() - started,
    )


@dataclass(frozen=True)
class _Finding:
    """What the solvers said of one goal, with what else was used, and models at which the goal may fail."""

    verdict: Verdict
    note: str
    answers: tuple[SolverAnswer, ...] = ()
    aids: tuple[str, ...] = ()
    candidates: tuple[Mapping[Symbol, Fraction], ...] = ()


@dataclass(frozen=True)
class _Answer:
    """What one solver says: ``sat``, ``unsat`` or ``unknown``, with a model of the symbols if satisfiable."""

    solver: str
    status: str
    model: tuple[tuple[Symbol, Fraction], ...] = ()
    exact_model: bool = True


def _judge(obligation: Obligation, settings: Settings, proposer: Proposer) -> _Finding:
    """Judge the conjuncts of the conclusion one by one; all must be decided."""
    goals = list(conjuncts(obligation.conclusion))
    open_goals = [goal for goal in goals if not (isinstance(goal, Relation) and decide_by_range(goal))]
    # Translating everything first finds out whether the method applies, before anything is decided.
    scripts_for(obligation, proposer.kernels)
    found: list[_Finding] = []
    for goal in open_goals:
        found.append(_judge_goal(replace(obligation, conclusion=goal), settings, proposer))
        # An expression has no value as soon as one of its side conditions fails, so the others are asked as well.
        if found[-1].verdict is not Verdict.DECIDED and not obligation.side_condition:
            break
    resisting = [item for item in found if item.verdict is not Verdict.DECIDED]
    if resisting:
        goal = open_goals[found.index(resisting[0])]
        note = resisting[0].note if len(goals) == 1 else f"{goal}: {resisting[0].note}"
        candidates = tuple(candidate for item in resisting for candidate in item.candidates)
        return replace(resisting[0], note=note, candidates=candidates)
    by_range = (_BY_RANGE,) if len(open_goals) < len(goals) else ()
    notes = dict.fromkeys([*by_range, *(item.note for item in found)])
    answers = dict.fromkeys(answer for item in found for answer in item.answers)
    aids = dict.fromkeys([*by_range, *(aid for item in found for aid in item.aids)])
    return _Finding(Verdict.DECIDED, "; ".join(notes), tuple(answers), tuple(aids))


def _judge_goal(obligation: Obligation, settings: Settings, proposer: Proposer) -> _Finding:
    """Ask for a counterexample, first with the basic axioms, then with the strong ones.

    Before that, where much has to be abstracted, the terms that hypotheses and conclusion share are variables:
    often a lemma is only to be put in, and what its terms stand for is a burden.
    """
    if (
        obligation.hypotheses
        and sum(count for _, count in scripts_for(obligation, proposer.kernels).kernels) >= _MANY_KERNELS
    ):
        terms = proposer.common_terms((*obligation.hypotheses, obligation.conclusion))
        general = generalised(obligation, terms)
        answers = [] if general is None else _search(general, settings.effort, proposer)[1]
        if any(answer.status == "unsat" for answer in answers):
            aid = "common terms as variables"
            return _Finding(Verdict.DECIDED, f"{_said(answers)}{_missing()}; {aid}", _answers(answers), (aid,))
    scripts, answers = _search(obligation, settings.effort, proposer)
    if any(answer.status == "unsat" for answer in answers):
        note = _said(answers) + _missing() + _variables(scripts)
        return _Finding(Verdict.DECIDED, note, _answers(answers))
    models = [answer for answer in answers if answer.status == "sat"]
    if not models:
        note = f"{_said(answers)}; out of budget{_missing()}{_variables(scripts)}"
        return _Finding(Verdict.UNDECIDED, note, _answers(answers))
    note = f"{_said(answers)}; {_model(scripts, models[0])}"
    return _Finding(Verdict.UNDECIDED, note, _answers(answers), candidates=tuple(dict(model.model) for model in models))


def _said(answers: list[_Answer]) -> str:
    return ", ".join(f"{answer.solver}: {answer.status}" for answer in answers)


def _answers(answers: list[_Answer]) -> tuple[SolverAnswer, ...]:
    return tuple(SolverAnswer(answer.solver, answer.status) for answer in answers)


def _search(obligation: Obligation, effort: int, proposer: Proposer) -> tuple[Scripts, list[_Answer]]:
    """The first script with a proof and its answers, else the last script and its answers.

    z3 tries all scripts before cvc5 does: it is much the quicker to give up.

    Raises:
        CheckError: if one solver says sat and the other unsat.
    """
    attempts = [scripts_for(obligation, proposer.kernels)]
    if attempts[0].abstracted:
        attempts.append(scripts_for(obligation, proposer.kernels, strong=True))
    first: list[_Answer] = []
    if _has("z3"):
        for scripts in attempts:
            first.append(_ask_z3(scripts.refutation, scripts, effort))
            if first[-1].status == "unsat" or (first[-1].status == "sat" and scripts is attempts[-1]):
                return scripts, _second_opinion(scripts, first[-1], effort)
    if not _has("cvc5"):
        return attempts[-1], first[-1:]
    answer = None
    for index, scripts in enumerate(attempts):
        if answer is None or answer.status == "sat":
            answer = _ask_cvc5(scripts.refutation, scripts, effort)
            answers = [*first[index : index + 1], answer]
            if answer.status == "unsat":
                break
    _forbid_contradiction(answers, scripts)
    return scripts, answers


def _second_opinion(scripts: Scripts, answer: _Answer, effort: int) -> list[_Answer]:
    """The answer, and briefly what the other solver says, which must not be the contrary."""
    if not _has("cvc5"):
        return [answer]
    answers = [answer, _ask_cvc5(scripts.refutation, scripts, effort // _BRIEF, brief=True)]
    _forbid_contradiction(answers, scripts)
    return answers


def _forbid_contradiction(answers: list[_Answer], scripts: Scripts) -> None:
    if {"sat", "unsat"} <= {answer.status for answer in answers}:
        said = ", ".join(f"{answer.solver} says {answer.status}" for answer in answers)
        raise CheckError(f"solvers contradict each other: {said} on\n{scripts.refutation}")


def _model(scripts: Scripts, answer: _Answer) -> str:
    point = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in answer.model)
    if scripts.abstracted:
        return f"a model of the abstraction: {point}"
    near = " at" if answer.exact_model else " near"
    return f"a model{near} {point}"


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 12 else f"{float(value):.6g}"


def _missing() -> str:
    absent = [name for name in ("z3", "cvc5") if not _has(name)]
    return f" ({absent[0]} is not installed)" if absent else ""


def _variables(scripts: Scripts) -> str:
    if not scripts.kernels:
        return ""
    return "; " + ", ".join(f"{count} {kind}" for kind, count in scripts.kernels) + " as variables"


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _ask_z3(script: str, scripts: Scripts, effort: int) -> _Answer:
    """Ask z3's default strategy, and its complete procedure for real arithmetic if that gives up."""
    import z3

    # A context of its own: nothing is shared between calls, and the same script gets the same answer.
    context = z3.Context()
    for solver in (z3.Solver(ctx=context), z3.Tactic("qfnra-nlsat", ctx=context).solver()):
        solver.set("rlimit", effort * _Z3_UNITS)
        solver.from_string(script)
        status = _braked(solver)
        if status == "unsat":
            return _Answer("z3", status)
        if status == "sat":
            return _model_of_z3(solver.model(), scripts)
    return _Answer("z3", "unknown")


def _braked(solver: Any) -> str:
    """What a solver of z3 says within the brake, in time of the processor: its own clock runs on while others work."""
    limit = _BRAKE
    while True:
        solver.set("timeout", limit)
        clock, processor = time.monotonic(), time.process_time()
        status = str(solver.check())
        waited = 1000 * (time.monotonic() - clock)
        worked = 1000 * (time.process_time() - processor)
        if status != "unknown" or waited < limit or worked >= 0.8 * _BRAKE or limit >= _MOST_CROWDED * _BRAKE:
            return status
        limit *= 4


def _model_of_z3(model: object, scripts: Scripts) -> _Answer:
    import z3

    symbols = dict(scripts.symbols)
    values: dict[Symbol, Fraction] = dict.fromkeys(symbols.values(), Fraction(0))
    exact = True
    for declaration in model:  # type: ignore[attr-defined]
        symbol, value = symbols.get(declaration.name()), model[declaration]  # type: ignore[index]
        if symbol is None:
            continue
        if z3.is_algebraic_value(value):
            exact, value = False, value.approx(20)
        values[symbol] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return _Answer("z3", "sat", tuple(values.items()), exact)


def _ask_cvc5(script: str, scripts: Scripts, effort: int, *, brief: bool = False) -> _Answer:
    """Ask cvc5 for a brief opinion without coverings, or with them in a process that can be stopped."""
    options = {"rlimit": str(max(effort, 1)), "nl-cov": "false" if brief else "true"}
    if brief:
        status, values, exact = cvc5_process.ask(script, options)
    else:
        status, values, exact = cvc5_process.ask_apart(script, options, _BRAKE / 1000)
    model = tuple((symbol, values.get(name, Fraction(0))) for name, symbol in scripts.symbols)
    return _Answer("cvc5", status, model if status == "sat" else (), exact)
