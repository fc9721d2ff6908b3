r"""The bound of the product of the map and its complement as the paper writes it, with hyperbolic cosines (Appendix B).

Its lines hold. Before them the letter $\beta$ stands in one place where $b$ is meant.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.factor_bounds import above_half, factors, product, product_bound
from derivations.mroueh_2025.functions import (
    a,
    argument,
    b,
    beta,
    half,
    p,
    p_ref,
    sigmoid_product,
    xi,
)
from derivations.mroueh_2025.sigmoid_lemmas import lemmas, shift
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Result,
    both,
    claim,
    cosh,
    derive,
    eq,
    gt,
    le,
    rational,
)


def derivation() -> Iterator[Claim]:
    """The same bound as the paper's display has it, with hyperbolic cosines throughout."""
    whole = a(p_ref) + 1 / beta * b(p)
    in_lemma = {argument: a(p_ref), shift: 1 / beta * b(p)}
    together = 1 / (4 * cosh(whole / 2) ** 2)
    apart = rational(1, 4) * (1 / (cosh(a(p_ref) / 2) ** 2 * cosh(1 / beta * b(p) / 2) ** 2))
    last = 4 * p_ref * (1 - p_ref) / 4 * (1 / cosh(1 / beta * b(p) / 2) ** 2)
    second_part = factors.claim("a-and-b.second")
    addition = [lemmas.claim("lemma-3.2").at(in_lemma), lemmas.claim("lemma-4.sign"), second_part]
    same = claim(
        "mroueh_2025.product-bound.cosh-product",
        "With a hyperbolic cosine the product of the map and its complement is $1/(4\\cosh^2(z/2))$",
        derivation=derive(together, "left-hand side of the bound")
        .eq(sigmoid_product(whole), "Lemma 3 (1)", using=[lemmas.claim("lemma-3.1").at({argument: whole})])
        .eq(
            product,
            "$h = \\sigma(z)$ with $z = a + b/\\beta$",
            using=[shape.claim("h-sigmoid"), factors.claim("a-and-b")],
        ),
        using=[lemmas.claim("lemma-3.1").at({argument: whole})],
        equation="Appendix B, proof of Theorem 3",
    )
    yield same
    split = claim(
        "mroueh_2025.product-bound.cosh",
        "The bound of the product, written with hyperbolic cosines",
        derivation=derive(together, "left-hand side of the bound, with $z$ in two parts", given=[above_half])
        .eq(sigmoid_product(whole), "Lemma 3 (1)", using=[lemmas.claim("lemma-3.1").at({argument: whole})])
        .le(
            apart,
            "Lemma 3 (2), with the shift $b/\\beta > 0$, and $a > 0$ as $p_{\\mathrm{ref}} \\ge p > \\frac12$",
            using=addition,
        ),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"\frac{1}{4\cosh^2\left(\frac{a(p_{\mathrm{ref}})+\frac{1}{\beta}b(p)}{2}\right)} \leq \frac{1}{4}"
            r"\frac{1}{\cosh^2\left(\frac{a(p_{\mathrm{ref}})}{2}\right)\cosh^2\left(\frac{b(p)}{2\beta}\right)}",
            le(together, apart),
            given=(above_half,),
        ),
        paper_uses=("a-and-b.positive",),
    )
    yield split
    of_reference = claim(
        "mroueh_2025.product-bound.cosh-reference",
        "The factor that belongs to the reference, by Lemma 4",
        derivation=derive(apart, "right-hand side of the bound")
        .eq(
            rational(1, 4) * (1 / (1 / (4 * p_ref * (1 - p_ref)) * cosh(1 / beta * b(p) / 2) ** 2)),
            "Lemma 4",
            using=[lemmas.claim("lemma-4")],
        )
        .eq(last, "reciprocal of a reciprocal"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"\frac{1}{4} \frac{1}{\cosh^2\left(\frac{a(p_{\mathrm{ref}})}{2}\right)"
            r"\cosh^2\left(\frac{b(p)}{2\beta}\right)} = \frac{4p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}{4}"
            r"\frac{1}{\cosh^2\left(\frac{b(p)}{2\beta}\right)}",
            eq(apart, last),
        ),
    )
    yield of_reference
    bounded = claim(
        "mroueh_2025.product-bound.cosh-bound",
        "The left-hand side is at most a number that does not involve $p$",
        derivation=derive(together, "left-hand side of the bound", given=[above_half])
        .le(apart, "Lemmas 3 (1) and 3 (2)", using=[split])
        .eq(last, "Lemma 4", using=[of_reference])
        .eq(p_ref * (1 - p_ref) / xi(p), "definition of $\\xi$")
        .le(product_bound, "$\\xi$ is smallest at one half", using=[factors.claim("product-bound.one-half")]),
    )
    positive = claim(
        "mroueh_2025.product-bound.cosh-above-zero",
        "The left-hand side is positive",
        derivation=derive(together, "left-hand side of the bound")
        .eq(product, "the product of the map and its complement", using=[same])
        .gt(0, "the map lies strictly between 0 and 1", using=[shape.claim("h-range")]),
    )
    yield from (bounded, positive)
    yield claim(
        "mroueh_2025.product-bound.cosh-positive",
        "The product is positive, and at most its bound for all success probabilities above one half and up to the "
        "reference",
        both(gt(together, 0), le(together, product_bound)),
        given=[above_half],
        using=[bounded, positive],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"0 < \frac{1}{4\cosh^2\left(\frac{a(p_{\mathrm{ref}})+\frac{1}{\beta}b(p)}{2}\right)} \le "
            r"p_{\mathrm{ref}}(1 - p_{\mathrm{ref}})"
            r"\frac{1}{\cosh^2\left(\frac{1}{2\beta}\frac{1}{\sqrt{\frac{1}{4} + \varepsilon}}\right)}",
            both(gt(together, 0), le(together, product_bound)),
            given=(above_half,),
        ),
    )
    yield claim(
        "mroueh_2025.a-and-b.positive",
        "For a reference above one half $a(p_{\\mathrm{ref}})$ and $b(p)$, of $z = a + b/\\beta$, are positive",
        both(gt(a(p_ref), 0), gt(b(p), 0)),
        given=[gt(p_ref, half)],
        using=[lemmas.claim("lemma-4.sign"), second_part],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"a(p_{\mathrm{ref}}) > 0 \text{ and } \beta(p) > 0",
            both(gt(a(p_ref), 0), eq(beta, b(p))),
            given=(gt(p_ref, half),),
            notation=r"$\beta$ is a number and takes no argument",
            instead=r"$b(p) > 0$; the letter $\beta$ is the weight of the penalty and takes no argument.",
            compare_with_pdf=True,
        ),
    )


printed = Result("The product bounded with hyperbolic cosines", paper, derivation)
