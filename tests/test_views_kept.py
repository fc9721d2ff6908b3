"""Views of results that are kept: under a key of all that they are made of, and exactly what would be made anew."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass, replace

import pytest
from test_report import assessment

from grpo_symbolic.cache.store import Store
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report import sections
from grpo_symbolic.report.sections import ResultView, _Material
from grpo_symbolic.report.stored import restored, written
from grpo_symbolic.report.tex import Tex
from grpo_symbolic.report.view import report_view


@pytest.fixture(scope="module")
def found():
    return assessment()


def results(view):
    return [result for chapter in view.chapters for result in chapter.results]


@pytest.fixture
def material(found, monkeypatch):
    original, seen = sections._result_view, []
    with monkeypatch.context() as patched:
        patched.setattr(sections, "_result_view", lambda of: seen.append(of) or original(of))
        report_view(found)
    return max(seen, key=lambda of: len(of.claims))


def key(folder, of):
    with Store(folder) as store:
        return Fragments(store).key("view", (of,))


def others(value):
    """Values of the same kind that differ from one in a single place, if there are such."""
    match value:
        case bool():
            yield not value
        case str():
            yield type(value)(f"{value} ")
        case tuple() | frozenset() if value:
            yield type(value)(list(value)[1:])
            first, *rest = value
            yield from (type(value)([other, *rest]) for other in others(first))
        case dict() if value:
            name = next(iter(value))
            yield {other: item for other, item in value.items() if other != name}
            yield from (value | {name: other} for other in others(value[name]))
        case Verdict():
            yield next(other for other in Verdict if other is not value)
        case int() | float():
            yield value + 1
        case _ if is_dataclass(value):
            for item in fields(value):
                if item.name not in ("declared_at", "about"):
                    for other in others(getattr(value, item.name)):
                        changed = object.__new__(type(value))
                        vars(changed).update({part.name: getattr(value, part.name) for part in fields(value)})
                        vars(changed)[item.name] = other
                        yield changed


def test_views_are_restored_exactly(found):
    for view in results(report_view(found)):
        again = restored(written(view), ResultView)
        assert again == view
        assert repr(again) == repr(view)
        assert {type(again.title), type(again.claims[0].title)} == {Tex}
        assert type(again.file) is str


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        "text",
        [],
        {"made": "os:system", "of": ["true"]},
        {"made": "grpo_symbolic.report.sections:ResultView", "of": []},
        {"made": "grpo_symbolic.report.sections:SymbolView", "of": ["a", "b"]},
    ],
)
def test_what_is_no_view_is_not_believed(value):
    assert restored(value, ResultView) is None


@pytest.mark.parametrize("value", [1.5, {}, object()])
def test_a_view_is_made_of_little(value):
    with pytest.raises(TypeError, match="a view is not made of a"):
        written((value,))


def test_pages_are_the_same_whether_views_are_kept_or_not(found, tmp_path, monkeypatch):
    without = report_view(found)
    with Store(tmp_path / "cache") as store:
        first = report_view(found, fragments=Fragments(store))
        monkeypatch.setattr(sections, "_result_view", lambda of: pytest.fail("made anew"))
        second = report_view(found, fragments=Fragments(store))
    assert repr(first) == repr(second) == repr(without)
    assert first == second == without


@pytest.mark.parametrize("name", [item.name for item in fields(_Material)])
def test_whatever_a_view_is_made_of_is_in_its_key(material, tmp_path, name):
    """Everything that can be changed in an ingredient gives another key: a field that is left out would not."""
    known = key(tmp_path, material)
    assert known is not None
    assert key(tmp_path, replace(material)) == known
    changes = list(others(getattr(material, name)))
    random.Random(7).shuffle(changes)
    assert changes or name in ("figures", "quotes", "ties", "whys")
    for other in changes[:40]:
        assert key(tmp_path, replace(material, **{name: other})) != known, other


@pytest.mark.slow
def test_a_view_tells_of_what_changed(found, tmp_path):
    """Whatever of the judgements changes, the pages are those of a build without anything kept."""
    with Store(tmp_path / "cache") as store:
        report_view(found, fragments=Fragments(store))
        for id, item in found.judged.items():
            slow, low = replace(item.alone, seconds=77.0), Verdict.UNDECIDED
            changes = [replace(item, alone=slow)]
            if item.alone.verdict is not Verdict.REFUTED:
                weak = replace(item.alone, limit=low)
                changes += [replace(item, verdict=low), replace(item, alone=weak, verdict=low)]
            for changed in changes:
                other = replace(found, judged={**found.judged, id: changed})
                assert report_view(other, fragments=Fragments(store)) == report_view(other)
