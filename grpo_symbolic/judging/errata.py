"""What a refuted quote says about the paper: nothing here makes a verdict."""

from __future__ import annotations

from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import Judged


def is_ambiguous(judged: Judged) -> bool:
    """Whether one reading of what is printed fails and another, which the claim states, is decided."""
    quote = judged.claim.printed
    return _printed_fails(judged) and quote is not None and quote.another_reading and judged.verdict in STANDING


def is_erratum(judged: Judged) -> bool:
    """Whether what is printed fails under every reading that was given."""
    return _printed_fails(judged) and not is_ambiguous(judged)


def _printed_fails(judged: Judged) -> bool:
    return judged.printed is not None and judged.printed.verdict is Verdict.REFUTED
