r"""Three outputs, groups of two: preferences in a circle, and in an order.

Two examples in which the conditions for repeated updates are explicit. If each of three outputs beats the next one with
the margin $\gamma$, and the reference is uniform, then the uniform policy is stationary for every weight: it is the
only maximum beside itself among the policies that give all outputs (`updates.circle.penalty`,
`updates.circle.maximum`). Its eigenvalues are $\pm i\gamma/(\sqrt{3}\,\beta)$ (`updates.circle.polynomial`). So they
lie in the unit disc exactly for $\beta > \gamma/\sqrt{3}$ (`updates.circle.disc`). Updates from nearby lead to the
policy then; for smaller weights they turn around it and away from it (`updates.circle.attracts`), although the flow
along the gradient comes nearer to it (`pairs.flow.projected`): there the penalty does not end the circle of
preferences.

If the first output beats the second, and both beat the third, with the margin $\gamma$, then the policies $(x, 1-2x,
x)$ are stationary for the references that Equation (11) gives, which exist for $\beta > \gamma(1-x)$. The second
variation there is negative definite exactly for $\beta^2 > 4\gamma^2(1-2x)(1-x)^2$ (`updates.order.polynomial`,
`updates.three.definite`), and then the eigenvalues of an update lie in the unit disc exactly for $\beta^2 >
\gamma^2(1-2x)(3-4x)(3-2x)$ (`updates.order.disc`, `updates.order.attracts`). For the uniform policy this is $\beta >
\gamma\sqrt{35/27}$, and $\sqrt{35/27} \approx 1.14$.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma
from derivations.vojnovic_yun_2025.three_outputs import (
    advantages,
    beside,
    characteristic_coefficients,
    circulation,
    first_order,
    jury,
    margins,
    names,
    next_1,
    next_2,
    objective,
    old_1,
    old_2,
    pi_1,
    pi_2,
    policy,
    ref_1,
    ref_2,
    reference,
    updates_attract,
)
from derivations.vojnovic_yun_2025.updates_three_outputs import mu, stationary
from grpo_symbolic import (
    Claim,
    Expression,
    Extremum,
    Figure,
    Result,
    Statement,
    Symbol,
    Trace,
    both,
    claim,
    derive,
    eq,
    gt,
    iff,
    implies,
    instance,
    le,
    local_maximum,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import substitute

x = real("x", "(0, 1/2)", "probability of the best and of the worst output, under the policy")
share = real("pi", "(0, 1)", "probability of an output under the policy", latex=r"\pi_\theta")
lead = gamma * (1 - x)
third = rational(1, 3)
uniform = dict.fromkeys((pi_1, pi_2, old_1, old_2, ref_1, ref_2), third)
circle: Mapping[Symbol, Expression] = {margins[1, 2]: gamma, margins[2, 3]: gamma, margins[1, 3]: -gamma}
order: Mapping[Symbol, Expression] = dict.fromkeys(margins.values(), gamma)


def polynomial() -> Expression:
    """The characteristic polynomial of updates with three outputs."""
    at_0, at_1, at_2 = characteristic_coefficients(advantages(policy), circulation)
    return at_2 * mu**2 + at_1 * mu + at_0


def values(at: Mapping[Symbol, Expression]) -> list[Statement]:
    """The values as hypotheses."""
    return [eq(symbol, value) for symbol, value in at.items()]


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """First the circle, then the order."""
    yield from _circle(given)
    yield from _order(given)


def _circle(given: Definitions) -> Iterator[Claim]:
    """The uniform policy is the maximum beside itself, whatever the weight, and it may repel."""
    penalty = given.penalty(share, third, third)
    yield claim(
        "vojnovic_yun_2025.updates.circle.penalty",
        "The penalty of an output with reference probability 1/3 is smallest where the policy agrees with it",
        Extremum(penalty, share, third),
    )
    at_uniform = {symbol: value for symbol, value in uniform.items() if symbol not in (pi_1, pi_2)}
    penalties = [substitute(penalty, {share: probability}) for probability in policy]
    yield claim(
        "vojnovic_yun_2025.updates.circle.maximum",
        "A circle of three: beside the uniform policy and reference the objective is minus the weighted penalties, "
        "each least there",
        derivation=derive(
            substitute(objective(given), {**circle, **at_uniform}),
            "the objective at the uniform old policy and reference",
            given=[gt(policy[2], 0)],
        ).eq(-(beta * reduce(add, penalties)), "all advantages are 0; the penalties remain"),
        equation="Section 1.3",
    )
    yield claim(
        "vojnovic_yun_2025.updates.circle.polynomial",
        r"The eigenvalues of the update are $\pm i\gamma/(\sqrt{3}\,\beta)$",
        eq(polynomial(), beta**2 * mu**2 + gamma**2 / 3),
        given=values({**circle, pi_1: third, pi_2: third}),
    )
    disc = claim(
        "vojnovic_yun_2025.updates.circle.disc",
        "They lie in the unit disc exactly for these weights",
        derivation=derive(lt(gamma**2 / 3 / beta**2, 1), "their squared absolute value is below 1")
        .iff(lt(gamma**2 / 3, beta**2), r"multiply by $\beta^2$")
        .iff(gt(beta, gamma / sqrt(rational(3))), "take the roots of positive numbers"),
        equation="Section 1.3",
    )
    outside = claim(
        "vojnovic_yun_2025.updates.circle.outside",
        "And outside of it exactly for smaller ones",
        derivation=derive(gt(gamma**2 / 3 / beta**2, 1), "their squared absolute value exceeds 1")
        .iff(gt(gamma**2 / 3, beta**2), r"multiply by $\beta^2$")
        .iff(lt(beta, gamma / sqrt(rational(3))), "take the roots of positive numbers"),
    )
    yield from (disc, outside)
    limit = gamma / sqrt(rational(3))
    yield claim(
        "vojnovic_yun_2025.updates.circle.attracts",
        "So for larger weights the uniform policy attracts updates from nearby, and for smaller ones it repels them, "
        "although it is a local maximum beside itself",
        instance(
            both(
                local_maximum(beside(given), {next_1: pi_1, next_2: pi_2}),
                implies(gt(beta, limit), updates_attract(given)),
                implies(lt(beta, limit), replace(updates_attract(given), attracting=False)),
            ),
            {**circle, pi_1: third, pi_2: third, ref_1: third, ref_2: third},
        ),
        using=[disc, outside],
        equation="Section 1.3",
        beyond="shows a stationary policy, a maximum beside itself (`updates.circle.penalty`), from which, for smaller "
        "weights, updates from nearby turn away",
    )


def _order(given: Definitions) -> Iterator[Claim]:
    """Policies that give the best and the worst output alike."""
    at = {**order, pi_1: x, pi_2: 1 - 2 * x}
    yield claim(
        "vojnovic_yun_2025.updates.order.advantages",
        "An order of three: the advantages at these policies",
        both(*(eq(gain, value) for gain, value in zip(advantages(policy), (lead, rational(0), -lead), strict=True))),
        given=values(at),
    )
    bend = gamma**2 * (1 - 2 * x) * (1 - x) ** 2
    expected = (beta**2 - 4 * bend, 4 * bend, -(gamma**2 * (1 - 2 * x) ** 2))
    yield claim(
        "vojnovic_yun_2025.updates.order.polynomial",
        "The characteristic polynomial of an update at these policies, up to a factor",
        eq(polynomial(), expected[0] * mu**2 + expected[1] * mu + expected[2]),
        given=values(at),
    )
    limit = gamma**2 * (1 - 2 * x) * (3 - 4 * x) * (3 - 2 * x)
    at_minus_one, enough = expected[0] - expected[1] + expected[2], gt(beta**2, limit)
    value = claim(
        "vojnovic_yun_2025.updates.order.disc.value",
        "The value of this polynomial at $-1$",
        eq(at_minus_one, beta**2 - limit),
    )
    constant = claim(
        "vojnovic_yun_2025.updates.order.disc.constant", "Its constant is not positive", le(expected[2], 0)
    )
    apart = claim(
        "vojnovic_yun_2025.updates.order.disc.apart",
        "This bound on the squared weight exceeds the one for a positive leading coefficient",
        derivation=derive(limit - 4 * bend, "difference of two bounds")
        .eq(gamma**2 * (1 - 2 * x) * (4 * (1 - x) ** 2 + (1 - 2 * x)), "in factors")
        .gt(0, "all factors are positive"),
    )
    yield from (value, constant, apart)
    positive = claim(
        "vojnovic_yun_2025.updates.order.disc.at-minus-one",
        "For these weights the value at $-1$ is positive",
        gt(at_minus_one, 0),
        given=[enough],
        using=[value],
    )
    leading = claim(
        "vojnovic_yun_2025.updates.order.disc.leading",
        "For these weights the leading coefficient is positive",
        derivation=derive(expected[0], "leading coefficient", given=[enough])
        .gt(limit - 4 * bend, "by hypothesis")
        .gt(0, "the bound is larger", using=[apart]),
    )
    larger = claim(
        "vojnovic_yun_2025.updates.order.disc.larger",
        "So it exceeds the constant",
        gt(expected[0], expected[2]),
        given=[enough],
        using=[leading, constant],
    )
    only = claim(
        "vojnovic_yun_2025.updates.order.disc.only",
        "If the value at $-1$ is positive, the weight is one of these",
        enough,
        given=[gt(at_minus_one, 0)],
        using=[value],
    )
    yield from (positive, leading, larger, only)
    yield claim(
        "vojnovic_yun_2025.updates.order.disc",
        "The conditions for two zeros in the unit disc hold exactly for these weights",
        iff(
            both(
                gt(expected[0], 0),
                gt(expected[0] - expected[1] + expected[2], 0),
                gt(expected[0], expected[2]),
            ),
            gt(beta**2, limit),
        ),
        using=[positive, leading, larger, only],
    )
    known, product = [*values(at), *stationary], x**2 * (1 - 2 * x)
    third = claim(
        "vojnovic_yun_2025.updates.order.third",
        "The reference with which they are stationary gives the third output as well",
        gt(reference[2] / policy[2], 0),
        given=known,
    )
    yield third
    leading, step, concave = expected[0] / product, gamma * (1 - 2 * x), gt(beta**2, 4 * bend)
    at_one, at_minus_one = leading * ((beta - step) * (beta + step) / product), leading * ((beta**2 - limit) / product)
    of_leading, of_one, of_minus_one, of_constant = jury(given)
    *slopes, curvature = first_order(given)
    flat = [
        claim(
            f"vojnovic_yun_2025.updates.order.stationary.{name}",
            f"The {name} slope vanishes at these policies",
            eq(slope, 0),
            given=known,
            using=[third],
        )
        for name, slope in zip(("first", "second"), slopes, strict=True)
    ]
    curved = claim(
        "vojnovic_yun_2025.updates.order.curvature",
        "The second derivative by the first probability is negative",
        lt(curvature, 0),
        given=[*known, gt(beta, lead), concave],
        using=[third],
    )
    yield from (*flat, curved)
    signs = [
        claim(
            f"vojnovic_yun_2025.updates.order.jury.{name}",
            words,
            derivation=line.gt(0, why) if positive else line.lt(0, why),
        )
        for name, words, why, positive, line in (
            (
                "leading",
                "The leading coefficient of the characteristic polynomial is positive",
                "by hypothesis",
                True,
                derive(of_leading, "from the second derivatives of the objective", given=[*known, concave]).eq(
                    leading, "a determinant", using=[third]
                ),
            ),
            (
                "at-one",
                "Times that, its value at 1 is positive",
                r"$\beta > \gamma(1-x) > \gamma(1-2x)$",
                True,
                derive(of_one, "from the second derivatives", given=[*known, concave, gt(beta, lead)]).eq(
                    at_one, "in factors", using=[third]
                ),
            ),
            (
                "at-minus-one",
                "Times that, its value at $-1$ is positive for these weights",
                "by hypothesis",
                True,
                derive(of_minus_one, "from the second derivatives", given=[*known, concave, gt(beta**2, limit)]).eq(
                    at_minus_one, "in factors", using=[third]
                ),
            ),
            (
                "at-minus-one.smaller",
                "And negative for smaller ones",
                "by hypothesis",
                False,
                derive(of_minus_one, "from the second derivatives", given=[*known, concave, lt(beta**2, limit)]).eq(
                    at_minus_one, "in factors", using=[third]
                ),
            ),
            (
                "apart",
                "Times that, the leading coefficient exceeds the constant, which is not positive",
                "no term is negative",
                True,
                derive(of_constant, "from the second derivatives", given=[*known, concave]).eq(
                    leading**2 + leading * (step**2 / product), "in factors", using=[third]
                ),
            ),
        )
    ]
    yield from signs
    yield claim(
        "vojnovic_yun_2025.updates.order.attracts",
        "Where they are local maxima beside themselves they attract updates from nearby for these weights and repel "
        "them for smaller ones",
        both(
            local_maximum(beside(given), {next_1: pi_1, next_2: pi_2}),
            implies(gt(beta**2, limit), updates_attract(given)),
            implies(lt(beta**2, limit), replace(updates_attract(given), attracting=False)),
        ),
        given=[*values(at), *stationary, gt(beta, lead), gt(beta**2, 4 * bend)],
        using=[third, *flat, curved, *signs],
        beyond="the exact boundary of attraction for a family of policies over three outputs",
    )


def figures() -> Iterator[Figure]:
    """What kind of point the policies (x, 1 - 2x, x) are."""
    inside = (Fraction(1, 1000), Fraction(499, 1000))
    heights = (
        (1 - x, "exists"),
        (2 * (1 - x) * sqrt(1 - 2 * x), "local maximum"),
        (sqrt((1 - 2 * x) * (3 - 4 * x) * (3 - 2 * x)), "attracts"),
    )
    yield Figure(
        id="vojnovic_yun_2025.kinds-of-points-three",
        caption="An order of three outputs in groups of two: for the policies $(x, 1-2x, x)$ Equation (11) gives a "
        "reference above the first curve. Where it does, the second variation is negative definite above the second "
        "one (`updates.order.polynomial`, `updates.three.definite`), and updates from nearby lead to them above the "
        "third one (`updates.order.attracts`). The flow along the gradient comes nearer to them everywhere above the "
        "first one (`pairs.flow.projected`).",
        horizontal=x,
        horizontal_range=(Fraction(0), Fraction(1, 2)),
        horizontal_label="$x$",
        vertical_label=r"$\beta/\gamma$",
        traces=tuple(Trace(x, height, x, inside, (), name) for height, name in heights),
        vertical_range=(Fraction(0), Fraction(3)),
    )


examples = Result("Preferences in a circle and in an order", paper, derivation, figures, shorthands=names)
