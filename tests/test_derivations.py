"""Every claim of every derivation, by id: ``pytest -k eq14``."""

from __future__ import annotations

import pytest
from judged_library import whole_library

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import compare

LIBRARY = whole_library()
QUOTED = [id for id, claim in LIBRARY.claims.items() if claim.printed is not None]
STANDING = (Verdict.DECIDED, Verdict.PROVED)
CHECKED = [id for id, claim in LIBRARY.claims.items() if not claim.assumed]


@pytest.mark.parametrize("id", CHECKED)
def test_claim_stands(id, assessment):
    judged = assessment.judged[id]
    notes = [f"{item.obligation} / {item.method}: {item.note}" for item in judged.alone.evidence]
    assert judged.verdict in STANDING, "\n".join(notes)


@pytest.mark.parametrize("id", QUOTED)
def test_printed_formula_is_judged_as_annotated(id, assessment):
    quote, judgement = assessment.library.claims[id].printed, assessment.judged[id].printed
    if not quote.expected_to_fail:
        assert judgement.verdict in STANDING, [item.note for item in judgement.evidence]
    else:
        assert judgement.verdict is Verdict.REFUTED, [item.note for item in judgement.evidence]
        assert any(item.witness is not None for item in judgement.evidence)


def test_building_is_repeatable():
    for result in LIBRARY.results:
        first, second = (
            [(made.id, made.statement, made.given) for made in built] for built in (result.claims, result.build())
        )
        assert first == second, result.title


def test_verdicts_are_those_of_the_ledger(assessment):
    assert compare(assessment) == ()


def test_no_oracle_disagrees(assessment):
    compared = [
        item for judged in assessment.judged.values() for item in judged.alone.evidence if item.method == "oracle"
    ]
    assert compared
    assert {item.verdict for item in compared} == {Verdict.SUPPORTED}


def test_every_claim_says_where_its_hypotheses_hold(assessment):
    """By a certified point, which is part of the evidence; an assumption speaks of things that it does not define."""
    unmet = []
    for judged in assessment.judged.values():
        points = {item.obligation for item in judged.alone.evidence if item.point is not None or item.impossible}
        # From wherever an induction has come, a step with values that it names.
        steps = (item for item in judged.alone.evidence if item.obligation == "a step can be taken")
        points |= {item.obligation for item in steps if item.verdict in STANDING}
        if not judged.claim.assumed and not points.issuperset(judged.alone.possible):
            unmet.append(judged.claim.id)
    assert unmet == []
    # Of what has a proof, the kernel reads the points in it.
    proved = [judged for judged in assessment.judged.values() if judged.alone.verdict is Verdict.PROVED]
    with_premises = [judged for judged in assessment.judged.values() if judged.alone.possible]
    assert proved
    assert with_premises
