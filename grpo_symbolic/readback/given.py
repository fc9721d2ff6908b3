"""What hypotheses say about symbols: a printed formula and the typed one may agree only where they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    as_expression,
    free_symbols,
    rebuild,
    substitute,
    walk,
)
from grpo_symbolic.language.statement import (
    All,
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjuncts,
    eq,
    substitute_statement,
)
from grpo_symbolic.readback.outputs import LABELS, member, written_out
from grpo_symbolic.readback.same import compare
from grpo_symbolic.reading.notation.elementary import constant_value

_Values = Mapping[Symbol, Expression]
#: Replacing once more does nothing after so many times, unless hypotheses go round in a circle.
_ROUNDS = 4


def settings(
    hypotheses: Iterable[Statement], expressions: Iterable[Expression] = (), distributions: Collection[str] = ()
) -> list[dict[Symbol, Expression]]:
    """Replacements of symbols under which equations among the hypotheses hold, for each case one.

    Known are ``symbol = expression``, equations that are linear in a symbol, probabilities that sum to 1 (by a
    hypothesis, or as they are among the ``distributions``, by our LaTeX, that stand in ``expressions``), and quantities
    that are 0 or 1 (of two elements one has 1). Other hypotheses are left out, so that agreement is asked for
    at more points than needed.
    """
    found: list[dict[Symbol, Expression]] = [{}]
    for symbol in dict.fromkeys(symbol for item in expressions for symbol in free_symbols(item)):
        if symbol.indexed and symbol.latex in distributions:
            found = [{**known, **_adding_up(symbol)} for known in found]
    for hypothesis in conjuncts(*hypotheses):
        match hypothesis:
            case Relation(Total(Symbol() as symbol), "=", Number(value)) if value == 1:
                found = [{**known, **_adding_up(symbol)} for known in found]
            case Relation(Symbol() as symbol, "=", right) if symbol not in free_symbols(right):
                found = [{**known, **dict(_everywhere(symbol, right))} for known in found]
            case Relation(left, "=", Symbol() as symbol) if symbol not in free_symbols(left):
                found = [{**known, **dict(_everywhere(symbol, left))} for known in found]
            case _ if (two_valued := _two_valued(hypothesis)) is not None:
                found = [{**known, **case} for known in found for case in _cases(two_valued)]
            case Relation(_, "=", _):
                found = [{**known, **_solved(hypothesis, known)} for known in found]
    return found


def _adding_up(symbol: Symbol) -> dict[Symbol, Expression]:
    return {member(symbol, LABELS[1]): 1 - member(symbol, LABELS[0])}


def _solved(equation: Relation, known: _Values) -> dict[Symbol, Expression]:
    """The value of a symbol in which an equation at the element in question is linear; nothing if there is none."""
    gap = written_out(equation.left) - written_out(equation.right)
    for symbol in free_symbols(gap):
        if symbol in known or any(isinstance(node, Derivative | Substitution | Binder | Call) for node in walk(gap)):
            continue
        constant = substitute(gap, {symbol: as_expression(0)})
        slope = substitute(gap, {symbol: as_expression(1)}) - constant
        if compare(gap, constant + slope * symbol).agree and not compare(slope, as_expression(0)).agree:
            return {symbol: -constant / slope}
    return {}


def _everywhere(symbol: Symbol, value: Expression) -> Iterator[tuple[Symbol, Expression]]:
    for label in LABELS if symbol.indexed else LABELS[:1]:
        yield member(symbol, label), written_out(value, label)


def _two_valued(hypothesis: Statement) -> Symbol | None:
    """The quantity of which a hypothesis ``s (1 - s) = 0`` says that it is 0 or 1."""
    if isinstance(hypothesis, Relation):
        for symbol in free_symbols(hypothesis.left):
            if hypothesis == eq(symbol * (1 - symbol), 0):
                return symbol
    return None


def _cases(symbol: Symbol) -> Iterator[dict[Symbol, Expression]]:
    for label in LABELS:
        yield {member(symbol, other): as_expression(int(other == label)) for other in LABELS}


def put(subject: Statement | Expression, values: _Values) -> Statement | Expression:
    """An elementary statement or expression with symbols replaced, also in what replaces them.

    Raises:
        DeclarationError: where a replacement is not possible, such as below a derivative by the symbol.
    """
    for _ in range(_ROUNDS):
        if isinstance(subject, Expression):
            subject = substitute(subject, values)
        elif isinstance(subject, Relation | All | Implies | Equivalent):
            subject = substitute_statement(subject, values)
        else:
            raise DeclarationError(f"cannot put values into {subject}")
    return _decided(subject)


def _decided(subject: Statement | Expression) -> Statement | Expression:
    """With the signs of numbers written out, as in indicators, since a computed sign of 0 is never certain."""
    match subject:
        case Expression():
            return _signs_written_out(subject)
        case Relation(left, operator, right):
            return Relation(_signs_written_out(left), operator, _signs_written_out(right))
        case _:
            return subject


def _signs_written_out(expression: Expression) -> Expression:
    if isinstance(expression, Apply) and expression.operator == "sign":
        value = constant_value(expression.operands[0])
        if value is not None:
            return as_expression((value > 0) - (value < 0))
    return rebuild(expression, tuple(map(_signs_written_out, expression.children)))
