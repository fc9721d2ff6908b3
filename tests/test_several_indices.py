"""Sums over several index sets, and over pairs of elements of one: against explicit sums, and what is refused.

The oracle sums fractions over sets of one to five elements with loops and shares no code with the reduction.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from dual_numbers import ARITHMETIC, COMPARED, Dual

from grpo_symbolic import (
    Delta,
    Derivative,
    Expression,
    IndexSet,
    Summed,
    Symbol,
    Total,
    claim,
    define,
    eq,
    exp,
    factorial,
    ge,
    gt,
    implies,
    judge,
    le,
    lt,
    rational,
    real,
    sum_of,
    whole,
)
from grpo_symbolic.checks.deciding import Reduced
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Apply, Number, Substitution, free_indices
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.outputs import with_outputs
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.text import expression_text, statement_text
from grpo_symbolic.translate.tree import expression_tree

ARMS = IndexSet("arm", "arms", "i")
J = ARMS.another("j")
PLACES = IndexSet("place", "places", "q")
x = real("x", "(-oo, oo)", "of an arm", latex="x_{index}", indexed=ARMS)
y = real("y", "(-oo, oo)", "of an arm", latex="y_{index}", indexed=ARMS)
m = real("m", "(0, oo)", "weight of a place", latex="m_{index}", indexed=PLACES)
p = real("p", "(0, oo)", "weight of an arm at a place", latex="p_{index}({second})", indexed=(ARMS, PLACES))
r = real("r", "(-oo, oo)", "gain of an arm at a place", latex="r_{index}({second})", indexed=(ARMS, PLACES))
c = real("c", "(-oo, oo)", "of two arms", latex="c({index}, {second})", indexed=(ARMS, J))
a = real("a", "(-oo, oo)", "a number")
xj, yj, turned, own = x.at(J), y.at(J), c.at(J, ARMS), c.at(ARMS, ARMS)
ONE = rational(1)


def arms(body: Expression) -> Expression:
    return Total(body, ARMS)


def others(body: Expression) -> Expression:
    return Total(body, J)


def places(body: Expression) -> Expression:
    return Total(body, PLACES)


value, size = arms(p * r) / arms(p), arms(ONE)
TRUE: Sequence[Statement] = [
    eq(places(arms(m * p * r)), arms(places(m * p * r))),
    eq(places(arms(m * p * r)), places(m * arms(p * r))),
    eq(arms(places(x * m)), arms(x) * places(m)),
    eq(places(arms(p + r)), places(arms(p)) + arms(places(r))),
    eq(places(m * arms(a * p)), a * arms(places(p * m))),
    eq(arms(x * places(p)), places(arms(x * p))),
    eq(arms(x * places(m * p)), places(m * arms(x * p))),
    eq(places(arms(x)), places(ONE) * arms(x)),
    eq(places(arms(ONE)), arms(places(ONE))),
    eq(arms(p * (r - value)), 0),
    eq(places(m * arms(p * (r - value))), 0),
    eq(arms(p * (r - value) ** 2), arms(p * r**2) - arms(p) * value**2),
    eq(places(m * arms(p * (r - value) ** 2)), places(m * arms(p * r**2)) - places(m * arms(p) * value**2)),
    eq(places(arms(p) ** 2 * m), places(m * arms(p) * arms(p))),
    eq(arms(others(x * yj)), arms(x) * arms(y)),
    eq(others(xj), arms(x)),
    eq(arms(others(x * yj * c)), arms(others(xj * y * turned))),
    eq(arms(others(x * xj * (c - turned))), 0),
    eq(arms(x * others(yj * c)), others(yj * arms(x * c))),
    eq(arms(others(c)), arms(others(turned))),
    eq(arms(others((x - xj) ** 2)), 2 * size * arms(x**2) - 2 * arms(x) ** 2),
    eq(arms(others(x - xj)), 0),
    eq(arms(others(x * (y - yj))), size * arms(x * y) - arms(x) * arms(y)),
    eq(arms(others(own)), size * arms(own)),
    eq(c * (x + xj), x * c + xj * c),
    eq(others(x * c), x * others(c)),
    eq(Derivative(arms(places(p * r)), r), p),
    eq(Derivative(places(m * arms(p**2)), p), 2 * m * p),
    eq(Derivative(places(m * arms(x * p)), x), places(m * p)),
    eq(Derivative(places(m * arms(x * p)), xj), places(m * p.at(J, PLACES))),
    eq(Derivative(arms(x * others(yj * c)), x), others(yj * c)),
    ge(places(m * arms(p)), 0),
    gt(arms(places(p * m)), 0),
    le(arms(places(-p)), 0),
    le(m * p, m * p + places(arms(p))),
    gt(places(arms(p) * m) + 1, 1),
]
FALSE: Sequence[Statement] = [
    eq(places(arms(m * p * r)), places(m) * places(arms(p * r))),
    eq(places(m * arms(p * r)), m * places(arms(p * r))),
    eq(arms(places(x * m)), arms(x) * m),
    eq(arms(places(x * m)), x * places(m)),
    eq(arms(p), places(p)),
    eq(arms(ONE), places(ONE)),
    eq(places(arms(x)), arms(x)),
    eq(arms(x * places(p)), arms(x) * places(p)),
    eq(arms(x * places(p)), x * places(arms(p))),
    eq(arms(p * r), arms(p) * arms(r)),
    eq(places(arms(p) * arms(r)), places(arms(p)) * places(arms(r))),
    eq(places(arms(p) ** 2), places(arms(p)) ** 2),
    eq(places(arms(p) ** 2), places(arms(p**2))),
    eq(places(arms(p * (r - a))), 0),
    eq(places(m * arms(p * (r - value))), 1),
    eq(arms(p * (r - value) ** 2), arms(p * r**2) - value**2),
    eq(places(value), places(arms(p * r)) / places(arms(p))),
    eq(places(m * value), value * places(m)),
    eq(arms(others(x * yj)), arms(x * y)),
    eq(others(xj), x),
    eq(c, turned),
    eq(arms(others(x * yj * c)), arms(others(x * yj * turned))),
    eq(arms(others(x * yj * (c - turned))), 0),
    eq(arms(x * others(yj * c)), arms(x) * arms(others(yj * c))),
    eq(arms(others(c)), arms(own)),
    eq(arms(others(own)), arms(own)),
    eq(arms(others((x - xj) ** 2)), 2 * arms(x**2) - 2 * arms(x) ** 2),
    eq(others(xj * c), x * others(c)),
    eq(arms(others(c) ** 2), arms(others(c)) ** 2),
    eq(arms(x * others(c)), arms(x) * others(c)),
    eq(Derivative(arms(places(p * r)), r), places(p)),
    eq(Derivative(places(m * arms(p**2)), p), 2 * places(m * p)),
    eq(Derivative(places(m * arms(x * p)), x), m * p),
    eq(Derivative(places(m * arms(x * p)), xj), places(m * p)),
    eq(Derivative(arms(x * others(yj * c)), x), arms(others(yj * c))),
    ge(places(arms(r)), 0),
    gt(places(arms(p)), 5),
    lt(m * p, places(arms(m * p))),
    le(places(m * p), places(m) * p),
]


@dataclass(frozen=True)
class Oracle:
    """Values by name, and how many elements there are; a place has a number for each letter."""

    values: Mapping[str, Mapping[tuple[int, ...], Fraction]]
    sizes: Mapping[str, int]

    def dual(self, expression: Expression, at: Mapping[str, int], by: tuple[str, tuple[int, ...]] | None) -> Dual:
        match expression:
            case Number(number):
                return Dual(number)
            case Symbol(name):
                place = tuple(at[one.letter] for one in expression.indices)
                base = name.split("_")[0]
                return Dual(self.values[base][place], Fraction(by == (base, place)))
            case Total(body, over):
                count = self.sizes[over.whole.letter]
                terms = [self.dual(body, {**at, over.letter: one}, by) for one in range(count)]
                return Dual(sum(one.value for one in terms), sum(one.slope for one in terms))
            case Derivative(body, symbol):
                assert by is None
                place = tuple(at[one.letter] for one in symbol.indices)
                return Dual(self.dual(body, at, (symbol.name.split("_")[0], place)).slope)
            case Apply("power", (base, Number(exponent))):
                return self.dual(base, at, by).raised(int(exponent))
            case Apply(name, operands):
                return ARITHMETIC[name](*(self.dual(one, at, by) for one in operands))
        raise TypeError(expression)

    def holds(self, statement: Statement, at: Mapping[str, int]) -> bool:
        assert isinstance(statement, Relation)
        left, right = (self.dual(side, at, None).value for side in (statement.left, statement.right))
        return COMPARED[statement.operator](left, right)


def points() -> Iterator[tuple[Oracle, dict[str, int]]]:
    """All elements of sets of one to five arms and one to four places, at small fractions."""
    draw = random.Random(11)

    def number(low: int) -> Fraction:
        return Fraction(draw.randint(low, 4), draw.randint(1, 3))

    for n, k in ((1, 1), (2, 1), (1, 2), (2, 3), (3, 2), (5, 4)):
        values = {name: {(i,): number(-4) for i in range(n)} for name in "xy"}
        values |= {"m": {(q,): number(1) for q in range(k)}, "a": {(): number(-4)}}
        values |= {"p": {(i, q): number(1) for i in range(n) for q in range(k)}}
        values |= {"r": {(i, q): number(-4) for i in range(n) for q in range(k)}}
        values |= {"c": {(i, j): number(-4) for i in range(n) for j in range(n)}}
        oracle = Oracle(values, {"i": n, "q": k})
        yield from ((oracle, {"i": i, "j": j, "q": q}) for i in range(n) for j in range(n) for q in range(k))


POINTS = tuple(points())


@pytest.mark.parametrize("statement", TRUE, ids=statement_text)
def test_what_holds_for_all_sets_is_decided(statement):
    assert all(oracle.holds(statement, at) for oracle, at in POINTS)
    assert judge(statement).verdict is Verdict.DECIDED


@pytest.mark.parametrize("statement", FALSE, ids=statement_text)
def test_what_fails_for_some_sets_is_refuted(statement):
    assert not all(oracle.holds(statement, at) for oracle, at in POINTS)
    assert judge(statement).verdict is Verdict.REFUTED


#: A weight of 1 at every place, and the same of the places.
NORMED = [eq(arms(p), 1), eq(places(m), 1)]


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        (eq(places(m * arms(p)), 1), Verdict.DECIDED),
        (eq(places(arms(m * p)), 1), Verdict.DECIDED),
        (eq(arms(places(m * p)), 1), Verdict.UNDECIDED),
        (eq(places(m * arms(p * (r + a))), places(m * arms(p * r)) + a), Verdict.DECIDED),
        (
            eq(places(m * arms(p * (r - arms(p * r)) ** 2)), places(m * (arms(p * r**2) - arms(p * r) ** 2))),
            Verdict.DECIDED,
        ),
        (eq(places(arms(p)), 1), Verdict.REFUTED),
        (eq(places(arms(p)), places(ONE)), Verdict.DECIDED),
        (eq(places(m * arms(p) ** 2 * arms(p * r)), places(m * arms(p * r))), Verdict.DECIDED),
        (eq(places(m * arms(p * r)), arms(p * r)), Verdict.REFUTED),
        (eq(places(p), 1), Verdict.REFUTED),
        (eq(places(m * arms(p * r)), places(arms(p * r))), Verdict.REFUTED),
    ],
    ids=str,
)
def test_what_is_given_at_every_place_is_used_inside_of_sums(statement, verdict):
    """The tower rule: an inner sum is a quantity of the outer element."""
    found = judge(statement, given=NORMED).verdict
    assert found is verdict or (verdict is Verdict.UNDECIDED and found is Verdict.SUPPORTED)


def test_a_policy_that_does_not_sum_to_one():
    halves = [eq(arms(p), rational(1, 2)), eq(places(m), 1)]
    assert judge(eq(places(m * arms(p)), 1), given=halves).verdict is Verdict.REFUTED
    assert judge(eq(places(m * arms(p)), rational(1, 2)), given=halves).verdict is Verdict.DECIDED
    somewhere = [eq(places(m * arms(p)), 1)]
    assert judge(eq(arms(p), 1), given=somewhere).verdict is Verdict.REFUTED


def test_what_is_given_of_pairs():
    skew = [eq(c, -turned)]
    vanishing = Summed(eq(c, -turned), x * xj, eq(arms(others(x * xj * c)), 0), rational(2))
    known = claim("p.skew", "The form vanishes", vanishing, given=skew)
    assert judge(known).verdict is Verdict.DECIDED
    wrong = claim(
        "p.wrong", "Not so", Summed(eq(c, -turned), x * yj, eq(arms(others(x * yj * c)), 0), rational(2)), given=skew
    )
    assert judge(wrong).verdict is not Verdict.DECIDED
    assert judge(eq(c + turned, 0), given=skew).verdict is Verdict.DECIDED
    assert judge(eq(c - turned, 0), given=skew).verdict is Verdict.REFUTED
    assert judge(eq(arms(others(x * yj * c)), 0), given=skew).verdict is Verdict.REFUTED


def test_an_inner_sum_is_no_constant_of_the_outer_one():
    """Were it taken for one, the mean of a product would be the product of the means."""
    obligation = Obligation("o", (), eq(places(m * arms(p)), places(m) * arms(p)))
    reduced = Reduced(obligation, Everything()).obligation.conclusion
    assert isinstance(reduced.left, Symbol)
    assert isinstance(reduced.right, Apply)
    assert reduced.left not in reduced.right.operands
    assert judge(obligation.conclusion).verdict is Verdict.REFUTED


def test_no_false_derivative_by_what_two_other_elements_have():
    at_place = p.at(J, PLACES)
    for statement in (
        eq(Derivative(arms((x - xj) * turned), turned), arms(x - xj)),
        eq(Derivative(arms(x * own), own), arms(x)),
        eq(Derivative(places(m * at_place), at_place), places(m)),
    ):
        assert not all(oracle.holds(statement, at) for oracle, at in POINTS)
        assert judge(statement).verdict not in (Verdict.DECIDED, Verdict.SUPPORTED)
    assert judge(eq(Derivative(p + x, p), x)).verdict is Verdict.REFUTED


def test_an_index_that_a_sum_would_bind_is_refused():
    inner = define("inner", (a,), arms(p * a))
    assert judge(eq(places(inner(m)), places(m * arms(p)))).verdict is Verdict.DECIDED
    for captured in (x, p, x + m, arms(x) * x):
        with pytest.raises(DeclarationError, match="of one element, into"):
            unfold(inner(captured))
    assert unfold(inner(xj * m)) == arms(p * (xj * m))
    with pytest.raises(DeclarationError, match="of one element, into"):
        unfold(Substitution(others(a * c), a, xj))


def test_sums_that_are_not_separable_are_refused():
    for body, by in (
        (places(arms(p * arms(p))), p),
        (arms(x * others(xj * c)), x),
        (others(xj * c), xj),
        (places(arms(p)) * c + turned, c),
        # One term depends on it, and not the coordinates of the elements through which the sum runs.
        (arms((x - xj) * turned), turned),
        (arms(x * own), own),
        (places(m * p.at(J, PLACES)), p.at(J, PLACES)),
    ):
        with pytest.raises(UnsupportedError, match=r"no derivative by|depends on the coordinate|at another element"):
            unfold(Derivative(body, by))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (eq(others(xj * Delta(J)), x), "a sum with a delta in .* runs through a further element"),
        (eq(others(xj) + xj, 1), "a sum runs through j, of which it speaks outside as well"),
        (eq(xj + x.at(ARMS.another("k")), 1), "it speaks of further elements j and k"),
    ],
)
def test_what_no_sum_can_mean_is_refused(statement, said):
    with pytest.raises(DeclarationError, match=said):
        judge(statement)


def test_a_sum_says_over_which_set():
    with pytest.raises(DeclarationError, match="a sum over arms or over places: say over which"):
        Total(p)
    with pytest.raises(DeclarationError, match="a sum over arms or over places: say over which"):
        claim("p.bare", "Bare", lt(x * m, Total(ONE)))
    for indexed in ((J, ARMS), (ARMS, ARMS)):
        with pytest.raises(DeclarationError, match="it is declared at"):
            real("z", "(0, 1)", "a number", indexed=indexed)
    for places_ in ((J,), (PLACES, ARMS), (ARMS, PLACES, J), (ARMS, J)):
        with pytest.raises(DeclarationError, match="has no coordinate at"):
            p.at(*places_)


def test_it_is_printed_and_read_back():
    expression = places(m * arms(p * (r - arms(p * r)))) + p * r + arms(others(x * yj * c)) + places(ONE)
    shown = str(expression_latex(expression))
    assert r"\sum_{q'} m_{q'} \sum_{i'}" in shown
    assert r"\sum_{i'} \sum_{j'}" in shown
    assert read_back(shown, expression).status == "agrees"
    for one, other in (
        ("p_{i'}(q')", "p_{q'}(i')"),
        ("p_{i'}(q')", "p_{i'}(q)"),
        ("p_{i'}(q')", "p_{i}(q')"),
        ("c(i', j')", "c(j', i')"),
        (r"\sum_{q'} 1", r"\sum_{i'} 1"),
        (r"\sum_{q'} m", r"\sum_{i'} m"),
    ):
        assert one in shown
        changed = shown.replace(one, other, 1)
        assert read_back(changed, expression).status != "agrees" or one == r"\sum_{q'} 1"


@pytest.mark.parametrize(
    ("summed", "latex", "text"),
    [
        (
            Summed(le(r, a), p, le(Total(p * r, ARMS), a), rational(1)),
            r"$r_i(q) \leq a$ for every arm $i$, then",
            "for every arm ",
        ),
        (
            Summed(le(r, a), m * p, le(Total(Total(m * p * r, ARMS), PLACES), a), rational(1)),
            r"(multiply by $m_q p_i(q)$ and sum over all arms and places)",
            "for every arm and place ",
        ),
        (
            Summed(le(Total(r, ARMS), a), m, le(Total(m * Total(r, ARMS), PLACES), a), rational(1)),
            r"for every place $q$, then",
            "for every place ",
        ),
    ],
)
def test_over_which_sets_a_relation_is_summed_is_said(summed, latex, text):
    assert latex in statement_latex(summed)
    assert text in statement_text(summed)


def test_elements_may_be_printed_in_another_order_than_they_are_declared():
    gain = real("g", "(-oo, oo)", "gain of an arm at a place", latex="g({second}, {index})", indexed=(ARMS, PLACES))
    expression = places(m * arms(p * gain)) + gain
    shown = str(expression_latex(expression))
    assert "g(q', i')" in shown
    assert read_back(shown, expression).status == "agrees"
    for other in ("g(i', q')", "g(q, i')", "g(q', i)"):
        assert read_back(shown.replace("g(q', i')", other), expression).status != "agrees"


def test_as_text_and_tree():
    assert expression_text(places(m * arms(p))) == "Σ(m·Σ[i](p))"
    assert expression_tree(arms(p)) == ["total", "p", "i"]
    assert expression_tree(arms(ONE)) != expression_tree(places(ONE))
    assert expression_tree(others(xj)) == ["total", "x_j", "j"]
    assert index_sets(places(m * arms(p))) == (PLACES, ARMS)


def test_written_out_for_so_many_elements():
    written = with_outputs(Obligation("o", (eq(arms(p), 1),), eq(places(m * arms(p)), places(m))), 2)
    assert {str(symbol) for symbol in written.symbols} == {
        *(f"p[{i},{q}]" for i in (1, 2) for q in (1, 2, 3)),
        *(f"m[{q}]" for q in (1, 2, 3)),
    }
    assert len(written.hypotheses) == 3


def a_product(draw: random.Random, depth: int = 0) -> Expression:
    kinds = [x, xj, y, yj, m, p, r, c, turned, own, p.at(J, PLACES), a, x + y, p + r, x - xj]
    found = draw.choice(kinds)
    for _ in range(draw.randint(0, 2)):
        found = found * draw.choice(kinds)
    return found * summed(draw, a_product(draw, depth + 1)) if depth < 2 and draw.random() < 0.4 else found


def summed(draw: random.Random, body: Expression) -> Expression:
    indices = list(free_indices(body))
    draw.shuffle(indices)
    for over in indices[: draw.randint(0, len(indices))]:
        body = Total(body, over)
    return body**2 if draw.random() < 0.2 else body


def varied(draw: random.Random, expression: Expression) -> Expression:
    """What somebody may take for the same: sums exchanged, factors pulled out or put in, an index mistaken."""
    match expression:
        case Total(body, over):
            inside = varied(draw, body)
            if isinstance(inside, Total) and draw.random() < 0.5:
                return Total(Total(inside.body, over), inside.over)
            if isinstance(inside, Apply) and inside.operator == "multiply" and draw.random() < 0.6:
                return inside.operands[0] * Total(inside.operands[1], over)
            return Total(inside, over if draw.random() < 0.9 else draw.choice([ARMS, J, PLACES]))
        case Apply("multiply", (left, right)):
            left, right = varied(draw, left), varied(draw, right)
            if isinstance(right, Total) and draw.random() < 0.5:
                return Total(left * right.body, right.over)
            return right * left
        case Apply("power", (base, exponent)):
            return Apply("power", (varied(draw, base), exponent))
        case Symbol() if draw.random() < 0.08 and expression in (c, x):
            return turned if expression == c else xj
    return expression


def decided(statement: Statement) -> bool:
    found = Reduced(Obligation("o", (), statement), Everything()).ask("exact")
    return found is not None and found.verdict is Verdict.DECIDED


def test_what_differs_from_element_to_element_is_no_constant_of_a_sum_over_a_further_one():
    factorials = factorial(xj**2)
    assert not decided(eq(others(factorials) ** 2, others(factorials**2) * others(ONE)))
    k, n = whole("k", "[0, oo)", "an index"), whole("n", "[0, oo)", "a number")
    upto = sum_of(xj * k, k, 0, n)
    false = eq(others(upto) ** 2, others(upto**2) * others(ONE))
    with pytest.raises(UnsupportedError, match="no deciding method knows"):
        Reduced(Obligation("o", (eq(upto + c, xj * n * (n + 1) / 2 + c),), false), Everything())
    # Nor of one over the set itself, whatever numbers stand in the place of these sums.
    total = sum_of(x * k, k, 0, n)
    assert judge(eq(arms(total) ** 2, arms(total**2) * arms(ONE))).verdict is Verdict.REFUTED


def test_random_rewritings_are_not_decided_by_accident():
    draw = random.Random(100)
    for _ in range(25):
        first = summed(draw, a_product(draw))
        statement = eq(first, varied(draw, first))
        assert all(oracle.holds(statement, at) for oracle, at in POINTS[:40]) or not decided(statement)


BOUND = claim("p.bound", "A sum of what is bounded", Summed(lt(x, a), ONE, lt(arms(x), a * size), ONE))


def test_a_lemma_about_all_arms_is_used_for_each_place():
    at_each = BOUND.at({x: r, a: m})
    assert judge(BOUND).verdict is Verdict.DECIDED
    statement = lt(arms(r), m * size)
    assert (
        judge(claim("p.each", "At each place", statement, given=[lt(r, m)], using=[at_each])).verdict is Verdict.DECIDED
    )
    wrong = claim("p.wrong", "Not so", gt(arms(r), m * size), given=[lt(r, m)], using=[at_each])
    assert judge(wrong).verdict is Verdict.REFUTED


def test_a_lemma_about_all_arms_says_nothing_where_its_premise_fails_at_one():
    huge = exp(rational(200))
    # No sample is so large that it would refute this.
    false = implies(lt(m, huge), lt(arms(r), huge * size))
    made = claim("p.false", "Not so", false, using=[BOUND.at({x: r, a: huge})])
    assert judge(made).verdict is not Verdict.DECIDED
    # Its premise is known of one weight only, and what it concludes would be said of another.
    other = claim("p.other", "Not so", lt(arms(r), m * size), given=[lt(r, a)], using=[BOUND.at({x: r, a: m})])
    assert judge(other).verdict is not Verdict.DECIDED


def test_what_one_arm_has_is_still_no_bound_of_all_arms_at_a_place():
    for value in (x + 1, xj, r):
        with pytest.raises(DeclarationError, match="supposes something of a at every element"):
            BOUND.at({a: value})


def test_a_place_that_a_lemma_sums_over_is_no_number():
    both_sums = claim("p.both", "Both", lt(places(m * arms(x)), a * size * places(m)), given=[lt(x, a)])
    with pytest.raises(DeclarationError, match="supposes something of a at every element"):
        both_sums.at({a: m})


def test_more_equations_than_are_solved_in_turn_are_met_element_by_element():
    """With two arms at three places there are nine equations; what fails must be refuted, not left without samples."""
    given = [eq(r * (1 - r), 0), eq(arms(p), 1)]
    assert judge(eq(arms(p * r), rational(1, 2)), given=given).verdict is Verdict.REFUTED
    assert judge(eq(arms(p * r**2), arms(p * r)), given=given).verdict is not Verdict.REFUTED
