"""What is asked for when something is exported; nothing is imported here that computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from grpo_symbolic.errors import LibraryError
from grpo_symbolic.report.addresses import checked_template


class Format(Enum):
    """What somebody wants to put a claim into."""

    TEX = "tex"
    HTML = "html"
    MD = "md"
    JSON = "json"


_ENDINGS = {".tex": Format.TEX, ".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MD, ".json": Format.JSON}
_WHOLE = (Format.TEX, Format.HTML)


@dataclass(frozen=True)
class ExportOrder:
    """Names of claims or results, the format, and where the text goes: to standard output if ``out`` is None."""

    names: tuple[str, ...]
    form: Format
    out: Path | None
    standalone: bool
    source_url: str | None

    @property
    def needs_style(self) -> bool:
        """Whether the style file of the appendix has to stand beside the text."""
        return self.form is Format.TEX and not self.standalone

    def complaints(self, *, pictured: bool) -> Iterator[str]:
        """What is missing beside a text that went to standard output."""
        if self.needs_style:
            yield "grpo-symbolic: this needs grpo-appendix.sty, which --out FILE.tex writes beside it"
        if pictured:
            yield "grpo-symbolic: it shows figures, which --out FILE.tex writes into figures/ beside it"


def ordered(
    names: Sequence[str], form: str | None, out: Path | None, *, standalone: bool, source_url: str | None = None
) -> ExportOrder:
    """What a command line asks for.

    Raises:
        LibraryError: if nothing is named, or the format is none or does not go with the rest.
    """
    if not names:
        raise LibraryError("say what to export: --only NAME; `grpo-symbolic list` shows what there is")
    chosen = _format(form, out)
    if standalone and chosen not in _WHOLE:
        raise LibraryError(f"--standalone is for tex and html; {chosen.value} is whole in any case")
    if out is not None and out.is_dir():
        raise LibraryError(f"{out} is a folder; name a file: --out {out / f'{names[0]}.{chosen.value}'}")
    template = None if source_url is None else checked_template(source_url)
    return ExportOrder(tuple(names), chosen, out, standalone, template)


def _format(form: str | None, out: Path | None) -> Format:
    known = {one.value: one for one in Format}
    if form is not None:
        if form not in known:
            raise LibraryError(f"--to {form}: there are {', '.join(known)}")
        return known[form]
    if out is None:
        return Format.MD
    if out.suffix.lower() not in _ENDINGS:
        raise LibraryError(f"{out} has no ending that names a format; add --to {'|'.join(known)}")
    return _ENDINGS[out.suffix.lower()]
