"""Write the report: the appendix fragment with its style file, both documents, figures, and their PDFs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import jinja2

from grpo_symbolic.derivation.keeping import kept_by
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.trusted_base import SEARCH, trusted_base, versions_of
from grpo_symbolic.processes.alone import alone_in, scratch_in
from grpo_symbolic.processes.beside import beside
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report import compile, unaltered
from grpo_symbolic.report.drawing import drawn
from grpo_symbolic.report.letters import check_letters
from grpo_symbolic.report.notes import note_name, note_program, notes
from grpo_symbolic.report.readback import ReadBack, read_report_back, said_by
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.formulas import Formulas
from grpo_symbolic.report.site.kept import SiteKept
from grpo_symbolic.report.site.markup import Converter
from grpo_symbolic.report.site.renamed import renamed
from grpo_symbolic.report.site.write import Extras, pages_environment, write_site
from grpo_symbolic.report.tex import environment, filled
from grpo_symbolic.report.view import Assessed, ReportView, report_view

#: The templates for TeX and Markdown, and the style file among them.
TEMPLATES = Path(__file__).parent / "templates"
STYLE = "grpo-appendix.sty"
_SITE = "site"
#: The folder of files with one result each.
_FRAGMENTS = "appendix"
#: The document that has nothing but the appendix.
_APPENDIX = "appendix-document"


#: Of fewer claims the site is written sooner than a copy of this process is made.
_MANY = 100
#: Adds files to those in a folder; told whether there is a PDF.
Finish: TypeAlias = Callable[[Path, bool], None]
#: Prepares what adds files, while the site is still being written; told what was read back.
Prepare: TypeAlias = Callable[[ReadBack], Finish]


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
    assessment: Assessed,
    out: Path,
    *,
    pdf: bool,
    lines: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    source_url: str | None = None,
    prepare: Prepare | None = None,
    fragments: Fragments | None = None,
    shown: Shown | None = None,
) -> Rendered:
    """Write the report on an assessment into the folder ``out``, and compile it if ``pdf`` is true.

    ``lines`` has the text of rows of papers, by paper and digest, for a site that is not published, and ``source_url``
    makes addresses of the lines at which claims are stated. Everything is built in a temporary folder inside ``out``
    first, and what ``prepare`` gives may add files there: a build that fails or is interrupted leaves the files of the
    last one whole, and of two builds at once one is published after the other. Figures, views and readings of formulas
    may be kept in ``fragments``. ``shown`` are the library's claims with their shorthands, if somebody has them and has
    checked their letters.

    Raises:
        DeclarationError: if a letter stands for two things where nothing tells them apart.
        ReportError: if ``out`` cannot be written, a formula was not read back and is not listed, or reads as something
            else than it was printed from, a template prints something that is not escaped, a figure cannot be drawn, or
            the TeX engine reports an error.
    """
    if shown is None:
        shown = Shown(assessment.library)
        check_letters(shown, assessment.judged)
    fragments = Fragments(None) if fragments is None else fragments
    try:
        out.mkdir(parents=True, exist_ok=True)
        with scratch_in(out, ".report-") as scratch:
            folder = scratch / "new"
            with drawn(assessment, scratch / "drawn", fragments):
                view = report_view(assessment, source_url, shown, fragments)
                read_back, finish = _write_all(view, assessment, shown, folder, out, lines, fragments, prepare)
            _place_figures(scratch / "drawn", folder / "figures", folder / _SITE / "figures")
            hint = None
            if pdf and compile.engine() is not None:
                _compile(folder, scratch / "tex")
            elif pdf:
                hint = compile.HINT
            if finish is not None:
                finish(folder, (folder / "report.pdf").is_file())
            files, pages = _replaced(folder, out, scratch / "before")
    except OSError as error:
        raise ReportError(
            f"the report cannot be written to {out}: {error}; the files that are there are as they were: make room, or "
            "name another folder with --out"
        ) from error
    made, stale = out / "report.pdf", _take_away(out, files, pdf=pdf)
    if stale:
        names = ", ".join(path.name for path in stale)
        hint = f"of an earlier report are still there: {names}; without --no-pdf they are made again or taken away"
    return Rendered(files, pages, made if made in files else None, hint, read_back)


def _write_all(
    view: ReportView,
    assessment: Assessed,
    shown: Shown,
    folder: Path,
    out: Path,
    lines: Mapping[str, Mapping[str, str]],
    fragments: Fragments,
    prepare: Prepare | None,
) -> tuple[ReadBack, Finish | None]:
    """Write the documents and the site, without figures, and read the formulas of the one back for the other.

    What has not changed in ``out`` is taken from there.
    """
    folder.mkdir(parents=True)
    claims = shown.claims

    kept, left = SiteKept(view, claims, fragments), folder.with_name("left")

    def site() -> None:
        # A copy of this process must not touch the store of the original.
        with kept_by(None):
            extras = Extras(said_by(view, claims, kept.said), renamed(assessment.library), lines, kept, out / _SITE)
            write_site(view, assessment, shown, folder / _SITE, extras)
        # A copy of this process leaves nothing but files.
        kept.leave(left)

    # The site takes longest, so all else is done beside it.
    with beside(site, worth=len(assessment.judged) >= _MANY):
        _write(view, folder, out)
        _write_notes(assessment, folder, fragments)
        page = (folder / "appendix.tex").read_text(encoding="utf-8")
        unread = listed(assessment.library, assessment.judged)
        read_back = read_report_back(view, claims, page, unread, fragments)
        finish = None if prepare is None else prepare(read_back)
    kept.take(left)
    return read_back, finish


def _replaced(folder: Path, out: Path, before: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Put finished files in the place of those of an older report, while no other process does; the site's apart."""
    # The manifest last: while it is not there, it does not say that the others are.
    manifest = folder / "manifest.json"
    with alone_in(out):
        files = _publish([path for path in folder.rglob("*") if path != manifest], folder, out)
        pages = _swap(folder / _SITE, out / _SITE, before)
        files += _publish([manifest] if manifest.exists() else [], folder, out)
        for older in set((out / _FRAGMENTS).rglob("*.tex")) - set(files):
            older.unlink(missing_ok=True)
    return files, pages


def prepare() -> None:
    """Do what every report needs, whatever it tells: compile templates, and read what is trusted and its versions."""
    pages = pages_environment(Converter(Formulas({}), lambda label: None))
    for templates, kinds in ((environment(TEMPLATES), ("tex",)), (pages, ("html",))):
        for name in templates.list_templates(kinds):
            templates.get_template(name)
    versions_of(trusted_base().modules)
    trusted_base(SEARCH)


def _take_away(out: Path, files: Iterable[Path], *, pdf: bool) -> list[Path]:
    """Delete what would tell of another report; who wants no PDF has not asked to delete one: then it is named."""
    made = {out / "report.pdf", out / "appendix.pdf", *out.glob("note-*.*")}
    older = sorted(path for path in made - set(files) if path.is_file())
    if not pdf:
        return older
    for path in older:
        path.unlink()
    return []


def _write(view: ReportView, folder: Path, out: Path) -> None:
    templates = environment(TEMPLATES)
    for name in ("appendix.tex", f"{_APPENDIX}.tex", "report.tex"):
        _fill(templates, name, folder / name, view=view)
    shutil.copyfile(TEMPLATES / STYLE, folder / STYLE)
    _write_fragments(view, templates, folder / _FRAGMENTS, out / _FRAGMENTS)


def _fill(templates: jinja2.Environment, name: str, target: Path, before: Path | None = None, **values: object) -> None:
    unaltered.write(target, filled(templates, name, f"{name}, for {target.name}", **values), before)


def _write_fragments(view: ReportView, templates: jinja2.Environment, folder: Path, before: Path) -> None:
    """Write each result as a file of its own, to be put into a paper."""
    for chapter in view.chapters:
        for result in chapter.results:
            target = folder / result.file
            target.parent.mkdir(parents=True, exist_ok=True)
            _fill(templates, "fragment.tex", target, before / result.file, chapter=chapter, result=result)


def _write_notes(assessment: Assessed, folder: Path, fragments: Fragments) -> None:
    """Write a note to the authors of each paper, with its program beside it."""
    templates = environment(TEMPLATES)
    for paper, note in notes(assessment, fragments):
        name = note_name(paper)
        _fill(templates, "note.tex", folder / f"{name}.tex", note=note)
        (folder / f"{name}.py").write_text(note_program(paper, note), encoding="utf-8")


def _place_figures(folder: Path, vector: Path, pages: Path) -> None:
    """Move what was drawn: the site shows SVG, and all else is PDF."""
    vector.mkdir()
    pages.mkdir()
    for path in sorted(folder.iterdir()):
        os.replace(path, (pages if path.suffix == ".svg" else vector) / path.name)


def _compile(folder: Path, scratch: Path) -> None:
    """Compile in a copy, so that auxiliary files stay out of the report's folder."""
    shutil.copytree(folder, scratch)
    # First, since the report refers to its numbers and pages.
    shutil.copyfile(compile.compile_pdf(scratch, _APPENDIX, made="appendix"), folder / "appendix.pdf")
    for name in ("report", *sorted(path.stem for path in folder.glob("note-*.tex"))):
        shutil.copyfile(compile.compile_pdf(scratch, name), folder / f"{name}.pdf")


def _publish(sources: Iterable[Path], folder: Path, out: Path) -> tuple[Path, ...]:
    """Move finished files of a folder to their places, but the site's; each replaces its predecessor in one step."""
    published = []
    for source in sorted(sources):
        inside = source.relative_to(folder)
        if inside.parts[0] == _SITE or not source.is_file():
            continue
        target = out / inside
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
