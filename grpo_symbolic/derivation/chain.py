"""Derivations: chains of steps with reasons, and claims that rest on them and on each other."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType

from grpo_symbolic.derivation.circular import assumed_part
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.composites import Extremum, Monotone, Summed, TermOfTotal, UniqueRoot
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
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.statement import (
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjunction,
    eq,
    expressions_of,
    ge,
    gt,
    is_elementary,
    le,
    lt,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.obligations.obligation import domain_statement, unfold_statement

_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9.-]*")


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
        step = Step(relation, to, reason, tuple(_lemma(item) for item in using))
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


def derive(start: Expression | Statement, because: str, *, given: Iterable[Statement] = ()) -> Chain:
    """Begin a derivation at a definition or a known line; ``because`` cites where it comes from."""
    if not because.strip():
        raise DeclarationError(f"derivation from {start}: say where the first line comes from")
    return Chain(start, because, tuple(given))


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
        case TermOfTotal(body):
            return unfold_statement(le(body, Total(body)))
        case _:
            raise DeclarationError(f"no pointwise consequence of {statement}; use between(...) for monotonicity")


def _conditional(premises: list[Statement], conclusion: Statement) -> Statement:
    if not premises:
        return conclusion
    return Implies(conjunction(premises), conclusion)


def _lemma(item: Claim | Lemma) -> Lemma:
    return item if isinstance(item, Lemma) else item.at({})


def claim(
    id: str,
    title: str,
    statement: Statement | None = None,
    *,
    given: Iterable[Statement] = (),
    using: Iterable[Claim | Lemma] = (),
    derivation: Chain | None = None,
    printed: Quote | None = None,
    equation: str | None = None,
    assumed: bool = False,
    oracle: Oracle | None = None,
    beyond: str | None = None,
    paper_uses: Iterable[str] = (),
    refuted: str | None = None,
) -> Claim:
    """State a claim; without a statement it says what its derivation shows.

    ``beyond`` marks a claim that says more than the paper, and in which way. ``paper_uses`` names, by their slugs,
    claims about printed statements that the paper's own argument for this one uses. ``refuted`` says why a false
    statement is stated; any verdict but REFUTED is then a finding, and nothing can rest on the claim.

    Raises:
        DeclarationError: for a malformed id, an empty title, two symbols of one name, or no statement; and for what
            ``check_declared`` refuses.
    """
    where = _caller(sys._getframe(1))
    if not _ID.fullmatch(id):
        raise DeclarationError(f"{where}: id {id!r} is not of the form '<paper>.<slug>', e.g. 'author_2025.eq3'")
    if not title.strip():
        raise DeclarationError(f"{where}: claim {id} needs a title")
    if statement is None:
        if derivation is None:
            raise DeclarationError(f"{where}: claim {id} has neither a statement nor a derivation")
        statement = derivation.statement
    if not isinstance(statement, Statement):
        raise DeclarationError(f"{where}: claim {id}: {statement!r} is not a statement; something evaluated")
    hypotheses = tuple(given) or (derivation.given if derivation else ())
    paper = id.partition(".")[0]
    made = Claim(
        id,
        title,
        statement,
        hypotheses,
        tuple(_lemma(item) for item in using),
        derivation,
        printed,
        equation,
        assumed,
        oracle,
        beyond,
        tuple(f"{paper}.{slug}" for slug in paper_uses),
        refuted,
        where,
    )
    check_declared(made)
    try:
        symbols_of(*made.hypotheses, made.statement)
        _require_one_index_set(*made.hypotheses, made.statement)
    except DeclarationError as error:
        raise DeclarationError(f"{where}: claim {id}: {error}") from error
    return made


def _require_one_index_set(*statements: Statement) -> None:
    """Refuse sums over several sets: all coordinates would run over the same elements."""
    sets = index_sets(*(expression for statement in statements for expression in expressions_of(statement)))
    if len(sets) > 1:
        raise DeclarationError(f"it sums over {' and over '.join(one.elements for one in sets)}; state it with one set")


def check_declared(made: Claim) -> None:
    """Refuse a claim that shows nothing, or something else than it says.

    Raises:
        DeclarationError: for a claim that is among its own hypotheses, whose derivation composes to something else,
            that is called stronger than the paper and is not, or is stated as false and yet derived or assumed.
    """
    for complaint in (*_derived(made), *_circular(made), *_beyond(made), *_refuted(made)):
        raise DeclarationError(f"{made.declared_at}: claim {made.id} {complaint}")


def _derived(made: Claim) -> Iterator[str]:
    chain = made.derivation
    if chain is None:
        return
    if not chain.steps:
        yield "has a derivation without a step; say what follows from its first line"
    elif made.statement != chain.statement:
        yield (
            f"says {made.statement}, but its derivation composes to {chain.statement}; leave the statement out, or "
            "state it as a claim of its own that uses this one"
        )
    elif made.given != chain.given:
        yield "has other hypotheses than its derivation; state them once, in derive(..., given=...)"


def _circular(made: Claim) -> Iterator[str]:
    # What is assumed is a hypothesis, by whatever name it comes.
    assumed = (lemma.statement for lemma in made.using if lemma.claim.assumed)
    part = assumed_part(made.statement, (*made.given, *assumed))
    if part is not None:
        yield f"is among its own hypotheses: {part}; leave that out, or say what follows from it"


def _beyond(made: Claim) -> Iterator[str]:
    """What is called stronger than the paper where it is not."""
    if made.beyond is None:
        return
    quote = made.printed
    if not made.beyond.strip():
        yield "has an empty beyond; say in which way it goes beyond the paper"
    if made.assumed:
        yield "is assumed; that shows nothing beyond the paper"
    if quote is not None and (quote.statement, quote.hypotheses) == (made.statement, made.given):
        yield "says what is printed, so it is nothing beyond it"


def _refuted(made: Claim) -> Iterator[str]:
    if made.refuted is None:
        return
    if not made.refuted.strip():
        yield "has an empty refuted; say why this false statement is stated"
    if made.derivation is not None or made.assumed or made.beyond is not None:
        yield "is stated as a falsehood, so it cannot be derived, assumed or beyond the paper"


def _caller(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename.rsplit('/', 1)[-1]}:{frame.f_lineno}"


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
