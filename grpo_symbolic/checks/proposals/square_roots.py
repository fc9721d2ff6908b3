"""Inequalities with square roots, as inequalities between polynomials."""

from __future__ import annotations

from dataclasses import replace

from flint import fmpq

from grpo_symbolic.checks.proposals.positivity import Positivity


def squared(goal: Positivity) -> Positivity | None:
    """``U - V*root`` as ``(U**2 - V**2 * radicand) / (U + V*root)``, for U and V that are sums of positive terms."""
    form = goal.form
    roots = [place for place in goal.used if place >= len(form.symbols)]
    if len(roots) != 1 or goal.where is not None or form.kernels[roots[0] - len(form.symbols)].kind != "sqrt":
        return None
    (place,) = roots
    radicand = form.kernels[place - len(form.symbols)].arguments[0]
    parts: list[dict[tuple[int, ...], fmpq]] = [{}, {}]
    for powers, value in goal.numerator.terms():
        if powers[place] > 1 or (value < 0) != (powers[place] == 1):
            return None
        parts[powers[place]][(*powers[:place], 0, *powers[place + 1 :])] = abs(value)
    if not radicand.denominator.is_constant() or not all(parts):
        return None
    plain, beside = (form.context.from_dict(part) for part in parts)
    below = goal.denominator * (goal.write(plain) + goal.write(beside) * goal.generators[place])
    return replace(goal, numerator=plain**2 - beside**2 * radicand.numerator, denominator=below)


def in_roots(goal: Positivity) -> Positivity | None:
    """The same with the squares of their roots in the place of symbols; None if there are other roots or functions."""
    form = goal.form
    variables = list(form.context.gens())
    for place, kernel in enumerate(form.kernels, start=len(form.symbols)):
        symbol = next((at for at in range(len(form.symbols)) if _is_root_of(goal, kernel.arguments[0], at)), None)
        if kernel.kind != "sqrt" or symbol is None:
            return None
        variables[symbol] = form.context.gen(place) ** 2
    if not form.kernels:
        return None

    inside = replace(goal.composed(variables), in_roots=True)
    ends = (weight for weight in inside.ends() if not weight.polynomial.is_constant())
    return replace(inside, weights=(*ends, *inside.weights))


def _is_root_of(goal: Positivity, radicand: object, place: int) -> bool:
    return radicand == goal.form.polynomial(goal.form.context.gen(place))
