"""`check --certify`: what holds gets a proof that the kernel accepts by itself, and nothing else does."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import verify
from grpo_symbolic.language.statement import le, lt
from grpo_symbolic.language.vocabulary import log, real
from grpo_symbolic.referee.certifying import Certify, certify
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question

PAPER = r"""\begin{document}
\begin{align}
  (x - y)^2 &= x^2 - 2 x y + y^2 \\
            &\ge 0
\end{align}
\[ x^2 \le x \]
\end{document}
"""
MAP = '[symbols]\nx = "(0, 1)"\ny = "(0, 1)"\n[[claim]]\nquote = \'(x - y)^2\'\nkind = "identity"\n'
x, y = real("x", "(0, oo)", "a number"), real("y", "(0, oo)", "another")


def run(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments), "--jobs", "1"])


def asked(*statements):
    return certify(Certify(Question(statements, (), ((),) * len(statements), True, False)), Settings())


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "a.paper.tex"
    path.write_text(PAPER)
    path.with_suffix(".notation.toml").write_text(MAP)
    return path


def test_what_holds_is_proved_and_verified_with_nothing_installed(paper, tmp_path):
    out = tmp_path / "out"
    result = run(paper, "--certify", out)
    assert result.exit_code == 0, result.output
    assert "3 steps hold (3 proved)" in result.output
    command = [sys.executable, "-I", "-S", out / "verify.pyz", out]
    assert "3 claims proved; 0 refused" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (file,) = (out / "proofs").iterdir()
    ids = [json.loads(line)["record"]["id"] for line in file.read_text().splitlines()]
    assert ids == ["a-paper.a-paper-3.1", "a-paper.a-paper-4.1", "a-paper.a-paper-6.1"]


def test_without_the_option_nothing_is_searched_for(paper):
    assert "3 steps hold (3 decided)" in run(paper).output


def test_proofs_of_a_former_version_do_not_stay(paper, tmp_path):
    run(paper, "--certify", tmp_path / "out")
    paper.write_text(r"\begin{document}\[ x = y \]\end{document}")
    assert "no step that holds has a proof" in run(paper, "--certify", tmp_path / "out").output
    assert not [*(tmp_path / "out" / "proofs").iterdir()]


def test_a_proof_is_of_its_statement_alone():
    (text,) = asked(le(log(x), x - 1)).proofs
    document = json.loads(text)
    assert not verify(document).refuted
    statement = document["record"]["terms"]
    place = next(number for number, one in enumerate(statement) if one[0] == "<=")
    statement[place][0] = "<"
    with pytest.raises(RefusedError):
        verify(document)


@pytest.mark.parametrize("statements", [[lt(log(x), x - 1)], [le(log(x), x - 1), le(x, y)]])
def test_what_fails_in_one_part_has_no_proof(statements):
    found = asked(*statements)
    assert found.status is Status.UNDECIDED
    assert found.proofs == ()


def test_what_only_measures_certifies_nothing(paper, tmp_path):
    result = run(paper, "--certify", tmp_path / "out", "--power")
    assert result.exit_code == 2
    assert "--power only measures: leave out" in result.output
