r"""The reward preference model: from a sum over the members of a group to Equation (6).

The sum in the reward part runs over the members of a group. The members are drawn independently from one policy and an
advantage does not depend on the order of the others, so each member contributes the same. With this as its premise
the mean over a group is what the first member contributes (`eq6.members`), an expectation over one output $o$
(`eq6.importance`): Equation (6). This relabelling is written out for explicit outputs and groups (as in
`eq6.enumerated.3-3`), and compared with an enumeration of groups of up to 4.
Over the outputs that the old policy gives, Equation (6) needs nothing else, and it holds for random rewards as well;
what the policy gains from other outputs is the subject of another section (`eq6`).

More than the paper says: the expected advantage of an output stays bounded as the groups grow (`preference.bounded`). A
single advantage may be as large as $\sqrt{G-1}$, but the mean of the squares in a group is at most 1, so
$\mathcal{P}_G(o)^2\, \pi_{\theta_{\mathrm{old}}}(o \mid q) \leq 1$ for every $G$ (`preference.bounded`). A bound on
squares that does not depend on $G$ is what an exchange of limit and mean, as in Section 2.1, usually rests on; the
paper mentions none.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from operator import add, mul

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, old, policy, preference
from derivations.vojnovic_yun_2025.reward_by_enumeration import reward_beside_equation_6
from grpo_symbolic import (
    Claim,
    Expression,
    Oracle,
    Result,
    Summed,
    Symbol,
    TermOfTotal,
    Total,
    claim,
    define,
    derive,
    eq,
    gt,
    le,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import Definition

ONE = rational(1)
term = real(
    "t",
    "(-oo, oo)",
    "expected importance-weighted advantage of a member of the group",
    latex=r"t_{index}",
    indexed=OUTPUTS,
)
first_term = real("t_1", "(-oo, oo)", "expected importance-weighted advantage of the first member")
second_moment = real(
    "s",
    "[0, oo)",
    "expected squared advantage of an output beside a group of the old policy",
    latex=r"s({index})",
    indexed=OUTPUTS,
)
high = real("u", "(-oo, oo)", "one value of a random reward")
low = real("v", "(-oo, oo)", "the other value of a random reward")
chance = real("w", "[0, 1]", "probability of the first value")
beside = real("r", "(-oo, oo)", "reward of another member", latex="r_{index}", indexed=OUTPUTS)


#: How many outputs and members are written out.
SIZES = ((2, 2), (2, 3), (3, 2), (2, 4), (3, 3))


def share(output: int, kind: str) -> Symbol:
    """The probability of one of a few explicit outputs under the new or the old policy."""
    letter = {"pi": r"\pi", "old": "p"}[kind]
    policy = {"pi": "the policy", "old": "the old policy"}[kind]
    meaning = f"probability of output {output} under {policy}"
    return real(f"{kind}_{output}", "(0, 1)", meaning, latex=f"{letter}_{output}")


def advantage_of(output: int, others: Sequence[int]) -> Symbol:
    """The advantage of an output beside others, whose order does not matter."""
    beside_it = sorted(others)
    name = "_".join(map(str, (output, *beside_it)))
    latex = rf"A_{{{output} \mid {''.join(map(str, beside_it))}}}"
    return real(f"A_{name}", "(-oo, oo)", f"expected advantage of output {output} beside {beside_it}", latex=latex)


def over_groups(outputs: int, members: int) -> Expression:
    """The reward part as a sum over all groups and their members."""
    terms: list[Expression] = []
    for group in product(range(1, outputs + 1), repeat=members):
        weight = reduce(mul, (share(output, "old") for output in group))
        weighted = [
            share(output, "pi") / share(output, "old") * advantage_of(output, group[:place] + group[place + 1 :])
            for place, output in enumerate(group)
        ]
        terms.append(weight * reduce(add, weighted))
    return reduce(add, terms) / members


def expected_advantage(output: int, outputs: int, members: int) -> Expression:
    """The advantage of an output, expected over the outputs of the other members."""
    groups = product(range(1, outputs + 1), repeat=members - 1)
    terms = [reduce(mul, (share(other, "old") for other in rest)) * advantage_of(output, rest) for rest in groups]
    return reduce(add, terms)


def enumerated(outputs: int, members: int) -> Chain:
    """From the sum over all groups to Equation (6)."""
    expected = [(output, expected_advantage(output, outputs, members)) for output in range(1, outputs + 1)]
    weighted = [share(o, "old") * (share(o, "pi") / share(o, "old")) * advantage for o, advantage in expected]
    one_member = reduce(add, weighted)
    return (
        derive(over_groups(outputs, members), "mean over the members, expected over the groups")
        .eq(
            members * one_member / members,
            "sort by the member's own output; the order of the others does not matter, so every place contributes "
            "the same",
        )
        .eq(one_member, "a mean of equal numbers")
        .eq(
            reduce(add, [share(o, "pi") * advantage for o, advantage in expected]),
            "the importance weight cancels the old probability",
        )
    )


def beside_others(own: Expression, given: Definitions) -> Expression:
    """The advantage of a member with this reward in a group of any size; the sums run over the other members."""
    centre = (own + Total(beside)) / size
    return given.normalise(own - centre, ((own - centre) ** 2 + Total((beside - centre) ** 2)) / size)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """From the sum over members to Equation (6), deterministic rewards, and the bound on expected advantages."""
    yield claim(
        "vojnovic_yun_2025.eq6.members",
        "If every member contributes the same, the mean over the members is the first one's contribution",
        Summed(eq(term, first_term), 1 / size, eq(Total(term) / size, first_term), ONE),
        given=[eq(size, Total(ONE, OUTPUTS))],
        equation="Section 2.1, before Eq. (6)",
    )
    yield claim(
        "vojnovic_yun_2025.eq6.importance",
        "The importance weight turns the expectation over the old policy into one over the policy",
        derivation=derive(Total(old * (policy / old * preference)), "the first member is drawn from the old policy").eq(
            Total(policy * preference), "the old policy gives every output of the sum, so it cancels"
        ),
        equation="Eq. (6)",
        oracle=Oracle("enumerates all groups of 2 to 4 over 3 outputs with random rewards", reward_beside_equation_6),
    )
    for outputs, members in SIZES:
        yield claim(
            f"vojnovic_yun_2025.eq6.enumerated.{outputs}-{members}",
            f"Written out for {outputs} outputs and groups of {members}",
            derivation=enumerated(outputs, members),
            equation="Eq. (6)",
        )
    centre = (high + Total(beside)) / size
    some_differ = gt((high - centre) ** 2 + Total((beside - centre) ** 2), 0)
    certain = (eq(low, high), eq(size - 1, Total(ONE, OUTPUTS)), some_differ)
    here = beside_others(high, given)
    expected = chance * here + (1 - chance) * beside_others(low, given)
    there = beside_others(low, given)
    variance = ((high - centre) ** 2 + Total((beside - centre) ** 2)) / size
    positive = claim(
        "vojnovic_yun_2025.eq6.deterministic.variance",
        "Where some rewards of a group differ their variance is positive",
        gt(variance, 0),
        given=certain,
    )
    deviation = claim(
        "vojnovic_yun_2025.eq6.deterministic.deviation",
        "So is their standard deviation",
        gt(sqrt(variance), 0),
        given=certain,
        using=[positive],
    )
    same = claim(
        "vojnovic_yun_2025.eq6.deterministic.same",
        "The advantages of equal rewards are the same",
        eq(there, here),
        given=certain,
        using=[positive, deviation],
    )
    yield from (positive, deviation, same)
    yield claim(
        "vojnovic_yun_2025.eq6.deterministic",
        "For deterministic rewards the expectation over rewards is the advantage of the rewards themselves",
        derivation=derive(expected, "expectation over both values of the reward", given=certain)
        .eq(chance * here + (1 - chance) * here, "both values are the same", using=[positive, deviation, same])
        .eq(here, "the probabilities sum to 1"),
        equation="Section 2.1, after Eq. (6)",
        printed=paper.quote(
            "Section 2.1, deterministic rewards",
            r"\mathcal{P}_G(o \mid \{o'_i\}_{i=1}^{G-1}, q) = \frac{r(o \mid q) - \operatorname{mean}(r(o \mid q), "
            r"r(o'_1 \mid q), \dots)}{\operatorname{std}(r(o \mid q), r(o'_1 \mid q), \dots)}",
            eq(expected, beside_others(high, GRPO)),
            given=certain,
        ),
    )
    yield from _bounded()


def _bounded() -> Iterator[Claim]:
    """The mean square over the outputs of the old policy is at most 1, as it is in every group."""
    one_output = claim(
        "vojnovic_yun_2025.preference.one-output",
        "One output contributes no more than all outputs",
        TermOfTotal(old * second_moment),
    )
    yield one_output
    yield claim(
        "vojnovic_yun_2025.preference.bounded",
        r"So $\mathcal{P}_G(o)^2\,\pi_{\theta_{\mathrm{old}}}(o \mid q) \leq 1$, however large the groups are",
        derivation=derive(
            preference**2 * old,
            "squared expected advantage, weighted",
            given=[le(preference**2, second_moment), le(Total(old * second_moment), 1)],
        )
        .le(old * second_moment, "the square of a mean is at most the mean square")
        .le(Total(old * second_moment), "one output contributes no more than all", using=[one_output])
        .le(1, "the mean square over all outputs"),
        beyond="a bound that does not depend on the group size; that a mean's square is at most the mean square, and "
        "that this is at most 1 on average over the outputs, are its premises",
    )


def names() -> Iterator[Definition]:
    """The importance weights of the outputs, and their expected advantages where everything is written out."""
    for output in (1, 2, 3):
        yield define(f"rho_{output}", (), share(output, "pi") / share(output, "old"), latex=rf"\rho_{output}")
    for outputs, members in SIZES:
        for output in range(1, outputs + 1):
            yield define(
                f"P_{outputs}_{members}_{output}",
                (),
                expected_advantage(output, outputs, members),
                latex=rf"\mathcal{{P}}^{{({outputs})}}_{members}({output})",
            )


model = Result("The reward preference model", paper, derivation, shorthands=names)
