"""Claims that are built when somebody asks for more of them than stands in lists.

Of a claim whose result has not changed since it was built, that much is known: its id and title, what it rests on, and
which of its parts there are. Nobody has to know whether a claim is one of these: what else it is asked for, it has as
well, a moment later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import DeclarationError


def _later(name: str) -> Any:
    """A field that is known, or else has to wait until the whole is built."""

    def get(whole: Any) -> object:
        known: Mapping[str, object] = vars(whole)["known"]
        return known[name] if name in known else getattr(whole.built(), name)

    return property(get)


class Unbuilt(Claim):
    """A claim of which some fields are ``known``; ``build`` makes all of it, and it is an ordinary claim from then on.

    ``modules`` are those that it is made in, directly or indirectly, and ``equations`` those among its hypotheses. On
    its way to another process it is what ``sent`` says, a function and its arguments, and is built there.
    """

    statement = _later("statement")
    given = _later("given")
    using = _later("using")
    derivation = _later("derivation")
    printed = _later("printed")
    oracle = _later("oracle")
    fills = _later("fills")
    modules: frozenset[str]
    equations: tuple[str, ...]

    def built(self) -> Claim:
        """The same claim with all that it has."""
        made = vars(self)["build"]()
        if isinstance(self, Unbuilt):  # who built it may have built this one as well
            vars(self).clear()
            vars(self).update((item.name, getattr(made, item.name)) for item in fields(Claim))
            object.__setattr__(self, "__class__", Claim)
        return self

    def misses(self, known: Mapping[str, Claim]) -> str | None:
        """As for any claim; whether the very claims that were confirmed are known can be said at once."""
        confirmed = vars(self).get("confirmed")
        if confirmed is not None and all(known[id] is confirmed[id] for id in self.supports):
            return None
        return self.built().misses(known)

    def confirm(self, claims: Mapping[str, Claim]) -> None:
        """Say that these are the claims it rests on."""
        vars(self)["confirmed"] = {id: claims[id] for id in self.supports}

    def __eq__(self, other: object) -> bool:
        return self is other or self.built() == other

    def __hash__(self) -> int:
        return hash(self.built())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return vars(self)["sent"] or self.built().__reduce_ex__(protocol)


class UnbuiltQuote(Quote):
    """The quote of such a claim."""

    statement = _later("statement")
    hypotheses = _later("hypotheses")
    missing = _later("missing")
    setting = _later("setting")

    def built(self) -> Quote:
        """The same quote with all that it has."""
        made = vars(self)["build"]()
        vars(self).clear()
        vars(self).update(vars(made))
        object.__setattr__(self, "__class__", Quote)
        return self

    def __eq__(self, other: object) -> bool:
        return self is other or self.built() == other

    def __hash__(self) -> int:
        return hash(self.built())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.built().__reduce_ex__(protocol)


#: What does not depend on how formulas are written.
_SAME = ("assumes", "uses", "supports", "step_ids")
#: What of a quote does.
_WRITTEN = ("said", "supposed")
#: Fields of claims that hold statements or what else has to be built, if they hold anything.
LATER = ("statement", "given", "using", "derivation", "printed", "oracle", "fills")


def unbuilt(
    build: Callable[[], Claim],
    told: Mapping[str, object],
    known: Mapping[str, object],
    sent: tuple[Callable[..., Claim], tuple[object, ...]] | None = None,
) -> Unbuilt:
    """A claim to be built, of which fields are ``told`` outright and parts that others build may be ``known``."""
    made = object.__new__(Unbuilt)
    vars(made).update(told, known=known, build=build, sent=sent)
    return made


def built(made: Claim) -> Claim:
    """The same claim with all that it has."""
    return made.built() if isinstance(made, Unbuilt) else made


def changed(made: Unbuilt, change: Callable[[Claim], Claim]) -> Unbuilt:
    """What becomes of a claim that is not built by a change that leaves what readers are told of it as it is.

    Other processes find the change by its name.
    """
    return unbuilt(lambda: change(built(made)), _told(made), {}, (_changed, (change, made)))


def _changed(change: Callable[[Claim], Claim], made: Claim) -> Claim:
    return change(made)


def _told(made: Unbuilt) -> dict[str, object]:
    names = (item.name for item in fields(Claim) if item.name not in LATER)
    return {name: vars(made)[name] for name in (*names, "is_derived", "modules")}


def rewritten(made: Unbuilt, change: Callable[[Claim], Claim]) -> Unbuilt:
    """What becomes of a claim that is not built if its formulas are written otherwise, and nothing else is changed."""
    known: dict[str, object] = dict(vars(made)["known"])
    told = {name: vars(made)[name] for name in _SAME if name in vars(made)}
    again = unbuilt(lambda: change(built(made)), _told(made) | told, known)
    quote = made.printed
    if isinstance(quote, UnbuiltQuote):
        parts = {name: value for name, value in vars(quote).items() if name not in _WRITTEN}
        known["printed"] = unbuilt_quote(lambda: _quote_of(built(again)), parts, vars(quote)["known"])
    return again


def _quote_of(made: Claim) -> Quote:
    if made.printed is None:
        raise DeclarationError(f"{made.id} quotes nothing any more")
    return made.printed


def unbuilt_quote(build: Callable[[], Quote], told: Mapping[str, object], known: Mapping[str, object]) -> UnbuiltQuote:
    """A quote to be built, likewise."""
    made = object.__new__(UnbuiltQuote)
    vars(made).update(told, known=known, build=build)
    return made
