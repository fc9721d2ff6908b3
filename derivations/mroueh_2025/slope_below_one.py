r"""The steps of Theorem 6: from the slope at a fixed point to a contraction around it.

Theorem 6 takes from the continuity of $f'$ a radius $r$ and a constant $k < 1$ with $|f'| \leq k$ on $[x^* - r, x^* +
r]$. Every $k$ between $|f'(x^*)|$ and 1 will do: $r$ is what continuity gives for the tolerance $t = k - |f'(x^*)|$,
and for $f'(x^*) \ne 0$ no larger tolerance suffices (`theorem-6.tolerance`). That $f$ then contracts is the mean value
theorem: where $|f'| \leq k$ the functions $kx - f(x)$ and $kx + f(x)$ do not fall (`theorem-6.lines`), and comparing
their values at $x$ and at $x^*$ is the same as $|f(x) - x^*| \leq k\,|x - x^*|$ (`theorem-6.mean-value`). That a
function whose slope is nowhere negative does not fall is used here without proof, for a general $f$; for the success
map in log-odds the bounds that give a radius are decided where Theorem 4 is made explicit (`theorem-4.explicit`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.contraction import centre, gap, image, position
from grpo_symbolic import Claim, Result, absolute, both, claim, derive, eq, ge, gt, implies, le, lt, real

factor = real("k", "(0, oo)", "factor of the contraction", latex="k")
at_centre = real("s_star", "(-1, 1)", "slope at the fixed point", latex="f'(x^*)")
here = real("s", "(-oo, oo)", "slope at another point", latex="f'(x)")
tolerance = real("t", "(0, oo)", "how far the slope may be from that at the fixed point", latex="t")


def derivation() -> Iterator[Claim]:
    """The constant, and what the mean value theorem adds."""
    near = le(absolute(here - at_centre), tolerance)
    farthest = at_centre * (1 + tolerance / absolute(at_centre))
    most = absolute(at_centre) + tolerance
    within = [near, gt(absolute(at_centre), 0)]
    bounds = [
        claim(
            "mroueh_2025.theorem-6.tolerance.bound",
            "A slope within the tolerance is at most $|f'(x^*)| + t$ in absolute value",
            derivation=derive(absolute(here), "slope at a point nearby", given=within)
            .le(absolute(at_centre) + absolute(here - at_centre), "triangle inequality")
            .le(most, "hypothesis"),
        ),
        claim(
            "mroueh_2025.theorem-6.tolerance.farthest",
            "The slope that lies farther out by the tolerance has just this absolute value",
            derivation=derive(absolute(farthest), "slope with the same sign, farther away", given=within)
            .eq(absolute(at_centre) * (1 + tolerance / absolute(at_centre)), "the second factor is positive")
            .eq(most, "multiply out"),
        ),
        claim(
            "mroueh_2025.theorem-6.tolerance.distance",
            "Its distance from the slope at the fixed point is the tolerance",
            derivation=derive(absolute(farthest - at_centre), "distance of the two slopes", given=within)
            .eq(absolute(at_centre * tolerance / absolute(at_centre)), "multiply out; $f'(x^*)$ cancels")
            .eq(tolerance, "absolute values cancel"),
        ),
    ]
    yield from bounds
    yield claim(
        "mroueh_2025.theorem-6.tolerance",
        "If the slope differs by at most $t$ from $f'(x^*)$, it is at most $|f'(x^*)| + t$ in absolute value, which is "
        "the best bound if $f'(x^*) \\ne 0$",
        both(le(absolute(here), most), eq(absolute(farthest), most), eq(absolute(farthest - at_centre), tolerance)),
        given=within,
        using=bounds,
        equation="Theorem 6",
        printed=paper.quote(
            "Theorem 6",
            r"|f'(x)| \leq k < 1",
            both(le(absolute(here), factor), lt(factor, 1)),
            given=(near, lt(tolerance, 1 - absolute(at_centre)), eq(factor, most)),
        ),
        beyond="says which tolerance of the slope belongs to a constant",
    )
    yield claim(
        "mroueh_2025.theorem-6.lines",
        "The slope is at most $k$ in absolute value exactly if the slopes of $kx - f$ and $kx + f$ are not negative",
        derivation=derive(le(absolute(here), factor), "bound of the slope")
        .iff(both(le(here, factor), ge(here, -factor)), "$|v| \\le c$ says $-c \\le v \\le c$")
        .iff(both(ge(factor - here, 0), ge(factor + here, 0)), "bring all to one side"),
    )
    above = both(le(image - centre, factor * (position - centre)), ge(image - centre, -factor * (position - centre)))
    below = both(ge(image - centre, factor * (position - centre)), le(image - centre, -factor * (position - centre)))
    yield claim(
        "mroueh_2025.theorem-6.mean-value",
        "These two functions compared at $x$ and $x^*$ say that a step contracts by $k$",
        derivation=derive(
            both(implies(ge(position, centre), above), implies(le(position, centre), below)),
            "$kx - f$ and $kx + f$ compared on either side",
        )
        .iff(
            both(le(image - centre, factor * gap), ge(image - centre, -factor * gap)),
            "$|x - x^*|$ is $x - x^*$ or $x^* - x$",
        )
        .iff(le(absolute(image - centre), factor * gap), "$-c \\le v \\le c$ says $|v| \\le c$"),
        equation="Theorem 6",
    )


steps = Result("From a slope below one to a contraction", paper, derivation)
