"""Intervals with rational ends in which an expression has its values, where it has any, on the domains of its symbols.

Every rule returns a set that contains all values of an operator on the intervals of its operands. An end may be said to
belong where it does not, never the other way round; so a comparison that these sets show holds wherever both sides have
values. Ends that are not rational are rounded outwards, by integer arithmetic alone: for ``exp`` and ``log`` series of
positive terms are summed twice, rounded down and rounded up, and the rest of the series is bounded by a geometric one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf, isqrt
from typing import NamedTuple, TypeAlias

from grpo_symbolic.kernel.terms import NEGATED, TWO, RefusedError, Term, make, spend

#: An end: a rational number, or an infinite float.
End: TypeAlias = Fraction | float
#: Bits of irrational ends, unless a proof asks for more, and how many more it may ask for.
BITS, MOST_BITS = 96, 4_000
#: Beyond this exponentials are bounded only roughly, and powers not at all.
_STEEPEST, _LARGEST_POWER, _LONGEST = 4_000, 1_000, 40_000


class Interval(NamedTuple):
    """From ``low`` to ``high``, and whether these belong to it."""

    low: End
    low_in: bool
    high: End
    high_in: bool


LINE = Interval(-inf, False, inf, False)


def point(value: Fraction | int) -> Interval:
    """A number alone."""
    return Interval(Fraction(value), True, Fraction(value), True)


class Ranges:
    """The ranges of terms on domains; ``bits`` say how finely irrational ends are rounded."""

    def __init__(self, domains: Mapping[str, Interval], bits: int = BITS) -> None:
        if not 0 < bits <= MOST_BITS:
            raise RefusedError(f"{bits} bits are too many, or none")
        self.domains, self.bits = domains, bits
        self._known: dict[Term, Interval] = {}

    def of(self, term: Term) -> Interval:
        """Where the values of an expression lie.

        Raises:
            RefusedError: for an operator that is not known here, and where an expression has no value at all.
        """
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._of(term)
        return found

    def holds(self, relation: Term) -> bool:
        """Whether a relation is seen to hold wherever both sides have values."""
        if relation.args[0] is relation.args[1]:
            return relation.op in ("=", "<=", ">=")
        try:
            left, right = map(self.of, relation.args)
        except RefusedError:
            return False
        return compares(relation.op, left, right)

    def _of(self, term: Term) -> Interval:
        op, args = term.op, term.args
        spend(self.bits)
        if op in ("num", "sym"):
            return point(args[0]) if op == "num" else self._domain(args[0])
        if op == "power":
            return self._power(*args)
        if op == "multiply" and args[0] is args[1]:
            return self._power(args[0], TWO)
        if not all(isinstance(one, Term) for one in args):
            raise RefusedError(f"no range of {op}")
        parts = [self.of(one) for one in args]
        match op:
            case "add":
                return self._sum(parts[0], parts[1])
            case "subtract":
                return self._sum(parts[0], negative(parts[1]))
            case "negate":
                return negative(parts[0])
            case "multiply":
                return self._product(parts[0], parts[1])
            case "divide":
                return self._product(parts[0], self._reciprocal(parts[1]))
            case "maximum":
                return largest(parts[0], parts[1])
            case "minimum":
                return negative(largest(negative(parts[0]), negative(parts[1])))
            case "absolute" | "cosh":
                return self._cosh(absolute(parts[0])) if op == "cosh" else absolute(parts[0])
        rising = {"sqrt": self._sqrt, "exp": self._exp, "log": self._log, "sinh": self._sinh, "tanh": self._tanh}
        if op not in rising:
            raise RefusedError(f"no range of {op}")
        return self._image(rising[op], parts[0], op)

    def _domain(self, name: str) -> Interval:
        if name not in self.domains:
            raise RefusedError(f"{name} has no domain")
        return self.domains[name]

    def _image(self, function: Callable[[End], tuple[End, End]], values: Interval, op: str) -> Interval:
        """Of a strictly increasing function: its values at both ends, as far as it is defined there."""
        low, low_in, high, high_in = values
        if op in ("sqrt", "log") and low < 0:
            low, low_in = Fraction(0), True
        if op in ("sqrt", "log") and (high < 0 or (high == 0 and op == "log")):
            raise RefusedError(f"{op} has no value there")
        below, exactly_below = function(low)
        exactly_above, above = function(high)
        # An end that was rounded may belong; one that is exact belongs if the end of the argument does.
        low_in, high_in = low_in or below != exactly_below, high_in or above != exactly_above
        if op in ("exp", "tanh", "log"):
            # No exponential is 0, no tangent is 1, and no logarithm is infinite.
            limit = {"exp": Fraction(0), "tanh": Fraction(-1), "log": -inf}[op]
            low_in = low_in and below != limit
            high_in = high_in and not (op == "tanh" and above == 1)
        return Interval(below, low_in and below != -inf, above, high_in and above != inf)

    def _power(self, base: Term, exponent: Term) -> Interval:
        if exponent.op != "num":
            return self.of(make("exp", make("multiply", exponent, make("log", base))))
        value: Fraction = exponent.args[0]
        inside = self.of(base)
        if value.denominator == 2:
            inside = self._image(self._sqrt, inside, "sqrt")
        elif value.denominator != 1:
            raise RefusedError("an exponent is neither an integer nor half of one")
        return self._whole_power(inside, value.numerator)

    def _whole_power(self, base: Interval, exponent: int) -> Interval:
        if exponent < 0:
            return self._reciprocal(self._whole_power(base, -exponent))
        if exponent > _LARGEST_POWER:
            raise RefusedError("a power is too large")
        if exponent == 0:
            return point(1)
        low, low_in, high, high_in = absolute(base) if exponent % 2 == 0 else base
        return Interval(self._down(_raised(low, exponent)), low_in, self._up(_raised(high, exponent)), high_in)

    def _sum(self, one: Interval, other: Interval) -> Interval:
        return Interval(
            self._down(_added(one.low, other.low)),
            one.low_in and other.low_in,
            self._up(_added(one.high, other.high)),
            one.high_in and other.high_in,
        )

    def _product(self, one: Interval, other: Interval) -> Interval:
        ends: list[tuple[End, bool]] = []
        for x, x_in in ((one.low, one.low_in), (one.high, one.high_in)):
            for y, y_in in ((other.low, other.low_in), (other.high, other.high_in)):
                # 0 is attained as soon as one factor attains it.
                attained = (x_in and y_in) if x != 0 != y else (x == 0 and x_in) or (y == 0 and y_in)
                ends.append((_multiplied(x, y), attained))
        low, high = min(end for end, _ in ends), max(end for end, _ in ends)
        low_in, high_in = (any(attained for end, attained in ends if end == which) for which in (low, high))
        return Interval(self._down(low), low_in, self._up(high), high_in)

    def _reciprocal(self, values: Interval) -> Interval:
        low, low_in, high, high_in = values
        if low == 0 == high:
            raise RefusedError("division by 0")
        if low < 0 < high:
            return LINE
        if low < 0:
            return negative(self._reciprocal(negative(values)))
        below = Fraction(0) if high == inf else 1 / Fraction(high)
        if low == 0:
            return Interval(self._down(below), high_in and high != inf, inf, False)
        return Interval(self._down(below), high_in and high != inf, self._up(1 / Fraction(low)), low_in)

    def _down(self, value: End) -> End:
        if value in (inf, -inf):
            return value
        value = Fraction(value)
        if value.numerator.bit_length() > _LONGEST + value.denominator.bit_length():
            raise RefusedError("a number is too large")
        if value.denominator.bit_length() <= self.bits + 124:
            return value
        return Fraction((value.numerator << self.bits + 100) // value.denominator, 1 << self.bits + 100)

    def _up(self, value: End) -> End:
        return -self._down(-value)

    # Values of functions at an end, rounded down and up; the same twice where they are exact.

    def _sqrt(self, x: End) -> tuple[End, End]:
        if x == inf:
            return inf, inf
        x = Fraction(x)
        above, below = isqrt(x.numerator), isqrt(x.denominator)
        if above * above == x.numerator and below * below == x.denominator:
            return Fraction(above, below), Fraction(above, below)
        shift = max(0, self.bits - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
        root = isqrt((x.numerator << 2 * shift) // x.denominator)
        return Fraction(root, 1 << shift), Fraction(root + 1, 1 << shift)

    def _exp(self, x: End) -> tuple[End, End]:
        if x == inf:
            return inf, inf
        if x == -inf:
            return Fraction(0), Fraction(0)
        if x == 0:
            return Fraction(1), Fraction(1)
        if x < 0:
            low, high = self._exp(-x)
            return (Fraction(0) if high == inf else 1 / Fraction(high)), 1 / Fraction(low)
        if x > _STEEPEST:
            return Fraction(2) ** _STEEPEST, inf
        x = Fraction(x)
        halvings = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 2)
        q = self.bits + 2 * halvings + 16
        down = (x.numerator << q) // (x.denominator << halvings)
        up = down + 1
        low = high = low_term = high_term = 1 << q
        n = 0
        while high_term > 1:
            n += 1
            low_term = (low_term * down >> q) // n
            high_term = -((-high_term * up >> q) // n)
            low, high = low + low_term, high + high_term
        # x / 2**halvings is at most 1/2, so what follows sums to no more than the last term, which is 1 at most.
        high += 2
        for _ in range(halvings):
            low, high = low * low >> q, -(-high * high >> q)
        return Fraction(low, 1 << q), Fraction(high, 1 << q)

    def _log(self, x: End) -> tuple[End, End]:
        if x == inf:
            return inf, inf
        if x == 0:
            return -inf, -inf
        if x == 1:
            return Fraction(0), Fraction(0)
        x = Fraction(x)
        twos = x.numerator.bit_length() - x.denominator.bit_length()
        x = x / Fraction(2) ** twos
        if x < 1:
            x, twos = 2 * x, twos - 1
        (low, high), (two_low, two_high) = self._log_near_1(x), self._log_near_1(Fraction(2))
        return low + twos * (two_low if twos > 0 else two_high), high + twos * (two_high if twos > 0 else two_low)

    def _log_near_1(self, x: Fraction) -> tuple[Fraction, Fraction]:
        """The logarithm from 1 to 2, as twice the inverse hyperbolic tangent of z, which is at most 1/3."""
        z, q = (x - 1) / (x + 1), self.bits + 40
        down = (z.numerator << q) // z.denominator
        up = down + 1
        low = high = 0
        low_power, high_power, n = down, up, 1
        while True:
            low, high = low + low_power // n, high + high_power // n + 1
            if high_power <= 1:
                break
            low_power = low_power * down * down >> 2 * q
            high_power = (high_power * up * up >> 2 * q) + 1
            n += 2
        # Each term is at most 1/9 of the one before it, so those left out sum to less than 1.
        return Fraction(2 * low, 1 << q), Fraction(2 * (high + 1), 1 << q)

    def _sinh(self, x: End) -> tuple[End, End]:
        if x == 0:
            return Fraction(0), Fraction(0)
        (low, high), (low_back, high_back) = self._exp(x), self._exp(-x)
        return (low - high_back) / 2, (high - low_back) / 2

    def _tanh(self, x: End) -> tuple[End, End]:
        if x == 0:
            return Fraction(0), Fraction(0)
        if x < 0:
            low, high = self._tanh(-x)
            return -high, -low
        low, high = self._exp(2 * x)
        if high == inf:
            return (Fraction(1), Fraction(1)) if low == inf else (1 - 2 / Fraction(low + 1), Fraction(1))
        return 1 - 2 / Fraction(low + 1), 1 - 2 / Fraction(high + 1)

    def _cosh(self, values: Interval) -> Interval:
        """Of what is not negative, where it rises."""
        ends = []
        for x in (values.low, values.high):
            (low, high), (low_back, high_back) = self._exp(x), self._exp(-x)
            ends.append(
                (Fraction(1), Fraction(1))
                if x == 0
                else (max(Fraction(1), (low + low_back) / 2), (high + high_back) / 2)
            )
        (below, exactly), (exactly_above, above) = ends
        low_in, high_in = values.low_in or below != exactly, values.high_in or above != exactly_above
        return Interval(below, low_in, above, high_in and above != inf)


def compares(op: str, left: Interval, right: Interval) -> bool:
    """Whether all numbers of an interval compare like this with all of another one."""
    match op:
        case "<":
            return left.high < right.low or (left.high == right.low and not (left.high_in and right.low_in))
        case "<=":
            return left.high <= right.low
        case ">" | ">=":
            return compares("<" if op == ">" else "<=", right, left)
        case "=":
            return left.low == left.high == right.low == right.high
        case "!=":
            return compares("<", left, right) or compares("<", right, left)
    raise RefusedError(f"{op} is no relation")


def negative(values: Interval) -> Interval:
    """The numbers with the other sign."""
    return Interval(-values.high, values.high_in, -values.low, values.low_in)


def absolute(values: Interval) -> Interval:
    """The absolute values of numbers."""
    if values.low >= 0:
        return values
    if values.high <= 0:
        return negative(values)
    high = max(-values.low, values.high)
    ends = ((-values.low, values.low_in), (values.high, values.high_in))
    return Interval(Fraction(0), True, high, any(belongs for end, belongs in ends if end == high))


def largest(one: Interval, other: Interval) -> Interval:
    """The larger ones of two numbers."""
    low, high = max(one.low, other.low), max(one.high, other.high)
    # The least value is attained only if both are there, the largest one as soon as one is.
    low_in = all(side.low_in for side in (one, other) if side.low == low)
    high_in = any(side.high_in for side in (one, other) if side.high == high)
    return Interval(low, low_in, high, high_in)


# With a float a Fraction becomes one, so that what is very small would be 0, and what is very large too large.


def _added(one: End, other: End) -> End:
    return one if isinstance(one, float) else other if isinstance(other, float) else one + other


def _multiplied(one: End, other: End) -> End:
    if 0 in (one, other):
        return Fraction(0)
    if isinstance(one, float) or isinstance(other, float):
        return inf if (one > 0) is (other > 0) else -inf
    return one * other


def _raised(value: End, exponent: int) -> End:
    if value in (inf, -inf):
        return inf if value > 0 or exponent % 2 == 0 else -inf
    value = Fraction(value)
    if (value.numerator.bit_length() + value.denominator.bit_length()) * exponent > 10 * _LONGEST:
        raise RefusedError("a power is too large")
    return value**exponent


def fails(ranges: Ranges, relation: Term) -> bool:
    """Whether a relation is seen to fail wherever both sides have values."""
    return ranges.holds(make(NEGATED[relation.op], *relation.args))
