"""What people meet who state their first claims: slips and edges that must be told, and never cost anything else."""

from __future__ import annotations

import contextlib
import io

import pytest

from grpo_symbolic import (
    Derivative,
    Extremum,
    Paper,
    absolute,
    claim,
    eq,
    exp,
    ge,
    gt,
    judge,
    log,
    maximum,
    minimum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Verdict

PAPER = Paper("a", "A. Author", "A paper", "v1")
x = real("x", "(-oo, oo)", "a number")
y = real("y", "(0, oo)", "a positive number")
p = real("p", "(0, 1)", "a probability")
n = real("n", "[1, oo)", "the size of a group")


@pytest.mark.parametrize(
    "statement",
    [
        gt((x**2 - 2) ** 2, 0),
        gt((x**3 - x - 1) ** 2, 0),
        gt((sqrt(y) - y**2 + 1) ** 2, 0),
        gt((p * (1 - p) - rational(1, 5)) ** 2, 0),
    ],
    ids=str,
)
def test_samples_support_nothing_where_a_solver_has_a_model_of_the_contrary(statement):
    found = judge(statement)
    assert found.verdict is Verdict.UNDECIDED
    assert "but a solver has a model near" in repr(found)


@pytest.mark.parametrize("statement", [ge((x**2 - 2) ** 2, 0), gt((x**2 + 1) ** 2, 0), ge(exp(x), 1 + x)], ids=str)
def test_what_holds_is_decided_all_the_same(statement):
    assert judge(statement).verdict is Verdict.DECIDED


@pytest.mark.parametrize("slope", [minimum(x, 1), maximum(x, y), absolute(x)])
def test_a_slope_that_cannot_be_written_leaves_its_claim_open(slope):
    statement = ge(Derivative(slope, x), -1)
    for found in (judge(statement), judge(claim("a.slope", "The slope", statement))):
        assert found.verdict is Verdict.UNDECIDED
        assert "no derivative that our operators can write everywhere" in repr(found)


@pytest.mark.parametrize(
    ("statement", "where"), [(eq(n / (n - 1) - 1, 1 / (n - 1)), "n = 1"), (eq(log(x**2), 2 * log(x)), "x = 0")]
)
def test_where_something_has_no_value_this_is_said(statement, where):
    found = judge(statement)
    assert found.verdict is Verdict.REFUTED
    assert f"at {where} it has no value" in repr(found)
    assert said_by(found.program).startswith("no value: 0")


@pytest.mark.parametrize("name", ["lambda", "import", "left", "right", "k", "F", "beta"])
def test_programs_run_whatever_a_symbol_is_called(name):
    symbol = real(name, "(0, 1)", "a part")
    assert said_by(judge(gt(symbol, rational(1, 2))).program).endswith("> 1/2 fails\n")


def test_a_word_is_no_choice_between_minimum_and_maximum():
    with pytest.raises(DeclarationError, match="minimum: True or False is meant, and 'maximum' is none"):
        Extremum(y - log(y), y, rational(1), "maximum")


def said_by(program: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "program", "exec"), {})
    return said.getvalue()
