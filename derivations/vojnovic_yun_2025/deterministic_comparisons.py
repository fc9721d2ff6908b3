r"""Deterministic rewards: a pairwise preference is 1 or 0 (Section 2.1).

$\mathcal{P}(o \succ o' \mid q)$ is the probability of those outcomes of the two rewards in which the first is the
larger one. A sum runs over the outcomes of the two rewards. With deterministic rewards every outcome has the same
rewards, so all or none of them count: the preference is 1 exactly if $r(o \mid q) > r(o' \mid q)$, and otherwise, ties
included, it is 0 (`comparisons.deterministic`). In both orders together the preferences then add up to 1 only if the
rewards differ (`comparisons.both-orders`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import OUTPUTS
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    Total,
    both,
    claim,
    derive,
    eq,
    gt,
    iff,
    implies,
    le,
    lt,
    ne,
    rational,
    real,
)

ONE = rational(1)
own = real("r", "(-oo, oo)", "reward of an output", latex=r"r(o \mid q)")
other = real("r_other", "(-oo, oo)", "reward of another output", latex=r"r(o' \mid q)")
weight = real("w", "(0, 1]", "probability of an outcome of both rewards", latex="w_{index}", indexed=OUTPUTS)
counts = real(
    "t", "[0, 1]", "1 if the first reward is larger in this outcome, otherwise 0", latex="t_{index}", indexed=OUTPUTS
)
forward = real("win", "[0, 1]", "1 if the first of two deterministic rewards is larger, otherwise 0", latex="t")
backward = real("lose", "[0, 1]", "1 if the second of two deterministic rewards is larger, otherwise 0", latex="t'")
preference = real("P", "[0, 1]", "pairwise preference", latex=r"\mathcal{P}(o \succ o' \mid q)")
first_wins = both(implies(gt(own, other), eq(forward, 1)), implies(le(own, other), eq(forward, 0)))
second_wins = both(implies(gt(other, own), eq(backward, 1)), implies(le(other, own), eq(backward, 0)))


def derivation() -> Iterator[Claim]:
    """From the sum over outcomes to 1 or 0."""
    certain = claim(
        "vojnovic_yun_2025.comparisons.certain",
        "If all outcomes count alike, the preference is what one of them counts",
        Summed(eq(counts, forward), weight, eq(Total(weight * counts), forward), ONE),
        given=[eq(Total(weight), 1)],
    )
    yield certain
    known = [eq(preference, Total(weight * counts)), eq(Total(weight), 1), eq(counts, forward)]
    value = claim(
        "vojnovic_yun_2025.comparisons.value",
        "So the preference of deterministic rewards is that number",
        derivation=derive(preference, "the preference", given=known)
        .eq(Total(weight * counts), "probability of the outcomes that count")
        .eq(forward, "all outcomes count alike", using=[certain]),
    )
    yield value
    yield claim(
        "vojnovic_yun_2025.comparisons.deterministic",
        "For deterministic rewards the preference is 1 exactly if the first reward is larger, otherwise 0",
        both(iff(eq(preference, 1), gt(own, other)), iff(eq(preference, 0), le(own, other))),
        given=[*known, first_wins],
        using=[value],
        equation="Section 2.1, groups of size two",
    )
    wins, sums = (first_wins, second_wins), forward + backward
    order = claim(
        "vojnovic_yun_2025.comparisons.order",
        "Rewards are equal exactly if neither is larger",
        derivation=derive(eq(own, other), "equal rewards").iff(
            both(le(own, other), le(other, own)), "of two different numbers one is larger"
        ),
    )
    yield order
    yield claim(
        "vojnovic_yun_2025.comparisons.both-orders",
        "In both orders the preferences add up to 1 exactly if the rewards differ",
        both(iff(eq(sums, 1), ne(own, other)), iff(lt(sums, 1), eq(own, other))),
        given=wins,
        using=[order],
        equation="Section 2.1, groups of size two",
    )


comparisons = Result("Pairwise preferences of deterministic rewards", paper, derivation)
