"""Views as JSON and back, for those that are kept from run to run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.report.tex import Tex

View = TypeVar("View")


def written(view: object) -> Json:
    """A view as JSON: LaTeX as a text, and everything else so that it is told apart from it.

    Raises:
        TypeError: for what views are not made of.
    """
    match view:
        case None | bool() | int() | Tex():
            return view
        case str():
            return {"text": view}
        case tuple():
            return [written(item) for item in view]
        case _ if is_dataclass(view) and not isinstance(view, type):
            kind = type(view)
            return {"made": f"{kind.__module__}:{kind.__qualname__}", "of": [written(part) for part in _parts(view)]}
    raise TypeError(f"a view is not made of a {type(view).__name__}")


def restored(value: Json, kind: type[View]) -> View | None:
    """The view of a kind in a value, exactly as it was written; None if there is none in it."""
    try:
        found = _restored(value)
    except (LookupError, TypeError):  # it is no view
        return None
    return found if isinstance(found, kind) else None


def _parts(view: object) -> tuple[object, ...]:
    return tuple(getattr(view, name) for name in _names(cast(Any, type(view))))


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


def _restored(value: Json) -> object:
    match value:
        case str():
            return Tex(value)
        case list():
            return tuple(map(_restored, value))
        case {"text": str() as text}:
            return text
        case {"made": str() as name, "of": list() as parts}:
            return _classes()[name](*map(_restored, parts))
        case None | bool() | int():
            return value
    raise LookupError(value)


@cache
def _classes() -> Mapping[str, type]:
    """The views of this package by module and name: nothing else is made of what is kept."""
    modules = [module for name, module in sys.modules.items() if name.startswith("grpo_symbolic.report.")]
    found = (made for module in modules for made in vars(module).values() if isinstance(made, type))
    return MappingProxyType({f"{made.__module__}:{made.__qualname__}": made for made in found if is_dataclass(made)})
