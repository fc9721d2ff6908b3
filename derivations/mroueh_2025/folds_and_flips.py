r"""Where fixed points appear, disappear and lose their stability: folds and flips.

Every success probability $p$ strictly between 0 and 1 is a fixed point for exactly one reference, $r(p)$
(`fixed-point.reference`). So the number of fixed points for a reference is the number of solutions of $r(p) =
p_{\mathrm{ref}}$, and $r$ increases from 0 to 1 except where $\beta < S(p)$ (`folds.direction`). As above one half $S$
rises to $\beta_c$ and falls again (`critical-weight.where`), and below is not positive, this is nowhere the case for
$\beta \ge \beta_c$, and there is one fixed point for every reference. For $\beta < \beta_c$ it is the case between two
success probabilities $p_1 < p_2$, both above one half (`folds.two`). Then $r$ rises, falls and rises
(`folds.direction`), and there are three fixed points for references strictly between $r(p_2)$ and $r(p_1)$, two at
these ends and one elsewhere. The boundary is the curve of folds, $\beta = S(p)$, $p_{\mathrm{ref}} = r(p)$, where the
slope of $h$ is 1 (`folds.curve`).

Below one half $S$ is negative and $r$ increases (`folds.direction`), so at most one fixed point lies there. It attracts
for $\beta > -S(p)$ and repels for smaller weights (`flips.stability`); in between lies the curve of flips $\beta =
-S(p)$, $p_{\mathrm{ref}} = r(p)$, where its slope is $-1$ (`flips.curve`). So for a given weight it repels
(`flips.stability`) for references strictly between $r(1-p_2)$ and $r(1-p_1)$. Beyond the flip the iteration can
settle in a cycle of two (`figure-5.cycle.attracts`). Such cycles are mirror images of pairs of fixed points: different
$u$ and $v$ form one for some reference exactly if $1-u$ and $1-v$ are fixed points for a common reference
(`cycles.mirror`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S, critical, critical_lead, critical_weight
from derivations.mroueh_2025.fixed_point_stability import reference_of, stability
from derivations.mroueh_2025.functions import B, beta, epsilon, h, half, one, p, p_ref, sigma, slope_of_z, zero
from grpo_symbolic import (
    Claim,
    Derivative,
    Figure,
    Note,
    Result,
    Substitution,
    Trace,
    attracts,
    both,
    claim,
    define,
    derive,
    eq,
    exp,
    gt,
    iff,
    implies,
    lt,
    real,
    repels,
    some_zero,
    sqrt,
    tends_to,
)

inner = real("inner", "(0, 1)", "success probability, not certain", latex="p")
u = real("u", "(0, 1)", "a success probability")
v = real("v", "(0, 1)", "another one")
odds = real("odds", "(-oo, oo)", "log-odds of a fixed point")

#: The reference for which a step leads from v to u.
leading_back = define("leading_back", (u, v), u * exp(-B(v)) / (1 - u + u * exp(-B(v))), latex=r"r_{\leftarrow}")


def derivation() -> Iterator[Claim]:
    """Counting by the reference, folds, flips and cycles of two."""
    yield from counting()
    yield from boundaries()
    yield from cycles()


def counting() -> Iterator[Claim]:
    """The reference as a function of its fixed point."""
    slope = Derivative(reference_of(inner), inner)
    yield claim(
        "mroueh_2025.folds.direction",
        "The reference has a positive slope over its fixed point exactly where $\\beta > S(p)$",
        derivation=derive(gt(slope, 0), "slope of $r$")
        .iff(gt(1 / (inner * (1 - inner)) - slope_of_z(inner), 0), "it is this times $r(1-r) > 0$")
        .iff(gt(beta, S(inner)), "multiply by $\\beta p(1-p)$"),
        equation="Section 3, last paragraph",
    )
    yield claim(
        "mroueh_2025.folds.start",
        "It starts at 0",
        tends_to(reference_of(inner), 0, inner, to=zero, side="+", constant=1),
    )
    largest = exp(1 / (beta * sqrt(epsilon)))
    near_one = claim(
        "mroueh_2025.folds.near-one",
        "Near certain success the reference is near 1 as well",
        derivation=derive(1 - reference_of(inner), "definition of $r$")
        .le((1 - inner) * exp(B(inner)), "the denominator is at least $e^{-B(p)}$")
        .le((1 - inner) * largest, "$B(p) \\le 1/(\\beta\\sqrt{\\varepsilon})$"),
    )
    yield near_one
    yield claim(
        "mroueh_2025.folds.end",
        "It ends at 1",
        tends_to(reference_of(inner), 1, inner, to=one, side="-", constant=largest),
        using=[near_one],
    )
    ends = claim(
        "mroueh_2025.folds.ends",
        "$S$ vanishes at one half and at 1",
        both(eq(S(half), 0), eq(S(one), 0)),
    )
    yield ends
    peak = (1 + critical_lead) / 2
    attained, signed = (critical_weight.claim(f"critical-weight.{name}") for name in ("attained", "signed"))
    largest = claim(
        "mroueh_2025.folds.largest",
        "Between the two it takes the value $\\beta_c$",
        both(eq(S(peak), critical), lt(half, peak), lt(peak, one)),
        using=[attained, signed.at({p: peak})],
    )
    yield largest
    yield claim(
        "mroueh_2025.folds.two",
        "It takes each value strictly between 0 and $\\beta_c$ before that success probability and once more behind it",
        both(
            some_zero(S(p) - beta, p, half, peak, rising=True),
            some_zero(S(p) - beta, p, peak, one, rising=False),
        ),
        given=[lt(beta, critical)],
        using=[ends, largest],
    )


def boundaries() -> Iterator[Claim]:
    """The slopes 1 and -1 at a fixed point."""
    fixed, slope = eq(h(inner), inner), Derivative(h(inner), inner)
    on_curve = eq(p_ref, reference_of(inner))
    yield claim(
        "mroueh_2025.folds.curve",
        "A fixed point has slope 1 exactly on the curve of folds",
        iff(both(fixed, eq(slope, 1)), both(on_curve, eq(beta, S(inner)))),
        beyond="locates the fixed points of slope 1, where alone their number can change",
    )
    yield claim(
        "mroueh_2025.flips.curve",
        "A fixed point has slope $-1$ exactly on the curve of flips",
        iff(both(fixed, eq(slope, -1)), both(on_curve, eq(beta, -S(inner)))),
        beyond="locates where fixed points below one half lose their stability",
    )
    slope_there = claim(
        "mroueh_2025.flips.slope",
        "The slope of $h$ at a fixed point is $S(p)/\\beta$",
        eq(slope, S(inner) / beta),
        given=[on_curve],
        using=[stability.claim(name).at({p: inner}) for name in ("lemma-1", "fixed-point.reference")],
    )
    yield slope_there
    negative = claim(
        "mroueh_2025.flips.negative", "$S$ is negative below one half", lt(S(inner), 0), given=[lt(inner, half)]
    )
    yield negative
    yield claim(
        "mroueh_2025.flips.stability",
        "A fixed point below one half attracts on one side of the curve of flips and repels on the other",
        both(
            implies(gt(beta, -S(inner)), attracts({inner: h(inner)}, inner)),
            implies(lt(beta, -S(inner)), repels({inner: h(inner)}, inner)),
        ),
        given=[on_curve, lt(inner, half)],
        using=[slope_there, negative, stability.claim("fixed-point.reference").at({p: inner})],
        beyond="says which fixed points below one half attract",
    )


def cycles() -> Iterator[Claim]:
    """Cycles of two as mirror images."""
    yield claim(
        "mroueh_2025.cycles.mirror",
        "Two success probabilities form a cycle of two, for the reference that leads from one to the other, exactly "
        "if their mirror images share a reference",
        iff(
            both(eq(h(u), v), eq(h(v), u)),
            both(eq(p_ref, leading_back(u, v)), eq(reference_of(1 - u), reference_of(1 - v))),
        ),
    )


def figures() -> Iterator[Figure]:
    """Fixed points over the reference, and the map of their number and stability."""
    smoothing = (epsilon, Fraction(1, 100_000))
    success, range_of_odds = sigma(odds), (Fraction(-9), Fraction(18))
    yield Figure(
        id="mroueh_2025.fixed-points-by-reference",
        caption=r"Fixed points $p^*$ over the reference, for $\varepsilon = 10^{-5}$. A vertical line through a "
        r"reference meets a whole curve once or three times, and twice at a fold (`folds.direction`); next to 1 the "
        r"curves go on to the left and then to the right end, too close to the upper edge to be seen; this last part "
        r"is not drawn.",
        horizontal=p_ref,
        horizontal_range=(Fraction(0), Fraction(1)),
        horizontal_label=r"$p_{\mathrm{ref}}$",
        vertical_label="$p^*$",
        traces=tuple(
            Trace(
                reference_of(success), success, odds, range_of_odds, ((beta, weight), smoothing), rf"$\beta = {weight}$"
            )
            for weight in (Fraction(1), Fraction(2), Fraction(5), Fraction(10))
        ),
        vertical_range=(Fraction(0), Fraction(1)),
    )
    on_fold = Substitution(reference_of(success), beta, S(success))
    on_flip = Substitution(reference_of(1 - success), beta, S(success))
    yield Figure(
        id="mroueh_2025.folds-and-flips",
        caption=r"The number of fixed points for $\varepsilon = 10^{-5}$: three between the two branches of the solid "
        r"curve (folds), which meet at the critical weight, and one outside. Above that weight it attracts from "
        r"everywhere (`log-odds.converges`). Between the two branches of the dashed curve (flips), of which the left "
        r"one may lie outside of the picture, the fixed point below one half repels (`flips.stability`). The cross "
        r"marks the paper's example of divergence, $\beta = 5$, $p_{\mathrm{ref}} = 10^{-3}$.",
        horizontal=p_ref,
        horizontal_range=(Fraction(1, 10**6), Fraction(1)),
        horizontal_label=r"$p_{\mathrm{ref}}$",
        vertical_label=r"$\beta$",
        traces=(
            Trace(on_fold, S(success), odds, (Fraction(1, 20), Fraction(19)), (smoothing,), "folds"),
            Trace(on_flip, S(success), odds, (Fraction(1, 20), Fraction(19)), (smoothing,), "flips"),
        ),
        notes=(
            Note(Fraction(1, 1000), Fraction(5), r"$\times$"),
            Note(Fraction(1, 20), Fraction(8), "3"),
            Note(Fraction(1, 10), Fraction(1, 4), "1"),
            Note(Fraction(1, 50), Fraction(50), "1"),
        ),
        vertical_range=(Fraction(1, 10), Fraction(100)),
        logarithmic=True,
        vertical_logarithmic=True,
    )


boundary_curves = Result("Folds, flips and cycles of two", paper, derivation, figures)
