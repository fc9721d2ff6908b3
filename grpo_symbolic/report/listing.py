"""The list of claims with what the ledgers say of them: some of them, and no more than fits a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console

from grpo_symbolic.coverage.aboutness import Tie
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.naming import meant
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import Record
from grpo_symbolic.judging.quotes import Standing, counts_in_words, standing
from grpo_symbolic.report.display import VERDICTS, quote_words
from grpo_symbolic.report.lemmas import is_lemma
from grpo_symbolic.translate.text import statement_text

#: Lines of a screen that are no rows: the prompt, heads and what stands below the table.
_AROUND = 6
_UNKNOWN = "not in the ledger"


@dataclass(frozen=True)
class Filter:
    """Which claims are wanted: those of all the kinds of names that are given, and of one name of each kind.

    A ``verdict`` may be any words that the list shows in its last column. All of the ``texts`` have to be found.
    """

    only: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def __str__(self) -> str:
        kinds = {"--only": self.only, "--verdict": self.verdicts, "--paper": self.papers, "--text": self.texts}
        return " ".join(f"{kind} {name!r}" for kind, names in kinds.items() for name in names)


@dataclass(frozen=True)
class Listing:
    """The claims of a library that are wanted, with what its ledgers know of them.

    Raises:
        LibraryError: if a name matches nothing.
    """

    library: Library
    known: Mapping[str, Record]
    ties: Mapping[str, Tie]
    wanted: Filter = Filter()

    def __post_init__(self) -> None:
        self.claims  # noqa: B018 - refuses names that match nothing

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What is wanted, in reading order."""
        papers = list(dict.fromkeys(result.paper.id for result in self.library.results))
        for name in self.wanted.papers:
            if name not in papers:
                raise LibraryError(f"no paper is called {name!r}{meant(name, papers)}; there are {', '.join(papers)}")
        stated = [made for result in self.library.results for made in result.claims]
        self._require_verdicts(stated)
        chosen = self.library.select(self.wanted.only) if self.wanted.only else frozenset(self.library.claims)
        return tuple(made for made in stated if made.id in chosen and self._fits(made))

    def _require_verdicts(self, stated: Sequence[Claim]) -> None:
        said = {word for made in stated for word in self._words(made)} | {verdict.value for verdict in Verdict}
        for name in self.wanted.verdicts:
            if not any(_in(name, words) for words in said):
                raise LibraryError(f"the ledgers say {name!r} of no claim; what they say: {', '.join(sorted(said))}")

    def _fits(self, made: Claim) -> bool:
        wanted = self.wanted
        if wanted.papers and made.id.partition(".")[0] not in wanted.papers:
            return False
        if wanted.verdicts and not any(_in(name, word) for name in wanted.verdicts for word in self._words(made)):
            return False
        if not wanted.texts:
            return True
        quoted = "" if made.printed is None else made.printed.where
        told = "\n".join((made.id, made.title, made.equation or "", quoted, statement_text(made.statement)))
        return all(text.casefold() in told.casefold() for text in wanted.texts)

    def rows(self) -> list[dict[str, object]]:
        """What the list says, as data; ``ledger`` are its words."""
        return [
            {
                "id": made.id,
                "result": self._result[made.id],
                "title": made.title,
                "equation": made.equation,
                "steps": len(made.steps),
                "verdict": None if (entry := self.known.get(made.id)) is None else entry.verdict.value,
                "printed": None if entry is None or entry.printed is None else entry.printed.value,
                "ledger": ", ".join(self._words(made)),
            }
            for made in self.claims
        ]

    @cached_property
    def _result(self) -> dict[str, str]:
        return {made.id: result.slug for result in self.library.results for made in result.claims}

    def show(self, screen: Console, *, every: bool = False) -> None:
        """Print the claims, a line for each; on a terminal that is too small, counts of what holds many of them."""
        if not self.claims:
            screen.print(f"no claim fits {self.wanted}" if str(self.wanted) else "there are no claims", soft_wrap=True)
            return
        room = screen.height - _AROUND if screen.is_terminal and not every else None
        results = {self._result[made.id] for made in self.claims}
        if room is None or len(self.claims) + len(results) <= room:
            grouped, rows = False, list(self._table_of_claims())
        else:
            groupings = [list(self._groups(level)) for level in range(3)]
            fitting = next((groups for groups in groupings if len(groups) <= room), groupings[-1])
            grouped, rows = True, list(_table_of_groups(fitting))
        # Cut off at the edge of a screen, but whole in a file, where somebody may look for a word.
        for line in columns(rows, screen.width if screen.is_terminal else None):
            screen.print(line, soft_wrap=True)
        screen.print(self._quotes(), soft_wrap=True)
        if grouped:
            said = f"{len(self.claims)} claims; some by --verdict, --paper, --text or --only, all by --all"
            screen.print(said, soft_wrap=True)

    def _table_of_claims(self) -> Iterator[tuple[str, ...]]:
        """A row for each claim below one for its result."""
        yield "id", "steps", "ledger", "equation", "title"
        wanted = {made.id for made in self.claims}
        for result in self.library.results:
            claims = [made for made in result.claims if made.id in wanted]
            if claims:
                yield f"{result.paper.id}.{result.slug}", "", "", "", result.title
            for made in claims:
                steps, words = len(made.steps), ", ".join(self._words(made))
                yield f"  {made.id}", str(steps or ""), words, made.equation or "", made.title

    def _groups(self, level: int) -> Iterator[tuple[str, str, Counter[str]]]:
        """Name, title and counts of verdicts: of results, of chapters or of papers."""
        wanted = {made.id for made in self.claims}
        found: dict[tuple[str, str], Counter[str]] = {}
        for chapter in self.library.chapters:
            for result in chapter.results:
                paper = result.paper
                names = (
                    (f"{paper.id}.{result.slug}", result.title),
                    (chapter.slug, chapter.title),
                    (paper.id, paper.title),
                )
                counts = Counter(self._verdict(made) for made in result.claims if made.id in wanted)
                if counts:
                    found[names[level]] = found.get(names[level], Counter()) + counts
        return ((name, title, counts) for (name, title), counts in found.items())

    def _verdict(self, made: Claim) -> str:
        entry = self.known.get(made.id)
        return _UNKNOWN if entry is None else entry.verdict.value

    def _words(self, made: Claim) -> Iterator[str]:
        """What the ledgers say of a claim, its verdict first."""
        entry, tie = self.known.get(made.id), self.ties.get(made.id)
        yield self._verdict(made)
        if made.assumed:
            yield "assumed"
        if made.refuted is not None:
            yield "stated as a falsehood"
        found = _recorded(made, entry)
        if entry is not None and found is not None:
            yield quote_words(found, entry.reading)
        if tie is not None and tie.missing:
            yield "abstract lemma" if is_lemma(tie) else "abstract in part"
        if made.assumes:
            yield "under an assumption" if len(made.assumes) == 1 else f"under {len(made.assumes)} assumptions"

    def _quotes(self) -> str:
        """What became of all that the claims quote, by the ledgers."""
        found = [_recorded(made, self.known.get(made.id)) for made in self.claims]
        counted = Counter(item for item in found if item is not None)
        if counted:
            return f"of {counted.total()} quotes, {', '.join(counts_in_words(counted))}"
        if any(made.printed is not None for made in self.claims):
            return "the ledgers know nothing of what is quoted; `grpo-symbolic report --accept` judges it"
        return "nothing that the papers print is quoted; claim(..., printed=paper.quote(...)) has it judged as well"


def _in(wanted: str, words: str) -> bool:
    """Whether words are meant: a verdict is, as a whole, and others by any part."""
    if wanted.upper() in (verdict.value for verdict in Verdict):
        return words == wanted.upper()
    return wanted.casefold() in words.casefold()


def _table_of_groups(groups: Sequence[tuple[str, str, Counter[str]]]) -> Iterator[tuple[str, ...]]:
    verdicts = (*(one.value for one in VERDICTS), _UNKNOWN)
    shown = [name for name in verdicts if any(counts[name] for *_, counts in groups)]
    yield "name", "claims", *shown, "title"
    for name, title, counts in groups:
        yield name, str(counts.total()), *(str(counts[verdict] or "·") for verdict in shown), title


def columns(rows: Sequence[Sequence[str]], width: int | None) -> Iterator[str]:
    """The rows with their cells below each other; with a width, each in one line of it.

    The last cell is what may be cut off; the first is cut only where it would take more than half of the line, and
    those between them, apart from the second to last, never.
    """
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    if width is not None:
        widths[0] = min(widths[0], width // 2)
        widths[-2] = min(widths[-2], max(len(rows[0][-2]), width // 5))
        widths[-1] = max(width - sum(widths[:-1]) - 2 * len(widths) + 2, 0)
    for row in rows:
        cells = (_cut(cell, most).ljust(most) for cell, most in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()[:width]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 1, 0)]}…"[:most]


def _recorded(made: Claim, entry: Record | None) -> Standing | None:
    """What became of the quote of a claim, by its ledger."""
    if entry is None or entry.printed is None or made.printed is None:
        return None
    return standing(made, entry.verdict, entry.printed, entry.reading)
