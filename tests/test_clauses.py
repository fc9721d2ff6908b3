"""The sentence of every kind of statement, clause by clause: what keeps all but one of them is not decided.

What is decided has to imply the whole sentence that is printed of it, by whichever plan. So each row satisfies all that
a plan asks for, had it forgotten a clause.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grpo_symbolic import (
    EveryCycle,
    Extremum,
    Statement,
    Summed,
    TermOfTotal,
    Total,
    UniqueRoot,
    UniqueZero,
    Zeros,
    attracts,
    both,
    claim,
    converges,
    decreasing,
    eq,
    every_iterate,
    for_every,
    ge,
    gt,
    has_limit,
    in_the_limit,
    increasing,
    instance,
    judge,
    le,
    limit_superior,
    local_maximum,
    local_minimum,
    lt,
    never,
    rational,
    real,
    repels,
    rises_to_a_limit,
    some_zero,
    tends_to,
    unknown_function,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.language.composites import Existence
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.vocabulary import absolute
from grpo_symbolic.obligations.composites import KINDS
from grpo_symbolic.proofs.claims import prove
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.text import statement_text

x, y = (real(name, "(-oo, oo)", "a number") for name in "xy")
a = real("a", "(0, oo)", "a positive number")
p, q = (real(name, "(0, 1)", "a share") for name in "pq")
one = real("one", "[1, 1]", "the only number of its domain")
n = whole("n", "[0, oo)", "a number")
limit, other = (real(name, "(-oo, oo)", "a limit") for name in "LM")
s, t = (unknown_function(name, n, "a sequence") for name in "st")
v = real("v", "(-oo, oo)", "a number of each output", latex="v_{index}", indexed=True)
w = real("w", "(0, oo)", "a weight of each output", latex="w_{index}", indexed=True)
ZERO, ONE, HALF = rational(0), rational(1), rational(1, 2)
#: Smallest at 0, beside which it rises, falls and rises again.
TWO_VALLEYS = x**2 * ((x - 2) ** 2 + rational(1, 10))
CUBIC = (x - 1) * (x - 2) * (x - 3)
TENDS = has_limit(s(n), n, limit, such_as={s: limit})
ALSO = has_limit(t(n), n, other, such_as={t: other})
BELOW = for_every(n, lt(s(n), t(n)), such_as={s: limit, t: other}, where=lt(limit, other))
TIED, SAME = [eq(p + q, 1)], [eq(y, x)]

#: A clause, a statement of which it does not hold, and what is given.
VIOLATED: Sequence[tuple[str, Statement, Sequence[Statement]]] = [
    ("everywhere", increasing(-1 / x, x), []),
    ("two points rise", increasing(p * q, p), TIED),
    ("two points fall", decreasing(p * q, p), TIED),
    ("two points of one", increasing(-x, x), SAME),
    ("two points of a domain", increasing(-one, one), []),
    ("two points of the same domain", decreasing(-one, one), []),
    ("from below", tends_to(-a, 0, a, to=None, side="oo", constant=1), []),
    ("near some point", tends_to(a, 0, a, to=0, side="+", constant=HALF, near=-1 * ONE), []),
    ("in the domain", tends_to(q, 1, q, to=5, side="+", constant=1), []),
    ("in the domain", UniqueRoot(q, eq(2 * q, 3), rational(3, 2)), []),
    ("a solution", UniqueRoot(a, eq(a**2, -1), ONE), []),
    ("the only one", UniqueRoot(x, eq(x**2, 4), rational(2)), []),
    ("the only one of several", UniqueRoot(p, gt(p * q, 0), 1 - q), TIED),
    ("exactly one", UniqueZero(x - 1 / x, x, rational(-2), rational(2), True), []),
    ("changes its sign", UniqueZero(x, x, ONE, rational(2), True), []),
    ("one in each", Zeros(CUBIC, x, ((ZERO, rational(4)),), True), []),
    ("no others", Zeros(CUBIC, x, ((ZERO, rational(3, 2)),), True), []),
    ("a minimum", Extremum(x**3, x, ZERO), []),
    ("with a value there", Extremum(x**3 / x, x, ZERO), []),
    ("falls before, rises after", Extremum(TWO_VALLEYS, x, ZERO, sloped=True), []),
    ("falls before, rises after, somewhere", Extremum(TWO_VALLEYS, x, ZERO, sloped=True), [lt(x, 5)]),
    ("rises before, falls after", Extremum(-TWO_VALLEYS, x, ZERO, minimum=False, sloped=True), []),
    ("least of several", Extremum(-(x**2), x, y), SAME),
    ("least of several shares", Extremum(p * q, p, 1 - q), TIED),
    ("largest of several shares", Extremum(p * q, p, 1 - q, minimum=False), TIED),
    ("positive weights", Summed(gt(v, 0), v, gt(Total(v**2), -1), -ONE), []),
    ("a scale that does not vanish", Summed(eq(v - Total(v * w) / Total(w), 0), w, eq(x, 0), ZERO), []),
    ("not negative", TermOfTotal(v), []),
    ("nowhere", never(gt(x, 10**6)), []),
    ("a fixed point", attracts({x: x / 2 + 1}, 0), []),
    ("the slope", attracts({x: x + x**3}, 0), []),
    ("an eigenvalue outside", repels({x: x / 2, y: -y / 3}, (0, 0)), []),
    ("stationary", local_maximum(-(x**2), {x: 1}), []),
    ("in all directions", local_minimum(x**2 + 3 * x * y + y**2, {x: 0, y: 0}), []),
    ("each step leads nearer", converges(-x, x, 0), []),
    ("steps stay", converges(-q / 2, q, 0), []),
    ("the goal stays", converges(x / 2 + 1, x, 0, within=1), []),
    ("a goal that can be approached", converges(q / 2, q, -1), []),
    ("a goal among the values", converges(a / 2 + HALF, a, y), [eq(y, -1)]),
    ("some starts", converges(x / 2, x, 0, within=-1), []),
    ("nearer from every start", converges(x**3, x, 0, within=2), []),
    ("a value everywhere between", some_zero(1 / x, x, -1, 1, rising=True), []),
    ("opposite signs", some_zero(x**2, x, -1, 1, rising=True), []),
    ("points that increase", some_zero(-x, x, 1, -1, rising=True), []),
    ("points in the domain", some_zero(q - 2, q, HALF, 3, rising=True), []),
    ("as it rises", some_zero(x, x, -1, 1, rising=False), []),
    ("far enough", EveryCycle(2 * x, x, ZERO, rational(1, 4), HALF), []),
    ("the middle leaves", EveryCycle(1 - x, x, ZERO, ONE, ONE), []),
    ("in the domain throughout", EveryCycle(4 * q * (1 - q), q, ZERO, HALF, ONE), []),
    ("at the start", every_iterate(gt(a, 1), {a: 2 * a}, {a: 1}), []),
    ("stay there", every_iterate(gt(p, 0), {p: 2 * p}, {p: rational(1, 3)}), []),
    ("any number of steps", every_iterate(lt(x, 4), {x: x + 1}, {x: 0}, where=lt(x, 3)), []),
    ("at its values", instance(gt(q, HALF), {q: 2}), []),
    ("which tends to 0", has_limit(s(n) + 1, n, limit, by=absolute(s(n) - limit) + 1), [TENDS]),
    ("whose limit is no more", limit_superior(s(n), n, limit - 1, by=s(n)), [TENDS]),
    ("for every number", limit_superior(s(n), n, limit, by=2 * s(n) - limit), [TENDS]),
    ("not strictly", in_the_limit(lt(limit, other), n, because=lt(s(n), t(n))), [BELOW, TENDS, ALSO]),
    ("bounded", rises_to_a_limit(n * ONE, n, at_most=5), []),
    ("monotone", rises_to_a_limit((-HALF) ** n, n, at_most=1), []),
]


@pytest.mark.parametrize(("clause", "statement", "given"), VIOLATED)
def test_what_violates_one_clause_of_its_sentence_is_not_decided(clause, statement, given):
    assert judge(statement, given=given).verdict not in STANDING
    assert prove(claim("t.violated", "Violated", statement, given=given), Settings()).proof is None


@pytest.mark.parametrize(
    "statement",
    [
        converges(x / 2, x, 0),
        converges(x / 2 + 1, x, 2),
        converges(x**3, x, 0, within=1),
        converges(q**2, q, 0),
        converges(-q / 2 + HALF, q, rational(1, 3)),
        some_zero(x**3 - 2, x, 0, 2, rising=True),
        some_zero(HALF - q, q, rational(1, 4), rational(3, 4), rising=False),
        EveryCycle(rational(7, 2) * absolute(x - HALF) - rational(3, 4), x, ZERO, HALF, ONE),
    ],
    ids=str,
)
def test_the_kernel_proves_what_has_all_clauses(statement):
    assert prove(claim("t.holds", "Holds", statement), Settings()).proof is not None


def test_every_kind_is_tried():
    kinds = {*KINDS, Existence, SequenceLimit, LimitSuperior, InTheLimit, MonotoneLimit}
    assert {type(statement) for _, statement, _ in VIOLATED} == kinds


def test_slopes_are_printed_only_where_they_are_shown():
    least = Extremum(TWO_VALLEYS, x, ZERO)
    assert judge(least).verdict is Verdict.DECIDED
    assert "strictly" not in statement_latex(least) + statement_text(least)
    sloped = Extremum(x**4, x, ZERO, sloped=True)
    assert judge(sloped).verdict is Verdict.DECIDED
    assert "strictly decreasing before that point and strictly increasing after it" in statement_latex(sloped)
    assert statement_text(sloped) == "x⁴ has its only minimum at x = 0: it strictly falls before and rises after it"


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (increasing(p * q, p), [lt(p, q)]),
        (Extremum((p - q) ** 2, p, q), [lt(q, HALF), gt(p, q / 2)]),
        (Extremum(x**2, x, ZERO, sloped=True), [both(ge(x, 0), le(x, y)), gt(y, 0)]),
        (UniqueRoot(x, eq(x**2, a), a**HALF), [ge(x, 0)]),
    ],
)
def test_hypotheses_that_leave_several_values_are_no_ties(statement, given):
    assert judge(statement, given=given).verdict is Verdict.DECIDED
