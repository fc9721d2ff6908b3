"""Expectations over a group in the kernel: what they come to, by counting every group, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grpo_symbolic.kernel.kinds import parts
from grpo_symbolic.kernel.statements import Record, digest, read_record
from grpo_symbolic.kernel.terms import RefusedError, Term, allow, conditions, conjuncts, forget
from grpo_symbolic.kernel.verify import verify

LINE = [None, None, False, False, False, [], None]
SYMBOLS: dict[str, list[Any]] = {
    **{"c": LINE, "G": LINE, "n": ["2", None, True, False, True, [], None]},
    # What members have, and elements that are drawn.
    **{name: [*LINE[:5], ["i"], None] for name in ("r", "s")},
    **{name: [*LINE[:5], ["o"], None] for name in ("R", "p", "q")},
    **{"w": [*LINE[:5], ["i", "o"], None], "r2": [*LINE[:5], ["j"], "r"]},
}
CERTAIN = (["1"], [])


def written(nodes: list[Any], term: Any) -> int:
    """The place of a nested list, in which a text is a symbol or a number, and one in a tuple a letter."""
    if isinstance(term, str):
        node: Any = term if term.lstrip("-")[:1].isdigit() else ["sym", term]
    else:
        inner = ((one[0] if isinstance(one, tuple) else one) for one in term[1:])
        node = [term[0], *(written(nodes, one) if isinstance(one, list) else one for one in inner)]
        node[1:] = [
            written(nodes, one) if isinstance(one, str) and not isinstance(term[at], tuple) else one
            for at, one in enumerate(node[1:], start=1)
        ]
    nodes.append(node)
    return len(nodes) - 1


def data_of(statement: Any, *given: Any, **more: Any) -> Any:
    nodes: list[Any] = []
    stated, known = written(nodes, statement), [written(nodes, one) for one in given]
    record = {"format": 1, "id": "a", "symbols": SYMBOLS, "definitions": {}, "terms": nodes, "statement": stated}
    return record | {"given": known, "assumed": False, "lemmas": [], "derivation": None} | more


def expected(
    body: Any,
    law: Any = (["1", "0"], ["c"]),
    own: Any = None,
    *,
    size: Any = "2",
    member: str = "r",
    mixed: Any = False,
) -> list[Any]:
    lists = (["list", *some] for some in (*law, *(own or law)))
    return ["expectation", body, member, size, *lists, mixed]


def over(body: Any, letter: str = "i") -> list[Any]:
    return ["total", body, (letter,)]


DRAWN = (["R"], ["p"])


@pytest.fixture(autouse=True)
def _forget() -> None:
    forget()


# What they come to.


class Everything:
    """Values of symbols at the elements of sets, and what terms are there: expectations by counting every group."""

    def __init__(self, record: Record, plain: dict[str, Fraction], cells: dict[tuple[str, int], Fraction], size: int):
        self.record, self.plain, self.cells, self.sizes = record, plain, cells, {"o": size}

    def value(self, term: Term, at: dict[str, int]) -> Fraction:
        op, args = term.op, term.args
        if op == "num":
            return args[0]
        if op == "sym":
            letters = self.record.symbol(args[0]).letters
            return self.cells[args[0], at[letters[0]]] if letters else self.plain[args[0]]
        if op == "total":
            return sum((self.value(args[0], {**at, args[1]: one}) for one in range(self.sizes[args[1]])), Fraction(0))
        if op == "expectation":
            return self.counted(args, at)
        if op == "exp":
            # A power of a chance.
            times, log = args[0].args
            return self.value(log.args[0], at) ** int(self.value(times, at))
        one, other = (self.value(args[n], at) for n in (0, -1))
        match op:
            case "power":
                return one ** int(other)
            case "divide":
                return one / other
        found = {"add": one + other, "subtract": one - other, "multiply": one * other, "negate": -one}
        return (found | {"absolute": abs(one), "maximum": max(one, other)})[op]

    def counted(self, args: Any, at: dict[str, int]) -> Fraction:
        body, member, size, values, chances, own_values, own_chances, mixed = args
        number, total = int(self.value(size, at)), Fraction(0)
        law, own = self.law(values.args, chances.args, at), self.law(own_values.args, own_chances.args, at)
        for group in product(own, *[law] * (number - 1)):
            if not mixed or len({value for value, _ in group}) > 1:
                self.cells |= {(member.args[0], place): value for place, (value, _) in enumerate(group)}
                self.sizes["i"] = number
                total += prod(chance for _, chance in group) * self.value(body, {**at, "i": 0})
        return total

    def law(self, values: Any, chances: Any, at: dict[str, int]) -> list[tuple[Fraction, Fraction]]:
        if len(values) == len(chances):
            elements = [{**at, "o": one} for one in range(self.sizes["o"])]
            return [(self.value(values[0], one), self.value(chances[0], one)) for one in elements]
        known = [self.value(one, at) for one in chances]
        return list(zip((self.value(one, at) for one in values), [*known, 1 - sum(known)], strict=True))


def grown(plain: Any) -> st.SearchStrategy[Any]:
    pairs = st.tuples(st.sampled_from(["add", "subtract", "multiply"]), plain, plain)
    ones = st.tuples(st.just("negate"), plain) | st.tuples(st.just("divide"), plain, st.sampled_from(["3", "-2"]))
    squares = st.tuples(st.just("power"), plain, st.just("2"))
    sums = st.tuples(st.just("total"), st.tuples(st.just("multiply"), st.just("r"), plain), st.just(("i",)))
    return (pairs | ones | squares | sums).map(list)


SMALL = st.recursive(st.sampled_from(["r", "c", "2", "-1/2", over("r")]), grown, max_leaves=6)
ANY = st.recursive(SMALL, lambda one: st.tuples(st.sampled_from(["maximum", "add"]), one, one).map(list), max_leaves=4)
SHARES = st.lists(st.integers(1, 4), min_size=2, max_size=2).map(lambda two: Fraction(two[0], sum(two)))
FEW = st.fractions(-2, 2, max_denominator=3)


def listed(body: Any) -> Any:
    """Tuples in nested lists as lists, but for letters."""
    if isinstance(body, tuple) and len(body) > 1:
        body = [*body]
    return [listed(one) for one in body] if isinstance(body, list) else body


def same(stated: Any, plain: dict[str, Fraction], cells: dict[tuple[str, int], Fraction] | None = None) -> None:
    """What is unfolded has the value that counting has."""
    record = read_record(data_of(["=", stated, "0"]))
    term = record.statement.args[0]
    try:
        allow(10**6)
        unfolded = record.unfold(term, [])
    except RefusedError as error:
        assume("too" not in str(error) and "larger" not in str(error))
        raise
    finally:
        allow(float("inf"))
    assert "expectation" not in repr(unfolded)
    known = Everything(record, plain, cells or {}, 2)
    assert known.value(unfolded, {"o": 0}) == known.value(term, {"o": 0})


@given(ANY, FEW, SHARES, SHARES, st.integers(2, 3), st.booleans())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_listed_values_agree_with_every_group(
    body: Any, c: Fraction, chance: Fraction, own: Fraction, size: int, mixed: bool
) -> None:
    values = ["1", "0", "-3/2"]
    law, alone = ([str(chance / 2), str(chance / 2)], [str(own), str((1 - own) / 3)])
    same(expected(listed(body), (values, law), (values, alone), size=str(size), mixed=mixed), {"c": c})
    if not mixed:
        same(expected(listed(body), (values, law), (["1", "c"], [str(own)]), size=str(size)), {"c": c})


@given(SMALL, FEW, SHARES, SHARES, st.integers(2, 4), st.booleans())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_size_that_is_a_symbol_agrees_with_every_group(
    body: Any, c: Fraction, chance: Fraction, own: Fraction, size: int, mixed: bool
) -> None:
    values = ["2", "-1"]
    stated = expected(listed(body), (values, [str(chance)]), (values, [str(own)]), size="n", mixed=mixed)
    same(stated, {"c": c, "n": Fraction(size)})


@given(SMALL, FEW, SHARES, SHARES, FEW, FEW, st.integers(2, 3), st.integers(0, 3))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_drawn_values_agree_with_every_group(
    body: Any, c: Fraction, chance: Fraction, own: Fraction, first: Fraction, second: Fraction, size: int, kind: int
) -> None:
    alone = [DRAWN, (["R"], ["q"]), (["R"], []), CERTAIN][kind]
    cells = {("p", 0): chance, ("p", 1): 1 - chance, ("q", 0): own, ("q", 1): 1 - own}
    cells |= {("R", 0): first, ("R", 1): second}
    for number in ("n", str(size)):
        same(expected(listed(body), DRAWN, alone, size=number), {"c": c, "n": Fraction(size)}, cells)


def test_values_that_are_listed_twice_are_counted_twice() -> None:
    law = (["1", "1", "0"], ["1/3", "1/3"])
    same(expected(["power", over("r"), "2"], law, size="4"), {})
    same(expected(["power", over("r"), "2"], law, size="n"), {"n": Fraction(4)})


def test_an_expectation_in_an_expectation_is_carried_out_first() -> None:
    inner = expected(["multiply", "r", over("r")], (["1", "0"], ["1/3"]), size="2")
    same(expected(["multiply", "r", inner], (["c", "0"], ["1/4"]), size="3"), {"c": Fraction(5)})


# What is hidden.


def asked(statement: Any, *given: Any) -> set[str]:
    found = set[str]()
    for part in parts(read_record(data_of(statement, *given)), "claim"):
        values = (*part.hidden, *(side for one in conjuncts(part.conclusion) for side in one.args))
        found |= {str(one) for value in values for one in conditions(value)}
    return found


def test_chances_are_not_negative() -> None:
    assert {">=(c, 0)", ">=(subtract(1, c), 0)"} <= asked(["=", expected("r"), "c"])
    assert ">=(-1, 0)" in asked(["=", expected("r", (["1", "0"], ["2"])), "2"])
    assert ">=(-1/2, 0)" in asked(["=", expected("r", own=(["1", "0"], ["-1/2"])), "c"])
    assert ">=(-1/2, 0)" in asked(["=", expected("r", (["1", "0", "2"], ["3/4", "3/4"])), "c"])
    assert {">=(p, 0)", ">=(q, 0)"} <= asked(["=", expected("r", DRAWN, (["R"], ["q"]), size="n"), "c"])


def test_chances_of_elements_sum_to_one() -> None:
    gap = ">=(negate(power(subtract(total({}, 'o'), 1), 2),), 0)"
    assert {gap.format("p"), gap.format("q")} <= asked(["=", expected("r", DRAWN, (["R"], ["q"]), size="3"), "c"])


def test_nothing_is_drawn_with_no_chance() -> None:
    found = asked(["=", expected("r", (["R"], ["0"]), size="n"), "0"])
    assert ">=(negate(power(subtract(total(0, 'o'), 1), 2),), 0)" in found


def test_there_are_two_members_and_values_are_values() -> None:
    assert ">=(subtract(G, 2), 0)" in asked(["=", expected(over("r"), size="G"), "c"])
    assert "!=(c, 0)" in asked(["=", expected("1", ([["divide", "1", "c"], "0"], ["1"])), "1"])


def test_what_is_given_is_about_groups_as_well() -> None:
    assert {">=(c, 0)", ">=(subtract(1, c), 0)"} <= asked(["=", "1", "1"], ["=", expected("r"), "1/2"])


def test_next_to_a_point_chances_have_to_be_some_as_well() -> None:
    """Or else the mean of what is drawn would have a derivative by a chance, where all others stay what they are."""
    found = asked(["=", ["derivative", expected("r"), "c"], "1"])
    assert {">(c, 0)", ">(subtract(1, c), 0)"} <= found
    drawn = asked(["=", ["derivative", expected("r", DRAWN, size="n"), "p"], "R"], ["=", over("p", "o"), "1"])
    assert ">(negate(power(subtract(total(p, 'o'), 1), 2),), 0)" in drawn
    assert ">(subtract(G, 2), 0)" in asked(["=", ["derivative", expected(over("r"), size="G"), "G"], "c"])


# What is refused.

UNCLEAR: dict[str, tuple[Any, str]] = {
    "a member without a letter": (expected("c", member="c"), "not what each member"),
    "a member of two sets": (expected("w", member="w"), "not what each member"),
    "what a further member has": (expected("r2", member="r2"), "not what each member"),
    "one member": (expected("r", size="1"), "a group of 1"),
    "members that are no whole number": (expected("r", size="5/2"), "whole"),
    "a quotient of members": (expected("r", size=["divide", "5", "2"]), "whole"),
    "too many members": (expected("r", size="1000000000"), "too many"),
    "another symbol of the members": (expected(["add", "r", "s"]), "another symbol"),
    "a further element": (expected(["add", "r", "r2"]), "another symbol"),
    "a delta": (expected(["multiply", "r", ["delta", ("j",), ("i",)]]), "another symbol"),
    "a sum over members of nothing": (expected(over("1")), "none of them"),
    "a sum over others of members": (expected(over("r", "o")), "over others"),
    "a sum over members and others": (expected(over(["multiply", "r", "R"])), "another element"),
    "chances that the member has": (expected("r", (["1", "0"], ["r"])), "outside depends"),
    "values that another one has": (expected("r", (["s", "0"], ["c"])), "another symbol"),
    "values that the member has": (expected(over("r"), own=(["r"], [])), "outside depends"),
    "a size that the member has": (expected("r", size="r"), "outside depends"),
    "chances of all members": (expected("r", (["1", "0"], [over("1")])), "none of them"),
    "members that draw members": (expected("r", (["s"], ["s"]), size="n"), "another symbol"),
    "a law without its chances": (expected("r", (["1", "0"], [])), "a chance for each"),
    "a chance too many": (expected("r", (["1", "0"], ["1/3", "1/3"])), "a chance for each"),
    "a chance of what is not drawn": (expected("r", (["c"], ["1"])), "a chance for each"),
    "no values": (expected("r", ([], [])), "a chance for each"),
    "groups that are mixed of one value": (expected("1", (["1"], []), mixed=True), "different numbers"),
    "groups that are mixed of equal values": (expected("1", (["1", "1"], ["c"]), mixed=True), "different numbers"),
    "groups that are mixed of any values": (expected("1", (["1", "c"], ["c"]), mixed=True), "different numbers"),
    "groups that are mixed of drawn values": (expected("1", DRAWN, size="n", mixed=True), "different numbers"),
    "groups that are mixed of others": (expected("1", own=(["0", "1"], ["c"]), mixed=True), "different numbers"),
    "one element where another is drawn": (expected(["multiply", "r", "R"], DRAWN, size="n"), "of one element"),
    "a root of a sum where a size is a symbol": (expected(["sqrt", over("r")], size="n"), "no polynomial"),
    "a sum that is large": (expected(["power", over("r"), "1000000"], size="n"), "no polynomial"),
    "a product of many sums": (expected(["power", ["power", ["add", over("r"), "r"], "6"], "6"], size="n"), "too many"),
    "a derivative in the body": (expected(["derivative", ["power", "r", "2"], "r"]), "outside depends"),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_is_unclear_is_refused(name: str) -> None:
    stated, why = UNCLEAR[name]
    allow(5_000_000)
    try:
        with pytest.raises(RefusedError, match=why):
            parts(read_record(data_of(["=", stated, stated])), "claim")
    finally:
        allow(float("inf"))


@pytest.mark.parametrize(
    "node",
    [
        expected("r", member="2"),
        expected("r", mixed=("x",)),
        expected("r")[:-1],
        [*expected("r")[:4], "c", *expected("r")[5:]],
        [*expected(["=", "r", "1"])],
    ],
)
def test_what_is_no_expectation_is_no_record(node: Any) -> None:
    with pytest.raises(RefusedError):
        read_record(data_of(["=", node, "1"]))


def test_an_expectation_couples_elements_though_no_sum_is_written() -> None:
    """A premise about one element would else be known of that one alone, and not of every one that is drawn."""
    drawn = expected("r", DRAWN, size="n")
    assert read_record(data_of(["=", drawn, "c"])).couples
    with pytest.raises(RefusedError, match="at one element or at every one"):
        parts(read_record(data_of(["any", ["implies", [">=", "R", "c"], [">=", drawn, "c"]]])), "claim")


def test_a_value_is_not_put_for_what_is_bound() -> None:
    record = read_record(data_of(["=", ["substitution", expected("r"), "r", "5"], ["add", "r", "c"]]))
    unfolded = record.unfold(record.statement.args[0], [])
    assert "r" not in unfolded.free
    known = Everything(record, {"c": Fraction(1, 3)}, {}, 2)
    assert known.value(unfolded, {}) == Fraction(1, 3)


def test_a_value_of_one_element_is_not_put_where_elements_are_drawn() -> None:
    stated = ["substitution", expected(["multiply", "c", "r"], (["R"], [["multiply", "p", "c"]]), size="n"), "c", "R"]
    with pytest.raises(RefusedError, match="does not fit"):
        parts(read_record(data_of(["=", stated, "0"])), "claim")


def test_nothing_is_refuted_by_a_group_of_no_whole_number() -> None:
    """The number of ordered triples of others is not negative, but at two and a half members that polynomial is."""
    stated = expected(["multiply", "r", over(["multiply", "r", over("r")])], size="G")
    data = data_of([">=", ["multiply", stated, ["subtract", "G", "3"]], "0"])
    at = [["c", written(data["terms"], "1/2")], ["G", written(data["terms"], "5/2")]]
    with pytest.raises(RefusedError, match="no whole numbers"):
        verify({"record": data, "refutation": {"terms": [], "point": {"sizes": {}, "values": at, "laws": []}}})


def test_the_digest_is_of_every_part() -> None:
    both = (["1", "0"], ["c"])
    stated = [
        expected("r"),
        expected(over("r")),
        expected("r", size="3"),
        expected("r", (["1", "2"], ["c"]), both),
        expected("r", (["1", "0"], ["1/2"]), both),
        expected("r", both, (["1", "2"], ["c"])),
        expected("r", both, (["1", "0"], ["1/2"])),
        expected("r", mixed=True),
        expected("r", DRAWN, both),
        expected("r", both, DRAWN),
    ]
    found = set[str]()
    for one in (*stated, expected("s", member="s")):
        record = read_record(data_of(["=", one, "0"]))
        found.add(digest(record, record.statement, record.given))
    assert len(found) == len(stated)
