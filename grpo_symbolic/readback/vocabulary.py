"""How a paper prints what its derivations print in their own way: what quotes are read against."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grpo_symbolic.errors import GrpoSymbolicError, LibraryError
from grpo_symbolic.expression import Call, Expression, Symbol, free_symbols, real, walk
from grpo_symbolic.readback.notations import (
    definition_entries,
    generic_output,
    indices,
    pattern,
    printed_objects,
    symbol_entry,
)
from grpo_symbolic.readback.outputs import LABELS, member
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.entries import Entry, Family, Function, ListFunction, Plain, Prefix, Table, Template
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.map import Notation
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.tree import Nodes

#: Beside the derivations of a paper: its notation map, and how it prints what the derivations print otherwise.
MAP, ALIASES = "notation.toml", "quotes.toml"
_LEFT_OUT = "what the claim writes out and the quote does not"
_SUM = re.compile(r"\\mathbb\s*\{?[EP]|\\sum|\\mathrm\{KL|\\mathsf\{Var")


@dataclass(frozen=True)
class Vocabulary:
    """How a paper prints things: its notation map, and further LaTeX for symbols and functions, by our LaTeX for them.

    ``interpreted`` says, by id, why a statement was typed that is not what the formula says word for word.
    """

    notation: Notation = field(default_factory=Notation)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    interpreted: Mapping[str, str] = field(default_factory=dict)


def vocabulary(folder: Path) -> Vocabulary:
    """Read the notation of a paper in the folder of its derivations; files that are not there say nothing.

    Raises:
        LibraryError: if a file cannot be read.
    """
    notation = Notation()
    aliases: dict[str, tuple[str, ...]] = {}
    interpreted: dict[str, str] = {}
    try:
        if (folder / MAP).is_file():
            notation = read_map([Document(Source(MAP, (folder / MAP).read_text(encoding="utf-8")))])
        if (folder / ALIASES).is_file():
            data = tomllib.loads((folder / ALIASES).read_text(encoding="utf-8"))
            aliases = {name: tuple(shapes) for name, shapes in data["also_printed"].items()}
            interpreted = {f"{folder.name}.{slug}": str(why) for slug, why in data.get("interpreted", {}).items()}
            for shape in (shape for shapes in aliases.values() for shape in shapes):
                pattern(shape)
    except (OSError, KeyError, tomllib.TOMLDecodeError, GrpoSymbolicError) as error:
        raise LibraryError(f"{folder}: {error}") from error
    return Vocabulary(notation, aliases, interpreted)


def scope_of(latex: str) -> Scope:
    """The meaning of names in a quote: outside of all sums a bare distribution means its value at the output."""
    scope = generic_output()
    return replace(scope, slot=None) if _SUM.search(latex) else replace(scope, slot=LABELS[0])


def context_of(own: Sequence[Expression], wider: Sequence[Expression], known: Vocabulary) -> Context:
    """What a quote is read against: its own notation hides that of the ``wider`` surroundings and of the paper."""
    layers = [_unnamed(known), _shared(known.notation), _entries(wider, known), _entries(own, known)]
    labels: dict[Nodes, tuple[str, ...]] = dict.fromkeys(indices(), LABELS)
    outputs = known.notation.labels.get(indices()[0])
    labels |= {index: LABELS for index, values in known.notation.labels.items() if values == outputs}
    return Context(Table(layers), labels, known.notation.points, choices=known.notation.choices)


def leaves_out(expression: Expression) -> bool:
    """Whether something stands in what was read that the claim does not name."""
    return any(symbol.meaning == _LEFT_OUT for symbol in free_symbols(expression))


def _unnamed(known: Vocabulary) -> list[Entry]:
    """Names that a paper gives to what a claim writes out; they can only stand alone on one side."""
    found = [
        Entry(pattern(shape), Plain(real(f"unnamed_{number}", "(-oo, oo)", _LEFT_OUT)), ours)
        for number, (ours, shapes) in enumerate(known.aliases.items())
        for shape in shapes
        if "#" not in shape
    ]
    ellipsis = real("and_so_on", "(-oo, oo)", _LEFT_OUT)
    return [*found, Entry(pattern(r"\dots"), Plain(ellipsis), ellipsis.name)]


def _shared(notation: Notation) -> list[Entry]:
    """The notation of the map that is about no symbol of its own: templates and functions."""
    return [entry for entry in notation.entries if _is_general(entry)]


def _is_general(entry: Entry) -> bool:
    match entry.meaning:
        case Template() | Prefix():
            return True
        case Function(definition, _):
            return set(free_symbols(definition.body)) <= set(definition.parameters)
        case ListFunction(_, names):
            return not names
        case _:
            return False


def _entries(expressions: Iterable[Expression], known: Vocabulary) -> list[Entry]:
    """The notation of what expressions are made of, in our LaTeX and as the paper prints it."""
    symbols, definitions = printed_objects(_unfolded(expressions))
    found: list[Entry] = []
    for symbol in symbols:
        found.append(symbol_entry(symbol))
        found += [_alias(symbol, shape) for shape in known.aliases.get(symbol.latex, ())]
    for definition in definitions:
        found += definition_entries(definition)
        for shape in known.aliases.get(definition.latex, ()):
            found += definition_entries(definition, shape)
    return found


def _unfolded(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """Expressions, and what the named functions in them stand for."""
    for expression in expressions:
        yield expression
        yield from (node.definition.body for node in walk(expression) if isinstance(node, Call))


def _alias(symbol: Symbol, shape: str) -> Entry:
    found = pattern(shape)
    if not symbol.indexed:
        return Entry(found, Plain(symbol), symbol.name)
    # Without a hole the paper means the distribution, or its value at the output in question.
    values: dict[tuple[str, ...], Expression] = {(label,): member(symbol, label) for label in LABELS}
    return Entry(found, Family(values, alone=not found.holes), symbol.name)
