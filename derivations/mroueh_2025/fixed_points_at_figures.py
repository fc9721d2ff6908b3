r"""How many fixed points there are at the parameters of the figures, each enclosed.

Section 3 says of a plot that fixed points are not unique in general and that 1 is almost always one of them. Here the
zeros of $f(p) = h(p) - p$ are counted, for the paper's $\varepsilon = 10^{-5}$: intervals on which $f$ is monotone and
changes its sign contain exactly one (as in `figure-2.first`), and between them $f$ has no zero (as in
`figure-2.no-more`). For $p_{\mathrm{ref}} = \frac15$ and $\beta = 1$ there are three, 0.6813 (`figure-2.first`), 0.9347
(`figure-2.second`) and one above 0.9999 (`figure-2.third`). For $p_{\mathrm{ref}} = 0.001$ and $\beta = 5$ there are
three as well: one below one half (`figure-5.fixed-point`), which repels (`figure-5.repels`), 0.99985
(`figure-5.second-fixed-point`), one above 0.9999 (`figure-5.third-fixed-point`), and no other (`figure-5.no-more`).

That a fixed point is stable need not bring the iterates there. For $p_{\mathrm{ref}} = 0.011$ and $\beta = 1$ the fixed
point 0.152 attracts (`passed-over.attracts`), and yet the first step from the reference leads above 0.99
(`passed-over`). The further steps stay above 0.99 (`passed-over`), as the map rises there (`monotone.rises`). Theorem 4
speaks of references close to the fixed point.

A fixed point next to 1 is not a matter of course. For $p_{\mathrm{ref}} = \frac12$ and $\beta = 100$, above the
critical weight, there is none above 0.51 (`figure-2.none-near-one`).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.beside_the_diagonal import BOUNDS, beside, left, place, right
from derivations.mroueh_2025.excess import over_diagonal
from derivations.mroueh_2025.functions import beta, epsilon, h, half, p, p_ref
from derivations.mroueh_2025.two_cycles import decimal, evaluated, inside, map_at, reference, smoothing
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Expression,
    Figure,
    Result,
    Symbol,
    UniqueZero,
    attracts,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    le,
    lt,
    rational,
    real,
)
from grpo_symbolic.derivation.chain import Lemma
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.language.expression import Definition, Number, substitute


def between(name: str, interval: str, latex: str = "p") -> Symbol:
    """A success probability in an interval that has one fixed point, or none."""
    return real(name, interval, "success probability in this interval", latex=latex)


to_080, gap_080 = between("to_080", "[0, 4/5]"), between("gap_080", "[4/5, 17/20]")
from_085, gap_095 = between("from_085", "[17/20, 19/20]"), between("gap_095", "[19/20, 49/50]", "p'")
from_098, from_051 = between("from_098", "[49/50, 1]"), between("from_051", "[51/100, 1]")
gap_05, from_09995 = between("gap_05", "[1/2, 1999/2000]"), between("from_09995", "[1999/2000, 49993/50000]")
near_015, at_0152 = between("near_015", "[15/100, 16/100]"), between("at_0152", "[1523/10000, 381/2500]")
gap_09998, from_09999 = (
    between("gap_09998", "[49993/50000, 9999/10000]", "p'"),
    between("from_09999", "[9999/10000, 1]"),
)

PLACE = "Section 3, last paragraph, on Figure 2"


def derivation() -> Iterator[Claim]:
    """Two parameters with three fixed points, and one without a fixed point near 1."""
    yield from moderate_reference(map_at(1, rational(1, 5)))
    yield from low_reference(map_at(5))
    yield from passed_over(map_at(1, rational(11, 1000)))
    step, values = map_at(100, half), parameters(100, half)
    yield claim(
        "mroueh_2025.figure-2.none-near-one",
        "For $p_{\\mathrm{ref}} = \\frac12$ and $\\beta = 100$ the map is below the diagonal from 0.51 on",
        derivation=led("down", step, values, from_051, "0.51", "0.52", "0.96", "1"),
        beyond="names parameters at which there is not even a fixed point near 1",
        equation=PLACE,
    )


def parameters(weight: int, prior: Number) -> dict[Symbol, Expression]:
    """The values of a weight and a reference, with the paper's smoothing."""
    return {beta: rational(weight), p_ref: prior, epsilon: smoothing}


def led(direction: str, step: Definition, values: Mapping[Symbol, Expression], where: Symbol, *ends: str) -> Chain:
    """The map leads up, or down, in an interval, by stairs that begin and end at these decimals."""
    general = beside.claim(f"stairs.{direction}")
    lemmas = [
        general.at({**values, place: where, left: decimal(low), right: decimal(high)}) for low, high in pairwise(ends)
    ]
    start, stairs = derive(step(where), "a step"), f"the map rises, and of {', '.join(ends)} it takes each"
    if direction == "up":
        return start.gt(where, f"{stairs} above the next", using=lemmas)
    return start.lt(where, f"{stairs} below the one before", using=lemmas)


def sloping(name: str, where: str, step: Definition, at: Symbol, lemmas: list[Lemma | Claim], *, rising: bool) -> Claim:
    """The excess over the diagonal rises, or falls, in the whole interval."""
    line = derive(Derivative(step(at) - at, at), "slope of the excess")
    why = "bound of the slope" if len(lemmas) == 1 else "bounds in each part of the interval"
    return claim(
        f"mroueh_2025.{name}.slope",
        f"{where}the excess {'rises' if rising else 'falls'} in this interval",
        derivation=line.gt(0, why, using=lemmas) if rising else line.lt(0, why, using=lemmas),
    )


def moderate_reference(step: Definition) -> Iterator[Claim]:
    """The reference 1/5 and the weight 1."""
    where, values = "$p_{\\mathrm{ref}} = \\frac15$, $\\beta = 1$: ", parameters(1, rational(1, 5))
    falls = [
        bounded_slope(f"figure-2.first.{slug}", where, values, to_080, ends, "ends.at-most")
        for slug, ends in (("middle", ("0.5", "0.75")), ("last", ("0.75", "0.8")))
    ]
    rises = [
        bounded_slope(f"figure-2.second.{slug}", where, values, from_085, ends, by)
        for slug, ends, by in (
            ("first", ("0.85", "0.87"), "ends.at-least"),
            ("middle", ("0.87", "0.88"), "ends.at-least"),
            ("last", ("0.88", "0.95"), "cubes.more"),
        )
    ]
    before = over_diagonal.claim("f-prime.below-half").at({**values, p: to_080})
    after = beside.claim("cubes.less").at({**values, place: from_098, left: decimal("0.98")})
    slopes = (
        sloping("figure-2.first", where, step, to_080, [before, *falls], rising=False),
        sloping("figure-2.second", where, step, from_085, list(rises), rising=True),
        sloping("figure-2.third", where, step, from_098, [after], rising=False),
    )
    yield from (*falls, *rises, *slopes)
    yield claim(
        "mroueh_2025.figure-2.first",
        where + "one fixed point up to 0.8, where the map crosses the diagonal downwards",
        crossing(step, to_080, "0.68128", "0.68129", upwards=False),
        using=[slopes[0]],
        equation=PLACE,
    )
    yield claim(
        "mroueh_2025.figure-2.second",
        where + "one between 0.85 and 0.95, where it crosses upwards",
        crossing(step, from_085, "0.93471", "0.93472", upwards=True),
        using=[slopes[1]],
        equation=PLACE,
    )
    yield claim(
        "mroueh_2025.figure-2.third",
        where + "one from 0.98 on, where it crosses downwards again",
        crossing(step, from_098, "0.9999", "1", upwards=False),
        using=[slopes[2]],
        equation=PLACE,
    )
    none = [
        claim(f"mroueh_2025.figure-2.no-more.{slug}", where + words, derivation=led(*stairs))
        for slug, words, stairs in (
            ("down", "between 0.8 and 0.85 it leads down", ("down", step, values, gap_080, "0.8", "0.83", "0.85")),
            (
                "up",
                "between 0.95 and 0.98 it leads up",
                ("up", step, values, gap_095, "0.95", "0.96", "0.976", "0.98"),
            ),
        )
    ]
    yield from none
    yield claim(
        "mroueh_2025.figure-2.no-more",
        where + "none in between",
        both(lt(step(gap_080), gap_080), gt(step(gap_095), gap_095)),
        using=none,
        equation=PLACE,
    )


def low_reference(step: Definition) -> Iterator[Claim]:
    """The reference 0.001 and the weight 5, above one half; below, see the section on cycles of two."""
    where, values = "$p_{\\mathrm{ref}} = 0.001$, $\\beta = 5$: ", parameters(5, reference)
    rises = bounded_slope(
        "figure-5.second-fixed-point.slope", where, values, from_09995, ("0.9995", "0.99986"), "cubes.more"
    )
    after = beside.claim("cubes.less").at({**values, place: from_09999, left: decimal("0.9999")})
    falls = sloping("figure-5.third-fixed-point", where, step, from_09999, [after], rising=False)
    none = claim(
        "mroueh_2025.figure-5.no-more.down",
        where + "between 0.5 and 0.9995 it leads down",
        derivation=led("down", step, values, gap_05, "0.5", "0.88", "0.9995"),
    )
    yield from (rises, falls, none)
    yield claim(
        "mroueh_2025.figure-5.second-fixed-point",
        where + "one fixed point between 0.9995 and 0.99986, where the map crosses the diagonal upwards",
        crossing(step, from_09995, "0.999847", "0.999848", upwards=True),
        using=[rises],
        equation=PLACE,
    )
    yield claim(
        "mroueh_2025.figure-5.third-fixed-point",
        where + "one from 0.9999 on, where it crosses downwards",
        crossing(step, from_09999, "0.99999", "1", upwards=False),
        using=[falls],
        equation=PLACE,
    )
    yield claim(
        "mroueh_2025.figure-5.no-more",
        where + "no other from one half on",
        both(lt(step(gap_05), gap_05), gt(step(gap_09998), gap_09998)),
        using=[none],
        equation=PLACE,
    )


def passed_over(step: Definition) -> Iterator[Claim]:
    """The reference 0.011 and the weight 1: an attracting fixed point that the first step passes over."""
    where = "$p_{\\mathrm{ref}} = 0.011$, $\\beta = 1$: "
    yield claim(
        "mroueh_2025.passed-over.fixed-point",
        where + "one fixed point between 0.15 and 0.16",
        crossing(step, near_015, "0.1523", "0.1524", upwards=False),
        equation="Section 4, Theorem 4",
    )
    fixed = [eq(step(at_0152), at_0152)]
    within = inside(
        "passed-over.attracts", at_0152, fixed, parameters(1, rational(11, 1000)), decimal("0.1523"), decimal("0.1524")
    )
    yield from within
    yield claim(
        "mroueh_2025.passed-over.attracts",
        where + "it attracts",
        attracts({at_0152: step(at_0152)}, at_0152),
        given=fixed,
        using=within,
        equation="Section 4, Theorem 4",
    )
    prior, high = rational(11, 1000), rational(99, 100)
    leads = [
        evaluated(f"passed-over.{name}", title, step, at, (1, prior), (exponent, high, True))
        for name, title, at, exponent in (
            ("first", where + "the first step leads above 0.99", prior, "9.5"),
            ("next", where + "a step from 0.99 leads above it again", high, "10"),
        )
    ]
    yield from leads
    yield claim(
        "mroueh_2025.passed-over",
        where + "but the first step leads above 0.99, and so does a step from 0.99",
        both(gt(step(prior), high), gt(step(high), high)),
        using=leads,
        equation="Section 4, Theorem 4",
        beyond="shows that the iteration from the reference may pass over a fixed point that attracts "
        "(`passed-over.attracts`)",
    )


def bounded_slope(
    name: str, where: str, values: Mapping[Symbol, Expression], at: Symbol, ends: tuple[str, str], by: str
) -> Claim:
    """The excess rises or falls between two decimals: its slope is bounded by values at these."""
    low, high = map(decimal, ends)
    there = {**values, left: low, right: high}
    line = derive(
        Derivative(substitute(h(at) - at, values), at), "slope of the excess", given=[ge(at, low), le(at, high)]
    )
    bound, lemma = substitute(BOUNDS[by], there), beside.claim(by).at({**there, place: at})
    if by == "ends.at-most":
        line = line.le(bound, "bound by the ends", using=[lemma]).lt(0, "its value")
    else:
        line = line.ge(bound, "bound by the ends", using=[lemma]).gt(0, "its value")
    direction = "falls" if by == "ends.at-most" else "rises"
    return claim(f"mroueh_2025.{name}", f"{where}the excess {direction} between {' and '.join(ends)}", derivation=line)


def crossing(step: Definition, where: Symbol, low: str, high: str, *, upwards: bool) -> UniqueZero:
    """The map crosses the diagonal once in an interval, between two decimals."""
    return UniqueZero(step(where) - where, where, decimal(low), decimal(high), upwards)


def figures() -> Iterator[Figure]:
    """The paper's Figure 2, for a low and for a high reference."""
    exact = (epsilon, Fraction(1, 100_000))
    for name, prior, printed, rest in (
        (
            "low",
            Fraction(1, 1000),
            "10^{-3}",
            "Near 0 the map falls (`h-prime.sign`) and meets the diagonal (`figure-5.fixed-point`).",
        ),
        (
            "high",
            Fraction(4, 5),
            r"\frac45",
            "For 1 and 2 it meets the diagonal only next to 1 (`fixed-points.beta-1.ref-0.8`, "
            "`fixed-points.beta-2.ref-0.8`).",
        ),
    ):
        yield Figure(
            id=f"mroueh_2025.figure-2-{name}",
            caption=rf"Figure 2: the success map $h$ and the diagonal for $p_{{\mathrm{{ref}}}} = {printed}$, "
            rf"$\varepsilon = 10^{{-5}}$. {rest}",
            horizontal=p,
            horizontal_range=(Fraction(0), Fraction(1)),
            horizontal_label="success probability $p$",
            vertical_label="after one step",
            curves=(
                Curve(p, (), "$p$"),
                *(
                    Curve(h(p), ((p_ref, prior), exact, (beta, weight)), rf"$\beta = {weight}$")
                    for weight in (Fraction(1), Fraction(2), Fraction(5), Fraction(10))
                ),
            ),
            vertical_range=(Fraction(0), Fraction(1)),
        )


fixed_points = Result("Fixed points at the parameters of the figures", paper, derivation, figures)
