"""The parts of a display for those who count its steps: where each begins, also in broken LaTeX."""

from __future__ import annotations

import pytest

from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.mending import MAX_MISTAKES, mended_rows
from grpo_symbolic.reading.document.paper import read_displays, read_text
from grpo_symbolic.reading.document.parts import parts_of
from grpo_symbolic.reading.places import BrokenLatex, TooLarge


def blocks_of(text: str) -> tuple[Block, ...]:
    return read_text(text, tex=False).blocks


def parts(text: str) -> list[list[tuple[str, bool, str | None, str | None]]]:
    """For each display the beginning of each part, whether it is a relation, what it repeats, and its number."""
    return [
        [
            (text[part.start : part.start + 5], part.relation, part.left and part.left.text, part.tag)
            for part in parts_of(display)
        ]
        for display in read_displays(blocks_of(text), mended_rows)
    ]


def test_a_step_repeats_the_side_that_an_earlier_part_holds():
    assert parts("$$a + 1 = b \\\\ \\le c$$\n\n$$= d$$\n(4)") == [
        [("a + 1", True, None, None), ("\\le c", True, "b", None)],
        [("= d$$", True, "c", "4")],
    ]


def test_rows_of_a_display_begin_behind_the_line_break():
    text = (
        "$$\\begin{aligned} \\text{if } x > 0, & a = b \\\\[3pt] \\text{if } x < 0, & a = c \\tag{7} \\end{aligned}$$"
    )
    (display,) = read_displays(blocks_of(text))
    assert [place.text for place in display.rows] == ["if } x > 0, & a = b", "if } x < 0, & a = c"]
    assert parts(text) == [[("a = b", True, None, "7"), ("\\text", True, None, "7")]]


def test_what_is_no_step_is_a_part_too():
    assert parts("$$\\max_x f(x)$$") == [[("\\max_", False, None, None)]]
    assert parts("$$\\tag{2}$$") == [[("$$\\ta", False, None, "2")]]
    assert parts("$$= b$$") == [[("= b$$", True, None, None)]]
    assert parts("$$a = b \\Rightarrow c = d$$") == [
        [("a = b", True, None, None), (" \\Rig", True, "a = b", None), ("c = d", True, None, None)]
    ]


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("a = b)", "a = b"),
        ("f(a = b", "fa = b"),
        ("a_1_2 = b", "a_12 = b"),
        (r"\frac{a}{b}} = c", r"\frac{a}{b} = c"),
        (r"rac{a} = b", "{a} = b"),
        (r"|a| = b|", r"|a| = b"),
    ],
)
def test_a_mistake_is_passed_over(broken, mended):
    """The reader for verdicts refuses these, whatever the one that counts steps makes of them."""
    (block,) = blocks_of(f"$${broken}$$")
    (right,) = blocks_of(f"$${mended}$$")
    (display,) = read_displays([block])
    assert display.broken is not None
    assert mended_rows(block) == mended_rows(right)


def test_too_many_mistakes_are_not_passed_over():
    (block,) = blocks_of("$$a = b" + ")" * (MAX_MISTAKES + 1) + "$$")
    with pytest.raises(BrokenLatex, match=r"this \) has no partner"):
        mended_rows(block)
    (block,) = blocks_of("$$" + "{" * 100 + "}" * 100 + "$$")
    with pytest.raises(TooLarge, match="nested deeper"):
        mended_rows(block)
