"""Few points first, all of them where nothing is decided: no verdict differs from that of looking at all at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from judging_here import judged_by
from test_false_statements import KINDS, false_statements  # noqa: F401 - a fixture

from grpo_symbolic import Statement, cosh, eq, exp, ge, gt, lt, rational, real
from grpo_symbolic.checks import numeric
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.evidence import AWARDED, Verdict
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.judge import judge_claim, judge_statement
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.language.expression import Apply, Expression
from grpo_symbolic.language.statement import Relation
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth

STAGED = Settings(points=60, first_points=25)
AT_ONCE = replace(STAGED, first_points=STAGED.points)
x = real("x", "(-2, 2)", "a number")
y = real("y", "(0, oo)", "a positive number")
v = real("v", "(0, 1)", "a share of each output", indexed=True)


def sin(argument: Expression) -> Expression:
    return Apply("sin", (argument,))


def points_of(found: Judgement) -> set[int]:
    return {item.points for item in found.evidence if item.method == numeric.METHOD and item.points is not None}


@pytest.mark.parametrize("statement", [ge(x**2, 0), eq((x + 1) ** 2, x**2 + 2 * x + 1), ge(exp(x), 1 + x)], ids=str)
def test_what_is_decided_was_looked_at_little(statement: Statement) -> None:
    found = judge_statement(statement, (), STAGED, "decided")
    assert found.verdict is Verdict.DECIDED
    assert points_of(found) == {STAGED.first_points}
    assert points_of(judge_statement(statement, (), AT_ONCE, "decided")) == {STAGED.points}


class Samples(Searcher):
    """A search that has nothing but samples."""

    def methods(self, obligation):
        return iter(())

    def counterexample(self, obligation, found, quiet):
        return None


def test_what_rests_on_samples_rests_on_all_of_them() -> None:
    found = judged_by(Samples(STAGED), lt(sin(y) + sin(2 * y), rational(19, 10)))
    assert found.verdict is Verdict.SUPPORTED
    assert points_of(found) == {STAGED.points}


def test_what_fails_is_looked_at_in_full() -> None:
    found = judge_statement(lt(x, 1), (), STAGED, "false")
    assert found.verdict is Verdict.REFUTED
    assert points_of(found) == {STAGED.points}


def test_first_points_are_among_all() -> None:
    given = (gt(x, -1), lt(x * y, 3))
    for totals, symbols in ((False, (x, y)), (True, (x, y, v))):
        few, all_ = (satisfying(given, symbols, totals, Truth(20), count, 7).points for count in (25, 60))
        assert len(few) == 25
        assert len(all_) == 60
        alone = [point for point in few if point.outputs == 1]
        assert [point for point in few if point not in alone] == list(all_[: 25 - len(alone)])


def test_a_failure_beyond_the_first_points_counts() -> None:
    """The first points agree, and one of the others does not: such a statement must not be supported."""
    points = satisfying((), (x,), False, Truth(STAGED.digits), STAGED.points, STAGED.seed).points
    late = points[STAGED.first_points + 7].values["x"]
    assert late not in [point.values["x"] for point in points[: STAGED.first_points]]
    found = judged_by(Samples(STAGED), Relation(x, "!=", rational(late.numerator, late.denominator)))
    assert found.verdict is Verdict.REFUTED
    (sampled,) = [item for item in found.evidence if item.method == numeric.METHOD]
    assert sampled.failing == 1


def test_evidence_says_how_many_points() -> None:
    found = judge_statement(ge(cosh(x), 1), (), STAGED, "said")
    (sampled,) = [item for item in found.evidence if item.method == numeric.METHOD]
    assert sampled.note == f"holds at {STAGED.first_points} of {STAGED.first_points} points"


def test_nothing_is_sampled_twice_where_there_is_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    check = numeric.check

    def counted(obligation: Obligation, settings: Settings, fewest: int):
        counts.append(settings.points)
        return check(obligation, settings, fewest)

    monkeypatch.setattr(numeric, "check", counted)
    judge_statement(lt(sin(y) + sin(2 * y), rational(19, 10)), (), AT_ONCE, "once")
    assert counts == [AT_ONCE.points]


def test_what_is_proved_is_looked_at_little_whatever_digits_reach() -> None:
    """Of a solution set of one point, and beyond the reach of digits, all points together say no more of a proof."""
    alone = Obligation("claim", (eq(x**3, x / 2 - 1),), eq(x**3 + 1, x / 2))
    found = Searcher(STAGED).sample(alone, proved=True)
    assert (found.verdict, found.points) == (Verdict.SUPPORTED, 1)
    assert Searcher(STAGED).sample(alone).verdict is Verdict.UNDECIDED
    false = Obligation("claim", (), lt(x, 1))
    assert Searcher(STAGED).sample(false, proved=True).verdict is Verdict.REFUTED


def verdicts(claim: Claim, settings: Settings) -> tuple[Verdict, Verdict | None]:
    alone, printed = judge_claim(bare(claim), settings)
    return alone.verdict, None if printed is None else printed.verdict


def both_ways(claim: Claim) -> tuple[str, object, object]:
    """The verdicts on a claim and its quote with few points first and with all at once, at the report's strength."""
    settings = Settings()
    return claim.id, verdicts(claim, settings), verdicts(claim, replace(settings, first_points=settings.points))


def of_mutants(claim: Claim) -> tuple[str, object, object]:
    """The same of what three slips make of a claim."""
    from test_mutants import seeded

    given, lemmas = hypotheses_and_lemmas(claim)
    staged, at_once = [], []
    for mutant in seeded(claim.id, 3):
        if mutant.statement is None:
            continue
        for found, first in ((staged, Settings().first_points), (at_once, Settings().points)):
            settings = Settings(effort=2_000, boxes=1_000, first_points=first)
            try:
                judged = judge_statement(mutant.statement, given, settings, mutant.name, lemmas=lemmas)
                found.append(judged.verdict)
            except Exception as error:
                found.append(type(error))
    return claim.id, staged, at_once


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_no_verdict_of_the_library_differs(library, workers) -> None:
    # What a proof is kept of is not sampled in stages; the solvers judge some of it here all the same.
    claims = [bare(library.claims[id]) for id in sorted(library.claims)[::16]]
    differing = [found for found in workers.map(both_ways, claims, chunksize=4) if found[1] != found[2]]
    assert differing == []


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_no_verdict_on_a_mutant_differs(workers) -> None:
    from test_mutants import SUBJECTS

    claims = [bare(SUBJECTS[id]) for id in sorted(SUBJECTS)[::64]]
    found = list(workers.map(of_mutants, claims, chunksize=1))
    assert [item for item in found if item[1] != item[2]] == []
    assert sum(verdict in AWARDED for _, staged, _ in found for verdict in staged) > len(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_verdict_on_a_false_statement_differs(kind, false_statements) -> None:  # noqa: F811
    quick = replace(false_statements.QUICK, points=200)
    for claim in list(false_statements.claims_of(kind, 13, 10))[3:]:
        found = [
            verdicts(claim, replace(quick, first_points=first))
            for first in (Settings().first_points, Settings().points)
        ]
        assert found[0] == found[1], claim.id
