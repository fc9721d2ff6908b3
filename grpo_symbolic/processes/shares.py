"""The tasks of a round that wait for a worker, each worker's own in a row."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from typing import Generic

from grpo_symbolic.processes.tasks import Key


class Shares(Generic[Key]):
    """Tasks in an order in which neighbours have much in common, such as the steps of one derivation.

    What a worker has found out about one task serves it for the next. So each goes on where it is: all tasks are the
    share of the first that asks, and who has none left takes the later half of the longest share, or what a worker
    that was lost did not do.
    """

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self._shares: dict[Hashable, deque[Key]] = {None: deque(keys)}

    def __len__(self) -> int:
        return sum(map(len, self._shares.values()))

    def next_for(self, worker: Hashable) -> Key:
        """The next task for a worker.

        Raises:
            IndexError: if no task waits.
        """
        share = self._shares.get(worker) or self._shares.pop(None, None) or self._later_half()
        self._shares[worker] = share
        return share.popleft()

    def leave(self, worker: Hashable) -> None:
        """Let a worker go: the next one that has nothing to do goes on where it was."""
        self._shares.setdefault(None, deque()).extend(self._shares.pop(worker, ()))

    def _later_half(self) -> deque[Key]:
        longest = max(self._shares.values(), key=len, default=deque[Key]())
        return deque(reversed([longest.pop() for _ in range((len(longest) + 1) // 2)]))
