r"""Clipping, and the assumptions of Section 1.3.

The function $\operatorname{clip}_\epsilon$ is described as setting its argument to 1 outside $[1-\epsilon,
1+\epsilon]$. PPO, which GRPO extends, sets it to the nearer end point instead. The two differ by $\epsilon$ outside,
and nowhere else (`clip`). In the objective this matters on one side for each sign of the advantage: as printed, the
term of an output drops by $\epsilon |A|$ where the ratio leaves the interval in the direction that the advantage
favours (`clip.positive-advantage`, `clip.negative-advantage`), so it is discontinuous there, and its largest value is
attained at the end point and no longer beyond it (`clip.jump`, for a positive advantage). Nothing else in the paper
depends on this, as clipping is ignored after Section 1.

Both reasons given for ignoring it are right, the first as far as it loses no stationary policy. Where the ratios stay
within $\epsilon$ of 1, nothing is clipped (`clip.small-steps`). And more: term by term the clipped objective never
exceeds the unclipped one, and equals it on-policy (`clip.below`). So if a policy maximises the unclipped objective with
itself as the old policy, it also maximises the clipped one, with either clipping function: every stationary policy
stays stationary (`clip.stationary`). Whether clipping adds others is not decided here.

The support assumption: where an output is sampled and the reference policy never gives it, the penalty is infinite, as
it exceeds any bound when that probability falls to 0 (`penalty.infinite`). What counts is that the old policy gives the
output, as it is the one sampled from; the paper speaks of $\pi_\theta$, which is the same on-policy.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.outputs import old, policy, reference
from grpo_symbolic import (
    Claim,
    Expression,
    Gap,
    Result,
    Statement,
    absolute,
    both,
    claim,
    define,
    derive,
    either,
    eq,
    exp,
    ge,
    gt,
    implies,
    le,
    log,
    lt,
    maximum,
    minimum,
    rational,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions
from grpo_symbolic.language.expression import Definition

ratio = real("rho", "(0, oo)", "probability under the policy over that under the old policy", latex=r"\rho")
epsilon = real("epsilon", "(0, 1)", "clipping parameter", latex=r"\epsilon")
advantage = real("A", "(-oo, oo)", "advantage of an output")
good = real("A_good", "(0, oo)", "positive advantage", latex="A")
printed_clip = real(
    "clip", "(-oo, oo)", "the ratio, clipped as the paper says", latex=r"\operatorname{clip}_\epsilon(\rho)"
)
bound = real("M", "(0, oo)", "any number")
perhaps_never = real(
    "pi_old_0",
    "[0, 1]",
    "probability of an output under an old policy that may never give it",
    latex=r"\pi_{\theta_{\mathrm{old}}}(o_0 \mid q)",
)
here = real("J_here", "(-oo, oo)", "objective at the old policy itself, unclipped", latex="J(\\pi)")
there = real("J_there", "(-oo, oo)", "objective at another policy, unclipped", latex="J(\\pi')")
clipped_here = real("C_here", "(-oo, oo)", "objective at the old policy itself, clipped", latex="C(\\pi)")
clipped_there = real("C_there", "(-oo, oo)", "objective at another policy, clipped", latex="C(\\pi')")

inside = both(ge(ratio, 1 - epsilon), le(ratio, 1 + epsilon))
outside = either(lt(ratio, 1 - epsilon), gt(ratio, 1 + epsilon))
#: The sentence of Section 1 that defines the function.
as_printed: tuple[Statement, ...] = (implies(outside, eq(printed_clip, 1)), implies(inside, eq(printed_clip, ratio)))


def nearest(value: Expression = ratio) -> Expression:
    """PPO's clipping: the nearest point of the interval."""
    return maximum(1 - epsilon, minimum(value, 1 + epsilon))


def surrogate(clipped: Expression, weight: Expression = advantage) -> Expression:
    """A term of the objective: the smaller of the unclipped and the clipped product."""
    return minimum(ratio * weight, clipped * weight)


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The two clipping functions, the terms of the objective, and the assumptions of Section 1.3."""
    above, below = gt(ratio, 1 + epsilon), lt(ratio, 1 - epsilon)
    sides = claim(
        "vojnovic_yun_2025.clip.sides",
        "A ratio beyond one end point lies beyond 1 and not beyond the other one, others between them as 1 does",
        both(
            implies(above, both(gt(ratio, 1), gt(ratio, 1 - epsilon))),
            implies(below, both(lt(ratio, 1), lt(ratio, 1 + epsilon))),
            implies(eq(ratio, 1), inside),
            either(inside, outside),
        ),
    )
    yield sides
    yield from _functions(sides)
    yield from _terms(sides)
    yield from _assumptions(given)


def _functions(sides: Claim) -> Iterator[Claim]:
    """Where the printed function and that of PPO differ."""
    above, below = gt(ratio, 1 + epsilon), lt(ratio, 1 - epsilon)
    values = both(
        implies(inside, eq(nearest(), ratio)),
        implies(above, eq(nearest(), 1 + epsilon)),
        implies(below, eq(nearest(), 1 - epsilon)),
    )
    yield claim(
        "vojnovic_yun_2025.clip.nearest",
        "PPO clips to the nearer end point",
        values,
        using=[sides],
        equation="Eq. (1), clipping function",
    )
    lost = [
        claim(
            f"vojnovic_yun_2025.clip.{name}",
            rf"{where} the interval the printed function differs from it by $\epsilon$",
            derivation=derive(absolute(printed_clip - nearest()), "difference", given=[*as_printed, beyond])
            .eq(absolute(1 - end), "the one is set to 1, the other to the end point", using=[sides])
            .eq(epsilon, r"$\epsilon > 0$"),
        )
        for name, where, beyond, end in (
            ("above", "Above", above, 1 + epsilon),
            ("beneath", "Below", below, 1 - epsilon),
        )
    ]
    yield from lost
    yield claim(
        "vojnovic_yun_2025.clip",
        r"The printed function differs from it by $\epsilon$ outside the interval, and nowhere else",
        both(
            implies(outside, eq(absolute(printed_clip - nearest()), epsilon)),
            implies(inside, eq(printed_clip, nearest())),
        ),
        given=as_printed,
        using=[sides, *lost],
        equation="Eq. (1), clipping function",
        printed=paper.quote(
            "Section 1, after Eq. (1), with PPO's clipping function",
            r"\operatorname{clip}_\epsilon(x) = 1 \text{ if } x < 1 - \epsilon \text{ or } x > 1 + \epsilon,\ "
            r"\operatorname{clip}_\epsilon(x) = x \text{ otherwise}",
            eq(nearest(), printed_clip),
            given=as_printed,
            fails_at={ratio: 2, epsilon: rational(1, 2), printed_clip: 1},
            instead=r"PPO, which GRPO extends, clips to the nearer of $1 - \epsilon$ and $1 + \epsilon$",
        ),
    )


def _terms(sides: Claim) -> Iterator[Claim]:
    """The term of one output, for advantages of either sign."""
    above, below = gt(ratio, 1 + epsilon), lt(ratio, 1 - epsilon)
    gains = [
        claim(
            "vojnovic_yun_2025.clip.positive-advantage.nearest",
            "A positive advantage beside PPO's function: the lower end point has no effect",
            derivation=derive(surrogate(nearest(), good), "a term of the objective")
            .eq(minimum(ratio, nearest()) * good, "take out the positive advantage")
            .eq(minimum(ratio, 1 + epsilon) * good, "where clipping raises the ratio, the ratio is the smaller one"),
        ),
        claim(
            "vojnovic_yun_2025.clip.positive-advantage.above",
            "Above the interval the printed function loses more",
            derivation=derive(
                surrogate(nearest(), good) - surrogate(printed_clip, good), "difference", given=[*as_printed, above]
            )
            .eq((1 + epsilon) * good - 1 * good, "the ratio is larger than both clipped values", using=[sides])
            .eq(epsilon * good, "collect"),
        ),
    ]
    yield from gains
    yield claim(
        "vojnovic_yun_2025.clip.positive-advantage",
        "Positive advantage: clipping acts above the interval only, where the printed function loses more",
        both(
            eq(surrogate(nearest(), good), minimum(ratio, 1 + epsilon) * good),
            implies(above, eq(surrogate(nearest(), good) - surrogate(printed_clip, good), epsilon * good)),
            implies(le(ratio, 1 + epsilon), eq(surrogate(printed_clip, good), ratio * good)),
        ),
        given=as_printed,
        using=[sides, *gains],
        equation="Eq. (1)",
    )
    losses = [
        claim(
            "vojnovic_yun_2025.clip.negative-advantage.nearest",
            "A negative advantage beside PPO's function: the upper end point has no effect",
            derivation=derive(surrogate(nearest(), -good), "a term of the objective")
            .eq(-(maximum(ratio, nearest()) * good), "take out the negative advantage, which turns the order")
            .eq(-(maximum(ratio, 1 - epsilon) * good), "where clipping lowers the ratio, the ratio is the larger one"),
        ),
        claim(
            "vojnovic_yun_2025.clip.negative-advantage.below",
            "Below the interval the printed function loses more",
            derivation=derive(
                surrogate(nearest(), -good) - surrogate(printed_clip, -good), "difference", given=[*as_printed, below]
            )
            .eq(-(1 - epsilon) * good + 1 * good, "the ratio is smaller than both clipped values", using=[sides])
            .eq(epsilon * good, "collect"),
        ),
    ]
    yield from losses
    yield claim(
        "vojnovic_yun_2025.clip.negative-advantage",
        "Negative advantage: it acts below the interval only",
        both(
            eq(surrogate(nearest(), -good), -(maximum(ratio, 1 - epsilon) * good)),
            implies(below, eq(surrogate(nearest(), -good) - surrogate(printed_clip, -good), epsilon * good)),
            implies(ge(ratio, 1 - epsilon), eq(surrogate(printed_clip, -good), -(ratio * good))),
        ),
        given=as_printed,
        using=[sides, *losses],
        equation="Eq. (1)",
    )
    yield claim(
        "vojnovic_yun_2025.clip.jump",
        "So a printed term with a positive advantage jumps: beyond the end point it is smaller by a fixed amount",
        implies(above, eq((1 + epsilon) * good - surrogate(printed_clip, good), epsilon * good)),
        given=as_printed,
        using=[sides],
    )
    yield claim(
        "vojnovic_yun_2025.clip.below",
        "With either function a clipped term never exceeds the unclipped one, and it equals it on-policy",
        both(
            le(surrogate(nearest()), ratio * advantage),
            le(surrogate(printed_clip), ratio * advantage),
            implies(eq(ratio, 1), both(eq(surrogate(nearest()), advantage), eq(surrogate(printed_clip), advantage))),
        ),
        given=as_printed,
        using=[sides],
        equation="Section 1.3",
    )


def _assumptions(given: Definitions) -> Iterator[Claim]:
    """When clipping may be ignored, and the supports."""
    change = le(absolute(policy - old), epsilon * old)
    yield claim(
        "vojnovic_yun_2025.clip.small-steps",
        r"The ratio is left unclipped exactly if new and old policy are within an $\epsilon$-relative difference",
        derivation=derive(change, "a small change")
        .iff(both(ge(policy - old, -(epsilon * old)), le(policy - old, epsilon * old)), "both signs")
        .iff(
            both(ge(policy / old, 1 - epsilon), le(policy / old, 1 + epsilon)),
            r"divide by $\pi_{\theta_{\mathrm{old}}} > 0$ and add 1",
        ),
        equation="Section 1.3",
        printed=paper.quote(
            "Section 1.3, small step size",
            r"|\pi_\theta(o \mid q) - \pi_{\theta_{\mathrm{old}}}(o \mid q)|"
            r" \leq \epsilon \pi_{\theta_{\mathrm{old}}}(o \mid q)",
            implies(
                both(change, eq(ratio, policy / old)),
                eq(surrogate(nearest()), ratio * advantage),
            ),
        ),
        paper_uses=["clip"],
    )
    yield claim(
        "vojnovic_yun_2025.clip.stationary",
        "A policy that maximises the unclipped objective on-policy maximises the clipped one: it stays stationary",
        derivation=derive(
            clipped_there,
            "the clipped objective at another policy",
            given=[le(clipped_there, there), eq(clipped_here, here), le(there, here)],
        )
        .le(there, "term by term, clipping never makes it larger")
        .le(here, "the policy maximises the unclipped objective")
        .eq(clipped_here, "on-policy nothing is clipped"),
        equation="Section 1.3",
        beyond="for larger steps too clipping takes no stationary policy away: a maximum on-policy stays one",
        fills=[
            Gap(
                "Section 1.3",
                "that nearby policies are not clipped says nothing of the far ones with which a maximiser is compared",
            ),
        ],
    )
    penalty = given.penalty(policy, old, reference) / old
    rare = le(reference, exp(-bound - 1) * policy)
    unbounded = derive(penalty, "penalty of a sampled output", given=[rare])
    yield claim(
        "vojnovic_yun_2025.penalty.infinite",
        "The penalty of a sampled output exceeds any bound if its reference probability is small enough",
        derivation=unbounded.eq(reference / policy - log(reference / policy) - 1, "the old probability cancels")
        .gt(-log(reference / policy) - 1, "the ratio is positive")
        .ge(bound, r"its logarithm is at most $-M - 1$"),
        equation="Section 1.3",
        printed=paper.quote(
            "Section 1.3, support",
            r"\text{infinite whenever } \pi_{\mathrm{ref}}(o \mid q) = 0 \text{ and } \pi_\theta(\cdot \mid q) > 0",
            gt(given.penalty(policy, perhaps_never, reference), bound),
            given=(rare,),
            another_reading=True,
            fails_at={policy: [1], reference: [rational(1, 20)], perhaps_never: 0, bound: 1},
            instead="Read of outputs that are sampled, all that the policy gives if it is the old policy, the sentence "
            "holds. Read of any old policy it fails: an output that the old policy never gives is never sampled, and "
            "costs nothing however rare it is under the reference policy.",
        ),
    )


def names() -> Iterator[Definition]:
    """PPO's clipping function."""
    yield define("near", (ratio,), nearest(ratio), latex=r"\operatorname{near}_\epsilon")


clipping = Result("Clipping and the assumptions of Section 1.3", paper, derivation, shorthands=names)
