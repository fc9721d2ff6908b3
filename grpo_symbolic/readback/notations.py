"""The notation in which we print: made from the symbols and named functions of what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from grpo_symbolic.language.expression import (
    Binder,
    Call,
    Definition,
    Derivative,
    Expression,
    Substitution,
    Symbol,
    walk,
)
from grpo_symbolic.readback.outputs import LABELS, member
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.notation.context import Choices, Context
from grpo_symbolic.reading.notation.entries import Entry, Family, Function, Plain, Prefix, Table
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.tree import Nodes
from grpo_symbolic.translate.formula import symbol_latex

#: The letters for an output: outside of all sums, inside one, and so on.
_INDICES = ("o", "o'", "o''", "o'''")


@cache
def pattern(latex: str) -> Pattern:
    """The pattern of some LaTeX, compiled once.

    Raises:
        DeclarationError: if it cannot be a pattern.
    """
    return Pattern.of(latex)


@cache
def indices() -> tuple[Nodes, ...]:
    """The indices that stand for an output."""
    return tuple(normal(parse_tree(index)) for index in _INDICES)


def generic_output() -> Scope:
    """The meaning of names outside of all sums: the letter o is the first output."""
    return Scope(labels={indices()[0]: LABELS[0]})


def printed_notation(expressions: Iterable[Expression]) -> Context:
    """What the LaTeX of expressions is read against: exactly their symbols and named functions.

    Raises:
        DeclarationError: if a symbol or function is printed in a way that no pattern can have.
    """
    return Context(
        Table([entries(expressions)]),
        labels=dict.fromkeys(indices(), LABELS),
        choices=Choices(),
    )


def entries(expressions: Iterable[Expression]) -> list[Entry]:
    """The notation of every symbol and named function in expressions."""
    symbols, definitions = printed_objects(expressions)
    made = [symbol_entry(symbol) for symbol in symbols]
    made += [entry for definition in definitions for entry in definition_entries(definition)]
    return [*made, Entry(pattern(r"\Gamma"), Prefix("gamma"), "gamma")]


def printed_objects(expressions: Iterable[Expression]) -> tuple[list[Symbol], list[Definition]]:
    """The symbols and named functions that stand in expressions as they are printed."""
    symbols: dict[Symbol, None] = {}
    definitions: dict[Definition, None] = {}
    for node in (node for expression in expressions for node in walk(expression)):
        match node:
            case Symbol():
                symbols.setdefault(node)
            case Derivative(_, symbol) | Substitution(_, symbol, _) | Binder(_, _, symbol):
                symbols.setdefault(symbol)
            case Call(definition, _):
                definitions.setdefault(definition)
    return list(symbols), list(definitions)


def symbol_entry(symbol: Symbol) -> Entry:
    """How a symbol is printed; an indexed one has a hole for the output."""
    if symbol.indexed:
        family = Family({(label,): member(symbol, label) for label in LABELS})
        return Entry(pattern(symbol_latex(symbol, "#output")), family, symbol.name)
    return Entry(pattern(symbol_latex(symbol)), Plain(symbol), symbol.name)


def definition_entries(definition: Definition, latex: str | None = None) -> Iterator[Entry]:
    """How a named function is printed, at arguments; ``latex`` is another name for it."""
    name = definition.latex if latex is None else latex
    if not definition.parameters:
        yield Entry(pattern(name), Plain(definition()), definition.name)
        return
    holes = tuple(f"x{number}" for number in range(len(definition.parameters)))
    inside = ", ".join(f"#{hole}" for hole in holes)
    yield Entry(pattern(f"{name}({inside})"), Function(definition, holes), definition.name)
