"""How many of a hundred inequalities have accepted proofs: ``pytest benchmarks`` fails if it becomes fewer."""

from __future__ import annotations

from inequalities import INEQUALITIES, left_open

#: So many are proved at least.
PROVED = 93


def test_inequalities_have_proofs(benchmark):
    proved = benchmark.pedantic(lambda: [name for name, said in INEQUALITIES if not left_open(said)], rounds=1)
    assert len(proved) >= PROVED
    benchmark.extra_info["proved"] = f"{len(proved)} of {len(INEQUALITIES)}"


def test_names_are_distinct():
    assert len({name for name, _ in INEQUALITIES}) == len(INEQUALITIES) >= 100
