"""What has two readings, or one that no expression says, and still is one value: an atom that is known by its print.

Only where a paper has no map of its own. ``\\log p(x) q(x)`` may be the logarithm of the product, or a product with a
logarithm; what is printed so is the same each time within a step. So a whole term becomes one atom, of which nothing
else is used, and so does a letter before a bracket, a function or a factor. A step of which both sides are such terms
is refused, since nothing of it was read.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.expression import walk as expressions_in
from grpo_symbolic.reading.meaning import opaque
from grpo_symbolic.reading.meaning.binders import refuse_later
from grpo_symbolic.reading.meaning.phrase import TIMES, Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.symbols import RELATIONS
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    Space,
    Words,
    children,
    rows,
    walk,
    without_scripts,
)

#: Signs that bind no closer than a plus, stand between two statements, or mean another thing each time.
_LOOSE = frozenset(
    {
        ",", ";", ":", "|", r"\|", "!", "%", "&", r"\dots", "...", r"\pm", r"\mp", r"\infty", r"\oplus", r"\ominus",
        r"\cup", r"\cap", r"\sqcup", r"\setminus", r"\vee", r"\wedge", r"\bmod", r"\mod", r"\pmod", r"\forall",
        r"\exists", r"\neg", r"\therefore", r"\because", r"\quad", r"\qquad",
    }
)  # fmt: skip
#: Operators that cover what stands after a plus as well.
_GREEDY = frozenset(
    {
        r"\int", r"\oint", r"\max", r"\min", r"\sup", r"\inf", r"\arg", r"\lim", "argmax", "argmin", "max",
        "min", "sup", "inf", "lim",
    }
)  # fmt: skip
_INTEGRALS = frozenset({r"\int", r"\oint"})
#: Before brackets: orders of growth, and distributions that stand for what is drawn from them.
_DRAWN = frozenset(
    {
        r"\Theta", r"\Omega", r"\omega", "poly", "polylog", "negl", "rand", "U", "Unif", "Uniform", "Bern", "Bernoulli",
        "Normal", "Exp", "Poisson", "Beta", "Gamma", "Gumbel", "Laplace", "Cat", "Categorical", "Dir", "Dirichlet",
    }
)  # fmt: skip
_SUMS = frozenset({r"\sum", r"\prod"})
_MATRICES = frozenset({"matrix", "pmatrix", "bmatrix", "vmatrix", "smallmatrix", "array"})


def term(phrase: Phrase, start: int, refusal: NotUnderstood, objects: Objects) -> Expression | None:
    """The term from ``start`` on as one atom, if what was refused in it is one value whatever it means."""
    if refusal.whole in ("", "name"):
        return None
    span = _span(phrase, start)
    if not span or not _is_one_value(span) or _sign(span[0]) in (*TIMES, "/"):
        return None
    phrase.index = start + len(span)
    for node in span:
        if isinstance(node, Scripted) and node.sub is not None and _sign(node) in _SUMS:
            refuse_later(phrase, opaque.index_of(node.sub))
    phrase.serve("atom", *span)
    key = ("printed", span, opaque.bound(phrase, span))
    atom = objects.atom(key, compact(span), vector=_may_be_vector(refusal, span), composed=True)
    objects.unclear[atom] = refusal
    phrase.context.note(span[0].place, f"{atom.name} stands for {compact(span)}, whatever that is")
    return atom


def refuse_varying(sides: Iterable[Expression], objects: Objects, place: Place) -> None:
    """Refuse a side that has twice what may be another number each time.

    These are integrals without limits, orders of growth and random variables that are known by their distribution.

    Raises:
        NotUnderstood: if there is one.
    """
    varying = {atom for key, atom in objects.known.items() if isinstance(key, tuple) and _is_varying(*key[:2])}
    for side in sides if varying else ():
        leaves = [node for node in expressions_in(side) if not node.children]
        if any(leaves.count(atom) > 1 for atom in varying):
            readings = ("the same number each time", "each another one")
            reason = "an integral without limits, an order or a distribution twice in one side"
            raise NotUnderstood(place, "ambiguous", reason, readings=readings)


def _is_varying(kind: str, nodes: Nodes) -> bool:
    if kind == "printed":
        return any(isinstance(node, Atom) and node.text in _INTEGRALS for node in walk(nodes))
    if kind != "atom" or len(nodes) < 2:
        return False
    head = without_scripts(nodes[0])
    if isinstance(head, Command) and len(head.arguments) == 1 and head.arguments[0]:
        return opaque.is_order(head.arguments[0][0])
    if isinstance(head, Name) and head.font in ("calligraphic", "script"):
        return head.text in ("N", "U") and find(children(nodes[1])[0], ";", "|") is None
    return isinstance(head, Atom | Name) and head.text in _DRAWN


def _may_be_vector(refusal: NotUnderstood, span: Nodes) -> bool:
    """Whether a term need not be a number: it was refused for that, or has a gradient, a bold letter or an arrow."""
    bare = [without_scripts(node) for node in span]
    return refusal.whole != "number" or any(
        (isinstance(node, Name) and node.font == "bold")
        or (isinstance(node, Command) and node.name in opaque.VECTORS)
        or (isinstance(node, Atom) and node.text in (r"\nabla", r"\partial", r"\arg"))
        for node in bare
    )


def _span(phrase: Phrase, start: int) -> Nodes:
    """The nodes up to the plus or minus that ends the term, or all if an operator in it may cover more.

    An integral covers everything up to its differential.
    """
    rest, integrals = phrase.nodes[start:], 0
    for at, node in enumerate(rest):
        text = _sign(node)
        if text in _GREEDY - _INTEGRALS:
            return rest
        integrals += 1 if text in _INTEGRALS else -1 if _is_differential(node) and integrals else 0
        if text in ("+", "-") and isinstance(node, Atom) and not integrals:
            return () if at and _sign(rest[at - 1]) in (*TIMES, "/") else rest[:at]
    return () if integrals else rest


def _sign(node: Node | None) -> str:
    bare = without_scripts(node)
    if isinstance(bare, Command) and bare.name == r"\underset" and bare.arguments[-1]:
        bare = bare.arguments[-1][-1]
    return bare.text if isinstance(bare, Atom | Name) else ""


def _is_one_value(span: Nodes) -> bool:
    """Whether some nodes are one value wherever they stand: no words, signs between statements or ellipses."""
    loose = _LOOSE if _covers(span) else _LOOSE | {"+", "-"}
    integral = any(_sign(node) in _INTEGRALS for node in span)
    for node in span:
        bare = without_scripts(node)
        if isinstance(bare, Words | Space) or _sign(node) in loose | RELATIONS:
            return False
        if _is_differential(node) and not integral:
            return False
        if isinstance(bare, Environment) and bare.name not in _MATRICES:
            return False
    return not _varies(span) and not any(isinstance(node, Group) and not node.items for node in walk(span))


def _is_differential(node: Node) -> bool:
    return (isinstance(node, Atom) and node.text == "d") or (
        isinstance(node, Name) and node == Name("d", "upright", node.place)
    )


def _covers(span: Nodes) -> bool:
    return any(_sign(node) in _GREEDY for node in span)


def _varies(span: Nodes) -> bool:
    """Whether something in a term is another number each time, or none: ``O(n)``, a constant, a double sign, 1/0."""
    return any(
        (isinstance(after, Group) and opaque.is_order(node))
        or _sign(node) in (r"\pm", r"\mp")
        or _is_zero_below(node, after)
        or opaque.varies(node)
        for row in rows(span)
        for node, after in pairwise((*row, None))
        if node is not None
    )


def _is_zero_below(node: Node, after: Node | None) -> bool:
    """Whether something is divided by a printed 0, which has no value."""
    below = node.arguments[1] if isinstance(node, Command) and node.name == r"\frac" else ()
    if isinstance(node, Atom) and node.text == "/" and after is not None:
        below = (after,)
    return len(below) == 1 and isinstance(below[0], Number) and not below[0].text.strip("0.")


# Functions.


def value(phrase: Phrase, objects: Objects) -> Expression | None:
    """The value of a function at what stands in the bracket after it, or a product: one value, whichever it is."""
    node, after = phrase.node, phrase.nodes[phrase.index + 1 : phrase.index + 3]
    if node is None or not after or not opaque.is_function(node):
        return None
    group = after[0]
    if not isinstance(group, Group) or group.open != "(" or not group.items:
        return None
    brackets_again = len(after) > 1 and isinstance(after[1], Group)
    if brackets_again or opaque.is_order(node) or _varies((group,)):
        return None
    return opaque.closed(phrase, objects, 2)
