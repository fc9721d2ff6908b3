"""Judge neighbouring steps of the chains of the holpy corpus, as the referee judges the steps of a paper.

Every pair of neighbours is true, though some only in the context of an earlier step: where one is refuted, it
is a false alarm. Run this file to see the counts: ``python tests/chains_measure.py [every offset]``.
"""

import json
import multiprocessing
import re
import signal
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from material import CORPORA

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.statement import Implies, Relation, symbols_of
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.notation.documents import Document
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.referee.answers import answer
from grpo_symbolic.referee.findings import Status
from grpo_symbolic.referee.questions import Question

CHAINS = CORPORA / "holpy_chains.json"
SETTINGS = Settings(digits=30, points=40, effort=500, boxes=300)
#: Seconds of the processor for one step; what takes longer has no verdict.
LIMIT = 10

#: What the worked integrals leave unsaid: parameters are positive, and variables stay where all formulas have values.
DOMAINS = {
    **dict.fromkeys("abckmnps", "(0, oo)"),
    **dict.fromkeys("tuvxyz", "(0, 1)"),
    **dict.fromkeys("CG", "(-oo, oo)"),
}
#: Functions without a formula, and constants of integration: symbols of which nothing is known.
_UNKNOWN = re.compile(r"(?<![A-Za-z\\\\])(?:[IJgC]|[A-Z]_\{?\w\}?)\{?\((?:[^()]|\([^()]*\))*\)\}?")
_FIXED = [
    "[symbols]",
    *(f'{letter} = "{domain}"' for letter, domain in DOMAINS.items()),
    "[[notation]]\ntex = 'e'\nis = 'e'",
    "[[notation]]\ntex = '\\pi'\nis = 'pi'",
    "[[notation]]\ntex = '\\Gamma(#u)'\nis = 'gamma(u)'",
    "[[notation]]\ntex = 'B(#u, #w)'\nis = 'gamma(u)*gamma(w)/gamma(u + w)'",
    "[[notation]]\ntex = '\\tan^{-1}'\nis = 'arctan'",
    "[[notation]]\ntex = '\\cos^{-1}'\nis = 'arccos'",
    "[[notation]]\ntex = '\\sin^{-1}'\nis = 'arcsin'",
]


@dataclass(frozen=True)
class Judged:
    """One pair of neighbours, whether an integral stands in it, and what was said about it."""

    file: str
    first: str
    second: str
    integrals: bool
    status: Status
    reason: str


def pairs():
    chains = json.loads(CHAINS.read_text())
    return [(file, first, second) for file, chain in chains for first, second in pairwise(chain)]


#: Variables that are bound: by a differential, a derivative, a sum, a limit or a bar.
_BOUND = re.compile(r"\\,d([a-z])|\\frac\{d\}\{d([a-z])\}|_\{([a-z])(?:=|\\to)")


def hidden(*texts):
    """An unknown function of a variable that is bound, which a symbol cannot stand for."""
    text = " ".join(texts)
    bound = {letter for letters in _BOUND.findall(text) for letter in letters if letter}
    return next((match.group() for match in _UNKNOWN.finditer(text) if bound & set(match.group()[1:])), None)


def context_for(*texts):
    """What the texts are read against: a map that declares the letters, and the unknown functions that occur."""
    unknown = sorted({match.group() for text in texts for match in _UNKNOWN.finditer(text)})
    symbols = [f'unknown{number} = "(-oo, oo)"' for number in range(len(unknown))]
    entries = [f"[[notation]]\ntex = '{text}'\nis = 'unknown{number}'" for number, text in enumerate(unknown)]
    text = "\n".join([_FIXED[0], *symbols, *_FIXED[1:], *entries])
    return read_map([Document(Source("map.toml", text))]).context()


def sides_of(latex):
    nodes = parse_tree(latex)
    equals = [index for index, node in enumerate(nodes) if getattr(node, "text", "") == "="]
    starts = [0, *(index + 1 for index in equals)]
    return [nodes[start:end] for start, end in zip(starts, [*equals, len(nodes)], strict=True)]


def relations(first, second):
    """What the second row says, and what it rests on: nothing, if it asserts that two expressions are equal."""
    before, after = sides_of(first), sides_of(second)
    if len(before) == len(after) == 1:
        return (), (before[0], after[0])
    if len(before) == len(after) == 2:
        if before[0] == after[0]:
            return (), (before[1], after[1])
        if before[1] == after[1]:
            return (), (before[0], after[0])
        return tuple(before), tuple(after)
    return None


def judge(file, first, second):
    integrals = r"\int" in first + second

    def result(status, reason=""):
        return Judged(file, first, second, integrals, status, reason)

    try:
        parts = relations(first, second)
        function = hidden(first, second)
        if function is not None:
            return result(Status.NOT_UNDERSTOOD, f"{function} is an unknown function of a bound variable")
        if parts is None:
            return result(Status.NOT_UNDERSTOOD, "an expression and an equation: it needs an earlier step")
        sides = read_sides([*parts[0], *parts[1]], context_for(first, second))
    except GrpoSymbolicError as error:
        return result(Status.NOT_UNDERSTOOD, str(error))
    relation = Relation(sides[-2], "=", sides[-1])
    statement = Implies(Relation(sides[0], "=", sides[1]), relation) if parts[0] else relation
    # What an unknown function or constant is, an earlier step may have said, or how one equation follows from another.
    unknown = any(symbol.name.startswith(("unknown", "C", "G")) for symbol in symbols_of(statement))
    question = Question((statement,), (relation,), ((),), not (unknown or parts[0]), conditional=False)
    found = answer(question, SETTINGS, lambda method: None)
    return result(found.status, found.reason or "; ".join(item.note for item in found.evidence))


class _Late(BaseException):
    pass


def _late(signum, frame):
    raise _Late


def limited_call(function, late):
    """The result of a function, or ``late`` if it takes longer than the limit."""
    former = signal.signal(signal.SIGPROF, _late)
    # Time of the processor, so that a busy machine judges as an idle one does.
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        return function()
    except _Late:
        return late
    except SystemError as error:
        # A library in C that was interrupted in a callback says so in this way.
        if not isinstance(error.__context__, _Late):
            raise
        return late
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def in_parallel(function, tasks):
    """The results of a function of this folder, in the order of the tasks, from one process per processor."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        return pool.map(function, tasks, chunksize=1)


def limited(pair):
    """Judge a pair within the time limit."""
    file, first, second = pair
    late = Judged(file, first, second, r"\int" in first + second, Status.UNDECIDED, "out of time")
    return limited_call(lambda: judge(*pair), late)


GIVEN = (Status.PROVED, Status.DECIDED, Status.SUPPORTED, Status.REFUTED)


def summary(judged):
    """Steps, steps with a verdict and false alarms, without and with integrals."""
    found = {}
    for integrals in (False, True):
        some = [one for one in judged if one.integrals is integrals]
        given = [one for one in some if one.status in GIVEN]
        found[integrals] = (len(some), len(given), sum(one.status is Status.REFUTED for one in given))
    return found


def main(every, offset):
    judged = []
    for pair in pairs()[offset::every]:
        judged.append(limited(pair))
        one = judged[-1]
        if one.status not in (Status.PROVED, Status.DECIDED, Status.SUPPORTED):
            mark = "int " if one.integrals else "free"
            print(f"{mark} {one.status.value}: {one.first}  ->  {one.second}\n       {one.reason[:200]}", flush=True)
    print(Counter((one.integrals, one.status.value) for one in judged), summary(judged))


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers or [1, 0]))
