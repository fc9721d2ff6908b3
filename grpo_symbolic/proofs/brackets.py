"""Names for what counts only on a support, for the kernel, and sums of that.

A sum of a bracket is taken apart as on the support, where all that is of an element has symbols of its own; what comes
of it counts on the support again, unless it plainly vanishes beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

from grpo_symbolic.checks.proposer import Proposer
from grpo_symbolic.checks.totals import Aggregates
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.calculus import ZERO, times
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Symbol,
    Total,
    exchanged,
    free_indices,
    free_symbols,
    rebuild,
    walk,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import All, Implies, Statement, eq, map_expressions, ne, symbols_of
from grpo_symbolic.language.support import Supported, is_finite
from grpo_symbolic.obligations.obligation import Obligation, values_needed
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.sums import proofs_of_terms
from grpo_symbolic.proofs.tables import Table

_LINE = Interval(None, None, False, False)


def bracketed(obligation: Obligation, proposer: Proposer, table: Table) -> list[Json]:
    """How the brackets of an obligation are named, and its sums removed, inner ones first.

    Raises:
        UnsupportedError: where they are not, or no proof is found of what is said of them.
    """
    sides = (*obligation.expressions, *obligation.defined)
    names = _Names(table)
    changed = replace(
        obligation,
        hypotheses=tuple(map_expressions(one, names.apart) for one in obligation.hypotheses),
        conclusion=map_expressions(obligation.conclusion, names.apart),
        defined=tuple(map(names.apart, obligation.defined)),
    )
    names.aggregates = Aggregates.of(changed, proposer)
    if names.aggregates is not None:
        for side in (*changed.expressions, *changed.defined):
            names.aggregates.reduced(side)
    for side in sides:
        names.plain(side)
    return names.entries


@dataclass
class _Names:
    """The entries of a certificate, what stands for sums and brackets, and the symbols on supports."""

    table: Table
    aggregates: Aggregates | None = None
    entries: list[Json] = field(default_factory=list)
    _plain: dict[Expression, Expression] = field(default_factory=dict)
    _facts: list[Statement] = field(default_factory=list)
    _on: dict[Symbol, Expression] = field(default_factory=dict)
    _back: dict[Symbol, Expression] = field(default_factory=dict)
    _sums: dict[tuple[Expression, IndexSet | None], Symbol] = field(default_factory=dict)

    def apart(self, expression: Expression, on: Expression | None = None, *, summed: bool = False) -> Expression:
        """An expression in which brackets inside of sums are their bodies, with symbols of their own."""
        match expression:
            case Total(body, over):
                return Total(self.apart(body, summed=True), over)
            case Supported(body, where) if summed:
                if on not in (None, where):
                    raise UnsupportedError(f"{expression} counts on another support as well")
                return self.apart(body, where, summed=True)
            case Apply("multiply", factors) if summed and on is None:
                # A multiple of what a bracket counts on counts there alone, with all brackets in it.
                inside = dict.fromkeys(one.on for one in walk(expression) if isinstance(one, Supported))
                on = next((one for one in inside if any(_is_multiple(factor, one) for factor in factors)), None)
            case Symbol() if on is not None and expression.indices:
                return self._on_support(expression, on)
        return rebuild(expression, tuple(self.apart(one, on, summed=summed) for one in expression.children))

    def _on_support(self, symbol: Symbol, on: Expression) -> Symbol:
        name = f"{symbol.name} on {[*dict.fromkeys((*self._on.values(), on))].index(on)}"
        vanishes = symbol in free_symbols(on) and symbol.domain.lower == 0
        domain = replace(symbol.domain, lower_closed=False) if vanishes else symbol.domain
        found = replace(symbol, name=name, latex=name, domain=domain)
        self._on[found], self._back[found] = on, symbol
        return found

    def plain(self, expression: Expression) -> Expression:
        """An expression with what stands for its sums and brackets."""
        if expression not in self._plain:
            match expression:
                case Total():
                    self._plain[expression] = self._sum(expression)
                case Supported():
                    self._plain[expression] = self._name(expression)
                case _:
                    self._plain[expression] = rebuild(expression, tuple(map(self.plain, expression.children)))
        return self._plain[expression]

    def _name(self, bracket: Supported) -> Symbol:
        body, on = self.plain(bracket.body), self.plain(bracket.on)
        first, second, *_ = (*dict.fromkeys((*free_indices(body), *free_indices(on))), None, None)
        name = f"[{len(self._facts) // 2 + 1}]"
        symbol = Symbol(name, _LINE, "what counts on a support", name, first, second)
        counts = ne(on, ZERO)
        needed = (*values_needed((on,)), *(Implies(counts, one) for one in values_needed((body,))))
        found = Finder(self.table, symbols_of(*needed)).prove((), All(needed))
        if found.open:
            raise UnsupportedError(f"the value of {bracket}: {found.open[0]}")
        self.entries.append([self.table.expression(bracket), name, [*found.proofs]])
        self._facts += (Implies(eq(on, ZERO), eq(symbol, ZERO)), Implies(counts, eq(symbol, body)))
        return symbol

    def _sum(self, total: Total) -> Expression:
        if self.aggregates is None:
            raise UnsupportedError(f"nothing is said of {total}")
        body, over = self.plain(total.body), total.over
        terms = list[tuple[Expression, Expression, Symbol]]()
        for coefficient, summand, symbol in self.aggregates.removed[self._key(total)][2]:
            factor, inner = (exchanged(one, self._back) for one in (coefficient, summand))
            where = {self._on[one] for one in free_symbols(summand) if one in self._on}
            if len(where) > 1:
                raise UnsupportedError(f"{summand} is of two supports")
            for on in where:
                if not _vanishes(inner, on):
                    inner = self.plain(Supported(inner, on))
                symbol = replace(symbol, domain=_LINE)
            self._back[symbol] = shared = self._sums.setdefault((inner, over), symbol)
            terms.append((factor, inner, shared))
        proofs = proofs_of_terms(body, tuple(terms), self._facts, self.table)
        pairs: list[Json] = [
            [self.table.expression(factor), self.table.expression(inner), symbol.name]
            for factor, inner, symbol in terms
        ]
        self.entries.append([self.table.expression(total), pairs, proofs])
        return reduce(add, [times(factor, symbol) for factor, _, symbol in terms]) if terms else ZERO

    def _key(self, total: Total) -> Total:
        found = self.apart(total)
        if not isinstance(found, Total):
            raise TypeError(f"{found} is no sum")
        return found


def _vanishes(expression: Expression, on: Expression) -> bool:
    """Whether an expression plainly is 0 where a symbol is."""
    return is_finite(expression) and _is_multiple(expression, on)


def _is_multiple(expression: Expression, on: Expression) -> bool:
    match expression:
        case Apply("multiply", factors):
            return any(_is_multiple(one, on) for one in factors)
        case Apply("divide" | "power", (base, _)) | Apply("negate", (base,)):
            return _is_multiple(base, on)
    return expression == on
