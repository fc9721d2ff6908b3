"""Programs that share no algebra with the derivations: policies over two to six outputs, with rewards 0 and 1."""

from collections.abc import Mapping, Sequence

from grpo_symbolic.grpo.enumeration import Context, Number, best_policy, divergence

REWARDS = (1, 1, 0, 0)


def step_beside_map(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The success probability after one step, found by maximising, and the map h of Theorem 2."""
    old, reference, beta, epsilon = (values[name] for name in ("p", "p_ref", "beta", "epsilon"))
    damping = context.exp(-1 / (beta * context.sqrt(old * (1 - old) + epsilon)))
    return step(old, values, context), 1 / (1 + (1 - reference) / reference * damping)


def fixed_point_beside_reference(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """A fixed point of the iteration, from below and to six digits by bisection, and the reference."""
    low, high = context.zero, context.one
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if step(middle, values, context) > middle else (low, middle)
    return low, values["p_ref"]


def iterates_beside_map(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The success probability after three steps of maximising from the reference, and h applied three times.

    The number of outputs, their rewards and the reference policy vary with the point.
    """
    beta, epsilon, shape = values["beta"], values["epsilon"], int(1000 * values["p"])
    outputs = 2 + shape % 5
    rewards = [1, *(1 if shape >> number & 1 else 0 for number in range(outputs - 2)), 0]
    weights = [1 + number * number + shape % 7 for number in range(outputs)]
    reference = [context.mpf(weight) / sum(weights) for weight in weights]
    policy, mapped = reference, context.fdot(reference, rewards)
    odds = (1 - mapped) / mapped
    for _ in range(3):
        policy = best_policy(standardised(policy, rewards, epsilon, context), reference, beta, context)
        mapped = 1 / (1 + odds * context.exp(-1 / (beta * context.sqrt(mapped * (1 - mapped) + epsilon))))
    return context.fdot(policy, rewards), mapped


def value_beside_formula(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The best value of the objective, found by maximising, and the logarithm of the sum of Theorem 1.

    The size of the advantages and the reference policy vary with the point; the advantages are of moderate size.
    """
    scale = 3 * values["A"] / (1 + abs(values["A"]))
    beta = values["beta"] / (1 + values["beta"]) + context.mpf(1) / 5
    shape = int(1000 * values["pi_ref"])
    outputs = 2 + shape % 5
    advantages = [scale * ((shape * (number + 2)) % 7 - 3) / 3 for number in range(outputs)]
    weights = [1 + (shape * (number + 3)) % 11 for number in range(outputs)]
    reference = [context.mpf(weight) / sum(weights) for weight in weights]
    best = best_policy(advantages, reference, beta, context)
    found = context.fdot(best, advantages) - beta * divergence(best, reference, context)
    tilted = context.fsum(q * context.exp(value / beta) for q, value in zip(reference, advantages, strict=True))
    return found, beta * context.log(tilted)


def standardised(policy: Sequence[Number], rewards: Sequence[int], epsilon: Number, context: Context) -> list[Number]:
    """The smoothed advantages of all outputs under a policy: deviations from the mean over the standard deviation."""
    mean = context.fdot(policy, rewards)
    variance = context.fsum(share * (reward - mean) ** 2 for share, reward in zip(policy, rewards, strict=True))
    scale = context.sqrt(variance + epsilon)
    return [(reward - mean) / scale for reward in rewards]


def step(success: Number, values: Mapping[str, Number], context: Context) -> Number:
    """The success probability of the policy that maximises expected advantage minus weighted divergence."""
    old = [success / 2, success / 2, (1 - success) / 5, (1 - success) * 4 / 5]
    reference = values["p_ref"]
    base = [reference / 3, reference * 2 / 3, (1 - reference) / 4, (1 - reference) * 3 / 4]
    best = best_policy(standardised(old, REWARDS, values["epsilon"], context), base, values["beta"], context)
    return context.fdot(best, REWARDS)
