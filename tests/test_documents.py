"""What the documents name exists, the drawing of the rooms is the order that is enforced, and skips have reasons."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest
from syntax import nodes
from test_architecture import LAYERS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "grpo_symbolic"
DOCUMENTS = ("README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
#: What a path in a document may begin with, and where it is looked for.
TOPS = {path.name for path in (*ROOT.iterdir(), *PACKAGE.iterdir())}
#: Files that a document shows being made, or that belong to a reader's own paper.
MADE = re.compile(
    r"build/|build$|paper\.|my_derivations|appendix\.tex|report\.|results\.json|manifest\.json|figures/|derivations/(ledger|variance)"
)


def paths(document: str) -> set[str]:
    """The targets of links and every word in code that looks like a path of this repository."""
    text = (ROOT / document).read_text(encoding="utf-8")
    found = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target}
    code = re.findall(r"`([^`\n]+)`", text) + re.findall(r"```(?:text|sh)\n(.*?)```", text, re.DOTALL)
    for word in re.findall(r"[\w.<>/-]*[\w/>]", "\n".join(code)):
        if "/" in word and word.strip("./").split("/")[0] in {name.strip(".") for name in TOPS}:
            found.add(word)
    return {word for word in found if word and not MADE.match(word)}


def exists(document: str, path: str) -> bool:
    """Whether a path is there, seen from the document, the repository or the package; ``<paper>`` is any folder."""
    pattern = re.sub(r"<\w+>", "*", path.removeprefix("./")).rstrip("/")
    places = [(ROOT / document).parent, ROOT, PACKAGE]
    return any(place.joinpath(pattern).exists() or next(place.glob(pattern), None) for place in places)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_in_a_document_exists(document):
    named = paths(document)
    assert [path for path in sorted(named) if not exists(document, path)] == []


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ("CONTRIBUTING.md", "grpo_symbolic/language/statement.py"),
        ("CONTRIBUTING.md", "docs/architecture.md"),
        ("CONTRIBUTING.md", ".ci/try_wheel.py"),
        ("docs/architecture.md", "judging/judge.py"),
        ("docs/architecture.md", "../CONTRIBUTING.md"),
        ("README.md", "docs/example/variance.tex"),
    ],
)
def test_paths_are_found(document, path):
    assert path in paths(document)
    assert not exists(document, path + "x")


def test_the_drawing_shows_every_room_in_the_order_of_imports():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = re.search(r"```text\n(.*?)```", text, re.DOTALL).group(1).splitlines()
    at = {
        name: row
        for row, line in enumerate(drawing)
        for name in re.findall(r"(?<![\w.])(\w+)(?:/|\.py)(?![\w])", line[:64])
        if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()
    }
    assert set(at) == {name for layer in LAYERS for name in layer}
    for below, above in pairwise(LAYERS):
        assert max(at[name] for name in above) <= min(at[name] for name in below), (below, above)


def test_the_table_of_rooms_is_complete():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)) == rooms


def skips_without_a_word(node: ast.AST) -> bool:
    """Whether a piece of code skips a test and does not say how to get it run."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    said = any(keyword.arg == "reason" for keyword in node.keywords)
    if node.func.attr in ("skipif", "importorskip"):
        return not said
    return ast.unparse(node.func) in ("pytest.skip", "pytest.mark.skip") and not (node.args or said)


@pytest.mark.slow
def test_a_skipped_test_says_how_to_get_it_run():
    paths = sorted((ROOT / "tests").glob("*.py"))
    assert [
        f"{path}:{node.lineno}" for path in paths for node in nodes(path, ast.Call) if skips_without_a_word(node)
    ] == []
    assert any(map(skips_without_a_word, ast.walk(ast.parse("pytest.importorskip('numpy')"))))
