"""Every verdict of the referee, on small papers of our own; what is asserted is what anybody can check by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.referee import papers
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

QUICK = Options(Settings(points=40, digits=20, effort=2_000, boxes=2_000), timeout=30, jobs=1)

PAPER = r"""
\documentclass{article}
\newcommand{\half}{\frac{1}{2}}
\begin{document}
\begin{align}
(x + 1)^2 &= x^2 + 2 x + 1 \label{decided} \\
(x + 1)^2 &= x (x + 2) + 1 = x^2 + x + 1 \label{refuted}
\end{align}
\begin{equation} x^2 = 4 \label{single} \end{equation}
\begin{equation} x^2 = x \label{condition} \end{equation}
\begin{equation} x^2 = x + 1 \label{claimed} \end{equation}
\begin{equation} f(t) := t^2 + \half \label{definition} \end{equation}
\begin{equation} f(x) = x^2 + \half = x^2 + 1 \label{uses} \end{equation}
\begin{equation} f'(x) = 2 x \label{derivative} \end{equation}
\begin{equation} \frac{x^2}{x} = x \label{undefined} \end{equation}
\begin{equation} y = x + 1 = x \quad \text{if the moon is full} \label{moon} \end{equation}
\begin{equation} x^2 + \half = x^2 + \mathfrak{q} = x^2 + 1 \label{across} \end{equation}
\begin{equation} x + x = 2 x = x + \mathfrak{q} = x + 1 \label{across-later} \end{equation}
\begin{equation} 0 < t < 1 \label{range} \end{equation}
\begin{equation} x^2 + 1 = 1 + x^2 > 1 \label{corner} \end{equation}
\begin{equation} x^2 + 1 = 1 + x^2 \ge 1 \label{inequality} \end{equation}
\begin{equation} x^1^2 = 2 \label{broken} \end{equation}
\begin{equation} \max_\theta J(\theta) \label{objective} \end{equation}
\begin{equation} u = 2 x \label{follows} \end{equation}
\begin{equation} u^2 = 4 x^2 \label{consequence} \end{equation}
\begin{equation} u + x = 3 x \label{equivalent} \end{equation}
\begin{equation} u = 2 x \label{solution} \end{equation}
\begin{equation} u = - 2 x \label{wrong-solution} \end{equation}

And at last, two equations in one:
\begin{equation} \pm x = x \label{skipped} \end{equation}
\end{document}
"""

MAP = r"""
[symbols]
x = { in = "(-oo, oo)" }
y = { in = "(-oo, oo)" }
u = { in = "(-oo, oo)" }
t = { in = "(-oo, oo)" }

[[claim]]
label = "condition"
kind = "condition"

[[claim]]
label = "claimed"
kind = "identity"

[[claim]]
label = "consequence"
kind = "consequence"
of = "follows"

[[claim]]
label = "equivalent"
kind = "equivalent"
of = "follows"

[[claim]]
label = "solution"
kind = "solution"
of = "consequence"
solve = "u"

[[claim]]
label = "wrong-solution"
kind = "solution"
of = "follows"
solve = "u"

[[claim]]
label = "skipped"
kind = "skip"
reason = "two equations in one"
"""


def reviewed(folder: Path, paper: str, notation: str | None, options: Options = QUICK, name: str = "paper.tex"):
    (folder / name).write_text(paper)
    if notation is not None:
        (folder / "paper.notation.toml").write_text(notation)
    return check_paper(folder / name, options)


@pytest.fixture(scope="module")
def review(in_this_process, tmp_path_factory):
    return reviewed(tmp_path_factory.mktemp("paper"), PAPER, MAP)


EXPECTED = {
    "decided": ["DECIDED"],
    "refuted": ["DECIDED", "REFUTED"],
    "single": ["NOT AN IDENTITY"],
    "condition": ["CONDITION"],
    "claimed": ["REFUTED"],
    "definition": ["BY DEFINITION"],
    "uses": ["BY DEFINITION", "REFUTED"],
    "derivative": ["DECIDED"],
    "undefined": ["UNDECIDED"],
    "moon": ["UNDECIDED", "UNDECIDED"],
    "across": ["UNDECIDED", "REFUTED", "NOT AN IDENTITY"],
    "across-later": ["DECIDED", "NOT AN IDENTITY", "REFUTED", "NOT AN IDENTITY"],
    "range": ["NOT AN IDENTITY", "NOT AN IDENTITY"],
    "corner": ["DECIDED", "REFUTED"],
    "inequality": ["DECIDED", "DECIDED"],
    "broken": ["BROKEN"],
    "objective": ["NOT UNDERSTOOD"],
    "consequence": ["DECIDED"],
    "equivalent": ["DECIDED"],
    "solution": ["DECIDED"],
    "wrong-solution": ["REFUTED"],
    "skipped": ["NOT UNDERSTOOD"],
}


@pytest.mark.parametrize("label", EXPECTED)
def test_every_verdict(review, label):
    found = [one.status.value for one in review.findings if one.label == label]
    assert found == EXPECTED[label], [one for one in review.findings if one.label == label]


def one(review, label, status):
    (found,) = [item for item in review.findings if item.label == label and item.status is status]
    return found


def test_a_counterexample_is_small_and_exact(review):
    wrong = one(review, "refuted", Status.REFUTED)
    at = dict(wrong.counterexample.at)
    x = int(at["x"])
    assert wrong.counterexample.left == str(x * (x + 2) + 1)
    assert wrong.counterexample.right == str(x * x + x + 1)
    assert wrong.failing is not None
    assert wrong.failing[1] == 40


def test_a_repair_is_the_smallest_edit(review):
    assert one(review, "refuted", Status.REFUTED).repair == "x -> 2·x (second of 2 on the right)"


def test_the_place_of_a_step_is_that_of_its_text(review):
    wrong = one(review, "refuted", Status.REFUTED)
    line = PAPER.splitlines()[wrong.place.line - 1]
    assert line[wrong.place.column - 1 :].startswith("x (x + 2) + 1 = x^2 + x + 1")


def test_where_a_side_is_undefined_is_said(review):
    found = one(review, "undefined", Status.UNDECIDED)
    assert found.code == "domain"
    assert "x = 0" in found.reason


def test_what_was_not_read_on_a_row_never_refutes(review):
    for found in (one for one in review.findings if one.label == "moon"):
        assert found.code == "condition-not-read"
        assert "moon" in " ".join(found.notes)


def test_reason_codes(review):
    codes = {one.label: one.code for one in review.findings if one.status is Status.NOT_UNDERSTOOD}
    assert codes["objective"] == "no-relation"
    assert codes["skipped"] == "skipped"


def test_what_the_map_does_not_say_is_read_as_if_there_were_none_and_told_as_a_guess(review):
    across = [one for one in review.findings if one.label == "across"]
    assert [[guess.name for guess in one.guesses] for one in across] == [["q"], [], ["q"]]


def test_findings_are_in_reading_order_and_the_run_fails(review):
    lines = [one.place.line for one in review.findings]
    assert lines == sorted(lines)
    assert review.exit_code() == 1
    assert review.exit_code(allow_unchecked=True) == 1


GREEN = "$$ (x + 1)^2 = x^2 + 2 x + 1 $$\n"
OPEN = GREEN + "\nand\n\n$$ x + w = w + x $$\n"
X = '[symbols]\nx = { in = "(0, 1)" }\n'


@pytest.mark.parametrize(
    ("paper", "notation", "code", "allowed"),
    [
        pytest.param(GREEN, X, 0, 0, id="all-holds"),
        pytest.param(OPEN, X, 3, 0, id="something-not-read"),
        pytest.param(GREEN, None, 3, 3, id="nobody-declared-anything"),
        pytest.param("No formulas here.", X.replace("x =", "y ="), 3, 0, id="nothing-to-check"),
        pytest.param(GREEN, X + 'z = { in = "(0, 1)" }\n', 0, 0, id="an-entry-is-not-used"),
        pytest.param("$$ x^2^2 = 1 $$", X, 1, 1, id="broken"),
        pytest.param("$$ x + ( = 1 $$", X, 3, 0, id="a-bracket-is-lost"),
    ],
)
def test_exit_codes(tmp_path, paper, notation, code, allowed):
    review = reviewed(tmp_path, paper, notation, name="paper.md")
    assert review.exit_code() == code
    assert review.exit_code(allow_unchecked=True) == allowed


def test_without_a_map_every_finding_lists_its_domains(tmp_path):
    review = reviewed(tmp_path, GREEN, None, name="paper.md")
    assert review.proposed
    assert review.findings[0].domains == (("x", "(-oo, oo)"),)


def test_a_map_in_comments_is_used(tmp_path):
    review = reviewed(tmp_path, "%: [symbols]\n%: x = '(0, 1)'\n$$x = x^2 / x = 1$$\n", None)
    assert not review.proposed
    assert [one.status.value for one in review.findings] == ["DECIDED", "REFUTED"]


def test_mistakes_in_a_map_name_file_line_and_remedy(tmp_path):
    with pytest.raises(MapError, match=r"paper\.notation\.toml:2:1: .*write"):
        reviewed(tmp_path, GREEN, "[symbols]\nx = 3\n")


def test_unused_entries_are_warned_of(tmp_path):
    review = reviewed(tmp_path, GREEN, X + 'z = "(0, 1)"\n', name="paper.md")
    assert any("z is declared and not used" in warning for warning in review.warnings)


def test_inline_formulas_are_checked_if_asked_for_or_quoted(tmp_path):
    text = "We have $x + x = 3 x = 2 x$ and $x = 1$.\n"
    assert not reviewed(tmp_path, text, X).findings
    quoted = X + "[[claim]]\nquote = 'x + x = 3 x'\nkind = 'identity'\n"
    assert [one.status.value for one in reviewed(tmp_path, text, quoted).findings] == ["REFUTED", "REFUTED"]
    inline = Options(QUICK.settings, timeout=30, jobs=1, inline=True)
    assert len(reviewed(tmp_path, text, X, inline).findings) == 3


def test_only_named_displays_are_checked(tmp_path):
    only = Options(QUICK.settings, timeout=30, jobs=1, only=("refuted",))
    review = reviewed(tmp_path, PAPER, MAP, only)
    assert {one.label for one in review.findings} == {"refuted"}


def test_formulas_of_included_files_are_reported_there(tmp_path):
    (tmp_path / "part.tex").write_text("\\[ x = x^2 = x^2 + 1 \\]\n")
    review = reviewed(tmp_path, "\\input{part}\n\\input{../secret}\n", X)
    assert {Path(one.place.file).name for one in review.findings} == {"part.tex"}
    assert any("outside the folder" in problem for problem in review.problems)
    assert review.exit_code(allow_unchecked=True) == 1


def test_a_paper_with_too_many_steps_is_checked_up_to_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(papers, "MAX_STEPS", 2)
    review = reviewed(tmp_path, GREEN + "\nand\n\n$$ x = x = x $$\n", X, name="paper.md")
    assert len(review.findings) == 1
    assert any("more than 2 steps; what follows is not checked" in problem for problem in review.problems)
    assert review.exit_code() == 3
