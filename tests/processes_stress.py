"""Repeat the tests of processes beside busy loops: ``python tests/processes_stress.py --times 50 --busy 3``.

What only fails on a busy machine, and then only sometimes, is found by nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from grpo_symbolic.processes import programs

TESTS = Path(__file__).resolve().parent
#: The tests that start processes, kill them or run into a limit of time.
SELECTED = [
    "test_processes.py",
    "test_cli.py::test_whatever_ends_a_report_ends_the_workers_and_leaves_the_old_one",
    "test_assess.py::test_a_worker_that_dies_leaves_its_claim_open_and_judges_the_others",
    "test_assess.py::test_a_claim_that_runs_over_is_left_open_and_says_why",
    "test_assess.py::test_a_claim_that_wants_too_much_memory_is_left_open",
    "test_assess.py::test_whatever_ends_the_run_leaves_no_process_behind",
    "test_check_workers.py",
]


def main() -> None:
    """Run the rounds, print how each went, and exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--busy", type=int, default=3)
    parser.add_argument("--select", default="", help="What pytest's option -k is given.")
    asked = parser.parse_args()
    failed = 0
    with ExitStack() as stack:
        for _ in range(asked.busy):
            tied = [sys.executable, programs.__file__, str(os.getpid()), "1e6", "inf"]
            loop = subprocess.Popen([*tied, sys.executable, "-c", "while True: pass"])
            stack.callback(loop.wait)
            stack.callback(loop.kill)
        for number in range(1, asked.times + 1):
            started = time.perf_counter()
            tests = [str(TESTS / name) for name in SELECTED]
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", asked.select, *tests]
            done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
            failed += done.returncode != 0
            last = done.stdout.strip().splitlines()[-1:]
            print(f"round {number}: {time.perf_counter() - started:.0f} s, {' '.join(last)}", flush=True)
            if done.returncode != 0:
                print(done.stdout, flush=True)
    print(f"{failed} of {asked.times} rounds failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
