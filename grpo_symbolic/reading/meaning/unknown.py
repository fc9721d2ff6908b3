"""What to say about a piece of a formula that nothing explains."""

from __future__ import annotations

from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.symbols import RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Group, Name, Node, Space, Words

_ACCENTS = {r"\tilde", r"\hat", r"\bar", r"\vec", r"\dot", r"\overline"}

#: Known notation that no expression says.
UNSUPPORTED = {
    r"\pm": "two statements in one, with plus and with minus",
    r"\mp": "two statements in one, with plus and with minus",
    r"\sup": "a supremum over a set",
    r"\inf": "an infimum over a set",
    r"\arg": "an optimum over a set",
    r"\nabla": "a gradient",
    r"\infty": "infinity is not a number",
    r"\dots": "an ellipsis",
    r"\forall": "a quantifier",
    r"\exists": "a quantifier",
    "%": "a percent sign",
}


def unknown(node: Node | None, place: Place, context: Context) -> NotUnderstood:
    """The refusal of a node: its kind if that is known, else the nearest notation of the map."""
    match node:
        case Words(text):
            return NotUnderstood(place, "words", f"the words {text!r} inside a formula")
        case Space():
            return NotUnderstood(place, "words", "a wide space inside a formula", hint="two statements on one row?")
        case Group(opening, closing):
            return NotUnderstood(place, "unsupported", f"brackets {opening} {closing} have no meaning here")
        case Environment(name):
            return NotUnderstood(place, "unsupported", f"the environment {name} inside a formula", whole="object")
        case Atom(text) if text in RELATIONS:
            return NotUnderstood(place, "meaningless", f"the relation {text} inside a formula")
        case Atom(text) if text in UNSUPPORTED:
            whole = "optimum" if text in (r"\sup", r"\inf", r"\arg") else ""
            return NotUnderstood(place, "unsupported", UNSUPPORTED[text], whole=whole)
        case Name("argmax" | "argmin" | "sup" | "inf"):
            return NotUnderstood(place, "unsupported", "an optimum over a set", whole="optimum")
        case Atom("|" | r"\|"):
            return NotUnderstood(place, "ambiguous", "a vertical bar", readings=("an absolute value", "given"))
        case Command(name):
            kind = "undeclared" if name in _ACCENTS else "unsupported"
            return NotUnderstood(place, kind, f"{name} is not declared")
        case None:
            return NotUnderstood(place, "meaningless", "nothing is left to read")
    near = context.table.near(head_key(node), place.text)
    hint = f"declared is {near}" if near else "declare it in the notation map"
    # With x_1 declared, x_{12} may be that of another number, or of two.
    numbered = "_" in place.text and context.table.is_numbered(head_key(node))
    return NotUnderstood(place, "undeclared", f"{place.text} is not declared", hint=hint, declared=numbered)
