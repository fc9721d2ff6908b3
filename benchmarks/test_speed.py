"""Speed as ratios against a named baseline measured in the same run: ``pytest benchmarks --benchmark-enable``.

Without the option each runs once, untimed, which keeps them alive. With it each stores ``ratio_to_<baseline>`` in its
extra information. Nothing here is asserted about time.
"""

from __future__ import annotations

import time
from pathlib import Path

import by_hand
import pytest
import sympy

from grpo_symbolic.checks import exact, numeric, smt
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.library import load
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.obligations.expansion import expand
from grpo_symbolic.translate.cas import Bridge

LIBRARY = load(Path(__file__).resolve().parent.parent / "derivations")
SETTINGS = Settings()


def seconds(function) -> float:
    """The best of three runs."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return min(times)


def obligation_of(id: str):
    claim = LIBRARY.claims[id]
    return expand(claim.statement, claim.given)[0][0]


@pytest.mark.parametrize("id", ["mroueh_2025.h-prime", "vojnovic_yun_2025.bounds-gap"])
def test_exact_against_sympy_simplify(benchmark, id):
    obligation = obligation_of(id)
    bridge = Bridge()
    gap = bridge.to_sympy(obligation.conclusion.left) - bridge.to_sympy(obligation.conclusion.right)
    found = benchmark(exact.check, obligation, Everything())
    assert found.verdict is Verdict.DECIDED
    if benchmark.stats:
        baseline = seconds(lambda: sympy.simplify(gap))
        mine = seconds(lambda: exact.check(obligation, Everything()))
        benchmark.extra_info["ratio_to_sympy_simplify"] = mine / baseline


@pytest.mark.parametrize("id", ["vojnovic_yun_2025.bounds-compared"])
def test_smt_against_numeric(benchmark, id):
    obligation = obligation_of(id)
    found = benchmark(smt.check, obligation, Everything())
    assert found.verdict is Verdict.DECIDED
    if benchmark.stats:
        baseline = seconds(lambda: numeric.check(obligation, SETTINGS))
        benchmark.extra_info["ratio_to_numeric"] = seconds(lambda: smt.check(obligation, Everything())) / baseline


def test_loading_against_importing_sympy(benchmark):
    folder = Path(__file__).resolve().parent.parent / "derivations"
    library = benchmark(load, folder)
    assert library.claims
    if benchmark.stats:
        building = seconds(lambda: [tuple(result.build()) for result in LIBRARY.results])
        benchmark.extra_info["ratio_to_building_claims"] = seconds(lambda: load(folder)) / building


#: The results of the library about what ``by_hand`` checks.
SAME = (
    "kkt_conditions",
    "root_groups_of_two",
    "root_large_groups",
    "success_map_shape",
    "bounds_with_cosh",
    "reverse_kl",
)


def test_judging_against_a_script_by_hand(benchmark):
    """Seconds for a claim, all that is judged counted, against seconds for a statement of the script."""
    found = benchmark(assess, LIBRARY, SETTINGS, only=SAME, jobs=1)
    assert all(item.verdict in STANDING for item in found.judged.values() if item.claim.refuted is None)
    checked = [one() for one in by_hand.RESULTS]
    if benchmark.enabled:
        script = seconds(lambda: [one() for one in by_hand.RESULTS]) / sum(checked)
        ours = seconds(lambda: assess(LIBRARY, SETTINGS, only=SAME, jobs=1)) / len(found.judged)
        benchmark.extra_info["ratio_to_script_by_hand"] = ours / script
