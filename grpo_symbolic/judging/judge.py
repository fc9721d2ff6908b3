"""Judge claims and statements with everything that searches, proposes and decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from grpo_symbolic.checks import proof
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.records import record_of
from grpo_symbolic.errors import CheckError, DeclarationError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.claims import decide_claim, decide_quote
from grpo_symbolic.judging.search import Prover
from grpo_symbolic.judging.searching import Searcher, Watch, unwatched
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.proofs.claims import prove
from grpo_symbolic.proofs.keeping import Beside, Document, kept

T = TypeVar("T")

#: How the taking apart of statements into what has to be shown is called as a method.
TAKING_APART = "statement"


class KeptOrFound:
    """Gives the proof of a claim that is kept ``beside`` its derivation, or else one that is found."""

    def __init__(self, settings: Settings, beside: Beside | None, watch: Watch = unwatched) -> None:
        self._settings, self._beside, self._watch = settings, beside, watch
        #: The claim that was proved last as the kernel reads it, with its proof.
        self.document: Document | None = None

    def kept(self, claim: Claim) -> Evidence | None:
        """The kernel's word on a proof that is kept; None if none is, or if proofs are searched for anew."""
        known = None if self._settings.search else kept(claim, self._beside)
        return None if known is None or known.proof is None else self._checked(claim, known.proof)

    def found(self, claim: Claim, judgement: Judgement) -> Evidence | None:
        """The kernel's word on a proof that is found now; None if there is none, or it is kept that none was found."""
        known = kept(claim, self._beside)
        if known is not None and known.proof is None and not self._settings.search:
            return None
        points = [item.point for item in judgement.evidence if item.point is not None]
        given = prove(claim, self._settings, points).proof
        if given is None and known is not None and self._settings.forgiving:
            given = known.proof
        return None if given is None else self._checked(claim, given)

    def _checked(self, claim: Claim, given: Json) -> Evidence:
        self._watch(proof.METHOD)
        said = proof.check(claim, given)
        if said.verdict is Verdict.PROVED:
            self.document = {"record": record_of(claim)[0], "proof": given}
        return said


def judge_claim(
    claim: Claim, settings: Settings, watch: Watch = unwatched, prover: Prover | None = None
) -> tuple[Judgement, Judgement | None]:
    """Judge a claim's statement and, separately, what the paper prints in its place; see ``decide_claim``.

    One of them that cannot be judged, such as the slope of a maximum, is left open: it costs nothing else its verdict.

    Raises:
        CheckError: if a check breaks, or brute force disagrees with what was decided.
    """
    searcher = Searcher(settings, watch)
    alone = _or_open(lambda: decide_claim(claim, searcher, prover), claim.id)
    return alone, _or_open(lambda: decide_quote(claim, alone, searcher), claim.id)


def _or_open(judge: Callable[[], T], id: str) -> T | Judgement:
    """What is judged; left open, with the reason, if it cannot be."""
    try:
        return judge()
    except (CheckError, DeclarationError, UnsupportedError) as error:
        why = error.__cause__ if isinstance(error, CheckError) else error
        if not isinstance(why, DeclarationError | UnsupportedError):
            raise
        return _left_open(id, str(why))


def judge_statement(
    statement: Statement,
    hypotheses: Sequence[Statement],
    settings: Settings,
    where: str,
    *,
    lemmas: Sequence[Statement] = (),
    watch: Watch = unwatched,
) -> Judgement:
    """Judge one statement under hypotheses, with samples and counterexamples searched for; see ``Inquiry``.

    Raises:
        CheckError: if a check breaks or two methods contradict each other; ``where`` names the claim.
    """
    inquiry = Inquiry(statement, tuple(hypotheses), tuple(lemmas))
    try:
        return inquiry.judgement(Searcher(settings, watch).investigate(inquiry, where))
    except CheckError as error:
        if not isinstance(error.__cause__, UnsupportedError):
            raise
        return _left_open(where, str(error.__cause__))


def _left_open(where: str, why: str) -> Judgement:
    return Judgement.left_open(Evidence(TAKING_APART, Verdict.UNDECIDED, where, why))
