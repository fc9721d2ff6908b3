"""What was made of contents that have not changed, such as figures and readings of formulas, kept from run to run.

A key is made of all that goes in, of all sources of this package, or of those that judge, and of what is installed.
What cannot be looked into is made anew. Of a lemma what it says and assumes goes in: what stands behind it is shown
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from grpo_symbolic.cache.store import Json, Store
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.judging.bare import bare_lemma
from grpo_symbolic.judging.content import Digests, Known, OpaqueError, combined, installed, sources

Made = TypeVar("Made")
#: What is made from judging down: nothing that papers are read by or pages are made by has a part in it.
_OF_JUDGING = frozenset({"why"})
#: Where a claim is written has no part in anything that is made of it.
_PLACES: Mapping[type, frozenset[str]] = {Claim: frozenset({"declared_at"})}


class Fragments:
    """What is kept of some kinds in a store; without a store, everything is made anew."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._digests = Digests(_PLACES, lemmas=bare_lemma)
        self._base = self._base_of_judging = b""
        if store is not None:
            self._base = combined(installed(), self._digests.of_files(sources(apart=())))
            self._base_of_judging = combined(installed(), self._digests.of_files(sources()))

    @property
    def expressions(self) -> Known:
        """The digests of expressions so far, for whoever needs others of the same."""
        return self._digests.expressions

    def know(self, value: object, kind: str, content: bytes) -> None:
        """Take what is in a value from ``content``, of which two values of this kind never have the same."""
        self._digests.know(value, kind, content)

    def learn(self, value: object, digest: bytes) -> None:
        """Take a digest for that of a value that is not built."""
        self._digests.learn(value, digest)

    def digest(self, value: object) -> bytes | None:
        """The digest of a value; None if it has none."""
        try:
            return self._digests.of(value)
        except OpaqueError:
            return None

    def kept(
        self,
        kind: str,
        content: tuple[object, ...],
        make: Callable[[], Made],
        written: Callable[[Made], Json],
        read: Callable[[Json], Made],
        files: Iterable[Path] = (),
    ) -> Made:
        """What is kept of a kind for a content and files, or else what ``make`` makes of them, which is kept then.

        ``written`` says what is kept of it, None if nothing, and ``read`` what that was.
        """
        key = self.key(kind, content, files)
        value = self.found(kind, key)
        if value is not None:
            return read(value)
        made = make()
        value = written(made)
        if value is not None:
            self.keep(kind, key, value)
        return made

    def key(self, kind: str, content: tuple[object, ...], files: Iterable[Path] = ()) -> str | None:
        """Under what something that is made of a content and files is kept; None if it cannot be."""
        if self._store is None:
            return None
        base = self._base_of_judging if kind in _OF_JUDGING else self._base
        try:
            return combined(kind, base, self._digests.of(content), self._digests.of_files(files)).hex()
        except OpaqueError:
            return None

    def found(self, kind: str, key: str | None) -> Json | None:
        """What is kept under a key, if anything is."""
        return None if self._store is None or key is None else self._store.get(kind, key)

    def keep(self, kind: str, key: str | None, value: Json) -> None:
        """Keep something under a key, if there is one."""
        if self._store is not None and key is not None:
            self._store.put(kind, key, value)


class FragmentsOfDerivations:
    """What derivations made, kept under the same keys."""

    def __init__(self, store: Store) -> None:
        self._fragments = Fragments(store)

    def found(self, kind: str, content: tuple[object, ...]) -> Json:
        """What is kept; None if nothing is."""
        return self._fragments.found(kind, self._fragments.key(kind, content))

    def keep(self, kind: str, content: tuple[object, ...], value: Json) -> None:
        """Keep a value."""
        self._fragments.keep(kind, self._fragments.key(kind, content), value)
