"""Layered drawing: edges lead down, boxes do not overlap, rows fit, and the same graph looks the same."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic.errors import ReportError
from grpo_symbolic.report.graph import dependency_graphs, draw_graph
from grpo_symbolic.report.layout import Grid, layered

GRID = Grid(width=100, box_width=18, box_height=10, gap=2, row_gap=8, lane=0.5)
NAMES = [f"node-{number}" for number in range(14)]


@st.composite
def graphs(draw):
    nodes = NAMES[: draw(st.integers(1, len(NAMES)))]
    pairs = list(combinations(nodes, 2))
    return nodes, draw(st.lists(st.sampled_from(pairs), unique=True, max_size=25)) if pairs else []


@given(graph=graphs())
def test_boxes_keep_apart_and_edges_lead_down(graph):
    nodes, edges = graph
    layout = layered(nodes, edges, GRID)
    assert layout == layered(nodes, edges, GRID)
    assert set(layout.centres) == set(nodes)
    for (x, y), (other_x, other_y) in combinations(layout.centres.values(), 2):
        assert abs(x - other_x) >= GRID.box_width + GRID.gap - 1e-9 or abs(y - other_y) >= GRID.box_height
    for x, y in layout.centres.values():
        assert GRID.box_width / 2 - 1e-9 <= x <= layout.width - GRID.box_width / 2 + 1e-9
        assert GRID.box_height / 2 <= y <= layout.height - GRID.box_height / 2 + 1e-9
    for edge in edges:
        points = layout.paths[edge]
        assert all(upper[1] < lower[1] for upper, lower in pairwise(points))
        assert points[0][0] == layout.centres[edge[0]][0]
        assert points[-1][0] == layout.centres[edge[1]][0]


@given(graph=graphs())
def test_no_edge_runs_through_a_box(graph):
    nodes, edges = graph
    layout = layered(nodes, edges, GRID)
    for points in layout.paths.values():
        for (x, y), (to_x, to_y) in pairwise(points):
            for centre_x, centre_y in layout.centres.values():
                if y < centre_y < to_y:  # the part beside a row of boxes
                    assert x == to_x
                    assert abs(x - centre_x) > GRID.box_width / 2


def test_rows_hold_as_many_boxes_as_fit():
    layout = layered(NAMES, [], GRID)
    rows = [y for _, y in layout.centres.values()]
    assert GRID.capacity == 5
    assert max(map(rows.count, rows)) == 5
    assert layout.width == GRID.width


def test_a_chain_is_a_column():
    chain = NAMES[:4]
    layout = layered(chain, list(pairwise(chain)), GRID)
    assert len({x for x, _ in layout.centres.values()}) == 1


def test_a_circle_cannot_be_drawn():
    with pytest.raises(ReportError, match="cycle among"):
        layered(["a", "b"], [("a", "b"), ("b", "a")], GRID)


@pytest.mark.slow
def test_the_graphs_of_the_papers(assessment, tmp_path):
    graphs = dependency_graphs(assessment.library, assessment.judged)
    assert [graph.paper for graph in graphs] == list(dict.fromkeys(item.paper for item in assessment.library.results))
    for graph in graphs:
        results = [item.slug for item in assessment.library.results if item.paper == graph.paper]
        assert set(graph.layout.centres) | set(graph.alone) == set(results)
        assert graph.uses <= graph.layout.paths.keys()
        assert graph.layout.height < 235, "does not fit on a page"
        draw_graph(graph, tmp_path / "graph.pdf")
        drawn = (tmp_path / "graph.pdf").read_bytes()
        assert drawn.startswith(b"%PDF")
        draw_graph(graph, tmp_path / "again.pdf")
        assert drawn == (tmp_path / "again.pdf").read_bytes()
