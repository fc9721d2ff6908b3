"""Judge all derivations once, in processes of their own, while the tests run that do not need them.

The findings do not depend on where they were made: what comes back is what worker processes send in any case.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import Library, load
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.claims import combine
from grpo_symbolic.judging.judges import Asked, beside_of, judges
from grpo_symbolic.judging.progress import Reporter
from grpo_symbolic.judging.quotes import quotes_of
from grpo_symbolic.processes.programs import end_with

FOLDER = Path(__file__).resolve().parent.parent / "derivations"
#: Few points; full strength is the report's business.
SETTINGS = Settings(digits=30, points=8)
#: The names of what is in the folder of a library that is judged.
FOUND, SAID, BUSY = "judgements", "said", "busy"


@cache
def whole_library() -> Library:
    """All derivations of this repository."""
    return load(FOLDER)


class JudgedLibrary:
    """The derivations being judged by another process, from the start of this object until it is closed."""

    def __init__(self, folder: Path) -> None:
        paths = [str(FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        with (folder / SAID).open("w") as said, (folder / BUSY).open("w") as busy:
            # The process inherits the lock, and the system takes it away when the process ends, however that is.
            fcntl.flock(busy, fcntl.LOCK_EX)
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(folder / FOUND), str(os.getpid())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                stdout=said,
                stderr=subprocess.STDOUT,
                pass_fds=(busy.fileno(),),
            )

    def close(self) -> None:
        """End the process, if it is still at work."""
        self._process.kill()
        self._process.wait()


def judged_in(folder: Path, library: Library) -> Assessment:
    """Wait for the judgements, which any process can do, and let no claim stand above what it rests on."""
    with (folder / BUSY).open() as busy:
        fcntl.flock(busy, fcntl.LOCK_SH)
    if not (folder / FOUND).exists():
        raise RuntimeError(f"judging the derivations failed:\n{(folder / SAID).read_text(encoding='utf-8')}")
    judgements, seconds, quotes = pickle.loads((folder / FOUND).read_bytes())
    judged = {item.claim.id: item for item in combine(library.ordered, judgements)}
    return Assessment(library, SETTINGS, frozenset(library.claims), judged, seconds, quotes)


def main() -> None:
    """Judge, and write the judgements to the file that is named first; end with the process that is named second."""
    end_with(int(sys.argv[2]))
    library, started = whole_library(), time.perf_counter()
    beside = beside_of(library)
    tasks = {id: Asked(bare(claim), beside.get(id)) for id, claim in library.claims.items()}
    with judges(SETTINGS) as who:
        claims = list(library.claims.values())
        found = who.found(claims, tasks, Reporter(library, claims, None), {})
        judgements = {claim.id: pair for claim, pair in found}
    seconds = time.perf_counter() - started
    path = Path(sys.argv[1])
    # Whoever finds the file finds all of it.
    whole = path.with_suffix(".whole")
    whole.write_bytes(pickle.dumps((judgements, seconds, quotes_of(library, frozenset(library.claims)))))
    whole.replace(path)


if __name__ == "__main__":
    main()
