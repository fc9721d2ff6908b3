"""The pages of the documentation do what they say: prompts, files and commands are run in order, page by page."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from referee_here import in_this_process

from grpo_symbolic.report.consoles import LOG_WIDTH

__all__ = ["in_this_process"]

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PROMPTS = ["index.md", "tutorial-derivation.md", "guide.md", "topics.md", "tools.md"]
#: A language, the name of a file if it is one, and what is in the fence.
FENCE = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
PLUGIN = ["-p", "grpo_symbolic.api.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:benchmark", "-o", "addopts="]


def fences(page: str) -> list[tuple[str, str, str]]:
    return FENCE.findall((DOCS / page).read_text(encoding="utf-8"))


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("page", [pytest.param(page, marks=pytest.mark.slow) for page in PROMPTS[1:]] + PROMPTS[:1])
def test_what_prompts_show_is_what_comes(page):
    text = "\n".join(content for language, _, content in fences(page) if language == "pycon")
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    example = doctest.DocTestParser().get_doctest(text, {}, page, str(DOCS / page), 0)
    assert example.examples
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(example, out=said.append)
    assert said == [], "".join(said)


def test_a_new_folder_begins_with_the_example_of_the_tutorial():
    shown = {name: content for _, name, content in fences("tutorial-derivation.md") if name}
    assert shown["derivations/variance.py"] == (ROOT / "grpo_symbolic/api/example/variance.py").read_text()


def matches(expected: str, said: str) -> bool:
    """Whether what is said is what a page shows, where ``...`` is anything."""
    lines = "\n".join(line.rstrip() for line in said.splitlines())
    pattern = r"[\s\S]*?".join(re.escape(part) for part in expected.rstrip().split("..."))
    return re.fullmatch(pattern.replace(re.escape("*"), ".*") + r"\s*", lines) is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pages", "commands"), [(["tutorial-derivation.md", "tools.md"], 5), (["tutorial-paper.md"], 3)]
)
def test_files_and_commands_do_what_is_shown(pages, commands, tmp_path):
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": str(LOG_WIDTH)}
    run = 0
    for language, name, content in [fence for page in pages for fence in fences(page)]:
        if name and name != "pyproject.toml":
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
        elif name:
            (tmp_path / name).write_text(content, encoding="utf-8")
        elif language == "console":
            for block in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                line, _, expected = block.partition("\n")
                program, *arguments = shlex.split(line)
                start = {"grpo-symbolic": ["-m", "grpo_symbolic"], "pytest": ["-m", "pytest", *PLUGIN]}[program]
                command = [sys.executable, *start, *arguments]
                done = subprocess.run(
                    command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
                )
                assert matches(expected, done.stdout), f"$ {line}\n{done.stdout}\n{done.stderr}"
                run += 1
        elif language == "python":
            script = tmp_path / "script.py"
            script.write_text(content, encoding="utf-8")
            done = subprocess.run(
                [sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr) == (0, "")
            assert "Verdict.PROVED" in done.stdout
    assert run == commands


def shown(notebook: Path) -> list[list[str]]:
    """What each cell of a notebook prints or has as its value, as text."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [
        ["".join(one["text"] if "text" in one else one["data"]["text/plain"]) for one in cell["outputs"]]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


@pytest.mark.slow
def test_the_notebook_does_what_it_shows_and_its_page_fetches_no_formula(tmp_path):
    notebook = DOCS / "tutorial.ipynb"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1"}
    convert = [sys.executable, "-m", "nbconvert", "--output-dir", str(tmp_path), str(notebook)]
    command = [*convert, "--execute", "--to", "notebook"]
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert all(shown(notebook))
    assert shown(tmp_path / "tutorial.ipynb") == shown(notebook)
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    pages = [
        "".join(page)
        for cell in cells
        for one in cell.get("outputs", ())
        if (page := one.get("data", {}).get("text/html"))
    ]
    assert all("<math" in page and "$" not in page for page in pages)
    assert len(pages) > 5


class _Fetched(HTMLParser):
    """What a page makes a browser fetch from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "link", "img", "iframe", "source"):
            given = dict(attrs)
            self.found += [
                value
                for name in ("src", "href")
                if re.match(r"(https?:)?//", value := given.get(name) or "") and given.get("rel") != "canonical"
            ]


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert {path.stem for path in pages} >= {path.stem for path in DOCS.glob("*.md")} | {"contributing"}
    for page in pages:
        parser = _Fetched()
        parser.feed(page.read_text(encoding="utf-8"))
        assert parser.found == [], page
    api = (tmp_path / "site" / "api.html").read_text(encoding="utf-8")
    for name in ("judge", "check_text", "assess", "load", "claim", "derive", "real", "increasing"):
        assert re.search(rf'id="grpo_symbolic\.[\w.]+\.{name}"', api), name
