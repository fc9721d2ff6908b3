"""Repeated updates without algebra: the old policy is held fixed and the real objective is solved numerically."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from grpo_symbolic.grpo.enumeration import Context, Number, machine_numbers, penalty_part, slope

Policy = Sequence[Number]


def pair_rewards(policy: Policy, old: Policy, margins: Mapping[tuple[int, int], Number], context: Context) -> Number:
    """The reward part of Equation (1) over all pairs: the expected advantages in a pair are opposite margins."""
    total = context.zero
    for first, second in product(range(3), repeat=2):
        margin = margins.get((first, second), -margins.get((second, first), context.zero))
        weighted = policy[first] / old[first] - policy[second] / old[second]
        total += old[first] * old[second] * margin * weighted / 2
    return total


def update(old: Policy, objective: Callable[[Policy, Policy], Number], start: Policy, context: Context) -> list[Number]:
    """Where the slopes along the simplex vanish, beside ``start``, at an old policy over three outputs."""

    def along(axis: int, point: Sequence[Number]) -> Number:
        def value(at: Number) -> Number:
            moved = list(point)
            moved[axis] = at
            return objective([*moved, 1 - moved[0] - moved[1]], old)

        return slope(value, point[axis], context)

    return list(context.findroot(lambda *point: [along(axis, point) for axis in range(2)], list(start[:2])))


def characteristic_by_iteration(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The characteristic polynomial of an update near a stationary policy, and the quadratic over its first term.

    The weight is so large that the policy is a strict local maximum. Machine numbers are enough for six digits.
    """
    found = _characteristic({name: float(value) for name, value in values.items()}, machine_numbers())
    return context.mpf(found[0]), context.mpf(found[1])


def _characteristic(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    shares = [values["pi_1"] + context.one / 4, values["pi_2"] + context.one / 4, context.one / 2]
    policy = [share / context.fsum(shares) for share in shares]
    margins = {(i, j): values[f"g_{i + 1}{j + 1}"] for i, j in ((0, 1), (0, 2), (1, 2))}
    weight = 3 + 1 / (1 + values["beta"])
    mu = values["mu"] / (1 + abs(values["mu"]))

    gains = [
        context.fsum(
            share * margins.get((own, other), -margins.get((other, own), context.zero))
            for other, share in enumerate(policy)
        )
        for own in range(3)
    ]
    reference = [(1 - gain / weight) * share for gain, share in zip(gains, policy, strict=True)]

    def objective(new: Policy, old: Policy) -> Number:
        return pair_rewards(new, old, margins, context) - weight * penalty_part(new, old, reference, 1, context)

    step = min(policy) / 1000
    columns = []
    for axis in range(2):
        ends = []
        for sign in (1, -1):
            moved = list(policy)
            moved[axis] += sign * step
            moved[2] -= sign * step
            ends.append(update(moved, objective, policy, context))
        columns.append([(ahead - behind) / (2 * step) for ahead, behind in zip(*ends, strict=True)])
    found = (columns[0][0] - mu) * (columns[1][1] - mu) - columns[0][1] * columns[1][0]
    total = context.fsum(gains)
    pairs = policy[0] * gains[1] * gains[2] + policy[1] * gains[0] * gains[2] + policy[2] * gains[0] * gains[1]
    turning = margins[0, 1] + margins[1, 2] - margins[0, 2]
    last = pairs + turning**2 * policy[0] * policy[1] * policy[2]
    first = weight**2 - 2 * weight * total + 4 * pairs
    return found, (first * mu**2 + (weight * total - 4 * pairs) * mu + last) / first
