"""The algebra on which decisions rest: proposals that are false are refused, whoever makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from grpo_symbolic import exp, log, rational, real, sqrt
from grpo_symbolic.checks.exact import objection_to_zero
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.language.expression import Apply, Expression
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.translate.algebra import Factor, Form, Proposals, Quotient

x = real("x", "(-oo, oo)", "any number")
y = real("y", "(-oo, oo)", "another number")
p = real("p", "(0, 1)", "a probability")

Powers = Sequence[tuple[Expression, Fraction | int]]


class Typed:
    """Proposals as expressions, each given once."""

    capacity = 12

    def __init__(self, *proposed: tuple[Expression, Powers]) -> None:
        self._proposed = {
            node: [Factor(value, Fraction(power)) for value, power in powers] for node, powers in proposed
        }

    def prepare(self, form: Form) -> None:
        """Nothing to prepare."""

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        return None if typed is None else self._proposed.pop(typed, None)


class InRing:
    """One proposal, made in the ring."""

    capacity = 12

    def __init__(self, node: Expression, make: Callable[[Form], Sequence[Factor]]) -> None:
        self._node, self._make = node, make

    def prepare(self, form: Form) -> None:
        """Nothing to prepare."""

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        return self._make(form) if typed == self._node else None


HALF = Fraction(1, 2)


class Noted(tuple[Statement, ...]):
    """Knows every condition, and notes that it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Relation] = []

    def __contains__(self, condition: object) -> bool:
        if isinstance(condition, Relation):
            self.asked.append(condition)
        return True


def vanishing(expression: Expression, proposals: Proposals, where: Expression | None = None) -> list[Relation] | str:
    """The conditions under which an expression is seen to be 0, or why it is not."""
    known = Noted()
    objection = objection_to_zero(expression, proposals, (), known, Everything(), where=where)
    return known.asked if objection is None else objection


def refused(expression: Expression, proposals: Typed | InRing) -> str:
    """Why an expression is not seen to be 0."""
    found = vanishing(expression, proposals)
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("expression", "proposals", "signs", "values"),
    [
        (sqrt(p**2) - p, Typed((sqrt(p**2), [(p, 2)])), [], []),
        (sqrt(x**2) - x, Typed((sqrt(x**2), [(x, 2)])), ["x >= 0"], []),
        (sqrt(x**4) - x**2, Typed((sqrt(x**4), [(x, 4)])), [], []),
        (sqrt(x**2 * y) - x * sqrt(y), Typed((sqrt(x**2 * y), [(x, 2), (y, 1)])), ["x >= 0", "y >= 0"], []),
        (sqrt(x * y) - sqrt(x) * sqrt(y), Typed((sqrt(x * y), [(x, 1), (y, 1)])), ["x >= 0", "y >= 0"], []),
        (sqrt(p * y) - sqrt(p) * sqrt(y), Typed((sqrt(p * y), [(p, 1), (y, 1)])), [], []),
        (sqrt(p / x**2) - sqrt(p) / x, Typed((sqrt(p / x**2), [(x, -2), (p, 1)])), ["x >= 0"], ["x != 0"]),
        (sqrt(x**-4) - x**-2, Typed((sqrt(x**-4), [(x, -4)])), [], ["x != 0"]),
        (log(x * y) - log(x) - log(y), Typed((log(x * y), [(x, 1), (y, 1)])), ["x > 0", "y > 0"], []),
        (log(p * exp(x)) - log(p) - x, Typed((log(p * exp(x)), [(p, 1), (exp(x), 1)])), [], []),
        (exp(2 * log(x)) - x**2, Typed((exp(2 * log(x)), [(x, 2)])), [], []),
        (exp(log(p) / 2) - sqrt(p), Typed((exp(log(p) / 2), [(p, HALF)])), [], []),
        (exp(x + y) - exp(x) * exp(y), Typed((exp(x + y), [(exp(x), 1), (exp(y), 1)])), [], []),
        (exp(x - x) - 1, Typed((exp(x - x), [(exp(1 / x), 1), (exp(1 / x), -1)])), [], ["x != 0"]),
    ],
)
def test_laws_and_what_they_rest_on(
    expression: Expression, proposals: Typed, signs: list[str], values: list[str]
) -> None:
    conditions = vanishing(expression, proposals)
    assert not isinstance(conditions, str)
    assert sorted(map(str, conditions)) == sorted((*signs, *values))


@pytest.mark.parametrize(
    ("node", "powers"),
    [
        (sqrt(p), [(p, 2)]),
        (sqrt(p), []),
        (sqrt(x + y), [(x, 1), (y, 1)]),
        (log(p), [(p, 2)]),
        (log(p + 1), [(p, 1), (rational(2), 1)]),
        (exp(p), [(exp(p), 2)]),
        (exp(p), [(p, 1)]),
        (exp(x + y), [(exp(x), 1), (exp(y), 2)]),
    ],
)
def test_factors_of_something_else_are_refused(node: Expression, powers: Powers) -> None:
    assert "is something else" in refused(node - node, Typed((node, powers)))


def ring(form: Form, *powers: tuple[Expression, int]) -> list[Factor]:
    return [Factor(form.quotient(value), Fraction(power)) for value, power in powers]


def test_signs_in_the_ring_must_be_certain() -> None:
    assert "no certain sign" in refused(sqrt(x**2) - x, InRing(sqrt(x**2), lambda form: ring(form, (x, 2))))
    assert not isinstance(vanishing(sqrt(p**2) - p, InRing(sqrt(p**2), lambda form: ring(form, (p, 2)))), str)
    assert "no certain sign" in refused(
        log(x * y) - log(y * x), InRing(log(x * y), lambda form: ring(form, (x, 1), (y, 1)))
    )
    assert "no certain sign" in refused(
        sqrt(p) - sqrt(p), InRing(sqrt(p), lambda form: ring(form, (-p, 1), (rational(-1), 1)))
    )


def test_roots_of_negative_numbers_prove_nothing() -> None:
    """With k = sqrt(-1 - x^2), which is never real, 1 = k^4/(1 + x^2)^2, but its root is not k^2/(1 + x^2) = -1."""
    imaginary, one = sqrt(-1 - x**2), sqrt(x**2 / x**2)

    def proposed(form: Form) -> list[Factor]:
        return [Factor(form.quotient(imaginary), Fraction(4)), Factor(form.quotient(1 + x**2), Fraction(-2))]

    assert "what the argument does not" in refused(one + 1, InRing(one, proposed))
    conditions = vanishing(one + 1, Typed((one, [(imaginary, 4), (1 + x**2, -2)])))
    assert not isinstance(conditions, str)
    assert "(-1 - (x ** 2)) >= 0" in map(str, conditions)


@pytest.mark.parametrize(
    ("expression", "node", "powers"),
    [
        (sqrt(p) ** 2 - p**2, sqrt(p), [(p**2, HALF)]),
        (exp(log(p) / 3) - sqrt(p), exp(log(p) / 3), [(p, Fraction(1, 3))]),
        (log(p) - log(p**3) / 3, log(p), [(p**3, Fraction(1, 3))]),
    ],
    ids=str,
)
def test_exponents_are_no_finer_than_the_laws_say(expression: Expression, node: Expression, powers: Powers) -> None:
    """Half of one half would be taken for a half, and a third as well."""
    assert "too fine" in refused(expression, Typed((node, powers)))


def test_what_stands_in_an_exponent_need_not_have_a_value() -> None:
    """1 = exp(0) = exp(k)*exp(-k) even for k = sqrt(-1 - x^2); but k^4/(1 + x^2)^2 = 1 has another root than k^2."""
    one = exp(x - x)

    class Hidden(Typed):
        def prepare(self, form: Form) -> None:
            root = form.kernel("sqrt", -form.quotient(1 + x**2))
            powers = [form.kernel("exp", root), form.kernel("exp", -root)]
            self.hidden = [Factor(power, Fraction(1)) for power in powers]
            known = [Factor(root, Fraction(4)), Factor(form.quotient(1 + x**2), Fraction(-2))]
            self.rooted = [*known, Factor(powers[0] * powers[1], Fraction(1))]

        def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
            return {one: self.hidden, sqrt(one): self.rooted}.get(typed)  # type: ignore[call-overload]

    assert vanishing(one - one, Hidden()) == []
    assert "what the argument does not" in vanishing(sqrt(one) + sqrt(1 * one), Hidden())


def test_one_factor_is_excused_and_no_copy_of_it() -> None:
    """p^2 = (-p)*(-p), but its root is not sqrt(-p)*sqrt(-p) = -p."""

    def twice(form: Form) -> list[Factor]:
        return 2 * ring(form, (-p, 1))

    assert "no certain sign" in refused(sqrt(p**2) + p, InRing(sqrt(p**2), twice))


def test_a_root_is_excused_only_beside_what_does_not_vanish() -> None:
    """At n = 0 there is sqrt(n^2*m) = n*sqrt(m) = 0 for m < 0, but sqrt(m)^4/m^2 = 1 has another root than m/(-m)."""
    n, m = real("n", "[0, 1]", "what may vanish"), real("m", "(-2, -1)", "a negative number")
    root = sqrt(n**2 * m)
    outer = sqrt(1 + root)

    class Rooted(Typed):
        def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
            if typed == root:
                return ring(form, (n, 2), (m, 1))
            if typed == outer:
                return [
                    Factor(form.kernel("sqrt", form.quotient(m)), Fraction(4)),
                    *ring(form, (-m, -2), (1 + root, 1)),
                ]
            return None

    assert "no certain sign" in vanishing(outer + sqrt(root + 1), Rooted())


def test_a_root_that_is_not_a_kernel_is_no_identity() -> None:
    assert isinstance(vanishing(sqrt(x**2) - x, Typed()), str)
    assert not isinstance(vanishing(sqrt(rational(2)) ** 2 - 2, Typed()), str)
    assert isinstance(vanishing(sqrt(rational(2)) ** 2 - 3, Typed()), str)


def test_modulo_an_equation() -> None:
    assert not isinstance(vanishing((x**2 - y**2) * exp(p), Typed(), where=x - y), str)
    assert not isinstance(vanishing(x - y, Typed(), where=(x - y) ** 2), str)
    assert isinstance(vanishing(x + y, Typed(), where=x - y), str)
    assert isinstance(vanishing(x - y, Typed(), where=x**2 - y**2), str)
    assert isinstance(vanishing(x, Typed(), where=p - p), str)
    assert isinstance(vanishing(x, Typed(), where=1 + p - p), str)
