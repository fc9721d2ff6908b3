r"""Theorem 2 derived: one step takes the success probability $p$ to $h(p)$.

Rewards are 0 or 1. The old policy succeeds with probability $p$, the reference policy with $p_{\mathrm{ref}}$. Section
2.4 of the paper defines the next policy as the one that maximises the expected advantage minus $\beta$ times its
divergence from the reference. Theorem 1 solves this problem output by output; here it is solved for the success
probability alone. Theorem 1's policy is proportional to the reference among the successes and among the failures
(`tilt.successes`, `tilt.failures`). For policies of this kind, which succeed with probability $x$, the divergence is
that between two coins, and the objective is a function $J$ of $x$. It is strictly concave (`theorem-2.concave`), its
only stationary point is $x = h_{\varepsilon,p_{\mathrm{ref}}}(p)$ with the paper's map (`theorem-2`), and this is its
only maximum (`theorem-2.maximum`).

The theorem holds as printed, for every $\varepsilon > 0$ and also above 1 (`theorem-2`); for $p_{\mathrm{ref}} = 1$,
which its statement allows and its proof does not, the formula gives 1 (`theorem-2.perfect-reference`). Two displays on
the way to it do not print what the definitions give: Eq. (3) has the smoothing constant outside the root, and in Eq.
(9) one argument is 1 where the question $q$ is meant.
"""

from collections.abc import Iterator, Sequence

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.brute_force import step_beside_map
from derivations.mroueh_2025.functions import A, B, beta, epsilon, h, omega_minus, omega_plus, one, p, p_ref, zero
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Extremum,
    Gap,
    Oracle,
    Result,
    Substitution,
    both,
    claim,
    decreasing,
    define,
    derive,
    eq,
    exp,
    gt,
    iff,
    log,
    lt,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions, binary_penalty, direct_kl

x = real("x", "(0, 1)", "success probability of the next policy")
positive = real("positive", "(0, oo)", "a positive number", latex="v")
exponent = real("exponent", "(-oo, oo)", "a number", latex="u")
misprint = real("misprint", "[0, 1]", "success probability of the old policy at question 1", latex="p_{n-1}(1)")

#: This paper's algorithm: standardised advantages, and the divergence itself as the penalty.
KL_REGULARISED = Definitions(penalty=direct_kl)


def derivation(given: Definitions = KL_REGULARISED) -> Iterator[Claim]:
    """From the advantages to the map h, by maximising and by Theorem 1's policy."""
    variance = p * (1 - p) ** 2 + (1 - p) * (0 - p) ** 2 + epsilon
    values = [
        claim(
            f"mroueh_2025.eq3.{name}",
            f"The advantage of a {name} from its definition",
            derivation=derive(given.normalise(reward - p, variance), "deviation from the mean, standardised")
            .eq((reward - p) / sqrt(p * (1 - p) * (1 - p + p) + epsilon), "take $p(1-p)$ out of the variance")
            .eq((reward - p) / sqrt(p * (1 - p) + epsilon), "$1 - p + p = 1$")
            .eq(weight, "definition in Eq. (4)"),
        )
        for name, reward, weight in (("success", one, omega_plus(p)), ("failure", zero, -omega_minus(p)))
    ]
    success = define("advantage_1", (p,), given.normalise(1 - p, variance), latex="A_1")(p)
    failure = define("advantage_0", (p,), given.normalise(0 - p, variance), latex="A_0")(p)
    penalty = binary_penalty(x, p, p_ref, given)
    objective = define("J", (x,), x * success + (1 - x) * failure - beta * penalty)(x)
    yield from values
    yield advantages(success, failure, values)
    yield from maximum(objective, success, failure)
    yield policy_of_theorem_1(success, failure)
    yield claim(
        "mroueh_2025.theorem-2.perfect-reference",
        "For a reference that always succeeds the formula gives 1",
        derivation=derive(Substitution(h(p), p_ref, one), "the map at $p_{\\mathrm{ref}} = 1$")
        .eq(1 / (1 + (one - one) / one * exp(-B(p))), "put it in; the exponential does not depend on it")
        .eq(1, "its factor is 0"),
        beyond="covers a perfect reference, which the statement allows and the proof does not",
        fills=[
            Gap(
                "Appendix A, proof of Theorem 2",
                "a reference of 1 is in the statement and left out by the proof",
            ),
        ],
    )


def advantages(success: Expression, failure: Expression, values: Sequence[Claim]) -> Claim:
    """Eqs. (3) and (4)."""
    outside_root = sqrt(p * (1 - p)) + epsilon
    return claim(
        "mroueh_2025.eq3",
        "The advantages of a success and of a failure are $\\omega^+$ and $-\\omega^-$ of Eq. (4)",
        both(eq(success, omega_plus(p)), eq(failure, -omega_minus(p))),
        using=values,
        equation="Eqs. (3), (4)",
        printed=paper.quote(
            "Section 2.2, Eq. (3)",
            r"\frac{1-p}{\sqrt{p(1-p)}+\epsilon}, \quad -\frac{p}{\sqrt{p(1-p)}+\epsilon}",
            both(eq(success, (1 - p) / outside_root), eq(failure, -(p / outside_root))),
            instead=r"The smoothing constant belongs under the root, $\sqrt{p(1-p)+\varepsilon}$, as in the "
            "definition of the advantage and in Eq. (4).",
            compare_with_pdf=True,
        ),
    )


def maximum(objective: Expression, success: Expression, failure: Expression) -> Iterator[Claim]:
    """Theorem 2: the only stationary point of a strictly concave function."""
    yield claim(
        "mroueh_2025.theorem-2.concave",
        "The objective is strictly concave",
        derivation=derive(Derivative(Derivative(objective, x), x), "definition of $J$, differentiated twice")
        .eq(
            Derivative(success - failure - beta * (log(x / p_ref) - log((1 - x) / (1 - p_ref))), x),
            "differentiate; what the logarithms leave behind cancels",
        )
        .eq(-(beta * (1 / x + 1 / (1 - x))), "differentiate again; the advantages do not depend on $x$")
        .lt(0, "all factors are positive"),
    )
    slope = claim(
        "mroueh_2025.theorem-2.slope",
        "The slope of the objective compares the log-odds of $x$, less those of the reference, with $B(p)$",
        derivation=derive(Derivative(objective, x), "definition of $J$")
        .eq(
            success - failure - beta * (log(x / p_ref) - log((1 - x) / (1 - p_ref))),
            "differentiate; what the logarithms leave behind cancels",
        )
        .eq(
            beta * (B(p) - log(x / (1 - x) * A())),
            "$A_1 - A_0 = 1/\\sqrt{p(1-p)+\\varepsilon}$, which is $\\beta B(p)$",
        ),
    )
    yield slope
    falls = claim(
        "mroueh_2025.theorem-2.slope-falls",
        "It falls with the success probability",
        decreasing(beta * (B(p) - log(x / (1 - x) * A())), x),
    )
    yield falls
    taken = claim(
        "mroueh_2025.theorem-2.logarithm",
        "A logarithm has a value exactly where its argument has the exponential of it",
        iff(eq(log(positive), exponent), eq(positive, exp(exponent))),
    )
    yield taken
    step = claim(
        "mroueh_2025.theorem-2",
        "One step takes the success probability from $p$ to $h(p)$: there alone the slope vanishes",
        derivation=derive(eq(Derivative(objective, x), 0), "stationary points")
        .iff(eq(beta * (B(p) - log(x / (1 - x) * A())), 0), "slope of $J$", using=[slope])
        .iff(eq(log(x / (1 - x) * A()), B(p)), "divide by $\\beta$")
        .iff(
            eq(x / (1 - x) * A(), exp(B(p))),
            "take the exponential",
            using=[taken.at({positive: x / (1 - x) * A(), exponent: B(p)})],
        )
        .iff(eq(x, h(p)), "solve for $x$"),
        using=[slope],
        equation="Theorem 2, Eq. (8)",
        printed=paper.quote(
            "Theorem 2, Eq. (8)",
            r"p_n(q) = h_{\varepsilon,p_{\mathrm{ref}}(q)}(p_{n-1}(q)), \quad h_{\varepsilon,p_{\mathrm{ref}}}(p) ="
            r" \frac{1}{1 + \frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}"
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{p(1-p)+\varepsilon}}\right)}",
            iff(eq(Derivative(objective, x), 0), eq(x, h(p))),
        ),
        oracle=Oracle("maximising over policies on four outputs, beside $h(p)$", step_beside_map),
        paper_uses=["eq3", "eq9"],
    )
    yield step

    def pull(success: Expression) -> Expression:
        return beta * (B(p) - log(success / (1 - success) * A()))

    before = derive(Derivative(objective, x), "slope of $J$", given=[lt(x, h(p))]).eq(
        pull(x), "as above", using=[slope]
    )
    after = derive(Derivative(objective, x), "slope of $J$", given=[gt(x, h(p))]).eq(pull(x), "as above", using=[slope])
    at_h = "it vanishes at $h(p)$"
    sides = [
        claim(
            "mroueh_2025.theorem-2.before",
            "The objective rises below $h(p)$",
            derivation=before.gt(pull(h(p)), "it falls", using=[falls.between(x, h(p))]).eq(0, at_h),
        ),
        claim(
            "mroueh_2025.theorem-2.after",
            "And falls above it",
            derivation=after.lt(pull(h(p)), "it falls", using=[falls.between(h(p), x)]).eq(0, at_h),
        ),
    ]
    yield from sides
    yield claim(
        "mroueh_2025.theorem-2.maximum",
        "So $h(p)$ is the only maximum of the objective",
        Extremum(objective, x, h(p), minimum=False),
        using=sides,
        equation="Theorem 2, Eq. (8)",
    )


def policy_of_theorem_1(success: Expression, failure: Expression) -> Claim:
    """Eq. (9): the same map from the policy that Theorem 1 gives."""
    to_success, to_failure = p_ref * exp(success / beta), (1 - p_ref) * exp(failure / beta)
    weighted = p_ref * exp(omega_plus(p) / beta)
    against = (1 - p_ref) * exp(-omega_minus(p) / beta)
    misprinted = p_ref * exp(1 / beta * ((1 - misprint) / sqrt(p * (1 - p) + epsilon)))
    return claim(
        "mroueh_2025.eq9",
        "The success probability under the policy of Theorem 1 is $h(p)$ as well",
        derivation=derive(to_success / (to_success + to_failure), "tilt the reference by the advantages and normalise")
        .eq(weighted / (weighted + against), "Eq. (4)")
        .eq(h(p), "divide by the numerator; $\\omega^+ + \\omega^- = 1/\\sqrt{p(1-p)+\\varepsilon}$"),
        equation="Eq. (9)",
        printed=paper.quote(
            "Appendix A, proof of Theorem 2, Eq. (9)",
            r"p_{\mathrm{ref}} \exp \frac{1}{\beta} \Big(\frac{1-p_{n-1}(1)}{\sqrt{p_{n-1}(q)(1-p_{n-1}(q))"
            r"+\varepsilon}}\Big)",
            eq(weighted / (misprinted + against), h(p)),
            notation="the number 1 stands in the place of a question",
            instead="The success probability belongs to the question $q$ of the other terms, $p_{n-1}(q)$.",
            compare_with_pdf=True,
        ),
    )


one_step = Result("The success probability after one step", paper, derivation)
