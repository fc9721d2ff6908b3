"""A sample result about the odds $r = x/(1-x)$ of an answer, from which reports are written.

The objective has a penalty of weight β — and `backticks`, 50% of "quoted" words & other traps.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import jinja2
import judging_here
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging_here import found

from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.declaring import claim, derive
from grpo_symbolic.derivation.figure import Curve, Figure, Region
from grpo_symbolic.derivation.library import Chapter, Library
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import ReportError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Derivative, Substitution, Total
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import eq, gt, le, lt
from grpo_symbolic.language.stating import decreasing, increasing, tends_to
from grpo_symbolic.language.vocabulary import (
    define,
    exp,
    log,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.report import compile, debt, figures
from grpo_symbolic.report import render as render_module
from grpo_symbolic.report.errata import counterexample
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.numerals import magnitude, number
from grpo_symbolic.report.render import render
from grpo_symbolic.report.tex import Tex, code, environment, escape, paragraphs
from grpo_symbolic.report.view import report_view
from grpo_symbolic.translate import text as in_text

paper = Paper(
    "sample_2025", "A. Müller & B. Šimić", "On odds_and ends of 100% policies", "arXiv:2501.00001v2", "a scanned copy"
)
beta = real("beta", "(0, oo)", "weight of the divergence penalty")
gamma = real("gamma", "(0, 1]", "margin by which the answer is preferred")
reference = real(
    "pi_ref", "(0, 1)", "its probability under the reference policy", latex=r"\pi_{\mathrm{ref}}(a \mid q)"
)
x = real("x", "(0, 1)", "its probability under the policy", latex=r"\pi_\theta(a \mid q)")
x_old = real("x_old", "(0, 1)", "its probability under the old policy", latex=r"\pi_{\theta_{\mathrm{old}}}(a \mid q)")


def build() -> list[Claim]:
    slope = Substitution(Derivative(gamma * x / x_old - beta * log(x / reference), x), x_old, x)
    root = (beta + gamma * sqrt(1 - 4 * beta * reference / (beta + gamma) ** 2)) / (2 * (beta + gamma))
    line = (
        derive(eq(slope, 0), "definition of a stationary point of the objective in Eq. (9)", given=[lt(beta, gamma)])
        .iff(eq(gamma / x - beta / x, 0), "differentiate, then put the old policy equal to the new one")
        .iff(
            eq(gamma * x * (1 - x) - beta * (x - reference) + beta * reference * x * (1 - 2 * x) + x**2 * (1 - x), 0),
            "multiply by $x(1-x)$, which is nonzero on (0, 1); then collect powers of the probability",
        )
        .implies(eq(x, root), "the other root is negative")
    )
    assumed = claim("sample_2025.setting", "Rewards are bounded", le(x, 1), assumed=True)
    quadratic = claim(
        "sample_2025.eq14", "The stationary policy", derivation=line, equation="Eq. (14)", using=[assumed]
    )
    odds = claim("sample_2025.odds-monotone", "Odds grow with the probability", increasing(x / (1 - x), x))
    bound = claim(
        "sample_2025.bound",
        "An upper bound of the amplification, with a title that is long enough to need a second line somewhere",
        lt(
            exp(-gamma / beta) * (1 - reference) / (reference + (1 - reference) * exp(-gamma / beta)),
            (1 - reference) / reference
            + gamma * (1 - reference) * (1 - 2 * reference) / (beta * reference**2)
            + log((1 + beta * x) / (1 + gamma * x)) * (x + reference + 3 * x_old)
            - rational(3, 4) * beta * x_old * (1 - x_old) * (1 - 2 * x_old),
        ),
        printed=paper.quote(
            "Eq. (15)",
            r"\frac{\pi_\theta(a \mid q)}{1 - \pi_\theta(a \mid q)} < \frac{1}{\beta}",
            lt(x / (1 - x), 1 / beta),
            instead=r"It holds if $\beta < (1-x)/x$ — see `eq14`.",
            compare_with_pdf=True,
        ),
    )
    rate = claim(
        "sample_2025.small-beta",
        "Without penalty",
        tends_to(x / (x + beta), 1, beta, to=0, side="+", constant=1 / x),
        printed=paper.quote("Lemma 3", r"\pi_\theta(a \mid q) < 1", lt(x, 1)),
        using=[quadratic],
    )
    wrong = claim("sample_2025.wrong", "A claim of ours that fails", decreasing(x**2, x), given=[gt(x, reference)])
    return [assumed, quadratic, odds, bound, rate, wrong]


def draw_figures() -> list[Figure]:
    half = Fraction(1, 2)
    curves = tuple(Curve(x / (x + beta), ((beta, Fraction(1, n)),), rf"$\beta = {n}^{{-1}}$") for n in (1, 2, 5, 20))
    ends = (Fraction(0), Fraction(1))
    return [
        Figure("curves", r"The share $x/(x+\beta)$ for four penalties.", x, ends, "$x$", r"$x/(x+\beta)$", curves),
        Figure(
            "regions",
            "Where the policy gains & where it loses.",
            x,
            ends,
            "$x$",
            r"$\pi_{\mathrm{ref}}$",
            regions=(
                Region(gt(x, reference), (), "gains"),
                Region(lt(x * reference, half * reference - reference**2 * half), (), "loses"),
            ),
            vertical=reference,
            vertical_range=ends,
        ),
    ]


RESULT = Result("The stationary policy & its odds", paper, build, draw_figures)


def judgement(verdict: Verdict, *evidence: Evidence) -> Judgement:
    skipped = (Skipped("smt", "z3 is not installed: pip install 'grpo-symbolic[smt]'"),)
    return judging_here.judgement(verdict, *evidence, skipped=skipped, seconds=0.25)


def numeric(verdict: Verdict = Verdict.SUPPORTED, **figures: object) -> Evidence:
    return found("numeric", verdict, digits=50, points=200, **figures)


def assessment() -> Assessment:
    library = Library((RESULT,))
    exact = found("exact", Verdict.DECIDED, "claim: well defined", "normal form is 0")
    decided = judgement(Verdict.DECIDED, numeric(worst_residual="3.21e-51"), exact)
    proved = found("exact", Verdict.PROVED, "claim: well defined", "normal form is 0")
    resisted = Evidence(
        "enclosure", Verdict.UNDECIDED, "sign of the derivative", "20000 boxes were not enough near x_old = 0"
    )
    refuted = judgement(
        Verdict.REFUTED,
        numeric(
            Verdict.REFUTED, witness=Witness((("pi_ref", "1/3"), ("x", "1/2")), "1", "123456789/12345678912345678")
        ),
    )
    alone = {
        "sample_2025.odds-monotone": judgement(Verdict.PROVED, proved),
        "sample_2025.bound": judgement(Verdict.UNDECIDED, numeric(smallest_gap="0.0021"), resisted),
        "sample_2025.wrong": refuted,
    }
    judged = {}
    for made, since in library.ordered:
        own = alone.get(made.id, decided)
        printed = None if made.printed is None else (refuted if made.printed.expected_to_fail else decided)
        judged[made.id] = Judged(made, since, own, printed, own.verdict)
    judged["sample_2025.small-beta"] = replace(judged["sample_2025.small-beta"], verdict=Verdict.SUPPORTED)
    weak = judged["sample_2025.eq14.step-2"]
    judged["sample_2025.eq14.step-2"] = replace(
        weak, alone=judgement(Verdict.SUPPORTED, numeric()), verdict=Verdict.SUPPORTED
    )
    judged["sample_2025.eq14"] = replace(judged["sample_2025.eq14"], verdict=Verdict.SUPPORTED)
    return Assessment(library, Settings(), frozenset(judged), judged, 12.5, quotes_of(library, judged))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    render(assessment(), out, pdf=False)
    return out


@pytest.mark.slow
def test_report_without_pdf_has_fragment_style_and_figures(written: Path) -> None:
    found = {str(path.relative_to(written)) for path in written.rglob("*") if path.is_file()}
    notes = {"note-sample_2025.py", "note-sample_2025.tex"}
    pages = {"appendix.tex", "appendix-document.tex", "report.tex", "grpo-appendix.sty"}
    figures = {"figures/curves.pdf", "figures/regions.pdf"}
    fragments = {f"appendix/sample_2025/{RESULT.slug}.tex"}
    assert {path for path in found if not path.startswith("site/")} == pages | figures | notes | fragments
    assert {"site/index.html", "site/figures/curves.svg", "site/figures/regions.svg"} <= found


@pytest.mark.slow
def test_every_claim_has_one_label_and_every_reference_a_label(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    labels = re.findall(r"\\grpoclaim\{.*\}\{(grpo:[^}]+)\}\{", text) + re.findall(r"\\label\{([^}]+)\}", text)
    assert len(labels) == len(set(labels))
    assert all(label.startswith("grpo:") for label in labels)
    document = (written / "appendix-document.tex").read_text(encoding="utf-8")
    labels += re.findall(r"\\label\{([^}]+)\}", document)
    every = text + document + (written / "report.tex").read_text(encoding="utf-8")
    assert set(re.findall(r"\\(?:grporef|pageref|grpokey)\{([^}#]+)\}", every)) <= set(labels)
    assert len(re.findall(r"^\\grpoclaim", text, re.MULTILINE)) == len(RESULT.claims)


def test_refuted_and_undecided_are_on_the_front_page(written: Path) -> None:
    front = (written / "report.tex").read_text(encoding="utf-8")
    assert "Refuted claims" in front
    assert "Undecided claims" in front
    assert "Assumptions" in front
    assert "z3 is not installed" in front
    assert "slip in an intermediate line" in front
    assert "from a scanned copy" in front


def test_erratum_shows_place_counterexample_and_correction(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    erratum = re.search(r"\\begin\{grpoerratum\}(.*?)\\end\{grpoerratum\}", text, re.DOTALL)
    assert erratum is not None
    for part in ("Eq. (15)", "slip in an intermediate line", "compare with the PDF", "$1/3$", r"$\beta < (1-x)/x$"):
        assert part in erratum[1]
    assert text.count(r"\begin{grpoerratum}") == 1


def test_a_counterexample_to_having_a_value_says_so() -> None:
    x = real("x", "[0, 1]", "a probability")
    witness = Witness((("x", "0"),), "0", "0")
    unequal = found("smt", Verdict.REFUTED, witness=witness)
    outside = found("smt", Verdict.REFUTED, f"claim{WELL_DEFINED}", witness=witness)
    assert counterexample(judgement(Verdict.REFUTED, outside), [x]) == "At $x$$=$$0$: what is printed has no value."
    compared = counterexample(judgement(Verdict.REFUTED, unequal), [x])
    assert compared == "At $x$$=$$0$: the left side is $0$, the right side is $0$."


def test_an_undecided_claim_says_what_resisted(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    assert "20000 boxes were not enough near x\\_old = 0" in text


def test_no_command_swallows_the_text_after_it() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in (Path(render_module.__file__).parent / "templates").iterdir()
    )
    assert re.findall(r"\\[A-Za-z]+\\VAR\{", text) == []


def test_an_undecided_quote_says_what_resisted(tmp_path: Path) -> None:
    made = assessment()
    resisted = judgement(Verdict.UNDECIDED, Evidence("smt", Verdict.UNDECIDED, "claim", "no answer within the budget"))
    judged = {**made.judged}
    judged["sample_2025.small-beta"] = replace(judged["sample_2025.small-beta"], printed=resisted)
    text = written_text(replace(made, judged=judged), tmp_path)
    assert r"\grpolead{Printed} in Lemma 3 (\grpobadge{undecided})" in text
    assert "Not decided (smt, claim): no answer within the budget." in text


def test_a_claim_below_its_own_verdict_names_what_it_rests_on(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    assert r"it rests on \grporef{grpo:sample-2025.eq14}, step 2 (\grpobadge{supported})" in text


def test_what_is_assumed_is_told_where_something_rests_on_it(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    heading = next(line for line in text.splitlines() if r"{grpo:sample-2025.eq14}" in line and "grpoclaim" in line)
    assert r"{\grpobadge{supported} under an assumption}" in heading
    assert text.count(r"\grpolead{Assumes}\grporef{grpo:sample-2025.setting}") == 2  # Lemma 3 rests on Eq. (14)
    front = (written / "report.tex").read_text(encoding="utf-8")
    assert r"Assumptions: Rewards are bounded (\grporef{grpo:sample-2025.setting}): 2 claims rest on it." in front


def test_a_refuted_assumption_is_shown_as_refuted(tmp_path: Path) -> None:
    made = assessment()
    refuted = made.judged["sample_2025.wrong"].alone
    own = replace(made.judged["sample_2025.setting"], alone=refuted, verdict=Verdict.REFUTED)
    text = written_text(replace(made, judged={**made.judged, "sample_2025.setting": own}), tmp_path)
    assert r"{\grpobadge{assumed}, \grpobadge{refuted}}" in text
    front = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert r"2 claims rest on it; it is \grpobadge{refuted}" in front
    listed = front[front.index("Refuted claims") :]
    assert r"Rewards are bounded (\grporef{grpo:sample-2025.setting})" in listed[: listed.index(r"\end{itemize}")]


@pytest.mark.parametrize(
    ("open_", "said", "listed"),
    [
        (
            {"sample_2025.bound": {"1: a": "x < y", "2: b": "x_o = y"}, "sample_2025.eq14.step-2": {"3: c": "y"}},
            "3 mutants are open",
            [
                r"\item \grporef{grpo:sample-2025.bound}, 1: a: \texttt{x \textless{} y}",
                r"\item \grporef{grpo:sample-2025.bound}, 2: b: \texttt{x\_\allowbreak{}o = y}",
                r"\item \grporef{grpo:sample-2025.eq14}, step 2, 3: c: \texttt{y}",
            ],
        ),
        (
            {"sample_2025.bound (printed)": {"1: a": "x"}, "other_2025.bound": {"1: a": "z"}},
            "1 mutant is open",
            [r"\item \grporef{grpo:sample-2025.bound}, as printed, 1: a: \texttt{x}"],
        ),
    ],
)
def test_open_mutants_are_counted_and_listed(
    open_: dict[str, dict[str, str]], said: str, listed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debt, "open_mutants", lambda results: open_)
    written_text(assessment(), tmp_path)
    text = (tmp_path / "appendix-document.tex").read_text(encoding="utf-8")
    believed, _, rest = text.partition(r"\grpopart{Mutants that are open}")
    assert said in believed[believed.index(r"rests on}") :]
    assert [line for line in rest.splitlines() if line.startswith(r"\item ")][: len(listed)] == listed
    assert "other" not in rest


def test_where_no_mutant_is_open_nothing_is_said(tmp_path: Path) -> None:
    assert report_view(assessment()).debt is None
    written_text(assessment(), tmp_path)
    assert "mutants" not in (tmp_path / "appendix-document.tex").read_text(encoding="utf-8")


def test_counts_are_those_of_the_judgements() -> None:
    made = assessment()
    row = report_view(made).totals
    verdicts = [item.verdict for item in made.judged.values() if not item.claim.assumed]
    steps = sum(len(item.steps) for item in RESULT.claims)
    assert [int(cell) if cell.isdigit() else 0 for cell in row[:2]] == [len(RESULT.claims), steps]
    order = [Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED, Verdict.UNDECIDED, Verdict.REFUTED]
    assert [int(cell) if cell.isdigit() else 0 for cell in row[2:7]] == [verdicts.count(kind) for kind in order]


def test_results_without_judged_claims_are_left_out() -> None:
    made = assessment()
    view = report_view(replace(made, judged={}))
    assert view.chapters == ()
    assert view.index == ()


@pytest.mark.usefixtures("no_pictures")
def test_a_failing_build_leaves_the_last_report_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    render(assessment(), tmp_path, pdf=False)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def broken(figure: Figure, *paths: Path) -> None:
        raise ReportError(f"figure {figure.id}: the disk is full")

    monkeypatch.setattr(figures, "draw", broken)
    with pytest.raises(ReportError, match="the disk is full"):
        render(assessment(), tmp_path, pdf=False)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.usefixtures("no_pictures")
def test_without_an_engine_the_hint_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile, "engine", lambda: None)
    made = render(assessment(), tmp_path, pdf=True)
    assert made.pdf is None
    assert made.hint is not None
    assert "apt-get install texlive-latex-base" in made.hint
    assert all(path.is_file() for path in made.files)


def report_of(*results: Result, title: str = "Odds") -> Assessment:
    """An assessment in which every claim of these results is decided, and which has one chapter."""
    decided = judgement(Verdict.DECIDED, numeric(worst_residual="3.21e-51"))
    library = Library(results)
    judged = {
        made.id: Judged(made, since, decided, decided if made.printed else None, Verdict.DECIDED)
        for made, since in library.ordered
    }
    chapters = SimpleNamespace(
        origins={},
        claims_of=library.claims_of,
        hypotheses={},
        results=results,
        claims={made.id: made for result in results for made in result.claims},
        chapters=(Chapter(title, results),),
    )
    return Assessment(cast(Library, chapters), Settings(), frozenset(judged), judged, 1.0, quotes_of(library, judged))


def result_of(title: str, *claims: Claim) -> Result:
    """A result as if it stood in a module of its own, whose docstring begins with the title."""

    def made() -> tuple[Claim, ...]:
        return claims

    made.__module__ = f"{__name__}_{title.lower()}"
    sys.modules.setdefault(made.__module__, ModuleType(made.__module__, f"{title}.\n\nMore on this."))
    return Result(title, paper, made)


@contextmanager
def undrawn() -> Iterator[None]:
    """Drawing takes longer than everything else, and has tests of its own."""

    def touched(_: Figure, *paths: Path) -> None:
        for path in paths:
            path.touch()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "draw", touched)
        yield


@pytest.fixture
def no_pictures() -> Iterator[None]:
    with undrawn():
        yield


def written_text(made: Assessment, out: Path, name: str = "appendix.tex") -> str:
    with undrawn():
        render(made, out, pdf=False)
    return (out / name).read_text(encoding="utf-8")


def test_a_chapter_has_its_results_as_subsections_unless_it_is_one_result(tmp_path: Path) -> None:
    one = result_of("Odds", claim("sample_2025.one", "One", lt(x, 2)))
    other = result_of("Ends", claim("sample_2025.two", "Two", lt(x, 3)))
    both = written_text(report_of(one, other), tmp_path / "both")
    assert re.findall(r"\\(section|subsection)\{(\w+)\}", both) == [
        ("section", "Odds"),
        ("subsection", "Odds"),
        ("subsection", "Ends"),
    ]
    alone = written_text(report_of(one), tmp_path / "alone")
    assert re.findall(r"\\(section|subsection)\{(\w+)\}", alone) == [("section", "Odds")]
    assert r"\grpopaper{A. Müller \& B. Šimić, " in alone
    assert "Odds." not in alone
    assert "More on this." in alone


def test_a_claim_that_its_derivation_shows_is_not_printed_twice(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    quadratic = text[text.index("{grpo:sample-2025.eq14}{") : text.index("{grpo:sample-2025.odds-monotone}{")]
    assert r"\grpostart{" in quadratic
    assert r"\grpolead{Claim}" not in quadratic
    assert r"\grpolead{Claim}" in text


def test_the_line_on_the_checks_names_methods_and_figures(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    assert "{numeric (200 points, 50 digits, residual 3.2e--51), exact; 3 steps; skipped: smt}" in text
    assert "{numeric (200 points, 50 digits, gap 0.0021); skipped: smt}" in text


def test_every_claim_has_a_row_and_weaker_steps_have_their_own(written: Path) -> None:
    text = (written / "appendix.tex").read_text(encoding="utf-8")
    rows = re.findall(r"^\\grpocheck\{(.*?)\}\{", text, re.MULTILINE)
    assert rows.count("step 2") == 1
    assert sum(row.startswith(r"\grporef") for row in rows) == len(RESULT.claims)
    assert rows.count("printed") == 2  # one quote is refuted, the other stands above its claim
    (quadratic,) = re.findall(r"^\\grpocheck\{\\grporef\{grpo:sample-2025.eq14\}\}.*$", text, re.MULTILINE)
    assert quadratic.endswith(r"{\grpobadge{supported} numeric, exact; 2~steps}{50}{200}{3.2e--51}{0.75}")


def test_definitions_are_written_with_a_sign_of_their_own_and_parameters_are_no_symbols(tmp_path: Path) -> None:
    share = real("share", "(0, 1)", "a mere parameter")
    odds = define("odds", (share,), gamma * share / (1 - share), latex=r"\omega")
    made = claim("sample_2025.odds", "Odds", gt(Substitution(odds(x) * x_old, x_old, x), 0))
    text = written_text(report_of(result_of("Odds", made)), tmp_path)
    assert r"\omega(\mathrm{share}) \mathrel{:=} \frac{\gamma \, \mathrm{share}}{1 - \mathrm{share}}" in text
    assert "a mere parameter" not in text
    for symbol in (gamma, x, x_old):
        assert symbol.meaning in text


def test_the_rules_for_sums_are_told_where_there_is_a_sum(tmp_path: Path) -> None:
    output = real(
        "pi", "(0, 1)", "probability of an output", latex=r"\pi({index})", indexed=IndexSet("output", "outputs", "o")
    )
    plain = claim("sample_2025.plain", "Plain", lt(x, 2))
    summed = claim("sample_2025.summed", "Summed", gt(define("S", (), Total(output), latex="S")(), 0))
    assert "Linearity:" not in written_text(report_of(result_of("Odds", plain)), tmp_path / "plain")
    assert "Linearity:" in written_text(report_of(result_of("Odds", summed)), tmp_path / "summed")


def test_known_ids_in_prose_are_links() -> None:
    links = Links(
        frozenset({"sample_2025.h-at-one.gap", "sample_2025.h-at-one", "other_2024.twice", "sample_2025.twice"})
    )
    target = r"\grporef{grpo:sample-2025.h-at-one.gap}"
    assert links.prose("See sample_2025.h-at-one.gap. So") == f"See {target}. So"
    assert links.prose(r"see sample\_2025.h-at-one.gap") == f"see {target}"
    assert links.prose("`h-at-one.gap`") == target
    assert links.prose("`h-at-one.gap.step-3`") == f"{target}, step 3"
    assert links.prose("`twice`, i.e. e.g. v1.0") == r"\texttt{twice}, i.e. e.g. v1.0"
    assert links.prose("sample_2025.unknown") == r"sample\_2025.unknown"
    assert r"\hyperref" not in links.title("sample_2025.h-at-one")
    assert links.reference("sample_2025.twice.step-2") == r"\grporef{grpo:sample-2025.twice}, step 2"


@pytest.mark.usefixtures("no_pictures")
def test_an_older_pdf_does_not_stay_beside_a_newer_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF of last week")
    monkeypatch.setattr("grpo_symbolic.report.compile.engine", lambda: None)
    rendered = render(assessment(), tmp_path, pdf=True)
    assert rendered.hint.startswith("no TeX engine found")
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.usefixtures("no_pictures")
def test_who_wants_no_pdf_keeps_the_older_one_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF of last week")
    rendered = render(assessment(), tmp_path, pdf=False)
    assert (tmp_path / "report.pdf").read_bytes() == b"%PDF of last week"
    assert rendered.pdf is None
    assert rendered.hint.startswith("of an earlier report are still there: report.pdf; without --no-pdf")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("0.0", "0"),
        ("3.21e-51", "3.2e--51"),
        ("-6.8e-452", "--6.8e--452"),
        ("0.00213", "0.0021"),
        ("1e-66", "1e--66"),
        ("12.34", "12"),
        ("4321", "4.3e3"),
        ("inf", "Infinity"),
    ],
)
def test_magnitudes_have_two_digits(value: str, shown: str) -> None:
    assert magnitude(Decimal(value)) == shown


def test_raw_strings_and_unknown_names_do_not_reach_the_page(tmp_path: Path) -> None:
    (tmp_path / "raw.tex").write_text(r"\VAR{text}", encoding="utf-8")
    template = environment(tmp_path).get_template("raw.tex")
    assert template.render(text=Tex("50\\%")) == "50\\%"
    with pytest.raises(ReportError, match="'50%', which is not escaped"):
        template.render(text="50%")
    with pytest.raises(ReportError, match="3, which is not escaped"):
        template.render(text=3)
    with pytest.raises(ReportError, match="which is not escaped"):
        template.render(text=Tex("a") + "b")
    with pytest.raises(jinja2.UndefinedError, match="'text' is undefined"):
        template.render()


@pytest.mark.parametrize(
    ("prose", "latex"),
    [
        ("50% of A & B_c #1", r"50\% of A \& B\_c \#1"),
        (r"keep $x_1 \le \beta$ as it is", r"keep $x_1 \le \beta$ as it is"),
        ("a lone $ is money", r"a lone \$ is money"),
        ("so $$x_1 = 2$$ stands alone", r"so \grpodisplay{\grpofit{x_1 = 2}} stands alone"),
        ("unbalanced $$x_{1$$ too", r"unbalanced \$\$x\_\{1\$\$ too"),
        ("unbalanced $x_{1$ is text", r"unbalanced \$x\_\{1\$ is text"),
        ("β ≤ Σ", r"$\beta$ $\leq$ $\Sigma$"),
        ("$β → 0$", r"$\beta  \to  0$"),
        ('say "yes"', "say ``yes''"),
        ("`a_b` and ``c``", r"\texttt{a\_\allowbreak{}b} and \texttt{c}"),
        ("Müller, Šimić", "Müller, Šimić"),
        ("漢", "[U+6F22]"),
        ("a *minimum* of 2*x*y", r"a \emph{minimum} of 2*x*y"),
        ("a\\b{c}", r"a\textbackslash{}b\{c\}"),
        ("bell \x07", "bell "),
        (r"a\_b and 5\%", r"a\_b and 5\%"),
    ],
)
def test_prose_is_escaped(prose: str, latex: str) -> None:
    assert escape(prose) == latex


def test_every_sign_that_statements_are_written_with_can_be_typeset() -> None:
    source = Path(in_text.__file__).read_text(encoding="utf-8")
    signs = {letter for letter in source if not letter.isascii()}
    assert {"↓", "⁴", "⇒", "√"} <= signs
    assert [sign for sign in sorted(signs) if "U+" in escape(sign)] == []


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_escaped_prose_has_balanced_braces_and_no_bare_specials(text: str) -> None:
    bare = re.sub(r"\\.", "", escape(text.replace("$", "")), flags=re.DOTALL)
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    assert not set(bare) & set("%&#_")


def test_paragraphs_are_separated_by_blank_lines() -> None:
    assert paragraphs("One\nline.\n\n  Two.\n") == ("One line.", "Two.")
    assert code("a.b-c_d") == r"\texttt{a.\allowbreak{}b-\allowbreak{}c\_\allowbreak{}d}"


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("1/3", "$1/3$"),
        ("-2", "$-2$"),
        ("0.25", "$0.25$"),
        ("3.2100001e-51", r"$3.210 \cdot 10^{-51}$"),
        ("123456789/12345678912345678", r"$\approx 1.000000 \cdot 10^{-8}$"),
        ("12345678901234567890123/12345678901234567890124", r"$\approx 1.000000000000$"),
        ("not a number", "not a number"),
    ],
)
def test_numbers_are_exact_while_short(text: str, latex: str) -> None:
    assert number(text) == latex


@given(st.fractions().filter(lambda value: value != 0))
def test_long_numbers_are_rounded_correctly(value: Fraction) -> None:
    shown = number(str(value)).strip("$").removeprefix(r"\approx ")
    match = re.fullmatch(r"(-?[\d./]+)(?: \\cdot 10\^\{(-?\d+)\})?", shown)
    assert match is not None
    read = Fraction(match[1]) * Fraction(10) ** int(match[2] or 0)
    assert abs(read - value) <= abs(value) / 10**5


def needs_tex() -> None:
    if compile.engine() is None:
        pytest.skip(compile.HINT)


PREAMBLES = {
    "article": r"\documentclass[11pt]{article}",
    "twocolumn": r"\documentclass[twocolumn]{article}\usepackage[colorlinks]{hyperref}",
    "amsart": r"\documentclass{amsart}",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PREAMBLES)
def test_fragment_compiles_inside_papers(kind: str, written: Path, tmp_path: Path) -> None:
    needs_tex()
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    body = r"\usepackage{grpo-appendix}\begin{document}Text.\appendix\input{appendix}\end{document}"
    (tmp_path / "paper.tex").write_text(PREAMBLES[kind] + body, encoding="utf-8")
    compile.compile_pdf(tmp_path, "paper")
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    wide = [float(width) for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert max(wide, default=0) <= 5
    assert "undefined" not in log
    assert "multiply defined" not in log


@pytest.mark.slow
def test_standalone_report_compiles(tmp_path: Path) -> None:
    needs_tex()
    made = render(assessment(), tmp_path, pdf=True)
    assert made.pdf == tmp_path / "report.pdf"
    assert made.pdf.read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "appendix",
        "appendix-document.tex",
        "appendix.pdf",
        "appendix.tex",
        "figures",
        "grpo-appendix.sty",
        "note-sample_2025.pdf",
        "note-sample_2025.py",
        "note-sample_2025.tex",
        "report.pdf",
        "report.tex",
        "site",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("report", "Derivations and checks"),
        ("appendix-document", "Derivations and checks: appendix"),
        ("note-sample_2025", "Note to the authors"),
    ],
)
def test_a_pdf_says_what_it_is_and_in_which_language(name: str, title: str, written: Path, tmp_path: Path) -> None:
    needs_tex()
    if shutil.which("pdfinfo") is None:
        pytest.skip("no pdfinfo found: apt-get install poppler-utils")
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / f"{name}.tex").read_text(encoding="utf-8")
    (tmp_path / "plain.tex").write_text(rf"\pdfcompresslevel=0\pdfobjcompresslevel=0 {text}", encoding="utf-8")
    made = compile.compile_pdf(tmp_path, "plain")
    told = subprocess.run(["pdfinfo", made], capture_output=True, text=True, check=True).stdout
    said = dict(re.findall(r"(?m)^(\w+): *(.*)$", told))
    assert said["Title"] == title
    assert said["Subject"] == "On A. Müller & B. Šimić: On odds_and ends of 100% policies"
    assert said["Creator"] == "grpo_symbolic"
    assert said["Tagged"] == "no", "docs/tools.md says so"
    content = made.read_bytes()
    assert re.search(rb"/Lang ?\(en\)", content)
    assert re.search(rb"/DisplayDocTitle true", content)
    assert (b"/Outlines" in content) == (name != "note-sample_2025")


@pytest.mark.slow
def test_the_first_tex_error_is_reported(tmp_path: Path) -> None:
    needs_tex()
    (tmp_path / "bad.tex").write_text(
        r"\documentclass{article}\begin{document}\nosuchcommand\end{document}", encoding="utf-8"
    )
    with pytest.raises(ReportError, match="Undefined control sequence"):
        compile.compile_pdf(tmp_path, "bad")
