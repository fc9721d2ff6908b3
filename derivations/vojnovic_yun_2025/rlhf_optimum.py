r"""RLHF: the optimum of Equation (3) is Equation (4), for any number of outputs (`eq4.unique`).

The first-order condition determines the policy up to the multiplier, and the sum over the outputs determines the
multiplier. That this is the maximum among all policies $\pi$, with zeros or without (`eq4.maximum`), and the only one
(`eq4.unique`), follows from an identity: the objective falls short of its value at the optimum $\pi^*$ by
$\beta\,\mathrm{KL}(\pi \Vert \pi^*)$ (`eq4.shortfall`). The value there is $\beta \log Z_q$ (`eq4.value`). The
objective does not contain an old policy, so there is nothing to iterate.

As the paper says, the optimum is a logarithmic opinion pool of the reference policy, with weight 1, and of the choice
probabilities of Luce, with weight $1/\beta$. These weights do not sum to 1, so it is no weighted mean of the
logarithms, and it is normalised by $Z_q$, not by the weights. The sums run over the outputs of the reference policy. By
definition the divergence of a policy that gives another output is infinite, so no optimum gives one.
"""

from collections.abc import Iterator, Mapping

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.gibbs_inequality import divergences, target
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    any_policy,
    any_sums_to_one,
    beta,
    old,
    policy,
    reference,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
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
    log,
    on_support,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import Definitions, direct_kl
from grpo_symbolic.grpo.enumeration import Context, Number, best_policy, divergence

#: RLHF penalises the divergence itself.
RLHF = Definitions(penalty=direct_kl)

reward = real("r", "(-oo, oo)", "expected reward of an output", latex=r"r_\phi({index} \mid q)", indexed=OUTPUTS)
multiplier = real("lambda_", "(-oo, oo)", "multiplier of the constraint that probabilities sum to 1", latex=r"\lambda")
normaliser = real("Z", "(0, oo)", "normalisation constant", latex=r"Z_q")
luce_total = real("W", "(0, oo)", "normalisation constant of the choice probabilities of Luce")
ONE = rational(1)

weight = reference * exp(reward / beta)
optimum = weight / normaliser
normalised = eq(Total(weight), normaliser)


def objective(at: Expression, given: Definitions = RLHF) -> Expression:
    """Equation (3) for one context."""
    return Total(at * reward) - beta * Total(given.penalty(at, old, reference))


def objective_of_any(given: Definitions = RLHF, rewards: Expression = reward) -> Expression:
    """Equation (3) for a policy that may never give some outputs, which then add nothing to the divergence."""
    penalty = on_support(any_policy, given.penalty(any_policy, old, reference))
    return Total(any_policy * rewards) - beta * Total(penalty)


def optimum_by_search(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The first probability of the numerically best policy over three outputs, and Equation (4)."""
    beta_here, rewards, prior = _setting(values, context)
    found = best_policy(rewards, prior, beta_here, context)
    weights = [share * context.exp(item / beta_here) for share, item in zip(prior, rewards, strict=True)]
    return found[0], weights[0] / context.fsum(weights)


def shortfall_by_evaluation(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """By how much the objective of a policy falls short of the numerical optimum, and the divergence from it."""
    beta_here, rewards, prior = _setting(values, context)
    best = best_policy(rewards, prior, beta_here, context)
    policy_here = [(share + context.one / 3) / 2 for share in reversed(prior)]

    def value(at: list[Number]) -> Number:
        return context.fdot(at, rewards) - beta_here * divergence(at, prior, context)

    return value(best) - value(policy_here), beta_here * divergence(policy_here, best, context)


def _setting(values: Mapping[str, Number], context: Context) -> tuple[Number, list[Number], list[Number]]:
    shift = values["r"] / 50
    return values["beta"] / 10 + 1, [shift, 1 - shift, shift**2], [context.mpf(share) / 10 for share in (2, 3, 5)]


def derivation(given: Definitions = RLHF) -> Iterator[Claim]:
    """First order, then the identity that makes it the maximum, then the pooling form."""
    first_order = eq(Derivative(objective(policy, given), policy), multiplier)
    stationary = claim(
        "vojnovic_yun_2025.eq4.stationary",
        "Stationarity determines the policy up to the multiplier",
        derivation=derive(first_order, "the derivative of Equation (3) is the multiplier")
        .iff(eq(reward - beta * (log(policy / reference) + 1), multiplier), "differentiate")
        .iff(eq(policy, weight * exp(-(multiplier / beta) - 1)), "solve for the policy"),
        equation="Section 1.1, Eq. (4)",
    )
    yield stationary
    constant = exp(-(multiplier / beta) - 1)
    summed = claim(
        "vojnovic_yun_2025.eq4.normalisation",
        "The sum over the outputs determines the multiplier",
        Summed(eq(policy, weight * constant), ONE, eq(constant, 1 / normaliser), -normaliser),
        given=[sums_to_one, normalised],
    )
    yield summed
    yield claim(
        "vojnovic_yun_2025.eq4",
        "The stationary policy",
        derivation=derive(first_order, "stationarity", given=[sums_to_one, normalised])
        .implies(eq(policy, weight * constant), "solved for the policy", using=[stationary])
        .implies(eq(policy, optimum), "put in the multiplier", using=[summed]),
        using=[stationary, summed],
        equation="Eq. (4)",
        printed=paper.quote(
            "Section 1.1, Eq. (4)",
            r"\pi_\theta(o \mid q) = \frac{1}{Z_q} \pi_{\mathrm{ref}}(o \mid q) e^{\frac{1}{\beta} r_\phi(o \mid q)}",
            implies(first_order, eq(policy, 1 / normaliser * reference * exp(1 / beta * reward))),
            given=(sums_to_one, normalised),
        ),
        oracle=Oracle("maximises Equation (3) over three outputs, beside Equation (4)", optimum_by_search),
    )
    yield from _maximum(given)
    yield from _pooling()


def _maximum(given: Definitions) -> Iterator[Claim]:
    """The objective falls short of its maximum by a divergence."""
    sums, divergence = (any_sums_to_one, normalised), Total(on_support(any_policy, direct_kl(any_policy, old, optimum)))
    largest = claim(
        "vojnovic_yun_2025.eq4.value",
        r"The value of Equation (3) at Equation (4) is $\beta \log Z_q$",
        derivation=derive(objective(optimum, given), "Equation (3) at Equation (4)", given=[normalised])
        .eq(
            Total(optimum * reward) - beta * Total(optimum * (reward / beta - log(normaliser))),
            r"the logarithm of $\pi^*/\pi_{\mathrm{ref}}$ is $r/\beta - \log Z_q$",
        )
        .eq(beta * log(normaliser) * (Total(weight) / normaliser), "split the sum: the rewards cancel")
        .eq(beta * log(normaliser), "the weights sum to $Z_q$"),
        equation="Eq. (3)",
    )
    yield largest
    shortfall = claim(
        "vojnovic_yun_2025.eq4.shortfall",
        r"Every policy falls short of this value by $\beta\,\mathrm{KL}(\pi \Vert \pi^*)$",
        derivation=derive(
            beta * log(normaliser) - objective_of_any(given), "value at Equation (4) minus Equation (3)", given=sums
        )
        .eq(
            beta
            * Total(
                on_support(any_policy, any_policy * (log(normaliser) - reward / beta + log(any_policy / reference)))
            ),
            "take all under one sum; the policy sums to 1",
        )
        .eq(beta * divergence, r"$\log\pi^* = \log\pi_{\mathrm{ref}} + r/\beta - \log Z_q$"),
        equation="Section 1.1, after Eq. (4)",
        oracle=Oracle("evaluates Equation (3) beside its numerical maximum", shortfall_by_evaluation),
        beyond="how far a policy falls short of the optimum",
    )
    yield shortfall
    no_term_larger = claim(
        "vojnovic_yun_2025.eq4.probability",
        "No weight exceeds the sum of all, so Equation (4) gives probabilities",
        TermOfTotal(weight),
    )
    yield no_term_larger
    positive = divergences.claim("gibbs.nonnegative").at({target: optimum})
    yield claim(
        "vojnovic_yun_2025.eq4.maximum",
        "So no policy, with zeros or without, is better than Equation (4), whatever the rewards",
        derivation=derive(objective_of_any(given), "Equation (3) for any policy", given=sums)
        .eq(
            beta * log(normaliser) - beta * divergence,
            "it falls short of the value by the divergence",
            using=[shortfall],
        )
        .le(beta * log(normaliser), "the divergence is not negative", using=[no_term_larger, positive])
        .eq(objective(optimum, given), "this is the value at Equation (4)", using=[largest]),
        equation="Section 1.1, after Eq. (4)",
    )
    equal = divergences.claim("gibbs.equal").at({target: optimum})
    yield claim(
        "vojnovic_yun_2025.eq4.unique",
        "A policy that is as good as Equation (4) is that of Equation (4) at every output: no other one is a maximum",
        derivation=derive(
            any_policy,
            "a policy that reaches the value",
            given=[*sums, eq(target, optimum), ge(objective_of_any(given), beta * log(normaliser))],
        )
        .eq(optimum, "the shortfall, so the divergence, is not positive", using=[shortfall, no_term_larger, equal])
        .eq(target, "the policy of Equation (4)"),
        equation="Section 1.1, after Eq. (4)",
        beyond="the optimum is the only maximum among all policies, for every reward and weight",
    )


def _pooling() -> Iterator[Claim]:
    """The optimum as a weighted geometric mean."""
    luce = exp(reward) / luce_total
    pooled, factor = reference * exp(log(luce) / beta), exp(1 / beta * log(luce_total))
    yield claim(
        "vojnovic_yun_2025.eq4.pooling",
        r"It is the logarithmic pool of the reference, with weight 1, and Luce's choice, with weight $1/\beta$",
        derivation=derive(optimum, "Equation (4)", given=[normalised])
        .eq(weight / Total(weight), "the weights sum to $Z_q$")
        .eq(pooled * factor / Total(pooled * factor), r"put in $r = \log(e^r/W) + \log W$")
        .eq(pooled / Total(pooled), "the common factor cancels"),
        equation="Section 1.1, after Eq. (4)",
        printed=paper.quote(
            "Section 1.1, after Eq. (4)",
            r"\pi_\theta(o \mid q) \propto \pi_{\mathrm{ref}}(o \mid q)^1 \left(\frac{e^{r_\phi(o \mid q)}}"
            r"{\sum_{o'} e^{r_\phi(o' \mid q)}}\right)^{1/\beta}",
            eq(optimum * Total(pooled), pooled),
            given=(normalised,),
        ),
    )


rlhf = Result("The optimum of RLHF", paper, derivation)
