"""The slips of the pen that are possible in one sequence of a formula, each as its kind and a change of the text.

A formula is taken as it is typed; nothing here knows what it says, and a change may turn out to say nothing wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TypeAlias

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Node, Nodes, Number, Scripted, place_of

SIGNS: Mapping[str, str] = {"+": "-", "-": "+"}
LARGE = words(r"\sum \prod \int \lim \max \min \sup \inf \oint")
#: What stands between factors or functions and their arguments, so that no letter beside it is a factor alone.
_NO_FACTOR = words(
    r"\sum \prod \int \lim \max \min \sup \inf \log \ln \exp \sin \cos \tanh \cdot \times \partial \nabla"
)
_BETWEEN = (",", "|", r"\|", ";", ":", "/", "=", "<", ">", r"\le", r"\ge", r"\rightarrow", r"\in", r"\sim", "!")
#: Letters that stand for the size of a sample.
_SIZES = frozenset("nNmMkKGTSLJ")
#: Letters that count something.
_COUNTS = frozenset("ijklmnstNMKTSLJG")

#: A change: its kind, and what is written from one offset to another.
Change: TypeAlias = tuple[str, int, int, str]


def is_atom(node: Node, text: str) -> bool:
    """Whether a node is this letter, sign or command."""
    return isinstance(node, Atom) and node.text == text


def is_large(node: Node) -> bool:
    """Whether a node is a sum, an integral, a limit or the like, whose scripts are its range."""
    return isinstance(node, Atom) and node.text in LARGE


def is_power(node: Scripted) -> bool:
    """Whether something is raised to a number or a letter, not marked by a star or a sign."""
    return any(isinstance(one, Number) or _is_letter(one) for one in node.sup or ()) and not (
        node.base is not None and is_large(node.base)
    )


def _is_sign(node: Node) -> bool:
    return isinstance(node, Atom) and node.text in SIGNS and node.place.text == node.text


def _is_letter(node: Node) -> bool:
    base = node.base if isinstance(node, Scripted) else node
    return isinstance(base, Atom) and base.text.removeprefix("\\").isalpha() and base.text not in _NO_FACTOR


def _is_typed(number: Number) -> bool:
    return number.text.isdigit() and len(number.text) < 6 and number.place.text == number.text


def typed_text(nodes: Nodes, text: str) -> str:
    """The text of some nodes, as it is typed."""
    place = place_of(nodes)
    return text[place.start : place.end]


def _stands(nodes: Nodes, text: str) -> bool:
    """Whether some nodes are typed where they seem to stand, and are not what a macro prints."""
    try:
        return bool(nodes) and parse_tree(typed_text(nodes, text)) == nodes
    except GrpoSymbolicError:
        return False


def signs(nodes: Nodes) -> Iterator[Change]:
    """Plus for minus, and a leading minus lost."""
    for number, node in enumerate(nodes):
        if isinstance(node, Atom) and _is_sign(node) and len(nodes) > 1:
            leading = number == 0 or (isinstance(nodes[number - 1], Atom) and _text(nodes[number - 1]) in _BETWEEN)
            yield "sign", node.place.start, node.place.end, "" if leading else SIGNS[node.text]


def _text(node: Node) -> str:
    return node.text if isinstance(node, Atom) else ""


def _parts(nodes: Nodes) -> list[Nodes]:
    """The terms of a sum, each with its sign; nothing if something else than a sum is there."""
    if any(isinstance(node, Atom) and node.text in _BETWEEN and node.text != "/" for node in nodes):
        return []
    starts = [0, *(number for number, node in enumerate(nodes) if number and _is_sign(node)), len(nodes)]
    return [nodes[first:last] for first, last in pairwise(starts) if first < last]


def terms(nodes: Nodes, text: str) -> Iterator[Change]:
    """A term of a sum lost, with its sign."""
    parts = _parts(nodes)
    if len(parts) < 2:
        return
    for part in parts[1:]:
        if _stands(part, text):
            yield "lost term", place_of(part).start, place_of(part).end, ""
    if is_atom(parts[1][0], "+") and _stands(parts[0], text):
        yield "lost term", place_of(parts[0]).start, parts[1][0].place.end, ""


def factors(nodes: Nodes, text: str) -> Iterator[Change]:
    """A number doubled or halved, a letter lost from a product, a 2 before a term."""
    for number, node in enumerate(nodes):
        following = nodes[number + 1] if number + 1 < len(nodes) else None
        if isinstance(node, Number) and _is_typed(node):
            value, (_, start, end) = int(node.text), node.place
            if value:
                yield "factor", start, end, str(2 * value)
            if value > 1 and value % 2 == 0:
                yield "factor", start, end, str(value // 2)
        elif _is_letter(node) and following is not None and _joins(following) and not isinstance(following, Group):
            before = nodes[number - 1] if number else None
            if (before is None or _joins(before) or _is_sign(before)) and _stands((node,), text):
                yield "factor", node.place.start, node.place.end, ""
    for part in _parts(nodes):
        bare = part[1:] if _is_sign(part[0]) else part
        if bare and not isinstance(bare[0], Number) and (_is_letter(bare[0]) or isinstance(bare[0], Command)):
            yield "factor", bare[0].place.start, bare[0].place.start, "2"


def _joins(node: Node) -> bool:
    """Whether a node is a factor by the look of it."""
    return _is_letter(node) or isinstance(node, Command | Group | Number)


def indices(nodes: Nodes) -> Iterator[Change]:
    """An index one off."""
    if len(nodes) == 1 and isinstance(nodes[0], Number) and _is_typed(nodes[0]):
        (_, start, end), value = nodes[0].place, int(nodes[0].text)
        yield "index", start, end, f"{{{value + 1}}}"
        if value:
            yield "index", start, end, f"{{{value - 1}}}"
    if len(nodes) == 1 and isinstance(nodes[0], Atom) and nodes[0].text in _COUNTS:
        _, start, end = nodes[0].place
        yield "index", start, end, f"{{{nodes[0].text}+1}}"
        yield "index", start, end, f"{{{nodes[0].text}-1}}"
    yield from _shifts(nodes, "index")


def _shifts(nodes: Nodes, kind: str) -> Iterator[Change]:
    """``n - 1`` and ``n + 1`` without the shift."""
    if len(nodes) == 3 and _is_letter(nodes[0]) and _is_sign(nodes[1]) and getattr(nodes[2], "text", "") == "1":
        yield kind, nodes[0].place.end, nodes[2].place.end, ""


def bounds(nodes: Nodes) -> Iterator[Change]:
    """Where sums and products begin and end, one off."""
    if len(nodes) == 3 and is_atom(nodes[1], "=") and isinstance(nodes[2], Number) and _is_typed(nodes[2]):
        (_, start, end), value = nodes[2].place, int(nodes[2].text)
        yield "index", start, end, str(value + 1)
        if value:
            yield "index", start, end, str(value - 1)
    if len(nodes) == 1 and isinstance(nodes[0], Atom) and nodes[0].text in _COUNTS:
        _, start, end = nodes[0].place
        yield "index", start, end, f"{{{nodes[0].text}-1}}"
    yield from _shifts(nodes, "index")


def powers(nodes: Nodes) -> Iterator[Change]:
    """A power one off, and a power of a letter."""
    if len(nodes) != 1:
        return
    node = nodes[0]
    _, start, end = node.place
    if isinstance(node, Number) and _is_typed(node):
        yield "exponent", start, end, f"{{{int(node.text) + 1}}}"
        if int(node.text) > 2:
            yield "exponent", start, end, f"{{{int(node.text) - 1}}}"
    elif isinstance(node, Atom) and node.text.isalpha() and len(node.text) == 1:
        yield from (("exponent", start, end, f"{{{node.text}{shift}}}") for shift in ("+1", "-1"))


def swapped(nodes: Nodes, text: str) -> Iterator[Change]:
    """A fraction upside down, two arguments or the sides of a difference the wrong way round."""
    for node in nodes:
        base = node.base if isinstance(node, Scripted) else node
        if isinstance(base, Command) and base.name == r"\frac" and all(base.arguments):
            first, second = (typed_text(part, text) for part in base.arguments)
            if all(_stands(part, text) for part in base.arguments) and "{" in text[base.place.start :][:8]:
                yield "swapped", base.place.start, base.place.end, rf"\frac{{{second}}}{{{first}}}"
        if isinstance(base, Group) and base.items:
            marks = [at for at, one in enumerate(base.items) if _text(one) in (",", "|", r"\|", ";")]
            if len(marks) == 1 and 0 < marks[0] < len(base.items) - 1:
                first_part, second_part = base.items[: marks[0]], base.items[marks[0] + 1 :]
                if first_part != second_part and _stands(first_part, text) and _stands(second_part, text):
                    (_, start, middle), (_, after, end) = place_of(first_part), place_of(second_part)
                    yield "swapped", start, end, text[after:end] + text[middle:after] + text[start:middle]
    parts = _parts(nodes)
    if len(parts) == 2 and is_atom(parts[1][0], "-") and len(parts[1]) > 1 and not _is_sign(parts[0][0]):
        left, right = parts[0], parts[1][1:]
        if _stands(left, text) and _stands(right, text):
            new = f"{typed_text(right, text)} - {typed_text(left, text)}"
            yield "swapped", place_of(left).start, place_of(right).end, new


def roots(nodes: Nodes, text: str) -> Iterator[Change]:
    """A square root lost."""
    for node in nodes:
        base = node.base if isinstance(node, Scripted) else node
        if isinstance(base, Command) and base.name == r"\sqrt" and base.arguments[0] and base.option is None:
            inside = base.arguments[0]
            if _stands(inside, text):
                piece = typed_text(inside, text)
                whole = piece if len(inside) == 1 else rf"\left({piece}\right)"
                yield "lost root", base.place.start, base.place.end, whole
        if isinstance(node, Scripted) and node.base is not None and node.sub is None:
            typed = "".join(getattr(one, "text", "?") for one in node.sup or ())
            if typed == "1/2":
                yield "lost root", node.base.place.end, node.place.end, ""


def sizes(nodes: Nodes, *, below: bool) -> Iterator[Change]:
    """The size of a sample in a denominator for one less, and the other way round."""
    if below:
        if _text(nodes[0]) in _SIZES and len(nodes) == 3 and is_atom(nodes[1], "-"):
            yield from _shifts(nodes, "variance")
        if len(nodes) == 1 and _text(nodes[0]) in _SIZES:
            yield "variance", nodes[0].place.start, nodes[0].place.end, f"{{{_text(nodes[0])}-1}}"
    for before, node in pairwise(nodes):
        if is_atom(before, "/") and _text(node) in _SIZES:
            yield "variance", node.place.start, node.place.end, f"({_text(node)}-1)"


def brackets(nodes: Nodes, text: str) -> Iterator[Change]:
    """Brackets lost around a sum, or closed one factor or power too late."""
    for number, node in enumerate(nodes):
        group = node.base if isinstance(node, Scripted) else node
        if not (isinstance(group, Group) and group.open == "(" and len(_parts(group.items)) > 1):
            continue
        if not _stands(group.items, text):
            continue
        inside = place_of(group.items)
        start = _opening(text, group.place.start)
        closing = text[inside.end : group.place.end]
        after = nodes[number + 1] if number + 1 < len(nodes) else None
        factor = (number > 0 and (_joins(nodes[number - 1]) or is_atom(nodes[number - 1], "-"))) or (
            after is not None and _joins(after)
        )
        if isinstance(node, Scripted) and node.sup and node.sub is None:
            power = text[group.place.end : node.place.end]
            yield "bracket", start, node.place.end, text[inside.start : inside.end] + power
            yield "bracket", inside.end, node.place.end, power + closing
        elif factor:
            yield "bracket", start, group.place.end, text[inside.start : inside.end]
        if after is not None and _joins(after) and not isinstance(node, Scripted) and _stands((after,), text):
            yield "bracket", inside.end, after.place.end, text[group.place.end : after.place.end] + closing


def _opening(text: str, start: int) -> int:
    r"""Where a bracket begins together with the ``\left`` or ``\big`` before it."""
    before = text[:start].rstrip()
    for size in (r"\left", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl", r"\big", r"\Big", r"\bigg", r"\Bigg"):
        if before.endswith(size):
            return len(before) - len(size)
    return start


def limits(nodes: Nodes, text: str) -> Iterator[Change]:
    """The point of a limit from the other side, or at the other end."""
    arrows = [number for number, node in enumerate(nodes) if is_atom(node, r"\rightarrow")]
    if len(arrows) != 1:
        return
    point = nodes[arrows[0] + 1 :]
    if not point:
        return
    last = point[-1]
    if isinstance(last, Scripted) and last.sup and len(last.sup) == 1 and _is_sign(last.sup[0]):
        sign = last.sup[0]
        yield "limit", sign.place.start, sign.place.end, SIGNS[_text(sign)]
    elif is_atom(point[0], "-") and len(point) == 2 and is_atom(point[1], r"\infty"):
        yield "limit", point[0].place.start, point[0].place.end, ""
    elif len(point) == 1 and is_atom(point[0], r"\infty"):
        yield "limit", point[0].place.start, point[0].place.start, "-"
        yield "limit", point[0].place.start, point[0].place.end, "0"
    elif len(point) == 1 and isinstance(point[0], Number) and point[0].text == "0":
        yield "limit", point[0].place.start, point[0].place.end, r"\infty"


def ends(nodes: Nodes, text: str) -> Iterator[Change]:
    """The two ends of an integral the wrong way round."""
    for node in nodes:
        if not (isinstance(node, Scripted) and node.base is not None and is_atom(node.base, r"\int")):
            continue
        if node.sub and node.sup and _stands(node.sub, text) and _stands(node.sup, text):
            ends = rf"_{{{typed_text(node.sup, text)}}}^{{{typed_text(node.sub, text)}}}"
            yield "limit", node.base.place.end, node.place.end, ends
