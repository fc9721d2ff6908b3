"""Write the report: the appendix fragment with its style file, the standalone document, figures, and the PDF."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import jinja2

from grpo_symbolic.cache.store import Store
from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.processes.alone import alone_in, scratch_in
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report import compile, figures
from grpo_symbolic.report.graph import dependency_graphs, draw_graph
from grpo_symbolic.report.letters import check_letters
from grpo_symbolic.report.notes import note_name, note_program, notes
from grpo_symbolic.report.readback import ReadBack, read_report_back
from grpo_symbolic.report.shorthand import shown_claims
from grpo_symbolic.report.tex import environment
from grpo_symbolic.report.view import Assessed, ReportView, report_view

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = "grpo-appendix.sty"


Drawn = TypeVar("Drawn")
#: Adds files to those in a folder; told what was read back, and whether there is a PDF.
Finish: TypeAlias = Callable[[Path, ReadBack, bool], None]


@dataclass(frozen=True)
class Rendered:
    """The files that were written; without a PDF, ``hint`` says how to get one. ``read_back`` counts the formulas."""

    files: tuple[Path, ...]
    pdf: Path | None
    hint: str | None
    read_back: ReadBack


def render(
    assessment: Assessed, out: Path, *, pdf: bool, finish: Finish | None = None, cache: Store | None = None
) -> Rendered:
    """Write the report on an assessment into the folder ``out``, and compile it if ``pdf`` is true.

    Everything is built in a temporary folder inside ``out`` first, and ``finish`` may add files there: a build that
    fails or is interrupted leaves the files of the last one whole, and of two builds at once one is published after
    the other. Figures and readings of formulas may be kept in a ``cache``.

    Raises:
        DeclarationError: if a letter stands for two things where nothing tells them apart.
        ReportError: if ``out`` cannot be written, a formula was not read back and is not listed, or reads as something
            else than it was printed from, a template prints something that is not escaped, a figure cannot be drawn, or
            the TeX engine reports an error.
    """
    check_letters(assessment.library, assessment.judged)
    view, fragments = report_view(assessment), Fragments(cache)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with scratch_in(out, ".report-") as scratch:
            folder = scratch / "new"
            _write(view, folder)
            made_notes = _write_notes(assessment, folder)
            claims = shown_claims(assessment.library)
            page = (folder / "appendix.tex").read_text(encoding="utf-8")
            read_back = read_report_back(view, claims, page, listed(assessment.library, assessment.judged), fragments)
            _draw(assessment, folder / "figures", fragments)
            hint = None
            if pdf and compile.engine() is not None:
                _compile(folder, scratch / "tex", ["report", *made_notes])
            elif pdf:
                hint = compile.HINT
            if finish is not None:
                finish(folder, read_back, (folder / "report.pdf").is_file())
            files = _replaced(folder, out)
    except OSError as error:
        raise ReportError(
            f"the report cannot be written to {out}: {error}; the files that are there are as they were: make room, or "
            "name another folder with --out"
        ) from error
    made = out / "report.pdf"
    return Rendered(files, made if made in files else None, hint, read_back)


def _replaced(folder: Path, out: Path) -> tuple[Path, ...]:
    """Put finished files in the place of those of an older report, while no other process does."""
    with alone_in(out):
        files = _publish(folder, out)
        for older in {out / "report.pdf", *out.glob("note-*.*")} - set(files):
            older.unlink(missing_ok=True)  # it would tell of an older report
    return files


def _write(view: ReportView, folder: Path) -> None:
    templates = environment(_TEMPLATES)
    folder.mkdir(parents=True)
    for name in ("appendix.tex", "report.tex"):
        try:
            text = templates.get_template(name).render(view=view)
        except jinja2.TemplateError as error:
            raise ReportError(f"template {name}: {error}") from error
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copyfile(_TEMPLATES / _STYLE, folder / _STYLE)


def _write_notes(assessment: Assessed, folder: Path) -> list[str]:
    """Write a note to the authors of each paper, with its program beside it, and return their names."""
    template = environment(_TEMPLATES).get_template("note.tex")
    names = []
    for paper, note in notes(assessment):
        name = note_name(paper)
        try:
            text = template.render(note=note)
        except jinja2.TemplateError as error:
            raise ReportError(f"template note.tex: {error}") from error
        (folder / f"{name}.tex").write_text(text, encoding="utf-8")
        (folder / f"{name}.py").write_text(note_program(paper, note), encoding="utf-8")
        names.append(name)
    return names


def _draw(assessment: Assessed, folder: Path, fragments: Fragments) -> None:
    folder.mkdir()
    drawn: dict[str, Figure] = {}
    for result in assessment.library.results:
        if result.figures is None or not any(made.id in assessment.judged for made in result.claims):
            continue
        for figure in result.figures():
            if figure.id in drawn:
                raise ReportError(f"two figures are called {figure.id!r}; rename the one in {result.module}")
            drawn[figure.id] = figure
            _draw_or_copy(figure, figures.draw, folder / f"{figure.id}.pdf", fragments)
    for graph in dependency_graphs(assessment.library, assessment.judged):
        _draw_or_copy(graph, draw_graph, folder / f"{graph.name}.pdf", fragments)


def _draw_or_copy(figure: Drawn, draw: Callable[[Drawn, Path], None], path: Path, fragments: Fragments) -> None:
    """Draw a figure, or write what was drawn of the same one before."""

    def drawn() -> bytes:
        draw(figure, path)
        return path.read_bytes()

    content = fragments.kept(
        "figure",
        (figure,),
        drawn,
        lambda made: base64.b64encode(made).decode("ascii"),
        lambda kept: base64.b64decode(str(kept)),
    )
    path.write_bytes(content)


def _compile(folder: Path, scratch: Path, names: Iterable[str]) -> None:
    """Compile in a copy, so that auxiliary files stay out of the report's folder."""
    shutil.copytree(folder, scratch)
    for name in names:
        shutil.copyfile(compile.compile_pdf(scratch, name), folder / f"{name}.pdf")


def _publish(folder: Path, out: Path) -> tuple[Path, ...]:
    """Move finished files to their places; each replaces its predecessor in one step."""
    published = []
    # The manifest last: while it is not there, it does not say that the others are.
    for source in sorted(folder.rglob("*"), key=lambda path: (path.name == "manifest.json", path)):
        if not source.is_file():
            continue
        target = out / source.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
        published.append(target)
    return tuple(published)
