"""Expectations, probabilities and variances over finite sets: all are finite sums."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.language.calculus import times
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.reading.meaning import conditions
from grpo_symbolic.reading.meaning.conditions import ONE, add_up, indicator
from grpo_symbolic.reading.meaning.labels import at_number, is_dot, whole_number
from grpo_symbolic.reading.meaning.notated import at_label
from grpo_symbolic.reading.meaning.phrase import Handler, Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Closure, Scope
from grpo_symbolic.reading.notation.context import MAX_TERMS
from grpo_symbolic.reading.notation.entries import Family
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Hole,
    Name,
    Nodes,
    Scripted,
    Words,
    place_of,
    walk,
    without_scripts,
)

_INDEPENDENT = re.compile(r"i\.?\s*i\.?\s*d\.?|ind(ep)?\.?")


@dataclass(frozen=True)
class _Draw:
    """One way in which the bound indices can fall: the scope after it and its probability."""

    scope: Scope
    weight: Expression


def _expectation(phrase: Phrase) -> Expression | None:
    node = phrase.node
    if not _has_measure(phrase):
        return None
    draws, restrictions = _subscript(phrase, node)
    phrase.past("expectation")
    return _weighted(phrase, draws, restrictions, lambda value: value)


def _variance(phrase: Phrase) -> Expression | None:
    node = phrase.node
    if not _has_measure(phrase):
        return None
    draws, restrictions = _subscript(phrase, node)
    phrase.past("variance")
    start = phrase.index
    first = _weighted(phrase, draws, restrictions, lambda value: value)
    phrase.index = start
    return _weighted(phrase, draws, restrictions, lambda value: value**2) - first**2


def _has_measure(phrase: Phrase) -> bool:
    """Whether the letter has the index that says over what; without it, it would be an ordinary symbol."""
    node = phrase.node
    return isinstance(node, Scripted) and node.sub is not None and node.sup is None and not node.primes


def _probability(phrase: Phrase) -> Expression | None:
    if not _has_measure(phrase):
        return None
    node = phrase.node
    draws, restrictions = _subscript(phrase, node)
    phrase.past("probability")
    event = phrase.node
    if restrictions or not isinstance(event, Group) or event.open not in ("(", "[", r"\{"):
        raise phrase.refuse("unsupported", "a probability without an event in brackets")
    _refuse_given(event)
    terms = [times(draw.weight, indicator(phrase.under(draw.scope), event.items, event.place)) for draw in draws]
    phrase.index += 1
    return add_up(terms)


def _refuse_given(group: Group) -> None:
    bar = find(group.items, "|")
    if bar is not None:
        raise NotUnderstood(
            group.items[bar].place,
            "unsupported",
            "a conditional expectation or probability",
            hint="map the whole of it",
        )


def _weighted(
    phrase: Phrase, draws: Sequence[_Draw], restrictions: Sequence[Nodes], change: Callable[[Expression], Expression]
) -> Expression:
    """The sum of weight times value over all draws; the phrase moves behind what is averaged."""
    terms: list[Expression] = []
    end = phrase.index
    for draw in draws:
        inner = phrase.under(draw.scope)
        kept: Expression = ONE
        for condition in restrictions:
            kept = times(kept, indicator(inner, condition, place_of(condition)))
        value = times(change(_averaged(inner)), kept)
        end = inner.index
        terms.append(times(draw.weight, value))
    phrase.index = end
    result = add_up(terms)
    node = phrase.nodes[end - 1]
    if isinstance(node, Scripted) and isinstance(node.base, Group) and node.base.open == "[" and node.sup is not None:
        return phrase.raised(result, node.sup, node.place)
    return result


def _averaged(phrase: Phrase) -> Expression:
    """Read what an expectation covers: a bracket, or all factors up to the next plus or minus."""
    node = phrase.node
    bare = without_scripts(node)
    if isinstance(bare, Group) and bare.open in ("[", r"\{"):
        _refuse_given(bare)
        if isinstance(node, Scripted) and (bare.open != "[" or node.sub is not None or node.primes):
            raise phrase.refuse("ambiguous", "a script on what is averaged", readings=("inside", "outside"))
        phrase.index += 1
        return phrase.inner(bare.items, bare.place)
    if phrase.at_operator:
        raise phrase.refuse("meaningless", "an expectation of nothing")
    if isinstance(bare, Group) and bare.open == "(":
        following = phrase.index + 1
        if following < len(phrase.nodes) and not _ends_term(phrase, following):
            raise phrase.refuse(
                "ambiguous",
                "a factor after the bracket of an expectation",
                readings=("it is averaged too", "only the bracket is averaged"),
                hint="write square brackets",
            )
        _refuse_given(bare)
    return phrase.term()


def _ends_term(phrase: Phrase, index: int) -> bool:
    node = phrase.nodes[index]
    return isinstance(node, Atom) and node.text in ("+", "-")


# What is drawn from what.


def _subscript(phrase: Phrase, node: object) -> tuple[list[_Draw], list[Nodes]]:
    """The draws that an index such as ``o \\sim \\pi(\\cdot \\mid q), r(o) = 1`` describes, and its conditions."""
    sub = node.sub if isinstance(node, Scripted) else None
    if sub is None:
        raise phrase.refuse("unsupported", "an expectation without a distribution")
    draws = [_Draw(phrase.scope, ONE)]
    restrictions: list[Nodes] = []
    phrase.serve("list", *(one for one in sub if one == Atom(",", one.place)))
    for part in split(sub, ","):
        if not part:
            raise phrase.refuse("meaningless", "an empty index of an expectation")
        if find(part, *conditions.OPERATORS) is not None:
            if phrase.context.choices.restricted != "indicator":
                raise NotUnderstood(
                    place_of(part),
                    "ambiguous",
                    "a condition under an expectation",
                    readings=("a factor that is 1 where it holds", "a conditional expectation"),
                    hint='choose the first with restricted = "indicator" under [reading]',
                )
            restrictions.append(part)
        else:
            draws = [new for draw in draws for new in _draws(phrase, draw, part)]
    return draws, restrictions


def _draws(phrase: Phrase, draw: _Draw, part: Nodes) -> list[_Draw]:
    place = place_of(part)
    at = next((index for index, node in enumerate(part) if _is_sim(node)), None)
    if at is None:
        index, distribution = _default_index(phrase, part, place), part
    else:
        index, distribution = part[:at], part[at + 1 :]
        phrase.serve("drawn", *part[: at + 1])
        if part[at] != Atom(r"\sim", place):
            return _group(phrase, draw, index, distribution, place)
    if index in phrase.context.points:
        if len(distribution) != 1:
            raise NotUnderstood(place, "meaningless", f"{place_of(index).text} is drawn from what?")
        phrase.serve("drawn", *distribution)
        phrase.context.used_indices.add(index)
        return [draw]
    labels = phrase.context.labels.get(index)
    if labels is None or not distribution:
        shown = place_of(index).text if index else place.text
        raise NotUnderstood(place, "undeclared", f"{shown} is not a declared index", hint="declare it under [indices]")
    phrase.context.used_indices.add(index)
    if at is None and draw.scope.drawn is not None:
        raise NotUnderstood(
            place,
            "ambiguous",
            "two expectations without an index inside each other",
            hint="write below them what is drawn, with \\sim",
        )
    return [
        _Draw(
            _after(draw.scope.bind(index, label), label if at is None else None),
            times(draw.weight, _weight(phrase, draw.scope, distribution, label)),
        )
        for label in labels
    ]


def _group(phrase: Phrase, draw: _Draw, group: Nodes, distribution: Nodes, place: Place) -> list[_Draw]:
    """The draws of a group ``\\{o_i\\}_{i=1}^G`` of independent members."""
    match group:
        case (Scripted(Group(r"\{", _, member), (*index, Atom("="), first), (*last,)),):
            low = whole_number((first,), phrase.scope, phrase.context)
            high = whole_number(tuple(last), phrase.scope, phrase.context)
            labels = phrase.context.labels.get(member)
        case _:
            low = high = labels = None
    if low is None or high is None or labels is None:
        raise NotUnderstood(place, "unsupported", "independent draws", hint="map the whole expectation")
    phrase.context.used_indices.add(member)
    draws = [draw]
    for number in range(low, high + 1):
        if len(draws) * len(labels) > MAX_TERMS:
            raise NotUnderstood(place, "limit", f"{high - low + 1} draws of {len(labels)} elements")
        one = at_number(member, tuple(index), number)
        draws = [
            _Draw(new.scope.draw(one, label), times(new.weight, _weight(phrase, new.scope, distribution, label)))
            for new in draws
            for label in labels
        ]
    return draws


def _after(scope: Scope, drawn: str | None) -> Scope:
    """The scope after a draw; one with an index leaves what bare distributions mean as it is."""
    return scope if drawn is None else replace(scope, drawn=drawn)


def _is_sim(node: object) -> bool:
    """Whether this is the sign for "drawn from", perhaps with "independently" above it."""
    if isinstance(node, Command) and node.name == r"\stackrel":
        over, sign = node.arguments
        said = "".join(one.text for one in over if isinstance(one, Atom | Name | Words))
        return len(sign) == 1 and _is_sim(sign[0]) and _INDEPENDENT.fullmatch(said) is not None
    return isinstance(node, Atom) and node.text == r"\sim"


def _default_index(phrase: Phrase, part: Nodes, place: Place) -> Nodes:
    """The index that a bare distribution draws: the first declared one that has exactly its labels."""
    for entry, match in phrase.context.table.matches(head_key(part[0]), part, 0):
        if isinstance(entry.meaning, Family) and match.end == len(part):
            members = {key[0] for key in entry.meaning.values if len(key) == 1}
            for index, labels in phrase.context.labels.items():
                if set(labels) == members:
                    return index
    raise NotUnderstood(place, "undeclared", f"{place.text} is not a declared distribution")


def _weight(phrase: Phrase, scope: Scope, distribution: Nodes, label: str) -> Expression:
    place = place_of(distribution)
    has_dot = any(is_dot((node,)) for node in walk(distribution))
    bare = len(distribution) == 1 and isinstance(distribution[0], Hole)
    found = phrase.context.table.matches(head_key(distribution[0]), distribution, 0)
    alone = any(isinstance(entry.meaning, Family) and entry.meaning.alone for entry, _ in found)
    if bare and isinstance(distribution[0], Hole):
        closure = scope.closures.get(distribution[0].name)
        if closure is not None:
            return at_label(closure, label, phrase, place)
    if not has_dot and not alone:
        raise NotUnderstood(
            place, "undeclared", f"{place.text} is not a declared distribution", hint="give its family an entry `alone`"
        )
    return at_label(Closure(distribution, scope), label, phrase, place)


#: How to read a name in an upright, blackboard or bold font that nothing has declared.
HANDLERS: Mapping[str, Handler] = {
    "E": _expectation,
    "P": _probability,
    "Pr": _probability,
    "Var": _variance,
    "V": _variance,
}
