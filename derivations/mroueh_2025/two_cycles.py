r"""The divergent example of Figure 5: its iterates settle in a cycle of two (`figure-5.rises`, `figure-5.cycle`).

For $\beta = 5$, $p_{\mathrm{ref}} = 10^{-3}$ and $\varepsilon = 10^{-5}$ the paper speaks of divergence. The iterates
do not go to one value: they come to alternate between two (`trap.order`, `figure-5.rises`, `figure-5.cycle`). From the
first step on they stay in $[0.00149, \frac12]$ (`figure-5.trap`), which is a trap (`trap`), and in a trap every second
iterate moves in one direction (`trap.order`).

At the paper's parameters the first iterate is in the trap (`figure-5.trap`). The only fixed point there is 0.0086
(`figure-5.fixed-point`) and repels, with the slope $-1.06$ (`figure-5.repels`). The iterates approach the cycle
0.002338, 0.058716 (`figure-5.rises`), which attracts, with the slope 0.77 of two steps (`figure-5.cycle.attracts`).
Both lie above the reference, as Theorem 3 says of fixed points. At $\beta = 10$ the same reference leads to a fixed
point (`figure-5.heavier`, `figure-5.heavier.arrives`); at $\beta = 1$ one step leads above 0.9999, and the next one
further up (`figure-5.lighter`). Starts other than the reference can do worse. At $\beta = 1$ the map takes $[0.0076,
\frac12]$ over $[0.0076, 0.98]$ and $[\frac12, 0.98]$ over $[0.0076, \frac12]$ (`cycles.every-length`). So there is a
start for every sequence of these two intervals without two steps in a row in the second, and there are cycles of every
length (`cycles.every-length`), among them one of three (`cycles.three`).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta, epsilon, h, half, p, p_ref, stability_bound
from derivations.mroueh_2025.traps import higher, lower, trapped
from grpo_symbolic import (
    Claim,
    Curve,
    Derivative,
    EveryCycle,
    Figure,
    LongRun,
    Orbit,
    Result,
    Statement,
    Symbol,
    UniqueZero,
    Zeros,
    attracts,
    both,
    claim,
    define,
    derive,
    eq,
    exp,
    gt,
    lt,
    rational,
    real,
    repels,
    sqrt,
)
from grpo_symbolic.language.expression import Definition, Expression, Number, substitute

at_most = rational(842, 100_000)
of_three = real("of_three", "[841/100000, 421/50000]", "success probability next to 0.0084", latex="p")
at_fixed_point = real("at_fixed_point", "[431/50000, 863/100000]", "success probability near 0.0086", latex="p")
below_cycle = real("below_cycle", "[1/1000, 233/100000]", "success probability up to 0.00233", latex="p")
settled = real("settled", "[13/5000, 21/2000]", "success probability between 0.0026 and 0.0105", latex="p")
around_cycle = real("around_cycle", "[233/100000, 117/50000]", "success probability next to the cycle", latex="p")
on_cycle = real("on_cycle", "[2338041/1000000000, 2338042/1000000000]", "success probability at the cycle", latex="p")
above_cycle = real("above_cycle", "[117/50000, 1/250]", "success probability from 0.00234 on", latex="p")

#: A rounded exponent, the number that the value is compared with, and whether it lies above.
Bound = tuple[str, Number, bool]

#: The reference of the paper's example and the smoothing of its figures.
reference, smoothing = rational(1, 1000), rational(1, 100_000)


def decimal(text: str) -> Number:
    """A decimal, exactly."""
    return Number(Fraction(text))


def between(value: Expression, low: str, high: str) -> Statement:
    """A value lies strictly between two decimals."""
    return both(gt(value, decimal(low)), lt(value, decimal(high)))


def map_at(weight: int, prior: Number = reference) -> Definition:
    """The success map at a weight, for the paper's smoothing; at another reference than 0.001 its letter names it."""
    values = {beta: rational(weight), p_ref: prior, epsilon: smoothing}
    of = f"{weight}" if prior == reference else f"{weight}, {prior.value}"
    return define(f"h_{weight}", (p,), substitute(h(p), values), latex=f"h_{{{of}}}")


def derivation() -> Iterator[Claim]:
    """The cycle at the paper's parameters, and other weights."""
    yield from papers_example(map_at(5))
    yield from cycle(map_at(5))
    yield from other_weights()


def evaluated(name: str, title: str, step: Definition, at: Number, values: tuple[int, Number], bound: Bound) -> Claim:
    """The map at a number, for a weight and a reference: the exponent is rounded, then the exponential."""
    (weight, prior), (exponent, end, above) = values, bound
    odds, spread = (1 - prior.value) / prior.value, at.value * (1 - at.value) + smoothing.value
    whole = 1 / (1 + Number(odds) * exp(-(1 / (weight * sqrt(Number(spread))))))
    rounded = 1 / (1 + Number(odds) * exp(-decimal(exponent)))
    chain = derive(step(at), "definition of $h$").eq(whole, "put in the numbers")
    if above:
        chain = chain.gt(rounded, "a smaller exponent").gt(end, "value of the exponential")
    else:
        chain = chain.lt(rounded, "a larger exponent").lt(end, "value of the exponential")
    return claim(f"mroueh_2025.{name}", title, derivation=chain)


def papers_example(step: Definition) -> Iterator[Claim]:
    """The weight 5 and the reference 0.001."""
    least = rational(149, 100_000)
    values = [
        evaluated(f"figure-5.trap.{name}", title, step, at, (5, reference), bound)
        for name, title, at, bound in (
            ("lowest", "One half is taken above the lower end", half, ("0.3999", least, True)),
            ("highest", "The lower end is taken below one half", least, ("5.2", half, False)),
            ("start-above", "The reference is taken above the lower end", reference, ("6", least, True)),
            ("start-below", "The reference is taken below one half", reference, ("6.5", half, False)),
        )
    ]
    yield from values
    yield claim(
        "mroueh_2025.figure-5.trap",
        "At the paper's parameters the map takes $[0.00149, \\frac12]$ into itself, and the reference as well",
        both(gt(step(half), least), lt(step(least), half), gt(step(reference), least), lt(step(reference), half)),
        using=values,
        equation="Section 4, on Figure 5",
    )
    yield claim(
        "mroueh_2025.figure-5.fixed-point",
        "The only fixed point up to one half",
        UniqueZero(step(lower) - lower, lower, rational(862, 100_000), rational(863, 100_000), False),
        equation="Section 4, on Figure 5",
    )
    fixed, low, top = [eq(step(at_fixed_point), at_fixed_point)], decimal("0.00862"), decimal("0.00863")
    within = inside("figure-5.repels", at_fixed_point, fixed, {beta: rational(5), p_ref: reference}, low, top)
    yield from within
    yield claim(
        "mroueh_2025.figure-5.repels",
        "It repels: the slope there is $-1.06$",
        both(
            repels({at_fixed_point: step(at_fixed_point)}, at_fixed_point),
            between(Derivative(step(at_fixed_point), at_fixed_point), "-1.064", "-1.056"),
        ),
        given=fixed,
        using=within,
        equation="Section 4, on Figure 5",
    )
    yield claim(
        "mroueh_2025.figure-5.rises",
        "Two steps lead up from anywhere between 0.001 and 0.00233",
        gt(step(step(below_cycle)), below_cycle),
        equation="Section 4, on Figure 5",
    )
    yield claim(
        "mroueh_2025.figure-5.falls",
        "Two steps lead down from anywhere between 0.00234 and 0.004",
        lt(step(step(above_cycle)), above_cycle),
        beyond="keeps every second iterate of the paper away from the fixed point",
        equation="Section 4, on Figure 5",
    )


def inside(
    name: str, at: Symbol, fixed: list[Statement], values: Mapping[Symbol, Expression], low: Number, top: Number
) -> list[Claim]:
    """A fixed point up to one half lies strictly between a number that the map takes up and one that it takes down."""
    made = []
    for slug, words, end in (("beyond", "above", low), ("short", "below", top)):
        lemma = trapped.claim(f"trap.{slug}").at({epsilon: smoothing, **values, lower: at, higher: end})
        line = derive(at, "the fixed point", given=fixed)
        why = f"the map takes this number {'up' if slug == 'beyond' else 'down'}"
        line = line.gt(end, why, using=[lemma]) if slug == "beyond" else line.lt(end, why, using=[lemma])
        title = f"The fixed point lies {words} {float(end.value):g}"
        made.append(claim(f"mroueh_2025.{name}.{slug}", title, derivation=line))
    return made


def cycle(step: Definition) -> Iterator[Claim]:
    """The cycle of two that the iterates approach."""
    two, kept = step(step(around_cycle)), [eq(step(step(on_cycle)), on_cycle)]
    low, top = decimal("0.002338041"), decimal("0.002338042")
    order = trapped.claim("trap.order")
    values = {beta: rational(5), p_ref: reference, epsilon: smoothing}
    within = [
        claim(
            "mroueh_2025.figure-5.cycle.beyond",
            "A success probability there that two steps keep lies above 0.002338041",
            derivation=derive(on_cycle, "two steps keep it", given=kept)
            .eq(step(step(on_cycle)), "hypothesis")
            .ge(step(step(low)), "two steps keep the order", using=[order.at({**values, lower: low, higher: on_cycle})])
            .gt(low, "their value"),
        ),
        claim(
            "mroueh_2025.figure-5.cycle.short",
            "And below 0.002338042",
            derivation=derive(on_cycle, "two steps keep it", given=kept)
            .eq(step(step(on_cycle)), "hypothesis")
            .le(step(step(top)), "two steps keep the order", using=[order.at({**values, lower: on_cycle, higher: top})])
            .lt(top, "their value"),
        ),
    ]
    yield from within
    yield claim(
        "mroueh_2025.figure-5.cycle",
        "Two steps keep one success probability between 0.00233 and 0.00234, which is 0.002338",
        UniqueZero(two - around_cycle, around_cycle, decimal("0.002338041"), decimal("0.002338042"), False),
        beyond="encloses a cycle of two beside the divergent iterates of the paper",
        equation="Section 4, on Figure 5",
    )
    yield claim(
        "mroueh_2025.figure-5.cycle.attracts",
        "One step leads from there to 0.058716, and two steps have slope 0.77, so the cycle attracts",
        both(
            attracts({on_cycle: step(step(on_cycle))}, on_cycle),
            between(step(on_cycle), "0.0587156", "0.0587159"),
            between(Derivative(step(step(on_cycle)), on_cycle), "0.767", "0.77"),
        ),
        given=kept,
        using=within,
        equation="Section 4, on Figure 5",
    )


def other_weights() -> Iterator[Claim]:
    """The same reference at the weights 10 and 1."""
    step = map_at(10)
    low, high = rational(26, 10_000), rational(105, 10_000)
    bound = substitute(stability_bound(settled), {epsilon: smoothing})
    variance = settled * (1 - settled)
    contracts = claim(
        "mroueh_2025.figure-5.heavier.contracts",
        "The bound of Lemma 1 there is below 10",
        derivation=derive(bound, "bound of Lemma 1")
        .le(variance / (2 * (variance + smoothing) ** rational(3, 2)), "$|2p - 1| \\le 1$")
        .le(1 / (2 * sqrt(variance)), "leave out the smoothing")
        .lt(10, "$p(1-p) > \\frac{1}{400}$"),
    )
    yield contracts
    yield claim(
        "mroueh_2025.figure-5.heavier",
        "For $\\beta = 10$ the map takes $[0.0026, 0.0105]$ into itself and is a contraction in log-odds there",
        both(lt(step(low), high), gt(step(high), low), lt(bound, 10)),
        using=[contracts],
        equation="Section 4, on Figure 5",
    )
    visited = [(227, 229), (19, 20), (92, 98), (27, 29)]
    steps: list[Statement] = []
    ends = [reference, reference]
    for first, last in visited:
        following = [rational(first, 10_000), rational(last, 10_000)]
        steps += [gt(step(ends[1]), following[0]), lt(step(ends[0]), following[1])]
        ends = following
    yield claim(
        "mroueh_2025.figure-5.heavier.arrives",
        "The fourth iterate lies there: each interval leads into the next one",
        both(*steps),
        equation="Section 4, on Figure 5",
    )
    yield from lightest(map_at(1))


def lightest(step: Definition) -> Iterator[Claim]:
    """The weight 1: fast to the top from the reference, without any order from other starts."""
    near_top, far_up = rational(9999, 10_000), rational(10**12 - 1, 10**12)
    values = [
        evaluated(f"figure-5.lighter.{name}", title, step, at, (1, reference), bound)
        for name, title, at, bound in (
            ("first", "The reference is taken above 0.9999", reference, ("31", near_top, True)),
            ("most", "But not as far up as $1 - 10^{-12}$", reference, ("32", far_up, False)),
            ("second", "Another step leads above that", near_top, ("95", far_up, True)),
        )
    ]
    yield from values
    yield claim(
        "mroueh_2025.figure-5.lighter",
        "For $\\beta = 1$ one step from the reference leads above 0.9999, and another one from there above where the "
        "first can lead",
        both(gt(step(reference), near_top), lt(step(reference), far_up), gt(step(near_top), far_up)),
        using=values,
        equation="Section 4, on Figure 5",
        paper_uses=("h-at-one",),
    )
    yield claim(
        "mroueh_2025.cycles.three",
        "For $\\beta = 1$ and $p_{\\mathrm{ref}} = 0.001$ there is a cycle of three, which leads from next to 0.0084 "
        "to above one half",
        both(
            Zeros(step(step(step(of_three))) - of_three, of_three, ((rational(841, 100_000), at_most),), False),
            gt(step(of_three), half),
        ),
        beyond="encloses a cycle of three",
    )
    low, high = rational(76, 10_000), rational(98, 100)
    yield claim(
        "mroueh_2025.cycles.every-length",
        "At $\\beta = 1$ and $p_{\\mathrm{ref}} = 0.001$ there are cycles of every length: $[0.0076, \\frac12]$ is "
        "taken over both intervals",
        EveryCycle(step(p), p, low, half, high),
        beyond="shows that there are cycles of every length",
    )


def figures() -> Iterator[Figure]:
    """The paper's Figure 5, two steps at once, and where the iteration ends up."""
    steps = real("steps", "[0, oo)", "number of steps")
    exact = (epsilon, Fraction(1, 100_000))
    weights = (Fraction(1), Fraction(2), Fraction(5), Fraction(10))
    for name, start, printed in (
        ("low", Fraction(1, 1000), "10^{-3}"),
        ("middle", Fraction(1, 5), r"\frac15"),
        ("high", Fraction(1, 2), r"\frac12"),
    ):
        given = ((p_ref, start), exact)
        yield Figure(
            id=f"mroueh_2025.figure-5-{name}",
            caption=rf"Figure 5: the iterates $p_n$ from $p_0 = p_{{\mathrm{{ref}}}} = {printed}$ for "
            r"$\varepsilon = 10^{-5}$. Weights and references are our choice, except $\beta = 5$ with $10^{-3}$.",
            horizontal=steps,
            horizontal_range=(Fraction(0), Fraction(20)),
            horizontal_label="$n$",
            vertical_label="$p_n$",
            orbits=tuple(Orbit(h(p), p, start, ((beta, weight), *given), rf"$\beta = {weight}$") for weight in weights),
            vertical_range=(Fraction(0), Fraction(1)),
        )
    example = ((beta, Fraction(5)), (p_ref, Fraction(1, 1000)), exact)
    yield Figure(
        id="mroueh_2025.two-steps",
        caption=r"One and two steps against the diagonal, for $\beta = 5$, $p_{\mathrm{ref}} = 10^{-3}$ and "
        r"$\varepsilon = 10^{-5}$. Two steps have three fixed points below 0.06 (`two-steps.beta-5.ref-0.001`): "
        "0.0086, which one step keeps, and the two points of the cycle, 0.0023 and 0.0587, between which the iterates "
        "of the paper's example come to alternate.",
        horizontal=p,
        horizontal_range=(Fraction(1, 1000), Fraction(1, 10)),
        horizontal_label="success probability $p$",
        vertical_label="after one and two steps",
        curves=(Curve(h(p), example, "$h(p)$"), Curve(h(h(p)), example, "$h(h(p))$"), Curve(p, (), "$p$")),
        vertical_range=(Fraction(1, 1000), Fraction(1)),
        logarithmic=True,
        vertical_logarithmic=True,
    )
    yield Figure(
        id="mroueh_2025.long-run",
        caption=r"Where the iteration from $p_0 = p_{\mathrm{ref}}$ ends up, over the weight, for "
        r"$\varepsilon = 10^{-5}$: the last 24 of 400 iterates, for the references $10^{-3}$ (black) and $10^{-4}$ "
        r"(grey). Where several dots of one colour stand above a weight the iterates have not settled on one value. "
        r"The dots themselves rest on no claim; for $10^{-3}$ the fixed point below one half has slope $-1$ at two "
        r"weights (`flips.ref-0.001`), and repels on one side of each (`flips.stability`).",
        horizontal=beta,
        horizontal_range=(Fraction(1), Fraction(9)),
        horizontal_label=r"$\beta$",
        vertical_label="$p_n$ for large $n$",
        long_runs=tuple(
            LongRun(h(p), p, p_ref, ((p_ref, prior), exact), rf"$p_{{\mathrm{{ref}}}} = {float(prior):g}$")
            for prior in (Fraction(1, 1000), Fraction(1, 10_000))
        ),
        vertical_range=(Fraction(1, 10_000), Fraction(1)),
        vertical_logarithmic=True,
    )


cycles = Result("Cycles of two, and the divergent example of Figure 5", paper, derivation, figures)
