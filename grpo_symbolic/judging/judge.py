"""Judge claims and statements with everything that searches, proposes and decides."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.claims import decide_claim
from grpo_symbolic.judging.searching import Searcher, Watch, unwatched
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.statement import Statement


def judge_claim(claim: Claim, settings: Settings, watch: Watch = unwatched) -> tuple[Judgement, Judgement | None]:
    """Judge a claim's statement and, separately, what the paper prints in its place; see ``decide_claim``.

    Raises:
        CheckError: if a check breaks, or brute force disagrees with what was decided.
    """
    return decide_claim(claim, Searcher(settings, watch))


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
    return inquiry.judgement(Searcher(settings, watch).investigate(inquiry, where))
