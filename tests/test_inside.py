"""What is said to be in an expression is what a walk through it meets, in the order in which it meets it."""

from itertools import pairwise

import pytest

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Call, Expression, Number, Symbol, Total, walk
from grpo_symbolic.language.inside import GENERAL_POWER, applied, every_node, holds, kinds_in, nodes_of
from grpo_symbolic.language.statement import expressions_of

KINDS = (Number, Symbol, Total, Call, Binder, Apply)
OPERATORS = ("add", "power", "gamma", "sign", "exp")


@pytest.fixture(scope="module")
def sides(library) -> list[Expression]:
    """Expressions of the library, of every kind of node."""
    claims = [claim for claim in library.claims.values() if not claim.is_derived]
    every = [side for claim in claims for side in expressions_of((*claim.given, claim.statement))]
    first = [next(side for side in every if any(isinstance(node, kind) for node in walk(side))) for kind in KINDS]
    return [*first, *every[::10]]


@pytest.mark.parametrize("kind", KINDS)
def test_nodes_of_a_class(sides, kind) -> None:
    for side in sides:
        met = [node for node in walk(side) if isinstance(node, kind)]
        assert [*nodes_of(kind, side, side)] == met * 2
        assert holds(kind, (side,)) is bool(met)


@pytest.mark.parametrize("operator", OPERATORS)
def test_applied_operators(sides, operator) -> None:
    for side in sides:
        met = [node for node in walk(side) if isinstance(node, Apply) and node.operator == operator]
        assert [*applied(operator, side)] == met
        assert holds(operator, (side,)) is bool(met)


def test_every_node_is_met_once_and_in_order(sides) -> None:
    for first, second in pairwise(sides):
        assert [*every_node(first, second)] == [*dict.fromkeys((*walk(first), *walk(second)))]


def test_a_power_whose_exponent_is_no_number_is_told_apart(sides) -> None:
    for side in sides:
        powers = applied("power", side)
        assert (GENERAL_POWER in kinds_in(side)) is any(not isinstance(one.operands[1], Number) for one in powers)
