"""Seeded points at which hypotheses hold: on the solution sets of equations, within inequalities."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.elements import outside_totals
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.statement import All, Any, Relation, Statement, expressions_of
from grpo_symbolic.points.breaks import break_equations
from grpo_symbolic.points.elimination import Plan, plans_for, summed_coordinate
from grpo_symbolic.points.roots import Equation, in_domain
from grpo_symbolic.points.sampling import coordinate
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.translate.arithmetics import certain_sign, enclose, exact_values
from grpo_symbolic.translate.multiprecision import precisions
from grpo_symbolic.translate.program import Point, Program, Value

#: Points at each break and on each of its sides, and tries to find these.
_AT_BREAK, _TRIES_AT_BREAK = 3, 12
#: Points with one output alone, where sums run over the outputs, and tries to find these.
_ALONE, _TRIES_ALONE = 4, 16

#: How often each point must have been found again before the equations are taken to have no other solutions.
_FOUND_AGAIN = 40

#: The values of a point; Point itself cannot be hashed.
_Key: TypeAlias = tuple[tuple[Value, ...], tuple[tuple[Value, ...], ...], int, int]


@dataclass(frozen=True)
class Sample:
    """Different points that satisfy the hypotheses, how many were tried, and whether equations had to be solved."""

    points: tuple[Point, ...]
    tried: int
    equations: bool


@dataclass
class Sampler:
    """Draws points that satisfy hypotheses; see ``satisfying``."""

    hypotheses: tuple[Statement, ...]
    symbols: tuple[Symbol, ...]
    totals: bool
    truth: Truth
    draw: random.Random
    #: The fewest and the most elements that sums run over.
    sizes: tuple[int, int] = (1, 6)
    _plans: dict[tuple[Statement, ...], list[Plan]] = field(default_factory=dict)
    _equations: dict[tuple[Relation, Symbol], Equation] = field(default_factory=dict)
    _generic: dict[Statement, bool] = field(default_factory=dict)
    #: How many points were asked for.
    asked: float = 0
    _found: dict[_Key, Point] = field(default_factory=dict)
    _tried: int = 0
    _repeated: int = 0
    #: Good starts, each family from one fresh point; neighbours come from any, so that none crowds out others.
    _families: list[list[Point]] = field(default_factory=list)

    def sample(self, count: int, tries: int | None = None) -> Sample:
        """Up to ``count`` different points; the number of tries is bounded by a multiple of it, or as given.

        Asked again for more, it goes on where it stopped: the points are those that were asked for at once.
        """
        equations = any(_has_equation(hypothesis) for hypothesis in self.hypotheses)
        limit, patience = ((8 * count + 100), 400) if equations else ((40 * count + 100), 1500)
        limit = limit if tries is None else tries
        # Who is stopped by an error cannot go on.
        found, self.asked = self._found, math.inf
        while len(found) < count and self._tried < limit and (found or self._tried < patience):
            if equations and self._repeated > _FOUND_AGAIN * len(found) > 0:
                break
            self._try()
        self.asked = count
        return Sample(tuple(found.values()), self._tried, equations)

    def _try(self) -> None:
        """Look for one more point."""
        found, families, tried = self._found, self._families, self._tried
        fresh = not (families and self.symbols) or len(found) * 5 >= tried or self.draw.random() < 0.3
        family = list[Point]() if fresh else self.draw.choice(families)
        start = self.start(tried) if fresh else self._neighbour(tried, self.draw.choice(family))
        point = self.satisfy(start)
        self._tried += 1
        if point is None:
            return
        key = _key(point)
        if key in found:
            self._repeated += 1
        else:
            found[key] = point
            family.append(start)
            if fresh:
                families.append(family)

    def start(self, number: int) -> Point:
        """A fresh point of the domains, at which the hypotheses need not hold."""
        plain = [symbol for symbol in self.symbols if not (self.totals and symbol.indexed)]
        values: dict[str, Value] = {symbol.name: coordinate(symbol.domain, number, self.draw) for symbol in plain}
        if not self.totals:
            return Point(values)
        outputs = self.draw.randint(*self.sizes)
        vectors: dict[str, tuple[Value, ...]] = {
            symbol.name: tuple(coordinate(symbol.domain, number, self.draw) for _ in range(outputs))
            for symbol in self.symbols
            if symbol.indexed
        }
        return Point(values, vectors, outputs, self.draw.randrange(outputs))

    def _neighbour(self, number: int, good: Point) -> Point:
        """A good start with one coordinate drawn again, for hypotheses that few points satisfy."""
        symbol = self.draw.choice(self.symbols)
        return good.put(symbol.name, coordinate(symbol.domain, number, self.draw))

    def satisfy(self, start: Point) -> Point | None:
        """The point with some coordinates changed so that the hypotheses hold, or None if that did not succeed."""
        plans = self._plans_here()
        hopeful = [plan for plan in plans if plan.found or plan.tried < 10] or plans
        plan = min(hopeful, key=lambda plan: plan.tried)
        plan.tried += 1
        try:
            point = self._apply(plan, start)
        except (UndefinedError, UnsupportedError):
            return None
        plan.found += point is not None
        return point

    def _plans_here(self) -> list[Plan]:
        """The plans of one branch of the hypotheses; most have only one, which need not be looked up."""
        if len(self._plans) == 1 and self._is_one_branch:
            return next(iter(self._plans.values()))
        branch = tuple(self._branch(self.hypotheses))
        if branch not in self._plans:
            # What was tried and found is counted for each sampler.
            self._plans[branch] = [replace(plan) for plan in plans_for(branch, self.totals)]
        return self._plans[branch]

    @cached_property
    def _is_one_branch(self) -> bool:
        """Whether nothing is drawn to choose a branch."""
        return not any(_has_alternatives(statement) for statement in self.hypotheses)

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

    def _apply(self, plan: Plan, point: Point) -> Point | None:
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
        if any(self._violated(relation, point) for relation in plan.equations):
            return None
        return point if all(self._holds_everywhere(statement, point) for statement in plan.rest) else None

    def _indices(self, generic: bool, point: Point) -> Iterable[int]:
        return range(point.outputs) if generic and point.outputs else (point.index,)

    def _everywhere(self, statement: Statement, point: Point) -> Iterator[Point]:
        """The point at every output if the statement is about the generic one."""
        generic = self._generic.get(statement)
        if generic is None:
            generic = any(outside_totals(expression) for expression in expressions_of(statement))
            self._generic[statement] = generic
        return (point.at_output(index) for index in self._indices(generic, point))

    def _holds_everywhere(self, statement: Statement, point: Point) -> bool:
        return all(self.truth.holds_quickly(statement, at_output) for at_output in self._everywhere(statement, point))

    def _violated(self, relation: Relation, point: Point) -> bool:
        """Whether an equation certainly fails, because solving another one or another output broke it."""
        sides = self.truth.program(relation)
        return any(certain_sign(sides, at_output, 64) for at_output in self._everywhere(relation, point))

    def _solve(self, relation: Relation, symbol: Symbol, point: Point) -> Point | None:
        coordinate = summed_coordinate(relation)
        if point.outputs and coordinate == symbol:
            target = exact_values(self.truth.program(relation), point)
            return None if target is None else _with_sum(point, symbol, target[1])
        generic = symbol.indexed is not None and bool(outside_totals(relation.left) + outside_totals(relation.right))
        equation, kept = self._equation(relation, symbol), point.index
        for index in self._indices(generic, point):
            point = point.at_output(index)
            value = equation.solve(point, self.draw)
            if value is None:
                return None
            point = point.put(symbol.name, value)
        return point.at_output(kept)

    def _equation(self, relation: Relation, symbol: Symbol) -> Equation:
        known = self._equations.get((relation, symbol))
        if known is None:
            known = self._equations[relation, symbol] = Equation(
                self.truth.program(relation), symbol, self.truth.digits
            )
        return known

    def _shrink(self, statement: Statement, point: Point) -> Point:
        """Bring a coordinate whose sum is bounded from above back under its bound."""
        if not isinstance(statement, Relation) or statement.operator not in ("<", "<=") or not point.outputs:
            return point
        coordinate = summed_coordinate(statement)
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
            value = exact[0] if exact is not None else enclose(program, point, precisions(self.truth.digits)[-1])
            if value is None:
                raise UndefinedError(f"{symbol} has no value here")
            point = point.put(symbol.name, value)
        return point.at_output(kept)


def satisfying(
    hypotheses: tuple[Statement, ...], symbols: tuple[Symbol, ...], totals: bool, truth: Truth, count: int, seed: int
) -> Sample:
    """Points in the symbols' domains at which the hypotheses hold.

    Inequalities are met by rejection; ``symbol = expression`` by assignment; a sum over the outputs that is
    prescribed or bounded by rescaling; other equations by solving for one symbol each. With ``totals``
    each point has 2 to 6 outputs, a few have one only, and hypotheses about the generic output hold for every one.
    """
    return _satisfying(hypotheses, symbols, totals, truth.digits, count, seed)


# The parts of a claim, and the steps of its derivation, mostly have the same hypotheses.
@lru_cache(maxsize=64)
def _satisfying(
    hypotheses: tuple[Statement, ...], symbols: tuple[Symbol, ...], totals: bool, digits: int, count: int, seed: int
) -> Sample:
    def drawn(count: int, sizes: tuple[int, int], tries: int | None = None) -> Sample:
        sampler = _kept_sampler(hypotheses, symbols, totals, digits, seed, sizes)
        if sampler.asked > count:
            sampler = _new_sampler(hypotheses, symbols, totals, digits, seed, sizes)
        return sampler.sample(count, tries)

    if not totals:
        return drawn(count, (1, 1))
    # With one output little is free, often nothing: among the others such points would displace those that say more.
    alone = drawn(min(_ALONE, count // 8), (1, 1), _TRIES_ALONE)
    several = drawn(count - len(alone.points), (2, 6))
    return Sample((*several.points, *alone.points), several.tried + alone.tried, several.equations)


def _new_sampler(
    hypotheses: tuple[Statement, ...],
    symbols: tuple[Symbol, ...],
    totals: bool,
    digits: int,
    seed: int,
    sizes: tuple[int, int],
) -> Sampler:
    return Sampler(hypotheses, symbols, totals, Truth(digits), random.Random(seed), sizes)


# Where few points do not suffice, more are asked for next.
_kept_sampler = lru_cache(maxsize=8)(_new_sampler)


def at_breaks(
    hypotheses: tuple[Statement, ...],
    conclusion: Statement,
    symbols: tuple[Symbol, ...],
    totals: bool,
    truth: Truth,
    seed: int,
) -> tuple[Point, ...]:
    """Some points as in ``satisfying`` where two cases of a formula or condition meet, and on both sides of there."""
    found = dict[_Key, Point]()
    for equations in break_equations(hypotheses, conclusion):
        for point in _at_break((*hypotheses, *equations), symbols, totals, truth.digits, seed):
            found.setdefault(_key(point), point)
    return tuple(found.values())


# Conclusions from the same hypotheses often change their formulas at the same places.
@lru_cache(maxsize=256)
def _at_break(
    statements: tuple[Statement, ...], symbols: tuple[Symbol, ...], totals: bool, digits: int, seed: int
) -> tuple[Point, ...]:
    sampler = Sampler(statements, symbols, totals, Truth(digits), random.Random(seed))
    return sampler.sample(_AT_BREAK, _TRIES_AT_BREAK).points


def _key(point: Point) -> _Key:
    return tuple(point.values.values()), tuple(point.vectors.values()), point.outputs, point.index


def _has_equation(statement: Statement) -> bool:
    match statement:
        case Relation(_, sign, _):
            return sign == "="
        case All(parts) | Any(parts):
            return any(_has_equation(part) for part in parts)
        case _:
            return False


def _has_alternatives(statement: Statement) -> bool:
    match statement:
        case All(parts):
            return any(map(_has_alternatives, parts))
        case _:
            return isinstance(statement, Any)


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
