r"""Binary questions, finite groups: the stationary policy between Equations (14) and (15).

Deterministic rewards, answer $a$ the better one. For groups of any size the stationary policy solves
$$\beta\,(x - r) = B_G(x),$$
where $B_G$ is the expected standard deviation of the rewards 0 and 1 in a group (`finite-groups.stationary`). For
$G = 2$ the right side is $x(1-x)$, which gives Equation (14) with $\gamma = 1$; in the limit it is $\sqrt{x(1-x)}$,
which gives Equation (15). For groups of three it is $\sqrt{2}\,x(1-x)$: Equation (14) holds with $\beta/\sqrt{2}$ in
the place of $\beta$ (`finite-groups.3`). For groups of four and five the equation is no longer quadratic. It has at
most one solution above the reference if $B_G(x)/x$ falls with $x$ (`finite-groups.unique`). This quotient is the
expected advantage of a success (`binary-rewards.success`). Every success among the others lowers the advantage
(`finite-groups.more-successes`), and that the quotient therefore falls with $x$ is used as known; for groups of three,
four and five it is written out (`finite-groups.3.common`, `finite-groups.4.common`, `finite-groups.5.common`). As
$B_G < B_{G+1} < \sqrt{x(1-x)}$, the policy increases with the size of the groups, from Equation (14) towards Equation
(15) (`finite-groups.larger`, `finite-groups.unique`).

With $\sqrt{x(1-x)}\,(1 - \frac{1}{2Gx(1-x)}) \leq B_G(x) \leq \sqrt{x(1-x)}$ the distance to Equation (15) is at most
$(y - r)/(2G\sqrt{x(1-x)}\sqrt{r(1-r)})$, where $y$ is Equation (15) (`finite-groups.distance`). For groups of three
(`finite-groups.3.rare`), four (`finite-groups.4.rare`) and five (`finite-groups.5.rare`) $B_G(x)/x$ falls from
$\sqrt{G-1}$ at 0. So with a reference of 0 the equation $\beta x = B_G(x)$ has a solution in $(0, 1)$ for
$\beta < \sqrt{G-1}$ and not above, and the policy is discontinuous there for these weights. The paper says
$\beta < \gamma$ for groups of two, here $\beta < 1$, and "for every $\beta$" for large groups; this lies between.
"""

from collections.abc import Iterator, Mapping

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, objective, reference, slope, x, x_old
from derivations.vojnovic_yun_2025.binary_rewards import (
    closed_form,
    count,
    effective_margin,
    expected_advantage,
    expected_standard_deviation,
    s,
)
from derivations.vojnovic_yun_2025.root_groups_of_two import groups_of_two, pairs_root, quadratic
from derivations.vojnovic_yun_2025.root_groups_of_two import y as any_number
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
    Result,
    Substitution,
    UniqueRoot,
    UniqueZero,
    both,
    claim,
    decreasing,
    define,
    derive,
    eq,
    ge,
    gt,
    iff,
    le,
    lt,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.derivation.chain import Lemma
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty
from grpo_symbolic.grpo.enumeration import Context, Number, penalty_part, reward_part
from grpo_symbolic.grpo.enumeration import slope as numerical_slope
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Definition, substitute

gain = real("B", "(0, oo)", "expected standard deviation in a group", latex="B_G(x)")
smaller_gain = real("B_less", "(0, oo)", "the same in smaller groups", latex="B_{G'}(x)")
steepness = real("B_prime", "(-oo, oo)", "its derivative", latex="B_G'(x)")
y = real("y", "(0, 1)", "Equation (15)")
between = real("tau", "[0, 1]", "how far a point lies between two others", latex=r"\tau")
first, second = (real(name, "[0, oo)", "a number", latex=latex) for name, latex in (("first", "a"), ("second", "b")))
lesser, greater = (real(f"n_{name}", "(-oo, oo)", f"the {name} one of two numbers") for name in ("lesser", "greater"))
positive_number = real("p", "(0, oo)", "a positive number")
spread = x * (1 - x)


def root_by_bisection(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """Where the true objective for groups of three is stationary at itself, beside the closed form."""
    weight, prior = values["beta"], values["r"]
    rewards = [[(context.one, context.one)], [(context.zero, context.one)]]

    def own_slope(at: Number) -> Number:
        old = [at, 1 - at]

        def value(point: Number) -> Number:
            policy = [point, 1 - point]
            penalty = penalty_part(policy, old, [prior, 1 - prior], 1, context)
            return reward_part(policy, old, rewards, 3, context) - weight * penalty

        return numerical_slope(value, at, context)

    found = context.findroot(own_slope, (prior / 2, 1 - (1 - prior) / 1000), solver="illinois", tol=1e-16)
    ratio = weight / context.sqrt(2)
    half = (1 - ratio) / 2
    return found, half + context.sqrt(half**2 + ratio * prior)


#: It exceeds 1 in groups of three already.
fixed_margin = real("m", "(0, oo)", "effective margin that the old policy fixes")


def reward_in_groups(members: int, given: Definitions) -> Expression:
    """The reward part for two answers with deterministic rewards, from the definition of the advantage."""
    best, worst = (substitute(expected_advantage(members, own, given), {s: x_old}) for own in (1, 0))
    return x * best + (1 - x) * worst


def expected_deviation(members: int, at: Expression = x) -> Expression:
    """B_G for an explicit group size."""
    return at * (1 - at) * effective_margin(members, at)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The equation for any group size, groups of three, four and five, and the distance to the limit."""
    yield claim(
        "vojnovic_yun_2025.finite-groups.stationary",
        "For groups of any size the policy solves one equation, in which only $B_G$ depends on the size",
        derivation=derive(
            eq(slope(objective(fixed_margin * (x - x_old), given)), 0),
            "the objective, with the effective margin that the old policy fixes",
            given=[eq(fixed_margin, gain / spread)],
        )
        .iff(eq(fixed_margin - beta * ((x - reference) / spread), 0), "differentiate, then put old = new")
        .iff(eq(beta * (x - reference), fixed_margin * spread), "multiply by $x(1-x)$")
        .iff(eq(beta * (x - reference), gain), "put in the margin"),
        equation="Section 2.3.1",
        beyond="one equation for the stationary policy at every group size",
    )
    in_groups = {
        members: claim(
            f"vojnovic_yun_2025.finite-groups.stationary.{members}",
            f"Groups of {members}: this equation, from the definition of the advantage",
            iff(
                eq(slope(objective(reward_in_groups(members, given), given)), 0),
                eq(beta * (x - reference), expected_deviation(members)),
            ),
        )
        for members in (3, 4)
    }
    yield from in_groups.values()
    yield from _groups_of_three(in_groups[3], given)
    yield from _between()
    yield from _distance()
    yield from _small_references(given)


def _groups_of_three(condition: Claim, given: Definitions) -> Iterator[Claim]:
    """Equation (14) once more, with another weight."""
    stationary, root = eq(slope(objective(reward_in_groups(3, given), given)), 0), pairs_root(sqrt(rational(2)))
    #: Another weight at the margin 1 is this margin.
    at = {beta: beta / sqrt(rational(2)), gamma: rational(1)}
    only, positive, below = (groups_of_two.claim(f"eq14.{name}") for name in ("factors", "positive", "below-one"))
    solved = claim(
        "vojnovic_yun_2025.finite-groups.3.solved",
        "Groups of three: stationarity, solved for the policy",
        derivation=derive(stationary, "stationary at itself")
        .iff(eq(beta * (x - reference), expected_deviation(3)), "the equation for $B_3$", using=[condition])
        .iff(eq(substitute(quadratic(x), at), 0), r"divide by $\sqrt{2}$; all terms to one side")
        .iff(eq(x, root), "the only solution that is not negative", using=[only.at({**at, any_number: x})]),
    )
    probability = claim(
        "vojnovic_yun_2025.finite-groups.3.probability",
        "The root is a probability, as in groups of two",
        both(gt(root, 0), lt(root, 1)),
        using=[positive.at(at), below.at(at)],
    )
    yield from (solved, probability)
    yield claim(
        "vojnovic_yun_2025.finite-groups.3",
        r"Groups of three: Equation (14) with $\beta/\sqrt{2}$ in the place of $\beta$",
        UniqueRoot(x, stationary, root),
        using=[solved, solved.at({x: root}), probability],
        oracle=Oracle("bisects the slope of the true objective for groups of three", root_by_bisection, digits=8),
        beyond="the stationary policy for groups of three in closed form",
    )


def _between() -> Iterator[Claim]:
    """For any size: unique, and larger in larger groups; for some sizes enclosed."""
    tangent = derive(
        gain + steepness * (reference - x),
        "the tangent of $B_G$ at $x$, taken at the reference",
        given=[gt(gain - x * steepness, 0), lt(reference, x)],
    )
    positive = claim(
        "vojnovic_yun_2025.finite-groups.tangent",
        "Where $B_G(x)/x$ falls, the tangent is positive between 0 and $x$",
        derivation=tangent.eq(
            reference / x * gain + (1 - reference / x) * (gain - x * steepness), "between its values at $x$ and at 0"
        ).gt(0, "both are positive"),
    )
    yield positive
    yield claim(
        "vojnovic_yun_2025.finite-groups.more-successes",
        "The more successes a group has, the smaller is the advantage of each",
        decreasing(sqrt((size - count) / count), count),
        given=[lt(count, size)],
    )
    yield claim(
        "vojnovic_yun_2025.finite-groups.unique",
        "If $B_G(x)/x$ falls, so does $B_G(x)/(x - r)$ above the reference; it equals the weight at one policy at most",
        derivation=derive(
            (steepness * (x - reference) - gain) / (x - reference) ** 2,
            "derivative of the quotient",
            given=[gt(gain - x * steepness, 0), lt(reference, x)],
        )
        .eq(-((gain + steepness * (reference - x)) / (x - reference) ** 2), "the tangent, with the other sign")
        .lt(0, "the tangent is positive", using=[positive]),
    )
    yield claim(
        "vojnovic_yun_2025.finite-groups.larger",
        "At the policy for smaller groups the quotient for larger groups is above the weight",
        derivation=derive(
            gain / (x - reference),
            "the quotient for larger groups",
            given=[eq(beta * (x - reference), smaller_gain), lt(smaller_gain, gain), lt(reference, x)],
        )
        .gt(smaller_gain / (x - reference), "larger groups have the larger expected deviation")
        .eq(beta, "the policy is stationary for smaller groups"),
        equation="Section 2.3.1, large groups compared with groups of two",
    )
    prior = rational(1, 4)
    for members, lower in ((4, 6289), (5, 6486)):
        yield claim(
            f"vojnovic_yun_2025.finite-groups.{members}.enclosed",
            f"Groups of {members}, weight 1, reference 1/4: the policy to four digits, the only one above 1/2",
            UniqueZero(
                x - prior - expected_standard_deviation(members, x),
                x,
                rational(lower, 10_000),
                rational(lower + 1, 10_000),
                increasing=True,
                lower=rational(1, 2),
            ),
        )
    for members, lower in ((8, 6749), (16, 6927)):
        named = define(f"B_{members}", (x,), expected_standard_deviation(members, x), latex=f"B_{{{members}}}")
        ends = [rational(lower + step, 10_000) for step in (0, 1)]
        below, above = (end - prior - named(end) for end in ends)
        yield claim(
            f"vojnovic_yun_2025.finite-groups.{members}.enclosed",
            f"Groups of {members}, weight 1, reference 1/4: the equation has a solution here, by a change of sign",
            both(lt(below, 0), gt(above, 0)),
        )


def _distance() -> Iterator[Claim]:
    """How far the policy for groups of size G lies from Equation (15)."""
    point = reference + (y - reference) * between
    root = sqrt(reference * (1 - reference))
    at_y = sqrt(y * (1 - y))
    squares = (1 - between) * first**2 + between * second**2
    mean_square = claim(
        "vojnovic_yun_2025.finite-groups.concave.square",
        "The mean of squares is at least the square of the mean",
        ge(squares, ((1 - between) * first + between * second) ** 2),
    )
    yield mean_square
    of_squares = claim(
        "vojnovic_yun_2025.finite-groups.concave.root",
        "The root of a mean of squares is at least the mean",
        derivation=derive(sqrt(squares), "root of a mean of squares")
        .ge(sqrt(((1 - between) * first + between * second) ** 2), "the root rises", using=[mean_square])
        .eq((1 - between) * first + between * second, "neither is negative"),
    )
    yield of_squares
    mean_spread = (1 - between) * (reference * (1 - reference)) + between * (y * (1 - y))
    spread_between = claim(
        "vojnovic_yun_2025.finite-groups.concave.spread",
        "$x(1-x)$ is concave",
        derivation=derive(point * (1 - point), "between two points")
        .eq(mean_spread + between * (1 - between) * (y - reference) ** 2, "multiply out")
        .ge(mean_spread, "a square is left out"),
    )
    yield spread_between
    concave = claim(
        "vojnovic_yun_2025.finite-groups.concave",
        r"$\sqrt{x(1-x)}$ is concave: between two points it lies nowhere below the chord",
        derivation=derive(sqrt(point * (1 - point)), "between two points", given=[gt(y, reference)])
        .ge(sqrt(mean_spread), "what is under the root is concave", using=[spread_between])
        .eq(sqrt((1 - between) * root**2 + between * at_y**2), "squares of roots")
        .ge((1 - between) * root + between * at_y, "a mean", using=[of_squares.at({first: root, second: at_y})]),
    )
    yield concave
    share = (x - reference) / (y - reference)
    at_share = Substitution(point, between, share)
    there = claim(
        "vojnovic_yun_2025.finite-groups.chord.point",
        "The point between at which the policy lies",
        eq(sqrt(at_share * (1 - at_share)), sqrt(spread)),
        given=[gt(x, reference), lt(x, y)],
    )
    yield there
    above = claim(
        "vojnovic_yun_2025.finite-groups.chord",
        "So between the reference and Equation (15) the two sides of the limiting equation differ by at least this",
        derivation=derive(
            sqrt(spread) - beta * (x - reference),
            "right side less left side of the limiting equation",
            given=[gt(x, reference), lt(x, y), eq(beta * (y - reference), at_y)],
        )
        .ge(
            (1 - share) * root + share * at_y - beta * (x - reference),
            r"$\sqrt{x(1-x)}$ is concave: at $x$ it lies nowhere below the chord from $r$ to $y$",
            using=[concave.at({between: share}), there],
        )
        .eq((1 - share) * root, r"$\beta(y - r) = \sqrt{y(1-y)}$, so the chord's part at $y$ is $\beta(x - r)$")
        .eq(root * (y - x) / (y - reference), "common denominator"),
    )
    yield above
    small = 1 / (2 * size * sqrt(spread))
    known = [
        gt(x, reference),
        lt(x, y),
        eq(beta * (y - reference), at_y),
        eq(gain, beta * (x - reference)),
        ge(gain, sqrt(spread) * (1 - 1 / (2 * size * spread))),
    ]
    product = claim(
        "vojnovic_yun_2025.finite-groups.chord.short.product",
        "The standard deviation, times the factor of its lower bound, multiplied out",
        eq(sqrt(spread) * (1 - 1 / (2 * size * spread)), sqrt(spread) - small),
    )
    yield product
    short = claim(
        "vojnovic_yun_2025.finite-groups.chord.short",
        "At the stationary policy they differ by no more than $1/(2G\\sqrt{x(1-x)})$",
        derivation=derive(root * (y - x) / (y - reference), "the chord's part at the reference", given=known)
        .le(sqrt(spread) - beta * (x - reference), "what the two sides differ by at least", using=[above])
        .eq(sqrt(spread) - gain, r"the policy is stationary: $\beta(x - r) = B_G(x)$")
        .le(small, r"$B_G(x) \geq \sqrt{x(1-x)} - 1/(2G\sqrt{x(1-x)})$", using=[product]),
    )
    yield short
    factor = (y - reference) / root
    positive = claim(
        "vojnovic_yun_2025.finite-groups.distance.factor",
        "This factor is positive, because the policy lies between the reference and Equation (15)",
        gt(factor, 0),
        given=known[:2],
    )
    times = claim(
        "vojnovic_yun_2025.finite-groups.distance.times",
        "An inequality may be multiplied by a positive number",
        le(lesser * positive_number, greater * positive_number),
        given=[le(lesser, greater)],
    )
    yield from (positive, times)
    chord = root * (y - x) / (y - reference)
    yield claim(
        "vojnovic_yun_2025.finite-groups.distance",
        r"A bound with the factor $1/G$ on the distance of the stationary policy to Equation (15)",
        derivation=derive(y - x, "the distance", given=known)
        .eq(root * (y - x) / (y - reference) * ((y - reference) / root), "times 1")
        .le(
            small * ((y - reference) / root),
            "both factors are positive",
            using=[short, positive, times.at({lesser: chord, greater: small, positive_number: factor})],
        )
        .eq((y - reference) / (2 * size * sqrt(spread) * root), "collect"),
        beyond="bounds how far the policy for finite groups is from Equation (15)",
    )


def _small_references(given: Definitions) -> Iterator[Claim]:
    """What is left of the policy as the reference probability tends to 0."""
    for members, constant in ((3, 2), (4, 4), (5, 6)):
        expected = substitute(expected_advantage(members, 1, given), {s: x})
        yield claim(
            f"vojnovic_yun_2025.finite-groups.{members}.rare",
            rf"Groups of {members}: a rare success has the expected advantage $\sqrt{{{members - 1}}}$ in the limit",
            tends_to(expected, sqrt(rational(members - 1)), x, to=0, side="+", constant=rational(constant)),
        )
        form = claim(
            f"vojnovic_yun_2025.finite-groups.{members}.common.form",
            f"Groups of {members}: the expected advantage of a success in closed form",
            derivation=derive(expected, "expected advantage of a success")
            .eq(expected_standard_deviation(members, x) / x, r"$x\,A^+ = B_G(x)$", using=[_margin(members)])
            .eq((1 - x) * effective_margin(members, x), "collect the powers"),
        )
        yield form
        falls = claim(
            f"vojnovic_yun_2025.finite-groups.{members}.common.slope",
            f"Groups of {members}: its derivative is negative",
            derivation=_falling(members, expected),
        )
        yield falls
        yield claim(
            f"vojnovic_yun_2025.finite-groups.{members}.common",
            f"Groups of {members}: it falls with the probability",
            decreasing(expected, x),
            using=[form, falls],
            equation="Section 2.3.1, continuity in the reference",
        )


def _margin(members: int) -> Lemma:
    """The expected advantages of a success and of a failure in terms of the expected standard deviation."""
    return closed_form.claim(f"binary-rewards.margin.{members}").at({s: x})


def _falling(members: int, expected: Expression) -> Chain:
    """The derivative of the expected advantage of a success, which is the effective margin times 1 - x."""
    closed = Derivative((1 - x) * effective_margin(members, x), x)
    if members == 3:
        line = derive(closed, "derivative of the closed form")
        return line.eq(-sqrt(rational(2)), "the margin is constant").lt(0, "its sign")
    line = derive(Derivative(unfold(expected), x), "expected advantage, over the number of successes among the others")
    line = line.eq(closed, "closed form")
    most, bend = {4: (sqrt(rational(3)), 2 * sqrt(rational(3)) - 3), 5: (rational(2), 6 - 2 * sqrt(rational(6)))}[
        members
    ]
    return (
        line.eq(-most + bend * ((1 - x) * (3 * x - 1)), "product rule")
        .le(-most + bend / 3, r"$(1-x)(3x-1) \leq \frac{1}{3}$")
        .lt(0, "compare the two numbers")
    )


def names() -> Iterator[Definition]:
    """The reward part for groups of three and of four, and the expected penalty."""
    for members in (3, 4):
        yield define(f"R_{members}", (), reward_in_groups(members, GRPO), latex=rf"\mathcal{{R}}_{members}")
    yield define("D", (), binary_penalty(x, x_old, reference))


policies = Result("Binary questions, groups of any size", paper, derivation, shorthands=names)
