r"""Groups of two, several outputs: at most one stationary policy with full support, which the gradient flow nears.

The paper solves Equation (12) for two answers. For any number of outputs the on-policy gradient is strictly monotone
(`pairs.gradient.monotone`): for two policies that give the same outputs
$$\sum_o (\pi(o) - \pi^*(o))\,(g(o) - g^*(o)) = -\beta \sum_o \pi_{\mathrm{ref}}(o)\,
\frac{(\pi(o) - \pi^*(o))^2}{\pi(o)\,\pi^*(o)}.$$
The rewards do not appear, because expected advantages in groups of two are antisymmetric (a hypothesis below; see
`direct-kl.pairs.antisymmetric`). So there is at most one stationary policy that gives these outputs (`pairs.unique`).
That there is one is not checked here. It would follow from Brouwer's theorem: what is best for the objective with the
reverse divergence as the penalty, beside an old policy, is one policy and depends continuously on the old one (neither
is stated here), so one policy stays.

Along two flows a distance from it falls, at the same rate, at every other policy that gives these outputs
(`pairs.flow.projected`, `pairs.flow.natural`). Half the squared distance from it falls by $\beta$ times the sum on the
right per unit of time along the projected gradient (`pairs.flow.projected`), and the divergence from it does along the
natural gradient (`pairs.flow.natural`), which changes a probability at the rate
$\pi(o)\,(g(o) - \sum_{o'} \pi(o')\, g(o'))$. In both statements $g^*(o) - \lambda^*$, which is 0, has been subtracted
from $g(o)$. What this uses of groups of two is that the rewards drop out. They also do with shift-only normalisation
for every group size (`shift-only.antisymmetric`), and with two rewards in groups of three (`triples.antisymmetric`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import reward, size
from derivations.vojnovic_yun_2025.gibbs_inequality import target
from derivations.vojnovic_yun_2025.kkt_conditions import multiplier, on_policy_gradient
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, policy, preference, reference, sums_to_one
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

other_preference = real(
    "P_star",
    "(-oo, oo)",
    "expected advantage of an output beside a group of the other policy",
    latex=r"\mathcal{P}^*_2({index})",
    indexed=OUTPUTS,
)
other_multiplier = real("lambda_star", "(-oo, oo)", "multiplier of the other policy", latex=r"\lambda^*")
velocity = real("u", "(-oo, oo)", "rate of change of an output's probability", latex="u({index})", indexed=OUTPUTS)
mean_gradient = real("a", "(-oo, oo)", "what keeps the probabilities' sum", latex="a")
centre = real("m", "(-oo, oo)", "mean reward, or probability of a success, under the policy")
other_centre = real("m_star", "(-oo, oo)", "the same under the other policy", latex="m^*")
success = real("p_o", "[0, 1]", "probability of a success with an output", latex="p({index})", indexed=OUTPUTS)
ONE = rational(1)

difference = policy - target
weighted_square = reference * difference**2 / (policy * target)
both_sum = (sums_to_one, eq(Total(target), 1))
#: Expected advantages are antisymmetric, see direct-kl.pairs.antisymmetric.
antisymmetric = eq(Total(difference * (preference - other_preference)), 0)


#: The on-policy gradient at the two policies.
here = preference - beta * (1 - reference / policy)
there = other_preference - beta * (1 - reference / target)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The gradient is strictly monotone; therefore one stationary policy, and two flows that lead to it."""
    yield claim(
        "vojnovic_yun_2025.pairs.gradient",
        "The on-policy gradient",
        derivation=derive(on_policy_gradient(given), "differentiate, then put old = new").eq(here, "collect"),
        equation="Appendix A",
    )
    yield from _monotone()
    yield from _flows()
    yield from _other_groups()


def _monotone() -> Iterator[Claim]:
    """One output, the sum, and two stationary policies."""
    rewards = difference * (preference - other_preference)
    term = derive(difference * (here - there), "one output").eq(
        rewards - beta * weighted_square,
        "the penalty's part of the gradient is $\\beta(\\pi_{\\mathrm{ref}}/\\pi - 1)$",
    )
    yield claim(
        "vojnovic_yun_2025.pairs.gradient.term", "The gradients at two policies, at one output", derivation=term
    )
    yield claim(
        "vojnovic_yun_2025.pairs.gradient.monotone",
        "Where the rewards' part sums to 0, the penalty's part is left: a sum of weighted squares",
        Summed(
            eq(difference * (here - there), rewards - beta * weighted_square),
            ONE,
            eq(Total(difference * (here - there)), -(beta * Total(weighted_square))),
            ONE,
        ),
        given=[antisymmetric],
        beyond="the on-policy gradient in groups of two is monotone, for any number of outputs",
    )
    stationary = eq(here - there, multiplier - other_multiplier)
    no_distance = claim(
        "vojnovic_yun_2025.pairs.two-stationary",
        "For two stationary policies this sum is 0",
        Summed(stationary, difference, eq(Total(weighted_square), 0), -beta),
        given=[*both_sum, antisymmetric],
    )
    yield no_distance
    term = claim(
        "vojnovic_yun_2025.pairs.distance.term",
        "No term of it exceeds the sum",
        TermOfTotal(weighted_square),
    )
    yield term
    yield claim(
        "vojnovic_yun_2025.pairs.unique",
        "No term is negative, so each is 0: two stationary policies that give the same outputs are equal",
        derivation=derive(policy, "the one policy", given=[stationary, *both_sum, antisymmetric])
        .eq(target + difference, "add their difference")
        .eq(target, "its weighted square is at most the sum, which is 0", using=[no_distance, term]),
        equation="Eq. (12)",
        beyond="Equation (12) has one solution at most that gives these outputs, for any number of outputs",
        cites=["Brouwer's theorem"],
    )


def _other_groups() -> Iterator[Claim]:
    """Where else the rewards drop out."""
    scale, root = 1 - 1 / size, sqrt(rational(2))
    shift_only = scale * (reward - centre) - scale * (reward - other_centre)
    triples = root * (success - centre) - root * (success - other_centre)
    without_rewards = claim(
        "vojnovic_yun_2025.shift-only.antisymmetric.sum",
        "The differences of shifted rewards are the same for all outputs, so their weighted sum vanishes",
        derivation=derive(
            Total(difference * shift_only), "weighted with the difference of two policies", given=both_sum
        )
        .eq(Total(difference * (scale * (other_centre - centre))), "the rewards cancel")
        .eq(scale * (other_centre - centre) * (Total(policy) - Total(target)), "take out what all have in common")
        .eq(0, "both policies sum to 1"),
    )
    yield without_rewards
    yield claim(
        "vojnovic_yun_2025.shift-only.antisymmetric",
        "With shift-only normalisation the rewards drop out for every group size",
        Summed(
            eq(preference - other_preference, shift_only),
            difference,
            antisymmetric,
            ONE,
        ),
        given=both_sum,
        using=[without_rewards],
        equation="Section 3, shift-only normalisation",
        beyond="with shift-only normalisation two stationary policies that give the same outputs are equal "
        "(`pairs.unique`), for every group size",
    )
    yield claim(
        "vojnovic_yun_2025.triples.antisymmetric",
        "And with two rewards, random or not, in groups of three, where the effective margin is always $\\sqrt{2}$",
        Summed(
            eq(preference - other_preference, triples),
            difference,
            antisymmetric,
            ONE,
        ),
        given=both_sum,
        beyond="with two rewards two stationary policies that give the same outputs are equal (`pairs.unique`) in "
        "groups of three as well, for any number of outputs",
    )


def _flows() -> Iterator[Claim]:
    """How far a policy is from the stationary one, whose gradient is its multiplier, as it moves along the gradient."""
    excess = here - (there - other_multiplier)
    falls = -(beta * Total(weighted_square))
    yield claim(
        "vojnovic_yun_2025.pairs.flow.projected",
        "Along the projected gradient half the squared distance changes at this rate",
        Summed(eq(velocity, excess - mean_gradient), difference, eq(Total(difference * velocity), falls), ONE),
        given=[*both_sum, antisymmetric],
        beyond="the squared distance from a stationary policy falls along the projected gradient, in groups of two",
    )
    yield claim(
        "vojnovic_yun_2025.pairs.flow.natural",
        "Along the natural gradient the divergence from the stationary policy changes at the same rate",
        Summed(
            eq(velocity, policy * (excess - mean_gradient)),
            -target / policy,
            eq(-Total(target / policy * velocity), falls),
            ONE,
        ),
        given=[*both_sum, antisymmetric, eq(mean_gradient, Total(policy * excess))],
        beyond="so does the divergence along the natural gradient, in groups of two",
    )


one_policy = Result("One stationary policy for groups of two", paper, derivation)
