"""GRPO's own objects, as definitions that a derivation takes as an argument and a test may replace.

Everything is about one context. For n outputs the symbols are coordinates of one generic output:
its probability under the policy, under the old policy (from which groups are sampled) and under the
reference policy. A summand below is what one output adds to a sum over all outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.language.expression import Expression, Number
from grpo_symbolic.language.vocabulary import log, sqrt

Penalty = Callable[[Expression, Expression, Expression], Expression]
Normalisation = Callable[[Expression, Expression], Expression]


def sampled_penalty(policy: Expression, old: Expression, reference: Expression) -> Expression:
    """GRPO's own penalty: the estimator D of Eq. (1), expected over outputs drawn from the old policy."""
    ratio = reference / policy
    return old * (ratio - log(ratio) - 1)


def direct_kl(policy: Expression, old: Expression, reference: Expression) -> Expression:
    """Summand of KL(policy || reference), the divergence that RLHF penalises."""
    return policy * log(policy / reference)


def reverse_kl(policy: Expression, old: Expression, reference: Expression) -> Expression:
    """Summand of KL(reference || policy), the reverse divergence."""
    return reference * log(reference / policy)


def standardised(deviation: Expression, variance: Expression) -> Expression:
    """Shift-and-scale normalisation: the deviation from the mean reward over the standard deviation."""
    return deviation / sqrt(variance)


def shifted(deviation: Expression, variance: Expression) -> Expression:
    """Shift-only normalisation: the deviation from the mean reward."""
    return deviation


@dataclass(frozen=True)
class Definitions:
    """What an algorithm of the GRPO family is made of.

    ``penalty(policy, old, reference)`` is the expected penalty's summand of one output;
    ``normalise(deviation, variance)`` turns the deviation of a reward from the mean into an advantage.
    """

    penalty: Penalty = sampled_penalty
    normalise: Normalisation = standardised


#: GRPO as the papers define it.
GRPO = Definitions()


def mean(values: Sequence[Expression]) -> Expression:
    """The arithmetic mean of a group."""
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total / len(values)


def group_advantage(rewards: Sequence[Expression], member: int, given: Definitions = GRPO) -> Expression:
    """The advantage of one member of a group of rewards (Vojnovic and Yun, Eq. (2); divisor G)."""
    centre = mean(rewards)
    variance = mean([(reward - centre) ** 2 for reward in rewards])
    return given.normalise(rewards[member] - centre, variance)


def binary_penalty(policy: Expression, old: Expression, reference: Expression, given: Definitions = GRPO) -> Expression:
    """The expected penalty for two outputs; the arguments are the probabilities of the first one."""
    one = Number(Fraction(1))
    return given.penalty(policy, old, reference) + given.penalty(one - policy, one - old, one - reference)
