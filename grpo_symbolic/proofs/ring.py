"""Expressions as quotients of polynomials for reasons, and polynomials written as a person would write them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.checks.proposals.towers import proposed_normal_forms
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, Expression, Number, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement, eq
from grpo_symbolic.translate import ranges
from grpo_symbolic.translate.algebra import Form, Polynomial, Proposals, Quotient
from grpo_symbolic.translate.balls import as_fraction
from grpo_symbolic.translate.kernels import FewKernels

#: Functions of which a kernel can be written by what it is a function of.
_WRITTEN = frozenset(("sqrt", "exp", "log", "absolute", "maximum", "minimum", "arctan"))
_TOWERS = frozenset(("sqrt", "power", "exp", "log", "cosh", "sinh", "tanh"))
#: Polynomials with more terms are no matter for a person.
MOST_TERMS = 150
_MOST_SYMBOLS = 8


# A search comes back to the same few relations, and what objects to its result does so once more.
decide_by_range = lru_cache(maxsize=2**13)(ranges.decide_by_range)


class Ring:
    """The polynomial ring of some expressions.

    Raises:
        UnsupportedError: if there are no words for the expressions in it.
        UndefinedError: if one of them divides by what is identically 0.
    """

    def __init__(self, expressions: Sequence[Expression]) -> None:
        symbols = dict.fromkeys(symbol for item in expressions for symbol in free_symbols(item))
        self.form = Form(symbols, FewKernels(expressions))
        #: The quotients of the expressions, in their order.
        self.values = tuple(self.form.reduced_quotient(self.form.quotient(item)) for item in expressions)
        self._generators: list[Expression] | None = None

    @property
    def generators(self) -> list[Expression]:
        """What the generators stand for.

        Raises:
            UnsupportedError: for a kernel that has no such word.
        """
        if self._generators is None:
            made: list[Expression] = list(self.form.symbols)
            for kernel in self.form.kernels:
                if kernel.kind not in _WRITTEN:
                    raise UnsupportedError(f"a {kernel.kind} is not written")
                made.append(Apply(kernel.kind, tuple(_quotient(argument, made) for argument in kernel.arguments)))
            self._generators = made
        return self._generators

    @property
    def domains(self) -> list[Interval]:
        """Intervals in which the generators have their values."""
        return [symbol.domain.hull for symbol in self.form.symbols] + [kernel.values for kernel in self.form.kernels]

    def write(self, polynomial: Polynomial) -> Expression:
        """A polynomial as an expression, positive terms first."""
        return written(polynomial, self.generators)

    def write_quotient(self, value: Quotient) -> Expression:
        """A quotient as an expression."""
        return _quotient(value, self.generators)


@lru_cache(maxsize=2**12)
def are_equal(left: Expression, right: Expression, known: tuple[Statement, ...]) -> bool:
    """Whether two expressions multiply out to the same wherever both have values and what is ``known`` holds.

    By exact polynomial arithmetic alone; what the laws of roots, exponentials and logarithms need has to be known or
    seen from the domains.
    """
    given = {*known, *side_conditions(left), *side_conditions(right)}
    return any(_is_zero(left, right, laws, given) for laws in _laws(left, right, known))


def _laws(left: Expression, right: Expression, known: Sequence[Statement]) -> Iterator[Proposals]:
    """How roots, exponentials and logarithms may be written, simple ones first."""
    yield FewKernels((left, right))
    if any(isinstance(node, Apply) and node.operator in _TOWERS for side in (left, right) for node in walk(side)):
        for proposal in proposed_normal_forms(eq(left, right), [], 0):
            if not isinstance(proposal, str):
                yield proposal.laws


def _is_zero(left: Expression, right: Expression, laws: Proposals, given: Container[Statement]) -> bool:
    try:
        form = Form(dict.fromkeys((*free_symbols(left), *free_symbols(right))), laws)
        zero = form.cleared(form.quotient(left) - form.quotient(right)).is_zero()
    except (UndefinedError, UnsupportedError):
        return False
    return zero and all(one in given or decide_by_range(one) for one in form.conditions)


@lru_cache(maxsize=2**12)
def sign_between(one: Expression, other: Expression) -> int:
    """The sign of the quotient of two expressions, 0 if it is not seen to have the same everywhere."""
    try:
        ring = Ring((one, other))
        first, second = ring.values
        if first.numerator.is_zero() or second.numerator.is_zero():
            return 0
        value = first / second
        signs = ring.form.signs(value.numerator * value.denominator)
    except (UndefinedError, UnsupportedError):
        return 0
    return next(iter(signs)) if len(signs) == 1 and 0 not in signs else 0


@lru_cache(maxsize=2**12)
def reduced_relation(relation: Relation) -> Relation:
    """A relation of a polynomial with 0 that says the same wherever both sides of the given one have values.

    Factors that have one sign everywhere are left out, and the first term is positive. What is no such matter is left.
    """
    symbols = dict.fromkeys((*free_symbols(relation.left), *free_symbols(relation.right)))
    if len(symbols) > _MOST_SYMBOLS:
        return relation
    try:
        form = Form(sorted(symbols, key=lambda symbol: symbol.name), FewKernels((relation.left, relation.right)))
        value = form.quotient(relation.left) - form.quotient(relation.right)
        if form.kernels or len(value.numerator.coeffs()) > MOST_TERMS:
            return relation
        content, factors = form.factors(value.numerator * value.denominator)
    except (UndefinedError, UnsupportedError):
        return relation
    sign, rest = (content > 0) - (content < 0), form.context.constant(1)
    for factor, power in factors:
        signs = form.signs(factor)
        if len(signs) == 1 and 0 not in signs:
            sign *= next(iter(signs)) ** power
        else:
            rest = rest * factor**power
    if len(rest.coeffs()) > MOST_TERMS:
        return relation
    return Relation(written(rest, form.symbols) if sign else ZERO, mirrored_if(relation.operator, sign), ZERO)


def cofactors(product: Expression, value: Expression) -> tuple[Expression, ...] | None:
    """The factors of uncertain sign by which a product differs from one of its factors; None if it is no factor."""
    try:
        ring = Ring((product, value))
        first, second = ring.values
        if second.numerator.is_zero():
            return None
        rest = first / second
        signs = ring.form.signs(rest.denominator)
        if len(signs) != 1 or rest.numerator.is_zero():
            return None
        factors = [factor for factor, _ in ring.form.factors(rest.numerator)[1]]
        return tuple(ring.write(one) for one in factors if 0 in ring.form.signs(one) or len(ring.form.signs(one)) > 1)
    except (UndefinedError, UnsupportedError):
        return None


@lru_cache(maxsize=2**13)
def with_absolute_values(expression: Expression) -> Expression:
    """The same with square factors taken out of roots as absolute values."""
    children = tuple(map(with_absolute_values, expression.children))
    node = rebuild(expression, children) if children != expression.children else expression
    match node:
        case Apply("sqrt", (radicand,)):
            root = _root(radicand)
            return node if root is None else root
        case Apply("power", (base, Number(exponent))) if exponent.denominator == 2:
            root = _root(base)
            return node if root is None else root**exponent.numerator
        case _:
            return node


@lru_cache(maxsize=2**12)
def _root(radicand: Expression) -> Expression | None:
    """The root of a polynomial quotient with a square factor of no certain sign, as a product; None without one."""
    try:
        ring = Ring((radicand,))
        form, value = ring.form, ring.values[0]
        if len(value.numerator.coeffs()) > MOST_TERMS:
            return None
        content, above = form.factors(value.numerator)
        divisor, below = form.factors(value.denominator)
    except (UndefinedError, UnsupportedError):
        return None
    factors = [*above, *((factor, -power) for factor, power in below)]
    squares = [(factor, power) for factor, power in factors if power % 2 == 0 and len(form.signs(factor)) > 1]
    others = [one for one in factors if one not in squares]
    # Where a square is 0, what it is taken from must still have a root.
    if not squares or content / divisor <= 0 or any(-1 in form.signs(factor) for factor, _ in others):
        return None
    outside = product_of((ring.write(factor), power // 2) for factor, power in squares)
    inside = product_of(((ring.write(one), power) for one, power in others), content / divisor)
    absolute = Apply("absolute", (outside,))
    return absolute if inside == Number(Fraction(1)) else absolute * Apply("sqrt", (inside,))


def written(polynomial: Polynomial, generators: Sequence[Expression]) -> Expression:
    """A polynomial in generators as an expression, positive terms first."""
    terms = [(tuple(map(int, powers)), as_fraction(value)) for powers, value in polynomial.terms()]
    terms.sort(key=lambda term: term[1] < 0)
    whole: Expression | None = None
    for powers, value in terms:
        if whole is None:
            whole = _term(powers, value, generators)
        elif value < 0:
            whole = whole - _term(powers, -value, generators)
        else:
            whole = whole + _term(powers, value, generators)
    return ZERO if whole is None else whole


def product_of(factors: Iterable[tuple[Expression, int]], coefficient: Fraction = Fraction(1)) -> Expression:
    """A coefficient times powers of factors, negative powers below a fraction bar."""
    above: Expression | None = None
    below: Expression | None = None
    for factor, power in factors:
        one = factor if abs(power) == 1 else factor ** abs(power)
        if power > 0:
            above = one if above is None else above * one
        else:
            below = one if below is None else below * one
    size = abs(coefficient)
    if size.numerator != 1 or above is None:
        above = Number(Fraction(size.numerator)) if above is None else Number(Fraction(size.numerator)) * above
    if size.denominator != 1:
        divisor = Number(Fraction(size.denominator))
        below = divisor if below is None else divisor * below
    whole = above if below is None else above / below
    return -whole if coefficient < 0 else whole


def _term(powers: Sequence[int], value: Fraction, generators: Sequence[Expression]) -> Expression:
    factors = [(generator, power) for generator, power in zip(generators, powers, strict=False) if power]
    return product_of(factors, value)


def _quotient(value: Quotient, generators: Sequence[Expression]) -> Expression:
    above = written(value.numerator, generators)
    return above if value.denominator.is_one() else above / written(value.denominator, generators)


def mirrored_if(operator: str, sign: int) -> str:
    """A relation to 0 of something that is multiplied by a number of a sign."""
    return MIRRORED.get(operator, operator) if sign < 0 else operator
