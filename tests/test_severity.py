"""How much an error matters follows from facts, by a rule, and is not chosen."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from judging_here import found, judgement

from grpo_symbolic import Paper, claim, eq, gt, lt, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.dependants import Fate, blast_radius
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.ledger import compare, entries
from grpo_symbolic.judging.severity import Role, Severity, role_of, severity, severity_of
from grpo_symbolic.language.statement import is_elementary

CONCLUSION, HYPOTHESIS, SLIP, NOTATION = Severity

x = real("x", "(0, oo)", "a number")
PAPER = Paper("p", "A. Author", "A title", "v1", copy="a scanned copy")
MEANINGLESS = {"notation": "it is no number"}
LACKS = {"missing": [gt(x, 1)]}
GLYPHS = {"compare_with_pdf": True}


def quote(where, **more):
    return PAPER.quote(where, "x > 1", gt(x, 1), instead="otherwise", **more)


@pytest.mark.parametrize(
    ("where", "facts", "fallen", "expected", "because"),
    [
        ("Appendix A, proof of Theorem 1", {}, [], SLIP, "no conclusion that is known to rest on it falls"),
        ("Section 2", {}, [], SLIP, "no conclusion"),
        ("Section 2", {}, ["Theorem 1", "Theorem 1"], CONCLUSION, "with it falls what is said at Theorem 1"),
        ("Section 2", LACKS, ["Theorem 1"], HYPOTHESIS, "it holds under what the paper does not state: x > 1"),
        ("Section 2", MEANINGLESS, ["Theorem 1"], NOTATION, "as printed it means nothing: it is no number"),
        ("Section 2", GLYPHS, ["Theorem 1"], SLIP, "a few glyphs"),
        ("Section 2", GLYPHS | MEANINGLESS, [], NOTATION, "means nothing: it is no number"),
        ("Theorem 1", {}, [], CONCLUSION, "a numbered equation of the main text, or a numbered theorem"),
        ("Section 2.2, Eq. (3)", {}, [], CONCLUSION, "a numbered equation"),
        ("Section 2.2, Eq. (3)", GLYPHS, [], SLIP, "a few glyphs"),
        ("Theorem 1", LACKS, [], HYPOTHESIS, "what the paper does not state"),
        ("Theorem 1", MEANINGLESS, [], NOTATION, "means nothing"),
        ("Abstract", {}, [], CONCLUSION, "an abstract or a caption"),
        ("Figure 3, caption", LACKS, [], CONCLUSION, "an abstract or a caption"),
        ("Caption of Figure 2", MEANINGLESS, [], CONCLUSION, "an abstract or a caption"),
        ("Abstract", GLYPHS, [], SLIP, "a few glyphs"),
    ],
)
def test_the_rule_by_cases(where, facts, fallen, expected, because):
    matters = severity(quote(where, **facts), fallen)
    assert matters.severity is expected
    assert because in matters.in_words


@pytest.mark.parametrize(
    ("place", "role"),
    [
        ("Abstract", Role.MESSAGE),
        ("Figure 3, caption", Role.MESSAGE),
        ("Abstraction of the caption's figure", Role.MESSAGE),
        ("Abstraction", Role.LINE),
        ("Eq. (14)", Role.RESULT),
        ("Eqs. (3), (4)", Role.RESULT),
        ("Section 1.3 (definition of a stationary policy) with Eq. (14)", Role.RESULT),
        ("Section 1, after Eq. (1), with PPO's clipping function", Role.LINE),
        ("Section 4, on Theorem 3", Role.LINE),
        ("Theorem 2, Eq. (8)", Role.RESULT),
        ("Lemma 3 (1)", Role.RESULT),
        ("Appendix B, proof of Lemma 3 (1)", Role.LINE),
        ("Appendix B.1, Eq. (18)", Role.LINE),
        ("Remark 1", Role.LINE),
    ],
)
def test_what_a_statement_is_to_its_paper(place, role):
    assert role_of(place) is role


def test_the_order_is_that_of_the_first_page():
    assert [item.value for item in sorted(Severity, key=lambda item: item.rank)] == [
        "changes a conclusion",
        "missing hypothesis",
        "slip in an intermediate line",
        "notation",
    ]


@pytest.mark.parametrize(
    ("facts", "match"),
    [
        ({"another_reading": True, **LACKS}, "another_reading and missing contradict each other"),
        ({"another_reading": True, **MEANINGLESS}, "another_reading and notation contradict"),
        ({"another_reading": True, "isolated": True}, "another_reading and isolated contradict"),
        ({**LACKS, **MEANINGLESS}, "missing and notation contradict"),
        ({**LACKS, **GLYPHS}, "missing and compare_with_pdf contradict"),
        ({"notation": " "}, "say with notation=... why what is printed means nothing"),
    ],
)
def test_facts_that_contradict_each_other(facts, match):
    with pytest.raises(DeclarationError, match=rf"quote of Section 2: {match}"):
        quote("Section 2", **facts)


@pytest.mark.parametrize("facts", [{"another_reading": True}, LACKS, MEANINGLESS, {"isolated": True}])
def test_what_is_said_of_an_error_needs_what_holds_instead(facts):
    with pytest.raises(DeclarationError, match=r"is about what fails; say with instead=\.\.\. what holds"):
        PAPER.quote("Section 2", "x > 1", gt(x, 1), **facts)


def judged_as(quote_, *, verdict=Verdict.DECIDED, id="p.claim", equation=None, paper_uses=()):
    """A claim that is decided, with a quote that is refuted."""
    made = claim(id, "Title", lt(x, x + 1), printed=quote_, equation=equation, paper_uses=paper_uses)
    fine, wrong = (judgement(item, found("exact", item)) for item in (Verdict.DECIDED, Verdict.REFUTED))
    return Judged(made, (), fine, wrong, verdict)


@pytest.mark.parametrize("where", ["Abstract", "Eq. (1)", "Section 2"])
def test_a_reading_that_is_decided_makes_a_sentence_ambiguous_anywhere(where):
    judged = judged_as(quote(where, another_reading=True))
    assert not is_erratum(judged)
    assert severity_of("p.claim", {"p.claim": judged}) is None


def test_a_reading_that_is_not_decided_leaves_an_erratum_of_its_place():
    judged = judged_as(quote("Abstract", another_reading=True), verdict=Verdict.SUPPORTED)
    assert severity_of("p.claim", {"p.claim": judged}).severity is CONCLUSION


@pytest.mark.parametrize(
    ("where", "facts", "expected"),
    [
        ("Theorem 1", {}, CONCLUSION),
        ("Figure 1, caption", {}, CONCLUSION),
        ("Appendix A, proof of Theorem 1", {}, SLIP),
        ("Theorem 1", GLYPHS, SLIP),
        ("Theorem 1", MEANINGLESS, SLIP),
        ("Theorem 1", LACKS, CONCLUSION),
    ],
)
def test_a_line_changes_a_conclusion_if_one_falls_that_is_not_only_misprinted(where, facts, expected):
    line = judged_as(quote("Section 2"))
    after = judged_as(quote(where, **facts), id="p.after", paper_uses=["claim"])
    assert severity_of("p.claim", {"p.claim": line, "p.after": after}).severity is expected


@pytest.fixture(scope="module")
def papers(library):
    """Both papers with the verdicts of their ledgers, which another test compares with what the checks say."""
    recorded = entries(library)
    made = {}
    for id, item in library.claims.items():
        alone, printed = recorded[id].verdict, recorded[id].printed
        as_printed = None if printed is None else judgement(printed, found("exact", printed))
        made[id] = Judged(item, (), judgement(alone, found("exact", alone)), as_printed, alone)
    return made


@pytest.fixture(scope="module")
def errata(papers):
    return {id: item.claim.printed for id, item in papers.items() if is_erratum(item)}


#: What falls with an error, as a reader of the papers sees it: the display that is used is wrong in the same cases.
FALLS_WITH = {
    "penalty.bias": {"weighted-penalty"},
    "random-rewards.variance": {"eq18"},
    "eq11": {"eq11.pooling", "eq12", "eq13"},
    "eq6": {"eq11", "eq11.pooling", "eq12", "eq13"},
}


def test_what_takes_a_wrong_display_for_granted_falls_with_it(errata, papers):
    """A display that is stated otherwise must be stated otherwise where the paper goes on from it."""
    falling = {id: {one.id for one in blast_radius(id, papers) if one.outcome is Fate.FALLS} for id in errata}
    name = "vojnovic_yun_2025.{}".format
    expected = {name(id): set(map(name, others)) for id, others in FALLS_WITH.items()}
    assert {id: others for id, others in falling.items() if others} == expected


EXPECTED = {
    CONCLUSION: {"mroueh_2025.condition.caption"}
    | {f"vojnovic_yun_2025.{name}.local-minimum" for name in ("eq14", "eq15")},
    HYPOTHESIS: {
        f"vojnovic_yun_2025.{name}"
        for name in (
            "penalty.bias",
            "weighted-penalty",
            "eq11",
            "eq6",
            "eq14.lower-bound.at-zero",
            "eq15.lower-bound.at-zero",
            "random-rewards.variance",
            "random-rewards.slope",
            "random-rewards.less-biased",
        )
    },
    SLIP: {f"vojnovic_yun_2025.{name}" for name in ("clip", "eq16.antisymmetric", "eq18")}
    | {
        f"mroueh_2025.{name}"
        for name in (
            "clip.range",
            "eq3",
            "h-at-one",
            "lemma-3.1.product",
            "lemma-3.1.cosh",
            "lemma-4.cosh",
            "lemma-2",
            "f-prime.interval",
            "f-at-zero",
        )
    },
    NOTATION: {
        f"vojnovic_yun_2025.{name}"
        for name in (
            "eq15.lower-bound.compared",
            "direct-kl.sign",
            "direct-kl.h-at-0",
            "direct-kl.h-at-1",
            "direct-kl.zeros.none",
        )
    }
    | {
        f"mroueh_2025.{name}"
        for name in ("clip.constant-failure", "eq9", "a-and-b.positive", "total-variation", "theorem-5.no-limit")
    },
}


def test_every_erratum_of_both_papers(papers, errata):
    assert {kind: {id for id in errata if severity_of(id, papers).severity is kind} for kind in Severity} == EXPECTED


def moved(papers, id, where):
    """The papers with the erratum of a claim at another place."""
    item = papers[id]
    return {**papers, id: replace(item, claim=replace(item.claim, printed=replace(item.claim.printed, where=where)))}


@pytest.mark.parametrize("where", ["Abstract", "Figure 9, caption"])
def test_every_erratum_would_change_the_message_of_an_abstract_or_a_caption(papers, errata, where):
    """Unless the copy may have lost what is missing."""
    for id, printed in errata.items():
        found_there = severity_of(id, moved(papers, id, where)).severity
        assert (found_there is CONCLUSION) != printed.compare_with_pdf, id


def test_what_the_caption_says_would_be_a_slip_in_a_proof(papers):
    elsewhere = moved(papers, "mroueh_2025.condition.caption", "Appendix B, proof of Theorem 3")
    assert severity_of("mroueh_2025.condition.caption", elsewhere).severity is SLIP


def test_what_the_abstract_says_would_change_a_conclusion_without_the_other_reading(papers):
    (id,) = [
        id for id, item in papers.items() if item.claim.printed is not None and item.claim.printed.where == "Abstract"
        and item.printed.verdict is Verdict.REFUTED
    ]  # fmt: skip
    assert severity_of(id, papers) is None
    undecided = {**papers, id: replace(papers[id], verdict=Verdict.UNDECIDED)}
    assert severity_of(id, undecided).severity is CONCLUSION


#: Quotes about the case that the missing hypothesis excludes, and the claim that decides all others.
EXCLUDED = {
    "vojnovic_yun_2025.eq14.lower-bound.at-zero": "vojnovic_yun_2025.eq14.lower-bound",
    "vojnovic_yun_2025.eq15.lower-bound.at-zero": "vojnovic_yun_2025.eq15.lower-bound",
    "vojnovic_yun_2025.random-rewards.less-biased": "vojnovic_yun_2025.eq15.more-biased",
}


@pytest.mark.slow
def test_what_lacks_a_hypothesis_is_decided_with_it(papers, errata):
    """With the claim in its place as a lemma, if that stands under what the paper states there."""
    for id, printed in errata.items():
        if not printed.missing:
            continue
        made = papers[id].claim
        usable = is_elementary(made.statement) and set(made.given) <= set(printed.hypotheses)
        lemmas = (made.statement,) if usable else ()
        given = (*printed.hypotheses, *printed.missing)
        outcome = judge_statement(printed.statement, given, Settings(), id, lemmas=lemmas)
        if id in EXCLUDED:
            assert any(item.note == "0 > 0 never holds" for item in outcome.evidence), id
            assert papers[EXCLUDED[id]].verdict in STANDING
        else:
            assert outcome.verdict in STANDING, id


MODULE = r'''
"""A bound that fails everywhere below 2."""
from grpo_symbolic import Paper, Result, claim, gt, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a number")
def build():
    yield claim("p.bound", "The bound", lt(x, 2),
        printed=paper.quote("Eq. (1)", "x > 2", gt(x, 2), instead="$x < 2$", missing=[gt(x, 0)]))
result = Result("A bound", paper, build)
'''


def test_a_hypothesis_under_which_it_fails_as_well_is_not_what_is_missing(tmp_path):
    path = tmp_path / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(MODULE, encoding="utf-8")
    (problem,) = compare(assess(load(path), Settings(digits=20, points=20), jobs=1))
    assert "fails under the hypothesis that is said to be missing as well" in problem.message
    assert not problem.acceptable
    assert problem.witness is not None


def test_a_missing_hypothesis_is_about_what_the_quote_is_about():
    y = real("y", "(0, oo)", "another number")
    with pytest.raises(DeclarationError, match="missing names y, of which neither"):
        quote("Section 2", missing=[eq(y, 1)])
