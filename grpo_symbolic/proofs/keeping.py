"""Proofs beside derivations: what a lock file is to versions. They are found by what is stated, and never believed.

In the folder ``proofs`` beside derivations each result has a file with a proof a line: ``{"id", "of", "proof"}``. It is
found by ``of``, the digest of the record of the claim without its name; where none was found, it is null.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grpo_symbolic import kernel
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.records import record_of
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.terms import Json

#: The folder of proofs, and the program that verifies them by itself.
NAME, PROGRAM = "proofs", "verify.pyz"
_KERNEL = Path(kernel.__file__).parent
_MAIN = "import sys\n\nfrom grpo_symbolic.kernel.verify import main\n\nsys.exit(main())\n"


#: A claim as the kernel reads it, with its proof: ``{"record", "proof"}``.
Document: TypeAlias = "dict[str, Json]"


def called(document: Document, id: str) -> Document:
    """The same of a claim that says the same under another id, from which those of its steps are made."""
    record = document["record"]
    chain = record["derivation"] if isinstance(record, dict) else None
    if not isinstance(record, dict) or not isinstance(chain, dict) or not isinstance(chain["steps"], list):
        return document if not isinstance(record, dict) else document | {"record": record | {"id": id}}
    steps: list[Json] = [
        [*one[:2], f"{id}.step-{number}"] for number, one in enumerate(chain["steps"], start=1) if isinstance(one, list)
    ]
    return document | {"record": record | {"id": id, "derivation": chain | {"steps": steps}}}


@dataclass(frozen=True)
class Kept:
    """What is kept of a claim: a proof, or that none was found."""

    proof: Json


@dataclass(frozen=True)
class Beside:
    """The proofs beside the derivations in a folder, with what changes where their files do."""

    folder: Path
    state: str

    @classmethod
    def of(cls, folder: Path) -> Beside:
        """The proofs that are there now: to look at all files for each claim would take longer than most of these."""
        files = sorted((path.name, path.stat().st_mtime_ns) for path in (folder / NAME).glob("*.jsonl"))
        return cls(folder, hashlib.sha256(repr(files).encode()).hexdigest())


def kept(claim: Claim, beside: Beside | None) -> Kept | None:
    """What is kept beside derivations of what a claim says; None if nothing is."""
    if beside is None or claim.assumed:
        return None
    proofs = _read(beside)
    content = content_of(claim) if proofs else None
    return Kept(proofs[content]) if content is not None and content in proofs else None


def content_of(claim: Claim) -> str | None:
    """The digest of what a claim says; None if the kernel has no word for that."""
    try:
        return _content(record_of(claim)[0])
    except UnsupportedError:
        return None


def write(folder: Path, proofs: Mapping[str, Mapping[str, tuple[str, Json]]]) -> tuple[Path, ...]:
    """Write what is to be kept of the claims of each result, and remove what is there of results that are no more.

    Of a claim the digest of what it says is given and its proof, None if none was found. The files that changed are
    returned.
    """
    inside = folder / NAME
    written: list[Path] = []
    for result, found in proofs.items():
        lines = [
            json.dumps({"id": id, "of": content, "proof": proof}, separators=(",", ":"))
            for id, (content, proof) in sorted(found.items())
        ]
        path = inside / f"{result}.jsonl"
        text = "".join(f"{line}\n" for line in lines)
        if lines and not (path.exists() and path.read_text(encoding="utf-8") == text):
            inside.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
        elif not lines:
            path.unlink(missing_ok=True)
    for path in inside.glob("*.jsonl"):
        if path.stem not in proofs:
            path.unlink()
    return tuple(written)


def publish(folder: Path, documents: Mapping[str, Document]) -> None:
    """Write claims with their proofs into a folder, a file a paper, and the kernel as a program that verifies them."""
    inside = folder / NAME
    inside.mkdir(parents=True, exist_ok=True)
    papers: dict[str, list[str]] = {}
    for id, one in sorted(documents.items()):
        papers.setdefault(id.partition(".")[0], []).append(json.dumps(one, separators=(",", ":")))
    for paper, lines in papers.items():
        (inside / f"{paper}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _write_program(folder / PROGRAM)


def _write_program(path: Path) -> None:
    """The kernel as one file that Python runs; the same bytes for the same kernel."""
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        files = {f"grpo_symbolic/kernel/{one.name}": one.read_text(encoding="utf-8") for one in _KERNEL.glob("*.py")}
        files |= {"grpo_symbolic/__init__.py": "", "__main__.py": _MAIN}
        for name, text in sorted(files.items()):
            made.writestr(ZipInfo(name), text, ZIP_DEFLATED)


def _content(record: Json) -> str:
    """The digest of what a record says, whatever the claim is called."""
    said = {name: value for name, value in record.items() if name != "id"} if isinstance(record, dict) else record
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:32]


@lru_cache(maxsize=4)
def _read(beside: Beside) -> Mapping[str, Json]:
    """All proofs in a folder by what they are of; what cannot be read is none, as it will be searched for again."""
    found: dict[str, Json] = {}
    for path in sorted((beside.folder / NAME).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
                found[str(entry["of"])] = entry["proof"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    return found
