"""Indicators and ``cases``: formulas that hold under conditions."""

from __future__ import annotations

from grpo_symbolic.language.calculus import times
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.reading.meaning.conditions import ONE, ZERO, add_up, indicator
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import trimmed
from grpo_symbolic.reading.tex.tree import Environment, Group, Nodes, Scripted, Words


def indicated(phrase: Phrase) -> Expression | None:
    """Read an indicator, with its condition below it or in brackets after it."""
    node = phrase.node
    if isinstance(node, Scripted):
        if node.sub is None or node.sup is not None or node.primes:
            return None
        phrase.past("indicator")
        return indicator(phrase, _unbraced(node.sub), node.place)
    event = phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None
    if not isinstance(event, Group) or event.open not in ("(", "[", r"\{"):
        return None
    phrase.past("indicator")
    phrase.index += 1
    return indicator(phrase, event.items, event.place)


def _unbraced(nodes: Nodes) -> Nodes:
    if len(nodes) == 1 and isinstance(nodes[0], Group) and nodes[0].open in (r"\{", "(", "["):
        return nodes[0].items
    return nodes


def read(phrase: Phrase) -> Expression | None:
    """Read ``cases``: every row counts where its condition holds and no earlier one does."""
    environment = phrase.node
    if not isinstance(environment, Environment):
        raise phrase.refuse("ambiguous", "a script on cases")
    phrase.index += 1
    terms: list[Expression] = []
    rest: Expression = ONE
    for row in environment.rows:
        value, condition = _row(row.items, row.cells, row.place)
        phrase.serve("condition", *(node for node in row.items if isinstance(node, Words)))
        phrase.serve("end", *(node for cell in row.cells for node in cell[len(trimmed(cell)) :]))
        here = ONE if condition is None else indicator(phrase, condition, row.place)
        # A case that cannot occur is read as well, so that it is not taken for a formula whatever stands there.
        terms.append(times(phrase.inner(value, row.place), times(rest, here)))
        rest = ZERO if here == ONE else rest if here == ZERO else times(rest, 1 - here)
    if rest != ZERO:
        phrase.context.note(environment.place, "the cases were taken to cover everything")
    return add_up(terms)


def _row(items: Nodes, cells: tuple[Nodes, ...], place: Place) -> tuple[Nodes, Nodes | None]:
    if len(cells) == 2:
        value, condition = cells
    else:
        at = next((index for index, node in enumerate(items) if isinstance(node, Words)), None)
        if at is None:
            raise NotUnderstood(place, "unsupported", "a row of cases without a condition")
        value, condition = items[:at], items[at:]
    words = [node for node in condition if isinstance(node, Words)]
    if any(word.text.strip(" ,.") in ("otherwise", "else") for word in words):
        return trimmed(value), None
    formula = trimmed(tuple(node for node in condition if not isinstance(node, Words)))
    if not formula or any(word.text.strip(" ,") not in ("if", "for", "when", "and") for word in words):
        raise NotUnderstood(place, "words", "a condition in words")
    return trimmed(value), formula
