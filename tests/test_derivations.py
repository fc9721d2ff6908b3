"""Every claim of every derivation, by id: ``pytest -k eq14``."""

from __future__ import annotations

import pytest
from conftest import FOLDER

from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import compare

LIBRARY = load(FOLDER)
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
    if quote.severity is None:
        assert judgement.verdict in STANDING, [item.note for item in judgement.evidence]
    else:
        assert judgement.verdict is Verdict.REFUTED, [item.note for item in judgement.evidence]
        assert any(item.witness is not None for item in judgement.evidence)


def test_verdicts_are_those_of_the_ledger(assessment):
    assert compare(assessment) == ()


def test_no_oracle_disagrees(assessment):
    compared = [
        item for judged in assessment.judged.values() for item in judged.alone.evidence if item.method == "oracle"
    ]
    assert compared
    assert {item.verdict for item in compared} == {Verdict.SUPPORTED}


def test_every_claim_was_sampled_or_its_hypotheses_have_a_model(assessment):
    # Hypotheses that hold only at one point of a sphere or line are missed by sampling; a solver finds them.
    without = [
        judged
        for judged in assessment.judged.values()
        if not judged.claim.assumed
        and not any(item.method == "numeric" and item.points for item in judged.alone.evidence)
    ]
    unmet = [
        judged.claim.id
        for judged in without
        if not any(
            item.method == "smt" and item.verdict is Verdict.DECIDED and "not shown" not in item.note
            for item in judged.alone.evidence
        )
    ]
    assert unmet == []
    assert 100 * len(without) < len(assessment.judged)
