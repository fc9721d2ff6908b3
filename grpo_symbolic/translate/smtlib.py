"""Obligations as SMT-LIB scripts over the real numbers, with kernels as variables.

A relation has a value only where its denominators, radicands and logarithms allow it. Here an atom
*holds* where it is defined and true, and *fails* where it is defined and false; composite statements
follow (a conjunction fails where one part fails, and so on). What does not hold *lacks* truth, defined or not: an
implication holds where its premise has no value, because it claims nothing there. The obligation is refuted by a
point of the domains where the hypotheses hold and the conclusion fails. So a conclusion is judged wherever it is
defined, relation by relation: that it is defined everywhere is an obligation of its own
(``obligations.well_defined``), which is why denominators may be asserted to be nonzero here.

Exponentials and logarithms become variables with axioms that are true of the functions: if the script is
unsatisfiable the obligation holds, but a model need not be a point. Roots, absolute values, maxima and
minima are defined exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import MIRRORED, NEGATIONS, All, Any, Equivalent, Implies, Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Form, Kernel, Polynomial, Proposals, Quotient
from grpo_symbolic.translate.balls import as_fraction
from grpo_symbolic.translate.ranges import holds_for_signs

#: With more exponentials and logarithms than this, only neighbours in the list are compared.
_MOST_KERNELS_TO_PAIR = 6


@dataclass(frozen=True)
class Scripts:
    """What a solver is asked: ``refutation`` is satisfiable at counterexamples, and ``form`` knows its variables."""

    refutation: str
    form: Form


@lru_cache(maxsize=64)
def scripts_for(
    obligation: Obligation, propose: Callable[[Sequence[Expression]], Proposals], *, strong: bool = False
) -> Scripts:
    """Translate an obligation; ``strong`` adds sharper axioms about exponentials and logarithms.

    Raises:
        UnsupportedError: if an expression has no polynomial form, even with kernels as variables.
        UndefinedError: if an expression divides by something that is identically zero.
    """
    return _Writer(obligation, propose, strong).scripts()


class _Writer:
    def __init__(
        self, obligation: Obligation, propose: Callable[[Sequence[Expression]], Proposals], strong: bool
    ) -> None:
        self._obligation = obligation
        self._strong = strong
        self._form = Form(obligation.symbols, propose(obligation.expressions))
        self._guarding: dict[str, list[str]] = {}
        self._written: dict[tuple[Relation, str], str] = {}

    def scripts(self) -> Scripts:
        form = self._form
        given = [part for hypothesis in self._obligation.hypotheses for part in self._that(hypothesis, "holds")]
        fails = self._that(self._obligation.conclusion, "fails")
        if form.conditions:
            raise UnsupportedError("a script cannot rest on conditions")
        domains = [part for symbol in form.symbols for part in _within(form.names[symbol.name], symbol.domain)]
        facts = (*domains, *given, *fails)
        asserted = dict.fromkeys(facts)
        for kernels, axiom in self._definitions():
            guards = dict.fromkeys(guard for kernel in kernels for guard in self._guards(kernel))
            needed = _all(guard for guard in guards if guard not in facts)
            asserted[_either((_not(needed), axiom))] = None
        variables = (*form.names.values(), *(kernel.name for kernel in form.kernels))
        declared = (f"(declare-fun {name} () Real)" for name in variables)
        lines = ("(set-logic QF_NRA)", *declared, *(f"(assert {part})" for part in asserted), "")
        return Scripts("\n".join(lines), form)

    # Statements: conjuncts of what it is that a statement does.

    def _that(self, statement: Statement, does: str) -> list[str]:
        """That a statement holds, fails or lacks truth.

        ``lacks`` is the complement of ``holds``, true wherever that is not, also where a part has no value.
        """
        match statement:
            case Relation():
                return self._atom(statement, does)
            case All(parts) | Any(parts):
                if isinstance(statement, All) is (does == "holds"):
                    return [conjunct for part in parts for conjunct in self._that(part, does)]
                return [_either(_all(self._that(part, does)) for part in parts)]
            case Implies(premise, conclusion):
                if does == "holds":
                    return [_either((_all(self._that(premise, "lacks")), _all(self._that(conclusion, "holds"))))]
                return [*self._that(premise, "holds"), *self._that(conclusion, does)]
            case Equivalent(left, right):
                equal = (("holds", "holds"), ("lacks", "lacks"))
                cases = equal if does == "holds" else (("holds", does), (does, "holds"))
                return [_either(_all([*self._that(left, one), *self._that(right, other)]) for one, other in cases)]
            case _:
                raise UnsupportedError(f"expand composite statements first: {statement}")

    def _atom(self, relation: Relation, does: str) -> list[str]:
        conditions = (*side_conditions(relation.left), *side_conditions(relation.right))
        defined = [self._relation(condition, condition.operator) for condition in conditions]
        if does == "holds":
            return [*defined, self._relation(relation, relation.operator)]
        failing = self._relation(relation, NEGATIONS[relation.operator])
        return [*defined, failing] if does == "fails" else [_either((*map(_not, defined), failing))]

    def _relation(self, relation: Relation, operator: str) -> str:
        asked = (relation, operator)
        if asked not in self._written:
            value = self._form.quotient(relation.left) - self._form.quotient(relation.right)
            self._written[asked] = self._compare(value, operator)
        return self._written[asked]

    def _compare(self, value: Quotient, operator: str) -> str:
        """``value operator 0``, where the denominator of the value is not zero.

        The sign of n/d is that of n*d. Factors of known sign are dropped from both, and even powers of those that are
        known not to vanish.
        """
        form = self._form
        numerator, denominator = form.reduced(value.numerator), form.reduced(value.denominator)
        if operator in ("=", "!="):
            vanishing = [factor for factor, _ in form.factors(numerator)[1] if 0 in form.signs(factor, whole=True)]
            either = _either(map(self._zero, vanishing)) if numerator != 0 else "true"
            return either if operator == "=" else _not(either)
        (above, factors), (below, divisors) = form.factors(numerator), form.factors(denominator)
        sign, remaining = (above * below > 0) - (above * below < 0), list[Polynomial]()
        for factor, multiplicity in (*factors, *((divisor, power % 2) for divisor, power in divisors)):
            if (known := form.signs(factor, whole=True)) in (frozenset((1,)), frozenset((-1,))):
                sign *= next(iter(known)) ** multiplicity
            elif multiplicity:
                remaining.append(factor if multiplicity % 2 else factor * factor)
        signs = frozenset((sign,))
        for factor in remaining:
            signs = frozenset(one * other for one in signs for other in form.signs(factor))
        if (holds := holds_for_signs(signs, operator)) is not None:
            return "true" if holds else "false"
        text = _applied("*", [_polynomial(factor, form.generator_names) for factor in remaining])
        return f"({operator if sign > 0 else MIRRORED[operator]} {text} 0)"

    def _zero(self, polynomial: Polynomial) -> str:
        return f"(= {_polynomial(polynomial, self._form.generator_names)} 0)"

    # Kernels.

    def _definitions(self) -> Iterator[tuple[Sequence[Kernel], str]]:
        """Defining constraints and axioms, each with the kernels that have to have their values for it to hold."""
        for kernel in self._form.kernels:
            yield from (((), fact) for fact in _within(kernel.name, kernel.values))
            yield from (((kernel,), fact) for fact in self._facts(kernel))
        known = [kernel for kernel in self._form.kernels if kernel.kind in ("exp", "log")]
        pairs = combinations(known, 2) if len(known) <= _MOST_KERNELS_TO_PAIR else pairwise(known)
        for first, second in pairs:
            yield from (((first, second), fact) for fact in self._pair_facts(first, second))
        if self._strong and len(known) <= _MOST_KERNELS_TO_PAIR:
            exponentials = [kernel for kernel in known if kernel.kind == "exp"]
            logarithms = [kernel for kernel in known if kernel.kind == "log"]
            for power, (first, second) in product(exponentials, permutations(logarithms, 2)):
                yield from (((power, first, second), fact) for fact in self._quotient_facts(power, first, second))

    def _guards(self, kernel: Kernel) -> list[str]:
        """Where the generator has the value that its kind promises."""
        if kernel.name not in self._guarding:
            # Where an inner root or logarithm has no value, its generator is any number and its square no radicand.
            used = frozenset[str]().union(*map(self._form.inside, kernel.arguments))
            inner = [one for one in self._form.kernels if one.name in used]
            guards = [guard for one in inner for guard in self._guards(one)]
            guards += [self._compare(self._form.polynomial(value.denominator), "!=") for value in kernel.arguments]
            if kernel.kind in ("sqrt", "log"):
                guards.append(self._compare(kernel.arguments[0], ">=" if kernel.kind == "sqrt" else ">"))
            self._guarding[kernel.name] = list(dict.fromkeys(guards))
        return self._guarding[kernel.name]

    def _facts(self, kernel: Kernel) -> list[str]:
        value, argument = kernel.value, kernel.arguments[0]
        match kernel.kind:
            case "sqrt" | "sin":
                # Not through _compare, which would replace the square by the radicand and say nothing.
                return [self._zero(value.numerator * value.numerator * argument.denominator - argument.numerator)]
            case "cos":
                # 1 - cos(u) <= u**2/2, so also |sin(u)| <= |u|.
                return [self._compare((value - self._form.constant(1)) * 2 + argument**2, ">=")]
            case "arctan":
                # It lies between 0 and u, and its square is not below that of its sine, u**2/(1 + u**2).
                facts = (argument * value - value**2, (argument * value) ** 2 + value**2 - argument**2)
                return [self._compare(fact, ">=") for fact in facts]
            case "absolute":
                return [_either((self._compare(value - argument, "="), self._compare(value + argument, "=")))]
            case "maximum" | "minimum":
                gaps = [value - side for side in kernel.arguments]
                bound = ">=" if kernel.kind == "maximum" else "<="
                return [*(self._compare(gap, bound) for gap in gaps), _either(self._compare(gap, "=") for gap in gaps)]
            case "exp" | "log":
                return self._facts_at_zero(kernel)
        raise UnsupportedError(f"no axioms of {kernel.kind} are known; add them, or state it without {kernel.kind}")

    def _facts_at_zero(self, kernel: Kernel) -> list[str]:
        """What is used of y = exp(x), where x or y is the kernel, beside exp(0) = 1.

        Tangents and growth, as for any two exponentials. The strong facts: tanh(x/2) <= x/2 for x >= 0, which is
        x*(y + 1) >= 2*(y - 1), with the sign turned for x <= 0. And where y is the kernel, exp(t) - (1 + t + t**2/2)
        has the sign of t (it is 0 at 0 and its derivative exp(t) - 1 - t is not negative), for t = x and t = -x.
        """
        zero, one = self._form.constant(0), self._form.constant(1)
        x, y = self._exponent_and_power(kernel)
        argument, value = (x, y - one) if kernel.kind == "exp" else (y - one, x)
        facts = [*self._tangents((x, y), (zero, one)), *self._same_sign(argument, value)]
        if self._strong and kernel.kind == "exp":
            half_square = x**2 * Fraction(1, 2)
            facts += self._with_sign_of(x, y - (one + x + half_square), y * (one - x + half_square) - one)
        if self._strong:
            facts += self._with_sign_of(argument, x * (y + one) - (y - one) * 2)
        return facts

    def _pair_facts(self, first: Kernel, second: Kernel) -> list[str]:
        """Growth: exponents compare as their exponentials do. The strong facts are tangents."""
        (x1, y1), (x2, y2) = self._exponent_and_power(first), self._exponent_and_power(second)
        facts = self._same_sign(x1 - x2, y1 - y2)
        return [*facts, *self._tangents((x1, y1), (x2, y2))] if self._strong else facts

    def _quotient_facts(self, power: Kernel, first: Kernel, second: Kernel) -> list[str]:
        """Growth again, with a quotient: u compares with log(a) - log(c) as exp(u) does with a/c."""
        (x1, y1), (x2, y2) = self._exponent_and_power(first), self._exponent_and_power(second)
        u, e = self._exponent_and_power(power)
        return self._same_sign(u + x2 - x1, e * y2 - y1)

    def _tangents(self, first: tuple[Quotient, Quotient], second: tuple[Quotient, Quotient]) -> list[str]:
        """Convexity: at each of two points (x, exp(x)), the graph lies above the tangent at the other one."""
        (x1, y1), (x2, y2) = first, second
        dx, dy = x1 - x2, y1 - y2
        return [self._compare(dy - y2 * dx, ">="), self._compare(dy - y1 * dx, "<=")]

    def _exponent_and_power(self, kernel: Kernel) -> tuple[Quotient, Quotient]:
        argument = kernel.arguments[0]
        return (argument, kernel.value) if kernel.kind == "exp" else (kernel.value, argument)

    def _same_sign(self, left: Quotient, right: Quotient) -> list[str]:
        return [f"(= {self._compare(left, operator)} {self._compare(right, operator)})" for operator in (">", "=")]

    def _with_sign_of(self, value: Quotient, *others: Quotient) -> Iterator[str]:
        """The others are not negative where the value is not, and not positive where it is not."""
        for operator in (">=", "<="):
            guard = _not(self._compare(value, operator))
            yield from (_either((guard, self._compare(other, operator))) for other in others)


def _within(name: str, values: Interval) -> Iterator[str]:
    if values.lower is not None:
        yield f"({'>=' if values.lower_closed else '>'} {name} {_number(values.lower)})"
    if values.upper is not None:
        yield f"({'<=' if values.upper_closed else '<'} {name} {_number(values.upper)})"


def _all(parts: Iterable[str]) -> str:
    """All of the parts; here and below, those that say nothing are left out, because a solver spends effort on them."""
    return _applied("and", [part for part in dict.fromkeys(parts) if part != "true"], of_none="true")


def _either(parts: Iterable[str]) -> str:
    return _applied("or", [part for part in dict.fromkeys(parts) if part != "false"], of_none="false")


def _applied(word: str, parts: Sequence[str], *, of_none: str = "") -> str:
    if len(parts) < 2:
        return parts[0] if parts else of_none
    return f"({word} {' '.join(parts)})"


def _not(part: str) -> str:
    return {"true": "false", "false": "true"}.get(part, f"(not {part})")


def _number(value: Fraction) -> str:
    text = str(abs(value.numerator)) if value.denominator == 1 else f"(/ {abs(value.numerator)} {value.denominator})"
    return f"(- {text})" if value < 0 else text


def _polynomial(polynomial: Polynomial, names: Sequence[str]) -> str:
    terms = [_term(exponents, as_fraction(coefficient), names) for exponents, coefficient in polynomial.terms()]
    return _applied("+", terms, of_none="0")


def _term(exponents: Sequence[int], coefficient: Fraction, names: Sequence[str]) -> str:
    factors = [name for name, exponent in zip(names, exponents, strict=True) for _ in range(int(exponent))]
    if coefficient != 1 or not factors:
        factors.insert(0, _number(coefficient))
    return _applied("*", factors)
