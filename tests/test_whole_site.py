"""The site of all derivations: what it must be for every visitor, in a browser and without one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from site_browser import NEEDS_BROWSER, Visit, browser, first_paint, program, violations, visit
from test_site import dead_links

from grpo_symbolic.report.links import label
from grpo_symbolic.report.render import render
from grpo_symbolic.report.shorthand import Shown
from grpo_symbolic.report.site.copying import cited, latex_of, python_of
from grpo_symbolic.report.site.index import unfolded
from grpo_symbolic.report.site.places import anchor_of
from grpo_symbolic.report.site.renamed import renamed
from grpo_symbolic.report.view import report_view

PERMALINKS = Path(__file__).parent / "permalinks.txt"
MOST_BYTES = 7_500  # for each claim
FIRST_PAINT = 1000  # milliseconds


@pytest.fixture(scope="module")
def site(assessment, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("whole")
    render(assessment, out, pdf=False)
    return out / "site"


@pytest.fixture(scope="module")
def pages(site) -> list[Path]:
    return sorted(site.glob("*.html"))


@pytest.fixture(scope="module")
def visits(pages) -> list[Visit]:
    """Each page seen once, at all widths."""
    if program() is None:
        pytest.skip(NEEDS_BROWSER)
    with browser() as started:
        return [visit(started, page) for page in pages]


@pytest.fixture
def chromium():
    if program() is None:
        pytest.skip(NEEDS_BROWSER)
    with browser() as started:
        yield started


def test_addresses_of_claims_stay_valid(library):
    """Who renames a claim says so in renamed.toml beside its derivation; a new one is added to permalinks.txt."""
    known = set(PERMALINKS.read_text(encoding="utf-8").split())
    present = {made.id for result in library.results for made in result.claims}
    assert known - present - set(renamed(library)) == set(), "these ids lead nowhere: add them to renamed.toml"
    assert present - known == set(), "these ids are new: add them to tests/permalinks.txt"


@pytest.mark.slow
def test_it_is_light(site, library):
    claims = sum(len(result.claims) for result in library.results)
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES * claims


@pytest.mark.slow
def test_every_link_of_every_page_leads_somewhere(site):
    assert dead_links(site) == []


def has_anchor(page: str, label: str) -> bool:
    return re.search(rf"id={re.escape(anchor_of(label))}[ >]", page) is not None


@pytest.mark.slow
def test_what_the_report_says_the_site_says(assessment, site):
    """Every claim, step and erratum of the report has its place on the pages."""
    view = report_view(assessment)
    errata = (site / "errata.html").read_text(encoding="utf-8")
    for chapter in view.chapters:
        for result in chapter.results:
            name = f"{result.label.removeprefix('grpo:').removesuffix('.section')}.html"
            text = (site / name).read_text(encoding="utf-8")
            for claim in result.claims:
                assert has_anchor(text, claim.label), claim.label
                if claim.erratum is not None:
                    assert has_anchor(errata, claim.label), claim.label
            assert text.count("<span class=n>(") == sum(len(claim.steps) for claim in result.claims)
    ids = {made.id for result in assessment.library.results for made in result.claims}
    assert {path.stem for path in (site / "claim").glob("*.html")} >= ids
    shown = {claim.label for chapter in view.chapters for result in chapter.results for claim in result.claims}
    assert shown == set(map(label, ids))


@pytest.mark.slow
def test_no_page_carries_the_text_of_a_paper(site):
    assert not any("<blockquote>" in path.read_text(encoding="utf-8") for path in site.glob("*.html"))


@pytest.mark.slow
def test_the_snippets_check_the_counterexamples_again(assessment):
    """Each has at most fifteen lines, and runs without this package."""
    view = report_view(assessment)
    errata = [item for paper in view.papers for group in paper.groups for item in group.errata]
    errata += [item for paper in view.papers for item in paper.ambiguous]
    programs = [item.program for item in errata if item.program]
    assert len(programs) >= 40
    assert max(map(len, programs)) <= 15
    for lines in programs:
        command = [sys.executable, "-I", "-c", "\n".join(lines)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (lines, done.stderr)
        assert done.stdout.rstrip().endswith("fails"), lines


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_leaves_and_nothing_is_complained_of(visits, site):
    assert len(visits) > 90
    root = site.as_uri()
    for seen in visits:
        assert [url for url in seen.requests if not url.startswith((root, "data:"))] == [], seen.page
        assert seen.said == [], seen.page


@pytest.mark.slow
def test_no_page_scrolls_sideways(visits):
    assert {seen.page: seen.wider for seen in visits if any(seen.wider.values())} == {}


@pytest.mark.slow
def test_every_page_is_accessible(visits):
    assert {seen.page: seen.violations for seen in visits if seen.violations} == {}


@pytest.mark.slow
def test_no_latex_is_left_and_every_formula_has_a_name(visits):
    assert {seen.page: seen.backslashes for seen in visits if seen.backslashes} == {}
    assert {seen.page: seen.unsaid for seen in visits if seen.unsaid} == {}


@pytest.mark.slow
def test_the_longest_page_is_painted_within_a_second(pages, chromium):
    longest = max(pages, key=lambda page: page.stat().st_size)
    # The least of some: what else the machine does is no matter of the page.
    assert min(first_paint(chromium, longest) for _ in range(5)) < FIRST_PAINT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["index.html", "results.html", "errata.html", "graph.html", "lines.mroueh_2025.html"])
def test_dark_pages_are_accessible_and_dark(name, site, chromium):
    page = chromium.new_page(color_scheme="dark")
    page.goto((site / name).as_uri())
    assert violations(page) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 28)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("eq14", "#eq14"),
        ("vojnovic_yun_2025.eq14", "#eq14"),
        ("stationary policy", ""),
        ("β_c", ""),
        ("(14)", "eq14"),
    ],
)
def test_the_search_finds_words_ids_numbers_and_symbols(query, address, site, chromium):
    page = chromium.new_page()
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type(query)
    page.wait_for_selector("#hits a")
    assert page.get_attribute("#hits a", "href").find(address) >= 0
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\.html.*" + re.escape(address)))


@pytest.mark.slow
def test_the_script_reads_the_index_as_it_was_written(site, chromium):
    page = chromium.new_page()
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.wait_for_function("window.INDEX?.[0]?.length === 7")
    assert page.evaluate("window.INDEX") == unfolded((site / "assets" / "index.js").read_text(encoding="utf-8"))
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["click", "Enter", " "])
def test_a_box_of_the_graph_opens_in_place_and_closes_again(by, site, chromium):
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.goto((site / "graph.html").as_uri())
    graph = page.locator("svg.graph").first
    boxes = graph.locator("> .node").all()
    places = [box.bounding_box() for box in boxes]
    button = graph.locator("> .unfold").first

    def turn():
        if by == "click":
            button.click()
        else:
            button.focus()
            page.keyboard.press(by)

    turn()
    (band,) = graph.locator("> .band").all()
    inside = band.bounding_box()
    assert button.get_attribute("aria-expanded") == "true"
    claims = [item.get_attribute("href").partition("#")[0] for item in band.locator(".node").all()]
    assert set(claims) == {boxes[0].get_attribute("href")}
    for box, place in zip(boxes, places, strict=True):
        now = box.bounding_box()
        assert now["x"] == pytest.approx(place["x"], abs=0.5)
        apart = now["y"] + now["height"] <= inside["y"] + 1 or now["y"] >= inside["y"] + inside["height"] - 1
        assert apart, "a box lies under the claims"
    turn()
    assert button.get_attribute("aria-expanded") == "false"
    assert [box.bounding_box() for box in boxes] == places
    assert graph.locator(".band").count() == 0
    page.close()


@pytest.mark.slow
def test_a_page_leads_to_its_claims_in_the_graph(site, chromium):
    name = "vojnovic-yun-2025.advantages-sum-to-zero"
    page = chromium.new_page()
    page.goto((site / f"{name}.html").as_uri())
    page.get_by_text("What depends on what here").click()
    page.wait_for_url(f"**/graph.html#{name}")
    assert page.locator(".unfold[aria-expanded=true]").count() == 1
    claims = page.locator(".band .node").all()
    assert {item.get_attribute("href").partition("#")[0] for item in claims} == {f"{name}.html"}
    page.close()


@pytest.mark.slow
def test_a_box_of_the_graph_lights_up_what_it_is_tied_to(site, chromium):
    page = chromium.new_page()
    page.goto((site / "graph.html").as_uri())
    page.locator("svg.graph .node").first.hover()
    near = page.locator("svg.graph.lit .node.near").count()
    assert 1 < near < page.locator("svg.graph .node").count()
    with page.expect_navigation():
        page.locator("svg.graph .node").first.click()


@pytest.mark.slow
def test_filters_and_copying(site, chromium):
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((site / "vojnovic-yun-2025.advantage.html").as_uri())
    whole = page.locator("article.claim:visible").count()
    page.get_by_role("button", name="Beyond it").click()
    assert 0 < page.locator("article.claim:visible").count() < whole
    page.get_by_role("button", name="All").click()
    page.locator("button.copy", has_text="citation").first.click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('Checked by'))")
    page.locator("button.copy", has_text="copied").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('Checked by'))")
    reference = page.locator("p.ties a").first
    reference.hover()
    page.wait_for_function("(link) => link.title.length > 10", arg=reference.element_handle())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["root-groups-of-two", "large-groups-updates", "advantage"])
def test_what_is_copied_is_whole(name, assessment, site, chromium):
    """LaTeX, Python and citation of every claim, although a page has what its claims share only once."""
    judged = {str(label(id)): item for id, item in assessment.judged.items()}
    claims = Shown(assessment.library).claims
    page = chromium.new_page()
    page.add_init_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.goto((site / f"vojnovic-yun-2025.{name}.html").as_uri())
    articles = page.locator("article.claim").all()
    assert len(articles) > 10
    for article in articles:
        item = judged[label(article.locator(".meta a").first.get_attribute("href")[len("claim/") : -len(".html")])]
        made, number = claims[item.claim.id], article.locator(".self").text_content()
        about = cited(next(one.paper for one in assessment.library.results if item.claim in one.claims))
        python = python_of(made)
        expected = {"LaTeX": latex_of(made)} | ({} if python is None else {"Python": python})
        expected["citation"] = f"Claim {number}, {made.id}: {made.title}. {item.verdict.value}{about}"
        assert article.locator("button.copy[value]").all_text_contents() == list(expected)
        for button in article.locator("button.copy[value]").all():
            button.evaluate("(button) => button.click()")
            assert page.evaluate("window.copied") == expected[button.get_attribute("value")]
    for snippet in page.locator(".code").all():
        snippet.locator("button.copy").evaluate("(button) => button.click()")
        assert page.evaluate("window.copied") == snippet.locator("code").text_content()
    page.close()


@pytest.mark.slow
def test_pages_can_be_read_without_scripts(site, chromium):
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto((site / "vojnovic-yun-2025.root-groups-of-two.html").as_uri())
    assert page.locator("article.claim:visible").count() > 10
    assert not page.locator(".filters").is_visible()


@pytest.mark.slow
def test_folded_parts_are_printed(site, chromium):
    page = chromium.new_page()
    page.goto((site / "vojnovic-yun-2025.root-groups-of-two.html").as_uri())
    page.emulate_media(media="print")
    shown = page.evaluate(
        "() => getComputedStyle(document.querySelector('details:not([open])'), '::details-content').contentVisibility"
    )
    assert shown == "visible"
