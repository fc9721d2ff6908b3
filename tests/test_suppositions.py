"""Every equation among hypotheses is a name, a supposition, or shown by a claim that counts as rested on."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from judged_library import FOLDER, whole_library

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.hypotheses import FILE, equations_of, read_hypotheses
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import STANDING
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.wording.suppositions import unaccounted

MODULE = '''
"""Aliases."""
from grpo_symbolic import Paper, Result, claim, eq, exp, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a share")
top = real("top", "(0, oo)", "the largest value")
free = real("free", "(0, oo)", "a number")
def build():
    assumed = claim("p.assumed", "Taken for granted", lt(x, free), assumed=True)
    yield assumed
    yield claim("p.largest", "The largest value", lt(x * (1 - x), exp(x)))
    yield claim("p.open", "Not decided", LATER)
    yield claim("p.resting", "Rests on the assumption", lt(x / 2, free), using=[assumed])
    yield claim("p.above", "What is above it", gt(top, x), given=[eq(top, x + 1)])
    yield claim("p.half", "A sum of halves", eq(x / 2 + x / 2, x))
    yield claim("p.again", "Restated", gt(x + 1, x), given=[eq(x / 2 + x / 2, x)])
result = Result("Aliases", paper, build)
'''


@pytest.fixture
def made(tmp_path, monkeypatch, request):
    """Load a folder with this table."""
    name = f"aliases_{abs(hash(request.node.name))}"
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))

    def load_with(table: str, statement: str = "gt(x, 0)") -> Library:
        (folder / "__init__.py").write_text("")
        (folder / "aliases.py").write_text(MODULE.replace("LATER", statement))
        (folder / FILE).write_text(table)
        return load(folder)

    yield load_with
    for module in [key for key in sys.modules if key.partition(".")[0] == name]:
        del sys.modules[module]
    shutil.rmtree(folder)


NAMED = 'described = ["top = x + 1"]\n'
HALVES = '[shown]\n"x/2 + x/2 = x" = ["half"]\n'


def told(library: Library) -> list[str]:
    return [f"{item.where}: {item.what}" for item in unaccounted(library)]


def test_every_hypothesis_of_the_papers_is_accounted_for():
    assert told(whole_library()) == []


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (NAMED + HALVES, []),
        (
            HALVES,
            [f"hypotheses of p.above: top = x + 1 has no entry in {FILE}; is it described, supposed or shown?"],
        ),
        (
            'described = ["top = x + 1", "top = 7"]\n' + HALVES,
            [f"{FILE} of p: no claim supposes top = 7; take it out"],
        ),
        (
            NAMED + '[supposed]\n"halves" = ["x/2 + x/2 = x"]\n',
            ["hypotheses of p.again: x/2 + x/2 = x is what p.half says; use that as a lemma"],
        ),
        (
            HALVES + '"top = x + 1" = ["resting"]\n',
            [
                "hypotheses of p.above: p.resting rests on the assumption p.assumed; use it as a lemma, so that this "
                "is told"
            ],
        ),
    ],
)
def test_what_is_not_accounted_for_is_told(made, table, expected):
    assert told(made(table)) == expected


def test_an_entry_may_be_for_one_claim_only(made):
    library = made('described = ["above: top = x + 1"]\n' + HALVES)
    assert told(library) == []
    (equation,) = equations_of(library.claims["p.above"])
    assert library.hypotheses["p"].key(library.claims["p.largest"], equation) is None


def test_a_claim_rests_on_what_shows_its_hypotheses(made):
    library = made(HALVES + '"top = x + 1" = ["open"]\n', "lt(free, free + exp(free) - 1 - free / 2)")
    assert library.since(library.claims["p.above"]) == ("p.open",)
    judged = assess(library, Settings(digits=20, points=20), jobs=1).judged
    assert judged["p.above"].alone.verdict in STANDING
    assert judged["p.above"].verdict is judged["p.open"].verdict


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (NAMED + '[shown]\n"x/2 + x/2 = x" = ["missing"]\n', "there is no claim missing of p"),
        ("other = []\n", "there is no part 'other'; the parts are described, supposed and shown"),
        ('described = ["a = b", "a = b"]\n', "'a = b' stands there twice"),
        ('described = ["a = b"]\n[supposed]\n"words" = ["a = b"]\n', "'a = b' stands there twice"),
        ("described = 7\n", "'described' is no list of texts"),
        ("supposed = 7\n", r"\[supposed\] is no table"),
        ("described = [", FILE),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_place(made, table, message):
    with pytest.raises(LibraryError, match=message):
        made(table)


def test_a_hypothesis_cannot_be_shown_by_what_rests_on_it(made):
    with pytest.raises(LibraryError, match=r"a hypothesis is shown by what rests on it: p\.\w+, p\.\w+"):
        made(
            '[shown]\n"top = x + 1" = ["again"]\n"x/2 + x/2 = x" = ["above"]\n',
        )


@pytest.mark.parametrize("paper", ["mroueh_2025", "vojnovic_yun_2025"])
def test_the_tables_of_the_papers_are_read(paper):
    table = read_hypotheses(Path(FOLDER) / paper / FILE)
    assert table.described
    assert table.supposed
    assert table.shown
