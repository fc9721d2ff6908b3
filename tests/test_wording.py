"""Prose says no number that no statement says: in these derivations, and as a rule."""

from __future__ import annotations

import sys
from fractions import Fraction
from types import ModuleType

import pytest
from judged_library import whole_library

from grpo_symbolic import (
    Curve,
    Extremum,
    Figure,
    Paper,
    Result,
    UniqueZero,
    both,
    claim,
    define,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    instance,
    le,
    lt,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.derivation.cited import CITED
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.wording.accounts import numbers_without_source, words_without_claim
from grpo_symbolic.wording.numbers import decimals, unexplained
from grpo_symbolic.wording.prose import asserted
from grpo_symbolic.wording.values import Values, values_drawn, values_in
from grpo_symbolic.wording.words import WORDS, unearned, words_in

LIBRARY = whole_library()
x = real("x", "(0, 1)", "a share", latex="x")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")


@pytest.mark.parametrize("result", LIBRARY.results, ids=lambda result: f"{result.paper.id}.{result.slug}")
def test_every_decimal_has_a_source(result):
    assert list(numbers_without_source(result)) == []


@pytest.mark.parametrize("result", LIBRARY.results, ids=lambda result: f"{result.paper.id}.{result.slug}")
def test_every_word_is_earned(result):
    assert list(words_without_claim(result, LIBRARY.claims)) == []


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


def missing(made, text):
    return unearned(made, words_in(text))


y = real("y", "(0, 1)", "another share", latex="y")
mean = real("m", "(0, 1)", "the expected reward", latex="m")
twice = define("twice", (x,), 2 * x, latex="t")
EARNED = {
    "x is one half exactly if it is 1 - x": iff(eq(x, rational(1, 2)), eq(x, 1 - x)),
    "x is one half only if it is 1 - x": implies(eq(x, 1 - x), eq(x, rational(1, 2))),
    "there is one zero": UniqueZero(x - y, x, y / 2, y, True),
    "it converges to 0": tends_to(x, 0, x, to=0, side="+", constant=rational(1)),
    "it is smallest at 1/2": Extremum((x - rational(1, 2)) ** 2, x, rational(1, 2)),
    "it is the maximum of all values": le(x * (1 - x), rational(1, 4)),
    "a cycle of two": eq(twice(twice(x)), x),
    "no cycle of two": implies(eq(twice(x), y), gt(twice(y), x)),
    "the expected reward": gt(mean, 0),
    "x is positive for every share": gt(x, 0),
}
UNEARNED = {
    "x is one half exactly if it is 1 - x": implies(eq(x, 1 - x), eq(x, rational(1, 2))),
    "x is one half only if it is 1 - x": eq(x, 1 - x),
    "there is one zero": eq(x, 2 * y),
    "it converges to 0": lt(x, y),
    "it is smallest at 1/2": gt(x, y),
    "it attracts": lt(x, 1),
    "a cycle of two": eq(twice(x), x),
    "no cycle of two": gt(twice(y), twice(x)),
    "the expected reward": gt(x, 0),
    "1 is positive for every share": gt(rational(1), 0),
}


def test_what_is_as_good_as_the_best_being_it_earns_the_only_maximum():
    title = "Only this is the maximum"
    made = claim("p.made", title, eq(x, rational(1, 2)), given=[ge(x * (1 - x), rational(1, 4))])
    assert list(missing(made, title)) == []
    assert list(missing(claim("p.made", title, eq(x, 2 * y)), title))


@pytest.mark.parametrize("title", EARNED)
def test_a_word_is_earned_by_a_statement_of_its_kind(title):
    assert list(missing(claim("p.made", title, EARNED[title]), title)) == []


@pytest.mark.parametrize("title", UNEARNED)
def test_a_word_that_is_not_earned_is_listed_with_what_it_wants(title):
    found = list(missing(claim("p.made", title, UNEARNED[title]), title))
    assert len(found) == 1
    assert found[0][0] in title
    assert found[0][1] in {word.wants for word in WORDS}


def test_a_theorem_lends_its_words_but_nothing_at_equality():
    steep = lt(x, 1)
    attracts = claim("p.made", "It attracts", steep, cites=["linear stability"])
    assert list(missing(attracts, "It attracts")) == []
    assert list(missing(attracts, "It is the only one"))
    both_ways = claim("p.both", "It attracts exactly for these", iff(steep, lt(2 * x, 2)), cites=["linear stability"])
    [(word, wants)] = missing(both_ways, both_ways.title)
    assert word == "attracts exactly"
    assert wants == "more than linear stability, which says nothing at equality"
    assert list(missing(both_ways, "Its slope is below 1 exactly for these")) == []


def test_formulas_and_names_are_no_words():
    made = claim("p.made", "Less", lt(x, 1))
    assert list(missing(made, "$only$ and `updates.attracts` and shift-only")) == []


def test_a_theorem_that_is_not_on_the_list_is_refused():
    with pytest.raises(
        DeclarationError, match=r"test_wording.*p\.made cites 'Fermat', which is not on the list; there are: linear"
    ):
        claim("p.made", "Less", lt(x, 1), cites=["Fermat"])


def test_words_lent_by_theorems_are_kinds_of_words():
    assert {kind for theorem in CITED for kind in theorem.words} <= {word.kind for word in WORDS}


def test_every_theorem_on_the_list_is_cited():
    used = {name for made in LIBRARY.claims.values() for name in made.cites}
    assert {theorem.name for theorem in CITED} == used


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Theorem 4 says that it converges. It attracts.", ["It attracts."]),
        ("It converges, as the paper says, from nearby.", []),
        ("By Theorem 4 it converges.", ["By Theorem 4 it converges."]),
        ("Section 1.3 assumes that it is the only one. It is.", ["It is."]),
        ("In Section 1.3. It says that it is the only one.", ["In Section 1.3.", "It says that it is the only one."]),
    ],
)
def test_what_the_paper_says_is_not_asserted(text, left):
    assert list(asserted(text)) == left


def made_result(statement, introduction="", beyond=None, title="Made"):
    """A result with one claim, and with this introduction."""

    def build():
        yield claim("p.made", "It attracts", statement, beyond=beyond)

    build.__module__ = f"{__name__}_made"
    sys.modules[build.__module__] = ModuleType(build.__module__, introduction)
    return Result(title, Paper("p", "P", "A", "v1", "p"), build)


def complaints_about(result, library=()):
    found = words_without_claim(result, {made.id: made for made in library})
    return [f"{item.where}: {item.what}" for item in found if item.where != "title of p.made"]


def test_complaints_name_the_place():
    found = list(words_without_claim(made_result(lt(x, 1)), {}))
    assert [item.where for item in found] == ["title of p.made"]
    assert found[0].what == "'attracts' wants a fixed point that attracts or repels"


@pytest.mark.parametrize("title", ["It attracts (`p.half`)", "It attracts, as the paper says"])
def test_a_title_answers_for_itself_whatever_it_names_or_reports(title):
    def build():
        yield claim("p.made", title, lt(x, 1))

    attracting = claim("p.half", "It attracts", lt(x, 1), cites=["linear stability"])
    found = words_without_claim(Result("Made", Paper("p", "P", "A", "v1", "p"), build), {"p.half": attracting})
    assert [item.where for item in found if item.where.startswith("title of p.")] == ["title of p.made"]


HALF = claim("p.half", "One half", iff(eq(x, rational(1, 2)), eq(x, 1 - x)))
WHOLE = claim("p.whole", "One", lt(x, 1))


@pytest.mark.parametrize(
    ("sentence", "complaint"),
    [
        ("It is short.", None),
        ("It is so exactly at one half (`half`).", None),
        ("It is so exactly at one half (`p.half`, `whole`).", None),
        ("It is so exactly at one half.", "'exactly': name the claim that says so between backticks: "),
        ("It is so exactly at one half (`missing`).", "'exactly': name the claim that says so between backticks: "),
        ("It is so exactly below one (`whole`).", "'exactly' wants an equivalence, a unique zero, all zeros or an ext"),
        ("It is about 0.25.", "'0.25': name the claim that says so between backticks: It is about 0.25."),
        ("It is about 0.25 (`whole`).", None),  # what that claim contains is asked elsewhere
        ("The paper says that it is so exactly at one half.", None),
    ],
)
def test_what_an_introduction_asserts_is_said_by_a_claim_that_it_names(sentence, complaint):
    found = complaints_about(made_result(lt(x, 1), sentence), [HALF, WHOLE])
    assert len(found) == (complaint is not None)
    assert complaint is None or found[0].startswith(f"introduction of {__name__}_made: {complaint}")


def test_a_note_answers_with_its_claim_and_a_title_of_a_result_with_all_of_its_claims():
    says = iff(eq(x, rational(1, 2)), eq(x, 1 - x))
    assert complaints_about(made_result(says, beyond="says exactly where", title="Exactly there")) == []
    found = complaints_about(made_result(lt(x, 1), beyond="says exactly where", title="Exactly there"))
    assert [item.partition(":")[0] for item in found] == [f"title of {__name__}_made", "beyond of p.made"]
