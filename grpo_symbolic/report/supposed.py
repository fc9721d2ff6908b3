"""The report's list of what equations among hypotheses suppose, in words, with the claims that suppose it."""

from __future__ import annotations

from collections.abc import Iterable

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.hypotheses import Hypotheses, texts_of
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex


def suppositions(library: Library, claims: Iterable[Claim], links: Links) -> tuple[Tex, ...]:
    """Each supposition in its words, in the order of the tables, and the references to the claims that suppose it."""
    found: dict[str, dict[str, None]] = {
        words: {} for table in library.hypotheses.values() for words in table.supposed.values()
    }
    for made in claims:
        table = library.hypotheses.get(made.id.partition(".")[0], Hypotheses())
        for text in texts_of(made):
            words = table.supposed.get(table.entry(made, text) or "")
            if words is not None:
                found[words][made.id] = None
    return tuple(
        Tex(rf"{links.prose(words[0].upper() + words[1:])}: {', '.join(map(links.reference, ids))}.")
        for words, ids in found.items()
        if ids
    )
