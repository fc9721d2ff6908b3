"""What cannot mean anything is refused when it is written, with a message that says what to do."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from grpo_symbolic import (
    Derivative,
    Lemma,
    Paper,
    Quote,
    Substitution,
    Total,
    both,
    claim,
    define,
    derive,
    either,
    eq,
    ge,
    gt,
    iff,
    implies,
    increasing,
    lt,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Expression, as_expression, free_symbols, substitute
from grpo_symbolic.language.statement import substitute_statement
from grpo_symbolic.language.vocabulary import interval

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
        interval(text)


def test_interval_ends_belong_or_not():
    half_open = interval("(0, 1/2]")
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
        (lambda: x ** rational(1, 3), "not an integer or half of one"),
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
        (lambda: Quote("Eq. (1)", "x", eq(x, y), notation="no"), r"Eq. \(1\): notation is about what fails; say with"),
        (lambda: Quote("Eq. (1)", "x", eq(x, y), instead="y", notation=" "), "say with notation=... why"),
        (lambda: claim("a.b", "t", increasing(x, x)).at({}), "no pointwise consequence"),
        (lambda: claim("a.b", "t", eq(x, y)).between(x, y), "not about monotonicity"),
        (lambda: claim("a.b", "t", gt(x, y), refuted=" "), "say why this false statement is stated"),
        (lambda: claim("a.b", "t", gt(x, y), refuted="shown", assumed=True), "stated as a falsehood, so it cannot be"),
        (lambda: claim("a.b", "t", derivation=derive(x, "start").gt(5, "no"), refuted="shown"), "cannot be derived"),
        (
            lambda: claim("a.b", "t", gt(x, 5), using=[claim("a.c", "t", lt(x, 0), refuted="shown")]),
            r"uses claim a\.c, stated as a falsehood at \S+, so nothing can rest on it; use a claim that says",
        ),
    ],
)
def test_refused(build, message):
    with pytest.raises(DeclarationError, match=message):
        build()


square = define("square", (x,), x**2)
double = define("double", (x,), 2 * x)


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (gt(x, y), [gt(x, y)]),
        (gt(x, y), [lt(y, x)]),
        (eq(x, y), [eq(y, x)]),
        (gt(x, y), [both(lt(x, 1), both(lt(y, x), gt(y, 0)))]),
        (both(lt(x, 1), gt(x, y)), [gt(x, y)]),
        (gt(square(x), y), [gt(x**2, y)]),
        (gt(double(x), y), [gt(Derivative(x**2, x), y)]),
        (implies(gt(x, y), lt(y, x)), []),
        (implies(lt(x, 1), gt(x, y)), [lt(y, x)]),
        (implies(both(lt(x, 1), gt(x, y)), both(gt(y, 0), gt(x, y))), []),
        (iff(gt(x, y), lt(y, x)), []),
        (either(gt(x, y), eq(y, 1)), [either(eq(1, y), lt(y, x))]),
        (increasing(x * y, x), [increasing(x * y, x)]),
    ],
)
def test_a_claim_among_its_own_hypotheses_is_refused(statement, given):
    with pytest.raises(
        DeclarationError, match=r"test_construction.py:\d+: claim a.b is among its own hypotheses: .*; leave"
    ):
        claim("a.b", "circular", statement, given=given)


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        (gt(x, y), [ge(x, y)]),
        (lt(x, y), [gt(x, y)]),
        (implies(gt(x, y), ge(x, y)), []),
        (iff(gt(x, y), gt(x - y, 0)), []),
        (gt(square(x), y), [gt(x, y)]),
        (both(gt(x, 0), lt(x, y)), [either(gt(x, 0), lt(x, y))]),
    ],
)
def test_what_hypotheses_merely_imply_may_be_claimed(statement, given):
    assert claim("a.b", "a consequence", statement, given=given).given == tuple(given)


def test_what_is_assumed_is_a_hypothesis():
    taken = claim("a.taken", "assumed", gt(x, y), assumed=True)
    with pytest.raises(DeclarationError, match=r"claim a\.b is among its own hypotheses"):
        claim("a.b", "the same once more", lt(y, x), using=[taken])
    assert claim("a.c", "what follows", gt(2 * x, y), using=[taken]).using[0].claim is taken


def test_a_step_may_be_a_hypothesis():
    up = derive(2 * x, "start", given=[gt(x, y)]).gt(x, "larger").gt(y, "given")
    assert claim("a.b", "t", derivation=up).statement == gt(2 * x, y)


CHAIN = derive(x * (1 - x), "start", given=[lt(x, y)]).eq(x - x**2, "expand").lt(y, "less than x")


@pytest.mark.parametrize(
    ("statement", "given", "message"),
    [
        (
            gt(x, 0),
            [lt(x, y)],
            r"says x > 0, but its derivation composes to \(x \* \(1 - x\)\) < y; leave the statement",
        ),
        (lt(x - x**2, y), [lt(x, y)], "says .*, but its derivation composes to"),
        (eq(x * (1 - x), x - x**2), [lt(x, y)], "says .*, but its derivation composes to"),
        (None, [gt(y, 0)], "has other hypotheses than its derivation"),
        (None, [lt(x, y), gt(y, 0)], "has other hypotheses than its derivation"),
    ],
)
def test_a_derivation_must_compose_to_what_is_claimed(statement, given, message):
    with pytest.raises(DeclarationError, match=rf"test_construction.py:\d+: claim a.b {message}"):
        claim("a.b", "t", statement, given=given, derivation=CHAIN)


def test_a_derivation_needs_a_step():
    with pytest.raises(DeclarationError, match=r"claim a\.b has a derivation without a step; say what follows"):
        claim("a.b", "t", derivation=derive(x, "start"))
    assert claim("a.b", "t", CHAIN.statement, given=[lt(x, y)], derivation=CHAIN) == claim("a.b", "t", derivation=CHAIN)


def test_the_statement_of_a_lemma_is_computed_from_its_claim():
    bound = claim("a.bound", "a bound", gt(x * y, 0), given=[lt(x, y)])
    assert bound.at({y: 2}) == Lemma(bound, ((y, as_expression(2)),))
    assert str(bound.at({y: 2}).statement) == "((2 > 0) and (x < 2)) => ((x * 2) > 0)"
    with pytest.raises(TypeError, match="unexpected keyword argument 'statement'"):
        Lemma(bound, statement=gt(x, 5))
    with pytest.raises(TypeError, match="unexpected keyword argument 'statement'"):
        replace(bound.at({}), statement=gt(x, 5))
    with pytest.raises(DeclarationError, match="the values of a lemma: a list is meant, and x > 5 is none"):
        Lemma(bound, gt(x, 5))
    assert replace(bound.at({}), claim=claim("a.bound", "another", gt(x, 0))).statement == gt(x, 0)
    assert pickle.loads(pickle.dumps(bound.at({y: 2}))) == bound.at({y: 2})


def test_two_symbols_of_one_name_are_refused_with_both_domains():
    other = real("x", "(0, oo)", "a ratio")
    with pytest.raises(DeclarationError, match=r"two symbols are called x: one on \(0, 1\).*one on \(0, oo\)"):
        claim("paper.id", "title", eq(x, other))


def test_a_chain_says_what_it_shows():
    chain = derive(x, "start").eq(x * 1, "one").le(y, "given").lt(y + 1, "one is positive")
    assert isinstance(chain, Chain)
    assert chain.statement == lt(x, y + 1)
    assert derive(eq(x, y), "start").iff(eq(y, x), "turn").implies(gt(x, 0), "domain").statement.premise == eq(x, y)


def test_a_substitution_does_not_catch_what_is_put_into_it():
    """[x y at x = 2] is 2 y, and 2 x for y = x; put inside, x would become 2 as well."""
    twice = Substitution(x * y, x, rational(2))
    with pytest.raises(DeclarationError, match="which binds it"):
        substitute(twice, {y: x})
    assert unfold(substitute(twice, {y: y + 1})) == 2 * (y + 1)
    rising = claim("p.twice", "Twice", increasing(twice, y))
    with pytest.raises(DeclarationError, match="which binds it"):
        rising.between(x, y + 1)


def test_what_stands_in_an_expression_often_is_looked_at_once():
    """Doubled two hundred times, x stands in the sum 2**200 times."""
    doubled: Expression = x
    for _ in range(200):
        doubled = doubled + doubled
    assert free_symbols(doubled) == (x,)
    replaced = substitute(doubled, {x: y})
    assert free_symbols(replaced) == (y,)
    while isinstance(replaced, Apply):
        assert replaced.operands[0] is replaced.operands[1]
        replaced = replaced.operands[0]
    assert replaced == y


def test_what_is_not_concerned_stays_the_same_object():
    kept, statement = sqrt(y), both(lt(x, 1), gt(sqrt(y), x))
    assert substitute(kept * x, {x: y}).operands[0] is kept
    assert substitute_statement(statement, {real("z", "(0, 1)", "a probability"): y}) is statement
    assert substitute_statement(statement, {x: y}) == both(lt(y, 1), gt(sqrt(y), y))


def test_a_symbol_under_a_derivative_cannot_be_replaced():
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
    shifted = define("square", (x,), x**2 + y)
    assert str(shifted(y)) == "square(y)"
    assert unfold(shifted(y)) == y**2 + y
    assert free_symbols(shifted(x)) == (y, x)
    assert substitute(shifted(x), {x: y}) == shifted(y)
    assert substitute(shifted(x), {y: x}) == x**2 + x
    with pytest.raises(DeclarationError, match="square takes 1 arguments, got 2"):
        shifted(x, y)
    with pytest.raises(DeclarationError, match="does not depend on its parameter y"):
        define("constant", (y,), x)
