"""The MathML of formulas, kept from run to run: what was made of some LaTeX and shows what it does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from grpo_symbolic.cache.packed import packed, unpacked
from grpo_symbolic.cache.store import Json
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.translate.mathml_nodes import Node

Nodes = tuple[Node, ...]

_KIND = "mathml"
#: Formulas lie together in so many parts, by their digests: a new one has one part written anew, not all.
_PARTS = 64
#: Formulas of one part, from which on those that were not used by the last run are dropped.
_MANY = 500


class Marked:
    """Formulas with their nodes: those that are kept, and those that a run adds.

    What a formula becomes depends on nothing but its LaTeX and the program, whose sources are in the key.
    """

    def __init__(self, fragments: Fragments) -> None:
        self._fragments = fragments
        self._keys = [fragments.key(_KIND, (part,)) for part in range(_PARTS)]
        self._found = [fragments.found(_KIND, key) for key in self._keys]
        self._used: set[str] = set()
        self._added: dict[str, Json] = {}

    @cached_property
    def _kept(self) -> dict[str, Json]:
        """All formulas, which are read where they are used: in the copy of this process."""
        kept: dict[str, Json] = {}
        for part in range(_PARTS):
            kept |= self._part(part)
        return kept

    def _part(self, part: int) -> dict[str, Json]:
        found = self._found[part]
        read = json.loads(unpacked(found)) if isinstance(found, str) else None
        return read if isinstance(read, dict) else {}

    def get(self, latex: str) -> Nodes | None:
        """The nodes of a formula, if they are kept."""
        match self._kept.get(latex):
            case list() as nodes if nodes:
                self._used.add(latex)
                return tuple(Node(*node) for node in nodes)
        return None

    def add(self, latex: str, nodes: Nodes) -> None:
        """Keep the nodes of a formula, which were seen to show what it does."""
        self._added[latex] = [[node.ml, node.kind, node.text, node.width] for node in nodes]

    def leave(self, path: Path) -> None:
        """Write what was used and added to a file, for whoever has the store."""
        path.write_text(json.dumps([sorted(self._used), self._added]), encoding="utf-8")

    def take(self, path: Path) -> None:
        """Keep what was left in a file."""
        used, added = json.loads(path.read_text(encoding="utf-8"))
        for part, new in _in_parts(added).items():
            together = self._part(part) | new
            if len(together) > _MANY:
                together = {latex: nodes for latex, nodes in together.items() if latex in new or latex in set(used)}
            self._fragments.keep(_KIND, self._keys[part], packed(json.dumps(together)))


def _in_parts(formulas: Mapping[str, Json]) -> dict[int, dict[str, Json]]:
    parts: dict[int, dict[str, Json]] = {}
    for latex, nodes in formulas.items():
        digest = hashlib.sha256(latex.encode("utf-8", "surrogatepass")).digest()
        parts.setdefault(digest[0] % _PARTS, {})[latex] = nodes
    return parts
