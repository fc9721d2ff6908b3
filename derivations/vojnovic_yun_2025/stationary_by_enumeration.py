"""Stationary policies without algebra: the true objective, its slopes, and groups so large that the limit shows."""

from collections.abc import Callable, Mapping, Sequence
from math import comb, exp, fsum, lgamma, log, log1p, sqrt

from derivations.vojnovic_yun_2025.pairs_by_brute_force import rewards as pairs
from derivations.vojnovic_yun_2025.reward_by_enumeration import group_size, policies, random_rewards
from grpo_symbolic.grpo.enumeration import Context, Number, group_preference, penalty_part, reward_part, slope

#: Groups from whose values the limit is extrapolated, and a group close to the limit.
NEAR_LIMIT = 400


def equation_11_beside_slope(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The slope of the true objective along the simplex, at a policy that satisfies Equation (11), beside 0."""
    policy, _ = policies(values, context)
    rewards, size = random_rewards(values, context), group_size(values)
    preferences = group_preference(policy, rewards, size, context)
    weight = 2 * max(abs(item) for item in preferences)
    reference = [(1 - gain / weight) * share for gain, share in zip(preferences, policy, strict=True)]
    direction = [context.one, -3 * context.one, 2 * context.one]

    def along(step: Number) -> Number:
        moved = [share + (step - 1) * change / 100 for share, change in zip(policy, direction, strict=True)]
        penalty = penalty_part(moved, policy, reference, 1, context)
        return reward_part(moved, policy, rewards, size, context) - weight * penalty

    return slope(along, context.one, context), context.zero


def margin_by_summation(success: Number, members: int, context: Context) -> Number:
    """Expected advantage of a success minus that of a failure, summed over the successes among the others.

    Machine numbers are enough for the two digits to which a large group agrees with the limit.
    """
    share, terms = float(success), []
    for others in range(members):
        ways = lgamma(members) - lgamma(others + 1) - lgamma(members - others)
        chance = exp(ways + others * log(share) + (members - 1 - others) * log1p(-share))
        terms.append(chance * (sqrt((members - 1 - others) / (others + 1)) + sqrt(others / (members - others))))
    return context.mpf(fsum(terms))


def reward_beside_equation_18(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The reward part for a large group, and the corrected Equation (18)."""
    new, old = values["x"], values["x_old"]
    sign = 1 if values["r_a"] > values["r_b"] else -1
    limit = sign * (new - old) / context.sqrt(old * (1 - old))
    return sign * (new - old) * margin_by_summation(old, 4 * NEAR_LIMIT, context), limit


def root_beside_equation_15(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """Where the slope of the objective for a large group vanishes, by bisection, and Equation (15)."""
    weight, prior = values["beta"], values["r"]

    def own_slope(at: Number) -> Number:
        pull = weight * (at - prior) / (at * (1 - at))
        return margin_by_summation(at, NEAR_LIMIT, context) - pull

    found = bisected(own_slope, prior, context)
    radical = context.sqrt(1 + 4 * weight**2 * prior * (1 - prior))
    return found, (2 * weight**2 * prior + 1 + radical) / (2 * (1 + weight**2))


def maximum_beside_grid(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The true objective for pairs at Equation (14), the old policy held there, and its largest value on a grid."""
    weight, margin = values["beta"], values["gamma"]
    prior = (2 + 23 * values["r"]) / 25
    half = (1 - weight / margin) / 2
    best = half + context.sqrt(half**2 + weight / margin * prior)
    outcomes = pairs(margin, context.zero, context)

    def value(point: Number) -> Number:
        policy, old = [point, 1 - point], [best, 1 - best]
        penalty = penalty_part(policy, old, [prior, 1 - prior], 1, context)
        return reward_part(policy, old, outcomes, 2, context) - weight * penalty

    return value(best), max(value(context.mpf(step) / 64) for step in range(1, 64))


def bisected(function: Callable[[Number], Number], low: Number, context: Context) -> Number:
    """The zero of a function between ``low``, where it is positive, and 1, to three digits."""
    high = context.one
    for _ in range(11):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def large_groups_beside_limit(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """An expected advantage over three outputs, extrapolated from groups of 20 and 40, beside its limit."""
    policy, _ = policies(values, context)
    rewards = [context.zero, context.one, 3 * context.one]
    mean = context.fdot(policy, rewards)
    variance = context.fsum(share * (reward - mean) ** 2 for share, reward in zip(policy, rewards, strict=True))
    small, large = (preference_by_counts(policy, rewards, size, context) for size in (20, 40))
    return 2 * large - small, (rewards[2] - mean) / context.sqrt(variance)


def preference_by_counts(
    policy: Sequence[Number], rewards: Sequence[Number], size: int, context: Context, output: int = 2
) -> Number:
    """The expected advantage of one of three outputs, by how often each output occurs among the others."""
    total = context.zero
    for first in range(size):
        for second in range(size - first):
            third = size - 1 - first - second
            counts = [count + (own == output) for own, count in enumerate((first, second, third))]
            ways = comb(size - 1, first) * comb(size - 1 - first, second)
            weight = ways * policy[0] ** first * policy[1] ** second * policy[2] ** third
            mean = context.fdot(counts, rewards) / size
            squares = context.fsum(n * (reward - mean) ** 2 for n, reward in zip(counts, rewards, strict=True))
            if squares > 0:
                total += weight * (rewards[output] - mean) / context.sqrt(squares / size)
    return total
