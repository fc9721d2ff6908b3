"""What a proof of an elementary goal is: a closed list of rules, each one function with its reason to be sound.

A goal says: at every point of the domains at which all facts hold and the relation has a value, the relation holds. A
proof is a list whose first item names the rule; terms in it are references into the table of the record. A term that a
proof brings in must be shown to have a value: its conditions are facts, conditions of what the goal compares, or seen
from the domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

from grpo_symbolic.kernel.algebra import Key, Law, Ring
from grpo_symbolic.kernel.ranges import Interval, Ranges, compares, fails
from grpo_symbolic.kernel.terms import (
    MIRRORED,
    ONE,
    RELATIONS,
    ZERO,
    RefusedError,
    Term,
    conditions,
    conjuncts,
    derivative,
    is_elementary,
    is_expression,
    make,
    negation,
    number,
    read_number,
    spend,
    substitute,
    sym,
)

_SIGNS = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "=": {0}, "!=": {-1, 1}}
_ROUNDS, _DEEPEST, _MOST_STEPS = 6, 60, 100_000


@dataclass
class Obligation:
    """Domains, and what goals on them share: ranges, equality without laws, the ``terms`` of a record."""

    domains: Mapping[str, Interval]
    terms: Sequence[Term]
    steps: int = 0
    _plain: Ring = field(init=False)
    _ranges: dict[int, Ranges] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ranges = Ranges(self.domains)
        self._plain = Ring(self.ranges.holds)

    def canonical(self, relation: Term) -> tuple[str, Key] | Term:
        """A relation up to a positive factor, or as it stands."""
        return self._plain.canonical(relation) or relation

    def finer(self, bits: int) -> Ranges:
        """The ranges with ends rounded to so many bits."""
        if bits not in self._ranges:
            self._ranges[bits] = Ranges(self.domains, bits)
        return self._ranges[bits]

    def at(self, place: object) -> Term:
        """The expression or elementary statement to which a proof refers."""
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.terms):
            raise RefusedError(f"{place!r} is no term of the record")
        return self.terms[place]

    def expression(self, place: object) -> Term:
        """The expression to which a proof refers."""
        found = self.at(place)
        if not is_expression(found) or not found.free <= self.domains.keys():
            raise RefusedError(f"{found} is no expression, or not of symbols with domains")
        return found

    def statement(self, place: object) -> Term:
        """The elementary statement to which a proof refers."""
        found = self.at(place)
        if not is_elementary(found) or not found.free <= self.domains.keys():
            raise RefusedError(f"{found} is no elementary statement, or not of symbols with domains")
        return found


class Goal:
    """A relation under facts on domains."""

    def __init__(self, inside: Obligation, facts: Sequence[Term], relation: Term) -> None:
        self.inside, self.relation = inside, relation
        self.facts = tuple(_simplified(facts, inside))
        self.relations = tuple(one for one in self.facts if one.op in RELATIONS)
        known = [one for fact in self.facts for one in conditions_of(fact, certain=True)]
        # In order, so that a proof is accepted always or never.
        self._given = dict.fromkeys((*self.relations, *known, *conditions_of(relation)))
        self._rings: dict[tuple[Law, ...], Ring] = {}

    def but(self, relation: Term, *more: Term, without: Term | None = None) -> Goal:
        """Another goal under these facts and more, or all but one."""
        return Goal(self.inside, (*(one for one in self.facts if one is not without), *more), relation)

    def shown(self, relation: Term) -> bool:
        """Whether a relation is a fact, a condition of what is compared, or seen from the domains."""
        if relation in self._given or self.inside.ranges.holds(relation):
            return True
        return any(_is_weaker(relation, one, self.inside) for one in self._given)

    def ring(self, laws: object) -> Ring:
        """Equality by the laws that a proof states."""
        read = tuple(self._law(one) for one in _listed(laws))
        if read not in self._rings:
            self._rings[read] = Ring(self.shown, read)
        return self._rings[read]

    def _law(self, one: object) -> Law:
        kind, argument, factors = _parts(one, 3)
        pairs = [_parts(pair, 2) for pair in _listed(factors)]
        read = tuple((self.inside.expression(value), read_number(exponent)) for value, exponent in pairs)
        if kind not in ("sqrt", "log", "exp", "absolute") or (kind == "absolute" and len(read) != 1):
            raise RefusedError(f"there is no law of {kind!r}")
        of = self.inside.expression(argument)
        # Equal to what has no value says nothing.
        for term in (of, *(factor for factor, _ in read)):
            self.require_value(term)
        return Law(str(kind), of, read)

    def fact(self, place: object) -> Term:
        """The fact to which a proof refers."""
        found = self.inside.statement(place)
        if found in self.facts:
            return found
        wanted = self.inside.canonical(found) if found.op in RELATIONS else None
        if any(self.inside.canonical(one) == wanted for one in self.relations if wanted is not None):
            # Equal wherever both have values, so that it holds if it has one.
            for side in found.args:
                self.require_value(side)
            return found
        raise RefusedError(f"{found} is no fact")

    def require_value(self, term: Term) -> None:
        """Refuse an expression that is not shown to have a value."""
        for one in conditions(term):
            if not self.shown(one):
                raise RefusedError(f"it is not shown that {one}, so that {term} has a value", one)


def _parts(one: object, count: int) -> Sequence[Any]:
    if not isinstance(one, list) or len(one) != count:
        raise RefusedError(f"{str(one)[:80]} has not {count} parts")
    return one


def _listed(some: object) -> Sequence[Any]:
    if not isinstance(some, list):
        raise RefusedError(f"{str(some)[:80]} is no list")
    return some


def conditions_of(statement: Term, *, certain: bool = False) -> Iterator[Term]:
    """What the sides of a relation need; of a combination nothing is ``certain``, as a part of it may have no value."""
    if statement.op in RELATIONS:
        yield from (one for side in statement.args for one in conditions(side))
    elif not certain:
        yield from (one for part in statement.args for one in conditions_of(part))


def goals_of(inside: Obligation, facts: Sequence[Term], conclusion: Term) -> Iterator[Goal]:
    """Goals that together say that a conclusion follows; of alternatives the last is shown where the others fail."""
    op, args = conclusion.op, conclusion.args
    if op in RELATIONS:
        yield Goal(inside, facts, conclusion)
    elif op == "all":
        for part in args:
            yield from goals_of(inside, facts, part)
    elif op == "any":
        if not args:
            raise RefusedError("nothing is stated")
        yield from goals_of(inside, (*facts, *map(negation, args[:-1])), args[-1])
    elif op == "implies":
        yield from goals_of(inside, (*facts, args[0]), args[1])
    else:
        yield from goals_of(inside, (*facts, args[0]), args[1])
        yield from goals_of(inside, (*facts, args[1]), args[0])


def _is_weaker(wanted: Term, fact: Term, inside: Obligation) -> bool:
    """Whether a relation follows from another one of the same sides, up to a positive factor."""
    allowed = _SIGNS[wanted.op]
    spend(2)
    if not (_SIGNS[fact.op] <= allowed or _SIGNS[MIRRORED[fact.op]] <= allowed):
        return False
    if fact.args == wanted.args:
        return _SIGNS[fact.op] <= allowed
    if fact.args == wanted.args[::-1]:
        return _SIGNS[MIRRORED[fact.op]] <= allowed
    this, other = inside.canonical(fact), inside.canonical(wanted)
    if isinstance(this, Term) or isinstance(other, Term):
        return False
    op, key = this
    if key == other[1]:
        return _SIGNS[op] <= allowed
    turned = tuple((monomial, -value) for monomial, value in key)
    return turned == other[1] and _SIGNS[MIRRORED[op]] <= allowed


def _truth(statement: Term, known: Sequence[Term], inside: Obligation) -> bool | None:
    """Whether an elementary statement has a value, and holds or fails, by the domains or by what is known."""
    op, args = statement.op, statement.args
    if op in RELATIONS:

        def seen(relation: Term) -> bool:
            return inside.ranges.holds(relation) or any(_is_weaker(relation, one, inside) for one in known)

        decided = True if seen(statement) else False if seen(negation(statement)) else None
        return decided if all(map(seen, conditions_of(statement))) else None
    said = [_truth(part, known, inside) for part in args]
    if op == "all":
        return False if False in said else None if None in said else True
    if op == "any":
        return True if True in said else None if None in said else False
    if op == "implies":
        return True if said[0] is False or said[1] else False if said[0] and said[1] is False else None
    return None if None in said else said[0] is said[1]


def _simplified(facts: Sequence[Term], inside: Obligation) -> Sequence[Term]:
    """Facts with what follows from combinations once parts of them are known to hold or to fail.

    Nothing is lost but what is known to hold; a part without a value is neither, so only what is decided is used.
    """
    found = tuple(dict.fromkeys(conjuncts(*facts)))
    for _ in range(_ROUNDS):
        known = tuple(one for one in found if one.op in RELATIONS)
        after = tuple(dict.fromkeys(part for one in found for part in conjuncts(*_used(one, known, inside))))
        if after == found:
            break
        found = after
    return found


def _used(statement: Term, known: Sequence[Term], inside: Obligation) -> tuple[Term, ...]:
    op, args = statement.op, statement.args
    if op in RELATIONS:
        return (statement,)
    if op == "implies":
        said = _truth(args[0], known, inside)
        return (args[1],) if said else (statement,)
    if op == "iff":
        return make("implies", *args), make("implies", args[1], args[0])
    rest = tuple(part for part in args if _truth(part, known, inside) is not False)
    return (rest[0],) if len(rest) == 1 else (make("any", *rest),)


def check(goal: Goal, proof: object, depth: int = 0) -> None:
    """Accept a proof of a goal.

    Raises:
        RefusedError: if it is none.
    """
    inside = goal.inside
    inside.steps += 1
    if depth > _DEEPEST or inside.steps > _MOST_STEPS:
        raise RefusedError("a proof is too deep or too long")
    if not isinstance(proof, list) or not proof or proof[0] not in _RULES:
        raise RefusedError(f"no such rule: {str(proof)[:80]}")
    _RULES[proof[0]](goal, proof[1:], depth + 1)


def _by_range(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """Ranges contain all values of both sides, and those compare like this."""
    ranges = goal.inside.ranges if not proof else goal.inside.finer(_integer(proof[0]))
    if not ranges.holds(goal.relation):
        raise RefusedError(f"the domains do not show {goal.relation}")


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RefusedError(f"{value!r} is no whole number")
    return value


def _same(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """Both sides are equal wherever both have values."""
    (laws,) = _parts(list(proof), 1)
    if goal.relation.op not in ("=", "<=", ">=") or not goal.ring(laws).are_equal(*goal.relation.args):
        raise RefusedError(f"the sides of {goal.relation} are not the same")


def _by_fact(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """The difference of both sides is that of a fact times a factor of one sign."""
    fact, factor, laws, why = _parts(list(proof), 4)
    gap = make("subtract", *goal.relation.args)
    _require_following(goal, gap, goal.relation.op, fact, factor, laws, why, depth)


def _require_following(
    goal: Goal, value: Term, op: str, fact: object, factor: object, laws: object, why: object, depth: int
) -> None:
    """That ``value = factor * (left - right)`` of a fact, where the factor has a value, and if need be a sign."""
    found = goal.fact(fact)
    if found.op not in RELATIONS:
        raise RefusedError(f"{found} is no relation")
    gap, times = make("subtract", *found.args), ONE if factor is None else goal.inside.expression(factor)
    signs = {1}
    if factor is not None:
        goal.require_value(times)
        needed = next((one for one in (">", "<", "!=", ">=", "<=") if goal.shown(make(one, times, ZERO))), None)
        if why is not None:
            (needed, inner) = _parts(why, 2)
            check(goal.but(make(_sign(needed), times, ZERO)), inner, depth)
        signs = {-1, 0, 1} if needed is None else _SIGNS[needed]
    if not {one * other for one in signs for other in _SIGNS[found.op]} <= _SIGNS[op]:
        raise RefusedError(f"{found} says less")
    if not goal.ring(laws).are_equal(value, gap if factor is None else make("multiply", times, gap)):
        raise RefusedError(f"{value} is not that multiple of what {found} compares")


def _sign(op: object) -> str:
    if op not in _SIGNS:
        raise RefusedError(f"{op!r} is no relation")
    return str(op)


def _sum(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """Left side minus right side is a sum of products of powers, the signs of which are shown one by one."""
    terms, laws = _parts(list(proof), 2)
    total, signs = ZERO, list[set[int]]()
    for one in _listed(terms):
        coefficient, factors = _parts(one, 2)
        value = read_number(coefficient)
        product, found = number(value), {(value > 0) - (value < 0)}
        for factor in _listed(factors):
            term, op, power, why = _parts(factor, 4)
            base, exponent = goal.inside.expression(term), _integer(power)
            _require_sign(goal, base, _sign(op), why, depth)
            if exponent < 0 and 0 in _SIGNS[op]:
                raise RefusedError(f"{base} may be 0 below a fraction bar")
            found = {this * other ** abs(exponent) for this in found for other in _SIGNS[op]}
            product = make("multiply", product, base if exponent == 1 else make("power", base, number(exponent)))
        total, signs = make("add", total, product), [*signs, found]
    if not _signs_of_sum(signs) <= _SIGNS[goal.relation.op]:
        raise RefusedError(f"the signs of the terms do not show {goal.relation}")
    if not goal.ring(laws).are_equal(make("subtract", *goal.relation.args), total):
        raise RefusedError(f"the sides of {goal.relation} do not differ by these terms")


def _signs_of_sum(terms: Sequence[set[int]]) -> set[int]:
    found: set[int] = set().union(*terms) if terms else {0}
    if {1, -1} <= found and len(terms) > 1:
        return {-1, 0, 1}
    # What is not 0 in one term stays so, as no term has the other sign.
    return found - {0} if any(0 not in one for one in terms) else found


def _require_sign(goal: Goal, value: Term, op: str, why: object, depth: int) -> None:
    """That a factor, which has a value, compares like this with 0."""
    goal.require_value(value)
    relation = make(op, value, ZERO)
    if why is None:
        if not goal.shown(relation):
            raise RefusedError(f"it is not shown that {relation}", relation)
        return
    kind, *rest = _listed(why) or [None]
    if kind == "fact":
        fact, factor, laws, more = _parts(rest, 4)
        _require_following(goal, value, op, fact, factor, laws, more, depth)
    elif kind == "tangent":
        _require_tangent(goal, value, op, *_parts(rest, 3))
    elif kind == "rising":
        _require_rising(goal, value, op, _parts(rest, 5), depth)
    else:
        check(goal.but(relation), why, depth)


def _require_tangent(goal: Goal, value: Term, op: str, function: object, argument: object, laws: object) -> None:
    """exp(u) - u - 1 and u - 1 - log(u) are not negative."""
    u = goal.inside.expression(argument)
    if function not in ("exp", "log") or op != ">=":
        raise RefusedError(f"no tangent of {function!r} shows this")
    gap = make("subtract", make("subtract", *((make("exp", u), u) if function == "exp" else (u, make("log", u)))), ONE)
    goal.require_value(gap)
    if not goal.ring(laws).are_equal(value, gap):
        raise RefusedError(f"{value} is not the distance of a tangent")


def _require_rising(goal: Goal, value: Term, op: str, proof: Sequence[Any], depth: int) -> None:
    """sqrt, exp, log, sinh and tanh are strictly larger at the larger one of two arguments that they take.

    That they are not smaller follows if that argument is not.
    """
    function, larger, smaller, laws, why = proof
    above, below = goal.inside.expression(larger), goal.inside.expression(smaller)
    if function not in ("sqrt", "exp", "log", "sinh", "tanh") or op not in (">", ">=", "!="):
        raise RefusedError(f"{function!r} does not show this by rising")
    gap = make("subtract", make(str(function), above), make(str(function), below))
    goal.require_value(gap)
    if not goal.ring(laws).are_equal(value, gap):
        raise RefusedError(f"{value} is not the difference of two values of {function}")
    check(goal.but(make(op, make("subtract", above, below), ZERO)), why, depth)


def _root(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """A root is positive where its radicand is."""
    (why,) = _parts(list(proof), 1)
    left, right = goal.relation.args
    if left.op != "sqrt" or right is not ZERO or goal.relation.op not in (">", ">=", "!="):
        raise RefusedError(f"{goal.relation} says of no root that it is positive")
    check(goal.but(make(">", left.args[0], ZERO)), why, depth)


def _put(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """An equation among the facts says what a symbol is, as a factor that is not 0 times ``symbol - value``.

    Where the facts hold the symbol has that value, which then lies in its domain.
    """
    name, value, equation, factor, laws, why, then = _parts(list(proof), 7)
    if not isinstance(name, str) or name not in goal.inside.domains:
        raise RefusedError(f"{name!r} is no symbol with a domain")
    term, fact, times = goal.inside.expression(value), goal.fact(equation), goal.inside.expression(factor)
    for one in (term, times):
        goal.require_value(one)
    if fact.op != "=" or name in term.free:
        raise RefusedError(f"{fact} does not say what {name} is")
    _require_sign(goal, times, "!=", why, depth)
    left, right = make("subtract", *fact.args), make("multiply", times, make("subtract", sym(name), term))
    if not goal.ring(laws).are_equal(left, right):
        raise RefusedError(f"{fact} does not say that {name} is {term}")
    check(with_value(goal, name, term), then, depth)


def with_value(goal: Goal, name: str, term: Term) -> Goal:
    """The goal with an expression in the place of a symbol, and that it lies in the domain of that."""
    ends = within(goal.inside.domains[name], term)
    facts = [substitute(one, {name: term}) for one in goal.facts]
    return Goal(goal.inside, (*facts, *ends), substitute(goal.relation, {name: term}))


def within(domain: Interval, term: Term) -> list[Term]:
    """That an expression lies in a domain."""
    ends = []
    if domain.low != -inf:
        ends.append(make(">=" if domain.low_in else ">", term, number(Fraction(domain.low))))
    if domain.high != inf:
        ends.append(make("<=" if domain.high_in else "<", term, number(Fraction(domain.high))))
    return ends


def _instead(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """Another relation of the same sign differs by a multiple of an equation among the facts, or not at all."""
    other, equation, factor, laws, then = _parts(list(proof), 5)
    new, gap = goal.inside.statement(other), make("subtract", *goal.relation.args)
    if new.op != goal.relation.op:
        raise RefusedError(f"{new} is of another sign than {goal.relation}")
    for side in new.args:
        goal.require_value(side)
    rest = make("subtract", *new.args)
    if equation is not None:
        fact, times = goal.fact(equation), goal.inside.expression(factor)
        goal.require_value(times)
        if fact.op != "=":
            raise RefusedError(f"{fact} is no equation")
        rest = make("add", rest, make("multiply", times, make("subtract", *fact.args)))
    if not goal.ring(laws).are_equal(gap, rest):
        raise RefusedError(f"{goal.relation} does not become {new}")
    check(goal.but(new), then, depth)


def _cases(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """A statement that has a value holds or fails."""
    on, where, elsewhere = _parts(list(proof), 3)
    case = goal.inside.statement(on)
    for one in conditions_of(case):
        if not goal.shown(one):
            raise RefusedError(f"cases are told apart by {case}, which may have no value", one)
    check(goal.but(goal.relation, case), where, depth)
    check(goal.but(goal.relation, negation(case)), elsewhere, depth)


def _have(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """What is shown is a fact from then on."""
    place, why, then = _parts(list(proof), 3)
    shown = goal.inside.statement(place)
    if shown.op not in RELATIONS:
        raise RefusedError(f"{shown} is no relation")
    for side in shown.args:
        goal.require_value(side)
    check(goal.but(shown), why, depth)
    check(goal.but(goal.relation, shown), then, depth)


def _either(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """One of the alternatives of a fact holds."""
    fact, proofs = _parts(list(proof), 2)
    found = goal.fact(fact)
    if found.op != "any" or len(found.args) != len(_listed(proofs)):
        raise RefusedError(f"{found} does not name so many alternatives")
    for part, one in zip(found.args, proofs, strict=True):
        check(goal.but(goal.relation, part, without=found), one, depth)


def _contrary(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """If the relation failed, a fact would fail too; what the fact compares has a value, as the fact holds."""
    fact, why = _parts(list(proof), 2)
    found = goal.fact(fact)
    if found.op not in RELATIONS:
        raise RefusedError(f"{found} is no relation")
    denied = () if goal.relation.args == (ZERO, ZERO) else (negation(goal.relation),)
    check(goal.but(negation(found), *denied, without=found), why, depth)


def _absurd(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """If the relation, which has a value, failed, then 0 would be negative."""
    (why,) = _parts(list(proof), 1)
    check(goal.but(make("<", ZERO, ZERO), negation(goal.relation)), why, depth)


def _both(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """Two relations of the same sides leave only what the relation allows: not larger and not smaller is equal."""
    (first, one), (second, other) = (_parts(part, 2) for part in _parts(list(proof), 2))
    if not _SIGNS[_sign(first)] & _SIGNS[_sign(second)] <= _SIGNS[goal.relation.op]:
        raise RefusedError(f"{first} and {second} do not show {goal.relation}")
    check(goal.but(make(first, *goal.relation.args)), one, depth)
    check(goal.but(make(second, *goal.relation.args)), other, depth)


def _mean(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """There is a point t from a to b with f(b) - f(a) = f'(t) (b - a), a fact from then on.

    By the mean value theorem, if f has values at both ends and f and its derivative have values at all t there: what
    has values everywhere is continuous, as each function is where it is defined. If a < b is shown, t is neither of
    the two; otherwise they may be equal, and t may be each. The symbol t is new, so that no fact says more of it, and
    lies in the domain of another symbol, an interval, if a and b do, or t is neither and they are its ends.
    """
    name, like, function, first, last, whys, then = _parts(list(proof), 7)
    inside, proofs = goal.inside, iter(_listed(whys))
    used = frozenset().union(goal.relation.free, *(one.free for one in goal.facts))
    if not isinstance(name, str) or not name or name in used | inside.domains.keys() or like not in inside.domains:
        raise RefusedError(f"{name!r} is no new symbol, or {like!r} has no domain")
    there = Obligation({**inside.domains, name: inside.domains[like]}, inside.terms, inside.steps)
    f, a, b = there.expression(function), inside.expression(first), inside.expression(last)
    at_a, at_b = (substitute(f, {name: one}) for one in (a, b))
    for one in (a, b, at_a, at_b):
        goal.require_value(one)
    op = "<" if goal.shown(make("<", a, b)) else "<="
    domain = inside.domains[like]._replace(low_in=True, high_in=True) if op == "<" else inside.domains[like]
    for one in (make(op, a, b), *within(domain, a), *within(domain, b)):
        if not goal.shown(one):
            raise RefusedError(f"it is not shown that {one}", one)
    facts, slope = (*goal.facts, make(op, a, sym(name)), make(op, sym(name), b)), derivative(f, name)
    for one in dict.fromkeys((*conditions(f), *conditions(slope))):
        inner = Goal(there, facts, one)
        if not inner.shown(one):
            check(inner, next(proofs, None), depth)
    said = make("=", make("subtract", at_b, at_a), make("multiply", slope, make("subtract", b, a)))
    check(Goal(there, (*facts, said), goal.relation), then, depth)
    inside.steps = there.steps


def _along(goal: Goal, proof: Sequence[Any], depth: int) -> None:
    """On each stretch of the interval of a symbol, ranges show the sign of the difference f, or a slope and one end do.

    By the mean value theorem f(p) = f(end) + f'(q) (p - end) for an end that belongs to the stretch, if f has a value
    and a derivative everywhere on it. Facts play a part only if they compare the symbol with numbers.
    """
    name, stretches = _parts(list(proof), 2)
    inside, op = goal.inside, goal.relation.op
    if not isinstance(name, str) or name not in inside.domains or op in ("=", "!="):
        raise RefusedError(f"{goal.relation} is not shown along {name!r}")
    domain, gap = _narrowed(inside.domains[name], sym(name), goal.relations), make("subtract", *goal.relation.args)
    low = domain.low
    for one in _listed(stretches):
        upper, how, bits = _parts(one, 3)
        high = inf if upper is None else read_number(upper)
        if not low < high:
            raise RefusedError("stretches do not follow one after the other")
        here = Interval(low, low != domain.low or domain.low_in, high, high != domain.high or domain.high_in)
        ranges = Ranges({**inside.domains, name: here}, _integer(bits))
        if not compares(op, _values(ranges, gap, name, here, how), Interval(Fraction(0), True, Fraction(0), True)):
            raise RefusedError(f"{goal.relation} is not shown up to {upper}")
        low = high
    if not stretches or low != domain.high:
        raise RefusedError(f"the stretches do not reach the end of the domain of {name}")


def _narrowed(domain: Interval, symbol: Term, facts: Sequence[Term]) -> Interval:
    """Where a symbol lies by its domain and by facts that compare it with numbers."""
    low, low_in, high, high_in = domain
    for one in facts:
        if one.args[0] is symbol and one.args[1].op == "num":
            end, closed = one.args[1].args[0], one.op in (">=", "<=")
            if one.op in (">", ">=") and end >= low:
                low, low_in = end, closed and (low_in or end > low)
            if one.op in ("<", "<=") and end <= high:
                high, high_in = end, closed and (high_in or end < high)
    return Interval(low, low_in, high, high_in)


def _values(ranges: Ranges, gap: Term, name: str, here: Interval, how: object) -> Interval:
    if how is None:
        return ranges.of(gap)
    end, belongs = (here.low, here.low_in) if how == "lower" else (here.high, here.high_in)
    if how not in ("lower", "upper") or not belongs:
        raise RefusedError(f"the {how!r} end of a stretch does not belong to it")
    slope = derivative(gap, name)
    if not all(ranges.holds(one) for side in (gap, slope) for one in conditions(side)):
        raise RefusedError(f"{gap} is not shown to have values and a slope")
    at_end = substitute(gap, {name: number(Fraction(end))})
    apart = make("subtract", sym(name), number(Fraction(end)))
    # The slope is taken at another point than the distance, so its range is of a symbol of its own.
    other = {**ranges.domains, "": ranges.of(slope)}
    return Ranges(other, ranges.bits).of(make("add", at_end, make("multiply", sym(""), apart)))


_RULES: Mapping[str, Callable[[Goal, Sequence[Any], int], None]] = {
    "range": _by_range,
    "same": _same,
    "fact": _by_fact,
    "sum": _sum,
    "root": _root,
    "put": _put,
    "instead": _instead,
    "cases": _cases,
    "have": _have,
    "either": _either,
    "contrary": _contrary,
    "absurd": _absurd,
    "along": _along,
    "both": _both,
    "mean": _mean,
}


def is_evident(goal: Goal) -> bool:
    """Whether a goal needs no proof: it is a fact or seen from the domains, or a fact is seen to fail."""
    if goal.shown(goal.relation):
        return True
    return any(fails(goal.inside.ranges, one) for one in goal.relations)
