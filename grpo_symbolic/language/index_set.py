"""The finite set that sums run over, whatever its size: what one element is called, and the letter for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_fields

_LETTER = re.compile(r"[A-Za-z]|\\[A-Za-z]+")


@dataclass(frozen=True)
class IndexSet:
    """A finite set with at least one element, such as the outputs of a model or the members of a population.

    ``element`` and ``elements`` are its names in sentences; ``letter``, as LaTeX, stands for an element where none in
    particular is meant. A set that is ``of`` another one is that set once more, with the letter of a further element of
    which a statement speaks beside the first: no sum runs over it. A part of a set says as LaTeX ``where`` it is, with
    ``{index}`` in the place of an element.

    Raises:
        DeclarationError: if a name is empty or the letter is not a single letter, or the same for two elements.
    """

    element: str
    elements: str
    letter: str
    of: IndexSet | None = None
    where: str = ""

    def __post_init__(self) -> None:
        require_fields(self, element=str, elements=str, letter=str)
        if not self.element.strip() or not self.elements.strip():
            raise DeclarationError("an index set needs names for one and for several of its elements")
        if not _LETTER.fullmatch(self.letter):
            raise DeclarationError(f"index set of {self.elements}: {self.letter!r} is not a letter such as 'i'")
        if self.of is not None and (self.of.of is not None or self.letter == self.of.letter):
            raise DeclarationError(f"{self.letter!r} is no letter for a second one of the {self.elements}")

    def another(self, letter: str) -> IndexSet:
        """A further element of the set, equal to the first one or not, with a letter of its own."""
        return replace(self, letter=letter, of=self)

    @property
    def whole(self) -> IndexSet:
        """The set itself, also where a further element of it is meant."""
        return self if self.of is None else self.of


#: The set of which nothing is said.
ELEMENTS = IndexSet("element", "elements", "i")
