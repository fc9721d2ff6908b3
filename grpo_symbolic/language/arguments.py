"""What authors hand over, looked at before anything is made of it.

Python lets everything pass, and what is of the wrong kind would be noticed somewhere inside, by an error about an
attribute. Here it is refused where it is written, in the author's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from grpo_symbolic.errors import DeclarationError

_T = TypeVar("_T")
_K = TypeVar("_K")

#: What is said for each kind, by the name of its class, and how one comes by it.
_MEANT: Mapping[str, str] = {
    "bool": "True or False",
    "str": "a text",
    "int": "a whole number",
    "Fraction": "an exact number, such as Fraction(1, 2),",
    "Expression": "an expression",
    "Symbol": "a symbol, such as real(...) declares,",
    "Definition": "a function, such as define(...) names,",
    "Statement": "a statement, such as eq(a, b),",
    "Relation": "a relation, such as eq(a, b) or le(a, b),",
    "IndexSet": "an index set, such as IndexSet('arm', 'arms', 'i'),",
    "Law": "a law, such as binary(p),",
    "Claim": "a claim",
    "Derivation": "a derivation, such as derive(...).eq(...),",
    "Paper": "a paper, such as Paper('author_2025', 'A. Author', 'A title', 'v1'),",
    "Quote": "a quote, such as paper.quote(...),",
}


def require(value: object, kind: type[_T], where: str) -> _T:
    """A value, if it is of a kind; ``where`` says what it was given for.

    Raises:
        DeclarationError: if it is not. A bool is no number.
    """
    if isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool):
        return value
    meant = _MEANT.get(kind.__name__, f"a {kind.__name__}")
    advice = ""
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and kind.__name__ == "Expression":
        advice = f"; write rational({str(value).replace('/', ', ')})"
    raise DeclarationError(f"{where}: {meant} is meant, and {told(value)} is none{advice}")


def require_fields(node: object, **kinds: type | tuple[type, ...]) -> None:
    """Fields of a node, each of its kind; one with ``None`` among its kinds may be left out.

    Raises:
        DeclarationError: if one is of another kind.
    """
    for name, kind in kinds.items():
        value = getattr(node, name)
        if isinstance(kind, type):
            require(value, kind, f"{type(node).__name__}, {name}")
        elif value is not None:
            require(value, kind[0], f"{type(node).__name__}, {name}")


def require_all(values: object, kind: type[_T], where: str) -> tuple[_T, ...]:
    """Several values, if all are of a kind.

    Raises:
        DeclarationError: if one is of another kind, or they are no list, tuple or other collection of several.
    """
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise DeclarationError(f"{where}: a list is meant, and {told(values)} is none; write it in brackets")
    return tuple(require(value, kind, where) for value in values)


def require_mapping(values: object, kind: type[_K], where: str) -> Mapping[_K, object]:
    """Values for keys of a kind.

    Raises:
        DeclarationError: if a key is of another kind, or they are no dictionary.
    """
    if not isinstance(values, Mapping):
        raise DeclarationError(f"{where}: a dictionary is meant, such as {{x: 1}}, and {told(values)} is none")
    for key in values:
        require(key, kind, where)
    return values


def told(value: object) -> str:
    """How a value is named in a complaint: what it is, and not much of it."""
    plain = value if isinstance(value, type) or callable(value) else None
    shown = getattr(plain, "__name__", None) or repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
