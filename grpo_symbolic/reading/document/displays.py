"""What a paper displays: chains of formulas, each pair of neighbours a step, and what could not be made one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex.tree import Nodes


@dataclass(frozen=True, slots=True)
class RelationSign:
    """The sign between two sides.

    ``symbol`` is one of ``=``, ``\\ne``, ``<``, ``>``, ``\\le``, ``\\ge``, ``\\approx``, ``\\equiv``,
    ``\\propto``, ``\\in`` and other commands, or ``:=`` for every way to say "is defined as"
    (``\\stackrel{def}{=}``, ``\\triangleq``, ``\\coloneqq``). ``over`` is what stands above or at the sign,
    such as the ``!`` of ``\\stackrel{!}{=}``.
    """

    symbol: str
    place: Place = field(compare=False)
    over: Nodes | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A restriction on the row of a step: its first words, ``if`` or ``""``, and the nodes after them, unread.

    ``unclear`` says that it may as well be a statement of its own, so that nothing may rest on it.
    """

    words: str
    items: Nodes
    place: Place = field(compare=False)
    unclear: bool = False


@dataclass(frozen=True, slots=True)
class PrintedStep:
    """Two neighbouring sides of a chain and the relation between them.

    ``index`` counts the steps of a chain from 1: a single equation has only step 1, and from step 2 on
    the chain asserts that its own sides agree. ``conditions`` stand on the row of the right side or on
    an earlier row of the chain. ``label`` and ``tag`` number the row of the right side, or all
    of the display where it has only one number. What says only for how much something holds, ``\\text{no solution}``,
    is all ``left``: nothing is ``right``, and the sign between them is empty.
    """

    left: Nodes
    relation: RelationSign
    right: Nodes
    place: Place = field(compare=False)
    index: int = 1
    conditions: tuple[Condition, ...] = ()
    label: str | None = None
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class PrintedChain:
    """Sides joined by relations, ``a = b \\le c``, as they follow each other over rows and displays.

    ``link`` is the sign that ties it to the chain before, ``\\Leftrightarrow`` or ``\\Rightarrow``.
    ``continues`` says that the first side was printed in an earlier display, ``shared`` that other statements stand on
    a row of it, so that nobody can tell which of them an arrow joins.
    """

    steps: tuple[PrintedStep, ...]
    place: Place = field(compare=False)
    link: str | None = None
    continues: bool = False
    shared: bool = False

    @property
    def sides(self) -> tuple[Nodes, ...]:
        """The sides in reading order, one more than steps."""
        return (self.steps[0].left, *(step.right for step in self.steps))


def whole_chains(displays: Iterable[Display]) -> list[PrintedChain]:
    """The chains of a paper, each with what goes on from it in later displays."""
    found: list[PrintedChain] = []
    for chain in (chain for display in displays for chain in display.chains):
        if chain.continues and found:
            before = found[-1]
            shared = before.shared or chain.shared
            found[-1] = replace(before, steps=before.steps + chain.steps, shared=shared)
        else:
            found.append(chain)
    return found


@dataclass(frozen=True, slots=True)
class Unread:
    """Something seen that is no step, with a code for the reason.

    ``no-relation`` (an expression, such as an objective), ``no-left-side`` (it goes on from the text),
    ``no-right-side``, ``words`` (prose where a formula was expected), ``number-only`` (only a tag),
    ``joined`` (the rest of a formula that began in the display before, where it is read).
    """

    code: str
    reason: str
    place: Place = field(compare=False)
    items: Nodes = ()


@dataclass(frozen=True, slots=True)
class Display:
    """One displayed formula, or one inline formula that was asked for.

    ``broken`` is the mistake that keeps it from being read; then there are no chains. ``notes`` tell what was put
    right on the way, such as a sign repeated at a line break. ``rows`` are the places of its rows.
    """

    kind: str
    place: Place = field(compare=False)
    chains: tuple[PrintedChain, ...] = ()
    unread: tuple[Unread, ...] = ()
    broken: BrokenLatex | None = field(default=None, compare=False)
    label: str | None = None
    tag: str | None = None
    section: str = ""
    notes: tuple[str, ...] = ()
    rows: tuple[Place, ...] = field(default=(), compare=False, repr=False)

    @property
    def steps(self) -> tuple[PrintedStep, ...]:
        """All steps, in reading order."""
        return tuple(step for chain in self.chains for step in chain.steps)
