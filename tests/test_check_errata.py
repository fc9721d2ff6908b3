"""What ``check`` refutes in the papers' own LaTeX, and the errata of the derivations, are the same list.

The texts of the papers are not part of the project; where they are absent the comparison is skipped.
"""

import re

import pytest
from conftest import FOLDER
from judged_library import whole_library
from material import PAPERS, needed_text

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import entries
from grpo_symbolic.reading.notation.addresses import squashed
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Finding, Status

LIBRARY = whole_library()
#: Errata that no refuted step shows, and why the reader cannot see them.
ELSEWHERE = {
    "vojnovic_yun_2025.clip": "prose",
    "vojnovic_yun_2025.penalty.bias": "prose",
    "vojnovic_yun_2025.eq11": "a condition on policies; the missing hypothesis is about their supports",
    "vojnovic_yun_2025.eq6": "an expectation over groups, which no expression says",
    "vojnovic_yun_2025.random-rewards.variance": "the map reads rewards as deterministic, and then it holds",
    "vojnovic_yun_2025.random-rewards.slope": "prose",
    "vojnovic_yun_2025.random-rewards.less-biased": "prose",
    "vojnovic_yun_2025.direct-kl.sign": "prose: the sign of a relation",
    "vojnovic_yun_2025.eq14.local-minimum": "the prose that defines a stationary policy",
    "vojnovic_yun_2025.eq15.local-minimum": "the prose that defines a stationary policy",
    "vojnovic_yun_2025.direct-kl.h-at-0": "a limit that is infinite",
    "vojnovic_yun_2025.direct-kl.h-at-1": "a limit that is infinite",
    "vojnovic_yun_2025.direct-kl.zeros.none": "prose",
    "vojnovic_yun_2025.weighted-penalty": "prose",
    "vojnovic_yun_2025.eq15.lower-bound.compared": "prose",
    "vojnovic_yun_2025.eq14.lower-bound.at-zero": "a missing hypothesis: the map has the reference positive",
    "vojnovic_yun_2025.eq15.lower-bound.at-zero": "a missing hypothesis: the map has the reference positive",
    "mroueh_2025.clip.constant-failure": "prose, with lost glyphs",
    "mroueh_2025.clip.range": "prose",
    "mroueh_2025.eq9": "the printed argument is refused as ambiguous",
    "mroueh_2025.h-at-one": "prose",
    "mroueh_2025.lemma-3.1.cosh": "a formula in a sentence about another symbol",
    "mroueh_2025.f-at-zero": "printed outside of the formulas",
    "mroueh_2025.f-prime.interval": "prose: one interval within another",
    "mroueh_2025.a-and-b.positive": "prose",
    "mroueh_2025.condition.caption": "prose",
    "mroueh_2025.total-variation": "a supremum over functions",
    "mroueh_2025.theorem-5.no-limit": "a limit of policies",
}


def errata(library: Library, folder: str) -> dict[str, str]:
    """The LaTeX of every quote that the ledger expects to be refuted, ambiguous sentences apart."""
    refuted = {id for id, entry in entries(library).items() if entry.printed is Verdict.REFUTED}
    return {
        id: made.printed.latex
        for id, made in library.claims.items()
        if id in refuted and made.printed is not None and not made.printed.another_reading
        if library.result_of(id).paper.id == folder
    }


def plain(latex: str) -> str:
    """LaTeX without layout, fonts, sizes of brackets and superfluous braces."""
    latex = re.sub(r"\\(?:text|mathrm|rm|operatorname|left|right|[Bb]igg?)(?![A-Za-z])", "", latex)
    latex = latex.replace(r"\times", "")
    return re.sub(r"[{}\s]|\\(?=\s)", "", squashed(latex))


def _value(part: str) -> str:
    """The last side of a printed chain, if it is long enough to be recognised; a step has the side before it."""
    side = part.rpartition("=")[2]
    return side if len(side) > 20 else part


def refuted_steps(folder: str) -> list[Finding]:
    options = Options(settings=Settings(digits=30, points=60))
    review = check_paper(needed_text(folder), options, FOLDER / folder / "notation.toml")
    return [finding for finding in review.findings if finding.status is Status.REFUTED]


@pytest.mark.slow
@pytest.mark.parametrize("folder", PAPERS)
def test_refuted_steps_and_errata_are_the_same(folder):
    # A quote of several formulas, one beside the other, may come from the cases of one step.
    quotes = {
        id: [plain(part) for part in re.split(r",\s*\\quad", latex)] for id, latex in errata(LIBRARY, folder).items()
    }
    shown = set()
    for finding in refuted_steps(folder):
        step = plain(f"{finding.left} {finding.relation} {finding.right}")
        ids = {id for id, parts in quotes.items() if all(part in step or _value(part) in step for part in parts)}
        assert ids, f"{finding.place}: {step}"
        shown |= ids
    assert set(quotes) - shown == {id for id in ELSEWHERE if id.startswith(f"{folder}.")}
