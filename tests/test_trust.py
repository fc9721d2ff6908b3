"""The trusted base: computed from imports, complete by what Python really loads, no larger than agreed."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from judging_here import found

from grpo_symbolic import claim, evidence, ge, real
from grpo_symbolic.checks import numeric, oracle, proof, refuting
from grpo_symbolic.checks.deciding import COMPOSITION, DECIDERS
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.evidence import Evidence, SolverAnswer, Verdict
from grpo_symbolic.judging.methods import METHODS
from grpo_symbolic.judging.solvers import agreement
from grpo_symbolic.judging.trusted_base import KERNEL, ROOT, SEARCH, lines_that_run, trusted_base, versions_of
from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import verify
from grpo_symbolic.language import composites
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.obligations.principles import PRINCIPLES, Principle, principles_for, sums
from grpo_symbolic.proofs.claims import prove

HERE = Path(__file__).resolve().parent.parent
AGREED = HERE / "docs" / "trusted-base.json"

#: Imports modules of the package without running the package's own ``__init__``, and tells which files were loaded.
LOADED = """
import sys, types
package = types.ModuleType("grpo_symbolic")
package.__path__ = [sys.argv[1] + "/grpo_symbolic"]
sys.modules["grpo_symbolic"] = package
__import__(sys.argv[2])
for name, module in sorted(sys.modules.items()):
    if name.startswith("grpo_symbolic."):
        print(module.__file__)
"""


def test_the_total_is_the_agreed_one() -> None:
    agreed = json.loads(AGREED.read_text())
    base = trusted_base()
    assert {"root": base.root, "lines": base.lines} == {"root": agreed["root"], "lines": agreed["lines"]}, (
        f"the trusted base has {base.lines} lines, {AGREED.name} says {agreed['lines']}: if it has to grow, say why "
        "in the commit that changes the file"
    )


@pytest.mark.slow
@pytest.mark.parametrize("root", [ROOT, SEARCH])
def test_what_python_loads_is_in_the_list(root: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, HERE, root], capture_output=True, text=True, check=True)
    loaded = {Path(line).relative_to(HERE).as_posix() for line in done.stdout.splitlines()}
    assert loaded, "nothing was loaded"
    listed = {file.path for file in trusted_base(root).files}
    assert loaded <= listed


def write(folder: Path, **files: str) -> Path:
    package = folder / "house"
    package.mkdir()
    for name, text in {"__init__": "import house.never", "never": "", **files}.items():
        path = package.joinpath(*name.split("__in__")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return package


def test_imports_of_every_form_count(tmp_path: Path) -> None:
    package = write(
        tmp_path,
        root="""
            from typing import TYPE_CHECKING
            import flint
            import house.plain
            from house import sideways
            from house.named import something

            if TYPE_CHECKING:
                from house.typed import Type
            else:
                import house.otherwise

            def function():
                from house.room import inside
            """,
        plain="import house.indirect\n",
        indirect="import house.root\n",
        sideways="",
        named="",
        typed="",
        otherwise="",
        unused="",
        room__in____init__="#\n#\n",
        room__in__inside="import z3\n",
    )
    base = trusted_base("house.root", package)
    names = ["indirect", "named", "otherwise", "plain", "room/__init__", "room/inside", "root", "sideways"]
    assert [file.path for file in base.files] == [f"house/{name}.py" for name in names]
    assert [file.lines for file in base.files] == [1, 0, 0, 1, 2, 1, 14, 0]
    assert base.lines == 19
    assert base.modules == ("flint", "z3")


def test_libraries_have_versions() -> None:
    found = versions_of((*trusted_base().modules, "no_such_module"))
    assert found["no_such_module"] is None
    assert {"python", "python-flint", "z3-solver", "cvc5"} <= set(found)
    assert all(version for name, version in found.items() if name != "no_such_module")


def test_every_composite_kind_has_a_principle() -> None:
    kinds = {kind for kind in vars(composites).values() if isinstance(kind, type) and issubclass(kind, Statement)}
    for kind in kinds - {Statement, composites.Relation}:
        assert principles_for([kind], []), f"{kind.__name__} stands behind no principle"


@pytest.mark.parametrize(
    "method", [*(module.METHOD for module in DECIDERS.values()), COMPOSITION, refuting.METHOD, refuting.POINT]
)
def test_every_method_has_a_principle(method: str) -> None:
    assert principles_for([], [method])


def test_every_method_is_described() -> None:
    asked = (numeric, oracle, *DECIDERS.values(), refuting)
    assert set(METHODS) == {module.METHOD for module in asked} | {COMPOSITION, refuting.POINT, proof.METHOD}
    described = (HERE / "docs" / "verdicts.md").read_text()
    for method in METHODS:
        assert f"* **{method}**:" in described


def test_principles_are_sentences_with_names_of_their_own() -> None:
    assert len({item.name for item in PRINCIPLES}) == len(PRINCIPLES)
    for item in PRINCIPLES:
        assert item.sentence.endswith("."), item.name
        assert item.sentence.count("$") % 2 == 0, item.name
        assert item.kinds or item.methods, f"nothing uses {item.name}"


@pytest.mark.parametrize(
    "item", [*PRINCIPLES, *sums(IndexSet("state", "states", r"\omega"))], ids=lambda item: item.name
)
def test_principles_have_a_text_without_latex(item: Principle) -> None:
    assert not set("$\\{}") & set(item.text), item.text
    assert (item.plain is not None) is ("$" in item.sentence)
    assert item.text.endswith(".")


def answered(*answers: tuple[str, str]) -> Evidence:
    said = tuple(SolverAnswer(solver, status) for solver, status in answers)
    return found("smt", Verdict.DECIDED, answers=said)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([("z3", "unsat"), ("cvc5", "unsat")], "both solvers"),
        ([("z3", "unsat")], "z3 alone"),
        ([("z3", "unsat"), ("cvc5", "unknown")], "z3 alone"),
        ([("z3", "unknown"), ("cvc5", "unsat")], "cvc5 alone"),
        ([("z3", "unsat"), ("cvc5", "unsat"), ("cvc5", "unknown")], "z3 alone"),
        ([("z3", "unsat"), ("z3", "unknown"), ("cvc5", "unsat"), ("cvc5", "unknown")], "each solver in part"),
        ([], None),
    ],
)
def test_both_solvers_and_one_alone_are_told_apart(answers: list[tuple[str, str]], said: str | None) -> None:
    assert agreement(answered(*answers)) == said


def test_nothing_undecided_has_an_agreement_of_solvers() -> None:
    item = evidence.Evidence("smt", Verdict.UNDECIDED, "claim", "", answers=(SolverAnswer("z3", "unsat"),))
    assert agreement(item) is None


def test_of_the_kernel_only_what_runs_for_a_proof_has_to_be_believed() -> None:
    p = real("p", "(0, 1)", "a probability")
    made = prove(claim("t.square", "A square", ge((2 * p - 1) ** 2, 0)), Settings())
    ran = lines_that_run(lambda: verify({"record": made.record, "proof": made.proof}))
    assert {"grpo_symbolic/kernel/rules.py", "grpo_symbolic/kernel/verify.py"} < ran.keys()
    assert "grpo_symbolic/kernel/groups.py" not in ran
    assert 200 < sum(ran.values()) < trusted_base(KERNEL).lines / 2


def test_whoever_counts_lines_stops_when_the_work_fails() -> None:
    with pytest.raises(RefusedError, match="no record"):
        lines_that_run(lambda: verify({"record": None}))
    assert sys.getprofile() is None
