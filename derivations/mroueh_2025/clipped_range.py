r"""Clipping does not keep the ratio within its range (Section 2, before Section 2.1).

The sentence before Section 2.1 says that clipping keeps the ratio within $[1-\epsilon, 1+\epsilon]$. It does not: it
takes away the gain from leaving this range, in one direction each. The penalty may still pull the policy out. For two
outputs, a success and a failure, old policy $\frac12$ and a reference of at least $\frac{1+\epsilon}{2}$ for the
success the best of all policies is the reference itself, whatever its distance from the old policy (`clip.range`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.best_value import other, shortfall
from derivations.mroueh_2025.functions import beta, half, p_ref
from derivations.mroueh_2025.outputs import any_policy, width
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    both,
    claim,
    derive,
    eq,
    ge,
    le,
    log,
    maximum,
    minimum,
    ne,
    on_support,
    rational,
    real,
    sqrt,
)

share = real("y", "[0, 1]", "success probability of the policy", latex="y")
rise = real("W", "(0, oo)", "weight of successes and failures, equal at one half", latex=r"\omega")


def divergence(of: Expression) -> Expression:
    """The divergence of a coin from the reference's, where a side that it never shows adds nothing."""
    sides = ((of, p_ref), (1 - of, 1 - p_ref))
    first, second = (on_support(chance, chance * log(chance / prior)) for chance, prior in sides)
    return first + second


def derivation() -> Iterator[Claim]:
    """Two outputs at an old policy of one half: the maximum may lie outside the range."""

    def reward(at: Expression) -> Expression:
        return half * minimum(at / half, 1 + width) - half * maximum((1 - at) / half, 1 - width)

    def objective(at: Expression) -> Expression:
        return rise * reward(at) - beta * divergence(at)

    far = ge(p_ref, (1 + width) / 2)
    summand = shortfall.claim("divergence.summand")
    at_success, at_failure = (
        summand.at({any_policy: chance, other: prior}) for chance, prior in ((share, p_ref), (1 - share, 1 - p_ref))
    )
    squares = (sqrt(share) - sqrt(p_ref)) ** 2, (sqrt(1 - share) - sqrt(1 - p_ref)) ** 2
    tangent = claim(
        "mroueh_2025.clip.divergence",
        "The divergence of a coin from one that can show both sides is positive unless they agree",
        derivation=derive(divergence(share), "definition of the divergence", given=[ne(share, p_ref)])
        .ge(
            squares[0] + (share - p_ref) + (squares[1] + (1 - share - (1 - p_ref))),
            "bound of a summand, twice",
            using=[at_success, at_failure],
        )
        .eq(squares[0] + squares[1], "the differences cancel")
        .gt(0, "the roots differ"),
    )
    yield tangent
    yield claim(
        "mroueh_2025.clip.range",
        "For a success, a failure and an old policy of one half, a reference of at least $\\frac{1+\\epsilon}{2}$ for "
        "the success is the best of all policies, however far away it is",
        derivation=derive(objective(share), "objective", given=[far, ne(share, p_ref)])
        .lt(rise * reward(share), "the divergence is positive", using=[tangent])
        .le(rise * width, "the clipped reward is at most $\\epsilon$")
        .eq(objective(p_ref), "at the reference it is $\\epsilon$, and the divergence 0"),
        using=[tangent],
        equation="Section 2, before Section 2.1",
        printed=paper.quote(
            "Section 2, before Section 2.1",
            r"\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)} \in [1-\epsilon, 1+\epsilon]",
            both(ge(share / half, 1 - width), le(share / half, 1 + width)),
            given=(far, eq(share, p_ref)),
            fails_at={share: rational(3, 4), p_ref: rational(3, 4), width: rational(1, 5)},
            instead="Clipping takes away the gain from leaving the range, but does not keep the ratio inside: "
            "here the best of all policies is the reference (mroueh_2025.clip.range), which may lie outside of the "
            "range.",
            isolated=True,
        ),
        beyond="names the best of all policies, which may lie outside of the range",
    )


outside = Result("The range of the ratio", paper, derivation)
