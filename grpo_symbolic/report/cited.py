"""The report's list of theorems that are cited and not proved, with the claims that cite them."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.cited import CITED
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.tex import Tex, escape


def cited_theorems(claims: Sequence[Claim], links: Links) -> tuple[Tex, ...]:
    """Each theorem that some of the claims cite, in one sentence, and the references to them."""
    rows = []
    for theorem in CITED:
        citing = [links.reference(made.id) for made in claims if theorem.name in made.cites]
        if citing:
            name = escape(theorem.name[0].upper() + theorem.name[1:])
            rows.append(
                Tex(
                    rf"\textbf{{{name}.}} {links.prose(theorem.sentence)} {links.prose(theorem.missing)} "
                    f"Cited by {', '.join(citing)}."
                )
            )
    return tuple(rows)
