"""Check a text with formulas, as ``grpo-symbolic check`` checks a paper."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grpo_symbolic.api import html
from grpo_symbolic.api.shown import printing
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, told
from grpo_symbolic.referee.check import check_paper
from grpo_symbolic.referee.findings import Finding, Review, Span
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.wording import closing, details, headline, summary

_NAME = "text"


def check_text(
    latex: str,
    notation: str | Path | Mapping[str, object] | None = None,
    *,
    inline: bool = False,
    options: Options | None = None,
) -> Review:
    r"""Check every step of the formulas that a text displays, with ``inline`` also of those inside its sentences.

    ``notation`` is a notation map: its TOML, the path of one, or what it says as a mapping, such as
    ``{"symbols": {"p": "(0, 1)"}}``; in short ``{"p": "(0, 1)"}`` where it only declares symbols. Without one every
    domain is guessed, and nothing is refuted. Each step is checked in a process with limits of time and memory, so that
    a script must guard its own start by ``if __name__ == "__main__"``.

    Raises:
        DeclarationError: if the text displays no formula, so that nothing would be checked.
        ReadingError, MapError: if the text or the map cannot be read.
        OSError: if the map is a path and cannot be read.
    """
    require(latex, str, "check_text")
    chosen = options or Options()
    if inline:
        chosen = replace(chosen, inline=True)
    with tempfile.TemporaryDirectory(prefix="grpo-symbolic-") as made:
        folder = Path(made)
        (folder / f"{_NAME}.tex").write_text(latex, encoding="utf-8")
        declared = None if notation is None else _map(notation, folder)
        review = check_paper(folder / f"{_NAME}.tex", chosen, declared)
    if not review.findings:
        shown = "" if chosen.inline else ", or say inline=True for those inside sentences"
        raise DeclarationError(rf"the text displays no formula; put each between \[ and \]{shown}")
    return replace(review, file=_NAME, findings=tuple(map(_named, review.findings)))


def _map(notation: str | Path | Mapping[str, object], folder: Path) -> Path:
    if isinstance(notation, Path):
        return notation
    if not isinstance(notation, str | Mapping):
        raise DeclarationError(f"a notation map is a text, a path or a dictionary, and {told(notation)} is none")
    said = notation if isinstance(notation, str) else _toml(notation)
    path = folder / "notation.toml"
    path.write_text(said, encoding="utf-8")
    return path


def _toml(tables: Mapping[str, object]) -> str:
    """A map as TOML, in which a quoted JSON text is a text as well."""
    if all(isinstance(value, str) for value in tables.values()):
        tables = {"symbols": tables}
    return "".join(f"{json.dumps(name)} = {_value(value)}\n" for name, value in tables.items())


def _value(value: object) -> str:
    match value:
        case str() | bool() | int():
            return json.dumps(value)
        case Mapping():
            return "{" + ", ".join(f"{json.dumps(name)} = {_value(inner)}" for name, inner in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
    raise DeclarationError(f"{value!r} cannot stand in a notation map; it holds texts, numbers, lists and mappings")


def _named(finding: Finding) -> Finding:
    """The finding with the name of a text in the place of that of a file that is there no longer."""
    related = tuple(replace(one, place=_in_text(one.place)) for one in finding.related)
    rewrite = finding.rewrite and replace(finding.rewrite, place=_in_text(finding.rewrite.place))
    return replace(finding, place=_in_text(finding.place), related=related, rewrite=rewrite)


def _in_text(place: Span) -> Span:
    return replace(place, file=_NAME if place.file.endswith(f"{_NAME}.tex") else Path(place.file).name)


def finding_said(finding: Finding) -> str:
    """A finding as the terminal tells it."""
    lines = [f"{finding.place}: {finding.status.value}  {headline(finding)}", *details(finding, domains=True)]
    return "\n    ".join(lines)


def finding_page(finding: Finding) -> html.Html:
    """A finding: its place and status, the formula as it is printed, and what was found."""
    printed = finding.printed or f"{finding.left} {finding.relation} {finding.right}".strip()
    first = (f"{finding.place}\u2003", html.verdict(finding.status.value), f"\u2003{headline(finding)}")
    below = (html.block(line, indent=True) for line in details(finding, domains=True))
    return html.joined(html.block(*first), html.block(html.formula(printed), indent=True), *below)


def review_said(review: Review) -> str:
    """All findings, and the summary of the run."""
    ends = (summary(review), closing(review))
    return "\n".join([*map(finding_said, review.findings), *filter(None, ends)])


def review_page(review: Review) -> html.Html:
    """All findings, and the summary of the run."""
    ends = (html.block(line) for line in (summary(review), closing(review)) if line)
    return html.joined(*map(finding_page, review.findings), *ends)


def _finding_latex(finding: Finding) -> str | None:
    return rf"$\displaystyle {finding.left} {finding.relation} {finding.right}$" if finding.left else None


printing(Finding, words=finding_said, page=finding_page, latex=_finding_latex)
printing(Review, words=review_said, page=review_page, latex=None)
