"""Reasons: each that is told is right, each that was changed is not, and nothing false has one."""

from __future__ import annotations

import json
import math
import operator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

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
    for_every,
    ge,
    gt,
    iff,
    implies,
    instance,
    le,
    log,
    lt,
    maximum,
    minimum,
    ne,
    rational,
    real,
    sqrt,
    unknown_function,
    whole,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.reasons.goal import Goal, goals_of
from grpo_symbolic.judging.reasons.known import Known
from grpo_symbolic.judging.reasons.reason import (
    Cases,
    Contrary,
    Difference,
    Given,
    Instead,
    Put,
    Ranges,
    Rising,
    Root,
    Same,
    Sign,
    Tangent,
    Term,
    objection,
    sum_of_signs,
)
from grpo_symbolic.judging.reasons.ring import with_absolute_values
from grpo_symbolic.judging.reasons.search import reason_for
from grpo_symbolic.judging.reasons.stretches import Along, Stretch
from grpo_symbolic.judging.reasons.telling import Piece, in_latex, kind_of, told
from grpo_symbolic.judging.reasons.walks import along
from grpo_symbolic.judging.reasons.why import (
    BOXES,
    NONE,
    Ground,
    Standing,
    Why,
    is_step,
    put_together,
    restored,
    why,
    written,
)
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation
from grpo_symbolic.obligations.expansion import IN_ITS_DOMAIN
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.reasons import why_counts, why_lines

p, q = (real(name, "(0, 1)", "a probability") for name in "pq")
x, y, z = (real(name, "(-oo, oo)", "a number") for name in "xyz")
u, v = (real(name, "(0, oo)", "a positive number") for name in "uv")
part = real("t", "[0, 1]", "a number from 0 to 1")

weight = real("w", "[0, 1]", "a weight", indexed=True)

NO_LINKS = Links(frozenset())

COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


def only(hypotheses, conclusion) -> Goal:
    (goal,) = goals_of(hypotheses, conclusion)
    return goal


LONG = gt(sum((log(1 + k * u) for k in range(1, 12)), start=log(u)), 0)

EXAMPLES = {
    "identity": only((), eq((x + y) ** 2 - (x - y) ** 2, 4 * x * y)),
    "factor": only((), gt(p, p**2)),
    "hypothesis": only((lt(q, p),), gt(p * (1 - q), q * (1 - p))),
    "square": only((), ge(x**2 + y**2, 2 * x * y)),
    "root": only((), ge(u + v, 2 * sqrt(u * v))),
    "conjugate": only((), gt(sqrt(u**2 + 1), u)),
    "tangent": only((), le(log(u), u - 1)),
    "exponential": only((), ge(exp(x), 1 + x)),
    "rising": only((), gt(log(u + v), log(u))),
    "absolute": only((), ge(absolute(x), x)),
    "maximum": only((), ge(maximum(x, y), (x + y) / 2)),
    "equation": only((eq(x, 2 * y),), eq(x**2, 4 * y**2)),
    "linear": only((eq(u * x, u * y + u),), gt(x, y)),
    "ranges": only((), lt(p, 2)),
    "contrary": only((gt(x + y, 0), le(y, 0)), gt(x, 0)),
    "zero": only((eq(x * y, 0), ne(x, 0)), eq(y, 0)),
    "sum": only((gt(x, y), gt(y, z)), gt(x, z)),
    "both sides of 0": only((gt(sqrt(u + v), x),), ge(sqrt(u + v) - x, -1 / (4 * u))),
    "known value": only((eq(z, 1), gt(u, 1)), eq(minimum(u * v, z * v), v)),
    "disjunction": only(
        (
            Any((lt(x, -1), gt(x, 1))),
            Implies(lt(x, -1), All((lt(x, 1), eq(z, -1)))),
            Implies(gt(x, 1), eq(z, 1)),
        ),
        eq(maximum(-1, minimum(x, 1)), z),
    ),
    "unused lemma": only((Equivalent(eq(x, 1), gt(y, 0)),), gt(p, p**2)),
    "long lemma": only((gt(u, 1), Implies(gt(u, 1), LONG)), LONG),
    "stretches": only((), lt(part * exp(-part), rational(2, 5))),
    "slope": only((), gt((1 + part) * exp(part / 2) - part / 3, rational(99, 100))),
    "case by stretches": only((le(part * exp(-part), rational(2, 5)), gt(part * exp(-part), rational(2, 5))), gt(x, 0)),
    "other side": only((eq(exp(-part) / 2, part),), lt(part, 1)),
}


@pytest.mark.parametrize("goal", EXAMPLES.values(), ids=EXAMPLES)
def test_a_reason_is_found_and_stands(goal):
    found = reason_for(goal)
    assert found is not None
    assert objection(found, goal) is None
    assert in_latex(told(found, {}))
    assert found == reason_for(goal), "the search is not the same twice"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("identity", "both sides multiply out to $4x y$"),
        ("factor", "left side minus right side is $p(1 - p)$"),
        ("hypothesis", "left side minus right side is $p - q$, where $p - q > 0$ by hypothesis"),
        ("square", r"left side minus right side is $(x - y)^{2}$"),
        ("tangent", None),
        ("ranges", "$p$ is below $1$"),
        ("equation", "with $x = 2y$: both sides multiply out to $4y^{2}$"),
        ("known value", "with $z = 1$: both sides multiply out to $v$"),
        ("unused lemma", "left side minus right side is $p(1 - p)$"),
        ("long lemma", "it is a hypothesis"),
        ("slope", "left side minus right side is at least $0.01$ (it rises in $t$)"),
        (
            "other side",
            r"it is the hypothesis $\frac{e^{-t}}{2} = t$; with the other side of this, "
            r"$\frac{e^{-t}}{2}$ is at most $\frac{1}{2}$",
        ),
        ("both sides of 0", "the left side is not negative by hypothesis, the right side not positive"),
    ],
)
def test_what_is_told(name, expected):
    goal = EXAMPLES[name]
    found = reason_for(goal)
    if expected is None:
        assert r"\log u \leq u - 1" in in_latex(told(found, {}))
        assert kind_of([found]) == "tangent"
    elif name == "hypothesis":
        # It is what the hypothesis says, multiplied out.
        assert in_latex(told(found, {})) in (
            expected,
            "rearranged, it is the hypothesis $q < p$",
        )
    else:
        assert in_latex(told(found, {})) == expected


FALSE = {
    "strict": only((), gt(x**2 + y**2, 2 * x * y)),
    "domain": only((), gt(u, u**2)),
    "identity": only((), eq((x + y) ** 2, x**2 + y**2)),
    "hypothesis": only((lt(p, q),), gt(p * (1 - q), q * (1 - p))),
    "logarithm": only((), lt(log(u), u - 1)),
    "root": only((), ge(sqrt(u * v), (u + v) / 2)),
    "absolute": only((), eq(absolute(x), x)),
    "equation": only((eq(x**2, y**2),), eq(x, y)),
    "case": only((Any((gt(x, 0), gt(y, 0))),), gt(x, 0)),
    "negative root": only((), eq(sqrt(x**2), x)),
    "premise": only((Implies(gt(x, 0), gt(y, 0)),), gt(y, 0)),
    "disjunction": only((Any((lt(x, -1), gt(x, 1))), Implies(gt(x, 1), eq(z, 1))), eq(z, 1)),
    "one side of 0": only((gt(x, 0),), ge(x, u)),
    "long premise": only((Implies(gt(u, 1), LONG),), LONG),
    "stretches": only((), lt(part * exp(-part), rational(9, 25))),
    "end": only((), gt(exp(part) - part, 1)),
    "near a pole": only((), lt(part * exp(-part) / (part - rational(1, 2)), 100)),
    "other side": only((eq(exp(-part) / 2, x),), lt(part, rational(1, 2))),
    "coordinate": only((), lt(weight * exp(-weight), Total(weight))),
}


@pytest.mark.parametrize("goal", FALSE.values(), ids=FALSE)
def test_nothing_false_has_a_reason(goal):
    assert reason_for(goal) is None


def mutants(reason):
    """Reasons with one thing changed, after which they say less than is needed or something wrong."""
    match reason:
        case Difference(relation, terms):
            for at, term in enumerate(terms):
                others = (*terms[:at], *terms[at + 1 :])
                yield Difference(relation, others)
                yield replace(reason, terms=(*others, replace(term, coefficient=-term.coefficient)))
                yield replace(reason, terms=(*others, replace(term, coefficient=2 * term.coefficient)))
                yield replace(reason, terms=(*terms, Term(Fraction(1))))
                for place, (sign, power) in enumerate(term.factors):
                    rest = (*term.factors[:place], *term.factors[place + 1 :])
                    yield replace(reason, terms=(*others, replace(term, factors=rest)))
                    yield replace(reason, terms=(*others, replace(term, factors=(*rest, (sign, power + 1)))))
                    for changed in changed_signs(sign):
                        yield replace(reason, terms=(*others, replace(term, factors=(*rest, (changed, power)))))
            yield replace(reason, relation=Relation(relation.left, relation.operator, relation.right + 1))
        case Same(relation, value):
            yield Same(Relation(relation.left, "=", relation.right + 1), value)
            yield Same(relation, relation.left + 1)
        case Given(relation, hypothesis):
            yield Given(relation, negated(hypothesis))
        case Ranges(relation):
            yield Ranges(negated(relation))
        case Along(relation, symbol, stretches):
            yield Along(negated(relation), symbol, stretches)
            yield replace(reason, symbol=u)
            yield replace(reason, stretches=stretches[:-1])
            yield replace(reason, stretches=())
            yield replace(reason, stretches=stretches[::-1] if len(stretches) > 1 else ())
            yield replace(reason, stretches=(*stretches, replace(stretches[-1], upper=stretches[-1].upper + 1)))
        case Instead(relation, equation, then):
            yield Instead(relation, negated(equation), then)
            yield Instead(relation, eq(equation.left, equation.right + 1), then)
            yield from (Instead(relation, equation, one) for one in mutants(then))
            yield Instead(relation, equation, Ranges(replace(then.relation, right=then.relation.right + 1)))
        case Put(relation, values, then):
            ((symbol, value), *rest) = values
            yield Put(relation, ((symbol, value + 1), *rest), then)
            yield Put(relation, (), then)
            yield from (Put(relation, values, one) for one in mutants(then))
        case Cases(relation, on, where, elsewhere):
            yield Cases(relation, on, elsewhere, where)
            yield Cases(relation, negated(on), where, elsewhere)
            yield from (Cases(relation, on, one, elsewhere) for one in mutants(where))
            yield from (Cases(relation, on, where, one) for one in mutants(elsewhere))
        case Contrary(relation, hypothesis, inner):
            yield Contrary(relation, negated(hypothesis), inner)
            yield from (Contrary(relation, hypothesis, one) for one in mutants(inner))


def changed_signs(sign):
    yield replace(sign, operator={">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "!=", "!=": "="}[sign.operator])
    yield replace(sign, value=sign.value + 1, why=None)
    match sign.why:
        case Tangent(function, argument):
            yield replace(sign, why=None)
            yield replace(sign, why=Tangent({"log": "exp", "exp": "log"}[function], argument))
            yield replace(sign, why=Tangent(function, argument + 1))
        case Rising(function, larger, smaller, inner):
            yield replace(sign, why=Rising(function, smaller, larger, inner))
            yield replace(sign, why=Rising("cos", larger, smaller, inner))
            yield from (replace(sign, why=Rising(function, larger, smaller, one)) for one in mutants(inner))
        case Root(inner):
            yield from (replace(sign, why=Root(one)) for one in mutants(inner))
        case None:
            pass
        case inner:
            yield replace(sign, why=None)
            yield from (replace(sign, why=one) for one in mutants(inner))


#: Mutants that are reasons all the same: what is left out was not needed.
HARMLESS = {"absolute", "maximum"}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in HARMLESS])
def test_a_changed_reason_is_none(name):
    goal = EXAMPLES[name]
    found = reason_for(goal)
    changed = [one for one in mutants(found) if one != found]
    assert changed
    assert [one for one in changed if objection(one, goal) is None] == []


def test_a_reason_is_for_its_own_goal():
    found = reason_for(EXAMPLES["factor"])
    assert objection(found, EXAMPLES["square"]) is not None
    assert "is no hypothesis" in objection(Given(gt(x, y), gt(x, y)), Goal((), gt(x, y)))


def test_below_a_fraction_bar_nothing_may_vanish():
    sign = Sign(x**2, ">=")
    assert Term(Fraction(1), ((sign, -1),)).signs == frozenset()
    assert sum_of_signs([frozenset()]) == {-1, 0, 1}
    wrong = Difference(ge(1 / x**2, 0), (Term(Fraction(1), ((sign, -1),)),))
    assert "the signs of the terms do not show it" in objection(wrong, Goal((), ge(1 / x**2, 0)))


def test_the_tangent_of_a_logarithm_needs_that_it_has_a_value():
    gap = x - 1 - log(x)
    wrong = Difference(ge(x - 1, log(x)), (Term(Fraction(1), ((Sign(gap, ">=", Tangent("log", x)), 1),)),))
    # Where the relation has no value, nothing is claimed.
    assert objection(wrong, Goal((), ge(x - 1, log(x)))) is None
    bare = Difference(ge(gap - gap, 0), (Term(Fraction(0), ((Sign(gap, ">=", Tangent("log", x)), 1),)),))
    assert objection(replace(bare, relation=ge(x - x, 0)), Goal((), ge(x - x, 0))) is not None


def test_squares_leave_roots_only_where_what_stays_has_a_root():
    assert with_absolute_values(sqrt(x**2 * u)) == absolute(x) * sqrt(u)
    # At 0 this is 0, but the root of x - 1 has no value there.
    assert with_absolute_values(sqrt(x**2 * (x - 1))) == sqrt(x**2 * (x - 1))


# Random polynomials: an independent program expands, and exact values at rational points have to agree.

SYMBOLS = (p, u, x)
GRID = {
    p: [Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)],
    u: [Fraction(1, 50), Fraction(1), Fraction(7, 3), Fraction(20)],
    x: [Fraction(-5), Fraction(-1, 3), Fraction(0), Fraction(1, 2), Fraction(4)],
}
ATOMS: list[Expression] = [p, u, x, 1 - p, x**2, (x - u) ** 2, u - p, x + 1, rational(1), rational(2)]


@st.composite
def polynomials(draw) -> Expression:
    whole: Expression = ZERO
    for _ in range(draw(st.integers(1, 3))):
        term: Expression = Number(Fraction(draw(st.integers(-3, 5))))
        for _ in range(draw(st.integers(0, 3))):
            term = term * draw(st.sampled_from(ATOMS))
        whole = whole + term
    return whole


def by_sympy(expression: Expression):
    """An expression in another program's words, made by this test alone."""
    match expression:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Symbol():
            return sympy.Symbol(expression.name)
        case Apply("negate", (inner,)):
            return -by_sympy(inner)
        case Apply("power", (base, Number(exponent))):
            return by_sympy(base) ** sympy.Rational(exponent.numerator, exponent.denominator)
        case Apply(name, (left, right)):
            apply = {
                "add": operator.add,
                "subtract": operator.sub,
                "multiply": operator.mul,
                "divide": operator.truediv,
            }[name]
            return apply(by_sympy(left), by_sympy(right))
    raise AssertionError(expression)


def differences(reason) -> list[Difference]:
    """The differences in a reason, also inside of signs."""
    match reason:
        case Difference(_, terms):
            inner = [sign.why for term in terms for sign, _ in term.factors if sign.why is not None]
            return [reason, *(one for why_ in inner for one in differences(why_))]
        case Root(inner) | Contrary(_, _, inner) | Put(_, _, inner):
            return differences(inner)
        case Cases(_, _, where, elsewhere):
            return [*differences(where), *differences(elsewhere)]
    return []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(left=polynomials(), right=polynomials(), compare=st.sampled_from([gt, ge, lt, le, eq]))
def test_reasons_for_random_relations_agree_with_another_program(left, right, compare):
    goal = only((), compare(left, right))
    found = reason_for(goal)
    if found is None:
        return
    gap = by_sympy(left) - by_sympy(right)
    for values in product(*GRID.values()):
        at = {
            sympy.Symbol(s.name): sympy.Rational(w.numerator, w.denominator) for s, w in zip(GRID, values, strict=True)
        }
        assert COMPARED[goal.relation.operator](gap.subs(at), 0), (goal, values)
    for one in differences(found):
        relation = one.relation
        same = by_sympy(relation.left) - by_sympy(relation.right) - by_sympy(one.expression)
        assert sympy.simplify(sympy.expand(same)) == 0


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([p, 1 - p, u, u + 1, (x - u) ** 2, x**2 + 1, (x - 1) ** 2]), min_size=1, max_size=4))
def test_a_product_of_what_is_not_negative_has_a_reason(factors):
    whole: Expression = rational(1)
    for factor in factors:
        whole = whole * factor
    assert reason_for(only((), ge(whole, 0))) is not None


# Claims.


def explained(made):
    return why(made, judge_claim(made, Settings(points=4))[0])


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (lt(-exp(rational(-500)), 0), "is at most $-10^{-218}$"),
        (gt(exp(rational(-500)), 0), "is at least $10^{-218}$"),
        (lt(-exp(rational(-3)), 0), "is at most $-0.049$"),
    ],
)
def test_small_numbers_are_told_in_a_few_digits(relation, expected):
    found = reason_for(only((), relation))
    assert expected in in_latex(told(found, {}))


def test_a_claim_tells_why_it_holds():
    found = explained(claim("t.a", "A square", Equivalent(gt(u**2, u), gt(u, 1))))
    assert found.standing is Standing.REASONED
    assert [part.label for part in found.parts] == ["forward", "backward"]
    assert restored(json.loads(json.dumps(written(found)))) == found
    assert len(why_lines(found, NO_LINKS)) == 2


def test_of_numbers_the_numbers_are_told():
    """What is said at a witness has no domains: the values of both sides are told, in one line each."""
    found = explained(claim("t.at", "At one", instance(both(lt(exp(u), 3), eq(u * u, 1)), {u: 1})))
    assert [part.label.endswith(IN_ITS_DOMAIN) for part in found.parts] == [True, False, False]
    lines = why_lines(found, NO_LINKS)
    assert r"$e^{1}$ is at most $2.719$" in lines[0]
    assert "both sides are $1$" in lines[1]
    assert lines[0].startswith(r"\emph{part 1: claim}")


def test_that_a_point_lies_on_the_whole_line_needs_no_reason():
    """Only the slopes on both sides of a maximum need one, and a part that has none is named."""
    highest = Extremum(-((x - y) ** 2), x, y, minimum=False)
    assert [part.label for part in explained(claim("t.line", "On the line", highest)).parts] == [
        "slope before",
        "slope after",
    ]
    among = explained(claim("t.half", "On a half line", Extremum(-((u - v) ** 2), u, v, minimum=False)))
    assert "point lies in the domain" in {part.label for part in among.parts}


def test_parts_without_a_reason_are_named_if_they_are_few():
    labels = ("slope before", "slope after", "sign", "side")

    def last_line(without: int) -> str:
        kinds = [NONE] * without + ["identity"] * (len(labels) - without)
        parts = (Ground(label, "smt", kind) for label, kind in zip(labels, kinds, strict=True))
        return why_lines(Why(False, tuple(parts)), NO_LINKS)[-1]

    assert r"yet for \emph{slope before}, 1 part of 4 (decided by smt)" in last_line(1)
    assert r"yet for \emph{slope before}, \emph{slope after}, 2 parts of 4" in last_line(2)
    assert "yet for 3 parts of 4" in last_line(3)


def test_of_the_same_sides_no_ranges_are_told():
    (ground,) = explained(claim("t.same", "The same", ge(p, absolute(p)))).parts
    assert in_latex(ground.told) == "both sides are the same"


def test_many_parts_that_ranges_show_are_counted():
    found = explained(claim("t.many", "Many", both(*(lt(p, number) for number in range(2, 10)))))
    assert why_lines(found, NO_LINKS) == ("Domains and numbers alone show it.",)


def test_what_only_puts_derived_lemmas_together_is_counted_apart():
    square = claim("t.square", "A square", derivation=derive(u * u, "twice").eq(u**2, "a power"))
    bound = claim("t.bound", "It is positive", gt(u**2, 0), equation="Eq. (1)")
    above = claim("t.above", "So it exceeds -1", gt(u * u, -1), using=[square], equation="Eq. (2)")
    below = claim("t.below", "So it is no less than 0", ge(u * u, 0), using=[square, bound])
    after = claim("t.after", "And exceeds -2", gt(u * u, -2), using=[above])
    claims = {made.id: made for made in (square, bound, above, below, after)}
    whys = {id: explained(made) for id, made in claims.items()}
    assert put_together(claims, whys) == {"t.above", "t.after"}
    told = why_counts(claims, whys)
    assert "of 5 claims that are decided, 1 have a derivation, 2 put lemmas" in told
    assert "Of the 2 of them that are tied to a place in a paper, 0 have a derivation, 1 put lemmas" in told
    assert why_counts({}, {}) is None


def test_a_reason_names_the_claim_whose_lemma_it_uses():
    positive = claim("t.positive", "It is positive", gt(exp(x) - x, 0))
    made = claim("t.uses", "So it is positive elsewhere", gt(exp(y) - y, 0), using=[positive.at({x: y})])
    found = explained(made)
    assert found.standing is Standing.REASONED
    assert in_latex(found.parts[0].told).startswith("it is what `t.positive` says: $")
    (line,) = why_lines(found, Links(frozenset({"t.positive"})))
    assert r"It is what \grporef{grpo:t.positive} says: $" in line


def test_symbols_in_the_names_of_parts_are_typeset():
    given = (Piece("it is given"),)
    names = ("claim: u_1 > 0 at every output", "u_1 in its domain", "a root of u_1, u_2 = 1/2", "x1 != 0 is no x")
    symbols = (real("u_1", "(0, 1)", "a number", latex="u"), real("x", "(0, 1)", "another one"))
    parts = [Ground(name, "smt", "hypothesis", given) for name in (*names, "other")]
    told_so = list(why_lines(Why(False, tuple(parts)), NO_LINKS, symbols)[:-1])
    assert told_so == [
        r"\emph{claim: $u > 0$ at every output}: it is given.",
        r"\emph{$u$ in its domain}: it is given.",
        r"\emph{a root of u\_1, u\_2 = 1/2}: it is given.",
        r"\emph{x1 != 0 is no x}: it is given.",
    ]


def test_a_hypothesis_that_a_lemma_repeats_is_a_hypothesis():
    relation = gt(exp(x) - x, y)
    twice = Known(((relation, "t.lemma"), (gt(x, y), "t.other")), (relation,))
    assert [twice.of(relation), twice.of(gt(x, y)), twice.of(gt(y, x))] == [None, "`t.other` says", None]
    assert [twice.noun(relation), twice.noun()] == ["hypothesis", "hypothesis or lemma"]


def test_who_says_the_sign_of_a_value_is_named_up_to_a_factor_of_one_sign():
    value = x * y - z
    known = Known(((gt(x * y, z), "t.larger"), (either(lt(value, 0), gt(u, 1)), "t.branch")), (ge(z, v),))
    assert known.sayer(gt(value, 0)) == known.sayer(ge(2 * value, 0)) == known.sayer(lt(-u * value, 0)) == "`t.larger`"
    assert known.sayer(ge(z - v, 0)) == "hypothesis"
    assert known.assuming(gt(value, 0)).sayer(gt(value, 0)) == "supposition"
    # What is weaker, what has the other sign, and what one side of a disjunction says is said by none of them.
    for relation in (gt(z - v, 0), lt(value, 0)):
        assert known.sayer(relation) == "hypothesis or lemma"
    assert known.sayer(gt(u - 1, 0)) == "what `t.larger` and `t.branch` give"


def test_a_lemma_about_any_function_is_named():
    """A value of the function is a letter where the reason is looked for, and no hypothesis of the claim."""
    f = unknown_function("f", x, "any function")
    bounded = for_every(x, le(f(x), y), such_as={f: y})
    lemma = claim("t.lemma", "An exponential", le(exp(f(x)), exp(y)), given=[bounded])
    made = claim("t.uses", "That of another number", le(exp(f(z)), exp(y)), given=[bounded], using=[lemma.at({x: z})])
    (ground,) = (one for one in explained(made).parts if one.label == "claim")
    assert in_latex(ground.told).startswith("it is what `t.lemma` says: $")


def test_a_sign_that_a_lemma_gives_is_told_with_its_claim():
    larger = claim("t.larger", "It is larger", gt(exp(x), x))
    (part,) = explained(claim("t.so", "So", gt(u * exp(x), u * x), using=[larger])).parts
    assert in_latex(part.told).endswith("by `t.larger`")
    (part,) = explained(claim("t.if", "So", gt(u * y, u * x), given=[gt(y, x)])).parts
    assert in_latex(part.told).endswith("by hypothesis")


def named_for(conclusion, *lemmas, given=()):
    """How the reason for a conclusion names what it uses."""
    (part,) = explained(claim("t.so", "So", conclusion, given=given, using=lemmas)).parts
    return in_latex(part.told).removeprefix("rearranged, ").partition("$")[0].strip(": ")


def test_a_lemma_is_named_only_if_it_says_what_is_used_where_it_is_used():
    """What one side of a disjunction says is no word of it, nor what an implication concludes whose premise fails."""
    bound, other, premise = gt(exp(u) - u**2 / 2 - u - 1, 0), lt(exp(u) - u**2 / 2 - u - 1, -1), gt(v, 1)
    branch = claim("t.branch", "One of two", either(bound, other))
    outright = claim("t.outright", "The first of them", bound)
    implied = claim("t.implied", "Under a premise", implies(premise, bound))
    stronger = claim("t.stronger", "Under another premise", implies(gt(v, 2), bound))
    same = claim("t.same", "Both ways", iff(bound, gt(2 * bound.left, 0)))
    excluded = gt(bound.left, -1)
    for lemmas in ((branch, outright), (implied, branch, outright)):
        assert named_for(bound, *lemmas) == "it is what `t.outright` says"
    assert named_for(bound, branch, given=[excluded]) == "it is what `t.branch` leaves"
    assert named_for(bound, implied, branch, given=[excluded, lt(v, 1)]) == "it is what `t.branch` leaves"
    assert named_for(bound, branch, implied, given=[premise]) == "it is what `t.implied` says"
    assert named_for(bound, stronger, implied, given=[premise, lt(v, rational(3, 2))]) == "it is what `t.implied` says"
    # What is supposed on the way is said by nobody.
    assert named_for(either(le(bound.left, 0), gt(bound.left + 1, 1)), branch) == "it is the supposition"
    assert named_for(either(le(bound.left, 0), gt(bound.left * 3, 0)), branch) == "it is the supposition"
    assert named_for(either(le(bound.left, 0), gt(bound.left * 3, 0)), same) == "it is what `t.same` gives"


def test_claims_that_say_a_relation_only_together_are_named_together():
    """Each that cannot be spared is named, and no other; what the hypotheses leave alone is no word of any."""
    bound, premise = gt(exp(u) - u**2 / 2 - u - 1, 0), gt(v, 1)
    implied = claim("t.implied", "Under a premise", implies(premise, bound))
    holds = claim("t.premise", "The premise", premise)
    idle = claim("t.idle", "Something else", gt(v * v + 1, v))
    assert named_for(bound, idle, holds, implied) == "it is what `t.premise` and `t.implied` give"
    assert named_for(bound, idle, given=[implies(premise, bound), premise]) == "it is the hypothesis"
    assert Known((), (premise,)).of(gt(u, 0)) is None
    known = Known(((premise, "t.premise"), (implies(premise, bound), "t.implied")))
    assert known.sayer(bound) == "what `t.premise` and `t.implied` give"
    assert known.sayer(gt(bound.left - 1, 0)) == "hypothesis or lemma"


def test_what_a_case_supposes_is_no_word_of_a_lemma():
    relation = gt(x, y)
    known = Known(((either(relation, lt(x, 0)), "t.branch"), (relation, "t.outright")))
    assert known.of(relation) == "`t.outright` says"
    case = known.assuming(relation)
    assert (case.of(relation), case.noun(relation)) == (None, "supposition")
    cases = Cases(gt(x, 0), relation, Given(relation, relation), Given(lt(x, 0), lt(x, 0)))
    words = in_latex(told(cases, {}, Known(((either(relation, lt(x, 0)), "t.branch"),))))
    supposed, _, elsewhere = words.partition("; ")
    assert supposed.endswith("it is the supposition $x > y$")
    # Where that does not hold, the other part is left.
    assert elsewhere.endswith("it is what `t.branch` gives: $x < 0$")


def test_a_claim_without_a_reason_says_so():
    made = claim("t.b", "A bound that no few lines show", gt(exp(x) * exp(-x / 2) + x**6 + 1, x**5 / 100))
    found = explained(made)
    if found.standing is Standing.REASONED:  # the better for it
        return
    assert any("No reason that a person can multiply out" in line for line in why_lines(found, NO_LINKS)) or any(
        "cover the domain" in line for line in why_lines(found, NO_LINKS)
    )


def test_what_a_lemma_says_outright_needs_no_boxes_and_what_says_less_does():
    valley = exp(part**2) - exp(part)
    bound = gt(valley, rational(-39040539, 10**8))
    alone = explained(claim("t.alone", "A bound", bound))
    assert [part.kind for part in alone.parts] == [BOXES]
    same, weaker = claim("t.same", "The bound", bound), claim("t.weaker", "Less", gt(valley, rational(-1, 2)))
    (told_so,) = explained(claim("t.so", "So", bound, using=[same])).parts
    assert told_so.method == "enclosure"
    assert in_latex(told_so.told).startswith("it is what `t.same` says: $")
    assert [part.kind for part in explained(claim("t.less", "So", bound, using=[weaker])).parts] == [BOXES]


def test_what_is_not_decided_has_no_reason():
    assert explained(claim("t.c", "False", gt(x, x**2))) is None


@pytest.mark.parametrize(("id", "expected"), [("p.a.step-1", True), ("p.a.step-12", True), ("p.step-by-step", False)])
def test_steps_are_known_by_their_ids(id, expected):
    assert is_step(id) is expected


@pytest.mark.slow
def test_most_claims_without_a_derivation_tell_why_they_hold(assessment):
    """Of the whole library more than half have a reason for all of their parts, and what has none says so."""
    decided = [
        item
        for item in assessment.judged.values()
        if not is_step(item.claim.id) and not (item.claim.derivation and item.claim.derivation.steps)
    ]
    found = [one for item in decided if (one := why(item.claim, item.alone)) is not None]
    assert sum(one.standing is Standing.REASONED for one in found) > len(found) / 2
    for one in found:
        assert why_lines(one, NO_LINKS), one
        missing = sum(part.kind == NONE for part in one.parts)
        assert any("No reason that a person can multiply out yet" in line for line in why_lines(one, NO_LINKS)) == (
            missing > 0
        )


# What lemmas leave to show.

WEIGHTS = (x * y, y * z, x * z, x**2 * y, y**2 * z, z**2 * x, x**3, y**3, z**3)
LONG = lt(exp(sum(WEIGHTS, ZERO)) * exp(sum(WEIGHTS, x)) * exp(sum(WEIGHTS, y)), p)


def test_what_is_a_hypothesis_as_it_stands_has_that_reason_however_long_it_is():
    goal = only((LONG,), LONG)
    found = reason_for(goal)
    assert found == Given(LONG, LONG)
    assert objection(found, Goal((), LONG)) == f"{LONG} is no hypothesis"
    assert [piece.text for piece in told(found, {}, Known(((eq(x, y), "t.lemma"),)))] == ["it is a hypothesis or lemma"]
    assert reason_for(only((negated(LONG),), LONG)) is None


def test_a_premise_that_is_given_is_left_out_though_it_is_no_relation():
    contracts = Implies(le(x, u), le(y, u))
    goal = only((contracts, Implies(contracts, gt(z, 1))), gt(z, 1))
    assert reason_for(goal) == Given(gt(z, 1), gt(z, 1))
    # The lemma is about something else.
    assert reason_for(only((contracts, Implies(Implies(le(x, v), le(y, u)), gt(z, 1))), gt(z, 1))) is None


def test_limits_at_infinity_say_that_a_reciprocal_is_positive():
    n = real("n", "[0, oo)", "a number of steps")
    assert only((gt(1 / n, 0),), le(1 / (1 + n), 1 / n)).hypotheses == (gt(n, 0),)
    assert kind_of([reason_for(only((gt(1 / n, 0),), le(1 / (1 + n) - 0, 1 / n)))]) == "factorisation"
    assert reason_for(only((), le(1 / (1 + n), 1 / n))) is None


def test_zeros_that_limits_subtract_are_not_told():
    assert only((gt(x - 0, 0),), le(-(x - 0), y - (0 * z - 0))).relation == le(-x, y - 0 * z)


def test_a_combination_that_does_not_matter_asks_for_no_cases():
    lemma = Equivalent(gt(x, y), lt(z, u))
    assert isinstance(reason_for(only((lemma,), gt(p, p**2))), Difference)
    # Where it does, they are told.
    assert isinstance(reason_for(only((Any((gt(x, 2), gt(x, 1))),), gt(x, 1))), Cases)


def test_a_long_hypothesis_may_differ_by_a_factor_of_one_sign():
    turned = lt(-u * LONG.right, -u * LONG.left)
    goal = only((turned,), LONG)
    assert reason_for(goal) == Given(LONG, turned)
    assert [piece.text for piece in told(reason_for(goal), {})] == ["rearranged, it is a hypothesis"]
    assert reason_for(only((lt(-x * LONG.right, -x * LONG.left),), LONG)) is None


def test_powers_are_told_as_powers_where_they_are_stated_so():
    n = whole("n", "[0, oo)", "a number of steps")
    bound = gt(u * p**n, v)
    told_of = in_latex(explained(claim("t.power", "A power", gt(3 * u * p**n, 3 * v), given=[bound])).parts[0].told)
    assert "p^{n}" in told_of
    assert "log" not in told_of
    typed = gt(u * exp(n * log(p)), v)
    told_of = in_latex(
        explained(claim("t.exp", "An exponential", gt(3 * typed.left, 3 * v), given=[typed])).parts[0].told
    )
    assert r"e^{n \log p}" in told_of


# Stretches.


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=4),
    st.integers(-4, 4),
    st.integers(-8, 8),
    st.sampled_from((">", ">=", "<", "<=")),
)
def test_what_stretches_show_holds_at_every_point(coefficients, rate, bound, operator):
    polynomial = sum((value * part**power for power, value in enumerate(coefficients, start=1)), start=ZERO)
    relation = Relation(polynomial * exp(rate * part), operator, Number(Fraction(bound)))
    found = along(relation)
    if found is not None and objection(found, Goal((), relation)) is None:
        for at in range(1001):
            point = at / 1000
            value = sum(c * point**power for power, c in enumerate(coefficients, start=1)) * math.exp(rate * point)
            assert COMPARED[operator](value, bound), (relation, point)


@pytest.mark.parametrize("numerator", [-1, 0, 3])
def test_bounds_on_both_sides_of_the_truth_are_told_apart(numerator):
    # The largest value of t exp(-t) on [0, 1] is 1/e, of which these are digits.
    digits = 36787 + numerator
    relation = lt(part * exp(-part), rational(digits, 10**5))
    found = along(relation)
    assert (found is not None and objection(found, Goal((), relation)) is None) is (numerator == 3)


def test_a_stretch_says_no_more_than_its_slope_and_its_end():
    relation = gt(part**2 - part, rational(-26, 100))
    shown = [
        Along(relation, part, (Stretch(Fraction(1, 2), end), Stretch(Fraction(1), other)))
        for end, other in (("lower", "upper"), ("upper", "lower"), (None, None))
    ]
    assert [objection(one, Goal((), relation)) is None for one in shown] == [False, True, False]


def test_an_end_that_does_not_belong_to_the_domain_is_not_looked_at():
    inner = real("s", "(0, 1)", "a number inside")
    relation = gt(exp(inner) + 1 / inner, 1)
    assert objection(Along(relation, inner, (Stretch(Fraction(1)),)), Goal((), relation)) is None
    beyond = gt(inner, 0)
    assert objection(Along(beyond, inner, (Stretch(Fraction(1)),)), Goal((), beyond)) is None
    assert "not shown" in objection(Along(beyond, inner, (Stretch(Fraction(1), "lower"),)), Goal((), beyond))
    closed = gt(part, 0)
    assert "not shown" in objection(Along(closed, part, (Stretch(Fraction(1)),)), Goal((), closed))


def test_stretches_speak_of_one_bounded_number():
    for symbol in (u, weight, whole("k", "[0, 5]", "a whole number")):
        relation = lt(symbol, 9)
        assert along(relation) is None
        assert "in an interval" in objection(Along(relation, symbol, (Stretch(Fraction(9)),)), Goal((), relation))


def test_what_has_no_slope_is_shown_by_ranges_alone():
    relation = lt(absolute(part - rational(1, 2)) + part**2, rational(5, 3))
    assert along(relation) is None or all(one.end is None for one in along(relation).stretches)
    by_end = Along(relation, part, (Stretch(Fraction(1), "upper"),))
    assert "not shown" in objection(by_end, Goal((), relation))


def test_boxes_are_told_as_a_few_stretches_where_these_show_it():
    made = claim("t.hump", "A bound", lt(part * exp(-part) + sqrt(part) / 10, rational(1, 2)))
    (ground,) = explained(made).parts
    assert ground.kind == "interval images"
    assert in_latex(ground.told).startswith("up to $t = ")


def test_sums_over_one_of_several_sets_are_told_as_they_stand():
    arms, tasks = IndexSet("arm", "arms", "i"), IndexSet("task", "tasks", "t")
    share = real("share", "(0, 1)", "a share of a task", latex=r"\rho({index})", indexed=tasks)
    gain = real("gain", "[0, oo)", "a gain by an arm in a task", latex="g({index},{second})", indexed=(arms, tasks))
    made = claim("t.twice", "Twice a sum", eq(share * Total(2 * gain, arms), 2 * share * Total(gain, arms)))
    (ground,) = explained(made).parts
    assert "total" not in in_latex(ground.told)
    assert r"2\rho(t) \sum_{i'} g(i',t)" in in_latex(ground.told)
