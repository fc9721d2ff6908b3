"""Splits goals for which no reason is found into goals for which there may be one: proofs of whole goals from these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, islice

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.kernel import rules
from grpo_symbolic.kernel.terms import Json, RefusedError
from grpo_symbolic.language.calculus import ONE, ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, exchanged, walk
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.relations import difference
from grpo_symbolic.language.statement import MIRRORED, Implies, Relation, Statement, conjuncts, map_expressions
from grpo_symbolic.proofs import bounds
from grpo_symbolic.proofs import goal as goals
from grpo_symbolic.proofs import reason as reasons
from grpo_symbolic.proofs.abbreviations import has_functions, is_strange
from grpo_symbolic.proofs.means import MeanValues
from grpo_symbolic.proofs.reason import Difference, Reason, Sign, Term
from grpo_symbolic.proofs.ring import reduced_relation
from grpo_symbolic.proofs.samples import samples_of
from grpo_symbolic.proofs.tasks import Task, size

_RISING = ("sqrt", "exp", "log", "tanh")
_CHOOSING = frozenset(("absolute", "maximum", "minimum"))
_HYPERBOLIC = frozenset(("cosh", "sinh", "tanh"))
#: So many functions of one kind are compared; longer relations are not looked into, with many tangents at once.
_MOST_COMPARED, _MOST_CHOICES, _MOST_PAIRS = 5, 4, 8
_LONGEST, _LONGEST_WITH_TANGENTS = 150, 60


class Tactics(MeanValues):
    """Ways to split a task, simple ones first."""

    def attempts(self, task: Task) -> Iterator[Json]:
        """Proofs that may be accepted, simple ones first."""
        ordered: tuple[Callable[[Task], Json | None], ...] = (
            self._by_choice,
            self._comparing,
            self._by_bounds,
            self._by_mean_value,
            self._by_squares,
            self._scaled,
            self._by_tangents,
            self._in_cases,
            self._contrary,
        )
        both = ordered if task.relation.operator in MIRRORED else (self._comparing,)
        for tactic in (self._by_support, self._by_premises, *both, self._with_order):
            try:
                found = tactic(task)
            except (GrpoSymbolicError, ArithmeticError, RefusedError):
                continue
            if found is not None:
                yield found

    def _by_support(self, task: Task) -> Json | None:
        """By whether something vanishes on the support of which something counts, which then has its value."""
        cases = brackets_in(task.ours.hypotheses)
        if not cases:
            return None
        on, values = next(iter(cases.items()))
        zero, counts, positive = (Relation(on, operator, ZERO) for operator in ("=", "!=", ">"))
        vanishing = dict.fromkeys((*values, *((on,) if isinstance(on, Symbol) else ())), ZERO)
        first = self._putting(self.but(task, task.relation, zero, deeper=1), vanishing, self.prove)
        if first is None:
            return None
        there, known = self.but(task, task.relation, counts, deeper=1), list[tuple[Relation, Json]]()
        if self._shown(task, Relation(on, ">=", ZERO)):
            sign: Json = ["sum", [["1", [[self._table.expression(on), "!=", 1, None]]]], []]
            known.append((positive, ["both", [">=", ["range"]], ["!=", sign]]))
            there = _where_positive(self.but(there, task.relation, positive), on)
        second = self._putting(there, next(iter(brackets_in(there.ours.hypotheses).values())), self.prove)
        return None if second is None else ["cases", self._table.statement(zero), first, self._have(known, second)]

    def _by_premises(self, task: Task) -> Json | None:
        """By what implications among the facts say, once their premises are shown."""
        implied = (one.premise for one in task.ours.hypotheses if isinstance(one, Implies))
        known, current = list[tuple[Relation, Json]](), task
        for one in conjuncts(*implied) if task.depth == 0 and not brackets_in(task.ours.hypotheses) else ():
            if isinstance(one, Relation) and one.operator != "=" and not self._shown(current, one):
                why = self.quickly(self.but(current, one, deeper=1))
                if why is not None:
                    known.append((one, why))
                    current = self.but(current, task.relation, one)
        # What says no more only leads astray.
        said = [one for one in goals.simplified(current.ours).relations if one not in dict(known)]
        facts = [self._term(self._table.statement(one)) for one in said]
        kernel = rules.Goal(current.kernel.inside, facts, current.kernel.relation)
        alone = Task(kernel, goals.Goal(tuple(said), current.relation), depth=1)
        proof = self.prove(alone) if known else None
        return None if proof is None else self._have(known, proof)

    def _by_squares(self, task: Task) -> Json | None:
        """A root compares with something positive as what is under it does with the square."""
        relation = task.relation
        sides = ((relation.left, relation.right, 1), (relation.right, relation.left, -1))
        for root, other, sign in sides if task.depth < 2 else ():
            if not (isinstance(root, Apply) and root.operator == "sqrt"):
                continue
            operator = relation.operator if sign == 1 else MIRRORED[relation.operator]
            squares = Relation(root.operands[0], operator, other**2)
            known: list[tuple[Relation, Json]] = []
            current = task
            for one in (Relation(other, ">", ZERO), Relation(root + other, ">", ZERO), squares):
                why = self.quickly(self.but(current, one, deeper=1))
                if why is None:
                    break
                known.append((one, why))
                current = self.but(current, relation, one)
            else:
                factors = ((Sign(difference(squares), operator), 1), (Sign(root + other, ">"), -1))
                reason = Difference(relation, (Term(Fraction(sign), factors),))
                proof = self._writer.prove(relation, current.ours.hypotheses, reason, current.ours)
                return self._have(known, proof)
        return None

    # What is larger at larger arguments, and tangents.

    def _comparing(self, task: Task) -> Json | None:
        """By comparing functions of one kind with each other and with where they are 0 or 1, inner ones first."""
        simple = goals.simplified(task.ours)
        sides = (simple.relation.left, simple.relation.right)
        samples = samples_of(simple.hypotheses, *sides)
        shown: list[tuple[Relation, Json]] = []
        current, wanted = task, simple.relation.operator
        for kind, one, other in self._pairs(simple.relation) if samples or wanted == "=" else ():
            signs = samples.signs(one - other)
            if signs - {0} if wanted == "=" else len(signs - {0}) != 1:
                continue
            first, second = (one, other) if 1 in signs else (other, one)
            # Values that are hardly apart look equal.
            strictly = [">"] if 0 not in signs or wanted in ("<", ">") else []
            operators = ("=",) if wanted == "=" else (*strictly, ">=")[: None if 0 in signs else 1]
            for operator in operators:
                found = list(self._compared(current, kind, first, second, operator))
                shown += found
                current = self.but(current, task.relation, *(one for one, _ in found))
                if found:
                    break
        proof = self.quickly(current, letters=True) if shown else None
        return None if proof is None else self._have(shown, proof)

    def _by_tangents(self, task: Task) -> Json | None:
        """By tangents at 0 or 1, or at each other, in whatever combination."""
        simple = goals.simplified(task.ours)
        sides = (simple.relation.left, simple.relation.right)
        if task.depth or not any(map(is_strange, sides)) or sum(map(size, sides)) > _LONGEST_WITH_TANGENTS:
            return None
        for tangents in self._tangents(simple):
            found = [(one.relation, self._written(task, one)) for one in tangents]
            known = [one for one in found if one[1] is not None]
            there = self.but(task, task.relation, *(relation for relation, _ in known))
            proof = self.quickly(there, letters=True) if known else None
            if proof is not None:
                return self._have(known, proof)
        return None

    def _by_bounds(self, task: Task) -> Json | None:
        """By what is left where tangents stand for functions, each times a coefficient of one sign."""
        relation, gap = task.relation, difference(task.relation)
        if not is_strange(gap) or size(gap) > _LONGEST:
            return None
        turned = relation.operator in ("<", "<=")
        gap = -gap if turned else gap
        for left, used in bounds.bounded(gap, samples_of(task.ours.hypotheses, gap)):
            rest = Relation(left, MIRRORED[relation.operator] if turned else relation.operator, ZERO)
            proof = self.quickly(self.but(task, rest), letters=True) if used else None
            if proof is None:
                continue
            shown: list[tuple[Relation, Json]] = [(rest, proof)]
            for one in used:
                shown += [
                    (one.relation, self._written(task, one.reason)),
                    (one.sign, self.quickly(self.but(task, one.sign))),
                ]
            if all(why is not None for _, why in shown):
                there = self.but(task, relation, *(one for one, _ in shown))
                whole = self._written(there, _together(relation, rest, used, -1 if turned else 1))
                if whole is not None:
                    return self._have(shown, whole)
        return None

    def _pairs(self, *relations: Relation) -> Iterator[tuple[str, Expression, Expression]]:
        sides = [side for one in relations for side in (one.left, one.right)]
        nodes = dict.fromkeys(node for side in sides for node in walk(side) if isinstance(node, Apply))
        found: list[tuple[int, str, Expression, Expression]] = []
        for kind in _RISING:
            among = (kind, *_HYPERBOLIC) if kind == "exp" else (kind,)
            taken = radicands(nodes) if kind == "sqrt" else (one.operands[0] for one in nodes if one.operator in among)
            arguments = list(dict.fromkeys(taken))
            base = {"exp": [ZERO], "log": [ONE]}.get(kind, [])
            for one, other in combinations((*arguments[:_MOST_COMPARED], *base), 2):
                found.append((max(_height(one), _height(other)), kind, one, other))
        yield from (one[1:] for one in sorted(found, key=lambda one: one[0]))
        # A logarithm compares like its argument with the exponential of the other side.
        turned = (pair for one in relations for pair in ((one.left, one.right), (one.right, one.left)))
        for side, other in turned:
            match side:
                case Apply("log", (inner,)):
                    yield "log", inner, Apply("exp", (other,))
                case Apply("exp", (inner,)) if not isinstance(other, Number):
                    yield "exp", inner, Apply("log", (other,))

    def _compared(
        self, task: Task, kind: str, larger: Expression, smaller: Expression, operator: str
    ) -> Iterator[tuple[Relation, Json]]:
        relation = Relation(larger, operator, smaller)
        if relation not in task.ours.hypotheses:
            why = self.quickly(self.but(task, relation))
            if why is None:
                return
            yield relation, why
        above, below = (reasons.value_at(kind, one) for one in (larger, smaller))
        place = self._table.expression
        gap = place(Apply(kind, (larger,)) - Apply(kind, (smaller,)))
        known: Json = ["fact", self._table.statement(relation), None, [], None]
        rising: Json = ["rising", kind, place(larger), place(smaller), [], known]
        if operator == "=":
            known = ["fact", self._table.statement(relation), place(-ONE), [], None]
            back: Json = ["rising", kind, place(smaller), place(larger), [], known]
            apart = place(Apply(kind, (smaller,)) - Apply(kind, (larger,)))
            sides: list[Json] = [
                [">=", ["sum", [["1", [[gap, ">=", 1, rising]]]], []]],
                ["<=", ["sum", [["-1", [[apart, ">=", 1, back]]]], []]],
            ]
            yield Relation(above, operator, below), ["both", *sides]
            return
        yield Relation(above, operator, below), ["sum", [["1", [[gap, operator, 1, rising]]]], []]

    def _tangents(self, goal: goals.Goal) -> Iterator[list[Reason]]:
        """That logarithms and exponentials lie on one side of tangents, at 0 or 1, then at each other."""
        sides = (goal.relation.left, goal.relation.right)
        nodes = dict.fromkeys(node for side in sides for node in walk(side) if isinstance(node, Apply))
        logs = [node.operands[0] for node in nodes if node.operator == "log"][:_MOST_COMPARED]
        exps = list(dict.fromkeys(node.operands[0] for node in nodes if node.operator in ("exp", *_HYPERBOLIC)))
        single = [bounds.log_below(one) for one in logs] + [bounds.log_above(one) for one in logs]
        single += [one for u in exps[:_MOST_COMPARED] for one in (bounds.exp_above(u), bounds.exp_below(u))]
        yield single
        pairs = [one for u, v in combinations(logs, 2) for one in (bounds.log_pair(u, v), bounds.log_pair(v, u))]
        pairs += [
            one
            for u, v in combinations(exps[:_MOST_COMPARED], 2)
            for one in (bounds.exp_pair(u, v), bounds.exp_pair(v, u))
        ]
        if pairs:
            yield pairs

    def _written(self, task: Task, reason: Reason) -> Json | None:
        try:
            return self._writer.prove(reason.relation, task.ours.hypotheses, reason, goals.simplified(task.ours))
        except GrpoSymbolicError:
            return None

    def _without_factors(self, one: Expression, other: Expression) -> tuple[Expression, Expression]:
        """What compares like two expressions and is simpler, such as symbols."""
        relation = reduced_relation(Relation(one, ">", other))
        match relation:
            case Relation(Apply("subtract", (left, right)), ">" | "<", Number()):
                return left, right
        return one, other

    def _in_cases(self, task: Task) -> Json | None:
        """By which argument of a function is the larger one, where comparisons show the rest."""
        sides = (task.relation.left, task.relation.right)
        if task.depth > 0 or not any(map(is_strange, sides)):
            return None
        samples = samples_of(task.ours.hypotheses, *sides)
        for _, one, other in self._pairs(task.relation):
            if samples.signs(one - other) >= {1, -1}:
                simpler = self._without_factors(one, other)
                return self._larger_or_smaller(task, *simpler, lambda there, _: self._at_once(there))
        return None

    def _contrary(self, task: Task) -> Json | None:
        """By comparing functions in a hypothesis, which would fail if the relation did."""
        for one in task.ours.relations if task.depth == 0 else ():
            if one.operator in MIRRORED and any(map(has_functions, (one.left, one.right))):
                fact, denied = self._table.statement(one), negated(task.relation)
                there = self.but(task, negated(one), denied, without=one)
                proof = self._comparing(there) or self._in_cases(there)
                if proof is not None:
                    return ["contrary", fact, proof]
        return None

    def _with_order(self, task: Task) -> Json | None:
        """By contradiction, where functions of one kind compare as their arguments do, in hypotheses as well."""
        simple = goals.simplified(task.ours)
        relations = (simple.relation, *simple.relations)
        if task.depth > 0:
            return None
        samples = samples_of(simple.hypotheses, *(side for one in relations for side in (one.left, one.right)))
        shown, current = list[tuple[Relation, Json]](), task
        for kind, one, other in islice(self._pairs(*relations), _MOST_PAIRS) if samples else ():
            signs = samples.signs(one - other)
            if len(signs - {0}) == 1:
                pair = (one, other) if 1 in signs else (other, one)
                strictly = () if 0 in signs else self._compared(current, kind, *pair, ">")
                found = [*strictly] or [*self._compared(current, kind, *pair, ">=")]
                shown += found
                current = self.but(current, task.relation, *(one for one, _ in found))
        proof = self.refute(current.kernel) if shown else None
        return None if proof is None else self._have(shown, proof)

    def _by_choice(self, task: Task) -> Json | None:
        """By what an absolute value, a maximum or a combination depends on, if the relation has such a value in it."""
        on = goals.open_relation(goals.simplified(goals.Goal(task.ours.hypotheses, task.relation)))
        sides = (task.relation.left, task.relation.right)
        chosen = any(isinstance(node, Apply) and node.operator in _CHOOSING for side in sides for node in walk(side))
        if on is None or not chosen or task.depth > _MOST_CHOICES:
            return None
        first = self.prove(self.but(task, task.relation, on, deeper=1))
        second = None if first is None else self.prove(self.but(task, task.relation, negated(on), deeper=1))
        return None if second is None else ["cases", self._table.statement(on), first, second]

    def _at_once(self, task: Task) -> Json | None:
        found = self.quickly(task)
        return self._comparing(task) if found is None else found


def _where_positive(task: Task, on: Expression) -> Task:
    """The task with a symbol that is known to be positive, so that ranges show what follows."""
    if not isinstance(on, Symbol):
        return task
    above = replace(on, domain=replace(on.domain, lower=Fraction(0), lower_closed=False))
    put = partial(exchanged, symbols={on: above})
    facts = tuple(map_expressions(one, put) for one in task.ours.hypotheses)
    relation = Relation(put(task.relation.left), task.relation.operator, put(task.relation.right))
    return replace(task, ours=goals.Goal(facts, relation))


def brackets_in(facts: Iterable[Statement]) -> dict[Expression, dict[Symbol, Expression]]:
    """The names of brackets with their bodies, by what they count on."""
    found: dict[Expression, dict[Symbol, Expression]] = {}
    for one in facts:
        match one:
            case Implies(Relation(on, "!=", Number(zero)), Relation(Symbol(name) as symbol, "=", body)):
                if name.startswith("[") and not zero:
                    found.setdefault(on, {})[symbol] = body
    return found


def _together(relation: Relation, rest: Relation, used: Sequence[bounds.Bound], sign: int) -> Reason:
    """A difference as what is left of it and coefficients times distances from bounds."""
    terms = [reasons.Term(Fraction(sign), ((Sign(rest.left, rest.operator), 1),))]
    for one in used:
        factors = ((Sign(one.coefficient, one.sign.operator), 1), (Sign(difference(one.relation), ">="), 1))
        terms.append(reasons.Term(Fraction(sign if one.rising else -sign), factors))
    return Difference(relation, tuple(terms))


def radicands(nodes: Iterable[Apply]) -> Iterator[Expression]:
    """What roots are taken of, also where they are powers, or absolute values."""
    for node in nodes:
        match node:
            case Apply("sqrt", (inner,)):
                yield inner
            case Apply("power", (base, Number(exponent))) if exponent.denominator == 2:
                yield base
            case Apply("absolute", (inner,)):
                yield inner**2


def _height(expression: Expression) -> int:
    return 1 + max(map(_height, expression.children), default=0)
