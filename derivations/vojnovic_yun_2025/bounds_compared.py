r"""Two lower bounds compared.

For deterministic rewards Section 2.3.1 gives the more rewarding of two answers at least probability $1 - \beta$ in
groups of two and at least $1/(1 + \beta^2)$ in the limit of large groups. The second bound is the larger one for every
$\beta > 0$ (`bounds-compared`), and the gap between them is explicit (`bounds-gap`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from grpo_symbolic import Claim, Result, claim, derive, gt, real

beta = real("beta", "(0, oo)", "weight of the divergence penalty", latex=r"\beta")


def derivation() -> Iterator[Claim]:
    """The gap between the bounds has the sign of a positive polynomial."""
    large_groups, pairs = 1 / (1 + beta**2), 1 - beta
    gap = derive(large_groups - pairs, "difference of the two bounds").eq(
        beta * (1 - beta + beta**2) / (1 + beta**2), "common denominator; $\\beta$ factors out"
    )
    explicit = claim(
        "vojnovic_yun_2025.bounds-gap",
        "The gap between the bounds in closed form",
        derivation=gap,
    )
    yield explicit
    yield claim(
        "vojnovic_yun_2025.bounds-compared",
        "The bound for large groups is larger than the bound for groups of two",
        derivation=derive(large_groups, "bound for large groups")
        .eq(pairs + gap.expression, "add the gap to the other bound", using=[explicit])
        .gt(pairs, "$(1 - \\beta)^2 + \\beta > 0$"),
        equation="Section 2.3.1, last paragraph",
        printed=paper.quote("Section 2.3.1", r"\frac{1}{1+\beta^2} > 1-\beta", gt(large_groups, pairs)),
    )


bounds = Result("Two lower bounds compared", paper, derivation)
