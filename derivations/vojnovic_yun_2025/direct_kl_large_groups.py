r"""Direct divergence, large groups: the function $h$ of Appendix B.2.

With the divergence $\mathrm{KL}(\pi_\theta \Vert \pi_{\mathrm{ref}})$ as the penalty, the derivative of the
objective at the old policy is $\beta h(x)$, where $x$ is the probability of the more rewarding answer
(`direct-kl.h`). Where $h$ falls and where it rises is as the paper says (`direct-kl.h-minimum`). A change of variables
makes the shape plain. Let $s = \frac12 \log\frac{x}{1-x}$ be half the log-odds of the policy and
$\ell = \frac12 \log\frac{1-r}{r}$ half the log-odds against the answer under the reference policy. Then
$h = 2(\cosh(s)/\beta - s - \ell)$: a catenary against a straight line (`direct-kl.catenary`), with its minimum where
$\sinh s = \beta$ (`direct-kl.h-minimum`, `direct-kl.h-minimum.half-log-odds`).

In the definition of $\tilde\gamma_{a,b}$ the argument of the sign is printed as a comparison, one of the two rewards as
$r(a \mid b)$; it is read as the sign of $r(a \mid q) - r(b \mid q)$.
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    advantages_in_large_groups,
    beta,
    gap,
    low,
    objective,
    reference,
    slope,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.direct_kl_groups_of_two import DIRECT, log_odds
from derivations.vojnovic_yun_2025.reward_large_groups import r_a, r_b, rewards
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Expression,
    Extremum,
    Figure,
    Gap,
    Result,
    Substitution,
    UniqueRoot,
    both,
    claim,
    cosh,
    define,
    derive,
    eq,
    exp,
    gt,
    iff,
    log,
    lt,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.grpo.definitions import Definitions, binary_penalty
from grpo_symbolic.language.expression import Definition

number = real("number", "(-oo, oo)", "a number", latex="u")
positive = real("positive", "(0, oo)", "a positive number", latex="v")
half_odds = real("s", "(-oo, oo)", "half the log-odds of answer a under the policy")
against = real("ell", "(-oo, oo)", "half the log-odds against answer a under the reference policy", latex=r"\ell")
weight_angle = real("t", "(0, oo)", "the number with hyperbolic sine beta")

spread = sqrt(x * (1 - x))
h = define("h", (x,), 1 / (beta * spread) - log_odds(x) + log_odds(reference))
lowest = (1 + sqrt(1 - 1 / (1 + beta**2))) / 2

half_odds_of_x = define("s", (x,), log_odds(x) / 2, latex=r"\bar s")(x)
half_odds_against = define("ell_of", (reference,), log((1 - reference) / reference) / 2, latex=r"\bar\ell")(reference)
coth = define("coth", (weight_angle,), cosh(weight_angle) / sinh(weight_angle), latex=r"\coth")

#: The objective for large groups as printed, that is up to a constant.
printed_objective = x / sqrt(x_old * (1 - x_old)) - beta * binary_penalty(x, x_old, reference, DIRECT)


def frozen(given: Definitions = DIRECT) -> Expression:
    """The objective for large groups; the old policy is a symbol of its own."""
    of_a, of_b = advantages_in_large_groups(low + gap, low, given)
    return objective(x * of_a + (1 - x) * of_b, given)


def derivation(given: Definitions = DIRECT) -> Iterator[Claim]:
    """Differentiate the objective, then find the shape of what comes out."""
    yield from _gradient(given)
    yield from _shape()
    yield from _half_log_odds()


def _gradient(given: Definitions) -> Iterator[Claim]:
    """From the objective to h."""
    scale = 1 / sqrt(x_old * (1 - x_old))
    divergence = binary_penalty(x, x_old, reference, DIRECT)
    yield claim(
        "vojnovic_yun_2025.direct-kl.objective",
        "The objective, with the constant that the paper does not write out",
        derivation=derive(frozen(given), "reward part minus weighted divergence")
        .eq(
            (x - x_old) * scale - beta * divergence,
            "Equation (18), answer a being the more rewarding one",
            using=[rewards.claim("eq18").at({r_a: low + gap, r_b: low})],
        )
        .eq(printed_objective - sqrt(x_old / (1 - x_old)), "split the fraction"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\mathcal{J} = \frac{\tilde\gamma_{a,b}}{\sqrt{\pi_{\theta_{\mathrm{old}}}(a \mid q)"
            r"(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))}} \pi_\theta(a \mid q)"
            r" - \beta \mathrm{KL}(\pi_\theta(a \mid q) \Vert \pi_{\mathrm{ref}}(a \mid q)) + \mathrm{const}",
            eq(Derivative(frozen(given) - printed_objective, x), 0),
        ),
        paper_uses=["weighted-penalty", "direct-kl.sign"],
    )
    gain = log_odds(x) - log_odds(reference)
    gradient = claim(
        "vojnovic_yun_2025.direct-kl.gradient",
        "Its derivative, with the old policy held fixed",
        derivation=derive(Derivative(frozen(given), x), "derivative of the objective")
        .eq(scale - beta * Derivative(divergence, x), "the reward part is linear in $x$")
        .eq(scale - beta * (log(x / reference) + 1 - log((1 - x) / (1 - reference)) - 1), "product rule")
        .eq(scale - beta * gain, "the ones cancel; logarithms of quotients"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"\frac{d\mathcal{J}}{d\pi_\theta(a \mid q)} = \frac{\tilde\gamma_{a,b}}{\sqrt{"
            r"\pi_{\theta_{\mathrm{old}}}(a \mid q)(1 - \pi_{\theta_{\mathrm{old}}}(a \mid q))}} - \beta\left("
            r"\log\frac{\pi_\theta(a \mid q)}{1 - \pi_\theta(a \mid q)}"
            r" - \log\frac{\pi_{\mathrm{ref}}(a \mid q)}{1 - \pi_{\mathrm{ref}}(a \mid q)}\right)",
            eq(Derivative(frozen(given), x), scale - beta * gain),
        ),
        paper_uses=["direct-kl.sign"],
    )
    yield gradient
    yield claim(
        "vojnovic_yun_2025.direct-kl.h",
        r"On-policy it is $\beta h$",
        derivation=derive(slope(frozen(given)), "the derivative, where the old policy is put equal to the policy")
        .eq(1 / spread - beta * gain, "put $x$ for the old policy", using=[gradient.at({x_old: x})])
        .eq(beta * h(x), r"factor out $\beta$"),
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"h(x) = \frac1\beta \frac{1}{\sqrt{x(1-x)}} - \log\left(\frac{x}{1-x}\right)"
            r" + \log\left(\frac{\pi_{\mathrm{ref}}(a \mid q)}{1 - \pi_{\mathrm{ref}}(a \mid q)}\right)",
            eq(
                slope(frozen(given)),
                beta * (1 / beta * (1 / spread) - log_odds(x) + log_odds(reference)),
            ),
        ),
    )


def _shape() -> Iterator[Claim]:
    """The slope of h, its only zero and its sign."""
    slope_of_h = (
        derive(Derivative(h(x), x), "definition of $h$")
        .eq((2 * x - 1) / (2 * beta * spread**3) - (1 / x + 1 / (1 - x)), "chain rule; the last term is constant")
        .eq((2 * x - 1) / (2 * beta * spread**3) - 1 / spread**2, "their common denominator is $x(1-x)$")
        .eq((2 * x - 1 - 2 * beta * spread) / (2 * beta * spread**3), "common denominator of the two fractions")
    )
    known = claim("vojnovic_yun_2025.direct-kl.h-prime", "The slope of $h$", derivation=slope_of_h)
    yield known
    turn = beta**2 / (1 + beta**2)
    roots = claim(
        "vojnovic_yun_2025.direct-kl.h-prime.roots",
        "What equals a positive number is positive and has its square",
        iff(eq(number, positive), both(gt(number, 0), eq(number**2, positive**2))),
    )
    yield roots
    vanishing = claim(
        "vojnovic_yun_2025.direct-kl.h-prime.at-minimum",
        "The slope of $h$ vanishes exactly at $x^*$",
        derivation=derive(eq(Derivative(h(x), x), 0), "the slope of $h$")
        .iff(eq(2 * x - 1, 2 * beta * spread), "its denominator is positive", using=[known])
        .iff(
            both(gt(2 * x - 1, 0), eq((2 * x - 1) ** 2, 4 * beta**2 * x * (1 - x))),
            "square; the right side is positive",
            using=[roots.at({number: 2 * x - 1, positive: 2 * beta * spread})],
        )
        .iff(both(gt(2 * x - 1, 0), eq((2 * x - 1) ** 2, turn)), "$4x(1-x) = 1 - (2x-1)^2$")
        .iff(eq(2 * x - 1, sqrt(1 - 1 / (1 + beta**2))), "the positive root")
        .iff(eq(x, lowest), "solve for $x$"),
    )
    yield vanishing
    signs = [
        claim(
            f"vojnovic_yun_2025.direct-kl.h-prime.{name}",
            words,
            derivation=derive(relation(Derivative(h(x), x), 0), "the slope of $h$")
            .iff(relation(2 * x - 1, 2 * beta * spread), "its denominator is positive", using=[known])
            .iff(relation(x, lowest), r"$(2x-1)/(2\sqrt{x(1-x)})$ rises, and it is $\beta$ at $x^*$"),
        )
        for relation, name, words in (
            (lt, "below-minimum", "It is negative exactly below"),
            (gt, "above-minimum", "It is positive exactly above"),
        )
    ]
    yield from signs
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-prime.zero",
        "It vanishes at exactly one point",
        UniqueRoot(x, eq(Derivative(h(x), x), 0), lowest),
        using=[vanishing],
        equation="Appendix B.2",
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-minimum",
        "$h$ decreases up to this point and increases from there",
        Extremum(h(x), x, lowest, sloped=True),
        using=signs,
        equation="Appendix B.2",
        printed=paper.quote(
            "Appendix B.2, limit of large groups",
            r"h \text{ decreases on } (0, x^*] \text{ and increases on } [x^*, 1),\ "
            r"x^* = \left(1 + \sqrt{1 - 1/(1+\beta^2)}\right)/2",
            Extremum(h(x), x, lowest, sloped=True),
        ),
    )


def _half_log_odds() -> Iterator[Claim]:
    """In half log-odds the square roots disappear, and the minimum has a closed form."""
    yield claim(
        "vojnovic_yun_2025.direct-kl.half-log-odds",
        "Half the log-odds stand for the probability",
        UniqueRoot(half_odds, eq(x, (1 + tanh(half_odds)) / 2), half_odds_of_x),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.catenary",
        "In half log-odds, $h$ is a catenary minus a straight line",
        derivation=derive(h(x), "definition of $h$")
        .eq(
            (sqrt(x / (1 - x)) + sqrt((1 - x) / x)) / beta - log_odds(x) + log_odds(reference),
            r"$1/\sqrt{x(1-x)}$ as a sum: $x + (1-x) = 1$",
        )
        .eq(
            (exp(half_odds_of_x) + exp(-half_odds_of_x)) / beta - 2 * half_odds_of_x - 2 * half_odds_against,
            "in half log-odds, of which the roots are exponentials",
        )
        .eq(
            2 * (cosh(half_odds_of_x) / beta - half_odds_of_x - half_odds_against),
            "definition of the hyperbolic cosine",
        ),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-minimum.half-log-odds",
        r"The half log-odds of $x^*$ are $t$, where $\beta = \sinh t$",
        derivation=derive(Substitution(lowest, beta, sinh(weight_angle)), r"$x^*$ at $\beta = \sinh t$")
        .eq((1 + sqrt(1 - 1 / cosh(weight_angle) ** 2)) / 2, r"$1 + \sinh^2 t = \cosh^2 t$")
        .eq((1 + tanh(weight_angle)) / 2, r"$1 - 1/\cosh^2 t = \tanh^2 t$, and $t > 0$"),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-minimum.angle",
        r"This $t$ in closed form: $t = \log(\beta + \sqrt{1+\beta^2})$",
        derivation=derive(log(sinh(weight_angle) + sqrt(1 + sinh(weight_angle) ** 2)), r"put in $\beta = \sinh t$")
        .eq(log(sinh(weight_angle) + cosh(weight_angle)), r"$1 + \sinh^2 t = \cosh^2 t$")
        .eq(log(exp(weight_angle)), r"$\sinh t + \cosh t = e^t$")
        .eq(weight_angle, "the logarithm of an exponential"),
    )
    at_minimum = Substitution(Substitution(h(x), x, lowest), beta, sinh(weight_angle))
    yield claim(
        "vojnovic_yun_2025.direct-kl.h-minimum.value",
        "The value of $h$ there",
        derivation=derive(at_minimum, r"$h$ at $x^*$, with $\beta = \sinh t$")
        .eq(
            2 * (cosh(weight_angle) / sinh(weight_angle) - weight_angle - half_odds_against),
            "the catenary, at the half log-odds $t$",
        )
        .eq(2 * (coth(weight_angle) - weight_angle - half_odds_against), "definition of the hyperbolic cotangent"),
        beyond="gives the smallest value of $h$ (`direct-kl.h-minimum`) in closed form",
        fills=[
            Gap(
                "Appendix B.2, last paragraph",
                "the sign of the least value, at a point that moves with the weight, is used and never computed",
            ),
        ],
    )


def figures() -> Iterator[Figure]:
    """The graph of h for weights with no, one and two zeros."""
    weights = (Fraction(1), Fraction(150888, 100000), Fraction(2), Fraction(4))
    labels = ("1", "1.5089", "2", "4")
    yield Figure(
        "direct-kl-h",
        r"The function $h$ at $\pi_{\mathrm{ref}}(a \mid q) = 1/2$. It has no zero for small $\beta$ "
        r"(`direct-kl.zeros.none`) and two for large $\beta$ (`direct-kl.zeros.first`, `direct-kl.zeros.second`); they "
        r"merge at $\beta = 1.50887\ldots$ (`direct-kl.threshold.half`).",
        x,
        (Fraction(1, 200), Fraction(199, 200)),
        r"$x = \pi_\theta(a \mid q)$",
        r"$h(x)$",
        curves=tuple(
            Curve(h(x), ((beta, weight), (reference, Fraction(1, 2))), rf"$\beta = {label}$")
            for weight, label in zip(weights, labels, strict=True)
        ),
        vertical_range=(Fraction(-4), Fraction(8)),
    )


def names() -> Iterator[Definition]:
    """The objective for large groups."""
    yield define("J_direct", (), frozen(DIRECT), latex=r"J_{\mathrm{KL}}")


large_groups = Result("Direct divergence, large groups: the derivative", paper, derivation, figures, shorthands=names)
