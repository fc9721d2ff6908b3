"""How an author speaks of a group: who is drawn by which law, and expectations over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_all, require_fields
from grpo_symbolic.language.expression import Expression, Number, Scalar, Symbol, Total, as_expression
from grpo_symbolic.language.groups import GroupExpectation, Law


def law(values: Sequence[Scalar], chances: Sequence[Scalar]) -> Law:
    """A law of finitely many values, of which the last has what is left to 1: ``law([1, 0], [p])``.

    Raises:
        DeclarationError: if there is not one value more than chances.
    """
    for several in (values, chances):
        require_all(several, object, "a law of listed values")
    listed, known = tuple(map(as_expression, values)), tuple(map(as_expression, chances))
    if len(listed) != len(known) + 1:
        raise DeclarationError("a law of listed values has a chance for each of them but the last")
    return Law(listed, known)


def binary(success: Scalar) -> Law:
    """The law of what is 1 with a probability and else 0, such as the reward of an output."""
    return law([1, 0], [success])


def drawn(value: Symbol, probability: Expression) -> Law:
    """The law of a coordinate, such as the reward of an output, of which the element is drawn with a probability.

    Raises:
        DeclarationError: if the value is no coordinate.
    """
    require(probability, Expression, "the probability by which an element is drawn")
    if require(value, Symbol, "what is drawn").indexed is None:
        raise DeclarationError(f"{value} is no coordinate of an element, so none can be drawn")
    return Law((value,), (probability,))


@dataclass(frozen=True)
class Group:
    """A group of ``size`` members, drawn independently of each other: ``member`` is what each of them has, by ``law``.

    The symbol is indexed by the set of members. The size is a whole number from 2 on, or a symbol.

    >>> from grpo_symbolic import IndexSet, eq, judge, real
    >>> members = IndexSet("member", "members", "i")
    >>> r = real("r", "(-oo, oo)", "reward of a member", latex="r_{index}", indexed=members)
    >>> p, G = real("p", "(0, 1)", "probability of a right answer"), real("G", "[2, oo)", "group size")
    >>> group = Group(r, G, binary(p))
    >>> print(judge(eq(group.expectation(group.variance), (1 - 1 / G) * p * (1 - p))).verdict.value)
    DECIDED
    """

    member: Symbol
    size: Scalar
    law: Law

    def __post_init__(self) -> None:
        require_fields(self, member=Symbol, law=Law)
        as_expression(self.size)

    @property
    def mean(self) -> Expression:
        """The mean over the group."""
        return Total(self.member) / self.size

    @property
    def others_mean(self) -> Expression:
        """The mean over the other members of the group."""
        return (Total(self.member) - self.member) / (as_expression(self.size) - 1)

    @property
    def variance(self) -> Expression:
        """The variance over the group, with divisor ``size``."""
        return Total((self.member - self.mean) ** 2) / self.size

    @property
    def sample_variance(self) -> Expression:
        """The variance over the group with Bessel's correction, that is with divisor ``size - 1``."""
        return Total((self.member - self.mean) ** 2) / (as_expression(self.size) - 1)

    def expectation(self, body: Scalar, *, given: Scalar | Law | None = None, mixed: bool = False) -> GroupExpectation:
        """The expectation of what depends on the group through sums over it and one member.

        ``given`` is what this member certainly has, or the law by which it has it, as when its output is known. If only
        ``mixed`` groups count, the expectation is that of the body times the indicator of groups whose members do not
        all have the same value; where the size is a symbol, that has a value only where no value has the chance 0.

        Raises:
            DeclarationError: as ``GroupExpectation`` does.
        """
        own = self.law if given is None else given if isinstance(given, Law) else self._certainly(as_expression(given))
        return GroupExpectation(as_expression(body), self.member, as_expression(self.size), self.law, own, mixed)

    @property
    def is_mixed(self) -> GroupExpectation:
        """The probability that not all members have the same value."""
        return self.expectation(1, mixed=True)

    def _certainly(self, value: Expression) -> Law:
        values = self.law.values
        if value not in values or self.law.is_drawn:
            return Law((value,), ())
        return Law(values, tuple(Number(Fraction(n == values.index(value))) for n in range(len(values) - 1)))
