r"""The success probability after one step of GRPO (Section 3, Theorem 2).

Rewards are 0 or 1. The old policy succeeds with probability $p$, the reference policy with
$p_{\mathrm{ref}}$, and the next policy maximises the expected advantage minus $\beta$ times its divergence
from the reference. At a given success probability $x$ the divergence is smallest for a policy that is
proportional to the reference among the successes and among the failures, and there it is the divergence
between two coins. So the next success probability is found by maximising a function of $x$ alone. It is
strictly concave, and its only stationary point is $x = h(p)$ with the paper's map $h$.

Two displays do not print what the definitions give: Eq. (3) has the smoothing constant outside the root,
and one argument in Eq. (9) is 1 instead of $q$. All else agrees, for every $\varepsilon > 0$ and not only
up to 1; for $p_{\mathrm{ref}} = 1$, which Theorem 2 allows and its proof does not, the formula gives 1.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    both,
    claim,
    derive,
    eq,
    exp,
    iff,
    log,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.policy import Definitions, binary_penalty, direct_kl

p = real("p", "[0, 1]", "success probability of the old policy")
x = real("x", "(0, 1)", "success probability of the next policy")
p_ref = real("p_ref", "(0, 1)", "success probability of the reference policy", latex=r"p_{\mathrm{ref}}")
beta = real("beta", "(0, oo)", "weight of the divergence penalty", latex=r"\beta")
epsilon = real("epsilon", "(0, oo)", "smoothing constant of the advantage", latex=r"\varepsilon")
misprint = real("misprint", "[0, 1]", "success probability of the old policy at question 1", latex="p_{n-1}(1)")

#: This paper's algorithm: standardised advantages, and the divergence itself as the penalty.
KL_REGULARISED = Definitions(penalty=direct_kl)


def spread(at: Expression = p, smoothing: Expression = epsilon) -> Expression:
    """The smoothed standard deviation of the reward at success probability ``at``."""
    return sqrt(at * (1 - at) + smoothing)


def success_map(at: Expression = p, *, reference: Expression = p_ref, smoothing: Expression = epsilon) -> Expression:
    """The map h of Theorem 2, at which ``derivation`` arrives."""
    return 1 / (1 + (1 - reference) / reference * exp(-(1 / (beta * spread(at, smoothing)))))


def derivation(given: Definitions = KL_REGULARISED) -> Iterator[Claim]:
    """From the objective of one step to the map h."""
    variance = p * (1 - p) ** 2 + (1 - p) * (0 - p) ** 2
    success, failure = (given.normalise(reward - p, variance + epsilon) for reward in (1, 0))
    outside_root = sqrt(p * (1 - p)) + epsilon
    yield claim(
        "mroueh_2025.eq3",
        "Advantage of a success and of a failure: Eqs. (3) and (4)",
        both(eq(success, (1 - p) / spread()), eq(failure, -(p / spread()))),
        equation="Eqs. (3), (4)",
        printed=paper.quote(
            "Section 2.2, Eq. (3)",
            r"\frac{1-p}{\sqrt{p(1-p)}+\epsilon}, \quad -\frac{p}{\sqrt{p(1-p)}+\epsilon}",
            both(eq(success, (1 - p) / outside_root), eq(failure, -(p / outside_root))),
            severity="slip in an intermediate line",
            instead=r"The smoothing constant belongs under the root, $\sqrt{p(1-p)+\varepsilon}$, as in the "
            "definition of the advantage and in Eq. (4).",
            compare_with_pdf=True,
        ),
    )

    objective = x * success + (1 - x) * failure - beta * binary_penalty(x, p, p_ref, given)
    odds_ratio = x / (1 - x) * ((1 - p_ref) / p_ref)
    yield claim(
        "mroueh_2025.theorem-2.concave",
        "The objective is strictly concave, so a stationary point is its only maximum",
        lt(Derivative(Derivative(objective, x), x), 0),
    )
    stationary = (
        derive(eq(Derivative(objective, x), 0), "a stationary point of the objective of one step")
        .iff(
            eq(1 / spread() - beta * log(odds_ratio), 0),
            "differentiate; the advantages differ by $1/\\sqrt{p(1-p)+\\varepsilon}$",
        )
        .iff(eq(x, success_map()), "solve for the logarithm, exponentiate and solve for $x$")
    )
    yield claim(
        "mroueh_2025.theorem-2",
        "One step takes the success probability from $p$ to $h(p)$, the only stationary point",
        derivation=stationary,
        equation="Theorem 2, Eq. (8)",
        printed=paper.quote(
            "Theorem 2, Eq. (8)",
            r"p_n(q) = \frac{1}{1 + \frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}"
            r"\exp\left(-\frac{1}{\beta}\frac{1}{\sqrt{p_{n-1}(q)(1-p_{n-1}(q))+\varepsilon}}\right)}",
            iff(
                eq(Derivative(objective, x), 0),
                eq(x, 1 / (1 + (1 - p_ref) / p_ref * exp(-(1 / beta * (1 / sqrt(p * (1 - p) + epsilon)))))),
            ),
        ),
    )

    to_success, to_failure = p_ref * exp(success / beta), (1 - p_ref) * exp(failure / beta)
    step = derive(to_success / (to_success + to_failure), "success probability under Theorem 1's policy").eq(
        success_map(), "divide by the numerator; the exponents differ by $1/(\\beta\\sqrt{p(1-p)+\\varepsilon})$"
    )
    misprinted = p_ref * exp((1 - misprint) / spread() / beta)
    yield claim(
        "mroueh_2025.eq9",
        "The ratio of two exponentials is the map $h$",
        derivation=step,
        equation="Eq. (9)",
        printed=paper.quote(
            "Appendix A, proof of Theorem 2, Eq. (9)",
            r"p_{\mathrm{ref}} \exp \frac{1}{\beta} \Big(\frac{1-p_{n-1}(1)}{\sqrt{p_{n-1}(q)(1-p_{n-1}(q))"
            r"+\varepsilon}}\Big)",
            eq(to_success / (misprinted + to_failure), success_map()),
            severity="notation",
            instead="The success probability belongs to the question $q$ of the other terms, $p_{n-1}(q)$.",
            compare_with_pdf=True,
        ),
    )
    yield claim(
        "mroueh_2025.theorem-2.perfect-reference",
        "A reference that always succeeds stays perfect: $h = 1$ for $p_{\\mathrm{ref}} = 1$",
        eq(success_map(reference=rational(1)), 1),
    )


one_step = Result("The success probability after one step", paper, derivation)
