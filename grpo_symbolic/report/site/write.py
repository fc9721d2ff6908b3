"""Write the site: pages from templates, the style, the script, the font, the search, and a page for each claim's id."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report import unaltered
from grpo_symbolic.report.rows import STATES
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.formulas import STEP, WIDEST, Formulas
from grpo_symbolic.report.site.index import script
from grpo_symbolic.report.site.kept import SiteKept, lines_page
from grpo_symbolic.report.site.markup import Converter
from grpo_symbolic.report.site.pages import Builder, Site, hits
from grpo_symbolic.report.site.places import anchor_of, places
from grpo_symbolic.report.site.texts import pages as texts_on_pages
from grpo_symbolic.report.tex import Tex, code, filled
from grpo_symbolic.report.view import Assessed, ReportView

_HERE = Path(__file__).parent
_FRONT = "index.html"
_ASSETS = ("site.js", "stix-two-math.woff2", "stix-two-text-normal.woff2", "stix-two-text-italic.woff2", "OFL.txt")
_SCALES = ((1.0, 0.86), (0.86, 0.74), (0.74, 0.64))


#: An end tag that is understood, because its element cannot hold what follows, or that which holds it ends.
_ENDED = re.compile(
    r"</li>(?=\s*(?:<li\b|</[uo]l>))|</dt>(?=\s*<d[dt]\b)|</dd>(?=\s*(?:<d[dt]\b|</(?:div|dl)>))"
    r"|</p>(?=\s*(?:<(?:p|div|ul|ol|dl|details|aside|article|section|nav|h[1-6]|blockquote|pre)\b"
    r"|</(?:div|li|dd|section|article|details|aside|main)>))"
)
#: A tag, in whose values angle brackets and quotation marks are escaped; an attribute whose value needs no marks.
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ATTRIBUTE = re.compile(r'(?<= )([\w:-]+)="([\w.#-][\w.#/-]*(?<!/))"(?=[ >])')
#: A sign between two lines of a derivation, which is text as well.
_SIGN = re.compile(r'(?<=<span class="rel">)<math[^>]*><mo[^>]*>([^<]*)</mo></math>(?=</span>)')
#: A bracket that does not grow with what is between, and a slash; as a letter it looks the same, and is shorter.
_BRACKET = re.compile(r'<mo (?:stretchy="false"(?: lspace="0" rspace="0")?>([()\[\]|])|lspace="0" rspace="0">(/))</mo>')
#: Two such letters, or thin spaces, one behind the other, which look the same as one token.
_BRACKETS = re.compile(r"(?<=[()\[\]|/\u2009])</mi><mi>(?=[()\[\]|/\u2009]+</mi>)")
#: That a function is applied is not to be seen, and the text alternative says it.
_APPLIED = "<mo>\u2061</mo>"
#: Lines under each other, which the style sheet knows to be displayed.
_LINES, _LINES_AS_STYLED = '<mtable class="al" displaystyle="true">', '<mtable class="al">'
#: A thin space, which as a letter is as wide and half as long.
_THIN, _THIN_LETTER = '<mspace width=".167em"/>', "<mi>\u2009</mi>"
#: A number alone, which looks the same as text and is read out alike; and an apostrophe, which ends no value here.
_NUMBER = re.compile(r'<math aria-label="([\d.]+)"><mn>\1</mn></math>')
#: A formula of one token after the other, which is read out as it stands if its text alternative is the same.
_ROW = re.compile(r'<math aria-label="([^"]*)">((?:<(m[ino])(?: [^>]*)?>[^<]*</\3>)+)</math>')
_SPACE_OR_TAG = re.compile(r"\s+|<[^>]*>")
#: The words with which a note begins, which the style sheet knows by a shorter name, too; a name, which may break.
_LEAD = re.compile('<span class="lead">([^<]*)</span>')
_CODE = re.compile("<code>[^<]*(?:<wbr>[^<]*)+</code>")
_APOSTROPHE = re.compile("&#(?:39|x27);")
#: The beginning of a formula, and whether another one ends just before it.
_NAMED = re.compile(r'(</math>)?(<math\b[^>]*?)( aria-label="[^"]*")(?=>)')


@dataclass(frozen=True)
class Extras:
    """What else the site may carry: text alternatives of formulas, renamed ids, and the lines of the papers.

    ``lines`` has the text of rows by paper and digest; it is empty for a site that is published. What is ``kept`` of
    the last site need not be made again, nor pages that are the same in the folder of the one ``before``.
    """

    said: Mapping[str, str]
    renamed: Mapping[str, str]
    lines: Mapping[str, Mapping[str, str]]
    kept: SiteKept | None = None
    before: Path | None = None


def write_site(view: ReportView, assessment: Assessed, shown: Shown, folder: Path, extras: Extras) -> None:
    """Write all pages into a new folder; figures are drawn into its ``figures`` by whoever has them.

    Raises:
        ReportError: if a template or a text on a page has something that pages do not know.
    """
    kept = SiteKept(view, shown.claims, Fragments(None)) if extras.kept is None else extras.kept
    formulas, found = Formulas(extras.said, kept.marked), places(view)
    converter = Converter(formulas, {name: _Numbered(place.address, place.number) for name, place in found.items()}.get)
    site = Builder(view, assessment, shown, converter, kept).site()
    folder.mkdir(parents=True)
    texts = texts_on_pages(extras.lines, formulas)
    pages = dict(_pages(site, converter, texts, kept)) | _permalinks(site, extras.renamed)
    (folder / "claim").mkdir()
    for name, text in pages.items():
        # The front is always another file: that tells that there is another site.
        before = None if extras.before is None or name == _FRONT else extras.before / name
        unaltered.write(folder / name, text, before)
    _write_assets(folder / "assets", script(hits(site, converter)))


@dataclass(frozen=True)
class _Numbered:
    """A place whose number is enough: the script knows its title, which would be a tenth of all pages."""

    address: str
    number: str
    title: str = ""


def _pages(
    site: Site, converter: Converter, texts: Mapping[str, Mapping[str, Markup]], kept: SiteKept
) -> Iterator[tuple[str, str]]:
    templates = pages_environment(converter)

    def page(name: str, template: str, **values: object) -> tuple[str, str]:
        text = filled(templates, template, site=site, view=site.report, here=name, alone=False, **values)
        # Within a page, its own name says nothing.
        return name, kept.page(name, text.replace(f'href="{name}#', 'href="#'), _light)

    yield page(_FRONT, "front.html", states=STATES)
    yield page("results.html", "contents.html")
    yield page("errata.html", "errata.html")
    yield page("beyond.html", "beyond.html")
    yield page("graph.html", "graph.html")
    yield page("about.html", "about.html")
    for state in site.report.states:
        yield page(lines_page(state.id), "lines.html", state=state, texts=texts.get(state.id, {}))
    for result in site.results:
        yield page(result.at.file, "result.html", page=result)


def _light(page: str) -> str:
    """The same page without quotation marks and end tags that HTML does not ask for.

    Formulas are to be seen here; as MathML for use elsewhere they are exported. That they are displayed, the style
    sheet says of all that stand in a line of their own. What the forms of a formula are called is said at the first
    one, from which the script takes it.
    """
    page = _APOSTROPHE.sub("'", _NUMBER.sub(r"\1", _LEAD.sub(r"<i>\1</i>", page)))
    page = _CODE.sub(lambda code: code[0].replace("<wbr>", ""), page)
    page = _BRACKET.sub(r"<mi>\1\2</mi>", _SIGN.sub(r"\1", page)).replace(_THIN, _THIN_LETTER)
    page = _BRACKETS.sub("", page.replace(_APPLIED, "").replace(_LINES, _LINES_AS_STYLED))
    page = _ENDED.sub("", _said_once(page).replace('<math display="block" class=', "<math class="))
    return _TAG.sub(lambda tag: _ATTRIBUTE.sub(r"\1=\2", tag[0]), page)


def _said_once(page: str) -> str:
    """The page with the text alternative of a formula at the first of its forms only, and where it tells anything."""
    said = ""

    def shorter(found: re.Match[str]) -> str:
        nonlocal said
        before, said = said, found[3]
        return f"{found[1]}{found[2]}" if found[1] and said == before else found[0]

    return _ROW.sub(_as_it_stands, _NAMED.sub(shorter, page))


def _as_it_stands(found: re.Match[str]) -> str:
    """A formula without a text alternative that says no more than its tokens."""
    said, shown = (_SPACE_OR_TAG.sub("", text).replace("\N{MINUS SIGN}", "-") for text in found.groups()[:2])
    return f"<math>{found[2]}</math>" if said == shown else found[0]


class _Compiled(jinja2.BytecodeCache):
    """What templates were compiled to in this process; one that was changed is compiled again."""

    def __init__(self) -> None:
        self._found: dict[str, bytes] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Fill the bucket with what was made of the same source."""
        if bucket.key in self._found:
            bucket.bytecode_from_string(self._found[bucket.key])

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep what is in the bucket."""
        self._found[bucket.key] = bucket.bytecode_to_string()


@cache
def _compiled() -> _Compiled:
    return _Compiled()


def pages_environment(converter: Converter) -> jinja2.Environment:
    """Templates in which LaTeX becomes HTML, and plain text is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: converter.html(value) if isinstance(value, Tex) else value,
        bytecode_cache=_compiled(),
    )
    environment.filters |= {
        "maths": converter.formula,
        "printed": converter.printed,
        "words": converter.text,
        "html": converter.html,
        "code": code,
        "anchor": anchor_of,
    }
    return environment


def _write_assets(folder: Path, index: str) -> None:
    folder.mkdir()
    style = (_HERE / "static" / "site.css").read_text(encoding="utf-8")
    (folder / "site.css").write_text(f"{style}\n{width_rules()}", encoding="utf-8")
    (folder / "index.js").write_text(index, encoding="utf-8")
    for name in _ASSETS:
        shutil.copyfile(_HERE / "static" / name, folder / name)


@cache
def width_rules() -> str:
    """The rules by which the widest form of a formula that has room is shown, and the narrowest scaled."""
    rules = []
    for width in range(STEP, WIDEST + STEP, STEP):
        rules.append(f"@container (width<{width}em){{.f>.g{width}{{display:none}}}}")
        rules.append(f"@container (width>={width}em){{.f>.l{width}{{display:none}}}}")
        for room, scale in _SCALES:
            rules.append(f"@container (width<{width * room:.2f}em){{.f>.s{width}{{font-size:{scale}em}}}}")
    return "\n".join(rules) + "\n"


def _permalinks(site: Site, renamed: Mapping[str, str]) -> dict[str, str]:
    """A page for each id, also for those that claims had before, which leads to where the claim stands now."""
    known = {claim.id: (page.at.file, claim.anchor) for page in site.results for claim in page.claims}
    known |= {old: known[new] for old, new in renamed.items() if new in known}
    return {
        f"claim/{id}.html": f"<!doctype html><html lang=en><title>{id}</title><base href=../{file}>"
        f'<meta http-equiv=refresh content="0;url=#{anchor}"><a href=#{anchor}>The claim</a>'
        for id, (file, anchor) in known.items()
    }
