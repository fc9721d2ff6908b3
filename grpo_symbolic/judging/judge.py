"""Judge claims and statements with everything that searches, proposes and decides."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import CheckError, UnsupportedError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.claims import decide_claim
from grpo_symbolic.judging.searching import Searcher, Watch, unwatched
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.statement import Statement

#: How the taking apart of statements into what has to be shown is called as a method.
_TAKING_APART = "statement"


def judge_claim(claim: Claim, settings: Settings, watch: Watch = unwatched) -> tuple[Judgement, Judgement | None]:
    """Judge a claim's statement and, separately, what the paper prints in its place; see ``decide_claim``.

    One that cannot be taken apart, such as the slope of a maximum, is left open: it must not cost others their verdict.

    Raises:
        CheckError: if a check breaks, or brute force disagrees with what was decided.
    """
    try:
        return decide_claim(claim, Searcher(settings, watch))
    except CheckError as error:
        if not isinstance(error.__cause__, UnsupportedError):
            raise
        alone = _left_open(claim.id, error.__cause__)
        return alone, None if claim.printed is None else alone


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
        return _left_open(where, error.__cause__)


def _left_open(where: str, why: UnsupportedError) -> Judgement:
    return Judgement.left_open(Evidence(_TAKING_APART, Verdict.UNDECIDED, where, str(why)))
