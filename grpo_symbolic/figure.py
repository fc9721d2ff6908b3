"""What a figure shows, as data: curves of expressions and regions where a statement holds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.expression import Expression, Symbol
from grpo_symbolic.statement import Statement

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
class Figure:
    """A figure of curves (``vertical`` is ``None``) or of regions over two symbols.

    ``horizontal_range`` and ``vertical_range`` are the plotted ranges; for curves the vertical range
    may be ``None``. Labels and captions are LaTeX; the caption must stand alone.
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
