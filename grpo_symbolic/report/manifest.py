"""Say what a report was made with: versions, settings, and the checksum of every file that was written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from grpo_symbolic.judging.results import Json, versions
from grpo_symbolic.processes.programs import run_program
from grpo_symbolic.report import compile
from grpo_symbolic.report.unchanged import Order

#: What pages and figures can depend on, besides what the verdicts do.
_TYPESETTING = ("jinja2", "latex2mathml", "matplotlib", "numpy", "fonttools", "pillow")


def manifest(order: Order, files: Iterable[Path], out: Path, *, typeset: bool) -> Json:
    """The contents of ``manifest.json`` for files below ``out``; ``typeset`` says whether TeX made one of them.

    Where two builds have the same ``versions``, ``settings``, ``only`` and ``source_url`` and the same derivations,
    their files are the same but for the times in ``results.json``, in the text, on the site and in the PDF.
    """
    settings = order.settings
    return {
        "versions": {
            **versions(),
            **{name: _version(name) for name in _TYPESETTING},
            "tex": _tex() if typeset else None,
        },
        "settings": {
            "digits": settings.digits,
            "points": settings.points,
            "seed": settings.seed,
            "effort": settings.effort,
            "boxes": settings.boxes,
        },
        "only": sorted(order.only),
        "source_url": order.source_url,
        "files": {
            path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)
        },
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _tex() -> str | None:
    """The first line that the TeX engine says of itself."""
    program = compile.engine()
    if program is None:
        return None
    done = run_program([program, "--version"], seconds=60)
    return None if done is None else done.stdout.decode("utf-8", "replace").partition("\n")[0] or None
