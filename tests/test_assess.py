"""Judging a library: the same findings whatever the number of processes, progress, errors that name the claim."""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
import signal
import textwrap
import uuid
from dataclasses import replace

import pytest

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import CheckError, DeclarationError, LibraryError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging import judges as assessing
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.claims import Judged, combine
from grpo_symbolic.judging.verdicts import Judgement

SETTINGS = Settings(digits=20, points=20)

MODULE = '''
"""A product, written out."""
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, implies, increasing, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    chain = derive(x * (1 - x), "definition").eq(x - x**2, "expand")
    product = claim("p.product", "The product", derivation=chain)
    yield product
    yield claim("p.positive", "It is positive", gt(x - x**2, 0), using=[product])
    wrong = paper.quote("Eq. (1)", "x(1-x)>x", gt(x * (1 - x), x))
    yield claim("p.less", "It is less than x", lt(x * (1 - x), x), printed=wrong)
result = Result("A product", paper, build)
'''

BROKEN = """
from grpo_symbolic import Paper, Result, claim, eq, implies, increasing, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    yield claim("p.odd", "A composite inside an implication", implies(increasing(x, x), eq(x, x)))
    yield claim("p.even", "Something else", eq(x + x, 2 * x))
result = Result("Odd", paper, build)
"""


@pytest.fixture
def library(tmp_path):
    """Load a package of a fresh name that holds one module."""

    def make(text=MODULE):
        path = tmp_path / f"derivations_{uuid.uuid4().hex}"
        path.mkdir()
        (path / "__init__.py").write_text("")
        (path / "small.py").write_text(textwrap.dedent(text))
        return load(path)

    return make


def without_times(judged: Judged) -> Judged:
    return replace(judged, alone=timeless(judged.alone), printed=judged.printed and timeless(judged.printed))


def timeless(judgement: Judgement) -> Judgement:
    return replace(judgement, seconds=0.0)


@pytest.mark.slow
def test_findings_do_not_depend_on_the_number_of_jobs(library):
    made = library()
    alone, together = (assess(made, SETTINGS, jobs=jobs) for jobs in (1, 2))
    assert list(alone.judged) == list(together.judged)
    for id, judged in alone.judged.items():
        assert without_times(judged) == without_times(together.judged[id])
    assert alone.selected == together.selected == set(made.claims)


def test_verdicts_are_those_the_mathematics_asks_for(library):
    judged = assess(library(), SETTINGS, jobs=1).judged
    assert {id: item.verdict for id, item in judged.items()} == dict.fromkeys(judged, Verdict.PROVED)
    assert judged["p.less"].printed.verdict is Verdict.REFUTED


def test_a_selection_includes_what_it_rests_on_and_nothing_else(library):
    assessment = assess(library(), SETTINGS, only=["positive"], jobs=1)
    assert set(assessment.judged) == assessment.selected == {"p.positive", "p.product", "p.product.step-1"}
    order = list(assessment.judged)
    assert order.index("p.product.step-1") < order.index("p.product") < order.index("p.positive")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_tells_of_every_claim_once(library, jobs):
    events = []
    made = library()
    assess(made, SETTINGS, jobs=jobs, listener=events.append)
    events = [event for event in events if not event.asked]
    started = [event.claim for event in events if event.verdict is None]
    finished = [event for event in events if event.verdict is not None]
    assert sorted(started) == sorted(made.claims) == sorted(event.claim for event in finished)
    assert [event.done for event in finished] == [1, 2, 3, 4]
    assert [event.left for event in finished] == [3, 2, 1, 0]
    assert all("numeric" in event.methods and event.result == "A product" for event in finished)
    in_flight = 0
    for event in events:
        in_flight += 1 if event.verdict is None else -1
        assert 0 <= in_flight <= jobs


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_tells_which_method_is_asked_while_a_claim_is_in_flight(library, jobs):
    events = []
    assess(library(), SETTINGS, jobs=jobs, listener=events.append)
    in_flight, asked = set(), {}
    for event in events:
        if event.asked:
            assert event.verdict is None
            assert event.claim in in_flight
            asked.setdefault(event.claim, []).append(event.asked)
        elif event.verdict is None:
            in_flight.add(event.claim)
        else:
            in_flight.remove(event.claim)
            assert asked[event.claim][0] == "numeric"
            assert {*event.methods} - {"composition", "oracle"} <= {*asked[event.claim]}
    assert not in_flight
    assert all(first != second for methods in asked.values() for first, second in itertools.pairwise(methods))


def test_a_composite_inside_another_is_refused_where_it_is_written(library):
    with pytest.raises(LibraryError, match=r"small\.py:6: claim p\.odd: a composite statement cannot stand inside"):
        library(BROKEN)


def test_a_foreign_exception_becomes_a_check_error(library, monkeypatch):
    def explode(claim, settings, watch, prover):
        raise RecursionError("too deep")

    monkeypatch.setattr(assessing, "judge_claim", explode)
    with pytest.raises(CheckError, match=r"^p\.product\.step-1: RecursionError: too deep"):
        assess(library(), SETTINGS, jobs=1)


def dying(settings, task, tell):
    """Judge in a worker process, which dies of one claim."""
    if task.claim.id == "p.less":
        tell("exact")
        os.kill(os.getpid(), signal.SIGKILL)
    return assessing._judge_there(settings, task, tell)


@pytest.mark.slow
def test_a_worker_that_dies_leaves_its_claim_open_and_judges_the_others(library, monkeypatch):
    made = library()
    alone = assess(made, SETTINGS, jobs=1).judged
    monkeypatch.setattr(assessing, "partial", lambda work, settings: functools.partial(dying, settings))
    judged = assess(made, SETTINGS, jobs=2).judged
    assert list(judged) == list(alone)
    for id in set(judged) - {"p.less"}:
        assert without_times(judged[id]) == without_times(alone[id])
    for judgement in (judged["p.less"].alone, judged["p.less"].printed):
        (evidence,) = judgement.evidence
        assert (evidence.method, evidence.verdict, evidence.obligation) == ("exact", Verdict.UNDECIDED, "p.less")
        assert evidence.note == "its process died (killed by SIGKILL; its limit of memory is 4096 MB)"
    assert judged["p.less"].verdict is Verdict.UNDECIDED


ENDLESS = """
from grpo_symbolic import Paper, Result, claim, cosh, exp, gt, log, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    endless = gt(exp(cosh(x)) * log(1 + x), 0)
    yield claim("p.endless", "It takes hours at many digits", endless,
        printed=paper.quote("Eq. (1)", "x e^x>0", gt(x * exp(x), 0)))
    yield claim("p.endless-too", "As long", lt(-exp(cosh(x)) * log(1 + x), 0))
result = Result("Endless", paper, build)
"""


@pytest.mark.slow
def test_a_claim_that_runs_over_is_left_open_and_says_why(library):
    judged = assess(library(ENDLESS), Settings(points=100_000, digits=600_000), jobs=2, timeout=3).judged
    assert list(judged) == ["p.endless", "p.endless-too"]
    for item in judged.values():
        assert item.verdict is Verdict.UNDECIDED
        (evidence,) = item.alone.evidence
        assert (evidence.method, evidence.note) == ("numeric", "stopped after 3 s in numeric")
        assert item.alone.seconds >= 3
    assert judged["p.endless"].printed.verdict is Verdict.UNDECIDED


def starve(claim, settings, watch, *rest):
    watch("exact")
    raise MemoryError


def starving(settings, claim, tell):
    """Judge in a worker process where the engine wants too much memory."""
    assessing.judge_claim = starve
    return assessing._judge_there(settings, claim, tell)


@pytest.mark.slow
def test_a_claim_that_wants_too_much_memory_is_left_open(library, monkeypatch):
    monkeypatch.setattr(assessing, "partial", lambda work, settings: functools.partial(starving, settings))
    judged = assess(library(), SETTINGS, only=["p.product.step-1"], jobs=2).judged
    (evidence,) = judged["p.product.step-1"].alone.evidence
    assert (evidence.method, evidence.verdict) == ("exact", Verdict.UNDECIDED)
    assert evidence.note == "more than 4096 MB of memory"


@pytest.mark.slow
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_whatever_ends_the_run_leaves_no_process_behind(library, error):
    before = set(multiprocessing.active_children())

    def interrupt(event):
        raise error

    with pytest.raises(error):
        assess(library(), SETTINGS, jobs=2, listener=interrupt)
    assert set(multiprocessing.active_children()) <= before


def test_no_jobs_and_unknown_names_are_refused(library):
    made = library()
    with pytest.raises(DeclarationError, match="0 jobs with 1800 s for a claim cannot judge anything"):
        assess(made, SETTINGS, jobs=0)
    with pytest.raises(DeclarationError, match="2 jobs with 0 s for a claim cannot judge anything"):
        assess(made, SETTINGS, jobs=2, timeout=0)
    with pytest.raises(LibraryError, match="nothing is called 'nonsense'"):
        assess(made, SETTINGS, only=["nonsense"])


ASSUMED = """
from grpo_symbolic import Paper, Result, claim, derive, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight")
def build():
    taken = claim("p.taken", "Taken for granted", lt(x, beta), assumed=True)
    low = claim("p.low", "What follows", lt(x / 2, beta), using=[taken])
    step = derive(x / 3, "start").lt(x / 2, "smaller").lt(beta, "what follows", using=[low])
    yield from (taken, low, claim("p.step", "By a step", derivation=step))
    yield claim("p.lower", "By a lemma", lt(x / 3, beta), using=[low])
    yield claim("p.other", "By neither", lt(x / 3, beta))
result = Result("Assuming", paper, build)
"""


def test_an_assumption_is_a_hypothesis_of_all_that_rests_on_it(library):
    """No sample where it fails may refute a claim that rests on it through a lemma or a step."""
    judged = assess(library(ASSUMED), SETTINGS, jobs=1).judged
    assert {id: (item.verdict.value, item.claim.assumes) for id, item in judged.items()} == {
        "p.taken": ("UNDECIDED", ()),
        "p.low": ("PROVED", ("p.taken",)),
        "p.step.step-1": ("PROVED", ()),
        "p.step.step-2": ("PROVED", ("p.taken",)),
        "p.step": ("PROVED", ("p.taken",)),
        "p.lower": ("PROVED", ("p.taken",)),
        "p.other": ("REFUTED", ()),
    }


def test_nothing_else_passes_under_the_id_of_a_lemma_or_a_step(library):
    """Whoever pairs claims with judgements is not believed that they are those on which a claim rests."""
    loaded = library(ASSUMED)
    judgements = {id: (item.alone, item.printed) for id, item in assess(loaded, SETTINGS, jobs=1).judged.items()}
    for id, user in (("p.low", "p.step.step-2"), ("p.step.step-1", "p.step")):
        ordered = [(replace(made, title="Another") if made.id == id else made, since) for made, since in loaded.ordered]
        with pytest.raises(CheckError, match=rf"{user} rests on {id}, but another claim was judged under this id"):
            combine(ordered, judgements)
