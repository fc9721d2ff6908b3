"""How a paper prints what its derivations print in their own way: what quotes are read against."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grpo_symbolic.errors import DeclarationError, GrpoSymbolicError, LibraryError
from grpo_symbolic.language.expression import (
    Call,
    Definition,
    Derivative,
    Expression,
    Symbol,
    free_symbols,
    walk,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.readback.notations import (
    definition_entries,
    indices,
    pattern,
    printed_objects,
    symbol_entry,
)
from grpo_symbolic.readback.outputs import LABELS, member
from grpo_symbolic.reading.notation.common import with_common
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.entries import Entry, Family, Function, ListFunction, Plain, Prefix, Table, Template
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.notation.map import Notation
from grpo_symbolic.reading.notation.patterns import Pattern, hole_at
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.tree import Group, Nodes

#: Beside the derivations of a paper: its notation map, and how it prints what the derivations print otherwise.
MAP, ALIASES = "notation.toml", "quotes.toml"
_LEFT_OUT = "what the claim writes out and the quote does not"


@dataclass(frozen=True)
class Vocabulary:
    """How a paper prints things: its notation map, and further LaTeX for symbols and functions, by our LaTeX for them.

    ``meanings`` is notation of the paper, as patterns, with the LaTeX that it stands for; ``local`` is such notation
    for the quote of one claim, by id. ``reworded`` are words of a quote, by id, with the formula read in their place.
    ``distributions`` are the quantities, by our LaTeX, that add up to 1. ``interpreted`` says, by id, what was typed
    for a quote that cannot be read. The quotes of the claims ``abridged`` are shorter than what is printed, and those
    ``in_words`` say in our own words what a sentence says.
    """

    notation: Notation = field(default_factory=Notation)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    local: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reworded: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    distributions: frozenset[str] = frozenset()
    interpreted: Mapping[str, str] = field(default_factory=dict)
    abridged: frozenset[str] = frozenset()
    in_words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Spoken:
    """The expressions of a quoted statement, those of its claim, by its id, and the index sets of which it speaks."""

    id: str
    statement: Sequence[Expression]
    claim: Sequence[Expression]
    over: Sequence[IndexSet]


def vocabulary(folder: Path, paper: str | None = None) -> Vocabulary:
    """Read the notation of a paper in the folder of its derivations; files that are not there say nothing.

    ``paper`` is the id of the paper if the folder is not called so.

    Raises:
        LibraryError: if a file cannot be read.
    """
    try:
        notation = Notation()
        if (folder / MAP).is_file():
            notation = with_common(read_map([Document(Source(MAP, (folder / MAP).read_text(encoding="utf-8")))]))
        if not (folder / ALIASES).is_file():
            return Vocabulary(notation)
        of = folder.name if paper is None else paper
        data = tomllib.loads((folder / ALIASES).read_text(encoding="utf-8"))
        found = Vocabulary(
            notation,
            {name: tuple(shapes) for name, shapes in data.get("also_printed", {}).items()},
            data.get("meanings", {}),
            {f"{of}.{slug}": meanings for slug, meanings in data.get("local", {}).items()},
            {f"{of}.{slug}": words for slug, words in data.get("reworded", {}).items()},
            frozenset(data.get("distributions", ())),
            {f"{of}.{slug}": str(why) for slug, why in data.get("interpreted", {}).items()},
            frozenset(f"{of}.{slug}" for slug in data.get("abridged", ())),
            frozenset(f"{of}.{slug}" for slug in data.get("in_words", ())),
        )
        for shape in (shape for shapes in found.aliases.values() for shape in shapes):
            pattern(shape)
        for meanings in (found.meanings, *found.local.values()):
            _templates(meanings)
    except (OSError, TypeError, AttributeError, tomllib.TOMLDecodeError, GrpoSymbolicError) as error:
        raise LibraryError(f"{folder}: {error}") from error
    return found


def context_of(
    spoken: Spoken, wider: Sequence[Expression], known: Vocabulary, defined: Sequence[Entry] = ()
) -> Context:
    """What the quote of a claim is read against.

    The notation of its statement hides that of its hypotheses and definitions, and this that of the ``wider``
    surroundings and of the paper. What the quote itself has ``defined`` hides all of it.
    """
    own = [*spoken.statement, *spoken.claim]
    bodies = list(_bodies(own))
    layers = [
        _unnamed(known),
        _shared(known.notation.common),
        _shared(known.notation.entries),
        _templates(known.meanings),
        _entries([*wider, *_bodies(wider)], known),
        [*_bare_functions([*own, *bodies], known), *_entries(bodies, known)],
        _entries(own, known),
        _entries(spoken.statement, known),
        _templates(known.local.get(spoken.id, {})),
        defined,
    ]
    letters = [indices(one) for one in spoken.over]
    labels: dict[Nodes, tuple[str, ...]] = {index: LABELS for row in letters for index in row}
    elements = [known.notation.labels.get(index) for row in letters for index in row[:1]]
    labels |= {index: LABELS for index, values in known.notation.labels.items() if values in elements}
    return Context(Table(layers), labels, known.notation.points, choices=known.notation.choices)


def definition_entry(left: Nodes, right: Nodes, name: str) -> Entry:
    """The notation that a quote itself defines by an equation, such as ``Z_q = ...`` or ``g(x) = ...``.

    Raises:
        DeclarationError: if the left side can be no notation.
    """
    last = left[-1]
    if len(left) > 1 and isinstance(last, Group) and last.open == "(" and len(last.items) == 1:
        left = (*left[:-1], *hole_at(left[-1:], last.items, "argument"))
        right = hole_at(right, last.items, "argument")
    return Entry(Pattern.from_nodes(left, name), Template(right), name)


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


def _shared(entries: Iterable[Entry]) -> list[Entry]:
    """The notation of the map that is about no symbol of its own: templates and functions."""
    return [found for entry in entries if (found := _general(entry)) is not None]


def _general(entry: Entry) -> Entry | None:
    match entry.meaning:
        case Template() | Prefix():
            return entry
        case Function(definition, _):
            return entry if set(free_symbols(definition.body)) <= set(definition.parameters) else None
        case ListFunction(formula, _):
            dummy = real("x", "(-oo, oo)", "an element")
            try:
                read_formula(formula, {hole: [dummy, dummy] for hole in entry.pattern.holes})
            except DeclarationError:
                return None
            return replace(entry, meaning=ListFunction(formula))
        case _:
            return None


def _templates(meanings: Mapping[str, str]) -> list[Entry]:
    """Notation that stands for other LaTeX."""
    return [
        Entry(pattern(shape), Template(normal(parse_tree(body, holes=True, name="meaning"))), shape)
        for shape, body in meanings.items()
    ]


def _entries(expressions: Iterable[Expression], known: Vocabulary) -> list[Entry]:
    """The notation of what expressions are made of, in our LaTeX and as the paper prints it."""
    symbols, definitions = printed_objects(expressions)
    found: list[Entry] = []
    for symbol in symbols:
        found.append(symbol_entry(symbol))
        found += [_alias(symbol, shape) for shape in known.aliases.get(symbol.latex, ())]
    for definition in definitions:
        for shape in _names(definition, known):
            found += definition_entries(definition, shape)
    return found


def _names(definition: Definition, known: Vocabulary) -> tuple[str, ...]:
    return (definition.latex, *known.aliases.get(definition.latex, ()))


def _bare_functions(expressions: Iterable[Expression], known: Vocabulary) -> list[Entry]:
    """Functions of one variable without their argument, and with a prime for the slope: their value at the variable."""
    found: list[Entry] = []
    for definition in printed_objects(expressions)[1]:
        if len(definition.parameters) != 1:
            continue
        parameter = definition.parameters[0]
        value = definition(parameter)
        for shape in _names(definition, known):
            found.append(Entry(pattern(shape), Plain(value), definition.name))
            if "^" not in shape:
                found.append(Entry(pattern(f"{shape}'"), Plain(Derivative(value, parameter)), definition.name))
    return found


def _bodies(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """What the named functions in expressions stand for."""
    for expression in expressions:
        yield from (node.definition.body for node in walk(expression) if isinstance(node, Call))


def _alias(symbol: Symbol, shape: str) -> Entry:
    found = pattern(shape)
    if not symbol.indexed:
        return Entry(found, Plain(symbol), symbol.name)
    # Without a hole the paper means the distribution, or its value at the element in question.
    values: dict[tuple[str, ...], Expression] = {(label,): member(symbol, label) for label in LABELS}
    return Entry(found, Family(values, alone=not found.holes), symbol.name)
