"""The part of the report about what DECIDED rests on: methods, files, libraries and principles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.methods import METHODS, decisions
from grpo_symbolic.judging.trusted_base import KERNEL, trusted_base, versions_of
from grpo_symbolic.obligations.principles import ANALYSIS
from grpo_symbolic.obligations.principles import METHODS as OF_METHODS
from grpo_symbolic.report.tex import Tex, escape


@dataclass(frozen=True)
class TrustedView:
    """Methods with what they decided, the files by folder, libraries, and principles apart from those of sums."""

    methods: tuple[Tex, ...]
    kernel: Tex
    size: Tex
    folders: tuple[Tex, ...]
    libraries: Tex
    principles: tuple[Tex, ...]


def trusted_view(judged: Iterable[Judged], fragments: Fragments | None = None) -> TrustedView:
    """What the verdicts on some claims rest on; which libraries there are may be kept in ``fragments``."""
    fragments = Fragments(None) if fragments is None else fragments
    base, proving, found = trusted_base(), trusted_base(KERNEL), decisions(judged)
    methods = [f"{name}: {METHODS[name]} ({found.methods.get(name, 0):,} times)" for name in METHODS]
    solvers = ", ".join(f"{number:,} by {name}" for name, number in found.solvers.items())
    folders = []
    for folder, inside in groupby(base.files, key=lambda file: file.path.rpartition("/")[0]):
        files = ", ".join(f"{file.path.rpartition('/')[2].removesuffix('.py')} {file.lines}" for file in inside)
        folders.append(f"`{folder}/`: {files.replace('__init__', 'init')}")
    # The files of all that is installed are looked through for them.
    libraries = fragments.kept("libraries", (base.modules,), lambda: _libraries(base.modules), str, str)
    return TrustedView(
        tuple(map(escape, (*methods, *([f"of what smt decided, {solvers}"] if solvers else [])))),
        escape(f"{len(proving.files)} files with {proving.lines:,} lines"),
        escape(f"{len(base.files)} files with {base.lines:,} lines"),
        tuple(map(escape, folders)),
        escape(libraries),
        tuple(escape(item.sentence) for item in (*ANALYSIS, *OF_METHODS)),
    )


def _libraries(modules: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {version or '(not installed)'}" for name, version in versions_of(modules).items())
