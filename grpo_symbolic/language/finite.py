"""Statements about sets of any size, written out for sets of so many elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

from grpo_symbolic.language.expression import Expression, Total, free_indices
from grpo_symbolic.language.further import has_pairs
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.inside import nodes_of
from grpo_symbolic.language.outputs import Written
from grpo_symbolic.language.statement import Statement, expressions_of, map_expressions

#: How many elements other sets have where the first one has so many.
SIZES: Mapping[int, int] = {1: 1, 2: 3, 3: 1}


def has_several_indices(*parts: Statement | Expression) -> bool:
    """Whether elements of several sets, or several elements of one, are spoken of or summed over."""
    expressions = [side for part in parts for side in expressions_of(part)]
    sums = nodes_of(Total, *expressions)
    further = any(total.over is not None and total.over.of is not None for total in sums)
    return further or has_pairs(*expressions) or len(index_sets(*expressions)) > 1


def finite(
    hypotheses: Sequence[Statement], conclusion: Statement, defined: Sequence[Expression], elements: int
) -> tuple[tuple[Statement, ...], Statement, tuple[Expression, ...]]:
    """Hypotheses for every element, and a conclusion and what it defines for the first one.

    A further element is the second one. Elements are numbered from 1, so that ``x[2]`` is the coordinate of the second
    one. The first set has so many elements, and others as many as ``SIZES`` says.
    """
    sides = [side for item in (*hypotheses, conclusion) for side in expressions_of(item)]
    sets = index_sets(*sides, *defined)
    sizes = [elements, *(SIZES.get(elements, elements) for _ in sets[1:])]
    labels = {over: _labels(size) for over, size in zip(sets, sizes, strict=False)}

    written = Written(labels, _labels(elements), "1")
    return (
        tuple(dict.fromkeys(chain.from_iterable(everywhere(one, written) for one in hypotheses))),
        map_expressions(conclusion, written.out),
        tuple(map(written.out, defined)),
    )


def everywhere(statement: Statement, written: Written) -> Iterator[Statement]:
    """A statement at every element of which it speaks."""
    free = dict.fromkeys(one for side in expressions_of(statement) for one in free_indices(side))
    for chosen in product(*(written.labels[one.whole] for one in free)):
        yield map_expressions(statement, replace(written, are=dict(zip(free, chosen, strict=True))).out)


def _labels(size: int) -> list[str]:
    return [str(number) for number in range(1, size + 1)]
