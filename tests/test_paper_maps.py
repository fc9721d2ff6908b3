"""The notation maps of the two papers: short, without mistakes, and enough to read most of what the papers display.

The texts of the papers are not part of the project; where they are absent only the maps themselves are tested.
"""

import tomllib
from collections import Counter

import pytest
from material import ROOT, needed_text

from grpo_symbolic.referee.papers import open_paper

#: By folder: how many displays are broken at most.
PAPERS = {"vojnovic_yun_2025": 6, "mroueh_2025": 5}


def interpretation(folder):
    return open_paper(needed_text(folder), ROOT / "derivations" / folder / "notation.toml").interpretation


TABLES = ("symbols", "sets", "indices", "sizes", "notation", "definition", "claim")
#: By folder: how many entries its map has at most, with those of its sections, and how many steps are read at least.
SIZES = {"vojnovic_yun_2025": (54, 73), "mroueh_2025": (48, 108)}


def entries(table):
    return sum(len(table.get(name, ())) for name in TABLES)


@pytest.mark.parametrize("folder", PAPERS)
def test_maps_are_short(folder):
    data = tomllib.loads((ROOT / "derivations" / folder / "notation.toml").read_text())
    assert entries(data) + sum(1 + entries(section) for section in data.get("section", [])) <= SIZES[folder][0]


@pytest.mark.slow
@pytest.mark.parametrize("folder", PAPERS)
def test_most_steps_are_read_and_every_other_one_says_why(folder):
    read = interpretation(folder)
    known = sum(outcome.read is not None for outcome in read.outcomes)
    assert known >= max(0.9 * len(read.outcomes), SIZES[folder][1])
    assert sum(display.broken is not None for display in read.displays) <= PAPERS[folder]
    refused = [outcome.refusal for outcome in read.outcomes if outcome.read is None]
    assert all(refusal.reason and refusal.place.line for refusal in refused)
    assert Counter(refusal.kind for refusal in refused)["limit"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("folder", PAPERS)
def test_the_map_fits_its_paper(folder):
    read = interpretation(folder)
    assert [entry.pattern.text for entry in read.unused] == []
    assert all("are both the symbol" in str(warning) for warning in read.warnings)


@pytest.mark.slow
def test_a_typing_slip_of_a_paper_is_not_read_as_a_product():
    read = interpretation("mroueh_2025")
    (slip,) = [outcome.refusal for outcome in read.outcomes if outcome.refusal and outcome.refusal.kind == "ambiguous"]
    assert slip.readings == ("a product", "the notation p_{n-1}(q) with another argument")
