"""Lemmas with sums: what they say about one output, and what must hold at every output for them to say it.

A hypothesis about the generic output is about every output. So from the claim that $x_o = c$ (for every output) implies
$\\sum_o x_o = n c$ nothing follows at an output where $x_o = c$ while other outputs differ. Such a lemma is used only
where its premises about the generic output are shown to hold at every output, which is an obligation of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.language.expression import Total, outside_totals, walk
from grpo_symbolic.language.statement import All, Equivalent, Implies, Statement, conjuncts, expressions_of


def available(
    hypotheses: Sequence[Statement], lemmas: Sequence[Statement]
) -> tuple[tuple[Statement, ...], tuple[tuple[tuple[Statement, ...], Statement], ...]]:
    """What lemmas say under hypotheses, and premises to be shown first, each with what may be used for it.

    Both are unfolded and elementary. An equivalence serves in the direction in which the hypotheses name one of its
    sides; if they name neither, it says nothing.
    """
    known = list(conjuncts(*hypotheses))
    facts = [lemma for lemma in conjuncts(*lemmas) if not _couples_outputs(lemma)]
    premises: list[tuple[tuple[Statement, ...], Statement]] = []
    for lemma in filter(_couples_outputs, conjuncts(*lemmas)):
        directed = _directed(lemma, {*known, *facts})
        if directed is None:
            continue
        conditions, conclusion = _split(directed)
        generic = [part for part in conditions if _is_generic(part)]
        premises += [((*hypotheses, *facts), part) for part in generic if part not in known and part not in facts]
        rest = tuple(part for part in conditions if not _is_generic(part))
        facts.append(Implies(All(rest), conclusion) if rest else conclusion)
    return tuple(facts), tuple(premises)


def _couples_outputs(lemma: Statement) -> bool:
    """Whether a sum occurs, and a condition about the generic output: then other outputs matter."""
    if not any(isinstance(node, Total) for side in expressions_of(lemma) for node in walk(side)):
        return False
    sides = [lemma.left, lemma.right] if isinstance(lemma, Equivalent) else _split(lemma)[0]
    return any(map(_is_generic, sides))


def _is_generic(statement: Statement) -> bool:
    """Whether the statement is about the generic output."""
    return any(outside_totals(expression) for expression in expressions_of(statement))


def _directed(lemma: Statement, known: set[Statement]) -> Statement | None:
    """An implication as it is; of an equivalence the direction from the side that is known."""
    if not isinstance(lemma, Equivalent):
        return lemma
    for side, other in ((lemma.left, lemma.right), (lemma.right, lemma.left)):
        if known.issuperset(conjuncts(side)):
            return Implies(side, other)
    return None


def _split(statement: Statement) -> tuple[list[Statement], Statement]:
    """The conditions and the conclusion of nested implications."""
    conditions: list[Statement] = []
    while isinstance(statement, Implies):
        conditions += conjuncts(statement.premise)
        statement = statement.conclusion
    return conditions, statement
