"""Statements of every notion, false ones that must not pass and true ones that must not be refuted.

They were written to find holes: each false one is nearly true, true of other numbers, or true under another reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import pytest

from grpo_symbolic import (
    Claim,
    Delta,
    Derivative,
    EveryCycle,
    Extremum,
    Group,
    IndexSet,
    Lemma,
    Statement,
    Summed,
    TermOfTotal,
    Total,
    UniqueRoot,
    UniqueZero,
    Zeros,
    absolute,
    attracts,
    attracts_flow,
    binary,
    binomial,
    both,
    by_induction,
    claim,
    converges,
    cosh,
    decreasing,
    either,
    eq,
    every_iterate,
    exp,
    factorial,
    falls_to_a_limit,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    judge,
    law,
    le,
    local_maximum,
    local_minimum,
    log,
    lt,
    maximum,
    minimum,
    ne,
    never,
    rational,
    real,
    repels,
    sinh,
    some_zero,
    sqrt,
    sum_of,
    tanh,
    tends_to,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.language.vocabulary import cos, sign, sin

SETTINGS = Settings(digits=30, points=40)
HALF = rational(1, 2)
ARMS, PROMPTS = IndexSet("arm", "arms", "i"), IndexSet("prompt", "prompts", "q")
MEMBERS, J = IndexSet("member", "members", "m"), ARMS.another("j")
DELTA = Delta(J)
ANY, POSITIVE = "(-oo, oo)", "(0, oo)"

x, y, z = (real(name, ANY, "a number") for name in "xyz")
p, q = (real(name, "(0, 1)", "a share") for name in "pq")
a, b = (real(name, POSITIVE, "a positive number") for name in "ab")
c, d = real("c", "[0, 1]", "a share or an end"), real("d", "[0, oo)", "what is not negative")
n, k = (whole(name, "[0, oo)", "a number of steps") for name in "nk")
m, few = whole("m", "[1, oo)", "a positive number"), whole("few", "[0, 3]", "a small number")
at_most_five = whole("e", "(-oo, 5]", "a number of at most five")
X, Y = (real(name, ANY, "a coordinate", latex=f"{name}_{{index}}", indexed=ARMS) for name in "XY")
W = real("W", POSITIVE, "a weight", latex="W_{index}", indexed=ARMS)
C = real("C", POSITIVE, "of an arm and a prompt", latex="C({index}, {second})", indexed=(ARMS, PROMPTS))
V = real("V", POSITIVE, "of a prompt", latex="V({index})", indexed=PROMPTS)
XJ, YJ, WJ = X.at(J), Y.at(J), W.at(J)
r = real("r", ANY, "a reward", latex="r_{index}", indexed=MEMBERS)
size, any_size = real("G", "[2, oo)", "a group size"), whole("M", "[2, oo)", "a group size")
of_two, of_three, of_size, of_any_size = (Group(r, count, binary(p)) for count in (2, 3, size, any_size))
of_three_values = Group(r, 3, law([2, 0, -1], [p / 2, q / 2]))

FALSE: Mapping[str, Sequence[tuple[Statement, Sequence[Statement]]]] = {
    "whole numbers": [
        (gt(n, 0), []),
        (ge(n * (n - 2), 0), []),
        (eq(n**2, n), []),
        (ne(n, 7), []),
        (ge(n * (n - 1) * (n - 2), 1), []),
        (lt(n / (n + 1), rational(99, 100)), []),
        (ne(2 * n, 10), []),
        (gt((n - HALF) ** 2, rational(1, 4)), []),
        (increasing((n - 3) ** 2, n), []),
        (increasing(n * (n - 1), n), []),
        (decreasing(1 / (n - HALF), n), []),
        (increasing(rational(-1) * n, n), []),
        (increasing((n - HALF) ** 2, n), []),
        (lt(few, 3), []),
        (increasing(few**2 - 3 * few, few), []),
        (ge(at_most_five, 5), []),
        (decreasing(at_most_five**2, at_most_five), []),
        (ne(few, 2), []),
        (either(eq(few, 0), eq(few, 1), eq(few, 2)), []),
        (gt(m**2, m), []),
        (ge(p**n, p), []),
        (gt(p**n, p**m), []),
        (increasing(p**n, n), []),
        (increasing((1 + a) ** n, a), []),
        (decreasing(p**n, p), []),
        (eq((p * q) ** n, p**n * q**m), []),
        (ge((1 + x) ** n, 1 + n * x), []),
        (lt(a**n, a ** (n + 1)), []),
        (eq((a**n) ** m, a ** (n + m)), []),
        (eq(a ** (n + m), a**n + a**m), []),
        (eq(2 ** (2 * n), 2**n * 2), []),
        (gt(2**n, n**2), []),
        (gt(factorial(n), n), []),
        (ge(factorial(n), 2**n), []),
        (eq(factorial(n + 1), n * factorial(n)), []),
        (eq(binomial(n + 1, 1), n), []),
        (eq(binomial(n, k), binomial(n, n - k - 1)), []),
        (ge(binomial(n, 2), 1), []),
        (eq(factorial(2 * n), 2 * factorial(n)), []),
        (gt(factorial(n + 1), factorial(n)), []),
        (eq(binomial(n + 2, 2), n * (n + 1) / 2), []),
    ],
    "sums and inductions": [
        (eq(sum_of(k, k, 0, n), n * n / 2), []),
        (eq(sum_of(k, k, 1, n), n * (n + 1) / 2 + 1), []),
        (gt(sum_of(k, k, 0, n), n), []),
        (le(sum_of(p**k, k, 0, n), 1), []),
        (lt(sum_of(1, k, 0, n), n), []),
        (eq(sum_of(1, k, 0, n), n), []),
        (eq(sum_of(1, k, 1, n - 1), n - 1), []),
        (eq(sum_of(1, k, 0, n - 2), n - 1), []),
        (eq(sum_of(k * p, k, 0, n), sum_of(k, k, 0, n)), []),
        (eq(sum_of(k, k, 0, 5), 16), []),
        (ne(sum_of(k, k, 0, 5), 15), []),
        (eq(sum_of(sum_of(k, k, 0, 3) * k, k, 0, 2), 17), []),
        (eq(sum_of(1 / k, k, 0, 3), rational(11, 6)), []),
        (eq(sum_of(sqrt(k - 1), k, 0, 2) * 0, 0), []),
        (eq(sum_of(x, k, 0, 3), 3 * x), []),
        (eq(sum_of(x, k, 3, 2), x), []),
        (by_induction(eq(sum_of(k, k, 0, n), n * (n + 1)), n), []),
        (by_induction(eq(sum_of(2 * k + 1, k, 0, n), n**2), n), []),
        (by_induction(le(sum_of(k**2, k, 0, n), n**2), n), []),
        (by_induction(eq(sum_of(1 / ((k + 1) * (k + 2)), k, 0, n), 1 - 1 / (n + 1)), n), []),
        (by_induction(lt(sum_of(p**k, k, 0, n), 1 + p), n), []),
        (by_induction(eq(sum_of(p**k, k, 1, n), (1 - p ** (n + 1)) / (1 - p)), n), []),
        (by_induction(gt(2**n, n + 1), n), []),
        (by_induction(lt(n, 2), n), []),
        (by_induction(eq(n * (n - 1) * (n - 2), 0), n), []),
        (by_induction(ge(p**n, HALF), n), []),
        (by_induction(gt((1 + a) ** n, 1 + n * a), n), []),
        (by_induction(implies(gt(n, 3), lt(n, 100)), n), []),
        (by_induction(implies(lt(n, 3), lt(n, 2)), n), []),
        (by_induction(either(lt(n, 5), lt(n, 3)), n), []),
        (by_induction(eq(sum_of(k, k, 0, n - 1), n * (n + 1) / 2), n), []),
        (by_induction(eq(sum_of(k, k, 0, n + 1), n * (n + 1) / 2), n), []),
        (by_induction(eq(sum_of(binomial(n, k), k, 0, n), 2**n + n), n, changes=[(2, -binomial(n, k - 1))]), []),
        (by_induction(eq(sum_of(binomial(n, k), k, 0, n), 3**n), n, changes=[(3, -binomial(n, k - 1))]), []),
        (by_induction(eq(sum_of(n * k, k, 0, n), n**2 * (n + 1) / 2 + n), n, changes=[(1, k * (k - 1) / 2)]), []),
        (every_iterate(gt(a, 1), {a: a / 2}, {a: 4}), []),
        (every_iterate(le(x, 2), {x: x + 1}, {x: 0}), []),
        (every_iterate(eq(x, 2**n), {x: 2 * x, n: n + 1}, {x: 3, n: 0}), []),
        (every_iterate(lt(p, HALF), {p: (1 + p) / 2}, {p: rational(1, 4)}), []),
        (every_iterate(ge(x, 0), {x: x - y}, {x: 1}, where=gt(y, 0)), []),
        (every_iterate(le(x, 1), {x: y}, {x: 0}, where=lt(y, x + 1)), []),
        (falls_to_a_limit(p**n, n, at_least=HALF), []),
        (falls_to_a_limit(2**n * p, n, at_least=0), []),
    ],
    "elements and sums over them": [
        (eq(X, XJ), []),
        (eq(Total(DELTA * X), Total(X)), []),
        (eq(Derivative(Total(X), XJ), Total(rational(1), ARMS)), []),
        (eq(Derivative(X * Total(Y), XJ), Total(Y)), []),
        (eq(Derivative(Total(X) * Total(Y), XJ), Total(X)), []),
        (eq(Derivative(Total(X * Y), X), Total(Y)), []),
        (ge(Total(W), W + WJ), []),
        (lt(WJ, Total(W)), []),
        (ne(X, XJ), []),
        (eq(DELTA * Total(X), XJ), []),
        (eq(Total(Total(X * YJ, J), ARMS), Total(X * Y)), []),
        (eq(Total(X) ** 2, Total(X**2)), []),
        (ge(Total(X**2), Total(X) ** 2), []),
        (ge(Total(rational(1), ARMS) * Total(X**2), 2 * Total(X) ** 2), []),
        (gt(Total(W), 1), []),
        (ge(Total(rational(1), ARMS), 2), []),
        (eq(Total(W) * Total(1 / W), Total(rational(1), ARMS)), []),
        (eq(Total(V * Total(C, ARMS), PROMPTS), Total(V, PROMPTS) * Total(Total(C, ARMS), PROMPTS)), []),
        (eq(Total(C, ARMS), Total(C, PROMPTS)), []),
        (eq(Total(V * Total(C, ARMS), PROMPTS), Total(V, PROMPTS)), [eq(Total(Total(C, ARMS), PROMPTS), 1)]),
        (eq(Total(Total(C, ARMS) ** 2, PROMPTS), Total(Total(C, ARMS), PROMPTS) ** 2), []),
        (eq(Total(W / Total(W)), Total(rational(1), ARMS)), []),
        (implies(gt(X, 0), gt(Total(X), 1)), []),
        (implies(eq(X, 1), eq(Total(X), 1)), []),
        (eq(X, Total(X)), [ge(X, 0)]),
        (gt(Total(X), 0), [ge(X, 0)]),
        (eq(Total(X * Y), Total(X) * Y), []),
        (eq(Total(X * Y), Total(X) * Y), [eq(Total(X), 1)]),
        (le(W, HALF), [eq(Total(W), 1)]),
        (lt(W, 1), [eq(Total(W), 1)]),
        (eq(Total(W * (X - Total(W * X))), 1), [eq(Total(W), 1)]),
        (ge(Total(W * (X - Total(W * X)) ** 2), 1), [eq(Total(W), 1)]),
        (gt(Total(W * (X - Total(W * X)) ** 2), 0), [eq(Total(W), 1)]),
        (Summed(eq(X, a), rational(1), eq(Total(X), a), rational(1)), []),
        (Summed(gt(X, 0), Y, gt(Total(X * Y), 0), rational(1)), []),
        (Summed(ge(X, a), W, ge(Total(X * W), a), rational(1)), []),
        (TermOfTotal(X), []),
        (TermOfTotal(W - 1), []),
    ],
    "limits": [
        (tends_to(x / (x + 1), 1, x, to=None, side="oo", constant=HALF), []),
        (tends_to(a / (a + 1), 1, a, to=None, side="oo", constant=HALF), []),
        (tends_to(1 / a, 1, a, to=None, side="oo", constant=1), []),
        (tends_to(a**2, 0, a, to=0, side="+", constant=1), []),
        (tends_to(a, 1, a, to=0, side="+", constant=1, near=1), []),
        (tends_to(sqrt(a), 0, a, to=0, side="+", constant=1, near=1), []),
        (tends_to(log(a), None, a, to=None, side="oo", constant=1), []),
        (tends_to(1 / a, None, a, to=0, side="+", constant=2), []),
        (tends_to(exp(-a), 0, a, to=None, side="oo", constant=rational(1, 10)), []),
        (tends_to(p**n, 0, n, to=None, side="oo", constant=1), []),
        (tends_to(n / (n + 1), 1, n, to=None, side="oo", constant=HALF), []),
        (tends_to((1 + 1 / m) ** m, exp(rational(1)), m, to=None, side="oo", constant=1), []),
        (tends_to(sin(a) / a, 1, a, to=0, side="+", constant=rational(1, 100), exponent=2, near=1), []),
        (tends_to(x**2, 0, x, to=0, side="-", constant=1), []),
        (tends_to(1 / a, 0, a, to=None, side="oo", constant=1, exponent=2), []),
        (tends_to(cos(a), 1, a, to=0, side="+", constant=rational(1, 3), exponent=2), []),
    ],
    "monotonicity": [
        (increasing(x**2, x), []),
        (increasing(x**3 - x, x), []),
        (increasing(a - log(a), a), []),
        (decreasing(a * exp(-a), a), []),
        (increasing(sin(a), a), []),
        (increasing(absolute(x), x), []),
        (increasing(maximum(x, 1), x), []),
        (increasing(p * (1 - p), p), []),
        (increasing(x * y, x), []),
        (increasing(x / (x**2 + 1), x), []),
        (decreasing(1 / x, x), []),
        (increasing(x - x / 1, x), []),
        (increasing(x**3 - rational(1, 10**6) * x, x), []),
        (increasing(a**a, a), []),
        (increasing(Total(X) * X, X), []),
        (increasing(X - Total(X), X), []),
        (increasing(X * Total(Y), X), []),
        (increasing(W / Total(W), W), []),
        (increasing(x**2, x), [gt(x, -1)]),
        (increasing(tanh(x) - x, x), []),
        (increasing(log(1 + exp(-x)), x), []),
        (increasing(x + cos(2 * x), x), []),
        (decreasing((1 - p**m) / (1 - p), p), []),
        (increasing(of_any_size.is_mixed, p), []),
    ],
    "maxima and minima": [
        (Extremum(x**2, x, rational(0), False), []),
        (Extremum(x**2 - 2 * x, x, rational(0)), []),
        (Extremum(x**4 - x**2, x, rational(0)), []),
        (Extremum(x**4 - x**2, x, sqrt(HALF)), []),
        (Extremum(p * (1 - p), p, HALF), []),
        (Extremum(p * (1 - p), p, rational(1, 3), False), []),
        (Extremum(a * log(a), a, rational(1)), []),
        (Extremum(c, c, rational(1)), []),
        (Extremum(c, c, rational(0), False), []),
        (Extremum(x**3, x, rational(0)), []),
        (Extremum(x * 0, x, rational(0)), []),
        (Extremum(absolute(x - 1) + absolute(x), x, rational(0)), []),
        (Extremum((x - y) ** 2, x, y + 1), []),
        (Extremum(x * y, x, rational(0)), []),
        (Extremum(-((p - q) ** 2), p, q), []),
        (Extremum((p - q - HALF) ** 2, p, q + HALF), []),
        (local_maximum(x**2, {x: 0}), []),
        (local_minimum(x**4, {x: 0}), []),
        (local_minimum(x**3, {x: 0}), []),
        (local_maximum(x * y, {x: 0, y: 0}), []),
        (local_minimum(x**2 + 3 * x * y + y**2, {x: 0, y: 0}), []),
        (local_maximum(-(x**2), {x: 1}), []),
        (local_minimum(x**2 - y**2, {x: 0, y: 0}), []),
        (ge(maximum(x, y), x + y), []),
        (eq(maximum(x, y) + minimum(x, y), x - y), []),
        (gt(maximum(x, -x), 0), []),
        (le(maximum(p, q), maximum(p, q) ** 2), []),
        (eq(minimum(p, q), p * q), []),
        (lt(minimum(p, 1 - p), HALF), []),
        (eq(absolute(x * y), x * y), []),
        (le(absolute(x + y), absolute(x) - absolute(y)), []),
        (eq(sqrt(x**2), x), []),
        (eq(sign(x) ** 2, 1), []),
        (eq(sign(x) * x, x), []),
    ],
    "roots, zeros and witnesses": [
        (UniqueRoot(x, eq(x**2, 4), rational(2)), []),
        (UniqueRoot(p, eq(p * (1 - p), rational(1, 4)), rational(1, 3)), []),
        (UniqueRoot(x, eq(x**2, a), sqrt(a)), []),
        (UniqueRoot(a, eq(a**2, b), b), []),
        (UniqueRoot(p, eq(2 * p, 3), rational(3, 2)), []),
        (UniqueRoot(c, eq(c * (c - 1), 0), rational(0)), []),
        (UniqueRoot(x, eq(exp(x), y), log(y)), []),
        (UniqueRoot(x, eq(x * y, 0), rational(0)), []),
        (UniqueRoot(x, eq(absolute(x), 1), rational(1)), []),
        (UniqueRoot(x, ge(x, 0), rational(0)), []),
        (UniqueZero(x**3 - x, x, rational(-2), rational(2), True), []),
        (UniqueZero(x**2 - 1, x, rational(0), rational(2), True), []),
        (UniqueZero(x**2 + 1, x, rational(0), rational(2), True, lower=rational(0)), []),
        (UniqueZero(a - 2, a, rational(1), rational(3), False), []),
        (UniqueZero(p - 2, p, rational(1, 4), HALF, True), []),
        (Zeros(x**2 - 2, x, ((rational(1), rational(2)),), False), []),
        (
            Zeros(
                x**3 - x, x, ((rational(-2), rational(-Fraction(1, 2))), (rational(Fraction(1, 2)), rational(2))), True
            ),
            [],
        ),
        (Zeros(x**2, x, ((rational(-1), rational(1)),), True), []),
        (some_zero(x**2 + 1, x, -1, 1, rising=True), []),
        (some_zero(1 / x, x, -1, 1, rising=True), []),
        (some_zero(x - 3, x, 0, 2, rising=True), []),
        (instance(gt(x, y), {x: y}), []),
        (instance(eq(x**2, 2), {x: rational(7, 5)}), []),
        (instance(lt(p, q), {p: HALF}), []),
        (instance(gt(p, 0), {p: 2}), []),
        (never(gt(x, y)), []),
        (never(both(gt(x, 0), lt(x, rational(1, 10**9)))), []),
        (never(eq(p, q)), []),
        (never(eq(exp(x), y)), []),
        (never(eq(x**2, 2)), []),
        (iff(gt(x * y, 0), both(gt(x, 0), gt(y, 0))), []),
        (iff(eq(x**2, y**2), eq(x, y)), []),
        (iff(gt(1 / x, 1), lt(x, 1)), []),
        (implies(gt(x, y), gt(x**2, y**2)), []),
        (implies(eq(x * z, y * z), eq(x, y)), []),
        (iff(le(x, 1), le(x**2, 1)), []),
    ],
    "expectations over groups": [
        (eq(of_two.expectation(r), 2 * p), []),
        (eq(of_two.expectation(of_two.variance), p * (1 - p)), []),
        (eq(of_three.expectation(of_three.sample_variance), p * (1 - p) * rational(2, 3)), []),
        (eq(of_size.expectation(of_size.variance), p * (1 - p)), []),
        (eq(of_size.expectation(of_size.sample_variance), (1 - 1 / size) * p * (1 - p)), []),
        (eq(of_size.expectation(of_size.mean**2), p**2), []),
        (eq(of_three.expectation(r, given=1), p), []),
        (eq(of_three.expectation(r - of_three.mean, given=1), 1 - p), []),
        (eq(of_three.is_mixed, 1 - p**3), []),
        (eq(of_size.is_mixed, 1 - p**size), []),
        (gt(of_any_size.is_mixed, HALF), []),
        (eq(of_three.expectation(1 / (r + 1)), 1 - p), []),
        (eq(of_three_values.expectation(r), p - q), []),
        (eq(of_three_values.expectation(r**2), 2 * p + q), []),
        (eq(of_two.expectation(r * of_two.mean), p**2), []),
        (eq(of_size.expectation(r * of_size.mean), p**2), []),
        (eq(of_three.expectation((r - of_three.mean) / sqrt(of_three.variance), given=1, mixed=True), 1), []),
        (eq(of_two.expectation(r, mixed=True), p), []),
        (ge(of_three.expectation(of_three.variance), rational(1, 4)), []),
        (eq(Derivative(of_three.expectation(r**2), p), 2 * p), []),
        (eq(of_three.expectation(r / of_three.mean), 1), []),
        (eq(of_size.expectation(1), size), []),
        (lt(of_any_size.expectation(of_any_size.mean), p), []),
    ],
    "iterations": [
        (attracts({x: 2 * x}, 0), []),
        (attracts({x: x - x**3}, 0), []),
        (attracts({x: x**2}, 1), []),
        (repels({x: x / 2}, 0), []),
        (attracts({x: -x}, 0), []),
        (attracts({p: p**2}, 0), []),
        (attracts({x: x / 2 + 1}, 1), []),
        (attracts({x: y, y: -x}, (0, 0)), []),
        (attracts({x: y / 2, y: 2 * x}, (0, 0)), []),
        (repels({x: x / 2, y: y / 3}, (0, 0)), []),
        (attracts_flow({x: x}, 0), []),
        (attracts_flow({x: -(x**3)}, 0), []),
        (attracts_flow({x: y, y: -x}, (0, 0)), []),
        (converges(2 * x, x, 0), []),
        (converges(x + 1, x, 0), []),
        (converges(x / 2 + 1, x, 0), []),
        (converges(x - x**3, x, 0), []),
        (converges(-x, x, 0), []),
        (converges(p**2, p, 1), []),
        (converges(a / 2 + HALF, a, rational(2)), []),
        (converges(x**2, x, 0, within=2), []),
        (EveryCycle(x / 2, x, rational(0), HALF, rational(1)), []),
        (EveryCycle(1 - x, x, rational(0), HALF, rational(1)), []),
    ],
}
TRUE: Sequence[Statement] = [
    ge(n, 0),
    gt(n + 1, n),
    ge(n * (n - 1), 0),
    ne(2 * n, 2 * n + 1),
    ne(2 * m, 2 * k + 1),
    ge(2**n, n + 1),
    eq(p ** (n + m), p**n * p**m),
    increasing(a ** (2 * n + 1), a),
    decreasing(p**n, n),
    increasing(n**2, n),
    increasing(2**n, n),
    increasing(n * (n + 1), n),
    le(few * (few - 1) * (few - 2) * (few - 3), 0),
    eq(few * (few - 1) * (few - 2) * (few - 3), 0),
    either(eq(few, 0), eq(few, 1), eq(few, 2), eq(few, 3)),
    le(at_most_five, 5),
    either(le(n, 3), ge(n, 4)),
    ge((n - HALF) ** 2, rational(1, 4)),
    eq(factorial(n + 1), (n + 1) * factorial(n)),
    eq(binomial(n + 2, 2), (n + 1) * (n + 2) / 2),
    ge(factorial(m), 1),
    ge(binomial(n + k, k), 1),
    eq(binomial(n + k, k), binomial(n + k, n)),
    eq(sum_of(k, k, 0, 4), 10),
    eq(sum_of(p**k, k, 0, 3), 1 + p + p**2 + p**3),
    by_induction(eq(sum_of(k, k, 0, n), n * (n + 1) / 2), n),
    by_induction(ge(2**n, n + 1), n),
    by_induction(ge(sum_of(1 / (k + 1), k, 0, n), 1), n),
    by_induction(implies(ge(n, 4), ge(2**n, n**2)), n),
    by_induction(eq(sum_of(1, k, 1, n), n), n),
    by_induction(le(p**n, 1), n),
    by_induction(either(eq(n, 0), ge(n, 1)), n),
    every_iterate(gt(a, 0), {a: a / 2}, {a: 1}),
    every_iterate(ge(x, 0), {x: x + y}, {x: 0}, where=ge(y, 0)),
    falls_to_a_limit(p**n, n, at_least=0),
    le(WJ, Total(W)),
    eq(Total(DELTA * X), XJ),
    eq(Derivative(Total(X**2), XJ), 2 * XJ),
    eq(Total(Total(X * YJ, J), ARMS), Total(X) * Total(Y)),
    ge(Total(rational(1), ARMS) * Total(X**2), Total(X) ** 2),
    ge(Total(X**2), X**2),
    gt(Total(W**2), 0),
    implies(eq(X, Y), eq(Total(X), Total(Y))),
    implies(gt(X, 0), gt(Total(X), 0)),
    eq(Total(V * Total(C, ARMS), PROMPTS), Total(Total(V * C, PROMPTS), ARMS)),
    le(W, Total(W)),
    either(eq(X, XJ), ne(X, XJ)),
    implies(eq(X, 1), eq(Total(X), Total(rational(1), ARMS))),
    Summed(gt(X, 0), W, gt(Total(X * W), 0), rational(1)),
    TermOfTotal(W**2),
    TermOfTotal(X**2),
    tends_to(1 / a, 0, a, to=None, side="oo", constant=1),
    tends_to(p**n, 0, n, to=None, side="oo", constant=1 / (1 - p)),
    tends_to(n / (n + 1), 1, n, to=None, side="oo", constant=1),
    tends_to(sin(a) / a, 1, a, to=0, side="+", constant=1, near=1),
    tends_to(sqrt(a), 0, a, to=0, side="+", constant=1, exponent=Fraction(1, 2)),
    tends_to(x**2, 0, x, to=0, side="-", constant=1, exponent=2, near=1),
    tends_to(a * log(a), 0, a, to=0, side="+", constant=1, exponent=Fraction(1, 2), near=1),
    tends_to(exp(a), None, a, to=None, side="oo", constant=1),
    tends_to((1 + 1 / m) ** m, exp(rational(1)), m, to=None, side="oo", constant=3),
    increasing(x**3, x),
    increasing(x + sin(x) / 2, x),
    increasing(x + sin(x), x),
    increasing(tanh(x), x),
    decreasing(exp(-x), x),
    increasing(p / (1 - p), p),
    increasing(maximum(x, 2 * x), x),
    increasing(sqrt(d), d),
    increasing(x**5 + x, x),
    decreasing(1 / a, a),
    increasing(x**3 - 3 * x**2 + 3 * x, x),
    Extremum(x**2, x, rational(0)),
    Extremum(absolute(x), x, rational(0)),
    Extremum(p * (1 - p), p, HALF, False),
    Extremum(a * log(a), a, exp(rational(-1))),
    Extremum(c, c, rational(0)),
    Extremum(x**4, x, rational(0)),
    Extremum((x - y) ** 2, x, y),
    Extremum(-absolute(x - 1), x, rational(1), False),
    local_maximum(-(x**2) - y**2, {x: 0, y: 0}),
    local_minimum(x**2 + x * y + y**2, {x: 0, y: 0}),
    le(minimum(x, y), maximum(x, y)),
    eq(maximum(x, y) + minimum(x, y), x + y),
    eq(absolute(x * y), absolute(x) * absolute(y)),
    le(absolute(x + y), absolute(x) + absolute(y)),
    eq(sqrt(x**2), absolute(x)),
    eq(sign(x) * absolute(x), x),
    eq(maximum(x, y), (x + y + absolute(x - y)) / 2),
    UniqueRoot(a, eq(a**2, b), sqrt(b)),
    UniqueRoot(x, eq(exp(x), b), log(b)),
    UniqueRoot(p, eq(p * (1 - p), rational(1, 4)), HALF),
    UniqueRoot(x, eq(x**3, 8), rational(2)),
    UniqueZero(x**3 - 2, x, rational(0), rational(2), True),
    UniqueZero(exp(x) - 2, x, rational(0), rational(1), True),
    Zeros(x**2 - 2, x, ((rational(-2), rational(-1)), (rational(1), rational(2))), False),
    some_zero(x**3 - 2, x, 0, 2, rising=True),
    some_zero(x**3 - x - 1, x, -5, 5, rising=True),
    instance(gt(x, y), {x: y + 1}),
    never(both(gt(x, 0), lt(x, 0))),
    never(lt(x**2, 0)),
    never(eq(exp(x), 0)),
    never(lt(p + 1 / p, 2)),
    iff(gt(x * a, 0), gt(x, 0)),
    iff(eq(x * y, 0), either(eq(x, 0), eq(y, 0))),
    iff(gt(1 / a, 1), lt(a, 1)),
    iff(le(x**2, 1), both(le(x, 1), ge(x, -1))),
    implies(both(gt(x, y), gt(y, 0)), gt(x**2, y**2)),
    eq(of_three.expectation(of_three.sample_variance), p * (1 - p)),
    eq(of_size.expectation(of_size.variance), (1 - 1 / size) * p * (1 - p)),
    eq(of_size.expectation(of_size.mean), p),
    eq(of_any_size.expectation(of_any_size.mean), p),
    eq(of_three.is_mixed, 1 - p**3 - (1 - p) ** 3),
    eq(of_three.expectation(r, given=1), 1),
    eq(of_two.expectation(r * of_two.mean), (p + p**2) / 2),
    eq(of_three.expectation(1 / (r + 1)), 1 - p / 2),
    eq(Derivative(of_three.expectation(r), p), 1),
    attracts({x: x / 2}, 0),
    attracts({x: x**2}, 0),
    repels({x: 2 * x}, 0),
    repels({x: -2 * x}, 0),
    attracts({x: x / 2 + 1}, 2),
    attracts({x: y / 2, y: -x / 2}, (0, 0)),
    attracts_flow({x: -x}, 0),
    repels({x: x**2}, 1),
    converges(x / 2, x, 0),
    converges(x / 2 + 1, x, 2),
    converges(sin(x) / 2, x, 0),
    converges(a / 2 + 1, a, 2),
    converges(x**3, x, 0, within=1),
    converges(p**2, p, 0),
    eq(x * y - y * x, 0),
    gt(exp(x), x),
    ge(exp(x), 1 + x),
    le(log(a), a - 1),
    lt(tanh(x), 1),
    ge(cosh(x), 1),
    le(sin(x) ** 2 + cos(x) ** 2, 1),
    eq(cosh(x) ** 2 - sinh(x) ** 2, 1),
    lt(log(1 + a), a),
    gt(a + 1 / a, HALF + 1),
    ge(a + 1 / a, 2),
    le(p * q, HALF * (p**2 + q**2)),
    ge(x**4 - 2 * x**2 + 1, 0),
    gt(x**2 + x + 1, 0),
    lt(sqrt(a * b), a + b),
    le(sqrt(a * b), (a + b) / 2),
    lt(p * (1 - p), rational(26, 100)),
    le(p * (1 - p), rational(1, 4)),
]


def lemmas() -> Iterator[tuple[Statement, Sequence[Claim | Lemma], Sequence[Statement]]]:
    """False statements beside true lemmas, which do not say them, and what is given."""

    def said(statement: Statement) -> Claim:
        return claim("l.lemma", "A lemma", statement)

    inner, outer = eq(Total(C, ARMS), 1), eq(Total(V * Total(C, ARMS), PROMPTS), Total(V, PROMPTS))
    mean = said(implies(inner, outer))
    yield from ((one, [mean], []) for one in (outer, inner, implies(outer, inner)))
    same, sums = eq(X, Y), eq(Total(X), Total(Y))
    for summed in (said(Summed(same, rational(1), sums, rational(1))), said(implies(same, sums))):
        yield from ((one, [summed], []) for one in (sums, either(ne(X, Y), sums), implies(sums, same), eq(XJ, YJ)))
        yield ne(X, Y), [summed], [ne(Total(X), Total(Y))]
    term = said(TermOfTotal(W))
    yield from ((one, [term], [eq(Total(W), 1)]) for one in (lt(W, 1), le(2 * W, Total(W)), lt(W, Total(W))))
    root = said(UniqueRoot(X, eq(X * Total(W), Y), Y / Total(W)))
    yield from ((one, [root], []) for one in (eq(X, Y / Total(W)), eq(Total(X) * Total(W), Total(Y))))
    impossible = said(never(both(gt(X, Y), gt(Y, X))))
    yield from ((one, [impossible], []) for one in (ge(X, Y), ge(Total(X), Total(Y))))
    upto = sum_of(k, k, 0, n)
    closed = said(by_induction(eq(upto, n * (n + 1) / 2), n))
    beyond = eq(sum_of(k, k, 0, n + 1), n * (n + 1) / 2)
    yield from ((one, [closed], []) for one in (eq(upto, n * n), beyond, gt(upto, 0)))
    rising = said(increasing(x**3, x))
    yield from ((one, [rising.between(x, y)], []) for one in (lt(x**3, y**3), lt(x, y)))
    premised = said(implies(gt(x, 0), gt(x + 1 / x, 1)))
    yield from ((one, [premised], []) for one in (gt(x + 1 / x, 1), ne(x, 0), gt(x, 0)))
    least = said(Extremum((x - a) ** 2, x, a))
    yield from ((one, [least], []) for one in (gt((x - a) ** 2, 0), ne(x, a)))
    cases = said(either(ge(x, 0), le(x, 0)))
    yield from ((one, [cases], []) for one in (ge(x, 0), le(x, 0)))
    power = said(ge(p**n, 0))
    yield from ((one, [power.at({p: x})], []) for one in (ge(a**n, 1), ge(x**n, 0)))


@pytest.mark.slow
@pytest.mark.parametrize("notion", FALSE)
def test_nothing_false_passes(notion):
    passed = [one for one in FALSE[notion] if verdict(*one) in (*STANDING, Verdict.SUPPORTED)]
    assert not passed


@pytest.mark.slow
def test_nothing_false_follows_from_true_lemmas():
    for statement, used, given in lemmas():
        made = claim("l.false", "What is false", statement, using=used, given=given)
        assert judge(made, settings=SETTINGS).verdict not in (*STANDING, Verdict.SUPPORTED), str(statement)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(7))
def test_nothing_true_is_refuted(part):
    assert not [one for one in TRUE[part::7] if verdict(one, []) is Verdict.REFUTED]


@pytest.mark.slow
def test_most_of_what_is_true_is_decided():
    """Or else nothing would be tried here."""
    tried = TRUE[::9]
    assert sum(verdict(one, []) in STANDING for one in tried) > len(tried) * 3 // 4


def verdict(statement: Statement, given: Sequence[Statement]) -> Verdict:
    return judge(statement, given=given, settings=SETTINGS).verdict
