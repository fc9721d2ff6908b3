"""A gap in a proof stands in front like an erratum, with the claim that fills it, and in every other account of it."""

from __future__ import annotations

import json
import uuid

import jsonschema
import pytest
from judged_library import whole_library
from test_cli import QUICK
from test_results import SCHEMA
from typer.testing import CliRunner

from grpo_symbolic import Gap, Paper
from grpo_symbolic.cli import app
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.report.errata import paper_view
from grpo_symbolic.report.gaps import GapView
from grpo_symbolic.report.notes import note_view
from grpo_symbolic.report.tex import Tex

MODULE = '''
"""A bound, and the step that its proof leaves out."""
from grpo_symbolic import Gap, Paper, Result, claim, gt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a share")
def build():
    yield claim("p.positive", "The share is positive", gt(x, 0), equation="Lemma 1",
        fills=[Gap("Lemma 1, proof", "that $x > 0$ is used and not said")])
    small = Gap("Lemma 2", "the case of small shares is left out")
    yield claim("p.twice", "Twice as much", gt(2 * x, x), fills=[small])
    yield claim("p.again", "And half of it", gt(x, x / 2), fills=[small])
result = Result("A bound", paper, build)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("gaps") / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "bound.py").write_text(MODULE, encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_gap_stands_in_front_and_in_the_data(folder, tmp_path):
    run = CliRunner().invoke(app, ["report", str(folder), "--out", str(tmp_path), *QUICK])
    assert run.exit_code == 0, run.output
    text = (tmp_path / "report.tex").read_text(encoding="utf-8")
    front, _ = text.split(r"\grpopart{Gaps in proofs: A. Author}", 1)[1].split(r"\end{itemize}", 1)
    assert r"\textbf{Lemma 1, proof}: that $x > 0$ is used and not said. Filled by" in front
    assert front.count(r"\item ") == 2
    assert front.count(r"\grpobadge{proved}") == 3
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    fills = {item["id"]: item["fills"] for item in data["claims"]}
    assert fills["p.positive"] == [{"where": "Lemma 1, proof", "missing": "that $x > 0$ is used and not said"}]
    assert not (tmp_path / "note-p.tex").exists()


def test_gaps_are_counted_beside_errata():
    found = [GapView(Tex("Lemma 1"), Tex("a step."), Tex("")), GapView(Tex("Lemma 2"), Tex("a case."), Tex(""))]
    paper = Paper("p", "A. Author", "A title", "v1")
    assert paper_view(paper, ()).counts == "no errata."
    assert paper_view(paper, (), gaps=found[:1]).counts == "no errata. 1 gap in a proof."
    assert paper_view(paper, (), gaps=found).counts == "no errata. 2 gaps in proofs."


def test_the_note_says_how_many_steps_are_left_out():
    gap = GapView(Tex("Lemma 1"), Tex("a step."), Tex(""))
    paper = Paper("p", "A. Author", "A title", "v1")
    assert note_view(paper, (), [gap]).gaps == "one step that an argument leaves out"
    assert note_view(paper, (), [gap, gap]).gaps == "2 steps that arguments leave out"


@pytest.mark.slow
def test_show_tells_which_gap_a_claim_fills(folder):
    shown = CliRunner().invoke(app, ["show", "twice", str(folder)]).output
    assert "fills a gap at Lemma 2: the case of small shares is left out" in shown


@pytest.mark.parametrize(("where", "missing"), [("", "a step"), ("Lemma 1", " "), ("Lemma 1", "A step is missing.")])
def test_a_gap_says_where_and_what(where, missing):
    with pytest.raises(DeclarationError, match=r"gap at .*: say where it is and, without a full stop, what is missing"):
        Gap(where, missing)


def test_both_papers_have_gaps_that_are_filled():
    filling = [made for made in whole_library().claims.values() if made.fills]
    assert {made.id.partition(".")[0] for made in filling} == {"mroueh_2025", "vojnovic_yun_2025"}
    assert not [made.id for made in filling if made.assumed or made.refuted]
