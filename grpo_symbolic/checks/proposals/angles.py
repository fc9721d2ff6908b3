"""Proposals for sines, cosines and inverse tangents: angles as integer combinations of few; the rest is algebra.

``translate.algebra`` has the addition theorems, and sine and cosine of an inverse tangent. What is found out here is
that square roots of integers are products of those of primes, and which angles are equal: a twelfth of a turn is three
quarters of arctan(sqrt(3)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import flint

from grpo_symbolic.checks.exact import replaced
from grpo_symbolic.checks.proposals.common_terms import circular_terms
from grpo_symbolic.checks.proposer import Angles, Elimination, NormalForm
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ONE, ZERO, differentiate
from grpo_symbolic.language.expression import Apply, Expression, Number, as_expression, free_symbols, substitute, walk
from grpo_symbolic.language.folding import is_equation
from grpo_symbolic.language.inside import every_node, holds
from grpo_symbolic.language.statement import Relation, Statement, symbols_of
from grpo_symbolic.language.vocabulary import arctan, sqrt
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.translate.algebra import Factor, Form, Quotient
from grpo_symbolic.translate.balls import as_fraction, exact, midpoint, precision
from grpo_symbolic.translate.kernels import FewKernels, coefficient_of, generators_for
from grpo_symbolic.translate.values import ValueFunction

_NOTE = "normal form 0 by the addition theorems"
#: How many primes are taken out of a radicand.
_PRIMES = 6
#: How many angles may be added up in a sine that is expanded: with symbols in their tangents, and without.
_MOST_ADDED = {True: 8, False: 80}
#: At how many points a constant is guessed, and how large its denominator may be.
_GUESSES = 2
_LARGEST_DENOMINATOR = 1000
_BITS = 128


class CircularKernels(FewKernels):
    """Few kernels, where the square root of a positive rational is a product of those of primes."""

    @property
    def capacity(self) -> int:
        """How many kernels there will be at most: of each node by itself, however often it occurs."""
        nodes = [node for node in every_node(*self.expressions) if isinstance(node, Apply)]
        rooted = ("sqrt", "power", "arctan")
        return sum(generators_for(node) + _PRIMES * (node.operator in rooted) for node in nodes)

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        """The primes of a rational radicand; everything else as for any kernels."""
        if kind == "sqrt" and argument.numerator.is_constant() and argument.denominator.is_constant():
            value = Fraction(0)
            if not argument.numerator.is_zero():
                value = as_fraction(argument.numerator.leading_coefficient())
            powers = _prime_powers(value)
            if powers is not None:
                return [
                    Factor(form.constant(prime), Fraction(part))
                    for prime, power in powers
                    for part in (power - power % 2, power % 2)
                    if part
                ]
        return super().factors(form, kind, argument, typed)


def _prime_powers(value: Fraction) -> list[tuple[int, int]] | None:
    if value <= 0 or max(value.numerator, value.denominator) > 10**12:
        return None
    sides = ((value.numerator, 1), (value.denominator, -1))
    powers = [(int(prime), sign * int(count)) for part, sign in sides for prime, count in flint.fmpz(part).factor()]
    return powers if len(powers) <= _PRIMES else None


def has_angles(statement: Statement) -> bool:
    """Whether a sine, cosine or inverse tangent occurs."""
    return bool(circular_terms((statement,)))


def proposed_by_angles(relation: Relation, hypotheses: Sequence[Statement], seed: int) -> Iterator[NormalForm]:
    """That the sides differ by a constant, alone, modulo an equation, or because they are equal angles."""
    difference: Expression = relation.left - relation.right
    equal = tuple(_standard_angles(difference))
    for rewritten in equal:
        difference = replaced(difference, rewritten.old, rewritten.new)
    constant = Fraction(0) if relation.operator == "=" else _constant(relation, seed)
    if constant is not None:
        yield NormalForm(CircularKernels((difference, Number(constant))), Number(constant), None, _NOTE, equal)
    if relation.operator != "=":
        return
    for equation in filter(is_equation, hypotheses):
        parts = (difference, equation.left - equation.right)
        yield NormalForm(CircularKernels(parts), ZERO, equation, f"{_NOTE}; reduced modulo a hypothesis", equal)
    times = _times(difference)
    if times is not None:
        sides = equal_angles(relation.left, relation.right, times)
        right = CircularKernels((relation.right,))
        yield NormalForm(right, ZERO, None, "equal angles, for their sines are", (sides,))


def eliminations_by_angles(hypotheses: Sequence[Statement]) -> Iterator[Elimination]:
    """Equations with angles in which a symbol occurs times a number, such as that three angles sum to half a turn."""
    for equation in filter(is_equation, hypotheses):
        difference = equation.left - equation.right
        for symbol in free_symbols(difference) if has_angles(equation) else ():
            try:
                slope = differentiate(difference, symbol)
            except UnsupportedError:
                continue
            if isinstance(slope, Number):
                value = -substitute(difference, {symbol: ZERO}) / slope
                yield Elimination(equation, ONE, symbol, slope, value, CircularKernels((difference, value)))


def equal_angles(old: Expression, new: Expression, times: int) -> Angles:
    """That two angles are equal, with the kernels to see it by."""
    gap = as_expression(times) * (old - new)
    return Angles(old, new, as_expression(times), CircularKernels((Apply("sin", (gap,)),)))


def _standard_angles(expression: Expression) -> Iterator[Angles]:
    """The constants in arguments of sines and cosines in which an eighth of a turn is split."""
    arguments = dict.fromkeys(
        node.operands[0] for node in walk(expression) if isinstance(node, Apply) and node.operator in ("sin", "cos")
    )
    found: list[tuple[Fraction, Expression, Fraction]] = []
    for argument in arguments:
        constants = list(_constants(argument))
        if len(constants) == 1:
            whole, inner = (_eighths_of_turn(item) for item in (argument, constants[0]))
            found += [(inner / whole, constants[0], whole)] if whole and inner else []
    # Of one constant, what splits its smallest part splits the others.
    for scale, constant, whole in sorted(found, key=lambda item: -abs(item[0])):
        other = _by_known_tangents(whole)
        if other is not None:
            new = other if scale == 1 else Number(scale) * other
            yield equal_angles(constant, new, (scale / whole.denominator).denominator * whole.denominator)


def _constants(expression: Expression) -> Iterator[Expression]:
    """The largest terms without symbols that are no numbers."""
    if not free_symbols(expression):
        if holds("arctan", (expression,)):
            yield expression
        return
    for child in expression.children:
        yield from _constants(child)


def _eighths_of_turn(angle: Expression) -> Fraction:
    """How many times arctan(1) occurs in a sum; 0 if this is not seen."""
    return next((part for tangent, part in _inverse_tangents(angle, arctan(ONE)) if tangent == 0), Fraction(0))


def _times(difference: Expression) -> int | None:
    """By what a difference of angles is multiplied to be an integer combination of inverse tangents, not too long."""
    parts = [part for _, part in _inverse_tangents(difference)]
    times = lcm(*(part.denominator for part in parts))
    most = _MOST_ADDED[bool(free_symbols(difference))]
    return times if parts and sum(map(abs, parts)) * times <= most else None


def _inverse_tangents(angle: Expression, *first: Expression) -> list[tuple[int, Fraction]]:
    """How often each inverse tangent occurs in a sum, by its number; those in ``first`` have the first numbers."""
    try:
        form = Form(free_symbols(angle), CircularKernels((angle, *first)))
        for item in first:
            form.quotient(item)
        value = form.reduced_quotient(form.quotient(angle))
    except (UndefinedError, UnsupportedError):
        return []
    if not value.denominator.is_constant():
        return []
    tangents = [kernel for kernel in form.kernels if kernel.kind == "arctan"]
    counts = [(number, coefficient_of(value, kernel)) for number, kernel in enumerate(tangents)]
    return [(number, count) for number, count in counts if count]


def _by_known_tangents(quarters: Fraction) -> Expression | None:
    """So many eighths of a turn as an integer combination of angles whose tangents are square roots.

    The twelfth parts of half a turn are differences of thirds and quarters; the eighth, fifth and tenth parts have
    tangents of their own.
    """
    n, d = quarters.numerator, quarters.denominator
    if d == 3:
        thirds = n % 3
        return Number(Fraction(n - 4 * thirds, 3)) * arctan(ONE) + thirds * arctan(sqrt(as_expression(3)))
    if d == 2:
        return Number(Fraction(n - 1, 2)) * arctan(ONE) + arctan(sqrt(as_expression(2)) - 1)
    return None


def _constant(relation: Relation, seed: int) -> Fraction | None:
    """What the sides differ by, if it is a rational number with a small denominator at some points."""
    symbols = symbols_of(relation)
    value = ValueFunction(relation.left - relation.right, symbols)
    guesses = set[Fraction]()
    with precision(_BITS):
        for point in draw_points(symbols, _GUESSES, seed):
            ball = value.enclose([exact(point[symbol]) for symbol in symbols])
            if not ball.is_finite():
                return None
            guesses.add(midpoint(ball).limit_denominator(_LARGEST_DENOMINATOR))
    return guesses.pop() if len(guesses) == 1 else None
