"""Finding formulas in a paper: delimiters, environments, comments, macros, included files, limits."""

from __future__ import annotations

import os

import pytest

from grpo_symbolic.reading.document.files import MAX_BYTES, Files, InputRefused, read_source
from grpo_symbolic.reading.document.paper import read_paper, read_text
from grpo_symbolic.reading.places import BrokenLatex, TooLarge
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.macros import MAX_CALLS
from grpo_symbolic.reading.tex.tree import walk


def texts(paper):
    return [(block.kind, " ".join(block.inner.text.split())) for block in paper.blocks]


FOUND_IN_TEX = {
    "dollars": (r"a $x$ b $$y$$", [("inline", "x"), ("display", "y")]),
    "brackets": (r"a \(x\) b \[y\]", [("inline", "x"), ("display", "y")]),
    "environment": (
        r"\begin{align*}a&=b\end{align*}",
        [("display", r"\begin{align*}a&=b\end{align*}")],
    ),
    "text environment": (r"\begin{proof} $x$ \end{proof}", [("inline", "x")]),
    "comment": ("% $x$\n$y$", [("inline", "y")]),
    "escaped percent": (r"5\% $y$", [("inline", "y")]),
    "escaped dollar": (r"\$5 and $y$", [("inline", "y")]),
    "row break before a bracket": (r"a \\[2pt] b $y$", [("inline", "y")]),
    "verbatim": (r"\begin{verbatim} $x$ \end{verbatim} \verb|$z$| $y$", [("inline", "y")]),
    "comment environment": (r"\begin{comment} $x$ \end{comment} $y$", [("inline", "y")]),
    "switched off": (r"\iffalse $x$ \fi $y$", [("inline", "y")]),
    "after the end": (r"$y$ \end{document} $x$", [("inline", "y")]),
    "dollars in text": (r"$$x \text{ if $y$ holds}$$", [("display", r"x \text{ if $y$ holds}")]),
    "comment in a formula": ("$$x % }$$\n+y$$", [("display", "x % }$$ +y")]),
}


@pytest.mark.parametrize(("text", "expected"), FOUND_IN_TEX.values(), ids=FOUND_IN_TEX)
def test_formulas_in_latex(text, expected):
    assert texts(read_text(text)) == expected


FOUND_IN_MARKDOWN = {
    "dollars": ("a $x$ b\n\n$$y$$\n", [("inline", "x"), ("display", "y")]),
    "environment": ("\\begin{equation}a=b\\end{equation}", [("display", r"\begin{equation}a=b\end{equation}")]),
    "code": ("`$x$` and\n```\n$$z$$\n```\n$y$", [("inline", "y")]),
    "comment": ("<!-- $x$ --> $y$", [("inline", "y")]),
    "percent is text": ("5% of $y$", [("inline", "y")]),
    "dollars of another paragraph": ("costs $5.\n\nand $y$", [("inline", "y")]),
}


@pytest.mark.parametrize(("text", "expected"), FOUND_IN_MARKDOWN.values(), ids=FOUND_IN_MARKDOWN)
def test_formulas_in_markdown(text, expected):
    assert texts(read_text(text, tex=False)) == expected


def test_sections():
    paper = read_text("\\section{One}\n$x$\n\\subsection*{Two  three}\n$y$")
    assert [block.section for block in paper.blocks] == ["One", "Two three"]
    paper = read_text("# One\n$x$\n### Two\n$y$", tex=False)
    assert [block.section for block in paper.blocks] == ["One", "Two"]


def test_unclosed_displays_are_broken_and_the_next_paragraph_is_read():
    paper = read_text("$$ a = b \n\n \\[ c \n\n $$d = e$$ \\begin{align} f")
    messages = [display.broken and str(display.broken) for display in paper.displays()]
    assert messages == [
        "paper.tex:1:1: this $$ is never closed in its paragraph",
        r"paper.tex:3:2: this \[ is never closed in its paragraph",
        None,
        "paper.tex:5:12: the environment align is never ended",
    ]


def test_inline_formulas_are_read_when_selected():
    paper = read_text("Let $x = 1$ and $y$, so $$z = 2$$")
    assert len(paper.displays()) == 1
    chosen = paper.displays(lambda block: block.kind == "inline" and "x" in block.inner.text)
    assert [len(display.steps) for display in chosen] == [1]


def test_map_lines_of_latex():
    paper = read_text("%: set O = a, b\n$$x % plain\n %: var x in (0,1)\n$$ \\% %not %: here\n%:\n")
    assert [(line.text, line.place.line, line.place.column) for line in paper.map_lines] == [
        ("set O = a, b", 1, 3),
        ("var x in (0,1)", 3, 4),
    ]


def test_map_lines_of_markdown():
    paper = read_text("<!--: set O = a, b\n  bind o over O -->\n%: var x in (0,1)\n<!-- no -->\n", tex=False)
    assert [(line.text, line.place.line) for line in paper.map_lines] == [
        ("set O = a, b", 1),
        ("bind o over O", 2),
        ("var x in (0,1)", 3),
    ]


MACROS = {
    "new command": (r"\newcommand{\KL}[2]{D(#1\|#2)}", r"\KL{p}{q}", r"D(p\|q)"),
    "optional argument": (r"\newcommand\h[2][2]{x_{#1}^{#2}}", r"\h a + \h[3]{b}", "x_2^a + x_3^b"),
    "renewed": (r"\renewcommand{\epsilon}{\varepsilon}", r"\epsilon", r"\varepsilon"),
    "def": (r"\def\a#1{#1+1}", r"\a x \a{yz}", "x+1yz+1"),
    "nested": (r"\def\a#1{(#1)}\def\b#1{\a{\a{#1}}}", r"\b x", "((x))"),
    "let keeps the old meaning": (r"\let\old\phi \renewcommand{\phi}{\varphi}", r"\old+\phi", r"\phi+\varphi"),
    "let copies a macro": (r"\def\a{x}\let\b=\a \def\a{y}", r"\b", "x"),
    "operator": (r"\DeclareMathOperator{\sgn}{sign}", r"\sgn x", r"\operatorname{sign} x"),
    "operator with limits": (r"\DeclareMathOperator*{\am}{arg\,max}", r"\am_x", r"\operatorname{argmax}_x"),
    "paired delimiter": (r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}", r"\abs{x}+\abs*{y}", "|x|+|y|"),
    "document command": (r"\NewDocumentCommand{\f}{m m}{\frac{#1}{#2}}", r"\f12", r"\frac{1}{2}"),
    "digits are single arguments": (r"\def\f#1#2{\frac{#1}{#2}}", r"\f123", r"\frac{1}{2}3"),
    "defined inside": ("", r"\def\a{x}\a", "x"),
    "delimited parameters are left alone": (r"\def\a(#1){x}", r"\a(y)", r"\a(y)"),
}  # fmt: skip


@pytest.mark.parametrize(("definition", "formula", "expected"), MACROS.values(), ids=MACROS)
def test_macros(definition, formula, expected):
    (block,) = read_text(f"{definition}\n$${formula}$$").blocks
    assert parse_tree(block.tokens()) == parse_tree(expected)


def test_macros_hold_from_their_definition_on():
    blocks = read_text(r"$\a$ \def\a{x} $\a$ \def\a{y} $\a$").blocks
    assert [parse_tree(block.tokens()) for block in blocks] == [parse_tree(text) for text in (r"\a", "x", "y")]


def test_macros_for_environments():
    paper = read_text(
        "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\n\\be a = b \\ee text \\be c = d \\ee"
    )
    assert [len(display.steps) for display in paper.displays()] == [1, 1]
    assert paper.displays()[1].place.text == r"\be c = d \ee"


def test_places_inside_macros():
    (block,) = read_text("\\newcommand{\\twice}[1]{2\\cdot#1}\n$$x = \\twice{y}$$").blocks
    places = {node.text: (node.place.line, node.place.column) for node in walk(parse_tree(block.tokens()))}
    assert places["2"] == places[r"\cdot"] == (2, 7)
    assert places["y"] == (2, 14)


@pytest.mark.parametrize("body", [r"\a", r"\a\a", r"x\a", r"\frac{\a}{\a}"])
def test_macro_expansion_is_limited(body):
    (display,) = read_text(rf"\newcommand{{\a}}{{{body}}} $$\a$$").displays()
    assert isinstance(display.broken, TooLarge)
    assert "expands to too much; does it call itself?" in display.broken.reason
    assert MAX_CALLS <= 10_000


def test_billion_laughs():
    definitions = "".join(rf"\def\{chr(98 + n)}{{" + rf"\{chr(97 + n)}" * 10 + "}" for n in range(12))
    (display,) = read_text(rf"\def\a{{x}}{definitions} $$\m$$").displays()
    assert isinstance(display.broken, TooLarge)


def test_a_macro_without_its_argument_is_broken_where_it_is_called():
    first, second = read_text(r"\def\a#1#2{#1} $$x = \a{y}$$ $$c = d$$").displays()
    assert (first.broken.reason, first.broken.place.column) == (r"\a needs another argument", 22)
    assert len(second.steps) == 1


def test_a_definition_that_never_ends_is_a_problem_and_the_text_goes_on():
    paper = read_text("\\newcommand{\\a}[1]{x \n\n $$a = b$$")
    assert [str(problem) for problem in paper.problems] == ["paper.tex:1:19: this { is never closed"]
    assert len(paper.displays()) == 1


def test_included_files(tmp_path):
    (tmp_path / "sections").mkdir()
    (tmp_path / "sections" / "one.tex").write_text("\\def\\a{x}\n$$\\a = 1$$", encoding="utf-8")
    (tmp_path / "paper.tex").write_text("\\input{sections/one}\n\\include{two}\n$$\\a = 2$$", encoding="utf-8")
    paper = read_paper(tmp_path / "paper.tex")
    assert [str(block.place) for block in paper.blocks] == ["sections/one.tex:2:1", "paper.tex:3:1"]
    assert parse_tree(paper.blocks[1].tokens()) == parse_tree("x = 2")
    assert [str(problem) for problem in paper.problems] == [
        "paper.tex:2:1: there is no file two in the folder of the paper"
    ]


@pytest.mark.parametrize("name", ["../secret", "../secret.tex", "/etc/passwd", "link", "sub/../../secret"])
def test_input_cannot_leave_the_folder(tmp_path, name):
    folder = tmp_path / "paper"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.tex").write_text("$$x$$", encoding="utf-8")
    os.symlink(tmp_path / "secret.tex", folder / "link.tex")
    (folder / "paper.tex").write_text(f"\\input{{{name}}}$$a = b$$", encoding="utf-8")
    paper = read_paper(folder / "paper.tex")
    assert len(paper.blocks) == 1
    assert "is outside the folder of the paper" in str(paper.problems[0])


def test_input_in_a_circle():
    files = Files(texts={"a.tex": r"\input{b} $x$", "b.tex": r"\input{a} $y$"})
    paper = read_text(r"\input a", files=files)
    assert [str(problem) for problem in paper.problems] == ["b.tex:1:1: a.tex includes itself"]
    assert [block.inner.text for block in paper.blocks] == ["y", "x"]


def test_many_and_deep_inputs_are_limited():
    wide = read_text(r"\input{a}" * 150, files=Files(texts={"a.tex": "$x$"}))
    assert len(wide.blocks) == 100
    deep = {f"f{n}.tex": rf"\input{{f{n + 1}}} $x$" for n in range(30)}
    assert len(read_text(r"\input{f0}", files=Files(texts=deep)).problems) == 1


def test_odd_files(tmp_path):
    latin = tmp_path / "latin.tex"
    latin.write_bytes("caf\xe9 $x$".encode("latin-1"))
    assert read_paper(latin).blocks[0].inner.text == "x"
    marked = tmp_path / "marked.md"
    marked.write_bytes(b"\xef\xbb\xbf# One\r\n$$a = b$$\r\n(3)\r\n")
    (display,) = read_paper(marked).displays()
    assert (display.section, display.tag) == ("One", "3")
    large = tmp_path / "large.tex"
    large.write_bytes(b"x" * (MAX_BYTES + 1))
    with pytest.raises(InputRefused, match="larger than"):
        read_source(large)
    with pytest.raises(OSError, match=r"[Nn]o such"):
        read_paper(tmp_path / "missing.tex")


HOSTILE = {
    "open parentheses": r"\(" * 200_000,
    "open environments": r"\begin{align}" * 50_000,
    "open braces and dollars": "${" * 100_000,
    "open comments": "<!--" * 100_000,
    "definitions": r"\def\a{}" * 100_000,
    "different definitions": "".join(rf"\newcommand{{\a{'b' * n}}}{{}}" for n in range(400)) * 20,
    "cut definitions": r"\def\a{" * 100_000,
    "verb": r"\verb|" + r"\verb!" * 100_000,
    "backticks": "`" * 200_001,
    "many formulas": "$x$" * 60_000,
    "environment macros": r"\def\be{\begin{align}}" + r"\be" * 50_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("size", [5_000, pytest.param(400_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tex", [True, False], ids=["tex", "markdown"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_do_not_hang(text, tex, size):
    paper = read_text(text[:size], tex=tex)
    for display in paper.displays(lambda block: block.place.start < 50):
        assert display.broken is None or isinstance(display.broken, BrokenLatex)
