"""Lemmas with sums: what they say about one output, and what must hold at every output for them to say it.

A hypothesis about the generic output is about every output. So from the claim that $x_o = c$ (for every output) implies
$\\sum_o x_o = n c$ nothing follows at an output where $x_o = c$ while other outputs differ. Such a lemma is used only
where its premises about the generic output are shown to hold at every output, which is an obligation of its own. Nor
does it follow that a further output has $x_j = c$, so that the same goes for lemmas about one.
"""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.language.everywhere import couples_elements, is_generic
from grpo_symbolic.language.statement import All, Equivalent, Implies, Statement, conjuncts


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
        conditions, conclusion = taken_apart(directed)
        generic = [part for part in conditions if is_generic(part)]
        premises += [((*hypotheses, *facts), part) for part in generic if part not in known and part not in facts]
        rest = tuple(part for part in conditions if not is_generic(part))
        facts.append(Implies(All(rest), conclusion) if rest else conclusion)
    return tuple(facts), tuple(premises)


def _couples_outputs(lemma: Statement) -> bool:
    """Whether other outputs matter to what a lemma says."""
    return couples_elements(lemma, premises_of(lemma))


def premises_of(statement: Statement) -> Sequence[Statement]:
    """What an implication supposes; of an equivalence that may be either side."""
    return [statement.left, statement.right] if isinstance(statement, Equivalent) else taken_apart(statement)[0]


def _directed(lemma: Statement, known: set[Statement]) -> Statement | None:
    """An implication as it is; of an equivalence the direction from the side that is known."""
    if not isinstance(lemma, Equivalent):
        return lemma
    for side, other in ((lemma.left, lemma.right), (lemma.right, lemma.left)):
        if known.issuperset(conjuncts(side)):
            return Implies(side, other)
    return None


def taken_apart(statement: Statement) -> tuple[list[Statement], Statement]:
    """The conditions and the conclusion of nested implications."""
    conditions: list[Statement] = []
    while isinstance(statement, Implies):
        conditions += conjuncts(statement.premise)
        statement = statement.conclusion
    return conditions, statement
