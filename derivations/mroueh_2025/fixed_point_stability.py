r"""The slope of the success map at its fixed points, as Lemma 1 says (`lemma-1`).

Theorem 4 says that the iteration converges to a fixed point $p^*$ from nearby if $|h'(p^*)| < 1$. Lemma 1 computes this
slope without solving for $p^*$: at a fixed point $h(p^*) = p^*$, and what remains is an explicit function of $p^*$
(`lemma-1`). It then gives $\beta > \mathcal{B}(p^*)$ as sufficient for $|h'(p^*)| < 1$.

Both statements of Lemma 1 hold, and the bound on $\beta$ is exact (`lemma-1`, `lemma-1.bound`). To see it, fixed points
are counted from the other side: every success probability strictly between 0 and 1 is a fixed point for exactly one
reference (`fixed-point.reference`), so nothing is lost by putting that reference into the slope.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import B, beta, h, p, p_ref, slope_of_z, stability_bound
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    define,
    derive,
    eq,
    exp,
    gt,
    implies,
    lt,
)

#: The reference for which a success probability is a fixed point.
reference_of = define("reference_of", (p,), p * exp(-B(p)) / (1 - p + p * exp(-B(p))), latex="r")


def derivation() -> Iterator[Claim]:
    """Lemma 1: the slope at a fixed point, and when it is smaller than 1."""
    fixed, slope = eq(h(p), p), Derivative(h(p), p)
    slope_at_fixed_point = p * (1 - p) * slope_of_z()
    lemma = claim(
        "mroueh_2025.lemma-1",
        "At a fixed point the slope is an explicit function of $p$",
        derivation=derive(slope, "slope of the map", given=[fixed])
        .eq(h(p) * (1 - h(p)) * slope_of_z(), "Proposition 1", using=[shape.claim("h-prime")])
        .eq(slope_at_fixed_point, "$h(p) = p$"),
        using=[shape.claim("h-prime")],
        equation="Lemma 1",
        printed=paper.quote(
            "Lemma 1",
            r"h'_{\varepsilon,p_{\mathrm{ref}}}(p^*) = p^*(1-p^*)\frac{2p^*-1}{2\beta\left[p^*(1-p^*)"
            r"+\varepsilon\right]^{3/2}}",
            eq(slope, slope_at_fixed_point),
            given=(fixed,),
        ),
    )
    yield lemma
    damping = exp(-B(p))
    of_reference = claim(
        "mroueh_2025.fixed-point.reference",
        "Every success probability strictly between 0 and 1 is a fixed point for exactly one reference, $r(p)$",
        derivation=derive(fixed, "a fixed point")
        .iff(eq(p * (1 + (1 - p_ref) / p_ref * damping), 1), "multiply by the denominator of $h$, which is positive")
        .iff(eq(p * (p_ref + (1 - p_ref) * damping), p_ref), "multiply by $p_{\\mathrm{ref}} > 0$")
        .iff(eq(p_ref * (1 - p + p * damping), p * damping), "collect what has the factor $p_{\\mathrm{ref}}$")
        .iff(eq(p_ref, reference_of(p)), "divide by the factor, which is positive"),
        beyond="parametrises all fixed points",
    )
    yield of_reference
    there, inside = Substitution(slope, p_ref, reference_of(p)), both(gt(p, 0), lt(p, 1))
    between = claim(
        "mroueh_2025.fixed-point.reference.between",
        "This reference is strictly between 0 and 1",
        both(gt(reference_of(p), 0), lt(reference_of(p), 1)),
        given=[inside],
    )
    stays = claim(
        "mroueh_2025.fixed-point.reference.fixed",
        "For it the success probability is a fixed point",
        eq(Substitution(h(p), p_ref, reference_of(p)), p),
        given=[inside],
        using=[between, of_reference.at({p_ref: reference_of(p)})],
    )
    explicit = claim(
        "mroueh_2025.fixed-point.reference.slope",
        "So the slope of the map is that at a fixed point",
        eq(there, slope_at_fixed_point),
        given=[inside],
        using=[between, stays, lemma.at({p_ref: reference_of(p)})],
    )
    yield from (between, stays, explicit)
    yield claim(
        "mroueh_2025.lemma-1.bound",
        "The slope at a fixed point is smaller than 1 in absolute value exactly when $\\beta > \\mathcal{B}(p^*)$",
        derivation=derive(
            lt(absolute(there), 1),
            "condition of Theorem 4, with the reference for which $p$ is a fixed point",
            given=[inside],
        )
        .iff(lt(absolute(slope_at_fixed_point), 1), "slope at a fixed point", using=[explicit])
        .iff(gt(beta, stability_bound(p)), "multiply by $\\beta$"),
        equation="Lemma 1",
        printed=paper.quote(
            "Lemma 1",
            r"\beta > \mathcal{B}(p^*) = p^*(1-p^*)\frac{|2p^*-1|}{2[p^*(1-p^*)+\varepsilon]^{3/2}}",
            implies(gt(beta, stability_bound(p)), lt(absolute(there), 1)),
            given=(both(gt(p, 0), lt(p, 1)),),
        ),
        beyond="the bound of Lemma 1 is necessary as well as sufficient for a slope below 1 in absolute value",
    )


stability = Result("The slope of the map at its fixed points", paper, derivation)
