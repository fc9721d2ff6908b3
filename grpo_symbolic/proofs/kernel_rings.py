"""Terms of the kernel as polynomials that can be factored, and laws by which roots and absolute values are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce

from flint import fmpq, fmpq_mpoly_ctx

from grpo_symbolic.kernel.algebra import Generator, Law, Quotient, Ring
from grpo_symbolic.kernel.algebra import Polynomial as Sparse
from grpo_symbolic.kernel.rules import Goal
from grpo_symbolic.kernel.terms import ONE, ZERO, RefusedError, Term, make, number
from grpo_symbolic.translate.algebra import Polynomial

_LARGEST_PRIME = 1_000


class Polynomials:
    """Polynomials over the generators that a ring has met so far."""

    def __init__(self, ring: Ring) -> None:
        self.generators = tuple(one.term if isinstance(one, Generator) else one for one in ring.generators)
        count = max(1, len(self.generators))
        self.context = fmpq_mpoly_ctx.get(("x", count))
        self.one = self.context.constant(1)
        self._squares: list[tuple[int, Polynomial]] = []
        #: What is 0 by the meaning of roots that are no polynomials.
        self.equations: list[Polynomial] = []
        for place, known in reversed(tuple(enumerate(ring.generators))):
            if isinstance(known, Generator) and known.square is not None:
                (above, below), root = self.fraction(known.square), self.context.gen(place)
                if below.is_constant():
                    self._squares.append((place, above / below.coeffs()[0]))
                else:
                    self.equations.append(below * root**2 - above)

    def polynomial(self, sparse: Sparse) -> tuple[Polynomial, Polynomial]:
        """A polynomial with powers that may be negative, over the monomial that makes them not so."""
        count = self.context.nvars()
        shift = [0] * count
        for monomial in sparse:
            for place, power in monomial:
                shift[place] = max(shift[place], -power)
        terms = {}
        for monomial, value in sparse.items():
            powers = list(shift)
            for place, power in monomial:
                powers[place] += power
            terms[tuple(powers)] = fmpq(value.numerator, value.denominator)
        return self.context.from_dict(terms), self.context.from_dict({tuple(shift): fmpq(1)})

    def fraction(self, value: Quotient) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator of a quotient."""
        above, below = self.polynomial(value.above)
        for key, power in value.below.items():
            factor, over = self.polynomial(dict(key))
            above, below = above * over**power, below * factor**power
        return above, below

    def factored(self, value: Quotient) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A content and the powers of irreducible factors, those of the denominator negative."""
        above, below = self.polynomial(value.above)
        powers: dict[str, tuple[Polynomial, int]] = {}
        content = Fraction(1)
        parts = [(self.reduced(above), 1), (below, -1)]
        for key, power in value.below.items():
            factor, over = self.polynomial(dict(key))
            parts += [(factor, -power), (over, power)]
        for part, times in parts:
            if part.is_zero():
                return Fraction(0), []
            leading, factors = part.factor()
            content *= Fraction(int(leading.p), int(leading.q)) ** times
            for one, power in factors:
                _, known = powers.get(str(one), (one, 0))
                powers[str(one)] = one, known + power * times
        return content, [pair for pair in powers.values() if pair[1]]

    def reduced(self, value: Polynomial) -> Polynomial:
        """A polynomial with what squares of roots are in their places."""
        for place, square in self._squares:
            while not value.is_zero() and value.degrees()[place] > 1:
                high, low = {}, {}
                for powers, coefficient in value.to_dict().items():
                    if powers[place] > 1:
                        high[(*powers[:place], powers[place] - 2, *powers[place + 1 :])] = coefficient
                    else:
                        low[powers] = coefficient
                value = self.context.from_dict(low) + self.context.from_dict(high) * square
        return value

    def term(self, value: Polynomial) -> Term:
        """A polynomial as the kernel has it, positive terms first."""
        terms = sorted(value.to_dict().items(), key=lambda pair: pair[1] < 0)
        whole: Term | None = None
        for powers, coefficient in terms:
            size = Fraction(abs(int(coefficient.p)), int(coefficient.q))
            negative = coefficient < 0
            if whole is None:
                whole = self._monomial(powers, -size if negative else size)
            else:
                whole = make("subtract" if negative else "add", whole, self._monomial(powers, size))
        return ZERO if whole is None else whole

    def _monomial(self, powers: Sequence[int], coefficient: Fraction) -> Term:
        factors = [raised(one, int(power)) for one, power in zip(self.generators, powers, strict=False) if power]
        return multiplied(number(coefficient), *factors)


def factored(value: Polynomial) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
    """The content of a polynomial and the powers of its irreducible factors."""
    leading, factors = value.factor()
    return Fraction(int(leading.p), int(leading.q)), [(one, int(power)) for one, power in factors]


def split(value: Polynomial, place: int) -> tuple[Polynomial, Polynomial]:
    """What a generator, in which a polynomial is linear, is multiplied with, and the rest."""
    slope, rest = {}, {}
    for powers, coefficient in value.to_dict().items():
        if powers[place]:
            slope[(*powers[:place], powers[place] - 1, *powers[place + 1 :])] = coefficient
        else:
            rest[powers] = coefficient
    context = value.context()
    return context.from_dict(slope), context.from_dict(rest)


def raised(term: Term, power: int) -> Term:
    """A power of a term."""
    return term if power == 1 else make("power", term, number(power))


def multiplied(*factors: Term) -> Term:
    """A product, without factors 1."""
    kept = [one for one in factors if one is not ONE]
    return reduce(lambda left, right: make("multiply", left, right), kept) if kept else ONE


def summands(term: Term, sign: int) -> Iterator[tuple[int, Term]]:
    """What a sum, which counts with a sign, is the sum of as it was typed, with signs."""
    if term.op in ("add", "subtract"):
        yield from summands(term.args[0], sign)
        yield from summands(term.args[1], sign if term.op == "add" else -sign)
    elif term.op == "negate":
        yield from summands(term.args[0], -sign)
    else:
        yield sign, term


def subterms(*terms: Term) -> list[Term]:
    """All terms in terms, inner ones first."""
    found: dict[Term, None] = {}

    def visit(term: Term) -> None:
        if term not in found:
            for one in term.args:
                if isinstance(one, Term):
                    visit(one)
            found[term] = None

    for one in terms:
        visit(one)
    return list(found)


def choice(term: Term) -> Term | None:
    """Of what the sign decides an absolute value, a maximum or a minimum."""
    if term.op == "absolute":
        inner: Term = term.args[0]
        return inner
    return make("subtract", *term.args) if term.op in ("maximum", "minimum") else None


def laws_in(goal: Goal, terms: Sequence[Term]) -> list[Law]:
    """Laws for the absolute values of which the sign is shown, and for the roots of products."""
    laws: list[Law] = []
    for term in terms:
        inner = choice(term)
        if inner is not None:
            sign = next((s for s, op in ((1, ">="), (-1, "<=")) if goal.shown(make(op, inner, ZERO))), None)
            if sign is not None:
                laws.append(Law("absolute", inner, ((inner, Fraction(sign)),)))
        half = term.op == "power" and term.args[1].op == "num" and term.args[1].args[0].denominator == 2
        if term.op == "sqrt" or half:
            law = _law_of_root(goal, term.args[0], laws)
            if law is not None and law not in laws:
                laws.append(law)
    return [*laws, *_laws_of_exponentials(goal, terms, laws)]


def _laws_of_exponentials(goal: Goal, terms: Sequence[Term], laws: Sequence[Law]) -> Iterator[Law]:
    """Exponentials of multiples of the arguments of others as powers of these."""
    ring, found = Ring(goal.shown, laws), list[tuple[Term, Quotient]]()
    for term in terms:
        argument = term.args[0] if term.op in ("exp", "cosh", "sinh", "tanh") else None
        try:
            value = None if argument is None else ring.quotient(argument)
        except RefusedError:
            continue
        if argument is None or value is None or not value.above:
            continue
        for other, known in found:
            ratio = _ratio(value, known)
            if ratio is not None:
                if ratio != 1 and ratio.denominator <= 2:
                    yield Law("exp", argument, ((make("exp", other), ratio),))
                break
        else:
            found.append((argument, value))


def _ratio(one: Quotient, other: Quotient) -> Fraction | None:
    """By which number a quotient has to be multiplied to become another one."""
    if one.below != other.below or one.above.keys() != other.above.keys():
        return None
    ratios = {value / other.above[monomial] for monomial, value in one.above.items()}
    return ratios.pop() if len(ratios) == 1 else None


def _law_of_root(goal: Goal, radicand: Term, laws: Sequence[Law]) -> Law | None:
    """The root of a product of what is shown not to be negative, of one factor excepted."""
    ring = Ring(goal.shown, laws)
    try:
        value = ring.quotient(radicand)
    except RefusedError:
        return None
    polynomials = Polynomials(ring)
    content, factors = polynomials.factored(value)
    found: list[tuple[Term, Fraction]] = []
    unknown: list[int] = []
    for factor, power in factors:
        term = polynomials.term(factor)
        if power % 4 == 0 or goal.shown(make(">=", term, ZERO)):
            pass
        elif goal.shown(make("<=", term, ZERO)):
            term, content = polynomials.term(-factor), content * (-1 if power % 2 else 1)
        elif power % 2 == 0:
            term = make("absolute", term)
        else:
            unknown.append(len(found))
        if power < 0 and not goal.shown(make("!=", term, ZERO)):
            return None
        found.append((term, Fraction(power)))
    if content < 0 and len(unknown) == 1:
        at = unknown[0]
        content, found[at] = -content, (polynomials.term(-factors[at][0]), found[at][1])
    if content <= 0 or len(unknown) > 1 or (unknown and not _is_excused(goal, found, unknown[0])):
        return None
    numbers = [(number(prime), Fraction(power)) for prime, power in _prime_powers(content)]
    whole = (*numbers, *found)
    return (
        None
        if whole == ((radicand, Fraction(1)),) or (len(found) == 1 == found[0][1] and not numbers)
        else Law("sqrt", radicand, whole)
    )


def _is_excused(goal: Goal, factors: Sequence[tuple[Term, Fraction]], at: int) -> bool:
    others = [pair for place, pair in enumerate(factors) if place != at]
    needed = (make("!=" if power % 2 == 0 else ">", term, ZERO) for term, power in others)
    return factors[at][1] == 1 and all(map(goal.shown, needed))


def _prime_powers(value: Fraction) -> Iterator[tuple[int, int]]:
    for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
        prime = 2
        while prime * prime <= whole and prime < _LARGEST_PRIME:
            power = 0
            while whole % prime == 0:
                whole, power = whole // prime, power + 1
            if power:
                yield prime, sign * power
            prime += 1
        if whole > 1:
            yield whole, sign
