r"""The closed list of theorems that derivations cite and nothing here proves.

A claim that cites one decides what the theorem needs; what the theorem then says stands in the claim's title only.
Formulas stand between ``$`` and are LaTeX.
"""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError


@dataclass(frozen=True)
class Theorem:
    """A theorem of the literature in one sentence, with the kinds of words that a claim may use which cites it.

    One that is ``strict`` says nothing where its condition holds with equality, so no title may say "exactly" by it.
    """

    name: str
    sentence: str
    words: tuple[str, ...] = ()
    strict: bool = False


CITED = (
    Theorem(
        "linear stability",
        "A fixed point of a map attracts what starts nearby if all eigenvalues of the derivative there lie inside the "
        "unit circle, and repels if one lies outside.",
        ("attracts",),
        strict=True,
    ),
    Theorem(
        "linear stability of a flow",
        "A point at which a flow rests attracts what starts nearby if all eigenvalues of the derivative there have "
        "negative real parts, and repels if one has a positive one.",
        ("attracts",),
        strict=True,
    ),
    Theorem(
        "strict quadratic form",
        "A quadratic form that decreases along a linear flow everywhere but at 0 makes 0 attract the flow.",
        ("attracts",),
        strict=True,
    ),
    Theorem(
        "second-order condition",
        "A stationary point is a strict local maximum if the second variation there is negative in all directions, "
        "and no local maximum if it is positive in one.",
        ("best",),
        strict=True,
    ),
    Theorem(
        "concave functions",
        "A stationary point of a strictly concave function is its only maximum.",
        ("best", "only"),
    ),
    Theorem(
        "Lagrange multipliers",
        "At a maximum over positive numbers of a given sum all partial derivatives are equal.",
        ("best",),
    ),
    Theorem(
        "maximum on a compact set",
        "A continuous function on a compact set has a maximum; where it tends to $-\\infty$ there is none.",
        ("best",),
    ),
    Theorem(
        "signs of a derivative",
        "A function whose derivative is positive before a point, and negative behind it where that is not the end, is "
        "largest there only.",
        ("best", "only"),
    ),
    Theorem(
        "monotone convergence",
        "A monotone and bounded sequence converges, and its limit is a fixed point of a continuous map that makes it.",
        ("converges",),
    ),
    Theorem(
        "contraction",
        "The iterates of a map that shrinks all distances by one factor below 1 converge to its only fixed point.",
        ("converges", "attracts", "only"),
    ),
    Theorem(
        "intermediate value",
        "A continuous function that is negative at one end of an interval and positive at the other has a zero inside.",
    ),
    Theorem(
        "two intervals",
        "Two intervals share an end, which a continuous map takes to neither; if it takes one of them over both, and "
        "the other one over the first, it has cycles of every length.",
        ("cycle", "general"),
    ),
    Theorem(
        "Sharkovskii's theorem",
        "A continuous map of an interval with a cycle of three has cycles of every length.",
        ("cycle", "general"),
    ),
    Theorem(
        "expectation over cases",
        "An expectation over finitely many cases is the sum of their values, each times its probability.",
        ("expected",),
    ),
    Theorem(
        "law of total expectation",
        "An expectation is the mean of the expectations under each condition, and a variance is their variance and the "
        "mean of the variances.",
        ("expected",),
    ),
    Theorem(
        "law of large numbers",
        "Means over ever more numbers that are drawn alike tend to the expectation.",
        ("converges", "expected"),
    ),
    Theorem(
        "implicit function",
        "Where the second variation does not vanish, a stationary point is a smooth function of parameters, and the "
        "linearised equation gives its derivative.",
    ),
    Theorem(
        "Brouwer's theorem",
        "A continuous map into itself of the probabilities that sum to one leaves a point of them as it is.",
    ),
    Theorem(
        "continuity",
        "The limit of the iterates of a continuous map is a fixed point of it.",
        ("converges",),
    ),
    Theorem(
        "eigenvalues of a polynomial",
        "Eigenvalues are the zeros of the characteristic polynomial; of its zeros, sums and products are coefficients.",
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
