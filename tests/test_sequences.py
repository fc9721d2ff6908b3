"""Limits of unknown sequences: what is decided holds of every one, and nothing false is.

The oracle is a sequence in plain numbers of which all that is supposed holds: where a statement is true, its tail comes
as near to what is stated as one likes, and where it is false, it stays away from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from grpo_symbolic import (
    Derivative,
    IndexSet,
    Statement,
    Total,
    absolute,
    both,
    by_induction,
    claim,
    either,
    eq,
    falls_to_a_limit,
    for_every,
    ge,
    gt,
    has_limit,
    implies,
    in_the_limit,
    judge,
    le,
    limit_superior,
    lt,
    maximum,
    minimum,
    ne,
    on_support,
    real,
    rises_to_a_limit,
    sum_of,
    unknown_function,
    whole,
)
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.language.expression import Apply
from grpo_symbolic.language.sequences import SequenceLimit
from grpo_symbolic.obligations.expansion import expand, premises
from grpo_symbolic.translate.latex import statement_latex
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.translate.tree import statement_tree

n, m = whole("n", "[0, oo)", "a number"), whole("m", "[0, oo)", "another number")
limit, other = real("L", "(-oo, oo)", "a limit"), real("M", "(-oo, oo)", "another limit")
total = real("D", "[0, oo)", "sum of all errors")
k = real("k", "(0, 1)", "a factor")
z = real("z", "(-oo, oo)", "a letter")
s, t, u, w = (unknown_function(name, n, "a sequence") for name in "stuw")
error = unknown_function("d", n, "errors", values="[0, oo)")
x = real("x", "(-oo, oo)", "a point")
smooth, jumping = unknown_function("f", x, "any continuous map", derivatives=0), unknown_function("h", x, "any map")

TENDS = has_limit(s(n), n, limit, such_as={s: limit})
ALSO = has_limit(t(n), n, other, such_as={t: other})
HALVED = for_every(n, eq(s(n + 1), s(n) / 2 + 1), such_as={s: limit}, where=eq(limit, 2))
NEVER_FALLS = for_every(n, le(s(n), s(n + 1)), such_as={s: limit})
BELOW = for_every(n, lt(s(n), t(n)), such_as={s: limit, t: other}, where=lt(limit, other))
NEAR = for_every(n, le(absolute(u(n) - t(n)), absolute(s(n) - limit)), such_as={u: other, t: other, s: limit})
#: Errors with sums s, what they bound, and a sequence that misses another one by no more than that.
ERRORS = [
    for_every(
        n,
        both(eq(s(n + 1), s(n) + error(n + 1)), le(w(n + 1), w(n) + error(n + 1)), le(absolute(u(n) - t(n)), w(n))),
        such_as={s: total * minimum(n, 1), error: total * maximum(2 - n, 0), w: 0, u: other, t: other},
    ),
    eq(s(0), 0),
    eq(w(0), 0),
]
SUMMED = has_limit(s(n), n, total)
WITHIN = claim("s.within", "Within the sums", by_induction(le(w(n), s(n)), n), given=ERRORS)
MISSED = limit_superior(absolute(u(n) - other), n, total, by=s(n) + absolute(t(n) - other))
BOUNDED = claim("s.bounded", "In the limit", MISSED, given=[*ERRORS, SUMMED, ALSO], using=[WITHIN])
LATER = claim("s.later", "Later ones are no less", by_induction(le(s(m), s(m + n)), n), given=[NEVER_FALLS])
STAYS = claim(
    "s.stays",
    "None is above the limit",
    in_the_limit(le(s(m), limit), n, because=le(s(m), s(m + n))),
    given=[NEVER_FALLS, TENDS],
    using=[LATER],
)

TRUE: list[tuple[Statement, list[Statement]]] = [
    (in_the_limit(eq(limit, 2), n, because=eq(s(n + 1), s(n) / 2 + 1)), [HALVED, TENDS]),
    (in_the_limit(le(limit, other), n, because=lt(s(n), t(n))), [BELOW, TENDS, ALSO]),
    (has_limit(2 * s(n) - t(n) ** 2, n, 2 * limit - other**2), [TENDS, ALSO]),
    (has_limit(s(2 * n) + s(n + m), n, 2 * limit), [TENDS]),
    (has_limit(smooth(s(n)), n, smooth(limit)), [TENDS]),
    (has_limit(u(n), n, other, by=absolute(s(n) - limit) + absolute(t(n) - other)), [NEAR, TENDS, ALSO]),
    (limit_superior(s(n) * z, n, limit**2, by=s(n) ** 2, where=eq(z, s(n))), [TENDS]),
    (rises_to_a_limit(s(n), n, at_most=3), [for_every(n, both(le(s(n), s(n + 1)), le(s(n), 3)), such_as={s: 3})]),
    (falls_to_a_limit(k**n, n, at_least=0), []),
    (implies(gt(z, 0), both(has_limit(z * s(n), n, z * limit), gt(z, 0))), [TENDS]),
]


@pytest.mark.parametrize(("statement", "given"), TRUE)
def test_what_holds_of_every_sequence_is_decided(statement, given):
    assert judge(statement, given=given).verdict is Verdict.DECIDED


@pytest.mark.parametrize("made", [WITHIN, BOUNDED, LATER, STAYS], ids=lambda made: made.id)
def test_inductions_are_lemmas_under_the_same_suppositions(made):
    assert judge(made).verdict is Verdict.DECIDED


def tail(sequence: Callable[[int], float], late: int = 10_000) -> Sequence[float]:
    return [sequence(number) for number in range(late, late + 50)]


#: A false statement, what is supposed, and sequences by name of which the latter holds and the former does not.
FALSE: dict[str, tuple[Statement, list[Statement], Callable[[], bool]]] = {
    "another limit": (
        in_the_limit(eq(limit, 3), n, because=eq(s(n + 1), s(n) / 2 + 1)),
        [HALVED, TENDS],
        lambda: all(abs(value - 2) < 1e-9 for value in tail(lambda number: 2.0 - 0.5 ** min(number, 60))),
    ),
    "strict in the limit": (
        in_the_limit(lt(limit, other), n, because=lt(s(n), t(n))),
        [BELOW, TENDS, ALSO],
        lambda: all(0 < value < 1e-3 for value in tail(lambda number: 1 / (number + 1))),  # below it 0, with limit 0
    ),
    "not what is supposed": (
        in_the_limit(eq(limit, 2), n, because=eq(s(n), s(n) / 2 + 1)),
        [HALVED, TENDS],
        lambda: 1.5 != 1.5 / 2 + 1,
    ),
    "index shifted": (
        in_the_limit(eq(limit, 2), n, because=eq(s(n + 2), s(n) / 2 + 1)),
        [HALVED, TENDS],
        lambda: (0 / 2 + 1) / 2 + 1 != 0 / 2 + 1,
    ),
    "no value at the limit": (
        in_the_limit(ne(limit, 0), n, because=eq(s(n) / s(n), 1)),
        [for_every(n, gt(s(n), 0), such_as={s: limit}, where=gt(limit, 0)), TENDS],
        lambda: all(0 < value < 1e-3 for value in tail(lambda number: 1 / (number + 1))),
    ),
    "falls to no bound": (
        falls_to_a_limit(s(n), n, at_least=0),
        [for_every(n, ge(s(n), s(n + 1)), such_as={s: limit})],
        lambda: max(tail(lambda number: -number)) < -1000,
    ),
    "bounded and not monotone": (
        rises_to_a_limit(s(n), n, at_most=1),
        [for_every(n, le(s(n), 1), such_as={s: 0})],
        lambda: len({*tail(lambda number: (-1) ** number)}) == 2,
    ),
    "a negative constant": (
        limit_superior(absolute(u(n) - t(n)), n, 0, by=-absolute(s(n) - limit)),
        [NEAR, TENDS],
        lambda: not abs(0 - 0) <= -abs(0.5 - 0),  # s(1) = 0.5 and L = 0, u = t = 0
    ),
    "half the bound": (
        limit_superior(absolute(u(n) - other), n, total / 2, by=s(n) + absolute(t(n) - other)),
        [*ERRORS, SUMMED, ALSO],
        lambda: not abs(2 - 1) <= 1 / 2,  # d(1) = 1 and no other one, t = 1 and u = 2
    ),
    "letters that move": (
        limit_superior(s(n) * z, n, limit**2, by=s(n) ** 2, where=gt(z, s(n))),
        [TENDS],
        lambda: not 1 * 2 <= 1**2,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_nothing_false_is_decided(name):
    statement, given, fails = FALSE[name]
    assert fails()
    assert judge(statement, given=given).verdict not in STANDING


def test_what_fails_for_the_example_is_refuted():
    refuted = ["another limit", "half the bound", "falls to no bound"]
    assert [judge(FALSE[name][0], given=FALSE[name][1]).verdict for name in refuted] == [Verdict.REFUTED] * 3


@pytest.mark.parametrize(
    "where",
    [both(lt(s(n + 1), s(n) - 1), ge(s(n), 0), eq(z, s(n))), both(eq(z, s(n)), eq(s(0), z + 1))],
    ids=str,
)
def test_what_can_hold_of_some_numbers_only_says_nothing_of_the_limit(where):
    """The first falls for a while, as no sequence does for ever."""
    assert judge(limit_superior(-s(n), n, 0, by=0, where=both(where, ge(s(n), 0)))).verdict not in STANDING


def test_an_example_reaches_its_limit_and_can_be_met():
    """1/(n + 1) does not reach 0, and nothing is both 2 and 3."""
    late = has_limit(s(n), n, 0, such_as={s: 1 / (n + 1)})
    assert judge(has_limit(2 * s(n), n, 0), given=[late]).verdict not in STANDING
    nowhere = replace(HALVED, where=both(eq(limit, 2), eq(limit, 3)))
    conclusion = in_the_limit(eq(limit, 2), n, because=eq(s(n + 1), s(n) / 2 + 1))
    assert judge(conclusion, given=[nowhere, TENDS]).verdict is Verdict.UNDECIDED
    assert judge(conclusion, given=[replace(HALVED, where=None), TENDS]).verdict not in STANDING


arms = IndexSet("arm", "arms", "i")
coordinate = real("c", "[0, 1]", "a share", indexed=arms)
first_numbers = whole("j", "[0, 5]", "one of a few numbers")


@pytest.mark.parametrize(
    ("statement", "given", "message"),
    [
        (has_limit(t(n), n, limit), [TENDS], "no limit of t"),
        (has_limit(s(n) * n, n, limit), [TENDS], "no limit of n is supposed"),
        (has_limit(Apply("sign", (s(n),)), n, Apply("sign", (limit,))), [TENDS], "or it may jump"),
        (has_limit(jumping(s(n)), n, jumping(limit)), [TENDS], "or it may jump"),
        (has_limit(on_support(s(n), s(n) + 1), n, limit + 1), [TENDS], "or it may jump"),
        (has_limit(s(n * n), n, limit), [TENDS], "no limit of s"),
        (has_limit(sum_of(s(m), m, 0, n), n, limit), [TENDS], "no limit of sum"),
        (has_limit(s(5 - n), n, limit), [TENDS], "no limit of s"),
    ],
)
def test_what_is_not_supposed_to_tend_is_refused(statement, given, message):
    with pytest.raises(UnsupportedError, match=message):
        expand(statement, given)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: expand(has_limit(s(n), n, limit), [TENDS, le(n, 3)]), "hypotheses restrict n, which grows"),
        (lambda: expand(implies(eq(n, 0), has_limit(s(n), n, limit)), [TENDS]), "hypotheses restrict n, which grows"),
        (lambda: expand(gt(s(n), 0), [TENDS, has_limit(s(n), n, other)]), "supposed to tend to L, and to M"),
        (lambda: expand(gt(s(n), 0), [has_limit(s(n), n, limit)]), "give an example of s"),
        (lambda: expand(gt(s(n), 0), [has_limit(2 * s(n), n, limit)]), "the limit of a sequence at n can be supposed"),
        (lambda: expand(gt(s(n), 0), [has_limit(s(n), n, limit, by=limit, such_as={s: 0})]), "leave out by"),
        (lambda: expand(has_limit(s(n), n, limit), [has_limit(s(m), m, n, such_as={s: 0})]), "speaks of n, which"),
        (lambda: has_limit(s(n), n, n), "n depends on n"),
        (lambda: has_limit(s(n), x, limit), "runs along all whole numbers"),
        (lambda: has_limit(first_numbers + x, first_numbers, limit), "runs along all whole numbers"),
        (lambda: has_limit(Total(coordinate) + coordinate, n, limit), "about an element of a set"),
        (lambda: has_limit(Derivative(z**2, z), n, limit), "has a derivative"),
        (lambda: has_limit(s(n), n, limit, such_as={s: t(n)}), "an example of s is a known function"),
        (lambda: limit_superior(s(n), n, n, by=s(n)), "n depends on n"),
        (lambda: limit_superior(s(n), n, 0, by=s(n), where=gt(z, 0)), "relations that speak of it"),
        (lambda: expand(limit_superior(s(n), n, 1, by=1, where=le(s(n), z)), [le(z, 1)]), "stands in where"),
        (
            lambda: expand(
                limit_superior(t(n), n, 0, by=0, where=both(eq(z, n), eq(t(n), s(n)))),
                [for_every(n, le(s(n), z), such_as={s: z})],
            ),
            "speaks of z, which the statement binds",
        ),
        *(
            (lambda where=where: premises(limit_superior(n * 1, n, 5, by=5, where=where), []), "compares n itself")
            for where in (lt(n, 5), both(gt(z, n), lt(z, 5)), both(lt(n, 3), eq(z, s(n))), lt(sum_of(m, m, 0, n), 9))
        ),
        (
            lambda: premises(
                limit_superior(s(n), n, 0, by=0, where=both(eq(z, t(n)), lt(z, 5), le(s(n), 0))),
                [for_every(n, eq(t(n), n), such_as={t: n})],
            ),
            "or an example that depends on it",
        ),
        (lambda: rises_to_a_limit(s(n), n, at_most=n), "n depends on n"),
        (lambda: in_the_limit(gt(s(n), 0), n, because=gt(s(n), 0)), "depends on n"),
        (lambda: in_the_limit(gt(limit, 0), n, because=ne(s(n), 0)), "only equations and inequalities"),
        (lambda: in_the_limit(gt(limit, 0), n, because=either(gt(s(n), 0), gt(s(n), 1))), "only equations and inequ"),
        (lambda: in_the_limit(TENDS, n, because=gt(s(n), 0)), "a relation or a combination"),
        (lambda: for_every(n, gt(s(n), 0), such_as={s: 1}, where=gt(n, 0)), "where examples are like this"),
        (lambda: for_every(n, gt(s(n), 0), such_as={s: 1}, where=gt(t(0), 0)), "where examples are like this"),
    ],
)
def test_what_cannot_be_meant_is_refused(make, message):
    with pytest.raises(DeclarationError, match=message):
        make()


def test_a_lemma_is_used_only_under_what_it_supposes():
    by_more = replace(NEVER_FALLS, body=le(s(n), s(n + 1) + 1))
    for given in ([TENDS], [by_more, TENDS]):
        judgement = judge(replace(STAYS, given=tuple(given)))
        assert judgement.verdict is Verdict.UNDECIDED
        assert "uses s.later, which supposes that for every n" in judgement.evidence[0].note
    moved = claim("s.moved", "Above a letter", ge(s(n), z), given=[for_every(n, ge(s(n), z), such_as={s: z})])
    with pytest.raises(DeclarationError, match=r"claim s\.moved supposes of z that for every n"):
        moved.at({z: 2})
    other_example = replace(NEVER_FALLS, such_as=((s, limit - maximum(1 - n, 0)),))
    assert judge(replace(STAYS, given=(other_example, replace(TENDS, such_as=())))).verdict is Verdict.DECIDED


def test_what_follows_in_the_limit_is_a_lemma():
    used = claim("s.used", "Below", le(s(0), limit), given=[NEVER_FALLS, TENDS], using=[STAYS.at({m: 0})])
    assert judge(used).verdict is Verdict.DECIDED
    assert judge(replace(used, using=())).verdict not in STANDING


def test_they_are_printed():
    said = [in_the_limit(le(limit, 0), n, because=le(s(n), 0)), MISSED, TENDS, TRUE[7][0], TRUE[5][0]]
    assert [statement_text(one) for one in said] == [
        "L ≤ 0, from s(n) ≤ 0 as n → ∞",
        "lim sup |u(n) - M| ≤ D as n → ∞, by the limit of s(n) + |t(n) - M|, which is no less for every n",
        "s(n) → L as n → ∞ (such as s(n) = L)",
        "s(n) has a limit as n → ∞: it never falls and is ≤ 3",
        "u(n) → M as n → ∞, off by at most |s(n) - L| + |t(n) - M|, which tends to 0",
    ]
    assert statement_latex(TENDS) == r"$s(n)$ tends to $L$ as $n \to \infty$ (such as $s(n) = L$)"
    assert statement_latex(said[0]) == (
        r"$L \leq 0$: for every $n$ $s(n) \leq 0$, which passes on to the limits as $n \to \infty$"
    )
    assert statement_latex(HALVED).endswith("(such as $s(n) = L$ where $L = 2$)")
    assert statement_tree(TENDS) == ["sequence-limit", ["unknown", "s", "n", 0], "n", "L", None, [["=", *_TREE]]]
    assert isinstance(TENDS, SequenceLimit)


_TREE = [["unknown", "s", "n", 0], "L"]
