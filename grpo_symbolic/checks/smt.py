"""Decide obligations with two SMT solvers, z3 and cvc5, from the same script."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.checks import cvc5_process
from grpo_symbolic.checks.common_terms import generalised
from grpo_symbolic.errors import CheckError, UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Settings, Verdict, Witness
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import All, Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.smtlib import Scripts, scripts_for

METHOD = "smt"

_BY_RANGE = "interval arithmetic on the domains"

#: Resource units of z3 per unit of effort. Arithmetic on algebraic numbers costs z3 time but hardly any units.
_Z3_UNITS = 5
#: Emergency brake in milliseconds, far above what an obligation that is decided within its budget takes:
#: verdicts depend on the deterministic budget, unless the machine is very much slower than today's.
_BRAKE = 5000
#: A second opinion gets the effort divided by this.
_BRIEF = 12
#: With so many roots and functions, common terms are first taken as variables.
_MANY_KERNELS = 3
#: Denominators to which an irrational model is rounded before it is proposed as a counterexample.
_ROUNDINGS = (10**9, 1000, 100, 12)


def unavailable() -> str | None:
    """One line that says how to get a solver, or None if at least one can be imported."""
    if _has("z3") or _has("cvc5"):
        return None
    return "neither z3 nor cvc5 is installed: pip install 'grpo-symbolic[smt]'"


def check(obligation: Obligation, settings: Settings) -> Evidence | None:
    """Decide an obligation whose relations are polynomial up to roots, exponentials and logarithms.

    None if some expression has no such form.

    Raises:
        CheckError: if the two solvers contradict each other.
    """
    started = time.perf_counter()
    try:
        verdict, note, witness = _judge(obligation, settings)
    except UnsupportedError:
        return None
    except UndefinedError as error:
        verdict, note, witness = Verdict.UNDECIDED, f"undefined everywhere: {error}", None
    return Evidence(METHOD, verdict, obligation.label, note, witness, seconds=time.perf_counter() - started)


@dataclass(frozen=True)
class _Answer:
    """What one solver says: ``sat``, ``unsat`` or ``unknown``, with a model of the symbols if satisfiable."""

    solver: str
    status: str
    model: tuple[tuple[Symbol, Fraction], ...] = ()
    exact_model: bool = True


def _judge(obligation: Obligation, settings: Settings) -> tuple[Verdict, str, Witness | None]:
    """Judge the conjuncts of the conclusion one by one, then ask whether the hypotheses can hold at all."""
    goals = list(_conjuncts(obligation.conclusion))
    open_goals = [goal for goal in goals if not (isinstance(goal, Relation) and decide_by_range(goal))]
    notes: dict[str, None] = {}
    if len(open_goals) < len(goals):
        notes[_BY_RANGE] = None
    if not open_goals and (not obligation.hypotheses or obligation.side_condition):
        return Verdict.DECIDED, _BY_RANGE, None
    # Translating everything first finds out whether the method applies, before anything is decided.
    whole = scripts_for(obligation, FewKernels)
    open_answer: tuple[Verdict, str, Witness | None] | None = None
    for goal in open_goals:
        verdict, note, witness = _judge_goal(replace(obligation, conclusion=goal), settings)
        if verdict is Verdict.DECIDED:
            notes[note] = None
            continue
        answer = verdict, note if len(goals) == 1 else f"{goal}: {note}", witness
        if verdict is Verdict.REFUTED or not obligation.side_condition:
            return answer
        # An expression has no value as soon as one of its side conditions fails, so the others are asked as well.
        open_answer = open_answer or answer
    if open_answer is not None:
        return open_answer
    # Whether the hypotheses of a side condition can hold is asked with the obligation that it belongs to, and
    # where nothing needs to be hunted for a sample has seen them hold.
    caution = None if obligation.side_condition or not settings.hunt else _vacuous(whole, settings)
    if caution is not None and caution.startswith("vacuous: "):
        return Verdict.UNDECIDED, caution, None
    if caution is not None:
        notes[caution] = None
    return Verdict.DECIDED, "; ".join(notes), None


def _conjuncts(statement: Statement) -> Iterator[Statement]:
    if isinstance(statement, All):
        for part in statement.parts:
            yield from _conjuncts(part)
    else:
        yield statement


def _judge_goal(obligation: Obligation, settings: Settings) -> tuple[Verdict, str, Witness | None]:
    """Ask for a counterexample, first with the basic axioms, then with the strong ones.

    Before that, where much has to be abstracted, the terms that hypotheses and conclusion share are variables:
    often a lemma is only to be put in, and what its terms stand for is a burden.
    """
    if (
        obligation.hypotheses
        and sum(count for _, count in scripts_for(obligation, FewKernels).kernels) >= _MANY_KERNELS
    ):
        general = generalised(obligation)
        answers = [] if general is None else _search(general, settings.effort)[1]
        if any(answer.status == "unsat" for answer in answers):
            said = ", ".join(f"{answer.solver}: {answer.status}" for answer in answers)
            return Verdict.DECIDED, f"{said}{_missing()}; common terms as variables", None
    scripts, answers = _search(obligation, settings.effort)
    said = ", ".join(f"{answer.solver}: {answer.status}" for answer in answers)
    if any(answer.status == "unsat" for answer in answers):
        return Verdict.DECIDED, said + _missing() + _variables(scripts), None
    models = [answer for answer in answers if answer.status == "sat"]
    if not models:
        return Verdict.UNDECIDED, f"{said}; out of budget{_missing()}{_variables(scripts)}", None
    witness = _witness(obligation, models, settings)
    if witness is not None:
        return Verdict.REFUTED, f"{said}; the model leads to a counterexample", witness
    return Verdict.UNDECIDED, f"{said}; {_unconfirmed(scripts, models[0])}", None


def _search(obligation: Obligation, effort: int) -> tuple[Scripts, list[_Answer]]:
    """The first script with a proof and its answers, else the last script and its answers.

    z3 tries all scripts before cvc5 does: it is much the quicker to give up.

    Raises:
        CheckError: if one solver says sat and the other unsat.
    """
    attempts = [scripts_for(obligation, FewKernels)]
    if attempts[0].abstracted:
        attempts.append(scripts_for(obligation, FewKernels, strong=True))
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


def _vacuous(scripts: Scripts, settings: Settings) -> str | None:
    """None if the hypotheses can hold, else a caution; it begins with "vacuous: " if they cannot."""
    if scripts.always_consistent:
        return None
    answers = [_ask_z3(scripts.consistency, scripts, settings.effort)] if _has("z3") else []
    if _has("cvc5") and not any(answer.status != "unknown" for answer in answers):
        answers.append(_ask_cvc5(scripts.consistency, scripts, settings.effort))
    statuses = {answer.status for answer in answers}
    if "unsat" in statuses:
        return "vacuous: no point satisfies the hypotheses and gives the conclusion a value"
    if "sat" not in statuses:
        return "hypotheses not shown to be satisfiable"
    return "hypotheses satisfiable as far as the axioms tell" if scripts.abstracted else None


def _witness(obligation: Obligation, models: list[_Answer], settings: Settings) -> Witness | None:
    """A counterexample near one of the models: a model alone refutes nothing."""
    # Imported here because the refutation engine is needed for false claims only, and is large.
    from grpo_symbolic.checks.counterexamples.search import counterexample

    candidates: list[Mapping[Symbol, Fraction]] = []
    for answer in models:
        candidates.append(dict(answer.model))
        for largest in _ROUNDINGS:
            candidates.append({symbol: value.limit_denominator(largest) for symbol, value in answer.model})
    return counterexample(obligation, settings, candidates=candidates)


def _unconfirmed(scripts: Scripts, answer: _Answer) -> str:
    point = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in answer.model)
    if scripts.abstracted:
        return f"abstraction too weak: the model {point} is not a counterexample"
    near = "" if answer.exact_model else " near"
    return f"a model at{near} {point}, but no counterexample could be certified there"


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
        solver.set("timeout", _BRAKE)
        solver.from_string(script)
        status = str(solver.check())
        if status == "unsat":
            return _Answer("z3", status)
        if status == "sat":
            return _model_of_z3(solver.model(), scripts)
    return _Answer("z3", "unknown")


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
