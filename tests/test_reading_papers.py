"""The reader on the texts of the two papers, where they are: counts made by hand, and the damage of the scans."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from material import PAPERS, needed_text

from grpo_symbolic.reading.document.paper import read_paper, read_text
from grpo_symbolic.reading.tex.tree import Atom, walk

BLOCKS = {"vojnovic_yun_2025": (78, 201), "mroueh_2025": (95, 155)}

#: Every display that a person found damaged by the scan, with the line and the reason.
DAMAGED = {
    "vojnovic_yun_2025": {
        171: "double subscript",
        316: r"heta looks like \theta with its backslash lost",
        454: "this } has no partner",
        462: "this ) has no partner in aligned",
        491: "this ) has no partner",
        497: "this ( is never closed",
    },
    "mroueh_2025": {
        51: ") has no partner inside the {",
        138: r"this \{ is never closed",
        139: r"this \} has no partner",
        421: "this } has no partner",
        531: "this | has no partner",
    },
}


@pytest.fixture(scope="module", params=PAPERS)
def paper(request):
    return request.param, read_paper(needed_text(request.param))


def test_all_blocks_are_found(paper):
    name, text = paper
    kinds = Counter(block.kind for block in text.blocks)
    assert (kinds["display"], kinds["inline"]) == BLOCKS[name]
    assert text.problems == ()


def test_exactly_the_damaged_displays_are_refused_where_the_damage_is(paper):
    name, text = paper
    broken = {display.broken.place.line: display.broken for display in text.displays() if display.broken}
    assert broken.keys() == DAMAGED[name].keys()
    for line, error in broken.items():
        assert error.reason.startswith(DAMAGED[name][line])


@pytest.mark.slow
def test_the_place_of_the_damage_is_the_character_to_blame():
    """Removing the character that is pointed at mends the formula, where there is one character too many."""
    for name, line in (
        ("vojnovic_yun_2025", 454),
        ("vojnovic_yun_2025", 462),
        ("vojnovic_yun_2025", 491),
        ("mroueh_2025", 51),
        ("mroueh_2025", 421),
    ):
        text = read_paper(needed_text(name))
        place = next(d.broken.place for d in text.displays() if d.broken and d.broken.place.line == line)
        mended = place.source.text[: place.start] + place.source.text[place.end :]
        assert all(d.broken is None or d.broken.place.line != line for d in read_text(mended, tex=False).displays())


def test_relations_of_the_displays_are_all_steps_or_listed(paper):
    """An independent count by regular expression of equality signs, against those in the tree of the sound displays."""
    _, text = paper
    sound = [
        block
        for block, display in zip(
            [block for block in text.blocks if block.kind == "display"], text.displays(), strict=True
        )
        if display.broken is None
    ]
    by_eye = sum(len(re.findall(r"=", re.sub(r"\\label\{.*?\}", "", block.inner.text))) for block in sound)
    in_tree = 0
    for display in text.displays():
        nodes = [node for step in display.steps for node in walk((*step.right,))]
        nodes += [node for chain in display.chains if not chain.continues for node in walk(chain.steps[0].left)]
        nodes += [node for unread in display.unread for node in walk(unread.items)]
        conditions = {id(condition): condition for step in display.steps for condition in step.conditions}
        nodes += [node for condition in conditions.values() for node in walk(condition.items)]
        in_tree += sum(isinstance(node, Atom) and node.text in ("=", r"\ne") for node in nodes)
        in_tree += sum(step.relation.symbol in ("=", ":=") for step in display.steps)
    assert in_tree == by_eye


def test_every_display_gives_steps_or_a_reason(paper):
    _, text = paper
    for display in text.displays():
        assert display.steps or display.unread or display.broken


def test_numbers_of_scanned_displays(paper):
    name, text = paper
    tags = [display.tag for display in text.displays() if display.tag]
    expected = {"vojnovic_yun_2025": "17", "mroueh_2025": "9"}[name]
    assert expected in tags
