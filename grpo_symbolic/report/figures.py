"""Draw figures of curves, traces, orbits and regions as vector PDFs that can be read in black and white."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic.derivation.figure import Curve, Figure, LongRun, Orbit, Region, Trace, Values
from grpo_symbolic.errors import GrpoSymbolicError, ReportError, UndefinedError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Expression, Symbol
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.report.floats import Columns, value, values, where

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.ticker import Formatter
    from matplotlib.typing import RcKeyType

CURVE_POINTS = 401
GRID_POINTS = 161
LONG_RUNS = 201
_LINES = ("-", "--", ":", "-.", (0, (8, 2, 1, 2, 1, 2)), (0, (1, 3)))
_GREYS = ("0.0", "0.25", "0.4", "0.0", "0.25", "0.4")
_MARKS = ("o", "s", "^", "x", "D", "v")
_HATCHES = ("///", "||||", "\\\\\\", "xxx", "---", "+++")
_LEGEND_COLUMNS = (3, 2, 1)
_SIZE = (3.9, 2.7)  # inches: a little more than half of a text width
_LOOK: dict[RcKeyType, Any] = {
    "font.family": ["cmr10", "DejaVu Serif"],  # the second has the accented letters that the first lacks
    "mathtext.fontset": "cm",
    "axes.formatter.use_mathtext": True,
    "axes.unicode_minus": False,
    "font.size": 9,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "figures",  # without it names inside the file are random
}
#: What a formatter makes of a number that needs no mathematics.
_DIGITS = re.compile(r"\$\\mathdefault\{([\d.]+)\}\$")
#: Marks in a group, all with the style of the first one.
_MARKS_OF_ONE_STYLE = re.compile(
    r'<g(?: clip-path="[^"]*")?>\s*<use [^>]*?(?P<style> style="[^"]*")/>\s*(?:<use [^>]*?(?P=style)/>\s*)+</g>'
)
#: What nobody sees and nothing refers to: the kind of document, what it is about, comments, and names of groups.
_UNSEEN = re.compile(r'<!DOCTYPE.*?>\s*|<metadata>.*?</metadata>\s*|<!--.*?-->\s*|(?<=<g) id="[^"]*"', re.DOTALL)
#: The outline of a letter, which is told much finer than lines are.
_LETTER = re.compile(r'(?<= d=")([^"]*") transform="scale\(0\.015625\)"')
#: What would make two files of one figure different.
_METADATA: dict[str, dict[str, None]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
}


def draw(figure: Figure, *paths: Path) -> None:
    """Draw a figure once and save it as a PDF, an SVG or both; the same figure gives the same bytes.

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
            handles = [*_regions(figure, axes), *_lines(figure, axes), *_long_runs(figure, axes)]
            if not handles:
                raise ReportError("it has neither curves nor regions")
        except GrpoSymbolicError as error:
            raise ReportError(f"figure {figure.id}: {error}") from error
        _frame(figure, axes)
        try:
            if len(handles) > 1:
                _legend(canvas, handles)
            else:
                canvas.draw_without_rendering()
            # Everything has its place by now, which is found anew for each file otherwise.
            canvas.set_layout_engine(None)
            for path in paths:
                kind = path.suffix.removeprefix(".")
                canvas.savefig(path, format=kind, metadata=_METADATA[kind], transparent=kind == "svg")
                if kind == "svg":
                    _lighten(path)
        except ValueError as error:
            raise ReportError(f"figure {figure.id}: a label is not readable as mathematics: {error}") from error


def _legend(canvas: Canvas, handles: Sequence[Any]) -> None:
    """A legend above the picture, in as many columns as there is room for.

    Between curves or inside a hatched region it could not be read.
    """
    for columns in _LEGEND_COLUMNS:
        legend = canvas.legend(
            handles=handles, frameon=False, handlelength=3, markerscale=1.5, loc="outside upper center", ncols=columns
        )
        canvas.draw_without_rendering()
        if legend.get_window_extent().width <= canvas.bbox.width or columns == _LEGEND_COLUMNS[-1]:
            return
        legend.remove()


def _lighten(path: Path) -> None:
    """Leave out decimals of coordinates that nobody sees, marks that repeat their style, and who made it how."""
    text = _LETTER.sub(_coarser, _UNSEEN.sub("", path.read_text(encoding="utf-8")))
    short = re.sub(r'(?<= d=")[^"]*', lambda match: _from_point_to_point(_shorter(match[0])), text)
    short = re.sub(r'(?<= [xy]=")-?\d+\.\d+|(?<=translate\()[^)]*', lambda match: _shorter(match[0]), short)
    short = _MARKS_OF_ONE_STYLE.sub(
        lambda match: match[0].replace(match["style"], "").replace("<g", f"<g{match['style']}", 1), short
    )
    short = re.sub(r'(?<= style=")[^"]*', lambda match: re.sub(r"(?<=[:;]) ", "", match[0]), short)
    short = re.sub(r"#(\w)\1(\w)\2(\w)\3\b", r"#\1\2\3", short).replace("xlink:href", "href")
    path.write_text(re.sub(r"\n\s*", "\n", short), encoding="utf-8")


def _coarser(letter: re.Match[str]) -> str:
    """The outline of a letter to a hundredth of a point; it is given eight times as fine."""
    return re.sub(r"-?\d+", lambda number: str(round(int(number[0]) / 8)), letter[1]) + ' transform="scale(.125)"'


def _shorter(path: str) -> str:
    """The same path to a tenth of a point, with no more blanks than it needs."""
    tenths = re.sub(r"\.(\d)\d*", lambda match: f".{match[1]}" if match[1] != "0" else "", path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", tenths).strip()


def _from_point_to_point(path: str) -> str:
    """The same path with every point told from where the last stretch ended; as it is, where it has arcs or the like.

    >>> _from_point_to_point("M10 20L11 20.5L12 20.5Q1 2 3 4zM0 0L1 1")
    'm10 20l1 .5 1 0q-11-18.5-9-16.5zm-10-20l1 1'
    """
    if re.search("[^MLQCz0-9. -]", path):
        return path
    told, last, (x, y), start = "", "", (0, 0), (0, 0)
    for command, numbers in re.findall("([MLQCz])([^MLQCz]*)", path):
        # Tenths are whole, so that nothing is lost on the way.
        tenths = [round(10 * float(number)) for number in numbers.split()]
        places = list(zip(tenths[::2], tenths[1::2], strict=True))
        steps = [_tenth(step) for one, other in places for step in (one - x, other - y)]
        repeated = command == last and command != "M"
        told += (" " if repeated else command.lower()) + " ".join(steps)
        last = command
        x, y = places[-1] if places else start
        start = (x, y) if command == "M" else start
    return told.replace(" -", "-")


def _tenth(number: int) -> str:
    """A number of tenths, without the zero before the point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{number / 10:g}")


def _frame(figure: Figure, axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    axes.set_xlabel(figure.horizontal_label)
    axes.set_ylabel(figure.vertical_label)
    axes.set_xlim(*map(float, figure.horizontal_range))
    if figure.vertical_range is not None:
        axes.set_ylim(*map(float, figure.vertical_range))
    if figure.logarithmic:
        axes.set_xscale("log")
    if figure.vertical_logarithmic:
        axes.set_yscale("log")
    if figure.orbits:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), ScalarFormatter):
            axis.set_major_formatter(_plain_numbers())
    axes.spines[["top", "right"]].set_visible(False)
    for note in figure.notes:
        axes.text(float(note.across), float(note.upwards), note.text, ha="center", va="center")


def _plain_numbers() -> Formatter:
    """Ticks as mathematics only where they are more than digits: setting mathematics takes most of the time."""
    from matplotlib.ticker import ScalarFormatter

    class PlainNumbers(ScalarFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            text = super().__call__(x, pos)
            digits = _DIGITS.fullmatch(text)
            return text if digits is None else digits[1]

    return PlainNumbers()


def _lines(figure: Figure, axes: Axes) -> list[Any]:
    """Curves, traces and orbits, told apart by dashes, greys and marks."""
    places = _places(figure.horizontal_range, CURVE_POINTS, figure.logarithmic)
    steps = range(int(figure.horizontal_range[1]) + 1)
    shown = [(curve.label, places, curve_heights(curve, figure.horizontal, places)) for curve in figure.curves]
    shown += [(trace.label, *trace_points(trace)) for trace in figure.traces]
    shown += [(orbit.label, list(map(float, steps)), orbit_heights(orbit, len(steps))) for orbit in figure.orbits]
    handles: list[Any] = []
    for number, (label, across, upwards) in enumerate(shown):
        if all(map(math.isnan, upwards)):
            raise UndefinedError(f"curve {label!r} is undefined everywhere in its range")
        style = number % len(_LINES)
        look: dict[str, Any] = {"linestyle": _LINES[style], "color": _GREYS[style], "linewidth": 1.2}
        if number >= len(shown) - len(figure.orbits):
            look |= {"marker": _MARKS[style], "markersize": 2.5, "linewidth": 0.7}
        handles += axes.plot(across, upwards, label=label, **look)
    return handles


def _long_runs(figure: Figure, axes: Axes) -> list[Any]:
    """Dots where orbits end up, at fewer places than a curve has: each takes thousands of evaluations."""
    handles: list[Any] = []
    for number, run in enumerate(figure.long_runs):
        places = _places(figure.horizontal_range, LONG_RUNS, figure.logarithmic)
        ends = long_run_heights(run, figure.horizontal, places)
        dots = [(place, height) for place, found in zip(places, ends, strict=True) for height in found]
        across, upwards = zip(*dots, strict=True)
        grey = _GREYS[number % len(_GREYS)]
        handles += axes.plot(
            across, upwards, _MARKS[number], color=grey, markersize=1.2, markeredgewidth=0, label=run.label
        )
    return handles


def curve_heights(curve: Curve, horizontal: Symbol, places: Sequence[float]) -> list[float]:
    """The curve's values at these places; not a number where it is undefined, which leaves a gap."""
    return _heights(curve.expression, curve.values, horizontal, places)


def trace_points(trace: Trace) -> tuple[list[float], list[float]]:
    """Where a trace passes; a point with an undefined coordinate leaves a gap."""
    places = _places(trace.parameter_range, CURVE_POINTS, logarithmic=False)
    across, upwards = (_heights(part, trace.values, trace.parameter, places) for part in (trace.across, trace.upwards))
    return across, upwards


def long_run_heights(run: LongRun, horizontal: Symbol, places: Sequence[float]) -> list[list[float]]:
    """The different numbers, to six digits, among the last ones of orbits that are followed for long, at each place.

    Raises:
        UndefinedError: if an orbit leads to where its step has no value.
    """
    at: Columns = {**_fixed(run.values), horizontal: list(places)}
    step = unfold(run.expression)
    heights = _defined(unfold(run.start), at, len(places))
    kept = [dict[float, None]() for _ in places]
    for number in range(run.steps):
        heights = _defined(step, {**at, run.symbol: heights}, len(places))
        if number >= run.steps - run.kept:
            for found, height in zip(kept, heights, strict=True):
                found.setdefault(round(height, 6))
    return list(map(list, kept))


def _defined(expression: Expression, at: Columns, count: int) -> list[float]:
    heights = values(expression, at, count)
    if any(map(math.isnan, heights)):
        raise UndefinedError(f"{expression} is undefined or not finite")
    return heights


def orbit_heights(orbit: Orbit, count: int) -> list[float]:
    """The first numbers of an orbit; none after one that is undefined."""
    expression, fixed = unfold(orbit.expression), _fixed(orbit.values)
    heights = [float(orbit.start)]
    for _ in range(count - 1):
        try:
            heights.append(value(expression, {**fixed, orbit.symbol: heights[-1]}))
        except UndefinedError:
            return [*heights, *[math.nan] * (count - len(heights))]
    return heights


def _heights(expression: Expression, fixed: Values, symbol: Symbol, places: Sequence[float]) -> list[float]:
    return values(unfold(expression), {**_fixed(fixed), symbol: list(places)}, len(places))


def _regions(figure: Figure, axes: Axes) -> list[Any]:
    from matplotlib.patches import Patch

    if not figure.regions:
        return []
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
    width = len(across)
    at: Columns = {
        **_fixed(region.values),
        horizontal: list(across) * len(upwards),
        vertical: [height for height in upwards for _ in across],
    }
    cells = [bool(truth) for truth in where(unfold_statement(region.statement), at, width * len(upwards))]
    return [cells[start : start + width] for start in range(0, len(cells), width)]


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
