"""The lines of a paper on the page: neighbours are joined, numbers come in order, errata are marked."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from grpo_symbolic.coverage.rows import Annotation, Coverage
from grpo_symbolic.coverage.score import score
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.readback.readings import Reading
from grpo_symbolic.report.coverage import coverage_view
from grpo_symbolic.report.coverage_display import coverage_table, unsettled_lines
from grpo_symbolic.report.links import Links

PAPER = Paper("p", "A. Author", "Bowls & plates", "v1", "a scan")
VERDICTS = {
    "p.one": (Verdict.DECIDED, Verdict.REFUTED),
    "p.two": (Verdict.PROVED, None),
    "p.weak": (Verdict.SUPPORTED, None),
}


def entry(ordinal: int, label: str | None = None, section: str = "2.1", **changes) -> Annotation:
    known = {"says": f"says {ordinal}", "form": "identity", "claims": ("p.one",)}
    return Annotation(section, ordinal, "step", label, "0" * 12, True, **(known | changes))


ENTRIES = (
    entry(1, "(10)"),
    entry(2, "(10)", claims=("p.two", "p.elsewhere")),
    entry(3, "(9)", says=r"a share of 50% with $\beta$"),
    entry(4),
    entry(5),
    entry(6, "Theorem 2", claims=("p.two",)),
    entry(7, claims=(), reason="not mathematics", because="leads on"),
    entry(8, claims=(), reason="open", because="too hard"),
    entry(9, claims=("p.weak",)),
    entry(1, section="B.2", claims=(), reason="cited", because="of others", says=""),
    entry(2, section="B.2"),
)


@pytest.fixture(scope="module")
def scored():
    verdicts = VERDICTS | {"p.elsewhere": (Verdict.DECIDED, None)}
    return score(Coverage(PAPER, "2025-02-03", ENTRIES), verdicts, {"p.one": Reading.INTERPRETED})


@pytest.fixture(scope="module")
def view(scored):
    return coverage_view(scored, Links(frozenset({"p.one", "p.two", "p.weak"})), {"p.one"})


def test_the_summary_counts_what_is_mathematics(view):
    assert view.summary.startswith("11 lines seen")
    assert r"9 of them are mathematics, of which 7 (77.8 \%) are decided or proved" in view.summary
    assert "2025-02-03" in view.summary
    identities, everything = view.counts
    assert [str(cell) for cell in identities.cells] == ["9", "1", "6", "1", r"\grponone", "1"]
    assert identities.cells == everything.cells
    assert [str(reason.count) for reason in view.reasons] == ["1", "1", "1"]


def test_numbers_stand_in_order_with_all_their_claims(view):
    assert [str(line.says) for line in view.numbers] == ["(9)", "(10)", "Theorem 2"]
    nine, ten, _ = view.numbers
    assert [str(found) for found in nine.found] == [r"\grpolocated{\grporef{grpo:p.one}*}{grpo:p.one}"]
    assert [str(found) for found in ten.found] == [
        r"\grpolocated{\grporef{grpo:p.one}*}{grpo:p.one}",
        r"\grpolocated{\grporef{grpo:p.two}}{grpo:p.two}",
        r"\texttt{p.\allowbreak{}elsewhere}",
    ]


def test_neighbours_with_the_same_claims_are_one_line(view):
    section, appendix = view.parts
    assert (section.title, appendix.title) == ("Section 2.1", "Appendix B.2")
    assert [str(line.says) for line in section.lines] == [
        "says 1",
        "says 2",
        r"a share of 50\% with $\beta$",
        "says 4; says 5",
        "says 6",
        "says 8",
        "says 9",
    ]
    assert [str(line.missing) for line in section.lines if line.missing] == ["open"]


def test_what_is_not_settled_is_listed_with_its_reason(view, scored):
    assert [(str(line.label), str(line.missing)) for line in view.left] == [
        ("2.1, row 8", "open: too hard"),
        ("2.1, row 9", "SUPPORTED"),
        ("B.2, row 1", "cited"),
    ]
    assert list(unsettled_lines([scored])) == [
        "p, 2.1, row 8: open (too hard): says 8",
        "p, 2.1, row 9: SUPPORTED: says 9",
    ]


def test_the_table_in_the_terminal_has_a_row_for_each_form_and_reason(scored):
    table = coverage_table([scored])
    names = list(table.columns[0].cells)
    assert names[:2] == ["p", "  identity"]
    assert "  tied to no claim: open" in names
    assert next(iter(table.columns[4].cells)) == "77.8 %"


def test_lines_of_quotes_that_were_interpreted_are_counted_apart(scored, view):
    # Those tied to p.one alone; the line with a claim that quotes nothing is none of them.
    interpreted = sum(way is Reading.INTERPRETED for way in scored.readings)
    assert interpreted == sum("p.one" in item.claims for item in ENTRIES) > 0
    assert scored.read == {"as interpreted": interpreted}
    assert f"{interpreted} as interpreted" in view.summary
    shown = Console(width=120, record=True, file=StringIO())
    shown.print(coverage_table([scored]))
    assert "decided or proved as interpreted" in shown.export_text()
