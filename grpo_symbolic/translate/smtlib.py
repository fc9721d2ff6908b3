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

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from math import lcm

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import (
    MIRRORED,
    NEGATIONS,
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
)
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.algebra import Form, Kernel, Polynomial, Proposals, Quotient
from grpo_symbolic.translate.ranges import holds_for_signs

#: With more exponentials and logarithms than this, only neighbours in the list are compared.
_MOST_KERNELS_TO_PAIR = 6


@dataclass(frozen=True)
class Scripts:
    """What a solver is asked.

    ``refutation`` is satisfiable at counterexamples. ``symbols`` maps its variables to ours. ``abstracted`` says
    whether kernels are known by axioms only; ``kernels`` counts them by kind.
    """

    refutation: str
    symbols: tuple[tuple[str, Symbol], ...]
    abstracted: bool
    kernels: tuple[tuple[str, int], ...]


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
        statements = (*obligation.hypotheses, obligation.conclusion)
        expressions = [expression for statement in statements for expression in expressions_of(statement)]
        self._form = Form(obligation.symbols, propose(expressions))
        self._written: dict[tuple[Relation, str], str] = {}
        self._guarding: dict[str, list[str]] = {}

    def scripts(self) -> Scripts:
        given = [part for hypothesis in self._obligation.hypotheses for part in self._holds(hypothesis)]
        fails = self._fails(self._obligation.conclusion)
        domains = [
            part for symbol in self._form.symbols for part in _within(self._form.names[symbol.name], symbol.domain)
        ]
        if self._form.conditions or self._form.values:
            raise UnsupportedError("a script cannot rest on conditions")
        kinds = Counter(kernel.kind for kernel in self._form.kernels)
        return Scripts(
            self._script([*domains, *given, *fails]),
            tuple((self._form.names[symbol.name], symbol) for symbol in self._form.symbols),
            bool({"exp", "log"} & set(kinds)),
            tuple(sorted(kinds.items())),
        )

    def _script(self, asserted: Sequence[str]) -> str:
        facts = list(dict.fromkeys(part for part in asserted if part != "true"))
        known = frozenset(facts)
        definitions = [_guarded(guards, axiom, known) for guards, axiom in self._definitions()]
        variables = [*self._form.names.values(), *(kernel.name for kernel in self._form.kernels)]
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-fun {name} () Real)" for name in variables]
        lines += [f"(assert {part})" for part in dict.fromkeys((*facts, *definitions)) if part != "true"]
        return "\n".join(lines) + "\n"

    # Statements: conjuncts of "holds" and of "fails".

    def _holds(self, statement: Statement) -> list[str]:
        match statement:
            case Relation():
                return [*self._defined(statement), self._relation(statement, statement.operator)]
            case All(parts):
                return [conjunct for part in parts for conjunct in self._holds(part)]
            case Any(parts):
                return [_either(_all(self._holds(part)) for part in parts)]
            case Implies(premise, conclusion):
                return [_either((_all(self._lacks(premise)), _all(self._holds(conclusion))))]
            case Equivalent(left, right):
                both = _all([*self._holds(left), *self._holds(right)])
                return [_either((both, _all([*self._lacks(left), *self._lacks(right)])))]
            case _:
                raise DeclarationError(f"not an elementary statement: {statement}")

    def _lacks(self, statement: Statement) -> list[str]:
        """The complement of ``_holds``, true wherever that is not, also where a part has no value."""
        return self._fails(statement, lacks=True)

    def _fails(self, statement: Statement, *, lacks: bool = False) -> list[str]:
        match statement:
            case Relation():
                if lacks:
                    failing = self._relation(statement, NEGATIONS[statement.operator])
                    return [_either((*map(_not, self._defined(statement)), failing))]
                return [*self._defined(statement), self._relation(statement, NEGATIONS[statement.operator])]
            case All(parts):
                return [_either(_all(self._fails(part, lacks=lacks)) for part in parts)]
            case Any(parts):
                return [conjunct for part in parts for conjunct in self._fails(part, lacks=lacks)]
            case Implies(premise, conclusion):
                return [*self._holds(premise), *self._fails(conclusion, lacks=lacks)]
            case Equivalent(left, right):
                only_left = _all([*self._holds(left), *self._fails(right, lacks=lacks)])
                return [_either((only_left, _all([*self._fails(left, lacks=lacks), *self._holds(right)])))]
            case _:
                raise DeclarationError(f"not an elementary statement: {statement}")

    def _defined(self, relation: Relation) -> list[str]:
        conditions = (*side_conditions(relation.left), *side_conditions(relation.right))
        return [self._relation(condition, condition.operator) for condition in conditions]

    def _relation(self, relation: Relation, operator: str) -> str:
        key = (relation, operator)
        if key not in self._written:
            gap = self._form.subtract(self._form.quotient(relation.left), self._form.quotient(relation.right))
            self._written[key] = self._compare(gap, operator)
        return self._written[key]

    # Atoms.

    def _compare(self, value: Quotient, operator: str) -> str:
        """``value operator 0``, where the denominator of the value is not zero."""
        numerator = self._form.reduced(value.numerator)
        if operator in ("=", "!="):
            either = _either(map(_zero, self._factors_that_vanish(numerator))) if numerator != 0 else "true"
            return either if operator == "=" else _not(either)
        # The sign of n/d is that of n*d; factors of known sign are dropped from both.
        sign, remaining = self._sign_and_rest(numerator, even_vanishes=True)
        sign_below, below = self._sign_and_rest(self._form.reduced(value.denominator), even_vanishes=False)
        sign *= sign_below
        remaining += below
        if sign == 0 or not remaining:
            return "true" if holds_for_signs(frozenset((sign,)), operator) else "false"
        signs = frozenset((sign,))
        for factor in remaining:
            signs = frozenset(one * other for one in signs for other in self._form.signs(factor))
        known = holds_for_signs(signs, operator)
        if known is not None:
            return "true" if known else "false"
        product_of_factors = " ".join(_polynomial(factor, self._form.generator_names) for factor in remaining)
        text = f"(* {product_of_factors})" if len(remaining) > 1 else product_of_factors
        return f"({operator if sign > 0 else MIRRORED[operator]} {text} 0)"

    def _factors_that_vanish(self, polynomial: Polynomial) -> list[str]:
        _, factors = self._form.factors(polynomial)
        return [
            _polynomial(factor, self._form.generator_names) for factor, _ in factors if 0 in self._form.signs(factor)
        ]

    def _sign_and_rest(self, polynomial: Polynomial, *, even_vanishes: bool) -> tuple[int, list[Polynomial]]:
        """The sign of the factors of known sign, and the other factors.

        Even powers stay as squares if they may vanish, and go if the polynomial is known not to be zero.
        """
        content, factors = self._form.factors(polynomial)
        sign = (content > 0) - (content < 0)
        rest: list[Polynomial] = []
        for factor, multiplicity in factors:
            signs = self._form.signs(factor)
            if signs in (frozenset((1,)), frozenset((-1,))):
                sign *= next(iter(signs)) ** multiplicity
            elif multiplicity % 2:
                rest.append(factor)
            elif even_vanishes:
                rest.append(factor * factor)
        return sign, rest

    # Kernels.

    def _definitions(self) -> Iterator[tuple[list[str], str]]:
        """Defining constraints and axioms, each with the guards under which it holds."""
        form = self._form
        for kernel in form.kernels:
            yield from (([], fact) for fact in _within(kernel.name, kernel.values))
            yield from ((self._guards(kernel), fact) for fact in self._facts(kernel))
        transcendental = [kernel for kernel in form.kernels if kernel.kind in ("exp", "log")]
        for index, first in enumerate(transcendental):
            near = len(transcendental) if len(transcendental) <= _MOST_KERNELS_TO_PAIR else index + 2
            for second in transcendental[index + 1 : near]:
                guards = [*self._guards(first), *self._guards(second)]
                yield from ((guards, fact) for fact in self._pair_facts(first, second))

        if self._strong and len(transcendental) <= _MOST_KERNELS_TO_PAIR:
            yield from self._quotient_facts(transcendental)

    def _quotient_facts(self, transcendental: Sequence[Kernel]) -> Iterator[tuple[list[str], str]]:
        """Growth again, with a quotient: u compares with log(a) - log(c) as exp(u) does with a/c."""
        form = self._form
        exponentials = [kernel for kernel in transcendental if kernel.kind == "exp"]
        logarithms = [kernel for kernel in transcendental if kernel.kind == "log"]
        for exponential, (first, second) in product(exponentials, permutations(logarithms, 2)):
            u, e = self._exponent_and_power(exponential)
            (x1, y1), (x2, y2) = self._exponent_and_power(first), self._exponent_and_power(second)
            guards = [*self._guards(exponential), *self._guards(first), *self._guards(second)]
            exponents = form.subtract(form.add(u, x2), x1)
            for fact in self._same_sign(exponents, form.subtract(form.multiply(e, y2), y1)):
                yield guards, fact

    def _guards(self, kernel: Kernel) -> list[str]:
        """Where the generator has the value that its kind promises."""
        if kernel.name not in self._guarding:
            self._guarding[kernel.name] = self._guards_of(kernel)
        return self._guarding[kernel.name]

    def _guards_of(self, kernel: Kernel) -> list[str]:
        # Where an inner root or logarithm has no value, its generator is any number and its square no radicand.
        guards = [guard for inner in self._inside(kernel) for guard in self._guards(inner)]
        guards += [self._compare(self._form.polynomial(value.denominator), "!=") for value in kernel.arguments]
        if kernel.kind in ("sqrt", "log"):
            guards.append(self._compare(kernel.arguments[0], ">=" if kernel.kind == "sqrt" else ">"))
        return list(dict.fromkeys(guards))

    def _inside(self, kernel: Kernel) -> Iterator[Kernel]:
        """The kernels that the arguments of a kernel contain."""
        used = frozenset[str]().union(*map(self._form.inside, kernel.arguments))
        return (inner for inner in self._form.kernels if inner.name in used)

    def _facts(self, kernel: Kernel) -> list[str]:
        form, value = self._form, self._form.polynomial(kernel.generator)
        argument = kernel.arguments[0]
        match kernel.kind:
            case "sqrt":
                # Not through _compare, which would replace the square by the radicand and say nothing.
                square = value.numerator * value.numerator * argument.denominator - argument.numerator
                return [_zero(_polynomial(square, form.generator_names))]
            case "absolute":
                plus, minus = form.subtract(value, argument), form.add(value, argument)
                return [_either((self._compare(plus, "="), self._compare(minus, "=")))]
            case "maximum" | "minimum":
                gaps = [form.subtract(value, side) for side in kernel.arguments]
                bound = ">=" if kernel.kind == "maximum" else "<="
                return [*(self._compare(gap, bound) for gap in gaps), _either(self._compare(gap, "=") for gap in gaps)]
            case _:
                return self._facts_at_zero(kernel)

    def _facts_at_zero(self, kernel: Kernel) -> list[str]:
        """What is used of y = exp(x), where x or y is the kernel, beside exp(0) = 1.

        Tangents and growth, as for any two exponentials. The strong facts: tanh(x/2) <= x/2 for x >= 0, which is
        x*(y + 1) >= 2*(y - 1), with the sign turned for x <= 0. And where y is the kernel, exp(t) - (1 + t + t**2/2)
        has the sign of t (it is 0 at 0 and its derivative exp(t) - 1 - t is not negative), for t = x and t = -x.
        """
        form = self._form
        zero, one = form.constant(0), form.constant(1)
        x, y = self._exponent_and_power(kernel)
        distance = form.subtract(y, one)
        argument, value = (x, distance) if kernel.kind == "exp" else (distance, x)
        facts = [*self._tangents((x, y), (zero, one)), *self._same_sign(argument, value)]
        if not self._strong:
            return facts
        quotient = form.subtract(form.multiply(x, form.add(y, one)), form.scale(distance, Fraction(2)))
        if kernel.kind == "exp":
            half_square = form.scale(form.power(x, 2), Fraction(1, 2))
            above = form.subtract(y, form.add(form.add(one, x), half_square))
            below = form.subtract(form.multiply(y, form.add(form.subtract(one, x), half_square)), one)
            facts += self._with_sign_of(x, (above, below))
        return [*facts, *self._with_sign_of(argument, (quotient,))]

    def _pair_facts(self, first: Kernel, second: Kernel) -> list[str]:
        """Growth: exponents compare as their exponentials do. The strong facts are tangents."""
        (x1, y1), (x2, y2) = self._exponent_and_power(first), self._exponent_and_power(second)
        facts = self._same_sign(self._form.subtract(x1, x2), self._form.subtract(y1, y2))
        return [*facts, *self._tangents((x1, y1), (x2, y2))] if self._strong else facts

    def _tangents(self, first: tuple[Quotient, Quotient], second: tuple[Quotient, Quotient]) -> list[str]:
        """Convexity: at each of two points (x, exp(x)), the graph lies above the tangent at the other one."""
        form, (x1, y1), (x2, y2) = self._form, first, second
        dx, dy = form.subtract(x1, x2), form.subtract(y1, y2)
        return [
            self._compare(form.subtract(dy, form.multiply(y2, dx)), ">="),
            self._compare(form.subtract(dy, form.multiply(y1, dx)), "<="),
        ]

    def _exponent_and_power(self, kernel: Kernel) -> tuple[Quotient, Quotient]:
        generator = self._form.polynomial(kernel.generator)
        return (kernel.arguments[0], generator) if kernel.kind == "exp" else (generator, kernel.arguments[0])

    def _same_sign(self, left: Quotient, right: Quotient) -> list[str]:
        return [_equivalent(self._compare(left, operator), self._compare(right, operator)) for operator in (">", "=")]

    def _with_sign_of(self, value: Quotient, others: Sequence[Quotient]) -> Iterator[str]:
        """The others are not negative where the value is not, and not positive where it is not."""
        for operator in (">=", "<="):
            guard = [self._compare(value, operator)]
            yield from (_guarded(guard, self._compare(other, operator), frozenset()) for other in others)


def _within(name: str, values: Interval) -> Iterator[str]:
    if values.lower is not None:
        yield f"({'>=' if values.lower_closed else '>'} {name} {_number(values.lower)})"
    if values.upper is not None:
        yield f"({'<=' if values.upper_closed else '<'} {name} {_number(values.upper)})"


def _all(parts: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(part for part in parts if part != "true"))
    if "false" in distinct:
        return "false"
    if len(distinct) < 2:
        return distinct[0] if distinct else "true"
    return f"(and {' '.join(distinct)})"


def _either(parts: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(part for part in parts if part != "false"))
    if "true" in distinct:
        return "true"
    if len(distinct) < 2:
        return distinct[0] if distinct else "false"
    return f"(or {' '.join(distinct)})"


def _not(part: str) -> str:
    return {"true": "false", "false": "true"}.get(part, f"(not {part})")


def _equivalent(left: str, right: str) -> str:
    if left in ("true", "false"):
        return right if left == "true" else _not(right)
    if right in ("true", "false"):
        return left if right == "true" else _not(left)
    return f"(= {left} {right})"


def _guarded(guards: Iterable[str], fact: str, asserted: frozenset[str]) -> str:
    needed = _all(guard for guard in guards if guard not in asserted)
    return _either((_not(needed), fact))


def _zero(text: str) -> str:
    return f"(= {text} 0)"


def _number(value: Fraction) -> str:
    text = str(abs(value.numerator)) if value.denominator == 1 else f"(/ {abs(value.numerator)} {value.denominator})"
    return f"(- {text})" if value < 0 else text


def _polynomial(polynomial: Polynomial, names: Sequence[str]) -> str:
    """A positive multiple of a polynomial, with integer coefficients."""
    terms = list(polynomial.terms())
    common = lcm(*(int(coefficient.denominator) for _, coefficient in terms))
    texts = [
        _term(exponents, Fraction(int((coefficient * common).numerator)), names) for exponents, coefficient in terms
    ]
    if len(texts) < 2:
        return texts[0] if texts else "0"
    return f"(+ {' '.join(texts)})"


def _term(exponents: Sequence[int], coefficient: Fraction, names: Sequence[str]) -> str:
    factors = [name for name, exponent in zip(names, exponents, strict=True) for _ in range(int(exponent))]
    if coefficient != 1 or not factors:
        factors.insert(0, _number(coefficient))
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"
