"""Signs with more than one meaning: read where the paper leaves one, refused with the reason where it leaves more."""

import pytest

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.places import Source
from grpo_symbolic.translate.text import expression_text

MAP = r"""
[symbols]
x = "(-oo, oo)"
y = "(-oo, oo)"
t = "(-oo, oo)"
a = "(0, oo)"
b = "(0, oo)"
k = "(0, oo)"
p = "(0, 1)"
c = { in = "(0, oo)", constant = true }
[[notation]]
tex = 'f(#z)'
is = "z**3"
name = "f"
[[notation]]
tex = 'w^{(1)}'
is = "a"
"""


def readings(paper, notation=MAP):
    """What every step of a paper was read as, or the reason why it was not."""
    known = read_map([Document(Source("paper.notation.toml", notation))])
    outcomes = interpret(read_text(paper).displays(), known).outcomes
    return [one.refusal.reason if one.read is None else expression_text(one.read.instances[0].left) for one in outcomes]


def reading(formula, notation=MAP, text=""):
    """What the left side of one equation was read as, or why not; ``text`` stands before it."""
    (found,) = readings(rf"{text} \begin{{equation}} {formula} = 0 \end{{equation}}", notation)
    return found


@pytest.mark.parametrize(
    "formula",
    [
        r"x^{(2)}",
        r"x^{(k)}",
        r"x^{(t+1)} - x^{(t)}",
        r"a^{[2]}",
        r"a^{\{2\}}",
        r"a^{\langle 2\rangle}",
        r"\left(x\right)^{(2)}",
        r"(x+1)^{(2)}",
        r"f(x)^{(2)}",
        r"\sqrt{a}^{(2)}",
        r"\log^{(2)} a",
        r"e^{(2)}",
        r"e^{(t)}",
        r"e^{(t+1)}",
    ],
)
def test_a_superscript_in_brackets_is_no_power(formula):
    assert "superscript in brackets" in reading(formula)


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        ("x^2", "x²"),
        ("2^{(k)}", "exp(k·log(2))"),
        ("e^{(x+y)}", "exp(x + y)"),
        ("a^{-(x+y)}", "exp((-(x + y))·log(a))"),
        ("w^{(1)}", "a"),
        ("f^{(1)}(x)", "∂/∂x [f(x)]"),
        ("f^{(2)}(x)", "[∂/∂z [∂/∂z [f(z)]] at z = x]"),
    ],
)
def test_what_is_a_power_or_is_declared_is_read(formula, meaning):
    assert reading(formula) == meaning


@pytest.mark.parametrize("formula", ["f^{(k)}(x)", "f^{(0)}(x)", "f^{(9)}(x)", "f'^{(2)}(x)", "f^{[2]}(x)"])
def test_a_derivative_of_another_order_is_refused(formula):
    assert "not declared" in reading(formula)


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{\partial a}{\partial b}",
        r"\frac{\partial a}{\partial b} - 7 \frac{\partial a}{\partial k}",
        r"\frac{d}{dt} \left(\frac12 x^2\right)",
        r"\frac{d}{dt} c x",
        r"\frac{\partial^2 x}{\partial t^2} + \frac{\partial^2 x}{\partial y^2}",
        r"\frac{\partial}{\partial x} f(y)",
        r"\frac{\partial \log p}{\partial k}",
        r"\int_0^1 y\, dx",
        r"\lim_{x \to 0} y",
        r"x \frac{d}{dt} (y + c)",
        r"\frac{d}{dx} (x y) + \frac{d y}{d x}",
        r"\frac{d}{dx} (x^2 + y^2) + y(x)",
        r"\frac{d}{dt} (t x) + \dot{x}",
        r"\int_0^1 x y\, dx + \frac{\partial y}{\partial x}",
        r"\frac{d}{dx} (x y) + \partial_x y",
        r"\frac{d}{dx} (x y) + \nabla y",
    ],
)
def test_a_symbol_that_may_depend_on_the_variable_is_not_taken_for_a_constant(formula):
    assert "depend on it" in reading(formula)


@pytest.mark.parametrize(
    "text",
    [
        "For a function $y$ of $x$ we have",
        "Here $y$ is a smooth function of $x$.",
        "where $y$ depends on $x$:",
        r"We regard \(y\) as a function of \(x\).",
        "With $y = y(x)$ we get",
        "$y$ varies with $x$.",
    ],
)
def test_what_the_words_let_depend_on_the_variable_is_no_constant(text):
    assert "lets depend on it" in reading(r"\frac{d}{dx} (x y)", text=text)
    assert reading(r"\frac{d}{dy} (x y)", text=text) == "∂/∂y [x·y]"


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        (r"\frac{d}{dx} (a x^2)", "∂/∂x [a·x²]"),
        (r"\frac{\partial}{\partial x} (x y)", "∂/∂x [x·y]"),
        (r"\frac{d}{dx} f(x)", "∂/∂x [f(x)]"),
        (r"\frac{d c}{d x}", "∂/∂x [c]"),
        (r"\frac{d}{dx} 3", "∂/∂x [3]"),
        (r"\int_0^1 c\, dx", "∫[c for x from 0 to 1]"),
        (r"\int_0^1 a x\, dx", "∫[a·x for x from 0 to 1]"),
    ],
)
def test_a_known_dependence_is_read(formula, meaning):
    assert reading(formula) == meaning


def test_what_is_taken_not_to_depend_on_the_variable_is_noted():
    known = read_map([Document(Source("paper.notation.toml", MAP))])
    paper = r"$$ \frac{d}{dx} (a c x^2) = 2 a c x $$ $$ \frac{d}{dx} (c x) = c $$"
    first, second = interpret(read_text(paper).displays(), known).outcomes
    assert [note.text for note in first.read.notes] == ["taken not to depend on x: a"]
    assert second.read.notes == ()


def test_constant_is_true_or_false():
    text = '[symbols]\nx = { in = "(0, 1)", constant = "x" }'
    with pytest.raises(MapError, match="neither true nor false"):
        read_map([Document(Source("paper.notation.toml", text))])


BOTH = MAP + '[[notation]]\ntex = \'p(#t)\'\nis = "1/(1 + exp(-t))"\nname = "p"\n'


@pytest.mark.parametrize("formula", ["p(1-p)", "p(p-1)", "p(-x)", "p(x+y)", "p(1-p)^2", "a + 2p(1-p)"])
def test_a_letter_that_is_a_symbol_and_a_function_is_not_guessed_before_a_sum(formula):
    assert "a product or the function p(#t)?" in reading(formula, BOTH)


def test_a_function_that_the_paper_defines_hides_a_symbol_that_is_not_in_its_bracket():
    known = MAP + "[[definition]]\nquote = 'p(t) = t^2'\nparams = ['t']\n"
    *_, ambiguous, other = readings(r"$$ p(t) = t^2 $$ $$ p(1-p) = 0 $$ $$ p(1-x) = 0 $$", known)
    assert "a product or the function" in ambiguous
    assert other == "p(1 - x)"


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        ("p(x)", "p(x)"),
        ("p(2x)", "p(2·x)"),
        (r"p\cdot(1-p)", "p·(1 - p)"),
        ("(1-p)p", "(1 - p)·p"),
        ("f(1-p)", "f(1 - p)"),
        ("x(1-p)", "x·(1 - p)"),
    ],
)
def test_a_letter_before_a_bracket_is_read_where_it_has_one_meaning(formula, meaning):
    assert reading(formula, BOTH) == meaning


@pytest.mark.parametrize("use", ["x(t) = a", "x(t)^2 = a", "a = b + x(t, y)", r"x(t \mid y) = a", r"\sqrt{x(a)} = b"])
def test_a_symbol_that_the_paper_applies_to_a_letter_is_not_guessed_before_a_sum(use):
    assert "a product or a function?" in readings(rf"$$ {use} $$ $$ x(1-t) = 0 $$")[-1]
    assert readings(rf"$$ {use} $$ $$ y(1-t) = 0 $$")[-1] == "y·(1 - t)"


def test_an_application_that_the_map_declares_makes_no_function():
    known = MAP.replace("[[", "s = { in = \"(0, 1)\", tex = ['s', 's(t)'] }\n[[", 1)
    assert readings(r"$$ s(t) = a $$ $$ s(1-s) = 0 $$", known) == ["s", "s·(1 - s)"]
    assert "a product or a function?" in readings(r"$$ s(y) = a $$ $$ s(1-s) = 0 $$", known)[1]


@pytest.mark.parametrize("use", ["x(2) = a", "x(t + 1)(t) = a", "(x)(t) = a", "x a(1 + t) = b"])
def test_a_factor_in_brackets_makes_no_function(use):
    assert readings(rf"$$ {use} $$ $$ x(1-t) = 0 $$")[-1] == "x·(1 - t)"


@pytest.mark.parametrize(
    ("paper", "read"),
    [
        (r"$$ a + b + e = 8 $$ $$ e^2 = 1 $$", False),
        (r"$$ a < e $$ $$ e^2 + a^2 = 16 $$", False),
        (r"$$ a = \frac{b}{1 + e} $$ $$ e^x = 1 $$", False),
        (r"$$ a = b^{e} $$ $$ e^x = 1 $$", False),
        (r"$$ e' = 1 $$ $$ e^x = 1 $$", False),
        (r"$$ x > 0 \quad \text{for } e > 1 $$ $$ e^x = 1 $$", False),
        (r"Let $e > 0$. $$ e^x = 1 $$", False),
        (r"Let $a, b, e$ be positive. $$ e^x = 1 $$", False),
        (r"$$ e^2 + a^2 + d^2 = 3 $$", False),
        (r"$$ e^2 + f^2 = 3 $$", False),
        (r"$$ e^{-a x} = e^{b} $$", True),
        (r"$$ e_1 = a $$ $$ e^x = 1 $$", True),
        (r"$$ x = a, we add more smoothing here $$ $$ e^x = 1 $$", True),
        (r"$$ x_e = a $$ $$ e^x = 1 $$", True),
        (r"Here $e$ is Euler's number. $$ e^x = 1 $$", True),
        (r"Then $e^x$ and $\text{rate}$ and $r_{e}$ and $\mathrm{e}$ grow. $$ e^x = 1 $$", True),
        (r"$$ a + \mathrm{e} = 8 $$ $$ e^x = 1 $$", True),
        (r"$$ a = e $$ $$ e^x = 1 $$", True),
        (r"$$ a = e $$ $$ \mathrm{e}^x = 1 $$", True),
        (r"$$ a^2 + b^2 + e^2 = 3 $$", True),
    ],
)
def test_e_is_the_base_of_exponentials_only_where_it_is_no_letter(paper, read):
    *_, last = readings(paper)
    assert ("which stands elsewhere in the paper as a letter" in last) is not read


def test_a_declared_e_is_what_the_map_says():
    paper = r"$$ a + e = 8 $$ $$ e^x = 1 $$"
    # In the one case log(e) is 1, in the other e is any number.
    assert readings(paper, MAP + "[[notation]]\ntex = 'e'\nis = \"e\"\n")[1] == "exp(x·log(e))"
    assert readings(paper, MAP.replace("[[", 'e = "(0, 1)"\n[[', 1))[1] == "exp(x·log(e))"


@pytest.mark.parametrize(
    ("power", "sign"),
    [
        ("x^{1/2}", "not negative"),
        (r"x^{\frac{3}{2}}", "not negative"),
        ("x^{-1/2}", "positive"),
        ("x^a", "positive"),
        (r"\sqrt[3]{x}", "positive"),
        ("(x + y)^{1/3}", "positive"),
        ("(1 - a)^{a}", "positive"),
        ("f(x)^{0.3}", "positive"),
        ("x^2", ""),
        ("x^{-3}", ""),
        ("a^{1/2}", ""),
        ("a^x", ""),
        ("2^x", ""),
        ("e^x", ""),
        ("(1 - p)^{a}", ""),
        ("(1 + x^2)^{y}", ""),
    ],
)
def test_a_power_that_narrows_the_domain_says_so(power, sign):
    known = read_map([Document(Source("paper.notation.toml", MAP))])
    (outcome,) = interpret(read_text(rf"$$ {power} = k $$").displays(), known).outcomes
    notes = [note.text for note in outcome.read.notes]
    assert notes == ([f"{power} is read only where its base is {sign}"] if sign else [])


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        (r"\frac{d^2 + a^2 + 3}{d + a}", "(d² + a² + 3)/(d + a)"),
        (r"\frac{d}{d + a}", "d/(d + a)"),
        (r"\frac{d a}{d \cdot a}", "d·a/(d·a)"),
        (r"\frac{d a}{d b}", "a fraction with the declared symbol d"),
        (r"\frac{d}{d b}", "a fraction with the declared symbol d"),
    ],
)
def test_a_derivative_has_a_variable_right_after_its_d(formula, meaning):
    assert reading(formula, MAP.replace("[symbols]", '[symbols]\nd = "(0, oo)"')).startswith(meaning)


@pytest.mark.parametrize(
    ("text", "formula", "meaning"),
    [
        (r"$$\int_0^1 x^2 dx = \frac13$$", r"\left[\frac{x^3}{3}\right]_0^1", "[x³/3 at x = 1] - [x³/3 at x = 0]"),
        (r"$$\int_0^t x y dx = t$$", r"[x^2 y]_0^t", "[x²·y at x = t] - [x²·y at x = 0]"),
        ("", r"[e^{-x}]_0^\infty", "lim[exp(-x) for x → ∞] - [exp(-x) at x = 0]"),
        ("", r"[x]_0^1", "brackets with an index and a superscript"),
        ("", r"[x y]_0^\infty", "brackets with an index and a superscript"),
        (r"$$\int_0^2 x^2 dx = 1$$", r"[x]_0^1", "brackets with an index and a superscript"),
        (r"$$\int_0^1 x dx = \int_0^1 y dy$$", r"[x y]_0^1", "brackets with an index and a superscript"),
        (r"$$\int_0^1 x dx = 1$$", r"(x^2)_0^1", "an index on something that is not declared with one"),
    ],
)
def test_brackets_between_ends_are_those_of_an_integral(text, formula, meaning):
    assert readings(rf"{text} \begin{{equation}} {formula} = 0 \end{{equation}}")[-1].startswith(meaning)


FAMILY = """
[sets]
I = "1..2"
[indices]
"i, j" = "I"
[[notation]]
tex = 'a_{#i#j}'
by = { "1, 1" = "11", "1, 2" = "12", "2, 1" = "21", "2, 2" = "22" }
"""


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        (r"\sum_{i=1}^2 \sum_{j=1}^2 a_{ij}", "11 + 12 + 21 + 22"),
        (r"\sum_{j=1}^2 a_{j 1}", "11 + 21"),
        ("a_{12}", "12"),
        (r"\sum_{i=1}^2 a_{ii}^2", "11² + 22²"),
        ("a_{123}", "a_{123} is not declared"),
        (r"a_{\text{on}}", r"a_{\text{on}} is not declared"),
    ],
)
def test_two_indices_stand_side_by_side(formula, meaning):
    assert reading(formula, FAMILY).startswith(meaning)
