r"""Direct divergence, large groups: how $h$ grows at both ends.

Both limits of $h$ are infinite, as the paper says; here they come with rates, each in an explicit neighbourhood. At
0 the reference probability itself is the neighbourhood. At 1 the logarithm competes with the root, and the
neighbourhood shrinks for large $\beta$. Both limits are printed as approached from outside of $(0, 1)$, where $h$
has no value.
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.direct_and_reverse_kl import comparison, ratio
from derivations.vojnovic_yun_2025.direct_kl_large_groups import h
from grpo_symbolic import Claim, Result, claim, derive, eq, ge, le, log, real, sqrt, tends_to

tangent = comparison.claim("log-below-tangent")
positive = real("u", "(0, oo)", "a positive number")
below_0 = real("x_below", "(-oo, 0)", "a number below the domain of h", latex=r"\check x")
above_1 = real("x_above", "(1, oo)", "a number above the domain of h", latex=r"\hat x")


def derivation() -> Iterator[Claim]:
    """The two limits of h, which are infinite, with their rates."""
    root = Fraction(1, 2)
    from_0 = claim(
        "vojnovic_yun_2025.direct-kl.h-near-0",
        "A lower bound on $h$ below the reference",
        derivation=derive(h(x), "definition of $h$", given=[le(x, reference)])
        .ge(1 / (beta * sqrt(x * (1 - x))), "the log-odds of $x$ are at most those of $r$")
        .ge(1 / (beta * sqrt(x)), "$1 - x < 1$"),
    )
    yield from_0
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-at-0",
        r"$h$ grows at least like $1/(\beta\sqrt{x})$ below the reference",
        tends_to(h(x), None, x, to=0, side="+", constant=1 / beta, exponent=root, near=reference),
        using=[from_0],
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\lim_{x \uparrow 0} h(x) = \infty",
            tends_to(h(below_0), None, below_0, to=0, side="-", constant=1 / beta, exponent=root, near=reference),
            notation="the limit is taken from below 0, where $h$ has no value",
            instead=r"$\lim_{x \downarrow 0} h(x) = \infty$; $h$ has no value for $x < 0$",
            compare_with_pdf=True,
        ),
    )
    logarithm = claim(
        "vojnovic_yun_2025.direct-kl.logarithm",
        "A lower bound on logarithms",
        derivation=derive(log(positive), "a logarithm")
        .eq(-log(1 / positive), "that of the inverse, with the other sign")
        .ge(1 - 1 / positive, "it is below its tangent at 1", using=[tangent.at({ratio: 1 / positive})]),
    )
    yield logarithm
    remainder = sqrt(1 - x)
    odds = reference / (1 - reference)
    fraction = claim(
        "vojnovic_yun_2025.direct-kl.h-near-1.fraction",
        "The first term of $h$ is at least what it is with 1 for $x$",
        ge(1 / (beta * sqrt(x * (1 - x))), 1 / (beta * remainder)),
    )
    log_odds_of_x = claim(
        "vojnovic_yun_2025.direct-kl.h-near-1.log-odds",
        "So are the log-odds",
        derivation=derive(-log(x / (1 - x)), "log-odds of $x$, with the other sign")
        .eq(2 * log(remainder) - log(x), "a root is half a logarithm")
        .ge(2 * log(remainder), "$x < 1$"),
    )
    ratio_of_odds = claim(
        "vojnovic_yun_2025.direct-kl.h-near-1.odds",
        "The logarithm of a quotient",
        eq(log(odds / (16 * beta**2)), log(odds) - 2 * log(4 * beta)),
    )
    yield from (fraction, log_odds_of_x, ratio_of_odds)
    bound = claim(
        "vojnovic_yun_2025.direct-kl.h-near-1",
        "A lower bound on $h$ that blows up at 1",
        derivation=derive(h(x), "definition of $h$")
        .ge(
            1 / (beta * remainder) + 2 * log(remainder) + log(odds),
            "$x < 1$, in the root and in the logarithm",
            using=[fraction, log_odds_of_x],
        )
        .ge(
            1 / (2 * beta * remainder) + 2 - 2 * log(4 * beta) + log(odds),
            r"the bound on logarithms, at $4\beta\sqrt{1-x}$",
            using=[logarithm.at({positive: 4 * beta * remainder})],
        )
        .ge(
            1 / (2 * beta * remainder) - 16 * beta**2 / odds,
            r"the bound on logarithms, at $r/(16\beta^2(1-r))$",
            using=[logarithm.at({positive: odds / (16 * beta**2)}), ratio_of_odds],
        ),
    )
    yield bound
    near, constant = (reference / (64 * beta**3 * (1 - reference))) ** 2, 1 / (4 * beta)
    from_1 = claim(
        "vojnovic_yun_2025.direct-kl.h-beside-1",
        "So a quarter is left of it near 1",
        derivation=derive(h(x), "definition of $h$", given=[le(1 - x, near)])
        .ge(1 / (2 * beta * remainder) - 16 * beta**2 / odds, "the lower bound", using=[bound])
        .ge(1 / (4 * beta * remainder), r"$\sqrt{1-x} \leq r/(64\beta^3(1-r))$"),
    )
    yield from_1
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-at-1",
        r"$h$ grows at least like $1/(4\beta\sqrt{1-x})$ near 1",
        tends_to(h(x), None, x, to=1, side="-", constant=constant, exponent=root, near=near),
        using=[from_1],
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\lim_{x \downarrow 1} h(x) = \infty",
            tends_to(h(above_1), None, above_1, to=1, side="+", constant=constant, exponent=root, near=near),
            notation="the limit is taken from above 1, where $h$ has no value",
            instead=r"$\lim_{x \uparrow 1} h(x) = \infty$; $h$ has no value for $x > 1$",
            compare_with_pdf=True,
        ),
    )


ends = Result("Direct divergence, large groups: growth at both ends", paper, derivation)
