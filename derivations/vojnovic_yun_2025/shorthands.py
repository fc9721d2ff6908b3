"""Names of long formulas about questions with two answers, for the page; what is checked stays written out."""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference, x, x_old
from derivations.vojnovic_yun_2025.root_groups_of_two import pairs_objective, pairs_root
from derivations.vojnovic_yun_2025.root_large_groups import large_groups_objective, large_root
from grpo_symbolic import define
from grpo_symbolic.grpo.definitions import GRPO, binary_penalty
from grpo_symbolic.language.expression import Definition


def objectives() -> Iterator[Definition]:
    """The expected penalty, and the objectives for groups of two and for large groups."""
    yield define("D", (x, x_old), binary_penalty(x, x_old, reference))
    yield define("J_2", (x, x_old), pairs_objective(gamma, GRPO))
    yield define("J_infinity", (x, x_old), large_groups_objective(GRPO), latex=r"J_\infty")


def solutions() -> Iterator[Definition]:
    """Equations (14) and (15)."""
    yield define("x_2", (beta, gamma, reference), pairs_root())
    yield define("x_infinity", (beta, reference), large_root(), latex=r"x_\infty")
