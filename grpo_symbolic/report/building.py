"""Judge a library and write its report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from grpo_symbolic.cache.store import Json, Store
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.records import record_of
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.judging import ledger
from grpo_symbolic.judging.assess import Assessment, assess_by
from grpo_symbolic.judging.counterexamples import refuting
from grpo_symbolic.judging.digested import Digested
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.judges import Judges
from grpo_symbolic.judging.ledger import Discrepancy
from grpo_symbolic.judging.progress import Listener
from grpo_symbolic.judging.results import results_text, write_json, write_text
from grpo_symbolic.proofs.claims import refute
from grpo_symbolic.proofs.keeping import Document, publish
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


def build(
    order: Order,
    library: Library,
    who: Judges,
    store: Store | None,
    progress: Callable[[], AbstractContextManager[Listener | None]],
) -> Built:
    """Judge the claims that are asked for and write the report on them.

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
        assessment = assess_by(who, library, digested, only=order.only, listener=listener, cache=store)
    findings: list[Discrepancy] = []

    def prepare(read_back: ReadBack) -> Finish:
        # Like everything that can fail, before the first file is replaced.
        findings.extend(ledger.compare(assessment))
        documents = {
            **assessment.proofs,
            **_assumptions(assessment),
            **_refutations(assessment, digested.fragments),
        }
        pieces = results_text(assessment, read_back.as_json(), digested.fragments)

        def finish(folder: Path, typeset: bool) -> None:
            write_text(pieces, folder / "results.json")
            publish(folder, documents)
            files = [path for path in folder.rglob("*") if path.is_file()]
            write_json(manifest(order, files, folder, typeset=typeset), folder / "manifest.json")

        return finish

    rendered = render(
        assessment,
        order.out,
        pdf=order.pdf,
        lines=lines,
        source_url=order.source_url,
        prepare=prepare,
        fragments=digested.fragments,
        shown=shown,
    )
    return Built(assessment, rendered, tuple(findings), without)


def _assumptions(assessment: Assessment) -> dict[str, Document]:
    """What is assumed, as the kernel reads it: what rests on it has to say the same of it."""
    claims = (one.claim for one in assessment.judged.values() if one.claim.assumed)
    found: dict[str, Document] = {}
    for claim in claims:
        with suppress(UnsupportedError):
            found[claim.id] = {"record": record_of(claim)[0], "proof": None}
    return found


def _refutations(assessment: Assessment, fragments: Fragments) -> dict[str, Document]:
    """What papers print that fails at a point, as the kernel reads it, as far as it sees that this fails there."""
    found: dict[str, Document] = {}
    for judged in assessment.judged.values():
        quote, failed = judged.claim.printed, None if judged.printed is None else refuting(judged.printed)
        if quote is not None and failed is not None and failed.witness is not None:
            id, at = f"{judged.claim.id} (printed)", (failed.witness.at, quote.fails_at)
            content = (id, quote.statement, quote.given, at)
            one = fragments.kept("refutation", content, partial(refute, id, quote, *at), _same, _same)
            if isinstance(one, dict):
                found[id] = one
    return found


def _same(value: Json) -> Json:
    return value
