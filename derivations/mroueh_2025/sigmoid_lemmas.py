r"""Two lemmas on the logistic function and the hyperbolic cosine (Appendix B, Lemmas 3 and 4).

The proof of Theorem 3 needs an upper bound on $\sigma(z)(1-\sigma(z))$, the slope of the logistic function. Lemma 3
writes it as $1/(4\cosh^2(z/2))$ and bounds it at a shifted argument; Lemma 4 evaluates the hyperbolic cosine at half
the log-odds $a(p_{\mathrm{ref}})$ of the reference. The shift, which the paper calls $a$ too, is $\alpha$ here.

Both lemmas are true, and one formula of each holds more widely than stated. The inequality of Lemma 3 (2), printed for
a positive argument and a positive shift, holds exactly where $z \alpha \ge 0$ (`lemma-3.2`); Lemma 4's formula holds on
both sides of $\frac12$ (`lemma-4`). Three lines of their proofs are false as printed, a sign and a missing reciprocal
in that of Lemma 3 and a middle term in that of Lemma 4; none of them enters the results. The proof of Theorem 3 cites
these lemmas under other numbers: Lemma 2 (1), 2 (2) and 3 (2) there mean Lemma 3 (1), 3 (2) and 4.
"""

from collections.abc import Iterator
from itertools import pairwise

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import a, argument, half, p_ref, sigmoid_product
from grpo_symbolic import Claim, Result, both, claim, cosh, derive, eq, exp, ge, gt, le, log, lt, real, sinh, sqrt

shift = real("a", "(-oo, oo)", "a shift of the argument", latex=r"\alpha")


def derivation() -> Iterator[Claim]:
    """Lemma 3, then Lemma 4."""
    yield from product_and_cosh()
    yield from shifted_product()
    yield from log_odds_and_cosh()


def product_and_cosh() -> Iterator[Claim]:
    """Lemma 3 (1) and the lines of its proof."""
    product = sigmoid_product(argument)
    by_exponentials = claim(
        "mroueh_2025.lemma-3.1.product",
        "The slope of the logistic function is $e^{-z}$ over the square of its denominator",
        derivation=derive(product, "definition of $\\sigma$")
        .eq(1 / (1 + exp(-argument)) * (1 - 1 / (1 + exp(-argument))), "put it in")
        .eq(1 / (1 + exp(-argument)) * (exp(-argument) / (1 + exp(-argument))), "common denominator of the second")
        .eq(exp(-argument) / (1 + exp(-argument)) ** 2, "multiply the fractions"),
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (1)",
            r"\sigma(z)(1-\sigma(z)) = \frac{e^{-z}}{(1-e^{-z})^2}",
            eq(product, exp(-argument) / (1 - exp(-argument)) ** 2),
            instead=r"$\sigma(z)(1-\sigma(z)) = e^{-z}/(1+e^{-z})^2$; the printed one has no value at $z = 0$.",
            compare_with_pdf=True,
        ),
    )
    yield by_exponentials
    doubled = sigmoid_product(2 * argument)
    lines = [
        cosh(argument) ** 2,
        (exp(2 * argument) + exp(-2 * argument) + 2) / 4,
        exp(2 * argument) * (1 + exp(-4 * argument) + 2 * exp(-2 * argument)) / 4,
        (1 + exp(-2 * argument)) ** 2 * exp(2 * argument) / 4,
    ]
    square = claim(
        "mroueh_2025.lemma-3.1.square",
        "The square of the hyperbolic cosine in exponentials",
        derivation=derive(lines[0], "square of the hyperbolic cosine")
        .eq(((exp(argument) + exp(-argument)) / 2) ** 2, "definition of the hyperbolic cosine")
        .eq(lines[1], "multiply out: $e^z e^{-z} = 1$")
        .eq(lines[2], "take $e^{2z}$ out of the numerator")
        .eq(lines[3], "what is left is the square of $1 + e^{-2z}$"),
        equation="Appendix B, proof of Lemma 3 (1)",
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (1)",
            r"\cosh^2(x) = \tfrac{1}{4}(e^{2x} + e^{-2x} + 2) = \tfrac{1}{4}e^{2x}(1 + e^{-4x} + 2e^{-2x})"
            r" = \tfrac{1}{4}(1 + e^{-2x})^2e^{2x}",
            both(*(eq(*pair) for pair in pairwise(lines))),
        ),
    )
    yield square
    yield claim(
        "mroueh_2025.lemma-3.1.cosh",
        "The square of the hyperbolic cosine is a quarter of the reciprocal of that slope at $2z$",
        derivation=derive(cosh(argument) ** 2, "square of the hyperbolic cosine")
        .eq((1 + exp(-2 * argument)) ** 2 * exp(2 * argument) / 4, "in exponentials", using=[square])
        .eq(1 / (4 * doubled), "product of the logistic function and its complement"),
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (1)",
            r"\cosh^2(x) = \frac{1}{4}\sigma(2z)(1-\sigma(2z))",
            eq(cosh(argument) ** 2, doubled / 4),
            instead=r"The reciprocal, $\cosh^2(x) = 1/\big(4\sigma(2x)(1-\sigma(2x))\big)$.",
            compare_with_pdf=True,
        ),
    )
    by_cosh = (
        derive(product, "slope of the logistic function")
        .eq(exp(-argument) / (1 + exp(-argument)) ** 2, "in exponentials", using=[by_exponentials])
        .eq(1 / (exp(argument / 2) + exp(-argument / 2)) ** 2, "multiply numerator and denominator by $e^z$")
        .eq(1 / (4 * cosh(argument / 2) ** 2), "definition of the hyperbolic cosine")
    )
    yield claim(
        "mroueh_2025.lemma-3.1",
        "The slope of the logistic function is a quarter of $1/\\cosh^2(z/2)$",
        derivation=by_cosh,
        equation="Lemma 3 (1)",
        printed=paper.quote(
            "Lemma 3 (1)",
            r"\sigma(z)(1-\sigma(z)) = \frac{1}{4\cosh^2(z/2)}",
            eq(product, by_cosh.expression),
        ),
        paper_uses=["lemma-3.1.product", "lemma-3.1.cosh"],
    )


def shifted_product() -> Iterator[Claim]:
    """Lemma 3 (2), and where exactly it holds."""
    c_1, c_2, s_1, s_2 = cosh(argument / 2), cosh(shift / 2), sinh(argument / 2), sinh(shift / 2)
    together, apart, crossed = cosh((argument + shift) / 2), c_1 * c_2, s_1 * s_2
    bounded = ge(1 / (4 * cosh(argument / 2) ** 2 * cosh(shift / 2) ** 2), sigmoid_product(argument + shift))
    addition = claim(
        "mroueh_2025.lemma-3.2.addition",
        "The addition theorem of the hyperbolic cosine",
        derivation=derive(together, "hyperbolic cosine of a sum")
        .eq(
            (exp(argument / 2) * exp(shift / 2) + exp(-argument / 2) * exp(-shift / 2)) / 2,
            "definition, with $e^{u+v} = e^u e^v$",
        )
        .eq(
            ((c_1 + s_1) * (c_2 + s_2) + (c_1 - s_1) * (c_2 - s_2)) / 2,
            "$e^u = \\cosh u + \\sinh u$ and $e^{-u} = \\cosh u - \\sinh u$",
        )
        .eq(apart + crossed, "multiply out; the mixed products cancel"),
        equation="Appendix B, proof of Lemma 3 (2)",
        printed=paper.quote(
            "Appendix B, proof of Lemma 3 (2)",
            r"\cosh\left(\frac{z+a}{2}\right) = \cosh\left(\frac{z}{2}\right)\cosh\left(\frac{a}{2}\right)"
            r" + \sinh\left(\frac{z}{2}\right)\sinh\left(\frac{a}{2}\right)"
            r" \ge \cosh\left(\frac{z}{2}\right)\cosh\left(\frac{a}{2}\right),"
            r"\ \sinh\left(\frac{z}{2}\right) \ge 0,\ \sinh\left(\frac{a}{2}\right) \ge 0",
            both(
                eq(together, apart + crossed),
                ge(apart + crossed, apart),
                ge(sinh(argument / 2), 0),
                ge(sinh(shift / 2), 0),
            ),
            given=(gt(argument, 0), gt(shift, 0)),
        ),
    )
    yield addition
    yield claim(
        "mroueh_2025.lemma-3.2",
        "The bound at a shifted argument holds exactly where shift and argument do not oppose each other",
        derivation=derive(bounded, "inequality of Lemma 3 (2)")
        .iff(le(apart, together), "Lemma 3 (1), then reciprocals and roots of positive numbers")
        .iff(ge(crossed, 0), "addition theorem", using=[addition])
        .iff(ge(argument * shift, 0), "the hyperbolic sine has the sign of its argument"),
        equation="Lemma 3 (2)",
        printed=paper.quote(
            "Lemma 3 (2)",
            r"\sigma(z+a)(1-\sigma(z+a)) \le \frac{1}{4\cosh^2(z/2)\cosh^2(a/2)}",
            bounded,
            given=(gt(argument, 0), gt(shift, 0)),
        ),
        beyond="replaces the sufficient condition of Lemma 3 (2) by the exact one",
    )


def log_odds_and_cosh() -> Iterator[Claim]:
    """Lemma 4 and the line of its proof that is wrong."""
    odds, odds_against, log_odds = p_ref / (1 - p_ref), (1 - p_ref) / p_ref, a(p_ref)
    yield claim(
        "mroueh_2025.lemma-4.sign",
        "The log-odds of the reference are positive exactly above one half",
        derivation=derive(gt(log_odds, 0), "definition of $a(p_{\\mathrm{ref}})$")
        .iff(lt(odds_against, 1), "the logarithm is negative only below 1")
        .iff(gt(p_ref, half), "multiply by $p_{\\mathrm{ref}} > 0$"),
        equation="Lemma 4",
        printed=paper.quote(
            "Lemma 4",
            r"p_{\mathrm{ref}} > \tfrac{1}{2}:\ a(p_{\mathrm{ref}})"
            r" = -\log(\tfrac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}) > 0",
            gt(log_odds, 0),
            given=(gt(p_ref, half),),
        ),
    )
    of_root = claim(
        "mroueh_2025.lemma-4.half",
        "Half the log-odds are the logarithm of a root",
        derivation=derive(log_odds / 2, "definition of $a(p_{\\mathrm{ref}})$")
        .eq(-log(odds_against) / 2, "put it in")
        .eq(log(odds) / 2, "the logarithm of a reciprocal has the opposite sign")
        .eq(log(sqrt(odds)), "half a logarithm is that of the root"),
        equation="Appendix B, proof of Lemma 4",
        printed=paper.quote(
            "Appendix B, proof of Lemma 4",
            r"\frac{a(p_{\mathrm{ref}})}{2} = \log\left(\sqrt{\frac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}}}\right)",
            eq(log_odds / 2, log(sqrt(odds))),
        ),
    )
    yield of_root
    mean = claim(
        "mroueh_2025.lemma-4.cosh",
        "The hyperbolic cosine of half the log-odds is the mean of two roots",
        derivation=derive(cosh(log_odds / 2), "half the log-odds")
        .eq(cosh(log(sqrt(odds))), "they are the logarithm of a root", using=[of_root])
        .eq((sqrt(odds) + 1 / sqrt(odds)) / 2, "definition: $\\cosh \\log u = (u + 1/u)/2$")
        .eq((sqrt(odds) + sqrt(odds_against)) / 2, "reciprocal of a root"),
        printed=paper.quote(
            "Appendix B, proof of Lemma 4",
            r"\cosh(x) = \frac{1}{4}\Big(\frac{(1-p_{\mathrm{ref}})^2}{p_{\mathrm{ref}}^2}"
            r" + \frac{p_{\mathrm{ref}}^2}{(1-p_{\mathrm{ref}})^2} + 2\Big)",
            eq(cosh(log_odds / 2), ((1 - p_ref) ** 2 / p_ref**2 + p_ref**2 / (1 - p_ref) ** 2 + 2) / 4),
            instead="The term that follows it there, half the sum of the two roots; the printed one is "
            r"$\cosh^2(2x)$.",
        ),
    )
    lines = [
        cosh(log_odds / 2) ** 2,
        (odds + odds_against + 2) / 4,
        (p_ref**2 + (1 - p_ref) ** 2 + 2 * p_ref * (1 - p_ref)) / (p_ref * (1 - p_ref)) / 4,
        (p_ref + 1 - p_ref) ** 2 / (p_ref * (1 - p_ref)) / 4,
        1 / (4 * p_ref * (1 - p_ref)),
    ]
    yield mean
    squared = claim(
        "mroueh_2025.lemma-4.square",
        "The lines of the square in the proof",
        derivation=derive(lines[0], "square of the hyperbolic cosine")
        .eq(lines[1], "square the mean of the two roots, whose product is 1", using=[mean])
        .eq(lines[2], "common denominator")
        .eq(lines[3], "the numerator is a square")
        .eq(lines[4], "$p_{\\mathrm{ref}} + 1 - p_{\\mathrm{ref}} = 1$"),
        equation="Appendix B, proof of Lemma 4",
        printed=paper.quote(
            "Appendix B, proof of Lemma 4",
            r"\cosh^2(x) = \frac{1}{4}\left(\frac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}}"
            r" + \frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}} + 2\right)"
            r" = \ldots = \frac{1}{4p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}",
            both(*(eq(*pair) for pair in pairwise(lines))),
        ),
    )
    yield squared
    square = (
        derive(cosh(log_odds / 2) ** 2, "definition of $a(p_{\\mathrm{ref}})$")
        .eq((odds + odds_against + 2) / 4, "square the mean of the two roots", using=[mean])
        .eq(1 / (4 * p_ref * (1 - p_ref)), "common denominator")
    )
    yield claim(
        "mroueh_2025.lemma-4",
        "The square of that hyperbolic cosine is explicit, also at and below one half",
        derivation=square,
        equation="Lemma 4",
        printed=paper.quote(
            "Lemma 4",
            r"\cosh^2\left(\frac{a(p_{\mathrm{ref}})}{2}\right) = \frac{1}{4 p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}",
            eq(cosh(log_odds / 2) ** 2, square.expression),
            given=(gt(p_ref, half),),
        ),
        beyond="holds for every reference, also at and below one half",
        paper_uses=["lemma-4.cosh"],
    )


lemmas = Result("Two lemmas on the logistic function", paper, derivation)
