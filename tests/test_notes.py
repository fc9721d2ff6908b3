"""The note to the authors of a paper: every finding, on a page, and a program that stands by itself."""

from __future__ import annotations

import re
import subprocess
import sys
import uuid

import pytest
from test_ambiguous import MODULE, READINGS

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.report import compile
from grpo_symbolic.report.notes import notes
from grpo_symbolic.report.render import render


@pytest.fixture(scope="module")
def assessment(tmp_path_factory):
    """One erratum and one ambiguous sentence."""
    path = tmp_path_factory.mktemp("notes") / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(MODULE.replace(r"\\text", r"\text"), encoding="utf-8")
    (path / "quotes.toml").write_text(READINGS, encoding="utf-8")
    return assess(load(path), Settings(digits=30, points=24), jobs=1)


@pytest.fixture(scope="module")
def folder(assessment, tmp_path_factory):
    out = tmp_path_factory.mktemp("note")
    (out / "note-older.tex").write_text("of a paper that is not there any more")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grpo_symbolic.report.compile.engine", lambda: None)
        render(assessment, out, pdf=True)
    return out


def run(program):
    return subprocess.run([sys.executable, "-I", program], capture_output=True, text=True, check=False)


def test_a_note_has_every_finding_with_a_counterexample_and_what_holds(folder):
    text = (folder / "note-p.tex").read_text(encoding="utf-8")
    assert "1 erratum (notation: 1)." in text
    assert "One sentence has a reading that fails beside one that holds." in text
    assert "Dear author, we" in text
    errata, ambiguous = text.split("Sentences of which one reading fails and another holds")
    assert "Section 2" in errata
    assert "$x > -1$" in errata
    assert "where $>$ is claimed" in errata
    assert "Section 1" in ambiguous
    assert "where $<$ is claimed" in ambiguous
    assert text.count(r"\grpolead{Fails}At ") == 2
    assert r"note\allowbreak" not in text.split("we have read")[0]


def test_its_program_runs_without_this_package_and_tells_what_fails(folder):
    program = folder / "note-p.py"
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("fails") == 2
    assert re.findall(r"^(\d+) (.*)$", done.stdout, re.MULTILINE)[0] == ("1", "Section 2")
    text = program.read_text(encoding="utf-8")
    assert "grpo" not in text
    assert "# x: a number" in text
    program.write_text(text.replace("if left > right", "if left <= right"), encoding="utf-8")
    assert run(program).returncode == 1


def test_notes_of_an_older_report_are_taken_away(folder):
    assert sorted(path.name for path in folder.glob("note-*")) == ["note-p.py", "note-p.tex"]


def test_a_paper_without_findings_gets_no_note(assessment):
    fine = {id: item for id, item in assessment.judged.items() if item.claim.printed is None}

    class Nothing:
        library, judged, quotes = assessment.library, fine, assessment.quotes

    assert list(notes(Nothing)) == []


@pytest.mark.slow
@pytest.mark.skipif(compile.engine() is None, reason=compile.HINT)
def test_a_note_compiles(assessment, tmp_path):
    made = render(assessment, tmp_path, pdf=True)
    assert tmp_path / "note-p.pdf" in made.files
