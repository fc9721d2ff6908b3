"""The report of the real derivations: its data, its counterexamples, and its LaTeX inside other papers."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import jsonschema
import pytest

import grpo_symbolic
from grpo_symbolic.checks.confirmation import confirms
from grpo_symbolic.checks.counterexamples.search import recheck
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.judging.bare import bare_lemma
from grpo_symbolic.language.expression import free_symbols
from grpo_symbolic.language.statement import All
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.obligations.obligation import Obligation, well_defined
from grpo_symbolic.report import compile
from grpo_symbolic.report.links import label
from grpo_symbolic.report.render import render
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.view import report_view

SCHEMA = json.loads(
    (Path(grpo_symbolic.__file__).parent / "judging" / "results.schema.json").read_text(encoding="utf-8")
)
PREAMBLES = {
    "article": r"\documentclass[11pt]{article}",
    "twocolumn": r"\documentclass[twocolumn]{article}\usepackage[colorlinks]{hyperref}",
    "amsart": r"\documentclass{amsart}",
}


@pytest.fixture(scope="module")
def written(assessment, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    render(assessment, folder, pdf=False)
    return folder


def restricted(witness: Witness, obligation: Obligation) -> Witness:
    """The witness without values of symbols that only lemmas mention."""
    differentiated = [symbol for expression in obligation.defined for symbol in free_symbols(expression)]
    known = {symbol.name for symbol in (*obligation.symbols, *differentiated)}
    return replace(witness, at=tuple((name, value) for name, value in witness.at if name.split("[")[0] in known))


def with_bare_lemmas(made: Claim) -> Claim:
    chain = made.derivation
    if chain is not None:
        steps = (replace(step, using=tuple(map(bare_lemma, step.using))) for step in chain.steps)
        chain = replace(chain, steps=tuple(steps))
    return replace(made, using=tuple(map(bare_lemma, made.using)), derivation=chain)


class _Bare(Shown):
    @cached_property
    def claims(self):
        return {id: with_bare_lemmas(made) for id, made in super().claims.items()}


@pytest.mark.slow
def test_pages_tell_of_a_claim_nothing_that_stands_behind_its_lemmas(assessment):
    """What is no part of the key under which views are kept is no part of the views."""
    judged = {id: replace(one, claim=with_bare_lemmas(one.claim)) for id, one in assessment.judged.items()}
    without = report_view(replace(assessment, judged=judged), rewritten=_Bare(assessment.library))
    whole = report_view(assessment)
    for chapter, other in zip(whole.chapters, without.chapters, strict=True):
        assert chapter.results == other.results


@pytest.mark.slow
def test_results_are_valid(judged_data):
    jsonschema.validate(judged_data, SCHEMA)


def test_every_counterexample_can_be_checked_again(assessment):
    checked = 0
    for judged in assessment.judged.values():
        quote, judgement = judged.claim.printed, judged.printed
        if judgement is None or judgement.verdict is not Verdict.REFUTED:
            continue
        obligations = [item for plan in expand(quote.statement, quote.given) for item in plan]
        obligations += [side for item in obligations if (side := well_defined(item)) is not None]
        for evidence in judgement.evidence:
            if evidence.witness is not None:
                (whole,) = {item for item in obligations if item.label == evidence.obligation}
                # A witness against one part of a conjunction gives values to the symbols of that part only.
                parts = whole.conclusion.parts if isinstance(whole.conclusion, All) else ()
                candidates = [whole, *(replace(whole, conclusion=part) for part in parts)]
                # A point that somebody names was found by no search, which may not know what to do with it.
                again = confirms if quote.fails_at else recheck
                assert any(again(item, restricted(evidence.witness, item)) for item in candidates), judged.claim.id
                checked += 1
    assert checked >= 10


@pytest.mark.slow
def test_every_claim_is_on_the_pages(assessment, written):
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    for result in assessment.library.results:
        for made in result.claims:
            assert f"{{{label(made.id)}}}" in text, made.id


def log_of_a_paper(kind: str, name: str, written: Path, folder: Path) -> str:
    """What TeX says of a paper of some kind into which a file of the report is put."""
    if compile.engine() is None:
        pytest.skip(compile.HINT)
    shutil.copytree(written, folder, dirs_exist_ok=True)
    body = rf"\usepackage{{grpo-appendix}}\begin{{document}}Text.\appendix\input{{{name}}}\end{{document}}"
    (folder / "paper.tex").write_text(PREAMBLES[kind] + body, encoding="utf-8")
    compile.compile_pdf(folder, "paper")
    return (folder / "paper.log").read_text(encoding="utf-8", errors="replace")


def too_wide(log: str) -> float:
    """By how many points the widest line sticks out into the margin."""
    return max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PREAMBLES)
def test_the_appendix_compiles_inside_papers(kind, written, tmp_path):
    log = log_of_a_paper(kind, "appendix", written, tmp_path)
    assert too_wide(log) <= 5
    assert "undefined" not in log
    assert "multiply defined" not in log


@pytest.mark.slow
def test_the_report_is_short_and_the_appendix_has_the_rest(assessment, tmp_path):
    if compile.engine() is None:
        pytest.skip(compile.HINT)
    made = render(assessment, tmp_path, pdf=True)
    assert made.pdf == tmp_path / "report.pdf"
    assert (tmp_path / "appendix.pdf").read_bytes().startswith(b"%PDF")
    compile.compile_pdf(tmp_path, "appendix-document", made="appendix")
    compile.compile_pdf(tmp_path, "report")
    log = (tmp_path / "report.log").read_text(encoding="utf-8", errors="replace")
    (pages,) = re.findall(r"Output written on report.pdf \((\d+) pages", log)
    assert int(pages) <= 50
    assert "undefined" not in log
    assert "no claim in this paper" not in log
    for name in ("report", "appendix"):
        log = (tmp_path / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        assert "smaller than 6 pt" not in log
        assert too_wide(log) <= 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", PREAMBLES)
def test_one_result_alone_names_claims_of_others_by_their_ids(kind, written, tmp_path):
    name = "appendix/vojnovic_yun_2025/root_groups_of_two_properties"
    log = log_of_a_paper(kind, name, written, tmp_path)
    assert "undefined" not in log
    assert "??" not in (tmp_path / "paper.aux").read_text(encoding="utf-8", errors="replace")
    assert re.search(r"no claim in this paper: vojnovic-yun-2025\.", log)
