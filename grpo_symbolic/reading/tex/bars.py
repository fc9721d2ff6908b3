"""Signs of several characters, and what vertical bars mean: a pair around something, or "given"."""

from __future__ import annotations

from grpo_symbolic.reading.places import NotRead
from grpo_symbolic.reading.tex.nested import nest
from grpo_symbolic.reading.tex.symbols import OPERATORS, PUNCTUATION, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Scripted, Space, Words, without_scripts

#: What the builder writes for ``\mid``, which is never one end of an absolute value.
GIVEN = r"\mid"

_SIGNS = RELATIONS | OPERATORS | PUNCTUATION
_PAIRS = {(":", "="): ":=", (GIVEN, GIVEN): r"\|"}


def join_signs(nodes: list[Node]) -> list[Node]:
    """Join ``: =`` to ``:=``, ``\\mid \\mid`` to ``\\|`` and three dots to ``\\dots``.

    Raises:
        NotRead: for ``x != y``, which prints as a factorial.
    """
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else None
        if isinstance(node, Atom) and isinstance(last, Atom):
            together = _PAIRS.get((last.text, node.text))
            if together is not None:
                joined[-1] = Atom(together, last.place.to(node.place))
                continue
            if last.text == "!" and node.text == "=":
                _refuse_unequal(joined, node)
            if node.text == last.text == "." and len(joined) > 1 and joined[-2] == node:
                joined[-2:] = [Atom(r"\dots", joined[-2].place.to(node.place))]
                continue
        joined.append(node)
    return joined


def _refuse_unequal(before: list[Node], equals: Atom) -> None:
    """Refuse ``3 != 6``, where the spaces say that "not equal" may be meant, and the page a factorial."""
    mark = before[-1].place
    spaced = len(before) > 1 and before[-2].place.end < mark.start
    if spaced and mark.end == equals.place.start:
        raise NotRead(
            mark, r"!= is printed as a factorial and an equals sign; write \ne, or a space after the !", "ambiguous"
        )


def resolve_bars(nodes: list[Node]) -> list[Node]:
    """Put what stands between two bars into a group, where nothing else can be meant.

    ``|x| + 2|y|`` has two groups; ``(o | q)`` keeps its bar as an atom, and so does everything with
    more than one reading, such as ``a|b|c``.

    Raises:
        NotRead: bars can be paired in several ways, or one stands alone where it cannot say "given": next to a
            relation or at an end.
    """
    nodes = _pair(_join_double(nest(nodes, resolve_bars)), "|")
    nodes = _pair(nodes, r"\|")
    for index, node in enumerate(nodes):
        if isinstance(node, Atom):
            if node.text == GIVEN:
                nodes[index] = Atom("|", node.place)
            elif node.text in ("|", r"\|"):
                _refuse_stray(nodes, index, node)
    return nodes


def _bar(node: Node) -> str | None:
    """Return the bar that a node is, perhaps with scripts, or ``None``."""
    base = without_scripts(node)
    return base.text if isinstance(base, Atom) and base.text in ("|", r"\|") else None


def _is_sign(node: Node | None) -> bool:
    return node is None or isinstance(node, Space | Words) or (isinstance(node, Atom) and node.text in _SIGNS)


def _join_double(nodes: list[Node]) -> list[Node]:
    """Join two bars to the bar of a norm or divergence, unless the first closes an absolute value."""
    joined: list[Node] = []
    pending = False
    index = 0
    while index < len(nodes):
        node = nodes[index]
        following = nodes[index + 1] if index + 1 < len(nodes) else None
        plain = isinstance(node, Atom) and node.text == "|"
        if plain and following is not None and _bar(following) == "|" and not pending:
            double = Atom(r"\|", node.place.to(following.place))
            if isinstance(following, Scripted):
                joined.append(Scripted(double, following.sub, following.sup, following.primes, following.place))
            else:
                joined.append(double)
            index += 2
            continue
        if _bar(node) == "|":
            pending = not pending and _is_sign(joined[-1] if joined else None)
        joined.append(node)
        index += 1
    return joined


def _pair(nodes: list[Node], bar: str) -> list[Node]:
    result: list[Node] = []
    index = 0
    while index < len(nodes):
        node = nodes[index]
        close = _partner(nodes, index, bar) if isinstance(node, Atom) and node.text == bar else None
        if close is None:
            result.append(node)
            index += 1
            continue
        last = nodes[close]
        place = node.place.to(last.place)
        group = Group(bar, bar, tuple(resolve_bars(nodes[index + 1 : close])), place)
        if isinstance(last, Scripted):
            result.append(Scripted(group, last.sub, last.sup, last.primes, place))
        else:
            result.append(group)
        index = close + 1
    return result


def _partner(nodes: list[Node], index: int, bar: str) -> int | None:
    """Return where the bar at ``index`` closes, or ``None`` if it does not certainly open something."""
    close = next((at for at in range(index + 1, len(nodes)) if _bar(nodes[at]) == bar), None)
    if close is None or close == index + 1 or _is_sign(nodes[close - 1]):
        return None
    if _is_sign(nodes[index - 1] if index else None):
        return close
    ends = isinstance(nodes[close], Scripted) or _is_sign(nodes[close + 1] if close + 1 < len(nodes) else None)
    return close if ends else None


def _refuse_stray(nodes: list[Node], index: int, bar: Atom) -> None:
    before = nodes[index - 1] if index else None
    after = nodes[index + 1] if index + 1 < len(nodes) else None
    relation_after = isinstance(after, Atom) and after.text in RELATIONS
    relation_before = isinstance(before, Atom) and before.text in RELATIONS
    if before is None or after is None or relation_after or relation_before:
        raise NotRead(bar.place, f"this {bar.text} has no partner", "unbalanced")
