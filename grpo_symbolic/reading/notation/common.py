"""Notation that means the same in every paper with a map, unless the map says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.reading.notation.entries import Entry, Family, Template
from grpo_symbolic.reading.notation.map import Notation
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.notation.tables import entries_of
from grpo_symbolic.reading.places import Place, Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.retype import compact

_TABLES = (
    {"tex": r"\operatorname{clip}(#x, #low, #high)", "is": "max(low, min(x, high))", "name": "clip"},
    {"tex": r"\operatorname{mean}(#x, \dots)", "is": "mean(x)"},
)
_DIVERGENCES = (r"\mathrm{KL}", r"D_{\mathrm{KL}}", r"\mathrm{D}_{\mathrm{KL}}")


def with_common(notation: Notation) -> Notation:
    """A map with what needs no entry in it: clipping, the mean of a list, the divergence of two distributions.

    The divergence sums over the one set over which the map declares families that are distributions.
    """
    place = Place(Source("notation that needs no declaration", ""), 0, 0)
    found = [entry for table in _TABLES for entry in entries_of(table, place, {}, {}, {})]
    return replace(notation, common=(*found, *_divergences(notation)))


def _divergences(notation: Notation) -> Iterator[Entry]:
    index = _index_of_outputs(notation)
    if index is None:
        return
    body = rf"\mathbb{{E}}_{{{index} \sim #P}}[\log \frac{{#P({index})}}{{#Q({index})}}]"
    meaning = Template(normal(parse_tree(body, holes=True, name="divergence")), of_distributions=True)
    for head in _DIVERGENCES:
        try:
            yield Entry(Pattern.of(rf"{head}(#P \| #Q)"), meaning, "KL")
        except DeclarationError:  # never: the patterns are ours
            continue


def _index_of_outputs(notation: Notation) -> str | None:
    """An index over the set of which the map declares distributions; none if it has none, or several such sets."""
    layers = (notation.entries, *(section.entries for section in notation.sections))
    sets = {
        tuple(label for (label,) in entry.meaning.values)
        for layer in layers
        for entry in layer
        if isinstance(entry.meaning, Family) and (entry.meaning.alone or entry.meaning.distribution)
    }
    found = {labels for labels in sets if labels}
    if len(found) != 1:
        return None
    (labels,) = found
    indices = [nodes for nodes, values in notation.labels.items() if set(values) == set(labels)]
    return compact(indices[0]) if indices else None
