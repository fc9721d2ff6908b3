"""The kernel's own expansion of statements: what it asks for, what it refuses, and that the engine plans the same."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from grpo_symbolic.derivation.chain import Claim, Derivation, Step
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.records import Records, record_of
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.verdicts import Inquiry
from grpo_symbolic.kernel import terms
from grpo_symbolic.kernel.kinds import Clause, parts, premises
from grpo_symbolic.kernel.ranges import Ranges
from grpo_symbolic.kernel.statements import Record, composed, digest, lemma_statement, read_record, rests_on
from grpo_symbolic.kernel.terms import (
    RELATIONS,
    RefusedError,
    Term,
    conditions,
    conjuncts,
    is_elementary,
    make,
    number,
    sym,
)
from grpo_symbolic.language import definedness
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Limit,
    Monotone,
    Summed,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.expression import (
    Apply,
    Definition,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.nearby import EveryIterate, FixedPoint, LocalExtremum
from grpo_symbolic.language.statement import (
    All,
    Equivalent,
    Implies,
    Relation,
    Statement,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
)
from grpo_symbolic.language.statement import (
    Any as AnyOf,
)
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.vocabulary import rational, real, whole
from grpo_symbolic.obligations import expansion
from grpo_symbolic.obligations.obligation import Obligation, unfold_statement

MEMBERS = IndexSet("member", "members", "i")
X, Y = real("x", "(0, oo)", "a number"), real("y", "(-oo, oo)", "another")
W = real("w", "(-oo, oo)", "one more")
HALF = rational(1, 2)
P = replace(real("p", "(0, 1)", "a part", latex="p_{index}"), indexed=MEMBERS)
Q = replace(real("q", "(-oo, oo)", "a gain", latex="q_{index}"), indexed=MEMBERS)


@pytest.fixture(autouse=True)
def _forget() -> None:
    terms.forget()


def _record(claim: Claim) -> Any:
    return record_of(claim)[0]


def read(statement: Statement, *given: Statement, **more: Any) -> Record:
    return read_record(_record(Claim("a.claim", "a claim", statement, given, **more)))


def asked(statement: Statement, *given: Statement, plan: object = "claim") -> tuple[Clause, ...]:
    return parts(read(statement, *given), plan)


def sqrt(value: Expression) -> Expression:
    return Apply("sqrt", (value,))


def log(value: Expression) -> Expression:
    return Apply("log", (value,))


# What is asked for.


def goals(found: Iterable[Clause]) -> Counter[str]:
    """What is to be shown, without its facts: conclusions and conditions of values."""
    return Counter(str(one) for part in found for one in (*conjuncts(part.conclusion), *needed(part)))


def needed(part: Clause) -> Iterator[Term]:
    for value in (*part.hidden, *sides(part.conclusion)):
        yield from conditions(value)


def sides(statement: Term) -> Iterator[Term]:
    for one in statement.args:
        if statement.op in RELATIONS:
            yield one
        else:
            yield from sides(one)


def test_what_is_differentiated_has_a_value() -> None:
    assert ">(y, 0)" in goals(asked(eq(Derivative(log(Y), Y) * Y, 1)))
    at_minus_one = eq(Substitution(Derivative(log(Y), Y), Y, rational(-1)), -1)
    assert ">(-1, 0)" in goals(asked(at_minus_one))
    assert ">(y, 0)" in goals(asked(eq(Y, Y), eq(Derivative(log(Y), Y), 1)))


def test_a_half_power_has_no_derivative_where_it_ends() -> None:
    z = real("z", "[0, oo)", "a number")
    found = asked(eq(Substitution(Derivative(z ** rational(3, 2), z), z, rational(0)), 0))
    assert ">(0, 0)" in goals(found)


def test_the_derivative_in_a_function_is_taken_before_its_arguments_are_put() -> None:
    u = real("u", "(0, oo)", "an argument")
    slope = Definition("s", (u,), Derivative(X * u, X), "s")
    (part,) = asked(eq(slope(X), X))
    assert part.conclusion is make("=", *[terms.sym("x")] * 2)


def test_a_power_of_an_expression_is_an_exponential() -> None:
    (part,) = asked(gt(X**Y, 0))
    assert str(part.conclusion.args[0]) == "exp(multiply(y, log(x,)),)"


def test_an_equivalence_is_asked_for_in_both_directions() -> None:
    found = asked(Equivalent(gt(X, 1), gt(X**2, 1)), lt(Y, 0))
    assert [(len(part.facts), str(part.conclusion)) for part in found] == [(2, ">(power(x, 2), 1)"), (2, ">(x, 1)")]


def test_every_part_of_a_conjunction_has_its_plan() -> None:
    both = All((gt(X, 0), Implies(gt(X, 1), gt(X**2, 1))))
    assert len(asked(both, plan=["claim", "claim"])) == 2
    for plan in ("claim", ["claim"], ["claim"] * 3):
        with pytest.raises(RefusedError):
            asked(both, plan=plan)


def test_two_points_have_all_that_is_given_twice() -> None:
    (part,) = asked(Monotone(X**2, X, True), lt(X, Y), plan="two points")
    assert {str(one) for one in part.facts} == {"<(x, y)", "<(x', y)", "<(x, x')"}
    assert str(part.conclusion) == "<(power(x, 2), power(x', 2))"


def test_a_slope_is_of_one_sign_where_there_is_a_value() -> None:
    found = asked(Monotone(log(Y), Y, True), plan="slope")
    assert goals(found) == Counter({">(divide(1, y), 0)": 1, "!=(y, 0)": 1, ">(y, 0)": 1})


def test_whole_numbers_take_steps() -> None:
    n = whole("n", "[1, 9]", "a count")
    (part,) = asked(Monotone(n**2, n, True), plan="one step further")
    assert [str(one) for one in part.facts] == ["<(n, 9)"]
    with pytest.raises(RefusedError, match="no steps"):
        asked(Monotone(X**2, X, True), plan="one step further")


@pytest.mark.parametrize("plan", ["slope", "one step further"])
def test_nothing_rises_with_what_is_always_the_same(plan: str) -> None:
    n = whole("n", "[3, 3]", "a count")
    with pytest.raises(RefusedError, match="constant"):
        asked(Monotone(n**2, n, True), plan=plan)


def test_values_at_which_something_holds_lie_in_the_domain_and_satisfy_what_is_given() -> None:
    found = asked(Existence(lt(X, 1), ((X, HALF),)), gt(X, Y), gt(Y, -1))
    assert [str(part.conclusion) for part in found] == ["all(>(1/2, 0),)", "all(>(1/2, y),)", "<(1/2, 1)"]
    assert all([str(one) for one in part.facts] == [">(y, -1)"] for part in found)
    without_value = asked(Existence(gt(X, 0), ((Y, 1 / (X - X)),)))
    assert "!=(subtract(x, x), 0)" in goals(without_value)


def test_what_holds_at_a_value_is_differentiated_before() -> None:
    inner = eq(Derivative(log(Y), Y), -1)
    assert ">(-1, 0)" in goals(asked(Existence(inner, ((Y, rational(-1)),))))


def test_a_limit_is_approached_at_a_rate_that_tends_to_zero() -> None:
    found = goals(asked(Limit(X**2, X, rational(0), "+", rational(0), rational(3), HALF.value, rational(1))))
    for one in (">=(0, 0)", ">(3, 0)", ">(1, 0)"):
        assert found[one]
    assert ">(-1, 0)" in goals(asked(Limit(X, X, rational(-1), "-", rational(0), rational(1), HALF.value)))


def test_zeros_have_signs_on_both_sides_and_one_slope_in_each_bracket() -> None:
    zeros = Zeros(Y**2 - 1, Y, ((rational(-2), rational(-1, 2)), (HALF, rational(2))), False)
    found = asked(zeros)
    said = [(sorted(map(str, part.facts)), str(part.conclusion)) for part in found]
    square, slope = "subtract(power(y, 2), 1)", "multiply(2, y)"
    assert said[0] == (["<=(y, -2)"], f">({square}, 0)")
    assert said[1] == (["<=(y, -1/2)", ">=(y, -2)"], f"<({slope}, 0)")
    assert said[4] == (["<=(y, 1/2)", ">=(y, -1/2)"], f"<({square}, 0)")
    assert said[5] == (["<=(y, 2)", ">=(y, 1/2)"], f">({slope}, 0)")
    assert said[8] == ([">=(y, 2)"], f">({square}, 0)")
    assert len(said) == 9


def test_an_only_root_is_a_root_and_nothing_else_is() -> None:
    found = asked(UniqueRoot(X, eq(X**2, 4), rational(2)), lt(X, 9))
    assert [(len(part.facts), [*map(str, conjuncts(part.conclusion))]) for part in found] == [
        (0, [">(2, 0)"]),
        (0, ["<(2, 9)"]),
        (0, ["=(power(2, 2), 4)"]),
        (2, ["=(x, 2)"]),
    ]


def test_an_extremum_has_slopes_on_both_sides() -> None:
    found = asked(Extremum((Y - 1) ** 2, Y, rational(1)), plan="slopes")
    assert [str(one) for part in found for one in part.facts] == ["<(y, 1)", ">(y, 1)"]
    with pytest.raises(RefusedError, match="no plan that shows all"):
        asked(Extremum((Y - 1) ** 2, Y, rational(1)), plan="better than any other point")


def test_next_to_a_point_roots_have_values() -> None:
    z = real("z", "[0, oo)", "a number")
    assert ">(0, 0)" in goals(asked(FixedPoint((Y,), (sqrt(Y),), (rational(0),), True)))
    # An end of the domain is no point inside.
    assert ">(0, 0)" in goals(asked(FixedPoint((z,), (z / 2,), (rational(0),), True)))
    assert ">(0, 0)" in goals(asked(LocalExtremum(z**2, (z,), (rational(0),), True)))


def test_a_fixed_point_stays_and_its_slope_is_small() -> None:
    found = goals(asked(FixedPoint((Y,), (Y / 2,), (rational(0),), True)))
    for one in ("=(divide(0, 2), 0)", "<(divide(1, 2), 1)", ">(divide(1, 2), negate(1,))"):
        assert found[one]
    following = real("w", "(-oo, oo)", "the next number")
    implicit = asked(FixedPoint((Y,), (following * 2 - Y,), (rational(0),), True, (following,)))
    assert "<(divide(negate(1,), 2), 1)" in goals(implicit)


def _holds(statement: Term) -> bool:
    if statement.op in ("all", "any"):
        return (all if statement.op == "all" else any)(map(_holds, statement.args))
    return Ranges({}).holds(statement)


@pytest.mark.parametrize("seed", range(30))
def test_two_variables_attract_where_both_eigenvalues_are_small(seed: int) -> None:
    draw = random.Random(seed)
    old, new = ([[Fraction(draw.randint(-9, 9), 7) for _ in "12"] for _ in "12"] for _ in "12")
    following = [real(name, "(-oo, oo)", "a next number") for name in ("y_next", "w_next")]
    origin, symbols = (rational(0), rational(0)), (Y, W)
    by_old = [row[0] * Y + row[1] * W for row in old]
    by_new = [row[0] * following[0] + row[1] * following[1] for row in new]
    implicit = tuple(one + other for one, other in zip(by_old, by_new, strict=True))
    explicit, matrix = np.array(old, dtype=float), np.array(new, dtype=float)
    (a, b), (c, d) = new
    # Equations that determine no step say nothing.
    solved = explicit if a * d == b * c else -np.linalg.solve(matrix, explicit)
    for steps, after, step, says in (
        (tuple(by_old), (), explicit, True),
        (implicit, tuple(following), solved, a * d != b * c),
    ):
        largest = max(abs(np.linalg.eigvals(step)))
        for attracting in (True, False):
            found = asked(FixedPoint(symbols, steps, origin, attracting, after))
            assert [part.label for part in found] == ["inside", "stays", "eigenvalues"]
            assert _holds(found[1].conclusion)
            assert _holds(found[-1].conclusion) is (says and bool(largest < 1 if attracting else largest > 1))


@pytest.mark.parametrize("seed", range(20))
def test_a_point_of_two_variables_is_extreme_where_a_form_is_definite(seed: int) -> None:
    draw = random.Random(seed)
    a, b, c = (draw.randint(-6, 6) for _ in "123")
    least = min(np.linalg.eigvalsh([[2 * a, b], [b, 2 * c]]))
    form = a * Y**2 + b * Y * W + c * W**2
    for one, minimum in ((form, True), (-form, False)):
        _, flat, curved = asked(LocalExtremum(one, (Y, W), (rational(0), rational(0)), minimum))
        assert _holds(flat.conclusion)
        assert _holds(curved.conclusion) is bool(least > 1e-9)


@pytest.mark.parametrize(
    "statement",
    [
        FixedPoint((Y, W), (Y / 2, W / 2), (W, rational(0)), True),
        FixedPoint((Y, W), (Y / 2, W / 2), (W, Y), True),
        FixedPoint((Y, W), (-Y, -W), (rational(0), rational(0)), True, (), True),
        LocalExtremum(Y**2 + W**2, (Y, W), (rational(0), Y * W), True),
    ],
    ids=["one moves", "both move", "flow", "extremum"],
)
def test_a_point_of_two_variables_does_not_move_with_them(statement: Statement) -> None:
    with pytest.raises(RefusedError, match=r"moves itself|no flow"):
        asked(statement)


def test_an_induction_starts_and_goes_on() -> None:
    found = asked(EveryIterate(lt(X, 1), (X,), (X / 2,), (HALF,)))
    said = [[*map(str, (*part.facts, *conjuncts(part.conclusion)))] for part in found]
    assert said == [[">(1/2, 0)"], ["<(1/2, 1)"], ["<(x, 1)", ">(divide(x, 2), 0)"], ["<(x, 1)", "<(divide(x, 2), 1)"]]


def test_a_sum_over_all_elements_keeps_the_sign() -> None:
    found = asked(Summed(gt(Q, 0), P, gt(Total(P * Q), 0), rational(1)))
    assert [str(part.conclusion.op) for part in found] == ["=", ">", ">"]
    assert "total(multiply(p, subtract(q, 0)), 'i')" in str(found[0].conclusion)


def test_the_partial_derivative_of_a_sum_is_that_of_one_term() -> None:
    (part,) = asked(eq(Derivative(Total(P**2 * Q), P), Q), ge(P, 0))
    assert str(part.conclusion) == "=(multiply(multiply(2, p), q), q)"
    (part,) = asked(eq(Derivative(Total(P * X), X), Total(P)))
    assert part.conclusion.args[0] is part.conclusion.args[1]
    with pytest.raises(RefusedError, match="every term"):
        asked(eq(Derivative(Total(P * Total(P)), P), Q))


# What is refused.


@pytest.mark.parametrize(
    ("statement", "given", "plan"),
    [
        (Monotone(X**2, X, True), [gt(X, 1)], "slope"),
        (Limit(X, X, rational(0), "+", rational(0), rational(1), rational(1).value), [gt(X, 1)], "claim"),
        (UniqueZero(X - 1, X, HALF, rational(2), True), [ne(X, 1)], "claim"),
        (Zeros(X - 1, X, ((HALF, rational(2)),), True), [ne(X, 1)], "claim"),
        (Extremum(X, X, rational(1)), [ne(X, 2)], "slopes"),
        (FixedPoint((X,), (X / 2 + 1,), (rational(2),), True), [gt(X, 3)], "claim"),
        (LocalExtremum(X**2, (X,), (rational(2),), True), [gt(X, 3)], "claim"),
        (EveryIterate(lt(X, 1), (X,), (X / 2,), (HALF,)), [gt(X, HALF)], "claim"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_is_given_must_not_cut_the_domain(statement: Statement, given: list[Statement], plan: str) -> None:
    asked(statement, plan=plan)
    with pytest.raises(RefusedError, match="restricts"):
        asked(statement, *given, plan=plan)


@pytest.mark.parametrize(
    ("statement", "given", "plan"),
    [
        (Equivalent(gt(Q, 0), gt(Q * 2, 0)), [eq(Total(P), 1)], "claim"),
        (Monotone(Total(P) * P, P, True), [], "two points"),
        (Monotone(P**2, P, True), [eq(Total(P), 1)], "slope"),
        (Extremum(Total(P**2), P, HALF), [], "slopes"),
        (gt(X, 0), [eq(Total(P), 1), AnyOf((Implies(gt(P, 0), gt(X, 1)), gt(X, 2)))], "claim"),
        (UniqueRoot(X, eq(X * (X - Q), 0), rational(1)), [eq(Total(Q), 0)], "claim"),
        (eq(Substitution(Total(X * P), X, Q), 0), [], "claim"),
        (Existence(gt(X, 0), ((X, P),)), [ge(X, P), eq(Total(P), 1)], "claim"),
        (Existence(gt(P.at(MEMBERS.another("j")), 0), ((P, HALF),)), [], "claim"),
        (Existence(Monotone(X * Y, X, True), ((Y, X),)), [], "slope"),
        (Existence(gt(X * Y, 0), ((X, Y), (Y, rational(1)))), [], "claim"),
    ],
    ids=str,
)
def test_what_may_be_meant_otherwise_is_refused(statement: Statement, given: list[Statement], plan: str) -> None:
    with pytest.raises(RefusedError):
        asked(statement, *given, plan=plan)


def test_a_value_that_need_not_be_whole_is_none_of_a_whole_number() -> None:
    n = whole("n", "[0, oo)", "a count")
    asked(Existence(ge(n, 0), ((n, rational(3) * 2),)))
    with pytest.raises(RefusedError, match="whole"):
        asked(Existence(ge(n, 0), ((n, HALF * 2),)))


def test_nothing_is_differentiated_by_a_whole_number() -> None:
    data: Any = _record(Claim("a.claim", "a slope", eq(Derivative(X**2, X), X * 2)))
    assert parts(read_record(data), "claim")
    data["symbols"]["x"] = ["1", None, True, False, True, [], None]
    with pytest.raises(RefusedError, match="no derivative"):
        parts(read_record(data), "claim")


def _data() -> Any:
    return deepcopy(_record(Claim("a.claim", "a claim", gt(X * 2, 0))))


def _with_call(data: Any) -> None:
    data["definitions"] = {"f": [[], len(data["terms"])]}
    data["terms"].append(["call", "f"])


BROKEN = {
    "another format": lambda data: data.update(format=2),
    "no statement": lambda data: data.pop("statement"),
    "an expression as a statement": lambda data: data.update(statement=0),
    "a flag as a place": lambda data: data.update(statement=True),
    "a place behind the end": lambda data: data.update(statement=len(data["terms"])),
    "an unknown symbol": lambda data: data["symbols"].clear(),
    "an empty domain": lambda data: data["symbols"].update(x=["1", "0", True, True, False, [], None]),
    "a point that does not belong": lambda data: data["symbols"].update(x=["1", "1", True, False, False, [], None]),
    "infinity that belongs": lambda data: data["symbols"].update(x=[None, "1", True, True, False, [], None]),
    "a whole number from 1/2 on": lambda data: data["symbols"].update(x=["1/2", None, True, False, True, [], None]),
    "a symbol of nothing": lambda data: data["symbols"].update(x=["0", None, False, False, False, ["i"], "z"]),
    "a symbol of itself": lambda data: data["symbols"].update(x=["0", None, False, False, False, ["i"], "x"]),
    "a name with a prime": lambda data: data["symbols"].update({"x'": data["symbols"]["x"]}),
    "a function of itself": _with_call,
    "a function without a body": lambda data: data["definitions"].update(f=[["x"], None]),
    "two parameters of one name": lambda data: data["definitions"].update(f=[["x", "x"], 0]),
    "a sum of three": lambda data: data["terms"].__setitem__(2, ["multiply", 0, 0, 1]),
    "an unknown operator": lambda data: data["terms"].__setitem__(2, ["gamma", 0]),
    "a conjunction of nothing": lambda data: data["terms"].__setitem__(data["statement"], ["all"]),
    "a derivative by a number": lambda data: data["terms"].__setitem__(2, ["derivative", 0, 1]),
    "a sum without a letter": lambda data: data["terms"].__setitem__(2, ["total", 0, None]),
    "a lemma of nothing": lambda data: data["lemmas"].append({}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_record_is_refused(name: str) -> None:
    data = _data()
    read_record(data)
    BROKEN[name](data)
    with pytest.raises(RefusedError):
        read_record(data)


# What counts only where something does not vanish.

R = replace(real("r", "[0, 1]", "a part that may be nothing", latex="r_{index}"), indexed=MEMBERS)


def test_what_counts_on_a_support_needs_a_value_only_there() -> None:
    found = goals(asked(gt(Supported(log(R) / X, R), -1)))
    logarithm, number_ = ("implies(!=(r, 0), >(r, 0))", "implies(!=(r, 0), !=(x, 0))")
    assert found[logarithm] == found[number_] == 1
    assert ">(x, 0)" in goals(asked(gt(Supported(R, log(X)), -1)))


def test_a_bracket_has_a_derivative_by_what_it_does_not_count_on() -> None:
    (part,) = asked(eq(Derivative(Total(Supported(R * log(P), R)), P), Supported(R / P, R)))
    slope = part.conclusion.args[0]
    assert (slope.op, *map(str, slope.args)) == ("supported", "multiply(r, divide(1, p))", "r")
    with pytest.raises(RefusedError, match="no derivative"):
        asked(eq(Derivative(Supported(R * X, R), R), X))


@pytest.mark.parametrize(
    ("kind", "plan"),
    [
        (lambda body: Monotone(body, Y, True), "slope"),
        (lambda body: Extremum(body, Y, rational(1)), "slopes"),
        (lambda body: Limit(body, Y, rational(0), "+", rational(0), rational(1), HALF.value), "claim"),
        (lambda body: UniqueRoot(Y, eq(body, 0), rational(1)), "claim"),
        (lambda body: LocalExtremum(body, (Y,), (rational(1),), True), "claim"),
    ],
)
def test_nothing_that_rests_on_continuity_is_shown_of_a_bracket(kind: Any, plan: str) -> None:
    asked(kind((Y - 1) ** 2), plan=plan)
    with pytest.raises(RefusedError, match="may jump"):
        asked(kind(Supported((Y - 1) ** 2, Y)), plan=plan)


# What is of a further element.

FURTHER = MEMBERS.another("j")


def test_by_a_further_coordinate_every_term_has_a_derivative() -> None:
    (part,) = asked(eq(Derivative(Q * Total(Q**2) + P, Q.at(FURTHER)), 0))
    square = "multiply(multiply(2, q), delta('j', 'i'))"
    slope = f"add(multiply(delta('j', 'i'), total(power(q, 2), 'i')), multiply(q, total({square}, 'i')))"
    assert str(part.conclusion.args[0]) == slope
    found = goals(asked(eq(Derivative(Total(R ** rational(3, 2)), R.at(FURTHER)), 0)))
    assert found[">(r, 0)"]


def test_what_counts_on_a_coordinate_has_no_derivative_by_what_that_is_elsewhere() -> None:
    with pytest.raises(RefusedError, match="no derivative"):
        asked(eq(Derivative(Total(Supported(P, Q)), Q.at(FURTHER)), 0))


# What rests on other claims.


def test_a_lemma_holds_where_its_values_lie_in_the_domains() -> None:
    square = Claim("a.square", "a square", gt(X**2, X), (gt(X, 1),))
    found = read(gt(Y**2, Y), using=(square.at({X: Y}),))
    assert str(lemma_statement(found, found.lemmas[0])) == "implies(all(>(y, 0), >(y, 1)), >(power(y, 2), y))"
    rising = Claim("a.rising", "a function", Monotone(X**2, X, True))
    found = read(gt(Y**2, Y), using=(rising.between(1, Y),))
    said = "implies(all(>(1, 0), >(y, 0), <(1, y)), <(power(1, 2), power(y, 2)))"
    assert str(lemma_statement(found, found.lemmas[0])) == said


def test_symbols_of_one_name_are_told_apart() -> None:
    negative = real("x", "(-oo, 0)", "another number")
    below = Claim("a.below", "a number", lt(negative, 0))
    found = read(gt(X, 0), using=(below.at({}),))
    assert {name: str(one.domain.high) for name, one in found.symbols.items()} == {"x": "inf", "x#2": "0"}
    assert str(lemma_statement(found, found.lemmas[0])) == "<(x#2, 0)"


def test_what_a_lemma_supposes_of_every_element_is_shown_first() -> None:
    zero = Claim("a.zero", "a sum", Implies(eq(Q, 0), eq(Total(Q), 0)))
    supposed, said = parts(read(eq(Total(Q), 0), using=(zero.at({}),)), "claim")
    assert str(supposed.conclusion) == str(make("all", make("=", sym("q"), number(0))))
    assert not supposed.facts
    assert said.conclusion in said.facts


def test_a_lemma_that_supposes_something_of_every_element_takes_no_value_of_one() -> None:
    data: Any = _record(Claim("a.same", "a sum", Implies(eq(Q, X), eq(Total(Q), X))))
    lemma = {"claim": "a.same", "statement": data["statement"], "given": [], "ends": None, "supposed": False}
    data["lemmas"] = [lemma | {"values": [["x", data["terms"].index(["sym", "q"])]]}]
    found = read_record(data)
    with pytest.raises(RefusedError, match="a value is of one"):
        lemma_statement(found, found.lemmas[0])


def test_between_two_values_of_one_coordinate_nothing_is_compared_beside_sums_of_it() -> None:
    data: Any = _record(Claim("a.claim", "a sum", Monotone(P * Total(P), P, True)))
    coordinate = data["terms"].index(["sym", "p"])
    stated = {"claim": "a.claim", "statement": data["statement"], "given": [], "values": [], "supposed": False}
    data["lemmas"] = [{**stated, "ends": [coordinate, coordinate]}]
    found = read_record(data)
    with pytest.raises(RefusedError, match="all elements"):
        lemma_statement(found, found.lemmas[0])


SUMMED = Summed(gt(Q, 0), P, gt(Total(P * Q), 0), rational(1))


def _chain(*steps: tuple[str, Any], start: Any = X, given: tuple[Statement, ...] = ()) -> Derivation:
    return Derivation(start, "it is", given, tuple(Step(relation, to, "it is") for relation, to in steps))


def test_steps_compose_to_the_statement() -> None:
    chain = _chain(("=", X * 1), ("<=", X + 1), ("=", X + 2))
    found = read(le(X, X + 2), derivation=chain)
    assert [name for name, _ in composed(found)] == ["a.claim.step-1", "a.claim.step-2", "a.claim.step-3"]
    step = read(eq(X, X * 1))
    assert composed(found)[0][1] == digest(step, step.statement, step.given)


@pytest.mark.parametrize(
    ("statement", "chain"),
    [
        (lt(X, X + 2), _chain(("=", X * 1), ("<=", X + 2))),
        (eq(X, X + 2), _chain(("=", X * 1), ("<=", X + 2))),
        (le(X, X + 1), _chain(("<=", X + 2))),
        (le(X + 2, X), _chain(("<=", X + 2))),
        (le(X, X + 2), _chain(("<=", X + 2), (">=", X))),
        (le(X, X + 2), _chain(("<=", X + 2), given=(gt(X, 1),))),
        (Equivalent(gt(X, 1), gt(X, 0)), _chain(("implies", gt(X, 0)), start=gt(X, 1))),
        (Implies(gt(Q, 1), gt(Total(Q), 0)), _chain(("implies", gt(Total(Q), 0)), start=gt(Q, 0))),
        (le(X, X + 2), None),
        (Implies(gt(Q, 0), SUMMED), _chain(("implies", SUMMED), start=gt(Q, 0))),
    ],
    ids=str,
)
def test_what_steps_do_not_compose_to_is_refused(statement: Statement, chain: Derivation | None) -> None:
    with pytest.raises(RefusedError):
        composed(read(statement, derivation=chain))


def test_the_digest_is_of_what_is_said_and_not_of_names() -> None:
    def of(symbol: Symbol, body: Expression, *given: Statement) -> str:
        found = read(gt(Definition("f", (), body, "f")() + symbol, 0), *given)
        return digest(found, found.statement, found.given)

    w, z = (real(name, domain, "a number") for name, domain in (("w", "(0, oo)"), ("z", "[0, oo)")))
    assert of(X, X * 2) == of(w, w * 2)
    others = [of(z, z * 2), of(X, X * 3), of(X, X * 2, gt(X, 1)), of(X, w * 2), of(w, X * 2, gt(w, 1))]
    assert len({of(X, X * 2), *others}) == 6
    assert of(X, w * 2) == of(w, X * 2)


def test_what_a_claim_rests_on_has_the_digest_of_that() -> None:
    square = Claim("a.square", "a square", gt(X**2, X), (gt(X, 1),))
    found, stated = read(gt(Y**2, Y), using=(square.at({X: Y}),)), read_record(_record(square))
    assert rests_on(found) == (("a.square", digest(stated, stated.statement, stated.given)),)


def test_all_that_is_supposed_must_be_able_to_hold() -> None:
    def lists(statement: Statement, *given: Statement, plan: object = "claim") -> list[list[str]]:
        return [[*map(str, one)] for one in premises(read(statement, *given), plan)]

    assert lists(gt(X, 0)) == [[]]
    assert lists(Implies(gt(X, 1), gt(X, 0)), lt(X, 2)) == [["<(x, 2)", ">(x, 1)"]]
    assert lists(Equivalent(gt(X, 1), gt(X**2, 1))) == [["any(>(x, 1), >(power(x, 2), 1))"]]
    # Of one number alone nothing rises: there have to be two.
    rises = lists(Monotone(X**2, X, True), eq(X, 1), plan="two points")
    assert rises == [["=(x, 1)", "=(x', 1)", "<(x, x')"]]
    assert lists(Summed(gt(Q, 0), P, gt(Total(P * Q), 0), rational(1))) == [[">(q, 0)"]]
    two = All((Implies(gt(X, 1), gt(X, 0)), Implies(lt(X, 1), gt(2, X))))
    assert lists(two, plan=["claim", "claim"]) == [[">(x, 1)"], ["<(x, 1)"]]


# The engine only plans: where it asks for something else, something is wrong.

_PLANS = {"monotone": ["slope", "two points", "one step further"], "extremum": ["slopes"]}
#: What the kernel asks for in another form: implications that its goals take apart.
_OTHERWISE = {"mroueh_2025.theorem-5.iterates"}


def plans_of(statement: Term) -> list[Any]:
    if statement.op == "all":
        return [[*one] for one in itertools.product(*map(plans_of, statement.args))]
    if statement.op in ("implies", "instance"):
        return plans_of(statement.args[1 if statement.op == "implies" else 0])
    return _PLANS.get(statement.op, ["claim"])


class Engine:
    """Obligations of the engine as goals of the kernel."""

    def __init__(self, table: Records, read: Record) -> None:
        self._names, self._read = table.names, read
        self._by_name = {symbol.name: name for symbol, name in reversed(table.names.items())}

    def term(self, part: Expression | Statement) -> Term:
        match part:
            case Number(value):
                return terms.number(value)
            case Symbol():
                return terms.sym(self._name(part))
            case Apply(operator, operands):
                return make(operator, *map(self.term, operands))
            case Supported(body, on):
                return make("supported", self.term(body), self.term(on))
            case Delta(other):
                return make("delta", other.letter, other.whole.letter)
            case Total(body, over) if over is not None:
                return make("total", self.term(body), over.letter)
            case Relation(left, operator, right):
                return make(operator, self.term(left), self.term(right))
            case All(several) | AnyOf(several):
                return make("all" if isinstance(part, All) else "any", *map(self.term, several))
            case Implies(first, second) | Equivalent(first, second):
                return make("implies" if isinstance(part, Implies) else "iff", self.term(first), self.term(second))
        return make("other", str(part))

    def _name(self, symbol: Symbol) -> str:
        if symbol in self._names:
            return self._names[symbol]
        plain = symbol.name.removesuffix("_2")
        return self._by_name.get(symbol.name) or f"{self._by_name.get(plain, plain)}'"

    def goals(self, plan: Iterable[Obligation]) -> set[tuple[frozenset[Term], Term]]:
        return {
            (frozenset(map(flat, conjuncts(*map(self.term, item.hypotheses), *self._inside(item)))), flat(goal))
            for item in plan
            for goal in conjuncts(self.term(item.conclusion))
        }

    def _inside(self, item: Obligation) -> Iterator[Term]:
        """The ends of the domains of symbols that the engine restricts instead of supposing more."""
        for symbol in item.symbols:
            if symbol not in self._names and symbol.name in self._by_name:
                ends = ((">=", symbol.domain.lower), ("<=", symbol.domain.upper))
                yield from (make(op, self.term(symbol), terms.number(end)) for op, end in ends if end is not None)


def flat(statement: Term) -> Term:
    """A statement with conjunctions in it taken apart, however deep."""
    if statement.op == "all":
        several = [*map(flat, conjuncts(statement))]
        return several[0] if len(several) == 1 else make("all", *several)
    return make(statement.op, *map(flat, statement.args)) if statement.op in terms.COMBINATIONS else statement


def kernel_goals(found: Iterable[Clause]) -> set[tuple[frozenset[Term], Term]]:
    return {
        (frozenset(map(flat, conjuncts(*part.facts))), flat(goal))
        for part in found
        for goal in (*conjuncts(part.conclusion), *needed(part))
    }


def beyond(
    wanted: set[tuple[frozenset[Term], Term]], had: set[tuple[frozenset[Term], Term]], evident: Any, lemmas: Any
) -> list[str]:
    """The goals that neither the domains show nor other ones under fewer facts; lemmas are known in all of them."""
    known: dict[Term, list[frozenset[Term]]] = {}
    for facts, goal in had:
        known.setdefault(goal, []).append(frozenset(one for one in facts if not evident(one)))
    return [
        f"{goal} under {sorted(map(str, facts))}"
        for facts, goal in wanted
        if goal not in facts and not evident(goal) and not any(fewer <= facts | lemmas for fewer in known.get(goal, ()))
    ]


def evident_in(found: Record) -> Any:
    """Whether domains show a relation that is not long, or a root in it shows it."""

    def evident(relation: Term) -> bool:
        if relation.op not in RELATIONS or not is_elementary(relation) or len(str(relation)) > 200:
            return False
        try:
            return Ranges(found.domains(relation)).holds(relation)
        except KeyError:
            return False

    return evident


_conditions = definedness._side_conditions


def _conditions_with_brackets(expression: Expression) -> Iterator[Statement]:
    if isinstance(expression, Supported):
        yield from _conditions_with_brackets(expression.on)
        inside = _conditions_with_brackets(expression.body)
        yield from (Implies(ne(expression.on, 0), one) for one in inside)
    else:
        yield from _conditions(expression)


def compare(claim: Claim) -> str:
    """What becomes of a claim in the kernel: ``same``, why it is outside, or where it differs from the engine."""
    terms.forget()
    table = Records()
    try:
        found = read_record(table.record(claim))
    except (UnsupportedError, RefusedError) as error:
        return f"outside: {error}"
    if found.functions:
        return "outside: values of functions have other letters"
    if any(one.op == "expectation" for one in found.terms):
        return "outside: the engine writes expectations out in another form"
    expanded, refused = list[tuple[Clause, ...]](), "no plan"
    for plan in plans_of(found.statement):
        try:
            expanded.append(parts(found, plan))
        except RefusedError as error:
            refused = f"refused: {error}"
    if not expanded:
        return refused
    if found.statement.op == "every-iterate":
        return "outside: inductions are refuted by runs, which the kernel need not ask for"
    if any(one.label == "premise of a lemma" for plan in expanded for one in plan):
        return "outside: premises of lemmas beside sums are asked for one by one"
    given, used = hypotheses_and_lemmas(claim)
    engine, evident = Engine(table, found), evident_in(found)
    lemmas = frozenset(
        flat(one) for lemma in found.lemmas if not lemma.supposed for one in [lemma_statement(found, lemma)]
    )
    if lemmas != {flat(engine.term(unfold_statement(one))) for one in used}:
        return f"{claim.id}: the lemmas differ"
    with pytest.MonkeyPatch.context() as patch:
        # The engine tells cases apart as soon as possible, the kernel when brackets and deltas get names.
        for cases in ("by_support", "cases"):
            patch.setattr(expansion, cases, lambda obligation: (obligation,))
        patch.setattr(definedness, "_side_conditions", _conditions_with_brackets)
        planned = [engine.goals(plan) for plan in Inquiry(claim.statement, given, used).plans]
    answers = []
    for kernel, other in itertools.product(map(kernel_goals, expanded), planned):
        more, less = beyond(kernel, other, evident, lemmas), beyond(other, kernel, evident, lemmas)
        answers.append(f"{claim.id}: kernel only {more[:1]}, engine only {less[:1]}" if more or less else "same")
    return "same" if "same" in answers else answers[0]


def _compared(library: Library, one_in: int) -> Counter[str]:
    claims = [claim for claim, _ in library.ordered if not claim.assumed and claim.id not in _OTHERWISE]
    return Counter(map(compare, claims[::one_in]))


def _differing(told: Iterable[str]) -> list[str]:
    return [one for one in told if one != "same" and not one.startswith(("outside:", "refused:"))]


def test_kernel_and_engine_ask_for_the_same(library: Library) -> None:
    told = _compared(library, 25)
    assert _differing(told) == []
    assert told["same"] > 0.8 * told.total()


@pytest.mark.slow
def test_kernel_and_engine_ask_for_the_same_everywhere(library: Library) -> None:
    told = _compared(library, 1)
    assert _differing(told) == []
    assert told["same"] > 0.86 * told.total()


def test_records_of_one_claim_are_the_same_text() -> None:
    claim = Claim("a.claim", "a claim", Equivalent(gt(X, 1), gt(X**2, 1)), (lt(X, Y),))
    assert _record(claim) == _record(claim)
    assert read_record(_record(claim)).id == "a.claim"
