"""Why claims hold, as lines below them, and how many tell it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.reasons.telling import Piece
from grpo_symbolic.judging.reasons.why import BOXES, NONE, Ground, Standing, Why, put_together, standings
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.obligations.expansion import IN_ITS_DOMAIN
from grpo_symbolic.report.lines import glyphs
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.translate.formula import symbol_latex
from grpo_symbolic.translate.latex import RELATIONS

#: Wider formulas stand in a line of their own where they do not fit.
_WIDE = 40
#: So many lines below one claim; the others are counted.
_MOST_LINES = 6
#: So many parts without a reason are named; of more the number is told.
_MOST_NAMED = 2
_RANGES = "ranges"
#: What may be a symbol in the name of a part: what is compared with a number, and what lies in its domain.
_COMPARED, _INSIDE = r" ([<>!]?=|[<>]) (-?[\d/]+)(?!\w)", f"(?={re.escape(IN_ITS_DOMAIN)})"
_SYMBOLS = re.compile(rf"(?<!\w)([A-Za-z]\w*)(?:{_COMPARED}|{_INSIDE})")


def why_lines(found: Why | None, links: Links, symbols: Iterable[Symbol] = ()) -> tuple[Tex, ...]:
    """Why a claim without a derivation holds, one line for each part or for several alike; none with a derivation.

    The names of parts have the claim's ``symbols`` in them, which are typeset.
    """
    if found is None or found.derived:
        return ()
    told = [part for part in found.parts if part.is_reason]
    ranges = _worth_few_words(told)
    others = [part for part in told if part not in ranges]
    several = len(found.parts) > 1
    signs = {symbol.name: symbol_latex(symbol) for symbol in symbols}
    lines = [_line(part, several, links, signs) for part in others[:_MOST_LINES]]
    if len(others) > _MOST_LINES:
        lines.append(
            Tex(f"{len(others) - _MOST_LINES} further parts have such reasons; the results as data have them.")
        )
    if ranges and all(part.label.endswith(IN_ITS_DOMAIN) for part in ranges):
        lines.append(Tex("The values lie in their domains."))
    elif ranges:
        what = "it" if len(ranges) == len(found.parts) else f"{_count(len(ranges), 'part')}{_of(found)}"
        lines.append(Tex(f"Domains and numbers alone show {what}."))
    return (*lines, *_missing(found, signs))


def _worth_few_words(told: Sequence[Ground]) -> list[Ground]:
    """Of several parts, those that ranges show and that tell no formula; all that they show, if too many are told."""
    ranges = [part for part in told if part.kind == _RANGES]
    if len(ranges) < 2:
        return []
    inside = [part for part in ranges if part.label.endswith(IN_ITS_DOMAIN)]
    plain = [part for part in ranges if part in inside or not any(piece.is_formula for piece in part.told)]
    return plain if len(told) - len(plain) <= _MOST_LINES else ranges


def _missing(found: Why, signs: Mapping[str, Tex]) -> tuple[Tex, ...]:
    boxes = [part for part in found.parts if part.kind == BOXES]
    open_parts = [part for part in found.parts if part.kind == NONE]
    lines = []
    if boxes:
        covered = "; ".join(dict.fromkeys("".join(piece.text for piece in part.told) for part in boxes))
        many = "" if len(boxes) == len(found.parts) else f"{_count(len(boxes), 'part')}{_of(found)}: "
        lines.append(Tex(f"{many}{escape(_few(covered))} cover the domain; no reason that a person can multiply out."))
    if open_parts:
        by = escape(
            ", ".join(dict.fromkeys(part.method for part in open_parts if part.method)) or "its plan as a whole"
        )
        whole = len(open_parts) == len(found.parts)
        few = open_parts if len(open_parts) <= _MOST_NAMED else []
        named = "".join(f"{_label(part, signs)}, " for part in few)
        many = "" if whole else f" for {named}{_count(len(open_parts), 'part')}{_of(found)}"
        lines.append(Tex(f"No reason that a person can multiply out yet{many} (decided by {by})."))
    return tuple(lines)


def _few(covered: str) -> str:
    """The coverings, if there are few."""
    listed = covered.split("; ")
    return covered if len(listed) <= 3 else "; ".join([*listed[:2], f"{len(listed) - 2} other coverings"])


def _of(found: Why) -> str:
    return f" of {len(found.parts)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _label(part: Ground, signs: Mapping[str, Tex]) -> str:
    """The name of a part, with formulas for the comparisons of symbols with numbers in it, and for symbols alone."""

    def typeset(found: re.Match[str]) -> str:
        name, operator, number = found.groups()
        if name not in signs:
            return found[0]
        return f"${signs[name]}$" if operator is None else f"${signs[name]} {RELATIONS[operator]} {number}$"

    return rf"\emph{{{escape(_SYMBOLS.sub(typeset, part.label))}}}"


def _line(part: Ground, several: bool, links: Links, signs: Mapping[str, Tex]) -> Tex:
    label = f"{_label(part, signs)}: " if several else ""
    text = "".join(_piece(piece, links) for piece in part.told)
    # A word begins a sentence; a label does not end one.
    return Tex(f"{label}{text if several else text[:1].upper() + text[1:]}.")


def _piece(piece: Piece, links: Links) -> str:
    if not piece.is_formula:
        return str(links.prose(piece.text))
    if glyphs(piece.text) <= _WIDE:
        return f"${piece.text}$"
    return rf"\grpophrase{{{piece.text}}}{{\grpofit{{{piece.text}}}}}"


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
        f"{found[Standing.DERIVED]} have a derivation, {of_lemmas} put lemmas with derivations together by a reason "
        f"that a person can follow, {found[Standing.REASONED] - of_lemmas} have such a reason only, "
        f"{found[Standing.PARTLY]} one for some of their parts, and {found[Standing.NOT_YET]} say that none is known"
    )
