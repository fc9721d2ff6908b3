"""A plugin for pytest: in folders of derivations every claim is a test, its verdict held against the ledger.

The folders stand in the configuration (``grpo_symbolic = derivations``), or ``--derivations`` says that those on the
command line are some. Elsewhere nothing is collected, and nothing of the engine is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from grpo_symbolic.api.claim_tests import ClaimTests
    from grpo_symbolic.derivation.chain import Claim

_FOLDERS = pytest.StashKey["dict[Path, ClaimTests]"]()
_VERDICT = "verdict"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting and the flag that name folders of derivations."""
    parser.addini("grpo_symbolic", "Folders of derivations, each claim of which is a test.", "paths", default=[])
    parser.getgroup("grpo-symbolic").addoption(
        "--derivations",
        action="store_true",
        help="The folders on the command line are folders of derivations: each claim is a test, its verdict held "
        "against the ledger.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Take the modules in folders of derivations."""
    if file_path.suffix != ".py":
        return None
    folder = next((one for one in _folders(parent.config) if one in file_path.parents), None)
    return None if folder is None else DerivationFile.from_parent(parent, path=file_path, folder=folder)


def pytest_report_teststatus(report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, str] | None:
    """Say the verdict in the place of PASSED."""
    said = dict(getattr(report, "user_properties", ())).get(_VERDICT)
    return (
        ("passed", ".", str(said))
        if said is not None and getattr(report, "when", "") == "call" and report.passed
        else None
    )


def _folders(config: pytest.Config) -> list[Path]:
    named: list[Path] = config.getini("grpo_symbolic")
    if config.getoption("--derivations"):
        places = (config.invocation_params.dir / argument.partition("::")[0] for argument in config.args)
        named = [*named, *(_outermost(place.resolve()) for place in places)]
    return named


def _outermost(place: Path) -> Path:
    """The outermost package around a place, which is what is loaded."""
    folder = place if place.is_dir() else place.parent
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


class DerivationFile(pytest.File):
    """A module of derivations; its folder is loaded when the first of its modules is collected."""

    def __init__(self, *, folder: Path, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self.folder = folder

    def collect(self) -> Iterator[pytest.Item]:
        """The claims of the results that the module defines; of one that is broken, a test that says so.

        It would be an error of the collection elsewhere, for which pytest runs no test at all.
        """
        from grpo_symbolic.api.claim_tests import ClaimTests
        from grpo_symbolic.errors import GrpoSymbolicError

        known = self.config.stash.setdefault(_FOLDERS, {})
        try:
            if self.folder not in known:
                known[self.folder] = ClaimTests(self.folder)
            tests = known[self.folder]
            wrong = tests.wrong_with(self.path)
            if wrong:
                yield BrokenItem.from_parent(self, name="broken", wrong=wrong)
            for claim in tests.claims_in(self.path):
                yield ClaimItem.from_parent(self, name=claim.id, claim=claim, tests=tests)
        except GrpoSymbolicError as error:
            raise self.CollectError(str(error)) from error


class BrokenItem(pytest.Item):
    """A module that cannot be used, as a test that fails."""

    def __init__(self, *, wrong: str, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self._wrong = wrong

    def runtest(self) -> None:
        """Say what is wrong."""
        pytest.fail(self._wrong, pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file."""
        return self.path, None, f"{self.path.name} cannot be used"


class ClaimItem(pytest.Item):
    """A claim as a test: it fails if it does not stand as the ledger says, or is refuted unexpectedly."""

    def __init__(self, *, claim: Claim, tests: ClaimTests, **rest: object) -> None:
        super().__init__(**rest)  # type: ignore[arg-type]
        self._claim = claim
        self._tests = tests

    def runtest(self) -> None:
        """Judge the claim with what it rests on, as far as this was not done for another one."""
        from grpo_symbolic.errors import GrpoSymbolicError

        try:
            found = self._tests.judge(self._claim)
        except GrpoSymbolicError as error:
            pytest.fail(str(error), pytrace=False)
        self.user_properties.append((_VERDICT, found.verdict))
        if found.complaints:
            pytest.fail("\n".join(found.complaints), pytrace=False)
        if found.open is not None:
            pytest.xfail(found.open)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, the line from 0 and the title."""
        line = self._claim.declared_at.rpartition(":")[2]
        return self.path, int(line) - 1 if line.isdigit() else None, f"{self.name}: {self._claim.title}"
