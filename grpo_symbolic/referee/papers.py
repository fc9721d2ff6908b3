"""Open a paper with its notation map, and read its steps; where there is no map, with the one that is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.reading.clock import PAPER_SECONDS, Late, guarded
from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.discover import Proposal, discover, proposal_toml
from grpo_symbolic.reading.document.displays import Display, PrintedStep, RelationSign
from grpo_symbolic.reading.document.kinds import parts_of
from grpo_symbolic.reading.document.paper import Manuscript, read_paper
from grpo_symbolic.reading.meaning.interpret import Interpretation, InterpretedStep, interpret
from grpo_symbolic.reading.meaning.opaque import KINDS
from grpo_symbolic.reading.meaning.stated import Stated, stated_symbols
from grpo_symbolic.reading.meaning.told import ACROSS, ANNOUNCED, said_inline
from grpo_symbolic.reading.notation.addresses import squashed
from grpo_symbolic.reading.notation.common import with_common
from grpo_symbolic.reading.notation.documents import MAX_MAP, Document, documents_in
from grpo_symbolic.reading.notation.entries import Entry
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.map import MapError, Notation
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import Place, Source, TooLarge, unforeseen
from grpo_symbolic.reading.tex.tree import Group, Nodes, Words, place_of

#: Most steps of one paper.
MAX_STEPS = 10_000
#: Most steps of one display.
MAX_DISPLAY_STEPS = 1_000
_RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\approx", r"\equiv", r"\neq", r"\ne")
#: The relation of the two ends of a chain, from the relations on the way, weakest first.
_MIXED = (
    (frozenset({"="}), "="),
    (frozenset({"=", r"\le"}), r"\le"),
    (frozenset({"=", r"\le", "<"}), "<"),
    (frozenset({"=", r"\ge"}), r"\ge"),
    (frozenset({"=", r"\ge", ">"}), ">"),
)


@dataclass(frozen=True)
class Opened:
    """A paper that was read.

    ``across`` are comparisons of the two sides around sides that were not understood. ``proposed`` says that
    nobody declared the notation, and ``proposals``, by name, what was guessed instead. ``map_path`` is the file of the
    map, if it is one of its own. ``warnings`` are about the map, ``problems`` are what could not be followed. ``rest``
    is the same paper read as if the map were a part of what was guessed, for the steps that the map alone does not
    read; ``declared`` are the symbols that are no guesses all the same.
    """

    path: Path
    paper: Manuscript
    displays: tuple[Display, ...]
    notation: Notation
    interpretation: Interpretation
    across: tuple[InterpretedStep, ...]
    map_name: str | None
    proposed: bool
    warnings: tuple[str, ...]
    problems: tuple[str, ...]
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    map_path: Path | None = None
    rest: Opened | None = None
    declared: frozenset[Symbol] = frozenset()


def map_beside(path: Path) -> Path:
    """Where the notation map of a paper is looked for: ``paper.notation.toml`` beside ``paper.tex``."""
    return path.with_name(f"{path.stem}.notation.toml")


def open_paper(
    path: Path, notation: Path | None = None, *, inline: bool = False, texts: Mapping[str, str] | None = None
) -> Opened:
    """Read a paper and its steps; inline formulas only if asked for, or if the map quotes them.

    ``texts`` are read in the place of files of these names.

    Raises:
        OSError: if a file cannot be read.
        ReadingError: if the paper is too large, or reading takes too long.
        MapError: for a mistake in the map.
    """
    with _in_time(path):
        return _opened(path, notation, inline, texts)


def _opened(path: Path, notation: Path | None, inline: bool, texts: Mapping[str, str] | None) -> Opened:
    paper = read_paper(path, texts=texts)
    beside = notation or (map_beside(path) if map_beside(path).is_file() else None)
    documents, name = _documents(paper, beside)
    declared = [part for one in documents if (part := one.declared) is not None]
    looked_at = read_map(part for one in documents if (part := one.guessed) is not None)
    warnings: list[str] = []
    known = with_common(read_map(declared)) if declared else None
    opened = None
    if known is not None:
        opened = _interpreted(path, paper, known, inline, said_inline(paper.blocks), None, warnings)
        if not any(map(may_be_guessed, opened.interpretation.outcomes)):
            return replace(opened, map_name=name, map_path=beside)
    proposals = _discovered(paper, warnings)
    guessed = _with_guesses(looked_at, _proposed(proposals, path, warnings))
    found = {one.name: one for one in proposals}
    if opened is None or known is None:
        whole = _interpreted(path, paper, guessed, inline, frozenset(), found, warnings)
        return replace(whole, map_name=name, map_path=beside)
    rest = _interpreted(path, paper, _with_guesses(known, guessed), inline, frozenset(), found, [])
    rest = replace(rest, declared=frozenset(known.symbols.values()))
    return replace(opened, map_name=name, map_path=beside, rest=rest)


def _interpreted(
    path: Path,
    paper: Manuscript,
    known: Notation,
    inline: bool,
    said: frozenset[Place],
    proposals: Mapping[str, Proposal] | None,
    warnings: list[str],
) -> Opened:
    """A paper read with some notation; what has none is an object of its own if there are ``proposals``."""
    problems = [str(problem) for problem in paper.problems]
    spoken: frozenset[Place] = frozenset() if inline else said
    read = paper.displays(lambda block: block.place in spoken or _selected(block, known, inline))
    quoted = {block.place for block in paper.blocks if _selected(block, known, inline)}
    displays = tuple(one if one.place in quoted else replace(one, kind=ANNOUNCED) for one in _limited(read, problems))
    parts = parts_of({id(one.place.source): one.place.source.text for one in displays}.values())
    guessing = proposals is not None
    objects = Objects(set(known.symbols), parts) if guessing else None
    stated = () if guessing else stated_symbols(paper.blocks, known)
    interpretation = interpret(displays, known, objects, stated)
    displays = interpretation.displays
    warnings += [str(warning) for warning in interpretation.warnings]
    for entry in () if guessing else interpretation.unused:
        where = f"{entry.place}: " if entry.place is not None else ""
        warnings.append(f"{where}{entry.pattern.text} is declared and not used; is it spelled as in the paper?")
    return Opened(
        path,
        paper,
        displays,
        known,
        interpretation,
        _across(displays, interpretation, known, stated),
        None,
        guessing,
        tuple(dict.fromkeys(warnings)),
        tuple(problems),
        proposals or {},
    )


def may_be_guessed(outcome: InterpretedStep) -> bool:
    """Whether a step was not read because something in it was not declared that may be anything."""
    refusal = outcome.refusal
    return refusal is not None and refusal.kind in KINDS and not refusal.declared


def _with_guesses(known: Notation, guessed: Notation) -> Notation:
    """Notation with guesses of what it says nothing of."""
    entries = tuple(one for one in guessed.entries if one.name not in known.symbols and not _says(known, one))
    symbols = {**{one.name: one.symbol for one in entries if one.symbol is not None}, **known.symbols}
    definitions = (*known.definitions, *guessed.definitions)
    return replace(known, symbols=symbols, entries=(*known.entries, *entries), definitions=definitions)


def _says(known: Notation, guess: Entry) -> bool:
    """Whether something known stands for the whole of what is guessed."""
    nodes = guess.pattern.nodes
    matches = (entry.pattern.match(nodes, 0) for entry in known.entries)
    return any(one is not None and one.end == len(nodes) and one.power is None and not one.primes for one in matches)


def propose(path: Path) -> str:
    """The text of a notation map for a paper that has none.

    Raises:
        OSError, ReadingError: if the paper cannot be read.
    """
    with _in_time(path):
        return proposal_toml(_guessed(read_paper(path)), path.name)


def _guessed(paper: Manuscript) -> tuple[Proposal, ...]:
    inline = [display for display in paper.displays(lambda block: block.kind != "display") if not display.broken]
    return discover(paper.displays(), inline)


@contextmanager
def _in_time(path: Path) -> Iterator[None]:
    try:
        with guarded(PAPER_SECONDS):
            yield
    except Late as late:
        where = Place(Source(path.name, ""), 0, 0)
        raise TooLarge(where, f"reading the paper took more than {PAPER_SECONDS:g} s") from late


def _documents(paper: Manuscript, beside: Path | None) -> tuple[list[Document], str | None]:
    documents: list[Document] = []
    if beside is not None:
        with beside.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_MAP + 1)
        documents.append(Document(Source(beside.name, text)))
    inside = list(documents_in(paper.map_lines))
    name = beside.name if beside is not None else paper.source.name if inside else None
    return [one.expanded(paper.macros) for one in (*documents, *inside)], name


def _discovered(paper: Manuscript, warnings: list[str]) -> tuple[Proposal, ...]:
    try:
        return _guessed(paper)
    except Exception as error:
        warnings.append(f"no notation could be proposed: {unforeseen(error)}")
        return ()


def _proposed(proposals: Sequence[Proposal], path: Path, warnings: list[str]) -> Notation:
    try:
        guessed = Document(Source("proposed notation", proposal_toml(proposals, path.name))).guessed
        return read_map([] if guessed is None else [guessed])
    except Exception as error:
        why = error if isinstance(error, MapError) else unforeseen(error)
        warnings.append(f"no notation could be proposed: {why}")
        return Notation()


def _selected(block: Block, notation: Notation, inline: bool) -> bool:
    if block.kind == "display":
        return True
    text = block.inner.text
    if inline:
        return any(sign in text for sign in _RELATIONS)
    flat = squashed(text)
    addresses = [entry.address for entry in notation.definitions] + [entry.address for entry in notation.claims]
    return any(squashed(quote) in flat for address in addresses if address.by == "quote" for quote in address.texts)


def _limited(displays: Sequence[Display], problems: list[str]) -> tuple[Display, ...]:
    kept: list[Display] = []
    count = 0
    for display in displays:
        if len(display.steps) > MAX_DISPLAY_STEPS:
            reason = f"more than {MAX_DISPLAY_STEPS} steps in one display; none of them is checked"
            kept.append(replace(display, chains=(), unread=(), broken=TooLarge(display.place, reason)))
            continue
        count += len(display.steps)
        if count > MAX_STEPS:
            problems.append(f"{display.place}: more than {MAX_STEPS} steps; what follows is not checked")
            break
        kept.append(display)
    return tuple(kept)


# Across the gap.


def _across(
    displays: Sequence[Display], read: Interpretation, notation: Notation, stated: Sequence[Stated]
) -> tuple[InterpretedStep, ...]:
    """Compare the sides before and after those that were not understood, which the chain relates as well."""
    refused = {id(one.step): one.refusal.place for one in read.outcomes if one.refusal is not None}
    more: list[Display] = []
    wanted: set[int] = set()
    for display in displays:
        more.append(display)
        for chain in display.chains:
            bridges = tuple(_bridges(chain.steps, refused))
            if bridges:
                gaps = replace(chain, steps=bridges, continues=True)
                more.append(replace(display, chains=(gaps,), unread=(), kind=ACROSS))
                wanted.update(map(id, bridges))
    if not wanted:
        return ()
    again = interpret(more, notation, stated=stated)
    return tuple(one for one in again.outcomes if id(one.step) in wanted and one.read is not None)


def _bridges(steps: Sequence[PrintedStep], refused: dict[int, Place]) -> Iterator[PrintedStep]:
    sides = [steps[0].left, *(step.right for step in steps)]
    places = [refused[id(step)] for step in steps if id(step) in refused]
    bad = [any(_inside(place, side) for place in places) for side in sides]
    start: int | None = None
    for number, unread in enumerate(bad):
        if unread:
            continue
        if start is not None and number > start + 1 and not any(map(_speaks, sides[start + 1 : number])):
            between = steps[start:number]
            symbol = _combined([step.relation.symbol for step in between])
            if symbol is not None:
                yield _bridge(sides[start], symbol, sides[number], between)
        start = number


def _speaks(side: Nodes) -> bool:
    """Whether words stand in a side, which may end one statement and begin another."""
    return any(isinstance(node, Words) or (isinstance(node, Group) and _speaks(node.items)) for node in side)


def _inside(place: Place, side: Nodes) -> bool:
    if not side:
        return False
    whole = place_of(side)
    return place.source is whole.source and whole.start <= place.start < max(whole.end, whole.start + 1)


def _combined(symbols: Sequence[str]) -> str | None:
    kinds = frozenset(symbols)
    return next((result for known, result in _MIXED if kinds <= known), None)


def _bridge(left: Nodes, symbol: str, right: Nodes, between: Sequence[PrintedStep]) -> PrintedStep:
    last = between[-1]
    conditions = tuple(condition for step in between for condition in step.conditions)
    relation = RelationSign(symbol, last.relation.place)
    # From the first side of a chain on, it is like a single equation: perhaps a condition.
    index = between[0].index
    place = place_of(left).to(place_of(right))
    return PrintedStep(left, relation, right, place, index, tuple(dict.fromkeys(conditions)), last.label, last.tag)
