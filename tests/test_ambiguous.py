"""A sentence of which one reading fails and another holds is no erratum, and is shown and counted apart."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

import pytest

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.errata import is_ambiguous, is_erratum
from grpo_symbolic.judging.results import results
from grpo_symbolic.report.render import render

#: How its quotes are read.
READINGS = "[interpreted]\nnear = 'near is typed as below'\n"
MODULE = r'''
"""Two bounds."""
from grpo_symbolic import Paper, Result, claim, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(-1, 1)", "a number")
def build():
    yield claim("p.near", "Near 0 from above", lt(x, 1), equation="Section 1",
        printed=paper.quote("Section 1", r"\text{near } 0", lt(x, 0),
            another_reading=True, instead="It is below 1."))
    yield claim("p.other", "Not below 0", gt(x, -1),
        printed=paper.quote("Section 2", "x > 0", gt(x, 0), notation="it has no value", instead="$x > -1$"))
    yield claim("p.after", "What is concluded from it", gt(x, -2), equation="Section 3", paper_uses=["near"])
result = Result("Two bounds", paper, build)
'''


@pytest.fixture(scope="module")
def assessment(tmp_path_factory):
    path = tmp_path_factory.mktemp("ambiguous") / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(MODULE, encoding="utf-8")
    (path / "quotes.toml").write_text(READINGS, encoding="utf-8")
    return assess(load(path), Settings(digits=30, points=24), jobs=1)


def test_it_is_no_erratum_while_the_claim_stands(assessment):
    judged = assessment.judged["p.near"]
    assert judged.printed.verdict is Verdict.REFUTED
    assert (is_ambiguous(judged), is_erratum(judged)) == (True, False)
    other = assessment.judged["p.other"]
    assert (is_ambiguous(other), is_erratum(other)) == (False, True)


@pytest.mark.parametrize("verdict", [Verdict.UNDECIDED, Verdict.SUPPORTED, Verdict.REFUTED])
def test_it_is_an_erratum_if_the_other_reading_is_not_decided(assessment, verdict):
    judged = replace(assessment.judged["p.near"], verdict=verdict)
    assert (is_ambiguous(judged), is_erratum(judged)) == (False, True)


def test_the_data_say_how_to_read_it(assessment):
    claims = {claim["id"]: claim for claim in json.loads(json.dumps(results(assessment)))["claims"]}
    assert claims["p.near"]["erratum"] is None
    assert claims["p.near"]["printed"]["verdict"] == "REFUTED"
    assert claims["p.near"]["printed"]["holds_if_read_as"] == "It is below 1."
    assert claims["p.other"]["printed"]["holds_if_read_as"] is None
    assert claims["p.other"]["erratum"]["severity"] == "notation"


@pytest.mark.slow
def test_the_report_shows_and_counts_it_apart(assessment, tmp_path):
    render(assessment, tmp_path, pdf=False)
    report, appendix = ((tmp_path / name).read_text(encoding="utf-8") for name in ("report.tex", "appendix.tex"))
    assert "1 erratum (notation: 1)." in report
    assert r"\grpopart{Ambiguous sentences: A. Author}" in report
    assert report.index("Errata: A. Author") < report.index("Ambiguous sentences: A. Author")
    assert "1 is ambiguous" in report
    assert appendix.count(r"\textbf{Ambiguous}, no erratum: Section 1.") == 1
    assert appendix.count(r"\textbf{Erratum} to") == 1
