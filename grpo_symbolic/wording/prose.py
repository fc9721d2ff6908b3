"""The sentences of a result: its introduction, and the titles, notes and captions of its claims and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.result import Result

_END = re.compile(r"(?<=[.!?])\s+")
_NAMED = re.compile(r"`([^`]*)`")
#: With its number, since "the theorem of Brouwer gives" is said by ourselves.
_NUMBERED = r"(?:sections?|theorems?|lemmas?|propositions?|remarks?|appendix|figures?)\s+(?-i:[A-Z]\b|[A-Z]?\.?\d)"
_PLACE = rf"(?:the paper|captions?|introduction|abstract|{_NUMBERED})"
_SAYS = r"(?:says?|calls?|assumes?|asks?|gives?|defines?|states?|prints?|hints?|claims?|adds?|speaks?)"
#: Numbers of sections have dots in them.
_INSIDE = r"(?:[^.]|(?<=\d)\.(?=\d))"
_REPORTED = re.compile(rf"\b{_PLACE}\b{_INSIDE}{{0,60}}\b{_SAYS}\b|\bas {_PLACE}\b{_INSIDE}*\b{_SAYS}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    """A text of a result and where it stands; a caption with its figure.

    ``answering`` are the claims that it speaks of, whether it names them or not: a note speaks of its own claim, and
    the title of a result of all that are in it.
    """

    where: str
    text: str
    answering: tuple[Claim, ...] = ()
    figure: Figure | None = None


def sentences_of(result: Result) -> Iterator[Sentence]:
    """All texts of a result, in reading order."""
    yield Sentence(f"title of {result.slug}", result.title, result.claims)
    yield Sentence(f"introduction of {result.slug}", result.introduction)
    for made in result.claims:
        yield Sentence(f"title of {made.id}", made.title, (made,))
        for place, text in (("beyond", made.beyond), ("refuted", made.refuted)):
            if text is not None:
                yield Sentence(f"{place} of {made.id}", text, (made,))
        if made.printed is not None and made.printed.instead is not None:
            yield Sentence(f"correction in {made.id}", made.printed.instead, (made,))
    for figure in () if result.figures is None else result.figures():
        yield Sentence(f"caption of {figure.id}", figure.caption, figure=figure)


def parts(text: str) -> Iterator[str]:
    """The sentences of a text, each on one line."""
    yield from (" ".join(part.split()) for part in _END.split(text) if part.strip())


def asserted(text: str) -> Iterator[str]:
    """The sentences of a text, but not those that tell what the paper says."""
    yield from (part for part in parts(text) if not _REPORTED.search(part))


def named_in(text: str) -> frozenset[str]:
    """What a text names between backticks, such as claims."""
    return frozenset(_NAMED.findall(text))
