"""What makes the pages short and quick to read: names for long formulas, contents, lists by number, rounded numbers."""

from __future__ import annotations

import random
import re
import sys
import uuid
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest
from rich.console import Console
from test_report import assessment, paper, report_of, written_text

from grpo_symbolic import (
    Claim,
    Derivative,
    Result,
    Substitution,
    Total,
    claim,
    define,
    derive,
    eq,
    gt,
    instance,
    log,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.coverage.rows import Annotation, Coverage
from grpo_symbolic.coverage.score import Covered
from grpo_symbolic.derivation.about import numbers_named
from grpo_symbolic.derivation.library import load
from grpo_symbolic.judging.assess import Assessment, assess
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Definition
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement, expressions_of, symbols_of
from grpo_symbolic.report import compile
from grpo_symbolic.report.contents import contents
from grpo_symbolic.report.display import show_claim
from grpo_symbolic.report.glance import glance
from grpo_symbolic.report.lines import broken
from grpo_symbolic.report.lookup import numbers as numbers_of
from grpo_symbolic.report.numerals import numbers
from grpo_symbolic.report.render import render
from grpo_symbolic.report.shorthand import as_shown
from grpo_symbolic.report.view import report_view

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, 1)", "another probability")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")
OUTPUTS = IndexSet("output", "outputs", "o")
share = real("p", "(0, 1)", "probability of an output", latex="p({index})", indexed=OUTPUTS)
penalty = x * log(x / y) + (1 - x) * log((1 - x) / (1 - y))
objective = beta * x - penalty
root = (1 + sqrt(1 + 4 * beta * y)) / 2


def result_with(names: tuple[Definition, ...], *claims: Claim) -> Result:
    def made() -> tuple[Claim, ...]:
        return claims

    made.__module__ = f"{__name__}_names"
    sys.modules.setdefault(made.__module__, ModuleType(made.__module__, "Names."))
    return Result("Names", paper, made, shorthands=lambda: names)


NAMES = (
    define("D", (), penalty),
    define("J", (), objective),
    define("root", (beta, y), root, latex="x_2"),
    define("total", (), Total(share * log(share)), latex="H"),
)
CLAIMS = {
    "inside derivatives": claim("sample_2025.a", "A", eq(Substitution(Derivative(objective, x), x, y), beta)),
    "with arguments": claim("sample_2025.b", "B", gt((1 + sqrt(1 + 4 * (beta / 2) * (y * x))) / 2, root)),
    "in a derivation": claim("sample_2025.c", "C", derivation=derive(objective - penalty, "start").eq(x - x, "wrong")),
    "in hypotheses": claim("sample_2025.d", "D", gt(x, y), given=[gt(penalty, 0)]),
    "in an instance": claim(
        "sample_2025.e", "E", instance(gt(root, x), {x: rational(1, 2), y: rational(1, 3), beta: 1})
    ),
    "in sums": claim("sample_2025.f", "F", gt(Total(share) - Total(share * log(share)), 0)),
}


def statements(made: Claim) -> list[Statement]:
    return [*made.given, made.statement]


@pytest.mark.parametrize("kind", CLAIMS)
def test_shorthands_stand_for_what_was_judged(kind: str) -> None:
    made = CLAIMS[kind]
    (shown,) = as_shown(result_with(NAMES, made), [made])
    assert shown != made
    for named, judged in zip(statements(shown), statements(made), strict=True):
        assert symbols_of(named) == symbols_of(judged) or set(symbols_of(named)) == set(symbols_of(judged))
        for one, other in zip(expressions_of(named), expressions_of(judged), strict=True):
            assert unfold(one) == unfold(other)


def test_a_name_may_contain_an_earlier_one_and_both_are_defined_on_the_page(tmp_path) -> None:
    text = written_text(report_of(result_with(NAMES, CLAIMS["inside derivatives"])), tmp_path)
    assert r"\grpodefinition{" in text
    assert r"J \mathrel{:=} \beta x - D" in text
    assert r"D \mathrel{:=} x \log" in text
    assert r"\frac{\partial}{\partial x}[J]" in text
    assert r"x_2(\beta, y) \mathrel{:=}" not in text


def test_a_formula_that_only_resembles_a_name_stays() -> None:
    seeded = random.Random(3)
    for _ in range(20):
        factor = rational(seeded.randint(2, 9))
        made = claim("sample_2025.other", "Other", gt((1 + sqrt(1 + factor * beta * y + x)) / 2, penalty * factor - x))
        (shown,) = as_shown(result_with(NAMES[2:], made), [made])
        assert shown == made
    mixed = claim("sample_2025.mixed", "Mixed", gt(beta * y - penalty, 0))
    (shown,) = as_shown(result_with(NAMES[1:2], mixed), [mixed])
    assert shown == mixed


def test_a_result_without_shorthands_is_shown_as_it_is() -> None:
    made = CLAIMS["in sums"]
    assert as_shown(replace(result_with((), made), shorthands=None), [made]) == (made,)


def test_long_numerators_roots_and_factors_get_lines_of_their_own() -> None:
    long = sum((x**number * y ** (12 - number) * beta for number in range(2, 12)), start=x)
    for subject, opening in ((long / 2, r"\frac{\begin{aligned}"), (sqrt(long), r"\sqrt{\begin{aligned}")):
        (line,) = broken(subject, 36)
        assert line.startswith(opening)
    assert any(r"\left(\begin{aligned}" in line for line in broken(x * long, 36))
    taken = Substitution(Substitution(Derivative(long, x), x, y), y, beta)
    (line,) = broken(taken, 36)
    assert line.startswith(r"\left[\left.\frac{\partial}{\partial x}\left[\begin{aligned}")
    assert line.endswith(r"\right|_{x = y}\right]_{y = \beta}")


def test_the_contents_name_errata_and_what_is_not_decided() -> None:
    view = report_view(assessment())
    (row,) = view.contents
    assert row.size == "6+3"
    assert row.notes[0] == "1 erratum"
    assert {note.split()[1] for note in row.notes[1:]} == {
        r"\grpobadge{supported}",
        r"\grpobadge{undecided}",
        r"\grpobadge{refuted}",
    }
    assert list(contents((), (), {})) == []


def covered(*rows: tuple[str, str, str]) -> Covered:
    """The coverage of a paper: number, outcome and claim of each row."""
    entries = tuple(
        Annotation("1", number, "display", name, "", True, "says", "identity", (id,))
        for number, (name, _, id) in enumerate(rows, start=1)
    )
    outcomes = tuple(outcome for _, outcome, _ in rows)
    return Covered(Coverage(paper, "2025-01-01", entries), outcomes, (None,) * len(rows))


def test_numbers_are_listed_by_what_became_of_their_lines() -> None:
    rows = [(f"({number})", "DECIDED", "sample_2025.eq14") for number in (1, 2, 3, 5, 6, 14)]
    rows += [("(15)", "DECIDED", "sample_2025.bound"), ("(16)", "DECIDED", "sample_2025.bound")]
    rows += [("Theorem 2", "DECIDED", "sample_2025.eq14"), ("Theorem 2", "UNDECIDED", "sample_2025.bound")]
    rows += [("Lemma 3", "PROVED", "sample_2025.small-beta"), ("(GRPO)", "DECIDED", "sample_2025.eq14")]
    found = glance(covered(*rows), assessment().judged)
    assert found.fine == "Equations 1--3, 5, 6, 14, 16; (GRPO); Lemma 3"
    assert found.wrong == "Equation 15"
    assert found.open == "Theorem 2"
    assert glance(covered(), assessment().judged).fine is None


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("Eq. (9)", ["(9)"]),
        ("Eqs. (3), (4)", ["(3)", "(4)"]),
        ("Appendix A, proof of Theorem 2, Eq. (9)", ["Theorem 2", "(9)"]),
        ("Appendix B, end of the proof of Theorem 3", ["Theorem 3"]),
        ("Appendix B, proof of Lemma 3 (1)", ["Lemma 3"]),
        ("Lemma 3 (2)", ["Lemma 3"]),
        ("Figure 3, caption", ["Figure 3"]),
        ("Eq. (GRPO-Clip)", ["(GRPO-Clip)"]),
        ("Section 1, after Eq. (1), with PPO's clipping function", []),
        ("Section 1.3 (definition of a stationary policy) with Eq. (14)", []),
        ("Section 2.3, from Eq. (11) to Eq. (12)", []),
        ("Section 3, after Proposition 1", []),
        ("Section 2.2, display after Eq. (4)", []),
    ],
)
def test_a_place_is_at_the_numbers_that_it_names_as_its_own(place, expected) -> None:
    """An item of a lemma is no equation, and what comes after an equation is not in it."""
    assert list(numbers_named(place)) == expected


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        ("1/2", "3/8", ("$1/2$", "$3/8$")),
        ("0.25", "0.5", ("$0.25$", "$0.5$")),
        ("0.0360658873874155", "1/3", (r"$\approx 0.03606589$", "$1/3$")),
        ("2.000000000000001", "2.000000000000002", ("$2.000000000000001$", "$2.000000000000002$")),
        ("1.5e-9", "0", (r"$1.5 \cdot 10^{-9}$", "$0$")),
    ],
)
def test_both_sides_are_rounded_only_as_far_as_they_stay_apart(left: str, right: str, shown: tuple[str, str]) -> None:
    assert numbers(left, right) == shown


def test_symbols_that_differ_in_numbers_only_are_listed_together(tmp_path) -> None:
    many = [real(f"a_{n}", "(0, 1)", f"share of part {n}", latex=f"a_{{{n}}}") for n in range(1, 6)]
    made = claim("sample_2025.parts", "Parts", gt(sum(many[1:], start=many[0]), Fraction(0)))
    text = written_text(report_of(result_with((), made)), tmp_path)
    assert r"\grposymbol{$a_{1}, \dots, a_{5} \in (0, 1)$}{share of part 1, and so on}" in text
    assert text.count(r"\grposymbol{") == 1


def test_the_terminal_says_what_names_stand_for() -> None:
    made = claim("sample_2025.named", "Named", gt(objective, 0))
    shown = report_of(result_with(NAMES, made))
    library = SimpleNamespace(results=(), claims={}, claims_of={}, result_of=lambda id: result_with(NAMES, made))
    screen = Console(file=StringIO(), width=200)
    show_claim(screen, cast(Assessment, SimpleNamespace(judged=shown.judged, library=library)), made.id)
    text = cast(StringIO, screen.file).getvalue()
    assert "    J > 0\n" in text
    assert "\nwhere\n    D := x·log(x/y)" in text
    assert "    J := beta·x - D\n" in text


@pytest.mark.parametrize(
    ("docstring", "opening"),
    [
        ("Odds.\n\nMore on this.", "More on this."),
        ("Odds: what they are.\n\nMore on this.", "What they are."),
        ("Odds and ends (Section 2).\n\nMore.", "Odds and ends (Section 2)."),
        ("Chances: of what.", "Chances: of what."),
    ],
)
def test_the_introduction_does_not_repeat_the_heading(docstring: str, opening: str, monkeypatch) -> None:
    result = replace(result_with((), CLAIMS["in sums"]), title="Odds")
    monkeypatch.setattr(sys.modules[result.module], "__doc__", docstring)
    (shown,) = report_view(report_of(result)).chapters[0].results
    assert shown.introduction[0] == opening


@pytest.mark.slow
def test_claims_are_found_by_the_numbers_that_are_printed(tmp_path):
    """The numbers are TeX's; ``show`` counts in the same way."""
    if compile.engine() is None:
        pytest.skip(compile.HINT)
    path = tmp_path / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text('contents = {"Both": ("first", "second"), "Third": ("third",)}\n')
    for name in ("first", "second", "third"):
        (path / f"{name}.py").write_text(
            '"""A result."""\n'
            "from grpo_symbolic import Paper, Result, claim, gt, real\n"
            'paper = Paper("p", "A. Author", "A title", "v1")\n'
            'x = real("x", "(0, 1)", "a number")\n'
            "def build():\n"
            f'    yield claim("p.{name}-one", "One", gt(x, 0))\n'
            f'    yield claim("p.{name}-two", "Two", gt(x, -1))\n'
            f'result = Result("{name.capitalize()}", paper, build)\n'
        )
    library = load(path)
    render(assess(library, Settings(points=20, digits=20), jobs=1), tmp_path / "build", pdf=False)
    compile.compile_pdf(tmp_path / "build", "appendix-document", made="appendix")
    labels = re.findall(r"\\newlabel\{grpo:(p\.\w+-\w+)\}\{\{([\d.]+)\}", (tmp_path / "build/appendix.aux").read_text())
    assert dict(labels) == numbers_of(library)
    assert set(dict(labels).values()) == {"1.1.1", "1.1.2", "1.2.1", "1.2.2", "2.1", "2.2"}
