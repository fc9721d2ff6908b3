"""Why claims hold, as lines below them, and how many tell it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.why import Standing, Why, put_together, standings
from grpo_symbolic.proofs.telling import CONDITION, Told
from grpo_symbolic.report.lines import glyphs
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, escape

#: Wider formulas stand in a line of their own where they do not fit.
_WIDE = 40
#: So many lines below one claim; the others are counted. Longer goals are not repeated.
_MOST_LINES, _LONGEST = 6, 160


def why_lines(found: Why | None, links: Links) -> tuple[Tex, ...]:
    """Why a claim without a derivation holds, one line for each part of a proof; none with a derivation."""
    if found is None or found.standing is Standing.DERIVED:
        return ()
    if found.standing is Standing.NOT_YET:
        by = escape(", ".join(found.methods) or "its plan as a whole")
        return (Tex(f"Decided by {by}; no proof in the kernel's language was found yet."),)
    return tuple(_proof_lines(found, links))


def _proof_lines(found: Why, links: Links) -> Iterator[Tex]:
    """What is seen from domains and numbers is told only if there is nothing else, and last that things have values."""
    plain = [part for part in found.parts if part.rule == "range"]
    told = [part for part in found.parts if part.rule != "range"] or (plain if len(plain) < 3 else [])
    lines = [*dict.fromkeys(_line(part, found, links) for part in sorted(told, key=_is_condition))]
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield Tex(f"{_count(len(lines) - _MOST_LINES, 'further part')}: see the results as data.")
    if not found.parts:
        yield Tex("The kernel accepts a proof of it.")
    elif not told:
        yield Tex("Domains and numbers alone show it.")
    elif told != plain and plain:
        yield Tex(f"Domains and numbers alone show {'the rest' if len(plain) > 1 else 'what is left'}.")


def _is_condition(part: Told) -> bool:
    return part.part == CONDITION


def _line(part: Told, found: Why, links: Links) -> Tex:
    """What was shown, if that is not all or if it is not the only part of this name, and why."""
    alike = [one for one in found.parts if one.part == part.part]
    label = "" if part.part == "claim" else rf"\emph{{{escape(part.part)}}}: "
    if _is_condition(part) or (len(alike) > 1 and len(part.goal) <= _LONGEST):
        label += f"{_formulas(part.goal, links)}: "
    text = _formulas(part.words, links)
    # A word begins a sentence; a label does not end one.
    return Tex(f"{label}{text if label else text[:1].upper() + text[1:]}.")


def _formulas(text: str, links: Links) -> str:
    """Words with formulas between dollar signs."""
    pieces = enumerate(text.split("$"))
    return "".join(_formula(piece) if place % 2 else str(links.prose(piece)) for place, piece in pieces)


def _formula(latex: str) -> str:
    return f"${latex}$" if glyphs(latex) <= _WIDE else rf"\grpophrase{{{latex}}}{{\grpofit{{{latex}}}}}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def why_counts(claims: Mapping[str, Claim], whys: Mapping[str, Why]) -> Tex | None:
    """How many claims tell why they hold, of all and of those that state what stands somewhere in a paper.

    None if nothing is known of it.
    """
    if not whys:
        return None
    tied = {id: found for id, found in whys.items() if claims[id].equation is not None}
    together = put_together(claims, whys)
    text = f"Why they hold: of {_count(len(whys), 'claim')} that are decided, {_shares(whys, together)}."
    if tied and len(tied) < len(whys):
        text += f" Of the {len(tied)} of them that are tied to a place in a paper, {_shares(tied, together)}."
    return Tex(text)


def _shares(whys: Mapping[str, Why], together: Collection[str]) -> str:
    found = standings(whys.values())
    of_lemmas = len(whys.keys() & together)
    return (
        f"{found[Standing.DERIVED]} have a derivation, {of_lemmas} put lemmas with derivations together by a proof "
        f"that the kernel accepts, {found[Standing.PROVED] - of_lemmas} have such a proof only, and for "
        f"{found[Standing.NOT_YET]} no proof was found yet"
    )
