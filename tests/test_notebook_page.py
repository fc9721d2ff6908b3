"""The page of the documentation that shows the notebook: every cell and every result that is kept in it."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    pytest.importorskip("mkdocs", reason="no mkdocs found: pip install -e '.[dev]'")
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / ".ci" / "docs_hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_all_of_the_notebook_in_its_order(hooks: ModuleType) -> None:
    page, position = hooks.notebook_page(NOTEBOOK), 0
    for cell in NOTEBOOK["cells"]:
        parts = ["".join(cell["source"])]
        for output in cell.get("outputs", ()):
            shown = output.get("text") or output["data"].get("text/html") or output["data"]["text/plain"]
            parts.append(re.sub(r"\n\s*\n", "\n", "".join(shown)).rstrip())
        for part in parts:
            position = page.index(part, position) + len(part)
    assert page.count("```python") == sum(cell["cell_type"] == "code" for cell in NOTEBOOK["cells"])


def test_formulas_of_results_are_left_alone(hooks: ModuleType) -> None:
    page = hooks.notebook_page(NOTEBOOK)
    outputs = re.findall(r'(?s)<div class="output">.*?\n</div>\n', page)
    shown = hooks.on_page_markdown(page)
    assert outputs
    assert all(output in shown for output in outputs)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ({"cell_type": "markdown", "source": ["a $x$\n", "b"]}, ["a $x$\nb"]),
        ({"cell_type": "code", "source": "f()", "outputs": []}, ["```python\nf()\n```"]),
        (
            {"cell_type": "code", "source": "f()", "outputs": [{"output_type": "stream", "text": ["```\n"]}]},
            ["```python\nf()\n```", "````text\n```\n````"],
        ),
        (
            {
                "cell_type": "code",
                "source": "f()",
                "outputs": [{"output_type": "execute_result", "data": {"text/plain": "1"}}],
            },
            ["```python\nf()\n```", "```text\n1\n```"],
        ),
        (
            {
                "cell_type": "code",
                "source": "f()",
                "outputs": [
                    {"output_type": "execute_result", "data": {"text/plain": "1", "text/html": ["<b>1", "\n\n</b>"]}}
                ],
            },
            ["```python\nf()\n```", '<div class="output">\n<b>1\n</b>\n</div>'],
        ),
    ],
    ids=["markdown", "code", "stream", "text", "html"],
)
def test_cells_as_markdown(hooks: ModuleType, cell: dict[str, object], expected: list[str]) -> None:
    assert list(hooks._cell(cell)) == expected
