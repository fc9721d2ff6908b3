"""results.json: its schema, its words, what may differ between two runs, and that it is replaced in one step."""

from __future__ import annotations

import json
import os
import uuid
from fractions import Fraction
from importlib import metadata
from pathlib import Path

import jsonschema
import pytest

import grpo_symbolic
from grpo_symbolic import (
    EveryCycle,
    Extremum,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
    attracts,
    both,
    converges,
    decreasing,
    either,
    eq,
    every_iterate,
    for_every,
    gt,
    has_limit,
    iff,
    implies,
    in_the_limit,
    instance,
    limit_superior,
    local_maximum,
    ne,
    never,
    rational,
    real,
    rises_to_a_limit,
    some_zero,
    tends_to,
    unknown_function,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.results import DISTRIBUTIONS, kind_of, results, write, write_json
from grpo_symbolic.language.statement import Statement

SCHEMA = json.loads(
    (Path(grpo_symbolic.__file__).parent / "judging" / "results.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SETTINGS = Settings(digits=20, points=20)

MODULE = r'''
"""A product, written out."""
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, increasing, lt, real
paper = Paper("p", "A. Author", "A title", "v1", copy="a scanned copy")
x = real("x", "(0, 1)", "a probability")
beta = real("beta", "(0, oo)", "a weight", latex=r"\beta")
def build():
    chain = derive(x * (1 - x), "definition").eq(x - x**2, "expand")
    product = claim("p.product", "The product", derivation=chain, equation="Eq. (1)")
    yield product
    yield claim("p.less", "It is less than x", lt(x * (1 - x), x), using=[product],
        printed=paper.quote("Eq. (2)", "x(1-x)=x", eq(x * (1 - x), x), notation="it has no value", instead="$x-x^2$",
            compare_with_pdf=True))
    yield claim("p.true-quote", "Quoted rightly", gt(x, 0), printed=paper.quote("Eq. (3)", "x>0", gt(x, 0)))
    rising = claim("p.rising", "Rising", increasing(x / (x + beta), x), given=[gt(beta, x)], assumed=True)
    yield rising
    yield claim("p.false", "Wrong: é", gt(x, beta), refuted="a weight may be large")
    smaller = (x / 2) / (x / 2 + beta)
    grown = derive(x / (x + beta), "start", given=[gt(beta, x)]).gt(
        smaller, "it rises", using=[rising.between(x / 2, x)]
    )
    above = claim("p.above", "Rests on what is assumed", derivation=grown)
    yield above
    yield claim("p.twice", "Rests on it twice removed", gt(2 * x / (x + beta), smaller), given=[gt(beta, x)],
        using=[above])
result = Result("A product", paper, build)
'''


@pytest.fixture(scope="module")
def assessment(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(MODULE, encoding="utf-8")
    return assess(load(path), SETTINGS, jobs=1)


@pytest.fixture
def claims(assessment):
    return {claim["id"]: claim for claim in results(assessment)["claims"]}


def test_the_schema_is_one_and_describes_everything():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def look(node, path):
        if isinstance(node, dict):
            if node.get("type") == "object" and "properties" in node:
                assert node["additionalProperties"] is False, path
                for name, value in node["properties"].items():
                    assert "description" in value or "$ref" in value, f"{path}.{name}"
            for name, value in node.items():
                look(value, f"{path}.{name}")

    look(SCHEMA, "schema")


def test_a_real_assessment_is_valid(assessment):
    VALIDATOR.validate(json.loads(json.dumps(results(assessment))))


@pytest.mark.parametrize("name", ["verdict", "alone", "erratum", "printed", "since", "evidence", "kind"])
def test_the_schema_refuses_a_claim_that_lacks_a_key_or_has_another(assessment, name):
    data = results(assessment)
    kept = data["claims"][0].pop(name)
    assert not VALIDATOR.is_valid(data)
    data["claims"][0] |= {name: kept, "surplus": 1}
    assert not VALIDATOR.is_valid(data)


def test_versions_are_those_of_the_distributions(assessment):
    found = results(assessment)["versions"]
    assert found["grpo_symbolic"] == grpo_symbolic.__version__
    for name in DISTRIBUTIONS:
        try:
            assert found[name] == metadata.version(name)
        except metadata.PackageNotFoundError:
            assert found[name] is None


def test_claims_stand_in_reading_order_after_their_steps(assessment):
    assert [claim["id"] for claim in results(assessment)["claims"]] == [
        "p.product.step-1", "p.product", "p.less", "p.true-quote", "p.rising", "p.false",
        "p.above.step-1", "p.above", "p.twice",
    ]  # fmt: skip


def test_verdicts_and_grounds_are_carried_over(assessment, claims):
    for id, judged in assessment.judged.items():
        assert claims[id]["verdict"] == judged.verdict.value
        assert claims[id]["alone"] == judged.alone.verdict.value
        assert claims[id]["since"] == list(judged.since)
        assert [item["method"] for item in claims[id]["evidence"]] == [item.method for item in judged.alone.evidence]
    assert claims["p.less"]["since"] == ["p.product"]
    assert [id for id, claim in claims.items() if claim["assumed"]] == ["p.rising"]
    assert {id: claim["refuted"] for id, claim in claims.items() if claim["refuted"]} == {
        "p.false": "a weight may be large"
    }


def test_assumptions_are_told_of_everything_that_rests_on_them(assessment, claims):
    assert {id for id, claim in claims.items() if claim["assumes"]} == {"p.above.step-1", "p.above", "p.twice"}
    assert claims["p.twice"]["assumes"] == ["p.rising"]
    assert assessment.judged["p.twice"].claim.assumes == ("p.rising",)


def test_an_erratum_exists_exactly_where_the_quote_is_refuted(claims):
    assert {id for id, claim in claims.items() if claim["erratum"]} == {"p.less"}
    assert {id for id, claim in claims.items() if claim["printed"]} == {"p.less", "p.true-quote"}
    erratum = claims["p.less"]["erratum"]
    point = Fraction(erratum["counterexample"]["at"]["x"])
    left, right = (Fraction(erratum["counterexample"][side]) for side in ("left", "right"))
    assert (left, right) == (point * (1 - point), point)
    assert left != right
    assert erratum["compare_with_pdf"] is True
    assert (erratum["severity"], erratum["instead"]) == ("notation", "$x-x^2$")


def test_a_refuted_claim_shows_a_witness_and_no_erratum(claims):
    wrong = claims["p.false"]
    assert (wrong["verdict"], wrong["erratum"]) == ("REFUTED", None)
    witness = next(item["witness"] for item in wrong["evidence"] if item["witness"])
    assert Fraction(witness["at"]["x"]) <= Fraction(witness["at"]["beta"])


def test_numeric_evidence_has_its_figures_and_others_have_none(claims):
    measures = {"digits", "points", "worst_residual", "smallest_gap", "worst_at"}
    for claim in claims.values():
        for item in claim["evidence"]:
            if item["method"] != "numeric":
                assert not measures & set(item)
    numeric = next(item for item in claims["p.product"]["evidence"] if item["method"] == "numeric")
    assert (numeric["digits"], numeric["points"]) == (20, SETTINGS.first_points)
    assert "worst_residual" in numeric


@pytest.mark.slow
def test_two_runs_differ_only_in_times(assessment):
    again = assess(assessment.library, SETTINGS, jobs=2)
    first, second = results(assessment), results(again)
    assert set(first.pop("times")["claims"]) == set(second.pop("times")["claims"]) == set(assessment.judged)
    assert first == second


x = real("x", "(0, 1)", "a probability")
any_map = unknown_function("f", x, "a map")
n = whole("n", "[0, oo)", "a number")
sequence = unknown_function("s", n, "a sequence")
t = real("t", "(0, 1)", "its share", indexed=True, latex="t({index})")


KINDS = [
    (eq(x, x), "identity"),
    (ne(x, 0), "inequality"),
    (gt(x, 0), "inequality"),
    (both(gt(x, 0), gt(1, x)), "combination"),
    (either(gt(x, 0), gt(1, x)), "combination"),
    (implies(gt(x, 0), gt(1, x)), "implication"),
    (iff(gt(x, 0), gt(1, x)), "equivalence"),
    (decreasing(-x, x), "monotonicity"),
    (tends_to(x, 0, x, to=0, side="+", constant=1), "limit"),
    (UniqueRoot(x, eq(2 * x, 1), rational(1, 2)), "unique root"),
    (UniqueZero(2 * x - 1, x, rational(1, 4), rational(3, 4), True), "unique zero"),
    (Zeros(2 * x - 1, x, ((rational(1, 4), rational(3, 4)),), True), "zeros"),
    (Extremum(x * (1 - x), x, rational(1, 2), False), "extremum"),
    (Summed(eq(t, x), rational(1), eq(x, x), rational(1)), "sum over outputs"),
    (TermOfTotal(t), "sum over outputs"),
    (local_maximum(x * (1 - x), {x: rational(1, 2)}), "local extremum"),
    (attracts({x: x / 2}, 0), "stability"),
    (converges(x / 2, x, 0), "convergence"),
    (some_zero(x - rational(1, 2), x, rational(1, 4), rational(3, 4), rising=True), "zero"),
    (EveryCycle(x, x, rational(1, 4), rational(1, 2), rational(3, 4)), "cycles"),
    (every_iterate(gt(x, 0), {x: x / 2}, {x: rational(1, 2)}), "induction"),
    (instance(gt(x, 0), {x: rational(1, 2)}), "existence"),
    (never(gt(0, x)), "impossibility"),
    (for_every(x, gt(any_map(x), 0), such_as={any_map: 1}), "hypothesis"),
    (has_limit(sequence(n), n, x), "limit of a sequence"),
    (limit_superior(sequence(n), n, x, by=sequence(n)), "limit of a sequence"),
    (in_the_limit(gt(x, 0), n, because=gt(sequence(n), 0)), "limit of a sequence"),
    (rises_to_a_limit(sequence(n), n, at_most=x), "limit of a sequence"),
]


@pytest.mark.parametrize(("statement", "kind"), KINDS)
def test_every_kind_has_a_word_that_the_schema_knows(statement, kind):
    assert kind_of(statement) == kind
    assert kind in SCHEMA["$defs"]["claim"]["properties"]["kind"]["enum"]


def test_the_list_of_words_is_complete():
    assert {type(statement) for statement, _ in KINDS} == {
        kind for kind in Statement.__subclasses__() if kind.__module__.startswith("grpo_symbolic.language.")
    }


def test_the_file_is_sorted_indented_utf8(assessment, tmp_path):
    path = tmp_path / "deep" / "results.json"
    write(assessment, path)
    text = path.read_bytes().decode("utf-8")
    data = json.loads(text)
    assert text == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert "Wrong: é" in text
    VALIDATOR.validate(data)


@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_a_failing_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, error):
    path = tmp_path / "results.json"
    write_json({"old": True}, path)

    def fail(source, target):
        raise error

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(type(error)):
        write_json({"new": True}, path)
    assert json.loads(path.read_text()) == {"old": True}
    assert os.listdir(tmp_path) == ["results.json"]
