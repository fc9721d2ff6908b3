"""Hostile papers and maps: nothing is executed, nothing hangs, everything that is refused says where."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from property_tests import examples
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading import clock
from grpo_symbolic.reading.document import chains, paper
from grpo_symbolic.reading.meaning import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.places import ReadingError, Source
from grpo_symbolic.referee import asking, check, papers, workers
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import OPEN, STANDING, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

QUICK = Options(Settings(points=20, digits=20, effort=500, boxes=500), timeout=20, jobs=1)
X = '[symbols]\nx = "(0, 1)"\n'


def reviewed(folder, paper: str, notation: str | None = X):
    (folder / "p.tex").write_text(paper)
    if notation is not None:
        (folder / "p.notation.toml").write_text(notation)
    return check_paper(folder / "p.tex", QUICK)


HOSTILE = {
    "huge-power": r"\[ 9^{9^{9}} = 9^{9^{9}} + 1 \]",
    "huge-power-of-a-symbol": r"\[ x^{99999999999} = x \]",
    "tower": r"\[ x^{x^{x^{x^{x}}}} = x \]",
    "factorial": r"\[ 99999999! = 99999998! \]",
    "long-number": r"\[ x = " + "9" * 100_000 + r" \]",
    "nesting": r"\[ x = " + "(" * 2_000 + "x" + ")" * 2_000 + r" \]",
    "braces": r"\[ x = " + "{" * 2_000 + "x" + "}" * 2_000 + r" \]",
    "fractions": r"\[ x = " + r"\frac{1}{" * 1_000 + "x" + "}" * 1_000 + r" \]",
    "macro-bomb": r"\newcommand{\a}{xxxxxxxxxx}"
    + "".join(rf"\newcommand{{\{b}}}{{\{a}\{a}\{a}\{a}\{a}\{a}\{a}\{a}}}" for a, b in pairwise("abcdefghi"))
    + r"\[ \i = 1 \]",
    "recursive-macro": r"\newcommand{\loop}{\loop x}\[ \loop = 1 \]",
    "dunder": r"\[ \mathrm{__import__}(x) = x \]",
    "call": r"\[ \mathrm{exec}(x) = x.__class__ \]",
    "sum-of-many-terms": r"\[ \sum_{i=1}^{10^9} x = x \]",
    "input-bomb": r"\input{p}\input{p}\[ x = x + 1 \]",
    "input-outside": r"\input{/etc/hostname}\input{../../etc/hostname}\[ x = x + 1 \]",
    "unfinished": r"\begin{align} x &= \begin{cases} \[ $$ \(",
    "null": "\\[ x\0 = x \\]",
    "many-rows": r"\begin{align} x " + r" &= x + 1 \\ " * 21_000 + r"\end{align}",
    "many-amps": r"\begin{align} x " + " & " * 6_000 + r" = x + 1 \end{align}",
    "many-displays": r"\[ x = x + 1 \] " * 50,
    "unbalanced-braces": "{" * 10_000 + r"\[ x = " + "{" * 6_000 + r"\]",
    "unclosed-displays": r"\[ x = " * 4_000,
    "unclosed-environments": r"\begin{align} x = " * 4_000,
    "bars": r"\[ x = " + "|x " * 4_001 + r"\]",
    "scripts": r"\[ x = " + "x^{" * 2_000 + "x" + "}" * 2_000 + r"\]",
    "macro-in-macro": r"\newcommand{\same}[1]{#1}\[ x = " + r"\same{" * 4_000 + "x" + "}" * 4_000 + r"\]",
    "macro-doubling": r"\newcommand{\twice}[1]{#1#1}\[ x = " + r"\twice{" * 2_000 + "x" + "}" * 2_000 + r"\]",
    "definitions-cut-short": r"\def\a{x" * 5_000,
    "cases": r"\[ x = " + r"\begin{cases} x & x > 0 \\ " * 2_000 + r"\end{cases}" * 2_000 + r"\]",
    "sums": r"\[ x = " + r"\sum_{i=1}^{99}" * 30 + r"x \]",
}


#: Nothing of this is a displayed formula, however long it is.
HARMLESS = {
    "unbalanced-dollars": "$" * 6_001,
    "unclosed-inline": "$ x \n\n" * 4_000,
    "verbatim": r"\verb|" * 4_000,
    "backslashes": "\\" * 6_001,
    "spaces": " \t" * 10_000 + "\n \t" * 4_000,
    "sections": r"\section{" * 4_000,
}
#: Something is opened there that nothing closes, and it may take the end of the paper with it.
SWALLOWING = ("unfinished", "unbalanced-braces", "unclosed-displays", "unclosed-environments", "definitions-cut-short")


END = "\n\nText between.\n\n\\[ x + x = 2 x \\label{end} \\]\n"
#: What keeps an engine busy goes to processes that can be killed.
HEAVY = ("huge-power", "tower", "factorial")


@pytest.fixture(scope="module")
def heavy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heavy")
    (folder / "p.tex").write_text("\n\nText.\n\n".join(HOSTILE[name] for name in HEAVY) + END)
    (folder / "p.notation.toml").write_text(X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "answering", workers.answering)
        review = check_paper(folder / "p.tex", replace(QUICK, timeout=4.0, jobs=2))
    return review


@pytest.mark.parametrize(("number", "name"), list(enumerate(HEAVY)))
def test_what_is_too_large_to_compute_is_left_and_the_rest_is_checked(heavy, number, name):
    assert heavy.findings[number].status not in STANDING
    assert heavy.findings[-1].status is Status.DECIDED


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in HEAVY])
def test_hostile_papers_are_refused_with_a_place_and_the_rest_is_checked(tmp_path, name):
    review = reviewed(tmp_path, HOSTILE[name] + END)
    assert review.exit_code() != 0
    hostile = [one for one in review.findings if one.label != "end"]
    assert not any(one.status in STANDING for one in hostile)
    assert all(one.reason and one.place.line >= 1 for one in hostile if one.status in OPEN)
    if name not in SWALLOWING:
        assert [one.status for one in review.findings if one.label == "end"] == [Status.DECIDED]


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_display_is_passed_over(tmp_path, name):
    review = reviewed(tmp_path, HARMLESS[name] + END)
    assert [one.status for one in review.findings] in ([Status.DECIDED], [])
    assert review.exit_code() == (0 if review.findings else 3)


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, b"\0" * 1000], ids=["image", "zeros"]
)
def test_what_is_no_text_is_refused(tmp_path, content):
    (tmp_path / "p.tex").write_bytes(content)
    with pytest.raises(ReadingError, match=r"p\.tex:1:1: no text, but binary data"):
        check_paper(tmp_path / "p.tex", QUICK)


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "p.tex").write_text("x" * 10_000_000)
    with pytest.raises(ReadingError, match=r"p\.tex:1:1: larger than 5000000 bytes"):
        check_paper(tmp_path / "p.tex", QUICK)


def test_a_map_that_is_too_large_is_refused(tmp_path):
    many = X + "".join(f's{number} = "(0, 1)"\n' for number in range(2_001))
    with pytest.raises(MapError, match=r"p\.notation\.toml:1:1: more than 2000 entries"):
        reviewed(tmp_path, r"\[ x = x \]", many)


def test_a_number_that_is_too_large_in_the_map_of_a_paper_is_refused_with_its_place(tmp_path):
    with pytest.raises(MapError, match=r"p\.tex:2:4: symbol x: .*a power of ten beyond 1000"):
        reviewed(tmp_path, '%: [symbols]\n%: x = "(0, 1e999999999)"\n\\[ x = x \\]', None)


@pytest.mark.slow
def test_a_display_with_too_many_steps_is_refused_and_the_rest_is_checked(tmp_path):
    long, end = reviewed(tmp_path, r"\[ x" + " = x" * 20_000 + r"\]" + END).findings
    assert (long.status, long.code, long.place.line) == (Status.NOT_UNDERSTOOD, "limit", 1)
    assert long.reason == "more than 1000 steps in one display; none of them is checked"
    assert end.status is Status.DECIDED


#: Empty places in lists, digits that are no plain ones, and other forms that no grammar expects.
ODD = [
    r"\max(x, \dots, ) = x",
    r"\min(, \dots, x) = x",
    r"\max(x, \dots) = x",
    r"\max(x, , x) = x",
    r"x^{²} = x",
    r"x_{²} = x",
    r"\sum_{i=²}^{3} x = x",
    r"\mathrm{²} = x",
    r"\text{³} x = x",
    r"x = ٣",
]


@pytest.mark.parametrize("latex", ODD)
def test_odd_formulas_are_refused_for_a_reason(tmp_path, latex):
    *found, end = reviewed(
        tmp_path, rf"\[ {latex} \]" + END, X + "[[notation]]\ntex = 'x_#o'\nby = { 1 = 'x' }\n"
    ).findings
    assert found
    assert not [one for one in found if one.status in STANDING or one.code == "internal"]
    assert end.status is Status.DECIDED


def broken_on_purpose(*arguments):
    raise ZeroDivisionError("on purpose")


@pytest.mark.parametrize(
    ("module", "name"),
    [(paper, "lines_of"), (chains, "_sides"), (interpret, "read_step"), (asking, "by_definition")],
    ids=["rows", "chains", "steps", "findings"],
)
def test_one_failure_of_the_reader_costs_the_paper_only_one_display(tmp_path, monkeypatch, module, name):
    real = getattr(module, name)
    monkeypatch.setattr(
        module, name, lambda *one: broken_on_purpose() if re.search(r"'7'|value=Fraction\(7", str(one)) else real(*one)
    )
    failed, end = reviewed(tmp_path, r"\[ 7x = 7x \]" + END).findings
    assert (failed.status, failed.code, failed.place.line) == (Status.NOT_UNDERSTOOD, "internal", 1)
    assert failed.reason == "not read: internal error, ZeroDivisionError: on purpose; please report it"
    assert end.status is Status.DECIDED


FUZZ_MAP = read_map(
    [
        Document(
            Source(
                "map",
                r"""
[symbols]
x = "(0, 1)"
y = "(0, 1)"
t = "(0, oo)"
[sets]
O = ["a", "b"]
[indices]
o = "O"
[sizes]
G = [2, 3]
[[notation]]
tex = 'r_{#i}'
by = { 1 = "x", 2 = "y", 3 = "x*y" }
[[notation]]
tex = 'r(#o)'
by = { a = "x", b = "1 - x" }
[[notation]]
tex = '\pi(#o \mid q)'
by = { a = "y", b = "1 - y" }
""",
            )
        )
    ]
)
#: Most forms that the reader knows, to be cut and shuffled.
SEEDS = (
    r"\max(r_1, \dots, r_G) = \sum_{i=1}^{G} |r_i - x|",
    r"\mathbb{E}_{o \sim \pi(\cdot \mid q)}\left[ \frac{r(o) - x}{\sqrt{x}} \right] = \int_0^1 \frac{d}{dx} x \, dx",
    r"x \le |x| = \begin{cases} x & x > 0 \\ -x & \text{otherwise} \end{cases} \qquad \text{if } x \in (0, 1)",
    r"\lim_{t \to \infty} \left. \frac{\partial^2 x}{\partial x^2} \right|_{x=0} := 3! + \binom42 - \log x^{1{,}000}",
    r"\prod_{j \ne i} \underbrace{x}_{y} \stackrel{def}{=} \min\{x,.5\}^2 \implies \mathbb{1}\{x > 0\} = \text{Var}[o]",
)
_TOKENS = re.compile(r"\\[A-Za-z]+|\\.|\d+|\S")
_MORE = [*"{}[]()|^_&,.!'=<²٣", r"\\", r"\left", r"\right", r"\dots", r"\mid", r"\sum", r"\text{", r"\frac", r"\quad"]


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_change_of_tokens_makes_the_reader_fail(data):
    tokens = _TOKENS.findall(data.draw(st.sampled_from(SEEDS)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        tokens[at : at + 1] = data.draw(
            st.sampled_from([[], [], [tokens[at]] * 2]) | st.sampled_from([*tokens, *_MORE]).map(lambda new: [new])
        )
        tokens = tokens or ["x"]
    displays = paper.read_text("$$" + " ".join(tokens) + "$$").displays()
    assert not [one.broken for one in displays if one.broken is not None and one.broken.code == "internal"]
    refusals = [one.refusal for one in interpret.interpret(displays, FUZZ_MAP).outcomes if one.refusal is not None]
    assert not [refusal for refusal in refusals if refusal.kind == "internal"]


# The clock.


def spin(*arguments):
    while True:
        pass


def test_a_formula_that_takes_too_long_to_read_is_left_and_the_rest_is_checked(tmp_path, monkeypatch):
    real = paper.lines_of
    monkeypatch.setattr(paper, "FORMULA_SECONDS", 0.2)
    monkeypatch.setattr(paper, "lines_of", lambda rows: spin() if "y" in str(rows) else real(rows))
    slow, end = reviewed(tmp_path, r"\[ y = x \]" + END).findings
    assert (slow.status, slow.reason, slow.place.line) == (Status.NOT_UNDERSTOOD, "reading it took more than 0.2 s", 1)
    assert end.status is Status.DECIDED


def test_a_step_that_takes_too_long_to_read_is_left_and_the_rest_is_checked(tmp_path, monkeypatch):
    real = interpret.read_step
    monkeypatch.setattr(interpret, "FORMULA_SECONDS", 0.2)
    monkeypatch.setattr(interpret, "read_step", lambda step, *rest: real(step, *rest) if step.label else spin())
    slow, end = reviewed(tmp_path, r"\[ x = x^2 \]" + END).findings
    assert (slow.status, slow.code, slow.place.column) == (Status.NOT_UNDERSTOOD, "timeout", 4)
    assert end.status is Status.DECIDED


def test_a_paper_that_takes_too_long_to_read_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(interpret, "STEPS_SECONDS", 0.0)
    (left,) = reviewed(tmp_path, END).findings
    assert (left.status, left.code) == (Status.NOT_UNDERSTOOD, "timeout")
    monkeypatch.setattr(papers, "PAPER_SECONDS", 0.2)
    monkeypatch.setattr(papers, "read_map", spin)
    with pytest.raises(ReadingError, match=r"p\.tex:1:1: reading the paper took more than 0\.2 s"):
        reviewed(tmp_path, END)


def test_finding_the_formulas_has_a_clock(tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "FILES_SECONDS", 0.2)
    monkeypatch.setattr(paper.Scanner, "_comment", spin)
    review = reviewed(tmp_path, END + "% comment\n" + END)
    assert review.problems == ("p.tex:5:1: finding the formulas took more than 0.2 s; what follows is not checked",)
    assert review.exit_code() == 3


@pytest.mark.slow
def test_guards_stand_inside_one_another_and_give_way():
    def later():
        with clock.guarded(60.0):
            pass
        spin()

    with pytest.raises(clock.Late), clock.guarded(0.2):
        later()
    with pytest.raises(clock.Late), clock.guarded(0.2), clock.guarded(60.0):
        spin()
    with clock.guarded(0.05):
        pass
    deadline = time.process_time() + 0.1
    while time.process_time() < deadline:
        pass


def test_outside_the_main_thread_there_is_no_clock_and_reading_works(tmp_path):
    found = []
    thread = threading.Thread(target=lambda: found.append(reviewed(tmp_path, END)))
    thread.start()
    thread.join()
    assert [one.status for one in found[0].findings] == [Status.DECIDED]


@pytest.mark.parametrize(
    "notation",
    [
        '[[notation]]\ntex = "\\\\f(#z)"\nis = "__import__(\'os\').getpid()"\n',
        '[[notation]]\ntex = "\\\\f(#z)"\nis = "z.__class__"\n',
        '[[notation]]\ntex = "\\\\f(#z)"\nis = "[z for z in z]"\n',
        '[[notation]]\ntex = "\\\\f(#z)"\nis = "9**9**9**9"\n',
        '[symbols]\n"x; import os" = "(0, 1)"\n',
        '[symbols]\nx = "(0, exec(1))"\n',
        "[symbols\n",
        '[symbols]\nx = "(0, 1e999999999)"\n',
        '[symbols]\nx = "(-1e100000, 0)"\n',
        '[symbols]\nx = "(1e-999999999, 1)"\n',
        '[symbols]\nx = "(0, 1/' + "9" * 5_000 + ')"\n',
        X + "[[notation]]\ntex = 'c'\nis = '1e999999999'\n",
        X + "[[notation]]\ntex = 'c'\nis = '2*1e-100001*x'\n",
        X + "[[notation]]\ntex = 'c_#o'\nby = { a = '1E+99999999' }\n",
        X + "[[notation]]\ntex = 'c_#o'\nby = { a = " + "9" * 5_000 + " }\n",
        X + "[[notation]]\ntex = 'c_#o'\nby = { a = " + "9" * 3_000 + " }\n",
        X + "[[claim]]\nlabel = 'a'\nkind = 'identity'\nput = { x = '1e999999999' }\n",
        '[sets]\nO = "1..' + "9" * 5_000 + '"\n',
        '[sets]\nO = "²..9"\n',
        "a." * 20_000 + "a = 1\n",
        X + "[a" + ".a" * 20_000 + "]\n",
        X + "b = { " + '"a b".' * 20_000 + "a = 1 }\n",
    ],
)
def test_hostile_maps_are_refused_with_their_line(tmp_path, notation):
    with pytest.raises(MapError, match=r"p\.notation\.toml:\d+:\d+: "):
        reviewed(tmp_path, r"\[ x = x^2 \]", notation)


#: Accepted as equal by a popular library for the equivalence of LaTeX.
UNEQUAL = [
    (r"\frac{1}{2004!}", r"\frac{1}{2006!}"),
    (r"\frac{1}{2^{99}}", r"\frac{1}{2^{98}}"),
    (r"1-\frac{1}{\mathrm{e}}", r"1+\frac{1}{\mathrm{e}}"),
    (r"1-e^{-1}", r"1+e^{-1}"),
    (r"\frac{2^{2005}+1}{3\cdot 2^{2006}}", r"\frac{1}{3\cdot 2^{2006}}"),
    ("4", r"4\sqrt{2}"),
    (r"\pm 2021", "2021"),
]


@pytest.mark.parametrize(("left", "right"), UNEQUAL)
def test_known_unequal_pairs_are_never_accepted(tmp_path, left, right):
    claim = "[[claim]]\nlabel = 'pair'\nkind = 'identity'\n"
    review = reviewed(tmp_path, rf"\begin{{equation}} {left} = {right} \label{{pair}} \end{{equation}}", claim)
    (found,) = review.findings
    assert found.status in (Status.REFUTED, Status.UNDECIDED, Status.NOT_UNDERSTOOD)
    if r"\pm" not in left and "!" not in left and "mathrm" not in left:
        assert found.status is Status.REFUTED


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="x=+-^_{}()[]\\$&%:#|<>12 \nfracsqrtbeginend", max_size=80))
def test_no_text_breaks_the_run(tmp_path, text):
    # Such a comment belongs to a map, and one that is no map is refused with its place: see the next test.
    assume("%:" not in text)
    review = reviewed(tmp_path, f"$$ {text} $$", None)
    assert review.exit_code() in (1, 3)


def test_a_broken_map_in_a_paper_is_refused_with_its_place(tmp_path):
    with pytest.raises(MapError, match=r"p\.tex:2:\d+: .* in TOML, LaTeX stands in single quotes"):
        reviewed(tmp_path, "$$ x = x \n%: x + \n$$", None)
