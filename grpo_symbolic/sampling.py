"""Seeded points: spread over the domains of symbols, and on the solution sets of hypotheses."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations
from typing import Any as Anything

from mpmath import libmp

from grpo_symbolic.domain import Interval
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.expression import Expression, Symbol, Total, free_symbols, walk
from grpo_symbolic.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.translate.multiprecision import (
    SLACK,
    Difference,
    Inexact,
    Point,
    Program,
    Raw,
    Rounded,
    Value,
    difference,
    precisions,
)

# ---------------------------------------------------------------- points of the domains


def sample_points(symbols: Sequence[Symbol], count: int, seed: int) -> list[dict[Symbol, Fraction]]:
    """Exact points of the symbols' domains: small rationals, points near edges and corners, and a spread.

    Unbounded directions are covered from 1e-6 to about 1e6; closed ends are hit exactly. The same
    arguments give the same points.
    """
    draw = random.Random(seed)
    modes = (_simple, _edge, _spread, _spread)
    return [{symbol: modes[number % 4](symbol.domain, draw) for symbol in symbols} for number in range(count)]


def _place(domain: Interval, part: Fraction, far: Fraction, draw: random.Random) -> Fraction:
    """The point at ``part`` of a bounded domain, or ``far`` from an end (or from 0) of an unbounded one."""
    if domain.lower is not None and domain.upper is not None:
        return domain.lower + (domain.upper - domain.lower) * part
    if domain.lower is not None:
        return domain.lower + far
    if domain.upper is not None:
        return domain.upper - far
    return far if draw.random() < 0.5 else -far


def _simple(domain: Interval, draw: random.Random) -> Fraction:
    whole = draw.randint(2, 8)
    return _place(domain, Fraction(draw.randint(1, whole - 1), whole), Fraction(draw.randint(1, 12), whole - 1), draw)


def _edge(domain: Interval, draw: random.Random) -> Fraction:
    """A closed end itself, or close to an end; every third coordinate is simple, for edges that are no corners."""
    chance, upper = draw.random(), draw.random() < 0.5
    if chance < 1 / 3:
        return _simple(domain, draw)
    end, closed = (domain.upper, domain.upper_closed) if upper else (domain.lower, domain.lower_closed)
    if chance < 2 / 3 and closed and end is not None:
        return end
    near = Fraction(1, 10 ** draw.randint(2, 9))
    huge = Fraction(draw.randint(1, 9) * 10 ** draw.randint(2, 5))
    return _place(domain, 1 - near if upper else near, huge if upper else near, draw)


def _spread(domain: Interval, draw: random.Random) -> Fraction:
    part = Fraction(draw.randint(1, 9999), 10_000)
    return _place(domain, part, draw.randint(100, 999) * Fraction(10) ** draw.randint(-8, 3), draw)


# ---------------------------------------------------------------- other arithmetics


class _Floats:
    """Machine numbers, to find out quickly where to look; raises what the math module raises."""

    operations: Mapping[str, Callable[..., Anything]] = {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "negate": operator.neg,
        "absolute": abs,
        "sqrt": math.sqrt,
        "exp": math.exp,
        "log": math.log,
        "cosh": math.cosh,
        "sinh": math.sinh,
        "tanh": math.tanh,
        "maximum": max,
        "minimum": min,
    }

    def load(self, value: Value) -> float:
        """Round to a machine number."""
        if isinstance(value, Fraction):
            return value.numerator / value.denominator
        return float(libmp.to_float(value.value))

    def power(self, base: float, exponent: Fraction) -> float:
        """A real power; a negative base has no half-integer power."""
        return math.pow(base, float(exponent))


class _Exact:
    """Rational numbers; raises UnsupportedError where a value is irrational or too long."""

    def __init__(self) -> None:
        self.operations: Mapping[str, Callable[..., Anything]] = {
            "add": operator.add,
            "subtract": operator.sub,
            "multiply": operator.mul,
            "divide": lambda left, right: left * self.power(right, Fraction(-1)),
            "negate": operator.neg,
            "absolute": abs,
            "sqrt": _exact_root,
            "maximum": max,
            "minimum": min,
            "log": lambda operand: _known(operand, 1, 0),
            **{name: lambda operand: _known(operand, 0, 1) for name in ("exp", "cosh")},
            **{name: lambda operand: _known(operand, 0, 0) for name in ("sinh", "tanh")},
        }

    def load(self, value: Value) -> Fraction:
        """Only exact inputs are exact."""
        if isinstance(value, Inexact):
            raise UnsupportedError("an input is not exact")
        return value

    def power(self, base: Fraction, exponent: Fraction) -> Fraction:
        """An integer power, or one of an exact square root."""
        if exponent.denominator == 2:
            base = _exact_root(base)
        if exponent <= 0 and base == 0:
            raise UndefinedError("division by zero")
        if (base.numerator.bit_length() + base.denominator.bit_length()) * abs(exponent.numerator) > 20_000:
            raise UnsupportedError("the exact value is too long")
        return base**exponent.numerator


def _exact_root(operand: Fraction) -> Fraction:
    if operand < 0:
        raise UndefinedError("square root of a negative number")
    root = Fraction(math.isqrt(operand.numerator), math.isqrt(operand.denominator))
    if root**2 != operand:
        raise UnsupportedError("an irrational square root")
    return root


def _known(operand: Fraction, argument: int, value: int) -> Fraction:
    if operand != argument:
        raise UnsupportedError("a transcendental value")
    return Fraction(value)


_FLOATS, _EXACT = _Floats(), _Exact()


def exact_values(program: Program, point: Point) -> list[Fraction] | None:
    """The values of a program as exact rationals, or None where they are irrational or undefined."""
    try:
        return program.run(_EXACT, point)
    except (UndefinedError, UnsupportedError):
        return None


# ---------------------------------------------------------------- truth at a point


class Truth:
    """Truth of elementary statements at points, to a number of digits; compiled relations are kept."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self._programs: dict[Relation, Program] = {}

    def program(self, relation: Relation) -> Program:
        """The two sides of a relation, compiled once."""
        if relation not in self._programs:
            self._programs[relation] = Program((relation.left, relation.right))
        return self._programs[relation]

    def compare(self, relation: Relation, point: Point, start: int = 0) -> tuple[bool, Difference]:
        """Whether the relation holds at the point, and the difference of its sides.

        Raises:
            UndefinedError: where a side has no value.
            OutOfReachError: where the digits do not suffice.
        """
        thorough = relation.operator not in ("=", "!=")
        found = difference(self.program(relation), point, self.digits, thorough=thorough, start=start)
        signs = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
        return found.sign in signs[relation.operator], found

    def holds(self, statement: Statement, point: Point, start: int = 0) -> bool:
        """Whether an elementary statement holds at the point; an undefined part decides nothing.

        Raises:
            UndefinedError, OutOfReachError: if the truth depends on a part without a value.
        """

        def part(inner: Statement) -> Callable[[], bool]:
            return lambda: self.holds(inner, point, start)

        match statement:
            case Relation():
                return self.compare(statement, point, start)[0]
            case All(parts):
                return not _some(_denied(part(inner)) for inner in parts)
            case Any(parts):
                return _some(part(inner) for inner in parts)
            case Implies(premise, conclusion):
                return _some((_denied(part(premise)), part(conclusion)))
            case Equivalent(left, right):
                return part(left)() == part(right)()
            case _:
                raise UnsupportedError(f"not an elementary statement: {statement}")


def _denied(test: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: not test()


def _some(tests: Iterable[Callable[[], bool]]) -> bool:
    """Whether one test is true; one that has no answer matters only if none is."""
    failure: UndefinedError | UnsupportedError | None = None
    for test in tests:
        try:
            if test():
                return True
        except (UndefinedError, UnsupportedError) as error:
            failure = error
    if failure is not None:
        raise failure
    return False


# ---------------------------------------------------------------- roots of one equation


def solve(sides: Program, point: Point, symbol: Symbol, digits: int, draw: random.Random) -> Value | None:
    """A value of the symbol in its domain at which both sides agree, exact if the equation is linear in it.

    Other roots are found by sign changes on a grid over the whole domain, refined by the secant method
    with growing precision, and enclosed by a sign change at full precision. None if nothing was found.
    """
    exact = _linear_root(sides, point, symbol, draw)
    if exact is not None:
        return exact if exact in symbol.domain else None
    brackets = list(_brackets(sides, point, symbol))
    draw.shuffle(brackets)
    for bracket in brackets[:2]:
        root = _refine(sides, point, symbol, bracket, precisions(digits)[-1])
        if root is not None and in_domain(root, symbol.domain):
            return root
    return None


def in_domain(value: Value, domain: Interval) -> bool:
    """Whether a value certainly lies in an interval."""
    if isinstance(value, Fraction):
        return value in domain
    least, most = libmp.mpf_sub(value.value, value.error), libmp.mpf_add(value.value, value.error)
    above = domain.lower is None or _compare(least, domain.lower) > -domain.lower_closed
    below = domain.upper is None or _compare(most, domain.upper) < domain.upper_closed
    return above and below


def _compare(number: Raw, bound: Fraction) -> int:
    """The sign of number - bound, exactly; a rational with the number's exponent could be far too long."""
    scaled = libmp.mpf_mul(number, libmp.from_int(bound.denominator))
    return int(libmp.mpf_cmp(scaled, libmp.from_int(bound.numerator)))


def _linear_root(sides: Program, point: Point, symbol: Symbol, draw: random.Random) -> Fraction | None:
    """The root of the line through two exact residuals, if it is an exact root of the equation."""

    def residual(value: Fraction) -> Fraction | None:
        found = exact_values(sides, point.put(symbol.name, value))
        return None if found is None else found[0] - found[1]

    first, second = _simple(symbol.domain, draw), _spread(symbol.domain, draw)
    at_first, at_second = residual(first), residual(second)
    if at_first is None or at_second is None or at_first == at_second:
        return None
    root = first - at_first * (second - first) / (at_second - at_first)
    return root if residual(root) == 0 else None


def _grid(domain: Interval) -> list[float]:
    steps = [10.0**exponent for exponent in range(-7, -1)]
    inner = [number / 20 for number in range(1, 20)]
    if domain.lower is not None and domain.upper is not None:
        parts = [*steps, *inner, *[1 - step for step in reversed(steps)]]
        return [float(domain.lower) + float(domain.upper - domain.lower) * part for part in parts]
    away = [*steps, *[10.0 ** (exponent / 4) for exponent in range(-4, 9)], 1e3, 1e4, 1e5, 1e6]
    if domain.lower is not None:
        return [float(domain.lower) + step for step in away]
    if domain.upper is not None:
        return [float(domain.upper) - step for step in reversed(away)]
    return [*[-step for step in reversed(away)], 0.0, *away]


def _brackets(sides: Program, point: Point, symbol: Symbol) -> Iterator[tuple[float, float]]:
    """Neighbours on the grid between which the residual changes its sign, narrowed by bisection."""

    def residual(value: float) -> float:
        try:
            left, right = sides.run(_FLOATS, point.put(symbol.name, Fraction(value)))
        except (ArithmeticError, ValueError, UndefinedError, UnsupportedError):
            return math.nan
        return float(left - right)

    grid = _grid(symbol.domain)
    found = [residual(value) for value in grid]
    for low, high, at_low, at_high in zip(grid, grid[1:], found, found[1:], strict=False):
        if not at_low * at_high < 0:
            continue
        size = min(abs(at_low), abs(at_high))
        for _ in range(24):
            middle = (low + high) / 2
            at_middle = residual(middle)
            low, high = (middle, high) if at_low * at_middle > 0 else (low, middle)
        # At a pole the sign changes as well, but the residual grows.
        if abs(residual((low + high) / 2)) < size:
            yield low, high


def _refine(sides: Program, point: Point, symbol: Symbol, bracket: tuple[float, float], most: int) -> Inexact | None:
    """The root in a narrow bracket to nearly ``most`` bits, enclosed by a certain sign change."""

    def residual(value: Raw, bits: int) -> Raw:
        arithmetic = Rounded(bits)
        left, right = sides.run(arithmetic, point.put(symbol.name, Inexact(value, libmp.fzero)))
        found = arithmetic.operations["subtract"](left, right)
        return libmp.fzero if arithmetic.is_noise(found) else found[0]

    try:
        bits = 100
        older, newer = (libmp.from_float(end) for end in bracket)
        at_older, at_newer = residual(older, most), residual(newer, most)
        for _ in range(40):
            slope = libmp.mpf_sub(at_newer, at_older, bits, "n")
            if not slope[1]:
                break
            move = libmp.mpf_mul(at_newer, libmp.mpf_sub(newer, older, bits, "n"), bits, "n")
            older, at_older = newer, at_newer
            newer = libmp.mpf_sub(newer, libmp.mpf_div(move, slope, bits, "n"), bits, "n")
            bits = min(most, bits * 2)
            at_newer = residual(newer, bits)
            if not at_newer[1] and bits == most:
                break
        for lost in (24, most // 4, most // 2):
            error = libmp.mpf_shift(libmp.mpf_abs(newer) if newer[1] else libmp.fone, lost - most)
            below = residual(libmp.mpf_sub(newer, error), most)
            above = residual(libmp.mpf_add(newer, error), most)
            if libmp.mpf_sign(below) * libmp.mpf_sign(above) < 0:
                return Inexact(newer, error)
    except (UndefinedError, UnsupportedError):
        return None
    return None


# ---------------------------------------------------------------- points that satisfy hypotheses


@dataclass(frozen=True)
class Sample:
    """Points that satisfy the hypotheses, how many were tried, and whether equations had to be solved."""

    points: tuple[Point, ...]
    tried: int
    equations: bool


@dataclass
class _Plan:
    """How to satisfy equations: solve some, one unknown each, then assign; what is left is for rejection."""

    solves: list[tuple[Relation, Symbol]]
    assignments: list[tuple[Symbol, Program]]
    rest: list[Statement]
    tried: int = 0
    found: int = 0


@dataclass
class Sampler:
    """Draws points that satisfy hypotheses; see ``satisfying``."""

    hypotheses: tuple[Statement, ...]
    symbols: tuple[Symbol, ...]
    totals: bool
    truth: Truth
    draw: random.Random
    _plans: dict[tuple[Statement, ...], list[_Plan]] = field(default_factory=dict)

    def sample(self, count: int) -> Sample:
        """Up to ``count`` points; the number of tries is bounded by a multiple of it."""
        equations = any(_has_equation(hypothesis) for hypothesis in self.hypotheses)
        limit, patience = ((8 * count + 100), 80) if equations else ((40 * count + 100), 1500)
        found, starts, tried = list[Point](), list[Point](), 0
        while len(found) < count and tried < limit and (found or tried < patience):
            start = self._start(tried, starts if len(found) * 5 < tried else [])
            point = self._satisfy(start)
            tried += 1
            if point is not None:
                found.append(point)
                starts.append(start)
        return Sample(tuple(found), tried, equations)

    def _start(self, number: int, good: list[Point]) -> Point:
        """A fresh point, or where hypotheses are narrow often a good one with one coordinate drawn again."""
        mode = (_simple, _edge, _spread, _spread)[number % 4]
        plain = [symbol for symbol in self.symbols if not (self.totals and symbol.indexed)]
        if good and plain and self.draw.random() < 0.7:
            symbol = self.draw.choice(plain)
            return self.draw.choice(good).put(symbol.name, mode(symbol.domain, self.draw))
        values: dict[str, Value] = {symbol.name: mode(symbol.domain, self.draw) for symbol in plain}
        if not self.totals:
            return Point(values)
        outputs = self.draw.randint(2, 6)
        vectors: dict[str, tuple[Value, ...]] = {
            symbol.name: tuple(mode(symbol.domain, self.draw) for _ in range(outputs))
            for symbol in self.symbols
            if symbol.indexed
        }
        return Point(values, vectors, outputs, self.draw.randrange(outputs))

    def _satisfy(self, start: Point) -> Point | None:
        branch = tuple(self._branch(self.hypotheses))
        if branch not in self._plans:
            self._plans[branch] = _plans(branch, self.totals)
        plans = self._plans[branch]
        hopeful = [plan for plan in plans if plan.found or plan.tried < 10] or plans
        plan = min(hopeful, key=lambda plan: plan.tried)
        plan.tried += 1
        try:
            point = self._apply(plan, start)
        except (UndefinedError, UnsupportedError):
            return None
        plan.found += point is not None
        return point

    def _branch(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Flatten conjunctions, and choose one part of every disjunction."""
        for statement in statements:
            match statement:
                case All(parts):
                    yield from self._branch(parts)
                case Any(parts) if parts:
                    yield from self._branch((self.draw.choice(parts),))
                case _:
                    yield statement

    def _apply(self, plan: _Plan, point: Point) -> Point | None:
        for statement in plan.rest:
            point = self._shrink(statement, point)
        for relation, symbol in plan.solves:
            solved = self._solve(relation, symbol, point)
            if solved is None:
                return None
            point = solved
        for symbol, program in reversed(plan.assignments):
            point = self._assign(symbol, program, point)
        changed = [symbol for symbol, _ in plan.assignments] + [symbol for _, symbol in plan.solves]
        for symbol in changed:
            if not all(in_domain(value, symbol.domain) for value in point.all_values(symbol.name)):
                return None
        return point if all(self._holds_everywhere(statement, point) for statement in plan.rest) else None

    def _indices(self, generic: bool, point: Point) -> Iterable[int]:
        return range(point.outputs) if generic and point.outputs else (point.index,)

    def _holds_everywhere(self, statement: Statement, point: Point) -> bool:
        """Hypotheses about the generic output hold for every output."""
        generic = any(_outside_totals(expression) for expression in expressions_of(statement))
        return all(self.truth.holds(statement, point.at_output(index)) for index in self._indices(generic, point))

    def _solve(self, relation: Relation, symbol: Symbol, point: Point) -> Point | None:
        coordinate = _summed_coordinate(relation)
        if point.outputs and coordinate == symbol:
            target = exact_values(self.truth.program(relation), point)
            return None if target is None else _with_sum(point, symbol, target[1])
        generic = symbol.indexed and bool(_outside_totals(relation.left) + _outside_totals(relation.right))
        sides, kept = self.truth.program(relation), point.index
        for index in self._indices(generic, point):
            point = point.at_output(index)
            value = solve(sides, point, symbol, self.truth.digits, self.draw)
            if value is None:
                return None
            point = point.put(symbol.name, value)
        return point.at_output(kept)

    def _shrink(self, statement: Statement, point: Point) -> Point:
        """Bring a coordinate whose sum is bounded from above back under its bound."""
        if not isinstance(statement, Relation) or statement.operator not in ("<", "<=") or not point.outputs:
            return point
        coordinate = _summed_coordinate(statement)
        sides = exact_values(self.truth.program(statement), point) if coordinate is not None else None
        if coordinate is None or sides is None or sides[0] <= sides[1]:
            return point
        part = Fraction(self.draw.randint(1, 8 if statement.operator == "<=" else 7), 8)
        return _with_sum(point, coordinate, sides[1] * part) or point

    def _assign(self, symbol: Symbol, program: Program, point: Point) -> Point:
        kept = point.index
        for index in self._indices(symbol.name in point.vectors, point):
            point = point.at_output(index)
            exact = exact_values(program, point)
            if exact is not None:
                point = point.put(symbol.name, exact[0])
                continue
            bits = precisions(self.truth.digits)[-1]
            value, scale = program.run(Rounded(bits), point)[0]
            point = point.put(symbol.name, Inexact(value, libmp.mpf_shift(scale, SLACK - bits)))
        return point.at_output(kept)


def satisfying(
    hypotheses: tuple[Statement, ...], symbols: tuple[Symbol, ...], totals: bool, truth: Truth, count: int, seed: int
) -> Sample:
    """Points in the symbols' domains at which the hypotheses hold.

    Inequalities are met by rejection; ``symbol = expression`` by assignment; a sum over the outputs that is
    prescribed or bounded by rescaling; other equations by solving for one symbol each. With ``totals``
    each point has 2 to 6 outputs, and hypotheses about the generic output hold for every output.
    """
    return Sampler(hypotheses, symbols, totals, truth, random.Random(seed)).sample(count)


def _has_equation(statement: Statement) -> bool:
    match statement:
        case Relation(_, sign, _):
            return sign == "="
        case All(parts) | Any(parts):
            return any(_has_equation(part) for part in parts)
        case _:
            return False


def _outside_totals(expression: Expression) -> list[Symbol]:
    """The indexed symbols of the generic output: those that no sum binds."""
    if isinstance(expression, Total):
        return []
    if isinstance(expression, Symbol):
        return [expression] if expression.indexed else []
    return [symbol for child in expression.children for symbol in _outside_totals(child)]


def _summed_coordinate(relation: Relation) -> Symbol | None:
    """The coordinate whose plain sum over the outputs stands on the left, free of it on the right."""
    if isinstance(relation.left, Total) and isinstance(relation.left.body, Symbol) and relation.left.body.indexed:
        coordinate = relation.left.body
        return None if coordinate in free_symbols(relation.right) else coordinate
    return None


def _with_sum(point: Point, symbol: Symbol, target: Fraction) -> Point | None:
    """Rescale a vector to a sum, or shift it where its domain is the whole line."""
    vector = [value for value in point.vectors[symbol.name] if isinstance(value, Fraction)]
    total = sum(vector, Fraction(0))
    if len(vector) < point.outputs:
        return None
    if symbol.domain.lower is None and symbol.domain.upper is None:
        moved = tuple(value + (target - total) / point.outputs for value in vector)
    elif total * target > 0:
        moved = tuple(value * target / total for value in vector)
    else:
        return None
    return point.put_vector(symbol.name, moved)


def _plans(branch: Sequence[Statement], totals: bool) -> list[_Plan]:
    """Ways to satisfy the equations of a branch: with and without elimination, for different unknowns."""
    reduced, assignments = _eliminate(branch, totals)
    plans = list(islice(_triangular(branch, reduced, assignments, totals), 6))
    if assignments:
        plans += islice(_triangular(branch, branch, [], totals), 6)
    return plans


def _eliminate(branch: Sequence[Statement], totals: bool) -> tuple[list[Statement], list[tuple[Symbol, Expression]]]:
    """Use equations ``symbol = expression`` to remove the symbol from all other statements."""
    left_over, assignments = list(branch), list[tuple[Symbol, Expression]]()
    for position in range(len(left_over)):
        statement = left_over[position]
        chosen = _assignable(statement, totals) if isinstance(statement, Relation) else None
        if chosen is None:
            continue
        symbol, expression = chosen
        assignments.append(chosen)
        left_over = [substitute_statement(other, {symbol: expression}) for other in left_over]
    return left_over, assignments


def _assignable(relation: Relation, totals: bool) -> tuple[Symbol, Expression] | None:
    if relation.operator != "=":
        return None
    for symbol, expression in ((relation.left, relation.right), (relation.right, relation.left)):
        if not isinstance(symbol, Symbol) or symbol in free_symbols(expression):
            continue
        if not totals or symbol.indexed or not _outside_totals(expression):
            return symbol, expression
    return None


def _triangular(
    branch: Sequence[Statement],
    reduced: Sequence[Statement],
    assignments: Sequence[tuple[Symbol, Expression]],
    totals: bool,
) -> Iterator[_Plan]:
    """Orders in which each equation has an unknown that no earlier equation contains."""
    programs = [(symbol, Program((expression,))) for symbol, expression in assignments]
    equations = [
        statement
        for statement in reduced
        if isinstance(statement, Relation) and statement.operator == "=" and statement.left != statement.right
    ]
    rest = [statement for statement in branch if not (isinstance(statement, Relation) and statement.operator == "=")]
    anything = False
    for order in permutations(equations[:4]):
        for unknowns in _unknowns(order, totals):
            anything = True
            yield _Plan(list(zip(order, unknowns, strict=True)), programs, [*rest, *equations[4:]])
    if not anything:
        yield _Plan([], programs, list(branch))


def _unknowns(order: Sequence[Relation], totals: bool, solved: tuple[Symbol, ...] = ()) -> Iterator[tuple[Symbol, ...]]:
    if not order:
        yield ()
        return
    here = symbols_of(order[0])
    generic = [*_outside_totals(order[0].left), *_outside_totals(order[0].right)] if totals else []
    coordinate = _summed_coordinate(order[0]) if totals else None
    choices: Iterable[Symbol] = (
        (coordinate,) if coordinate is not None else (dict.fromkeys(generic) if generic else here)
    )
    for symbol in choices:
        if symbol not in solved:
            for later in _unknowns(order[1:], totals, (*solved, *here)):
                yield (symbol, *later)


def has_totals(statements: Iterable[Statement]) -> bool:
    """Whether a sum over outputs occurs."""
    return any(
        isinstance(node, Total)
        for statement in statements
        for expression in expressions_of(statement)
        for node in walk(expression)
    )
