"""How much an error matters, by rule.

Nothing here is chosen. What decides is where the wrong formula stands, whether a conclusion falls with it, and the
facts that a quote tells (see ``Quote``). The first of these that is true of an erratum gives its severity:

* a few glyphs that the copy may have lost would explain it: a slip in an intermediate line, or if it means nothing as
  printed, notation;
* it stands in an abstract or a caption: it changes a conclusion;
* it means nothing as printed: notation;
* it holds under a hypothesis that the paper does not state: a missing hypothesis;
* it is a numbered equation of the main text or a numbered theorem: it changes a conclusion;
* such a statement, an abstract or a caption that rests on it falls: it changes a conclusion;
* else: a slip in an intermediate line.

A sentence of which another reading is decided is ambiguous, wherever it stands, and no erratum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from grpo_symbolic.checks.recheck import refutation
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.evidence import Witness
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.counterexamples import refuting
from grpo_symbolic.judging.dependants import Dependant, Fate, blast_radius
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.translate.text import statement_text


class Severity(Enum):
    """How much an error matters, the gravest first; the words are printed."""

    CONCLUSION = "changes a conclusion"
    HYPOTHESIS = "missing hypothesis"
    SLIP = "slip in an intermediate line"
    NOTATION = "notation"

    @property
    def rank(self) -> int:
        """The place in the order by which errata are listed."""
        return list(Severity).index(self)


class Role(Enum):
    """What a statement is to a paper, by its place."""

    MESSAGE = "an abstract or a caption, from which readers take the message"
    RESULT = "a numbered equation of the main text, or a numbered theorem"
    LINE = "a line or a sentence on the way"


_MESSAGE = re.compile(r"\bAbstract\b|\bcaption\b", re.IGNORECASE)
_ON_THE_WAY = re.compile(r"\bAppendix\b|\bproof\b", re.IGNORECASE)
#: What is named itself: "after Eq. (1)" and "on Theorem 3" are places beside it.
_RESULT = re.compile(r"(?:^|, |\bwith )(?:Eqs?\. \(|(?:Theorem|Proposition|Lemma|Corollary) \d)")


def role_of(place: str) -> Role:
    """What a statement at a place such as ``"Eq. (14)"`` is to its paper."""
    if _MESSAGE.search(place):
        return Role.MESSAGE
    return Role.RESULT if _RESULT.search(place) and not _ON_THE_WAY.search(place) else Role.LINE


@dataclass(frozen=True)
class Assessed:
    """A severity, and why: words without a full stop, which end before the ``conditions`` if there are any."""

    severity: Severity
    because: str
    conditions: tuple[Statement, ...] = ()

    @property
    def in_words(self) -> str:
        """Why, with the conditions, as plain text without a full stop."""
        return f"{self.because} {', '.join(map(statement_text, self.conditions))}".rstrip()


def severity_of(id: str, judged: Mapping[str, Judged]) -> Assessed | None:
    """The severity of the erratum of a claim; none if it has no erratum, or one that nobody has looked at yet."""
    quote = judged[id].claim.printed
    if quote is None or not quote.expected_to_fail or not is_erratum(judged[id]):
        return None
    fallen = [item.place for item in blast_radius(id, judged) if _conclusion_falls(item, judged)]
    return severity(quote, fallen)


def severity(quote: Quote, fallen: Sequence[str]) -> Assessed:
    """The severity of what is printed at a place, with which conclusions at other places fall."""
    role = role_of(quote.where)
    if quote.compare_with_pdf:
        glyphs = "a few glyphs that the copy may have lost would explain it"
        if quote.notation is not None:
            return Assessed(Severity.NOTATION, f"{glyphs}, and as printed it means nothing: {quote.notation}")
        return Assessed(Severity.SLIP, glyphs)
    if role is Role.MESSAGE:
        return Assessed(Severity.CONCLUSION, f"it stands in {role.value}")
    if quote.notation is not None:
        return Assessed(Severity.NOTATION, f"as printed it means nothing: {quote.notation}")
    if quote.missing:
        return Assessed(Severity.HYPOTHESIS, "it holds under what the paper does not state:", quote.missing)
    if role is Role.RESULT:
        return Assessed(Severity.CONCLUSION, f"it is about {role.value}")
    if fallen:
        return Assessed(Severity.CONCLUSION, f"with it falls what is said at {', '.join(dict.fromkeys(fallen))}")
    return Assessed(Severity.SLIP, "no conclusion that is known to rest on it falls")


def fails_under_missing(judged: Judged) -> Witness | None:
    """A counterexample to a quote at which the hypothesis holds that the paper is said to have left out."""
    quote, found = judged.claim.printed, None if judged.printed is None else refuting(judged.printed)
    if quote is None or not quote.missing or found is None or found.witness is None:
        return None
    return refutation((*quote.given, *quote.missing), quote.statement, found.witness.at)


def _conclusion_falls(item: Dependant, judged: Mapping[str, Judged]) -> bool:
    """Whether a statement that falls is a conclusion, and is not only misprinted itself."""
    quote = judged[item.id].claim.printed
    misprinted = quote is not None and (quote.compare_with_pdf or quote.notation is not None)
    return item.outcome is Fate.FALLS and role_of(item.place) is not Role.LINE and not misprinted
