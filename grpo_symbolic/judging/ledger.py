"""The ledger beside each folder of derivations: what every claim was worth when somebody last looked.

A verdict may rise, never fall; an expected refutation stays exactly that; a method that is not
installed is never "worse"; a new assumption is. What departs from this is a Finding.

A claim that is refuted is a finding whatever the ledger says, unless the derivation itself states it as a
falsehood; then every other verdict is one. No ledger can accept either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import STANDING, Verdict, Witness, strongest
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.quotes import reading_of
from grpo_symbolic.judging.results import refuting_witness, write_json
from grpo_symbolic.judging.severity import fails_under_missing
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.proofs import keeping
from grpo_symbolic.readback.readings import Reading

NAME = "ledger.json"


@dataclass(frozen=True)
class Record:
    """What a ledger says of one claim: verdict, the best of each method, verdict on what is printed, assumptions.

    The best, because a claim has several obligations and a method that decided one of them is missed where it
    is not installed; a refutation goes before everything. ``reading`` is how it was got from
    what is printed.
    """

    verdict: Verdict
    methods: Mapping[str, Verdict]
    printed: Verdict | None
    assumes: tuple[str, ...] = ()
    reading: Reading = Reading.PRINTED


@dataclass(frozen=True)
class Discrepancy:
    """A claim that does not stand as its ledger says, or an unexpected refutation with its witness.

    ``acceptable`` says whether the ledger may be changed to what was found; else the derivation has to be.
    """

    id: str
    message: str
    witness: Witness | None = None
    acceptable: bool = True


Ledger = Mapping[str, Record]


def ledgers(library: Library) -> dict[Path, Ledger | None]:
    """Read the ledger of every folder that defines a result; None where there is none yet.

    Raises:
        LibraryError: if a ledger cannot be read.
    """
    return {folder: _read(folder / NAME) for folder in _folders(library)}


def entries(library: Library) -> dict[str, Record]:
    """What the ledgers say, by id.

    Raises:
        LibraryError: if a ledger cannot be read.
    """
    return {id: entry for ledger in ledgers(library).values() if ledger is not None for id, entry in ledger.items()}


def compare(assessment: Assessment) -> tuple[Discrepancy, ...]:
    """Compare an assessment with the ledgers; no finding means that every claim stands as they say.

    Ids that only the ledger knows are findings unless the assessment was restricted to some claims.

    Raises:
        LibraryError: if a ledger cannot be read.
    """
    known = entries(assessment.library)
    excused = _excused(assessment, known)
    read = ledgers(assessment.library)
    return tuple(
        finding
        for folder, ids in _folders(assessment.library).items()
        for finding in _compare_folder(assessment, ids, read[folder], excused)
    )


def write(assessment: Assessment) -> tuple[Path, ...]:
    """Write what was found into the ledgers and return their paths.

    Claims that were not judged keep their entries, and so do claims that only fell because a method is
    not installed here, and those whose refutation, or whose lack of one, cannot be accepted.

    Raises:
        LibraryError: if a ledger that exists cannot be read.
    """
    read = ledgers(assessment.library)
    excused = _excused(assessment, entries(assessment.library))
    written = []
    for folder, ids in _folders(assessment.library).items():
        if assessment.selected.isdisjoint(ids):
            continue
        old = read[folder] or {}
        taken = {id for id in ids if id in assessment.selected and _not_as_stated(assessment.judged[id]) is None}
        new = {
            id: _accepted(assessment, id, old.get(id), id in excused) if id in taken else old[id]
            for id in ids
            if id in taken or id in old
        }
        write_json({id: _as_json(entry) for id, entry in new.items()}, folder / NAME)
        written += [folder / NAME, *_write_proofs(assessment, folder)]
    return tuple(written)


def _write_proofs(assessment: Assessment, folder: Path) -> tuple[Path, ...]:
    """Write the proofs that the kernel accepted beside the derivations of a folder; what was not judged stays."""
    library = assessment.library
    beside, found = keeping.Beside.of(folder), dict[str, dict[str, tuple[str, Json]]]()
    for result in (one for one in library.results if one.folder == folder):
        kept = found[result.module.rpartition(".")[2]] = {}
        for claim in library.claims_of[result.module]:
            content = keeping.content_of(claim)
            if claim.id not in assessment.selected:
                known = keeping.kept(claim, beside)
                if content is not None and known is not None:
                    kept[claim.id] = (content, known.proof)
            elif content is not None and assessment.judged[claim.id].alone.verdict in STANDING:
                document = assessment.proofs.get(claim.id)
                kept[claim.id] = (content, None if document is None else document["proof"])
    return keeping.write(folder, found)


def _folders(library: Library) -> dict[Path, tuple[str, ...]]:
    """The folders that define results, each with the ids of its claims in reading order."""
    found: dict[Path, tuple[str, ...]] = {}
    for result in library.results:
        folder = result.folder
        if folder is None:
            raise LibraryError(f"{result.module} was not loaded from a file, so no ledger can stand beside it")
        found[folder] = (*found.get(folder, ()), *(claim.id for claim in library.claims_of[result.module]))
    return found


def _read(path: Path) -> Ledger | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {
            id: Record(
                Verdict(item["verdict"]),
                {method: Verdict(verdict) for method, verdict in item["methods"].items()},
                None if item["printed"] is None else Verdict(item["printed"]),
                tuple(map(str, item.get("assumes", ()))),
                Reading(item.get("reading", Reading.PRINTED)),
            )
            for id, item in data.items()
        }
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LibraryError(
            f"cannot read {path} ({error}); restore it, or delete it and accept the verdicts anew with "
            "`grpo-symbolic report --accept`"
        ) from error


def _entry(assessment: Assessment, id: str) -> Record:
    judged = assessment.judged[id]
    methods = dict.fromkeys(item.method for item in judged.alone.evidence)
    best = {
        method: _best([item.verdict for item in judged.alone.evidence if item.method == method]) for method in methods
    }
    printed = None if judged.printed is None else judged.printed.verdict
    reading = Reading.PRINTED if printed is None else reading_of(assessment.quotes.get(id))
    return Record(judged.verdict, best, printed, judged.claim.assumes, reading)


def _best(verdicts: Sequence[Verdict]) -> Verdict:
    return Verdict.REFUTED if Verdict.REFUTED in verdicts else strongest(verdicts)


def _accepted(assessment: Assessment, id: str, old: Record | None, excused: bool) -> Record:
    """The new entry of a claim, where a fall that only a missing method explains leaves the old verdict."""
    judged, new = assessment.judged[id], _entry(assessment, id)
    if old is None:
        return new
    if excused:
        new = replace(new, verdict=old.verdict, methods=old.methods)
    if old.printed is not None and new.printed is not None and _printed_is_excused(judged, old.printed):
        new = replace(new, printed=old.printed)
    return new


def _as_json(entry: Record) -> dict[str, object]:
    data: dict[str, object] = {
        "verdict": entry.verdict.value,
        "methods": {method: verdict.value for method, verdict in entry.methods.items()},
        "printed": None if entry.printed is None else entry.printed.value,
    }
    if entry.reading is not Reading.PRINTED:
        data["reading"] = entry.reading.value
    return data | ({"assumes": list(entry.assumes)} if entry.assumes else {})


def _excused(assessment: Assessment, known: Ledger) -> frozenset[str]:
    """The claims whose verdict fell only because a method is not installed, for them or for what they rest on."""
    excused: set[str] = set()
    for id, judged in assessment.judged.items():
        entry = known.get(id)
        if entry is None or not _fell(entry.verdict, judged.verdict):
            continue
        alone = judged.alone.verdict
        own = not _fell(entry.verdict, alone) or _lacks_a_method(entry, judged.alone)
        supports = (assessment.judged[other] for other in judged.since if other in assessment.judged)
        fallen = {item.claim.id for item in supports if item.carries.rank < entry.verdict.rank}
        if own and fallen <= excused:
            excused.add(id)
    return frozenset(excused)


def _fell(before: Verdict, now: Verdict) -> bool:
    """Whether a verdict sank on the ladder; becoming refuted is no fall but a refutation."""
    return Verdict.REFUTED not in (before, now) and now.rank < before.rank


def _lacks_a_method(entry: Record, judgement: Judgement) -> bool:
    """Whether a method that once decided the claim is not installed here."""
    deciding = (Verdict.DECIDED, Verdict.PROVED)
    return any(entry.methods.get(skipped.method) in deciding for skipped in judgement.skipped)


def _printed_is_excused(judged: Judged, before: Verdict) -> bool:
    """Whether the verdict on a quote fell where a method is missing; the ledger does not say which ones judged it."""
    printed = judged.printed
    deciding = (Verdict.DECIDED, Verdict.PROVED)
    return printed is not None and before in deciding and _fell(before, printed.verdict) and bool(printed.skipped)


def _compare_folder(
    assessment: Assessment, ids: tuple[str, ...], ledger: Ledger | None, excused: frozenset[str]
) -> Iterator[Discrepancy]:
    for id in ids:
        if id not in assessment.selected:
            continue
        judged = assessment.judged[id]
        yield from _missing_elsewhere(judged)
        impossible = _not_as_stated(judged)
        if impossible is not None:
            yield impossible
        if ledger is None or id not in ledger:
            yield from _unexpected_errata(judged)
            if ledger is not None and impossible is None:
                yield Discrepancy(id, "is not in the ledger yet; accept it with --accept")
        else:
            if impossible is None:
                yield from _compare_claim(judged, ledger[id], id in excused)
            yield from _compare_printed(judged, ledger[id])
            yield from _compare_reading(assessment, id, ledger[id])
    if ledger is not None and assessment.selected >= set(assessment.library.claims):
        for id in ledger:
            if id not in ids:
                yield Discrepancy(id, "is in the ledger but in no derivation; drop it with --accept")


def _not_as_stated(judged: Judged) -> Discrepancy | None:
    """What no ledger can accept: a claim that is refuted though it is stated as true, or not though stated as false."""
    id, stated_as_false = judged.claim.id, judged.claim.refuted is not None
    if judged.verdict is Verdict.REFUTED and not stated_as_false:
        message = "the claim is refuted; correct it, or let it say refuted=... if the falsehood is meant"
        return Discrepancy(id, message, refuting_witness(judged.alone), acceptable=False)
    if stated_as_false and judged.verdict is not Verdict.REFUTED:
        message = f"is stated as a falsehood, but is {judged.verdict.value}; only what the checks refute may be"
        return Discrepancy(id, message, acceptable=False)
    return None


def _missing_elsewhere(judged: Judged) -> Iterator[Discrepancy]:
    """A quote that fails under the hypothesis that is said to be missing; no ledger can accept this."""
    quote, witness = judged.claim.printed, fails_under_missing(judged)
    if quote is not None and witness is not None:
        message = f"what is printed at {quote.where} fails under the hypothesis that is said to be missing as well"
        yield Discrepancy(judged.claim.id, message, witness, acceptable=False)


def _unexpected_errata(judged: Judged) -> Iterator[Discrepancy]:
    """A quote that is refuted and does not say what holds instead."""
    quote, printed = judged.claim.printed, judged.printed
    if quote is not None and printed is not None and printed.verdict is Verdict.REFUTED and not quote.expected_to_fail:
        message = f"what is printed at {quote.where} is refuted, and the quote does not say with instead=... what holds"
        yield Discrepancy(judged.claim.id, message, refuting_witness(printed))


def _compare_claim(judged: Judged, entry: Record, excused: bool) -> Iterator[Discrepancy]:
    id, before, now = judged.claim.id, entry.verdict, judged.verdict
    if now is Verdict.REFUTED and before is not Verdict.REFUTED:
        message = f"is stated as a falsehood and refuted; the ledger says {before.value}"
        yield Discrepancy(id, message, refuting_witness(judged.alone))
    elif before is Verdict.REFUTED and now is not Verdict.REFUTED:
        yield Discrepancy(id, f"the claim was refuted and is now {now.value}")
    elif _fell(before, now) and not excused:
        yield Discrepancy(id, f"fell from {before.value} to {now.value}{_cause(judged, before)}")
    for other in judged.claim.assumes:
        if other not in entry.assumes:
            yield Discrepancy(id, f"rests on the assumption {other}, of which the ledger does not know")


def _cause(judged: Judged, before: Verdict) -> str:
    """Why a claim fell: what its own check says, or that the cause is something it rests on."""
    if not _fell(before, judged.alone.verdict):
        return f"; alone it is {judged.alone.verdict.value}, so the cause is in what it rests on"
    notes = [
        f"{item.method} on {item.obligation!r}: {item.note}"
        for item in judged.alone.evidence
        if item.verdict is Verdict.UNDECIDED and item.note
    ]
    return f"; {notes[-1]}" if notes else ""


def _compare_printed(judged: Judged, entry: Record) -> Iterator[Discrepancy]:
    id, quote, printed, before = judged.claim.id, judged.claim.printed, judged.printed, entry.printed
    if quote is None or printed is None:
        if before is not None:
            yield Discrepancy(id, "quotes nothing any more, but the ledger has a verdict on what is printed")
        return
    now = printed.verdict
    where = f"what is printed at {quote.where}"
    if now is Verdict.REFUTED and before is not Verdict.REFUTED:
        said = "does not know the quote" if before is None else f"says {before.value}"
        yield Discrepancy(id, f"{where} is refuted; the ledger {said}", refuting_witness(printed))
    elif before is None:
        yield Discrepancy(id, f"{where} is not in the ledger yet; accept it with --accept")
    elif before is Verdict.REFUTED and now is not Verdict.REFUTED:
        yield Discrepancy(id, f"{where} was refuted and is now {now.value}; an expected refutation must stay")
    elif _fell(before, now) and not _printed_is_excused(judged, before):
        yield Discrepancy(id, f"{where} fell from {before.value} to {now.value}")


def _compare_reading(assessment: Assessment, id: str, entry: Record) -> Iterator[Discrepancy]:
    """A quote that is read in another way than it was; one that nobody had judged is told of elsewhere."""
    quote = assessment.judged[id].claim.printed
    if quote is None or entry.printed is None:
        return
    now = reading_of(assessment.quotes.get(id))
    if now is not entry.reading:
        message = f"what is printed at {quote.where} is read {now.value}; the ledger says {entry.reading.value}"
        yield Discrepancy(id, message)
