r"""What Equation (11) says about preferences.

A stationary policy multiplies the reference by an increasing function of an output's lead over the mean advantage. The
lead is bounded from above: no output that the policy gives is preferred to the mean by $\beta R$ or more, where $R \leq
1$ is the reference probability of the outputs that the policy gives. The paper states the bound with $\beta$. It is
one-sided: an output may be worse than the mean by more than $\beta$ (`kkt.below-the-mean`), so the paper's remark that
preferences lie within $\beta$ of the mean has to be meant from above. An output that the policy never gives is at most
as good as the mean (`kkt.outputs-never-given`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.kkt_conditions import (
    average_advantage,
    equation_11,
)
from derivations.vojnovic_yun_2025.outputs import (
    average,
    beta,
    covered,
    policy,
    preference,
    reference,
    reference_sums_to_covered,
    sums_to_one,
)
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    both,
    claim,
    derive,
    eq,
    gt,
    iff,
    increasing,
    instance,
    lt,
    rational,
    real,
)

lead = real("u", "(-oo, 1)", "lead of an output over the mean advantage, in units of the penalty weight")


def derivation() -> Iterator[Claim]:
    """A bound from above, none from below, outputs that are never given, and the pooling function."""
    gain = preference - average
    printed, general = equation_11(gain), equation_11(gain, covered)
    # With the sums among the hypotheses, a counterexample is about advantages whose mean is 0, as it is in groups.
    realisable = (sums_to_one, reference_sums_to_covered, average_advantage, eq(covered, 1), eq(average, 0))
    ahead = claim(
        "vojnovic_yun_2025.kkt.preference-bound.mean",
        r"The advantage of an output is less than $\beta R$ above the mean",
        derivation=derive(preference, "the advantage", given=[general])
        .eq(average + beta * covered - beta * (reference / policy), "Equation (11), solved for it")
        .lt(average + beta * covered, "the reference gives every output"),
    )
    yield ahead
    positive = claim(
        "vojnovic_yun_2025.kkt.preference-bound.factor",
        "The factor of the policy is positive, in Equation (11) as printed as well",
        derivation=derive(1 - gain / beta, "the factor, with the leading 1", given=[general])
        .ge(covered - gain / beta, r"$R \leq 1$")
        .eq(reference / policy, "Equation (11)")
        .gt(0, "the reference gives every output"),
    )
    yield positive
    yield claim(
        "vojnovic_yun_2025.kkt.preference-bound",
        r"No output is preferred to the mean by $\beta R$ or more",
        both(lt(preference, average + beta * covered), gt(1 - gain / beta, 0)),
        given=[general],
        using=[ahead, positive],
        equation="Section 2.3, after Eq. (11)",
        printed=paper.quote(
            "Section 2.3, after Eq. (11)",
            r"\mathcal{P}_G(o) < \mathbb{E}_{o' \sim \pi_\theta}[\mathcal{P}_G(o')] + \beta",
            lt(preference, average + beta),
            given=(general,),
        ),
        paper_uses=["eq11"],
    )
    behind = claim(
        "vojnovic_yun_2025.kkt.within-beta.below",
        r"The advantage is less than $\beta$ below the mean exactly if the policy keeps more than $1/(1+R)$ of the "
        "reference probability",
        derivation=derive(gt(preference, average - beta), r"less than $\beta$ below the mean", given=[general])
        .iff(gt(beta * (covered - reference / policy), -beta), "put in the advantage, from Equation (11)")
        .iff(gt(1 + covered, reference / policy), r"divide by $\beta$")
        .iff(gt((1 + covered) * policy, reference), "multiply by the policy"),
    )
    yield behind
    yield claim(
        "vojnovic_yun_2025.kkt.within-beta",
        r"Closer to the mean than $\beta$ exactly if the policy keeps more than $1/(1+R)$ of its reference probability",
        both(
            lt(preference, average + beta),
            iff(gt(preference, average - beta), gt((1 + covered) * policy, reference)),
        ),
        given=[general],
        using=[ahead, behind],
        equation="Section 2.3, after Eq. (11)",
        printed=paper.quote(
            "Section 2.3, the sentence after the bound",
            r"\text{within an additive constant of } \beta \text{ of }"
            r" \mathbb{E}_{o' \sim \pi_\theta}[\mathcal{P}_G(o')]",
            both(lt(preference, average + beta), gt(preference, average - beta)),
            given=(*realisable, general),
            another_reading=True,
            fails_at={
                policy: [rational(1, 4), rational(3, 4)],
                reference: [rational(3, 4), rational(1, 4)],
                preference: [rational(-1, 2), rational(1, 6)],
                average: 0,
                covered: 1,
                beta: rational(1, 4),
            },
            instead="Read as a bound from above, as the display before it has it, the sentence holds. Read as a bound "
            "from both sides it fails at outputs of which the policy gives less than half as much as the reference.",
        ),
        beyond="says exactly which outputs lie within the constant on both sides",
        paper_uses=["eq11"],
    )
    yield claim(
        "vojnovic_yun_2025.kkt.below-the-mean",
        r"There is no such bound from below: an output may be worse than the mean by more than $\beta$",
        instance(
            both(general, lt(preference, average - beta)),
            {policy: rational(1, 5), reference: rational(13, 25), preference: rational(-4, 5)}
            | {average: rational(0), covered: rational(1), beta: rational(1, 2)},
        ),
        beyond="shows that the bound after Equation (11) has no counterpart from below",
    )
    yield claim(
        "vojnovic_yun_2025.eq11.pooling",
        r"The policy is the reference times a function of the lead $(\mathcal{P}_G(o) - S)/\beta$",
        derivation=derive(general, "Equation (11)").iff(
            eq(policy, reference / (covered - gain / beta)),
            "divide; both sides of Equation (11) are positive",
        ),
        equation="Section 2.3, after Eq. (11)",
        printed=paper.quote(
            "Section 2.3, after Eq. (11)",
            r"\pi_\theta(o \mid q) = g\left(\frac{\mathcal{P}_G(o) - \mathbb{E}_{o' \sim \pi_\theta}"
            r"[\mathcal{P}_G(o')]}{\beta}\right) \pi_{\mathrm{ref}}(o \mid q),\ g(x) = \frac{1}{1 - x}",
            eq(policy, 1 / (1 - gain / beta) * reference),
            given=(printed,),
        ),
        paper_uses=["eq11"],
    )
    rises = claim(
        "vojnovic_yun_2025.eq11.pooling-increases.slope",
        r"The derivative of $g$ is positive",
        derivation=derive(Derivative(1 / (1 - lead), lead), "derivative by the lead")
        .eq(1 / (1 - lead) ** 2, "chain rule")
        .gt(0, "a square that is not 0"),
    )
    yield rises
    yield claim(
        "vojnovic_yun_2025.eq11.pooling-increases",
        r"The function $g(x) = 1/(1-x)$ increases where it is used, that is below 1",
        increasing(1 / (1 - lead), lead),
        using=[rises],
        equation="Section 1.2, second point",
    )


pooling = Result("Preferences under a stationary policy", paper, derivation)
