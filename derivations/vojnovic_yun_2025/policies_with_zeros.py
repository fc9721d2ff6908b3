r"""Stationary policies that may leave out outputs: Equation (11) with zeros (`eq11.every-policy`).

Appendix A lets a policy give some outputs the probability 0. Its conditions are then, at every output,
$$\mathcal{P}_G(o) - \beta\,[\pi(o) > 0]\Big(1 - \frac{\pi_{\mathrm{ref}}(o)}{\pi(o)}\Big) - \lambda + \mu(o) = 0,
\qquad \mu(o) \geq 0, \qquad \mu(o)\,\pi(o) = 0,$$
because the penalty is a sum over the outputs that the old policy gives, and on-policy these are those of the policy
(`kkt.every-policy.gradient`). So on the outputs that the policy gives the
derivative is $\lambda$ (`kkt.every-policy.given`), which the sum determines (`kkt.every-policy.multiplier`), and with
$R = \sum_o [\pi(o) > 0]\, \pi_{\mathrm{ref}}(o)$ and $S = \sum_o \pi(o)\,\mathcal{P}_G(o)$
$$\Big(R - \frac{\mathcal{P}_G(o) - S}{\beta}\Big)\,\pi(o) = [\pi(o) > 0]\,\pi_{\mathrm{ref}}(o)$$
at every output, whatever the policy (`eq11.every-policy`). An output that the policy never gives is at most as good
as the mean (`kkt.outputs-never-given`). With the objective of Equation (1) itself an output that is never sampled
contributes nothing, and the conditions leave no output out: there Equation (11) is right as printed
(`eq11.from-eq1`). That the best policy has such $\lambda$ and $\mu$ is the theorem of Karush, Kuhn and Tucker, which
the paper cites (`eq11`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantages_sum_to_zero import zero_mean as vanishing
from derivations.vojnovic_yun_2025.kkt_conditions import multiplier
from derivations.vojnovic_yun_2025.outputs import (
    OUTPUTS,
    any_old,
    any_policy,
    any_sums_to_one,
    average,
    beta,
    policy,
    preference,
    reference,
    sampled_reward,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Result,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    both,
    claim,
    derive,
    either,
    eq,
    ge,
    gt,
    le,
    on_support,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.statement import Relation

slack = real(
    "mu",
    "[0, oo)",
    "multiplier of the constraint that the probability of an output is not negative",
    latex=r"\mu({index})",
    indexed=OUTPUTS,
)

covered_by_policy = Total(on_support(any_policy, reference))
mean_advantage = Total(any_policy * preference)
reference_sums_to_one = eq(Total(reference), 1)
#: The multiplier of an output that the policy gives is 0.
slackness = eq(slack * any_policy, 0)
slope = 1 - reference / any_policy
#: At an output that the policy gives the derivative is the multiplier.
stationary = eq(on_support(any_policy, preference - beta * slope - multiplier), 0)
multiplier_of_any = eq(multiplier, mean_advantage - beta * (1 - covered_by_policy))


def objective_of_any(given: Definitions = GRPO) -> Expression:
    """The objective of Section 2.3 where the old policy may leave out outputs: the penalty does not see these."""
    return Total(policy * preference) - _weighted_penalty(given)


def objective_of_equation_1(given: Definitions = GRPO) -> Expression:
    """The same, but what the old policy never gives is in no group, and adds nothing to the reward part either."""
    return sampled_reward(policy) - _weighted_penalty(given)


def _weighted_penalty(given: Definitions) -> Expression:
    return beta * Total(on_support(any_old, given.penalty(policy, any_old, reference)))


def gradient_at_any(objective: Expression) -> Expression:
    """The derivative by one probability with the old policy held fixed, on-policy, which may be 0."""
    fixed = Derivative(objective, policy)
    return Substitution(Substitution(fixed, any_old, any_policy), policy, any_policy)


def conditions(objective: Expression) -> Relation:
    """Stationarity at an output with both multipliers."""
    return eq(gradient_at_any(objective) - multiplier + slack, 0)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """From the conditions at every output to Equation (11) and to the outputs that are never given."""
    everywhere = conditions(objective_of_any(given))
    gradient = claim(
        "vojnovic_yun_2025.kkt.every-policy.gradient",
        "The gradient at any policy: at an output that it never gives it is the advantage",
        derivation=derive(gradient_at_any(objective_of_any(given)), "differentiate with the old policy held fixed").eq(
            preference - beta * on_support(any_policy, slope), "the penalty sums over what the old policy gives"
        ),
        equation="Appendix A",
    )
    where_given = claim(
        "vojnovic_yun_2025.kkt.every-policy.given",
        "For every policy, at each output that it gives the derivative is the multiplier",
        derivation=derive(everywhere, "the conditions at every output", given=[slackness])
        .implies(
            eq(preference - beta * on_support(any_policy, slope) - multiplier + slack, 0),
            "the gradient",
            using=[gradient],
        )
        .implies(stationary, r"where the policy is positive $\mu$ is 0; elsewhere nothing is said"),
        equation="Appendix A",
    )
    summed = claim(
        "vojnovic_yun_2025.kkt.every-policy.multiplier",
        "The sum over the outputs that it gives determines the multiplier",
        Summed(stationary, any_policy, multiplier_of_any, rational(-1)),
        given=[any_sums_to_one],
    )
    yield from (gradient, where_given, summed)
    yield _equation_11(everywhere, where_given, summed)
    share = claim(
        "vojnovic_yun_2025.kkt.every-policy.covered.term",
        "What the policy gives of a reference probability is all of it or nothing",
        le(on_support(any_policy, reference), reference),
    )
    covered = claim(
        "vojnovic_yun_2025.kkt.every-policy.covered",
        "So the reference gives the outputs of the policy at most the probability 1",
        Summed(share.statement, rational(1), le(covered_by_policy, 1), rational(1)),
        given=[reference_sums_to_one],
    )
    yield from (share, covered)
    yield claim(
        "vojnovic_yun_2025.kkt.outputs-never-given",
        "An output that the policy never gives is not preferred to the multiplier, which is at most the mean",
        derivation=derive(
            everywhere,
            "the conditions at every output",
            given=[any_sums_to_one, reference_sums_to_one, slackness],
        )
        .implies(both(everywhere, multiplier_of_any), "the sum determines the multiplier", using=[where_given, summed])
        .implies(
            both(either(gt(any_policy, 0), le(preference, multiplier)), le(multiplier, mean_advantage)),
            r"the penalty does not see such an output, and $\mu \geq 0$; and $R \leq 1$",
            using=[gradient, share, covered],
        ),
        equation="Appendix A",
    )
    yield from _from_equation_1(summed, share, given)


def _equation_11(everywhere: Relation, where_given: Claim, summed: Claim) -> Claim:
    """Equation (11) with R."""
    led = (covered_by_policy - (preference - mean_advantage) / beta) * any_policy
    general = eq(led, on_support(any_policy, reference))
    return claim(
        "vojnovic_yun_2025.eq11.every-policy",
        "Every policy that satisfies the conditions satisfies Equation (11) at the outputs that it gives, with $R$ in "
        "the place of its leading 1",
        derivation=derive(everywhere, "the conditions at every output", given=[any_sums_to_one, slackness])
        .implies(stationary, "at an output that the policy gives", using=[where_given])
        .implies(both(stationary, multiplier_of_any), "the sum determines the multiplier", using=[summed])
        .implies(general, "put it in, and multiply by the probability"),
        equation="Eq. (11)",
    )


def _from_equation_1(summed: Claim, share: Claim, given: Definitions) -> Iterator[Claim]:
    """The conditions for the objective in which an output that is never sampled has the derivative 0."""
    literal = conditions(objective_of_equation_1(given))
    carried_out = eq(on_support(any_policy, preference - beta * slope) - multiplier + slack, 0)
    mean = vanishing.claim("mean-advantage").at({average: mean_advantage})
    left_out = reference - on_support(any_policy, reference)
    at_missing = claim(
        "vojnovic_yun_2025.eq11.from-eq1.missing",
        "What the policy leaves out of a reference probability, times the multiplier, is not negative: there it is "
        r"$\mu \geq 0$",
        ge(left_out * multiplier, 0),
        given=[carried_out, slackness],
    )
    summed_missing = claim(
        "vojnovic_yun_2025.eq11.from-eq1.missing.sum",
        r"Summed over the outputs: $(1 - R)\,\lambda \geq 0$",
        Summed(at_missing.statement, rational(1), ge((1 - covered_by_policy) * multiplier, 0), rational(1)),
        given=[reference_sums_to_one],
    )
    term = claim(
        "vojnovic_yun_2025.eq11.from-eq1.missing.term",
        "What it leaves out of one reference probability is at most what it leaves out of all",
        TermOfTotal(left_out),
        using=[share],
    )
    yield from (at_missing, summed_missing, term)
    yield claim(
        "vojnovic_yun_2025.eq11.from-eq1",
        "With the objective of Equation (1) itself, the conditions force $R = 1$, and every policy that satisfies them "
        "satisfies Equation (11) as printed",
        derivation=derive(
            literal,
            "the conditions at every output, for Equation (1)",
            given=[any_sums_to_one, reference_sums_to_one, slackness],
        )
        .implies(carried_out, "an output that is never sampled has the derivative 0")
        .implies(both(carried_out, stationary), r"where the policy is positive $\mu$ is 0")
        .implies(both(carried_out, stationary, multiplier_of_any), "the sum determines it", using=[summed])
        .implies(
            both(stationary, multiplier_of_any, eq(covered_by_policy, 1)),
            r"at a missing output $\lambda = \mu \geq 0$, and the mean advantage is 0: $R \geq 1$",
            using=[mean, at_missing, summed_missing],
        )
        .implies(
            both(
                eq(covered_by_policy, 1),
                eq((1 - (preference - mean_advantage) / beta) * any_policy, reference),
            ),
            "put in the multiplier; where the policy is 0 so is the reference, as $R = 1$",
            using=[term],
        ),
        beyond="names a reading under which Equation (11) needs no further hypothesis",
    )


every_policy = Result("Stationary policies that may leave out outputs", paper, derivation)
