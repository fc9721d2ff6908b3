r"""All contexts together: the paper defines the objective as a mean over contexts.

The paper averages over contexts and then studies one context. That loses nothing as long as the policy can be chosen
for each context by itself: whoever is best at every context is best on average (`contexts.best`), and only a policy
that is best at each context of positive probability is (`contexts.only`), however rare that context is. A sum runs here
over contexts. For a model that ties contexts together by shared parameters this says nothing.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import OUTPUTS
from grpo_symbolic import Claim, Gap, Result, Summed, TermOfTotal, Total, claim, derive, ge, le, rational, real

weight = real("mu", "(0, 1]", "probability of a context", latex=r"\mu({index})", indexed=OUTPUTS)
value = real("J", "(-oo, oo)", "objective of a policy at a context", latex=r"\mathcal{J}({index})", indexed=OUTPUTS)
best = real("J_best", "(-oo, oo)", "largest value there", latex=r"\mathcal{J}^*({index})", indexed=OUTPUTS)
mean, best_mean = Total(weight * value), Total(weight * best)


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


contexts = Result("All contexts together", paper, derivation)
