r"""Equation (14) between bounds: what its limits, its continuity and its lower bounds rest on.

Under the root of Equation (14) stands a square plus a term in the reference. Leaving this term out, or taking it apart,
bounds the policy from below and from above (`eq14.above-sharper`, `eq14.above-limit`, `eq14.near-limit`). Its distance
from the reference follows from the quadratic itself (`eq14.distance`), and so does on which side of the policy a number
lies (`eq14.side`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference
from derivations.vojnovic_yun_2025.root_groups_of_two import (
    beside,
    groups_of_two,
    other,
    other_root,
    pairs_root,
    quadratic,
    squared,
    y,
)
from derivations.vojnovic_yun_2025.shorthands import solutions
from grpo_symbolic import Claim, Result, absolute, claim, derive, le, maximum, real, sqrt
from grpo_symbolic.language.expression import Definition

ratio = beta / gamma
root = pairs_root()
jump = maximum(1 - ratio, 0)
first, second = (real(name, "[0, oo)", "a number that is not negative", latex=name) for name in ("s", "t"))


def derivation() -> Iterator[Claim]:
    """Which side, then below, above, and the distance from the reference."""
    yield claim(
        "vojnovic_yun_2025.eq14.side",
        "A number is at most Equation (14) exactly if the quadratic is not positive there",
        derivation=derive(le(y, root), r"a number $y \geq 0$")
        .iff(
            le((y - root) * (y - other_root()), 0),
            r"the other root $\hat x$ is negative, so $y - \hat x > 0$",
            using=[groups_of_two.claim("eq14.factors.negative")],
        )
        .iff(le(quadratic(y), 0), "multiply out"),
    )
    corner = 1 - ratio + ratio * reference
    yield claim(
        "vojnovic_yun_2025.eq14.above-sharper",
        "Equation (14) from below, if the weight is small",
        derivation=derive(root, "Equation (14)")
        .eq(
            (1 - ratio + sqrt((corner + ratio * reference) ** 2 + 4 * ratio**2 * reference * (1 - reference))) / 2,
            r"under the root, multiply out and collect another square",
        )
        .gt(
            (1 - ratio + absolute(corner + ratio * reference)) / 2,
            r"leave $4(\beta/\gamma)^2r(1-r)$ out: a square is left",
            using=[
                groups_of_two.claim("eq14.root-of-more").at(
                    {squared: corner + ratio * reference, beside: 4 * ratio**2 * reference * (1 - reference)}
                )
            ],
        )
        .ge(corner, r"$|t| \geq t$"),
    )
    at_zero = (1 - ratio + absolute(1 - ratio)) / 2
    yield claim(
        "vojnovic_yun_2025.eq14.above-limit",
        "It is at least its limit at a vanishing reference",
        derivation=derive(root, "Equation (14)")
        .ge(at_zero, "leave out the term in $r$: a square is left")
        .eq(jump, "by the sign"),
    )
    square_of_sum = claim(
        "vojnovic_yun_2025.eq14.near-limit.roots",
        "The root of a sum is at most the sum of the roots",
        derivation=derive(sqrt(first + second), "root of a sum")
        .le(sqrt((sqrt(first) + sqrt(second)) ** 2), "a product of the roots is not negative")
        .eq(sqrt(first) + sqrt(second), "neither root is negative"),
    )
    yield square_of_sum
    yield claim(
        "vojnovic_yun_2025.eq14.near-limit",
        "And larger by no more than this",
        derivation=derive(root - jump, "distance from the limit")
        .eq(root - at_zero, "by the sign")
        .le(
            sqrt(4 * ratio * reference) / 2,
            r"$\sqrt{s + t} \leq \sqrt{s} + \sqrt{t}$",
            using=[square_of_sum.at({first: (1 - ratio) ** 2, second: 4 * ratio * reference})],
        )
        .eq(sqrt(ratio) * sqrt(reference), "the root of a product, and that of 4 is 2"),
    )
    yield claim(
        "vojnovic_yun_2025.eq14.distance",
        "Its distance from the reference",
        derivation=derive(root - reference, "by how much the policy exceeds the reference")
        .eq(root * (1 - root) / ratio, "it solves the quadratic equation")
        .le(1 / (4 * ratio), r"$t(1-t) \leq 1/4$"),
    )


def names() -> Iterator[Definition]:
    """Equations (14) and (15), and the other root."""
    yield from solutions()
    yield other()


bounds = Result("Equation (14) between bounds", paper, derivation, shorthands=names)
