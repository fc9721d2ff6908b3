"""Draw figures of curves and regions as vector PDFs that can be read in black and white."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic.calculus import unfold
from grpo_symbolic.errors import GrpoSymbolicError, ReportError, UndefinedError, UnsupportedError
from grpo_symbolic.expression import Apply, Expression, Number, Symbol
from grpo_symbolic.figure import Curve, Figure, Region, Values
from grpo_symbolic.obligations import unfold_statement
from grpo_symbolic.statement import All, Equivalent, Implies, Relation, Statement
from grpo_symbolic.statement import Any as Either

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVE_POINTS = 401
GRID_POINTS = 161
_LINES = ("-", "--", ":", "-.", (0, (8, 2, 1, 2, 1, 2)), (0, (1, 3)))
_GREYS = ("0.0", "0.25", "0.4", "0.0", "0.25", "0.4")
_HATCHES = ("///", "...", "\\\\\\", "xxx", "---", "+++")
_SIZE = (3.9, 2.7)  # inches: a little more than half of a text width
_LOOK = {
    "font.family": ["cmr10", "DejaVu Serif"],  # the second has the accented letters that the first lacks
    "mathtext.fontset": "cm",
    "axes.formatter.use_mathtext": True,
    "axes.unicode_minus": False,
    "font.size": 9,
    "hatch.linewidth": 0.4,
}
_EQUAL = 1e-9  # relative tolerance of an equation on a grid of floats

_OPERATORS: Mapping[str, Callable[..., float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "cosh": math.cosh,
    "sinh": math.sinh,
    "tanh": math.tanh,
    "absolute": abs,
    "maximum": max,
    "minimum": min,
}
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": lambda left, right: math.isclose(left, right, rel_tol=_EQUAL),
    "!=": lambda left, right: not math.isclose(left, right, rel_tol=_EQUAL),
}


def value(expression: Expression, at: Mapping[Symbol, float]) -> float:
    """Evaluate an expression with plain floats, which is enough to draw it.

    Raises:
        UndefinedError: where the expression has no finite value.
        UnsupportedError: for sums over outputs and for symbols without a value.
    """
    match expression:
        case Number(exact):
            return float(exact)
        case Symbol():
            if expression not in at:
                raise UnsupportedError(f"{expression} has no value in this figure")
            return at[expression]
        case Apply("power", (base, Number(exponent))):
            return _finite(lambda: _power(value(base, at), exponent), expression)
        case Apply(name, operands):
            inside = [value(operand, at) for operand in operands]
            return _finite(lambda: _OPERATORS[name](*inside), expression)
    raise UnsupportedError(f"{type(expression).__name__} cannot be drawn")


def _power(base: float, exponent: Fraction) -> float:
    return float(base**exponent.numerator) if exponent.denominator == 1 else math.sqrt(base) ** exponent.numerator


def _finite(compute: Callable[[], float], expression: Expression) -> float:
    try:
        result = compute()
    except (ArithmeticError, ValueError) as error:
        raise UndefinedError(f"{expression} is undefined: {error}") from error
    if not math.isfinite(result):
        raise UndefinedError(f"{expression} is not finite")
    return result


def holds(statement: Statement, at: Mapping[Symbol, float]) -> bool:
    """Evaluate an elementary statement with plain floats; equations hold up to rounding.

    Raises:
        UndefinedError: where an expression in it has no finite value.
        UnsupportedError: for composite statements.
    """
    match statement:
        case Relation(left, comparison, right):
            return _COMPARISONS[comparison](value(left, at), value(right, at))
        case All(parts):
            return all(holds(part, at) for part in parts)
        case Either(parts):
            return any(holds(part, at) for part in parts)
        case Implies(premise, conclusion):
            return not holds(premise, at) or holds(conclusion, at)
        case Equivalent(left, right):
            return holds(left, at) == holds(right, at)
    raise UnsupportedError(f"a region needs relations; this is a {type(statement).__name__}")


def draw(figure: Figure, path: Path) -> None:
    """Draw a figure as a PDF; the same figure gives the same bytes.

    Raises:
        ReportError: if the figure names symbols without values or has nothing to show.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure as Canvas

    with rc_context(_LOOK):
        canvas = Canvas(figsize=_SIZE, layout="constrained")
        FigureCanvasPdf(canvas)
        axes = canvas.add_subplot()
        try:
            handles = _regions(figure, axes) if figure.regions else _curves(figure, axes)
        except GrpoSymbolicError as error:
            raise ReportError(f"figure {figure.id}: {error}") from error
        _frame(figure, axes)
        if len(handles) > 1:
            # Between curves or inside a hatched region a legend could not be read.
            canvas.legend(handles=handles, frameon=False, handlelength=3, loc="outside upper center", ncols=3)
        try:
            canvas.savefig(path, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
        except ValueError as error:
            raise ReportError(f"figure {figure.id}: a label is not readable as mathematics: {error}") from error


def _frame(figure: Figure, axes: Axes) -> None:
    axes.set_xlabel(figure.horizontal_label)
    axes.set_ylabel(figure.vertical_label)
    axes.set_xlim(*map(float, figure.horizontal_range))
    if figure.vertical_range is not None:
        axes.set_ylim(*map(float, figure.vertical_range))
    if figure.logarithmic:
        axes.set_xscale("log")
    axes.spines[["top", "right"]].set_visible(False)


def _curves(figure: Figure, axes: Axes) -> list[Any]:
    places = _places(figure.horizontal_range, CURVE_POINTS, figure.logarithmic)
    handles: list[Any] = []
    for number, curve in enumerate(figure.curves):
        heights = curve_heights(curve, figure.horizontal, places)
        if all(math.isnan(height) for height in heights):
            raise UndefinedError(f"curve {curve.label!r} is undefined everywhere in its range")
        style = number % len(_LINES)
        handles += axes.plot(
            places, heights, linestyle=_LINES[style], color=_GREYS[style], linewidth=1.2, label=curve.label
        )
    if not handles:
        raise ReportError("it has neither curves nor regions")
    return handles


def curve_heights(curve: Curve, horizontal: Symbol, places: Sequence[float]) -> list[float]:
    """The curve's values at these places; not a number where it is undefined, which leaves a gap."""
    expression = unfold(curve.expression)
    fixed = _fixed(curve.values)
    heights = []
    for place in places:
        try:
            heights.append(value(expression, {**fixed, horizontal: place}))
        except UndefinedError:
            heights.append(math.nan)
    return heights


def _regions(figure: Figure, axes: Axes) -> list[Any]:
    from matplotlib.patches import Patch

    if figure.vertical is None or figure.vertical_range is None:
        raise ReportError("regions need a vertical symbol and its range")
    across = _places(figure.horizontal_range, GRID_POINTS, figure.logarithmic)
    upwards = _places(figure.vertical_range, GRID_POINTS, logarithmic=False)
    handles = []
    for number, region in enumerate(figure.regions):
        hatch = _HATCHES[number % len(_HATCHES)]
        cells = region_cells(region, figure.horizontal, figure.vertical, across, upwards)
        if any(map(any, cells)):
            shade = [[1.0 if cell else 0.0 for cell in row] for row in cells]
            axes.contourf(across, upwards, shade, levels=[0.5, 1.5], colors="none", hatches=[hatch])
            axes.contour(across, upwards, shade, levels=[0.5], colors="0.0", linewidths=0.9)
        handles.append(Patch(facecolor="none", edgecolor="0.0", hatch=hatch, label=region.label))
    return handles


def region_cells(
    region: Region, horizontal: Symbol, vertical: Symbol, across: Sequence[float], upwards: Sequence[float]
) -> list[list[bool]]:
    """Where the region's statement holds, row by row from below; undefined points lie outside."""
    statement = unfold_statement(region.statement)
    fixed = _fixed(region.values)
    rows = []
    for height in upwards:
        row = []
        for place in across:
            try:
                row.append(holds(statement, {**fixed, horizontal: place, vertical: height}))
            except UndefinedError:
                row.append(False)
        rows.append(row)
    return rows


def _fixed(values: Values) -> dict[Symbol, float]:
    return {symbol: float(exact) for symbol, exact in values}


def _places(ends: tuple[Fraction, Fraction], count: int, logarithmic: bool) -> list[float]:
    low, high = map(float, ends)
    if not low < high or (logarithmic and low <= 0):
        raise ReportError(f"the range from {ends[0]} to {ends[1]} cannot be drawn")
    steps = [number / (count - 1) for number in range(count)]
    if logarithmic:
        return [low * (high / low) ** step for step in steps]
    return [low + (high - low) * step for step in steps]
