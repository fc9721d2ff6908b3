r"""All contexts together: the paper defines the objective as a mean over contexts.

The paper averages over contexts and then studies one context. That loses nothing as long as the policy can be chosen
for each context by itself: whoever is best at every context is best on average (`contexts.best`), and only a policy
that is best at each context of positive probability is (`contexts.only`), however rare that context is. Where outputs
and contexts are spoken of at once, the mean of expectations given the context is a sum over all pairs of them
(`contexts.pairs`), and its derivative by the probability of an output in a context is that of the objective at this
context, times the probability of the context (`contexts.gradient`): the conditions at different contexts do not mix.
For a model that ties contexts together by shared parameters this says nothing.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta
from grpo_symbolic import (
    Claim,
    Derivative,
    Gap,
    IndexSet,
    Result,
    Summed,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    ge,
    le,
    log,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import direct_kl

CONTEXTS = IndexSet("context", "contexts", "q")

weight = real("mu", "(0, 1]", "probability of a context", latex=r"\mu({index})", indexed=CONTEXTS)
value = real("J", "(-oo, oo)", "objective of a policy at a context", latex=r"\mathcal{J}({index})", indexed=CONTEXTS)
best = real("J_best", "(-oo, oo)", "largest value there", latex=r"\mathcal{J}^*({index})", indexed=CONTEXTS)
mean, best_mean = Total(weight * value), Total(weight * best)

policy = real(
    "pi_given",
    "(0, 1]",
    "probability of an output in a context under the policy",
    latex=r"\pi_\theta({index} \mid {second})",
    indexed=(OUTPUTS, CONTEXTS),
)
reference = real(
    "ref_given",
    "(0, 1]",
    "probability of an output in a context under the reference policy",
    latex=r"\pi_{\mathrm{ref}}({index} \mid {second})",
    indexed=(OUTPUTS, CONTEXTS),
)
preference = real(
    "P_given",
    "(-oo, oo)",
    "expected advantage of an output in a context",
    latex=r"\mathcal{P}_G({index} \mid {second})",
    indexed=(OUTPUTS, CONTEXTS),
)


def derivation() -> Iterator[Claim]:
    """Best everywhere is best on average, and only that."""
    no_gain = claim(
        "vojnovic_yun_2025.contexts.loss.mean",
        "The mean loss against the best values is not negative if no loss is",
        Summed(le(value, best), weight, le(0, Total(weight * (best - value))), rational(1)),
    )
    yield no_gain
    yield claim(
        "vojnovic_yun_2025.contexts.best",
        "A policy that is best at every context is best on average",
        derivation=derive(mean, "mean objective of a policy", given=[le(value, best)])
        .eq(best_mean - Total(weight * (best - value)), "the best values less the losses")
        .le(best_mean, "the mean loss is not negative", using=[no_gain]),
        equation="Section 2.3, objective",
    )
    loss = claim(
        "vojnovic_yun_2025.contexts.loss",
        "What is lost at one context, times its probability, is no more than what is lost on average",
        TermOfTotal(weight * (best - value)),
        given=[le(value, best)],
    )
    yield loss
    yield claim(
        "vojnovic_yun_2025.contexts.only",
        "A policy that is not worse on average than the best at each context is best at every one of positive "
        "probability",
        derivation=derive(value, "the objective at a context", given=[le(value, best), ge(mean, best_mean)])
        .eq(best - weight * (best - value) / weight, "less than the largest by the loss")
        .eq(best, "the weighted loss is between 0 and that on average, which is not positive", using=[loss]),
        equation="Section 2.3, objective",
        fills=[
            Gap(
                "Section 2.3",
                "that a maximum on average is one at each context is used and not said",
            ),
        ],
    )
    yield from _outputs_and_contexts()


def _outputs_and_contexts() -> Iterator[Claim]:
    """The objective as a sum over outputs and contexts at once, and its gradient."""
    gains, divergence = Total(policy * preference, OUTPUTS), Total(direct_kl(policy, policy, reference), OUTPUTS)
    yield claim(
        "vojnovic_yun_2025.contexts.pairs",
        "The mean over contexts of the expected advantage given the context is the sum over all pairs of both",
        derivation=derive(Total(weight * gains), "mean over contexts of an expectation given the context")
        .eq(Total(Total(weight * policy * preference, OUTPUTS), CONTEXTS), "put the weight into the inner sum")
        .eq(Total(Total(weight * policy * preference, CONTEXTS), OUTPUTS), "sum in the other order"),
        equation="Section 2.3, objective",
    )
    yield claim(
        "vojnovic_yun_2025.contexts.shift",
        "What is added to all advantages in a context adds its mean over contexts, whatever the policy",
        derivation=derive(
            Total(weight * Total(policy * (preference + value), OUTPUTS)),
            "mean over contexts, all advantages in a context shifted by a number of it",
            given=[eq(Total(policy, OUTPUTS), 1)],
        )
        .eq(Total(weight * (gains + value * Total(policy, OUTPUTS))), "split the inner sum; the shift does not vary")
        .eq(Total(weight * gains) + mean, "in each context the policy sums to 1"),
        equation="Section 2.3, objective",
        beyond="a baseline that depends on the context alone does not change which policy is best",
    )
    objective = Total(weight * (gains - beta * divergence))
    yield claim(
        "vojnovic_yun_2025.contexts.gradient",
        "The derivative of the mean objective by the probability of an output in a context is about this context alone",
        derivation=derive(Derivative(objective, policy), "mean over contexts, with the direct divergence")
        .eq(
            weight * Derivative(gains - beta * divergence, policy),
            "the summands of other contexts do not depend on this probability",
        )
        .eq(weight * (preference - beta * (log(policy / reference) + 1)), "one summand depends on it; product rule"),
        equation="Section 2.3, objective",
        beyond="the first-order conditions at different contexts do not mix",
    )


contexts = Result("All contexts together", paper, derivation)
