"""Steps of many documents say what a mathematician reads there: a sample compared by eye, and kept.

The expected readings are read by a small reader of plain text, and evaluated by a second evaluator, at seeded points.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
from material import ROOT
from mpmath import mpf
from reading_oracle import MachineText, same

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Expression, Substitution
from grpo_symbolic.language.statement import All, Any, Implies, Relation, Statement, symbols_of
from grpo_symbolic.language.vocabulary import arctan, maximum, minimum, real, sign, sqrt
from grpo_symbolic.referee.papers import open_paper
from grpo_symbolic.translate.text import statement_text

TABLE = tomllib.loads(Path(__file__).with_name("readings_by_eye.toml").read_text(encoding="utf-8"))
READINGS = TABLE["reading"]
OPERATORS = ("<=", ">=", "!=", "=", "<", ">")
FUNCTIONS = {
    ("max", 2): maximum,
    ("min", 2): minimum,
    ("sign", 1): sign,
    ("asin", 1): lambda a: arctan(a / sqrt(1 - a**2)),
}


class Symbols(dict):
    """Symbols by name, each made when it is asked for."""

    def __missing__(self, name):
        self[name] = real(name, "(-oo, oo)", "a name in what a person reads")
        return self[name]


class Plain(MachineText):
    """The plain notation of the table: that of the oracle, with limits from below and ``AT x = value. body``."""

    def primary(self):
        if self.take("LIMBELOW"):
            found = self.limit()
            return Binder("limit-", found.body, found.symbol, found.lower, found.upper)
        if self.take("AT"):
            symbol = self.primary()
            self.need("=")
            value = self.primary()
            self.need(".")
            return Substitution(self.sum(), symbol, value)
        return super().primary()


def expression(text: str, symbols: Symbols) -> Expression:
    return Plain(text, symbols, FUNCTIONS).whole()


def agree(said: Statement, text: str, symbols: Symbols) -> bool:
    """Whether a statement is what the text says, part by part."""
    if " => " in text:
        hypothesis, conclusion = text.split(" => ")
        return (
            isinstance(said, Implies)
            and agree(said.premise, hypothesis, symbols)
            and agree(said.conclusion, conclusion, symbols)
        )
    for word, kind in ((" or ", Any), (" and ", All)):
        if word in text:
            parts = text.split(word)
            return (
                isinstance(said, kind)
                and len(said.parts) == len(parts)
                and all(agree(one, part, symbols) for one, part in zip(said.parts, parts, strict=True))
            )
    operator = next(sign for sign in OPERATORS if f" {sign} " in text)
    # The equals sign in ``AT z = z.`` stands in brackets.
    left, right = text.rsplit(f" {operator} ", 1)
    first, second = expression(left, symbols), expression(right, symbols)
    if not isinstance(said, Relation) or said.operator != operator:
        return False
    names = sorted({symbol.name for symbol in symbols_of(said)} | symbols.keys())
    draw = random.Random(11)
    points = [{name: mpf(draw.randint(2, 97)) / 31 for name in names} for _ in range(3)]
    return same(said.left, first, points) is True and same(said.right, second, points) is True


def read(entry, folder: Path):
    """The instances of the last step of a formula, with what is printed where an atom stands."""
    paper, notation = folder / "paper.tex", entry.get("map")
    paper.write_text(f"$${entry['tex']}$$\n", encoding="utf-8")
    beside = None
    if notation is not None:
        beside = folder / "paper.notation.toml"
        own = TABLE["maps"].get(notation)
        beside.write_text(
            own or (ROOT / "derivations" / notation / "notation.toml").read_text(encoding="utf-8"), encoding="utf-8"
        )
    opened = open_paper(paper, beside)
    outcome = opened.interpretation.outcomes[-1]
    assert outcome.refusal is None, outcome.refusal
    objects = opened.interpretation.objects
    printed = {} if objects is None else {symbol.name: symbol.latex for symbol in objects.known.values()}
    assert outcome.read.unread == ()
    return [one.statement for one in dict.fromkeys(outcome.read.instances)], printed


@pytest.mark.parametrize("entry", READINGS, ids=[f"{at} {one['source']}" for at, one in enumerate(READINGS)])
def test_a_step_says_what_a_mathematician_reads(entry, tmp_path):
    statements, printed = read(entry, tmp_path)
    told = [statement_text(statement) for statement in statements]
    assert len(statements) == len(entry["says"]), told
    symbols = Symbols()
    for statement, text, shown in zip(statements, entry["says"], told, strict=True):
        assert agree(statement, text, symbols), f"read: {shown}"
    objects = entry.get("objects", {})
    assert {name: printed[name] for name in objects} == objects
    assert not (printed.keys() & symbols.keys()) - objects.keys()


def test_the_sample_is_large_and_from_everywhere():
    assert len(READINGS) >= 150
    for least, source in (
        (20, ("Vojnovic", "Mroueh")),
        (20, ("pitfall",)),
        (20, ("cam-notes", "rlhf-book")),
        (20, ("STACK",)),
        (20, ("IneqMath",)),
        (20, ("Fungrim",)),
        (20, ("holpy",)),
        (20, ("trl", "verl", "NeMo", "AReaL", "rlvp")),
    ):
        assert sum(one["source"].startswith(source) for one in READINGS) >= least, source


@pytest.mark.parametrize(
    ("tex", "says", "right"),
    [
        (r"x^2 = x + 1", "x^2 = x + 1", True),
        (r"x^2 = x + 1", "x^2 = x + 2", False),
        (r"x^2 = x + 1", "x^2 < x + 1", False),
        (r"x < 1 \vee x > y", "x < 1 and x > y", False),
        (r"x < 1 \vee x > y", "x < 1 or x > y", True),
        (r"x > y \quad \text{if } y > 0", "x > y", False),
    ],
)
def test_a_wrong_reading_would_be_noticed(tex, says, right, tmp_path):
    (statement,), _ = read({"tex": tex, "map": "letters"}, tmp_path)
    assert agree(statement, says, Symbols()) is right
