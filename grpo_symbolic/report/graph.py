"""How the results of a paper depend on each other, drawn in rows: boxes and edges as a PDF, words by LaTeX.

The words are set by LaTeX over the drawing, so that they have the page's fonts, its section numbers and its links.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.keeping import kept
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.judging.errata import is_erratum
from grpo_symbolic.report.layout import Grid, Layout, layered
from grpo_symbolic.report.links import Links, label
from grpo_symbolic.report.tex import Tex, escape
from grpo_symbolic.report.verification import is_open

if TYPE_CHECKING:
    from grpo_symbolic.derivation.library import Library
    from grpo_symbolic.judging.claims import Judged

#: In millimetres on the standalone page, whose text is 158 wide.
_GRID = Grid(width=158, box_width=28.5, box_height=13.5, gap=2, row_gap=11, lane=0.4)
#: What leaves room for the caption.
_TALLEST = 225.0
#: By so much a box is drawn smaller, because half of a frame on the page's edge would be cut off.
_FRAME = 0.6
_INCH = 25.4

#: A result with those of its claims that were judged.
Part = tuple[Result, Sequence[Claim]]
Edge = tuple[str, str]


@dataclass(frozen=True)
class GraphNode:
    """The words in one box, by its centre from the bottom left."""

    across: Tex
    up: Tex
    label: Tex
    title: Tex


@dataclass(frozen=True)
class GraphView:
    """A graph on the page; ``width`` and ``height`` are in the unit of the boxes' places."""

    authors: Tex
    file: Tex
    width: Tex
    hundredths: Tex
    height: Tex
    box_width: Tex
    nodes: tuple[GraphNode, ...]
    alone: tuple[Tex, ...]


@dataclass(frozen=True)
class Graph:
    """Which results of a paper rest on which, with the place of each and what the drawing needs."""

    paper: Paper
    layout: Layout
    uses: frozenset[Edge]
    wrong: frozenset[str]
    open: frozenset[str]
    titles: Mapping[str, str]
    alone: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the file without extension."""
        return f"{self.paper.id}.dependencies"


def dependency_graphs(library: Library, judged: Mapping[str, Judged]) -> tuple[Graph, ...]:
    """The graphs of all papers, from those of their results that have a judged claim."""
    parts = [(result, [made for made in result.claims if made.id in judged]) for result in library.results]
    parts = [(result, claims) for result, claims in parts if claims]
    papers = dict.fromkeys(result.paper for result, _ in parts)
    return tuple(graph for paper in papers if (graph := dependency_graph(paper, parts, judged)) is not None)


def dependency_graph(paper: Paper, parts: Sequence[Part], judged: Mapping[str, Judged]) -> Graph | None:
    """The graph of the judged results of a paper, or None if none of them depends on another."""
    parts = [(result, claims) for result, claims in parts if result.paper == paper]
    slug_of = {made.id: result.slug for result, claims in parts for made in claims}
    slugs = [result.slug for result, _ in parts]
    uses = dict.fromkeys(
        (slug_of[other], result.slug)
        for result, claims in parts
        for made in claims
        for other in made.uses
        if other in slug_of and slug_of[other] != result.slug
    )
    takes = dict.fromkeys((other, result.slug) for result, _ in parts for other in _imported(result) if other in slugs)
    edges = _reduced([*uses, *(edge for edge in takes if edge not in uses)], frozenset(uses))
    tied = {end for edge in edges for end in edge}
    if not tied:
        return None
    titles = {result.slug: result.title for result, _ in parts}
    return Graph(
        paper,
        _fitted([slug for slug in slugs if slug in tied], edges),
        frozenset(uses),
        frozenset(slug_of[id] for id, item in judged.items() if id in slug_of and _has_erratum(item)),
        frozenset(slug_of[id] for id, item in judged.items() if id in slug_of and is_open(item)),
        titles,
        tuple(slug for slug in slugs if slug not in tied),
    )


def _fitted(nodes: Sequence[str], edges: Sequence[Edge]) -> Layout:
    """The layout with rows as far apart as the page allows, up to the usual distance."""
    layout = layered(nodes, edges, _GRID)
    if layout.height <= _TALLEST:
        return layout
    rows = round((layout.height + _GRID.row_gap) / (_GRID.box_height + _GRID.row_gap))
    gap = (_TALLEST - rows * _GRID.box_height) / (rows - 1)
    return layered(nodes, edges, replace(_GRID, row_gap=max(gap, _GRID.gap)))


def graph_view(graph: Graph, links: Links) -> GraphView:
    """The words of a graph, to be set over its drawing."""
    paper, layout = graph.paper, graph.layout
    return GraphView(
        escape(paper.authors),
        Tex(graph.name),
        _length(layout.width),
        Tex(str(round(100 * layout.width))),
        _length(layout.height),
        _length(_GRID.box_width - 2),
        tuple(
            GraphNode(
                _length(across),
                _length(layout.height - down),
                _section(paper, slug),
                links.title(graph.titles[slug]),
            )
            for slug, (across, down) in layout.centres.items()
        ),
        tuple(Tex(rf"\grporef{{{_section(paper, slug)}}}") for slug in graph.alone),
    )


def draw_graph(graph: Graph, path: Path) -> None:
    """Draw boxes and edges as a PDF of exactly the layout's size; the same graph gives the same bytes."""
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure as Canvas
    from matplotlib.patches import FancyArrowPatch, Rectangle
    from matplotlib.path import Path as Curve

    layout = graph.layout
    canvas = Canvas(figsize=(layout.width / _INCH, layout.height / _INCH))
    FigureCanvasPdf(canvas)
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, layout.width)
    axes.set_ylim(layout.height, 0)
    axes.set_axis_off()
    for edge, points in layout.paths.items():
        vertices, codes = [points[0]], [Curve.MOVETO]
        for (x, y), (to_x, to_y) in pairwise(points):
            bend = (to_y - y) / 2
            vertices += [(x, y + bend), (to_x, to_y - bend), (to_x, to_y)]
            codes += [Curve.CURVE4] * 3
        style = "-" if edge in graph.uses else (0, (3, 2))
        curve = Curve(vertices, codes)
        arrow = FancyArrowPatch(path=curve, arrowstyle="-|>", mutation_scale=5, linewidth=0.6, linestyle=style)
        arrow.set_color("0.15")
        axes.add_patch(arrow)
    for slug, (x, y) in layout.centres.items():
        width, height = _GRID.box_width - _FRAME, _GRID.box_height - _FRAME
        corner = x - width / 2, y - height / 2
        box = Rectangle(corner, width, height, facecolor="1.0", edgecolor="0.0", zorder=3)
        box.set(linewidth=1.4 if slug in graph.wrong else 0.4, linestyle="--" if slug in graph.open else "-")
        axes.add_patch(box)
    canvas.savefig(path, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})


def _imported(result: Result) -> list[str]:
    """The modules beside a result's own from which it takes formulas, by their own names."""
    package, _, own = result.module.rpartition(".")
    place = getattr(sys.modules[result.module], "__file__", None)
    if place is None:
        return []  # typed in, not read from a file
    taken = _taken(Path(place).read_text(encoding="utf-8"))
    return [name.rpartition(".")[2] for name in taken if name.rpartition(".")[0] == package and name != own]


# The pages and the drawings of one report have the same graphs.
@lru_cache(maxsize=256)
def _taken(source: str) -> tuple[str, ...]:
    """The modules from which a source imports something by name."""

    def found() -> Json:
        nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
        return [node.module for node in nodes if node.module]

    names = kept("taken", (source,), found)
    return tuple(map(str, names)) if isinstance(names, list) else ()


def _reduced(edges: Sequence[Edge], kept: frozenset[Edge]) -> list[Edge]:
    """The edges without those that a longer way implies; those in ``kept`` stay."""
    after: dict[str, list[str]] = {}
    for first, second in edges:
        after.setdefault(first, []).append(second)

    def reaches(start: str, goal: str) -> bool:
        waiting, seen = list(after.get(start, ())), set[str]()
        while waiting:
            node = waiting.pop()
            if node == goal:
                return True
            if node not in seen:
                seen.add(node)
                waiting += after.get(node, ())
        return False

    return [
        edge
        for edge in edges
        if edge in kept or not any(reaches(middle, edge[1]) for middle in after[edge[0]] if middle != edge[1])
    ]


def _has_erratum(item: Judged) -> bool:
    return is_erratum(item)


def _section(paper: Paper, slug: str) -> Tex:
    return label(f"{paper.id}.{slug}.section")


def _length(millimetres: float) -> Tex:
    return Tex(f"{millimetres:.2f}")
