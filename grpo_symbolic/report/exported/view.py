"""What is exported: the report's views of some claims, with the numbers that they have in the appendix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.lookup import Named, numbers
from grpo_symbolic.report.sections import ChapterView, ResultView, chapter_view
from grpo_symbolic.report.shorthand import as_shown
from grpo_symbolic.report.sources import sources
from grpo_symbolic.report.view import Assessed


@dataclass(frozen=True)
class ExportedPart:
    """A result, all of it or only some of its claims: then without what opens it.

    ``claims`` are those of the ``view`` by id, in its order.
    """

    result: Result
    chapter: ChapterView
    view: ResultView
    whole: bool
    number: str
    claims: Mapping[str, Claim]


@dataclass(frozen=True)
class ExportedView:
    """The parts in reading order; ``numbers`` are those of all claims in the appendix on the whole library."""

    parts: tuple[ExportedPart, ...]
    numbers: Mapping[str, str]

    @property
    def chapters(self) -> tuple[ChapterView, ...]:
        """The parts as chapters of one result each, to be read back."""
        return tuple(replace(part.chapter, results=(part.view,)) for part in self.parts)


def exported_view(assessment: Assessed, named: Named, source_url: str | None = None) -> ExportedView:
    """Build the view of what is named, all of which has to be judged.

    ``source_url`` makes addresses of the lines at which claims are stated.

    Raises:
        DeclarationError: if two different symbols of a result share a name.
    """
    library, judged = assessment.library, assessment.judged
    numbered, ties = numbers(library), Aboutness(library).ties
    known = [made.id for result in library.results for made in result.claims if made.id in judged]
    links = Links(frozenset(known), sources(library, source_url))
    wanted = frozenset(named.all_claims(library))
    parts = []
    for chapter in library.chapters:
        for result in chapter.results:
            claims = as_shown(result, [made for made in result.claims if made.id in wanted])
            if not claims:
                continue
            view = chapter_view(chapter, [(result, claims)], judged, links, assessment.quotes, ties, assessment.whys)
            whole = result.module in named.results
            (shown,) = view.results
            if not whole:
                shown = replace(shown, introduction=(), figures=())
            place = numbered[claims[0].id].rpartition(".")[0]
            parts.append(ExportedPart(result, view, shown, whole, place, {made.id: made for made in claims}))
    return ExportedView(tuple(parts), numbered)
