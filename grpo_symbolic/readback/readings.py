"""How the statement typed for each quote of the derivations was got from it, and whether it is what is quoted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.readback.closest import ONE_SIDE
from grpo_symbolic.readback.matching import DEFINITION, PART, PIECE, UNTOLD
from grpo_symbolic.readback.printed import Outcome
from grpo_symbolic.readback.quotes import INTERPRETED, REWORDED, read_quote
from grpo_symbolic.readback.vocabulary import ALIASES, Vocabulary, vocabulary
from grpo_symbolic.translate.text import statement_text

#: The reasons of agreements with less than all that a quote prints, or of a statement that says something else as well.
_PARTLY = (ONE_SIDE, PART, PIECE, DEFINITION, UNTOLD)


#: What is to be known of a quote in other words than the paper's.
OURS = "the words are ours"


class Reading(Enum):
    """How a statement was got from what a paper prints, the most faithful way first.

    ``PRINTED``: the LaTeX was retyped as it is printed, read whole, and found to say what was judged. ``ABRIDGED``: so
    was a shortened form of it. ``PART``: only a part of it was compared. ``INTERPRETED``: somebody typed what it is
    taken to mean, or what some of its words or signs are.
    """

    PRINTED = "as printed"
    ABRIDGED = "as abridged"
    PART = "in part"
    INTERPRETED = "as interpreted"


@dataclass(frozen=True)
class QuoteRead:
    """What became of a quote, and how the statement typed for it was got; None if it is not what was read."""

    outcome: Outcome
    reading: Reading | None
    in_words: bool = False

    @property
    def why(self) -> str:
        """Why the reading is not that of what is printed; empty where it is."""
        if self.reading in (Reading.PRINTED, Reading.ABRIDGED):
            return ""
        return "; ".join(filter(None, [OURS if self.in_words else "", self.outcome.reason]))


def read_quotes(
    parts: Iterable[tuple[Result, Sequence[Claim]]], only: Collection[str] | None = None
) -> dict[str, QuoteRead]:
    """What became of the quote of every claim that has one, by id, from results with their claims.

    ``only`` are the ids of those to read, by default all.

    Raises:
        LibraryError: if a file of notation beside the derivations cannot be read.
    """
    vocabularies: dict[tuple[Path, str], Vocabulary] = {}
    found: dict[str, QuoteRead] = {}
    for result, claims in parts:
        quoting = [made for made in claims if made.printed is not None and (only is None or made.id in only)]
        if not quoting:
            continue
        # The root has no notation.
        place = result.folder or Path("/"), result.paper.id
        if place not in vocabularies:
            vocabularies[place] = vocabulary(*place)
        known = vocabularies[place]
        around = list(_expressions(claims))
        for made in quoting:
            if made.printed is not None:
                outcome = read_quote(made.printed, made, around, known)
                found[made.id] = QuoteRead(outcome, _reading(outcome, made.id, known), made.id in known.in_words)
    return found


def check_quotes(claims: Mapping[str, Claim], read: Mapping[str, QuoteRead]) -> None:
    """Refuse derivations that say something else than what they quote.

    Raises:
        LibraryError: if the LaTeX of a quote says something else than the statement typed beside it, or is not read
            and not listed with what it is taken to mean; with all such quotes.
    """
    wrong = [_complaint(claims[id], item.outcome) for id, item in read.items() if item.reading is None]
    if wrong:
        raise LibraryError("what is quoted is not what was typed:\n" + "\n".join(wrong))


def _complaint(made: Claim, outcome: Outcome) -> str:
    quote = made.printed
    if quote is None:
        return ""
    who = f"{made.id} ({made.declared_at}): the quote of {quote.where}"
    typed = f"  quoted: {quote.latex}\n  typed: {statement_text(quote.statement)}"
    if outcome.status == "differs":
        read = f"  read: {outcome.read}\n" if outcome.read else ""
        remedy = f"correct the quote or the statement, or give the paper's notation in {ALIASES}"
        return f"{who} differs from the statement typed beside it: {outcome.reason}\n{typed}\n{read}  {remedy}"
    remedy = f"give the paper's notation in {ALIASES}, or say under [interpreted] there what it is taken to mean"
    return f"{who} was not read: {outcome.reason}\n{typed}\n  {remedy}"


def _reading(outcome: Outcome, id: str, known: Vocabulary) -> Reading | None:
    """How the statement was got from the quote, if it was."""
    if outcome.status not in ("agrees", REWORDED, INTERPRETED):
        return None
    if outcome.status != "agrees" or id in known.in_words or id in known.local:
        return Reading.INTERPRETED
    if any(reason in outcome.reason for reason in _PARTLY):
        return Reading.PART
    return Reading.ABRIDGED if id in known.abridged else Reading.PRINTED


def _expressions(claims: Iterable[Claim]) -> Iterator[Expression]:
    for made in claims:
        for statement in (*made.given, made.statement):
            yield from expressions_of(statement)
