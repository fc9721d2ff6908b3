"""A claim that is tied to a numbered place has to depend on the definitions that the place is about, or say so."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_library import whole_library

from grpo_symbolic import define, exp, log, rational, real, sqrt
from grpo_symbolic.cli import main
from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.coverage.rows import load as coverages
from grpo_symbolic.coverage.score import IN_PART, score
from grpo_symbolic.derivation.about import numbered
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.definition_mutants import ABSTRACT, FALLEN, NOTICED, OPEN, REFUTED, TRUE, outcomes
from grpo_symbolic.judging.slips import slips
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.instances import Exchange, arguments_of, stands_in, with_open_symbols
from grpo_symbolic.report.lemmas import lemma_note

HEAD = """
from grpo_symbolic import Claim, Paper, Result, claim, define, derive, eq, gt, le, lt, rational, real
from {name} import paper
x = real("x", "[0, oo)", "a number")
m = real("m", "[0, oo)", "another number")
h = define("h", (x,), 1 / (1 + x))
"""
CLAIMS = '''"""Theorem 1: h is at most 1."""
{head}

def derivation():
    """Claims of every sort about one place."""
    abstract = claim("p.abstract", "Below one", lt(m / 2, 1), given=[le(m, 1)], equation="Theorem 1")
    yield abstract
    yield claim("p.named", "By its name", le(h(x), 1), equation="Section 2, Theorem 1")
    yield claim("p.written-out", "Written out", le(1 / (1 + m), 1), equation="Theorem 1")
    yield claim("p.linked", "Through a lemma", gt(3, m), given=[eq(m, h(x))], equation="Theorem 1")
    lower = claim("p.lemma", "A lemma", gt(h(x), 0))
    yield lower
    yield claim("p.through", "Holds by a lemma", gt(m**2, -h_free), given=[], using=[lower], equation="Theorem 1")
    yield claim("p.elsewhere", "In the proof", lt(m / 2, 1), given=[le(m, 1)], equation="Appendix, proof of Theorem 1")
    yield claim("p.any-h", "True of every function", eq(h(x) - h(x), 0), equation="Theorem 1")

h_free = rational(1)
result = Result("One", paper, derivation)
'''
ABOUT = """
from grpo_symbolic.derivation.about import About
{head}
about = About(
    definitions={{"h": (h,)}},
    places={places},
    parts={parts},
    rows={rows},
)
"""
ROW = {
    "section": "1",
    "kind": "sentence",
    "digest": "0",
    "mathematics": True,
    "says": "h is small",
    "form": "inequality",
}


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A package of derivations about Theorem 1; what its table says can be chosen."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def build(places="{'Theorem 1': ('h',)}", parts="{}", rows="{}", table=ABOUT, lines=()):
        name = f"aboutness_{tmp_path.name.replace('-', '_')}_{len(made)}"
        folder = tmp_path / name
        folder.mkdir()
        made.append(name)
        head = HEAD.format(name=name)
        (folder / "__init__.py").write_text(
            'from grpo_symbolic import Paper\npaper = Paper("p", "A. Author", "A title", "first version")\n'
        )
        (folder / "result.py").write_text(CLAIMS.format(head=head))
        (folder / "about.py").write_text(table.format(head=head, places=places, parts=parts, rows=rows))
        if lines:
            (folder / "coverage.json").write_text(json.dumps({"paper": "p", "compared": "2025-01-01", "rows": lines}))
        return folder

    yield build
    for name in [module for module in sys.modules if module.partition(".")[0] in made]:
        del sys.modules[name]


def row(ordinal: int, claims: list[str], label: str | None = "Theorem 1") -> dict[str, object]:
    return {**ROW, "ordinal": ordinal, "label": label, "claims": claims}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Theorem 4", ["Theorem 4"]),
        ("Theorem 3 (2)", ["Theorem 3 (2)"]),
        ("Section 2.3.1, Eq. (14)", ["Eq. (14)"]),
        ("Eqs. (3), (4)", ["Eq. (4)"]),
        ("Theorem 2, Eq. (8)", ["Theorem 2", "Eq. (8)"]),
        ("Algorithm 1, line 8", ["Algorithm 1"]),
        ("(14)", ["Eq. (14)"]),
        ("Section 1, after Eq. (2)", []),
        ("Appendix A, proof of Theorem 2", []),
        ("Figure 4, caption", []),
        ("", []),
    ],
)
def test_a_reference_names_a_place_or_another_one_near_it(text, places):
    assert list(numbered(text)) == places


def test_a_tied_claim_without_the_definition_is_listed(made_up):
    ties = Aboutness(load(made_up())).ties
    assert set(ties) == {"p.abstract", "p.named", "p.written-out", "p.linked", "p.through", "p.any-h"}
    assert ties["p.abstract"].missing == ("h",)
    assert ties["p.named"].contains == ties["p.written-out"].contains == ties["p.linked"].contains == ("h",)
    assert (ties["p.through"].contains, ties["p.through"].through) == ((), ("h",))
    assert [id for id, tie in ties.items() if tie.missing] == ["p.abstract"]


def test_only_a_lemma_about_abstract_quantities_says_that_it_is_one(made_up):
    ties = Aboutness(load(made_up())).ties
    assert lemma_note(ties["p.named"]) is None
    assert lemma_note(None) is None
    note = lemma_note(ties["p.abstract"])
    assert note == (
        "A lemma about abstract quantities: Theorem 1 is about h, but this does not depend on h, and would hold with "
        "any other in its place."
    )


def test_a_row_that_only_lemmas_settle_is_settled_in_part(made_up):
    folder = made_up(
        lines=[
            row(1, ["p.abstract"]),
            row(2, ["p.abstract", "p.named"]),
            row(3, ["p.elsewhere"]),
            row(4, ["p.lemma"], None),
        ]
    )
    library = load(folder)
    aboutness, (coverage,) = Aboutness(library), coverages(library)
    verdicts = dict.fromkeys(library.claims, (Verdict.DECIDED, None))
    found = score(coverage, verdicts, {}, aboutness.in_part(coverage))
    assert found.outcomes == (IN_PART, "DECIDED", IN_PART, "DECIDED")
    assert (found.tally.rows, found.tally.settled) == (4, 2)
    assert found.missing["1, row 1 Theorem 1"] == ("h",)
    # The row makes a tie of what only stands in the proof.
    assert aboutness.ties["p.elsewhere"].missing == ("h",)


def test_what_is_not_settled_is_not_settled_in_part(made_up):
    library = load(made_up(lines=[row(1, ["p.abstract"])]))
    (coverage,) = coverages(library)
    verdicts = dict.fromkeys(library.claims, (Verdict.SUPPORTED, None))
    assert score(coverage, verdicts, {}, Aboutness(library).in_part(coverage)).outcomes == ("SUPPORTED",)


def test_a_part_of_a_place_may_be_about_something_else(made_up):
    library = load(made_up(parts="{'abstract': ()}", rows="{'1, row 1 Theorem 1': ()}", lines=[row(1, ["p.abstract"])]))
    aboutness, (coverage,) = Aboutness(library), coverages(library)
    assert aboutness.ties["p.abstract"].missing == ()
    assert aboutness.in_part(coverage) == {}
    assert list(aboutness.problems()) == []


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"places": "{}"}, "are tied to Theorem 1; say in the table what it is about"),
        ({"places": "{'Theorem 1': ('h',), 'Lemma 9': ()}"}, "no claim is tied to Lemma 9"),
        ({"places": "{'Theorem 1': ('g',)}"}, "Theorem 1 is about 'g', which the table does not define"),
        ({"parts": "{'no-such': ('h',)}"}, "there is no claim no-such"),
        ({"rows": "{'9, row 9': ('h',)}"}, "there is no row 9, row 9"),
    ],
)
def test_mistakes_in_a_table_are_named(made_up, table, message):
    assert any(message in problem for problem in Aboutness(load(made_up(**table))).problems())


def test_a_module_of_that_name_needs_a_table(made_up):
    library = load(made_up(table="{head}places = {places}, {parts}, {rows}"))
    with pytest.raises(LibraryError, match=r"has no table of the name about; write about = About"):
        Aboutness(library)


def test_a_slip_is_noticed_where_the_definition_stands(made_up):
    library = load(made_up())
    aboutness = Aboutness(library)
    found = outcomes(library, aboutness, list(slips(aboutness, None, 1)))
    assert [item.claim for item in found if item.kind == ABSTRACT] == ["p.abstract"]
    of = {}
    for item in found:
        if item.slip is not None:
            of.setdefault(item.claim, {})[item.slip.change] = item
    assert "p.abstract" not in of
    # 1 / (1 - x) has no value at 1, and 2 / (1 + x) is 2 at 0.
    for id in ("p.named", "p.written-out"):
        assert of[id]["add becomes subtract"].kind in NOTICED
        assert of[id]["1 becomes 2"].kind in (REFUTED, TRUE)
        assert of[id]["divide becomes multiply"].kind == REFUTED
        assert of[id]["divide becomes multiply"].fell == id
    # What holds of every function is decided to hold of the changed one.
    assert of["p.any-h"]["divide becomes multiply"].kind == TRUE
    # A claim falls with what it rests on.
    assert of["p.through"]["add becomes subtract"].kind in NOTICED
    assert of["p.through"]["add becomes subtract"].fell == "p.lemma"
    assert not any(item.kind == OPEN for item in found)


@pytest.mark.slow
def test_in_processes_the_outcomes_are_the_same(made_up):
    library = load(made_up())
    aboutness = Aboutness(library)
    chosen = list(slips(aboutness, 2, 1))
    only = {"p.named", "p.any-h"}
    here = outcomes(library, aboutness, chosen, only)
    assert here == outcomes(library, aboutness, chosen, only, jobs=2)


def test_slips_are_chosen_by_the_seed(made_up):
    aboutness = Aboutness(load(made_up()))
    every = list(slips(aboutness, None, 1))
    assert list(slips(aboutness, 2, 7)) == list(slips(aboutness, 2, 7))
    assert {tuple(slips(aboutness, 2, seed)) for seed in range(20)} > {tuple(slips(aboutness, 2, 7))}
    assert set(slips(aboutness, 2, 7)) < set(every)
    assert len({slip.changed for slip in every}) == len(every)


def test_the_command_tells_of_slips_and_lemmas(made_up, capsys):
    folder = str(made_up())
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["mutants", folder, "--definitions", "--only", "named", "--only", "abstract", "--jobs", "1"])
    out = capsys.readouterr().out
    assert "abstract: p.abstract, tied to Theorem 1, does not depend on h" in out
    assert "1 of the 2 tied claims are abstract in something, 1 of them in everything" in out
    assert "p.written-out" not in out
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["mutants", folder, "--definitions", "--only", "named", "--all", "--jobs", "1", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["schema", "definitions", "claims", "outcomes", "problems"]
    assert {item["claim"] for item in data["outcomes"]} == {"p.named"}
    assert data["claims"][0]["about"] == data["claims"][0]["contains"] == ["h"]
    assert {"refuted", "still true"} >= {item["outcome"] for item in data["outcomes"]} - {FALLEN}


def test_the_command_names_what_is_to_be_said_and_mended(made_up, capsys):
    folder = str(made_up(places="{}"))
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["mutants", folder])
    assert "grpo-symbolic mutants --definitions" in capsys.readouterr().err
    with pytest.raises(SystemExit, match=r"^1$"):
        main(["mutants", folder, "--definitions", "--jobs", "1"])
    assert "are tied to Theorem 1; say in the table" in capsys.readouterr().out


@pytest.mark.slow
def test_list_and_show_say_that_a_lemma_is_one(made_up, capsys):
    folder = str(made_up())
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["list", folder])
    assert capsys.readouterr().out.count("abstract lemma") == 1
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["show", "abstract", folder])
    assert "A lemma about abstract quantities: Theorem 1 is about h" in capsys.readouterr().out


x = real("x", "(0, 1)", "a number")
t = real("t", "(0, oo)", "a positive number")
f = define("f", (x,), x / (1 + t * x))


@given(st.sampled_from([x, 1 - x, x**2, sqrt(x), exp(x), log(1 + x), f(x)]), st.integers(2, 9))
def test_a_function_is_found_at_any_argument_and_exchanged(argument, number):
    other = define("f", (x,), x * (2 + t * x))
    exchange = Exchange(f, other)
    inner = exchange(argument)
    for written in (f(argument), argument / (1 + t * argument)):
        assert stands_in(f, 1 + number * written)
        assert unfold(exchange(1 + number * written)) == unfold(1 + number * other(inner))
    assert arguments_of(f, argument / (1 + t * argument)) == (argument,)
    assert arguments_of(f, argument / (1 + t * (argument + number))) is None


def test_a_function_of_a_function_changes_with_it():
    g = define("g", (x,), f(x) - x)
    other = define("f", (x,), x + t)
    assert unfold(Exchange(f, other)(g(x**2))) == unfold(other(x**2) - x**2)
    untouched = log(1 + x)
    assert Exchange(f, other)(untouched) is untouched


def test_open_symbols_find_a_function_at_numbers():
    at_two = f.body
    special = 3 * x / (1 + 2 * x)
    assert not stands_in(f, x / (1 + rational(2) * x))
    assert stands_in(with_open_symbols(f), x / (1 + rational(2) * x))
    assert not stands_in(with_open_symbols(f), special)
    assert stands_in(f, at_two)


def test_the_tables_of_the_papers_are_right():
    aboutness = Aboutness(whole_library())
    assert set(aboutness.tables) == {"mroueh_2025", "vojnovic_yun_2025"}
    assert list(aboutness.problems()) == []


#: Claims tied to a numbered place that do not depend on everything that it is about; each says so where it is printed.
ABSTRACT_CLAIMS = {
    "vojnovic_yun_2025.eq2.largest-deviation",
    "vojnovic_yun_2025.eq6.members",
    "vojnovic_yun_2025.pairs.unique",
    "vojnovic_yun_2025.large-groups.flow.attracts",
    "mroueh_2025.eq6.rlhf",
    "mroueh_2025.estimate.variance",
    "mroueh_2025.theorem-1.stationary",
    "mroueh_2025.theorem-2.edges",
    "mroueh_2025.theorem-6.power",
    "mroueh_2025.theorem-6.rate",
    "mroueh_2025.remark-2.each",
    "mroueh_2025.assumption-1.step",
    "mroueh_2025.theorem-5.iterates",
    "mroueh_2025.theorem-5.no-limit",
}
#: Rows under a number to none of whose claims some definition makes a difference.
ROWS_IN_PART = {
    "vojnovic_yun_2025": {"1, row 15 (1)"},
    "mroueh_2025": {
        "2.4, row 15 Algorithm 1",
        "2.4, row 17 Algorithm 1",
        "5, row 9 Assumption 1",
    },
}


def test_the_abstract_claims_of_the_papers_are_known():
    library = whole_library()
    aboutness = Aboutness(library)
    assert {id for id, tie in aboutness.ties.items() if tie.missing} == ABSTRACT_CLAIMS
    assert {item.paper.id: set(aboutness.in_part(item)) for item in coverages(library)} == ROWS_IN_PART
    partly = lemma_note(aboutness.ties["mroueh_2025.eq6.rlhf"])
    assert partly is not None
    assert partly.startswith("Abstract in part: Eq. (6) is about the weights and the divergence, but this does not")


def test_theorem_4_is_about_the_success_map_and_its_fixed_point():
    ties = Aboutness(whole_library()).ties
    for slug in ("theorem-4", "theorem-4.explicit"):
        assert ties[f"mroueh_2025.{slug}"].contains == ("h",)


#: Quickly refuted, one or two for each paper; the whole is the slow test's.
SLICE = ("mroueh_2025.h-prime", "mroueh_2025.theorem-2.simplified", "vojnovic_yun_2025.eq10")


@pytest.mark.slow
def test_claims_about_the_papers_definitions_notice_slips():
    library = whole_library()
    aboutness = Aboutness(library)
    chosen = [slip for slip in slips(aboutness, 2, 1) if slip.name in ("h", "the penalty")]
    found = outcomes(library, aboutness, chosen, SLICE)
    assert {item.claim for item in found} == set(SLICE)
    assert all(item.kind in (*NOTICED, TRUE) for item in found)
    assert sum(item.kind in NOTICED for item in found) >= len(SLICE)


@pytest.mark.slow
def test_theorem_4_falls_with_a_wrong_success_map():
    library = whole_library()
    aboutness = Aboutness(library)
    chosen = [slip for slip in slips(aboutness, 1, 1) if slip.name == "h"]
    found = outcomes(library, aboutness, chosen, {"mroueh_2025.theorem-4"})
    # Once as the map is defined for one prompt, and once as it is for every prompt.
    fell = ("mroueh_2025.theorem-4.nearer.step-1", "mroueh_2025.theorem-4.step")
    assert [(one.kind, one.fell) for one in found] == [(REFUTED, step) for step in fell]


@pytest.mark.slow
def test_every_tied_claim_notices_slips_or_is_an_abstract_lemma():
    library = whole_library()
    aboutness = Aboutness(library)
    found = outcomes(library, aboutness, list(slips(aboutness, 1, 1)), jobs=2)
    assert [item for item in found if item.kind == OPEN] == []
    told = {item.claim for item in found}
    assert told == {id for id, tie in aboutness.ties.items() if tie.about}
    assert {item.claim for item in found if item.kind == ABSTRACT} == {
        id for id, tie in aboutness.ties.items() if tie.missing
    }
