r"""The excess of the success map over the diagonal (Appendix B, Lemma 2 and the first case of Theorem 3).

The printed proof of Theorem 3 studies $f(p) = h(p) - p$, whose zeros are the fixed points. It is positive at
$p_{\mathrm{ref}}$ (`lemma-2`) and falls as long as $p \le \frac12$ (`f-prime.below-half`), so for a reference of at
most one half it is positive on $[0, p_{\mathrm{ref}}]$, and all fixed points lie above (`theorem-3.low-reference`). The
argument is right.

It has four small slips. Lemma 2's first line subtracts $p_{\mathrm{ref}}$ once too often; an interval that begins at 0
is said to lie in an open one; $f(0) = 1$ is never true (`f-at-zero`), nor needed; and the case is argued for
$p_{\mathrm{ref}} < \frac12$, where it covers $p_{\mathrm{ref}} = \frac12$ as well. The proof of Lemma 2 says that the
exponential is at most 1 and goes on to a strict inequality, for which it must be smaller than 1, as it is
(`lemma-2.exponential`). In the value at one half a brace of the scanned text is left over.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.amplification import theorem
from derivations.mroueh_2025.functions import (
    B,
    beta,
    epsilon,
    f,
    h,
    half,
    p,
    p_ref,
    sigmoid_product,
    slope_of_z,
    z,
    zero,
)
from derivations.mroueh_2025.success_map_shape import shape
from grpo_symbolic import (
    Claim,
    Derivative,
    Gap,
    Result,
    both,
    claim,
    derive,
    eq,
    exp,
    ge,
    gt,
    iff,
    le,
    lt,
    rational,
    sqrt,
)

#: The slope of the excess as the first display of the proof prints it.
printed_slope = -sigmoid_product(z(p)) * ((1 - 2 * p) / (2 * beta * (p * (1 - p) + epsilon) ** rational(3, 2))) - 1


def derivation() -> Iterator[Claim]:
    """Lemma 2, the slope of the excess, and the case of a reference up to one half."""
    signs = [
        claim(
            f"mroueh_2025.fixed-points.excess.{name}",
            title,
            derivation=derive(compare(f(p), 0), "the excess")
            .iff(compare(h(p) - p, 0), "definition of $f$")
            .iff(compare(h(p), p), "add $p$"),
        )
        for name, title, compare in (
            ("zero", "The excess is 0 exactly at a fixed point", eq),
            ("positive", "It is positive exactly where a step leads upwards", gt),
        )
    ]
    yield from signs
    yield claim(
        "mroueh_2025.fixed-points.excess",
        "The zeros of the excess are the fixed points; where it is positive, a step leads upwards",
        both(iff(eq(f(p), 0), eq(h(p), p)), iff(gt(f(p), 0), gt(h(p), p))),
        using=signs,
        equation="Appendix B, proof of Theorem 3",
    )
    yield from at_the_reference()
    yield claim(
        "mroueh_2025.f-prime",
        "The slope of the excess is that of the map, less 1",
        derivation=derive(Derivative(f(p), p), "definition of $f$")
        .eq(Derivative(h(p), p) - 1, "the diagonal has the slope 1")
        .eq(h(p) * (1 - h(p)) * slope_of_z() - 1, "Proposition 1", using=[shape.claim("h-prime")]),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"f'(p) = h'_{\varepsilon}(p) - 1 = -\sigma(z(p))(1-\sigma(z(p)))"
            r"\frac{1-2p}{2\beta\left[p(1-p)+\varepsilon\right]^{3/2}} - 1",
            both(eq(Derivative(f(p), p), Derivative(h(p), p) - 1), eq(Derivative(h(p), p) - 1, printed_slope)),
        ),
    )
    yield from below_one_half()
    yield at_one_half()
    yield claim(
        "mroueh_2025.theorem-3.chain",
        "Above one half the image of the reference lies above one half as well",
        derivation=derive(h(p_ref), "the map at the reference", given=[gt(p_ref, half)])
        .gt(h(half), "the map rises above one half")
        .gt(p_ref, "every value of the map is", using=[theorem.claim("amplification.everywhere")])
        .gt(half, "hypothesis"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"h_{\varepsilon}(p_{\mathrm{ref}}) > h_{\varepsilon}\left(\tfrac{1}{2}\right) > p_{\mathrm{ref}}"
            r" > \tfrac{1}{2}, \quad f(\tfrac{1}{2}) > 0,\ f(p_{\mathrm{ref}}) > 0",
            both(
                gt(h(p_ref), h(half)),
                gt(h(half), p_ref),
                gt(p_ref, half),
                gt(f(half), 0),
                gt(f(p_ref), 0),
            ),
            given=(gt(p_ref, half),),
        ),
        using=[theorem.claim("amplification.everywhere")],
        paper_uses=["theorem-3.at-one-half"],
    )


def at_the_reference() -> Iterator[Claim]:
    """Lemma 2."""
    yield claim(
        "mroueh_2025.lemma-2.exponential",
        "The exponential is smaller than 1",
        derivation=derive(exp(-B(p_ref)), "exponential in the map at the reference")
        .lt(exp(zero), "$B > 0$, and the exponential is increasing")
        .eq(1, "exponential of 0"),
        printed=paper.quote(
            "Appendix B, proof of Lemma 2",
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon}}\right) \le 1",
            le(exp(-(1 / beta * (1 / sqrt(p_ref * (1 - p_ref) + epsilon)))), 1),
        ),
    )
    yield claim(
        "mroueh_2025.lemma-2",
        "The excess is positive at the reference",
        derivation=derive(f(p_ref), "definition of $f$")
        .gt(1 / (1 + (1 - p_ref) / p_ref) - p_ref, "the exponential is smaller than 1")
        .eq(0, "the fraction is $p_{\\mathrm{ref}}$"),
        equation="Lemma 2",
        printed=paper.quote(
            "Appendix B, proof of Lemma 2",
            r"f(p_{\mathrm{ref}}) - p_{\mathrm{ref}} = \frac{1}{1+\frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}"
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon}}\right)}"
            r" - p_{\mathrm{ref}}",
            eq(f(p_ref) - p_ref, h(p_ref) - p_ref),
            instead=r"The right-hand side is $f(p_{\mathrm{ref}})$ itself; with $h$ in place of $f$ the line holds.",
            compare_with_pdf=True,
        ),
    )


def below_one_half() -> Iterator[Claim]:
    """The first case, a reference up to one half."""
    yield claim(
        "mroueh_2025.f-prime.below-half",
        "The excess falls up to one half, that point included",
        derivation=derive(Derivative(f(p), p), "definition of $f$", given=[le(p, half)])
        .eq(h(p) * (1 - h(p)) * slope_of_z() - 1, "slope of the map", using=[shape.claim("h-prime")])
        .lt(0, "$h(1-h) > 0$ and $2p - 1 \\le 0$"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"0 < p < \tfrac{1}{2}: f'(p) < 0",
            lt(Derivative(f(p), p), 0),
            given=(gt(p, 0), lt(p, half)),
        ),
        beyond="includes the point one half",
    )
    below = claim(
        "mroueh_2025.f-prime.interval.below",
        "What lies below a reference below one half lies below one half",
        derivation=derive(p, "a success probability in the interval", given=[le(p, p_ref), lt(p_ref, half)])
        .le(p_ref, "end of the interval")
        .lt(half, "hypothesis"),
    )
    yield below
    yield claim(
        "mroueh_2025.f-prime.interval",
        "The interval up to a reference below one half lies in $[0, \\frac{1}{2})$",
        both(ge(p, 0), lt(p, half)),
        given=[le(p, p_ref), lt(p_ref, half)],
        using=[below],
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"[0, p_{\mathrm{ref}}] \subset (0, \tfrac{1}{2})",
            both(gt(p, 0), lt(p, half)),
            given=(le(p, p_ref), lt(p_ref, half)),
            instead=r"$[0, p_{\mathrm{ref}}] \subset [0, \frac{1}{2})$; as $f'(0) < 0$ as well, nothing depends on it.",
            compare_with_pdf=True,
        ),
    )
    yield claim(
        "mroueh_2025.f-at-zero",
        "The excess at certain failure is positive and smaller than 1",
        both(gt(f(zero), 0), lt(f(zero), 1)),
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            "f(0) = 1",
            eq(f(zero), 1),
            instead=r"$p_{\mathrm{ref}} < f(0) = h(0) < 1$; what the proof uses is $f(0) > 0$.",
        ),
    )
    yield claim(
        "mroueh_2025.theorem-3.low-reference",
        "Up to a reference of at most one half the excess is positive",
        derivation=derive(f(p), "definition of $f$", given=[le(p, p_ref), le(p_ref, half)])
        .gt(p_ref - p, "$h > p_{\\mathrm{ref}}$ everywhere", using=[theorem.claim("amplification.everywhere")])
        .ge(0, "hypothesis"),
        equation="Theorem 3 (1)",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"p_{\mathrm{ref}} < \tfrac{1}{2}: f > 0 \text{ on } [0, p_{\mathrm{ref}}]",
            gt(f(p), 0),
            given=(le(p, p_ref), lt(p_ref, half)),
        ),
        paper_uses=["lemma-2", "f-at-zero", "f-prime.interval"],
        fills=[
            Gap(
                "Appendix B, proof of Theorem 3",
                "a reference of one half is in neither case",
            ),
        ],
    )


def at_one_half() -> Claim:
    """The least value of the map."""
    damping = exp(-(1 / beta * (1 / sqrt(rational(1, 4) + epsilon))))
    least = 1 / (1 + (1 - p_ref) / p_ref * damping)
    outside = 1 / (1 + (1 - p_ref) / p_ref) * damping
    return claim(
        "mroueh_2025.theorem-3.at-one-half",
        "The value of the map at one half, which is above the reference",
        derivation=derive(h(half), "least value of the map")
        .eq(least, "put $p = \\frac{1}{2}$")
        .gt(p_ref, "the exponential is smaller than 1"),
        equation="Appendix B, proof of Theorem 3",
        printed=paper.quote(
            "Appendix B, proof of Theorem 3",
            r"h_{\varepsilon}\left(\tfrac{1}{2}\right) = \frac{1}{1 + \frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}}"
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{\frac{1}{4}+\varepsilon}}\right) > p_{\mathrm{ref}}",
            both(eq(h(half), outside), gt(outside, p_ref)),
            another_reading=True,
            instead="Read with the exponential inside the denominator, as in Theorem 2 and as the brace that is left "
            "over at its end suggests, the line holds. Read with the exponential beside the fraction it fails.",
            compare_with_pdf=True,
        ),
        fills=[
            Gap(
                "Appendix B, proof of Theorem 3",
                "that a fixed point is at least the least value of the map, which exceeds the reference, would "
                "end the proof for every reference and weight, and is not concluded",
            ),
        ],
    )


over_diagonal = Result("The excess of the map over the diagonal", paper, derivation)
