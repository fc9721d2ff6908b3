"""Expressions, statements, claims and derivations print themselves.

Their classes are part of what has to be believed where a verdict is, and know no notation. What prints them is given
to them from here, above all notations; nothing of it has a part in a verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpo_symbolic.api import html
from grpo_symbolic.api.words import claim_said, delimited, derivation_said, rows_of, said
from grpo_symbolic.derivation.chain import Claim, Derivation
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement


def printing(
    *kinds: type, words: Callable[[Any], str], page: Callable[[Any], str], latex: Callable[[Any], str | None] | None
) -> None:
    """Let objects of some classes print themselves as text at a prompt, and as HTML and LaTeX in a notebook."""
    for kind in kinds:
        ways = {"__repr__": words, "_repr_html_": page} | ({} if latex is None else {"_repr_latex_": latex})
        for name, way in ways.items():
            setattr(kind, name, way)


def claim_page(claim: Claim) -> html.Html:
    """A claim: its id and title, what it states, for which values and under which hypotheses."""
    return html.joined(
        html.block(html.tag("b", claim.id), ": ", html.sentence(claim.title)),
        html.block(html.mathematics(claim.statement), indent=True),
        html.conditions(claim.statement, claim.given),
    )


def derivation_page(chain: Derivation) -> html.Html:
    """A derivation, a row for each line with its reason."""
    try:
        rows = [
            (html.sentence(f"${latex}$" if "$" not in latex else latex), html.sentence(why))
            for latex, why in rows_of(chain)
        ]
    except UnsupportedError:
        return html.tag("pre", derivation_said(chain))
    return html.table(["line", "reason"], rows)


#: What Python has no meaning for here, with what is written for it.
_HABITS = {
    "__lt__": "lt(left, right) for left < right",
    "__le__": "le(left, right) for left <= right",
    "__gt__": "gt(left, right) for left > right",
    "__ge__": "ge(left, right) for left >= right",
    "__xor__": "x**2 for x^2",
    "__abs__": "absolute(x) for abs(x)",
    "__float__": "numbers as they are: an expression has no value",
}


def _refusing(written: str) -> Callable[..., object]:
    def refuse(self: Expression, *_: object) -> object:
        raise TypeError(f"with {self}: write {written}")

    return refuse


def give_reprs() -> None:
    """Let what an author writes print itself, and say what to write in the place of Python's own operators."""
    for name, written in _HABITS.items():
        setattr(Expression, name, _refusing(written))
    printing(Expression, Statement, words=said, page=html.mathematics, latex=delimited)
    printing(Claim, words=claim_said, page=claim_page, latex=lambda claim: delimited(claim.statement))
    printing(Derivation, Chain, words=derivation_said, page=derivation_page, latex=None)
