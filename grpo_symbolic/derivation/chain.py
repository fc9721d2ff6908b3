"""Derivations: chains of steps with reasons, claims that rest on them, and results that collect claims."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FrameType

from grpo_symbolic.derivation.figure import Figure
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.source import Paper, Quote
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import (
    Definition,
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
    All,
    Equivalent,
    Extremum,
    Implies,
    Monotone,
    Relation,
    Statement,
    Summed,
    TermOfTotal,
    UniqueRoot,
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
    """A consequence of a claim, at particular values, that a check may use as a hypothesis."""

    claim: Claim
    statement: Statement


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

    def at(self, values: Mapping[Symbol, Scalar]) -> Lemma:
        """The claim at particular values of its symbols, to be used as a lemma.

        The lemma keeps the claim's hypotheses and the domains of the replaced symbols as premises.
        """
        replacements = {symbol: as_expression(value) for symbol, value in values.items()}
        premises = [
            domain_statement(symbol, value)
            for symbol, value in replacements.items()
            if symbol.domain.lower is not None or symbol.domain.upper is not None
        ]
        premises += [substitute_statement(unfold_statement(item), replacements) for item in self.given]
        conclusion = substitute_statement(consequence(self.statement), replacements)
        return Lemma(self, _conditional(premises, conclusion))

    def between(self, low: Scalar, high: Scalar) -> Lemma:
        """The comparison of two points that a monotone claim gives, to be used as a lemma.

        Raises:
            DeclarationError: if the claim is not about monotonicity, or sums depend on its coordinate.
        """
        if not isinstance(self.statement, Monotone):
            raise DeclarationError(f"claim {self.id} is not about monotonicity; use at(...)")
        symbol, body = self.statement.symbol, self.statement.expression
        if symbol.indexed and any(
            symbol in free_symbols(node) for node in walk(unfold(body)) if isinstance(node, Total)
        ):
            raise DeclarationError(f"claim {self.id} is about one coordinate; two points differ in all")
        ends = as_expression(low), as_expression(high)
        premises: list[Statement] = [domain_statement(symbol, end) for end in ends]
        premises += [substitute_statement(unfold_statement(item), {symbol: end}) for item in self.given for end in ends]
        first, second = (substitute(body, {symbol: end}) for end in ends)
        comparison = lt(first, second) if self.statement.increasing else gt(first, second)
        return Lemma(self, _conditional([*premises, lt(*ends)], comparison))


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
    return Implies(premises[0] if len(premises) == 1 else All(tuple(premises)), conclusion)


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
) -> Claim:
    """State a claim; without a statement it says what its derivation shows.

    ``beyond`` marks a claim that says more than the paper, and in which way. ``paper_uses`` names, by their slugs,
    claims about printed statements that the paper's own argument for this one uses.

    Raises:
        DeclarationError: for a malformed id, an empty title, two symbols of one name, or no statement; for a claim
            that is called stronger than the paper and says what is printed, or is assumed.
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
        where,
    )
    _check_beyond(made)
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


def _check_beyond(made: Claim) -> None:
    """Refuse to call a claim stronger than the paper where it is not."""
    if made.beyond is None:
        return
    if not made.beyond.strip():
        raise DeclarationError(f"{made.declared_at}: claim {made.id}: say in which way it goes beyond the paper")
    if made.assumed:
        raise DeclarationError(f"{made.declared_at}: claim {made.id} is assumed; that shows nothing beyond the paper")
    quote = made.printed
    if quote is not None and (quote.statement, quote.hypotheses) == (made.statement, made.given):
        raise DeclarationError(f"{made.declared_at}: claim {made.id} says what is printed, so it is nothing beyond it")


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


@dataclass(frozen=True)
class Result:
    """A result of a paper: one section of the report, built when asked for.

    ``build`` yields the claims; its module's docstring opens the section. ``shorthands`` names long formulas, each
    after those in it: the report prints the names in their place. What is checked stays written out.
    """

    title: str
    paper: Paper
    build: Callable[[], Iterable[Claim]]
    figures: Callable[[], Iterable[Figure]] | None = None
    shorthands: Callable[[], Iterable[Definition]] | None = None

    @property
    def module(self) -> str:
        """The module that defines the result."""
        return self.build.__module__

    @property
    def slug(self) -> str:
        """The module's own name, such as ``quadratic_roots``."""
        return self.module.rsplit(".", 1)[-1]

    @property
    def introduction(self) -> str:
        """The module's docstring."""
        return (sys.modules[self.module].__doc__ or "").strip()

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in reading order."""
        return tuple(self.build())

    def claim(self, slug: str) -> Claim:
        """One claim of this result by its slug, for use as a lemma elsewhere.

        Raises:
            DeclarationError: if there is none, naming those there are.
        """
        wanted = f"{self.paper.id}.{slug}"
        for made in self.claims:
            if made.id == wanted:
                return made
        known = ", ".join(made.id.split(".", 1)[1] for made in self.claims)
        raise DeclarationError(f"no claim {wanted} in {self.module}; there are: {known}")
