"""Every token of a formula counts: changing any one changes what is read, is refused, or is neutral as we print it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from judged_library import FOLDER, whole_library
from metamorphosis import count_tokens, is_read, mutants, reading, unnoticed
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.language.statement import Relation, expressions_of
from grpo_symbolic.readback.notations import generic_element, printed_notation, spoken_of
from grpo_symbolic.readback.printed import one_line
from grpo_symbolic.readback.statements import parsed, read_fragment
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_step
from grpo_symbolic.reading.notation.common import with_common
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import ReadingError, Source
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.neutral import NEUTRAL
from grpo_symbolic.translate.latex import statement_latex

MAP = r"""
[symbols]
x = "(0, oo)"
p = "(0, 1)"
[sets]
Y = ["a", "b"]
[indices]
y = "Y"
q = "point"
[[notation]]
tex = '\pi(#o)'
by = { a = "p", b = "1 - p" }
alone = '\pi'
"""
EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example"


#: What the papers say in words of their own, without which some of their quotes cannot be read.
TOLD = {
    "mroueh_2025": r"""
[symbols]
x = "(-oo, oo)"
[[notation]]
tex = '\sigma(#z)'
is = "1/(1 + exp(-z))"
[[notation]]
tex = 'A'
is = "(1 - ref)/ref"
[[notation]]
tex = 'B(#p)'
is = "1/(beta*sqrt(p*(1 - p) + smooth))"
[[notation]]
tex = 'b(#x)'
is = "1/sqrt(x*(1 - x) + smooth)"
""",
    "vojnovic_yun_2025": r"""
[symbols]
Z_q = "(0, oo)"
lambda_ = { in = "(-oo, oo)", tex = '\lambda' }
[[notation]]
tex = 'g(#z)'
is = "1/(1 - z)"
[[notation]]
tex = 'A_{#i}'
expand = '\frac{r_{#i} - \operatorname{mean}(r_1, \dots, r_G)}{\operatorname{std}(r_1, \dots, r_G)}'
""",
}


def context(*texts: str):
    return with_common(read_map([Document(Source("map", text)) for text in texts])).context()


def refusal(formula: str) -> NotUnderstood:
    """Why the last step of a display is not understood."""
    (display,) = read_text(f"$${formula}$$", tex=False).displays()
    with pytest.raises(NotUnderstood) as refused:
        read_step(display.steps[-1], context(MAP))
    return refused.value


@pytest.mark.parametrize(
    ("formula", "idle"),
    [
        (r"\underbrace{x + x}_{= 2x \text{ since } x > 0} = 2x", "since"),
        (r"\underbrace{x + x}_{3 \gamma} = 2x", r"\gamma"),
        (r"\mathbb{E}_{q \sim \mu \nu}[x] = x", r"q \sim \mu \nu"),
        (r"\mathbb{E}_{q \sim}[x] = x", r"q \sim"),
        (r"x + x \stackrel{d}{=} 2x", r"\stackrel{d}{=}"),
        (r"x + x \stackrel{!}{=} 2x", r"\stackrel{!}{=}"),
        (r"x + x \stackrel{?}{=} 2x", r"\stackrel{?}{=}"),
        (r"x \le_{st} 2x", r"\le_{st}"),
        (r"x + x \stackrel{}{=} 2x", r"\stackrel{}{=}"),
        (r"x + x = ''(x)", "= ''"),
    ],
)
def test_what_plays_no_part_is_named_where_it_stands(formula, idle):
    refused = refusal(formula)
    assert refused.kind in ("unread", "meaningless", "undeclared")
    assert refused.place.text.strip() == idle


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{y \in Y} \pi(y) = 1",
        r"\sum_{y} \pi(y) = 1",
        r"\underbrace{x + x}_{= 2x} = 2x",
        r"\underbrace{x + x}_{\text{twice the same}} = 2x",
        r"\mathbb{E}_{q \sim \mu}[x] = x",
        r"\mathbb{E}_{y \sim \pi}[1] = 1",
        r"x + x \stackrel{(a)}{=} 2x",
        r"x + x \overset{\text{Lemma 1}}{=} 2x",
        r"x + x =_{(3)} 2x",
        r"x + x \stackrel{\text{by symmetry}}{=} 2x",
        r"\lim_{x \to \infty} \frac{1}{x} = 0",
        r"\int_0^\infty e^{-x} dx = 1",
        r"\left. x^2 \right|_{x = 2} = 4",
        r"\frac{d^2}{dx^2} x^3 = 6x",
        r"\max\{x, 2x\} = 2x, \quad x > 0.",
    ],
)
def test_what_is_read_is_accounted_for(formula):
    assert is_read(reading(formula, context(MAP)))


@pytest.mark.parametrize("arrow", [r"\Rightarrow", r"\Leftarrow", r"\iff"])
def test_a_second_arrow_beside_one_is_not_passed_over(arrow):
    (display,) = read_text(rf"$$x > 1 {arrow} {arrow} 2x > 2$$", tex=False).displays()
    assert [one.code for one in display.unread] == ["arrow"]
    assert display.steps == ()
    (broken,) = read_text(rf"$$x > 1 {arrow} \\ {arrow} 2x > 2$$", tex=False).displays()
    assert len(broken.steps) == 2


@pytest.mark.parametrize("beside", [r"\tan x", r"\sum_{i} i", r"\alpha"])
def test_a_delimiter_follows_left(beside):
    (display,) = read_text(rf"$$\left {beside} \right|_{{x=0}} = 0$$", tex=False).displays()
    assert display.broken is not None
    assert "no delimiter follows" in display.broken.reason


@pytest.mark.parametrize("pair", ["(i, j]", "(i, j)"])
def test_the_bracket_around_two_indices_is_closed_by_its_partner(pair):
    known = context(MAP.replace("[indices]", 'N = ["1", "2"]\n[indices]\ni = "N"\nj = "N"'))
    assert is_read(reading(rf"\sum_{{{pair}:\, i + j = 3}} x = 2x", known)) is (pair == "(i, j)")


@pytest.mark.parametrize(
    "formula", ["(-1)^x = (-1)^x", "(-8)^{1/3} = -2", r"(-1)^{x + 1} + (-1)^x = 0", "(-2)^{-1/2} = x"]
)
def test_a_power_of_a_negative_number_whose_exponent_may_be_broken_is_refused(formula):
    assert "need not be a whole number" in refusal(formula).reason


@pytest.mark.parametrize(
    "formula", [r"\sum_{k=0}^{\infty} \frac{(-1)^{2k + 1}}{k!} = x", "(-1)^3 = -1", "(-x)^{-2} = x^{-2}"]
)
def test_a_power_of_a_negative_number_with_a_whole_exponent_is_read(formula):
    known = context(MAP.replace("[sets]", 'k = "[0, oo)"\n[sets]'))
    assert is_read(reading(formula, known))


def test_words_and_formulas_that_no_step_holds_are_told():
    (display,) = read_text(r"$$x = x \ if \ x > 1 \ and \ x \ is \ odd \\ &- if \ x > 2$$", tex=False).displays()
    told = " ".join(one.place.text for one in display.unread)
    assert display.broken is None
    assert all(part in told or any(part in str(s.conditions) for s in display.steps) for part in ("odd", "2"))


def test_the_harness_sees_what_a_careless_reader_overlooks(monkeypatch):
    formula = r"\mathbb{E}_{y \sim \pi}[1 + x] = \underbrace{1}_{w} + x"
    assert [str(mutant) for mutant in unnoticed(formula, context(MAP))] == []
    monkeypatch.setattr(Account, "idle", lambda self, nodes: iter(()))
    monkeypatch.setattr("metamorphosis.neutral", lambda tokens, at: "")
    assert {mutant.token.text for mutant in unnoticed(formula, context(MAP))} >= {"w"}


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{x}{2} + \frac{x}{2} = x, \quad x > 0.",
        r"\sum_{y \in Y} \pi(y) = 1",
        r"x \in (0, 1] \setminus \{p\} \text{ or } x \notin \{2, p\} \cup \mathbb{R}",
        r"\begin{aligned} x + p ={} & p \\ & + x \end{aligned}",
        r"\prod_{y \in Y, y \ne a} x = x",
        r"\sum_{y=1}^{3} x = 3x",
    ],
)
def test_every_token_of_a_small_formula(formula):
    assert is_read(reading(formula, context(MAP)))
    assert [str(mutant) for mutant in unnoticed(formula, context(MAP))] == []


def quotes(folder: str):
    """The LaTeX of the quotes of a paper that its own notation map suffices to read."""
    known = context((FOLDER / folder / "notation.toml").read_text(encoding="utf-8"), TOLD[folder])
    texts = {made.printed.latex for made in whole_library().claims.values() if made.printed and folder in made.id}
    return known, sorted(text for text in texts if is_read(reading(text, known)))


def examples():
    known = context((EXAMPLE / "variance.notation.toml").read_text(encoding="utf-8"))
    displays = read_text((EXAMPLE / "variance.tex").read_text(encoding="utf-8")).displays()
    steps = [step for display in displays for step in display.steps]
    texts = {f"{step.left[0].place.to(step.place).text}" for step in steps}
    return known, sorted(text for text in texts if is_read(reading(text, known)))


def unexplained(known, formulas, share: float) -> list[str]:
    """The unnoticed mutants of some formulas, of a seeded share of their tokens."""
    draw = random.Random(11)
    found: list[str] = []
    for formula in formulas:
        chosen = {number for number in range(count_tokens(formula)) if draw.random() < share}
        found += [str(mutant) for mutant in unnoticed(formula, known, chosen)]
    return found


@pytest.mark.parametrize(
    "share", [pytest.param(0.01, id="sample"), pytest.param(1.0, id="all", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("folder", "fewest"), [("vojnovic_yun_2025", 18), ("mroueh_2025", 40), ("example", 1)])
def test_every_token_of_the_quotes_and_the_example(folder, fewest, share):
    known, formulas = examples() if folder == "example" else quotes(folder)
    assert len(formulas) >= fewest
    assert unexplained(known, formulas, share) == []


def printed(count: int | None):
    """Statements of the derivations as the report prints them, with what they are read against."""
    statements = [made.statement for made in whole_library().claims.values() if isinstance(made.statement, Relation)]
    for statement in random.Random(5).sample(statements, count) if count else statements:
        expressions = list(expressions_of(statement))
        yield (
            one_line(statement_latex(statement)),
            printed_notation(expressions),
            generic_element(spoken_of(*expressions)),
        )


@pytest.mark.parametrize("count", [pytest.param(8, id="sample"), pytest.param(None, id="all", marks=pytest.mark.slow)])
def test_every_token_of_the_formulas_that_the_report_prints(count):
    compared, same = 0, []
    for latex, known, scope in printed(count):
        try:
            found = read_fragment(parsed(latex), known, scope)
        except (ReadingError, RecursionError):
            continue
        count_here = count_tokens(latex)
        chosen = random.Random(latex).sample(range(count_here), min(count_here, 20 if count else 12))
        for mutant in mutants(latex, chosen):
            if mutant.why:
                continue
            compared += 1
            try:
                if read_fragment(parsed(mutant.text), known, scope) == found:
                    same.append(str(mutant))
            except ReadingError:
                continue
    assert compared > (200 if count else 5_000)
    assert same == []


def test_the_neutral_patterns_are_few_and_printed():
    assert len(NEUTRAL) <= 30
    shown = CliRunner().invoke(app, ["explain", "--neutral"])
    assert shown.exit_code == 0
    assert all(one.name in shown.output and one.shown in shown.output for one in NEUTRAL)


@pytest.mark.slow
def test_explain_tells_what_each_token_is_read_as(tmp_path):
    (tmp_path / "p.md").write_text("$$x + x = 2x$$\n")
    (tmp_path / "p.notation.toml").write_text('[symbols]\nx = "(0, oo)"\n')
    shown = CliRunner().invoke(app, ["explain", f"{tmp_path / 'p.md'}:1"])
    assert "Atom +: sign" in shown.output
    assert "Number 2: number" in shown.output
