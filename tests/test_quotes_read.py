"""Quotes: the LaTeX that a paper prints is read and compared with the statement typed beside it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from grpo_symbolic import (
    Total,
    both,
    claim,
    define,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    log,
    lt,
    maximum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.language.composites import UniqueRoot
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.readback.closest import ONE_SIDE
from grpo_symbolic.readback.quotes import INTERPRETED, REWORDED, read_quote
from grpo_symbolic.readback.readings import Reading, check_quotes, read_quotes
from grpo_symbolic.readback.vocabulary import Vocabulary, vocabulary

paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight")
a = real("a", "(0, oo)", "a number")
OUTPUTS = IndexSet("output", "outputs", "o")
pi = real("pi", "(0, 1)", "a probability", latex=r"\pi({index})", indexed=OUTPUTS)
r = real("r", "(-oo, oo)", "a reward", latex="r({index})", indexed=OUTPUTS)
m = real("m", "(-oo, oo)", "the mean reward")
h = define("h", (x,), 1 / (1 + exp(-beta * x)), latex=r"h_{\beta}")
KNOWN = Vocabulary(aliases={"x": (r"\pi_\theta(a \mid q)",), r"\pi({index})": (r"\pi",), "Z": (r"Z_q",)})

root = (1 - beta + sqrt((1 - beta) ** 2 + 4 * beta * a)) / 2


def outcome(latex, typed, given=(), stated=None):
    quote = paper.quote("Eq. (1)", latex, typed, given=given)
    return read_quote(quote, claim("p.one", "One", typed if stated is None else stated, printed=quote), [], KNOWN)


@pytest.mark.parametrize(
    ("latex", "typed"),
    [
        (r"\frac{1}{1+\beta^2} > 1-\beta", gt(1 / (1 + beta**2), 1 - beta)),
        (r"1 - \beta < 1/(1+\beta^2)", gt(1 / (1 + beta**2), 1 - beta)),
        (r"\pi_\theta(a \mid q) \ge \max\{1 - \beta,\, a\}", ge(x, maximum(1 - beta, a))),
        (r"x = \frac12\left(1 - \beta + \sqrt{(1-\beta)^2 + 4\beta a}\right)", UniqueRoot(x, eq(x, x), root)),
        (r"h_\beta(x) = \frac{e^{\beta x}}{1 + e^{\beta x}}", eq(h(x), exp(beta * x) / (1 + exp(beta * x)))),
        (r"\beta > 0,\ x < 1", both(gt(beta, 0), lt(x, 1))),
        (r"\beta(x - a) = 1", iff(eq(x, a + 1 / beta), eq(beta * (x - a), 1))),
        (r"x > a", implies(gt(beta, 0), gt(x, a))),
        (r"x^2 - 2ax", eq((x - a) ** 2 - a**2, x**2 - 2 * a * x)),
        (r"\sum_o \pi(o) \log \pi(o) < 0", lt(Total(pi * log(pi)), 0)),
        (r"\mathbb{E}_{o \sim \pi}[r(o)] = m", eq(Total(pi * r), m)),
        (r"2\pi > r(o)", gt(2 * pi, r)),
        (
            r"\beta > 1: x > a; \quad \beta = 1: x = a",
            both(implies(gt(beta, 1), gt(x, a)), implies(eq(beta, 1), eq(x, a))),
        ),
        (r"x > a \text{ if } \beta > 1", implies(gt(beta, 1), gt(x, a))),
    ],
)
def test_a_quote_agrees_with_what_it_says(latex, typed):
    assert outcome(latex, typed).status == "agrees"


@pytest.mark.parametrize(
    ("latex", "typed"),
    [
        (r"\frac{1}{1+\beta^2} < 1-\beta", gt(1 / (1 + beta**2), 1 - beta)),
        (r"\frac{1}{1-\beta^2} > 1-\beta", gt(1 / (1 + beta**2), 1 - beta)),
        (r"x = a + \beta", eq(x, a - beta)),
        (r"\beta > 0,\ x < 1", both(gt(beta, 0), lt(x, 2))),
        (r"\mathbb{E}_{o \sim \pi}[r(o)] = 2m", eq(Total(pi * r), m)),
        (r"\beta = 1", eq(h(x), rational(1))),
        (r"x > a \text{ if } \beta > 1", implies(gt(beta, 2), lt(x, a))),
    ],
)
def test_a_misread_quote_differs(latex, typed):
    assert outcome(latex, typed).status == "differs"


def test_what_was_not_read_says_why():
    assert outcome(r"\text{grows with } x", gt(x, 0)).status == "not read"
    assert outcome(r"\phi(x) > 0", gt(x, 0)).reason.startswith(r"\phi is not declared")
    assert outcome(r"x = Z_q / 2 + 1", eq(x, a)).reason == "it names or leaves out what the claim writes out"


def test_a_name_for_what_is_written_out_leaves_one_side_to_compare():
    assert outcome(r"Z_q = e^{a} + e^{-a}", eq(2 * a, exp(a) + exp(-a))) == type(outcome("x", eq(x, x)))(
        "agrees", ONE_SIDE
    )
    assert outcome(r"Z_q = e^{a} - e^{-a}", eq(2 * a, exp(a) + exp(-a))).status == "not read"


def test_hypotheses_say_where_two_readings_agree():
    typed = gt(pi * (r - m), 0)
    latex = r"\pi(o) (r(o) - \mathbb{E}_{o' \sim \pi}[r(o')]) > 0"
    assert outcome(latex, typed).status == "differs"
    assert outcome(latex, typed, given=(eq(m, Total(pi * r)),)).reason == "where the hypotheses hold"
    conditional = r"0 < x < \frac12:\ h_\beta(x) > a"
    assert outcome(conditional, gt(h(x), a), given=(gt(x, 0), lt(x, rational(1, 2)))).status == "agrees"
    assert outcome(conditional, gt(h(x), a), given=(lt(x, rational(1, 3)),)).status == "differs"


@pytest.fixture(scope="module")
def read(library):
    return read_quotes((result, library.claims_of[result.module]) for result in library.results)


def test_every_quote_has_an_outcome(read, library):
    assert set(read) == {made.id for made in library.claims.values() if made.printed is not None}


def test_no_statement_differs_from_what_is_quoted(read, library):
    check_quotes(library.claims, read)
    assert all(found.reading is not None for found in read.values())


def test_most_quotes_are_read(read):
    counted = Counter(found.reading for found in read.values())
    assert counted[Reading.PRINTED] + counted[Reading.ABRIDGED] + counted[Reading.PART] >= 0.6 * len(read)


def test_every_entry_about_one_quote_is_needed(read, library):
    for folder in {Path(sys.modules[result.module].__file__).parent for result in library.results}:
        known = vocabulary(folder)
        for id in known.interpreted:
            assert read[id].outcome.status == INTERPRETED, f"{id} is read by itself now"
        for id in known.reworded:
            assert read[id].outcome.status == REWORDED, f"{id} does not agree with the words of its entry"
        for id, meanings in known.local.items():
            assert meanings
            assert read[id].outcome.status in ("agrees", REWORDED), f"{id} is not read with its notation"
        for id in known.abridged | known.in_words:
            assert id in read, f"{id} has no quote"


CHANGES = {"-": "+", "+": "-", r"\le": r"\ge", r"\ge": r"\le", "<": ">", ">": "<"}
SIGN = re.compile(r"\\le(?:q)?(?![a-z])|\\ge(?:q)?(?![a-z])|(?<![\\{^])[-+](?!\d*\})|[<>]")


@pytest.mark.slow
def test_a_changed_sign_in_a_quote_is_noticed(read, library):
    changed: Counter[str] = Counter()
    for result in library.results:
        claims = library.claims_of[result.module]
        whole = [made for made in claims if made.printed is not None and not read[made.id].outcome.reason]
        for made in whole[::2]:
            for place in list(SIGN.finditer(made.printed.latex))[:1]:
                new = CHANGES[place.group().removesuffix("q")]
                latex = made.printed.latex[: place.start()] + new + " " + made.printed.latex[place.end() :]
                wrong = replace(made, printed=replace(made.printed, latex=latex))
                found = read_quotes([(result, [wrong if other is made else other for other in claims])])
                changed[found[made.id].outcome.status] += 1
    assert changed.total() > 30
    # A chain of which one relation is typed agrees still, if another one was changed.
    assert changed["agrees"] <= 0.1 * changed.total()


def test_a_file_of_notation_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "quotes.toml").write_text("[also_printed]\nx = ['\\frac{1']\n")
    with pytest.raises(LibraryError, match=re.escape(str(tmp_path))):
        vocabulary(tmp_path)
