r"""What the aggregation does not see: absolute rewards, and how concentrated the policy is.

In groups of two every change of different rewards that keeps their order keeps the advantages (`invariance.pairs`),
which depend on the order alone. The paper attributes this in particular to the normalisation by the standard deviation.
That is right for groups of two and, as a shift and a positive factor change nothing (`eq2.invariant`), for questions
with two answers and deterministic rewards at any group size. But with three outputs and groups of three the advantages
depend on more than the order (`invariance.three`): rewards 0, 1, 2 and 0, 1, 5 are ordered in the same way and have
different advantages.

Section 2.3 reads $\beta\sigma$ as an effective weight that is smaller for a more concentrated policy. At a fixed old
policy this weight is exact in large groups: up to a constant the objective is that of the plain rewards with the weight
$\beta\sigma$, divided by $\sigma$ (`effective-weight`). Let the rewards be deterministic. For two answers with
different ones $\sigma$ falls as the larger of the two probabilities grows (`concentration.two-answers`), and for any
number of outputs it is small where one probability is close to 1: if an output has probability $1 - \delta$, then
$\sigma \leq D\sqrt{\delta}$ (`concentration.limit`), where $D$ is the largest distance of another reward to its own.
But for three outputs $\sigma$ may grow with the concentration: with rewards $0, 0, 1$ it is larger for the policy
$(\frac14, \frac14, \frac12)$ than for the uniform one. So the comparison is right for two answers with
different rewards and not in general, while $\sigma$ vanishes in the limit for more outputs as well
(`concentration.limit`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward
from derivations.vojnovic_yun_2025.binary_question import gap
from derivations.vojnovic_yun_2025.outputs import beta, policy
from grpo_symbolic import (
    Claim,
    Result,
    Total,
    absolute,
    both,
    claim,
    derive,
    eq,
    gt,
    implies,
    instance,
    le,
    lt,
    ne,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, group_advantage

first = real("r_1", "(-oo, oo)", "reward of the first member of a pair")
second = real("r_2", "(-oo, oo)", "reward of the second member of a pair")
moved_first = real("f_1", "(-oo, oo)", "the first reward after an increasing change", latex="f(r_1)")
moved_second = real("f_2", "(-oo, oo)", "the second reward after an increasing change", latex="f(r_2)")
worst, middle, best = (
    real(f"r_{name}", "(-oo, oo)", f"{name} of three rewards", latex=rf"r_{{\mathrm{{{name}}}}}")
    for name in ("low", "mid", "high")
)
other_best = real("r_other", "(-oo, oo)", "another highest reward", latex=r"r_{\mathrm{high}}'")
larger = real("x", "[1/2, 1)", "the larger one of the two probabilities")
even_larger = real("x_2", "[1/2, 1)", "another one", latex="x'")
left = real("delta", "[0, 1]", "probability of all other outputs together", latex=r"\delta")
apart = real("h", "(-oo, oo)", "mean reward of the other outputs minus the reward of the one")
variance_of_others = real("V", "[0, oo)", "variance of the reward among the other outputs")
farthest = real("D", "[0, oo)", "largest distance of another reward")
divergence = real("K", "[0, oo)", "divergence penalty of the policy")
three = tuple(
    real(f"p_{number}", "[0, 1]", f"probability of output {number}", latex=f"p_{number}") for number in (1, 2, 3)
)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Order of rewards, then concentration."""
    yield from _order(given)
    yield from _concentration(given)


def _order(given: Definitions) -> Iterator[Claim]:
    """Which changes of the rewards leave the advantages as they are."""
    before, after = (group_advantage(pair, 0, given) for pair in ((first, second), (moved_first, moved_second)))
    yield claim(
        "vojnovic_yun_2025.invariance.pairs",
        "In a pair every change of different rewards that keeps their order keeps the advantages",
        derivation=derive(
            before,
            "reward minus mean, over the deviation",
            given=[
                ne(first, second),
                implies(gt(first, second), gt(moved_first, moved_second)),
                implies(lt(first, second), lt(moved_first, moved_second)),
            ],
        )
        .eq((first - second) / absolute(first - second), "both are half the difference, the latter without its sign")
        .eq((moved_first - moved_second) / absolute(moved_first - moved_second), "the order is kept")
        .eq(after, "the same with the changed rewards"),
        equation="Section 2.1, groups of size two",
        printed=paper.quote(
            "Section 2.1, groups of size two (invariant to the absolute values of the rewards)",
            r"\operatorname{sign}(f(r_i) - f(r_j)) = \operatorname{sign}(r_i - r_j)",
            implies(gt(first, second), eq(before, after)),
            given=(implies(gt(first, second), gt(moved_first, moved_second)),),
        ),
    )
    of_three = [group_advantage((worst, middle, high), 1, given) for high in (best, other_best)]
    yield claim(
        "vojnovic_yun_2025.invariance.three",
        "In a group of three the advantages depend on more than the order",
        instance(
            ne(*of_three),
            {worst: rational(0), middle: rational(1), best: rational(2), other_best: rational(5)},
        ),
    )


def _concentration(given: Definitions) -> Iterator[Claim]:
    """The standard deviation under policies that concentrate on one output."""
    plain = Total(policy * (reward - centre)) - beta * deviation * divergence
    standardised = Total(policy * given.normalise(reward - centre, deviation**2)) - beta * divergence
    yield claim(
        "vojnovic_yun_2025.effective-weight",
        r"In large groups, at a fixed old policy, the objective is up to a constant that of plain rewards "
        r"with the weight $\beta\sigma$, over $\sigma$",
        derivation=derive(standardised, "the objective for large groups, with any divergence")
        .eq(
            Total(policy * (reward - centre)) / deviation - beta * divergence,
            r"the old policy fixes $\sigma$, the same for all outputs",
        )
        .eq(plain / deviation, "common denominator"),
        equation="Section 2.3, after Eq. (13)",
    )
    of_two = gap**2 * larger * (1 - larger)
    uniform = rational(1, 3)
    last = three[2] * (1 - three[2])
    one_more_likely = both(
        eq(three[0] + three[1] + three[2], 1),
        gt(three[2], uniform),
        le(three[0], uniform),
        le(three[1], uniform),
    )
    of_more = gap**2 * even_larger * (1 - even_larger)
    yield claim(
        "vojnovic_yun_2025.concentration.two-answers",
        "For two answers with different deterministic rewards the variance falls as the larger probability grows",
        derivation=derive(of_more, "variance at the larger of two probabilities", given=[lt(larger, even_larger)])
        .eq(of_two - gap**2 * (even_larger - larger) * (larger + even_larger - 1), "difference of the two, factored")
        .lt(of_two, "the factors are positive: both probabilities are at least one half, and they differ"),
        equation="Section 2.3, after Eq. (13)",
        printed=paper.quote(
            "Section 2.3, after Eq. (13)",
            r"\text{more concentrated on placing its mass on a single output, the smaller the deviation }"
            r" \sigma(\pi_\theta(\cdot \mid q))",
            lt(last, uniform * (1 - uniform)),
            given=(one_more_likely,),
            another_reading=True,
            fails_at={three[0]: rational(1, 4), three[1]: rational(1, 4), three[2]: rational(1, 2)},
            instead="For deterministic rewards the sentence holds if read of two answers with different ones, or of "
            "the limit in which all mass is on one output (`concentration.limit`). Read of any policies over three "
            "outputs it fails: with the rewards 0, 0, 1 the policy (1/4, 1/4, 1/2) has a larger deviation than the "
            "uniform one (`concentration.three-outputs`).",
        ),
    )
    mixture = left * variance_of_others + left * (1 - left) * apart**2
    parts = claim(
        "vojnovic_yun_2025.concentration.variance",
        "Variance of the reward, if one output, with a deterministic reward, has all but a share of the probability",
        derivation=derive(mixture, "the mean variance, and the variance of the means")
        .eq(left * variance_of_others + left * apart**2 - left**2 * apart**2, "multiply out")
        .eq(left * (variance_of_others + apart**2) - (left * apart) ** 2, "a mean square less the square of the mean"),
    )
    yield parts
    yield claim(
        "vojnovic_yun_2025.concentration.limit",
        r"It is at most $\delta D^2$, which vanishes with $\delta$",
        derivation=derive(mixture, "the variance", given=[le(variance_of_others + apart**2, farthest**2)])
        .le(left * (variance_of_others + apart**2), "leave out a square", using=[parts])
        .le(left * farthest**2, "no other reward is farther"),
        equation="Section 2.3, after Eq. (13)",
        beyond="an explicit bound, by which the variance vanishes in the limit for any number of outputs",
    )
    yield claim(
        "vojnovic_yun_2025.concentration.three-outputs",
        "With three outputs the variance may be larger for the more concentrated policy",
        instance(
            both(one_more_likely, gt(last, uniform * (1 - uniform))),
            {three[0]: rational(1, 4), three[1]: rational(1, 4), three[2]: rational(1, 2)},
        ),
        equation="Section 2.3, after Eq. (13)",
    )


invariances = Result("Absolute rewards and concentrated policies", paper, derivation)
