"""Induction along an iteration: what is refused, what holds and fails, and that iterates do what was decided."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic import (
    Derivative,
    absolute,
    attracts,
    both,
    eq,
    every_iterate,
    exp,
    ge,
    gt,
    implies,
    instance,
    judge,
    le,
    log,
    lt,
    rational,
    real,
)
from grpo_symbolic.errors import CheckError, DeclarationError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.translate.tree import statement_tree

a = real("a", "[0, oo)", "a number that is not negative")
k = real("k", "(0, 1)", "a factor")
n = real("n", "[0, oo)", "number of steps")
p = real("p", "(0, 1)", "a probability")
x = real("x", "(-oo, oo)", "a number")
y = real("y", "(-oo, oo)", "the next number")
u, v = (real(name, "(-oo, oo)", "a number") for name in "uv")
power = real("P", "(0, oo)", "a power")
bound = real("B", "[0, oo)", "a bound")
shares = real("w", "(0, 1)", "the share of an output", indexed=True)

third = rational(1, 3)
bernoulli = every_iterate(ge(power, 1 + n * a), {power: power * (1 + a), n: n + 1}, {power: 1, n: 0})
summed = every_iterate(eq(x, n * (n + 1) / 2), {x: x + n + 1, n: n + 1}, {x: 0, n: 0})
shrinking = every_iterate(
    le(absolute(x), bound),
    {x: y, bound: k * bound},
    {x: u, bound: v},
    where=le(absolute(y), k * absolute(x)),
    such_as={y: k * x},
)


def verdict(statement: Statement, *hypotheses: Statement) -> Verdict:
    return judge(statement, given=hypotheses).verdict


HOLD = {
    "bernoulli": (bernoulli,),
    "a-sum-of-numbers": (summed,),
    "cassini": (every_iterate(eq((v**2 - u * v - u**2) ** 2, 1), {u: v, v: u + v}, {u: 0, v: 1}),),
    "a-square-stays-small": (every_iterate(lt(p, third), {p: p**2}, {p: rational(1, 4)}),),
    "steps-that-are-bounded": (shrinking, le(absolute(u), v)),
    "a-parameter-of-the-start": (every_iterate(gt(x, 0), {x: exp(x - 1)}, {x: a + 1}),),
    "under-a-premise": (every_iterate(implies(gt(x, 0), gt(x, log(x))), {x: x + 1}, {x: 1}),),
    "two-things-are-kept": (every_iterate(both(gt(u, 0), gt(v, u)), {u: u + v, v: u + 2 * v}, {u: 1, v: 2}),),
}


@pytest.mark.parametrize("case", HOLD.values(), ids=HOLD)
def test_what_a_step_keeps_is_decided(case) -> None:
    assert verdict(*case) is Verdict.DECIDED


FAIL = {
    "another-start": every_iterate(eq(x, n * (n + 1) / 2), {x: x + n + 1, n: n + 1}, {x: 1, n: 0}),
    "another-step": every_iterate(eq(x, n * (n + 1) / 2), {x: x + n, n: n + 1}, {x: 0, n: 0}),
    "a-step-leaves-the-domain": every_iterate(gt(p, 0), {p: 2 * p}, {p: third}),
    "the-start-is-outside": every_iterate(gt(p, 0), {p: p / 2}, {p: 1}),
    "after-several-steps": every_iterate(lt(x, 200), {x: x**2}, {x: 2}),
    "where-some-steps-lead": every_iterate(le(x, 1), {x: x + y}, {x: 0}, where=ge(y, 0), such_as={y: 0}),
    "steps-without-a-value": every_iterate(ge(n, 0), {x: 1 / (x - x), n: n + 1}, {x: 0, n: 0}),
    "steps-that-lose-their-value": every_iterate(ge(n, 0), {x: log(x), n: n + 1}, {x: 2, n: 0}),
    "a-start-without-a-value": every_iterate(ge(n, 0), {x: x, n: n + 1}, {x: log(u), n: 0}),
    "more-than-is-bounded": every_iterate(
        le(absolute(x), 1), {x: y}, {x: 0}, where=le(absolute(y), absolute(x) + 1), such_as={y: x}
    ),
}


@pytest.mark.parametrize("statement", FAIL.values(), ids=FAIL)
def test_what_a_start_or_a_step_breaks_is_refuted(statement) -> None:
    assert verdict(statement) is Verdict.REFUTED


@pytest.mark.parametrize(
    "statement",
    [
        every_iterate(eq(x, 1), {x: y, y: x}, {x: 1, y: 1}),
        every_iterate(lt(x, 2), {x: x**2}, {x: 1}),
        every_iterate(lt(p, third), {p: 2 * p - rational(1, 4)}, {p: rational(1, 4)}),
        every_iterate(le(x, 1), {x: 1 / x}, {x: 1}),
    ],
    ids=str,
)
def test_what_holds_on_the_run_from_the_start_is_not_refuted_elsewhere(statement) -> None:
    """A step would break it, or have no value, only where no run from the start comes."""
    assert verdict(statement) not in (Verdict.REFUTED, *STANDING)


@pytest.mark.parametrize(
    "statement",
    [
        every_iterate(gt(x, 0), {x: y}, {x: 1}, where=both(gt(y, 2), lt(y, 1)), such_as={y: 3}),
        every_iterate(lt(x, 4), {x: x + 1}, {x: 0}, where=lt(x, 3)),
        every_iterate(lt(x, 4), {x: y}, {x: 0}, where=both(eq(y, x + 1), lt(y, 3)), such_as={y: x + 1}),
        every_iterate(gt(a, 0), {a: a + y}, {a: 1}, where=both(gt(y, 1), lt(a + y, 10)), such_as={y: 2}),
    ],
    ids=str,
)
def test_steps_that_cannot_always_be_taken_show_nothing(statement) -> None:
    judgement = judge(statement)
    assert judgement.verdict is Verdict.UNDECIDED
    assert "a step can be taken" in repr(judgement)


def test_what_an_implication_supposes_can_hold() -> None:
    never = every_iterate(implies(both(lt(x, 0), gt(x, 1)), gt(y, x)), {x: x + 1}, {x: 1})
    assert verdict(never) is Verdict.UNDECIDED


REFUSED = {
    "no start": (lambda: every_iterate(gt(x, 0), {x: x + 1}, {}), "x needs a start"),
    "no step": (lambda: every_iterate(gt(x, 0), {x: x + 1}, {x: 1, n: 0}), "n needs a step"),
    "nothing moves": (lambda: every_iterate(gt(x, 0), {}, {}), "a start and a step for each of its variables"),
    "as often as there are starts": (
        lambda: EveryIterate(gt(x, 0), (x,), (x + 1, x), (rational(1),)),
        "a start and a step for each of its variables",
    ),
    "twice": (lambda: EveryIterate(gt(x, 0), (x, x), (x, x), (a, a)), "variables of an induction differ"),
    "a start that runs": (lambda: every_iterate(gt(x, 0), {x: x + 1}, {x: x}), "x depends on x"),
    "of something else": (lambda: every_iterate(gt(a, 0), {x: x + 1}, {x: 1}), "says nothing of the iterates"),
    "the generic output": (lambda: every_iterate(gt(x, 0), {x: x + shares}, {x: 1}), "w. is about the generic element"),
    "a derivative": (
        lambda: every_iterate(gt(x, 0), {x: Derivative(x * log(x), x)}, {x: 1}),
        "has a derivative; an induction is about values only",
    ),
    "a number that is no expression": (
        lambda: EveryIterate(gt(x, 0), (x,), (1,), (rational(1),)),
        r"write rational\(1\)",
    ),
    "nobody knows whether steps can be taken": (
        lambda: every_iterate(gt(x, 0), {x: y}, {x: 1}, where=gt(y, 0)),
        "say in such_as with which values a step can be taken",
    ),
    "a value of what is fixed": (
        lambda: every_iterate(gt(x, a), {x: x + y}, {x: 1}, where=gt(y, 0), such_as={a: 1, y: 1}),
        "a is the same at every step",
    ),
    "nothing between": (lambda: every_iterate(gt(x, 0), {x: y}, {x: 1}, where=both()), "leave it out"),
    "a theorem is kept": (
        lambda: every_iterate(attracts({x: x / 2}, rational(0)), {x: x}, {x: 1}),
        "relations and their combinations only",
    ),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_induction_is_refused(make, message) -> None:
    with pytest.raises(DeclarationError, match=message):
        make()


OPEN = {
    "restricted": (every_iterate(gt(x, 0), {x: x}, {x: 1}), [gt(x, 0)], "hypotheses restrict x.*use where"),
    "a value for what runs": (instance(summed, {x: 1}), [], "x is bound by the statement"),
}


@pytest.mark.parametrize(("statement", "hypotheses", "message"), OPEN.values(), ids=OPEN)
def test_what_is_said_of_iterates_elsewhere_is_refused(statement, hypotheses, message) -> None:
    with pytest.raises(CheckError, match=message):
        judge(statement, given=hypotheses)


def test_parameters_take_values() -> None:
    assert verdict(instance(bernoulli, {a: 2})) is Verdict.DECIDED


def test_it_is_said_with_its_start_its_steps_and_its_reason() -> None:
    assert str(statement_latex(bernoulli)) == (
        r"from $P = 1$ and $n = 0$ on, any number of steps from $P \in (0, \infty)$ and $n \in [0, \infty)$ to "
        r"$P(1 + a)$ and $n + 1$ stay there and keep $P \geq 1 + n a$, which holds at the start, and after a step "
        "from wherever it holds"
    )
    assert (
        r"to $y$ and $k B$ with $\lvert y\rvert  \leq k \lvert x\rvert $ (such as $y = k x$) stay there and keep"
        in str(statement_latex(shrinking))
    )
    assert "with |y| ≤ k·|x| (such as y = k·x) from" in statement_text(shrinking)
    always = "x = n·(n + 1)/2 after any number of steps x → x + n + 1, n → n + 1 from x = 0, n = 0"
    assert statement_text(summed) == f"{always} (there, and after a step from wherever it holds)"
    assert statement_tree(every_iterate(gt(x, 0), {x: x + 1}, {x: 1})) == [
        "every-iterate",
        [">", "x", 0],
        ["x"],
        [["add", "x", 1]],
        [1],
        None,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bernoulli", "a-sum-of-numbers", "steps-that-are-bounded"])
def test_mutants_of_an_induction_are_caught(name) -> None:
    statement, *hypotheses = HOLD[name]
    changed = [mutant.statement for mutant in mutants(statement) if mutant.statement is not None]
    assert {mutant.variables for mutant in changed} == {statement.variables}
    caught = [other for other in changed if verdict(other, *hypotheses) is Verdict.REFUTED]
    assert len(caught) > len(changed) / 2


small = st.fractions(min_value=-2, max_value=2, max_denominator=3)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(slope=small, shift=small, start=small, top=small)
def test_iterates_stay_where_that_is_decided(slope: Fraction, shift: Fraction, start: Fraction, top: Fraction) -> None:
    """Of straight lines it is known which bounds a step keeps; and the iterates are computed, those that refute too."""
    exact = [rational(number.numerator, number.denominator) for number in (slope, shift, start, top)]
    statement = every_iterate(lt(x, exact[3]), {x: exact[0] * x + exact[1]}, {x: exact[2]})
    kept = slope * top + shift <= top if slope > 0 else slope == 0 and shift < top
    found, run = verdict(statement), [start]
    for _ in range(12):
        run.append(slope * run[-1] + shift)
    if start < top and kept:
        assert found is Verdict.DECIDED
        assert max(run) < top
    elif found is Verdict.REFUTED:
        assert max(run) >= top
    else:
        assert found not in STANDING
        assert max(run[:9]) < top
