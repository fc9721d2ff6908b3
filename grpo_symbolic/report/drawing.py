"""Draw all figures and graphs of a report beside other work; what was drawn of the same before is copied."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.processes.beside import beside
from grpo_symbolic.report import figures
from grpo_symbolic.report.graph import dependency_graphs, draw_graph
from grpo_symbolic.report.view import Assessed

#: Fewer are drawn more quickly than a copy of this process could import what draws.
_FEW = 4


@dataclass(frozen=True)
class _Drawing:
    """What is drawn, into which files, and under what it is kept."""

    subject: object
    draw: Callable[[], None]
    paths: tuple[Path, ...]
    key: str | None

    def found(self, fragments: Fragments) -> bool:
        """Write what is kept of it; whether there was any."""
        kept = fragments.found("figure", self.key)
        if not isinstance(kept, list) or len(kept) != len(self.paths):
            return False
        for path, content in zip(self.paths, kept, strict=True):
            path.write_bytes(base64.b64decode(str(content)))
        return True

    def keep(self, fragments: Fragments) -> None:
        """Keep what was drawn."""
        contents: list[Json] = [base64.b64encode(path.read_bytes()).decode("ascii") for path in self.paths]
        fragments.keep("figure", self.key, contents)


@contextmanager
def drawn(assessment: Assessed, folder: Path, fragments: Fragments) -> Iterator[None]:
    """Draw into a new folder, each figure as PDF and SVG and each graph as PDF; all are there after the block.

    Raises:
        ReportError: if two figures have one name, or one cannot be drawn.
    """
    folder.mkdir()
    missing = [one for one in _drawings(assessment, folder, fragments) if not one.found(fragments)]
    with beside(partial(_draw, missing), worth=len(missing) >= _FEW):
        yield
    for one in missing:
        one.keep(fragments)


def draw_result(result: Result, folder: Path, kinds: Sequence[str], fragments: Fragments) -> None:
    """Draw the figures of a result into a folder, each as files of some kinds, such as ``.pdf``.

    Raises:
        ReportError: if one of them cannot be drawn, or was drawn there before.
    """
    for one in _figures(result, folder, kinds, fragments):
        if one.paths[0].exists():
            raise ReportError(f"two figures are called {one.paths[0].stem!r}; rename the one in {result.module}")
        if not one.found(fragments):
            one.draw()
            one.keep(fragments)


def _draw(drawings: Sequence[_Drawing]) -> None:
    for one in drawings:
        one.draw()


def _drawings(assessment: Assessed, folder: Path, fragments: Fragments) -> Iterator[_Drawing]:
    known: set[Path] = set()
    for result in assessment.library.results:
        if not any(made.id in assessment.judged for made in result.claims):
            continue
        for one in _figures(result, folder, (".pdf", ".svg"), fragments):
            if one.paths[0] in known:
                raise ReportError(f"two figures are called {one.paths[0].stem!r}; rename the one in {result.module}")
            known.add(one.paths[0])
            yield one
    for graph in dependency_graphs(assessment.library, assessment.judged):
        path = folder / f"{graph.name}.pdf"
        yield _drawing(graph, partial(draw_graph, graph, path), (path,), fragments)


def _figures(result: Result, folder: Path, kinds: Sequence[str], fragments: Fragments) -> Iterator[_Drawing]:
    for figure in () if result.figures is None else result.figures():
        paths = tuple(folder / f"{figure.id}{kind}" for kind in kinds)
        yield _drawing(figure, partial(figures.draw, figure, *paths), paths, fragments)


def _drawing(subject: object, draw: Callable[[], None], paths: tuple[Path, ...], fragments: Fragments) -> _Drawing:
    kinds = tuple(path.suffix for path in paths)
    return _Drawing(subject, draw, paths, fragments.key("figure", (subject, kinds)))
