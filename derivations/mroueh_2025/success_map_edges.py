r"""Certain success and certain failure: what happens at $p = 0$ and $p = 1$ (Remark 1 and the end of Section 3).

*Without smoothing.* For $\varepsilon = 0$ the formula divides by 0 at $p = 0$ and $p = 1$, so as written
$h_{0,p_{\mathrm{ref}}}$ is not defined there, and Remark 1 is right that the existence proof breaks. But the gaps are
removable: the map tends to 1 at both ends (`remark-1.limit-at-zero`, `remark-1.limit-at-one`), at least as fast as
$p(1-p)$ tends to 0 (`remark-1.gap`). Extended by $h(0) = h(1) = 1$ it is continuous on $[0, 1]$ and has the fixed point
$p^* = 1$ (`remark-1.extended`). There need not be another: for $2\beta^2(1-p_{\mathrm{ref}}) \le p_{\mathrm{ref}}$ the
map lies above the diagonal on the whole open interval (`remark-1.no-interior-fixed-point`).

*With smoothing.* The end of Section 3 calls $p^* = 1$ almost always a fixed point. For $\varepsilon > 0$ and
$p_{\mathrm{ref}} < 1$ it never is one, since $h(1) < 1$ (`h-at-one`). The gap is explicit (`h-at-one.gap`) and tends to
0 with $\varepsilon$ or $\beta$ (`h-at-one.small-smoothing`, `h-at-one.small-penalty`). What the paper's Figure 2 can
show at 1 is a fixed point near 1, as for $p_{\mathrm{ref}} = \frac12$ and $\beta = 1$ (`h-at-one.nearby-fixed-point`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import A, B, beta, epsilon, h, one, p, p_ref, zero
from grpo_symbolic import (
    Claim,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    define,
    derive,
    eq,
    exp,
    ge,
    instance,
    le,
    ne,
    rational,
    real,
    some_zero,
    sqrt,
    tends_to,
)

inner = real("inner", "(0, 1)", "success probability of the old policy, not certain", latex="p")

u = real("u", "(0, oo)", "a positive number")

#: The map and its exponent without smoothing.
h_0 = define("h_0", (p,), Substitution(h(p), epsilon, zero), latex=r"h_{0,p_{\mathrm{ref}}}")
B_0 = define("B_0", (p,), Substitution(B(p), epsilon, zero))
#: The map without smoothing in its damping factor, which is 0 at both ends.
damping = real("d", "[0, 1)", "damping factor $e^{-1/(\\beta\\sqrt{p(1-p)})}$, extended by 0")
damped = define("h_damped", (damping,), p_ref / (p_ref + (1 - p_ref) * damping), latex=r"\tilde{h}")


def derivation() -> Iterator[Claim]:
    """First without smoothing, then with it."""
    yield from without_smoothing()
    yield from with_smoothing()


def without_smoothing() -> Iterator[Claim]:
    """The map for a smoothing constant of 0, inside the interval."""
    parabola = claim(
        "mroueh_2025.remark-1.parabola",
        "The exponential lies above its parabola at 0",
        ge(exp(u), 1 + u + u**2 / 2),
    )
    square = claim(
        "mroueh_2025.remark-1.square",
        "A decaying exponential is below twice the inverse square",
        derivation=derive(exp(-u), "for $u > 0$")
        .le(1 / (1 + u + u**2 / 2), "the parabola", using=[parabola])
        .le(2 / u**2, "leave $1 + u$ out"),
    )
    yield from (parabola, square)
    close = claim(
        "mroueh_2025.remark-1.gap",
        "Without smoothing the map is close to 1 near both ends",
        derivation=derive(1 - h_0(inner), "distance of the map without smoothing from 1")
        .le(A() * exp(-B_0(inner)), "the denominator of $h$ is at least 1")
        .le(
            2 * beta**2 * A() * (inner * (1 - inner)),
            "$e^{-u} \\le 2/u^2$ for $u > 0$",
            using=[square.at({u: B_0(inner)})],
        ),
        beyond="shows that the singularities of Remark 1 are removable, with a rate",
    )
    yield close
    for name, end, side, distance, other in (("zero", zero, "+", inner, "1 - p"), ("one", one, "-", 1 - inner, "p")):
        near = claim(
            f"mroueh_2025.remark-1.gap-at-{name}",
            f"Without smoothing the map differs from 1 by at most a multiple of the distance from {end}",
            derivation=derive(absolute(h_0(inner) - 1), "distance of the map without smoothing from 1")
            .eq(1 - h_0(inner), "the map is smaller than 1")
            .le(2 * beta**2 * A() * (inner * (1 - inner)), "the bound above", using=[close])
            .le(2 * beta**2 * A() * distance, f"${other} \\le 1$"),
        )
        yield near
        yield claim(
            f"mroueh_2025.remark-1.limit-at-{name}",
            f"Without smoothing the map tends to 1 at {end}",
            tends_to(h_0(inner), 1, inner, to=end, side=side, constant=2 * beta**2 * A()),
            using=[near],
            equation="Remark 1",
        )
    fraction = claim(
        "mroueh_2025.remark-1.fraction",
        "Without smoothing the map is a fraction in its damping factor",
        derivation=derive(h_0(inner), "the map without smoothing")
        .eq(1 / (1 + A() * exp(-B_0(inner))), "definition of $h$")
        .eq(
            p_ref / (p_ref + (1 - p_ref) * exp(-B_0(inner))),
            "multiply numerator and denominator by $p_{\\mathrm{ref}}$",
        )
        .eq(damped(exp(-B_0(inner))), "definition of $\\tilde{h}$"),
    )
    undamped = claim(
        "mroueh_2025.remark-1.undamped",
        "At a damping factor of 0 the fraction is 1",
        derivation=derive(damped(zero), "the damping factor at both ends")
        .eq(p_ref / p_ref, "the product with 0 vanishes")
        .eq(1, "$p_{\\mathrm{ref}} > 0$"),
    )
    yield from (fraction, undamped)
    yield claim(
        "mroueh_2025.remark-1.extended",
        "In the damping factor, which is 0 at both ends, the map is a fraction without singularity, and 1 at the ends",
        both(eq(h_0(inner), damped(exp(-B_0(inner)))), eq(damped(zero), 1)),
        using=[fraction, undamped],
        equation="Remark 1",
        beyond="extends the map without smoothing to both ends, which makes 1 a fixed point",
    )
    yield claim(
        "mroueh_2025.remark-1.no-interior-fixed-point",
        "Without smoothing there need not be a fixed point inside",
        derivation=derive(h_0(inner), "the map without smoothing", given=[le(2 * beta**2 * (1 - p_ref), p_ref)])
        .ge(1 - 2 * beta**2 * A() * (inner * (1 - inner)), "distance from 1", using=[close])
        .ge(1 - inner * (1 - inner), "$2\\beta^2 A \\le 1$")
        .gt(inner, "the difference is $(1-p)^2$"),
        using=[close],
        equation="Remark 1",
        printed=paper.quote(
            "Remark 1",
            r"\varepsilon = 0:\ h_{\varepsilon,p_{\mathrm{ref}}} \text{ is no longer continuous at } 0 \text{ and } 1"
            r" \text{ and we can no longer guarantee fixed points}",
            ne(damped(zero), 1),
            another_reading=True,
            fails_at={p_ref: rational(1, 2)},
            instead="Read as a remark on the formula as written it holds: the formula has no value at 0 and 1, and "
            "inside there need not be a fixed point. Read as a remark on every map that agrees with the formula "
            "inside it fails: extended by its limits (mroueh_2025.remark-1.extended) the map is continuous on "
            "$[0, 1]$, and 1 is a fixed point.",
        ),
        beyond="gives explicit parameters for which the fixed point inside is missing",
    )


def with_smoothing() -> Iterator[Claim]:
    """The map at certain success."""
    yield claim(
        "mroueh_2025.h-at-one",
        "With smoothing certain success is not a fixed point for any reference below 1",
        derivation=derive(h(one), "the map at certain success")
        .eq(1 / (1 + A() * exp(-(1 / (beta * sqrt(epsilon))))), "$p(1-p) = 0$ at $p = 1$")
        .lt(1, "what is added to 1 is positive"),
        equation="Section 3, last paragraph",
        printed=paper.quote(
            "Section 3, last paragraph",
            r"p^* = 1 \text{ is almost always a fixed point}",
            eq(h(one), 1),
            instead=r"For $\varepsilon > 0$ and $p_{\mathrm{ref}} < 1$ never: $h(1) < 1$, with the gap of "
            r"mroueh\_2025.h-at-one.gap. It is exponentially small in $1/(\beta\sqrt{\varepsilon})$. What Figure 2 can "
            r"show at 1 is a fixed point near 1, as for $p_{\mathrm{ref}} = \frac12$ and $\beta = 1$ "
            r"(mroueh\_2025.h-at-one.nearby-fixed-point).",
        ),
        beyond="certain success is not a fixed point for any weight, smoothing and reference below 1",
    )
    gap = 1 - h(one)
    explicit = claim(
        "mroueh_2025.h-at-one.gap",
        "The gap between certain success and its image is explicit",
        derivation=derive(gap, "definition of $h$")
        .eq(A() * exp(-(1 / (beta * sqrt(epsilon)))) / (1 + A() * exp(-(1 / (beta * sqrt(epsilon))))), "put it in")
        .eq(
            (1 - p_ref) / (p_ref * exp(1 / (beta * sqrt(epsilon))) + (1 - p_ref)),
            "multiply numerator and denominator by $p_{\\mathrm{ref}}\\,e^{1/(\\beta\\sqrt{\\varepsilon})}$",
        ),
        beyond="says how far certain success is from being a fixed point",
    )
    yield explicit
    at_most = claim(
        "mroueh_2025.h-at-one.gap-bound",
        "The gap is at most a multiple of $\\beta\\sqrt{\\varepsilon}$",
        derivation=derive(absolute(gap), "gap between certain success and its image")
        .eq((1 - p_ref) / (p_ref * exp(1 / (beta * sqrt(epsilon))) + (1 - p_ref)), "it is positive", using=[explicit])
        .le((1 - p_ref) / (p_ref * exp(1 / (beta * sqrt(epsilon)))), "leave out a positive summand")
        .le(A() * (beta * sqrt(epsilon)), "$e^u \\ge u$"),
    )
    yield at_most
    yield claim(
        "mroueh_2025.h-at-one.small-smoothing",
        "The gap vanishes as the smoothing does",
        tends_to(gap, 0, epsilon, to=zero, side="+", constant=A() * beta, exponent=Fraction(1, 2)),
        using=[at_most],
    )
    yield claim(
        "mroueh_2025.h-at-one.small-penalty",
        "The gap vanishes as the penalty does",
        tends_to(gap, 0, beta, to=zero, side="+", constant=A() * sqrt(epsilon)),
        using=[at_most],
    )
    yield claim(
        "mroueh_2025.h-at-one.nearby-fixed-point",
        "For $p_{\\mathrm{ref}} = \\frac12$, $\\beta = 1$ and the paper's smoothing there is a fixed point between "
        "0.999 and 1",
        instance(
            some_zero(h(p) - p, p, rational(999, 1000), one, rising=False),
            {p_ref: rational(1, 2), beta: one, epsilon: rational(1, 100_000)},
        ),
    )


edges = Result("Certain success and certain failure", paper, derivation)
