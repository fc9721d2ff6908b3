"""What a copy of this process finds kept, and leaves to be kept: it has no store of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from grpo_symbolic.cache.store import Json
from grpo_symbolic.judging.fragments import Fragments


class Apart:
    """Values of one kind by name, made of contents that are known before the copy is made."""

    def __init__(
        self, kind: str, contents: Mapping[str, tuple[object, ...]], fragments: Fragments | None = None
    ) -> None:
        self._kind = kind
        self._fragments = Fragments(None) if fragments is None else fragments
        self._keys = {name: self._fragments.key(kind, content) for name, content in contents.items()}
        self._found = {name: self._fragments.found(kind, key) for name, key in self._keys.items()}
        self._made: dict[str, Json] = {}

    def get(self, name: str) -> Json:
        """What is kept under a name; None if nothing is."""
        return self._found.get(name)

    def add(self, name: str, value: Json) -> None:
        """Have a value kept."""
        self._made[name] = value

    def leave(self, path: Path) -> None:
        """Write what was added to a file, for whoever has the store."""
        path.write_text(json.dumps(self._made), encoding="utf-8")

    def take(self, path: Path) -> None:
        """Keep what was left in a file."""
        for name, value in json.loads(path.read_text(encoding="utf-8")).items():
            self._fragments.keep(self._kind, self._keys.get(name), value)
