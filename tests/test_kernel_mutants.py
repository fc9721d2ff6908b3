"""No false statement is accepted when records and proofs are changed together, see ``kernel_mutants.py``."""

import json
import random

import pytest
from kernel_mutants import counterexample, try_mutants

from grpo_symbolic import (
    Group,
    IndexSet,
    Total,
    binary,
    claim,
    drawn,
    eq,
    exp,
    ge,
    gt,
    iff,
    increasing,
    le,
    log,
    lt,
    on_support,
    rational,
    real,
    sqrt,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.language.expression import Derivative
from grpo_symbolic.proofs.claims import prove

p = real("p", "(0, 1)", "a probability")
q = real("q", "(0, 1)", "another one")
x = real("x", "[0, oo)", "a number")
u = real("u", "[0, 1]", "a probability that may vanish", indexed=True)
v = real("v", "(0, 1]", "one that does not", indexed=True)
MEMBERS = IndexSet("member", "members", "m")
score = real("s", "(-oo, oo)", "a score", indexed=MEMBERS)
OTHER = MEMBERS.another("n")
OUTPUTS = IndexSet("output", "outputs", "o")
gain = real("R", "(-oo, oo)", "a reward", indexed=OUTPUTS)
chance = real("c", "(0, 1]", "its probability", indexed=OUTPUTS)
mean = real("M", "(-oo, oo)", "the mean")
of_two, of_many = Group(score, 2, binary(p)), Group(score, whole("G", "[2, oo)", "size"), drawn(gain, chance))
CLAIMS = (
    claim("t.square", "The variance of a coin is at most a quarter", le(p * (1 - p), rational(1, 4))),
    claim("t.rises", "The odds rise", increasing(p / (1 - p), p)),
    claim("t.odds", "Odds compare", lt(q / (1 - q), p / (1 - p)), given=[gt(p, q)]),
    claim("t.half", "Where odds are even", iff(eq(p / (1 - p), 1), eq(p, rational(1, 2)))),
    claim("t.tangent", "The exponential is above its tangent", le(1 + x, exp(x))),
    claim("t.root", "Roots multiply", eq(sqrt(p) * sqrt(p), p)),
    claim("t.log", "Logarithms of quotients", eq(log(p / (1 - p)), log(p) - log(1 - p))),
    claim("t.bracket", "A divergence has a tangent", ge(on_support(u, u * log(u / v)), u - v)),
    claim(
        "t.support",
        "Divergences differ by a cross entropy",
        eq(
            Total(on_support(u, u * log(u / v))),
            Total(on_support(u, u * log(u))) - Total(u * log(v)),
        ),
    ),
    claim(
        "t.further",
        "A square has one slope",
        eq(Derivative(Total(score**2), score.at(OTHER)), 2 * score.at(OTHER)),
    ),
    claim(
        "t.mixed",
        "The deviation of two",
        eq(of_two.expectation(sqrt(of_two.variance), mixed=True, given=binary(q)), (p + q - 2 * p * q) / 2),
    ),
    claim(
        "t.drawn",
        "The mean of many",
        eq(of_many.expectation(score * Total(score)), Total(chance * gain**2) + (of_many.size - 1) * mean**2),
        given=[eq(Total(chance), 1), eq(mean, Total(chance * gain))],
    ),
)


@pytest.fixture(scope="module")
def documents():
    found = []
    for made in CLAIMS:
        attempt = prove(made, Settings())
        assert attempt.proof is not None, (made.id, attempt.resisted)
        found.append(json.loads(json.dumps({"record": attempt.record, "proof": attempt.proof})))
    return found


def test_what_was_proved_is_true_at_points(documents):
    assert [counterexample(one["record"], random.Random(0)) for one in documents] == [None] * len(documents)


def test_no_mutant_is_accepted_though_it_is_false(documents):
    fates, bad = try_mutants(documents, 400, seed=1)
    assert not bad, bad[:3]
    # Some change nothing that matters, or say what is true as well.
    assert fates["refused"] > 200 > fates["accepted, true at all points"] > 10


def test_what_is_false_is_seen_to_be_false(documents):
    record = documents[0]["record"]
    record["terms"] = ["1/5" if one == "1/4" else one for one in record["terms"]]
    assert counterexample(record, random.Random(0)).startswith("false")
