"""Primaries that need no declaration: numbers, fractions, roots, brackets, powers of e, labelled braces."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.expression import Number as Constant
from grpo_symbolic.language.vocabulary import MAX_NUMBER, absolute, exp, sqrt
from grpo_symbolic.reading.meaning.conditions import OPERATORS
from grpo_symbolic.reading.meaning.integrals import value_at, value_between
from grpo_symbolic.reading.meaning.phrase import Phrase, refuse_label
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.unknown import unknown
from grpo_symbolic.reading.notation.elementary import binomial
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find
from grpo_symbolic.reading.tex.tree import Atom, Command, Group, Hole, Name, Node, Nodes, Number, Scripted, Words

_BRACKETS = ("(", "[", r"\{")
_PAIRS = {("(", ")"), ("[", "]"), (r"\{", r"\}")}


def plain(phrase: Phrase, node: Node, scripted: Scripted | None) -> Expression:
    """Read a node that no notation and no special form claims; its scripts are read by the caller."""
    match node:
        case Number(text):
            if len(text) > MAX_NUMBER:
                start = f"{text[:20]}..."
                raise NotUnderstood(node.place, "limit", f"a number of more than {MAX_NUMBER} digits", token=start)
            phrase.serve("number", node)
            return Constant(Fraction(text))
        case Command(r"\frac", (top, bottom)):
            return phrase.inner(top, node.place) / phrase.inner(bottom, node.place)
        case Command(r"\binom", (top, bottom)):
            return binomial(phrase.inner(top, node.place), phrase.inner(bottom, node.place))
        case Command(r"\sqrt", (radicand,), option=None):
            return sqrt(phrase.inner(radicand, node.place))
        case Command(r"\sqrt", (radicand,), option=order) if order is not None:
            degree = phrase.inner(order, node.place)
            return phrase.power(phrase.inner(radicand, node.place), Constant(Fraction(1)) / degree, node.place)
        case Command(r"\underbrace" | r"\overbrace", (body,)):
            return phrase.inner(body, node.place)
        case Group(opening, closing, items) if opening in _BRACKETS and (opening, closing) in _PAIRS:
            return _bracket(phrase, items, node)
        case Group("|", "|", items):
            return absolute(phrase.inner(items, node.place))
        case Group("{", "}", items):
            return _braced(phrase, items, node, scripted)
        case Atom("e") | Name("e", "upright") if scripted is not None and scripted.sup is not None:
            phrase.serve("exponential function", node)
            return _exponential(phrase, node, scripted.sup)
        case Hole(name):
            return _hole(phrase, name, node.place)
    raise unknown(node, phrase.here(), phrase.context)


def _exponential(phrase: Phrase, node: Atom | Name, exponent: Nodes) -> Expression:
    usage = phrase.context.usage
    counted = len(exponent) == 1 and isinstance(exponent[0], Number)
    if isinstance(node, Atom) and (usage.letter_e or (usage.side_e and counted)):
        raise phrase.refuse(
            "ambiguous",
            "a power of e, which stands elsewhere in the paper as a letter",
            readings=("Euler's number", "that letter"),
            hint="declare e as a symbol, or under [[notation]] with tex = 'e' and is = \"e\"",
        )
    if not _is_sum(exponent):
        refuse_label(exponent, node.place)
    return exp(phrase.inner(exponent, node.place))


def _is_sum(exponent: Nodes) -> bool:
    """Whether a bracket holds a sum other than ``(t + 1)``, which is a label more often than an exponent of e."""
    items = exponent[0].items if len(exponent) == 1 and isinstance(exponent[0], Group) else ()
    return find(items, "+", "-") is not None and not (len(items) == 3 and isinstance(items[2], Number))


def _bracket(phrase: Phrase, items: Nodes, node: Group) -> Expression:
    if any(isinstance(item, Atom) and item.text in (",", ";") for item in items):
        raise phrase.refuse("undeclared", "a list in brackets after something that is not declared as a function")
    if phrase.context.objects is not None and node.open != "(" and len(items) == 1 and not isinstance(items[0], Group):
        readings = ("brackets that say nothing", "a whole or a fractional part", "a set or a class")
        raise phrase.refuse("ambiguous", f"{node.open} round one thing", readings=readings, whole="number")
    return phrase.inner(items, node.place)


def _braced(phrase: Phrase, items: Nodes, node: Group, scripted: Scripted | None) -> Expression:
    inner = phrase.opened(items, node.place, phrase.scope)
    value = inner.factor()
    if inner.node is not None:
        raise phrase.refuse(
            "ambiguous",
            "braces under a script print as if they were not there",
            readings=(
                "the script belongs to everything in the braces",
                "it belongs to the last symbol, as printed",
            ),
            hint="write brackets",
        )
    return value


def _hole(phrase: Phrase, name: str, place: Place) -> Expression:
    closure = phrase.scope.closures.get(name)
    if closure is None:
        raise NotUnderstood(place, "undeclared", f"#{name} is not a hole of this notation")
    # A hole that stands alone under a distribution's index is that distribution at the index.
    scope = closure.scope if phrase.scope.slot is None else closure.scope.at(phrase.scope.slot)
    return phrase.inner(closure.nodes, place, scope)


def powered(phrase: Phrase, base: Expression, node: Scripted) -> Expression:
    """The value of a node that ``plain`` read, with its superscript as a power."""
    if isinstance(node.base, Atom | Name) and node.base.text == "e":
        if node.sub is not None or node.primes:
            raise NotUnderstood(node.place, "undeclared", "e with an index or a prime is not declared")
        return base
    if isinstance(node.base, Command) and node.base.name in (r"\underbrace", r"\overbrace"):
        _brace_label(phrase, base, node.sub or node.sup or (), node.place)
        return base
    if isinstance(node.base, Command) and node.base.name == r"\frac" and node.sup is not None:
        raise phrase.refuse(
            "ambiguous",
            "a superscript on a fraction without brackets",
            place=node.place,
            readings=("a power of the fraction", "a power of its numerator"),
            hint="write brackets around the fraction",
        )
    if isinstance(node.base, Group) and node.sub is not None and not node.primes:
        value = value_at(phrase, base, node.sub, node.sup, node.place)
        if value is not None:
            return value
        if node.sup is not None and node.base.open == "[":
            return value_between(phrase, base, node.sub, node.sup, node.place)
    if node.sub is not None or node.primes:
        what = "an index" if node.sub is not None else "a prime"
        whole = "number" if isinstance(node.base, Group) else ""
        raise NotUnderstood(node.place, "undeclared", f"{what} on something that is not declared with one", whole=whole)
    if node.sup is None:
        return base
    return phrase.raised(base, node.sup, node.place)


def _brace_label(phrase: Phrase, body: Expression, label: Nodes, place: Place) -> None:
    """What stands below a brace names its content or says ``= 1`` of it; where it is known notation, it is compared."""
    operator = "="
    if label and isinstance(label[0], Atom) and label[0].text in OPERATORS:
        phrase.serve("relation", label[0])
        operator, label = OPERATORS[label[0].text], label[1:]
    objects, phrase.context.objects = phrase.context.objects, None
    try:
        name = phrase.inner(label, place)
    except NotUnderstood:
        phrase.context.note(place, "the label of the brace is no known notation")
        if operator == "=" and (len(label) == 1 or all(isinstance(node, Words | Name) for node in label)):
            phrase.serve("label of a brace", *label)
    else:
        phrase.context.comparisons.append((name, "=", body) if operator == "=" else (body, operator, name))
    finally:
        phrase.context.objects = objects
