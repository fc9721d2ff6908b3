r"""What the condition of Theorem 3 says in words: Figure 3, its caption and the sentence about it.

Nothing needs the condition (`theorem-3`), but the paper comments on it twice. The caption of Figure 3 says that it is
mostly satisfied only for high $p$ and small $\beta$; the text calls it mild, and infers that $\beta$ must not be too
small for a high reference. The truth: the condition holds for every $\beta$ if $S(p_{\mathrm{ref}}) \le
2/\sqrt{1+4\varepsilon}$ (`condition.every-weight`), as is the case up to $p_{\mathrm{ref}} = 0.947$ at the paper's
smoothing (`condition.every-weight.up-to`). For no reference does it rule out small weights: it holds for
$\beta\,S(p_{\mathrm{ref}}) \le 1/(1+4\varepsilon)$ (`condition.small-weights`), and for references above one half again
for $\beta \ge S(p_{\mathrm{ref}})$ (`theorem-3.condition-and-lemma-1`). What it rules out lies in between. So it is
mild indeed; the caption comes closer if *satisfied* is read as *violated*, but then for middling weights and not for
small ones; and the inference on small weights holds of what suffices, not of what is needed.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.functions import beta, condition_on_beta, cosh_square, epsilon, p_ref, steepness
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    both,
    claim,
    cosh,
    derive,
    eq,
    ge,
    gt,
    implies,
    increasing,
    instance,
    le,
    lt,
    rational,
    real,
    sinh,
    sqrt,
)
from grpo_symbolic.language.expression import substitute

t = real("t", "[0, oo)", "a number")
smoothing = rational(1, 100_000)
positive = real("positive", "(0, oo)", "a positive number", latex="s")
upper = real("upper", "[1/2, 947/1000]", "success probability from one half up to 0.947", latex="p")
up_to = real("up_to", "(0, 947/1000]", "success probability of at most 0.947", latex="p")


def derivation() -> Iterator[Claim]:
    """A bound on the hyperbolic cosine, and the two ranges in which it gives the condition."""
    grows = claim("mroueh_2025.condition.sinh", "From 0 on, $\\sinh t \\ge t$", ge(sinh(t), t))
    yield grows
    square = claim(
        "mroueh_2025.condition.cosh",
        "A lower bound on the square of the hyperbolic cosine",
        derivation=derive(cosh(t) ** 2, "square of the hyperbolic cosine")
        .eq(1 + sinh(t) ** 2, "$\\cosh^2 t - \\sinh^2 t = 1$")
        .ge(1 + t**2, "neither $\\sinh t$ nor $t$ is negative", using=[grows]),
    )
    yield square
    there = square.at({t: 1 / (2 * beta) * (1 / sqrt(rational(1, 4) + epsilon))})
    mean = claim(
        "mroueh_2025.condition.mean",
        "A weight and the multiple of its inverse sum to at least twice the root of this multiple",
        ge(beta + 1 / (beta * positive**2), 2 / positive),
    )
    yield mean
    yield claim(
        "mroueh_2025.condition.every-weight",
        "The condition holds for every weight if $S(p_{\\mathrm{ref}}) \\le 2/\\sqrt{1+4\\varepsilon}$",
        derivation=derive(
            beta * cosh_square, "left-hand side of the condition", given=[le(S(p_ref), 2 / sqrt(1 + 4 * epsilon))]
        )
        .ge(beta + 1 / (beta * (1 + 4 * epsilon)), "$\\cosh^2 t \\ge 1 + t^2$", using=[there])
        .ge(2 / sqrt(1 + 4 * epsilon), "$u^2 + v^2 \\ge 2uv$", using=[mean.at({positive: sqrt(1 + 4 * epsilon)})])
        .ge(steepness(), "hypothesis"),
        using=[there],
        equation="Section 4, on Figure 3",
        beyond="names references for which the condition is no restriction",
    )
    bound = 2 / sqrt(1 + 4 * epsilon)
    last = rational(947, 1000)
    at_smoothing, from_half = (Substitution(S(place), epsilon, smoothing) for place in (up_to, upper))
    steep = claim(
        "mroueh_2025.condition.every-weight.slope",
        "At the paper's smoothing $S$ has a positive slope from one half up to 0.947",
        gt(Derivative(from_half, upper), 0),
    )
    rises = claim(
        "mroueh_2025.condition.every-weight.rises", "So it rises", increasing(from_half, upper), using=[steep]
    )
    negative = claim(
        "mroueh_2025.condition.every-weight.below-half",
        "Below one half $S$ is negative",
        lt(at_smoothing, 0),
        given=[lt(up_to, rational(1, 2))],
    )
    yield from (steep, rises, negative)
    largest = claim(
        "mroueh_2025.condition.every-weight.largest",
        "At the paper's smoothing $S$ stays below this bound up to 0.947",
        derivation=derive(at_smoothing, "$S$ at the paper's smoothing")
        .le(
            Substitution(S(last), epsilon, smoothing),
            "$S$ rises up to the critical lead, which is larger",
            using=[negative, rises.between(up_to, last)],
        )
        .lt(rational(1999, 1000), "it is about 1.995")
        .lt(2 / sqrt(1 + 4 * smoothing), "it is about 1.99996"),
    )
    yield largest
    yield claim(
        "mroueh_2025.condition.every-weight.up-to",
        "At the paper's smoothing this bound on $S$ holds up to $p_{\\mathrm{ref}} = 0.947$, and not at 0.948",
        instance(both(lt(S(up_to), bound), gt(S(rational(948, 1000)), bound)), {epsilon: smoothing}),
        using=[largest],
        equation="Section 4, on Figure 3",
    )
    small = le(beta * S(p_ref), 1 / (1 + 4 * epsilon))
    yield claim(
        "mroueh_2025.condition.small-weights",
        "For every reference it holds, strictly, for all small weights",
        derivation=derive(beta * cosh_square, "left-hand side of the condition", given=[small])
        .ge(beta + 1 / (beta * (1 + 4 * epsilon)), "$\\cosh^2 t \\ge 1 + t^2$", using=[there])
        .gt(1 / (beta * (1 + 4 * epsilon)), "the weight is positive")
        .ge(steepness(), "hypothesis"),
        beyond="gives for every reference a range of small weights that satisfy the condition",
        equation="Section 4, on Figure 3",
    )
    neither = {p_ref: rational(3, 5), beta: rational(5), epsilon: smoothing}
    holds = claim(
        "mroueh_2025.condition.caption.bound",
        "For the reference 0.6 and the weight 5 the left-hand side is larger than the right-hand side",
        derivation=derive(substitute(beta * cosh_square, neither), "left-hand side of the condition, at these numbers")
        .ge(5, "the hyperbolic cosine is at least 1")
        .gt(rational(21, 100), "a smaller number")
        .gt(substitute(steepness(), neither), "it is $0.024/0.24001^{3/2}$, about 0.204"),
    )
    yield holds
    yield claim(
        "mroueh_2025.condition.caption",
        "At the paper's smoothing it holds for a reference of 0.6 and $\\beta = 5$, neither high nor small",
        instance(condition_on_beta(), neither),
        using=[holds],
        equation="Figure 3, caption",
        printed=paper.quote(
            "Figure 3, caption",
            r"\text{mostly satisified only for high } p \text{ and small } \beta",
            implies(condition_on_beta(), gt(p_ref, rational(1, 2))),
            given=(eq(epsilon, smoothing),),
            fails_at={p_ref: rational(1, 4), beta: 1, epsilon: smoothing},
            instead="Where it is violated, not satisfied, the reference is high and the weight middling. "
            "Up to a reference of one half every weight satisfies it (`condition.every-weight`), and at the paper's "
            "smoothing even up to 0.947 (`condition.every-weight.up-to`).",
            isolated=True,
        ),
    )
    high = {p_ref: rational(96, 100), beta: rational(13, 10), epsilon: smoothing}
    misses = claim(
        "mroueh_2025.condition.fails.bound",
        "For the reference 0.96 and the weight 1.3 the left-hand side is smaller than the right-hand side",
        derivation=derive(substitute(beta * cosh_square, high), "left-hand side of the condition, at these numbers")
        .lt(rational(13, 10) * cosh(rational(77, 100)) ** 2, "a larger argument, of about 0.7692 before")
        .lt(rational(23, 10), "it is about 2.235")
        .lt(substitute(steepness(), high), "it is $0.017664/0.03841^{3/2}$, about 2.347"),
    )
    yield misses
    yield claim(
        "mroueh_2025.condition.fails",
        "At the paper's smoothing it fails for a reference of 0.96 and $\\beta = 1.3$",
        instance(lt(beta * cosh_square, steepness()), high),
        using=[misses],
        equation="Section 4, on Figure 3",
    )


in_words = Result("The condition of Theorem 3 in words", paper, derivation)
