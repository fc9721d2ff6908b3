r"""Direct divergence, large groups: which stationary policies attract (`direct-kl.next.attracts`).

Under the flow two stationary policies differ in stability. The flow along the gradient goes up where $h$ is positive
and down where it is negative, so from nearby to a zero with $h' < 0$, the smaller one, and away from the larger one
(`direct-kl.h-minimum`). The full update, from a policy to the policy that maximises the objective beside it
(`direct-kl.next`), asks for more: a zero attracts updates from nearby if it lies between $1 - x^*$ and $x^*$
(`direct-kl.next.attracts`). With $\beta = \sinh t$ this means $\ell < \coth t + t$ for the smaller zero
(`direct-kl.next.smaller-zero`). So this holds for every $\beta$ above the threshold if $\ell \leq 2.2955$
(`direct-kl.next.smaller-zero`, `direct-kl.next.smallest-bound.value`), so for $r \geq 1/99$
(`direct-kl.next.smallest-bound.reference`). For small enough $r$ there are weights at which both zeros repel
(`direct-kl.next.attracts`), the smaller one because updates from nearby overshoot it
(`direct-kl.next.smaller-zero`, `direct-kl.next.oscillates`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x, x_old
from derivations.vojnovic_yun_2025.direct_kl_fixed_points import update
from derivations.vojnovic_yun_2025.direct_kl_large_groups import (
    against,
    coth,
    h,
    half_odds,
    large_groups,
    lowest,
    number,
    positive,
    spread,
    weight_angle,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Figure,
    Region,
    Result,
    Substitution,
    absolute,
    attracts,
    both,
    claim,
    cosh,
    derive,
    either,
    eq,
    exp,
    gt,
    iff,
    implies,
    instance,
    log,
    lt,
    rational,
    real,
    repels,
    sinh,
    sqrt,
)

slope_of_h = large_groups.claim("direct-kl.h-prime")
likely = real("likely", "[1/99, 1)", "reference probability of at least 1/99", latex="r")


def derivation() -> Iterator[Claim]:
    """The slope of the update at its fixed points, and what it means for the smaller zero."""
    yield from _slope()
    yield from _smaller_zero()


def _slope() -> Iterator[Claim]:
    """The slope of the update at its fixed points."""
    kept = eq(update(x), x)
    slope = claim(
        "vojnovic_yun_2025.direct-kl.next.slope",
        "The slope of the update at a stationary policy",
        derivation=derive(Derivative(update(x), x), "derivative of the update", given=[eq(update(x), x)])
        .eq(update(x) * (1 - update(x)) * ((2 * x - 1) / (2 * beta * spread**3)), "chain rule")
        .eq(x * (1 - x) * ((2 * x - 1) / (2 * beta * spread**3)), "the policy is stationary")
        .eq((2 * x - 1) / (2 * beta * spread), "cancel"),
    )
    yield slope
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.slope-and-h-prime",
        "It is 1 plus a positive multiple of $h'$",
        derivation=derive((2 * x - 1) / (2 * beta * spread) - 1, "the slope of the update, less 1")
        .eq(x * (1 - x) * ((2 * x - 1 - 2 * beta * spread) / (2 * beta * spread**3)), "take out $x(1-x)$")
        .eq(x * (1 - x) * Derivative(h(x), x), "the slope of $h$", using=[slope_of_h]),
    )
    between = both(gt(x, 1 - lowest), lt(x, lowest))
    squared = [
        claim(
            f"vojnovic_yun_2025.direct-kl.next.squares.{name}",
            "Absolute values compare like squares",
            iff(relation(absolute(number), positive), relation(number**2, positive**2)),
        )
        for relation, name in ((lt, "smaller"), (gt, "larger"))
    ]
    yield from squared
    steepness, above = (
        claim(
            f"vojnovic_yun_2025.direct-kl.next.slope-{name}",
            words,
            derivation=derive(relation(absolute((2 * x - 1) / (2 * beta * spread)), 1), "the slope of the update")
            .iff(relation(absolute(2 * x - 1), 2 * beta * spread), "its denominator is positive")
            .iff(
                relation((2 * x - 1) ** 2, 4 * beta**2 * (x * (1 - x))),
                "compare squares",
                using=[squares.at({number: 2 * x - 1, positive: 2 * beta * spread})],
            )
            .iff(relation((2 * x - 1) ** 2, 1 - 1 / (1 + beta**2)), "$4x(1-x) = 1 - (2x-1)^2$")
            .iff(
                relation(absolute(2 * x - 1), sqrt(1 - 1 / (1 + beta**2))),
                "compare roots",
                using=[squares.at({number: 2 * x - 1, positive: sqrt(1 - 1 / (1 + beta**2))})],
            )
            .iff(where, "solve for $x$"),
        )
        for relation, name, words, where, squares in (
            (lt, "range", "Its absolute value is below 1 exactly between $1 - x^*$ and $x^*$", between, squared[0]),
            (
                gt,
                "beyond",
                "And above 1 exactly outside of the interval from $1 - x^*$ to $x^*$",
                either(lt(x, 1 - lowest), gt(x, lowest)),
                squared[1],
            ),
        )
    )
    yield from (steepness, above)
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.attracts",
        "So a stationary policy strictly between $1 - x^*$ and $x^*$ attracts updates from nearby, and one strictly "
        "outside repels them",
        both(
            implies(between, attracts({x: update(x)}, x)),
            implies(either(lt(x, 1 - lowest), gt(x, lowest)), repels({x: update(x)}, x)),
        ),
        given=[kept],
        using=[slope, steepness, above],
        beyond="decides which stationary policies attract updates from nearby, unless the slope is 1 or $-1$",
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.oscillates",
        "A smaller zero that repels: the slope of the update is below $-1$",
        instance(
            both(
                eq(h(x), 0),
                lt(x, lowest),
                lt((2 * x - 1) / (2 * beta * spread), -1),
                repels({x_old: update(x_old)}, x),
            ),
            {x: rational(1, 10), beta: rational(1), reference: 1 / (1 + 9 * exp(rational(10, 3)))},
        ),
        beyond="shows that updates from nearby may move away from the smaller stationary policy",
    )


def _smaller_zero() -> Iterator[Claim]:
    """When the smaller zero attracts, in terms of the weight and the reference policy."""
    t = weight_angle
    between = claim(
        "vojnovic_yun_2025.direct-kl.next.smaller-zero.between",
        r"Between $-t$ and $t$ the hyperbolic cosine is below that of $t$",
        derivation=derive(
            cosh(t) - cosh(half_odds), "difference of two values", given=[gt(half_odds, -t), lt(half_odds, t)]
        )
        .eq(exp(t) / 2 * (1 - exp(half_odds - t)) * (1 - exp(-half_odds - t)), "in exponentials, as a product")
        .gt(0, "both exponents are negative"),
    )
    apart = half_odds + t
    tangent = claim(
        "vojnovic_yun_2025.direct-kl.next.smaller-zero.tangent",
        r"The hyperbolic cosine lies above its tangent at $-t$",
        derivation=derive(cosh(half_odds) - (cosh(t) - sinh(t) * apart), "distance from the tangent")
        .eq(
            exp(-t) / 2 * (exp(apart) - apart - 1) + exp(t) / 2 * (exp(-apart) + apart - 1),
            "in exponentials, beside their tangents at 0",
        )
        .ge(0, "exponentials lie above these"),
    )
    yield from (between, tangent)
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.smaller-zero",
        r"The smaller zero, at half log-odds $s < t$, lies above $1 - x^*$ exactly if $\ell < \coth t + t$",
        derivation=derive(
            gt(half_odds, -t),
            "it lies above $1 - x^*$",
            given=[eq(cosh(half_odds), sinh(t) * (half_odds + against)), lt(half_odds, t)],
        )
        .iff(
            lt(cosh(half_odds), cosh(t) + sinh(t) * apart),
            "below $-t$ it exceeds this, as it lies above the tangent",
            using=[between, tangent],
        )
        .iff(lt(against, coth(t) + t), r"put in the zero, and divide by $\sinh t$"),
        beyond="decides for which references the smaller stationary policy lies there",
    )
    most = log(1 + sqrt(rational(2)))
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.smallest-bound",
        r"This bound is smallest at $\sinh t = 1$",
        Extremum(coth(t) + t, t, most),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.smallest-bound.value",
        r"Its value there is $\sqrt2 + \log(1+\sqrt2) > 2.2955$",
        gt(sqrt(rational(2)) + most, rational(22955, 10000)),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.next.smallest-bound.reference",
        r"A reference probability of at least $1/99$ keeps $\ell$ below it",
        lt(log((1 - likely) / likely) / 2, rational(22955, 10000)),
    )


def figures() -> Iterator[Figure]:
    """Where there are no, two attracting and repelling, and two repelling stationary policies."""
    at_minimum, at_mirror = Substitution(h(x), x, lowest), Substitution(h(x), x, 1 - lowest)
    yield Figure(
        "direct-kl-regions",
        r"Stationary policies by reference probability $r$ and weight $\beta$. Without stationary policy the updates "
        r"drive the better answer's probability to 1 (`direct-kl.rises`). With two, the larger one repels "
        r"(`direct-kl.next.attracts`).",
        reference,
        (Fraction(1, 100000), Fraction(99, 100)),
        r"$r = \pi_{\mathrm{ref}}(a \mid q)$",
        r"$\beta$",
        regions=(
            Region(gt(at_minimum, 0), (), "none"),
            Region(both(lt(at_minimum, 0), gt(at_mirror, 0)), (), "two, the smaller attracts"),
            Region(lt(at_mirror, 0), (), "two, both repel"),
        ),
        vertical=beta,
        vertical_range=(Fraction(1, 100), Fraction(4)),
        logarithmic=True,
    )


stability = Result("Direct divergence, large groups: which stationary policies attract", paper, derivation, figures)
