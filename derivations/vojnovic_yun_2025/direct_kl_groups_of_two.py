r"""Direct divergence, groups of two: logarithmic pooling.

With the divergence $\mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}})$ as the penalty the objective for groups of two
is strictly concave and its derivative does not depend on the old policy (`direct-kl-pairs.gradient`). So the printed
stationary policy is the only one (`direct-kl-pairs.root`), it is the maximum, and it is reached by a single update
(`direct-kl-pairs.maximum`). It is what the pooling formula of Section 3 gives for two answers, although that formula
contains the policy on both sides (`direct-kl-pairs.pooling`).

As the caption of Figure 3 says, the dependence on the reference policy is continuous at 0: the probability of the
better answer is at most $e^{\gamma/\beta}$ times its reference probability (`direct-kl-pairs.continuous`). The price is
that no positive bound like $1 - \beta/\gamma$ holds for all reference policies (`direct-kl-pairs.continuous`,
`direct-kl-pairs.no-uniform-bound`). In return the other answer's probability falls exponentially as
$\beta \to 0$: it is below $\frac{1-r}{r} e^{-\gamma/\beta}$ (`direct-kl-pairs.small-weight`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beta,
    gamma,
    margin,
    objective,
    reference,
    reward_in_pairs,
    slope,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.root_groups_of_two import groups_of_two as roots
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Expression,
    Extremum,
    Figure,
    Result,
    UniqueRoot,
    both,
    claim,
    decreasing,
    define,
    derive,
    eq,
    exp,
    gt,
    iff,
    increasing,
    instance,
    log,
    lt,
    rational,
    tends_to,
)
from grpo_symbolic.grpo.definitions import Definitions, binary_penalty, direct_kl

#: GRPO with the penalty of Section 3.
DIRECT = Definitions(penalty=direct_kl)

boost = exp(gamma / (2 * beta))
printed_root = boost * reference / (boost * reference + exp(-(gamma / (2 * beta))) * (1 - reference))
pooled = define(
    "p", (reference,), reference / (reference + (1 - reference) * exp(-(gamma / beta))), latex=r"x_{\mathrm{pool}}"
)


def log_odds(probability: Expression) -> Expression:
    """The logarithm of the odds."""
    return log(probability / (1 - probability))


def derivation(given: Definitions = DIRECT) -> Iterator[Claim]:
    """Differentiate the objective, solve, and compare with GRPO's own penalty."""
    whole = pairs_objective(gamma, given)
    log_ratios = log(x / reference) - log((1 - x) / (1 - reference))
    divergence = binary_penalty(x, x_old, reference, DIRECT)
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.objective",
        "The objective, with the constant that the paper does not write out",
        derivation=derive(objective(reward_in_pairs(gamma, given), given), "reward part minus weighted divergence")
        .eq(gamma * (x - x_old) - beta * divergence, "Equation (16)", using=[roots.claim("eq16").at({margin: gamma})])
        .eq(gamma * x - beta * divergence - gamma * x_old, "multiply out"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, groups of two",
            r"\mathcal{J} = \gamma_{a,b} \pi_\theta(a \mid q)"
            r" - \beta \mathrm{KL}(\pi_\theta(a \mid q) \Vert \pi_{\mathrm{ref}}(a \mid q)) + \mathrm{const}",
            eq(Derivative(whole - (gamma * x - beta * binary_penalty(x, x_old, reference, DIRECT)), x), 0),
        ),
        paper_uses=["weighted-penalty"],
    )
    gradient = claim(
        "vojnovic_yun_2025.direct-kl-pairs.gradient",
        "Its derivative",
        derivation=derive(Derivative(whole, x), "the objective, with the old policy held fixed")
        .eq(gamma - beta * Derivative(divergence, x), "the reward part is linear in $x$")
        .eq(gamma - beta * (log(x / reference) + 1 - log((1 - x) / (1 - reference)) - 1), "product rule")
        .eq(gamma - beta * log_ratios, "the ones cancel"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, groups of two",
            r"\frac{d\mathcal{J}}{d\pi_\theta(a \mid q)} = \gamma_{a,b} - \beta\left("
            r"\log\frac{\pi_\theta(a \mid q)}{\pi_{\mathrm{ref}}(a \mid q)}"
            r" - \log\frac{1 - \pi_\theta(a \mid q)}{1 - \pi_{\mathrm{ref}}(a \mid q)}\right)",
            eq(slope(whole), gamma - beta * log_ratios),
        ),
    )
    yield gradient
    solved = claim(
        "vojnovic_yun_2025.direct-kl-pairs.solved",
        "Stationarity, solved for the policy",
        derivation=derive(eq(Derivative(whole, x), 0), "the derivative vanishes")
        .iff(eq(gamma - beta * log_ratios, 0), "put it in", using=[gradient])
        .iff(eq(log_odds(x), log_odds(reference) + gamma / beta), r"divide by $\beta$; collect the logarithms")
        .iff(eq(x / (1 - x), reference / (1 - reference) * exp(gamma / beta)), "exponentials of both sides")
        .iff(eq(x, pooled(reference)), "the probability with these odds"),
    )
    yield solved
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.root",
        "The only stationary policy",
        UniqueRoot(x, eq(Derivative(whole, x), 0), pooled(reference)),
        using=[solved],
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, groups of two",
            r"\pi_\theta(a \mid q) = \frac{1}{Z_q} e^{\gamma_{a,b}/(2\beta)} \pi_{\mathrm{ref}}(a \mid q),\ "
            r"Z_q = e^{\gamma_{a,b}/(2\beta)} \pi_{\mathrm{ref}}(a \mid q)"
            r" + e^{-\gamma_{a,b}/(2\beta)} (1 - \pi_{\mathrm{ref}}(a \mid q))",
            UniqueRoot(x, eq(slope(whole), 0), printed_root),
        ),
    )
    order = claim(
        "vojnovic_yun_2025.direct-kl.log-odds",
        "Probabilities compare as their log-odds do",
        both(iff(gt(log_odds(x), log_odds(x_old)), gt(x, x_old)), iff(lt(log_odds(x), log_odds(x_old)), lt(x, x_old))),
    )
    yield order
    restoring = claim(
        "vojnovic_yun_2025.direct-kl-pairs.restoring",
        "The derivative compares the log-odds with those of this policy",
        derivation=derive(Derivative(whole, x), "the derivative")
        .eq(gamma - beta * log_ratios, "put it in", using=[gradient])
        .eq(beta * (log_odds(reference) + gamma / beta - log_odds(x)), r"take out $\beta$; collect the logarithms")
        .eq(
            beta * (log_odds(pooled(reference)) - log_odds(x)),
            r"the log-odds of the policy exceed those of $r$ by $\gamma/\beta$",
        ),
    )
    yield restoring
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.maximum",
        "It is the maximum, whatever the old policy in $(0, 1)$",
        Extremum(whole, x, pooled(reference), minimum=False),
        using=[restoring, order.at({x_old: pooled(reference)})],
        beyond="the stationary policy is the maximum beside every old policy that gives both answers",
    )
    of_a, of_b = exp((1 - x) * gamma / beta) * reference, exp(-(x * gamma / beta)) * (1 - reference)
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.pooling",
        "The general pooling formula, which has the policy on both sides, says the same",
        derivation=derive(of_a / (of_a + of_b), "the pooling formula, for two answers")
        .eq(reference / (reference + of_b / exp((1 - x) * gamma / beta)), "divide by the exponential of answer a")
        .eq(pooled(reference), "the exponents differ by the margin, whatever the policy"),
        equation="Section 3",
    )
    yield from _properties()


def _properties() -> Iterator[Claim]:
    """How the pooled policy depends on the reference policy, the margin and the weight."""
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.increases-in-reference",
        "It increases with the reference probability",
        increasing(pooled(reference), reference),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.increases-in-margin",
        "It increases with the margin",
        increasing(pooled(reference), gamma),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.decreases-in-weight",
        "It decreases with the weight",
        decreasing(pooled(reference), beta),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.above-reference",
        "It is above a reference probability in $(0, 1)$",
        derivation=derive(pooled(reference), "the policy")
        .gt(reference / (reference + (1 - reference)), "the exponential in the denominator is less than 1")
        .eq(reference, "the probabilities sum to 1"),
    )
    raised = reference * exp(gamma / beta)
    at_most = claim(
        "vojnovic_yun_2025.direct-kl-pairs.at-most",
        r"It is at most $e^{\gamma/\beta}$ times the reference probability",
        derivation=derive(pooled(reference), "the policy")
        .eq(raised / (1 + reference * (exp(gamma / beta) - 1)), "multiply both parts of the fraction")
        .le(raised, "the denominator is at least 1"),
    )
    yield at_most
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.continuous",
        "It tends to 0 with the reference probability",
        tends_to(pooled(reference), 0, reference, to=0, side="+", constant=exp(gamma / beta)),
        using=[at_most],
        equation="Figure 3, caption",
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.small-weight",
        "For small weights the other answer is exponentially unlikely",
        derivation=derive(1 - pooled(reference), "probability of the other answer")
        .eq(
            (1 - reference) * exp(-(gamma / beta)) / (reference + (1 - reference) * exp(-(gamma / beta))),
            "common denominator",
        )
        .lt((1 - reference) / reference * exp(-(gamma / beta)), "leave the second term of the denominator out"),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.large-weight",
        "It tends to the reference probability for large weights",
        tends_to(pooled(reference), reference, beta, to=None, side="oo", constant=gamma),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl-pairs.no-uniform-bound",
        r"It may lie below the bound $1 - \beta/\gamma$ that holds for the penalty of GRPO",
        instance(
            lt(pooled(reference), 1 - beta / gamma),
            {reference: rational(1, 1000), gamma: rational(1), beta: rational(1, 2)},
        ),
        beyond="the bound for the penalty of GRPO does not hold for the direct divergence",
    )


def figures() -> Iterator[Figure]:
    """The paper's Figure 3."""
    ratios = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))
    yield Figure(
        id="vojnovic_yun_2025.figure-3",
        caption=r"Figure 3: the stationary policy with the direct divergence as the penalty, groups of two, over the "
        r"reference, for several ratios of weight $\beta$ and margin $\gamma$ (our choice). The curves start at 0 "
        "(`direct-kl-pairs.continuous`).",
        horizontal=reference,
        horizontal_range=(Fraction(0), Fraction(1)),
        horizontal_label="reference $r$",
        vertical_label="stationary policy $x$",
        curves=tuple(
            Curve(pooled(reference), ((beta, ratio), (gamma, Fraction(1))), rf"$\beta/\gamma = {ratio}$")
            for ratio in ratios
        ),
        vertical_range=(Fraction(0), Fraction(1)),
    )


groups_of_two = Result("Direct divergence, groups of two", paper, derivation, figures)
