"""The house plan, enforced: imports run one way, nothing evaluates text, verdicts are earned in checks/."""

from __future__ import annotations

import ast
import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from syntax import imports, nodes

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "grpo_symbolic"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: Rooms and loose files from the ground up; a module may import from its own room and those before it.
LAYERS = [
    ["errors", "kernel"],
    ["evidence", "processes", "cache"],
    ["language"],
    ["obligations", "grpo"],
    ["translate"],
    ["derivation"],
    ["points"],
    ["checks"],
    ["proofs"],
    ["reading"],
    ["readback"],
    ["coverage", "wording"],
    ["judging"],
    ["report"],
    ["referee"],
    ["api"],
    ["cli"],
    ["__main__"],
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

#: Words of the papers that this began with, and of their subject: only ``grpo/`` and the derivations know them. The
#: program's own name is none of them, nor is that of its LaTeX commands.
SUBJECT = re.compile(
    r"polic(y|ies)|reward|advantage|preference|rlhf|vojnovic|mroueh|pi_(ref|theta|old)|\d{4}\.\d{5}"
    r"|\bgrpo\b(?![-:.}]|_symbolic)|(?<= )outputs?\b|\boutputs?(?= )",
    re.IGNORECASE,
)
#: Where such a word may stand in a string all the same, and why.
EXCEPTIONS = {
    "sum over outputs": "the kind of a statement in results.json; another name is another schema",
}

#: The parts of the reader, from characters to statements; a part may import from itself and those before it.
READER = ["places", "clock", "tex", "document", "notation", "meaning"]


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def imports_of(path: Path):
    for node in nodes(path, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("grpo_symbolic"):
            if node.module == "grpo_symbolic":
                yield from (f"grpo_symbolic.{alias.name}" for alias in node.names)
            else:
                yield node.module
                if node.module in ("grpo_symbolic.checks", "grpo_symbolic.translate", "grpo_symbolic.report"):
                    yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("grpo_symbolic"))


def test_imports_run_one_way():
    upwards = [
        f"{path.relative_to(ROOT)} imports {imported}, which stands above it"
        for path in MODULES
        if path.name != "__init__.py"
        for imported in imports_of(path)
        if RANK.get(layer_of(imported), 0) > RANK[path.relative_to(PACKAGE).with_suffix("").parts[0]]
    ]
    assert upwards == []


def test_the_kernel_imports_nothing_else():
    imported = {name for path in MODULES if path.is_relative_to(PACKAGE / "kernel") for name in all_imports_of(path)}
    foreign = {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name for name in foreign if not name.startswith("grpo_symbolic.kernel")} == set()


def all_imports_of(path: Path):
    for node in nodes(path, ast.Import, ast.ImportFrom):
        yield from [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]


def test_the_reader_is_built_from_characters_up():
    upwards = [
        f"{path.relative_to(ROOT)} imports {imported}, which stands above it"
        for path in MODULES
        if path.is_relative_to(PACKAGE / "reading")
        for imported in imports_of(path)
        if imported.startswith("grpo_symbolic.reading.")
        and READER.index(imported.split(".")[2])
        > READER.index(path.relative_to(PACKAGE / "reading").with_suffix("").parts[0])
    ]
    assert upwards == []


def dotted(path: Path, root: Path) -> str:
    """The name by which a file is imported; that of a folder is the name of its ``__init__``."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph(package: Path) -> dict[str, set[str]]:
    """What every file of a package imports of it, also in functions and where only a type checker looks."""
    files = {dotted(path, package.parent): path for path in package.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for name, path in files.items():
        imported: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}:{node.lineno}: write the whole name of what is imported"
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    imported.add(inner if inner in files else str(node.module))
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
        graph[name] = imported & set(files)
    return graph


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Files of which each imports the one after it, and the last is the first; empty if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_circle_of_files():
    found = circle(import_graph(PACKAGE))
    assert not found, f"a circle of imports: {' -> '.join(found)}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("from house import second", "from house.second import x"),
        ("import house.second", "def late():\n    from house import first"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.second import x", "import house.first"),
    ],
    ids=["plain", "in a function", "for types only"],
)
def test_circles_are_found(tmp_path, first, second):
    house = tmp_path / "house"
    house.mkdir()
    (house / "__init__.py").touch()
    (house / "first.py").write_text(first)
    (house / "second.py").write_text(second.replace("house.second", "house.first"))
    (house / "third.py").write_text("import house.first\nimport house.second")
    found = circle(import_graph(house))
    assert set(found) == {"house.first", "house.second"}
    assert found[0] == found[-1]
    (house / "second.py").write_text("")
    assert circle(import_graph(house)) == []


def words_in(source: str):
    """The strings of a file, apart from docstrings, and the names that stand in it, with their lines."""
    tree = ast.parse(source)
    documented = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docstrings = {id(node.body[0].value) for node in documented if node.body and isinstance(node.body[0], ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str() as text) if id(node) not in docstrings:
                yield node.lineno, text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str() as name):
                yield node.lineno, name


@pytest.mark.slow
def test_the_engine_knows_nothing_of_one_subject():
    """Names and strings outside of ``grpo/``; that one may import it is said by LAYERS."""
    found: dict[str, str] = {}
    for path in MODULES:
        if path.relative_to(PACKAGE).parts[0] == "grpo":
            continue
        for line, text in words_in(path.read_text()):
            # Most words stand in many places.
            found.setdefault(text, f"{path.relative_to(PACKAGE)}:{line}: {text!r}")
    found = {text: where for text, where in found.items() if SUBJECT.search(text)}
    assert [where for text, where in found.items() if text not in EXCEPTIONS] == []
    assert [text for text in EXCEPTIONS if text not in found] == [], "no longer needed"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x = "the reward"', ["the reward"]),
        ('"""Of the reward."""', []),
        ("def policy(advantage): pass", ["policy", "advantage"]),
        ("from grpo_symbolic.grpo import groups", []),
        (r'x = r"\begin{grpoerratum} \grpoclaim grpo-symbolic check"', []),
        ('x = "arXiv:2502.18548"', ["arXiv:2502.18548"]),
        ('x = "two outputs", "GRPO says"', ["two outputs", "GRPO says"]),
        ("pi_ref = 1", ["pi_ref"]),
    ],
)
def test_words_of_the_subject_are_found(source, expected):
    assert [text for _, text in words_in(source) if SUBJECT.search(text)] == expected


def test_at_most_twenty_two_rooms():
    rooms = [path for path in PACKAGE.iterdir() if path.name != "__init__.py" and not path.name.startswith((".", "__"))]
    rooms = [path for path in rooms if path.suffix == ".py" or path.is_dir()]
    assert len(rooms) <= 22, sorted(path.name for path in rooms)


def asserts_or_evaluates(node: ast.AST) -> bool:
    """Whether a piece of code is an assert, which ``python -O`` removes, or runs a text."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Assert)
    if isinstance(node.func, ast.Name):
        return node.func.id in {"eval", "exec", "sympify", "parse_expr", "lambdify", "compile"}
    # ``re.compile`` and the like run nothing.
    return getattr(node.func, "attr", "") in {"eval", "exec", "sympify", "parse_expr", "lambdify"}


def test_no_assert_and_nothing_evaluates_text():
    found = [
        f"{path}:{node.lineno}"
        for path in MODULES
        for node in nodes(path, ast.Assert, ast.Call)
        if asserts_or_evaluates(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    "code", ["assert x", "eval(x)", "sympy.sympify(x)", "exec(x)", "compile(x)", "a.b.lambdify(x)"]
)
def test_what_asserts_or_evaluates_is_found(code):
    assert any(map(asserts_or_evaluates, ast.walk(ast.parse(code))))
    assert not any(map(asserts_or_evaluates, ast.walk(ast.parse("re.compile(x)\nevaluate(x)"))))


def awards(node: ast.AST) -> bool:
    """Whether a piece of code hands DECIDED or PROVED to an Evidence."""
    if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Evidence", "replace")):
        return False
    return re.search(r"Verdict\.(DECIDED|PROVED)", ast.unparse(node)) is not None


def test_high_verdicts_are_awarded_only_by_checks():
    """Elsewhere DECIDED and PROVED may be compared with, but never handed to an Evidence."""
    elsewhere = [path for path in MODULES if not path.is_relative_to(PACKAGE / "checks")]
    assert [f"{path}:{node.lineno}" for path in elsewhere for node in nodes(path, ast.Call) if awards(node)] == []
    assert any(map(awards, ast.walk(ast.parse("replace(found, verdict=Verdict.PROVED)"))))


def test_processes_are_started_in_one_room_only():
    """What starts a process elsewhere would have to think of its end as well."""
    starting = {"subprocess", "multiprocessing", "concurrent", "pty"}
    elsewhere = [path for path in MODULES if not path.is_relative_to(PACKAGE / "processes")]
    found = [f"{path}:{line}" for path in elsewhere for name, line in imports(path) if name.split(".")[0] in starting]
    assert found == []


def test_package_never_imports_derivations():
    found = [
        f"{path}:{line}" for path in MODULES for name, line in imports(path) if name.split(".")[0] == "derivations"
    ]
    assert found == []


def test_derivations_import_only_the_package_and_each_other():
    allowed = {"grpo_symbolic", "derivations", "collections", "fractions", "__future__", "dataclasses", "functools"}
    allowed |= {"typing", "itertools", "math", "operator"}
    paths = sorted((ROOT / "derivations").rglob("*.py"))
    found = [f"{path}:{line}" for path in paths for name, line in imports(path) if name.split(".")[0] not in allowed]
    assert found == []


@pytest.mark.parametrize(
    "noun", ["Chain", "Entry", "Finding", "Instance", "Outcome", "Paper", "Part", "Relation", "Step"]
)
def test_one_noun_has_one_meaning(noun):
    """Whoever reads one of these names need not look which of several classes is meant."""
    classes = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in MODULES
        for node in nodes(path, ast.ClassDef)
        if node.name.lstrip("_") == noun
    ]
    assert len(classes) <= 1, classes
