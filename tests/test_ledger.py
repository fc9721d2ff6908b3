"""The rules of the ledger, on judgements made by hand: what is a finding, what is not, what is written."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

import judging_here
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judging_here import found
from property_tests import examples

from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Verdict, Witness, weakest
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import combine
from grpo_symbolic.judging.ledger import compare, entries, ledgers, write
from grpo_symbolic.judging.quotes import quotes_of

UNDECIDED, SUPPORTED, DECIDED, PROVED, REFUTED = (
    Verdict.UNDECIDED,
    Verdict.SUPPORTED,
    Verdict.DECIDED,
    Verdict.PROVED,
    Verdict.REFUTED,
)
LADDER = [UNDECIDED, SUPPORTED, DECIDED, PROVED]
WITNESS = Witness((("x", "1/3"),), "2/9", "1/3")
NO_SMT = (Skipped("smt", "z3 is not installed"),)

HEADER = """
from grpo_symbolic import Paper, Result, claim, eq, real
paper = Paper("p", "A", "T", "v")
x = real("x", "(0, 1)", "a probability")
"""
BASE = '    base = claim("p.base", "Base", eq(x, x))\n    yield base\n'
TOP = '    yield claim("p.top", "Top", eq(x, x), using=[base])\n'
QUOTED = '    yield claim("p.quoted", "Quoted", eq(x, x), printed=paper.quote("Eq. (1)", "x", eq(x, x)))\n'
FALSE = '    yield claim("p.meant", "Meant", eq(x, 2 * x), refuted="to show that it is false")\n'
KNOWN = QUOTED.replace("eq(x, x)))", 'eq(x, x), instead="y"))').replace("p.quoted", "p.known")


def write_folder(path, body):
    path.mkdir(exist_ok=True)
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(f'{HEADER}\ndef build():\n{body}\nresult = Result("Small", paper, build)\n')
    return path


@pytest.fixture
def folder(tmp_path):
    """One module: base, top (which rests on base), quoted, known (an erratum), meant (stated as a falsehood)."""
    return write_folder(tmp_path / f"derivations_{uuid.uuid4().hex}", BASE + TOP + QUOTED + KNOWN + FALSE)


@pytest.fixture
def library(folder):
    return load(folder)


def judgement(verdict, method="smt", skipped=()):
    """One piece of evidence by one method; a refutation has a witness."""
    evidence = found(method, verdict, note="by hand", witness=WITNESS if verdict is REFUTED else None)
    return judging_here.judgement(verdict, evidence, skipped=skipped)


def assessed(library: Library, printed=None, only=None, **alone) -> Assessment:
    """All DECIDED by smt, erratum and stated falsehood refuted by numeric, except what is said otherwise."""
    printed = {"known": judgement(REFUTED, "numeric"), "quoted": judgement(DECIDED)} | (printed or {})
    judgements = {}
    for id, claim in library.claims.items():
        slug = id.split(".")[1]
        quote = printed[slug] if claim.printed is not None else None
        usual = judgement(DECIDED) if claim.refuted is None else judgement(REFUTED, "numeric")
        judgements[id] = (alone.get(slug, usual), quote)
    selected = frozenset(library.claims) if only is None else library.select(only)
    ordered = [item for item in library.ordered if item[0].id in selected]
    judged = {item.claim.id: item for item in combine(ordered, judgements)}
    return Assessment(library, Settings(), selected, judged, 0.0, quotes_of(library, selected))


def messages(assessment):
    return [f"{finding.id}: {finding.message}" for finding in compare(assessment)]


def test_without_a_ledger_only_unexpected_refutations_count(library):
    assert messages(assessed(library, base=judgement(UNDECIDED), top=judgement(SUPPORTED))) == []
    findings = compare(assessed(library, {"quoted": judgement(REFUTED)}, base=judgement(REFUTED)))
    assert [finding.id for finding in findings] == ["p.base", "p.quoted"]
    assert "the claim is refuted" in findings[0].message
    assert "printed at Eq. (1) is refuted" in findings[1].message
    assert [finding.witness for finding in findings] == [WITNESS, WITNESS]


def test_an_annotated_refutation_is_expected_without_a_ledger(library):
    assert messages(assessed(library)) == []
    assert messages(assessed(library, {"known": judgement(DECIDED)})) == []


def ledgers_in(paths):
    """The ledgers among files that were written."""
    return tuple(path for path in paths if path.name == "ledger.json")


def test_what_was_accepted_stands(library, folder):
    write(assessed(library))
    assessment = assessed(library, {"quoted": judgement(REFUTED)}, top=judgement(UNDECIDED))
    assert [finding.acceptable for finding in compare(assessment)] == [True, True]
    assert ledgers_in(write(assessment)) == (folder / "ledger.json",)
    assert compare(assessment) == ()


def test_the_ledger_says_verdict_best_of_each_method_and_printed(library, folder):
    several = judging_here.judgement(
        DECIDED,
        found("numeric", SUPPORTED, "a"),
        found("smt", DECIDED, "a"),
        found("smt", UNDECIDED, "b"),
        found("exact", DECIDED, "b"),
    )
    write(assessed(library, known=several))
    data = json.loads((folder / "ledger.json").read_text())
    assert data["p.known"] == {
        "verdict": "DECIDED",
        "methods": {"numeric": "SUPPORTED", "smt": "DECIDED", "exact": "DECIDED"},
        "printed": "REFUTED",
    }
    assert data["p.base"]["printed"] is None
    assert set(data) == set(library.claims)


SLOW_FIXTURES = [HealthCheck.function_scoped_fixture]


@settings(max_examples=examples(40), suppress_health_check=SLOW_FIXTURES)
@given(before=st.sampled_from(LADDER), now=st.sampled_from(LADDER))
def test_a_verdict_may_rise_and_never_fall(library, before, now):
    write(assessed(library, known=judgement(before)))
    found = messages(assessed(library, known=judgement(now)))
    if LADDER.index(now) >= LADDER.index(before):
        assert found == []
    else:
        assert len(found) == 1
        assert found[0].startswith(f"p.known: fell from {before.value} to {now.value}")


@pytest.mark.parametrize("before", [None, *LADDER, REFUTED])
def test_no_ledger_accepts_a_refuted_claim(library, folder, before):
    """Not even one that says REFUTED already, as one may that was written by hand."""
    path = folder / "ledger.json"
    write(assessed(library))
    data = json.loads(path.read_text())
    del data["p.known"]
    if before is not None:
        data["p.known"] = {"verdict": before.value, "methods": {"smt": before.value}, "printed": "REFUTED"}
    path.write_text(json.dumps(data))
    wrong = assessed(library, known=judgement(REFUTED))
    for _ in range(2):
        (finding,) = compare(wrong)
        assert (finding.id, finding.acceptable, finding.witness) == ("p.known", False, WITNESS)
        assert (
            finding.message == "the claim is refuted; correct it, or let it say refuted=... if the falsehood is meant"
        )
        write(wrong)
        assert json.loads(path.read_text()) == data


def test_a_claim_that_was_refuted_may_be_corrected(library, folder):
    write(assessed(library))
    data = json.loads((folder / "ledger.json").read_text())
    data["p.known"]["verdict"] = "REFUTED"
    (folder / "ledger.json").write_text(json.dumps(data))
    (finding,) = compare(assessed(library))
    assert (finding.message, finding.acceptable) == ("the claim was refuted and is now DECIDED", True)
    write(assessed(library))
    assert compare(assessed(library)) == ()


@pytest.mark.parametrize("now", LADDER)
@pytest.mark.parametrize("accepted", [True, False])
def test_what_is_stated_as_a_falsehood_must_be_refuted(library, folder, now, accepted):
    if accepted:
        write(assessed(library))
    (finding,) = compare(assessed(library, meant=judgement(now)))
    assert (finding.id, finding.acceptable) == ("p.meant", False)
    assert f"is stated as a falsehood, but is {now.value}" in finding.message
    write(assessed(library, meant=judgement(now)))
    assert compare(assessed(library, meant=judgement(now))) == (finding,)


def test_what_is_newly_stated_as_a_falsehood_waits_for_the_ledger(library, folder):
    write(assessed(library))
    data = json.loads((folder / "ledger.json").read_text())
    assert data["p.meant"]["verdict"] == "REFUTED"
    data["p.meant"]["verdict"] = "DECIDED"
    (folder / "ledger.json").write_text(json.dumps(data))
    (finding,) = compare(assessed(library))
    assert (finding.message, finding.acceptable) == (
        "is stated as a falsehood and refuted; the ledger says DECIDED",
        True,
    )


@settings(max_examples=examples(40), suppress_health_check=SLOW_FIXTURES)
@given(before=st.sampled_from([*LADDER, REFUTED]), now=st.sampled_from([*LADDER, REFUTED]))
def test_the_same_holds_for_what_is_printed(library, before, now):
    write(assessed(library, {"quoted": judgement(before)}))
    findings = compare(assessed(library, {"quoted": judgement(now)}))
    fine = before is now or (REFUTED not in (before, now) and LADDER.index(now) > LADDER.index(before))
    assert [finding.id for finding in findings] == ([] if fine else ["p.quoted"])
    if not fine and now is REFUTED:
        assert findings[0].witness == WITNESS


def test_a_fall_says_what_resisted_or_where_to_look(library):
    write(assessed(library))
    found = messages(assessed(library, base=judgement(UNDECIDED)))
    assert found == [
        "p.base: fell from DECIDED to UNDECIDED; smt on 'claim': by hand",
        "p.top: fell from DECIDED to UNDECIDED; alone it is DECIDED, so the cause is in what it rests on",
    ]


def test_a_refuted_ground_fells_what_rests_on_it(library):
    write(assessed(library))
    found = messages(assessed(library, base=judgement(REFUTED)))
    assert [text.split(":")[0] for text in found] == ["p.base", "p.top"]
    assert "fell from DECIDED to UNDECIDED" in found[1]


def test_a_missing_method_is_never_worse(library):
    write(assessed(library))
    weaker = judgement(SUPPORTED, "numeric", NO_SMT)
    assert messages(assessed(library, known=weaker)) == []
    # The fall of base reaches top through weakest link, which is no finding either.
    fallen = assessed(library, base=weaker)
    assert fallen.judged["p.top"].verdict is SUPPORTED
    assert messages(fallen) == []


def test_a_missing_method_excuses_no_refutation(library):
    write(assessed(library))
    found = compare(assessed(library, base=judgement(REFUTED, "numeric", NO_SMT)))
    assert [finding.id for finding in found] == ["p.base", "p.top"]
    assert found[0].witness == WITNESS


def test_a_missing_method_excuses_only_what_it_had_decided(library):
    exact = judgement(DECIDED, "exact")
    write(assessed(library, known=exact))
    found = messages(assessed(library, known=judgement(SUPPORTED, "numeric", NO_SMT)))
    assert len(found) == 1
    assert "p.known: fell from DECIDED to SUPPORTED" in found[0]


def test_a_missing_method_does_not_excuse_the_fall_of_something_else(library):
    """Top lacks smt, but base fell although nothing is missing there: both are named."""
    write(assessed(library))
    found = messages(assessed(library, base=judgement(UNDECIDED, "exact"), top=judgement(SUPPORTED, "numeric", NO_SMT)))
    assert [text.split(":")[0] for text in found] == ["p.base", "p.top"]


def test_a_quote_may_lose_its_decision_with_a_missing_method(library):
    write(assessed(library))
    assert messages(assessed(library, {"quoted": judgement(SUPPORTED, "numeric", NO_SMT)})) == []
    assert len(messages(assessed(library, {"known": judgement(SUPPORTED, "numeric", NO_SMT)}))) == 1


def test_new_missing_and_changed_claims_wait_for_the_ledger(library, folder):
    write(assessed(library))
    path = folder / "ledger.json"
    data = json.loads(path.read_text())
    del data["p.base"]
    data["p.gone"] = {"verdict": "DECIDED", "methods": {}, "printed": None}
    data["p.top"]["printed"] = "DECIDED"
    data["p.quoted"]["printed"] = None
    path.write_text(json.dumps(data))
    found = dict(text.split(": ", 1) for text in messages(assessed(library)))
    assert found.keys() == {"p.base", "p.top", "p.quoted", "p.gone"}
    assert "not in the ledger yet" in found["p.base"]
    assert "quotes nothing any more" in found["p.top"]
    assert "printed at Eq. (1) is not in the ledger yet" in found["p.quoted"]
    assert "in no derivation" in found["p.gone"]


def test_missing_ids_do_not_count_when_only_some_claims_were_judged(library, folder):
    write(assessed(library))
    path = folder / "ledger.json"
    data = json.loads(path.read_text())
    data["p.gone"] = data["p.base"]
    path.write_text(json.dumps(data))
    assert messages(assessed(library, only=["top"])) == []


def test_a_new_claim_that_is_refuted_is_named_with_its_witness(library, folder):
    write(assessed(library))
    path = folder / "ledger.json"
    data = json.loads(path.read_text())
    del data["p.top"]
    path.write_text(json.dumps(data))
    found = compare(assessed(library, top=judgement(REFUTED)))
    assert {finding.id for finding in found} == {"p.top"}
    assert WITNESS in [finding.witness for finding in found]


def test_accepting_a_selection_keeps_the_other_entries(library, folder):
    write(assessed(library))
    before = entries(library)
    write(assessed(library, only=["known"], known=judgement(SUPPORTED), base=judgement(UNDECIDED)))
    after = entries(library)
    assert after["p.known"].verdict is SUPPORTED
    assert {id: entry for id, entry in after.items() if id != "p.known"} == {
        id: entry for id, entry in before.items() if id != "p.known"
    }


def test_accepting_everything_drops_what_is_gone(library, folder):
    write(assessed(library))
    path = folder / "ledger.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"p.gone": json.loads(path.read_text())["p.base"]}))
    write(assessed(library))
    assert "p.gone" not in json.loads(path.read_text())


def test_accepting_without_a_method_does_not_lower_the_ledger(library):
    write(assessed(library))
    before = entries(library)
    weaker = judgement(SUPPORTED, "numeric", NO_SMT)
    write(assessed(library, {"quoted": weaker}, base=weaker))
    assert entries(library) == before
    write(assessed(library, base=judgement(SUPPORTED, "numeric")))
    assert entries(library)["p.base"].verdict is SUPPORTED


@pytest.mark.parametrize("text", ["{", "[]", '{"p.base": {"verdict": "FINE"}}', '{"p.base": {"verdict": "DECIDED"}}'])
def test_a_ledger_that_cannot_be_read_says_what_to_do(library, folder, text):
    (folder / "ledger.json").write_text(text)
    with pytest.raises(LibraryError, match=r"cannot read .*ledger\.json .*--accept"):
        ledgers(library)


def test_every_folder_has_its_own_ledger(tmp_path):
    root = tmp_path / f"derivations_{uuid.uuid4().hex}"
    root.mkdir()
    (root / "__init__.py").write_text("")
    for paper in ("p", "q"):
        inner = write_folder(root / f"{paper}_2025", BASE.replace('"p.', f'"{paper}.'))
        module = inner / "small.py"
        module.write_text(module.read_text().replace('Paper("p"', f'Paper("{paper}"'))
    library = load(root)
    written = ledgers_in(write(assessed(library)))
    assert written == (root / "p_2025" / "ledger.json", root / "q_2025" / "ledger.json")
    assert set(json.loads((root / "q_2025" / "ledger.json").read_text())) == {"q.base"}
    # A selection touches only the ledgers of its own folders.
    (root / "q_2025" / "ledger.json").unlink()
    assert ledgers_in(write(assessed(library, only=["p.base"]))) == (root / "p_2025" / "ledger.json",)


@settings(max_examples=examples(60), suppress_health_check=SLOW_FIXTURES)
@given(
    before=st.tuples(st.sampled_from(LADDER), st.sampled_from(LADDER)),
    now=st.tuples(st.sampled_from(LADDER), st.sampled_from(LADDER)),
)
def test_without_missing_methods_findings_are_the_falls_and_nothing_else(library, before, now):
    """The oracle is the rule itself, on the two verdicts after weakest link."""
    write(assessed(library, base=judgement(before[0]), top=judgement(before[1])))
    found = compare(assessed(library, base=judgement(now[0]), top=judgement(now[1])))
    old = {"p.base": before[0], "p.top": weakest(before)}
    new = {"p.base": now[0], "p.top": weakest(now)}
    assert {finding.id for finding in found} == {id for id in old if LADDER.index(new[id]) < LADDER.index(old[id])}


@pytest.fixture
def assuming(folder):
    """The same where base is assumed."""
    path = folder.parent / f"derivations_{uuid.uuid4().hex}"
    last = '    yield claim("p.last", "Last", eq(2 * x, x * 2), using=[top])\n'
    top = TOP.replace("yield claim", "top = claim").replace("eq(x, x)", "eq(x, 1 * x)") + "    yield top\n"
    return load(write_folder(path, BASE.replace("eq(x, x))", "eq(x, x), assumed=True)") + top + last))


def test_an_assumption_carries_what_rests_on_it(assuming):
    """Taken for granted: its own fall is a finding, but it fells nothing."""
    write(assessed(assuming))
    assert [text.split(":")[0] for text in messages(assessed(assuming, base=judgement(SUPPORTED)))] == ["p.base"]


def test_what_rests_on_a_refuted_assumption_is_not_decided(assuming):
    """The oracle of an assumption may refute it; then it carries no more than any other refuted claim."""
    write(assessed(assuming))
    refuted = assessed(assuming, base=judgement(REFUTED, "oracle"))
    assert {id: item.verdict for id, item in refuted.judged.items()} == {
        "p.base": REFUTED,
        "p.top": UNDECIDED,
        "p.last": UNDECIDED,
    }
    findings = compare(refuted)
    assert [(finding.id, finding.acceptable) for finding in findings] == [
        ("p.base", False),
        ("p.top", True),
        ("p.last", True),
    ]


def test_assumptions_travel_into_the_ledger(assuming):
    (path,) = ledgers_in(write(assessed(assuming)))
    data = json.loads(path.read_text())
    assert {id: entry.get("assumes") for id, entry in data.items()} == {
        "p.base": None,
        "p.top": ["p.base"],
        "p.last": ["p.base"],
    }
    del data["p.last"]["assumes"]
    path.write_text(json.dumps(data))
    assert messages(assessed(assuming)) == ["p.last: rests on the assumption p.base, of which the ledger does not know"]
    data["p.last"]["assumes"] = ["p.base", "p.gone"]
    path.write_text(json.dumps(data))
    assert messages(assessed(assuming)) == []


def test_the_order_of_evidence_does_not_matter(library):
    pair = (found("smt", DECIDED, "a"), found("smt", SUPPORTED, "b"))
    made = judging_here.judgement(DECIDED, *pair)
    write(assessed(library, base=made))
    first = entries(library)
    write(assessed(library, base=replace(made, evidence=pair[::-1])))
    assert entries(library) == first
