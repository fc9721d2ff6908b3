r"""On-policy the penalty has the gradient of the reverse divergence, up to a constant (Equations (7) to (10)).

The penalty, a mean over the members of a group, has the expectation of one member's penalty (`eq7.group`), which is
$\mathrm{KL}_0$, a sum over outputs (`eq7`). Its gradient is taken with the old policy held
fixed, and on-policy it is $1 - \pi_{\mathrm{ref}}/\pi_\theta$. The reverse divergence has the gradient
$-\pi_{\mathrm{ref}}/\pi_\theta$. The difference is 1 for every output (`reverse-kl`), so it disappears in every
direction that keeps the sum of the probabilities (`reverse-kl.tangent`). So it does in every parameter of a softmax
policy, over any number of outputs: with the Jacobian of the softmax (`softmax.jacobian`) and the chain rule
(`softmax.chain-rule`) both gradients are derived from the definitions and are equal (`reverse-kl.softmax`). There
$a$ is the output of the parameter, and $\delta_{o,a}$ is 1 if $o = a$ and else 0.

Notation: in the gradient of the reverse divergence the paper writes $\pi_\theta(\cdot \mid q)$ on the left, where
$\pi_\theta(o \mid q)$ is meant, and $\mathrm{KL}_{\mathrm{Rev}}$ also as $\mathrm{KL}_{\mathrm{rev}}$.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.groups import MEMBERS
from derivations.vojnovic_yun_2025.outputs import OTHER, OUTPUTS, direction, old, policy, reference
from grpo_symbolic import (
    Claim,
    Delta,
    Derivative,
    Expression,
    Gap,
    Group,
    Result,
    Substitution,
    Total,
    claim,
    define,
    derive,
    drawn,
    eq,
    exp,
    log,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions, direct_kl, reverse_kl

logit = real("theta", "(-oo, oo)", "softmax parameter of an output", latex=r"\theta({index})", indexed=OUTPUTS)
slope = real("g", "(-oo, oo)", "derivative of anything by an output's probability", latex="g({index})", indexed=OUTPUTS)
logit_other, slope_other, old_other, reference_other = (item.at(OTHER) for item in (logit, slope, old, reference))
normaliser = define("Z", (), Total(exp(logit)), latex=r"Z_\theta")()
probability, probability_other = exp(logit) / normaliser, exp(logit_other) / normaliser

output_penalty = real("D", "[0, oo)", "penalty of an output", latex="D({index})", indexed=OUTPUTS)
member_penalty = real("D_member", "[0, oo)", "penalty of a member of the group", latex="D_{index}", indexed=MEMBERS)

logits = tuple(
    real(f"theta_{number}", "(-oo, oo)", f"softmax parameter of output {number}", latex=rf"\theta_{number}")
    for number in (1, 2, 3)
)
olds = tuple(
    real(
        f"old_{number}",
        "(0, 1)",
        f"probability of output {number} under the old policy",
        latex=rf"\pi_{{\mathrm{{old}},{number}}}",
    )
    for number in (1, 2, 3)
)
references = tuple(
    real(
        f"ref_{number}",
        "(0, 1)",
        f"reference probability of output {number}",
        latex=rf"\pi_{{\mathrm{{ref}},{number}}}",
    )
    for number in (1, 2, 3)
)


def on_policy(expression: Expression) -> Expression:
    """The expression at the old policy equal to the policy."""
    return Substitution(expression, old, policy)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Gradients of the three divergences by one coordinate, then their differences."""
    expected = Total(given.penalty(policy, old, reference))
    in_expectations = Total(old * (reference / policy)) - Total(old * log(reference / policy)) - 1
    group = Group(member_penalty, size, drawn(output_penalty, old))
    of_group = claim(
        "vojnovic_yun_2025.eq7.group",
        "The mean penalty of a group has the expectation of the penalty of one output",
        derivation=derive(
            group.expectation(group.mean),
            "the mean over the members, expected; each member draws its output from the old policy",
            given=[eq(Total(old), 1)],
        ).eq(Total(old * output_penalty), "expectations add up, and all $G$ members have the same one"),
    )
    yield of_group
    yield claim(
        "vojnovic_yun_2025.eq7",
        r"The expected penalty is $\mathrm{KL}_0$",
        derivation=derive(
            expected,
            "definition of the penalty, expected for one output of the old policy, as for a group (`eq7.group`)",
            given=[eq(Total(old), 1)],
        )
        .eq(Total(old * (reference / policy)) - Total(old * log(reference / policy)) - Total(old), "split the sum")
        .eq(in_expectations, r"the old policy sums to 1; this is $\mathrm{KL}_0$"),
        equation="Eq. (7)",
        printed=paper.quote(
            "Section 2.2, after Eq. (7)",
            r"\mathrm{KL}_0 = \mathbb{E}_{\pi'}\left[\frac{\pi^*}{\pi}\right]"
            r" - \mathbb{E}_{\pi'}\left[\log\frac{\pi^*}{\pi}\right] - 1",
            eq(expected, in_expectations),
            given=(eq(Total(old), 1),),
        ),
    )
    gradient = Derivative(expected, policy)
    held_fixed = -old * (reference / policy**2) + old * (1 / policy)
    fixed = claim(
        "vojnovic_yun_2025.eq8",
        "The gradient of the penalty with the old policy held fixed",
        derivation=derive(gradient, "gradient of the expected penalty")
        .eq(Derivative(given.penalty(policy, old, reference), policy), "one summand depends on the coordinate")
        .eq(old * (-(reference / policy**2) + 1 / policy), "differentiate")
        .eq(held_fixed, "multiply out"),
        equation="Eq. (8)",
        printed=paper.quote(
            "Eq. (8)",
            r"-\pi_{\theta_{\mathrm{old}}}(o \mid q) \frac{\pi_{\mathrm{ref}}(o \mid q)}{\pi_\theta(o "
            r"\mid q)^2} + \pi_{\theta_{\mathrm{old}}}(o \mid q) \frac{1}{\pi_\theta(o \mid q)}",
            eq(gradient, held_fixed),
        ),
    )
    yield fixed
    direct = Derivative(Total(direct_kl(policy, old, reference)), policy)
    yield claim(
        "vojnovic_yun_2025.eq9",
        "The gradient of the direct divergence",
        derivation=derive(direct, "gradient of the divergence")
        .eq(Derivative(direct_kl(policy, old, reference), policy), "one summand depends on the coordinate")
        .eq(log(policy / reference) + 1, "product rule")
        .eq(-log(reference / policy) + 1, "the logarithm of an inverse"),
        equation="Eq. (9)",
        printed=paper.quote(
            "Eq. (9)",
            r"-\log\frac{\pi_{\mathrm{ref}}(o \mid q)}{\pi_\theta(o \mid q)} + 1",
            eq(direct, -log(reference / policy) + 1),
        ),
    )
    at_policy = on_policy(gradient)
    ours = claim(
        "vojnovic_yun_2025.eq10",
        "The gradient of the penalty on-policy is linear in the ratio of the probabilities",
        derivation=derive(at_policy, "differentiate, then put old = new")
        .eq(on_policy(held_fixed), "Equation (8)", using=[fixed.at({old: policy})])
        .eq(-(reference / policy) + 1, "put old = new: one probability cancels"),
        equation="Eq. (10)",
        printed=paper.quote(
            "Eq. (10)",
            r"-\frac{\pi_{\mathrm{ref}}(o \mid q)}{\pi_\theta(o \mid q)} + 1",
            eq(at_policy, -(reference / policy) + 1),
        ),
    )
    yield ours
    reverse = Derivative(Total(reverse_kl(policy, old, reference)), policy)
    theirs = claim(
        "vojnovic_yun_2025.reverse-kl.gradient",
        "The gradient of the reverse divergence",
        derivation=derive(reverse, "gradient of the reverse divergence")
        .eq(Derivative(reverse_kl(policy, old, reference), policy), "one summand depends on the coordinate")
        .eq(-(reference / policy), "differentiate"),
        equation="Section 2.2, after Eq. (10)",
        printed=paper.quote(
            "Section 2.2, after Eq. (10)",
            r"-\frac{\pi_{\mathrm{ref}}(o \mid q)}{\pi_\theta(o \mid q)}",
            eq(reverse, -(reference / policy)),
        ),
    )
    yield theirs
    yield from _equal_where_it_matters(at_policy, reverse, (ours, theirs))
    yield from _in_softmax_parameters(given)


def _equal_where_it_matters(at_policy: Expression, reverse: Expression, known: tuple[Claim, ...]) -> Iterator[Claim]:
    """The gradients differ by 1, hence not at all along the simplex."""
    ours, theirs = known
    ratio = reference / policy
    yield claim(
        "vojnovic_yun_2025.reverse-kl",
        "The gradient of the penalty on-policy is that of the reverse divergence, plus 1",
        derivation=derive(at_policy - reverse, "penalty on-policy minus reverse divergence")
        .eq(-ratio + 1 - -ratio, "Equation (10), and the gradient of the reverse divergence", using=known)
        .eq(1, "subtract"),
        equation="Section 2.2, after Eq. (10)",
        printed=paper.quote(
            "Section 2.2, after Eq. (10)",
            r"\text{up to an additive constant of value } 1",
            eq(at_policy, reverse + 1),
        ),
    )
    yield claim(
        "vojnovic_yun_2025.reverse-kl.tangent",
        "In every direction that keeps the sum of the probabilities the two derivatives are equal",
        derivation=derive(
            Total(direction * at_policy),
            "derivative of the penalty in this direction, on-policy",
            given=[eq(Total(direction), 0)],
        )
        .eq(Total(direction * (-ratio + 1)), "Equation (10), at every output", using=[ours])
        .eq(Total(direction * -ratio) + Total(direction), "split the sum")
        .eq(Total(direction * -ratio), "the direction keeps the sum of the probabilities")
        .eq(
            Total(direction * reverse),
            "the derivative of the reverse divergence in this direction",
            using=[theirs],
        ),
        beyond="shows that the additive 1 has no effect on the simplex",
        fills=[
            Gap(
                "Section 2.2, last sentence",
                "why an additive constant in the gradient does not matter is not said",
            ),
        ],
    )


def _in_softmax_parameters(given: Definitions) -> Iterator[Claim]:
    """By the Jacobian of the softmax for any number of outputs, and once more by explicit differentiation for three."""
    jacobian_here = probability * (Delta(OTHER) - probability_other)
    jacobian = claim(
        "vojnovic_yun_2025.softmax.jacobian",
        "The derivative of a probability under a softmax policy by the parameter of any output",
        derivation=derive(Derivative(probability, logit_other), "a softmax policy")
        .eq(
            (Delta(OTHER) * exp(logit) * normaliser - exp(logit) * exp(logit_other)) / normaliser**2,
            "quotient rule: in the numerator and in one summand below stands the parameter",
        )
        .eq(jacobian_here, "cancel"),
        beyond="the Jacobian by which gradients by the policy become gradients by its parameters",
    )
    yield jacobian
    chained = Total(slope * Derivative(probability, logit_other))
    yield claim(
        "vojnovic_yun_2025.softmax.chain-rule",
        "What a gradient by the probabilities is by the parameter of any output of a softmax policy",
        derivation=derive(chained, "chain rule")
        .eq(Total(slope * jacobian_here), "the Jacobian of the softmax", using=[jacobian])
        .eq(
            slope_other * probability_other - probability_other * Total(slope * probability),
            "one summand has the delta; split the sum",
        )
        .eq(probability_other * (slope_other - Total(probability * slope)), "factor out the probability"),
        beyond="the gradient by parameters is the gradient by probabilities against its mean, times the probability",
    )
    penalty = Derivative(Total(given.penalty(probability, old, reference)), logit_other)
    divergence = Derivative(Total(reverse_kl(probability, old, reference)), logit_other)
    by_logit = probability_other * Total(reference) - reference_other
    fixed = claim(
        "vojnovic_yun_2025.softmax.penalty",
        "The derivative of the expected penalty by the parameter of any output, the old policy held fixed",
        derivation=derive(penalty, "differentiate the expected penalty by a parameter")
        .eq(
            Total(old * ((1 - reference / probability) / probability) * Derivative(probability, logit_other)),
            r"chain rule: by $\pi_\theta$ the penalty of an output has the derivative "
            r"$(1 - \pi_{\mathrm{ref}}/\pi_\theta)/\pi_\theta$",
        )
        .eq(
            Total(old * (1 - reference / probability) * (Delta(OTHER) - probability_other)),
            "the Jacobian of the softmax; one probability cancels",
            using=[jacobian],
        )
        .eq(
            old_other * (1 - reference_other / probability_other)
            - probability_other * Total(old * (1 - reference / probability)),
            "one summand has the delta",
        ),
        beyond="Equation (8) in the parameters of a softmax policy",
    )
    yield fixed
    theirs = claim(
        "vojnovic_yun_2025.softmax.reverse-kl",
        "The derivative of the reverse divergence by the parameter of any output",
        derivation=derive(divergence, "differentiate the reverse divergence by a parameter")
        .eq(
            Total(-(reference / probability) * Derivative(probability, logit_other)),
            r"chain rule: by $\pi_\theta$ a summand has the derivative $-\pi_{\mathrm{ref}}/\pi_\theta$",
        )
        .eq(
            -Total(reference * (Delta(OTHER) - probability_other)),
            "the Jacobian of the softmax; one probability cancels",
            using=[jacobian],
        )
        .eq(by_logit, "one summand has the delta"),
        beyond="the gradient of the reverse divergence in the parameters of a softmax policy",
    )
    yield theirs
    yield claim(
        "vojnovic_yun_2025.reverse-kl.softmax",
        "The two gradients by the parameter of a softmax policy are equal, for any number of outputs",
        derivation=derive(Substitution(penalty, old, probability), "differentiate, then put old = new")
        .eq(
            probability_other - reference_other - probability_other * Total(probability - reference),
            "the derivative with the old policy held fixed (`softmax.penalty`), at old = new",
        )
        .eq(by_logit, "the policy sums to 1")
        .eq(divergence, "the derivative of the reverse divergence", using=[theirs]),
        beyond="extends the equality of gradients to softmax policies",
    )
    weights = [exp(logit) for logit in logits]
    policies = [
        define(
            f"policy_{number}", (), weight / (weights[0] + weights[1] + weights[2]), latex=rf"\pi_{{\theta,{number}}}"
        )()
        for number, weight in enumerate(weights, start=1)
    ]
    outputs = list(zip(policies, olds, references, strict=True))
    penalties, reverses = (
        [divergence(new, before, target) for new, before, target in outputs]
        for divergence in (given.penalty, reverse_kl)
    )
    frozen: Expression = Derivative(penalties[0] + penalties[1] + penalties[2], logits[0])
    for before, new in zip(olds, policies, strict=True):
        frozen = Substitution(frozen, before, new)
    yield claim(
        "vojnovic_yun_2025.reverse-kl.softmax-of-three",
        "The same by explicit differentiation of a softmax over three outputs",
        eq(frozen, Derivative(reverses[0] + reverses[1] + reverses[2], logits[0])),
    )


gradients = Result("The penalty and the reverse divergence", paper, derivation)
