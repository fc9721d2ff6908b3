"""Traces, orbits and long runs: their points against plain computation, and files that do not change."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grpo_symbolic.derivation.figure import Figure, LongRun, Note, Orbit, Trace
from grpo_symbolic.errors import ReportError, UndefinedError
from grpo_symbolic.language.vocabulary import log, rational, real
from grpo_symbolic.report.figures import draw, long_run_heights, orbit_heights, trace_points

p = real("p", "[0, 1]", "a number")
r = real("r", "(0, 4]", "growth rate")
t = real("t", "(-oo, oo)", "parameter")
steps = real("steps", "[0, oo)", "number of steps")

ENDS = (Fraction(0), Fraction(1))
LOGISTIC = r * p * (1 - p)


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
@pytest.mark.parametrize("figure", [FIGURE, RUNS], ids=lambda figure: figure.id)
def test_the_same_figure_gives_the_same_vector_file(figure: Figure, tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        draw(figure, tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (replace(FIGURE, traces=(Trace(t, log(-(t**2)), t, ENDS, (), "bad"),)), "'bad' is undefined"),
        (replace(FIGURE, orbits=(Orbit(LOGISTIC, p, Fraction(1), (), "bad"),)), "r has no value in this figure"),
        (replace(RUNS, long_runs=(LongRun(1 / p - 1 / p, p, rational(0), (), "bad"),)), "is undefined"),
    ],
)
def test_what_cannot_be_drawn_says_why(figure: Figure, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=message):
        draw(figure, tmp_path / "figure.pdf")
