"""Integrals, over an interval or a distribution, and evaluation bars."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Expression, Substitution, Symbol, free_symbols
from grpo_symbolic.reading.meaning.binders import bound_symbol, refuse_later
from grpo_symbolic.reading.meaning.conditions import infinite
from grpo_symbolic.reading.meaning.dependence import suppose_constant
from grpo_symbolic.reading.meaning.phrase import Handler, Phrase
from grpo_symbolic.reading.notation.elementary import total
from grpo_symbolic.reading.notation.entries import Family
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Nodes, Scripted, without_scripts


def _integral(phrase: Phrase) -> Expression | None:
    node = phrase.node
    if isinstance(node, Scripted) and node.sub is not None and node.sup is not None and not node.primes:
        return _definite(phrase, node, node.sub, node.sup)
    if isinstance(node, Atom):
        return _over_distribution(phrase)
    raise phrase.refuse("unsupported", "an integral without both ends", whole="number")


def _definite(phrase: Phrase, node: Scripted, sub: Nodes, sup: Nodes) -> Expression:
    end = _differential(phrase)
    body = phrase.nodes[phrase.index + 1 : end]
    variable = phrase.nodes[end + 1 : end + 2]
    symbol = bound_symbol(phrase, variable, node.place)
    lower = None if _minus_infinite(sub) else phrase.inner(sub, node.place)
    upper = None if infinite(sup) else phrase.inner(sup, node.place)
    inside = phrase.inner(body, node.place)
    phrase.serve("integral", *(node.base for node in (node,) if node.base is not None), phrase.nodes[end])
    phrase.serve("end", *(one for ends in (sub, sup) if infinite(ends) or _minus_infinite(ends) for one in ends))
    suppose_constant(phrase, inside, symbol, node.place, "an integral")
    phrase.index = end + 2
    return Binder("integral", inside, symbol, lower, upper)


def _minus_infinite(nodes: Nodes) -> bool:
    return bool(nodes) and nodes[0] == Atom("-", nodes[0].place) and infinite(nodes[1:])


def _differential(phrase: Phrase) -> int:
    """The position of the ``d`` that belongs to the integral sign here."""
    depth = 0
    for index in range(phrase.index, len(phrase.nodes) - 1):
        node = phrase.nodes[index]
        bare = without_scripts(node)
        if isinstance(bare, Atom) and bare.text == r"\int":
            depth += 1
        elif isinstance(bare, Atom) and bare.text == "d" and node is bare:
            depth -= 1
            if depth == 0:
                return index
    raise phrase.refuse("unsupported", "an integral without its differential at the end", whole="number")


def _over_distribution(phrase: Phrase) -> Expression:
    """Read ``\\int d\\pi(o \\mid q) f(o)``: a sum over the index of a family, weighted with it."""
    start = phrase.index + 2
    first = phrase.nodes[start] if start < len(phrase.nodes) else None
    if first is None or phrase.nodes[phrase.index + 1] != Atom("d", first.place):
        raise phrase.refuse("unsupported", "an integral without ends", whole="number")
    for entry, match in phrase.context.table.matches(head_key(first), phrase.nodes, start):
        contents = [match.holes[hole] for hole in entry.pattern.holes]
        if not isinstance(entry.meaning, Family) or len(contents) != 1 or contents[0] not in phrase.context.labels:
            continue
        index = contents[0]
        phrase.context.used.add(entry)
        phrase.context.used_indices.add(index)
        phrase.serve("integral", *phrase.nodes[phrase.index : start])
        terms, end = [], match.end
        for label in phrase.context.labels[index]:
            inner = phrase.under(phrase.scope.bind(index, label))
            inner.index = start
            weight = inner.factor()
            terms.append(weight * inner.term())
            end = inner.index
        phrase.index = end
        refuse_later(phrase, index)
        return total(terms)
    raise phrase.refuse("undeclared", "an integral by something that is no declared distribution")


# Evaluation bars.

_LEFT = re.compile(r"\\left\s*\.\s*$")


def evaluation_bar(phrase: Phrase) -> Expression | None:
    """Read ``f |_{x = a}^{b}``, where the bar ends the formula: the difference of the values, or the one value."""
    last = phrase.nodes[-1]
    if not (isinstance(last, Scripted) and isinstance(last.base, Atom) and last.base.text == "|" and last.sub):
        return None
    body = phrase.nodes[phrase.index : -1]
    if find(last.sub, "=") is None or not body or len(split(last.sub, ",")) > 1:
        return None
    first = body[0].place
    before = first.source.text[max(0, first.start - 20) : first.start]
    if find(body, "+", "-") not in (None, 0) and not _LEFT.search(before):
        raise phrase.refuse(
            "ambiguous",
            "an evaluation bar after a sum",
            readings=("of all of it", "of the last term"),
            place=last.place,
        )
    phrase.serve("evaluation", last.base)
    value = value_at(phrase, phrase.inner(body, last.place), last.sub, last.sup, last.place)
    phrase.index = len(phrase.nodes)
    return value


def value_at(phrase: Phrase, inside: Expression, sub: Nodes, sup: Nodes | None, place: Place) -> Expression | None:
    """The value at ``x = a``, as an index of a bar or bracket says; with a superscript the difference of two values.

    ``None`` if the index is no single equation.
    """
    equals = find(sub, "=")
    if equals is None or len(split(sub, ",")) > 1:
        return None
    symbol = bound_symbol(phrase, sub[:equals], place)
    phrase.serve("evaluation", sub[equals])
    lower = _value_at(phrase, inside, symbol, sub[equals + 1 :], place)
    return lower if sup is None else _value_at(phrase, inside, symbol, sup, place) - lower


def value_between(phrase: Phrase, inside: Expression, sub: Nodes, sup: Nodes, place: Place) -> Expression:
    """The difference of the values at two ends, ``[F]_a^b``, where the paper shows that this is what is meant.

    It does if it has an integral between the same ends, whose variable stands in F, or if an end is infinite and F has
    one letter only. Elsewhere the brackets may as well project on an interval, or hold a matrix.

    Raises:
        NotUnderstood: if the paper does not show it.
    """
    ends = (compact(sub), compact(sup))
    variables = {variable for *integral, variable in phrase.context.usage.integrals if tuple(integral) == ends}
    inner = free_symbols(inside)
    table = phrase.context.table
    found = {one for one in inner for by in table.patterns_of(one) if compact(by.nodes) in variables}
    if not found and (infinite(sub) or infinite(sup)) and len(inner) == 1:
        found = set(inner)
    if len(found) != 1:
        readings = ("the difference of its values at two ends", "a projection on an interval", "an index and a power")
        raise phrase.refuse("ambiguous", "brackets with an index and a superscript", readings=readings, place=place)
    symbol = found.pop()
    suppose_constant(phrase, inside, symbol, place, "a difference of values")
    upper = _value_at(phrase, inside, symbol, sup, place)
    return upper - _value_at(phrase, inside, symbol, sub, place)


def _value_at(phrase: Phrase, body: Expression, symbol: Symbol, nodes: Nodes, place: Place) -> Expression:
    if infinite(nodes):
        phrase.serve("limit", *nodes)
        return Binder("limit", body, symbol, None, None)
    return Substitution(body, symbol, phrase.inner(nodes, place))


#: How to read an integral sign.
HANDLERS: Mapping[str, Handler] = {r"\int": _integral}
