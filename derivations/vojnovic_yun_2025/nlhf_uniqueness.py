r"""NLHF: there is one equilibrium at most, and it is symmetric.

The paper cites the uniqueness of the equilibrium; here it is derived, for any number of outputs (`eq5.unique`). Every
best response among all policies, with zeros or without, is a tilted reference, so that it gives all outputs
(`eq5.gives-all`), and two such policies are equal (`eq5.unique`). For two policies with difference $d$ antisymmetry
gives $\sum_{o, o'} d(o)\, d(o')\, \mathcal{P}(o \succ o') = 0$: exchanging the order of the two sums turns the form
into its negative. Then the sum of $(\pi - \tilde\pi)(\log\pi - \log\tilde\pi)$ vanishes for two equilibria, but its
terms are positive where the policies differ. The same calculation with the other sign shows that both players play the
same policy in every equilibrium (`eq5.two-players`, `eq5.unique`). For two answers the equilibrium is explicit.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import margin, x
from derivations.vojnovic_yun_2025.binary_question import reference as prior
from derivations.vojnovic_yun_2025.gibbs_inequality import divergences, target
from derivations.vojnovic_yun_2025.nlhf_equilibrium import HALF, ONE, wins
from derivations.vojnovic_yun_2025.outputs import (
    OTHER,
    OUTPUTS,
    antisymmetric,
    any_policy,
    any_sums_to_one,
    beta,
    expected,
    policy,
    prefers,
    reference,
    sums_to_one,
)
from derivations.vojnovic_yun_2025.rlhf_optimum import RLHF, normaliser, objective_of_any, reward, rlhf
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Summed,
    TermOfTotal,
    Total,
    UniqueRoot,
    claim,
    derive,
    eq,
    exp,
    ge,
    log,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions

change = real("d", "(-oo, oo)", "difference of two policies at an output", latex=r"d({index})", indexed=OUTPUTS)
first_constant = real("Z_1", "(0, oo)", "normalisation constant of the first policy", latex="Z")
second_constant = real("Z_2", "(0, oo)", "normalisation constant of the second policy", latex=r"\tilde{Z}")


def derivation(given: Definitions = RLHF) -> Iterator[Claim]:
    """Why there is only one equilibrium, and two answers."""
    yield _best_responses(given)
    yield from _uniqueness()
    yield from _two_answers(given)


def _best_responses(given: Definitions) -> Claim:
    """An equilibrium is one of best responses, which are positive."""
    tilted = reference * exp(wins / beta) / normaliser
    weights = eq(Total(reference * exp(wins / beta)), normaliser)
    no_worse = ge(objective_of_any(given, wins), beta * log(normaliser))
    return claim(
        "vojnovic_yun_2025.eq5.gives-all",
        "A best response among all policies, with zeros or without, is Equation (4) with the reward $m$, and so gives "
        "every output of the reference",
        derivation=derive(
            any_policy,
            "a policy that is as good as any, which by Equation (4) means this value",
            given=[any_sums_to_one, weights, eq(target, tilted), no_worse],
        )
        .eq(tilted, "the only maximum", using=[rlhf.claim("eq4.unique").at({reward: wins})])
        .gt(0, "all factors are positive"),
        equation="Section 1.1, after Eq. (5)",
        beyond="no equilibrium leaves out an output that the reference gives",
    )


def _uniqueness() -> Iterator[Claim]:
    """Two equilibria would have a divergence of 0."""
    sums = (sums_to_one, eq(Total(target), 1))
    change_other = change.at(OTHER)
    yield claim(
        "vojnovic_yun_2025.eq5.antisymmetric-form",
        "For a difference of two policies the weighted sum of all preferences is 0",
        Summed(
            antisymmetric,
            change * change_other,
            eq(Total(change * expected(change_other * prefers)), 0),
            rational(2),
        ),
        given=[eq(Total(change), 0), antisymmetric],
    )
    difference, logarithms = policy - target, log(policy) - log(target)
    difference_other = policy.at(OTHER) - target.at(OTHER)
    gain = expected(difference_other * prefers)
    of_policies = claim(
        "vojnovic_yun_2025.eq5.antisymmetric-form.policies",
        "The same, written with the two policies",
        Summed(antisymmetric, difference * difference_other, eq(Total(difference * gain), 0), rational(2)),
        given=[*sums, antisymmetric],
    )
    yield of_policies
    distance = Total(difference * logarithms)
    for sign, name, words in (
        (1, "two-equilibria", "Two equilibria"),
        (-1, "two-players", "The two players' policies"),
    ):
        apart = eq(logarithms, sign * gain / beta - (log(first_constant) - log(second_constant)))
        yield claim(
            f"vojnovic_yun_2025.eq5.{name}",
            rf"{words} have the distance $\sum_o (\pi - \tilde\pi)(\log\pi - \log\tilde\pi) = 0$",
            Summed(apart, difference, eq(distance, 0), ONE),
            given=[*sums, antisymmetric],
            using=[of_policies],
        )
    summand = divergences.claim("gibbs.summand")
    twice = claim(
        "vojnovic_yun_2025.eq5.distance",
        "A term of this distance is at least twice the squared difference of the roots",
        derivation=derive(difference * logarithms, "a term of the distance")
        .eq(policy * log(policy / target) + target * log(target / policy), "summands of both divergences")
        .ge(
            2 * (sqrt(policy) - sqrt(target)) ** 2,
            "each exceeds the difference of the probabilities by one square, and these differences cancel",
            using=[summand.at({any_policy: policy}), summand.at({any_policy: target, target: policy})],
        ),
    )
    yield twice
    term = claim(
        "vojnovic_yun_2025.eq5.distance.term",
        "No term exceeds the sum",
        TermOfTotal(difference * logarithms),
        using=[twice],
    )
    yield term
    yield claim(
        "vojnovic_yun_2025.eq5.unique",
        "No term is negative, so each is 0: one equilibrium at most, and the players play the same policy",
        derivation=derive(policy, "the first policy", given=[*sums, eq(distance, 0)])
        .eq(target + (sqrt(policy) - sqrt(target)) * (sqrt(policy) + sqrt(target)), "difference of squares")
        .eq(target, "twice the square of the first bracket is at most the distance", using=[twice, term]),
        equation="Section 1.1, after Eq. (5)",
        beyond="derives the uniqueness that the paper cites, and that every equilibrium is symmetric, among the "
        "policies that give all outputs, as every best response does (`eq5.gives-all`)",
    )


def _two_answers(given: Definitions) -> Iterator[Claim]:
    """The equilibrium for two answers."""
    of_a = x * HALF + (1 - x) * ((1 + margin) / 2)
    of_b = x * ((1 - margin) / 2) + (1 - x) * HALF
    lead = claim(
        "vojnovic_yun_2025.eq5.binary.lead",
        "With two answers the lead of one over the other is half the margin, whatever the policy",
        derivation=derive(of_a - of_b, "expected preferences of both answers")
        .eq(x * (HALF - (1 - margin) / 2) + (1 - x) * ((1 + margin) / 2 - HALF), "opponent by opponent")
        .eq(margin / 2 * (x + (1 - x)), "both differences are half the margin")
        .eq(margin / 2, "the probabilities sum to 1"),
    )
    yield lead
    reward_of_two = x * of_a + (1 - x) * of_b
    divergence = given.penalty(x, x, prior) + given.penalty(1 - x, 1 - x, 1 - prior)
    odds = log(x / prior) - log((1 - x) / (1 - prior))
    yield claim(
        "vojnovic_yun_2025.eq5.binary.gradient",
        "The derivative of the divergence of two answers",
        derivation=derive(Derivative(divergence, x), "derivative of the divergence")
        .eq(log(x / prior) + 1 - log((1 - x) / (1 - prior)) - 1, "product rule")
        .eq(odds, "the ones cancel"),
    )
    tilt = exp(margin / (2 * beta))
    solved = claim(
        "vojnovic_yun_2025.eq5.binary.solved",
        "Stationarity against itself, solved for the policy",
        derivation=derive(eq(of_a - of_b - beta * odds, 0), "the derivative of the payoff vanishes")
        .iff(eq(margin / 2 - beta * odds, 0), "the lead", using=[lead])
        .iff(
            eq(log(x / (1 - x)), log(prior / (1 - prior)) + margin / (2 * beta)),
            "divide by the weight; collect the logarithms",
        )
        .iff(eq(x / (1 - x), prior / (1 - prior) * tilt), "exponentials of both sides")
        .iff(eq(x, prior * tilt / (prior * tilt + 1 - prior)), "the probability with these odds"),
    )
    yield solved
    yield claim(
        "vojnovic_yun_2025.eq5.binary",
        r"The equilibrium for two answers: the odds of the reference times $e^{m/(2\beta)}$, $m$ the margin",
        UniqueRoot(x, eq(of_a - of_b - beta * odds, 0), prior * tilt / (prior * tilt + 1 - prior)),
        using=[solved],
    )
    yield claim(
        "vojnovic_yun_2025.eq5.value",
        "With two answers a policy's payoff against itself is one half: the value of the game, if there is an "
        "equilibrium",
        derivation=derive(reward_of_two, "payoff of a policy against itself")
        .eq(x**2 / 2 + x * (1 - x) + (1 - x) ** 2 / 2, "preferences of opposite pairs sum to 1")
        .eq(HALF, "half the square of $x + (1 - x)$"),
    )


uniqueness = Result("NLHF has one equilibrium at most", paper, derivation)
