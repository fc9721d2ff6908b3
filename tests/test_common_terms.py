"""Common terms as variables: what follows without knowing them is decided, and nothing else."""

import pytest

from grpo_symbolic import eq, exp, gt, implies, le, lt, rational, real, sqrt
from grpo_symbolic.checks import smt
from grpo_symbolic.checks.common_terms import generalised
from grpo_symbolic.checks.proposals.common_terms import shared_terms
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.expression import free_symbols
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.obligations.obligation import Obligation

x = real("x", "(0, 1)", "a probability")
y = real("y", "(0, oo)", "a weight")
c = real("c", "(-oo, oo)", "a number")
steep = 1 / (1 + y * exp(-(1 / sqrt(x * (1 - x) + y)))) + sqrt(x + y)


def obligation(given: tuple[Statement, ...], conclusion: Statement) -> Obligation:
    return Obligation("claim", given, conclusion)


def shared(made: Obligation) -> Obligation:
    """The obligation with the terms as variables that are proposed for it."""
    return generalised(made, shared_terms((*made.hypotheses, made.conclusion)))


def test_the_largest_common_terms_become_variables() -> None:
    found = shared(obligation((lt(sqrt(x + 1) * y, 1),), lt(sqrt(x + 1), exp(y))))
    assert isinstance(found.conclusion, Relation)
    assert [symbol.name for symbol in free_symbols(found.conclusion.left)] == ["term_1"]
    assert free_symbols(found.conclusion.right) == (y,)


def test_names_that_are_taken_are_avoided() -> None:
    taken = real("term_1", "(0, 1)", "a number with an unlucky name")
    found = shared(obligation((lt(sqrt(taken), 1),), lt(sqrt(taken), 2)))
    assert isinstance(found.conclusion, Relation)
    assert [symbol.name for symbol in free_symbols(found.conclusion.left)] == ["term_2"]


@pytest.mark.parametrize(
    ("given", "conclusion"),
    [((), lt(sqrt(x), 2)), ((lt(x, y),), lt(sqrt(x), 2)), ((lt(x + y, 1),), lt((x + y) ** 2, 1))],
    ids=["no hypothesis", "in one statement only", "polynomials"],
)
def test_without_common_terms_there_is_nothing_to_do(given: tuple[Statement, ...], conclusion: Statement) -> None:
    made = obligation(given, conclusion)
    assert shared(made) == made


def test_a_lemma_about_a_long_term_is_put_in() -> None:
    given = (implies(gt(y, 1), lt(steep, c)), gt(y, 2))
    found = smt.check(obligation(given, lt(steep, c + 1)), Everything(Settings(hunt=False)))
    assert found is not None
    assert found.verdict is Verdict.DECIDED
    assert "common terms as variables" in found.note


@pytest.mark.parametrize(
    "conclusion",
    [lt(steep, c - 1), gt(steep, c), eq(steep, c), le(steep, rational(0))],
    ids=["too strong", "turned", "equal", "not positive"],
)
def test_what_does_not_follow_is_not_decided(conclusion: Statement) -> None:
    found = smt.check(obligation((lt(steep, c),), conclusion), Everything(Settings(effort=2_000, hunt=False)))
    assert found is not None
    assert found.verdict in (Verdict.UNDECIDED, Verdict.REFUTED)


def test_what_holds_only_for_the_true_terms_is_left_to_the_other_attempts() -> None:
    """As variables the two roots are unrelated; the statement is decided by what they are."""
    given = (lt(sqrt(x) + sqrt(y) + exp(x), c), lt(x, y))
    found = smt.check(obligation(given, lt(sqrt(x), sqrt(y))), Everything(Settings(hunt=False)))
    assert found is not None
    assert found.verdict is Verdict.DECIDED
    assert "common terms" not in found.note
