"""Single-node mutants of every claim and quote must be caught, or proved to be equivalent or implied."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import FOLDER

from grpo_symbolic import eq, gt, increasing, lt, real, sqrt
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.declaring import claim
from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import Settings
from grpo_symbolic.judging.mutants import Mutant, Outcome, mutants, try_mutant

LIBRARY = load(FOLDER)
SURVIVORS = json.loads((Path(__file__).parent / "mutant_survivors.json").read_text())
T = TypeVar("T")
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
#: For the quick run; the full run tries several mutants of every claim, quote and step.
CLAIMS = [id for id in SUBJECTS if ".step-" not in id][::3]
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


def one_outcome(id: str) -> Outcome:
    """What became of one mutant that is not listed already; a worker process loads the library for itself."""
    candidates = [*seeded(id, 1), *seeded(id, TRIED)]
    listed = SURVIVORS.get(id, {})
    chosen = next((mutant for mutant in candidates if mutant.name not in listed), candidates[0])
    return outcome_of(SUBJECTS[id], chosen)


def many_outcomes(id: str) -> list[Outcome]:
    """What became of several mutants and, if none of those hurt the claim, of all others up to one that does."""
    made = SUBJECTS[id]
    found = [outcome_of(made, mutant) for mutant in seeded(id, TRIED)]
    if not any(outcome.kind == "caught" for outcome in found):
        others = (outcome_of(made, mutant) for mutant in mutants(made.statement))
        found += islice((outcome for outcome in others if outcome.kind == "caught"), 1)
    return found


def in_parallel(request, workers, work: Callable[[str], T], fixture: str) -> dict[str, Future[T]]:
    """The work for each subject whose test was selected, done by all workers."""
    selected = [item for item in request.session.items if item.path == request.path]
    ids = [item.callspec.params["id"] for item in selected if fixture in item.fixturenames]
    return {id: workers.submit(work, id) for id in ids}


@pytest.fixture(scope="module")
def one_each(request, workers) -> dict[str, Future[Outcome]]:
    return in_parallel(request, workers, one_outcome, "one_each")


@pytest.fixture(scope="module")
def many_each(request, workers) -> dict[str, Future[list[Outcome]]]:
    return in_parallel(request, workers, many_outcomes, "many_each")


@pytest.mark.parametrize("id", CLAIMS)
def test_a_mutant_of_every_third_claim_and_quote(id, one_each):
    outcome = one_each[id].result()
    name = outcome.mutant.name
    assert outcome.kind != "survived" or name in SURVIVORS.get(id, {}), f"{name}: {outcome.reason}"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("id", SUBJECTS)
def test_many_mutants_of_every_claim_and_quote(id, many_each):
    outcomes = many_each[id].result()
    survivors = {outcome.mutant.name: outcome.reason for outcome in outcomes if outcome.kind == "survived"}
    unexplained = {name: reason for name, reason in survivors.items() if name not in SURVIVORS.get(id, {})}
    assert unexplained == {}
    assert any(outcome.kind == "caught" for outcome in outcomes), "no mutant hurts this claim: it is vacuous"


def test_every_listed_survivor_exists_and_is_explained():
    for id, listed in SURVIVORS.items():
        names = {mutant.name for mutant in mutants(SUBJECTS[id].statement)}
        assert set(listed) <= names, id
        assert all(len(reason) > 20 and not reason.lower().startswith("open") for reason in listed.values()), id
