"""Proposals for normal forms: field towers whose signs are read at sample points at which the hypotheses hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from flint import fmpq

from grpo_symbolic.checks.proposer import Elimination, NormalForm
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Number, Symbol
from grpo_symbolic.language.folding import is_equation
from grpo_symbolic.language.outputs import has_totals
from grpo_symbolic.language.statement import All, Any, Relation, Statement, symbols_of
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.translate.balls import exact, precision
from grpo_symbolic.translate.ranges import decide_by_range, holds_for_signs
from grpo_symbolic.translate.tower import Element, Tower, TowerProposals, normal_forms
from grpo_symbolic.translate.values import ValueFunction

#: How many points are drawn to find some that satisfy the hypotheses, and at how many signs are read.
_DRAWN_POINTS = 240
_TRIED_POINTS = 3


def proposed_normal_forms(relation: Relation, hypotheses: Sequence[Statement], seed: int) -> Iterator[NormalForm | str]:
    """That the sides of a relation differ by a constant, alone or where one of the hypotheses' equations holds."""
    equations = [part for part in hypotheses if is_equation(part)] if relation.operator == "=" else []
    samples = _samples((relation, *equations), hypotheses, seed)
    if not samples and relation.operator == "=":
        yield "no sample point was found"
    for sample in samples:
        reason = ""
        for divisors in dict.fromkeys(((), tuple(equations))):
            found = _at_sample(relation, divisors, sample)
            if isinstance(found, NormalForm):
                yield found
            else:
                reason = reason or found[0]
                if relation.operator == "=":
                    yield found[0]
                if found[1] and divisors == tuple(equations):
                    return


def _at_sample(
    relation: Relation, equations: Sequence[Relation], sample: Mapping[Symbol, Fraction]
) -> NormalForm | tuple[str, bool]:
    """What a tower says, or why it says nothing and whether another point would not change this."""
    try:
        tower, elements = normal_forms([item.left - item.right for item in (relation, *equations)], sample)
    except (UndefinedError, UnsupportedError) as error:
        return str(error), False
    difference, divisors = elements[0], elements[1:]
    laws, note = TowerProposals(tower), _described(tower)
    value = tower.constant_value(difference)
    if value is not None and (value == 0 or relation.operator != "="):
        note = note if relation.operator == "=" else f"the sides differ by the constant {value}"
        return NormalForm(laws, Number(value), None, note)
    for equation, divisor in zip(equations, divisors, strict=True):
        if tower.vanishes_with(difference, divisor):
            return NormalForm(laws, ZERO, equation, f"{note}; reduced modulo a hypothesis")
    conditional = next((item for item in tower.side_conditions if not decide_by_range(item)), None)
    where = "" if conditional is None else f" where {conditional}"
    return f"normal form is not 0{where}", conditional is None


def _described(tower: Tower) -> str:
    counts = (
        (len(tower.symbols), "symbol"),
        (tower.radicals, "radical"),
        (tower.exponentials, "exponential"),
        (tower.logarithms, "logarithm"),
    )
    adjoined = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts if number or word == "symbol"]
    return "normal form 0 over " + ", ".join(adjoined)


def proposed_eliminations(relation: Relation, hypotheses: Sequence[Statement], seed: int) -> Iterator[Elimination]:
    """Equations that are linear in a symbol, for each equation constant coefficients first."""
    for equation in filter(is_equation, hypotheses):
        yield from _solutions(equation, relation, hypotheses, seed)


def _solutions(
    equation: Relation, relation: Relation, hypotheses: Sequence[Statement], seed: int
) -> Iterator[Elimination]:
    for sample in _samples((equation, relation), hypotheses, seed)[:1]:
        try:
            tower, (difference,) = normal_forms([equation.left - equation.right], sample)
        except (UndefinedError, UnsupportedError):
            return
        times = tower.to_expression(Element(difference.denominator, tower.one))
        found = []
        for symbol in tower.symbols:
            parts = tower.linear_parts(difference, symbol)
            if parts is not None:
                slope, rest = parts
                solved = Elimination(equation, times, symbol, slope, -rest / slope, TowerProposals(tower))
                found.append((solved, len(tower.side_conditions) + (not isinstance(slope, Number))))
        wanted = set(symbols_of(relation))
        found.sort(key=lambda item: (item[1], item[0].symbol not in wanted, item[0].symbol.name))
        yield from (solved for solved, _ in found)


def _samples(relations: Sequence[Relation], hypotheses: Sequence[Statement], seed: int) -> list[dict[Symbol, Fraction]]:
    """Points inside the domains, preferably such that the inequalities among the hypotheses hold."""
    symbols = symbols_of(*relations, *hypotheses)
    inside: list[dict[Symbol, Fraction]] = []
    found: list[dict[Symbol, Fraction]] = []
    with precision(128):
        tests = [_Test(hypothesis, symbols) for hypothesis in hypotheses]
        for point in draw_points(symbols, _DRAWN_POINTS, seed):
            if not all(_is_inside(symbol, value) for symbol, value in point.items()):
                continue
            inside.append(point)
            if all(test(point) for test in tests):
                found.append(point)
                if len(found) == _TRIED_POINTS:
                    break
    return found or inside[:_TRIED_POINTS]


def _is_inside(symbol: Symbol, value: Fraction) -> bool:
    return value not in (symbol.domain.lower, symbol.domain.upper) or symbol.domain.lower == symbol.domain.upper


class _Test:
    """Whether a hypothesis holds at a point as far as inequalities can tell."""

    def __init__(self, hypothesis: Statement, symbols: Sequence[Symbol]) -> None:
        self._symbols = tuple(symbols)
        self._statement = hypothesis
        self._differences = {
            part: ValueFunction(part.left - part.right, symbols)
            for part in _inequalities(hypothesis)
            if not has_totals([part])
        }

    def __call__(self, point: Mapping[Symbol, Fraction]) -> bool:
        values = [exact(point[symbol]) for symbol in self._symbols]
        return self._holds(self._statement, values)

    def _holds(self, statement: Statement, values: Sequence[fmpq]) -> bool:
        match statement:
            case Relation(_, operator, _) if statement in self._differences:
                ball = self._differences[statement].enclose(values)
                signs = {sign for sign, seen in ((-1, ball < 0), (1, ball > 0), (0, ball == 0)) if seen}
                return bool(signs) and bool(holds_for_signs(frozenset(signs), operator))
            case All(parts):
                return all(self._holds(part, values) for part in parts)
            case Any(parts):
                return any(self._holds(part, values) for part in parts)
            case _:
                return True


def _inequalities(statement: Statement) -> Iterator[Relation]:
    match statement:
        case Relation(_, operator, _) if operator != "=":
            yield statement
        case All(parts) | Any(parts):
            for part in parts:
                yield from _inequalities(part)
