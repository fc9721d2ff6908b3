"""Judge all derivations once, in processes of their own, while the tests run that do not need them.

The findings do not depend on where they were made: what comes back is what worker processes send in any case.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.judging.assess import Assessment, assess
from grpo_symbolic.judging.claims import combine
from grpo_symbolic.processes.programs import end_with

FOLDER = Path(__file__).resolve().parent.parent / "derivations"
#: Few points; full strength is the report's business.
SETTINGS = Settings(digits=30, points=24)


class JudgedLibrary:
    """The derivations being judged by another process, from the start of this object until it is closed."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="judged-")
        self._path = Path(self._folder.name) / "judgements"
        self._said = (Path(self._folder.name) / "said").open("w+", encoding="utf-8")
        paths = [str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(self._path), str(os.getpid())],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )

    def assessment(self, library: Library) -> Assessment:
        """Wait for the judgements, and let no claim stand above what it rests on."""
        if self._process.wait() != 0:
            self._said.seek(0)
            raise RuntimeError(f"judging the derivations failed:\n{self._said.read()}")
        judgements, seconds = pickle.loads(self._path.read_bytes())
        judged = {item.claim.id: item for item in combine(library.ordered, judgements)}
        return Assessment(library, SETTINGS, frozenset(library.claims), judged, seconds)

    def close(self) -> None:
        """End the processes, if they are still at work."""
        self._process.kill()
        self._process.wait()
        self._said.close()
        self._folder.cleanup()


def main() -> None:
    """Judge, and write the judgements to the file that is named first; end with the process that is named second."""
    end_with(int(sys.argv[2]))
    found = assess(load(FOLDER), SETTINGS, jobs=os.cpu_count() or 1)
    judgements = {id: (item.alone, item.printed) for id, item in found.judged.items()}
    Path(sys.argv[1]).write_bytes(pickle.dumps((judgements, found.seconds)))


if __name__ == "__main__":
    main()
