"""The coverage of the papers: its rows, its ties, its score, and its comparison with the texts where they are."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from material import TEXTS, needed_text

from grpo_symbolic.cli import app, main
from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.coverage.inventory import digest, inventory
from grpo_symbolic.coverage.rows import (
    NAME,
    UNCHECKED,
    Annotation,
    Coverage,
    differences,
    files,
    load,
    problems,
    read,
    text_of,
    updated,
    write,
)
from grpo_symbolic.coverage.score import NOT_JUDGED, as_json, outcome, score
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Verdict

ROOT = Path(__file__).resolve().parent.parent

#: Where the texts are, if anywhere: they are nobody's to copy into this repository.

#: How many rows each paper has, and how many of them are sentences, steps and so on.
ROWS = {
    "vojnovic_yun_2025": {"sentence": 240, "step": 86, "item": 18, "heading": 17, "inline step": 4},
    "mroueh_2025": {"sentence": 220, "step": 124, "item": 34, "heading": 17, "inline step": 19},
}
TOTALS = {"vojnovic_yun_2025": 380, "mroueh_2025": 435}


@pytest.fixture(scope="module")
def coverages(library) -> dict[str, Coverage]:
    return {item.paper.id: item for item in load(library)}


@pytest.mark.parametrize("paper", ROWS)
def test_every_row_is_tied_or_has_a_reason(coverages, library, paper):
    assert problems(coverages[paper], library.claims) == ()


@pytest.mark.parametrize("paper", ROWS)
def test_no_row_has_gone(coverages, paper):
    kinds = Counter(entry.kind for entry in coverages[paper].entries)
    assert {kind: kinds[kind] for kind in ROWS[paper]} == ROWS[paper]
    assert kinds.total() == TOTALS[paper]


@pytest.mark.slow
@pytest.mark.parametrize("paper", ROWS)
def test_rows_agree_with_the_text(coverages, paper):
    item = coverages[paper]
    text = needed_text(paper)
    assert text_of(item.paper, TEXTS) == text
    assert differences(item, inventory(text.read_text(encoding="utf-8"), item.paper.terms)) == ()


@pytest.mark.parametrize("paper", ROWS)
def test_what_rows_say_is_short(coverages, paper):
    for entry in coverages[paper].entries:
        assert max(len(entry.says), len(entry.because)) <= 120, entry.place


@pytest.mark.parametrize("paper", ROWS)
def test_our_words_are_not_the_paper_s(coverages, paper):
    letters = _letters(needed_text(paper).read_text(encoding="utf-8"))
    for entry in coverages[paper].entries:
        for words in (entry.says, entry.because):
            assert len(words.split()) < 8 or _letters(words) not in letters, entry.place


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@pytest.mark.parametrize("paper", ROWS)
def test_nothing_is_pending(coverages, paper):
    assert [entry.place for entry in coverages[paper].entries if entry.reason == "pending"] == []


@pytest.mark.parametrize("paper", ROWS)
def test_nine_in_ten_of_the_rows_that_are_mathematics_are_settled(coverages, assessment, library, paper):
    verdicts = {id: (item.verdict, item.printed and item.printed.verdict) for id, item in assessment.judged.items()}
    found = score(coverages[paper], verdicts, {}, Aboutness(library).in_part(coverages[paper]))
    assert found.tally.settled >= 0.9 * found.tally.rows
    for form in ("identity", "inequality", "limit", "dynamics"):
        assert found.forms[form].settled >= 0.9 * found.forms[form].rows, form


@pytest.mark.parametrize("paper", ROWS)
def test_the_file_is_written_as_it_is_read(coverages, library, paper, tmp_path):
    path = next(path for known, path in files(library).items() if known.id == paper)
    write(coverages[paper], tmp_path / NAME)
    assert (tmp_path / NAME).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    assert read(coverages[paper].paper, tmp_path / NAME) == coverages[paper]


# --- the machinery, on a small text ---------------------------------------------------------------

PAPER = Paper("p", "A. Author", "A note on bowls", "v1")
TEXT = "# A note on bowls\n\n### 1 Weights\n\nBowls are round. We have\n\n$$w = m g$$\n\nHence $w > 0$. See it.\n"


def tied(text: str = TEXT) -> Coverage:
    made = updated(Coverage(PAPER, "", ()), inventory(text), "2025-01-01")
    done = []
    for entry in made.entries:
        if entry.kind == "step":
            entry = replace(entry, claims=("p.weight",), form="identity", says="the weight")
        elif entry.mathematics:
            entry = replace(entry, claims=("p.positive",), form="inequality", says="it is positive")
        done.append(entry)
    return replace(made, entries=tuple(done))


def test_new_rows_are_untied_unless_they_are_no_mathematics():
    made = updated(Coverage(PAPER, "", ()), inventory(TEXT), "2025-01-01")
    assert made.compared == "2025-01-01"
    assert [entry.reason for entry in made.entries if not entry.mathematics] == ["not mathematics"] * 5
    untied = [entry.place for entry in made.entries if entry.mathematics]
    assert untied == ["1, row 4", "1, row 5"]
    assert [message.split(":")[0] for message in problems(made, ())] == untied
    assert problems(tied(), ("p.weight", "p.positive")) == ()


def test_an_update_keeps_ties_and_forgets_what_is_gone():
    changed = TEXT.replace("Hence", "New $x$ stands here. Hence").replace(" See it.", "")
    made = updated(tied(), inventory(changed), "2025-01-02")
    assert [(entry.ordinal, entry.claims) for entry in made.entries if entry.mathematics] == [
        (4, ("p.weight",)),
        (5, ()),
        (6, ("p.positive",)),
    ]
    assert len(made.entries) == len(tied().entries)


@pytest.mark.parametrize("changes", [{"kind": "display"}, {"label": "(7)"}])
def test_a_row_that_is_taken_for_something_else_differs_and_keeps_its_tie(changes):
    before = tied()
    step = next(entry for entry in before.entries if entry.kind == "step")
    other = replace(before, entries=tuple(replace(e, **changes) if e is step else e for e in before.entries))
    assert [item.split(";")[0] for item in differences(other, inventory(TEXT))] == [
        f"{replace(step, **changes).place}: the text has changed"
    ]
    assert updated(other, inventory(TEXT), before.compared) == before


def test_a_row_that_becomes_mathematics_by_the_terms_of_the_paper_differs():
    before = tied()
    found = differences(before, inventory(TEXT, ["round"]))
    assert [item.split(";")[0] for item in found] == ["1, row 2: it is now taken for mathematics"]
    other = updated(before, inventory(TEXT, ["round"]), before.compared)
    assert [item.split(";")[0] for item in differences(other, inventory(TEXT))] == [
        "1, row 2: it is no longer taken for mathematics"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("m g", "m g^2"), "1, row 4: the text has changed"),
        (TEXT.replace(" See it.", ""), "1, row 6: it is no longer in the text"),
        (TEXT + "\nMore.\n", "1, row 7: it is new in the text"),
    ],
)
def test_differences_name_the_place_and_the_remedy(text, message):
    found = differences(tied(), inventory(text))
    assert [item.split(";")[0] for item in found] == [message]
    assert "grpo-symbolic coverage --papers DIR --update" in found[0]
    assert differences(tied(), inventory(TEXT.replace(" ", "  "))) == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"claims": ("p.unknown",)}, "no claim is called p.unknown"),
        ({"claims": ()}, "untied: name the claims that say this, or a reason"),
        ({"reason": "empirical", "because": "a plot"}, "tied to claims and has a reason"),
        ({"claims": (), "reason": "boring", "because": "it is"}, "no reason is called 'boring'"),
        ({"claims": (), "reason": "cited"}, "say why it is left out"),
        ({"form": "theorem"}, "its form 'theorem' is none of identity"),
        ({"says": ""}, "say in your own words"),
        ({"claims": (), "reason": "open", "because": "too hard", "says": ""}, "say in your own words"),
        ({"ordinal": 5}, "stands there 2 times"),
    ],
)
def test_mistakes_in_a_row_are_named(changes, message):
    whole = tied()
    wrong = tuple(replace(entry, **changes) if entry.kind == "step" else entry for entry in whole.entries)
    found = problems(replace(whole, entries=wrong), ("p.weight", "p.positive"))
    assert len(found) == 1
    assert message in found[0]
    assert found[0].startswith("1, row ")


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (("p.proved",), "PROVED"),
        (("p.proved", "p.supported"), "SUPPORTED"),
        (("p.erratum",), "DECIDED"),
        (("p.refuted",), "DECIDED"),
        (("p.open-quote",), "UNDECIDED"),
        (("p.proved", "p.not-there"), NOT_JUDGED),
    ],
)
def test_a_row_is_worth_its_weakest_claim_or_quote(claims, expected):
    verdicts = {
        "p.proved": (Verdict.PROVED, None),
        "p.supported": (Verdict.SUPPORTED, Verdict.DECIDED),
        "p.erratum": (Verdict.PROVED, Verdict.REFUTED),
        "p.refuted": (Verdict.REFUTED, None),
        "p.open-quote": (Verdict.PROVED, Verdict.UNDECIDED),
    }
    entry = Annotation("1", 1, "step", None, digest("x"), True, "says", "identity", claims)
    assert outcome(entry, verdicts) == expected


@pytest.mark.parametrize("reason", UNCHECKED)
def test_mathematics_without_claims_counts_against_the_score(reason):
    whole = tied()
    left = tuple(
        replace(entry, claims=(), reason=reason, because="why") if entry.kind == "step" else entry
        for entry in whole.entries
    )
    found = score(replace(whole, entries=left), {"p.positive": (Verdict.DECIDED, None)}, {})
    assert (found.tally.rows, found.tally.settled) == (2, 1)
    assert found.forms["identity"].settled == 0
    assert [(entry.kind, what) for entry, what in found.unsettled] == [("step", reason)]
    data = as_json(found)
    assert (data["seen"], data["mathematics"], data["settled"]) == (7, 2, 1)
    assert data["reasons"] == {"not mathematics": 5, reason: 1}


def test_a_text_is_found_by_its_title(tmp_path):
    (tmp_path / "7.txt").write_text("A NOTE ON\nBOWLS\n\nText.")
    (tmp_path / "3.txt").write_text("Another note")
    assert text_of(PAPER, tmp_path) == tmp_path / "7.txt"
    assert text_of(replace(PAPER, title="Plates"), tmp_path) is None


@pytest.mark.parametrize("content", ["{", '{"rows": []}', '{"compared": "", "rows": [{"section": "1"}]}'])
def test_an_unreadable_file_is_named(tmp_path, content):
    (tmp_path / NAME).write_text(content)
    with pytest.raises(LibraryError, match=r"cannot read .*coverage\.json"):
        read(PAPER, tmp_path / NAME)


MODULE = '''
"""Bowls."""
from grpo_symbolic import Paper, Result, claim, eq, gt, real
paper = Paper("p", "A. Author", "A note on bowls", "v1")
m = real("m", "(0, 1)", "a mass")
def build():
    yield claim("p.weight", "The weight", eq(m * 2, m + m))
    yield claim("p.positive", "It is positive", gt(m, 0))
result = Result("Bowls", paper, build)
'''


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / f"bowls_{uuid.uuid4().hex}"
    made.mkdir()
    (made / "__init__.py").write_text("")
    (made / "bowls.py").write_text(MODULE)
    return made


def run(capsys, *arguments) -> tuple[int, str]:
    with pytest.raises(SystemExit) as exit_:
        main([str(item) for item in arguments])
    captured = capsys.readouterr()
    return int(exit_.value.code or 0), captured.out + captured.err


def test_the_command_updates_compares_and_names_what_is_wrong(capsys, folder, tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.md").write_text(TEXT)
    code, shown = run(capsys, "coverage", folder)
    assert (code, "FINDING" in shown) == (0, False)
    code, shown = run(capsys, "coverage", folder, "--update")
    assert code == 2
    assert "add --papers DIR" in shown
    code, shown = run(capsys, "coverage", folder, "--papers", texts, "--update")
    assert code == 1
    assert shown.count("untied") == 2
    write(tied(), folder / NAME)
    code, shown = run(capsys, "coverage", folder, "--papers", texts)
    assert code == 0
    assert "compared with the text on 2025-01-01, and agrees with it" in shown
    assert "not judged: the weight" in shown
    (texts / "a.md").write_text(TEXT.replace("m g", "m g^2"))
    code, shown = run(capsys, "coverage", folder, "--papers", texts)
    assert code == 1
    assert "FINDING: p, 1, row 4: the text has changed" in shown


def test_the_command_is_among_the_commands():
    assert "coverage" in {command.name for command in app.registered_commands}


@pytest.mark.slow
def test_results_carry_the_coverage(judged_data, coverages):
    data = json.loads(json.dumps(judged_data["coverage"]))
    assert data.keys() == coverages.keys()
    for paper, found in data.items():
        assert found["seen"] == len(found["rows"]) == TOTALS[paper]
        assert sum(form["rows"] for form in found["forms"].values()) == found["mathematics"]
        assert NOT_JUDGED not in {row["outcome"] for row in found["rows"]}
