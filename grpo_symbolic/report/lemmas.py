"""How a claim that is tied to a numbered place, but does not depend on what that is about, says so."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.coverage.aboutness import Tie


def joined(names: Sequence[str], conjunction: str) -> str:
    """Names in a sentence: ``h``, ``h or the weights``, ``h, the weights or the penalty``."""
    *before, last = names
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def lemma_note(tie: Tie | None) -> str | None:
    """The sentence that stands with an abstract lemma; None for every other claim."""
    if tie is None or not tie.missing:
        return None
    are, their = "is" if len(tie.places) == 1 else "are", "its" if len(tie.missing) == 1 else "their"
    places, about, missing = joined(tie.places, "and"), joined(tie.about, "and"), joined(tie.missing, "or")
    return (
        f"{_KINDS[is_lemma(tie)]}: {places} {are} about {about}, but this does not depend on {missing}, and would hold "
        f"with any other in {their} place."
    )


_KINDS = {True: "A lemma about abstract quantities", False: "Abstract in part"}


def is_lemma(tie: Tie) -> bool:
    """Whether a claim depends on nothing that its places are about, and not only on a part of it."""
    return bool(tie.missing) and not (tie.contains or tie.through)
