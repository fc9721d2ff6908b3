"""Verdicts cannot be forged or read out of English: they follow from sealed evidence, which only checks award."""

from __future__ import annotations

import ast
import importlib
import pickle
import pkgutil
from dataclasses import replace
from pathlib import Path

import pytest
from judging_here import found
from syntax import nodes

import grpo_symbolic
from grpo_symbolic import claim, eq, exp, gt, iff, implies, lt, rational, real, sinh
from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import _KEY, AWARDED, Evidence, Seal, Verdict
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.verdicts import Judgement

PACKAGE = Path(grpo_symbolic.__file__).parent
MODULES = sorted(
    info.name for info in pkgutil.walk_packages([str(PACKAGE)], "grpo_symbolic.") if "__main__" not in info.name
)
QUICK = Settings(digits=30, points=40)
x = real("x", "(0, 1)", "a share")
s = real("s", "(-oo, oo)", "a number")
p = real("p", "(0, oo)", "a positive number")


@pytest.mark.parametrize("verdict", sorted(AWARDED, key=lambda item: item.name))
def test_nobody_else_can_say_that_something_is_settled(verdict):
    with pytest.raises(CheckError, match="without the seal of a check"):
        Evidence("smt", verdict, "claim", "")
    with pytest.raises(CheckError, match=r"only checks\.awarding can award"):
        Seal("smt", verdict, "claim", None, object())


@pytest.mark.parametrize(
    "change", [{"verdict": Verdict.PROVED}, {"obligation": "another"}, {"method": "kernel"}], ids=str
)
def test_a_seal_is_for_one_method_verdict_and_obligation(change):
    awarded = found("smt", Verdict.DECIDED)
    with pytest.raises(CheckError, match="without the seal of a check"):
        replace(awarded, **change)
    assert replace(awarded, note="said otherwise").verdict is Verdict.DECIDED


def test_evidence_keeps_its_seal_on_the_way_from_another_process():
    awarded = found("smt", Verdict.DECIDED)
    assert pickle.loads(pickle.dumps(awarded)) == awarded


def test_a_judgement_is_worth_what_was_found():
    """Whatever plan is put down, the verdict is that of the evidence for its parts."""
    for verdict in (Verdict.UNDECIDED, Verdict.SUPPORTED):
        made = Judgement((("claim",),), frozenset(), (), (), (Evidence("smt", verdict, "claim", ""),))
        assert made.verdict is verdict
    assert Judgement(((),), frozenset(), (), (), ()).verdict is Verdict.UNDECIDED
    assert (
        Judgement((("claim", "other"),), frozenset(), (), (), (found("smt", Verdict.DECIDED),)).verdict
        is Verdict.UNDECIDED
    )
    with pytest.raises(AttributeError):
        Judgement.left_open().verdict = Verdict.PROVED


def test_a_claim_stands_no_higher_than_its_judgement():
    with pytest.raises(CheckError, match="PROVED, but the checks say UNDECIDED"):
        Judged(claim("p.x", "x", eq(x, x)), (), Judgement.left_open(), None, Verdict.PROVED)


def test_only_checks_hold_what_seals():
    """By identity, under whatever name a module may hold it."""
    holders = {
        name
        for name in MODULES
        for value in vars(importlib.import_module(name)).values()
        if value is award or value is _KEY
    }
    assert all(name.startswith("grpo_symbolic.checks.") or name == "grpo_symbolic.evidence" for name in holders)
    assert "grpo_symbolic.checks.smt" in holders


def _calls(module: str, wanted: object) -> list[int]:
    """The lines of a module that call an object, whatever it is called there."""
    loaded = importlib.import_module(module)
    path = Path(loaded.__file__ or "")
    named = [node for node in nodes(path, ast.Call) if isinstance(node.func, ast.Name)]
    return [node.lineno for node in named if getattr(loaded, node.func.id, None) is wanted]


@pytest.mark.slow
def test_only_judging_makes_judgements_and_only_awarding_seals():
    elsewhere = [module for module in MODULES if not module.startswith("grpo_symbolic.judging.")]
    assert [module for module in elsewhere if _calls(module, Judgement) or _calls(module, Judged)] == []
    assert [module for module in MODULES if _calls(module, Seal)] == ["grpo_symbolic.checks.awarding"]


_READS = {"startswith", "endswith", "match", "fullmatch", "search", "split", "partition", "rpartition", "find", "index"}


def _asked(node: ast.AST) -> list[ast.expr]:
    """What a piece of code compares or searches."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _READS:
        return [node.func.value, *node.args]
    return []


def _reads_a_note(node: ast.AST) -> bool:
    # ``context.note(...)`` of the reader is a verb.
    return any(isinstance(part, ast.Attribute) and part.attr == "note" for part in _asked(node))


@pytest.mark.slow
def test_no_program_reads_a_note():
    """A note may be printed, cut and joined, but nothing may ask what it says."""
    paths = [Path(importlib.import_module(module).__file__ or "") for module in MODULES]
    assert [
        f"{path}:{node.lineno}" for path in paths for node in nodes(path, ast.Compare, ast.Call) if _reads_a_note(node)
    ] == []


@pytest.mark.parametrize("code", ["found.note == ''", "'vacuous' in found.note", "found.note.startswith('no')"])
def test_a_program_that_reads_a_note_is_found(code):
    assert any(map(_reads_a_note, ast.walk(ast.parse(code))))


@pytest.mark.parametrize("words", ["", "vacuous: never", "not shown", "fails at 3 of 5 points", "undefined at"])
def test_other_words_leave_the_verdict(words):
    for statement, given in ((gt(exp(p), 1), (gt(p, 2),)), (gt(p, 1), ()), (gt(p, 5), (lt(sinh(p), p),))):
        judgement = judge_statement(statement, given, QUICK, "words")
        retold = replace(judgement, evidence=tuple(replace(item, note=words) for item in judgement.evidence))
        assert retold.verdict is judgement.verdict


VACUOUS = {
    "hypotheses that solvers know by axioms only": (gt(p, 5), (lt(sinh(p), p),)),
    "a premise": (implies(eq(s, s + 1), eq(s, 7)), ()),
    "a premise inside": (implies(gt(s, 0), implies(lt(s, 0), eq(s, 7))), ()),
    "two hypotheses": (gt(x, 2), (gt(x, s), lt(x, s))),
    "a hypothesis outside a domain": (gt(s, 0), (eq(x, 3),)),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_what_never_holds_makes_nothing_true(name):
    statement, given = VACUOUS[name]
    judgement = judge_statement(statement, given, QUICK, name)
    assert judgement.vacuous
    assert judgement.verdict is Verdict.UNDECIDED
    assert any(item.impossible for item in judgement.evidence)


def test_where_hypotheses_hold_is_kept_with_the_evidence():
    judgement = judge_statement(gt(s**3, 2), (eq(s**2, 2), gt(s, 0)), QUICK, "irrational")
    assert judgement.verdict is Verdict.DECIDED
    (point,) = [item.point for item in judgement.evidence if item.point is not None]
    assert dict(point)["s"].startswith("1.4142135623")


def test_an_equivalence_of_two_impossibilities_holds_and_says_so():
    judgement = judge_statement(iff(eq(7 - s, 13 - s), eq(rational(7), 13)), (), QUICK, "never")
    assert judgement.verdict is Verdict.DECIDED
    assert [item.impossible for item in judgement.evidence if item.obligation in judgement.possible] == [True, True]


def test_what_the_domains_say_is_no_decision_of_solvers():
    judgement = judge_statement(lt(x, 2), (), QUICK, "range")
    assert {item.method for item in judgement.evidence if item.verdict is Verdict.DECIDED} == {"range"}
