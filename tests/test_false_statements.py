"""A slice of the false statements that the benchmark sends through the whole path: none is decided."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def false_statements():
    """The benchmark, which is a script beside the package."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import false_statements

        yield false_statements
    finally:
        sys.path.remove(str(BENCHMARKS))


KINDS = [
    "relations",
    "composites",
    "sums over outputs",
    "claims with lemmas",
    "claims with assumptions",
    "claims with premises",
    "premises that never hold",
]


def test_every_class_is_tried(false_statements):
    assert list(false_statements.CLASSES) == KINDS


def try_slice(false_statements, kind: str, seed: int, count: int) -> None:
    found = false_statements.try_class(kind, seed, count, jobs=1)
    assert found["statements"] == count
    assert found["decided"] == {}
    assert found["refuted but accepted"] == []
    assert found["supported"] == {}


@pytest.mark.parametrize("kind", KINDS)
def test_no_false_statement_is_decided(kind, false_statements):
    try_slice(false_statements, kind, seed=11, count=2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_false_statement_of_many_is_decided(kind, false_statements):
    try_slice(false_statements, kind, seed=12, count=30)
