"""The judged library that many tests share, the folder it comes from, and the processes that run all tests."""

from __future__ import annotations

import gc
import multiprocessing
import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from judged_library import FOLDER, JudgedLibrary, judged_in, whole_library
from property_tests import FULL

from grpo_symbolic.derivation.library import Library
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.results import Json, results
from grpo_symbolic.processes.programs import end_with
from grpo_symbolic.processes.worker import seldom_collected

__all__ = ["FOLDER"]

# The same examples in every run: what fails once fails again. How long an example takes depends on the machine.
settings.register_profile("full", derandomize=True, deadline=None, max_examples=FULL)
settings.register_profile("quick", settings.get_profile("full"), max_examples=FULL // 4)

# What is tested is what is there now, whatever anybody kept; tests of what is kept say where.
os.environ["GRPO_SYMBOLIC_NO_CACHE"] = "1"

#: What a run without options asks for.
_QUICK = "not slow"
#: What the processes that run tests share: whether a library is wanted, and its judgements.
_SHARED = pytest.StashKey[Path]()
_JUDGED = pytest.StashKey[JudgedLibrary]()
_WANTED = "wanted"
#: Whether this is a quick run of everything, which takes a share of the cases of a test that has many.
_IS_THINNED = pytest.StashKey[bool]()
MANY_CASES, ONE_IN = 5, 4
#: Files whose tests mostly wait for other processes, or for limits of time.
_WAITING = ("test_processes.py", "test_check_workers.py", "test_assess.py", "test_cli.py", "test_ci_run.py")


def _needs_all_judged(item: pytest.Item) -> bool:
    # Some modules have an assessment of their own, which asks for no library.
    return {"assessment", "library"} <= set(getattr(item, "fixturenames", ()))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Let every processor run tests, unless only some are asked for or the options say something else.

    The tests of a file stay in one process, so that what they share is made once.
    """
    options = config.option
    some = config.args_source is not config.ArgsSource.TESTPATHS or options.keyword or options.collectonly
    config.stash[_IS_THINNED] = not some and options.markexpr == _QUICK
    if some or not config.pluginmanager.hasplugin("xdist") or hasattr(config, "workerinput"):
        return
    if options.numprocesses is None and options.dist == "no":
        options.numprocesses = "logical"
        options.dist = "loadfile"
        options.loadscopereorder = False


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples are drawn; make the folder that the processes share, or take the one already made."""
    settings.load_profile("quick" if config.option.markexpr == _QUICK else "full")
    if hasattr(config, "workerinput"):
        config.stash[_SHARED] = Path(config.workerinput["shared"])
        config.stash[_IS_THINNED] = config.workerinput["thinned"]
        return
    folder = tempfile.TemporaryDirectory(prefix="judged-")
    config.stash[_SHARED] = Path(folder.name)
    config.add_cleanup(folder.cleanup)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process that will run tests where the judgements are going to be, and whether it takes all cases."""
    node.workerinput["shared"] = str(node.config.stash[_SHARED])
    node.workerinput["thinned"] = node.config.stash[_IS_THINNED]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage in what is imported and collected, and seldom later: that would take a tenth of all time."""
    gc.disable()
    try:
        return (yield)
    finally:
        seldom_collected()
        gc.enable()


def _displaced(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """The cases that a quick run leaves to a full one; those that only look up what is judged anyway cost nothing."""
    many = [item for item in items if isinstance(item, pytest.Function) and not _needs_all_judged(item)]
    cases = Counter((item.path, item.originalname) for item in many)
    seen = Counter[tuple[Path, str]]()
    for item in many:
        test = item.path, item.originalname
        if cases[test] >= MANY_CASES and seen[test] % ONE_IN:
            yield item
        seen[test] += 1


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """Leave most cases to full runs; among those that are left, ``_in_order``."""
    if config.stash[_IS_THINNED]:
        for item in _displaced(items):
            item.add_marker(pytest.mark.slow)
    yield
    _in_order(config, items)


def _in_order(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files that need the judged library last and those that leave the processors to it first.

    The first tests that need it wait for it, on a busy machine for longer than other tests may take.
    """
    needing = [item for item in items if _needs_all_judged(item)]
    files = {item.path for item in needing}
    items.sort(key=lambda item: (item.path in files, item.path.name not in _WAITING, _needs_all_judged(item)))
    for item in needing:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(1800))
    if needing and not config.option.collectonly:
        (config.stash[_SHARED] / _WANTED).touch()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin to judge the library, if a test is going to need it."""
    if not hasattr(session.config, "workerinput"):
        _judge_if_wanted(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """Begin to judge the library, if a test of another process is going to need it."""
    _judge_if_wanted(node.config)


def _judge_if_wanted(config: pytest.Config) -> None:
    shared = config.stash[_SHARED]
    if _JUDGED not in config.stash and (shared / _WANTED).exists():
        config.stash[_JUDGED] = JudgedLibrary(shared)
        config.add_cleanup(config.stash[_JUDGED].close)


@pytest.fixture(scope="session")
def library() -> Library:
    """All derivations of this repository."""
    return whole_library()


@pytest.fixture(scope="session")
def assessment(library: Library, pytestconfig: pytest.Config) -> Assessment:
    """The library judged once with few points."""
    return judged_in(pytestconfig.stash[_SHARED], library)


@pytest.fixture(scope="session")
def judged_data(assessment: Assessment) -> Json:
    """The data of the judged library, as results.json has them; a test that changes them takes a copy."""
    return results(assessment)


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
