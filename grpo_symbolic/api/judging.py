"""Ask for the judgement of one statement, derivation or claim; what comes back knows what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grpo_symbolic.api import html
from grpo_symbolic.api.shown import claim_page, printing
from grpo_symbolic.api.words import claim_said, conditions, delimited, said
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Derivation, rests_on
from grpo_symbolic.derivation.declaring import check_declared, require_index_sets
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import STANDING, Evidence, Verdict, Witness
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.claims import Judged, combine
from grpo_symbolic.judging.counterexamples import Counterexample, counterexample_to, refuting
from grpo_symbolic.judging.judge import judge_claim, judge_statement
from grpo_symbolic.judging.plain import plain_python
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.arguments import require_all
from grpo_symbolic.language.everywhere import refuse_unclear_elements
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.further import refuse_further
from grpo_symbolic.language.statement import Statement, symbols_of
from grpo_symbolic.language.support import refuse_brackets
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.obligations.support import united


def grounds(judgement: Judgement) -> Iterator[str]:
    """By which methods something stands, where it fails, or what resisted."""
    refuted, verdict = _refuting(judgement), judgement.verdict
    witness = None if refuted is None else refuted.witness
    if verdict in (*STANDING, Verdict.SUPPORTED):
        # That hypotheses can hold is shown by a point, which decides nothing about the statement.
        told = [one for one in judgement.evidence if one.verdict is verdict and one.point is None]
        yield f"by {', '.join(dict.fromkeys(one.method for one in told))}"
    elif refuted is not None and witness is not None:
        where = ", ".join(f"{name} = {value}" for name, value in united(witness.at)) or "every point"
        if refuted.obligation.endswith(WELL_DEFINED):
            parts = "a divisor, a radicand, the argument of a logarithm or the base of a power"
            yield f"at {where} it has no value: {parts} is {witness.left}"
        else:
            yield f"at {where}: left {witness.left}, right {witness.right}"
    else:
        open_ = [one for one in judgement.evidence if one.verdict is Verdict.UNDECIDED and one.note]
        yield from dict.fromkeys(f"open: {one.method} on {one.obligation}: {one.note}" for one in open_)
    if verdict not in (*STANDING, Verdict.REFUTED):
        yield from dict.fromkeys(f"skipped {item.method}: {item.reason}" for item in judgement.skipped)


def _refuting(judgement: Judgement) -> Evidence | None:
    return refuting(judgement) if judgement.verdict is Verdict.REFUTED else None


def _witness(judgement: Judgement) -> Witness | None:
    found = _refuting(judgement)
    return None if found is None else found.witness


def evidence_page(judgement: Judgement) -> html.Html:
    """What each method found about each part of a statement, folded."""
    rows = [(one.obligation, one.method, html.verdict(one.verdict.value), one.note) for one in judgement.evidence]
    if not rows:
        return html.Html("")
    return html.folded("evidence", html.table(["obligation", "method", "verdict", "found"], rows))


@dataclass(frozen=True, repr=False)
class JudgedStatement:
    """A statement under hypotheses with what the checks say of it.

    It prints itself: as text at a prompt, as a page with formulas in a notebook.
    """

    statement: Statement
    given: tuple[Statement, ...]
    judgement: Judgement

    @property
    def verdict(self) -> Verdict:
        """PROVED, DECIDED, SUPPORTED, UNDECIDED or REFUTED."""
        return self.judgement.verdict

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What each method found about each part of the statement."""
        return self.judgement.evidence

    @property
    def witness(self) -> Witness | None:
        """The point at which a refuted statement fails, if one is known."""
        return _witness(self.judgement)

    @property
    def program(self) -> str:
        """A few lines of plain Python that check the counterexample again; empty if there is none."""
        found = self._counterexample() if self.verdict is Verdict.REFUTED else None
        return "" if found is None else "\n".join(plain_python(found)) + "\n"

    def _counterexample(self) -> Counterexample | None:
        return counterexample_to(Inquiry(self.statement, self.given), self.judgement)

    def __bool__(self) -> bool:
        raise DeclarationError("a judgement is neither true nor false: look at its verdict, such as Verdict.DECIDED")

    def __repr__(self) -> str:
        return "\n    ".join([f"{self.verdict.value}  {said(self.statement)}", *self._lines()])

    def _repr_html_(self) -> str:
        return html.joined(
            html.block(html.verdict(self.verdict.value), "\u2003", html.mathematics(self.statement)),
            html.conditions(self.statement, self.given),
            *(html.block(line, indent=True) for line in self._grounds()),
            evidence_page(self.judgement),
        )

    def _repr_latex_(self) -> str | None:
        return delimited(self.statement)

    def _lines(self) -> Iterator[str]:
        yield from conditions(self.statement, self.given)
        yield from self._grounds()

    def _grounds(self) -> Iterator[str]:
        return grounds(self.judgement)


@dataclass(frozen=True, repr=False)
class JudgedClaim(JudgedStatement):
    """A claim, no higher than the weakest of what it rests on; ``others`` are these, by their ids."""

    judged: Judged
    others: Mapping[str, Judged] = field(default_factory=dict)

    @property
    def claim(self) -> Claim:
        """What was judged."""
        return self.judged.claim

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim: its own, or that of the weakest of what it rests on."""
        return self.judged.verdict

    def _lines(self) -> Iterator[str]:
        yield from super()._lines()
        yield from (f"{self.others[made.id].verdict.value}  {words}" for made, words in self._resting())

    def _grounds(self) -> Iterator[str]:
        if self.verdict is not self.judgement.verdict:
            yield f"alone it is {self.judgement.verdict.value}, but it rests on something weaker"
        else:
            yield from super()._grounds()

    def _resting(self) -> Iterator[tuple[Claim, str]]:
        """What it rests on in words: the steps with their reasons, and claims that are lemmas."""
        steps = {made.id for made in self.claim.steps}
        for made in rests_on(self.claim):
            name = f"{made.id.rpartition('.')[2]}: " if made.id in steps else f"{made.id}: "
            yield made, f"{name}{said(made.statement)}    ({made.title})"

    def _repr_html_(self) -> str:
        rows = [
            (
                html.verdict(self.others[made.id].verdict.value),
                html.mathematics(made.statement),
                html.sentence(made.title),
            )
            for made in rests_on(self.claim)
        ]
        resting = html.table(["", "rests on", "because"], rows) if rows else html.Html("")
        named = html.block(html.tag("b", self.claim.id), ": ", html.sentence(self.claim.title))
        return html.joined(named, html.Html(super()._repr_html_()), resting)


def judge(
    what: Statement | Derivation | Claim, given: Iterable[Statement] = (), *, settings: Settings | None = None
) -> JudgedStatement:
    """Judge a statement under hypotheses, a derivation step by step, or a claim with all that it rests on.

    The checks run in this process, without a limit of time; Ctrl-C ends them. A claim and a derivation have
    hypotheses of their own. Of them a ``JudgedClaim`` is returned.

    >>> from grpo_symbolic import eq, judge, real
    >>> p = real("p", "(0, 1)", "probability of a right answer")
    >>> judge(eq(p * (1 - p), p - p**2))
    DECIDED  p·(1 - p) = p - p²
        for all p in (0, 1)
        by exact

    Raises:
        DeclarationError: for what is no statement, two symbols of one name, two index sets, or hypotheses of a claim.
        CheckError: if a check breaks or two methods contradict each other.
    """
    hypotheses = (
        (given,) if isinstance(given, Statement) else tuple(map(_statement, require_all(given, object, "given")))
    )
    used = settings or Settings()
    if isinstance(what, Derivation):
        what = Claim("asked.derivation", what.because, what.statement, what.given, derivation=what)
        check_declared(what)
    if isinstance(what, Claim):
        if hypotheses:
            raise DeclarationError(f"{what.id} has its hypotheses already; state them with claim(..., given=...)")
        return _judge_claim(what, used)
    _statement(what)
    symbols_of(what, *hypotheses)
    require_index_sets(what, *hypotheses)
    refuse_further(what, hypotheses)
    refuse_unclear_elements(what, hypotheses)
    refuse_brackets(what)
    return JudgedStatement(what, hypotheses, judge_statement(what, hypotheses, used, "the statement"))


def _judge_claim(claim: Claim, settings: Settings) -> JudgedClaim:
    ordered: dict[str, Claim] = {}
    _collect(claim, ordered)
    found = {id: judge_claim(bare(made), settings) for id, made in ordered.items()}
    since = [(made, tuple(other.id for other in rests_on(made))) for made in ordered.values()]
    judged = {item.claim.id: item for item in combine(since, found)}
    top = judged.pop(claim.id)
    return JudgedClaim(claim.statement, claim.given, top.alone, top, judged)


def _collect(claim: Claim, ordered: dict[str, Claim]) -> None:
    """A claim after everything that it rests on."""
    for other in rests_on(claim):
        if other.id not in ordered:
            _collect(other, ordered)
    ordered[claim.id] = claim


def _statement(part: object) -> Statement:
    if isinstance(part, Statement):
        return part
    if isinstance(part, bool):
        raise DeclarationError(
            f"{part} is no statement: == compares what was typed; write eq(left, right), lt, le, ..."
        )
    if isinstance(part, Expression):
        raise DeclarationError(f"{part} states nothing: write eq(left, right), lt, le, increasing(...) or another one")
    raise DeclarationError(f"{part!r} is no statement; `judge(eq(left, right), given=[gt(left, 0)])` is an example")


def _judgement_said(judgement: Judgement) -> str:
    """A judgement, which knows the names of the parts of its statement and not the statement."""
    return "\n    ".join([judgement.verdict.value, *grounds(judgement)])


def _judgement_page(judgement: Judgement) -> html.Html:
    lines = (html.block(line, indent=True) for line in grounds(judgement))
    return html.joined(html.verdict(judgement.verdict.value), *lines, evidence_page(judgement))


def _judged_said(judged: Judged) -> str:
    return f"{judged.verdict.value}  {claim_said(judged.claim)}"


def _judged_page(judged: Judged) -> html.Html:
    return html.joined(html.verdict(judged.verdict.value), claim_page(judged.claim), evidence_page(judged.alone))


printing(Judgement, words=_judgement_said, page=_judgement_page, latex=None)
printing(Judged, words=_judged_said, page=_judged_page, latex=lambda judged: delimited(judged.claim.statement))
