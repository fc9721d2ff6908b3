"""Sums over the outputs: the reduction against explicit sums for 2 to 6 outputs at random coordinates."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import pytest

from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, Total, free_symbols, walk
from grpo_symbolic.language.statement import Relation, Statement, eq, expressions_of, gt
from grpo_symbolic.language.stating import implies
from grpo_symbolic.language.vocabulary import absolute, exp, log, rational, real, sqrt
from grpo_symbolic.obligations.obligation import Obligation

PI = real("pi", "(0, 1)", "probability under the policy", indexed=True)
RHO = real("rho", "(0, 1)", "probability under the reference", indexed=True)
ADV = real("adv", "(-oo, oo)", "advantage", indexed=True)
BETA = real("beta", "(0, oo)", "weight")
MEAN = real("mean", "(-oo, oo)", "mean reward")

Point = dict[Symbol, Fraction]

BODIES: dict[str, Expression] = {
    "constant": BETA + 2,
    "linear": PI * (ADV - MEAN) / BETA,
    "square": PI * (ADV - MEAN) ** 2,
    "divergence": BETA * PI * log(PI / RHO),
    "divergence of a mixture": PI * log((PI * BETA + RHO) / (BETA * RHO)),
    "variance": (PI - RHO) ** 2 / (RHO * BETA),
    "several terms below": PI / (PI + BETA * RHO) + RHO / (RHO * BETA + PI) / BETA,
    "roots": (sqrt(PI * BETA) + sqrt(RHO)) ** 2,
    "roots below": PI / (sqrt(PI) + BETA),
    "exponential weights": RHO * exp((ADV - MEAN) / BETA) + exp(ADV / BETA) ** 2,
    "inner sum": PI * (ADV - Total(PI * ADV)),
    "inner sum in a function": RHO * exp(ADV) / Total(RHO * exp(ADV)),
    "not splittable": BETA * PI * log(ADV**2 + 1) - 3 * sqrt((ADV - 1) ** 2 + BETA) / MEAN,
    "sign unknown": BETA * sqrt((ADV - 1) ** 2) - PI * absolute(ADV) - sqrt((ADV - 1) ** 2) * 2,
    "zero": PI * (1 - RHO) - PI + PI * RHO,
}


def value(expression: Expression, outputs: list[Point], at: Point, sums: dict[Symbol, mpmath.mpf]) -> mpmath.mpf:
    """Evaluate at one output, with Totals as explicit sums over all ``outputs``."""
    match expression:
        case Number(number):
            return mpmath.mpf(number.numerator) / number.denominator
        case Symbol():
            if expression in sums:
                return sums[expression]
            return mpmath.mpf(at[expression].numerator) / at[expression].denominator
        case Total(body):
            return mpmath.fsum(value(body, outputs, {**at, **output}, sums) for output in outputs)
        case Apply("power", (base, Number(exponent))):
            return value(base, outputs, at, sums) ** (mpmath.mpf(exponent.numerator) / exponent.denominator)
        case Apply(operator, operands):
            return FUNCTIONS[operator](*(value(operand, outputs, at, sums) for operand in operands))
    raise TypeError(expression)


FUNCTIONS = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
    "divide": lambda left, right: left / right,
    "negate": lambda argument: -argument,
    "sqrt": mpmath.sqrt,
    "exp": mpmath.exp,
    "log": mpmath.log,
    "absolute": abs,
}


def outputs_of(count: int, draw: random.Random) -> tuple[list[Point], Point]:
    def fraction(low: int, high: int) -> Fraction:
        return Fraction(draw.randint(low, high), 20)

    outputs = [{PI: fraction(1, 19), RHO: fraction(1, 19), ADV: fraction(-60, 60)} for _ in range(count)]
    return outputs, {BETA: fraction(5, 40), MEAN: fraction(1, 30)}


def reduce(expression: Expression) -> tuple[Expression, dict[str, Symbol]]:
    """Reduce one expression; the aggregate symbols by what they are the sum of."""
    relation = reduce_totals(Obligation("o", (), eq(expression, 0)), Everything()).conclusion
    assert isinstance(relation, Relation)
    symbols = free_symbols(relation.left)
    return relation.left, {symbol.meaning: symbol for symbol in symbols if symbol.name.startswith("total_")}


class Reader:
    """Recursive descent over the printed form of expressions."""

    def __init__(self, text: str, names: dict[str, Symbol]) -> None:
        self.text, self.names, self.place = text, names, 0

    def product(self) -> Expression:
        result = self.atom()
        while self.text.startswith(" * ", self.place):
            self.place += 3
            result = result * self.atom()
        assert self.place == len(self.text), self.text[self.place :]
        return result

    def word(self) -> str:
        start = self.place
        while self.place < len(self.text) and (self.text[self.place].isalnum() or self.text[self.place] in "_/"):
            self.place += 1
        return self.text[start : self.place]

    def expect(self, text: str) -> None:
        assert self.text.startswith(text, self.place), self.text[self.place :]
        self.place += len(text)

    def atom(self) -> Expression:
        if self.text.startswith("(-", self.place) and not self.text[self.place + 2].isdigit():
            self.expect("(-")
            inner = self.atom()
            self.expect(")")
            return -inner
        if self.text.startswith("(", self.place):
            self.expect("(")
            left = self.atom()
            for sign, name in (("**", "power"), ("*", "multiply"), ("+", "add"), ("-", "subtract"), ("/", "divide")):
                if self.text.startswith(f" {sign} ", self.place):
                    self.expect(f" {sign} ")
                    result = Apply(name, (left, self.atom()))
                    self.expect(")")
                    return result
            raise AssertionError(self.text[self.place :])
        minus = self.text.startswith("-", self.place)
        self.place += minus
        word = self.word()
        if word in self.names:
            return self.names[word]
        if word[0].isdigit():
            return Number((-1 if minus else 1) * Fraction(word))
        self.expect("(")
        inner = self.atom()
        self.expect(")")
        return Apply(word, (inner,))


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("name", BODIES)
def test_reduction_has_the_value_of_the_explicit_sum(name: str, count: int) -> None:
    total = Total(BODIES[name])
    reduced, aggregates = reduce(total)
    assert not any(isinstance(node, Total) for node in walk(reduced))
    outputs, shared = outputs_of(count, random.Random(f"{name} {count}"))
    with mpmath.workdps(40):
        sums: dict[Symbol, mpmath.mpf] = {}
        for meaning, symbol in sorted(aggregates.items(), key=lambda item: item[1].name):
            text = meaning.removeprefix("sum of ")
            names = {str(item): item for item in (PI, RHO, ADV, BETA, MEAN, *aggregates.values())}
            summand = Reader(text, names).product()
            sums[symbol] = mpmath.fsum(value(summand, outputs, {**shared, **output}, sums) for output in outputs)
            assert symbol.domain.lower is None or sums[symbol] > 0
        expected = value(total, outputs, shared, {})
        assert mpmath.almosteq(value(reduced, outputs, shared, sums), expected, 1e-30, 1e-30)


def aggregates_of(*statements: Statement) -> list[str]:
    reduced = reduce_totals(Obligation("o", statements[:-1], statements[-1]), Everything())
    found: dict[str, None] = {}
    for statement in (*reduced.hypotheses, reduced.conclusion):
        for expression in expressions_of(statement):
            for symbol in free_symbols(expression):
                if symbol.name.startswith("total_"):
                    found.setdefault(symbol.meaning.removeprefix("sum of "))
    return list(found)


def test_equal_summands_share_an_aggregate() -> None:
    assert aggregates_of(eq(Total(PI), 1), eq(Total(BETA * PI - RHO) / Total(RHO * 2 + PI), MEAN)) == ["pi", "rho"]
    split = eq(Total(PI * log(PI / RHO)), Total(log(RHO) * PI))
    assert set(aggregates_of(split)) == {"(log(pi) * pi)", "(log(rho) * pi)"}


def test_number_of_outputs_is_the_sum_of_one() -> None:
    assert aggregates_of(eq(Total(BETA), Total(rational(3)))) == ["1"]


def test_powers_of_one_exponential_agree_across_sums() -> None:
    finer = eq(Total(exp(ADV / BETA)), Total(exp(ADV / (2 * BETA)) + exp(ADV / (2 * BETA)) ** 2))
    assert len(aggregates_of(finer)) == 2


def test_obligation_without_totals_is_returned_unchanged() -> None:
    obligation = Obligation("o", (gt(BETA, 1),), eq(PI, RHO))
    assert reduce_totals(obligation, Everything()) is obligation


def test_boolean_structure_and_labels_are_kept() -> None:
    obligation = Obligation("o", (), implies(eq(Total(PI), 1), gt(Total(PI), 0)), False, (Total(PI),))
    reduced = reduce_totals(obligation, Everything())
    assert (reduced.label, reduced.necessary) == ("o", False)
    assert str(reduced.conclusion) == "(total_1 = 1) => (total_1 > 0)"
    assert [str(item) for item in reduced.defined] == ["total_1"]


def test_aggregate_names_avoid_names_in_use() -> None:
    mine = real("total_1", "(0, 1)", "something else")
    reduced = reduce_totals(Obligation("o", (), eq(Total(PI), mine)), Everything())
    assert str(reduced.conclusion) == "total_2 = total_1"
