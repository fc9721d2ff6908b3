"""The numeric method: evaluate a claim at many points with many digits.

Agreement is SUPPORTED, never more. A point where the claim fails is confirmed with twice the digits and then
handed to the search for a rigorous counterexample; only a certified one is REFUTED.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from mpmath import libmp

from grpo_symbolic.checks.confirmation import refuted_by
from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.checks.faint import faint_difference
from grpo_symbolic.checks.recheck import refutation
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.finite import has_several_indices
from grpo_symbolic.language.indexed import index_set_of
from grpo_symbolic.language.outputs import has_totals, member
from grpo_symbolic.language.statement import All, Implies, Relation, Statement, is_elementary
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.outputs import with_outputs
from grpo_symbolic.points.solutions import Sample, at_breaks, satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.translate.program import Point, Raw, Value
from grpo_symbolic.translate.rounded import OutOfReachError, magnitude

METHOD = "numeric"

#: Agreement at fewer points than this says too little.
FEWEST = 20
#: Numbers beyond 2 to this power are not offered as parts of a counterexample.
_LARGEST_MAGNITUDE = 100


def check(obligation: Obligation, settings: Settings, fewest: int = FEWEST) -> Evidence | None:
    """Evaluate the obligation at ``settings.points`` seeded points with ``settings.digits`` digits.

    Agreement at less than ``fewest`` says too little. None if a statement is composite or has no value at a point.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    if not all(is_elementary(statement) for statement in statements):
        return None
    if has_several_indices(*statements):
        return _written_out(obligation, settings, fewest)
    truth = Truth(settings.digits)
    totals = has_totals(statements)
    # Without symbols, contexts differ in the number of their outputs only.
    count = settings.points if obligation.symbols else FEWEST if totals else 1
    try:
        where = obligation.symbols, totals, truth
        sample = satisfying(obligation.hypotheses, *where, count, settings.seed)
        breaks = at_breaks(obligation.hypotheses, obligation.conclusion, *where, settings.seed)
        told = (point for point in breaks if _is_told(obligation.conclusion, point, truth))
        sample = replace(sample, points=(*sample.points, *told))
        tally = _Tally(truth)
        for point in sample.points:
            tally.add(obligation.conclusion, point)
    except UnsupportedError:
        return None
    return _judge(obligation, settings, sample, tally, fewest)


def _written_out(obligation: Obligation, settings: Settings, fewest: int) -> Evidence | None:
    """The same of sums that are written out, which is worth as much; what fails there is a matter of the original."""
    found = check(with_outputs(obligation, 2), settings, fewest)
    if found is None or found.verdict is not Verdict.REFUTED or found.witness is None:
        return found
    return refuted_by(METHOD, obligation, found.witness, found.note, digits=found.digits, points=found.points)


def _is_told(conclusion: Statement, point: Point, truth: Truth) -> bool:
    """Whether a point at a break says anything: rounded coordinates may not tell on which side of it they are."""
    coordinates = [*point.values.values(), *(value for vector in point.vectors.values() for value in vector)]
    if all(isinstance(value, Fraction) for value in coordinates):
        return True
    try:
        truth.holds(conclusion, point)
    except UndefinedError:
        return False
    except OutOfReachError:
        return True
    return True


@dataclass
class _Tally:
    """What was seen at the points."""

    truth: Truth
    agreeing: int = 0
    failing: list[Point] = field(default_factory=list)
    undefined: list[Point] = field(default_factory=list)
    out_of_reach: int = 0
    residual: tuple[Raw, Point] | None = None
    gap: tuple[Raw, Point] | None = None

    def add(self, conclusion: Statement, point: Point) -> None:
        """Judge the conclusion at one point; a failure counts only if doubled precision confirms it."""
        try:
            for start in (0, 1):
                if self.truth.holds(conclusion, point, start):
                    self.agreeing += 1
                    self._measure(conclusion, point, start)
                    return
            self.failing.append(point)
        except OutOfReachError:
            self.out_of_reach += 1
        except UndefinedError:
            self.undefined.append(point)

    def _measure(self, statement: Statement, point: Point, start: int) -> None:
        """Keep the worst figures of the relations that are claimed here; alternatives have none."""
        match statement:
            case Relation(_, sign, _):
                _, found = self.truth.compare(statement, point, start)
                if sign == "=":
                    size = libmp.mpf_abs(found.relative)
                    if self.residual is None or libmp.mpf_gt(size, self.residual[0]):
                        self.residual = (size, point)
                    return
                gap = {"<": libmp.mpf_neg, "<=": libmp.mpf_neg, "!=": libmp.mpf_abs}.get(sign, libmp.mpf_pos)(
                    found.relative
                )
                if self.gap is None or libmp.mpf_lt(gap, self.gap[0]):
                    self.gap = (gap, point)
            case All(parts):
                for part in parts:
                    self._measure(part, point, start)
            case Implies(premise, conclusion):
                if self.truth.holds(premise, point, start):
                    self._measure(conclusion, point, start)
            case _:
                pass


def _judge(obligation: Obligation, settings: Settings, sample: Sample, tally: _Tally, fewest: int) -> Evidence:
    total = len(sample.points)
    evidence = Evidence(METHOD, Verdict.UNDECIDED, obligation.label, "", digits=settings.digits, points=total)
    if tally.failing:
        return _failed(obligation, settings, tally, evidence)
    if tally.undefined:
        where = _show(_coordinates(tally.undefined[0], obligation))
        note = f"undefined at {len(tally.undefined)} of {total} points, e.g. {where}"
        return replace(evidence, note=note, undefined=len(tally.undefined))
    enough = 1 if not obligation.symbols else min(fewest, settings.points)
    if total < enough:
        kind = "solutions" if sample.equations else "points that satisfy the hypotheses"
        return replace(evidence, note=f"only {total} different {kind} found in {sample.tried} tries")
    if tally.agreeing < enough:
        note = f"{tally.out_of_reach} of {total} points are out of reach of {settings.digits} digits"
        return replace(evidence, note=note)
    faint = faint_difference(obligation.conclusion, obligation.symbols, sample.points)
    if faint is not None:
        return replace(evidence, note=faint)
    return _supported(obligation, sample, tally, evidence)


def _supported(obligation: Obligation, sample: Sample, tally: _Tally, evidence: Evidence) -> Evidence:
    total = len(sample.points)
    if total == 1 and not obligation.symbols:
        note = f"a relation between constants: one evaluation with {evidence.digits} digits"
    else:
        place = " on the solution set" if sample.equations else ""
        note = f"holds at {tally.agreeing} of {total} points{place}"
    if tally.out_of_reach:
        note += f"; {tally.out_of_reach} out of reach of the digits"
    worst = tally.residual or tally.gap
    return replace(
        evidence,
        verdict=Verdict.SUPPORTED,
        note=note,
        worst_residual=None if tally.residual is None else libmp.to_str(tally.residual[0], 2),
        smallest_gap=None if tally.gap is None else libmp.to_str(tally.gap[0], 3),
        worst_at=() if worst is None else _coordinates(worst[1], obligation),
    )


def _failed(obligation: Obligation, settings: Settings, tally: _Tally, evidence: Evidence) -> Evidence:
    note = f"fails at {len(tally.failing)} of {evidence.points} points"
    witness = _witness(obligation, settings, tally.failing)
    if witness is not None:
        figures = {"digits": settings.digits, "points": evidence.points, "failing": len(tally.failing)}
        return refuted_by(METHOD, obligation, witness, note, **figures)
    where = _coordinates(tally.failing[0], obligation)
    note = f"{note}, but not certified; e.g. {_show(where)}"
    return replace(evidence, note=note, worst_at=where, failing=len(tally.failing))


def _witness(obligation: Obligation, settings: Settings, failing: Sequence[Point]) -> Witness | None:
    """A certified counterexample near the failing points, simple points first; or one of these as it stands."""
    simple = sorted(failing, key=_complexity)[:8]
    candidates = [_candidate(obligation.symbols, point) for point in simple]
    witness = counterexample(obligation, settings, candidates)
    if witness is not None:
        return witness
    given, defined = obligation.hypotheses, obligation.defined
    points = (tuple((symbol.name, str(value)) for symbol, value in point.items()) for point in candidates)
    return next(filter(None, (refutation(given, obligation.conclusion, at, defined) for at in points)), None)


def _candidate(symbols: Sequence[Symbol], point: Point) -> dict[Symbol, Fraction]:
    """The point as rationals, the generic output first; values of extreme size are left out.

    The search for counterexamples writes outputs out as plain symbols such as ``pi[1]``. Where nothing is
    summed an indexed symbol has one value here, which serves for every output.
    """
    found: dict[Symbol, Fraction | None] = {}
    for symbol in symbols:
        values = [_rational(value) for value in point.all_values(symbol.name)]
        if symbol.indexed:
            values = values[point.index :] + values[: point.index] if point.outputs else values * 3
            found |= {member(symbol, str(number)): value for number, value in enumerate(values, start=1)}
        else:
            found[symbol] = values[0]
    return {symbol: value for symbol, value in found.items() if value is not None}


def _rational(value: Value) -> Fraction | None:
    if isinstance(value, Fraction):
        return value
    if abs(magnitude(value.value)) > _LARGEST_MAGNITUDE:
        return None
    return Fraction(*map(int, libmp.to_rational(libmp.mpf_pos(value.value, 2 * _LARGEST_MAGNITUDE, "n"))))


def _complexity(point: Point) -> int:
    """How long the numbers are, few outputs and exact values first."""
    values = [*point.values.values(), *(value for vector in point.vectors.values() for value in vector)]
    exact = [value for value in values if isinstance(value, Fraction)]
    lengths = sum(value.numerator.bit_length() + value.denominator.bit_length() for value in exact)
    # One output alone is a counterexample as well, but two or more say more.
    return lengths + 100 * (len(values) - len(exact)) + 1000 * (7 if point.outputs == 1 else point.outputs)


def _coordinates(point: Point, obligation: Obligation) -> tuple[tuple[str, str], ...]:
    """Names and short values, elements of the index set numbered from 1."""
    plain = [(name, _short(value)) for name, value in point.values.items()]
    for name, vector in point.vectors.items():
        plain += [(f"{name}[{number}]", _short(value)) for number, value in enumerate(vector, start=1)]
    if point.vectors:
        over = index_set_of(*obligation.hypotheses, obligation.conclusion)
        plain.append((over.element, str(point.index + 1)))
    return tuple(plain)


def _short(value: Value) -> str:
    if isinstance(value, Fraction):
        if value.numerator.bit_length() + value.denominator.bit_length() <= 70:
            return str(value)
        return str(libmp.to_str(libmp.from_rational(value.numerator, value.denominator, 40, "n"), 8))
    return str(libmp.to_str(value.value, 12))


def _show(coordinates: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in coordinates)
