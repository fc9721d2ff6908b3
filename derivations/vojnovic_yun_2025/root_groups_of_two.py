r"""Binary questions, groups of two: the stationary policy is the larger root of a quadratic (Equation 14).

Two answers $a$ and $b$; $x$, $x_{\mathrm{old}}$ and $r$ are the probabilities of $a$ under the policy, the old policy
and the reference. A policy is *stationary at itself* where the derivative of the objective by $x$, with
$x_{\mathrm{old}}$ held fixed, is 0 once $x_{\mathrm{old}} = x$ is put in, that is on-policy. The margin is $m =
\mathcal{P}(a \succ b) - \mathcal{P}(b \succ a)$, called $\gamma$ where it is positive; $A_+$ and $A_-$ are the
advantages of the answer with the higher and with the lower reward in a pair (`pairs.advantage.higher`,
`pairs.advantage.lower`). In groups of two the preference $\mathcal{P}_2(o \mid \{o'\})$ is $\mathcal{P}(o \succ o') -
\mathcal{P}(o' \succ o)$ (`pairs.preference`). The reward part $\mathcal{R}_2$ weights it with the policy for $o$ and
with the old policy for $o'$, and is linear in $x$, the probability of $a$ (`eq16`). $D$ is the penalty, summed over
both answers with the weights of the old policy, as Equation (7) has it for any number of outputs (`eq7`). The objective
is $\mathcal{R}_2 - \beta D$; with Equation (16) this is $J_2(m)$ (`eq16.objective`). On-policy its slope is what
`kkt.gradient` makes of answer $a$, less what it makes of answer $b$ (`eq17.gradients`).

Differentiated at a fixed old policy, with old and new policy then set equal, the objective is stationary where a
quadratic in $x$ vanishes, unless the answers tie (`eq17.quadratic`), and for $\gamma > 0$ and references in $(0, 1)$
exactly one root is a probability (`eq14.other-root`, `eq14`). That is so for the objective as defined, before Equation
(16) is put in, as well (`eq14.as-defined`). The displays of Appendix B.1 on groups of two are confirmed for such
references except one line of the first chain (`eq16.antisymmetric`), which has $\pi_{\theta_{\mathrm{old}}}(b)$ where
$\pi_{\theta_{\mathrm{old}}}(a)$ belongs; the line after it is right again. In the paper's line $r_1$ and $r_2$ are the
rewards of the pair; here $r$ is a reference probability throughout.

The quadratic is equivalent to stationarity inside $(0, 1)$ only: at a reference of 0 or 1 it gains that end point
(`eq14.end-points`). Ties and negative margins follow in the next section; what kind of stationary point it is fills a
section of its own.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import (
    beta,
    gamma,
    gap,
    loss,
    low,
    margin,
    objective,
    reference,
    reward_in_pairs,
    slope,
    x,
    x_old,
)
from derivations.vojnovic_yun_2025.equations_by_brute_force import equation_17_beside_slope
from derivations.vojnovic_yun_2025.pairs_as_preferences import preferences
from derivations.vojnovic_yun_2025.pairs_by_brute_force import reward_beside_formula, root_beside_formula
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Gap,
    Oracle,
    Result,
    UniqueRoot,
    absolute,
    both,
    claim,
    define,
    derive,
    eq,
    gt,
    iff,
    log,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.algebra import cleared, monic, quadratic_roots, simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, group_advantage
from grpo_symbolic.language.expression import Definition

y = real("y", "[0, oo)", "any number that is not negative")
any_reference = real("any_r", "[0, 1]", "reference probability, 0 and 1 included", latex=r"\bar{r}")
squared = real("t", "(-oo, oo)", "what is squared under a root")
beside = real("s", "(0, oo)", "what stands beside a square under a root")
zero, one = rational(0), rational(1)


def quadratic(at: Expression, confidence: Expression = gamma, prior: Expression = reference) -> Expression:
    """The quadratic that follows Equation (17)."""
    return at**2 - (1 - beta / confidence) * at - beta / confidence * prior


def pairs_root(confidence: Expression = gamma, prior: Expression = reference, weight: Expression = beta) -> Expression:
    """Equation (14), at which ``derivation`` arrives."""
    ratio = weight / confidence
    return rational(1, 2) * (1 - ratio + sqrt((1 - ratio) ** 2 + 4 * ratio * prior))


def other_root() -> Expression:
    """The other root of the quadratic."""
    ratio = beta / gamma
    return rational(1, 2) * (1 - ratio - sqrt((1 - ratio) ** 2 + 4 * ratio * reference))


def other() -> Definition:
    """The name of the other root."""
    return define("x_other", (), other_root(), latex=r"\hat x")


def pairs_objective(confidence: Expression, given: Definitions) -> Expression:
    """The objective for groups of two, its reward part brought to lowest terms."""
    return objective(simplified(reward_in_pairs(confidence, given)), given)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """From the definition of the expected advantage to Equation (14)."""
    rewarded = tuple(reward_part(given))
    yield from rewarded
    conditions = tuple(first_order(given))
    yield from conditions
    known = {made.id.partition(".")[2]: made for made in (*rewarded, *conditions)}
    yield from selection(given, known["eq16.objective"], known["eq17"])


def reward_part(given: Definitions) -> Iterator[Claim]:
    """The reward part, and the chain of Appendix B.1 that leads to it."""
    defined = reward_in_pairs(margin, given)
    advantages = [preferences.claim(f"pairs.advantage.{name}") for name in ("higher", "lower")]
    reward = claim(
        "vojnovic_yun_2025.eq16",
        "The reward part for groups of two",
        derivation=derive(
            defined,
            r"definition of $\mathcal{P}_2$, with $\mathcal{P}(a \succ b) = \mathcal{P}(b \succ a) + m$; the pairs "
            "$(a, a)$ and $(b, b)$ contribute 0, as in such a pair either member wins as often as it loses, and so "
            "do mixed pairs with equal rewards (`pairs.preference`)",
        )
        .eq(
            x * (1 - x_old) * (loss + margin - loss) + (1 - x) * x_old * (loss - (loss + margin)),
            "an advantage is 1 or $-1$: a win less a loss, for each order of a mixed pair",
            using=advantages,
        )
        .eq(x * (1 - x_old) * margin - (1 - x) * x_old * margin, "the other preferences cancel")
        .eq(simplified(defined), "the products of both probabilities cancel"),
        equation="Eq. (16)",
        printed=paper.quote(
            "Appendix B.1, Eq. (16)",
            r"\gamma_{a,b}(\pi_\theta(a \mid q) - \pi_{\theta_{\mathrm{old}}}(a \mid q))",
            eq(defined, margin * (x - x_old)),
        ),
        oracle=Oracle("enumerates all pairs, beside Equation (16)", reward_beside_formula),
        paper_uses=["eq6", "eq16.antisymmetric"],
    )
    yield reward
    yield claim(
        "vojnovic_yun_2025.eq16.objective",
        "The objective for groups of two",
        derivation=derive(
            objective(defined, given), r"the reward part as defined, minus $\beta$ times the expected penalty"
        ).eq(pairs_objective(margin, given), "Equation (16)", using=[reward]),
    )
    before = x * (1 - x_old) * margin - (1 - x) * x_old * margin
    yield claim(
        "vojnovic_yun_2025.eq16.antisymmetric",
        "Both orders of a mixed pair",
        derivation=derive(
            defined,
            r"definition of $\mathcal{P}_2$, for mixed pairs: $\mathcal{P}(a \succ b) = \mathcal{P}(b \succ a) + m$",
        )
        .eq(
            x * (1 - x_old) * (loss + margin - loss) + (1 - x) * x_old * (loss - (loss + margin)),
            "an advantage is 1 or $-1$",
            using=advantages,
        )
        .eq(before, "one term for each order of the pair"),
        equation="Appendix B.1, first display",
        printed=paper.quote(
            "Appendix B.1, first display, fifth and sixth line",
            r"-\pi_{\theta}(b \mid q) \pi_{\theta_{\mathrm{old}}}(b \mid q) \mathbb{E}[\mathrm{sign}(r_1 - r_2)"
            r" \mid o_1 = a, o_2 = b, q]",
            eq(before, x * (1 - x_old) * margin - (1 - x) * (1 - x_old) * margin),
            fails_at={x: rational(1, 2), x_old: rational(1, 3), margin: 1},
            instead=r"The second term is $-\pi_{\theta}(b \mid q) \pi_{\theta_{\mathrm{old}}}(a \mid q)$ times the "
            "same factor, as in the lines before and after.",
            compare_with_pdf=True,
        ),
    )


def first_order(given: Definitions) -> Iterator[Claim]:
    """The derivative, first at a fixed old policy and then on-policy, and where it vanishes."""
    full = pairs_objective(margin, given)
    kept = x_old * (reference / x) + (1 - x_old) * ((1 - reference) / (1 - x))
    logarithms = x_old * log(x) + (1 - x_old) * log(1 - x)
    fixed = x_old * log(reference) + (1 - x_old) * log(1 - reference) + 1
    without_constant = claim(
        "vojnovic_yun_2025.eq17.objective",
        "Terms without $x$ drop out of the derivative of the objective",
        derivation=derive(Derivative(full, x), "derivative of $J_2(m)$, with the old policy held fixed")
        .eq(
            Derivative(margin * x - margin * x_old - beta * (kept + logarithms - fixed), x),
            "multiply out, and split the logarithms of quotients",
        )
        .eq(Derivative(margin * x - beta * (kept + logarithms), x), "what does not contain $x$ drops out"),
        equation="Appendix B.1, objective for groups of two",
    )
    yield without_constant
    fractions = -(x_old * reference / x**2) + (1 - x_old) * (1 - reference) / (1 - x) ** 2
    off_policy = margin - beta * (fractions + x_old / x - (1 - x_old) / (1 - x))
    steep = claim(
        "vojnovic_yun_2025.eq17.derivative",
        "Its derivative at a fixed old policy",
        derivation=derive(Derivative(full, x), "derivative of the objective, with the old policy held fixed")
        .eq(
            margin - beta * Derivative(kept, x) - beta * Derivative(logarithms, x),
            "without the constant, term by term",
            using=[without_constant],
        )
        .eq(off_policy, "differentiate the fractions and the logarithms"),
        equation="Appendix B.1, derivative for groups of two",
    )
    yield steep
    difference = beta * ((x - reference) / (x * (1 - x)))
    at_policy = claim(
        "vojnovic_yun_2025.eq17.slope",
        "The derivative where both policies agree",
        derivation=derive(slope(full), "differentiate, then put the old policy equal to the policy")
        .eq(
            margin - beta * (-(reference / x) + (1 - reference) / (1 - x) + 1 - 1),
            "put $x$ for the old policy in the derivative at a fixed old policy",
            using=[steep.at({x_old: x})],
        )
        .eq(margin - beta * ((1 - reference) * x - reference * (1 - x)) / (x * (1 - x)), "common denominator")
        .eq(margin - difference, "multiply out the numerator"),
        equation="Appendix B.1, simplified derivative for groups of two",
    )
    yield at_policy
    of_a = (1 - x) * margin - beta * (1 - reference / x)
    of_b = -(x * margin) - beta * (1 - (1 - reference) / (1 - x))
    yield claim(
        "vojnovic_yun_2025.eq17.gradients",
        r"It is $\mathcal{P}_2 - \beta(1 - \pi_{\mathrm{ref}}/\pi_\theta)$ of answer $a$, less that of answer $b$",
        derivation=derive(
            of_a - of_b,
            r"on-policy $\mathcal{P}_2(a) = (1 - x)m$ and $\mathcal{P}_2(b) = -xm$",
        )
        .eq(margin - beta * ((1 - reference) / (1 - x) - reference / x), "collect")
        .eq(margin - difference, "common denominator")
        .eq(slope(full), "the derivative where both policies agree", using=[at_policy]),
    )
    yield claim(
        "vojnovic_yun_2025.eq17",
        "Stationarity",
        derivation=derive(eq(slope(full), 0), "stationary at itself")
        .iff(eq(margin - difference, 0), "the derivative where both policies agree", using=[at_policy])
        .iff(eq(difference, margin), "move the margin"),
        equation="Eq. (17)",
        printed=paper.quote(
            "Appendix B.1, Eq. (17)",
            r"\beta \frac{\pi_{\theta}(a \mid q) - \pi_{\mathrm{ref}}(a \mid q)}"
            r"{\pi_{\theta}(a \mid q)(1 - \pi_{\theta}(a \mid q))} = \gamma_{a,b}",
            iff(eq(slope(full), 0), eq(difference, margin)),
        ),
        oracle=Oracle("the slope of the true objective over all pairs, beside Equation (17)", equation_17_beside_slope),
    )


def selection(given: Definitions, named: Claim, condition: Claim) -> Iterator[Claim]:
    """The quadratic, its solutions, and the one that is a probability."""
    for_any_margin = eq(slope(pairs_objective(margin, given)), 0)
    line = (
        derive(for_any_margin, "stationary at itself", given=[ne(margin, 0)])
        .iff(eq(beta * ((x - reference) / (x * (1 - x))), margin), "Equation (17)", using=[condition])
        .iff(eq(beta * (x - reference), margin * x * (1 - x)), "multiply by $x(1-x)$, which is not 0")
        .iff(monic(cleared(for_any_margin, x), x), "divide by the margin, which is not 0; all terms to one side")
        .iff(eq(quadratic(x, margin), 0), "collect the powers of $x$")
    )
    cleared_of_fractions = claim(
        "vojnovic_yun_2025.eq17.quadratic",
        "The quadratic equation",
        derivation=line,
        equation="Appendix B.1, quadratic equation for groups of two",
    )
    yield cleared_of_fractions
    ratio = beta / gamma
    negative = claim(
        "vojnovic_yun_2025.eq14.factors.negative",
        "The other root of the quadratic lies below 0",
        derivation=derive(other_root(), "the root with the minus sign")
        .lt((1 - ratio - absolute(1 - ratio)) / 2, "leave the term in $r$ out under the root: a square is left")
        .le(0, r"$t \leq |t|$"),
    )
    yield negative
    only = claim(
        "vojnovic_yun_2025.eq14.factors",
        "For $y \\geq 0$ the quadratic vanishes exactly at the larger root",
        derivation=derive(eq(quadratic(y), 0), "the quadratic equation")
        .iff(eq((2 * y - (1 - ratio)) ** 2, (1 - ratio) ** 2 + 4 * ratio * reference), "complete the square")
        .iff(eq((y - pairs_root()) * (y - other_root()), 0), "a difference of two squares is a product")
        .iff(eq(y, pairs_root()), r"$y \geq 0 > \hat x$: the second factor is positive", using=[negative]),
    )
    yield only
    below = claim(
        "vojnovic_yun_2025.eq14.below-one",
        "The larger root is less than 1",
        derivation=derive(pairs_root(), "Equation (14)")
        .lt(pairs_root(prior=one), "$r < 1$, under the root")
        .eq(one, r"the root is that of $(1 + \beta/\gamma)^2$"),
    )
    yield below
    nearer = 2 * reference - 1 + ratio
    more = claim(
        "vojnovic_yun_2025.eq14.root-of-more",
        "The root of a square and more exceeds what is squared, whatever its sign",
        gt(sqrt(squared**2 + beside), absolute(squared)),
    )
    yield more
    above = claim(
        "vojnovic_yun_2025.eq14.above-reference",
        "It exceeds the reference",
        derivation=derive(pairs_root(), "Equation (14)")
        .eq(
            (1 - ratio + sqrt(nearer**2 + 4 * reference * (1 - reference))) / 2,
            "under the root, multiply out and collect another square",
        )
        .gt(
            (1 - ratio + absolute(nearer)) / 2,
            "leave $4r(1-r)$ out: a square is left",
            using=[more.at({squared: nearer, beside: 4 * reference * (1 - reference)})],
        )
        .ge(reference, "$|t| \\geq t$"),
    )
    yield above
    positive = claim(
        "vojnovic_yun_2025.eq14.positive",
        "So it is positive",
        derivation=derive(pairs_root(), "Equation (14)")
        .gt(reference, "it exceeds the reference", using=[above])
        .gt(0, "$r > 0$"),
    )
    yield positive
    radical = sqrt((1 - ratio) ** 2 + 4 * ratio * reference)
    solves = claim(
        "vojnovic_yun_2025.eq14.in-quadratic",
        "The larger root solves the quadratic equation",
        derivation=derive(quadratic(pairs_root()), "the quadratic, at the larger root")
        .eq(pairs_root() * (pairs_root() - (1 - ratio)) - ratio * reference, "take out the root")
        .eq(
            rational(1, 4) * (radical + (1 - ratio)) * (radical - (1 - ratio)) - ratio * reference,
            "put in the root, in both factors",
        )
        .eq(
            rational(1, 4) * ((1 - ratio) ** 2 + 4 * ratio * reference - (1 - ratio) ** 2) - ratio * reference,
            "a difference of two squares",
        )
        .eq(0, "cancel"),
    )
    yield solves
    yield claim(
        "vojnovic_yun_2025.eq14.other-root",
        "For $\\gamma > 0$ and $r$ in $(0, 1)$ the quadratic has exactly one non-negative solution",
        UniqueRoot(y, eq(quadratic(y), 0), pairs_root()),
        using=[only, positive, solves],
        equation="Appendix B.1, after the quadratic equation",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.end-points",
        "Clearing the denominator gains an end point if the reference lies there",
        both(
            iff(eq(quadratic(zero, prior=any_reference), 0), eq(any_reference, 0)),
            iff(eq(quadratic(one, prior=any_reference), 0), eq(any_reference, 1)),
        ),
        fills=[
            Gap(
                "Appendix B.1, groups of two",
                "that the solution lies below 1, and what happens at a reference of 0 or 1, is left out",
            ),
        ],
    )
    stationary = eq(slope(pairs_objective(gamma, given)), 0)
    _, larger = quadratic_roots(cleared(stationary, x), x)
    discriminant = (gamma - beta) ** 2 + 4 * beta * gamma * reference
    yield claim(
        "vojnovic_yun_2025.eq14.form",
        "The quadratic formula gives Equation (14)",
        derivation=derive(larger, r"the quadratic formula for $\gamma x^2 - (\gamma - \beta)x - \beta r = 0$")
        .eq((gamma - beta + sqrt(discriminant)) / (2 * gamma), "collect a square under the root")
        .eq(rational(1, 2) * (1 - ratio + sqrt(discriminant / gamma**2)), r"divide by $\gamma > 0$")
        .eq(pairs_root(), r"divide by $\gamma^2$ under the root"),
    )
    solved = claim(
        "vojnovic_yun_2025.eq14.solved",
        "Stationarity, solved for the policy",
        derivation=derive(stationary, "stationary at itself")
        .iff(eq(quadratic(x), 0), "the quadratic equation", using=[cleared_of_fractions.at({margin: gamma})])
        .iff(eq(x, pairs_root()), "where $x \\geq 0$ only the larger root is left", using=[only.at({y: x})]),
    )
    yield solved
    yield claim(
        "vojnovic_yun_2025.eq14.as-defined",
        "Stationarity of the objective as defined, solved for the policy",
        derivation=derive(
            eq(slope(objective(reward_in_pairs(gamma, given), given)), 0),
            r"stationary at itself: the objective with the definition of $\mathcal{P}_2$",
        )
        .iff(stationary, "Equation (16)", using=[named.at({margin: gamma})])
        .iff(eq(x, pairs_root()), "solved for the policy", using=[solved]),
    )
    yield claim(
        "vojnovic_yun_2025.eq14",
        "The stationary policy",
        UniqueRoot(x, stationary, pairs_root()),
        using=[solved, solved.at({x: pairs_root()}), positive, below],
        equation="Eq. (14)",
        printed=paper.quote(
            "Section 2.3.1, Eq. (14)",
            r"\pi_{\theta}(a \mid q) = \frac{1}{2} \left(1 - \frac{\beta}{\gamma_{a,b}} + \sqrt{\left(1 - "
            r"\frac{\beta}{\gamma_{a,b}}\right)^2 + 4\frac{\beta}{\gamma_{a,b}}\pi_{\mathrm{ref}}(a \mid q)}\right)",
            UniqueRoot(x, stationary, pairs_root()),
        ),
        oracle=Oracle("bisects the slope of the true objective, beside Equation (14)", root_beside_formula, digits=8),
        paper_uses=["eq14.local-minimum"],
    )


def names() -> Iterator[Definition]:
    """The advantages of both answers in a mixed pair, the expected penalty, and the objective for any margin."""
    yield define("better", (), group_advantage((low + gap, low), 0), latex="A_+")
    yield define("worse", (), group_advantage((low + gap, low), 1), latex="A_-")
    yield define("D", (), binary_penalty(x, x_old, reference))
    yield other()
    yield define("J_2", (margin,), pairs_objective(margin, GRPO))


groups_of_two = Result("Binary questions, groups of two: the stationary policy", paper, derivation, shorthands=names)
