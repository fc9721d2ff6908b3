r"""The condition of Theorem 3 (2): what it gives, and that nothing needs it (Appendix B, second case).

The bounds of both factors of $h'$ multiply to a bound on the slope of the excess, $f' = h' - 1$ (`f-prime.bound`), and
this bound is at most 0 exactly under the condition on $\beta$ (`f-prime.condition`). So far the inequalities are true
as printed. With the bound $\mathcal{B}$ of Lemma 1 this condition reads
$\beta\,\xi(\frac12) \ge \mathcal{B}(p_{\mathrm{ref}})$; as $\xi \ge 1$, it is weaker than
$\beta \ge \mathcal{B}(p_{\mathrm{ref}})$ (`theorem-3.condition-and-lemma-1`).

The sentence before the last display calls the condition needed for $f' \le 0$. It suffices
(`theorem-3.condition-suffices`) and is not necessary: at $p_{\mathrm{ref}} = \frac{99}{100}$, $\beta = 1$, $\varepsilon
= 10^{-5}$ it fails (`theorem-3.condition-fails`), and yet the excess falls on all of $[0, 1]$
(`f-prime.condition-not-needed`). And $f' \le 0$ is not needed either, since $f(p) > 0$ for $p \le p_{\mathrm{ref}}$
follows at once from $h > p_{\mathrm{ref}}$ (`amplification.everywhere`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.amplification import where_condition_fails
from derivations.mroueh_2025.excess import over_diagonal
from derivations.mroueh_2025.factor_bounds import (
    above_half,
    factors,
    product,
    product_bound,
)
from derivations.mroueh_2025.functions import (
    a,
    argument,
    b,
    beta,
    condition_on_beta,
    cosh_square,
    epsilon,
    f,
    half,
    p,
    p_ref,
    sigmoid_product,
    slope_of_z,
    stability_bound,
    steepness,
    xi,
    z,
)
from derivations.mroueh_2025.sigmoid_lemmas import lemmas
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    both,
    claim,
    cosh,
    define,
    derive,
    eq,
    ge,
    gt,
    implies,
    le,
    lt,
    rational,
    real,
)
from grpo_symbolic.language.expression import substitute

final_bound = steepness() * (1 / (beta * xi(half))) - 1
slope = Derivative(f(p), p)
#: The excess where the condition fails.
excess_there = define("excess_there", (p,), substitute(f(p), where_condition_fails), latex=r"\hat{f}")
first, middle, last = (real(name, "(-oo, oo)", "a number") for name in ("u", "v", "w"))


def derivation() -> Iterator[Claim]:
    """The final bound on the slope of the excess, and what the condition is worth."""
    small, large = real("s", "(0, oo)", "a factor"), real("S", "(0, oo)", "its bound")
    other, limit = real("t", "(0, oo)", "another factor"), real("T", "(0, oo)", "its bound")
    multiplied = claim(
        "mroueh_2025.bounds-multiply",
        "Bounds of positive factors multiply",
        derivation=derive(small * other, "product of two factors", given=[le(small, large), le(other, limit)])
        .le(large * other, "the second factor is positive")
        .le(large * limit, "the bound of the first is positive"),
    )
    yield multiplied
    transitive = claim(
        "mroueh_2025.bounds-chain",
        "Bounds can be chained",
        le(first, last),
        given=[le(first, middle), le(middle, last)],
    )
    yield transitive
    yield with_cosh()
    in_lemma = {small: product, large: product_bound, other: slope_of_z(), limit: slope_of_z(p_ref)}
    bound = claim(
        "mroueh_2025.f-prime.bound",
        "Above one half and up to the reference the slope of the excess has a bound that does not involve $p$",
        derivation=derive(slope, "slope of the excess", given=[above_half])
        .eq(product * slope_of_z() - 1, "slope of the map", using=[over_diagonal.claim("f-prime")])
        .le(
            product_bound * slope_of_z(p_ref) - 1,
            "multiply the bounds of both factors",
            using=[factors.claim("rise-bound"), factors.claim("product-bound"), multiplied.at(in_lemma)],
        )
        .eq(final_bound, "collect"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"f'(p) \le \frac{2p_{\mathrm{ref}} - 1}{2\beta \left[p_{\mathrm{ref}}(1-p_{\mathrm{ref}}) + "
            r"\varepsilon\right]^{3/2}} p_{\mathrm{ref}}(1-p_{\mathrm{ref}}) "
            r"\frac{1}{\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right)} - 1 "
            r"= "
            r"\frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{\mathrm{ref}}-1)}{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}}) "
            r"+ \varepsilon]^{3/2}} \frac{1}{\beta "
            r"\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right)} - 1",
            le(slope, final_bound),
            given=(above_half,),
        ),
    )
    yield bound
    threshold = claim(
        "mroueh_2025.f-prime.condition",
        "This bound is at most 0 exactly under the condition of Theorem 3 (2)",
        derivation=derive(le(final_bound, 0), "the bound of the slope", given=[gt(p_ref, half)])
        .iff(le(steepness() * (1 / (beta * xi(half))), 1), "add 1")
        .iff(le(steepness(), beta * xi(half)), "multiply by $\\beta\\,\\xi(\\frac12) > 0$")
        .iff(condition_on_beta(), "$\\xi(\\frac12)$ is the square of the hyperbolic cosine"),
        equation="Appendix B, end of the proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, end of the proof of Theorem 3",
            r"\text{to have } f'(p) \le 0 \text{ we need } "
            r"\beta\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right) \ge "
            r"\frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{\mathrm{ref}}-1)}{2[p_{\mathrm{ref}}(1-p_{"
            r"\mathrm{ref}})+\varepsilon]^{3/2}}",
            implies(le(slope, 0), condition_on_beta()),
            given=(above_half, *(eq(symbol, value) for symbol, value in where_condition_fails.items())),
            another_reading=True,
            instead="Read as what the bound before it needs the sentence holds: the bound is at most 0 exactly then. "
            "Read as what $f'(p) \\le 0$ needs it fails: see mroueh_2025.f-prime.condition-not-needed, for these "
            "parameters and all $p$. The proof of Theorem 3 uses only that the condition suffices.",
        ),
    )
    yield threshold
    yield sufficient(bound, threshold, transitive)
    yield claim(
        "mroueh_2025.theorem-3.condition-and-lemma-1",
        "Where $\\beta$ satisfies the bound of Lemma 1 at the reference, it satisfies the condition",
        derivation=derive(
            steepness(),
            "right-hand side of the condition",
            given=[gt(p_ref, half), ge(beta, stability_bound(p_ref))],
        )
        .eq(stability_bound(p_ref), "$|2p_{\\mathrm{ref}}-1| = 2p_{\\mathrm{ref}}-1$")
        .le(beta, "hypothesis")
        .le(beta * cosh_square, "the hyperbolic cosine is at least 1"),
        equation="Section 4, on Figure 3",
        printed=paper.quote(
            "Section 4, on Figure 3",
            r"\text{for high } p_{\mathrm{ref}},\ \beta \text{ needs to be selected not too small}",
            lt(beta * cosh_square, steepness()),
            given=(
                both(eq(p_ref, rational(99, 100)), eq(epsilon, rational(1, 100_000))),
                both(ge(beta, rational(1, 10)), le(beta, rational(1, 4))),
            ),
            another_reading=True,
            instead="Read as a choice that suffices the sentence holds, from the bound of Lemma 1 at the reference on. "
            "Read as a necessary one it fails: small weights satisfy the condition for every reference "
            "(`condition.small-weights`), and what it rules out for a high one are weights in between. Nor does any "
            "weight need to be avoided, since the conclusion of Theorem 3 holds without the condition.",
        ),
        beyond="shows that the condition of Theorem 3 follows from the bound of Lemma 1 taken at the reference",
    )
    yield claim(
        "mroueh_2025.f-prime.condition-not-needed",
        "For a reference of 0.99, $\\beta = 1$ and the paper's smoothing, where the condition fails, the excess falls "
        "on all of $[0, 1]$",
        lt(Derivative(excess_there(p), p), 0),
        beyond="the condition of Theorem 3 is not necessary for what its proof needs it for",
    )


def with_cosh() -> Claim:
    """The slope of the excess as the display before the bounds has it."""
    lines = [
        sigmoid_product(z(p)) * slope_of_z() - 1,
        1 / (4 * cosh(z(p) / 2) ** 2) * slope_of_z() - 1,
        1 / (4 * cosh((a(p_ref) + 1 / beta * b(p)) / 2) ** 2) * slope_of_z() - 1,
    ]
    return claim(
        "mroueh_2025.f-prime.cosh",
        "The slope of the excess through the hyperbolic cosine",
        derivation=derive(slope, "slope of the excess")
        .eq(
            lines[0],
            "Proposition 1, with $h = \\sigma(z)$",
            using=[over_diagonal.claim("f-prime"), shape.claim("h-sigmoid")],
        )
        .eq(lines[1], "Lemma 3 (1)", using=[lemmas.claim("lemma-3.1").at({argument: z(p)})])
        .eq(lines[2], "$z = a + b/\\beta$", using=[factors.claim("a-and-b")]),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"f'(p) = \sigma(z(p))(1-\sigma(z(p)))\frac{2p-1}{2\beta[p(1-p)+\varepsilon]^{3/2}} - 1"
            r" = \frac{1}{4\cosh^2(\frac{z(p)}{2})} \frac{2p-1}{2\beta[p(1-p)+\varepsilon]^{3/2}} - 1"
            r" = \frac{1}{4\cosh^2\left(\frac{a(p_{\mathrm{ref}})+\frac{1}{\beta}b(p)}{2}\right)}"
            r" \frac{2p-1}{2\beta[p(1-p)+\varepsilon]^{3/2}} - 1",
            both(eq(slope, lines[0]), eq(lines[0], lines[1]), eq(lines[1], lines[2])),
        ),
    )


def sufficient(bound: Claim, threshold: Claim, transitive: Claim) -> Claim:
    """What the proof of Theorem 3 (2) shows with its condition."""
    chained = transitive.at({first: slope, middle: final_bound, last: 0})
    given = (above_half, condition_on_beta())
    return claim(
        "mroueh_2025.theorem-3.condition-suffices",
        "Under the condition the excess does not rise between one half and the reference",
        derivation=derive(slope, "slope of the excess", given=given)
        .le(final_bound, "the bound above", using=[bound])
        .le(0, "the condition says just this", using=[threshold]),
        using=[bound, threshold, chained],
        equation="Theorem 3 (2)",
        printed=paper.quote(
            "Appendix B, end of the proof of Theorem 3",
            r"\beta\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right)"
            r" \ge \frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{\mathrm{ref}}-1)}"
            r"{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}",
            le(slope, 0),
            given=given,
        ),
    )


condition = Result("The condition of Theorem 3", paper, derivation)
