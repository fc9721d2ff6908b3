"""The symbols of a paper as they are printed: which heads there are, where, how often, and what they are applied to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    children,
    without_scripts,
)

GREEK = words(
    r"""\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta \iota \kappa \lambda \mu \nu \xi
        \pi \varpi \rho \varrho \sigma \varsigma \tau \upsilon \phi \varphi \chi \psi \omega \Gamma \Delta \Theta
        \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega \ell \hbar"""
)
_ACCENTS = words(r"\tilde \hat \bar \vec \dot \ddot \check \overline \mathring")
_BINDERS = words(r"\sum \prod \max \min \sup \inf \int \bigcup \bigcap")
_MARKS = words(r"* + - \star \dagger \top \prime")
_BRACKETS = words(r"( [ \{")


@dataclass
class Head:
    """One printed symbol: its tree, where it is used first and how; ``applications`` are
    the brackets after it with their numbers, ``bare`` the uses without one, ``derived`` says that it has a prime."""

    nodes: Nodes
    place: Place
    uses: int = 0
    bare: int = 0
    applications: dict[Group, int] = field(default_factory=dict)
    derived: bool = False

    def takes_argument(self, *, number: bool) -> bool:
        """Whether a bracket after it holds an argument: names, or what is no sum, which would need none as a factor.

        Of what is known to be a ``number``, as the end of a sum is, only brackets with nothing but names say so.
        """
        return any(is_plain(one.items) or not (number or is_sum(one.items)) for one in self.applications)

    def multiplies_itself(self) -> bool:
        """Whether it stands in a sum in brackets right after it, as in ``n(n + 1)``, where a function would not."""
        return any(is_sum(one.items) and _stands_alone(self.nodes, one.items) for one in self.applications)


@dataclass
class Heads:
    """All heads of some formulas in the order of their first use, and the letters that sums and averages bind."""

    found: dict[Nodes, Head] = field(default_factory=dict)
    bound: dict[Nodes, Place] = field(default_factory=dict)

    def collect(self, sequences: Iterable[Nodes]) -> None:
        """Add the heads of formulas."""
        for nodes in sequences:
            self._visit(nodes)

    def _visit(self, nodes: Nodes) -> None:
        integral = any(_names(node, r"\int") for node in nodes)
        skipped = -1
        for index, node in enumerate(nodes):
            following = nodes[index + 1] if index + 1 < len(nodes) else None
            head, power = _head(node)
            if index == skipped or (integral and _names(node, "d")):
                continue
            if head is None:
                self._inside(node)
                continue
            if self._use(head, following, node):
                skipped = index + 1  # what stands before or after "given" are labels, no values
            self._visit(power)

    def _use(self, head: Nodes, following: Node | None, node: Node) -> bool:
        """Count a use; say whether the bracket after it holds labels, as in ``\\pi(o \\mid q)``."""
        entry = self.found.setdefault(head, Head(head, node.place))
        entry.uses += 1
        entry.derived |= isinstance(node, Scripted) and node.primes > 0
        group = without_scripts(following)
        if not isinstance(group, Group) or group.open not in _BRACKETS:
            entry.bare += 0 if entry.derived and isinstance(node, Scripted) and node.primes else 1
            return False
        entry.applications[group] = entry.applications.get(group, 0) + 1
        return any(isinstance(one, Atom) and one.text == "|" for one in group.items)

    def _inside(self, node: Node) -> None:
        """Go into a node that is no symbol itself; what a sum or an average binds is remembered."""
        if isinstance(node, Scripted) and (_names(node.base, "e") or node.base is None):
            self._visit(node.sup or ())
            return
        if isinstance(node, Scripted) and node.sub is not None and isinstance(node.base, Atom | Name):
            for variable in _bound(node.base, node.sub):
                self.bound.setdefault(variable, node.place)
            self._visit(node.sup or ())
            return
        if isinstance(node, Command) and node.name == r"\frac" and all(_differential(one) for one in node.arguments):
            for argument in node.arguments:
                self._visit(argument[1:])
            return
        for inner in children(node):
            self._visit(inner)


def _names(node: Node | None, text: str) -> bool:
    base = without_scripts(node)
    return isinstance(base, Atom) and base.text == text


def _bound(base: Atom | Name, sub: Nodes) -> list[Nodes]:
    """Return what is bound: the letter under a sum, or every letter before ``\\sim`` under an average."""
    if isinstance(base, Atom):
        variable = _head(sub[0])[0] if base.text in _BINDERS and sub else None
        return [] if variable is None else [variable]
    heads = [_head(node)[0] for node, following in pairwise(sub) if _names(following, r"\sim")]
    return [head for head in heads if head is not None]


def _differential(nodes: Nodes) -> bool:
    first = nodes[0] if nodes else None
    base = without_scripts(first)
    return isinstance(base, Atom) and base.text in ("d", r"\partial")


def _head(node: Node) -> tuple[Nodes | None, Nodes]:
    """Return the symbol that a node is, with its marks but without a power, and the power."""
    match node:
        case Atom(text) if text in GREEK or (len(text) == 1 and text.isalpha()):
            return (node,), ()
        case Name(_, font) if font != "upright" and node.text not in ("E", "P", "1"):
            return (node,), ()
        case Command(name, (argument,)) if name in _ACCENTS and len(argument) == 1 and _head(argument[0])[0]:
            return (node,), ()
        case Scripted(base, sub, sup) if base is not None and _head(base)[0] is not None:
            if isinstance(base, Atom) and base.text == "e" and sub is None:
                return None, ()  # the base of an exponential
            marked = sup is not None and all(isinstance(one, Atom | Name) and _is_mark(one) for one in sup)
            kept = sup if marked else None
            head = base if sub is None and kept is None else Scripted(base, sub, kept, 0, node.place)
            return (head,), () if marked else sup or ()
    return None, ()


def _is_mark(node: Node) -> bool:
    return isinstance(node, Name) or (isinstance(node, Atom) and node.text in _MARKS)


def is_sum(nodes: Nodes) -> bool:
    """Whether a plus or minus stands between two terms."""
    return any(isinstance(node, Atom) and node.text in ("+", "-", r"\pm", r"\mp") for node in nodes[1:])


def _stands_alone(letter: Nodes, nodes: Nodes) -> bool:
    """Whether a letter is a factor or a term among some nodes, with no bracket after it."""
    return any(
        _head(node)[0] == letter and not isinstance(without_scripts(following), Group)
        for node, following in pairwise((*nodes, None))
        if node is not None
    )


def is_plain(nodes: Nodes) -> bool:
    """Whether an argument is only symbols, numbers, commas and bars, so that it can be part of a name."""
    plain = (",", "|", r"\|", ";")
    return all(
        isinstance(node, Number) or (isinstance(node, Atom) and node.text in plain) or _head(node) == ((node,), ())
        for node in nodes
    )
