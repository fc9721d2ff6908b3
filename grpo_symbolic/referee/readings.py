"""How one reading of a step is printed, and whether it only says what its notation means."""

from __future__ import annotations

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.expression import Call, Expression, rebuild
from grpo_symbolic.language.statement import All, Any, Statement
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.translate.text import RELATIONS, expression_text, statement_text


def in_words(instance: Instance) -> tuple[str, str, str]:
    """What stands before the relation or connective, itself, and what stands after it."""
    match instance.whole:
        case All(parts) | Any(parts) if len(parts) > 1:
            word = "or" if isinstance(instance.whole, Any) else "and"
            shown = list(map(_inside, parts))
            return shown[0], word, f" {word} ".join(shown[1:])
    return expression_text(instance.left), RELATIONS[instance.operator], expression_text(instance.right)


def _inside(part: Statement) -> str:
    return f"({statement_text(part)})" if isinstance(part, All | Any) else statement_text(part)


def by_definition(outcome: InterpretedStep) -> bool:
    """Whether both sides are one formula once the notation of the map is written out, though they are printed apart."""
    read, step = outcome.read, outcome.step
    if read is None or not read.instances or step.left == step.right:
        return False
    try:
        return all(
            one.whole is None and one.operator == "=" and _spelled(one.left) == _spelled(one.right)
            for one in read.instances
        )
    except GrpoSymbolicError:
        return False


def _spelled(expression: Expression) -> Expression:
    """The expression with named functions written out; derivatives are left alone, since they are a computation."""
    if isinstance(expression, Call):
        return _spelled(expression.value)
    return rebuild(expression, tuple(_spelled(child) for child in expression.children))
