"""Measure the referee on the corpora that are here, as one table: precision, planted errors, repairs, what is read.

    python benchmarks/referee_table.py --count 6 --jobs 2 --json table.json

It is run by hand. The scorecard, the worked integrals and the texts of both papers are measuring material that is not
part of the project (``GRPO_SYMBOLIC_SCORECARD``, ``GRPO_SYMBOLIC_CORPORA``, ``GRPO_SYMBOLIC_PAPERS``); what is not here
is left out of the table, with a line that says so.

    precision   of the steps that are called wrong and whose truth is known, how many are wrong: by the expectations of
                the scorecard, by the truth of the worked integrals, and by another evaluator for the papers
    recall      of the errors that were planted one at a time in formulas that hold and made them false, how many are
                called wrong; refused ones are counted as not found in *strict*
    repairs     of the planted errors that were found, for how many the first repair leads back to what stood there
    read        of the steps that assert something, how many were understood
    decided     of these, how many are decided, proved, true by definition or refuted at a point

For comparison, what is published about referees by large language models that look for errors in papers: a precision
of 83 %, a recall of 60 % on errors that were inserted, and 76 % right repairs. These are figures for whole papers and
for errors of all kinds, also in prose; here only formulas that were read are looked at.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path

from grpo_symbolic.referee.check import Options
from grpo_symbolic.referee.findings import Finding, Status
from grpo_symbolic.referee.power import Power, powers_of
from grpo_symbolic.referee.power_words import Counts, remarks

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SCORECARD = Path(os.environ.get("GRPO_SYMBOLIC_SCORECARD", SHARED / "scorecard"))
CORPORA = Path(os.environ.get("GRPO_SYMBOLIC_CORPORA", SHARED / "corpora"))
TEXTS = Path(os.environ.get("GRPO_SYMBOLIC_PAPERS", SHARED / "papers"))
#: By folder of derivations: how the name of the text begins.
PAPERS = {"vojnovic_yun_2025": "000_", "mroueh_2025": "002_"}
FLAGGED = (Status.REFUTED, Status.NOT_AN_IDENTITY, Status.BROKEN)
CERTAIN = (Status.PROVED, Status.DECIDED, Status.BY_DEFINITION, Status.REFUTED)
#: Letters of the worked integrals, which leave unsaid that parameters are positive and variables in the unit interval.
INTEGRALS = """[symbols]
{letters}
[[notation]]
tex = 'e'
is = 'e'
[[notation]]
tex = '\\pi'
is = 'pi'
[[notation]]
tex = '\\tan^{{-1}}'
is = 'arctan'
[[notation]]
tex = '\\sin^{{-1}}'
is = 'arcsin'
"""
_NOT_ALONE = re.compile(r"=|[A-Z]|\\lim|\\cos\^|\\Gamma|\\left\.|g\{")


@dataclass
class Row:
    """What was counted for one corpus."""

    name: str
    seconds: float = 0.0
    steps: int = 0
    read: int = 0
    decided: int = 0
    flagged: int = 0
    wrong: int = 0
    unjudged: int = 0
    planted: list[Counts] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def add(self, power: Power, is_wrong: Callable[[Finding], bool | None]) -> None:
        """Count the findings of a paper and what became of the errors that were planted in it."""
        for finding in power.findings:
            if finding.across or finding.code in ("no-relation", "words", "skipped"):
                continue
            self.steps += 1
            self.read += finding.status not in (Status.NOT_UNDERSTOOD, Status.BROKEN)
            self.decided += finding.status in CERTAIN
            if finding.status in FLAGGED:
                wrong = is_wrong(finding)
                self.unjudged += wrong is None
                self.flagged += wrong is not None
                self.wrong += wrong is True
                if wrong is False:
                    self.told.append(f"false alarm: {finding.place}: {finding.status.value}")
        self.told += [said for said in remarks(power) if said.startswith("not caught")]
        self.planted.append(Counts.of(power.planted))

    def total(self, name: str) -> int:
        """A number of the planted errors, of all papers."""
        return sum(getattr(counts, name) for counts in self.planted)

    def cells(self) -> list[str]:
        """The row as text."""
        caught, false = self.total("caught"), self.total("false")
        return [
            self.name,
            str(self.steps),
            _share(self.wrong, self.flagged) + (f" +{self.unjudged}?" if self.unjudged else ""),
            str(self.total("planted")),
            _share(caught, false),
            _share(caught, false + self.total("refused")),
            _share(self.total("restored"), caught),
            _share(self.total("restored"), self.total("repaired")),
            _share(self.read, self.steps),
            _share(self.decided, self.read),
            f"{self.seconds:.0f}",
        ]

    def data(self) -> dict[str, object]:
        """The row as data."""
        names = ("planted", "false", "caught", "refused", "open_false", "missed_false", "harmless", "undefined")
        numbers = {name: self.total(name) for name in (*names, "unknown", "repaired", "restored")}
        own = {name: getattr(self, name) for name in ("steps", "read", "decided", "flagged", "wrong", "unjudged")}
        return {"name": self.name, **own, **numbers, "told": self.told, "seconds": round(self.seconds, 1)}


HEADS = ["corpus", "steps", "precision", "planted", "recall", "strict", "repairs", "of offered", "read", "decided", "s"]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % ({part}/{whole})" if whole else "-"


@dataclass(frozen=True)
class Plan:
    """How papers are checked, how many errors are planted in each, by which seed, and in which corpora alone."""

    options: Options
    count: int
    seed: int
    only: str = ""


def measured(
    name: str,
    papers: Sequence[tuple[Path, Path | None]],
    is_wrong: Callable[[Path, Finding], bool | None],
    plan: Plan,
    times: int = 1,
) -> Row:
    """Check papers as they are and with errors planted in them."""
    started = time.perf_counter()
    row = Row(name)
    for power, (path, _) in zip(
        powers_of(papers, plan.options, count=times * plan.count, seed=plan.seed), papers, strict=True
    ):
        row.add(power, lambda finding, path=path: is_wrong(path, finding))
    row.seconds = time.perf_counter() - started
    return row


def scorecard_rows(plan: Plan) -> Iterator[Row]:
    """A row for each section of the scorecard with cases whose answers are known."""
    for expectations in sorted(SCORECARD.glob("*/expect.json")):
        section = expectations.parent
        cases = [case for case in json.loads(expectations.read_text(encoding="utf-8"))["files"] if "file" in case]
        expected: dict[tuple[str, int], str] = {}
        papers: list[tuple[Path, Path | None]] = []
        for case in cases:
            notation = section / case["notation"] if "notation" in case else None
            papers.append((section / case["file"], notation))
            expected.update({(case["file"], item["line"]): item["expected"] for item in case["items"] if "line" in item}
                            if "items" in case else {})  # fmt: skip

        def is_wrong(path: Path, finding: Finding, known: dict[tuple[str, int], str] = expected) -> bool | None:
            said = known.get((path.name, finding.place.end_line))
            if said in ("fails", "any-but-decided"):
                return True
            if said is not None:
                return False
            return False if finding.status in (Status.REFUTED, Status.BROKEN) and not known else None

        if papers and plan.only in section.name:
            yield measured(section.name, papers, is_wrong, plan)


def integrals_row(plan: Plan, chains: int) -> Iterator[Row]:
    """A row for neighbours in chains of worked integrals: all of them are equal."""
    corpus = CORPORA / "holpy_chains.json"
    if not corpus.is_file() or plan.only not in "worked integrals":
        return
    pairs = [
        (first, second)
        for _, rows in json.loads(corpus.read_text(encoding="utf-8"))
        for first, second in pairwise(rows)
        if not _NOT_ALONE.search(first + second)
    ]
    drawn = random.Random(plan.seed).sample(pairs, min(chains, len(pairs)))
    letters = {**dict.fromkeys("abckmnps", "(0, oo)"), **dict.fromkeys("tuvxyz", "(0, 1)")}
    notation = INTEGRALS.format(letters="\n".join(f'{name} = "{domain}"' for name, domain in letters.items()))
    with tempfile.TemporaryDirectory() as folder:
        papers: list[tuple[Path, Path | None]] = []
        for number in range(0, len(drawn), 10):
            paper = Path(folder) / f"integrals-{number}.md"
            displays = (f"$${first} = {second}$$" for first, second in drawn[number : number + 10])
            paper.write_text("\n\n".join(displays) + "\n", encoding="utf-8")
            beside = paper.with_suffix(".toml")
            beside.write_text(notation, encoding="utf-8")
            papers.append((paper, beside))
        yield measured("worked integrals", papers, lambda path, finding: False, plan)


def paper_rows(plan: Plan) -> Iterator[Row]:
    """A row for each of the two papers; whether what is called wrong is wrong, another evaluator says."""
    for folder, begins in PAPERS.items():
        text = next(iter(sorted(TEXTS.glob(f"{begins}*.txt"))), None)
        if text is None or plan.only not in folder:
            continue
        refuted = _refuted(text, folder)
        notation = ROOT / "derivations" / folder / "notation.toml"

        def is_wrong(path: Path, finding: Finding, known: dict[tuple[int, int], bool | None] = refuted) -> bool | None:
            return known.get((finding.place.line, finding.place.column))

        yield measured(folder, [(text, notation)], is_wrong, plan, 8)


def _refuted(text: Path, folder: str) -> dict[tuple[int, int], bool | None]:
    """By line and column, whether a step is false, says the evaluator of complex numbers that the tests have."""
    sys.path.insert(0, str(ROOT / "tests"))
    from misprints_measure import fails

    from grpo_symbolic.errors import GrpoSymbolicError
    from grpo_symbolic.referee.extents import row_of, span
    from grpo_symbolic.referee.papers import open_paper
    from grpo_symbolic.referee.questions import Asker

    opened = open_paper(text, ROOT / "derivations" / folder / "notation.toml")
    asker = Asker(opened.displays, opened.interpretation.outcomes, opened.notation)
    found: dict[tuple[int, int], bool | None] = {}
    for outcome in opened.interpretation.outcomes:
        place = span(row_of(outcome.step), text)
        try:
            found[place.line, place.column] = fails(asker.question(outcome).statements)
        except (GrpoSymbolicError, TypeError):
            found[place.line, place.column] = None
    return found


def main() -> None:
    """Measure what is here and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=6, help="errors planted in each file, 8 times as many in a paper")
    parser.add_argument("--chains", type=int, default=60, help="steps of worked integrals (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=6.0, help="seconds for each step (default 6)")
    parser.add_argument("--only", default="", help="corpora whose name contains this")
    parser.add_argument("--json", type=Path, help="write every number here")
    wanted = parser.parse_args()
    plan = Plan(Options(jobs=wanted.jobs, timeout=wanted.timeout), wanted.count, wanted.seed, wanted.only)
    for what, where in (("scorecard", SCORECARD), ("corpora", CORPORA), ("texts of the papers", TEXTS)):
        if not where.is_dir():
            print(f"the {what} are not here, and left out of the table: {where}")
    rows: list[Row] = []
    print("| " + " | ".join(HEADS) + " |\n|" + "---|" * len(HEADS), flush=True)
    for row in chain(paper_rows(plan), scorecard_rows(plan), integrals_row(plan, wanted.chains)):
        rows.append(row)
        print("| " + " | ".join(row.cells()) + " |", flush=True)
    whole = Row("all", sum(row.seconds for row in rows))
    for row in rows:
        for name in ("steps", "read", "decided", "flagged", "wrong", "unjudged"):
            setattr(whole, name, getattr(whole, name) + getattr(row, name))
        whole.planted += row.planted
    print("| " + " | ".join(whole.cells()) + " |")
    for row in rows:
        for said in row.told:
            print(said)
    if wanted.json:
        wanted.json.write_text(json.dumps([row.data() for row in (*rows, whole)], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
