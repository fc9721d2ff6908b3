"""Derivations: chains of steps with reasons, and claims that rest on them and on each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Extremum, Impossible, Monotone, Summed, TermOfTotal, UniqueRoot
from grpo_symbolic.language.expression import (
    Expression,
    Scalar,
    Symbol,
    Total,
    as_expression,
    free_symbols,
    substitute,
    walk,
)
from grpo_symbolic.language.statement import (
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjunction,
    eq,
    ge,
    gt,
    is_elementary,
    le,
    lt,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.obligations.obligation import domain_statement, unfold_statement


@dataclass(frozen=True)
class Lemma:
    """A consequence of a claim, at particular values, that a check may use as a hypothesis.

    Its statement is computed from the claim and can be nothing else: ``values`` are those that symbols of the claim
    take, ``ends`` the two points at which a claim about monotonicity compares.

    Raises:
        DeclarationError: if the claim is stated as false, or has no such consequence.
    """

    claim: Claim
    values: tuple[tuple[Symbol, Expression], ...] = ()
    ends: tuple[Expression, Expression] | None = None

    def __post_init__(self) -> None:
        if self.claim.refuted is not None:
            raise DeclarationError(
                f"{self.claim.declared_at}: claim {self.claim.id} is stated as a falsehood, so nothing can rest on it; "
                "use a claim that says what holds instead"
            )
        self.statement  # noqa: B018 - refuses here what has no consequence

    @cached_property
    def statement(self) -> Statement:
        """What the claim gives; its hypotheses and the domains of replaced symbols stay as premises."""
        return self._at(dict(self.values)) if self.ends is None else self._between(*self.ends)

    @property
    def assuming(self) -> bool:
        """Whether the claim is an assumption or rests on one."""
        return self.claim.assumed or bool(self.claim.assumes)

    def _at(self, values: Mapping[Symbol, Expression]) -> Statement:
        premises = [
            domain_statement(symbol, value)
            for symbol, value in values.items()
            if symbol.domain.lower is not None or symbol.domain.upper is not None
        ]
        premises += [substitute_statement(unfold_statement(item), values) for item in self.claim.given]
        return _conditional(premises, substitute_statement(consequence(self.claim.statement), values))

    def _between(self, low: Expression, high: Expression) -> Statement:
        monotone = self.claim.statement
        if not isinstance(monotone, Monotone):
            raise DeclarationError(f"claim {self.claim.id} is not about monotonicity; use at(...)")
        symbol, body = monotone.symbol, monotone.expression
        if symbol.indexed and any(
            symbol in free_symbols(node) for node in walk(unfold(body)) if isinstance(node, Total)
        ):
            raise DeclarationError(f"claim {self.claim.id} is about one coordinate; two points differ in all")
        ends = (low, high)
        premises: list[Statement] = [domain_statement(symbol, end) for end in ends]
        premises += [
            substitute_statement(unfold_statement(item), {symbol: end}) for item in self.claim.given for end in ends
        ]
        first, second = (substitute(body, {symbol: end}) for end in ends)
        comparison = lt(first, second) if monotone.increasing else gt(first, second)
        return _conditional([*premises, lt(low, high)], comparison)


@dataclass(frozen=True)
class Step:
    """One line of a derivation: what the line before becomes, and why.

    ``relation`` is ``=``, ``<=``, ``<``, ``>=`` or ``>`` between expressions, ``iff`` or ``implies``
    between statements.
    """

    relation: str
    to: Expression | Statement
    reason: str
    using: tuple[Lemma, ...] = ()


@dataclass(frozen=True)
class Chain:
    """A start with its citation, then steps; every method returns a new chain with one more line."""

    start: Expression | Statement
    because: str
    given: tuple[Statement, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def end(self) -> Expression | Statement:
        """The last line."""
        return self.steps[-1].to if self.steps else self.start

    @property
    def expression(self) -> Expression:
        """The last line of a chain of expressions.

        Raises:
            DeclarationError: if the chain consists of statements.
        """
        if not isinstance(self.end, Expression):
            raise DeclarationError(f"this chain ends in a statement, not an expression: {self.end}")
        return self.end

    @property
    def relation(self) -> Relation:
        """The last line of a chain of statements, if it is a single relation.

        Raises:
            DeclarationError: if it is something else.
        """
        if not isinstance(self.end, Relation):
            raise DeclarationError(f"this chain does not end in a relation: {self.end}")
        return self.end

    @property
    def statement(self) -> Statement:
        """What the whole chain shows: start related to end by the weakest relation on the way."""
        kinds = {step.relation for step in self.steps}
        if isinstance(self.start, Expression):
            direction = _combined(kinds - {"="})
            return Relation(self.start, direction, self.expression)
        if not isinstance(self.end, Statement):
            raise DeclarationError("a chain cannot go from a statement to an expression")
        return Implies(self.start, self.end) if "implies" in kinds else Equivalent(self.start, self.end)

    def eq(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line equals ``to``."""
        return self._extend("=", as_expression(to), reason, using)

    def le(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is at most ``to``."""
        return self._extend("<=", as_expression(to), reason, using)

    def lt(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is less than ``to``."""
        return self._extend("<", as_expression(to), reason, using)

    def ge(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is at least ``to``."""
        return self._extend(">=", as_expression(to), reason, using)

    def gt(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is greater than ``to``."""
        return self._extend(">", as_expression(to), reason, using)

    def iff(self, to: Statement, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line holds exactly where ``to`` holds."""
        return self._extend("iff", to, reason, using)

    def implies(self, to: Statement, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """Where the line holds, ``to`` holds."""
        return self._extend("implies", to, reason, using)

    def _extend(self, relation: str, to: Expression | Statement, reason: str, using: Iterable[Claim | Lemma]) -> Chain:
        if not reason.strip():
            raise DeclarationError(f"step to {to}: give a reason")
        if isinstance(to, Expression) != isinstance(self.end, Expression):
            raise DeclarationError(f"step to {to}: expressions follow expressions, statements follow statements")
        step = Step(relation, to, reason, tuple(as_lemma(item) for item in using))
        return replace(self, steps=(*self.steps, step))

    def step_statement(self, number: int) -> Statement:
        """What step ``number`` (counted from 0) says about the line before it."""
        step = self.steps[number]
        before = self.steps[number - 1].to if number else self.start
        if isinstance(step.to, Expression) and isinstance(before, Expression):
            return Relation(before, step.relation, step.to)
        if isinstance(step.to, Statement) and isinstance(before, Statement):
            if isinstance(step.to, Summed):
                return step.to
            return Equivalent(before, step.to) if step.relation == "iff" else Implies(before, step.to)
        raise DeclarationError("a chain cannot mix expressions and statements")


def _combined(kinds: set[str]) -> str:
    """The relation between first and last expression of a chain with these inequalities."""
    if not kinds:
        return "="
    if kinds <= {"<", "<="}:
        return "<" if "<" in kinds else "<="
    if kinds <= {">", ">="}:
        return ">" if ">" in kinds else ">="
    raise DeclarationError(f"a chain cannot go both up and down: {', '.join(sorted(kinds))}")


@dataclass(frozen=True)
class Claim:
    """An id and a statement, with what it assumes, what it rests on and what the paper prints.

    ``id`` is ``<paper>.<slug>``; ``equation`` is the paper's own number or place, if it has one.
    ``given`` are hypotheses of the claim; ``using`` are lemmas, that is consequences of other claims.
    ``oracle`` is an independent brute-force program that the claim is compared with.
    ``beyond`` says in words how the claim is stronger or sharper than what the paper states, if it is.
    ``paper_uses`` are the ids of claims from whose *printed* statements the paper concludes this one; our own
    derivation need not use them.
    ``refuted`` says why a false statement is stated, if it is: then the checks must refute it.
    """

    id: str
    title: str
    statement: Statement
    given: tuple[Statement, ...] = ()
    using: tuple[Lemma, ...] = ()
    derivation: Chain | None = None
    printed: Quote | None = None
    equation: str | None = None
    assumed: bool = False
    oracle: Oracle | None = None
    beyond: str | None = None
    paper_uses: tuple[str, ...] = ()
    refuted: str | None = None
    declared_at: str = field(default="", compare=False)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols of statement and hypotheses.

        Raises:
            DeclarationError: if two different symbols share a name.
        """
        return symbols_of(*self.given, self.statement)

    @property
    def hypotheses(self) -> tuple[Statement, ...]:
        """Everything that a check may use: hypotheses, then lemmas."""
        return (*self.given, *(lemma.statement for lemma in self.using))

    @cached_property
    def assumes(self) -> tuple[str, ...]:
        """The ids of the assumptions that the claim rests on, however indirectly, sorted; it is not its own."""
        used = [lemma.claim for lemma in self.using_anywhere]
        direct = {other.id for other in used if other.assumed}
        return tuple(sorted(direct.union(*(other.assumes for other in used))))

    @property
    def using_anywhere(self) -> tuple[Lemma, ...]:
        """The lemmas of the claim and of the steps of its derivation."""
        steps = () if self.derivation is None else self.derivation.steps
        return (*self.using, *(lemma for step in steps for lemma in step.using))

    def at(self, values: Mapping[Symbol, Scalar]) -> Lemma:
        """The claim at particular values of its symbols, to be used as a lemma.

        The lemma keeps the claim's hypotheses and the domains of the replaced symbols as premises.
        """
        return Lemma(self, tuple((symbol, as_expression(value)) for symbol, value in values.items()))

    def between(self, low: Scalar, high: Scalar) -> Lemma:
        """The comparison of two points that a monotone claim gives, to be used as a lemma.

        Raises:
            DeclarationError: if the claim is not about monotonicity, or sums depend on its coordinate.
        """
        return Lemma(self, ends=(as_expression(low), as_expression(high)))


def consequence(statement: Statement) -> Statement:
    """The elementary statement that another check may use once ``statement`` is established.

    Raises:
        DeclarationError: for kinds that have no pointwise consequence (limits, unique zeros, monotonicity).
    """
    if is_elementary(statement):
        return unfold_statement(statement)
    match statement:
        case UniqueRoot(symbol, condition, root):
            return Equivalent(unfold_statement(condition), eq(symbol, root))
        case Extremum(expression, symbol, at, minimum):
            best = substitute(expression, {symbol: at})
            return ge(expression, best) if minimum else le(expression, best)
        case Summed(premise, _, conclusion, _):
            # A hypothesis about the generic output is about every output, so it may stand for the premise.
            return Implies(unfold_statement(premise), unfold_statement(conclusion))
        case Impossible(condition):
            return Implies(unfold_statement(condition), lt(1, 0))
        case TermOfTotal(body):
            return unfold_statement(le(body, Total(body)))
        case _:
            raise DeclarationError(f"no pointwise consequence of {statement}; use between(...) for monotonicity")


def _conditional(premises: list[Statement], conclusion: Statement) -> Statement:
    if not premises:
        return conclusion
    return Implies(conjunction(premises), conclusion)


def as_lemma(item: Claim | Lemma) -> Lemma:
    """A claim as it stands, or a lemma made of one."""
    return item if isinstance(item, Lemma) else item.at({})


def steps_of(made: Claim) -> tuple[Claim, ...]:
    """The steps of a claim's derivation as claims of their own, with ids ``<id>.step-1`` and so on."""
    chain = made.derivation
    if chain is None:
        return ()
    return tuple(
        Claim(
            f"{made.id}.step-{number + 1}",
            step.reason,
            chain.step_statement(number),
            chain.given,
            step.using,
            declared_at=made.declared_at,
        )
        for number, step in enumerate(chain.steps)
    )


def rests_on(made: Claim) -> tuple[str, ...]:
    """The ids that a claim rests on: the steps of its derivation and the claims it uses as lemmas."""
    steps = [step.id for step in steps_of(made)]
    lemmas = [lemma.claim.id for lemma in made.using]
    return tuple(dict.fromkeys([*steps, *lemmas]))
