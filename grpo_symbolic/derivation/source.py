"""Where a statement comes from: papers, places in them, and what is printed there.

How much an error matters is said by these rules, and what an author says must agree with them:

* what is wrong in an abstract or a caption changes a conclusion, because readers take the message from there;
* what holds under a hypothesis that the paper does not state is a missing hypothesis;
* what a few glyphs that the copy may have lost would explain is no more than a slip or a matter of notation;
* a sentence of which one reading holds is ambiguous, wherever it stands, and no erratum while that reading is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Place
from grpo_symbolic.language.expression import Number, Scalar, Symbol, as_expression
from grpo_symbolic.language.statement import Statement, symbols_of

#: How much an error matters; the words are printed in the report.
SEVERITIES = ("changes a conclusion", "missing hypothesis", "slip in an intermediate line", "notation")
#: The severity of what holds under a hypothesis that the paper does not state.
MISSING = SEVERITIES[1]
#: Places from which readers take the message of a paper.
_MESSAGE = re.compile(r"\bAbstract\b|\bcaption\b", re.IGNORECASE)
#: What glyphs that a copy lost can amount to.
_SLIGHT = SEVERITIES[2:]
#: In the place of a severity: only this reading of a sentence fails, and the claim states one that holds.
AMBIGUOUS = "ambiguous"


@dataclass(frozen=True)
class Quote:
    """What a paper prints at one place: the LaTeX, re-typed, and our reading of it as a statement.

    ``hypotheses`` are those that the paper itself states. If the statement is refuted, ``severity``
    and ``instead`` say what the erratum says; a quote that is expected to hold leaves them ``None``.
    A sentence with several reasonable readings is no erratum if one of them holds: then the quote states the reading
    that fails, the claim it belongs to the one that holds, and ``severity`` is ``AMBIGUOUS``.
    ``isolated`` says of an erratum that somebody looked, and that the paper concludes nothing from what is printed.
    ``restricts`` are the symbols that a missing hypothesis would be about: what rests on the quote survives in all
    generality only if it speaks of one of them.
    ``setting`` is what the paper takes for granted everywhere: a quote that is said to fail has to fail under it.
    ``fails_at`` is a point at which it does, for a reader to check; the checks have to confirm it.
    """

    where: str
    latex: str
    statement: Statement
    hypotheses: tuple[Statement, ...] = ()
    severity: str | None = None
    instead: str | None = None
    compare_with_pdf: bool = False
    isolated: bool = False
    setting: tuple[Statement, ...] = ()
    fails_at: Place = ()
    restricts: tuple[Symbol, ...] = ()

    @property
    def given(self) -> tuple[Statement, ...]:
        """All under which the quote is judged: its hypotheses and the paper's setting."""
        return (*self.hypotheses, *self.setting)

    def __post_init__(self) -> None:
        known = (*SEVERITIES, AMBIGUOUS)
        if self.severity is not None and self.severity not in known:
            raise DeclarationError(f"severity {self.severity!r} of {self.where}; known: {', '.join(known)}")
        if (self.severity is None) != (self.instead is None):
            raise DeclarationError(f"quote of {self.where}: severity and instead belong together")
        if self.fails_at and self.severity is None:
            raise DeclarationError(f"quote of {self.where}: it fails at a point, so it needs a severity")
        self._follow_the_rules()
        if self.restricts and self.severity != MISSING:
            raise DeclarationError(f"quote of {self.where}: only a missing hypothesis restricts symbols")
        if self.isolated and self.severity in (None, AMBIGUOUS):
            raise DeclarationError(f"quote of {self.where}: only an erratum can be isolated")

    def _follow_the_rules(self) -> None:
        """Compare the severity with what the rules say of the place and of the copy."""
        if self.severity in (None, AMBIGUOUS):
            return
        if _MESSAGE.search(self.where) and not self.compare_with_pdf and self.severity != SEVERITIES[0]:
            raise DeclarationError(
                f"quote of {self.where}: {self.severity!r}, but what is wrong in an abstract or a caption "
                f"{SEVERITIES[0]}; say so, or {AMBIGUOUS!r} if a reading of it holds"
            )
        if self.compare_with_pdf and self.severity not in _SLIGHT:
            raise DeclarationError(
                f"quote of {self.where}: {self.severity!r}, but a few glyphs that the copy may have lost would explain "
                f"it; that is {' or '.join(map(repr, _SLIGHT))}"
            )


@dataclass(frozen=True)
class Gap:
    """A step that an argument of a paper leaves out: where, and what is missing, in a sentence without its full stop.

    No formula is wrong there. A conclusion is not drawn, a case is left out, a limit is exchanged without a reason, or
    what exists or is attained is taken for granted. The claim that carries it fills it.
    """

    where: str
    missing: str

    def __post_init__(self) -> None:
        if not self.where.strip() or not self.missing.strip() or self.missing.rstrip().endswith("."):
            raise DeclarationError(f"gap at {self.where!r}: say where it is and, without a full stop, what is missing")


@dataclass(frozen=True)
class Paper:
    """A paper and the version that was read.

    ``copy`` says from what it was read, such as ``"a scanned copy"``, if that may have lost glyphs of the published
    text. ``terms`` are words of its own subject, or beginnings of them: a sentence with one of them is taken for
    mathematics although no formula and no word of general mathematics stands in it. ``setting`` is what it takes for
    granted throughout, such as that probabilities do not exceed 1 together: each statement applies to the quotes in
    which all of its symbols occur.
    """

    id: str
    authors: str
    title: str
    version: str
    copy: str | None = None
    terms: tuple[str, ...] = ()
    setting: tuple[Statement, ...] = ()

    @property
    def edition(self) -> str:
        """The version, and from what it was read if that was not the published text itself."""
        return self.version if self.copy is None else f"{self.version}, from {self.copy}"

    def quote(
        self,
        where: str,
        latex: str,
        statement: Statement,
        *,
        given: tuple[Statement, ...] = (),
        severity: str | None = None,
        instead: str | None = None,
        compare_with_pdf: bool = False,
        isolated: bool = False,
        fails_at: Mapping[Symbol, Scalar | Sequence[Scalar]] | None = None,
        restricts: Sequence[Symbol] = (),
    ) -> Quote:
        """Quote what the paper prints, such as ``paper.quote("Eq. (14)", r"...", eq(x, ...))``.

        ``compare_with_pdf`` says that a few glyphs, which the copy may have lost, would explain the difference.
        ``fails_at`` gives values to all symbols, as many as there are elements to an indexed one.

        Raises:
            DeclarationError: for values that are not rational, for a severity that is not known or stands without its
                correction, for an isolated quote
                that is no erratum, and if the published text itself was read and is to be compared with itself.
        """
        if compare_with_pdf and self.copy is None:
            raise DeclarationError(
                f"quote of {where}: compare_with_pdf blames a copy, but {self.id} was read as published; "
                'say copy="a scanned copy" of the paper, or leave compare_with_pdf out'
            )
        known = set(symbols_of(statement, *given))
        setting = tuple(item for item in self.setting if severity is not None and known.issuperset(symbols_of(item)))
        at = tuple(_coordinates(fails_at or {}))
        named = tuple(restricts)
        return Quote(where, latex, statement, given, severity, instead, compare_with_pdf, isolated, setting, at, named)


def _coordinates(values: Mapping[Symbol, Scalar | Sequence[Scalar]]) -> Iterator[tuple[str, str]]:
    """The coordinates of a point as they are printed."""
    for symbol, value in values.items():
        if isinstance(value, Sequence):
            for number, one in enumerate(value, start=1):
                yield f"{symbol.name}[{number}]", _rational(symbol, one)
        else:
            yield symbol.name, _rational(symbol, value)


def _rational(symbol: Symbol, value: Scalar) -> str:
    number = as_expression(value)
    if not isinstance(number, Number):
        raise DeclarationError(f"{symbol} = {value} in a counterexample is not a rational number")
    return str(number.value)
