"""The sentences of a result: its introduction, and the titles, notes and captions of its claims and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.result import Result


@dataclass(frozen=True)
class Sentence:
    """A text of a result and where it stands, with the claim or the figure that it belongs to, if to one."""

    where: str
    text: str
    about: Claim | Figure | None = None


def sentences_of(result: Result, claims: Sequence[Claim]) -> Iterator[Sentence]:
    """All texts of a result, in reading order."""
    yield Sentence(f"title of {result.slug}", result.title)
    yield Sentence(f"introduction of {result.slug}", result.introduction)
    for made in claims:
        yield Sentence(f"title of {made.id}", made.title, made)
        for place, text in (("beyond", made.beyond), ("refuted", made.refuted)):
            if text is not None:
                yield Sentence(f"{place} of {made.id}", text, made)
        if made.printed is not None and made.printed.instead is not None:
            yield Sentence(f"correction in {made.id}", made.printed.instead, made)
    for figure in () if result.figures is None else result.figures():
        yield Sentence(f"caption of {figure.id}", figure.caption, figure)
