"""Compare expressions at a point, and evaluate them, with as many bits as that takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mpmath import libmp

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.translate.noise import quick, scaled_values
from grpo_symbolic.translate.program import Point, Program, Raw
from grpo_symbolic.translate.rounded import (
    ROUGH,
    SLACK,
    OutOfReachError,
    Rounded,
    Scaled,
    UnresolvedError,
    magnitude,
)


@dataclass(frozen=True)
class Difference:
    """What was found about ``left - right`` at a point.

    ``sign`` is 0 if the two cannot be told apart at any precision that was tried; ``relative`` is
    left - right divided by the scale of both.
    """

    left: Raw
    right: Raw
    sign: int
    relative: Raw


def precisions(digits: int) -> tuple[int, int, int]:
    """The numbers of bits at which values are computed in turn: guard digits, then doubled twice."""
    bits = math.ceil((digits + 15) * math.log2(10))
    return bits, 2 * bits, 4 * bits


def difference(sides: Program, point: Point, digits: int, *, thorough: bool, start: int = 0) -> Difference:
    """Compare the two expressions of a program at a point, with more digits until cancellation is seen through.

    A difference that stands out of the rounding noise is real. One that does not is accepted as 0 once the
    noise is below ``digits`` digits of the larger side, or each side by itself vanishes at doubled precision. With
    ``thorough`` (for inequalities, where touching is not enough) all precisions are tried first, and more than
    these, up to 40 times ``digits``, while terms are lost that may decide the sign.
    ``start`` skips precisions, to confirm what was found with fewer digits.

    Raises:
        UndefinedError: where a side has no value.
        OutOfReachError: where a value is too large, or too much cancels or is lost at the highest precision.
    """
    levels = precisions(digits)
    wanted = math.ceil(digits * math.log2(10))
    bits = levels[start]
    while True:
        last, numbers = bits >= levels[-1], quick(bits)
        arithmetic = numbers.rounded
        try:
            left, right = scaled_values(sides, point, numbers)
        except UnresolvedError:
            if last and not arithmetic.lost:
                raise
        else:
            gap = arithmetic.operations["subtract"](left, right)
            relative = libmp.mpf_div(gap[0], gap[1], ROUGH, "n") if gap[1][1] else libmp.fzero
            if not arithmetic.is_noise(gap):
                return Difference(left[0], right[0], libmp.mpf_sign(gap[0]), relative)
            largest = max(magnitude(left[0]), magnitude(right[0]))
            vanish = arithmetic.is_noise(left) and arithmetic.is_noise(right)
            settled = magnitude(gap[1]) + SLACK - bits <= largest - wanted or (bits > levels[0] and vanish)
            if settled and (not thorough or (last and not arithmetic.lost)):
                return Difference(left[0], right[0], 0, relative)
        bits = _raised(bits, arithmetic.lost, levels, digits)


def _raised(bits: int, lost: int, levels: tuple[int, int, int], digits: int) -> int:
    """The next precision: that of the next level, then whatever keeps all terms, within limits."""
    if bits < levels[-1]:
        return 2 * bits
    raised = lost + levels[0] if lost else 2 * bits
    if raised > 40 * digits * math.log2(10):
        raise OutOfReachError(f"too much cancels for {bits} bits; {raised} might do")
    return raised


def evaluate(expression: Expression, point: Point, digits: int) -> Scaled:
    """The value of an expression to ``digits`` digits, with its scale.

    Raises:
        UndefinedError: where it has no value.
        OutOfReachError: where it is too large to be computed.
    """
    program = Program((expression,))
    wanted = math.ceil(digits * math.log2(10))
    levels = precisions(digits)
    for bits in levels:
        try:
            value, scale = program.run(Rounded(bits), point)[0]
        except UnresolvedError:
            if bits == levels[-1]:
                raise
            continue
        if magnitude(scale) + SLACK - bits <= magnitude(value) - wanted:
            break
    return value, scale
