"""Loading folders of derivations: order, duplicates, unknown references, circles, selections."""

from __future__ import annotations

import textwrap
import uuid

import pytest

from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import LibraryError

HEADER = """
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, real
paper = Paper("p", "A", "T", "v")
x = real("x", "(0, 1)", "a probability")
"""


@pytest.fixture
def folder(tmp_path):
    """Write modules into a package of a fresh name and return its path."""

    def write(**modules):
        path = tmp_path / f"derivations_{uuid.uuid4().hex}"
        path.mkdir()
        (path / "__init__.py").write_text(textwrap.dedent(modules.pop("init", "")))
        for name, text in modules.items():
            (path / f"{name}.py").write_text(HEADER + textwrap.dedent(text))
        return path

    return write


def test_reading_order_follows_contents(folder):
    module = """
    def build():
        yield claim("p.{0}", "{0}", eq(x, x))
    result = Result("{0}", paper, build)
    """
    path = folder(init="contents = ('second', 'first')", first=module.format("one"), second=module.format("two"))
    assert [result.title for result in load(path).results] == ["two", "one"]


def test_chapters_group_results_and_can_be_selected(folder):
    module = """
    def build():
        yield claim("p.{0}", "{0}", eq(x, x))
    result = Result("Title of {0}", paper, build)
    """
    path = folder(
        init="contents = {'Both together (Eq. 1)': ('second', 'first')}",
        first=module.format("one"),
        second=module.format("two"),
        third=module.format("three"),
    )
    library = load(path)
    assert [(chapter.title, len(chapter.results)) for chapter in library.chapters] == [
        ("Both together (Eq. 1)", 2),
        ("Title of three", 1),
    ]
    assert library.select(["both-together-eq-1"]) == {"p.one", "p.two"}


def test_duplicate_id_names_both_places(folder):
    module = """
    def build():
        yield claim("p.same", "title", eq(x, x))
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"id p.same is used twice: at one.py:\d+ and at two.py:\d+"):
        load(folder(one=module, two=module))


def test_id_of_another_paper(folder):
    module = """
    def build():
        yield claim("q.id", "title", eq(x, x))
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"id q.id does not begin with p\."):
        load(folder(one=module))


def test_unknown_since(folder):
    module = """
    def build():
        hidden = claim("p.hidden", "never yielded", gt(x, 0))
        yield claim("p.id", "title", gt(x + 1, 0), using=[hidden])
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"p.id rests on p.hidden, which is in no loaded derivation"):
        load(folder(one=module))


def test_a_circle_cannot_be_closed(folder):
    module = """
    from dataclasses import replace
    def build():
        first = claim("p.first", "title", gt(x, 0))
        second = claim("p.second", "title", gt(x, 0), using=[first])
        yield replace(first, using=second.at({}) and (second.at({}),))
        yield second
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"p\.second uses a claim p\.first .* they differ in using"):
        load(folder(one=module))


def test_bad_declaration_has_file_and_line(folder):
    module = """
    def build():
        yield claim("nonsense", "title", gt(x, 0))
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"one.py:\d+: id 'nonsense'"):
        load(folder(one=module))


def test_broken_module_is_named(folder):
    with pytest.raises(LibraryError, match=r"cannot import .*one: NameError: name 'undefined_name'"):
        load(folder(one="undefined_name"))


def test_not_a_folder_of_derivations(tmp_path):
    with pytest.raises(LibraryError, match=r"has no __init__\.py"):
        load(tmp_path)


def test_empty_folder(folder):
    with pytest.raises(LibraryError, match="defines no result"):
        load(folder())


def test_steps_precede_their_claim_and_are_selected_with_it(folder):
    module = """
    def build():
        line = derive(x + x, "start").eq(2 * x, "add").eq(x * 2, "turn")
        yield claim("p.sum", "title", derivation=line)
        yield claim("p.other", "title", gt(x, 0))
    result = Result("r", paper, build)
    """
    library = load(folder(one=module))
    order = [made.id for made, _ in library.ordered]
    assert order.index("p.sum.step-1") < order.index("p.sum")
    assert library.select(["sum"]) == {"p.sum", "p.sum.step-1", "p.sum.step-2"}
    assert library.select(["one"]) == set(library.claims)
    with pytest.raises(LibraryError, match="nothing is called 'absent'"):
        library.select(["absent"])


@pytest.mark.parametrize(
    "use",
    [
        'yield claim("p.false", "false", gt(x, 5), using=[bound(5)])',
        'yield claim("p.false", "false", gt(x, 5), using=[bound(5).at({x: x})])',
        'yield claim("p.false", "false", derivation=derive(x, "start").gt(5, "by the bound", using=[bound(5)]))',
    ],
    ids=["claim", "lemma", "step"],
)
def test_a_lemma_is_the_claim_and_not_its_id(folder, use):
    """The claim of the library, x > 0, is true; the one that is used under its id, x > 5, is false."""
    module = """
    def bound(c):
        return claim("p.bound", "a bound", gt(x, c))
    def build():
        yield bound(0)
        USE
    result = Result("r", paper, build)
    """
    message = (
        r"one.py:\d+: p\.false(\.step-1)? uses a claim p\.bound made at one.py:\d+ that is not the one of the library, "
        r"made at one.py:\d+; they differ in statement: x > 5 against x > 0; use the claim"
    )
    with pytest.raises(LibraryError, match=message):
        load(folder(one=module.replace("USE", use)))


def test_a_lemma_with_other_hypotheses_is_another_claim(folder):
    module = """
    def bound(*given):
        return claim("p.bound", "a bound", gt(x, 0), given=given)
    def build():
        yield bound(gt(x, 1 - x))
        yield claim("p.top", "a consequence", gt(2 * x, 0), using=[bound()])
    result = Result("r", paper, build)
    """
    with pytest.raises(LibraryError, match=r"p\.top uses a claim p\.bound .* they differ in given; use"):
        load(folder(one=module))


def test_an_equal_claim_may_be_built_twice(folder):
    module = """
    def bound():
        return claim("p.bound", "a bound", gt(x, 0))
    def build():
        yield bound()
        yield claim("p.top", "a consequence", gt(2 * x, 0), using=[bound()])
    result = Result("r", paper, build)
    """
    assert set(load(folder(one=module)).claims) == {"p.bound", "p.top"}
