"""What is made of contents is made anew as soon as anything in them differs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

from grpo_symbolic import claim, derive, eq, ge, real
from grpo_symbolic.cache.store import Store
from grpo_symbolic.derivation.figure import Curve, Figure
from grpo_symbolic.judging import fragments as keeping
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.judging.trusted_base import trusted_base
from grpo_symbolic.readback.printed import AGREES
from grpo_symbolic.report.readback import _Reader

x = real("x", "(-2, 2)", "a number")
FIGURE = Figure("f", "a figure", x, (Fraction(0), Fraction(1)), "x", "y", (Curve(x**2, (), "a square"),))


@dataclass
class Maker:
    """Makes texts and counts."""

    made: int = 0

    def __call__(self) -> str:
        self.made += 1
        return f"number {self.made}"


def kept(place: Path, make: Maker, content: tuple[object, ...], kind: str = "text", files=()) -> str:
    with Store(place) as store:
        return Fragments(store).kept(kind, content, make, lambda text: text, str, files)


def test_the_same_is_made_once(tmp_path):
    make = Maker()
    assert [kept(tmp_path, make, (FIGURE, "a")) for _ in range(3)] == ["number 1"] * 3


@pytest.mark.parametrize(
    "other",
    [
        (FIGURE, "b"),
        (replace(FIGURE, caption="another"), "a"),
        (replace(FIGURE, curves=(Curve(x**3, (), "a square"),)), "a"),
        ("a", FIGURE),
    ],
    ids=["text", "caption", "curve", "order"],
)
def test_what_differs_is_made_anew(tmp_path, other):
    make = Maker()
    assert kept(tmp_path, make, (FIGURE, "a")) != kept(tmp_path, make, other)


LEMMA = claim("p.lemma", "a lemma", ge(x**2, 0), derivation=derive(x**2, "a square").ge(0, "of a real number"))
LATER = (claim("p.later", "rests on it", ge(1 + x**2, 1), using=[LEMMA]), "a")


@pytest.mark.parametrize(
    ("lemma", "is_same"),
    [
        (claim("p.lemma", "a lemma", ge(x**2, 0)), True),
        (replace(LEMMA, title="another title"), False),
        (replace(LEMMA, statement=ge(x**2, -1)), False),
        (replace(LEMMA, given=(ge(x, 0),)), False),
        (replace(LEMMA, id="p.other"), False),
    ],
    ids=["derivation", "title", "statement", "hypothesis", "id"],
)
def test_of_a_lemma_it_matters_what_it_says_and_not_what_stands_behind_it(tmp_path, lemma, is_same):
    make = Maker()
    others = claim("p.later", "rests on it", ge(1 + x**2, 1), using=[lemma]), "a"
    assert (kept(tmp_path, make, LATER) == kept(tmp_path, make, others)) is is_same
    assert kept(tmp_path, make, (LEMMA, "a")) != kept(tmp_path, make, (lemma, "a"))


def test_kind_files_sources_and_what_is_installed_matter(tmp_path, monkeypatch):
    make, file, source = Maker(), tmp_path / "file", tmp_path / "source.py"
    kept(tmp_path, make, ("a",))
    kept(tmp_path, make, ("a",), kind="other")
    for text in ("one", "two", "one"):
        file.write_text(text)
        kept(tmp_path, make, ("a",), files=[file])
    assert make.made == 4
    monkeypatch.setattr(keeping, "installed", lambda: "something else")
    kept(tmp_path, make, ("a",))
    monkeypatch.undo()
    source.write_text("a = 1")
    sources = keeping.sources
    monkeypatch.setattr(keeping, "sources", lambda **apart: [*sources(**apart), source])
    kept(tmp_path, make, ("a",))
    assert make.made == 6


def test_how_pages_are_made_has_no_part_in_why_claims_hold(tmp_path, monkeypatch):
    """They were searched for again, one after the other, whenever a file of the report changed."""
    make, page = Maker(), tmp_path / "page.py"
    sources = keeping.sources
    monkeypatch.setattr(keeping, "sources", lambda **apart: [*sources(**apart), *([page] if apart else [])])
    for text in ("a = 1", "a = 2"):
        page.write_text(text)
        kept(tmp_path, make, ("a",), kind="why")
        kept(tmp_path, make, ("a",), kind="page")
    assert make.made == 3
    package = Path(keeping.__file__).parents[1]
    imported = {package.parent / file.path for file in trusted_base("grpo_symbolic.judging.why").files}
    # What keeps things has no part in what they are.
    assert {path for path in imported if path.parent.name != "cache"} <= set(sources())


def test_all_of_the_package_counts():
    package = Path(keeping.__file__).parents[1]
    assert set(keeping.sources(apart=())) == set(package.rglob("*.py"))


def test_what_cannot_be_compared_is_made_anew(tmp_path):
    make = Maker()
    assert [kept(tmp_path, make, (object(),)) for _ in range(2)] == ["number 1", "number 2"]
    assert Fragments(None).kept("text", ("a",), make, str, str) == "number 3"


def test_only_agreement_is_kept(tmp_path):
    with Store(tmp_path) as store:
        for _ in range(2):
            reader = _Reader({}, "", Fragments(store))
            assert reader._found("x^{2} = 1", eq(x**2, 1)) == AGREES
            assert reader._found("x^{2} = 2", eq(x**2, 1)).status == "differs"
    with Store(tmp_path) as store:
        assert store._database.execute("SELECT COUNT(*) FROM kept").fetchone() == (1,)


@pytest.mark.slow
def test_quotes_that_are_kept_are_the_same(library, tmp_path):
    result = next(result for result in library.results if any(made.printed for made in result.claims))
    wanted = [made.id for made in library.claims_of[result.module]]
    read = quotes_of(library, wanted)
    assert read
    for _ in range(2):
        with Store(tmp_path) as store:
            assert quotes_of(library, wanted, Fragments(store)) == read
