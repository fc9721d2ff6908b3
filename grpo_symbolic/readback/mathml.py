r"""Printed = checked for MathML: a formula in it is flattened to signs again, and compared with its LaTeX sign by sign.

Both are brought into one form: visible signs in reading order, with braces around what stands in a fraction, under a
root, raised or lowered. What only places signs (blanks, lines of a display, the sizes of brackets) is left out. The two
ways share the table of signs and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from grpo_symbolic.errors import ReportError
from grpo_symbolic.translate.mathml_nodes import APPLY
from grpo_symbolic.translate.mathml_signs import (
    ACCENTS,
    ALPHABETS,
    BARS,
    CLOSING,
    FUNCTIONS,
    LARGE,
    LETTERS,
    LIMITS,
    OPENING,
    OPERATIONS,
    PUNCTUATION,
    RELATIONS,
    SPACES,
    lettered,
)

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|.", re.DOTALL)
_SIGNS = {
    **LETTERS,
    **RELATIONS,
    **OPERATIONS,
    **PUNCTUATION,
    **OPENING,
    **CLOSING,
    **BARS,
    **LARGE,
    **FUNCTIONS,
    **LIMITS,
}
_PLACING = frozenset(
    (
        *SPACES,
        r"\displaystyle",
        r"\textstyle",
        r"\nonumber",
        r"\notag",
        r"\limits",
        r"\nolimits",
        r"\middle",
        "&",
        r"\\",
    )
)
_SIZES = re.compile(r"\\[bB]igg?[lrm]?")
_OVER = {r"\underbrace": "⏟", r"\overbrace": "⏞", **ACCENTS}
_STYLES = (r"\mathrm", r"\operatorname", r"\operatorname*", r"\mathit", r"\rm", r"\mathop", r"\mathrel", r"\mathbin")
_TEXT = (r"\text", r"\textrm", r"\mbox", r"\textnormal", r"\textit", r"\textbf")
_FENCES = {"cases": ("{", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]")}
#: How many parts an element has to have.
_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_INVISIBLE = str.maketrans("", "", f"{APPLY} \u00a0\n\t")


def check_mathml(latex: str, shown: str) -> None:
    """Compare a ``math`` element with the LaTeX it was made from.

    Raises:
        ReportError: if they do not show the same signs in the same places, with both.
    """
    expected, found = signs_of_latex(latex), signs_of_mathml(shown)
    if expected != found:
        raise ReportError(f"a formula is not shown as it is printed: {latex}\n  printed: {expected}\n  shown: {found}")


def signs_of_mathml(shown: str) -> str:
    """The signs of a ``math`` element, with braces around the parts of fractions, roots and scripts."""
    return _element(ElementTree.fromstring(shown)).replace("≔", ":=")


def _element(element: ElementTree.Element) -> str:
    parts = [_element(child) for child in element]
    if len(parts) != _CHILDREN.get(element.tag, len(parts)):
        raise ReportError(f"a formula is not shown as it is printed: <{element.tag}> has {len(parts)} parts")
    match element.tag:
        case "mspace":
            return ""
        case "mfrac":
            return f"÷{{{parts[0]}}}{{{parts[1]}}}"
        case "msqrt":
            return f"√{{{''.join(parts)}}}"
        case "mroot":
            return f"√[{parts[1]}]{{{parts[0]}}}"
        case "mover" | "munder" if element.get("accent") or parts[1] in ("⏟", "⏞"):
            return f"{parts[1]}{{{parts[0]}}}"
        case "msub" | "munder":
            return f"{parts[0]}_{{{parts[1]}}}"
        case "msup" | "mover":
            return f"{parts[0]}^{{{parts[1]}}}"
        case "msubsup" | "munderover":
            return f"{parts[0]}_{{{parts[1]}}}^{{{parts[2]}}}"
        case "mi" | "mn" | "mo" | "mtext":
            return (element.text or "").translate(_INVISIBLE)
    return "".join(parts)


def signs_of_latex(latex: str) -> str:
    """The signs of LaTeX, in the same form."""
    return _Signs(latex).row(()).replace("≔", ":=")


class _Signs:
    """Reads LaTeX from left to right for its signs only."""

    def __init__(self, latex: str) -> None:
        #: Behind the last one is what ends every search.
        self._tokens: list[str] = [*_TOKEN.findall(latex), ""]
        self._at = 0

    def _peek(self) -> str:
        while (token := self._tokens[self._at]).isspace():
            self._at += 1
        return token

    def _next(self) -> str:
        token = self._peek()
        self._at += bool(token)
        return token

    def row(self, until: tuple[str, ...]) -> str:
        """The signs up to one of some tokens, which is read as well."""
        return "".join(self._pieces(until))

    def _pieces(self, until: tuple[str, ...]) -> Iterator[str]:
        while token := self._peek():
            if token in until:
                self._at += 1
                return
            yield self._scripts() if token in ("^", "_", "'") else self._sign()

    def _scripts(self) -> str:
        below, above = "", ""
        while (token := self._peek()) in ("^", "_", "'"):
            self._at += 1
            if token == "'":
                above += "′"
            elif token == "^":
                above += self._argument()
            else:
                below = self._argument()
        return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")

    def _argument(self) -> str:
        if self._peek() == "{":
            self._at += 1
            return self.row(("}",))
        return self._sign()

    def _raw(self) -> str:
        """What the next braces hold, letter by letter."""
        if self._peek() != "{":
            return self._next()
        self._at += 1
        depth, start = 1, self._at
        while depth and self._tokens[self._at]:
            depth += {"{": 1, "}": -1}.get(self._tokens[self._at], 0)
            self._at += 1
        return "".join(self._tokens[start : self._at - 1])

    def _sign(self) -> str:
        token = self._next()
        if token == "{":
            return self.row(("}",))
        if token in _PLACING:
            return ""
        if token in (r"\left", r"\right") or _SIZES.fullmatch(token):
            return "" if self._peek() == "." and self._next() else self._sign()
        if token in _SIGNS:
            return _SIGNS[token].translate(_INVISIBLE)
        return self._structure(token) if token.startswith("\\") else token

    def _structure(self, token: str) -> str:
        match token:
            case r"\frac" | r"\tfrac" | r"\dfrac":
                return f"÷{{{self._argument()}}}{{{self._argument()}}}"
            case r"\binom":
                return f"(÷{{{self._argument()}}}{{{self._argument()}}})"
            case r"\sqrt" if self._peek() == "[":
                self._at += 1
                return f"√[{self.row((']',))}]{{{self._argument()}}}"
            case r"\sqrt":
                return f"√{{{self._argument()}}}"
            case r"\overset" | r"\stackrel" | r"\underset":
                extra, base = self._argument(), self._argument()
                return f"{base}{'_' if token == chr(92) + 'underset' else '^'}{{{extra}}}"
            case r"\label" | r"\tag":
                return self._raw()[:0]
            case r"\begin":
                return self._environment()
        return self._lettered(token)

    def _lettered(self, token: str) -> str:
        if token in _OVER:
            return f"{_OVER[token]}{{{self._argument()}}}"
        if token in ALPHABETS:
            return lettered(token, self._raw())
        if token in _STYLES:
            return signs_of_latex(self._raw())
        if token in _TEXT:
            parts = re.split(r"(?<!\\)\$", self._raw())
            return "".join(
                signs_of_latex(part) if number % 2 else re.sub(r"\\([ _%&#$])|~", r"\1", part).translate(_INVISIBLE)
                for number, part in enumerate(parts)
            )
        return token

    def _environment(self) -> str:
        name = self._raw()
        if self._peek() == "[":
            self.row(("]",))
        if name == "array":
            self._raw()
        left, right = _FENCES.get(name, ("", ""))
        inside = self.row((r"\end",))
        self._raw()
        return f"{left}{inside}{right}"
