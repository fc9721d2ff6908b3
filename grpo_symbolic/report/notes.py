"""A note to the authors of each paper: every finding in short, and a program that checks the counterexamples again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report.errata import ErratumView, PaperView, consequences, erratum_view, paper_view
from grpo_symbolic.report.gaps import GapView, gaps_of
from grpo_symbolic.report.links import Links
from grpo_symbolic.report.stored import restored, written
from grpo_symbolic.report.tex import Tex, code

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged
    from grpo_symbolic.report.view import Assessed


@dataclass(frozen=True)
class NoteGroup:
    """Findings of one kind."""

    name: Tex
    findings: tuple[ErratumView, ...]


@dataclass(frozen=True)
class NoteView:
    """The note on a paper, by one author or ``several``; ``program`` names the file that checks its counterexamples.

    ``gaps`` says how many steps of arguments are left out, which only the report lists.
    """

    paper: PaperView
    several: bool
    groups: tuple[NoteGroup, ...]
    readings: Tex
    gaps: Tex
    program: Tex

    @property
    def findings(self) -> tuple[ErratumView, ...]:
        """All findings, in the order of their numbers."""
        return tuple(finding for group in self.groups for finding in group.findings)


#: The claims stand in another document.
_NO_LINKS = Links(frozenset())


def note_name(paper: Paper) -> str:
    """The name, without its ending, of the files of a note."""
    return f"note-{paper.id}"


def notes(assessment: Assessed, fragments: Fragments | None = None) -> Iterator[tuple[Paper, NoteView]]:
    """The notes on the papers in which something was found; the views of errata may be kept in ``fragments``."""
    judged = assessment.judged
    fragments = Fragments(None) if fragments is None else fragments
    for paper in dict.fromkeys(result.paper for result in assessment.library.results):
        claims = [made for result in assessment.library.results if result.paper == paper for made in result.claims]
        views = (_erratum(judged[made.id], assessment, fragments) for made in claims if made.id in judged)
        found = [view for view in views if view is not None]
        gaps = gaps_of([made for made in claims if made.id in judged], judged, _NO_LINKS)
        if found:
            yield paper, note_view(paper, found, gaps)


def _erratum(one: Judged, assessment: Assessed, fragments: Fragments) -> ErratumView | None:
    if one.printed is None or one.printed.verdict is not Verdict.REFUTED:
        return None
    id, judged, read = one.claim.id, assessment.judged, assessment.quotes.get(one.claim.id)
    after = consequences(id, judged)
    return fragments.kept(
        "erratum",
        (one, read, after),
        lambda: erratum_view(one.claim, judged, _NO_LINKS, read, after),
        written,
        lambda kept: restored(kept, ErratumView),
    )


def note_view(paper: Paper, found: Sequence[ErratumView], gaps: Sequence[GapView] = ()) -> NoteView:
    """The note with some findings, the gravest first, and how many gaps there are in proofs."""
    view = paper_view(paper, found, gaps=gaps)
    groups = [NoteGroup(group.severity, group.errata) for group in view.groups]
    if view.ambiguous:
        groups.append(NoteGroup(Tex("Sentences of which one reading fails and another holds"), view.ambiguous))
    have = "One sentence has" if len(view.ambiguous) == 1 else f"{len(view.ambiguous)} sentences have"
    readings = f"{have} a reading that fails beside one that holds."
    several = " and " in paper.authors
    steps = "one step that an argument leaves out" if len(gaps) == 1 else f"{len(gaps)} steps that arguments leave out"
    return NoteView(view, several, tuple(groups), Tex(readings), Tex(steps), code(f"{note_name(paper)}.py"))


def note_program(paper: Paper, note: NoteView) -> str:
    """The counterexamples of a note as a file of plain Python, one function for each finding that has one."""
    return "\n".join([*_head(paper), *_functions(note.findings), "", "", *_calls(note.findings)]) + "\n"


def _head(paper: Paper) -> Iterator[str]:
    yield '"""The counterexamples of a note to authors, in the order of its findings.'
    yield ""
    yield f"{paper.authors}: {paper.title} ({paper.version})"
    yield ""
    yield "Each function prints both sides of a relation that fails, and ends with an error if it held after all."
    yield "Fractions are exact; for roots and logarithms mpmath is needed (pip install mpmath)."
    yield '"""'


def _functions(found: Sequence[ErratumView]) -> Iterator[str]:
    for number, finding in enumerate(found, start=1):
        if finding.program:
            yield from ("", "", f"def finding_{number}():", f"    # {finding.place}")
            yield from (f"    # {line}" for line in finding.letters)
            yield from (f"    {line}" for line in finding.program)


def _calls(found: Sequence[ErratumView]) -> Iterator[str]:
    for number, finding in enumerate(found, start=1):
        if finding.program:
            yield f"print({number}, {finding.place!r})"
            yield f"finding_{number}()"
