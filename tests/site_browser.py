"""Visit every page of a site in Chromium and say what a visitor would stumble over."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

AXE = Path(__file__).resolve().parent / "vendor" / "axe.min.js"
NEEDS_BROWSER = "Chromium is not installed: apt-get install chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WIDTHS = (390, 800, 1200)

#: Backslashes in text that is not code: LaTeX that nobody turned into something to read.
_BACKSLASHES = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node.data.includes("\\\\") && !node.parentElement.closest("code, script, style")) found.push(node.data);
  return found;
}"""
#: What reaches beyond the window, outermost first; what scrolls by itself is no fault of the page.
_WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll("*")]
  .filter((item) => item.getBoundingClientRect().right > innerWidth + 1)
  .filter((item) => !item.parentElement.closest(".f, .scroll, pre, svg"))
  .slice(0, 3).map((item) => `${item.tagName}.${item.className} in #${item.closest("[id]")?.id}`)"""
_UNFOLD = """() => {
  document.querySelectorAll("details").forEach((item) => { item.open = true; });
  document.querySelectorAll(".unfold").forEach((item) => item.dispatchEvent(new MouseEvent("click")));
}"""
_UNSAID = """() => [...document.querySelectorAll("math")].filter((item) => !item.getAttribute("aria-label")).length"""
#: Formulas are left out, because axe takes minutes for their thousands of elements; that they have names is _UNSAID.
_AXE = """() => axe.run({exclude: ["math"]}, {preload: false, resultTypes: ["violations"]}).then((all) =>
  all.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`))
"""
_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"


@dataclass
class Visit:
    """What was seen on one page."""

    page: str
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    wider: dict[int, list[str]] = field(default_factory=dict)
    backslashes: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    unsaid: int = 0


def program() -> str | None:
    """The path of an installed Chromium."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser that was started for this, and ends with it."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        try:
            yield started
        finally:
            started.close()


def visit(browser: Browser, path: Path, *, scheme: str = "light") -> Visit:
    """Open a page from the disk with everything on it unfolded, at all widths."""
    found = Visit(path.name)
    page = browser.new_page(viewport={"width": WIDTHS[-1], "height": 900}, color_scheme=scheme)
    page.on("request", lambda request: found.requests.append(request.url))
    page.on("console", lambda message: found.said.append(message.text))
    page.on("pageerror", lambda error: found.said.append(str(error)))
    page.goto(path.as_uri())
    page.evaluate(_UNFOLD)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found.wider[width] = page.evaluate(_WIDER)
    found.backslashes = page.evaluate(_BACKSLASHES)
    found.unsaid = page.evaluate(_UNSAID)
    found.violations = violations(page)
    page.close()
    return found


def first_paint(browser: Browser, path: Path) -> float:
    """How long a page opened from the disk shows nothing, in milliseconds."""
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_function(f"({_PAINT})() >= 0")
    found = float(page.evaluate(_PAINT))
    page.close()
    return found


def violations(page: Page) -> list[str]:
    """What axe finds against the guidelines for accessible pages, of which nothing is skipped for being far away.

    What a browser skips has an estimated place, where axe takes it to lie over or under something else.
    """
    page.add_style_tag(content=".claim, .row { content-visibility: visible !important }")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_AXE)
    return list(found)
