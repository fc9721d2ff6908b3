"""The difference of two sides as a sum of terms with known signs: factors, products of what is not negative, roots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement, permutations
from operator import mul

from grpo_symbolic.checks.proposals.positivity import positivity
from grpo_symbolic.checks.proposals.semidefinite import Budget
from grpo_symbolic.checks.proposals.weighted import by_squares, seems_true
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Number
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.proofs.linear import combination
from grpo_symbolic.proofs.reason import Cases, Difference, Reason, Rising, Root, Sign, Tangent, Term
from grpo_symbolic.proofs.ring import MOST_TERMS, Ring, decide_by_range, mirrored_if
from grpo_symbolic.translate.algebra import Kernel, Polynomial, Quotient
from grpo_symbolic.translate.balls import as_fraction, exact

_OPERATORS = {
    frozenset((1,)): ">",
    frozenset((0, 1)): ">=",
    frozenset((-1,)): "<",
    frozenset((-1, 0)): "<=",
    frozenset((0,)): "=",
    frozenset((-1, 1)): "!=",
}
_ALLOWED = {operator: signs for signs, operator in _OPERATORS.items()}
#: So many products are combined, of so many weights and up to so many of them; larger polynomials are left alone.
_MOST_PRODUCTS, _MOST_WEIGHTS, _MOST_FACTORS, _LARGEST_DEGREE = 200, 12, 4, 9
_MOST_PAIRED, _MOST_COMPARED, _FAINT, _SQUARES = 4, 4, 1e-9, 10
_SAMPLES, _DEEPEST, _OPERATIONS = 12, 2, 30_000


@dataclass(frozen=True)
class _Weight:
    """A polynomial that is not negative, and why."""

    polynomial: Polynomial
    sign: Sign


class Terms:
    """Looks for terms in a ring that has the differences of some hypotheses."""

    def __init__(self, ring: Ring, relations: Sequence[Relation], values: Sequence[Quotient], effort: Budget) -> None:
        self._ring, self._form, self._effort = ring, ring.form, effort
        self._facts: dict[str, str] = {}
        self._hypotheses: list[_Weight] = []
        self._roots: dict[int, Sign | None] = {}
        for relation, value in (*zip(relations, values, strict=True), *zip(relations, values, strict=True)):
            # Twice, as what is not 0 may leave one factor of a product that is.
            self._learn(relation, value)

    def showing(self, value: Quotient, operator: str, depth: int = 0) -> tuple[Term, ...] | None:
        """Terms that sum to a value, the signs of which show how it compares with 0."""
        above, below = self._form.reduced(value.numerator), value.denominator
        if max(len(above.coeffs()), len(below.coeffs())) > MOST_TERMS:
            return None
        content, factors = self._form.factors(above)
        divisor, divisors = self._form.factors(below)
        known: list[tuple[Sign, int]] = []
        rest, coefficient = self._form.context.constant(1), content / divisor
        for factor, power in (*factors, *((one, -power) for one, power in divisors)):
            sign = self._sign(factor) or (self._certified(factor, depth) if power < 0 else None)
            if sign is None and power % 2 and power > 0:
                rest = rest * factor**power
            elif sign is None and power > 0:
                known.append((Sign(self._ring.write(factor) ** power, ">="), 1))
            elif sign is None:
                return None
            else:
                oriented, turned = sign
                coefficient = -coefficient if turned and power % 2 else coefficient
                known.append((oriented, power))
        if rest.is_constant():
            term = Term(coefficient, tuple(known))
            return (term,) if term.signs and term.signs <= _ALLOWED[operator] else None
        return self._with_rest(coefficient, known, rest, operator, depth)

    def _with_rest(
        self, coefficient: Fraction, known: list[tuple[Sign, int]], rest: Polynomial, operator: str, depth: int
    ) -> tuple[Term, ...] | None:
        """The same where the sign of one factor is still to be shown."""
        if operator == "=":
            return self._vanishing(coefficient, known, rest, depth)
        others = Term(coefficient, tuple(known)).signs
        for wanted in (">", "<", ">=", "<="):
            signs = {one * other for one in others for other in _ALLOWED[wanted]}
            if not others or not signs <= _ALLOWED[operator]:
                continue
            turned = wanted in ("<", "<=")
            why = self.certificate(-rest if turned else rest, mirrored_if(wanted, -1 if turned else 1), depth)
            if why is None:
                continue
            if isinstance(why, Difference) and not known and abs(coefficient) == 1 and (coefficient < 0) == turned:
                return why.terms
            sign = _signed(why)
            return (Term(-coefficient if turned else coefficient, ((sign, 1), *known)),)
        return None

    def _vanishing(
        self, coefficient: Fraction, known: list[tuple[Sign, int]], rest: Polynomial, depth: int
    ) -> tuple[Term, ...] | None:
        """A factor that is linear in a root, by its conjugate, which does not vanish, and their product, which does."""
        for kernel in self._form.kernels:
            place = self._form.generator_names.index(kernel.name)
            if kernel.kind != "sqrt" or rest.degrees()[place] != 1:
                continue
            slope, other = self._split(rest, place)
            conjugate = other - slope * self._form.context.gen(place)
            square = self._form.polynomial(other**2) - self._form.polynomial(slope**2) * kernel.arguments[0]
            above = self.showing(square, "=", depth + 1)
            below = None if above is None else self._certified(conjugate, depth)
            if above is None or below is None:
                continue
            sign, turned = below
            return tuple(
                Term(-term.coefficient if turned else term.coefficient, (*term.factors, (sign, -1))) for term in above
            )
        return None

    def certificate(self, polynomial: Polynomial, operator: str, depth: int = 0) -> Reason | None:
        """A reason why a polynomial is positive, or not negative."""
        if depth > _DEEPEST or polynomial.total_degree() > _LARGEST_DEGREE or not self._effort.spend(2):
            return None
        if not self._seems(polynomial, operator):
            return None
        relation = Relation(self._ring.write(polynomial), operator, ZERO)
        terms = self._by_products(polynomial, operator)
        if terms is not None:
            return Difference(relation, terms)
        return self._by_root(relation, polynomial, operator, depth) or self._by_squares(relation)

    # Signs that are seen.

    def _learn(self, relation: Relation, value: Quotient) -> None:
        """What a hypothesis says of the one factor whose sign is not seen."""
        content, factors = self._form.factors(self._form.reduced(value.numerator))
        sign = 1 if content > 0 else -1
        open_ones = []
        for factor, power in factors:
            signs = self._form.signs(factor)
            if len(signs) == 1 and 0 not in signs:
                sign *= next(iter(signs)) ** power
            elif relation.operator != "=" or self._facts.get(str(factor)) not in ("!=", ">", "<"):
                open_ones.append((factor, power))
        signs = self._form.signs(value.denominator)
        if len(signs) != 1 or len(open_ones) != 1 or (open_ones[0][1] % 2 == 0 and relation.operator not in "!="):
            return
        factor, operator = open_ones[0][0], mirrored_if(relation.operator, sign * next(iter(signs)))
        if str(factor) in self._facts:
            return
        self._facts[str(factor)] = operator
        if operator in (">", ">=", "<", "<="):
            turned = -1 if operator in ("<", "<=") else 1
            weight = factor * turned
            self._hypotheses.append(_Weight(weight, Sign(self._ring.write(weight), mirrored_if(operator, turned))))

    def _sign(self, factor: Polynomial) -> tuple[Sign, bool] | None:
        """A factor, perhaps with the other sign, and how it compares with 0 by its range or a hypothesis."""
        operator = self._facts.get(str(factor)) or _OPERATORS.get(self._form.signs(factor))
        if operator is None:
            return None
        if operator == ">=" and str(factor) in self._form.generator_names:
            root = self._positive_root(self._form.generator_names.index(str(factor)))
            if root is not None:
                return root, False
        turned = operator in ("<", "<=")
        value = self._ring.write(-factor if turned else factor)
        return Sign(value, mirrored_if(operator, -1 if turned else 1)), turned

    def _certified(self, factor: Polynomial, depth: int) -> tuple[Sign, bool] | None:
        for turned in (False, True):
            why = self.certificate(-factor if turned else factor, ">", depth + 1)
            if why is not None:
                return _signed(why), turned
        return None

    # Sums of products.

    def _by_products(self, polynomial: Polynomial, operator: str) -> tuple[Term, ...] | None:
        """A sum of products of what is not negative, if possible by the domains alone."""
        plain = self._products(polynomial, operator, self._weights(polynomial, ()))
        if plain is not None or not self._hypotheses:
            return plain
        return self._products(polynomial, operator, self._weights(polynomial, self._hypotheses))

    def _products(self, polynomial: Polynomial, operator: str, weights: list[_Weight]) -> tuple[Term, ...] | None:
        degree = max(polynomial.total_degree(), 1) + (1 if weights[:1] == self._hypotheses[:1] else 0)
        products: list[tuple[int, ...]] = [()]
        parts = [self._form.context.constant(1)]
        for number in range(1, _MOST_FACTORS + 1):
            for places in combinations_with_replacement(range(len(weights)), number):
                part = reduce(mul, (weights[place].polynomial for place in places))
                if part.total_degree() <= degree and len(products) < _MOST_PRODUCTS:
                    products.append(places)
                    parts.append(self._form.reduced(part))
            if not self._effort.spend(len(products) // 12):
                return None
            order = list(range(len(products)))
            if operator == ">":
                order = sorted(order, key=lambda at: any(weights[place].sign.operator != ">" for place in products[at]))
            found = combination(polynomial, [parts[at] for at in order])
            if found is not None:
                terms = tuple(
                    self._term(as_fraction(value), [weights[at] for at in products[order[place]]])
                    for place, value in found.items()
                )
                if operator == ">=" or any(0 not in term.signs for term in terms):
                    return terms
            if len(products) >= _MOST_PRODUCTS:
                return None
        return None

    def _term(self, value: Fraction, weights: Sequence[_Weight]) -> Term:
        powers: dict[Sign, int] = {}
        for weight in weights:
            powers[weight.sign] = powers.get(weight.sign, 0) + 1
        return Term(value, tuple(powers.items()))

    def _weights(self, polynomial: Polynomial, hypotheses: Sequence[_Weight]) -> list[_Weight]:
        """What is not negative: what hypotheses say, the generators minus the ends of their domains, tangents."""
        used = set(self._form.generator_names)
        for idle in [polynomial, *(weight.polynomial for weight in hypotheses)]:
            used &= set(idle.unused_gens())
        wanted = [place for place, name in enumerate(self._form.generator_names) if name not in used]
        found = [*hypotheses, *self._tangents, *self._rising]
        wanted = [place for place in wanted if place < len(self._ring.generators)]
        for place in wanted:
            found += self._ends(place)
        for place in wanted:
            if self._ring.domains[place].is_whole_line:
                found.append(self._square(self._form.context.gen(place)))
        if polynomial.total_degree() >= 2 and len(wanted) <= _MOST_PAIRED:
            for one, other in combinations(wanted, 2):
                found.append(self._square(self._form.context.gen(one) - self._form.context.gen(other)))
        return found[:_MOST_WEIGHTS]

    def _square(self, polynomial: Polynomial) -> _Weight:
        return _Weight(polynomial**2, Sign(self._ring.write(polynomial) ** 2, ">="))

    def _ends(self, place: int) -> Iterator[_Weight]:
        generator, domain, variable = (
            self._ring.generators[place],
            self._ring.domains[place],
            self._form.context.gen(place),
        )
        root = self._positive_root(place)
        if root is not None:
            yield _Weight(variable, root)
        elif domain.lower is not None:
            value = generator if domain.lower == 0 else generator - Number(domain.lower)
            yield _Weight(variable - exact(domain.lower), Sign(value, ">=" if domain.lower_closed else ">"))
        if domain.upper is not None:
            value = Number(domain.upper) - generator
            yield _Weight(exact(domain.upper) - variable, Sign(value, ">=" if domain.upper_closed else ">"))

    def _positive_root(self, place: int) -> Sign | None:
        """That a root is positive, if its range does not show it."""
        kernel = next((one for one in self._form.kernels if one.name == self._form.generator_names[place]), None)
        if kernel is None or kernel.kind != "sqrt" or not self._ring.domains[place].lower_closed:
            return None
        if place not in self._roots:
            self._roots[place] = None
            terms = self.showing(kernel.arguments[0], ">", _DEEPEST)
            root = self._ring.generators[place]
            if terms is not None:
                why = Root(Difference(Relation(root.children[0], ">", ZERO), terms))
                self._roots[place] = Sign(root, ">", why)
        return self._roots[place]

    @cached_property
    def _tangents(self) -> list[_Weight]:
        found: list[_Weight] = []
        for kernel in self._form.kernels:
            if kernel.kind in ("log", "exp") and kernel.arguments[0].denominator.is_constant():
                argument, value = kernel.arguments[0].numerator, kernel.value.numerator
                why = Tangent(kernel.kind, self._ring.write_quotient(kernel.arguments[0]))
                gap = argument - value - 1 if kernel.kind == "log" else value - argument - 1
                found.append(_Weight(gap, Sign(why.gap, ">=", why)))
        return found

    @cached_property
    def _rising(self) -> list[_Weight]:
        """Differences of logarithms or exponentials of which it is seen which is the larger."""
        found: list[_Weight] = []
        kernels = self._form.kernels
        for kind in ("log", "exp"):
            nothing = self._form.constant(int(kind == "log"))
            known = [(one.arguments[0], one.value.numerator) for one in kernels if one.kind == kind][:_MOST_COMPARED]
            # The logarithm of 1 is 0, the exponential of 0 is 1.
            known += [(nothing, self._form.context.constant(int(kind == "exp")))] if known else []
            for (larger, above), (smaller, below) in permutations(known, 2):
                terms = self._simple(larger - smaller) if self._effort.spend(1) else None
                if terms is not None:
                    ends = self._ring.write_quotient(larger), self._ring.write_quotient(smaller)
                    why = Rising(kind, *ends, Difference(Relation(ends[0] - ends[1], ">", ZERO), terms))
                    found.append(_Weight(above - below, Sign(why.gap, ">", why)))
        return found

    def _simple(self, value: Quotient) -> tuple[Term, ...] | None:
        """Terms of one sign that are seen at once."""
        content, factors = self._form.factors(value.numerator)
        divisor, divisors = self._form.factors(value.denominator)
        known: list[tuple[Sign, int]] = []
        coefficient = content / divisor
        for factor, power in (*factors, *((one, -power) for one, power in divisors)):
            sign = self._sign(factor)
            if sign is None:
                return None
            coefficient = -coefficient if sign[1] and power % 2 else coefficient
            known.append((sign[0], power))
        term = Term(coefficient, tuple(known))
        return (term,) if term.signs == {1} else None

    # Roots and squares.

    def _by_root(self, relation: Relation, polynomial: Polynomial, operator: str, depth: int) -> Reason | None:
        """By multiplying with the conjugate where a root is linear."""
        for kernel in self._form.kernels:
            place = self._form.generator_names.index(kernel.name)
            if kernel.kind == "sqrt" and polynomial.degrees()[place] == 1:
                found = self._by_conjugate(relation, polynomial, kernel, place, operator, depth)
                if found is not None:
                    return found
        return None

    def _by_conjugate(
        self, relation: Relation, polynomial: Polynomial, kernel: Kernel, place: int, operator: str, depth: int
    ) -> Reason | None:
        slope, rest = self._split(polynomial, place)
        root = self._form.context.gen(place)
        of_slope, of_rest = self._certain(slope, depth), self._certain(rest, depth)
        if of_slope is None:
            return None
        if of_slope > 0 and of_rest is None:
            return self._in_two_cases(relation, slope, rest, kernel, place, operator, depth)
        if of_rest is None or of_slope == of_rest:
            return None
        other = (slope * root - rest) * of_slope
        radicand = kernel.arguments[0]
        square = self._form.polynomial(slope**2) * radicand - self._form.polynomial(rest**2)
        above = self.showing(square * of_slope, operator, depth + 1)
        below = self.certificate(other, ">", depth + 1)
        if above is None or below is None:
            return None
        sign = (_signed(below), -1)
        return Difference(relation, tuple(Term(term.coefficient, (*term.factors, sign)) for term in above))

    def _in_two_cases(
        self,
        relation: Relation,
        slope: Polynomial,
        rest: Polynomial,
        kernel: Kernel,
        place: int,
        operator: str,
        depth: int,
    ) -> Reason | None:
        """What is added to the root is negative or not."""
        on = Relation(self._ring.write(rest), ">=", ZERO)
        first = self._with_fact(rest, ">=").certificate(
            slope * self._form.context.gen(place) + rest, operator, depth + 1
        )
        if first is None:
            return None
        second = self._with_fact(rest, "<")._by_conjugate(
            relation, slope * self._form.context.gen(place) + rest, kernel, place, operator, depth + 1
        )
        return None if second is None else Cases(relation, on, first, second)

    def _with_fact(self, polynomial: Polynomial, operator: str) -> Terms:
        made = Terms(self._ring, (), (), self._effort)
        made._facts, made._hypotheses = dict(self._facts), list(self._hypotheses)
        made._roots = self._roots
        relation = Relation(self._ring.write(polynomial), operator, ZERO)
        made._learn(relation, self._form.polynomial(polynomial))
        return made

    def _split(self, polynomial: Polynomial, place: int) -> tuple[Polynomial, Polynomial]:
        context = self._form.context
        slope, rest = context.constant(0), context.constant(0)
        for powers, value in polynomial.terms():
            low = tuple(0 if at == place else int(power) for at, power in enumerate(powers))
            part = context.from_dict({low: value})
            slope, rest = (slope + part, rest) if powers[place] else (slope, rest + part)
        return slope, rest

    def _certain(self, polynomial: Polynomial, depth: int) -> int | None:
        """The sign of a polynomial that is never 0, if it is shown."""
        for sign in (1, -1):
            if self.showing(self._form.polynomial(polynomial * sign), ">", depth + 1) is not None:
                return sign
        return None

    def _by_squares(self, relation: Relation) -> Reason | None:
        """A sum of squares times what the domains show not to be negative."""
        if any(kernel.kind != "sqrt" for kernel in self._form.kernels) or not self._effort.spend(_SQUARES):
            return None
        goal = positivity(relation, ())
        if goal is None or not seems_true(goal, strictly=relation.operator == ">"):
            return None
        seen = by_squares(goal, Budget(_OPERATIONS))
        if seen is None or seen.gaps:
            return None
        sign = Sign(seen.written, relation.operator)
        below = () if goal.denominator == Number(Fraction(1)) else ((Sign(goal.denominator, ">"), -1),)
        return Difference(relation, (Term(Fraction(goal.sign), ((sign, 1), *below)),))

    # Samples, so that nothing is searched for that is not there.

    @cached_property
    def _points(self) -> list[list[float]]:
        """The values of all generators at points at which the hypotheses hold."""
        found: list[list[float]] = []
        for point in draw_points(self._form.symbols, _SAMPLES * 5, seed=0):
            values = [float(point[symbol]) for symbol in self._form.symbols]
            if len(found) == _SAMPLES:
                break
            try:
                for kernel in self._form.kernels:
                    values.append(_value(kernel, values))
            except (ValueError, ZeroDivisionError, OverflowError):
                continue
            values += [0.0] * (len(self._form.generator_names) - len(values))
            if all(_at(weight.polynomial, values) >= 0 for weight in self._hypotheses):
                found.append(values)
        return found

    def _seems(self, polynomial: Polynomial, operator: str) -> bool:
        try:
            terms = [(int(value.p) / int(value.q), powers) for powers, value in polynomial.terms()]
            return all(_sum(terms, values) >= -_FAINT for values in self._points)
        except OverflowError:
            return True


def _signed(why: Reason) -> Sign:
    """What a reason says of the sign of its left side; the reason is left out where the domains show it."""
    relation = why.relation
    match why:
        case Difference(_, (Term(coefficient, ((sign, 1),)),)) if coefficient == 1:
            return sign
    return Sign(relation.left, relation.operator, None if decide_by_range(relation) else why)


def _value(kernel: Kernel, values: Sequence[float]) -> float:
    given = [_at(one.numerator, values) / _at(one.denominator, values) for one in kernel.arguments]
    match kernel.kind:
        case "absolute":
            return abs(given[0])
        case "maximum":
            return max(given)
        case "minimum":
            return min(given)
        case "arctan":
            return math.atan(given[0])
        case "sqrt" | "exp" | "log" | "cos" as name:
            return float(getattr(math, name)(given[0]))
        case _:
            return 0.0


def _at(polynomial: Polynomial, values: Sequence[float]) -> float:
    return _sum([(int(value.p) / int(value.q), powers) for powers, value in polynomial.terms()], values)


def _sum(terms: Sequence[tuple[float, Sequence[int]]], values: Sequence[float]) -> float:
    total = 0.0
    for term, powers in terms:
        for value, power in zip(values, powers, strict=False):
            if power:
                term *= value ** int(power)
        total += term
    return total
