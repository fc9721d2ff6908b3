"""Equations (12), (13), (17) and (19) without algebra: slopes of the real objective for pairs and for large groups."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial, prod

from derivations.vojnovic_yun_2025.pairs_by_brute_force import rewards as binary_rewards
from derivations.vojnovic_yun_2025.reward_by_enumeration import policies, random_rewards
from grpo_symbolic.grpo.enumeration import Context, Number, machine_numbers, outcomes, penalty_part, reward_part, slope

#: Groups from which the limit of large groups is extrapolated, each twice as large as the one before.
GROUPS = (24, 48, 96)
Reward = Callable[[Sequence[Number]], Number]


def equation_12_beside_slope(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The slope of the true objective for pairs, at a policy whose reference is that of Equation (12), beside 0."""
    policy, _ = policies(values, context)
    rewards = random_rewards(values, context)
    leads = []
    for own in range(len(policy)):
        lead = context.zero
        for other, share in enumerate(policy):
            for (mine, theirs), chance in outcomes((own, other), rewards):
                lead += share * chance * ((mine > theirs) - (mine < theirs))
        leads.append(lead)
    weight = 2 + abs(values["beta"])

    def reward(new: Sequence[Number]) -> Number:
        return reward_part(new, policy, rewards, 2, context)

    reference = [(1 - lead / weight) * share for lead, share in zip(leads, policy, strict=True)]
    return slope_along(policy, reference, weight, reward, context), context.zero


def equation_13_beside_slope(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The slope of the true objective for large groups, at a policy whose reference is that of Equation (13)."""
    policy = [float(share) for share in policies(values, context)[0]]
    rewards = [0.0, 1.0, 3.0]
    mean = sum(share * reward for share, reward in zip(policy, rewards, strict=True))
    variance = sum(share * (reward - mean) ** 2 for share, reward in zip(policy, rewards, strict=True))
    weight = 4 + float(values["beta"]) / (1 + float(values["beta"]))
    scale = weight * variance**0.5
    reference = [(1 - (reward - mean) / scale) * share for reward, share in zip(rewards, policy, strict=True)]

    coefficients = extrapolated(policy, rewards)

    def reward_of(new: Sequence[Number]) -> Number:
        return machine_numbers().fdot(new, coefficients)

    return context.mpf(slope_along(policy, reference, weight, reward_of, machine_numbers())), context.zero


def equation_17_beside_slope(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The slope of the true objective for pairs of two answers, beside the margin minus the left side of (17)."""
    weight, at, prior, margin = (values[name] for name in ("beta", "x", "r", "m"))
    outcomes_of = binary_rewards((1 + margin) / 2, (1 - margin) / 2, context)

    def value(x: Number) -> Number:
        penalty = penalty_part([x, 1 - x], [at, 1 - at], [prior, 1 - prior], 1, context)
        return reward_part([x, 1 - x], [at, 1 - at], outcomes_of, 2, context) - weight * penalty

    return slope(value, at, context), margin - weight * (at - prior) / (at * (1 - at))


def equation_19_beside_slope(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The slope of the true objective for large groups of two answers, beside what vanishes where (19) holds."""
    weight, prior = (float(values[name]) for name in ("beta", "r"))
    at = 0.3 + 0.4 * float(values["x"])
    old, reference = [at, 1 - at], [prior, 1 - prior]
    coefficients = extrapolated(old, [1.0, 0.0])
    machine = machine_numbers()

    def value(x: Number) -> Number:
        return machine.fdot([x, 1 - x], coefficients) - weight * penalty_part([x, 1 - x], old, reference, 1, machine)

    spread = (at * (1 - at)) ** 0.5
    right = (spread - weight * (at - prior)) / (at * (1 - at))
    return context.mpf(slope(value, at, machine)), context.mpf(right)


def slope_along(
    policy: Sequence[Number], reference: Sequence[Number], weight: Number, reward: Reward, context: Context
) -> Number:
    """The slope of the objective in one direction along the simplex of three outputs; the policy is the old one."""

    def along(step: Number) -> Number:
        moved = [share + (step - 1) * change for share, change in zip(policy, (1, -3, 2), strict=True)]
        return reward(moved) - weight * penalty_part(moved, policy, reference, 1, context)

    return slope(along, context.one, context)


def extrapolated(old: Sequence[float], rewards: Sequence[float]) -> list[float]:
    """What multiplies the policy's probabilities in the reward part of Equation (1), in the limit of large groups."""
    sizes = [by_counts(old, rewards, size) for size in GROUPS]
    return [(small - 6 * middle + 8 * large) / 3 for small, middle, large in zip(*sizes, strict=True)]


def by_counts(old: Sequence[float], rewards: Sequence[float], size: int) -> list[float]:
    """The same for groups of one size, by how often each output occurs in a group; rewards are deterministic."""
    found = [0.0] * len(old)
    for counts in compositions(size, len(old)):
        centre = sum(n * reward for n, reward in zip(counts, rewards, strict=True)) / size
        deviation = (sum(n * (reward - centre) ** 2 for n, reward in zip(counts, rewards, strict=True)) / size) ** 0.5
        if deviation == 0:
            continue
        ways = factorial(size) // prod(map(factorial, counts))
        chance = ways * prod(share**n for share, n in zip(old, counts, strict=True))
        for output, (n, share, reward) in enumerate(zip(counts, old, rewards, strict=True)):
            found[output] += chance * (n / size) / share * (reward - centre) / deviation
    return found


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of numbers that are not negative."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)
