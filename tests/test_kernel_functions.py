"""What the kernel accepts of functions of which little is known, and what it refuses to hear of them."""

import json
import random
import re
from fractions import Fraction

import pytest
from kernel_mutants import counterexample, try_mutants

from grpo_symbolic import (
    absolute,
    attracts,
    both,
    by_induction,
    claim,
    converges,
    eq,
    every_iterate,
    for_every,
    ge,
    has_limit,
    implies,
    in_the_limit,
    increasing,
    le,
    limit_superior,
    lt,
    real,
    rises_to_a_limit,
    some_zero,
    unknown_function,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import verify
from grpo_symbolic.language.expression import Derivative, Number, Substitution
from grpo_symbolic.proofs.claims import prove

X, Y = real("x", "(-oo, oo)", "a point"), real("y", "(-oo, oo)", "another one")
C, K, R = real("c", "(-oo, oo)", "a centre"), real("k", "(0, 1)", "a factor"), real("r", "(0, oo)", "a radius")
N, END = whole("n", "[0, oo)", "a number of steps"), real("L", "(-oo, oo)", "a limit")
F = unknown_function("f", X, "any smooth function", derivatives=1)
PART = unknown_function("f", real("u", "[0, 1]", "a part"), "any smooth function on a part", derivatives=1)
LATER = whole("m", "[5, oo)", "a later number")
JUMPS = unknown_function("g", X, "any function")
S, T = unknown_function("s", N, "any sequence"), unknown_function("t", N, "another one")
PROPER = unknown_function("p", N, "a sequence of probabilities", values="[0, 1]")


def near(point):
    return le(absolute(point - C), R)


FLAT = for_every(X, implies(near(X), le(absolute(F.slope(X)), K)), such_as={F: C + K / 2 * (X - C)})
RISES, TENDS = for_every(N, le(S(N), S(N + 1)), such_as={S: END}), has_limit(S(N), N, END, such_as={S: END})
BELOW = for_every(N, le(S(N), Y), such_as={S: END}, where=le(END, Y))
HOLDING = {
    "equal-arguments": (eq(F(X), F(Y)), eq(X, Y)),
    "contraction": (le(absolute(F(X) - F(Y)), K * absolute(X - Y)), FLAT, near(X), near(Y)),
    "fixed-point": (attracts({X: F(X)}, C), eq(F(C), C), lt(absolute(F.slope(C)), 1)),
    "chain-rule": (eq(Derivative(F(2 * X) ** 2, X), 4 * F(2 * X) * F.slope(2 * X)),),
    "values": (le(PROPER(N) * PROPER(N + 1), PROPER(N)),),
    "induction": (by_induction(ge(S(N), S(0)), N), RISES),
    "iterates": (every_iterate(ge(X, 0), {X: C}, {X: 0}, where=ge(C, X), such_as={C: X}),),
    "has-a-limit": (rises_to_a_limit(S(N), N, at_most=Y), RISES, BELOW),
    "in-the-limit": (in_the_limit(le(END, Y), N, because=le(S(N), Y)), TENDS, BELOW),
    "twice": (has_limit(2 * S(N), N, 2 * END), TENDS),
    "limit-superior": (limit_superior(T(N), N, END, by=S(N), where=le(T(N), S(N))), TENDS),
}
#: What says more than it may, with what the kernel has against it.
REFUSED = {
    "values-apart": (eq(F(X), F(Y)), (), "no laws"),
    "no-slope": (le(absolute(F(X) - F(Y)), K * absolute(X - Y)), (FLAT, near(X)), "no reason"),
    "may-jump": (some_zero(JUMPS(X), X, 0, 1, rising=True), (lt(JUMPS(0), 0), lt(0, JUMPS(1))), "may jump"),
    "bad-example": (
        le(F.slope(X), K),
        (for_every(X, le(F.slope(X), K), such_as={F: X}),),
        "example: ",
    ),
    "example-with-a-kink": (
        le(F.slope(X), 1),
        (for_every(X, le(F.slope(X), 1), such_as={F: absolute(X)}),),
        "no derivative of absolute",
    ),
    "nothing-is-like-this": (
        le(S(N), 0),
        (for_every(N, le(S(N), 0), such_as={S: END}, where=lt(END**2, 0)),),
        "premises",
    ),
    "first-numbers-only": (
        limit_superior(T(N), N, END, by=S(N), where=both(le(T(N), S(N)), le(T(N) + N, 3))),
        (TENDS,),
        "may hold for the first n only",
    ),
    "no-limit-is-supposed": (has_limit(T(N), N, END), (TENDS,), "no limit of"),
    "does-not-grow": (has_limit(S(3), N, END), (TENDS,), "no proof"),
    "cut": (rises_to_a_limit(S(N), N, at_most=Y), (RISES, BELOW, le(N, 3)), "restrict"),
    "jumps-in-the-limit": (in_the_limit(eq(JUMPS(END), 0), N, because=eq(JUMPS(S(N)), 0)), (TENDS,), "may jump"),
    "bound-and-supposed": (
        increasing(R * F.slope(C), R),
        (for_every(X, le(R, F.slope(X)), such_as={F: R * X}),),
        "supposed of functions",
    ),
    "attracts-at-an-end": (attracts({X: PART(X)}, 0), (eq(PART(0), 0), eq(PART.slope(0), 0)), "no reason|no proof"),
    "slope-at-an-end": (eq(Substitution(Derivative(PART(-(X**2)), X), X, Number(Fraction(0))), 0), (), "no reason"),
    "before-the-first": (
        ge(S(LATER), S(LATER - 1) + 1),
        (for_every(N, ge(S(N), S(N - 1) + 1), such_as={S: N}),),
        "example: ",
    ),
    "tied-to-what-moves": (
        eq(Derivative(F(1), C), 0),
        (for_every(X, eq(F(X), C * X), such_as={F: C * X}),),
        "no derivative by c",
    ),
    "no-fixed-point-nearby": (converges(F(X), X, C, within=R), (FLAT,), "no reason"),
}


def made(name, statement, *given):
    return claim(f"t.{name}", "A claim about functions", statement, given=given)


@pytest.fixture(scope="module")
def documents():
    found = {}
    for name, stated in HOLDING.items():
        attempt = prove(made(name, *stated), Settings())
        assert attempt.proof is not None, (name, attempt.resisted)
        found[name] = json.loads(json.dumps({"record": attempt.record, "proof": attempt.proof}))
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_what_need_not_hold_has_no_proof(name):
    statement, given, why = REFUSED[name]
    attempt = prove(made(name, statement, *given), Settings())
    assert attempt.proof is None
    assert re.search(why, " ".join(attempt.resisted)) or why == "no proof"


#: Changes of records that were accepted, of which none may be.
CHANGES = {
    "one derivative fewer": ("contraction", lambda data: data["record"]["functions"]["f"].__setitem__(2, 0)),
    "it may jump": ("fixed-point", lambda data: data["record"]["functions"]["f"].__setitem__(2, None)),
    "nothing is supposed": ("contraction", lambda data: data["record"]["given"].pop(0)),
    "an example that is steeper": ("contraction", lambda data: _put(data, "2", "1/2")),
    "other values": (
        "values",
        lambda data: data["record"]["functions"]["p"].__setitem__(1, [None, None, False, False, False]),
    ),
    "other arguments": (
        "induction",
        lambda data: data["record"]["functions"]["s"].__setitem__(0, ["1", None, True, False, True]),
    ),
    "no such function": ("values", lambda data: data["record"].pop("functions")),
    "a slope of a sequence": ("induction", lambda data: data["record"]["functions"]["s"].__setitem__(2, 1)),
    "no example": ("induction", lambda data: _shorten(data, "for-every")),
    "a slope at a point": ("fixed-point", lambda data: _on(data, "f", ["1", "1", True, True, False])),
    "a limit along other numbers": ("twice", lambda data: _on(data, "s", [None, None, False, False, False])),
    "a name of an argument": ("equal-arguments", lambda data: _rename(data, "x", "~1")),
    "a name of a slope": ("equal-arguments", lambda data: _rename(data, "x", "'x")),
    "what is chosen at each step is kept": ("iterates", lambda data: _keep_chosen(data)),
    "no number of derivatives": ("contraction", lambda data: data["record"]["functions"]["f"].__setitem__(2, True)),
}


def _put(data, one, other):
    terms = data["record"]["terms"]
    terms[:] = [other if node == one else node for node in terms]


def _on(data, name, domain):
    data["record"]["functions"][name][0] = domain


def _rename(data, name, other):
    record = data["record"]
    record["symbols"][other] = record["symbols"].pop(name)
    record["terms"] = [["sym", other] if node == ["sym", name] else node for node in record["terms"]]


def _keep_chosen(data):
    terms = data["record"]["terms"]
    kept = next(node[1] for node in terms if node[0] == "every-iterate")
    terms[kept] = [terms[kept][0], terms.index(["sym", "c"]), terms[kept][2]]


def _shorten(data, op):
    terms = data["record"]["terms"]
    (place,) = {node[3] for node in terms if node[0] == op}
    terms[place] = ["list"]


@pytest.mark.parametrize("name", CHANGES)
def test_a_record_that_says_more_is_refused(documents, name):
    which, change = CHANGES[name]
    data = json.loads(json.dumps(documents[which]))
    assert verify(data).id == f"t.{which}"
    change(data)
    with pytest.raises(RefusedError):
        verify(data)


def test_a_lemma_supposes_no_more_of_functions_than_the_claim():
    flat = made("flat", *HOLDING["contraction"])
    steeper = for_every(X, implies(near(X), le(absolute(F.slope(X)), 2 * K)), such_as={F: C})
    for supposed, proved in ((FLAT, True), (steeper, False)):
        used = claim(
            "t.used",
            "A claim about functions",
            le(absolute(F(X) - F(C)), K * absolute(X - C)),
            given=[supposed, near(X)],
            using=[flat.at({Y: C})],
        )
        attempt = prove(used, Settings())
        assert (attempt.proof is not None) is proved
        assert proved or "supposes more of functions" in attempt.resisted[0]


def test_what_was_proved_is_true_of_functions(documents):
    judged = [counterexample(one["record"], random.Random(0)) for one in documents.values()]
    assert judged.count(None) >= 6
    assert set(judged) <= {None, ""}


def test_no_mutant_is_accepted_though_it_is_false(documents):
    fates, bad = try_mutants([*documents.values()], 300, seed=2)
    assert not bad, bad[:3]
    assert fates["refused"] > 150
    assert fates["accepted, true at all points"] > 5


def test_what_is_false_of_some_function_is_seen_to_be_false(documents):
    record = json.loads(json.dumps(documents["values"]["record"]))
    record["functions"]["p"][1] = ["0", "2", True, True, False]
    assert counterexample(record, random.Random(0)).startswith("false")
