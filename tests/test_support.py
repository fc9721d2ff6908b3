"""What counts only on a support: 0 log 0 = 0, sums over part of the outputs, policies with zeros.

The oracle evaluates statements as they are typed, at every element of sets of one to three elements, without looking at
the body of a bracket that is 0. It shares no code with the reduction to cases.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isclose
from math import log as logarithm

import pytest

from grpo_symbolic import (
    Derivative,
    Expression,
    Extremum,
    Group,
    IndexSet,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    both,
    claim,
    define,
    drawn,
    either,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    judge,
    le,
    log,
    lt,
    never,
    on_support,
    rational,
    real,
    sqrt,
    sum_of,
    tends_to,
    whole,
)
from grpo_symbolic.errors import CheckError, DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Apply, Number, Symbol
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.outputs import Written
from grpo_symbolic.language.statement import Relation, expressions_of, map_expressions
from grpo_symbolic.language.support import Supported, is_finite, is_positive
from grpo_symbolic.obligations.expansion import expand, premises
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.obligations.principles import principles_for
from grpo_symbolic.obligations.support import by_support, divided, united
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.python import Python
from grpo_symbolic.translate.text import expression_text, statement_text
from grpo_symbolic.translate.tree import expression_tree

OUTPUTS = IndexSet("output", "outputs", "o")
OTHER = OUTPUTS.another("a")
p = real("p", "[0, 1]", "a policy", latex="p({index})", indexed=OUTPUTS)
s = real("s", "[0, 1]", "another policy", latex="s({index})", indexed=OUTPUTS)
q = real("q", "(0, 1]", "a policy that gives every output", latex="q({index})", indexed=OUTPUTS)
r = real("r", "(-oo, oo)", "a reward", latex="r({index})", indexed=OUTPUTS)
x = real("x", "[0, 1]", "a number that may be 0")
y = real("y", "(0, 1]", "a positive number")
z = real("z", "(-oo, oo)", "any number")
ONE = rational(1)


def kl(one: Expression, other: Expression) -> Expression:
    """A summand of a divergence."""
    return on_support(one, one * log(one / other))


SUMS = (eq(Total(p), 1), eq(Total(q), 1))
COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "=": partial(isclose, abs_tol=1e-12, rel_tol=1e-12),
    "!=": lambda left, right: not isclose(left, right, abs_tol=1e-12),
    "<=": lambda left, right: left <= right + 1e-12,
    ">=": lambda left, right: left >= right - 1e-12,
    "<": lambda left, right: left < right - 1e-12,
    ">": lambda left, right: left > right + 1e-12,
}
ARITHMETIC: Mapping[str, Callable[..., float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "power": operator.pow,
    "log": logarithm,
    "sqrt": lambda value: value**0.5,
}
Point = Mapping[str, Sequence[float]]


def value(expression: Expression, point: Point, here: int) -> float:
    """An expression at an element; ArithmeticError or ValueError where it has no value."""
    match expression:
        case Number(number):
            return float(number)
        case Symbol(name, indexed=over):
            return point[name][here if over else 0]
        case Supported(body, on):
            return value(body, point, here) if value(on, point, here) else 0.0
        case Total(body):
            return sum(value(body, point, one) for one in range(len(point["p"])))
        case Apply(name, operands):
            return ARITHMETIC[name](*(value(one, point, here) for one in operands))
    raise TypeError(expression)


def holds(relation: Relation, point: Point, here: int) -> bool:
    """Whether both sides have values that compare like this."""
    try:
        return COMPARED[relation.operator](value(relation.left, point, here), value(relation.right, point, here))
    except (ArithmeticError, ValueError):
        return False


def points(number: int = 300) -> Iterator[Point]:
    """Points with many zeros, and numbers of which some add up to 1."""
    drawn, zeros, positive = random.Random(1), (0, 0, 1 / 4, 1 / 2, 1), (1 / 4, 1 / 2, 1)
    for _ in range(number):
        count = drawn.choice((1, 2, 2, 3))
        domains = {"p": zeros, "s": zeros, "q": positive, "r": (-1, 0, 2), "x": zeros, "y": positive, "z": (-1, 0, 1)}
        yield {name: [drawn.choice(values) for _ in range(count)] for name, values in domains.items()}


POINTS = tuple(points())


def fails_somewhere(statement: Relation, given: Sequence[Relation] = ()) -> bool:
    """Whether the oracle finds an element of a set at which all that is given holds everywhere, and this does not."""
    return any(
        not holds(statement, point, here)
        for point in POINTS
        if all(holds(item, point, one) for item in given for one in range(len(point["p"])))
        for here in range(len(point["p"]))
    )


TRUE: Sequence[tuple[Relation, Sequence[Relation]]] = [
    (ge(kl(x, y), x - y), ()),
    (ge(kl(p, q), p - q), ()),
    (eq(kl(p, q), on_support(p, p * log(p)) - p * log(q)), ()),
    (le(on_support(x, x * log(x)), 0), ()),
    (le(on_support(1 - x, (1 - x) * log(1 - x)), 0), ()),
    (eq(on_support(p, p / p), on_support(p, ONE)), ()),
    (eq(on_support(x * y, z), on_support(x, z)), ()),
    (eq(on_support(x, on_support(y, z)), on_support(x, z)), ()),
    (eq(on_support(p * s, q), on_support(p, on_support(s, q))), ()),
    (eq(on_support(0 * y, 1 / x), 0), ()),
    (eq(on_support(p / q, 1 / p) * p, on_support(p, ONE)), ()),
    (eq(on_support(z, z / z) * z, z), ()),
    (eq(on_support(y, z), z), ()),
    (eq(Total(on_support(p, p * r)), Total(p * r)), ()),
    (le(Total(on_support(p, q)), Total(q)), ()),
    (gt(Total(on_support(p, q)), 0), SUMS[:1]),
    (le(Total(on_support(p, q)), 1), SUMS[1:]),
    (eq(Total(on_support(p, q)) + Total(q - on_support(p, q)), 1), SUMS[1:]),
    (eq(Total(on_support(p, q)), Total(q)), (gt(p, 0),)),
    (eq(Total(on_support(p, q + r)), Total(on_support(p, q)) + Total(on_support(p, r))), ()),
    (eq(Total(on_support(p * s, r)), Total(on_support(s, on_support(p, r)))), ()),
    (eq(Total(kl(p, q / y)), Total(kl(p, q)) + log(y)), SUMS[:1]),
]
FALSE: Sequence[tuple[Relation, Sequence[Relation]]] = [
    (gt(kl(x, y), x - y), ()),
    (ge(on_support(x, x * log(x)), x - rational(1, 2)), ()),
    (eq(on_support(x, x * log(x)), x * log(x)), ()),
    (le(x * log(x), 0), ()),
    (lt(on_support(x, x * log(x)), 0), ()),
    (eq(on_support(p, p / p), ONE), ()),
    (eq(on_support(x, log(x)) + log(x), 2 * log(x)), ()),
    (eq(on_support(x, z), z), ()),
    (eq(on_support(x, ONE) * log(x), on_support(x, log(x))), ()),
    (eq(on_support(y, 1 / x), 1 / x), ()),
    (eq(on_support(log(y), z), z), ()),
    (eq(on_support(p * s, q), on_support(p, q)), ()),
    (eq(on_support(z, z / z), 1), ()),
    (gt(Total(kl(p, q)), 0), SUMS),
    (ge(Total(kl(p, q)), 0), SUMS[:1]),
    (ge(Total(kl(p, q)), 0), SUMS[1:]),
    (eq(Total(kl(p, q)), Total(p * log(p / q))), SUMS),
    (eq(Total(on_support(p, q)), Total(q)), SUMS),
    (eq(Total(on_support(p, q)), 1), SUMS),
    (lt(Total(on_support(p, q)), Total(q)), SUMS),
    (gt(Total(on_support(p, q)), 0), SUMS[1:]),
    (eq(Total(on_support(p, ONE)), 1), SUMS),
    (eq(Total(on_support(p, ONE / s)), Total(on_support(p, ONE / s))), ()),
    (le(Total(on_support(p, 1 / (p - rational(1, 2)))), 10), SUMS[:1]),
    (eq(Total(on_support(p * s, r)), Total(on_support(p, r))), ()),
    (le(q, Total(on_support(p, q))), SUMS[:1]),
    (ge(p, Total(on_support(p, q)) - 1), (le(Total(q), 2),)),
]


@pytest.mark.parametrize(("statement", "given"), TRUE, ids=lambda part: str(part)[:60])
def test_what_holds_with_zeros_is_decided(statement, given):
    assert not fails_somewhere(statement, given)
    assert judge(statement, given=given).verdict is Verdict.DECIDED


@pytest.mark.parametrize(("statement", "given"), FALSE, ids=lambda part: str(part)[:60])
def test_what_fails_at_some_zeros_is_refuted(statement, given):
    assert fails_somewhere(statement, given)
    assert judge(statement, given=given).verdict is Verdict.REFUTED


def drawn_expression(drawn: random.Random, depth: int) -> Expression:
    """A rational expression with brackets in it."""
    if not depth:
        return drawn.choice((p, s, q, x, y, ONE))
    inner = partial(drawn_expression, drawn, depth - 1)
    match drawn.randrange(6):
        case 0:
            return inner() + inner()
        case 1:
            return inner() - inner()
        case 2:
            return inner() * inner()
        case 3:
            return inner() / inner()
        case 4:
            return Total(inner(), OUTPUTS)
        case _:
            return on_support(drawn.choice((p, s, x, p * q, p * s, 1 - x, x - y)), inner())


def drawn_statement(drawn: random.Random) -> Relation:
    """An identity that holds wherever both sides have values, or any relation."""
    one, other, on = drawn_expression(drawn, 1), drawn_expression(drawn, 1), drawn.choice((p, s, x, p * q))
    match drawn.randrange(6):
        case 0:
            return eq(on_support(on, one + other), on_support(on, one) + on_support(on, other))
        case 1:
            return eq(on_support(on, on * one), on * one)
        case 2:
            rest = Total(one - on_support(on, one), OUTPUTS)
            return eq(Total(on_support(on, one), OUTPUTS), Total(one, OUTPUTS) - rest)
        case 3:
            return eq(on_support(on, on_support(p, one)), on_support(p * on, one))
        case _:
            return Relation(drawn_expression(drawn, 2), drawn.choice(tuple(COMPARED)), other)


@pytest.mark.parametrize("seed", range(24))
def test_what_is_decided_of_any_brackets_holds_at_all_points(seed):
    drawn = random.Random(seed)
    statement = drawn_statement(drawn)
    given = drawn.choice(((), (), SUMS[:1], (gt(p, 0),), (ge(p, s),), (eq(Total(on_support(p, q)), 1),)))
    found = judge(statement, given=given).verdict
    assert found is not Verdict.DECIDED or not fails_somewhere(statement, given)
    assert found is not Verdict.SUPPORTED or not fails_somewhere(statement, given)
    if statement.operator == "=":
        assert found is not Verdict.UNDECIDED


CASES = [
    (le(p * Total(on_support(p, q)), Total(p * q) + p), ["p > 0 at every output", "p = 0 at every output"]),
    (eq(on_support(p, r) * Total(q), Total(on_support(p, r))), []),
    (eq(Total(on_support(p, 1 / p) * r) * q, p), []),
]


@pytest.mark.parametrize("statement", [TRUE[15][0], *(statement for statement, _ in CASES)], ids=statement_text)
def test_the_cases_say_what_the_statement_says(statement):
    """Written out for the elements on the support and the others, a case holds where the statement does."""
    (plan,) = expand(statement)
    for point in POINTS[:60]:
        for here in range(len(point["p"])):
            inside = [str(one) for one, chance in enumerate(point["p"]) if chance]
            outside = [str(one) for one, chance in enumerate(point["p"]) if not chance]
            case = plan[0] if not outside else plan[1] if not inside else plan[-1 if str(here) in outside else 2]
            numbers = {f"{name}[{one}]": [values[one]] for name, values in point.items() for one in range(len(values))}
            numbers |= {
                f"{name}__without__p[{one}]": numbers[f"{name}[{one}]"] for name in point for one in map(int, outside)
            }
            labels = {
                over: outside if "where p = 0" in over.elements else inside or outside
                for over in index_sets(*expressions_of(case.conclusion))
            }
            written = Written(labels, inside or outside, str(here), {over: str(here) for over in labels})
            relation = map_expressions(case.conclusion, written.out)
            assert holds(relation, {"p": [0], **numbers}, 0) is holds(statement, point, here)


def test_what_the_cases_are_called():
    (plan,) = expand(CASES[0][0])
    assert [one.label.removeprefix("claim: ") for one in plan] == [
        "p > 0 at every output",
        "p = 0 at every output",
        "p = 0 at some outputs and not at others, not at this one",
        "p = 0 at some outputs and not at others, also at this one",
    ]
    (plan,) = expand(TRUE[0][0])
    assert [one.label for one in plan] == ["claim: x > 0", "claim: x = 0"]
    (plan,) = expand(TRUE[5][0])
    assert len(plan) == 2
    # That probabilities sum to 1 is not so where all are 0.
    (plan,) = expand(gt(Total(on_support(p, q)), 0), SUMS[:1])
    assert not any("= 0 at every" in one.label for one in plan)


def test_sums_over_parts_of_a_set_say_which():
    (plan,) = expand(ge(Total(q), Total(on_support(p, q))))
    mixed = next(one for one in plan if "at some outputs" in one.label)
    shown = statement_latex(mixed.conclusion)
    assert shown.count(r"\sum_{o' \colon p(o') > 0} q(o')") == 2
    assert shown.count(r"\sum_{o' \colon p(o') = 0} q(o')") == 1


def test_a_counterexample_names_what_is_0():
    refuted = judge(eq(on_support(x, z), z))
    assert dict(refuted.witness.at)["x"] == "0"
    refuted = judge(eq(Total(on_support(p, q)), Total(q)))
    assert {value for name, value in refuted.witness.at if name.startswith("p")} == {"0"}


def test_divergences_of_any_policy_from_one_that_gives_all_outputs():
    summand = claim("p.summand", "A summand", ge(kl(p, q), p - q))
    summed = Summed(ge(kl(p, q), p - q), ONE, ge(Total(kl(p, q)), 0), ONE)
    whole = claim("p.sum", "The sum", summed, given=SUMS, using=[summand])
    assert judge(whole).verdict is Verdict.DECIDED
    assert (
        judge(claim("p.kl", "So", ge(Total(kl(p, q)), 0), given=SUMS, using=[summand, whole])).verdict
        is Verdict.DECIDED
    )
    for wrong in (gt(Total(kl(p, q)), 0), ge(Total(kl(p, q)), rational(1, 10**6))):
        assert judge(claim("p.kl", "Not so", wrong, given=SUMS, using=[summand, whole])).verdict is Verdict.REFUTED
    loose = Summed(ge(kl(p, q), p - q), ONE, gt(Total(kl(p, q)), 0), ONE)
    with pytest.raises(CheckError, match="only relations of one and the same sign can be summed"):
        judge(loose, given=SUMS)


def test_a_term_of_a_sum_over_a_support():
    assert judge(TermOfTotal(on_support(p, q))).verdict is Verdict.DECIDED
    assert judge(TermOfTotal(on_support(p, q - p))).verdict is not Verdict.DECIDED
    assert judge(TermOfTotal(on_support(p, 1 / (1 - p)))).verdict is not Verdict.DECIDED


def test_witnesses_with_zeros():
    assert judge(instance(eq(kl(x, y), 0), {x: 0, y: rational(1, 2)})).verdict is Verdict.DECIDED
    assert judge(instance(gt(kl(x, y), 0), {x: 0, y: rational(1, 2)})).verdict is Verdict.REFUTED
    assert judge(instance(eq(on_support(x, ONE), 1), {x: 0})).verdict is Verdict.REFUTED
    assert judge(never(gt(on_support(x, x * log(x)), 0))).verdict is Verdict.DECIDED
    assert judge(never(both(eq(on_support(x, ONE), 0), gt(x, 0)))).verdict is Verdict.DECIDED
    assert judge(never(eq(on_support(x, ONE), 0))).verdict is not Verdict.DECIDED


def test_combinations():
    assert judge(either(eq(on_support(x, ONE), 0), eq(on_support(x, ONE), 1))).verdict is Verdict.DECIDED
    assert judge(iff(eq(on_support(x, ONE), 0), eq(x, 0))).verdict is Verdict.DECIDED
    assert judge(iff(eq(on_support(x, ONE), 1), lt(x, 1))).verdict is Verdict.REFUTED
    assert judge(implies(eq(on_support(x, ONE), 1), eq(on_support(x, x / x), 1))).verdict is Verdict.DECIDED
    assert judge(implies(le(on_support(x, ONE), 1), gt(x, 0))).verdict is Verdict.REFUTED


def test_hypotheses_that_cannot_hold_show_nothing():
    impossible = judge(eq(x, 5), given=[eq(on_support(x, ONE), 2)])
    assert impossible.verdict is Verdict.UNDECIDED
    # They hold at 0 only, where no point is looked for.
    at_zero = judge(eq(x, 0), given=[eq(on_support(x, ONE), 0)])
    assert at_zero.verdict is Verdict.UNDECIDED
    (wanted,) = premises(eq(x, 0), [eq(on_support(x, ONE), 0)])
    assert wanted.label == "the hypotheses can hold where nothing vanishes"


def test_a_lemma_is_used_on_the_support_only_where_its_domain_says_so():
    positive = claim("p.log", "Logarithm", le(log(y), y - 1))
    used = claim("p.used", "Used", le(on_support(x, x * log(x)), x * (x - 1)), using=[positive.at({y: x})])
    assert judge(used).verdict is Verdict.DECIDED
    wrong = claim("p.wrong", "Not so", le(on_support(x, log(x)), x - 1), using=[positive.at({y: x})])
    assert judge(wrong).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "statement",
    [
        increasing(on_support(x, x * log(x) + 2 * x), x),
        Extremum(on_support(x, x * log(x)), x, exp(rational(-1))),
        tends_to(on_support(x, x * log(x)), 0, x, to=0, side="+", constant=1),
        implies(gt(y, 0), increasing(on_support(x, 1 / x), x)),
        both(gt(y, 0), increasing(define("f", (x,), on_support(x, 1 / x))(x), x)),
    ],
)
def test_statements_that_rest_on_slopes_are_refused(statement):
    for made in (lambda: judge(statement), lambda: claim("p.bad", "Bad", statement)):
        with pytest.raises(DeclarationError, match=r"may jump where what it counts on vanishes: only relations can"):
            made()


def test_no_derivative_where_it_may_jump():
    with pytest.raises(UnsupportedError, match="may jump where x is 0; differentiate where that is excluded"):
        unfold(Derivative(on_support(x, x * log(x)), x))
    assert unfold(Derivative(on_support(x, x * log(x)), y)) == Number(Fraction(0))
    assert judge(eq(Derivative(on_support(x, x * log(x)), x), log(x) + 1)).verdict is Verdict.UNDECIDED
    assert judge(eq(Derivative(on_support(y, on_support(x, y * x)), x), y)).verdict is Verdict.UNDECIDED


share = real("s", "[0, 1]", "a number that may be 0")


def test_probabilities_sum_to_1_next_to_a_point_inside_of_a_bracket_as_well():
    member = real("R", "(-oo, oo)", "reward of a member", indexed=IndexSet("member", "members", "m"))
    group = Group(member, 2, drawn(r, q))
    for mean in (group.expectation(group.mean), on_support(y, group.expectation(group.mean))):
        assert judge(eq(Derivative(mean, q), r), given=SUMS[1:]).verdict is Verdict.REFUTED


def test_other_names_are_not_taken_for_those_of_cases():
    loss, best = real("loss_without_x", "(-oo, oo)", "a loss"), real("loss", "(-oo, oo)", "another loss")
    assert "at loss_without_x = 1, x = 1/2: left 1" in str(judge(eq(loss * on_support(x, ONE), loss * x)))
    assert dict(united((("loss_without_x", "1"), ("loss", "2")))) == {loss.name: "1", best.name: "2"}


def test_a_derivative_by_what_the_bracket_does_not_depend_on_is_one_of_its_body():
    slope = Derivative(on_support(share, (share + 1) * x**2), x)
    assert judge(eq(slope, on_support(share, 2 * (share + 1) * x))).verdict is Verdict.DECIDED
    assert judge(eq(slope, 2 * (share + 1) * x)).verdict is Verdict.REFUTED
    # Taken with the bracket held fixed, and then both at one value.
    on_diagonal = Substitution(Derivative(on_support(share, share * x**2 + x), x), share, x)
    assert judge(eq(on_diagonal, on_support(x, 2 * x**2 + 1))).verdict is Verdict.DECIDED
    assert judge(eq(on_diagonal, 2 * x**2 + 1)).verdict is Verdict.REFUTED


def test_what_is_differentiated_needs_a_value_where_it_counts_only():
    slope = Derivative(log(x), x)
    assert judge(eq(on_support(x, slope), on_support(x, 1 / x))).verdict is Verdict.DECIDED
    assert judge(eq(on_support(share, slope), on_support(share, 1 / x))).verdict is Verdict.REFUTED
    # The derivative of the logarithm is -1 at -1, where it has no value.
    beyond = on_support(share, Substitution(slope, x, -share))
    assert judge(eq(beyond, on_support(share, -1 / share))).verdict is Verdict.REFUTED
    assert judge(eq(share, 1), given=[eq(beyond, -1)]).verdict is Verdict.REFUTED


index, last = whole("k", "[0, oo)", "an index"), whole("n", "[0, oo)", "a number")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (eq(on_support(1 / x, z), z), "not plain where"),
        (le(Total(on_support(r, q)), Total(q)), "not plain where r is 0"),
        (
            le(Total(on_support(p.at(OTHER), q.at(OTHER)), OTHER), Total(q)),
            "beside what is of two elements or of a further one",
        ),
        (eq(sum_of(on_support(x, y) ** 2, index, 0, last), last * y), "binds a symbol"),
    ],
)
def test_where_it_is_not_plain_what_vanishes_nothing_is_said(statement, said):
    with pytest.raises(UnsupportedError, match=said):
        expand(statement)
    assert judge(statement).verdict is Verdict.UNDECIDED


def test_what_has_a_value_is_told_case_by_case():
    with pytest.raises(UnsupportedError, match="has a value depends on the case"):
        tuple(side_conditions(on_support(x, log(x))))


def test_what_is_plain():
    assert all(map(is_positive, (y, q, exp(z), y * q / (y + 1), sqrt(y), y**2, Total(q))))
    assert not any(map(is_positive, (x, p, z, y - 1, y * x, log(y), exp(log(x)), exp(1 / x), 1 / x, Total(p), y / p)))
    assert all(map(is_finite, (x, p, z, y - 1, x**2, z / y, log(y), Total(p * r))))
    assert not any(map(is_finite, (1 / x, log(x), sqrt(z), z**-1, z / (y - 1), Total(r / p))))


def test_how_it_is_written():
    entropy = on_support(p, p * log(p / q))
    assert expression_text(entropy) == "[p > 0]·(p·log(p/q))"
    assert expression_text(on_support(z, y) * y) == "([z ≠ 0]·y)·y"
    assert str(expression_latex(entropy)) == r"[p(o) > 0] \, p(o) \log \frac{p(o)}{q(o)}"
    assert str(expression_latex(on_support(z, y) * y)) == r"([z \neq 0] \, y) y"
    assert expression_tree(entropy) == ["supported", ["multiply", "p", ["log", ["divide", "p", "q"]]], "p"]
    assert str(entropy) == "[p != 0] (p * log((p / q)))"
    assert Python(exact=True).text(on_support(x, y / x)) == "(y/x if x else F(0))"
    summed = "sum((p[i]*log(p[i]/q[i]) if p[i] else mpf(0)) for i in range(len(p)))"
    assert Python(exact=False).text(Total(entropy)) == summed


# A literal 0 as a factor is not read.
PRINTED = [statement for statement, _ in (*TRUE, *FALSE) if not str(statement_latex(statement)).startswith("[0y")]


@pytest.mark.parametrize("statement", PRINTED, ids=statement_text)
def test_what_is_printed_is_read_back(statement):
    printed = str(statement_latex(statement))
    assert read_back(printed, statement).status == "agrees"
    if r" > 0] \, " in printed:
        assert read_back(printed.replace("> 0]", r"\neq 0]"), statement).status != "agrees"


def test_a_lost_bracket_is_a_mutant_that_is_noticed():
    made = claim("p.entropy", "Entropies", eq(Total(kl(p, q)), Total(kl(p, ONE)) - Total(p * log(q))))
    lost = [mutant for mutant in mutants(made) if mutant.change == "p may be 0"]
    assert len(lost) == 2
    assert all(judge(mutant.statement).verdict is Verdict.REFUTED for mutant in lost)


def test_its_principle_is_named():
    assert "supports" in [item.name for item in principles_for([Supported], [])]


def test_a_point_with_zeros_is_told_in_the_words_of_the_case_and_back():
    obligation = Obligation("claim", (eq(Total(p), 1), eq(Total(q), 1)), le(Total(on_support(p, q)), Total(q) * y))
    (case,) = (one for one in by_support(obligation) if "not at others" in one.label)
    shares = {"p[1]": "1/2", "p[2]": "0", "p[3]": "1/2", "q[1]": "1/4", "q[2]": "1/3", "q[3]": "5/12", "y": "1/2"}
    apart = divided((*shares.items(), ("z", "7")), case)
    given = {"p[1]": "1/2", "p[2]": "1/2", "q[1]": "1/4", "q__without__p[1]": "1/3", "q[2]": "5/12", "y": "1/2"}
    assert dict(apart) == given
    again = {"p[1]": "1/2", "p[2]": "1/2", "p[3]": "0", "q[1]": "1/4", "q[2]": "5/12", "q[3]": "1/3", "y": "1/2"}
    assert united(apart) == tuple(again.items())
    whole = tuple(shares.items())
    assert divided(whole, obligation) == whole == united(whole)
