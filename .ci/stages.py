#!/usr/bin/env python3
"""Everything a new machine needs, then everything that must hold; each stage is timed and has a budget of time.

Set up from nothing: packages of the operating system, a new .venv with the versions of constraints.txt. Then lint and
types, the API reference, the documentation, the benchmarks in smoke mode, the report with its PDF (an unexpected
verdict fails), the wheel, and all tests. Names of stages as arguments: only these. The budgets are for two processors
that do other things as well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ".venv/bin"
PIP = (f"{BIN}/pip", "install", "--quiet", "--disable-pip-version-check")
#: Seconds for all stages together.
TOTAL = 50 * 60
TEX = "texlive-latex-base texlive-latex-recommended texlive-fonts-recommended lmodern"
OS_PACKAGES = f"""
if ! command -v pdflatex >/dev/null || ! kpsewhich lmodern.sty >/dev/null || ! command -v pdftoppm >/dev/null \
    || ! command -v chromium >/dev/null; then
    as_root=""
    if [ "$(id -u)" != 0 ]; then as_root="sudo"; fi
    $as_root apt-get -o DPkg::Lock::Timeout=300 update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq \
        --no-install-recommends {TEX} poppler-utils chromium >/dev/null
fi
"""


@dataclass(frozen=True)
class Stage:
    """Commands that belong together, and the seconds that they may take."""

    name: str
    budget: int
    commands: tuple[Sequence[str], ...]


STAGES = (
    Stage("packages of the operating system", 420, (["bash", "-ec", OS_PACKAGES],)),
    Stage(
        "virtual environment",
        600,
        (
            ["rm", "-rf", ".venv", "build/ci", "build/api"],
            ["python3", "-m", "venv", ".venv"],
            [*PIP, "-c", ".ci/constraints.txt", "-e", ".[smt,dev]"],
        ),
    ),
    Stage("lint and types", 240, ([f"{BIN}/ruff", "check"], [f"{BIN}/ruff", "format", "--check"], [f"{BIN}/mypy"])),
    Stage("API reference", 240, ([".ci/api"],)),
    Stage("documentation", 120, ([f"{BIN}/mkdocs", "build", "--strict"],)),
    Stage("benchmarks, once each", 300, ([f"{BIN}/pytest", "-q", "benchmarks"],)),
    Stage(
        "report",
        600,
        (
            [f"{BIN}/python", "build_report.py", "--no-cache", "--out", "build/ci"],
            ["test", "-s", "build/ci/report.pdf", "-a", "-s", "build/ci/appendix.pdf"],
            ["python3", "-I", "-S", "build/ci/verify.pyz", "build/ci/proofs"],
        ),
    ),
    Stage("wheel", 420, ([f"{BIN}/python", ".ci/try_wheel.py"],)),
    Stage("all tests", 2400, ([f"{BIN}/pytest", "-q", "-m", "slow or not slow"],)),
)


def run(command: Sequence[str], seconds: float) -> int | None:
    """The exit code of a command, or None if it was ended, with all it started, because the time was up."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        return process.wait(timeout=max(seconds, 0))
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def perform(stage: Stage, left: float) -> float:
    """Perform a stage and return the seconds it took; what fails or takes too long ends this script."""
    print(f"== {stage.name}", flush=True)
    budget = min(stage.budget, left)
    started = time.monotonic()
    for command in stage.commands:
        code = run(command, budget - (time.monotonic() - started))
        if code is None:
            whose = f"its budget of {stage.budget} s" if budget == stage.budget else f"the {TOTAL} s of all stages"
            sys.exit(f"== {stage.name}: not done within {whose}; find what became slower, or say in .ci/run why")
        if code:
            sys.exit(f"== {stage.name}: exit code {code} of {command[0]}")
    seconds = time.monotonic() - started
    print(f"== {stage.name}: {seconds:.0f} s of {stage.budget} s", flush=True)
    return seconds


def main(names: Sequence[str]) -> None:
    """Perform the stages that are named, or all."""
    unknown = set(names) - {stage.name for stage in STAGES}
    if unknown:
        known = "\n  ".join(stage.name for stage in STAGES)
        sys.exit(f"no such stage: {', '.join(sorted(unknown))}; there are\n  {known}")
    # Started in the background, this script would be deaf to interrupts, and so would the tests of interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    times: dict[str, float] = {}
    for stage in STAGES:
        if not names or stage.name in names:
            times[stage.name] = perform(stage, TOTAL - sum(times.values()))
    print("\n".join(["", *(f"{seconds:6.0f} s  {name}" for name, seconds in times.items())]))
    print(f"{sum(times.values()):6.0f} s  in all, of {TOTAL} s")


if __name__ == "__main__":
    main(sys.argv[1:])
