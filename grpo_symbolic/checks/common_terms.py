"""Replace terms that several statements share by variables: what follows without knowing them, follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild, walk
from grpo_symbolic.language.statement import (
    Statement,
    expressions_of,
    map_expressions,
    symbols_of,
)
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import WHOLE_LINE, range_on_domain

_POLYNOMIAL = frozenset({"add", "subtract", "multiply", "negate", "absolute", "maximum", "minimum"})


def generalised(obligation: Obligation) -> Obligation | None:
    """The obligation with its largest common terms as variables, on intervals that contain their values.

    A term counts if its outermost operator is a quotient, a root or a transcendental function and if at least
    two of the statements contain it. If the result holds, so does the obligation; if it fails, nothing is
    known. None if there is no such term.
    """
    statements = (*obligation.hypotheses, obligation.conclusion)
    homes = Counter(term for statement in statements for term in set(_terms(statement)))
    common = {term for term, number in homes.items() if number > 1}
    if not common:
        return None
    taken = {symbol.name for symbol in symbols_of(*statements)}
    variables: dict[Expression, Symbol] = {}

    def rewritten(expression: Expression) -> Expression:
        if expression not in common:
            return rebuild(expression, tuple(rewritten(child) for child in expression.children))
        if expression not in variables:
            number = len(variables) + 1
            while f"term_{number}" in taken:
                number += 1
            taken.add(f"term_{number}")
            meaning, latex = f"the value of {expression}", f"t_{{{number}}}"
            domain = range_on_domain(expression) or WHOLE_LINE
            variables[expression] = Symbol(f"term_{number}", domain, meaning, latex)
        return variables[expression]

    hypotheses = tuple(map_expressions(statement, rewritten) for statement in obligation.hypotheses)
    conclusion = map_expressions(obligation.conclusion, rewritten)
    return Obligation(obligation.label, hypotheses, conclusion, obligation.necessary)


def _terms(statement: Statement) -> Iterator[Expression]:
    for expression in expressions_of(statement):
        for node in walk(expression):
            if isinstance(node, Apply) and _is_kernel(node) and free_symbols(node):
                yield node


def _is_kernel(node: Apply) -> bool:
    if node.operator == "power":
        exponent = node.operands[1]
        return not (isinstance(exponent, Number) and exponent.value.denominator == 1 and exponent.value >= 0)
    if node.operator == "divide":
        return not isinstance(node.operands[1], Number)
    return node.operator not in _POLYNOMIAL
