"""What rests on a wrong printed statement, what goes beyond a paper, and that neither can be noted wrongly."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from judging_here import found, judgement

from grpo_symbolic import claim, eq, gt, lt, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.coverage.rows import Annotation, Coverage
from grpo_symbolic.coverage.score import Covered
from grpo_symbolic.derivation.library import load
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import DeclarationError, LibraryError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.dependants import Fate, blast_radius
from grpo_symbolic.judging.ledger import entries
from grpo_symbolic.judging.results import results
from grpo_symbolic.report.findings import findings_view
from grpo_symbolic.report.glance import glance
from grpo_symbolic.report.links import Links

MODULE = r'''
"""A chain of printed statements of which the first is wrong."""
from grpo_symbolic import Paper, Result, claim, eq, ge, gt, le, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
SLIP = {"instead": "$x - x^2$"}
def build():
    wrong = eq(x * (1 - x), x)
    product = claim("p.product", "The product", eq(x * (1 - x), x - x**2),
        printed=paper.quote("Eq. (1)", "x(1-x)=x", wrong, **SLIP, missing=[gt(x, 1)]))
    yield product
    yield claim("p.uses", "Uses it", lt(x - x**2, 1), using=[product],
        printed=paper.quote("Eq. (2)", "x(1-x)<1", lt(x * (1 - x), 1)))
    yield claim("p.assumes", "Printed under it", gt(x, 0), paper_uses=["product"],
        printed=paper.quote("Eq. (3)", "x^2=0", eq(x**2, 0), given=(wrong,)))
    yield claim("p.false", "Wrong as well", lt(x**2, x), paper_uses=["product"], equation="Eq. (4)",
        printed=paper.quote("Eq. (4)", "x^2>x", gt(x**2, x), **SLIP))
    yield claim("p.after-false", "Rests on a wrong one", ge(x, x), paper_uses=["false"], equation="Eq. (5)",
        beyond="holds with equality")
    yield claim("p.after-uses", "Rests on one that survives", le(x, x), paper_uses=["uses"], equation="Eq. (6)")
    yield claim("p.ours", "Not in the paper", gt(2 * x, x), using=[product], beyond="has no place in the paper")
    yield claim("p.open", "Nobody knows", gt(x, x**2), paper_uses=["product"], equation="Theorem 7",
        beyond="says more at a theorem")
result = Result("A chain", paper, build)
'''

x = real("x", "(0, 1)", "a probability")


def library_of(folder: Path, module: str = MODULE):
    path = folder / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "chain_of_lines.py").write_text(module, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def assessment(tmp_path_factory):
    return assess(library_of(tmp_path_factory.mktemp("dependants")), Settings(digits=20, points=20), jobs=1)


def test_what_is_decided_survives_and_what_falls_is_followed(assessment):
    found = {item.id: item.outcome for item in blast_radius("p.product", assessment.judged)}
    assert found == {
        "p.uses": Fate.SURVIVES,
        "p.assumes": Fate.FALLS,
        "p.false": Fate.FALLS,
        "p.open": Fate.CORRECTED,
        "p.after-false": Fate.CORRECTED,
    }


def test_a_statement_that_is_not_settled_is_open(assessment):
    unsettled = assessment.judged["p.open"]
    judged = assessment.judged | {"p.open": replace(unsettled, verdict=Verdict.UNDECIDED, printed=None)}
    assert {item.id: item.outcome for item in blast_radius("p.product", judged)}["p.open"] is Fate.OPEN


def test_the_places_are_those_of_the_paper(assessment):
    places = {item.id: item.place for item in blast_radius("p.product", assessment.judged)}
    assert places["p.uses"] == "Eq. (2)"
    assert places["p.open"] == "Theorem 7"


def test_the_data_tell_it_too(assessment):
    claims = {item["id"]: item for item in results(assessment)["claims"]}
    radius = claims["p.product"]["erratum"]["blast_radius"]
    assert {"id": "p.uses", "where": "Eq. (2)", "outcome": "survives"} in radius
    assert claims["p.false"]["paper_uses"] == ["p.product"]
    assert claims["p.ours"]["beyond"] == "has no place in the paper"
    assert claims["p.uses"]["beyond"] is None
    assert claims["p.product"]["erratum"]["isolated"] is False


def test_main_findings_are_the_gravest_errata_then_the_most_prominent_places(assessment):
    (result,) = assessment.library.results
    links = Links(frozenset(made.id for made in result.claims))
    view = findings_view(result.paper, [(result, result.claims)], assessment.judged, links)
    assert [finding.label.rpartition(".")[2] for finding in view.main] == [
        "false", "product", "open", "after-false", "ours",
    ]  # fmt: skip
    assert [finding.label.rpartition(".")[2] for finding in view.beyond[0].findings] == ["after-false", "ours", "open"]


@pytest.mark.parametrize("other", ["nothing", "after-uses"])
def test_an_argument_must_use_another_claim(tmp_path, other):
    with pytest.raises(LibraryError, match=rf"paper_uses of p\.after-uses names p\.{other}, no other claim"):
        library_of(tmp_path, MODULE.replace('paper_uses=["uses"]', f'paper_uses=["{other}"]'))


def test_an_erratum_from_which_the_paper_concludes_nothing_has_no_dependants(tmp_path):
    isolated = '"instead": "$x - x^2$", "isolated": True}'
    with pytest.raises(LibraryError, match=r"names p\.product, from which the paper is said to conclude nothing"):
        library_of(tmp_path, MODULE.replace('"instead": "$x - x^2$"}', isolated))
    with pytest.raises(DeclarationError, match="isolated is about what fails"):
        Paper("p", "A. Author", "A title", "v1").quote("Eq. (1)", "x>0", gt(x, 0), isolated=True)


def test_every_erratum_of_the_papers_names_what_rests_on_it_or_says_that_nothing_does(library):
    claims = library.claims.values()
    used = {lemma.claim.id for made in claims for item in (made, *made.steps) for lemma in item.using}
    used |= {id for made in claims for id in made.paper_uses}
    quotes = {made.id: made.printed for made in claims if made.printed is not None}
    errata = {id: quote for id, quote in quotes.items() if quote.expected_to_fail and not quote.another_reading}
    assert [id for id, quote in errata.items() if quote.isolated == (id in used)] == []


def test_beyond_is_refused_where_nothing_goes_beyond():
    paper = Paper("p", "A. Author", "A title", "v1")
    quote = paper.quote("Eq. (1)", "x>0", gt(x, 0))
    with pytest.raises(DeclarationError, match="says what is printed"):
        claim("p.same", "The same", gt(x, 0), printed=quote, beyond="nothing")
    with pytest.raises(DeclarationError, match="say in which way"):
        claim("p.blank", "Blank", gt(x, 0), beyond=" ")
    with pytest.raises(DeclarationError, match="is assumed"):
        claim("p.assumed", "Assumed", eq(x, x), beyond="more", assumed=True)
    assert claim("p.stronger", "Stronger", lt(x, 1), printed=quote, beyond="more").beyond == "more"


def test_the_first_page_names_what_falls_and_errata_of_other_lines(assessment):
    """Every line is tied to a claim that stands: the errata are those of the paper, wherever their claims are tied."""
    numbers = [f"({number})" for number in range(1, 7)]
    entries = tuple(
        Annotation("1", number, "display", name, "", True, "says", "identity", ("p.ours",))
        for number, name in enumerate(numbers, start=1)
    )
    lines = Covered(
        Coverage(Paper("p", "A. Author", "A title", "v1"), "2025-01-01", entries), ("DECIDED",) * 6, (None,) * 6
    )
    found = glance(lines, assessment.judged)
    assert found.wrong == "Equations 1, 4"
    assert found.falling == "Equation 3"
    assert found.fine == "Equations 2, 5, 6"


NOISY = r'''
"""A variance that holds without noise, and what is concluded from it."""
from grpo_symbolic import Paper, Result, claim, eq, ge, gt, le, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
v = real("v", "[0, oo)", "noise")
def build():
    yield claim("p.variance", "The variance", eq(x - x**2 + v, x * (1 - x) + v),
        printed=paper.quote("Eq. (1)", "x(1-x)", eq(x - x**2 + v, x * (1 - x)), missing=[eq(v, 0)],
            instead="without noise"))
    yield claim("p.quiet", "Decided without noise", le(x * (1 - x), x), paper_uses=["variance"], equation="Eq. (2)",
        printed=paper.quote("Eq. (2)", "x(1-x)", le(x * (1 - x), x)))
    yield claim("p.after", "Concluded from it", lt(x**2, x), paper_uses=["quiet"], equation="Eq. (3)")
    yield claim("p.noisy", "Decided with noise", ge(x + v, x), paper_uses=["variance"], equation="Eq. (4)",
        printed=paper.quote("Eq. (4)", "x+v", ge(x + v, x)))
    yield claim("p.beyond", "Rests on one that survives", gt(x, x**2), paper_uses=["noisy"], equation="Eq. (5)")
result = Result("Noise", paper, build)
'''


def test_what_is_decided_under_the_missing_hypothesis_only_does_not_survive(tmp_path):
    judged = assess(library_of(tmp_path, NOISY), Settings(digits=20, points=20), jobs=1).judged
    assert {item.id: item.outcome for item in blast_radius("p.variance", judged)} == {
        "p.quiet": Fate.RESTRICTED,
        "p.after": Fate.RESTRICTED,
        "p.noisy": Fate.SURVIVES,
    }


def test_a_missing_hypothesis_speaks_of_the_quote():
    other = real("y", "(0, 1)", "a probability")
    with pytest.raises(DeclarationError, match="missing names y, of which neither the quote nor its hypotheses speak"):
        Paper("p", "A. Author", "A title", "v1").quote("Eq. (1)", "x>0", gt(x, 0), instead="x", missing=[gt(other, 0)])


def test_the_conclusions_from_the_variance_are_for_deterministic_rewards(library):
    """Equations (18), (19), (15) and its bound are false with random rewards, which the paper allows."""
    fine, wrong = (judgement(verdict, found("exact", verdict)) for verdict in (Verdict.DECIDED, Verdict.REFUTED))
    recorded = entries(library)
    judged = {}
    for id, made in library.claims.items():
        printed = None if made.printed is None else wrong if recorded[id].printed is Verdict.REFUTED else fine
        judged[id] = Judged(made, (), fine, printed, Verdict.DECIDED)
    radius = blast_radius("vojnovic_yun_2025.random-rewards.variance", judged)
    assert [item.id for item in radius if item.outcome in (Fate.SURVIVES, Fate.CORRECTED)] == []
    ids = {item.id.removeprefix("vojnovic_yun_2025.") for item in radius}
    assert {"eq18", "eq19", "eq15", "eq15.lower-bound"} <= ids


def test_the_algorithm_uses_equation_3(library):
    """Line 8 of Algorithm 1 computes the advantage by Equation (3), which is wrong as printed."""
    at_line = [made for made in library.claims.values() if (made.equation or "").startswith("Algorithm 1, line 8")]
    assert at_line
    assert [made.id for made in at_line if "mroueh_2025.eq3" not in made.paper_uses] == []
