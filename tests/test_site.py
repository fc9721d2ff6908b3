"""The site of a sample result: every link leads somewhere, nothing comes from elsewhere, and it is whole or absent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.parse import unquote, urlsplit

import pytest
import test_report
from hypothesis import given
from hypothesis import strategies as st

from grpo_symbolic import Paper, Result, claim, gt
from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError, ReportError
from grpo_symbolic.report.render import render
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site import write as writing
from grpo_symbolic.report.site.formulas import Formulas, foreign
from grpo_symbolic.report.site.index import Hit, script, searchable, unfolded
from grpo_symbolic.report.site.markup import Converter, plain_text
from grpo_symbolic.report.site.places import Place
from grpo_symbolic.report.site.renamed import renamed
from grpo_symbolic.report.tex import escape
from grpo_symbolic.report.view import report_view
from grpo_symbolic.translate import mathml_nodes


class Seen(HTMLParser):
    """The addresses and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.anchors: list[str] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        named = [found[name] or "" for name in ("href", "src") if name in found]
        if found.get("http-equiv") == "refresh":
            named.append((found["content"] or "").partition("url=")[2])
        # What is only an anchor is one of the page that a base names.
        self.addresses += [self.base + address if address.startswith("#") else address for address in named]
        if "id" in found:
            self.anchors.append(found["id"] or "")
        if tag == "base":
            self.base = found["href"] or ""


def seen(path: Path) -> Seen:
    parser = Seen()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def dead_links(site: Path) -> list[str]:
    """Links of all pages that lead to no file, or to no anchor in it, or out of the site; anchors that stand twice."""
    pages = {path: seen(path) for path in site.rglob("*.html")}
    dead = [f"{path.name}: {anchor} stands twice" for path, found in pages.items() for anchor in twice(found.anchors)]
    for path, found in pages.items():
        for address in found.addresses:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            inside = not parts.scheme and not parts.netloc and target.is_relative_to(site.resolve())
            found_there = inside and target.is_file()
            if not found_there or (parts.fragment and unquote(parts.fragment) not in pages[target].anchors):
                dead.append(f"{path.name}: {address}")
    return dead


def twice(names: list[str]) -> set[str]:
    return {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()


@pytest.fixture(scope="module", autouse=True)
def no_pictures() -> Iterator[None]:
    with test_report.undrawn():
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    made = render(test_report.assessment(), out, pdf=False)
    assert made.site[0] == out / "site" / "index.html"
    return out / "site"


def converter() -> Converter:
    return Converter(Formulas({}), {"grpo:p.known": Place("page.html#known", "1.2", 'what "it" says')}.get)


def test_every_link_leads_somewhere_and_none_leads_out(site: Path) -> None:
    assert dead_links(site) == []


def test_a_dead_link_would_be_found(site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html"></a><a href="#x"></a><img src="https://example.org/y.png">')
    assert len(dead_links(tmp_path)) == 3


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in site.rglob("*") if path.suffix in (".html", ".css", ".js")
    )
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*['\"]?(?:https?:)?//", text)
    assert "@import" not in text


def test_every_claim_has_its_place_and_an_address_that_stays(site: Path) -> None:
    for made in test_report.RESULT.claims:
        text = (site / "claim" / f"{made.id}.html").read_text(encoding="utf-8")
        assert f"#{made.id.partition('.')[2]}" in text


def test_what_is_said_is_said_as_in_the_report(site: Path) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in site.glob("*.html"))
    for words in ("The stationary policy &amp; its odds", "“quoted” words &amp; other traps", "This claim is false."):
        assert words in text


def test_formulas_have_names_and_no_latex_is_left(site: Path) -> None:
    for path in site.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        # Of the forms of one formula, the script gives the name of the first to the others; a row is its own name.
        assert text.count("<math") == len(
            re.findall(
                r'<math[^>]* aria-label=(?:"[^"]+"|[^\s">]+)|</math><math cl|<math>(?:<m[ino][^<]*</m[ino]>)+</math>',
                text,
            )
        )
        assert "\\" not in plain_text(re.sub(r"<(script|code|pre)\b.*?</\1>", "", text, flags=re.DOTALL))


def test_the_search_knows_every_claim(site: Path) -> None:
    text = (site / "assets" / "index.js").read_text(encoding="utf-8")
    assert text.startswith("window.INDEX=")
    rows = unfolded(text)
    assert {row[3] for row in rows} >= {made.id for made in test_report.RESULT.claims}
    assert all(len(row) == 7 for row in rows)


def test_rows_of_the_index_are_read_as_they_were() -> None:
    entries = [
        Hit("A result", "a.html", "result", "", "1.2", "", "of words"),
        Hit("One", "a.html#one", "decided", "p_1.one", "1.2.1", "Eq. (1)", ""),
        Hit("Two", "a.html#two-b", "erratum", "p_1.two_b", "1.2.2", "", "x"),
        Hit("Three", "a.html#three", "decided", "", "", "", ""),
        Hit("An erratum", "errata.html#one", "erratum", "", "", "Eq. (1)", "so"),
        Hit("A claim", "b.html#c", "decided", "q.c", "1.3.1", "", ""),
    ]
    rows = [[item.title, item.address, item.kind, item.id, item.number, item.place, item.words] for item in entries]
    assert unfolded(script(entries)) == rows


def test_words_are_found_as_if_the_whole_text_were_there() -> None:
    shown = converter().text(r"The gap of $x' > 0$ is the most, and the gaps \& gap of $\beta$ are most")
    assert shown == "The gap of x' > 0 is the most, and the gaps & gap of β are most"
    kept = searchable(shown)
    signs = ("&", ">", "0")
    words = [word.strip(",") for word in shown.lower().replace("β", "beta").split() if word not in signs]
    assert all(word in kept for word in words)
    assert kept.split().count("the") == 1
    assert "gap" not in kept.split()  # "gaps" has it


def test_greek_letters_are_found_by_their_names() -> None:
    assert searchable("At β ≥ 2 λ") == "at beta lambda"


def test_a_failing_build_leaves_the_last_site_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    render(test_report.assessment(), tmp_path, pdf=False)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def broken(*_: object) -> None:
        raise ReportError("the disk is full")

    monkeypatch.setattr(writing, "_write_assets", broken)
    with pytest.raises(ReportError, match="the disk is full"):
        render(test_report.assessment(), tmp_path, pdf=False)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_pages_of_an_older_site_are_gone(tmp_path: Path) -> None:
    render(test_report.assessment(), tmp_path, pdf=False)
    (tmp_path / "site" / "older.html").write_text("older")
    render(test_report.assessment(), tmp_path, pdf=False)
    assert not (tmp_path / "site" / "older.html").exists()


def test_the_same_report_gives_the_same_site(site: Path, tmp_path: Path) -> None:
    render(test_report.assessment(), tmp_path, pdf=False)
    for path in site.rglob("*"):
        if path.is_file():
            assert (tmp_path / "site" / path.relative_to(site)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize(
    ("tex", "html"),
    [
        ("a \\& b -- c ``d''", "a &amp; b – c “d”"),
        (r"\emph{so} \textbf{it} \texttt{is\_}", "<em>so</em> <strong>it</strong> <code>is_</code>"),
        (r"\texttt{a.\allowbreak{}b}", "<code>a.<wbr>b</code>"),
        (r"\grpobadge{refuted}", '<span class="badge refuted">refuted</span>'),
        (r"\textless{}x\textgreater{}", "&lt;x&gt;"),
    ],
)
def test_text_of_the_report_as_html(tex: str, html: str) -> None:
    assert converter().html(tex) == html


def test_no_line_begins_with_the_punctuation_behind_a_formula() -> None:
    shown = converter().html(r"for ($x$), $y$; so")
    x, y = '<math aria-label="x"><mi>x</mi></math>', '<math aria-label="y"><mi>y</mi></math>'
    assert shown == f"for <bdi>(<bdi>{x}),</bdi></bdi> <bdi>{y};</bdi> so"


def test_references_lead_to_claims() -> None:
    shown = converter().html(r"see \grporef{grpo:p.known}, step 2")
    assert shown == 'see <a href="page.html#known" title="what &quot;it&quot; says">1.2</a>, step 2'


@pytest.mark.parametrize("tex", [r"\input{x}", r"\grpounknown{x}", r"{x", "x}", r"\emph x", "\\"])
def test_what_pages_do_not_know_is_refused(tex: str) -> None:
    with pytest.raises(ReportError, match=r"pages know no|brace|argument|backslash"):
        converter().html(tex)


@given(st.text(st.characters(codec="utf-8", exclude_characters="$`*\\"), max_size=40))
def test_escaped_text_is_read_as_it_was(text: str) -> None:
    """What is written into LaTeX comes out on a page; only what the report itself changes is changed."""
    shown = plain_text(converter().html(escape(text)))
    kept = [letter for letter in text if letter.isascii() and letter.isalnum()]
    assert [letter for letter in shown if letter in kept and letter.isascii()][: len(kept)] or not kept
    assert "<script" not in converter().html(escape(text))


def test_foreign_latex_is_converted_or_shown_as_code() -> None:
    assert "<math" in foreign(r"\mathring{a}")
    assert foreign(r"\nosuchcommand{a}") == r"<code>\nosuchcommand{a}</code>"


def test_our_own_formulas_may_have_rare_letters() -> None:
    assert "<math" in Formulas({r"\mathring{a} = 1": "a = 1"}).display([r"\mathring{a} = 1"])


def test_our_own_formula_that_is_shown_otherwise_fails_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mathml_nodes.RELATIONS, r"\leq", "<")
    monkeypatch.setattr("grpo_symbolic.readback.mathml._SIGNS", {r"\leq": "≤"})
    with pytest.raises(ReportError, match="not shown as it is printed"):
        Formulas({r"x \leq 1": "x ≤ 1"}).inline(r"x \leq 1")
    assert "<math" in Formulas({}).inline(r"x \leq 1")


def test_forms_are_chosen_by_the_room_there_is() -> None:
    shown = Formulas({}).display(["a + b + c + d + e + f + g", r"\begin{aligned}[t]&a + b + c\\&+ d + e\end{aligned}"])
    (wide, need), (narrow, most) = re.findall(r'class="((?:[gl])(\d+))', shown)
    assert (wide[0], narrow[0]) == ("g", "l")
    assert need == most


def with_folder(folder: Path) -> Library:
    claims = Library((test_report.RESULT,)).claims
    return cast(Library, SimpleNamespace(results=(SimpleNamespace(folder=folder),), claims=claims))


def test_a_renamed_claim_leaves_a_redirect(tmp_path: Path) -> None:
    (tmp_path / "renamed.toml").write_text('[renamed]\n"sample_2025.former" = "sample_2025.eq14"\n')
    library = with_folder(tmp_path)
    assert renamed(library) == {"sample_2025.former": "sample_2025.eq14"}
    assessment = test_report.assessment()
    folder = tmp_path / "made"
    writing.write_site(
        report_view(assessment), assessment, Shown(assessment.library), folder, writing.Extras({}, renamed(library), {})
    )
    assert "#eq14" in (folder / "claim" / "sample_2025.former.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('"sample_2025.former" = "sample_2025.none"', "which is no claim"),
        ('"sample_2025.eq14" = "sample_2025.wrong"', "still the id of a claim"),
        ("nonsense", "renamed.toml"),
    ],
)
def test_a_wrong_table_of_renamed_ids_is_refused(table: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "renamed.toml").write_text(f"[renamed]\n{table}\n")
    with pytest.raises(LibraryError, match=message):
        renamed(with_folder(tmp_path))


def test_a_paper_of_which_nothing_was_judged_is_left_out(tmp_path: Path) -> None:
    other = Paper("other_2024", "C. Other", "Another paper", "v1")
    others = Result("Another result", other, lambda: [claim("other_2024.one", "One", gt(test_report.x, 0))])
    for results in ((others, test_report.RESULT), (test_report.RESULT, others)):
        made = replace(test_report.assessment(), library=Library(results))
        folder = tmp_path / results[0].paper.id
        writing.write_site(report_view(made), made, Shown(made.library), folder, writing.Extras({}, {}, {}))
        assert "other_2024" not in (folder / "graph.html").read_text(encoding="utf-8")
