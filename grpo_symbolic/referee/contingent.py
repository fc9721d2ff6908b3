"""Which equations a paper without a map can only mean for all values of their letters, so that failing is an error.

An equation between letters that nobody declared may be a condition, say what a letter is, or be about particular
values; that it fails somewhere is then no error. Only what has the same letters on both sides, and no letter for a
side, is taken to be asserted for all values; what begins a chain with an inequality, only if no sampled point makes it
true. Later sides of a chain may lack letters that have cancelled. Printed decimals stand for all numbers that round to
them, and so does a whole number of three digits that is a side by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Evidence, Verdict
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, as_expression, free_symbols, rebuild
from grpo_symbolic.language.statement import Relation, substitute_statement, symbols_of
from grpo_symbolic.language.vocabulary import arctan, log, real
from grpo_symbolic.obligations.obligation import WELL_DEFINED
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.reading.tex.tree import Atom, walk
from grpo_symbolic.referee.findings import GUESSED, KIND_UNKNOWN, Finding, Status
from grpo_symbolic.translate.ranges import decide_by_range

#: The codes of what fails somewhere and may be meant for some values only, of numbers that may have been rounded, and
#: of logarithms that may have another base than e.
CONTINGENT, ROUNDED, BASE = "contingent", "rounded", "base"
_MAY_BE_CONDITION = "fails at the point that is given, but may be a condition, or say what a letter is"
_MAY_BE_ROUNDED = "fails for the numbers as printed, which may have been rounded"
_MAY_HAVE_BASE = "fails for natural logarithms, but not for those to the base 2 or 10; print the base, or \\ln"
_MAY_BE_COMPLEMENT = "fails in general, but not where q = 1 - p, as these letters often mean"
_MAY_BE_GIVEN = "fails in general, but not for the numbers that the paper says some of its letters are"
_MAY_BE_PI = "fails in general, but not where \\pi is half a turn, as it often is; say so in a map"
_BASES = (2, 10)
#: Enough to see whether an equation may hold.
_SHORTLY = Settings(digits=30, points=20, effort=500, boxes=200, hunt=False)
#: A whole number from here on may have been rounded, and decimals of more than these places are not.
_LARGE, _PLACES = 100, 9


def in_doubt(finding: Finding, outcome: InterpretedStep | None, others: Sequence[InterpretedStep] = ()) -> Finding:
    """The finding on a paper without a map, where what fails somewhere may still be meant for particular values.

    ``others`` are the steps of the paper: one of them may say what a letter is.
    """
    if finding.status is not Status.NOT_AN_IDENTITY or finding.code not in (GUESSED, KIND_UNKNOWN):
        return finding
    if outcome is None or outcome.read is None:
        return finding
    instances = outcome.read.instances
    if all(_is_about_numbers(one) for one in instances):
        doubt = (ROUNDED, _MAY_BE_ROUNDED) if any(map(_may_be_rounded, instances)) else None
        if doubt is None and any(_may_have_base(one, outcome.step) for one in instances):
            doubt = (BASE, _MAY_HAVE_BASE)
    elif all(_for_all(one, outcome.step.index, finding.failing) for one in instances):
        usual = _as_usual(instances, _given_values(instances, others))
        doubt = (CONTINGENT, usual) if usual is not None else None
    else:
        doubt = (CONTINGENT, _MAY_BE_CONDITION)
    if doubt is None:
        return finding
    return replace(finding, status=Status.UNDECIDED, code=doubt[0], reason=doubt[1], repair=None)


def _for_all(one: Instance, index: int, failing: tuple[int, int] | None) -> bool:
    """Whether nothing but an assertion for all values of its letters is printed so."""
    left, right = set(free_symbols(one.left)), set(free_symbols(one.right))
    if one.whole is not None or not left or not right:
        return False
    if index > 1:
        return left <= right or right <= left
    everywhere = one.operator == "=" or (failing is not None and failing[0] == failing[1])
    return left == right and everywhere and not any(isinstance(side, Symbol) for side in (one.left, one.right))


def _usual_values(one: Instance) -> Iterator[tuple[str, Mapping[Symbol, Expression]]]:
    """What letters often mean: probabilities of opposites, half a turn; each with the reason for doubt."""
    letters = {symbol.name: symbol for symbol in symbols_of(one.statement)}
    pairs = [(name, f"q{name[1:]}") for name in letters if name[0] == "p" and f"q{name[1:]}" in letters]
    if pairs:
        fresh = {name: real(name, "(0, 1)", "a probability") for name, _ in pairs}
        opposite = {letters[other]: 1 - fresh[name] for name, other in pairs}
        yield _MAY_BE_COMPLEMENT, opposite | {letters[name]: fresh[name] for name, _ in pairs}
    if "pi" in letters:
        yield _MAY_BE_PI, {letters["pi"]: 4 * arctan(as_expression(1))}


def _given_values(instances: Sequence[Instance], others: Iterable[InterpretedStep]) -> Mapping[Symbol, Expression]:
    """The numbers that the paper says some letters of a relation are, in any of its steps."""
    wanted = {symbol for one in instances for symbol in symbols_of(one.statement)}
    equations = (each for other in others if other.read is not None for each in other.read.instances)
    return {
        each.left: each.right
        for each in equations
        if isinstance(each.left, Symbol) and each.left in wanted and each.operator == "=" and not each.hypotheses
        if each.whole is None and not free_symbols(each.right)
    }


def _as_usual(instances: Sequence[Instance], given: Mapping[Symbol, Expression]) -> str | None:
    """The reason to doubt that a relation fails: it holds, as far as is seen, for what its letters often mean.

    Or it does for what they are ``given`` to be.
    """
    for one in instances:
        for reason, values in (*_usual_values(one), *([(_MAY_BE_GIVEN, given)] if given else [])):
            try:
                judged = judge_statement(substitute_statement(one.statement, values), (), _SHORTLY, "step")
            except (GrpoSymbolicError, ArithmeticError, RecursionError):
                continue
            holds = judged.verdict in (Verdict.PROVED, Verdict.DECIDED, Verdict.SUPPORTED)
            # What the paper says itself needs no more than that it does not fail where it has a value.
            if holds or (reason == _MAY_BE_GIVEN and not any(map(_fails, judged.evidence))):
                return reason
    return None


def _fails(item: Evidence) -> bool:
    return item.verdict is Verdict.REFUTED and not item.obligation.endswith(WELL_DEFINED)


# Numbers.


def _is_about_numbers(one: Instance) -> bool:
    return one.whole is None and not free_symbols(one.left) and not free_symbols(one.right)


def _may_be_rounded(one: Instance) -> bool:
    """Whether some numbers that round to those that are printed make it true, as far as ranges tell."""
    fresh = count()

    def widened(side: Expression, *, alone: bool) -> Expression:
        if isinstance(side, Number):
            half = _half_unit(side.value, alone=alone)
            if not half:
                return side
            domain = f"[{side.value - half}, {side.value + half}]"
            return real(f"printed_{next(fresh)}", domain, "a number that rounds to the one that is printed")
        return rebuild(side, tuple(widened(child, alone=False) for child in side.children))

    left, right = widened(one.left, alone=True), widened(one.right, alone=True)
    return next(fresh) > 0 and decide_by_range(Relation(left, one.operator, right)) is None


def _may_have_base(one: Instance, step: PrintedStep) -> bool:
    """Whether ``\\log`` without a base is printed, and some other base than e does not make the numbers fail."""
    printed = [*walk((*step.left, *step.right))]
    bare = {node.text for node in printed if isinstance(node, Atom)}
    if r"\log" not in bare or r"\ln" in bare:
        return False

    def rebased(side: Expression, base: int) -> Expression:
        inner = rebuild(side, tuple(rebased(child, base) for child in side.children))
        natural = isinstance(inner, Apply) and inner.operator == "log"
        return inner / log(Number(Fraction(base))) if natural else inner

    others = (Relation(rebased(one.left, base), one.operator, rebased(one.right, base)) for base in _BASES)
    return any(decide_by_range(other) is not False for other in others)


def _half_unit(value: Fraction, *, alone: bool) -> Fraction:
    """Half a unit of the last decimal of a number, 0 if it is printed exactly."""
    for places in range(1, _PLACES):
        if value.denominator != 1 and (value * 10**places).denominator == 1:
            return Fraction(1, 2 * 10**places)
    return Fraction(1, 2) if alone and value.denominator == 1 and abs(value) >= _LARGE else Fraction(0)
