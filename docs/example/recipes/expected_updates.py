r"""The expected update of five recipes, for rewards that are 0 or 1.

A group of $G$ outputs $o_1, \dots, o_G$ is drawn from the policy $\pi$, and the update is $\frac1G \sum_i A_i \nabla
\log \pi(o_i)$. Its expectation is $\sum_o \nabla\pi(o)\, \mathbb{E}[A_i \mid o_i = o]$. If an output is right or
wrong, this is $w(p)\, \nabla p$ with the probability $p$ of a right answer and a weight $w(p) = \mathbb{E}[A_i \mid r_i
= 1] - \mathbb{E}[A_i \mid r_i = 0]$. So each recipe ascends an objective with the slope $w$:

- the mean of the group as the baseline gives $w = 1 - 1/G$ (`mean-only`), and that of the others $w = 1$
  (`leave-one-out`), for every $G$;
- dividing by the standard deviation of the group gives $w = 1$ for pairs, $\sqrt 2$ for groups of three
  (`standardised.3`) and a polynomial in $p(1-p)$ beyond;
- the largest reward minus the second largest one, for the best member alone, gives $w = (1-p)^{G-1}$ (`best-alone.4`):
  up to a factor $G$ the slope of the probability that some answer of the group is right.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from grpo_symbolic import (
    Claim,
    Expression,
    Group,
    IndexSet,
    Paper,
    Result,
    Total,
    binary,
    claim,
    derive,
    eq,
    maximum,
    minimum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.language.expression import Scalar

paper = Paper("recipes", "the authors of the recipes", "Five ways to use a group", "as their papers and programs write")

MEMBERS = IndexSet("member", "members", "i")
OUTPUTS = IndexSet("output", "outputs", "o")
r = real("r", "[0, 1]", "reward of a member of the group", latex="r_{index}", indexed=MEMBERS)
right = real("s", "[0, 1]", "probability that an output is right", latex="s({index})", indexed=OUTPUTS)
slope = real("d", "(-oo, oo)", "slope of an output's probability", latex=r"\nabla\pi({index})", indexed=OUTPUTS)
p = real("p", "(0, 1)", "probability of a right answer")
rise = real("dp", "(-oo, oo)", "slope of the probability of a right answer", latex=r"\nabla p")
G = real("G", "[2, oo)", "number of members of a group")
q = 1 - p
SIZES = (2, 3, 4, 8)


@dataclass(frozen=True)
class Recipe:
    """The advantage of a member of a group, 0 where only ``mixed`` groups count, and the weights by group size."""

    name: str
    title: str
    advantage: Callable[[Group], Expression]
    weights: Mapping[int, Expression]
    mixed: bool = False
    any_size: Expression | None = None


def standardised(group: Group) -> Expression:
    """The deviation from the mean, in standard deviations of the group (Vojnovic and Yun, Eq. (2))."""
    return (r - group.mean) / sqrt(group.variance)


def with_bessel(group: Group) -> Expression:
    """The same with Bessel's correction, as most programs compute it."""
    return (r - group.mean) / sqrt(group.sample_variance)


def best_alone(group: Group) -> Expression:
    """For the best member, by how much it is better than the second best; these are 1 or 0."""
    largest, second = minimum(1, Total(r)), minimum(1, maximum(Total(r) - 1, 0))
    return r * (largest - second)


def root(number: int) -> Expression:
    """The root of a whole number."""
    return sqrt(rational(number))


OF_STANDARDISED: Mapping[int, Expression] = {
    2: rational(1),
    3: root(2),
    4: root(3) - (2 * root(3) - 3) * p * q,
    8: root(7) * (p**6 + q**6)
    + 7 * root(3) * p * q * (p**4 + q**4)
    + 7 * root(15) * p**2 * q**2 * (p**2 + q**2)
    + 35 * p**3 * q**3,
}
RECIPES = (
    Recipe("standardised", "Standard deviation with divisor $G$", standardised, OF_STANDARDISED, mixed=True),
    Recipe(
        "bessel",
        "Standard deviation with divisor $G - 1$",
        with_bessel,
        {n: sqrt(rational(n - 1, n)) * weight for n, weight in OF_STANDARDISED.items()},
        mixed=True,
    ),
    Recipe(
        "mean-only",
        "The mean of the group as the baseline",
        lambda group: r - group.mean,
        {n: rational(n - 1, n) for n in SIZES},
        any_size=1 - 1 / G,
    ),
    Recipe(
        "leave-one-out",
        "The mean of the others as the baseline",
        lambda group: r - group.others_mean,
        dict.fromkeys(SIZES, rational(1)),
        any_size=rational(1),
    ),
    Recipe("best-alone", "Largest minus second largest reward", best_alone, {n: q ** (n - 1) for n in SIZES}),
)


def derivation() -> Iterator[Claim]:
    """Every recipe for every size, and for all sizes where there is a closed form."""
    for recipe in RECIPES:
        for size, weight in recipe.weights.items():
            title = f"{recipe.title}, groups of {size}"
            yield update(recipe, f"recipes.{recipe.name}.{size}", title, size, weight)
        if recipe.any_size is not None:
            yield update(recipe, f"recipes.{recipe.name}", f"{recipe.title}, groups of any size", G, recipe.any_size)


def update(recipe: Recipe, id: str, title: str, size: Scalar, weight: Expression) -> Claim:
    """The expected update, from the advantage to a weight times the slope of the success probability."""
    group = Group(r, size, binary(p))
    advantage = recipe.advantage(group)
    expected, of_right, of_wrong = (
        group.expectation(advantage, given=own, mixed=recipe.mixed) for own in (binary(right), 1, 0)
    )
    return claim(
        id,
        title,
        derivation=derive(
            Total(slope * expected),
            r"$\pi \nabla \log \pi = \nabla \pi$, and all members contribute alike",
            given=[eq(Total(slope), 0), eq(Total(slope * right), rise)],
        )
        .eq(Total(slope * (right * of_right + (1 - right) * of_wrong)), "a right answer, or a wrong one")
        .eq((of_right - of_wrong) * rise, "the probabilities sum to 1, so their slopes sum to 0")
        .eq(weight * rise, "count the right answers among the others"),
    )


updates = Result("The expected update of five recipes", paper, derivation)
