"""Gaps in the proofs of a paper, listed in front like its errata, with the claims that fill them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.report.verification import badge

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged


@dataclass(frozen=True)
class GapView:
    """A step that is missing: where, what, and by which claims it is filled, with their verdicts."""

    where: Tex
    missing: Tex
    filled: Tex


def gaps_of(claims: Sequence[Claim], judged: Mapping[str, Judged], links: Links) -> tuple[GapView, ...]:
    """The gaps that some claims about one paper fill, in reading order; one that several fill stands once."""
    found: dict[tuple[str, str], list[Claim]] = {}
    for made in claims:
        for gap in made.fills:
            found.setdefault((gap.where, gap.missing), []).append(made)
    return tuple(
        GapView(
            escape(where),
            links.prose(f"{missing}."),
            Tex(", ".join(f"{links.reference(made.id)} ({badge(judged[made.id].verdict)})" for made in filling)),
        )
        for (where, missing), filling in found.items()
    )
