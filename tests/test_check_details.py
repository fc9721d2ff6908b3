"""What a step rests on and what is said about it: arrows, conditions, sizes, other solutions, repairs, odd files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from referee_here import QUICK, in_this_process
from typer.testing import CliRunner

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.cli import app
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import CERTAIN, Status
from grpo_symbolic.referee.machine import as_data
from grpo_symbolic.referee.wording import closing, details, headline, summary

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
SYMBOLS = """
[symbols]
x = "(-oo, oo)"
y = "(-oo, oo)"
p = "(0, 1)"
c = "(0, oo)"
"""


def reviewed(folder: Path, paper: str | bytes, said: str | None = SYMBOLS, name: str = "p.tex"):
    path = folder / name
    path.write_bytes(paper if isinstance(paper, bytes) else paper.encode())
    if said is not None:
        (folder / "p.notation.toml").write_text(said)
    return check_paper(path, OPTIONS)


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ("x^2 + 1 < 2 x", Status.REFUTED),
        (r"\exp(c) = \frac{1}{2}", Status.REFUTED),
        (r"x + y > 2 \qquad (x + y = 1)", Status.REFUTED),
        ("x^2 + 1 = 2 x", Status.NOT_AN_IDENTITY),
        (r"x^2 \ge 1", Status.NOT_AN_IDENTITY),
    ],
)
def test_what_holds_nowhere_is_no_condition(tmp_path, row, status):
    (found,) = reviewed(tmp_path, rf"\[ {row} \]").findings
    assert found.status is status
    assert (found.code == "never-holds") is (status is Status.REFUTED)
    (guessed,) = reviewed(tmp_path, rf"\[ {row} \]", None, "q.tex").findings
    assert guessed.status is not Status.REFUTED


# Conditions on a row.


@pytest.mark.parametrize(
    ("row", "given"),
    [
        (r"|x| = x \qquad (x > 0)", ("x > 0",)),
        (r"|x| = x \quad [x > 0]", ("x > 0",)),
        (r"|x| = x, \quad \forall x \ge 0", ("x ≥ 0",)),
        (r"|x| = x \quad \text{for all } x \in [0, \infty)", ("0 ≤ x",)),
        (r"|x| = x \quad \text{for } x \in (0, 1]", ("0 < x", "x ≤ 1")),
        (r"|x| = x \text{ provided that } x > 0", ("x > 0",)),
        (r"|x y| = x y \quad \text{for all } x, y > 0", ("x > 0", "y > 0")),
        (r"|x y| = x y \quad \text{if } x > 0 \text{ and } y > 0", ("x > 0", "y > 0")),
        (r"|x y| = x y, \quad x \in \mathbb{R}, \; x > 0, \; y > 1", ("x > 0", "y > 1")),
    ],
)
def test_a_condition_is_read_and_shown(tmp_path, row, given):
    (found,) = reviewed(tmp_path, rf"\[ {row} \]").findings
    assert (found.status, found.read.given) == (Status.DECIDED, given)
    assert f"given: {', '.join(given)}" in list(details(found, domains=True))


@pytest.mark.parametrize(
    "row",
    [
        r"x = x + 1 \qquad (x = x + 1)",
        r"x^2 = 7 \qquad (x^2 < 0)",
        r"x = 5 \quad \text{if } x > 1 \text{ and } x < 0",
        r"p = 2 \qquad (p > 1)",
    ],
)
def test_a_condition_that_never_holds_makes_nothing_true(tmp_path, row):
    review = reviewed(tmp_path, rf"\[ {row} \]")
    (found,) = review.findings
    assert (found.status, found.code) == (Status.UNDECIDED, "vacuous")
    assert found.reason.startswith("its condition never holds")


@pytest.mark.parametrize(
    "row",
    [
        r"|x| = x \qquad (\text{Lemma } 3)",
        r"|x| = x \text{ unless } x < 0",
        r"|x| = x \quad \text{for } x \in \{1, \dots, 4\}",
        r"|x| = x \quad \text{for } x \in (0, 1, 2)",
        r"|x| = x \quad \text{as } x \to \infty",
    ],
)
def test_a_condition_that_is_not_read_refutes_nothing(tmp_path, row):
    review = reviewed(tmp_path, rf"\[ x = x \cdot 1, \quad {row} \]")
    assert not {Status.REFUTED, Status.BROKEN} & {one.status for one in review.findings}
    assert review.exit_code() == 3


def test_a_statement_below_a_brace_is_checked(tmp_path):
    paper = " and ".join(rf"\[ p^2 = p p = \underbrace{{p \cdot p}}_{{{label}}} \]" for label in ("= p^2", "> p"))
    found = reviewed(tmp_path, paper).findings
    assert [one.status for one in found] == [Status.DECIDED, Status.DECIDED, Status.DECIDED, Status.REFUTED]
    assert found[-1].read.relation == ">"


@pytest.mark.parametrize(
    "printed",
    [
        r"\left. \begin{aligned} p^2 &= p \cdot p \\ c^2 &= c c \end{aligned} \right\}",
        r"\left\{ \begin{aligned} p^2 &= p \cdot p \\ c^2 &= c c \end{aligned} \right.",
        r"\begin{aligned} p^2 &= p \cdot \left( p + 1 \right. \\ & \qquad \left. - 1 \right) \end{aligned}",
    ],
)
def test_brackets_on_one_side(tmp_path, printed):
    found = reviewed(tmp_path, rf"\[ {printed} \]").findings
    assert {one.status for one in found} == {Status.DECIDED}


def test_a_bracket_that_was_lost_is_told(tmp_path):
    (found,) = reviewed(tmp_path, r"\[ 2 \left. p + c \right) = 2 p + c \]").findings
    assert (found.status, found.code) == (Status.NOT_UNDERSTOOD, "unbalanced")


# Arrows.


@pytest.mark.parametrize(
    ("printed", "status", "given"),
    [
        (r"x = y \implies x^2 = y^2", Status.DECIDED, ("x = y",)),
        (r"x^2 = y^2 \Rightarrow x = y", Status.NOT_AN_IDENTITY, ("x² = y²",)),
        (r"x^2 = y^2 \Leftarrow x = y", Status.DECIDED, ()),
        (r"|x| = x \iff x \ge 0", Status.DECIDED, ("equivalent to |x| = x",)),
        (r"x^2 = y^2 \iff x = y", Status.REFUTED, ("equivalent to x² = y²",)),
        (r"0 < x < 1 \implies x^2 < x", Status.DECIDED, ("0 < x", "x < 1")),
    ],
)
def test_what_follows_an_arrow_rests_on_what_stands_before(tmp_path, printed, status, given):
    found = reviewed(tmp_path, rf"\[ {printed} \]").findings[-1]
    assert (found.status, found.kind) == (status, "")
    assert not given or found.read.given == given
    if status is Status.NOT_AN_IDENTITY:
        assert "does not follow as the arrow before it says" in headline(found)
    if status is Status.REFUTED:
        assert "is not equivalent to what stands before the arrow" in headline(found)


def test_an_equivalence_on_domains_that_nobody_declared_is_not_refuted(tmp_path):
    (tmp_path / "p.tex").write_text(r"\[ x^2 = y^2 \iff x = y \]")
    assert check_paper(tmp_path / "p.tex", OPTIONS).findings[-1].status is Status.NOT_AN_IDENTITY


def test_an_arrow_after_something_not_understood_is_left(tmp_path):
    found = reviewed(tmp_path, r"\[ \mathfrak{q} = y \implies x = x \]").findings[-1]
    assert (found.status, found.code) == (Status.NOT_UNDERSTOOD, "premise")


# Sizes.


def test_what_is_checked_for_some_sizes_is_not_decided_for_all(tmp_path):
    said = f"{SYMBOLS}[sizes]\nn = [2, 3]\n"
    paper = r"\[ \sum_{i=1}^n x = n x = x n \] and \[ n^2 - 5 n + 6 = 0 \cdot n \]"
    review = reviewed(tmp_path, paper, said)
    assert {one.status for one in review.findings[:2]} == {Status.SUPPORTED}
    assert {one.code for one in review.findings if one.status is Status.SUPPORTED} == {"sizes"}
    assert "checked for n = 2, 3 only" in headline(review.findings[0])
    assert "for some sizes" in summary(review)
    assert "digits" not in summary(review)


# Other solutions.

SOLUTIONS = (
    SYMBOLS
    + """
[[claim]]
label = "equation"
kind = "condition"
"""
)


def solution(root: str, unique: bool, equation: str = "x^2 = c^2") -> tuple[str, str]:
    entry = (
        f"[[claim]]\nlabel = 'root'\nkind = 'solution'\nof = 'equation'\nsolve = 'x'\nunique = {str(unique).lower()}\n"
    )
    return rf"\[ {equation} \label{{equation}} \] and \[ x = {root} \label{{root}} \]", SOLUTIONS + entry


@pytest.mark.parametrize(
    ("root", "unique", "status", "said"),
    [
        ("c", False, Status.DECIDED, "another solution in its domain: x = -1, c = 1"),
        ("-c", False, Status.DECIDED, "another solution in its domain: x = 1, c = 1"),
        (r"c \quad \text{if } x > 0", True, Status.DECIDED, "it is the only solution in its domain"),
        ("c", True, Status.REFUTED, "is not the only solution"),
        ("2 c", False, Status.REFUTED, "is not an identity"),
    ],
)
def test_solutions_and_other_solutions(tmp_path, root, unique, status, said):
    found = reviewed(tmp_path, *solution(root, unique)).findings[-1]
    assert found.status is status
    assert said in "\n".join([headline(found), *details(found)])


def test_a_transcendental_equation_has_one_solution(tmp_path):
    found = reviewed(tmp_path, *solution(r"\log c", True, r"e^x = c")).findings[-1]
    assert found.status in (Status.DECIDED, Status.UNDECIDED)
    assert found.code in ("", "not-unique")


def test_only_a_solution_may_be_unique(tmp_path):
    entry = "[[claim]]\nlabel = 'a'\nkind = 'identity'\nunique = true\n"
    (tmp_path / "p.tex").write_text(r"\[ x = x \label{a} \]")
    (tmp_path / "p.notation.toml").write_text(SYMBOLS + entry)
    found = CliRunner().invoke(app, ["check", str(tmp_path / "p.tex")])
    assert found.exit_code == 2
    assert "unique is about a solution" in found.output


def test_a_label_that_is_not_there_leaves_the_others_of_its_entry(tmp_path):
    said = SYMBOLS + "[[claim]]\nlabel = ['a', 'lost', 'b']\nkind = 'identity'\n"
    review = reviewed(tmp_path, r"\[ x = y \label{a} \] and \[ x = -y \label{b} \]", said)
    assert [one.status for one in review.findings] == [Status.REFUTED, Status.REFUTED]
    assert [warning for warning in review.warnings if "no label lost" in warning]


# Repairs.

FAMILY = (
    SYMBOLS
    + """
k = "[0, oo)"
[sets]
answers = ["a", "b"]
[indices]
i = "answers"
[[notation]]
tex = 'v_{#i}'
by = { a = "x", b = "y" }
"""
)


@pytest.mark.parametrize(
    ("printed", "repair"),
    [
        (r"v_i^2 - 1 = (v_i - 1) (v_i + 1) = v_i (v_i + 1) - v_i + 1", "x·(x + 1) - x + 1 -> x·(x + 1) - x - 1"),
        (r"2 v_i = v_i + v_i = 3 v_i", "3 -> 2"),
        (r"p^2 = p \cdot p > p", "> -> <"),
        (r"p^2 = p \cdot p < p^2", "< -> ≤"),
        (r"p^2 = p \cdot p = p^3", "p³ -> p²"),
        (r"\sqrt{p c} + 1 = 1 + \sqrt{c p} = c p + 1", "c·p -> √(c·p) (on the right)"),
        (r"x^2 + 2 x p + p^2 = (x + p) (x + p) = x + p^2", "x + p² -> (x + p)²"),
        (r"(x + p) (x + p) = x^2 + 2 x p + p^2 = (p + x) x + p", "(p + x)·x + p -> (p + x)·(x + p)"),
        (r"y + p x + x = x (1 + p) + y = p x + x", "p·x + x -> p·x + x + y"),
        (r"p = p^2 / p = |p| / |p|", "|p|/|p| -> |p|"),
        (r"p + 1 = 1 + p \ge 1 + 2 p", "≥ -> ≤"),
        (r"\frac{p^3}{3} = p^3 / 3 = \int_0^p x^3 \, dx", "x³ -> x²"),
        (r"x + x = 2 x = 2 x + x p", None),
        (r"\frac{c (c + 1)}{2} = \frac{c^2 + c}{2} = \sum_{k=1}^{c-1} k", "c - 1 -> c"),
    ],
)
def test_repairs_of_families_and_inequalities(tmp_path, printed, repair):
    found = reviewed(tmp_path, rf"\[ {printed} \]", FAMILY).findings[-1]
    assert found.status is Status.REFUTED
    assert found.repair == repair


def test_a_solution_is_repaired(tmp_path):
    found = reviewed(tmp_path, *solution("2 c", False)).findings[-1]
    assert found.repair == "2·c -> c"


def test_what_no_single_edit_repairs_is_left_without_one(tmp_path):
    found = reviewed(tmp_path, r"\[ p^2 = p \cdot p = p^7 + x + 5 \]").findings[-1]
    assert (found.status, found.repair) == (Status.REFUTED, None)


# Notation that was guessed.


def test_a_guessed_symbol_before_a_bracket_is_a_question(tmp_path):
    paper = r"\[ z = z \] and \[ z(p) = z(p) + 0 = z p \]"
    found = reviewed(tmp_path, paper, None).findings[-1]
    assert (found.status, found.code) == (Status.UNDECIDED, "objects")
    assert "z_p stands for z(p), whatever that is" in found.notes
    declared = reviewed(tmp_path, paper, SYMBOLS + 'z = "(0, 1)"\n').findings[-1]
    assert declared.status is Status.DECIDED


def test_what_has_a_prime_is_proposed_as_a_function(tmp_path):
    (tmp_path / "p.tex").write_text(r"\[ f(u) = u^2 \] and \[ f'(u) = 2 u = u + u \] and $f$")
    (found, *_) = (check_paper(tmp_path / "p.tex", OPTIONS).findings,)
    assert [one.status for one in found] == [Status.BY_DEFINITION, Status.DECIDED, Status.DECIDED]


def test_what_the_paper_defines_is_not_proposed_as_a_symbol(tmp_path):
    found = reviewed(tmp_path, r"\[ t := \frac{u}{2} \] and \[ 2 t = t + t = u \]", None).findings
    assert [one.status for one in found] == [Status.BY_DEFINITION, Status.DECIDED, Status.DECIDED]


# Files.

WRONG = "A line.\n\n\\[ x^2 = x \\cdot x = x^3 \\]\n"
INSIDE = f'%: [symbols]\n%: x = "(0, 1)"\n{WRONG}'


@pytest.mark.parametrize(
    "content",
    [
        INSIDE.encode(),
        b"\xef\xbb\xbf" + INSIDE.encode(),
        INSIDE.encode("utf-16"),
        INSIDE.replace("\n", "\r\n").encode(),
        INSIDE.replace("\n", "\r").encode(),
        INSIDE.replace("A line", "Für").encode("latin-1"),
    ],
    ids=["utf-8", "mark", "utf-16", "windows", "old-mac", "latin-1"],
)
def test_every_kind_of_text_file_has_the_same_lines_and_columns(tmp_path, content):
    review = reviewed(tmp_path, content, None)
    assert [one.status for one in review.findings] == [Status.DECIDED, Status.REFUTED]
    place = review.findings[1].place
    assert (place.line, place.column, place.end_column) == (5, 10, 25)
    assert not review.proposed


def test_the_argument_that_a_call_leaves_out_stands_where_the_call_stands(tmp_path):
    paper = "\\newcommand{\\more}[2][x]{#1 + #2}\n\n\\[ \\more{y} = y + x \\]\n"
    (found,) = reviewed(tmp_path, paper).findings
    assert (found.status, found.place.line, found.place.column) == (Status.DECIDED, 3, 4)


@pytest.mark.parametrize(("paper", "said"), [("", None), ("Only words.", None), ("$x$", SYMBOLS)])
def test_a_paper_without_a_step_is_not_green(tmp_path, paper, said):
    review = reviewed(tmp_path, paper, said)
    assert review.exit_code() == 3
    assert closing(review) == "no step was found, so nothing was checked"


def test_errors_of_the_operating_system_have_no_numbers(tmp_path):
    for path in (tmp_path, tmp_path / "absent.tex"):
        found = CliRunner().invoke(app, ["check", str(path)])
        assert found.exit_code == 2
        assert "Errno" not in found.output


def test_what_a_step_rests_on_is_in_the_json(tmp_path):
    review = reviewed(tmp_path, r"\[ |x| = x \qquad (x > 0) \]")
    (step,) = json.loads(json.dumps(as_data(review, 0)))["steps"]
    assert step["read_given"] == ["x > 0"]


# What a step supposes.


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (r"\sqrt{x^2} + 0 = \sqrt{x^2} = x", "it would hold if x ≥ 0, which is not said here"),
        (r"x + y = y + x \le 2 y", "it would hold if y ≥ x, which is not said here"),
        (r"\sqrt{x^2} + 0 = \sqrt{x^2} = x + 1", None),
        (r"p^2 = p p = p + x", None),
    ],
)
def test_a_condition_that_is_missing_is_named_and_changes_no_verdict(tmp_path, printed, said):
    found = reviewed(tmp_path, rf"\[ {printed} \]").findings[-1]
    assert found.status is Status.REFUTED
    assert list(found.notes) == ([said] if said else [])


def test_a_condition_that_is_not_needed_is_named_if_it_is_asked_for(tmp_path):
    paper = r"\[ \sqrt{(x - y)^2} = x - y \qquad (x > y) \] and \[ x^2 - y^2 = (x - y) (x + y) \qquad (x > y) \]"
    (tmp_path / "p.tex").write_text(paper)
    (tmp_path / "p.notation.toml").write_text(SYMBOLS)
    asked = check_paper(tmp_path / "p.tex", replace(QUICK, spared=True)).findings
    assert [one.notes for one in asked] == [(), ("x > y is not needed: it holds without that as well",)]
    assert [one.notes for one in check_paper(tmp_path / "p.tex", QUICK).findings] == [(), ()]


def test_what_rests_on_a_step_that_fails_is_named(tmp_path):
    paper = (
        r"\begin{equation} x = x + 1 \label{a} \end{equation}\n\begin{equation} 2 x = 2 x + 2 \label{b} \end{equation}"
    )
    claims = '[[claim]]\nlabel = "a"\nkind = "identity"\n[[claim]]\nlabel = "b"\nkind = "consequence"\nof = "a"\n'
    first, second = reviewed(tmp_path, paper, SYMBOLS + claims).findings
    assert first.notes == (f"what rests on it: {second.place}",)


# What a map says that nobody has looked at.


@pytest.mark.parametrize(
    ("paper", "status"),
    [
        (r"\[ \mathcal{H}[\pi + \rho] = \mathcal{H}[\pi] + \mathcal{H}[\rho] \]", Status.UNDECIDED),
        (r"Here $V$ is as above. \[ V(2 s) = 2 V(s) \]", Status.UNDECIDED),
        (r"\[ V(2 s) + V(4 s) = V(6 s) \] \[ V \ge 0 \]", Status.UNDECIDED),
        (r"\[ L[2f] = 2L[f] \] \[ L = x \]", Status.NOT_UNDERSTOOD),
        (r"\[ V(s + t) = V s + V t \]", Status.UNDECIDED),
        (r"\[ K[s + t] = K s + K t \]", Status.UNDECIDED),
        (r"\[ V(s + t) = V s - V t \]", Status.NOT_AN_IDENTITY),
        (r"Let $V > 0$. \[ V(s + t) = V s + V t \]", Status.DECIDED),
        (r"\[ n(n + 1) = n^2 + n \]", Status.DECIDED),
    ],
)
def test_an_untouched_map_decides_nothing_about_letters_before_brackets(tmp_path, paper, status):
    path = tmp_path / "p.tex"
    path.write_text(paper)
    alone = check_paper(path, OPTIONS).findings[0]
    assert alone.status not in CERTAIN or status is Status.DECIDED
    assert CliRunner().invoke(app, ["init", str(path)]).exit_code == 0
    found = check_paper(path, OPTIONS).findings[0]
    assert found.status is status, found
    assert found == alone or status is Status.DECIDED


@pytest.mark.parametrize(("factor", "status"), [("true", Status.DECIDED), ('"guess"', Status.UNDECIDED)])
def test_a_person_says_that_a_letter_before_brackets_is_a_factor(tmp_path, factor, status):
    said = f'[symbols]\nc = {{ in = "(0, oo)", factor = {factor} }}\np = "(0, 1)"\n'
    (found,) = reviewed(tmp_path, r"\[ c (1 - p) = c - c p \]", said).findings
    assert found.status is status, found


# A map only adds to what is read without one.

LEMMA = r"""\[ \nabla_\theta J = \mathbb{E}[R \nabla_\theta \log \pi_\theta] \]
\[ \mathbb{E}[2 R] = 2 \mathbb{E}[R] \]
\[ \beta (a + b) = \beta a + \beta b \]
"""


@pytest.mark.parametrize("said", ["", 'beta = "(0, 1)"', 'a = "(0, oo)"\nb = "(0, oo)"'])
def test_what_a_map_does_not_mention_is_what_it_is_without_one(tmp_path, said):
    path = tmp_path / "p.tex"
    path.write_text(LEMMA)
    alone = [one.status for one in check_paper(path, OPTIONS).findings]
    assert Status.NOT_UNDERSTOOD not in alone
    path.with_name("p.notation.toml").write_text(f"[symbols]\n{said}\n")
    found = [one.status for one in check_paper(path, OPTIONS).findings]
    assert all(one is before or one in CERTAIN for one, before in zip(found, alone, strict=True)), found


def test_an_untouched_map_says_no_more_than_no_map(tmp_path):
    path = tmp_path / "p.tex"
    path.write_text(LEMMA)
    alone = check_paper(path, OPTIONS).findings
    assert CliRunner().invoke(app, ["init", str(path)]).exit_code == 0
    assert check_paper(path, OPTIONS).findings == alone


def test_what_is_guessed_beside_a_map_is_told_and_never_counts_as_checked(tmp_path):
    found = reviewed(tmp_path, r"\[ \sqrt{\beta^2} = \beta \]", '[symbols]\nx = "(0, 1)"\n')
    (one,) = found.findings
    assert one.status in CERTAIN
    assert [guess.name for guess in one.guesses] == ["beta"]
    assert (found.exit_code(), found.exit_code(allow_unchecked=True)) == (3, 0)


def test_what_fails_on_guesses_is_not_allowed_as_unchecked(tmp_path):
    found = reviewed(tmp_path, r"\[ x^2 + x = x (x + 1) = x^2 + \gamma \]", '[symbols]\nx = "(0, 1)"\n')
    assert [one.status for one in found.findings] == [Status.DECIDED, Status.NOT_AN_IDENTITY]
    assert (found.exit_code(), found.exit_code(allow_unchecked=True)) == (3, 3)


@pytest.mark.parametrize("said", ["[guessed]\nx = 1", 'guessed = "x"', '[guessed.symbol]\nx = "(0, 1)"'])
def test_a_mistake_in_what_is_guessed_is_located(tmp_path, said):
    with pytest.raises(MapError, match=r"p\.notation\.toml:"):
        reviewed(tmp_path, r"\[ x = x \]", said)


def test_a_letter_beside_numbered_names_of_the_map_is_no_new_name(tmp_path):
    said = '[symbols]\nx_1 = "(-oo, oo)"\nx_2 = "(-oo, oo)"\n'
    (one,) = reviewed(tmp_path, r"\[ x_{12} = x_1 x_2 \]", said).findings
    assert (one.status, one.code) == (Status.NOT_UNDERSTOOD, "undeclared")


@pytest.mark.parametrize(
    ("tex", "status"), [(r"\gain{s}", Status.DECIDED), (r"\hat{r}(s)", Status.DECIDED), (r"\gain{t}", None)]
)
def test_a_map_may_use_the_commands_of_the_author(tmp_path, tex, status):
    paper = r"\newcommand{\gain}[1]{\hat{r}(#1)} \[ \sqrt{\gain{s}^2} = \gain{s} \]"
    said = f"[symbols]\ng = {{ in = '(0, oo)', tex = '{tex}' }}\n"
    (found,) = reviewed(tmp_path, paper, said).findings
    assert (found.status is Status.DECIDED and not found.guesses) is (status is not None)
