"""Replace terms by variables: what follows without knowing them, follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Number, Symbol, rebuild
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import map_expressions, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import WHOLE_LINE, range_on_domain


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

    def rewritten(expression: Expression) -> Expression:
        if expression not in terms or isinstance(expression, Number):
            return rebuild(expression, tuple(rewritten(child) for child in expression.children))
        return variables.symbol(expression, range_on_domain(expression) or WHOLE_LINE, f"the value of {expression}")

    *hypotheses, conclusion = (map_expressions(statement, rewritten) for statement in statements)
    return Obligation(obligation.label, tuple(hypotheses), conclusion, obligation.necessary)
