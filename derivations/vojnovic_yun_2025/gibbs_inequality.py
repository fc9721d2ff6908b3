r"""A divergence is positive unless the two policies are equal (Gibbs).

Each summand of $\mathrm{KL}(\pi \Vert \pi^*)$, which is 0 where the policy $\pi$ never gives the output, is at least
$\pi - \pi^* + (\sqrt{\pi} - \sqrt{\pi^*})^2$, which is more than $\pi - \pi^*$ unless the two probabilities agree
(`gibbs.summand`). What is above this line sums to the divergence, and no summand exceeds the sum; so the divergence of
two policies over any number of outputs is not negative (`gibbs`, `gibbs.nonnegative`), and 0 only if they agree at
every output (`gibbs.equal`). The optimum of RLHF rests on it (`eq4.unique`), and the uniqueness
in NLHF on its summands (`eq5.unique`). The paper defines the divergence by an expectation over the outputs that the
first policy gives. Sums run over the outputs of the second one, of which the first may leave out some.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, any_policy, any_sums_to_one, policy
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
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
    ne,
    on_support,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import direct_kl

ratio = real("rho", "(0, oo)", "probability under the one policy over that under the other", latex=r"\rho")
target = real(
    "pi_star",
    "(0, 1]",
    "probability of an output under another policy",
    latex=r"\pi^*({index} \mid q)",
    indexed=OUTPUTS,
)
ONE = rational(1)
roots_apart = (sqrt(any_policy) - sqrt(target)) ** 2


def divergence_summand(of: Expression) -> Expression:
    """What an output adds to the divergence of any policy: nothing if the policy never gives it."""
    return on_support(of, direct_kl(of, of, target))


summand_of_any = divergence_summand(any_policy)
excess = summand_of_any - any_policy + target


def derivation() -> Iterator[Claim]:
    """One summand, then the sum, then when it vanishes."""
    yield cross_entropy()
    function = ratio * log(ratio) - ratio + 1
    steepness = claim(
        "vojnovic_yun_2025.gibbs.ratio.slope",
        r"The derivative of $\rho \log \rho - \rho + 1$ is $\log \rho$",
        derivation=derive(Derivative(function, ratio), "derivative by the ratio")
        .eq(log(ratio) + ratio * (1 / ratio) - 1, "product rule")
        .eq(log(ratio), "the ones cancel"),
    )
    yield steepness
    smallest = claim(
        "vojnovic_yun_2025.gibbs.ratio",
        r"$\rho \log \rho - \rho + 1$ is smallest at 1, where it is 0",
        Extremum(function, ratio, ONE),
        using=[steepness],
    )
    yield smallest
    root, here = sqrt(ratio), any_policy / target
    squared = claim(
        "vojnovic_yun_2025.gibbs.square",
        r"It is even at least $(1 - \sqrt{\rho})^2$",
        derivation=derive(ratio * log(ratio) - ratio + 1, "the same function")
        .eq(2 * root * (root * log(root) - root + 1) + (1 - root) ** 2, r"$\log\rho = 2\log\sqrt{\rho}$")
        .ge((1 - root) ** 2, r"the same function at $\sqrt{\rho}$ is not negative", using=[smallest.at({ratio: root})]),
    )
    yield squared
    summand = claim(
        "vojnovic_yun_2025.gibbs.summand",
        "A summand exceeds the difference of the probabilities by the square of the difference of their roots, or more",
        derivation=derive(summand_of_any, "a summand")
        .ge(
            target * (here - 1 + (1 - sqrt(here)) ** 2),
            r"it is $\pi^*\,\rho\log\rho$, or both sides are 0",
            using=[squared.at({ratio: here})],
        )
        .eq(any_policy - target + roots_apart, "multiply out"),
    )
    yield summand
    both_sum = (any_sums_to_one, eq(Total(target), 1))
    divergence = Total(summand_of_any)
    by_summand = claim(
        "vojnovic_yun_2025.gibbs.sum",
        "The inequality of the summands, summed over the outputs",
        Summed(
            ge(summand_of_any, any_policy - target + roots_apart),
            ONE,
            ge(divergence, Total(any_policy - target + roots_apart)),
            ONE,
        ),
        using=[summand],
    )
    yield by_summand
    yield claim(
        "vojnovic_yun_2025.gibbs",
        "So a divergence is at least the squared distance of the roots",
        derivation=derive(divergence, "definition", given=both_sum)
        .ge(Total(any_policy - target + roots_apart), "summand by summand", using=[summand, by_summand])
        .eq(Total(any_policy) - Total(target) + Total(roots_apart), "split the sum")
        .eq(Total(roots_apart), "both policies sum to 1"),
        equation="Section 1.1, definition of the divergence",
    )
    without_roots = claim(
        "vojnovic_yun_2025.gibbs.nonnegative.sum",
        "Without the roots, what is left of the inequality of the summands cancels",
        Summed(ge(summand_of_any, any_policy - target), ONE, ge(divergence, 0), ONE),
        given=both_sum,
        using=[summand],
    )
    yield without_roots
    yield claim(
        "vojnovic_yun_2025.gibbs.nonnegative",
        "So a divergence is never negative",
        derivation=derive(divergence, "the divergence", given=both_sum).ge(
            0, "the sum of the differences of the probabilities", using=[without_roots, summand]
        ),
        equation="Section 1.1, definition of the divergence",
    )
    one_term = claim(
        "vojnovic_yun_2025.gibbs.one-term",
        "No summand's excess is larger than the sum of all",
        TermOfTotal(excess),
        using=[summand],
    )
    yield one_term
    apart = claim(
        "vojnovic_yun_2025.gibbs.one-output",
        "So the squared distance of the roots at one output is at most the divergence",
        derivation=derive(roots_apart, "squared distance at one output", given=both_sum)
        .le(excess, "at most a summand's excess", using=[summand])
        .le(Total(excess), "no term exceeds the sum", using=[one_term])
        .eq(divergence, "both policies sum to 1"),
    )
    yield apart
    yield claim(
        "vojnovic_yun_2025.gibbs.strict",
        "If the policies differ at every output, their divergence is positive",
        derivation=derive(divergence, "the divergence", given=(*both_sum, ne(any_policy, target)))
        .ge(roots_apart, "the squared distance at one output", using=[apart])
        .gt(0, "the roots differ"),
        equation="Section 1.1, definition of the divergence",
    )
    yield claim(
        "vojnovic_yun_2025.gibbs.equal",
        "If their divergence is not positive, the policies are equal at every output",
        derivation=derive(any_policy, "a probability", given=(*both_sum, le(divergence, 0)))
        .eq(target + (sqrt(any_policy) - sqrt(target)) * (sqrt(any_policy) + sqrt(target)), "difference of squares")
        .eq(target, "the square of the first bracket is at most the divergence", using=[apart]),
        equation="Section 1.1, definition of the divergence",
    )


def cross_entropy() -> Claim:
    """The definition, with the logarithm of the quotient taken apart."""
    mean_logarithm = Total(policy * log(policy / target))
    apart = Total(policy * log(policy)) - Total(policy * log(target))
    return claim(
        "vojnovic_yun_2025.gibbs.cross-entropy",
        "A divergence is the cross entropy less the entropy",
        derivation=derive(mean_logarithm, "definition")
        .eq(Total(policy * (log(policy) - log(target))), "logarithm of a quotient")
        .eq(apart, "split the sum"),
        equation="Section 1.1, definition of the divergence",
        printed=paper.quote(
            "Section 1.1, definition of the divergence",
            r"\mathrm{KL}(\pi \Vert \pi') = \mathbb{E}_{x \sim \pi}[\log(\pi(x)/\pi'(x))]",
            eq(mean_logarithm, apart),
        ),
    )


divergences = Result("Divergences are not negative", paper, derivation)
