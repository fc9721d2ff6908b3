r"""Direct divergence, several outputs: logarithmic pooling, and its relation to NLHF (Section 3).

With the divergence $\mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}})$ as the penalty, the objective at a fixed old
policy is that of RLHF with the expected advantages as rewards (`direct-kl.pooling`). So each update is Equation (4)
with these rewards, the only maximum among all policies, with zeros or without (`direct-kl.pooling.unique`), and a
stationary policy satisfies the printed formula (`direct-kl.pooling`). As the advantages depend on the policy, there may
be more than one stationary policy, as in the limit of large groups (`direct-kl.zeros.first`, `direct-kl.zeros.second`).

For groups of two there is the relation to NLHF that the paper hints at. Let ties count one half, so that
$\mathcal{P}_2 = 2\mathcal{Q} - 1$. Then the stationary policies with weight $\beta$ are the equilibria of NLHF with
the preferences $\mathcal{Q}$ and the weight $\beta/2$ (`direct-kl.pairs.nlhf`), for any number of outputs and for
random rewards. The factor 2 between the two reward parts is not negligible: it halves the weight. It follows that there
is at most one stationary policy (`direct-kl.pairs.unique`), which the paper shows for two answers only.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.gibbs_inequality import target
from derivations.vojnovic_yun_2025.nlhf_equilibrium import wins
from derivations.vojnovic_yun_2025.nlhf_uniqueness import (
    change,
    first_constant,
    second_constant,
    uniqueness,
)
from derivations.vojnovic_yun_2025.outputs import (
    OTHER,
    antisymmetric,
    any_policy,
    any_sums_to_one,
    beta,
    expected,
    old,
    policy,
    preference,
    prefers,
    reference,
    sums_to_one,
)
from derivations.vojnovic_yun_2025.rlhf_optimum import RLHF, multiplier, normaliser, objective_of_any, reward, rlhf
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Summed,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    exp,
    ge,
    implies,
    le,
    log,
    rational,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions

ONE = rational(1)
weight = reference * exp(preference / beta)
sums = (sums_to_one, eq(Total(weight), normaliser))


def objective(given: Definitions = RLHF) -> Expression:
    """The reward part, at expected advantages that the old policy fixes, minus the weighted penalty."""
    return Total(policy * preference) - beta * Total(given.penalty(policy, old, reference))


def derivation(given: Definitions = RLHF) -> Iterator[Claim]:
    """The pooling formula, that it is the maximum, and groups of two."""
    optimal = rlhf.claim("eq4").at({reward: preference})
    first_order = eq(Derivative(objective(given), policy), multiplier)
    yield claim(
        "vojnovic_yun_2025.direct-kl.pooling",
        r"A stationary policy is the reference, tilted by the exponential of the expected advantages over $\beta$",
        derivation=derive(first_order, "stationarity; then the old policy is put equal to the policy", given=sums)
        .implies(eq(preference - beta * (log(policy / reference) + 1), multiplier), "differentiate")
        .implies(eq(policy, weight * exp(-(multiplier / beta) - 1)), "solve for the policy")
        .implies(
            eq(policy, weight / normaliser),
            "the sum over the outputs determines the factor",
            using=[rlhf.claim("eq4.normalisation").at({reward: preference})],
        ),
        equation="Section 3, direct divergence",
        using=[optimal],
        printed=paper.quote(
            "Section 3, direct divergence",
            r"\pi_\theta(o \mid q) = \frac{1}{Z_q} e^{\frac{\mathcal{P}_G(o \mid \pi_\theta(\cdot \mid q), q)}{\beta}}"
            r" \pi_{\mathrm{ref}}(o \mid q)",
            implies(first_order, eq(policy, 1 / normaliser * exp(preference / beta) * reference)),
            given=sums,
        ),
        paper_uses=["weighted-penalty"],
    )
    tilted, of_any = weight / normaliser, (any_sums_to_one, eq(Total(weight), normaliser))
    best = beta * log(normaliser)
    yield claim(
        "vojnovic_yun_2025.direct-kl.pooling.maximum",
        "At a fixed old policy no policy, with zeros or without, is better than this tilted reference",
        derivation=derive(
            objective_of_any(given, preference), "objective of any policy, old policy fixed", given=of_any
        )
        .le(
            Total(tilted * preference) - beta * Total(given.penalty(tilted, old, reference)),
            "that of RLHF with the expected advantages as rewards",
            using=[rlhf.claim("eq4.maximum").at({reward: preference})],
        )
        .eq(best, "value of this policy", using=[rlhf.claim("eq4.value").at({reward: preference})]),
        equation="Section 3, direct divergence",
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.pooling.unique",
        "It is the only maximum among all policies: what reaches its value is the same",
        derivation=derive(
            any_policy,
            "a policy that reaches the value",
            given=[*of_any, eq(target, tilted), ge(objective_of_any(given, preference), best)],
        )
        .eq(
            tilted,
            "in RLHF, with the expected advantages as rewards, it is Equation (4)",
            using=[rlhf.claim("eq4.unique").at({reward: preference})],
        )
        .eq(target, "the tilted reference"),
        equation="Section 3, direct divergence",
        beyond="the policy of each update is the only maximum among all policies",
    )
    share = exp(preference) / Total(exp(preference))
    pooled, factor = reference * exp(log(share) / beta), exp(1 / beta * log(Total(exp(preference))))
    yield claim(
        "vojnovic_yun_2025.direct-kl.pooling.logarithmic",
        r"It is a logarithmic pool: weight 1 for the reference, $1/\beta$ for the choice by expected advantage",
        derivation=derive(weight / normaliser, "the tilted reference", given=[eq(Total(weight), normaliser)])
        .eq(weight / Total(weight), "the weights sum to $Z_q$")
        .eq(pooled * factor / Total(pooled * factor), "put in the choice; its normaliser gives a common factor")
        .eq(pooled / Total(pooled), "which cancels"),
        equation="Section 1.2, last point",
    )
    yield from _groups_of_two()


def _groups_of_two() -> Iterator[Claim]:
    """Groups of two are NLHF at half the weight, so the stationary policy is unique."""
    common = exp(-(1 / beta))
    in_pairs, in_game = reference * exp((2 * wins - 1) / beta), reference * exp(wins / (beta / 2))
    yield claim(
        "vojnovic_yun_2025.direct-kl.pairs.nlhf",
        "For groups of two the stationary policies are the equilibria of NLHF at half the weight, ties being halves",
        derivation=derive(in_pairs / Total(in_pairs), r"the tilted reference with $\mathcal{P}_2 = 2\mathcal{Q} - 1$")
        .eq(common * in_game / Total(common * in_game), r"$(2m-1)/\beta = m/(\beta/2) - 1/\beta$")
        .eq(in_game / Total(in_game), "the common factor cancels"),
        equation="Section 3, groups of size two",
        beyond="says how the two alignment objectives are akin",
    )
    margins, change_other = 2 * prefers - 1, change.at(OTHER)
    yield claim(
        "vojnovic_yun_2025.direct-kl.pairs.antisymmetric",
        "If margins are antisymmetric, as in groups of two, their weighted sum vanishes for any difference",
        Summed(
            antisymmetric, change * change_other, eq(Total(change * expected(change_other * margins)), 0), rational(1)
        ),
        given=[antisymmetric],
    )
    difference, logarithms = policy - target, log(policy) - log(target)
    difference_other = policy.at(OTHER) - target.at(OTHER)
    gain = expected(difference_other * margins)
    vanishing = claim(
        "vojnovic_yun_2025.direct-kl.pairs.antisymmetric.policies",
        "The same, written with two policies",
        Summed(antisymmetric, difference * difference_other, eq(Total(difference * gain), 0), rational(1)),
        given=[antisymmetric],
    )
    yield vanishing
    apart = eq(logarithms, gain / beta - (log(first_constant) - log(second_constant)))
    both_sum = (sums_to_one, eq(Total(target), 1), antisymmetric)
    no_distance = claim(
        "vojnovic_yun_2025.direct-kl.pairs.two",
        r"So two stationary policies have the distance $\sum_o (\pi - \tilde\pi)(\log\pi - \log\tilde\pi) = 0$",
        Summed(apart, difference, eq(Total(difference * logarithms), 0), ONE),
        given=both_sum,
        using=[vanishing],
    )
    yield no_distance
    term = claim(
        "vojnovic_yun_2025.direct-kl.pairs.distance.term",
        "No term of this distance exceeds it",
        TermOfTotal(difference * logarithms),
    )
    yield term
    same = claim(
        "vojnovic_yun_2025.direct-kl.pairs.distance.none",
        "Where a term is not positive both policies agree",
        derivation=derive(policy, "the one policy", given=[le(difference * logarithms, 0)])
        .eq(target + (sqrt(policy) - sqrt(target)) * (sqrt(policy) + sqrt(target)), "difference of squares")
        .eq(
            target,
            "the term is at least twice the square of the first bracket",
            using=[uniqueness.claim("eq5.distance")],
        ),
    )
    yield same
    yield claim(
        "vojnovic_yun_2025.direct-kl.pairs.unique",
        "No term is negative, so each is 0: in groups of two, stationary policies are equal at every output",
        derivation=derive(policy, "the one policy", given=[apart, *both_sum])
        .eq(target + difference, "add their difference")
        .eq(target, "times the difference of the logarithms it is at most 0", using=[no_distance, term, same]),
        equation="Section 3, groups of size two",
        beyond="there is at most one stationary policy in groups of two, for any number of outputs",
    )


pooling = Result("Direct divergence: logarithmic pooling", paper, derivation)
