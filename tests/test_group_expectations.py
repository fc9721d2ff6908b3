"""Expectations over groups: against the enumeration of every group, printed and read back, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from statistics import mean, pstdev

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Derivative,
    Expression,
    Group,
    IndexSet,
    Statement,
    Substitution,
    Symbol,
    Total,
    binary,
    claim,
    drawn,
    eq,
    ge,
    judge,
    law,
    log,
    maximum,
    rational,
    real,
    sqrt,
    whole,
)
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import free_symbols, substitute
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.outputs import member as labelled
from grpo_symbolic.language.outputs import written_out
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.obligations.principles import PRINCIPLES
from grpo_symbolic.obligations.sums import at_first_numbers
from grpo_symbolic.readback.printed import AGREES, read_back
from grpo_symbolic.translate.arithmetics import exact_values
from grpo_symbolic.translate.balls import exact
from grpo_symbolic.translate.latex import expression_latex
from grpo_symbolic.translate.mathml import mathml
from grpo_symbolic.translate.program import Point, Program
from grpo_symbolic.translate.text import expression_text
from grpo_symbolic.translate.values import ValueFunction

MEMBERS = IndexSet("member", "members", "i")
OUTPUTS = IndexSet("output", "outputs", "o")
r = real("r", "(-oo, oo)", "reward of a member", latex="r_{index}", indexed=MEMBERS)
other = real("l", "(-oo, oo)", "length of a member", latex="l_{index}", indexed=MEMBERS)
policy = real("pi", "(0, 1]", "probability of an output", latex=r"\pi({index})", indexed=OUTPUTS)
reward = real("R", "(-oo, oo)", "reward of an output", latex="R({index})", indexed=OUTPUTS)
question = real("mu", "(0, 1]", "weight of a question", indexed=IndexSet("question", "questions", "q"))
friend = real("s", "(-oo, oo)", "reward of a friend", indexed=IndexSet("friend", "friends", "j"))
p = real("p", "(0, 1)", "probability of a right answer")
x = real("x", "(-oo, oo)", "any number")
size = real("G", "[2, oo)", "group size")
number = whole("G", "[2, oo)", "group size")

#: Functions of a member's reward and sums over its group, as expressions and as programs that share nothing with them.
BODIES: dict[str, tuple[Callable[[Group], Expression], Callable[[list[Fraction]], Fraction]]] = {
    "own": (lambda g: r, lambda x: x[0]),
    "mean": (lambda g: g.mean, lambda x: sum(x, Fraction(0)) / len(x)),
    "deviation": (lambda g: r - g.mean, lambda x: x[0] - sum(x) / Fraction(len(x))),
    "left out": (lambda g: r - g.others_mean, lambda x: x[0] - sum(x[1:]) / Fraction(len(x) - 1)),
    "variance": (
        lambda g: g.variance,
        lambda x: sum((y - sum(x) / Fraction(len(x))) ** 2 for y in x) / Fraction(len(x)),
    ),
    "Bessel": (
        lambda g: g.sample_variance,
        lambda x: sum((y - sum(x) / Fraction(len(x))) ** 2 for y in x) / Fraction(len(x) - 1),
    ),
    "product": (lambda g: r * Total(r) * Total(r**2), lambda x: x[0] * sum(x) * sum(y**2 for y in x)),
    "cube": (lambda g: Total(r - 2) ** 3, lambda x: sum(y - 2 for y in x) ** 3 + Fraction(0)),
    "nested": (
        lambda g: -Total(r * (Total(r) - r)) / 3 + 2,
        lambda x: 2 - sum(y * (sum(x) - y) for y in x) / Fraction(3),
    ),
}
FEW = st.fractions(-3, 3, max_denominator=4)
CHANCE = st.integers(1, 5)


def enumerated(
    body: Callable[[list[Fraction]], Fraction],
    members: int,
    values: list[Fraction],
    chances: list[Fraction],
    own: list[Fraction],
    *,
    mixed: bool = False,
) -> Fraction:
    """The expectation over every group, member by member."""
    total = Fraction(0)
    for group in product(range(len(values)), repeat=members):
        if mixed and len(set(group)) == 1:
            continue
        weight = own[group[0]] * prod(chances[kind] for kind in group[1:])
        total += weight * body([values[kind] for kind in group])
    return total


def value(expression: Expression, **symbols: Fraction) -> Fraction:
    found = exact_values(Program([unfold(expression)]), Point(dict(symbols)))
    assert found is not None, "it has no exact value"
    return found[0]


def shares(weights: list[int]) -> list[Fraction]:
    return [Fraction(weight, sum(weights)) for weight in weights]


@pytest.mark.parametrize("name", BODIES)
@given(
    members=st.integers(2, 4),
    values=st.lists(FEW, min_size=2, max_size=3, unique=True),
    weights=st.lists(CHANCE, min_size=3, max_size=3),
    alone=st.lists(CHANCE, min_size=3, max_size=3),
    mixed=st.booleans(),
)
@settings(max_examples=15, deadline=None)
def test_listed_values_agree_with_every_group(
    name: str, members: int, values: list[Fraction], weights: list[int], alone: list[int], mixed: bool
) -> None:
    count = len(values)
    chances, own = shares(weights[:count]), shares(alone[:count])
    group = Group(r, members, law([*values], [*chances[:-1]]))
    stated, program = BODIES[name]
    found = group.expectation(stated(group), given=law([*values], [*own[:-1]]), mixed=mixed)
    assert value(found) == enumerated(program, members, values, chances, own, mixed=mixed)


@pytest.mark.parametrize("name", BODIES)
@given(
    members=st.integers(2, 4),
    values=st.lists(FEW, min_size=2, max_size=2, unique=True),
    weight=CHANCE,
    alone=st.integers(0, 3),
    mixed=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_a_size_that_is_a_symbol_agrees_with_every_group(
    name: str, members: int, values: list[Fraction], weight: int, alone: int, mixed: bool
) -> None:
    chances, own = shares([weight, 2]), shares([alone, 3 - alone])
    group = Group(r, size, law([*values], [chances[0]]))
    stated, program = BODIES[name]
    expected = enumerated(program, members, values, chances, own, mixed=mixed)
    found = group.expectation(stated(group), given=law([*values], [own[0]]), mixed=mixed)
    assert ValueFunction(unfold(found), [size])([fmpq(members)]) == exact(expected)
    given_first = enumerated(program, members, values, chances, [Fraction(1), Fraction(0)])
    certain = group.expectation(stated(group), given=values[0])
    assert value(certain, G=Fraction(members)) == given_first


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (lambda g: g.is_mixed, lambda G: 1 - p**G - (1 - p) ** G),
        (lambda g: g.expectation(g.mean, mixed=True), lambda G: p - p**G),
        (lambda g: g.expectation(g.mean, given=0, mixed=True), lambda G: (1 - 1 / G) * p),
        (lambda g: g.expectation(r, given=1, mixed=True), lambda G: 1 - p ** (G - 1)),
        (lambda g: g.expectation(g.variance, mixed=True), lambda G: (1 - 1 / G) * p * (1 - p)),
    ],
)
def test_mixed_groups_of_any_size_are_decided(
    stated: Callable[[Group], Expression], expected: Callable[[Expression], Expression]
) -> None:
    of_any_size = stated(Group(r, number, binary(p)))
    assert judge(eq(of_any_size, expected(number))).verdict is Verdict.DECIDED
    assert judge(eq(of_any_size, expected(number + 1))).verdict is Verdict.REFUTED
    for members in (2, 3, 4):
        assert judge(eq(stated(Group(r, members, binary(p))), expected(rational(members)))).verdict is Verdict.DECIDED


@pytest.mark.parametrize("name", BODIES)
@given(members=st.integers(2, 4), values=st.lists(FEW, min_size=2, max_size=2), weight=CHANCE)
@settings(max_examples=10, deadline=None)
def test_drawn_values_agree_with_every_group(name: str, members: int, values: list[Fraction], weight: int) -> None:
    chances = shares([weight, 3])
    group = Group(r, members, drawn(reward, policy))
    stated, program = BODIES[name]
    found = written_out(unfold(group.expectation(stated(group), given=reward)), "1", ("1", "2"))
    pairs = zip("12", chances, values, strict=True)
    at = {
        name: number
        for label, chance, gain in pairs
        for name, number in ((labelled(policy, label).name, chance), (labelled(reward, label).name, gain))
    }
    assert value(found, **at) == enumerated(program, members, values, chances, [Fraction(1), Fraction(0)])


def test_the_sample_mean_is_unbiased_for_every_policy_and_size() -> None:
    group = Group(r, size, drawn(reward, policy))
    mean = Total(policy * reward)
    assert judge(eq(group.expectation(group.mean), mean), given=[eq(Total(policy), 1)]).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("expectation", "given_that"),
    [
        (Group(r, size, drawn(reward, policy)).expectation(r), []),
        (Group(r, 3, binary(2 * p)).expectation(r), []),
        (Group(r, 3, binary(p)).expectation(r, given=binary(p - rational(1, 2))), []),
    ],
    ids=["a policy that does not sum to one", "a probability above one", "a negative one of the member"],
)
def test_what_is_no_probability_is_noticed(expectation: GroupExpectation, given_that: list[object]) -> None:
    found = judge(eq(expectation, expectation))
    assert found.verdict is Verdict.REFUTED
    (refuted,) = {item.obligation for item in found.evidence if item.verdict is Verdict.REFUTED}
    assert refuted == "claim: well defined"


def positive(symbol: Symbol) -> Symbol:
    return replace(symbol, domain=p.domain)


@pytest.mark.parametrize(
    "stated",
    [
        eq(Group(r, 1 / x, binary(p)).expectation(r), p),
        ge(Group(r, real("n", "(0, 1)", "size"), binary(p)).expectation(r), 0),
        eq(Group(r, 3, law([1 / x, 0], [p])).expectation(2), 2),
        eq(
            Group(positive(r), 2, law([-1, -2], [p])).expectation(Derivative(log(positive(r)), positive(r))),
            (-1 - p) / 2,
        ),
        eq(
            Group(positive(r), 2, law([2, 0], [p])).expectation(
                Group(friend, 2, binary(positive(r))).expectation(friend)
            ),
            2 * p,
        ),
    ],
    ids=["no size", "a size below one", "no value", "no logarithm at the values", "no probability at the values"],
)
def test_what_has_no_value_for_members_is_noticed(stated: Statement) -> None:
    found = judge(stated)
    assert found.verdict is Verdict.REFUTED
    assert {item.obligation for item in found.evidence if item.verdict is Verdict.REFUTED} == {"claim: well defined"}


def test_only_the_values_of_members_count_inside() -> None:
    group = Group(r, 2, law([rational(1, 2), rational(1, 3)], [p]))
    inner = Group(friend, 2, binary(r)).expectation(friend)
    assert judge(eq(group.expectation(inner), p / 2 + (1 - p) / 3)).verdict is Verdict.DECIDED
    assert judge(eq(group.expectation(Derivative(log(r), r)), 3 - p)).verdict is Verdict.DECIDED


def test_a_sum_over_members_does_not_become_one_over_other_elements() -> None:
    expectation = Group(r, 3, binary(p)).expectation(Total(Derivative(r + p, p)))
    assert judge(eq(expectation, Total(rational(1)))).verdict is Verdict.UNDECIDED
    with pytest.raises(UnsupportedError, match="multiply by the size"):
        unfold(expectation)


@pytest.mark.parametrize("body", [rational(1), r, Total(r) / size])
def test_a_law_that_sums_to_one_only_here_has_no_derivative_by_a_coordinate(body: Expression) -> None:
    slope = Derivative(Group(r, size, drawn(reward, policy)).expectation(body), policy)
    found = judge(eq(slope, slope), given=[eq(Total(policy), 1)])
    assert found.verdict is Verdict.REFUTED


def test_the_members_of_an_expectation_do_not_hide_a_second_index_set() -> None:
    mean = Group(r, 3, binary(p)).expectation(r)
    stated = eq(mean * Total(rational(1), MEMBERS), p * Total(rational(1), OUTPUTS))
    assert judge(stated).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("total", "value"),
    [
        (Total(p * r), Group(r, 3, binary(p)).expectation(r, given=r)),
        (Total(p * policy), Substitution(reward, reward, reward)),
    ],
)
def test_a_coordinate_outside_of_what_binds_it_is_of_one_element(total: Expression, value: Expression) -> None:
    with pytest.raises(DeclarationError, match="of one element"):
        substitute(total, {p: value})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Group(r, 1, binary(p)).expectation(r),
            "a group of 1 members: it takes a whole number",
        ),
        (lambda: Group(r, Fraction(5, 2), binary(p)).expectation(r), "a group of 5/2 members"),
        (lambda: Group(p, 3, binary(p)).expectation(p), "p is not indexed by the members of a group"),
        (lambda: Group(r, 3, binary(p)).expectation(r * other), "l is another symbol of the members"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(rational(1), MEMBERS)), "multiply by the size"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(r * policy)), "over members or over outputs: say over which"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(r * policy, MEMBERS)), "and over other elements at once"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(r * policy, OUTPUTS)), "and over other elements at once"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(policy * Total(r))), "over other elements at once"),
        (lambda: Group(r, 3, binary(p)).expectation(Total(Total(r), OUTPUTS)), "over other elements at once"),
        (
            lambda: Group(r, 3, binary(p)).expectation(Binder("integral", p * r, p, rational(0), rational(1))),
            "binds p inside of an expectation",
        ),
        (
            lambda: Group(r, size, drawn(reward, policy)).expectation((r - reward) ** 2),
            "R is of one element, and another one is drawn",
        ),
        (
            lambda: Group(r, 3, binary(p)).expectation((r - reward) ** 2, given=drawn(reward, policy)),
            "R is of one element, and another one is drawn",
        ),
        (lambda: Group(r, size, drawn(reward, policy)).expectation(r * question), "mu is of one element"),
        (lambda: law([1, 0], [p, 1 - p]), "a chance for each of them but the last"),
        (lambda: drawn(p, policy), "p is no coordinate"),
        (lambda: Group(r, 3, law([p, 0], [p])).expectation(r, mixed=True), "only if its values are different numbers"),
        (lambda: Group(r, 3, law([1, 1], [p])).expectation(r, mixed=True), "only if its values are different numbers"),
        (lambda: Group(r, 3, binary(p)).expectation(r, given=2, mixed=True), "values are different numbers"),
    ],
)
def test_what_means_nothing_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        make()


@pytest.mark.parametrize(
    ("group", "body", "mixed", "message"),
    [
        (Group(r, size, binary(p)), sqrt(Total(r)), False, "no polynomial in sums over the G members"),
        (Group(r, size, binary(p)), sqrt(Total(r)), True, "no polynomial in sums over the G members"),
        (Group(r, 3, drawn(reward, policy)), maximum(Total(r), 1), False, "no polynomial in sums over the 3 members"),
        (Group(r, size, binary(p)), Total(r) ** 6, False, "have too many terms"),
        (Group(r, size, binary(p)), (Group(r, size, binary(p)).variance - 1) ** 4, True, "have too many terms"),
    ],
)
def test_what_has_no_closed_form_is_left_open(group: Group, body: Expression, mixed: bool, message: str) -> None:
    expectation = group.expectation(body, mixed=mixed)
    with pytest.raises(UnsupportedError, match=message):
        unfold(expectation)
    assert judge(eq(expectation, 1)).verdict is Verdict.UNDECIDED


def test_what_has_no_closed_form_costs_no_other_claim() -> None:
    group = Group(r, size, binary(p))
    made = claim("example.root", "It may be stated", eq(group.expectation(sqrt(Total(r))), 1), given=[eq(p, p)])
    assert made.id == "example.root"


def test_a_value_that_the_law_lists_twice_is_certain_once() -> None:
    group = Group(r, 2, law([3, 3, 0], [p / 3, p / 3]))
    assert judge(eq(group.expectation(Total(r), given=3), 3 + 2 * p)).verdict is Verdict.DECIDED


def test_the_member_is_bound() -> None:
    expectation = Group(r, 3, binary(p)).expectation(r * p)
    assert free_symbols(expectation) == (p,)
    assert substitute(expectation, {r: rational(5)}) == expectation
    with pytest.raises(DeclarationError, match="which binds it"):
        substitute(expectation, {p: r / 2})
    q = real("q", "(0, 1)", "another probability")
    moved = substitute(expectation, {p: q})
    assert moved == Group(r, 3, binary(q)).expectation(r * q)


def test_no_element_gets_into_a_law_by_which_elements_are_drawn() -> None:
    expectation = Group(r, size, drawn(reward, p * policy)).expectation(r)
    with pytest.raises(DeclarationError, match="of one element"):
        substitute(expectation, {p: policy})
    assert substitute(expectation, {p: size}) == Group(r, size, drawn(reward, size * policy)).expectation(r)


def test_an_expectation_is_differentiated_by_what_its_law_depends_on() -> None:
    group = Group(r, 3, binary(p))
    assert judge(eq(Derivative(group.expectation(group.is_mixed), p), 3 - 6 * p)).verdict is Verdict.DECIDED


def test_a_derivative_inside_is_taken_before_members_get_their_values() -> None:
    group = Group(r, 3, law([p, 0], [rational(1, 2)]))
    assert value(group.expectation(Derivative(p * r, p)), p=Fraction(1, 3)) == Fraction(1, 6)


def spoken_of() -> dict[str, Expression]:
    three, any_size = Group(r, 3, binary(p)), Group(r, size, drawn(reward, policy))
    advantage = (r - three.mean) / sqrt(three.variance)
    return {
        "plain": three.expectation(three.mean),
        "mixed, given": three.expectation(advantage, given=1, mixed=True),
        "given a law": three.expectation(r - three.others_mean, given=binary(p**2)),
        "certain": any_size.expectation(r - any_size.mean, given=reward),
        "inside a sum": Total(policy * any_size.expectation(r - any_size.mean, given=reward)),
        "three values": Group(r, 4, law([2, 0, -1], [p / 2, p / 3])).expectation(r**2),
        "nested": three.expectation((r - three.expectation(r)) ** 2),
        "with an outer coordinate": any_size.expectation((r - any_size.mean) * reward, given=reward),
    }


@pytest.mark.parametrize("name", spoken_of())
def test_what_is_printed_is_read_back(name: str) -> None:
    expression = spoken_of()[name]
    latex = str(expression_latex(expression))
    assert read_back(latex, expression) == AGREES
    assert mathml(latex).startswith("<math")
    for before, after in (("r_i", "2 r_i"), (r"\sum_{i'}", r"2 \sum_{i'}"), (r"\mathrm{B}(p)", r"\mathrm{B}(p^2)")):
        at = latex.find("[")
        if before in latex[at:]:
            changed = latex[:at] + latex[at:].replace(before, after, 1)
            assert read_back(changed, expression) != AGREES, changed


def test_texts_tell_expectations_apart() -> None:
    texts = [expression_text(expression) for expression in spoken_of().values()]
    assert len(set(texts)) == len(texts)
    assert texts[0] == "E[Σ(r)/3 for 3 with r ~ {1: p, 0: else}]"


@pytest.mark.slow
def test_slips_in_an_expectation_are_caught() -> None:
    group = Group(r, 3, binary(p))
    variance = eq(group.expectation(group.variance), rational(2, 3) * p * (1 - p))
    assert judge(variance).verdict is Verdict.DECIDED
    stated = {mutant.change: mutant.statement for mutant in mutants(variance) if mutant.statement is not None}
    assert len(stated) > 5
    assert [change for change, one in stated.items() if judge(one).verdict is not Verdict.REFUTED] == []


def test_which_groups_count_and_what_is_known_are_slips_too() -> None:
    expectation = Group(r, 3, binary(p)).expectation(r, given=1, mixed=True)
    changes = {mutant.change: mutant.statement for mutant in mutants(eq(expectation, 1 - p**2))}
    for change in ("all groups count", "nothing is known of the member"):
        stated = changes[change]
        assert stated is not None
        assert judge(stated).verdict is Verdict.REFUTED


def test_its_rules_are_listed() -> None:
    rules = [item.name for item in PRINCIPLES if GroupExpectation in item.kinds]
    assert rules == ["expectation by counts", "linearity of expectations", "conditioning on one member"]


def test_an_inequality_between_expectations_is_decided() -> None:
    group = Group(r, 4, binary(p))
    assert judge(ge(group.expectation(group.variance), 0)).verdict is Verdict.DECIDED


# Two values and a size that is a whole number: a sum over how many of the others have the first value.

ROOTS: dict[str, tuple[Callable[[Group], Expression], Callable[[tuple[int, ...]], float], bool]] = {
    "advantage": (lambda g: (r - g.mean) / sqrt(g.variance), lambda x: (x[0] - mean(x)) / pstdev(x), True),
    "deviation": (lambda g: sqrt(g.variance), pstdev, False),
    "deviation of mixed ones": (lambda g: r * sqrt(g.variance), lambda x: x[0] * pstdev(x), True),
}


def over_every_group(value: Callable[[tuple[int, ...]], float], members: int, own: float, mixed: bool) -> float:
    chances = {1: 0.25, 0: 0.75}
    return sum(
        (own if group[0] else 1 - own) * prod(chances[one] for one in group[1:]) * value(group)
        for group in product((0, 1), repeat=members)
        if not mixed or len(set(group)) > 1
    )


@pytest.mark.parametrize("members", [2, 3, 5])
@pytest.mark.parametrize("own", [0, 1, Fraction(1, 3), None])
@pytest.mark.parametrize("name", ROOTS)
def test_a_sum_over_counts_agrees_with_every_group(name: str, own: Fraction | int | None, members: int) -> None:
    body, value, mixed = ROOTS[name]
    group = Group(r, whole("G", f"[{members}, oo)", "group size"), binary(p))
    given_that = binary(rational(own.numerator, own.denominator)) if isinstance(own, Fraction) else own
    expected = unfold(group.expectation(body(group), given=given_that, mixed=mixed))
    _, (there,) = next(at_first_numbers((eq(expected, x),)))
    assert isinstance(there, Relation)
    (found,) = [ValueFunction(there.left, (p,))([exact(Fraction(1, 4))])]
    assert float(found) == pytest.approx(
        over_every_group(value, members, 0.25 if own is None else float(own), mixed), abs=1e-12
    )


@pytest.mark.slow
def test_what_a_sum_over_counts_says_falsely_is_refuted() -> None:
    group = Group(r, number, binary(p))
    deviation = group.expectation(sqrt(group.variance))
    for wrong in (sqrt(p * (1 - p)), p * (1 - p), (1 - 1 / number) * sqrt(p * (1 - p))):
        assert judge(eq(deviation, wrong)).verdict is Verdict.REFUTED
    # For groups of two it is p (1 - p), and sums that nothing is known of decide nothing.
    assert judge(ge(deviation, p * (1 - p))).verdict not in (Verdict.DECIDED, Verdict.REFUTED)


def test_no_sum_over_counts_without_two_values_and_a_whole_size() -> None:
    for group in (
        Group(r, size, binary(p)),
        Group(r, number, law([1, 0, 2], [p / 2, p / 2])),
        Group(r, number, drawn(reward, policy)),
    ):
        with pytest.raises(UnsupportedError, match="is no polynomial in sums over the G members"):
            unfold(group.expectation(sqrt(group.variance)))


def test_the_letter_of_a_count_is_a_new_one() -> None:
    k = real("k", "(0, 1)", "a probability")
    group = Group(r, number, binary(k))
    found = unfold(group.expectation(sqrt(group.variance), given=1))
    assert isinstance(found, Binder)
    assert found.symbol.name == "k_1"
    assert k in free_symbols(found)
