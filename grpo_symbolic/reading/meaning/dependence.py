"""What a derivative, an integral or a limit by one variable supposes about the other symbols it covers.

A symbol of the map is a number; that it does not change with another symbol is an assumption. It is noted where the
body shows its own dependence, ``\\frac{d}{dx} (a x^2)``, and refused where it would make the result trivial,
``\\frac{\\partial L}{\\partial x} = 0``, or where the paper says otherwise.
"""

from __future__ import annotations

from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.reading.meaning.labels import holds_index
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Command, Group, Name, Nodes, Scripted

_REMEDY = "declare it as a function, or say constant = true in its declaration"


def suppose_constant(phrase: Phrase, body: Expression, variable: Symbol, place: Place, what: str) -> None:
    """Note that the other symbols of a body do not depend on the variable, or refuse the body.

    Raises:
        NotUnderstood: if the body is about other symbols only, or the paper shows that one depends on the variable.
    """
    refuse_named(phrase, body, variable, place, what)
    found = free_symbols(body)
    by = _printed(phrase, variable)
    others = [one for one in found if one != variable and one not in phrase.context.constants]
    for one in others:
        if _shown_to_depend(phrase, one, variable):
            reason = f"{what} by {by} of something with {_printed(phrase, one)}, which the paper lets depend on it"
            raise NotUnderstood(place, "unsupported", reason, hint="declare it as a function", declared=True)
    names = ", ".join(_printed(phrase, one) for one in others)
    if others and variable not in found:
        reason = f"{what} by {by} of something in {names} only, which may depend on it"
        raise NotUnderstood(place, "ambiguous", reason, hint=_REMEDY)
    if others:
        phrase.context.note(place, f"taken not to depend on {by}: {names}")


def refuse_named(phrase: Phrase, body: Expression, variable: Symbol, place: Place, what: str) -> None:
    """Refuse a body with a symbol in whose name the variable stands, as k does in ``r_k``.

    Raises:
        NotUnderstood: if there is one.
    """
    for one in free_symbols(body):
        if one != variable and _prints(phrase, one, variable):
            reason = f"{what} by {_printed(phrase, variable)}, which stands in the name of {_printed(phrase, one)}"
            raise NotUnderstood(place, "unsupported", reason, hint="declare it as a function", declared=True)


def _shown_to_depend(phrase: Phrase, symbol: Symbol, variable: Symbol) -> bool:
    usage, table = phrase.context.usage, phrase.context.table
    return any(
        usage.depends(letter.nodes, by.nodes)
        for letter in table.patterns_of(symbol)
        for by in table.patterns_of(variable)
    )


def _prints(phrase: Phrase, symbol: Symbol, variable: Symbol) -> bool:
    """Whether the variable stands in a symbol's index or brackets, as k does in ``r_k`` and x does not in ``x_0``."""
    table, objects = phrase.context.table, phrase.context.objects
    variables = {pattern.nodes[0] for pattern in table.patterns_of(variable) if len(pattern.nodes) == 1}
    if objects is not None:
        variables.update(node for node in objects.nodes_of(variable)[:1])
        if any(holds_index(objects.nodes_of(symbol), (one,)) for one in variables):
            return True
        if any(one != symbol and _prints(phrase, one, variable) for one in objects.parts_of(symbol)):
            return True
    names = [_beside_base(pattern.nodes) for pattern in table.patterns_of(symbol)]
    return any(holds_index(name, (one,)) for name in names for one in variables)


def _beside_base(nodes: Nodes) -> Nodes:
    """What a name prints apart from the letter it begins with, which may stand under an accent or in braces."""
    match nodes[:1]:
        case (Scripted(base, sub, sup),):
            inner: Nodes = (*_beside_base(() if base is None else (base,)), *(sub or ()), *(sup or ()))
        case (Command(_, (first, *others)),):
            inner = (*_beside_base(first), *(node for other in others for node in other))
        case (Group(_, _, items),):
            inner = _beside_base(items)
        case (Name(text) as name,) if not text.isalpha():
            inner = (name,)
        case _:
            inner = ()
    return (*inner, *nodes[1:])


def _printed(phrase: Phrase, symbol: Symbol) -> str:
    patterns = phrase.context.table.patterns_of(symbol)
    return compact(patterns[0].nodes) if patterns else symbol.name
