"""The plugin for pytest: claims as tests in somebody else's repository, and nothing anywhere else."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid

import pytest

from grpo_symbolic.cli import app

pytest_plugins = ["pytester"]

MODULE = '''
"""Products."""
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def derivation():
    chain = derive(x * (1 - x), "definition of the product").eq(x - x**2, "expand the bracket")
    product = claim("p.product", "The product", derivation=chain, equation="Eq. (1)")
    yield product
    yield claim("p.less", "It is less than x", lt(x * (1 - x), x), using=[product])
result = Result("A product", paper, derivation)
'''
PLUGIN = ("-p", "grpo_symbolic.api.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:benchmark")


@pytest.fixture
def folder(pytester):
    path = pytester.mkdir(f"derivations_{uuid.uuid4().hex}")
    (path / "__init__.py").touch()
    (path / "small.py").write_text(MODULE)
    (pytester.path / "test_other.py").write_text("def test_of_their_own(): pass\n")
    return path


@pytest.fixture
def run(pytester):
    return lambda *arguments: pytester.runpytest_inprocess(*PLUGIN, *map(str, arguments))


@pytest.mark.slow
def test_claims_are_tests_with_their_verdicts(run, folder, pytester):
    pytester.makeini(f"[pytest]\ngrpo_symbolic = {folder.name}\n")
    found = run("-v")
    found.assert_outcomes(passed=3)
    found.stdout.fnmatch_lines([f"*{folder.name}/small.py::p.product PROVED*", "*::p.less PROVED*"])
    run("-k", "less").assert_outcomes(passed=1, deselected=2)
    run(f"{folder.name}/small.py::p.product").assert_outcomes(passed=1)
    run("--durations=0", "-vv").stdout.fnmatch_lines(["*s call*p.product"])


@pytest.mark.slow
def test_a_flag_does_without_a_setting_and_without_either_nothing_is_taken(run, folder):
    run().assert_outcomes(passed=1)
    run(folder).assert_outcomes()
    run("--derivations", folder).assert_outcomes(passed=2)
    run("--derivations", folder / "small.py").assert_outcomes(passed=2)


@pytest.mark.slow
def test_the_verdict_is_held_against_the_ledger(run, folder, pytester):
    from typer.testing import CliRunner

    CliRunner().invoke(app, ["report", str(folder), "--accept", "--no-pdf", "--jobs", "1", "--points", "20"])
    run("--derivations", folder).assert_outcomes(passed=2)
    for proofs in (folder / "proofs").iterdir():
        kept = [json.loads(line) | {"proof": None} for line in proofs.read_text().splitlines()]
        proofs.write_text("".join(f"{json.dumps(one)}\n" for one in kept))
    found = run("--derivations", folder)
    found.assert_outcomes(failed=2)
    found.stdout.fnmatch_lines(["p.product: fell from PROVED to DECIDED*--accept` accepts what was found"])


@pytest.mark.slow
def test_what_is_refuted_fails_and_what_is_open_is_no_pass(run, folder):
    more = 'yield claim("p.false", "Wrong", eq(x, x**2))\n    yield claim("p.void", "Void", eq(x, x), given=[gt(x, 2)])'
    assumed = 'yield claim("p.assumed", "Assumed", eq(x, x**2), assumed=True)'
    text = MODULE.replace("result =", f"    {more}\n    {assumed}\nresult =")
    (folder / "small.py").write_text(text)
    found = run("--derivations", folder, "-rx")
    found.assert_outcomes(passed=2, failed=1, xfailed=2)
    found.stdout.fnmatch_lines(["p.false: the claim is refuted; correct it*at x = *", "*UNDECIDED: *they never hold*"])
    assert "--accept" not in found.stdout.str()


@pytest.mark.slow
def test_a_broken_module_is_a_test_that_fails_and_hides_no_other(run, folder):
    (folder / "broken.py").write_text("y = 1 / 0\n")
    found = run("--derivations", folder)
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.fnmatch_lines(["*ZeroDivisionError: division by zero", "*broken.py:1"])


@pytest.mark.slow
def test_a_folder_that_cannot_be_loaded_is_told_of(run, folder):
    (folder / "again.py").write_text(MODULE)
    found = run("--derivations", folder)
    found.stdout.fnmatch_lines(["id p.product.step-1 is used twice: at *"])
    assert found.ret == pytest.ExitCode.INTERRUPTED


def test_the_plugin_imports_no_engine():
    program = "import sys, grpo_symbolic.api.pytest_plugin; print({'sympy', 'flint', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
