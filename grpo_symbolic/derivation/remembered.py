"""What is remembered of the claims of results whose modules have not changed, so that they need not be built.

It is remembered only of results that were built and found to fit into their library.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.hypotheses import texts_of
from grpo_symbolic.derivation.keeping import keeper
from grpo_symbolic.derivation.modules import results_in
from grpo_symbolic.derivation.origins import Origin
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Gap, Quote
from grpo_symbolic.derivation.unbuilt import Unbuilt, unbuilt, unbuilt_quote

_KIND = "claims"
#: Fields that are texts, truth values, or lists of texts.
_PLAIN = ("id", "title", "equation", "assumed", "beyond", "refuted", "key", "declared_at", "is_derived")
_LISTS = ("paper_uses", "cites", "assumes", "uses", "supports", "step_ids")
_PLAIN_OF_QUOTE = ("where", "latex", "instead", "another_reading", "notation", "compare_with_pdf", "isolated", "said")


def recall(results: Sequence[Result], origin: Origin) -> None:
    """Give the results of a module the claims that they had when it was the same, if that is remembered."""
    place = keeper()
    if place is None or any("claims" in vars(result) for result in results):
        return
    found = place.found(_KIND, _content(results, origin))
    if not isinstance(found, list) or len(found) != len(results):
        return
    modules = frozenset(name for name, _ in origin)
    for position, (result, known) in enumerate(zip(results, cast("list[list[Json]]", found), strict=True)):
        vars(result)["claims"] = tuple(
            _claim(one, modules, partial(_one_of, result, number), (result.module, position, number))
            for number, one in enumerate(known)
        )


def remember(results: Sequence[Result], origin: Origin) -> None:
    """Remember the claims of the results of a module, if they had to be built."""
    place = keeper()
    if place is None or any(isinstance(made, Unbuilt) for result in results for made in result.claims):
        return
    if place.found(_KIND, _content(results, origin)) is None:
        place.keep(_KIND, _content(results, origin), [[_told(made) for made in result.claims] for result in results])


def _content(results: Sequence[Result], origin: Origin) -> tuple[object, ...]:
    return (*(result.module for result in results), origin)


def _one_of(result: Result, number: int) -> Claim:
    return result.made[number]


def _made_there(module: str, position: int, number: int, step: int | None = None) -> Claim:
    """A claim in another process, which finds it by its place in its module, or a step of its derivation."""
    made = results_in(importlib.import_module(module))[position].made[number]
    return made if step is None else made.steps[step]


def _told(made: Claim) -> dict[str, Json]:
    told: dict[str, Any] = {name: getattr(made, name) for name in _PLAIN}
    told |= {name: [*getattr(made, name)] for name in _LISTS}
    quote = made.printed
    told["absent"] = [name for name in ("given", "using", "derivation", "oracle") if not getattr(made, name)]
    told["fills"] = [[gap.where, gap.missing] for gap in made.fills]
    told["printed"] = None if quote is None else _told_of_quote(quote)
    told["equations"] = [*texts_of(made)]
    told["steps"] = [_told(step) for step in made.steps]
    return told


def _told_of_quote(quote: Quote) -> dict[str, Json]:
    told: dict[str, Any] = {name: getattr(quote, name) for name in _PLAIN_OF_QUOTE}
    told["absent"] = [name for name in ("hypotheses", "missing", "setting") if not getattr(quote, name)]
    return told | {"fails_at": [[*pair] for pair in quote.fails_at], "supposed": [*quote.supposed]}


def _claim(found: Json, modules: frozenset[str], build: Callable[[], Claim], place: tuple[object, ...]) -> Unbuilt:
    said = cast("dict[str, Any]", found)
    quote: Mapping[str, Any] | None = said["printed"]
    known: dict[str, object] = _absent(said["absent"])
    known["fills"] = tuple(Gap(*pair) for pair in said["fills"])
    known["printed"] = None if quote is None else _quote(quote, build)
    told: dict[str, object] = {name: said[name] for name in _PLAIN}
    told |= {name: tuple(said[name]) for name in _LISTS}
    told |= {"modules": modules, "equations": tuple(said["equations"])}
    told["steps"] = tuple(
        _claim(step, modules, partial(_step_of, build, number), (*place, number))
        for number, step in enumerate(said["steps"])
    )
    return unbuilt(build, told, known, (_made_there, place))


def _step_of(build: Callable[[], Claim], number: int) -> Claim:
    return build().steps[number]


def _quote(said: Mapping[str, Any], build: Callable[[], Claim]) -> Quote:
    told: dict[str, object] = {name: said[name] for name in _PLAIN_OF_QUOTE}
    told |= {"fails_at": tuple(map(tuple, said["fails_at"])), "supposed": tuple(said["supposed"])}
    return unbuilt_quote(partial(_quote_of, build), told, _absent(said["absent"]))


def _quote_of(build: Callable[[], Claim]) -> Quote:
    return cast(Quote, build().printed)


def _absent(names: Iterable[str]) -> dict[str, object]:
    return {name: None if name in ("derivation", "oracle") else () for name in names}
