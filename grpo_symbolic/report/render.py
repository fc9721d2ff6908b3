"""Write the report: the appendix fragment with its style file, the standalone document, figures, and the PDF."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import jinja2

from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.errors import ReportError
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report import compile, figures
from grpo_symbolic.report.graph import dependency_graphs, draw_graph
from grpo_symbolic.report.letters import check_letters
from grpo_symbolic.report.notes import note_name, note_program, notes
from grpo_symbolic.report.readback import ReadBack, read_report_back
from grpo_symbolic.report.shorthand import shown_claims
from grpo_symbolic.report.site.renamed import renamed
from grpo_symbolic.report.site.write import Extras, write_site
from grpo_symbolic.report.tex import environment
from grpo_symbolic.report.view import Assessed, ReportView, report_view

_TEMPLATES = Path(__file__).parent / "templates"
_STYLE = "grpo-appendix.sty"


@dataclass(frozen=True)
class Rendered:
    """The files that were written; ``hint`` tells of a PDF that is not one of them. ``read_back`` counts the formulas.

    ``site`` are the files of the site, of which the first is its front.
    """

    files: tuple[Path, ...]
    site: tuple[Path, ...]
    pdf: Path | None
    hint: str | None
    read_back: ReadBack


def render(
    assessment: Assessed, out: Path, *, pdf: bool, lines: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> Rendered:
    """Write the report on an assessment into the folder ``out``, and compile it if ``pdf`` is true.

    ``lines`` has the text of rows of papers, by paper and digest, for a site that is not published. Everything is built
    in a temporary folder beside ``out`` first: a build that fails or is interrupted leaves the files of the last one
    whole.

    Raises:
        DeclarationError: if a letter stands for two things where nothing tells them apart.
        ReportError: if a formula was not read back and is not listed, or reads as something else than it was printed
            from, a template prints something that is not escaped, a figure cannot be drawn, or the TeX engine reports
            an error.
    """
    check_letters(assessment.library, assessment.judged)
    view = report_view(assessment)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".report-", dir=out) as scratch:
        folder = Path(scratch) / "new"
        _write(view, folder)
        made_notes = _write_notes(assessment, folder)
        claims = shown_claims(assessment.library)
        page = (folder / "appendix.tex").read_text(encoding="utf-8")
        read_back = read_report_back(view, claims, page, listed(assessment.library, assessment.judged))
        site = Path(scratch) / "site"
        write_site(view, assessment, site, Extras(read_back.said, renamed(assessment.library), lines))
        _draw(assessment, folder / "figures", site / "figures")
        hint = None
        if pdf and compile.engine() is not None:
            _compile(folder, Path(scratch) / "tex", ["report", *made_notes])
        elif pdf:
            hint = compile.HINT
        files = _publish(folder, out)
        pages = _swap(site, out / "site", Path(scratch) / "before")
    made = out / "report.pdf"
    # What is older would tell of another report; but who wants no PDF has not asked for one to be deleted.
    older = sorted(path for path in {made, *out.glob("note-*.*")} - set(files) if path.is_file())
    if pdf:
        for path in older:
            path.unlink()
    elif older:
        names = ", ".join(path.name for path in older)
        hint = f"of an earlier report are still there: {names}; without --no-pdf they are made again or taken away"
    return Rendered(files, pages, made if made in files else None, hint, read_back)


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


def _draw(assessment: Assessed, folder: Path, pages: Path) -> None:
    """Draw everything into the folder of vector figures; the pages' folder gets those that they show."""
    folder.mkdir()
    pages.mkdir()
    drawn: dict[str, Figure] = {}
    for result in assessment.library.results:
        if result.figures is None or not any(made.id in assessment.judged for made in result.claims):
            continue
        for figure in result.figures():
            if figure.id in drawn:
                raise ReportError(f"two figures are called {figure.id!r}; rename the one in {result.module}")
            drawn[figure.id] = figure
            figures.draw(figure, folder / f"{figure.id}.pdf", pages / f"{figure.id}.svg")
    for graph in dependency_graphs(assessment.library, assessment.judged):
        draw_graph(graph, folder / f"{graph.name}.pdf")


def _compile(folder: Path, scratch: Path, names: Iterable[str]) -> None:
    """Compile in a copy, so that auxiliary files stay out of the report's folder."""
    shutil.copytree(folder, scratch)
    for name in names:
        shutil.copyfile(compile.compile_pdf(scratch, name), folder / f"{name}.pdf")


def _publish(folder: Path, out: Path) -> tuple[Path, ...]:
    """Move finished files to their places; each replaces its predecessor in one step."""
    published = []
    for source in sorted(path for path in folder.rglob("*") if path.is_file()):
        target = out / source.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
        published.append(target)
    return tuple(published)


def _swap(folder: Path, target: Path, before: Path) -> tuple[Path, ...]:
    """Put a finished folder into its place: it is always whole or, for an instant, absent."""
    if target.exists():
        os.replace(target, before)
    os.replace(folder, target)
    front = target / "index.html"
    others = sorted(path for path in target.rglob("*") if path.is_file() and path != front)
    return front, *others
