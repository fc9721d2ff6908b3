"""The second evaluation of counterexamples: it confirms what is certain, and nothing else."""

import ast
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext, libmp
from property_tests import examples
from test_refutation import FALSE, TRUE, claim

from grpo_symbolic.checks import numeric, recheck, refuting
from grpo_symbolic.checks.confirmation import confirms
from grpo_symbolic.checks.counterexamples import boundary, climb
from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.checks.intervals import Evaluation, Jet, UnknownError, signs, wide
from grpo_symbolic.checks.recheck import holds, refutation, refutes
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.language.expression import Apply, Derivative, Number, Symbol, Total, as_expression
from grpo_symbolic.language.statement import eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either, iff, implies
from grpo_symbolic.language.vocabulary import absolute, exp, log, maximum, real, sign, sqrt
from grpo_symbolic.points.sampling import sample_points
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.translate.program import Point

u = real("u", "(0, oo)", "a positive number")
v = real("v", "(-oo, oo)", "a number")
w = real("w", "(-oo, oo)", "another number")
pi = real("pi", "(0, 1)", "probability of an output", indexed=True)
ROOT_OF_TWO = "1.41421356237310"


@pytest.mark.parametrize("name", FALSE)
def test_what_the_search_finds_is_confirmed(name):
    assert confirms(FALSE[name], counterexample(FALSE[name], Settings()))


@pytest.mark.parametrize("name", FALSE)
def test_other_sides_are_not_confirmed(name):
    witness = counterexample(FALSE[name], Settings())
    assert not confirms(FALSE[name], replace(witness, left=f"1{witness.left.lstrip('-')}"))
    assert not confirms(FALSE[name], replace(witness, right="nonsense"))


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_refuted_nowhere(name):
    obligation = TRUE[name]
    for point in sample_points(obligation.symbols, 200, 5):
        at = tuple((f"{s.name}[1]" if s.indexed else s.name, str(value)) for s, value in point.items())
        exist = [eq(expression, expression) for expression in obligation.defined]
        assert not holds((*obligation.hypotheses, *exist, implies(obligation.conclusion, ne(v, v))), at)


HOLD = {
    "rational": ([eq(v**2, Fraction(1, 4)), lt(v, w)], {"v": "1/2", "w": "2/3"}),
    "root of a square": ([eq(sqrt(v), Fraction(2, 3))], {"v": "4/9"}),
    "irrational and certain": ([lt(exp(v), 3), gt(log(u), 0)], {"v": "1", "u": "2"}),
    "defined by an equation": ([eq(v**2, 2), gt(v, 1)], {"v": ROOT_OF_TWO}),
    "a chain": ([eq(v**2, 2), eq(w, v + exp(v))], {"v": ROOT_OF_TWO, "w": "5.52746394115602"}),
    "two at once": ([eq(v + w, 3), eq(v * w, 1)], {"v": "2.61803398874989", "w": "0.381966011250105"}),
    "equation of a plain rational": ([eq(v, Fraction(3, 4))], {"v": "0.75"}),
    "no equation": ([lt(v, 2)], {"v": ROOT_OF_TWO}),
    "the last digit rounded away": ([eq(v**2, 2)], {"v": "1.41"}),
    "every output": ([lt(pi, Fraction(2, 3)), eq(Total(pi), 1)], {"pi[1]": "1/2", "pi[2]": "1/3", "pi[3]": "1/6"}),
    "forced outputs": (
        [eq(Total(pi), 1), eq(Total(pi**2), Fraction(2, 3)), gt(pi, Fraction(1, 5))],
        {"pi[1]": "0.788675134594813", "pi[2]": "0.211324865405187"},
    ),
    "one of two": ([either(eq(v**2, 2), eq(v, 5))], {"v": ROOT_OF_TWO}),
    "a derivative": ([eq(Derivative(v**3, v), 12)], {"v": "2"}),
    "the gamma function": ([eq(Apply("gamma", (u,)), 24)], {"u": "5"}),
    "a small number": ([eq(v * 10**20, sqrt(as_expression(2)))], {"v": "1.41421356237310E-20"}),
    "an equation with a kink": ([eq(absolute(v) + maximum(v, 2 * v), -3 + 2 * exp(v))], {"v": "1.18883416581369"}),
    "a symbol on which nothing depends": ([implies(gt(v, 0), either(lt(u, 5), gt(v, -1)))], {"v": "1"}),
}

OPEN = {
    "false": ([eq(v**2, Fraction(1, 4)), lt(v, w)], {"v": "1/2", "w": "1/2"}),
    "outside the domain": ([lt(u, 1)], {"u": "-1"}),
    "on the end of the domain": ([lt(u, 1)], {"u": "0"}),
    "a decimal that may be outside": ([eq(u**3, 0)], {"u": "0.000"}),
    "another digit": ([eq(v**2, 2)], {"v": "1.41421356237315"}),
    "the root has been rounded to a rational": ([eq(v**2, 2)], {"v": "141421356237310/100000000000000"}),
    "a double root": ([eq((v**2 - 2) ** 2, 0)], {"v": ROOT_OF_TWO}),
    "two equations for one number": ([eq(v**2, 2), eq(exp(log(v)), sqrt(as_expression(2)))], {"v": ROOT_OF_TWO}),
    "no sign change": ([eq(v**2, -Fraction(1, 10**40))], {"v": "0.00"}),
    "a jump": ([eq(sign(v), Fraction(1, 2))], {"v": "0.0"}),
    "undefined": ([lt(log(v), 5)], {"v": "-1"}),
    "a fraction with denominator 0": ([ne(1 / v, 5)], {"v": "0"}),
    "0 to the power 0": ([eq(v**0, 1)], {"v": "0"}),
    "irrational and equal, but not plainly so": ([eq(sqrt(v) ** 2, v)], {"v": "2"}),
    "not every output": ([lt(pi, Fraction(2, 3))], {"pi[1]": "1/2", "pi[2]": "3/4"}),
    "a symbol without a value": ([lt(v + w, 2)], {"v": "1"}),
    "unreadable": ([lt(v, 2)], {"v": "one"}),
    "a division by zero in the text": ([lt(v, 2)], {"v": "1/0"}),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_certainly_holds(name):
    statements, at = HOLD[name]
    assert holds(statements, tuple(at.items()))


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_certain_does_not_count(name):
    statements, at = OPEN[name]
    assert not holds(statements, tuple(at.items()))


def test_the_conclusion_fails_at_the_output_in_question():
    at = {"pi[1]": "1/4", "pi[2]": "3/4"}
    small = lt(pi, Fraction(1, 2))
    first = Witness(tuple(at.items()), "1/4", "1/2")
    second = Witness((*at.items(), ("output", "2")), "3/4", "1/2")
    assert not refutes([eq(Total(pi), 1)], small, first)
    assert refutes([eq(Total(pi), 1)], small, second)


def test_a_strict_inequality_is_touched_where_nobody_can_write_the_point_down():
    touched = Witness((("v", ROOT_OF_TWO),), "0.00000000000000", "0")
    assert refutes([], gt((v**2 - 2) * exp(v), 0), touched)
    assert not refutes([], ge((v**2 - 2) * exp(v), 0), touched)


def test_a_point_that_refutes_is_printed_with_both_sides():
    touched = refutation([], gt((v**2 - 2) * exp(v), 0), [("v", ROOT_OF_TWO)])
    assert refutes([], gt((v**2 - 2) * exp(v), 0), touched)
    corner = refutation([eq(w, v)], either(lt(v, w), gt(exp(v), 2 + w)), [("v", "1/2"), ("w", "1/2")])
    assert (corner.left, corner.right) == ("1/2", "1/2")
    assert refutation([eq(w, v)], le(v, w), [("v", "1/2"), ("w", "1/2")]) is None
    irrational = refutation([], lt(exp(v), v), [("v", "1")])
    assert (irrational.left, irrational.right) == ("2.71828182845905", "1")


def test_functions_that_were_differentiated_must_have_values():
    witness = Witness((("v", "-1"),), "-1", "0")
    assert refutes([], gt(1 / v, 0), witness)
    assert not refutes([], gt(1 / v, 0), witness, [log(v)])


@pytest.mark.parametrize("statement", [implies(gt(v, 0), gt(v, 2)), iff(gt(v, 0), gt(v, 2)), both(gt(v, 0), gt(v, 2))])
def test_combinations_fail_where_their_parts_say_so(statement):
    assert refutes([], statement, Witness((("v", "1"),), "1", "2"))
    assert not refutes([], statement, Witness((("v", "3"),), "3", "2"))


# --- what the search says is not believed


def _lie(*_arguments, **_options):
    return Witness((("v", "1/2"),), "1/2", "0")


def test_nothing_is_refuted_with_a_witness_that_is_none(monkeypatch):
    for module in (numeric, refuting):
        monkeypatch.setattr(module, "counterexample", _lie)
    obligation = claim(gt(v, 1), gt(v, Fraction(3, 4)))
    for found in (numeric.check(obligation, Settings(points=40)), refuting.refute(obligation, Settings())):
        assert found.verdict is Verdict.UNDECIDED
        assert "evaluating it again did not confirm it" in found.note


def test_neither_do_the_searches_for_hidden_failures(monkeypatch):
    for module in (boundary, climb):
        monkeypatch.setattr(module, "counterexample", _lie)
    obligation = claim(gt(v, 1), ge(v, Fraction(3, 4)))
    assert boundary.boundary_counterexample(obligation, Settings()) is None
    assert climb.climbed_counterexample(obligation, Settings()) is None


# --- intervals and slopes against another program

_ONE_PLACE = ["negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "sin", "cos", "arctan", "absolute"]
_ONE_PLACE += ["gamma", "sign"]
_TWO_PLACES = ["add", "subtract", "multiply", "divide", "maximum", "minimum"]
_MPMATH = {"arctan": "atan", "absolute": "fabs"}
_NAMES = (v, w)


def _trees():
    leaves = st.sampled_from(_NAMES) | st.fractions(-3, 3, max_denominator=9).map(Number)

    def build(children):
        one = st.builds(lambda name, a: Apply(name, (a,)), st.sampled_from(_ONE_PLACE), children)
        two = st.builds(lambda name, a, b: Apply(name, (a, b)), st.sampled_from(_TWO_PLACES), children, children)
        powers = st.sampled_from([Fraction(n, 2) for n in (-4, -3, -2, -1, 1, 2, 3, 4, 6)])
        return one | two | st.builds(lambda a, n: a**n, children, powers)

    return st.recursive(leaves, build, max_leaves=8)


def _by_mpmath(expression, values, context):
    """The value by mpmath alone, None where there is none."""
    match expression:
        case Number(value):
            return context.mpf(value.numerator) / value.denominator
        case Symbol(name):
            return values[name]
        case Apply(operator, operands):
            parts = [_by_mpmath(operand, values, context) for operand in operands]
    if any(part is None for part in parts) or any(abs(part) > 10**6 for part in parts):
        return None
    first, *rest = parts
    if operator in ("sqrt", "power") and first < 0 and (operator == "sqrt" or rest[0] % 1):
        return None
    if (operator in ("log", "gamma") and first <= 0) or (operator == "gamma" and first > 50):
        return None
    if (operator == "divide" and not rest[0]) or (operator == "power" and rest[0] <= 0 and not first):
        return None
    match operator:
        case "add" | "subtract" | "multiply" | "divide" | "power":
            signs_of = {"add": "__add__", "subtract": "__sub__", "multiply": "__mul__", "divide": "__truediv__"}
            return getattr(first, signs_of.get(operator, "__pow__"))(*rest)
        case "negate":
            return -first
        case "maximum":
            return max(parts)
        case "minimum":
            return min(parts)
        case _:
            return getattr(context, _MPMATH.get(operator, operator))(first)


def _contains(interval, value, context):
    low, high = wide(interval, 80)
    error = abs(value) * context.mpf(10) ** -50 + context.mpf(10) ** -60
    return context.make_mpf(low) - error <= value <= context.make_mpf(high) + error


@pytest.mark.slow
@given(_trees(), st.fractions(-2, 2, max_denominator=12), st.fractions(-2, 2, max_denominator=12), st.integers(0, 60))
@settings(max_examples=examples(300))
def test_intervals_contain_the_values_and_slopes_the_differences(expression, first, second, narrow):
    context = MPContext()
    context.dps = 80
    reach = Fraction(1, 2**narrow)
    box = {
        name: Jet((_exactly(value - reach), _exactly(value + reach)), {name: Fraction(1)})
        for name, value in (("v", first), ("w", second))
    }
    try:
        value, slopes = Evaluation(box, 1, 80).value(expression, 1)
    except UnknownError:
        return
    draw = random.Random(narrow)
    points = [
        {
            name: context.mpf(centre.numerator) / centre.denominator
            + (context.mpf(draw.choice([-1, 1, draw.uniform(-1, 1)])) / 2**narrow)
            for name, centre in (("v", first), ("w", second))
        }
        for _ in range(4)
    ]
    found = [_by_mpmath(expression, point, context) for point in points]
    if any(item is None for item in found):
        return  # beyond what is compared
    assert all(_contains(value, item, context) for item in found)
    # The difference of two values is a combination of slopes; this is all that Krawczyk's operator uses.
    for point, item in zip(points[1:], found[1:], strict=True):
        total = (context.mpf(0), context.mpf(0))
        for name in ("v", "w"):
            step = point[name] - points[0][name]
            ends = [context.make_mpf(end) * step for end in wide(slopes.get(name, Fraction(0)), 80)]
            total = (total[0] + min(ends), total[1] + max(ends))
        error = (1 + abs(item) + abs(found[0])) * context.mpf(10) ** -18
        assert total[0] - error <= item - found[0] <= total[1] + error


def _exactly(value):
    return libmp.from_rational(value.numerator, value.denominator, 200, "n")


@given(_trees(), st.fractions(-2, 2, max_denominator=12), st.fractions(-2, 2, max_denominator=12))
@settings(max_examples=examples(200))
def test_what_holds_here_holds_for_the_sampler_as_well(expression, first, second):
    relation = gt(expression, 0)
    values = {"v": first, "w": second}
    certain = holds([relation], tuple((name, str(value)) for name, value in values.items()))
    if certain:
        assert Truth(30).holds(relation, Point(values))
    assert not (certain and holds([le(expression, 0)], tuple((name, str(value)) for name, value in values.items())))


@pytest.mark.parametrize("value", [Fraction(-2, 3), Fraction(0), Fraction(5, 7)])
def test_signs_of_exact_numbers(value):
    assert signs(value) == {(value > 0) - (value < 0)}


@pytest.mark.parametrize("module", ["recheck", "krawczyk", "intervals"])
def test_the_second_evaluation_shares_nothing_with_the_search(module):
    source = Path(recheck.__file__).with_name(f"{module}.py").read_text()
    imported = {
        node.module
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module.startswith(("grpo_symbolic", "flint", "sympy"))
    }
    allowed = ("grpo_symbolic.language.", "grpo_symbolic.evidence")
    own = {f"grpo_symbolic.checks.{name}" for name in ("recheck", "krawczyk", "intervals")}
    assert {name for name in imported if not name.startswith(allowed)} <= own
