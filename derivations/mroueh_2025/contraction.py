r"""Contraction towards a fixed point (Theorem 6), and for many prompts at once (Remark 2).

Theorem 6, the local fixed point theorem behind Theorem 4, is stated for $f: \mathbb{R} \to \mathbb{R}$ and used for $h$
on $[0, 1]$; its argument stays the same. What it needs is a contraction towards $x^*$, not one between two points. Near
a fixed point with $|f'(x^*)| < 1$ the slope is at most some $k < 1$ (`theorem-6.factor`), within some radius if it is
continuous, and by the mean value theorem $f$ contracts there with this factor (`theorem-6.mean-value`). By induction
the distance of every iterate from $x^*$ is at most $k^n r$ (`theorem-6.iterates`) and at most $\frac{r}{1 + n(1-k)}$
(`theorem-6.iterates.rate`), so that all of them stay in the interval (`theorem-6.step`), and there is no other fixed
point in it (`theorem-6.unique`).

Remark 2 asks for suprema over the prompts. A supremum is the least of the numbers that bound what it is of at every
prompt; so that of the bounds of Lemma 1 is $\beta$ times that of the slopes at the fixed points (`remark-2`). It is
needed for one factor of contraction for all prompts (`remark-2`).
Prompt by prompt $\beta$ may equal the supremum of the bounds, if no prompt attains it (`remark-2.each`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.fixed_point_stability import stability
from derivations.mroueh_2025.functions import beta, p, p_ref, slope_of_z, stability_bound
from derivations.mroueh_2025.prompts import PROMPTS, h_of_prompt, p_base
from grpo_symbolic import (
    Claim,
    Derivative,
    Gap,
    Result,
    Substitution,
    absolute,
    both,
    by_induction,
    claim,
    derive,
    eq,
    every_iterate,
    gt,
    iff,
    implies,
    le,
    lt,
    rational,
    real,
    tends_to,
    whole,
)

factor = real("k", "(0, 1)", "factor of the contraction", latex="k")
centre = real("x_star", "(-oo, oo)", "a fixed point", latex="x^*")
radius = real("r", "(0, oo)", "radius of the interval", latex="r")
position = real("x_n", "(-oo, oo)", "an iterate", latex="x_n")
image = real("f_n", "(-oo, oo)", "the next iterate", latex="x_{n+1}")
start = real("x_0", "(-oo, oo)", "the first iterate", latex="x_0")
slope_there = real("m", "(-oo, oo)", "slope at the fixed point", latex="f'(x^*)")
slope = real("f_prime", "(-oo, oo)", "slope at another point", latex="f'(x)")
gap = absolute(position - centre)
count = whole("n", "[0, oo)", "number of steps, or of a prompt", latex="n")
supremum = real("B_sup", "(0, oo)", "a number, such as the supremum over all prompts", latex=r"\sup_q \mathcal{B}")
fixed_point = real("p_star_q", "[0, 1]", "fixed point of a prompt", latex="p^*({index})", indexed=PROMPTS)


def derivation() -> Iterator[Claim]:
    """All steps for one prompt, then all prompts."""
    yield from all_steps()
    yield from all_prompts()


def all_steps() -> Iterator[Claim]:
    """Theorem 6: what a contraction towards a fixed point does to the iterates."""
    size, near = absolute(slope_there), (1 - absolute(slope_there)) / 2
    bounded = claim(
        "mroueh_2025.theorem-6.factor.triangle",
        "The slope is at most halfway to 1",
        derivation=derive(absolute(slope), "slope at a point nearby", given=[le(absolute(slope - slope_there), near)])
        .le(size + absolute(slope - slope_there), "triangle inequality")
        .le(size + near, "hypothesis")
        .eq((1 + size) / 2, "collect"),
    )
    below = claim(
        "mroueh_2025.theorem-6.factor.below-one",
        "Halfway to 1 is below 1",
        derivation=derive((1 + size) / 2, "bound of the slope", given=[lt(size, 1)])
        .lt(rational(1, 2) * (1 + 1), "hypothesis")
        .eq(1, "add"),
    )
    yield from (bounded, below)
    yield claim(
        "mroueh_2025.theorem-6.factor",
        "Where the slope differs by at most $\\frac{1-m}{2}$ from that at the fixed point, $m = |f'(x^*)| < 1$, it is "
        "at most $k = \\frac{1+m}{2} < 1$ in absolute value",
        both(le(absolute(slope), (1 + absolute(slope_there)) / 2), lt((1 + absolute(slope_there)) / 2, 1)),
        given=[lt(absolute(slope_there), 1), le(absolute(slope - slope_there), (1 - absolute(slope_there)) / 2)],
        using=[bounded, below],
        equation="Theorem 6",
    )
    contracts = implies(le(gap, radius), le(absolute(image - centre), factor * gap))
    within = [contracts, le(gap, factor**count * radius)]
    nearer = claim(
        "mroueh_2025.theorem-6.step.bound",
        "A step multiplies the bound by the factor",
        derivation=derive(absolute(image - centre), "distance after a step", given=within)
        .le(factor * gap, "$f$ contracts in the interval, and $|x_n - x^*| \\le k^n r \\le r$")
        .le(factor * (factor**count * radius), "hypothesis")
        .eq(factor ** (count + 1) * radius, "one factor more"),
    )
    inside = claim(
        "mroueh_2025.theorem-6.step.inside",
        "A step stays in the interval",
        derivation=derive(absolute(image - centre), "distance after a step", given=within)
        .le(factor ** (count + 1) * radius, "the bound", using=[nearer])
        .le(radius, "no power of $k$ is above 1"),
    )
    yield from (nearer, inside)
    yield claim(
        "mroueh_2025.theorem-6.step",
        "A step multiplies the bound $k^n r$ of the distance by the factor and stays in the interval",
        both(le(absolute(image - centre), factor ** (count + 1) * radius), le(absolute(image - centre), radius)),
        given=within,
        using=[nearer, inside],
        equation="Theorem 6",
    )
    first = le(absolute(start - centre), radius)
    steps, begin = {position: image, count: count + 1}, {position: start, count: 0}
    to_centre = {image: centre}
    shrinking = every_iterate(le(gap, factor**count * radius), steps, begin, where=contracts, such_as=to_centre)
    yield claim(
        "mroueh_2025.theorem-6.iterates",
        "So from a start in the interval the distance is at most $k^n r$ after any number of steps",
        shrinking,
        given=[first],
        using=[nearer],
        equation="Theorem 6",
        printed=paper.quote(
            "Theorem 6",
            r"x_0 \in I \text{ and } x_{n+1} = f(x_n) \text{ converge to } x^*",
            shrinking,
            given=(first,),
        ),
    )
    rate = 1 / (1 + count * (1 - factor))
    after = 1 + (count + 1) * (1 - factor)
    next_bound = claim(
        "mroueh_2025.theorem-6.power.next",
        "The factor times $1/(1 + n(1-k))$ is at most the next number of this form",
        derivation=derive(factor * rate, "the factor times a bound")
        .eq(
            (1 - (count + 1) * (1 - factor) ** 2 / (1 + count * (1 - factor))) / after,
            "$k\\,(1 + (n+1)(1-k)) = 1 + n(1-k) - (n+1)(1-k)^2$",
        )
        .le(1 / after, "what is taken away is not negative"),
    )
    yield next_bound
    yield claim(
        "mroueh_2025.theorem-6.power",
        "By induction the powers $k^n$ of the factor are at most $1/(1 + n(1-k))$",
        by_induction(le(factor**count, rate), count),
        using=[next_bound],
        beyond="gives a rate",
    )
    yield claim(
        "mroueh_2025.theorem-6.iterates.rate",
        "So the distance is at most $r/(1 + n(1-k))$ after any number $n$ of steps",
        every_iterate(le(gap, rate * radius), steps, begin, where=contracts, such_as=to_centre),
        given=[first],
        using=[next_bound],
        beyond="gives a rate",
    )
    small = claim(
        "mroueh_2025.theorem-6.rate.bound",
        "This is at most a multiple of $1/n$",
        derivation=derive(absolute(rate), "bound of a power of the factor", given=[gt(count, 0)])
        .eq(rate, "it is positive")
        .le(1 / (count * (1 - factor)), "leave out the summand 1 of the denominator")
        .eq(1 / (1 - factor) * (1 / count), "split the fraction"),
    )
    yield small
    yield claim(
        "mroueh_2025.theorem-6.rate",
        "This tends to 0",
        tends_to(rate, 0, count, to=None, side="oo", constant=1 / (1 - factor)),
        using=[small],
        equation="Theorem 6",
    )
    fixed = [contracts, le(gap, radius), eq(image, position)]
    nearer_still = claim(
        "mroueh_2025.theorem-6.unique.distance",
        "The distance of another fixed point is at most its multiple with the factor",
        derivation=derive(gap, "distance of another fixed point", given=fixed)
        .eq(absolute(image - centre), "it is its own image")
        .le(factor * gap, "$f$ contracts in the interval"),
    )
    yield nearer_still
    yield claim(
        "mroueh_2025.theorem-6.unique",
        "There is no other fixed point in the interval",
        derivation=derive(position, "another fixed point", given=fixed).eq(
            centre,
            "$|x - x^*| \\le k\\,|x - x^*|$ with $k < 1$ leaves only 0",
            using=[nearer_still],
        ),
        equation="Theorem 6",
    )


def all_prompts() -> Iterator[Claim]:
    """Remark 2."""
    uniform = iff(lt(supremum / beta, 1), gt(beta, supremum))
    below_one = claim(
        "mroueh_2025.remark-2.factor",
        "A number over $\\beta$ is below 1 exactly if $\\beta$ exceeds it",
        derivation=derive(lt(supremum / beta, 1), "one factor of contraction for all prompts")
        .iff(lt(supremum, beta), "multiply by $\\beta > 0$")
        .iff(gt(beta, supremum), "read from right to left"),
    )
    slope_of_prompt = absolute(Substitution(Derivative(h_of_prompt(p), p), p, fixed_point))
    fixed = eq(h_of_prompt(fixed_point), fixed_point)
    in_size = claim(
        "mroueh_2025.remark-2.size",
        "The size of the slope at a fixed point is the bound of Lemma 1 over $\\beta$",
        eq(absolute(p * (1 - p) * slope_of_z(p)), stability_bound(p) / beta),
    )
    yield in_size
    own = claim(
        "mroueh_2025.remark-2.prompt",
        "At the fixed point of each prompt the slope is the bound of Lemma 1 over $\\beta$",
        derivation=derive(slope_of_prompt, "slope at the fixed point of a prompt", given=[fixed])
        .eq(
            absolute(fixed_point * (1 - fixed_point) * slope_of_z(fixed_point)),
            "Lemma 1",
            using=[stability.claim("lemma-1").at({p_ref: p_base, p: fixed_point})],
        )
        .eq(
            stability_bound(fixed_point) / beta,
            "all factors but $2p^* - 1$ are positive",
            using=[in_size.at({p: fixed_point})],
        ),
    )
    of_all = claim(
        "mroueh_2025.remark-2.bounds",
        "A number bounds the bound of Lemma 1 at every prompt exactly if, over $\\beta$, it bounds the slope at every "
        "fixed point",
        derivation=derive(le(stability_bound(fixed_point), supremum), "a bound of every prompt", given=[fixed])
        .iff(le(stability_bound(fixed_point) / beta, supremum / beta), "divide by $\\beta > 0$")
        .iff(le(slope_of_prompt, supremum / beta), "the slope", using=[own]),
    )
    yield from (below_one, own, of_all)
    yield claim(
        "mroueh_2025.remark-2",
        "A number bounds $\\mathcal{B}(p^*(q))$ at every prompt exactly if, over $\\beta$, it bounds the slopes at the "
        "fixed points of all prompts, and that is below 1 exactly if $\\beta$ exceeds the number",
        both(iff(le(stability_bound(fixed_point), supremum), le(slope_of_prompt, supremum / beta)), uniform),
        given=[fixed],
        using=[of_all, below_one],
        equation="Remark 2",
        printed=paper.quote("Remark 2", r"\beta > \sup_q \mathcal{B}(p^*(q))", uniform),
        fills=[
            Gap(
                "Section 4, Remark 2",
                "that the supremum over the prompts is finite, and whether the weight may be equal to it, is not said",
            ),
        ],
    )
    bound = supremum * (1 - 1 / count)
    yield claim(
        "mroueh_2025.remark-2.each",
        "Of prompts with the bounds $B\\,(1 - \\frac1n)$ each bound lies below $B$, so that $\\beta = B$ is enough for "
        "every single one",
        lt(bound, supremum),
        given=[gt(count, 0)],
        beyond="separates what each prompt asks of the weight from what one factor for all asks",
    )
    yield claim(
        "mroueh_2025.remark-2.supremum",
        "These bounds come as near to it as one likes",
        tends_to(bound, supremum, count, to=None, side="oo", constant=supremum),
    )


contraction = Result("Contraction", paper, derivation)
