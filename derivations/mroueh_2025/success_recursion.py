r"""From Theorem 1's policy to the recursion of Theorem 2, for one prompt (`theorem-2.one-prompt`).

The success probability of the next policy is a fraction with the normaliser below. The displays of the proof in
Appendix A are followed line by line and, but for a misprint in Eq. (9) (`mroueh_2025.eq9`), they hold
(`theorem-2.fraction`, `theorem-2.simplified`). With the weights of Eq. (4) the last one is $h$ at the success
probability of the old policy (`theorem-2.one-prompt`).

Theorem 2 assumes $p_{\mathrm{ref}} > 0$ and its proof $p_{\mathrm{ref}} < 1$. Neither is needed for the fraction
of `theorem-2.fraction`: it has a value for $p_{\mathrm{ref}} = 0$ and $p_{\mathrm{ref}} = 1$ too and gives
$p_n = p_{\mathrm{ref}}$ (`theorem-2.edges`). It is the simplified form of $h$ that divides by $p_{\mathrm{ref}}$.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.brute_force import iterates_beside_map
from derivations.mroueh_2025.functions import beta, epsilon, h, omega_minus, omega_plus, p, p_ref
from derivations.mroueh_2025.normaliser import (
    Z,
    down,
    of_successes,
    outputs,
    splitting,
    success_of_reference,
    tilt,
    up,
    whole,
)
from derivations.mroueh_2025.outputs import gain, loss, policy, reference, success
from grpo_symbolic import (
    Claim,
    Oracle,
    Result,
    Substitution,
    Summed,
    Total,
    both,
    claim,
    derive,
    either,
    eq,
    exp,
    gt,
    rational,
    real,
    sqrt,
)

reference_success = real(
    "p_any", "[0, 1]", "success probability of the reference policy, 0 and 1 included", latex=r"p_{\mathrm{ref}}"
)


def derivation() -> Iterator[Claim]:
    """The success probability of the next policy, then the ends of the range of references."""
    rules = tuple(
        splitting.claim(name)
        for name in ("tilt.successes", "tilt.failures", "tilt.sum-of-successes", "tilt.sum-of-failures")
    )
    yield from success_probability(splitting.claim("normaliser"), rules)
    yield from edges()


def success_probability(normalised: Claim, rules: tuple[Claim, ...]) -> Iterator[Claim]:
    """The chain for the success probability in the proof of Theorem 2, up to Eq. (9), and Theorem 2."""
    lines = [
        Total(reference * tilt / Z() * success),
        1 / Z() * Total(reference * tilt * success),
        1 / Z() * up * of_successes,
        p_ref * up / Z(),
        p_ref * up / whole,
    ]
    explicit = claim(
        "mroueh_2025.theorem-2.fraction",
        "The success probability of the next policy",
        derivation=derive(lines[0], "success probability of the policy of Theorem 1", given=outputs)
        .eq(lines[1], "the normaliser is the same for every output")
        .eq(lines[2], "among the successes the tilt is constant", using=rules)
        .eq(lines[3], "definition of $p_{\\mathrm{ref}}$")
        .eq(lines[4], "the normaliser", using=[normalised]),
        using=[*rules, normalised],
        equation="Appendix A, proof of Theorem 2",
        printed=paper.quote(
            "Appendix A, proof of Theorem 2, five lines",
            r"p_n(q) = \mathbb{E}_{o \sim \pi_n(.|q)} \mathbf{1}_{r(q,o)=1} = \ldots = \frac{p_{\mathrm{ref}}(q)"
            r" \exp\left(\frac{1}{\beta}\omega_{\varepsilon}^{+}(p_{n-1}(q))\right)}{p_{\mathrm{ref}}(q)"
            r" \exp\left(\frac{1}{\beta}\omega_{\varepsilon}^{+}(p_{n-1}(q))\right) + (1 - p_{\mathrm{ref}}(q))"
            r" \exp\left(-\frac{1}{\beta}\omega_{\varepsilon}^{-}(p_{n-1}(q))\right)}",
            eq(lines[0], lines[-1]),
            given=outputs,
        ),
    )
    yield explicit
    weights = (eq(gain, omega_plus(p)), eq(loss, omega_minus(p)))
    yield claim(
        "mroueh_2025.theorem-2.one-prompt",
        "For one prompt a step takes the success probability from $p$ to $h(p)$, for any number of outputs",
        derivation=derive(lines[0], "definition", given=(*outputs, *weights))
        .eq(lines[4], "as above", using=[explicit])
        .eq(
            h(p),
            "put in the weights of Eq. (4) and divide by the numerator; "
            "$\\omega_\\varepsilon^+ + \\omega_\\varepsilon^- = 1/\\sqrt{p(1-p)+\\varepsilon}$",
        ),
        equation="Theorem 2, Eq. (8)",
        oracle=Oracle(
            "three steps of maximising over policies on two to six outputs, beside $h$ three times", iterates_beside_map
        ),
        paper_uses=("theorem-1.one-prompt", "eq9"),
    )
    root = sqrt(p * (1 - p) + epsilon)
    odds = (1 - p_ref) / p_ref
    forms = [
        p_ref
        * exp(omega_plus(p) / beta)
        / (p_ref * exp(omega_plus(p) / beta) + (1 - p_ref) * exp(-omega_minus(p) / beta)),
        1 / (1 + odds * exp(1 / beta * (-p / root - (1 - p) / root))),
        1 / (1 + odds * exp(-(1 / beta * (1 / root)))),
    ]
    yield claim(
        "mroueh_2025.theorem-2.simplified",
        "Both simplifications of $h$ hold",
        derivation=derive(forms[0], "Eq. (9)")
        .eq(forms[1], "divide by the numerator")
        .eq(forms[2], "$p + (1 - p) = 1$"),
        equation="Appendix A, proof of Theorem 2",
        printed=paper.quote(
            "Appendix A, end of the proof of Theorem 2",
            r"h_{\varepsilon,p_{\mathrm{ref}}}(p) = \frac{1}{1 + \frac{1 - p_{\mathrm{ref}}}{p_{\mathrm{ref}}}"
            r"\exp \frac{1}{\beta} \left(\frac{-p}{\sqrt{p(1-p)+\varepsilon}}"
            r" - \frac{1 - p}{\sqrt{p(1-p)+\varepsilon}}\right)}"
            r" = \frac{1}{1 + \frac{1 - p_{\mathrm{ref}}}{p_{\mathrm{ref}}}"
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{p(1-p)+\varepsilon}}\right)}",
            both(eq(h(p), forms[1]), eq(forms[1], forms[2])),
        ),
    )


def edges() -> Iterator[Claim]:
    """The start of the iteration, and references that never or always succeed."""
    agrees = eq(policy, reference)
    summed = claim(
        "mroueh_2025.theorem-2.start.sum",
        "Summed over the successes",
        Summed(agrees, success, eq(Total(policy * success), Total(reference * success)), rational(1)),
    )
    yield summed
    yield claim(
        "mroueh_2025.theorem-2.start",
        "The iteration starts at the success probability of the reference: that of every policy that agrees with it",
        derivation=derive(
            Total(policy * success), "success probability of a policy", given=[agrees, success_of_reference]
        )
        .eq(Total(reference * success), "it agrees with the reference at every output", using=[summed])
        .eq(p_ref, "definition of $p_{\\mathrm{ref}}$"),
        using=[summed],
        equation="Theorem 2",
        printed=paper.quote(
            "Theorem 2, and Section 2.4",
            r"\pi_0 = \pi_{\mathrm{ref}}, \quad p_0(q) = p_{\mathrm{ref}}(q)"
            r" = \mathbb{E}_{o \sim \pi_{\mathrm{ref}}(\cdot|q)} \mathbf{1}_{r(q,o)=1}",
            eq(Substitution(Total(policy * success), policy, reference), p_ref),
            given=(success_of_reference,),
        ),
    )
    fraction = reference_success * up / (reference_success * up + (1 - reference_success) * down)
    yield claim(
        "mroueh_2025.theorem-2.edges",
        "The fraction has a value for every reference, and only references that never or always succeed are left as "
        "they are, if a success has the larger advantage",
        derivation=derive(eq(fraction, reference_success), "it stays as it is", given=[gt(gain, -loss)])
        .iff(
            eq(reference_success * (1 - reference_success) * (up - down), 0),
            "multiply by the positive denominator",
        )
        .iff(either(eq(reference_success, 0), eq(reference_success, 1)), "$\\omega^+ > -\\omega^-$"),
        equation="Theorem 2",
        beyond="extends the fraction to references that never succeed",
    )


recursion = Result("The recursion for the success probability", paper, derivation)
