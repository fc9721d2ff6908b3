"""Elementary functions and what their argument is: a bracket, or one factor if nothing follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.expression import Number as Constant
from grpo_symbolic.language.vocabulary import absolute
from grpo_symbolic.reading.meaning.labels import expanded
from grpo_symbolic.reading.meaning.phrase import Handler, Phrase, refuse_label
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.elementary import FUNCTIONS, MAP_FUNCTIONS, constant_value, largest, power, smallest
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Nodes, Scripted, place_of, without_scripts

_BRACKETS = ("(", "[", r"\{")


def _elementary(name: str) -> Handler:
    def read(phrase: Phrase) -> Expression | None:
        node = phrase.node
        exponent = None
        if isinstance(node, Scripted):
            if node.sub is not None or node.primes:
                what = "another base" if node.sub is not None else "a prime"
                raise phrase.refuse("undeclared", f"{name} with {what}", hint="declare it in the notation map")
            exponent = None if node.sup is None else _function_power(phrase, name, node.sup)
        phrase.past("function")
        value = applied(phrase, name)
        return value if exponent is None else power(value, exponent)

    return read


def _function_power(phrase: Phrase, name: str, sup: Nodes) -> Constant:
    refuse_label(sup, phrase.here())
    exponent = phrase.inner(sup, phrase.here())
    value = constant_value(exponent)
    if value is None or value <= 0:
        raise phrase.refuse(
            "ambiguous", f"a power of {name} itself", readings=("the inverse function", "a power of the value")
        )
    return Constant(value)


def applied(phrase: Phrase, name: str) -> Expression:
    """Read the argument that stands here and apply a function to it.

    Raises:
        NotUnderstood: if there is none, or if what follows may or may not belong to it.
    """
    function = MAP_FUNCTIONS[name]
    node = phrase.node
    if node is None or phrase.at_operator:
        raise phrase.refuse("meaningless", f"{name} without an argument")
    bare = without_scripts(node)
    if isinstance(bare, Group) and (bare.open in _BRACKETS or bare.open == "|"):
        return _bracketed(phrase, name, bare)
    if name in phrase.context.choices.product_argument:
        return function(phrase.term())
    start = phrase.index
    argument = phrase.factor()
    if _raised(phrase, start):
        raise NotUnderstood(
            phrase.nodes[start].place,
            "ambiguous",
            f"a power after the argument of {name} without brackets",
            readings=(f"{name} of the power", f"the power of {name}"),
            hint="write brackets",
        )
    if not phrase.at_operator and not _starts_function(phrase):
        raise _two_readings(phrase, name)
    if not phrase.at_end and phrase.at_operator:
        raise _two_readings(phrase, name)
    return function(argument)


def _bracketed(phrase: Phrase, name: str, group: Group) -> Expression:
    node = phrase.node
    if any(isinstance(item, Atom) and item.text in (",", ";") for item in group.items):
        raise phrase.refuse("meaningless", f"{name} of a list")
    argument = phrase.inner(group.items, group.place)
    if group.open == "|":
        argument = absolute(argument)
    value = MAP_FUNCTIONS[name](argument)
    phrase.index += 1
    if not isinstance(node, Scripted):
        return value
    if node.sub is not None or node.primes or node.sup is None:
        raise NotUnderstood(node.place, "undeclared", "an index or prime on a bracket")
    if phrase.context.choices.function_power != "value":
        raise NotUnderstood(
            node.place,
            "ambiguous",
            f"a power after the argument of {name}",
            readings=(f"the power of {name}(...)", f"{name} of the power"),
            hint='choose with function_power = "value" under [reading]',
        )
    return phrase.raised(value, node.sup, node.place)


def _raised(phrase: Phrase, start: int) -> bool:
    """Whether the factor from ``start`` on ended with a power, other than that of e and marks that belong to a name."""
    last = phrase.nodes[phrase.index - 1]
    if not isinstance(last, Scripted) or last.sup is None or start != phrase.index - 1:
        return isinstance(last, Scripted) and last.sup is not None and isinstance(last.base, Group)
    if isinstance(last.base, Atom | Name) and last.base.text == "e":
        return False
    found = phrase.context.table.matches(head_key(last), phrase.nodes, start)
    return not found or found[0][1].power is not None


def _starts_function(phrase: Phrase) -> bool:
    node = phrase.node
    bare = without_scripts(node)
    return isinstance(bare, Atom | Name) and bare.text.lstrip("\\") in FUNCTIONS and len(bare.text) > 1


def _two_readings(phrase: Phrase, name: str) -> NotUnderstood:
    return phrase.refuse(
        "ambiguous",
        f"a factor after {name} without brackets",
        readings=(f"{name} of the product", f"{name} of the first factor only"),
        hint=f'write brackets, or choose with product_argument = ["{name}"] under [reading]',
        whole="number",
    )


def _extreme(name: str, choose: Callable[[list[Expression]], Expression]) -> Handler:
    def read(phrase: Phrase) -> Expression | None:
        if isinstance(phrase.node, Scripted):
            raise phrase.refuse("unsupported", f"a {name} over a set or an objective", whole="optimum")
        node = phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None
        group = without_scripts(node)
        if not isinstance(group, Group) or group.open not in _BRACKETS:
            raise phrase.refuse("unsupported", f"{name} without a list in brackets")
        parts = expanded(group.items, phrase.scope, phrase.context)
        if len(parts) < 2:
            raise phrase.refuse("unsupported", f"the {name} of a single thing or of a set")
        value = choose([phrase.inner(part, place_of(part) if part else group.place) for part in parts])
        phrase.past("function")
        phrase.index += 1
        if not isinstance(node, Scripted):
            return value
        if node.sub is not None or node.primes or node.sup is None:
            raise NotUnderstood(node.place, "undeclared", "an index or prime on a list")
        return phrase.raised(value, node.sup, node.place)

    return read


#: How to read a function that needs no declaration, by its name.
HANDLERS: Mapping[str, Handler] = {
    **{name: _elementary(name) for name in FUNCTIONS if name != "sqrt"},
    "max": _extreme("maximum", largest),
    "min": _extreme("minimum", smallest),
}
