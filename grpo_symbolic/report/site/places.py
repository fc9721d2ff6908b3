"""Where things stand on the site: a page for each result, an anchor for each claim, numbers as in the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.report.sections import ChapterView, ResultView
from grpo_symbolic.report.view import ReportView

#: What all labels of the report begin with.
PREFIX = "grpo:"


@dataclass(frozen=True)
class Place:
    """An address relative to the folder of the site, the number in the report, and what stands there as LaTeX."""

    address: str
    number: str
    title: str


@dataclass(frozen=True)
class Numbered:
    """A result with its chapter and its number, of which that of its claims is a continuation."""

    chapter: ChapterView
    result: ResultView
    number: str

    @property
    def file(self) -> str:
        """The name of its page."""
        return page_of(self.result)


def page_of(result: ResultView) -> str:
    """The name of the page of a result, such as ``paper.result.html``."""
    return f"{result.label.removeprefix(PREFIX).removesuffix('.section')}.html"


def anchor_of(label: str) -> str:
    """The anchor of a claim on its page: its label without the paper."""
    return label.removeprefix(PREFIX).partition(".")[2]


def numbered(view: ReportView) -> Iterator[Numbered]:
    """All results with their numbers, as TeX counts them."""
    for number, chapter in enumerate(view.chapters, start=1):
        for position, result in enumerate(chapter.results, start=1):
            yield Numbered(chapter, result, f"{number}.{position}" if result.headed else str(number))


def places(view: ReportView) -> dict[str, Place]:
    """Where every label of the report leads to."""
    found: dict[str, Place] = {}
    for item in numbered(view):
        page = Place(item.file, item.number, item.result.title)
        found.setdefault(item.chapter.label, Place(item.file, item.number.partition(".")[0], item.chapter.title))
        found[item.result.label] = page
        for figure in item.result.figures:
            found[figure.label] = Place(f"{item.file}#{figure.file}", "figure", item.result.title)
        for position, claim in enumerate(item.result.claims, start=1):
            address = f"{item.file}#{anchor_of(claim.label)}"
            found[claim.label] = Place(address, f"{item.number}.{position}", claim.title)
    return found
