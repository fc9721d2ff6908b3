"""Limits of unknown sequences: what is decided holds of every one, and nothing false is.

The oracle is a sequence in plain numbers of which all that is supposed holds: where a statement is true, its tail comes
as near to what is stated as one likes, and where it is false, it stays away from it.
"""

from __future__ import annotations

import pytest

from grpo_symbolic import (
    Statement,
    absolute,
    both,
    by_induction,
    claim,
    eq,
    falls_to_a_limit,
    for_every,
    has_limit,
    in_the_limit,
    judge,
    le,
    limit_superior,
    lt,
    maximum,
    minimum,
    real,
    rises_to_a_limit,
    unknown_function,
    whole,
)
from grpo_symbolic.evidence import Verdict

n, m = whole("n", "[0, oo)", "a number"), whole("m", "[0, oo)", "another number")
limit, other = real("L", "(-oo, oo)", "a limit"), real("M", "(-oo, oo)", "another limit")
total = real("D", "[0, oo)", "sum of all errors")
k = real("k", "(0, 1)", "a factor")
z = real("z", "(-oo, oo)", "a letter that may be another one at each number")
s, t, u, w = (unknown_function(name, n, "a sequence") for name in "stuw")
share = unknown_function("q", n, "a sequence of shares", values="(0, 1)")
error = unknown_function("d", n, "errors", values="[0, oo)")
x = real("x", "(-oo, oo)", "a point")
smooth, jumping = unknown_function("f", x, "any continuous map", derivatives=0), unknown_function("h", x, "any map")

TENDS = has_limit(s(n), n, limit, such_as={s: limit})
ALSO = has_limit(t(n), n, other, such_as={t: other})
STEPS = for_every(n, eq(s(n + 1), s(n) / 2 + 1), such_as={s: limit}, where=eq(limit, 2))
RISES = for_every(n, le(s(n), s(n + 1)), such_as={s: limit})
SUMS = for_every(
    n,
    both(eq(s(n + 1), s(n) + error(n + 1)), le(w(n + 1), w(n) + error(n + 1)), le(absolute(u(n) - t(n)), w(n))),
    such_as={s: total * minimum(n, 1), error: total * maximum(2 - n, 0), w: 0, u: other, t: other},
)
SUMMED = has_limit(s(n), n, total)
START = [eq(s(0), 0), eq(w(0), 0)]
ERRORS = [SUMS, SUMMED, has_limit(t(n), n, other), *START]
WITHIN = claim("s.within", "Bounded by the sums", by_induction(le(w(n), s(n)), n), given=[SUMS, *START])
LATER = claim("s.later", "Never falls", by_induction(le(s(m), s(m + n)), n), given=[RISES])

TRUE: list[tuple[Statement, list[Statement]]] = [
    (in_the_limit(eq(limit, 2), n, because=eq(s(n + 1), s(n) / 2 + 1)), [STEPS, TENDS]),
    (in_the_limit(eq(smooth(limit), limit), n, because=eq(s(n), s(n + 1))), [TENDS, eq(smooth(limit), limit), RISES]),
    (
        in_the_limit(le(limit, other), n, because=lt(s(n), t(n))),
        [
            for_every(n, lt(s(n), t(n)), such_as={s: limit, t: other}, where=lt(limit, other)),
            TENDS,
            ALSO,
        ],
    ),
    (has_limit(2 * s(n) - t(n) ** 2, n, 2 * limit - other**2), [TENDS, ALSO]),
    (has_limit(s(2 * n) + s(n + m), n, 2 * limit), [TENDS]),
    (has_limit(smooth(s(n)), n, smooth(limit)), [TENDS]),
    (
        has_limit(u(n), n, limit, by=2 * absolute(s(n) - limit)),
        [
            TENDS,
            for_every(n, le(absolute(u(n) - limit), 2 * absolute(s(n) - limit)), such_as={u: limit, s: limit}),
        ],
    ),
    (limit_superior(absolute(s(n) - other), n, absolute(limit - other), by=absolute(s(n) - other)), [TENDS]),
    (limit_superior(z, n, limit**2, by=s(n) ** 2, where=both(eq(z, s(n) * s(n)), eq(z, z))), [TENDS]),
    (rises_to_a_limit(s(n), n, at_most=3), [for_every(n, both(le(s(n), s(n + 1)), le(s(n), 3)), such_as={s: 3})]),
    (falls_to_a_limit(k**n, n, at_least=0), []),
]


@pytest.mark.parametrize(("statement", "given"), TRUE)
def test_what_holds_of_every_sequence_is_decided(statement, given):
    assert judge(statement, given=given).verdict is Verdict.DECIDED
