"""The refusal: what the reader says instead of guessing."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.reading.places import Place, ReadingError
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.tree import Nodes

#: Why something was not understood, for counts and filters.
REASONS = (
    "undeclared",  # a symbol or function that the notation map does not have
    "ambiguous",  # two readings; ``readings`` names them
    "words",  # prose where a formula was expected
    "unsupported",  # known notation for something that no expression says, such as an arg max
    "meaningless",  # it has a form but no sense, such as a relation inside a product
    "unread",  # tokens that play no part in the reading
    "unbalanced",  # a bracket or bar without its partner, which TeX prints nevertheless
    "limit",  # over one of the limits of the reader
    "internal",  # the reader itself failed
    "skipped",  # the notation map says to leave it, and why
    "no-assertion",  # a sign that says nothing exact, such as \\approx, between two sides
)


class NotUnderstood(ReadingError):  # noqa: N818 - a finding about the paper, not a failure of ours
    """A formula that was not read, with the token where it stopped, the reason and a remedy.

    ``readings`` are the meanings between which an ambiguous formula leaves the choice. ``whole`` says that, whatever it
    means, the term with it is one value, ``"number"`` or ``"object"``, or an ``"optimum"`` over what follows; it is
    empty if that is not known. ``declared`` says that the map declares it, or names beside it, in another way.
    """

    def __init__(
        self,
        place: Place,
        kind: str,
        reason: str,
        *,
        token: str = "",
        hint: str = "",
        readings: Sequence[str] = (),
        whole: str = "",
        declared: bool = False,
    ) -> None:
        said = reason + (f": {' or '.join(readings)}?" if readings else "") + (f"; {hint}" if hint else "")
        super().__init__(place, said)
        self.kind = kind
        self.why = reason
        self.token = token or place.text
        self.hint = hint
        self.readings = tuple(readings)
        self.whole = whole
        self.declared = declared


class NothingAsserted(NotUnderstood):
    """A step whose sign says nothing exact, with its sides if both were read."""

    def __init__(self, place: Place, reason: str, sides: tuple[Expression, Expression] | None = None) -> None:
        super().__init__(place, "no-assertion", reason)
        self.sides = sides


def refuse_idle(account: Account, nodes: Nodes) -> None:
    """Refuse what was read if something stands in it that plays no part in the reading.

    Raises:
        NotUnderstood: at the first such token.
    """
    for node in account.idle(nodes):
        reason = f"{node.place.text} plays no part in the reading of this formula"
        raise NotUnderstood(node.place, "unread", reason)
