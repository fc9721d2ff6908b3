r"""The condition of Theorem 3 (2): what it gives, and that nothing needs it (Appendix B, second case).

Above one half the printed proof bounds the slope of $f(p) = h(p) - p$ on $(\frac12, p_{\mathrm{ref}}]$ by a
product of two factors, one through Lemmas 3 and 4, one because the slope of $z$ increases. All these
inequalities are true, and the bound is at most 0 exactly under the condition on $\beta$.

The sentence before the last display calls the condition needed for $f' \le 0$. It suffices and is not
necessary: where it fails, at $p_{\mathrm{ref}} = \frac{99}{100}$, $\beta = 1$, $\varepsilon = 10^{-5}$, the
excess falls on all of $[0, 1]$. And $f' \le 0$ is not needed either, since $f(p) > 0$ for $p \le p_{\mathrm{ref}}$
follows at once from $h > p_{\mathrm{ref}}$.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.amplification import cosh_square, printed_condition, steepness, where_condition_fails
from derivations.mroueh_2025.excess import excess, over_diagonal
from derivations.mroueh_2025.sigmoid_lemmas import a, lemmas, log_odds, sigmoid_product, z
from derivations.mroueh_2025.success_map import beta, epsilon, p, p_ref, spread, success_map
from derivations.mroueh_2025.success_map_shape import half
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    both,
    claim,
    cosh,
    derive,
    gt,
    iff,
    increasing,
    le,
    lt,
    rational,
    real,
    sinh,
)
from grpo_symbolic.calculus import ZERO, unfold

above_half = (gt(p, half), le(p, p_ref))
spread_cubed = (p * (1 - p) + epsilon) ** rational(3, 2)
rise = (2 * p - 1) / (2 * beta * spread_cubed)
rise_at_reference = (2 * p_ref - 1) / (2 * beta * (p_ref * (1 - p_ref) + epsilon) ** rational(3, 2))
product = success_map() * (1 - success_map())
product_bound = p_ref * (1 - p_ref) / cosh_square()
final_bound = steepness(p_ref) / (beta * cosh_square()) - 1
xi = cosh(1 / (2 * beta) * (1 / spread())) ** 2
first, middle, last = (real(name, "(-oo, oo)", "a bound") for name in ("first", "middle", "last"))


def derivation() -> Iterator[Claim]:
    """Two bounds, their product, and the condition."""
    steeper = claim(
        "mroueh_2025.rise-increasing",
        "The slope of $z$ increases, and not only above one half",
        increasing(rise, p),
    )
    yield steeper
    risen = claim(
        "mroueh_2025.rise-bound",
        "The slope of $z$ is positive and at most that at the reference",
        both(gt(rise, 0), le(rise, rise_at_reference)),
        given=above_half,
        using=[steeper.between(p, p_ref)],
    )
    yield risen
    yield from xi_claims()
    transitive = claim(
        "mroueh_2025.bounds-chain",
        "Bounds can be chained",
        le(first, last),
        given=[le(first, middle), le(middle, last)],
    )
    yield transitive
    yield from product_claims(risen, transitive)


def xi_claims() -> Iterator[Claim]:
    """The function xi, through which the exponent enters."""
    yield claim(
        "mroueh_2025.xi-prime",
        "Slope of $\\xi$",
        derivation=derive(Derivative(xi, p), "definition of $\\xi$").eq(
            (2 * p - 1) / (4 * beta * spread_cubed) * sinh(1 / (beta * spread())),
            "chain rule and $2\\sinh\\cosh = \\sinh(2\\,\\cdot)$",
        ),
    )
    yield claim(
        "mroueh_2025.xi-prime.sign",
        "$\\xi$ rises exactly above one half",
        iff(gt(Derivative(xi, p), 0), gt(p, half)),
    )
    yield claim(
        "mroueh_2025.xi-bounds",
        "$\\xi$ lies between its values at one half and at the reference",
        both(le(cosh_square(), xi), le(xi, Substitution(xi, p, p_ref))),
        given=above_half,
    )


def product_claims(risen: Claim, transitive: Claim) -> Iterator[Claim]:
    """The bound on h(1 - h), through Lemmas 3 and 4."""
    shift = 1 / (beta * spread())
    through_xi = claim(
        "mroueh_2025.product-bound.xi",
        "The product of the map and its complement, by Lemmas 3 and 4",
        derivation=derive(product, "definition of $h$", given=above_half)
        .eq(sigmoid_product(log_odds() + shift), "$h = \\sigma(z)$ with $z = a + b/\\beta$")
        .le(
            1 / (4 * cosh(log_odds() / 2) ** 2 * xi),
            "Lemma 3 (2), as $a > 0$ and $b > 0$",
            using=[lemmas.claim("lemma-3.2").at({z: log_odds(), a: shift}), lemmas.claim("lemma-4.sign")],
        )
        .eq(p_ref * (1 - p_ref) / xi, "Lemma 4", using=[lemmas.claim("lemma-4")]),
    )
    yield through_xi
    at_one_half = claim(
        "mroueh_2025.product-bound.one-half",
        "$\\xi$ is smallest at one half",
        le(p_ref * (1 - p_ref) / xi, product_bound),
        given=above_half,
    )
    yield at_one_half
    links = {first: product, middle: p_ref * (1 - p_ref) / xi, last: product_bound}
    shrunk = claim(
        "mroueh_2025.product-bound",
        "The product of the map and its complement, bounded at one half",
        le(product, product_bound),
        given=above_half,
        using=[through_xi, at_one_half, transitive.at(links)],
    )
    yield shrunk
    yield from conclusion(risen, shrunk, transitive)


def conclusion(risen: Claim, shrunk: Claim, transitive: Claim) -> Iterator[Claim]:
    """The final bound on the slope of the excess, and what the condition is worth."""
    small, large = real("small", "(0, oo)", "a factor"), real("large", "(0, oo)", "its bound")
    other, limit = real("other", "(0, oo)", "another factor"), real("limit", "(0, oo)", "its bound")
    multiplied = claim(
        "mroueh_2025.bounds-multiply",
        "Bounds of positive factors multiply",
        le(small * other, large * limit),
        given=[le(small, large), le(other, limit)],
    )
    yield multiplied
    factors = {small: product, large: product_bound, other: rise, limit: rise_at_reference}
    reasons = [risen, shrunk, multiplied.at(factors)]
    bound = claim(
        "mroueh_2025.f-prime.bound",
        "The final bound on the slope of the excess",
        derivation=derive(Derivative(excess(), p), "slope of the excess", given=above_half)
        .eq(product * rise - 1, "slope of the map", using=[over_diagonal.claim("f-prime")])
        .le(product_bound * rise_at_reference - 1, "multiply the bounds of both factors", using=reasons)
        .eq(final_bound, "collect"),
        using=reasons,
    )
    yield bound
    threshold = claim(
        "mroueh_2025.f-prime.condition",
        "The final bound is at most 0 exactly under the condition of Theorem 3 (2)",
        iff(le(final_bound, 0), printed_condition()),
    )
    yield threshold
    falls = le(Derivative(excess(), p), 0)
    yield claim(
        "mroueh_2025.theorem-3.condition-suffices",
        "Under the condition the excess does not rise up to the reference",
        falls,
        given=[*above_half, printed_condition()],
        using=[
            bound,
            threshold,
            transitive.at({first: unfold(Derivative(excess(), p)), middle: final_bound, last: ZERO}),
        ],
        equation="Theorem 3 (2)",
        printed=paper.quote(
            "Appendix B, end of the proof of Theorem 3",
            r"\beta\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right)"
            r" \ge \frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{\mathrm{ref}}-1)}"
            r"{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}",
            falls,
            given=(*above_half, printed_condition()),
        ),
    )
    slope_there = Derivative(excess(), p)
    for symbol, value in where_condition_fails.items():
        slope_there = Substitution(slope_there, symbol, value)
    yield claim(
        "mroueh_2025.f-prime.condition-not-needed",
        "For a reference of 0.99 and $\\beta = 1$ the condition fails, and yet the excess falls on all of $[0, 1]$",
        lt(slope_there, 0),
    )


condition = Result("The condition of Theorem 3", paper, derivation)
