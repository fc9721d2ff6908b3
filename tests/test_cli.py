"""The command line: exit codes, whole files, what is shown, and that help costs no computer algebra."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import operator
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import uuid
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from property_tests import examples
from rich.console import Console
from traces import VARIABLE, eventually, hear_interrupts, killing, needs_proc, nothing_left, patiently, workers_of
from typer.testing import CliRunner

import grpo_symbolic.judging.assess as assessing
import grpo_symbolic.judging.judges as judging
import grpo_symbolic.report.building as building
import grpo_symbolic.report.render as rendering
from grpo_symbolic import (
    Extremum,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    UniqueRoot,
    UniqueZero,
    Zeros,
    absolute,
    both,
    cosh,
    either,
    eq,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    le,
    lt,
    maximum,
    ne,
    never,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.cli import app
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import CheckError, LibraryError, ReportError
from grpo_symbolic.language.expression import Apply, Derivative, Expression, Number, Symbol
from grpo_symbolic.report.listing import Filter, Listing
from grpo_symbolic.report.lookup import one_claim
from grpo_symbolic.translate.text import expression_text, statement_text

ROOT = Path(__file__).resolve().parent.parent
QUICK = ["--points", "20", "--digits", "20", "--jobs", "1", "--no-pdf"]

MODULE = r'''
"""A product, written out."""
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, increasing, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")
def build():
    chain = derive(x * (1 - x), "definition of the product").eq(x - x**2, "expand the bracket")
    product = claim("p.product", "The product [x]", derivation=chain, equation="Eq. (1)")
    yield product
    yield claim("p.less", "It is less than x", lt(x * (1 - x), x), using=[product],
        printed=paper.quote("Eq. (2)", "x(1-x)=x", eq(x * (1 - x), x), notation="it has no value",
            instead="write a minus"))
    yield claim("p.rising", "Rising", increasing(x / (x + beta), x), given=[gt(beta, x)])
result = Result("A product", paper, build)
'''
FALSE = 'yield claim("p.false", "Wrong", gt(x, beta))\nresult = Result('


@pytest.fixture
def folder(tmp_path):
    """Write a package of a fresh name with one module and return its path."""

    def make(text=MODULE):
        path = tmp_path / f"derivations_{uuid.uuid4().hex}"
        path.mkdir()
        (path / "__init__.py").write_text("")
        (path / "small.py").write_text(textwrap.dedent(text))
        return path

    return make


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        return CliRunner().invoke(app, [str(item) for item in arguments])

    return call


def snapshot(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_report_writes_everything_and_says_where(run, folder, tmp_path):
    found = run("report", folder(), *QUICK)
    assert found.exit_code == 0, found.output
    names = {path.name for path in (tmp_path / "build").iterdir()}
    assert {"appendix.tex", "report.tex", "results.json", "manifest.json"} <= names
    for name in ("appendix.tex", "report.tex", "results.json", "manifest.json"):
        assert f"wrote build/{name}" in found.stdout
    assert "A product" in found.stdout
    assert "no ledger" in found.stdout
    assert "no unexpected refutation" in found.stdout
    data = json.loads((tmp_path / "build" / "results.json").read_text())
    assert (data["digits"], data["points"]) == (20, 20)


def test_the_site_is_written_and_shown(run, folder, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(typer, "launch", shown.append)
    found = run("report", folder(), *QUICK, "--open")
    assert found.exit_code == 0, found.output
    front = tmp_path / "build" / "site" / "index.html"
    assert shown == [str(front.resolve())]
    assert "The product [x]" in front.with_name("p.small.html").read_text()
    assert re.search(r"wrote build/site/index\.html and \d+ pages beside it", found.stdout)


def test_papers_that_are_not_there_cost_no_run(run, folder, tmp_path):
    (tmp_path / "texts").mkdir()
    found = run("report", folder(), *QUICK, "--papers", tmp_path / "texts")
    assert found.exit_code == 2
    assert "no text in" in found.output
    assert not (tmp_path / "build").exists()


def test_options_reach_the_settings_and_only_restricts(run, folder, tmp_path):
    quick = ["--points", "21", "--digits", "17", "--seed", "5", "--jobs", "1", "--no-pdf", "--out", "there"]
    assert run("report", folder(), *quick, "--only", "product", "--only", "p.rising").exit_code == 0
    data = json.loads((tmp_path / "there" / "results.json").read_text())
    assert (data["digits"], data["points"], data["seed"]) == (17, 21, 5)
    assert {claim["id"] for claim in data["claims"]} == {"p.product", "p.product.step-1", "p.rising"}
    made = json.loads((tmp_path / "there" / "manifest.json").read_text())
    assert (made["only"], made["settings"]["seed"]) == (["p.rising", "product"], 5)
    written = {name: content for name, content in snapshot(tmp_path / "there").items() if name != Path("manifest.json")}
    assert made["files"] == {str(name): hashlib.sha256(content).hexdigest() for name, content in written.items()}


def test_accept_writes_the_ledger_and_then_everything_stands(run, folder):
    path = folder()
    found = run("report", path, *QUICK, "--accept")
    assert found.exit_code == 0
    assert "accepted in" in found.stdout
    assert json.loads((path / "ledger.json").read_text())["p.less"]["printed"] == "REFUTED"
    again = run("report", path, *QUICK)
    assert again.exit_code == 0
    assert "every claim stands as the ledger says" in again.stdout


def test_a_refuted_claim_is_a_finding_with_its_witness(run, folder, tmp_path):
    path = folder(MODULE.replace("result = Result(", "    " + FALSE))
    found = run("report", path, *QUICK)
    assert found.exit_code == 1
    line = next(line for line in found.stdout.splitlines() if line.startswith("FINDING: p.false"))
    assert "the claim is refuted" in line
    assert "x = " in line
    assert "beta = " in line
    # The report is written all the same: it is what shows the finding.
    assert (tmp_path / "build" / "appendix.tex").is_file()


def test_accepting_does_not_turn_a_refuted_claim_green(run, folder):
    path = folder(MODULE.replace("result = Result(", "    " + FALSE))
    for _ in range(2):
        found = run("report", path, *QUICK, "--accept")
        assert found.exit_code == 1
        (line,) = [line for line in found.stdout.splitlines() if "p.false: the claim is refuted" in line]
        assert line.startswith("FINDING: ")
    assert "p.false" not in json.loads((path / "ledger.json").read_text())
    assert run("report", path, *QUICK).exit_code == 1


@pytest.mark.slow
def test_a_falsehood_that_is_meant_is_accepted_and_told(run, folder):
    meant = FALSE.replace("gt(x, beta)", 'gt(x, beta), refuted="to show that weights may be large"')
    path = folder(MODULE.replace("result = Result(", "    " + meant))
    assert run("report", path, *QUICK, "--accept").exit_code == 0
    assert json.loads((path / "ledger.json").read_text())["p.false"]["verdict"] == "REFUTED"
    assert run("report", path, *QUICK).exit_code == 0
    assert "REFUTED, stated as a falsehood: to show that weights may be large" in run("show", "false", path).stdout
    line = next(line for line in run("list", path).stdout.splitlines() if "p.false" in line)
    assert "REFUTED, stated as a falsehood" in line
    text = (path.parent / "build" / "appendix.tex").read_text()
    assert r"\textbf{This is false, and stated on purpose:} to show that weights may be large." in text


def test_a_true_statement_cannot_pass_for_a_falsehood(run, folder):
    true = '    yield claim("p.meant", "Meant to be false", lt(x * (1 - x), x), refuted="by mistake")\n'
    path = folder(MODULE.replace("result = Result(", true + "result = Result("))
    found = run("report", path, *QUICK, "--accept")
    assert found.exit_code == 1
    assert "FINDING: p.meant: is stated as a falsehood, but is PROVED" in found.stdout
    text = (path.parent / "build" / "appendix.tex").read_text()
    assert "is stated as a falsehood, but the checks do not refute it:} by mistake." in text


ASSUMING = """
    taken = claim("p.taken", "Taken for granted", lt(x, beta), assumed=True)
    low = claim("p.low", "What follows", lt(x / 2, beta), using=[taken])
    lower = claim("p.lower", "What follows from that", lt(x / 3, beta), using=[low])
    yield from (taken, low, lower)
"""


@pytest.mark.slow
def test_an_assumption_is_told_wherever_something_rests_on_it(run, folder):
    path = folder(MODULE.replace("result = Result(", ASSUMING + "result = Result("))
    found = run("report", path, *QUICK, "--accept")
    assert found.exit_code == 0, found.output
    assert "assumed: p.taken (UNDECIDED); 2 claims and steps rest on it" in found.stdout
    assert "PROVED\nassuming p.taken (UNDECIDED)\n" in run("show", "lower", path).stdout
    listed = run("list", path).stdout.splitlines()
    assert "UNDECIDED, assumed" in next(line for line in listed if "p.taken" in line)
    assert "PROVED, under an assumption" in next(line for line in listed if "p.lower" in line)
    appendix = (path.parent / "build" / "appendix.tex").read_text()
    assert r"{\grpobadge{proved} under an assumption}" in appendix
    assert r"\grpolead{Assumes}\grporef{grpo:p.taken}" in appendix
    front = (path.parent / "build" / "report.tex").read_text()
    assert r"Assumptions: Taken for granted (\grporef{grpo:p.taken}): 2 claims rest on it." in front


def test_a_fall_is_a_finding(run, folder):
    path = folder()
    run("report", path, *QUICK, "--accept")
    proofs = path / "proofs" / "small.jsonl"
    kept = [json.loads(line) for line in proofs.read_text().splitlines()]
    assert any(one["id"] == "p.rising" and one["proof"] for one in kept)
    # It is kept that no proof was found, so none is searched for.
    lost = [one | {"proof": None} if one["id"] == "p.rising" else one for one in kept]
    proofs.write_text("".join(f"{json.dumps(one)}\n" for one in lost))
    assert run("report", path, *QUICK, "--search").exit_code == 0
    found = run("report", path, *QUICK)
    assert found.exit_code == 1
    assert "FINDING: p.rising: fell from PROVED to DECIDED" in found.stdout


def test_accepting_a_part_keeps_the_proofs_of_the_rest(run, folder):
    path = folder()
    run("report", path, *QUICK, "--accept")
    proofs = path / "proofs" / "small.jsonl"
    whole = proofs.read_text()
    assert '"p.less"' in whole
    proofs.write_text("".join(f"{line}\n" for line in whole.splitlines() if '"p.rising"' not in line))
    run("report", path, *QUICK, "--accept", "--only", "p.rising")
    assert proofs.read_text() == whole


@pytest.mark.parametrize(
    ("option", "value"), [("--digits", 14), ("--digits", 10_001), ("--points", 19), ("--jobs", 0), ("--seed", "x")]
)
def test_values_out_of_range_are_usage_errors(run, folder, option, value):
    found = run("report", folder(), option, value)
    assert found.exit_code == 2
    assert option in found.stderr


def test_unknown_names_and_folders_are_usage_errors_with_a_remedy(run, folder, tmp_path):
    path = folder()
    for arguments, message in [
        (("report", path, "--only", "nonsense"), "grpo-symbolic list"),
        (("list", path, "--only", "nonsense"), "nothing is called 'nonsense'"),
        (("show", "nonsense", path), "no claim is called 'nonsense'"),
        (("report", tmp_path / "nowhere"), "it has no __init__.py"),
        (("report",), "derivations is not a folder of derivations"),
        (("nonsense",), "nonsense"),
        (("report", path, "--out", path / "__init__.py"), "__init__.py"),
    ]:
        found = run(*arguments)
        assert found.exit_code == 2, arguments
        assert message in found.stderr
        assert "Traceback" not in found.output
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("from grpo_symbolic import real\nx = real('x', '(1, 0)', 'm')\n", "contains no number", 2),
        ("x = 1\n\ny = 1 / 0\n", "ZeroDivisionError", 3),
        ("x = (\n", "never closed", 1),
        (MODULE.replace("x - x**2", "x - x**2 + undefined_name"), "undefined_name", 8),
        (MODULE.replace("p.less", "p.product"), "used twice", None),
        (MODULE.replace('"p.rising"', '"rising"'), "is not of the form", 14),
    ],
)
def test_mistakes_in_derivations_are_told_with_file_and_line(run, folder, text, message, line):
    found = run("report", folder(text), *QUICK)
    assert found.exit_code == 2, found.output
    assert message in found.stderr
    assert "Traceback" not in found.output
    assert f"small.py:{line}" in found.stderr if line else "small.py:" in found.stderr


def test_a_ledger_that_cannot_be_read_stops_before_judging(run, folder, monkeypatch):
    path = folder()
    (path / "ledger.json").write_text("{")
    monkeypatch.setattr(judging, "judge_claim", lambda *_: pytest.fail("judged"))
    found = run("report", path, *QUICK)
    assert found.exit_code == 2
    assert "cannot read" in found.stderr


def fail_with(error):
    def fail(*arguments, **options):
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ReportError("a template printed a raw string"), 1, "a template printed a raw string"),
        (CheckError("p.less: broke"), 1, "a check failed: p.less: broke"),
        (OSError("no space left"), 1, "no space left"),
        (KeyboardInterrupt(), 130, "interrupted; what was written before is whole"),
    ],
)
@pytest.mark.parametrize("place", ["judging", "data", "rendering"])
def test_a_failing_build_leaves_the_previous_report_whole(
    run, folder, tmp_path, monkeypatch, place, error, code, message
):
    path = folder()
    assert run("report", path, *QUICK, "--accept").exit_code == 0
    before = snapshot(tmp_path)
    (path / "small.py").write_text(MODULE.replace("Rising", "Changed"))
    target = {
        "judging": (building, "assess_by"),
        "data": (building, "results_text"),
        "rendering": (rendering, "_publish"),
    }[place]
    monkeypatch.setattr(*target, fail_with(error))
    found = run("report", path, *QUICK, "--accept")
    assert found.exit_code == code
    assert message in found.stderr
    assert "Traceback" not in found.output
    after = snapshot(tmp_path)
    assert {name for name in before if before[name] != after.get(name)} <= {path.relative_to(tmp_path) / "small.py"}
    assert {name for name in set(after) - set(before) if name.suffix != ".pyc"} == set()


def test_a_check_that_breaks_is_named(run, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "judge_claim", fail_with(ZeroDivisionError("division by zero")))
    found = run("report", folder(), *QUICK)
    assert found.exit_code == 1
    assert "a check failed: p.product.step-1: ZeroDivisionError: division by zero" in found.stderr
    assert not (tmp_path / "build").exists()


def test_what_has_no_words_is_refused_where_it_is_written(run, folder, tmp_path):
    text = MODULE.replace("increasing(x / (x + beta), x)", "implies(increasing(x, x), eq(x, x))")
    found = run("report", folder(text.replace("increasing, lt", "implies, increasing, lt")), *QUICK)
    assert found.exit_code == 2
    assert "claim p.rising: a composite statement cannot stand inside another" in found.stderr
    assert "small.py:14" in found.stderr


KINK = r"""    kink = Derivative(minimum(x, 1 - x), x)
    yield claim("p.kink", "A kink", ge(kink, -1))
    yield claim("p.given", "A kink is given", gt(x, 0), given=[ge(kink, -1)])
    yield claim("p.cut", "Hypotheses cut", tends_to(x, 0, x, to=0, side="+", constant=1), given=[lt(x, beta)])
    yield claim("p.line", "A line", derivation=derive(kink, "definition").eq(1 + x - x, "a slip"))
    yield claim("p.never", "Never", never(gt(kink, 5)))
    yield claim("p.rising-kink", "Rising", increasing(kink, x))
    yield claim("p.named", "Named", gt(Derivative(define("g", (x,), absolute(x - 1))(x), x), -2))
    yield claim("p.quoted", "Only what is quoted has a kink", lt(x, 2),
        printed=paper.quote("Eq. (3)", r"\frac{d}{dx} \min(x, 1-x) \ge -1", ge(kink, -1)))
result = Result("""
KINKED = MODULE.replace("import Paper", "import Derivative, absolute, define, ge, minimum, never, tends_to, Paper")
KINKED = KINKED.replace("result = Result(", KINK)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_cannot_be_judged_costs_nothing_else_its_verdict(run, folder, tmp_path, jobs):
    """It is left open and told with its place and the reason; the report is whole."""
    before = run("report", folder(), *QUICK, "--out", tmp_path / "plain")
    found = run("report", folder(KINKED), *QUICK, "--jobs", jobs)
    assert found.exit_code == before.exit_code == 0
    for id in ("p.kink", "p.given", "p.line.step-1", "p.never", "p.rising-kink", "what p.quoted quotes"):
        assert re.search(rf"cannot be judged: {id} \(small.py:\d+\): minimum has no derivative", found.output)
    assert re.search(r"cannot be judged: p.named \(small.py:\d+\): absolute has no derivative", found.output)
    assert re.search(r"cannot be judged: p.cut \(small.py:\d+\): hypotheses restrict x; use near", found.output)
    made, alone = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("build", "plain"))
    verdicts = {item["id"]: item["verdict"] for item in made["claims"]}
    assert {item["id"]: verdicts[item["id"]] for item in alone["claims"]} == {
        item["id"]: item["verdict"] for item in alone["claims"]
    }
    others = verdicts.keys() - {item["id"] for item in alone["claims"]} - {"p.quoted"}
    assert {verdicts[id] for id in others} == {"UNDECIDED"}
    assert verdicts["p.quoted"] == "PROVED"
    pages = "".join(page.read_text() for page in (tmp_path / "build" / "site").rglob("*.html"))
    assert "minimum has no derivative" in pages
    assert {"report.tex", "appendix.tex", "manifest.json"} <= {path.name for path in (tmp_path / "build").iterdir()}


def test_list_shows_results_claims_and_the_ledger(run, folder):
    path = folder()
    found = run("list", path)
    assert found.exit_code == 0
    assert "not in the ledger" in found.stdout
    assert "The product [x]" in found.stdout
    run("report", path, *QUICK, "--accept")
    lines = run("list", path).stdout.splitlines()
    row = next(line for line in lines if "p.less" in line)
    assert "PROVED, erratum" in row
    row = next(line for line in lines if "p.product" in line)
    assert "Eq. (1)" in row
    only = run("list", path, "--only", "product").stdout
    assert "p.product" in only
    assert "p.rising" not in only


def test_a_folder_is_begun_once_and_stands(run, tmp_path):
    found = run("new", "ours_begun")
    assert found.exit_code == 0, found.output
    assert "ours_2026.largest-variance" in run("list", "ours_begun").stdout
    again = run("new", "ours_begun")
    assert again.exit_code == 2
    assert "ours_begun is not empty, and nothing in it was changed" in again.stderr
    assert "'our-derivations' is no name of a Python package" in run("new", "our-derivations").stderr
    assert "or begin one: grpo-symbolic new derivations" in run("list").stderr


def test_list_takes_verdicts_papers_and_words(run, folder):
    path = folder()
    run("report", path, *QUICK, "--accept")

    def listed(*arguments):
        found = run("list", path, *arguments, "--json")
        assert found.exit_code == 0, found.output
        return [row["id"] for row in json.loads(found.stdout)]

    everything = ["p.product", "p.less", "p.rising"]
    assert listed() == listed("--paper", "p") == listed("--verdict", "proved") == everything
    assert listed("--verdict", "erratum") == ["p.less"]
    assert listed("--verdict", "UNDECIDED") == []
    assert listed("--text", "eq. (1)") == ["p.product"]
    assert listed("--text", "eq. (2)", "--text", "than") == ["p.less"]
    assert listed("--text", "is strictly increasing") == ["p.rising"]
    assert listed("--only", "less", "--verdict", "erratum") == ["p.less"]
    assert "no claim fits --verdict 'UNDECIDED'" in run("list", path, "--verdict", "UNDECIDED").stdout
    for arguments, message in [
        (("--paper", "pp"), "no paper is called 'pp'; did you mean p?; there are p"),
        (("--verdict", "wrong"), "the ledgers say 'wrong' of no claim; what they say: "),
        (("--only", "produkt"), "nothing is called 'produkt'; did you mean product or p.product"),
    ]:
        found = run("list", path, *arguments)
        assert found.exit_code == 2
        assert message in found.stderr


@pytest.mark.slow
def test_a_list_fits_a_screen(library):
    for width, height in itertools.product((60, 80, 130), (12, 24, 40, 200)):
        for wanted in (Filter(), Filter(texts=("bounds",))):
            screen = Console(file=io.StringIO(), force_terminal=True, width=width, height=height, color_system=None)
            Listing(library, {}, {}, wanted).show(screen)
            lines = screen.file.getvalue().splitlines()
            assert sum(-(-len(line) // width) for line in lines) < height
            assert lines[0].split()[0] in ("id", "name")
            assert max(len(line) for line in lines[:-2]) <= width


def test_a_list_for_a_file_cuts_nothing_off(run, folder):
    path = folder(MODULE.replace("It is less than x", f"It is less than {'x ' * 200}end"))
    assert "x x end" in run("list", path).stdout


@pytest.mark.slow
def test_one_broken_module_does_not_hide_the_others(run, folder):
    path = folder()
    (path / "broken.py").write_text("x = 1\ny = 1 / 0\n")
    (path / "resting.py").write_text(f"from {path.name}.broken import x\n")
    (path / "false.py").write_text(MODULE.replace('"p.', '"p.other-').replace("x - x**2", "x - nothing"))
    found = run("list", path, "--json")
    assert found.exit_code == 2
    assert [row["id"] for row in json.loads(found.stdout)] == ["p.product", "p.less", "p.rising"]
    for text in ("ZeroDivisionError: division by zero\n", "broken.py:2\n  and with it ", "NameError", "false.py:8"):
        assert text in found.stderr
    assert run("show", "product", path).exit_code == 0
    strict = run("report", path, *QUICK)
    assert strict.exit_code == 2
    assert "broken.py:2" in strict.stderr
    assert "false.py:8" in strict.stderr


def test_what_rests_on_something_that_is_missing_is_left_out_and_named(folder):
    path = folder()
    resting = MODULE.replace('"p.', '"p.other-').replace("    yield product\n", "")
    (path / "other.py").write_text(resting)
    (path / "third.py").write_text(MODULE.replace('"p.', '"p.third-'))
    broken = []
    library = load(path, broken=broken)
    assert [result.slug for result in library.results] == ["small", "third"]
    (one,) = broken
    assert str(one).endswith(".other rests on p.other-product, which was left out")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "    yield product\n",
            "    return product\n    yield product\n",
            r"and returns one, which is lost: write yield",
        ),
        ('Result("A product", paper, build)', "Result('A product', paper, build())", "build without brackets"),
        ('Result("A product", paper, build)', "Result('A product', 'p', build)", "needs a paper, such as Paper"),
        ("    yield product\n", "    yield product.statement\n", "which is no claim: write yield claim"),
        ('    yield claim("p.rising', '    claim("p.rising', r"small.py:\d+: states a claim and does not yield it"),
        ('    yield claim("p.rising', '    last = claim("p.rising', "states the claim last and does not yield it"),
        ("    chain =", "    return claim('p.one', 'One', gt(x, 0))\n    chain =", "returns one, which is lost"),
    ],
)
def test_slips_with_yield_say_what_to_write(run, folder, before, after, message):
    found = run("report", folder(MODULE.replace(before, after)), *QUICK)
    assert found.exit_code == 2, found.output
    assert re.search(message, found.stderr), found.stderr
    assert "Traceback" not in found.output


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    return claim('p.one', 'One', gt(x, 0))\n", "returns a claim: write yield in the place of return"),
        ("    x = 1\n", "yields no claim: write yield claim"),
    ],
)
def test_a_function_that_yields_nothing_is_told_of(run, folder, body, message):
    text = MODULE[: MODULE.index("def build")] + f"def build():\n{body}result = Result('A product', paper, build)\n"
    found = run("list", folder(text))
    assert found.exit_code == 2
    assert f"build() of {next(iter(re.findall('derivations_[0-9a-f]+', found.stderr)))}.small {message}" in found.stderr


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Eq. (1)", "p.product"),
        ("1", "p.product"),
        ("(1)", "p.product"),
        ("equation 2", "p.less"),
        ("eq. (2)", "p.less"),
        ("1.3", "p.rising"),
        ("p.rising", "p.rising"),
        ("product.step-1", "p.product.step-1"),
    ],
)
def test_a_claim_is_found_by_what_a_reader_calls_it(folder, name, id):
    assert one_claim(load(folder()), name) == id


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("produkt", "no claim is called 'produkt'; did you mean product?; `grpo-symbolic list` shows all"),
        ("p.risng", "did you mean p.rising?"),
        ("99", "no claim is called '99'; `grpo-symbolic list`"),
        ("9.9", "no claim is called '9.9'; `grpo-symbolic list`"),
        (
            "Section 7",
            "'Section 7' may be one of these; write its id:\n  p.product: The product [x]\n  p.rising: Rising",
        ),
    ],
)
def test_what_was_meant_is_proposed(folder, name, message):
    text = MODULE.replace("given=[gt(beta, x)]", "given=[gt(beta, x)], equation='Section 7, last line'")
    text = text.replace('"Eq. (1)"', '"Section 7, first line"')
    with pytest.raises(LibraryError, match=re.escape(message)):
        one_claim(load(folder(text)), name)


@pytest.mark.slow
def test_show_tells_everything_about_one_claim(run, folder):
    path = folder()
    shown = run("show", "product", path).stdout
    for text in ("x·(1 - x) = x - x²", "definition of the product", "PROVED: expand the bracket", "numeric"):
        assert text in shown
    shown = run("show", "p.less", path).stdout
    for text in (
        "x·(1 - x) < x",
        "p.product: PROVED",
        "Printed at Eq. (2): erratum (REFUTED)",
        "notation",
        "write a minus",
    ):
        assert text in shown
    assert "fails at x = " in shown
    shown = run("show", "rising", path).stdout
    for text in ("is strictly increasing in x", "beta > x", "beta in (0, oo): a weight"):
        assert text in shown


TRUSTED = r'''
"""What rests on what."""
from grpo_symbolic import Paper, Result, claim, define, exp, gt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, oo)", "a number")
y = real("y", "(0, oo)", "another one")
double = define("double", (x,), 2 * x)
unused = define("unused", (x,), 3 * x)
def build():
    assumed = claim("p.assumed", "Larger", gt(y, double(x)), assumed=True)
    yield assumed
    lemma = claim("p.lemma", "Positive", gt(unused(x), 0))
    yield lemma
    yield claim("p.top", "Top", gt(exp(y), exp(x)), using=[assumed, lemma])
result = Result("Trust", paper, build)
'''


@pytest.mark.slow
def test_trust_tells_what_to_read_and_what_to_believe_of_a_claim(run, folder):
    path = folder(TRUSTED)
    found = run("trust", "top", path)
    assert found.exit_code == 0, found.output
    shown = found.stdout
    for text in (
        "p.top: PROVED",
        "exp(y) > exp(x)",
        "double(x) := 2·x",
        "p.assumed: Larger",
        "p.lemma: PROVED",
        "both solvers",
    ):
        assert text in shown
    assert "unused(x) :=" not in shown  # the lemma is checked, so nobody has to read its definitions
    claim = json.loads(run("trust", "top", path, "--json").stdout)["claim"]
    assert [item["id"] for item in claim["assumptions"]] == ["p.assumed"]
    assert [item["id"] for item in claim["lemmas"]] == ["p.lemma"]
    assert claim["definitions"] == ["double(x) := 2·x"]
    assert claim["solvers"] == {"both solvers": 1}
    assert "real arithmetic by solvers" in claim["principles"]


def test_trust_lists_files_libraries_principles_and_assumptions(run):
    data = json.loads(run("trust", "--json").stdout)
    assert data["lines"] == sum(file["lines"] for file in data["files"])
    assert data["root"] == "grpo_symbolic.judging.claims"
    for file in data["files"]:
        assert (ROOT / file["path"]).read_text().count("\n") == file["lines"]
    text = run("trust").stdout
    for part in ("claims.py", f"{data['lines']:,} lines", "python-flint", "mean value theorem", "No assumptions"):
        assert part in text
    assert not set("$\\") & set(text), "LaTeX in the terminal"


def test_show_judges_only_what_is_needed(run, folder, monkeypatch):
    judged = []
    original = judging.judge_claim

    def record(claim, *rest):
        judged.append(claim.id)
        return original(claim, *rest)

    original_assess = assessing.assess
    monkeypatch.setattr(judging, "judge_claim", record)
    monkeypatch.setattr(assessing, "assess", lambda *a, **k: original_assess(*a, **{**k, "jobs": 1}))
    assert run("show", "less", folder()).exit_code == 0
    assert sorted(judged) == ["p.less", "p.product", "p.product.step-1"]


def python(*arguments, **options):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


HEAVY = ("sympy", "mpmath", "matplotlib", "flint", "z3", "cvc5", "rich", "jinja2")


def test_the_version_is_that_of_the_package():
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"grpo-symbolic {version('grpo-symbolic')}\n")


def test_help_imports_no_computer_algebra(tmp_path):
    code = f"import sys, grpo_symbolic.cli; print([name for name in {HEAVY} if name in sys.modules])"
    assert python("-c", code, cwd=ROOT).stdout.strip() == "[]"
    code = (
        "import sys; from grpo_symbolic.cli import main\n"
        "try: main(['report', '--help'])\n"
        f"except SystemExit: print([name for name in {HEAVY} if name in sys.modules])"
    )
    shown = python("-c", code, cwd=ROOT).stdout
    assert shown.splitlines()[-1] == "[]"
    assert "grpo-symbolic report --only" in shown


@pytest.mark.slow
def test_build_report_finds_the_derivations_beside_it_from_anywhere(folder, tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    shutil.copy(ROOT / "build_report.py", home)
    shutil.copytree(folder(), home / "derivations")
    script = home / "build_report.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    shown = python(script, "--help", cwd=elsewhere, env=environment)
    assert shown.returncode == 0
    assert "--accept" in shown.stdout
    unknown = python(script, "--only", "nonsense", cwd=elsewhere, env=environment)
    assert unknown.returncode == 2
    assert "nothing is called 'nonsense'" in unknown.stderr
    made = python(script, *QUICK, "--out", "there", cwd=elsewhere, env=environment)
    assert made.returncode == 0, made.stderr
    assert (elsewhere / "there" / "appendix.tex").is_file()


SLOW = """
from grpo_symbolic import Paper, Result, claim, cosh, exp, gt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    terms = [cosh(exp(k * x)) for k in range(2, 40)]
    yield claim("p.slow", "Slow at many digits", gt(sum(terms, cosh(exp(x))), x))
    yield claim("p.slower", "As slow", gt(sum(terms, cosh(exp(x) + x)), x))
result = Result("Slow", paper, build)
"""


@pytest.mark.slow
def test_a_claim_that_takes_too_long_is_left_open_and_told(run, folder):
    done = run(
        "report", folder(SLOW), "--no-pdf", "--digits", "10000", "--points", "100000", "--timeout", "1", "--jobs", "2"
    )
    assert done.exit_code == 0  # without a ledger only a refutation counts
    assert "Slow" in done.stdout
    data = json.loads(Path("build/results.json").read_text())
    assert {claim["verdict"] for claim in data["claims"]} == {"UNDECIDED"}
    for claim in data["claims"]:
        assert claim["evidence"][0]["note"].startswith("stopped after 1 s")


@needs_proc
@patiently
@pytest.mark.parametrize(
    ("name", "whole"),
    [
        pytest.param("SIGINT", True, id="SIGINT-group"),
        pytest.param("SIGINT", False, id="SIGINT-parent", marks=pytest.mark.slow),
        pytest.param("SIGTERM", True, id="SIGTERM-group", marks=pytest.mark.slow),
        pytest.param("SIGTERM", False, id="SIGTERM-parent", marks=pytest.mark.slow),
        pytest.param("SIGKILL", True, id="SIGKILL-group", marks=pytest.mark.slow),
        pytest.param("SIGKILL", False, id="SIGKILL-parent", marks=pytest.mark.slow),
    ],
)
def test_whatever_ends_a_report_ends_the_workers_and_leaves_the_old_one(folder, tmp_path, name, whole):
    path = folder(SLOW)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "appendix.tex").write_text("old")
    code = "from grpo_symbolic.cli import main\nif __name__ == '__main__': main()"
    (tmp_path / "run.py").write_text(code)
    command = [sys.executable, "run.py", "report", path, "--digits", "10000", "--points", "100000", "--jobs", "2"]
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: mark}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts,
    )  # fmt: skip
    with killing(mark):
        eventually(lambda: len(workers_of(mark)) == 3 or process.poll() is not None, "two workers")
        number = signal.Signals[name]
        # A terminal sends it to the whole group, and the workers may be starting yet.
        os.killpg(process.pid, number) if whole else os.kill(process.pid, number)
        _, errors = process.communicate()
        if name == "SIGINT":
            assert process.returncode == 130
            assert errors.strip() == "interrupted; what was written before is whole"
        else:
            assert process.returncode == -number
    nothing_left(mark)
    assert snapshot(tmp_path / "build") == {Path("appendix.tex"): b"old"}


x = real("x", "(0, 1)", "a probability")
b = real("beta", "(0, oo)", "a weight")
t = real("t", "(0, 1)", "a share", indexed=True, latex="t({index})")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (x + b - (x - b), "x + beta - (x - beta)"),
        (x + (x + b), "x + x + beta"),
        (2 * (x + b) * x, "2·(x + beta)·x"),
        (x / (b * x), "x/(beta·x)"),
        (x * (x / b), "x·(x/beta)"),
        (x / b / x, "x/beta/x"),
        (x / (x / b), "x/(x/beta)"),
        (-x * b, "(-x)·beta"),
        (-(x * b), "-x·beta"),
        (-(x + b), "-(x + beta)"),
        (x - -b, "x - (-beta)"),
        (x + Number(rational(-1, 2).value), "x + (-1/2)"),
        (rational(1, 2) * x, "1/2·x"),
        (x / rational(1, 2), "x/(1/2)"),
        (x**2 * b**-1, "x²·beta⁻¹"),
        ((x + b) ** 12, "(x + beta)¹²"),
        ((x**2) ** 2, "(x²)²"),
        ((-x) ** 2, "(-x)²"),
        (x ** rational(1, 2), "x^(1/2)"),
        (sqrt(x), "√x"),
        (sqrt(1 - x**2) / (2 * b), "√(1 - x²)/(2·beta)"),
        (maximum(absolute(x - b), cosh(x)), "max(|x - beta|, cosh(x))"),
        (Derivative(x**2, x) + 1, "∂/∂x [x²] + 1"),
        (Substitution(x**2, x, b) * 2, "[x² at x = beta]·2"),
        (1 - Total(t * x), "1 - Σ(t·x)"),
    ],
)
def test_expressions_are_written_with_few_parentheses(expression, text):
    assert expression_text(expression) == text


PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
ARITHMETIC = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv}
LEAVES = st.one_of(
    st.sampled_from([x, b]),
    st.fractions(min_value=-3, max_value=3, max_denominator=4).map(Number),
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(sorted(ARITHMETIC)), inner, inner).map(lambda made: Apply(made[0], made[1:])),
        inner.map(lambda made: -made),
        st.tuples(inner, st.sampled_from([-2, -1, 0, 1, 2, 3])).map(lambda made: made[0] ** made[1]),
    ),
    max_leaves=8,
)
POINT = {"x": Fraction(2, 7), "beta": Fraction(5, 3)}


def value_of(expression: Expression) -> Fraction:
    match expression:
        case Number(value):
            return value
        case Symbol(name):
            return POINT[name]
        case Apply("negate", (only,)):
            return -value_of(only)
        case Apply("power", (base, Number(exponent))):
            return value_of(base) ** int(exponent)
        case Apply(name, (left, right)):
            return ARITHMETIC[name](value_of(left), value_of(right))
    raise AssertionError(expression)


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(expression=EXPRESSIONS)
def test_what_is_written_means_what_was_typed(expression):
    """The oracle is Python's own reading of the text, with ``·`` and superscripts spelled out."""
    text = expression_text(expression)
    text = re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: "**" + found[0].translate(PLAIN), text).replace("·", "*")
    text = re.sub(r"(?<!\*\*)(?<!\*\*-)\b\d+", r"Fraction(\g<0>)", text)
    try:
        expected = value_of(expression)
    except ZeroDivisionError:
        reject()
    assert eval(text, {"Fraction": Fraction, **POINT}) == expected


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (ne(x, 0), "x ≠ 0"),
        (both(ge(x, 0), either(le(x, 1), gt(x, 2))), "x ≥ 0 and (x ≤ 1 or x > 2)"),
        (iff(both(gt(x, 0), gt(b, 0)), gt(x * b, 0)), "x > 0 and beta > 0 ⇔ x·beta > 0"),
        (implies(implies(gt(x, 0), gt(b, 0)), gt(x, b)), "(x > 0 ⇒ beta > 0) ⇒ x > beta"),
        (increasing(x + b, x), "x + beta is strictly increasing in x"),
        (UniqueRoot(x, eq(2 * x, 1), rational(1, 2)), "x = 1/2 is the only x in (0, 1) with 2·x = 1"),
        (
            UniqueZero(2 * x - 1, x, rational(1, 4), rational(3, 4), True),
            "2·x - 1 has exactly one zero x in (0, 1): between 1/4 and 3/4",
        ),
        (
            Zeros(x - b, x, ((rational(1, 4), rational(1, 3)), (rational(1, 2), rational(3, 4))), True),
            "x - beta has exactly 2 zeros x in (0, 1): between 1/4 and 1/3, between 1/2 and 3/4",
        ),
        (Extremum(x * (1 - x), x, rational(1, 2), False), "x·(1 - x) has its only maximum at x = 1/2"),
        (tends_to(x * b, 0, x, to=0, side="+", constant=b), "x·beta → 0 as x ↓ 0, off by at most beta·(x - 0)"),
        (tends_to(b, None, b, to=None, side="oo", constant=1), "beta → ∞ as beta → ∞, at least 1/(1/beta)"),
        (instance(gt(x, 0), {x: rational(1, 2)}), "x > 0 at x = 1/2"),
        (
            Summed(eq(t, x * t), t, eq(x, 1), rational(2)),
            "t = x·t for every element ⇒ x = 1 (multiply by t, sum, divide by 2)",
        ),
        (never(both(gt(x, 2), lt(x, b))), "impossible: x > 2 and x < beta"),
        (TermOfTotal(t), "t ≥ 0 for every element ⇒ t ≤ Σ(t)"),
    ],
)
def test_statements_are_written_as_a_reader_would(statement, text):
    assert statement_text(statement) == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--only", "a", "b"], "b is not a folder of derivations (it has no __init__.py)"),
        (["list", "--only", "a", "b"], "if it is a name as well, write --only a --only b"),
        (["report", "--only", "a", "--only", "b", "c"], "write --only a --only b --only c"),
        (["list", ".", "--only", "a", "b"], "b: not expected here; --only takes one name each time"),
        (["check", "p.tex", "--only", "a", "b"], "one name each time: --only a --only NAME"),
        (["check", "--only", "a", "b", "p.tex"], "p.tex: not expected here; --only takes one name each time"),
    ],
)
def test_several_names_behind_one_only_are_explained(run, arguments, message):
    found = run(*arguments)
    assert found.exit_code == 2
    assert message in " ".join(found.output.split())


@pytest.mark.parametrize("arguments", [["list", ".", "b"], ["check", "p.tex", "b"]])
def test_what_is_left_over_is_named(run, arguments):
    found = run(*arguments)
    assert found.exit_code == 2
    assert "b: not expected here" in found.output
    assert "--only" not in found.output


@pytest.mark.slow
def test_the_package_runs_as_a_module(tmp_path):
    shown = python("-m", "grpo_symbolic", "--help", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert shown.returncode == 0
    assert "Usage: grpo-symbolic " in shown.stdout
    unknown = python("-m", "grpo_symbolic", "show", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert unknown.returncode == 2
    assert "Usage: grpo-symbolic show" in unknown.stderr
