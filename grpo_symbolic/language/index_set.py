"""The finite set that sums run over, whatever its size: what one element is called, and the letter for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError

_LETTER = re.compile(r"[A-Za-z]|\\[A-Za-z]+")


@dataclass(frozen=True)
class IndexSet:
    """A finite set with at least one element, such as the outputs of a model or the members of a population.

    ``element`` and ``elements`` are its names in sentences; ``letter``, as LaTeX, stands for an element where none in
    particular is meant.

    Raises:
        DeclarationError: if a name is empty or the letter is not a single letter.
    """

    element: str
    elements: str
    letter: str

    def __post_init__(self) -> None:
        if not self.element.strip() or not self.elements.strip():
            raise DeclarationError("an index set needs names for one and for several of its elements")
        if not _LETTER.fullmatch(self.letter):
            raise DeclarationError(f"index set of {self.elements}: {self.letter!r} is not a letter such as 'i'")


#: The set of which nothing is said.
ELEMENTS = IndexSet("element", "elements", "i")
