"""Printed = checked: formulas of the pages are read back, and a corrupted one fails the build."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from judging_here import judgement
from test_cli import QUICK
from test_results import SCHEMA
from typer.testing import CliRunner

import grpo_symbolic
from grpo_symbolic import (
    Derivative,
    Substitution,
    Total,
    both,
    define,
    either,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    le,
    log,
    lt,
    maximum,
    ne,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app
from grpo_symbolic.errors import ReportError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.language.vocabulary import gamma
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.readback.same import compare
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report import lines
from grpo_symbolic.report.links import label
from grpo_symbolic.report.readback import read_report_back
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.tex import environment
from grpo_symbolic.report.view import report_view
from grpo_symbolic.translate.latex import expression_latex, phrase_latex, sentence

x = real("x", "(0, 1)", "a probability", latex=r"\pi_\theta(a \mid q)")
y = real("y", "(0, oo)", "a number")
prime = real("y_dash", "(0, oo)", "another number", latex="y'")
OUTPUTS = IndexSet("output", "outputs", "o")
pi = real("pi", "(0, 1)", "a probability", latex=r"\pi({index} \mid q)", indexed=OUTPUTS)
weight = real("w", "(0, oo)", "a weight", latex="w_{index}", indexed=OUTPUTS)
h = define("h", (y,), log(y) / (1 + y), latex=r"h_{\varepsilon}")
mass = define("mass", (), Total(pi * weight), latex=r"\bar w")

EXPRESSIONS = {
    "sum": x - (y + 2) - (-prime),
    "product": -rational(1, 2) * (y + 1) * x / (2 * y),
    "powers": (y + x) ** 2 - sqrt(y) ** 3 + y ** rational(3, 2) - exp(-x / y) + exp((1 - x) / (x * (1 + y))),
    "functions": log(x / (1 - x)) * gamma(y) + maximum(x, 1 - x) - h(x + y) ** 2,
    "nested sums": Total(pi * (weight - Total(pi * weight))) / Total(weight) - weight,
    "named": mass() * pi - Total(pi * log(pi)) * 2,
    "slope": Derivative(pi * log(pi / weight), pi) + Derivative(h(y), y),
    "there": 1 - Substitution(Derivative(x**2 * y, x), x, 1 / y) * y,
    "instead": Substitution(Total(pi * weight), weight, pi) - 1,
    "integral": Binder("integral", exp(-y * x), y, rational(0), None) - x,
}
STATEMENTS = {
    "equation": eq(x, y),
    "between": both(gt(x, 0), lt(x, y), ne(y, 1)),
    "list": either(le(x, 0), ge(x, y), eq(y, 1)),
    "implication": implies(both(lt(0, y), le(y, x)), either(eq(x, y), lt(y, x))),
    "equivalence": iff(eq(h(y), 0), both(implies(gt(x, 0), eq(y, 1)), eq(y, 1))),
}
TEMPLATES = Path(grpo_symbolic.__file__).parent / "report" / "templates"
PAGES = re.compile(
    r"(?<![\\A-Za-z])[-+]|(?<=\^\{)\d|[<>]|\\leq|\\geq|\\log|\\beta|(?<![\w\\{])\d(?!\d)|(?<=[ (])[xp](?=[ )])"
)
MUTATIONS = {"-": "+", "+": "-", "<": ">", ">": "<", r"\leq": r"\geq", r"\geq": r"\leq", r"\log": "2", r"\beta": "3"}


@pytest.mark.parametrize("subject", [*EXPRESSIONS.values(), *STATEMENTS.values()], ids=[*EXPRESSIONS, *STATEMENTS])
def test_what_we_print_is_read_back_on_one_line_and_on_many(subject):
    for limit in (10_000, 30, 8):
        text = lines._aligned(lines.broken(subject, limit))
        outcome = read_back(text, subject)
        assert outcome.status == "agrees", (text, outcome)


@pytest.mark.parametrize(
    ("latex", "subject"),
    [
        (r"\pi_\theta(a \mid q) < y", gt(x, y)),
        (r"y + y'", y - prime),
        (r"y' - y", y - prime),
        (r"y^{3}", y**2),
        (r"\sum_{o'} \pi(o' \mid q) w_o", Total(pi * weight)),
        (r"\sum_{o'} \pi(o' \mid q) + w_{o'}", Total(pi + weight)),
        (r"\frac{\partial}{\partial y}[y + 2]", Derivative(y + 1, y)),
        (r"\left[y\right]_{y = 3}", Substitution(y, y, rational(2))),
        (r"y = 1 \implies y' = 1", iff(eq(y, 1), eq(prime, 1))),
        (r"y = 1 \text{ or } y' = 1", both(eq(y, 1), eq(prime, 1))),
        (r"y = 1,\ y' = 1 \text{ and } y = 2", both(eq(y, 1), eq(prime, 1))),
        (r"(y + 1", y + 1),
    ],
)
def test_something_else_differs_or_is_refused(latex, subject):
    assert read_back(latex, subject).status != "agrees"


def test_values_settle_what_the_form_does_not():
    assert compare((y + 1) ** 2, y**2 + 2 * y + 1).how == "values"
    assert compare((y + 1) ** 2, y**2 + 2 * y).agree is False
    assert compare(log(-y), log(-2 * y) - log(rational(2))).agree is None


def test_two_symbols_printed_alike_are_told():
    other = real("z", "(0, oo)", "a number", latex="y")
    outcome = read_back("y < y", lt(y, other))
    assert (outcome.status, outcome.reason) == ("not read", "two entries of the map stand here: y or y?")


def appendix(view):
    return environment(TEMPLATES).get_template("appendix.tex").render(view=view)


@pytest.fixture(scope="module")
def pages(library):
    """The report on the library as if everything had been decided, which costs no checks."""

    judged = {}
    for made, since in library.ordered:
        wrong = made.printed is not None and made.printed.expected_to_fail
        printed = None if made.printed is None else judgement(Verdict.REFUTED if wrong else Verdict.DECIDED)
        judged[made.id] = Judged(made, since, judgement(Verdict.DECIDED), printed, Verdict.DECIDED)
    return report_view(
        SimpleNamespace(
            library=library,
            settings=Settings(),
            judged=judged,
            seconds=1.0,
            quotes=quotes_of(library, judged),
            kept=frozenset(),
            whys={},
        )
    )


@pytest.mark.slow
def test_every_formula_of_the_report_is_read_back_or_listed(pages, library):
    excepted = listed(library, library.claims)
    found = read_report_back(pages, Shown(library).claims, appendix(pages), excepted)
    assert found.relations == found.agree + len(found.not_read) > 2000
    assert {item.id for item in found.not_read} == set(excepted)
    assert len(found.not_read) <= 0.005 * found.relations


def subjects(library):
    for made in library.claims.values():
        for statement in (made.statement, *made.given):
            for part in sentence(statement):
                if isinstance(part, Statement | Expression):
                    yield part


@pytest.mark.slow
def test_a_changed_sign_number_or_symbol_is_noticed(library):
    draw = random.Random(8)
    parts = list(dict.fromkeys(subjects(library)))
    outcomes: Counter[str] = Counter()
    for subject in draw.sample(parts, 1_200):
        text = str(phrase_latex(subject))
        places = list(PAGES.finditer(text))
        if not places:
            continue
        place = draw.choice(places)
        old = place.group()
        new = MUTATIONS.get(old) or (str(int(old) + 1) if old.isdigit() else f"(2{old})")
        outcomes[read_back(text[: place.start()] + new + text[place.end() :], subject).status] += 1
    # What still agrees has the same values, such as x - 0 and x + 0, or exp(-95) times another number.
    assert outcomes.total() > 900
    assert outcomes["agrees"] <= 0.02 * outcomes.total()
    assert outcomes["differs"] > 0.75 * outcomes.total()


@pytest.mark.slow
def test_hypotheses_that_are_meant_at_every_output_say_so(pages):
    results = (result for chapter in pages.chapters for result in chapter.results)
    given = {item.label: item.given for result in results for item in result.claims}
    assert given[label("mroueh_2025.theorem-1.maximum")].count("for every output") == 1
    assert "for every" not in given[label("mroueh_2025.lemma-1.bound")]


@pytest.mark.slow
def test_one_corrupted_character_on_a_page_fails_the_build(pages, library):
    chapter = pages.chapters[0]
    result = next(item for item in chapter.results if any(shown.start for shown in item.claims))
    place, shown = next((number, item) for number, item in enumerate(result.claims) if item.steps)
    line = shown.steps[0]
    formula = line.formula
    position = next(number for number, letter in enumerate(formula) if letter == "-")
    wrong = replace(line, formula=type(formula)(f"{formula[:position]}+{formula[position + 1 :]}"))
    claims = (*result.claims[:place], replace(shown, steps=(wrong, *shown.steps[1:])), *result.claims[place + 1 :])
    corrupted = replace(pages, chapters=(replace(chapter, results=(replace(result, claims=claims),)),))
    with pytest.raises(ReportError, match=r"step 1: .*\n  printed: .*\n  read: .*\n  from: "):
        read_report_back(corrupted, Shown(library).claims, appendix(corrupted))
    page = appendix(replace(corrupted, chapters=(replace(chapter, results=(result,)),)))
    whole = replace(pages, chapters=(replace(chapter, results=(result,)),))
    assert read_report_back(whole, Shown(library).claims, page).agree > 1
    with pytest.raises(ReportError, match="the page does not show this formula"):
        read_report_back(
            whole, Shown(library).claims, page.replace(formula, f"{formula[:position]}{formula[position + 1 :]}")
        )


MODULE = '''
"""A product, written out."""
from grpo_symbolic import Paper, Result, claim, derive, real
x = real("x", "(0, 1)", "a probability")
def build():
    yield claim("p.product", "The product", derivation=derive(x * (1 - x), "definition").eq(x - x**2, "expand"))
product = Result("Product", Paper("p", "A. Author", "A title", "v1"), build)
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    package = tmp_path / f"derived_{tmp_path.name.replace('-', '_')}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "product.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


def test_the_command_counts_what_was_read_back(folder, tmp_path):
    run = CliRunner().invoke(app, ["report", str(folder), "--out", str(tmp_path / "out"), *QUICK])
    assert run.exit_code == 0, run.output
    assert "read back 2 of 2 printed formulas; each says what was checked" in run.output
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["read_back"] == {"relations": 2, "agree": 2, "sentences": 0, "not_read": []}


def test_the_command_fails_where_the_printer_loses_a_sign(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(
        lines,
        "expression_latex",
        lambda expression: type(expression_latex(x))(expression_latex(expression).replace("-", "+")),
    )
    run = CliRunner().invoke(app, ["report", str(folder), "--out", str(tmp_path / "out"), *QUICK])
    assert run.exit_code == 1
    assert "p.product, start: other values at x = " in run.output
    assert "printed: x(1 + x)\n  read: (x * (1 + x))\n  from: x(1 - x)" in run.output
    assert not (tmp_path / "out" / "appendix.tex").exists()
