"""Expressions as quotients of polynomials over generators: the equalities on which proofs rest.

A generator is a symbol, or a function of a quotient: ``sqrt``, ``exp``, ``log`` or ``absolute``. Equal functions of
equal quotients are one generator. How functions are written by others is not worked out here: a proof states *laws*.

    sqrt(u) = product of f**(c/2)   if u = product of f**c; f >= 0 unless c is a multiple of 4
    log(u)  = sum of c*log(f)       if u = product of f**c; all f > 0
    exp(u)  = product of f**c       if u = sum of c*log(f); all f > 0
    absolute(u) = u or -u           if u >= 0 or u <= 0

Soundness. Take a point of the domains at which what a law needs holds, and give each generator the value of what it
stands for. Then s*s = u for s = sqrt(u) and s*s = u*u for s = absolute(u), and where an expression has a value, its
quotient has no denominator that is 0 and has that value. This is algebra for arithmetic, as nothing is cancelled but
monomials, which are not 0 there; for functions it is one of the laws, whose equation was checked in the same way. So an
expression of which the numerator becomes 0 by s*s is 0 wherever it has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from grpo_symbolic.kernel.terms import TWO, ZERO, RefusedError, Term, conditions, make, spend

#: Powers of generators by their places, in order; exponents of symbols may be negative.
Monomial: TypeAlias = tuple[tuple[int, int], ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]
#: A polynomial that can be a key.
Key: TypeAlias = tuple[tuple[Monomial, Fraction], ...]

_MOST_PRODUCTS, _LARGEST_POWER, _LONGEST = 400_000, 200, 40_000


@dataclass(frozen=True)
class Quotient:
    """A polynomial over powers of others."""

    above: Polynomial
    below: Mapping[Key, int]


@dataclass(frozen=True)
class Law:
    """``kind`` of ``argument`` by the factors f with their exponents c; of an absolute value c is the sign."""

    kind: str
    argument: Term
    factors: tuple[tuple[Term, Fraction], ...]


@dataclass
class Generator:
    """A function of a quotient, with its square if that is written by others."""

    kind: str
    argument: Quotient
    square: Quotient | None
    term: Term


class Ring:
    """Quotients of terms, by some laws; ``shown`` says whether a relation holds wherever the proof speaks."""

    def __init__(self, shown: Callable[[Term], bool], laws: Sequence[Law] = ()) -> None:
        self._shown, self._laws = shown, laws
        #: What has been met, in its order: symbols, and functions of earlier ones.
        self.generators: list[Generator | Term] = []
        self._symbols: dict[str, int] = {}
        self._known: dict[Term, Quotient] = {}
        self._used: set[int] = set()

    def is_zero(self, term: Term) -> bool:
        """Whether an expression is 0 wherever it has a value.

        Raises:
            RefusedError: for operators without a quotient, for laws that do not fit, and for what is too large.
        """
        return not self._reduced(self.quotient(term).above).above

    def are_equal(self, one: Term, other: Term) -> bool:
        """Whether two expressions are equal wherever both have values."""
        return one is other or self.is_zero(make("subtract", one, other))

    def quotient(self, term: Term) -> Quotient:
        """An expression as a quotient."""
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._quotient(term)
        return found

    def _quotient(self, term: Term) -> Quotient:
        op, args = term.op, term.args
        if op == "num":
            return _constant(args[0])
        if op == "sym":
            return self._symbol(term)
        if op == "power" and args[1].op == "num":
            return self._typed_power(args[0], args[1].args[0])
        match op:
            case "power":
                return self.quotient(make("exp", make("multiply", args[1], make("log", args[0]))))
            case "add":
                return self._plus(self.quotient(args[0]), self.quotient(args[1]))
            case "subtract":
                return self._plus(self.quotient(args[0]), _scaled(self.quotient(args[1]), -1))
            case "negate":
                return _scaled(self.quotient(args[0]), -1)
            case "multiply":
                return self._times(self.quotient(args[0]), self.quotient(args[1]))
            case "divide":
                return self._times(self.quotient(args[0]), self._reciprocal(self.quotient(args[1])))
            case "maximum" | "minimum":
                one, other = args
                apart = make("absolute", make("subtract", one, other))
                whole = make("add" if op == "maximum" else "subtract", make("add", one, other), apart)
                return self.quotient(make("divide", whole, TWO))
            case "cosh" | "sinh" | "tanh":
                growing = self.quotient(make("exp", args[0]))
                falling = self._reciprocal(growing)
                even, odd = self._plus(growing, falling), self._plus(growing, _scaled(falling, -1))
                if op == "tanh":
                    return self._times(odd, self._reciprocal(even))
                return _scaled(even if op == "cosh" else odd, Fraction(1, 2))
            case "sqrt" | "exp" | "log" | "absolute":
                return self._function(op, args[0])
        raise RefusedError(f"no quotient for {op}")

    def _symbol(self, term: Term) -> Quotient:
        name = term.args[0]
        if name not in self._symbols:
            self._symbols[name] = len(self.generators)
            self.generators.append(term)
        return Quotient({((self._symbols[name], 1),): Fraction(1)}, {})

    def _typed_power(self, base: Term, exponent: Fraction) -> Quotient:
        if exponent.denominator not in (1, 2):
            raise RefusedError("an exponent is neither an integer nor half of one")
        inner = base if exponent.denominator == 1 else make("sqrt", base)
        return self._power(self.quotient(inner), exponent.numerator)

    # Functions, by laws.

    def _function(self, kind: str, argument: Term) -> Quotient:
        # What is inside is known first, by all laws.
        self.quotient(argument)
        for place, law in enumerate(self._laws):
            # A law speaks by the functions in it, which are no occasion to use it once more.
            if law.kind == kind and place not in self._used:
                self._used.add(place)
                try:
                    if self.are_equal(law.argument, argument):
                        return self._by_law(law)
                finally:
                    self._used.discard(place)
        return self._generator(kind, argument)

    def _generator(self, kind: str, argument: Term) -> Quotient:
        value, term = self.quotient(argument), make(kind, argument)
        at_zero = {"sqrt": 0, "absolute": 0, "exp": 1}
        if not value.above and kind in at_zero:
            return _constant(Fraction(at_zero[kind]))
        if kind == "log" and self._same(value, _constant(Fraction(1))):
            return _constant(Fraction(0))
        for place, known in enumerate(self.generators):
            if not isinstance(known, Generator) or known.kind != kind or not self._same(known.argument, value):
                continue
            # By way of a denominator that is 0 arguments that differ would be the same.
            if known.argument.below == value.below or self._has_value(known.term):
                return Quotient({((place, 1),): Fraction(1)}, {})
        square = {"sqrt": value, "absolute": self._times(value, value)}.get(kind)
        self.generators.append(Generator(kind, value, square, term))
        return Quotient({((len(self.generators) - 1, 1),): Fraction(1)}, {})

    def _same(self, one: Quotient, other: Quotient) -> bool:
        return not self._reduced(self._plus(one, _scaled(other, -1)).above).above

    def _by_law(self, law: Law) -> Quotient:
        if law.kind == "absolute":
            ((value, sign),) = law.factors
            self._require(make(">=" if sign > 0 else "<=", law.argument, ZERO))
            self._fits(self._same(self.quotient(value), self.quotient(law.argument)))
            return _scaled(self.quotient(law.argument), 1 if sign > 0 else -1)
        if any(exponent.denominator not in ((1,) if law.kind == "sqrt" else (1, 2)) for _, exponent in law.factors):
            raise RefusedError("the exponents of a law are too fine")
        if law.kind == "exp":
            self._fits(self._same(self._logarithms(law), self.quotient(law.argument)))
        else:
            # Neither side is negative, so squares may be compared where exponents are halves.
            times = max((exponent.denominator for _, exponent in law.factors), default=1)
            product = _constant(Fraction(1))
            for factor, exponent in law.factors:
                product = self._times(product, self._power(self.quotient(factor), int(exponent * times)))
            self._fits(self._same(product, self._power(self.quotient(law.argument), times)))
        self._require_signs(law)
        if law.kind == "log":
            return self._logarithms(law)
        whole = _constant(Fraction(1))
        for factor, exponent in law.factors:
            power = exponent if law.kind == "exp" else exponent / 2
            root = self.quotient(factor) if power.denominator == 1 else self._function("sqrt", factor)
            whole = self._times(whole, self._power(root, power.numerator))
        return whole

    def _logarithms(self, law: Law) -> Quotient:
        total = _constant(Fraction(0))
        for factor, exponent in law.factors:
            value = self.quotient(factor.args[0]) if factor.op == "exp" else self._logarithm(factor)
            total = self._plus(total, _scaled(value, exponent))
        return total

    def _logarithm(self, factor: Term) -> Quotient:
        value = self.quotient(factor)
        ((powers, coefficient),) = [*value.above.items()] if len(value.above) == 1 else [((), Fraction(0))]
        if coefficient == 1 and len(powers) == 1 and powers[0][1] == 1 and not value.below:
            known = self.generators[powers[0][0]]
            if isinstance(known, Generator) and known.kind == "exp":
                return known.argument
        return self._generator("log", factor)

    def _require_signs(self, law: Law) -> None:
        excused = False
        for factor, exponent in law.factors:
            if law.kind != "sqrt":
                if factor.op != "exp":
                    self._require(make(">", factor, ZERO))
                continue
            if exponent < 0:
                self._require(make("!=", factor, ZERO))
            if exponent % 4 and not self._shown(make(">=", factor, ZERO)):
                # What is under a root is not negative: neither is one factor of it, if the others are positive.
                others = ((one, power) for one, power in law.factors if one is not factor)
                if excused or exponent != 1:
                    raise RefusedError(f"it is not shown that {factor} is not negative", make(">=", factor, ZERO))
                for one, power in others:
                    self._require(make("!=" if power % 2 == 0 else ">", one, ZERO))
                excused = True

    def _require(self, relation: Term) -> None:
        if not self._shown(relation):
            raise RefusedError(f"a law needs {relation}", relation)

    @staticmethod
    def _fits(fits: bool) -> None:
        if not fits:
            raise RefusedError("a law is about something else")

    # Arithmetic of quotients.

    def _plus(self, one: Quotient, other: Quotient) -> Quotient:
        below = {key: max(one.below.get(key, 0), other.below.get(key, 0)) for key in (*one.below, *other.below)}
        total: Polynomial = {}
        for side in (one, other):
            above = side.above
            for key, power in below.items():
                above = _product(above, _raised(dict(key), power - side.below.get(key, 0)))
            total = _sum(total, above)
        return self._reduced(total, below)

    def _times(self, one: Quotient, other: Quotient) -> Quotient:
        below = dict(one.below)
        for key, power in other.below.items():
            below[key] = below.get(key, 0) + power
        return self._reduced(_product(one.above, other.above), below)

    def _power(self, base: Quotient, exponent: int) -> Quotient:
        if abs(exponent) > _LARGEST_POWER:
            raise RefusedError("a power is too large")
        if exponent < 0:
            base = self._reciprocal(base)
        whole = _constant(Fraction(1))
        for _ in range(abs(exponent)):
            whole = self._times(whole, base)
        return whole

    def _reciprocal(self, value: Quotient) -> Quotient:
        if not value.above:
            raise RefusedError("division by 0")
        # Powers of what is no root become negative powers, the rest of a numerator a denominator.
        common = _common_powers(value.above)
        inverse = tuple(
            (place, -power) for place, power in sorted(common.items()) if power and not self._is_root(place)
        )
        leading = value.above[max(value.above)]
        rest = {_merged(monomial, inverse): number / leading for monomial, number in value.above.items()}
        above: Polynomial = {inverse: 1 / leading}
        for key, power in value.below.items():
            above = _product(above, _raised(dict(key), power))
        return self._reduced(above, {} if rest == {(): Fraction(1)} else {_key(rest): 1})

    def _is_root(self, place: int) -> bool:
        known = self.generators[place]
        return isinstance(known, Generator) and known.square is not None

    def _reduced(self, above: Polynomial, below: Mapping[Key, int] | None = None) -> Quotient:
        """A quotient without squares of roots in its numerator, last roots first: these stand in no earlier ones."""
        found = Quotient(above, {} if below is None or not above else below)
        spend(len(self.generators) + len(above))
        for place in reversed(range(len(self.generators))):
            known = self.generators[place]
            if (
                isinstance(known, Generator)
                and known.square is not None
                and any(power > 1 for monomial in found.above for at, power in monomial if at == place)
            ):
                found = self._without_squares(found, place, known.square)
        return found

    def _without_squares(self, value: Quotient, place: int, square: Quotient) -> Quotient:
        parts: dict[int, Polynomial] = {}
        for monomial, coefficient in value.above.items():
            powers = dict(monomial)
            half, odd = divmod(powers.pop(place, 0), 2)
            left = {**powers, place: odd} if odd else powers
            parts.setdefault(half, {})[tuple(sorted(left.items()))] = coefficient
        most = max(parts)
        above: Polynomial = {}
        for half, part in parts.items():
            whole = _product(part, _raised(square.above, half))
            for key, power in square.below.items():
                whole = _product(whole, _raised(dict(key), power * (most - half)))
            above = _sum(above, whole)
        below = dict(value.below)
        for key, power in square.below.items():
            below[key] = below.get(key, 0) + power * most
        return Quotient(above, below if above else {})

    def canonical(self, relation: Term) -> tuple[str, Key] | None:
        """A relation up to a positive factor, of polynomials without common positive generators; None for others."""
        try:
            value = self.quotient(make("subtract", *relation.args))
        except RefusedError:
            return None
        if value.below or not value.above:
            return None
        powers = _common_powers(value.above)
        positive = {place for place, power in powers.items() if power and self._is_positive(place)}
        if any(power < 0 and place not in positive for place, power in powers.items()):
            return None
        inverse = tuple((place, -powers[place]) for place in sorted(positive))
        leading = abs(value.above[max(value.above)])
        return relation.op, _key({_merged(one, inverse): number / leading for one, number in value.above.items()})

    def _is_positive(self, place: int) -> bool:
        known = self.generators[place]
        term = known.term if isinstance(known, Generator) else known
        return self._has_value(term) and self._shown(make(">", term, ZERO))

    def _has_value(self, term: Term) -> bool:
        return all(map(self._shown, conditions(term)))


def _common_powers(polynomial: Polynomial) -> dict[int, int]:
    """The least power of each generator among the monomials."""
    places = {place for monomial in polynomial for place, _ in monomial}
    return {place: min(dict(monomial).get(place, 0) for monomial in polynomial) for place in places}


def _constant(value: Fraction) -> Quotient:
    return Quotient({(): value} if value else {}, {})


def _scaled(value: Quotient, factor: Fraction | int) -> Quotient:
    return Quotient({monomial: one * factor for monomial, one in value.above.items()} if factor else {}, value.below)


def _key(polynomial: Polynomial) -> Key:
    return tuple(sorted(polynomial.items()))


def _sum(one: Polynomial, other: Polynomial) -> Polynomial:
    total = dict(one)
    for monomial, value in other.items():
        left = total.get(monomial, 0) + value
        if left:
            total[monomial] = left
        else:
            del total[monomial]
    return total


def _merged(one: Monomial, other: Monomial) -> Monomial:
    if not one or not other:
        return one or other
    powers = dict(one)
    for place, power in other:
        left = powers.get(place, 0) + power
        if left:
            powers[place] = left
        else:
            del powers[place]
    return tuple(sorted(powers.items()))


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    if len(one) * len(other) > _MOST_PRODUCTS:
        raise RefusedError("a product has too many terms")
    spend(4 * len(one) * len(other))
    if other == {(): 1}:
        return one
    # Numbers over one denominator are multiplied as whole ones.
    first, second = _denominator(one), _denominator(other)
    times = [(monomial, value.numerator * (second // value.denominator)) for monomial, value in other.items()]
    total: dict[Monomial, int] = {}
    for left, value in one.items():
        a = value.numerator * (first // value.denominator)
        for right, b in times:
            monomial = _merged(left, right)
            total[monomial] = total.get(monomial, 0) + a * b
    whole = first * second
    if any(value.bit_length() + whole.bit_length() > _LONGEST for value in total.values()):
        raise RefusedError("a number is too large")
    return {monomial: Fraction(value, whole) for monomial, value in total.items() if value}


def _denominator(polynomial: Polynomial) -> int:
    """One denominator for all coefficients."""
    found = lcm(*(value.denominator for value in polynomial.values()))
    if found.bit_length() > _LONGEST:
        raise RefusedError("a number is too large")
    return found


def _raised(base: Polynomial, exponent: int) -> Polynomial:
    whole: Polynomial = {(): Fraction(1)}
    for _ in range(exponent):
        whole = _product(whole, base)
    return whole
