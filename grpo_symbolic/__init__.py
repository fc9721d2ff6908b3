"""A referee in a box: derive, check and typeset the mathematics of papers.

This is the vocabulary of a derivation module; everything else is reached through the command line.

>>> p = real("p", "(0, 1)", "probability of a right answer")
>>> variance = derive(p * (1 - p), "variance of a reward that is 0 or 1").eq(p - p**2, "expand the bracket")
>>> print(claim("example.variance", "The variance", derivation=variance).statement)
(p * (1 - p)) = (p - (p ** 2))
"""

from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.derivation.declaring import claim, derive
from grpo_symbolic.derivation.figure import Curve, Figure, LongRun, Note, Orbit, Region, Trace
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Gap, Paper, Quote
from grpo_symbolic.derivation.writing import Chain
from grpo_symbolic.language.composites import Extremum, Summed, TermOfTotal, UniqueRoot, UniqueZero, Zeros
from grpo_symbolic.language.expression import (
    Derivative,
    Expression,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, decreasing, either, iff, implies, increasing, instance, never, tends_to
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
    tanh,
)

__version__ = "0.3.0.dev0"

__all__ = [
    "Chain",
    "Claim",
    "Curve",
    "Derivative",
    "Expression",
    "Extremum",
    "Figure",
    "Gap",
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
    "both",
    "claim",
    "cosh",
    "decreasing",
    "define",
    "derive",
    "either",
    "eq",
    "exp",
    "ge",
    "gt",
    "iff",
    "implies",
    "increasing",
    "instance",
    "le",
    "log",
    "lt",
    "maximum",
    "minimum",
    "ne",
    "never",
    "rational",
    "real",
    "sinh",
    "sqrt",
    "tanh",
    "tends_to",
]
