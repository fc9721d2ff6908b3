"""Groups of independent draws, expectations without an index, gradients, infinite limits, definitions by their kind."""

from __future__ import annotations

from functools import cache

import pytest
from mpmath import mpf
from reading_oracle import same
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.places import Source
from grpo_symbolic.referee.check import Options, check_paper

__all__ = ["in_this_process"]

MAP = r"""
[symbols]
x = "(0, 1)"
y = { in = "(0, 1)", tex = 'y_a' }
z = { in = "(0, 1)", tex = 'y_b' }
u = "(0, 1)"
v = "(0, 1)"
b = "(0, oo)"
[sets]
O = ["a", "b"]
many = ["1a", "1b", "1c", "1d", "1e", "1f"]
numbers = "1..3"
[indices]
"o, o', o_i" = "O"
m_i = "many"
"i, j" = "numbers"
[sizes]
G = [2, 3]
[[notation]]
tex = 'w(#o)'
by = { a = "x", b = "1 - x" }
alone = 'w'
[[notation]]
tex = 'y(#o)'
by = { a = "y", b = "z" }
alone = 'y'
[[notation]]
tex = 'R(#o)'
by = { a = "u", b = "v" }
alone = 'R'
[[notation]]
tex = 'M(#o)'
each = "(0, 1)"
over = "many"
[[notation]]
tex = 'r_{#i}'
each = "(-oo, oo)"
over = "numbers"
[[definition]]
quote = 'D_i = '
holes = { i = 'i' }
"""
NAMES = ("x", "y", "z", "u", "v", "b")


@cache
def notation(more):
    return read_map([Document(Source("map.toml", MAP + more))])


def steps(formula, more="", first=""):
    paper = rf"$$D_i = R(o_i)^2$$ {first} $${formula}$$"
    return interpret(read_text(paper).displays(), notation(more)).outcomes[2 if first else 1 :]


def holds(formula, more=""):
    """For every instance of the last step, whether both sides have the same values at two points."""
    found = steps(formula, more)[-1]
    assert found.refusal is None, found.refusal
    samples = [{name: mpf(3 + (7 * shift + 5 * at) % 19) / 23 for at, name in enumerate(NAMES)} for shift in (1, 4)]
    return [same(unfold(one.left), unfold(one.right), samples) for one in found.read.instances]


GROUP = r"\mathbb{E}_{\{o_i\}_{i=1}^G \stackrel{\mathrm{iid}}{\sim} w}"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (rf"{GROUP}\left[\frac1G \sum_{{i=1}}^G R(o_i)\right] = \mathbb{{E}}_{{o \sim w}}[R(o)]", [True, True]),
        (rf"{GROUP}[R(o_1) R(o_2)] = \mathbb{{E}}_{{o \sim w}}[R(o)]^2", [True, True]),
        (rf"{GROUP}[R(o_1)^2] = \mathbb{{E}}_{{o \sim w}}[R(o)]^2", [False, False]),
        (rf"{GROUP}\left[\frac1G \sum_{{j=1}}^G D_j\right] = \mathbb{{E}}_{{o \sim w}}[R(o)^2]", [True, True]),
        (rf"{GROUP}\left[\sum_{{i=1}}^G R(o_i)\right] = 2 \mathbb{{E}}_{{o \sim w}}[R(o)]", [True, False]),
        (r"\mathbb{E}_{\{o_i\}_{i=1}^3 \stackrel{iid}{\sim} w}[R(o_i)] = \mathbb{E}_w[R]", [True] * 3),
        # Each draw has the probabilities of the distribution, whatever they add up to.
        (r"\mathbb{E}_{\{o_i\}_{i=1}^2 \stackrel{\mathrm{iid}}{\sim} y}[R(o_1)] = (y_a + y_b)(y_a u + y_b v)", [True]),
        (r"\mathbb{E}_w[R] = \mathbb{E}_{o \sim w}[R(o)]", [True]),
        (r"\mathbb{E}_w\left[\frac{y}{w} R\right] = y_a u + y_b v", [True]),
        (r"\mathbb{E}_w[R] - \mathbb{E}_y[R] = \sum_o (w(o) - y(o)) R(o)", [True]),
        (r"\frac{\partial}{\partial y(\cdot)} \sum_{o'} y(o')^2 R(o') = 2 y(o) R(o)", [True, True]),
        (r"\frac{\partial}{\partial y(\cdot)} \sum_{o'} y(o')^2 R(o') = 2 y(o)", [False, False]),
    ],
)
def test_values(formula, expected):
    assert holds(formula) == expected


@pytest.mark.parametrize(
    ("formula", "kind", "message"),
    [
        (rf"{GROUP}[r_1] = b", "ambiguous", "in an expectation over a group"),
        (rf"{GROUP}\left[\sum_{{i=1}}^G R(o_i) r_i\right] = b", "ambiguous", "in an expectation over a group"),
        (
            r"\mathbb{E}_{\{m_i\}_{i=1}^3 \stackrel{\mathrm{iid}}{\sim} M(\cdot)}[b] = b",
            "limit",
            "3 draws of 6 elements",
        ),
        (r"\mathbb{E}_{\{s_i\}_{i=1}^G \stackrel{\mathrm{iid}}{\sim} w}[b] = b", "unsupported", "independent draws"),
        (r"\mathbb{E}_{\{o_i\}_{i=1}^{b} \stackrel{\mathrm{iid}}{\sim} w}[b] = b", "unsupported", "independent draws"),
        (r"\mathbb{E}_{o_1, o_2 \stackrel{\mathrm{iid}}{\sim} w}[b] = b", "undeclared", "not a declared distribution"),
        (rf"{GROUP}[R(o_i)] = b", "ambiguous", "which member of the group"),
        (r"\mathbb{E}_{\{o_i\}_{i=2}^3 \stackrel{iid}{\sim} w}[R(o_1)] = b", "ambiguous", "which member of the group"),
        (rf"{GROUP}[R(o_k)] = b", "ambiguous", "which member of the group"),
        (rf"{GROUP}[R(o_3)] = b", "ambiguous", "which member of the group"),
        (r"\mathbb{E}_w[\mathbb{E}_y[R]] = b", "ambiguous", "inside each other"),
        (r"R = b", "meaningless", "a distribution, not a number"),
        (r"\frac{\partial}{\partial y(\cdot)} \sum_{o'} y(o')^2 = b", "ambiguous", "its component at which index"),
        (
            r"\frac{\partial}{\partial y(\cdot)} \sum_o y(o)^2 = y(o) + y(o')",
            "ambiguous",
            "its component at which index",
        ),
    ],
)
def test_refusals(formula, kind, message):
    refusal = steps(formula)[-1].refusal
    assert refusal is not None
    assert (refusal.kind, message in refusal.reason) == (kind, True), refusal


@pytest.mark.parametrize(
    ("formula", "kind", "text"),
    [
        (r"\lim_{x \downarrow 0} \frac{1}{x} = \infty", "limit+", "exp((-(1 / x)))"),
        (r"\lim_{x \uparrow 1} \log(1 - x) = -\infty", "limit-", "exp(log((1 - x)))"),
    ],
)
def test_an_infinite_limit_is_the_limit_of_an_exponential(formula, kind, text):
    (instance,) = steps(formula)[-1].read.instances
    assert (instance.left.kind, str(instance.left.body), str(instance.right)) == (kind, text, "0")


@pytest.mark.parametrize("formula", [r"x = \infty", r"\lim_{x \downarrow 0} \frac1x > \infty", r"\infty = b"])
def test_infinity_is_no_number_elsewhere(formula):
    assert "infinity is not a number" in steps(formula)[-1].refusal.reason


DEFINED = "\n[[claim]]\nquote = 'J ='\nkind = 'definition'\n"


def test_the_kind_definition_defines_what_is_not_known():
    (first, second) = steps("J = x^2 $$ $$ J + 1 = 1 + x^2", DEFINED)
    assert first.kind == "definition"
    assert unfold(first.read.instances[0].left) == first.read.instances[0].right
    assert second.refusal is None
    (_, without) = steps("J = x^2 $$ $$ J + 1 = 1 + x^2")
    assert "J is not declared" in without.refusal.reason


def test_a_known_name_is_not_defined_again_by_its_kind():
    (_, second) = steps("b = x^2 $$ $$ b = x", "\n[[claim]]\nquote = 'b = x^2'\nkind = 'definition'\n")
    assert str(second.read.instances[0].left) == "b"


def test_a_definition_for_groups_of_any_size_is_read_with_the_size_that_is_meant():
    (first, second) = steps(r"J = \sum_{i=1}^G r_i $$ $$ J = G r_1", DEFINED)
    assert [one.at for one in first.read.instances] == [(("G", "2"),), (("G", "3"),)]
    assert [str(one.right) for one in second.read.instances] == ["(2 * r_1)", "(3 * r_1)"]
    (refused,) = steps(r"J = \sum_{i=1}^G r_j", DEFINED)
    assert "two free indices" in refused.refusal.reason


SAMPLES = "\n[reading]\nsamples = ['O']\n[[section]]\nfrom = 'two answers'\n[section.reading]\nsamples = []\n"


def test_sets_that_stand_for_any_set_are_named():
    paper = r"$$x = 1 - (1 - x)$$ $$\sum_o w(o) = 1$$ $$w(o') = w(o')$$ $$Q := \sum_o w(o)^2$$ $$Q + x = x + Q$$"
    found = interpret(read_text(f"{paper} two answers {paper}").displays(), notation(SAMPLES)).outcomes
    samples = [outcome.read.samples for outcome in found]
    # The last formula runs over the outputs by what the paper defines.
    assert samples[:5] == [(), ("o in a, b",), ("o' in a, b",), ("o in a, b",), ("o in a, b",)]
    assert samples[5:9] == [()] * 4
    assert all(not outcome.read.samples for outcome in interpret(read_text(paper).displays(), notation("")).outcomes)


def test_a_set_of_samples_must_be_a_set():
    with pytest.raises(MapError, match=r"P is no set.*sets: O, many, numbers"):
        notation("\n[reading]\nsamples = ['P']\n")


@pytest.mark.usefixtures("in_this_process")
def test_what_is_checked_for_samples_is_not_decided(tmp_path):
    declared = '[symbols]\nx = "(0, 1)"\n[sets]\nO = ["a", "b"]\n[indices]\no = "O"\n'
    family = '[[notation]]\ntex = \'w(#o)\'\nby = { a = "x", b = "1 - x" }\n'
    paper = tmp_path / "paper.tex"
    paper.write_text(r"\[ \sum_o w(o) = 1 \]")
    status = []
    for choice in ("", "[reading]\nsamples = ['O']\n"):
        (tmp_path / "paper.notation.toml").write_text(declared + choice + family)
        (finding,) = check_paper(paper, Options(Settings(points=10, effort=1_000))).findings
        status.append((finding.status.value, finding.reason))
    assert status[0][0] == "DECIDED"
    assert status[1] == ("SUPPORTED", "checked for o in a, b only")
