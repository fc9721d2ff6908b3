"""The proposed notation map: which symbols it lists, what it guesses, and that the map reader accepts it."""

from __future__ import annotations

import tomllib

import pytest

from grpo_symbolic.reading.document.discover import discover, proposal_toml
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import Source

PAPER = r"""
Let $\beta > 0$, $\rho \in [0, 1)$ and $p \in (0, 1)$.
\begin{equation} \beta p = \beta - \beta (1 - p), \qquad h(p) = p^2 + \rho \end{equation}
\begin{align} h(p) - p^2 &= \rho \\ \pi(a \mid q) + t^* &= t^* + \pi(a \mid q) \end{align}
$$ \sum_{i=1}^{G} r_i = \mathbb{E}_{o \sim \mu} [g(2 o)] + e^{x'} \frac{d f}{d p} $$
"""


def proposals(text=PAPER):
    paper = read_text(text)
    return discover(paper.displays(), paper.displays(lambda block: block.kind == "inline"))


def by_tex(kind, text=PAPER):
    return {one.tex: one for one in proposals(text) if one.kind == kind}


def test_symbols_have_first_places_uses_and_domains():
    symbols = by_tex("symbol")
    beta = symbols[r"\beta"]
    assert (beta.uses, beta.domain, str(beta.place)) == (3, "(0, oo)", "paper.tex:3:18")
    assert beta.why.startswith("from paper.tex:2:6")
    assert "it also stands before a bracket: a product, or a function?" in beta.why
    assert symbols[r"\rho"].domain == "[0, 1)"
    assert symbols["p"].domain == "(0, 1)"
    assert symbols[r"\pi(a \mid q)"].domain == "(0, 1)"
    assert symbols["t^{*}"].domain == "(-oo, oo)"
    assert {"a", "q", "e", "d", "o", "i"}.isdisjoint(symbols)


@pytest.mark.parametrize(
    ("formula", "tex", "domain"),
    [
        (r"\delta = \delta^2", r"\delta", "(0, oo)"),
        (r"\delta_t = r_t + \gamma v - w", r"\delta_{t}", "(-oo, oo)"),
        (r"2 \pi(a \mid q) = x", r"\pi(a \mid q)", "(0, 1)"),
        (r"2 r(a \mid q) = x", r"r(a \mid q)", "(-oo, oo)"),
    ],
)
def test_what_has_either_sign_is_not_guessed_to_be_positive(formula, tex, domain):
    guessed = {"".join(tex.split()): one.domain for tex, one in by_tex("symbol", f"$${formula}$$").items()}
    assert guessed["".join(tex.split())] == domain


def test_functions_indices_and_definitions_are_apart():
    assert set(by_tex("index")) == {"i", "o"}
    assert "g(#x)" in by_tex("function")
    (definition,) = by_tex("definition").values()
    assert (definition.name, definition.parameters) == ("h", ("p",))


def test_the_proposed_map_is_accepted_and_reads_steps():
    paper = read_text(PAPER)
    text = proposal_toml(proposals(), "paper.tex")
    interpretation = interpret(paper.displays(), read_map([Document(Source("paper.notation.toml", text)).guessed]))
    assert sum(outcome.read is not None for outcome in interpretation.outcomes) >= 3
    assert interpretation.warnings == ()


NAMES = {
    "a word of Python": r"$$\lambda = 1$$",
    "two heads with one name": r"$$p_* = p^* + \mathrm{x} $$",
    "a prime": r"$$f'(x) = f(x)$$",
    "digits first": r"$$\mathbb{1} = x_{1}$$",
    "quotes": r"$$x_{a'} = \tilde{x}'$$",
    "nothing": "$$1 = 1$$",
}


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES)
def test_any_proposal_is_a_map(text):
    toml = proposal_toml(proposals(text), "paper.tex")
    assert tomllib.loads(toml)["guessed"]["symbols"] is not None
    read_map([Document(Source("paper.notation.toml", toml)).guessed])


@pytest.mark.parametrize(
    ("text", "function"),
    [
        (r"$$\mathcal{H}[\pi + \rho] = \mathcal{H}[\pi] + \mathcal{H}[\rho]$$ $$\mathcal{H} = x$$", r"\mathcal{H}[#x]"),
        (r"$$V(2 s) = 2 V(s)$$ $$V = 3 x$$", "V(#x)"),
        (r"$$V(2 s) + V(4 s) = V(6 s)$$ $$V \ge 0$$", "V(#x)"),
        (r"$$L[2f] = 2L[f]$$ $$L = x$$", "L[#x]"),
        (r"$$L\{2 f\} = 2 L\{f\}$$ $$L = x$$", r"L\{#x\}"),
        (r"The value is $V(s)$. $$V = 3 x$$", None),
        (r"$$U\left(\frac{s}{2}\right) = \frac{1}{2} U(-s)$$ $$U = x$$", "U(#x)"),
        (r"$$V^\pi(2 s) = 2 V^\pi(s)$$ $$V = x$$", "V(#x)"),
    ],
)
def test_what_has_an_argument_anywhere_is_no_number(text, function):
    letters = {tex for one in ("symbol", "object") for tex in by_tex(one, text)}
    assert letters.isdisjoint({"V", "L", "U", r"\mathcal{H}"})
    assert function is None or function in by_tex("function", text)


@pytest.mark.parametrize(
    ("text", "guessed"),
    [
        (r"$$\beta(1 - p) = \beta - \beta p$$", True),
        (r"Let $\beta > 0$. $$\beta(1 - p) = \beta - \beta p$$", False),
        (r"$$\beta(\beta + 1) = \beta^2 + \beta$$", False),
        (r"$$\beta \cdot (1 - p) = \beta - \beta p$$", False),
    ],
)
def test_a_factor_before_brackets_is_a_guess_unless_something_says_that_it_is_a_number(text, guessed):
    assert by_tex("symbol", text)[r"\beta"].guessed_factor is guessed
    assert ('factor = "guess"' in proposal_toml(proposals(text), "paper.tex")) is guessed


def test_what_a_sum_ends_at_is_a_number_before_any_brackets_but_those_of_a_name():
    half = r"$$\sum_{i=1}^n i = n \left(\frac{1}{2}\right) + n (p + 1)$$"
    assert not by_tex("symbol", half)["n"].guessed_factor
    assert "n" not in by_tex("symbol", half + r"$$n(p) = 1$$")
