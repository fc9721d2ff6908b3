"""Where a statement comes from: papers, places in them, and what is printed there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Place
from grpo_symbolic.language.arguments import require, require_all, require_fields, require_mapping
from grpo_symbolic.language.expression import Number, Scalar, Symbol, as_expression
from grpo_symbolic.language.statement import Statement, symbols_of
from grpo_symbolic.translate.text import statement_text

#: What cannot be said of the same quote: a sentence with a reading that holds is no erratum, and what means nothing or
#: has lost glyphs lacks no hypothesis.
_CONTRADICTED = {"another_reading": ("missing", "notation", "isolated"), "missing": ("notation", "compare_with_pdf")}


@dataclass(frozen=True)
class Quote:
    """What a paper prints at one place: the LaTeX, re-typed, and our reading of it as a statement.

    ``hypotheses`` are those that the paper itself states. ``instead`` says what holds, of a quote that is expected to
    fail; how much this matters is not said but follows from facts (see ``judging.severity``), of which some have to be
    told:

    * ``another_reading``: the claim states another reasonable reading, which holds; the quote states one that fails;
    * ``missing``: hypotheses that the paper does not state, and under which the quote holds. What rests on it survives
      in all generality only if it speaks of what they are about;
    * ``notation``: why what is printed means nothing as it stands, so that only its notation is wrong;
    * ``compare_with_pdf``: a few glyphs, which the copy may have lost, would explain the difference;
    * ``isolated``: somebody looked, and the paper concludes nothing from what is printed.

    ``setting`` is what the paper takes for granted everywhere: a quote that is said to fail has to fail under it.
    ``fails_at`` is a point at which it does, for a reader to check; the checks have to confirm it.
    """

    where: str
    latex: str
    statement: Statement
    hypotheses: tuple[Statement, ...] = ()
    instead: str | None = None
    another_reading: bool = False
    missing: tuple[Statement, ...] = ()
    notation: str | None = None
    compare_with_pdf: bool = False
    isolated: bool = False
    setting: tuple[Statement, ...] = ()
    fails_at: Place = ()

    @property
    def expected_to_fail(self) -> bool:
        """Whether the derivation says what holds instead."""
        return self.instead is not None

    @property
    def given(self) -> tuple[Statement, ...]:
        """All under which the quote is judged: its hypotheses and the paper's setting."""
        return (*self.hypotheses, *self.setting)

    @cached_property
    def said(self) -> str:
        """The statement as text."""
        return statement_text(self.statement)

    @cached_property
    def supposed(self) -> tuple[str, ...]:
        """The hypotheses as text."""
        return tuple(map(statement_text, self.hypotheses))

    def takes_for_granted(self, other: Quote) -> bool:
        """Whether another quote says one of the hypotheses; what differs as text does not."""
        return other.said in self.supposed and other.statement in self.hypotheses

    def __post_init__(self) -> None:
        flags = dict.fromkeys(("another_reading", "compare_with_pdf", "isolated"), bool)
        require_fields(self, where=str, latex=str, statement=Statement, **flags)
        require_fields(self, instead=(str, type(None)), notation=(str, type(None)))
        for problem in self._problems():
            raise DeclarationError(f"quote of {self.where}: {problem}")

    def _problems(self) -> Iterator[str]:
        """What is said of an error of which the rest is not said, or what contradicts it."""
        told = {
            "another_reading": self.another_reading,
            "missing": bool(self.missing),
            "notation": self.notation is not None,
            "compare_with_pdf": self.compare_with_pdf,
            "isolated": self.isolated,
            "fails_at": bool(self.fails_at),
        }
        for name, said in told.items():
            if said and self.instead is None and name != "compare_with_pdf":
                yield f"{name} is about what fails; say with instead=... what holds"
        for name, others in _CONTRADICTED.items():
            for other in others:
                if told[name] and told[other]:
                    yield f"{name} and {other} contradict each other; say one of them"
        if self.notation is not None and not self.notation.strip():
            yield "say with notation=... why what is printed means nothing as it stands"
        named = set(symbols_of(self.statement, *self.hypotheses))
        strange = [symbol.name for symbol in symbols_of(*self.missing) if symbol not in named]
        if strange:
            yield f"missing names {', '.join(strange)}, of which neither the quote nor its hypotheses speak"


@dataclass(frozen=True)
class Gap:
    """A step that an argument of a paper leaves out: where, and what is missing, in a sentence without its full stop.

    No formula is wrong there. A conclusion is not drawn, a case is left out, a limit is exchanged without a reason, or
    what exists or is attained is taken for granted. The claim that carries it fills it.
    """

    where: str
    missing: str

    def __post_init__(self) -> None:
        require_fields(self, where=str, missing=str)
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

    def __post_init__(self) -> None:
        require_fields(self, id=str, authors=str, title=str, version=str, copy=(str, type(None)))
        require_all(self.terms, str, f"paper {self.id}, terms")
        require_all(self.setting, Statement, f"paper {self.id}, setting")

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
        instead: str | None = None,
        another_reading: bool = False,
        missing: Sequence[Statement] = (),
        notation: str | None = None,
        compare_with_pdf: bool = False,
        isolated: bool = False,
        fails_at: Mapping[Symbol, Scalar | Sequence[Scalar]] | None = None,
    ) -> Quote:
        """Quote what the paper prints, such as ``paper.quote("Eq. (14)", r"...", eq(x, ...))``.

        What may be said of one that fails is explained at ``Quote``. ``fails_at`` gives values to
        all symbols, as many as there are elements to an indexed one.

        Raises:
            DeclarationError: for values that are not rational, for what is said of an error without ``instead``, for
                facts that contradict each other, for a missing hypothesis about other symbols, and if the published
                text itself was read and is to be compared with itself.
        """
        if compare_with_pdf and self.copy is None:
            raise DeclarationError(
                f"quote of {where}: compare_with_pdf blames a copy, but {self.id} was read as published; "
                'say copy="a scanned copy" of the paper, or leave compare_with_pdf out'
            )
        hypotheses = require_all(given, Statement, f"quote of {where}, given")
        lacking = require_all(missing, Statement, f"quote of {where}, missing")
        known = set(symbols_of(require(statement, Statement, f"quote of {where}"), *hypotheses))
        fails = instead is not None
        return Quote(
            where,
            latex,
            statement,
            hypotheses,
            instead,
            another_reading,
            lacking,
            notation,
            compare_with_pdf,
            isolated,
            setting=tuple(item for item in self.setting if fails and known.issuperset(symbols_of(item))),
            fails_at=tuple(_coordinates(fails_at)) if fails_at is not None else (),
        )


def _coordinates(values: Mapping[Symbol, Scalar | Sequence[Scalar]]) -> Iterator[tuple[str, str]]:
    """The coordinates of a point as they are printed."""
    require_mapping(values, Symbol, "the point at which a quote fails")
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
