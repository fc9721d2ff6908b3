"""The MathML of formulas that is kept is exactly what would be made, and what was not checked is not kept."""

from __future__ import annotations

import pytest

from grpo_symbolic.cache.store import Store
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging import fragments as keeping
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.report.site import formulas as converting
from grpo_symbolic.report.site import marked as parts
from grpo_symbolic.report.site.formulas import Formulas
from grpo_symbolic.report.site.marked import Marked

FORMULAS = (r"\frac{x_{1}^2}{1 - x}", r"\sum_{o} p(o) = 1", "a = b, \\quad c < d + e", r"\sqrt{x} \le \log x", "x")
FOREIGN = r"\overbrace{x}^{y}"


def shown(formulas):
    return [
        [formulas.inline(one), formulas.display([one]), formulas.printed(one), formulas.text(one)] for one in FORMULAS
    ]


def build(folder, said=None, wanted=shown):
    """What a run makes, which leaves what it added in a file for the store."""
    with Store(folder / "cache") as store:
        marked = Marked(Fragments(store))
        found = wanted(Formulas(said or {}, marked))
        marked.leave(folder / "left.json")
        marked.take(folder / "left.json")
    return found


def test_what_is_kept_is_what_would_be_made(tmp_path, monkeypatch):
    without = shown(Formulas({}))
    assert build(tmp_path) == without
    monkeypatch.setattr(converting, "nodes_of", lambda latex: pytest.fail("made anew"))
    assert build(tmp_path) == without
    assert build(tmp_path, {FORMULAS[-2]: "what it says"})[-2][-1] == "what it says"


def test_the_program_matters(tmp_path, monkeypatch):
    build(tmp_path)
    monkeypatch.setattr(keeping, "installed", lambda: "another")
    asked = []
    nodes_of = converting.nodes_of
    monkeypatch.setattr(converting, "nodes_of", lambda latex: asked.append(latex) or nodes_of(latex))
    build(tmp_path)
    assert set(asked) == set(FORMULAS)


def test_what_does_not_show_what_is_printed_is_not_kept(tmp_path, monkeypatch):
    def refuse(latex, shown):
        raise ReportError("other signs")

    with monkeypatch.context() as patched:
        patched.setattr(converting, "check_mathml", refuse)
        build(tmp_path)
        with pytest.raises(ReportError, match="other signs"):
            build(tmp_path, {"x": "our own"})
    asked = []
    nodes_of = converting.nodes_of
    monkeypatch.setattr(converting, "nodes_of", lambda latex: asked.append(latex) or nodes_of(latex))
    assert build(tmp_path) == shown(Formulas({}))
    assert set(asked) >= set(FORMULAS)


def test_a_new_formula_is_added_and_few_are_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "_MANY", 1)
    monkeypatch.setattr(parts, "_PARTS", 1)
    build(tmp_path)
    build(tmp_path, wanted=lambda formulas: [formulas.inline("x"), formulas.inline("y")])
    with Store(tmp_path / "cache") as store:
        marked = Marked(Fragments(store))
        assert [latex for latex in (*FORMULAS, "y") if marked.get(latex) is not None] == ["x", "y"]


@pytest.mark.parametrize("forged", [[], "text", 1, None, {}])
def test_what_is_no_formula_is_not_believed(tmp_path, forged):
    with Store(tmp_path / "cache") as store:
        fragments = Fragments(store)
        for part in range(parts._PARTS):
            fragments.keep("mathml", fragments.key("mathml", (part,)), {"x": forged})
        assert Marked(fragments).get("x") is None
