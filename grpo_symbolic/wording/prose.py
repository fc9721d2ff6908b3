"""The sentences of a result: its introduction, and the titles, notes and captions of its claims and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.result import Result


@dataclass(frozen=True)
class Sentence:
    """A text of a result and where it stands; a caption with its figure."""

    where: str
    text: str
    figure: Figure | None = None


def sentences_of(result: Result) -> Iterator[Sentence]:
    """All texts of a result, in reading order."""
    yield Sentence(f"title of {result.slug}", result.title)
    yield Sentence(f"introduction of {result.slug}", result.introduction)
    for made in result.claims:
        yield Sentence(f"title of {made.id}", made.title)
        for place, text in (("beyond", made.beyond), ("refuted", made.refuted)):
            if text is not None:
                yield Sentence(f"{place} of {made.id}", text)
        if made.printed is not None and made.printed.instead is not None:
            yield Sentence(f"correction in {made.id}", made.printed.instead)
    for figure in () if result.figures is None else result.figures():
        yield Sentence(f"caption of {figure.id}", figure.caption, figure)
