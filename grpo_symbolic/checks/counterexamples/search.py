"""Refute an obligation by one point: all hypotheses hold there and the conclusion certainly fails.

The negated obligation is a disjunction of *cases*, each a list of relations that must all hold. In a
case equations are solved for one symbol each, the other symbols run over small rationals, and only exact
rational arithmetic and balls decide whether the relations hold. Where a solution is irrational it is
enclosed, either by a formula or between two points of opposite sign of a continuous residual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from itertools import chain, islice, product
from random import Random

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.evidence import Settings, Witness
from grpo_symbolic.language.calculus import ZERO, differentiate
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Symbol, Total, free_symbols, rebuild, substitute, walk
from grpo_symbolic.language.statement import (
    NEGATIONS,
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
    symbols_of,
)
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.balls import (
    INDETERMINATE,
    BallFunction,
    Value,
    as_fraction,
    exact,
    is_determinate,
    is_exact,
    midpoint,
    precision,
    simplest_between,
    zeros,
)

_BITS = 192
_DIGITS = 15
_MAXIMAL_CASES = 64
_MAXIMAL_CANDIDATES = 12
#: Steps of evaluation that a search may spend over all cases; a step takes well below a microsecond.
_SEARCH_STEPS = 150_000
#: Simple points that are tried before the candidates of a sampler, whose coordinates are seldom simple.
_GLANCE = 4_000
_UNREADABLE = 40
#: Bits of an exact value beyond which its first digits are shown; Python prints no more than 4300 digits.
_LONGEST = 10_000
#: Points at which every case is tried before any case is searched to the end of its budget.
_FIRST_LOOK = 40
_RATIONAL = re.compile(r"-?\d+(/\d+)?")
_DECIMAL = re.compile(r"-?\d+\.\d+(E[+-]\d+)?")


def counterexample(
    obligation: Obligation, settings: Settings, candidates: Iterable[Mapping[Symbol, Fraction]] = ()
) -> Witness | None:
    """Find a point at which the hypotheses hold and the conclusion fails, or None if none was found.

    ``candidates`` are tried first, after rounding them to simple fractions; then follow small rationals
    in a fixed order and seeded random ones. Everything returned has been checked again by ``recheck``.
    Sums over outputs are tried with two outputs, then with three, then with one.
    """
    known = tuple(islice(candidates, _MAXIMAL_CANDIDATES))
    sizes = (2, 3, 1) if _speaks_of_outputs(obligation) else (1,)
    with precision(_BITS):
        for outputs in sizes:
            finite = _with_outputs(obligation, outputs)
            try:
                cases = [_Case(literals, finite) for literals in _cases(finite)]
            except UnsupportedError:
                return None
            for values, case in _failures(cases, known, settings, _SEARCH_STEPS // min(len(sizes), 2)):
                witness = case.witness(values)
                if witness is not None and recheck(obligation, witness):
                    return witness
    return None


def recheck(obligation: Obligation, witness: Witness) -> bool:
    """Check a witness from its printed numbers alone.

    Rationals are taken as they stand. A decimal must be the rounding of a value that the hypotheses
    force, given the rationals: it is enclosed again from the equations among the hypotheses. Both sides
    of a violated relation of the conclusion must agree with what the witness prints.
    """
    printed = dict(witness.at)
    outputs = max((int(name[name.index("[") + 1 : -1]) for name in printed if name.endswith("]")), default=1)
    finite = _with_outputs(obligation, outputs)
    symbols = _symbols(finite)
    texts_readable = all(_RATIONAL.fullmatch(text) or _DECIMAL.fullmatch(text) for text in printed.values())
    if len(witness.at) != len(symbols) or {symbol.name for symbol in symbols} != set(printed) or not texts_readable:
        return False
    try:
        given = {symbol: Fraction(text) for symbol in symbols if "." not in (text := printed[symbol.name])}
    except ZeroDivisionError:
        return False
    forced = frozenset(symbol for symbol in symbols if symbol not in given)
    with precision(_BITS):
        for literals in _cases(finite):
            case = _Case(literals, finite, forced)
            if len(case.free) == len(given) and any(
                _same(case.witness(values), witness) for values in case.completions(given)
            ):
                return True
    return False


def _same(found: Witness | None, printed: Witness) -> bool:
    """Whether two witnesses say the same; the order in which they name the symbols does not matter."""
    return found is not None and sorted(found.at) == sorted(printed.at) and replace(found, at=printed.at) == printed


@dataclass(frozen=True)
class _Literal:
    """A relation that must hold in a case; ``violated`` is the relation of the conclusion that it negates."""

    relation: Relation
    violated: Relation | None = None


def _cases(obligation: Obligation) -> Iterator[tuple[_Literal, ...]]:
    """The ways in which the obligation can fail, and then those in which a strict inequality is just touched."""
    failures = (
        (*(_Literal(literal.relation) for literal in given), *negated)
        for given in _ways(All(obligation.hypotheses), True)
        for negated in _ways(obligation.conclusion, False)
    )
    plain = list(islice(failures, _MAXIMAL_CASES))
    yield from plain
    for literals in plain:
        for position, literal in enumerate(literals):
            if literal.violated is not None and literal.violated.operator in ("<", ">"):
                touching = replace(literal.relation, operator="=")
                yield (*literals[:position], _Literal(touching, literal.violated), *literals[position + 1 :])


def _ways(statement: Statement, wanted: bool) -> Iterator[tuple[_Literal, ...]]:
    """The disjunctive normal form of an elementary statement or of its negation."""
    match statement:
        case Relation(left, operator, right) if not wanted:
            yield (_Literal(Relation(left, NEGATIONS[operator], right), statement),)
        case Relation():
            yield (_Literal(statement),)
        case All(parts) | Any(parts):
            ways = [_ways(part, wanted) for part in parts]
            if isinstance(statement, All) is wanted:
                for combination in product(*ways):
                    yield tuple(chain.from_iterable(combination))
            else:
                yield from chain.from_iterable(ways)
        case Implies(premise, conclusion) if wanted:
            yield from chain(_ways(premise, False), _ways(conclusion, True))
        case Implies(premise, conclusion):
            yield from _both_ways(premise, True, conclusion, False)
        case Equivalent(left, right):
            yield from _both_ways(left, True, right, wanted)
            yield from _both_ways(left, False, right, not wanted)
        case _:
            raise UnsupportedError(f"{type(statement).__name__} is not elementary")


def _both_ways(
    left: Statement, left_wanted: bool, right: Statement, right_wanted: bool
) -> Iterator[tuple[_Literal, ...]]:
    for first in _ways(left, left_wanted):
        for second in _ways(right, right_wanted):
            yield (*first, *second)


def _symbols(obligation: Obligation) -> tuple[Symbol, ...]:
    """All symbols, with those that only a differentiated function mentions last."""
    hidden = [symbol for expression in obligation.defined for symbol in free_symbols(expression)]
    return tuple(dict.fromkeys([*symbols_of(*obligation.hypotheses, obligation.conclusion), *hidden]))


class _Case:
    """Relations that must hold at one point, with the equations solved for one symbol each."""

    def __init__(
        self, literals: Sequence[_Literal], obligation: Obligation, solvable: frozenset[Symbol] | None = None
    ) -> None:
        self.symbols = _symbols(obligation)
        self._literals = literals
        self._places = {symbol: place for place, symbol in enumerate(self.symbols)}
        allowed = frozenset(self.symbols) if solvable is None else solvable
        solved, by_construction = _solve_order([literal.relation for literal in literals], allowed)
        self._solved = [(self._places[symbol], _Solution(symbol, how, self.symbols)) for symbol, how in solved]
        self._by_construction = by_construction
        forced = {symbol for symbol, _ in solved}
        self.free = tuple(symbol for symbol in self.symbols if symbol not in forced)
        sides = {literal.relation: self._sides(literal.relation) for literal in literals}
        tested = [literal.relation for literal in literals if literal.relation not in by_construction]
        self._early = [(sides[test], test.operator) for test in tested if not forced & set(symbols_of(test))]
        self._late = [(sides[test], test.operator) for test in tested if forced & set(symbols_of(test))]
        self._defined = [BallFunction(expression, self.symbols) for expression in obligation.defined]
        self.cost = 5 + sum(len(left) + len(right) for left, right in sides.values())
        self.cost += sum(solution.cost for _, solution in self._solved)
        self._known: dict[tuple[Fraction, ...], list[Value] | None] = {}

    def _sides(self, relation: Relation) -> tuple[BallFunction, BallFunction]:
        return BallFunction(relation.left, self.symbols), BallFunction(relation.right, self.symbols)

    def completion(self, given: Mapping[Symbol, Fraction]) -> list[Value] | None:
        """The first of the completions, if there is one; candidates rounded differently often are the same point."""
        key = tuple(given[symbol] for symbol in self.free)
        if key not in self._known:
            self._known[key] = next(self.completions(given), None)
        return self._known[key]

    def completions(self, given: Mapping[Symbol, Fraction]) -> Iterator[list[Value]]:
        """All values of all symbols that were found to satisfy the case when the free symbols are as given."""
        values: list[Value] = [None] * len(self.symbols)
        for symbol in self.free:
            if given[symbol] not in symbol.domain:
                return
            values[self._places[symbol]] = exact(given[symbol])
        if all(_certainly(operator, *_evaluate(sides, values)) for sides, operator in self._early):
            yield from self._complete(values, 0)

    def _complete(self, values: list[Value], position: int) -> Iterator[list[Value]]:
        if position < len(self._solved):
            place, solution = self._solved[position]
            for value in solution.values(values):
                if _inside(value, solution.symbol.domain):
                    yield from self._complete([*values[:place], value, *values[place + 1 :]], position + 1)
        elif all(_certainly(operator, *_evaluate(sides, values)) for sides, operator in self._late) and all(
            is_determinate(_value(function, values)) for function in self._defined
        ):
            yield values

    def witness(self, values: Sequence[Value]) -> Witness | None:
        """The printed form of a completion, or None if a ball is too wide to print enough digits."""
        tested, violated = next((lit.relation, lit.violated) for lit in self._literals if lit.violated is not None)
        left, right = (
            _text(_value(BallFunction(side, self.symbols), values)) for side in (violated.left, violated.right)
        )
        if tested in self._by_construction:
            # The sides are equal because the equation was solved; balls cannot show that, one text can.
            left = right = left if right is None else right
        texts = [_text(value) for value in values]
        if left is None or right is None or None in texts:
            return None
        at = tuple((symbol.name, str(text)) for symbol, text in zip(self.symbols, texts, strict=True))
        return Witness(at, left, right)


def _value(function: BallFunction, values: Sequence[Value]) -> Value:
    """Exact or enclosed value, or an indeterminate ball where there is none."""
    try:
        return function(values)
    except UndefinedError:
        return INDETERMINATE


def _evaluate(sides: tuple[BallFunction, BallFunction], values: Sequence[Value]) -> tuple[Value, Value]:
    return _value(sides[0], values), _value(sides[1], values)


def _certainly(operator: str, left: Value, right: Value) -> bool:
    """Whether the relation holds for all numbers in the balls; balls never show equality."""
    if not (is_determinate(left) and is_determinate(right)):
        return False
    match operator:
        case "=":
            return is_exact(left) and is_exact(right) and bool(left == right)
        case "!=":
            return bool(left < right) or bool(left > right)
        case "<":
            return bool(left < right)
        case "<=":
            return bool(left <= right)
        case ">":
            return bool(left > right)
        case _:
            return bool(left >= right)


def _inside(value: Value, domain: Interval) -> bool:
    """Whether the value certainly lies in the domain."""
    if is_exact(value):
        return as_fraction(value) in domain
    above = domain.lower is None or _certainly(">", value, exact(domain.lower))
    return above and (domain.upper is None or _certainly("<", value, exact(domain.upper)))


def _text(value: Value) -> str | None:
    """An exact rational, or a decimal rounded to fifteen digits; None for a ball that does not determine them."""
    if is_exact(value):
        fraction = as_fraction(value)
        if fraction.numerator.bit_length() + fraction.denominator.bit_length() <= _LONGEST:
            return str(fraction)
        return f"{_decimal(fraction):.{_DIGITS - 1}E}"
    if not is_determinate(value):
        return None
    if value.rel_accuracy_bits() < 60:
        return f"{Decimal(0):.{_DIGITS - 1}f}" if abs(value) < exact(Fraction(1, 10**30)) else None
    decimal = _decimal(midpoint(value))
    exponent = decimal.adjusted()
    return f"{decimal:.{_DIGITS - 1 - exponent}f}" if -6 < exponent < _DIGITS - 1 else f"{decimal:.{_DIGITS - 1}E}"


def _decimal(fraction: Fraction) -> Decimal:
    return Context(prec=_DIGITS).divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def _solve_order(
    relations: Sequence[Relation], allowed: frozenset[Symbol]
) -> tuple[list[tuple[Symbol, Relation]], set[Relation]]:
    """Choose for each equation a symbol to solve it for, such that the solutions can be computed in order."""
    chosen: dict[Symbol, Relation] = {}
    needs: dict[Symbol, set[Symbol]] = {}
    for relation in relations:
        if relation.operator != "=" or relation in chosen.values():
            continue
        involved = set(symbols_of(relation))
        for target in _targets(relation):
            others = involved - {target}
            if target in allowed and target not in chosen and target not in _reach(others, needs):
                chosen[target], needs[target] = relation, others
                break
    ordered: list[tuple[Symbol, Relation]] = []
    while len(ordered) < len(chosen):
        done = {symbol for symbol, _ in ordered}
        ready = [symbol for symbol in chosen if symbol not in done and not needs[symbol] & (chosen.keys() - done)]
        ordered += [(symbol, chosen[symbol]) for symbol in ready]
    return ordered, set(chosen.values())


def _reach(symbols: set[Symbol], needs: Mapping[Symbol, set[Symbol]]) -> set[Symbol]:
    """The symbols and everything that they are computed from."""
    reached: set[Symbol] = set()
    waiting = list(symbols)
    while waiting:
        symbol = waiting.pop()
        if symbol not in reached:
            reached.add(symbol)
            waiting += needs.get(symbol, ())
    return reached


def _targets(relation: Relation) -> list[Symbol]:
    """The symbols of an equation, easiest to solve for first: explicit, then linear, then the others."""
    symbols = symbols_of(relation)
    explicit = [symbol for symbol in symbols if _explicit(relation, symbol) is not None]
    linear = [symbol for symbol in symbols if _slope(relation, symbol) is not None]
    bounded = [symbol for symbol in symbols if None not in (symbol.domain.lower, symbol.domain.upper)]
    return list(dict.fromkeys([*explicit, *linear, *bounded, *symbols]))


def _explicit(relation: Relation, symbol: Symbol) -> Expression | None:
    """The other side of an equation whose one side is the symbol alone."""
    for side, other in ((relation.left, relation.right), (relation.right, relation.left)):
        if side == symbol and symbol not in free_symbols(other):
            return other
    return None


def _slope(relation: Relation, symbol: Symbol) -> Expression | None:
    """The factor of the symbol in an equation that is plainly linear in it."""
    try:
        slope = differentiate(relation.left - relation.right, symbol)
    except UnsupportedError:
        return None
    return None if symbol in free_symbols(slope) else slope


class _Solution:
    """An equation solved for one symbol, given values of the others."""

    def __init__(self, symbol: Symbol, relation: Relation, symbols: Sequence[Symbol]) -> None:
        self.symbol = symbol
        self._place = symbols.index(symbol)
        residual = relation.left - relation.right
        explicit, slope = _explicit(relation, symbol), _slope(relation, symbol)
        if explicit is None and slope is not None:
            explicit = -substitute(residual, {symbol: ZERO}) / slope
        # What is linear on paper may still be undefined at the solution, as in 0*log(x) + x = -1.
        self._explicit = None if explicit is None else BallFunction(explicit, symbols)
        self._residual = BallFunction(residual, symbols)
        # A change of sign shows a zero of a continuous function only.
        self._jumps = any(isinstance(node, Apply) and node.operator == "sign" for node in walk(residual))
        self._points = [exact(point) for point in _scan(symbol.domain)]
        self.cost = len(self._residual) * (1 if explicit is not None else 2 * len(self._points))

    def values(self, values: Sequence[Value]) -> list[Value]:
        """The solutions that were found, each exact or certainly enclosed."""
        before, after = list(values[: self._place]), list(values[self._place + 1 :])

        def residual(value: Value) -> Value:
            return _value(self._residual, [*before, value, *after])

        if self._explicit is None:
            found = zeros(residual, self._points)
            return [zero for zero in found if is_exact(zero)] if self._jumps else found
        solution = _value(self._explicit, values)
        return [solution] if is_determinate(solution) and is_determinate(residual(solution)) else []


def _spread(domain: Interval, position: Fraction) -> Fraction:
    """The point of the domain at a relative position between 0 and 1, both excluded."""
    low, high, ratio = domain.lower, domain.upper, position / (1 - position)
    if low is not None and high is not None:
        return low + (high - low) * position
    if low is not None:
        return low + ratio
    return high - 1 / ratio if high is not None else ratio - 1 / ratio


_SCANNED = [Fraction(k, 24) for k in range(1, 24)]
_EDGES = [Fraction(1, 10**k) for k in (2, 4, 8)]


def _scan(domain: Interval) -> list[Fraction]:
    """Increasing points of the domain between which zeros are looked for."""
    positions = [*reversed(_EDGES), *_SCANNED, *(1 - edge for edge in _EDGES)]
    return sorted({*_closed_ends(domain), *(_spread(domain, position) for position in positions)})


def _closed_ends(domain: Interval) -> list[Fraction]:
    ends = ((domain.lower, domain.lower_closed), (domain.upper, domain.upper_closed))
    return [end for end, closed in ends if closed and end is not None]


#: (numerator, denominator) of relative positions in a bounded domain, and of distances in an unbounded one.
_SIMPLE = [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (4, 5), (1, 10), (9, 10), (2, 5), (3, 5), (1, 8), (7, 8)]
_SIMPLE += [(1, 100), (99, 100), (1, 7), (6, 7)]
_POSITIVE = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (1, 5), (5, 1), (3, 2), (10, 1), (1, 10), (2, 3)]
_POSITIVE += [(3, 4), (6, 1), (8, 1), (20, 1), (1, 20), (1, 100), (100, 1), (1000, 1), (1, 1000), (10**6, 1)]


def _simple_values(domain: Interval) -> list[Fraction]:
    """Small rationals of the domain, the simplest first."""
    distances = [Fraction(*pair) for pair in _POSITIVE]
    if domain.lower is not None and domain.upper is not None:
        inner = [domain.lower + (domain.upper - domain.lower) * Fraction(*pair) for pair in _SIMPLE]
    elif domain.lower is not None:
        inner = [domain.lower + distance for distance in distances]
    elif domain.upper is not None:
        inner = [domain.upper - distance for distance in distances]
    else:
        inner = [Fraction(0), *chain.from_iterable((distance, -distance) for distance in distances)]
    return list(dict.fromkeys([inner[0], *_closed_ends(domain), *inner[1:]]))


def _failures(
    cases: Sequence[_Case], candidates: Sequence[Mapping[Symbol, Fraction]], settings: Settings, steps: int
) -> Iterator[tuple[list[Value], _Case]]:
    """Points that satisfy a case: a few simple ones, those near the candidates, more simple ones, random ones."""
    if candidates:
        for case in cases:
            for point in islice(_simple_points(case), _GLANCE // case.cost):
                found = case.completion(point)
                if found is not None:
                    yield found, case
        near = [
            found
            for candidate in candidates
            for case in cases
            if all(symbol in candidate for symbol in case.free)
            for found in _near(case, candidate)
        ]
        yield from sorted(near, key=lambda found: _complexity(found[0]))
    # A short look at every case comes before a long one at any.
    for start, stop in ((0, _FIRST_LOOK), (_FIRST_LOOK, None)):
        for case in cases:
            budget = 1 + steps // (len(cases) * case.cost)
            for point in islice(_points(case, settings.seed, budget), start, stop):
                found = case.completion(point)
                if found is not None:
                    yield from _near(case, point)
                    yield found, case


def _complexity(values: Sequence[Value]) -> int:
    """How many digits a reader has to copy; an irrational value counts as many."""
    texts = [_text(value) for value in values]
    return sum(_UNREADABLE if text is None else len(text) for text in texts)


def _points(case: _Case, seed: int, budget: int) -> Iterator[dict[Symbol, Fraction]]:
    """Simple points for half of the budget, then seeded random ones."""
    yield from islice(_simple_points(case), 1 + budget // 2)
    if case.free:
        yield from islice(_random_points(case, seed), budget // 2)


def _simple_points(case: _Case) -> Iterator[dict[Symbol, Fraction]]:
    """Points with simple coordinates, by increasing total complexity."""
    choices = [_simple_values(symbol.domain) for symbol in case.free]
    for total in range(sum(len(values) - 1 for values in choices) + 1):
        for places in _compositions(total, [len(values) - 1 for values in choices]):
            yield {s: values[place] for s, values, place in zip(case.free, choices, places, strict=True)}


def _compositions(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as an ordered sum whose terms stay within the limits."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in _compositions(total - first, limits[1:]):
            yield (first, *rest)


def _random_points(case: _Case, seed: int) -> Iterator[dict[Symbol, Fraction]]:
    random = Random(seed)
    while True:
        yield {symbol: _spread(symbol.domain, Fraction(random.randint(1, 63), 64)) for symbol in case.free}


#: How far a coordinate may be moved for the sake of a simpler fraction, relative to its distance from the ends.
_WIDTHS = tuple(Fraction(1, inverse) for inverse in (2, 5, 20, 100, 1000))


def _near(case: _Case, candidate: Mapping[Symbol, Fraction]) -> Iterator[tuple[list[Value], _Case]]:
    """The candidate with simpler coordinates, as long as it still satisfies the case."""
    point = {symbol: candidate[symbol] for symbol in case.free}
    found = case.completion(point)
    for width in (
        Fraction(1, 2),
        Fraction(1, 5),
        Fraction(1, 20),
        Fraction(1, 100),
        Fraction(1, 10**4),
        Fraction(1, 10**8),
    ):
        together = {symbol: _simplified(symbol, value, width) for symbol, value in point.items()}
        success = case.completion(together)
        if success is not None:
            point, found = together, success
            break
    if found is None:
        return
    for symbol in case.free:
        for width in _WIDTHS:
            trial = point | {symbol: _simplified(symbol, point[symbol], width)}
            success = case.completion(trial)
            if success is not None:
                point, found = trial, success
                break
    yield found, case


def _simplified(symbol: Symbol, value: Fraction, width: Fraction) -> Fraction:
    """The simplest fraction within a relative distance of the value, measured to the ends of its domain."""
    gaps = [abs(value - end) for end in (symbol.domain.lower, symbol.domain.upper) if end is not None]
    reach = width * min([gap for gap in gaps if gap] or [max(abs(value), Fraction(1))])
    return simplest_between(value - reach, value + reach)


def _speaks_of_outputs(obligation: Obligation) -> bool:
    """Whether the obligation sums over outputs or mentions the coordinate of a generic one."""
    statements = (*obligation.hypotheses, obligation.conclusion)
    expressions = chain(obligation.defined, *(expressions_of(statement) for statement in statements))
    return any(
        isinstance(node, Total) or (isinstance(node, Symbol) and node.indexed)
        for expression in expressions
        for node in walk(expression)
    )


def _with_outputs(obligation: Obligation, outputs: int) -> Obligation:
    """The obligation for so many outputs: sums written out, hypotheses for every output, conclusion for the first."""
    if not _speaks_of_outputs(obligation):
        return obligation
    hypotheses = dict.fromkeys(
        _for_output(hypothesis, output, outputs)
        for hypothesis in obligation.hypotheses
        for output in range(1, outputs + 1)
    )
    conclusion = _for_output(obligation.conclusion, 1, outputs)
    defined = tuple(_written_out(expression, 1, outputs) for expression in obligation.defined)
    return replace(obligation, hypotheses=tuple(hypotheses), conclusion=conclusion, defined=defined)


def _for_output(statement: Statement, output: int, outputs: int) -> Statement:
    match statement:
        case Relation(left, operator, right):
            return Relation(_written_out(left, output, outputs), operator, _written_out(right, output, outputs))
        case All(parts) | Any(parts):
            return type(statement)(tuple(_for_output(part, output, outputs) for part in parts))
        case Implies(left, right) | Equivalent(left, right):
            return type(statement)(_for_output(left, output, outputs), _for_output(right, output, outputs))
        case _:
            raise UnsupportedError(f"{type(statement).__name__} is not elementary")


def _written_out(expression: Expression, output: int, outputs: int) -> Expression:
    match expression:
        case Symbol():
            named = replace(expression, name=f"{expression.name}[{output}]", indexed=False)
            return named if expression.indexed else expression
        case Total(body):
            total = _written_out(body, 1, outputs)
            for other in range(2, outputs + 1):
                total = total + _written_out(body, other, outputs)
            return total
        case _:
            return rebuild(expression, tuple(_written_out(child, output, outputs) for child in expression.children))
