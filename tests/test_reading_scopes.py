"""Macros in LaTeX: what a definition changes, and up to where; which branch of a conditional is read."""

from __future__ import annotations

import pytest

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.tex.retype import latex

BEGIN = r"\documentclass{article}\begin{document}"
END = r"\end{document}"


def left_sides(text: str) -> list[str]:
    return [latex(step.left) for display in read_text(text).displays() for step in display.steps]


#: What stands before ``$$\A = 1$$`` or as a whole display, and what ``\A`` prints there.
SCOPES = {
    "an environment is a group": (r"\newcommand{\A}{a}\begin{center}\renewcommand{\A}{b}\end{center}$$\A=1$$", "a"),
    "braces are a group": (r"\newcommand{\A}{a}{\renewcommand{\A}{b}}$$\A=1$$", "a"),
    "begingroup is a group": (r"\newcommand{\A}{a}\begingroup\def\A{b}\endgroup$$\A=1$$", "a"),
    "gdef in a group": (r"\newcommand{\A}{a}\begingroup\gdef\A{b}\endgroup$$\A=1$$", "b"),
    "global def in groups": (r"\newcommand{\A}{a}{{\global\def\A{b}}}$$\A=1$$", "b"),
    "global let in a group": (r"\newcommand{\A}{a}{\global\let\A=b}$$\A=1$$", "b"),
    "providecommand of a known command": (r"\newcommand{\A}{a}\providecommand{\A}{b}$$\A=1$$", "a"),
    "providecommand of a new command": (r"\providecommand{\A}{b}$$\A=1$$", "b"),
    "providecommand of a command of LaTeX": (r"\providecommand{\alpha}{b}$$\alpha=1$$", r"\alpha"),
    "edef looks now": (r"\newcommand{\A}{a}\edef\C{\A}\def\A{b}$$\C=1$$", "a"),
    "def looks later": (r"\newcommand{\A}{a}\def\C{\A}\def\A{b}$$\C=1$$", "b"),
    "let copies": (r"\newcommand{\A}{a}\let\C\A\def\A{b}$$\C=1$$", "a"),
    "a macro that defines": (r"\newcommand{\A}{a}\def\C{\def\A{b}}\C $$\A=1$$", "b"),
    "a macro that defines in a group": (r"\newcommand{\A}{a}\def\C{\def\A{b}}{\C}$$\A=1$$", "a"),
    "a macro that defines what nobody knows": (r"\newcommand{\A}{a}\def\C#1{\def\A{#1}}\C{b}$$\A=1$$", r"\A"),
    "a definition in a display": (r"\newcommand{\A}{a}$$\renewcommand{\A}{b}\A=1$$", "b"),
    "a definition within a display": (r"\newcommand{\A}{a}$$\A\renewcommand{\A}{b}\A=1$$", "a b"),
    "a group within a display": (r"\newcommand{\A}{a}$${\renewcommand{\A}{b}\A}\A=1$$", "{ b } a"),
    "a definition and its use in an environment": (
        r"\newcommand{\A}{a}\begin{proof}\renewcommand{\A}{b}$$\A=1$$\end{proof}",
        "b",
    ),
    "iftrue": (r"\iftrue\def\A{a}\else\def\A{b}\fi$$\A=1$$", "a"),
    "iffalse": (r"\iffalse\def\A{a}\else\def\A{b}\fi$$\A=1$$", "b"),
    "newif begins false": (r"\newif\ify\ify\def\A{a}\else\def\A{b}\fi$$\A=1$$", "b"),
    "newif is set": (r"\newif\ifdraft\drafttrue\ifdraft\def\A{a}\else\def\A{b}\fi$$\A=1$$", "a"),
    "nested branches that are skipped": (
        r"\def\A{a}\iffalse\iftrue\def\A{b}\else\def\A{c}\fi\def\A{d}\fi$$\A=1$$",
        "a",
    ),
    "a nested branch that is skipped": (r"\def\A{a}\iftrue\iffalse\def\A{b}\fi\else\def\A{d}\fi$$\A=1$$", "a"),
    "a nested branch that is read": (r"\def\A{a}\iftrue\ifodd1 x\else y\fi\else\def\A{d}\fi$$\A=1$$", "a"),
    "iff is no branch": (r"\def\A{a}$a\iff b$\iftrue\else\def\A{d}\fi$$\A=1$$", "a"),
    "escaped braces are no group": (r"\def\A{a}\}{\def\A{b}\}}$$\A=1$$", "a"),
    "a brace too many": (r"\def\A{a}}$$\A=1$$", "a"),
    "an environment ends its open groups": (r"\def\A{a}\begin{center}{\def\A{b}\end{center}$$\A=1$$", "a"),
    "endinput ends the file": (r"\def\A{a}$$\A=1$$\endinput $$b=1$$", "a"),
}


@pytest.mark.parametrize(("text", "printed"), SCOPES.values(), ids=SCOPES)
def test_a_definition_holds_in_its_group(text, printed):
    assert left_sides(BEGIN + text + END) == [printed]


@pytest.mark.parametrize(
    "preamble",
    [
        r"\newenvironment{x}{\[}{\]}",
        r"\def\[{$$ a = b $$",
        r"\title{$$ a = b $$}",
        "\\makeatletter\n\\def\\x{\\@ifnextchar[{\\[}{\\]}}\n\\makeatother",
        r"\begin{equation} a = b \end{equation}",
    ],
)
def test_nothing_is_displayed_before_the_document_begins(preamble):
    text = r"\documentclass{article}" + preamble + r"\newcommand{\A}{c}" + BEGIN[23:] + r"$$\A = 1$$" + END
    assert left_sides(text) == ["c"]


def test_a_part_of_a_paper_has_no_preamble():
    assert left_sides(r"\newcommand{\A}{c}$$\A = 1$$") == ["c"]


def test_a_body_that_grows_when_it_is_defined_is_refused():
    text = r"\def\a{xxxxxxxxxx}" + "".join(rf"\edef\a{{{chr(92)}a{chr(92)}a}}" for _ in range(40)) + r"$$\a = 1$$"
    paper = read_text(text)
    assert any(r"\a expands to more than 500 tokens" in str(problem) for problem in paper.problems)
