"""The judged library that many tests share, and the folder it comes from."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest
from judged_library import FOLDER, JudgedLibrary

from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.processes.programs import end_with

__all__ = ["FOLDER"]

_JUDGED = pytest.StashKey[JudgedLibrary]()


def _needs_all_judged(item: pytest.Item) -> bool:
    # Some modules have an assessment of their own, which asks for no library.
    return {"assessment", "library"} <= set(getattr(item, "fixturenames", ()))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that need the judged library last, so that there is something to do meanwhile.

    The first of them waits for it, on a busy machine for longer than other tests may take.
    """
    items.sort(key=_needs_all_judged)
    for item in filter(_needs_all_judged, items):
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(1800))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin to judge the library, if a test is going to need it."""
    if any(map(_needs_all_judged, session.items)) and not session.config.option.collectonly:
        session.config.stash[_JUDGED] = JudgedLibrary()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no process behind, however the run ends."""
    if _JUDGED in config.stash:
        config.stash[_JUDGED].close()


@pytest.fixture(scope="session")
def library() -> Library:
    """All derivations of this repository."""
    return load(FOLDER)


@pytest.fixture(scope="session")
def assessment(library: Library, pytestconfig: pytest.Config) -> Assessment:
    """The library judged once with few points."""
    return pytestconfig.stash[_JUDGED].assessment(library)


def _begin(parent: int) -> None:
    end_with(parent)
    # Warnings are errors in every process.
    warnings.simplefilter("error")


@pytest.fixture(scope="session")
def workers() -> Iterator[ProcessPoolExecutor]:
    """One process per processor for tests that judge hundreds of claims; none outlives the tests, however they end."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(os.cpu_count(), context, _begin, (os.getpid(),))
    yield pool
    pool.shutdown(cancel_futures=True)
