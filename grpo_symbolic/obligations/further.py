r"""Obligations about a further element of an index set, reduced to obligations about the others.

Soundness. A further element $j$ is the generic element $i$ or another one. A sum over the set is the term of $j$ and
the sum over the other elements, if there are any. So an obligation about $i$ and $j$ holds for every set with at least
one element if and only if it holds in three cases: $j$ is the only element; $j$ is the generic element and there are
others; $j$ is not the generic element, which is then one of the others. In each of them Kronecker's delta is 0 or 1
wherever it stands, what $j$ has are plain symbols, and sums run over the other elements, of which there is at least
one. What is given holds at every element: at $j$ and at the others.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.expression import Delta, Expression, Number, Symbol, Total, free_symbols, rebuild
from grpo_symbolic.language.further import further_elements, has_delta, has_pairs
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement, expressions_of, map_expressions
from grpo_symbolic.obligations.obligation import Obligation, Plan


def cases(obligation: Obligation) -> Plan:
    """The obligation in each of the cases; itself if it speaks of no further element.

    Raises:
        DeclarationError: if a symbol is called as a coordinate at it.
        UnsupportedError: if it speaks of several ones.
    """
    expressions = (*obligation.expressions, *obligation.defined)
    found = further_elements(*expressions)
    if not found or (has_pairs(*expressions) and not has_delta(*expressions)):
        return (obligation,)
    if any(
        further_elements(*expressions_of(item)) and has_pairs(*expressions_of(item)) for item in obligation.hypotheses
    ):
        raise UnsupportedError(f"{obligation.label}: what is given of pairs is not told apart")
    if len(found) > 1:
        raise UnsupportedError(f"{obligation.label}: it speaks of {len(found)} further elements")
    j, i = found[0].letter, found[0].whole.letter
    alone, same, among = _At(found[0], True, True), _At(found[0], True, False), _At(found[0], False, False)
    _refuse_captured({symbol for item in expressions for symbol in free_symbols(item)}, same)
    return (
        _case(obligation, f"{j} is the only {found[0].element}", alone, (alone,)),
        _case(obligation, f"{j} = {i}, one of several", same, (same, among)),
        _case(obligation, f"{j} is not {i}", among, (among, same)),
    )


def _refuse_captured(symbols: Set[Symbol], there: _At) -> None:
    """Refuse symbols that are called as the plain ones for what the element has, of which they would tell."""
    coordinates = {symbol for symbol in symbols if there.is_of(symbol)}
    names = {there.coordinate(symbol).name: symbol for symbol in coordinates}
    for symbol in symbols - coordinates:
        if symbol.name in names:
            raise DeclarationError(f"{symbol} is called as {names[symbol.name]} at another element; rename it")


def _case(obligation: Obligation, name: str, here: _At, everywhere: tuple[_At, ...]) -> Obligation:
    given = (at.statement(item) for item in obligation.hypotheses for at in everywhere)
    return replace(
        obligation,
        label=f"{obligation.label}: {name}",
        hypotheses=tuple(dict.fromkeys(given)),
        conclusion=here.statement(obligation.conclusion),
        defined=tuple(map(here.expression, obligation.defined)),
    )


@dataclass(frozen=True)
class _At:
    """What is said of the generic element in one case: whether it is ``other``, and whether that is the only one."""

    other: IndexSet
    same: bool
    alone: bool

    def _moved(self, index: IndexSet) -> IndexSet:
        return self.other if self.same and index == self.other.of else index

    def is_of(self, symbol: Symbol) -> bool:
        """Whether a symbol is a coordinate of the further element."""
        return self.other in map(self._moved, symbol.indices)

    def coordinate(self, symbol: Symbol) -> Symbol:
        """What the further element has, of which a symbol is."""
        return plain(symbol.at(*map(self._moved, symbol.indices)), self.other)

    def statement(self, statement: Statement) -> Statement:
        """A statement in this case."""
        return map_expressions(statement, self.expression)

    def expression(self, expression: Expression) -> Expression:
        """An unfolded expression in this case."""
        match expression:
            case Symbol() if self.is_of(expression):
                return self.coordinate(expression)
            case Delta():
                return Number(Fraction(self.same))
            case Total(body, over) if over == self.other or (over is not None and over.of == self.other.of):
                raise UnsupportedError(
                    f"{expression} runs through {self.other.element} {over.letter} beside a further one"
                )
            case Total(body, over) if over not in (None, self.other.of):
                return Total(self.expression(body), over)
            case Total(body):
                term = replace(self, same=True).expression(body)
                if self.alone:
                    return term
                return term + Total(replace(self, same=False).expression(body), expression.over)
            case _ if expression.bound is not None:
                raise UnsupportedError(f"{expression} binds {expression.bound} beside a further element")
        return rebuild(expression, tuple(map(self.expression, expression.children)))


def plain(coordinate: Symbol, other: IndexSet) -> Symbol:
    """What a further element has, as a symbol that is not of it: no sum binds that."""
    rest = [one for one in coordinate.indices if one != other]
    own = coordinate.latex == coordinate.family.name
    left, right = (other.letter if one == other else "{index}" for one in (*coordinate.indices, None)[:2])
    latex = coordinate.name if own else coordinate.latex.replace("{index}", left).replace("{second}", right)
    first, second = (*rest, None, None)[:2]
    return replace(coordinate, latex=latex, indexed=first, second=second, of=None)
