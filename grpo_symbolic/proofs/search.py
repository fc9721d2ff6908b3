"""Search reasons for goals, short ones first. Nothing of it is believed; proofs by them are tried on the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.checks.proposals.semidefinite import Budget
from grpo_symbolic.errors import GrpoSymbolicError, UndefinedError, UnsupportedError
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Symbol, free_symbols, walk
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import MIRRORED, Relation, Statement, assignments, expressions_of, relations_of
from grpo_symbolic.proofs.goal import Goal, open_relation
from grpo_symbolic.proofs.reason import (
    Cases,
    Contrary,
    Difference,
    Given,
    Instead,
    Put,
    Ranges,
    Reason,
    Same,
    Sign,
    Term,
    contrary,
    follows,
    put,
)
from grpo_symbolic.proofs.ring import Ring, are_equal, decide_by_range
from grpo_symbolic.proofs.terms import Terms
from grpo_symbolic.proofs.walks import along
from grpo_symbolic.translate.algebra import Polynomial

#: How deep case distinctions may be nested, how many values may be put in, and how long an expression for one may be.
_DEEPEST, _MOST_VALUES, _LONGEST_VALUE = 3, 6, 60
#: So many hypotheses are tried as what would fail.
_MOST_CONTRARY = 2
#: What it costs to put everything into a ring, and to compare two expressions.
_RING, _COMPARISON = 4, 1
_USUAL_EFFORT, _MOST_EFFORT = 50, 28
#: What is spent, beside that, before cases are told apart.
_WITHOUT_CASES = 8
#: Longer inequalities with these functions, and longer hypotheses, are left alone unless the latter say the former.
_STRANGE = frozenset(("exp", "log", "cosh", "sinh", "tanh"))
_LONGEST, _LONGEST_HYPOTHESIS = 60, 120
#: Larger coefficients are for machines.
_LONGEST_NUMBER = 10**9


def reason_for(goal: Goal, effort: Budget | None = None, most: int = _MOST_EFFORT) -> Reason | None:
    """A reason for a goal, or None; of an ``effort`` so much is spent at ``most``."""
    whole = Budget(_USUAL_EFFORT) if effort is None else effort
    effort = Budget(min(most, whole.left))
    given = effort.left
    if given <= 0:
        return None
    if goal.relation in goal.relations:
        # What is a hypothesis as it stands needs no looking into, however long it is.
        return Given(goal.relation, goal.relation)
    said = [one for one in goal.hypotheses if goal.relation in relations_of(one)]
    whole_goal = goal
    try:
        if not said and _is_long(goal.relation):
            # Rings of long relations are compared, but nothing is looked for in them.
            found: Reason | None = _given(goal, effort)
        else:
            goal = without_long(goal, said)
            found = _found(goal, effort, 0)
        if found is None or _is_clumsy(found):
            found = _in_numbers(whole_goal) or found
        return found
    except (GrpoSymbolicError, ArithmeticError):
        # What cannot be looked into has no reason.
        return None
    finally:
        whole.spend(given - max(effort.left, 0))


def without_long(goal: Goal, said: Sequence[Statement] = ()) -> Goal:
    """A goal without long hypotheses, but for those that say it."""
    kept = (one for one in goal.hypotheses if one in said or _nodes(one) <= _LONGEST_HYPOTHESIS)
    return Goal(tuple(kept), goal.relation)


def _is_clumsy(reason: Reason) -> bool:
    """Whether a sum of terms has coefficients that nobody would multiply out."""
    match reason:
        case Difference(_, terms):
            whys = [sign.why for term in terms for sign, _ in term.factors]
            numbers = [number for term in terms for number in term.coefficient.as_integer_ratio()]
            nested = (why for why in whys if isinstance(why, Difference))
            return any(abs(number) > _LONGEST_NUMBER for number in numbers) or any(map(_is_clumsy, nested))
    return False


def _in_numbers(goal: Goal) -> Reason | None:
    """What ranges show: the relation, or that a hypothesis fails."""
    relation = goal.relation
    if decide_by_range(relation):
        return Ranges(relation)
    found: Reason | None = _by_equation(goal) or along(relation)
    if found is not None:
        return found
    for hypothesis in goal.relations:
        against = negated(hypothesis)
        why = Ranges(against) if decide_by_range(against) else along(against)
        if why is not None:
            return Contrary(relation, hypothesis, why)
    return None


def _by_equation(goal: Goal) -> Reason | None:
    """That the left side is what an equation among the hypotheses says, the range of which shows it."""
    relation = goal.relation
    for equation in goal.relations:
        for this, other in ((equation.left, equation.right), (equation.right, equation.left)):
            then = Relation(other, relation.operator, relation.right)
            if equation.operator == "=" and this == relation.left and decide_by_range(then):
                return Instead(relation, equation, Ranges(then))
    return None


def _is_long(relation: Relation) -> bool:
    """Whether no few lines will show an inequality: of long ones with exponentials only ranges are told."""
    nodes = [node for side in (relation.left, relation.right) for node in walk(side)]
    strange = any(isinstance(node, Apply) and node.operator in _STRANGE for node in nodes)
    return relation.operator != "=" and strange and len(nodes) > _LONGEST


def _nodes(statement: Statement) -> int:
    return sum(1 for side in expressions_of(statement) for _ in walk(side))


def _found(goal: Goal, effort: Budget, depth: int) -> Reason | None:
    relation = goal.relation
    if decide_by_range(relation):
        return Ranges(relation)
    for hypothesis in goal.relations:
        if decide_by_range(negated(hypothesis)):
            return Contrary(relation, hypothesis, Ranges(negated(hypothesis)))
    known = _given(goal, effort) or _on_both_sides_of_zero(goal)
    if known is not None:
        return known
    on = open_relation(goal) if depth < _DEEPEST else None
    if on is not None:
        # A combination among the hypotheses, as lemmas are, need not be used.
        unused = depth == 0 and open_relation(Goal(goal.relations, relation)) is None
        found = _direct(goal, effort) if unused else _without_cases(goal, effort, depth)
        return found or _with_known_value(goal, on, effort, depth) or _in_cases(goal, on, effort, depth)
    found = _direct(goal, effort)
    if found is not None:
        return found
    values = _values(goal)
    if values:
        then = _found(put(goal, values), effort, depth + 1)
        if then is not None:
            return Put(relation, values, then)
    return None if depth > 2 else _by_contrary(goal, effort, depth)


def _given(goal: Goal, effort: Budget) -> Reason | None:
    """That a hypothesis says it, up to a factor of one sign."""
    relation = goal.relation
    about = set(free_symbols(relation.left) + free_symbols(relation.right))
    for hypothesis in goal.relations:
        if set(free_symbols(hypothesis.left) + free_symbols(hypothesis.right)) >= about and (
            hypothesis == relation
            or (effort.spend(_COMPARISON) and follows(hypothesis, difference(relation), relation.operator))
        ):
            return Given(relation, hypothesis)
    return None


def _without_cases(goal: Goal, effort: Budget, depth: int) -> Reason | None:
    """A reason that needs none of the combinations among the hypotheses, and absolute values as they stand."""
    bare = Goal(goal.relations, goal.relation)
    return _direct(bare, Budget(min(_WITHOUT_CASES, effort.left))) if depth == 0 else None


def _on_both_sides_of_zero(goal: Goal) -> Reason | None:
    """That a hypothesis compares one side with 0, and the domains the other one: so limits follow from their rates."""
    left, right, operator = goal.relation.left, goal.relation.right, goal.relation.operator
    if operator not in MIRRORED or ZERO in (left, right):
        return None
    weak = operator[0] + "="
    for first, second in ((operator, MIRRORED[weak]), (weak, MIRRORED[operator])):
        shown = (decide_by_range(Relation(left, first, ZERO)), decide_by_range(Relation(right, second, ZERO)))
        known = [any(follows(one, side, to) for one in goal.relations) for side, to in ((left, first), (right, second))]
        if (shown[0] and known[1]) or (known[0] and shown[1]):
            terms = (Term(Fraction(1), ((Sign(left, first), 1),)), Term(Fraction(-1), ((Sign(right, second), 1),)))
            return Difference(goal.relation, terms)
    return None


def _with_known_value(goal: Goal, on: Relation, effort: Budget, depth: int) -> Reason | None:
    """A value that a hypothesis gives to what a case distinction would be about may decide it."""
    about = free_symbols(on.left) + free_symbols(on.right)
    known = (value for item in goal.relations for value in assignments(item) if value[0] in about)
    value = next(known, None)
    then = None if value is None else _found(put(goal, (value,)), effort, depth)
    return None if value is None or then is None else Put(goal.relation, (value,), then)


def _in_cases(goal: Goal, on: Relation, effort: Budget, depth: int) -> Reason | None:
    if not effort.spend(_RING):
        return None
    where = _found(goal.assuming(on), effort, depth + 1)
    elsewhere = None if where is None else _found(goal.assuming(negated(on)), effort, depth + 1)
    return None if where is None or elsewhere is None else Cases(goal.relation, on, where, elsewhere)


def _by_contrary(goal: Goal, effort: Budget, depth: int) -> Reason | None:
    if goal.relation.operator == "=":
        return None
    inequalities = [item for item in goal.relations if item.operator not in ("=", "!=")]
    for hypothesis in inequalities[:_MOST_CONTRARY]:
        found = _direct(contrary(goal, hypothesis), effort)
        if found is not None:
            return Contrary(goal.relation, hypothesis, found)
    return None


def _direct(goal: Goal, effort: Budget) -> Reason | None:
    """That both sides are the same, or that the signs of terms show the relation."""
    relation = goal.relation
    if relation.operator == "=" and are_equal(relation.left, relation.right, goal.hypotheses):
        return Same(relation)
    for relations in dict.fromkeys((goal.relations, ())):
        if not effort.spend(_RING):
            return None
        try:
            ring = Ring([difference(relation), *map(difference, relations)])
        except (UndefinedError, UnsupportedError):
            if not relations:
                return None
            continue
        value = ring.values[0]
        if ring.form.cleared(value).is_zero():
            return Same(relation) if relation.operator in ("<=", ">=") else None
        terms = Terms(ring, relations, ring.values[1:], effort).showing(value, relation.operator)
        return None if terms is None else Difference(relation, terms)
    return None


def _values(goal: Goal) -> tuple[tuple[Symbol, Expression], ...]:
    """What symbols are by the equations among the hypotheses."""
    found: list[tuple[Symbol, Expression]] = []
    for _ in range(_MOST_VALUES):
        value = next(_solutions(goal), None)
        if value is None:
            break
        found.append(value)
        goal = put(goal, (value,))
    return tuple(found)


def _solutions(goal: Goal) -> Iterator[tuple[Symbol, Expression]]:
    equations = [item for item in goal.relations if item.operator == "="]
    for equation in equations:
        yield from assignments(equation)
    yield from filter(None, map(_solution, equations))


@lru_cache(maxsize=2**10)
def _solution(equation: Relation) -> tuple[Symbol, Expression] | None:
    """The first symbol in which an equation is linear, and what it is then."""
    try:
        ring = Ring([difference(equation)])
        polynomial = ring.values[0].numerator
        for place, symbol in enumerate(ring.form.symbols):
            value = linear(ring, polynomial, place)
            if value is not None and symbol not in free_symbols(value):
                return symbol, value
    except (UndefinedError, UnsupportedError):
        pass
    return None


def linear(ring: Ring, polynomial: Polynomial, place: int) -> Expression | None:
    """What a generator is where a polynomial that is linear in it vanishes."""
    if polynomial.degrees()[place] != 1:
        return None
    context = ring.form.context
    slope, rest = context.constant(0), context.constant(0)
    for powers, coefficient in polynomial.terms():
        low = tuple(0 if at == place else int(power) for at, power in enumerate(powers))
        part = context.from_dict({low: coefficient})
        slope, rest = (slope + part, rest) if powers[place] else (slope, rest + part)
    signs = ring.form.signs(slope)
    if len(signs) != 1 or 0 in signs:
        return None
    value = ring.write_quotient(ring.form.polynomial(-rest) / ring.form.polynomial(slope))
    return value if sum(1 for _ in walk(value)) <= _LONGEST_VALUE else None
