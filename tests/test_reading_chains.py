"""Chains and steps: what a display asserts, over its rows and over displays that follow each other."""

from __future__ import annotations

import pytest

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.tex.retype import latex


def displays(text, *, tex=True):
    return read_text(text, tex=tex).displays()


def printed(step):
    return "".join(f"{latex(step.left)} {step.relation.symbol} {latex(step.right)}".split())


def steps(text, *, tex=True):
    """The steps of each chain, printed without spaces."""
    return [[printed(step) for step in chain.steps] for display in displays(text, tex=tex) for chain in display.chains]


ALIGNED = {
    "one equation": (r"$$a = b.$$", [["a=b"]]),
    "a chain on one line": (r"\[0 < a \le b = c\]", [["0<a", "a\\leb", "b=c"]]),
    "a chain over rows": (r"\begin{align} a &= b \\ &\le c \\ &= d. \end{align}", [["a=b", "b\\lec", "c=d"]]),
    "separate rows": (r"\begin{align*} a &= b, \\ c &= d. \end{align*}", [["a=b"], ["c=d"]]),
    "operator at the start of a row": (r"$$\begin{split} a &= b \\ & + c \end{split}$$", [["a=b+c"]]),
    "relation at the end of a row": (r"$$\begin{aligned} a = \\ b \end{aligned}$$", [["a=b"]]),
    "operator at the end of a row": (r"\begin{multline} a = b + \\ c \end{multline}", [["a=b+c"]]),
    "minus begins an equation of its own": (r"\begin{align} a &= b \\ -c &= d \end{align}", [["a=b"], ["-c=d"]]),
    "minus goes on": (r"\begin{align} a &= b \\ &- c \end{align}", [["a=b-c"]]),
    "gathered equations": (r"\begin{gather} a = b \\ -c = d \end{gather}", [["a=b"], ["-c=d"]]),
    "a bracket over a line break": (r"\begin{align} a &= (b \\ &+ c) \\ &= d \end{align}", [["a=(b+c)", "(b+c)=d"]]),
    "comma and wide space": (r"$$a = b, \quad c = d$$", [["a=b"], ["c=d"]]),
    "wide space": (r"$$a = b \qquad c = d$$", [["a=b"], ["c=d"]]),
    "words between": (r"$$a = b \text{ and } c = d$$", [["a=b"], ["c=d"]]),
    "bare words between": (r"$$a = b \ and \ c = d$$", [["a=b"], ["c=d"]]),
    "a list is one side": (r"$$x, y = 1$$", [["x,y=1"]]),
    "equation environment": (
        r"\begin{equation} \begin{split} a &= b \\ &= c \end{split} \end{equation}",
        [["a=b", "b=c"]],
    ),
    "start before the rows": (r"$$a \begin{aligned}[t] &= b \\ &= c \end{aligned}$$", [["a=b", "b=c"]]),
    "array of lines": (
        r"$$\begin{array}{ll} \text{first:} & a = b, \\ \text{second:} & c = d. \end{array}$$",
        [["a=b"], ["c=d"]],
    ),
    "cases stay a value": (r"$$a = \begin{cases} b & \text{if } c = 1 \\ d \end{cases}$$", None),
    "definitions": (
        r"$$a := b, \quad c \stackrel{\text{def}}{=} d \quad e \triangleq f$$",
        [["a:=b"], ["c:=d"], ["e:=f"]],
    ),
    "equivalence": (r"$$a = b \iff c = d$$", [["a=b"], ["c=d"]]),
    "alternative": (r"$$a = b \text{ or } c = d$$", [[r"a=b\veec=d"]]),
    "a number left by the scan": (r"$$a = b. (18)$$", [["a=b"]]),
    "rows without an environment": (r"$$a = b \\ = c$$", [["a=b", "b=c"]]),
    "limits": (r"$$x \to 0$$", [["x\\rightarrow0"]]),
    "system after a brace": (r"$$\left\{\begin{aligned} a &= b \\ c &= d \end{aligned}\right.$$", [["a=b"], ["c=d"]]),
    "intertext": (r"\begin{align} a &= b \\ \intertext{and hence} c &= d \end{align}", [["a=b"], ["c=d"]]),
    "trailing dots": (r"$$a = b \\ \quad = c \ .$$", [["a=b", "b=c"]]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ALIGNED.values(), ids=ALIGNED)
def test_steps(text, expected):
    found = steps(text)
    if expected is None:
        assert len(found) == len(found[0]) == 1
    else:
        assert found == expected


def test_a_display_that_begins_with_a_relation_goes_on_from_the_one_before():
    first, second = displays("$$a = b$$\n\n$$= c \\le d$$")
    assert [printed(step) for step in first.steps] == ["a=b"]
    assert [printed(step) for step in second.steps] == ["b=c", r"c\led"]
    assert second.chains[0].continues
    assert [step.index for step in second.steps] == [2, 3]


def test_text_between_displays_ends_a_chain():
    first, second = displays("$$a = b$$ and so $$= c = d$$")
    assert [printed(step) for step in second.steps] == ["c=d"]
    assert [one.code for one in second.unread] == ["no-left-side"]
    assert first.unread == ()


def test_a_display_does_not_go_on_from_a_broken_one():
    first, second = displays("$$a = b)$$\n$$= c = d$$")
    assert first.broken is not None
    assert [printed(step) for step in second.steps] == ["c=d"]
    assert [one.code for one in second.unread] == ["no-left-side"]


def test_a_display_that_begins_with_an_operator_belongs_to_the_one_before():
    first, second = displays("$$a = b$$\n$$+ c$$")
    assert [printed(step) for step in first.steps] == ["a=b+c"]
    assert [one.code for one in second.unread] == ["joined"]


def test_a_sign_repeated_at_a_line_break_is_read_once_with_a_note():
    (display,) = displays(r"\begin{align} a &= b \times \\ &\times c \end{align}")
    assert [printed(step) for step in display.steps] == [r"a=b\timesc"]
    assert "the sign \\times is repeated" in display.notes[0]


CONDITIONS = {
    "if": (r"$$a = b \quad \text{if } p < 1$$", [("if", "p<1")]),
    "bare if": (r"$$a = b, \ if \ p < 1$$", [("if", "p<1")]),
    "for all": (r"$$a = b \quad \text{for all } x > 0$$", [("for all", "x>0")]),
    "quantifier": (r"$$a = b, \forall x \in S$$", [("", r"\forallx\inS")]),
    "range beside an equation": (r"$$a = b, \quad x > 0$$", [("", "x>0")]),
    "membership": (r"$$a \le b, \quad n \in N$$", [("", r"n\inN")]),
    "condition first": (r"$$\text{if } p < 1, a = b$$", [("if", "p<1")]),
    "quantifier first": (r"$$\forall x \in S, \quad a = b$$", [("", r"\forallx\inS")]),
    "otherwise": (r"$$a = b \text{ otherwise}$$", [("otherwise", "")]),
    "reason": (r"$$a = b \quad \text{(by Lemma 2)}$$", []),
    "reference": (r"$$a = b \quad \text{by }\eqref{eq:1}$$", []),
    "heading": (r"$$\text{stationarity: } a = b$$", []),
    "where": (r"$$\text{where } a = b$$", []),
}


@pytest.mark.parametrize(("text", "expected"), CONDITIONS.values(), ids=CONDITIONS)
def test_conditions_on_a_row(text, expected):
    (display,) = displays(text)
    (step,) = display.steps
    assert printed(step) in ("a=b", r"a\leb")
    assert [(one.words, "".join(latex(one.items).split())) for one in step.conditions] == expected


def test_a_condition_holds_for_the_rest_of_its_chain_but_not_for_other_chains():
    (display,) = displays(r"\begin{align} a &= b \\ &= c \text{ if } p < 1 \\ &= d \\ e &= f \end{align}")
    assert [len(step.conditions) for step in display.steps] == [0, 1, 1, 0]


def test_a_row_of_words_restricts_the_rows_after_it():
    (display,) = displays(r"\begin{align} a &= b \\ &\text{if } p < 1: \\ c &= d \end{align}")
    assert [bool(step.conditions) for step in display.steps] == [False, True]


def test_bullets_in_a_display_are_no_minus_signs():
    (display,) = displays(r"\begin{aligned} f &= -g \\ &- if \ p < 1, \ f < 0 \end{aligned}".join(["$$", "$$"]))
    assert [printed(step) for step in display.steps] == ["f=-g", "f<0"]
    assert [one.words for one in display.steps[1].conditions] == ["if"]


def test_relations_keep_what_stands_above_them():
    (display,) = displays(r"$$a \stackrel{!}{=} b \overset{(i)}{\le} c =_{(2)} d$$")
    assert [step.relation.symbol for step in display.steps] == ["=", r"\le", "="]
    assert [latex(step.relation.over).replace(" ", "") for step in display.steps] == ["!", "(i)", "(2)"]


def test_links_between_statements():
    (display,) = displays(r"$$a = b \Rightarrow c = d$$")
    assert [chain.link for chain in display.chains] == [None, r"\Rightarrow"]


def test_numbers_of_rows_and_displays():
    (display,) = displays(r"\begin{align} a &= b \label{eq:a} \\ c &= d \tag{7} \end{align}")
    assert [(step.label, step.tag) for step in display.steps] == [("eq:a", None), (None, "7")]
    (equation,) = displays(r"\begin{equation}\label{eq:b} \begin{split} a &= b \\ &= c \end{split} \end{equation}")
    assert {step.label for step in equation.steps} == {"eq:b"}
    (scanned,) = displays("$$a = b$$\n(17)\n\ntext", tex=False)
    assert scanned.steps[0].tag == "17"
    first, _second = displays("$$a = b$$\n\n$$\\tag{2}$$", tex=False)
    assert first.steps[0].tag == "2"


UNREAD = {
    "an objective": (r"$$\max_\theta J(\theta)$$", ["no-relation"]),
    "only a number": (r"$$\tag{3}$$", ["number-only"]),
    "nothing": ("$$ $$", ["number-only"]),
    "only words": (r"$$\text{subject to } x > 0$$", ["words"]),
    "no right side": ("$$a =$$", ["no-right-side", "no-relation"]),
}


@pytest.mark.parametrize(("text", "codes"), UNREAD.values(), ids=UNREAD)
def test_what_is_no_step_is_listed(text, codes):
    (display,) = displays(text)
    assert display.steps == ()
    assert [one.code for one in display.unread] == codes


def test_two_relations_in_a_row_are_broken():
    (display,) = displays("$$a < = b$$")
    assert display.broken is not None
    assert display.broken.reason == "nothing stands between < and ="
    assert display.broken.place.column == 7


def test_the_rest_of_the_paper_is_read_on():
    kinds = [display.broken is None for display in displays(r"$$a = b)$$ x $$c = d$$ y \[ \frac{1} \] z $$e = f$$")]
    assert kinds == [False, True, False, True]


def test_steps_have_places():
    (display,) = displays("text\n\\begin{align}\n a &= b \\\\\n   &= c\n\\end{align}")
    assert [(step.place.line, step.place.column) for step in display.steps] == [(3, 2), (3, 7)]
    assert [(step.relation.place.line, step.relation.place.column) for step in display.steps] == [(3, 5), (4, 5)]
    assert display.place.text.startswith(r"\begin{align}")
