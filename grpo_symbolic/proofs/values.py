"""What symbols are by equations that are linear in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpo_symbolic.kernel.terms import Json, Term, make
from grpo_symbolic.proofs.kernel_rings import factored, split, subterms
from grpo_symbolic.proofs.known import Knowledge, Known

_LONGEST, _SHORT, _MOST_TERMS = 30, 5, 12


@dataclass(frozen=True)
class Value:
    """By an equation ``slope * (symbol - value) = 0``, where the slope is not 0; the symbol may be inside functions."""

    name: str
    value: Term
    equation: Known
    slope: Term
    why: Json
    uses: tuple[Known, ...]
    laws: Json
    inside: bool


def values(knowledge: Knowledge) -> Iterator[Value]:
    """Values for symbols, of few terms for those inside of functions; those without a denominator first."""
    found = [one for known in knowledge.known if known.operator == "=" for one in _values(knowledge, known)]
    yield from sorted(found, key=lambda one: (one.slope.op != "num", len(subterms(one.value))))


def _values(knowledge: Knowledge, known: Known) -> Iterator[Value]:
    polynomials = knowledge.polynomials
    for place, symbol in enumerate(polynomials.generators):
        if symbol.op != "sym" or known.polynomial.degrees()[place] != 1:
            continue
        name = symbol.args[0]
        slope, rest = split(known.polynomial, place)
        value = polynomials.term(-rest / slope.coeffs()[0] if slope.is_constant() else -rest)
        inside = any(name in one.free for one in polynomials.generators if one is not symbol)
        if inside and not (slope.is_constant() and len(subterms(value)) <= _SHORT and name not in value.free):
            continue
        sign = knowledge.product_sign(*factored(slope))
        if sign is None or 0 in sign[0] or len(subterms(value)) > _LONGEST or len(slope.coeffs()) > _MOST_TERMS:
            continue
        below = polynomials.term(slope)
        whole = value if slope.is_constant() else make("divide", value, below)
        yield Value(name, whole, known, below, sign[1], sign[2], knowledge.written_laws(), inside)
