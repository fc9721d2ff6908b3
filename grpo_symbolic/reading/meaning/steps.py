"""From a step of a chain to statements: both sides read, once for every value of the indices left free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Derivative, Expression, Substitution, Symbol, as_expression, free_symbols
from grpo_symbolic.language.statement import Implies, Relation, Statement, conjunction, conjuncts, relations_of
from grpo_symbolic.language.vocabulary import exp
from grpo_symbolic.reading.document.displays import Condition, PrintedStep
from grpo_symbolic.reading.document.logic import CONGRUENT, truth_value
from grpo_symbolic.reading.document.relations import is_reference
from grpo_symbolic.reading.meaning.conditions import OPERATORS, infinite
from grpo_symbolic.reading.meaning.derivatives import is_gradient
from grpo_symbolic.reading.meaning.logic import double_signs, either, is_statement, signed, statement_of, with_sign
from grpo_symbolic.reading.meaning.opaque import refuse_orders, refuse_products, refuse_unread
from grpo_symbolic.reading.meaning.parser import Parser, read_side
from grpo_symbolic.reading.meaning.premises import is_read, without_quantifier
from grpo_symbolic.reading.meaning.printed import applications, refuse_varying
from grpo_symbolic.reading.meaning.refusal import NotUnderstood, refuse_idle
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import MAX_INSTANCES, Context, Note
from grpo_symbolic.reading.places import BrokenLatex, Place, Source
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, trimmed
from grpo_symbolic.reading.tex.tree import Atom, Name, Nodes, Words, place_of


@dataclass(frozen=True)
class Instance:
    """What a step says for one choice of its free indices: ``left operator right``, under hypotheses.

    Where that is no single relation, ``whole`` says it, and the relation is only the first of it.
    """

    at: tuple[tuple[str, str], ...]
    left: Expression
    operator: str
    right: Expression
    hypotheses: tuple[Statement, ...] = ()
    whole: Statement | None = None

    @property
    def statement(self) -> Statement:
        """The relation, or that it follows from the hypotheses."""
        return Implies(conjunction(self.hypotheses), self.said) if self.hypotheses else self.said

    @property
    def said(self) -> Statement:
        """What it says where the hypotheses hold."""
        return self.relation if self.whole is None else self.whole

    @property
    def relation(self) -> Relation:
        """The relation without its hypotheses."""
        return Relation(self.left, self.operator, self.right)


@dataclass(frozen=True)
class ReadStep:
    """A step that was read: its instances, notes on the way, and the conditions on its row that were not read.

    ``samples`` says, as ``o in a, b``, for which members of sets it was read that stand for any finite set;
    ``account`` which part of the reading each token serves.
    """

    step: PrintedStep
    instances: tuple[Instance, ...]
    notes: tuple[Note, ...] = ()
    unread: tuple[Condition, ...] = ()
    samples: tuple[str, ...] = ()
    account: Account = field(default_factory=Account, compare=False, repr=False)


@dataclass(frozen=True)
class Wish:
    """What a claim entry of the map adds to a step.

    Relations assumed; symbols in which "up to a constant" is meant; symbols that get a value after all
    derivatives are taken; values of indices that are left free; whether a constant at the end is
    dropped, as it is in a definition; and whether it is ``compared`` with another step, by an arrow or a claim, so
    that it is about the points at which it holds.
    """

    assume: tuple[str, ...] = ()
    varies: tuple[Symbol, ...] = ()
    put: tuple[tuple[Symbol, Expression], ...] = ()
    where: Mapping[Nodes, str] = field(default_factory=dict)
    drop_constant: bool = False
    compared: bool = False


def read_step(step: PrintedStep, context: Context, wish: Wish | None = None) -> ReadStep:
    """Read a step of a chain.

    Raises:
        NotUnderstood: where a side is not understood, the relation is none between numbers, or the indices
            left free have too many values.
    """
    context.notes.clear()
    context.work = 0
    context.account = Account()
    if context.objects is not None:
        context.objects.applied = applications((normal(step.left), normal(step.right)))
    reader = _StepReader(step, context, wish or Wish())
    before, context.used_indices = context.used_indices, set()
    try:
        instances = reader.instances(Scope(labels=reader.wish.where), ())
        refuse_idle(context.account, step.left + step.right)
        samples = tuple(_samples(context))
    except GrpoSymbolicError as error:
        if isinstance(error, NotUnderstood):
            raise
        raise NotUnderstood(step.place, "limit", str(error)) from error
    finally:
        context.used_indices |= before
    if instances and all(instance.whole is None and instance.left == instance.right for instance in instances):
        context.note(step.place, "both sides were read as the same formula")
    return ReadStep(step, tuple(instances), tuple(context.notes), tuple(reader.unread), samples, context.account)


def _samples(context: Context) -> Iterator[str]:
    for labels in sorted(context.sampled()):
        index = next(index for index in context.used_indices if context.labels.get(index) == labels)
        yield f"{place_of(index).text} in {', '.join(labels)}"


class _StepReader:
    def __init__(self, step: PrintedStep, context: Context, wish: Wish) -> None:
        self.step = step
        self.context = context
        self.wish = wish
        self.unread: list[Condition] = []
        symbol = step.relation.symbol
        self.joined = is_statement(symbol) or (wish.compared and symbol in (r"\in", r"\notin"))
        if not symbol and not wish.compared:
            raise NotUnderstood(step.place, "words", "it says for how much something holds, but not what")
        if symbol == CONGRUENT:
            raise NotUnderstood(step.relation.place, "unsupported", "a congruence is no equality of numbers")
        if symbol not in OPERATORS and symbol != ":=" and not self.joined:
            raise NotUnderstood(step.relation.place, "unsupported", f"the relation {symbol} is not checked")
        over = step.relation.over
        if over is not None and not is_reference(over):
            what = place_of(over).text if over else "nothing over it, or a prime"
            raise NotUnderstood(
                step.relation.place, "unread", f"the sign {symbol} with {what}, which may mean another relation"
            )
        self.operator = OPERATORS.get(symbol, "=")
        self.left, left_free = self._side(step.left)
        self.right, right_free = self._side(step.right)
        self.up_to_constant = (left_free or right_free) and not wish.drop_constant
        if self.up_to_constant and (not self.wish.varies or self.operator != "="):
            raise NotUnderstood(
                step.place,
                "ambiguous",
                "equal up to a constant, but constant in what?",
                hint="say varies = ['x'] in a claim of the map",
            )
        self.assumed = [_tree(latex, step.place) for latex in wish.assume]

    def _side(self, nodes: Nodes) -> tuple[Nodes, bool]:
        kept, free = without_constant(normal(trimmed(nodes)))
        self.context.account.serve(nodes[len(trimmed(nodes)) :], "end")
        self.context.account.serve(trimmed(nodes)[-2:] if free else (), "constant")
        return kept, free

    def instances(self, scope: Scope, chosen: tuple[tuple[str, str], ...]) -> list[Instance]:
        """Read the step; where an index is free, once for each of its values."""
        try:
            return self._read(scope, chosen)
        except FreeIndex as free:
            found: list[Instance] = []
            name = place_of(free.index).text
            for label in free.labels:
                found += self.instances(scope.bind(free.index, label), (*chosen, (name, label)))
                if len(found) > MAX_INSTANCES:
                    raise NotUnderstood(
                        self.step.place, "limit", f"the free indices have more than {MAX_INSTANCES} values together"
                    ) from free
            return found

    def _read(self, scope: Scope, chosen: tuple[tuple[str, str], ...]) -> list[Instance]:
        self.context.comparisons.clear()
        if self.joined:
            return [self._joined(scope, chosen)]
        if signed(self.left) + signed(self.right):
            return self._both_signs(scope, chosen)
        left, right = self._sides(scope)
        self._refuse_vectors(left, right)
        for symbol, value in self.wish.put:
            left, right = Substitution(left, symbol, value), Substitution(right, symbol, value)
        hypotheses = tuple(self._hypotheses(scope))
        if self.up_to_constant:
            return [
                Instance(chosen, Derivative(left, symbol), "=", Derivative(right, symbol), hypotheses)
                for symbol in self.wish.varies
            ]
        labels = [Instance(chosen, *comparison, hypotheses) for comparison in self.context.comparisons]
        return [Instance(chosen, left, self.operator, right, hypotheses), *labels]

    def _refuse_vectors(self, left: Expression, right: Expression) -> None:
        """Refuse what numbers can do and vectors cannot; both sides have to be of the same kind."""
        objects, place = self.context.objects, self.step.place
        if objects is None:
            return
        refuse_orders((left, right), objects, place)
        refuse_varying((left, right), objects, place)
        refuse_unread((left, right), objects, first=self.step.index == 1)
        if not objects.vectors & {*free_symbols(left), *free_symbols(right)}:
            return
        sides = (side for side in (left, right) if side != as_expression(0))
        degrees = {degree for side in sides for degree in refuse_products(side, objects, place)}
        if len(degrees) > 1 or (1 in degrees and self.operator not in ("=", "!=")):
            raise NotUnderstood(place, "meaningless", "a vector beside a number")

    def _joined(self, scope: Scope, chosen: tuple[tuple[str, str], ...]) -> Instance:
        """What "or" or "and" between statements says, a member of a set, or one that has no sign."""
        place, sign = self.step.place, self.step.relation
        nodes = (*self.left, *([Atom(sign.symbol, sign.place)] if sign.symbol else []), *self.right)
        whole = statement_of(Parser(nodes, scope, self.context), nodes, place)
        if self.wish.put or self.up_to_constant or self.context.comparisons:
            raise NotUnderstood(place, "unsupported", 'this is not read in statements that "and" or "or" joins')
        first = relations_of(whole)[0]
        return Instance(chosen, first.left, first.operator, first.right, tuple(self._hypotheses(scope)), whole)

    def _both_signs(self, scope: Scope, chosen: tuple[tuple[str, str], ...]) -> list[Instance]:
        """Upper signs belong to upper ones and lower to lower; ``x = \\pm a`` alone says that x is one of the two."""
        left, right = signed(self.left), signed(self.right)
        together = (left and right) or (r"\pm" in left + right and r"\mp" in left + right)
        if together and self.wish.compared:
            readings = ("with either sign", "with one of the signs")
            raise NotUnderstood(self.step.place, "ambiguous", "double signs on both sides", readings=readings)
        if not together and (left or len(right) > 1 or self.operator != "=" or self.step.index > 1):
            raise NotUnderstood(self.step.place, "ambiguous", "which of the double signs is meant here?")
        self.context.account.serve(double_signs(self.left + self.right), "double sign")
        found: list[Instance] = []
        sides = self.left, self.right
        for choice, name in enumerate(("upper", "lower")):
            self.left, self.right = (with_sign(side, choice) for side in sides)
            found += self._read(scope, (*chosen, ("signs", name)) if together else chosen)
        self.left, self.right = sides
        if together:
            return found
        first, whole = found[0], either([one.relation for one in found])
        if len(found) > 2 or self.wish.put or self.up_to_constant or not free_symbols(first.left):
            raise NotUnderstood(self.step.place, "unsupported", "a double sign is not read here")
        return [replace(first, whole=whole)]

    def _sides(self, scope: Scope) -> tuple[Expression, Expression]:
        """Both sides; that a limit is infinite is read as the limit 0 of the exponential of minus the function."""
        place = self.step.place
        if self.operator == "=" and (infinite(self.right) or infinite(self.right, "-")):
            left = read_side(self.left, scope, self.context, place)
            if isinstance(left, Binder) and left.kind.startswith("limit"):
                self.context.account.serve(self.right, "limit")
                sign = -left.body if infinite(self.right) else left.body
                return Binder(left.kind, exp(sign), left.symbol, left.lower, left.upper), as_expression(0)
        if is_gradient(self.left):
            right = read_side(self.right, scope, self.context, place)
            return read_side(self.left, scope, self.context, place), right
        left = read_side(self.left, scope, self.context, place)
        return left, read_side(self.right, scope, self.context, place)

    def _hypotheses(self, scope: Scope) -> list[Statement]:
        found: list[Statement] = []
        self.unread = []
        for nodes in self.assumed:
            found += self._for_all(nodes, scope)
        for condition in self.step.conditions:
            nodes = without_quantifier(normal(trimmed(condition.items)))
            if not is_read(condition, nodes) or truth_value(nodes) is not None:
                self.unread.append(condition)
                continue
            try:
                said = self._relations(nodes, scope, condition.place)
            except NotUnderstood:
                self.unread.append(condition)
                continue
            if any(self.context.account.idle(nodes)):
                self.unread.append(condition)
            else:
                found += said
        return found

    def _for_all(self, nodes: Nodes, scope: Scope) -> list[Statement]:
        """What is assumed, for all values of the indices that are free in it and not in the step."""
        try:
            return self._relations(nodes, scope, self.step.place)
        except FreeIndex as free:
            found = [one for label in free.labels for one in self._for_all(nodes, scope.bind(free.index, label))]
            if len(found) > MAX_INSTANCES:
                reason = f"an assumption for more than {MAX_INSTANCES} values of its indices"
                raise NotUnderstood(self.step.place, "limit", reason) from free
            return list(dict.fromkeys(found))

    def _relations(self, nodes: Nodes, scope: Scope, place: Place) -> list[Statement]:
        whole = statement_of(Parser(nodes or (Atom("", place),), scope, self.context), nodes, place)
        # That a number lies in \mathbb{R} is nothing to assume.
        return [
            one
            for one in conjuncts(whole)
            if not (isinstance(one, Relation) and one == Relation(one.left, "=", one.left))
        ]


def _tree(latex: str, place: Place) -> Nodes:
    try:
        return normal(parse_tree(latex, name="assumption"))
    except BrokenLatex as error:
        raise NotUnderstood(
            place, "meaningless", f"the assumption {latex!r} is broken LaTeX: {error.reason}"
        ) from error


def without_constant(nodes: Nodes) -> tuple[Nodes, bool]:
    """A side without ``+ \\text{const.}`` at its end, and whether it had one."""
    if len(nodes) < 3:
        return nodes, False
    plus, name = nodes[-2], nodes[-1]
    words = name.text.strip(" .").lower() if isinstance(name, Name | Words) else ""
    if words in ("const", "constant") and isinstance(plus, Atom) and plus.text == "+":
        return nodes[:-2], True
    return nodes, False


def read_sides(sides: Sequence[Nodes], context: Context) -> list[Expression]:
    """Read some sides by themselves, without free indices, such as both sides of a quoted formula.

    Raises:
        NotUnderstood: where one is not understood, or is about an index that nothing binds.
    """
    found: list[Expression] = []
    context.work = 0
    for side in sides:
        nodes = normal(trimmed(side))
        place = place_of(side) if side else Place(Source("formula", ""), 0, 0)
        try:
            found.append(read_side(nodes, Scope(), context, place))
        except FreeIndex as free:
            raise NotUnderstood(place, "meaningless", f"the index {place_of(free.index).text} is free here") from free
    return found
