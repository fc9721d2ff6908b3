"""Papers without a map: what the words before a display say that it is, and what its sign asserts."""

from __future__ import annotations

import pytest
from referee_here import QUICK, in_this_process

from grpo_symbolic.referee.check import check_paper
from grpo_symbolic.referee.findings import NO_ASSERTION, RECORDED, STANDING, SUPPOSED, Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

BEFORE = "We use $$y = g(x) + h(x)$$ below.\n\n"
DEFINING = [
    "We define the return as",
    "The approximator is defined as follows:",
    "Let $n > 0$, and denote by $y$ the value",
    "The quantity $y$, where",
    "The loss function is modified to:",
]
#: Words that derive something, ask for it or say nothing of it.
NO_WORDS = [
    "By the definition of $y$ we obtain",
    "We define $y$. Then",
    "We define $z$ above.",
    "Using the definition of the loss, it follows that",
    "Let's return to",
    "With respect to $y$ we have",
    "Equivalently, this can be expressed as:",
    "Hence, where",
    "We do not define",
    "Some authors define",
    "Unlike us, Smith et al. define",
    "It is a mistake to write",
    "The loss is equal to",
    "The gradient of the loss is",
    "The loss is",
    "By Bayes' rule we can write",
    "The value is computed as",
    "The value defined above is",
    "Let $n > 0$, in which case",
    "Let $n > 0$; by computation",
    "Integrating by parts with",
    "The quantity denoted by $y$ is",
    "Claim: the objective is",
]
SUPPOSING = [
    "Suppose that",
    "Take numbers that satisfy",
    "Choose $x$ such that",
    "Further assume that these are independent, i.e.",
    "Two events are independent if",
    "A function is *convex* if for all $x$ and any $z > 0$ we have",
    "A function is called \\emph{odd} if and only if for every $x$",
    "On the other hand, suppose we have",
]
NOT_SUPPOSING = [
    "Assume that $n$ is even, and it is plain that",
    "Suppose that $x > 0$; the answer:",
    "We require $x > 0$, and deduce",
    "We do not suppose that",
    "Any two numbers satisfy",
    "Any $x$ and $y$ are such that",
    "This happens even when",
    "If $x > 0$, then",
    "Suppose that $x > 0$. Then",
    "If we write it out this is",
    "It is clear that",
    "If it is *convex*, then for all $x$ we have",
    "A function is convex if for all $x$ we have",
    "A function is *convex* if for all $x$, and hence we have",
    "A function is *convex* if for all $x$ it is so. For all $z$ we have",
    "A function is not *convex* if for all $x$ we have",
    "It is *clear* if for all $x$ we take $y$ that",
    "Suppose we have $x > 0$. Then we have",
]
#: What was not read is defined or supposed by the words all the same, but not if it has two readings or none.
UNREAD = [
    ("We let", r"B_n = \{x : f(x) > n\}", Status.BY_DEFINITION, "its right side was not read"),
    ("Let", r"B = \{g > 1\}", Status.BY_DEFINITION, "its right side was not read"),
    ("Denote by $B$ the set", r"B = \bigcup_n B_n", Status.BY_DEFINITION, "its right side was not read"),
    ("Maximize $g$ subject to", r"x_1, x_2 \ge 0", Status.CONDITION, "it was not read"),
    ("Suppose that", r"K \subseteq L", Status.CONDITION, "it was not read"),
]
STILL_UNREAD = [
    ("Hence", r"B_n = \{x : f(x) > n\}"),
    ("We do not define", r"B = \{x : f(x) > n\}"),
    ("Some authors define", r"B = \{x : f(x) > n\}"),
    ("The set is", r"B = \{x : f(x) > n\}"),
    ("We let", r"B \cup C = \{x : f(x) > n\}"),
    ("We let", r"3 = \{x : f(x) > n\}"),
    ("We let", r"B = \{x : f(x) > n\} \cup B"),
    ("We let", r"P(A) = \{x : f(x) > n\}"),
    ("We let", r"B = 3 \{x \in a\}"),
    ("We let", r"B = 0 c"),
    ("We let", r"B = a/bc"),
    ("We let", r"B = C = \{x : f(x) > n\}"),
    ("We maximize it; then", r"x_1, x_2 \ge 0"),
    ("Suppose that", r"x = \bigcup_n y = 0"),
]
LOOSE = [
    r"x \approx y + 1",
    r"x \propto y^2",
    r"x \sim \mathcal{N}(0, 1)",
    r"x \in \mathbb{R}^n",
    r"\theta \leftarrow \theta - \eta g",
    r"\frac{1}{n} \to 0",
    r"(x + 1)^2 - 2 x",
]
#: What has a relation in it that asserts something, or words beside it, is no expression alone.
NOT_LOOSE = [
    r"\underbrace{2 + 2}_{= 5}",
    r"x \text{ is } 3",
    r"\boxed{2 + 2 = 5}",
    r"x + 1 \text{ is positive}",
    r"[2 + 2 = 5]",
    r"x \not\approx y",
    r"x + 1 = ",
]


def _last(folder, words: str, latex: str):
    (folder / "p.md").write_text(f"{BEFORE}{words}\n\n$${latex}$$\n")
    return check_paper(folder / "p.md", QUICK).findings[-1]


@pytest.mark.parametrize("words", DEFINING)
def test_the_words_before_a_display_say_that_it_defines(words, tmp_path):
    found = _last(tmp_path, words, r"y = 2 g(x)")
    assert (found.status, found.code) == (Status.BY_DEFINITION, "introduced"), found
    assert " ".join(words.split())[-20:] in found.reason
    assert "another thing from here on" in found.reason


@pytest.mark.parametrize("words", NO_WORDS)
def test_words_that_derive_define_nothing(words, tmp_path):
    assert _last(tmp_path, words, r"y = 2 g(x)").status not in (*STANDING, *RECORDED)


@pytest.mark.parametrize("latex", [r"2 + 2 = 5", r"g(x) + 1 = g(x)", r"y = 2 y + 1", r"\sum_i a_i = b + c", r"y = 0"])
def test_no_words_make_a_definition_of_what_has_not_its_form(latex, tmp_path):
    assert _last(tmp_path, "We define", latex).status not in (*STANDING, *RECORDED)


def test_an_equation_about_a_probability_is_a_definition_only_if_the_words_say_so(tmp_path):
    (tmp_path / "p.md").write_text(
        "We roll a die.\n\n$$\\mathbb{P}(A) = q^2$$\n\nWe define\n\n$$\\mathbb{P}(B) = q^3$$\n"
    )
    claimed, defined = check_paper(tmp_path / "p.md", QUICK).findings
    assert claimed.status not in (*STANDING, *RECORDED)
    assert defined.status is Status.BY_DEFINITION
    assert _last(tmp_path, "We write", r"P(A, B) = P(A) P(B)").status not in (*STANDING, *RECORDED)


@pytest.mark.parametrize("words", SUPPOSING)
def test_what_the_words_suppose_is_no_claim(words, tmp_path):
    found = _last(tmp_path, words, r"g(x) + 1 = h(x) k(x)")
    assert (found.status, found.code) == (Status.CONDITION, SUPPOSED), found


@pytest.mark.parametrize("words", NOT_SUPPOSING)
def test_what_follows_from_a_supposition_is_one(words, tmp_path):
    assert _last(tmp_path, words, r"g(x) + 1 = h(x) k(x)").status not in (*STANDING, *RECORDED)


def test_later_sides_of_a_chain_are_not_supposed(tmp_path):
    assert _last(tmp_path, "Suppose that", r"x = (a + b)^2 = a^2 + b^2").status is Status.NOT_AN_IDENTITY


@pytest.mark.parametrize("latex", LOOSE)
def test_what_asserts_nothing_exact_is_listed_as_such(latex, tmp_path):
    found = _last(tmp_path, "", latex)
    assert (found.status, found.code) == (Status.CONDITION, NO_ASSERTION), found


@pytest.mark.parametrize("latex", NOT_LOOSE)
def test_what_may_assert_something_is_not(latex, tmp_path):
    assert _last(tmp_path, "", latex).status not in (*STANDING, *RECORDED)


def test_with_a_map_such_a_sign_asserts_no_more(tmp_path):
    (tmp_path / "p.notation.toml").write_text('[symbols]\nx = "(0, 1)"\ny = "(0, 1)"\n')
    assert _last(tmp_path, "", r"x \approx y + 1").status is Status.CONDITION
    assert check_paper(tmp_path / "p.md", QUICK).exit_code() == 3


def test_a_row_that_begins_with_a_name_goes_on_from_nothing(tmp_path):
    rows = r"& a = b c \\ \textbf{PPO:}\quad & -d e \\ & f = g h"
    (tmp_path / "p.md").write_text(f"$$\\begin{{aligned}} {rows} \\end{{aligned}}$$\n")
    first, alone, last = check_paper(tmp_path / "p.md", QUICK).findings
    assert (first.right, alone.left, last.left) == ("b c", "-d e", "f")


def test_the_sign_of_a_definition_defines_an_object_too(tmp_path):
    assert _last(tmp_path, "", r"y := \|x\| + 1").status is Status.BY_DEFINITION
    assert _last(tmp_path, "", r"y := \|y\| + y").status not in (*STANDING, *RECORDED)


def test_lines_of_dollars_fence_a_formula_with_empty_lines(tmp_path):
    (tmp_path / "p.md").write_text("$$\n1 + 1\n\n= 2\n$$\n\n$$\n2 + 2 = 4\n\n# Heading\n\n$$\n3 + 3 = 6\n$$\n")
    found = check_paper(tmp_path / "p.md", QUICK).findings
    assert [one.status for one in found] == [Status.DECIDED, Status.BROKEN, Status.DECIDED]


@pytest.mark.parametrize(("latex", "defines"), [(r"k(z) = z^2 + \|z\|", True), (r"f(z) = x^2 + \|x\|", False)])
def test_another_argument_is_no_new_name(latex, defines, tmp_path):
    (tmp_path / "p.md").write_text(f"$$f(x) = x^2 + \\|x\\|$$\n\nThe loss is\n\n$${latex}$$\n")
    assert (check_paper(tmp_path / "p.md", QUICK).findings[-1].status is Status.BY_DEFINITION) is defines


@pytest.mark.parametrize(
    ("words", "holds"), [("We define", True), ("# Aside\n\nSuppose that", False), ("They wrongly write", False)]
)
def test_what_is_only_supposed_is_not_written_out_later(words, holds, tmp_path):
    (tmp_path / "p.md").write_text(f"{words}\n\n$$c = \\|x\\|$$\n\nThe double is\n\n$$2 c = 2 \\|x\\|$$\n")
    assert (check_paper(tmp_path / "p.md", QUICK).findings[-1].status in STANDING) is holds


@pytest.mark.parametrize(("words", "latex", "status", "note"), UNREAD)
def test_what_was_not_read_is_defined_or_supposed_by_the_words(words, latex, status, note, tmp_path):
    found = _last(tmp_path, words, latex)
    assert found.status is status, found
    assert any(note in one for one in found.notes)


@pytest.mark.parametrize(("words", "latex"), STILL_UNREAD)
def test_what_was_not_read_stays_so_without_words_for_it(words, latex, tmp_path):
    assert _last(tmp_path, words, latex).status not in (*STANDING, *RECORDED)


def test_a_name_that_words_define_twice_by_what_was_not_read_is_left_the_second_time(tmp_path):
    paper = tmp_path / "p.md"
    define = "We define $$A = \\{{x : x {} 0\\}}.$$"
    paper.write_text("\n\n".join(define.format(sign) for sign in (">", ">", "<")))
    found = [one.status for one in check_paper(paper, QUICK).findings]
    assert found[:2] == [Status.BY_DEFINITION, Status.BY_DEFINITION]
    assert found[2] is not Status.BY_DEFINITION


def test_what_cannot_be_asked_again_costs_no_other_step_its_answer(tmp_path):
    paper = tmp_path / "p.md"
    paper.write_text("$$\\frac{d}{dx} \\sum_{i=1}^n x^i = \\sum_{i=1}^n x^{i-1}$$\n\n$$x + x = 2 x$$\n")
    first, last = check_paper(paper, QUICK).findings
    assert first.status not in STANDING
    assert last.status is Status.DECIDED
