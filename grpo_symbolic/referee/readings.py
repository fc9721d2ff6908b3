"""How one reading of a step is printed: its relation, or the statements that "and" and "or" join."""

from __future__ import annotations

from grpo_symbolic.language.statement import All, Any
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.translate.text import RELATIONS, expression_text, statement_text


def in_words(instance: Instance) -> tuple[str, str, str]:
    """What stands before the relation or connective, itself, and what stands after it."""
    match instance.whole:
        case All(parts) | Any(parts) if len(parts) > 1:
            word = "or" if isinstance(instance.whole, Any) else "and"
            shown = [
                f"({statement_text(part)})" if isinstance(part, All | Any) else statement_text(part) for part in parts
            ]
            return shown[0], word, f" {word} ".join(shown[1:])
    return expression_text(instance.left), RELATIONS[instance.operator], expression_text(instance.right)
