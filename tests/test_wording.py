"""Prose says no number that no statement says: in these derivations, and as a rule."""

from __future__ import annotations

from fractions import Fraction

import pytest
from judged_library import whole_library

from grpo_symbolic import (
    Curve,
    Figure,
    Paper,
    Result,
    UniqueZero,
    both,
    claim,
    exp,
    gt,
    instance,
    lt,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.wording.accounts import numbers_without_source
from grpo_symbolic.wording.numbers import decimals, unexplained
from grpo_symbolic.wording.values import Values, values_drawn, values_in

LIBRARY = whole_library()
x = real("x", "(0, 1)", "a share", latex="x")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")


@pytest.mark.parametrize("result", LIBRARY.results, ids=lambda result: f"{result.paper.id}.{result.slug}")
def test_every_decimal_has_a_source(result):
    assert list(numbers_without_source(result)) == []


NOTHING = Values(frozenset())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"the two weights 0.33816 and 5.66204", [("0.33816", False), ("5.66204", False)]),
        (r"slope $-1.06$ and $1.5\ldots$, or 2.5...", [("1.06", False), ("1.5", True), ("2.5", True)]),
        ("Section 1.3, Sections 2.1 and 2.2, Eq. (3.4), Figure 2.5, Appendix B.2", []),
        ("see `figure-5.falls` and arXiv:2503.06639", []),
        ("version 1.2.3, at 12:30.5, x2.5", []),
        ("half of 10 at most.", []),
        ("up to 0.9.", [("0.9", False)]),
    ],
)
def test_decimals_of_a_text(text, found):
    assert list(decimals(text)) == found


STATEMENTS = {
    "a constant": gt(x, rational(3, 8)),
    "the end of a domain": lt(real("y", "[3/8, 1]", "a share"), 2),
    "between two numbers": both(gt(exp(x), rational(3749, 10_000)), lt(exp(x), rational(3751, 10_000))),
    "the bracket of a zero": UniqueZero(x - rational(3, 8), x, rational(3749, 10_000), rational(3751, 10_000), True),
    "a closed formula": lt(x, sqrt(rational(9, 64))),
    "a witness": instance(lt(x, beta), {x: rational(1, 8), beta: rational(3, 8)}),
    "what a witness makes of a formula": instance(lt(x / 2, 1), {x: rational(3, 4)}),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_a_statement_says_of_a_number(name):
    values = values_in([STATEMENTS[name]])
    assert unexplained("it is 0.375", values) == ()
    assert unexplained("it is 0.374", values) == ("0.374",)


@pytest.mark.parametrize(
    ("low", "high", "printed", "cut", "expected"),
    [
        ("0.92997", "0.92998", "0.9300", False, True),
        ("0.92997", "0.92998", "0.9299", False, False),
        ("0.92997", "0.92998", "0.9299", True, True),
        ("1.5088795", "1.5088796", "1.50888", True, False),
        ("0.0085", "0.0087", "0.0086", False, False),
        ("-1.064", "-1.056", "1.06", False, True),
        ("-0.001", "0.001", "0.00", False, False),
    ],
)
def test_both_ends_have_to_round_to_it(low, high, printed, cut, expected):
    values = Values(frozenset({(Fraction(low), Fraction(high))}))
    assert values.has(Fraction(printed), len(printed.partition(".")[2]), cut=cut) is expected


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (r"for $r > (3-\sqrt5)/6 \approx 0.127$", ()),
        (r"for $r > (3-\sqrt5)/6 \approx 0.128$", ("0.128",)),
        (r"$\sqrt{35/27} \approx 1.14$", ()),
        (r"$\beta\sqrt{35/27} \approx 1.14$", ("1.14",)),
        (r"for $\beta = 0.04$", ()),
        (r"for $\beta_c = 60.86$", ("60.86",)),
        (r"its slope is $= 0.77$", ("0.77",)),
    ],
)
def test_what_a_text_says_of_a_decimal(text, left):
    assert unexplained(text, NOTHING, [beta]) == left


def test_a_caption_may_name_what_its_figure_draws():
    drawn = Figure(
        "f", "Drawn for 0.011 up to 0.5.", x, (Fraction(0), Fraction(1, 2)), "$x$", "$y$",
        (Curve(x * rational(1, 4), ((beta, Fraction(11, 1000)),), "c"),),
    )  # fmt: skip
    assert unexplained(drawn.caption, values_drawn(drawn)) == ()
    assert unexplained("0.25 times, not 0.26 times", values_drawn(drawn)) == ("0.26",)


def build():
    yield claim("p.half", "At most 0.5, not 0.7", lt(x, rational(1, 2)), beyond="the paper says 0.6")


def test_titles_and_notes_are_read():
    paper = Paper("p", "A. Author", "A title", "v1")
    found = [(item.where, item.what.split()[0]) for item in numbers_without_source(Result("r", paper, build))]
    assert found == [("title of p.half", "0.7"), ("beyond of p.half", "0.6")]
