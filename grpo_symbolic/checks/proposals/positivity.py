"""An inequality as the sign of a polynomial in generators, some of which are known not to be negative."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from flint import fmpq

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.folding import is_equation
from grpo_symbolic.language.statement import Relation, Statement, symbols_of
from grpo_symbolic.translate.algebra import Form, Polynomial, Quotient
from grpo_symbolic.translate.balls import as_fraction, exact
from grpo_symbolic.translate.kernels import FewKernels
from grpo_symbolic.translate.ranges import NONNEGATIVE, POSITIVE, negative_of

#: Larger polynomials are left alone.
_MOST_TERMS, _LARGEST_DEGREE, _MOST_GENERATORS = 400, 16, 7
#: So many inequalities among the hypotheses are used, those first that say most about the symbols of the relation.
_MOST_HYPOTHESES = 4

#: Coordinates of points at which to look, by the number of variables.
_COORDINATES: Mapping[int, str] = {
    0: "",
    1: "0 1 2 3 4 1/2 1/3 2/3 1/4 3/4 3/2 -1 -2 -3 -1/2 -1/3 5 6",
    2: "0 1 2 3 4 1/2 1/3 2/3 1/4 3/4 3/2 -1 -2 -1/2 -1/3 -2/3",
    3: "0 1 2 3 1/2 1/3 2/3 -1 -2 -1/3 -2/3",
    4: "0 1 2 1/2 -1",
    5: "0 1 2",
}

#: The domain of what stands for the left side minus the right side of a hypothesis, and its sign.
_GAPS: Mapping[str, tuple[Interval, int]] = {
    ">=": (NONNEGATIVE, 1),
    ">": (POSITIVE, 1),
    "<=": (negative_of(NONNEGATIVE), -1),
    "<": (negative_of(POSITIVE), -1),
}


@dataclass(frozen=True)
class Weight:
    """Something that is not negative, as a polynomial and written so that its range shows it.

    If it is what a hypothesis says, ``gap`` is the symbol in it for the difference of the sides.
    """

    polynomial: Polynomial
    written: Expression
    gap: tuple[Symbol, Relation] | None = None


@dataclass(frozen=True)
class Positivity:
    """That ``numerator`` is not negative, from which a relation follows: ``sign`` times the difference of its sides
    is the numerator over ``denominator``, which is positive, where ``equation``, a polynomial of ``where``, is 0.

    ``generators`` are written as expressions, in the order of the ring, with intervals that contain their values.
    ``weights`` are not negative. If it is ``in_roots``, squares of roots are not replaced by what they are roots of.
    """

    form: Form
    numerator: Polynomial
    denominator: Expression
    sign: int
    generators: tuple[Expression, ...]
    domains: tuple[Interval, ...]
    weights: tuple[Weight, ...]
    where: Relation | None
    equation: Polynomial | None
    in_roots: bool = False

    @cached_property
    def used(self) -> tuple[int, ...]:
        """The places of the generators in the numerator and the equation."""
        parts = [self.numerator, *([] if self.equation is None else [self.equation])]
        idle = set.intersection(*(set(part.unused_gens()) for part in parts))
        return tuple(place for place, name in enumerate(self.form.generator_names) if name not in idle)

    def reduced(self, polynomial: Polynomial) -> Polynomial:
        """What a polynomial is where the equation holds, without even powers of roots."""
        polynomial = polynomial if self.in_roots else self.form.reduced(polynomial)
        return polynomial if self.equation is None else divmod(polynomial, self.equation)[1]

    def composed(self, variables: Sequence[Polynomial]) -> Positivity:
        """The same with polynomials in the place of the generators, and of the weights those of hypotheses."""
        context = self.form.context

        def put_in(polynomial: Polynomial) -> Polynomial:
            return polynomial.compose(*variables, ctx=context)

        return replace(
            self,
            numerator=put_in(self.numerator),
            equation=None if self.equation is None else put_in(self.equation),
            weights=tuple(replace(one, polynomial=put_in(one.polynomial)) for one in self.weights if one.gap),
        )

    def ends(self) -> Iterator[Weight]:
        """Each generator minus the ends of its domain."""
        for place in self.used:
            variable, generator, domain = self.form.context.gen(place), self.generators[place], self.domains[place]
            if domain.lower is not None:
                away = generator if domain.lower == 0 else generator - Number(domain.lower)
                yield Weight(variable - exact(domain.lower), away)
            if domain.upper is not None:
                yield Weight(exact(domain.upper) - variable, Number(domain.upper) - generator)

    def is_within(self, point: Sequence[fmpq]) -> bool:
        """Whether the coordinates of a point lie in the domains."""
        return all(as_fraction(point[place]) in self.domains[place] for place in self.used)

    def write(self, polynomial: Polynomial) -> Expression:
        """A polynomial in the generators as an expression."""
        return written(polynomial, self.generators)


def positivity(relation: Relation, hypotheses: Sequence[Statement]) -> Positivity | None:
    """An inequality as the sign of a polynomial; None if it is none, or too large."""
    if relation.operator not in _GAPS:
        return None
    equations = [item for item in hypotheses if is_equation(item)]
    wanted = frozenset(symbols_of(relation))
    given = [item for item in hypotheses if isinstance(item, Relation) and item.operator in _GAPS]
    given = sorted(given, key=lambda item: len(set(symbols_of(item)) ^ wanted))[:_MOST_HYPOTHESES]
    parts = [relation, *equations, *given]
    sides = [side for item in parts for side in (item.left, item.right)]
    symbols = symbols_of(*parts)
    if not symbols:
        return None  # Between numbers there is nothing to search for.
    try:
        form = Form(symbols, FewKernels(sides))
        values = [form.quotient(item.left) - form.quotient(item.right) for item in parts]
        generators = _written_generators(form)
    except (UndefinedError, UnsupportedError):
        return None
    names = len(form.generator_names)
    domains = tuple(symbol.domain.hull for symbol in form.symbols) + tuple(kernel.values for kernel in form.kernels)
    generators = (*generators, *generators[:1] * (names - len(generators)))
    sign = _GAPS[relation.operator][1]
    fraction = _positive(form, values[0] * sign, generators)
    if fraction is None or not _is_small(fraction[0]):
        return None
    polynomials = [form.reduced(value.numerator) for value in values[1 : 1 + len(equations)]]
    where = next(
        (
            (item, squarefree(form, one))
            for item, one in zip(equations, polynomials, strict=True)
            if not one.is_constant()
        ),
        None,
    )
    goal = Positivity(form, *fraction, sign, generators, domains, (), *(where or (None, None)))
    weights = [*goal.ends(), *_of_hypotheses(goal, given, values[1 + len(equations) :])]
    return replace(goal, weights=tuple(weights)) if len(goal.used) <= _MOST_GENERATORS else None


def squarefree(form: Form, polynomial: Polynomial) -> Polynomial:
    """The product of all irreducible factors."""
    product = form.context.constant(1)
    for factor, _ in form.factors(polynomial)[1]:
        product *= factor
    return product


def written(polynomial: Polynomial, generators: Sequence[Expression]) -> Expression:
    """A polynomial as an expression; the sum is not nested deeply."""
    terms = [_term(powers, as_fraction(value), generators) for powers, value in polynomial.terms()]
    return added(terms)


def added(terms: Sequence[Expression]) -> Expression:
    """The sum of terms, nested as little as possible."""
    if len(terms) < 2:
        return terms[0] if terms else Number(Fraction(0))
    middle = len(terms) // 2
    return added(terms[:middle]) + added(terms[middle:])


def _term(powers: Sequence[int], value: Fraction, generators: Sequence[Expression]) -> Expression:
    term: Expression | None = None if value == 1 and any(powers) else Number(value)
    for generator, power in zip(generators, powers, strict=False):
        if power:
            factor = generator if power == 1 else generator ** int(power)
            term = factor if term is None else term * factor
    return Number(value) if term is None else term


def _written_generators(form: Form) -> tuple[Expression, ...]:
    """Symbols, and kernels by what they stand for."""
    generators: list[Expression] = list(form.symbols)
    for kernel in form.kernels:
        # Of exponentials and logarithms solvers are told facts without which little holds.
        if kernel.kind != "sqrt":
            raise UnsupportedError(f"a {kernel.kind} is left to solvers")
        (argument,) = kernel.arguments
        inner = written(argument.numerator, generators)
        if not argument.denominator.is_constant():
            inner = inner / written(argument.denominator, generators)
        generators.append(Apply(kernel.kind, (inner,)))
    return tuple(generators)


def _positive(form: Form, value: Quotient, generators: Sequence[Expression]) -> tuple[Polynomial, Expression] | None:
    """Numerator and denominator of a quotient such that ranges show that the latter is positive."""
    numerator, denominator = form.reduced(value.numerator), form.reduced(value.denominator)
    signs = form.signs(denominator)
    if signs not in (frozenset((1,)), frozenset((-1,))):
        return None
    factor = next(iter(signs))
    content, factors = form.factors(denominator)
    below: Expression = Number(abs(content))
    for one, power in factors:
        positive = one if form.signs(one) == frozenset((1,)) else -one
        base = written(positive, generators)
        below = below * (base if power == 1 else base**power)
    return numerator * factor, below


def _is_small(polynomial: Polynomial) -> bool:
    return len(polynomial.coeffs()) <= _MOST_TERMS and polynomial.total_degree() <= _LARGEST_DEGREE


def _of_hypotheses(goal: Positivity, given: Sequence[Relation], values: Sequence[Quotient]) -> Iterator[Weight]:
    """What hypotheses say, times denominators."""
    for number, (item, value) in enumerate(zip(given, values, strict=True), start=1):
        sign = _GAPS[item.operator][1]
        fraction = _positive(goal.form, value * sign, goal.generators)
        if fraction is None or not _is_small(fraction[0]) or fraction[0].is_constant():
            continue
        gap = gap_symbol(item, number)
        size = gap if sign > 0 else -gap
        yield Weight(fraction[0], size * fraction[1], (gap, item))


def gap_symbol(relation: Relation, number: int) -> Symbol:
    """What stands for the left side minus the right side of a hypothesis."""
    name = f"gap_{number}"
    meaning = f"{relation.left} - {relation.right}"
    return Symbol(name, _GAPS[relation.operator][0], meaning, name)


def points(goal: Positivity) -> Iterator[list[fmpq]]:
    """Points with simple coordinates inside the closed domains, those of generators that are not used being 0."""
    simple = [Fraction(text) for text in _COORDINATES[min(len(goal.used), max(_COORDINATES))].split()]
    closed = [Interval(domain.lower, domain.upper, True, True) for domain in goal.domains]
    axes = [[exact(value) for value in simple if value in closed[place]] for place in goal.used]
    for found in product(*axes):
        point = [fmpq(0)] * len(goal.generators)
        for place, value in zip(goal.used, found, strict=True):
            point[place] = value
        yield point
