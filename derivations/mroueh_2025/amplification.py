r"""Every step ends above the reference: Theorem 3 without its condition on $\beta$ (`amplification.everywhere`).

Theorem 3 says that a fixed point satisfies $p^* > p_{\mathrm{ref}}$ if $p_{\mathrm{ref}} \le \frac12$, or if
$\beta\cosh^2(\cdot)$ is large enough. The conclusion is right and the condition is not needed (`theorem-3`). For all
$\beta, \varepsilon > 0$ and $0 < p_{\mathrm{ref}} < 1$ the exponential in $h$ is smaller than 1, so $h(p) >
p_{\mathrm{ref}}$ for *every* $p \in [0, 1]$ (`amplification.everywhere`), and a fixed point is a value of $h$. For the
same reason every iterate lies above the reference from the first one on (`amplification.everywhere`), whatever becomes
of the iteration.

More is true. As $h$ is smallest at one half (`h-minimum`) and largest at the ends (`amplification.ceiling`,
`h-symmetric`), all its values, hence all fixed points and all iterates from the first step on, lie between $h(\frac12)$
and $h(1)$, and the least gain $h(\frac12) - p_{\mathrm{ref}}$ is explicit (`amplification.gain`). The paper's condition
does fail, for example at $p_{\mathrm{ref}} = \frac{99}{100}$, $\beta = 1$ and its own $\varepsilon = 10^{-5}$
(`theorem-3.condition-fails`); the figure shows where. It holds again at $\beta = \frac14$
(`theorem-3.condition-small-penalty`). Small weights, of which the comment on the paper's Figure 3 warns for high
references, it never rules out (`condition.small-weights`).
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.brute_force import fixed_point_beside_reference
from derivations.mroueh_2025.functions import (
    B,
    beta,
    condition_on_beta,
    cosh_square,
    epsilon,
    h,
    half,
    one,
    p,
    p_ref,
    steepness,
)
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Curve,
    Figure,
    Gap,
    Oracle,
    Region,
    Result,
    Statement,
    both,
    claim,
    derive,
    either,
    eq,
    every_iterate,
    exp,
    ge,
    gt,
    implies,
    instance,
    le,
    lt,
    rational,
)

#: A reference, a weight and the paper's own smoothing at which Theorem 3 (2) says nothing.
where_condition_fails = {p_ref: rational(99, 100), beta: one, epsilon: rational(1, 100_000)}


def derivation() -> Iterator[Claim]:
    """The bound from below, what follows from it, and where the paper's condition fails."""
    everywhere = claim(
        "mroueh_2025.amplification.everywhere",
        "One step from anywhere ends above the reference",
        derivation=derive(h(p), "definition of $h$")
        .gt(1 / (1 + (1 - p_ref) / p_ref), "the exponential of a negative number is smaller than 1")
        .eq(p_ref, "the fraction cancels"),
        beyond="one step suffices, from any policy; no fixed point is needed",
        fills=[
            Gap(
                "Section 4, after Theorem 3",
                "what is shown of fixed points is said of the iterates, which Theorem 4 brings there only from nearby",
            ),
        ],
    )
    yield everywhere
    yield claim(
        "mroueh_2025.amplification.iterates",
        "So from the first step on every iterate lies above the reference",
        every_iterate(gt(p, p_ref), {p: h(p)}, {p: h(p_ref)}),
        using=[everywhere, everywhere.at({p: p_ref})],
    )
    fixed = eq(h(p), p)
    yield claim(
        "mroueh_2025.theorem-3",
        "Every fixed point lies above the reference, with no condition on $\\beta$",
        derivation=derive(p, "a fixed point", given=[fixed])
        .eq(h(p), "it is its own image")
        .gt(p_ref, "every value of the map is above the reference", using=[everywhere]),
        using=[everywhere],
        equation="Theorem 3",
        printed=paper.quote(
            "Theorem 3",
            r"p^* > p_{\mathrm{ref}} \text{ if } p_{\mathrm{ref}} \le \tfrac{1}{2}, \text{ or } "
            r"p_{\mathrm{ref}} > \tfrac{1}{2} \text{ and } \beta\cosh^2\left(\frac{1}{2\beta}"
            r"\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right) \ge \frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})"
            r"(2p_{\mathrm{ref}}-1)}{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}",
            implies(fixed, gt(p, p_ref)),
            given=(either(le(p_ref, half), both(gt(p_ref, half), condition_on_beta())),),
        ),
        oracle=Oracle(
            "a fixed point of repeated maximising, by bisection, beside the reference",
            fixed_point_beside_reference,
            relation=">",
        ),
        beyond="drops the condition of Theorem 3 on the weight",
        paper_uses=["lemma-2"],
        fills=[
            Gap(
                "Appendix B, proof of Theorem 3",
                "the proof ends with a slope that is not positive and does not conclude that fixed points lie "
                "above the reference",
            ),
        ],
    )
    yield from bounds(fixed)
    yield claim(
        "mroueh_2025.theorem-3.condition-fails",
        "The condition of Theorem 3 (2) fails for a reference of 0.99, $\\beta = 1$ and the paper's smoothing",
        instance(lt(beta * cosh_square, steepness()), where_condition_fails),
    )
    yield claim(
        "mroueh_2025.theorem-3.condition-small-penalty",
        "For the same reference and smoothing and $\\beta = \\frac{1}{4}$ the condition holds again",
        instance(condition_on_beta(), {**where_condition_fails, beta: rational(1, 4)}),
    )


def bounds(fixed: Statement) -> Iterator[Claim]:
    """The least value of the map, its largest one, and what they say about fixed points."""
    damping = exp(-B(half))
    gain = p_ref * (1 - p_ref) * (1 - damping) / (p_ref + (1 - p_ref) * damping)
    yield claim(
        "mroueh_2025.amplification.gain",
        "The least gain over the reference in one step is explicit and positive",
        derivation=derive(h(half) - p_ref, "gain at one half, where $h$ is smallest")
        .eq(gain, "common denominator")
        .gt(0, "the exponential of a negative number is smaller than 1"),
        beyond="says by how much success is amplified at least",
    )
    lowest, odds = shape.claim("h-minimum"), (1 - p_ref) / p_ref
    highest = claim(
        "mroueh_2025.amplification.ceiling",
        "The map is largest at 1",
        derivation=derive(h(p), "definition of $h$")
        .eq(1 / (1 + odds * exp(-B(p))), "put it in")
        .le(1 / (1 + odds * exp(-B(one))), "$p(1-p) \\ge 0$, so $B(p) \\le B(1)$")
        .eq(h(one), "definition of $h$"),
    )
    yield highest
    ends = [
        claim(
            "mroueh_2025.amplification.bracket.below",
            "A fixed point is at least the least value of the map",
            derivation=derive(p, "a fixed point", given=[fixed])
            .eq(h(p), "it is its own image")
            .ge(h(half), "the map is smallest at one half", using=[lowest]),
        ),
        claim(
            "mroueh_2025.amplification.bracket.above",
            "A fixed point is at most the largest value of the map",
            derivation=derive(p, "a fixed point", given=[fixed])
            .eq(h(p), "it is its own image")
            .le(h(one), "the map is largest at 1", using=[highest]),
        ),
    ]
    yield from ends
    yield claim(
        "mroueh_2025.amplification.bracket",
        "Fixed points lie between the least and the largest value of the map",
        both(ge(p, h(half)), le(p, h(one))),
        given=[fixed],
        using=ends,
        beyond="encloses all fixed points, from both sides",
    )


def figures() -> Iterator[Figure]:
    """The map against the diagonal, and the part of the plane that Theorem 3 leaves out."""
    smoothing = (epsilon, Fraction(1, 100_000))
    reference = (p_ref, Fraction(1, 5))
    weights = (Fraction(1), Fraction(2), Fraction(5))
    yield Figure(
        id="mroueh_2025.fixed-points",
        caption=r"The success map $h$ for $p_{\mathrm{ref}} = \frac15$ and $\varepsilon = 10^{-5}$. Fixed points are "
        "where a curve of $h$ meets the diagonal; each such curve stays above the reference "
        "(`amplification.everywhere`), so they all do.",
        horizontal=p,
        horizontal_range=(Fraction(0), Fraction(1)),
        horizontal_label="success probability $p$",
        vertical_label="after one step",
        curves=(
            Curve(p, (), "$p$"),
            Curve(p_ref, (reference,), r"$p_{\mathrm{ref}}$"),
            *(
                Curve(h(p), (reference, smoothing, (beta, weight)), rf"$\beta = {float(weight):g}$")
                for weight in weights
            ),
        ),
    )
    yield Figure(
        id="mroueh_2025.condition",
        caption=r"Where the condition of Theorem 3 (2) fails, for $\varepsilon = 10^{-5}$. The theorem is silent "
        "there, but its conclusion holds: every fixed point lies above the reference (`theorem-3`).",
        horizontal=p_ref,
        horizontal_range=(Fraction(9, 10), Fraction(1)),
        horizontal_label=r"$p_{\mathrm{ref}}$",
        vertical_label=r"$\beta$",
        vertical=beta,
        vertical_range=(Fraction(1, 20), Fraction(10)),
        regions=(Region(lt(beta * cosh_square, steepness()), (smoothing,), "condition fails, conclusion holds"),),
    )


theorem = Result("Every step ends above the reference", paper, derivation, figures)
