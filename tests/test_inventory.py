"""Cutting a text into rows: nothing is lost, steps are relations, hashes do not depend on line breaks."""

from __future__ import annotations

import random

import pytest

from grpo_symbolic.displays import last_side, steps
from grpo_symbolic.inventory import digest, inventory, is_mathematical

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
        ("1", "step", "(2)", r"$$a = b \quad"),
        ("1", "step", "(2)", r"\text{and} \quad c < d \tag{2}$$"),
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
    assert by_source[digest("0.= 3 + 4")].kind == "step"


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


@pytest.mark.parametrize(
    ("display", "sources"),
    [
        ("a = b", ["a=b"]),
        ("a = b = c", ["a=b", "b=c"]),
        (r"a \stackrel{\text{def}}{=} b \leq c", [r"a\stackrel{\text{def}}{=}b", r"b\leq c"]),
        (r"p(a = 1) = \begin{cases} 1 & x = 0, \\ 2 & x > 0 \end{cases}", None),
        (r"\begin{split} a &= b \\ &\times c \\ &= d \end{split}", ["a=b\\timesc", "b\\timesc=d"]),
        (r"\begin{aligned} a &= b, \\ c &= d \end{aligned}", ["a=b,", "c=d"]),
        (r"\mathbb{E}_{x = 1} y) > 0", [r"\mathbb{E}_{x=1}y)>0"]),
        (r"x \in [0, 1) \Rightarrow f(x) = 1", None),
        (r"a = \{b\}, \quad \forall o", [r"a=\{b\},\quad\forallo"]),
        (r"a \ge 0 \text{ for all } b > 1", [r"a\ge0\text{for all}", "b>1"]),
        (r"- if \ p < 1, \ q > 2", [r"-if\p<1,\q>2"]),
    ],
)
def test_steps_of_a_display(display, sources):
    found = ["".join(step.source.split()) for step in steps(display, 0, len(display))]
    if sources is None:
        assert len(found) in (1, 2)
        assert found[0].startswith("".join(display.split())[:4])
    else:
        assert found == ["".join(source.split()) for source in sources]


def test_cases_are_one_step_and_an_implication_two():
    cases = r"p = \begin{cases} 1 & x = 0 \\ 2 & x > 0 \end{cases}"
    assert len(steps(cases, 0, len(cases))) == 1
    chain = r"a = b \Rightarrow c = d"
    assert len(steps(chain, 0, len(chain))) == 3
    assert last_side(chain, 0, len(chain)) == "d"


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
