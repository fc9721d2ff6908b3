"""What the short report lists: which claims are key claims, and that no row says more than its claim."""

from __future__ import annotations

from dataclasses import replace

import pytest
import test_report as sample

from grpo_symbolic import claim, eq, gt, lt, sqrt, tends_to
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.report.keys import is_key, key_views
from grpo_symbolic.report.links import Links

QUOTE = sample.paper.quote("Section 3", "x < 1", lt(sample.x, 1))


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ({"equation": "Eq. (14)"}, True),
        ({"equation": "Eqs. (16) to (18)"}, True),
        ({"equation": "Theorem 2"}, True),
        ({"equation": "Section 2.1, after Eq. (3)"}, False),
        ({"equation": "Appendix B, proof of Theorem 3"}, False),
        ({}, False),
        ({"printed": QUOTE}, True),
        ({"beyond": "a sharper bound"}, True),
        ({"key": True}, True),
        ({"equation": "Eq. (14)", "printed": QUOTE, "key": False}, False),
    ],
)
def test_key_claims_are_numbered_printed_or_beyond_unless_their_author_says_otherwise(said, listed):
    assert is_key(claim("sample_2025.bound", "A bound", lt(sample.x, 1), **said)) is listed


def row(made):
    judged = sample.assessment().judged["sample_2025.odds-monotone"]
    judged = replace(judged, claim=made, alone=sample.judgement(Verdict.DECIDED), verdict=Verdict.DECIDED)
    (view,) = key_views([made], {made.id: judged}, Links(frozenset({made.id})))
    return view


def key(statement, **more):
    return claim("sample_2025.bound", "A bound", statement, key=True, **more)


def test_a_short_formula_without_hypotheses_stands_beside_the_words():
    view = row(key(lt(sample.beta, 1)))
    assert (view.short, view.formula, view.sentence) == (r"\beta < 1", None, None)


def test_a_formula_never_stands_without_its_hypotheses():
    view = row(key(lt(sample.beta, 1), given=[lt(sample.beta, sample.gamma)]))
    assert view.short is None
    assert r"\beta < \gamma" in view.given
    assert r"\beta < 1" in view.formula


def test_what_is_no_formula_stands_as_a_sentence():
    view = row(
        key(tends_to(sample.x / (sample.x + sample.beta), 1, sample.beta, to=0, side="+", constant=1 / sample.x))
    )
    assert (view.short, view.formula) == (None, None)
    assert "tends to" in view.sentence


def test_of_a_long_claim_no_part_is_shown():
    long = sum((sqrt(sample.x + number) for number in range(2, 40)), sample.x)
    view = row(key(gt(long, 0), given=[eq(sample.x, sample.beta)]))
    assert (view.short, view.given, view.formula, view.sentence) == (None, "", None, None)


def test_verdicts_that_settle_are_not_named():
    made = key(lt(sample.beta, 1))
    assert row(made).badge == ""
    judged = sample.assessment().judged["sample_2025.bound"]
    (view,) = key_views([made], {made.id: replace(judged, claim=made)}, Links(frozenset()))
    assert view.badge == r"\grpobadge{undecided}"
