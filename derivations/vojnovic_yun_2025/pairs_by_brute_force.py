"""Groups of two without algebra: every pair is enumerated and the real objective is differentiated numerically."""

from collections.abc import Mapping, Sequence

from grpo_symbolic.grpo.enumeration import Context, Number, penalty_part, reward_part, slope


def rewards(win: Number, loss: Number, context: Context) -> Sequence[Sequence[tuple[Number, Number]]]:
    """Answer b has reward 1; answer a has a higher one with probability ``win``, a lower one with ``loss``."""
    higher, equal, lower = context.mpf(2), context.one, context.zero
    return [[(higher, win), (equal, 1 - win - loss), (lower, loss)], [(equal, context.one)]]


def reward_beside_formula(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """The reward part of Equation (1) for pairs, and Equation (16)."""
    x, x_old, margin, loss = (values[name] for name in ("x", "x_old", "m", "loss"))
    outcomes = rewards(loss + margin, loss, context)
    return reward_part([x, 1 - x], [x_old, 1 - x_old], outcomes, 2, context), margin * (x - x_old)


def root_beside_formula(values: Mapping[str, Number], context: Context) -> tuple[Number, Number]:
    """Where the objective is stationary at itself, by bisection, and Equation (14)."""
    beta, gamma, reference = (values[name] for name in ("beta", "gamma", "r"))
    outcomes = rewards(gamma, context.zero, context)

    def own_slope(at: Number) -> Number:
        old = [at, 1 - at]

        def objective(x: Number) -> Number:
            policy = [x, 1 - x]
            penalty = penalty_part(policy, old, [reference, 1 - reference], 2, context)
            return reward_part(policy, old, outcomes, 2, context) - beta * penalty

        return slope(objective, at, context)

    found = context.findroot(own_slope, (reference / 2, 1 - (1 - reference) / 1000), solver="illinois", tol=1e-16)
    half = (1 - beta / gamma) / 2
    return found, half + context.sqrt(half**2 + beta / gamma * reference)
