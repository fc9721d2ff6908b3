"""Claims that are not built before somebody asks for their formulas: the same claims, while nothing has changed."""

from __future__ import annotations

import importlib
import pickle
import sys
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from grpo_symbolic import cli
from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation import library as loading
from grpo_symbolic.derivation import origins
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import load
from grpo_symbolic.derivation.origins import Origins, imports_of
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.derivation.unbuilt import Unbuilt, UnbuiltQuote
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.judging import fragments as keeping
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.content import Contents, Digests
from grpo_symbolic.judging.digested import Digested
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report.shorthand import Shown

ROOT = """
from grpo_symbolic import Paper
paper = Paper("p", "Somebody", "Something", "of 2025")
contents = ("base", "above", "apart")
"""
BASE = '''
"""A square."""
from grpo_symbolic import Gap, Result, claim, define, derive, eq, ge, real
from NAME import paper
x = real("x", "(-2, 2)", "a number")
y = real("y", "(-2, 2)", "another number")
square = define("s", (x,), x**2)
def build():
    yield claim("p.base", "A square is not negative", ge(x**2, 0), fills=[Gap("Section 2", "it is not said why")])
    yield claim(
        "p.chain", "A product", equation="Eq. (1)", given=[eq(y, 0)],
        derivation=derive((x + y) * x, "what it is", given=[eq(y, 0)])
        .eq(x**2 + x * y, "multiply").eq(x**2, "as y is 0"),
        printed=paper.quote("Eq. (1)", "(x+y)x = x^2", eq((x + y) * x, x**2), given=(eq(y, 0),)),
    )
base = Result("A square", paper, build, shorthands=lambda: [square])
'''
ABOVE = '''
"""A sum of squares."""
from grpo_symbolic import Result, claim, ge
from NAME import paper
from NAME.base import base, x
def build():
    yield claim("p.above", "A square and 1", ge(x**2 + 1, 1), using=[base.claim("base")])
above = Result("More than a square", paper, build)
'''
APART = '''
"""A tangent."""
from grpo_symbolic import Result, claim, exp, ge, real
from NAME import paper
z = real("z", "(-2, 2)", "a number")
def build():
    yield claim("p.apart", "Above the tangent", ge(exp(z), 1 + z))
apart = Result("A tangent", paper, build)
'''
MODULES = {"__init__": ROOT, "base": BASE, "above": ABOVE, "apart": APART}


@dataclass
class Folder:
    """A folder of derivations whose modules can be changed, and a cache."""

    path: Path
    cache: Path

    def write(self, name: str, text: str) -> None:
        (self.path / f"{name}.py").write_text(text.replace("NAME", self.path.name))

    def change(self, name: str, old: str, new: str) -> None:
        path = self.path / f"{name}.py"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def forget(self) -> None:
        """Have the modules imported anew."""
        for name in [name for name in sys.modules if name.split(".")[0] == self.path.name]:
            del sys.modules[name]
        importlib.invalidate_caches()

    @contextmanager
    def loaded(self):
        self.forget()
        with Store(self.cache) as store, cli._derivations_kept(store):
            yield load(self.path), store

    def unbuilt(self) -> set[str]:
        """The ids of the claims that a load does not build."""
        with self.loaded() as (library, _):
            return {id for id, made in library.claims.items() if isinstance(made, Unbuilt) and ".step-" not in id}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", [*sys.path])
    made = Folder(tmp_path / f"unbuilt_{tmp_path.name}", tmp_path / "cache")
    made.path.mkdir()
    for name, text in MODULES.items():
        made.write(name, text)
    return made


ALL = {"p.base", "p.chain", "p.above", "p.apart"}


def test_what_lists_show_is_known_without_building(folder, monkeypatch):
    assert folder.unbuilt() == set()
    folder.forget()
    fresh = load(folder.path)
    with monkeypatch.context() as patched, folder.loaded() as (library, _):
        patched.setattr(Result, "made", property(lambda result: pytest.fail(f"{result.module} was built")))
        assert list(library.claims) == list(fresh.claims)
        assert [since for _, since in library.ordered] == [since for _, since in fresh.ordered]
        for id, made in library.claims.items():
            other = fresh.claims[id]
            told = ("id", "title", "equation", "assumed", "beyond", "refuted", "key", "declared_at", "fills", "assumes")
            for name in (*told, "paper_uses", "cites", "uses", "supports", "step_ids", "is_derived"):
                assert getattr(made, name) == getattr(other, name), (id, name)
            for name in ("derivation", "printed", "oracle"):
                assert (getattr(other, name) is None) == (name in vars(made)["known"] and not getattr(made, name))
        quote = library.claims["p.chain"].printed
        assert isinstance(quote, UnbuiltQuote)
        assert (quote.where, quote.latex, quote.missing, quote.expected_to_fail) == (
            "Eq. (1)",
            "(x+y)x = x^2",
            (),
            False,
        )


def test_what_is_asked_for_is_built_and_the_same(folder):
    folder.unbuilt()
    folder.forget()
    fresh = load(folder.path)
    with folder.loaded() as (library, _):
        for id, made in library.claims.items():
            assert type(made) is Unbuilt
            quote = made.printed
            assert made == fresh.claims[id]
            assert type(made) is Claim
            assert [getattr(made, item.name) for item in fields(Claim)] == [
                getattr(fresh.claims[id], item.name) for item in fields(Claim)
            ]
            if quote is not None:
                assert quote == fresh.claims[id].printed
                assert type(quote) is Quote
            assert hash(made) == hash(fresh.claims[id])
            assert made.steps == fresh.claims[id].steps


@pytest.mark.parametrize(
    ("name", "old", "new", "left"),
    [
        ("apart", "Above the", "Over the", ALL - {"p.apart"}),
        ("apart", "A tangent.", "Another introduction.", ALL - {"p.apart"}),
        ("above", "+ 1, 1", "+ 2, 1", {"p.chain", "p.apart"}),  # it uses p.base
        ("base", "A square is not", "No square is", {"p.apart"}),
        ("base", "multiply", "expand", {"p.apart"}),
        ("__init__", "of 2025", "of 2026", set()),
    ],
)
def test_a_change_is_seen_by_all_that_import_it(folder, name, old, new, left):
    folder.unbuilt()
    assert folder.unbuilt() == ALL
    folder.change(name, old, new)
    assert folder.unbuilt() == left
    assert folder.unbuilt() == ALL


def test_a_source_that_is_saved_while_it_is_imported_is_built_and_not_remembered(folder, monkeypatch):
    """What was imported is then not what the file says."""
    folder.unbuilt()
    imported = loading.modules

    def saved(*where):
        yield from imported(*where)
        folder.change("apart", "Above the", "Over the")

    with monkeypatch.context() as patched:
        patched.setattr(loading, "modules", saved)
        with folder.loaded() as (library, _):
            assert type(library.claims["p.apart"]) is Claim
            assert library.claims["p.apart"].title == "Above the tangent"
            assert type(library.claims["p.chain"]) is Unbuilt
    with folder.loaded() as (library, _):
        assert type(library.claims["p.apart"]) is Claim
        assert library.claims["p.apart"].title == "Over the tangent"


@pytest.mark.parametrize("what", ["installed", "sources"])
def test_what_is_installed_and_the_package_matter(folder, monkeypatch, tmp_path, what):
    folder.unbuilt()
    other = tmp_path / "other.py"
    other.write_text("")
    monkeypatch.setattr(keeping, what, lambda **how: [other] if what == "sources" else "something else")
    assert folder.unbuilt() == set()
    assert folder.unbuilt() == ALL


def test_what_reads_a_file_is_built_every_time(folder):
    (folder.path / "number.txt").write_text("1")
    folder.change(
        "base",
        "x = real",
        'with open(__file__.replace("base.py", "number.txt")) as file:\n    number = int(file.read())\nx = real',
    )
    folder.change("base", "ge(x**2, 0)", "ge(x**2, 0 - number)")
    folder.unbuilt()
    assert folder.unbuilt() == {"p.apart"}
    (folder.path / "number.txt").write_text("2")
    with folder.loaded() as (library, _):
        assert str(library.claims["p.base"].statement).endswith(">= -2")


def test_a_library_that_is_refused_is_refused_again(folder):
    folder.change("above", "ge(x**2 + 1, 1)", "ge(x**2 + 1, 1), paper_uses=['nothing']")
    for _ in range(2):
        with pytest.raises(LibraryError, match=r"names p\.nothing, no other claim"), folder.loaded():
            pass


def test_a_lemma_that_is_another_claim_is_refused_again(folder):
    folder.change("above", 'base.claim("base")', 'claim("p.apart", "Another", ge(x**2, 0))')
    for _ in range(2):
        with pytest.raises(LibraryError, match=r"uses a claim p\.apart made at above\.py"), folder.loaded():
            pass


def test_a_lemma_that_becomes_another_claim_is_seen(folder):
    """What a claim uses may be made in a module that its own does not import."""
    folder.change("above", 'base.claim("base")', 'claim("p.apart", "The same", ge(x**2, 0))')
    folder.write("apart", ABOVE.replace('using=[base.claim("base")]', "").replace("above", "apart"))
    folder.change("apart", '"A square and 1", ge(x**2 + 1, 1), ', '"The same", ge(x**2, 0)')
    folder.unbuilt()
    # That the two are the same has to be looked at.
    assert folder.unbuilt() == {"p.base", "p.chain"}
    folder.change("apart", '"The same"', '"Not the same"')
    with pytest.raises(LibraryError, match="they differ in title"), folder.loaded():
        pass


def test_what_shows_a_hypothesis_is_read_anew(folder):
    folder.unbuilt()
    (folder.path / "hypotheses.toml").write_text("[shown]\n'y = 0' = ['base']\n")
    with folder.loaded() as (library, _):
        assert type(library.claims["p.chain"]) is Unbuilt
        assert library.since(library.claims["p.chain"])[-1] == "p.base"
        assert type(library.claims["p.chain"]) is Unbuilt


def test_digests_are_those_of_the_built_claims(folder):
    settings = Settings()
    for _ in range(2):
        with folder.loaded() as (library, store):
            digested = Digested(library, Fragments(store))
            tasks = {id: bare(made) for id, made in library.claims.items()}
            digested.remember(tasks, Contents(settings).digest)
            shown = Shown(library, digested.fragments)
            assert len(shown.claims) == 4
    folder.forget()
    fresh = load(folder.path)
    with folder.loaded() as (library, store):
        digested = Digested(library, Fragments(store))
        shown = Shown(library, digested.fragments).claims
        digests = Digests(keeping._PLACES)
        for id, made in library.claims.items():
            assert digested.fragments.digest(made) == digests.of(fresh.claims[id])
            assert digested.judged(id) == Contents(settings).digest(bare(fresh.claims[id]))
        for id, made in Shown(fresh).claims.items():
            assert digested.fragments.digest(shown[id]) == digests.of(made)
        asked = digested.asked(bare(library.claims["p.above"]))
        assert all(type(made) is Unbuilt for made in (*library.claims.values(), *shown.values(), asked))
        assert dict(shown) == dict(Shown(fresh).claims)
        assert asked == Digested(fresh, Fragments(None)).asked(bare(fresh.claims["p.above"]))


def test_another_process_builds_what_it_is_sent(folder):
    folder.unbuilt()
    folder.forget()
    fresh = load(folder.path)
    with folder.loaded() as (library, _):
        for id, made in library.claims.items():
            sent = pickle.dumps(bare(made))
            assert type(made) is Unbuilt
            assert b"Above the tangent" not in sent
            found = pickle.loads(sent)
            assert type(found) is Claim
            assert found == bare(fresh.claims[id])


PURE = """
from fractions import Fraction
import math
from collections.abc import Iterator
from grpo_symbolic import Result, real
from grpo_symbolic.grpo.definitions import GRPO
from here import paper
from here.part import thing as other
from . import third
def build():
    from here.late import fourth
    found = []
    found.append(other.part[1])
    table = {}
    table[1] = fourth
"""


def test_imports_are_found_wherever_they_stand():
    found = imports_of(PURE.encode(), "here", "here")
    assert set(found) == {
        *("here", "here.paper", "here.part", "here.part.thing", "here.third", "here.late", "here.late.fourth")
    }
    above = imports_of(b"from ..first import second\nfrom ... import third", "here.inside.deeper", "here")
    assert set(above) == {"here", "here.inside", "here.inside.first", "here.inside.first.second", "here.third"}


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "def half(",
        "from pathlib import Path",
        "import elsewhere",
        "from grpo_symbolic import judge",
        "from grpo_symbolic import judging",
        "from grpo_symbolic.judging.assess import assess",
        "import grpo_symbolic.report",
        "import grpo_symbolic\ngrpo_symbolic.load('here')",
        "open('file')",
        "eval('1')",
        "__import__('os')",
        "def f():\n    global x\n    x = 1",
        "from here import table\ntable[1] = 2",
        "from here import table\ntable.inside.append(2)",
        "from here import table\ndel table[1]",
        "from here import module\nmodule.name = 2",
        "import here.part as part\npart.names += [1]",
        "from here import result\nresult.folder",
        "from here import part\nvars(part)",
    ],
)
def test_what_may_reach_further_is_told(source):
    assert imports_of(source.encode(), "here", "here") is None
    assert imports_of(b"from here import table\nx = table[1]", "here", "here") is not None


def test_every_room_is_one_that_authors_may_import_or_not():
    package = Path(origins.__file__).parents[1]
    rooms = {path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    authors = {"derivation", "errors", "evidence", "grpo", "language", "obligations", "translate"}
    assert rooms - {"__init__"} == {*origins._FURTHER} | authors
    assert not authors & {*origins._FURTHER}


def test_what_imports_something_of_no_origin_has_none(folder):
    (folder.path / "base.py").write_text("import os\n" + (folder.path / "base.py").read_text())
    found = Origins(folder.path)
    assert found.of(f"{folder.path.name}.above") is None
    assert found.of(f"{folder.path.name}.nothing") is None
    names = [name for name, _ in found.of(f"{folder.path.name}.apart")]
    assert names == [folder.path.name, f"{folder.path.name}.apart"]
