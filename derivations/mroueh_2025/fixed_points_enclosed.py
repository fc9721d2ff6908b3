r"""The success probabilities that one step or two steps keep, at the parameters of the figures, enclosed.

For the pairs of a weight $\beta$ in $\{1, 2, 5, 10\}$ and a reference $p_{\mathrm{ref}}$ in $\{0.001, 0.2, 0.5, 0.8\}$
of Figures 2 and 5, for the paper's $\varepsilon = 10^{-5}$, the zeros of $h(p) - p$ on the whole of $[0, 1]$ are
listed, each enclosed (as in `fixed-points.beta-1.ref-0.001`). Two pairs are in earlier sections and are not repeated
(`figure-2.first`, `figure-5.fixed-point`). There are three fixed points, but one for the references 0.5 and 0.8 at
$\beta = 1$ and 0.8 at $\beta = 2$ (as in `fixed-points.beta-1.ref-0.8`). The one in the middle repels, where the map
crosses the diagonal upwards, and the last one attracts; of the first one the list says what holds (as in
`fixed-points.beta-1.ref-0.001`).

The zeros of $h(h(p)) - p$ are the fixed points and the points of cycles of two, which are pairs with $h(u) = v$ and
$h(v) = u$ (`cycles.mirror`). For references of at least one half there are no such cycles, as a step up is followed by
another (`monotone.repeats`). At $p_{\mathrm{ref}} = 0.2$ there are as many zeros as fixed points at both ends of the
range of weights, and so no cycle there (`two-steps.beta-1.ref-0.2`, `two-steps.beta-10.ref-0.2`). At $p_{\mathrm{ref}}
= 0.001$ there is exactly one, the first and the third zero, for $\beta = 1$, 2 and 5 (as in
`two-steps.beta-5.ref-0.001`), and none for $\beta = 9$ and 10 (as in `two-steps.beta-9.ref-0.001`). The slope of two
steps, the same at both points, says that the cycle at $\beta = 5$, the divergent example of Figure 5, attracts
(`two-steps.beta-5.ref-0.001`) and the other two repel (as in `two-steps.beta-1.ref-0.001`). The ends of the range of
the figure on the long run, $\beta = 1$ and 9, are listed for its second reference as well, with the fixed points there
(`fixed-points.beta-9.ref-0.0001`): the cycle at $\beta = 9$ attracts (`two-steps.beta-9.ref-0.0001`).
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta, epsilon, h, p, p_ref
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    Statement,
    Zeros,
    attracts,
    both,
    claim,
    eq,
    implies,
    instance,
    rational,
    real,
    repels,
)
from grpo_symbolic.language.expression import Number, Symbol

#: Two numbers between which a zero lies.
Bracket = tuple[Number, Number]

#: Where the fixed points lie, for each reference and weight.
FIXED_POINTS = {
    "0.0001": {
        1: "0.031 0.032, 0.9952 0.9953, 0.998 1",
        9: "0.0015 0.0016, 0.99997 0.99998, 0.99999 1",
    },
    "0.001": {
        1: "0.061 0.062, 0.9928 0.9929, 0.998 1",
        2: "0.024 0.025, 0.9986 0.9987, 0.9995 1",
        9: "0.0048 0.0049, 0.99996 0.99997, 0.99998 1",
        10: "0.0044 0.0045, 0.999977 0.999978, 0.99999 1",
    },
    "0.2": {
        2: "0.40 0.41, 0.9940 0.9941, 0.998 1",
        5: "0.28 0.29, 0.99951 0.99952, 0.9998 1",
        10: "0.24 0.25, 0.999925 0.999926, 0.99998 1",
    },
    "0.5": {
        1: "0.95 1",
        2: "0.76 0.77, 0.986 0.987, 0.995 1",
        5: "0.60 0.61, 0.99923 0.99924, 0.9998 1",
        10: "0.55 0.56, 0.99988 0.99989, 0.99995 1",
    },
    "0.8": {
        1: "0.95 1",
        2: "0.99 1",
        5: "0.88 0.89, 0.9984 0.9985, 0.9995 1",
        10: "0.84 0.85, 0.99981 0.99982, 0.99995 1",
    },
}
#: Where the fixed points of two steps lie.
OF_TWO_STEPS = {
    "0.0001": {
        1: "0.0069 0.0070, 0.031 0.032, 0.941 0.942, 0.9952 0.9953, 0.998 1",
        9: "0.00012 0.00013, 0.0015 0.0016, 0.58 0.59, 0.999979 0.999980, 0.99999 1",
    },
    "0.001": {
        1: "0.014 0.015, 0.061 0.062, 0.82 0.83, 0.9928 0.9929, 0.998 1",
        2: "0.0035 0.0036, 0.024 0.025, 0.81 0.82, 0.9986 0.9987, 0.9995 1",
        5: "0.0023 0.0024, 0.0086 0.0087, 0.058 0.059, 0.99984 0.99985, 0.99995 1",
        9: "0.0048 0.0049, 0.999968 0.999969, 0.99998 1",
        10: "0.0044 0.0045, 0.999977 0.999978, 0.99999 1",
    },
    "0.2": {
        1: "0.68 0.69, 0.934 0.935, 0.98 1",
        10: "0.24 0.25, 0.999925 0.999926, 0.99998 1",
    },
}
#: Where the first fixed point has a slope below -1.
REPELLED = (("0.0001", 1), ("0.0001", 9), ("0.001", 1), ("0.001", 2))
#: Where two steps have a slope below -1 at the points of a cycle.
CYCLES_REPELLED = (("0.0001", 1), ("0.001", 1), ("0.001", 2))
COUNTS = {1: "One fixed point", 3: "Three fixed points"}


def derivation() -> Iterator[Claim]:
    """The lists, for one step and for two."""
    for prior, rows in FIXED_POINTS.items():
        for weight, row in rows.items():
            yield fixed_points(prior, weight, row)
    for prior, rows in OF_TWO_STEPS.items():
        for weight, row in rows.items():
            yield two_steps(prior, weight, row)


def brackets_of(row: str) -> list[Bracket]:
    """The pairs of decimals of a row."""
    pairs = (pair.split() for pair in row.split(","))
    return [(as_rational(Fraction(low)), as_rational(Fraction(high))) for low, high in pairs]


def at_parameters(prior: str, weight: int, parts: Iterable[Statement]) -> Statement:
    """All of this for a reference, a weight and the paper's smoothing."""
    values = {p_ref: as_rational(Fraction(prior)), beta: rational(weight), epsilon: rational(1, 100_000)}
    return instance(both(*parts), values)


def as_rational(value: Fraction) -> Number:
    """A rational number of a statement."""
    return rational(value.numerator, value.denominator)


def success_in(bracket: Bracket, meaning: str, latex: str) -> Symbol:
    """A success probability in a bracket, named after it because a section has many."""
    low, high = (point.value for point in bracket)
    return real(
        f"p_{low.numerator}_{low.denominator}", f"[{low}, {high}]", f"success probability {meaning}", latex=latex
    )


def stable(
    number: int, bracket: Bracket, step: Callable[[Expression], Expression], *, repelled: bool, parameters: str
) -> Statement:
    """Whether the fixed point in a bracket, the one of this number, attracts or repels."""
    place = success_in(bracket, f"near zero {number} for {parameters}", f"p_{number}")
    return implies(eq(step(place), place), (repels if repelled else attracts)({p: step(p)}, place))


def fixed_points(prior: str, weight: int, row: str) -> Claim:
    """All fixed points at one pair of parameters."""
    brackets, where = brackets_of(row), parameters(prior, weight)
    parts: list[Statement] = [Zeros(h(p) - p, p, tuple(brackets), rising=False)]
    for number, bracket in enumerate(brackets, start=1):
        repelled = number == 2 or (number == 1 and (prior, weight) in REPELLED)
        parts.append(stable(number, bracket, h, repelled=repelled, parameters=where))
    return claim(
        f"mroueh_2025.fixed-points.beta-{weight}.ref-{prior}",
        f"{COUNTS[len(brackets)]} for {where}",
        at_parameters(prior, weight, parts),
        equation="Section 3, last paragraph, on Figure 2",
    )


def two_steps(prior: str, weight: int, row: str) -> Claim:
    """All fixed points of two steps at one pair of parameters."""
    brackets, where = brackets_of(row), parameters(prior, weight)
    cycle = len(brackets) == 5
    parts: list[Statement] = [Zeros(h(h(p)) - p, p, tuple(brackets), rising=False)]
    if cycle:
        repelled = (prior, weight) in CYCLES_REPELLED
        parts.append(stable(1, brackets[0], lambda before: h(h(before)), repelled=repelled, parameters=where))
    return claim(
        f"mroueh_2025.two-steps.beta-{weight}.ref-{prior}",
        f"{'One cycle' if cycle else 'No cycle'} of two for {where}",
        at_parameters(prior, weight, parts),
        equation="Section 4, on Figure 5",
        beyond=f"counts the cycles of two, with the fixed points (`fixed-points.beta-{weight}.ref-{prior}`)"
        if cycle
        else None,
    )


def parameters(prior: str, weight: int) -> str:
    """A weight and a reference in words."""
    return f"$\\beta = {weight}$ and $p_{{\\mathrm{{ref}}}} = {prior}$"


enclosed = Result("Fixed points and cycles of two at the parameters of the figures", paper, derivation)
