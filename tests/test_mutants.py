"""Single-node mutants of every claim and quote must be caught, or proved to be equivalent or implied."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import FOLDER

from grpo_symbolic import eq, gt, increasing, lt, real, sqrt
from grpo_symbolic.chain import Claim, claim
from grpo_symbolic.evidence import Settings
from grpo_symbolic.library import load
from grpo_symbolic.mutants import Mutant, Outcome, mutants, try_mutant

LIBRARY = load(FOLDER)
SURVIVORS = json.loads((Path(__file__).parent / "mutant_survivors.json").read_text())
#: Mutants of one claim or quote that the full run tries; claims have up to a few hundred.
TRIED = 8


def subjects() -> dict[str, Claim]:
    """Every claim, and every quote that should hold and says something else than its claim, as a claim."""
    found = {id: made for id, made in LIBRARY.claims.items() if not made.assumed}
    for id, made in LIBRARY.claims.items():
        quote = made.printed
        if quote is not None and quote.severity is None and quote.statement != made.statement:
            found[f"{id} (printed)"] = replace(made, statement=quote.statement, given=quote.hypotheses, derivation=None)
    return found


SUBJECTS = subjects()
QUICK = Settings(digits=30, points=24, effort=4_000, boxes=2_000)

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, oo)", "a weight")


def outcome_of(made, mutant) -> Outcome:
    return try_mutant(made, mutant, QUICK)


def test_every_node_is_changed_once():
    changes = [mutant.change for mutant in mutants(eq(sqrt(x) + 2, y))]
    assert changes == [
        "= becomes !=",
        "add becomes subtract",
        "sqrt lost",
        "x becomes y",
        "2 becomes 3",
        "y becomes x",
    ]


def test_composite_statements_have_mutants_of_their_own():
    assert "direction turned" in [mutant.change for mutant in mutants(increasing(x**2, x))]


def test_a_wrong_mutant_is_caught_and_an_implied_one_is_proved():
    made = claim("p.bound", "a weak bound", lt(x, y + 1))
    kinds = {mutant.change: outcome_of(made, mutant).kind for mutant in mutants(made.statement)}
    assert kinds["< becomes >"] == "caught"
    assert kinds["1 becomes 2"] == "proved"
    assert kinds["add becomes subtract"] == "caught"


def test_a_mutant_that_cannot_be_written_is_refused():
    made = claim("p.root", "a root", gt(sqrt(y), 0))
    assert {outcome_of(made, mutant).kind for mutant in mutants(made.statement)} <= {"caught", "refused", "proved"}


def seeded(id: str, count: int) -> list[Mutant]:
    everything = list(mutants(SUBJECTS[id].statement))
    return random.Random(id).sample(everything, min(count, len(everything)))


@pytest.mark.parametrize("id", SUBJECTS)
def test_a_mutant_of_every_claim_and_quote(id):
    (chosen,) = seeded(id, 1)
    outcome = outcome_of(SUBJECTS[id], chosen)
    assert outcome.kind != "survived" or chosen.name in SURVIVORS.get(id, {}), f"{chosen.name}: {outcome.reason}"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("id", SUBJECTS)
def test_many_mutants_of_every_claim_and_quote(id):
    outcomes = [outcome_of(SUBJECTS[id], mutant) for mutant in seeded(id, TRIED)]
    survivors = {outcome.mutant.name: outcome.reason for outcome in outcomes if outcome.kind == "survived"}
    unexplained = {name: reason for name, reason in survivors.items() if name not in SURVIVORS.get(id, {})}
    assert unexplained == {}
    everything = (outcome_of(SUBJECTS[id], mutant) for mutant in mutants(SUBJECTS[id].statement))
    caught = any(outcome.kind == "caught" for outcome in outcomes) or any(item.kind == "caught" for item in everything)
    assert caught, "no mutant hurts this claim: it is vacuous"


def test_every_listed_survivor_exists_and_is_explained():
    for id, listed in SURVIVORS.items():
        names = {mutant.name for mutant in mutants(SUBJECTS[id].statement)}
        assert set(listed) <= names, id
        assert all(len(reason) > 20 and not reason.lower().startswith("open") for reason in listed.values()), id
