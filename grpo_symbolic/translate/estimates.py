"""Values of integrals, sums, series and limits, each with an estimate of its error: numbers to compare, not enclosures.

Every value is computed twice, on different nodes or by different extrapolations, and the error is estimated from
both; where they do not settle there is no value. So a kink or a pole that one computation misses is seen by the
other, or else leaves an error so large that nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from mpmath.ctx_mp import MPContext
from mpmath.libmp import NoConvergence

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Expression, walk
from grpo_symbolic.language.inside import holds
from grpo_symbolic.translate.pointwise import Functions, Real, Values
from grpo_symbolic.translate.rounded import OutOfReachError

#: Decimal digits in which integrands are evaluated, where they hold integrals themselves, and how many may be lost.
_WORKING_DIGITS = 32
_NESTED_DIGITS = 20
_GUARD_DIGITS = 8
#: Those of a sum of finitely many terms, of which nothing is estimated: it is as good as its terms.
_SUMMED_DIGITS = 70
#: A value whose estimated error is a larger part of what was summed up is none.
_COARSEST = 1e-6
#: Operations that the integrals, series and limits of one relation may take together at one point.
BUDGET = 400_000
_DEEPEST = 2
_MAXIMAL_DEGREE = 7
_FEWEST_TERMS, _MOST_TERMS = 12, 400
#: Terms of a sum between two whole numbers.
_LONGEST = 2_000
#: Ways to sum a series that converges slowly, of which two have to agree, and the terms each may use: different
#: numbers, because where a method fails it returns the sum so far.
_EXTRAPOLATIONS = (("levin", 100), ("richardson+shanks", 130), ("euler-maclaurin", 170))


class UnsettledError(OutOfReachError):
    """An integral, a series or a limit that does not settle: perhaps it has no value."""


@dataclass(frozen=True)
class Estimate:
    """A value, about how wrong it may be, and the size of what was summed up in it."""

    value: Real
    error: Real
    scale: Real


class Estimator:
    """Estimates integrals, series and limits within one budget; the same calls give the same numbers.

    ``budget`` is what is left of it.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.context = MPContext()
        self.context.dps = _SUMMED_DIGITS
        self._functions = Functions(self.context, self._inner)
        self.budget = budget
        self._depth = 0
        self._inner_error = self._inner_scale = self.context.zero
        self._floor = self.context.zero

    def value(self, expression: Expression, values: Values) -> Real:
        """The value of an expression."""
        return self._functions.of(expression)(values)

    def estimate(self, binder: Binder, values: Values) -> Estimate:
        """The value of an integral, series or limit.

        Raises:
            UndefinedError: where its body has no value.
            OutOfReachError: if it does not settle, or the budget is spent.
        """
        self._inner_error = self._inner_scale = self.context.zero
        digits = _digits(binder)
        self._floor = self.context.mpf(10) ** (_GUARD_DIGITS - digits)
        try:
            with self.context.workdps(digits):
                found = self._estimate(binder, values)
        except ZeroDivisionError as stop:
            raise UndefinedError("division by zero under an integral, series or limit") from stop
        except (OverflowError, ValueError, NoConvergence) as stop:
            raise UnsettledError(f"the {binder.kind} does not settle") from stop
        inner = self._inner_error / self._inner_scale if self._inner_scale else self._floor
        error = max(found.error, found.scale * max(self._floor, inner))
        settled = self.context.isfinite(found.value) and self.context.isfinite(error)
        if not settled or error > _COARSEST * found.scale:
            raise UnsettledError(f"the {binder.kind} does not settle")
        return Estimate(found.value, error, found.scale)

    def _estimate(self, binder: Binder, values: Values) -> Estimate:
        match binder.kind:
            case "integral":
                return self._integral(binder, values)
            case "series":
                return self._series(binder, values)
            case "sum":
                return self._sum(binder, values)
            case "limit" | "limit+" | "limit-":
                return self._limit(binder, values)
        raise UnsupportedError(f"nothing estimates a {binder.kind}")

    def _inner(self, binder: Binder, values: Values) -> Real:
        """A value inside of another one, whose error is remembered."""
        if self._depth >= _DEEPEST:
            raise OutOfReachError("integrals, series and limits are nested too deep")
        found = self._estimate(binder, values)
        self._inner_error = max(self._inner_error, found.error)
        self._inner_scale = max(self._inner_scale, found.scale)
        return found.value

    def _body(self, binder: Binder, values: Values) -> Callable[[Real], Real]:
        """The body as a function of the bound variable, paid for from the budget."""
        body, name, here = self._functions.of(binder.body), binder.symbol.name, dict(values)
        cost = sum(1 for _ in walk(binder.body))

        def function(argument: Real) -> Real:
            self.budget -= cost
            if self.budget < 0:
                raise OutOfReachError("the budget for integrals, series and limits is spent")
            here[name] = argument
            self._depth += 1
            try:
                return body(here)
            finally:
                self._depth -= 1

        return function

    # Integrals.

    def _integral(self, binder: Binder, values: Values) -> Estimate:
        infinity = self.context.inf
        low = -infinity if binder.lower is None else self.value(binder.lower, values)
        high = infinity if binder.upper is None else self.value(binder.upper, values)
        if low == high:
            return Estimate(self.context.zero, self.context.zero, self.context.one)
        ends = [end for end in (low, high) if abs(end) != infinity]
        body = _forgiving(self._body(binder, values), ends, self._floor)
        first, second = (self._split(low, high, share) for share in ("0.5", "0.381966"))
        value, error = self._quadrature(body, first)
        if self._depth:
            # Seen from outside, what is wrong with a value inside is noise; one computation has to do.
            return Estimate(value, error, abs(value))
        # Fewer digits end the nodes elsewhere, which shows where an integral diverges.
        with self.context.workdps(self.context.dps * 3 // 4):
            again, other = self._quadrature(body, second)
            coarse = self._size(body, second)
        scale = self._size(body, first)
        # Without its signs, an integral without a value does not cancel to one.
        if abs(scale - coarse) > scale / 10:
            raise UnsettledError("the integral does not settle")
        return Estimate(value, max(error, other, 4 * abs(value - again)), max(scale, abs(value)))

    def _quadrature(
        self, body: Callable[[Real], Real], points: list[Real], degree: int = _MAXIMAL_DEGREE
    ) -> tuple[Real, Real]:
        value, error = self.context.quad(body, points, error=True, maxdegree=degree)
        return value, error

    def _size(self, body: Callable[[Real], Real], points: list[Real]) -> Real:
        """About the integral without its signs."""
        return abs(self._quadrature(lambda argument: abs(body(argument)), points, 4)[0])

    def _split(self, low: Real, high: Real, share: str) -> list[Real]:
        """Points that cut the interval, at 0 in any case, where formulas most often have their kinks and poles."""
        part = self.context.mpf(share)
        infinite = [abs(end) == self.context.inf for end in (low, high)]
        if all(infinite):
            middle = part - self.context.mpf("0.5")
        elif any(infinite):
            finite, sign = (low, 1) if infinite[1] else (high, -1)
            middle = finite + sign * (1 + part)
        else:
            middle = low + (high - low) * part
        inner = {middle, self.context.zero} if min(low, high) < 0 < max(low, high) else {middle}
        return [low, *sorted(inner, reverse=low > high), high]

    # Sums and series.

    def _sum(self, binder: Binder, values: Values) -> Estimate:
        low, high = (self.value(end, values) for end in (binder.lower, binder.upper) if end is not None)
        if low != int(low) or high != int(high) or high < low - 1:
            raise UndefinedError(f"a sum from {low} to {high}, which are no whole numbers in this order")
        if high - low > _LONGEST:
            raise OutOfReachError("a sum of too many terms")
        term = self._body(binder, values)
        terms = [term(low + number) for number in range(int(high - low) + 1)]
        return Estimate(self.context.fsum(terms), self.context.zero, self.context.fsum(map(abs, terms)))

    def _series(self, binder: Binder, values: Values) -> Estimate:
        if binder.lower is None or binder.upper is not None:
            raise UnsupportedError("a series that is not from a first term to infinity")
        first = self.value(binder.lower, values)
        if first != int(first):
            raise UnsupportedError("a series that does not begin at a whole number")
        term = self._body(binder, values)
        fast = self._geometric(term, int(first))
        if fast is not None:
            return fast
        # What does not tend to 0 has no sum, though an extrapolation may give it one.
        if abs(term(self.context.mpf(10) ** 6 + 1)) > abs(term(first + 10)) / 20:
            raise UnsettledError("the terms of the series do not vanish")
        sums = [found for method, terms in _EXTRAPOLATIONS for found in self._extrapolated(term, first, method, terms)]
        if len(sums) < 2:
            raise UnsettledError("the series does not settle")
        one, other = min(combinations(sums, 2), key=lambda pair: abs(pair[0] - pair[1]))
        return Estimate(one, 10 * abs(one - other), max(abs(one), abs(term(first))))

    def _geometric(self, term: Callable[[Real], Real], first: int) -> Estimate | None:
        """The sum of terms that soon shrink by a fixed factor at least."""
        total, scale = self.context.zero, self.context.zero
        previous, shrinking = None, 0
        for count in range(_MOST_TERMS):
            size = abs(value := term(self.context.mpf(first + count)))
            total, scale = total + value, scale + size
            shrinking = shrinking + 1 if previous is not None and size <= previous * 0.9 else 0
            previous = size
            if shrinking >= _FEWEST_TERMS and size * 10 <= scale * self._floor:
                return Estimate(total, 10 * size, scale)
            if count > 60 and shrinking < _FEWEST_TERMS:
                return None
        return None

    def _extrapolated(self, term: Callable[[Real], Real], first: Real, method: str, terms: int) -> Iterator[Real]:
        """The sum by one method, if it can say anything."""
        try:
            yield self.context.nsum(term, [first, self.context.inf], method=method, maxterms=terms)
        except (UndefinedError, ArithmeticError, ValueError, TypeError, NoConvergence):
            return

    # Limits.

    def _limit(self, binder: Binder, values: Values) -> Estimate:
        sides = {"limit+": (1,), "limit-": (-1,), "limit": (1,) if binder.upper is None else (1, -1)}[binder.kind]
        found: list[Estimate] = []
        failure: UndefinedError | ZeroDivisionError | None = None
        for side in sides:
            try:
                found.append(self._one_sided(binder, values, side))
            except (UndefinedError, ZeroDivisionError) as stop:
                failure = stop
        if not found:
            raise failure or UndefinedError("a limit of nothing")
        apart = abs(found[0].value - found[-1].value)
        error = max(apart, *(one.error for one in found))
        return Estimate(found[0].value, error, max(one.scale for one in found))

    def _one_sided(self, binder: Binder, values: Values, side: int) -> Estimate:
        """The value very close to the point; by how much it still changes there says how wrong it is."""
        steps = (4, 8, 12, 24)
        with self.context.workdps(5 * steps[-1]):
            point = None if binder.upper is None else self.value(binder.upper, values)
            body = self._body(binder, values)
            ten = self.context.mpf(10)
            near = [body(ten**step if point is None else point + side * ten**-step) for step in steps]
        changes = [abs(later - earlier) for earlier, later in pairwise(near)]
        size = max(map(abs, near))
        if changes[2] > changes[1] / 10 and changes[2] > self._floor * size:
            raise UnsettledError("the limit does not settle")
        shrinking = changes[2] / changes[1] if changes[1] else self.context.zero
        return Estimate(+near[-1], 10 * changes[2] * shrinking, size or self.context.one)


def _digits(binder: Binder) -> int:
    """In how many digits the body of a binder is evaluated."""
    if holds(Binder, (binder.body,)):
        return _NESTED_DIGITS
    return _SUMMED_DIGITS if binder.kind == "sum" else _WORKING_DIGITS


def _forgiving(function: Callable[[Real], Real], ends: list[Real], width: Real) -> Callable[[Real], Real]:
    """The integrand, with 0 for its value at arguments that rounding has moved onto an end."""

    def forgiving(argument: Real) -> Real:
        try:
            return function(argument)
        except (UndefinedError, ZeroDivisionError):
            if any(abs(argument - end) <= width * (1 + abs(end)) for end in ends):
                return argument * 0
            raise

    return forgiving
