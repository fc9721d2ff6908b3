"""Proposers that lie: nothing false is decided, whatever is proposed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from judging_here import judged_by

from grpo_symbolic import Total, both, claim, eq, gt, log, real, sqrt
from grpo_symbolic.checks import exact, oracle, smt
from grpo_symbolic.checks.deciding import Reduced, shown_impossible
from grpo_symbolic.checks.proposals import installed
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposer import Combination, Elimination, NormalForm, Opinion, Question
from grpo_symbolic.checks.refuting import possible, refute
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.checks.totals import reduce_totals
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.claims import decide_claim
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.language.vocabulary import rational
from grpo_symbolic.obligations.expansion import Premises, expand
from grpo_symbolic.obligations.obligation import Obligation, impossibility
from grpo_symbolic.translate.kernels import FewKernels

x = real("x", "(-oo, oo)", "a number")
y = real("y", "(-oo, oo)", "another number")
o = real("o", "(0, 1)", "a coordinate", indexed=True)
v = real("v", "(-oo, oo)", "a coordinate of any sign", indexed=True)
w = real("w", "(-oo, oo)", "a number like a weight")


@dataclass(frozen=True)
class Liar(Everything):
    """Says of everything what it was told to say."""

    forms: tuple[NormalForm, ...] = field(default=(), compare=False)
    solved: tuple[Elimination, ...] = field(default=(), compare=False)
    terms: tuple[tuple[Expression, Expression], ...] = field(default=(), compare=False)

    def normal_forms(self, relation, hypotheses):
        return self.forms or super().normal_forms(relation, hypotheses)

    def eliminations(self, relation, hypotheses):
        return self.solved

    def combinations(self, body):
        return [Combination(self.terms, FewKernels([body, *(part for term in self.terms for part in term)]))]


def laws(*expressions: Expression) -> FewKernels:
    return FewKernels(expressions)


def judged(conclusion: Statement, liar: Liar, *hypotheses: Statement) -> Evidence | None:
    return exact.check(Obligation("claim", hypotheses, conclusion), liar)


@pytest.mark.parametrize(
    ("conclusion", "constant", "where"),
    [
        (eq(x, y), 0, None),
        (eq(x, x + 1), -1, None),
        (gt(x, x - 1), -1, None),
        (gt(x, y), 1, None),
        (eq(x, y), 0, eq(x, y)),
        (eq(x, y), 0, eq(x**2, y**2)),
        (eq(x, y), 0, gt(x, y)),
        (eq(sqrt(x**2), x), 0, None),
    ],
    ids=["zero", "constant", "sign", "relation", "no hypothesis", "wrong hypothesis", "no equation", "root"],
)
def test_a_false_normal_form_decides_nothing(conclusion: Relation, constant: int, where: Relation | None) -> None:
    proposed = NormalForm(laws(conclusion.left, conclusion.right), rational(constant), where, "believe me")
    found = judged(conclusion, Liar(forms=(proposed,)), eq(x**2, y**2))
    assert found is not None
    assert found.verdict is Verdict.UNDECIDED


def test_a_true_normal_form_is_confirmed() -> None:
    proposed = NormalForm(laws(x, y), rational(0), eq(x**2, y**2), "reduced")
    found = judged(eq(x**4, y**4), Liar(forms=(proposed,)), eq(x**2, y**2))
    assert found is not None
    assert found.verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("slope", "value", "equation"),
    [(rational(1), y, eq(x**2, y**2)), (x, y, eq(x * y, x * x)), (rational(1), y, eq(x, y + 1))],
    ids=["one root of two", "slope may vanish", "no hypothesis"],
)
def test_a_false_elimination_decides_nothing(slope: Expression, value: Expression, equation: Relation) -> None:
    hypothesis = eq(x**2, y**2) if equation == eq(x**2, y**2) else eq(x * y, x * x)
    solved = Elimination(equation, rational(1), x, slope, value, laws(x, y))
    found = judged(eq(x, y), Liar(solved=(solved,)), hypothesis)
    assert found is not None
    assert found.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    "terms",
    [
        ((rational(1), o),),
        ((o, o),),
        ((rational(1), o * o), (rational(1), rational(1))),
        (),
        ((sqrt(w) / sqrt(w), o * o),),
        ((rational(1), sqrt(v) ** 2 * o * o / v),),
    ],
    ids=["other", "coefficient with a coordinate", "one too many", "none", "no value everywhere", "nor at an output"],
)
def test_a_false_combination_is_not_used(terms: tuple[tuple[Expression, Expression], ...]) -> None:
    obligation = Obligation("claim", (), eq(Total(o * o), w + v))
    reduced = reduce_totals(obligation, Liar(terms=terms)).conclusion
    assert isinstance(reduced, Relation)
    assert "sum of (o * o)" in [symbol.meaning for symbol in Obligation("", (), reduced).symbols]


@pytest.mark.parametrize("unknown", [(o * o,), (o,), (o, v), (rational(2),), (o * o, v, w)], ids=str)
def test_what_is_not_looked_into_makes_no_combination_true(unknown: tuple[Expression, ...]) -> None:
    """Terms with any value hide no difference: only what holds whatever they are is used."""

    class Blind(Everything):
        def combinations(self, body):
            for terms in (((rational(1), v),), ((w, o * o),), ((rational(2), o * o),)):
                yield Combination(terms, FewKernels(()), frozenset(unknown))

    reduced = reduce_totals(Obligation("claim", (), eq(Total(o * o), w)), Blind()).conclusion
    assert isinstance(reduced, Relation)
    assert [symbol.meaning for symbol in Obligation("", (), reduced).symbols] == ["sum of (o * o)", w.meaning]


FEW = Settings(points=20)


def test_a_search_cannot_decide() -> None:
    """What a method has decided of one statement decides no other under the same label."""
    true, false = eq(x + y, y + x), eq(x, y)

    class Generous(Searcher):
        def sample(self, obligation, proved=False):
            return Reduced(Obligation("claim", (), true), self.proposer).ask("exact")

    assert judged_by(Generous(FEW), true).verdict is Verdict.DECIDED
    with pytest.raises(CheckError, match=r"p\.claim: exact on 'claim': DECIDED of something else"):
        judged_by(Generous(FEW), false)


def test_a_seal_for_one_part_counts_for_no_other() -> None:
    """Whatever label stands on it: the second part, which is false, is not what was decided."""
    from grpo_symbolic.checks.awarding import award

    parts = both(eq(x, x), gt(y, y + 1))
    ((first, *_), *_) = expand(parts)

    class Relabelling(Searcher):
        def sample(self, obligation, proved=False):
            return award("exact", Verdict.DECIDED, obligation.label, first, "it is an identity")

    with pytest.raises(CheckError, match="exact on 'part 2: claim': DECIDED of something else"):
        judged_by(Relabelling(FEW), parts)


def test_support_is_about_what_was_asked() -> None:
    class Confused(Searcher):
        def sample(self, obligation, proved=False):
            return None

        def counterexample(self, obligation, found, quiet):
            return Evidence("numeric", Verdict.SUPPORTED, "another claim", "it seems to hold")

    with pytest.raises(CheckError, match="a search says SUPPORTED of 'another claim', asked about 'claim'"):
        judged_by(Confused(FEW), eq(x**2, x))


def test_a_search_cannot_refute_something_else() -> None:
    class Disagreeing(Searcher):
        def sample(self, obligation, proved=False):
            return refute(Obligation(obligation.label, (), eq(x, y)), self.settings)

    with pytest.raises(CheckError, match=r"p\.claim: counterexample on 'claim': something else is refuted"):
        judged_by(Disagreeing(FEW), eq(x, x))


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("claim", "a search says DECIDED of 'claim', asked about 'the hypotheses can hold'"),
        ("the hypotheses can hold", "point on 'the hypotheses can hold': DECIDED of something else"),
    ],
)
def test_a_search_cannot_show_premises_by_evidence_for_something_else(label: str, message: str) -> None:
    """A sealed point is about one list of premises; of others it would say what nobody has shown."""
    others = Premises(label, (gt(y, x),))

    class Mislabelling(Searcher):
        def point(self, wanted):
            return possible(others, self.settings)

    with pytest.raises(CheckError, match=message):
        judged_by(Mislabelling(FEW), gt(y, x**2), gt(y, x**2 + 1))


def test_a_search_cannot_show_premises_by_their_impossibility() -> None:
    given = (gt(x, y), gt(y + 1, x))

    class Pointless(Searcher):
        def point(self, wanted):
            never = impossibility(wanted.label, (*given, gt(y, x)))
            return Reduced(never, self.proposer).ask("smt")

    with pytest.raises(CheckError, match="smt on 'the hypotheses can hold': DECIDED of something else"):
        judged_by(Pointless(FEW), gt(x, y), *given)


def test_both_sides_of_an_equivalence_have_to_be_impossible() -> None:
    wanted = Premises("one side can hold", (eq(x, x + 1),), (gt(x, 0),))
    sides = [impossibility(wanted.label, side) for side in (wanted.statements, wanted.otherwise)]
    proposer = Everything()
    first = Reduced(sides[0], proposer).ask("smt")
    with pytest.raises(CheckError, match="it is not shown that both sides never hold"):
        shown_impossible(wanted, [first, first])
    with pytest.raises(CheckError, match="it is not shown that both sides never hold"):
        shown_impossible(replace(wanted, otherwise=()), [first])
    never = replace(wanted, otherwise=(gt(x, x + 2),))
    second = Reduced(impossibility(never.label, never.otherwise), proposer).ask("smt")
    assert [item.impossible for item in shown_impossible(never, [first, second])] == [True, True]


def test_brute_force_cannot_refute_another_claim() -> None:
    right = claim("p.log", "A logarithm", eq(log(x) - log(x), 0))
    wrong = replace(right, statement=eq(log(x), 0), oracle=Oracle("the logarithm", one_and_zero))

    class Misled(Searcher):
        def compare(self, claim):
            return oracle.check(wrong, self.settings)

    with pytest.raises(CheckError, match=r"p\.log: brute force has refuted something else"):
        decide_claim(right, Misled(FEW))


def one_and_zero(values, context):
    return context.one, context.zero


def test_brute_force_cannot_pass_for_a_part_of_a_plan() -> None:
    """Support under the name of one decided part would be a plan of this part alone."""
    made = claim("p.log", "A logarithm", eq(log(x) - log(x), 0))

    class Naming(Searcher):
        def compare(self, claim):
            return Evidence("oracle", Verdict.SUPPORTED, "claim", "it agrees")

    with pytest.raises(CheckError, match="it may support and refute only"):
        decide_claim(made, Naming(FEW))


@dataclass(frozen=True)
class Questioner(Everything):
    """Asks solvers what it was told to ask, and says that it proves everything."""

    questions: tuple[Question, ...] = field(default=(), compare=False)

    def hear(self, goal, ask):
        for question in self.questions:
            ask(question)
        return Opinion("z3: unsat, cvc5: unsat")


def questions(*terms: Expression) -> tuple[Question, ...]:
    wanted = frozenset(terms)
    return tuple(
        Question(solver, 1_000_000, 5000, thorough=thorough, terms=wanted, strong=thorough)
        for solver in ("z3", "cvc5")
        for thorough in (False, True)
    )


@pytest.mark.skipif(installed.skipped() != (), reason="no solver is installed: pip install '.[smt]'")
@pytest.mark.parametrize("asked", [(), questions(), questions(x), questions(x, x**2)], ids=["nothing", "it", "x", "x2"])
def test_what_is_told_of_solvers_decides_nothing(asked: tuple[Question, ...]) -> None:
    for false in (gt(x**2, x), gt(x**2, 0)):
        found = smt.check(Obligation("claim", (gt(x, -1),), false), Questioner(questions=asked))
        assert found is not None
        assert found.verdict is Verdict.UNDECIDED
        assert all(answer.status != "unsat" for answer in found.answers)


@pytest.mark.skipif(installed.skipped() != (), reason="no solver is installed: pip install '.[smt]'")
def test_what_solvers_answer_decides() -> None:
    obligation = Obligation("claim", (gt(x**2, 1),), gt(x**2 + 1, 2))
    found = smt.check(obligation, Questioner(questions=questions(x**2)))
    assert found is not None
    assert found.verdict is Verdict.DECIDED
    assert found.aids == ("common terms as variables",)
    unasked = smt.check(obligation, Questioner())
    assert unasked is not None
    assert unasked.verdict is Verdict.UNDECIDED
