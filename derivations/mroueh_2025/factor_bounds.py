r"""The slope of the map bounded factor by factor (Appendix B, second case of Theorem 3).

For a reference above one half the printed proof bounds the two factors of $h'(p) = h(p)(1-h(p))z'(p)$ apart, for
$\frac12 < p \le p_{\mathrm{ref}}$. The slope of $z$ increases and is therefore largest at the reference. The product
$h(p)(1-h(p))$ is $\sigma(1-\sigma)$ at $z(p) = a(p_{\mathrm{ref}}) + b(p)/\beta$; by Lemmas 3 and 4 it is at most
$p_{\mathrm{ref}}(1-p_{\mathrm{ref}})/\xi(p)$, and $\xi$ is smallest at one half.

All these inequalities are true as printed.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import (
    a,
    argument,
    b,
    beta,
    epsilon,
    h,
    half,
    p,
    p_ref,
    sigmoid_product,
    slope_of_z,
    xi,
)
from derivations.mroueh_2025.sigmoid_lemmas import lemmas, shift
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    both,
    claim,
    cosh,
    derive,
    gt,
    iff,
    increasing,
    le,
    rational,
    sinh,
)

above_half = both(gt(p, half), le(p, p_ref))
product = h(p) * (1 - h(p))
product_bound = p_ref * (1 - p_ref) / xi(half)


def derivation() -> Iterator[Claim]:
    """The slope of z, the function xi, and the product of the map and its complement."""
    yield claim(
        "mroueh_2025.rise-increasing",
        "The slope of $z$ increases, and not only above one half",
        increasing(slope_of_z(), p),
    )
    yield claim(
        "mroueh_2025.rise-bound",
        "Above one half it is positive and at most that at the reference",
        both(gt(slope_of_z(), 0), le(slope_of_z(), slope_of_z(p_ref))),
        given=[above_half],
    )
    yield from exponent()
    through_xi = product_by_lemmas()
    yield through_xi
    at_one_half = claim(
        "mroueh_2025.product-bound.one-half",
        "As $\\xi$ is smallest at one half, the bound is largest there",
        le(p_ref * (1 - p_ref) / xi(p), product_bound),
        given=[above_half],
    )
    yield at_one_half
    yield claim(
        "mroueh_2025.product-bound",
        "The product of the map and its complement is bounded by a number that does not involve $p$",
        derivation=derive(product, "a factor of the slope of the map", given=[above_half])
        .le(p_ref * (1 - p_ref) / xi(p), "Lemmas 3 and 4", using=[through_xi])
        .le(product_bound, "$\\xi$ is smallest at one half", using=[at_one_half]),
    )


def exponent() -> Iterator[Claim]:
    """The function xi, through which the exponent enters."""
    yield claim(
        "mroueh_2025.xi-prime",
        "The slope of $\\xi$ is explicit",
        derivation=derive(Derivative(xi(p), p), "definition of $\\xi$").eq(
            (2 * p - 1) / (4 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)) * sinh(1 / beta * b(p)),
            "chain rule and $2\\sinh u\\cosh u = \\sinh 2u$",
        ),
    )
    yield claim(
        "mroueh_2025.xi-prime.sign",
        "$\\xi$ rises exactly above one half",
        iff(gt(Derivative(xi(p), p), 0), gt(p, half)),
    )
    yield claim(
        "mroueh_2025.xi-bounds",
        "$\\xi$ lies between its values at one half and at the reference",
        both(le(xi(half), xi(p)), le(xi(p), xi(p_ref))),
        given=[above_half],
    )


def product_by_lemmas() -> Claim:
    """Lemmas 3 and 4 at the parts of z."""
    in_lemma = {argument: a(p_ref), shift: b(p) / beta}
    return claim(
        "mroueh_2025.product-bound.xi",
        "By Lemmas 3 and 4 the product of the map and its complement has a bound through $\\xi$",
        derivation=derive(product, "a factor of the slope of the map", given=[above_half])
        .eq(sigmoid_product(a(p_ref) + b(p) / beta), "$h = \\sigma(z)$ with $z = a + b/\\beta$")
        .le(
            1 / (4 * cosh(a(p_ref) / 2) ** 2 * xi(p)),
            "Lemma 3 (2), as $a(p_{\\mathrm{ref}}) > 0$ and $b(p) > 0$",
            using=[lemmas.claim("lemma-3.2").at(in_lemma), lemmas.claim("lemma-4.sign")],
        )
        .eq(p_ref * (1 - p_ref) / xi(p), "Lemma 4", using=[lemmas.claim("lemma-4")]),
    )


factors = Result("The slope of the map bounded factor by factor", paper, derivation)
