"""Integrals, series, limits and sums up to a symbol, as papers print them.

The deciding methods have no word for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Expression, Number, Symbol, substitute

#: A sum between two numbers is written out up to so many terms.
MOST_TERMS = 40
#: The kinds of Binder: between two ends, or at the point ``upper`` (from above, from below, or from both sides).
BINDERS = ("integral", "series", "sum", "limit", "limit+", "limit-")


@dataclass(frozen=True, repr=False)
class Binder(Expression):
    """An integral, a series, a sum or a limit of ``body`` by ``symbol``, which is bound in it.

    An end that is ``None`` is infinite: ``lower`` minus infinity, ``upper`` plus infinity. Limits have no ``lower``.
    The ends of a sum are whole numbers; it is 0 if ``upper`` is right before ``lower``.
    """

    parts = ("body", "lower", "upper")

    kind: str
    body: Expression
    symbol: Symbol
    lower: Expression | None
    upper: Expression | None

    @property
    def bound(self) -> Symbol:
        """The variable of integration, the index of summation or what tends to the point."""
        return self.symbol

    @property
    def terms(self) -> tuple[Expression, ...] | None:
        """The terms of a sum between two numbers, if they are not too many; None of anything else."""
        match self.kind, self.lower, self.upper:
            case "sum", Number(low), Number(high) if low.denominator == high.denominator == 1:
                places = [Fraction(place) for place in range(int(low), min(int(high), int(low) + MOST_TERMS) + 1)]
                few = high >= low - 1 and len(places) <= MOST_TERMS
                if few and all(place in self.symbol.domain for place in places):
                    return tuple(substitute(self.body, {self.symbol: Number(place)}) for place in places)
        return None

    def __post_init__(self) -> None:
        if self.kind not in BINDERS:
            raise DeclarationError(f"unknown binder {self.kind!r}; known: {', '.join(BINDERS)}")

    def __str__(self) -> str:
        upper = "oo" if self.upper is None else str(self.upper)
        if self.kind.startswith("limit"):
            return f"{self.kind}[{self.body} as {self.symbol} -> {upper}]"
        lower = "-oo" if self.lower is None else str(self.lower)
        return f"{self.kind}[{self.body} for {self.symbol} from {lower} to {upper}]"
