"""What is kept by result or page: data, readings and the site, always as they would be made anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from test_printed_is_checked import appendix
from test_report import RESULT, assessment, judgement, numeric

from grpo_symbolic import claim, define, le, real
from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import ReportError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.content import Digests
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.kept import Kept
from grpo_symbolic.judging.results import json_text, results, results_text
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.report import readback
from grpo_symbolic.report.readback import _parts, read_report_back, said_by
from grpo_symbolic.report.render import render
from grpo_symbolic.report.shorthand import Shown, as_shown
from grpo_symbolic.report.site import kept as keeping
from grpo_symbolic.report.site import write as writing
from grpo_symbolic.report.site.index import searchable
from grpo_symbolic.report.view import report_view

READ = {"relations": 7}


def told(made, fragments):
    return "".join(results_text(made, READ, fragments))


def test_data_are_the_same_whether_kept_or_not(tmp_path, monkeypatch):
    made = assessment()
    whole = json_text(results(made) | {"read_back": READ})
    assert told(made, Fragments(None)) == whole
    with Store(tmp_path) as store:
        assert told(made, Fragments(store)) == whole
        monkeypatch.setattr("grpo_symbolic.judging.results._data", lambda *_: pytest.fail("told anew"))
        assert told(made, Fragments(store)) == whole
    assert json.loads(whole)["claims"]


def test_data_of_no_claim_are_a_list_all_the_same():
    made = replace(assessment(), selected=frozenset())
    assert told(made, Fragments(None)) == json_text(results(made) | {"read_back": READ})
    assert json.loads(told(made, Fragments(None)))["claims"] == []


def changed(made, id, **parts):
    return replace(made, judged={**made.judged, id: replace(made.judged[id], **parts)})


def others():
    """The assessment with something else said of a claim."""
    made = assessment()
    one = made.judged["sample_2025.bound"]
    wrong = next(id for id, item in made.judged.items() if item.printed is not None)
    quote = made.judged[wrong].claim.printed
    yield "evidence", changed(made, "sample_2025.bound", alone=replace(one.alone, evidence=one.alone.evidence[:1]))
    yield "verdict", changed(made, "sample_2025.eq14", verdict=Verdict.UNDECIDED)
    yield "title", changed(made, "sample_2025.bound", claim=replace(one.claim, title="Another"))
    yield "since", changed(made, "sample_2025.bound", since=("sample_2025.eq14",))
    yield "printed", changed(made, wrong, printed=judgement(Verdict.SUPPORTED, numeric()))
    where = replace(made.judged[wrong].claim, printed=replace(quote, where="elsewhere"))
    yield "where", changed(made, wrong, claim=where)
    read = {id: QuoteRead(item.outcome, item.reading, "in other words") for id, item in made.quotes.items()}
    yield "quotes", replace(made, quotes=read)


@pytest.mark.parametrize(("name", "other"), list(others()), ids=lambda item: item if isinstance(item, str) else "")
def test_data_tell_of_whatever_changed(name, other, tmp_path):
    with Store(tmp_path) as store:
        before = told(assessment(), Fragments(store))
        after = told(other, Fragments(store))
    assert after == json_text(results(other) | {"read_back": READ}) != before


def test_a_judgement_is_known_by_all_that_is_kept_of_it(tmp_path):
    made = assessment()
    claims = [bare(item.claim) for item in made.judged.values() if item.claim.id.endswith("eq14")]
    decided, open_ = judgement(Verdict.DECIDED, numeric()), judgement(Verdict.UNDECIDED, numeric())
    with Store(tmp_path) as store:
        kept = Kept(store, Settings(), claims)
        (id,) = (claim.id for claim in claims)
        kept.keep(id, (replace(decided, seconds=1.0), None))
        first = kept.contents[id]
        kept.keep(id, (replace(decided, seconds=2.0), None))
        assert kept.contents[id] != first
        kept.write()
        again = Kept(store, Settings(), claims)
        assert again.found.keys() == {id}
        assert again.contents == kept.contents
        # What is left open is not kept, so that nothing of it may be taken from what was.
        kept.keep(id, (open_, None))
        assert id not in kept.contents


def test_what_is_known_of_two_values_tells_them_apart():
    one, other, third = assessment(), assessment(), assessment()
    digests = Digests({})
    digests.know(one, "view", b"a")
    digests.know(other, "view", b"b")
    digests.know(third, "judgement", b"a")
    assert len({digests.of(one), digests.of(other), digests.of(third)}) == 3
    again = Digests({})
    again.know(third, "view", b"a")
    assert again.of(third) == digests.of(one)


@pytest.fixture(scope="module")
def pages():
    made = assessment()
    view = report_view(made)
    return view, Shown(made.library).claims, appendix(view)


def read(pages, page, place):
    view, claims, _ = pages
    with Store(place) as store:
        return read_report_back(view, claims, page, {}, Fragments(store))


def test_what_was_read_back_is_counted_the_same(pages, tmp_path, monkeypatch):
    view, claims, page = pages
    found = read_report_back(view, claims, page)
    assert found.agree == found.relations > 10
    assert read(pages, page, tmp_path) == found
    monkeypatch.setattr(readback, "read_back", lambda *_: pytest.fail("read anew"))
    monkeypatch.setattr(readback._Reader, "result", lambda *_: pytest.fail("read anew"))
    assert read(pages, page, tmp_path) == found


def test_a_page_that_lost_a_formula_is_read_again(pages, tmp_path):
    view, _, page = pages
    read(pages, page, tmp_path)
    shown = next(claim for claim in view.chapters[0].results[0].claims if claim.steps)
    form = next(iter(readback._forms(shown.steps[0].formula)))
    with pytest.raises(ReportError, match="the page does not show this formula"):
        read(pages, page.replace(form, "x"), tmp_path)


def test_a_formula_has_to_stand_where_its_result_does(pages):
    view, claims, page = pages
    (result,) = view.chapters[0].results
    (part,) = _parts(page, [result])
    assert part.startswith(rf"\label{{{result.label}}}")
    assert _parts("another page", [result]) == ["another page"]
    other = replace(result, label=type(result.label)("grpo:other"))
    first, second = _parts(page + r"\label{grpo:other}the end", [result, other])
    assert second == r"\label{grpo:other}the end"
    assert second not in first
    moved = page.replace(part, rf"\label{{{result.label}}}\label{{grpo:other}}{part.partition('}')[2]}")
    both = replace(view, chapters=(replace(view.chapters[0], results=(result, other)),))
    with pytest.raises(ReportError, match="the page does not show this formula"):
        read_report_back(both, claims, moved)


def test_of_no_result_nothing_is_read_back(pages):
    view, claims, page = pages
    assert read_report_back(replace(view, chapters=()), claims, page).relations == 0


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_is_the_same_whether_kept_or_not(tmp_path, monkeypatch):
    made = assessment()
    render(made, tmp_path / "without", pdf=False)
    with Store(tmp_path / "cache") as store:
        render(made, tmp_path / "first", pdf=False, fragments=Fragments(store))
        with monkeypatch.context() as patched:
            for module, name in ((keeping, "latex_of"), (keeping, "python_of"), (writing, "_light")):
                patched.setattr(module, name, lambda *_: pytest.fail("made anew"))
            patched.setattr(readback._Listener, "result", lambda *_: pytest.fail("heard anew"))
            render(made, tmp_path / "second", pdf=False, fragments=Fragments(store))
    assert files(tmp_path / "first") == files(tmp_path / "second") == files(tmp_path / "without")


def test_a_site_tells_of_whatever_changed(tmp_path):
    made = assessment()
    one = made.judged["sample_2025.bound"]
    other = changed(made, "sample_2025.bound", alone=replace(one.alone, evidence=one.alone.evidence[:1]))
    with Store(tmp_path / "cache") as store:
        render(made, tmp_path / "kept", pdf=False, fragments=Fragments(store))
        render(other, tmp_path / "kept", pdf=False, fragments=Fragments(store))
    render(other, tmp_path / "without", pdf=False)
    assert files(tmp_path / "kept") == files(tmp_path / "without")


def test_formulas_say_the_same_whether_kept_or_not(tmp_path):
    made = assessment()
    view, claims = report_view(made), Shown(made.library).claims
    without = said_by(view, claims)
    with Store(tmp_path) as store:
        first = keeping.SiteKept(view, claims, Fragments(store))
        assert said_by(view, claims, first.said) == without
        first.leave(tmp_path / "left")
        first.take(tmp_path / "left")
        again = keeping.SiteKept(view, claims, Fragments(store))
        assert all(again.said.get(result.label) is not None for result in view.chapters[0].results)
        assert said_by(view, claims, again.said) == without
    assert without


def test_words_that_stand_in_others_are_left_out():
    assert searchable("alpha Alphabet bet be x β") == "alphabet x beta"
    assert searchable("a b ab") == "ab"


def test_a_formula_inside_of_one_shorthand_has_the_name_that_a_later_one_gives_it():
    x = real("x", "(0, 1)", "a probability")
    inside = x * (1 - x)
    outer, inner = define("f", (x,), inside + 1), define("g", (x,), inside)
    made = claim("sample_2025.small", "A product", le(inside, 1))
    result = replace(RESULT, shorthands=lambda: [outer, inner])
    (shown,) = as_shown(result, [made])
    assert shown.statement == le(inner(x), 1)
