"""Distributions over a finite set that a map declares as such: their probabilities are free, and add up to 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.reading.notation.patterns import Pattern, identifier_of

_SHARES = "(0, 1)"


def probabilities_of(
    table: Mapping[str, Any],
    patterns: Sequence[Pattern],
    symbols: dict[str, Symbol],
    sets: Mapping[str, tuple[str, ...]],
) -> dict[str, str]:
    """A formula for the probability of every member of the set; the free shares in them are added to ``symbols``.

    Every member takes a share of what those before it left, and the last one takes the rest. With
    ``total = { "r1, r2" = "p" }`` these members share ``p``, and the others ``1 - p``.

    Raises:
        DeclarationError: if the table does not say a distribution over a declared set of at least two members.
    """
    labels = sets.get(str(table["distribution"]))
    if labels is None or len(labels) < 2:
        known = ", ".join(sets) or "none"
        raise DeclarationError(f"a distribution is over a declared set of at least two members; known: {known}")
    pattern = patterns[0]
    if len(pattern.holes) != 1 or pattern.lists:
        raise DeclarationError(f"a distribution has one index; {pattern.text} has another number of holes")
    hole = f"#{pattern.holes[0]}"
    stem = str(table.get("name") or identifier_of(pattern.text.split("(")[0].replace(hole, "")))
    formulas: dict[str, str] = {}
    for total, members in _groups(table.get("total", {}), labels):
        left = [] if total == "1" else [total if total.isidentifier() else f"({total})"]
        for label in members[:-1]:
            name = f"{stem}_{label}"
            if name in symbols:
                raise DeclarationError(f"the symbol {name} is declared twice; give the distribution another name")
            whole = not left
            latex = pattern.text.replace(hole, label) if whole else None
            said = f"probability of {label}" if whole else f"share of {label} in what is left to {', '.join(members)}"
            symbols[name] = real(name, _SHARES, str(table.get("meaning") or said), latex=latex)
            formulas[label] = "*".join([*left, name])
            left.append(f"(1 - {name})")
        formulas[members[-1]] = "*".join(left) or "1"
    return {label: formulas[label] for label in labels}


def _groups(totals: object, labels: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What members have together, and which; all of them have 1."""
    if not isinstance(totals, dict) or len(totals) > 1 or not all(isinstance(one, str) for one in totals.values()):
        raise DeclarationError("total says what some members have together; write total = { 'a, b' = 'p' }")
    rest = labels
    for key, formula in totals.items():
        members = tuple(part.strip() for part in key.split(","))
        rest = tuple(label for label in labels if label not in members)
        if len(rest) + len(members) != len(labels) or not rest:
            raise DeclarationError(f"{key!r} are not some, and not all, of {', '.join(labels)}")
        yield formula, members
        yield f"1 - ({formula})" if not formula.isidentifier() else f"1 - {formula}", rest
    if not totals:
        yield "1", labels
