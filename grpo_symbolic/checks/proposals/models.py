"""Points near models of solvers, where somebody may look for a counterexample: a model alone refutes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from grpo_symbolic.language.expression import Symbol

#: Denominators to which a model is rounded: of an irrational one, only an approximation is known.
_ROUNDINGS = (10**9, 1000, 100, 12)


def rounded(models: Iterable[Mapping[Symbol, Fraction]]) -> Iterator[Mapping[Symbol, Fraction]]:
    """Each model, then its roundings."""
    for model in models:
        yield model
        for largest in _ROUNDINGS:
            yield {symbol: value.limit_denominator(largest) for symbol, value in model.items()}
