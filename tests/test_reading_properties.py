"""Random trees printed and read back, and random text: only located refusals, never a crash."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from property_tests import examples

from grpo_symbolic.reading.document.discover import discover, proposal_toml
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.build import parse_rows, parse_tree
from grpo_symbolic.reading.tex.retype import latex
from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Group, Name, Nodes, Number, Row, Scripted, walk

LETTERS = [*"abxyzPQ!", r"\beta", r"\theta", r"\infty", r"\log", r"\sum"]
atoms = st.sampled_from(LETTERS).map(lambda text: Atom(text, None))
numbers = st.sampled_from(["0", "1", "2", "12", "0.5", "2004"]).map(lambda text: Number(text, None))
names = st.builds(
    lambda text, font: Name(text, font, None),
    st.sampled_from(["E", "KL", "ref", "sign"]),
    st.sampled_from(["upright", "blackboard", "calligraphic", "bold", "fraktur", "script", "typewriter"]),
)
signs = st.sampled_from(["+", "-", "/", r"\cdot", "=", r"\le", ",", r"\in"]).map(lambda text: Atom(text, None))
leaves = st.one_of(atoms, numbers, names)


def sequences(nodes, *, most: int = 4):
    """A few terms with signs between some of them."""
    return st.lists(st.one_of(nodes, nodes, signs), min_size=1, max_size=most).map(tuple)


def scripted(base, sub, sup, primes):
    if sub is None and sup is None and not primes:
        primes = 1
    return Scripted(base, sub, sup, primes, None)


BRACKETS = ["()", "[]", (r"\{", r"\}"), (r"\lfloor", r"\rfloor"), ("|", "|"), (r"\|", r"\|")]


def command(name):
    return lambda *arguments: Command(name, arguments, None)


def grow(nodes):
    inner = sequences(nodes)
    maybe = st.none() | inner
    bases = leaves | nodes.filter(lambda node: not isinstance(node, Scripted))
    rows = st.lists(st.lists(inner, min_size=2, max_size=2).map(tuple), min_size=1, max_size=3)
    return st.one_of(
        st.builds(scripted, bases, maybe, maybe, st.integers(0, 2)),
        st.builds(command(r"\frac"), inner, inner),
        st.builds(command(r"\sqrt"), inner),
        inner.map(lambda items: Command(r"\sqrt", (items,), None, (Number("3", None),))),
        st.builds(command(r"\tilde"), inner),
        st.builds(lambda ends, items: Group(*ends, items, None), st.sampled_from(BRACKETS), inner),
        st.builds(lambda one, two: Group("(", ")", (one, Atom("|", None), two), None), leaves, leaves),
        inner.filter(lambda items: len(items) > 1).map(lambda items: Group("{", "}", items, None)),
        rows.map(lambda cells: Environment("cases", tuple(Row(row, None) for row in cells), None)),
    )


#: Hypothesis prepares the printing of a tree before any test fails, and warns that it is long.
LARGE = pytest.mark.filterwarnings("ignore:Generating overly large repr")

trees = sequences(st.recursive(leaves, grow, max_leaves=12))


@LARGE
@given(trees)
@settings(max_examples=examples(5_000, quick=40), suppress_health_check=[HealthCheck.too_slow])
def test_printed_trees_read_back(tree):
    assert parse_tree(latex(tree)) == tree


@LARGE
@given(trees, st.data())
@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow])
def test_a_bracket_too_many_is_never_overlooked(tree, data):
    """Insert a bracket somewhere between the nodes; it must be refused, wherever it stands."""
    at = data.draw(st.integers(0, len(tree)))
    bracket = data.draw(st.sampled_from([")", "]", r"\}", "}", "(", "{", r"\{", r"\left(", r"\right)"]))
    # A brace before rows that end the formula needs no partner.
    assume(not (bracket == r"\{" and len(tree) == at + 1 and isinstance(tree[at], Environment)))
    text = f"{latex(tree[:at])} {bracket} {latex(tree[at:])}"
    with pytest.raises(BrokenLatex):
        parse_tree(text)


FRAGMENTS = [
    *"abx12.,;:|'_^&=<>+-()[]{}$%#~\n ", r"\\", r"\|", r"\{", r"\}", r"\ ", r"\,", r"\frac", r"\sqrt", r"\left",
    r"\right", r"\left(", r"\right.", r"\middle|", r"\mid", r"\begin{cases}", r"\end{cases}", r"\begin{align}",
    r"\end{align}", r"\begin{array}{ll}", r"\end{array}", r"\text{", r"\mathrm", r"\mathbb", r"\rm", r"\over",
    r"\color{red}", r"\not",
    r"\stackrel", r"\underset", r"\substack{", r"\quad", r"\ and \ ", r"\label{a}", r"\tag{1}", r"\sum", r"\beta", "$$",
    r"\[", r"\]", r"\(", r"\)", r"\newcommand{\a}[1]{", r"\def\a", r"\let", r"\a", "<!--:", "-->", "%:", "\n\n", "```",
    r"\begin", r"\end", r"\input{x}", r"\operatorname*", r"\phantom", r"\hspace", "\\", r"\iffalse", r"\verb|", "∑",
    "\x00",
]  # fmt: skip
garbage = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join) | st.text(max_size=60)


def rows_or_nothing(text: str) -> Nodes:
    try:
        return tuple(node for row in parse_rows(text, holes=True) for node in row.items)
    except BrokenLatex:
        return ()


@pytest.mark.slow
@given(garbage)
@settings(max_examples=20_000, suppress_health_check=[HealthCheck.too_slow])
def test_arbitrary_text_is_read_or_refused(text):
    for tex in (True, False):
        paper = read_text(f"$${text}$$ and {text} $x$", tex=tex)
        displays = paper.displays(lambda block: True)
        tomllib.loads(proposal_toml(discover(displays), "paper"))
        for display in displays:
            if display.broken is not None:
                place = display.broken.place
                assert 0 <= place.start <= place.end <= len(place.source.text)
            for step in display.steps:
                assert step.left
                assert step.right or not step.relation.symbol
                assert 0 <= step.place.start < step.place.end <= len(paper.source.text)
    for node in walk(rows_or_nothing(text)):
        assert 0 <= node.place.start <= node.place.end <= len(text)
