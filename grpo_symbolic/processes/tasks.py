"""What is told about tasks that are done in worker processes: how they go, and why one was lost."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

Key = TypeVar("Key", bound=Hashable)
Task = TypeVar("Task")
Found = TypeVar("Found")
#: Sends a word to the parent about what a task is busy with.
Tell: TypeAlias = Callable[[str], None]

#: Most memory of one process, in bytes; its address space, of which a solver reserves more than it uses.
MEMORY = 4 * 2**30
#: Most seconds for one claim. With the settings of the report none takes more than a few.
CLAIM_SECONDS = 1800.0


@dataclass(frozen=True)
class Limits:
    """What a task may use: ``seconds`` of time, and in its process ``memory`` in bytes."""

    seconds: float
    memory: int = MEMORY


class Cause(Enum):
    """Why a task was lost."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    DIED = "died"
    BROKE = "broke"


@dataclass(frozen=True)
class Lost:
    """A task without an outcome: why, in words as well, what it told last, and how long it took."""

    cause: Cause
    reason: str
    busy: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Started(Generic[Key]):
    """A task was handed to a process."""

    key: Key


@dataclass(frozen=True)
class News(Generic[Key]):
    """A word about what a task is busy with."""

    key: Key
    text: str


@dataclass(frozen=True)
class Ended(Generic[Key, Found]):
    """A task has its outcome, or is lost."""

    key: Key
    found: Found | Lost


Event: TypeAlias = Started[Key] | News[Key] | Ended[Key, Found]
