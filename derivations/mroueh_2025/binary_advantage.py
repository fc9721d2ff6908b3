r"""The advantage of binary rewards (Section 2, Eqs. (1) and (2)).

Eq. (1) divides the deviation of the reward from its mean by its standard deviation, both under the old policy. A reward
that is 0 or 1 equals its own square, so with the success probability $p$ of Eq. (2) the mean is $p$ and the variance
$p(1-p)$, and the advantage has one value for successes and one for failures. Both displays hold for $0 < p < 1$. If
success or failure is certain, the variance is 0 (`reward.no-variance`) and Eq. (1) is $0/0$: this is what the smoothing
of Section 2.2 is for.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import p
from derivations.mroueh_2025.outputs import binary, old, old_sums_to_one, success
from derivations.mroueh_2025.success_map_edges import inner
from grpo_symbolic import Claim, Expression, Result, Summed, Total, both, claim, derive, either, eq, iff, rational, sqrt
from grpo_symbolic.grpo.definitions import GRPO, Definitions

ONE = rational(1)
#: What Eq. (2) calls p: the mean reward under the old policy.
success_of_old = eq(inner, Total(old * success))


def weight_of_success(at: Expression = inner) -> Expression:
    """The advantage of a success as the second display simplifies it, at a success probability."""
    return sqrt((1 - at) / at)


def weight_of_failure(at: Expression = inner) -> Expression:
    """The advantage of a failure, with its sign turned."""
    return sqrt(at / (1 - at))


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Mean and variance of the reward, then the two values of the advantage."""
    variance = Total(old * (success - inner) ** 2)
    hypotheses = (binary, old_sums_to_one, success_of_old)
    square = eq(success**2, success)
    own_square = claim("mroueh_2025.reward.square", "A reward is its own square", iff(binary, square))
    summed = claim(
        "mroueh_2025.reward.square.sum",
        "Summed over the outputs of the old policy",
        Summed(square, old, eq(Total(old * success**2), Total(old * success)), ONE),
    )
    yield from (own_square, summed)
    spread = claim(
        "mroueh_2025.reward.variance",
        "The variance of the reward is $p(1-p)$",
        derivation=derive(variance, "definition", given=hypotheses)
        .eq(Total(old * success**2) - inner**2, "expand; the mean is $p$")
        .eq(inner * (1 - inner), "a reward is its own square", using=[own_square, summed]),
        using=[own_square, summed],
        equation="Section 2.1, after Eq. (2)",
        printed=paper.quote(
            "Section 2.1, after Eq. (2)",
            r"\mathbb{E}_{o' \sim \pi_{\theta_{\mathrm{old}}}(.|q)} r(q, o') = p \text{ and }"
            r" \mathsf{Var}_{o' \sim \pi_{\theta_{\mathrm{old}}}(.|q)} r(q, o') = p(1-p)",
            both(eq(Total(old * success), inner), eq(variance, inner * (1 - inner))),
            given=hypotheses,
        ),
    )
    yield spread
    yield from values(given, variance, spread)
    yield claim(
        "mroueh_2025.reward.no-variance",
        "The variance vanishes exactly for certain success and certain failure",
        derivation=derive(eq(p * (1 - p), 0), "the variance of the reward vanishes")
        .iff(either(eq(p, 0), eq(1 - p, 0)), "a product is 0 exactly where a factor is")
        .iff(either(eq(p, 0), eq(p, 1)), "solve the second equation"),
        equation="Section 2.2",
    )


def values(given: Definitions, variance: Expression, spread: Claim) -> Iterator[Claim]:
    """The advantage of a success and of a failure."""
    hypotheses = (binary, old_sums_to_one, success_of_old)
    for name, reward, sign, simple in (
        ("success", ONE, ONE, weight_of_success()),
        ("failure", rational(0), rational(-1), -weight_of_failure()),
    ):
        deviation = (1 - inner) if name == "success" else -inner
        unsimplified = sign * (deviation * sign / sqrt(inner * (1 - inner)))
        yield claim(
            f"mroueh_2025.eq1.{name}",
            f"The advantage of a {name}",
            derivation=derive(given.normalise(reward - inner, variance), "Eq. (1)", given=hypotheses)
            .eq(unsimplified, "the variance", using=[spread])
            .eq(simple, "cancel under the root"),
            equation="Eq. (1)",
            printed=paper.quote(
                "Section 2.1, both displays of the advantage",
                r"\frac{1-p}{\sqrt{p(1-p)}} = \sqrt{\frac{1-p}{p}}"
                if name == "success"
                else r"-\frac{p}{\sqrt{p(1-p)}} = -\sqrt{\frac{p}{1-p}}",
                both(eq(given.normalise(reward - inner, variance), unsimplified), eq(unsimplified, simple)),
                given=hypotheses,
            ),
            using=[spread],
        )


advantages = Result("The advantage of binary rewards", paper, derivation)
