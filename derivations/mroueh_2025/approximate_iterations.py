r"""Approximate iterations: Theorem 5 with half its constant (Assumption 1, Section 5, Appendix C).

Assumption 1 lets the total variation between the approximate policy $\tilde\pi_n$ and the exact one grow by at most
$\delta_n$ in step $n$, from 0 at the start. By induction it is at most $\delta_1 + \dots + \delta_n \le \delta^*$
(`assumption-1.iterates`). With $|\tilde p_n - p_n| \le \mathrm{TV}$ and the triangle inequality,
$|\tilde p_n - p^*| \le \delta^* + |p_n - p^*|$ for every $n$ (`theorem-5.every-step`). So wherever $p_n$ is within a
tolerance $t$ of $p^*$, $\tilde p_n$ is within $\delta^* + t$ of it (`theorem-5.iterates`), and if $p_n \to p^*$, the
limit superior of the distance is at most $\delta^*$ (`theorem-5`). The paper has $2\delta^*$, and ends its proof at
$|\tilde p_n - p_n|$; the triangle inequality closes this gap.

The constant matters: with $2\delta^*$ nothing is said for $\delta^* \ge \frac12$ (`theorem-5.empty`), while in the
example below $\delta^*$ itself is attained (`theorem-5.no-limit`). And the limit in Theorem 5 need not exist, although
the total variation minus the partial sums has one (`assumption-1.converges`), and these tend to $\delta^*$. Let two of
three outputs succeed, and let the exact policies keep at least $d$ on the failure and on one success from a step $N$
on, as they do near a policy with more than $d$ on each. An approximation that is exact before step $N$, and from then
on takes $d$ alternately from the failure and from this success and gives it to the other success, has the total
variation $d$ from step $N$ on (`theorem-5.alternating`). Assumption 1 allows this with $\delta_N = d$ and no other
error. Its success probability is off from $p_n$ by $d$ and by 0 in turn (`theorem-5.no-limit`), so its distance from
$p^*$ is near $d$ and near 0 in turn once $p_n$ is near $p^*$. The theorem is true for the limit superior (`theorem-5`,
`theorem-5.limit-superior`).
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.outputs import policy
from derivations.mroueh_2025.total_variation import (
    HALF,
    approximate,
    approximate_success,
    distance,
    exact_success,
    is_variation,
    policies,
    variation,
    variations,
)
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    Summed,
    absolute,
    both,
    by_induction,
    claim,
    derive,
    eq,
    every_iterate,
    for_every,
    ge,
    implies,
    le,
    maximum,
    minimum,
    rational,
    real,
    unknown_function,
    whole,
)

before = real("T_before", "[0, 1]", "total variation after the step before", latex=r"\mathrm{TV}_{n-1}")
now = real("T_now", "[0, 1]", "total variation after a step", latex=r"\mathrm{TV}_n")
start = real("T_start", "[0, 1]", "total variation at the start", latex=r"\mathrm{TV}_0")
growth = real("delta", "[0, oo)", "error of a step", latex=r"\delta_n")
sum_before = real("S_before", "[0, oo)", "sum of the errors up to the step before", latex="S_{n-1}")
partial = real("S_now", "[0, oo)", "sum of the errors up to a step", latex="S_n")
total = real("delta_star", "[0, oo)", "sum of all errors", latex=r"\delta^*")
ours = real("p_a", "[0, 1]", "success probability of the approximate policy", latex=r"\tilde p_n")
theirs = real("p_n", "[0, 1]", "success probability of the exact policy", latex="p_n")
limit = real("p_star", "[0, 1]", "limit of the exact success probabilities", latex="p^*")
tolerance = real("t", "(0, oo)", "a tolerance", latex="t")
ours_before = real(
    "p_a_before", "[0, 1]", "success probability of the approximate policy before a step", latex=r"\tilde p_{n-1}"
)
theirs_before = real("p_n_before", "[0, 1]", "success probability of the exact policy before a step", latex="p_{n-1}")
common_start = real("p_start", "[0, 1]", "success probability of both policies at the start", latex="p_0")
shift = real("d", "(0, 1)", "probability that the approximation moves", latex="d")

assumption_1 = le(now, before + growth)
added = eq(partial, sum_before + growth)
step = whole("n", "[0, oo)", "number of a step")
#: The same, and the sums, as sequences that run along the steps.
variation_at = unknown_function(
    "TV", step, "total variation of the two policies after a step", values="[0, 1]", latex=r"\mathrm{TV}"
)
error_at = unknown_function("delta", step, "error of a step", values="[0, oo)", latex=r"\delta")
sum_at = unknown_function("S", step, "sum of the errors up to a step", values="[0, oo)")
ours_at = unknown_function(
    "p_a", step, "success probability of the approximate policy", values="[0, 1]", latex=r"\tilde p"
)
theirs_at = unknown_function("p", step, "success probability of the exact policy", values="[0, 1]")
all_at_once = {error_at: total * maximum(2 - step, 0), sum_at: total * minimum(step, 1)}
summed_up = (
    for_every(step, eq(sum_at(step + 1), sum_at(step) + error_at(step + 1)), such_as=all_at_once),
    eq(sum_at(0), 0),
)
bounded_errors = (
    for_every(
        step,
        le(variation_at(step + 1), variation_at(step) + error_at(step + 1)),
        such_as={variation_at: 0, error_at: all_at_once[error_at]},
    ),
    eq(variation_at(0), 0),
)
one_success = real("s_1", "(0, 1)", "probability of one success under the exact policy", latex="s_1")
other_success = real("s_2", "(0, 1)", "that of the other one", latex="s_2")
failure = 1 - one_success - other_success
#: Two successes and a failure: the exact policy, and approximations that take from the failure or from a success.
exact = (one_success, other_success, failure)
from_failure = (one_success + shift, other_success, failure - shift)
from_success = (one_success + shift, other_success - shift, failure)
#: There is enough to take.
enough = (le(shift, other_success), le(shift, failure))


def derivation() -> Iterator[Claim]:
    """Induction over the steps, the bound for one step, and what becomes of it in the limit."""
    step_up = yield from induction()
    yield from bound(step_up)
    yield from alternating()


def induction() -> Generator[Claim, None, Claim]:
    """Assumption 1 summed up."""
    same, summand = eq(approximate, policy), eq(absolute(approximate - policy), 0)
    pointwise = claim("mroueh_2025.assumption-1.start.summand", "Equal probabilities", summand, given=[same])
    summed = claim("mroueh_2025.assumption-1.start.sum", "Summed", Summed(summand, HALF, eq(variation, 0), rational(1)))
    yield from (pointwise, summed)
    yield claim(
        "mroueh_2025.assumption-1.start",
        "At the start the two policies agree by assumption, so their total variation is 0",
        derivation=derive(distance, "total variation at the start", given=[same, is_variation])
        .eq(variation, "definition")
        .eq(0, "each summand is 0", using=[pointwise, summed]),
        using=[pointwise, summed],
        equation="Assumption 1",
    )
    step_up = claim(
        "mroueh_2025.assumption-1.step",
        "A step keeps the total variation within the sum of the errors",
        derivation=derive(now, "total variation after a step", given=[assumption_1, added, le(before, sum_before)])
        .le(before + growth, "Assumption 1")
        .le(sum_before + growth, "the step before")
        .eq(partial, "add the error"),
        equation="Appendix C",
        printed=paper.quote(
            "Appendix C, proof of Theorem 5",
            r"2\, \mathrm{TV}(\tilde\pi_n\|\pi_n) \le 2 \sum_{i=1}^n \delta_i + \mathrm{TV}(\tilde\pi_0, \pi_0)",
            le(2 * now, 2 * partial + start),
            given=(assumption_1, added, le(before, sum_before + start)),
            another_reading=True,
            fails_at={now: 1, before: 1, start: 1, growth: 0, partial: 0, sum_before: 0},
            instead="With equal policies at the start, as in Assumption 1, the line holds: its last term is 0. Read as "
            "what the assumption gives for any start it fails: the factor 2 of the line before is missing there.",
        ),
    )
    yield step_up
    yield claim(
        "mroueh_2025.assumption-1.iterates",
        "By induction the total variation is at most the sum of the errors, after any number of steps",
        by_induction(le(variation_at(step), sum_at(step)), step),
        given=[*bounded_errors, *summed_up],
        using=[
            step_up.at(
                {
                    before: variation_at(step),
                    now: variation_at(step + 1),
                    growth: error_at(step + 1),
                    sum_before: sum_at(step),
                    partial: sum_at(step + 1),
                }
            )
        ],
        equation="Appendix C",
    )
    return step_up


def bound(step_up: Claim) -> Iterator[Claim]:
    """Theorem 5 for one step."""
    sums = (*policies, is_variation, eq(ours, approximate_success), eq(theirs, exact_success))
    small = (le(distance, partial), le(partial, total))
    gap = variations.claim("success-gap")
    steps = derive(absolute(ours - limit), "distance from the fixed point", given=(*sums, *small))
    yield claim(
        "mroueh_2025.theorem-5.every-step",
        "At every step the approximate success probability misses the fixed point by at most $\\delta^* + |p_n - p^*|$",
        derivation=steps.le(absolute(ours - theirs) + absolute(theirs - limit), "triangle inequality")
        .le(distance + absolute(theirs - limit), "bound by the total variation", using=[gap])
        .le(partial + absolute(theirs - limit), "Assumption 1, summed")
        .le(total + absolute(theirs - limit), "the errors are not negative"),
        equation="Theorem 5",
        using=[gap],
        beyond="gives a bound for every step and not just in the limit",
    )
    yield from all_iterates(step_up)
    none = (*sums, *small, eq(total, 0))
    yield claim(
        "mroueh_2025.theorem-5.no-errors",
        "Without errors the approximate success probabilities are the exact ones, at every step",
        derivation=derive(ours, "approximate success probability", given=none).eq(
            theirs, "they differ by at most $\\mathrm{TV}_n \\le S_n \\le \\delta^* = 0$", using=[gap]
        ),
        using=[gap],
        equation="Theorem 5",
        paper_uses=("theorem-5.no-limit",),
    )
    yield claim(
        "mroueh_2025.theorem-5.empty",
        "For $\\delta^* \\ge \\frac{1}{2}$ the printed bound holds for any two probabilities",
        derivation=derive(absolute(ours - limit), "distance from the fixed point", given=[ge(total, HALF)])
        .le(1, "both are probabilities")
        .le(2 * total, "hypothesis"),
    )


def all_iterates(step_up: Claim) -> Iterator[Claim]:
    """Theorem 5 for all steps: Assumption 1, the sum of its errors, and both success probabilities run along."""
    near = implies(le(absolute(theirs_before - limit), tolerance), le(absolute(ours_before - limit), total + tolerance))
    errors_kept = step_up.at({partial: sum_before + growth})
    miss = absolute(ours - limit)
    near_kept = claim(
        "mroueh_2025.theorem-5.iterates.success",
        "A step keeps the success probability within $\\delta^*$ and the tolerance of the fixed point",
        derivation=derive(
            miss,
            "distance from the fixed point",
            given=[
                *(assumption_1, le(before, sum_before), le(sum_before + growth, total)),
                *(le(absolute(ours - theirs), now), le(absolute(theirs - limit), tolerance)),
            ],
        )
        .le(absolute(ours - theirs) + absolute(theirs - limit), "triangle inequality")
        .le(now + tolerance, "hypotheses")
        .le(sum_before + growth + tolerance, "the sum of the errors", using=[errors_kept])
        .le(total + tolerance, "it is at most $\\delta^*$"),
    )
    at_start = claim(
        "mroueh_2025.theorem-5.iterates.start",
        "At the start the success probabilities agree",
        derivation=derive(
            absolute(common_start - limit),
            "distance from the fixed point",
            given=[le(absolute(common_start - limit), tolerance)],
        )
        .le(tolerance, "hypothesis")
        .le(total + tolerance, "errors are not negative"),
    )
    yield from (near_kept, at_start)
    yield claim(
        "mroueh_2025.theorem-5.iterates",
        "After any number of steps, if the exact success probability is within a tolerance of the fixed point, the "
        "approximate one is within $\\delta^*$ and this tolerance of it",
        every_iterate(
            both(le(before, sum_before), le(sum_before, total), near),
            {before: now, sum_before: sum_before + growth, ours_before: ours, theirs_before: theirs},
            {before: 0, sum_before: 0, ours_before: common_start, theirs_before: common_start},
            where=both(assumption_1, le(sum_before + growth, total), le(absolute(ours - theirs), now)),
            such_as={now: before, growth: 0, ours: limit, theirs: limit},
        ),
        using=[errors_kept, near_kept, at_start],
        equation="Theorem 5",
    )


def successes_of(policy_of_three: tuple[Expression, Expression, Expression]) -> Expression:
    """The success probability if the first two of three outputs succeed."""
    return policy_of_three[0] + policy_of_three[1]


def distance_of(first: tuple[Expression, Expression, Expression]) -> Expression:
    """The total variation of a policy over three outputs from the exact one."""
    parts = [absolute(share - other) for share, other in zip(first, exact, strict=True)]
    return HALF * (parts[0] + parts[1] + parts[2])


def alternating() -> Iterator[Claim]:
    """An approximation whose success probability has no limit."""
    errors = [absolute(successes_of(policy) - successes_of(exact)) for policy in (from_failure, from_success)]
    away = [
        claim(
            f"mroueh_2025.theorem-5.alternating.{name}",
            f"The total variation of the approximation that takes from {what}",
            derivation=derive(distance_of(policy), "half the sum of the absolute differences", given=enough)
            .eq(HALF * (absolute(shift) + absolute(first) + absolute(second)), "output by output")
            .eq(shift, "one moves up by $d$, and one down"),
        )
        for name, what, policy, first, second in (
            ("failure", "the failure", from_failure, rational(0), -shift),
            ("success", "a success", from_success, -shift, rational(0)),
        )
    ]
    yield from away
    yield claim(
        "mroueh_2025.theorem-5.alternating",
        "Two approximations at the same total variation $d$ from an exact policy for three outputs",
        both(eq(distance_of(from_failure), shift), eq(distance_of(from_success), shift)),
        given=enough,
        using=away,
    )
    missed = [
        claim(
            f"mroueh_2025.theorem-5.{name}",
            title,
            derivation=derive(error, "distance of the success probabilities", given=enough)
            .eq(absolute(moved), "add up the successes of both policies")
            .eq(moved, reason),
        )
        for name, title, error, moved, reason in (
            ("misses", "What is taken from the failure is missed", errors[0], shift, "it is positive"),
            ("hits", "What moves between the successes is not", errors[1], rational(0), "nothing is left"),
        )
    ]
    yield from missed
    yield claim(
        "mroueh_2025.theorem-5.no-limit",
        "Used in turn they miss the exact success probability by $d = \\delta^*$ and by 0",
        both(eq(errors[0], shift), eq(errors[1], 0)),
        given=enough,
        using=missed,
        equation="Theorem 5",
        printed=paper.quote(
            "Theorem 5",
            r"\lim_{n\to\infty} |\tilde p_n - p^*|",
            eq(errors[0], errors[1]),
            given=enough,
            fails_at={shift: rational(1, 4), one_success: rational(1, 3), other_success: rational(1, 3)},
            notation="the sequence need not have a limit, so that a bound of its limit says nothing",
            instead=r"A limit superior, $\limsup_{n\to\infty} |\tilde p_n - p^*| \le \delta^*$. The limit would need "
            "the two errors to agree between which this sequence alternates.",
        ),
    )


iterations = Result("Approximate iterations", paper, derivation)
