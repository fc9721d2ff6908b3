"""Replace terms by variables: what follows without knowing them, follows."""

from __future__ import annotations

from grpo_symbolic.language.expression import Expression, Symbol, rebuild
from grpo_symbolic.language.statement import map_expressions, symbols_of
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.translate.ranges import WHOLE_LINE, range_on_domain


def generalised(obligation: Obligation, terms: frozenset[Expression]) -> Obligation:
    """The obligation with terms as variables, outermost first, on intervals that contain their values.

    If the result holds, so does the obligation; if it fails, nothing is known.
    """
    taken = {symbol.name for symbol in symbols_of(*obligation.hypotheses, obligation.conclusion)}
    variables: dict[Expression, Symbol] = {}

    def rewritten(expression: Expression) -> Expression:
        if expression not in terms:
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

    if not terms:
        return obligation
    hypotheses = tuple(map_expressions(statement, rewritten) for statement in obligation.hypotheses)
    conclusion = map_expressions(obligation.conclusion, rewritten)
    return Obligation(obligation.label, hypotheses, conclusion, obligation.necessary)
