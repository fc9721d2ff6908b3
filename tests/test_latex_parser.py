"""The reader of formulas: what it reads, what it refuses and says about it, and that nothing hurts it."""

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from property_tests import examples
from reading_oracle import same

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.places import BrokenLatex, Source
from grpo_symbolic.reading.tex.build import parse_tree

MAP = r"""
[symbols]
x = "(0, 1)"
y = "(0, oo)"
n = "(0, oo)"
p = "(0, 1)"
f_0 = { in = "(0, 1)", tex = 'p^*' }
p_1 = "(0, 1)"
q_n = { in = "(0, 1)", tex = ['q_n', 'q_n(t)'] }
v = { in = "(0, 1)", tex = 'u(a \mid c)' }
beta = "(0, oo)"
r_1 = "(-oo, oo)"
r_2 = "(-oo, oo)"
r_3 = "(-oo, oo)"
[sets]
O = ["a", "b"]
I = "1..3"
[indices]
"o, o', s" = "O"
i = "I"
c = "point"
[sizes]
G = [2, 3]
[[notation]]
tex = 'u(#o \mid c)'
by = { a = "v", b = "1 - v" }
alone = 'u'
[[notation]]
tex = 'w(#o)'
by = { a = "x", b = "1 - x" }
alone = 'w'
[[notation]]
tex = 'R(#o)'
by = { a = 1, b = 0 }
[[notation]]
tex = 'P(#o \succ #l)'
by = { "a, b" = "p", "b, a" = "1 - p", "a, a" = "1/2", "b, b" = "1/2" }
[[notation]]
tex = 'r_{#i}'
by = { 1 = "r_1", 2 = "r_2", 3 = "r_3" }
[[notation]]
tex = '\sigma(#z)'
is = "1/(1 + exp(-z))"
name = "sigma"
[[notation]]
tex = '\operatorname{mean}(#r, \dots)'
is = "mean(r)"
[[notation]]
tex = '\operatorname{std}(#r, \dots)'
is = "std(r)"
[[notation]]
tex = '\mathrm{KL}(#P \| #Q)'
expand = '\mathbb{E}_{s \sim #P}[\log \frac{#P(s)}{#Q(s)}]'
[[notation]]
tex = '\mathrm{KL}_{\mathrm{rev}}(#P \| #Q)'
expand = '\mathrm{KL}(#Q \| #P)'
[[notation]]
tex = '\tan^{-1}'
is = "arctan"
[[notation]]
tex = '\mathbb{E}[r \mid o]'
is = "y"
[[notation]]
tex = 'loop(#z)'
expand = 'loop(#z) + 1'
[[notation]]
tex = '\mathcal{J}'
skip = "an objective"
"""
NAMES = ("x", "y", "n", "p", "f_0", "p_1", "q_n", "v", "beta", "r_1", "r_2", "r_3")


@cache
def notation(more=""):
    return read_map([Document(Source("map.toml", MAP + more))])


def context(more=""):
    return notation(more).context()


def read(latex, more=""):
    return read_sides([parse_tree(latex)], context(more))[0]


def agree(latex, formula, more=""):
    """Whether the LaTeX is read with the value of the formula, at two points; derivatives are carried out."""
    expected = read_formula(formula, {name: notation().symbol(name) for name in NAMES})
    samples = [
        {name: mpf(3 + (7 * shift + 5 * index) % 19) / 23 for index, name in enumerate(NAMES)} for shift in (1, 4)
    ]
    return same(unfold(read(latex, more)), unfold(expected), samples)


READ = [
    ("p(1-p)", "p*(1 - p)"),
    (r"\beta(p + x)", "beta*(p + x)"),
    (r"\frac12 x^2", "x**2/2"),
    ("0.25x", "x/4"),
    ("2x^{3/2}y^{-1}", "2*x**(3/2)/y"),
    ("x^{y}", "exp(y*log(x))"),
    (r"\sqrt[3]{y}", "exp(log(y)/3)"),
    ("e^{-x/2}", "exp(-x/2)"),
    (r"\mathrm{e}^{x}", "exp(x)"),
    (r"\exp\left(-\frac1\beta x\right)", "exp(-x/beta)"),
    (r"\log\frac{x}{y} - 1", "log(x/y) - 1"),
    (r"\log(x) y", "y*log(x)"),
    (r"\log x \cosh y", "log(x)*cosh(y)"),
    (r"\cosh^2(x)", "cosh(x)**2"),
    (r"\log{\left(x \right)}", "log(x)"),
    (r"\tan^{-1}(x) + \tan x", "arctan(x) + tan(x)"),
    (r"\max\left\{1-\beta, x, y\right\}", "max(1 - beta, max(x, y))"),
    (r"\min(x, y)^2", "min(x, y)**2"),
    (r"|2p^*-1| + \lvert x\rvert", "abs(2*f_0 - 1) + abs(x)"),
    ("p^* + p^2 + p_1", "f_0 + p**2 + p_1"),
    ("1/2 + x/(2y)", "1/2 + x/(2*y)"),
    (r"1/4 \cdot x^2 y", "x**2*y/4"),
    ("-x - -y", "y - x"),
    ("(x)(y)", "x*y"),
    (r"x \times y \cdot 2", "2*x*y"),
    ("[x + \\{y - (1)\\}]", "x + y - 1"),
    ("3!x", "6*x"),
    (r"\binom{4}{2} x", "6*x"),
    (r"\operatorname{sign}(x - 2)", "-1"),
    (r"\mathrm{sgn}(y)", "1"),
    (r"u(a|c) + u(b \mid c)", "1"),
    (r"w(a)^2", "x**2"),
    (r"\sigma(y)(1-\sigma(y))", "exp(-y)/(1 + exp(-y))**2"),
    (r"\sigma'(y)", "exp(-y)/(1 + exp(-y))**2"),
    (r"\frac{d}{dx} x^2 y", "2*x*y"),
    (r"\frac{\partial (x y)}{\partial x}", "y"),
    (r"\frac{d^2}{dx^2} (x^3)", "6*x"),
    (r"\frac{\partial}{\partial u(a \mid c)} u(b \mid c)^2", "-2*(1 - v)"),
    (r"\mathbb{E}_{o \sim u(\cdot \mid c)}[w(o)]", "v*x + (1 - v)*(1 - x)"),
    (r"\mathbb{E}_{c \sim \mu} \mathbb{E}_{o \sim u(.|c)} w(o) + 1", "v*x + (1 - v)*(1 - x) + 1"),
    (r"\mathbb{E}_{o \sim u(.|c), o' \sim w}[P(o \succ o')]", "(v*x + (1-v)*(1-x))/2 + v*(1-x)*p + (1-v)*x*(1-p)"),
    (r"\mathbb{E}_{w} \mathbb{1}_{R(o) = 1}", "x"),
    (r"\mathbb{E}_{o \sim w}[R(o)]^2", "x**2"),
    (r"\mathrm{Var}_{o \sim w} R(o)", "x*(1 - x)"),
    (r"\mathbb{P}_{o \sim w}(R(o) = 1)", "x"),
    (r"\mathbb{1}\{x > 2\} + \mathbf{1}_{x < 2}", "1"),
    (r"\int du(o|c) w(o)", "v*x + (1 - v)*(1 - x)"),
    (r"\mathrm{KL}(u(\cdot|c) || w)", "v*log(v/x) + (1 - v)*log((1 - v)/(1 - x))"),
    (r"\mathrm{KL}_{\mathrm{rev}}(w \mid\mid u)", "v*log(v/x) + (1 - v)*log((1 - v)/(1 - x))"),
    (r"\mathbb{E}[r \mid o] + 1", "y + 1"),
    (r"\sum_{o} u(o \mid c)", "1"),
    (r"\sum_{o'} u(o' \mid c) \sum_o w(o)", "1"),
    (r"\sum_{i=1}^{3} i r_i", "r_1 + 2*r_2 + 3*r_3"),
    (r"\prod_{i=1}^{3} r_i", "r_1*r_2*r_3"),
    (r"\frac13 \sum_{j=1}^{3} (r_j - r_1)^2", "((r_2 - r_1)**2 + (r_3 - r_1)**2)/3"),
    (r"\sum_{i=1}^2 r_i + \sum_{i=1}^2 r_{i+1}", "r_1 + 2*r_2 + r_3"),
    (r"\operatorname{mean}(r_1, \dots, r_3)", "(r_1 + r_2 + r_3)/3"),
    (r"\operatorname{std}(r_1, r_2, \ldots, r_3)", "std(r_1, r_2, r_3)"),
    (r"\begin{cases} x & \text{if } R(a) = 1 \\ y & \text{otherwise} \end{cases}", "x"),
    (r"\begin{cases} x & y > 2, \\ y & y \le 2 \end{cases}", "y"),
    (r"\left. y^2 + y \right|_{y=1}^{2}", "4"),
    (r"\underbrace{x + y}_{z} - y", "x"),
    ("{(x)}^2", "x**2"),
    ("{x}^2", "x**2"),
]  # fmt: skip


@pytest.mark.parametrize(("latex", "formula"), READ)
def test_reads(latex, formula):
    assert agree(latex, formula) is True


REFUSED = [
    # Function or product, and undeclared names.
    ("g(x)", "undeclared", "g is not declared"),
    ("x_3", "undeclared", "x_3 is not declared"),
    ("x'", "undeclared", "a prime on x"),
    (r"\epsilon", "undeclared", "is not declared"),
    (r"\pi", "undeclared", "is not declared"),
    ("e", "undeclared", "e is not declared"),
    ("d x", "undeclared", "d is not declared"),
    ("log x", "undeclared", "l is not declared"),
    (r"\tilde{x}", "undeclared", "is not declared"),
    ("x(y, n)", "undeclared", "a list in brackets"),
    ("q_n(1)", "ambiguous", r"a product or the notation q_n\(t\)"),
    (r"\sigma + 1", "undeclared", r"declared is \\sigma\(#z\)"),
    (r"\sigma^{-1}(x)", "undeclared", "is not declared"),
    # Arguments of functions.
    (r"\log x y", "ambiguous", "log of the product or log of the first factor only"),
    (r"\sin 2x", "ambiguous", "sin of the product"),
    (r"\exp\frac1\beta (x - y)", "ambiguous", "product_argument"),
    (r"\log(1+x)^2", "ambiguous", "function_power"),
    (r"\log{(x)}^{2}", "ambiguous", "function_power"),
    (r"\log x^2", "ambiguous", "log of the power"),
    (r"\log x / y", "ambiguous", "a factor after log"),
    (r"\log x \cdot y", "ambiguous", "a factor after log"),
    (r"\sin^{-1}(x)", "ambiguous", "the inverse function or a power of the value"),
    (r"\log_2(x)", "undeclared", "another base"),
    (r"\sum_{=0}^{n} x", "meaningless", "an index is missing here"),
    (r"\log", "meaningless", "log without an argument"),
    (r"\log(x, y)", "meaningless", "log of a list"),
    # The slash, invisible braces and digits.
    ("1/2x", "ambiguous", "the denominator or"),
    ("x/yp", "ambiguous", "a quotient with a slash"),
    ("1/2(x+y)", "ambiguous", "a quotient with a slash"),
    ("x/y/p", "ambiguous", "a quotient with a slash"),
    ("{x+y}^2", "ambiguous", "braces under a script"),
    (r"y{x}", "ambiguous", r"a lost \\frac"),
    ("x^12", "ambiguous", "the number 2"),
    ("x2", "ambiguous", "the number 2"),
    ("3 2^{x}", "ambiguous", "the number 2"),
    ("1e^{-5}2", "ambiguous", "the number 2"),
    ("0 x", "meaningless", "a literal 0"),
    # Marks, words, relations, bars.
    ("p^{*2}", "undeclared", "part of a name"),
    ("x^*", "undeclared", "part of a name"),
    ("x^+", "undeclared", "part of a name"),
    (r"x \text{ if } y", "words", "words"),
    ("x = y", "meaningless", "the relation = inside"),
    (r"\pm x", "unsupported", "two statements in one"),
    (r"x \mid y", "ambiguous", "an absolute value or given"),
    (r"\begin{pmatrix} x \end{pmatrix}", "unsupported", "pmatrix"),
    (r"\infty", "unsupported", "infinity"),
    (r"\lfloor x \rfloor", "unsupported", "brackets"),
    ("", "meaningless", "missing"),
    ("x +", "meaningless", "missing at the end"),
    (r"\mathcal{J} + 1", "unsupported", "an objective"),
    # Binders.
    (r"\max_{x} y", "unsupported", "over a set or an objective"),
    (r"\mathbb{E}_{o \sim u}(w(o)) w(o)", "ambiguous", "only the bracket"),
    (r"\mathbb{E}_{o \sim u}[w(o) \mid x]", "unsupported", "conditional"),
    (r"\mathbb{E}_{o \sim u, R(o) = 1} w(o)", "ambiguous", "restricted"),
    (r"\mathbb{E}_{t \sim u}[x]", "undeclared", "not a declared index"),
    (r"\mathbb{E}_{o \sim z}[w(o)]", "undeclared", "not a declared distribution"),
    (r"\mathbb{E}_{o \sim P(o \succ o')}[x]", "undeclared", "is not a declared distribution"),
    (r"\mathbb{E}[x]", "undeclared", "is not declared"),
    (r"u + 1", "meaningless", "a distribution, not a number"),
    (r"w(c)", "undeclared", "no member c; known: a, b"),
    (r"\sum_{k=1}^{n} r_k", "unsupported", "two whole numbers"),
    (r"\sum_{i=1}^{900} x", "limit", "a sum of 900 terms"),
    (r"\sum_{i=1}^3 r_i + r_i", "ambiguous", "inside the sum"),
    (r"\prod_{i=1}^3 r_i x", "ambiguous", "inside or"),
    (r"\sum_{t} x", "undeclared", "not declared"),
    (r"\int x \,dx", "unsupported|undeclared", "integral"),
    (r"\frac{d}{d(1-x)} x", "unsupported", "declare as a variable"),
    (r"\frac{\partial}{\partial u(b \mid c)} x", "unsupported", "constrained set"),
    (r"\frac{d}{dx} (x) y", "ambiguous", "covered too"),
    (r"\frac{d^2}{dx} x", "ambiguous", "higher derivative"),
    (r"\arg\max_x y", "unsupported", "an optimum"),
    (r"x + y |_{x=1}", "ambiguous", "an evaluation bar after a sum"),
    (r"\mathbb{1}_{x}", "unsupported", "no relation"),
    # Limits of the reader.
    ("x^{99999}", "limit", "beyond the limit"),
    ("loop(x)", "limit", "templates of the map are nested"),
]


@pytest.mark.parametrize(("latex", "kind", "message"), REFUSED)
def test_refuses(latex, kind, message):
    with pytest.raises(NotUnderstood, match=message) as caught:
        read(latex)
    assert caught.value.kind in kind.split("|")
    assert caught.value.place.start <= len(latex)


@pytest.mark.parametrize(
    ("latex", "option", "formula"),
    [
        (r"\exp\frac1\beta (x - y)", '[reading]\nproduct_argument = ["exp"]', "exp((x - y)/beta)"),
        (r"\log(1+x)^2", '[reading]\nfunction_power = "value"', "log(1 + x)**2"),
        (r"\mathbb{E}_{o \sim u, R(o) = 1} w(o)", '[reading]\nrestricted = "indicator"', "v*x"),
    ],
)
def test_a_declared_reading_decides(latex, option, formula):
    assert agree(latex, formula, option + "\n") is True


def test_both_readings_are_named():
    with pytest.raises(NotUnderstood) as caught:
        read(r"1 + \log x y")
    refusal = caught.value
    assert len(refusal.readings) == 2
    assert (refusal.place.column, refusal.token) == (12, "y")


def test_the_nearest_notation_is_suggested():
    with pytest.raises(NotUnderstood, match=r"declared is u\(a \\mid c\)"):
        read(r"u_1(a \mid c)")


def test_a_variable_before_a_single_symbol_is_noted():
    taken = context()
    read_sides([parse_tree(r"\beta(p) + \beta(p + x)")], taken)
    assert [note.text for note in taken.notes] == [r"\beta before (p) was read as a product"]


# Steps: free indices and sizes.


def steps(paper, more=""):
    return interpret(read_text(paper).displays(), notation(more)).outcomes


def test_a_free_index_stands_for_every_value():
    (outcome,) = steps(r"$$u(o \mid c) = 1 - w(o)$$")
    assert [instance.at for instance in outcome.read.instances] == [(("o", "a"),), (("o", "b"),)]
    assert [str(instance.right) for instance in outcome.read.instances] == ["(1 - x)", "(1 - (1 - x))"]


def test_a_bound_index_is_not_captured_by_a_free_one_of_the_same_name():
    (outcome,) = steps(r"$$u(o \mid c)\, \mathbb{E}_{o \sim w}[R(o)] = u(o \mid c)\, x$$")
    first, second = outcome.read.instances
    assert [str(first.left), str(second.left)] == ["(v * x)", "((1 - v) * x)"]


def test_a_template_does_not_see_the_indices_around_it():
    (outcome,) = steps(r"$$\mathbb{E}_{s \sim w}[\mathrm{KL}(u \| w)\, R(s)] = \mathrm{KL}(u \| w)\, x$$")
    assert len(outcome.read.instances) == 1
    samples = [{name: mpf(5 + index) / 23 for index, name in enumerate(NAMES)}]
    assert same(outcome.read.instances[0].left, outcome.read.instances[0].right, samples) is True


def test_sizes_are_instantiated_twice_so_that_accidents_of_one_size_show():
    (outcome,) = steps(r"$$\frac1G \sum_{i=1}^G r_i = \left(1 - \frac1G\right) \sum_{i=1}^{G} r_i$$")
    samples = [{name: mpf(5 + index) / 23 for index, name in enumerate(NAMES)}]
    verdicts = [same(instance.left, instance.right, samples) for instance in outcome.read.instances]
    assert verdicts == [True, False]


def test_too_many_free_indices_are_refused():
    indices = "".join(rf" w(o_{k})" for k in range(8))
    text = MAP.replace('i = "I"\n', 'i = "I"\n' + "".join(f'o_{k} = "O"\n' for k in range(8)))
    many = read_map([Document(Source("map.toml", text))])
    (outcome,) = interpret(read_text(f"$${indices} = 1$$").displays(), many).outcomes
    assert outcome.refusal.kind == "limit"


@pytest.mark.parametrize("relation", [r"\approx", r"\propto", r"\in"])
def test_relations_that_no_statement_has_are_refused(relation):
    (outcome,) = steps(rf"$$x {relation} y$$")
    assert outcome.refusal.kind == "unsupported"


@pytest.mark.parametrize(
    ("printed", "said"), [(r"\le", "<="), (r"\geq", ">="), (r"\neq", "!="), ("<", "<"), (r"\equiv", "=")]
)
def test_relations(printed, said):
    (outcome,) = steps(rf"$$x {printed} y$$")
    assert outcome.read.instances[0].operator == said


# Nothing hurts.


HOSTILE = [
    "{" * 100 + "x" + "}" * 100,
    "(" * 50 + "x" + ")" * 50,
    r"\frac" * 200,
    "x^" * 500 + "x",
    "9^{9^{9^{9}}}",
    "1000!!!",
    "((((x!)!)!)!)",
    r"\sum_{i=1}^{3}" * 8 + " x",
    r"\sum_{i=1}^{400}" * 3 + " x",
    r"\mathbb{E}_{o \sim u}" * 30 + " x",
    "+" * 2000 + "x",
    "-" * 2000 + "x",
    "x" * 5000,
    "x+" * 5000 + "x",
    r"\log " * 1000 + "x",
    r"\binom{3000}{1500}" * 20,
    "loop(loop(loop(x)))",
    "__import__('os').system('true')",
]


@pytest.mark.parametrize("latex", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_formulas_end_quickly_in_an_answer_or_a_refusal(latex):
    start = time.process_time()
    outcome = steps(f"$${latex} = x$$")
    assert time.process_time() - start < 5
    for step in outcome:
        assert step.read is not None or step.refusal.reason


_COMMANDS = r"\frac \log \sum \mathbb{E} \sim \cdot \int \beta \left \right \max \mathbb{1} \sqrt \lim \to \infty \\"
_PHRASES = r"\sigma( u( w(o) {o} & ^{2} _{i=1}^{3} \text{if} \begin{cases} \end{cases} \mathrm{KL}(u\|w)"
_PIECES = st.sampled_from([*"xynp+-*/^_(){}[]|,.!=0123456789'eod ", *_COMMANDS.split(), *_PHRASES.split(), r"\mid c)"])


def refusal(latex):
    """What the reader says about a formula that it does not read; None if it reads it."""
    try:
        read(latex)
    except (NotUnderstood, BrokenLatex) as error:
        return error
    return None


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(st.lists(_PIECES, max_size=25).map("".join))
def test_arbitrary_formulas_are_read_or_refused_at_a_place(latex):
    said = refusal(latex)
    if said is not None:
        assert said.reason
        assert said.place.line == 1
