"""The judged library that many tests share, and the folder it comes from."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.evidence import Settings
from grpo_symbolic.judging.assess import Assessment, assess

FOLDER = Path(__file__).resolve().parent.parent / "derivations"


@pytest.fixture(scope="session")
def library() -> Library:
    """All derivations of this repository."""
    return load(FOLDER)


@pytest.fixture(scope="session")
def assessment(library: Library) -> Assessment:
    """The library judged once with few points; full strength is the report's business."""
    return assess(library, Settings(digits=30, points=24), jobs=os.cpu_count() or 1)


@pytest.fixture(scope="session")
def workers() -> Iterator[ProcessPoolExecutor]:
    """One process per processor for tests that judge hundreds of claims; warnings are errors there as well."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(os.cpu_count(), context, warnings.simplefilter, ("error",))
    yield pool
    pool.shutdown(cancel_futures=True)
