"""What a finding means and what exit code it makes; and that nothing is refuted where every domain is a guess."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import (
    GUESSED,
    HOLDS,
    MEANINGS,
    RECORDED,
    STANDING,
    UNCHECKED,
    WRONG,
    Guess,
    Status,
)
from grpo_symbolic.referee.machine import as_data
from grpo_symbolic.referee.meanings import as_markdown, as_text
from grpo_symbolic.referee.wording import closing, details, headline

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
REALS = '[symbols]\nx = "(-oo, oo)"\ny = "(-oo, oo)"\nz = "(-oo, oo)"\n'


def reviewed(folder: Path, paper: str, said: str | None = REALS):
    (folder / "p.tex").write_text(paper)
    (folder / "p.notation.toml").unlink(missing_ok=True)
    if said is not None:
        (folder / "p.notation.toml").write_text(said)
    return check_paper(folder / "p.tex", OPTIONS)


# The table.


def expected(status: Status, *, proposed: bool, allowed: bool) -> int:
    """What the exit code should be, said apart from the table."""
    if status is Status.BROKEN:
        return 1
    if proposed:
        return 3
    if status in (Status.REFUTED, Status.NOT_AN_IDENTITY):
        return 1
    if status in (Status.UNDECIDED, Status.NOT_UNDERSTOOD):
        return 0 if allowed else 3
    return 0


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("proposed", [False, True])
@pytest.mark.parametrize("status", Status, ids=lambda status: status.value)
def test_the_exit_code_of_a_run_with_one_kind_of_finding(tmp_path, status, proposed, allowed):
    review = reviewed(tmp_path, r"\[ x + x = 2x \]")
    alone = replace(review, findings=(replace(review.findings[0], status=status),), proposed=proposed)
    both = replace(alone, findings=(*review.findings, *alone.findings))
    assert alone.exit_code(allow_unchecked=allowed) == expected(status, proposed=proposed, allowed=allowed)
    assert both.exit_code(allow_unchecked=allowed) == expected(status, proposed=proposed, allowed=allowed)


def test_what_is_wrong_comes_before_what_is_open(tmp_path):
    review = reviewed(tmp_path, r"\[ x + x = 2x \]")
    (held,) = review.findings
    for wrong in (Status.REFUTED, Status.NOT_AN_IDENTITY, Status.BROKEN):
        found = [replace(held, status=status) for status in (wrong, Status.NOT_UNDERSTOOD, Status.UNDECIDED)]
        assert replace(review, findings=tuple(found)).exit_code(allow_unchecked=True) == WRONG


def test_every_finding_has_a_meaning_and_the_flag_excuses_only_what_was_not_checked():
    assert set(MEANINGS) == set(Status)
    excused = {status for status, one in MEANINGS.items() if one.declared != one.allowed}
    assert excused == {Status.UNDECIDED, Status.NOT_UNDERSTOOD}
    assert all(MEANINGS[status].declared == HOLDS for status in (*STANDING, *RECORDED))
    assert HOLDS not in {one.guessed for one in MEANINGS.values()}
    assert [status for status, one in MEANINGS.items() if one.guessed is None] == [Status.REFUTED]


def test_the_documentation_and_the_help_print_the_table():
    assert as_markdown() in (ROOT / "docs" / "checking.md").read_text()
    shown = CliRunner().invoke(app, ["check", "--help"]).output
    assert all(line.strip() in shown for line in as_text().splitlines())
    for status in Status:
        assert any(line.strip().startswith(status.value) for line in shown.splitlines())


def test_the_run_ends_with_the_exit_code_of_the_table(tmp_path):
    paper = tmp_path / "p.tex"
    paper.write_text(r"\[ (x + y)^2 = x^2 + y^2 \]")
    (tmp_path / "p.notation.toml").write_text('[symbols]\nx = "[0, 1)"\ny = "(0, 1)"\n')
    for flags in ([], ["--allow-unchecked"]):
        found = CliRunner().invoke(app, ["check", str(paper), "--points", "40", *flags])
        assert found.exit_code == 1
        assert "1 fails, unless the map says what else is meant" in found.output


# A single equation that is false.


@pytest.mark.parametrize(
    "printed", [r"x^2 - y^2 = (x - y)(x - y)", r"x^2 + 1 \ge 3 x^2 + 1", "2 x + y = y + x", r"|x| + y = y + x"]
)
def test_a_single_equation_that_fails_is_repaired_like_any_other(tmp_path, printed):
    paper = rf"\begin{{equation}} {printed} \label{{a}} \end{{equation}}"
    (found,) = reviewed(tmp_path, paper).findings
    (claimed,) = reviewed(tmp_path, paper, REALS + '[[claim]]\nlabel = "a"\nkind = "identity"\n').findings
    assert (found.status, found.code) == (Status.NOT_AN_IDENTITY, "kind-unknown")
    assert claimed.status is Status.REFUTED
    assert found.repair == claimed.repair is not None
    assert f"repair: {found.repair}" in list(details(found))


def test_what_does_not_follow_is_repaired_too(tmp_path):
    found = reviewed(tmp_path, r"\[ x + y = 2 \implies 2 x + 2 y = 5 \]").findings[-1]
    assert (found.status, found.code, found.repair) == (Status.REFUTED, "never-holds", "5 -> 4")


@pytest.mark.parametrize("printed", ["x = y + 1", "y + 1 = x", "x = 2"])
def test_what_may_define_a_letter_is_not_repaired(tmp_path, printed):
    (found,) = reviewed(tmp_path, rf"\[ {printed} \]").findings
    assert (found.status, found.repair) == (Status.NOT_AN_IDENTITY, None)
    assert "is it a condition, a definition or a consequence?" in headline(found)


def test_a_map_may_say_what_else_it_is(tmp_path):
    paper = r"\begin{equation} x^2 + y = 2 \label{a} \end{equation}"
    for kind, status in (("condition", Status.CONDITION), ("identity", Status.REFUTED)):
        review = reviewed(tmp_path, paper, REALS + f'[[claim]]\nlabel = "a"\nkind = "{kind}"\n')
        assert [one.status for one in review.findings] == [status]
        assert review.exit_code() == (HOLDS if status is Status.CONDITION else WRONG)


@pytest.mark.parametrize("beside", [r"(\text{Lemma } 3)", r"(\text{see } y)"])
def test_what_fails_beside_a_remark_that_was_not_read_is_left_open(tmp_path, beside):
    review = reviewed(tmp_path, rf"\[ |x| + 1 = x + 1 \qquad {beside} \]")
    assert {one.status for one in review.findings} <= {Status.UNDECIDED, Status.NOT_UNDERSTOOD}
    assert review.exit_code() == UNCHECKED


# Without a map.

ASSERTED = [
    (r"x + x = 2x = 3x", [("x", "(-oo, oo)")]),
    (r"p + p = 2p = 3p", [("p", "(0, 1)")]),
    (r"\beta + \theta = \theta + \beta = \theta", [("beta", "(0, oo)"), ("theta", "(-oo, oo)")]),
    (r"x^2 = x x \le x", [("x", "(-oo, oo)")]),
    (r"1 + 1 = 2 = 3", [("no domain", None)]),
]


@pytest.mark.parametrize(("printed", "guessed"), ASSERTED)
def test_nothing_is_refuted_without_a_map_and_what_was_guessed_is_named(tmp_path, printed, guessed):
    review = reviewed(tmp_path, rf"\[ {printed} \]", None)
    found = review.findings[-1]
    assert (found.status, found.code) == (Status.NOT_AN_IDENTITY, GUESSED)
    assert sorted((one.name, one.domain) for one in found.guesses) == guessed
    assert all(one.why for one in found.guesses)
    assert found.counterexample is not None
    (line,) = (line for line in details(found) if line.startswith("guessed: "))
    assert all(name in line for name, _ in guessed)
    assert (review.exit_code(), review.exit_code(allow_unchecked=True)) == (UNCHECKED, UNCHECKED)
    with_map = "[symbols]\n" + "".join(f'{name} = "{domain}"\n' for name, domain in guessed if domain)
    assert reviewed(tmp_path, rf"\[ {printed} \]", with_map).findings[-1].status is Status.REFUTED


def test_what_fails_without_a_map_has_a_repair(tmp_path):
    assert reviewed(tmp_path, r"\[ 2x = x + x = 3x \]", None).findings[-1].repair == "3 -> 2"


def test_what_holds_names_its_guesses_as_well(tmp_path):
    review = reviewed(tmp_path, r"\[ p + x = x + p \]", None)
    (found,) = review.findings
    assert found.guesses == (
        Guess("p", "(0, 1)", "p is often a probability"),
        Guess("x", "(-oo, oo)", "nothing was found that restricts it"),
    )
    (step,) = as_data(review, review.exit_code())["steps"]
    assert step["guesses"][0] == {"name": "p", "domain": "(0, 1)", "why": "p is often a probability"}
    assert "guessed: p in (0, 1) (p is often a probability)" in json.dumps(list(details(found, domains=True)))


def test_a_domain_that_the_paper_states_says_where(tmp_path):
    review = reviewed(tmp_path, "We suppose\n\\[ c > 0. \\]\nThen\n\\[ c + c = 2c = c \\]\n", None)
    (guess,) = review.findings[-1].guesses
    assert (guess.name, guess.domain) == ("c", "(0, oo)")
    assert guess.why.startswith("from p.tex:2:")


def test_what_a_function_was_taken_to_be_is_named(tmp_path):
    paper = "\\[ f(x) = x^2 + 1 \\]\nand\n\\[ x + 1 = 1 + x = f(x) \\]\n"
    found = reviewed(tmp_path, paper, None).findings[-1]
    assert found.status is Status.NOT_AN_IDENTITY
    assert [(one.name, one.domain, one.why) for one in found.guesses] == [
        ("x", "(-oo, oo)", "nothing was found that restricts it"),
        ("f", None, "taken to be what p.tex:1:4 says"),
    ]


def test_with_a_map_nothing_is_guessed(tmp_path):
    review = reviewed(tmp_path, r"\[ 2x = x + x = 3x \]")
    assert [one.guesses for one in review.findings] == [(), ()]
    assert closing(review) == ""
    assert "every domain above is a guess" in closing(reviewed(tmp_path, r"\[ x + x = 2x \]", None))
