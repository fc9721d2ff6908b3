r"""Two lemmas on the logistic function and the hyperbolic cosine (Appendix B, Lemmas 3 and 4).

Both lemmas are true, and both hold more widely than stated. The inequality of Lemma 3 (2), printed for
$z, a > 0$, holds exactly where $z a \ge 0$; Lemma 4's formula holds on both sides of $\frac12$. Three lines of
their proofs are false as printed, a sign and a missing reciprocal in that of Lemma 3 and a middle term in that
of Lemma 4; none of them enters the results. The proof of Theorem 3 cites these lemmas under other numbers:
Lemma 2 (1), 2 (2) and 3 (2) there mean Lemma 3 (1), 3 (2) and 4.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.success_map import p_ref
from derivations.mroueh_2025.success_map_shape import half, sigmoid
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    claim,
    cosh,
    derive,
    eq,
    exp,
    ge,
    gt,
    iff,
    le,
    log,
    real,
    sinh,
    sqrt,
)

z = real("z", "(-oo, oo)", "an argument of the logistic function")
a = real("a", "(-oo, oo)", "a shift of the argument")


def sigmoid_product(at: Expression) -> Expression:
    """The logistic function times its complement, which is also its slope."""
    return sigmoid(at) * (1 - sigmoid(at))


def log_odds() -> Expression:
    """The number a(p_ref) of Lemma 4."""
    return -log((1 - p_ref) / p_ref)


def derivation() -> Iterator[Claim]:
    """Lemma 3, then Lemma 4."""
    yield from product_and_cosh()
    yield from shifted_product()
    yield from log_odds_and_cosh()


def product_and_cosh() -> Iterator[Claim]:
    """Lemma 3 (1) and the lines of its proof."""
    yield claim(
        "mroueh_2025.lemma-3.1.product",
        "The product of the logistic function and its complement",
        eq(sigmoid_product(z), exp(-z) / (1 + exp(-z)) ** 2),
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (1)",
            r"\sigma(z)(1-\sigma(z)) = \frac{e^{-z}}{(1-e^{-z})^2}",
            eq(sigmoid_product(z), exp(-z) / (1 - exp(-z)) ** 2),
            severity="slip in an intermediate line",
            instead=r"$\sigma(z)(1-\sigma(z)) = e^{-z}/(1+e^{-z})^2$; the printed one has no value at $z = 0$.",
            compare_with_pdf=True,
        ),
    )
    yield claim(
        "mroueh_2025.lemma-3.1.cosh",
        "The square of the hyperbolic cosine",
        derivation=derive(cosh(z) ** 2, "square of the hyperbolic cosine")
        .eq((1 + exp(-2 * z)) ** 2 * exp(2 * z) / 4, "definition, with $e^{2z}$ factored out")
        .eq(1 / (4 * sigmoid_product(2 * z)), "product of the logistic function and its complement"),
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (1)",
            r"\cosh^2(x) = \frac{1}{4}\sigma(2z)(1-\sigma(2z))",
            eq(cosh(z) ** 2, sigmoid_product(2 * z) / 4),
            severity="slip in an intermediate line",
            instead=r"The reciprocal, $\cosh^2(x) = 1/\big(4\sigma(2x)(1-\sigma(2x))\big)$.",
            compare_with_pdf=True,
        ),
    )
    product = derive(sigmoid_product(z), "definition of $\\sigma$").eq(
        1 / (4 * cosh(z / 2) ** 2), "multiply numerator and denominator by $e^z$"
    )
    yield claim(
        "mroueh_2025.lemma-3.1",
        "The product in terms of the hyperbolic cosine",
        derivation=product,
        equation="Lemma 3 (1)",
        printed=paper.quote(
            "Lemma 3 (1)",
            r"\sigma(z)(1-\sigma(z)) = \frac{1}{4\cosh^2(z/2)}",
            eq(sigmoid_product(z), product.expression),
        ),
    )


def shifted_product() -> Iterator[Claim]:
    """Lemma 3 (2), and where exactly it holds."""
    together, apart = cosh((z + a) / 2), cosh(z / 2) * cosh(a / 2)
    bound = 1 / (4 * cosh(z / 2) ** 2 * cosh(a / 2) ** 2)
    addition = claim(
        "mroueh_2025.lemma-3.2.addition",
        "Addition theorem of the hyperbolic cosine",
        eq(together, apart + sinh(z / 2) * sinh(a / 2)),
    )
    yield addition
    where = (
        derive(ge(bound, sigmoid_product(z + a)), "inequality of Lemma 3 (2)")
        .iff(le(apart, together), "take reciprocals and roots of positive numbers")
        .iff(ge(sinh(z / 2) * sinh(a / 2), 0), "addition theorem", using=[addition])
        .iff(ge(z * a, 0), "the hyperbolic sine has the sign of its argument")
    )
    yield claim(
        "mroueh_2025.lemma-3.2",
        "The product at a shifted argument: the bound holds exactly where shift and argument do not oppose",
        derivation=where,
        equation="Lemma 3 (2)",
        printed=paper.quote(
            "Lemma 3 (2)",
            r"\sigma(z+a)(1-\sigma(z+a)) \le \frac{1}{4\cosh^2(z/2)\cosh^2(a/2)}",
            ge(bound, sigmoid_product(z + a)),
            given=(gt(z, 0), gt(a, 0)),
        ),
    )


def log_odds_and_cosh() -> Iterator[Claim]:
    """Lemma 4 and the line of its proof that is wrong."""
    odds = p_ref / (1 - p_ref)
    yield claim(
        "mroueh_2025.lemma-4.sign",
        "The log-odds are positive exactly above one half",
        iff(gt(log_odds(), 0), gt(p_ref, half)),
        equation="Lemma 4",
    )
    yield claim(
        "mroueh_2025.lemma-4.cosh",
        "Hyperbolic cosine of half the log-odds",
        eq(cosh(log_odds() / 2), (sqrt(odds) + sqrt(1 / odds)) / 2),
        printed=paper.quote(
            "Appendix B, proof of Lemma 4",
            r"\cosh(x) = \frac{1}{4}\Big(\frac{(1-p_{\mathrm{ref}})^2}{p_{\mathrm{ref}}^2}"
            r" + \frac{p_{\mathrm{ref}}^2}{(1-p_{\mathrm{ref}})^2} + 2\Big)",
            eq(cosh(log_odds() / 2), ((1 - p_ref) ** 2 / p_ref**2 + p_ref**2 / (1 - p_ref) ** 2 + 2) / 4),
            severity="slip in an intermediate line",
            instead="The term that follows it there, half the sum of the two roots; the printed one is "
            r"$\cosh^2(2x)$.",
        ),
    )
    square = (
        derive(cosh(log_odds() / 2) ** 2, "definition of $a(p_{\\mathrm{ref}})$")
        .eq((odds + 1 / odds + 2) / 4, "square the sum of the two roots")
        .eq(1 / (4 * p_ref * (1 - p_ref)), "common denominator")
    )
    yield claim(
        "mroueh_2025.lemma-4",
        "Squared, also at and below one half",
        derivation=square,
        equation="Lemma 4",
        printed=paper.quote(
            "Lemma 4",
            r"\cosh^2\left(\frac{a(p_{\mathrm{ref}})}{2}\right) = \frac{1}{4 p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}",
            eq(cosh(log_odds() / 2) ** 2, square.expression),
            given=(gt(p_ref, half),),
        ),
    )


lemmas = Result("Two lemmas on the logistic function", paper, derivation)
