"""Proofs by mean values: from the value at one point, and the slope between this and another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grpo_symbolic.kernel import rules
from grpo_symbolic.kernel.terms import Json, Term, conditions, derivative
from grpo_symbolic.language.calculus import ONE, ZERO, differentiate
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, substitute, walk
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import MIRRORED, Relation
from grpo_symbolic.proofs import goal as goals
from grpo_symbolic.proofs.abbreviations import FUNCTIONS, has_functions, is_strange
from grpo_symbolic.proofs.ring import Ring
from grpo_symbolic.proofs.samples import Samples, samples_of
from grpo_symbolic.proofs.tables import expression_of, relation_of
from grpo_symbolic.proofs.tasks import Desk, Task, size
from grpo_symbolic.translate.algebra import Polynomial

#: So many points are tried as those where a mean value begins, of relations that are no longer, and so deep.
_MOST_POINTS, _LONGEST, _DEEPEST = 3, 150, 3


class MeanValues(Desk):
    """Tactics that go from one point to another one."""

    def _by_mean_value(self, task: Task) -> Json | None:
        """From the value at one point, and the slope between this and another one."""
        relation = task.relation
        if task.depth > _DEEPEST or not has_functions(difference(relation)):
            return None
        if size(difference(relation)) > _LONGEST:
            return None
        gap = difference(relation)
        turned = relation.operator in ("<", "<=")
        samples = samples_of(task.ours.hypotheses, gap)
        for symbol in sorted(free_symbols(gap), key=lambda one: _strange_parts(differentiate(gap, one))):
            for point in self._starts(task, symbol, -gap if turned else gap, samples):
                proof = self._from(task, symbol, point, samples)
                if proof is not None:
                    return proof
        return None

    def _starts(self, task: Task, symbol: Symbol, gap: Expression, samples: Samples) -> Iterator[Expression]:
        """Where a difference that is not to be negative seems to be 0, for the values of a symbol."""
        domain, slots = symbol.domain, list[Expression]()
        slots += [Number(end) for end in (domain.lower, domain.upper) if end is not None]
        slots += [Number(Fraction(one)) for one in (0, 1, Fraction(1, 2)) if Fraction(one) in domain]
        slots += [other for other in free_symbols(gap) if other != symbol]
        for one in task.ours.hypotheses:
            if isinstance(one, Relation) and one.operator in MIRRORED:
                for this, other in ((one.left, one.right), (one.right, one.left)):
                    slots += [other] if this == symbol and symbol not in free_symbols(other) else []
        zero = [one for one in dict.fromkeys(slots) if samples.signs(substitute(gap, {symbol: one})) == {0}]
        yield from zero[:_MOST_POINTS]

    def _from(self, task: Task, symbol: Symbol, point: Expression, samples: Samples) -> Json | None:
        signs, strictly = samples.signs(symbol - point), task.relation.operator in ("<", ">")
        if not ({1, -1} <= signs):
            return self._beside(task, symbol, point, 1 if 1 in signs else -1, strictly=strictly)
        return self._larger_or_smaller(
            task, symbol, point, lambda there, side: self._beside(there, symbol, point, side, strictly=True)
        )

    def _beside(self, task: Task, symbol: Symbol, point: Expression, side: int, *, strictly: bool) -> Json | None:
        """Where a symbol is larger than a point, or smaller."""
        relation, gap = task.relation, difference(task.relation)
        first, last = (point, symbol) if side > 0 else (symbol, point)
        between = replace(symbol, name=f"{symbol.name} {len(self._symbols)}", latex=symbol.latex + "'")
        self._symbols[between.name] = between
        function = substitute(gap, {symbol: between})
        shown: list[tuple[Relation, Json]] = []
        order = self._order(task, first, last, strictly=strictly)
        if order is None:
            return None
        if order[1] is not None:
            shown.append((order[0], order[1]))
            task = self.but(task, relation, order[0])
        slope = derivative(self._term(self._table.expression(function)), between.name)
        written = expression_of(slope, self._symbol)
        inside = task.kernel.inside
        there = rules.Obligation({**inside.domains, between.name: inside.domains[symbol.name]}, inside.terms)
        facts = (Relation(first, order[0].operator, between), Relation(between, order[0].operator, last))
        kernel = rules.Goal(
            there,
            (*task.kernel.facts, *(self._term(self._table.statement(one)) for one in facts)),
            task.kernel.relation,
        )
        inner = Task(kernel, goals.Goal((*task.ours.hypotheses, *facts), relation), task.depth)
        whys = self._conditions(inner, function, slope)
        if whys is None:
            return None
        rise = Relation(written, relation.operator if side > 0 else MIRRORED[relation.operator], ZERO)
        start = Relation(substitute(gap, {symbol: point}), relation.operator[0] + "=", ZERO)
        rising = self.prove(self.but(inner, rise, deeper=1))
        beginning = None if rising is None else self.quickly(self.but(inner, start))
        if beginning is None:
            return None
        ends = [substitute(function, {between: one}) for one in (first, last)]
        equation = Relation(ends[1] - ends[0], "=", written * (last - first))
        proof = self._have(
            ((start, beginning), (rise, rising)), self._joined(relation, start, rise, equation, order[0])
        )
        place = self._table.expression
        mean: Json = ["mean", between.name, symbol.name, place(function), place(first), place(last), whys, proof]
        return self._have(shown, mean)

    def _joined(self, relation: Relation, start: Relation, rise: Relation, equation: Relation, order: Relation) -> Json:
        """That a value is the one at the start and a slope times a distance."""
        side = 1 if rise.operator == relation.operator else -1
        apart, place = order.right - order.left, self._table.expression
        moved = rise.left * apart
        other = Relation(start.left + moved if side > 0 else start.left - moved, relation.operator, ZERO)
        terms: Json = [
            ["1", [[place(start.left), start.operator, 1, None]]],
            [
                str(side),
                [[place(rise.left), rise.operator, 1, None], [place(apart), MIRRORED[order.operator], 1, None]],
            ],
        ]
        factor = place(Number(Fraction(side)))
        return [
            "instead",
            self._table.statement(other),
            self._table.statement(equation),
            factor,
            [],
            ["sum", terms, []],
        ]

    def _order(
        self, task: Task, first: Expression, last: Expression, *, strictly: bool
    ) -> tuple[Relation, Json | None] | None:
        """That one point is before another one, or not behind it, and why, if it is not seen."""
        strict, weak, apart = (Relation(first, operator, last) for operator in ("<", "<=", "!="))
        for one in (strict, weak):
            if self._shown(task, one) and (one is strict or not strictly):
                return one, None
        found = self.quickly(self.but(task, strict))
        if found is None and strictly:
            below, beside = self.quickly(self.but(task, weak)), self.quickly(self.but(task, apart))
            found = None if below is None or beside is None else ["both", ["<=", below], ["!=", beside]]
        if found is not None:
            return strict, found
        found = None if strictly else self.quickly(self.but(task, weak))
        return None if found is None else (weak, found)

    def _conditions(self, inner: Task, function: Expression, slope: Term) -> list[Json] | None:
        """Proofs that a function and its slope have values, as far as this is not seen."""
        proofs: list[Json] = []
        for one in dict.fromkeys((*conditions(self._term(self._table.expression(function))), *conditions(slope))):
            if not inner.kernel.but(one).shown(one):
                wanted = relation_of(one, self._symbol)
                proof = self.quickly(self.but(inner, wanted))
                if proof is None:
                    return None
                proofs.append(proof)
        return proofs

    def _scaled(self, task: Task) -> Json | None:
        """By dividing by what a logarithm or an exponential is multiplied with, so that its slope is simpler."""
        relation = task.relation
        if task.depth > _DEEPEST or not is_strange(difference(relation)):
            return None
        ring = Ring([difference(relation)])
        value = ring.values[0]
        samples = samples_of(task.ours.hypotheses, difference(relation))
        for kernel in ring.form.kernels:
            at = ring.form.generator_names.index(kernel.name)
            if kernel.kind not in ("log", "exp") or value.numerator.degrees()[at] != 1:
                continue
            slope, rest = split(ring.form.context, value.numerator, at)
            if slope.is_constant() and value.denominator.is_constant():
                continue
            ratio = ring.write_quotient(ring.form.polynomial(rest) / ring.form.polynomial(slope))
            signs = samples.signs(
                ring.write_quotient(ring.form.polynomial(slope) / ring.form.polynomial(value.denominator))
            )
            if signs not in ({1}, {-1}):
                continue
            word = ring.generators[at]
            left = ratio + word if kernel.kind == "log" else ratio * Apply("exp", (-word.children[0],)) + ONE
            other = Relation(left, relation.operator if signs == {1} else MIRRORED[relation.operator], ZERO)
            if other == relation:
                continue
            why = self._by_mean_value(self.but(task, other, deeper=1))
            proof = None if why is None else self.quickly(self.but(task, relation, other))
            if proof is not None:
                return self._have(((other, why),), proof)
        return None


def _strange_parts(expression: Expression) -> int:
    return sum(1 for node in walk(expression) if isinstance(node, Apply) and node.operator in FUNCTIONS - {"sqrt"})


def split(context: Any, polynomial: Polynomial, at: int) -> tuple[Polynomial, Polynomial]:
    """What a generator in which a polynomial is linear is multiplied with, and the rest."""
    slope, rest = context.constant(0), context.constant(0)
    for powers, value in polynomial.terms():
        low = tuple(0 if place == at else int(power) for place, power in enumerate(powers))
        part = context.from_dict({low: value})
        slope, rest = (slope + part, rest) if powers[at] else (slope, rest + part)
    return slope, rest
