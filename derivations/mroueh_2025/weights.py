r"""The weights of successes and failures (the bullets of Section 2.1, Figure 1, and Eq. (4)).

Without smoothing the weights are $\sqrt{(1-p)/p}$ and its reciprocal. The bullets hold in an exact sense: the weight of
a failure is the larger one, and is larger than 1, exactly for $p > \frac12$ (`weights.compared`, `weights.high`). But
they are about one output. The successes as a whole and the failures as a whole have the same weight, $\sqrt{p(1-p)}$,
for every $0 < p < 1$ (`weights.balanced`): the rarer kind of output is weighted more, in inverse proportion.

With smoothing the comparison of the two weights stays the same (`eq4.compared`), and their balance does
(`eq4.balanced`). What changes is which weights exceed 1: that of a success exactly for $(1-p)(1-2p) > \varepsilon$
(`eq4.above-one`). On $[0, 1]$ the weight of a success falls from $1/\sqrt{\varepsilon}$ to 0 (`eq4.falling`,
`eq4.ends`), so for $\varepsilon = 1$ it never exceeds 1, and that of a failure rises. The advantage keeps the mean 0,
but its variance drops below 1, to $p(1-p)/(p(1-p)+\varepsilon)$ (`eq3.moments`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.binary_advantage import weight_of_failure, weight_of_success
from derivations.mroueh_2025.functions import epsilon, half, omega_minus, omega_plus, one, p, zero
from derivations.mroueh_2025.success_map_edges import inner
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Figure,
    Result,
    both,
    claim,
    decreasing,
    derive,
    eq,
    gt,
    iff,
    implies,
    increasing,
    lt,
    sqrt,
    tends_to,
)

variance = p * (1 - p)


def derivation() -> Iterator[Claim]:
    """Without smoothing, then with it."""
    yield from bullets()
    yield from smoothed()
    yield from moments()


def bullets() -> Iterator[Claim]:
    """The two bullets and the summary of Section 2.1."""
    of_success, of_failure = weight_of_success(), weight_of_failure()
    high, low = gt(inner, half), lt(inner, half)
    yield claim(
        "mroueh_2025.weights.reciprocal",
        "The two weights are reciprocal",
        eq(of_success * of_failure, 1),
    )
    above, below = list(compared_with_one(more=True)), list(compared_with_one(more=False))
    yield from (*above, *below)
    yield claim(
        "mroueh_2025.weights.high",
        "Exactly above one half successes weigh less than 1, and failures more",
        both(iff(high, lt(of_success, 1)), iff(high, gt(of_failure, 1))),
        using=[below[0], above[1]],
        equation="Section 2.1, first bullet on weights",
        printed=paper.quote(
            "Section 2.1, first bullet on weights",
            r"p > 0.5: \text{ low for success, high for failure}",
            both(lt(of_success, 1), gt(of_failure, 1)),
            given=(high,),
        ),
    )
    yield claim(
        "mroueh_2025.weights.low",
        "Exactly below one half it is the other way round; failures still have a positive weight",
        both(iff(low, gt(of_success, 1)), iff(low, lt(of_failure, 1)), gt(of_failure, 0)),
        using=[above[0], below[1]],
        equation="Section 2.1, second bullet on weights",
        printed=paper.quote(
            "Section 2.1, second bullet on weights",
            r"p < 0.5: \text{ high for success, small but positive for failure}",
            both(gt(of_success, 1), lt(of_failure, 1), gt(of_failure, 0)),
            given=(low,),
        ),
    )
    sides = [
        claim(
            f"mroueh_2025.weights.compared.{name}",
            f"A failure weighs {word} than a success exactly {name} one half",
            derivation=derive(compare(of_failure, of_success), "weights of a failure and of a success")
            .iff(compare(inner / (1 - inner), (1 - inner) / inner), "square both sides; neither is negative")
            .iff(compare(inner**2, (1 - inner) ** 2), "multiply by $p(1-p) > 0$")
            .iff(compare(inner, half), "$p^2 - (1-p)^2 = 2p - 1$"),
        )
        for name, word, compare in (("above", "more", gt), ("below", "less", lt))
    ]
    yield from sides
    yield claim(
        "mroueh_2025.weights.compared",
        "A wrong answer is penalised more than a right one is reinforced exactly above one half",
        both(iff(high, gt(of_failure, of_success)), iff(low, lt(of_failure, of_success))),
        using=sides,
        equation="Section 2.1, summary",
        printed=paper.quote(
            "Section 2.1, summary",
            r"p \text{ high: wrong answers are more penalized than the correct ones are reinforced; }"
            r"p \text{ low: the reverse}",
            both(implies(high, gt(of_failure, of_success)), implies(low, gt(of_success, of_failure))),
        ),
    )
    falls = claim(
        "mroueh_2025.weights.slope-of-success",
        "The slope of the weight of a success is negative",
        derivation=derive(Derivative(of_success, inner), "weight of a success")
        .eq(Derivative((1 - inner) / inner, inner) / (2 * of_success), "chain rule: $(\\sqrt u)' = u'/(2\\sqrt u)$")
        .eq(-(1 / inner**2) / (2 * of_success), "$(1-p)/p = 1/p - 1$")
        .lt(0, "both factors of the denominator are positive"),
    )
    rises = claim(
        "mroueh_2025.weights.slope-of-failure",
        "The slope of the weight of a failure is positive",
        derivation=derive(Derivative(of_failure, inner), "weight of a failure")
        .eq(Derivative(inner / (1 - inner), inner) / (2 * of_failure), "chain rule: $(\\sqrt u)' = u'/(2\\sqrt u)$")
        .eq(1 / (1 - inner) ** 2 / (2 * of_failure), "$p/(1-p) = 1/(1-p) - 1$")
        .gt(0, "all factors are positive"),
    )
    yield from (falls, rises)
    yield claim(
        "mroueh_2025.weights.falling",
        "The weight of a success falls with the success probability",
        decreasing(of_success, inner),
        using=[falls],
        equation="Figure 1",
    )
    yield claim(
        "mroueh_2025.weights.rising",
        "The weight of a failure rises",
        increasing(of_failure, inner),
        using=[rises],
        equation="Figure 1",
    )
    yield claim(
        "mroueh_2025.weights.balanced",
        "Taken together successes and failures have the same weight, at every $0 < p < 1$",
        both(
            eq(inner * of_success, sqrt(inner * (1 - inner))),
            eq((1 - inner) * of_failure, sqrt(inner * (1 - inner))),
        ),
        beyond="compares successes and failures as a whole",
    )


def compared_with_one(more: bool) -> Iterator[Claim]:
    """Where the weight of a success, and then that of a failure, is more than 1, or less."""
    compare, word = (gt, "more") if more else (lt, "less")
    for name, weight, chance, other, turned in (
        ("success", weight_of_success(), 1 - inner, inner, not more),
        ("failure", weight_of_failure(), inner, 1 - inner, more),
    ):
        yield claim(
            f"mroueh_2025.weights.{name}-{word}-than-one",
            f"A {name} weighs {word} than 1 exactly {'above' if turned else 'below'} one half",
            derivation=derive(compare(weight, 1), f"weight of a {name}")
            .iff(compare(chance / other, 1), "square both sides; neither is negative")
            .iff(compare(chance, other), "multiply by the denominator, which is positive")
            .iff((gt if turned else lt)(inner, half), "solve for $p$"),
        )


def smoothed() -> Iterator[Claim]:
    """The weights of Eq. (4) on all of [0, 1]."""
    of_success, of_failure = omega_plus(p), omega_minus(p)
    deviation = sqrt(variance + epsilon)
    yield claim(
        "mroueh_2025.eq4.sum",
        "The sum of the weights is the reciprocal of the smoothed standard deviation",
        derivation=derive(of_success + of_failure, "both weights of Eq. (4)")
        .eq((1 - p) / deviation + p / deviation, "their definitions")
        .eq((1 - p + p) / deviation, "common denominator")
        .eq(1 / deviation, "$1 - p + p = 1$"),
        equation="Eq. (4)",
    )
    yield claim(
        "mroueh_2025.eq4.balanced",
        "Successes and failures as a whole still have the same weight",
        derivation=derive(p * of_success, "weight of all successes together")
        .eq(p * (1 - p) / deviation, "definition of $\\omega_{\\varepsilon}^{+}$")
        .eq((1 - p) * (p / deviation), "take $1 - p$ out")
        .eq((1 - p) * of_failure, "definition of $\\omega_{\\varepsilon}^{-}$"),
        equation="Eq. (4)",
    )
    yield claim(
        "mroueh_2025.eq4.mirrored",
        "One weight is the other at the complementary probability",
        eq(omega_plus(1 - p), of_failure),
    )
    yield claim(
        "mroueh_2025.eq4.compared",
        "A failure weighs more than a success exactly above one half",
        derivation=derive(gt(of_failure, of_success), "definitions of both weights")
        .iff(gt(p, 1 - p), "multiply by the root, which is positive")
        .iff(gt(p, half), "solve for $p$"),
    )
    yield claim(
        "mroueh_2025.eq4.above-one",
        "A success weighs more than 1 exactly where $(1-p)(1-2p) > \\varepsilon$",
        derivation=derive(gt(of_success, 1), "definition of $\\omega_{\\varepsilon}^{+}$")
        .iff(gt(1 - p, deviation), "multiply by the root, which is positive")
        .iff(gt((1 - p) ** 2, variance + epsilon), "square both sides; neither is negative")
        .iff(gt((1 - p) * (1 - 2 * p), epsilon), "subtract $p(1-p)$ and take $1 - p$ out"),
        beyond="says exactly when the weight of a success exceeds 1 after smoothing",
    )
    yield claim("mroueh_2025.eq4.falling", "The weight of a success falls on $[0, 1]$", decreasing(of_success, p))
    yield claim("mroueh_2025.eq4.rising", "The weight of a failure rises on $[0, 1]$", increasing(of_failure, p))
    yield claim(
        "mroueh_2025.eq4.ends",
        "Without any success the weight of one is $1/\\sqrt{\\varepsilon}$, with certain success it is 0",
        both(eq(omega_plus(zero), 1 / sqrt(epsilon)), eq(omega_plus(one), 0)),
    )
    for name, weight, limit in (
        ("success", omega_plus(inner), weight_of_success()),
        ("failure", omega_minus(inner), weight_of_failure()),
    ):
        yield claim(
            f"mroueh_2025.eq4.limit-{name}",
            f"As the smoothing vanishes, the weight of a {name} tends to that of Section 2.1, at every $0 < p < 1$",
            tends_to(weight, limit, epsilon, to=zero, side="+", constant=limit / (2 * (inner * (1 - inner)))),
        )


def moments() -> Iterator[Claim]:
    """Mean and variance of the smoothed advantage."""
    second = p * omega_plus(p) ** 2 + (1 - p) * omega_minus(p) ** 2
    yield claim(
        "mroueh_2025.eq3.moments",
        "The smoothed advantage has a variance below 1; that its mean is 0 is the balance (`eq4.balanced`)",
        derivation=derive(second, "mean of the square; the mean is 0")
        .eq(variance / (variance + epsilon), "common denominator")
        .lt(1, "the smoothing constant is positive"),
        equation="Section 2.2",
    )


def figures() -> Iterator[Figure]:
    """The paper's Figure 1."""
    smoothing = ((epsilon, Fraction(1, 100)),)
    yield Figure(
        id="mroueh_2025.figure-1",
        caption=r"Figure 1: the weights of successes and failures over the success probability $p$ of the old policy, "
        r"without smoothing and for $\varepsilon = 0.01$ (our choice; the paper prints none). They cross at one half.",
        horizontal=inner,
        horizontal_range=(Fraction(1, 200), Fraction(199, 200)),
        horizontal_label="success probability $p$",
        vertical_label="weight",
        curves=(
            Curve(weight_of_success(), (), "success"),
            Curve(weight_of_failure(), (), "failure"),
            Curve(omega_plus(inner), smoothing, r"$\omega_{\varepsilon}^{+}$"),
            Curve(omega_minus(inner), smoothing, r"$\omega_{\varepsilon}^{-}$"),
        ),
        vertical_range=(Fraction(0), Fraction(10)),
    )


weights = Result("The weights of successes and failures", paper, derivation, figures)
