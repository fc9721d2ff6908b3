"""The tasks of a round that wait for a worker, each worker's own in a row."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from typing import Generic

from grpo_symbolic.processes.tasks import Key


class Shares(Generic[Key]):
    """Tasks in an order in which neighbours have much in common, such as the steps of one derivation.

    What a worker has found out about one task serves it for the next. So each goes on where it is: all tasks are the
    share of the first that asks, and who has none left takes the later half of the longest share.
    """

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self._shares: dict[Hashable, deque[Key]] = {None: deque(keys)}

    def __len__(self) -> int:
        return sum(map(len, self._shares.values()))

    def next_for(self, worker: Hashable) -> Key:
        """The next task for a worker; of one that left, the others take what it did not do.

        Raises:
            IndexError: if no task waits.
        """
        if worker not in self._shares:
            self._shares[worker] = self._shares.pop(None, deque())
        share = self._shares[worker]
        if not share:
            longest = max(self._shares.values(), key=len)
            later_half = [longest.pop() for _ in range((len(longest) + 1) // 2)]
            share.extend(reversed(later_half))
        return share.popleft()
