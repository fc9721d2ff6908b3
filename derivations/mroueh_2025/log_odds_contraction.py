r"""In log-odds the iteration is a contraction, for every weight above the critical one (`log-odds.contraction`).

Theorem 4 gives convergence from a starting point that is close enough to an attracting fixed point, and does not say
how close. Written for the log-odds $y = \log\frac{p}{1-p}$ the recursion is $H(y) =
\log\frac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}} + B(\sigma(y))$ (`log-odds.step`), and its slope is $S(\sigma(y))/\beta$
(`log-odds.slope`): the formula of Lemma 1 holds everywhere and not just at fixed points. Hence for $\beta > \beta_c$
one step multiplies the distance of the log-odds of any two success probabilities strictly between 0 and 1 by at most
$\beta_c/\beta$ (`log-odds.contraction`). So there is one fixed point (`log-odds.one-fixed-point`), no cycle of
two (`log-odds.no-two-cycle`), and from *every* start strictly between 0 and 1, for *every* reference, $|y_n - y^*| \le
(\beta_c/\beta)^n |y_0 - y^*|$ (`log-odds.contraction`), where $y_n$ and $y^*$ are the log-odds of $p_n$ and of the
fixed point.

No smaller factor serves all pairs: it is the slope of $H$ at one point (`log-odds.rate-attained`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S, bound_of_lead, critical, critical_lead, critical_weight
from derivations.mroueh_2025.functions import (
    A,
    B,
    beta,
    epsilon,
    h,
    p,
    p_ref,
    sigma,
    sigmoid_product,
    slope_of_z,
    stability_bound,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Gap,
    Result,
    Substitution,
    absolute,
    both,
    claim,
    converges,
    define,
    derive,
    eq,
    exp,
    gt,
    increasing,
    log,
    lt,
    ne,
    rational,
    real,
)
from grpo_symbolic.language.expression import substitute

y = real("y", "(-oo, oo)", "log-odds of the old policy's success")
y_2 = real("y_2", "(-oo, oo)", "other log-odds", latex="y'")
rate = real("L", "(0, oo)", "a number above $\\beta_c/\\beta$")

between = real("between", "[117/50000, 1/250]", "success probability from 0.00234 to 0.004", latex="p")
#: The weight, the reference and the smoothing of the divergent example of Figure 5.
papers_example = {beta: rational(5), p_ref: rational(1, 1000), epsilon: rational(1, 100_000)}

#: One step of the iteration, for log-odds.
H = define("H", (y,), -log(A()) + B(sigma(y)))


def derivation() -> Iterator[Claim]:
    """The recursion in log-odds, its slope, and the contraction."""
    step = claim(
        "mroueh_2025.log-odds.step",
        "The log-odds of the next success probability",
        derivation=derive(log(h(sigma(y)) / (1 - h(sigma(y)))), "log-odds after a step")
        .eq(log(1 / (A() * exp(-B(sigma(y))))), "definition of $h$: $(1-h)/h = Ae^{-B}$")
        .eq(-(log(A()) - B(sigma(y))), "logarithm of a product, and of a reciprocal")
        .eq(H(y), "definition of $H$"),
        equation="Theorem 2, Eq. (8)",
    )
    yield step
    slope = claim(
        "mroueh_2025.log-odds.slope",
        "Their slope is the bound of Lemma 1, with its sign, over $\\beta$",
        derivation=derive(Derivative(H(y), y), "definition of $H$")
        .eq(slope_of_z(sigma(y)) * Derivative(sigma(y), y), "chain rule: $H(y) = z(\\sigma(y))$")
        .eq(slope_of_z(sigma(y)) * sigmoid_product(y), "$\\sigma' = \\sigma(1-\\sigma)$")
        .eq(S(sigma(y)) / beta, "definition of $S$"),
    )
    yield slope
    largest, signed = (
        critical_weight.claim(name).at({p: sigma(y)}) for name in ("critical-weight", "critical-weight.signed")
    )
    bounded = claim(
        "mroueh_2025.log-odds.slope-bound",
        "So it is at most $\\beta_c/\\beta$ in absolute value",
        derivation=derive(absolute(Derivative(H(y), y)), "slope of a step")
        .eq(absolute(S(sigma(y)) / beta), "the slope is explicit", using=[slope])
        .eq(stability_bound(sigma(y)) / beta, "bound of Lemma 1", using=[signed])
        .le(critical / beta, "the critical weight", using=[largest]),
        using=[slope, largest, signed],
    )
    yield bounded
    steeper = gt(rate, critical / beta)
    line_less_step = claim(
        "mroueh_2025.log-odds.less-than-rate.slope",
        "The slope of a line of any larger slope less a step is positive",
        derivation=derive(Derivative(rate * y - H(y), y), "line less a step", given=[steeper])
        .eq(rate - Derivative(H(y), y), "differentiate")
        .ge(rate - critical / beta, "bound of the slope", using=[bounded])
        .gt(0, "hypothesis"),
    )
    line_and_step = claim(
        "mroueh_2025.log-odds.more-than-minus-rate.slope",
        "The slope of this line plus a step as well",
        derivation=derive(Derivative(rate * y + H(y), y), "line plus a step", given=[steeper])
        .eq(rate + Derivative(H(y), y), "differentiate")
        .ge(rate - critical / beta, "bound of the slope", using=[bounded])
        .gt(0, "hypothesis"),
    )
    yield from (line_less_step, line_and_step)
    falls = claim(
        "mroueh_2025.log-odds.less-than-rate",
        "Less steep than a line of any larger slope",
        increasing(rate * y - H(y), y),
        given=[steeper],
        using=[line_less_step],
    )
    rises = claim(
        "mroueh_2025.log-odds.more-than-minus-rate",
        "And than the line falling as fast",
        increasing(rate * y + H(y), y),
        given=[steeper],
        using=[line_and_step],
    )
    yield falls
    yield rises
    closer = claim(
        "mroueh_2025.log-odds.contraction",
        "One step multiplies the distance of two log-odds of success by less than any number above $\\beta_c/\\beta$",
        both(lt(H(y_2) - H(y), rate * (y_2 - y)), gt(H(y_2) - H(y), -(rate * (y_2 - y)))),
        given=[lt(y, y_2), steeper],
        using=[falls.between(y, y_2), rises.between(y, y_2)],
        equation="Abstract",
        printed=paper.quote(
            "Abstract",
            r"\text{a recurrence that converges to a fixed point}",
            gt(substitute(h(h(between)), papers_example), between),
            another_reading=True,
            fails_at={between: rational(1, 250)},
            instead="Read with the mild assumptions that the introduction adds the sentence holds, of starts near an "
            r"attracting fixed point (Theorem 4) or of weights above $\beta_c$. Read of every weight and reference it "
            r"fails: for $\beta = 5$ and $p_{\mathrm{ref}} = 0.001$, which the paper itself calls divergent, two "
            r"steps lead down from every success probability between 0.00234 and 0.004. As two steps keep the order "
            "there (`trap.order`), no even iterate from the reference passes this range (`figure-5.falls`) to the "
            "fixed point above it (`figure-5.fixed-point`), and these iterates rise (`figure-5.rises`) to a point of "
            "a cycle of two (`figure-5.cycle`).",
        ),
        beyond="gives Theorem 4 from every start and for every reference, at a rate, if the weight exceeds $\\beta_c$",
        fills=[
            Gap(
                "Section 4, Theorem 4",
                "that a reference is ever close enough to its own fixed point is not shown, for no weight",
            ),
        ],
    )
    yield closer
    above = gt(beta, critical)
    rising = claim(
        "mroueh_2025.log-odds.difference-slope",
        "Above the critical weight $y - H(y)$ has a positive slope",
        derivation=derive(Derivative(y - H(y), y), "slope of $y - H(y)$", given=[above])
        .eq(1 - Derivative(H(y), y), "differentiate")
        .ge(1 - critical / beta, "the largest slope", using=[bounded])
        .gt(0, "hypothesis"),
    )
    yield rising
    apart = claim(
        "mroueh_2025.log-odds.difference-increases",
        "Above the critical weight $y - H(y)$ increases",
        increasing(y - H(y), y),
        given=[above],
        using=[rising],
    )
    yield apart
    together = claim(
        "mroueh_2025.log-odds.sum-increases",
        "Above the critical weight $y + H(y)$ increases as well",
        increasing(y + H(y), y),
        given=[above],
        using=[bounded],
    )
    yield together
    yield from one_fixed_point(step, apart, together)
    yield claim(
        "mroueh_2025.log-odds.no-two-cycle",
        "So a step up is never undone by the next one: there is no cycle of two",
        derivation=derive(
            H(y_2) - y, "from $y$ up to $y'$, then one more step", given=[lt(y, y_2), above, eq(H(y), y_2)]
        )
        .gt(H(y) - y_2, "$y + H(y)$ increases", using=[together.between(y, y_2)])
        .eq(0, "hypothesis"),
    )
    best = log((1 + critical_lead) / (1 - critical_lead))
    yield claim(
        "mroueh_2025.log-odds.rate-attained",
        "No factor below $\\beta_c/\\beta$ serves all pairs: it is the slope of $H$ at one success probability",
        derivation=derive(Substitution(Derivative(H(y), y), y, best), "slope at the critical lead")
        .eq(Substitution(S(p), p, (1 + critical_lead) / 2) / beta, "the slope is $S(\\sigma(y))/\\beta$")
        .eq(bound_of_lead(critical_lead) / beta, "in terms of the lead, which is positive")
        .eq(critical / beta, "its value", using=[critical_weight.claim("critical-weight.value")]),
    )


def one_fixed_point(step: Claim, apart: Claim, together: Claim) -> Iterator[Claim]:
    """Two fixed points of the success map are the same, and iterates converge to it from everywhere."""
    own = claim(
        "mroueh_2025.log-odds.inverse",
        "The log-odds of the logistic function",
        derivation=derive(log(sigma(y) / (1 - sigma(y))), "log-odds of the logistic function")
        .eq(log(1 / exp(-y)), "definition of $\\sigma$: $(1-\\sigma)/\\sigma = e^{-y}$")
        .eq(y, "logarithm of an exponential"),
    )
    fixed, fixed_2 = eq(h(sigma(y)), sigma(y)), eq(h(sigma(y_2)), sigma(y_2))
    kept = claim(
        "mroueh_2025.log-odds.fixed-point",
        "A step keeps the log-odds of a fixed point",
        derivation=derive(H(y), "a step in log-odds", given=[fixed])
        .eq(log(h(sigma(y)) / (1 - h(sigma(y)))), "log-odds after a step", using=[step])
        .eq(log(sigma(y) / (1 - sigma(y))), "a fixed point")
        .eq(y, "log-odds of the logistic function", using=[own]),
    )
    yield from (own, kept)
    both_ways = [apart.between(y, y_2), apart.between(y_2, y), kept, kept.at({y: y_2})]
    yield claim(
        "mroueh_2025.log-odds.one-fixed-point",
        "Above the critical weight two fixed points of $h$ are equal, for every reference",
        derivation=derive(y, "log-odds of a fixed point", given=[gt(beta, critical), fixed, fixed_2]).eq(
            y_2, "$y - H(y)$ increases and is 0 at both", using=both_ways
        ),
        using=both_ways,
        equation="Proposition 1",
        beyond="names weights for which the fixed point is unique, whatever the reference",
    )
    nearer = claim(
        "mroueh_2025.log-odds.nearer",
        "Above the critical weight a step from other log-odds leads nearer to those of a fixed point",
        lt(absolute(H(y) - y_2), absolute(y - y_2)),
        given=[gt(beta, critical), fixed_2, ne(y, y_2)],
        using=[made.between(*ends) for made in (apart, together) for ends in ((y, y_2), (y_2, y))]
        + [kept.at({y: y_2})],
    )
    yield nearer
    yield claim(
        "mroueh_2025.log-odds.converges",
        "Above the critical weight the log-odds converge to those of the fixed point from every start",
        converges(H(y), y, y_2),
        given=[gt(beta, critical), fixed_2],
        using=[nearer, kept.at({y: y_2})],
        equation="Abstract",
        beyond="shows convergence from every start and for every reference",
    )


contraction = Result("In log-odds the iteration is a contraction", paper, derivation)
