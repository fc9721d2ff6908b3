"""Find what an entry of the map is about: displays by label, tag or quoted LaTeX, sections by quoted text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.notation.map import Address, MapError, Section
from grpo_symbolic.reading.places import Place, Source

_NOISE = re.compile(r"[\s$&]+|\\\\|\\[,;:! ]")


def squashed(text: str) -> str:
    """Text without white space, alignment marks and thin spaces, so that a quote need not copy the layout."""
    return _NOISE.sub("", text)


class Finder:
    """The displays of a paper and the sections of a map, ready to be looked up."""

    def __init__(self, displays: Sequence[Display], sections: Sequence[Section]) -> None:
        self.displays = displays
        self._texts = [
            (display, squashed(display.place.text), [(step, squashed(step.place.text)) for step in display.steps])
            for display in displays
        ]
        self._by_name: dict[tuple[str, str | None], list[PrintedStep]] = {}
        for display in displays:
            for step in display.steps:
                for name in {("label", display.label), ("label", step.label), *_tags(display, step)}:
                    self._by_name.setdefault(name, []).append(step)
        sources = {id(display.place.source): display.place.source for display in displays}
        self._spans = {key: [_span(source, section) for section in sections] for key, source in sources.items()}
        self._sections = sections

    def steps_at(self, address: Address) -> list[PrintedStep]:
        """The steps that an address names.

        Raises:
            MapError: if it names none.
        """
        if address.by == "next":
            return self._chosen(address, "the next display", self._following(address.place))
        found: list[PrintedStep] = []
        for text in address.texts:
            found += self._chosen(address, f"{address.by} {text}", self._named(address.by, text))
        return found

    def _chosen(self, address: Address, shown: str, steps: list[PrintedStep]) -> list[PrintedStep]:
        found = [step for step in steps if address.step in (None, step.index)]
        if not found:
            which = "" if address.step is None else f", step {address.step}"
            raise MapError(address.place, f"the paper has no {shown}{which}", "copy a label, a tag or some LaTeX")
        return found

    def _named(self, by: str, text: str) -> list[PrintedStep]:
        if by == "quote":
            return self._quoted(squashed(text))
        return self._by_name.get((by, text if by == "label" else text.strip("()")), [])

    def sections_at(self, place: Place) -> list[Section]:
        """The sections in which a place lies, in the order of the map: the last one wins."""
        spans = self._spans.get(id(place.source), [])
        inside = zip(self._sections, spans, strict=False)
        return [section for section, span in inside if span is not None and span[0] <= place.start < span[1]]

    def missing(self, section: Section) -> str | None:
        """The text by which a section is found, if no source has it."""
        for text in filter(None, (section.start, section.end)):
            sources = (display.place.source for display in self.displays)
            if all(text_offset(source, text) is None for source in {id(source): source for source in sources}.values()):
                return text
        return None

    def _quoted(self, quote: str) -> list[PrintedStep]:
        found: list[PrintedStep] = []
        for display, text, steps in self._texts:
            same = [step for step, own in steps if own.rstrip(".") == quote.rstrip(".")]
            inside = same or [step for step, own in steps if quote in own]
            if not inside and quote in text:
                inside = list(display.steps)
            found += inside
        return found

    def _following(self, place: Place) -> list[PrintedStep]:
        for display in self.displays:
            if display.place.source is place.source and display.place.start > place.start:
                return list(display.steps)
        return []


def _tags(display: Display, step: PrintedStep) -> Iterator[tuple[str, str | None]]:
    yield from (("tag", _bare(tag)) for tag in (display.tag, step.tag))


def _bare(tag: str | None) -> str | None:
    return None if tag is None else tag.strip("()")


def text_offset(source: Source, text: str, start: int = 0) -> int | None:
    """Where some words stand in a source, however they are broken into lines."""
    pattern = r"\s+".join(re.escape(word) for word in text.split())
    match = re.compile(pattern).search(source.text, start) if pattern else None
    return None if match is None else match.start()


def _span(source: Source, section: Section) -> tuple[int, int] | None:
    start = text_offset(source, section.start)
    if start is None:
        return None
    end = text_offset(source, section.end, start + 1) if section.end else None
    return start, len(source.text) if end is None else end
