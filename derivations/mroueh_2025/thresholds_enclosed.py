r"""Folds and flips at the weights and references of the figures, enclosed.

At the weights of the figures and the paper's $\varepsilon = 10^{-5}$, $S(p) = \beta$ holds for exactly two success
probabilities, $p_1$ and $p_2$ (`folds.beta-1` to `folds.beta-10`). There are three fixed points for references strictly
between $r(p_2)$ and $r(p_1)$, and one beyond (`folds.direction`). The upper end $r(p_1)$ is 0.2562 for $\beta = 1$,
0.6573 for 2, 0.9300 for 5 and 0.9818 for 10 (`folds.beta-1` to `folds.beta-10`). The lower end is below $10^{-7}$, so
the references from $10^{-7}$ to below the upper end have three fixed points (`folds.beta-1` to `folds.beta-10`).

For the paper's reference 0.001 the fixed point below one half has slope $-1$ for exactly two weights, 0.33820 and
5.6621 (`flips.ref-0.001`). The divergent example of Figure 5, $\beta = 5$, where it repels (`figure-5.repels`), is near
the end of the range between them.
"""

from collections.abc import Callable, Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.critical_weight import S
from derivations.mroueh_2025.fixed_point_stability import reference_of
from derivations.mroueh_2025.fixed_points_enclosed import Bracket, brackets_of, success_in
from derivations.mroueh_2025.functions import beta, epsilon, p
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    Statement,
    Substitution,
    Zeros,
    both,
    claim,
    gt,
    instance,
    lt,
    rational,
    real,
)

below = real("below", "(0, 1/2)", "success probability below one half", latex="p")

smoothing = rational(1, 100_000)
#: Brackets of the two folds of each weight, and bounds of the reference at the first.
FOLDS = {
    1: ("0.8535 0.8536, 0.99999993 0.99999994", "0.25624 0.25625"),
    2: ("0.9472 0.9473, 0.99999987 0.99999988", "0.65733 0.65734"),
    5: ("0.99031 0.99032, 0.99999966 0.99999967", "0.92997 0.92998"),
    10: ("0.99754 0.99755, 0.99999929 0.9999993", "0.98184 0.98185"),
}
#: Brackets of the two flips of the reference 0.001, and bounds of the weights there.
FLIPS, FLIPPING_WEIGHTS = "0.00759056 0.00759059, 0.3398026 0.3398028", "5.6621 5.66214, 0.338201 0.338203"


def derivation() -> Iterator[Claim]:
    """Four folds, then the two flips of one reference."""
    for weight, (row, references) in FOLDS.items():
        yield folds(weight, brackets_of(row), brackets_of(references)[0])
    yield flips()


def within(
    bracket: Bracket, value: Callable[[Expression], Expression], bounds: Bracket, meaning: str, latex: str = "p'"
) -> Statement:
    """Bounds of a function on a bracket, in which ``latex`` stands for a success probability."""
    least, most = bounds
    place = success_in(bracket, meaning, latex)
    return both(gt(value(place), least), lt(value(place), most))


def folds(weight: int, brackets: list[Bracket], references: Bracket) -> Claim:
    """Both solutions of S = beta, and the references between which there are three fixed points."""
    next_to_zero = rational(0), rational(1, 10**7)
    parts = both(
        Zeros(S(p) - beta, p, tuple(brackets), rising=True),
        within(brackets[0], reference_of, references, f"near the first fold for $\\beta = {weight}$"),
        within(brackets[1], reference_of, next_to_zero, f"near the second fold for $\\beta = {weight}$", "p''"),
    )
    return claim(
        f"mroueh_2025.folds.beta-{weight}",
        f"Both folds for $\\beta = {weight}$: the references between which there are three fixed points",
        instance(parts, {beta: rational(weight), epsilon: smoothing}),
        equation="Section 3, last paragraph, on Figure 2",
    )


def flips() -> Claim:
    """The weights at which the fixed point below one half of the reference 0.001 has slope -1."""
    excess = Substitution(reference_of(below), beta, -S(below)) - rational(1, 1000)
    brackets, weights = brackets_of(FLIPS), brackets_of(FLIPPING_WEIGHTS)
    parts = both(
        Zeros(excess, below, tuple(brackets), rising=True),
        within(brackets[0], lambda at: -S(at), weights[0], "near the first flip"),
        within(brackets[1], lambda at: -S(at), weights[1], "near the second flip", "p''"),
    )
    return claim(
        "mroueh_2025.flips.ref-0.001",
        "For the reference 0.001 the fixed point below one half has slope $-1$ for two weights only, 0.338 and 5.66",
        instance(parts, {epsilon: smoothing}),
        equation="Section 4, on Figure 5",
        beyond="locates the weights at which the fixed point below one half loses its stability and regains it",
    )


thresholds = Result("Folds and flips at the weights and references of the figures", paper, derivation)
