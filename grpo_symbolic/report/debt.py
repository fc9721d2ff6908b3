"""The part of the report about mutants that are open, where somebody counted them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grpo_symbolic.derivation.library import Library
from grpo_symbolic.judging.debt import claim_of, open_mutants
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, code, escape


@dataclass(frozen=True)
class OpenMutants:
    """The mutants of one claim, step or quote that are open: what was changed, and what it became."""

    subject: Tex
    mutants: tuple[tuple[Tex, Tex], ...]


@dataclass(frozen=True)
class DebtView:
    """How many mutants are open, in words, and which."""

    count: Tex
    subjects: tuple[OpenMutants, ...]


def debt_view(library: Library, ids: Iterable[str], links: Links) -> DebtView | None:
    """The open mutants of claims with these ids; None if there are none."""
    shown = set(ids)
    found = {id: names for id, names in open_mutants(library.results).items() if claim_of(id) in shown}
    number = sum(map(len, found.values()))
    if not number:
        return None
    return DebtView(
        escape("1 mutant is" if number == 1 else f"{number} mutants are"),
        tuple(
            OpenMutants(_subject(id, links), tuple((escape(name), code(text)) for name, text in names.items()))
            for id, names in found.items()
        ),
    )


def _subject(id: str, links: Links) -> Tex:
    bare = id.removesuffix(" (printed)")
    return Tex(f"{links.reference(bare)}{'' if bare == id else ', as printed'}")
