"""A question with two answers, a and b: symbols, reward parts and objective from the definitions.

The policies are described by their probabilities of answer a, which is the more rewarding one.
"""

from collections.abc import Sequence

from grpo_symbolic import Derivative, Expression, Substitution, attracts, real
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, group_advantage
from grpo_symbolic.language.expression import substitute
from grpo_symbolic.language.nearby import FixedPoint

x = real("x", "(0, 1)", "probability of answer a under the policy")
x_old = real("x_old", "(0, 1)", "probability of answer a under the old policy", latex=r"x_{\mathrm{old}}")
reference = real("r", "(0, 1)", "probability of answer a under the reference policy")
following = real("x_next", "(0, 1)", "probability of answer a under another policy, such as the next one", latex="x'")
beta = real("beta", "(0, oo)", "weight of the divergence penalty", latex=r"\beta")
gamma = real("gamma", "(0, 1]", "confidence margin of answer a, where it is positive", latex=r"\gamma")
margin = real("m", "[-1, 1]", "confidence margin of answer a, of any sign")
loss = real("loss", "[0, 1]", "probability that answer b has the higher reward", latex=r"\mathcal{P}(b \succ a)")
low = real("low", "(-oo, oo)", "lower one of two rewards", latex="v")
gap = real("gap", "(0, oo)", "by how much the other reward is higher", latex="d")


def reward_in_pairs(confidence: Expression = margin, given: Definitions = GRPO) -> Expression:
    """The reward part of the objective for groups of two.

    Pairs of the same answer contribute nothing: their advantages are opposite and their order is random.
    """
    win = loss + confidence
    better, worse = (group_advantage((low + gap, low), member, given) for member in (0, 1))
    of_a = (1 - x_old) * (win * better + loss * worse)
    of_b = x_old * (loss * better + win * worse)
    return x * of_a + (1 - x) * of_b


def old_moments(of_a: Expression, of_b: Expression) -> tuple[Expression, Expression]:
    """Mean and variance of the reward of an answer of the old policy."""
    centre = x_old * of_a + (1 - x_old) * of_b
    return centre, x_old * (of_a - centre) ** 2 + (1 - x_old) * (of_b - centre) ** 2


def advantages_in_large_groups(of_a: Expression, of_b: Expression, given: Definitions = GRPO) -> Sequence[Expression]:
    """The advantages of both answers in the limit of large groups, where sample moments are the old policy's."""
    centre, variance = old_moments(of_a, of_b)
    return [given.normalise(reward - centre, variance) for reward in (of_a, of_b)]


def objective(reward: Expression, given: Definitions = GRPO) -> Expression:
    """The reward part minus the weighted penalty."""
    return reward - beta * binary_penalty(x, x_old, reference, given)


def slope(function: Expression) -> Expression:
    """The derivative by the policy; after differentiating, the old policy is the policy itself."""
    return Substitution(Derivative(function, x), x_old, x)


def curvature(function: Expression) -> Expression:
    """The second derivative by the policy at an unchanged old policy, taken where both agree."""
    return Substitution(Derivative(Derivative(function, x), x), x_old, x)


def frozen(function: Expression, at: Expression) -> Expression:
    """The function at another policy, while the old policy stays x."""
    return Substitution(Substitution(function, x, at), x_old, x)


def beside(function: Expression) -> Expression:
    """The objective of another policy, while the old policy is x."""
    return substitute(function, {x: following, x_old: x})


def updates_attract(function: Expression) -> FixedPoint:
    """Updates from nearby lead back to x: each goes to the stationary policy beside the old one."""
    return attracts({x_old: Derivative(substitute(function, {x: following}), following)}, x, next_values=[following])
