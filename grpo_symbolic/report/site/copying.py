"""What a reader takes away from a claim: its LaTeX, the same in Python, and a line by which to cite it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grpo_symbolic import __version__
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import Paper
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.finite import has_several_indices
from grpo_symbolic.language.further import further_elements
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
    symbols_of,
)
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.python import Python, called, identifier
from grpo_symbolic.translate.text import statement_text

_DIGITS, _FINE = 30, "1e-20"
#: Letters of a program that a page can carry; where moments of a group are written out, it may have a hundred thousand.
_LONGEST = 4000


def latex_of(made: Claim) -> str:
    """The statement as LaTeX: mathematics, or a sentence with mathematics in it."""
    return str(statement_latex(made.statement))


def python_of(made: Claim) -> str | None:
    """The statement as a function of its symbols in Python with mpmath; None for what has no value at a point,
    for sums over several sets, and for what would be too long for a page.

    Hypotheses stand above it as a comment: who calls it has to choose numbers for which they hold.
    """
    if has_several_indices(made.statement):
        return None
    python = Python(exact=False)
    sides = tuple(expressions_of(made.statement))
    try:
        condition = _condition(made.statement, python)
        lines = [python.definition(name) for name in called(sides)]
    except UnsupportedError:
        return None
    functions = ", ".join(sorted({"chop", "mp", "mpf", *python.functions(sides)}))
    symbols = tuple(dict.fromkeys(symbol.family for symbol in symbols_of(made.statement)))
    further = further_elements(*sides)
    if {_number(one) for one in further} & {identifier(symbol.name) for symbol in symbols}:
        return None  # one name would stand for two things
    given = [f"# given {statement_text(item)}" for item in made.given]
    program = "\n".join(
        [
            f"from mpmath import {functions}",
            f"mp.dps = {_DIGITS}",
            *lines,
            *(_domain(symbol) for symbol in symbols),
            *(f"# {_number(one)}: the number of a further one of the {one.elements}, from 0 on" for one in further),
            *given,
            f"def claim({', '.join([*(identifier(symbol.name) for symbol in symbols), *map(_number, further)])}): "
            f"return {condition}",
        ]
    )
    return program if len(program) <= _LONGEST else None


def _number(further: IndexSet) -> str:
    return identifier(further.letter.lstrip("\\"))


def _domain(symbol: Symbol) -> str:
    kind = "a list of numbers" if symbol.indexed else "a number"
    return f"# {identifier(symbol.name)}: {kind} in {symbol.domain}"


def _condition(statement: Statement, python: Python) -> str:
    match statement:
        case Relation(left, operator, right):
            sign = "==" if operator == "=" else operator
            return f"chop({python.text(left)} - ({python.text(right)}), {_FINE}) {sign} 0"
        case All(parts):
            return _joined(" and ", parts, python)
        case Any(parts):
            return _joined(" or ", parts, python)
        case Implies(premise, conclusion):
            return f"not ({_condition(premise, python)}) or ({_condition(conclusion, python)})"
        case Equivalent(left, right):
            return f"({_condition(left, python)}) == ({_condition(right, python)})"
    raise UnsupportedError(f"{type(statement).__name__} has no value at a point")


def _joined(word: str, parts: Sequence[Statement], python: Python) -> str:
    return word.join(f"({_condition(part, python)})" for part in parts)


def shared_lines(programs: Sequence[str]) -> tuple[str, ...]:
    """The lines that stand in several programs of a page, which its script puts in again."""
    times = Counter(line for program in programs for line in dict.fromkeys(program.splitlines()))
    return tuple(line for line, count in times.items() if count > 1)


def shortened(program: str, shared: Sequence[str]) -> str:
    """A program in which the numbers of shared lines, with blanks between them, stand for these lines.

    >>> shortened("a\\nb\\nc", ["b", "a"])
    '1 0\\nc'
    """
    numbers = {line: number for number, line in enumerate(shared)}
    parts: list[str] = []
    run = False
    for line in program.splitlines():
        number = numbers.get(line)
        if number is None:
            parts.append(line)
        elif run:
            parts[-1] += f" {number}"
        else:
            parts.append(str(number))
        run = number is not None
    return "\n".join(parts)


@dataclass(frozen=True)
class Citation:
    """What a citation says of a claim and its heading does not: None for what the script of the page reads there."""

    title: str | None
    verdict: str | None


def citation_of(made: Claim, verdict: Verdict, title: str, badge: str) -> Citation:
    """What to cite a claim by; ``title`` and ``badge`` are the words of its heading."""
    return Citation(
        None if title == made.title else made.title, None if badge == verdict.value.lower() else verdict.value
    )


def cited(paper: Paper) -> str:
    """What the citations of all claims about a paper end with: the paper, and the program that found it."""
    return f", about {paper.authors}, {paper.title} ({paper.version}). Checked by grpo_symbolic {__version__}."
