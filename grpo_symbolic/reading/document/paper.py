"""A paper as the reader sees it: its formulas, the lines of the notation map in it, and what could not be followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grpo_symbolic.reading.clock import FILES_SECONDS, FORMULA_SECONDS, Late, guarded
from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.chains import ChainBuilder, Found
from grpo_symbolic.reading.document.displays import Display, PrintedChain, Unread
from grpo_symbolic.reading.document.files import Files, read_source
from grpo_symbolic.reading.document.leftover import Told, leftover
from grpo_symbolic.reading.document.lines import Line, lines_of
from grpo_symbolic.reading.document.notebooks import NOTEBOOK, cells
from grpo_symbolic.reading.document.scan import MapLine, Scanner
from grpo_symbolic.reading.places import BrokenLatex, NotRead, Place, ReadingError, Source, TooLarge, unforeseen
from grpo_symbolic.reading.tex.build import parse_rows
from grpo_symbolic.reading.tex.macros import Macro
from grpo_symbolic.reading.tex.tree import Row

#: The endings of files that are LaTeX and no scan, Markdown or plain text.
LATEX = (".tex", ".ltx")


@dataclass(frozen=True)
class Manuscript:
    """The formulas of a paper in reading order, and everything else that matters for reading them.

    ``sources`` are all texts that were read, the paper itself first.
    """

    source: Source = field(repr=False)
    blocks: tuple[Block, ...]
    map_lines: tuple[MapLine, ...] = ()
    macros: Mapping[str, Macro] = field(default_factory=dict, repr=False)
    problems: tuple[ReadingError, ...] = ()
    sources: tuple[Source, ...] = field(default=(), repr=False)

    def displays(
        self, selected: Callable[[Block], bool] = lambda block: block.kind == "display"
    ) -> tuple[Display, ...]:
        """Read the blocks that ``selected`` accepts: by default the displayed ones, without inline formulas."""
        return read_displays([block for block in self.blocks if selected(block)])


def read_paper(path: Path, folder: Path | None = None, texts: Mapping[str, str] | None = None) -> Manuscript:
    """Find the formulas of a file: LaTeX if it ends in ``.tex`` or ``.ltx``, otherwise Markdown or plain text; of a
    notebook, which ends in ``.ipynb``, those of its Markdown cells.

    ``texts`` are read in the place of files, or cells, of these names.

    Raises:
        OSError: the file cannot be read.
        InputRefused: it is too large, or no notebook.
    """
    known = texts or {}
    source = Source(path.name, known[path.name]) if path.name in known else read_source(path)
    files = Files(folder or path.parent, known)
    if path.suffix == NOTEBOOK:
        return _read_notebook(
            source, [Source(cell.name, known.get(cell.name, cell.text)) for cell in cells(source)], files
        )
    return read_text(source, tex=path.suffix in LATEX, files=files)


def _read_notebook(source: Source, texts: Sequence[Source], files: Files) -> Manuscript:
    """Find the formulas of a notebook in the texts of its cells, one after the other."""
    read = _scanned(source, texts, Scanner(files, tex=False))
    if any(block.kind == "display" for block in read.blocks):
        return read
    reason = rf"none of {len(texts)} Markdown cells displays a formula, between $$ or \[ and \] or as an environment"
    return replace(read, problems=(*read.problems, NotRead(Place(source, 0, 0), reason)))


def read_text(source: Source | str, *, tex: bool = True, files: Files | None = None) -> Manuscript:
    """Find the formulas of a text; nothing is raised, the ``problems`` of the result say what went wrong."""
    source = Source("paper.tex" if tex else "paper.md", source) if isinstance(source, str) else source
    return _scanned(source, (source,), Scanner(files or Files(), tex=tex))


def _scanned(source: Source, texts: Sequence[Source], scanner: Scanner) -> Manuscript:
    """What a scanner finds in the texts of one paper."""
    try:
        with guarded(FILES_SECONDS):
            for text in texts:
                scanner.scan(text, (text.name,))
    except TooLarge as error:
        scanner.problems.append(error)
    except Late:
        place = scanner.blocks[-1].place if scanner.blocks else Place(source, 0, 0)
        reason = f"finding the formulas took more than {FILES_SECONDS:g} s; what follows is not checked"
        scanner.problems.append(TooLarge(place, reason))
    except Exception as error:
        place = scanner.blocks[-1].place if scanner.blocks else Place(source, 0, 0)
        scanner.problems.append(NotRead(place, f"{unforeseen(error)}; what follows is not checked", "internal"))
    return Manuscript(
        source,
        tuple(scanner.blocks),
        tuple(scanner.map_lines),
        scanner.macros,
        tuple(scanner.problems),
        tuple(scanner.sources),
    )


def rows_of(block: Block) -> tuple[Row, ...]:
    """Read the rows of a block.

    Raises:
        BrokenLatex: there is a mistake in it.
    """
    tex = block.place.source.name.endswith(LATEX)
    return parse_rows(block.tokens(), start=block.inner, paired=tex)


def read_displays(blocks: Sequence[Block], rows: Callable[[Block], tuple[Row, ...]] = rows_of) -> tuple[Display, ...]:
    """Read blocks to chains of steps; a broken block is one display with ``broken`` set, the rest is read on.

    ``rows`` reads one block; ``mended_rows`` passes over mistakes.
    """
    builder = ChainBuilder()
    errors: dict[int, BrokenLatex] = {}
    lines: dict[int, list[Line]] = {}
    printed: dict[int, tuple[Row, ...]] = {}
    for number, block in enumerate(blocks):
        if not block.joined:
            builder.interrupt()
        try:
            with guarded(FORMULA_SECONDS):
                printed[number] = rows(block)
                lines[number] = list(lines_of(printed[number]))
        except (Exception, Late) as error:  # one display never costs the paper its result
            errors[number] = _unread(block, error)
            builder.interrupt()
            continue
        for line in lines[number]:
            builder.add(line, number)
        if any(line.column for line in lines[number]):
            builder.interrupt()  # which of the columns would go on?
    builder.finish()
    told = Told(set(builder.repeated))
    for one in builder.found.values():
        told.add(one.chains, one.unread)
    displays: list[Display] = []
    for number, block in enumerate(blocks):
        found = builder.found.get(number, Found())
        if number not in errors:
            found.unread.extend(leftover(printed.get(number, ()), told, tuple(found.unread)))
        display = _display(block, lines.get(number, []), found, errors.get(number))
        only_number = [one.code for one in display.unread] == ["number-only"]
        if only_number and block.joined and displays and displays[-1].tag is None:
            displays[-1] = _numbered(replace(displays[-1], tag=display.tag))
        displays.append(display)
    return tuple(displays)


def _unread(block: Block, error: Exception | Late) -> BrokenLatex:
    """Why a block was not read, from what was raised on the way."""
    if isinstance(error, BrokenLatex):
        return error
    if isinstance(error, Late):
        return TooLarge(block.place, f"reading it took more than {FORMULA_SECONDS:g} s")
    return NotRead(block.place, unforeseen(error), "internal")


def _display(block: Block, lines: list[Line], found: Found, error: BrokenLatex | None) -> Display:
    numbers = list(dict.fromkeys((line.label, line.tag or block.tag) for line in lines if line.label or line.tag))
    several = len(numbers) > 1 or len({line.row for line in lines if line.numbered}) > 1
    label, tag = numbers[0] if numbers and not several else (None, block.tag)
    broken = error or found.broken
    chains: tuple[PrintedChain, ...] = ()
    unread: tuple[Unread, ...] = ()
    if broken is None:
        chains, unread = tuple(found.chains), tuple(found.unread)
        if not chains and not unread and any(line.items for line in lines):
            unread = (Unread("joined", "goes on from the display before, and is read with it", block.place),)
        elif not chains and not unread:
            unread = (Unread("number-only", "no formula, only a number or nothing", block.place),)
    display = Display(
        kind=block.kind,
        place=block.place,
        chains=chains,
        unread=unread,
        broken=broken,
        label=label,
        tag=tag,
        section=block.section,
        notes=tuple(found.notes),
        rows=tuple(line.row for line in lines if line.own),
    )
    return display if several else _numbered(display)


def _numbered(display: Display) -> Display:
    """Give all steps the one number of the display."""
    if display.label is None and display.tag is None:
        return display
    chains = tuple(
        replace(
            chain,
            steps=tuple(
                replace(step, label=step.label or display.label, tag=step.tag or display.tag) for step in chain.steps
            ),
        )
        for chain in display.chains
    )
    return replace(display, chains=chains)
