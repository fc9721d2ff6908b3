"""From a step that was read to a question for the engine: statements, and what a failure of them would mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Expression, Substitution, Symbol, walk
from grpo_symbolic.language.statement import All, Equivalent, Implies, Relation, Statement, conjunction, expressions_of
from grpo_symbolic.reading.document.displays import Display, PrintedChain, PrintedStep, whole_chains
from grpo_symbolic.reading.document.relations import EQUIVALENT
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.logic import signed
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import Instance, ReadStep
from grpo_symbolic.reading.notation.addresses import Finder
from grpo_symbolic.reading.notation.map import Address, ClaimEntry, MapError, Notation
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.translate.text import statement_text


@dataclass(frozen=True)
class Question:
    """What is asked about one step, ready to be sent to another process.

    ``statements`` say the same for different values of the free indices ``at``, and all have to hold.
    ``asserted`` says that a failure is a mistake, not a condition; ``conditional`` that a condition on the row was
    not read, so that a failure says nothing. ``relations`` are the bare relations, in which a repair is sought.
    ``sizes`` are the whole numbers, as ``n = 2, 3``, that stand for all others: they support a step and decide nothing.
    ``arrow`` says that the step is printed as following from the one before it. ``others`` say of a solution that there
    is no other one, which is a part of the claim if it is said to be ``unique``. ``premise`` says that what is printed
    behind an arrow is about the case in which the step holds, ``opening`` that it only opens an equivalence,
    ``backwards`` that the arrow before it leads away. ``powers`` are those in it that were read for positive bases
    only, although their exponents may be whole numbers.
    """

    statements: tuple[Statement, ...]
    relations: tuple[Relation, ...]
    at: tuple[tuple[tuple[str, str], ...], ...]
    asserted: bool
    conditional: bool
    sizes: tuple[str, ...] = ()
    arrow: bool = False
    others: tuple[Statement, ...] = ()
    unique: bool = False
    premise: bool = False
    opening: bool = False
    backwards: bool = False
    powers: tuple[Expression, ...] = ()

    def alone(self) -> Question:
        """Whether a solution is the only one in the domain of its symbol."""
        return replace(self, statements=self.others, others=(), asserted=True)

    def given(self, number: int) -> tuple[str, ...]:
        """In words, what the relation of a statement rests on: conditions on its row, or what it follows from."""
        statement = self.statements[number]
        if self.backwards and isinstance(statement, Implies):
            return (f"it implies {statement_text(statement.conclusion)}",)
        return tuple(_given(statement, alone=len(self.relations) == len(self.statements)))


@dataclass(frozen=True)
class Closing:
    """What is asked about a step with integrals, series, sums or limits: what their closed forms decide."""

    question: Question


@dataclass(frozen=True)
class Repair:
    """What is asked about a refuted step: which edit makes it hold.

    ``suspect`` is the side that is edited first: ``left``, ``right``, or ``either`` for the likelier edit of any.
    ``failing`` is the number of the statement that fails; the others say the same of other values of the indices.
    """

    question: Question
    suspect: str
    failing: int = 0

    @classmethod
    def of(cls, question: Question, suspect: str, failing: int = 0) -> Repair | None:
        """The task, if all statements are about one relation each, and differ in their indices only."""
        plain = all(isinstance(one, Relation | Implies | All | Equivalent) for one in question.statements)
        plain = plain and len(question.relations) == len(question.statements)
        return cls(question, suspect, failing) if plain and len(set(question.at)) == len(question.at) else None


class Asker:
    """Turns outcomes into questions; ``outcomes`` are those of the whole paper, which claims may refer to.

    ``declared`` says that somebody wrote the notation down, so that an equivalence is about the domains that are meant.
    """

    def __init__(
        self,
        displays: Sequence[Display],
        outcomes: Sequence[InterpretedStep],
        notation: Notation,
        *,
        declared: bool = True,
    ) -> None:
        self._finder = Finder(displays, notation.sections)
        self._notation = notation
        self._declared = declared
        self._read = {id(one.step): one.read for one in outcomes if one.read is not None}
        notes = [note for read in self._read.values() for note in read.notes]
        self._powers = tuple(dict.fromkeys(note.power for note in notes if note.power is not None))
        self._equated: set[int] = set()
        self._linked: dict[int, tuple[str, PrintedChain, PrintedChain]] = {}
        self._premises: set[int] = set()
        self._openings: set[int] = set()
        together: dict[tuple[int, int], list[PrintedStep]] = {}
        for one in outcomes:
            together.setdefault((id(one.claim), id(one.display)), []).append(one.step)
        self._together = {id(step): steps for steps in together.values() for step in steps}
        for chain in (chain for display in displays for chain in display.chains):
            symbols = [step.relation.symbol for step in chain.steps]
            self._equated.update(id(step) for step in chain.steps if "=" in symbols[: step.index - 1])
        for before, chain in pairwise(whole_chains(displays)):
            if chain.link:
                self._linked.update((id(step), (chain.link, before, chain)) for step in chain.steps)
                free = {id(step) for step in before.steps if id(step) not in self._linked}
                self._premises |= free
                self._openings |= free if chain.link == EQUIVALENT else set()

    def question(self, outcome: InterpretedStep, *, across: bool = False) -> Question:
        """What to ask about a step that was read.

        Raises:
            NotUnderstood: if the claim of the map about it rests on displays that were not understood.
        """
        read, step = outcome.read, outcome.step
        if read is None:
            raise NotUnderstood(step.place, "unsupported", "the step was not read")
        instances = tuple(dict.fromkeys(read.instances))
        claim = outcome.claim
        statements = tuple(self._statement(instance, claim, step) for instance in instances)
        relations = tuple(one.relation for one in instances if one.whole is None)
        return Question(
            statements,
            relations,
            tuple(one.at for one in instances),
            self._asserted(outcome, across),
            bool(read.unread),
            (*self._tried(instances), *read.samples),
            claim is None and id(step) in self._linked,
            tuple(self._only(instance, claim, step) for instance in instances if claim and claim.kind == "solution"),
            claim is not None and claim.unique,
            claim is None and id(step) in self._premises,
            not outcome.kind and id(step) in self._openings,
            claim is None and self._linked.get(id(step), ("",))[0] == r"\Leftarrow",
            self._powers_in(statements),
        )

    def _powers_in(self, statements: Sequence[Statement]) -> tuple[Expression, ...]:
        there = {node for one in statements for side in expressions_of(one) for node in walk(side)}
        return tuple(one for one in self._powers if one in there)

    def _tried(self, instances: Sequence[Instance]) -> tuple[str, ...]:
        """The sizes for which a step was read, such as ``n = 2, 3``."""
        names = {compact(nodes) for nodes in self._notation.sizes}
        tried: dict[str, dict[str, None]] = {}
        for name, value in (pair for one in instances for pair in one.at if pair[0] in names):
            tried.setdefault(name, {})[value] = None
        return tuple(f"{name} = {', '.join(values)}" for name, values in tried.items())

    def _asserted(self, outcome: InterpretedStep, across: bool) -> bool:
        """Whether a failure is a mistake: where the map says so, and from the second side of a chain on.

        In a chain of inequalities without any equation, such as ``0 < x < 1``, every step may be a condition.
        """
        if outcome.kind and outcome.kind != "definition":
            return True
        step = outcome.step
        if self._declared and outcome.claim is None and self._linked.get(id(step), ("",))[0] == EQUIVALENT:
            return True
        return step.index > 1 and (across or step.relation.symbol in ("=", r"\equiv") or id(step) in self._equated)

    def _statement(self, instance: Instance, claim: ClaimEntry | None, step: PrintedStep) -> Statement:
        own = instance.statement
        if claim is None and id(step) in self._linked:
            return self._follows(own, instance, step)
        if claim is None or claim.kind not in ("consequence", "equivalent", "solution") or not claim.of:
            return own
        given = self._given(claim, instance, step)
        premise = conjunction(given)
        if claim.kind == "equivalent":
            return Equivalent(premise, self._all(self._together.get(id(step), [step]), own, instance, step))
        if claim.kind == "solution":
            return self._solves(claim, instance, given, step)
        return Implies(premise, own)

    def _follows(self, own: Statement, instance: Instance, step: PrintedStep) -> Statement:
        """What an arrow between two statements says: that this one follows from the other, or both from each other."""
        arrow, before, chain = self._linked[id(step)]
        if before.shared or chain.shared:
            reason = "an arrow beside several statements; which of them does it join?"
            hint = "join them by and, or set them on rows of their own"
            raise NotUnderstood(step.place, "ambiguous", reason, hint=hint)
        found = self._instances(before.steps, instance, step, "what stands before the arrow")
        if not found:
            raise NotUnderstood(step.place, "premise", "what stands before the arrow only defines notation")
        if arrow == EQUIVALENT:
            return _equivalent(found, [instance, *self._beside(chain.steps, instance, step)])
        other_side = conjunction([one.statement for one in found])
        if arrow == r"\Rightarrow":
            return Implies(other_side, own)
        return Implies(self._all(chain.steps, own, instance, step), other_side)

    def _all(self, steps: Sequence[PrintedStep], own: Statement, instance: Instance, step: PrintedStep) -> Statement:
        """All that is printed together on one side of an equivalence, this step first."""
        found = [own, *(one.statement for one in self._beside(steps, instance, step))]
        return conjunction(list(dict.fromkeys(found)))

    def _beside(self, steps: Sequence[PrintedStep], instance: Instance, step: PrintedStep) -> list[Instance]:
        _refuse_double_signs(steps, step)
        others = [one for one in steps if one is not step]
        return self._instances(others, instance, step, "what stands beside it")

    def _instances(
        self, steps: Sequence[PrintedStep], instance: Instance, step: PrintedStep, what: str
    ) -> list[Instance]:
        """The readings of other steps, on which this one rests.

        Raises:
            NotUnderstood: if one of them, or a condition on its row, was not read.
        """
        found: list[Instance] = []
        _refuse_double_signs(steps, step)
        for other in steps:
            read = self._read.get(id(other))
            if read is None or read.unread:
                reason = f"{what} was not understood" if read is None else f"a condition on {what} was not read"
                raise NotUnderstood(step.place, "premise", reason)
            found += _matching(read, instance)
        return found

    def _given(self, claim: ClaimEntry, instance: Instance, step: PrintedStep) -> list[Statement]:
        found: list[Statement] = []
        for text in claim.of:
            steps = self._named(text, claim, step)
            what = f"{text}, from which it follows,"
            found += [one.statement for one in self._instances(steps, instance, step, what)]
        return list(dict.fromkeys(found))

    def _named(self, text: str, claim: ClaimEntry, step: PrintedStep) -> list[PrintedStep]:
        for by in ("label", "tag", "quote"):
            try:
                return self._finder.steps_at(Address(claim.address.place, by, (text,)))
            except MapError:
                continue
        raise NotUnderstood(
            step.place, "premise", f"the paper has no display {text!r}, from which it is said to follow"
        )

    def _only(self, instance: Instance, claim: ClaimEntry, step: PrintedStep) -> Statement:
        """Whatever solves the equations, in the domain of the symbol, is the solution that is printed."""
        given = (*self._given(claim, instance, step), *instance.hypotheses)
        return Implies(conjunction(given), instance.said)

    def _solves(
        self, claim: ClaimEntry, instance: Instance, given: Sequence[Statement], step: PrintedStep
    ) -> Statement:
        """The equations that are solved, with the solution put in; that there is no other one is asked apart."""
        symbol = self._notation.symbol(claim.solve, self._finder.sections_at(step.place))
        if (
            symbol is None
            or instance.whole is not None
            or instance.operator != "="
            or not isinstance(unfold(instance.left), Symbol)
        ):
            raise NotUnderstood(step.place, "premise", f"a solution is printed as {claim.solve} = ...; this is not")
        solved = tuple(
            Relation(
                Substitution(one.left, symbol, instance.right),
                one.operator,
                Substitution(one.right, symbol, instance.right),
            )
            for one in given
            if isinstance(one, Relation)
        )
        if len(solved) < len(given):
            raise NotUnderstood(step.place, "premise", "a solution of something with hypotheses is not checked")
        whole = conjunction(solved)
        if not instance.hypotheses:
            return whole
        return Implies(conjunction(instance.hypotheses), whole)


def _equivalent(left: Sequence[Instance], right: Sequence[Instance]) -> Statement:
    """Both sides hold at the same points, as far as the conditions on the rows of either reach."""
    first, second = (conjunction(list(dict.fromkeys(one.said for one in side))) for side in (left, right))
    given = list(dict.fromkeys(one for side in (*left, *right) for one in side.hypotheses))
    both = Equivalent(first, second)
    return Implies(conjunction(given), both) if given else both


def _refuse_double_signs(steps: Sequence[PrintedStep], step: PrintedStep) -> None:
    """Refuse to compare statements together that have double signs, which may or may not go together."""
    if sum(bool(signed((*other.left, *other.right))) for other in steps) > 1:
        raise NotUnderstood(step.place, "ambiguous", "do the double signs of several statements go together?")


def _given(statement: Statement, *, alone: bool) -> Iterator[str]:
    """What a statement rests on; unless its relation stands ``alone``, what "and" joins to it is printed with it."""
    match statement:
        case Implies(premise, conclusion):
            yield from map(statement_text, premise.parts if isinstance(premise, All) else (premise,))
            yield from _given(conclusion, alone=alone)
        case Equivalent(other, own):
            yield f"equivalent to {statement_text(other)}"
            if alone and isinstance(own, All):
                yield from (f"together with {statement_text(part)}" for part in own.parts[1:])


def _matching(read: ReadStep, instance: Instance) -> list[Instance]:
    """The instances of another step that agree with this one on the indices that both have."""
    wanted = dict(instance.at)
    return [one for one in read.instances if all(wanted.get(index, value) == value for index, value in one.at)]
