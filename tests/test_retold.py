"""What a command printed before is said again, without loading anything, until something it depends on has changed."""

from __future__ import annotations

import textwrap
import uuid

import pytest
from typer.testing import CliRunner

from grpo_symbolic.cache.store import Store
from grpo_symbolic.cli import app
from grpo_symbolic.derivation import library
from grpo_symbolic.report.consoles import console
from grpo_symbolic.report.retold import Answer, Question, tell

MODULE = '''
"""A product, written out."""
from grpo_symbolic import Paper, Result, claim, lt, real
paper = Paper("p", "A. Author", "A title", "v1")
x = real("x", "(0, 1)", "a probability")
def build():
    yield claim("p.less", "It is less", lt(x**2, x))
result = Result("A product", paper, build)
'''
ASKED = (("list",), ("list", "--json"), ("list", "--text", "less"), ("coverage",), ("show", "less"))


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / f"derivations_{uuid.uuid4().hex}"
    path.mkdir()
    (path / "__init__.py").write_text("")
    (path / "small.py").write_text(textwrap.dedent(MODULE))
    return path


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.delenv("GRPO_SYMBOLIC_NO_CACHE")
    monkeypatch.chdir(tmp_path)
    return lambda *said: CliRunner().invoke(app, [*map(str, said), "--cache", str(tmp_path / "kept")])


@pytest.fixture
def unloadable(monkeypatch):
    """Call it, and from then on nothing can be loaded."""

    def refuse(*_, **__):
        raise AssertionError("it was loaded again")

    return lambda: monkeypatch.setattr(library, "load", refuse)


def placed(asked, folder):
    """The folder goes behind the name of a claim, if there is one."""
    return (*asked[:2], folder) if asked[0] == "show" else (asked[0], folder, *asked[1:])


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_what_is_asked_again_is_said_again(run, folder, unloadable, asked):
    first = run(*placed(asked, folder))
    assert first.exit_code == 0, first.output
    assert first.stdout.strip()
    unloadable()
    again = run(*placed(asked, folder))
    assert (again.exit_code, again.output) == (0, first.output)


@pytest.mark.parametrize("changed", ["small.py", "ledger.json", "new.py"])
def test_whatever_changes_in_the_folder_is_looked_at(run, folder, unloadable, changed):
    run("list", folder)
    path = folder / changed
    path.write_text((path.read_text() if path.is_file() else "") + "\n")
    unloadable()
    assert "it was loaded again" in str(run("list", folder).exception)


@pytest.mark.slow
def test_another_question_has_another_answer(run, folder):
    whole = run("list", folder).stdout
    assert "p.less" in whole
    assert run("list", folder, "--text", "nothing like it").stdout != whole
    assert run("list", folder).stdout == whole


def test_what_is_broken_is_told_each_time(run, folder):
    (folder / "broken.py").write_text("1 / 0\n")
    for _ in range(2):
        found = run("list", folder)
        assert found.exit_code == 2
        assert "left out is what is broken" in found.stderr
        assert "p.less" in found.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("lasting", "times"), [(True, 1), (False, 2)])
def test_only_what_lasts_is_kept_and_with_its_exit_code(tmp_path, folder, capsys, lasting, times):
    said = []

    def answer():
        return Answer(lambda: (said.append(1), screen.print("so it is")), 1, lasting)

    screen = console()
    with Store(tmp_path / "kept") as store:
        codes = [tell(store, Question(folder, ("ask",)), screen, answer) for _ in range(2)]
    assert (codes, len(said)) == ([1, 1], times)
    assert capsys.readouterr().out == "so it is\n" * 2


@pytest.mark.slow
def test_what_changes_meanwhile_is_not_kept(tmp_path, folder):
    def answer():
        with (folder / "small.py").open("a") as file:
            file.write("#\n")
        return Answer(lambda: None)

    with Store(tmp_path / "kept") as store:
        tell(store, Question(folder, ("ask",)), console(), answer)
        asked = []
        tell(store, Question(folder, ("ask",)), console(), lambda: Answer(lambda: asked.append(1)))
    assert asked


@pytest.mark.slow
def test_a_screen_of_another_size_is_another_question(tmp_path, folder):
    said = []
    with Store(tmp_path / "kept") as store:
        for width in (100, 100, 60):
            screen = console()
            screen.width = width
            tell(store, Question(folder, ("ask",)), screen, lambda width=width: Answer(lambda: said.append(width)))
    assert said == [100, 60]
