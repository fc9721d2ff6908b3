"""The reader against expressions that another program printed twice: as LaTeX and as machine text.

The corpora are measuring material that is not part of the project; where they are absent the tests are skipped.
"""

import json
import random
import re

import pytest
from material import CORPORA, corpus
from mpmath import mpf
from reading_oracle import MachineText, same

from grpo_symbolic.language.expression import Number
from grpo_symbolic.language.vocabulary import real, sqrt
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import BrokenLatex, Source
from grpo_symbolic.reading.tex.build import parse_tree

PAIRS = CORPORA / "holpy_latex_ascii_pairs.json"
needs_pairs = corpus(PAIRS.name)

LETTERS = "abckmnpstuvxyzCG"
#: Functions that the corpus leaves unknown: any fixed formulas will do, as long as they are different.
UNKNOWN = {
    ("I", 1): lambda u: u**2 + 3 * u + 7,
    ("J", 1): lambda u: 5 * u - u**3,
    ("g", 1): lambda u: 2 / (3 + u**2),
    ("C", 1): lambda u: u + 11,
    ("I", 2): lambda u, w: u - 4 * w**2 + 9,
    ("g", 2): lambda u, w: u**2 * w + 13,
    ("B", 2): lambda u, w: u / (w + 17),
}
MAP = "\n".join(
    [
        "[symbols]",
        *(f'{letter} = "(-oo, oo)"' for letter in LETTERS),
        *(f"[[notation]]\ntex = '{name}'\nis = '{meaning}'" for name, meaning in (("e", "e"), (r"\pi", "pi"))),
        "[[notation]]\ntex = '\\Gamma(#u)'\nis = 'gamma(u)'",
        "[[notation]]\ntex = '\\tan^{-1}'\nis = 'arctan'",
        "[[notation]]\ntex = '\\cos^{-1}'\nis = 'arccos'",
        *(
            f"[[notation]]\ntex = '{name}(#u{', #w' if arity == 2 else ''})'\nis = '{formula}'"
            for (name, arity), formula in {
                ("I", 1): "u**2 + 3*u + 7",
                ("J", 1): "5*u - u**3",
                ("g", 1): "2/(3 + u**2)",
                ("C", 1): "u + 11",
                ("I", 2): "u - 4*w**2 + 9",
                ("g", 2): "u**2*w + 13",
                ("B", 2): "u/(w + 17)",
            }.items()
        ),
    ]
)
SYMBOLS = {letter: real(letter, "(-oo, oo)", "a symbol of the paper") for letter in LETTERS}
RELATION = re.compile(r" (=|!=|<|>|<=|>=) ")


def notation():
    return read_map([Document(Source("map.toml", MAP))])


def samples():
    rng = random.Random(7)
    return [{letter: mpf(rng.randint(2, 97)) / 31 for letter in LETTERS} for _ in range(3)]


def machine(text):
    return [MachineText(side, SYMBOLS, UNKNOWN).whole() for side in RELATION.split(text)[::2]]


def latex_sides(latex, context):
    sides, start = [], 0
    nodes = parse_tree(latex)
    for index, node in enumerate(nodes):
        if getattr(node, "text", "") in ("=", r"\ne", "<", ">"):
            sides.append(nodes[start:index])
            start = index + 1
    return read_sides([*sides, nodes[start:]], context)


def measure(pairs):
    """The pairs that are read with the same value, those read wrongly, and those refused (with the reasons).

    A pair without a value at any sample counts as neither.
    """
    context, points = notation().context(), samples()
    right, wrong, refused = [], [], []
    for latex, text in pairs:
        try:
            read = latex_sides(latex, context)
        except (NotUnderstood, BrokenLatex) as error:
            refused.append((latex, str(error)))
            continue
        expected = machine(text)
        verdicts = [same(one, other, points) for one, other in zip(read, expected, strict=True)]
        if None not in verdicts:
            (right if all(verdicts) else wrong).append((latex, text))
    return right, wrong, refused


def corpus():
    return [tuple(pair) for pair in json.loads(PAIRS.read_text())]


def scalar(text):
    return not re.search(r"INT|SUM|LIM|D [a-z]\.|\]_|SKOLEM", text) and not RELATION.search(text)


@needs_pairs
def test_scalar_pairs_are_read_and_none_is_misread():
    pairs = [pair for pair in corpus() if scalar(pair[1])]
    right, wrong, refused = measure(pairs)
    assert wrong == []
    assert len(right) >= 0.8 * len(pairs), refused


@needs_pairs
@pytest.mark.slow
def test_no_pair_of_the_corpus_is_misread():
    right, wrong, refused = measure(corpus())
    assert wrong == []
    assert len(right) >= 0.8 * 1508, refused[:40]


def test_the_machine_reader_knows_its_grammar():
    x = SYMBOLS["x"]
    assert same(machine("-(x ^ 2) / 2 + sqrt(x)")[0], -(x**2) / 2 + sqrt(x), samples())
    assert machine("x = 1/2")[1] == Number(1) / Number(2)
