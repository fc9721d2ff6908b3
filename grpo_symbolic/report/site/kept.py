"""What the site is made of and need not be made again, result by result and page by page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from grpo_symbolic.cache.packed import packed, unpacked
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report.apart import Apart
from grpo_symbolic.report.links import label
from grpo_symbolic.report.sections import ResultView
from grpo_symbolic.report.site.copying import latex_of, python_of
from grpo_symbolic.report.site.marked import Marked
from grpo_symbolic.report.site.places import page_of
from grpo_symbolic.report.view import ReportView

#: The pages that every site has, apart from those on papers and results.
PAGES = ("index.html", "results.html", "errata.html", "beyond.html", "graph.html", "about.html")


class SiteKept:
    """Formulas, what claims say in plain text, what readers copy, and pages that came out as they did last time."""

    def __init__(self, view: ReportView, claims: Mapping[str, Claim], fragments: Fragments) -> None:
        labelled = {label(id): made for id, made in claims.items()}
        own = {result.label: tuple(labelled[claim.label] for claim in result.claims) for result in _results(view)}
        names = [*PAGES, *(lines_page(state.id) for state in view.states), *map(page_of, _results(view))]
        self.marked = Marked(fragments)
        #: What the formulas of a result say, by its label.
        self.said = Apart("said", {result.label: (result, own[result.label]) for result in _results(view)}, fragments)
        self._copies = Apart("copies", {name: (made,) for name, made in own.items()}, fragments)
        # By name, with what the page was made of: of each there is only the last.
        self._pages = Apart("light", {name: (name,) for name in names}, fragments)

    def copies(self, result: ResultView, claims: Sequence[Claim]) -> list[tuple[str, str | None]]:
        """The claims of a result as LaTeX and in Python."""
        match self._copies.get(result.label):
            case list() as pairs if len(pairs) == len(claims):
                return [(latex, python) for latex, python in cast("list[tuple[str, str | None]]", pairs)]
        made = [(latex_of(one), python_of(one)) for one in claims]
        self._copies.add(result.label, [[*pair] for pair in made])
        return made

    def page(self, name: str, text: str, finish: Callable[[str], str]) -> str:
        """A page that is finished, unless the same text was finished last time."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        match self._pages.get(name):
            case [str() as known, str() as page] if known == digest:
                return unpacked(page)
        page = finish(text)
        self._pages.add(name, [digest, packed(page)])
        return page

    def leave(self, path: Path) -> None:
        """Write what was added to files whose names begin with that of ``path``, for whoever has the store."""
        for ending, part in self._parts():
            part.leave(path.with_suffix(ending))

    def take(self, path: Path) -> None:
        """Keep what was left in files."""
        for ending, part in self._parts():
            part.take(path.with_suffix(ending))

    def _parts(self) -> Iterator[tuple[str, Apart | Marked]]:
        yield from ((".marked", self.marked), (".said", self.said), (".copies", self._copies), (".pages", self._pages))


def lines_page(paper: str) -> str:
    """The name of the page with the lines of a paper."""
    return f"lines.{paper}.html"


def _results(view: ReportView) -> Iterator[ResultView]:
    return (result for chapter in view.chapters for result in chapter.results)
