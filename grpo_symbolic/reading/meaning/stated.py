"""Domains of letters that the text of a paper states: "let $\\beta > 0$", "where $Z$ is a normalisation constant"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.discover import stated_domains
from grpo_symbolic.reading.document.heads import is_plain
from grpo_symbolic.reading.document.paper import read_displays
from grpo_symbolic.reading.meaning.steps import ReadStep
from grpo_symbolic.reading.notation.context import Context, Note
from grpo_symbolic.reading.notation.entries import Entry, Plain
from grpo_symbolic.reading.notation.map import Notation
from grpo_symbolic.reading.notation.patterns import Pattern, head_key
from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.spelling import spelled
from grpo_symbolic.reading.tex.tree import Atom, Name, Nodes, Number, Scripted

_NORMALISATION = re.compile(
    r"\s*(?:is|denotes)\s+(?:a|the)\s+(?:\w+\s+)?normali[sz](?:ation|ing)\s+(?:constant|factor)\b"
)
_CONSTANTS = re.compile(
    r"\bthere\s+exists?\s+(?:real\s+)?constants?\s+(?:\$[^$\n]{1,60}\$\s*(?:,\s*)?(?:and\s+)?)*\$?$",
    re.IGNORECASE,
)
_LET = re.compile(
    r"\b(?:let|fix|for\s+(?:all|any|every|each)|(?:parameter|constant|weight|coefficient|width)s?)\s+\$?$",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:integers?|natural|whole|index|indices)\b")
#: Letters that count things more often than they measure them.
_COUNTS = tuple("ijklmnNKMT")
_NEAR = 120
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
#: What makes a domain hold only sometimes, or not at all, in the rest or the beginning of its sentence.
_SOMETIMES = re.compile(
    r"\b(?:or|unless|if|when|whenever|except|otherwise|not|negative|may|can|could|might)\b", re.IGNORECASE
)
_UNTRUE = re.compile(
    r"\b(?:not|never|no|false|wrong\w*|unless|if|suppos\w+|contradict\w*|cannot|fails?|untrue)\b", re.IGNORECASE
)
#: What says something else of a letter later.
_LARGER = re.compile(
    r"\s*(?:,\s*)?(?:which\s+|that\s+)?(?:may|might|can|could|need\s+not|is\s+(?:now\s+)?(?:not|negative|arbitrary|allowed|any|real))\b"
)
_SENTENCE = re.compile(r"[.!?](?=\s)|\n[ \t]*\n")
#: What "let $x$ be ..." says of a letter here, which is not what "let $x > 0$" says of it there.
_ANYTHING = ""


@dataclass(frozen=True)
class Stated:
    """A symbol that the text declares, where, and in which words; it holds from there on, or ``everywhere``."""

    entry: Entry
    symbol: Symbol
    place: Place
    everywhere: bool = False

    def holds_at(self, place: Place) -> bool:
        """Whether it is known at a place."""
        return self.everywhere or (place.source is self.place.source and place.start > self.place.start)

    @property
    def note(self) -> str:
        """What a finding says about the symbol."""
        return f"{self.symbol.name} in {self.symbol.domain}, as line {self.place.line} says"


def stated_symbols(blocks: Sequence[Block], notation: Notation) -> tuple[Stated, ...]:
    """The letters whose domain the text says in plain words, and which neither the map declares nor the text otherwise.

    A letter of which the text says two different things is none of them.
    """
    context = notation.context(notation.sections)
    found: dict[Nodes, list[tuple[str, Place, bool]]] = {}
    others: dict[Nodes, set[str]] = {}
    for block in blocks:
        if block.kind == "display":
            continue
        for nodes, domain, everywhere in _said(block):
            found.setdefault(nodes, []).append((domain, block.place, everywhere))
        for nodes, domain in _compared(block):
            others.setdefault(nodes, set()).add(domain)
    names = {*notation.symbols, *(name for section in notation.sections for name in section.symbols)}
    made: list[Stated] = []
    for nodes, sayings in found.items():
        domain, place, everywhere = sayings[0]
        said = {one for one, _, _ in sayings} | others.get(nodes, set())
        if domain and said == {domain} and _is_fresh(nodes, context):
            one = _made(nodes, domain, place, names)
            made += [] if one is None else [replace(one, everywhere=everywhere)]
    return tuple(made)


def noted(read: ReadStep, stated: Sequence[Stated]) -> ReadStep:
    """A step with a note for every letter in it whose domain the text says, and not the map."""
    if not stated:
        return read
    sides = [side for one in read.instances for side in (one.left, one.right)]
    symbols = {symbol for side in sides for symbol in free_symbols(side)}
    notes = tuple(Note(one.place, one.note) for one in stated if one.symbol in symbols)
    return replace(read, notes=(*read.notes, *notes)) if notes else read


def _made(nodes: Nodes, domain: str, place: Place, names: set[str]) -> Stated | None:
    name = spelled(nodes)
    try:
        if name in names:
            return None
        latex = nodes[0].place.text if len(nodes) == 1 else name
        symbol = real(name, domain, "the text says its domain", latex=latex)
        entry = Entry(Pattern.from_nodes(nodes, latex, place), Plain(symbol), name, place)
    except DeclarationError:
        return None
    names.add(name)
    return Stated(entry, symbol, place)


def _said(block: Block) -> Iterator[tuple[Nodes, str, bool]]:
    """What is said of the letter in an inline formula: its domain, and whether that holds everywhere."""
    text, place = block.place.source.text, block.place
    before, behind = text[max(0, place.start - _NEAR) : place.start], text[place.end : place.end + _NEAR]
    before = _COMMENT.sub("", before)
    started, rest = _SENTENCE.split(before)[-1], _SENTENCE.split(behind)[0]
    if _LARGER.match(behind):
        yield from ((nodes, _ANYTHING, False) for nodes in _letter(block.inner.text))
    elif _NORMALISATION.match(behind) and not _SOMETIMES.search(rest):
        yield from ((nodes, "(0, oo)", True) for nodes in _letter(block.inner.text))
    elif _CONSTANTS.search(before):
        yield from ((nodes, "(-oo, oo)", True) for nodes in _letter(block.inner.text))
    elif _LET.search(before) and not _WHOLE.search(behind[:40] + before[-40:]):
        steps = [step for display in read_displays([block]) if not display.broken for step in display.steps]
        if not steps:
            yield from ((nodes, _ANYTHING, False) for nodes in _letter(block.inner.text))
        for step in steps[:1]:
            domain, _ = stated_domains(steps).get(step.left, (_ANYTHING, ""))
            if _is_letter(normal(step.left)):
                unsure = len(steps) > 1 or step.conditions or _SOMETIMES.search(rest) or _UNTRUE.search(started)
                yield normal(step.left), _ANYTHING if unsure else domain, False


def _compared(block: Block) -> Iterator[tuple[Nodes, str]]:
    """A letter that an inline formula compares with 0 or says to be a number, in whatever words, and its domain."""
    for step in [one for display in read_displays([block]) if not display.broken for one in display.steps][:1]:
        domain, _ = stated_domains([step]).get(step.left, (_ANYTHING, ""))
        number = step.relation.symbol == r"\in" and any(isinstance(node, Name) for node in step.right)
        if (domain or number) and _is_letter(normal(step.left)):
            yield normal(step.left), domain


def _letter(latex: str) -> Iterator[Nodes]:
    try:
        nodes = normal(parse_tree(latex, name="letter"))
    except BrokenLatex:
        return
    if _is_letter(nodes):
        yield nodes


def _is_letter(nodes: Nodes) -> bool:
    if len(nodes) != 1 or isinstance(nodes[0], Number) or not is_plain(nodes):
        return False
    base = nodes[0].base if isinstance(nodes[0], Scripted) else nodes[0]
    return not (isinstance(base, Atom) and (base.text in _COUNTS or not base.text.strip("\\").isalpha()))


def _is_fresh(nodes: Nodes, context: Context) -> bool:
    known = nodes in context.labels or nodes in context.points or nodes in context.sizes
    return not known and not context.table.matches(head_key(nodes[0]), nodes, 0)
