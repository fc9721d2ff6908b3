"""Polynomials over the rationals taken apart into irreducible factors."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from grpo_symbolic.translate.balls import as_fraction


def factored(polynomial: fmpq_mpoly) -> tuple[Fraction, tuple[tuple[fmpq_mpoly, int], ...]]:
    """The rational constant, and the irreducible factors with their exponents."""
    return _factored(polynomial.context(), tuple(polynomial.terms()))


# Many forms of one claim, and its towers at different samples, have the same polynomials.
@lru_cache(maxsize=2**13)
def _factored(
    context: fmpq_mpoly_ctx, terms: tuple[tuple[tuple[int, ...], fmpq], ...]
) -> tuple[Fraction, tuple[tuple[fmpq_mpoly, int], ...]]:
    constant, factors = context.from_dict(dict(terms)).factor()
    return as_fraction(constant), tuple((factor, int(exponent)) for factor, exponent in factors)
