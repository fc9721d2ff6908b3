r"""Between groups of two and large groups: bounds and a rate in terms of the group size.

For binary rewards the expected advantages depend on the group size through $B_G(s)$ alone, the expected standard
deviation of the rewards 0 and 1 in a group (`binary-rewards.preference`). With $Q = s(1-s)$ the following holds for
every $G \geq 2$ and every $0 < s < 1$ (`group-deviation.lower`, `group-deviation.rate`, `group-deviation.upper`):
$$\sqrt{Q}\left(1 - \frac{1}{2GQ}\right) \leq B_G(s) \leq \sqrt{Q}\,\sqrt{1 - \frac{1}{G}} < \sqrt{Q}.$$
So the exchange of limit and expectation in Section 2.1 is right for binary rewards, at least at the rate $1/G$
(`group-deviation.limit`). And the limit is approached from below: $B_G < B_{G+1}$ (`group-deviation.increases`),
because a random member that leaves a group with both rewards lowers the standard deviation on average
(`group-deviation.one-leaves`). For binary rewards the effective margin $\gamma_G = B_G/Q$ increases with $G$ from 1 to
$1/\sqrt{Q}$: groups of any size lie between the two extremes of the paper (`group-deviation.increases`,
`group-deviation.limit`).

The upper bound follows from the mean of the number of mixed pairs in a group, and the lower bound from its first two
moments and $\sqrt{t} \geq (3t - t^2)/2$. A sum runs over pairs or quadruples of members, or over numbers of successes,
as the title says.
"""

from collections.abc import Iterator, Mapping
from math import comb

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.binary_rewards import NUMBERS, chance, s
from derivations.vojnovic_yun_2025.groups import member_reward
from grpo_symbolic import (
    Claim,
    Expression,
    Gap,
    Group,
    IndexSet,
    Oracle,
    Result,
    Summed,
    Total,
    binary,
    both,
    claim,
    derive,
    eq,
    ge,
    le,
    lt,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.grpo.enumeration import Context, Number
from grpo_symbolic.language.expression import substitute

ONE = rational(1)
#: Ordered pairs, or quadruples, of members of a group.
TUPLES = IndexSet("choice of members", "choices of members", "c")
pattern = real("w", "[0, 1]", "probability of the wanted rewards of some members", latex=r"w_{index}", indexed=TUPLES)
number = real("n", "(-oo, oo)", "number of successes in the group")
deviation = real(
    "u", "[0, oo)", "standard deviation in a group with so many successes", latex=r"u(n_{index})", indexed=NUMBERS
)
lowered = real(
    "u_less", "[0, oo)", "mean standard deviation after one member has left", latex=r"u^-(n_{index})", indexed=NUMBERS
)
Q = real("Q", "(0, 1/4]", "variance of a reward that is 0 or 1")
t = real("t", "[0, oo)", "any number that is not negative")
root = real("q", "(0, 1/2]", "standard deviation of a reward that is 0 or 1", latex=r"\sqrt{Q}")
gain = real("B", "(0, oo)", "expected standard deviation in a group", latex="B_G(s)")
first = real("k", "[1, oo)", "number of successes in a group that contains one")
later = real("j", "[1, oo)", "number of failures in a group that contains one")

second_moment = Q * (1 - 1 / size)
fourth_moment = (size - 1) * (size - 2) * (size - 3) / size**3 * Q**2 + (size - 1) ** 2 / size**3 * Q


def lower_bound(variance: Expression) -> Expression:
    """What the sum of the cubic bounds gives, over the standard deviation."""
    return (3 * (1 - 1 / size) - (size - 1) * (size - 2) * (size - 3) / size**3) / 2 - (size - 1) ** 2 / (
        2 * size**3 * variance
    )


def bounds_by_summation(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The expected standard deviation in a group of up to 200, summed, beside its upper bound."""
    members = 2 + int(4 * abs(values["G"])) % 200
    spread = context.sqrt(values["Q"]) if "Q" in values else values["q"]
    success = (1 + context.sqrt(abs(1 - 4 * spread**2))) / 2
    total = context.fsum(
        comb(members, n) * success**n * (1 - success) ** (members - n) * context.sqrt(n * (members - n)) / members
        for n in range(members + 1)
    )
    return total, context.sqrt(1 - context.one / members) * spread


def derivation() -> Iterator[Claim]:
    """Moments, the two bounds, the rate, and monotonicity in the group size."""
    yield from _moments()
    yield from _bounds()
    yield from _monotone()


def _moments() -> Iterator[Claim]:
    """Second and fourth moment of the standard deviation."""
    spread = s * (1 - s)
    yield claim(
        "vojnovic_yun_2025.mixed-pairs",
        "Expected number of ordered pairs of a success and a failure; the sum runs over the ordered pairs",
        Summed(eq(pattern, spread), ONE, eq(Total(pattern), size * (size - 1) * spread), ONE),
        given=[eq(Total(ONE, TUPLES), size * (size - 1))],
    )
    count = size * (size - 1) * (size - 2) * (size - 3)
    yield claim(
        "vojnovic_yun_2025.mixed-quadruples",
        "Expected number of ordered quadruples, two successes before two failures; the sum runs over all quadruples",
        Summed(eq(pattern, spread**2), ONE, eq(Total(pattern), count * spread**2), ONE),
        given=[eq(Total(ONE, TUPLES), count)],
    )
    mixed = number * (size - number)
    yield claim(
        "vojnovic_yun_2025.mixed-pairs.square",
        "The square of the number of mixed pairs is a number of quadruples plus a multiple of the number of pairs",
        eq(mixed**2, number * (number - 1) * (size - number) * (size - number - 1) + (size - 1) * mixed),
    )
    yield claim(
        "vojnovic_yun_2025.group-deviation.moments",
        "So these are the second and fourth moment of the standard deviation of a group",
        both(
            eq(size * (size - 1) * Q / size**2, second_moment),
            eq((count * Q**2 + (size - 1) * size * (size - 1) * Q) / size**4, fourth_moment),
        ),
    )


def _bounds() -> Iterator[Claim]:
    """From above by the mean of two squares, from below by a cubic."""
    factor = sqrt(1 - 1 / size)
    weights = eq(Total(chance), 1)
    second = eq(Total(chance * deviation**2), root**2 * (1 - 1 / size))
    above = claim(
        "vojnovic_yun_2025.group-deviation.upper",
        r"$B_G(s) \leq \sqrt{Q}\sqrt{1 - 1/G}$; the sum runs over the numbers of successes",
        Summed(
            le(deviation, (deviation**2 / (factor * root) + factor * root) / 2),
            chance,
            le(Total(chance * deviation), factor * root),
            ONE,
        ),
        given=[weights, second],
        oracle=Oracle("sums over the number of successes in groups of up to 200", bounds_by_summation, "<="),
    )
    yield above
    cubic = derive(sqrt(t) - (3 * t - t**2) / 2, "root minus parabola")
    parabola = claim(
        "vojnovic_yun_2025.root-above-parabola",
        r"$\sqrt{t} \geq (3t - t^2)/2$ for $t \geq 0$",
        derivation=cubic.eq(sqrt(t) * (sqrt(t) - 1) ** 2 * (sqrt(t) + 2) / 2, "factor").ge(0, "all factors are"),
    )
    yield parabola
    yield claim(
        "vojnovic_yun_2025.group-deviation.lower",
        r"From below the two moments give a bound as well; the sum runs over the numbers of successes",
        Summed(
            ge(deviation, (3 * deviation**2 / root - deviation**4 / root**3) / 2),
            chance,
            ge(Total(chance * deviation), root * lower_bound(root**2)),
            ONE,
        ),
        given=[weights, second, eq(Total(chance * deviation**4), _at_root(fourth_moment))],
        using=[parabola.at({t: deviation**2 / root**2})],
    )
    simple_bound = 1 - 1 / (2 * size * Q)
    simple = claim(
        "vojnovic_yun_2025.group-deviation.rate",
        r"So $B_G(s) \geq \sqrt{Q}\,(1 - \frac{1}{2GQ})$",
        derivation=derive(lower_bound(Q), "the lower bound, over the standard deviation")
        .eq(
            simple_bound + 3 / (2 * size) - 11 / (2 * size**2) + 3 / size**3 + (1 / size**2 - 1 / (2 * size**3)) / Q,
            "multiply out",
        )
        .ge(simple_bound + 3 / (2 * size) - 3 / (2 * size**2) + 1 / size**3, r"$1/Q \geq 4$")
        .ge(simple_bound, r"$G \geq 2$"),
    )
    yield simple
    named = eq(gain, Total(chance * deviation))
    least = root * (1 - 1 / (2 * size * root**2))
    between = [
        claim(
            "vojnovic_yun_2025.group-deviation.below-root",
            r"So $B_G(s) \leq \sqrt{Q}$; sums run over the numbers of successes",
            derivation=derive(gain, "expected standard deviation in a group", given=[named, weights, second])
            .eq(Total(chance * deviation), "by the number of successes")
            .le(factor * root, r"at most $\sqrt{Q}\sqrt{1 - 1/G}$", using=[above])
            .le(root, "the factor is less than 1"),
        ),
        claim(
            "vojnovic_yun_2025.group-deviation.above-rate",
            r"And $B_G(s) \geq \sqrt{Q}\,(1 - \frac{1}{2GQ})$; sums run over the numbers of successes",
            derivation=derive(
                gain,
                "expected standard deviation in a group",
                given=[named, ge(Total(chance * deviation), root * lower_bound(root**2))],
            )
            .eq(Total(chance * deviation), "by the number of successes")
            .ge(root * lower_bound(root**2), "the bound from the two moments (`group-deviation.lower`)")
            .ge(least, r"it is $\sqrt{Q}\,(1 - \frac{1}{2GQ})$ at least", using=[simple.at({Q: root**2})]),
        ),
    ]
    yield from between
    within = (ge(gain, least), le(gain, root))
    margin = derive(gain / root**2, r"the effective margin $B_G/Q$", given=within)
    ends = [
        claim(
            "vojnovic_yun_2025.group-deviation.limit.above",
            r"The effective margin is at most $1/\sigma$",
            derivation=margin.le(root / root**2, "the upper bound on $B_G$ (`group-deviation.below-root`)").eq(
                1 / root, "cancel"
            ),
        ),
        claim(
            "vojnovic_yun_2025.group-deviation.limit.below",
            "And smaller than that by $1/(2G\\sigma^3)$ at most",
            derivation=margin.ge(least / root**2, "the lower bound on $B_G$ (`group-deviation.above-rate`)").eq(
                1 / root - 1 / (2 * root**3) / size, "multiply out"
            ),
        ),
    ]
    yield from ends
    yield claim(
        "vojnovic_yun_2025.group-deviation.limit",
        r"Limit and expectation may be exchanged for binary rewards: $\gamma_G \to 1/\sigma$, at least at the rate "
        "$1/G$",
        both(
            le(gain / root**2, 1 / root),
            ge(gain / root**2, 1 / root - 1 / (2 * root**3) / size),
        ),
        given=within,
        using=ends,
        equation="Section 2.1, limit of large group size",
        beyond="exchanges limit and expectation for binary rewards, with an explicit rate",
        fills=[
            Gap(
                "Section 2.1, limit of large groups",
                "limit and expectation of an unbounded quotient are exchanged without a reason",
            ),
        ],
    )
    yield claim(
        "vojnovic_yun_2025.group-deviation.limit.rate",
        "The lower bound tends to the limit as the groups grow",
        tends_to(1 / root - 1 / (2 * root**3) / size, 1 / root, size, to=None, side="oo", constant=1 / (2 * root**3)),
        equation="Section 2.1, limit of large group size",
    )


def _at_root(expression: Expression) -> Expression:
    """A moment at the square of the standard deviation."""
    return substitute(expression, {Q: root**2})


def _monotone() -> Iterator[Claim]:
    """A member leaves a group: the standard deviation falls on average."""
    total = first + later
    one_less = first / total * (sqrt((first - 1) * later) / (total - 1)) + later / total * (
        sqrt(first * (later - 1)) / (total - 1)
    )
    before = sqrt(first * later) / total
    products = claim(
        "vojnovic_yun_2025.product-below-square",
        r"$\sqrt{k(k-1)} < k - \frac{1}{2}$ for $k \geq 1$",
        derivation=derive(sqrt(first * (first - 1)), "root of the product")
        .lt(sqrt((first - rational(1, 2)) ** 2), r"$k(k-1) = (k - \frac12)^2 - \frac14$")
        .eq(first - rational(1, 2), "root of a square"),
    )
    yield products
    leaves = (
        derive(
            Group(member_reward, 2, binary(first / total)).expectation(
                member_reward * (sqrt((first - 1) * later) / (total - 1))
                + (1 - member_reward) * (sqrt(first * (later - 1)) / (total - 1))
            ),
            "standard deviation after a member has left, which had the reward 1 with the probability $k/(k + j)$",
        )
        .eq(one_less, "both rewards, each with its probability")
        .eq(
            before * ((sqrt(first * (first - 1)) + sqrt(later * (later - 1))) / (total - 1)),
            "take out the standard deviation before",
        )
        .lt(
            before,
            r"$\sqrt{k(k-1)} < k - \frac{1}{2}$, twice",
            using=[products, products.at({first: later})],
        )
    )
    yield claim(
        "vojnovic_yun_2025.group-deviation.one-leaves",
        "If a random member leaves a group with both rewards, the standard deviation falls on average",
        derivation=leaves,
    )
    yield claim(
        "vojnovic_yun_2025.group-deviation.increases",
        "The others are a random group: larger groups have larger expected deviations; the sum runs over the "
        "numbers of successes of groups with both rewards",
        Summed(lt(lowered, deviation), chance, lt(Total(chance * lowered), Total(chance * deviation)), ONE),
        beyond="the effective margin increases with the group size, for binary rewards",
    )


bounds = Result("Groups of any size between the extremes", paper, derivation)
