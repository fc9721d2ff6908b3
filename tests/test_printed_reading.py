"""What is printed as the reading tells which formula was read: two different ones never print alike."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_tests import examples
from referee_here import in_this_process

from grpo_symbolic import real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.reading.notation.entries import Entry, Plain
from grpo_symbolic.reading.notation.names import Names
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.spelling import apart
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.machine import as_data
from grpo_symbolic.referee.sarif import as_sarif
from grpo_symbolic.referee.wording import details
from grpo_symbolic.translate.text import expression_text

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)


def reviewed(folder, paper: str, said: str | None):
    (folder / "p.tex").write_text(paper)
    (folder / "p.notation.toml").unlink(missing_ok=True)
    if said is not None:
        (folder / "p.notation.toml").write_text(said)
    return check_paper(folder / "p.tex", OPTIONS)


NAMES = ("x", "x_plus", "x_minus", "x_hat", "x_2", "p", "at", "exp")
SYMBOLS = [real(name, "(-oo, oo)", "a symbol") for name in NAMES]
X, P = SYMBOLS[0], SYMBOLS[5]
FUNCTIONS = [Definition(name, (X,), X**2, name) for name in ("p", "x", "f")]
NAMED = [Definition("mu", (), X + 1, "mu"), Definition("g", (X, P), X * P, "g")]

# A parser of what is printed, which shares nothing with the printer: the tree that a reader of the text sees.

TOKEN = re.compile(r"\s*(∂/∂|-∞|∞|lim\[|\d+|[A-Za-z_][A-Za-z_0-9]*|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|→|Σ\[|Σ\(|∫\[|\^\(|[-+·/()\[\]|,√=])")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class Reader:
    """Reads a printed formula from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            assert found is not None, text[at:]
            self.tokens.append(found[1])
            at = found.end()

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, *wanted: str) -> str:
        assert not wanted or self.next() in wanted, (wanted, self.tokens)
        return self.tokens.pop(0)

    def whole(self):
        result = self.sum()
        assert not self.tokens, self.tokens
        return result

    def sum(self):
        terms = []
        sign = self.take() if self.next() == "-" else "+"
        while True:
            terms.append((sign, self.product()))
            if self.next() not in ("+", "-"):
                return terms[0][1] if len(terms) == 1 and terms[0][0] == "+" else ("sum", *terms)
            sign = self.take()

    def product(self):
        factors = [("·", self.power())]
        while self.next() in ("·", "/"):
            factors.append((self.take(), self.power()))
        return factors[0][1] if len(factors) == 1 else ("product", *factors)

    def power(self):
        if self.next() == "∂/∂":
            self.take()
            name = self.take()
            self.take("[")
            body = self.sum()
            self.take("]")
            return "derivative", name, body
        if self.next() == "√":
            self.take()
            return "sqrt", self.atom()
        base = self.atom()
        if self.next() == "^(":
            self.take()
            exponent = self.sum()
            self.take(")")
            return "power", base, exponent
        if self.next() and self.next()[0] in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹":
            return "power", base, numeral(Fraction(int(self.take().translate(RAISED))))
        return base

    def atom(self):
        token = self.take()
        if token == "(":
            return self.until(")")
        if token == "|":
            return "absolute", self.until("|")
        if token == "[":
            body = self.sum()
            self.take("at")
            name = self.take()
            self.take("=")
            return "substitution", body, name, self.until("]")
        if token == "Σ(":
            return "total", self.until(")")
        if token in ("Σ[", "∫["):
            body = self.sum()
            self.take("for")
            name = self.take()
            self.take("from")
            lower = self.end()
            self.take("to")
            upper = self.end()
            self.take("]")
            return {"Σ[": "series", "∫[": "integral"}[token], body, name, lower, upper
        if token == "lim[":
            return self.limit()
        if token.isdigit():
            return numeral(Fraction(int(token)))
        assert token[0].isalpha() or token[0] == "_", token
        return self.application(token) if self.next() == "(" else ("name", token)

    def application(self, name: str):
        self.take("(")
        arguments = [self.sum()]
        while self.next() == ",":
            self.take()
            arguments.append(self.sum())
        self.take(")")
        return "apply", name, *arguments

    def limit(self):
        body = self.sum()
        self.take("for")
        name = self.take()
        self.take("→")
        point = self.end()
        side = ""
        if self.next() == "from":
            self.take()
            side = self.take("above", "below")
        self.take("]")
        return "limit", body, name, point, side

    def end(self):
        return self.take() if self.next() in ("∞", "-∞") else self.sum()

    def until(self, closing: str):
        result = self.sum()
        self.take(closing)
        return result


def numeral(value: Fraction):
    """A number as it stands on paper, with a sign and a slash."""
    if value < 0:
        return "sum", ("-", numeral(-value))
    if value.denominator != 1:
        return "product", ("·", numeral(Fraction(value.numerator))), ("/", numeral(Fraction(value.denominator)))
    return "number", int(value)


def seen(expression: Expression):
    """The tree as a reader should see it: sums and products gone through from the left, numbers with sign and slash."""
    match expression:
        case Number(value):
            return numeral(value)
        case Symbol(name):
            return "name", name
        case Apply("add", (left, right)):
            return "sum", *terms(left), *opened(right, "+")
        case Apply("subtract", (left, right)):
            return "sum", *terms(left), ("-", seen(right))
        case Apply("negate", (operand,)):
            return "sum", ("-", seen(operand))
        case Apply("multiply", (left, right)):
            return "product", *factors(left), *held(right)
        case Apply("divide", (left, right)):
            return "product", *factors(left), ("/", seen(right))
        case Apply("power", (base, exponent)):
            return "power", seen(base), seen(exponent)
        case Apply("sqrt" | "absolute" as operator, (operand,)):
            return operator, seen(operand)
        case Apply(operator, operands):
            return "apply", {"maximum": "max", "minimum": "min"}.get(operator, operator), *map(seen, operands)
    return binding(expression)


def binding(expression: Expression):
    """The tree of what names a function or binds a symbol."""
    match expression:
        case Derivative(body, symbol):
            return "derivative", symbol.name, seen(body)
        case Substitution(body, symbol, replacement):
            return "substitution", seen(body), symbol.name, seen(replacement)
        case Total(body):
            return "total", seen(body)
        case Call(definition, ()):
            return "name", definition.name
        case Call(definition, arguments):
            return "apply", definition.name, *map(seen, arguments)
        case Binder(kind, body, symbol, lower, upper) if kind.startswith("limit"):
            side = {"limit+": "above", "limit-": "below"}.get(kind, "")
            return "limit", seen(body), symbol.name, "∞" if upper is None else seen(upper), side
        case Binder(kind, body, symbol, lower, upper):
            low, high = "-∞" if lower is None else seen(lower), "∞" if upper is None else seen(upper)
            return kind, seen(body), symbol.name, low, high
    raise AssertionError(expression)


def terms(left: Expression):
    shown = seen(left)
    return shown[1:] if shown[0] == "sum" else (("+", shown),)


def opened(right: Expression, sign: str):
    """The terms of what is added, unless it begins with a minus and so stands in parentheses."""
    shown = seen(right)
    return shown[1:] if shown[0] == "sum" and shown[1][0] == "+" else ((sign, shown),)


def factors(left: Expression):
    shown = seen(left)
    return shown[1:] if shown[0] == "product" else (("·", shown),)


def held(right: Expression):
    """The factors of what is multiplied on the right, unless a slash among them keeps its parentheses."""
    shown = seen(right)
    plain = shown[0] == "product" and all(sign == "·" for sign, _ in shown[1:])
    return shown[1:] if plain else (("·", shown),)


NUMBERS = st.sampled_from([Number(Fraction(value)) for value in (0, 1, 2, 12, -2)] + [Number(Fraction(1, 2))])
SYMBOL = st.sampled_from(SYMBOLS)
EXPONENTS = st.sampled_from([Number(Fraction(value)) for value in (-1, 2, 12, Fraction(1, 2), Fraction(-3, 2))])


def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    ends = st.none() | inner
    return st.one_of(
        st.builds(
            lambda operator, a, b: Apply(operator, (a, b)),
            st.sampled_from(["add", "subtract", "multiply", "divide", "maximum"]),
            inner,
            inner,
        ),
        st.builds(
            lambda operator, a: Apply(operator, (a,)),
            st.sampled_from(["negate", "sqrt", "exp", "log", "absolute", "sign"]),
            inner,
        ),
        st.builds(lambda base, exponent: Apply("power", (base, exponent)), inner, EXPONENTS),
        st.builds(Derivative, inner, SYMBOL),
        st.builds(Substitution, inner, SYMBOL, inner),
        st.builds(Total, inner),
        st.builds(lambda function, a: function(a), st.sampled_from(FUNCTIONS), inner),
        st.builds(lambda a, b: NAMED[1](a, b), inner, inner),
        st.builds(Binder, st.sampled_from(["integral", "series"]), inner, SYMBOL, ends, ends),
        st.builds(Binder, st.sampled_from(["limit", "limit+", "limit-"]), inner, SYMBOL, st.none(), ends),
    )


EXPRESSIONS = st.recursive(NUMBERS | SYMBOL | st.just(NAMED[0]()), larger, max_leaves=12)


@settings(max_examples=examples(400), deadline=None)
@given(EXPRESSIONS)
def test_what_is_printed_reads_back_as_what_it_was_printed_from(expression):
    assert Reader(expression_text(expression)).whole() == seen(expression), expression_text(expression)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FUNCTIONS[0](1 - P), P * (1 - P)),
        (Substitution(X, X, P) + 1, Substitution(X, X, P + 1)),
        (X * (P / 2 * X), X * P / 2 * X),
        (P * Number(Fraction(1, 2)), P * Number(Fraction(1)) / 2),
        (NAMED[1](X, P), FUNCTIONS[2](X)),
        (Apply("absolute", (X * Apply("absolute", (P,)),)), Apply("absolute", (X,)) * P),
    ],
)
def test_different_formulas_print_differently(one, other):
    assert expression_text(one) != expression_text(other)


# Names, within a paper.

LETTERS = [
    "x", "x_+", "x_-", r"\hat x", r"\tilde x", "x'", "x^*", "x^{(2)}", "x_2", "x_{12}", "x_{1,2}", r"\mathbf{x}",
    r"\mathcal{X}", "X", r"\mathfrak X", r"\mathbb X", "x_{old}", "x^{old}", r"\hat x_2", r"\hat{x_2}",
    r"\beta", r"\mathrm{beta}", r"\vec x",
    r"x^\star", r"x^\dagger", r"x_{-1}", "x_{1}^{-}", "x_<", "x_>",
]  # fmt: skip


def test_symbols_that_are_printed_differently_are_named_differently():
    trees = [normal(parse_tree(letter)) for letter in LETTERS]
    assert len(set(trees)) == len(trees)
    names = apart(trees)
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert names[:6] == ["x", "x_plus", "x_minus", "hat_x", "tilde_x", "x_prime"]
    assert dict(zip(LETTERS, names, strict=True))[r"\mathbf{x}"] == "x_bold"


@given(st.lists(st.sampled_from(LETTERS), unique=True), st.randoms())
@settings(max_examples=examples(100))
def test_any_of_them_together_are_named_differently(letters, order):
    order.shuffle(letters)
    names = apart([normal(parse_tree(letter)) for letter in letters])
    assert len(set(names)) == len(letters)


def test_letters_that_stand_alone_have_short_names():
    assert apart([normal(parse_tree(letter)) for letter in (r"\mathbf{x}", r"\mathcal{L}")]) == ["x", "L"]


def test_a_proposed_map_names_what_is_printed_differently_differently(tmp_path):
    pairs = " ".join(rf"\[ {one} + 1 = 2 {one} \]" for one in ("x", "x_+", "x_-", r"\hat x", r"x_2", "z^*", "z_*"))
    findings = reviewed(tmp_path, pairs, None).findings
    printed = [finding.read.left for finding in findings]
    assert printed == [f"{name} + 1" for name in ("x", "x_plus", "x_minus", "hat_x", "x_2", "z_sup_star", "z_sub_star")]


MAP = r"""
[symbols]
x = "(0, 1)"
L = "(0, 1)"
t = "(0, 1)"
[[notation]]
tex = 'f(#x)'
is = "x + 1"
[[notation]]
tex = "f'(#x)"
is = "x + 2"
[[notation]]
tex = 'f_-(#x)'
is = "x + 3"
[[notation]]
tex = '\exp_t(#x)'
name = "exp"
is = "x + 4"
[[notation]]
tex = ['g(#x)', 'g_{#x}']
is = "x + 5"
[[definition]]
quote = '\mathcal{L} = t'
"""
PRINTED = [
    ("f(x) + f'(x) + f_-(x)", "f(x) + f_prime(x) + f_minus(x)"),
    (r"L + \mathcal{L}", "L + L_calligraphic"),
    (r"\exp(x) + \exp_t(x)", "exp(x) + exp_t(x)"),
    (r"g(x) + g_{x}", "g(x) + g(x)"),
    (r"x^{(2)} + x_2 + \mathbf x + x", "x_sup_2 + x_2 + x_bold + x"),
]


@pytest.mark.parametrize(("formula", "printed"), PRINTED)
def test_what_the_map_and_the_paper_define_is_named_apart(tmp_path, formula, printed):
    paper = (
        r"\[ \mathcal{L} = t \] \[ x^{(2)} := t^2, \quad x_2 := t + 1, \quad \mathbf x := 3 t \]"
        + rf"\[ {formula} = 7 \]"
    )
    assert reviewed(tmp_path, paper, MAP).findings[-1].read.left == printed


def test_names_that_are_taken_get_numbers_and_keep_them():
    entries = [Entry(Pattern.of(latex), Plain(Definition("x", (), X, latex)()), latex) for latex in ("a", "b", "c")]
    names = Names()
    for name in ("x", "a", "b"):
        names.keep(name)
    for _ in range(2):
        found = [names.given([entry])[0].meaning.value.definition.name for entry in entries]
        assert found == ["x_no_2", "x_no_3", "c"]


def test_a_function_and_a_product_print_differently(tmp_path):
    paper = "\\[ p(1 - p) = 7 \\]"
    product = reviewed(tmp_path, paper, '[symbols]\np = "(0, 1)"\n').findings[-1]
    applied = reviewed(tmp_path, paper, MAP.replace("[symbols]", "[symbols]\np = '(0, 1)'").replace("f(#x)", "q(#x)"))
    function = reviewed(tmp_path, paper.replace("p(1", "f(1").replace("- p", "- t"), MAP).findings[-1]
    assert product.read.left == "p·(1 - p)"
    assert applied.findings[-1].read.left == "p·(1 - p)"
    assert function.read.left == "f(1 - t)"


# All instances of an index.

INDEXED = """
[sets]
answers = ["right", "wrong"]
[indices]
o = "answers"
[symbols]
p = "(0, 1)"
[[notation]]
tex = '\\pi(#o)'
by = { right = "p", wrong = "1 - p" }
"""


def test_every_instance_of_an_index_is_shown(tmp_path):
    (found,) = reviewed(tmp_path, r"\[ \pi(o) (1 - \pi(o)) = p - p^2 \]", INDEXED).findings
    assert [(one.at, one.left) for one in found.instances] == [
        ((("o", "right"),), "p·(1 - p)"),
        ((("o", "wrong"),), "(1 - p)·(1 - (1 - p))"),
    ]
    assert "for o = wrong:  (1 - p)·(1 - (1 - p))  =  p - p²" in list(details(found, domains=True))


def test_the_instance_that_fails_stands_first_and_the_others_below(tmp_path):
    review = reviewed(tmp_path, r"\[ \pi(o) = p \]", INDEXED)
    (found,) = review.findings
    said = list(details(found))
    assert said[:3] == ["read:  1 - p  =  p", "for:  o = wrong", "for o = right:  p  =  p"]
    (step,) = as_data(review, review.exit_code())["steps"]
    assert [(one["for"], one["left"], one["relation"]) for one in step["instances"]] == [
        ({"o": "right"}, "p", "="),
        ({"o": "wrong"}, "1 - p", "="),
    ]
    assert "for o = right:  p  =  p" in as_sarif(review, "0")


def test_formulas_that_differ_in_a_later_instance_only_are_told_apart(tmp_path):
    said = INDEXED + "[[notation]]\ntex = 'f(#o)'\nby = { right = 'p', wrong = 'p' }\n"
    one, other = (reviewed(tmp_path, rf"\[ {letter}(o) = p \]", said).findings[0] for letter in (r"\pi", "f"))
    assert one.instances[0] == other.instances[0]
    assert list(details(one, domains=True)) != list(details(other, domains=True))


def test_many_instances_are_shown_when_everything_is(tmp_path):
    said = INDEXED.replace('["right", "wrong"]', '"1..20"')
    said = said[: said.index("[[notation]]")] + "[[notation]]\ntex = 'x_{#i}'\neach = '(0, 1)'\nover = 'answers'\n"
    (found,) = reviewed(tmp_path, r"\[ x_o = 1 \]", said).findings
    assert len(found.instances) == 20
    assert list(details(found)).count("and for 11 more values, which --verbose shows") == 1
    assert sum(line.startswith("for o = ") for line in details(found, domains=True)) == 19
