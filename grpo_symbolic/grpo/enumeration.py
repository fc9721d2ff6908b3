"""The real thing by brute force: groups, advantages and objectives with no algebra shared with any derivation.

Policies are lists of probabilities over a few outputs. The reward of an output is a finite distribution,
a list of (reward, probability). Everything is enumerated: every group of outputs, every outcome of their
rewards. Numbers are those of an mpmath context, which the caller passes in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

#: A number of an mpmath context; mpmath ships no types.
Number: TypeAlias = Any
Context: TypeAlias = Any
Rewards: TypeAlias = Sequence[Sequence[tuple[Number, Number]]]
#: From the rewards of a group to the advantages of its members.
Advantages: TypeAlias = Callable[[Sequence[Number], Context], list[Number]]


def machine_numbers() -> Context:
    """Give the context of machine numbers, for oracles that need few digits and many operations."""
    from mpmath import fp  # here, because a derivation is imported long before an oracle is asked

    return fp


def advantages(rewards: Sequence[Number], context: Context) -> list[Number]:
    """The advantages in one group, 0 for all when the rewards are equal (Vojnovic and Yun, Eq. (2))."""
    size = len(rewards)
    centre = context.fsum(rewards) / size
    deviations = [reward - centre for reward in rewards]
    if all(reward == rewards[0] for reward in rewards):
        return [context.zero] * size
    spread = context.sqrt(context.fsum(item**2 for item in deviations) / size)
    return [item / spread for item in deviations]


def shifted_advantages(rewards: Sequence[Number], context: Context) -> list[Number]:
    """The advantages without scale normalisation: deviations from the mean (Vojnovic and Yun, Section 3)."""
    centre = context.fsum(rewards) / len(rewards)
    return [reward - centre for reward in rewards]


def outcomes(group: Sequence[int], rewards: Rewards) -> Iterator[tuple[list[Number], Number]]:
    """Every outcome of the rewards of a group of outputs, with its probability."""
    for drawn in product(*(rewards[output] for output in group)):
        yield [reward for reward, _ in drawn], prod(probability for _, probability in drawn)


def group_preference(
    policy: Sequence[Number],
    rewards: Rewards,
    size: int,
    context: Context,
    advantage: Advantages = advantages,
) -> list[Number]:
    """P_G(o | policy) for every output o: its expected advantage beside size - 1 outputs of the policy."""
    preferences = []
    for output in range(len(policy)):
        total = context.zero
        for others in product(range(len(policy)), repeat=size - 1):
            weight = prod(policy[other] for other in others)
            for drawn, chance in outcomes((output, *others), rewards):
                total += weight * chance * advantage(drawn, context)[0]
        preferences.append(total)
    return preferences


def reward_part(
    policy: Sequence[Number],
    old: Sequence[Number],
    rewards: Rewards,
    size: int,
    context: Context,
    advantage: Advantages = advantages,
) -> Number:
    """The reward part of the objective of Eq. (1) without clipping: expected importance-weighted advantage."""
    total = context.zero
    for group in product(range(len(old)), repeat=size):
        weight = prod(old[output] for output in group)
        for drawn, chance in outcomes(group, rewards):
            terms = zip(group, advantage(drawn, context), strict=True)
            total += weight * chance * context.fsum(policy[o] / old[o] * value for o, value in terms) / size
    return total


def penalty_part(
    policy: Sequence[Number], old: Sequence[Number], reference: Sequence[Number], size: int, context: Context
) -> Number:
    """The expected penalty of Eq. (1) over all groups drawn from the old policy."""
    total = context.zero
    for group in product(range(len(old)), repeat=size):
        weight = prod(old[output] for output in group)
        ratios = [reference[output] / policy[output] for output in group]
        total += weight * context.fsum(ratio - context.log(ratio) - 1 for ratio in ratios) / size
    return total


def slope(function: Callable[[Number], Number], at: Number, context: Context) -> Number:
    """The derivative by a fourth-order central difference, good to about a third of the working digits."""
    step = abs(at) * context.mpf(10) ** (-(context.dps // 5))
    outer = function(at - 2 * step) - function(at + 2 * step)
    inner = function(at + step) - function(at - step)
    return (outer + 8 * inner) / (12 * step)


def divergence(policy: Sequence[Number], other: Sequence[Number], context: Context) -> Number:
    """KL(policy || other) over the support of the policy."""
    return context.fsum(p * context.log(p / q) for p, q in zip(policy, other, strict=True) if p > 0)


def best_policy(
    advantage: Sequence[Number], reference: Sequence[Number], beta: Number, context: Context
) -> list[Number]:
    """The maximiser of E_policy[advantage] - beta KL(policy || reference), by Newton's method on the gradient.

    The unknowns are the log-ratios to the last output; the objective is strictly concave in the policy,
    so a stationary point is the maximiser.
    """

    def policy_of(logits: Sequence[Number]) -> list[Number]:
        weights = [context.exp(item) for item in (*logits, context.zero)]
        total = context.fsum(weights)
        return [weight / total for weight in weights]

    def gradient(*logits: Number) -> list[Number]:
        policy = policy_of(logits)
        pull = [
            value - beta * (context.log(p) - context.log(q))
            for value, p, q in zip(advantage, policy, reference, strict=True)
        ]
        return [item - pull[-1] for item in pull[:-1]]

    start = [context.log(item / reference[-1]) for item in reference[:-1]]
    logits = context.findroot(gradient, start)
    return policy_of(list(logits))
