"""Goals with letters for what no polynomial is, so that facts are seen to follow from each other one after the other.

Of a letter only the range of what it stands for is known. What is found is written down with the letters put back.
"""

from __future__ import annotations

from collections.abc import Mapping

from grpo_symbolic.kernel.rules import Goal, Obligation
from grpo_symbolic.kernel.terms import COMBINATIONS, RELATIONS, Term, make, substitute, sym
from grpo_symbolic.proofs.tables import Table

#: What letters may stand below.
_PLAIN = {*RELATIONS, *COMBINATIONS, "add", "subtract", "multiply", "negate", "absolute", "maximum", "minimum"}
_HIGHEST = 9


def in_letters(goal: Goal, table: Table) -> tuple[Goal, Table] | None:
    """A goal in letters, and a table into which its terms are written without them; None if it needs none."""
    letters: dict[Term, Term] = {}
    facts = [_put(one, letters) for one in goal.facts]
    relation = _put(goal.relation, letters)
    if not letters:
        return None
    domains = {letter.args[0]: goal.inside.ranges.of(one) for one, letter in letters.items()}
    values = {letter.args[0]: one for one, letter in letters.items()}
    there = Obligation({**goal.inside.domains, **domains}, ())
    return Goal(there, facts, relation), _PutBack(table, values)


class _PutBack(Table):
    """A table in which terms are written without letters."""

    def __init__(self, table: Table, values: Mapping[str, Term]) -> None:
        super().__init__()
        self._table, self._letters = table, values

    def term(self, term: Term) -> int:
        """The place of a term with what letters stand for."""
        return self._table.term(substitute(term, self._letters))


def _put(term: Term, letters: dict[Term, Term]) -> Term:
    op, args = term.op, term.args
    if op in _PLAIN:
        return make(op, *(_put(one, letters) for one in args))
    if op in ("num", "sym") or not term.is_expression:
        return term
    if args[-1].op == "num" and (op == "divide" or (op == "power" and args[1].args[0] in range(1, _HIGHEST))):
        return make(op, _put(args[0], letters), args[1])
    return letters.setdefault(term, sym(f"letter {len(letters)}"))
