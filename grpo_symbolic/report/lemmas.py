"""How a claim that is tied to a numbered place, but does not depend on what that is about, says so."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.coverage.aboutness import Tie


def listed(names: Sequence[str]) -> str:
    """Names of which none applies: ``h``, ``h or the weights``, ``h, the weights or the penalty``."""
    *before, last = names
    return f"{', '.join(before)} or {last}" if before else last


def lemma_note(tie: Tie | None) -> str | None:
    """The sentence that stands with an abstract lemma; None for every other claim."""
    if tie is None or not tie.missing:
        return None
    places = " and ".join(tie.places)
    return (
        f"A lemma about abstract quantities: {places} {'is' if len(tie.places) == 1 else 'are'} about "
        f"{_all(tie.about)}, but this does not depend on {listed(tie.missing)}, and would hold with any other in "
        f"{'its' if len(tie.missing) == 1 else 'their'} place."
    )


def _all(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
