"""A formula that is read from left to right, and what the reader of one form may ask of the reader of all.

A ``Phrase`` is a sequence of nodes that is read from left to right: what a bracket, an argument or a side of a
relation holds. The files of this folder that read one form each, such as sums or integrals, know only this class;
how a term or a factor of any form is read is decided above them, in ``parser``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Self, TypeAlias

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.notation import elementary
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Nodes, children, without_scripts
from grpo_symbolic.reading.tex.tree import Number as Digits
from grpo_symbolic.translate.ranges import decide_by_range

#: Signs of a product.
TIMES = (r"\cdot", r"\times", "*")

_ZERO = Number(Fraction(0))
_MARKS = {"*", "+", "-", r"\star", r"\dagger", r"\top", "T", r"\circ", r"\prime"}


class Phrase(ABC):
    """A position in a sequence of nodes, and how to read on from there."""

    def __init__(self, nodes: Nodes, scope: Scope, context: Context) -> None:
        self.nodes = nodes
        self.index = 0
        self.scope = scope
        self.context = context

    @abstractmethod
    def whole(self) -> Expression:
        """Read everything."""

    @abstractmethod
    def term(self) -> Expression:
        """Read factors up to a plus or minus."""

    @abstractmethod
    def factor(self) -> Expression:
        """Read one factor with its power."""

    # What comes next.

    @property
    def node(self) -> Node | None:
        """The next node."""
        return self.nodes[self.index] if self.index < len(self.nodes) else None

    @property
    def rest(self) -> Nodes:
        """Everything from here on."""
        return self.nodes[self.index :]

    def sign(self, *texts: str) -> str | None:
        """The text of the next node if it is one of these signs."""
        node = self.node
        return node.text if isinstance(node, Atom) and node.text in texts else None

    @property
    def at_end(self) -> bool:
        """Whether the term is over: at the end, or before a plus or minus."""
        return self.node is None or self.sign("+", "-") is not None

    @property
    def at_operator(self) -> bool:
        """Whether what was just read ends here, before a sign or the end."""
        return self.at_end or self.sign("/", *TIMES) is not None

    def serve(self, part: str, *nodes: Node) -> None:
        """Say that nodes serve this part of the meaning; what serves none makes the step a refusal."""
        self.context.account.serve(nodes, part)

    def past(self, part: str) -> None:
        """Step over the next node, whose token, without its scripts, serves this part of the meaning."""
        node = self.node
        bare = without_scripts(node)
        if bare is not None and not children(bare):
            self.serve(part, bare)
        self.index += 1

    def here(self) -> Place:
        """The place of the next node, or of the last one at the end."""
        return self.nodes[min(self.index, len(self.nodes) - 1)].place

    def opened(self, nodes: Nodes, place: Place, scope: Scope) -> Self:
        """The phrase inside a bracket or an argument, at its start; ``place`` is named if nothing stands there."""
        if not nodes:
            raise NotUnderstood(place, "meaningless", "a formula is missing here")
        return type(self)(nodes, scope, self.context)

    def under(self, scope: Scope) -> Self:
        """The same phrase at the same node, where names mean something else."""
        same = type(self)(self.nodes, scope, self.context)
        same.index = self.index
        return same

    def inner(self, nodes: Nodes, place: Place, scope: Scope | None = None) -> Expression:
        """Read what stands inside a bracket or an argument."""
        return self.opened(nodes, place, self.scope if scope is None else scope).whole()

    def refuse(
        self,
        kind: str,
        reason: str,
        *,
        place: Place | None = None,
        hint: str = "",
        readings: Sequence[str] = (),
        whole: str = "",
    ) -> NotUnderstood:
        """The refusal of the next node."""
        at = self.here() if place is None else place
        return NotUnderstood(at, kind, reason, hint=hint, readings=readings, whole=whole)

    def raised(self, base: Expression, exponent: Nodes, place: Place) -> Expression:
        """Read a superscript as an exponent."""
        first = exponent[0] if exponent else None
        lone = len(exponent) == 1 and isinstance(first, Atom)
        if (
            first is None
            or (lone and isinstance(first, Atom) and first.text in _MARKS)
            or (isinstance(first, Atom) and first.text in ("*", r"\star", r"\dagger", r"\top"))
        ):
            shown = first.text if isinstance(first, Atom) else ""
            reason = f"the mark ^{shown} is part of a name that is not declared"
            raise NotUnderstood(place, "undeclared", reason, whole="object")
        if isinstance(first, Digits) and first.text.startswith("00"):
            readings = ("a power", "the mark 0 twice")
            raise NotUnderstood(place, "ambiguous", f"the superscript {first.text}", readings=readings, whole="object")
        if not isinstance(base, Number):
            refuse_label(exponent, place)
        return self.power(base, self.inner(exponent, place), place)

    def power(self, base: Expression, exponent: Expression, place: Place) -> Expression:
        """A power, whose exponent must not be too large a number."""
        try:
            value = elementary.power(base, exponent)
        except DeclarationError as error:
            raise NotUnderstood(place, "limit", str(error)) from error
        sign = _needed_sign(exponent)
        number = elementary.constant_value(base)
        if sign and number is not None and number < 0 and not _is_whole(exponent, self.context.counted):
            reason = "a power of a negative number, whose exponent need not be a whole number"
            raise NotUnderstood(place, "unsupported", reason)
        if sign and not decide_by_range(Relation(base, sign, _ZERO)):
            wanted = "positive" if sign == ">" else "not negative"
            shown = f"{place.text.strip()} is read only where its base is {wanted}"
            self.context.note(place, shown, value if elementary.constant_value(exponent) is None else None)
        return value


def _needed_sign(exponent: Expression) -> str:
    """What the base of a power has to be for it to have a value, ``>`` or ``>=`` 0; empty if it may be any number."""
    value = elementary.constant_value(exponent)
    if value is not None and value.denominator == 1:
        return ""
    return ">=" if value is not None and value.denominator == 2 and value > 0 else ">"


def _is_whole(exponent: Expression, counted: AbstractSet[Symbol]) -> bool:
    """Whether an exponent is a whole number for certain: made of those and of indices that count terms."""
    match exponent:
        case Number(value):
            return value.denominator == 1
        case Symbol():
            return exponent in counted
        case Apply("add" | "subtract" | "multiply" | "negate", operands):
            return all(_is_whole(operand, counted) for operand in operands)
    return False


def refuse_label(exponent: Nodes, place: Place) -> None:
    """Refuse a superscript in brackets, ``x^{(2)}`` or ``w^{[l]}``, which is a label or counts derivatives.

    Raises:
        NotUnderstood: if the superscript is a bracket and nothing else.
    """
    if len(exponent) == 1 and isinstance(exponent[0], Group) and exponent[0].open != "|":
        raise NotUnderstood(
            place,
            "ambiguous",
            f"a superscript in brackets, {exponent[0].place.text}",
            readings=("a label", "the order of a derivative", "a power"),
            hint="declare the label in the map; a power has no brackets",
            whole="name",
        )


#: Reads one form at the position of a phrase and moves on; ``None``, without moving, if something else stands there.
Handler: TypeAlias = Callable[[Phrase], Expression | None]
