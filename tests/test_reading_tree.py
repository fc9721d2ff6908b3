"""The tree of a formula: what TeX's syntax makes of it, and what is refused, with the place of the mistake."""

from __future__ import annotations

import pytest

from grpo_symbolic.reading.places import BrokenLatex, Place, Source, TooLarge
from grpo_symbolic.reading.tex.build import MAX_TOKENS, parse_rows, parse_tree
from grpo_symbolic.reading.tex.builder import MAX_NESTING
from grpo_symbolic.reading.tex.retype import latex
from grpo_symbolic.reading.tex.tokens import tokens_of
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Hole,
    Name,
    Number,
    Scripted,
    Words,
    place_of,
    walk,
)

SAME = {
    "undelimited digits": (r"\frac12", r"\frac{1}{2}"),
    "undelimited mixture": (r"\frac1x \frac\pi2", r"\frac{1}{x}\frac{\pi}{2}"),
    "display fractions": (r"\dfrac{a}{b}+\tfrac{a}{b}", r"\frac{a}{b}+\frac{a}{b}"),
    "over": (r"{a+1 \over b}", r"{\frac{a+1}{b}}"),
    "script order": ("x_1^2", "x^2_1"),
    "prime command": (r"f^\prime + g^{\prime\prime}", "f' + g''"),
    "one digit scripts": ("x^12", "x^{1}2"),
    "sizes": (r"\left(\bigl[x\bigr]\right)", "([x])"),
    "left without right": (r"\left( x )", "(x)"),
    "thin spaces": (r"a\,b\;c\!d\ e~f", "abcdef"),
    "comments": ("a % b }\n c", "a c"),
    "fonts in subscripts": (r"p_{\text{ref}}+p_{\rm ref}+p_{ref}", r"p_{\mathrm{ref}}+p_\mathrm{ref}+p_{\mathsf{ref}}"),
    "operator names": (r"\mathsf{KL}+\text{KL}+\operatorname{KL}", r"\mathrm{KL}+\mathrm{KL}+\mathrm{KL}"),
    "arg max": (r"\operatorname*{arg\,max}_x", r"\operatorname{argmax}_{x}"),
    "spaced letters of a scan": (r"\mathrm { K L }", r"\mathrm{KL}"),
    "indicator": (r"\mathbb 1 + \mathbbm{1} + \mathds1", r"\mathbb{1}+\mathbb{1}+\mathbb{1}"),
    "given": (r"(o|q)(o\mid q)(o \vert q)", r"(o\mid q)(o\mid q)(o\mid q)"),
    "divergence bars": (r"(p||q)(p\mid\mid q)(p\|q)", r"(p\Vert q)(p\parallel q)(p\|q)"),
    "absolute values": (r"|x|+2|y|", r"\lvert x\rvert+2\left|y\right|"),
    "product of absolute values": ("|a||b|", r"\lvert a\rvert\lvert b\rvert"),
    "norm": (r"||f||_\infty", r"\lVert f\rVert_{\infty}"),
    "inequalities": (r"\leq \leqslant \geq \neq \lt", r"\le \le \ge \ne <"),
    "negation": (r"\not= \not\in", r"\ne \notin"),
    "arrows": (r"\to \implies \iff", r"\rightarrow \Rightarrow \Leftrightarrow"),
    "definition signs": (r": = := \coloneqq \triangleq", r":= := := :="),
    "dots": (r"... \ldots \cdots", r"\dots \dots \dots"),
    "unicode": ("x′ − y·z ≤ …", r"x' - y\cdot z \le \dots"),
    "limits": (r"\sum\limits_{i=1}^n \sum\nolimits_i", r"\sum_{i=1}^{n}\sum_i"),
    "underset": (r"\underset{x \to 0}{\lim} f", r"\lim_{x \to 0} f"),
    "overset": (r"\overset{def}{=}", r"\stackrel{def}{=}"),
    "boxes": (r"\boxed{x=1}", "x=1"),
    "phantoms": (r"a\phantom{bcd}+\hspace{2cm}b", "a+b"),
    "colour": (r"\textcolor{red}{x}+{\color{blue}(y}+z)", "x+(y+z)"),
    "empty braces": (r"{}={}+a", "=+a"),
    "braced relation": (r"a{=}b", "a=b"),
    "array after a brace": (
        r"f=\left\{\begin{array}{ll}a & x>0\\ b & \text{otherwise}\end{array}\right.",
        r"f=\begin{cases}a & x>0\\ b & \text{otherwise}\end{cases}",
    ),
    "text with a formula": (r"\text{if $x<1$ and so on}", r"\text{if} x<1 \text{and so on}"),
    "bare prose": (r"x \ if \ y", r"x \text{if} y"),
    "differential is no prose": (r"f \ dx", "f d x"),
    "line break in brackets": (
        r"\begin{aligned}&(a\\&+b)\end{aligned}",
        r"\begin{aligned}&(a+b)\end{aligned}",
    ),
    "row spacing": (r"\begin{cases}a\\[2pt]b\\*c\end{cases}", r"\begin{cases}a\\b\\c\end{cases}"),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_these_print_alike_and_read_alike(one, other):
    assert parse_tree(one) == parse_tree(other)


@pytest.mark.parametrize("one", [pair[0] for pair in SAME.values()], ids=SAME)
def test_printed_trees_read_back(one):
    tree = parse_tree(one)
    assert parse_tree(latex(tree)) == tree


DIFFERENT = {
    "letter and font": (r"P", r"\mathcal{P}"),
    "bold": ("r", r"\mathbf{r}"),
    "roman letter": ("d", r"\mathrm{d}"),
    "power of letters": ("x^{ab}", r"x^{\mathrm{ab}}"),
    "bar and tilde": (r"\bar x", r"\tilde x"),
    "epsilons": (r"\epsilon", r"\varepsilon"),
    "prime and power": ("f'", "f^1"),
    "invisible braces": ("x+y^2", "{x+y}^2"),
    "case": ("p", "P"),
    "three bars": ("a|b|c", "a|b|+c"),
    "not a name": (r"\pi_{r e f}", r"\pi_{ref}"),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_these_stay_different(one, other):
    assert parse_tree(one) != parse_tree(other)


def test_nodes_of_a_formula():
    tree = parse_tree(r"\sqrt[3]{x'_1} = |\gamma_{a,b}|")
    root, equals, bars = tree
    assert root == Command(
        r"\sqrt", ((Scripted(Atom("x", None), (Number("1", None),), None, 1, None),),), None, (Number("3", None),)
    )
    assert equals == Atom("=", None)
    assert isinstance(bars, Group)
    assert (bars.open, bars.close) == ("|", "|")
    inner = bars.items[0]
    assert isinstance(inner, Scripted)
    assert [type(node) for node in inner.sub] == [Atom, Atom, Atom]


def test_half_open_intervals_are_brackets_but_wrong_brackets_are_not():
    (_, _, interval) = parse_tree(r"p \in [0, 1)")
    assert (interval.open, interval.close) == ("[", ")")
    (rounded,) = parse_tree(r"\lfloor x \rceil")
    assert (rounded.open, rounded.close) == (r"\lfloor", r"\rceil")
    with pytest.raises(BrokenLatex, match=r"1:6: \] closes the \( of 1:2"):
        parse_tree("f(s,T]")


def test_holes_only_in_patterns():
    assert parse_tree(r"\sigma(#z)", holes=True)[1].items == (Hole("z", None),)
    assert parse_tree(r"#P(#x\mid #q)", holes=True)[0] == Hole("P", None)
    with pytest.raises(BrokenLatex, match="1:8: a #z inside a formula"):
        parse_tree(r"\sigma(#z)")


def test_evaluation_bars_are_kept():
    assert parse_tree(r"\left. f \right|_{x=0}")[1].base == Atom("|", None)


def test_cases_have_rows_and_cells():
    (tree,) = parse_tree(r"\begin{cases} a & \text{if } r = 1, \\ b & \text{otherwise} \end{cases}")
    assert isinstance(tree, Environment)
    assert [len(row.cells) for row in tree.rows] == [2, 2]
    assert tree.rows[0].cells[1][0] == Words("if", None)
    assert tree.rows[1].cells[1] == (Words("otherwise", None),)


def test_rows_know_their_numbers():
    (row,) = parse_rows(r"\begin{align} a &= b \label{eq:a} \\ c &= d \tag{7} \\ e &= f \nonumber \end{align}")
    rows = row.items[0].rows
    assert [(one.label, one.tag) for one in rows] == [("eq:a", None), (None, "7"), (None, None)]


@pytest.mark.parametrize(
    ("formula", "name", "font"),
    [(r"\mathbb{E}", "E", "blackboard"), (r"{\cal J}", "J", "calligraphic"), (r"\mathrm{i.i.d.}", "i.i.d.", "upright")],
)
def test_names_keep_their_font(formula, name, font):
    assert parse_tree(formula) == (Name(name, font, None),)


BROKEN = {
    "double subscript": (r"\pi_{\theta}_{old}", 13, "double subscript"),
    "double superscript": ("x^a^b", 4, "double superscript"),
    "prime after a power": ("x^2'", 4, "double superscript"),
    "extra brace": (r"\frac{1}{1+x}} > p", 14, "this } has no partner"),
    "extra bracket": ("f(x)) = 1", 5, r"this \) has no partner"),
    "extra bracket in an argument": (r"\sqrt{x)}", 8, r"\) has no partner inside the \{ of 1:6"),
    "open bracket": (r"\log((x) - 1", 5, r"this \( is never closed"),
    "open brace": (r"\frac{1}{2", 9, r"this \{ is never closed"),
    "open set": (r"\max\{ x", 5, r"this \\\{ is never closed"),
    "bracket over an argument": ("x_{(a}b)", 4, r"this \( is never closed"),
    "lone bar": (r"p - q | = \left|x\right|", 7, r"this \| has no partner"),
    "lost bar": (r"|x = 1", 1, r"this \| has no partner"),
    "lost backslash": ("D( heta) = rac{1}{2}", 4, r"heta looks like \\theta with its backslash lost"),
    "lost fraction": ("x = rac{1}{2}", 5, r"rac looks like \\frac with its backslash lost"),
    "no argument": (r"\frac{1}", 1, r"\\frac has no argument"),
    "no script": ("x^", 2, r"\^ has no argument"),
    "bracket as script": ("x^(2)", 3, r"takes only this \("),
    "environment without end": (r"\begin{cases} a", 1, r"\\begin\{cases\} is never ended"),
    "wrong end": (r"\begin{cases}a\end{split}", 15, r"\\end\{split\} closes \\begin\{cases\} of 1:1"),
    "end without begin": (r"a \end{cases}", 3, r"this \\end has no partner"),
    "bracket over cells": (r"\begin{cases} (a & b) \end{cases}", 15, r"this \( is never closed"),
    "dollar": ("a $ b", 3, r"a \$ inside"),
    "lonely dollar in text": (r"\text{if $x}", 10, r"this \$ has no partner"),
    "second over": (r"{a \over b \over c}", 12, "a second"),
    "two rows": (r"a \\ b", 6, "second row"),
}


@pytest.mark.parametrize(("formula", "column", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_latex_is_refused_where_it_is_broken(formula, column, message):
    with pytest.raises(BrokenLatex, match=message) as caught:
        parse_tree(formula)
    assert (caught.value.place.line, caught.value.place.column) == (1, column)


@pytest.mark.parametrize("opening", ["(", "{", r"\frac{", "x_{", r"\begin{cases}", r"\sqrt[", r"\left|", r"a \over {"])
def test_nesting_is_limited(opening):
    with pytest.raises(TooLarge, match=f"nested deeper than {MAX_NESTING} levels"):
        parse_tree(opening * 3000)


def test_size_is_limited():
    with pytest.raises(TooLarge, match=f"more than {MAX_TOKENS} tokens"):
        parse_tree("x" * (MAX_TOKENS + 1))


def test_places_are_absolute():
    source = Source("paper.tex", "first line\nf = \\frac{a}{\\beta_1}")
    tokens = tokens_of(source, 11)
    tree = parse_tree(tokens)
    beta = next(node for node in walk(tree) if isinstance(node, Scripted))
    assert str(beta.place) == "paper.tex:2:14"
    assert beta.place.text == r"\beta_1"
    assert place_of(tree) == Place(source, 11, len(source.text))
    assert source.offset(2, 14) == beta.place.start
