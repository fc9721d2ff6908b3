"""What a reason is for: one relation under hypotheses, of which those that are known to hold or to fail are used up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rebuild, walk
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import negation
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjunction,
    conjuncts,
    expressions_of,
    map_expressions,
    relations_of,
    truth,
)
from grpo_symbolic.proofs.ring import decide_by_range, reduced_relation, with_absolute_values

#: What a relation follows from.
_WEAKER_OF = {">=": (">", "="), "<=": ("<", "="), "!=": ("<", ">")}
_ROUNDS = 8


@dataclass(frozen=True)
class Goal:
    """On the domains of the symbols, ``relation`` follows from ``hypotheses``."""

    hypotheses: tuple[Statement, ...]
    relation: Relation

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The hypotheses that are relations."""
        return tuple(item for item in self.hypotheses if isinstance(item, Relation))

    def assuming(self, *more: Statement) -> Goal:
        """The goal with further hypotheses."""
        return simplified(Goal((*self.hypotheses, *more), self.relation))


def goals_of(hypotheses: Sequence[Statement], conclusion: Statement) -> Iterator[Goal]:
    """Goals that say that an elementary conclusion follows; the last of alternatives is shown where the others fail."""
    match conclusion:
        case Relation():
            yield Goal(tuple(hypotheses), conclusion)
        case All(parts):
            for part in parts:
                yield from goals_of(hypotheses, part)
        case Any(parts):
            yield from goals_of((*hypotheses, *map(negation, parts[:-1])), parts[-1])
        case Implies(premise, then):
            yield from goals_of((*hypotheses, premise), then)
        case Equivalent(left, right):
            yield from goals_of((*hypotheses, left), right)
            yield from goals_of((*hypotheses, right), left)


@lru_cache(maxsize=2**10)
def simplified(goal: Goal) -> Goal:
    """The same goal: conjunctions apart, what is known left out of combinations, maxima and the like chosen."""
    given = _flat(goal.hypotheses)
    hypotheses = tuple(map_expressions(_upright(_without(item, given)), _plain) for item in given)
    sides = (_plain(goal.relation.left), _plain(goal.relation.right))
    relation = Relation(sides[0], goal.relation.operator, sides[1])
    for _ in range(_ROUNDS):
        known = frozenset(known_relations(hypotheses))
        chosen = tuple(map_expressions(item, partial(_chosen, known=known)) for item in hypotheses)
        after = _flat(tuple(part for item in chosen for part in _used(item, known)))
        left, right = _chosen(relation.left, known), _chosen(relation.right, known)
        relation, same = Relation(left, relation.operator, right), after == hypotheses
        hypotheses = after
        if same:
            break
    return Goal(hypotheses, relation)


def _plain(expression: Expression) -> Expression:
    """An expression with absolute values for roots of squares, and without the zeros that limits at 0 subtract."""
    return with_absolute_values(_without_zeros(expression))


@lru_cache(maxsize=2**12)
def _without_zeros(expression: Expression) -> Expression:
    children = tuple(map(_without_zeros, expression.children))
    node = rebuild(expression, children) if children != expression.children else expression
    match node:
        case Apply("subtract", (inner, Number(value))) if value == 0:
            return inner
        case _:
            return node


def _without(statement: Statement, given: Sequence[Statement]) -> Statement:
    """An implication without the premises that are given, which need not be relations."""
    match statement:
        case Implies(premise, conclusion):
            open_ones = tuple(part for part in conjuncts(premise) if part not in given)
            return Implies(conjunction(open_ones), conclusion) if open_ones else conclusion
        case _:
            return statement


def _upright(statement: Statement) -> Statement:
    """That a reciprocal is positive, as limits at infinity have it, said of the number itself."""
    match statement:
        case Relation(Apply("divide", (Number(value), Symbol() as symbol)), ">", Number(0)) if value > 0:
            return Relation(symbol, ">", ZERO)
        case _:
            return statement


def open_relation(goal: Goal) -> Relation | None:
    """The first relation on which a case distinction would help: what a maximum or a combination depends on."""
    known = frozenset(known_relations(goal.hypotheses))
    # A disjunction says which cases there are.
    for statement in goal.hypotheses:
        found = _undecided(statement, known) if isinstance(statement, Any) else None
        if found is not None:
            return found
    statements = (goal.relation, *goal.hypotheses)
    for statement in statements:
        for side in expressions_of(statement):
            inner = [node for node in walk(side) if _on(node) is not None]
            # Inner ones first: what is compared has none in it.
            for node in reversed(inner):
                found = _on(node)
                if found is not None and _is_open(found, known):
                    return found
    others = (statement for statement in goal.hypotheses if not isinstance(statement, Relation))
    return next((found for found in (_undecided(one, known) for one in others) if found is not None), None)


def _undecided(statement: Statement, known: frozenset[Relation]) -> Relation | None:
    return next((one for one in relations_of(statement) if decided(one, known) is None), None)


def _is_open(on: Relation, known: frozenset[Relation]) -> bool:
    return decided(on, known) is None and not decided(Relation(on.left, "<=", on.right), known)


def _flat(hypotheses: Sequence[Statement]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(conjuncts(*hypotheses)))


def known_relations(hypotheses: Sequence[Statement]) -> Iterator[Relation]:
    """The relations among hypotheses, as what ``decided`` compares with."""
    return (reduced_relation(item) for item in hypotheses if isinstance(item, Relation))


def decided(relation: Relation, known: frozenset[Relation]) -> bool | None:
    """Whether a relation holds or fails by the domains, or by one that is known, up to factors of certain signs."""
    said = _by_range(relation)
    if said is not None:
        return said
    wanted = reduced_relation(relation)
    if wanted in known or (wanted.operator in _WEAKER_OF and any(one in known for one in _stronger(wanted))):
        return True
    against = negated(wanted)
    return False if against in known or any(one in known for one in _stronger(against)) else None


def _stronger(relation: Relation) -> Iterator[Relation]:
    return (Relation(relation.left, operator, relation.right) for operator in _WEAKER_OF.get(relation.operator, ()))


@lru_cache(maxsize=2**12)
def _by_range(relation: Relation) -> bool | None:
    said = decide_by_range(relation)
    return decide_by_range(reduced_relation(relation)) if said is None else said


def _used(statement: Statement, known: frozenset[Relation]) -> tuple[Statement, ...]:
    """What is left to say of a hypothesis where relations are known."""
    if isinstance(statement, Relation):
        # What its ranges show says nothing new; what they deny is kept, for whoever looks for a contradiction.
        return () if _by_range(statement) else (statement,)
    said = truth(statement, lambda relation: decided(relation, known))
    if said is True:
        return ()
    match statement:
        case Implies(premise, conclusion):
            holds = truth(premise, lambda relation: decided(relation, known))
            return (conclusion,) if holds else (() if holds is False else (statement,))
        case Equivalent(left, right):
            return (Implies(left, right), Implies(right, left))
        case Any(parts):
            rest = tuple(one for one in parts if truth(one, lambda relation: decided(relation, known)) is not False)
            return (rest[0],) if len(rest) == 1 else (Any(rest) if rest else statement,)
        case _:
            return (statement,)


def _on(node: Expression) -> Relation | None:
    """What an absolute value, a maximum or a minimum depends on."""
    match node:
        case Apply("absolute", (inner,)):
            return _against_zero(inner)
        case Apply("maximum" | "minimum", (first, second)):
            return Relation(first, ">=", second)
        case _:
            return None


def _against_zero(inner: Expression) -> Relation:
    match inner:
        case Apply("subtract", (left, right)):
            return Relation(left, ">=", right)
        case _:
            return Relation(inner, ">=", ZERO)


@lru_cache(maxsize=2**12)
def _has_choice(expression: Expression) -> bool:
    return any(_on(node) is not None for node in walk(expression))


def _chosen(expression: Expression, known: frozenset[Relation]) -> Expression:
    """An expression with the side that is known in the place of absolute values, maxima and minima."""
    if not _has_choice(expression):
        return expression
    children = tuple(_chosen(child, known) for child in expression.children)
    node = rebuild(expression, children) if children != expression.children else expression
    on = _on(node)
    said = None if on is None else decided(on, known)
    if on is not None and said is None and decided(Relation(on.left, "<=", on.right), known):
        said = False
    if said is None:
        return node
    match node:
        case Apply("absolute", (inner,)):
            return inner if said else -inner
        case Apply("maximum", (first, second)):
            return first if said else second
        case Apply("minimum", (first, second)):
            return second if said else first
        case _:
            return node
