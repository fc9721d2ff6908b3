r"""Binary questions, groups of two: ties, and margins in favour of the other answer.

In a tie the stationary policy is the reference (`eq14.tie`). For a negative margin, which the paper excludes by naming
the answers, and references in $(0, 1)$, Equation (14) exceeds 1 (`eq14.negative-margin.too-large`), and the root with
the other sign is the stationary policy (`eq14.negative-margin`): 1 minus Equation (14) for the other answer
(`eq14.negative-margin.swap`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, margin, reference, slope, x
from derivations.vojnovic_yun_2025.root_groups_of_two import (
    groups_of_two,
    names,
    pairs_objective,
    pairs_root,
    quadratic,
    y,
    zero,
)
from grpo_symbolic import Claim, Gap, Result, UniqueRoot, absolute, both, claim, derive, eq, gt, lt, rational, sqrt
from grpo_symbolic.grpo.definitions import GRPO, Definitions


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Ties, and margins in favour of the other answer."""
    tied = eq(slope(pairs_objective(zero, given)), 0)
    in_tie = claim(
        "vojnovic_yun_2025.eq14.tie.solved",
        "Stationarity in a tie, solved for the policy",
        derivation=derive(tied, "stationary at itself, with the margin 0")
        .iff(eq(-(beta * ((x - reference) / (x * (1 - x)))), 0), "Equation (17): the margin drops out")
        .iff(eq(x - reference, 0), r"multiply by $-x(1-x)/\beta$, which is not 0")
        .iff(eq(x, reference), "add the reference"),
    )
    yield in_tie
    yield claim(
        "vojnovic_yun_2025.eq14.tie",
        "In a tie the stationary policy is the reference",
        UniqueRoot(x, tied, reference),
        using=[in_tie],
        equation="Section 2.3.1, after Eq. (14)",
    )
    against = eq(slope(pairs_objective(-gamma, given)), 0)
    ratio = beta / gamma
    smaller = rational(1, 2) * (1 + ratio - sqrt((1 + ratio) ** 2 - 4 * ratio * reference))
    swapped = claim(
        "vojnovic_yun_2025.eq14.negative-margin.swap",
        "The smaller root for a negative margin is 1 minus Equation (14) for the other answer",
        derivation=derive(1 - pairs_root(prior=1 - reference), "1 minus Equation (14) for the other answer")
        .eq(
            rational(1, 2) * (1 + ratio - sqrt((1 - ratio) ** 2 + 4 * ratio * (1 - reference))),
            "collect",
        )
        .eq(smaller, r"$(1 - t)^2 + 4t = (1 + t)^2$"),
    )
    yield swapped
    of_b = 1 - reference
    solved = claim(
        "vojnovic_yun_2025.eq14.negative-margin.solved",
        "Stationarity for a negative margin, solved for the policy",
        derivation=derive(against, "stationary at itself, for a negative margin")
        .iff(
            eq(beta * ((x - reference) / (x * (1 - x))), -gamma),
            "Equation (17)",
            using=[groups_of_two.claim("eq17").at({margin: -gamma})],
        )
        .iff(eq(quadratic(1 - x, prior=of_b), 0), "the quadratic equation for the other answer")
        .iff(
            eq(1 - x, pairs_root(prior=of_b)),
            "where $1 - x \\geq 0$ only the larger root is left",
            using=[groups_of_two.claim("eq14.factors").at({y: 1 - x, reference: of_b})],
        )
        .iff(eq(x, smaller), "the smaller root is 1 minus this", using=[swapped]),
    )
    between = claim(
        "vojnovic_yun_2025.eq14.negative-margin.between",
        "The smaller root for a negative margin is a probability",
        both(gt(smaller, 0), lt(smaller, 1)),
        using=[
            swapped,
            *(groups_of_two.claim(f"eq14.{one}").at({reference: of_b}) for one in ("positive", "below-one")),
        ],
    )
    yield from (solved, between)
    yield claim(
        "vojnovic_yun_2025.eq14.negative-margin",
        "For a negative margin the smaller root is the stationary policy",
        UniqueRoot(x, against, smaller),
        using=[solved, solved.at({x: smaller}), between],
        beyond="covers negative margins, which the paper excludes by naming the answers",
        fills=[
            Gap(
                "Appendix B.1, groups of two",
                "the case of a negative margin is opened and not finished",
            ),
        ],
    )
    yield claim(
        "vojnovic_yun_2025.eq14.negative-margin.too-large",
        "Equation (14) itself exceeds 1 for a negative margin",
        derivation=derive(pairs_root(-gamma), "Equation (14), with a negative margin")
        .eq(rational(1, 2) * (1 + ratio + sqrt((1 + ratio) ** 2 - 4 * ratio * reference)), "turn the signs")
        .gt((1 + ratio + sqrt((1 + ratio) ** 2 - 4 * ratio)) / 2, "$r < 1$, under the root")
        .eq((1 + ratio + absolute(1 - ratio)) / 2, r"$(1 + t)^2 - 4t = (1 - t)^2$, the square of $|1 - t|$")
        .ge(1, r"$|t| \geq t$"),
    )


margins = Result("Binary questions, groups of two: ties and negative margins", paper, derivation, shorthands=names)
