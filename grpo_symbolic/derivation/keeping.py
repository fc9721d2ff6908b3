"""What derivations have made of contents that have not changed, kept by whoever has a place for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from grpo_symbolic.cache.store import Json


class Keeper(Protocol):
    """Keeps values by their kind and by the content that they are made of."""

    def found(self, kind: str, content: tuple[object, ...]) -> Json:
        """What is kept; None if nothing is."""

    def keep(self, kind: str, content: tuple[object, ...], value: Json) -> None:
        """Keep a value."""


_KEEPER: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def kept_by(keeper: Keeper | None) -> Iterator[None]:
    """Have what is made in the block kept, or, by nobody, not."""
    token = _KEEPER.set(keeper)
    try:
        yield
    finally:
        _KEEPER.reset(token)


def keeper() -> Keeper | None:
    """Who keeps what is made, if anybody does."""
    return _KEEPER.get()


def kept(kind: str, content: tuple[object, ...], make: Callable[[], Json]) -> Json:
    """What was made of the same content before, or what is made now; None is not kept."""
    place = _KEEPER.get()
    value = None if place is None else place.found(kind, content)
    if value is None:
        value = make()
        if place is not None and value is not None:
            place.keep(kind, content, value)
    return value
