r"""From groups of $G$ to the limit: the reward part with a rate, and Equation (13) up to a bound.

On average over the outputs of the old policy the expected advantages in groups of $G$ differ from $(r - m)/\sigma$ by
at most $(\sqrt\kappa + 1)/\sqrt G$, where $\kappa$ is the kurtosis of the reward (`advantage-limit.preference`). So if
no output is more than $\rho$ times as likely as under the old policy, the reward part of Equation (6) misses the
printed $\mathcal{R}_\infty$ by no more than $\rho$ times this bound (`advantage-limit.reward-part`), and tends to it
(`advantage-limit.reward-part.limit`). And a policy that satisfies Equation (11) for groups of $G$ satisfies Equation
(13), with $R$ in the place of its leading 1, up to $(\sqrt\kappa + 1)/(\beta\sqrt G)$ (`advantage-limit.eq13`), with
the kurtosis under that policy, which may change with $G$. Rewards are deterministic there.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward, size, zero_mean
from derivations.vojnovic_yun_2025.any_rewards_limit import HALF, ONE, PLACE, bound, kurtosis, limit, missed
from derivations.vojnovic_yun_2025.outputs import (
    average,
    beta,
    covered,
    old,
    policy,
    preference,
    reference,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Gap,
    Result,
    Summed,
    TermOfTotal,
    Total,
    absolute,
    claim,
    derive,
    eq,
    for_every,
    ge,
    le,
    real,
    sqrt,
    tends_to,
    unknown_function,
)

ratio = real("rho", "[1, oo)", "how many times as likely as under the old policy an output may be", latex=r"\rho")


def derivation() -> Iterator[Claim]:
    """The reward part, and stationary policies."""
    yield from _reward_part()
    yield from _stationary()


def _reward_part() -> Iterator[Claim]:
    """Equation (6) in groups of any size, and its limit."""
    named = eq(missed, absolute(preference - limit))
    gains, gain = Total(policy * preference), (Total(policy * reward) - Total(old * reward)) / deviation
    more = claim(
        "vojnovic_yun_2025.advantage-limit.ratio",
        r"Under a policy with $\pi \leq \rho\,\pi_{\mathrm{old}}$ the mean distance is at most $\rho$ times as large",
        Summed(le(policy, ratio * old), missed, le(Total(policy * missed), ratio * Total(old * missed)), ONE),
    )
    yield more
    signed = [
        claim(
            f"vojnovic_yun_2025.advantage-limit.gains.{name}",
            f"The mean of the expected advantages is no further {name} its limit than this",
            Summed(premise, policy, conclusion, ONE),
        )
        for name, premise, conclusion in (
            ("above", le(preference - limit, missed), le(gains - Total(policy * limit), Total(policy * missed))),
            ("below", ge(preference - limit, -missed), ge(gains - Total(policy * limit), -Total(policy * missed))),
        )
    ]
    yield from signed
    rate = ratio * (sqrt(kurtosis) + 1)
    yield claim(
        "vojnovic_yun_2025.advantage-limit.reward-part",
        "The reward part of Equation (6) misses its limit for large groups by this at most",
        derivation=derive(
            absolute(gains - gain),
            "Equation (6) less its limit",
            given=(
                sums_to_one,
                eq(centre, Total(old * reward)),
                named,
                le(policy, ratio * old),
                le(Total(old * missed), bound),
            ),
        )
        .eq(absolute(gains - Total(policy * limit)), "the limit as a mean (`large-groups.reward-part`)")
        .le(Total(policy * missed), "on both sides", using=signed)
        .le(ratio * Total(old * missed), r"$\pi \leq \rho\,\pi_{\mathrm{old}}$", using=[more])
        .le(ratio * bound, "the mean distance is bounded (`advantage-limit.preference`)")
        .eq(rate * sqrt(1 / size), "collect"),
        equation=PLACE,
        beyond="exchanges limit and expectation for any rewards, with an explicit rate",
        fills=[
            Gap(
                "Section 2.1, limit of large groups",
                "limit and expectation of an unbounded quotient are exchanged without a reason",
            ),
        ],
    )
    gains_at = unknown_function("R_G", size, "reward part in groups of a size", latex=r"\mathcal{R}")
    near = le(absolute(gains_at(size) - gain), rate * sqrt(1 / size))
    yield claim(
        "vojnovic_yun_2025.advantage-limit.reward-part.limit",
        r"So the reward part tends to $\mathcal{R}_\infty$ as the groups grow",
        tends_to(gains_at(size), gain, size, to=None, side="oo", constant=rate, exponent=HALF),
        given=[for_every(size, near, such_as={gains_at: gain})],
        equation=PLACE,
    )


def _stationary() -> Iterator[Claim]:
    """Equation (13) where Equation (11) holds for groups of a size."""
    named = eq(missed, absolute(preference - limit))
    term = claim(
        "vojnovic_yun_2025.advantage-limit.one-output",
        "One output contributes no more to the mean distance than all do",
        TermOfTotal(policy * missed),
    )
    yield term
    yield claim(
        "vojnovic_yun_2025.advantage-limit.eq13",
        "A policy that satisfies Equation (11) for groups of $G$ satisfies Equation (13), with $R$ in the place of its "
        "leading 1, up to this",
        derivation=derive(
            absolute((covered - limit / beta) * policy - reference),
            "the two sides of Equation (13)",
            given=(
                named,
                eq((covered - (preference - average) / beta) * policy, reference),
                le(Total(policy * missed), bound),
            ),
        )
        .eq(
            policy * missed / beta,
            "Equation (11); the mean advantage is 0",
            using=[zero_mean.claim("mean-advantage")],
        )
        .le(Total(policy * missed) / beta, "no more than all outputs contribute", using=[term])
        .le(bound / beta, "the old policy is the policy (`advantage-limit.preference`)"),
        beyond="how far a stationary policy for groups of a size is from satisfying Equation (13)",
    )


exchanged = Result("From groups of any size to the limit", paper, derivation)
