"""The notation in which we print: made from the symbols and named functions of what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

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
    walk,
)
from grpo_symbolic.language.further import further_elements
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.outputs import second
from grpo_symbolic.readback.outputs import HOLE, LABELS, member
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
    if over.of is not None:
        return (normal(parse_tree(over.letter)),)
    return tuple(normal(parse_tree(over.letter + "'" * depth)) for depth in range(_DEPTH))


def generic_element(*over: IndexSet | None) -> Scope:
    """What names mean outside of all sums: the letter of each set is its first element, a further one its second."""
    named = {one: LABELS[0] if one is None or one.of is None else second(LABELS) for one in over}
    return Scope(labels={letter: label for one, label in named.items() for letter in indices(one)[:1]})


def sets_spoken_of(*expressions: Expression) -> tuple[IndexSet, ...]:
    """The sets over which expressions sum and of which their coordinates are, and further elements of them."""
    sums = any(isinstance(node, Total) for item in expressions for node in walk(item))
    return (*(index_sets(*expressions) or ((ELEMENTS,) if sums else ())), *further_elements(*expressions))


def spoken_of(*expressions: Expression) -> IndexSet | None:
    """The first of the sets that expressions speak of, if there is one."""
    return next(iter(sets_spoken_of(*expressions)), None)


def printed_notation(expressions: Iterable[Expression]) -> Context:
    """What the LaTeX of expressions is read against: exactly their symbols and named functions.

    Raises:
        DeclarationError: if a symbol or function is printed in a way that no pattern can have.
    """
    expressions = tuple(expressions)
    return Context(
        Table([entries(expressions)]),
        labels={letter: LABELS for over in sets_spoken_of(*expressions) for letter in indices(over)},
        choices=Choices(),
    )


def entries(expressions: Iterable[Expression]) -> list[Entry]:
    """The notation of every symbol and named function in expressions."""
    symbols, definitions = printed_objects(expressions)
    made = [symbol_entry(symbol) for symbol in symbols]
    if further_elements(*expressions):
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
    for node in (node for expression in expressions for node in walk(expression)):
        match node:
            case Symbol():
                symbols.setdefault(node.family)
            case Derivative(_, symbol) | Substitution(_, symbol, _) | Binder(_, _, symbol):
                symbols.setdefault(symbol.family)
            case Call(definition, _):
                definitions.setdefault(definition)
    return list(symbols), list(definitions)


def symbol_entry(symbol: Symbol) -> Entry:
    """How a symbol is printed; an indexed one has a hole for the element."""
    if symbol.indexed:
        family = Family({(label,): member(symbol, label) for label in LABELS})
        return Entry(pattern(symbol_latex(symbol, "#element")), family, symbol.name)
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
