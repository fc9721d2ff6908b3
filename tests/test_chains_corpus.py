"""Neighbouring steps of worked integrals, all of them true: few are left open, and none is called wrong.

The corpus is measuring material that is not part of the project; where it is absent the tests on it are skipped.
"""

import pytest
from chains_measure import CHAINS, context_for, in_parallel, judge, limited, pairs, summary
from material import corpus

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.statement import eq
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.referee.findings import Status

needs_corpus = corpus(CHAINS.name)


@pytest.mark.slow
@needs_corpus
def test_a_few_steps_of_the_corpus():
    judged = [limited(pair) for pair in pairs()[3::400]]
    assert [one for one in judged if one.status is Status.REFUTED] == []
    assert sum(one.status in (Status.SUPPORTED, Status.DECIDED) for one in judged) >= 1


@needs_corpus
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_steps_of_the_corpus_get_verdicts_and_hardly_a_false_alarm():
    """Every fifth pair; ``chains_measure.py`` judges all."""
    judged = in_parallel(limited, pairs()[::5])
    counts = summary(judged)
    for integrals, share in ((False, 0.6), (True, 0.3)):
        steps, given, _ = counts[integrals]
        assert given >= share * steps
    given, alarms = (sum(counts[integrals][place] for integrals in counts) for place in (1, 2))
    assert alarms <= 0.01 * given, [one for one in judged if one.status is Status.REFUTED]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (r"\int_{0}^{1} x e^{-x} \,dx", r"-2 e^{-1} + 1", Status.SUPPORTED),
        (r"\int_{0}^{1} x e^{-x} \,dx", r"-2 e^{-1} + 2", Status.REFUTED),
        (r"\left. -\cos{x} \right\vert_{x=0}^{\pi/3}", r"\frac{1}{2}", Status.DECIDED),
        (r"\lim\limits_{x\to 1} (\,\frac{x ^ {2} - 1}{x - 1}\,)", "2", Status.SUPPORTED),
        (r"\sum_{k=0}^{\infty}{\frac{(-1) ^ {k}}{k + 1}}", r"\log{(2)}", Status.SUPPORTED),
        # What an unknown function is, only an earlier step says; a constant may take up anything.
        (r"I(a)", r"\frac{1}{a}", Status.NOT_AN_IDENTITY),
        (r"a + C", r"2 a + C", Status.NOT_AN_IDENTITY),
        # Two equations, of which the second one follows from the first.
        (r"0 = 2 + C(a)", r"C(a) = -2", Status.DECIDED),
        (r"\int \cos{u} \,du", r"\sin{u}", Status.NOT_UNDERSTOOD),
        (r"I(a)", r"I(a) = 2", Status.NOT_UNDERSTOOD),
        # It diverges.
        (r"\int_{-1}^{1} \frac{1}{x ^ {2}} \,dx", "-2", Status.UNDECIDED),
    ],
)
def test_pairs_of_steps(first, second, expected):
    assert judge("", first, second).status is expected


#: Pairs that a well-known equivalence library calls equal, or might.
UNEQUAL = [
    (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
    (r"\frac{1}{2^{99}}", r"\frac{1}{2^{98}}"),
    (r"1-\frac{1}{\mathrm{e}}", r"1+\frac{1}{\mathrm{e}}"),
    (r"\frac{2^{2005}+1}{3\cdot 2^{2006}}", r"\frac{1}{3\cdot 2^{2006}}"),
    ("4", r"4\sqrt{2}"),
    (r"\pm 2021", "2021"),
    # As small, and longer than Python prints.
    (r"\frac{1}{9^{9000}}", r"\frac{1}{9^{9001}}"),
]


@pytest.mark.parametrize(("first", "second"), UNEQUAL)
def test_unequal_pairs_are_not_accepted(first, second):
    declared = r"\mathrm{e}" in first
    context = context_for(first, second)
    if declared or r"\pm" in first:
        # An upright e is not declared by this map, and a sign of either kind is two statements.
        with pytest.raises(NotUnderstood, match=r"not declared|two statements"):
            read_sides([parse_tree(first), parse_tree(second)], context)
        first, second = first.replace(r"\mathrm{e}", "e"), second.replace(r"\mathrm{e}", "e")
    if r"\pm" in first:
        return
    left, right = read_sides([parse_tree(first), parse_tree(second)], context)
    judgement = judge_statement(eq(left, right), (), Settings(digits=30, points=20), "unequal")
    assert judgement.verdict.name == "REFUTED"
    assert all(item.witness.left != item.witness.right for item in judgement.evidence if item.witness)
