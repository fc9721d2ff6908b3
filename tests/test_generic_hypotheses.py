"""A hypothesis about a generic output is meant at every output as soon as something sums over them, and says so."""

from __future__ import annotations

import pytest

from grpo_symbolic import Total, define, eq, gt, real
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.indexed import sets_of_hypotheses

OUTPUTS = IndexSet("output", "outputs", "o")
pi = real("pi", "(0, 1)", "a probability", latex=r"\pi({index})", indexed=OUTPUTS)
other = real("other", "(0, 1)", "another one", latex=r"\mu({index})", indexed=OUTPUTS)
x = real("x", "(0, 1)", "a share")
mass = define("mass", (), Total(pi), latex="Z")


@pytest.mark.parametrize(
    ("hypothesis", "beside", "expected"),
    [
        (gt(pi, other), (eq(Total(pi), 1),), OUTPUTS),
        (gt(pi, other), (gt(x, mass()),), OUTPUTS),
        (gt(pi, Total(pi * other)), (), OUTPUTS),
        (gt(pi, other), (gt(2 * pi, other),), None),
        (eq(Total(pi), 1), (gt(pi, other),), None),
        (gt(x, 0), (eq(Total(pi), 1),), None),
    ],
    ids=["a sum beside it", "a sum in a definition", "its own sum", "one output", "no output", "no coordinate"],
)
def test_where_a_hypothesis_is_meant(hypothesis, beside, expected):
    *others, conclusion = (*beside, gt(x, 0))
    first, *_ = sets_of_hypotheses((hypothesis, *others), conclusion)
    assert first == expected
