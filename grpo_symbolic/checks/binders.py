"""The numeric method for statements with integrals, series and limits.

These have values only with estimated errors. Agreement within the errors is SUPPORTED, with no more digits than the
estimates allow. A difference a million times the errors is REFUTED only if rigorous enclosures of all integrals show
it as well, because estimates may miss a narrow peak; else it is UNDECIDED.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from mpmath import libmp

from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.quadrature import enclose_integral
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Expression,
    Symbol,
    Total,
    free_indices,
    free_symbols,
    rebuild,
    substitute,
)
from grpo_symbolic.language.inside import holds, nodes_of
from grpo_symbolic.language.statement import Relation, Statement, expressions_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.translate.balls import exact, precision
from grpo_symbolic.translate.estimates import BUDGET, Estimate, Estimator, UnsettledError
from grpo_symbolic.translate.pointwise import number
from grpo_symbolic.translate.program import Inexact, Point, Program, Raw, Value
from grpo_symbolic.translate.rounded import Rounded, magnitude
from grpo_symbolic.translate.values import Value as Ball
from grpo_symbolic.translate.values import ValueFunction

METHOD = numeric.METHOD

_BITS = 240
#: Bits that a difference must stand above the estimated errors: a million.
_FAR = 20
#: Agreement to fewer digits, or at fewer points, says too little.
_FEWEST_DIGITS, _FEWEST_POINTS = 8, 5
_MOST_POINTS, _PATIENCE = 8, 24
#: Numerators and denominators of points at which what does not settle may well have no value.
_SIMPLE = 100
#: All points together may take the budget of so many.
_POINTS_WORTH = 3


class _Seen(Enum):
    HOLDS = "holds"
    FAILS = "fails"
    EQUAL = "the two sides, which should differ, agree to all digits"
    UNCLEAR = "the two sides agree to too few digits, or differ by too little, for the errors of the estimates"


def has_binders(statements: Sequence[Statement]) -> bool:
    """Whether an integral, series or limit occurs."""
    return any(holds(Binder, expressions_of(statement)) for statement in statements)


def check(obligation: Obligation, settings: Settings) -> Evidence | None:
    """Estimate both sides of a relation without hypotheses at a few seeded points.

    None if nothing in it is an integral, series or limit, or if it is something else than such a relation. Nor is
    anything estimated that differs from element to element of a set over which it is summed.
    """
    conclusion = obligation.conclusion
    sums = nodes_of(Total, *obligation.expressions)
    if any(free_indices(node) for total in sums for node in nodes_of(Binder, total)):
        return None
    if not isinstance(conclusion, Relation) or obligation.hypotheses or not has_binders([conclusion]):
        return None
    objection = _without_value(conclusion, obligation.symbols, settings.seed)
    if objection is not None:
        return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, objection)
    try:
        return _formally(obligation, conclusion, settings) or _Comparison(conclusion).judge(obligation, settings)
    except UnsupportedError:
        return None


def _formally(obligation: Obligation, relation: Relation, settings: Settings) -> Evidence | None:
    """Evidence that the relation holds whatever the values of the integrals in it, as long as there are some."""
    atoms = _Atoms()
    plain = Relation(atoms.without(relation.left), relation.operator, atoms.without(relation.right))
    found = numeric.check(replace(obligation, conclusion=plain), replace(settings, points=min(settings.points, 40)))
    if found is None or found.verdict is not Verdict.SUPPORTED:
        return None
    # The values at the worst point are those of arbitrary numbers in the place of integrals.
    return replace(
        found,
        note=f"{found.note}, whatever the values of its integrals, series and limits, if they have any",
        worst_at=(),
    )


def _without_value(relation: Relation, symbols: tuple[Symbol, ...], seed: int) -> str | None:
    """Where a sum has no value because a term of it has none; None if no point shows that."""
    nodes = dict.fromkeys(nodes_of(Binder, *expressions_of(relation)))
    sums = (node for node in nodes if node.kind == "sum" and set(free_symbols(node)) <= set(symbols))
    found = [said for node in sums if (said := _first_without_value(node, symbols, seed)) is not None]
    return min(found, key=lambda said: said[0])[1] if found else None


# From one line of a derivation to the next, most sums stay as they are.
@lru_cache(maxsize=64)
def _first_without_value(binder: Binder, symbols: tuple[Symbol, ...], seed: int) -> tuple[int, str] | None:
    """The first point at which a sum has no value, by its number, and what is said of it; None if there is none."""
    for place, point in enumerate(_with_ends(symbols, seed)):
        estimator = Estimator()
        try:
            estimator.estimate(binder, {one.name: number(estimator.context, value) for one, value in point.items()})
        except UndefinedError as error:
            at = " and ".join(f"{symbol.name} = {value}" for symbol, value in point.items()) or "all points"
            return place, f"{binder} has no value at {at}: {error}"
        except UnsupportedError:
            continue
    return None


def _with_ends(symbols: Sequence[Symbol], seed: int) -> Iterator[dict[Symbol, Fraction]]:
    """Points of the domains, and beside some of them those with one coordinate at an end that belongs to its domain."""
    for count, point in enumerate(draw_points(symbols, _PATIENCE if symbols else 1, seed)):
        yield point
        for symbol in symbols if count < _FEWEST_POINTS else ():
            ends = (symbol.domain.lower, symbol.domain.upper)
            yield from ({**point, symbol: end} for end in ends if end is not None and end in symbol.domain)


class _Atoms:
    """Symbols in the place of outermost binders, equal ones for equal binders."""

    def __init__(self) -> None:
        self.names: dict[Binder, Symbol] = {}

    def without(self, expression: Expression) -> Expression:
        """The expression with symbols for its binders."""
        if isinstance(expression, Binder):
            anything = Interval(None, None)
            # No name of a paper's symbol begins like this.
            fresh = Symbol(f"[{len(self.names)}]", anything, expression.kind, expression.kind)
            return self.names.setdefault(_renamed(expression), fresh)
        return rebuild(expression, tuple(self.without(child) for child in expression.children))


def _renamed(binder: Binder) -> Binder:
    """The same with a standard name for the bound variable, unless something else in it has one already."""
    if holds(Binder, (binder.body,)):
        return binder
    name = Symbol("[bound]", Interval(None, None), "bound", "bound")
    return Binder(binder.kind, substitute(binder.body, {binder.symbol: name}), name, binder.lower, binder.upper)


@dataclass(frozen=True)
class _At:
    """What was seen at one point: agreeing digits, or both sides."""

    seen: _Seen
    digits: int
    left: Raw
    right: Raw
    residual: Raw


class _Comparison:
    """Compares the two sides of a relation at points."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._budget = _POINTS_WORTH * BUDGET
        self._atoms = _Atoms()
        self._program = Program((self._atoms.without(relation.left), self._atoms.without(relation.right)))

    def judge(self, obligation: Obligation, settings: Settings) -> Evidence:
        """Compare at points until enough were seen."""
        symbols = obligation.symbols
        needed = _FEWEST_POINTS if symbols else 1
        tries = draw_points(symbols, _PATIENCE if symbols else 1, settings.seed)
        agreeing: list[tuple[_At, dict[Symbol, Fraction]]] = []
        reasons: list[str] = []
        for point in tries:
            try:
                found = self.at(point)
            except (UndefinedError, UnsettledError) as error:
                reasons.append(str(error))
                # Values at other points say nothing where there is none; far out there may be one that is hard to see.
                if point and (isinstance(error, UndefinedError) or all(map(_is_simple, point.values()))):
                    at = " and ".join(f"{symbol.name} = {value}" for symbol, value in point.items())
                    note = f"estimated at {len(agreeing)} points, but not at {at}: {error}"
                    return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, note)
                continue
            except UnsupportedError as error:
                reasons.append(str(error))
                continue
            if found.seen is _Seen.FAILS:
                return self._failed(obligation, point, found)
            if found.seen is _Seen.HOLDS:
                agreeing.append((found, point))
            elif found.seen is _Seen.EQUAL:
                at = " and ".join(f"{symbol.name} = {value}" for symbol, value in point.items()) or "all points"
                return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, f"{found.seen.value} at {at}")
            else:
                reasons.append(found.seen.value)
            if len(agreeing) >= (_MOST_POINTS if symbols else 1) or len(reasons) > _PATIENCE // 2:
                break
        if len(agreeing) < needed:
            note = f"estimated at {len(agreeing)} of {len(agreeing) + len(reasons)} points: {reasons[0]}"
            return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, note)
        if self._doubt(agreeing[0][1]) is None:
            note = "the estimates agree, but rigorous enclosures show that the relation fails"
            return Evidence(METHOD, Verdict.UNDECIDED, obligation.label, note)
        return _supported(obligation, settings, agreeing, len(reasons))

    def at(self, point: Mapping[Symbol, Fraction]) -> _At:
        """What is seen at one point.

        Raises:
            UndefinedError, UnsupportedError: if a side has no value that could be estimated.
        """
        estimator = Estimator(max(0, min(BUDGET, self._budget)))
        before = estimator.budget
        try:
            return self._at(point, estimator)
        finally:
            self._budget -= before - estimator.budget

    def _at(self, point: Mapping[Symbol, Fraction], estimator: Estimator) -> _At:
        context = estimator.context
        values = {symbol.name: number(context, value) for symbol, value in point.items()}
        inputs: dict[str, Value] = {symbol.name: value for symbol, value in point.items()}
        size = -math.inf
        for binder, symbol in self._atoms.names.items():
            estimate: Estimate = estimator.estimate(binder, values)
            inputs[symbol.name] = Inexact(estimate.value._mpf_, estimate.error._mpf_)
            size = max(size, magnitude(estimate.scale._mpf_))
        arithmetic = Rounded(_BITS)
        left, right = self._program.run(arithmetic, Point(inputs))
        gap, scale = arithmetic.operations["subtract"](left, right)
        size = max(size, magnitude(left[0]), magnitude(right[0]))
        # Errors of estimates count fourfold; 2**-_BITS times the scale is what they do to the difference.
        noise = magnitude(scale) + 2 - _BITS
        digits = math.floor((size - noise) * math.log10(2)) if scale[1] else _BITS // 4
        residual = libmp.mpf_shift(libmp.mpf_abs(gap), -int(size)) if size > -math.inf else libmp.mpf_abs(gap)
        return _At(self._seen(gap, noise, digits), digits, left[0], right[0], residual)

    def _seen(self, gap: Raw, noise: float, digits: int) -> _Seen:
        operator = self._relation.operator
        if magnitude(gap) > noise + _FAR:
            sign = libmp.mpf_sign(gap)
            holds = {"=": False, "!=": True}.get(operator, sign == (-1 if operator in ("<", "<=") else 1))
            return _Seen.HOLDS if holds else _Seen.FAILS
        if operator == "=" and magnitude(gap) <= noise and digits >= _FEWEST_DIGITS:
            return _Seen.HOLDS
        # Nobody can tell whether they differ by less than the errors, but what is said of them is not supported.
        same = operator in ("<", ">", "!=") and magnitude(gap) <= noise and digits >= _FEWEST_DIGITS
        return _Seen.EQUAL if same else _Seen.UNCLEAR

    def _failed(self, obligation: Obligation, point: Mapping[Symbol, Fraction], found: _At) -> Evidence:
        at = tuple((symbol.name, str(value)) for symbol, value in point.items())
        left, right = (libmp.to_str(side, min(max(found.digits, 2), 15)) for side in (found.left, found.right))
        evidence = Evidence(METHOD, Verdict.UNDECIDED, obligation.label, "", points=1, worst_at=at)
        doubt = self._doubt(point) or ("the estimates are rough" if found.digits < 10 else None)
        if doubt is not None:
            return replace(evidence, note=f"the sides seem to differ, {left} and {right}, but {doubt}")
        note = "by rigorous quadrature: the difference is more than a million times the estimated errors"
        witness = Witness(at, left, right)
        return award(
            METHOD, Verdict.REFUTED, obligation.label, obligation, note, points=1, worst_at=at, witness=witness
        )

    def _doubt(self, point: Mapping[Symbol, Fraction]) -> str | None:
        """Why the relation does not certainly fail at a point; None if balls show that it does."""
        values: dict[Symbol, Ball] = {symbol: exact(value) for symbol, value in point.items()}
        for binder, symbol in self._atoms.names.items():
            enclosed = enclose_integral(binder, point)
            if enclosed is None:
                return f"the {binder.kind} in it is not certain"
            values[symbol] = enclosed
        with precision(_BITS):
            sides = (self._atoms.without(self._relation.left), self._atoms.without(self._relation.right))
            gap = ValueFunction(sides[0] - sides[1], tuple(values)).enclose(list(values.values()))
            below, above = bool(gap < 0), bool(gap > 0)
        fails = {"=": below or above, "<": above, "<=": above, ">": below, ">=": below}.get(self._relation.operator)
        return None if fails else "rigorous enclosures do not show it"


def _is_simple(value: Fraction) -> bool:
    return max(abs(value.numerator), value.denominator) <= _SIMPLE


def _supported(
    obligation: Obligation,
    settings: Settings,
    agreeing: Sequence[tuple[_At, Mapping[Symbol, Fraction]]],
    others: int,
) -> Evidence:
    """Evidence with the digits and the residual of the worst point."""
    worst, where = min(agreeing, key=lambda pair: pair[0].digits)
    digits = min(worst.digits, settings.digits)
    note = f"holds at {len(agreeing)} points to at least {digits} digits, as far as the errors of estimates tell"
    if others:
        note += f"; at {others} others nothing could be estimated well enough"
    return Evidence(
        METHOD,
        Verdict.SUPPORTED,
        obligation.label,
        note,
        digits=digits,
        points=len(agreeing),
        worst_residual=libmp.to_str(worst.residual, 2),
        worst_at=tuple((symbol.name, str(value)) for symbol, value in where.items()),
    )
