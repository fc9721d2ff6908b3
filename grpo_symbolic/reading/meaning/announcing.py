"""Definitions that the text of a paper announces: a name that nothing declares, on the left side of "let ... = ..."."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.reading.document.displays import PrintedStep, RelationSign
from grpo_symbolic.reading.document.heads import is_plain
from grpo_symbolic.reading.meaning.defining import defined_plainly, with_holes
from grpo_symbolic.reading.meaning.parser import read_side
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Closure, FreeIndex, Scope
from grpo_symbolic.reading.meaning.steps import without_constant
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.entries import Entry, Template
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Hole,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    place_of,
    walk,
)

_MARKS = (",", ";", "|", r"\|")
#: Most indices that are bound to find out whether a right side can be read.
_MAX_FREE = 8


def is_name(step: PrintedStep) -> bool:
    """Whether the left side of a step is a name, perhaps of something in brackets, which is not on its right side."""
    left, right = normal(trimmed(step.left)), normal(trimmed(step.right))
    match left:
        case (head,):
            parts: list[Nodes] = []
        case (head, Group("(" | "[", _, items)):
            parts = split(items, *_MARKS)
        case _:
            return False
    if not (is_plain((head,)) or (len(left) == 2 and _is_word(head))) or _is_mark(head):
        return False
    bare = head.base if isinstance(head, Scripted) and head.sub is None else head
    if any(node in (head, bare) for node in walk(right)) or len(set(parts)) < len(parts):
        return False
    return all(part and not isinstance(part[0], Number) and _is_argument(part) for part in parts)


def is_declared(step: PrintedStep, context: Context) -> bool:
    """Whether something gives the left side of a step a meaning already, or a part of it that it begins with."""
    left = normal(trimmed(step.left))
    index = left[:1] in context.labels or left[:1] in context.points or left[:1] in context.sizes
    return index or bool(context.table.matches(head_key(left[0]), left, 0))


def declared_left(step: PrintedStep, context: Context) -> Entry | None:
    """The entry that gives all of the left side of a step a meaning, as a symbol."""
    left = normal(trimmed(step.left))
    for entry, match in context.table.matches(head_key(left[0]), left, 0):
        if match.end == len(left) and match.power is None and entry.symbol is not None:
            return entry
    return None


def announced(step: PrintedStep, context: Context) -> list[Entry]:
    """The notation that a step defines whose left side is a name.

    Indices in the name and distributions in its bracket are holes; declared symbols in its bracket are arguments.

    Raises:
        NotUnderstood: if the right side cannot be read.
    """
    left, right = normal(trimmed(step.left)), without_constant(normal(trimmed(step.right)))[0]
    drawn = [part for part in _parts(left) if _is_drawn(part, right, context)]
    indices = [(node,) for node in dict.fromkeys(walk(left)) if _is_index((node,), context)]
    try:
        if not drawn and not indices:
            return defined_plainly(left, right, context)
        targets = [(f"drawn_{number}", part) for number, part in enumerate(drawn)]
        _read_once(with_holes(targets, left, right) if targets else None, right, context)
        return [with_holes([*targets, *((f"index_{at}", index) for at, index in enumerate(indices))], left, right)]
    except DeclarationError as error:
        raise NotUnderstood(step.place, "undeclared", str(error)) from error


def braces_in(step: PrintedStep) -> Iterator[PrintedStep]:
    """The equations that braces below parts of a step make, of a function's name and what it is: ``b(p)``.

    A letter alone may as well count the terms above it, and defines nothing.
    """
    for side in (step.left, step.right):
        for node in walk(normal(side)):
            match node:
                case Scripted(Command(r"\underbrace", (content,)), label, None, 0) if label and len(label) == 2:
                    place = place_of(label)
                    yield PrintedStep(label, RelationSign(":=", place), content, place)


def _parts(left: Nodes) -> list[Nodes]:
    last = left[-1]
    return [part for part in split(last.items, *_MARKS) if part] if isinstance(last, Group) else []


def _is_argument(part: Nodes) -> bool:
    """A symbol, or a symbol with a bracket such as ``\\pi(\\cdot | q)``."""
    match part:
        case (node,):
            return is_plain(part) or (isinstance(node, Scripted) and node.primes > 0)
        case (node, Group("(", _, _)):
            return is_plain((node,))
    return False


def _is_index(nodes: Nodes, context: Context) -> bool:
    """Whether this is an index, and neither a size nor also declared as a symbol."""
    index = nodes in context.labels and nodes not in context.sizes and nodes not in context.points
    return index and not context.table.matches(head_key(nodes[0]), nodes, 0)


def _is_drawn(part: Nodes, right: Nodes, context: Context) -> bool:
    """Whether an argument that nothing declares is a distribution wherever it stands on the right side.

    Something is drawn from it there, or it stands before the bracket of one letter, which is drawn.
    """
    if len(part) != 1 or context.table.matches(head_key(part[0]), part, 0):
        return False
    uses = 0
    for sequence in _sequences(right):
        for at, node in enumerate(sequence):
            if node != part[0]:
                continue
            before = sequence[at - 1] if at else None
            after = sequence[at + 1] if at + 1 < len(sequence) else None
            drawn = isinstance(before, Atom) and before.text == r"\sim" and not isinstance(after, Group)
            if not drawn and not (isinstance(after, Group) and len(after.items) == 1):
                return False
            uses += 1
    return uses > 0


def _sequences(nodes: Nodes) -> Iterator[Nodes]:
    yield nodes
    for node in walk(nodes):
        match node:
            case Group(items=items):
                yield items
            case Scripted(_, sub, sup):
                yield from (part for part in (sub, sup) if part)
            case _:
                yield from getattr(node, "arguments", ())


def _read_once(made: Entry | None, right: Nodes, context: Context) -> None:
    """Find out whether a right side can be read, for the first value of each index and some declared distribution.

    Raises:
        NotUnderstood: if not.
    """
    scope, body = Scope(), right
    if made is not None and isinstance(made.meaning, Template):
        some = _some_distribution(context)
        if some is None:
            raise NotUnderstood(
                place_of(right), "undeclared", "no distribution is declared of which this could be read"
            )
        body = made.meaning.body
        scope = replace(scope, closures={hole: Closure(some, Scope()) for hole in made.pattern.holes})
    before, context.used_indices = context.used_indices, set()
    account, context.account = context.account, Account()
    try:
        for _ in range(_MAX_FREE):
            try:
                read_side(body, scope, context, place_of(right))
            except FreeIndex as free:
                scope = scope.bind(free.index, free.labels[0])
            else:
                _refuse_idle(body, context)
                return
    finally:
        context.used_indices, context.account = before, account
    raise NotUnderstood(place_of(right), "limit", f"more than {_MAX_FREE} free indices in a definition")


def _refuse_idle(body: Nodes, context: Context) -> None:
    """Refuse a right side in which something but the holes plays no part."""
    for node in context.account.idle(body):
        if not isinstance(node, Hole):
            reason = f"{node.place.text} plays no part in the reading of this definition"
            raise NotUnderstood(node.place, "unread", reason)


def _some_distribution(context: Context) -> Nodes | None:
    for entry in context.table.families():
        match entry.pattern.nodes:
            case (*first, Group("(", _, items) as group) if any(isinstance(one, Hole) for one in items):
                dotted = tuple(Atom(r"\cdot", one.place) if isinstance(one, Hole) else one for one in items)
                return (*first, replace(group, items=dotted))
    return None


def _is_word(head: Node) -> bool:
    r"""Whether a head is a name in an upright font with an index, ``\mathrm{KL}_0``: others may be known functions."""
    return isinstance(head, Scripted) and isinstance(head.base, Name) and head.sub is not None and not head.primes


def _is_mark(head: Node) -> bool:
    return isinstance(head, Number) or (isinstance(head, Atom) and head.text in _MARKS)
