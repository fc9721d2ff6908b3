"""That something never holds is a statement of its own: decided, refuted by a point, used as a lemma."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import consequence
from grpo_symbolic.derivation.declaring import claim
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.expression import Total
from grpo_symbolic.language.statement import Relation, eq, ge, gt, le, lt
from grpo_symbolic.language.stating import both, either, implies, increasing, never
from grpo_symbolic.language.vocabulary import exp, log, rational, real, sinh

SETTINGS = Settings(digits=30, points=40)
ODD = rational(3719, 10007)

x = real("x", "(-oo, oo)", "a number")
y = real("y", "(0, 3)", "a positive number")
z = real("z", "(-oo, oo)", "another number")
v = real("v", "(-oo, oo)", "a number of each output", indexed=True)


def judge(statement, *hypotheses):
    return judge_statement(statement, hypotheses, SETTINGS, "test")


@pytest.mark.parametrize(
    "condition",
    [
        lt(x**2, 0),
        eq(7 - z, 13 - z),
        both(gt(x, y), gt(y, x)),
        lt(exp(y), 1 + y),
        lt(sinh(y), y),
        lt(Total(v**2), 0),
        either(lt(x**2, 0), gt(y, 3)),
        # Where it has no value, a condition does not hold.
        eq(log(-(x**2)), 0),
    ],
    ids=str,
)
def test_what_never_holds_is_decided(condition):
    assert judge(never(condition)).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    "condition",
    [
        le((x - ODD) ** 2, 0),
        eq(x, ODD),
        both(ge(x, y), ge(y, x)),
        le(exp(z - ODD), 1 + z - ODD),
        le(Total(v**2), 0),
        either(lt(x**2, 0), gt(y, rational(2999, 1000))),
    ],
    ids=str,
)
def test_what_holds_at_one_point_is_not_impossible(condition):
    judgement = judge(never(condition))
    assert judgement.verdict is Verdict.REFUTED
    assert any(item.witness for item in judgement.evidence)


@pytest.mark.slow
def test_hypotheses_of_an_impossibility_have_to_be_possible():
    assert judge(never(le(x, 0)), gt(x, 1)).verdict is Verdict.DECIDED
    assert judge(never(le(x, 0)), gt(x, 1), lt(x, 1)).verdict is Verdict.UNDECIDED
    assert judge(implies(gt(x, 1), never(le(x, 0)))).verdict is Verdict.DECIDED
    assert judge(implies(lt(x**2, 0), never(le(x, 0)))).verdict is Verdict.UNDECIDED


def test_an_implication_from_an_impossible_premise_says_how_to_state_it():
    judgement = judge(implies(lt(x**2, 0), gt(x, 5)))
    assert judgement.verdict is Verdict.UNDECIDED
    assert any("state it with never(...)" in item.note for item in judgement.evidence)


def test_a_condition_is_elementary():
    with pytest.raises(
        DeclarationError, match=r"said never to hold: Monotone\(expression=x, symbol=x, increasing=True\)"
    ):
        never(increasing(x, x))


def test_an_impossibility_is_a_lemma():
    lemma = consequence(never(both(gt(x, 0), le(x * z, 0), gt(z, 0))))
    judgement = judge_statement(implies(both(gt(x, 0), gt(z, 0)), gt(x * z, 0)), (), SETTINGS, "test", lemmas=(lemma,))
    assert judgement.verdict is Verdict.DECIDED


def test_mutants_change_the_condition():
    made = claim("p.never", "no square is negative", never(lt(x**2, 0)))
    turned = [one.statement.condition for one in mutants(made.statement) if one.statement != made.statement]
    assert le(x**2, 0) in turned or ge(x**2, 0) in turned or gt(x**2, 0) in turned
    assert all(isinstance(condition, Relation) for condition in turned)


@settings(max_examples=examples(25))
@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))
def test_quadratic_conditions_agree_with_their_discriminant(a, b, c):
    """An independent oracle: whether a x^2 + b x + c < 0 has a solution is what school says."""
    possible = a < 0 or (a == 0 and (b != 0 or c < 0)) or (a > 0 and Fraction(b * b) > 4 * a * c)
    expected = Verdict.REFUTED if possible else Verdict.DECIDED
    assert judge(never(lt(a * x**2 + b * x + c, 0))).verdict is expected
