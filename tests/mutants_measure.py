"""Write the lists of surviving and of open mutants anew: ``python tests/mutants_measure.py [--sampled N]``.

Every listed mutant, and with ``--sampled`` the first so many of the sample of each claim, is judged again. What is
settled or gone leaves the lists, what is decided to be implied goes to ``mutant_survivors.json`` with the facts, and
the rest is open.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from functools import partial
from pathlib import Path

from conftest import FOLDER
from survivor_proofs import PATIENCE
from test_mutants import DEBT, IMPLIED, LISTED, OPEN, SUBJECTS, TRIED, implied, named, outcome_of, seeded

from grpo_symbolic.judging.debt import NAME
from grpo_symbolic.judging.mutants import mutants
from grpo_symbolic.translate.text import statement_text

Pair = tuple[str, str]
#: Why a mutant is in no list, the facts for the list of those that are implied, or the statement of an open one.
Fate = tuple[str, list[str] | str]
SHOWN, LEFT_OPEN, GONE = "implied", "open", "gone"


def fate(pair: Pair, patience: int) -> Fate:
    """What becomes of a mutant, by the id of its claim and its name."""
    id, name = pair
    if not exists(id, name):
        return GONE, "its claim says something else by now"
    mutant = named(id, name)
    outcome = outcome_of(SUBJECTS[id], mutant)
    if outcome.kind not in OPEN or mutant.statement is None:
        return outcome.kind, outcome.reason
    # Facts that were found once, perhaps with more patience, are found again.
    facts = implied(id, name, IMPLIED.get(id, {}).get(name)) or implied(id, name, None, patience)
    return (LEFT_OPEN, statement_text(mutant.statement)) if facts is None else (SHOWN, facts)


def exists(id: str, name: str) -> bool:
    """Whether a claim still has a mutant of this name; claims that changed number theirs anew."""
    return id in SUBJECTS and any(mutant.name == name for mutant in mutants(SUBJECTS[id].statement))


def write(fates: dict[Pair, Fate], kind: str, path: Path, folder: str = "") -> None:
    """Write the mutants of one kind, by claim, in the order of their numbers."""
    found: dict[str, dict[str, list[str] | str]] = {}
    for (id, name), (other, what) in sorted(fates.items(), key=lambda item: _place(item[0])):
        if other == kind and id.startswith(folder):
            found.setdefault(id, {})[name] = what
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _place(pair: Pair) -> tuple[str, int]:
    return pair[0], int(pair[1].partition(":")[0])


def main() -> None:
    """Judge, count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sampled", type=int, default=0, help=f"mutants of each claim to try as well, up to {TRIED}")
    parser.add_argument("--patience", type=int, default=PATIENCE, help="how many statements may resist in a search")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    listed = [(id, name) for known in (IMPLIED, DEBT) for id, names in known.items() for name in names]
    sampled = [(id, mutant.name) for id in SUBJECTS for mutant in seeded(id, TRIED)[: options.sampled]]
    pairs = list(dict.fromkeys([*listed, *sampled]))
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        fates = dict(zip(pairs, pool.imap(partial(fate, patience=options.patience), pairs), strict=True))
    write(fates, SHOWN, LISTED)
    for folder in sorted(path.parent for path in FOLDER.glob("*/ledger.json")):
        write(fates, LEFT_OPEN, folder / NAME, f"{folder.name}.")
    for kind, count in sorted(Counter(kind for kind, _ in fates.values()).items()):
        print(f"{kind}: {count}")


if __name__ == "__main__":
    main()
