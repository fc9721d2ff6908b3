"""Inequalities summed over the outputs, and terms of a sum: what the rules need is asked for."""

import pytest

from grpo_symbolic import Summed, TermOfTotal, Total, absolute, claim, eq, ge, gt, le, lt, ne, rational, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.language.statement import Statement

QUICK = Settings(digits=30, points=24)
ONE = rational(1)

share = real("share", "(0, 1]", "probability of an output", indexed=True)
value = real("value", "(-oo, oo)", "value of an output", indexed=True)
chance = real("chance", "[0, 1]", "weight of an output, perhaps 0", indexed=True)
bound = real("bound", "(-oo, oo)", "a bound")


def verdict(statement: Statement, *given: Statement) -> Verdict:
    own, _ = judge_claim(claim("p.sum", "a sum", statement, given=given), QUICK)
    return own.verdict


@pytest.mark.parametrize("sign", [le, ge])
def test_an_inequality_is_summed(sign) -> None:
    summed = Summed(sign(value, bound), chance, sign(Total(chance * value), bound * Total(chance)), ONE)
    assert verdict(summed) is Verdict.DECIDED


@pytest.mark.parametrize("sign", [lt, gt])
def test_a_strict_one_needs_positive_weights(sign) -> None:
    for weight, expected in ((share, True), (chance, False)):
        summed = Summed(sign(value, bound), weight, sign(Total(weight * value), bound * Total(weight)), ONE)
        assert (verdict(summed) is Verdict.DECIDED) == expected


def test_negative_weights_and_scales_are_refused() -> None:
    turned = Summed(le(value, bound), -share, le(-Total(share * value), -bound * Total(share)), ONE)
    assert verdict(turned) is not Verdict.DECIDED
    scaled = Summed(le(value, bound), share, le(-Total(share * value), -bound * Total(share)), rational(-1))
    assert verdict(scaled) is not Verdict.DECIDED


def test_a_wrong_sum_is_not_decided() -> None:
    assert verdict(Summed(le(value, bound), share, le(Total(share * value), bound), ONE)) is not Verdict.DECIDED
    right = Summed(le(value, bound), share, le(Total(share * value), bound), ONE)
    assert verdict(right, eq(Total(share), 1)) is Verdict.DECIDED


@pytest.mark.parametrize(
    ("premise", "conclusion"), [(le(value, bound), lt(value, bound)), (ne(value, bound), ne(value, bound))]
)
def test_only_relations_of_one_sign_are_summed(premise, conclusion) -> None:
    assert verdict(Summed(premise, share, conclusion, ONE)) is Verdict.UNDECIDED


def test_a_term_is_at_most_the_sum_only_if_no_term_is_negative() -> None:
    assert verdict(TermOfTotal(share * absolute(value))) is Verdict.DECIDED
    assert verdict(TermOfTotal(share * value)) is Verdict.REFUTED


def test_a_term_serves_as_a_lemma() -> None:
    term = claim("p.term", "one term", TermOfTotal((value - bound) ** 2))
    none = eq(Total((value - bound) ** 2), 0)
    made = claim("p.zero", "a sum of squares is 0", eq(value, bound), given=[none], using=[term])
    own, _ = judge_claim(made, QUICK)
    assert own.verdict is Verdict.DECIDED
    alone, _ = judge_claim(claim("p.zero", "without the lemma", eq(value, bound), given=[none]), QUICK)
    assert alone.verdict is not Verdict.DECIDED
