"""What is judged again before a build begins: the turn of the next run, if it ends by then, and believed no more."""

from __future__ import annotations

import pytest
from test_kept import QUICK, Folder, judged_with, verdicts
from test_kept import folder as folder  # a fixture
from traces import eventually

from grpo_symbolic import claim, ge, real
from grpo_symbolic.cache.store import Store
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging import ahead
from grpo_symbolic.judging import judges as judging
from grpo_symbolic.judging.ahead import judging_ahead
from grpo_symbolic.judging.assess import Provisional
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.judges import judges
from grpo_symbolic.judging.kept import Kept, differ
from grpo_symbolic.processes.crew import Errand

x = real("x", "(-2, 2)", "a number")


@pytest.fixture
def judged(folder: Folder, tmp_path):
    """A library, its judgements by ids, and the contents of the claims whose turn it is in the next run, by ids."""
    library = folder.write()
    found = judged_with(tmp_path / "cache", library)
    with Store(tmp_path / "cache") as store:
        kept = Kept(store, QUICK, map(bare, library.claims.values()), ahead=True)
        due = {id: kept.key(id) for id in kept.due}
    assert due
    return library, {id: (one.alone, one.printed) for id, one in found.judged.items()}, due


def assessed(place, library, known):
    """An assessment by processes' like that have judged some contents already."""
    with Store(place) as store, judges(QUICK, jobs=1) as who:
        who.ahead = known
        return Provisional(library, who, cache=store).settled()


def test_a_look_ahead_is_no_run(judged, tmp_path):
    library, _, due = judged
    with Store(tmp_path / "cache") as store:
        assert Kept(store, QUICK, map(bare, library.claims.values()), ahead=True).due == due.keys()
    assert judged_with(tmp_path / "cache", library).reused.again == due.keys()
    assert not judged_with(tmp_path / "cache", library).reused.again & due.keys()


def test_the_turn_of_the_next_run_is_judged(judged, folder, tmp_path):
    _, known, due = judged
    found = ahead._judged(QUICK, tmp_path / "cache", (), folder.path, lambda text: None)
    assert found.keys() == set(due.values())
    assert not any(differ(found[key], known[id]) for id, key in due.items())


def test_only_what_is_asked_for_is_judged(judged, folder, tmp_path):
    _, _, due = judged
    asked = next(iter({"p.tangent", "p.square"} - due.keys()))
    assert not ahead._judged(QUICK, tmp_path / "cache", (asked,), folder.path, lambda text: None).keys() & due.values()


@pytest.mark.parametrize("wait", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_it_counts_if_it_has_ended_and_nothing_is_left_else(judged, folder, tmp_path, monkeypatch, wait):
    _, _, due = judged
    errands = []
    monkeypatch.setattr(ahead, "Errand", lambda *rest: errands.append(Errand(*rest)) or errands[-1])
    with judging_ahead(folder.path, QUICK, tmp_path / "cache") as made:
        if wait:
            eventually(lambda: errands[0].ended, "the end of the errand")
        assert made().keys() == (set(due.values()) if wait else set())
    assert not errands[0]._worker.process.is_alive()


@pytest.mark.slow
def test_modules_that_meddle_or_write_do_so_where_nobody_judges_or_looks(judged, folder, tmp_path, monkeypatch, capfd):
    _, _, due = judged
    errands = []
    monkeypatch.setattr(ahead, "Errand", lambda *rest: errands.append(Errand(*rest)) or errands[-1])
    meddling = "from grpo_symbolic.judging import judges\n\njudges.judge_claim = None\nprint('meddled')\n"
    (folder.path / "meddling.py").write_text(meddling)
    with judging_ahead(folder.path, QUICK, tmp_path / "cache") as made:
        eventually(lambda: errands[0].ended, "the end of the errand")
        assert made().keys() == set(due.values())
    assert capfd.readouterr() == ("", "")


def test_a_look_ahead_writes_nothing(judged, folder, tmp_path):
    before = {path: path.read_bytes() for path in (tmp_path / "cache").iterdir()}
    ahead._judged(QUICK, tmp_path / "cache", (), folder.path, lambda text: None)
    assert {path: path.read_bytes() for path in (tmp_path / "cache").iterdir()} == before


@pytest.mark.slow
def test_derivations_that_cannot_be_read_are_nobodys_concern_before_the_build(judged, folder, tmp_path, monkeypatch):
    errands = []
    monkeypatch.setattr(ahead, "Errand", lambda *rest: errands.append(Errand(*rest)) or errands[-1])
    (folder.path / "some.py").write_text("broken(")
    with judging_ahead(folder.path, QUICK, tmp_path / "cache") as made:
        eventually(lambda: errands[0].ended, "the end of the errand")
        assert made() == {}


def test_what_was_judged_ahead_is_not_judged_once_more(judged, tmp_path, monkeypatch):
    library, known, due = judged
    asked = []
    judge = judging.judge_claim
    monkeypatch.setattr(judging, "judge_claim", lambda made, *rest: asked.append(made.id) or judge(made, *rest))
    found = assessed(tmp_path / "cache", library, {key: known[id] for id, key in due.items()})
    assert asked == []
    assert found.reused.again == due.keys()
    assert found.reused.differing == ()


def test_what_came_out_otherwise_makes_all_suspect(judged, tmp_path):
    library, _, due = judged
    other = judge_claim(bare(claim("p.other", "a false bound", ge(x, 0))), QUICK)
    assert other[0].verdict is Verdict.REFUTED
    found = assessed(tmp_path / "cache", library, dict.fromkeys(due.values(), other))
    assert found.reused.differing == tuple(due)
    assert found.reused.kept == frozenset()
    assert verdicts(found) == verdicts(assessed(tmp_path / "elsewhere", library, {}))


def test_what_was_judged_of_other_contents_counts_for_nothing(judged, tmp_path, monkeypatch):
    library, known, due = judged
    asked = []
    judge = judging.judge_claim
    monkeypatch.setattr(judging, "judge_claim", lambda made, *rest: asked.append(made.id) or judge(made, *rest))
    assessed(tmp_path / "cache", library, {f"another content {id}": known[id] for id in due})
    assert set(asked) == due.keys()
