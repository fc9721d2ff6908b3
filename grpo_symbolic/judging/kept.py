"""Judgements that were made before, kept by content and restored exactly.

A kept judgement is believed as much as one that a worker process sends: seals are restored as they are when they come
through its pipe, and whoever can write into the store can say anything. So it is the store of one user, and a run tells
which judgements come from it. What is PROVED need not be believed: its proof is written, and checked by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, TypeAlias, cast

from grpo_symbolic.cache.store import Json, Store, text_of
from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.unbuilt import Unbuilt
from grpo_symbolic.evidence import Evidence, Seal, SolverAnswer, Verdict, Witness
from grpo_symbolic.judging.content import Contents, Known
from grpo_symbolic.judging.verdicts import Judgement

Judgements: TypeAlias = tuple[Judgement, Judgement | None]

_KIND = "judgement"
#: Judgements that are written together; a kill loses no more.
_BATCH = 32
#: What a judgement is made of besides texts, numbers and tuples.
_CLASSES: Mapping[str, type] = {
    kind.__name__: kind for kind in (Judgement, Evidence, Seal, Witness, SolverAnswer, Skipped)
}


class Kept:
    """The judgements in a store on claims as they are handed to the judge, with these settings and this program."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        claims: Iterable[Claim],
        expressions: Known | None = None,
        digest_of: Callable[[str], bytes | None] = lambda id: None,
    ) -> None:
        self._store = store
        self._contents = Contents(settings, expressions)
        self._claims = {claim.id: claim for claim in claims}
        self._digest_of = digest_of
        self._keys: dict[str, str] = {}
        self._looked_up: dict[str, Judgements | None] = {}
        #: All that is in the judgements that were found or kept, by the ids of the claims.
        self.contents: dict[str, bytes] = {}
        self._waiting: list[tuple[str, Json]] = []
        self._first: dict[str, tuple[str, Judgements]] = {}

    def digest(self, claim: Claim) -> bytes | None:
        """The digest of a claim as it is judged; None if it has none."""
        return self._contents.digest(claim)

    def key(self, id: str) -> str | None:
        """Under what a judgement on a claim is kept; None if it cannot be."""
        self._of(id)
        return self._keys.get(id)

    @cached_property
    def found(self) -> Mapping[str, Judgements]:
        """What was found, by the ids of the claims."""
        return {id: pair for id in self._claims if (pair := self._of(id)) is not None}

    def _of(self, id: str) -> Judgements | None:
        """What was found of a claim."""
        if id not in self._looked_up:
            text = self._text(self._claims[id])
            pair = self._looked_up[id] = None if text is None else restored(json.loads(text))
            if text is not None and pair is not None:
                self.contents[id] = text.encode()
        return self._looked_up[id]

    def _text(self, claim: Claim) -> str | None:
        known = self._digest_of(claim.id) if isinstance(claim, Unbuilt) else None
        key = self._contents.key(claim) if known is None else self._contents.key_of(known)
        text = None if key is None else self._store.text(_KIND, key)
        if known is not None and text is None:
            # It will be judged: then it must be seen whether files change meanwhile.
            key = self._contents.key(claim)
        if key is not None:
            self._keys[claim.id] = key
        return text

    def keep(self, id: str, pair: Judgements) -> Judgements:
        """Keep what was found of a claim, unless it was left open, perhaps only because the machine was busy.

        Of two claims that say the same, what was found first is given for both, as it will be the next time.
        """
        key = self.key(id)
        self.contents.pop(id, None)
        if key is None or any(one.verdict is Verdict.UNDECIDED for one in pair if one is not None):
            return pair
        first = self._first.setdefault(key, (id, pair))
        if first[0] != id and first[0] in self.contents and not differ(first[1], pair):
            self.contents[id] = self.contents[first[0]]
            return first[1]
        value = written(pair)
        if restored(value) == pair:
            self.contents[id] = text_of(value).encode()
            self._waiting.append((key, value))
        if len(self._waiting) >= _BATCH:
            self.write()
        return pair

    def write(self) -> None:
        """Write what is waiting, unless files that went into the keys have changed while it was made."""
        waiting, self._waiting = self._waiting, []
        if self._contents.still_there():
            for key, value in waiting:
                self._store.put(_KIND, key, value)


def differ(one: Judgements, other: Judgements) -> bool:
    """Whether two judgements on a claim differ in anything but the time they took."""
    return _timeless(one) != _timeless(other)


def _timeless(pair: Judgements) -> tuple[Judgement | None, ...]:
    return tuple(None if item is None else replace(item, seconds=0.0) for item in pair)


def written(pair: Judgements) -> Json:
    """Judgements as JSON.

    Raises:
        TypeError: for what a judgement cannot be made of.
    """
    return _written(pair)


def _written(value: object) -> Json:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [_written(item) for item in value]
        case frozenset():
            return {"set": [*sorted(map(str, value))]}
        case Verdict():
            return {"verdict": value.value}
        case _ if type(value).__name__ in _CLASSES:
            # What a seal is about stays behind, as it does on the way between processes.
            names = (item.name for item in fields(cast(Any, value)) if (type(value), item.name) != (Seal, "about"))
            return {"made": type(value).__name__, "of": {name: _written(getattr(value, name)) for name in names}}
    raise TypeError(f"a judgement is not made of a {type(value).__name__}")


def restored(value: Json) -> Judgements | None:
    """The judgements in a value, exactly as they were written; None if there are none in it."""
    pair = _restored(value)
    match pair:
        case (Judgement(), None) | (Judgement(), Judgement()):
            return cast(Judgements, pair)
    return None


def _restored(value: Json) -> object:
    match value:
        case list():
            return tuple(map(_restored, value))
        case {"set": list() as texts}:
            return frozenset(map(str, texts))
        case {"verdict": str() as name}:
            return Verdict(name)
        case {"made": str() as name, "of": dict() as parts} if name in _CLASSES:
            # As pickle makes what comes from another process: nothing is awarded here, a seal is what it was.
            made: object = object.__new__(_CLASSES[name])
            vars(made).update({field: _restored(part) for field, part in parts.items()})
            if isinstance(made, Seal):
                vars(made)["about"] = None
            return made
    return value
