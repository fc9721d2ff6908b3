"""Plans for statements about all iterates, which are shown by induction.

Soundness. What holds at the start, and after each step from where it holds, holds after any number of steps. Sums in
what is kept are numbers of which only that is known, see ``sums.py``; their terms have to have values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import All, Implies, Statement, conjuncts, substitute_statement, symbols_of
from grpo_symbolic.obligations.obligation import Obligation, Plan, domain_statements, values_needed
from grpo_symbolic.obligations.sums import SumSoFar, at_next_numbers, sums_so_far


def every_iterate(statement: EveryIterate, given: tuple[Statement, ...], cut: bool) -> tuple[Plan, ...]:
    """What is kept holds at the start, and wherever it holds, it holds after a step, which stays in the domains."""
    starts = dict(zip(statement.variables, statement.start, strict=True))
    steps = dict(zip(statement.variables, statement.steps, strict=True))
    known = step_taken(statement, given)
    kept, sums = sums_so_far(statement, given)
    first = substitute_statement(kept, starts | {item.name: item.at_start for item in sums})
    moves = steps | {item.name: item.after_step for item in sums}
    after = substitute_statement(kept, moves)
    plan = (
        *_reached("the start", starts, given),
        *_where_it_speaks("it holds at the start", given, first),
        *_reached("a step", steps, known),
        *_where_it_speaks("a step keeps it", known, after, necessary=not sums),
        *_terms_change(sums, given),
    )
    if not sums:
        return (plan,)
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


def step_taken(statement: EveryIterate, given: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """What is known where a step is taken, of any numbers in the place of sums."""
    return (*given, sums_so_far(statement, given)[0], *(() if statement.where is None else (statement.where,)))


def _where_it_speaks(
    label: str, given: tuple[Statement, ...], conclusion: Statement, *, necessary: bool = True
) -> Iterator[Obligation]:
    """That all parts of a conclusion hold, each where its premises do."""
    for number, part in enumerate(conjuncts(conclusion), start=1):
        known, said = given, part
        while isinstance(said, Implies):
            known, said = (*known, said.premise), said.conclusion
        yield Obligation(label if number == 1 else f"{label} ({number})", known, said, necessary)


def _reached(what: str, values: Mapping[Symbol, Expression], given: tuple[Statement, ...]) -> Iterator[Obligation]:
    """That there are values, and that they lie in the domains of their symbols."""
    needed, inside = values_needed(values.values()), domain_statements(values)
    if needed:
        yield Obligation(f"{what} has a value", given, All(needed))
    if inside:
        yield Obligation(f"{what} lies in the domain", given, All(inside))
