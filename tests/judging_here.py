"""Evidence and judgements made by hand, and the deciding methods asked one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from grpo_symbolic.checks.awarding import award
from grpo_symbolic.checks.deciding import Reduced
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.checks.proposals.models import rounded
from grpo_symbolic.checks.refuting import refute
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import AWARDED, STANDING, Evidence, Verdict
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.judging.verdicts import Inquiry, Judgement
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.obligation import Obligation


def without_points(made: Claim) -> Claim:
    """A claim of which no quote names a point: with other definitions another one may fail, or none."""
    return made if made.printed is None else replace(made, printed=replace(made.printed, fails_at=()))


def found(method: str, verdict: Verdict, obligation: str = "claim", note: str = "", **fields: object) -> Evidence:
    """Evidence by hand, sealed where that is needed."""
    if verdict in AWARDED:
        return award(method, verdict, obligation, None, note, **fields)
    return Evidence(method, verdict, obligation, note, **fields)


def judgement(
    verdict: Verdict, *evidence: Evidence, skipped: Iterable[Skipped] = (), seconds: float = 0.0
) -> Judgement:
    """A judgement with this verdict, which follows from the evidence, or from a piece by hand if none says so."""
    shown = any(item.verdict is verdict for item in evidence)
    known = evidence if shown else (*evidence, found("composition", verdict, "by hand"))
    labels = tuple(dict.fromkeys(item.obligation for item in known if item.verdict is verdict))
    plans = () if verdict is Verdict.UNDECIDED else (labels[:1],)
    made = Judgement(plans, frozenset(labels), (), (), known, tuple(skipped), seconds)
    if made.verdict is not verdict:
        raise ValueError(f"this evidence makes {made.verdict.value}, not {verdict.value}")
    return made


def judged_by(searcher: Searcher, statement: Statement, *given: Statement) -> Judgement:
    """What follows from the evidence that a searcher gathers."""
    inquiry = Inquiry(statement, given)
    return inquiry.judgement(searcher.investigate(inquiry, "p.claim"))


def asked(method: ModuleType, obligation: Obligation, settings: Settings, *, hunt: bool = False) -> Evidence | None:
    """What a deciding method says; where it points at a counterexample (or with ``hunt``), what a search finds.

    Sums are reduced before it is asked, as whoever judges does.
    """
    proposer = Everything(settings)
    said = Reduced(obligation, proposer).ask(method.METHOD)
    if said is None or said.verdict in STANDING or not (said.candidates or hunt):
        return said
    return refute(obligation, settings, rounded(said.candidates)) or said
