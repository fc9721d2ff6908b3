"""Where a named function stands in a formula, by its name or written out, and what another in its place makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grpo_symbolic.language.expression import Call, Definition, Expression, Symbol, free_symbols, rebuild
from grpo_symbolic.language.vocabulary import node_kind


def arguments_of(definition: Definition, expression: Expression) -> tuple[Expression, ...] | None:
    """The arguments for which the function's body is this very formula; None if there are none."""
    found: dict[Symbol, Expression] = {}
    if not matches(definition.body, expression, definition.parameters, found):
        return None
    # A parameter that stands only in functions that the body names is not matched; there it can be itself alone.
    arguments = tuple(found.get(parameter, parameter) for parameter in definition.parameters)
    return arguments if written_out(definition(*arguments)) == written_out(expression) else None


def stands_in(definition: Definition, expression: Expression) -> bool:
    """Whether the function stands somewhere in the expression, by its name or written out, or in a function of it."""
    if arguments_of(definition, expression) is not None:
        return True
    if isinstance(expression, Call) and stands_in(definition, expression.definition.body):
        return True
    return any(stands_in(definition, child) for child in expression.children)


def written_out(expression: Expression) -> Expression:
    """The expression without named functions; derivatives and substitutions stay."""
    if isinstance(expression, Call):
        return written_out(expression.value)
    return rebuild(expression, tuple(map(written_out, expression.children)))


def matches(
    pattern: Expression, expression: Expression, holes: Sequence[Symbol], found: dict[Symbol, Expression]
) -> bool:
    """Whether the expression is the pattern with something in the place of each hole, which is then in ``found``."""
    if isinstance(pattern, Symbol) and pattern in holes:
        return found.setdefault(pattern, expression) == expression
    if not pattern.children or not expression.children:
        return pattern == expression
    if len(pattern.children) != len(expression.children) or node_kind(pattern) != node_kind(expression):
        return False
    return all(
        matches(one, other, holes, found) for one, other in zip(pattern.children, expression.children, strict=True)
    )


class Exchange:
    """One named function put in the place of another, wherever that stands by its name or written out.

    Bodies of other named functions are searched as well, so that a function of the exchanged one changes with it.
    """

    def __init__(self, old: Definition, new: Definition) -> None:
        self._old, self._new = old, new
        self._done: dict[Expression, Expression] = {}

    def __call__(self, expression: Expression) -> Expression:
        """The expression with the new function in it; the very same one if the old function is not there.

        Raises:
            DeclarationError: if the new function has no meaning there.
        """
        if expression not in self._done:
            self._done[expression] = self._exchanged(expression)
        return self._done[expression]

    def _exchanged(self, expression: Expression) -> Expression:
        arguments = arguments_of(self._old, expression)
        if arguments is not None:
            # The value and not the name, which would stand for two functions.
            return self._new(*map(self, arguments)).value
        children = tuple(map(self, expression.children))
        if isinstance(expression, Call):
            definition = expression.definition
            body = self(definition.body)
            return (definition if body == definition.body else replace(definition, body=body))(*children)
        return expression if children == expression.children else rebuild(expression, children)


def with_open_symbols(definition: Definition) -> Definition:
    """The function with the symbols of its surroundings as further parameters: it is found at any values of these."""
    further = tuple(symbol for symbol in free_symbols(definition.body) if symbol not in definition.parameters)
    return replace(definition, parameters=(*definition.parameters, *further))
