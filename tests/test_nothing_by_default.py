"""What decides refuses a function or a kind of statement of which it knows nothing; it never answers by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import pytest

from grpo_symbolic import (
    Derivative,
    Statement,
    UniqueRoot,
    both,
    claim,
    either,
    eq,
    gt,
    iff,
    implies,
    in_the_limit,
    increasing,
    instance,
    ne,
    never,
    rational,
    real,
    some_zero,
    whole,
)
from grpo_symbolic.checks.deciding import DECIDERS, Reduced
from grpo_symbolic.checks.intervals import Evaluation, Jet, UnknownError
from grpo_symbolic.checks.quadrature import enclose_integral
from grpo_symbolic.checks.recheck import refutation
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import DeclarationError, GrpoSymbolicError, UnsupportedError
from grpo_symbolic.evidence import AWARDED, Verdict
from grpo_symbolic.judging.judge import judge_claim, judge_statement
from grpo_symbolic.judging.mutants import PROVED, mutants, try_mutant
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.language import definedness
from grpo_symbolic.language import expression as tree
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Apply, Expression
from grpo_symbolic.language.folding import fold
from grpo_symbolic.language.statement import All, Relation, is_elementary, truth
from grpo_symbolic.language.statement import parts_of as statements_in
from grpo_symbolic.obligations.expansion import Premises, expand, premises
from grpo_symbolic.obligations.nearby import refuse_jumps
from grpo_symbolic.obligations.obligation import Obligation, well_defined
from grpo_symbolic.obligations.sequences import without_limits
from grpo_symbolic.readback.printed import read_back
from grpo_symbolic.translate.algebra import Form
from grpo_symbolic.translate.balls import BallFunction
from grpo_symbolic.translate.cas import Bridge
from grpo_symbolic.translate.estimates import Estimator
from grpo_symbolic.translate.formula import expression_latex
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.multiprecision import evaluate
from grpo_symbolic.translate.program import Point
from grpo_symbolic.translate.ranges import range_on_domain
from grpo_symbolic.translate.smtlib import scripts_for
from grpo_symbolic.translate.tower import Tower
from grpo_symbolic.translate.values import ValueFunction

FEW = Settings(points=20)
SEARCH = Searcher(FEW)
v, w = real("v", "(0, 1)", "a probability"), real("w", "[0, 2)", "a weight")


def no_word(call: Callable[[], object], name: str) -> object:
    """What a method says, or None where it refuses: by an error of ours that names what it does not know."""
    try:
        return call()
    except GrpoSymbolicError as error:
        known = (name, "integrals, series or limits")
        return None if any(one in str(error) for one in known) else pytest.fail(f"{error} names no {name}")


def unknown(name: str, argument: Expression) -> Apply:
    return Apply(name, (argument,))


def about(name: str) -> list[Statement]:
    """Statements of which some hold for many functions, some for none."""
    f, at_one = unknown(name, v), unknown(name, rational(1))
    return [
        ne(f + v, rational(1, 2)),
        gt(f, -1),
        gt(f, f - f * f - 1),
        eq(f, 0),
        gt(at_one, 0),
        eq(f * f, 1),
        gt(w + 1, 0 * f),
        implies(gt(f, 0), gt(f, rational(1, 2))),
        either(gt(f, 0), gt(v, f)),
        iff(gt(f, 0), gt(v, rational(1, 2))),
        increasing(f, v),
        never(gt(f, 2)),
        instance(gt(f, 0), {v: rational(1, 2)}),
        UniqueRoot(v, eq(f, 0), rational(1, 2)),
        some_zero(f, v, rational(1, 4), rational(3, 4), rising=True),
        gt(Derivative(f, v), 0),
        eq(Binder("integral", f, v, rational(0), rational(1)), 1),
    ]


@pytest.fixture(params=["unknownfn", "unknownfn_with_values"])
def name(request, monkeypatch):
    """A function that the language has; of the second one it is said as well that it has a value everywhere."""
    monkeypatch.setitem(tree.OPERATORS, request.param, 1)
    if request.param != "unknownfn":
        monkeypatch.setitem(definedness._CONDITIONS, request.param, lambda argument: None)
    return request.param


def test_nothing_is_said_of_an_unknown_function(name):
    """By each method alone, and by all of them together."""
    for statement in about(name):
        for ask in ways(statement) if is_elementary(statement) else ():
            found = no_word(ask, name)
            assert found is None or found.verdict is Verdict.UNDECIDED, (statement, found)
        made = claim("p.unknown", "Something", statement)
        alone, _ = judge_claim(made, FEW)
        assert alone.verdict is Verdict.UNDECIDED, (statement, alone.evidence)
        for mutant in mutants(statement):
            if name in str(mutant.statement):
                assert try_mutant(made, mutant, FEW).kind != PROVED


def ways(statement: Statement) -> list[Callable[[], object]]:
    """Each method that decides, refutes or samples, asked about a statement."""
    goal, at = Obligation("claim", (), statement), (("v", "1/3"), ("w", "1"))
    found = [partial(method.check, goal, SEARCH.proposer) for method in DECIDERS.values()]
    found += [partial(asked, goal, method) for method in DECIDERS]
    return [
        *found,
        lambda: SEARCH.sample(goal),
        lambda: SEARCH.counterexample(goal, None, False),
        lambda: SEARCH.at(goal, at),
        lambda: SEARCH.point(Premises("it can hold", (statement,))),
        lambda: refutation((), statement, at),
    ]


def asked(goal: Obligation, method: str) -> object:
    return Reduced(goal, SEARCH.proposer).ask(method)


def test_whoever_calculates_names_the_function_that_it_does_not_know(name):
    f = unknown(name, v)
    area = Binder("integral", f, v, rational(0), rational(1))
    point = Point({"v": Fraction(1, 3)})
    refusing = [
        lambda: BallFunction(f, (v,)),
        lambda: ValueFunction(f, (v,)),
        lambda: evaluate(f, point, 20),
        lambda: Form((v,), SEARCH.proposer.kernels([f])).quotient(f),
        lambda: scripts_for(Obligation("claim", (), gt(f, 0)), SEARCH.proposer.kernels),
        lambda: Tower([v], {v: Fraction(1, 3)}).convert(f),
        lambda: Estimator().value(f, {"v": 0.5}),
        lambda: Bridge().to_sympy(f),
        lambda: expression_latex(f),
        lambda: statement_latex(gt(f, 0)),
        lambda: read_back(statement_latex(gt(f, 0)), gt(f, 0)),
        lambda: refuse_jumps(f, v),
    ]
    for number, call in enumerate(refusing):
        with pytest.raises(UnsupportedError, match=name):
            pytest.fail(f"{number}: {call()}")
    assert enclose_integral(area, {}) is None
    assert range_on_domain(f) is None
    assert range_on_domain(0 * f) is None
    with pytest.raises(UnknownError):
        Evaluation({"v": Jet(Fraction(1, 3), {})}, 1, 60).value(f, 1)


def test_where_an_unknown_function_has_a_value_is_not_guessed(monkeypatch):
    monkeypatch.setitem(tree.OPERATORS, "unknownfn", 1)
    f = unknown("unknownfn", v)
    for call in (lambda: side_conditions(f), lambda: well_defined(Obligation("claim", (), gt(1 / (f + 2), 0)))):
        with pytest.raises(UnsupportedError, match="no rule for unknownfn; add one, or state it without unknownfn"):
            call()


def test_what_was_not_carried_out_has_no_side_conditions():
    """Those of what it becomes would be lost: the derivative of log(v) has a value at -1."""
    for one in (Derivative(v * v, v), tree.Definition("g", (), 1 / v, "g")(), Apply("power", (v, w))):
        with pytest.raises(UnsupportedError, match="unfold it first"):
            side_conditions(one)


def test_a_kernel_without_axioms_does_not_get_those_of_the_logarithm(monkeypatch):
    """As if somebody had told the ring of a function, and nobody what solvers may know of it."""
    monkeypatch.setitem(tree.OPERATORS, "unknownfn_in_ring", 1)
    monkeypatch.setitem(definedness._CONDITIONS, "unknownfn_in_ring", lambda argument: None)
    translate, values = Form._translate, Form._values

    def told(self, expression):
        match expression:
            case Apply("unknownfn_in_ring", (inner,)):
                return self.kernel("unknownfn_in_ring", self.quotient(inner))
        return translate(self, expression)

    class Room:
        capacity = 2

        def prepare(self, form):
            pass

        def factors(self, form, kind, argument, typed):
            return None

    monkeypatch.setattr(Form, "_translate", told)
    goal = Obligation("claim", (), ne(unknown("unknownfn_in_ring", v) + v, rational(1, 2)))
    for ranged in (False, True):
        if ranged:
            # And of what values it has.
            monkeypatch.setattr(
                Form, "_values", lambda self, kind, one: values(self, "log" if "unknown" in kind else kind, one)
            )
        with pytest.raises(UnsupportedError, match="unknownfn_in_ring"):
            scripts_for(goal, lambda expressions: Room(), strong=ranged)


@dataclass(frozen=True, repr=False)
class Odd(Statement):
    """A kind of which nothing is known."""

    inner: Statement


@dataclass(frozen=True, repr=False)
class OddRelation(Relation):
    """Another one, which is no relation although it is made of the same parts."""


@dataclass(frozen=True, repr=False)
class OddConjunction(All):
    """A third one."""


R = gt(v, 0)
S = gt(w + 1, 0)
ODD = (Odd(S), OddRelation(w + 1, ">", rational(0)), OddConjunction((S, gt(w + 2, 0))))


@pytest.mark.parametrize("odd", ODD, ids=["plain", "relation", "conjunction"])
def test_nothing_is_said_of_an_unknown_kind_of_statement(odd):
    kind = type(odd).__name__
    stated = [
        (one, ())
        for one in (odd, both(R, odd), either(R, odd), implies(R, odd), implies(odd, gt(v + 2, w)), iff(R, odd))
    ]
    stated += [
        (gt(v + 2, w), (odd,)),
        (instance(odd, {v: rational(1, 2)}), ()),
        (UniqueRoot(v, odd, rational(1, 2)), ()),
    ]
    for statement, given in stated:
        for call in (expand, premises):
            with pytest.raises(UnsupportedError, match=f"of the kind {kind}"):
                call(statement, given)
        judgement = judge_statement(statement, given, FEW, "p.odd")
        assert judgement.verdict is Verdict.UNDECIDED
        (found,) = judgement.evidence
        assert found.method == "statement"
        assert kind in found.note
        with pytest.raises(DeclarationError, match=f"claim p.odd: .*of the kind {kind}"):
            claim("p.odd", "Odd", statement, given=given)


def test_no_method_takes_an_unknown_kind_for_a_combination_of_relations():
    odd = Odd(S)
    for call in (
        lambda: Obligation("claim", (), odd),
        lambda: truth(odd, lambda relation: True),
        lambda: fold(odd, lambda relation: True, every=all, some=any, implies=max, equivalent=max),
        lambda: without_limits(in_the_limit(R, whole("n", "[0, oo)", "a number"), because=odd), (), {}),
        lambda: statement_latex(odd),
    ):
        with pytest.raises(GrpoSymbolicError, match="Odd"):
            call()
    # Nobody overlooks what stands in it.
    assert statements_in(odd) == (S,)
    assert refutation((), odd, [("v", "1/3")]) is None


@pytest.mark.parametrize("verdict", sorted(AWARDED, key=lambda one: one.value))
def test_what_is_known_is_still_awarded(verdict):
    """Or else nothing would be tried here."""
    if verdict is Verdict.REFUTED:
        assert judge_statement(gt(v, rational(1, 2)), (), FEW, "p.false").verdict is verdict
    elif verdict is Verdict.DECIDED:
        assert judge_statement(gt(v + 1, 0), (), FEW, "p.true").verdict is verdict
