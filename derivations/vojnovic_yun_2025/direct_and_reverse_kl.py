r"""The gradients of the penalty and of the direct divergence compared.

On-policy the penalty has the gradient $1 - \pi_{\mathrm{ref}}/\pi_\theta$ (Equation (10)), the direct divergence $1 -
\log(\pi_{\mathrm{ref}}/\pi_\theta)$ (Equation (9)). Coordinate by coordinate they differ by at least 1, at every policy
(`eq9-eq10`): this is sharper than what the paper observes. But what matters are directions that keep the sum of the
probabilities. Along those they differ in general (`eq9-eq10.along-the-simplex`), agree at the reference policy
(`eq9-eq10.agree`), and may agree at another policy as well (`eq9-eq10.agree-again`). This is shown for two outputs and
the reference probability $1/4$.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import old, policy, reference
from derivations.vojnovic_yun_2025.reverse_kl import on_policy
from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    Total,
    UniqueZero,
    claim,
    derive,
    eq,
    instance,
    log,
    ne,
    rational,
    real,
)
from grpo_symbolic.derivation.algebra import simplified
from grpo_symbolic.grpo.definitions import GRPO, Definitions, binary_penalty, direct_kl

ratio = real("rho", "(0, oo)", "reference probability of an output over the policy's", latex=r"\rho")
x = real("x", "(0, 1)", "probability of the first of two outputs under the policy")
x_old = real("x_old", "(0, 1)", "its probability under the old policy", latex=r"x_{\mathrm{old}}")


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """Always apart by coordinates, not always along the simplex."""
    at_policy = on_policy(Derivative(Total(given.penalty(policy, old, reference)), policy))
    direct = Derivative(Total(direct_kl(policy, old, reference)), policy)
    tangent_at_one = derive(log(ratio), "logarithm of the ratio").le(ratio - 1, r"$e^u \geq 1 + u$")
    below_tangent = claim(
        "vojnovic_yun_2025.log-below-tangent", "A logarithm is never above its tangent at 1", derivation=tangent_at_one
    )
    yield below_tangent
    yield claim(
        "vojnovic_yun_2025.eq9-eq10",
        "Coordinate by coordinate, the gradients in Equations (9) and (10) differ by at least 1",
        derivation=derive(simplified(direct) - simplified(at_policy), "Equation (9) minus Equation (10)")
        .eq(reference / policy - log(reference / policy), "the ones cancel")
        .ge(1, "a logarithm is below its tangent", using=[below_tangent.at({ratio: reference / policy})]),
        equation="Section 2.2, before Eq. (10)",
        printed=paper.quote(
            "Section 2.2, before Eq. (10)",
            r"-\log\frac{\pi_{\mathrm{ref}}}{\pi_\theta} + 1 \neq -\frac{\pi_{\mathrm{ref}}}{\pi_\theta} + 1",
            ne(direct, at_policy),
        ),
    )
    quarter = rational(1, 4)
    along_penalty = Substitution(Derivative(binary_penalty(x, x_old, quarter, given), x), x_old, x)
    along_direct = Derivative(binary_penalty(x, x_old, quarter, Definitions(penalty=direct_kl)), x)
    yield claim(
        "vojnovic_yun_2025.eq9-eq10.along-the-simplex",
        "Along the probabilities of two outputs they differ too, in general",
        instance(ne(along_penalty, along_direct), {x: rational(1, 2)}),
    )
    yield claim(
        "vojnovic_yun_2025.eq9-eq10.agree",
        "But along them they agree at the reference policy, here $1/4$",
        instance(eq(along_penalty, along_direct), {x: quarter}),
    )
    yield claim(
        "vojnovic_yun_2025.eq9-eq10.agree-again",
        "And for the reference policy $1/4$ at exactly one policy above $1/2$ as well",
        UniqueZero(
            along_penalty - along_direct, x, rational(11, 20), rational(3, 4), increasing=True, lower=rational(1, 2)
        ),
        beyond="shows that the two gradients may agree at a second policy",
    )


comparison = Result("The penalty and the direct divergence", paper, derivation)
