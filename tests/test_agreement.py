"""The list, the coverage and one claim shown say the same as the results, and the counts the same as their rows."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from judged_library import FOLDER
from test_dependants import library_of
from typer.testing import CliRunner

from grpo_symbolic.cli import app


def printed(*command: str):
    run = CliRunner().invoke(app, [*command, "--json"])
    assert run.exit_code == 0, run.output
    return json.loads(run.stdout)


@pytest.mark.slow
def test_the_list_agrees_with_the_results(judged_data):
    listed = {row["id"]: (row["verdict"], row["printed"]) for row in printed("list", str(FOLDER))}
    judged = {item["id"]: item for item in judged_data["claims"] if ".step-" not in item["id"]}
    verdicts = {id: (item["verdict"], item["printed"] and item["printed"]["verdict"]) for id, item in judged.items()}
    assert listed == verdicts


def test_the_coverage_agrees_with_the_results_and_with_its_rows(judged_data):
    data = printed("coverage", str(FOLDER))
    assert data["findings"] == []
    assert data["papers"] == judged_data["coverage"]
    for paper in data["papers"].values():
        outcomes = Counter(row["outcome"] for row in paper["rows"])
        assert paper["seen"] == len(paper["rows"])
        assert paper["settled"] == outcomes["DECIDED"] + outcomes["PROVED"]


@pytest.mark.slow
def test_one_claim_is_shown_as_the_results_have_it(tmp_path):
    """But for times, and for what it says of everything else that was judged."""
    folder = tmp_path / "derivations"
    folder.mkdir()
    library = library_of(folder)
    (made_up,) = folder.iterdir()
    out = tmp_path / "out"
    CliRunner().invoke(app, ["report", str(made_up), "--out", str(out), "--no-pdf", "--accept"])
    claims = {item["id"]: item for item in json.loads((out / "results.json").read_text(encoding="utf-8"))["claims"]}
    shown = printed("show", "p.uses", str(made_up))
    assert library.claims["p.uses"].title == shown["title"]
    for key in ("statement", "verdict", "since", "assumes", "cites", "fills", "hypotheses"):
        assert shown[key] == claims["p.uses"][key], key
    assert shown["printed"]["verdict"] == claims["p.uses"]["printed"]["verdict"]
