r"""Theorem 1 as it is stated: the policy after each step of the iterations, for every prompt (`theorem-1`).

The weights $\omega_\varepsilon^\pm$ of a step are taken at the success probability $p_{n-1}(q)$ of the policy before
it, and that may be any policy (`theorem-1`); so what is said of one step is said of every step $n \ge 1$. The objective
of the step is averaged over the prompts. Where it is stationary, with a multiplier for each prompt, the policy is the
reference, tilted and normalised prompt by prompt (`theorem-1.first-order`). No policy is better: averaged over the
prompts another one misses its value by $\beta$ times a divergence (`theorem-1.every-prompt.gap`), so that one which
differs from it at an output of a prompt is worse (`theorem-1.only-maximum`, for the objective as in
`theorem-1.collected`).
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.best_value import best, other, shortfall, top
from derivations.mroueh_2025.functions import beta, p_ref
from derivations.mroueh_2025.normaliser import splitting
from derivations.mroueh_2025.optimal_policy import KL_REGULARISED
from derivations.mroueh_2025.outputs import any_policy, gain, loss, reference, success
from derivations.mroueh_2025.outputs import value as any_value
from derivations.mroueh_2025.prompts import (
    Z,
    Z_of_any,
    advantage,
    average,
    base,
    base_sums_to_one,
    chance,
    fall,
    gained,
    highest,
    is_advantage,
    missed,
    multiplier,
    next_policy,
    next_sums_to_one,
    objective,
    objective_of,
    of_outputs,
    optimal,
    p_base,
    paid,
    penalised,
    previous,
    printed,
    printed_normaliser,
    reward,
    rewards_are_binary,
    rise,
    success_before,
    success_of_base,
    tilted,
    value,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Summed,
    TermOfTotal,
    both,
    claim,
    derive,
    eq,
    exp,
    gt,
    implies,
    log,
    lt,
    ne,
    rational,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions

ONE = rational(1)
#: What is supposed of rewards and of the reference.
setting = (rewards_are_binary, base_sums_to_one, success_of_base)
#: And of the policy before the step: Eq. (7).
of_the_step = (eq(of_outputs(previous), 1), success_before)
is_optimal = eq(optimal, tilted)
#: One prompt's policies, rewards and advantages in the place of those of the sections before.
WEIGHTS = {reference: base, success: reward, gain: rise, loss: fall, p_ref: p_base}
ANY = {any_policy: next_policy, reference: base, any_value: advantage, best: optimal}

optimal_sums_to_one = eq(of_outputs(optimal), 1)
divergence = of_outputs(next_policy * log(next_policy / optimal))


def derivation(given: Definitions = KL_REGULARISED) -> Iterator[Claim]:
    """First-order conditions, the normaliser, then the gap to the best value and the maximum."""
    stationary = yield from first_order(given)
    linear, gap = yield from gap_to_best(given)
    general = yield from maximum(given, linear, gap)
    yield from with_the_papers_advantage(given, general, stationary)


def first_order(given: Definitions) -> Generator[Claim, None, Claim]:
    """The paper's way: the derivative by each probability, and the multiplier."""
    slope = Derivative(objective_of(next_policy, advantage, given), next_policy)
    solved = base * exp((advantage + multiplier) / beta - 1)
    stationary = claim(
        "mroueh_2025.theorem-1.first-order.solved",
        "Stationarity at an output of a prompt gives the policy there up to the multiplier of the prompt",
        derivation=derive(
            eq(slope + chance * multiplier, 0), "the derivative of the Lagrangian by a probability vanishes"
        )
        .iff(
            eq(chance * (advantage - beta * (log(next_policy / base) + 1)) + chance * multiplier, 0),
            "of the sums over prompts one term depends on it",
        )
        .iff(eq(advantage - beta * (log(next_policy / base) + 1) + multiplier, 0), "divide by the chance of the prompt")
        .iff(eq(next_policy, solved), "solve for the policy"),
        equation="Appendix A, proof of Theorem 1",
    )
    yield stationary
    normalised = eq(exp(1 - multiplier / beta), Z_of_any())
    summed = claim(
        "mroueh_2025.theorem-1.first-order.multiplier",
        "The probabilities of a prompt sum to 1, which determines its multiplier",
        Summed(eq(next_policy, solved), ONE, normalised, exp(multiplier / beta - 1)),
        given=[next_sums_to_one],
    )
    yield summed
    general = claim(
        "mroueh_2025.theorem-1.first-order",
        "A policy that is stationary at every prompt is the reference, tilted and normalised prompt by prompt",
        derivation=derive(eq(slope + chance * multiplier, 0), "stationarity", given=[next_sums_to_one])
        .implies(eq(next_policy, solved), "solved for the policy", using=[stationary])
        .implies(both(eq(next_policy, solved), normalised), "sum over the outputs of the prompt", using=[summed])
        .implies(eq(next_policy, tilted), "put in the multiplier"),
        equation="Appendix A, proof of Theorem 1",
    )
    yield general
    return general


def gap_to_best(given: Definitions) -> Generator[Claim, None, tuple[Claim, Claim]]:
    """By how much a policy misses the best value, at a prompt and averaged."""
    top_value, hypotheses = beta * log(Z_of_any()), [next_sums_to_one, is_optimal]
    gain_of, penalty = of_outputs(next_policy * advantage), penalised(next_policy, given)
    own = claim(
        "mroueh_2025.theorem-1.every-prompt.own-gap",
        "At each prompt a policy misses $\\beta \\log Z_A(q)$ by $\\beta$ times its divergence from the policy of "
        "Theorem 1",
        eq(beta * divergence, top_value - (gain_of - beta * penalty)),
        given=hypotheses,
        using=[shortfall.claim("theorem-1.gap").at({**ANY, top: top_value})],
    )
    yield own
    linear = claim(
        "mroueh_2025.theorem-1.every-prompt.averages",
        "An equation between numbers of each prompt holds of their averages",
        Summed(
            eq(beta * missed, highest - (gained - beta * paid)),
            chance,
            eq(beta * average(missed), average(highest) - (average(gained) - beta * average(paid))),
            ONE,
        ),
    )
    yield linear
    at = {missed: divergence, highest: top_value, gained: gain_of, paid: penalty}
    gap = claim(
        "mroueh_2025.theorem-1.every-prompt.gap",
        "Averaged over the prompts as well",
        derivation=derive(
            average(top_value) - objective_of(next_policy, advantage, given),
            "best value less the policy's",
            given=hypotheses,
        ).eq(beta * average(divergence), "the gap at each prompt", using=[own, linear.at(at)]),
    )
    yield gap
    return linear, gap


def value_of_best(given: Definitions, linear: Claim) -> Generator[Claim, None, tuple[Claim, Claim]]:
    """That the policy of Theorem 1 sums to 1 at each prompt, and its value."""
    normalised = claim(
        "mroueh_2025.theorem-1.every-prompt.normalised",
        "At each prompt the policy of Theorem 1 sums to 1",
        Summed(is_optimal, ONE, eq(of_outputs(optimal), 1), ONE),
    )
    line = eq(log(optimal / base), advantage / beta - log(Z_of_any()))
    logarithm = claim(
        "mroueh_2025.theorem-1.every-prompt.logarithm", "Its logarithm over the reference", line, given=[is_optimal]
    )
    gain_of, penalty = of_outputs(optimal * advantage), penalised(optimal, given)
    summed = claim(
        "mroueh_2025.theorem-1.every-prompt.own-value.sum",
        "The mean of this logarithm",
        Summed(line, optimal, eq(gain_of - beta * penalty, beta * log(Z_of_any())), -1 / beta),
        given=[optimal_sums_to_one],
    )
    own = claim(
        "mroueh_2025.theorem-1.every-prompt.own-value",
        "So its value at a prompt is $\\beta \\log Z_A(q)$",
        eq(gain_of - beta * penalty, beta * log(Z_of_any())),
        given=[is_optimal],
        using=[normalised, logarithm, summed],
    )
    at = {missed: 0, highest: beta * log(Z_of_any()), gained: gain_of, paid: penalty}
    attained = claim(
        "mroueh_2025.theorem-1.every-prompt.value",
        "At the policy of Theorem 1 the objective is the average of $\\beta \\log Z_A(q)$",
        derivation=derive(
            objective_of(optimal, advantage, given), "objective at the policy of Theorem 1", given=[is_optimal]
        ).eq(average(beta * log(Z_of_any())), "the value at each prompt", using=[own, linear.at(at)]),
    )
    yield from (normalised, logarithm, summed, own, attained)
    return normalised, attained


def maximum(given: Definitions, linear: Claim, gap: Claim) -> Generator[Claim, None, Claim]:
    """A policy that is not worse agrees everywhere, for any advantage."""
    normalised, attained = yield from value_of_best(given, linear)
    bound = shortfall.claim("divergence").at({any_policy: next_policy, other: optimal})
    own_square = (sqrt(next_policy) - sqrt(optimal)) ** 2
    summand = shortfall.claim("theorem-1.shortfall.term").at({any_policy: next_policy, best: optimal})
    both_sum = [next_sums_to_one, optimal_sums_to_one]
    positive = claim(
        "mroueh_2025.theorem-1.every-prompt.divergence",
        "No divergence is negative",
        derivation=derive(divergence, "divergence at a prompt", given=both_sum)
        .ge(of_outputs(own_square), "bound of the divergence", using=[bound])
        .ge(own_square, "one of the summands", using=[summand])
        .ge(0, "squares are not negative"),
    )
    term = claim(
        "mroueh_2025.theorem-1.every-prompt.term",
        "So that of a prompt is a part of the average",
        TermOfTotal(chance * divergence),
        given=both_sum,
        using=[positive],
    )
    yield from (positive, term)
    missing = claim(
        "mroueh_2025.theorem-1.every-prompt.shortfall",
        "A policy falls short by at least $\\beta$ times the squared difference of the roots at any output, times the "
        "chance of its prompt",
        derivation=derive(
            objective_of(optimal, advantage, given) - objective_of(next_policy, advantage, given),
            "value of the policy of Theorem 1 less that of another one",
            given=[*both_sum, is_optimal],
        )
        .eq(beta * average(divergence), "the gap", using=[attained, gap])
        .ge(beta * (chance * divergence), "one of the terms, none of which is negative", using=[term])
        .ge(beta * (chance * of_outputs(own_square)), "bound of the divergence", using=[bound])
        .ge(beta * (chance * own_square), "one of the summands", using=[summand]),
    )
    yield missing
    general = claim(
        "mroueh_2025.theorem-1.every-prompt",
        "For any advantage, a policy that differs from that of Theorem 1 at an output of a prompt is worse",
        derivation=derive(ne(next_policy, optimal), "at one output of one prompt", given=[next_sums_to_one, is_optimal])
        .implies(gt(beta * (chance * own_square), 0), "the roots differ")
        .implies(
            lt(objective_of(next_policy, advantage, given), objective_of(optimal, advantage, given)),
            "it falls short by at least this",
            using=[normalised, missing],
        ),
    )
    yield general
    return general


def with_the_papers_advantage(given: Definitions, general: Claim, stationary: Claim) -> Iterator[Claim]:
    """Theorem 1 with the weights of Eq. (4) and the normaliser that it prints."""
    normaliser = claim(
        "mroueh_2025.theorem-1.every-prompt.normaliser",
        "With the advantage of Eq. (3) the normaliser of each prompt is the printed one",
        derivation=derive(Z(), "sum over the outputs", given=setting).eq(
            printed_normaliser, "successes and failures apart", using=[splitting.claim("normaliser").at(WEIGHTS)]
        ),
        equation="Theorem 1",
    )
    yield normaliser
    is_printed = eq(optimal, printed)
    same = claim(
        "mroueh_2025.theorem-1.every-prompt.printed",
        "What Theorem 1 prints is the policy for this advantage",
        derivation=derive(optimal, "as printed", given=[*setting, is_printed])
        .eq(base * exp(value / beta) / printed_normaliser, "write the product as a fraction")
        .eq(base * exp(value / beta) / Z(), "the normaliser", using=[normaliser]),
        equation="Theorem 1",
    )
    yield same
    supposed = [*of_the_step, next_sums_to_one]
    yield claim(
        "mroueh_2025.theorem-1.collected",
        "The objective of a step is the expected advantage of Eq. (3) less the penalty",
        derivation=derive(objective(next_policy, given), "Eq. (6), successes and failures apart").eq(
            objective_of(next_policy, value, given), "one expectation"
        ),
        equation="Theorem 1",
    )
    yield claim(
        "mroueh_2025.theorem-1.only-maximum",
        "At every step a policy that differs from what Theorem 1 prints, at an output of a prompt, is worse",
        derivation=derive(ne(next_policy, optimal), "at one output", given=[*setting, *supposed, is_printed]).implies(
            lt(objective_of(next_policy, value, given), objective_of(optimal, value, given)),
            "for any advantage it is",
            using=[same, general.at({advantage: value})],
        ),
        equation="Theorem 1",
    )
    slope = Derivative(objective(next_policy, given), next_policy)
    solution = eq(next_policy, 1 / Z_of_any() * base * exp(1 / beta * value))
    step = (*supposed, is_advantage)
    yield claim(
        "mroueh_2025.theorem-1",
        "At every step and every prompt the policy is the reference, tilted by the advantage that the policy before "
        "the step gives",
        derivation=derive(eq(slope + chance * multiplier, 0), "stationarity of the objective of the step", given=step)
        .implies(
            eq(Derivative(objective_of(next_policy, advantage, given), next_policy) + chance * multiplier, 0),
            "both expectations are that of the advantage, Eq. (3)",
        )
        .implies(eq(next_policy, tilted), "for any advantage", using=[stationary])
        .implies(solution, "put in the advantage"),
        equation="Theorem 1",
        printed=paper.quote(
            "Theorem 1",
            r"\pi_n(o|q) = \frac{1}{Z_{n-1}(q)} \pi_{\mathrm{ref}}(o|q) \exp\left(\frac{1}{\beta}\left("
            r"\omega_{\varepsilon}^{+}(p_{n-1}(q)) \mathbf{1}_{r(q,o)=1}"
            r" - \omega_{\varepsilon}^{-}(p_{n-1}(q)) \mathbf{1}_{r(q,o)=0}\right)\right)",
            implies(eq(slope + chance * multiplier, 0), solution),
            given=step,
        ),
        paper_uses=("theorem-1.concave",),
    )


at_every_prompt = Result("Theorem 1 for every prompt and every step", paper, derivation)
