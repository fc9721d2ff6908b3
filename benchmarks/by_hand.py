"""The five results as a researcher checks them in an afternoon: SymPy to simplify, mpmath at random points.

Each function returns how many statements it has checked. Nothing of this package is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import mpmath
import sympy

POINTS, DIGITS, SEED = 200, 50, 20250218
_NOUGHT = mpmath.mpf(10) ** (10 - DIGITS)

r, beta, gamma, x, p, epsilon, reference, z = sympy.symbols("r beta gamma x p epsilon p_ref z", positive=True)


def kkt() -> int:
    """Equation (11) for three outputs: what a stationary policy of the objective satisfies."""
    pi, old, ref, gain = (sympy.symbols(f"{name}:3", positive=True) for name in ("pi", "old", "ref", "P"))
    rate = sympy.symbols("lambda", real=True)
    penalty = sum(o * (f / q - sympy.log(f / q) - 1) for q, o, f in zip(pi, old, ref, strict=True))
    objective = sum(q * g for q, g in zip(pi, gain, strict=True)) - beta * penalty
    on_policy = dict(zip(old, pi, strict=True))
    slopes = [sympy.diff(objective, q).subs(on_policy) for q in pi]
    solved = [f / (1 - (g - rate) / beta) for f, g in zip(ref, gain, strict=True)]
    for slope, policy, value in zip(slopes, pi, solved, strict=True):
        _vanishes(slope.subs(policy, value) - rate, {"beta": (0.1, 5), "lambda": (-9, -6)})
    return 1


def roots() -> int:
    """Equations (14) and (15): the roots satisfy the conditions of stationarity, and lie between 0 and 1."""
    small = (gamma - beta + sympy.sqrt(beta**2 + 4 * beta * gamma * r + gamma**2 - 2 * beta * gamma)) / (2 * gamma)
    large = (2 * beta**2 * r + 1 + sympy.sqrt(1 + 4 * beta**2 * r * (1 - r))) / (2 * (1 + beta**2))
    penalty = -r / x + (1 - r) / (1 - x)
    for root, condition in (
        (small, gamma - beta * penalty),
        (large, 1 / sympy.sqrt(x * (1 - x)) - beta * penalty),
    ):
        ranges = {"r": (0.01, 0.99), "beta": (0.1, 9), "gamma": (0.05, 1)}
        _vanishes(condition.subs(x, root), ranges)
        _holds(lambda value: 0 < value < 1, root, ranges)
    return 2


def slope() -> int:
    """The formula for the slope of the success map."""
    argument = 1 / (beta * sympy.sqrt(p * (1 - p) + epsilon)) - sympy.log((1 - reference) / reference)
    success = 1 / (1 + (1 - reference) / reference * sympy.exp(-1 / (beta * sympy.sqrt(p * (1 - p) + epsilon))))
    printed = success * (1 - success) * (2 * p - 1) / (2 * beta * (p * (1 - p) + epsilon) ** sympy.Rational(3, 2))
    ranges = {"p": (0.01, 0.99), "p_ref": (0.01, 0.99), "beta": (0.5, 9), "epsilon": (0.01, 1)}
    _vanishes(sympy.diff(success, p) - printed, ranges)
    _vanishes(success - 1 / (1 + sympy.exp(-argument)), ranges)
    return 2


def cosh_bound() -> int:
    """The product of a logistic function and its complement, and the bound with a hyperbolic cosine."""
    logistic = 1 / (1 + sympy.exp(-z))
    _vanishes(logistic * (1 - logistic) - 1 / (4 * sympy.cosh(z / 2) ** 2), {"z": (0.1, 30)})
    gap = 1 / (1 + z**2 / 4) - 1 / sympy.cosh(z / 2) ** 2
    _holds(lambda value: value >= 0, gap, {"z": (0.01, 30)})
    return 2


def reverse_kl() -> int:
    """The gradients of the reverse divergence and of the penalty, on-policy, for a softmax over three outputs."""
    theta, ref, old = (sympy.symbols(f"{name}:3", real=True) for name in ("theta", "ref", "old"))
    whole = sum(map(sympy.exp, theta))
    policy = [sympy.exp(one) / whole for one in theta]
    divergence = sum(f * sympy.log(f / q) for q, f in zip(policy, ref, strict=True))
    penalty = sum(o * (f / q - sympy.log(f / q) - 1) for q, o, f in zip(policy, old, ref, strict=True))
    on_policy = dict(zip(old, policy, strict=True))
    for one in theta:
        _vanishes(sympy.diff(divergence, one) - sympy.diff(penalty, one).subs(on_policy), {})
    return 1


RESULTS = (kkt, roots, slope, cosh_bound, reverse_kl)


def _vanishes(expression: sympy.Expr, ranges: dict[str, tuple[float, float]]) -> None:
    """By algebra if SymPy can, and at all points in any case."""
    sympy.simplify(expression)
    _holds(lambda value: abs(value) < _NOUGHT, expression, ranges)


def _holds(test: Callable[[mpmath.mpf], bool], expression: sympy.Expr, ranges: dict[str, tuple[float, float]]) -> None:
    symbols = sorted(expression.free_symbols, key=str)
    evaluate = sympy.lambdify(symbols, expression, "mpmath")
    draw = random.Random(SEED)
    with mpmath.workdps(DIGITS + 10):
        for _ in range(POINTS):
            point = [mpmath.mpf(draw.uniform(*ranges.get(str(symbol), (0.1, 0.9)))) for symbol in symbols]
            value = evaluate(*point)
            if not test(value):
                raise ArithmeticError(f"{expression} is {mpmath.nstr(value, 8)} at {point} of {symbols}")
