r"""Stationary policies: the conditions of Karush, Kuhn and Tucker, and Equation (11).

The objective of Section 2.3 is differentiated with the old policy held fixed; after that the old policy is put equal to
the policy. Each constraint has a multiplier: $\lambda$ that of the sum of the probabilities, and for each output a
slackness multiplier $\mu \geq 0$ that of the constraint that its probability is not negative. Where the probability is
positive $\mu$ is 0, by complementary slackness. So on the outputs that the policy gives the derivative equals
$\lambda$ (`kkt.stationarity`), and summing over these outputs determines it (`kkt.multiplier`; all outputs are there
those that the policy gives): with $S = \sum_o \pi_\theta(o \mid q)\, \mathcal{P}_G(o)$ and $R = \sum_o
\pi_{\mathrm{ref}}(o \mid q)$, both over the outputs that the policy gives, $\lambda = S - \beta(1 - R)$.

So the printed Equation (11) needs $R = 1$ (`eq11.as-printed`): the policy must give every output that the reference
policy gives. Section 1.3 assumes the opposite inclusion. In general Equation (11) holds with $R$ in the place of its
leading 1 (`eq11`, and of policies that may have zeros `eq11.every-policy`), and where $R < 1$ the printed form holds at
no output that the policy gives.

In Section 2.3 the paper prints the objective with an expectation over $o \sim \pi_\theta$ around the divergence, which
is already a sum over outputs. The objective of a policy is the same; its gradient changes by the same number for every
output (`kkt.redundant-expectation`), which the multiplier takes up.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import (
    average,
    beta,
    covered,
    missing,
    old,
    policy,
    preference,
    reference,
    reference_sums_to_covered,
    sums_to_one,
)
from derivations.vojnovic_yun_2025.stationary_by_enumeration import equation_11_beside_slope
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
    Result,
    Substitution,
    Summed,
    Total,
    both,
    claim,
    derive,
    eq,
    exp,
    iff,
    le,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import linear_root, simplified
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.statement import Relation

multiplier = real("lambda_", "(-oo, oo)", "multiplier of the constraint that probabilities sum to 1", latex=r"\lambda")
log_ratio = real("t", "(-oo, oo)", "logarithm of the reference probability over the policy's")
ONE = rational(1)

average_advantage = eq(average, Total(policy * preference))


def objective(given: Definitions = GRPO) -> Expression:
    """The objective of Section 2.3 for one context, in the probabilities of the outputs that the policy gives."""
    return Total(policy * preference) - beta * Total(given.penalty(policy, old, reference))


def on_policy_gradient(given: Definitions = GRPO) -> Expression:
    """Its derivative by one probability, at the old policy equal to the policy."""
    return Substitution(Derivative(objective(given), policy), old, policy)


def solved_for_reference(gradient: Expression) -> Expression:
    """The reference probability at which the gradient equals the multiplier.

    It enters linearly or, in a divergence of the other direction, through the logarithm of the ratio.
    """
    try:
        return linear_root(eq(gradient, multiplier), reference)
    except UnsupportedError:
        in_ratio = Substitution(gradient, reference, policy * exp(log_ratio))
        return policy * exp(linear_root(eq(in_ratio, multiplier), log_ratio))


def multiplier_value() -> Expression:
    """The multiplier, once the sum over the outputs has determined it."""
    return average - beta * (1 - covered)


def equation_11(advantage: Expression, leading: Expression = ONE) -> Relation:
    """Equation (11) for an advantage over the mean; as printed its leading term is 1."""
    return eq((leading - advantage / beta) * policy, reference)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Differentiate, put old = new, solve for the reference, and sum over the outputs."""
    by_coordinate = Derivative(objective(given), policy)
    slope = simplified(Derivative(given.penalty(policy, old, reference), policy))
    gradient = (
        derive(by_coordinate, "objective of Section 2.3, differentiated with the old policy held fixed")
        .eq(
            preference - beta * Derivative(given.penalty(policy, old, reference), policy),
            "one summand of each sum depends on the coordinate, and the advantage does not",
        )
        .eq(preference - beta * slope, "differentiate the penalty")
    )
    printed_slope = -old * (reference / policy**2) + old * (1 / policy)
    yield claim(
        "vojnovic_yun_2025.kkt.gradient",
        "The gradient of the objective",
        derivation=gradient,
        equation="Appendix A",
        printed=paper.quote(
            "Appendix A, stationarity",
            r"\mathcal{P}_G(o \mid \pi_{\theta_{\mathrm{old}}}(\cdot \mid q), q) - \beta\left("
            r"-\pi_{\theta_{\mathrm{old}}}(o \mid q) \frac{\pi_{\mathrm{ref}}(o \mid q)}{\pi_\theta(o \mid q)^2}"
            r" + \pi_{\theta_{\mathrm{old}}}(o \mid q) \frac{1}{\pi_\theta(o \mid q)}\right) - \lambda = 0",
            iff(eq(by_coordinate - multiplier, 0), eq(preference - beta * printed_slope - multiplier, 0)),
        ),
        paper_uses=["eq6"],
    )

    expected = Total(given.penalty(policy, old, reference))
    twice_expected = Derivative(Total(policy) * expected, policy)
    yield claim(
        "vojnovic_yun_2025.kkt.redundant-expectation",
        "Section 2.3 prints an expectation around the divergence; it adds the same number to every derivative",
        derivation=derive(
            twice_expected - Derivative(expected, policy),
            "derivative of the penalty as printed, minus that of the penalty itself",
            given=[sums_to_one],
        )
        .eq(
            expected + Total(policy) * Derivative(expected, policy) - Derivative(expected, policy),
            "product rule; the sum of the policy has derivative 1",
        )
        .eq(expected, "the policy sums to 1"),
        equation="Section 2.3, objective",
        printed=paper.quote(
            "Section 2.3, objective",
            r"\mathbb{E}_{o \sim \pi_\theta}[\mathcal{P}_G(o)] - \beta\, \mathbb{E}_{o \sim \pi_\theta}"
            r"[\mathrm{KL}_0(\pi_\theta \,\|\, \pi_{\mathrm{ref}}; \pi_{\theta_{\mathrm{old}}})]",
            eq(Total(policy * preference) - beta * (Total(policy) * expected), objective(given)),
            given=(sums_to_one,),
        ),
    )

    solved = solved_for_reference(simplified(on_policy_gradient(given)))
    stationary = eq(on_policy_gradient(given), multiplier)
    line = (
        derive(stationary, "stationarity at an output that the policy gives: its slackness multiplier $\\mu$ is 0")
        .iff(eq(simplified(on_policy_gradient(given)), multiplier), "differentiate, then put old = new")
        .iff(eq(reference, solved), "solve for the reference probability")
    )
    stationarity = claim(
        "vojnovic_yun_2025.kkt.stationarity",
        "Stationarity fixes the ratio of the reference to the policy, up to the multiplier",
        derivation=line,
        equation="Appendix A",
        printed=paper.quote(
            "Appendix A, on-policy",
            r"\pi_{\mathrm{ref}}(o \mid q) = \left(1 - \frac{\mathcal{P}_G(o \mid \pi_\theta(\cdot \mid "
            r"q), q) - \lambda}{\beta}\right) \pi_\theta(o \mid q)",
            iff(stationary, eq(reference, (1 - (preference - multiplier) / beta) * policy)),
        ),
    )
    yield stationarity

    sums = (sums_to_one, reference_sums_to_covered)
    value = multiplier_value()
    summed = claim(
        "vojnovic_yun_2025.kkt.multiplier",
        "Summing over the outputs that the policy gives determines the multiplier",
        Summed(eq(reference, solved), ONE, eq(multiplier, value), -1 / beta),
        given=(*sums, average_advantage),
    )
    yield summed

    printed_eq11, general = equation_11(preference - average), equation_11(preference - average, covered)
    # The mean advantage is 0, so the multiplier is -beta (1 - R). With this and the condition for an output that
    # is never given among the hypotheses, a counterexample consists of advantages that groups can have.
    zero_mean = eq(multiplier, -beta * (1 - covered))
    yield claim(
        "vojnovic_yun_2025.eq11",
        "A stationary policy satisfies Equation (11) with $R$ in the place of its leading 1",
        using=[summed],
        derivation=derive(stationary, "stationarity", given=(*sums, average_advantage))
        .implies(eq(reference, solved), "solved for the reference probability", using=[stationarity])
        .implies(
            both(eq(reference, solved), eq(multiplier, value)),
            "this sums to $R$ over the outputs, which determines the multiplier",
            using=[summed],
        )
        .implies(general, "put it in, and collect"),
        equation="Eq. (11)",
        printed=paper.quote(
            "Eq. (11)",
            r"\left(1 - \frac{\mathcal{P}_G(o \mid \pi_\theta(\cdot \mid q), q) - \mathbb{E}_{o' \sim "
            r"\pi_\theta(\cdot \mid q)}[\mathcal{P}_G(o' \mid \pi_\theta(\cdot \mid q), "
            r"q)]}{\beta}\right) \pi_\theta(o \mid q) = \pi_{\mathrm{ref}}(o \mid q)",
            printed_eq11,
            given=(*sums, zero_mean, average_advantage, stationary, le(missing, multiplier)),
            missing=(eq(covered, 1),),
            fails_at={
                policy: [rational(1, 2), rational(1, 2)],
                reference: [rational(1, 2), rational(1, 3)],
                preference: [rational(-1, 6), rational(1, 6)],
                missing: -1,
                average: 0,
                covered: rational(5, 6),
                multiplier: rational(-1, 6),
                beta: 1,
            },
            instead=r"$(R - (\mathcal{P}_G(o) - S)/\beta)\, \pi_\theta(o \mid q) = \pi_{\mathrm{ref}}(o \mid q)$, "
            r"where $R \leq 1$ is the reference probability of the outputs that the policy gives; the printed form "
            r"needs $R = 1$. For the objective as Section 2.3 prints it this may fail: beside Equation (14) always "
            "giving the better answer can be a maximum (`point-mass.maximal`). For the objective of Equation (1) "
            "itself $R = 1$ follows (`eq11.from-eq1`), and the printed form holds",
        ),
        oracle=Oracle(
            "the slope of the true objective in groups of 2 to 4 over 3 outputs", equation_11_beside_slope, points=4
        ),
        paper_uses=["eq6"],
        cites=["Lagrange multipliers"],
    )
    yield claim(
        "vojnovic_yun_2025.eq11.as-printed",
        "Under a stationary policy Equation (11) as printed holds, at any output that it gives, exactly if $R = 1$",
        derivation=derive(printed_eq11, "Equation (11) as printed", given=[general]).iff(
            eq(covered, 1), "subtract the two forms; the policy's probability is positive"
        ),
        equation="Eq. (11)",
        beyond="gives the exact condition for Equation (11) as printed",
    )
    yield claim(
        "vojnovic_yun_2025.eq11.converse",
        "Conversely, what satisfies it is stationary on the outputs that the policy gives, with this multiplier",
        derivation=derive(general, "Equation (11) with $R$", given=[eq(multiplier, value)]).iff(
            stationary, r"put in $\lambda = S - \beta(1 - R)$; the steps can be reversed"
        ),
        beyond="adds the converse for the first-order condition; the paper shows only one direction",
    )


kkt = Result("Stationary policies of the objective", paper, derivation)
