"""The folders of examples in the documentation: every claim is decided, and recipes agree with the enumeration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import mp

from grpo_symbolic import assess, load
from grpo_symbolic.evidence import STANDING
from grpo_symbolic.grpo.enumeration import advantages, group_preference, shifted_advantages
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.translate.multiprecision import evaluate
from grpo_symbolic.translate.program import Point

EXAMPLES = Path(__file__).parents[1] / "docs" / "example"


@pytest.mark.parametrize("name", ["sample_variance", pytest.param("recipes", marks=pytest.mark.slow)])
def test_every_claim_of_an_example_is_decided(name: str) -> None:
    assessment = assess(load(EXAMPLES / name), jobs=1)
    found = {id: judged.verdict for id, judged in assessment.judged.items()}
    assert found
    assert {id: verdict for id, verdict in found.items() if verdict not in STANDING} == {}


def test_the_example_that_is_no_grpo_is_short() -> None:
    lines = (EXAMPLES / "sample_variance" / "bias.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60


def bessel(rewards: Sequence[Any], context: Any) -> list[Any]:
    """Advantages with the standard deviation of programs, computed from the definition."""
    mean = context.fsum(rewards) / len(rewards)
    spread = context.sqrt(context.fsum((reward - mean) ** 2 for reward in rewards) / (len(rewards) - 1))
    return [context.zero if spread == 0 else (reward - mean) / spread for reward in rewards]


def left_out(rewards: Sequence[Any], context: Any) -> list[Any]:
    """Rewards minus the mean of the others."""
    return [
        reward - context.fsum([*rewards[:own], *rewards[own + 1 :]]) / (len(rewards) - 1)
        for own, reward in enumerate(rewards)
    ]


def best_alone(rewards: Sequence[Any], context: Any) -> list[Any]:
    """The largest minus the second largest reward for the first best member, and nothing for the others."""
    ordered = sorted(rewards, reverse=True)
    best = rewards.index(ordered[0])
    return [ordered[0] - ordered[1] if own == best else context.zero for own in range(len(rewards))]


PROGRAMS: dict[str, Callable[[Sequence[Any], Any], list[Any]]] = {
    "standardised": advantages,
    "bessel": bessel,
    "mean-only": shifted_advantages,
    "leave-one-out": left_out,
    "best-alone": best_alone,
}
SIZES = [2, 3, 4, pytest.param(8, marks=pytest.mark.slow)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_weight_of_a_recipe_is_that_of_all_groups(name: str, size: int) -> None:
    library = load(EXAMPLES / "recipes")
    claim = library.claims[f"recipes.{name}.{size}"]
    assert claim.derivation is not None
    weight = claim.derivation.steps[-1].to
    assert isinstance(weight, Expression)
    with mp.workdps(30):
        for chance in (Fraction(1, 7), Fraction(2, 3)):
            p = mp.mpf(chance.numerator) / chance.denominator
            right, wrong = [[(mp.one, mp.one)], [(mp.zero, mp.one)]]
            found = group_preference([p, 1 - p], [right, wrong], size, mp, PROGRAMS[name])
            stated, _ = evaluate(weight, Point({"p": chance, "dp": Fraction(1)}), 28)
            assert abs(found[0] - found[1] - mp.make_mpf(stated)) < mp.mpf(10) ** -25
