"""The page on the notation map says what the program does: its blocks are run, its tables are those of the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.notation.context import MAX_INSTANCES, MAX_TERMS
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.elementary import CONSTANTS, FUNCTIONS, LIST_FUNCTIONS, MAP_FUNCTIONS
from grpo_symbolic.reading.notation.file import MAX_ENTRIES, read_map
from grpo_symbolic.reading.notation.map import KINDS, MapError
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import Review
from grpo_symbolic.referee.screen import lines

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "notation-map.md").read_text()
MAP = "paper.notation.toml"
PAPERS = {"latex": "paper.tex", "markdown": "paper.md"}
OPTIONS = Options(Settings(points=200, effort=2_000, boxes=2_000), timeout=30, jobs=1)


def blocks() -> list[tuple[str, str, int]]:
    """The language, the text and the line of every block of the page."""
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [(block[1], block[2], PAGE.count("\n", 0, block.start()) + 1) for block in found]


def examples() -> Iterator[tuple[str, str, str | None, str, int]]:
    """Language and text of a paper, the map beside it, what the page says of them, and the line of the paper."""
    found = blocks()
    for number, (language, text, line) in enumerate(found):
        if language in PAPERS:
            beside = found[number + 1][1] if found[number + 1][0] == "toml" else None
            after = found[number + (1 if beside is None else 2)]
            yield language, text, beside, after[1] if after[0] == "text" else "", line


def mistakes() -> Iterator[tuple[str, str, int]]:
    """The maps that belong to no paper, and what the page says of them."""
    found = [("", "", 0), *blocks(), ("", "", 0)]
    for before, (block, after) in zip(found, pairwise(found[1:]), strict=False):
        if block[0] == "toml" and before[0] not in PAPERS:
            yield block[1], after[1] if after[0] == "text" else "", block[2]


def told(review: Review) -> str:
    """What ``check --verbose`` prints before the summary, without the domains."""
    findings = [line.plain for finding in review.findings for line in lines(finding, domains=True)]
    shown = [*(f"map: {warning}" for warning in review.warnings), *findings]
    return "".join(f"{line}\n" for line in shown if not line.startswith("    domains: "))


def mistake_in(text: str) -> MapError:
    with pytest.raises(MapError) as caught:
        read_map([Document(Source(MAP, text))])
    return caught.value


def section(title: str) -> str:
    """What the page says below a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def first_cells(text: str) -> list[str]:
    """The names in the first cells of its tables."""
    cells = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def known(text: str) -> list[str]:
    """What the program says is known, where a map has something else."""
    return re.sub(r".*known: ", "", mistake_in(text).reason, flags=re.DOTALL).split(", ")


# What the page shows.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "text", "beside", "said"),
    [pytest.param(*example, id=f"line-{line}") for *example, line in examples()],
)
def test_check_says_what_the_page_says(language, text, beside, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(PAPERS[language]).write_text(text)
    if beside is not None:
        Path(MAP).write_text(beside)
    review = check_paper(Path(PAPERS[language]), OPTIONS)
    assert told(review) == said
    assert not review.proposed


@pytest.mark.parametrize(("text", "said"), [pytest.param(*mistake, id=f"line-{line}") for *mistake, line in mistakes()])
def test_mistakes_are_told_as_the_page_says(text, said):
    assert f"grpo-symbolic: {mistake_in(text)}\n" == said


def test_the_page_has_examples_and_mistakes():
    assert len(list(examples())) >= 12
    assert len(list(mistakes())) >= 4
    used = 2 * len(list(mistakes())) + sum(2 if beside is None else 3 for _, _, beside, _, _ in examples())
    assert used == len(blocks())


def test_examples_show_most_kinds_of_findings():
    said = "".join(one[3] for one in examples())
    for status in (
        "DECIDED",
        "SUPPORTED",
        "REFUTED",
        "NOT AN IDENTITY",
        "BY DEFINITION",
        "CONDITION",
        "NOT UNDERSTOOD",
    ):
        assert f": {status}  " in said


def test_the_links_of_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", PAGE)) <= anchors
    readme = (DOCS.parent / "README.md").read_text()
    assert "(docs/notation-map.md)" in readme


def test_without_the_choices_the_forms_are_refused(tmp_path):
    text, beside = next((text, beside) for _, text, beside, *_ in examples() if "[reading]" in (beside or ""))
    (tmp_path / "paper.tex").write_text(text)
    (tmp_path / MAP).write_text(re.sub(r"\[reading\]\n(.+\n)*", "", beside))
    review = check_paper(tmp_path / "paper.tex", OPTIONS)
    refused, holds = "NOT UNDERSTOOD", "DECIDED"
    assert [finding.status.value for finding in review.findings] == [refused, refused, refused, holds, refused]


# What the code accepts.


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Symbols", "[symbols]\nx = { unknown = 1 }"),
        ("Notation", "[[notation]]\nunknown = 1"),
        ("Reading", "[reading]\nunknown = 1"),
        ("Definition", "[[definition]]\nunknown = 1"),
        ("Section", "[[section]]\nunknown = 1"),
    ],
)
def test_the_keys_of_a_table_are_those_of_the_code(title, text):
    assert sorted(first_cells(section(title))) == sorted(known(text))


def test_the_keys_and_kinds_of_a_claim_are_those_of_the_code():
    keys = known("[[claim]]\nunknown = 1")
    kinds = known("[[claim]]\nkind = 'unknown'")
    assert tuple(kinds) == KINDS
    assert sorted(first_cells(section("Claim"))) == sorted([*keys, *kinds])


def test_every_table_has_a_heading_and_a_link():
    for name in known("[unknown]"):
        assert re.match(rf"\n`\[+{name}\]+` ", section(name.capitalize())), name
        assert re.search(rf"\[`\[+{name}\]+`\]\(#{name}\)", PAGE), name


def test_one_meaning_is_one_of_those_that_the_code_asks_for():
    remedy = mistake_in("[[notation]]\ntex = 'x'").remedy
    meanings = remedy.rpartition("one of ")[2].split(", ")
    listed = ", ".join(f"`{one}`" for one in meanings)
    assert f"exactly one of {listed}." in section("Notation")


def test_the_functions_and_constants_of_formulas_are_those_of_the_code():
    one, several = re.findall(r"^\* of .*?(?=^\* |\Z)", section("Formulas in the map"), re.DOTALL | re.MULTILINE)[:2]
    assert re.findall(r"`(\w+)`", one) == [*MAP_FUNCTIONS]
    assert re.findall(r"`(\w+)`", several.partition("(")[0]) == [*LIST_FUNCTIONS]
    names = ["`" + name + "`" for name in CONSTANTS]
    assert f"the\nconstants {' and '.join(names)}, and functions" in section("Formulas in the map")
    assert known("[[notation]]\ntex = 'f(#x)'\nis = 'unknown(x)'") == [*MAP_FUNCTIONS, *LIST_FUNCTIONS]


def test_predeclared_functions_are_listed_and_read():
    said = section("What needs no declaration")
    notation = read_map([Document(Source(MAP, "[symbols]\nx = '(0, 1)'"))])
    listed = {name: form for form, name in re.findall(r"`(\\(?:operatorname{)?(\w+)}?)`", said)}
    for name in FUNCTIONS.keys() - {"sqrt"}:
        (value,) = read_sides([parse_tree(f"{listed[name]}(x)")], notation.context())
        assert value == FUNCTIONS[name](notation.symbols["x"])


@pytest.mark.parametrize(
    "form",
    [
        r"\sqrt{x} + \sqrt[3]{x} + x^2 \cdot x \times 3! / 2",
        r"\binom{4}{2} - |x| + e^{-x} + \exp(x)",
        r"\max(x, 1) \min\{x, 1\}",
        r"\mathbb{1}_{x > 0} + \begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}",
        r"\sum_{k=1}^{3} k + \prod_{k=1}^{3} k",
        r"\sum_{x=0}^{\infty} 2^{-x}",
        r"\lim_{x \to 0^+} x \log x",
        r"\int_0^1 x^2 \, dx",
        r"\frac{d}{dx} x^2 + \frac{\partial}{\partial x} x^2",
    ],
)
def test_predeclared_forms_are_read(form):
    notation = read_map([Document(Source(MAP, "[symbols]\nx = '(0, 1)'"))])
    assert len(read_sides([parse_tree(form)], notation.context())) == 1


@pytest.mark.parametrize("name", [r"\pi", "e", r"\Gamma"])
def test_names_with_several_meanings_are_not_predeclared(name):
    with pytest.raises(NotUnderstood, match="not declared"):
        read_sides([parse_tree(name)], read_map([]).context())


def test_the_limits_are_those_of_the_code():
    assert (
        f"at most {MAX_ENTRIES} entries, a finite sum {MAX_TERMS} terms, the free indices of a step {MAX_INSTANCES}\n"
        in PAGE
    )
