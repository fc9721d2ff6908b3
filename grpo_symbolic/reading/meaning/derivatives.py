"""Derivatives by a variable of the map: ``\\frac{d}{dx} f``, ``\\frac{\\partial f}{\\partial \\pi(a)}``."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.language.expression import Derivative, Expression, Number, Symbol
from grpo_symbolic.reading.meaning.binders import covered
from grpo_symbolic.reading.meaning.dependence import suppose_constant
from grpo_symbolic.reading.meaning.labels import is_dot
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Name,
    Node,
    Nodes,
    Scripted,
    place_of,
    walk,
    without_power,
    without_scripts,
)

_SIGNS = ("d", r"\partial")
_HIGHEST = 4
_OPERATORS = ("+", "-", r"\cdot", r"\times", "/", r"\pm", r"\mp")


def read(phrase: Phrase) -> Expression | None:
    """Read a fraction that is a derivative; ``None`` if it is an ordinary fraction."""
    node = phrase.node
    if not isinstance(node, Command):
        return None
    top, bottom = node.arguments
    sign = _sign(top[0] if top else None)
    if sign is None or _sign(bottom[0] if bottom else None) != sign or len(bottom) < 2 or _is_operator(bottom[1]):
        return None
    # An upright d is another sign than a letter d that the paper uses.
    upright = isinstance(without_scripts(top[0]), Name) and isinstance(without_scripts(bottom[0]), Name)
    if not upright and phrase.context.table.matches(sign, (Atom(sign, node.place),), 0):
        raise phrase.refuse(
            "ambiguous", "a fraction with the declared symbol d", readings=("a derivative", "a quotient")
        )
    phrase.serve(
        "derivative", *(node.base if isinstance(node, Scripted) and node.base else node for node in (top[0], bottom[0]))
    )
    order = _order(phrase, top[0])
    symbol = _variable(phrase, bottom[1:], order, node)
    phrase.index += 1
    inside = top[1:]
    body = phrase.inner(inside, node.place) if inside else covered(phrase, "a derivative")
    suppose_constant(phrase, body, symbol, node.place, "a derivative")
    for _ in range(order):
        body = Derivative(body, symbol)
    return body


def is_gradient(nodes: Nodes) -> bool:
    """Whether a formula begins with the derivative by a whole distribution, ``\\partial / \\partial \\pi(\\cdot)``."""
    match nodes[:1]:
        case (Command(r"\frac", (top, bottom)),):
            derivative = _sign(top[0] if top else None) is not None and _sign(bottom[0] if bottom else None) is not None
            return derivative and any(is_dot((node,)) for node in walk(bottom))
    return False


def _component(phrase: Phrase, nodes: Nodes) -> Scope:
    """The scope in which the dot of a derivative is the index that the formula is about, if that is one only."""
    if phrase.scope.slot is not None or not any(is_dot((node,)) for node in walk(nodes)):
        return phrase.scope
    indices = [
        index for index in phrase.scope.labels if index in phrase.context.labels and index not in phrase.context.sizes
    ]
    if len(indices) != 1:
        raise NotUnderstood(place_of(nodes), "ambiguous", "a gradient, but its component at which index?")
    return phrase.scope.at(phrase.scope.labels[indices[0]])


def _sign(node: Node | None) -> str | None:
    bare = node.base if isinstance(node, Scripted) and node.sub is None and not node.primes else node
    if isinstance(bare, Name):
        return bare.text if (bare.text, bare.font) == ("d", "upright") else None
    return bare.text if isinstance(bare, Atom) and bare.text in _SIGNS else None


def _is_operator(node: Node) -> bool:
    """Whether a denominator goes on after its d as a sum or product does, ``d + a``, and a derivative never."""
    return isinstance(node, Atom) and node.text in _OPERATORS


def _order(phrase: Phrase, node: Node) -> int:
    if not isinstance(node, Scripted) or node.sup is None:
        return 1
    value = phrase.inner(node.sup, node.place)
    if not isinstance(value, Number) or not 1 <= value.value <= _HIGHEST or value.value.denominator != 1:
        raise NotUnderstood(node.place, "unsupported", "a derivative of this order")
    return int(value.value)


def _variable(phrase: Phrase, nodes: Nodes, order: int, node: Command) -> Symbol:
    place = place_of(nodes)
    if order > 1:
        last = nodes[-1]
        if not isinstance(last, Scripted) or last.sup is None or last.base is None:
            raise NotUnderstood(place, "ambiguous", "a higher derivative whose variable has no power")
        if phrase.inner(last.sup, place) != Number(Fraction(order)):
            raise NotUnderstood(place, "meaningless", "the two orders of a derivative differ")
        nodes = (*nodes[:-1], without_power(last))
    value = phrase.inner(nodes, place, _component(phrase, nodes))
    if not isinstance(value, Symbol):
        raise NotUnderstood(
            place,
            "unsupported",
            f"a derivative by {place.text}, which the map does not declare as a variable of its own",
            hint="on a constrained set that is another function",
        )
    return value
