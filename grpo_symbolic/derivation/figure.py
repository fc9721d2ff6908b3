"""What a figure shows, as data: curves, traces and orbits of expressions, and regions where a statement holds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_all, require_fields, told
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Statement

Values = tuple[tuple[Symbol, Fraction], ...]


def _require_values(values: object, where: str) -> None:
    """Refuse what is no list of symbols with exact values."""
    for pair in require_all(values, tuple, f"{where}, values"):
        match pair:
            case (Symbol(), int() | Fraction()):
                continue
        raise DeclarationError(f"{where}: a symbol and its exact value are meant, and {told(pair)} is none")


def _require_range(ends: object, where: str) -> None:
    """Refuse what is no pair of exact numbers."""
    match ends:
        case (int() | Fraction(), int() | Fraction()):
            return
    raise DeclarationError(f"{where}: two exact numbers are meant, as in (Fraction(0), Fraction(1)), not {told(ends)}")


@dataclass(frozen=True)
class Curve:
    """``expression`` as a function of the figure's horizontal symbol, at fixed values of all others."""

    expression: Expression
    values: Values
    label: str

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, label=str)
        _require_values(self.values, self.label)


@dataclass(frozen=True)
class Region:
    """Where ``statement`` holds, over the figure's two symbols, at fixed values of all others."""

    statement: Statement
    values: Values
    label: str

    def __post_init__(self) -> None:
        require_fields(self, statement=Statement, label=str)
        _require_values(self.values, self.label)


@dataclass(frozen=True)
class Trace:
    """The points (``across``, ``upwards``) as ``parameter`` runs through a range, at fixed values of all others."""

    across: Expression
    upwards: Expression
    parameter: Symbol
    parameter_range: tuple[Fraction, Fraction]
    values: Values
    label: str

    def __post_init__(self) -> None:
        require_fields(self, across=Expression, upwards=Expression, parameter=Symbol, label=str)
        _require_range(self.parameter_range, self.label)
        _require_values(self.values, self.label)


@dataclass(frozen=True)
class Orbit:
    """``start``, then what ``expression`` makes of the number before, over the steps 0, 1, 2, ... of the figure.

    ``symbol`` stands for the number before; all other symbols have fixed values.
    """

    expression: Expression
    symbol: Symbol
    start: Fraction
    values: Values
    label: str

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, start=Fraction, label=str)
        _require_values(self.values, self.label)


@dataclass(frozen=True)
class LongRun:
    """Where orbits end up as the figure's horizontal symbol varies: some numbers after many steps, as dots.

    ``start`` and ``expression`` may contain the horizontal symbol; ``symbol`` stands for the number before.
    """

    expression: Expression
    symbol: Symbol
    start: Expression
    values: Values
    label: str
    steps: int = 400
    kept: int = 24

    def __post_init__(self) -> None:
        require_fields(self, expression=Expression, symbol=Symbol, start=Expression, label=str, steps=int, kept=int)
        _require_values(self.values, self.label)


@dataclass(frozen=True)
class Note:
    """A few words, in LaTeX, at a point of the figure."""

    across: Fraction
    upwards: Fraction
    text: str

    def __post_init__(self) -> None:
        _require_range((self.across, self.upwards), f"note {self.text!r}")
        require_fields(self, text=str)


@dataclass(frozen=True)
class Figure:
    """A figure of curves, traces and orbits (``vertical`` is ``None``) or of regions over two symbols, with traces.

    ``horizontal_range`` and ``vertical_range`` are the plotted ranges; without regions the vertical range
    may be ``None``. For orbits the horizontal symbol counts steps. Labels and captions are LaTeX; the caption
    must stand alone. ``logarithmic`` is about the horizontal axis.
    """

    id: str
    caption: str
    horizontal: Symbol
    horizontal_range: tuple[Fraction, Fraction]
    horizontal_label: str
    vertical_label: str
    curves: tuple[Curve, ...] = ()
    regions: tuple[Region, ...] = ()
    vertical: Symbol | None = None
    vertical_range: tuple[Fraction, Fraction] | None = None
    logarithmic: bool = False
    vertical_logarithmic: bool = False
    traces: tuple[Trace, ...] = ()
    orbits: tuple[Orbit, ...] = ()
    long_runs: tuple[LongRun, ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        require_fields(self, id=str, caption=str, horizontal=Symbol, horizontal_label=str, vertical_label=str)
        require_fields(self, vertical=(Symbol, type(None)), logarithmic=bool, vertical_logarithmic=bool)
        kinds = {
            "curves": Curve,
            "regions": Region,
            "traces": Trace,
            "orbits": Orbit,
            "long_runs": LongRun,
            "notes": Note,
        }
        for name, kind in kinds.items():
            require_all(getattr(self, name), kind, f"figure {self.id}, {name}")
        _require_range(self.horizontal_range, f"figure {self.id}, horizontal_range")
        if self.vertical_range is not None:
            _require_range(self.vertical_range, f"figure {self.id}, vertical_range")
