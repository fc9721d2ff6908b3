"""One ``[[notation]]`` table of a map: its patterns, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import (
    Definition,
    Expression,
    Symbol,
    free_symbols,
)
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.context import MAX_TERMS
from grpo_symbolic.reading.notation.distributions import probabilities_of
from grpo_symbolic.reading.notation.elementary import MAP_FUNCTIONS, named
from grpo_symbolic.reading.notation.entries import (
    Entry,
    Family,
    Function,
    ListFunction,
    Meaning,
    Plain,
    Prefix,
    Skipped,
    Template,
)
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.notation.patterns import Pattern, identifier_of
from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.translate.formula import symbol_latex

_KEYS = ("tex", "is", "by", "each", "over", "distribution", "total", "expand", "skip", "alone", "name", "meaning")
_MEANINGS = ("is", "by", "each", "distribution", "expand", "skip")


def default_latex(name: str) -> str:
    """How a symbol is printed if the map does not say: Greek letters, subscripts, upright words."""
    if not name.isidentifier():
        raise DeclarationError(f"{name!r} is not a name; write letters, digits and _ only")
    return str(symbol_latex(real(name, "(-oo, oo)", "a symbol")))


def entries_of(
    table: Mapping[str, Any],
    place: Place,
    symbols: dict[str, Symbol],
    functions: dict[str, Callable[..., Expression]],
    sets: Mapping[str, tuple[str, ...]],
) -> list[Entry]:
    """The entries of one table; a function with a name is added to ``functions``, symbols to ``symbols``.

    Raises:
        MapError: if the table is not a piece of notation.
    """
    for key in table:
        if key not in _KEYS:
            raise MapError(place, f"{key!r} is no property of a notation", f"known: {', '.join(_KEYS)}")
    given = [key for key in _MEANINGS if key in table]
    if len(given) != 1 or "tex" not in table:
        raise MapError(place, "a notation needs tex and one meaning", f"write tex and one of {', '.join(_MEANINGS)}")
    shapes = table["tex"] if isinstance(table["tex"], list) else [table["tex"]]
    try:
        if not shapes:
            raise DeclarationError("tex is an empty list; write the LaTeX of the notation")
        patterns = [Pattern.of(_text(shape), place) for shape in shapes]
        if given[0] == "each":
            table = {**table, "by": _declared(table, patterns, symbols, sets)}
            given = ["by"]
        elif given[0] == "distribution":
            table = {**table, "by": probabilities_of(table, patterns, symbols, sets)}
            given = ["by"]
        entries = _entries(table, given[0], patterns, place, symbols, functions)
    except BrokenLatex as error:
        raise MapError(place, f"broken LaTeX: {error.reason}") from error
    except DeclarationError as error:
        if isinstance(error, MapError):
            raise
        raise MapError(place, str(error)) from error
    return entries


def _declared(
    table: Mapping[str, Any],
    patterns: list[Pattern],
    symbols: dict[str, Symbol],
    sets: Mapping[str, tuple[str, ...]],
) -> dict[str, str]:
    """Declare one symbol for every member of an indexed family, and return their names by labels."""
    labels = sets.get(_text(table.get("over", "")))
    if labels is None:
        raise DeclarationError(f"each needs a declared set; write over = '...', known: {', '.join(sets) or 'none'}")
    pattern = patterns[0]
    if not pattern.holes or pattern.lists or len(labels) ** len(pattern.holes) > MAX_TERMS:
        raise DeclarationError(f"each declares a family with indices; {pattern.text} has no hole, a list, or too many")
    holes = [re.compile(rf"#{hole}(?![A-Za-z0-9_])") for hole in pattern.holes]
    head = holes[0].sub("", pattern.text.split("(")[0])
    stem = _text(table.get("name", "")) or identifier_of(head)
    names: dict[str, str] = {}
    for members in product(labels, repeat=len(holes)):
        name = "_".join([stem, *members])
        if name in symbols:
            raise DeclarationError(f"the symbol {name} is declared twice; give the family another name")
        latex = pattern.text
        for hole, label in zip(holes, members, strict=True):
            latex = hole.sub(label, latex)
        said = _text(table.get("meaning", "")) or f"member {', '.join(members)} of a family of the paper"
        symbols[name] = real(name, _text(table["each"]), said, latex=latex)
        names[", ".join(members)] = name
    return names


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise DeclarationError(f"{value!r} is no text; write it in quotes")
    return value


def _entries(
    table: Mapping[str, Any],
    kind: str,
    patterns: list[Pattern],
    place: Place,
    symbols: Mapping[str, Symbol],
    functions: dict[str, Callable[..., Expression]],
) -> list[Entry]:
    name = _text(table.get("name", "")) or patterns[0].text
    said = table[kind]
    if kind == "by":
        members = _members(said, patterns, symbols, functions)
        family = Family(members, distribution="distribution" in table)
        entries = [Entry(pattern, family, name, place) for pattern in patterns]
        return entries + _alone(table, members, name, place)
    if "alone" in table:
        raise DeclarationError("alone belongs to a family; write by = { a = '...', b = '...' }")
    if kind == "skip":
        return [Entry(pattern, Skipped(_text(said)), name, place) for pattern in patterns]
    if kind == "expand":
        body = normal(parse_tree(_text(said), holes=True, name="expansion"))
        return [Entry(pattern, Template(body), name, place) for pattern in patterns]
    meanings = [_formula(_text(said), pattern, name, symbols, functions) for pattern in patterns]
    first = meanings[0]
    if isinstance(first, Function) and name.isidentifier():
        functions[name] = first.definition
    return [Entry(pattern, meaning, name, place) for pattern, meaning in zip(patterns, meanings, strict=True)]


def _formula(
    text: str,
    pattern: Pattern,
    name: str,
    symbols: Mapping[str, Symbol],
    functions: Mapping[str, Callable[..., Expression]],
) -> Meaning:
    if not pattern.holes:
        if text.strip() in MAP_FUNCTIONS and text.strip() not in symbols:
            return Prefix(text.strip())
        value = read_formula(text, symbols, functions)
        return Plain(value if isinstance(value, Symbol) else named(identifier_of(name), (), value, pattern.text)())
    if pattern.lists:
        return ListFunction(text, dict(symbols))
    parameters = {hole: real(hole, "(-oo, oo)", "argument of a function") for hole in pattern.holes}
    body = read_formula(text, {**symbols, **parameters}, functions)
    for hole, parameter in parameters.items():
        if parameter not in free_symbols(body):
            raise DeclarationError(f"the formula {text!r} does not use the hole #{hole} of {pattern.text}")
    head = pattern.text.split("(")[0]
    title = name if name != pattern.text and name.isidentifier() else identifier_of(head)
    definition = Definition(title, tuple(parameters.values()), body, head)
    return Function(definition, pattern.holes)


def _members(
    said: object,
    patterns: list[Pattern],
    symbols: Mapping[str, Symbol],
    functions: Mapping[str, Callable[..., Expression]],
) -> dict[tuple[str, ...], Expression]:
    if not isinstance(said, dict) or not said:
        raise DeclarationError("by is a table of labels; write by = { a = 'x', b = '1 - x' }")
    arity = {len(pattern.holes) for pattern in patterns}
    members: dict[tuple[str, ...], Expression] = {}
    for key, value in said.items():
        labels = tuple(part.strip() for part in str(key).split(","))
        if arity != {len(labels)}:
            raise DeclarationError(f"the label {key!r} does not fit the holes of {patterns[0].text}")
        formula = str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(value)
        members[labels] = read_formula(formula, symbols, functions)
    return members


def _alone(
    table: Mapping[str, Any], members: Mapping[tuple[str, ...], Expression], name: str, place: Place
) -> list[Entry]:
    shapes = table.get("alone", [])
    shapes = shapes if isinstance(shapes, list) else [shapes]
    patterns = [Pattern.of(_text(shape), place) for shape in shapes]
    if patterns and any(len(key) != 1 for key in members):
        raise DeclarationError("only a family with one index can stand alone as a distribution")
    return [Entry(pattern, Family(members, alone=True), name, place) for pattern in patterns]
