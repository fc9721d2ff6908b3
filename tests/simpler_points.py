"""Look for a simpler counterexample than the one a judgement has; what is found is certified like every other.

How simple a rational point is, is told by its heights: the height of p/q is the larger of |p| and q, and those of all
coordinates are added. Points are tried in the order of this sum. Equations among the hypotheses are solved, so that
fewer coordinates have to be guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import gcd

from grpo_symbolic.checks.counterexamples.case import Case
from grpo_symbolic.checks.counterexamples.negation import ways_to_fail
from grpo_symbolic.checks.refuting import refute_at
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.evidence import Place
from grpo_symbolic.judging.verdicts import Inquiry
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.obligations.outputs import with_outputs
from grpo_symbolic.translate.balls import precision

#: No coordinate that is guessed is higher, which keeps the lists short.
_HIGHEST = 12


def height(value: Fraction) -> int:
    """The larger of numerator and denominator, without sign."""
    return max(abs(value.numerator), value.denominator)


def total_height(at: Place) -> int:
    """The heights of all coordinates of a rational point together."""
    return sum(height(Fraction(value)) for _, value in at)


def simpler_point(quote: Quote, at: Place, budget: int) -> Place | None:
    """A certified counterexample to a quote that is simpler than a rational one, as simple as was found.

    ``budget`` points are tried in each way in which the quote can fail.
    """
    best: Place | None = None
    for obligation in Inquiry(quote.statement, quote.given).bare.values():
        finite = with_outputs(obligation, _outputs(at))
        with precision(192):
            for literals in ways_to_fail(finite):
                case = Case(literals, finite)
                for point in islice(points(case.free, total_height(best or at)), budget):
                    found = _completed(case, point, total_height(best or at))
                    if found is not None and refute_at(obligation, found) is not None:
                        best = found
    return best


def _completed(case: Case, point: dict[Symbol, Fraction], below: int) -> Place | None:
    values = case.completion(point)
    witness = None if values is None else case.witness(values)
    if witness is None or any("." in value for _, value in witness.at) or total_height(witness.at) >= below:
        return None
    return witness.at


def _outputs(at: Place) -> int:
    return max((int(name.partition("[")[2].rstrip("]")) for name, _ in at if "[" in name), default=1)


def points(symbols: Sequence[Symbol], below: int) -> Iterator[dict[Symbol, Fraction]]:
    """Rational points of the domains with heights below a sum, the simplest first."""
    choices = [_values(symbol.domain, min(below, _HIGHEST)) for symbol in symbols]
    for total in range(len(symbols), below):
        for point in _of_height(choices, total):
            yield dict(zip(symbols, point, strict=True))


def _of_height(choices: Sequence[Sequence[Fraction]], total: int) -> Iterator[tuple[Fraction, ...]]:
    if not choices:
        if total == 0:
            yield ()
        return
    first, *others = choices
    for value in first:
        if height(value) > total - len(others):
            return
        for rest in _of_height(others, total - height(value)):
            yield (value, *rest)


def _values(domain: Interval, highest: int) -> list[Fraction]:
    """The rationals of a domain up to a height, the simplest first and those without a sign before the others."""
    fractions = {Fraction(0), *(Fraction(p, q) for p in _upto(highest) for q in _upto(highest) if gcd(p, q) == 1)}
    signed = sorted(
        fractions | {-value for value in fractions}, key=lambda value: (height(value), value < 0, abs(value))
    )
    return [value for value in signed if value in domain]


def _upto(highest: int) -> range:
    return range(1, highest + 1)
