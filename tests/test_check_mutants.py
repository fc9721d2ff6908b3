"""Planted errors: changed signs, factors, indices, exponents and arguments of true steps are never called right.

A mutant that the engine decides must be equivalent, which plain complex arithmetic has to confirm.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from material import PAPERS, ROOT, needed_text
from mpmath import mp, mpf
from reading_oracle import value
from referee_here import answer_here

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.points.sampling import draw_points
from grpo_symbolic.reading.document.paper import read_paper, read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import Source
from grpo_symbolic.referee.findings import STANDING, Status
from grpo_symbolic.referee.questions import Question

QUICK = Settings(points=40, digits=30, effort=1_000, boxes=1_000)

MAP = """
[symbols]
p = "(0, 1)"
q = "(0, 1)"
beta = { in = "(0, oo)", tex = '\\beta' }
"""
TRUE = r"""
\begin{align}
  p^2 - q^2 &= (p - q) (p + q) \\
  \frac{p}{1 - p} - \frac{q}{1 - q} &= \frac{p - q}{(1 - p) (1 - q)} \\
  \exp(\beta p) \exp(-\beta q) &= \exp(\beta (p - q)) \\
  \log\frac{p}{q} &= \log p - \log q \\
  \sqrt{p (1 - p)} &= p \sqrt{\frac{1 - p}{p}} \\
  \frac{1}{1 + \exp(-\beta)} &= 1 - \frac{1}{1 + \exp(\beta)}
\end{align}
"""


def steps(displays, notation) -> list[Relation]:
    """The equations of one instance that were read."""
    outcomes = interpret(displays, notation).outcomes
    found = [one.read.instances[0] for one in outcomes if one.read and len(one.read.instances) == 1]
    return [Relation(one.left, "=", one.right) for one in found if one.operator == "=" and not one.hypotheses]


def judged(relations) -> dict[int, Status]:
    tasks = {
        number: Question((relation,), (relation,), ((),), asserted=True, conditional=False)
        for number, relation in enumerate(relations)
    }
    return {number: found.status for number, found in answer_here(tasks, QUICK).items()}


def planted(relations, seed: int, count: int) -> list[Relation]:
    """Seeded single-node mutants that are still equations and can be written."""
    found: list[Relation] = []
    for relation in relations:
        try:
            made = [one.statement for one in mutants(relation)]
        except GrpoSymbolicError:
            continue
        found += [one for one in made if isinstance(one, Relation) and one.operator == "=" and one != relation]
    return random.Random(seed).sample(found, min(count, len(found)))


def equivalent(relation: Relation) -> bool:
    """Whether both sides agree in complex arithmetic at some points of the domains."""
    symbols = symbols_of(relation)
    with mp.workdps(40):
        for point in draw_points(symbols, 12, 3):
            values = {symbol.name: mpf(at.numerator) / at.denominator for symbol, at in point.items()}
            try:
                left, right = (value(unfold(side), values) for side in (relation.left, relation.right))
            except (ZeroDivisionError, ValueError, OverflowError):
                continue
            # Where terms cancel to 0, forty digits leave a remainder that is large beside nothing.
            if abs(left - right) > mpf(10) ** -25 * (abs(left) + abs(right)) + mpf(10) ** -35:
                return False
    return True


def caught(relations, seed: int, count: int) -> Counter:
    """How the mutants of the true ones among some equations end; decided ones must be equivalent."""
    true = [relation for number, relation in enumerate(relations) if judged([relations[number]])[0] in STANDING]
    made = planted(true, seed, count)
    tally: Counter = Counter()
    for mutant, status in zip(made, judged(made).values(), strict=True):
        if status in STANDING:
            assert equivalent(mutant), f"{status.value}: {mutant}"
            tally["equivalent"] += 1
        else:
            tally[status] += 1
    return tally


@pytest.mark.slow
def test_planted_errors_in_true_steps_are_refuted():
    relations = steps(read_text(TRUE).displays(), read_map([Document(Source("map", MAP))]))
    assert set(judged(relations).values()) == {Status.DECIDED}
    tally = caught(relations, seed=1, count=60)
    assert tally[Status.REFUTED] >= 0.95 * (60 - tally["equivalent"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_planted_errors_in_the_steps_of_the_papers_are_refuted():
    tally: Counter = Counter()
    for folder in PAPERS:
        text = needed_text(folder)
        path = ROOT / "derivations" / folder / "notation.toml"
        notation = read_map([Document(Source(path.name, path.read_text()))])
        tally += caught(steps(read_paper(text).displays(), notation), seed=20250218, count=120)
    assert sum(tally.values()) >= 200
    undecided = tally[Status.UNDECIDED]
    assert tally[Status.REFUTED] >= 0.99 * (sum(tally.values()) - tally["equivalent"] - undecided), tally
    assert undecided <= 0.1 * sum(tally.values()), tally
