"""A slip in a definition must show: some derivation refuses, or some claim or quote no longer stands."""

from __future__ import annotations

import inspect

import pytest
from judged_library import whole_library

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.grpo.definitions import GRPO, Definitions, sampled_penalty, standardised
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.mutants import mutated_definition

QUICK = Settings(digits=30, points=24, effort=2_000, boxes=1_000)
BUILDERS = [
    result
    for result in whole_library().results
    if (given := inspect.signature(result.build).parameters.get("given")) is not None and given.default == GRPO
]
MUTANTS = [
    *[
        (f"penalty: {change}", Definitions(penalty=changed))
        for change, changed in mutated_definition(sampled_penalty, 3)
    ],
    *[
        (f"advantage: {change}", Definitions(normalise=changed))
        for change, changed in mutated_definition(standardised, 2)
    ],
]


def first_difference(given: Definitions) -> str | None:
    """Where the first derivation refuses or the first verdict changes; None if nothing notices."""
    for result in BUILDERS:
        try:
            claims = list(result.build(given))
        except (GrpoSymbolicError, ArithmeticError) as error:
            return f"{result.slug}: {error}"
        usual = {made.id: made for made in result.claims}
        for made in claims:
            if made == usual.get(made.id) or made.assumed:
                continue
            try:
                alone, printed = judge_claim(made, QUICK)
            except GrpoSymbolicError as error:
                return f"{made.id}: {error}"
            if alone.verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
                return f"{made.id}: {alone.verdict}"
            expected_to_hold = made.printed is not None and not made.printed.expected_to_fail
            if printed is not None and expected_to_hold and printed.verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
                return f"{made.id}, as printed: {printed.verdict}"
    return None


@pytest.mark.slow
@pytest.mark.parametrize(("change", "given"), MUTANTS, ids=[change for change, _ in MUTANTS])
def test_a_slip_in_a_definition_is_noticed(change, given):
    assert first_difference(given) is not None, change
