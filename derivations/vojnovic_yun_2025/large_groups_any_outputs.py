r"""Large groups, several outputs: the flow along the natural gradient near a stationary policy.

Let $\zeta = (r - m)/\sigma$ be the standardised rewards under a stationary policy, so that $\sum_o \pi\zeta = 0$ and
$\sum_o \pi\zeta^2 = 1$. If the policy changes by $v = \pi y$ with $\sum_o v = 0$, to first order the expected
advantages change by $-e - \frac12\zeta s$, where $e = \sum_o \pi\zeta y$ and $s = \sum_o \pi\zeta^2 y$: by the change
of the mean and of the standard deviation (`large-groups.gradient-changes`). So to first order the natural gradient
changes $y$ at the rate $-(\beta - \zeta)y - \frac12\zeta s$ up to a constant. Along this flow (`large-groups.flow`)
$$\frac{d}{dt}\,\frac12\Big(\sum_o \pi y^2 + e^2\Big) = -\sum_o \pi(\beta - \zeta)\,y^2 - \beta e^2 < 0,$$
unless $y = 0$, because Equation (13) needs $\zeta < \beta$. The terms with $s$ cancel. So the policy attracts the flow
from nearby for every number of outputs, every weight and every reference that gives all outputs
(`large-groups.flow.attracts`), as Equation (15) does for two answers (`flow.large-groups`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import centre, deviation, reward
from derivations.vojnovic_yun_2025.kkt_conditions import on_policy_gradient
from derivations.vojnovic_yun_2025.outputs import OUTPUTS, beta, policy, preference, reference, sums_to_one
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    claim,
    derive,
    eq,
    le,
    lt,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import substitute

change = real("v", "(-oo, oo)", "change of an output's probability", latex="v({index})", indexed=OUTPUTS)
velocity = real("u", "(-oo, oo)", "rate at which this change changes", latex="u({index})", indexed=OUTPUTS)
tau = real("tau", "(-oo, oo)", "how far the policy has changed", latex=r"\tau")
e = real("e", "(-oo, oo)", "change of the mean standardised reward")
s = real("s", "(-oo, oo)", "change of the mean square of the standardised reward")
constant = real("c", "(-oo, oo)", "the same number for every output")
ONE = rational(1)

zeta = (reward - centre) / deviation
y = change / policy
moments = (
    sums_to_one,
    eq(centre, Total(policy * reward)),
    eq(deviation**2, Total(policy * reward**2) - centre**2),
)
changes = (eq(Total(change), 0), eq(e, Total(zeta * change)), eq(s, Total(zeta**2 * change)))


def moved_gradient(given: Definitions = GRPO) -> Expression:
    """The on-policy gradient at one output, at the policy changed by a multiple of the change."""
    moved = policy + tau * change
    mean = Total(moved * reward)
    variance = Total(moved * reward**2) - mean**2
    gradient = simplified(on_policy_gradient(given))
    return substitute(gradient, {policy: moved, preference: given.normalise(reward - mean, variance)})


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """How the gradient changes with the policy, and a function that falls along the flow."""
    slope = -e - zeta * s / 2 - (beta - zeta) * y
    yield claim(
        "vojnovic_yun_2025.large-groups.gradient-changes",
        "How the gradient at an output changes with the policy, from the definition of the advantage",
        eq(Substitution(Derivative(moved_gradient(given), tau), tau, rational(0)), slope),
        given=[*moments, *changes, eq(reference, (1 - zeta / beta) * policy)],
    )
    pull = Total((beta - zeta) * change**2 / policy)
    yield claim(
        "vojnovic_yun_2025.large-groups.flow",
        "Half the rate at which a sum of squares changes along the natural gradient, to first order",
        Summed(
            eq(velocity, policy * (slope + constant)),
            y + e * zeta,
            eq(Total(y * velocity) + e * Total(zeta * velocity), -pull - beta * e**2),
            ONE,
        ),
        given=[*moments, *changes],
    )
    term = claim(
        "vojnovic_yun_2025.large-groups.flow.term",
        "No term of the sum on the right exceeds it",
        TermOfTotal((beta - zeta) * change**2 / policy),
        given=[lt(zeta, beta)],
    )
    yield term
    yield claim(
        "vojnovic_yun_2025.large-groups.flow.attracts",
        "So the rate is negative unless nothing changes: for every number of outputs the policy attracts the flow from "
        "nearby",
        derivation=derive(change, "the change of one probability", given=[lt(zeta, beta), le(pull, 0)])
        .eq(change * (beta - zeta) / (beta - zeta), r"$\zeta < \beta$")
        .eq(0, "its term is not negative and at most the sum, which is not positive", using=[term]),
        equation="Eq. (13)",
        beyond="in the limit of large groups, for any number of outputs, a stationary policy that gives all "
        "outputs attracts the flow along the natural gradient from nearby",
        cites=["linear stability"],
    )


flow = Result("Large groups: the flow for any number of outputs", paper, derivation)
