"""Single changes of the LaTeX of a formula, such as a person would make: a sign, a term, a power, a bracket.

They only propose. What a change says is found out by reading the changed formula, so that one which does not fit the
reading (a letter that a macro printed, a bracket that is missing) is never taken for what it should have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise

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
    place_of,
    without_scripts,
)
from grpo_symbolic.referee.slips import typed_text

_SIGNS: Mapping[str, str] = {"+": "-", "-": "+"}
_FUNCTIONS: Mapping[str, str] = {
    r"\cosh": r"\sinh", r"\sinh": r"\cosh", r"\sin": r"\cos", r"\cos": r"\sin", r"\max": r"\min", r"\min": r"\max",
}  # fmt: skip
_PRODUCT = (r"\cdot", r"\times", "*")
#: Commands that are no letter of their own.
_NO_LETTER = words(r"\sum \prod \int \log \ln \exp \tanh \lim \infty \partial \nabla \sqrt \frac \cdot \times \le \ge")
#: Most neighbours in a sequence that are taken together, such as a function with its argument.
_TOGETHER = 4
#: Most neighbours that are put into brackets.
_LONGEST = 12

#: A change: from one offset to another, what is written instead.
Change = tuple[int, int, str]


def changes(nodes: Nodes, text: str, letters: Sequence[str], terms: Sequence[str] = ()) -> Iterator[Change]:
    """All changes of a formula that is typed as ``text``, likely ones first; ``letters`` may be put for each other.

    ``terms`` are what a sum may have lost, besides its own terms.
    """
    sequences = list(_sequences(nodes))
    inside = list(chain.from_iterable(sequences))
    for sequence in sequences:
        yield from _signs(sequence)
    for sequence in sequences:
        yield from _terms(sequence, text)
    yield from chain.from_iterable(_fractions(node, text) for node in inside)
    for sequence in sequences:
        yield from _dropped(sequence, text)
    yield from chain.from_iterable(_powers(node) for node in inside)
    yield from chain.from_iterable(_numbers(node) for node in inside)
    yield from chain.from_iterable(_letters(node, letters) for node in inside)
    yield from chain.from_iterable(_functions(node, text) for node in inside)
    for sequence in sequences:
        yield from _put_in(sequence, text)
    for sequence in reversed(sequences):  # a root of a denominator, before that of its fraction
        yield from _together(sequence, text)
    lost = dict.fromkeys([*terms, *terms_in(nodes, text)])
    for sequence in sequences:
        yield from _added(sequence, lost)


def terms_in(nodes: Nodes, text: str) -> Iterator[str]:
    """The terms of all sums of a formula, as they are typed, without their signs."""
    for sequence in _sequences(nodes):
        for part in _parts(sequence):
            bare = part[1:] if _is_sign(part[0]) else part
            if bare:
                yield typed_text(bare, text)


def letters_in(nodes: Nodes, text: str) -> Iterator[str]:
    """What a formula uses as symbols, as it is typed."""
    for node in chain.from_iterable(_sequences(nodes)):
        if _is_letter(node):
            yield _typed(node, text)


def _sequences(nodes: Nodes) -> Iterator[Nodes]:
    yield nodes
    for node in nodes:
        for inner in children(node):
            # The base of a script stands in the sequence around it as well.
            if not (isinstance(node, Scripted) and inner == (node.base,)):
                yield from _sequences(inner)
            elif isinstance(node.base, Group | Command):
                yield from (one for part in children(node.base) for one in _sequences(part))


def _typed(node: Node, text: str) -> str:
    return text[node.place.start : node.place.end]


def _is_letter(node: Node) -> bool:
    base = node.base if isinstance(node, Scripted) and node.sup is None else node
    if isinstance(base, Atom):
        return base.text.removeprefix("\\").isalpha() and base.text not in _NO_LETTER
    return isinstance(base, Name) and node is not base


def _is_sign(node: Node) -> bool:
    return isinstance(node, Atom) and node.text in _SIGNS


def _signs(nodes: Nodes) -> Iterator[Change]:
    for index, node in enumerate(nodes):
        if isinstance(node, Atom) and _is_sign(node):
            yield node.place.start, node.place.end, _SIGNS[node.text]
            if index == 0:
                yield node.place.start, node.place.end, ""
    if nodes and not _is_sign(nodes[0]):
        yield nodes[0].place.start, nodes[0].place.start, "-"


def _parts(nodes: Nodes) -> list[Nodes]:
    """The terms of a sum, each with its sign."""
    starts = [0, *(index for index, node in enumerate(nodes) if index and _is_sign(node)), len(nodes)]
    return [nodes[first:last] for first, last in pairwise(starts) if first < last]


def _terms(nodes: Nodes, text: str) -> Iterator[Change]:
    parts = _parts(nodes)
    if len(parts) > 1:
        for part in parts:
            yield _without(part, text)
        second = parts[1][0]
        if isinstance(second, Atom) and second.text == "+":
            yield parts[0][0].place.start, parts[1][0].place.end, ""
    if len(parts) == 2 and len(parts[1]) > 1 and isinstance(parts[1][0], Atom) and parts[1][0].text == "-":
        left, right = parts[0], parts[1][1:]
        yield _span(nodes, f"{typed_text(right, text)} - {typed_text(left, text)}")


def _span(nodes: Nodes, new: str) -> Change:
    place = place_of(nodes)
    return place.start, place.end, new


def _without(nodes: Nodes, text: str) -> Change:
    """Drop some nodes, with one of the spaces around them."""
    start, end, _ = _span(nodes, "")
    if start and text[start - 1].isspace() and (end == len(text) or text[end].isspace()):
        start -= 1
    return start, end, ""


def _dropped(nodes: Nodes, text: str) -> Iterator[Change]:
    """Factors and functions left out: up to some neighbours, with the sign of a product beside them."""
    ends = range(len(nodes) + 1)
    spans = [(first, last) for first, last in combinations(ends, 2) if last - first <= _TOGETHER]
    for first, last in sorted(spans, key=lambda span: span[1] - span[0]):
        if last - first < len(nodes):
            yield _without(nodes[first:last], text)
    for node in nodes:
        if isinstance(node, Group) and node.open in ("(", "|"):
            yield node.place.start, node.place.end, typed_text(node.items, text) if node.items else ""


def _bracketed(nodes: Nodes, text: str) -> Iterator[str]:
    piece = typed_text(nodes, text) if nodes else ""
    yield from (piece, f"({piece})") if len(nodes) > 1 else (piece,)


def _fractions(node: Node, text: str) -> Iterator[Change]:
    if not (isinstance(node, Command) and node.name == r"\frac" and all(node.arguments)):
        return
    above, below = node.arguments
    start, end = node.place.start, node.place.end
    for part in (above, below):
        yield from ((start, end, piece) for piece in _bracketed(part, text))
    yield start, end, rf"\frac{{{typed_text(below, text)}}}{{{typed_text(above, text)}}}"
    for first in _bracketed(above, text):
        yield from ((start, end, f"{first} {second}") for second in _bracketed(below, text))


def _powers(node: Node) -> Iterator[Change]:
    if not isinstance(node, Scripted) or node.base is None or not node.sup:
        return
    if len(node.sup) == 1 and isinstance(node.sup[0], Number) and node.sup[0].text.isdigit():
        number = node.sup[0]
        value, place = int(number.text), number.place
        if value == 2 and node.sub is None:
            yield node.base.place.end, node.place.end, ""
        # The braces stay, if there are some; without them only one digit is the power.
        yield from ((place.start, place.end, str(other)) for other in (value - 1, value + 1) if 1 < other < 10)
        yield from ((place.start, place.end, f"{{{other}}}") for other in (value + 1, -value))
    if node.sub is None:
        yield node.base.place.end, node.place.end, ""


def _numbers(node: Node) -> Iterator[Change]:
    if isinstance(node, Number) and node.text.isdigit() and len(node.text) < 10:
        start, end, value = node.place.start, node.place.end, int(node.text)
        yield from ((start, end, str(other)) for other in (value + 1, value - 1) if other >= 0)
        if value > 1:
            yield start, end, rf"\frac{{1}}{{{value}}}"


def _letters(node: Node, letters: Sequence[str]) -> Iterator[Change]:
    bare = node.base if isinstance(node, Scripted) and node.sup is not None and node.sub is None else node
    if bare is not None and _is_letter(bare):
        yield from ((bare.place.start, bare.place.end, other) for other in letters)


def _functions(node: Node, text: str) -> Iterator[Change]:
    base = without_scripts(node)
    if isinstance(base, Atom) and base.text in _FUNCTIONS:
        yield base.place.start, base.place.end, _FUNCTIONS[base.text]
    if isinstance(node, Command) and node.name == r"\sqrt" and node.arguments[0]:
        yield from ((node.place.start, node.place.end, piece) for piece in _bracketed(node.arguments[0], text))
    if _is_letter(node):
        letter = _typed(node, text)
        yield from ((node.place.start, node.place.end, new) for new in (f"(1 - {letter})", f"1 - {letter}"))


def _put_in(nodes: Nodes, text: str) -> Iterator[Change]:
    """What may have been lost: a power, a factor 2, a sign, also of all of a sum."""
    for node in nodes:
        if not _is_sign(node) and not (isinstance(node, Atom) and node.text in _PRODUCT):
            yield node.place.end, node.place.end, "^2"
            factor = r"2 \cdot " if isinstance(node, Number) else "2"
            yield node.place.start, node.place.start, factor
            yield node.place.start, node.place.end, rf"\frac{{{_typed(node, text)}}}{{2}}"
            yield node.place.start, node.place.end, rf"(-{_typed(node, text)})"
    for part in _parts(nodes):
        bare = part[1:] if _is_sign(part[0]) else part
        if len(bare) > 1:
            yield _span(bare, rf"\frac{{{typed_text(bare, text)}}}{{2}}")
            yield from _quotients(bare, text)
    if len(nodes) > 1:
        whole = typed_text(nodes, text)
        for new in (f"2({whole})", rf"\frac{{{whole}}}{{2}}", f"-({whole})", f"({whole})^2"):
            yield _span(nodes, new)


def _together(nodes: Nodes, text: str) -> Iterator[Change]:
    """Some neighbours in brackets, or below a root that may have been lost."""
    for first, last in combinations(range(len(nodes) + 1), 2):
        if last - first > _LONGEST or _is_sign(nodes[last - 1]):
            continue
        inside = nodes[first:last]
        start, end, piece = *_span(inside, "")[:2], typed_text(inside, text)
        if last - first <= _TOGETHER:
            yield start, end, rf"\sqrt{{{piece}}}"
        if any(map(_is_sign, inside[1:])):
            yield start, end, f"({piece})"
            tail = inside[-1]
            if isinstance(tail, Scripted) and tail.base is not None and tail.sub is None:
                # The power is that of the whole.
                yield start, tail.base.place.end, f"({text[start : tail.base.place.end]})"


def _added(nodes: Nodes, terms: Iterable[str]) -> Iterator[Change]:
    """A term behind a sum, or behind something alone."""
    end = place_of(nodes).end if nodes else 0
    if nodes and not any(isinstance(node, Atom) and node.text == "," for node in nodes):
        yield from ((end, end, f" {sign} {term}") for term in terms for sign in ("+", "-"))


def _quotients(factors: Nodes, text: str) -> Iterator[Change]:
    """A product written as the quotient that it may have been."""
    for cut in range(1, min(len(factors), _TOGETHER)):
        below = factors[cut:]
        if len(below) == 1 and isinstance(below[0], Group) and below[0].open == "(" and below[0].items:
            below = below[0].items
        yield _span(factors, rf"\frac{{{typed_text(factors[:cut], text)}}}{{{typed_text(below, text)}}}")
