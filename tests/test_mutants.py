"""Single-node mutants of every claim and quote must be caught, or shown to be equivalent or implied.

What try_mutant leaves open is implied by facts that are decided again in every full run (``mutant_survivors.json``
names mutants and facts), or stands among the open mutants beside the derivations. There are some 61,000 mutants, of
which most cost a tenth of a second and some a minute. So the tests try a sample that is fixed by the ids: one mutant
of every claim and quote and of an eighth of the steps in the full run, of every sixtieth claim in the quick one, and a
few that are open.
``mutants_measure.py`` tries more of each and all that are listed, and writes the lists.
"""

from __future__ import annotations

import json
import random
import uuid
import zlib
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
from judged_library import whole_library
from judging_here import found
from survivor_proofs import PATIENCE, proof

from grpo_symbolic import Summed, Total, eq, gt, implies, increasing, lt, rational, real, sinh, sqrt
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.declaring import claim
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging import mutants as mutating
from grpo_symbolic.judging.debt import open_mutants
from grpo_symbolic.judging.mutants import (
    CAUGHT,
    PROVED,
    REFUSED,
    SURVIVED,
    UNDEFINED,
    UNFOUNDED,
    UNSETTLED,
    VACUOUS,
    JudgedMutant,
    Mutant,
    mutants,
    try_mutant,
)
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Number
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.translate.text import statement_text

LIBRARY = whole_library()
LISTED = Path(__file__).parent / "mutant_survivors.json"
#: Mutants that try_mutant leaves open and survivor_proofs shows to be implied, by the id of the claim, with the facts.
IMPLIED: dict[str, dict[str, list[str]]] = json.loads(LISTED.read_text(encoding="utf-8"))
#: Mutants that are neither, with the statements that they make.
DEBT = open_mutants(LIBRARY.results)
#: What became of a mutant that hurts its claim, and of one that nothing settled.
HURTS = (CAUGHT, UNDEFINED, UNFOUNDED)
OPEN = (SURVIVED, UNSETTLED)
#: Claims of which no mutant fails at a witness, since no sample meets their hypotheses.
UNHURT = {
    "vojnovic_yun_2025.group-deviation.lower",
    "mroueh_2025.log-odds.one-fixed-point",
    "mroueh_2025.log-odds.one-fixed-point.step-1",
    "vojnovic_yun_2025.direct-kl.pairs.unique",
    "vojnovic_yun_2025.direct-kl.pairs.unique.step-1",
    "vojnovic_yun_2025.direct-kl.pairs.unique.step-2",
}
#: Mutants of one claim or quote that the measuring program can try, the first of which the tests try.
TRIED = 8


def subjects() -> dict[str, Claim]:
    """Every claim, and every quote that should hold and says something else than its claim, as a claim."""
    found = {id: made for id, made in LIBRARY.claims.items() if not made.assumed}
    for id, made in LIBRARY.claims.items():
        quote = made.printed
        if quote is not None and not quote.expected_to_fail and quote.statement != made.statement:
            found[f"{id} (printed)"] = replace(made, statement=quote.statement, given=quote.hypotheses, derivation=None)
    return found


SUBJECTS = subjects()
#: For the quick run, and for the full one, which leaves out most steps, but the same ones whatever claims there are:
#: all are tried by ``mutants_measure.py --sampled 1``.
CLAIMS = [id for id in SUBJECTS if ".step-" not in id][::60]
MOST = [id for id in SUBJECTS if ".step-" not in id or zlib.crc32(id.encode()) % 8 == 0]
QUICK = Settings(digits=30, points=24, effort=4_000, boxes=2_000)

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, oo)", "a weight")


def outcome_of(made, mutant) -> JudgedMutant:
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
    assert kinds["< becomes >"] == CAUGHT
    assert kinds["1 becomes 2"] == PROVED
    assert kinds["add becomes subtract"] == CAUGHT


def test_a_mutant_that_cannot_be_written_is_refused():
    made = claim("p.root", "a root", gt(sqrt(y), 0))
    assert {outcome_of(made, mutant).kind for mutant in mutants(made.statement)} <= {CAUGHT, UNDEFINED, REFUSED, PROVED}


def seeded(id: str, count: int) -> list[Mutant]:
    everything = list(mutants(SUBJECTS[id].statement))
    return random.Random(id).sample(everything, min(count, len(everything)))


def listed(id: str) -> set[str]:
    """The mutants of a claim that are known to be left open by try_mutant."""
    return {*IMPLIED.get(id, ()), *DEBT.get(id, ())}


def named(id: str, name: str) -> Mutant:
    return next(mutant for mutant in mutants(SUBJECTS[id].statement) if mutant.name == name)


def one_outcome(id: str) -> JudgedMutant:
    """What became of the first mutant of the sample."""
    return outcome_of(SUBJECTS[id], seeded(id, TRIED)[0])


def outcomes_until_hurt(id: str) -> list[JudgedMutant]:
    """What became of the first mutant of the sample and, if it does not hurt the claim, of one that does.

    A worker process loads the library for itself.
    """
    found = [one_outcome(id)]
    if found[0].kind not in HURTS:
        others = (outcome_of(SUBJECTS[id], mutant) for mutant in mutants(SUBJECTS[id].statement))
        found += islice((outcome for outcome in others if outcome.kind in HURTS), 1)
    return found


@pytest.fixture(scope="module")
def until_hurt(request, workers) -> dict[str, Future[list[JudgedMutant]]]:
    """What is asked about each subject whose test was selected, found by all workers."""
    selected = [item for item in request.session.items if item.path == request.path]
    ids = [item.callspec.params["id"] for item in selected if "until_hurt" in item.fixturenames]
    return {id: workers.submit(outcomes_until_hurt, id) for id in ids}


def require_listed(id: str, outcome: JudgedMutant) -> None:
    name = outcome.mutant.name
    assert outcome.kind not in OPEN or name in listed(id), f"{name}: {outcome.kind}, {outcome.reason}"


@pytest.mark.parametrize("id", CLAIMS)
def test_a_mutant_of_every_sixtieth_claim_and_quote(id):
    require_listed(id, one_outcome(id))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("id", MOST)
def test_a_mutant_of_every_claim_and_quote_and_one_that_hurts(id, until_hurt):
    outcomes = until_hurt[id].result()
    require_listed(id, outcomes[0])
    hurts = any(outcome.kind in HURTS for outcome in outcomes)
    assert hurts is (id not in UNHURT), "no mutant hurts this claim: it is vacuous, or nothing can be sampled of it"


PAIRS = [(id, name) for id, names in IMPLIED.items() for name in names]
DEBTS = [(id, name) for id, names in DEBT.items() for name in names]


def implied(id: str, name: str, known: Collection[str] | None = None, patience: int = PATIENCE) -> list[str] | None:
    """The facts with which it is decided that a claim implies its mutant, or None if they are not found."""
    statement = named(id, name).statement
    facts = None if statement is None else proof(SUBJECTS[id], statement, known, patience)
    return None if facts is None else [fact.text for fact in facts]


def still_open(id: str, name: str) -> bool:
    return outcome_of(SUBJECTS[id], named(id, name)).kind in OPEN and implied(id, name) is None


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("id", "name"),
    [pytest.param(*pair, marks=[] if number % 80 == 0 else pytest.mark.slow) for number, pair in enumerate(PAIRS)],
)
def test_a_survivor_is_implied(id, name):
    assert implied(id, name, IMPLIED[id][name]), "the facts do not decide it any more: run tests/mutants_measure.py"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("id", "name"), random.Random(1).sample(DEBTS, min(12, len(DEBTS))))
def test_an_open_mutant_is_still_open(id, name):
    assert still_open(id, name), "it is settled: run tests/mutants_measure.py"


def test_every_listed_mutant_exists_and_is_listed_once():
    for lists in (IMPLIED, DEBT):
        for id, names in lists.items():
            assert names.keys() <= {mutant.name for mutant in mutants(SUBJECTS[id].statement)}, id
    assert not set(PAIRS) & set(DEBTS)


@pytest.mark.parametrize(("id", "name"), DEBTS)
def test_an_open_mutant_is_listed_with_its_statement(id, name):
    statement = named(id, name).statement
    assert statement is not None
    assert DEBT[id][name] == statement_text(statement)


def test_no_evidence_is_not_caught():
    """Under hypotheses that nothing satisfies no sample is found, which says nothing about any mutant."""
    made = claim("p.empty", "Nothing can be sampled", gt(y, 5), given=[lt(sinh(y), y)])
    assert {outcome_of(made, mutant).kind for mutant in mutants(made.statement)} <= {UNSETTLED, VACUOUS}


def test_premises_that_never_hold_are_not_caught():
    """What is decided to say nothing is neither caught nor implied."""
    made = claim("p.from", "where x is small", implies(lt(x, y), lt(x * x, 2 * y)))
    vacuous = Mutant(1, "premise turned", implies(lt(y, 0), lt(x * x, 2 * y)))
    assert outcome_of(made, vacuous).kind == VACUOUS


def test_a_falsehood_proves_no_mutant():
    made = claim("p.false", "a falsehood", gt(x, 1), refuted="x is below 1")
    implied_by_it = Mutant(1, "1 becomes 1/2", gt(x, Number(Fraction(1, 2))))
    assert outcome_of(made, implied_by_it).kind == CAUGHT
    assert proof(made, gt(x, Number(Fraction(1, 2)))) is None


def judged(*evidence: Evidence):
    """A judge that finds this evidence on the claim itself, which implies that the claim has a value."""
    implied = frozenset({"claim", f"claim{WELL_DEFINED}"})
    judgement = Judgement((("claim",),), implied, (), ("claim",), evidence)
    return lambda *arguments, **options: judgement


WITNESS = Witness((("x", "1/2"),), "1", "2")


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (judged(), UNSETTLED),
        (judged(Evidence("numeric", Verdict.UNDECIDED, "claim", "no point")), UNSETTLED),
        (judged(found("smt", Verdict.REFUTED, "claim", "no model")), UNSETTLED),
        (judged(found("smt", Verdict.REFUTED, "claim", "", witness=WITNESS)), CAUGHT),
        (judged(found("smt", Verdict.REFUTED, f"claim{WELL_DEFINED}", "", witness=WITNESS)), UNDEFINED),
        (judged(found("smt", Verdict.REFUTED, "not implied", "", witness=WITNESS)), UNSETTLED),
        (judged(Evidence("numeric", Verdict.SUPPORTED, "claim", "holds")), SURVIVED),
        (judged(found("exact", Verdict.DECIDED, "claim", "0")), PROVED),
    ],
)
def test_only_a_witness_catches(found, kind, monkeypatch):
    monkeypatch.setattr(mutating, "judge_statement", found)
    made = claim("p.bound", "a bound", lt(x, y + 1))
    assert {outcome_of(made, mutant).kind for mutant in mutants(made.statement)} == {kind}


@pytest.mark.slow
def test_a_sum_that_does_not_give_its_conclusion_is_unfounded():
    t = real("t", "(0, 1)", "a share", indexed=True, latex="t({index})")
    one = rational(1)
    made = claim("p.sum", "a sum", Summed(eq(t, 2 * t * x), one, eq(Total(t), 2 * x * Total(t)), one))
    outcomes = {mutant.change: outcome_of(made, mutant).kind for mutant in mutants(made.statement)}
    assert outcomes["= becomes !="] in (UNFOUNDED, CAUGHT, REFUSED)
    assert outcomes["2 becomes 3"] == UNFOUNDED


# The proofs of survivors: what they show is true, and what is refuted they do not show.
BOUNDS = [
    claim("p.root", "a bound", lt(sqrt(x), y + 1)),
    claim("p.quotient", "a quotient", lt(x / (1 + y), 2)),
    claim("p.from", "where x is small", implies(lt(x, y), lt(x * x, 2 * y))),
    claim("p.signed", "of either sign", lt((2 * x - 1) / (1 + y), 1)),
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "made",
    [*BOUNDS[:2], *(pytest.param(made, marks=pytest.mark.slow) for made in BOUNDS[2:])],
    ids=lambda made: made.id,
)
def test_what_a_proof_shows_is_not_refuted(made):
    shown = 0
    for mutant in mutants(made.statement):
        if mutant.statement is None:
            continue
        outcome, found = outcome_of(made, mutant), proof(made, mutant.statement)
        assert found is None or outcome.kind not in HURTS, mutant.name
        shown += found is not None
    assert shown > 0


def test_open_mutants_are_read_from_beside_the_derivations(tmp_path):
    path = tmp_path / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(
        "from grpo_symbolic import Paper, Result, claim, eq, real\n"
        "x = real('x', '(0, 1)', 'a probability')\n"
        "def build():\n    yield claim('p.same', 'Same', eq(x, 1 * x))\n"
        "result = Result('Small', Paper('p', 'A', 'T', 'v'), build)\n"
    )
    results = load(path).results
    assert open_mutants(results) == {}
    (path / "open_mutants.json").write_text('{"p.same": {"1: a": "x = y", "2: b": "x = z"}}')
    assert open_mutants(results) == {"p.same": {"1: a": "x = y", "2: b": "x = z"}}
    (path / "open_mutants.json").write_text("[1]")
    with pytest.raises(
        LibraryError, match=r"cannot read .*open_mutants\.json .* maps ids of claims to their open mutants"
    ):
        open_mutants(results)
