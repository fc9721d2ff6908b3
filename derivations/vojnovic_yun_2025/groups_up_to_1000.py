r"""Binary questions: the stationary policy from groups of two to groups of a thousand.

The bounds $\sqrt{Q}\,(1 - \frac{1}{2GQ}) \leq B_G(x) \leq \sqrt{Q}\sqrt{1 - \frac1G}$ with $Q = x(1-x)$
(`group-deviation.rate`, `group-deviation.upper`) enclose the stationary policy, because it is where $\beta(x - r)$
crosses $B_G(x)$ (`finite-groups.stationary`): this is still smaller than the lower bound at the one end, and larger
than the upper bound at the other. The equation has at most one solution if $B_G(x)/x$ falls (`finite-groups.unique`).
For the weight 1 and the reference $\frac14$ the policy is $\frac12$ for groups of two, Equation (14), and $(3 +
\sqrt{7})/8 \approx 0.7057$ in the limit, Equation (15). Groups of a thousand come within a thousandth of the limit
(`finite-groups.1000.enclosed`); groups of ten do not come within a fiftieth (`finite-groups.10.enclosed`).

For stationary policies more than two outputs whose deterministic rewards take two values come down to two answers, at
any group size (`finite-groups.outputs`). The outputs with the higher reward share the policy as they share the
reference, and the sum of their probabilities satisfies the equation for two answers (`finite-groups.outputs`).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial, reduce
from math import comb
from operator import add

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x
from derivations.vojnovic_yun_2025.binary_rewards import expected_standard_deviation
from derivations.vojnovic_yun_2025.outputs import policy
from derivations.vojnovic_yun_2025.outputs import reference as prior
from grpo_symbolic import (
    Claim,
    Expression,
    Figure,
    Oracle,
    Result,
    Summed,
    Total,
    Trace,
    both,
    claim,
    define,
    eq,
    gt,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.grpo.enumeration import Context, Number

ONE, QUARTER = rational(1), rational(1, 4)
#: Ends between which the policy lies, in ten thousandths.
SUMMED = {10: (6826, 6827)}
BOUNDED = {30: (6805, 7004), 100: (6981, 7042), 300: (7031, 7052), 1000: (7049, 7056)}
margin = real("gamma_G", "(0, oo)", "effective margin at this policy", latex=r"\gamma_G(x)")


def policy_by_summation(values: Mapping[str, Number], context: Context, *, members: int) -> tuple[Number, Number]:
    """How far the policy is from the middle of its enclosure, by summing over all successes, beside half its width."""
    weights = [context.mpf(comb(members, n)) * context.sqrt(n * (members - n)) / members for n in range(members + 1)]
    low, high = context.mpf(1) / 4, context.one
    for _ in range(24):
        at = (low + high) / 2
        odds, term = at / (1 - at), (1 - at) ** members
        total = context.zero
        for weight in weights:
            total += weight * term
            term *= odds
        low, high = (at, high) if at - context.mpf(1) / 4 < total else (low, at)
    ends = {**SUMMED, **BOUNDED}[members]
    return abs(low - context.mpf(sum(ends)) / 20_000), context.mpf(ends[1] - ends[0]) / 20_000


def derivation() -> Iterator[Claim]:
    """The policy at several group sizes, and outputs with equal rewards."""
    yield from _sizes()
    yield from _equal_rewards()


def _sizes() -> Iterator[Claim]:
    """Changes of sign, by the sum itself or by its bounds."""
    for members, ends in {**SUMMED, **BOUNDED}.items():
        below, above = (rational(end, 10_000) for end in ends)
        if members in SUMMED:
            named = define(f"B_{members}", (x,), expected_standard_deviation(members, x), latex=f"B_{{{members}}}")
            lower, upper, words = named(below), named(above), "by the sum over the numbers of successes"
        else:
            lower, upper = (at * (1 - at) for at in (below, above))
            lower = sqrt(lower) * (1 - 1 / (2 * members * lower))
            upper = sqrt(upper) * sqrt(1 - rational(1, members))
            words = "by the bounds of the deviation"
        yield claim(
            f"vojnovic_yun_2025.finite-groups.{members}.enclosed",
            f"Groups of {members}, weight 1, reference 1/4: the equation has a solution between these ends, {words}",
            both(lt(below - QUARTER, lower), gt(above - QUARTER, upper)),
            oracle=Oracle(
                "finds the policy by bisection, with the sum over all numbers of successes",
                partial(policy_by_summation, members=members),
                "<",
                points=1,
            ),
        )


def _equal_rewards() -> Iterator[Claim]:
    """Any number of outputs with two rewards."""
    yield claim(
        "vojnovic_yun_2025.finite-groups.outputs",
        "Outputs with the higher of two rewards, at any group size: summed over them, the equation for two answers",
        Summed(
            eq((1 - (1 - x) * margin / beta) * policy, prior),
            ONE,
            eq(beta * (x - reference), x * (1 - x) * margin),
            1 / beta,
        ),
        given=[eq(Total(policy), x), eq(Total(prior), reference)],
        beyond="reduces the stationary policies of questions with any number of outputs and two deterministic rewards "
        "to those of binary questions, at every group size",
    )


def crossing(members: int | None) -> Expression:
    """The reference for which a policy is stationary at the weight 1; None is the limit of large groups."""
    if members is None:
        return x - sqrt(x * (1 - x))
    terms = [
        rational(comb(members, n)) * x**n * (1 - x) ** (members - n) * sqrt(rational(n * (members - n)))
        for n in range(1, members)
    ]
    return x - reduce(add, terms) / members


def figures() -> Iterator[Figure]:
    """The policy as a function of the reference, for several group sizes."""
    sizes = (2, 3, 4, 10, 100, None)
    yield Figure(
        id="vojnovic_yun_2025.policies-by-group-size",
        caption=r"Binary question, deterministic rewards, weight $\beta = 1$: the stationary policy for groups of 2 "
        "(Equation 14) to 100, from the sum over the numbers of successes, and in the limit (Equation 15). At the "
        "reference 1/4 groups of 1000 are within a thousandth of the limit (`finite-groups.1000.enclosed`).",
        horizontal=reference,
        horizontal_range=(Fraction(0), Fraction(1)),
        horizontal_label=r"$\pi_{\mathrm{ref}}(a \mid q)$",
        vertical_label=r"$\pi_\theta(a \mid q)$",
        traces=tuple(
            Trace(crossing(members), x, x, (Fraction(1, 1000), Fraction(999, 1000)), (), _label(members))
            for members in sizes
        ),
        vertical_range=(Fraction(0), Fraction(1)),
    )


def _label(members: int | None) -> str:
    return r"$G \to \infty$" if members is None else f"$G = {members}$"


sizes = Result("Groups of two to a thousand", paper, derivation, figures)
