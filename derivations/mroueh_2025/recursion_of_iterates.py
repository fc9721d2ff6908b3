r"""Theorem 2 as it is stated: the success probability at every prompt and every step (`theorem-2.outputs`).

The policy before the step may be any policy (`theorem-2.outputs`), and the step leads to that of Theorem 1
(`theorem-1`). At each prompt the tilt is one number among the successes, so that the success
probability after the step is a fraction, which is $h_{\varepsilon,p_{\mathrm{ref}}(q)}(p_{n-1}(q))$
(`theorem-2.outputs`). As the iteration starts at the reference, $p_0(q) = p_{\mathrm{ref}}(q)$ (`theorem-2.start`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.every_prompt import WEIGHTS, of_the_step, setting
from derivations.mroueh_2025.functions import beta
from derivations.mroueh_2025.normaliser import splitting
from derivations.mroueh_2025.prompts import (
    base,
    h_of_prompt,
    next_policy,
    of_outputs,
    p_base,
    p_next,
    p_previous,
    printed,
    printed_normaliser,
    reward,
    rise,
    success_after,
    value,
)
from grpo_symbolic import Claim, Result, Summed, claim, derive, eq, exp, rational

#: What Theorem 1 says of the policy after the step.
is_step = eq(next_policy, printed)


def derivation() -> Iterator[Claim]:
    """The success probability of the policy after a step, at each prompt."""
    of_successes = [splitting.claim(f"tilt.{name}").at(WEIGHTS) for name in ("successes", "sum-of-successes")]
    tilt, up = exp(value / beta), exp(rise / beta)
    summed = claim(
        "mroueh_2025.theorem-2.every-prompt.sum",
        "What holds of the policy at each output, summed over the successes of a prompt",
        Summed(is_step, reward, eq(of_outputs(next_policy * reward), of_outputs(printed * reward)), rational(1)),
    )
    yield summed
    given = (*setting, *of_the_step, is_step, success_after)
    yield claim(
        "mroueh_2025.theorem-2.outputs",
        "At every step and every prompt the success probability $p_{n-1}(q)$ is taken to "
        "$h_{\\varepsilon,p_{\\mathrm{ref}}(q)}(p_{n-1}(q))$, for any number of outputs",
        derivation=derive(p_next, "success probability of the policy after a step", given=given)
        .eq(of_outputs(next_policy * reward), "definition")
        .eq(of_outputs(printed * reward), "Theorem 1", using=[summed])
        .eq(1 / printed_normaliser * of_outputs(base * reward * tilt), "the normaliser is the same for every output")
        .eq(1 / printed_normaliser * up * of_outputs(base * reward), "the tilt of successes", using=of_successes)
        .eq(p_base * up / printed_normaliser, "definition of $p_{\\mathrm{ref}}(q)$")
        .eq(
            h_of_prompt(p_previous),
            "put in the weights of Eq. (4) and divide by the numerator; "
            "$\\omega_\\varepsilon^+ + \\omega_\\varepsilon^- = 1/\\sqrt{p(1-p)+\\varepsilon}$",
        ),
        equation="Theorem 2, Eq. (8)",
        printed=paper.quote(
            "Theorem 2, Eq. (8)",
            r"p_n(q) = h_{\varepsilon,p_{\mathrm{ref}}(q)}(p_{n-1}(q))",
            eq(p_next, h_of_prompt(p_previous)),
            given=given,
        ),
        paper_uses=("theorem-1", "eq9"),
    )


at_every_step = Result("Theorem 2 for every prompt and every step", paper, derivation)
