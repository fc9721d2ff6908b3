r"""The slope of the map bounded factor by factor (Appendix B, second case of Theorem 3).

For a reference above one half the printed proof bounds the two factors of $h'(p) = h(p)(1-h(p))z'(p)$ apart, for
$\frac12 < p \le p_{\mathrm{ref}}$. The slope of $z$ increases and is therefore largest at the reference (`rise-bound`).
The product $h(p)(1-h(p))$ is $\sigma(1-\sigma)$ at $z(p) = a(p_{\mathrm{ref}}) + b(p)/\beta$; by Lemmas 3 and 4 it is
at most $p_{\mathrm{ref}}(1-p_{\mathrm{ref}})/\xi(p)$ (`product-bound.xi`), and $\xi$ is smallest at one half
(`xi-bounds`).

These inequalities are true as printed.
"""

from collections.abc import Generator, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import (
    a,
    argument,
    b,
    beta,
    cosh_square,
    epsilon,
    h,
    half,
    p,
    p_ref,
    sigmoid_product,
    slope_of_z,
    xi,
    z,
)
from derivations.mroueh_2025.sigmoid_lemmas import lemmas, shift
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Lemma,
    Result,
    Substitution,
    both,
    claim,
    cosh,
    derive,
    eq,
    ge,
    gt,
    increasing,
    le,
    log,
    rational,
    real,
    sinh,
    sqrt,
)

above_half = both(gt(p, half), le(p, p_ref))
above = real("above", "[0, oo)", "a numerator", latex="n")
more, fewer = (
    real(name, "(0, oo)", f"the {what} of two denominators", latex=latex)
    for name, what, latex in (("more", "larger", "u"), ("fewer", "smaller", "v"))
)
larger = real("larger", "[0, 1]", "a larger success probability", latex="p'")
product = h(p) * (1 - h(p))
product_bound = p_ref * (1 - p_ref) / xi(half)


def derivation() -> Iterator[Claim]:
    """The slope of z, the function xi, and the product of the map and its complement."""
    smoothed = p * (1 - p) + epsilon
    rising = claim(
        "mroueh_2025.rise-increasing.slope",
        "The slope of the slope of $z$ is positive",
        derivation=derive(Derivative(slope_of_z(), p), "slope of $z$, differentiated")
        .eq(
            2 / (2 * beta * smoothed ** rational(3, 2))
            + (2 * p - 1) / (2 * beta) * Derivative(1 / smoothed ** rational(3, 2), p),
            "product rule",
        )
        .eq(
            1 / (beta * smoothed ** rational(3, 2)) + 3 * (2 * p - 1) ** 2 / (4 * beta * smoothed ** rational(5, 2)),
            "chain rule, with the inner derivative $1 - 2p$",
        )
        .gt(0, "the first summand is positive, and the second is not negative"),
    )
    yield rising
    yield claim(
        "mroueh_2025.rise-increasing",
        "The slope of $z$ increases, and not only above one half",
        increasing(slope_of_z(), p),
        using=[rising],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"p \to \frac{2p-1}{2\beta [p(1-p)+\varepsilon]^{3/2}} \text{ is increasing in }"
            r" (\tfrac{1}{2}, p_{\mathrm{ref}}]",
            increasing(slope_of_z(), p),
        ),
    )
    denominator = 2 * beta * smoothed ** rational(3, 2)
    ordered = [ge(p, half), le(p, larger)]
    falls = claim(
        "mroueh_2025.xi-bounds.variance",
        "From one half on $p(1-p)$ does not rise",
        derivation=derive(p * (1 - p) - larger * (1 - larger), "difference at two points", given=ordered)
        .eq((larger - p) * (larger + p - 1), "take $p' - p$ out")
        .ge(0, "$p' \\ge p$, and $p' + p \\ge 1$"),
    )
    yield falls
    positive = claim(
        "mroueh_2025.rise-bound.positive",
        "It is positive above one half",
        derivation=derive(slope_of_z(), "slope of $z$", given=[above_half])
        .gt((2 * half - 1) / denominator, "$p > \\frac12$ in the numerator")
        .eq(0, "the numerator is 0"),
    )
    yield positive
    power = rational(3, 2)
    divided = claim(
        "mroueh_2025.rise-bound.divided",
        "A larger denominator makes a smaller fraction",
        le(above / (2 * beta * more**power), above / (2 * beta * fewer**power)),
        given=[le(fewer, more)],
    )
    yield divided
    largest = claim(
        "mroueh_2025.rise-bound.above",
        "It is largest at the reference",
        derivation=derive(slope_of_z(), "slope of $z$", given=[above_half])
        .le((2 * p_ref - 1) / denominator, "$p \\le p_{\\mathrm{ref}}$ in the numerator")
        .le(
            slope_of_z(p_ref),
            "$p(1-p) \\ge p_{\\mathrm{ref}}(1-p_{\\mathrm{ref}})$ in the denominator; $2p_{\\mathrm{ref}} - 1 > 0$",
            using=[
                falls.at({larger: p_ref}),
                divided.at({above: 2 * p_ref - 1, more: smoothed, fewer: p_ref * (1 - p_ref) + epsilon}),
            ],
        ),
    )
    yield largest
    yield claim(
        "mroueh_2025.rise-bound",
        "Above one half and up to the reference it is positive and at most that at the reference",
        both(gt(slope_of_z(), 0), le(slope_of_z(), slope_of_z(p_ref))),
        given=[above_half],
        using=[positive, largest],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"0 < \frac{2p-1}{2\beta \left[p(1-p) + \varepsilon\right]^{3/2}}"
            r" \le \frac{2p_{\mathrm{ref}} - 1}"
            r"{2\beta \left[p_{\mathrm{ref}}(1-p_{\mathrm{ref}}) + \varepsilon\right]^{3/2}}",
            both(gt(slope_of_z(), 0), le(slope_of_z(), slope_of_z(p_ref))),
            given=(above_half,),
        ),
    )
    least = yield from exponent(falls)
    through_xi = yield from product_by_lemmas()
    at_one_half = claim(
        "mroueh_2025.product-bound.one-half",
        "As $\\xi$ is smallest at one half, the bound is at most its value there",
        derivation=derive(p_ref * (1 - p_ref) / xi(p), "bound through $\\xi$", given=[above_half])
        .eq(p_ref * (1 - p_ref) * (1 / xi(p)), "split the fraction")
        .le(p_ref * (1 - p_ref) * (1 / xi(half)), "$\\xi(\\frac12) \\le \\xi(p)$", using=[least])
        .eq(product_bound, "one fraction again"),
    )
    yield at_one_half
    yield claim(
        "mroueh_2025.product-bound",
        "So between one half and the reference this product is bounded by a number that does not involve $p$",
        derivation=derive(product, "a factor of the slope of the map", given=[above_half])
        .le(p_ref * (1 - p_ref) / xi(p), "Lemmas 3 and 4", using=[through_xi])
        .le(product_bound, "$\\xi$ is smallest at one half", using=[at_one_half]),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"0 < \frac{1}{4\cosh^2\left(\frac{a(p_{\mathrm{ref}})+\frac{1}{\beta}b(p)}{2}\right)} \le "
            r"p_{\mathrm{ref}}(1 - "
            r"p_{\mathrm{ref}})\frac{1}{\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right)}",
            le(product, product_bound),
            given=(above_half,),
        ),
    )


def exponent(falls: Claim) -> Generator[Claim, None, Lemma]:
    """The function xi, through which the exponent enters, and that it is smallest at one half."""
    outer = 1 / (2 * beta) * Derivative(b(p), p)
    inside = cosh(argument) ** 2
    by_chain_rule = outer * Substitution(Derivative(inside, argument), argument, 1 / (2 * beta) * b(p))
    slope = (2 * p - 1) / (4 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)) * sinh(1 / beta * b(p))
    xi_prime = claim(
        "mroueh_2025.xi-prime",
        "The slope of $\\xi$ is explicit",
        derivation=derive(Derivative(xi(p), p), "definition of $\\xi$")
        .eq(outer * 2 * sinh(b(p) / (2 * beta)) * cosh(b(p) / (2 * beta)), "chain rule, twice")
        .eq(outer * sinh(1 / beta * b(p)), "$2\\sinh u\\cosh u = \\sinh 2u$")
        .eq(slope, "$b'(p) = (2p-1)/\\big(2(p(1-p)+\\varepsilon)^{3/2}\\big)$"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"\xi'(p) = \frac{1}{2\beta}b'(p)(\cosh^2(\tfrac{1}{2\beta}b(p)))'"
            r" = \frac{1}{2\beta}b'(p)\sinh(2\tfrac{1}{2\beta}b(p))"
            r" = \frac{1}{4\beta}\frac{2p-1}{(p(1-p)+\varepsilon)^{3/2}}\sinh(\tfrac{1}{\beta}b(p))",
            both(
                eq(Derivative(xi(p), p), by_chain_rule),
                eq(by_chain_rule, outer * sinh(2 * (1 / (2 * beta) * b(p)))),
                eq(
                    outer * sinh(2 * (1 / (2 * beta) * b(p))),
                    1 / (4 * beta) * ((2 * p - 1) / (p * (1 - p) + epsilon) ** rational(3, 2)) * sinh(1 / beta * b(p)),
                ),
            ),
        ),
    )
    yield xi_prime
    yield claim(
        "mroueh_2025.xi-prime.sign",
        "$\\xi$ rises exactly above one half",
        derivation=derive(gt(Derivative(xi(p), p), 0), "$\\xi$ rises")
        .iff(gt(slope, 0), "slope of $\\xi$", using=[xi_prime])
        .iff(gt(p, half), "all factors but $2p - 1$ are positive"),
        equation="Appendix B, proof of Theorem 3",
    )
    return (yield from bounds_of_xi(falls))


def bounds_of_xi(falls: Claim) -> Generator[Claim, None, Lemma]:
    """The values of xi between one half and the reference, and that the least is that at one half."""
    ordered = [ge(p, half), le(p, larger)]
    grows = claim(
        "mroueh_2025.xi-bounds.root",
        "So the reciprocal of its smoothed root does not fall",
        derivation=derive(b(p), "definition of $b$", given=ordered)
        .eq(1 / sqrt(p * (1 - p) + epsilon), "put it in")
        .le(1 / sqrt(larger * (1 - larger) + epsilon), "$p(1-p) \\ge p'(1-p')$", using=[falls])
        .eq(b(larger), "definition of $b$"),
    )
    rises = claim(
        "mroueh_2025.xi-bounds.rises",
        "From one half on $\\xi$ rises",
        derivation=derive(xi(p), "definition of $\\xi$", given=ordered)
        .eq(cosh(1 / (2 * beta) * b(p)) ** 2, "put it in")
        .le(cosh(1 / (2 * beta) * b(larger)) ** 2, "the hyperbolic cosine rises from 0 on", using=[grows])
        .eq(xi(larger), "definition of $\\xi$"),
    )
    yield from (grows, rises)
    least = rises.at({p: half, larger: p})
    yield claim(
        "mroueh_2025.xi-bounds",
        "Between one half and the reference $\\xi$ lies between its values at one half and at the reference",
        both(le(xi(half), xi(p)), le(xi(p), xi(p_ref))),
        given=[above_half],
        using=[rises.at({larger: p_ref}), least],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"\xi\left(\tfrac{1}{2}\right) \le \xi(p) \le \xi(p_{\mathrm{ref}}), \quad \frac{1}{\xi(p_{\mathrm{ref}})}"
            r" \le \frac{1}{\xi(p)} \le \frac{1}{\xi(\frac{1}{2})}"
            r" = \frac{1}{\cosh^2(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}})}",
            both(
                le(xi(half), xi(p)),
                le(xi(p), xi(p_ref)),
                le(1 / xi(p_ref), 1 / xi(p)),
                le(1 / xi(p), 1 / xi(half)),
                eq(1 / xi(half), 1 / cosh_square),
            ),
            given=(above_half,),
        ),
    )
    return least


def product_by_lemmas() -> Generator[Claim, None, Claim]:
    """The two parts of z, and Lemmas 3 and 4 at these parts."""
    in_lemma = {argument: a(p_ref), shift: b(p) / beta}
    parts = claim(
        "mroueh_2025.a-and-b",
        "$z$ in two parts: $a(p_{\\mathrm{ref}})$, which depends on the reference, and $b(p)/\\beta$",
        derivation=derive(z(p), "definition of $z$")
        .eq(-log((1 - p_ref) / p_ref) + 1 / beta * (1 / sqrt(p * (1 - p) + epsilon)), "put in $A$ and $B$")
        .eq(a(p_ref) + b(p) / beta, "definitions of $a$ and $b$"),
    )
    second_part = claim(
        "mroueh_2025.a-and-b.second",
        "$b(p)$, the second part but for the weight, is positive",
        derivation=derive(b(p), "definition of $b$")
        .ge(1 / sqrt(rational(1, 4) + epsilon), "$p(1-p) \\le \\frac14$")
        .gt(0, "a root of a positive number is positive"),
    )
    bounded = claim(
        "mroueh_2025.product-bound.xi",
        "By Lemmas 3 and 4 the product of the map and its complement has a bound there through $\\xi$",
        derivation=derive(product, "a factor of the slope of the map", given=[above_half])
        .eq(
            sigmoid_product(a(p_ref) + b(p) / beta),
            "$h = \\sigma(z)$ with $z = a + b/\\beta$",
            using=[shape.claim("h-sigmoid"), parts],
        )
        .le(
            1 / (4 * cosh(a(p_ref) / 2) ** 2 * xi(p)),
            "Lemma 3 (2) with the arguments $a(p_{\\mathrm{ref}}) > 0$ and $b(p)/\\beta > 0$; "
            "$\\xi(p) = \\cosh^2\\frac{b(p)}{2\\beta}$",
            using=[lemmas.claim("lemma-3.2").at(in_lemma), lemmas.claim("lemma-4.sign"), second_part],
        )
        .eq(p_ref * (1 - p_ref) / xi(p), "Lemma 4", using=[lemmas.claim("lemma-4")]),
        equation="Appendix B, proof of Theorem 3",
    )
    yield from (parts, second_part, bounded)
    return bounded


factors = Result("The slope of the map bounded factor by factor", paper, derivation)
