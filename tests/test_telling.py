"""Why a claim holds is the proof that the kernel accepted: all of it is told, rule by rule, and nothing else."""

from __future__ import annotations

import copy
import json

import pytest

from grpo_symbolic import (
    Extremum,
    IndexSet,
    Total,
    absolute,
    both,
    claim,
    derive,
    either,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    le,
    log,
    lt,
    maximum,
    rational,
    real,
    sqrt,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.records import record_of
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.judge import KeptOrFound, judge_claim
from grpo_symbolic.judging.judges import beside_of
from grpo_symbolic.judging.why import (
    Standing,
    Why,
    is_step,
    put_together,
    reasons_by_rule,
    restored,
    why,
    written,
)
from grpo_symbolic.kernel import rules
from grpo_symbolic.kernel.terms import RELATIONS, read_terms
from grpo_symbolic.kernel.verify import verify
from grpo_symbolic.proofs import telling
from grpo_symbolic.proofs.claims import prove
from grpo_symbolic.proofs.keeping import kept
from grpo_symbolic.proofs.telling import Told, told
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.reasons import why_counts, why_lines

p, q = (real(name, "(0, 1)", "a probability") for name in "pq")
x, y, z = (real(name, "(-oo, oo)", "a number") for name in "xyz")
u, v = (real(name, "(0, oo)", "a positive number") for name in "uv")
part = real("t", "[0, 1]", "a number from 0 to 1")

NO_LINKS = Links(frozenset())
SETTINGS = Settings(points=4)


def document(made):
    found = prove(made, SETTINGS)
    assert found.proof is not None, found.resisted
    whole_document = {"record": found.record, "proof": found.proof}
    verify(whole_document)
    return whole_document


def words(statement, *given, using=()):
    """The one thing that is told of a statement."""
    made = claim("t.so", "So", statement, given=given, using=using)
    (one,) = told(made, document(made))
    return one.words


def explained(made):
    prover = KeptOrFound(SETTINGS, None)
    judgement, _ = judge_claim(made, SETTINGS, prover=prover)
    return why(made, judgement, prover.document)


def test_no_rule_is_without_words():
    assert set(telling.RULES) == set(rules._RULES)


@pytest.mark.parametrize(
    ("statement", "given", "expected"),
    [
        pytest.param(eq((x + y) ** 2 - (x - y) ** 2, 4 * x * y), (), "both sides multiply out to the same", id="same"),
        pytest.param(
            eq(log(u * v), log(u) + log(v)),
            (),
            r"both sides multiply out to the same, with $\log(u v) = \log v + \log u$",
            id="a law",
        ),
        pytest.param(gt(p, p**2), (), "left side minus right side is $p(1 - p)$", id="sum"),
        pytest.param(ge(x**2 + y**2, 2 * x * y), (), "left side minus right side is $(x - y)^{2}$", id="a square"),
        pytest.param(lt(p, 2), (), "$p$ is below $1$", id="range"),
        pytest.param(gt(x, y), (lt(u * y, u * x),), "rearranged, it is the hypothesis $u y < u x$", id="a hypothesis"),
        pytest.param(gt(u * x, u * y - v), (gt(x, y),), "where $x > y$ by hypothesis", id="a sign by hypothesis"),
        pytest.param(eq(x**2, 4 * y**2), (eq(x, 2 * y),), "with $x = 2y$: both sides", id="put"),
        pytest.param(le(log(u), u - 1), (), r"$\log u \leq u - 1$", id="tangent"),
        pytest.param(gt(log(u + v), log(u)), (), "the logarithm rises", id="rising"),
        pytest.param(ge(absolute(x), x), (), r"if $x \geq 0$, ", id="cases"),
        pytest.param(lt(part * exp(-part), rational(2, 5)), (), "of $t$: up to $", id="along"),
    ],
)
def test_what_is_told(statement, given, expected):
    assert expected in words(statement, *given)


def test_sums_are_told_as_sums_and_not_by_the_names_that_proofs_give_them():
    arms, tasks = IndexSet("arm", "arms", "i"), IndexSet("task", "tasks", "t")
    share = real("share", "(0, 1)", "a share of a task", latex=r"\rho({index})", indexed=tasks)
    gain = real("gain", "[0, oo)", "a gain by an arm in a task", latex="g({index},{second})", indexed=(arms, tasks))
    made = claim("t.sum", "A sum", ge(2 * share * Total(gain, arms), share * Total(gain, arms)))
    (one,) = told(made, document(made))
    assert "total" not in one.words + one.goal
    assert r"\sum_{i'} g(i',t)" in one.goal
    assert r"\rho(t) \sum_{i'} g(i',t)" in one.words or r"\sum_{i'} g(i',t)" in one.words


def test_powers_are_told_as_powers_where_they_are_stated_so():
    n = whole("n", "[0, oo)", "a number of steps")
    stated = words(gt(3 * u * p**n, 3 * v), gt(u * p**n, v))
    typed = words(gt(3 * u * exp(n * log(p)), 3 * v), gt(u * exp(n * log(p)), v))
    assert ("p^{n}" in stated, "log" in stated) == (True, False)
    assert r"e^{n \log p}" in typed


# Who says a fact.


def test_a_lemma_is_named_by_its_claim():
    bound, other = gt(exp(u) - u**2 / 2 - u - 1, 0), gt(v, 1)
    outright = claim("t.outright", "The bound", bound)
    branch = claim("t.branch", "One of two", either(bound, lt(bound.left, -1)))
    implied = claim("t.implied", "Under a premise", implies(other, bound))
    both_ways = claim("t.ways", "Both ways", iff(other, bound))
    assert words(bound, using=[outright]) == "it is what `t.outright` says"
    assert "`t.outright`" in words(gt(v * bound.left, 0), using=[outright])
    assert "`t.branch`" in words(bound, gt(bound.left, -1), using=[branch])
    for lemma in (implied, both_ways):
        assert f"`{lemma.id}`" in words(bound, other, using=[lemma])
    assert words(gt(2 * bound.left, 0), bound, using=[implied]).startswith("rearranged, it is the hypothesis $")


def test_a_lemma_at_other_values_is_named_and_linked():
    positive = claim("t.positive", "It is positive", gt(exp(x) - x, 0))
    made = claim("t.uses", "So it is elsewhere", gt(exp(y) - y, 0), using=[positive.at({x: y})])
    (line,) = why_lines(explained(made), Links(frozenset({"t.positive"})))
    assert line == r"It is what \grporef{grpo:t.positive} says."


def test_what_is_supposed_on_the_way_is_no_word_of_a_lemma():
    assert words(implies(gt(x, y), gt(u * x, u * y))) == "rearranged, it is the hypothesis $x > y$"
    assert words(either(le(x, y), gt(u * x, u * y))) == "rearranged, it is the hypothesis $x > y$"
    assert "it is what this case supposes: $x < y$" in words(ge(maximum(x, y), (x + y) / 2))


# All that a proof has is told.

#: Where rules refer to terms that are told.
PLACES = {"fact": (1,), "put": (2, 3), "instead": (1,), "cases": (1,), "have": (1,), "contrary": (1,)}


def changed(proof, others):
    """The proof with one term or coefficient changed."""
    if not isinstance(proof, list):
        return
    if proof[:1] == ["sum"]:
        for number, (coefficient, factors) in enumerate(proof[1]):
            yield replaced(proof, [1, number, 0], "-7" if coefficient != "-7" else "7")
            for place, factor in enumerate(factors):
                yield replaced(proof, [1, number, 1, place, 0], others[factor[0]])
    for at in PLACES.get(proof[0], ()) if proof and isinstance(proof[0], str) else ():
        yield replaced(proof, [at], others[proof[at]])
    for number, inner in enumerate(proof):
        yield from (replaced(proof, [number], one) for one in changed(inner, others))


def replaced(tree, path, value):
    found = copy.deepcopy(tree)
    *before, last = path
    inner = found
    for step in before:
        inner = inner[step]
    inner[last] = value
    return found


def exchanged(document_):
    """For each term another one that may stand in its place."""
    terms = read_terms(document_["proof"]["terms"], read_terms(document_["record"]["terms"]))
    kinds = [one.op in RELATIONS for one in terms]
    return {
        place: next(other for other in (*range(place + 1, len(terms)), *range(place)) if kinds[other] == kinds[place])
        for place in range(len(terms))
        if kinds.count(kinds[place]) > 1
    }


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        pytest.param(gt(u * x, u * y - v), (gt(x, y),), id="fact"),
        pytest.param(ge(u + v, 2 * sqrt(u * v)), (), id="sum"),
        pytest.param(gt(u * x, v * y), (gt(x, y), gt(y, 0), gt(u, v)), id="several facts"),
        pytest.param(eq(x**2, 4 * y**2), (eq(x, 2 * y),), id="put"),
        pytest.param(ge(maximum(x, y), (x + y) / 2), (), id="cases"),
        pytest.param(gt(x, 0), (gt(x + y, 0), le(y, 0)), id="contrary"),
    ],
)
def test_another_proof_is_told_in_other_words(statement, given):
    made = claim("t.so", "So", statement, given=given)
    found = document(made)
    (shown,) = found["proof"]["parts"]
    right, others, tried = told(made, found), exchanged(found), 0
    for number, goal in enumerate(shown["goals"]):
        for mutant in changed(goal, others):
            other = copy.deepcopy(found)
            other["proof"]["parts"][0]["goals"][number] = mutant
            tried += 1
            try:
                wrong = told(made, other)
            except Exception:
                continue
            if wrong == right:
                # Whichever of two facts says it, it is by hypothesis.
                verify(other)
    assert tried


@pytest.mark.slow
def test_every_proof_that_is_kept_is_told_in_a_few_lines(library):
    beside, seen = beside_of(library), set[str]()
    for id, made in library.claims.items():
        found = kept(made, beside[id])
        if found is None or found.proof is None or is_step(id):
            continue
        one = bare(made)
        for item in told(one, {"record": record_of(one)[0], "proof": found.proof}):
            seen.add(item.rule)
            assert item.words, id
            assert item.words.count("$") % 2 == item.goal.count("$") % 2 == 0, id
            assert len(item.words) < 1100, id
            assert "None" not in item.words, id
    assert seen >= {"range", "same", "fact", "sum", "put", "instead", "cases", "have", "contrary", "absurd", "mean"}


# Claims.


def test_a_claim_tells_its_proof_part_by_part():
    highest = Extremum(-((x - y) ** 2), x, y, minimum=False)
    found = explained(claim("t.line", "On the line", highest))
    assert found.standing is Standing.PROVED
    assert restored(json.loads(json.dumps(written(found)))) == found
    assert {one.part for one in found.parts} <= {"in the domain", "slope", "better", "comparison"}
    assert any(line.startswith(r"\emph{") for line in why_lines(found, NO_LINKS))


def test_what_took_no_proof_is_one_line():
    found = explained(claim("t.many", "Many", both(*(lt(p, number) for number in range(2, 10)))))
    assert why_lines(found, NO_LINKS) == ("Domains and numbers alone show it.",)
    found = explained(claim("t.two", "One of two", both(lt(p, 2), gt(p, p**2))))
    *_, last = why_lines(found, NO_LINKS)
    assert last == "Domains and numbers alone show what is left."


def test_that_something_has_a_value_is_told_only_if_it_took_a_proof():
    made = claim("t.root", "A root", eq(sqrt(x**2 - 2 * x * y + y**2) ** 2, (x - y) ** 2))
    parts = told(made, document(made))
    assert [one.part for one in parts] == ["has a value", "claim"]
    plain = claim("t.log", "A logarithm", ge(log(u) ** 2, 0))
    assert [one.part for one in told(plain, document(plain))] == ["claim"]


def test_a_decided_claim_without_a_proof_names_its_methods():
    made = claim("t.open", "A bound", gt(x**2 + 1, x))
    found = why(made, judge_claim(made, SETTINGS)[0], None)
    assert found is not None
    (method,) = found.methods
    assert found == Why(Standing.NOT_YET, methods=(method,))
    assert why_lines(found, NO_LINKS) == (f"Decided by {method}; no proof in the kernel's language was found yet.",)


def test_what_is_derived_or_not_decided_tells_no_proof():
    derived = claim("t.square", "A square", derivation=derive(u * u, "twice").eq(u**2, "a power"))
    found = explained(derived)
    assert found == Why(Standing.DERIVED)
    assert why_lines(found, NO_LINKS) == ()
    assert explained(claim("t.false", "False", gt(x, x**2))) is None


def test_what_only_puts_derived_lemmas_together_is_counted_apart():
    square = claim("t.square", "A square", derivation=derive(u * u, "twice").eq(u**2, "a power"))
    bound = claim("t.bound", "It is positive", gt(u**2, 0), equation="Eq. (1)")
    above = claim("t.above", "So it exceeds -1", gt(u * u, -1), using=[square], equation="Eq. (2)")
    below = claim("t.below", "So it is no less than 0", ge(u * u, 0), using=[square, bound])
    after = claim("t.after", "And exceeds -2", gt(u * u, -2), using=[above])
    claims = {made.id: made for made in (square, bound, above, below, after)}
    whys = {id: explained(made) for id, made in claims.items()}
    assert put_together(claims, whys) == {"t.above", "t.after"}
    counted = why_counts(claims, whys)
    assert "of 5 claims that are decided, 1 have a derivation, 2 put lemmas" in counted
    assert "Of the 2 of them that are tied to a place in a paper, 0 have a derivation, 1 put lemmas" in counted
    assert why_counts({}, {}) is None


def test_rules_are_counted_by_their_names():
    one = Why(Standing.PROVED, (Told("claim", "$a$", "sum", "so"), Told("claim", "$b$", "sum", "so")))
    other = Why(Standing.PROVED, (Told("claim", "$a$", "same", "so"),))
    assert reasons_by_rule([one, other, Why(Standing.NOT_YET)]) == {"same": 1, "sum": 2}


@pytest.mark.parametrize(("id", "expected"), [("p.a.step-1", True), ("p.a.step-12", True), ("p.step-by-step", False)])
def test_steps_are_known_by_their_ids(id, expected):
    assert is_step(id) is expected
