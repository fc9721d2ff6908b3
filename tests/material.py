"""Measuring material that is not part of the project: the texts of the papers, and two corpora of formulas.

Both environment variables below name folders. Tests on what is absent are skipped, and say how to get them run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXTS = Path(os.environ.get("GRPO_SYMBOLIC_PAPERS", ROOT.parent / "shared" / "papers"))
CORPORA = Path(os.environ.get("GRPO_SYMBOLIC_CORPORA", ROOT.parent / "shared" / "corpora"))
#: By folder of derivations: how the name of the text begins that rows and counts were made from.
PAPERS = {"vojnovic_yun_2025": "000_", "mroueh_2025": "002_"}


def text_of(folder: str) -> Path | None:
    """The text of a paper, if it is here."""
    return next(iter(sorted(TEXTS.glob(f"{PAPERS[folder]}*.txt"))), None)


def needed_text(folder: str) -> Path:
    """The text of a paper; a test that asks for it is skipped where it is not here."""
    path = text_of(folder)
    if path is None:
        name = f"{PAPERS[folder]}*.txt"
        pytest.skip(f"the text of {folder} is not here: set GRPO_SYMBOLIC_PAPERS to a folder that has it as {name}")
    return path


def corpus(name: str) -> pytest.MarkDecorator:
    """The mark of tests on a corpus; they are skipped where it is not here."""
    reason = f"the corpus {name} is not here: set GRPO_SYMBOLIC_CORPORA to a folder that has it"
    return pytest.mark.skipif(not (CORPORA / name).is_file(), reason=reason)
