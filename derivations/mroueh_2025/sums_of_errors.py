r"""Assumption 1 as a statement about sequences, and Theorem 5 in the limit.

Assumption 1 asks for errors $\delta(n) \geq 0$ with $S(n) = \delta(1) + \dots + \delta(n) \to \delta^*$. No partial sum
is above a later one (`assumption-1.partial-sums.later`), so in the limit none is above $\delta^*$
(`assumption-1.partial-sums`). With that the bound of every step (`theorem-5.every-step`) becomes Theorem 5: if $p(n)
\to p^*$, the limit superior of $|\tilde p(n) - p^*|$ is at most $\delta^*$ (`theorem-5`), where the paper has
$2\delta^*$. The bound $2 S(n)$ of Appendix C tends to $2\delta^*$ (`theorem-5.twice`), half of which bounds the limit
superior of $|\tilde p(n) - p(n)|$, whether or not $p(n)$ converges (`theorem-5.limit-superior`). The total variation
minus the sums never rises (`assumption-1.falls`) and so has a limit (`assumption-1.converges`).

The assumption can be met with infinitely many errors, for instance by $\delta_n = \frac{\delta^*}{n(n+1)}$
(`assumption-1.example`, `assumption-1.example-limit`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.approximate_iterations import (
    added,
    assumption_1,
    before,
    bounded_errors,
    growth,
    iterations,
    limit,
    now,
    ours,
    ours_at,
    partial,
    step,
    sum_at,
    sum_before,
    summed_up,
    theirs,
    theirs_at,
    total,
    variation_at,
)
from derivations.mroueh_2025.total_variation import (
    approximate_success,
    distance,
    exact_success,
    policies,
    variation,
    variations,
)
from grpo_symbolic import (
    Claim,
    Gap,
    Result,
    absolute,
    both,
    by_induction,
    claim,
    derive,
    eq,
    falls_to_a_limit,
    ge,
    gt,
    has_limit,
    in_the_limit,
    le,
    limit_superior,
    sum_of,
    tends_to,
    whole,
)

later = whole("m", "[0, oo)", "number of further steps")
count = whole("n", "[1, oo)", "number of a step", latex="n")
index = whole("k", "[1, oo)", "number of an earlier step", latex="k")

errors_converge = has_limit(sum_at(step), step, total)
exact_converges = has_limit(theirs_at(step), step, limit, such_as={theirs_at: limit})
#: At every step there are two policies with these success probabilities and this total variation.
of_policies = both(
    *policies,
    eq(variation_at(step), variation),
    eq(ours_at(step), approximate_success),
    eq(theirs_at(step), exact_success),
)
supposed = (*bounded_errors, *summed_up, errors_converge)


def derivation() -> Iterator[Claim]:
    """What convergence of the sums says about each of them, and about the bound."""
    after = claim(
        "mroueh_2025.assumption-1.partial-sums.later",
        "No partial sum is above a later one",
        by_induction(le(sum_at(step), sum_at(step + later)), later),
        given=summed_up[:1],
    )
    yield after
    below = claim(
        "mroueh_2025.assumption-1.partial-sums",
        "So no partial sum is above their limit",
        in_the_limit(le(sum_at(step), total), later, because=le(sum_at(step), sum_at(step + later))),
        given=[summed_up[0], errors_converge],
        using=[after],
        equation="Assumption 1",
    )
    yield below
    yield from total_variations(below)
    yield from theorem(below)
    yield from example()


def total_variations(below: Claim) -> Iterator[Claim]:
    """That the total variation has a limit, less the sums, which have one."""
    falls = claim(
        "mroueh_2025.assumption-1.falls",
        "Less the sum of the errors the total variation never rises",
        derivation=derive(now - partial, "total variation less the sum of the errors", given=[assumption_1, added])
        .le(before + growth - partial, "Assumption 1")
        .eq(before + growth - (sum_before + growth), "the sum of the errors, with that of this step")
        .eq(before - sum_before, "the error of the step cancels"),
    )
    yield falls
    yield claim(
        "mroueh_2025.assumption-1.converges",
        "So it has a limit",
        falls_to_a_limit(variation_at(step) - sum_at(step), step, at_least=-total),
        given=supposed,
        using=[below],
    )


def theorem(below: Claim) -> Iterator[Claim]:
    """Theorem 5 and the last display of its proof."""
    yield claim(
        "mroueh_2025.theorem-5.twice",
        "The limit of the bound is twice the sum of all errors",
        has_limit(2 * sum_at(step), step, 2 * total),
        given=[summed_up[0], errors_converge],
        equation="Appendix C",
    )
    within = iterations.claim("assumption-1.iterates")
    apart = absolute(ours_at(step) - theirs_at(step))
    gap = variations.claim("success-gap").at(
        {ours: ours_at(step), theirs: theirs_at(step), distance: variation_at(step)}
    )
    yield claim(
        "mroueh_2025.theorem-5.limit-superior",
        "The limit superior of the distance of the success probabilities is at most $\\delta^*$",
        limit_superior(apart, step, total, by=sum_at(step), where=of_policies),
        given=supposed,
        using=[gap, within],
        equation="Appendix C",
        printed=paper.quote(
            "Appendix C, proof of Theorem 5",
            r"\lim_{n\to\infty} |\tilde p_n - p_n| \le 2 \lim_{n\to\infty} \sum_{i=1}^n \delta_i = 2\delta^*",
            limit_superior(apart, step, 2 * total, by=2 * sum_at(step), where=of_policies),
            given=supposed,
        ),
        beyond="halves the bound",
    )
    missed = absolute(ours_at(step) - limit)
    every_step = iterations.claim("theorem-5.every-step").at(
        {ours: ours_at(step), theirs: theirs_at(step), distance: variation_at(step), partial: sum_at(step)}
    )
    exact_error = absolute(theirs_at(step) - limit)
    yield claim(
        "mroueh_2025.theorem-5",
        "If the exact iterates converge to the fixed point, the limit superior of the distance of the approximate ones "
        "from it is at most $\\delta^*$",
        limit_superior(missed, step, total, by=total + exact_error, where=of_policies),
        given=[*supposed, exact_converges],
        using=[every_step, within, below],
        equation="Theorem 5",
        printed=paper.quote(
            "Theorem 5",
            r"\lim_{n\to\infty} |\tilde p_n - p^*| \le 2\delta^*",
            limit_superior(missed, step, 2 * total, by=2 * total + exact_error, where=of_policies),
            given=(*supposed, exact_converges),
        ),
        beyond="halves the constant",
        paper_uses=("total-variation", "success-gap", "assumption-1.step"),
        fills=[
            Gap(
                "Appendix C, end of the proof of Theorem 5",
                "the step from the exact iterate to the fixed point is left out, and the assumption that the "
                "iterates converge is not used",
            ),
        ],
    )


def example() -> Iterator[Claim]:
    """Infinitely many errors with a given sum."""
    errors = sum_of(total / (index * (index + 1)), index, 1, count)
    summed = total * (1 - 1 / (count + 1))
    yield claim(
        "mroueh_2025.assumption-1.example",
        "The errors $\\frac{\\delta^*}{n(n+1)}$ are not negative, and their partial sums at most $\\delta^*$",
        by_induction(
            both(eq(errors, summed), ge(total / (count * (count + 1)), 0), le(summed, total)),
            count,
        ),
    )
    yield claim(
        "mroueh_2025.assumption-1.example-limit",
        "These tend to $\\delta^*$",
        tends_to(summed, total, count, to=None, side="oo", constant=total),
        given=[gt(total, 0)],
    )


sums = Result("Sums of errors", paper, derivation)
