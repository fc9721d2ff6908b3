r"""What Equation (14) says: limits, monotonicity, bounds and continuity (Section 2.3.1, groups of two).

What the paper says about Equation (14) as a formula is confirmed for references in $(0, 1)$, with explicit rates; at
a reference of 0, where the policy is 0, the lower bound fails for $\beta < \gamma$ (`eq14.lower-bound.at-zero`). Two
statements become sharper. For references in $(0, 1)$ the lower bound $\max\{1 - \beta/\gamma, r\}$ is strict and, for
$\beta < \gamma$, can be raised to $1 - (1 - r)\beta/\gamma$ (`eq14.sharper-bound`). The policy is at least $1 -
\delta$ exactly if $(1 - \delta)(\beta - \delta\gamma) \leq \beta r$ (`eq14.close-to-one.exact`); for every reference
in $(0, 1)$ the weight $\beta \leq \delta\gamma$ suffices (`eq14.close-to-one`). Whether the formula describes a
*maximiser* of the objective is another question: for a small reference it need not (`eq14.local-minimum`), see the
section on maxima.
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, loss, reference
from derivations.vojnovic_yun_2025.root_groups_of_two import groups_of_two, pairs_root, quadratic, y
from derivations.vojnovic_yun_2025.root_groups_of_two_bounds import bounds as between
from derivations.vojnovic_yun_2025.root_groups_of_two_bounds import first, jump, ratio, root, second
from derivations.vojnovic_yun_2025.shorthands import solutions
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Figure,
    Result,
    absolute,
    both,
    claim,
    decreasing,
    derive,
    eq,
    ge,
    gt,
    iff,
    increasing,
    le,
    lt,
    maximum,
    ne,
    rational,
    real,
    sqrt,
    tends_to,
)

scale = real("t", "(0, oo)", "common factor of weight and margin")
shortfall = real("delta", "(0, 1)", "how far from 1 the policy may stay", latex=r"\delta")
smaller_reference, larger_reference = (
    real(f"r_{number}", "[0, 1]", f"the {name} one of two references", latex=f"r_{number}")
    for number, name in enumerate(("smaller", "larger"), start=1)
)
rise = real("d", "[0, 1]", "difference of two references")
policy_of_a = real("pi_a", "[0, 1]", "probability of answer a under the policy", latex=r"\pi_{\theta}(a \mid q)")
prior_of_a = real("ref_a", "[0, 1]", "the same under the reference policy", latex=r"\pi_{\mathrm{ref}}(a \mid q)")
#: What the paper recalls of a reference of 0.
never_given = (eq(prior_of_a, 0), eq(policy_of_a, 0))


def derivation() -> Iterator[Claim]:
    """In the order of Section 2.3.1."""
    yield claim(
        "vojnovic_yun_2025.eq14.ratio",
        "Weight and margin may be scaled together",
        eq(pairs_root(scale * gamma, weight=scale * beta), root),
        given=[le(scale * gamma, 1)],
        equation="Section 2.3.1, after Eq. (14)",
    )
    radical, nearer = sqrt((1 - ratio) ** 2 + 4 * ratio * reference), 2 * reference - 1 + ratio
    exceeds = claim(
        "vojnovic_yun_2025.eq14.beta.root",
        "The root in Equation (14) exceeds this, because the policy exceeds the reference",
        gt(radical, nearer),
        using=[groups_of_two.claim("eq14.above-reference")],
    )
    yield exceeds
    yield claim(
        "vojnovic_yun_2025.eq14.beta", "The policy falls with the weight", decreasing(root, beta), using=[exceeds]
    )
    steep = claim(
        "vojnovic_yun_2025.eq14.gamma.slope",
        "The derivative of Equation (14) by the margin is positive",
        derivation=derive(Derivative(root, gamma), "derivative by the margin")
        .eq(ratio * (radical - nearer) / (2 * gamma * radical), "differentiate, and collect")
        .gt(0, "the root exceeds this", using=[exceeds]),
    )
    yield steep
    yield claim("vojnovic_yun_2025.eq14.gamma", "It rises with the margin", increasing(root, gamma), using=[steep])
    yield claim("vojnovic_yun_2025.eq14.reference", "It rises with the reference", increasing(root, reference))
    yield from limits()
    yield from bounds()
    yield from small_references()


def limits() -> Iterator[Claim]:
    """Without penalty, with a dominating one, with equal weight and margin, and near a tie."""
    near_one = claim(
        "vojnovic_yun_2025.eq14.no-penalty.distance",
        "A bound on the probability of the other answer",
        derivation=derive(1 - root, "1 minus Equation (14)")
        .lt(1 - (1 - ratio + ratio * reference), "its lower bound", using=[between.claim("eq14.above-sharper")])
        .eq((1 - reference) / gamma * beta, "collect"),
    )
    yield near_one
    yield claim(
        "vojnovic_yun_2025.eq14.no-penalty",
        "As the weight vanishes, all probability goes to the preferred answer",
        tends_to(root, 1, beta, to=0, side="+", constant=(1 - reference) / gamma),
        using=[groups_of_two.claim("eq14.below-one"), near_one],
        equation="Section 2.3.1, after Eq. (14)",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.strong-penalty",
        "A dominating penalty leaves the reference",
        tends_to(root, reference, beta, to=None, side="oo", constant=gamma / 4),
        using=[groups_of_two.claim("eq14.above-reference"), between.claim("eq14.distance")],
        equation="Section 2.3.1, after Eq. (14)",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.square-root",
        "With equal weight and margin the policy is the square root of the reference",
        derivation=derive(pairs_root(weight=gamma), "Equation (14), with equal weight and margin")
        .eq((1 - 1 + sqrt((1 - 1) ** 2 + 4 * reference)) / 2, "their ratio is 1")
        .eq(sqrt(4 * reference) / 2, "collect")
        .eq(sqrt(reference), "the root of 4 is 2"),
        equation="Section 2.3.1, after Eq. (14)",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.near-tie",
        "Towards a tie the policy tends to the reference",
        tends_to(root, reference, gamma, to=0, side="+", constant=1 / (4 * beta)),
        using=[groups_of_two.claim("eq14.above-reference"), between.claim("eq14.distance")],
    )
    yield claim(
        "vojnovic_yun_2025.eq14.deterministic",
        "If answer a always wins, as with a higher deterministic reward, the margin is 1",
        derivation=derive(eq(loss + gamma, 1), "answer a always wins", given=[le(loss + gamma + loss, 1)])
        .implies(both(eq(loss + gamma, 1), eq(loss, 0)), r"with the hypothesis, $\mathcal{P}(b \succ a) \leq 0$")
        .implies(eq(gamma, 1), "put it in"),
        equation="Section 2.3.1, deterministic rewards",
    )


def bounds() -> Iterator[Claim]:
    """The printed lower bound, a sharper one, and when the policy is close to 1."""
    yield claim(
        "vojnovic_yun_2025.eq14.lower-bound",
        "The printed lower bound is strict for references in $(0, 1)$",
        derivation=derive(root, "Equation (14)")
        .gt(
            maximum(1 - ratio + ratio * reference, reference),
            "it exceeds both",
            using=[between.claim("eq14.above-sharper"), groups_of_two.claim("eq14.above-reference")],
        )
        .ge(maximum(1 - ratio, reference), "leave out a positive term"),
        equation="Section 2.3.1, groups of two",
        printed=paper.quote(
            "Section 2.3.1, groups of two",
            r"\pi_{\theta}(a \mid q) \ge \max\left\{1 - \frac{\beta}{\gamma_{a,b}}, "
            r"\pi_{\mathrm{ref}}(a \mid q)\right\}",
            ge(root, maximum(1 - ratio, reference)),
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq14.lower-bound.at-zero",
        "At a reference of 0, where the policy is 0, it is below this bound for $\\beta < \\gamma$",
        derivation=derive(policy_of_a, "the policy at a reference of 0", given=[*never_given, lt(beta, gamma)])
        .eq(0, "it is 0")
        .lt(1 - ratio, r"$\beta < \gamma$")
        .le(maximum(1 - ratio, prior_of_a), "the larger of two"),
        equation="Section 2.3.1, groups of two",
        printed=paper.quote(
            "Section 2.3.1, groups of two, at a reference of 0",
            r"\pi_{\theta}(a \mid q) \ge \max\left\{1 - \frac{\beta}{\gamma_{a,b}}, "
            r"\pi_{\mathrm{ref}}(a \mid q)\right\}",
            ge(policy_of_a, maximum(1 - ratio, prior_of_a)),
            given=never_given,
            missing=(gt(prior_of_a, 0),),
            instead=r"The bound, and that the policy is close to 1 for a small weight whatever the reference, holds "
            r"for $0 < \pi_{\mathrm{ref}}(a \mid q) < 1$ (`eq14.lower-bound`). At 0 the policy is 0, as the "
            "paper recalls",
            isolated=True,
            fails_at={policy_of_a: 0, prior_of_a: 0, beta: rational(1, 2), gamma: 1},
        ),
    )
    yield claim(
        "vojnovic_yun_2025.eq14.sharper-bound",
        "A sharper lower bound, which is larger than both others for $\\beta < \\gamma$",
        both(
            gt(root, 1 - (1 - reference) * ratio),
            iff(lt(beta, gamma), gt(1 - (1 - reference) * ratio, maximum(1 - ratio, reference))),
        ),
        using=[between.claim("eq14.above-sharper")],
        beyond=r"improves the printed bound for $\beta < \gamma$ by a term in the reference",
    )
    close, side = ge(root, 1 - shortfall), between.claim("eq14.side").at({y: 1 - shortfall})
    not_positive = le(quadratic(1 - shortfall), 0)
    yield claim(
        "vojnovic_yun_2025.eq14.close-to-one.exact",
        "Exactly when the policy is close to 1",
        derivation=derive(close, r"$1 - \delta$ is at most the policy")
        .iff(not_positive, "the side of the policy on which it lies", using=[side])
        .iff(le((1 - shortfall) * (beta - shortfall * gamma), beta * reference), r"multiply by $\gamma$, collect"),
        equation="Section 2.3.1, after the lower bound",
        beyond="replaces a weight that is small enough by the exact threshold",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.close-to-one",
        "A weight that is small relative to the margin suffices, whatever the reference in $(0, 1)$",
        derivation=derive(le(beta, shortfall * gamma), "a small weight")
        .implies(not_positive, r"it is $-(1-\delta)(\delta - \beta/\gamma) - r\beta/\gamma$")
        .implies(close, "the side of the policy on which it lies", using=[side]),
        equation="Section 2.3.1, after the lower bound",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.default-weight",
        "With TRL's default weight 0.04 and different deterministic rewards Equation (14) exceeds 0.96",
        derivation=derive(pairs_root(rational(1), weight=rational(1, 25)), "Equation (14)")
        .gt(
            1 - rational(1, 25) + rational(1, 25) * reference,
            "its lower bound",
            using=[between.claim("eq14.above-sharper").at({beta: rational(1, 25), gamma: 1})],
        )
        .gt(rational(24, 25), "$r > 0$"),
        equation="Section 1.2",
    )


def small_references() -> Iterator[Claim]:
    """Continuity in the reference, and what happens where it vanishes and the policy must be 0."""
    yield claim(
        "vojnovic_yun_2025.eq14.small-reference",
        "Limit as the reference vanishes",
        tends_to(root, jump, reference, to=0, side="+", constant=sqrt(ratio), exponent=Fraction(1, 2)),
        using=[between.claim("eq14.above-limit"), between.claim("eq14.near-limit")],
        equation="Section 2.3.1, continuity in the reference",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.small-reference.rate",
        "The distance from the limit is at most of first order if weight and margin differ",
        both(le(root - jump, beta * reference / absolute(beta - gamma)), ge(root, jump)),
        given=[ne(beta, gamma)],
        beyond="adds a bound of first order on the distance from the limit",
    )
    nearer, farther = ((1 - ratio) ** 2 + 4 * ratio * prior for prior in (smaller_reference, larger_reference))
    more, apart = 4 * ratio * (larger_reference - smaller_reference), eq(rise, larger_reference - smaller_reference)
    not_negative = claim(
        "vojnovic_yun_2025.eq14.continuous.under-root",
        "What stands under the root, and by how much it differs for two references, is not negative",
        both(ge(nearer, 0), ge(more, 0)),
        given=[apart],
    )
    roots = claim(
        "vojnovic_yun_2025.eq14.continuous.roots",
        "The roots for two references",
        derivation=derive(sqrt(farther), "root for the larger reference", given=[apart])
        .eq(sqrt(nearer + more), "what stands under the root is larger by this")
        .le(
            sqrt(nearer) + sqrt(more),
            r"$\sqrt{s + t} \leq \sqrt{s} + \sqrt{t}$",
            using=[not_negative, between.claim("eq14.near-limit.roots").at({first: nearer, second: more})],
        ),
    )
    yield from (not_negative, roots)
    yield claim(
        "vojnovic_yun_2025.eq14.continuous",
        "Two policies differ by no more than this: the formula is continuous in the reference, at the ends as well",
        derivation=derive(
            pairs_root(prior=larger_reference) - pairs_root(prior=smaller_reference),
            "difference of two policies",
            given=[apart],
        )
        .le(sqrt(more) / 2, r"$\sqrt{s} - \sqrt{t} \leq \sqrt{s - t}$", using=[roots])
        .eq(sqrt(ratio * rise), "by hypothesis"),
        equation="Section 2.3.1, continuity in the reference",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.discontinuity",
        "The limit differs from the value 0 at a vanishing reference exactly for $\\beta < \\gamma$",
        derivation=derive(ne(jump, 0), "the limit is not 0")
        .iff(gt(1 - ratio, 0), "the larger of a number and 0 is 0 unless the number is positive")
        .iff(lt(beta, gamma), r"multiply by $\gamma$"),
        equation="Section 2.3.1, continuity in the reference",
    )
    yield claim(
        "vojnovic_yun_2025.eq14.large-reference",
        "Limit as the reference tends to 1",
        tends_to(root, 1, reference, to=1, side="-", constant=ratio),
    )


def figures() -> Iterator[Figure]:
    """Figure 1 of the paper, from the formula that was derived."""
    ratios = [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(10)]
    yield Figure(
        "vojnovic_yun_2025.figure-1",
        "Equation (14), the stationary policy for groups of two, against the reference, for several ratios of weight "
        "$\\beta$ and margin $\\gamma$. For $\\beta < \\gamma$ the curves do not start at 0.",
        reference,
        (Fraction(0), Fraction(1)),
        "reference $r$",
        "stationary policy $x$",
        curves=tuple(
            Curve(root, ((beta, value), (gamma, Fraction(1))), rf"$\beta/\gamma = {value}$") for value in ratios
        ),
        vertical_range=(Fraction(0), Fraction(1)),
    )


properties = Result("What Equation (14) says", paper, derivation, figures, shorthands=solutions)
