"""Expressions and statements as nested lists that JSON can hold, for results that other programs read.

A node is a list whose first item is its kind: ``["=", ["divide", 1, "x"], 0]``. Integers stay integers,
other rationals become strings such as ``"1/2"``, symbols become their names; what is absent is ``None``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.language.further import ambiguous_index
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied, ForEvery

Tree: TypeAlias = "str | int | bool | list[Tree] | None"


def expression_tree(expression: Expression) -> Tree:
    """Turn an expression into nested lists.

    >>> from grpo_symbolic.language.vocabulary import rational, real
    >>> expression_tree(rational(1, 2) / real("x", "(0, 1)", "a probability"))
    ['divide', '1/2', 'x']
    """
    match expression:
        case Number(value):
            return _rational(value)
        case Symbol(name):
            return name
        case Delta(other):
            return ["delta", other.letter]
        case Apply(operator, operands):
            return [operator, *map(expression_tree, operands)]
        case Derivative(body, symbol):
            return ["derivative", expression_tree(body), symbol.name]
        case Substitution(body, symbol, replacement):
            return ["substitution", expression_tree(body), symbol.name, expression_tree(replacement)]
        case Total(body):
            over = ambiguous_index(expression)
            return ["total", expression_tree(body), *([over.letter] if over else [])]
        case Supported(body, on):
            return ["supported", expression_tree(body), expression_tree(on)]
        case Applied(function, argument, order):
            return ["unknown", function.name, expression_tree(argument), order]
        case Binder(kind, body, symbol, lower, upper):
            ends = [None if end is None else expression_tree(end) for end in (lower, upper)]
            return [kind, expression_tree(body), symbol.name, *ends]
        case GroupExpectation(body, member, size, law, own, mixed):
            parts = (law.values, law.chances, own.values, own.chances)
            laws: list[Tree] = [[*map(expression_tree, part)] for part in parts]
            return ["group-expectation", expression_tree(body), member.name, expression_tree(size), *laws, mixed]
        case Call(definition, arguments):
            # The value stands beside the name, so that a reader of the tree needs no definitions.
            return ["call", definition.name, [*map(expression_tree, arguments)], expression_tree(expression.value)]
    raise UnsupportedError(f"no tree for {type(expression).__name__}")


def statement_tree(statement: Statement) -> Tree:
    """Turn a statement into nested lists; the fields of composite kinds come in their declared order."""
    match statement:
        case Relation(left, operator, right):
            return [operator, expression_tree(left), expression_tree(right)]
        case All(parts):
            return ["all", *map(statement_tree, parts)]
        case Any(parts):
            return ["any", *map(statement_tree, parts)]
        case Implies(premise, conclusion):
            return ["implies", statement_tree(premise), statement_tree(conclusion)]
        case Equivalent(left, right):
            return ["equivalent", statement_tree(left), statement_tree(right)]
        case Existence(inner, at):
            values: list[Tree] = [[symbol.name, expression_tree(value)] for symbol, value in at]
            return ["instance", statement_tree(inner), values]
        case Zeros(expression, symbol, brackets, rising):
            pairs: list[Tree] = [[expression_tree(low), expression_tree(high)] for low, high in brackets]
            return ["zeros", expression_tree(expression), expression_tree(symbol), pairs, rising]
        case ForEvery(symbol, body):
            examples: list[Tree] = [statement_tree(item) for item in statement.shown_examples]
            where = [] if statement.where is None else [statement_tree(statement.where)]
            return ["for-every", symbol.name, statement_tree(body), examples, *where]
        case SequenceLimit(term, symbol, to, by):
            examples = [statement_tree(item) for item in statement.shown_examples]
            return ["sequence-limit", *map(_field, (term, symbol, to, by)), examples]
        case Impossible(condition):
            return ["impossible", statement_tree(condition)]
        case _ if type(statement) in _HEADS:
            said = (value for name, value in vars(statement).items() if name not in _UNSAID or value)
            return [_HEADS[type(statement)], *map(_field, said)]
    raise UnsupportedError(f"no tree for {type(statement).__name__}")


_HEADS: dict[type[Statement], str] = {
    Monotone: "monotone",
    Limit: "limit",
    UniqueRoot: "unique-root",
    UniqueZero: "unique-zero",
    Extremum: "extremum",
    Summed: "summed",
    TermOfTotal: "term-of-total",
    FixedPoint: "fixed-point",
    LocalExtremum: "local-extremum",
    Converges: "converges",
    SomeZero: "some-zero",
    EveryCycle: "every-cycle",
    EveryIterate: "every-iterate",
    LimitSuperior: "limit-superior",
    InTheLimit: "in-the-limit",
    MonotoneLimit: "monotone-limit",
}


#: Fields that only some statements of a kind have, and that are left out where they are empty.
_UNSAID = frozenset(("changes", "sloped", "such_as"))


def _field(value: object) -> Tree:
    match value:
        case Expression():
            return expression_tree(value)
        case Statement():
            return statement_tree(value)
        case Fraction():
            return _rational(value)
        case tuple():
            return [*map(_field, value)]
        case bool() | str() | None:
            return value
    raise UnsupportedError(f"no tree for {type(value).__name__}")


def _rational(value: Fraction) -> Tree:
    return value.numerator if value.denominator == 1 else str(value)
