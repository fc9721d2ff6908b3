"""What an independent program for a claim is: the oracle that the method of this name compares the claim with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_fields, told

#: A number of an mpmath context; mpmath ships no types.
Number: TypeAlias = Any
Context: TypeAlias = Any


@dataclass(frozen=True)
class Oracle:
    """An independent program for a claim: two numbers that must compare as ``relation`` says.

    ``compare(values, context)`` gets the values of the claim's symbols by name, as numbers of the mpmath
    context, and returns the two numbers. It must be a module-level function, so that it can be sent to
    another process. ``digits`` are the decimal digits to which the two must agree.

    Raises:
        DeclarationError: for what is of another kind.
    """

    description: str
    compare: Callable[[Mapping[str, Number], Context], tuple[Number, Number]]
    relation: str = "="
    digits: int = 15
    points: int = 12

    def __post_init__(self) -> None:
        require_fields(self, description=str, relation=str, digits=int, points=int)
        if not callable(self.compare):
            raise DeclarationError(f"oracle {self.description!r} needs a function, and {told(self.compare)} is none")
