"""Send seeded false statements through the whole path, ledger included; none may be DECIDED.

    python benchmarks/false_statements.py --seed 1 --count 500 --jobs 2 --json found.json

Each statement is a true one that was made false by a margin from 2**-5 to 2**-100, mostly at a single point, and its
falsity is confirmed here: by exact fractions, or for transcendental functions by mpmath with 400 bits at the known
witness. Nothing of the package evaluates anything for that. Statements whose hypotheses never hold are a class of their
own: they are not false, and say nothing.

The exit code is 1 if a statement was DECIDED or PROVED, if more than one in a hundred of a class was SUPPORTED, or if
the ledger let a refuted one pass.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import mpmath

from grpo_symbolic import (
    Claim,
    Extremum,
    Paper,
    Statement,
    Total,
    UniqueRoot,
    both,
    claim,
    cosh,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    increasing,
    instance,
    le,
    log,
    lt,
    rational,
    real,
    tends_to,
)
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging import ledger
from grpo_symbolic.judging.assess import assess

PAPER = Paper("false", "False statements", "nobody", "of no year")
QUICK = Settings(digits=30, points=40, effort=2_000, boxes=1_000)
MOST_SUPPORTED = Fraction(1, 100)

x = real("x", "(-2, 2)", "a number")
y = real("y", "(0, 3)", "a positive number")
p = real("p", "[0, 1]", "a share")
pi = real("pi", "(0, 1]", "a probability of each output", indexed=True)
v = real("v", "(-oo, oo)", "a number of each output", indexed=True)
w = real("w", "(-oo, oo)", "a number")
u = real("u", "(-oo, oo)", "another number")


@dataclass(frozen=True)
class Made:
    """A statement that is false, with what it is claimed under; ``failing`` is what fails, by how much."""

    statement: Statement
    failing: Fraction | Callable[[], mpmath.mpf]
    given: tuple[Statement, ...] = ()
    using: tuple[Claim, ...] = ()


def number(value: Fraction):
    return rational(value.numerator, value.denominator)


class Draw:
    """Random parts of statements."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def margin(self) -> Fraction:
        return Fraction(1, 2 ** self._random.randint(5, 100))

    def place(self, low: int = -2, high: int = 2) -> Fraction:
        """A point strictly inside an interval that no simple sample hits."""
        below = self._random.choice([7, 64, 101, 1009, 10_007])
        return low + (high - low) * Fraction(self._random.randint(1, below - 1), below)

    def size(self) -> Fraction:
        return Fraction(self._random.randint(1, 9), self._random.randint(1, 9))

    def one_of(self, *choices):
        return self._random.choice(choices)

    def below(self, many: int) -> int:
        return self._random.randrange(many)


def relations(draw: Draw) -> Made:
    """Inequalities that are just attained, and identities, each wrong by the margin."""
    a, m, c = draw.place(), draw.margin(), draw.size()
    match draw.below(7):
        case 0:  # a square, less the margin, at its only zero
            return Made(ge(number(c) * (x - number(a)) ** 2, number(m)), m)
        case 1:
            b = draw.place(0, 3)
            return Made(gt((x - number(a)) ** 2 + (y - number(b)) ** 2, number(m / 2)), m / 2)
        case 2:
            shifted = x + number(c)
            return Made(eq(shifted**2, x**2 + number(2 * c) * x + number(c * c) + number(m) * x), m)
        case 3:
            return Made(ge(exp(x - number(a)), 1 + x - number(a) + number(m)), lambda: _mp(m) - (mpmath.exp(0) - 1))
        case 4:
            b = draw.place(0, 3)
            ratio = y / number(b)
            return Made(le(log(ratio), ratio - 1 - number(m)), lambda: mpmath.log(1) + _mp(m))
        case 5:
            return Made(ge(cosh(x - number(a)), 1 + (x - number(a)) ** 2 / 2 + number(m)), lambda: _mp(m))
        case _:
            product = (x - number(a)) * (x + number(a) + number(m))
            return Made(eq((x**2 - number(a * a)) / (y + 1), product / (y + 1)), m)


def _mp(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def composites(draw: Draw) -> Made:
    """Composite kinds, each false next to one point."""
    a, m = draw.place(), draw.margin()
    s = x - number(a)
    match draw.below(7):
        case 0:  # falls between a - m and a + m
            return Made(increasing(s**3 / 3 - number(m * m) * s, x), m * m)
        case 1:
            inside = min(m, Fraction(2) - abs(a)) / 2
            root = number(a + inside)
            return Made(UniqueRoot(x, eq(s**2, number(inside * inside)), root), 2 * inside)
        case 2:
            other = a + m if a + m < 2 else a - m
            return Made(Extremum(s**2, x, number(other)), m * m)
        case 3:
            limit = tends_to(p + number(m), 0, p, to=0, side="+", constant=1, near=1)
            return Made(limit, m)
        case 4:
            return Made(both(ge(s**2, 0), gt(s**2, 0)), m)
        case 5:
            return Made(instance(eq(x**2, number(a * a + m)), {x: number(a)}), m)
        case _:
            limit = tends_to(p / (1 + p), number(m), p, to=0, side="+", constant=2, exponent=1, near=1)
            return Made(limit, m)


def sums(draw: Draw) -> Made:
    """Sums over the outputs, wrong where all outputs are alike or for one output only."""
    a, m, c = draw.place(), draw.margin(), draw.size()
    one = eq(Total(pi), 1)
    match draw.below(5):
        case 0:
            return Made(ge(Total((v - number(a)) ** 2), number(m)), m)
        case 1:
            return Made(eq(Total(number(c) * pi), number(c + m)), m, (one,))
        case 2:  # fails for one output
            return Made(le(Total(pi**2), number(1 - m)), m, (one,))
        case 3:
            return Made(le(Total(pi * v) ** 2, number(1 - m) * Total(pi * v**2)), m, (one,))
        case _:
            return Made(eq(Total(pi * (v - number(c))), Total(pi * v) - number(c - m)), m, (one,))


QUARTER = claim("false.quarter", "the largest variance", le(p * (1 - p), rational(1, 4)))
TANGENT = claim("false.tangent", "above the tangent", ge(exp(w), 1 + w))
FREE = claim("false.free", "two unknown numbers agree", eq(w, u), assumed=True)


def lemmas(draw: Draw) -> Made:
    """A little more than what a true lemma says."""
    a, m = draw.place(0, 1), draw.margin()
    match draw.below(3):
        case 0:
            return Made(le(p * (1 - p), number(Fraction(1, 4) - m)), m, (), (QUARTER,))
        case 1:
            return Made(ge(exp(w), 1 + w + number(m)), lambda: _mp(m), (), (TANGENT,))
        case _:
            return Made(ge(exp(w - number(a)), 1 + w - number(a) + number(m)), lambda: _mp(m), (), (TANGENT,))


def assumptions(draw: Draw) -> Made:
    """What does not follow from an assumption."""
    c, m = draw.size(), draw.margin()
    match draw.below(3):
        case 0:
            return Made(eq(w, u + number(m)), m, (), (FREE,))
        case 1:
            return Made(eq(number(c) * w**2, number(c) * w * u + number(m) * u), m, (), (FREE,))
        case _:
            return Made(gt((w - number(c)) ** 2 + (u - w) ** 2, number(m)), m, (), (FREE,))


def premises(draw: Draw) -> Made:
    """What does not follow from a premise, or is not equivalent to it."""
    a, m = draw.place(), draw.margin()
    b = a + m
    match draw.below(4):
        case 0:
            return Made(implies(ge(x, number(a)), ge(x, number(b))), m)
        case 1:
            return Made(iff(gt(x, number(a)), gt(x, number(b))), m)
        case 2:
            return Made(implies(eq(x * w, number(a)), eq(x * w, number(b))), m)
        case _:
            return Made(gt(x, number(b)), m, (gt(x, number(a)),))


def never(draw: Draw) -> Made:
    """Premises that never hold."""
    a, m = draw.place(), draw.margin()
    match draw.below(4):
        case 0:
            return Made(implies(both(gt(x, number(a)), lt(x, number(a - m))), gt(x, 5)), m)
        case 1:
            return Made(eq(w, number(a)), m, (lt((w - number(a)) ** 2, number(-m)),))
        case 2:
            return Made(implies(eq(w, w + number(m)), eq(w, 7)), m)
        case _:
            return Made(gt(y, 5), m, (lt(exp(y), 1 + y),))


CLASSES: dict[str, Callable[[Draw], Made]] = {
    "relations": relations,
    "composites": composites,
    "sums over outputs": sums,
    "claims with lemmas": lemmas,
    "claims with assumptions": assumptions,
    "claims with premises": premises,
    "premises that never hold": never,
}


def is_false(made: Made) -> bool:
    """Whether the statement fails by more than nothing at its witness, by numbers of our own."""
    if isinstance(made.failing, Fraction):
        return made.failing > 0
    with mpmath.workprec(400):
        return bool(made.failing() > 0)


def claims_of(kind: str, seed: int, count: int) -> Iterator[Claim]:
    """The claims of one class, after those that they use."""
    yield from (QUARTER, TANGENT, FREE)
    for position in range(count):
        made = CLASSES[kind](Draw(f"{seed} {kind} {position}"))
        if not is_false(made):
            raise ValueError(f"{kind} {position} is not false: {made.statement}")
        yield claim(f"false.{position}", kind, made.statement, given=made.given, using=made.using)


MODULE = """\
import sys
sys.path.insert(0, {here!r})
from false_statements import PAPER, claims_of
from grpo_symbolic import Result

def build():
    yield from claims_of({kind!r}, {seed}, {count})

result = Result("False statements", PAPER, build)
"""


def try_class(kind: str, seed: int, count: int, jobs: int) -> dict[str, object]:
    """Judge the statements of one class as a folder of derivations, and let the ledger look at what was found."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        name = f"false_{'_'.join(kind.split())}_{seed}_{count}"
        folder = Path(place) / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        here = str(Path(__file__).resolve().parent)
        (folder / "statements.py").write_text(MODULE.format(here=here, kind=kind, seed=seed, count=count))
        library = load(folder)
        assessment = assess(library, QUICK, jobs=jobs)
        ledger.write(assessment)
        told = {finding.id for finding in ledger.compare(assessment)}
    own = {QUARTER.id, TANGENT.id, FREE.id}
    judged = {id: item for id, item in assessment.judged.items() if id not in own}
    counted = Counter(item.verdict.value for item in judged.values())
    wrong = [id for id, item in judged.items() if item.verdict in STANDING]
    supported = [id for id, item in judged.items() if item.verdict is Verdict.SUPPORTED]
    passed = [id for id, item in judged.items() if item.verdict is Verdict.REFUTED and id not in told]
    return {
        "class": kind,
        "statements": len(judged),
        "verdicts": dict(counted),
        "decided": {id: str(judged[id].claim.statement) for id in wrong},
        "supported": {id: str(judged[id].claim.statement) for id in supported},
        "refuted but accepted": passed,
        "seconds": round(time.perf_counter() - started, 1),
    }


def fails(found: dict[str, object]) -> bool:
    """Whether a class went wrong."""
    supported, statements = len(found["supported"]), found["statements"]
    return bool(found["decided"] or found["refuted but accepted"] or supported > MOST_SUPPORTED * statements)


def main() -> int:
    parser = argparse.ArgumentParser(description="False statements through the whole path; none may be DECIDED.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="statements of each class")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write what was found to this file")
    options = parser.parse_args()
    everything = []
    for kind in CLASSES:
        found = try_class(kind, options.seed, options.count, options.jobs)
        everything.append(found)
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found["verdicts"].items()))
        print(f"{kind}: {found['statements']} statements, {verdicts} ({found['seconds']} s)", flush=True)
        for word in ("decided", "supported"):
            for id, statement in found[word].items():
                print(f"  {word.upper()} {id}: {statement}")
    if options.json is not None:
        options.json.write_text(json.dumps(everything, indent=2))
    return int(any(map(fails, everything)))


if __name__ == "__main__":
    sys.exit(main())
