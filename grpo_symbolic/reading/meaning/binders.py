"""Sums, products, series and limits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols
from grpo_symbolic.reading.meaning.conditions import ONE, ZERO, infinite
from grpo_symbolic.reading.meaning.dependence import refuse_named, suppose_constant
from grpo_symbolic.reading.meaning.labels import whole_number
from grpo_symbolic.reading.meaning.phrase import Handler, Phrase
from grpo_symbolic.reading.meaning.ranges import read_range
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.elementary import total
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Scripted, place_of, walk, without_scripts

_BINDING = {r"\sum", r"\prod", r"\lim", r"\int", "E", "P", "Var"}


def _scripts(phrase: Phrase, name: str) -> Scripted:
    node = phrase.node
    if not isinstance(node, Scripted) or node.primes:
        raise phrase.refuse("unsupported", f"{name} without a range")
    return node


def bound_symbol(phrase: Phrase, nodes: Nodes, place: Place) -> Symbol:
    """The variable that a binder binds."""
    value = phrase.inner(nodes, place)
    if not isinstance(value, Symbol):
        raise NotUnderstood(place, "unsupported", f"{place_of(nodes).text} is not a variable")
    return value


# Sums and products.


def _sum(phrase: Phrase) -> Expression | None:
    node = _scripts(phrase, "a sum")
    series = _series(phrase, node)
    if series is not None:
        return series
    over = read_range(phrase, node, "a sum")
    phrase.past("sum")
    terms, end = [], phrase.index
    for scope in over.scopes(phrase.scope) or [over.anywhere(phrase.scope)]:
        inner = phrase.under(scope)
        terms.append(inner.term())
        end = inner.index
    phrase.index = end
    for index in over.indices:
        refuse_later(phrase, index)
    return total(terms) if over.values else ZERO


def _product(phrase: Phrase) -> Expression | None:
    node = _scripts(phrase, "a product")
    over = read_range(phrase, node, "a product")
    phrase.past("product")
    factors, end = [], phrase.index
    for scope in over.scopes(phrase.scope) or [over.anywhere(phrase.scope)]:
        inner = phrase.under(scope)
        factors.append(inner.factor())
        end = inner.index
    phrase.index = end
    if not phrase.at_end:
        raise phrase.refuse(
            "ambiguous", "a factor after a product over an index", readings=("it is inside", "it is outside")
        )
    for index in over.indices:
        refuse_later(phrase, index)
    return reduce(lambda left, right: left * right, factors) if over.values else ONE


def refuse_later(phrase: Phrase, index: Nodes) -> None:
    """Refuse the index of a sum in a later term, where it would be another, free index."""
    for part in split(phrase.rest, "+", "-"):
        if not _is_free(index, part):
            continue
        raise phrase.refuse(
            "ambiguous",
            f"{place_of(index).text} again after the term that was summed over it",
            readings=("the later term is inside the sum", "it is about a free index"),
            hint="write brackets",
        )


def refuse_rebound(phrase: Phrase, index: Nodes, start: int) -> None:
    """Refuse a sum inside a sum over the same index, in what was read from ``start`` on, or up to its own index."""
    over = phrase.nodes[start - 1]
    if isinstance(over, Scripted) and over.sup is not None and any((node,) == index for node in walk(over.sup)):
        readings = ("the index", "another number of that name")
        raise phrase.refuse("ambiguous", "a sum up to its own index", place=over.place, readings=readings)
    for node in walk(phrase.nodes[start : phrase.index]):
        bare = node.base if isinstance(node, Scripted) else None
        if not isinstance(node, Scripted) or not isinstance(bare, Atom) or bare.text not in (r"\sum", r"\prod"):
            continue
        if node.sub is not None and node.sub[: len(index)] == index:
            reason = f"{place_of(index).text} is summed over inside a sum over it"
            readings = ("the inner index", "the outer index")
            raise phrase.refuse("ambiguous", reason, place=node.place, readings=readings)


def _is_free(index: Nodes, part: Nodes) -> bool:
    """Whether an index stands in a term before something binds it there again."""
    for node in walk(part):
        if isinstance(node, Scripted) and node.sub is not None and isinstance(node.base, Atom | Name):
            binds = node.base.text in _BINDING
            if binds and node.sub[: len(index)] == index:
                return False
        if (node,) == index:
            return True
    return False


def _series(phrase: Phrase, node: Scripted) -> Expression | None:
    """A sum without end, or up to a symbol; None if the terms can be counted, or the index is declared over a set."""
    equals = find(node.sub or (), "=")
    if node.sup is None or node.sub is None or equals is None:
        return None
    index = node.sub[:equals]
    if not index:
        raise NotUnderstood(node.place, "meaningless", "an index is missing here")
    endless = infinite(node.sup)
    if not endless and not _ends_at_symbol(phrase, index, node.sup):
        return None
    symbol = bound_symbol(phrase, index, node.place)
    lower = phrase.inner(node.sub[equals + 1 :], node.place)
    upper = None if endless else phrase.inner(node.sup, node.place)
    if upper is not None and (not _is_whole(lower) or not _is_whole(upper) or symbol in free_symbols(upper)):
        raise NotUnderstood(node.place, "unsupported", "a sum whose range is not two whole numbers")
    phrase.serve("range", node.sub[equals], *(node.sup if endless else ()))
    phrase.past("sum")
    start, before = phrase.index, phrase.context.counted
    phrase.context.counted = before | {symbol}
    try:
        body = phrase.term()
    finally:
        phrase.context.counted = before
    refuse_named(phrase, body, symbol, node.place, "a series" if endless else "a sum")
    refuse_later(phrase, index)
    refuse_rebound(phrase, index, start)
    for one in () if upper is None else free_symbols(upper):
        phrase.context.note(node.place, f"{one.name} is taken to be a whole number, since a sum ends at it")
    return Binder("series" if endless else "sum", body, symbol, lower, upper)


def _ends_at_symbol(phrase: Phrase, index: Nodes, end: Nodes) -> bool:
    context = phrase.context
    if index in context.labels or whole_number(end, phrase.scope, context) is not None:
        return False
    # In a map the index of such a sum is a symbol; else it is a mistake of the map, which is told.
    return context.objects is not None or bool(context.table.matches(head_key(index[0]), index, 0))


def _is_whole(end: Expression) -> bool:
    """Whether an end is a whole number wherever its symbols are."""
    match end:
        case Number(value):
            return value.denominator == 1
        case Apply("add" | "subtract" | "multiply" | "negate", operands):
            return all(map(_is_whole, operands))
    return isinstance(end, Symbol)


# Limits.

_ARROWS = {
    r"\rightarrow": "limit",
    r"\downarrow": "limit+",
    r"\searrow": "limit+",
    r"\uparrow": "limit-",
    r"\nearrow": "limit-",
}


def _limit(phrase: Phrase) -> Expression | None:
    node = _scripts(phrase, "a limit")
    sub = node.sub or ()
    at = find(sub, *_ARROWS)
    if at is None or node.sup is not None:
        raise NotUnderstood(node.place, "unsupported", "a limit without a point")
    arrow = sub[at]
    kind = _ARROWS[arrow.text] if isinstance(arrow, Atom) else "limit"
    symbol = bound_symbol(phrase, sub[:at], node.place)
    point, kind = _point(phrase, sub[at + 1 :], kind, node.place)
    phrase.serve("limit", arrow)
    phrase.past("limit")
    body = covered(phrase, "a limit")
    suppose_constant(phrase, body, symbol, node.place, "a limit")
    return Binder(kind, body, symbol, None, point)


def _point(phrase: Phrase, nodes: Nodes, kind: str, place: Place) -> tuple[Expression | None, str]:
    if infinite(nodes):
        phrase.serve("limit", *nodes)
        return None, "limit"
    last = nodes[-1] if nodes else None
    if isinstance(last, Scripted) and last.base is not None and last.sup in ((Atom("+", place),), (Atom("-", place),)):
        side = last.sup[0]
        phrase.serve("limit", side)
        kind = f"limit{side.text}" if isinstance(side, Atom) else kind
        bare: Node = Scripted(last.base, last.sub, None, 0, last.place) if last.sub is not None else last.base
        nodes = (*nodes[:-1], bare)
    return phrase.inner(nodes, place), kind


def covered(phrase: Phrase, what: str) -> Expression:
    """Read what a limit or derivative covers: a bracket that ends the term, or all factors of the term."""
    node = phrase.node
    bare = without_scripts(node)
    if node is None or phrase.at_end:
        raise phrase.refuse("meaningless", f"{what} of nothing")
    if isinstance(bare, Group) and bare.open in ("(", "[", r"\{"):
        value = phrase.factor()
        if not phrase.at_end:
            raise phrase.refuse(
                "ambiguous", f"a factor after the bracket of {what}", readings=("it is covered too", "it is not")
            )
        return value
    return phrase.term()


#: How to read the sign of a binder.
HANDLERS: Mapping[str, Handler] = {
    r"\sum": _sum,
    r"\prod": _product,
    r"\lim": _limit,
}
