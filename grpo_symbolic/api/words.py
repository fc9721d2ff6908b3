"""Mathematics in readable text and in LaTeX, for whoever prints a value at a prompt or in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grpo_symbolic.derivation.chain import Claim, Derivation
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement, symbols_of
from grpo_symbolic.language.unknown import unknown_functions
from grpo_symbolic.translate.formula import function_latex
from grpo_symbolic.translate.latex import domain_latex, expression_latex, statement_latex
from grpo_symbolic.translate.text import RELATIONS, expression_text, statement_text

_SIGNS = {**RELATIONS, "iff": "⇔", "implies": "⇒"}
_SIGNS_LATEX = {"=": "=", "<=": r"\leq", "<": "<", ">=": r"\geq", ">": ">", "iff": r"\iff", "implies": r"\implies"}


def said(part: Expression | Statement) -> str:
    """Mathematics in one line; what has no written form of its own, as messages print it."""
    try:
        return expression_text(part) if isinstance(part, Expression) else statement_text(part)
    except UnsupportedError:
        return str(part)


def typeset(part: Expression | Statement) -> str:
    """Mathematics as LaTeX: a formula without delimiters, or a sentence with ``$...$`` in it.

    Raises:
        UnsupportedError: for what has no LaTeX.
    """
    return expression_latex(part) if isinstance(part, Expression) else statement_latex(part)


def delimited(part: Expression | Statement) -> str | None:
    """Mathematics as Jupyter wants it from ``_repr_latex_``: a sentence, or a formula between dollars."""
    try:
        latex = typeset(part)
    except UnsupportedError:
        return None
    return latex if "$" in latex else rf"$\displaystyle {latex}$"


def claim_said(claim: Claim) -> str:
    """A claim: its id and title, what it states, for which values and under which hypotheses."""
    lines = [said(claim.statement), *conditions(claim.statement, claim.given)]
    return "\n    ".join([f"{claim.id}: {claim.title}", *lines])


def derivation_said(chain: Derivation) -> str:
    """A derivation, a line for each step with its reason."""
    lines = [f"{said(chain.start)}    ({chain.because})"]
    lines += [f"    {_SIGNS[step.relation]} {said(step.to)}    ({step.reason})" for step in chain.steps]
    return "\n".join(lines)


def rows_of(chain: Derivation) -> Iterator[tuple[str, str]]:
    """The lines of a derivation as LaTeX, each with its reason."""
    yield typeset(chain.start), chain.because
    for step in chain.steps:
        yield f"{_SIGNS_LATEX[step.relation]} {typeset(step.to)}", step.reason


def conditions(statement: Statement, given: Iterable[Statement]) -> Iterator[str]:
    """For which values of its symbols, and under which hypotheses, a statement is meant."""
    hypotheses = tuple(given)
    symbols = symbols_of(statement, *hypotheses)
    if symbols:
        yield f"for all {', '.join(f'{symbol.name} in {symbol.domain}' for symbol in symbols)}"
    for function in unknown_functions(statement, *hypotheses):
        yield f"for {function.description}"
    if hypotheses:
        yield f"given {', '.join(map(said, hypotheses))}"


def conditions_typeset(statement: Statement, given: Iterable[Statement]) -> Iterator[tuple[str, list[str]]]:
    """The same as words and formulas."""
    hypotheses = tuple(given)
    symbols = symbols_of(statement, *hypotheses)
    if symbols:
        yield "for all", [domain_latex(symbol) for symbol in symbols]
    for function in unknown_functions(statement, *hypotheses):
        yield f"for {function.kind}", [function_latex(function)]
    if hypotheses:
        yield "given", [typeset(hypothesis) for hypothesis in hypotheses]
