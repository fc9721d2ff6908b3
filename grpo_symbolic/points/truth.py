"""Truth of elementary statements at points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from grpo_symbolic.errors import UndefinedError, UnsupportedError
from grpo_symbolic.language.folding import fold
from grpo_symbolic.language.statement import Relation, Statement
from grpo_symbolic.points.breaks import with_exact_signs
from grpo_symbolic.translate.arithmetics import certain_sign
from grpo_symbolic.translate.multiprecision import Difference, difference
from grpo_symbolic.translate.program import Point, Program

_SIGNS = {"=": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
#: Balls of so many bits decide most relations at most points.
_QUICK = 64

_Test: TypeAlias = Callable[[], bool]


class Truth:
    """Truth of elementary statements at points, to a number of digits; compiled relations are kept."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self._programs: dict[Relation, Program] = {}
        self._point: Point | None = None
        self._found: dict[tuple[Relation, int], Difference] = {}

    def program(self, relation: Relation) -> Program:
        """The two sides of a relation, compiled once."""
        known = self._programs.get(relation)
        if known is None:
            known = self._programs[relation] = _compiled(relation)
        return known

    def compare(self, relation: Relation, point: Point, start: int = 0) -> tuple[bool, Difference]:
        """Whether the relation holds at the point, and the difference of its sides.

        Raises:
            UndefinedError: where a side has no value.
            OutOfReachError: where the digits do not suffice.
        """
        if point is not self._point:
            self._point, self._found = point, {}
        found = self._found.get((relation, start))
        if found is None:
            found = self._found[relation, start] = self._difference(relation, point, start)
        return found.sign in _SIGNS[relation.operator], found

    def _difference(self, relation: Relation, point: Point, start: int) -> Difference:
        thorough = relation.operator != "="
        try:
            return difference(self.program(relation), point, self.digits, thorough=thorough, start=start)
        except UndefinedError:
            # At a break rounded numbers do not tell a sign; exact ones may.
            left, right = (with_exact_signs(side, point) for side in (relation.left, relation.right))
            if (left, right) == (relation.left, relation.right):
                raise
            return difference(Program((left, right)), point, self.digits, thorough=thorough, start=start)

    def holds(self, statement: Statement, point: Point, start: int = 0) -> bool:
        """Whether an elementary statement holds at the point; an undefined part decides nothing.

        Raises:
            UndefinedError, OutOfReachError: if the truth depends on a part without a value.
        """
        return _holds(statement, lambda relation: self.compare(relation, point, start)[0])

    def holds_quickly(self, statement: Statement, point: Point) -> bool:
        """As ``holds``, but a relation that balls of few bits decide is not evaluated again."""

        def test(relation: Relation) -> bool:
            sign = certain_sign(self.program(relation), point, _QUICK)
            return self.compare(relation, point)[0] if sign is None else sign in _SIGNS[relation.operator]

        return _holds(statement, test)


@lru_cache(maxsize=1024)
def _compiled(relation: Relation) -> Program:
    """The sides of a relation; the same hypotheses are met in many obligations."""
    return Program((relation.left, relation.right))


def _holds(statement: Statement, test: Callable[[Relation], bool]) -> bool:
    """Whether a statement holds: its relations are tested as far as they are needed."""
    if isinstance(statement, Relation):
        return test(statement)

    def tested(relation: Relation) -> _Test:
        return lambda: test(relation)

    def agree(left: _Test, right: _Test) -> _Test:
        return lambda: left() == right()

    whole: _Test = fold(
        statement,
        tested,
        every=lambda parts: _denied(_one_of([_denied(part) for part in parts])),
        some=_one_of,
        implies=lambda premise, conclusion: _one_of((_denied(premise), conclusion)),
        equivalent=agree,
    )
    return whole()


def _denied(test: _Test) -> _Test:
    return lambda: not test()


def _one_of(tests: Sequence[_Test]) -> _Test:
    return lambda: _some(tests)


def _some(tests: Iterable[_Test]) -> bool:
    """Whether one test is true; one that has no answer matters only if none is."""
    failure: UndefinedError | UnsupportedError | None = None
    for test in tests:
        try:
            if test():
                return True
        except (UndefinedError, UnsupportedError) as error:
            failure = error
    if failure is not None:
        raise failure
    return False
