r"""NLHF: the equilibrium of the game of Equation (5).

The two payoffs sum to 1, because preferences are antisymmetric; subtracting $1/2$ from each makes the game zero-sum, as
the paper calls it. Against a fixed opponent the payoff is, up to a constant, Equation (3) with the reward $m(o) =
\mathbb{E}_{o' \sim \pi'}[\mathcal{P}(o \succ o' \mid q)]$, so the best response is Equation (4) with this reward. In
the symmetric equilibrium the opponent is the policy itself: this is the display that the paper calls easily shown.

That there is an equilibrium, and that mirror descent finds it, is cited by the paper and not derived here.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import add, mul

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import (
    OTHER,
    OUTPUTS,
    antisymmetric,
    beta,
    expected,
    policy,
    prefers,
    reference,
    sums_to_one,
)
from derivations.vojnovic_yun_2025.rlhf_optimum import RLHF, multiplier, normaliser, reward, rlhf
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
    Result,
    Summed,
    Total,
    claim,
    derive,
    eq,
    exp,
    implies,
    log,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import Definitions
from grpo_symbolic.grpo.enumeration import Context, Number, best_policy

ONE, HALF = rational(1), rational(1, 2)
opponent = real(
    "pi_opp",
    "(0, 1]",
    "probability of an output under the opponent's policy",
    latex=r"\pi'({index} \mid q)",
    indexed=OUTPUTS,
)
wins = real(
    "m", "[0, 1]", "probability of being preferred to an output of the opponent", latex=r"m({index})", indexed=OUTPUTS
)
own_share = real("x", "(0, 1]", "probability of one output in equilibrium", latex=r"\pi(o \mid q)")
prior = real("r", "(0, 1]", "its probability under the reference policy", latex=r"\pi_{\mathrm{ref}}(o \mid q)")
over = real(
    "P",
    "[0, 1]",
    "its preference over an output of the opponent",
    latex=r"\mathcal{P}(o \succ {index})",
    indexed=OUTPUTS,
)
itself = real("p", "[0, 1]", "preference of an output over itself", latex=r"\mathcal{P}(o \succ o)")


def payoff(given: Definitions = RLHF) -> Expression:
    """Equation (5) for one context, the expectation over the opponent's outputs being the function m."""
    return objective_for(wins, given) + beta * Total(given.penalty(opponent, opponent, reference))


def objective_for(gain_of: Expression, given: Definitions) -> Expression:
    """Expected gain minus the weighted divergence of the policy."""
    return Total(policy * gain_of) - beta * Total(given.penalty(policy, policy, reference))


def preference(first: int, second: int) -> Expression:
    """An antisymmetric preference between two of a few explicit outputs."""
    if first == second:
        return HALF
    if first > second:
        return 1 - preference(second, first)
    return real(f"P_{first}{second}", "[0, 1]", "preference", latex=rf"\mathcal{{P}}({first} \succ {second})")


def equilibrium_by_search(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """Best responses, found numerically, until they no longer change; beside the display after Equation (5)."""
    weight = 1 + values["beta"] / 10
    prior_here = [context.mpf(share) / 10 for share in (2, 3, 5)]
    half, skew = context.one / 2, values["m"] / 2
    table = [[half, half + skew, half - skew], [half - skew, half, context.one], [half + skew, context.zero, half]]
    found = prior_here
    for _ in range(200):
        gains = [context.fdot(row, found) for row in table]
        better = best_policy(gains, prior_here, weight, context)
        moved = max(abs(new - before) for new, before in zip(better, found, strict=True))
        found = better
        if moved < context.mpf(10) ** -30:
            break
    tilted = [
        share * context.exp(context.fdot(row, found) / weight) for share, row in zip(prior_here, table, strict=True)
    ]
    return found[0], tilted[0] / context.fsum(tilted)


def derivation(given: Definitions = RLHF) -> Iterator[Claim]:
    """The game and its best responses."""
    yield from _game(given)
    yield from _responses(given)


def _game(given: Definitions) -> Iterator[Claim]:
    """The two payoffs sum to 1."""
    yield claim(
        "vojnovic_yun_2025.eq5.own-output",
        "Antisymmetry includes an output against itself: its preference is one half",
        derivation=derive(eq(itself, 1 - itself), "antisymmetry, for an output and itself")
        .iff(eq(2 * itself, 1), "add the preference on both sides")
        .iff(eq(itself, HALF), "divide by 2"),
        equation="Section 1.1, NLHF",
    )
    mine_first = Total(policy * expected(opponent.at(OTHER) * prefers))
    theirs_first = Total(opponent * expected(policy.at(OTHER) * prefers))
    divergence, theirs = (Total(given.penalty(one, one, reference)) for one in (policy, opponent))
    both = (mine_first - beta * divergence + beta * theirs) + (theirs_first - beta * theirs + beta * divergence)
    turned = Total(policy * expected(opponent.at(OTHER) * prefers.at(OTHER, OUTPUTS)))
    complements = Total(policy * expected(opponent.at(OTHER) * (1 - prefers)))
    weighted = claim(
        "vojnovic_yun_2025.eq5.antisymmetric.sum",
        "Antisymmetric preferences, weighted with both policies and summed over all pairs",
        Summed(antisymmetric, policy * opponent.at(OTHER), eq(turned, complements), ONE),
        given=[antisymmetric],
    )
    yield weighted
    yield claim(
        "vojnovic_yun_2025.eq5.constant-sum",
        "The two payoffs sum to 1, so subtracting one half from each makes the game zero-sum",
        derivation=derive(both, "both payoffs", given=[sums_to_one, eq(Total(opponent), 1), antisymmetric])
        .eq(mine_first + theirs_first, "the divergences cancel")
        .eq(mine_first + turned, "the same pairs, summed in the other order")
        .eq(mine_first + complements, "preferences are antisymmetric", using=[weighted])
        .eq(Total(policy) * Total(opponent), "the preferences cancel; take out the factors")
        .eq(1, "both policies sum to 1"),
        equation="Section 1.1, before Eq. (5)",
    )
    names = (1, 2, 3)
    mine = [real(f"x_{name}", "(0, 1)", f"probability of output {name}", latex=f"x_{name}") for name in names]
    theirs = [real(f"y_{name}", "(0, 1)", "the opponent's probability", latex=f"y_{name}") for name in names]
    table = [
        (first, second, preference(names[i], names[j]), preference(names[j], names[i]))
        for i, first in enumerate(mine)
        for j, second in enumerate(theirs)
    ]
    forward = reduce(add, [first * second * there for first, second, there, _ in table])
    backward = reduce(add, [second * first * here for first, second, _, here in table])
    yield claim(
        "vojnovic_yun_2025.eq5.constant-sum.3",
        "The same for three outputs, with every preference written out and without the divergences, which cancel",
        derivation=derive(forward + backward, "the expected preferences in both orders")
        .eq(reduce(add, [first * second * (there + here) for first, second, there, here in table]), "pair by pair")
        .eq(reduce(add, [first * second for first, second, _, _ in table]), "two opposite preferences sum to 1")
        .eq(reduce(add, mine) * reduce(add, theirs), "take out the factors"),
        equation="Section 1.1, before Eq. (5)",
    )


def _responses(given: Definitions) -> Iterator[Claim]:
    """The best response is the optimum of RLHF with the preferences as rewards."""
    slope = Derivative(payoff(given), policy)
    same = claim(
        "vojnovic_yun_2025.eq5.best-response",
        "Against a fixed opponent the payoff has the gradient of Equation (3) with the reward $m$",
        derivation=derive(slope, "gradient of the payoff")
        .eq(
            wins - beta * Derivative(given.penalty(policy, policy, reference), policy),
            "one summand of each sum depends on the coordinate, and the opponent's divergence does not",
        )
        .eq(Derivative(objective_for(wins, given), policy), "so it is in Equation (3)"),
        equation="Eq. (5)",
    )
    yield same
    sums = (sums_to_one, eq(Total(reference * exp(wins / beta)), normaliser))
    printed = eq(policy, 1 / normaliser * reference * exp(1 / beta * wins))
    yield claim(
        "vojnovic_yun_2025.eq5.equilibrium",
        r"So a symmetric equilibrium is the reference, tilted by the exponential of its own preferences over $\beta$",
        derivation=derive(eq(slope, multiplier), "the policy is a best response to itself", given=sums)
        .implies(eq(Derivative(objective_for(wins, given), policy), multiplier), "the same gradient", using=[same])
        .implies(printed, "Equation (4) with the reward $m$", using=[rlhf.claim("eq4").at({reward: wins})]),
        equation="Section 1.1, after Eq. (5)",
        printed=paper.quote(
            "Section 1.1, after Eq. (5)",
            r"\pi(o \mid q) = \frac{1}{Z_q} \pi_{\mathrm{ref}}(o \mid q)"
            r" e^{\frac{1}{\beta} \mathbb{E}_{o' \sim \pi(\cdot \mid q)}[\mathcal{P}(o \succ o' \mid q)]}",
            implies(eq(slope, multiplier), printed),
            given=sums,
        ),
        using=[rlhf.claim("eq4").at({reward: wins})],
        oracle=Oracle("iterates best responses found numerically, for three outputs", equilibrium_by_search),
    )
    opponents = Total(policy / beta * log(exp(over)))
    yield claim(
        "vojnovic_yun_2025.eq5.pooling",
        r"It is a logarithmic pool of the reference and one distribution for each opponent's output, weighted by "
        r"$\pi(o')/\beta$",
        derivation=derive(
            log(own_share),
            "logarithm of the equilibrium",
            given=[eq(own_share, 1 / normaliser * prior * exp(Total(policy * over) / beta))],
        )
        .eq(log(prior) + Total(policy * over) / beta - log(normaliser), "logarithm of a product")
        .eq(log(prior) + opponents - log(normaliser), r"$\mathcal{P} = \log e^{\mathcal{P}}$, and sum the weights"),
        equation="Section 1.1, after Eq. (5)",
    )
    shares = [real(f"x_{name}", "(0, 1)", f"probability of output {name}", latex=f"x_{name}") for name in (1, 2, 3)]
    against = [preference(1, name) for name in (1, 2, 3)]
    summed = reduce(add, [share * each for share, each in zip(shares, against, strict=True)])
    factors = [exp(log(exp(each)) * (share / beta)) for share, each in zip(shares, against, strict=True)]
    yield claim(
        "vojnovic_yun_2025.eq5.pooling.3",
        "The tilt of the reference for three outputs, as a product of powers",
        derivation=derive(exp(summed / beta), "the tilt, with the preference over three outputs")
        .eq(
            reduce(mul, [exp(share * each / beta) for share, each in zip(shares, against, strict=True)]),
            "exponential of a sum",
        )
        .eq(reduce(mul, factors), r"$e^{\mathcal{P}x/\beta} = (e^{\mathcal{P}})^{x/\beta}$"),
        equation="Section 1.1, after Eq. (5)",
    )


equilibrium = Result("The equilibrium of NLHF", paper, derivation)
