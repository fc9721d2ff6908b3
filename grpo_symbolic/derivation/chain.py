"""What a claim rests on: derivations, chains of steps with reasons, and lemmas, consequences of other claims.

How an author writes a derivation is in ``writing.py``, and how a claim is made, and refused, in ``declaring.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require_all, require_fields, require_mapping
from grpo_symbolic.language.calculus import ZERO, unfold
from grpo_symbolic.language.composites import Extremum, Impossible, Monotone, Summed, TermOfTotal, UniqueRoot
from grpo_symbolic.language.elements import sums_over
from grpo_symbolic.language.everywhere import couples_elements, is_generic
from grpo_symbolic.language.expression import Expression, Scalar, Symbol, Total, as_expression, free_indices, substitute
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.nearby import EveryIterate
from grpo_symbolic.language.sequences import InTheLimit, Supposed, supposed_of_functions
from grpo_symbolic.language.statement import (
    Equivalent,
    Implies,
    Relation,
    Statement,
    conjunction,
    eq,
    expressions_of,
    ge,
    is_elementary,
    le,
    lt,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.obligations.lemmas import premises_of
from grpo_symbolic.obligations.obligation import domain_statements, unfold_statement, values_needed

if TYPE_CHECKING:
    # Data that claims carry: of a quote only its statement and hypotheses are judged, an oracle is run elsewhere.
    from grpo_symbolic.derivation.oracle import Oracle
    from grpo_symbolic.derivation.source import Gap, Quote


@dataclass(frozen=True)
class Lemma:
    """A consequence of a claim, at particular values, that a check may use as a hypothesis.

    Its statement is computed from the claim and can be nothing else: ``values`` are those that symbols of the claim
    take, ``ends`` the two points at which a claim about monotonicity compares.

    Raises:
        DeclarationError: if the claim has no such consequence.
    """

    claim: Claim
    values: tuple[tuple[Symbol, Expression], ...] = ()
    ends: tuple[Expression, Expression] | None = None

    def __post_init__(self) -> None:
        require_fields(self, claim=Claim)
        for pair in (*require_all(self.values, tuple, "the values of a lemma"), self.ends or (ZERO, ZERO)):
            if len(require_all(pair, Expression, f"a lemma of claim {self.claim.id}")) != 2:
                raise DeclarationError(f"a lemma of claim {self.claim.id} has a value for each symbol, and two ends")
        require_mapping(dict(self.values), Symbol, f"claim {self.claim.id} at values of its symbols")
        self.statement  # noqa: B018 - refuses here what has no consequence

    @cached_property
    def statement(self) -> Statement:
        """What the claim gives; its hypotheses and the domains of replaced symbols stay as premises."""
        if self.ends is None:
            values = dict(self.values)
            self._refuse_elements(consequence(self.claim.statement), values)
            return self._under([values], [], substitute_statement(consequence(self.claim.statement), values))
        monotone = self.claim.statement
        if not isinstance(monotone, Monotone):
            raise DeclarationError(f"claim {self.claim.id} is not about monotonicity; use at(...)")
        symbol, body = monotone.symbol, monotone.expression
        if sums_over(symbol, unfold(body)):
            raise DeclarationError(f"claim {self.claim.id} is about one coordinate; two points differ in all")
        places = [{symbol: end} for end in self.ends]
        for place in places:
            self._refuse_elements(monotone, place)
        first, second = (substitute(body, place) for place in places)
        comparison = Relation(first, "<" if monotone.increasing else ">", second)
        return self._under(places, [lt(*self.ends)], comparison)

    @property
    def supposed_of_functions(self) -> tuple[Supposed, ...]:
        """What the claim supposes of functions: no premise of the lemma, so whoever uses it supposes the same."""
        return supposed_of_functions(self.claim.given)

    @property
    def _given(self) -> tuple[Statement, ...]:
        return tuple(item for item in self.claim.given if not isinstance(item, Supposed))

    def _refuse_moved(self, places: Sequence[Mapping[Symbol, Expression]]) -> None:
        """Refuse values for what the claim supposes something of functions about, which stays as it is."""
        for item in self.supposed_of_functions:
            for symbol in (symbol for place in places for symbol in place):
                if symbol != item.symbol and symbol in symbols_of(item):
                    raise DeclarationError(f"claim {self.claim.id} supposes of {symbol} that {item}; leave it as it is")

    @property
    def assuming(self) -> bool:
        """Whether the claim is an assumption or rests on one."""
        return self.claim.assumed or bool(self.claim.assumes)

    def _refuse_elements(self, said: Statement, values: Mapping[Symbol, Expression]) -> None:
        """Refuse what one element has for a number of which something is supposed that is so at every element.

        An element of a set of which the claim does not speak stays the same where the claim runs through its own: for
        each prompt a lemma about all outputs holds of what that prompt has.
        """
        supposed = [*map(unfold_statement, self._given), *premises_of(said)]
        if not couples_elements(said, supposed):
            return
        own = index_sets(*expressions_of((said, *supposed)))
        for symbol, value in values.items():
            generic = any(one not in symbol.indices and one.whole in own for one in free_indices(unfold(value)))
            if generic and any(symbol in symbols_of(item) for item in supposed if is_generic(item)):
                raise DeclarationError(
                    f"claim {self.claim.id} supposes something of {symbol} at every element, and {value} is of one"
                )

    def _under(
        self, places: Sequence[Mapping[Symbol, Expression]], further: Sequence[Statement], conclusion: Statement
    ) -> Statement:
        """A conclusion that holds where values exist in their domains and the claim's hypotheses hold of them."""
        premises = [item for place in places for pair in place.items() for item in _reached(*pair)]
        self._refuse_moved(places)
        given = map(unfold_statement, self._given)
        premises += [substitute_statement(item, place) for item in given for place in places]
        premises += further
        return Implies(conjunction(premises), conclusion) if premises else conclusion


def _reached(symbol: Symbol, value: Expression) -> tuple[Statement, ...]:
    """That there is a value, and one in the domain of a symbol."""
    return (*values_needed([unfold(value)]), *domain_statements({symbol: value}))


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
class Derivation:
    """A start with its citation, then steps, under hypotheses."""

    start: Expression | Statement
    because: str
    given: tuple[Statement, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def statement(self) -> Statement:
        """What all steps show: start related to end by the weakest relation on the way."""
        end = self.steps[-1].to if self.steps else self.start
        return _related(self.start, _composed({step.relation for step in self.steps}), end)

    @property
    def step_statements(self) -> Iterator[Statement]:
        """What each step says about the line before it; a weighted sum speaks of every element, and for itself."""
        line = self.start
        for step in self.steps:
            if isinstance(step.to, Summed) and isinstance(line, Statement):
                yield step.to
            else:
                yield _related(line, step.relation, step.to)
            line = step.to


def _related(before: Expression | Statement, relation: str, after: Expression | Statement) -> Statement:
    """What it says that one line follows from another."""
    if isinstance(before, Expression) and isinstance(after, Expression):
        return Relation(before, relation, after)
    if isinstance(before, Statement) and isinstance(after, Statement):
        return Equivalent(before, after) if relation == "iff" else Implies(before, after)
    raise DeclarationError("a derivation cannot mix expressions and statements")


#: Relations that compose, the one that wins first: from a < b and b <= c follows a < c.
_COMPOSING = (("<", "<=", "="), (">", ">=", "="), ("implies", "iff"))


def _composed(kinds: set[str]) -> str:
    """The relation between the first and the last of lines that are related like this one by one."""
    for row in _COMPOSING:
        if kinds.issubset(row):
            return next((relation for relation in row if relation in kinds), row[-1])
    raise DeclarationError(f"a derivation cannot go both up and down: {', '.join(sorted(kinds))}")


@dataclass(frozen=True)
class Claim:
    """An id and a statement, with what it assumes, what it rests on and what the paper prints.

    ``id`` is ``<paper>.<slug>``; ``equation`` is the paper's own number or place, if it has one. ``given`` are
    hypotheses; ``using`` are lemmas, that is consequences of other claims. ``oracle`` is an independent program that
    the claim is compared with. ``key`` says whether the report lists it, unless that follows from its place.
    ``beyond`` says in words how the claim is stronger or sharper than the paper. ``paper_uses`` are the ids of claims
    from whose *printed* statements the paper concludes this one; our own derivation need not use them.
    ``refuted`` says why a false statement is stated, if it is: then the checks must refute it.
    ``cites`` names theorems of ``cited.py`` by which the title says more than the statement; ``fills`` gaps of a proof.
    """

    id: str
    title: str
    statement: Statement
    given: tuple[Statement, ...] = ()
    using: tuple[Lemma, ...] = ()
    derivation: Derivation | None = None
    printed: Quote | None = None
    equation: str | None = None
    assumed: bool = False
    oracle: Oracle | None = None
    beyond: str | None = None
    paper_uses: tuple[str, ...] = ()
    refuted: str | None = None
    cites: tuple[str, ...] = ()
    fills: tuple[Gap, ...] = ()
    key: bool | None = None
    declared_at: str = field(default="", compare=False)

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

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """The ids of the claims behind these lemmas."""
        return tuple(lemma.claim.id for lemma in self.using_anywhere)

    @cached_property
    def steps(self) -> tuple[Claim, ...]:
        """The steps of the derivation as claims of their own, with ids ``<id>.step-1`` and so on."""
        chain = self.derivation
        if chain is None:
            return ()
        lines = zip(chain.steps, chain.step_statements, strict=True)
        return tuple(
            Claim(f"{self.id}.step-{number}", step.reason, said, chain.given, step.using, declared_at=self.declared_at)
            for number, (step, said) in enumerate(lines, start=1)
        )

    @cached_property
    def step_ids(self) -> tuple[str, ...]:
        """The ids of the steps."""
        return tuple(step.id for step in self.steps)

    @cached_property
    def is_derived(self) -> bool:
        """Whether steps lead to it."""
        return self.derivation is not None and bool(self.derivation.steps)

    @cached_property
    def supports(self) -> tuple[str, ...]:
        """The ids of what it rests on: its steps, and the claims that it uses as lemmas."""
        return tuple(other.id for other in rests_on(self))

    def misses(self, known: Mapping[str, Claim]) -> str | None:
        """The first of these ids under which another claim is known, if there is one."""
        return next((other.id for other in rests_on(self) if known[other.id] != other), None)

    def at(self, values: Mapping[Symbol, Scalar]) -> Lemma:
        """The claim at particular values of its symbols, to be used as a lemma.

        The lemma keeps the claim's hypotheses and the domains of the replaced symbols as premises.
        """
        require_mapping(values, Symbol, f"claim {self.id} at values of its symbols")
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
        case EveryIterate(kept) if statement.counted is not None:
            return unfold_statement(kept)
        case InTheLimit(conclusion):
            return unfold_statement(conclusion)
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
            raise DeclarationError(f"no pointwise consequence of {statement}; between(...) is for monotonicity only")


def rests_on(made: Claim) -> tuple[Claim, ...]:
    """The claims that a claim rests on: the steps of its derivation, and those that it uses as lemmas."""
    return (*made.steps, *(lemma.claim for lemma in made.using))
