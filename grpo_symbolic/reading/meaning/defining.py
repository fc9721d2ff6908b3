"""Definitions taken from the paper: the left side of an equation becomes notation, the right side its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Definition, Expression, Symbol, free_symbols
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.meaning.parser import Parser, read_side
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.meaning.steps import without_constant
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.elementary import named
from grpo_symbolic.reading.notation.entries import Entry, Family, Function, Meaning, Plain, Template
from grpo_symbolic.reading.notation.map import DefinitionEntry, MapError, Notation, Section
from grpo_symbolic.reading.notation.patterns import Pattern, hole_at, identifier_of
from grpo_symbolic.reading.places import BrokenLatex, ReadingError
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import Group, Hole, Node, Nodes, place_of, walk, without_scripts


def defined_by(
    entry: DefinitionEntry, step: PrintedStep, notation: Notation, sections: Sequence[Section], context: Context
) -> list[Entry]:
    """The notation that a step defines, as the map says.

    Raises:
        NotUnderstood: if the right side cannot be read.
        MapError: if the map speaks of parameters that do not stand in the left side.
    """
    left, right = normal(trimmed(step.left)), without_constant(normal(trimmed(step.right)))[0]
    place = entry.address.place
    parameters = []
    for name in entry.parameters:
        symbol = notation.symbol(name, sections)
        if symbol is None:
            raise MapError(place, f"the parameter {name} is no symbol of the map", "declare it under [symbols]")
        parameters.append(symbol)
    try:
        if entry.holes:
            return _template(entry, left, right)
        entries = _noting_samples(left, right, parameters, context, entry.name)
        if not entries:
            return []
        meaning = entries[0].meaning
        holes = {hole for found in entries for hole in found.pattern.holes}
        for latex in entry.patterns:
            pattern = Pattern.of(latex, place)
            if set(pattern.holes) != holes:
                raise MapError(
                    place, f"{latex} has other holes than the definition", f"holes: {', '.join(holes) or 'none'}"
                )
            entries.append(Entry(pattern, meaning, entries[0].name, place, entries[0].samples))
    except DeclarationError as error:
        raise error if isinstance(error, ReadingError) else MapError(place, str(error)) from error
    return entries


def defined_by_itself(step: PrintedStep, context: Context) -> list[Entry]:
    """The notation that ``f(x) := ...`` defines without an entry in the map; none if the left side is known."""
    left, right = normal(trimmed(step.left)), normal(trimmed(step.right))
    objects, context.objects = context.objects, None  # what is defined here is no unknown object
    try:
        read_side(left, Scope(), context, step.place)
    except FreeIndex:
        return []
    except NotUnderstood:
        pass
    else:
        return []
    finally:
        context.objects = objects
    try:
        return defined_plainly(left, right, context)
    except DeclarationError as error:
        raise NotUnderstood(step.place, "undeclared", str(error)) from error


def defined_plainly(left: Nodes, right: Nodes, context: Context) -> list[Entry]:
    """The notation that an equation defines, with the declared symbols alone in the last bracket as arguments.

    Raises:
        NotUnderstood: if the right side cannot be read.
        DeclarationError: if the left side can be no notation.
    """
    return _noting_samples(left, right, _arguments(left, context), context, "")


def _arguments(left: Nodes, context: Context) -> list[Symbol]:
    """The declared symbols that stand alone in the last bracket of a left side."""
    last = left[-1]
    if len(left) < 2 or not isinstance(last, Group) or last.open != "(":
        return []
    found: list[Symbol] = []
    for part in split(last.items, ",", ";", "|"):
        if not part:
            return []
        phrase = Parser(part, Scope(), context)
        try:
            value = phrase.whole()
        except (NotUnderstood, FreeIndex):
            return []
        if not isinstance(value, Symbol):
            return []
        found.append(value)
    return found


def _noting_samples(
    left: Nodes, right: Nodes, parameters: Sequence[Symbol], context: Context, name: str
) -> list[Entry]:
    """What a definition defines, and which sets that stand for any finite set it runs over."""
    before, context.used_indices = context.used_indices, set()
    try:
        entries = _function(left, right, parameters, context, name)
        return [replace(entry, samples=context.sampled()) for entry in entries]
    finally:
        context.used_indices |= before


def _function(left: Nodes, right: Nodes, parameters: Sequence[Symbol], context: Context, name: str) -> list[Entry]:
    place = place_of(left)
    nodes = left
    for parameter in parameters:
        for pattern in context.table.patterns_of(parameter):
            nodes = hole_at(nodes, pattern.nodes, parameter.name)
    missing = [item.name for item in parameters if Hole(item.name, place) not in set(walk(nodes))]
    if missing:
        raise DeclarationError(f"the parameter {missing[0]} does not stand in {place.text}")
    head = _head(left)
    title = name or identifier_of(head)
    try:
        body = read_side(right, Scope(), context, place_of(right))
    except FreeIndex as free:
        if free.index in context.sizes and not parameters:
            # About groups of any size: read anew wherever it stands, with the size that is meant there.
            _readable(free, right, context)
            return [Entry(Pattern.from_nodes(left, place.text, place), Template(right), title, place)]
        if parameters or not any(node == free.index[0] for node in walk(left)):
            raise NotUnderstood(place, "unsupported", "a definition with a free index") from free
        pattern = Pattern.from_nodes(hole_at(left, free.index, "index"), place.text, place)
        return [Entry(pattern, _family(free, right, context), title, place)]
    if parameters and context.objects is not None and context.objects.among(free_symbols(body)):
        return []  # what an unknown object is at another argument, nobody knows
    pattern = Pattern.from_nodes(nodes, place.text, place)
    meaning: Meaning
    if parameters:
        meaning = Function(Definition(title, tuple(parameters), body, head), tuple(item.name for item in parameters))
    else:
        meaning = Plain(named(title, (), body, head)())
    return [Entry(pattern, meaning, title, place)]


def _readable(free: FreeIndex, right: Nodes, context: Context) -> None:
    for label in free.labels:
        try:
            read_side(right, Scope().bind(free.index, label), context, place_of(right))
        except FreeIndex as second:
            raise NotUnderstood(place_of(right), "unsupported", "a definition with two free indices") from second


def _family(free: FreeIndex, right: Nodes, context: Context) -> Family:
    values: dict[tuple[str, ...], Expression] = {}
    for label in free.labels:
        try:
            values[(label,)] = read_side(right, Scope().bind(free.index, label), context, place_of(right))
        except FreeIndex as second:
            raise NotUnderstood(place_of(right), "unsupported", "a definition with two free indices") from second
    return Family(values)


def _template(entry: DefinitionEntry, left: Nodes, right: Nodes) -> list[Entry]:
    place = entry.address.place
    targets: list[tuple[str, Nodes]] = []
    for name, latex in entry.holes.items():
        try:
            targets.append((name, normal(parse_tree(latex, name="hole"))))
        except BrokenLatex as error:
            raise MapError(place, f"the hole {name} is broken LaTeX: {error.reason}") from error
    made = with_holes(targets, left, right)
    title = entry.name or made.name
    return [Entry(made.pattern, made.meaning, title, place)] + [
        Entry(Pattern.of(latex, place), made.meaning, title, place) for latex in entry.patterns
    ]


def with_holes(targets: Sequence[tuple[str, Nodes]], left: Nodes, right: Nodes) -> Entry:
    """What an equation defines in which some pieces of LaTeX stand for anything, each by the name of its hole."""
    pattern_nodes, body = left, right
    # \pi^* before \pi, which is a part of it.
    for name, target in sorted(targets, key=lambda item: sum(1 for _ in walk(item[1])), reverse=True):
        pattern_nodes, body = hole_at(pattern_nodes, target, name), hole_at(body, target, name)
    place = place_of(left)
    pattern = Pattern.from_nodes(pattern_nodes, place.text, place)
    return Entry(pattern, Template(body), identifier_of(_head(left)), place)


def _head(left: Nodes) -> str:
    """The LaTeX of a left side up to its first bracket, the name of a function."""
    kept: list[Node] = []
    for node in left:
        if isinstance(without_scripts(node), Group) and kept:
            break
        kept.append(node)
    return place_of(tuple(kept)).text
