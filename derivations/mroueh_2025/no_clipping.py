r"""Without clipping each step is, for one prompt, RLHF with an adapted weight (Section 2.3).

Sampling from the old policy and weighting by the ratio of the policies gives the expectation under the policy itself
(`eq5`), provided the old policy gives every output that the policy gives. This holds for a language model, whose
probabilities are positive. Otherwise the two problems differ by the advantage of what the policy puts on outputs that
are never sampled (`eq5.support`).

With the weights of Equation (4) the expected advantage of a policy that succeeds with probability $0 < x < 1$ is $(x -
p)/\sqrt{p(1-p)+\varepsilon}$ (`eq5.affine`). So for one prompt the problem (5), and each step of the iteration,
Equation (6), is ordinary RLHF up to a positive factor and a constant (`eq6.rlhf`): reward minus weighted divergence,
with the weight $\beta\sqrt{p(1-p)+\varepsilon}$ of the divergence. This lies between $\beta\sqrt{\varepsilon}$ for an
old policy that always or never succeeds and $\beta\sqrt{1/4+\varepsilon}$ at one half (`eq6.rlhf-weight`). The paper
does not say this. For one prompt, where the factor does not matter, this is all that standardising changes in a step
without clipping (`eq6.rlhf`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta, epsilon, omega_minus, omega_plus, p
from derivations.mroueh_2025.outputs import gain, loss, old, policy, success, width
from derivations.mroueh_2025.success_map import x
from grpo_symbolic import (
    Claim,
    Group,
    IndexSet,
    Result,
    Total,
    absolute,
    binary,
    both,
    claim,
    derive,
    eq,
    ge,
    iff,
    le,
    maximum,
    minimum,
    rational,
    real,
    sqrt,
)

ratio = policy / old
sampled = gain * Total(old * ratio * success) - loss * Total(old * ratio * (1 - success))
unsampled_success = real("u_1", "[0, 1]", "probability of successes that the old policy never gives", latex="u_1")
unsampled_failure = real("u_0", "[0, 1]", "probability of failures that the old policy never gives", latex="u_0")
MEMBERS = IndexSet("member", "members", "i")
reward = real("r_member", "(-oo, oo)", "reward of a member of the group", latex="r_{index}", indexed=MEMBERS)
divergence = real("D", "[0, oo)", "divergence of the policy from the reference", latex="D")
smoothed_deviation = sqrt(p * (1 - p) + epsilon)


def derivation() -> Iterator[Claim]:
    """The passage to infinite width, importance sampling, and the adapted weight."""
    yield claim(
        "mroueh_2025.no-clip.wide",
        "A width of at least the distance of the ratio from 1 leaves the ratio as it is, on both sides",
        derivation=derive(ge(width, absolute(ratio - 1)), "distance of the ratio from 1")
        .iff(both(le(ratio, 1 + width), ge(ratio, 1 - width)), "$|v| \\le c$ says $-c \\le v \\le c$")
        .iff(
            both(eq(minimum(ratio, 1 + width), ratio), eq(maximum(ratio, 1 - width), ratio)),
            "the smaller, and the larger, of two numbers is the first",
        ),
        equation="Section 2.3, GRPO-No-Clip",
    )
    yield from importance_sampling()
    yield from adapted_weight()


def importance_sampling() -> Iterator[Claim]:
    """Eq. (5) and what it needs."""
    direct = gain * Total(policy * success) - loss * Total(policy * (1 - success))
    whole = gain * (Total(policy * success) + unsampled_success) - loss * (
        Total(policy * (1 - success)) + unsampled_failure
    )
    half_way = gain * Total(policy * success) - loss * Total(old * ratio * (1 - success))
    same = claim(
        "mroueh_2025.eq5",
        "Where the old policy gives all outputs, the weighted expectations are those under the policy",
        derivation=derive(sampled, "expectations under the old policy, weighted by the ratio")
        .eq(half_way, "in each term of a success $\\pi_{\\theta_{\\mathrm{old}}}$ cancels against the ratio")
        .eq(direct, "in each term of a failure as well"),
        equation="Eq. (5)",
        printed=paper.quote(
            "Section 2.3, Eq. (5)",
            r"\omega_{\varepsilon}^{+}(p) \mathbb{E}_{o \sim \pi_\theta(.|q)} \mathbf{1}_{r(q,o)=1}"
            r" - \omega_{\varepsilon}^{-}(p) \mathbb{E}_{o \sim \pi_\theta(.|q)} \mathbf{1}_{r(q,o)=0}",
            eq(sampled, whole),
            given=(eq(Total(old), 1), eq(Total(policy), 1 - unsampled_success - unsampled_failure)),
            another_reading=True,
            fails_at={
                policy: [rational(1, 4), rational(1, 4)],
                old: [rational(1, 2), rational(1, 2)],
                success: [1, 0],
                unsampled_success: rational(1, 2),
                unsampled_failure: 0,
                gain: 1,
                loss: 1,
            },
            instead="Read of old policies that give every output, as a language model does and every policy of "
            "Theorem 1 whose reference does, the problems are equivalent. Read of any old policy they need not be: "
            "they differ by the advantage of the outputs that are never sampled (`eq5.support`).",
        ),
    )
    yield same
    yield claim(
        "mroueh_2025.eq5.support",
        "Otherwise the problems differ by the advantage of the outputs that are never sampled",
        derivation=derive(whole - sampled, "advantage under the policy less what is sampled of it")
        .eq(whole - direct, "what is sampled is what the policy puts on sampled outputs", using=[same])
        .eq(gain * unsampled_success - loss * unsampled_failure, "multiply out; both sums cancel"),
        equation="Eq. (5)",
    )


def adapted_weight() -> Iterator[Claim]:
    """The objective as a function of the success probability."""
    expected = omega_plus(p) * x - omega_minus(p) * (1 - x)
    group = Group(reward, 2, binary(x))
    affine = claim(
        "mroueh_2025.eq5.affine",
        "The expected advantage is the lead in success over the old policy, in smoothed standard deviations",
        derivation=derive(
            group.expectation(omega_plus(p) * reward - omega_minus(p) * (1 - reward)),
            "advantage of an output of the policy, whose reward is 1 with probability $x$ and else 0",
        )
        .eq(expected, "both rewards, each with its probability")
        .eq((1 - p) / smoothed_deviation * x - p / smoothed_deviation * (1 - x), "put in the weights of Eq. (4)")
        .eq(((1 - p) * x - p * (1 - x)) / smoothed_deviation, "common denominator")
        .eq((x - p) / smoothed_deviation, "the product $px$ cancels"),
        equation="Eq. (5)",
    )
    yield affine
    yield claim(
        "mroueh_2025.eq5.old",
        "It vanishes exactly for policies that succeed as often as the old one",
        derivation=derive(eq(expected, 0), "the expected advantage vanishes")
        .iff(eq((x - p) / smoothed_deviation, 0), "it is a lead in standard deviations", using=[affine])
        .iff(eq(x, p), "multiply by the root, which is positive"),
    )
    yield claim(
        "mroueh_2025.eq6.rlhf",
        "For one prompt, up to a positive factor and a constant, a step is RLHF with the weight "
        "$\\beta\\sqrt{p(1-p)+\\varepsilon}$",
        derivation=derive(smoothed_deviation * (expected - beta * divergence), "objective of Eq. (6), scaled")
        .eq((x - p) - beta * smoothed_deviation * divergence, "both terms of the advantage", using=[affine])
        .eq((x - beta * smoothed_deviation * divergence) - p, "the old success probability is a constant"),
        equation="Eq. (6)",
        beyond="identifies each step, for one prompt, as RLHF with an adapted weight",
    )
    half = rational(1, 2)
    largest = sqrt(rational(1, 4) + epsilon)
    only_there = claim(
        "mroueh_2025.eq6.rlhf-weight.largest",
        "The weight is that at one half only there",
        derivation=derive(eq(beta * smoothed_deviation, beta * largest), "the weight is that at one half")
        .iff(eq(p * (1 - p), rational(1, 4)), "divide by $\\beta$, square and subtract $\\varepsilon$")
        .iff(eq((p - half) ** 2, 0), "$\\frac14 - p(1-p) = (p - \\frac12)^2$")
        .iff(eq(p, half), "a square is 0 only at 0"),
    )
    yield only_there
    yield claim(
        "mroueh_2025.eq6.rlhf-weight",
        "This weight lies between its values at the ends and at one half; the latter it attains only there",
        both(
            le(beta * sqrt(epsilon), beta * smoothed_deviation),
            le(beta * smoothed_deviation, beta * sqrt(rational(1, 4) + epsilon)),
            iff(eq(beta * smoothed_deviation, beta * sqrt(rational(1, 4) + epsilon)), eq(p, half)),
        ),
        using=[only_there],
        beyond="bounds this weight",
    )


unclipped = Result("The objective without clipping", paper, derivation)
