"""One case of a negation at a point: the equations are solved, and balls show that all of its relations hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from grpo_symbolic.checks.counterexamples.negation import Literal
from grpo_symbolic.checks.counterexamples.printing import printed
from grpo_symbolic.checks.counterexamples.solving import SolvedEquation, solve_order, value_at
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Witness
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.balls import INDETERMINATE, as_fraction, exact
from grpo_symbolic.translate.values import Value, ValueFunction, is_determinate, is_exact


class Case:
    """Relations that must hold at one point, with the equations solved for one symbol each."""

    def __init__(
        self, literals: Sequence[Literal], obligation: Obligation, solvable: frozenset[Symbol] | None = None
    ) -> None:
        self.symbols = symbols_in(obligation)
        self._literals = literals
        self._places = {symbol: place for place, symbol in enumerate(self.symbols)}
        allowed = frozenset(self.symbols) if solvable is None else solvable
        solved, by_construction = solve_order([literal.relation for literal in literals], allowed)
        self._solved = [(self._places[symbol], SolvedEquation(symbol, how, self.symbols)) for symbol, how in solved]
        self._by_construction = by_construction
        forced = {symbol for symbol, _ in solved}
        self.free = tuple(symbol for symbol in self.symbols if symbol not in forced)
        sides = {literal.relation: self._sides(literal.relation) for literal in literals}
        tested = [literal.relation for literal in literals if literal.relation not in by_construction]
        self._early = [(sides[test], test.operator) for test in tested if not forced & set(symbols_of(test))]
        self._late = [(sides[test], test.operator) for test in tested if forced & set(symbols_of(test))]
        self._defined = [ValueFunction(expression, self.symbols) for expression in obligation.defined]
        self.cost = 5 + sum(len(left.steps) + len(right.steps) for left, right in sides.values())
        self.cost += sum(solution.cost for _, solution in self._solved)
        self._known: dict[tuple[Fraction, ...], list[Value] | None] = {}

    def _sides(self, relation: Relation) -> tuple[ValueFunction, ValueFunction]:
        return ValueFunction(relation.left, self.symbols), ValueFunction(relation.right, self.symbols)

    def completion(self, given: Mapping[Symbol, Fraction]) -> list[Value] | None:
        """The first of the completions, if there is one; candidates rounded differently often are the same point."""
        key = tuple(given[symbol] for symbol in self.free)
        if key not in self._known:
            self._known[key] = next(self.completions(given), None)
        return self._known[key]

    def completions(self, given: Mapping[Symbol, Fraction]) -> Iterator[list[Value]]:
        """All values of all symbols that were found to satisfy the case when the free symbols are as given."""
        values: list[Value] = [INDETERMINATE] * len(self.symbols)
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
            is_determinate(value_at(function, values)) for function in self._defined
        ):
            yield values

    def witness(self, values: Sequence[Value]) -> Witness | None:
        """The printed form of a completion, or None if a ball is too wide to print enough digits."""
        tested, violated = next((lit.relation, lit.violated) for lit in self._literals if lit.violated is not None)
        left, right = (
            printed(value_at(ValueFunction(side, self.symbols), values)) for side in (violated.left, violated.right)
        )
        if tested in self._by_construction:
            # The sides are equal because the equation was solved; balls cannot show that, one text can.
            left = right = left if right is None else right
        texts = [printed(value) for value in values]
        if left is None or right is None or None in texts:
            return None
        at = tuple((symbol.name, str(text)) for symbol, text in zip(self.symbols, texts, strict=True))
        return Witness(at, left, right)


def symbols_in(obligation: Obligation) -> tuple[Symbol, ...]:
    """All symbols, with those that only a differentiated function mentions last."""
    hidden = [symbol for expression in obligation.defined for symbol in free_symbols(expression)]
    return tuple(dict.fromkeys([*symbols_of(*obligation.hypotheses, obligation.conclusion), *hidden]))


def _evaluate(sides: tuple[ValueFunction, ValueFunction], values: Sequence[Value]) -> tuple[Value, Value]:
    return value_at(sides[0], values), value_at(sides[1], values)


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
        case ">=":
            return bool(left >= right)
    raise UnsupportedError(f"no numbers are compared by {operator}")


def _inside(value: Value, domain: Interval) -> bool:
    """Whether the value certainly lies in the domain."""
    if is_exact(value):
        return as_fraction(value) in domain
    if domain.whole:
        return False
    above = domain.lower is None or _certainly(">", value, exact(domain.lower))
    return above and (domain.upper is None or _certainly("<", value, exact(domain.upper)))
