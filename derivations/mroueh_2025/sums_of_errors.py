r"""Assumption 1 about sums of errors, and its limit in the proof of Theorem 5.

Assumption 1 asks for errors $\delta_n \geq 0$ with $S_n = \delta_1 + \dots + \delta_n \to \delta^*$. A partial sum
above $\delta^*$ would keep all later ones at least as far above it (`assumption-1.partial-sums`); so $S_n \leq
\delta^*$ for every $n$, which Theorem 5 uses for every step. The limit itself says no more than this: where $S_n$ is
within $t$ of $\delta^*$, the bound $2 S_n$ of Appendix C is within $2t$ of $2\delta^*$ (`theorem-5.twice`). That is
enough for the limit superior, whatever the signs of the errors (`theorem-5.limit-superior`).

The assumption can be met with infinitely many errors, for instance by $\delta_n = \frac{\delta^*}{n(n+1)}$
(`assumption-1.example`, `assumption-1.example-limit`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.approximate_iterations import now, ours, partial, theirs, tolerance, total
from grpo_symbolic import (
    Claim,
    Result,
    absolute,
    both,
    by_induction,
    claim,
    derive,
    eq,
    ge,
    gt,
    le,
    real,
    sum_of,
    tends_to,
    whole,
)

later = real("S_later", "[0, oo)", "sum of the errors up to a later step", latex="S_m")
count = whole("n", "[1, oo)", "number of a step", latex="n")
index = whole("k", "[1, oo)", "number of an earlier step", latex="k")


def derivation() -> Iterator[Claim]:
    """What convergence of the sums says about each of them, and about the bound."""
    yield claim(
        "mroueh_2025.assumption-1.partial-sums",
        "A partial sum above $\\delta^*$ would keep all later ones at least as far from it",
        derivation=derive(
            absolute(later - total),
            "distance of a later partial sum",
            given=[le(partial, later), gt(partial, total)],
        )
        .ge(later - total, "$|v| \\ge v$")
        .ge(partial - total, "partial sums do not fall"),
        equation="Assumption 1",
    )
    yield claim(
        "mroueh_2025.theorem-5.twice",
        "The limit of the bound is twice the sum of all errors",
        derivation=derive(le(absolute(2 * partial - 2 * total), 2 * tolerance), "twice a partial sum is near")
        .iff(le(2 * absolute(partial - total), 2 * tolerance), "take the factor 2 out of the absolute value")
        .iff(le(absolute(partial - total), tolerance), "divide by 2"),
        equation="Appendix C",
    )
    yield claim(
        "mroueh_2025.theorem-5.limit-superior",
        "Near the limit of the sums the success probabilities differ by at most $\\delta^*$ and the tolerance",
        derivation=derive(
            absolute(ours - theirs),
            "distance of success probabilities",
            given=[le(absolute(ours - theirs), now), le(now, partial), le(absolute(partial - total), tolerance)],
        )
        .le(partial, "total variation, and the sum of the errors")
        .le(total + absolute(partial - total), "triangle inequality")
        .le(total + tolerance, "hypothesis"),
        equation="Appendix C",
        printed=paper.quote(
            "Appendix C, proof of Theorem 5",
            r"\lim_{n\to\infty} |\tilde p_n - p_n| \le 2 \lim_{n\to\infty} \sum_{i=1}^n \delta_i = 2\delta^*",
            le(absolute(ours - theirs), 2 * (total + tolerance)),
            given=(le(absolute(ours - theirs), now), le(now, partial), le(absolute(partial - total), tolerance)),
        ),
        beyond="halves the bound, and asks of the errors no more than that their sums come near $\\delta^*$ and bound "
        "the total variation",
    )
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
