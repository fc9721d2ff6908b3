"""What is asked again about a step that is open where a paper has no map: with its definitions, laws and domains.

A step may hold only by what an earlier display defines, by a law of sums or averages, or where everything in it has a
value. If it does, it stands, and the finding names all that it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.language.statement import Implies, Relation, Statement, conjunction
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.linear import TooManyTerms
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import Place
from grpo_symbolic.referee.extents import span
from grpo_symbolic.referee.findings import STANDING
from grpo_symbolic.referee.introduced import Introduced
from grpo_symbolic.referee.laws import Laws
from grpo_symbolic.referee.questions import Question
from grpo_symbolic.referee.stated import is_hypothetical
from grpo_symbolic.referee.weighing import Answer
from grpo_symbolic.translate.ranges import decide_by_range
from grpo_symbolic.translate.text import expression_text, statement_text

#: Most conditions on values with which a step is asked again, and the longest definition that is told in full.
MAX_CONDITIONS, MAX_TOLD = 8, 80


@dataclass(frozen=True)
class Supposed:
    """A question to ask again, and in words what its answer rests on."""

    question: Question
    rests: tuple[str, ...]


class Definitions:
    """What a paper defines, by the step; what comes later counts only where nothing before does."""

    def __init__(
        self, outcomes: Iterable[InterpretedStep], new: Mapping[int, Introduced], objects: Objects | None, path: Path
    ) -> None:
        self.path = path
        vectors = set() if objects is None else objects.vectors
        #: What names are defined to be in order; nothing where two definitions differ.
        self.made: list[tuple[Place, Expression, Expression | None]] = []
        #: All that the paper sets a name equal to, in whatever sense.
        self.equated: dict[Expression, list[Expression]] = {}
        self.order: dict[int, int] = {}
        for outcome in outcomes:
            self.order[id(outcome.step)] = len(self.made)
            said, read = new.get(id(outcome.step)), outcome.read
            for one in () if read is None else read.instances:
                if one.operator == "=" and isinstance(one.left, Symbol):
                    self.equated.setdefault(one.left, []).append(one.right)
            if said is not None and read is not None and not is_hypothetical(outcome.display):
                doubtful = said.before is not None and not said.same and not said.words
                self.made += [
                    (outcome.step.place, one.left, None if doubtful else one.right)
                    for one in read.instances
                    # What is a vector is not put in the place of a letter, which may stand in any product.
                    if not vectors & set(free_symbols(one.right))
                ]

    def at(self, outcome: InterpretedStep) -> dict[Expression, tuple[Expression, Place]]:
        """What each thing is where a step stands, with the place that says so."""
        end = self.order.get(id(outcome.step), 0)
        found: dict[Expression, tuple[Expression, Place]] = {}
        for place, left, right in (*reversed(self.made[end:]), *self.made[:end]):  # the first of what comes later
            found.pop(left, None)
            if right is not None:
                found[left] = (right, place)
        return found


def supposed(
    outcome: InterpretedStep,
    question: Question,
    first: Answer,
    objects: Objects | None,
    definitions: Definitions,
    *,
    defined: bool,
) -> Supposed | None:
    """The question with what the step may rest on, laws alone or what is ``defined``; nothing if that adds nothing."""
    read = outcome.read
    if read is None or first.status in STANDING or question.arrow or question.conditional or question.others:
        return None
    instances = tuple(dict.fromkeys(read.instances))
    if any(one.whole is not None or one.operator == "!=" for one in instances) or len(instances) != len(
        question.statements
    ):
        return None
    known = definitions.at(outcome) if defined and first.code != "domain" else {}
    values = {left: right for left, (right, _) in known.items()}
    laws = None if objects is None else Laws(objects, values, definitions.equated)
    try:
        asked = [_asked(one, laws if first.code != "domain" else None) for one in instances]
    except (TooManyTerms, DeclarationError, ArithmeticError, RecursionError):
        return None
    if any(one is None for one in asked) or all(
        one is not None and one[0] == old.statement for one, old in zip(asked, instances, strict=True)
    ):
        return None
    statements = tuple(one[0] for one in asked if one is not None)
    where = dict.fromkeys(said for one in asked if one is not None for said in one[1])
    rests = [f"where {', '.join(where)}"] if where else []
    if laws is not None:
        rests += [_told(left, *known[left], definitions.path) for left in laws.unfolded]
        rests += [f"taken: {law}" for law in laws.used]
    return Supposed(replace(question, statements=statements), tuple(rests))


def _told(left: Expression, right: Expression, place: Place, path: Path) -> str:
    text = expression_text(right)
    shown = text if len(text) <= MAX_TOLD else f"{text[:MAX_TOLD]}..."
    return f"with {expression_text(left)} = {shown}, as {span(place, path)} says"


def _asked(one: Instance, laws: Laws | None) -> tuple[Statement, Sequence[str]] | None:
    """A statement written out, under the conditions for it to have a value; and these in words."""
    left, right = one.left, one.right
    if laws is not None:
        laws.collect((left, right))
        left, right = laws.written(left), laws.written(right)
    needed: dict[Relation, None] = {}
    for side in (one.left, one.right, left, right):
        for condition in side_conditions(unfold(side)):
            known = decide_by_range(condition)
            if known is False:
                return None
            if known is None:
                needed[condition] = None
    if len(needed) > MAX_CONDITIONS:
        return None
    relation = Relation(left, one.operator, right)
    given = (*one.hypotheses, *needed)
    said = [statement_text(condition) for condition in needed]
    return (Implies(conjunction(given), relation) if given else relation), said
