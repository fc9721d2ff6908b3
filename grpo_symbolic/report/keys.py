"""The key claims, which the short report lists below each introduction: the others stand in the appendix only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.language.statement import is_elementary
from grpo_symbolic.report.claims import StatementView, given_words, statement_view
from grpo_symbolic.report.lines import glyphs, prose
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.report.verification import is_settled, standing
from grpo_symbolic.translate.latex import statement_latex

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

_NUMBERED = re.compile(r"(Eqs?\. \(|Theorem |Proposition |Lemma |Corollary |Remark )\d")
#: So many glyphs of a formula stand beside the words of a claim, and so many below them; of more, nothing does.
_BESIDE, _BELOW = 30, 130


@dataclass(frozen=True)
class KeyView:
    """A row of the table: what the claim says in words, its place in the paper, and its formulas if they are short.

    The badge is empty if the claim is settled without assumptions. A ``short`` formula has room beside the words; else
    what the claim says stands below them, as one ``formula`` or as a ``sentence``, after what is ``given``.
    """

    label: Tex
    title: Tex
    place: Tex
    beyond: bool
    badge: Tex
    short: Tex | None
    given: Tex
    formula: Tex | None
    sentence: Tex | None


def is_key(made: Claim) -> bool:
    """Whether the report lists a claim: its author says so, or the paper numbers or prints it, or it goes beyond it."""
    if made.key is not None:
        return made.key
    numbered = made.equation is not None and _NUMBERED.match(made.equation) is not None
    return numbered or made.printed is not None or made.beyond is not None


def key_views(claims: Sequence[Claim], judged: Mapping[str, Judged], links: Links) -> Iterator[KeyView]:
    """The rows for those of some judged claims that are key claims."""
    for made in filter(is_key, claims):
        own = judged[made.id]
        short = _beside(made)
        whole = StatementView(None, None) if short is not None else _below(made)
        yield KeyView(
            label(made.id),
            links.prose(made.title),
            escape(made.equation or ""),
            made.beyond is not None,
            Tex("") if is_settled(own) else standing(own),
            short,
            Tex("") if whole == StatementView(None, None) else given_words(made),
            whole.formula,
            whole.sentence,
        )


def _beside(made: Claim) -> Tex | None:
    """The claim as one short formula; hypotheses would make it a longer one, and without them it would say more."""
    if made.given or not is_elementary(made.statement):
        return None
    formula = statement_latex(made.statement)
    return formula if glyphs(formula) <= _BESIDE else None


def _below(made: Claim) -> StatementView:
    """The claim as it stands in the appendix, with its hypotheses; nothing if that is long, since a part says more."""
    stated = (*made.given, made.statement)
    sizes = [glyphs(statement_latex(one) if is_elementary(one) else prose(one)) for one in stated]
    return statement_view(made.statement) if sum(sizes) <= _BELOW else StatementView(None, None)
