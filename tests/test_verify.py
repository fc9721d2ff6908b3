"""Files of proofs, true and hostile ones: what is not accepted is refused with its place, and nothing else counts."""

import copy
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grpo_symbolic import (
    Derivative,
    Paper,
    claim,
    derive,
    eq,
    ge,
    gt,
    iff,
    implies,
    increasing,
    le,
    log,
    lt,
    on_support,
    rational,
    real,
    sqrt,
    tends_to,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.kernel.statements import digest, read_record
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import main, verify, verify_all
from grpo_symbolic.proofs.claims import prove, refute
from grpo_symbolic.proofs.keeping import publish

p = real("p", "(0, 1)", "a probability")
q = real("q", "(0, 1)", "another one")
square = claim("t.square", "The variance of a coin is at most a quarter", le(p * (1 - p), rational(1, 4)))
rises = claim("t.rises", "The odds rise", increasing(p / (1 - p), p))
between = claim(
    "t.between", "Odds compare", le(q / (1 - q), p / (1 - p)), given=[gt(p, q)], using=[rises.between(q, p)]
)
chain = claim(
    "t.chain",
    "By steps",
    derivation=derive(p * p - 1, "start").eq((p - 1) * (p + 1), "factors").le(p - 1, "the other factor is at least 1"),
)
FALSE = ge(p * (1 - p), p / 4)


def document(made):
    attempt = prove(made, Settings())
    assert attempt.proof is not None, attempt.resisted
    return json.loads(json.dumps({"record": attempt.record, "proof": attempt.proof}))


@pytest.fixture(scope="module")
def documents():
    return {made.id: document(made) for made in (square, rises, between)}


def refusal(data) -> str:
    with pytest.raises(RefusedError) as caught:
        verify(data)
    return str(caught.value)


@pytest.mark.parametrize("id", ["t.square", "t.rises", "t.between"])
def test_a_proof_that_was_found_is_accepted(documents, id):
    assert verify(documents[id]).id == id


def test_no_proof_of_another_statement_is_accepted(documents):
    other = copy.deepcopy(documents["t.square"])
    false = prove(claim("t.false", "False", FALSE), Settings())
    assert false.proof is None
    refusal({"record": false.record, "proof": other["proof"]})


@pytest.mark.parametrize("place", range(8))
def test_an_edited_proof_is_refused_or_says_the_same(documents, place):
    data = copy.deepcopy(documents["t.square"])
    goals = data["proof"]["parts"][0]["goals"]
    changed = [["range"], ["same", []], ["nonsense"], None, [], 7, "range", ["sum", [], []]][place]
    goals[-1] = changed
    assert refusal(data)


def test_steps_compose_and_rest_on_each_of_them():
    data = document(chain)
    assert data["proof"]["plan"] == "composed"
    assert [id for id, _ in verify(data).rests_on] == ["t.chain.step-1", "t.chain.step-2"]


def written(folder: Path, *found) -> Path:
    publish(folder, {one["record"]["id"]: one for one in found})
    return folder


def test_the_program_beside_the_proofs_needs_nothing_else(documents, tmp_path):
    folder = written(tmp_path, documents["t.rises"], documents["t.between"])
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.pyz"), str(folder / "proofs")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 claims proved;")


def told(capsys, path: Path) -> tuple[int, str, str]:
    code = main([str(path)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_what_rests_on_a_claim_that_is_not_there_is_not_proved(documents, tmp_path, capsys):
    code, out, _ = told(capsys, written(tmp_path, documents["t.between"]) / "proofs")
    assert (code, out.split(" ", 1)[0]) == (0, "0")


def test_what_rests_on_another_statement_is_refused(documents, tmp_path, capsys):
    other = document(claim("t.rises", "Something else", increasing(p * p, p)))
    code, out, err = told(capsys, written(tmp_path, other, documents["t.between"]) / "proofs")
    assert (code, out.split(" ", 1)[0]) == (2, "1")
    assert "t.between rests on t.rises, which says something else" in err


def test_nothing_rests_on_itself(documents, tmp_path, capsys):
    data = copy.deepcopy(documents["t.between"])
    for lemma in data["record"]["lemmas"]:
        lemma["claim"] = "t.between"
    _, out, err = told(capsys, written(tmp_path, data) / "proofs")
    assert "0 claims proved" in out
    assert "t.between" in err


def test_a_long_chain_of_claims_is_followed(documents):
    lines = []
    for number in range(1_500):
        data = copy.deepcopy(documents["t.square"])
        data["record"]["id"] = f"t.{number}"
        data["record"]["lemmas"] = [
            {"claim": f"t.{number + 1}", "statement": data["record"]["statement"], "given": [], "values": []}
            | {"ends": None, "supposed": False}
        ]
        lines.append((str(number), json.dumps(data)))
    assert verify_all(lines).proved == {}


def many_nodes(data):
    data["record"]["terms"] += ["1"] * 1_000_000


def long_number(data):
    data["record"]["terms"].append("9" * 100_000)


def deep(data):
    terms = data["record"]["terms"]
    for _ in range(5_000):
        terms.append(["negate", len(terms) - 1])


def forward(data):
    data["record"]["terms"][0] = ["negate", 5]


def other_format(data):
    data["record"]["format"] = 2


def no_definition(data):
    data["record"]["terms"].append(["call", "nothing", 0])
    data["record"]["statement"] = len(data["record"]["terms"]) - 1


def no_domain(data):
    data["record"]["symbols"].clear()


def empty_domain(data):
    data["record"]["symbols"]["p"][:2] = ["1", "0"]


def no_terms(data):
    del data["proof"]["terms"]


def no_point(data):
    data["proof"]["points"] = []


@pytest.mark.parametrize(
    "spoil",
    [many_nodes, long_number, deep, forward, other_format, no_definition, no_domain, empty_domain, no_terms],
)
def test_hostile_files_are_refused_with_their_place(documents, tmp_path, capsys, spoil):
    data = copy.deepcopy(documents["t.square"])
    spoil(data)
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(data) + "\n")
    code, out, err = told(capsys, path)
    assert code == 2
    assert "0 claims proved" in out
    assert f"{path}:1" in err


@pytest.mark.parametrize("text", ['{"record": ', "[" * 100_000, "null", "[]", '"x"', "1" * 10_000, "\x00"])
def test_what_is_cut_off_is_refused(tmp_path, capsys, text):
    path = tmp_path / "bad.jsonl"
    path.write_text(text + "\n")
    code, out, err = told(capsys, path)
    assert (code, out.split(" ", 1)[0]) == (2, "0")
    assert f"{path}:1" in err


def test_a_premise_needs_a_point(documents):
    data = copy.deepcopy(documents["t.between"])
    no_point(data)
    assert refusal(data)
    impossible = claim("t.never", "Vacuous", iff(eq(p, 2), eq(p, 3)))
    assert prove(impossible, Settings()).proof is None


# Records and proofs that are written by hand: what they say is false, or has no value somewhere.


class Table:
    """Nodes for nested lists, in which a text is a symbol or a number, and one in a tuple a letter or a side."""

    def __init__(self) -> None:
        self.nodes: list = []

    def __call__(self, term) -> int:
        if isinstance(term, str):
            node = term if term.lstrip("-")[:1].isdigit() else ["sym", term]
        else:
            node = [term[0], *(self(one) if isinstance(one, str | list) else _written(one) for one in term[1:])]
        if all(repr(one) != repr(node) for one in self.nodes):
            self.nodes.append(node)
        return [*map(repr, self.nodes)].index(repr(node))


def _written(one):
    return one[0] if isinstance(one, tuple) else one


LINE, HALF_LINE, CLOSED, POINT = (
    [low, high, low is not None, high is not None, False, [], None]
    for low, high in ((None, None), ("0", None), ("0", "1"), ("1", "1"))
)


def by_hand(at, symbols, statement, *goals, given=(), lemma=None, points=()):
    record = {"format": 1, "id": "a", "symbols": symbols, "definitions": {}, "terms": at.nodes, "assumed": False}
    record |= {"statement": at(statement), "given": [at(one) for one in given], "lemmas": [], "derivation": None}
    if lemma:
        said, premises, *values = lemma
        record["lemmas"] = [{"claim": "b", "statement": at(said), "given": [at(one) for one in premises]}]
        record["lemmas"][0] |= {"values": [[n, at(one)] for n, one in values], "ends": None, "supposed": False}
    point = {"sizes": {}, "values": [[name, at(one)] for name, one in points], "laws": []}
    proof = {"plan": "claim", "terms": [], "parts": [{"sums": [], "goals": [*goals]}], "points": [point]}
    return {"record": record, "proof": proof}


def a_stretch_of_nothing(at):
    return by_hand(at, {"p": POINT}, [">", "0", "p"], ["along", "p", []])


def a_lemma_at_a_value_without_value(at):
    square = [[">=", ["power", "y", "2"], "0"], [], ("y", ["divide", "1", "x"])]
    return by_hand(at, {"x": LINE, "y": LINE}, ["!=", "x", "0"], None, lemma=square)


def a_lemma_that_supposes_what_has_no_value(at):
    supposing = [["!=", "y", "0"], [[">=", ["divide", "1", "y"], "0"]], ("y", "x")]
    return by_hand(at, {"x": HALF_LINE, "y": HALF_LINE}, ["!=", "x", "0"], None, lemma=supposing)


def an_only_root_of_what_has_no_value(at):
    root = [["unique-root", "y", [">=", ["sqrt", ["negate", "y"]], "0"], "0"], [], ("y", "x")]
    return by_hand(at, {"x": CLOSED, "y": CLOSED}, ["=", "x", "0"], None, lemma=root)


def a_law_of_what_has_no_value(at):
    product = ["multiply", ["sqrt", "2"], ["sqrt", "3"]]
    nothing, several = ["subtract", ["sqrt", "6"], product], ["add", "1", ["add", ["sqrt", "6"], product]]
    law = ["log", at(["divide", nothing, nothing]), [[at(several), "1"]]]
    return by_hand(at, {"x": LINE}, ["=", ["log", "1"], ["log", several]], None, ["same", [law]])


def a_factor_that_is_positive_where_it_has_a_value(at):
    inverse, said = ["divide", "1", ["divide", "1", "x"]], [">", "y", "0"]
    given = [["any", [">", ["log", ["add", "1", inverse]], "y"], said], said]
    points, false = [("x", "1"), ("y", "1")], [">", ["multiply", ["log", ["add", "1", "x"]], "y"], "0"]
    return by_hand(at, {"x": CLOSED, "y": LINE}, false, None, None, given=given, points=points)


def an_end_that_is_very_small(at):
    said = ["<=", ["multiply", ["exp", "-1000"], "x"], "1"]
    return by_hand(at, {"x": HALF_LINE}, said, ["range"])


def a_symbol_without_domain(at):
    """That ``along`` has a symbol without a name for a slope, which is 1 once and 1000 another time."""
    at.nodes.append(["sym", ""])
    slow = ["subtract", ["add", "", "p"], "100"]
    fast = ["subtract", ["add", "", ["multiply", "1000", "p"]], "900"]
    apart, along = ["subtract", ["multiply", "999", "p"], "800"], ["along", "p", [["1/10", "lower", 96]]]
    first, second, third = ([op, one, "0"] for op, one in (("<", slow), (">", fast), (">", apart)))
    terms = [["1", fast, second], ["-1", slow, first]]
    why = ["sum", [[c, [[at(one), fact[0], 1, ["fact", at(fact), None, [], None]]]] for c, one, fact in terms], []]
    proof = ["have", at(third), why, ["contrary", at(third), ["range"]]]
    proof = ["have", at(first), along, ["have", at(second), along, proof]]
    return by_hand(at, {"p": ["0", "1/10", True, False, False, [], None]}, [">", "p", "1"], proof)


@pytest.mark.parametrize(
    "made",
    [
        a_stretch_of_nothing,
        a_lemma_at_a_value_without_value,
        a_lemma_that_supposes_what_has_no_value,
        an_only_root_of_what_has_no_value,
        a_law_of_what_has_no_value,
        a_factor_that_is_positive_where_it_has_a_value,
        an_end_that_is_very_small,
        a_symbol_without_domain,
    ],
)
def test_nothing_false_is_accepted_whatever_is_written(made):
    assert "form" not in refusal(made(Table()))


FURTHER = {"x": [*LINE[:5], ["i"], None], "y": [*LINE[:5], ["j"], "x"]}


# What is so of one element, of a further one, or of every one.


def over(body, letter="i"):
    return ["total", body, (letter,)]


def in_parts(data, *parts, plan="claim", sizes=2):
    """A document with a proof in several parts, each of some sums and goals."""
    data["proof"] |= {"plan": plan, "parts": [{"sums": sums, "goals": goals} for sums, goals in parts]}
    data["proof"]["points"][0]["sizes"] = {"i": sizes}
    return data


def counted(at, body, name, letter="i", needed=0):
    return [at(over(body, letter)), [[at("1"), at(body), name]], [None] * (needed + 1)]


def a_derivative_by_each_at_once(at):
    said = ["=", ["derivative", over("y", "j"), "y"], over("1", "j")]
    return in_parts(by_hand(at, FURTHER, said), ([counted(at, "1", "n", "j")], [["same", []]]))


def what_counts_at_one_element_and_sums_over_all(at):
    inverse = ["divide", "1", "x"]
    bracket = ["supported", over(inverse), "x"]
    sums = [counted(at, inverse, "S", needed=1), [at(bracket), "B", []]]
    return in_parts(by_hand(at, FURTHER, ["=", bracket, bracket]), (sums, [None, ["same", []]]))


def what_is_hidden_counts_at_one_element(at):
    bracket = ["supported", over(["divide", "1", "x"]), "x"]
    said = ["=", ["derivative", ["add", "c", bracket], "c"], "1"]
    return in_parts(by_hand(at, {**FURTHER, "c": LINE}, said), ([], [None, ["same", []]]))


def a_root_by_what_was_given_of_it(at):
    """That c > 0 is known of an x between 0 and c, which need not be there."""
    at(over("1"))
    half, given = ["divide", "c", "2"], [[">", "x", "0"], ["<", "x", "c"]]
    points, lemma = [("x[1]", "1"), ("x[2]", "1"), ("c", "2")], [[">", "c", "0"], given]
    said = ["unique-root", "x", ["=", "x", half], half]
    data = by_hand(at, {**FURTHER, "c": LINE}, said, given=given, lemma=lemma, points=points)
    inside = [["sum", [[value, [[at("c"), ">", 1, None]]]], []] for value in ("1/2", "-1/2")]
    parts = [[None, None], [], inside, [["same", []]], [None]]
    return in_parts(data, *(([], goals) for goals in parts))


def a_zero_where_what_is_given_of_all_elements_fails(at):
    symbols = {"x": ["0", "2", True, True, False, ["i"], None], "y": ["0", "2", True, True, False, ["j"], "x"]}
    said = ["unique-zero", ["subtract", "x", "1"], "x", "0", "2", True, None, None]
    points = [("x[1]", "1/4"), ("x[2]", "1/4")]
    data = by_hand(at, symbols, said, given=[["<", "y", "1/2"]], points=points)
    return in_parts(data, ([], [["range"]] * 5), *[([], [["range"]])] * 3)


def an_instance_where_what_is_given_of_all_elements_fails(at):
    points = [("x[1]", "1"), ("x[2]", "1")]
    said = ["instance", ["=", "1", "1"], ["list", "x"], ["list", "0"]]
    data = by_hand(at, FURTHER, said, given=[[">", "y", "0"]], points=points)
    return in_parts(data, ([], []), ([], []), ([], [["same", []]]))


def mean(value):
    return [">=", over("z"), ["multiply", value, over("1")]]


def a_lemma_at_one_element_under_two_premises(at, lemma=None):
    """That z >= x at each element is used as if z at each one were at least x at one."""
    lemma = lemma or [["implies", [">", "c", "0"], ["implies", [">=", "z", "v"], mean("v")]], [], ("v", "x")]
    points = [(f"{name}[{n}]", "1") for name in "xz" for n in (1, 2)] + [("c", "1")]
    symbols = {**FURTHER, "z": FURTHER["x"], "v": LINE, "c": LINE}
    given = [[">", "c", "0"], [">=", "z", "x"]]
    data = by_hand(at, symbols, mean("x"), given=given, lemma=lemma, points=points)
    return in_parts(data, ([], [None]), ([counted(at, "1", "n"), counted(at, "z", "Z")], [None]))


def a_lemma_at_one_element_of_what_is_given_of_every_one(at):
    return a_lemma_at_one_element_under_two_premises(at, [mean("v"), [[">", "c", "0"], [">=", "z", "v"]], ("v", "x")])


def an_instance_at_one_element(at):
    """That z is x at each element is used as if z at each one were x at one."""
    inner = ["implies", ["=", "z", "v"], ["=", over("z"), over("x")]]
    points = [(f"{name}[{n}]", "1") for name in "xz" for n in (1, 2)]
    symbols = {**FURTHER, "z": FURTHER["x"], "v": LINE}
    data = by_hand(at, symbols, ["instance", inner, ["list", "v"], ["list", "x"]], points=points)
    known = ["fact", at(["=", "z", "x"]), None, [], None]
    sums = [counted(at, "x", "X"), [at(over("z")), [[at("1"), at("x"), "X"]], [known]]]
    return in_parts(data, ([], []), ([], []), (sums, [None]))


def a_sum_of_what_is_supposed_at_one_element(at):
    said = ["summed", [">=", "z", "v"], "1", [">=", over("z"), over("x")], "1"]
    points = [(f"{name}[{n}]", "1") for name in "xz" for n in (1, 2)]
    symbols = {**FURTHER, "z": FURTHER["x"], "v": LINE}
    data = by_hand(at, symbols, ["instance", said, ["list", "v"], ["list", "x"]], points=points)
    gap = ["total", ["multiply", "1", ["subtract", "z", "x"]], ("i",)]
    both = [at(gap), [[at("1"), at("z"), "Z"], [at("-1"), at("x"), "X"]], [["same", []]]]
    sums = [counted(at, "z", "Z"), counted(at, "x", "X"), both]
    return in_parts(data, ([], []), ([], []), (sums, [["same", []]]), ([], [None]), ([], [None]))


def a_fixed_point_of_what_has_a_value_there_alone(at):
    bracket = ["supported", ["log", ["negate", ["power", "x", "2"]]], "x"]
    step = ["multiply", ["divide", "x", "2"], ["derivative", ["add", "c", bracket], "c"]]
    said = ["fixed-point", ["list", "x"], ["list", step], ["list", "0"], True, ["list"], False]
    data = by_hand(at, {"x": LINE, "c": LINE}, said)
    return in_parts(data, ([], [None] * 2), ([], [["same", []]]), ([], [["range"]] * 2))


def a_value_of_what_has_none(at):
    data = by_hand(at, {"x": LINE, "y": LINE}, ["=", ["call", ("f",), ["divide", "1", "x"]], "1"], None)
    data["record"]["definitions"] = {"f": [["y"], at("1")]}
    return data


def no_derivative_at_the_end_of_a_root(at):
    said = ["=", ["derivative", ["multiply", "0", ["sqrt", "x"]], "x"], "0"]
    return by_hand(at, {"x": LINE}, said, None, None, given=[[">=", "x", "0"]], points=[("x", "1")])


@pytest.mark.parametrize(
    "made",
    [
        a_derivative_by_each_at_once,
        what_counts_at_one_element_and_sums_over_all,
        what_is_hidden_counts_at_one_element,
        a_root_by_what_was_given_of_it,
        a_zero_where_what_is_given_of_all_elements_fails,
        an_instance_where_what_is_given_of_all_elements_fails,
        a_lemma_at_one_element_under_two_premises,
        a_lemma_at_one_element_of_what_is_given_of_every_one,
        an_instance_at_one_element,
        a_sum_of_what_is_supposed_at_one_element,
        a_fixed_point_of_what_has_a_value_there_alone,
        a_value_of_what_has_none,
        no_derivative_at_the_end_of_a_root,
    ],
)
def test_nothing_is_taken_of_every_element_that_is_so_of_one(made):
    assert "form" not in refusal(made(Table()))


def test_what_is_supposed_of_every_element_is_so_where_a_statement_is_refuted():
    """At the first one it is supposed, and the sum is negative; but at the second one it fails."""
    at = Table()
    data = by_hand(at, FURTHER, ["implies", [">", "x", "0"], [">", over("x"), "0"]])
    values = [["x[1]", at("1")], ["x[2]", at("-5")]]
    data["refutation"] = {"terms": [], "point": {"sizes": {"i": 2}, "values": values, "laws": []}}
    assert "x[2]" in refusal(data)
    data = by_hand(at, FURTHER, ["any", ["implies", [">", "x", "0"], [">", over("x"), "0"]]])
    data["refutation"] = {"terms": [], "point": {"sizes": {"i": 2}, "values": values, "laws": []}}
    assert "at every one" in refusal(data)


CUBE, TWICE = ["power", "x", "3"], ["multiply", "2", "x"]


def rooted(at, equation, low, high, *, domain=LINE, given=(), **more):
    """A document with a point where x is a root of an equation between two numbers."""
    data = by_hand(at, {"x": domain, **more}, ["=", "1", "1"], None, given=[equation, *given])
    data["proof"]["points"][0]["values"] = [["x", [at(low), at(high), at(equation)]], *([one, at("1")] for one in more)]
    return data


def test_a_point_may_be_a_root_between_two_numbers():
    at = Table()
    given = [["<", "x", "2"], [">", CUBE, "1"], ["!=", "x", "7/5"]]
    assert verify(rooted(at, ["=", CUBE, ["add", "x", "1"]], "13/10", "4/3", given=given)).id == "a"


@pytest.mark.parametrize(
    ("equation", "low", "high", "more"),
    [
        pytest.param(["=", CUBE, "8"], "0", "1", {}, id="no change of sign"),
        pytest.param(["=", CUBE, "8"], "3", "1", {}, id="nothing between"),
        pytest.param(["=", ["divide", "1", ["subtract", "x", "1"]], "0"], "0", "2", {}, id="a pole"),
        pytest.param(["=", CUBE, "8"], "1", "3", {"domain": [*HALF_LINE[:1], "1", *HALF_LINE[2:]]}, id="not inside"),
        pytest.param(["=", TWICE, "1"], "0", "1", {"domain": ["0", "9", True, True, True, [], None]}, id="whole"),
        pytest.param(["=", CUBE, "2"], "1", "2", {"given": [["<", "x", "3/2"]]}, id="not seen of all between"),
        pytest.param(["=", CUBE, "2"], "1", "2", {"given": [["=", TWICE, "1"]]}, id="another equation"),
        pytest.param(["=", ["add", "x", "y"], "2"], "0", "2", {"y": LINE}, id="of two symbols"),
        pytest.param([">=", CUBE, "2"], "1", "2", {}, id="no equation"),
        pytest.param(["=", ["supported", "1", "x"], "1/2"], "-1", "1", {}, id="what jumps"),
    ],
)
def test_a_point_is_no_root_that_is_not_shown(equation, low, high, more):
    assert "form" not in refusal(rooted(Table(), equation, low, high, **more))


def test_what_has_no_value_is_not_refuted_where_nothing_is_left_of_it():
    at = Table()
    said = ["=", ["call", ("f",), ["divide", "1", "x"]], ["subtract", "2", ["supported", "1", "x"]]]
    data = by_hand(at, {"x": LINE, "y": LINE}, said)
    data["record"]["definitions"] = {"f": [["y"], at("1")]}
    data["refutation"] = {"terms": [], "point": {"sizes": {}, "values": [["x", at("0")]], "laws": []}}
    assert "!=" in refusal(data)


APART = {**FURTHER, "y": [*LINE[:5], ["j"], None]}


def two_counts(symbols):
    """That there are as many i as j, as is so where they are of one set."""
    at = Table()
    data = by_hand(at, symbols, ["=", "1", "1"], ["same", []])
    at.nodes += [["total", at("1"), letter] for letter in "ij"]
    sums = [[len(at.nodes) - back, [[at("1"), at("1"), "n"]], [None]] for back in (2, 1)]
    at.nodes.append(["=", len(at.nodes) - 2, len(at.nodes) - 1])
    data["record"]["statement"], data["proof"]["parts"][0]["sums"] = len(at.nodes) - 1, sums
    return data


def test_letters_are_of_one_set_if_a_coordinate_is_of_both():
    verify(two_counts(FURTHER))
    assert "another sum" in refusal(two_counts(APART))
    verify(two_counts({**FURTHER, "w": APART["y"]}))


def test_what_is_said_of_one_set_is_not_said_of_two():
    """Or else a claim that takes two sets for one would be used where they are not."""
    said, other = verify(two_counts(FURTHER)), read_record(two_counts(APART)["record"])
    assert said.digest != digest(other, other.statement, other.given)


def test_a_coordinate_at_another_element_has_the_same_domain(documents):
    """Or else a sum of it would be that of the coordinate, and positive where this need not be."""
    data = copy.deepcopy(documents["t.square"])
    data["record"]["symbols"] |= {"x": [*LINE[:5], ["i"], None], "y": [*CLOSED[:5], ["j"], "x"]}
    assert "domain" in refusal(data)


@pytest.fixture(scope="module")
def divergence():
    u, given = real("u", "[0, 1]", "a probability that may vanish"), gt(q, rational(1, 10))
    return document(claim("t.bracket", "A tangent", ge(on_support(u, u * log(u / q)), u - q), given=[given]))


def the_bracket(data):
    return next(node for node in data["record"]["terms"] if node[0] == "supported")


def on_another_support(data):
    """At u = 0 the body has no value, and q is not 0."""
    the_bracket(data)[2] = data["record"]["terms"].index(["sym", "q"])


def of_another_body(data):
    the_bracket(data)[1] = data["record"]["terms"].index("1/10")


def strictly(data):
    data["record"]["terms"][data["record"]["statement"]][0] = ">"


def on_nothing(data):
    the_bracket(data)[2] = None


def of_three_parts(data):
    the_bracket(data).append(0)


def without_cases(data):
    data["proof"]["parts"][0]["goals"][-1] = ["same", []]


def without_a_name(data):
    data["proof"]["parts"][0]["sums"] = []


def that_has_a_value_by_nothing(data):
    data["proof"]["parts"][0]["sums"][0][2] = []


@pytest.mark.parametrize(
    "spoil",
    [
        on_another_support,
        of_another_body,
        strictly,
        on_nothing,
        of_three_parts,
        without_cases,
        without_a_name,
        that_has_a_value_by_nothing,
    ],
)
def test_no_bracket_is_something_else(divergence, spoil):
    data = copy.deepcopy(divergence)
    verify(data)
    spoil(data)
    refusal(data)


def test_what_is_given_of_a_bracket_holds_at_a_point():
    u = real("u", "[0, 1]", "a probability that may vanish")
    for said, possible in ((1, True), (2, False)):
        made = claim("t.given", "A part", ge(u, 0), given=[eq(u, 0), eq(on_support(u, 1 / u) + 1, said)])
        assert (prove(made, Settings(), [(("u", "0"),)]).proof is not None) is possible


def grown(at, op, times):
    place = at("p")
    for _ in range(times):
        at.nodes.append([op, place, place])
        place = len(at.nodes) - 1
    return place


def repeated(at):
    place = grown(at, "add", 60)
    data = by_hand(at, {"p": CLOSED}, [">=", "p", "0"], None)
    at.nodes.append([">=", place, at("0")])
    data["record"]["statement"] = len(at.nodes) - 1
    return data


def fine(at):
    steps = [[f"{n}/3000", "lower", 4000] for n in range(1, 3001)]
    return by_hand(at, {"p": CLOSED}, [">", ["exp", ["exp", ["exp", "p"]]], "p"], ["along", "p", steps])


def large(at):
    power = ["power", ["add", "9" * 3900, "p"], "200"]
    return by_hand(at, {"p": CLOSED}, ["=", power, ["multiply", power, "2"]], ["same", []])


def alike(at):
    at.nodes += [str(n * (2**61 - 1)) for n in range(1, 20_001)]
    return by_hand(at, {"p": CLOSED}, [">", "0", ["exp", "p"]], ["range"])


@pytest.mark.parametrize("made", [repeated, fine, large, alike])
def test_small_files_are_refused_soon(made):
    start = time.process_time()
    refusal(made(Table()))
    assert time.process_time() - start < 20


# What papers print, with a point at which it fails.

paper = Paper("p", "A. Author", "A title", "v1")


def refuted(printed, at, given=()):
    quote = paper.quote("Eq. (1)", "x", printed, given=tuple(given))
    return refute("t.printed", quote, tuple(at.items()))


def test_what_fails_at_a_point_is_refuted_and_never_proved(tmp_path, capsys):
    made = refuted(le(p * (1 - p), rational(1, 5)), {"p": "1/2"})
    assert verify(made).refuted
    resting = {"record": document(square)["record"], "proof": made["refutation"]}
    assert refusal(resting)
    path = tmp_path / "printed.jsonl"
    path.write_text(json.dumps(made) + "\n")
    assert told(capsys, path)[:2] == (0, "0 claims proved, 1 printed statements refuted; 0 refused\n")


@pytest.mark.parametrize(
    ("printed", "at", "given"),
    [
        (le(p * (1 - p), rational(1, 5)), {"p": "1/10"}, []),
        (le(p * (1 - p), rational(1, 5)), {"p": "1/2"}, [lt(p, q)]),
        (le(p * (1 - p), rational(1, 5)), {"p": "1/2", "q": "1/3"}, [lt(p, q)]),
        (le(p * (1 - p), rational(1, 5)), {"p": "2"}, []),
        (implies(ge(1 / (p - q), p), ge(p, 1)), {"p": "1/2", "q": "1/2"}, []),
        (ge(1 / sqrt(p - q), p), {"p": "3/4", "q": "1/2"}, []),
        (ge(Derivative(log(p - q), p), 2), {"p": "1/4", "q": "1/2"}, []),
        (iff(ge(p, q), ge(1 / p, 1 / q)), {"p": "1/2", "q": "1/2"}, []),
    ],
    ids=["holds", "unknown", "supposed", "outside", "undefined premise", "holds with a root", "hidden", "equivalent"],
)
def test_what_is_not_seen_to_fail_is_not_refuted(printed, at, given):
    assert refuted(printed, at, given) is None


@pytest.mark.parametrize(
    ("printed", "at"),
    [
        (ge(1 / (p - q), p), {"p": "1/2", "q": "1/2"}),
        (ge(sqrt(p - q) / log(p), -9), {"p": "1/4", "q": "1/2"}),
        (tends_to(log(p - 1), None, p, to=0, side="+", constant=1, near=rational(1, 2)), {"p": "1/2"}),
        (tends_to(p**2, 0, p, to=0, side="+", constant=rational(1, 9)), {"p": "1/2"}),
    ],
    ids=["divided by 0", "under a root", "nearby", "rate"],
)
def test_what_has_no_value_or_rate_at_a_point_is_refuted_there(printed, at):
    assert verify(refuted(printed, at)).refuted


def test_a_limit_is_not_refuted_where_it_says_nothing():
    limit = tends_to(log(p - 1), None, p, to=0, side="+", constant=1, near=rational(1, 3))
    assert refuted(limit, {"p": "1/2"}) is None


def test_a_refutation_is_of_what_is_stated_at_a_point_that_is_there():
    made = refuted(le(p * (1 - p), q / 5), {"p": "1/2", "q": "1/2"})
    assert verify(made).refuted
    for spoil in (
        lambda data: data["refutation"]["point"]["values"].pop(),
        lambda data: data["refutation"].pop("point"),
        lambda data: data["record"]["lemmas"].append(data["record"]),
        lambda data: data["record"]["symbols"]["p"].__setitem__(0, "3/4"),
    ):
        data = copy.deepcopy(made)
        spoil(data)
        assert refusal(data)
