"""Who gets which task next: all are done once, and a worker's tasks are neighbours."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic.processes.shares import Shares


@given(st.integers(0, 60), st.lists(st.integers(0, 3), min_size=60, max_size=60))
def test_every_task_is_handed_out_once(count, askers):
    shares = Shares(range(count))
    handed = [shares.next_for(asker) for asker in askers[:count]]
    assert sorted(handed) == list(range(count))
    assert len(shares) == 0


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_a_worker_mostly_goes_on_where_it_is(workers):
    shares, done = Shares(range(1000)), {worker: list[int]() for worker in range(workers)}
    while shares:
        for worker in range(workers):
            if shares:
                done[worker].append(shares.next_for(worker))
    jumps = sum(after != before + 1 for tasks in done.values() for before, after in pairwise(tasks))
    assert jumps < 12 * (workers - 1) + 1


def test_where_a_lost_worker_was_another_one_goes_on():
    shares = Shares("abcdef")
    assert [shares.next_for("lost"), shares.next_for("other"), shares.next_for("lost")] == ["a", "d", "b"]
    shares.leave("lost")
    assert [shares.next_for(name) for name in ("new", "other", "other")] == ["c", "e", "f"]
    assert len(shares) == 0


def test_where_nothing_waits_nothing_is_handed_out():
    with pytest.raises(IndexError, match="empty deque"):
        Shares[str]().next_for("worker")
