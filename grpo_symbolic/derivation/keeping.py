"""What derivations have made of contents that have not changed, kept by whoever has a place for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from grpo_symbolic.cache.store import Json

#: Given a kind, a content and what makes a value of it, the value that was kept, or the one that is made now.
Keep: TypeAlias = Callable[[str, tuple[object, ...], Callable[[], Json]], Json]
_KEEP: ContextVar[Keep | None] = ContextVar("keep", default=None)


@contextmanager
def kept_by(keep: Keep) -> Iterator[None]:
    """Have what is made in the block kept."""
    token = _KEEP.set(keep)
    try:
        yield
    finally:
        _KEEP.reset(token)


def kept(kind: str, content: tuple[object, ...], make: Callable[[], Json]) -> Json:
    """What was made of the same content before, or what is made now; None is not kept."""
    keep = _KEEP.get()
    return make() if keep is None else keep(kind, content, make)
