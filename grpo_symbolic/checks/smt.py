"""Decide obligations with two SMT solvers, z3 and cvc5, from the same script.

Soundness. The script of ``translate.smtlib`` is satisfied at every point of the domains at which the hypotheses hold
and the conclusion fails. So if a solver says unsat there is none. One solver is believed, and it is an error if two
contradict each other. A goal may be decided with some terms as variables: then it holds whatever values these terms
have. What ranges over the domains show is not sent at all, and what follows from some of what is known, follows. Which
scripts are sent to which solver, and how long it may work, is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from grpo_symbolic.checks import cvc5_process
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.common_terms import generalised
from grpo_symbolic.errors import CheckError, UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, SolverAnswer, Verdict
from grpo_symbolic.language.statement import Relation, Statement, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.smtlib import scripts_for

if TYPE_CHECKING:
    from grpo_symbolic.checks.proposer import Answer, Proposer, Question

METHOD = "smt"

_BY_RANGE = "interval arithmetic on the domains"


def check(goal: Obligation, proposer: Proposer) -> Evidence | None:
    """Decide an obligation whose relations are polynomial up to roots, exponentials and logarithms.

    None if some expression has no such form.

    Raises:
        CheckError: if the two solvers contradict each other.
    """
    if isinstance(goal.conclusion, Relation) and decide_by_range(goal.conclusion):
        return award(METHOD, Verdict.DECIDED, goal.label, goal, _BY_RANGE, aids=(_BY_RANGE,))
    try:
        hearing = _Hearing(goal, proposer)
    except UnsupportedError:
        return None
    except UndefinedError as error:
        return Evidence(METHOD, Verdict.UNDECIDED, goal.label, f"undefined everywhere: {error}")
    said, answers, aids = hearing.opinion, hearing.answers, hearing.aids
    if hearing.is_decided:
        return award(METHOD, Verdict.DECIDED, goal.label, goal, said.note, answers=answers, aids=aids)
    left = Evidence(METHOD, Verdict.UNDECIDED, goal.label, said.note, answers=answers, aids=aids)
    return replace(left, candidates=said.candidates)


def is_shown(condition: Relation, known: tuple[Statement, ...], proposer: Proposer) -> bool:
    """Whether a condition holds on all of the domains, is known, or follows from what is known.

    First asked is whether it follows from what speaks of nothing else: most often that is enough, and sooner written.
    """
    if decide_by_range(condition) or condition in known:
        return True
    spoken_of = frozenset(symbols_of(condition))
    close = tuple(statement for statement in known if spoken_of.issuperset(symbols_of(statement)))
    for premises in dict.fromkeys((close, known)):
        found = check(Obligation("side condition", premises, condition), proposer)
        if found is not None and found.verdict is Verdict.DECIDED:
            return True
    return False


class _Hearing:
    """What solvers say of one goal. They are asked as is proposed, and what each of them says is kept here."""

    def __init__(self, goal: Obligation, proposer: Proposer) -> None:
        self._goal = goal
        self.is_decided = False
        self.answers: tuple[SolverAnswer, ...] = ()
        self.aids: tuple[str, ...] = ()
        self._proposer = proposer
        self._said: dict[str, dict[str, str]] = {}
        self.opinion = proposer.hear(goal, self._ask)

    def _ask(self, question: Question) -> Answer:
        """Put a question about the goal, or about what it says whatever values some terms have."""
        goal = generalised(self._goal, question.terms) if question.terms else self._goal
        scripts = scripts_for(goal, self._proposer.kernels, strong=question.strong)
        status, model = _ASK[question.solver](scripts.refutation, question)
        said = self._said.setdefault(scripts.refutation, {})
        if status != "unknown" or question.solver not in said:
            said[question.solver] = status
        if {"sat", "unsat"} <= set(said.values()):
            words = ", ".join(f"{solver} says {status}" for solver, status in said.items())
            raise CheckError(f"solvers contradict each other: {words} on\n{scripts.refutation}")
        if "unsat" in said.values() or not self.is_decided:
            self.is_decided = self.is_decided or "unsat" in said.values()
            self.answers = tuple(SolverAnswer(solver, status) for solver, status in said.items())
            self.aids = ("common terms as variables",) if question.terms else ()
        return status, model


def _ask_z3(script: str, question: Question) -> Answer:
    """Ask z3's default strategy, or its complete procedure for real arithmetic."""
    import z3

    # A context of its own: nothing is shared between calls, and the same script gets the same answer.
    context = z3.Context()
    solver = z3.Tactic("qfnra-nlsat", ctx=context).solver() if question.thorough else z3.Solver(ctx=context)
    solver.set("rlimit", question.effort)
    solver.set("timeout", question.milliseconds)
    solver.from_string(script)
    status = str(solver.check())
    return status, solver.model() if status == "sat" else None


_ASK: Mapping[str, Callable[[str, Question], Answer]] = {
    "z3": _ask_z3,
    "cvc5": lambda script, question: cvc5_process.ask(script, question.effort, question.thorough),
}
