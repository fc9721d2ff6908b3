"""Antiderivatives and telescoping terms, proposed by SymPy; nothing here is believed."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy.concrete.gosper import gosper_term
from sympy.integrals.manualintegrate import manualintegrate

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Expression, Symbol, walk
from grpo_symbolic.translate.cas import Bridge

#: Larger expressions are not tried.
_LARGEST = 200


def antiderivative(body: Expression, variable: Symbol) -> Expression | None:
    """What may have the derivative ``body`` by ``variable``; None if nothing was found."""
    return _proposed(body, variable, manualintegrate)


def telescoping(body: Expression, index: Symbol) -> Expression | None:
    """A T of which T(k + 1) - T(k) may be ``body``, by Gosper's method; None if nothing was found."""
    return _proposed(body, index, _gosper)


def shorter(quotient: Expression, variable: Symbol) -> Expression | None:
    """What may be the quotient with common factors cancelled."""
    return _proposed(quotient, variable, lambda term, _: sympy.cancel(sympy.powsimp(term)))


def _gosper(term: sympy.Expr, index: sympy.Symbol) -> sympy.Expr | None:
    ratio = gosper_term(_as_powers(term), index)
    return None if ratio is None else ratio * _as_powers(term)


def _as_powers(term: sympy.Expr) -> sympy.Expr:
    """Powers instead of ``exp(k log(x))``, which Gosper's method does not take for hypergeometric."""

    def power(exponent: sympy.Expr) -> sympy.Expr:
        for factor in sympy.Mul.make_args(exponent):
            if isinstance(factor, sympy.log):
                return factor.args[0] ** (exponent / factor)
        return sympy.exp(exponent)

    return term.replace(sympy.exp, power)


def _proposed(
    body: Expression, variable: Symbol, propose: Callable[[sympy.Expr, sympy.Symbol], sympy.Expr | None]
) -> Expression | None:
    if sum(1 for _ in walk(body)) > _LARGEST:
        return None
    bridge = Bridge()
    try:
        term = bridge.to_sympy(body)
        by = bridge.to_sympy(variable)
        found = propose(term, by) if isinstance(by, sympy.Symbol) else None
        return None if found is None else bridge.from_sympy(sympy.factor_terms(found))
    except (UnsupportedError, ValueError, TypeError, NotImplementedError, AttributeError, RecursionError, KeyError):
        # What a computer algebra system cannot do, it says in many ways.
        return None
