"""Judge the claims of a folder one after the other, and hold each against the ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grpo_symbolic.api.judging import grounds
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.derivation.modules import Broken, told
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.claims import combine
from grpo_symbolic.judging.judge import KeptOrFound, judge_claim
from grpo_symbolic.judging.judges import beside_of
from grpo_symbolic.judging.kept import Judgements
from grpo_symbolic.judging.ledger import compare
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.proofs.keeping import Beside
from grpo_symbolic.report.display import finding_text


@dataclass(frozen=True)
class Tested:
    """A claim's verdict, what is wrong with it, and why it is open, if it is."""

    verdict: str
    complaints: tuple[str, ...]
    open: str | None


@dataclass
class ClaimTests:
    """The claims of a folder; what was judged for one is known to the others.

    Raises:
        LibraryError: if there is no such folder, or ids of it clash.
    """

    folder: Path
    settings: Settings = field(default_factory=Settings)
    library: Library = field(init=False)
    _broken: list[Broken] = field(init=False, default_factory=list)
    _known: dict[str, Judgements] = field(init=False, default_factory=dict)
    _beside: dict[str, Beside] = field(init=False)

    def __post_init__(self) -> None:
        self.library = load(self.folder, broken=self._broken)
        self._beside = beside_of(self.library)

    def claims_in(self, path: Path) -> list[Claim]:
        """The claims of the results that a module defines."""
        name = self._module(path)
        return [made for result in self.library.results if result.module == name for made in result.claims]

    def wrong_with(self, path: Path) -> str:
        """Why a module, or a result of it, cannot be used; empty if it can."""
        name = self._module(path)
        return told([one for one in self._broken if one.name == name])

    def _module(self, path: Path) -> str:
        inside = path.relative_to(self.folder.parent).with_suffix("").parts
        return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)

    def judge(self, claim: Claim) -> Tested:
        """Judge a claim with what it rests on, and compare what was found with the ledger.

        Raises:
            LibraryError: if the claim quotes something else than was typed for it, or the ledger cannot be read.
            CheckError: if a check breaks.
        """
        selected = self.library.select([claim.id])
        ordered = [(made, since) for made, since in self.library.ordered if made.id in selected]
        for made, _ in ordered:
            if made.id not in self._known:
                self._known[made.id] = _judged(made, self.settings, self._beside.get(made.id))
        judged = {item.claim.id: item for item in combine(ordered, self._known)}
        quotes = quotes_of(self.library, frozenset({claim.id}))
        assessment = Assessment(self.library, self.settings, selected, judged, 0.0, quotes)
        own = [one for one in compare(assessment) if one.id == claim.id or one.id.startswith(f"{claim.id}.step-")]
        found = judged[claim.id]
        advice = f"; `grpo-symbolic report {self.folder.name} --accept` accepts what was found"
        complaints = [finding_text(one) + (advice if one.acceptable else "") for one in own]
        words = "an assumption" if claim.assumed else f"UNDECIDED: {'; '.join(grounds(found.alone))}"
        left_open = claim.assumed or found.verdict is Verdict.UNDECIDED
        return Tested(found.verdict.value, tuple(complaints), words if left_open else None)


def _judged(claim: Claim, settings: Settings, beside: Beside | None) -> Judgements:
    try:
        return judge_claim(bare(claim), settings, prover=KeptOrFound(settings, beside))
    except CheckError:
        raise
    except Exception as error:
        raise CheckError(f"{claim.id}: {type(error).__name__}: {error}") from error
