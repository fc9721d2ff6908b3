"""The right-hand sides of a notation map: ``1/(1 + exp(-z))``, read by a walk over Python's syntax tree.

Nothing is executed: a formula is parsed into a syntax tree, of which the nodes on a short list have a
meaning here and every other one is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Expression, Number
from grpo_symbolic.language.vocabulary import exact
from grpo_symbolic.reading.notation.elementary import CONSTANTS, LIST_FUNCTIONS, MAP_FUNCTIONS, power

#: Longest formula, in characters.
MAX_FORMULA = 2_000

Value = Expression | list[Expression]
_BINARY: Mapping[type[ast.operator], Callable[[Expression, Expression], Expression]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.Pow: power,
}


def read_formula(
    text: str,
    names: Mapping[str, Value],
    functions: Mapping[str, Callable[..., Expression]] | None = None,
) -> Expression:
    """Read a formula over the given names: the four operations, powers and the elementary functions.

    ``functions`` are functions with names of their own, such as those of earlier entries of a map.

    Raises:
        DeclarationError: for unknown names and for everything that is not such a formula.
    """
    if len(text) > MAX_FORMULA:
        raise DeclarationError(f"the formula is longer than {MAX_FORMULA} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DeclarationError(f"cannot read the formula {text!r}; write for example '1/(1 + exp(-z))'") from error
    try:
        value = _Formula(text, names, functions or {}).value(tree.body)
    except RecursionError as error:
        raise DeclarationError(f"the formula {text!r} is nested too deeply") from error
    if isinstance(value, list):
        raise DeclarationError(f"the formula {text!r} is a list; apply max, min, sum, mean or std to it")
    return value


class _Formula:
    def __init__(
        self, text: str, names: Mapping[str, Value], functions: Mapping[str, Callable[..., Expression]]
    ) -> None:
        self.text = text
        self.names = names
        self.functions = functions

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=value):
                return self._number(value, node)
            case ast.Name(id=name):
                return self._named(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.scalar(operand)
                return Number(-inner.value) if isinstance(inner, Number) else -inner
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.scalar(operand)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _BINARY:
                return _BINARY[type(operator)](self.scalar(left), self.scalar(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, [self.value(argument) for argument in arguments])
        raise DeclarationError(f"{self._shown(node)} has no meaning in the formula {self.text!r}")

    def scalar(self, node: ast.expr) -> Expression:
        value = self.value(node)
        if isinstance(value, list):
            raise DeclarationError(f"{self._shown(node)} is a list in {self.text!r}; apply max, min, sum, mean or std")
        return value

    def _shown(self, node: ast.expr) -> str:
        return repr(ast.get_source_segment(self.text.strip(), node) or type(node).__name__)

    def _number(self, value: object, node: ast.expr) -> Number:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DeclarationError(f"{self._shown(node)} is not a real number, in the formula {self.text!r}")
        segment = ast.get_source_segment(self.text.strip(), node) or ""
        try:
            # The decimal that was typed, not the machine number nearest to it.
            return Number(exact(segment))
        except ValueError as error:
            raise DeclarationError(f"{segment!r} is not a decimal number, in the formula {self.text!r}") from error

    def _named(self, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        known = ", ".join([*self.names, *CONSTANTS][:20])
        raise DeclarationError(f"the formula {self.text!r} uses {name!r}, which is not declared; known: {known}")

    def _call(self, name: str, arguments: list[Value]) -> Expression:
        if name in LIST_FUNCTIONS:
            return LIST_FUNCTIONS[name](_flattened(arguments))
        scalars = [argument for argument in arguments if not isinstance(argument, list)]
        function = self.functions.get(name) or MAP_FUNCTIONS.get(name)
        if function is None:
            known = ", ".join([*self.functions, *MAP_FUNCTIONS, *LIST_FUNCTIONS])
            raise DeclarationError(f"the formula {self.text!r} uses an unknown function {name!r}; known: {known}")
        if len(scalars) < len(arguments) or (name in MAP_FUNCTIONS and len(scalars) != 1):
            raise DeclarationError(f"{name} is applied to {len(arguments)} arguments or a list in {self.text!r}")
        return function(*scalars)


def _flattened(arguments: list[Value]) -> list[Expression]:
    values: list[Expression] = []
    for argument in arguments:
        values.extend(argument if isinstance(argument, list) else [argument])
    if not values:
        raise DeclarationError("a function of a list is applied to nothing")
    return values
