"""Figures: values, traces, orbits and long runs against plain computation, gaps, and files that do not change."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure as Canvas

from grpo_symbolic.derivation.figure import Curve, Figure, LongRun, Note, Orbit, Region, Trace
from grpo_symbolic.errors import ReportError, UndefinedError, UnsupportedError
from grpo_symbolic.language.expression import Derivative, Expression, Total
from grpo_symbolic.language.statement import Statement, eq, ge, gt, le, lt, ne
from grpo_symbolic.language.stating import both, either, iff, implies, increasing
from grpo_symbolic.language.vocabulary import (
    absolute,
    cosh,
    exp,
    log,
    maximum,
    minimum,
    rational,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.report import figures
from grpo_symbolic.report.figures import (
    curve_heights,
    draw,
    long_run_heights,
    orbit_heights,
    region_cells,
    trace_points,
)
from grpo_symbolic.report.floats import value, values, where

x = real("x", "(0, 1)", "a number")
y = real("y", "(0, 1)", "another")
ENDS = (Fraction(0), Fraction(1))
p = real("p", "[0, 1]", "a number")
r = real("r", "(0, 4]", "growth rate")
t = real("t", "(-oo, oo)", "parameter")
steps = real("steps", "[0, oo)", "number of steps")

LOGISTIC = r * p * (1 - p)

FORMULAS = [
    (x * (1 - x) / y - 2, lambda a, b: a * (1 - a) / b - 2),
    (sqrt(x) + log(y) * exp(-x), lambda a, b: mpmath.sqrt(a) + mpmath.log(b) * mpmath.exp(-a)),
    (x ** rational(3, 2) + y**-2, lambda a, b: mpmath.power(a, 1.5) + 1 / b**2),
    (cosh(x) - sinh(y) + tanh(x * y), lambda a, b: mpmath.cosh(a) - mpmath.sinh(b) + mpmath.tanh(a * b)),
    (maximum(x, y) - minimum(x, y) - absolute(x - y), lambda a, b: 0),
]


@pytest.mark.parametrize(("expression", "oracle"), FORMULAS, ids=lambda item: str(item)[:20])
@given(a=st.floats(0.01, 10), b=st.floats(0.01, 10))
def test_values_agree_with_another_evaluator(expression: Expression, oracle: object, a: float, b: float) -> None:
    expected = float(oracle(mpmath.mpf(a), mpmath.mpf(b)))
    assert value(expression, {x: a, y: b}) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("expression", [1 / x, log(x), sqrt(x - 1), x**-1, exp(1 / (x + Fraction(1, 10**9))), x / x])
def test_undefined_and_overflowing_values_are_named(expression: Expression) -> None:
    with pytest.raises(UndefinedError, match="is undefined"):
        value(expression, {x: 0.0})


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="y has no value in this figure"):
        value(x + y, {x: 0.5})
    with pytest.raises(UnsupportedError, match="Total cannot be drawn"):
        value(Total(x), {x: 0.5})
    with pytest.raises(UnsupportedError, match="this is a Monotone"):
        where(increasing(x, x), {x: 0.5}, 1)
    with pytest.raises(UnsupportedError, match="y has no value in this figure"):
        values(x + y, {x: [0.5]}, 1)
    with pytest.raises(UnsupportedError, match="Total cannot be drawn"):
        values(Total(x), {x: [0.5]}, 1)


HARD = [*(formula for formula, _ in FORMULAS), 1 / x, log(x) - log(y), sqrt(x - y) * 0, (x - y) ** -2, exp(1000 * x)]


@pytest.mark.parametrize("expression", HARD, ids=lambda item: str(item)[:20])
@given(
    column=st.lists(st.sampled_from([-2.0, -0.5, 0.0, 0.1, 0.5, 1.0, 3.7]), min_size=1, max_size=6),
    fixed=st.sampled_from([-1.0, 0.0, 0.5]),
)
def test_many_values_at_once_are_exactly_those_one_by_one(
    expression: Expression, column: list[float], fixed: float
) -> None:
    found = values(expression, {x: column, y: fixed}, len(column))
    for place, height in zip(column, found, strict=True):
        try:
            expected = value(expression, {x: place, y: fixed})
        except UndefinedError:
            assert math.isnan(height)
        else:
            assert height == expected


def test_a_constant_has_one_value_everywhere_or_nowhere() -> None:
    assert values(rational(1, 4), {}, 3) == [0.25] * 3
    assert all(map(math.isnan, values(1 / (x - x), {x: 1.0}, 3)))


#: Below 0 the first has no value, and is true above; the others have values everywhere.
PARTS = {None: gt(sqrt(x), -1), True: lt(x, 5), False: gt(x, 5)}
TABLE = [
    *((both(PARTS[a], PARTS[b]), (b if a is True else a)) for a in PARTS for b in PARTS),
    *((either(PARTS[a], PARTS[b]), (b if a is False else a)) for a in PARTS for b in PARTS),
    *((implies(PARTS[a], PARTS[b]), (b if a is True else None if a is None else True)) for a in PARTS for b in PARTS),
    *((iff(PARTS[a], PARTS[b]), (None if None in (a, b) else a == b)) for a in PARTS for b in PARTS),
]


@pytest.mark.parametrize(("statement", "below"), TABLE, ids=str)
def test_what_has_no_value_matters_unless_a_part_before_it_settles_the_whole(
    statement: Statement, below: bool | None
) -> None:
    above = where(statement, {x: 1.0}, 1)
    assert where(statement, {x: [-1.0, 1.0, -1.0]}, 3) == [below, *above, below]
    assert above[0] is not None


def test_a_curve_has_gaps_where_it_is_undefined_and_derivatives_are_carried_out() -> None:
    heights = curve_heights(Curve(1 / (x - y), ((y, Fraction(1, 2)),), "pole"), x, [0.0, 0.5, 1.0])
    assert heights[0] == -2
    assert math.isnan(heights[1])
    assert heights[2] == 2
    assert curve_heights(Curve(Derivative(x**2, x), (), "slope"), x, [0.25]) == [0.5]


STATEMENTS = [
    (lt(x, y), lambda a, b: a < b),
    (both(ge(x, y), le(x, 2 * y)), lambda a, b: b <= a <= 2 * b),
    (either(eq(x, y), gt(x, y)), lambda a, b: a >= b),
    (implies(ne(x, y), lt(x, y)), lambda a, b: a <= b),
    (iff(lt(x, y), gt(y, x)), lambda a, b: True),
]


@pytest.mark.parametrize(("statement", "oracle"), STATEMENTS, ids=lambda item: str(item)[:20])
def test_regions_are_where_the_statement_holds(statement: Statement, oracle: object) -> None:
    places = [number / 8 for number in range(9)]
    cells = region_cells(Region(statement, (), "region"), x, y, places, places)
    assert cells == [[oracle(a, b) for a in places] for b in places]


def test_undefined_points_lie_outside_a_region() -> None:
    assert region_cells(Region(gt(1 / x, 0), (), "r"), x, y, [0.0, 1.0], [0.5]) == [[False, True]]


def test_a_trace_follows_its_parameter_and_has_gaps() -> None:
    across, upwards = trace_points(Trace(t**2, 1 / t, t, (Fraction(-1), Fraction(1)), (), "trace"))
    assert across[0] == across[-1] == 1
    assert upwards[0] == -1
    assert math.isnan(upwards[len(upwards) // 2])


def test_an_orbit_repeats_its_expression() -> None:
    orbit = Orbit(LOGISTIC, p, Fraction(1, 2), ((r, Fraction(4)),), "orbit")
    assert orbit_heights(orbit, 5) == [0.5, 1.0, 0.0, 0.0, 0.0]


def test_an_orbit_ends_where_it_is_undefined() -> None:
    heights = orbit_heights(Orbit(log(p), p, Fraction(1), (), "orbit"), 4)
    assert heights[:2] == [1.0, 0.0]
    assert all(map(math.isnan, heights[2:]))


@pytest.mark.parametrize(("rate", "cycle"), [(2.5, {0.6}), (3.2, {0.513045, 0.799455})])
def test_a_long_run_finds_the_fixed_point_or_the_cycle(rate: float, cycle: set[float]) -> None:
    run = LongRun(LOGISTIC, p, rational(1, 3), (), "run")
    (found,) = long_run_heights(run, r, [rate])
    assert set(found) == cycle


def test_long_runs_beside_each_other_are_those_of_each_alone() -> None:
    run, rates = LongRun(LOGISTIC, p, rational(1, 3), (), "run", steps=60), [2.5, 3.2, 3.5, 4.0]
    assert long_run_heights(run, r, rates) == [long_run_heights(run, r, [rate])[0] for rate in rates]


def test_a_long_run_that_leads_out_of_its_domain_is_refused() -> None:
    run = LongRun(log(p), p, r, (), "run")
    with pytest.raises(UndefinedError, match="is undefined or not finite"):
        long_run_heights(run, r, [2.0, 3.0])


CURVES = Figure("curves", "Caption.", x, ENDS, "$x$", "$y$", tuple(Curve(x**n, (), f"$x^{n}$") for n in range(1, 8)))
REGIONS = Figure(
    "regions", "Caption.", x, ENDS, "$x$", r"$\pi_{\mathrm{ref}}$",
    regions=(Region(lt(x, y), (), "above"), Region(gt(x, 2), (), "nowhere")), vertical=y, vertical_range=ENDS,
)  # fmt: skip


FIGURE = Figure(
    "kinds", "Caption.", steps, (Fraction(0), Fraction(8)), "$n$", "$p_n$",
    traces=(Trace(t, t**2, t, (Fraction(0), Fraction(8)), (), "trace"),),
    orbits=(Orbit(LOGISTIC, p, Fraction(1, 2), ((r, Fraction(2)),), "orbit"),),
    notes=(Note(Fraction(1), Fraction(1, 2), "here"),), vertical_range=(Fraction(1, 10), Fraction(1)),
    vertical_logarithmic=True,
)  # fmt: skip
RUNS = Figure(
    "runs", "Caption.", r, (Fraction(3), Fraction(4)), "$r$", "$p$",
    long_runs=(LongRun(LOGISTIC, p, rational(1, 3), (), "run", steps=40),),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("figure", [CURVES, REGIONS, FIGURE, RUNS], ids=lambda figure: figure.id)
def test_the_same_figure_gives_the_same_vector_file(figure: Figure, tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        draw(figure, tmp_path / name)
    first = (tmp_path / "one.pdf").read_bytes()
    assert first == (tmp_path / "two.pdf").read_bytes()
    assert first.startswith(b"%PDF")
    assert b"CreationDate" not in first
    assert b"/Subtype /Image" not in first


@pytest.mark.slow
@pytest.mark.parametrize("figure", [CURVES, REGIONS], ids=lambda figure: figure.id)
def test_the_same_figure_gives_the_same_picture_for_pages(figure: Figure, tmp_path: Path) -> None:
    draw(figure, tmp_path / "one.pdf", tmp_path / "one.svg")
    draw(figure, tmp_path / "two.svg")
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).get("viewBox") == "0 0 280.8 194.4"
    assert not re.search(r"\.\d\d", "".join(re.findall(r' d="([^"]*)"', text)))


def ends(path: str) -> list[tuple[Fraction, ...]]:
    """The points of a path where they are, whether they are told from the origin or from where a stretch ended."""
    found, here, start = [], (Fraction(0), Fraction(0)), (Fraction(0), Fraction(0))
    for command, told in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [Fraction(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", told)]
        many = 2 * {"M": 1, "L": 1, "Q": 2, "C": 3, "Z": 1}[command.upper()]
        for first in range(0, len(numbers), many):
            origin = here if command.islower() else (0, 0)
            stretch = [number + origin[place % 2] for place, number in enumerate(numbers[first : first + many])]
            found.append(tuple(stretch))
            here = (stretch[-2], stretch[-1])
        if command in "mM":
            start = here
        here = start if command in "zZ" else here
    return found


@given(
    st.lists(
        st.tuples(st.sampled_from("LQC"), st.lists(st.integers(-9999, 9999), min_size=6, max_size=6), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_a_path_told_from_point_to_point_is_the_same_path(parts: list[tuple[str, list[int], bool]]) -> None:
    path = "M1 -2.5"
    for command, tenths, last in parts:
        numbers = tenths[: {"L": 2, "Q": 4, "C": 6}[command]]
        path += command + " ".join(f"{number / 10:g}" for number in numbers) + ("zM0 .5" if last else "")
    shorter = figures._from_point_to_point(path)
    assert ends(shorter) == ends(path)
    assert not re.search("[MLQC]", shorter)


def test_a_path_of_another_kind_stays_as_it_is() -> None:
    assert figures._from_point_to_point("M0 0A1 1 0 0 1 2 2") == "M0 0A1 1 0 0 1 2 2"


def test_letters_keep_their_places_to_a_hundredth_of_a_point(tmp_path):
    fine = '<path id="a" d="M 594 0 L -1001 225 Q 8 4 0 12 z" transform="scale(0.015625)"/>'
    coarse = '<path id="a" d="M 74 0 L -125 28 Q 1 0 0 2 z" transform="scale(.125)"/>'
    assert figures._LETTER.sub(figures._coarser, fine) == coarse
    numbers = [[float(number) for number in re.findall(r"(?<= )-?\d+", one)] for one in (fine, coarse)]
    # A size of 9 points has units of 0.09 points.
    assert all(abs(one / 64 - other / 8) * 0.09 < 0.01 for one, other in zip(*numbers, strict=True))


@pytest.mark.parametrize(("words", "columns"), [("a", 3), ("more words", 2), ("so many words " * 3, 1)])
def test_a_legend_has_as_many_columns_as_there_is_room_for(words: str, columns: int) -> None:
    canvas = Canvas(figsize=(3.9, 2.7), layout="constrained")
    FigureCanvasPdf(canvas)
    axes = canvas.add_subplot()
    figures._legend(canvas, [axes.plot([0, 1], [0, n], label=f"{words} {n}")[0] for n in range(6)])
    (legend,) = canvas.legends
    assert legend._ncols == columns


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (replace(CURVES, curves=()), "neither curves nor regions"),
        (replace(CURVES, curves=(Curve(y, (), "y"),)), "y has no value in this figure"),
        (replace(CURVES, curves=(Curve(log(-x), (), "bad"),)), "'bad' is undefined everywhere"),
        (replace(CURVES, logarithmic=True), "cannot be drawn"),
        (replace(REGIONS, vertical=None), "regions need a vertical symbol"),
        (replace(FIGURE, traces=(Trace(t, log(-(t**2)), t, ENDS, (), "bad"),)), "'bad' is undefined"),
        (replace(FIGURE, orbits=(Orbit(LOGISTIC, p, Fraction(1), (), "bad"),)), "r has no value in this figure"),
        (replace(RUNS, long_runs=(LongRun(1 / p - 1 / p, p, rational(0), (), "bad"),)), "is undefined"),
        (replace(CURVES, horizontal_label=r"$\nosuchsymbol$"), "not readable as mathematics"),
    ],
)
def test_a_figure_that_cannot_be_drawn_says_why(figure: Figure, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=message):
        draw(figure, tmp_path / "figure.pdf")
