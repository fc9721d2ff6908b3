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
    return (
        f"{_KINDS[is_lemma(tie)]}: {_all(tie.places)} {'is' if len(tie.places) == 1 else 'are'} about "
        f"{_all(tie.about)}, but this does not depend on {listed(tie.missing)}, and would hold with any other in "
        f"{'its' if len(tie.missing) == 1 else 'their'} place."
    )


_KINDS = {True: "A lemma about abstract quantities", False: "Abstract in part"}


def is_lemma(tie: Tie) -> bool:
    """Whether a claim depends on nothing that its places are about, and not only on a part of it."""
    return bool(tie.missing) and not (tie.contains or tie.through)


def _all(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
