r"""The critical weight: the largest value of the bound in Lemma 1 (`critical-weight`).

Lemma 1 asks for $\beta > \mathcal{B}(p^*)$, which depends on a fixed point that nobody knows beforehand. The bound has
a maximum, and it is explicit (`critical-weight.where`, `critical-weight.value`): with $w = |2p - 1|$ the function is
$w(1-w^2)/(1+4\varepsilon-w^2)^{3/2}$, which rises up to $w^2 = (1+4\varepsilon)/(1+12\varepsilon)$ and falls from
there. So $\beta > \beta_c = \frac{1}{3\sqrt{3\varepsilon}\,(1+4\varepsilon)}$ suffices at every fixed point, whatever
the reference (`critical-weight`), and no smaller weight does for all references (`critical-weight.attained`,
`fixed-point.reference`).

At the paper's $\varepsilon = 10^{-5}$ the critical weight is 60.86 (`critical-weight.papers-smoothing`). For small
$\varepsilon$ it is attained where failure, or success, has a probability of about $2\varepsilon$, and it grows without
bound as $\varepsilon \to 0$.
"""

from collections.abc import Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import epsilon, p, stability_bound, steepness
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    Extremum,
    Figure,
    Gap,
    Result,
    Statement,
    absolute,
    both,
    claim,
    define,
    derive,
    eq,
    gt,
    instance,
    lt,
    rational,
    real,
    sqrt,
)

lead = real("w", "[0, 1]", "probability of success less that of failure, where it is not negative")
#: The bound of Lemma 1 with its sign: negative below one half.
S = define("S", (p,), steepness(p))
#: The same as a function of the lead.
bound_of_lead = define(
    "bound_of_lead",
    (lead,),
    lead * (1 - lead**2) / (1 + 4 * epsilon - lead**2) ** rational(3, 2),
    latex=r"\mathcal{B}_w",
)
critical = 1 / (3 * sqrt(3 * epsilon) * (1 + 4 * epsilon))
critical_lead = sqrt((1 + 4 * epsilon) / (1 + 12 * epsilon))


def derivation() -> Iterator[Claim]:
    """The bound as a function of the lead, its maximum, and what this says about every fixed point."""
    signed = claim(
        "mroueh_2025.critical-weight.signed",
        "The bound of Lemma 1 is the absolute value of $S(p)$",
        derivation=derive(stability_bound(p), "bound of Lemma 1")
        .eq(
            absolute(p * (1 - p) * (2 * p - 1)) / (2 * (p * (1 - p) + epsilon) ** rational(3, 2)),
            "$p(1-p)$ is not negative",
        )
        .eq(absolute(S(p)), "the denominator is positive"),
    )
    yield signed
    distance = absolute(2 * p - 1)
    share = (1 - distance**2) / 4
    of_lead = claim(
        "mroueh_2025.critical-weight.of-lead",
        "It depends on $p$ through the lead $|2p - 1|$ alone",
        derivation=derive(stability_bound(p), "bound of Lemma 1")
        .eq(
            distance * (share / (2 * (share + epsilon) ** rational(3, 2))),
            "$p(1-p) = \\frac14(1 - w^2)$ with $w = |2p - 1|$",
        )
        .eq(bound_of_lead(distance), "multiply numerator and denominator by $4^{3/2} = 8$"),
    )
    yield of_lead
    width, excess = 1 + 4 * epsilon - lead**2, 1 + 4 * epsilon - (1 + 12 * epsilon) * lead**2
    slope = Derivative(bound_of_lead(lead), lead)
    explicit = claim(
        "mroueh_2025.critical-weight.slope",
        "Its slope in the lead is explicit",
        derivation=derive(slope, "bound in terms of the lead")
        .eq(
            ((1 - 3 * lead**2) * width + 3 * lead**2 * (1 - lead**2)) / width ** rational(5, 2),
            "quotient rule, over a common denominator",
        )
        .eq(excess / width ** rational(5, 2), "collect the powers of $w$"),
    )
    signs = [
        claim(
            f"mroueh_2025.critical-weight.{name}",
            f"It {name} exactly {side} $w^2 = (1+4\\varepsilon)/(1+12\\varepsilon)$",
            derivation=derive(compare(slope, 0), "sign of the slope")
            .iff(compare(excess, 0), "the denominator is positive", using=[explicit])
            .iff(other(lead**2, (1 + 4 * epsilon) / (1 + 12 * epsilon)), "solve for $w^2$")
            .iff(other(lead, critical_lead), "take the root; neither side is negative"),
        )
        for name, side, compare, other in (("rises", "below", gt, lt), ("falls", "above", lt, gt))
    ]
    yield from (explicit, *signs)
    shape = claim(
        "mroueh_2025.critical-weight.where",
        "As a function of the lead $w$ it has its only maximum at $w^2 = (1+4\\varepsilon)/(1+12\\varepsilon)$",
        Extremum(bound_of_lead(lead), lead, critical_lead, minimum=False),
        using=signs,
        equation="Section 4, Figure 4",
    )
    yield shape
    spread = 1 + 12 * epsilon
    value = claim(
        "mroueh_2025.critical-weight.value",
        "Its value there is explicit",
        derivation=derive(bound_of_lead(critical_lead), "bound at the critical lead")
        .eq(
            critical_lead * (8 * epsilon / spread) / ((1 + 4 * epsilon) * 12 * epsilon / spread) ** rational(3, 2),
            "put in $w^2 = (1+4\\varepsilon)/(1+12\\varepsilon)$",
        )
        .eq(
            8 * epsilon / ((1 + 4 * epsilon) * (12 * epsilon) ** rational(3, 2)),
            "the powers of $1 + 12\\varepsilon$ cancel",
        )
        .eq(critical, "$(12\\varepsilon)^{3/2} = 24\\varepsilon\\sqrt{3\\varepsilon}$"),
        equation="Section 4, Figure 4",
    )
    yield value
    there = shape.at({lead: absolute(2 * p - 1)})
    bounded = claim(
        "mroueh_2025.critical-weight",
        "The critical weight bounds what Lemma 1 asks for, at every success probability",
        derivation=derive(stability_bound(p), "bound of Lemma 1")
        .eq(bound_of_lead(absolute(2 * p - 1)), "in terms of the lead", using=[of_lead])
        .le(bound_of_lead(critical_lead), "its maximum", using=[there])
        .eq(critical, "its value", using=[value]),
        equation="Remark 2, for all prompts at once",
        beyond="bounds what Lemma 1 asks of the weight before any fixed point is known, in closed form",
        fills=[
            Gap(
                "Section 4, Lemma 1",
                "the bound on the weight contains the fixed point, which depends on the weight, and that any "
                "weight satisfies it is not shown",
            ),
        ],
    )
    yield bounded
    ends = ((1 - critical_lead) / 2, (1 + critical_lead) / 2)
    yield claim(
        "mroueh_2025.critical-weight.attained",
        "It is attained at two success probabilities, one on each side of one half",
        both(*(eq(stability_bound(end), critical) for end in ends)),
        using=[value, *(of_lead.at({p: end}) for end in ends)],
    )
    yield claim(
        "mroueh_2025.critical-weight.papers-smoothing",
        "It is 60.86 for the paper's smoothing, 19.24 for ten times and 6.06 for a hundred times that",
        both(*(_critical_at(used, low) for used, low in ((10**5, 60_855), (10**4, 19_237), (10**3, 6_061)))),
        equation="Section 4, Figure 4",
    )


def _critical_at(inverse_smoothing: int, thousandths: int) -> Statement:
    """The critical weight lies between so many thousandths and the next one."""
    low, high = rational(thousandths, 1000), rational(thousandths + 1, 1000)
    return instance(both(gt(critical, low), lt(critical, high)), {epsilon: rational(1, inverse_smoothing)})


def figures() -> Iterator[Figure]:
    """The paper's Figure 4."""
    smoothings = ((Fraction(1, 100_000), "10^{-5}"), (Fraction(1, 10_000), "10^{-4}"), (Fraction(1, 1000), "10^{-3}"))
    failure = real("failure", "(0, 1)", "probability of failure at a fixed point")
    yield Figure(
        id="mroueh_2025.figure-4",
        caption=r"Figure 4: the lower bound $\mathcal{B}(p)$ that Lemma 1 sets for $\beta$ at a fixed point $p$, over "
        r"$1 - p$; by symmetry the same over $p$. The paper does not print its smoothing here; it is $10^{-5}$ in "
        r"Figures 2 and 5. The peaks are the critical weights $\beta_c = 60.86$, $19.24$ and $6.06$ "
        r"(`critical-weight.papers-smoothing`), next to $1 - p = 2\varepsilon$.",
        horizontal=failure,
        horizontal_range=(Fraction(1, 10**8), Fraction(1, 2)),
        horizontal_label="$1 - p$",
        vertical_label=r"lower bound on $\beta$",
        curves=tuple(
            Curve(stability_bound(1 - failure), ((epsilon, exact),), rf"$\varepsilon = {label}$")
            for exact, label in smoothings
        ),
        logarithmic=True,
    )


critical_weight = Result("The critical weight", paper, derivation, figures)
