"""A referee in a box: derive, check and typeset the mathematics of papers.

This is the vocabulary of a derivation module, and what asks for verdicts: ``judge`` one statement, ``check_text`` of a
paper, ``load`` and ``assess`` a folder of derivations. The command line does the same for files.

>>> p = real("p", "(0, 1)", "probability of a right answer")
>>> variance = derive(p * (1 - p), "variance of a reward that is 0 or 1").eq(p - p**2, "expand the bracket")
>>> print(claim("example.variance", "The variance", derivation=variance).statement)
(p * (1 - p)) = (p - (p ** 2))
"""

from importlib import import_module
from typing import TYPE_CHECKING

from grpo_symbolic.api.shown import give_reprs
from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.declaring import claim, derive
from grpo_symbolic.derivation.figure import Curve, Figure, LongRun, Note, Orbit, Region, Trace
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Gap, Paper, Quote
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.language.composites import Extremum, Summed, TermOfTotal, UniqueRoot, UniqueZero, Zeros
from grpo_symbolic.language.counting import binomial, factorial
from grpo_symbolic.language.drawing import Group, binary, drawn, law
from grpo_symbolic.language.expression import (
    Delta,
    Derivative,
    Expression,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.nearby import EveryCycle
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import (
    attracts,
    attracts_flow,
    both,
    by_induction,
    converges,
    decreasing,
    either,
    every_iterate,
    falls_to_a_limit,
    for_every,
    has_limit,
    iff,
    implies,
    in_the_limit,
    increasing,
    instance,
    limit_superior,
    local_maximum,
    local_minimum,
    never,
    repels,
    rises_to_a_limit,
    some_zero,
    tends_to,
)
from grpo_symbolic.language.support import on_support
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    define,
    exp,
    log,
    maximum,
    minimum,
    rational,
    real,
    sinh,
    sqrt,
    sum_of,
    tanh,
    unknown_function,
    whole,
)

if TYPE_CHECKING:
    from grpo_symbolic.api.folders import assess, load
    from grpo_symbolic.api.judging import judge
    from grpo_symbolic.api.texts import check_text

__version__ = "0.3.0.dev0"

__all__ = [
    "Chain",
    "Claim",
    "Curve",
    "Delta",
    "Derivative",
    "EveryCycle",
    "Expression",
    "Extremum",
    "Figure",
    "Gap",
    "Group",
    "IndexSet",
    "Lemma",
    "LongRun",
    "Note",
    "Oracle",
    "Orbit",
    "Paper",
    "Quote",
    "Region",
    "Result",
    "Statement",
    "Substitution",
    "Summed",
    "Symbol",
    "TermOfTotal",
    "Total",
    "Trace",
    "UniqueRoot",
    "UniqueZero",
    "Zeros",
    "absolute",
    "assess",
    "attracts",
    "attracts_flow",
    "binary",
    "binomial",
    "both",
    "by_induction",
    "check_text",
    "claim",
    "converges",
    "cosh",
    "decreasing",
    "define",
    "derive",
    "drawn",
    "either",
    "eq",
    "every_iterate",
    "exp",
    "factorial",
    "falls_to_a_limit",
    "for_every",
    "ge",
    "gt",
    "has_limit",
    "iff",
    "implies",
    "in_the_limit",
    "increasing",
    "instance",
    "judge",
    "law",
    "le",
    "limit_superior",
    "load",
    "local_maximum",
    "local_minimum",
    "log",
    "lt",
    "maximum",
    "minimum",
    "ne",
    "never",
    "on_support",
    "rational",
    "real",
    "repels",
    "rises_to_a_limit",
    "sinh",
    "some_zero",
    "sqrt",
    "sum_of",
    "tanh",
    "tends_to",
    "unknown_function",
    "whole",
]

#: Where the names are that come with the engine, which takes a second to import; derivations do without.
_LATER = {"assess": "folders", "check_text": "texts", "judge": "judging", "load": "folders"}

give_reprs()


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"grpo_symbolic has no {name!r}; it has {', '.join(__all__)}")
    # Kept under its name, so that this is asked once.
    found = globals()[name] = getattr(import_module(f"grpo_symbolic.api.{_LATER[name]}"), name)
    return found
