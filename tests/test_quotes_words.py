"""Quotes that say a property in words, define what they need, or print a piece of what was typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grpo_symbolic import (
    Total,
    both,
    claim,
    decreasing,
    define,
    either,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    increasing,
    le,
    log,
    lt,
    real,
    tends_to,
)
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.language.composites import Extremum
from grpo_symbolic.language.expression import Derivative
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.readback import quotes
from grpo_symbolic.readback.closest import MORE, ONE_SIDE, UNDER
from grpo_symbolic.readback.matching import DEFINITION, LARGER, PART, PIECE, UNTOLD
from grpo_symbolic.readback.quotes import INTERPRETED, PROSE, REWORDED, read_quote
from grpo_symbolic.readback.vocabulary import Vocabulary

paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
closed = real("closed", "[0, 1]", "a probability", latex="c")
a = real("a", "(0, oo)", "a number")
b = real("b", "(0, oo)", "a number")
M = real("M", "(0, oo)", "a bound")
OUTPUTS = IndexSet("output", "outputs", "o")
pi = real("pi", "(0, 1)", "a probability", latex=r"\pi({index})", indexed=OUTPUTS)
old = real("old", "(0, 1)", "an old probability", latex=r"\pi_0({index})", indexed=OUTPUTS)
r = real("r", "(-oo, oo)", "a reward", latex="r({index})", indexed=OUTPUTS)
s = real("s", "[0, 1]", "a reward of 0 or 1", latex="s({index})", indexed=OUTPUTS)
h = define("h", (x,), a * x**2 - b * x, latex="h")
lowest = Extremum(h(x), x, b / (2 * a))
valley = replace(lowest, sloped=True)
KNOWN = Vocabulary(
    aliases={r"\pi({index})": (r"\pi",), "Z": ("Z", "Z_0"), r"\pi_0({index})": (r"\pi_0",)},
    meanings={r"\mathcal{D}(#P \| #Q)": r"\sum_o #P(o) \log\frac{#P(o)}{#Q(o)}"},
    local={"p.local": {"B": "2a"}},
    reworded={"p.reworded": {r"\text{large}": r"> 1"}},
    distributions=frozenset({r"\pi_0({index})"}),
    interpreted={"p.interpreted": "for a reason"},
)


def outcome(latex, typed, given=(), id="p.one", stated=None, **more):
    quote = paper.quote("Eq. (1)", latex, typed, given=given, **more)
    return read_quote(quote, claim(id, "One", stated or typed, printed=quote), [], KNOWN)


AGREES = {
    "growth": (r"x \mapsto a x^2 \text{ is increasing in } (0, 1)", increasing(a * x**2, x), ""),
    "growth as": (r"b = a x^2 \text{ grows as } x \text{ grows}", increasing(a * x**2, x), ""),
    "decay": (r"-a x^2 \text{ falls as } x \text{ grows}", decreasing(-a * x**2, x), ""),
    "valley": (
        r"h \text{ decreases on } (0, c_0] \text{ and increases on } [c_0, 1),\ c_0 = \frac{b}{2a}",
        valley,
        "",
    ),
    "minimum": (r"x = \frac{b}{2a} \text{ achieves its minimum}", lowest, UNTOLD),
    "minimised": (r"h(x) \text{ is minimised at } x = \frac{b}{2a}", lowest, ""),
    "bound of an extremum": (r"h(x) \ge h(\frac{b}{2a})", lowest, ""),
    "limit": (
        r"\lim_{x \downarrow 0} \frac{a}{x} = \infty",
        tends_to(a / x, None, x, to=0, side="+", constant=a),
        "",
    ),
    "limit with as": (
        r"\frac{a}{x} \to \infty \text{ as } x \to 0",
        tends_to(a / x, None, x, to=0, side="+", constant=a),
        "",
    ),
    "proportional": (
        r"\pi(o) \propto \pi_0(o) e^{r(o)}",
        eq(pi * Total(old * exp(r)), old * exp(r)),
        "",
    ),
    "for every": (r"c^2 \le 1 \text{ for every } c \in [0, 1]", le(closed**2, 1), ""),
    "on an interval": (r"h > -b \text{ on } (0, 1)", gt(h(x), -b), ""),
    "needed": (r"\text{to have } x > a \text{ we need } b > 1", implies(gt(x, a), gt(b, 1)), ""),
    "alternatives": (
        r"x > a \text{ if } b > 1, \text{ or } b < 1 \text{ and } a < b",
        implies(either(gt(b, 1), both(lt(b, 1), lt(a, b))), gt(x, a)),
        "",
    ),
    "otherwise": (
        r"b = 1 \text{ if } x < a,\ b = 2 \text{ otherwise}",
        both(implies(lt(x, a), eq(b, 1)), implies(ge(x, a), eq(b, 2))),
        "",
    ),
    "formulas": (r"a + 1, \quad b - x", both(eq(x, a + 1), eq(a, b - x)), ""),
    "constant": (r"h(x) = a x^2 - bx + \mathrm{const}", eq(Derivative(h(x) - (a * x**2 - b * x), x), 0), ""),
    "defined name": (r"a = Z_1 + x,\ Z_1 = e^{b} - 1", eq(a, exp(b) - 1 + x), ""),
    "defined function": (r"a = g(x) + g(b),\ g(t) = \frac{1}{1 + t}", eq(a, 1 / (1 + x) + 1 / (1 + b)), ""),
    "definition": (r"h(x) = a x^2 - b x", gt(h(x), 0), DEFINITION),
    "piece": (r"\frac{a}{1 + b}", eq(x, 2 + a / (1 + b)), PIECE),
    "a meaning": (r"\mathcal{D}(\pi \| \pi_0) > 0", gt(Total(pi * log(pi / old)), 0), ""),
    "bare expectation": (r"\mathbb{E}_{\pi_0}\left[\frac{\pi}{\pi_0}\right] = a", eq(Total(old * (pi / old)), a), ""),
    "linear hypothesis": (r"x + 1 = a", eq(2 * b, a), UNDER),
    "a term with its sign": (r"- \frac{a}{1 + b}", eq(x, 2 - a / (1 + b)), PIECE),
    "more was typed": (r"x < a", both(lt(x, a), lt(a, b)), MORE),
    "a part was typed": (r"x < a < 2", lt(x, a), PART),
    "probabilities add up": (r"\sum_o \pi_0(o) (r(o) - a) = b", eq(Total(old * r) - a, b), UNDER),
}
GIVEN = {"linear hypothesis": (eq(2 * b - x, 1),)}


@pytest.mark.parametrize("name", AGREES)
def test_a_quote_in_words_agrees(name):
    latex, typed, reason = AGREES[name]
    found = outcome(latex, typed, GIVEN.get(name, ()))
    assert found.status == "agrees", found
    assert reason is None or found.reason == reason


DIFFERS = {
    "growth the wrong way": (r"x \mapsto a x^2 \text{ is decreasing in } (0, 1)", increasing(a * x**2, x)),
    "another function": (r"x \mapsto a x^3 \text{ is increasing in } (0, 1)", increasing(a * x**2, x)),
    "valley elsewhere": (
        r"h \text{ decreases on } (0, c_0] \text{ and increases on } [c_0, 1),\ c_0 = \frac{b}{3a}",
        valley,
    ),
    "maximum": (r"x = \frac{b}{2a} \text{ achieves its maximum}", lowest),
    "limit from the other side": (
        r"\lim_{x \uparrow 0} \frac{a}{x} = \infty",
        tends_to(a / x, None, x, to=0, side="+", constant=a),
    ),
    "limit of something else": (
        r"\frac{a}{x^2} \to \infty \text{ as } x \to 0",
        tends_to(a / x, None, x, to=0, side="+", constant=a),
    ),
    "proportional to something else": (
        r"\pi(o) \propto \pi_0(o) e^{-r(o)}",
        eq(pi * Total(old * exp(r)), old * exp(r)),
    ),
    "for every of another range": (r"c^2 \le 1 \text{ for every } c \in [0, 2]", le(closed**2, 1)),
    "the converse": (r"\text{to have } b > 1 \text{ we need } x > a", implies(gt(x, a), gt(b, 2))),
    "otherwise the same": (
        r"b = 1 \text{ if } x < a,\ b = 2 \text{ otherwise}",
        both(implies(lt(x, a), eq(b, 2)), implies(ge(x, a), eq(b, 1))),
    ),
    "formulas in another order": (r"b - x, \quad a + 1", both(eq(x, a + 1), eq(a, b - x))),
    "no piece": (r"\frac{a}{2 + b}", eq(x, 2 + a / (1 + b))),
    "a term with another sign": (r"\frac{a}{1 + b}", eq(x, 2 - a / (1 + b))),
    "another definition": (r"h(x) = a x^2 - 2b x", gt(h(x), 0)),
    "probabilities of another kind": (r"\sum_o \pi(o) (r(o) - a) = b", eq(Total(pi * r) - a, b)),
}


@pytest.mark.parametrize("name", DIFFERS)
def test_a_quote_in_words_differs(name):
    assert outcome(*DIFFERS[name]).status == "differs"


REFUSED = {
    "two intervals that do not meet": (
        r"h \text{ decreases on } (0, a] \text{ and increases on } [b, 1)",
        "do not meet",
    ),
    "a limit from both sides": (r"\lim_{x \to 0} \frac{a}{x} = \infty", "not from one side"),
    "a limit inside the domain": (r"\frac{a}{x} \to \infty \text{ as } x \to \frac12", "inside the domain"),
    "proportional in nothing": (r"a \propto b", "functions of what"),
    "otherwise alone": (r"x > a, b = 2 \text{ otherwise}", '"otherwise" without a case'),
    "a comma among alternatives": (
        r"x > a \text{ and } b > 1, a < 1 \text{ or } b < 2",
        "a comma among alternatives",
    ),
    "an interval of what": (r"a > b \text{ on } (0, 1)", "on an interval of what"),
    "a function of what": (r"a \text{ is increasing in } (0, 1)", "a function of which variable"),
    "no interval": (r"x \mapsto a x \text{ is increasing in } a", "no interval"),
    "two bare expectations": (r"\mathbb{E}_\pi[\mathbb{E}_{\pi_0}[\pi_0]] > 0", "inside each other"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_could_be_read_in_two_ways_is_not_read(name):
    latex, message = REFUSED[name]
    found = outcome(latex, gt(h(x) * Total(old), a * b + Total(pi)))
    assert (found.status, message in found.reason) == ("not read", True), found


def test_a_larger_range_is_enough_unless_the_quote_is_said_to_fail():
    latex, typed = r"x \mapsto a x^2 \text{ is increasing in } (0, \frac12]", increasing(a * x**2, x)
    assert outcome(latex, typed).reason == LARGER
    erratum = {"instead": "nothing"}
    assert outcome(latex, typed, **erratum).status == "differs"


def test_divergence_may_be_typed_with_a_bound():
    typed, near = gt(a / x, M), le(x, a / M)
    latex = r"\frac{a}{x} \to \infty \text{ as } x \to 0"
    assert outcome(latex, typed, given=(near,)).status == "agrees"
    assert outcome(latex, typed).status == "differs"
    # A bound that moves with the variable says nothing, and neither does one that is itself bounded.
    assert outcome(latex, typed, given=(le(x, a * x / M),)).status == "differs"
    assert outcome(latex, gt(a / x, x), given=(near,)).status == "differs"


def test_an_indicator_is_compared_where_rewards_are_0_or_1():
    binary = (eq(s * (1 - s), 0),)
    latex = r"a = \sum_o \pi_0(o) e^{r(o)} \mathbf{1}_{s(o) = 1}"
    assert outcome(latex, eq(a, Total(old * exp(r) * s)), given=binary).reason == UNDER
    # At nearly all rewards an indicator is 0, whatever it multiplies.
    assert outcome(latex, eq(a, Total(old * exp(2 * r) * s)), given=binary).status == "differs"
    assert outcome(rf"Z_0 {latex[1:]}", eq(a, 0 * a), given=binary).status == "not read"


def test_a_wrong_equation_beside_the_one_that_was_typed():
    assert outcome(r"a < b = \frac{b^2}{b}", lt(a, b)).reason == PART
    assert outcome(r"a < b = \frac{b^3}{b}", lt(a, b)).status == "differs"


def test_a_value_under_a_condition():
    latex, typed = r"1 + a \text{ if } x \ge b", eq(x + a, 1 + a)
    assert outcome(latex, typed, given=(ge(x, b),)).status == "agrees"
    assert outcome(latex, typed, given=(le(x, b),)).status == "differs"


def test_notation_of_one_quote_is_for_it_alone():
    assert outcome("B < x", lt(2 * a, x), id="p.local").status == "agrees"
    assert outcome("B < x", lt(2 * a, x)).status == "not read"


def test_reworded_quotes_are_counted_apart():
    found = outcome(r"a \text{large}", gt(a, 1), id="p.reworded")
    assert (found.status, found.reason) == (REWORDED, r'read with "large" as $> 1$')
    assert outcome(r"a \text{large}", gt(a, 2), id="p.reworded").status == "differs"
    assert outcome(r"a \text{ is large}", gt(a, 1)).reason == PROSE


def test_an_interpretation_is_a_reason_not_to_read():
    found = outcome(r"a \text{ is odd}", gt(a, 1), id="p.interpreted")
    assert (found.status, found.reason) == (INTERPRETED, "for a reason")
    assert outcome("a > 1", gt(a, 1), id="p.interpreted").status == "agrees"


def test_a_name_on_one_side():
    assert outcome(r"Z = e^{a} + 1", eq(b, exp(a) + 1)).reason == ONE_SIDE
    assert outcome(r"Z = e^{a} + 1", iff(eq(b, 1), eq(x, a))).status == "not read"


def test_every_reason_is_told_apart():
    reasons = (PART, PIECE, MORE, LARGER, DEFINITION, UNTOLD, UNDER, ONE_SIDE, PROSE, quotes.INTERPRETED)
    assert len(set(reasons)) == len(reasons)
