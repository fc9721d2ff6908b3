"""The tree of a formula: TeX's own structure (scripts, brackets, arguments, rows), still without meaning.

Nodes compare by what they print, not by where they stand, so that a pattern finds its occurrences;
``place`` says where. A sequence of nodes, ``Nodes``, is what stands in a bracket, an argument or a cell.
Spacing commands, ``\\left`` and ``\\right``, ``\\displaystyle``, ``\\limits`` and the like leave no node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from grpo_symbolic.reading.places import Place


@dataclass(frozen=True, slots=True)
class Atom:
    """One letter, operator or command without arguments: ``x``, ``+``, ``\\beta``, ``\\sum``, ``|``.

    Synonyms are one text: ``\\mid`` and ``\\vert`` are ``|``, ``\\Vert``, ``\\parallel`` and ``||`` are
    ``\\|``, ``\\leq`` is ``\\le``, ``\\not=`` is ``\\ne``, ``\\to`` is ``\\rightarrow``, and so on.
    """

    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, with or without a decimal point: ``12``, ``0.5``."""

    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """Letters set in a font of their own: ``\\mathbb{E}``, ``\\mathrm{KL}``, ``\\operatorname{sign}``, ``{\\rm ref}``.

    Upright fonts (roman, sans serif, text, operator names) are one ``font``, ``"upright"``, and so is a
    subscript made of two or more plain letters, ``\\pi_{ref}``. The other fonts are ``"blackboard"``,
    ``"calligraphic"``, ``"script"``, ``"fraktur"``, ``"bold"``, ``"italic"`` and ``"typewriter"``.
    """

    text: str
    font: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Words:
    """Prose inside a formula: ``\\text{if }``, or typed bare between control spaces, ``\\ and \\ ``."""

    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Hole:
    """``#name`` of a notation pattern; never in a paper."""

    name: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Space:
    """A wide space, ``\\quad``: it separates statements. Only at the top level of a cell."""

    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with arguments, ``\\frac``, ``\\sqrt``, ``\\tilde``, ``\\underbrace``, ``\\stackrel``.

    ``option`` is what stands in the square brackets, such as the 3 of ``\\sqrt[3]{x}``. ``\\dfrac`` and
    ``\\tfrac`` are ``\\frac``, ``\\widetilde`` is ``\\tilde``.
    """

    name: str
    arguments: tuple[Nodes, ...]
    place: Place = field(compare=False)
    option: Nodes | None = None


@dataclass(frozen=True, slots=True)
class Scripted:
    """A base with scripts in any order; ``base`` is ``None`` where a script follows nothing.

    ``primes`` counts ``'`` and ``^\\prime``.
    """

    base: Node | None
    sub: Nodes | None
    sup: Nodes | None
    primes: int
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """What brackets hold: ``( )``, ``[ ]``, ``\\{ \\}``, ``| |``, ``\\| \\|``, ``\\lfloor \\rfloor``, and ``{ }``.

    The braces ``{ }`` are the invisible ones. The two ends agree, apart from half-open intervals such
    as ``[0, 1)`` and roundings such as ``\\lfloor x \\rceil``. Bars are a group only where they can be
    nothing else; a bar that may say "given" stays an ``Atom``.
    """

    open: str
    close: str
    items: Nodes
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an environment: its cells, and its number if it has one of its own."""

    cells: tuple[Nodes, ...]
    place: Place = field(compare=False)
    label: str | None = None
    tag: str | None = None

    @property
    def items(self) -> Nodes:
        """The cells joined, without the alignment marks."""
        return tuple(node for cell in self.cells for node in cell)


@dataclass(frozen=True, slots=True)
class Environment:
    """``\\begin{name} ... \\end{name}`` inside a formula: ``cases``, ``array``, ``aligned``, ``pmatrix``."""

    name: str
    rows: tuple[Row, ...]
    place: Place = field(compare=False)


Node: TypeAlias = "Atom | Number | Name | Words | Hole | Space | Command | Scripted | Group | Environment"
Nodes: TypeAlias = tuple[Node, ...]


def place_of(nodes: Nodes) -> Place:
    """Return the span of a non-empty sequence of nodes."""
    return nodes[0].place.to(nodes[-1].place)


def rows(nodes: Nodes) -> Iterator[Nodes]:
    """The nodes themselves, and whatever stands in a row inside one of them, however deep."""
    yield nodes
    for node in nodes:
        for inner in children(node):
            yield from rows(inner)


def without_scripts(node: Node | None) -> Node | None:
    """What has an index, a power or primes, without these; any other node as it is."""
    return node.base if isinstance(node, Scripted) else node


def without_power(node: Node) -> Node:
    """A node without its superscript and primes."""
    if not isinstance(node, Scripted) or node.base is None:
        return node
    return node.base if node.sub is None else Scripted(node.base, node.sub, None, 0, node.place)


def children(node: Node) -> tuple[Nodes, ...]:
    """Return the sequences that stand directly inside a node, in reading order."""
    match node:
        case Command():
            return ((node.option,) if node.option is not None else ()) + node.arguments
        case Scripted():
            base: tuple[Nodes, ...] = () if node.base is None else ((node.base,),)
            return base + tuple(script for script in (node.sub, node.sup) if script is not None)
        case Group():
            return (node.items,)
        case Environment():
            return tuple(cell for row in node.rows for cell in row.cells)
        case _:
            return ()


def walk(nodes: Nodes) -> Iterator[Node]:
    """Yield every node of a sequence, parents before children, in reading order."""
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        for inner in reversed(children(node)):
            stack.extend(reversed(inner))
