"""What MkDocs asks while it builds the documentation: formulas as MathML, and links that lead out of ``docs/``."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from grpo_symbolic.translate.mathml import mathml

_ROOT = Path(__file__).resolve().parent.parent
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(r"(?<![\\$])\$([^$\n]+)\$(?!\$)")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take CONTRIBUTING.md in as a page."""
    text = (_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](", text).replace("](README.md#add-a-derivation)", "](tutorial-derivation.md)")
    files.append(File.generated(config, "contributing.md", content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Set formulas, and name the files that are no pages instead of linking them."""
    parts = _CODE.split(_OUTSIDE.sub(_inside, markdown))
    return "".join(part if number % 2 else _FORMULA.sub(_set, part) for number, part in enumerate(parts))


def _set(found: re.Match[str]) -> str:
    return mathml(found[1])


def _inside(found: re.Match[str]) -> str:
    pages = {"CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
    page = pages.get(found[2])
    return found[1] if page is None else f"[{found[1]}]({page})"
