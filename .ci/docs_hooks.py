"""What MkDocs asks while it builds the documentation: formulas as MathML, a notebook as a page, links out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from grpo_symbolic.translate.mathml import mathml

_ROOT = Path(__file__).resolve().parent.parent
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(r"(?<![\\$])\$([^$\n]+)\$(?!\$)")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)")
_NOTEBOOK = "tutorial.ipynb"
_TO_NOTEBOOK = re.compile(rf"\]\({re.escape(_NOTEBOOK)}\)")
_FENCES = re.compile(r"`{3,}")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take CONTRIBUTING.md and the notebook in as pages."""
    text = (_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](", text).replace("](README.md#add-a-derivation)", "](tutorial-derivation.md)")
    files.append(File.generated(config, "contributing.md", content=text))
    shown = notebook_page(json.loads((_ROOT / "docs" / _NOTEBOOK).read_text(encoding="utf-8")))
    files.append(File.generated(config, "tutorial-notebook.md", content=shown))
    return files


def notebook_page(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown, with the results that are kept in it, which the tests compare with those of today."""
    text = "\n\n".join(part for cell in notebook["cells"] for part in _cell(cell))
    download = f'<p>This page is a notebook: <a href="{_NOTEBOOK}" download>{_NOTEBOOK}</a></p>'
    return f"{text}\n\n{download}\n"


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield _fenced(source, "python")
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield _fenced("".join(output["text"]), "text")
        elif "text/html" in output["data"]:
            # A blank line would end the piece of HTML for Markdown.
            html = re.sub(r"\n\s*\n", "\n", "".join(output["data"]["text/html"]))
            yield f'<div class="output">\n{html}\n</div>'
        else:
            yield _fenced("".join(output["data"]["text/plain"]), "text")


def _fenced(text: str, language: str) -> str:
    longest = max((len(found[0]) for found in _FENCES.finditer(text)), default=2)
    return f"{'`' * (longest + 1)}{language}\n{text.rstrip()}\n{'`' * (longest + 1)}"


def on_page_markdown(markdown: str, **_: object) -> str:
    """Set formulas, and name the files that are no pages instead of linking them."""
    parts = _CODE.split(_TO_NOTEBOOK.sub("](tutorial-notebook.md)", _OUTSIDE.sub(_inside, markdown)))
    return "".join(part if number % 2 else _FORMULA.sub(_set, part) for number, part in enumerate(parts))


def _set(found: re.Match[str]) -> str:
    return mathml(found[1])


def _inside(found: re.Match[str]) -> str:
    pages = {"CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
    page = pages.get(found[2])
    return found[1] if page is None else f"[{found[1]}]({page})"
