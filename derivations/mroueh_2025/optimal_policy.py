r"""The policy of Theorem 1 for any number of outputs, from first-order conditions (`theorem-1.any-advantage`).

One step (`theorem-1.maximum`) maximises the expected advantage minus $\beta$ times the divergence from the reference
over all policies, here for one prompt. The advantage of an output may be any number (`theorem-1.any-advantage`), such
as one number for successes and one for failures (`theorem-1.one-prompt`); that these are the weights at the success
probability of the policy before the step, and all prompts, come with `theorem-1`. The objective is a sum of strictly
concave functions of one probability each. Where it is stationary under the constraint $\sum_o \pi(o|q) = 1$, the policy
is the reference tilted by the exponential of the advantage over $\beta$, and normalised (`theorem-1.any-advantage`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta
from derivations.mroueh_2025.outputs import advantage, policy, reference, sums_to_one, value
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Substitution,
    Summed,
    Total,
    both,
    claim,
    define,
    derive,
    eq,
    exp,
    log,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import Definitions, direct_kl, standardised

#: This paper's algorithm: standardised advantages, and the divergence itself as the penalty.
KL_REGULARISED = Definitions(penalty=direct_kl, normalise=standardised)

ONE = rational(1)
multiplier = real("lambda_", "(-oo, oo)", "multiplier of the constraint that probabilities sum to 1", latex=r"\lambda")

tilt = exp(value / beta)
#: The normaliser of Theorem 1, a sum over all outputs.
Z = define("Z", (), Total(reference * tilt), latex="Z_{n-1}(q)")
tilted = reference * tilt / Z()


def objective(given: Definitions = KL_REGULARISED) -> Expression:
    """The objective of the GRPO iterations for one prompt, in the probabilities of the outputs."""
    return Total(policy * value) - beta * Total(given.penalty(policy, policy, reference))


def derivation(given: Definitions = KL_REGULARISED) -> Iterator[Claim]:
    """Concavity, then stationarity."""
    slope = Derivative(objective(given), policy)
    yield claim(
        "mroueh_2025.theorem-1.concave",
        "The objective is strictly concave: it is a sum over the outputs, and each summand is",
        derivation=derive(Derivative(slope, policy), "objective of the GRPO iterations, differentiated twice")
        .eq(-(beta / policy), "the expected advantage is linear")
        .lt(0, "all factors are positive"),
        equation="Appendix A, proof of Theorem 1",
    )
    yield from stationary(slope)


def stationary(slope: Expression) -> Iterator[Claim]:
    """The policy that first-order conditions give."""
    solved = reference * exp((value - multiplier) / beta - 1)
    line = derive(eq(slope, multiplier), "the derivative by each probability equals one multiplier")
    first = claim(
        "mroueh_2025.theorem-1.stationary",
        "Stationarity gives the policy up to the multiplier",
        derivation=line.iff(
            eq(value - beta * (log(policy / reference) + 1), multiplier), "differentiate the divergence"
        ).iff(eq(policy, solved), "solve for the policy"),
        equation="Appendix A, proof of Theorem 1",
    )
    yield first
    normalised = exp(multiplier / beta + 1)
    summed = claim(
        "mroueh_2025.theorem-1.multiplier",
        "The sum of the probabilities determines the multiplier",
        Summed(eq(policy, solved), ONE, eq(normalised, Z()), exp(-(multiplier / beta) - 1)),
        given=[sums_to_one],
    )
    yield summed
    general = claim(
        "mroueh_2025.theorem-1.any-advantage",
        "A stationary policy is the reference, tilted and normalised, for any advantage",
        derivation=derive(eq(slope, multiplier), "stationarity", given=[sums_to_one])
        .implies(eq(policy, solved), "solved for the policy", using=[first])
        .implies(both(eq(policy, solved), eq(normalised, Z())), "sum over the outputs", using=[summed])
        .implies(eq(policy, tilted), "put in the multiplier"),
        beyond="holds for any reward and any advantage",
    )
    yield general
    of_paper = eq(policy, 1 / Z() * reference * exp(1 / beta * advantage()))
    given = (sums_to_one, eq(value, advantage()))
    yield claim(
        "mroueh_2025.theorem-1.one-prompt",
        "The same with one advantage for successes and one for failures",
        derivation=derive(eq(slope, multiplier), "stationarity", given=given)
        .implies(eq(policy, tilted), "the policy for any advantage", using=[general])
        .implies(of_paper, "put in the advantage, a number for successes and one for failures"),
        using=[general],
        equation="Theorem 1",
    )
    yield claim(
        "mroueh_2025.theorem-1.converse",
        "Conversely the tilted reference is stationary, with the multiplier $\\beta(\\log Z_{n-1} - 1)$",
        derivation=derive(Substitution(slope, policy, tilted), "slope of the objective at the tilted reference")
        .eq(value - beta * (log(tilted / reference) + 1), "differentiate, then put in the policy")
        .eq(value - beta * (value / beta - log(Z()) + 1), "logarithm of the tilt over the normaliser")
        .eq(beta * (log(Z()) - 1), "the advantage cancels"),
        equation="Theorem 1",
    )


optimum = Result("The maximising policy", paper, derivation)
