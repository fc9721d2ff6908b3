"""That facts contradict each other: products of what is not negative, and multiples of what is 0, that sum to 0.

Such certificates of Handelman, and of Stengle for few squares, are found by ``cone`` and written as a sum of products
the signs of which are known; multiples of equations are first taken from a side. See ``known`` for what is multiplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from flint import fmpq

from grpo_symbolic.kernel.terms import TWO, ZERO, Json, Term, make, number
from grpo_symbolic.proofs.cone import contradiction
from grpo_symbolic.proofs.kernel_rings import multiplied
from grpo_symbolic.proofs.known import Knowledge, Known
from grpo_symbolic.proofs.tables import Table, rational
from grpo_symbolic.translate.algebra import Polynomial

_MOST_WEIGHTS, _MOST_MULTIPLIERS, _MOST_TERMS, _MOST_MONOMIALS, _MOST_COLUMNS = 24, 40, 120, 700, 900
_MOST_SQUARED, _MOST_DIVISORS = 8, 3


@dataclass(frozen=True, eq=False)
class _Weight:
    """What is not negative, perhaps with the other sign: the factor that a proof names, and its square if so."""

    polynomial: Polynomial
    strict: bool
    sign: int
    factor: tuple[Term, str, Json]
    uses: tuple[Known, ...] = ()
    told: bool = False


#: A product and its factors.
_Product: TypeAlias = tuple[Polynomial, tuple[_Weight, ...]]


@dataclass(frozen=True, eq=False)
class _Equation:
    polynomial: Polynomial
    known: Known


class Certificates:
    """Looks for contradictions between what is known."""

    def __init__(self, knowledge: Knowledge, table: Table) -> None:
        self._knowledge, self._table = knowledge, table
        self._polynomials = knowledge.polynomials
        self._weights: list[_Weight] = []
        self._equations: list[_Equation] = []
        for known in sorted(knowledge.known, key=lambda one: not one.told):
            if known.operator == "=":
                if not known.polynomial.is_zero():
                    self._equations.append(_Equation(known.polynomial, known))
            else:
                self._weights += self._weight(known)
        self._weights = list({str(one.polynomial) + str(one.strict): one for one in reversed(self._weights)}.values())
        self._weights = self._weights[::-1][:_MOST_WEIGHTS]
        #: Polynomials are taken modulo the first equations.
        self._divisors = self._equations[:_MOST_DIVISORS]
        self._positive: dict[int, _Weight] = {}
        names = {str(self._polynomials.context.gen(at)): at for at in range(self._polynomials.context.nvars())}
        for weight in self._weights:
            place = names.get(str(weight.polynomial))
            if place is not None and (weight.strict or place not in self._positive):
                self._positive[place] = weight

    def _weight(self, known: Known) -> Iterator[_Weight]:
        polynomial, op = known.polynomial, known.operator
        if polynomial.is_constant() and op != "!=" and not polynomial.is_zero():
            value = polynomial.coeffs()[0]
            if (value > 0) == (op in (">", ">=")):
                return
        sign = -1 if op in ("<", "<=") else 1
        factor = (known.term, op, known.inline)
        if op != "!=":
            yield _Weight(polynomial * sign, op in ("<", ">"), sign, factor, (known,), known.told)
        elif len(polynomial.coeffs()) <= 3:
            square = make("power", known.term, TWO)
            why: Json = ["sum", [["1", [[self._table.term(known.term), "!=", 2, None]]]], []]
            yield _Weight(polynomial**2, True, 1, (square, ">", why), (known,))

    def _squares(self) -> Iterator[_Weight]:
        """Squares of generators and of differences of two, where their signs are not known."""
        used = [False] * self._polynomials.context.nvars()
        for polynomial in (one.polynomial for some in (self._weights, self._equations) for one in some):
            degrees = polynomial.degrees()
            used = [before or degree > 0 for before, degree in zip(used, degrees, strict=True)]
        variables = [self._polynomials.context.gen(place) for place, one in enumerate(used) if one]
        if len(variables) > _MOST_SQUARED:
            return
        bases = [*variables, *(one - other for one, other in combinations(variables, 2))]
        bases += [one + other for one, other in combinations(variables, 2)]
        bases += [one - 1 for one in variables]
        for base in bases:
            square = make("power", self._polynomials.term(base), TWO)
            yield _Weight(self._polynomials.reduced(base**2), False, 1, (square, ">=", None))

    def denial(self) -> Json:
        """A proof that what is not 0 is a sum of multiples of equations; None if there is no such."""
        for known in self._knowledge.known:
            if known.operator != "!=" or not self._divisors:
                continue
            factors = self._quotients(-known.polynomial, ())
            if factors is not None:
                there = self._table.term(make("!=", known.term, ZERO))
                proof = self._instead(make("=", known.term, ZERO), factors, ["same", self._knowledge.written_laws()])
                return self._after(
                    ["contrary", there, proof], [known, *(equation.known for equation in factors)], known
                )
        return None

    def refutation(self, degree: int) -> Json:
        """A proof that 0 < 0 by products of so many factors, before what it uses is shown; None if none is found."""
        products = self._products(degree)
        multiples = list(self._multiples(degree))
        columns = [self._remainder(product).to_dict() for product, _ in products]
        free = [self._remainder(product).to_dict() for product, _, _ in multiples]
        if degree > 1:
            more = list(self._monomials({monomial for column in (*columns, *free) for monomial in column}))
            products += more
            columns += [product.to_dict() for product, _ in more]
        if len({monomial for column in (*columns, *free) for monomial in column}) > _MOST_MONOMIALS:
            return None
        strict = [all(weight.strict for weight in chosen) for _, chosen in products]
        found = contradiction(columns, strict, [column for column in free if column])
        if found is None:
            return None
        kept = [multiple for multiple, column in zip(multiples, free, strict=True) if column]
        parts = [(value, products[at][1]) for at, value in found[0].items()]
        factors = self._quotients(
            sum((products[at][0] * value for at, value in found[0].items()), self._polynomials.one * 0),
            [(value, *kept[at]) for at, value in found[1].items()],
        )
        return None if factors is None else self._written(parts, factors)

    def _products(self, degree: int) -> list[_Product]:
        one = self._polynomials.one
        products: list[_Product] = [(one, ())]
        before: list[tuple[Polynomial, tuple[int, ...]]] = [(one, ())]
        for length in range(1, degree + 1):
            after: list[tuple[Polynomial, tuple[int, ...]]] = []
            for product, chosen in before:
                for place in range(chosen[-1] if chosen else 0, len(self._weights)):
                    if length > 2 and not self._weights[chosen[0]].told:
                        continue
                    longer = self._polynomials.reduced(product * self._weights[place].polynomial)
                    if len(longer.coeffs()) <= _MOST_TERMS and len(products) + len(after) < _MOST_COLUMNS:
                        after.append((longer, (*chosen, place)))
            products += [(product, tuple(self._weights[at] for at in chosen)) for product, chosen in after]
            before = after
        if degree > 1:
            products += [(weight.polynomial, (weight,)) for weight in self._squares()]
        return products

    def _monomials(self, monomials: Iterable[tuple[int, ...]]) -> Iterator[_Product]:
        """Which of these are products of what is not negative and of even powers."""
        context = self._polynomials.context
        for powers in sorted(monomials):
            factors: list[_Weight] = []
            for place, power in enumerate(powers):
                known = self._positive.get(place)
                if power and known is not None:
                    factors += [known] * int(power)
                elif power % 2:
                    break
                elif power:
                    square = make("power", self._polynomials.generators[place], number(int(power)))
                    variable = context.gen(place)
                    factors.append(_Weight(variable ** int(power), False, 1, (square, ">=", None)))
            else:
                product = context.from_dict({powers: fmpq(1)})
                if len(factors) > 1 and self._remainder(product) == product:
                    yield product, tuple(factors)

    # Equations.

    def _remainder(self, polynomial: Polynomial) -> Polynomial:
        for equation in self._divisors:
            polynomial = polynomial % equation.polynomial
        return polynomial

    def _quotients(
        self, total: Polynomial, multiples: Sequence[tuple[fmpq, Polynomial, _Equation, Polynomial]]
    ) -> dict[_Equation, Polynomial] | None:
        """With which factors equations sum to the negative of a total."""
        factors: dict[_Equation, Polynomial] = {}
        zero = self._polynomials.one * 0
        for value, product, equation, multiplier in multiples:
            factors[equation] = factors.get(equation, zero) + multiplier * value
            total = total + product * value
        total = self._polynomials.reduced(total)
        for equation in self._divisors:
            quotient, total = divmod(total, equation.polynomial)
            factors[equation] = factors.get(equation, zero) - quotient
        if not total.is_zero():
            return None
        return {equation: factor for equation, factor in factors.items() if not factor.is_zero()}

    def _multiples(self, degree: int) -> Iterator[tuple[Polynomial, _Equation, Polynomial]]:
        """Equations times monomials."""
        polynomials = self._polynomials
        count = polynomials.context.nvars()
        variables = [polynomials.context.gen(place) for place in range(count)]
        weights = [weight.polynomial for weight in self._weights]
        for equation in self._equations:
            multipliers = [polynomials.one]
            if degree > 1:
                near = [*weights, *(one.polynomial for one in self._equations)]
                used = [any(one.degrees()[place] for one in near) for place in range(count)]
                multipliers += [one for one, is_used in zip(variables, used, strict=True) if is_used]
                multipliers += [one * other for one, other in combinations_with_replacement(multipliers[1:], 2)]
            for multiplier in multipliers[:_MOST_MULTIPLIERS]:
                product = polynomials.reduced(equation.polynomial * multiplier)
                if len(product.coeffs()) <= _MOST_TERMS:
                    yield product, equation, multiplier

    def _written(
        self, parts: Sequence[tuple[fmpq, tuple[_Weight, ...]]], multiples: Mapping[_Equation, Polynomial]
    ) -> Json:
        table, laws = self._table, self._knowledge.written_laws()
        terms: list[Json] = []
        for value, chosen in parts:
            powers: dict[tuple[int, str], tuple[int, Json]] = {}
            sign = -1
            for weight in chosen:
                sign *= weight.sign
                term, op, why = weight.factor
                place = table.term(term)
                powers[place, op] = powers.get((place, op), (0, why))[0] + 1, why
            factors: list[Json] = [[place, op, power, why] for (place, op), (power, why) in powers.items()]
            terms.append([rational(sign * Fraction(int(value.p), int(value.q))), factors])
        proof = self._instead(make("<", ZERO, ZERO), multiples, ["sum", terms, laws])
        used = [known for _, chosen in parts for weight in chosen for known in weight.uses]
        return self._after(proof, [*used, *(equation.known for equation in multiples)])

    def _instead(self, goal: Term, factors: Mapping[_Equation, Polynomial], proof: Json) -> Json:
        """A proof after multiples of equations were taken from what is compared with 0."""
        table, laws = self._table, self._knowledge.written_laws()
        left, steps = goal.args[0], list[tuple[int, Json, Json]]()
        # Of a polynomial that is to vanish nothing is left, of 0 the opposite of products.
        sign = -1 if goal.op == "<" else 1
        for equation, factor in factors.items():
            known = equation.known
            product = multiplied(self._polynomials.term(-sign * factor), known.term)
            left = product if left is ZERO else make("add", left, product)
            times = table.term(self._polynomials.term(sign * factor))
            steps.append((table.term(make(goal.op, left, ZERO)), table.term(make("=", known.term, ZERO)), times))
        for relation, fact, factor_at in reversed(steps):
            proof = ["instead", relation, fact, factor_at, laws, proof]
        return proof

    def _after(self, proof: Json, used: Sequence[Known], cited: Known | None = None) -> Json:
        """The proof after what it uses, each after what that uses; what is ``cited`` has to be a fact."""
        return after(proof, used, self._table, cited)


def after(proof: Json, used: Sequence[Known], table: Table, cited: Known | None = None) -> Json:
    """A proof after what it uses, each after what that uses; what is ``cited`` has to be a fact."""
    for known in reversed(ordered(used)):
        why = known.proof
        if why is None and known is cited:
            why = ["sum", [["1", [[table.term(known.term), known.operator, 1, None]]]], []]
        if why is not None and known.inline is None:
            proof = ["have", table.term(make(known.operator, known.term, ZERO)), why, proof]
    return proof


def ordered(used: Sequence[Known]) -> list[Known]:
    """What is used, directly or not, each after what it uses."""
    found: dict[Known, None] = {}

    def visit(known: Known) -> None:
        if known not in found:
            for one in known.uses:
                visit(one)
            found[known] = None

    for one in used:
        visit(one)
    return list(found)
