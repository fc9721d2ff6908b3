"""The laws by which two expressions are equal, as polynomial arithmetic used them. The kernel checks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.checks.proposals.towers import proposed_normal_forms
from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import Statement, eq, ge, le
from grpo_symbolic.proofs.goal import decided, known_relations
from grpo_symbolic.proofs.ring import product_of, with_absolute_values, written
from grpo_symbolic.translate.algebra import Factor, Form, Proposals, Quotient
from grpo_symbolic.translate.kernels import FewKernels

_TOWERS = frozenset(("sqrt", "power", "exp", "log", "cosh", "sinh", "tanh"))
_WRITTEN = frozenset(("sqrt", "exp", "log", "absolute", "maximum", "minimum"))


@dataclass(frozen=True)
class Law:
    """A function of an argument as a product of powers, of a logarithm a sum of multiples, of factors."""

    kind: str
    argument: Expression
    factors: tuple[tuple[Expression, Fraction], ...]


class Recording:
    """Proposals that keep in mind what they answered."""

    def __init__(self, inner: Proposals) -> None:
        self._inner = inner
        self._answers: list[tuple[str, Quotient, Sequence[Factor]]] = []

    @property
    def capacity(self) -> int:
        """How many kernels there will be at most."""
        return self._inner.capacity

    def prepare(self, form: Form) -> None:
        """Let the proposer prepare itself."""
        self._inner.prepare(form)

    def factors(self, form: Form, kind: str, argument: Quotient, typed: Apply | None) -> Sequence[Factor] | None:
        """What the proposer answers."""
        found = self._inner.factors(form, kind, argument, typed)
        if found is not None:
            self._answers.append((kind, argument, found))
        return found

    def laws(self, form: Form) -> Iterator[Law]:
        """What was answered, in expressions.

        Raises:
            UnsupportedError: for a kernel that has no word.
        """
        generators = generators_of(form)
        for kind, argument, factors in self._answers:
            pairs = tuple((_factor(form, one.value, generators), one.exponent) for one in factors)
            whole = quotient(form, argument, generators)
            if kind == "log" or (kind in ("sqrt", "exp") and pairs != ((whole, Fraction(1)),)):
                yield Law(kind, whole, pairs)


def generators_of(form: Form) -> list[Expression]:
    """What the generators of a form stand for."""
    made: list[Expression] = list(form.symbols)
    for kernel in form.kernels:
        if kernel.kind not in _WRITTEN:
            raise UnsupportedError(f"a {kernel.kind} is not written")
        made.append(Apply(kernel.kind, tuple(quotient(form, one, made) for one in kernel.arguments)))
    return made


def quotient(form: Form, value: Quotient, generators: Sequence[Expression]) -> Expression:
    """A quotient as an expression."""
    above = written(value.numerator, generators)
    return above if value.denominator.is_one() else above / written(value.denominator, generators)


def in_factors(form: Form, value: Quotient, generators: Sequence[Expression]) -> Expression:
    """A quotient as a product of powers, of which ranges show the sign more often."""
    content, above = form.factors(value.numerator)
    divisor, below = form.factors(value.denominator)
    powers = [*above, *((factor, -power) for factor, power in below)]
    return product_of(((written(one, generators), power) for one, power in powers), content / divisor)


def _factor(form: Form, value: Expression | Quotient, generators: Sequence[Expression]) -> Expression:
    return quotient(form, value, generators) if isinstance(value, Quotient) else value


@lru_cache(maxsize=2**12)
def laws_between(left: Expression, right: Expression, known: tuple[Statement, ...] = ()) -> tuple[Law, ...] | None:
    """Laws by which two expressions are equal wherever both have values; None if none are found."""
    chosen = tuple(_choices((left, right), known))
    first, second = (_without_choices(one, chosen) for one in (left, right))
    # Laws are about what stands there once absolute values are written by laws.
    roots = tuple(_roots((first, second)))
    first, second = with_absolute_values(first), with_absolute_values(second)
    for proposals in _proposals(first, second):
        recording = Recording(proposals)
        try:
            form = Form(dict.fromkeys((*free_symbols(first), *free_symbols(second))), recording)
            if form.cleared(form.quotient(first) - form.quotient(second)).is_zero():
                return (*chosen, *roots, *dict.fromkeys(recording.laws(form)))
        except (UndefinedError, UnsupportedError):
            continue
    return None


def _proposals(left: Expression, right: Expression) -> Iterator[Proposals]:
    yield FewKernels((left, right))
    if any(isinstance(node, Apply) and node.operator in _TOWERS for side in (left, right) for node in walk(side)):
        for proposal in proposed_normal_forms(eq(left, right), [], 0):
            if not isinstance(proposal, str):
                yield proposal.laws


def _choices(sides: Iterable[Expression], known: Sequence[Statement]) -> Iterator[Law]:
    """Absolute values, also those in maxima and minima, of which the sign is known."""
    relations = frozenset(known_relations(known))
    for node in dict.fromkeys(node for side in sides for node in walk(side) if isinstance(node, Apply)):
        match node:
            case Apply("absolute", (inner,)):
                pass
            case Apply("maximum" | "minimum", (one, other)):
                inner = one - other
            case _:
                continue
        for compare, sign in ((ge, 1), (le, -1)):
            if decided(compare(inner, ZERO), relations):
                yield Law("absolute", inner, ((inner, Fraction(sign)),))
                break


def _without_choices(expression: Expression, chosen: Sequence[Law]) -> Expression:
    children = tuple(_without_choices(child, chosen) for child in expression.children)
    node = rebuild(expression, children)
    signs = {law.argument: law.factors[0][1] for law in chosen}
    match expression:
        case Apply("absolute", (inner,)) if inner in signs:
            return children[0] if signs[inner] > 0 else -children[0]
        case Apply("maximum" | "minimum" as kind, (one, other)) if one - other in signs:
            return children[0] if (signs[one - other] > 0) == (kind == "maximum") else children[1]
    return node


def _roots(sides: Iterable[Expression]) -> Iterator[Law]:
    """Square factors that leave a root as absolute values."""
    for node in dict.fromkeys(node for side in sides for node in walk(side)):
        match node:
            case Apply("sqrt", (radicand,)):
                pass
            case Apply("power", (radicand, Number(exponent))) if exponent.denominator == 2:
                pass
            case _:
                continue
        match with_absolute_values(Apply("sqrt", (radicand,))):
            case Apply("absolute") as root:
                yield Law("sqrt", radicand, ((root, Fraction(2)),))
            case Apply("multiply", (Apply("absolute") as root, Apply("sqrt", (rest,)))):
                yield Law("sqrt", radicand, ((root, Fraction(2)), (rest, Fraction(1))))
