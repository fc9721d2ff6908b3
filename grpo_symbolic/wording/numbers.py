"""Decimals in prose: each is a number of the statements around it, or what something they enclose rounds to.

"Around it" are the claims of the same result and, for a caption, what its figure draws. A closed formula followed by a
sign of approximation is evaluated, and a decimal may be set: "for $\\beta = 0.04$" asserts nothing, if that is a symbol
of the claims. A decimal that ends in dots is cut off and not rounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.readback.notations import generic_element, printed_notation, spoken_of
from grpo_symbolic.readback.statements import read_formula
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.wording.values import Values, bounds_of

_DECIMAL = re.compile(r"(?<![\w.:])(\d+\.\d+)(?!\.?\w)(\s*\\ldots|\.\.\.)?")
_PLACE = r"\(?[A-Z\d]+(?:\.\d+)+\)?"
#: Places are numbered like decimals, and names of claims stand between backticks.
_NO_NUMBER = re.compile(
    rf"`[^`]*`|arXiv:\S+|"
    rf"(?:§|Sections?|Tables?|Appendix|App\.|Eqs?\.|Figures?)\s*{_PLACE}(?:(?:,|,? and|,? to)\s+{_PLACE})*"
)
_EVALUATED = re.compile(r"(?:\$|=|<|>|\\leq?\b|\\geq?\b)([^$=<>]+?)\\approx\s*\d+\.\d+")
_SET = re.compile(r"([\\A-Za-z_{}\d\s^*']+?)\s*=\s*(\d+\.\d+)")


def decimals(text: str) -> Iterator[tuple[str, bool]]:
    """The decimals of a text, without their signs, and whether they are cut off."""
    for match in _DECIMAL.finditer(_NO_NUMBER.sub("", text)):
        yield match[1], match[2] is not None


def unexplained(text: str, values: Values, symbols: Iterable[Symbol] = ()) -> tuple[str, ...]:
    """The decimals of a text that are neither set, nor given, nor rounded from what is enclosed or evaluated."""
    known = values | Values(frozenset(_evaluated(text))) | Values(frozenset(_set(text, symbols)))
    return tuple(
        dict.fromkeys(
            printed
            for printed, cut in decimals(text)
            if not known.has(Fraction(printed), len(printed.partition(".")[2]), cut=cut)
        )
    )


def _evaluated(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """Bounds of the closed formulas of which a text says that they are about a decimal."""
    for match in _EVALUATED.finditer(text):
        try:
            found = read_formula(match[1], printed_notation([]), generic_element(spoken_of()))
        except (ReadingError, GrpoSymbolicError):
            continue
        bounds = bounds_of(found) if isinstance(found, Expression) else None
        if bounds is not None:
            yield bounds


def _set(text: str, symbols: Iterable[Symbol]) -> Iterator[tuple[Fraction, Fraction]]:
    """Decimals that a text gives to symbols."""
    letters = {symbol.latex.replace(" ", "") for symbol in symbols}
    for match in _SET.finditer(text):
        if match[1].replace(" ", "") in letters:
            yield Fraction(match[2]), Fraction(match[2])
