"""Proposals: few kernels in which the functions of an obligation can be written for a solver. Nothing rests on them.

Squares leave roots and logarithms are split wherever the ranges of the generators show the signs that this needs, and
exponentials of related arguments become powers of common ones. ``algebra.Form`` checks each of them by a law.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt, lcm

import flint

from grpo_symbolic.language.expression import Apply, Expression
from grpo_symbolic.language.inside import every_node
from grpo_symbolic.translate.algebra import Factor, Form, Kernel, Quotient
from grpo_symbolic.translate.balls import as_fraction

_CIRCULAR = frozenset(("cos", "sin"))
_EXPONENTIALS = frozenset(("exp", "cosh", "sinh", "tanh"))
_SHARING = _CIRCULAR | _EXPONENTIALS
#: How many generators one node may need at most: a logarithm is split into those of its factors.
_RESERVED = {"sqrt": 1, "power": 1, "absolute": 1, "maximum": 1, "minimum": 1, "log": 6, "arctan": 2}
_RESERVED_FOR_SHARING = 2
_LARGEST_EXPONENT = 64
_LARGEST_INTEGER_TO_FACTOR = 10**12
_KNOWN = (frozenset((1,)), frozenset((-1,)))


class FewKernels:
    """The proposals for a collection of expressions."""

    def __init__(self, expressions: Iterable[Expression]) -> None:
        self.expressions = tuple(expressions)
        #: Every node once: equal ones have the same generators.
        self._nodes = every_node(*self.expressions)
        self._powers: dict[tuple[bool, Expression], list[Factor]] = {}

    @property
    def capacity(self) -> int:
        """How many kernels there will be at most."""
        return sum(map(generators_for, self._nodes))

    def prepare(self, form: Form) -> None:
        """Choose kernels for all exponentials, sines and cosines, inner ones first, so that related ones share them."""
        levels: dict[int, list[Apply]] = {}
        for node in self._nodes:
            if isinstance(node, Apply) and node.operator in _SHARING:
                levels.setdefault(_height(node), []).append(node)
        for height in sorted(levels):
            for kinds, shared in ((_EXPONENTIALS, _exponentials), (_CIRCULAR, _angles)):
                nodes = [node for node in levels[height] if node.operator in kinds]
                arguments = [form.reduced_quotient(form.quotient(node.operands[0])) for node in nodes]
                for node, factors in zip(nodes, shared(form, arguments), strict=True):
                    self._powers[_key(node)] = factors

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        """The factors of a law for a function; None for a kernel of its own."""
        if kind in ("exp", "cos"):
            return None if typed is None else self._powers.get(_key(typed))
        return _root(form, argument) if kind == "sqrt" else _logarithm(form, argument)


def _key(node: Apply) -> tuple[bool, Expression]:
    """An exponent or an angle, and which of the two it is."""
    return node.operator in _CIRCULAR, node.operands[0]


def _root(form: Form, radicand: Quotient) -> list[Factor] | None:
    """Factors of known sign leave the root, and a denominator of known sign is rationalised: n/d = n*d * d**-2."""
    below = form.signs(radicand.denominator)
    if below not in _KNOWN:
        return None
    content, factors = form.factors(radicand.numerator * radicand.denominator)
    inside, found = form.context.constant(1), list[Factor]()
    for factor, multiplicity in factors:
        single = multiplicity
        if multiplicity > 1 and -1 not in form.signs(factor, whole=True):
            found.append(Factor(form.polynomial(factor), Fraction(multiplicity - multiplicity % 2)))
            single = multiplicity % 2
        inside = inside * factor**single
    square = _square_part(content)
    rest = content / square**2
    inside = inside * flint.fmpq(rest.numerator, rest.denominator)
    found.append(Factor(form.constant(square), Fraction(2)))
    size = radicand.denominator if below == _KNOWN[0] else -radicand.denominator
    found.append(Factor(form.polynomial(size), Fraction(-2)))
    if inside == 0:
        return [Factor(form.constant(0), Fraction(2))]
    return found if inside == 1 else [*found, Factor(form.polynomial(inside), Fraction(1))]


def _logarithm(form: Form, value: Quotient) -> list[Factor] | None:
    """Factors of known sign, or None; a logarithm of a square root is half of that of the radicand."""
    parts = _positive_factors(form, value)
    room = len(form.generator_names) - len(form.symbols) - len(form.kernels)
    if parts is None or len(parts) > room:
        return None
    roots = {kernel.name: kernel.arguments[0] for kernel in form.kernels if kernel.kind == "sqrt"}
    found: list[Factor] = []
    for part, multiplicity in parts:
        radicand = roots.get(str(part.numerator))
        inner = None if radicand is None else _logarithm(form, radicand)
        if inner is None:
            found.append(Factor(part, Fraction(multiplicity)))
        else:
            found += [Factor(factor.value, factor.exponent * multiplicity / 2) for factor in inner]
    return found


def _positive_factors(form: Form, value: Quotient) -> list[tuple[Quotient, int]] | None:
    """Factors of known positive value whose powers multiply to the value, or None."""
    content, above = form.factors(value.numerator)
    bottom, below = form.factors(value.denominator)
    content /= bottom
    parts: list[tuple[Quotient, int]] = []
    for factor, multiplicity in (*above, *((factor, -multiplicity) for factor, multiplicity in below)):
        signs = form.signs(factor, whole=True)
        if signs not in _KNOWN:
            return None
        negative = signs == _KNOWN[1]
        content = -content if negative and multiplicity % 2 else content
        parts.append((form.polynomial(-factor if negative else factor), multiplicity))
    if content <= 0:
        return None
    return parts + [(form.constant(prime), power) for prime, power in _prime_powers(content)]


def _exponentials(form: Form, arguments: list[Quotient]) -> list[list[Factor]]:
    """Exponentials of all arguments as products of integer powers of few kernels.

    A basis of the arguments over the rationals is chosen; a basis element u whose multiples with
    denominator N occur contributes the kernel exp(u/N).
    """
    peeled = [_peel_logarithms(form, argument) for argument in arguments]
    parts, counts = _integer_combinations([rest for _, rest in peeled])
    kernels = [form.kernel("exp", part) for part in parts]
    return [
        [*factors, *(Factor(one, count) for one, count in zip(kernels, row, strict=True) if count)]
        for (factors, _), row in zip(peeled, counts, strict=True)
    ]


def _angles(form: Form, arguments: list[Quotient]) -> list[list[Factor]]:
    """All angles as integer combinations of few, inverse tangents among them."""
    peeled = [_peel_inverse_tangents(form, argument) for argument in arguments]
    parts, counts = _integer_combinations([rest for _, rest in peeled])
    found = [
        [*factors, *(Factor(one, count) for one, count in zip(parts, row, strict=True) if count)]
        for (factors, _), row in zip(peeled, counts, strict=True)
    ]
    # Nothing at all would say that there is no proposal; neither is there one that is too long to expand.
    found = [factors or [Factor(form.constant(0), Fraction(0))] for factors in found]
    whole = [[Factor(argument, Fraction(1))] for argument in arguments]
    return [
        factors if all(abs(factor.exponent) <= _LARGEST_EXPONENT for factor in factors) else alone
        for factors, alone in zip(found, whole, strict=True)
    ]


def _integer_combinations(values: list[Quotient]) -> tuple[list[Quotient], list[list[Fraction]]]:
    """Few quotients of which all values are integer combinations, and how often each occurs in each value."""
    basis, combinations = _rational_basis(_coordinates(values))
    scales = [lcm(*(row[column].denominator for row in combinations)) for column in range(len(basis))]
    parts = [values[index] * Fraction(1, scale) for index, scale in zip(basis, scales, strict=True)]
    return parts, [[part * scale for part, scale in zip(row, scales, strict=True)] for row in combinations]


def _peel_logarithms(form: Form, argument: Quotient) -> tuple[list[Factor], Quotient]:
    """Split exp(c*log(a) + rest) into a**c and rest, for c an integer or half of one."""
    factors, rest = list[Factor](), argument
    if not argument.denominator.is_constant():
        return factors, rest
    for kernel in tuple(form.kernels):
        if kernel.kind == "log":
            coefficient = coefficient_of(argument, kernel)
            if coefficient and coefficient.denominator in (1, 2) and abs(coefficient) <= _LARGEST_EXPONENT:
                factors.append(Factor(kernel.arguments[0], coefficient))
                if coefficient.denominator == 2:
                    form.function("sqrt", kernel.arguments[0])
                rest = rest - kernel.value * coefficient
    return factors, rest


def _peel_inverse_tangents(form: Form, angle: Quotient) -> tuple[list[Factor], Quotient]:
    """Split an angle into integer multiples of inverse tangents and a rest."""
    factors, rest = list[Factor](), angle
    for kernel in form.kernels if angle.denominator.is_constant() else ():
        count = coefficient_of(angle, kernel) if kernel.kind == "arctan" else Fraction(0)
        if count and count.denominator == 1 and abs(count) <= _LARGEST_EXPONENT:
            factors.append(Factor(kernel.value, count))
            rest = rest - kernel.value * count
    return factors, rest


def coefficient_of(value: Quotient, kernel: Kernel) -> Fraction:
    """With what rational number a kernel by itself occurs in the numerator of a quotient."""
    (unit,) = kernel.value.numerator.to_dict()
    return as_fraction(value.numerator.to_dict().get(unit, flint.fmpq(0)))


def generators_for(node: Expression) -> int:
    """How many kernels a node may need at most."""
    if not isinstance(node, Apply):
        return 0
    return _RESERVED_FOR_SHARING if node.operator in _SHARING else _RESERVED.get(node.operator, 0)


def _height(expression: Expression) -> int:
    """How many exponentials, sines and cosines are nested in the expression."""
    inner = max((_height(child) for child in expression.children), default=0)
    return inner + (isinstance(expression, Apply) and expression.operator in _SHARING)


def _prime_powers(value: Fraction) -> list[tuple[Fraction, int]]:
    """The factorisation of a positive rational; parts too large to factor stay whole."""
    powers: list[tuple[Fraction, int]] = []
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        if part > _LARGEST_INTEGER_TO_FACTOR:
            powers.append((Fraction(part), sign))
        else:
            powers += [(Fraction(int(prime)), sign * int(count)) for prime, count in flint.fmpz(part).factor()]
    return powers


def _square_part(value: Fraction) -> Fraction:
    """A rational whose square divides the value, so that a perfect square leaves 1."""
    if value == 0:
        return Fraction(1)
    top, bottom = isqrt(abs(value.numerator)), isqrt(value.denominator)
    above = top if top * top == abs(value.numerator) else 1
    below = bottom if bottom * bottom == value.denominator else 1
    return Fraction(above, below)


def _coordinates(values: list[Quotient]) -> list[list[Fraction]]:
    """The quotients as vectors over the monomials of their numerators over one common denominator."""
    if not values:
        return []
    common = values[0].denominator
    for value in values[1:]:
        common = common * (value.denominator / common.gcd(value.denominator))
    numerators = [(value.numerator * (common / value.denominator)).to_dict() for value in values]
    monomials = sorted({monomial for terms in numerators for monomial in terms})
    zero = flint.fmpq(0)
    return [[as_fraction(terms.get(monomial, zero)) for monomial in monomials] for terms in numerators]


def _rational_basis(vectors: list[list[Fraction]]) -> tuple[list[int], list[list[Fraction]]]:
    """Positions of a basis among the vectors, and every vector as a combination of that basis."""
    basis: list[int] = []
    echelon: list[tuple[int, list[Fraction], list[Fraction]]] = []  # pivot, row, row in terms of the basis
    combinations: list[list[Fraction]] = []
    for index, vector in enumerate(vectors):
        rest, used = list(vector), [Fraction(0)] * len(vectors)
        for pivot, row, meaning in echelon:
            factor = rest[pivot] / row[pivot]
            if factor:
                rest = [value - factor * other for value, other in zip(rest, row, strict=True)]
                used = [value + factor * other for value, other in zip(used, meaning, strict=True)]
        first = next((position for position, value in enumerate(rest) if value), None)
        if first is not None:
            meaning = [-value for value in used]
            meaning[index] += 1
            echelon.append((first, rest, meaning))
            basis.append(index)
            used = [Fraction(int(position == index)) for position in range(len(vectors))]
        combinations.append(used)
    return basis, [[row[index] for index in basis] for row in combinations]
