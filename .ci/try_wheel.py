#!/usr/bin/env python3
"""Build the wheel, install it into empty environments, and use it from an empty folder.

On the oldest Python that can be had with the oldest libraries that the package allows, and on the newest with those
of constraints.txt. Interpreters are looked for on the PATH and among those of pyenv; what is missing is said.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = range(11, 20)
DERIVATION = '''
"""The variance of a reward that is 0 or 1."""
from grpo_symbolic import Paper, Result, claim, derive, eq, gt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    yield claim("p.variance", "The variance", derivation=derive(x * (1 - x), "definition").eq(x - x**2, "expand"))
    yield claim("p.positive", "It is positive", gt(x - x**2, 0))
result = Result("The variance", paper, build)
'''


def interpreters() -> dict[int, str]:
    """A Python 3.x for every x from 11 on that can be had here."""
    found: dict[int, str] = {}
    for minor in MINORS:
        name = f"python3.{minor}"
        candidates = [shutil.which(name), *map(str, sorted(Path.home().glob(f".pyenv/versions/*/bin/{name}")))]
        for program in filter(None, candidates):
            if subprocess.run([program, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
                found[minor] = program
    return found


def run(*command: str | Path, cwd: Path, code: int = 0) -> str:
    """Run a command and return what it prints; anything but the expected exit code ends this script."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != code:
        line = " ".join(map(str, command))
        sys.exit(f"exit code {done.returncode}, not {code}, of: {line}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def wheel(folder: Path, *options: str) -> Path:
    """Build the wheel from a copy of the sources, so that nothing left over from another build gets in.

    ``options`` are those of pip.
    """
    listed = run("git", "ls-files", "-z", "grpo_symbolic", "pyproject.toml", "README.md", "LICENSE", cwd=ROOT)
    files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    for name in files:
        target = folder / "sources" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", *options, "-w", folder, folder / "sources", cwd=folder)
    (made,) = folder.glob("*.whl")
    packed = run(sys.executable, "-m", "zipfile", "-l", made, cwd=folder)
    missing = [name for name in files if name.startswith("grpo_symbolic/") and name not in packed]
    if missing:
        sys.exit(f"not in the wheel: {', '.join(missing)}")
    return made


def tried(program: str, made: Path, constraints: Path, folder: Path) -> None:
    """Install into an empty environment, then begin, report, export, list and check from an empty folder."""
    run(program, "-m", "venv", folder / "venv", cwd=folder)
    command = folder / "venv" / "bin" / "grpo-symbolic"
    install = [folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", constraints]
    run(*install, f"{made}[smt]", cwd=folder)
    work = folder / "work"
    (work / "derivations").mkdir(parents=True)
    (work / "derivations" / "__init__.py").touch()
    (work / "derivations" / "variance.py").write_text(DERIVATION, encoding="utf-8")
    said = run(command, "report", "--no-pdf", "--jobs", "2", "--accept", cwd=work)
    verdicts = {
        item["id"]: item["verdict"] for item in json.loads((work / "build" / "results.json").read_text())["claims"]
    }
    if verdicts != dict.fromkeys(("p.variance.step-1", "p.variance", "p.positive"), "PROVED"):
        sys.exit(f"other verdicts than expected: {verdicts}\n{said}")
    run(command, "report", "--no-pdf", "--jobs", "1", cwd=work)
    run(folder / "venv" / "bin" / "python", "-m", "grpo_symbolic", "list", cwd=work)
    for form in ("tex", "html", "md", "json"):
        if "variance" not in run(command, "export", "--only", "p.variance", "--to", form, cwd=work):
            sys.exit(f"export --to {form} says nothing of the variance")
    run(command, "new", "ours", cwd=work)
    run(command, "list", "ours", cwd=work)
    for path in (ROOT / "docs" / "example").glob("variance.*"):
        shutil.copy(path, work)
    found = run(command, "check", "variance.tex", cwd=work, code=1)
    if f"$ grpo-symbolic check variance.tex\n{found}" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        sys.exit(f"check does not say what the README shows:\n{found}")


def main() -> None:
    """Try the oldest and the newest interpreter."""
    found = interpreters()
    if not found:
        sys.exit("no Python 3.11 or later is here: install one")
    oldest, newest = min(found), max(found)
    with tempfile.TemporaryDirectory() as scratch:
        made = wheel(Path(scratch))
        for minor, constraints in ((oldest, "lowest.txt"), (newest, "constraints.txt")):
            folder = Path(scratch) / f"{minor}-{constraints}"
            folder.mkdir()
            tried(found[minor], made, ROOT / ".ci" / constraints, folder)
            print(f"{made.name}: installed and used on Python 3.{minor} with {constraints}")
    if oldest == newest:
        print(f"only Python 3.{oldest} is here: no other one was tried")


if __name__ == "__main__":
    main()
