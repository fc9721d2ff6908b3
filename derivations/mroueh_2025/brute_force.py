"""Programs that share no algebra with the derivations: a policy over four outputs, of which two succeed."""

from collections.abc import Mapping

from grpo_symbolic.oracle import Context, Number, best_policy

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


def step(success: Number, values: Mapping[str, Number], context: Context) -> Number:
    """The success probability of the policy that maximises expected advantage minus weighted divergence."""
    old = [success / 2, success / 2, (1 - success) / 5, (1 - success) * 4 / 5]
    reference = values["p_ref"]
    base = [reference / 3, reference * 2 / 3, (1 - reference) / 4, (1 - reference) * 3 / 4]
    mean = context.fdot(old, REWARDS)
    variance = context.fsum(share * (reward - mean) ** 2 for share, reward in zip(old, REWARDS, strict=True))
    scale = context.sqrt(variance + values["epsilon"])
    best = best_policy([(reward - mean) / scale for reward in REWARDS], base, values["beta"], context)
    return context.fdot(best, REWARDS)
