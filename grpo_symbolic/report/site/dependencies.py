"""What depends on what: claims with those that rest on them, and drawings of results and of the claims in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.report.layout import Grid, Layout, layered
from grpo_symbolic.report.verification import is_open

if TYPE_CHECKING:
    from grpo_symbolic.judging.claims import Judged

# Their width and the round corners are the style sheet's to draw: they are the same in all of more than two thousand.
_GRID = Grid(width=1060, box_width=196, box_height=74, gap=14, row_gap=66, lane=3)
_SMALL = Grid(width=860, box_width=196, box_height=72, gap=14, row_gap=46, lane=3)
_LINE, _LETTERS, _LINES = 15, 27, 4
#: The state of a box, worst first: that of the worst claim in it.
STATES = ("refuted", "undecided", "erratum", "supported", "assumed", "decided", "proved")


@dataclass(frozen=True)
class Box:
    """A box: what it says, its number, where it leads, and its state."""

    id: str
    number: str
    title: str
    address: str
    state: str


def claim_edges(claims: Mapping[str, Claim], judged: Mapping[str, Judged]) -> list[tuple[str, str]]:
    """Pairs of claims of which the second rests on the first, in the order of the first one's first use."""
    edges = dict.fromkeys(
        (other, made.id) for made in claims.values() for other in _below(made, judged) if other in claims
    )
    return [edge for edge in edges if edge[0] != edge[1]]


def _below(made: Claim, judged: Mapping[str, Judged]) -> list[str]:
    return [*made.uses, *judged[made.id].since]


def state_of(item: Judged) -> str:
    """How a claim is coloured: by its verdict, or by what is worse about it."""
    if item.verdict is Verdict.REFUTED and item.claim.refuted is None:
        return "refuted"
    if is_erratum(item):
        return "erratum"
    if item.claim.assumed:
        return "assumed"
    if is_open(item):
        return item.verdict.value.lower()
    return "proved" if item.verdict is Verdict.PROVED else "decided"


def worst(states: Sequence[str]) -> str:
    """The state of several claims together."""
    return min(states, key=STATES.index)


def drawn(nodes: Sequence[Box], edges: Sequence[tuple[str, str]], label: str, *, small: bool = False) -> str:
    """The boxes and edges as SVG with links; the title of each box says what it is in full."""
    grid = _SMALL if small else _GRID
    known = {node.id: node for node in nodes}
    edges = _reduced([edge for edge in edges if set(edge) <= known.keys()])
    numbers = {node.id: number for number, node in enumerate(nodes)}
    layout = layered([node.id for node in nodes], edges, grid)
    width, height = layout.width + 4, layout.height + 4
    return "".join(
        [
            f'<svg class="graph" viewBox="-2 -2 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
            f'role="group" aria-label="{escape(label)}">',
            *(_edge(layout, edge, numbers) for edge in edges),
            *(_box(known[id], numbers[id], centre, grid, small=small) for id, centre in layout.centres.items()),
            "</svg>",
        ]
    )


def _reduced(edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The edges without those that a longer way implies."""
    after: dict[str, set[str]] = {}
    for first, second in edges:
        after.setdefault(first, set()).add(second)
    reach: dict[str, set[str]] = {}

    def beyond(node: str) -> set[str]:
        if node not in reach:
            reach[node] = set()
            reach[node] = set().union(*({other} | beyond(other) for other in after.get(node, ())))
        return reach[node]

    return [edge for edge in edges if not any(edge[1] in beyond(middle) for middle in after[edge[0]] - {edge[1]})]


def _edge(layout: Layout, edge: tuple[str, str], numbers: Mapping[str, int]) -> str:
    places = layout.paths[edge]
    # What goes straight down needs no point on its way.
    between = zip(places, places[1:], places[2:], strict=False)
    bends = (here for before, here, after in between if not before[0] == here[0] == after[0])
    points = [places[0], *bends, places[-1]]
    (x, y), path = points[0], f"M{_short(points[0][0])} {_short(points[0][1])}"
    for to_x, to_y in points[1:]:
        bend = (to_y - y) / 2
        ends = (to_x, to_y) if x == to_x else (x, y + bend, to_x, to_y - bend, to_x, to_y)
        path += f"{'L' if x == to_x else 'C'}{' '.join(map(_short, ends))}"
        x, y = to_x, to_y
    return f'<path d="{path}" data-from="{numbers[edge[0]]}" data-to="{numbers[edge[1]]}"/>'


def _short(length: float) -> str:
    """A length to a tenth, which is written only if there is one."""
    return f"{length:.1f}".removesuffix(".0")


def anchor_of_box(file: str) -> str:
    """Where the box of a result stands in the graph of all results."""
    return file.removesuffix(".html")


def _box(node: Box, number: int, centre: tuple[float, float], grid: Grid, *, small: bool) -> str:
    x, y = centre
    lines = _wrapped(f"{node.number} {node.title}".strip())
    first = y - (len(lines) - 1) * _LINE / 2 + 4
    words = "".join(
        f'<tspan x="{x:.0f}" y="{first + _LINE * row:.0f}">{escape(line, quote=False)} </tspan>'
        for row, line in enumerate(lines)
    )
    anchor = "" if small else f' id="{anchor_of_box(node.id)}"'
    said = escape(f"{node.number} {node.title}: {node.state}", quote=False)
    # Of most nodes the words are in the box, and that they are decided is what one takes for granted.
    named = "" if node.state == "decided" and not lines[-1].endswith("…") else f"<title>{said}</title>"
    return (
        f'<a href="{escape(node.address)}" class="node {node.state}"{anchor} data-id="{number}">{named}'
        f'<rect x="{_short(x - grid.box_width / 2)}" y="{_short(y - grid.box_height / 2)}" '
        f'height="{grid.box_height}"/><text>{words}</text></a>'
    )


def _wrapped(text: str) -> list[str]:
    """The first lines of a title; what does not fit is left out, and said by three dots."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    shown = lines[:_LINES]
    if len(lines) > _LINES:
        shown[-1] = f"{shown[-1][: _LETTERS - 1]}…"
    return shown
