r"""A question with three outputs, groups of two: symbols, and the objective from its definition."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add

from derivations.vojnovic_yun_2025.binary_question import beta
from grpo_symbolic import Derivative, Expression, Substitution, attracts, define, real
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import Definition, substitute
from grpo_symbolic.language.nearby import FixedPoint

pi_1, pi_2 = (
    real(f"pi_{n}", "(0, 1)", f"probability of output {n} under the policy", latex=rf"\pi_{n}") for n in (1, 2)
)
old_1, old_2 = (
    real(f"old_{n}", "(0, 1)", f"probability of output {n} under the old policy", latex=rf"\pi_{{\mathrm{{old}},{n}}}")
    for n in (1, 2)
)
ref_1, ref_2 = (
    real(f"ref_{n}", "(0, 1)", f"reference probability of output {n}", latex=rf"\pi_{{\mathrm{{ref}},{n}}}")
    for n in (1, 2)
)
next_1, next_2 = (
    real(
        f"next_{n}",
        "(0, 1)",
        f"probability of output {n} under another policy, such as the next one",
        latex=rf"\pi'_{n}",
    )
    for n in (1, 2)
)
margins = {
    (i, j): real(f"g_{i}{j}", "[-1, 1]", f"margin by which output {i} beats output {j}", latex=rf"\gamma_{{{i}{j}}}")
    for i, j in ((1, 2), (1, 3), (2, 3))
}
policy: tuple[Expression, ...] = (pi_1, pi_2, 1 - pi_1 - pi_2)
old: tuple[Expression, ...] = (old_1, old_2, 1 - old_1 - old_2)
reference: tuple[Expression, ...] = (ref_1, ref_2, 1 - ref_1 - ref_2)
#: The margin of the first output over the second, plus that of the second over the third, and of the third over the
#: first; it is 0 if the margins are differences.
circulation = margins[1, 2] + margins[2, 3] - margins[1, 3]


def advantages(shares: Sequence[Expression]) -> tuple[Expression, ...]:
    """The expected advantage of each output beside one output of a policy with these probabilities."""
    first, second, third = shares
    return (
        margins[1, 2] * second + margins[1, 3] * third,
        margins[2, 3] * third - margins[1, 2] * first,
        -(margins[1, 3] * first) - margins[2, 3] * second,
    )


def objective(given: Definitions = GRPO) -> Expression:
    """The reward part, linear in the old policy for groups of two, minus the weighted penalty."""
    rewards = [share * gain for share, gain in zip(policy, advantages(old), strict=True)]
    penalties = [given.penalty(*item) for item in zip(policy, old, reference, strict=True)]
    return reduce(add, rewards) - beta * reduce(add, penalties)


def beside(given: Definitions = GRPO) -> Expression:
    """The objective of another policy, while the old policy is the policy."""
    return substitute(objective(given), {pi_1: next_1, pi_2: next_2, old_1: pi_1, old_2: pi_2})


def updates_attract(given: Definitions = GRPO) -> FixedPoint:
    """Updates from nearby lead back to the policy: each goes to the stationary policy beside the old one."""
    other = substitute(objective(given), {pi_1: next_1, pi_2: next_2})
    steps = {old_1: Derivative(other, next_1), old_2: Derivative(other, next_2)}
    return attracts(steps, (pi_1, pi_2), next_values=[next_1, next_2])


def jury(given: Definitions = GRPO) -> tuple[Expression, ...]:
    """What is positive if both zeros of the characteristic polynomial of updates lie in the unit disc, by Jury.

    Its leading coefficient, the determinant of the derivatives of the slopes by the next policy, comes first; then,
    times that: its values at 1 and -1, and the leading coefficient less the constant.
    """
    other = substitute(objective(given), {pi_1: next_1, pi_2: next_2})
    (a, b, e, f), (c, d, g, h) = (
        [_at_policy(Derivative(Derivative(other, slope), by)) for by in (old_1, old_2, next_1, next_2)]
        for slope in (next_1, next_2)
    )
    leading, constant, middle = e * h - f * g, a * d - b * c, e * d + a * h - f * c - b * g
    at_one, at_minus_one = leading + middle + constant, leading - middle + constant
    return leading, leading * at_one, leading * at_minus_one, leading * (leading - constant)


def first_order(given: Definitions = GRPO) -> tuple[Expression, Expression, Expression]:
    """Both slopes of the objective where all three policies agree, and the derivative of the first by itself."""
    other = substitute(objective(given), {pi_1: next_1, pi_2: next_2})
    first, second = Derivative(other, next_1), Derivative(other, next_2)
    return _at_policy(first), _at_policy(second), _at_policy(Derivative(first, next_1))


def _at_policy(slope: Expression) -> Expression:
    for symbol, value in zip((old_1, old_2, next_1, next_2), (pi_1, pi_2) * 2, strict=True):
        slope = Substitution(slope, symbol, value)
    return slope


def characteristic_coefficients(
    gains: Sequence[Expression], turning: Expression
) -> tuple[Expression, Expression, Expression]:
    """What multiplies 1, mu and mu^2 in the characteristic polynomial of repeated updates.

    ``gains`` are the expected advantages, with mean 0, and ``turning`` is the circulation of the margins.
    """
    first, second, third = gains
    total = first + second + third
    pairs = policy[0] * second * third + policy[1] * first * third + policy[2] * first * second
    constant = pairs + turning**2 * policy[0] * policy[1] * policy[2]
    return constant, beta * total - 4 * pairs, beta**2 - 2 * beta * total + 4 * pairs


def third_shares() -> Iterator[Definition]:
    """The third probability of each policy, for the page."""
    for name, shares, latex in (
        ("pi_3", policy, r"\pi_3"),
        ("old_3", old, r"\pi_{\mathrm{old},3}"),
        ("ref_3", reference, r"\pi_{\mathrm{ref},3}"),
    ):
        yield define(name, (), shares[2], latex=latex)


def names(given: Definitions = GRPO) -> Iterator[Definition]:
    """Names for the page: the third probabilities, the advantages and what is made of them, and the objective."""
    yield from third_shares()
    gains = advantages(policy)
    for number, gain in enumerate(gains, 1):
        yield define(f"P_{number}", (), gain, latex=rf"\mathcal{{P}}_{number}")
    yield define("Pi", (), gains[0] + gains[1] + gains[2], latex=r"\Pi")
    pairs = policy[0] * gains[1] * gains[2] + policy[1] * gains[0] * gains[2] + policy[2] * gains[0] * gains[1]
    yield define("Q", (), pairs)
    yield define("J", (pi_1, pi_2, old_1, old_2), objective(given))
