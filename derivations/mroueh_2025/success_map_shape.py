r"""The shape of the success map: slope, minimum, fixed points and their stability (Proposition 1, Lemma 1).

The map $h$ falls up to $p = \frac12$ and rises from there, as Proposition 1 says, and its graph is
symmetric, $h(1-p) = h(p)$, which the paper does not use. On all of $[0, 1]$ it stays strictly between
$p_{\mathrm{ref}}$ and 1. So $h(0) > 0$ and $h(1) < 1$, and since every expression in $h$ is defined on
$[0, 1]$ and therefore continuous, the intermediate value theorem gives a fixed point inside: Brouwer's
theorem is not needed. Lemma 1's bound on $\beta$ is stated there as sufficient for $|h'(p^*)| < 1$;
it is exact.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.success_map import beta, epsilon, p, p_ref, spread, success_map
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    derive,
    eq,
    exp,
    gt,
    iff,
    implies,
    log,
    lt,
    rational,
)

half, zero, one = rational(1, 2), rational(0), rational(1)


def sigmoid(z: Expression) -> Expression:
    """The logistic function."""
    return 1 / (1 + exp(-z))


def logit() -> Expression:
    """The argument z(p) of the logistic function in the proof of Proposition 1."""
    return -log((1 - p_ref) / p_ref) + 1 / (beta * spread())


def logit_slope() -> Expression:
    """The printed z'(p)."""
    return -((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)))


def sensitivity(at: Expression = p) -> Expression:
    """The bound B of Lemma 1."""
    return at * (1 - at) * (absolute(2 * at - 1) / (2 * (at * (1 - at) + epsilon) ** rational(3, 2)))


def derivation() -> Iterator[Claim]:
    """Differentiate the map, then read off its shape."""
    as_sigmoid = eq(success_map(), sigmoid(logit()))
    yield claim("mroueh_2025.h-sigmoid", "The map is a logistic function of $z(p)$", as_sigmoid)
    yield claim(
        "mroueh_2025.z-prime",
        "Slope of $z$",
        derivation=derive(Derivative(logit(), p), "definition of $z$").eq(
            logit_slope(), "the constant term has no slope; chain rule"
        ),
        equation="Appendix A, proof of Proposition 1",
    )
    slope = derive(Derivative(success_map(), p), "definition of $h$").eq(
        success_map() * (1 - success_map()) * logit_slope(), "chain rule, as $\\sigma' = \\sigma(1-\\sigma)$"
    )
    h_prime = claim(
        "mroueh_2025.h-prime",
        "Slope of the map",
        derivation=slope,
        equation="Proposition 1",
        printed=paper.quote(
            "Proposition 1",
            r"h'_{\varepsilon,p_{\mathrm{ref}}}(p) = -h_{\varepsilon,p_{\mathrm{ref}}}(p)"
            r"(1-h_{\varepsilon,p_{\mathrm{ref}}}(p))\frac{1-2p}{2\beta\left[p(1-p)+\varepsilon\right]^{3/2}}",
            eq(
                Derivative(success_map(), p),
                -success_map()
                * (1 - success_map())
                * ((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))),
            ),
        ),
    )
    yield h_prime
    signs = both(
        iff(lt(Derivative(success_map(), p), 0), lt(p, half)),
        iff(gt(Derivative(success_map(), p), 0), gt(p, half)),
        iff(eq(Derivative(success_map(), p), 0), eq(p, half)),
    )
    yield claim("mroueh_2025.h-prime.sign", "The slope changes sign exactly at one half", signs, using=[h_prime])
    yield claim(
        "mroueh_2025.h-minimum",
        "The map is smallest exactly at one half",
        Extremum(success_map(), p, half),
        equation="Proposition 1",
    )
    yield claim("mroueh_2025.h-symmetric", "Symmetry about one half", eq(success_map(1 - p), success_map()))
    yield claim(
        "mroueh_2025.h-range",
        "The map stays strictly between the reference and 1",
        both(gt(success_map(), p_ref), lt(success_map(), 1)),
    )
    yield claim(
        "mroueh_2025.fixed-point-exists",
        "$h(p) - p$ changes sign on $[0, 1]$, so there is a fixed point inside",
        both(gt(success_map(zero) - 0, 0), lt(success_map(one) - 1, 0)),
        equation="Proposition 1",
    )
    yield from stability(h_prime)


def stability(h_prime: Claim) -> Iterator[Claim]:
    """Lemma 1: the slope at a fixed point, and when it is smaller than 1."""
    fixed = eq(success_map(), p)
    slope = (
        derive(Derivative(success_map(), p), "definition of $h$", given=[fixed])
        .eq(success_map() * (1 - success_map()) * logit_slope(), "slope of the map", using=[h_prime])
        .eq(
            p * (1 - p) * ((2 * p - 1) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))),
            "$h(p) = p$ at a fixed point",
        )
    )
    lemma = claim(
        "mroueh_2025.lemma-1",
        "Slope at a fixed point",
        derivation=slope,
        equation="Lemma 1",
        printed=paper.quote(
            "Lemma 1",
            r"h'_{\varepsilon,p_{\mathrm{ref}}}(p^*) = p^*(1-p^*)\frac{2p^*-1}{2\beta\left[p^*(1-p^*)"
            r"+\varepsilon\right]^{3/2}}",
            eq(Derivative(success_map(), p), slope.expression),
            given=(fixed,),
        ),
    )
    yield lemma
    damping = exp(-(1 / (beta * spread())))
    reference = p * damping / (1 - p + p * damping)
    yield claim(
        "mroueh_2025.fixed-point.reference",
        "A success probability is a fixed point for exactly one reference",
        iff(fixed, eq(p_ref, reference)),
    )
    slope_at_fixed_point = Substitution(Derivative(success_map(), p), p_ref, reference)
    yield claim(
        "mroueh_2025.lemma-1.bound",
        "The slope at a fixed point is smaller than 1 exactly when $\\beta > \\mathcal{B}(p^*)$",
        derivation=derive(
            lt(absolute(slope_at_fixed_point), 1),
            "condition of Theorem 4, with the reference for which $p$ is a fixed point",
            given=[gt(p, 0), lt(p, 1)],
        )
        .iff(lt(absolute(slope.expression), 1), "slope at a fixed point")
        .iff(gt(beta, sensitivity()), "multiply by $\\beta$"),
        equation="Lemma 1",
        printed=paper.quote(
            "Lemma 1",
            r"\beta > \mathcal{B}(p^*) = p^*(1-p^*)\frac{|2p^*-1|}{2[p^*(1-p^*)+\varepsilon]^{3/2}}",
            implies(gt(beta, sensitivity()), lt(sensitivity() / beta, 1)),
        ),
    )


shape = Result("The shape of the success map", paper, derivation)
