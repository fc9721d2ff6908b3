"""Averages of a paper without a map, and sums over all values of a variable, written with each other.

What they are is said by the laws of ``chances``, and by ``x \\sim p``, which says with what an average weighs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from grpo_symbolic.language.expression import Expression, Number, Symbol, free_symbols
from grpo_symbolic.reading.meaning.labels import holds_index
from grpo_symbolic.reading.meaning.linear import every_term
from grpo_symbolic.reading.notation.elementary import total
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import find, normal
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Scripted, without_scripts
from grpo_symbolic.referee.chances import (
    MARGINAL,
    MEAN,
    SPREAD,
    TOTAL,
    TOWER,
    Chances,
    events_of,
    is_variable,
    variable_of,
)
from grpo_symbolic.referee.operators import index_below, is_everything, latex_of, operator_of
from grpo_symbolic.translate.text import expression_text

AVERAGES = "an expectation over x ~ p is the sum or integral of p(x) times what is averaged"

_ONE = Number(Fraction(1))
Product: TypeAlias = tuple[Expression, ...]


@dataclass(frozen=True)
class _Mean:
    """An average by its head without what is given, what it covers, and the values of indices in it."""

    head: Nodes
    product: Product
    bound: object


@dataclass
class Averages(ABC):
    """The averages and probabilities of a step; ``values`` are the definitions of the paper, ``used`` names laws.

    ``regions`` are the heads of the sums and integrals of the step, by the name of what they run over, and ``weights``
    the probabilities with which these are averages, each with the name of that.
    """

    objects: Objects
    values: Mapping[Expression, Expression]
    used: dict[str, None] = field(default_factory=dict, kw_only=True)
    regions: dict[str, Nodes] = field(default_factory=dict, kw_only=True)
    weights: dict[Expression, str] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        self.printed: dict[str, Symbol] = {}
        self.keys: dict[Symbol, Any] = {atom: key for key, atom in self.objects.known.items() if isinstance(key, tuple)}
        self.chances = Chances(self.objects, self.used)
        self.means: list[Symbol] = []
        self.moments: dict[Expression, tuple[_Mean, Node, tuple[Nodes, ...]]] = {}

    @abstractmethod
    def written(self, expression: Expression, depth: int = 0) -> Expression:
        """An expression with its atoms written out."""

    @abstractmethod
    def _applied(self, head: Nodes, body: Expression, bound: object, depth: int) -> Expression:
        """An operator over what it covers, term by term."""

    @abstractmethod
    def _holds(self, expression: Expression, index: Nodes) -> bool:
        """Whether an index stands in what an expression prints, or nobody can tell."""

    def collect(self, sides: Iterable[Expression]) -> None:
        """Note over what the sums and integrals run that stand in some sides."""
        atoms = [*self._atoms(sides)]
        self.printed = {latex_of(atom): atom for atom in atoms}
        self.means = [atom for atom in atoms if operator_of(self._head(atom)) == "E"]
        self.chances.collect((atom, self._nodes(atom)) for atom in atoms)
        for atom in atoms:
            head = self._head(atom)
            if head and operator_of(head) in (r"\sum", r"\int"):
                over = head[-1:] if operator_of(head) == r"\int" else index_below(head)
                if len(over) == 1 and is_everything(head, over[0], self.objects.parts):
                    self.regions.setdefault(compact(over), head)
        for found in (self._averaged(self._head(atom)) for atom in atoms):
            if found is not None:
                self.weights[found[1]] = found[2]

    def _atoms(self, sides: Iterable[Expression]) -> Iterable[Symbol]:
        waiting = [symbol for side in sides for symbol in free_symbols(side)]
        seen: dict[Symbol, None] = {}
        while waiting:
            atom = waiting.pop()
            if atom not in seen:
                seen[atom] = None
                key = self.keys.get(atom, ())
                covered = key[2] if key and key[0] == "linear" else self.objects.contents.get(atom, ((), ()))[1]
                waiting += [symbol for one in covered for symbol in free_symbols(one)]
        return seen

    def _head(self, atom: Symbol) -> Nodes:
        key = self.keys.get(atom)
        return tuple(key[1]) if key is not None and key[0] == "linear" else ()

    def _over_values(self, head: Nodes, product: Product, index: Nodes) -> Expression | None:
        """A sum over all values of a variable: of its probabilities, or of these times the values."""
        if not is_everything(head, index[0], self.objects.parts):
            return None
        if len(product) == 1 and self.weights.get(product[0]) == compact(index):
            self.used[TOTAL] = None
            return _ONE
        counted = [one for one in product if isinstance(one, Symbol) and latex_of(one) == compact(index)]
        others = [one for one in product if one not in counted]
        if len(others) != 1 or len(counted) > 1:
            return None
        moment = self.moments.get(others[0])
        if moment is not None and not counted:
            mean, label, events = moment
            rest = tuple(event for event in events if variable_of(event, index) is None)
            free = any(holds_index(event, index) for event in rest) or any(map(self._in(index), mean.product))
            if len(rest) + 1 != len(events) or free:
                return None
            self.used[MARGINAL] = None
            return self._moment(mean, label, rest)
        found = self.chances.summed(others[0], index)
        if found is None:
            return None
        name, variable, rest = found
        if not counted:
            self.used[MARGINAL] = None
            return self.chances.together(name, rest)
        if not variable:
            return None
        of = self.printed.get(compact(variable))
        if of is None:
            of = self.objects.atom(("atom", variable, ()), compact(variable))
        means = [self.keys[one][1][0] for one in self.means if _is_over_letters(self.keys[one][1][0])]
        sign = without_scripts(means[0]) if means else None
        self.used[MEAN] = None
        return self._moment(_Mean((sign or Name("E", "blackboard", variable[0].place),), (of,), ()), name, rest)

    def _in(self, index: Nodes) -> Callable[[Expression], bool]:
        return lambda one: self._holds(one, index)

    def _moment(self, mean: _Mean, name: Node, events: tuple[Nodes, ...]) -> Expression:
        """An average over where some events happen, 0 elsewhere."""
        if not events:
            return self._atom(mean.head, mean.product, mean.bound)
        key = ("moment", mean.head, mean.product, frozenset(events))
        inside = " ".join(map(expression_text, mean.product))
        shown = f"{compact(mean.head)}[{inside} where {', '.join(map(compact, events))}]"
        atom = self.objects.atom(key, shown, stem="moment", composed=True)
        self.moments[atom] = (mean, name, events)
        return atom

    def _is_average(self, one: Expression, head: Nodes) -> bool:
        """Whether a factor is an average over the same as the one around it, so that it is a constant there."""
        symbols = free_symbols(one)
        return bool(symbols) and all(self._head(each) == head[:1] and operator_of(head) == "E" for each in symbols)

    def _unmarked(self, head: Nodes, product: Product) -> Nodes:
        """The head of an average without what it is over, where nothing else stands in what it covers."""
        first = head[0]
        if not isinstance(first, Scripted) or first.base is None or not _is_over_letters(first):
            return head
        over = {compact((one,)) for one in first.sub or ()}
        symbols = [symbol for one in product for symbol in free_symbols(one)]
        same = bool(symbols) and all(latex_of(symbol) in over for symbol in symbols)
        return (first.base, *head[1:]) if same else head

    def _average(self, head: Nodes, product: Product, bound: object) -> Expression | None:
        """An average of an average given a variable, or one where something happens."""
        given = head[1:]
        if given and not any(self._is_vector(one) for one in product):
            events, name = events_of(given), self.chances.head
            if not events or name is None or isinstance(head[0], Scripted):
                return None  # it may be an average by other probabilities
            self.used[MEAN] = None
            return self._moment(_Mean(head[:1], product, ()), name, events) / self.chances.together(name, events)
        inner = self._head(product[0]) if len(product) == 1 and isinstance(product[0], Symbol) else ()
        if operator_of(inner) != "E" or not is_variable(inner[1:]) or given:
            return None
        outer = head[0].sub if isinstance(head[0], Scripted) else None
        key = next(self.keys[one] for one in product if isinstance(one, Symbol))
        unmarked = self._unmarked(inner[:1], key[2])
        # One over other letters may leave what is given as it is, or be by other probabilities.
        over = (outer is None or outer == inner[2:]) and not isinstance(unmarked[0], Scripted)
        if inner[:1] != head and not over:
            return None
        self.used[TOWER] = None
        return self._atom(unmarked, key[2], key[3])

    def _spread(self, atom: Symbol, depth: int) -> Expression:
        """A variance or covariance by averages."""
        given, parts = self.objects.contents[atom]
        name = self.keys[atom][1][0]
        sub = name.sub if isinstance(name, Scripted) else None
        heads = [self.keys[one][1][0] for one in self.means]
        fitting = [one for one in heads if (one.sub if isinstance(one, Scripted) else None) == sub]
        sign: Node = without_scripts(heads[0]) or heads[0] if heads else Name("E", "blackboard", name.place)
        sign = sign if sub is None else Scripted(sign, sub, None, 0, name.place)
        head = ((*fitting, sign)[0], *given)
        if any(self._is_vector(part) for part in parts):
            return atom
        first, last = (self.written(part, depth + 1) for part in (parts[0], parts[-1]))
        self.used[SPREAD] = None
        apart = self._applied(head, first, (), depth + 1) * self._applied(head, last, (), depth + 1)
        # In one order, since both are numbers: that of a sum has its mixed products in either.
        mixed: list[Expression] = []
        for factor, product in every_term(first * last):
            body: Expression = Number(factor)
            for one in sorted(product, key=expression_text):
                body = body * one
            mixed.append(body)
        return (self._applied(head, total(mixed), (), depth + 1) if mixed else Number(Fraction(0))) - apart

    def _atom(self, head: Nodes, product: Product, bound: object) -> Symbol:
        inside = " ".join(expression_text(one) for one in product) or "1"
        vector = operator_of(head) == r"\nabla" or any(self._is_vector(one) for one in product)
        key = ("linear", head, product, bound)
        atom = self.objects.atom(key, f"{compact(head[:1])}[{inside}]", stem="term", vector=vector, composed=True)
        self.keys[atom] = key
        return atom

    def _is_vector(self, one: Expression) -> bool:
        return bool(self.objects.vectors & set(free_symbols(one)))

    def _nodes(self, symbol: Symbol) -> Nodes:
        """What a name prints, with the brackets of its arguments; nothing if that cannot be told."""
        key = self.keys.get(symbol)
        if key is not None:
            return tuple(key[1]) if key[0] == "atom" else ()
        try:
            return normal(parse_tree(symbol.latex, name="symbol"))
        except BrokenLatex:
            return ()

    def _averaged(self, head: Nodes) -> tuple[Nodes, Expression, str] | None:
        """The sum or integral that an average is, if the step has one over the variable; its weight; the variable."""
        first = head[0] if head else None
        if operator_of(head) != "E" or len(head) > 1 or not isinstance(first, Scripted) or first.sub is None:
            return None
        at = find(first.sub, r"\sim")
        if at != 1 or len(first.sub) < 3 or find(first.sub, ",") is not None:
            return None
        variable, drawn = first.sub[:1], first.sub[2:]
        region = self.regions.get(compact(variable))
        weight = self._weight(variable, drawn)
        return None if region is None or weight is None else (region, weight, compact(variable))

    def _weight(self, variable: Nodes, drawn: Nodes) -> Expression | None:
        """What the paper prints for the probability of the variable under what it is drawn from."""
        if len(drawn) == 1:
            printed = compact((*drawn, Group("(", ")", variable, drawn[0].place)))
        else:
            last = drawn[-1]
            if len(drawn) != 2 or not isinstance(last, Group) or not last.items:
                return None
            dotted = isinstance(last.items[0], Atom) and last.items[0].text in (r"\cdot", ".")
            items = (*variable, *last.items[1:]) if dotted else last.items
            printed = compact((drawn[0], Group("(", ")", items, last.place)))
        return self.printed.get(printed)


def _is_over_letters(node: Node) -> bool:
    """Whether an average is over everything, or over variables that are named below it as capital letters."""
    sub = node.sub if isinstance(node, Scripted) else None
    return sub is None or all(isinstance(one, Atom) and (one.text == "," or one.text.isupper()) for one in sub)
