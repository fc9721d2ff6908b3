"""What a formula is read against: the table of notation, the index sets, the chosen readings; and the notes taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.reading.notation.entries import Entry, Table
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.notation.usage import Usage
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.tree import Nodes

#: Most terms of one finite sum, most values of the free indices of one step, deepest nesting of templates.
MAX_TERMS = 200
MAX_INSTANCES = 64
MAX_TEMPLATES = 20
#: Most symbols that are read for one step, with sums and templates written out.
MAX_WORK = 20_000
#: Deepest expression that is passed on, since what works on expressions recurses.
MAX_DEPTH = 250


class Note(NamedTuple):
    """Something a reader should know about how a formula was read, though it was read.

    ``power`` is the value of a power with symbols in its exponent, which is read for positive bases only; where the
    exponent is a whole number, another base has such a power too.
    """

    place: Place
    text: str
    power: Expression | None = None


@dataclass(frozen=True)
class Choices:
    """Readings of ambiguous forms that the map has chosen; without a choice the form is refused.

    ``product_argument`` are the functions whose argument without brackets is the whole product after them.
    ``function_power`` is ``"value"`` if ``\\log(x)^2`` is the square of the logarithm. ``restricted`` is
    ``"indicator"`` if a condition under an expectation multiplies its argument with an indicator. ``samples`` are the
    sets, by their labels, that stand for any finite set: what is checked for them is not decided for all.
    """

    product_argument: frozenset[str] = frozenset()
    function_power: str = ""
    restricted: str = ""
    samples: frozenset[tuple[str, ...]] = frozenset()


@dataclass
class Context:
    """Everything but local names; one for a section of a paper.

    ``labels`` maps an index to its values; ``points`` are indices over which an expectation says nothing, and
    ``sizes`` those that mean the same number everywhere, such as the size of a group. ``sets`` are the declared sets
    by name, ``constants`` the symbols that the map says depend on no other, and ``usage`` is how the paper uses its
    letters. ``comparisons`` are further equations that a formula makes, by naming a part of it below a brace;
    ``account`` says which part of the reading each token serves. ``objects`` are the atoms of a paper without a map,
    ``counted`` the indices of the series around what is being read, which are whole numbers.
    """

    table: Table
    labels: Mapping[Nodes, tuple[str, ...]] = field(default_factory=dict)
    points: frozenset[Nodes] = frozenset()
    sizes: frozenset[Nodes] = frozenset()
    choices: Choices = field(default_factory=Choices)
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    constants: frozenset[Symbol] = frozenset()
    usage: Usage = field(default_factory=Usage)
    notes: list[Note] = field(default_factory=list)
    used: set[Entry] = field(default_factory=set)
    used_indices: set[Nodes] = field(default_factory=set)
    comparisons: list[tuple[Expression, str, Expression]] = field(default_factory=list)
    account: Account = field(default_factory=Account)
    objects: Objects | None = None
    counted: frozenset[Symbol] = frozenset()
    depth: int = 0
    work: int = 0

    def sampled(self) -> frozenset[tuple[str, ...]]:
        """The sets standing for any finite set over whose members the indices used so far run."""
        return (
            frozenset(self.labels[index] for index in self.used_indices if index in self.labels) & self.choices.samples
        )

    def note(self, place: Place, text: str, power: Expression | None = None) -> None:
        """Remember something about how a formula was read."""
        note = Note(place, text, power)
        if note not in self.notes:
            self.notes.append(note)
