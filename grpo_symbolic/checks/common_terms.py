"""Replace terms by variables: what follows without knowing them, follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Number, Symbol, free_indices, rebuild
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.inside import nodes_of
from grpo_symbolic.language.statement import Implies, Relation, Statement, conjuncts, map_expressions, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import WHOLE_LINE, decide_by_range, range_on_domain


@dataclass
class Variables:
    """Symbols that stand for terms, one for each, under names that are not taken."""

    prefix: str
    taken: frozenset[str]
    symbols: dict[Expression, Symbol] = field(default_factory=dict)

    def symbol(self, term: Expression, domain: Interval, meaning: str, indices: tuple[IndexSet, ...] = ()) -> Symbol:
        """The symbol of a term; if it is a new one, with this domain, which contains all values of the term.

        The term depends on the elements that are its indices, two at most.
        """
        if term not in self.symbols:
            names = (f"{self.prefix}_{number}" for number in count(len(self.symbols) + 1))
            name = next(name for name in names if name not in self.taken)
            self.taken |= {name}
            first, second = (*indices, None, None)[:2]
            self.symbols[term] = Symbol(name, domain, meaning, name, first, second)
        return self.symbols[term]


def generalised(obligation: Obligation, terms: frozenset[Expression]) -> Obligation:
    """The obligation with terms as variables, outermost first, on intervals that contain their values.

    If the result holds, so does the obligation; if it fails, nothing is known.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    variables = Variables("term", frozenset(symbol.name for symbol in symbols_of(*statements)))

    @cache
    def rewritten(expression: Expression) -> Expression:
        if expression not in terms or isinstance(expression, Number):
            return rebuild(expression, tuple(map(rewritten, expression.children)))
        return variables.symbol(expression, range_on_domain(expression) or WHOLE_LINE, f"the value of {expression}")

    if not terms:
        return obligation
    *hypotheses, conclusion = (map_expressions(statement, rewritten) for statement in statements)
    return replace(obligation, hypotheses=tuple(hypotheses), conclusion=conclusion)


def known_sums(obligation: Obligation) -> frozenset[Expression]:
    """The sums up to a number, the same for all elements, that have values since a known relation speaks of them."""
    sides = (side for one in known_relations(obligation.hypotheses) for side in (one.left, one.right))
    return frozenset(node for node in nodes_of(Binder, *sides) if node.kind == "sum" and not free_indices(node))


def known_relations(statements: Iterable[Statement]) -> Iterator[Relation]:
    """The relations among statements, also those that follow from domains alone."""
    for statement in conjuncts(*statements):
        if isinstance(statement, Relation):
            yield statement
        elif isinstance(statement, Implies) and all(
            isinstance(part, Relation) and decide_by_range(part) for part in conjuncts(statement.premise)
        ):
            yield from known_relations([statement.conclusion])
