"""Import the modules of a folder of derivations one by one, and tell of those that are broken."""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.forgotten import forgotten
from grpo_symbolic.derivation.keeping import kept
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.errors import DeclarationError, LibraryError


@dataclass(frozen=True)
class Broken:
    """A module, or a result of it, that cannot be used, and the line of the folder at which it broke, if known."""

    name: str
    error: Exception
    place: str | None

    def __str__(self) -> str:
        known = isinstance(self.error, LibraryError | DeclarationError)
        what = str(self.error) if known else f"{type(self.error).__name__}: {self.error}"
        # Declarations say where they stand themselves.
        named = what if self.name in what or ".py:" in what.partition(" ")[0] else f"{self.name}: {what}"
        return named if self.place is None else f"{named}\n  at {self.place}"


def told(broken: Sequence[Broken]) -> str:
    """What is broken, each place once with the names of all that it breaks."""
    names: dict[object, list[str]] = {}
    first: dict[object, Broken] = {}
    for one in broken:
        key = one.place or one
        first.setdefault(key, one)
        names.setdefault(key, []).append(one.name)
    also = {key: f"\n  and with it {', '.join(others[1:])}" if others[1:] else "" for key, others in names.items()}
    return "\n".join(f"{one}{also[key]}" for key, one in first.items())


def modules(name: str, folder: Path, broken: list[Broken]) -> Iterator[ModuleType]:
    """A module and all inside of it, in the order of ``contents``; what does not import is put to what is broken."""
    try:
        module = importlib.import_module(name)
    except Exception as error:
        told = error if isinstance(error, LibraryError) else _not_imported(name, error)
        broken.append(Broken(name, told, place_in(error, folder)))
        return
    if name == folder.name and folder not in map(Path, getattr(module, "__path__", [])):
        raise LibraryError(f"{folder} cannot be imported: {module.__file__} has the same name; rename the folder")
    yield module
    if not hasattr(module, "__path__"):
        return
    inside = [info.name for info in pkgutil.iter_modules(module.__path__)]
    contents: tuple[str, ...] | Mapping[str, tuple[str, ...]] = getattr(module, "contents", ())
    ordered = [child for part in contents.values() for child in part] if isinstance(contents, Mapping) else contents
    rank = {child: position for position, child in enumerate(ordered)}
    for child in sorted(inside, key=lambda item: (rank.get(item, len(rank)), item)):
        yield from modules(f"{name}.{child}", folder, broken)


def _not_imported(name: str, error: Exception) -> LibraryError:
    return LibraryError(f"cannot import {name}: {type(error).__name__}: {error}")


def results_of(module: ModuleType, folder: Path, broken: list[Broken]) -> Iterator[Result]:
    """The results of a module whose claims can be built; whatever their functions raise is told of as broken."""
    for result in results_in(module):
        try:
            for line, wrong in _forgotten(_source(module)):
                raise DeclarationError(f"{Path(str(module.__file__)).name}:{line}: {wrong}")
            result.claims  # noqa: B018
        except Exception as error:
            broken.append(Broken(module.__name__, error, place_in(error, folder)))
        else:
            yield result


def _forgotten(source: str) -> list[tuple[int, str]]:
    """What is forgotten in a source; that nothing is, is kept, since it takes longest to find."""
    found: list[tuple[int, str]] = []

    def nothing() -> Json:
        found.extend(forgotten(source))
        return None if found else True

    kept("forgotten", (source,), nothing)
    return found


def _source(module: ModuleType) -> str:
    return "" if module.__file__ is None else Path(module.__file__).read_text(encoding="utf-8")


def results_in(module: ModuleType) -> list[Result]:
    """The results that a module defines."""
    # An imported Result belongs to the module that defines it.
    return [value for value in vars(module).values() if isinstance(value, Result) and value.module == module.__name__]


def place_in(error: BaseException, folder: Path) -> str | None:
    """The innermost line of the folder that was being executed when an error arose."""
    found: str | None = None
    current: BaseException | None = error
    while current is not None:
        if isinstance(current, SyntaxError) and current.filename is not None:
            return f"{current.filename}:{current.lineno}"
        for frame in traceback.extract_tb(current.__traceback__):
            if folder in Path(frame.filename).parents:
                found = f"{frame.filename}:{frame.lineno}"
        current = current.__cause__
    return found
