"""Run a TeX engine, if there is one, in a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from grpo_symbolic.errors import ReportError
from grpo_symbolic.processes.programs import run_program

ENGINE = "pdflatex"
HINT = (
    "no TeX engine found, so there is no PDF: apt-get install texlive-latex-base texlive-latex-recommended "
    "texlive-fonts-recommended lmodern"
)
_SECONDS = 300
_RERUN = re.compile(r"Rerun to get|There were undefined references|has changed\. Rerun")


def engine() -> str | None:
    """The path of the TeX engine, or None if it is not installed."""
    return shutil.which(ENGINE)


def compile_pdf(folder: Path, name: str, *, made: str | None = None, runs: int = 4) -> Path:
    """Compile ``name``.tex inside ``folder`` until its references are settled, and return the PDF, called ``made``.

    Raises:
        ReportError: if there is no engine, or with the first error that it reports.
    """
    program = engine()
    if program is None:
        raise ReportError(HINT)
    command = [program, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error"]
    job = made or name
    command += [f"-jobname={job}", name]
    # A fixed date makes the PDF of the same sources the same file.
    settings = {**os.environ, "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
    for attempt in range(runs):
        done = run_program(command, seconds=_SECONDS, folder=folder, environment=settings)
        if done is None:
            raise ReportError(f"{ENGINE} did not finish {name}.tex within {_SECONDS} s")
        log = _log(folder / f"{job}.log")
        if done.returncode != 0:
            raise ReportError(f"{ENGINE} cannot compile {name}.tex: {_first_error(log)}")
        # Cross references and the widths of long tables need a second run at least.
        if attempt and not _RERUN.search(log):
            break
    return folder / f"{job}.pdf"


def _log(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _first_error(log: str) -> str:
    lines = log.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("!") or re.match(r"\S+\.(tex|sty):\d+: ", line):
            context = next((after for after in lines[number + 1 : number + 12] if after.startswith("l.")), "")
            return f"{line} {context}".strip()
    return "it failed without naming an error"
