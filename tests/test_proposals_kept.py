"""What a CAS proposed and what is kept of it: the same lines, under a key of all that they depend on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grpo_symbolic import cli, define, eq, exp, rational, real, sqrt
from grpo_symbolic.cache.store import Store
from grpo_symbolic.derivation import modules
from grpo_symbolic.derivation.algebra import (
    cleared,
    coefficients,
    expanded,
    linear_root,
    numerator,
    quadratic_roots,
    simplified,
)
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Derivative
from grpo_symbolic.translate import cas

x = real("x", "(0, oo)", "a positive number")
y = real("y", "(-oo, oo)", "any number")
ROOT = 1 / (x - 1) + 1 / (x + y)

ASKED = {
    "simplified": lambda: simplified(ROOT),
    "derivative": lambda: simplified(Derivative(x**2 / (1 + x), x)),
    "root": lambda: simplified(sqrt(x**2) / x + rational(2, 3)),
    "function": lambda: simplified(exp(y) * (x**2 - 1) / (x - 1)),
    "expanded": lambda: expanded((x + y) ** 2, x),
    "numerator": lambda: numerator(ROOT),
    "cleared": lambda: cleared(eq(ROOT, y), x),
    "coefficients": lambda: coefficients((x + y) ** 3, x),
    "quadratic": lambda: quadratic_roots(eq(x**2 - 3 * x, y), x),
    "linear": lambda: linear_root(eq(y / x, rational(2, 3)), x),
}


def kept(folder, ask):
    with Store(folder) as store, cli._derivations_kept(store):
        return ask()


@pytest.fixture
def silent(monkeypatch):
    """A CAS that may not be asked."""

    def refuse():
        monkeypatch.setattr(cas.Bridge, "to_sympy", lambda self, expression: pytest.fail("the CAS was asked"))

    return refuse


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_what_is_kept_is_what_was_proposed(ask, tmp_path, silent):
    proposed = ask()
    assert kept(tmp_path, ask) == proposed
    silent()
    again = kept(tmp_path, ask)
    assert again == proposed
    assert str(again) == str(proposed)
    with pytest.raises(pytest.fail.Exception, match="the CAS was asked"):
        ask()


@pytest.mark.parametrize(
    "other",
    [
        lambda: simplified(ROOT + 1),
        lambda: numerator(ROOT),
        lambda: simplified(1 / (real("x", "(1, oo)", "a positive number") - 1) + 1 / (x + y) - 1 / (x + y)),
        lambda: simplified(sqrt(real("x", "(-oo, oo)", "any number") ** 2)),
    ],
    ids=["expression", "operation", "two of one name", "domain"],
)
def test_something_else_is_asked_anew(other, tmp_path, silent):
    kept(tmp_path, lambda: simplified(ROOT))
    kept(tmp_path, lambda: simplified(sqrt(x**2)))
    silent()
    with pytest.raises(pytest.fail.Exception, match="the CAS was asked"):
        kept(tmp_path, other)


def test_another_symbol_is_another_question(tmp_path, silent):
    assert kept(tmp_path, lambda: coefficients(x + 2 * y, x)) == (2 * y, rational(1))
    assert kept(tmp_path, lambda: coefficients(x + 2 * y, y)) == (x, rational(2))
    silent()
    assert kept(tmp_path, lambda: coefficients(x + 2 * y, y)) == (x, rational(2))


def test_what_is_refused_is_refused_again(tmp_path):
    for _ in range(2):
        with pytest.raises(UnsupportedError, match="is not a polynomial in x"):
            kept(tmp_path, lambda: coefficients(1 / x, x))


def test_another_program_proposes_anew(tmp_path, silent, monkeypatch):
    kept(tmp_path, lambda: simplified(ROOT))
    silent()
    monkeypatch.setattr("grpo_symbolic.judging.fragments.installed", lambda: "another SymPy")
    with pytest.raises(pytest.fail.Exception, match="the CAS was asked"):
        kept(tmp_path, lambda: simplified(ROOT))


def test_what_is_damaged_is_proposed_anew(tmp_path):
    proposed = kept(tmp_path, lambda: simplified(ROOT))
    with Store(tmp_path) as store:
        store._database.execute("UPDATE kept SET value = '[7]' WHERE kind = 'proposal'")
    with Store(tmp_path) as store, cli._derivations_kept(store):
        assert simplified(ROOT) == proposed
        assert store.damaged == 1


def test_what_names_cannot_tell_is_not_kept(tmp_path, monkeypatch):
    f = define("f", (x,), x**2 + x)
    monkeypatch.setattr(cas.Bridge, "from_sympy", lambda self, term: f(y))
    assert kept(tmp_path, lambda: simplified(ROOT)) == f(y)
    with Store(tmp_path) as store:
        assert store._database.execute("SELECT COUNT(*) FROM kept WHERE kind = 'proposal'").fetchone() == (0,)


def test_derivations_are_written_without_importing_a_cas():
    asked = "import sys; import grpo_symbolic.derivation.algebra; print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_that_nothing_is_forgotten_is_kept_and_what_is_forgotten_is_not(tmp_path, monkeypatch):
    right = "def build():\n    one = claim(1)\n    yield one\n"
    wrong = right.replace("yield one", "yield two")
    for _ in range(2):
        assert kept(tmp_path, lambda: modules._forgotten(right)) == []
        ((line, said),) = kept(tmp_path, lambda: modules._forgotten(wrong))
        assert (line, "write yield one" in said) == (2, True)
    monkeypatch.setattr(modules, "forgotten", lambda source: pytest.fail("looked for"))
    assert kept(tmp_path, lambda: modules._forgotten(right)) == []
    with pytest.raises(pytest.fail.Exception, match="looked for"):
        kept(tmp_path, lambda: modules._forgotten(wrong))
