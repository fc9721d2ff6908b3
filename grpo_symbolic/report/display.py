"""What the terminal shows: progress, the table of results, one claim in full, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Column, Table

from grpo_symbolic.coverage.aboutness import Aboutness
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.counterexamples import counterexample_to_quote
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.judging.judge import TAKING_APART
from grpo_symbolic.judging.ledger import Discrepancy
from grpo_symbolic.judging.methods import fewest_digits
from grpo_symbolic.judging.plain import plain_python
from grpo_symbolic.judging.progress import Listener, Progress
from grpo_symbolic.judging.quotes import Standing, reading_of, standing_of
from grpo_symbolic.judging.results import refuting_witness, seconds_of, skipped_of
from grpo_symbolic.judging.severity import severity_of
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.indexed import sets_of_hypotheses
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.language.unknown import unknown_functions
from grpo_symbolic.obligations.support import united
from grpo_symbolic.readback.readings import QuoteRead, Reading
from grpo_symbolic.report.lemmas import lemma_note
from grpo_symbolic.report.readback import ReadBack
from grpo_symbolic.report.sections import definitions_of
from grpo_symbolic.report.shorthand import as_shown
from grpo_symbolic.translate.text import RELATIONS, expression_text, statement_text

#: Enough for the table of results with a column for every verdict.
WIDE = 120

#: From what is best to what is worst.
VERDICTS = (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED, Verdict.UNDECIDED, Verdict.REFUTED)


@contextmanager
def progress(screen: Console) -> Iterator[Listener]:
    """A listener that shows how the assessment advances: live in a terminal, else one line per result."""
    if not screen.is_terminal:
        yield _Lines(screen)
        return
    words = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    with Bars(SpinnerColumn(), BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), words, console=screen) as bars:
        task, busy = bars.add_task("loading the checks", total=None), Busy()

        def show(event: Progress) -> None:
            bars.update(task, total=event.total, completed=event.done, description=busy.update(event))

        yield show


class Busy:
    """What is being checked at the moment: a line for the last finished claim, then one for each in progress."""

    def __init__(self) -> None:
        self._last = "first results"
        self._busy: dict[str, str] = {}

    def update(self, event: Progress) -> str:
        """Take in an event and return the lines; a claim keeps its place while its method changes."""
        if event.verdict is None:
            self._busy[event.claim] = f"{event.claim} by {event.asked}" if event.asked else event.claim
        else:
            self._busy.pop(event.claim, None)
            self._last = f"{event.result}: {event.claim} {event.verdict.value} by {', '.join(event.methods)}"
        return "\n".join([self._last, *self._busy.values()])


class _Lines:
    """Says which result is complete, how far the whole is and which methods spoke."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._methods: dict[str, dict[str, None]] = {}

    def __call__(self, event: Progress) -> None:
        methods = self._methods.setdefault(event.result, {})
        methods |= dict.fromkeys(event.methods)
        if event.verdict is not None and event.left == 0:
            self._screen.print(f"checked {event.result} by {', '.join(methods)} ({event.done} of {event.total} claims)")


def summary_table(assessment: Assessment, width: int) -> Table:
    """One row per result: how its claims and their steps stand; a narrow table leaves out verdicts nobody has."""
    rows = [(result.title, _judged_of(assessment, result)) for result in assessment.library.results]
    rows = [(title, judged) for title, judged in rows if judged]
    if len(rows) > 1:
        rows.append(("total", [item for _, judged in rows for item in judged]))
    present = {judged.verdict for judged in assessment.judged.values()}
    shown = [verdict for verdict in VERDICTS if width >= WIDE or verdict in present]
    table = Table(title="Results", title_justify="left", box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("result")
    for name in ("claims", *(verdict.value for verdict in shown), "errata", "digits", "seconds"):
        table.add_column(name, justify="right", no_wrap=True, min_width=len(name))
    for title, judged in rows:
        table.add_row(title, *_counts(judged, shown))
    return table


def _judged_of(assessment: Assessment, result: Result) -> list[Judged]:
    claims = assessment.library.claims_of[result.module]
    return [assessment.judged[claim.id] for claim in claims if claim.id in assessment.selected]


def _counts(judged: Sequence[Judged], shown: Sequence[Verdict]) -> Iterator[str]:
    verdicts = Counter(item.verdict for item in judged)
    errata = sum(map(is_erratum, judged))
    digits = fewest_digits(judged)
    yield str(len(judged))
    for verdict in shown:
        yield str(verdicts[verdict] or "·")
    yield str(errata or "·")
    yield "·" if digits is None else str(digits)
    yield f"{sum(map(seconds_of, judged)):.1f}"


def places(files: Sequence[Path], site: Sequence[Path], out: Path) -> list[str]:
    """Where things are: one line for each file, one for each folder of figures or results, and one for the site."""
    lines = [f"wrote {path}" for path in files if path.parent == out]
    inside = Counter(path.relative_to(out).parts[0] for path in files if path.parent != out)
    lines += [f"wrote {count} files in {out / folder}" for folder, count in inside.items()]
    pages = sum(path.suffix == ".html" and path.parent == site[0].parent for path in site)
    return [*lines, f"wrote {site[0]} and {pages - 1} pages beside it"]


def kept_lines(assessment: Assessment) -> list[str]:
    """How many judgements come from an earlier run."""
    count = len(assessment.kept)
    return [f"{count} of {len(assessment.judged)} judgements are kept from an earlier run"] if count else []


def read_back_lines(found: ReadBack) -> list[str]:
    """How many formulas of the pages were read back, and those that were not, each once."""
    said = f"read back {found.agree} of {found.relations} printed formulas; each says what was checked"
    unread = dict.fromkeys(f"not read back: {item.id}: {item.reason}" for item in found.not_read)
    return [said, *unread]


def skipped_lines(assessment: Assessment) -> list[str]:
    """One line for each method that is not installed."""
    skipped = dict.fromkeys(item for judged in assessment.judged.values() for item in skipped_of(judged))
    return [f"skipped {item.method}: {item.reason}" for item in skipped]


def finding_text(finding: Discrepancy) -> str:
    """A finding with its witness, on one line."""
    text = f"{finding.id}: {finding.message}"
    return text if finding.witness is None else f"{text}; {witness_text(finding.witness)}"


def witness_text(witness: Witness, claimed: Relation | None = None) -> str:
    """A witness in words, with the relation that fails there if it is known."""
    where = ", ".join(f"{name} = {value}" for name, value in united(witness.at))
    sign = "" if claimed is None else f", where {RELATIONS[claimed.operator]} is claimed"
    return f"at {where or 'every point'}: left {witness.left}, right {witness.right}{sign}"


def quote_words(found: Standing, reading: Reading) -> str:
    """What became of a quote, in few words: ``erratum as interpreted``."""
    short = {Standing.ERRATUM: "erratum", Standing.AMBIGUOUS: "ambiguous"}.get(found)
    if short is None:
        return found.value
    return short if reading is Reading.PRINTED else f"{short} {reading.value}"


def assumption_lines(assessment: Assessment) -> list[str]:
    """What is assumed, how it stands by itself, and how many claims and steps rest on it."""
    lines = []
    for id, item in assessment.judged.items():
        if item.claim.assumed:
            count = sum(id in other.claim.assumes for other in assessment.judged.values())
            lines.append(f"assumed: {id} ({item.verdict.value}); {count} claims and steps rest on it")
    return lines


def unjudged_lines(assessment: Assessment) -> list[str]:
    """Which claims could not be judged, where they were written, and why."""
    lines = []
    for id, item in assessment.judged.items():
        for judgement in (item.alone, item.printed):
            for found in () if judgement is None else judgement.evidence:
                if found.method == TAKING_APART:
                    what = id if judgement is item.alone else f"what {id} quotes"
                    lines.append(f"cannot be judged: {what} ({item.claim.declared_at}): {found.note}")
    return lines


def show_claim(screen: Console, assessment: Assessment, id: str) -> None:
    """Print everything about one claim: statement, derivation, evidence, what the paper prints."""
    judged, result = assessment.judged[id], assessment.library.result_of(id)
    (claim,) = as_shown(result, [judged.claim])
    screen.print(f"{claim.id}: {claim.title}")
    where = f"{claim.equation}, " if claim.equation else ""
    screen.print(f"{where}{result.title} ({claim.declared_at})")
    screen.print(f"\n{_standing(assessment, judged)}\n")
    screen.print(_indented(statement_text(claim.statement)))
    if claim.beyond is not None:
        screen.print(f"\nbeyond the paper: {claim.beyond}")
    note = lemma_note(Aboutness(assessment.library).ties.get(id))
    if note is not None:
        screen.print(f"\n{note}")
    if symbols_in(claim):
        screen.print("\nfor all")
        for symbol in symbols_in(claim):
            screen.print(_indented(f"{symbol.name} in {symbol.domain}: {symbol.meaning}"))
    for function in unknown_functions(*claim.given, claim.statement):
        screen.print(_indented(function.description))
    if claim.given:
        screen.print("\nwith")
        sets = sets_of_hypotheses(claim.given, claim.statement)
        for hypothesis, everywhere in zip(claim.given, sets, strict=True):
            place = "" if everywhere is None else f" for every {everywhere.element}"
            screen.print(_indented(f"{statement_text(hypothesis)}{place}"))
    definitions = definitions_of([claim])
    if definitions:
        screen.print("\nwhere")
        for made in definitions:
            screen.print(_indented(f"{made(*made.parameters)} := {expression_text(made.body)}"))
    _show_derivation(screen, assessment, claim)
    _show_lemmas(screen, assessment, judged)
    _show_evidence(screen, "Evidence", judged.alone)
    if claim.printed is not None and judged.printed is not None:
        _show_printed(screen, claim.printed, judged, assessment.judged, assessment.quotes.get(id))


def _standing(assessment: Assessment, judged: Judged) -> str:
    claim, verdict = judged.claim, judged.verdict.value
    words = f"{verdict} (an assumption)" if claim.assumed else verdict
    if judged.verdict is not judged.alone.verdict:
        words = f"{words}; alone it is {judged.alone.verdict.value}, but it rests on something weaker"
    if claim.refuted is not None:
        words = f"{words}, stated as a falsehood: {claim.refuted}"
    for gap in claim.fills:
        words = f"{words}\nfills a gap at {gap.where}: {gap.missing}"
    if claim.cites:
        words = f"{words}\nciting, without a proof: {', '.join(claim.cites)}"
    standing = (f"{id} ({assessment.judged[id].verdict.value})" for id in judged.claim.assumes)
    return f"{words}\nassuming {', '.join(standing)}" if judged.claim.assumes else words


def _indented(text: str) -> Padding:
    return Padding(text, (0, 0, 0, 4), expand=False)


def _show_derivation(screen: Console, assessment: Assessment, claim: Claim) -> None:
    chain = claim.derivation
    if chain is None:
        return
    screen.print(f"\nDerivation, from: {chain.because}")
    screen.print(_indented(_line_text(chain.start)))
    signs = {"=": "=", "<=": "≤", "<": "<", ">=": "≥", ">": ">", "iff": "⇔", "implies": "⇒"}
    for step, made in zip(chain.steps, claim.steps, strict=True):
        verdict = assessment.judged[made.id].verdict.value
        screen.print(_indented(f"{signs[step.relation]} {_line_text(step.to)}"))
        screen.print(Padding(f"{verdict}: {step.reason}", (0, 0, 0, 8), expand=False))


def _line_text(line: Expression | Statement) -> str:
    return expression_text(line) if isinstance(line, Expression) else statement_text(line)


def _show_lemmas(screen: Console, assessment: Assessment, judged: Judged) -> None:
    steps = {made.id for made in judged.claim.steps}
    lemmas = [id for id in judged.since if id not in steps]
    if lemmas:
        screen.print("\nRests on")
        for id in lemmas:
            other = assessment.judged[id]
            standing = f"{other.verdict.value}, assumed" if other.claim.assumed else other.verdict.value
            screen.print(_indented(f"{id}: {standing}"))


def _show_evidence(screen: Console, title: str, judgement: Judgement) -> None:
    table = Table(title=title, title_justify="left", box=None, header_style="bold")
    for name in ("obligation", "method", "verdict", "found"):
        table.add_column(name)
    for item in judgement.evidence:
        table.add_row(item.obligation, item.method, item.verdict.value, _found(item))
    screen.print()
    screen.print(table)
    for skipped in judgement.skipped:
        screen.print(f"skipped {skipped.method}: {skipped.reason}")


def _found(item: Evidence) -> str:
    at = ", ".join(f"{name} = {value}" for name, value in item.worst_at)
    where = f" at {at}" if at else ""
    parts = [
        item.note,
        "" if item.witness is None else witness_text(item.witness),
        "" if item.digits is None else f"{item.digits} digits",
        "" if item.worst_residual is None else f"worst residual {item.worst_residual}{where}",
        "" if item.smallest_gap is None else f"smallest gap {item.smallest_gap}{where}",
    ]
    return "; ".join(part for part in parts if part)


def _show_printed(
    screen: Console, quote: Quote, judged: Judged, everything: Mapping[str, Judged], read: QuoteRead | None
) -> None:
    judgement, stands = judged.printed, standing_of(judged, read)
    if judgement is None or stands is None:
        return
    said = "In words, of" if read is not None and read.in_words else "Printed at"
    screen.print(f"\n{said} {quote.where}: {quote_words(stands, reading_of(read))} ({judgement.verdict.value})")
    screen.print(_indented(quote.latex))
    if read is not None and read.why:
        screen.print(_indented(f"{reading_of(read).value}: {read.why}"))
    if judgement.verdict is not Verdict.REFUTED:
        return
    ambiguous = stands is Standing.AMBIGUOUS
    if ambiguous:
        screen.print("Ambiguous: one reading fails, the claim states another")
    else:
        matters = severity_of(judged.claim.id, everything)
        screen.print("Erratum" if matters is None else f"Erratum ({matters.severity.value}; {matters.in_words})")
    screen.print(_indented(f"{'this' if ambiguous else 'our'} reading: {statement_text(quote.statement)}"))
    witness = refuting_witness(judgement)
    found = counterexample_to_quote(judged)
    if witness is not None:
        screen.print(_indented(f"fails {witness_text(witness, None if found is None else found.failing)}"))
    if quote.instead is not None:
        screen.print(_indented(f"{'the reading that holds' if ambiguous else 'instead'}: {quote.instead}"))
    if quote.compare_with_pdf:
        screen.print(_indented("a few glyphs of the copy that was read: compare with the PDF"))
    if found is not None:
        screen.print("To check this again without this program")
        for line in plain_python(found):
            screen.print(_indented(line))
