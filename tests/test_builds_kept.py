"""Builds that follow each other: what is done again, what is left, and that the files are whole whatever happens."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from traces import hear_interrupts

from grpo_symbolic.cache.store import FILE

ROOT = Path(__file__).resolve().parent.parent
NOTHING = "nothing has changed since"
MODULE = '''
"""Some results."""
from grpo_symbolic import Figure, Paper, Result, claim, exp, ge, gt, real
paper = Paper("p", "Somebody", "Something", "of 2025")
x = real("x", "(-2, 2)", "a number")
def build():
    yield claim("p.tangent", "above the tangent", ge(exp(x), 1 + x))
    yield claim("p.square", "no square is negative", ge(x**2, 0))
result = Result("Some", paper, build)
'''


@dataclass
class Place:
    """Derivations, the folder of their report, and the one of what is kept."""

    folder: Path
    out: Path
    cache: Path

    def command(self, *further: object) -> list[str]:
        command = [sys.executable, "-m", "grpo_symbolic", "report", self.folder, "--out", self.out, "--no-pdf"]
        return [*map(str, command), "--points", "20", "--jobs", "1", "--cache", str(self.cache), *map(str, further)]

    def start(self, *further: object, **how: object) -> subprocess.Popen[str]:
        surroundings = {name: value for name, value in os.environ.items() if name != "GRPO_SYMBOLIC_NO_CACHE"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(self.command(*further), cwd=ROOT, env=surroundings, **pipes, **how)

    def build(self, *further: object, **how: object) -> tuple[int, str]:
        process = self.start(*further, **how)
        said, complaints = process.communicate()
        return process.returncode, said + complaints

    def change(self, old: str, new: str) -> None:
        path = self.folder / "some.py"
        path.write_text(path.read_text().replace(old, new))

    def kept(self) -> set[str]:
        return {*json.loads((self.out / "results.json").read_text())["times"]["kept"]}

    def files(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

    def is_whole(self) -> bool:
        """Whether the files are those that the manifest lists, and nothing is left beside them."""
        found = self.files()
        listed = json.loads(found.pop("manifest.json"))["files"]
        return listed == {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path / "derivations_kept", tmp_path / "out", tmp_path / "cache")
    made.folder.mkdir()
    (made.folder / "__init__.py").write_text("")
    (made.folder / "some.py").write_text(MODULE)
    return made


@pytest.mark.slow
def test_builds_one_after_the_other(place):
    """First everything is judged, then nothing is done, then only what was touched, and what was lost is written."""
    code, said = place.build()
    assert (code, NOTHING in said, place.kept()) == (0, False, set()), said
    first = place.files()
    code, said = place.build()
    assert (code, NOTHING in said) == (0, True), said
    assert "no unexpected refutation" in said
    assert place.files() == first

    place.change("above the tangent", "it lies above")
    code, said = place.build()
    assert (code, NOTHING in said, place.kept()) == (0, False, {"p.tangent", "p.square"}), said
    assert "of 2 judgements are kept from an earlier run" in said
    assert "it lies above" in (place.out / "appendix.tex").read_text()

    place.change("1 + x", "2 + x")
    for again in (False, True):
        code, said = place.build()
        assert (code, NOTHING in said, place.kept()) == (1, again, {"p.square"}), said
        assert "FINDING: p.tangent: " in said
    place.change("2 + x", "1 + x")
    assert place.build()[0] == 0

    (place.out / "appendix.tex").write_text("something else")
    code, said = place.build()
    assert (code, NOTHING in said, place.is_whole()) == (0, False, True), said
    (place.out / "results.json").unlink()
    assert NOTHING not in place.build()[1]
    assert NOTHING not in place.build("--seed", "7")[1]
    assert NOTHING not in place.build("--no-cache")[1]
    assert place.kept() == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ledger.json", "notation.toml", "helper.py"])
def test_any_file_beside_the_derivations_counts(place, name):
    place.build()
    (place.folder / name).write_text("{}" if name == "ledger.json" else "")
    assert NOTHING not in place.build()[1]


@pytest.mark.slow
def test_a_module_from_elsewhere_counts(place):
    helper = place.folder.parent / "beside.py"
    helper.write_text("ONE = 1")
    place.change('"""Some results."""', '"""Some results."""\nfrom beside import ONE')
    place.change("1 + x", "ONE + x")
    assert place.build()[0] == 0
    assert NOTHING in place.build()[1]
    helper.write_text("ONE = 2")
    code, said = place.build()
    assert (code, NOTHING in said) == (1, False)


@pytest.mark.slow
def test_a_kill_at_any_time_leaves_whole_files(place):
    """The files are those of the build before or of the one that was killed; the next one needs no help."""
    place.build()
    before = time.monotonic()
    place.build("--seed", "0")
    taken = time.monotonic() - before
    for number in range(1, 9):
        process = place.start("--seed", str(number))
        try:
            process.wait(taken * number / 8)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate()
        scratch = [name for name in place.files() if not name.startswith(".report-")]
        assert "manifest.json" in scratch
        listed = json.loads((place.out / "manifest.json").read_text())["files"]
        for name, digest in listed.items():
            assert hashlib.sha256((place.out / name).read_bytes()).hexdigest() == digest, (number, name)
    assert place.build()[0] == 0
    assert place.is_whole()


@pytest.mark.slow
def test_two_builds_at_once(place):
    for _ in range(3):
        both = [place.start("--seed", "3"), place.start("--seed", "4")]
        ended = [process.communicate() for process in both]
        assert [process.returncode for process in both] == [0, 0], ended
        assert all(not complaints for _, complaints in ended), ended
        assert place.is_whole()


@pytest.mark.slow
def test_a_watch_builds_again_what_was_saved(place):
    command = [part for part in place.command() if part not in ("--points", "20")]
    command[command.index("report")] = "watch"
    surroundings = {name: value for name, value in os.environ.items() if name != "GRPO_SYMBOLIC_NO_CACHE"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=surroundings | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=hear_interrupts,
    )

    def until(wanted: str) -> str:
        said = ""
        while wanted not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        return said

    assert "no unexpected refutation" in until("watching")
    place.change("1 + x", "2 + x")
    assert "FINDING: p.tangent: " in until("watching")
    place.change("ge(x**2, 0)", "ge(x**2, 0")
    assert f"{place.folder / 'some.py'}:" in until("watching")
    assert place.is_whole()
    place.change("ge(x**2, 0)", "ge(x**2, 0))")
    place.change("2 + x", "1 + x")
    until("no unexpected refutation")
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode in (130, -signal.SIGINT)


@pytest.mark.slow
def test_a_full_disk_is_told_and_the_last_report_stays(place):
    """Files that cannot grow are what a full disk is to a program."""
    place.build()
    before = place.files()
    place.change("no square is negative", "x" * 5000)

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    code, said = place.build(preexec_fn=little)
    assert code == 1
    assert f"the report cannot be written to {place.out}" in said
    assert "make room, or name another folder with --out" in said
    assert f"the cache {place.cache / FILE}" in said
    assert place.files() == before


@pytest.mark.slow
def test_a_cache_that_is_no_folder_is_told_and_does_not_matter(place):
    place.cache.parent.mkdir(exist_ok=True)
    place.cache = place.folder / "some.py" / "cache"
    code, said = place.build()
    assert code == 0
    assert f"the cache {place.cache / FILE} cannot be opened" in said
    assert "--no-cache does without" in said
    assert place.is_whole()


@pytest.mark.slow
def test_a_damaged_cache_is_told_and_does_not_matter(place):
    place.build()
    (place.cache / FILE).write_bytes(b"no database")
    code, said = place.build()
    assert code == 0
    assert f"{place.cache / FILE}: 1 damaged or another user's, made anew" in said
    assert NOTHING in place.build()[1]


@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_told(place):
    place.build()
    place.out = place.folder / "some.py" / "out"
    code, said = place.build()
    assert code != 0
    assert str(place.out) in said
