r"""The best value of one step, and by how much other policies miss it (Theorem 1).

That the policy of Theorem 1 is the only maximiser (`theorem-1.best`, `theorem-1.maximum`), which the paper leaves
to concavity, is said with a number. Every policy, also one that leaves out outputs which the reference gives, falls
short of the best value, $\beta \log Z_{n-1}$, by $\beta$ times its divergence from $\pi_n$ (`theorem-1.gap`), and
therefore by at least $\beta\sum_o (\sqrt{\pi(o|q)} - \sqrt{\pi_n(o|q)})^2$ (`theorem-1.shortfall`). No stationary
point has to be found. Outputs that the reference does not give are excluded by the divergence. Without some that it
gives the best value is smaller (`theorem-1.support`).
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.brute_force import value_beside_formula
from derivations.mroueh_2025.functions import beta
from derivations.mroueh_2025.optimal_policy import KL_REGULARISED, Z, objective, tilted
from derivations.mroueh_2025.outputs import OUTPUTS, any_policy, any_sums_to_one, policy, reference, value
from grpo_symbolic import (
    Claim,
    Expression,
    Gap,
    Oracle,
    Result,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    ge,
    gt,
    le,
    log,
    on_support,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions

ONE = rational(1)
other = real(
    "rho", "(0, oo)", "probability of an output under another policy", latex=r"\rho({index}|q)", indexed=OUTPUTS
)
best = real(
    "pi_n",
    "(0, oo)",
    "probability of an output under the policy of Theorem 1",
    latex=r"\pi_n({index}|q)",
    indexed=OUTPUTS,
)
top = real("J_max", "(-oo, oo)", "best value of the objective", latex=r"J_{\max}")
u = real("u", "(0, oo)", "a positive number")
covered = real("Z_S", "(0, oo)", "part of the normaliser from the outputs that a policy gives", latex="Z_S")
left_out = real("Z_out", "(0, oo)", "part of the normaliser from the outputs that it leaves out", latex=r"\bar{Z}_S")

is_best, is_top = eq(best, tilted), eq(top, beta * log(Z()))
hypotheses = (any_sums_to_one, is_best, is_top)


def square(at: Expression) -> Expression:
    """The squared difference of the roots of an output's probabilities under the policy and at ``at``."""
    return (sqrt(any_policy) - sqrt(at)) ** 2


def summand(to: Expression, given: Definitions = KL_REGULARISED) -> Expression:
    """What an output adds to the divergence of any policy: nothing if the policy never gives it."""
    return on_support(any_policy, given.penalty(any_policy, any_policy, to))


def derivation(given: Definitions = KL_REGULARISED) -> Iterator[Claim]:
    """The best value and the gap to it, a lower bound of divergences, and what follows for the maximum."""
    J = objective(given)
    reached = claim(
        "mroueh_2025.theorem-1.value",
        "At the policy of Theorem 1 the objective is $\\beta \\log Z_{n-1}$",
        derivation=derive(Substitution(J, policy, tilted), "objective at the policy of Theorem 1")
        .eq(Total(tilted * value) - beta * Total(tilted * log(tilted / reference)), "put the policy in")
        .eq(
            Total(tilted * value) - beta * Total(tilted * (value / beta - log(Z()))),
            "logarithm of the tilt over the normaliser",
        )
        .eq(beta * log(Z()) * Total(tilted), "the advantage cancels")
        .eq(beta * log(Z()), "the policy sums to 1"),
        oracle=Oracle("maximises the objective over policies on two to six outputs", value_beside_formula),
    )
    yield reached
    of_any = Total(any_policy * value) - beta * Total(summand(reference, given))
    gap = yield from gap_to_best(of_any)
    positive = yield from divergence_is_positive()
    normalised = claim(
        "mroueh_2025.theorem-1.normalised",
        "The policy of Theorem 1 sums to 1",
        Summed(is_best, ONE, eq(Total(best), 1), ONE),
    )
    yield normalised
    shortfall = claim(
        "mroueh_2025.theorem-1.shortfall",
        "So every policy falls short by at least $\\beta$ times the sum of the squared differences of the roots",
        derivation=derive(top - of_any, "best value less the policy's", given=hypotheses)
        .eq(beta * Total(summand(best)), "gap", using=[gap])
        .ge(beta * Total(square(best)), "bound of the divergence", using=[positive.at({other: best}), normalised]),
        beyond="says by how much at least every other policy misses the best value",
    )
    yield shortfall
    term = claim(
        "mroueh_2025.theorem-1.shortfall.term", "Each output's square is a part of it", TermOfTotal(square(best))
    )
    yield term
    not_negative = claim(
        "mroueh_2025.theorem-1.shortfall.positive",
        "The sum of these squares is not negative",
        ge(Total(square(best)), 0),
        using=[term],
    )
    yield not_negative
    yield claim(
        "mroueh_2025.theorem-1.best",
        "No policy, with zeros or without, is better than $\\pi_n$",
        derivation=derive(of_any, "objective of any policy", given=hypotheses)
        .le(top, "it falls short by a sum of squares", using=[shortfall, not_negative])
        .eq(Substitution(J, policy, tilted), "the value at $\\pi_n$", using=[reached]),
        equation="Theorem 1",
    )
    not_worse = (*hypotheses, ge(of_any, top))
    no_difference = claim(
        "mroueh_2025.theorem-1.maximum.square",
        "If a policy is not worse, none of these squares is positive",
        derivation=derive(square(best), "square of the difference of the roots, at one output", given=not_worse)
        .le(Total(square(best)), "one of the summands, none of which is negative", using=[term])
        .le((top - of_any) / beta, "they fall short of the best value by at most this", using=[shortfall])
        .le(0, "the policy is not worse"),
        using=[term, shortfall],
    )
    yield no_difference
    yield claim(
        "mroueh_2025.theorem-1.maximum",
        "A policy, with zeros or without, that is not worse than $\\pi_n$ is $\\pi_n$ at every output",
        derivation=derive(any_policy, "such a policy", given=not_worse).eq(
            best,
            "a square that is not positive is 0, and the roots agree",
            using=[no_difference],
        ),
        using=[no_difference],
        equation="Theorem 1",
        beyond="shows uniqueness among all policies, without solving for stationary points",
        fills=[
            Gap(
                "Appendix A, proof of Theorem 1",
                "that a maximum is attained, and by one policy only, is taken from concavity",
            ),
        ],
    )
    yield claim(
        "mroueh_2025.theorem-1.support",
        "Without outputs that the reference gives the best value is smaller",
        gt(beta * log(covered + left_out), beta * log(covered)),
    )


def gap_to_best(J: Expression) -> Generator[Claim, None, Claim]:
    """By how much a policy misses the best value."""
    logarithm = claim(
        "mroueh_2025.theorem-1.logarithm",
        "The weighted logarithm of the ratio to the policy of Theorem 1, which is 0 where an output is never given",
        derivation=derive(summand(best), "weighted logarithm of the ratio", given=[is_best])
        .eq(summand(tilted), "the policy of Theorem 1")
        .eq(
            summand(reference) - any_policy * (value / beta - log(Z())),
            "logarithm of a product, and of an exponential",
        ),
    )
    summed = claim(
        "mroueh_2025.theorem-1.gap.sum",
        "Its mean under a policy is the gap to this value, over $\\beta$",
        Summed(logarithm.statement, ONE, eq(Total(summand(best)), (top - J) / beta), ONE),
        given=[any_sums_to_one, is_top],
    )
    gap = claim(
        "mroueh_2025.theorem-1.gap",
        "Every policy falls short of it by $\\beta$ times its divergence from $\\pi_n$",
        derivation=derive(top - J, "best value less the policy's", given=hypotheses)
        .eq(beta * log(Z()) - J, "the best value")
        .eq(beta * Total(summand(best)), "mean of the logarithm", using=[logarithm, summed]),
        using=[logarithm, summed],
    )
    yield from (logarithm, summed, gap)
    return gap


def divergence_is_positive() -> Generator[Claim, None, Claim]:
    """A divergence is at least a sum of squares."""
    tangent = claim(
        "mroueh_2025.logarithm.tangent", "The logarithm lies nowhere above its tangent at 1", le(log(u), u - 1)
    )
    ratio = sqrt(other / any_policy)
    pointwise = claim(
        "mroueh_2025.divergence.summand",
        "One summand of a divergence has a bound with a square in it",
        derivation=derive(summand(other), "a summand of the divergence")
        .eq(-2 * on_support(any_policy, any_policy * log(ratio)), "a root in the logarithm")
        .ge(
            -2 * on_support(any_policy, any_policy * (ratio - 1)),
            "$\\log u \\le u - 1$",
            using=[tangent.at({u: ratio})],
        )
        .eq(square(other) + (any_policy - other), "complete the square; at 0 both sides are 0"),
    )
    whole = claim(
        "mroueh_2025.divergence.sum",
        "Summed over the outputs it bounds the divergence of two policies from below",
        Summed(
            ge(summand(other), square(other) + (any_policy - other)),
            ONE,
            ge(Total(summand(other)), Total(square(other))),
            ONE,
        ),
        given=[any_sums_to_one, eq(Total(other), 1)],
    )
    positive = claim(
        "mroueh_2025.divergence",
        "The divergence of two policies is at least the sum of the squared differences of the roots",
        ge(Total(summand(other)), Total(square(other))),
        given=[any_sums_to_one, eq(Total(other), 1)],
        using=[pointwise, whole],
    )
    yield from (tangent, pointwise, whole, positive)
    return positive


shortfall = Result("The best value and what other policies miss", paper, derivation)
