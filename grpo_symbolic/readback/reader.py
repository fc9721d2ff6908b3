"""What a rule for one kind of statement may ask of the reader of all statements, which calls it."""

from __future__ import annotations

from typing import Protocol

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import Nodes


class Reader(Protocol):
    """Reads statements and expressions with one notation; ``scope`` says what local names mean."""

    context: Context
    scope: Scope

    def statement(self, nodes: Nodes) -> Statement:
        """Read what must be a statement.

        Raises:
            NotUnderstood: where it is not understood.
        """

    def side(self, nodes: Nodes, place: Place) -> Expression:
        """Read one side of a relation; ``place`` is named where nothing stands there.

        Raises:
            NotUnderstood: where it is not understood.
        """
