"""Statements built around the weak points of the engine: nothing false is decided, nothing true is refuted.

Numbers such as 3719/10007 are chosen so that no sample hits the one point at which a statement fails.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.declaring import claim
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.composites import Extremum, Summed, UniqueRoot, UniqueZero
from grpo_symbolic.language.drawing import Group, binary
from grpo_symbolic.language.expression import Apply, Derivative, Substitution, Total
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, decreasing, either, iff, implies, increasing, instance, tends_to
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    define,
    exp,
    log,
    maximum,
    rational,
    real,
    sign,
    sqrt,
)
from grpo_symbolic.obligations.lemmas import available

SETTINGS = Settings(digits=30, points=60)
ODD = rational(3719, 10007)

x = real("x", "(-oo, oo)", "a number")
second = real("x_2", "(-oo, oo)", "another number")
a = real("a", "(-oo, oo)", "a parameter")
q = real("q", "(0, 1)", "a share")
p = real("p", "[0, 1]", "a share")
v = real("v", "(-oo, oo)", "a number of each output", latex="v_{index}", indexed=True)
w = real("w", "(0, oo)", "a weight of each output", latex="w_{index}", indexed=True)
OUTPUTS = Total(rational(1))
excessive = real("excessive", "(0, 2)", "what is taken for a probability")
MEMBERS = IndexSet("member", "members", "i")
member_reward = real("member_reward", "(-oo, oo)", "reward of a member", indexed=MEMBERS)


def judged(statement: Statement, *given: Statement, lemmas: tuple[Statement, ...] = ()) -> Verdict:
    return judge_statement(statement, given, SETTINGS, "test", lemmas=lemmas).verdict


@pytest.mark.parametrize(
    "lemma",
    [
        implies(gt(1 / (x - ODD), 0), gt(x, ODD)),
        iff(gt(1 / (x - ODD), 0), gt(x, ODD)),
        implies(gt(1 / (x - ODD) ** 2, 0), ne(x, ODD)),
        implies(ge(x - ODD, 0), gt(exp(sqrt(x - ODD)), rational(1, 2))),
    ],
    ids=str,
)
def test_a_lemma_says_nothing_where_its_premise_has_no_value(lemma):
    assert judged(lemma) is Verdict.DECIDED
    assert judged(ne(x, ODD), lemmas=(lemma,)) is not Verdict.DECIDED


@pytest.mark.parametrize(
    "lemma",
    [
        implies(ge(x, 0), gt(exp(sqrt(x)), rational(1, 2))),
        implies(ge(x, 0), ge(exp(sqrt(x)), 1 + sqrt(x))),
    ],
    ids=str,
)
def test_axioms_about_an_exponential_do_not_give_its_argument_a_value(lemma):
    for false in (ne(x, -ODD), gt((x + ODD) ** 2, 0)):
        assert judged(false, lemmas=(lemma,)) is not Verdict.DECIDED


@pytest.mark.parametrize("symbol", [x, p])
def test_a_jump_is_no_zero(symbol):
    statement = ne(sign(symbol**2 - rational(2, 7)) + rational(1, 2), 0)
    assert judged(statement) in (Verdict.SUPPORTED, Verdict.DECIDED)


EVERYWHERE = [
    claim("test.sum", "A sum", Summed(eq(v, ODD), rational(1), eq(Total(v), ODD * OUTPUTS), rational(1))),
    claim("test.given", "Under a hypothesis", eq(Total(v), ODD * OUTPUTS), given=[eq(v, ODD)]),
    claim("test.implied", "As an implication", implies(eq(v, ODD), eq(Total(v), ODD * OUTPUTS))),
    claim(
        "test.both-ways",
        "Both ways",
        both(implies(eq(v, ODD), eq(Total((v - ODD) ** 2), 0)), implies(eq(Total((v - ODD) ** 2), 0), eq(v, ODD))),
    ),
]


@pytest.mark.parametrize("source", EVERYWHERE, ids=lambda source: source.id)
def test_what_holds_at_one_output_need_not_hold_at_all(source):
    lemma = source.at({}).statement
    totals = ne(Total(v), ODD * OUTPUTS), ne(Total((v - ODD) ** 2), 0)
    for total in totals:
        assert judged(ne(v, ODD), total, lemmas=(lemma,)) is not Verdict.DECIDED


@pytest.mark.parametrize("source", EVERYWHERE[:3], ids=lambda source: source.id)
def test_what_holds_at_all_outputs_is_used(source):
    lemma = source.at({}).statement
    assert judged(eq(Total(v), ODD * OUTPUTS), eq(v, ODD), lemmas=(lemma,)) is Verdict.DECIDED
    # The premise need not be stated, only follow at the generic output.
    assert judged(eq(Total(v), ODD * OUTPUTS), eq(2 * v, 2 * ODD), lemmas=(lemma,)) is Verdict.DECIDED


def test_the_known_side_of_an_equivalence_gives_the_other():
    roots = claim("test.roots", "An equivalence", iff(eq(v, a), eq(exp(v), exp(a))))
    left, right = eq(v, Total(w)), eq(exp(v), exp(Total(w)))
    lemma = roots.at({a: Total(w)}).statement
    for known, other in ((left, right), (right, left)):
        assert available((known,), (lemma,)) == ((other,), ())
    assert available((gt(v, 0),), (lemma,)) == ((), ())


def test_a_lemma_says_nothing_at_what_has_no_value():
    square = claim("test.square", "A square", ge(x**2, 0))
    lemma = square.at({x: 1 / (x - ODD)}).statement
    assert judged(ne(x, ODD), lemmas=(lemma,)) is not Verdict.DECIDED
    assert judged(ge(1 / (x - ODD) ** 2, 0), ne(x, ODD), lemmas=(lemma,)) is Verdict.DECIDED


def test_a_sum_does_not_bind_what_is_put_into_it():
    constant = claim("test.constant", "A constant factor", eq(Total(a * v), a * Total(v)))
    with pytest.raises(DeclarationError, match="of one element, into"):
        constant.at({a: v})
    scaled = define("f", (a,), Total(a * v))
    for body in (scaled(v), Substitution(Total(a * v), a, v)):
        for product in (Total(v**2), v * Total(v)):
            with pytest.raises(CheckError, match="of one element, into"):
                judged(eq(body, product))
    assert judged(eq(scaled(Total(v)), Total(v) ** 2)) is Verdict.DECIDED


def test_a_sum_of_sums_is_not_separable():
    for slope in (Total(w) + w, 2 * Total(w)):
        statement = eq(Derivative(Total(w * Total(w)), w), slope)
        found = judge_statement(statement, (), SETTINGS, "a sum of sums")
        assert found.verdict is Verdict.UNDECIDED
        assert "depends on the coordinate of each element" in found.evidence[0].note
    assert judged(eq(Derivative(Total(w) ** 2, w), 2 * Total(w))) is Verdict.DECIDED


def test_monotone_in_the_coordinate_of_one_output():
    assert judged(increasing(w - Total(w) / 2, w)) is Verdict.DECIDED
    assert judged(increasing(w / 2 - Total(w), w)) is not Verdict.DECIDED
    with pytest.raises(CheckError, match="a sum that is given depends on w"):
        judged(increasing(w - Total(w) / 2, w), lt(Total(w), 1))


def test_two_points_are_not_compared_at_one_output_only():
    rising = claim("test.rising", "Rising", increasing(w - Total(w) / 2, w))
    with pytest.raises(DeclarationError, match="about one coordinate; two points differ"):
        rising.between(1, 2)


@pytest.mark.parametrize(
    "statement",
    [
        Extremum(w**2 - Total(w), w, rational(1, 2)),
        UniqueZero(w - Total(w) / 2, w, rational(1), rational(2), True),
        UniqueRoot(w, eq(w, Total(w) / 2), rational(1)),
        tends_to(w * Total(w), 0, w, to=0, side="+", constant=1),
    ],
    ids=str,
)
def test_other_statements_about_one_coordinate_hold_no_sums_of_it(statement):
    with pytest.raises(CheckError, match="the coordinate of one of its terms"):
        judged(statement)


def test_contexts_of_several_sizes_are_sampled():
    assert judged(ge(OUTPUTS, 3)) is not Verdict.SUPPORTED
    assert judged(ge(OUTPUTS, 1)) is Verdict.SUPPORTED


def test_the_second_point_has_a_name_of_its_own():
    assert judged(increasing(x + second, x)) is Verdict.DECIDED
    assert judged(increasing(second - x, x)) is Verdict.REFUTED


def test_monotone_without_a_derivative():
    assert judged(increasing(maximum(x, 2 * x), x)) is Verdict.DECIDED
    assert judged(increasing(absolute(x), x)) is Verdict.REFUTED
    assert judged(Extremum(absolute(x - ODD), x, ODD)) is Verdict.DECIDED
    assert judged(Extremum(absolute(x - ODD), x, ODD + 1)) is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("width", [2, 2**20, 2**100])
def test_a_fall_next_to_one_point_refutes_that_a_function_increases(width):
    rises_but_there = (x - ODD) ** 3 / 3 - rational(1, width**2) * (x - ODD)
    assert judged(increasing(rises_but_there, x)) is Verdict.REFUTED


@pytest.mark.slow
def test_a_slope_that_vanishes_or_has_no_value_refutes_no_increase():
    assert judged(increasing((x - ODD) ** 3, x)) is Verdict.DECIDED
    assert judged(increasing(sqrt(q), q)) is Verdict.DECIDED
    assert judged(increasing(sqrt(p), p)) is not Verdict.REFUTED
    assert judged(increasing(sqrt((x - ODD) ** 2) * (x - ODD), x)) in {Verdict.DECIDED, Verdict.SUPPORTED}


@pytest.mark.parametrize(
    "body",
    [x**3 / x, (x - ODD) ** 3 / (x - ODD), sqrt((x - ODD) ** 2) / (x - ODD) + (x - ODD) ** 2],
    ids=str,
)
def test_an_extremum_has_a_value(body):
    assert judged(Extremum(body, x, rational(0) if body == x**3 / x else ODD)) is not Verdict.DECIDED


@pytest.mark.parametrize(
    "statement",
    [
        tends_to(q, 3, q, to=-5, side="+", constant=3),
        tends_to(q, 3, q, to=5, side="-", constant=3),
        tends_to(q, a, q, to=a, side="+", constant=3),
        tends_to(q, 1, q, to=1, side="+", constant=3),
    ],
    ids=str,
)
def test_a_limit_is_taken_where_the_domain_reaches(statement):
    assert judged(statement) is not Verdict.DECIDED


def test_a_limit_needs_the_whole_neighbourhood():
    with pytest.raises(CheckError, match="cannot tend to infinity"):
        judged(tends_to(exp(q), 0, q, to=None, side="oo", constant=3))
    with pytest.raises(CheckError, match="use near for its neighbourhood"):
        judged(tends_to(q, rational(7, 10), q, to=0, side="+", constant=3), gt(q, rational(1, 2)))
    assert judged(tends_to(q, 1, q, to=1, side="-", constant=1)) is Verdict.DECIDED
    assert judged(tends_to(q, a, q, to=a, side="+", constant=1), gt(a, 0), lt(a, 1)) is Verdict.DECIDED


def test_hypotheses_hold_at_the_point_that_a_statement_names():
    assert judged(Extremum(x**2, x, rational(0)), ge(x, 1)) is not Verdict.DECIDED
    assert judged(Extremum(x**2, x, rational(1)), ge(x, 1)) is Verdict.DECIDED
    # A hypothesis about a parameter is given, one about the witness itself is to be shown of it.
    assert judged(instance(eq(x**2, a), {x: sqrt(a)}), gt(a, 0)) is Verdict.DECIDED
    assert judged(instance(eq(x**2, a), {x: sqrt(a)}), gt(a, 0), lt(x, 1)) is not Verdict.DECIDED


def test_an_extremum_at_a_closed_end_has_a_slope_on_one_side():
    assert judged(Extremum(p**2, p, rational(0))) is Verdict.DECIDED
    assert judged(Extremum(p**2, p, rational(1), minimum=False)) is Verdict.DECIDED
    assert judged(Extremum(p**2, p, rational(1))) is Verdict.REFUTED


@pytest.mark.slow
def test_a_side_condition_that_is_not_shown_is_no_crash():
    # The sides differ by a constant only where -x is not negative, and nothing shows that.
    root = either(ge(cosh(-sqrt(x**2)), cosh(x) - 1), lt(x, 0))
    assert judged(ge(cosh(-sqrt(x**2)) - cosh(x), -1)) in (Verdict.SUPPORTED, Verdict.DECIDED)
    assert judged(root) in (Verdict.SUPPORTED, Verdict.DECIDED)


def test_the_only_root_satisfies_the_hypotheses():
    assert judged(UniqueRoot(x, eq(x, a), a), gt(x, a + 5)) is not Verdict.DECIDED
    assert judged(UniqueRoot(x, eq(x**2, 4), rational(2)), lt(x, 0)) is not Verdict.DECIDED
    assert judged(UniqueRoot(x, eq(x**2, 4), rational(-2)), lt(x, 0)) is Verdict.DECIDED


UNDEFINED = log(q - 5)  # its derivatives have values on (0, 1)
DERIVED = define("f", (x,), Derivative(log(q - 5), q) + x)


@pytest.mark.parametrize(
    "statement",
    [
        eq(Derivative(UNDEFINED, q), 1 / (q - 5)),
        eq(Derivative(Derivative(UNDEFINED, q), q), -1 / (q - 5) ** 2),
        eq(DERIVED(q), 1 / (q - 5) + q),
        eq(Substitution(x**2, x, Derivative(UNDEFINED, q)), 1 / (q - 5) ** 2),
        decreasing(Derivative(UNDEFINED, q), q),
        UniqueRoot(q, eq(Derivative(UNDEFINED, q), rational(-2, 9)), rational(1, 2)),
        UniqueZero(Derivative(UNDEFINED, q) + rational(2, 9), q, rational(1, 4), rational(3, 4), False),
        tends_to(Derivative(UNDEFINED, q), rational(-1, 5), q, to=0, side="+", constant=3),
        Extremum(0 * Derivative(UNDEFINED, q) + (q - rational(1, 2)) ** 2, q, rational(1, 2)),
        instance(eq(Derivative(UNDEFINED, q), rational(-2, 9)), {q: Fraction(1, 2)}),
    ],
    ids=str,
)
def test_what_has_no_value_has_no_derivative(statement):
    assert judged(statement) is not Verdict.DECIDED


def test_derivatives_where_the_function_has_values_are_decided():
    zero = UniqueZero(Derivative(log(5 - q), q) + rational(2, 9), q, rational(1, 4), rational(3, 4), False)
    assert judged(zero) is Verdict.DECIDED
    assert judged(le(Derivative(log(5 - q), q), 0)) is Verdict.DECIDED


def test_a_wave_is_no_monotone_function_though_its_signs_differ_at_two_points():
    """The bracket of a unique zero holds here; only the slope shows that the function is not monotone."""
    wave = (q - ODD) * (2 + Apply("sin", (40 * q,))) * (1 + p)
    statement = UniqueZero(wave, q, rational(1, 10), rational(9, 10), True)
    judgement = judge_statement(statement, (), SETTINGS, "wave")
    assert judgement.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("statement", "hypotheses"),
    [
        (lt(x, 1), [eq(Derivative(log(x), x), -1), lt(x, 0)]),
        (implies(eq(Derivative(log(x), x), -1), lt(x, 0)), []),
        (both(implies(eq(Derivative(log(x), x), -1), lt(x, 0)), ge(x**2, 0)), []),
        (gt(excessive, 0), [gt(Group(member_reward, 2, binary(excessive)).expectation(member_reward), 0)]),
    ],
    ids=["given", "premise", "premise-of-a-part", "probability"],
)
def test_hypotheses_that_lost_what_had_no_value_are_refused(statement, hypotheses) -> None:
    judgement = judge_statement(statement, hypotheses, SETTINGS, "test")
    assert judgement.verdict is Verdict.REFUTED
    refuted = {item.obligation for item in judgement.evidence if item.verdict is Verdict.REFUTED}
    assert any("what hypotheses differentiate or expect has a value" in label for label in refuted)


def test_hypotheses_that_have_values_are_used() -> None:
    steep = eq(Derivative(log(x**2 + 1), x), 1)
    assert judged(lt(x, 5), steep) is Verdict.DECIDED


def test_no_argument_of_a_function_is_differentiated_in_it() -> None:
    slope = define("slope", (q,), Derivative(x * q, x))
    of_x, free = define("slope_of", (a,), Derivative(x * a, x)), define("at", (x,), Derivative(x**2, x))
    assert judged(eq(slope(p), p), gt(p, 0), lt(p, 1)) is Verdict.DECIDED
    assert judged(eq(of_x(x), 2 * x), gt(x, 1)) is Verdict.REFUTED
    assert judged(eq(of_x(x), x), gt(x, 1)) is Verdict.DECIDED
    assert judged(eq(free(a + 1), 2 * a + 2)) is Verdict.DECIDED
