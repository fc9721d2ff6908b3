"""The digests of claims that are remembered with what their modules are made of, so that nobody has to look into them.

Without them what is not built would be, only to see that nothing in it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.derivation.unbuilt import Unbuilt, changed
from grpo_symbolic.judging.fragments import Fragments

_KIND = "digests"


class Digested:
    """The digests of a library's claims: as they are, as they are judged, and as it is asked why they hold."""

    def __init__(self, library: Library, fragments: Fragments) -> None:
        self._library, self.fragments = library, fragments
        self._keys = {
            module: key
            for module, origin in library.origins.items()
            if (key := fragments.key(_KIND, (module, origin))) is not None
        }
        found = {module: fragments.found(_KIND, key) for module, key in self._keys.items()}
        self._missing = [module for module, value in found.items() if not isinstance(value, dict)]
        self._found = {
            id: tuple(map(_digest, digests))
            for value in found.values()
            if isinstance(value, dict)
            for id, digests in value.items()
            if isinstance(digests, list)
        }
        for id, made in library.claims.items():
            self._learn(made, id, 0)

    def judged(self, id: str) -> bytes | None:
        """The digest of a claim as it is judged, if it is remembered."""
        return self._found[id][1] if id in self._found else None

    def asked(self, claim: Claim) -> Claim:
        """A claim as it is judged without what has no part in why it holds."""
        if not isinstance(claim, Unbuilt):
            return _asked(claim)
        made = changed(claim, _asked)
        self._learn(made, claim.id, 2)
        return made

    def remember(self, judged: Mapping[str, Claim], digest_of: Callable[[Claim], bytes | None]) -> None:
        """Remember digests of modules of which none were; ``digest_of`` has those of claims as they are ``judged``."""
        for module in self._missing:
            told = {}
            for made in self._library.claims_of.get(module, ()):
                if made.id not in judged:
                    return
                asked = None if made.is_derived else self.fragments.digest(_asked(judged[made.id]))
                digests = self.fragments.digest(made), digest_of(judged[made.id]), asked
                told[made.id] = [None if one is None else one.hex() for one in digests]
            self.fragments.keep(_KIND, self._keys[module], {id: [*digests] for id, digests in told.items()})

    def _learn(self, made: Claim, id: str, which: int) -> None:
        digest = self._found[id][which] if id in self._found else None
        if digest is not None and isinstance(made, Unbuilt):
            self.fragments.learn(made, digest)


def _asked(claim: Claim) -> Claim:
    return replace(claim, printed=None, title="")


def _digest(found: object) -> bytes | None:
    return None if found is None else bytes.fromhex(str(found))
