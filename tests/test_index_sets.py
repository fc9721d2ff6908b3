"""The set that sums run over has the name and the letter that its paper gives it, wherever it is printed or read."""

from __future__ import annotations

import re

import pytest
from judging_here import found as by_hand
from judging_here import judgement

from grpo_symbolic import IndexSet, Paper, Summed, TermOfTotal, Total, claim, eq, gt, lt, rational, real
from grpo_symbolic.checks.numeric import check
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.language.expression import Symbol, rebuild, substitute
from grpo_symbolic.language.index_set import ELEMENTS
from grpo_symbolic.language.indexed import index_set_of, index_sets
from grpo_symbolic.language.vocabulary import define
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.principles import sums
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.readback.quotes import read_quote
from grpo_symbolic.readback.vocabulary import Vocabulary
from grpo_symbolic.report.errata import counterexample
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.text import statement_text

PROMPTS = IndexSet("prompt", "prompts", "x")
STATES = IndexSet("state", "states", r"\omega")
y = real("y", "(0, oo)", "a number")


def share(over: IndexSet | bool) -> Symbol:
    return real("p", "(0, 1)", "a share", latex="p({index})", indexed=over)


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        (PROMPTS, r"\sum_{x'} p(x') \sum_{x''} (p(x''))^{2} - p(x)"),
        (STATES, r"\sum_{\omega'} p(\omega') \sum_{\omega''} (p(\omega''))^{2} - p(\omega)"),
        (True, r"\sum_{i'} p(i') \sum_{i''} (p(i''))^{2} - p(i)"),
    ],
    ids=["prompts", "states", "nothing said"],
)
def test_the_letter_is_printed_and_read_back(over, expected):
    p = share(over)
    expression = Total(p * Total(p**2)) - p
    assert str(expression_latex(expression)) == expected
    assert read_back(expected, expression).status == "agrees"
    other = expected.replace("p(x)", "p(x')").replace(r"p(\omega)", r"p(\omega')").replace("p(i)", "p(i')")
    assert read_back(other, expression).status != "agrees"


def test_a_letter_that_no_sum_has_is_free_for_a_number():
    i = real("i", "(0, oo)", "a number")
    assert read_back("i^2", i**2).status == "agrees"


@pytest.mark.parametrize(("over", "said"), [(PROMPTS, "for every prompt $x$"), (True, "for every element $i$")])
def test_sentences_use_its_name(over, said):
    p = share(over)
    among = index_set_of(eq(p, y))
    for statement in (TermOfTotal(p), Summed(eq(p, y), rational(1), eq(y, 1), y)):
        assert said in statement_latex(statement)
        assert f"for every {among.element} ⇒" in statement_text(statement)
    assert f"(sum over all {among.elements})" in statement_latex(statement)


def test_a_sum_of_ones_says_over_what():
    size, bare = Total(rational(1), PROMPTS), Total(rational(1))
    assert str(expression_latex(size)) == r"\sum_{x'} 1"
    assert str(expression_latex(bare)) == r"\sum_{i'} 1"
    assert size != bare
    assert size != Total(rational(1), STATES)
    assert index_sets(rebuild(size, (y,)), substitute(Total(y, STATES), {y: y + 1})) == (PROMPTS, STATES)
    assert read_back(r"\sum_{x'} 1 = y", eq(size, y)).status == "agrees"


def test_named_functions_speak_of_it_too():
    total = define("S", (), Total(share(PROMPTS)), latex="S")
    assert index_sets(total() + y) == (PROMPTS,)
    assert index_set_of(eq(y, 1)) == ELEMENTS


def test_of_two_sets_a_sum_says_over_which():
    p, q = share(PROMPTS), real("q", "(0, 1)", "another share", indexed=STATES)
    claim("p.two", "Two sets", lt(Total(p), 2), given=[eq(Total(q), 1)])
    with pytest.raises(DeclarationError, match=r"a sum over prompts or over states: say over which"):
        Total(p * q)
    with pytest.raises(DeclarationError, match=r"claim p\.two: a sum over states or over prompts: say over which"):
        claim("p.two", "Two sets", lt(Total(p), Total(rational(1))), given=[eq(Total(q), 1)])


@pytest.mark.parametrize("letter", ["", "xy", "x'", "1", "x_1", r"\,"])
def test_a_letter_is_a_letter(letter):
    with pytest.raises(DeclarationError, match=re.escape(f"{letter!r} is not a letter")):
        IndexSet("prompt", "prompts", letter)


@pytest.mark.parametrize("names", [("", "prompts"), ("prompt", " ")])
def test_it_has_names(names):
    with pytest.raises(DeclarationError, match="needs names"):
        IndexSet(*names, "x")


def test_points_name_the_element():
    p = share(PROMPTS)
    found = check(Obligation("o", (eq(Total(p), 1),), lt(p, Total(p))), Settings(points=25, digits=20))
    assert found.verdict is Verdict.SUPPORTED
    assert "prompt" in dict(found.worst_at)
    witness = Witness((("p[2]", "1/3"),), "1", "2")
    refuted = judgement(Verdict.REFUTED, by_hand("numeric", Verdict.REFUTED, "o", witness=witness))
    assert counterexample(refuted, [p]) == "At $p(x_2)$$=$$1/3$: the left side is $1$, the right side is $2$."


@pytest.mark.parametrize("over", [PROMPTS, STATES, ELEMENTS, IndexSet("judge", "judges", "j")])
def test_the_rules_are_told_with_its_name_and_letter(over):
    rules = [rule.sentence for rule in sums(over)]
    assert all(rule.endswith(".") and rule.count("$") % 2 == 0 for rule in rules)
    assert rf"$\sum_{over.letter} f_{over.letter} = \sum_{over.letter} g_{over.letter}$" in rules[2]
    assert f"for every {over.element}" in rules[0]
    assert rf"\delta_{{{over.letter}{over.letter}}}" not in rules[-1]


@pytest.mark.parametrize(("latex", "agrees"), [("p(x) > 0", True), ("p(o) > 0", False)])
def test_quotes_are_read_with_the_letter_of_their_claim(latex, agrees):
    p = share(PROMPTS)
    made = claim("p.positive", "They are positive", gt(p, 0))
    quote = Paper("p", "A. Author", "A title", "v1").quote("Eq. (1)", latex, gt(p, 0))
    assert (read_quote(quote, made, [], Vocabulary()).status == "agrees") is agrees
