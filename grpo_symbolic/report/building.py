"""Judge a library and write its report: pages are made while what they rest on is still being confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grpo_symbolic.cache.store import Store
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.judging import ledger
from grpo_symbolic.judging.assess import Assessment, Provisional
from grpo_symbolic.judging.digested import Digested
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.judges import Judges
from grpo_symbolic.judging.ledger import Discrepancy
from grpo_symbolic.judging.progress import Listener
from grpo_symbolic.judging.results import results_text, write_json, write_text
from grpo_symbolic.report.letters import check_letters
from grpo_symbolic.report.manifest import manifest
from grpo_symbolic.report.readback import ReadBack
from grpo_symbolic.report.render import Finish, Rendered, render
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.texts import texts_of
from grpo_symbolic.report.unchanged import Order


class Built(NamedTuple):
    """What was made: the assessment, the files, what the ledgers object, and which ledgers there are none of."""

    assessment: Assessment
    rendered: Rendered
    findings: tuple[Discrepancy, ...]
    without: tuple[Path, ...]


class _WithdrawnError(Exception):
    """What pages were made of is no longer believed."""


def build(
    order: Order,
    library: Library,
    who: Judges,
    store: Store | None,
    progress: Callable[[], AbstractContextManager[Listener | None]],
) -> Built:
    """Judge the claims that are asked for and write the report on them.

    Pages are made of judgements that are kept while some of these are made again. Nothing is published before these
    are confirmed, and if one is not, everything is made anew.

    Raises:
        LibraryError: if a name matches nothing, a claim quotes something else than was typed for it, or a ledger cannot
            be read.
        CheckError: if a check breaks on a claim, which is named, or no process can be started.
        DeclarationError: if a letter stands for two things where nothing tells them apart.
        ReportError: if the report cannot be written; see `render`.
    """
    # An unknown name, like an unreadable ledger, must not cost a run.
    digested = Digested(library, Fragments(store))
    shown = Shown(library, digested.fragments)
    check_letters(shown, library.select(order.only) if order.only else library.claims, digested.fragments)
    lines = {} if order.papers is None else texts_of(library, order.papers)
    without = tuple(path for path, found in ledger.ledgers(library).items() if found is None)
    with progress() as listener:
        made = Provisional(library, who, only=order.only, listener=listener, cache=store, digested=digested)
    writing = _Writing(order, made, shown, lines)
    try:
        rendered, findings = writing.files()
    except _WithdrawnError:
        rendered, findings = writing.files()
    return Built(made.assessment, rendered, findings, without)


@dataclass(frozen=True)
class _Writing:
    """Writes a report on what is known by then."""

    order: Order
    made: Provisional
    shown: Shown
    lines: Mapping[str, Mapping[str, str]]

    def files(self) -> tuple[Rendered, tuple[Discrepancy, ...]]:
        """Write the files.

        Raises:
            _WithdrawnError: if the assessment that they tell of is withdrawn meanwhile; no file is replaced then.
        """
        order, assessment = self.order, self.made.assessment
        findings: list[Discrepancy] = []

        def prepare(read_back: ReadBack) -> Finish:
            # Like everything that can fail, before the first file is replaced.
            findings.extend(ledger.compare(assessment))
            pieces = results_text(assessment, read_back.as_json(), self.made.fragments)

            def finish(folder: Path, typeset: bool) -> None:
                if self.made.settled() is not assessment:
                    raise _WithdrawnError
                write_text(pieces, folder / "results.json")
                files = [path for path in folder.rglob("*") if path.is_file()]
                write_json(manifest(order, files, folder, typeset=typeset), folder / "manifest.json")

            return finish

        rendered = render(
            assessment,
            order.out,
            pdf=order.pdf,
            lines=self.lines,
            source_url=order.source_url,
            prepare=prepare,
            fragments=self.made.fragments,
            shown=self.shown,
        )
        return rendered, tuple(findings)
