"""What a figure shows, as data: curves, traces and orbits of expressions, and regions where a statement holds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.language.statement import Statement

Values = tuple[tuple[Symbol, Fraction], ...]


@dataclass(frozen=True)
class Curve:
    """``expression`` as a function of the figure's horizontal symbol, at fixed values of all others."""

    expression: Expression
    values: Values
    label: str


@dataclass(frozen=True)
class Region:
    """Where ``statement`` holds, over the figure's two symbols, at fixed values of all others."""

    statement: Statement
    values: Values
    label: str


@dataclass(frozen=True)
class Trace:
    """The points (``across``, ``upwards``) as ``parameter`` runs through a range, at fixed values of all others."""

    across: Expression
    upwards: Expression
    parameter: Symbol
    parameter_range: tuple[Fraction, Fraction]
    values: Values
    label: str


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


@dataclass(frozen=True)
class Note:
    """A few words, in LaTeX, at a point of the figure."""

    across: Fraction
    upwards: Fraction
    text: str


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
