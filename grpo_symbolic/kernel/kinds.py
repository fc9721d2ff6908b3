"""What has to be shown for a statement: for each kind plans, each of which shows all that its sentence says.

A part says: wherever all its facts hold, its conclusion holds, and what this compares has a value, as what is hidden
has. Facts are what is given and supposed, which is so at every element of a set, what a plan adds, and lemmas, which
hold everywhere. Expressions are continuous wherever they have values, but for what is ``supported``, of which only
relations are shown; those that have a derivative here have one wherever they have values nearby.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from typing import Any

from grpo_symbolic.kernel.functions import applied, examples_hold, lettered, limit_of, possible
from grpo_symbolic.kernel.ranges import Ranges
from grpo_symbolic.kernel.statements import OF_FUNCTIONS, Record, between, joined, lemma_statement
from grpo_symbolic.kernel.terms import (
    COMBINATIONS,
    ONE,
    RELATIONS,
    ZERO,
    RefusedError,
    Term,
    conditions,
    conjuncts,
    make,
    number,
    sym,
    totals,
)


@dataclass(frozen=True)
class Clause:
    """Something elementary to be shown; what must be able to hold is ``possible``, if that is not all facts.

    It is so for every number if a symbol is ``growing``.
    """

    label: str
    facts: tuple[Term, ...]
    conclusion: Term
    hidden: tuple[Term, ...] = ()
    possible: tuple[Term, ...] | None = None
    growing: str | None = None


def parts(record: Record, plan: object) -> tuple[Clause, ...]:
    """All that has to be shown for the statement of a record by a plan: a name, of conjunctions a list of plans.

    Raises:
        RefusedError: for plans that do not suffice, and statements of which that is not clear.
    """
    lemmas = tuple(lemma_statement(record, one) for one in record.lemmas if not one.supposed)
    shown = (*_parts(record, plan, lemmas), *(Clause("example", *one) for one in examples_hold(record)))
    return tuple(Clause(one.label, *lettered(record, one.facts, one.conclusion, one.hidden)) for one in shown)


def premises(record: Record, plan: object) -> tuple[tuple[Term, ...], ...]:
    """All lists of what must be able to hold together, or else a part of the plan would say nothing.

    Lemmas hold wherever they say something, so they restrict nothing.
    """
    if plan == "composed":
        # Steps are claims with premises of their own, which begin with what is given.
        return (possible(record, (record.unfold(one, []) for one in record.given if one.op not in OF_FUNCTIONS)),)
    lists = [
        possible(record, one.facts if one.possible is None else one.possible, one.growing)
        for one in _parts(record, plan, ())
    ]
    found = [one for one in dict.fromkeys(lists) if not any({*one} < {*more} for more in lists)]
    return tuple(found)


def _parts(record: Record, plan: object, lemmas: tuple[Term, ...]) -> tuple[Clause, ...]:
    hidden = list[Term]()
    given = tuple(record.unfold(one, hidden) for one in record.given if one.op not in OF_FUNCTIONS)
    given += tuple(dict.fromkeys(lemma_statement(record, one) for one in record.lemmas if one.supposed))
    found = tuple(Setting(record, given, lemmas).under(record.statement, plan, hidden))
    for part in found:
        refuse_unclear(record, (*part.facts, part.conclusion), part.hidden)
    return found


def refuse_unclear(record: Record, statements: Sequence[Term], hidden: Sequence[Term]) -> None:
    """Refuse what may be meant at one element or at every one; what a bracket needs is so only where it counts."""
    couples = record.couple(*statements, *hidden)
    for one in statements:
        _refuse_unclear(record, one, couples)
    for one in dict.fromkeys(totals(*statements, *hidden, op="supported")):
        here = record.letters(one.args[1])
        every = ((body, letter) for body, letter in (inner.args for inner in totals(one.args[0])) if letter in here)
        if any(letter in record.letters(needed) for body, letter in every for needed in conditions(body)):
            raise RefusedError(f"{one} needs something of every element, and counts at one of them")


def _refuse_unclear(record: Record, statement: Term, couples: bool) -> None:
    """Only relations are shown or known; beside a sum a premise may be meant at one element or at every one."""
    if statement.op not in (*RELATIONS, *COMBINATIONS):
        raise RefusedError(f"{statement.op} stands where only relations may")
    premises = {"implies": statement.args[:1], "iff": statement.args}.get(statement.op, ())
    if couples and any(map(record.letters, premises)):
        raise RefusedError(f"{statement} may be meant at one element or at every one")
    for one in statement.args if statement.op in COMBINATIONS else ():
        _refuse_unclear(record, one, couples)


@dataclass(frozen=True)
class Setting:
    """Where something is stated: what is given, the lemmas, and values for symbols."""

    record: Record
    given: tuple[Term, ...]
    lemmas: tuple[Term, ...]
    values: Mapping[str, Term] = field(default_factory=dict)
    #: The lemmas that hold by what is given.
    shown: tuple[Term, ...] = ()

    def part(self, label: str, conclusion: Term, *more: Term, hidden: Sequence[Term] = ()) -> Clause:
        """Something to be shown where more is known, which beside sums must not be about one element alone."""
        made = Clause(label, (*self.given, *more, *self.lemmas), conclusion, tuple(hidden))
        if any(map(self.record.letters, more)) and self.record.couple(*made.facts, conclusion, *hidden):
            raise RefusedError(f"{label}: this is known of one element only")
        return made

    def using(self) -> tuple[Setting, tuple[Clause, ...]]:
        """What lemmas say, beside sums once their premises about an element are shown to hold at every one."""
        said, shown, rest = list[Term](), list[Clause](), [*self.shown]
        for one in self.lemmas:
            if one.op == "iff" and self.record.couples and self.record.letters(one):
                one = self._directed(one, said)
            premises, conclusion = list[Term](), one
            while conclusion.op == "implies":
                premises += conjuncts(conclusion.args[0])
                conclusion = conclusion.args[1]
            every = [part for part in premises if self.record.couples and self.record.letters(part)]
            if every:
                others = [part for part in premises if part not in every]
                shown.append(Clause("premise of a lemma", (*self.given, *said), make("all", *every)))
                one = make("implies", make("all", *others), conclusion) if others else conclusion
                rest.append(one)
            said.append(one)
        return replace(self, lemmas=tuple(said), shown=tuple(rest)), tuple(shown)

    def _directed(self, lemma: Term, said: Sequence[Term]) -> Term:
        """The direction of an equivalence of which one side is known."""
        known = {*conjuncts(make("all", *self.given, *said))}
        sides = (lemma.args, lemma.args[::-1])
        return next((make("implies", one, other) for one, other in sides if known.issuperset(conjuncts(one))), lemma)

    def valued(self, hidden: Sequence[Term], *more: Term) -> Iterator[Clause]:
        """That what was differentiated has values."""
        if hidden:
            yield self.part("what is differentiated has values", make("all"), *more, hidden=hidden)

    def open(self, term: Any, hidden: list[Term]) -> Any:
        """Something that may stand in a statement, unfolded and with the values in the places of symbols."""
        if not isinstance(term, Term):
            return term
        inside = list[Term]()
        opened = self.record.put(self.record.unfold(term, inside), self.values)
        hidden += [self.record.put(one, self.values) for one in inside]
        return opened

    def under(self, statement: Term, plan: object, hidden: list[Term]) -> Iterator[Clause]:
        """A statement with its premises, which hold at every element; each part of a conjunction has its plan."""
        here = self
        while statement.op == "implies":
            premise = here.open(statement.args[0], hidden)
            if here.record.couples and here.record.loose(here.values) and here.record.letters(premise):
                raise RefusedError("what is supposed is so of every element, and a value is of one")
            here = replace(here, given=(*here.given, premise))
            statement = statement.args[1]
        here, used = here.using()
        yield from used
        yield from here.valued(hidden)
        if statement.op == "instance":
            yield from here.instance(statement.args, plan)
        elif statement.op != "all":
            yield from here.stated(statement, plan)
        elif not isinstance(plan, list) or len(plan) != len(statement.args):
            raise RefusedError("a conjunction needs a plan for each of its parts")
        else:
            for one, inner in zip(statement.args, plan, strict=True):
                yield from here.under(one, inner, [])

    def stated(self, statement: Term, plan: object) -> Iterator[Clause]:
        """A statement of a single kind, by a plan that shows all that it says."""
        op, hidden = statement.op, list[Term]()
        args = [self.open(one, hidden) for one in statement.args]
        said = [*hidden, *(one for one in args if isinstance(one, Term))]
        jumping, functions = totals(*said, op="supported"), self.record.functions
        rule, places = _PLANS.get((op, str(plan)), (None, ()))
        if rule is None and op in (*RELATIONS, "any") and plan == "claim":
            yield self.part("claim", make(op, *args), hidden=hidden)
        elif rule is None:
            raise RefusedError(f"{plan!r} is no plan that shows all that {op} says")
        elif op not in ("iff", "summed", "term-of-total") and any(jumping):
            raise RefusedError(f"{op} is about what may jump where something vanishes")
        elif op not in _OF_VALUES and any(functions[one.args[0]].derivatives is None for one in applied(*said)):
            raise RefusedError(f"{op} is about a function that may jump")
        elif op in ("summed", "term-of-total") and self.record.loose(self.values):
            raise RefusedError(f"{op} is about every element, and a value is of one")
        else:
            self.refuse_bound(args, frozenset().union(*(args[place].free for place in places)), op == "monotone")
            yield from rule(self, hidden, *args)

    def refuse_bound(self, args: Sequence[Any], names: Iterable[str], partial: bool) -> None:
        """Refuse values for what a statement binds, and sums over it, of which its coordinate would be one term."""
        stated = () if partial else (one for one in args if isinstance(one, Term))
        for one in self.record.supposed:
            if not one.free.isdisjoint(names):
                raise RefusedError(f"{', '.join(sorted(names))} is bound, and something is supposed of functions there")
        summed = {name for one in totals(*self.given, *self.lemmas, *stated) for name in one.free}
        taken = summed.union(self.values, *(one.free for one in self.values.values()))
        said = make("all", *self.given, *self.lemmas, *(one for one in args if isinstance(one, Term)))
        further = any(self.record.symbol(name).of or self.record.elsewhere(name, said) for name in names)
        if further or not taken.isdisjoint(names):
            raise RefusedError(f"{', '.join(sorted(names))} is bound, and a sum or a value depends on it")

    def instance(self, fields: Sequence[Any], plan: object) -> Iterator[Clause]:
        """A statement at values of its symbols, which lie in their domains and satisfy what is given of them.

        What is given of other symbols remains; lemmas hold for all values, and so for these.
        """
        (inner, symbols, terms), hidden = fields, list[Term]()
        at = (self.open(one, hidden) for one in terms.args)
        values = dict(zip(map(_name, symbols.args), at, strict=True))
        if self.values or any(not one.free.isdisjoint(values) for one in (*values.values(), *self.record.supposed)):
            raise RefusedError("values of symbols that depend on such values")
        others = yield from self.attained(values)
        yield from others.valued(hidden)
        yield from replace(others, values=values).under(inner, plan, [])

    def attained(self, values: Mapping[str, Term], *defined: Term) -> Generator[Clause, None, Setting]:
        """That values are in the domains and satisfy what is given of their symbols; returns what is left of that."""
        put, (about, others) = self.record.put, self.apart(values)
        if any(map(self.record.letters, about)) and self.record.loose(values):
            raise RefusedError("what is supposed is so of every element, and a value is of one")
        inside = [one for pair in values.items() for one in self.record.within(*pair)]
        yield others.part("in the domain", make("all", *inside), hidden=(*values.values(), *defined))
        yield others.part("what is given holds there", make("all", *(put(one, values) for one in about)))
        return others

    def apart(self, names: Iterable[str]) -> tuple[tuple[Term, ...], Setting]:
        """What is given of symbols, also at further elements, and what is known without that."""
        about = tuple(
            one for one in self.given if any(name in one.free or self.record.elsewhere(name, one) for name in names)
        )
        lemmas = tuple(one for one in self.lemmas if not about or one not in self.shown)
        return about, replace(self, given=tuple(one for one in self.given if one not in about), lemmas=lemmas)

    def uncut(self, name: str, *, whole: bool = False) -> None:
        """Refuse what is given of a symbol that is to run through all of its domain, which is an interval."""
        domain, counts, _, _ = self.record.symbol(name)
        if any(name in one.free for one in self.given) or (counts and not whole) or domain.low == domain.high:
            raise RefusedError(f"{name} is whole or constant, or what is given restricts it")

    def slope(self, body: Term, name: str, rising: bool, *more: Term) -> Clause:
        """That an expression, which has a value, rises or falls: by the mean value theorem, on an interval."""
        return self.part("slope", _sign(self.record.derivative(body, name), rising), *more, hidden=(body,))

    def signs(self, body: Term, name: str, points: tuple[Term, Term], rising: bool) -> Iterator[Clause]:
        """That an expression changes its sign from the first point to the second one."""
        for point, positive in zip(points, (not rising, rising), strict=True):
            yield self.part("sign", _sign(self.record.put(body, {name: point}), positive))


def _sign(value: Term, positive: bool) -> Term:
    return make(">" if positive else "<", value, ZERO)


def _name(symbol: Term, *others: Term | None) -> str:
    """The name of a symbol that does not stand in other terms."""
    if symbol.op != "sym" or any(symbol.args[0] in one.free for one in others if one is not None):
        raise RefusedError(f"{symbol} is no symbol, or depends on itself")
    return str(symbol.args[0])


def _iff(here: Setting, hidden: list[Term], left: Term, right: Term) -> Iterator[Clause]:
    """Both directions; where one side can hold, so can the other one. What sums are made of has values anyhow."""
    possible = (*here.given, make("any", left, right))
    if here.record.couple(*hidden):
        yield from replace(here, lemmas=()).valued(hidden)
        hidden = []
    for premise, conclusion in ((left, right), (right, left)):
        yield replace(here.part("claim", conclusion, premise, hidden=hidden), possible=possible)


def _monotone_by_slope(here: Setting, hidden: list[Term], body: Term, symbol: Term, rising: bool) -> Iterator[Clause]:
    """The derivative has one sign on the whole interval; of a coordinate that moves alone it is the partial one."""
    here.uncut(_name(symbol))
    yield here.slope(body, _name(symbol), rising)
    yield from here.valued(hidden)


def _monotone_by_two_points(
    here: Setting, hidden: list[Term], body: Term, symbol: Term, rising: bool
) -> Iterator[Clause]:
    """That is what it means, with all that is given and known at both points."""
    there = {_name(symbol): sym(f"{_name(symbol)}'")}
    if any(not one.free.isdisjoint(there) for one in totals(body)):
        raise RefusedError(f"two values of {symbol} differ at all elements")
    known = (one for one in (*here.given, *here.lemmas) if not one.free.isdisjoint(there))
    first, second, *copies = (here.record.put(one, there) for one in (symbol, body, *known))
    compared = make("<" if rising else ">", body, second)
    yield here.part("two points", compared, *copies, make("<", symbol, first))
    yield from here.valued(hidden)


def _monotone_by_steps(here: Setting, hidden: list[Term], body: Term, symbol: Term, rising: bool) -> Iterator[Clause]:
    """From each whole number but the last one to the next, and so on to every later one."""
    (_, _, last, _), whole, _, _ = here.record.symbol(_name(symbol))
    here.uncut(_name(symbol), whole=True)
    if not whole or any(_name(symbol) in one.free for one in totals(body)):
        raise RefusedError(f"{symbol} takes no steps")
    after = here.record.put(body, {_name(symbol): make("add", symbol, ONE)})
    before_last = between(symbol, -inf, False, last, False)
    yield here.part("one step further", make("<" if rising else ">", body, after), *before_last)
    yield from here.valued(hidden)


def _limit(here: Setting, hidden: list[Term], body: Term, symbol: Term, *fields: Any) -> Iterator[Clause]:
    """The distance from the limit, or one over the expression, is bounded by what tends to 0 at a point in reach."""
    point, side, value, constant, exponent, near = fields
    name = _name(symbol, point, value, constant, exponent, near)
    here.uncut(name, whole=side == "oo")
    (low, _, high, _), power = here.record.symbol(name).domain, exponent.args[0]
    if exponent.op != "num" or power <= 0 or power.denominator > 2 or side not in ("+", "-", "oo"):
        raise RefusedError("no rate, or no side")
    if side == "oo" and high != inf:
        raise RefusedError(f"{name} does not tend to infinity")
    apart = make("subtract", *((symbol, point) if side == "+" else (point, symbol)))
    distance = make("divide", ONE, symbol) if side == "oo" else apart
    close = [make(">", distance, ZERO), *(() if near is None else (make("<=", distance, near),))]
    reached = () if side == "oo" else between(point, low, side == "+", high, side == "-")
    positive = (_sign(one, True) for one in (constant, near) if one is not None)
    yield here.part("a point in reach", make("all", *reached, *positive))
    root = distance if power.denominator == 1 else make("sqrt", distance)
    whole = root if power.numerator == 1 else make("power", root, number(power.numerator))
    rate = make("multiply", constant, make("divide", ONE, whole) if value is None else whole)
    bounds = [make(">=", body, rate)]
    if value is not None:
        gap = make("subtract", body, value)
        bounds = [make("<=", gap, rate), make(">=", gap, make("negate", rate))]
    yield here.part("rate", make("all", *bounds), *close)
    yield from here.valued(hidden, *close)


def _unique_root(here: Setting, hidden: list[Term], symbol: Term, condition: Term, root: Term) -> Iterator[Clause]:
    """The root is one, in the domain and under all that is given, and nothing else there is, of which there is some."""
    at = {_name(symbol, root): root}
    others = yield from here.attained(at)
    yield others.part("root", here.record.put(condition, at))
    nothing = here.part("nothing else", make("=", symbol, root), condition)
    yield replace(nothing, possible=(*here.given, make("!=", symbol, root)))
    yield from here.valued(hidden)


def _unique_zero(here: Setting, hidden: list[Term], body: Term, symbol: Term, *fields: Any) -> Iterator[Clause]:
    """Strictly monotone between the ends, and of opposite signs at two points there, so 0 once, in between."""
    below, above, rising, low, high = fields
    name = _name(symbol, below, above, low, high)
    here.uncut(name)
    ends = [(op, point, end) for op, point, end in ((">", below, low), ("<", above, high)) if end is not None]
    inside = (one for point in (below, above) for one in here.record.within(name, point))
    yield here.part("bracket", make("all", make("<", below, above), *(make(*one) for one in ends), *inside))
    apart = [make(op, symbol, end) for op, _, end in ends]
    yield here.slope(body, name, rising, *apart)
    yield from here.signs(body, name, (below, above), rising)
    yield from here.valued(hidden, *apart)


def _zeros(
    here: Setting, hidden: list[Term], body: Term, symbol: Term, brackets: Term, rising: bool
) -> Iterator[Clause]:
    """A unique zero in each bracket, where it is strictly monotone, and one sign before, between and after them."""
    name, points = _name(symbol), brackets.args
    here.uncut(name)
    (low, low_in, high, high_in), ends = here.record.symbol(name).domain, [one.args[0] for one in points]
    if not points or len(points) % 2 or any(one.op != "num" for one in points) or sorted(set(ends)) != ends:
        raise RefusedError("brackets are no numbers that increase")
    if ends[0] < low or ends[-1] > high or (ends[0] == low and not low_in) or (ends[-1] == high and not high_in):
        raise RefusedError(f"brackets do not lie in the domain of {name}")
    for place, (first, last) in enumerate(pairwise((-inf, *ends, inf))):
        facts, up = between(symbol, first, True, last, True), rising is (place // 2 % 2 == 0)
        if place % 2:
            yield here.slope(body, name, up, *facts)
            yield from here.signs(body, name, (number(first), number(last)), up)
        elif last != low and first != high:
            yield here.part("sign", _sign(body, not up), *facts)
    yield from here.valued(hidden)


def _extremum(
    here: Setting, hidden: list[Term], body: Term, symbol: Term, at: Term, minimum: bool, sloped: bool
) -> Iterator[Clause]:
    """The slope has one sign before the point and the other one after it, up to which the expression is continuous."""
    name, domain = _name(symbol, at), here.record.symbol(_name(symbol)).domain
    here.uncut(name)
    yield from here.attained({name: at}, here.record.put(body, {name: at}))
    for op, end, rising in (("<", domain.low, not minimum), (">", domain.high, minimum)):
        if at.op != "num" or at.args[0] != end:
            yield here.slope(body, name, rising, make(op, symbol, at))
    yield from here.valued(hidden)


def _extremum_by_comparison(
    here: Setting, hidden: list[Term], body: Term, symbol: Term, at: Term, minimum: bool, sloped: bool
) -> Iterator[Clause]:
    """At every other point the value is larger, or smaller; that says nothing of slopes."""
    name = _name(symbol, at)
    value = here.record.put(body, {name: at})
    if sloped or any(name in one.free for one in totals(body)):
        raise RefusedError("a comparison with other points shows no slopes")
    yield from here.attained({name: at}, value)
    yield here.part("better", make(">" if minimum else "<", body, value), make("!=", symbol, at))
    yield from here.valued(hidden)


def _summed(
    here: Setting, hidden: list[Term], premise: Term, weight: Term, conclusion: Term, scale: Term
) -> Iterator[Clause]:
    """The sum of the premise, times weights that keep its sign, is the conclusion times a factor that keeps it.

    There is at least one element, so that a sum of positive terms is positive.
    """
    op, letters = premise.op, here.record.letters
    if op not in RELATIONS or op == "!=" or conclusion.op != op:
        raise RefusedError("only relations of one sign can be summed")
    total, target = (
        make("multiply", factor, make("subtract", *one.args))
        for factor, one in ((weight, premise), (scale, conclusion))
    )
    found = letters(total)
    over = [one for one in found if one not in letters(target)] if len(found) > 1 else [*found]
    if not over:
        raise RefusedError("nothing is summed over")
    for letter in reversed(over):
        total = make("total", total, letter)
    yield replace(here.part("weighted sum", make("=", total, target)), possible=(*here.given, premise))
    yield here.part("scale", make("!=" if op == "=" else ">", scale, ZERO))
    if op != "=":
        yield here.part("weights", make(">" if op in ("<", ">") else ">=", weight, ZERO))
    yield from here.valued(hidden)


def _term_of_total(here: Setting, hidden: list[Term], body: Term) -> Iterator[Clause]:
    """One term of a sum of terms that are not negative is at most the sum."""
    if len(here.record.letters(body)) != 1:
        raise RefusedError("it is not clear over what is summed")
    yield here.part("terms are not negative", make(">=", body, ZERO), hidden=hidden)


def _nearby(here: Setting, point: Mapping[str, Term], bodies: Sequence[Term]) -> Iterator[Clause]:
    """That a point lies inside of the domains and expressions have values at it and next to it.

    Conditions with ``>`` and ``!=`` remain true next to a point; a radicand that moves has to be positive. A symbol may
    stand for its own coordinate of the point.
    """
    inside, moved = list[Term](), [name for name, at in point.items() if at is not sym(name)]
    for name, at in point.items():
        if name in moved:
            if not at.free.isdisjoint(moved):
                raise RefusedError(f"{name} is at {at}, which moves itself")
            here.uncut(name)
        (low, _, high, _), whole, _, _ = here.record.symbol(name)
        if whole:
            raise RefusedError(f"{name} is whole")
        inside += between(at, low, False, high, False)
    for one in applied(*bodies):
        if not one.free.isdisjoint(point):
            low, _, high, _ = here.record.functions[one.args[0]].on
            inside += (here.record.put(end, point) for end in between(one.args[2], low, False, high, False))
    needed = (one for body in bodies for one in conditions(body))
    strict = (make(">", *one.args) if one.op == ">=" and not one.free.isdisjoint(point) else one for one in needed)
    valued = dict.fromkeys(here.record.put(one, point) for one in strict)
    conclusion = make("all", *inside, *valued)
    yield here.part("inside", conclusion, hidden=[here.record.put(one, point) for one in bodies])


def _fixed_point(
    here: Setting,
    hidden: list[Term],
    variables: Term,
    steps: Term,
    at: Term,
    attracting: bool,
    successors: Term,
    flow: bool,
) -> Iterator[Clause]:
    """The point stays, and the slope of the step is less than 1 in absolute value there, or more.

    Where a step solves an equation, its slope is a quotient of two derivatives (up to the sign), by the implicit
    function theorem; the slope of a flow is the rate at which distances grow. Of two variables the eigenvalues are
    less than 1 in absolute value, or one is more, see ``_eigenvalues``.
    """
    record, count, symbols = here.record, len(variables.args), (*variables.args, *successors.args)
    if len(steps.args) != count or len(at.args) != count or len({*symbols}) != len(symbols):
        raise RefusedError("not as many steps and coordinates as variables")
    if count not in (1, 2) or len(symbols) not in (count, 2 * count) or (flow and len(symbols) > 1):
        raise RefusedError("no step of one variable or of two, or no flow of one")
    there = dict(zip(map(_name, symbols), at.args * 2, strict=False))
    yield from _nearby(here, there, (*steps.args, *hidden))
    goals = [ZERO] * count if flow or successors.args else at.args
    kept = (make("=", record.put(step, there), goal) for step, goal in zip(steps.args, goals, strict=True))
    yield here.part("stays", joined(kept))
    slopes = [[record.put(record.derivative(step, name), there) for name in there] for step in steps.args]
    if count == 2:
        yield here.part("eigenvalues", _eigenvalues(slopes, attracting))
        return
    slope, *others = slopes[0]
    for one in others:
        slope = make("divide", slope, one)
    signs = (make("<" if attracting else ">", slope, ONE), make(">" if attracting else "<", slope, make("negate", ONE)))
    said = make("all" if attracting else "any", *signs)
    yield here.part("slope", _sign(slope, not attracting) if flow else said)


def _eigenvalues(slopes: Sequence[Sequence[Term]], inside: bool) -> Term:
    """That the zeros of det(t - old), or of det(t new + old) = l t^2 + m t + c, are in the unit disc, or one outside.

    The latter if a step solves equations, which have the derivatives old by what was before and new by what comes. By
    Jury both zeros are inside if l p(1), l p(-1) and l (l - c) are positive. Where one of these is negative, and l is
    not 0, a zero is larger than 1, or one smaller than -1, or the product of both exceeds 1.
    """
    (a, b), (c, d) = (row[:2] for row in slopes)
    last, zeros = _determinant(a, b, c, d), list[Term]()
    if len(slopes[0]) == 2:
        trace = make("add", a, d)
        three = [make("add", make(op, ONE, trace), last) for op in ("subtract", "add")]
        three.append(make("subtract", ONE, last))
    else:
        (e, f), (g, h) = (row[2:] for row in slopes)
        leading, zeros = _determinant(e, f, g, h), [make("!=", _determinant(e, f, g, h), ZERO)]
        middle = make("add", make("multiply", e, d), make("multiply", a, h))
        for one, other in ((f, c), (b, g)):
            middle = make("subtract", middle, make("multiply", one, other))
        ends = [make("add", make(op, leading, middle), last) for op in ("add", "subtract")]
        three = [make("multiply", leading, one) for one in (*ends, make("subtract", leading, last))]
    signs = [_sign(one, inside) for one in three]
    return make("all", *signs) if inside else joined((*zeros, make("any", *signs)))


def _determinant(a: Term, b: Term, c: Term, d: Term) -> Term:
    return make("subtract", make("multiply", a, d), make("multiply", b, c))


def _local_extremum(
    here: Setting, hidden: list[Term], body: Term, variables: Term, at: Term, minimum: bool
) -> Iterator[Clause]:
    """The first derivatives are 0 there and the second one, of two variables the matrix of these, is definite."""
    record, names = here.record, [_name(one) for one in variables.args]
    if len(names) not in (1, 2) or len({*names}) != len(at.args) or len(names) != len(at.args):
        raise RefusedError("no point of one variable or of two")
    point, first = dict(zip(names, at.args, strict=True)), [record.derivative(body, name) for name in names]
    yield from _nearby(here, point, (body, *hidden))
    yield here.part("stationary", joined(make("=", record.put(one, point), ZERO) for one in first))
    second = [record.put(record.derivative(one, name), point) for one in first for name in names]
    mixed = [make(">", _determinant(*second), ZERO)] if len(names) == 2 else []
    yield here.part("curved", joined((_sign(second[0], minimum), *mixed)))


def _every_iterate(
    here: Setting,
    hidden: list[Term],
    kept: Term,
    variables: Term,
    steps: Term,
    start: Term,
    where: Term | None,
    such_as: Term,
) -> Iterator[Clause]:
    """It holds at the start and after a step from wherever it holds, and steps stay in the domains: by induction.

    With what is known between iterates a step can be taken from wherever it holds, at some values of other letters.
    """
    names = [_name(one, *start.args) for one in variables.args]
    if not len(set(names)) == len(steps.args) == len(start.args) or any(map(here.record.letters, (kept, steps, start))):
        raise RefusedError("no start or no step for some variable, or it is about one element")
    for name in names:
        here.uncut(name, whole=True)
    known = (kept, *(() if where is None else (where,)))
    for terms, facts in ((start, ()), (steps, known)):
        values = dict(zip(names, terms.args, strict=True))
        inside = (one for pair in values.items() for one in here.record.within(*pair))
        yield here.part("in the domain", make("all", *inside), *facts, hidden=terms.args)
        yield here.part("kept", here.record.put(kept, values), *facts, hidden=hidden)
    if where is not None:
        letters = [_name(one, *such_as.args[1::2]) for one in such_as.args[::2]]
        values = dict(zip(letters, such_as.args[1::2], strict=True))
        about, others = here.apart(values)
        if any(not one.free.isdisjoint(letters) for one in (kept, start, *here.values.values(), *here.record.supposed)):
            raise RefusedError("what is chosen at each step stands elsewhere, where it is the same at every one")
        if {*names} & {*letters} or len(values) != len(letters):
            raise RefusedError("values with which a step can be taken are of other letters, once each")
        reached = [one for pair in values.items() for one in here.record.within(*pair)]
        there = (here.record.put(one, values) for one in dict.fromkeys((*about, where)))
        yield others.part("a step can be taken", make("all", *reached, *there), kept, hidden=[*values.values()])


def _converges(
    here: Setting, hidden: list[Term], step: Term, symbol: Term, to: Term, radius: Term | None
) -> Iterator[Clause]:
    """Steps stay, each leads nearer, and the goal is kept if it is a value of the symbol.

    Distances fall to some d. If that is not 0, iterates on one side come near a point at the distance d: it is a start,
    as no iterate on that side is nearer than d, and by continuity a step from it leads no nearer.
    """
    name, record = _name(symbol, to, radius), here.record
    here.uncut(name)
    low, _, high, _ = record.symbol(name).domain
    distance = make("absolute", make("subtract", symbol, to))
    known, inside = [make("!=", symbol, to)], record.within(name, to)
    if radius is not None:
        known.append(make("<", distance, radius))
        yield here.part("radius", _sign(radius, True))
    yield here.part("goal", make("all", *between(to, low, True, high, True)))
    yield here.part("stays", make("all", *record.within(name, step)), *known, hidden=(step, *hidden))
    yield here.part("nearer", make("<", make("absolute", make("subtract", step, to)), distance), *known)
    if to.op != "num" or all(map(Ranges({}).holds, inside)):
        there = [record.put(one, {name: to}) for one in hidden]
        yield here.part("kept", make("=", record.put(step, {name: to}), to), *inside, hidden=there)


def _some_zero(
    here: Setting, hidden: list[Term], body: Term, symbol: Term, below: Term, above: Term, rising: bool
) -> Iterator[Clause]:
    """Of opposite signs at two points and with values between them, so 0 somewhere between."""
    name = yield from _between(here, (body, *hidden), symbol, below, above)
    yield from here.signs(body, name, (below, above), rising)


def _every_cycle(
    here: Setting, hidden: list[Term], step: Term, symbol: Term, low: Term, middle: Term, high: Term
) -> Iterator[Clause]:
    """The images of the lower part cover all, those of the upper part the lower one, and the middle is in no cycle.

    So for each length there is a point that comes back after so many steps, of which one is in the upper part; it does
    not come back before, or that one would be in both parts.
    """
    name = yield from _between(here, (step, *hidden), symbol, low, middle, high)
    for point, op, end in ((low, ">=", high), (middle, "<", low), (high, ">=", middle)):
        yield here.part("image", make(op, here.record.put(step, {name: point}), end))


def _between(here: Setting, valued: Sequence[Term], symbol: Term, *points: Term) -> Generator[Clause, None, str]:
    """That points increase and lie in the domain, and that what has no jumps has values between them."""
    name = _name(symbol, *points)
    here.uncut(name)
    inside = (one for point in points for one in here.record.within(name, point))
    yield here.part("order", make("all", *(make("<", *pair) for pair in pairwise(points)), *inside))
    ends = (make(">=", symbol, points[0]), make("<=", symbol, points[-1]))
    yield from here.valued(valued, *ends)
    return name


def _growing(here: Setting, symbol: Term, *constants: Term) -> str:
    """The name of a whole number that grows beyond all others, which nothing restricts."""
    name = _name(symbol, *constants)
    here.uncut(name, whole=True)
    domain, whole, _, _ = here.record.symbol(name)
    if not whole or domain.high != inf:
        raise RefusedError(f"{name} does not grow beyond all numbers")
    return name


def _sequence_limit(
    here: Setting, hidden: list[Term], symbol: Term, body: Term, to: Term, by: Term | None, examples: Term
) -> Iterator[Clause]:
    """The distance is at most what tends to 0, or tends to 0 itself."""
    distance = make("absolute", make("subtract", body, to))
    limit = limit_of(here.record, distance if by is None else by, _growing(here, symbol, to))
    yield here.part("distance", make("<=", distance, distance if by is None else by), hidden=hidden)
    yield here.part("limit", make("<=", limit, ZERO))


def _limit_superior(
    here: Setting, hidden: list[Term], symbol: Term, body: Term, most: Term, by: Term, where: Term | None
) -> Iterator[Clause]:
    """It is at most what tends to at most that, for every number, with whatever is known there."""
    limit, known = limit_of(here.record, by, _growing(here, symbol, most)), () if where is None else (where,)
    moving = frozenset().union(*(one.free for one in known)).difference(body.free, by.free, most.free, symbol.free)
    if any(here.apart(moving)[0]):
        raise RefusedError(f"what is given of {', '.join(sorted(moving))} may be so for the first numbers only")
    bounded = here.part("bound", make("<=", body, by), *known, hidden=hidden)
    yield replace(bounded, possible=(*here.given, *known), growing=str(symbol.args[0]))
    yield here.part("limit", make("<=", limit, most))


def _in_the_limit(here: Setting, hidden: list[Term], symbol: Term, conclusion: Term, because: Term) -> Iterator[Clause]:
    """Comparisons that hold for every number hold in the limit, but that strict ones may become equations.

    So they can hold there if what is given can.
    """
    name, passed = _growing(here, symbol, conclusion), list[Term]()
    for one in conjuncts(because):
        if one.op not in RELATIONS or one.op == "!=":
            raise RefusedError(f"{one} does not pass on to a limit")
        op = {"<": "<=", ">": ">="}.get(one.op, one.op)
        passed.append(make(op, *(limit_of(here.record, side, name) for side in one.args)))
    yield here.part("for every number", because, hidden=hidden)
    yield here.part("limits have values", make("all"), hidden=[side for one in passed for side in one.args])
    yield replace(here.part("in the limit", conclusion, *passed), possible=here.given)


def _monotone_limit(
    here: Setting, hidden: list[Term], symbol: Term, body: Term, bound: Term, rising: bool
) -> Iterator[Clause]:
    """It never falls and is bounded from above, or never rises and is bounded from below."""
    name, op = _growing(here, symbol, bound), ">=" if rising else "<="
    after = here.record.put(body, {name: make("add", symbol, ONE)})
    yield here.part("one step further", make("all", make(op, after, body), make(op, bound, body)), hidden=hidden)


#: Kinds that say nothing of what is between values.
_OF_VALUES = {*RELATIONS, "any", "iff", "every-iterate", "limit", "sequence-limit", "limit-superior", "in-the-limit"}
_OF_VALUES |= {"monotone-limit", "unique-root", "summed", "term-of-total"}
#: The plans for each kind, and in which fields it binds symbols.
_PLANS: Mapping[tuple[str, str], tuple[Callable[..., Iterator[Clause]], tuple[int, ...]]] = {
    ("iff", "claim"): (_iff, ()),
    ("monotone", "slope"): (_monotone_by_slope, (1,)),
    ("monotone", "two points"): (_monotone_by_two_points, (1,)),
    ("monotone", "one step further"): (_monotone_by_steps, (1,)),
    ("limit", "claim"): (_limit, (1,)),
    ("unique-root", "claim"): (_unique_root, (0,)),
    ("unique-zero", "claim"): (_unique_zero, (1,)),
    ("zeros", "claim"): (_zeros, (1,)),
    ("extremum", "slopes"): (_extremum, (1,)),
    ("extremum", "comparison"): (_extremum_by_comparison, (1,)),
    ("summed", "claim"): (_summed, ()),
    ("term-of-total", "claim"): (_term_of_total, ()),
    ("fixed-point", "claim"): (_fixed_point, (0, 4)),
    ("local-extremum", "claim"): (_local_extremum, (1,)),
    ("every-iterate", "claim"): (_every_iterate, (1,)),
    ("converges", "claim"): (_converges, (1,)),
    ("some-zero", "claim"): (_some_zero, (1,)),
    ("every-cycle", "claim"): (_every_cycle, (1,)),
    ("sequence-limit", "claim"): (_sequence_limit, (0,)),
    ("limit-superior", "claim"): (_limit_superior, (0,)),
    ("in-the-limit", "claim"): (_in_the_limit, (0,)),
    ("monotone-limit", "claim"): (_monotone_limit, (0,)),
}
