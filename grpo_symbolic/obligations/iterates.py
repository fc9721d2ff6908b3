"""Plans for statements about all iterates, which are shown by induction.

Soundness. What holds at the start, and after each step from where it holds, holds after any number of steps. Sums in
what is kept are numbers of which only that is known, see ``sums.py``; their terms have to have values.

That a step does not keep it refutes nothing, unless every value is reached: it may be so where no run comes. What
refutes is a run from the start. With what holds between an iterate and the next it is shown that a step can be taken
from wherever the statement holds; else there might be no long run, and nothing would be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from grpo_symbolic.language.expression import Expression, Symbol, substitute, walk
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import All, Implies, Statement, conjuncts, substitute_statement, symbols_of
from grpo_symbolic.obligations.obligation import Obligation, Plan, domain_statements, parted, values_needed
from grpo_symbolic.obligations.sums import SumSoFar, at_next_numbers, sums_so_far

#: So many steps of a run may refute, as long as what they lead to is written with so many signs.
_STEPS, _SIGNS = 8, 200


def every_iterate(statement: EveryIterate, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """What is kept holds at the start, and wherever it holds, it holds after a step, which stays in the domains."""
    starts = dict(zip(statement.variables, statement.start, strict=True))
    steps = dict(zip(statement.variables, statement.steps, strict=True))
    kept, sums = sums_so_far(statement, given)
    known = (*given, kept, *(() if statement.where is None else (statement.where,)))
    first = substitute_statement(kept, starts | {item.name: item.at_start for item in sums})
    moves = steps | {item.name: item.after_step for item in sums}
    after = substitute_statement(kept, moves)
    # A counted number takes every value, so that what is kept fails where a step does not keep it.
    reached = statement.counted is not None
    plan = (
        *_reached("the start", starts, given),
        *_where_it_speaks("it holds at the start", given, first),
        *_reached("a step", steps, known, necessary=reached),
        *_where_it_speaks("a step keeps it", known, after, necessary=reached and not sums),
        *_can_go_on(statement, given),
        *_terms_change(sums, given),
    )
    if not sums:
        return (plan,) if reached else (plan, (*plan, *_runs(statement, given)))
    inherited = _inherited(kept, moves, given)
    further: tuple[Plan, ...] = ()
    if inherited is not None:
        premise, passed_on = inherited
        valued = _terms_have_values(sums, kept, given, (*known, premise), " where it speaks")
        further = ((*plan, passed_on, *valued),)
    plan = (*plan, *_terms_have_values(sums, kept, given, known))
    # A step fails perhaps only for numbers that the sum so far never is: what refutes is that it fails at a number.
    more = (
        item
        for value, said in at_next_numbers(kept, sums)
        for item in _where_it_speaks(f"it holds at {value}", given, said)
    )
    return plan, *further, (*plan, *more)


def _can_go_on(statement: EveryIterate, given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """That a step can be taken from wherever the statement holds, with the values that it names."""
    if statement.where is not None:
        values = dict(statement.such_as)
        about, others = parted(values, given)
        there = (substitute_statement(item, values) for item in (*about, statement.where))
        conclusion = All((*domain_statements(values), *there))
        yield Obligation("a step can be taken", (*others, statement.kept), conclusion, False, possible=True)


def _runs(statement: EveryIterate, given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """What is stated of the first steps from the start, with letters of their own at each of them."""
    at: dict[Symbol, Expression] = dict(zip(statement.variables, statement.start, strict=True))
    known, taken = given, {symbol.name for symbol in symbols_of(statement, *given)}
    about, _ = parted(statement.moving, given)
    for number in range(1, _STEPS + 1):
        after = "after a step" if number == 1 else f"after {number} steps"
        letters = {symbol: _another(symbol, taken) for symbol in statement.moving}
        between = about if statement.where is None else (*about, statement.where)
        known = (*known, *(substitute_statement(item, at | letters) for item in between))
        pairs = zip(statement.variables, statement.steps, strict=True)
        at = {symbol: substitute(step, at | letters) for symbol, step in pairs}
        if sum(1 for value in at.values() for _ in walk(value)) > _SIGNS:
            return
        yield from _reached(f"the iterate {after}", at, known)
        yield from _where_it_speaks(f"it holds {after}", known, substitute_statement(statement.kept, at))


def _another(symbol: Symbol, taken: set[str]) -> Symbol:
    """A symbol like another one, under a name that is not taken."""
    name = next(name for name in (f"{symbol.name}_{number}" for number in count(1)) if name not in taken)
    taken.add(name)
    return replace(symbol, name=name)


def _terms_change(sums: Iterable[SumSoFar], given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """How the terms of sums change that depend on the number up to which they run."""
    for number, item in enumerate(sums, start=1):
        if item.change_of_terms is not None:
            inside, change = item.change_of_terms
            yield Obligation(f"change of the terms of sum {number}", (*given, *inside), change, necessary=False)


def _inherited(
    kept: Statement, steps: Mapping[Symbol, Expression], given: tuple[Statement, ...]
) -> tuple[Statement, Obligation] | None:
    """What the one implication that is kept supposes after a step, and that it supposed it before; None for others.

    If this is so, and all terms so far had values where it was supposed, then terms that are added need values only
    where it is supposed after the step.
    """
    match kept:
        case Implies(premise, _):
            after = substitute_statement(premise, steps)
            return after, Obligation("what is supposed was supposed before", (*given, after), premise, necessary=False)
    return None


def _terms_have_values(
    sums: Iterable[SumSoFar],
    kept: Statement,
    given: tuple[Statement, ...],
    known: tuple[Statement, ...],
    limited: str = "",
) -> Iterator[Obligation]:
    """That all terms have values of sums of which only implications speak: also those where no premise holds."""
    everywhere = symbols_of(*(part for part in conjuncts(kept) if not isinstance(part, Implies)))
    for number, item in enumerate(sums, start=1):
        places = (("first", "", given, item.at_start), ("next", limited, known, item.after_step))
        for label, words, where, total in places:
            terms = values_needed((total,)) if item.name not in everywhere else ()
            if terms:
                yield Obligation(
                    f"{label} terms of sum {number} have values{words}", where, All(terms), necessary=False
                )


def _where_it_speaks(
    label: str, given: tuple[Statement, ...], conclusion: Statement, *, necessary: bool = True
) -> Iterator[Obligation]:
    """That all parts of a conclusion hold, each where its premises do."""
    for number, part in enumerate(conjuncts(conclusion), start=1):
        known, said = given, part
        while isinstance(said, Implies):
            known, said = (*known, said.premise), said.conclusion
        yield Obligation(label if number == 1 else f"{label} ({number})", known, said, necessary)


def _reached(
    what: str, values: Mapping[Symbol, Expression], given: tuple[Statement, ...], *, necessary: bool = True
) -> Iterator[Obligation]:
    """That there are values, and that they lie in the domains of their symbols."""
    needed, inside = values_needed(values.values()), domain_statements(values)
    if needed:
        yield Obligation(f"{what} has a value", given, All(needed), necessary)
    if inside:
        yield Obligation(f"{what} lies in the domain", given, All(inside), necessary)
