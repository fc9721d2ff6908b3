"""Properties that a paper says in words or signs: growth, extrema, limits, proportionality, ranges."""

from __future__ import annotations

from collections.abc import Callable

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.composites import Extremum, Limit, Monotone
from grpo_symbolic.language.expression import Call, Expression, Symbol, as_expression, walk
from grpo_symbolic.language.statement import All, Implies, Relation, Statement, expressions_of
from grpo_symbolic.language.stating import tends_to
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.readback.outputs import LABELS
from grpo_symbolic.readback.reader import Reader
from grpo_symbolic.readback.wording import split_at
from grpo_symbolic.reading.meaning.conditions import infinite
from grpo_symbolic.reading.meaning.parser import read_side
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.tex.normal import find, split, trimmed
from grpo_symbolic.reading.tex.tree import Atom, Group, Nodes, Scripted, place_of

_ARROWS = (r"\rightarrow", r"\mapsto")
#: Stands for what ``+ \\text{const}`` adds.
CONSTANT = real("unnamed_constant", "(-oo, oo)", "a constant that the quote does not name")
#: Stands for the function of which only a property is said.
UNNAMED = real("unnamed_function", "(-oo, oo)", "a function that the quote does not name")


def _growing(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``x \\mapsto f is increasing in (a, b]`` and ``f falls as x > a grows``."""
    for words, rises in (("is increasing in", True), ("is decreasing in", False)):
        parts = split_at(nodes, words)
        if parts is not None:
            return _on_interval(reader, parts[0], parts[1], rises)
    for words, rises in (("falls as", False), ("decreases as", False), ("grows as", True), ("increases as", True)):
        parts = split_at(nodes, words, "grows")
        if parts is not None and not parts[2]:
            condition = reader.statement(parts[1]) if find(parts[1], "=", "<", ">", r"\le", r"\ge") else None
            symbol = _variable(reader, split(parts[1], "<", ">", r"\le", r"\ge")[0])
            body = reader.side(split(parts[0], "=")[-1], place_of(nodes))
            growth = Monotone(body, symbol, rises)
            return growth if condition is None else Implies(condition, growth)
    return None


def _on_interval(reader: Reader, function: Nodes, range_: Nodes, rises: bool) -> Statement:
    at = find(function, *_ARROWS)
    if at is None:
        body = reader.side(function, place_of(function))
        symbol = _parameter(body, function)
    else:
        symbol = _variable(reader, function[:at])
        body = reader.side(function[at + 1 :], place_of(function))
    return Implies(within(reader, symbol, range_), Monotone(body, symbol, rises))


def _valley(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``f decreases on (a, c] and increases on [c, b)``: its minimum is at c."""
    for words, minimum in ((("decreases on", "and increases on"), True), (("increases on", "and decreases on"), False)):
        parts = split_at(nodes, *words)
        if parts is None:
            continue
        body = reader.side(parts[0], place_of(nodes))
        (low, first), (second, high) = _ends(parts[1]), _ends(parts[2])
        if first != second:
            raise NotUnderstood(place_of(nodes), "unsupported", "two intervals that do not meet")
        symbol = _parameter(body, parts[0])
        first_group, last_group = trimmed(parts[1])[0], trimmed(parts[2])[0]
        if not (isinstance(first_group, Group) and isinstance(last_group, Group)):
            raise NotUnderstood(place_of(nodes), "unsupported", "something other than intervals")
        whole = Group(
            first_group.open, last_group.close, (*low, Atom(",", first_group.place), *high), first_group.place
        )
        at = reader.side(first, place_of(nodes))
        return Implies(within(reader, symbol, (whole,)), Extremum(body, symbol, at, minimum, sloped=True))
    return None


def _extreme(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``x = c achieves its minimum``, which leaves open of what, and ``f is maximised at x = c``."""
    for word, minimum in (("minimum", True), ("maximum", False)):
        parts = split_at(nodes, f"achieves its {word}")
        if parts is not None and not parts[1]:
            return _extremum(reader, UNNAMED, parts[0], minimum)
        parts = split_at(nodes, "is minimised at" if minimum else "is maximised at")
        if parts is not None:
            return _extremum(reader, reader.side(parts[0], place_of(nodes)), parts[1], minimum)
    return None


def _extremum(reader: Reader, body: Expression, place: Nodes, minimum: bool) -> Statement:
    at = reader.statement(place)
    if not isinstance(at, Relation) or at.operator != "=" or not isinstance(at.left, Symbol):
        raise NotUnderstood(place_of(place), "unsupported", "a place of an extremum that is not a variable's value")
    return Extremum(body, at.left, at.right, minimum)


def _limit(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``\\lim_{x \\downarrow a} f = \\infty`` and ``f \\to \\infty as x \\to a``."""
    parts = split(nodes, "=")
    first = nodes[0]
    if len(parts) == 2 and isinstance(first, Scripted) and first.base == Atom(r"\lim", first.place):
        if not infinite(parts[1]):
            return None
        found = reader.side(parts[0], place_of(nodes))
        if isinstance(found, Binder) and found.kind in ("limit+", "limit-") and found.upper is not None:
            return _diverging(found.body, found.symbol, found.upper, found.kind[-1])
        raise NotUnderstood(place_of(nodes), "unsupported", "an infinite limit that is not from one side")
    between = split_at(nodes, "as")
    sides = None if between is None else [split(trimmed(part), r"\rightarrow") for part in between]
    if sides is None or any(len(side) != 2 for side in sides) or not infinite(sides[0][1]):
        return None
    symbol = _variable(reader, sides[1][0])
    point = reader.side(sides[1][1], place_of(nodes))
    return _diverging(reader.side(sides[0][0], place_of(nodes)), symbol, point, _side(symbol, point, nodes))


def _diverging(body: Expression, symbol: Symbol, point: Expression, side: str) -> Limit:
    # A paper gives no rate; the one here is never compared.
    return tends_to(body, None, symbol, to=point, side=side, constant=1)


def _side(symbol: Symbol, point: Expression, nodes: Nodes) -> str:
    """From which side a variable tends to an end of its domain."""
    for end, side in ((symbol.domain.lower, "+"), (symbol.domain.upper, "-")):
        if end is not None and point == as_expression(end):
            return side
    raise NotUnderstood(
        place_of(nodes), "ambiguous", "a limit inside the domain", readings=("from above", "from below")
    )


def _proportional(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``p(o) \\propto f(o)`` for probabilities p: p is f divided by the sum of f over all o."""
    parts = split(nodes, r"\propto")
    if len(parts) != 2:
        return None
    left = reader.side(parts[0], place_of(nodes))
    scopes = [reader.scope.bind(generic, label) for generic in reader.scope.labels for label in LABELS]
    values = [read_side(trimmed(parts[1]), scope, reader.context, place_of(nodes)) for scope in scopes]
    if len(values) != len(LABELS) or values[0] == values[1]:
        raise NotUnderstood(place_of(nodes), "ambiguous", "proportional as functions of what?")
    return Relation(left * (values[0] + values[1]), "=", values[0])


def _everywhere_on(reader: Reader, nodes: Nodes) -> Statement | None:
    """Read ``f > 0 on [a, b]``, where f is a function of one variable."""
    parts = split_at(nodes, "on")
    if parts is None or not all(parts):
        return None
    inside = reader.statement(parts[0])
    arguments = {
        node.arguments[0]
        for expression in expressions_of(inside)
        for node in walk(expression)
        if isinstance(node, Call) and len(node.arguments) == 1
    }
    symbol = arguments.pop() if len(arguments) == 1 else None
    if not isinstance(symbol, Symbol):
        raise NotUnderstood(place_of(nodes), "ambiguous", "on an interval of what?")
    return Implies(within(reader, symbol, parts[1]), inside)


def within(reader: Reader, symbol: Symbol, interval: Nodes) -> All:
    """That a variable lies in an interval."""
    low, high = _ends(interval)
    group = trimmed(interval)[0]
    opening, closing = (group.open, group.close) if isinstance(group, Group) else ("", "")
    place = place_of(interval)
    return All(
        (
            Relation(reader.side(low, place), "<" if opening == "(" else "<=", symbol),
            Relation(symbol, "<" if closing == ")" else "<=", reader.side(high, place)),
        )
    )


def _ends(interval: Nodes) -> tuple[Nodes, Nodes]:
    match trimmed(interval):
        case (Group("(" | "[", ")" | "]", items),):
            ends = split(items, ",")
            if len(ends) == 2 and all(ends):
                return ends[0], ends[1]
    raise NotUnderstood(place_of(interval), "unsupported", "a range that is no interval")


def _variable(reader: Reader, nodes: Nodes) -> Symbol:
    found = reader.side(nodes, place_of(nodes))
    if not isinstance(found, Symbol):
        raise NotUnderstood(place_of(nodes), "unsupported", f"{place_of(nodes).text} is not a variable")
    return found


def _parameter(body: Expression, nodes: Nodes) -> Symbol:
    """The variable of a function that is named without it."""
    if isinstance(body, Call) and len(body.arguments) == 1 and isinstance(body.arguments[0], Symbol):
        return body.arguments[0]
    raise NotUnderstood(place_of(nodes), "ambiguous", "a function of which variable?")


#: Ways to read a statement about a property; each gives ``None`` where it is none of its kind.
PROPERTIES: tuple[Callable[[Reader, Nodes], Statement | None], ...] = (
    _growing,
    _valley,
    _extreme,
    _limit,
    _proportional,
    _everywhere_on,
)
