"""Notation patterns: LaTeX with holes, ``\\pi_\\theta(#o \\mid q)``, found in a paper by structure, not by spelling."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.reading.places import BrokenLatex, Place, Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.spelling import spelled
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Hole,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    Words,
    children,
    walk,
)

#: The mark of a hole for a list, written ``#r, \\dots`` in a pattern.
_LIST = "..."


@dataclass(frozen=True)
class Match:
    """Where a pattern ends, what its holes hold, and the power and primes that the pattern left over."""

    end: int
    holes: dict[str, Nodes]
    power: Nodes | None = None
    primes: int = 0


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern; ``lists`` are its holes that take a list, ``weight`` counts its literal nodes and primes."""

    text: str
    nodes: Nodes
    holes: tuple[str, ...]
    lists: frozenset[str]
    weight: int
    place: Place | None = field(default=None, compare=False)
    _open: frozenset[int] = field(default=frozenset(), compare=False, repr=False)

    @classmethod
    def of(cls, latex: str, place: Place | None = None) -> Pattern:
        """Compile the LaTeX of a pattern.

        Raises:
            DeclarationError: if the LaTeX is broken, empty, or has a hole where nothing shows its end; or a control
                character, which is what TOML makes of ``"\\nu"`` in double quotes.
        """
        if not latex.isprintable():
            raise DeclarationError(f"the LaTeX {latex!r} has a control character; put it into single quotes")
        try:
            nodes = normal(parse_tree(latex, holes=True, name="pattern"))
        except BrokenLatex as error:
            raise DeclarationError(f"the pattern {latex!r} is broken LaTeX: {error.reason}") from error
        return cls.from_nodes(nodes, latex, place)

    @classmethod
    def from_nodes(cls, nodes: Nodes, latex: str, place: Place | None = None) -> Pattern:
        """Compile a pattern from a tree in which holes already stand; the errors are those of ``of``."""
        nodes = _with_lists(nodes)
        if not nodes:
            raise DeclarationError("a pattern is empty")
        if any(isinstance(node, Hole) for node in nodes):
            raise DeclarationError(
                f"the pattern {latex!r} has a hole that nothing encloses; put it into brackets or a script"
            )
        names = [node.name for node in walk(nodes) if isinstance(node, Hole)]
        holes = tuple(dict.fromkeys(name.removesuffix(_LIST) for name in names))
        weight = sum(node.primes if isinstance(node, Scripted) else not isinstance(node, Hole) for node in walk(nodes))
        opened = frozenset(id(node) for node in walk(nodes) if any(isinstance(inner, Hole) for inner in walk((node,))))
        lists = frozenset(name.removesuffix(_LIST) for name in names if name.endswith(_LIST))
        return cls(latex, nodes, holes, lists, weight, place, opened)

    def __reduce__(self) -> tuple[object, ...]:
        # The set of open nodes goes by identity, which another process does not share.
        return Pattern.from_nodes, (self.nodes, self.text, self.place)

    @property
    def head(self) -> str:
        """The key under which the pattern is looked up."""
        return head_key(self.nodes[0])

    def match(self, nodes: Nodes, start: int) -> Match | None:
        """Find the pattern at a position; scripts beyond those of its last node are left over as power and primes."""
        count = len(self.nodes)
        if start + count > len(nodes):
            return None
        found: dict[str, Nodes] = {}
        primes = 0
        power: Nodes | None = None
        for offset, part in enumerate(self.nodes):
            node = nodes[start + offset]
            if self._node(part, node, found):
                continue
            left = self._beneath(part, node, found) if offset in (0, count - 1) else None
            if left is not None and offset < count - 1 and left[0] is not None:
                order = 0 if left[1] else _order(left[0])
                left = (None, order) if order else None  # f^{(2)}(x) is f''(x)
            if left is None:
                return None
            power = left[0] if offset == count - 1 else power
            primes += left[1]
        return Match(start + count, found, power, primes)

    def _beneath(self, part: Node, node: Node, found: dict[str, Nodes]) -> tuple[Nodes | None, int] | None:
        """Match a node without its superscript and primes, where the pattern has none; they are returned."""
        if not isinstance(node, Scripted) or node.base is None:
            return None
        keep_sup = isinstance(part, Scripted) and part.sup is not None
        wanted = part.primes if isinstance(part, Scripted) else 0
        if node.primes < wanted or (node.sup is None and node.primes == wanted):
            return None
        sup = node.sup if keep_sup else None
        bare: Node = Scripted(node.base, node.sub, sup, wanted, node.place)
        if node.sub is None and sup is None and not wanted:
            bare = node.base
        if not self._node(part, bare, found):
            return None
        return (None if keep_sup else node.sup), node.primes - wanted

    def _node(self, part: Node, node: Node, found: dict[str, Nodes]) -> bool:
        if id(part) not in self._open:
            return part == node
        match part, node:
            case Group(), Group() if (part.open, part.close) == (node.open, node.close):
                return self._all(part.items, node.items, found)
            case Scripted(), Scripted() if part.primes == node.primes:
                bases = part.base is node.base is None or (
                    part.base is not None and node.base is not None and self._node(part.base, node.base, found)
                )
                return bases and self._script(part.sub, node.sub, found) and self._script(part.sup, node.sup, found)
            case Command(), Command() if part.name == node.name and len(part.arguments) == len(node.arguments):
                pairs = zip(part.arguments, node.arguments, strict=True)
                return self._script(part.option, node.option, found) and all(self._all(a, b, found) for a, b in pairs)
            case _:
                return False

    def _script(self, part: Nodes | None, node: Nodes | None, found: dict[str, Nodes]) -> bool:
        if part is None or node is None:
            return part is node
        return self._all(part, _apart(part, node), found)

    def _all(self, parts: Nodes, nodes: Nodes, found: dict[str, Nodes]) -> bool:
        if not parts:
            return not nodes
        first = parts[0]
        if not isinstance(first, Hole):
            return bool(nodes) and self._node(first, nodes[0], found) and self._all(parts[1:], nodes[1:], found)
        name = first.name.removesuffix(_LIST)
        sizes = range(1, len(nodes) - len(parts) + 2) if len(parts) > 1 else (len(nodes),)
        for size in sizes:
            content = nodes[:size]
            if not content or (name == first.name and _has_comma(content)):
                break
            if found.get(name, content) != content:
                continue
            before = dict(found)
            found[name] = content
            if self._all(parts[1:], nodes[size:], found):
                return True
            found.clear()
            found.update(before)
        return False


def _apart(part: Nodes, script: Nodes) -> Nodes:
    """A script such as ``ij`` or ``12`` as its letters or digits, if as many holes wait for them, ``a_{#i#j}``."""
    if len(part) < 2 or not all(isinstance(hole, Hole) for hole in part):
        return script
    match script:
        case (Name(text) | Number(text) as whole,) if text.isalnum() and len(text) == len(part):
            source, start, end = whole.place.source, whole.place.start, whole.place.end
            tight = end - start == len(text)
            places = [Place(source, at, at + 1) if tight else whole.place for at in range(start, start + len(text))]
            return tuple(
                Number(sign, place) if isinstance(whole, Number) else Atom(sign, place)
                for sign, place in zip(text, places, strict=True)
            )
    return script


def _order(superscript: Nodes) -> int:
    """The number of derivatives that a superscript such as ``(2)`` counts, or 0."""
    match superscript:
        case (Group("(", ")", (Number(text),)),) if text in ("1", "2", "3", "4"):
            return int(text)
    return 0


def head_key(node: Node) -> str:
    """The text with which an occurrence of a node begins."""
    if isinstance(node, Scripted) and node.base is not None:
        node = node.base
    match node:
        case Atom(text) | Name(text):
            return text
        case Command(name) | Environment(name):
            return name
        case Group(open=opening):
            return opening
        case _:
            return type(node).__name__


def identifier_of(latex: str) -> str:
    """A name for what some LaTeX denotes: ``\\omega_{\\varepsilon}^{+}`` is ``omega_varepsilon_plus``."""
    try:
        return spelled(parse_tree(latex, holes=True, name="name"))
    except BrokenLatex:  # a part of a pattern, such as x_
        return spelled((Words(latex, Place(Source("name", latex), 0, len(latex))),))


def hole_at(nodes: Nodes, target: Nodes, name: str) -> Nodes:
    """The sequence with a hole where ``target`` stands: ``h(p)`` with the parameter ``p`` becomes ``h(#p)``."""
    result: list[Node] = []
    index = 0
    while index < len(nodes):
        if nodes[index : index + len(target)] == target:
            result.append(Hole(name, nodes[index].place))
            index += len(target)
            continue
        result.append(_hole_inside(nodes[index], target, name))
        index += 1
    return tuple(result)


def _hole_inside(node: Node, target: Nodes, name: str) -> Node:
    if not children(node):
        return node
    match node:
        case Group(items=items):
            return replace(node, items=hole_at(items, target, name))
        case Scripted(base, sub, sup):
            new = node.base if base is None else _hole_inside(base, target, name)
            # p^2 holds the parameter p, while p_1 and p' are other names.
            if len(target) == 1 and base == target[0] and sub is None and not node.primes:
                new = Hole(name, node.place)
            below = None if sub is None else hole_at(sub, target, name)
            above = None if sup is None else hole_at(sup, target, name)
            return Scripted(new, below, above, node.primes, node.place)
        case Command(arguments=arguments):
            return replace(node, arguments=tuple(hole_at(argument, target, name) for argument in arguments))
        case _:
            return node


def _has_comma(nodes: Nodes) -> bool:
    return any(isinstance(node, Atom) and node.text in (",", ";") for node in nodes)


def _with_lists(nodes: Nodes) -> Nodes:
    """Turn ``#r, \\dots`` into one hole for a list."""
    result: list[Node] = []
    for node in nodes:
        inner = node
        if isinstance(node, Group):
            inner = replace(node, items=_with_lists(node.items))
        result.append(inner)
        if len(result) > 2 and isinstance(result[-3], Hole) and _are(result[-2:], ",", r"\dots"):
            hole = result[-3]
            result[-3:] = [Hole(hole.name + _LIST, hole.place)]
    return tuple(result)


def _are(nodes: list[Node], *texts: str) -> bool:
    return all(isinstance(node, Atom) and node.text == text for node, text in zip(nodes, texts, strict=True))
