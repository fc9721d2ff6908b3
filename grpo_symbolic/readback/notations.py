"""The notation in which we print: made from the symbols and named functions of what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from grpo_symbolic.language import outputs
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import (
    Call,
    Definition,
    Derivative,
    Expression,
    Substitution,
    Symbol,
    Total,
    as_expression,
    free_symbols,
)
from grpo_symbolic.language.further import further_elements, has_delta
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.inside import every_node, nodes_of
from grpo_symbolic.readback.outputs import HOLE, LABELS, labels_of
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.notation.context import Choices, Context
from grpo_symbolic.reading.notation.entries import Entry, Family, Function, Plain, Prefix, Table
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.tree import Nodes
from grpo_symbolic.translate.formula import symbol_latex

#: How deep sums may be nested whose letters are told apart.
_DEPTH = 4


@cache
def pattern(latex: str) -> Pattern:
    """The pattern of some LaTeX, compiled once.

    Raises:
        DeclarationError: if it cannot be a pattern.
    """
    return Pattern.of(latex)


@cache
def indices(over: IndexSet | None) -> tuple[Nodes, ...]:
    """The LaTeX that stands for an element: the letter outside of all sums, with a prime inside one, and so on."""
    if over is None:
        return ()
    return tuple(normal(parse_tree(over.letter + "'" * depth)) for depth in range(_DEPTH))


def generic_element(*over: IndexSet | None, apart: Sequence[IndexSet] = ()) -> Scope:
    """What names mean outside of all sums: the letter of each set is its first element, a further one its second.

    The elements of sets that are told ``apart`` have other labels in each of them.
    """
    labels = labels_of(apart)
    named = {
        one: LABELS[0] if one is None else labels.get(one.whole, LABELS)[0 if one.of is None else 1] for one in over
    }
    return Scope(labels={letter: label for one, label in named.items() for letter in indices(one)[:1]})


def sets_spoken_of(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The sets over which expressions sum and of which their coordinates are, and further elements of them."""
    over = [node.over for node in nodes_of(Total, *expressions)]
    further = dict.fromkeys((*further_elements(*expressions), *(one for one in over if one is not None and one.of)))
    return (*(index_sets(*expressions) or ((ELEMENTS,) if over else ())), *further)


def spoken_of(*expressions: Expression) -> IndexSet | None:
    """The first of the sets that expressions speak of, if there is one."""
    return next(iter(sets_spoken_of(*expressions)), None)


def printed_notation(expressions: Iterable[Expression], apart: Sequence[IndexSet] = ()) -> Context:
    """What the LaTeX of expressions is read against: exactly their symbols and named functions; sets as above.

    Raises:
        DeclarationError: if a symbol or function is printed in a way that no pattern can have.
    """
    expressions = tuple(expressions)
    spoken = sets_spoken_of(*expressions)
    labels = labels_of(apart)
    return Context(
        Table([entries(expressions, labels)]),
        labels={letter: labels.get(over.whole, LABELS) for over in spoken for letter in indices(over)},
        choices=Choices(),
        constants=frozenset(_coordinates(expressions, labels)) if further_elements(*expressions) else frozenset(),
    )


def _coordinates(expressions: Iterable[Expression], labels: Mapping[IndexSet, tuple[str, ...]]) -> Iterator[Symbol]:
    """The coordinates that expressions have at any element, which do not depend on those at others."""
    for symbol in (symbol.family for item in expressions for symbol in free_symbols(item)):
        yield from _members(symbol, labels).values()
        yield symbol


def _members(symbol: Symbol, labels: Mapping[IndexSet, tuple[str, ...]]) -> dict[tuple[str, ...], Symbol]:
    """The coordinates of a symbol by the labels of its elements."""
    known = [labels.get(one.whole, LABELS) for one in symbol.indices]
    return {chosen: outputs.member(symbol, *chosen) for chosen in product(*known)}


def entries(expressions: Iterable[Expression], labels: Mapping[IndexSet, tuple[str, ...]] | None = None) -> list[Entry]:
    """The notation of every symbol and named function in expressions."""
    expressions = tuple(expressions)
    symbols, definitions = printed_objects(expressions)
    made = [symbol_entry(symbol, labels) for symbol in symbols]
    if has_delta(*expressions):
        pairs: dict[tuple[str, ...], Expression] = {
            (one, other): as_expression(int(one == other)) for one in LABELS for other in LABELS
        }
        made.append(Entry(pattern(r"\delta_{#element, #other}"), Family(pairs), "delta"))
    made += [entry for definition in definitions for entry in definition_entries(definition)]
    return [*made, Entry(pattern(r"\Gamma"), Prefix("gamma"), "gamma")]


def printed_objects(expressions: Iterable[Expression]) -> tuple[list[Symbol], list[Definition]]:
    """The symbols and named functions that stand in expressions as they are printed."""
    symbols: dict[Symbol, None] = {}
    definitions: dict[Definition, None] = {}
    for node in every_node(*expressions):
        match node:
            case Symbol():
                symbols.setdefault(node.family)
            case Derivative(_, symbol) | Substitution(_, symbol, _) | Binder(_, _, symbol):
                symbols.setdefault(symbol.family)
            case Call(definition, _):
                definitions.setdefault(definition)
    return list(symbols), list(definitions)


def symbol_entry(symbol: Symbol, labels: Mapping[IndexSet, tuple[str, ...]] | None = None) -> Entry:
    """How a symbol is printed; an indexed one has a hole for the element, or for two."""
    if symbol.indexed:
        printed = symbol_latex(symbol, "#element", "#other")
        # A family is told by its elements in the order in which they are printed.
        turned = -1 < printed.find("#other") < printed.find("#element")
        members = _members(symbol, labels or {}).items()
        family = Family({chosen[::-1] if turned else chosen: value for chosen, value in members})
        return Entry(pattern(printed), family, symbol.name)
    return Entry(pattern(symbol_latex(symbol)), Plain(symbol), symbol.name)


def definition_entries(definition: Definition, latex: str | None = None) -> Iterator[Entry]:
    """How a named function is printed, at arguments; ``latex`` is another name for it."""
    name = definition.latex if latex is None else latex
    if not definition.parameters:
        yield Entry(pattern(name), Plain(definition()), definition.name)
        return
    if f"#{HOLE}" in name:
        yield Entry(pattern(name), Function(definition, (HOLE,)), definition.name)
        return
    holes = tuple(f"x{number}" for number in range(len(definition.parameters)))
    inside = ", ".join(f"#{hole}" for hole in holes)
    yield Entry(pattern(f"{name}({inside})"), Function(definition, holes), definition.name)
