"""Pieces of a notation map, each with the place that a mistake in it is reported at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.context import MAX_TERMS
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.notation.tables import default_latex
from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.tokens import is_digits
from grpo_symbolic.reading.tex.tree import Nodes


def known_only(table: Mapping[str, Any], keys: Sequence[str], place: Callable[[str], Place], what: str) -> None:
    """Refuse keys that a table does not have."""
    for key in table:
        if key not in keys:
            raise MapError(place(key), f"{key!r} is no {what} of a notation map", f"known: {', '.join(keys)}")


def table_of(document: Document, data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table of a document, empty if it is not there."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise MapError(document.place(name), f"{name} is not a table", f"write [{name}]")
    return found


def tables_of(document: Document, data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A list of tables of a document, empty if it is not there."""
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise MapError(document.place(name), f"{name} is not a list of tables", f"write [[{name}]]")
    return found


def strings_of(value: object, place: Place, key: str) -> tuple[str, ...]:
    """A string or a list of strings."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise MapError(place, f"{key} is neither a string nor a list of strings")


def members_of(members: object, place: Place) -> tuple[str, ...]:
    """The labels of a set: a list, or a range such as ``'1..4'``."""
    labels = strings_of(members, place, "a set")
    if len(labels) == 1 and ".." in labels[0]:
        low, _, high = labels[0].partition("..")
        digits = all(is_digits(end) and len(end) < 7 for end in (low, high))
        if digits and int(low) <= int(high) < int(low) + MAX_TERMS:
            return tuple(str(number) for number in range(int(low), int(high) + 1))
        raise MapError(place, f"{labels[0]!r} is no range of whole numbers", "write '1..4'")
    if len(set(labels)) < len(labels):
        raise MapError(place, "a set has the same member twice")
    return labels


def trees_of(latex: str, place: Place) -> list[Nodes]:
    """The trees of indices such as ``o, o'``."""
    found: list[Nodes] = []
    for piece in latex.split(","):
        try:
            nodes = normal(parse_tree(piece.strip(), name="index"))
        except BrokenLatex as error:
            raise MapError(place, f"the index {piece.strip()!r} is broken LaTeX: {error.reason}") from error
        if len(nodes) != 1:
            raise MapError(place, f"{piece.strip()!r} is no index", "write one symbol, such as o or o'")
        found.append(nodes)
    return found


#: What a proposed map says of a symbol before brackets that nobody has looked at: ``factor = "guess"``.
GUESS = "guess"


def symbol_of(name: str, said: object, place: Place) -> tuple[Symbol, list[Pattern]]:
    """A symbol and the ways in which it is printed."""
    table: Mapping[str, Any] = {"in": said} if isinstance(said, str) else said if isinstance(said, dict) else {}
    known_only(table, ("in", "tex", "meaning", "constant", "factor"), lambda _: place, "property of a symbol")
    domain = table.get("in")
    if not isinstance(domain, str):
        raise MapError(place, f"the symbol {name} has no domain", f"write {name} = '(0, 1)'")
    if not isinstance(table.get("constant", False), bool):
        raise MapError(place, f"constant = {table['constant']!r} is neither true nor false", "write constant = true")
    if table.get("factor", True) not in (True, GUESS):
        reason = f"factor = {table['factor']!r} says nothing about brackets after {name}"
        raise MapError(place, reason, "write factor = true where they are a factor; what has arguments is no symbol")
    try:
        default = default_latex(name)
        shapes = strings_of(table.get("tex", default), place, "tex")
        patterns = [Pattern.of(shape, place) for shape in shapes]
        if any(pattern.holes for pattern in patterns):
            raise DeclarationError(f"the LaTeX of the symbol {name} has a hole; declare it under [[notation]]")
        symbol = real(name, domain, str(table.get("meaning") or "a symbol of the paper"), latex=shapes[0])
    except DeclarationError as error:
        raise MapError(place, str(error)) from error
    return symbol, patterns
