"""Lay out a directed graph without cycles in rows: what rests on something stands below it.

The usual three steps of layered drawing, small enough for some dozens of nodes: give every node a row, order each
row by the places of its neighbours in other rows so that few edges cross, then move nodes towards their
neighbours as far as the order allows. Edges across several rows need a narrow lane in each row they cross; those
that leave the same node share it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from grpo_symbolic.errors import ReportError

#: A node is a name; a lane is the node from which edges come, with the number of the row that they cross.
_Lane: TypeAlias = tuple[str, int]
_Item: TypeAlias = str | _Lane

_SWEEPS = 24


@dataclass(frozen=True)
class Grid:
    """Sizes in one unit: the page's width, boxes and the gaps between them, the width of a lane.

    A row that needs more room than the page has makes the layout wider.
    """

    width: float
    box_width: float
    box_height: float
    gap: float
    row_gap: float
    lane: float

    @property
    def capacity(self) -> int:
        """How many boxes fit into a row."""
        return max(1, int((self.width + self.gap) / (self.box_width + self.gap)))


@dataclass(frozen=True)
class Layout:
    """Centres of the boxes, from the top left, and edges as polylines from the upper box's foot to the lower's top."""

    width: float
    height: float
    centres: Mapping[str, tuple[float, float]]
    paths: Mapping[tuple[str, str], tuple[tuple[float, float], ...]]


def layered(nodes: Sequence[str], edges: Sequence[tuple[str, str]], grid: Grid) -> Layout:
    """Place ``nodes`` so that each edge leads from a higher row to a lower one; the same graph looks the same.

    Raises:
        ReportError: if the edges go in a circle.
    """
    row_of = _rows(nodes, edges, grid.capacity)
    rows = _with_lanes(nodes, edges, row_of)
    grid = replace(grid, width=max([grid.width, *(_needed(row, grid) for row in rows)]))
    neighbours = _neighbours(edges, row_of)
    places = _spread(rows, grid)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            row.sort(key=lambda item: _wish(item, neighbours, places))
        places = _spread(rows, grid)
    for _ in range(_SWEEPS):
        for row in rows:
            wishes = [_wish(item, neighbours, places) for item in row]
            places |= _packed(row, wishes, grid)
    return _drawn(rows, edges, row_of, _centred(places, grid), grid)


def _rows(nodes: Sequence[str], edges: Sequence[tuple[str, str]], capacity: int) -> dict[str, int]:
    """Fill row after row with nodes whose ties upwards are all in earlier rows, at most ``capacity`` in each.

    What can continue the row above comes first, so that edges are short; what rests on nothing comes when there is
    room for it.
    """
    before = {node: [first for first, second in edges if second == node] for node in nodes}
    found: dict[str, int] = {}
    row = 0
    while len(found) < len(nodes):
        ready = [node for node in nodes if node not in found and all(other in found for other in before[node])]
        if not ready:
            raise ReportError(f"a graph to draw has a cycle among {', '.join(set(nodes) - found.keys())}")
        ready.sort(key=lambda node: -max((found[other] for other in before[node]), default=-1))
        found |= dict.fromkeys(ready[:capacity], row)
        row += 1
    return found


def _with_lanes(nodes: Sequence[str], edges: Sequence[tuple[str, str]], row_of: Mapping[str, int]) -> list[list[_Item]]:
    rows: list[list[_Item]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    for node in nodes:
        rows[row_of[node]].append(node)
    for lane in dict.fromkeys(lane for edge in edges for lane in _chain(edge, row_of)[1:-1]):
        rows[int(lane[1])].append(lane)
    return rows


def _chain(edge: tuple[str, str], row_of: Mapping[str, int]) -> list[_Item]:
    """The edge's ends with the lanes between them."""
    first, second = edge
    return [first, *((first, row) for row in range(row_of[first] + 1, row_of[second])), second]


def _neighbours(edges: Sequence[tuple[str, str]], row_of: Mapping[str, int]) -> dict[_Item, list[_Item]]:
    found: dict[_Item, list[_Item]] = {}
    for upper, lower in dict.fromkeys(pair for edge in edges for pair in pairwise(_chain(edge, row_of))):
        found.setdefault(upper, []).append(lower)
        found.setdefault(lower, []).append(upper)
    return found


def _wish(item: _Item, neighbours: Mapping[_Item, Sequence[_Item]], places: Mapping[_Item, float]) -> float:
    """Where an item would like to be: at the mean of its neighbours, or where it is."""
    near = [places[other] for other in neighbours.get(item, ())]
    return sum(near) / len(near) if near else places[item]


def _spread(rows: Sequence[Sequence[_Item]], grid: Grid) -> dict[_Item, float]:
    """Places of all items, each row packed and centred."""
    places: dict[_Item, float] = {}
    for row in rows:
        left = (grid.width - _needed(row, grid)) / 2
        for item in row:
            size = _size(item, grid)
            places[item] = left + size / 2
            left += size + grid.gap
    return places


def _needed(row: Sequence[_Item], grid: Grid) -> float:
    return sum(_size(item, grid) for item in row) + grid.gap * (len(row) - 1)


def _size(item: _Item, grid: Grid) -> float:
    return grid.box_width if isinstance(item, str) else grid.lane


def _packed(row: Sequence[_Item], wishes: Sequence[float], grid: Grid) -> dict[_Item, float]:
    """Places as near as possible to the wishes, in the given order, without overlaps and inside the page.

    Less what stands to its left, an item's place must not be smaller than its left neighbour's: this is isotonic
    regression, solved by pooling neighbours that are in the wrong order.
    """
    offsets, left = [], 0.0
    for item in row:
        size = _size(item, grid)
        offsets.append(left + size / 2)
        left += size + grid.gap
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=True):
        mean, count = wish - offset, 1
        while pools and pools[-1][0] > mean:
            before, more = pools.pop()
            mean, count = (before * more + mean * count) / (more + count), more + count
        pools.append((mean, count))
    shifts = [mean for mean, count in pools for _ in range(count)]
    room = grid.width - _needed(row, grid)
    return {item: max(0.0, min(shift, room)) + offset for item, shift, offset in zip(row, shifts, offsets, strict=True)}


def _centred(places: Mapping[_Item, float], grid: Grid) -> dict[_Item, float]:
    """The same places with as much room to the left of all as to the right."""
    left = min((place - _size(item, grid) / 2 for item, place in places.items()), default=0.0)
    right = max((place + _size(item, grid) / 2 for item, place in places.items()), default=0.0)
    return {item: place + (grid.width - left - right) / 2 for item, place in places.items()}


def _drawn(
    rows: Sequence[Sequence[_Item]],
    edges: Sequence[tuple[str, str]],
    row_of: Mapping[str, int],
    places: Mapping[_Item, float],
    grid: Grid,
) -> Layout:
    pitch = grid.box_height + grid.row_gap
    middle = [number * pitch + grid.box_height / 2 for number in range(len(rows))]
    centres = {node: (places[node], middle[row]) for node, row in row_of.items()}
    paths = {}
    for edge in edges:
        first, *lanes, last = _chain(edge, row_of)
        points = [(places[first], middle[row_of[edge[0]]] + grid.box_height / 2)]
        for crossed, lane in enumerate(lanes, start=row_of[edge[0]] + 1):
            top = middle[crossed] - grid.box_height / 2
            points += [(places[lane], top), (places[lane], top + grid.box_height)]
        points.append((places[last], middle[row_of[edge[1]]] - grid.box_height / 2))
        paths[edge] = tuple(points)
    height = len(rows) * pitch - grid.row_gap if rows else 0.0
    return Layout(grid.width, height, centres, paths)
