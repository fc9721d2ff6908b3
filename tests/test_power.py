"""`check --power`: errors of every kind are planted where formulas hold, and counted as what they turn out to be."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from misprints_measure import fails as fails_for_the_oracle
from referee_here import QUICK, in_this_process
from typer.testing import CliRunner

import grpo_symbolic
from grpo_symbolic.cli import app
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.statement import Equivalent, Implies, eq, gt, le, lt
from grpo_symbolic.language.vocabulary import exp, rational, real, sqrt
from grpo_symbolic.processes.tasks import Ended
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.referee import power
from grpo_symbolic.referee.falsity import false_somewhere
from grpo_symbolic.referee.findings import Span, Status
from grpo_symbolic.referee.papers import open_paper
from grpo_symbolic.referee.planting import KINDS, slips
from grpo_symbolic.referee.power import Fate, power_of
from grpo_symbolic.referee.power_words import as_json, remarks, summary
from grpo_symbolic.referee.questions import Asker
from grpo_symbolic.referee.sites import Site, sample

__all__ = ["in_this_process"]

MAP = """[symbols]
x = "(0, 1)"
y = "(0, 1)"
[[claim]]
quote = '(x - y)^2'
kind = "identity"
"""
PAPER = r"""\begin{document}
\begin{align}
  (x - y)^2 &= x^2 - 2 x y + y^2 \\
            &\ge 0
\end{align}
\[ x = x \sqrt{1} = \sqrt{x^2} \]
\[ q = q \]
\end{document}
"""
SCHEMA = json.loads((Path(grpo_symbolic.__file__).parent / "referee" / "power.schema.json").read_text())


@contextmanager
def worked_here(work, tasks, *, jobs, limits):
    yield (Ended(key, work(task, print)) for key, task in tasks.items())


@pytest.fixture(autouse=True)
def evaluated_here(monkeypatch):
    monkeypatch.setattr(power, "working", worked_here)


def written(folder, paper=PAPER, said=MAP):
    path = folder / "p.tex"
    path.write_text(paper)
    if said is not None:
        (folder / "p.notation.toml").write_text(said)
    return path


@pytest.fixture(scope="module")
def measured(tmp_path_factory, in_this_process):
    path = written(tmp_path_factory.mktemp("paper"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(power, "working", worked_here)
        yield path, power_of(path, QUICK, count=22, seed=3)


# What is planted.


@pytest.mark.parametrize(
    ("kind", "formula", "slip"),
    [
        ("sign", r"a - \frac{b}{c}", r"a + \frac{b}{c}"),
        ("sign", "e^{-x}", "e^{x}"),
        ("factor", "2 x + 1", "4 x + 1"),
        ("factor", "a b", " b"),
        ("factor", "1 + x", "1 + 2x"),
        ("lost term", r"a^2 + 2 a b", "a^2 "),
        ("lost term", r"a + \sqrt{b}", r" \sqrt{b}"),
        ("index", "x_i + 1", "x_{i+1} + 1"),
        ("index", r"\sum_{k=1}^{n} k", r"\sum_{k=0}^{n} k"),
        ("index", r"p_{n-1}", r"p_{n}"),
        ("exponent", "x^2 y", "x^{3} y"),
        ("exponent", "x^2 y", "x y"),
        ("swapped", r"\frac{a}{b}", r"\frac{b}{a}"),
        ("swapped", "f(a, b)", "f(b, a)"),
        ("swapped", r"D(p \| q)", r"D(q \| p)"),
        ("lost root", r"\frac{a}{\sqrt{b + c}}", r"\frac{a}{\left(b + c\right)}"),
        ("variance", r"\frac{s}{n-1}", r"\frac{s}{n}"),
        ("variance", r"\frac{1}{G} s", r"\frac{1}{{G-1}} s"),
        ("bracket", r"\left(1 - p\right)^2", "1 - p^2"),
        ("bracket", "(a + b) c", "(a + b c)"),
        ("limit", r"\lim_{x \to 0^+} x", r"\lim_{x \to 0^-} x"),
        ("limit", r"\int_{a}^{b} x \, dx", r"\int_{b}^{a} x \, dx"),
    ],
)
def test_a_kind_is_planted(kind, formula, slip):
    found = {
        (one.kind, formula[: one.start] + one.new + formula[one.end :]) for one in slips(parse_tree(formula), formula)
    }
    assert (kind, slip) in found
    assert all(parse_tree(text) for _, text in found)


def test_every_kind_but_that_of_the_relation_has_a_formula():
    marks = test_a_kind_is_planted.pytestmark[0].args[1]
    assert {kind for kind, _, _ in marks} == set(KINDS) - {"relation"}


@pytest.mark.slow
def test_a_seed_draws_the_same_and_another_one_others(measured):
    path, _ = measured
    sites = {"sign": [replace(_site(path), new=str(number)) for number in range(50)]}
    assert sample(sites, 5, 1) == sample(sites, 5, 1) != sample(sites, 5, 2)
    assert len(sample(sites, 80, 1)) == 50
    assert power_of(path, QUICK, count=3, seed=5) == power_of(path, QUICK, count=3, seed=5)


def _site(path):
    return Site("sign", open_paper(path).displays[0].place, "", ())


# What becomes of it.


@pytest.mark.slow
def test_errors_are_caught_and_repaired_and_what_stays_true_is_none(measured):
    _, found = measured
    assert found.standing == 5
    assert {one.kind for one in found.planted} >= {"sign", "factor", "lost term", "exponent", "lost root", "relation"}
    errors = [one for one in found.planted if one.error]
    assert len(errors) >= 12
    assert {one.fate for one in errors} == {Fate.CAUGHT}
    assert {one.status for one in errors} <= {Status.REFUTED, Status.NOT_AN_IDENTITY}
    assert sum(one.restored for one in errors) >= len(errors) / 2
    assert all(one.repair is not None for one in errors if one.restored)
    harmless = [one for one in found.planted if one.false is False]
    assert harmless
    assert all(one.fate in (Fate.MISSED, Fate.OPEN) for one in harmless)


@pytest.mark.slow
def test_an_independent_evaluator_agrees_on_what_is_really_false(measured):
    path, found = measured
    compared = 0
    for one in found.planted:
        statements = _statements_with(path, one)
        if statements and one.false is not None:
            truth = fails_for_the_oracle(statements)
            compared += truth is not None
            assert truth in (one.false, None), one
    assert compared >= 12


def _statements_with(path, planted):
    """What the steps say that hold the error, asked of the changed paper without anything of the measurement."""
    source = open_paper(path).paper.source
    place = planted.place
    start, end = source.offset(place.line, place.column), source.offset(place.end_line, place.end_column)
    assert source.text[start:end] == planted.old
    copy = open_paper(path, texts={source.name: source.text[:start] + planted.new + source.text[end:]})
    asker = Asker(copy.displays, copy.interpretation.outcomes, copy.notation)
    return [
        statement
        for one in copy.interpretation.outcomes
        if one.read is not None and one.step.place.start <= start <= one.step.place.end + len(planted.new)
        for statement in asker.question(one).statements
    ]


def test_the_one_line_counts_what_was_caught_of_what_was_false(measured):
    _, found = measured
    errors = sum(one.error for one in found.planted)
    assert summary(found).endswith(
        f"of {errors} planted errors that made a true step false, {errors} would have been caught"
    )
    assert any("no error: what is true stays true" in said for said in remarks(found))
    missed = replace(found.planted[0], fate=Fate.MISSED, status=Status.DECIDED, false=True)
    worse = replace(found, planted=(missed, *found.planted[1:]))
    assert [said for said in remarks(worse) if said.startswith("not caught: ")]


def test_the_data_follow_their_schema(measured):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    data = json.loads(as_json(measured[1]))
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert data["summary"]["planted"] == len(data["planted"]) == sum(one["planted"] for one in data["kinds"].values())
    assert data["standing"] == 5


@pytest.mark.usefixtures("in_this_process")
def test_what_a_map_quotes_may_be_what_is_changed(tmp_path):
    said = MAP.replace("(x - y)^2", "x y = y x")
    found = power_of(written(tmp_path, r"\[ x y = y x \]", said), QUICK, count=30, seed=1)
    assert {one.status for one in found.planted if one.error} == {Status.REFUTED}


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("said", [MAP, None])
@pytest.mark.parametrize("paper", ["nothing", r"\[ q = 2 \]", r"\[ x = x + 1 \]", r"\[ x^2^2 = x \]"])
def test_where_nothing_holds_that_is_said(tmp_path, paper, said):
    found = power_of(written(tmp_path, paper, said), QUICK, count=5, seed=1)
    assert found.planted == ()
    assert "no step is asserted and holds" in summary(found)


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_it_works_without_a_map(tmp_path):
    found = power_of(written(tmp_path, r"\[ (a + b)^2 = a^2 + 2 a b + b^2 \]", None), QUICK, count=8, seed=1)
    assert found.proposed
    assert {one.status for one in found.planted if one.error} == {Status.NOT_AN_IDENTITY}
    assert any("no notation was declared" in said for said in remarks(found))


# Whether something is really false.

x = real("x", "(0, 1)", "a probability")
y = real("y", "(-oo, oo)", "a number")
n = real("n", "(0, oo)", "a whole number")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (eq(x * (1 - x), x - x**2), False),
        (eq(x * (1 + x), x - x**2), True),
        (le(x * (1 - x), rational(1, 4)), False),
        (lt(x * (1 - x), rational(1, 5)), True),
        (Implies(gt(x, rational(1, 2)), gt(exp(x), rational(8, 5))), False),
        (Implies(gt(x, rational(1, 2)), gt(exp(x), rational(9, 5))), True),
        (Equivalent(eq(2 * y, 4), eq(y, 2)), False),
        (Equivalent(eq(2 * y, 4), eq(y, 3)), True),
        (Equivalent(eq(y**2, 4), eq(y, 2)), True),
        (eq(Binder("integral", y * x, y, rational(0), rational(1)), x / 2), False),
        (eq(Binder("integral", y * x, y, rational(0), rational(1)), x / 3), True),
        (eq(Binder("sum", y, y, rational(1), n), n * (n + 1) / 2), False),
        (eq(Binder("sum", y, y, rational(1), n), n * (n - 1) / 2), True),
        (eq(sqrt(-1 - x), 0), None),
    ],
    ids=str,
)
def test_evaluation_alone_tells_what_is_false(statement, expected):
    assert false_somewhere((statement,)) is expected


# The command.


def run(*arguments: object):
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


@pytest.mark.usefixtures("in_this_process")
def test_the_command_prints_a_table_or_data_and_ends_with_0(tmp_path):
    path = written(tmp_path, r"\[ x + x = 2 x \]", MAP.replace("(x - y)^2", "x + x"))
    shown = run(path, "--power", "--count", 4, "--seed", 1)
    assert shown.exit_code == 0
    assert re.search(r"all\W+4 ", shown.output)
    assert re.search(r"of \d planted errors? that made a true step false, \d would have been caught", shown.output)
    data = json.loads(run(path, "--power", "--count", 4, "--seed", 1, "--json").stdout)
    assert data["seed"] == 1
    assert len(data["planted"]) == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--count", 3], "add --power"),
        (["--power", "--fix"], "--power only measures"),
        (["--power", "--format", "sarif"], "--power only measures"),
        (["--power", "--count", 0], "greater than or equal to 1"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path, options, said):
    found = run(written(tmp_path), *options)
    assert found.exit_code == 2
    assert said in found.output


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_example_is_measured_in_processes_of_its_own(monkeypatch):
    monkeypatch.undo()
    found = power_of(Path(__file__).parent.parent / "docs" / "example" / "variance.tex", QUICK, seed=1)
    errors = [one for one in found.planted if one.error]
    assert len(errors) >= 20
    assert {one.fate for one in errors} == {Fate.CAUGHT}
    assert sum(one.restored for one in errors) >= 0.5 * len(errors)
    assert all(isinstance(one.place, Span) for one in found.planted)
