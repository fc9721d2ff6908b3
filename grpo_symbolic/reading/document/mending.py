"""Read a formula as if the mistakes in it were not there: to find its rows and steps, not to judge them."""

from __future__ import annotations

from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.places import BrokenLatex, TooLarge
from grpo_symbolic.reading.tex.build import parse_rows
from grpo_symbolic.reading.tex.tokens import Token
from grpo_symbolic.reading.tex.tree import Row

#: Most mistakes of one formula that are passed over.
MAX_MISTAKES = 20


def mended_rows(block: Block) -> tuple[Row, ...]:
    """Read the rows of a block without what stands where its mistakes are, such as a bracket too many.

    Raises:
        BrokenLatex: the block as a whole is broken, or has more than ``MAX_MISTAKES``.
    """
    tokens = block.tokens()
    for _ in range(MAX_MISTAKES):
        try:
            return parse_rows(tokens, start=block.inner)
        except TooLarge:
            raise
        except BrokenLatex as broken:
            tokens = _without(tokens, broken)
    return parse_rows(tokens, start=block.inner)


def _without(tokens: list[Token], broken: BrokenLatex) -> list[Token]:
    """Leave out the tokens of a mistake."""
    source, start, end = broken.place
    kept = [token for token in tokens if not (token.place.source is source and start <= token.place.start < end)]
    if len(kept) == len(tokens):
        raise broken
    return kept
