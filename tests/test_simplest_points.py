"""The counterexamples to what the papers print are the simplest that a bounded search finds, or it is said why not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simpler_points import height, points, simpler_point, total_height

from grpo_symbolic import Paper, eq, gt, lt, rational, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.counterexamples import refuting
from grpo_symbolic.judging.ledger import entries
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.judging.verdicts import Inquiry

#: Simpler points than those that are printed say less; this is what they say.
KEPT = {
    "vojnovic_yun_2025.pairs.preference": "every pair is a tie",
    "vojnovic_yun_2025.concentration.two-answers": "both sides are equal, and one output is never given",
    "mroueh_2025.clip.constant-failure": "the constant is 2/3",
    "mroueh_2025.clip.range": "the constant is 1/4 and not the usual 1/5",
    "mroueh_2025.total-variation": "one output is never given",
    "mroueh_2025.eq9": "success has the probability 0",
    "mroueh_2025.theorem-5.no-limit": "each approximation never gives one of the outputs",
    "mroueh_2025.condition.caption": "the right side of the condition is 0 and both sides of the relation are 1/2",
}
#: Points that are tried in each way to fail.
BUDGET = 500

x = real("x", "(0, oo)", "a number")
y = real("y", "(0, 1)", "another number")
PAPER = Paper("p", "A. Author", "A title", "v1")


def printed_point(quote):
    """The witness with which a quote is refuted, the one that it names if it names one."""
    inquiry = Inquiry(quote.statement, quote.given, proposed=quote.fails_at)
    found = refuting(inquiry.judgement(Searcher(Settings(digits=30, points=200)).investigate(inquiry, "p.claim")))
    return None if found is None else found.witness.at


def test_points_come_by_their_heights():
    found = list(points([x, y], 6))
    heights = [height(point[x]) + height(point[y]) for point in found]
    assert heights == sorted(heights)
    assert max(heights) == 5
    assert found[0] == {x: Fraction(1), y: Fraction(1, 2)}
    assert len({tuple(point.items()) for point in found}) == len(found)


@pytest.mark.parametrize(
    ("statement", "given", "at", "expected"),
    [
        (lt(x, 2), (), (("x", "63/16"),), (("x", "2"),)),
        (lt(x, 2), (gt(x, 2),), (("x", "63/16"),), (("x", "3"),)),
        (lt(x, 2), (eq(x, 8 * y),), (("x", "63/16"), ("y", "63/128")), (("x", "4"), ("y", "1/2"))),
        (lt(x, 2), (), (("x", "2"),), None),
        (gt(x, 0), (), (("x", "63/16"),), None),
    ],
)
def test_a_simpler_point_is_found_where_there_is_one(statement, given, at, expected):
    found = simpler_point(PAPER.quote("Eq. (1)", "x", statement, given=given, instead="otherwise"), at, 200)
    assert (None if found is None else tuple(sorted(found))) == expected


def test_a_simpler_point_lies_in_the_setting():
    paper = Paper("p", "A. Author", "A title", "v1", setting=(gt(x, 3),))
    quote = paper.quote("Eq. (1)", "x", lt(x, 2), instead="otherwise")
    assert simpler_point(quote, (("x", "63/16"),), 200) == (("x", "4"),)


def test_a_point_that_is_named_is_certified():
    quote = PAPER.quote("Eq. (1)", "x", lt(x, 2), instead="otherwise", fails_at={x: rational(7, 2)})
    assert printed_point(quote) == (("x", "7/2"),)


@pytest.mark.slow
def test_no_simpler_counterexample_to_the_papers_is_found(library):
    recorded = entries(library)
    refuted = {
        id: made.printed for id, made in library.claims.items() if recorded[id].printed is Verdict.REFUTED
    }  # fmt: skip
    simpler = {}
    for id, quote in refuted.items():
        at = printed_point(quote)
        if at is not None and not any("." in value for _, value in at):
            found = simpler_point(quote, at, BUDGET)
            if found is not None:
                simpler[id] = (total_height(at), dict(found))
    assert {id: point for id, point in simpler.items() if id not in KEPT} == {}
    assert KEPT.keys() <= simpler.keys()
