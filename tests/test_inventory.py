"""Cutting a text into rows: nothing is lost, steps are relations, hashes do not depend on line breaks."""

from __future__ import annotations

import random

import pytest

from grpo_symbolic.coverage.inventory import digest, inventory, is_mathematical

TEXT = r"""# A note on bowls

A. Author

#### Abstract

We weigh bowls. Heavy bowls sink, e.g. stone ones, cf. Stone et al. [1999].

### 1 Weights

A bowl has a mass $m > 0$ and is round. Its weight is

$$w = m g$$
(1)

where $g$ is known. Hence for every bowl $b$ , see Eq. (1), we have

$$\begin{aligned} w(b) + 1 &= m(b) g \\
 &+ 1 \\
 &\le 2 m(b) g, \\
 v(b) &= 0. \end{aligned}$$

$$= 3 + 4$$

- first item. Second sentence
- another item

Lemma 1. It sinks.

$$a = b \quad \text{and} \quad c < d \tag{2}$$

Proof. Clear, since $x = y = z$ and $0 < a < 1$.

## References

- A. Author. A paper with $x$.

## A More

Figure 1: A bowl.

$$\max_b w(b)$$
"""


def described(text: str) -> list[tuple[str, str, str | None, str]]:
    return [(row.section, row.kind, row.label, " ".join(text[row.start : row.end].split())) for row in inventory(text)]


def test_rows_of_a_small_text():
    assert described(TEXT) == [
        ("Title", "heading", None, "# A note on bowls"),
        ("Title", "heading", None, "A. Author"),
        ("Abstract", "heading", None, "#### Abstract"),
        ("Abstract", "sentence", None, "We weigh bowls."),
        ("Abstract", "sentence", None, "Heavy bowls sink, e.g. stone ones, cf. Stone et al. [1999]."),
        ("1", "heading", None, "### 1 Weights"),
        ("1", "sentence", None, "A bowl has a mass $m > 0$ and is round."),
        ("1", "sentence", None, "Its weight is"),
        ("1", "step", "(1)", "$$w = m g$$ (1)"),
        ("1", "sentence", None, "where $g$ is known."),
        ("1", "sentence", None, "Hence for every bowl $b$ , see Eq. (1), we have"),
        ("1", "step", None, r"$$\begin{aligned} w(b) + 1 &= m(b) g \\ &+ 1 \\ &"),
        ("1", "step", None, r"\le 2 m(b) g, \\"),
        ("1", "step", None, r"v(b) &= 0. \end{aligned}$$"),
        ("1", "step", None, "$$= 3 + 4$$"),
        ("1", "item", None, "- first item."),
        ("1", "item", None, "Second sentence"),
        ("1", "item", None, "- another item"),
        ("1", "sentence", "Lemma 1", "Lemma 1."),
        ("1", "sentence", "Lemma 1", "It sinks."),
        ("1", "step", "(2)", r"$$a = b \quad \text{and} \quad"),
        ("1", "step", "(2)", r"c < d \tag{2}$$"),
        ("1", "sentence", None, "Proof."),
        ("1", "sentence", None, "Clear, since $x = y = z$ and $0 < a < 1$."),
        ("1", "inline step", None, "x = y"),
        ("1", "inline step", None, "= z"),
        ("References", "references", None, "## References - A. Author. A paper with $x$."),
        ("A", "heading", None, "## A More"),
        ("A", "caption", "Figure 1", "Figure 1: A bowl."),
        ("A", "display", None, r"$$\max_b w(b)$$"),
    ]


def test_a_step_repeats_the_side_before_it_also_across_displays():
    by_source = {row.digest: row for row in inventory(TEXT)}
    assert digest(r"m(b)g \\ + 1 \\ \le 2 m(b) g,") not in by_source  # line breaks are markup
    assert by_source[digest("m(b)g+1\\le2m(b)g,")].kind == "step"
    assert by_source[digest("0= 3 + 4")].kind == "step"


def test_hashes_depend_on_the_text_and_not_on_blanks():
    spread = TEXT.replace("w = m g", "w  =\n m\tg")
    assert [row.digest for row in inventory(spread)] == [row.digest for row in inventory(TEXT)]
    changed = [row.digest for row in inventory(TEXT.replace("w = m g", "w = m g^2"))]
    assert sum(old.digest != new for old, new in zip(inventory(TEXT), changed, strict=True)) == 1


PIECES = (
    "A sentence. ",
    "Another one with $a = b$ inside, i.e. $c$. ",
    "\n\n",
    "\n",
    "\n\n$$x = y$$\n\n",
    "\n\n$$f(x = y \\le z) < \\{3$$\n(4)\n",
    "\n\n$$\\tag{9}$$\n",
    "\n- item $x$. More",
    "\n\n### 2.1 Title\n\n",
    "\n\n3. PLAIN TITLE\n\n",
    "\n\n3.1. **Run in.** Then text. ",
    "\n\nAppendix B. Proofs\n\n",
    "\n\n$\\begin{array}{l} a = b, \\\\ c = d \\end{array}$\n\n",
    "\n= $x$ (by Lemma 2)\n",
    "\n\nTheorem 3 (Name). Let $x$. ",
    "\n\nFIGURE 2. Caption\n\n",
    "broken $ dollar and } brace ",
    "\n\n\\begin{align} a &= b \\\\ &= = c \\end{align}\n\n",
    "\n\n$$x = ( y \\\\ \\frac{1}{2 = z$$\n= $w$ (by heart)\n\n",
    "\n\n$$open\n\n",
    "\n\n$$= c \\Rightarrow d = e$$\n\n$$+ f \\quad \\text{if } g > 0$$\n(Long Name)\n",
    "<!-- $x$ --> and `$y = z$` ",
    "\n= $ w\n",
)


@pytest.mark.parametrize("seed", range(60))
def test_every_character_lies_in_exactly_one_row(seed):
    """Inline steps repeat a part of their sentence; the other rows partition the text."""
    generator = random.Random(seed)
    text = "".join(generator.choice(PIECES) for _ in range(generator.randrange(1, 25)))
    rows = inventory(text)
    covered = [0] * len(text)
    for row in rows:
        if row.kind != "inline step":
            for position in range(row.start, row.end):
                covered[position] += 1
    assert [letter for letter, times in zip(text, covered, strict=True) if letter.strip() and times != 1] == []
    places = [(row.section, row.ordinal) for row in rows]
    assert len(set(places)) == len(places)


def rows_of(display: str, *, after: str = "") -> list[tuple[str, str]]:
    """The rows of a display with what each adds, without blanks and markup."""
    text = f"Text.\n\n$${display}$${after}"
    drop = str.maketrans("", "", "&$ \n")
    return [
        (row.kind, text[row.start : row.end].translate(drop).replace("\\\\", ""))
        for row in inventory(text)
        if row.kind in ("step", "display")
    ]


@pytest.mark.parametrize(
    ("display", "rows"),
    [
        ("a = b", ["a=b"]),
        ("a = b = c", ["a=b", "=c"]),
        (r"a \stackrel{\text{def}}{=} b \leq c", [r"a\stackrel{\text{def}}{=}b", r"\leqc"]),
        (r"p(a = 1) = \begin{cases} 1 & x = 0, \\ 2 & x > 0 \end{cases}", None),
        (r"a &= b \\ &\times c \\ &= d", [r"a=b\timesc", "=d"]),
        (r"a &= b, \\ c &= d", ["a=b,", "c=d"]),
        (r"a = b, \quad c = d", [r"a=b,\quad", "c=d"]),
        (r"a = b, \quad \forall o", [r"a=b,\quad\forallo"]),
        (r"a \ge 0 \text{ for all } b > 1", [r"a\ge0\text{forall}b>1"]),
        (
            r"\text{if } a > 1, & b = c \\[2pt] \text{if } a < 1, & b = d",
            [r"\text{if}a>1,b=c[2pt]", r"\text{if}a<1,b=d"],
        ),
        (r"a = b \Rightarrow c = d", ["a=b", r"\Rightarrow", "c=d"]),
        (r"= a = b", ["=a", "=b"]),
    ],
)
def test_rows_of_a_display(display, rows):
    found = rows_of(display)
    assert {kind for kind, _ in found} == {"step"}
    if rows is None:
        assert len(found) == 1
    else:
        assert [said for _, said in found] == rows


def test_what_is_no_relation_is_a_row_all_the_same():
    said = rows_of(r"\text{maximise} & J(x) \\ \text{over} & x \\ \text{subject to} & x + y = 1")
    assert said == [
        ("display", r"\text{maximise}J(x)"),
        ("display", r"\text{over}x"),
        ("display", r"\text{subjectto}x+y=1"),
    ]
    assert rows_of(r"\tag{7}") == [("display", r"\tag{7}")]


@pytest.mark.parametrize(
    ("display", "rows"),
    [
        (r"\mathbb{E}_{x = 1} y) > 0 = z", [r"\mathbb{E}_{x=1}y)>0", "=z"]),
        (r"a = (b \\ + c \\ = d", ["a=(b+c", "=d"]),
        (r"a_1_2 = \frac{b}{c = d", [r"a_1_2=\frac{b}{c", "=d"]),
        (r"rac{a}{b} = c = |d", ["rac{a}{b}=c", "=|d"]),
    ],
)
def test_the_steps_of_broken_latex_are_rows_too(display, rows):
    """A mistake that keeps a formula from being judged does not keep its steps from being counted."""
    assert rows_of(display) == [("step", said) for said in rows]


def test_what_cannot_be_mended_is_one_row():
    assert rows_of("a = " + "( b = " * 30) == [("display", "a=" + "(b=" * 30)]
    assert rows_of("a = = b = c") == [("display", "a==b=c")]


def test_the_remains_of_a_chain_after_a_display_go_on_with_it():
    text = "We have\n\n$$a = b$$\n\n= $c$ (by heart)\n= $d$\n\nand\n\n= $e$ here.\n"
    rows = [row for row in inventory(text) if row.kind == "step"]
    sources = ("a=b", "b= $c$ (by heart)", "c (by heart)= $d$", "= $e$ here.")
    assert [row.digest for row in rows] == [digest(source.replace("$", "")) for source in sources]


def test_a_number_may_be_printed_after_a_display_or_stand_in_one_of_its_own():
    for after in ("\n(Main Result)\n", "\n\n$$\\tag{Main Result}$$\n"):
        (row,) = (row for row in inventory(f"Text.\n\n$$a = b$${after}") if row.kind == "step")
        assert row.label == "(Main Result)"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Bowls are round.", False),
        ("See the picture.", False),
        ("The sequence converges.", True),
        ("It is twice π.", True),
        ("If p > 0.5 it sinks.", True),
        ("The mass $m$ is known.", True),
        ("It holds 3 = 3 at once.", True),
    ],
)
def test_what_is_taken_for_mathematics(sentence, expected):
    assert is_mathematical(sentence) is expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The advantage is whitened.",
        "Rewards are clipped.",
        "Preferences are pooled, and they amplify.",
        "A bowl floats.",
    ],
)
def test_words_of_one_subject_are_mathematics_only_where_the_paper_says_so(sentence):
    terms = ("Advantage", "reward", "pool", "bowl")
    assert not is_mathematical(sentence)
    assert is_mathematical(sentence, terms)
    for given in ((), terms):
        row = inventory(f"# A note\n\n### 1 Floating\n\n{sentence}\n", given)[2]
        assert row.mathematics is bool(given)
