"""What cannot mean anything is refused when it is written, with a message that says what to do."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grpo_symbolic import Paper, Quote, Total, claim, define, derive, eq, gt, increasing, lt, real, sqrt, tends_to
from grpo_symbolic.derivation.chain import Chain
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import Apply, as_expression, free_symbols, substitute

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, oo)", "a weight")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0..1", r"cannot read interval '0..1'; write e.g. '\(0, 1\]'"),
        ("(1, 0)", "contains no number"),
        ("(0, 0)", "contains no number"),
        ("[-oo, 0)", "closed at infinity"),
        ("(oo, 1)", "oo cannot stand on this side"),
        ("(0, pi)", "neither rational nor infinite"),
    ],
)
def test_bad_interval(text, message):
    with pytest.raises(DeclarationError, match=message):
        Interval.parse(text)


def test_interval_ends_belong_or_not():
    half_open = Interval.parse("(0, 1/2]")
    assert Fraction(0) not in half_open
    assert Fraction(1, 2) in half_open
    assert str(half_open) == "(0, 1/2]"


def test_symbol_reports_its_own_name_with_the_interval():
    with pytest.raises(DeclarationError, match=r"symbol gamma: cannot read interval '0..1'"):
        real("gamma", "0..1", "margin")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: real("2x", "(0, 1)", "twice"), "not an identifier"),
        (lambda: real("z", "(0, 1)", " "), "say in words"),
        (lambda: as_expression(0.1), "0.1 is not exact"),
        (lambda: x + True, "is not exact"),
        (lambda: x**y, "not an integer or half of one"),
        (lambda: Apply("arccosh", (x,)), "unknown operator 'arccosh'"),
        (lambda: Apply("add", (x,)), "add takes 2 operands, got 1"),
        (lambda: bool(x - y), "compare with eq, ne, lt"),
        (lambda: bool(eq(x, y)), "no truth value before it is checked"),
        (lambda: tends_to(x, 0, x, to=x, side="+", constant=1), "depends on x"),
        (lambda: tends_to(x, 0, x, to=0, side="left", constant=1), "limit side 'left'"),
        (lambda: tends_to(x, 0, x, to=0, side="+", constant=1, exponent=-1), "positive half-integer"),
        (lambda: claim("eq14", "title", eq(x, y)), r"test_construction.py:\d+: id 'eq14' is not of the form"),
        (lambda: claim("paper.eq14", "", eq(x, y)), "needs a title"),
        (lambda: claim("paper.eq14", "title"), "neither a statement nor a derivation"),
        (lambda: claim("paper.eq14", "title", True), "is not a statement; something evaluated"),
        (lambda: derive(x, " "), "say where the first line comes from"),
        (lambda: derive(x, "start").eq(y, ""), "give a reason"),
        (lambda: derive(x, "start").iff(eq(x, y), "why"), "expressions follow expressions"),
        (lambda: derive(x, "start").le(y, "up").ge(x, "down").statement, "cannot go both up and down"),
        (lambda: Quote("Eq. (1)", "x", eq(x, y), severity="bad", instead="y"), "severity 'bad' of Eq."),
        (lambda: Quote("Eq. (1)", "x", eq(x, y), severity="notation"), "severity and instead belong together"),
        (lambda: claim("a.b", "t", increasing(x, x)).at({}), "no pointwise consequence"),
        (lambda: claim("a.b", "t", eq(x, y)).between(x, y), "not about monotonicity"),
    ],
)
def test_refused(build, message):
    with pytest.raises(DeclarationError, match=message):
        build()


def test_two_symbols_of_one_name_are_refused_with_both_domains():
    other = real("x", "(0, oo)", "a ratio")
    with pytest.raises(DeclarationError, match=r"two symbols are called x: one on \(0, 1\).*one on \(0, oo\)"):
        claim("paper.id", "title", eq(x, other))


def test_a_chain_says_what_it_shows():
    chain = derive(x, "start").eq(x * 1, "one").le(y, "given").lt(y + 1, "one is positive")
    assert isinstance(chain, Chain)
    assert chain.statement == lt(x, y + 1)
    assert derive(eq(x, y), "start").iff(eq(y, x), "turn").implies(gt(x, 0), "domain").statement.premise == eq(x, y)


def test_a_symbol_under_a_derivative_cannot_be_replaced():
    from grpo_symbolic import Derivative

    with pytest.raises(DeclarationError, match="differentiate first"):
        substitute(Derivative(x**2, x), {x: y})


def test_expressions_keep_what_was_typed():
    assert str(x * (1 - x) / x) == "((x * (1 - x)) / x)"
    assert str(Total(sqrt(x))) == "total[sqrt(x)]"


def test_paper_quotes_a_place():
    paper = Paper("p", "A", "T", "v")
    assert paper.quote("Eq. (3)", "x=y", eq(x, y)).where == "Eq. (3)"


def test_only_a_copy_can_have_lost_glyphs():
    published = Paper("p", "A", "T", "v1")
    copied = Paper("p", "A", "T", "v1", copy="a scanned copy")
    assert (published.edition, copied.edition) == ("v1", "v1, from a scanned copy")
    assert copied.quote("Eq. (3)", "x=y", eq(x, y), compare_with_pdf=True).compare_with_pdf
    with pytest.raises(DeclarationError, match="compare_with_pdf blames a copy, but p was read as published"):
        published.quote("Eq. (3)", "x=y", eq(x, y), compare_with_pdf=True)


def test_a_named_function_is_printed_by_name_and_checked_by_its_body():
    square = define("square", (x,), x**2 + y)
    assert str(square(y)) == "square(y)"
    assert unfold(square(y)) == y**2 + y
    assert free_symbols(square(x)) == (y, x)
    assert substitute(square(x), {x: y}) == square(y)
    assert substitute(square(x), {y: x}) == x**2 + x
    with pytest.raises(DeclarationError, match="square takes 1 arguments, got 2"):
        square(x, y)
    with pytest.raises(DeclarationError, match="does not depend on its parameter y"):
        define("constant", (y,), x)
