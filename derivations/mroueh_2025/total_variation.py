r"""Total variation and success probabilities (Section 5 and the first lines of the proof of Theorem 5).

The total variation distance of two policies is half the sum of $|\tilde\pi(o|q) - \pi(o|q)|$. Appendix C writes it as
half a supremum over functions $f$ without a bound on them; it must be taken over $|f| \le 1$ (`total-variation`), where
it is attained by the sign of the difference (`total-variation.attained`). Without a bound multiples of this function
give multiples of this value, which have no supremum unless the policies agree.

From this the paper concludes $|\tilde p - p| \le 2\,\mathrm{TV}$. A success probability is the expectation of a
function with values in $[0, 1]$, which is half as long as $[-1, 1]$, so the factor 2 can be dropped: $|\tilde p - p|
\le \mathrm{TV}$ (`success-gap`). This is sharp: for two outputs, one of which succeeds, both sides are equal
(`success-gap.sharp`). It needs no 0/1 rewards, any reward in $[0, 1]$ will do (`success-gap`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.outputs import OUTPUTS, policy, success, sums_to_one
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    Total,
    absolute,
    claim,
    derive,
    eq,
    iff,
    le,
    rational,
    real,
)

ONE = rational(1)
HALF = rational(1, 2)
approximate = real(
    "pi_a",
    "[0, 1]",
    "probability of an output under an approximate policy, which may never give it",
    latex=r"\tilde\pi({index}|q)",
    indexed=OUTPUTS,
)
weight = real("f", "(-oo, oo)", "value of a function of the outputs", latex="f({index})", indexed=OUTPUTS)
p_1 = real("x", "[0, 1]", "success probability under the approximate policy, of two outputs", latex=r"\tilde p")
p_2 = real("y", "[0, 1]", "success probability under the policy, of two outputs", latex="p")

gap = approximate - policy
variation = HALF * Total(absolute(gap))
distance = real("TV", "[0, oo)", "total variation distance of two policies", latex=r"\mathrm{TV}(\tilde\pi\|\pi)")
is_variation = eq(distance, variation)
approximate_success, exact_success = Total(approximate * success), Total(policy * success)
difference = approximate_success - exact_success
policies = (sums_to_one, eq(Total(approximate), 1))


def derivation() -> Iterator[Claim]:
    """The supremum, then the bound for success probabilities."""
    yield from supremum()
    yield from successes()


def supremum() -> Iterator[Claim]:
    """Half the supremum over functions with values in [-1, 1]."""
    bounded = le(absolute(weight), 1)
    pointwise = claim(
        "mroueh_2025.total-variation.summand",
        "A function with values in $[-1, 1]$ gives at most the absolute value",
        derivation=derive(weight * gap, "one summand", given=[bounded])
        .le(absolute(weight) * absolute(gap), "a product is at most its absolute value")
        .le(absolute(gap), "hypothesis"),
    )
    yield pointwise
    summed = claim(
        "mroueh_2025.total-variation.sum",
        "Summed over the outputs",
        Summed(le(weight * gap, absolute(gap)), HALF, le(HALF * Total(weight * gap), variation), ONE),
    )
    yield summed
    half_difference = HALF * (Total(approximate * weight) - Total(policy * weight))
    yield claim(
        "mroueh_2025.total-variation",
        "Half the difference of the expectations of a function with values in $[-1, 1]$ is at most the total variation",
        derivation=derive(half_difference, "half the difference", given=[bounded, is_variation])
        .le(variation, "output by output, then summed", using=[pointwise, summed])
        .eq(distance, "definition"),
        using=[pointwise, summed],
        equation="Appendix C",
        printed=paper.quote(
            "Appendix C, first line",
            r"\mathrm{TV}(\tilde\pi\|\pi) = \frac{1}{2} \sup_{\|f\|_\infty}"
            r" \mathbb{E}_{\tilde\pi} f - \mathbb{E}_\pi f",
            le(half_difference, distance),
            given=(*policies, is_variation),
            fails_at={
                policy: [HALF, HALF],
                approximate: [rational(2, 3), rational(1, 3)],
                weight: [1, -2],
                distance: rational(1, 6),
            },
            notation=r"the supremum is over $\|f\|_\infty$, a number, which says nothing of which $f$ are meant",
            instead=r"The supremum is over $\|f\|_\infty \le 1$; without a bound on $f$ it is infinite unless the two "
            "policies agree.",
            compare_with_pdf=True,
        ),
    )
    attained = eq(weight * gap, absolute(gap))
    at_sign = claim(
        "mroueh_2025.total-variation.attained-sum",
        "Summed over the outputs, for a function that is the sign of the difference",
        Summed(attained, HALF, eq(HALF * Total(weight * gap), variation), ONE),
    )
    yield at_sign
    yield claim(
        "mroueh_2025.total-variation.attained",
        "It is attained where the function is the sign of the difference",
        derivation=derive(half_difference, "half the difference", given=[attained, is_variation])
        .eq(HALF * Total(weight * gap), "sums are linear")
        .eq(variation, "each summand is an absolute value", using=[at_sign])
        .eq(distance, "definition"),
        using=[at_sign],
        equation="Appendix C",
    )


def successes() -> Iterator[Claim]:
    """The difference of two success probabilities."""
    bounds = []
    sides = (
        ("above", ONE, "A reward between 0 and 1 gives at most the positive part of a difference"),
        ("below", rational(-1), "The same for the negative part"),
    )
    for name, sign, title in sides:
        summand = le(sign * success * gap, HALF * absolute(gap) + sign * (HALF * gap))
        bounds += [
            claim(
                f"mroueh_2025.success-gap.{name}.summand",
                title,
                derivation=derive(sign * success * gap, "one summand")
                .eq((success - HALF) * (sign * gap) + sign * (HALF * gap), "split off half of it")
                .le(absolute(success - HALF) * absolute(gap) + sign * (HALF * gap), "absolute value of the first")
                .le(HALF * absolute(gap) + sign * (HALF * gap), "a reward is at most $\\frac12$ away from $\\frac12$"),
            ),
            claim(
                f"mroueh_2025.success-gap.{name}.sum",
                "Summed over the outputs; the differences sum to 0",
                Summed(summand, ONE, le(sign * difference, variation), ONE),
                given=policies,
            ),
        ]
    yield from bounds
    yield claim(
        "mroueh_2025.success-gap",
        "Success probabilities differ by at most the total variation, once and not twice",
        derivation=derive(absolute(difference), "success probabilities", given=[*policies, is_variation])
        .le(variation, "neither the difference nor its negative is larger", using=bounds)
        .eq(distance, "definition"),
        using=bounds,
        equation="Appendix C",
        printed=paper.quote(
            "Appendix C, proof of Theorem 5",
            r"|\tilde p_n - p_n| = \left|\mathbb{E}_{\tilde\pi_n} \mathbf{1}_{r(q,o)=1}"
            r" - \mathbb{E}_{\pi_n} \mathbf{1}_{r(q,o)=1}\right| \le 2\,\mathrm{TV}(\tilde\pi_n\|\pi_n)",
            le(absolute(difference), 2 * distance),
            given=(*policies, is_variation),
        ),
        beyond="drops the factor 2",
    )
    of_two = HALF * (absolute(p_1 - p_2) + absolute((1 - p_1) - (1 - p_2)))
    yield claim(
        "mroueh_2025.success-gap.sharp",
        "For two outputs, one of which succeeds, the two sides are equal",
        eq(absolute(p_1 - p_2), of_two),
        beyond="shows that the factor cannot be smaller than 1",
    )
    yield claim(
        "mroueh_2025.success-gap.twice",
        "For two outputs twice the total variation is attained only by equal policies",
        iff(eq(absolute(p_1 - p_2), 2 * of_two), eq(p_1, p_2)),
    )


variations = Result("Total variation and success", paper, derivation)
