"""The reward part of Equation (1) without algebra: every group and every outcome of its rewards is enumerated."""

from collections.abc import Mapping, Sequence

from grpo_symbolic.grpo.enumeration import Context, Number, group_preference, outcomes, reward_part, shifted_advantages


def parameters(values: Mapping[str, Number], context: Context) -> tuple[Number, ...]:
    """Three numbers in [0, 1] that vary with the values of a claim's symbols."""
    total = context.fsum(abs(value) for value in values.values())
    return tuple(total * factor - context.floor(total * factor) for factor in (1, 3, 7))


def policies(values: Mapping[str, Number], context: Context) -> tuple[list[Number], list[Number]]:
    """A policy and an old policy over three outputs."""
    first, second, third = parameters(values, context)
    weights = ([1 + first, 2 + second, 2 - third], [2 - second, 1 + third, 1 + first])
    new, old = ([item / context.fsum(row) for item in row] for row in weights)
    return new, old


def random_rewards(values: Mapping[str, Number], context: Context) -> Sequence[Sequence[tuple[Number, Number]]]:
    """Rewards of three outputs, two of them random, with ties between outputs and within one."""
    first, second, _ = parameters(values, context)
    one, half = context.one, context.one / 2
    return [
        [(one, first), (-one, 1 - first)],
        [(one, second), (context.zero, (1 - second) / 2), (3 + first, (1 - second) / 2)],
        [(half, one)],
    ]


def group_size(values: Mapping[str, Number]) -> int:
    """A group size of 2, 3 or 4."""
    return 2 + int(10 * sum(abs(value) for value in values.values())) % 3


def reward_beside_equation_6(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The reward part, and the expectation of the expected advantages over the policy."""
    new, old = policies(values, context)
    rewards, size = random_rewards(values, context), group_size(values)
    preferences = group_preference(old, rewards, size, context)
    return reward_part(new, old, rewards, size, context), context.fdot(new, preferences)


def pairs_beside_wins(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The reward part for pairs, and wins minus losses against outputs of the old policy."""
    new, old = policies(values, context)
    rewards = random_rewards(values, context)
    difference = context.zero
    for mine, share in enumerate(new):
        for theirs, weight in enumerate(old):
            for (first, second), chance in outcomes((mine, theirs), rewards):
                difference += share * weight * chance * ((first > second) - (first < second))
    return reward_part(new, old, rewards, 2, context), difference


def shifted_beside_means(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The reward part without scale normalisation, and the scaled difference of the expected rewards."""
    new, old = policies(values, context)
    rewards, size = random_rewards(values, context), group_size(values)
    means = [context.fsum(reward * chance for reward, chance in item) for item in rewards]
    gain = context.fdot(new, means) - context.fdot(old, means)
    return reward_part(new, old, rewards, size, context, shifted_advantages), (1 - context.one / size) * gain
