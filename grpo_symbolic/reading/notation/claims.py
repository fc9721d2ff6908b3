"""The ``[[definition]]``, ``[[claim]]`` and ``[[ignore]]`` tables of a notation map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.map import KINDS, Address, ClaimEntry, DefinitionEntry, IgnoreEntry, MapError
from grpo_symbolic.reading.notation.pieces import known_only, strings_of
from grpo_symbolic.reading.places import Place


def _address(table: Mapping[str, Any], place: Place) -> Address:
    chosen = {key: table[key] for key in ("label", "tag", "quote") if key in table}
    if len(chosen) > 1:
        raise MapError(place, "an entry is about a label, a tag or a quote", "write label = 'eq:1'")
    step = table.get("step")
    if step is not None and (not isinstance(step, int) or step < 1):
        raise MapError(place, "step is not a whole number from 1")
    for by, value in chosen.items():
        texts = strings_of(value, place, by)
        if not all(text.strip() for text in texts):
            raise MapError(place, f"an empty {by} says nothing", "write label = 'eq:1'")
        return Address(place, by, texts, step)
    return Address(place, step=step)


def definition_of(document: Document, table: Mapping[str, Any], number: int) -> DefinitionEntry:
    """What a ``[[definition]]`` says."""
    place = document.place("definition", number)
    known_only(
        table,
        ("label", "tag", "quote", "step", "params", "holes", "tex", "name"),
        lambda _: place,
        "property of a definition",
    )
    holes = table.get("holes", {})
    if not isinstance(holes, dict) or not all(isinstance(value, str) for value in holes.values()):
        raise MapError(place, "holes is not a table of LaTeX", "write holes = { P = '\\pi' }")
    parameters = strings_of(table["params"], place, "params") if table.get("params") else ()
    patterns = strings_of(table["tex"], place, "tex") if "tex" in table else ()
    return DefinitionEntry(_address(table, place), parameters, holes, patterns, str(table.get("name", "")))


def ignore_of(document: Document, table: Mapping[str, Any], number: int) -> IgnoreEntry:
    """What an ``[[ignore]]`` says."""
    place = document.place("ignore", number)
    keys = ("label", "tag", "quote", "file", "code", "reason")
    known_only(table, keys, lambda _: place, "property of an ignore")
    reason = table.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise MapError(place, "something is ignored without a reason", "write reason = '...'")
    found = {key: strings_of(table[key], place, key) if key in table else () for key in keys[:-1]}
    if not any(found[key] for key in ("label", "tag", "quote", "file")):
        raise MapError(place, "an ignore does not say of what", "write label = 'eq:1', quote = '...' or file = '...'")
    if not all(text.strip() for texts in found.values() for text in texts):
        raise MapError(place, "an empty text says nothing", "write label = 'eq:1'")
    labels = (*found["label"], *found["tag"])
    return IgnoreEntry(place, " ".join(reason.split()), found["code"], labels, found["quote"], found["file"])


def claim_of(table: Mapping[str, Any], place: Place) -> ClaimEntry:
    """What a ``[[claim]]`` says, apart from ``put`` and ``where``."""
    keys = (
        "label",
        "tag",
        "quote",
        "step",
        "kind",
        "of",
        "solve",
        "unique",
        "assume",
        "varies",
        "put",
        "where",
        "reason",
    )
    known_only(table, keys, lambda _: place, "property of a claim")
    kind = table.get("kind")
    if kind is None and not table.keys().isdisjoint(("assume", "varies", "put", "where")):
        kind = "identity"
    if kind not in KINDS:
        raise MapError(place, f"{kind!r} is no kind of claim", f"known: {', '.join(KINDS)}")
    listed = {key: strings_of(table[key], place, key) if key in table else () for key in ("of", "assume", "varies")}
    solve, reason = str(table.get("solve", "")), str(table.get("reason", ""))
    if kind == "solution" and not (solve and listed["of"]):
        raise MapError(
            place, "a solution does not say of what and for which symbol", "write of = '...' and solve = 'x'"
        )
    unique = table.get("unique", False)
    if not isinstance(unique, bool) or (unique and kind != "solution"):
        raise MapError(
            place, "unique is about a solution, and true or false", "write kind = 'solution' and unique = true"
        )
    if kind in ("consequence", "equivalent") and not listed["of"] and not listed["assume"]:
        raise MapError(place, f"a claim of kind {kind} does not say of what", "write of = 'eq:1'")
    if kind == "skip" and not reason:
        raise MapError(place, "a display is skipped without a reason", "write reason = '...'")
    return ClaimEntry(
        _address(table, place),
        kind,
        listed["of"],
        solve,
        listed["assume"],
        listed["varies"],
        reason=reason,
        unique=unique,
    )
