"""Whether the claims that are about a definition of a paper notice a slip in it.

A claim that is tied to a numbered place, and depends on a definition that the place is about, is judged again with a
slip in that definition: wherever it stands in the claim, in the steps of its derivation and in what it rests on. If one
of these no longer stands, nor does the claim: the slip is noticed. If all stand, it is decided that the slip leaves the
claim true. Brute force and quotes are left out: it is the statement that has to notice.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import CheckError, GrpoSymbolicError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.slips import Slip, Trial
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import Cause, Ended, Limits, Lost, Tell

#: Enough to refute most slips; what is not decided with so little as it is, is asked about at full strength.
QUICK, FULL = Settings(digits=30, points=24, effort=2_000, boxes=1_000, hunt=False), Settings()
#: Most seconds for one question.
SECONDS = 120.0

#: The claim, or something that it rests on, is refuted.
REFUTED = "refuted"
#: It is not decided any more, though it is without the slip, at the same strength.
FALLEN = "no longer decided"
#: With the slip it cannot be written, or has no meaning.
REFUSED = "refused"
#: It is decided all the same: the slip leaves it true.
TRUE = "still true"
#: The claim does not depend on the definition.
ABSTRACT = "abstract"
#: Nothing can be said, since it is not decided without the slip either.
OPEN = "open"
NOTICED = (REFUTED, FALLEN, REFUSED)
KINDS = (*NOTICED, TRUE, ABSTRACT, OPEN)

#: A slip, or none, the id of a claim, and how hard to look.
Question = tuple[Slip | None, str, Settings]
#: Told how many questions of how many are answered, and which was the last.
Listener = Callable[[int, int, Question], None]


@dataclass(frozen=True)
class Answer:
    """The verdict on a claim by itself; None if it could not be asked about, for a reason."""

    verdict: Verdict | None
    reason: str = ""


@dataclass(frozen=True)
class Notice:
    """What became of a claim with a slip in a definition; ``fell`` is the id of what no longer stands.

    An abstract claim has no slip: none can make a difference.
    """

    claim: str
    name: str
    slip: Slip | None
    kind: str
    fell: str | None = None
    reason: str = ""


def outcomes(
    library: Library,
    aboutness: Aboutness,
    chosen: Iterable[Slip],
    only: Container[str] | None = None,
    *,
    jobs: int = 1,
    timeout: float = SECONDS,
    listener: Listener = lambda done, total, question: None,
) -> tuple[Notice, ...]:
    """What becomes of every tied claim, or of those in ``only``, with each slip in what it is about.

    ``jobs=1`` judges in this process, where nothing can be stopped; else what takes longer than ``timeout`` seconds is
    UNDECIDED.

    Raises:
        CheckError: if a check breaks, or no process can be started.
    """
    ties = {id: tie for id, tie in aboutness.ties.items() if only is None or id in only}
    trials = {slip: Trial(library, aboutness, slip) for slip in chosen}
    inquest = _Inquest(library, trials)
    pairs = [(slip, id) for slip, trial in trials.items() for id, tie in ties.items() if trial.concerns(tie)]
    while wanted := dict.fromkeys(question for pair in pairs for question in inquest.questions(*pair)):
        tasks = {question: inquest.task(question) for question in wanted}
        before = len(inquest.known)
        for question, answer in _answers(tasks, jobs, timeout):
            inquest.known[question] = answer
            listener(len(inquest.known), before + len(tasks), question)
    abstract = (Notice(id, name, None, ABSTRACT) for id, tie in ties.items() for name in tie.missing)
    return (*abstract, *(inquest.outcome(*pair) for pair in pairs))


class _Inquest:
    """What is known of claims with slips in them, and what has to be asked."""

    def __init__(self, library: Library, trials: Mapping[Slip, Trial]) -> None:
        self._claims, self._trials = library.claims, trials
        self.known: dict[Question, Answer] = {}

    def task(self, question: Question) -> tuple[Claim, Settings] | None:
        """The claim that a question is about, with its slip; None if it cannot be written."""
        slip, id, settings = question
        made = self._claims[id] if slip is None else self._trials[slip].changed(id)
        return None if made is None else (_plain(made), settings)

    def questions(self, slip: Slip, id: str) -> tuple[Question, ...]:
        """What has to be asked next: first about the claim itself, then about all that it rests on."""
        found = self._found(slip, id)
        return () if isinstance(found, Notice) else found

    def outcome(self, slip: Slip, id: str) -> Notice:
        """What became of a claim about which nothing is to be asked any more.

        Raises:
            CheckError: if something is.
        """
        found = self._found(slip, id)
        if not isinstance(found, Notice):
            raise CheckError(f"{id} with {slip.change} in {slip.name}: {len(found)} questions are open")
        return found

    def _found(self, slip: Slip, id: str) -> Notice | tuple[Question, ...]:
        wanted: list[Question] = []
        rest = Notice(id, slip.name, slip, TRUE)
        for other in self._trials[slip].below(id):
            found = self._kind(slip, other)
            if not isinstance(found, Notice):
                wanted.append(found)
                if other == id:
                    break
            elif found.kind in NOTICED:
                return replace(found, claim=id)
            elif found.kind == OPEN:
                rest = replace(found, claim=id)
        return tuple(wanted) or rest

    def _kind(self, slip: Slip, id: str) -> Notice | Question:
        """What became of one claim by itself, or the next question about it."""
        for settings in (QUICK, FULL):
            for question in ((slip, id, settings), (None, id, settings)):
                if question not in self.known:
                    return question
                answer = self.known[question]
                kind = self._meaning(question, answer)
                if kind is not None:
                    return Notice(id, slip.name, slip, kind, id if kind in NOTICED else None, answer.reason)
        return Notice(id, slip.name, slip, OPEN, id, "not decided without the slip either")

    def _meaning(self, question: Question, answer: Answer) -> str | None:
        """What an answer says of the slip; None if it says nothing yet."""
        slip, id, _ = question
        refuted = self._claims[id].refuted is not None
        stands = answer.verdict is Verdict.REFUTED if refuted else answer.verdict in STANDING
        if slip is None:
            return FALLEN if stands else None
        if stands:
            return TRUE
        if answer.verdict is None:
            return REFUSED
        return REFUTED if answer.verdict is Verdict.REFUTED else None


def _plain(made: Claim) -> Claim:
    """The claim without the quote and the brute force that stand beside it, and without what its lemmas rest on."""
    return replace(bare(made), printed=None, oracle=None)


def _answers(
    tasks: Mapping[Question, tuple[Claim, Settings] | None], jobs: int, timeout: float
) -> Iterator[tuple[Question, Answer]]:
    asked = {}
    for number, (question, task) in enumerate(tasks.items()):
        if task is None:
            yield question, Answer(None, "it cannot be written")
        elif jobs == 1:
            yield question, _answer(task, lambda word: None)
        else:
            asked[number] = question, task
    if not asked:
        return
    with working(_answer, {key: task for key, (_, task) in asked.items()}, jobs=jobs, limits=Limits(timeout)) as events:
        for event in events:
            if isinstance(event, Ended):
                yield asked[event.key][0], _settled(asked[event.key][0], event.found)


def _answer(task: tuple[Claim, Settings], tell: Tell) -> Answer:
    try:
        return Answer(judge_claim(*task)[0].verdict)
    except (GrpoSymbolicError, ArithmeticError) as error:
        return Answer(None, str(error))


def _settled(question: Question, found: Answer | Lost) -> Answer:
    if isinstance(found, Answer):
        return found
    if found.cause is Cause.BROKE:
        raise CheckError(f"{question[1]}: {found.reason}")
    return Answer(Verdict.UNDECIDED, found.reason)
