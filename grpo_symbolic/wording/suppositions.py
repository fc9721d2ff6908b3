"""Hypotheses that nobody has accounted for: equations without an entry, restated claims, assumptions that get lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.hypotheses import FILE, Hypotheses, equations_of
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.wording.complaint import Complaint


def unaccounted(library: Library) -> Iterator[Complaint]:
    """What is wrong with the hypotheses of a library, or with the tables of them."""
    used: Counter[tuple[str, str]] = Counter()
    for paper, made in _claims(library):
        table = library.hypotheses.get(paper, Hypotheses())
        for equation in equations_of(made):
            key = table.key(made, equation)
            if key is None:
                what = f"{statement_text(equation)} has no entry in {FILE}; is it described, supposed or shown?"
                yield Complaint(f"hypotheses of {made.id}", what)
            else:
                used[paper, key] += 1
    for paper, table in library.hypotheses.items():
        idle = sorted(key for key in table.keys if not used[paper, key])
        yield from (Complaint(f"{FILE} of {paper}", f"no claim supposes {key}; take it out") for key in idle)
    yield from _restated(library)
    yield from _lost_assumptions(library)


def _claims(library: Library) -> Iterator[tuple[str, Claim]]:
    for result in library.results:
        yield from ((result.paper.id, made) for made in result.claims)


def _restated(library: Library) -> Iterator[Complaint]:
    """Hypotheses that are what another claim says without any: that claim is a lemma."""
    stated = {
        (paper, made.statement): made.id
        for paper, made in _claims(library)
        if not made.given and not made.refuted and not made.assumed
    }
    for paper, made in _claims(library):
        table = library.hypotheses.get(paper, Hypotheses())
        for hypothesis in made.given:
            id = stated.get((paper, hypothesis))
            if id is not None and not table.shown_by(made, hypothesis):
                what = f"{statement_text(hypothesis)} is what {id} says; use that as a lemma"
                yield Complaint(f"hypotheses of {made.id}", what)


def _lost_assumptions(library: Library) -> Iterator[Complaint]:
    """Claims that show a hypothesis and rest on an assumption of which nothing would be told."""
    for paper, made in _claims(library):
        table = library.hypotheses.get(paper, Hypotheses())
        for hypothesis in made.given:
            for id in table.shown_by(made, hypothesis):
                lost = set(library.claims[id].assumes) - set(made.assumes)
                if lost:
                    what = f"{id} rests on the assumption {min(lost)}; use it as a lemma, so that this is told"
                    yield Complaint(f"hypotheses of {made.id}", what)
