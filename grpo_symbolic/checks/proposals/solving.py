"""Proposals for solvers: which of them is sent which script, how long it may work, and what is told of its answers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grpo_symbolic.checks.common_terms import generalised
from grpo_symbolic.checks.proposals import installed
from grpo_symbolic.checks.proposals.apart import ask_apart
from grpo_symbolic.checks.proposals.common_terms import circular_terms, shared_terms
from grpo_symbolic.checks.proposer import Opinion, Question
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Proposals
from grpo_symbolic.translate.smtlib import Scripts, scripts_for

#: Resource units of z3 per unit of effort. Arithmetic on algebraic numbers costs z3 time but hardly any units.
_Z3_UNITS = 5
#: Emergency brake in milliseconds of processor time, far above what an obligation that is decided within its budget
#: takes: verdicts depend on the deterministic budget, unless the machine is very much slower than today's.
_BRAKE = 5000
#: That of cvc5 where common terms are variables: what it finds then it finds in half a second, and more is asked next.
_BRAKE_FOR_TERMS = 1000
#: How many times longer the clock may run than the processor works, on a crowded machine.
_MOST_CROWDED = 64
#: A second opinion gets the effort divided by this.
_BRIEF = 12
#: With so many roots and functions, common terms are first taken as variables.
_MANY_KERNELS = 3


@dataclass(frozen=True)
class Answer:
    """What one solver says: ``sat``, ``unsat`` or ``unknown``, with a model of its own making if satisfiable."""

    solver: str
    status: str
    model: Any


@dataclass(frozen=True)
class Solving:
    """Asks about one goal, with budgets in units of effort."""

    ask: Callable[[Question], tuple[str, Any]]
    effort: int
    kernels: Callable[[Iterable[Expression]], Proposals]

    def opinion(self, goal: Obligation) -> Opinion:
        """Ask for a counterexample, first with the basic axioms, then with the strong ones.

        Before that, where much has to be abstracted, the terms that hypotheses and conclusion share are variables:
        often a lemma is only to be put in, and what its terms stand for is a burden. So are sines, cosines and inverse
        tangents always.

        Raises:
            UnsupportedError: if an expression has no polynomial form.
        """
        if angles := circular_terms((*goal.hypotheses, goal.conclusion)):
            answers = self._search(generalised(goal, angles), angles)[1]
            if any(answer.status == "unsat" for answer in answers):
                return Opinion(f"{_said(answers)}{_missing()}; functions of angles as variables")
        if goal.hypotheses and len(self._scripts(goal).form.kernels) >= _MANY_KERNELS:
            terms = shared_terms((*goal.hypotheses, goal.conclusion))
            answers = self._search(generalised(goal, terms), terms)[1] if terms else []
            if any(answer.status == "unsat" for answer in answers):
                return Opinion(f"{_said(answers)}{_missing()}; common terms as variables")
        scripts, answers = self._search(goal, frozenset())
        if any(answer.status == "unsat" for answer in answers):
            return Opinion(_said(answers) + _missing() + _variables(scripts))
        models = [_Model(scripts, answer) for answer in answers if answer.status == "sat"]
        if not models:
            return Opinion(f"{_said(answers)}; out of budget{_missing()}{_variables(scripts)}")
        return Opinion(f"{_said(answers)}; {models[0]}", tuple(model.point for model in models))

    def _scripts(self, obligation: Obligation, *, strong: bool = False) -> Scripts:
        return scripts_for(obligation, self.kernels, strong=strong)

    def _answer(self, question: Question) -> Answer:
        return Answer(question.solver, *self.ask(question))

    def _search(self, obligation: Obligation, terms: frozenset[Expression]) -> tuple[Scripts, list[Answer]]:
        """The first script with a proof and its answers, else the last script and its answers.

        z3 tries all scripts before cvc5 does: it is much the quicker to give up.
        """
        attempts = (False, True) if _is_abstracted(self._scripts(obligation)) else (False,)
        first: list[Answer] = []
        if installed.is_installed("z3"):
            for strong in attempts:
                first.append(self._ask_z3(terms, strong))
                if first[-1].status == "unsat" or (first[-1].status == "sat" and strong is attempts[-1]):
                    answers = [first[-1], *self._second_opinion(terms, strong)]
                    return self._scripts(obligation, strong=strong), answers
        last = self._scripts(obligation, strong=attempts[-1])
        if not installed.is_installed("cvc5"):
            return last, first[-1:]
        answers = []
        for strong in attempts:
            if not answers or answers[-1].status == "sat":
                brake = _BRAKE_FOR_TERMS if terms else _BRAKE
                question = Question("cvc5", self.effort, brake, thorough=True, terms=terms, strong=strong)
                last = self._scripts(obligation, strong=strong)
                answers = [*first[strong : strong + 1], self._ask_cvc5(question, last)]
        return last, answers

    def _second_opinion(self, terms: frozenset[Expression], strong: bool) -> list[Answer]:
        """Briefly, what the other solver says; that must not be the contrary."""
        if not installed.is_installed("cvc5"):
            return []
        brief = Question("cvc5", self.effort // _BRIEF, _BRAKE, thorough=False, terms=terms, strong=strong)
        return [self._answer(brief)]

    def _ask_z3(self, terms: frozenset[Expression], strong: bool) -> Answer:
        """Ask z3's default strategy, and its complete procedure for real arithmetic if that gives up."""
        units = self.effort * _Z3_UNITS
        for thorough in (False, True):
            answer = self._braked(Question("z3", units, _BRAKE, thorough=thorough, terms=terms, strong=strong))
            if answer.status != "unknown":
                break
        return answer

    def _ask_cvc5(self, question: Question, scripts: Scripts) -> Answer:
        """Ask cvc5 to be thorough, which nothing can interrupt, about what it can do in a process that was watched."""
        seconds = question.milliseconds / 1000
        status, model = ask_apart(scripts.refutation, question.effort, question.thorough, seconds)
        return Answer(question.solver, status, model) if status == "unknown" else self._answer(question)

    def _braked(self, question: Question) -> Answer:
        """What z3 says within the brake, in time of the processor: its own clock runs on while others work."""
        while True:
            clock, processor = time.monotonic(), time.process_time()
            answer = self._answer(question)
            limit, waited = question.milliseconds, 1000 * (time.monotonic() - clock)
            worked = 1000 * (time.process_time() - processor)
            is_last = worked >= 0.8 * _BRAKE or limit >= _MOST_CROWDED * _BRAKE
            if answer.status != "unknown" or waited < limit or is_last:
                return answer
            question = replace(question, milliseconds=4 * limit)


class _Model:
    """The values of symbols in a solver's model; an irrational one is near what is said, or 0."""

    def __init__(self, scripts: Scripts, answer: Answer) -> None:
        self._scripts = scripts
        read = _read_z3 if answer.solver == "z3" else _read_cvc5
        values, self._exact = read(answer.model, scripts)
        self.point = {symbol: values.get(name, Fraction(0)) for name, symbol in _symbols(scripts)}

    def __str__(self) -> str:
        point = ", ".join(f"{symbol} = {_short(value)}" for symbol, value in self.point.items())
        if _is_abstracted(self._scripts):
            return f"a model of the abstraction: {point}"
        return f"a model{' at' if self._exact else ' near'} {point}"


def _symbols(scripts: Scripts) -> list[tuple[str, Symbol]]:
    """The names of symbols in the scripts."""
    return [(scripts.form.names[symbol.name], symbol) for symbol in scripts.form.symbols]


def _is_abstracted(scripts: Scripts) -> bool:
    """Whether functions are known by axioms only."""
    return any(kernel.kind in ("exp", "log") for kernel in scripts.form.kernels)


def _read_z3(model: Any, scripts: Scripts) -> tuple[dict[str, Fraction], bool]:
    import z3

    names = {name for name, _ in _symbols(scripts)}
    values: dict[str, Fraction] = {}
    exact = True
    for declaration in model:
        value = model[declaration]
        if declaration.name() not in names:
            continue
        if z3.is_algebraic_value(value):
            exact, value = False, value.approx(20)
        values[declaration.name()] = Fraction(value.numerator_as_long(), value.denominator_as_long())
    return values, exact


def _read_cvc5(model: dict[str, str], scripts: Scripts) -> tuple[dict[str, Fraction], bool]:
    exact = all(name in model for name, _ in _symbols(scripts))
    return {name: Fraction(value) for name, value in model.items()}, exact


def _short(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 12 else f"{float(value):.6g}"


def _said(answers: Sequence[Answer]) -> str:
    return ", ".join(f"{answer.solver}: {answer.status}" for answer in answers)


def _missing() -> str:
    absent = [name for name in ("z3", "cvc5") if not installed.is_installed(name)]
    return f" ({absent[0]} is not installed)" if absent else ""


def _variables(scripts: Scripts) -> str:
    kinds = Counter(kernel.kind for kernel in scripts.form.kernels)
    if not kinds:
        return ""
    return "; " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) + " as variables"
