"""Check the derivations beside this file and write the report: ``python build_report.py --help`` tells how."""

import sys
from pathlib import Path

from grpo_symbolic.cli import main

if __name__ == "__main__":
    main(["report", str(Path(__file__).resolve().parent / "derivations"), *sys.argv[1:]])
