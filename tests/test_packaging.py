"""What is installed: ranges for users, pins for CI that lie in them, lower ends, and one version."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import grpo_symbolic

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
RANGES = [Requirement(text) for text in (*PROJECT["dependencies"], *EXTRAS["smt"], *EXTRAS["dev"])]
NEEDED = [Requirement(text) for text in (*PROJECT["dependencies"], *EXTRAS["smt"])]


def pins(name: str) -> dict[str, Version]:
    """The pinned versions in a file of constraints, by canonical name."""
    lines = (ROOT / ".ci" / name).read_text(encoding="utf-8").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in pinned), "a pin is a name and a version, no address"
    return {canonicalize_name(name): Version(version) for name, version in (line.split("==") for line in pinned)}


def closure() -> set[str]:
    """Everything that the package needs, of what is installed here."""
    waiting, seen = list(RANGES), set[str]()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        try:
            waiting += [Requirement(text) for text in metadata.requires(name) or []]
        except metadata.PackageNotFoundError:
            continue
    return seen


@pytest.mark.parametrize("requirement", RANGES, ids=lambda item: item.name)
def test_ci_runs_with_versions_that_users_may_have(requirement):
    assert requirement.specifier.contains(pins("constraints.txt")[canonicalize_name(requirement.name)])


@pytest.mark.slow
def test_the_pins_are_complete():
    assert sorted(closure() - set(pins("constraints.txt"))) == []


def test_the_lower_ends_are_those_of_the_ranges():
    lowest = pins("lowest.txt")
    assert set(lowest) == {canonicalize_name(item.name) for item in NEEDED}
    for item in NEEDED:
        (low,) = [Version(part.version) for part in item.specifier if part.operator == ">="]
        assert lowest[canonicalize_name(item.name)] == low, item.name


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == grpo_symbolic.__version__
