r"""The closed list of theorems that derivations cite and nothing here proves.

A claim that cites one decides what the theorem needs; what the theorem then says stands in the claim's title only. A
theorem is here because the language cannot yet say its conclusion, which ``missing`` names; where it can, the theorem
is a principle and its conclusion a statement. Formulas stand between ``$`` and are LaTeX.
"""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError


@dataclass(frozen=True)
class Theorem:
    """A theorem of the literature in one sentence, with the kinds of words that a claim may use which cites it.

    ``missing`` says what no statement can say yet. One that is ``strict`` says nothing where its condition holds with
    equality, so no title may say "exactly" by it.
    """

    name: str
    sentence: str
    missing: str
    words: tuple[str, ...] = ()
    strict: bool = False


CITED = (
    Theorem(
        "linear stability",
        "A fixed point of a map attracts what starts nearby if all eigenvalues of the derivative there lie inside the "
        "unit circle, and repels if one lies outside. A point at which a flow rests attracts if a quadratic form "
        "decreases along the linearised flow everywhere but at 0.",
        "Statements about fixed points have one or two variables; here there is one for each element of an index set.",
        ("attracts",),
        strict=True,
    ),
    Theorem(
        "Lagrange multipliers",
        "At a maximum over positive numbers of a given sum all partial derivatives are equal.",
        "That a maximum is attained over an index set of any size can be claimed, but cannot be a hypothesis.",
        ("best",),
    ),
    Theorem(
        "Brouwer's theorem",
        "A continuous map into itself of the probabilities that sum to one leaves a point of them as it is.",
        "That something exists is stated by showing it, or of one variable by a change of sign.",
    ),
)


def cited(name: str) -> Theorem:
    """The theorem of a name.

    Raises:
        DeclarationError: if no theorem on the list has it.
    """
    for theorem in CITED:
        if theorem.name == name:
            return theorem
    known = ", ".join(theorem.name for theorem in CITED)
    raise DeclarationError(f"cites {name!r}, which is not on the list; there are: {known}")
