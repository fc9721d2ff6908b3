r"""The shape of the success map: slope, minimum (`h-minimum`), symmetry, and a fixed point (Proposition 1).

Proposition 1 says that $h$ has a fixed point, falls up to $p = \frac12$ and rises from there. This holds
(`fixed-point-exists`, `h-prime.sign`), and for the slope its proof is followed here: $h$ is a logistic function of
$z(p)$, and the sign of its slope is that of $2p - 1$.

Two things can be said more simply or more strongly. The graph is symmetric, $h(1-p) = h(p)$ (`h-symmetric`), and stays
strictly between $p_{\mathrm{ref}}$ and 1 (`h-range`). So $f(p) = h(p) - p$ is positive at 0 and negative at 1, and as
$h$ is defined on $[0, 1]$ by elementary functions and therefore continuous, there is a fixed point inside by the
intermediate value theorem (`fixed-point-exists`). Brouwer's theorem is not needed.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import (
    A,
    B,
    beta,
    epsilon,
    f,
    h,
    half,
    one,
    p,
    p_ref,
    sigma,
    sigmoid_product,
    slope_of_z,
    z,
    zero,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Gap,
    Result,
    Substitution,
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
    ne,
    rational,
    real,
    some_zero,
    sqrt,
)

at = real("u", "(-oo, oo)", "a number")
printed_slope_of_z = -((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2)))


def derivation() -> Iterator[Claim]:
    """Differentiate the map, then read off its shape."""
    sigmoid = claim(
        "mroueh_2025.h-sigmoid",
        "The map is a logistic function of $z(p)$",
        derivation=derive(h(p), "definition of $h$")
        .eq(1 / (1 + A() * exp(-B(p))), "definitions of $A$ and $B$")
        .eq(sigma(z(p)), "$A = e^{\\log A}$, so $Ae^{-B} = e^{-z}$"),
        equation="Appendix A, proof of Proposition 1",
        printed=paper.quote(
            "Appendix A, proof of Proposition 1",
            r"h_{\varepsilon,p_{\mathrm{ref}}}(p) = \sigma(z(p)),\ z(p) = -\log(A) + B(p)",
            both(eq(h(p), sigma(z(p))), eq(z(p), -log(A()) + B(p))),
        ),
    )
    yield sigmoid
    sigma_prime = claim(
        "mroueh_2025.sigma-prime",
        "The slope of the logistic function is its product with its complement",
        derivation=derive(Derivative(sigma(at), at), "definition of $\\sigma$")
        .eq(exp(-at) / (1 + exp(-at)) ** 2, "derivative of a reciprocal")
        .eq(1 / (1 + exp(-at)) * (exp(-at) / (1 + exp(-at))), "split the fraction")
        .eq(sigmoid_product(at), "definition of $\\sigma$; the second factor is $1 - \\sigma$"),
    )
    yield sigma_prime
    chain_rule = [sigmoid, sigma_prime.at({at: z(p)})]
    z_prime = claim(
        "mroueh_2025.z-prime",
        "The slope of $z$ is explicit",
        derivation=derive(Derivative(z(p), p), "definition of $z$")
        .eq(Derivative(B(p), p), "the constant $-\\log A$ has no slope")
        .eq(
            -(Derivative(p * (1 - p), p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))),
            "chain rule: $(u^{-1/2})' = -\\frac12 u^{-3/2} u'$",
        )
        .eq(printed_slope_of_z, "$p(1-p) = p - p^2$ has the slope $1 - 2p$"),
        equation="Appendix A, proof of Proposition 1",
        printed=paper.quote(
            "Appendix A, proof of Proposition 1",
            r"z'(p) = B'(p) = -\frac{1-2p}{2\beta\left[p(1-p)+\varepsilon\right]^{3/2}}",
            both(eq(Derivative(z(p), p), Derivative(B(p), p)), eq(Derivative(B(p), p), printed_slope_of_z)),
        ),
    )
    yield z_prime
    yield claim(
        "mroueh_2025.h-prime.sigmoid",
        "The slope of the map by the chain rule",
        derivation=derive(Derivative(h(p), p), "definition of $h$")
        .eq(
            sigmoid_product(z(p)) * Derivative(z(p), p),
            "$h = \\sigma(z)$ and $\\sigma' = \\sigma(1-\\sigma)$",
            using=chain_rule,
        )
        .eq(sigmoid_product(z(p)) * printed_slope_of_z, "slope of $z$", using=[z_prime]),
        equation="Appendix A, proof of Proposition 1",
        printed=paper.quote(
            "Appendix A, proof of Proposition 1",
            r"h'_{\varepsilon,p_{\mathrm{ref}}}(p) = \sigma(z(p))(1-\sigma(z(p)))z'(p)"
            r" = -\sigma(z(p))(1-\sigma(z(p)))\frac{1-2p}{2\beta\left[p(1-p)+\varepsilon\right]^{3/2}}",
            both(
                eq(Derivative(h(p), p), sigmoid_product(z(p)) * Derivative(z(p), p)),
                eq(
                    sigmoid_product(z(p)) * Derivative(z(p), p),
                    -sigmoid_product(z(p)) * ((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))),
                ),
            ),
        ),
    )
    h_prime = claim(
        "mroueh_2025.h-prime",
        "The slope of the map is that of the logistic function times that of $z$",
        derivation=derive(Derivative(h(p), p), "definition of $h$")
        .eq(
            sigmoid_product(z(p)) * Derivative(z(p), p),
            "$h = \\sigma(z)$ and $\\sigma' = \\sigma(1-\\sigma)$",
            using=chain_rule,
        )
        .eq(h(p) * (1 - h(p)) * Derivative(z(p), p), "$\\sigma(z) = h$", using=[sigmoid])
        .eq(h(p) * (1 - h(p)) * slope_of_z(), "slope of $z$", using=[z_prime]),
        equation="Proposition 1",
        printed=paper.quote(
            "Proposition 1",
            r"h'_{\varepsilon,p_{\mathrm{ref}}}(p) = -h_{\varepsilon,p_{\mathrm{ref}}}(p)"
            r"(1-h_{\varepsilon,p_{\mathrm{ref}}}(p))\frac{1-2p}{2\beta\left[p(1-p)+\varepsilon\right]^{3/2}}",
            eq(
                Derivative(h(p), p),
                -h(p) * (1 - h(p)) * ((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))),
            ),
        ),
    )
    yield h_prime
    yield from monotonicity(h_prime)
    yield claim(
        "mroueh_2025.h-symmetric",
        "The graph is symmetric about one half",
        derivation=derive(h(1 - p), "definition of $h$")
        .eq(1 / (1 + A() * exp(-(1 / beta * (1 / sqrt((1 - p) * (1 - (1 - p)) + epsilon))))), "put in $1 - p$")
        .eq(1 / (1 + A() * exp(-B(p))), "$1 - (1 - p) = p$")
        .eq(h(p), "definition of $h$"),
        beyond="adds a symmetry",
    )
    damped = claim(
        "mroueh_2025.h-range.damping",
        "The exponential in the map is smaller than 1",
        derivation=derive(exp(-B(p)), "exponential in the map")
        .lt(exp(zero), "$B > 0$, and the exponential is increasing")
        .eq(1, "exponential of 0"),
    )
    above = claim(
        "mroueh_2025.h-range.above",
        "Every value of the map exceeds the reference",
        derivation=derive(h(p), "definition of $h$")
        .gt(1 / (1 + (1 - p_ref) / p_ref), "the exponential is smaller than 1", using=[damped])
        .eq(p_ref, "the fraction cancels"),
    )
    yield from (damped, above)
    h_range = claim(
        "mroueh_2025.h-range",
        "The map stays strictly between the reference and 1",
        both(gt(h(p), p_ref), lt(h(p), 1)),
        using=[above],
        beyond="encloses the values of the map",
    )
    yield h_range
    signs = [
        claim(
            "mroueh_2025.fixed-point-exists.zero",
            "At 0 the excess $f(p) = h(p) - p$ is positive",
            derivation=derive(f(zero), "excess at 0")
            .eq(h(zero), "subtract 0")
            .gt(p_ref, "values of the map exceed the reference", using=[h_range.at({p: zero})])
            .gt(0, "a success probability"),
        ),
        claim(
            "mroueh_2025.fixed-point-exists.one",
            "At 1 it is negative",
            derivation=derive(f(one), "excess at 1")
            .eq(h(one) - 1, "definition of $f$")
            .lt(0, "values of the map are below 1", using=[h_range.at({p: one})]),
        ),
    ]
    yield from signs
    yield claim(
        "mroueh_2025.fixed-point-exists",
        "$f(p) = h(p) - p$ changes its sign on $[0, 1]$, so there is a fixed point inside",
        some_zero(f(p), p, zero, one, rising=False),
        using=signs,
        equation="Proposition 1",
        printed=paper.quote(
            "Proposition 1, and Appendix A",
            r"h_{\varepsilon,p_{\mathrm{ref}}} \text{ is continuous from } [0,1] \text{ to } [0,1],"
            r"\ \exists p^* \in [0,1]: p^* = h_{\varepsilon,p_{\mathrm{ref}}}(p^*)",
            both(gt(h(p), 0), lt(h(p), 1), gt(f(zero), 0), lt(f(one), 0)),
        ),
    )


def monotonicity(h_prime: Claim) -> Iterator[Claim]:
    """The sign of the slope, and the minimum that follows."""
    slope = Derivative(h(p), p)
    signs = [
        claim(
            f"mroueh_2025.h-prime.{name}",
            f"The map has a {sign} slope exactly {side} one half",
            derivation=derive(compare(slope, 0), "slope of the map")
            .iff(compare(slope_of_z(), 0), "it is $h(1-h)z'$, and $h(1-h) > 0$", using=[h_prime])
            .iff(compare(p, half), "the denominator is positive"),
        )
        for name, sign, side, compare in (("falls", "negative", "below", lt), ("rises", "positive", "above", gt))
    ]
    level = claim(
        "mroueh_2025.h-prime.level",
        "At one half the slope of the map is 0",
        derivation=derive(Substitution(slope, p, half), "slope of the map at one half")
        .eq(h(half) * (1 - h(half)) * slope_of_z(half), "slope of the map", using=[h_prime.at({p: half})])
        .eq(0, "the factor $2p - 1$ is 0"),
    )
    yield from (*signs, level)
    yield claim(
        "mroueh_2025.h-prime.sign",
        "The slope changes its sign exactly at one half",
        both(iff(lt(slope, 0), lt(p, half)), iff(gt(slope, 0), gt(p, half)), eq(Substitution(slope, p, half), 0)),
        using=[*signs, level],
        equation="Proposition 1",
        printed=paper.quote(
            "Proposition 1",
            r"p < \tfrac{1}{2}: h' < 0; \quad p > \tfrac{1}{2}: h' > 0; \quad p = \tfrac{1}{2}: h' = 0",
            both(
                implies(lt(p, half), lt(slope, 0)),
                implies(gt(p, half), gt(slope, 0)),
                eq(Substitution(slope, p, half), 0),
            ),
        ),
    )
    lowest = claim(
        "mroueh_2025.h-minimum.compared",
        "Everywhere else the map exceeds its value at one half",
        derivation=derive(gt(h(p), h(half)), "the map against its value at one half")
        .iff(lt(exp(-B(p)), exp(-B(half))), "take reciprocals and divide by $A > 0$")
        .iff(gt(B(p), B(half)), "the exponential is increasing")
        .iff(lt(p * (1 - p), rational(1, 4)), "$B$ falls with $p(1-p)$")
        .iff(gt((p - half) ** 2, 0), "$\\frac14 - p(1-p) = (p - \\frac12)^2$")
        .iff(ne(p, half), "a square is 0 only at 0"),
    )
    yield lowest
    yield claim(
        "mroueh_2025.h-minimum",
        "The map is smallest exactly at one half",
        Extremum(h(p), p, half),
        using=[*signs, lowest],
        equation="Proposition 1",
        printed=paper.quote("Proposition 1", r"p = \tfrac{1}{2} \text{ achieves its minimum}", Extremum(h(p), p, half)),
        fills=[
            Gap(
                "Appendix A, proof of Proposition 1",
                "the proof ends at a point where the slope vanishes and does not conclude that the map is "
                "smallest there",
            ),
        ],
    )


shape = Result("The shape of the success map", paper, derivation)
