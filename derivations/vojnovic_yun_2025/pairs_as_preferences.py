r"""Groups of two and pairwise preferences: the role of ties.

In groups of two $\mathcal{P}_2(o \mid \{o'\}) = \mathcal{P}(o \succ o') - \mathcal{P}(o' \succ o)$. In general this is
no function of $\mathcal{P}(o \succ o')$ alone (`pairs.preference.ties`). If ties are impossible, it is $2\mathcal{P}(o
\succ o') - 1$, and the printed $\mathcal{R}_2 = 2\,\mathbb{E}[\mathcal{P}(o \succ o')] - 1$ follows, as the paper says.

But $o'$ may also be $o$ itself, and there the condition $\mathcal{P}(o \succ o') + \mathcal{P}(o' \succ o) = 1$ asks
for $\mathcal{P}(o \succ o) = 1/2$ (`eq5.own-output`). With the paper's own definition $\mathcal{P}(o \succ o)$ is $(1 -
\tau)/2$, where $\tau$ is the probability that two rewards of $o$ are equal: it is $0$ for deterministic rewards, so the
condition never holds for them (`pairs.own-output`). If different outputs never tie, and an output may tie with itself,
then (`pairs.reward-part.ties`) $\mathcal{R}_2 = 2\,\mathbb{E}[\mathcal{P}(o \succ o')] - 1 + \sum_o
\pi_\theta(o)\,\pi_{\theta_{\mathrm{old}}}(o)\,\tau(o)$. Where $\pi_{\theta_{\mathrm{old}}}\tau$ differs between
outputs, the last sum depends on the policy, so it is not an additive constant (`pairs.reward-part.gradient`). For two
answers with different deterministic rewards it changes the equation for the stationary policies
(`pairs.deterministic.stationary`).

What always works is to count a tie as one half: $\mathcal{Q} = \mathcal{P}(o \succ o') + \frac{1}{2}\mathbb{P}[r = r']$
is antisymmetric for all pairs, $o' = o$ included (`pairs.halved-ties`), and $\mathcal{R}_2 = 2\,\mathbb{E}[\mathcal{Q}]
- 1$ without any condition (`pairs.reward-part.halved-ties`). The paper writes *asymmetric* here for what it calls
*antisymmetric* in Section 1.1.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import lose, win
from derivations.vojnovic_yun_2025.binary_question import gap, low, slope, x, x_old
from derivations.vojnovic_yun_2025.binary_question import reference as prior
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, old, policy
from derivations.vojnovic_yun_2025.reward_by_enumeration import pairs_beside_wins
from grpo_symbolic import (
    Claim,
    Derivative,
    Oracle,
    Result,
    Summed,
    Total,
    both,
    claim,
    define,
    derive,
    eq,
    iff,
    instance,
    le,
    lt,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, group_advantage
from grpo_symbolic.language.expression import Definition

win_too = real("win_too", "[0, 1]", "the same for another pair", latex=r"\mathbb{P}[r > r']'")
lose_too = real("lose_too", "[0, 1]", "the same for another pair", latex=r"\mathbb{P}[r < r']'")
same = real("tau", "[0, 1]", "probability that two independent rewards of one output are equal", latex=r"\tau")
wins = real(
    "W",
    "[0, 1]",
    "probability of a higher reward than an output of the old policy",
    latex=r"W({index})",
    indexed=OUTPUTS,
)
losses = real(
    "L",
    "[0, 1]",
    "probability of a lower reward than an output of the old policy",
    latex=r"L({index})",
    indexed=OUTPUTS,
)
ties = real(
    "tie",
    "[0, 1]",
    "probability that two independent rewards of the output are equal",
    latex=r"\tau({index})",
    indexed=OUTPUTS,
)
HALF = rational(1, 2)

reward_part = Total(policy * (wins - losses))
sums = (eq(Total(policy), 1), eq(Total(old), 1))
#: Only the output itself ties with itself.
different_outputs_never_tie = eq(losses, 1 - wins - old * ties)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """One pair, the reward part, and what ties change."""
    yield from _one_pair(given)
    yield from _reward_part()
    yield from _own_output(given)


def _one_pair(given: Definitions) -> Iterator[Claim]:
    """The preference between two outputs."""
    better, worse = (group_advantage((low + gap, low), member, given) for member in (0, 1))
    half = gap / 2
    advantages = [
        claim(
            f"vojnovic_yun_2025.pairs.advantage.{name}",
            f"The advantage of the {name} of two different rewards",
            derivation=derive(advantage, "reward minus mean, over the standard deviation")
            .eq(
                deviation / sqrt((half**2 + (-half) ** 2) / 2),
                "the mean is $v + d/2$: the deviations are $d/2$ and $-d/2$",
            )
            .eq(deviation / half, "the root of a square; $d > 0$")
            .eq(value, "cancel"),
        )
        for name, advantage, deviation, value in (
            ("higher", better, half, 1),
            ("lower", worse, -half, -1),
        )
    ]
    yield from advantages
    expected = win * better + lose * worse + (1 - win - lose) * 0
    yield claim(
        "vojnovic_yun_2025.pairs.preference",
        r"In groups of two the preference is a difference of two probabilities",
        derivation=derive(expected, "expected advantage: of a win, a loss and a tie")
        .eq(
            win * 1 + lose * -1 + (1 - win - lose) * 0,
            "an advantage is 1 for the higher reward and $-1$ for the lower one; 0 counts for a tie",
            using=advantages,
        )
        .eq(win - lose, "collect"),
        equation="Section 2.1, groups of size two",
        printed=paper.quote(
            "Section 2.1, groups of size two",
            r"\mathcal{P}_2(o \mid \{o'\}, q) \text{ corresponds to the pairwise preference }"
            r" \mathcal{P}(o \succ o' \mid q)",
            eq(expected, 2 * win - 1),
            given=(le(win + lose, 1),),
            another_reading=True,
            instead=r"Without ties the sentence holds, with $\mathcal{P}_2 = 2\mathcal{P} - 1$. With ties, which "
            "deterministic rewards bring along for an output beside itself, it fails: $\\mathcal{P}_2$ is the "
            "difference of the preferences in both orders, in general no function of one (`pairs.preference.ties`).",
        ),
    )
    yield claim(
        "vojnovic_yun_2025.pairs.preference.ties",
        "With ties it is no function of the pairwise preference: equal probabilities of a win, unequal preferences",
        instance(
            both(eq(win, win_too), ne(win - lose, win_too - lose_too)),
            {win: HALF, win_too: HALF, lose: HALF, lose_too: rational(0)},
        ),
        equation="Section 2.1, groups of size two",
    )
    counted = win + (1 - win - lose) / 2
    counted_back = lose + (1 - win - lose) / 2
    yield claim(
        "vojnovic_yun_2025.pairs.halved-ties",
        "If a tie counts one half, preferences are antisymmetric and the relation is exact, without a condition",
        both(eq(counted + counted_back, 1), eq(win - lose, 2 * counted - 1)),
        beyond="with ties counted one half no condition is needed",
    )
    yield claim(
        "vojnovic_yun_2025.pairs.antisymmetric",
        "Preferences as the paper defines them are antisymmetric exactly if there are no ties",
        iff(eq(win + lose, 1), eq(1 - win - lose, 0)),
    )
    yield claim(
        "vojnovic_yun_2025.pairs.own-output",
        "Against itself an output wins and loses equally often, so its preference is one half only without ties",
        both(eq(win, (1 - same) / 2), iff(eq(win, HALF), eq(same, 0))),
        given=[eq(win, lose), eq(same, 1 - win - lose)],
    )


def _reward_part() -> Iterator[Claim]:
    """The reward part for any number of outputs."""
    yield claim(
        "vojnovic_yun_2025.pairs.reward-part",
        "The reward part for groups of two",
        derivation=derive(
            Total(old * (policy / old * (wins - losses))), "Equation (6), advantages of pairs, summed over the opponent"
        )
        .eq(reward_part, "cancel the old policy")
        .eq(Total(policy * wins) - Total(policy * losses), "split the sum"),
        equation="Section 2.1, groups of size two",
        printed=paper.quote(
            "Section 2.1, groups of size two",
            r"\mathcal{R}_2(\theta) = \mathbb{E}_{o \sim \pi_\theta, o' \sim \pi_{\theta_{\mathrm{old}}}}"
            r"[\mathcal{P}(o \succ o' \mid q) - \mathcal{P}(o' \succ o \mid q)]",
            eq(Total(old * (policy / old * (wins - losses))), reward_part),
        ),
        oracle=Oracle("enumerates all pairs of 3 outputs with random rewards, beside their wins", pairs_beside_wins),
    )
    printed = eq(reward_part, 2 * Total(policy * wins) - 1)
    one_less = eq(losses, 1 - wins)
    antisymmetric = Summed(one_less, policy, printed, rational(-1))
    back = claim(
        "vojnovic_yun_2025.pairs.losses.antisymmetric",
        "Antisymmetric preferences, weighted with the policy and summed",
        Summed(one_less, policy, eq(Total(policy * losses), Total(policy * (1 - wins))), rational(1)),
    )
    yield back
    yield claim(
        "vojnovic_yun_2025.pairs.reward-part.antisymmetric",
        r"If all preferences are antisymmetric, that of an output to itself included",
        derivation=derive(reward_part, "the reward part for groups of two", given=(*sums, one_less))
        .eq(Total(policy * wins) - Total(policy * losses), "split the sum")
        .eq(Total(policy * wins) - Total(policy * (1 - wins)), "a loss has what a win leaves", using=[back])
        .eq(2 * Total(policy * wins) - Total(policy), "split the second sum")
        .eq(2 * Total(policy * wins) - 1, "the policy sums to 1"),
        equation="Section 2.1, groups of size two",
        printed=paper.quote(
            "Section 2.1, groups of size two",
            r"\mathcal{R}_2(\theta) = 2 \mathbb{E}_{o \sim \pi_\theta, o' \sim \pi_{\theta_{\mathrm{old}}}}"
            r"[\mathcal{P}(o \succ o' \mid q)] - 1",
            antisymmetric,
            given=sums,
        ),
    )
    yield claim(
        "vojnovic_yun_2025.pairs.reward-part.ties",
        "If different outputs never tie, and an output may tie with itself, there is one more sum",
        Summed(
            different_outputs_never_tie,
            policy,
            eq(reward_part, 2 * Total(policy * wins) - 1 + Total(policy * old * ties)),
            rational(-1),
        ),
        given=sums,
        beyond="the exact formula where an output ties with itself",
    )
    yield claim(
        "vojnovic_yun_2025.pairs.reward-part.halved-ties",
        "With ties counted as one half the formula always holds",
        derivation=derive(reward_part, "the reward part for groups of two", given=sums)
        .eq(Total(policy * (2 * (wins + (1 - wins - losses) / 2) - 1)), "ties are what wins and losses leave")
        .eq(2 * Total(policy * (wins + (1 - wins - losses) / 2)) - Total(policy), "split the sum")
        .eq(2 * Total(policy * (wins + (1 - wins - losses) / 2)) - 1, "the policy sums to 1"),
        beyond="drops the condition of antisymmetric preferences",
    )


def _own_output(given: Definitions) -> Iterator[Claim]:
    """For deterministic rewards the sum over an output's pairs with itself changes the stationary policy."""
    yield claim(
        "vojnovic_yun_2025.pairs.reward-part.gradient",
        "The derivative of the additional sum is $\\pi_{\\mathrm{old}}\\tau$, up to a constant: where that differs, "
        "the sum is no constant",
        derivation=derive(
            Derivative(reward_part - 2 * Total(policy * wins), policy),
            "derivative of the additional sum, less a constant",
            given=[different_outputs_never_tie],
        )
        .eq(wins - losses - 2 * wins, "one summand of each sum depends on the coordinate")
        .eq(old * ties - 1, "put in the losses"),
    )
    strict = 2 * (x * (1 - x_old) * 1 + (1 - x) * x_old * 0) - 1
    exact = strict + x * x_old + (1 - x) * (1 - x_old)
    exact_form = claim(
        "vojnovic_yun_2025.pairs.deterministic.exact",
        "With the additional sum the formula is Equation (16)",
        derivation=derive(exact, "the formula, with the pairs of an output with itself")
        .eq(2 * x - 2 * x * x_old - 1 + x * x_old + (1 - x - x_old + x * x_old), "multiply out")
        .eq(x - x_old, "collect"),
    )
    yield exact_form
    too_small = claim(
        "vojnovic_yun_2025.pairs.deterministic.strict",
        "Without it the formula is too small",
        derivation=derive(strict, "the formula without the additional sum")
        .lt(exact, "leave out two positive products")
        .eq(x - x_old, "as before", using=[exact_form]),
    )
    yield too_small
    yield claim(
        "vojnovic_yun_2025.pairs.deterministic",
        "Two answers with different deterministic rewards: the formula gives Equation (16) with the additional sum, "
        "and is too small without it",
        both(eq(exact, x - x_old), lt(strict, x - x_old)),
        using=[exact_form, too_small],
        equation="Section 2.1, groups of size two",
    )
    penalty = beta * binary_penalty(x, x_old, prior, given)
    yield claim(
        "vojnovic_yun_2025.pairs.deterministic.stationary",
        "Without it stationarity would be another equation, a cubic one",
        derivation=derive(eq(slope(strict - penalty), 0), "without the additional sum")
        .iff(eq(2 * (1 - x) - beta * ((x - prior) / (x * (1 - x))), 0), "differentiate, then put old = new")
        .iff(eq(beta * (x - prior), 2 * x * (1 - x) ** 2), "multiply by $x(1-x)$"),
    )


def names() -> Iterator[Definition]:
    """The advantages of the higher and of the lower reward of a pair."""
    for member, sign in ((0, "+"), (1, "-")):
        yield define(f"A_{member}", (), group_advantage((low + gap, low), member), latex=f"A_{sign}")


preferences = Result("Groups of two and pairwise preferences", paper, derivation, shorthands=names)
