"""Export as text: LaTeX to put into a paper, a page or a piece of one, Markdown, or the data of ``results.json``."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from grpo_symbolic import __version__
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.results import results
from grpo_symbolic.readback.unread import listed
from grpo_symbolic.report.drawing import draw_result
from grpo_symbolic.report.exported import markdown
from grpo_symbolic.report.exported.order import Format
from grpo_symbolic.report.exported.view import ExportedPart, ExportedView, exported_view
from grpo_symbolic.report.links import label
from grpo_symbolic.report.lookup import Named
from grpo_symbolic.report.readback import read_report_back, said_by
from grpo_symbolic.report.render import STYLE, TEMPLATES
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.dependencies import state_of
from grpo_symbolic.report.site.formulas import Formulas
from grpo_symbolic.report.site.markup import Converter
from grpo_symbolic.report.site.places import anchor_of
from grpo_symbolic.report.site.write import pages_environment, width_rules
from grpo_symbolic.report.tex import Tex, environment, escape, filled

if TYPE_CHECKING:
    from grpo_symbolic.judging.assess import Assessment
    from grpo_symbolic.report.claims import ClaimView

_PAGE_STYLE = Path(__file__).parents[1] / "site" / "static" / "exported.css"
_RULE_FOR = re.compile(r"\.([gls]\d+)\b")


@dataclass(frozen=True)
class Exported:
    """A finished text, and the results of which it shows figures."""

    text: str
    pictured: tuple[ExportedPart, ...]


@dataclass(frozen=True)
class _Claim:
    """A claim as the templates see it."""

    view: ClaimView
    id: str
    number: str
    anchor: str
    state: str
    kinds: str
    used_by: tuple[Tex, ...] = ()


@dataclass(frozen=True)
class _Section:
    """A result as the templates see it."""

    chapter: object
    view: object
    whole: bool
    paper: Tex
    number: object
    anchor: str
    claims: tuple[_Claim, ...]


@dataclass(frozen=True)
class _Here:
    """A claim in the same text."""

    address: str
    number: str
    title: str


def export(
    assessment: Assessment,
    named: Named,
    form: Format,
    *,
    standalone: bool = False,
    source_url: str | None = None,
    fragments: Fragments | None = None,
) -> Exported:
    """What is named as text, a whole document or page if it is to be ``standalone``.

    ``source_url`` makes addresses of the lines at which claims are stated. Formulas are read back as those of the
    report are: each says what was checked.

    Raises:
        ReportError: if a formula was not read back, or reads as something else than it was printed from, if a template
            prints something that is not escaped, or a figure cannot be drawn.
    """
    if form is Format.JSON:
        return Exported(_data(assessment, named), ())
    view = exported_view(assessment, named, source_url)
    kept = Fragments(None) if fragments is None else fragments
    page = _tex(view, standalone=standalone)
    wanted = frozenset(named.all_claims(assessment.library))
    claims = Shown(assessment.library).claims
    read_report_back(view, claims, page, listed(assessment.library, wanted), fragments=kept)
    if form is Format.TEX:
        return Exported(page, tuple(part for part in view.parts if part.view.figures))
    if form is Format.MD:
        return Exported(_markdown(view), ())
    return Exported(_html(assessment, view, Formulas(said_by(view, claims)), kept, standalone=standalone), ())


def _data(assessment: Assessment, named: Named) -> str:
    """An object like ``results.json``, with the claims that are named and the steps of their derivations.

    The lines of the papers are left out: some claims say nothing about how much of a paper is checked.
    """
    library = assessment.library
    ids = named.all_claims(library)
    wanted = frozenset(ids).union(step.id for id in ids for step in library.claims[id].steps)
    data = results(replace(assessment, selected=wanted)) | {"coverage": {}}
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _title(view: ExportedView) -> Tex:
    return Tex("; ".join(dict.fromkeys(part.view.title for part in view.parts)))


def _made_by() -> str:
    return f"Derived and checked by grpo_symbolic {__version__}; numbers are those of its appendix."


def _tex(view: ExportedView, *, standalone: bool) -> str:
    parts = tuple(_part(part, view, {}) for part in view.parts)
    templates = environment(TEMPLATES)
    if not standalone:
        return "\n".join(filled(templates, "exported.tex", part=part) for part in parts)
    style = Tex((TEMPLATES / STYLE).read_text(encoding="utf-8").rstrip("\n"))
    made = escape(f"Derived and checked by grpo_symbolic {__version__}.")
    return filled(templates, "exported-document.tex", parts=parts, style=style, title=_title(view), made_by=made)


def _markdown(view: ExportedView) -> str:
    # Headings have addresses that depend on who shows them, so that claims are named by their ids.
    named: dict[str, _Here] = {
        label(id): _Here("", number, id.partition(".")[2]) for id, number in view.numbers.items()
    }
    templates = markdown.environment(TEMPLATES, named.get)
    parts = tuple(_part(part, view, {}, markdown.Markdown) for part in view.parts)
    return markdown.tidy(filled(templates, "exported.md", parts=parts, made_by=markdown.plain(_made_by())))


def _html(
    assessment: Assessment, view: ExportedView, formulas: Formulas, fragments: Fragments, *, standalone: bool
) -> str:
    plain = Converter(formulas, lambda name: None)
    here: dict[str, _Here] = {
        label(id): _Here(f"#{anchor_of(shown.label)}", view.numbers[id], plain.text(shown.title))
        for part in view.parts
        for id, shown in zip(part.claims, part.view.claims, strict=True)
    }
    states = {id: state_of(item) for id, item in assessment.judged.items()}
    values = {
        "parts": tuple(_part(part, view, states) for part in view.parts),
        "title": plain.text(_title(view)),
        "pictures": _pictures(view, fragments),
        "made_by": _made_by(),
        "standalone": standalone,
        "alone": True,
    }
    templates = pages_environment(Converter(formulas, here.get))
    page = filled(templates, "exported.html", style="", **values)
    return filled(templates, "exported.html", style=_style(page), **values)


def _style(page: str) -> Markup:
    """The rules for what stands on a page, which apply to nothing around it."""
    rules = [
        re.sub(r"\{(?=\.)", "{.grpo-export ", rule, count=1)
        for rule in width_rules().splitlines()
        if (named := _RULE_FOR.search(rule)) is not None and re.search(rf"\b{named[1]}\b", page)
    ]
    return Markup(_PAGE_STYLE.read_text(encoding="utf-8") + "".join(f"{rule}\n" for rule in rules))


def _part(part: ExportedPart, view: ExportedView, states: Mapping[str, str], kind: type[str] = str) -> _Section:
    claims = tuple(
        _Claim(shown, id, kind(view.numbers[id]), anchor_of(shown.label), states.get(id, ""), "")
        for id, shown in zip(part.claims, part.view.claims, strict=True)
    )
    anchor = anchor_of(part.view.label)
    return _Section(part.chapter, part.view, part.whole, part.chapter.paper, kind(part.number), anchor, claims)


def _pictures(view: ExportedView, fragments: Fragments) -> dict[str, str]:
    """The figures of whole results as addresses that hold them."""
    if not any(part.view.figures for part in view.parts):
        return {}
    with tempfile.TemporaryDirectory(prefix="export-") as scratch:
        folder = Path(scratch)
        for part in view.parts:
            if part.view.figures:
                draw_result(part.result, folder, (".pdf", ".svg"), fragments)
        return {
            path.stem: f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
            for path in folder.glob("*.svg")
        }


def write(made: Exported, target: Path, *, style: bool, fragments: Fragments) -> tuple[Path, ...]:
    """Write a text to a file, with figures and the style file beside it if LaTeX needs them; return what was written.

    Raises:
        ReportError: if something cannot be written; a file that was there is as it was.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=target.parent) as scratch:
            folder = Path(scratch)
            (folder / target.name).write_text(made.text, encoding="utf-8")
            if style:
                shutil.copyfile(TEMPLATES / STYLE, folder / STYLE)
            for part in made.pictured:
                (folder / "figures").mkdir(exist_ok=True)
                draw_result(part.result, folder / "figures", (".pdf",), fragments)
            return tuple(_published(folder, target.parent))
    except OSError as error:
        raise ReportError(f"{target} cannot be written: {error}; name another file with --out") from error


def _published(folder: Path, target: Path) -> Iterator[Path]:
    for source in sorted(path for path in folder.rglob("*") if path.is_file()):
        place = target / source.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, place)
        yield place
