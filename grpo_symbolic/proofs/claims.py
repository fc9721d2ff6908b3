"""Finds proofs of whole claims: a plan that the kernel knows for the statement, and a proof of each of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product

from grpo_symbolic.checks import refuting
from grpo_symbolic.checks.proposals.everything import Everything
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.records import Names, record_of
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import Place
from grpo_symbolic.kernel.kinds import Clause, parts, premises
from grpo_symbolic.kernel.points import read_point
from grpo_symbolic.kernel.ranges import Interval
from grpo_symbolic.kernel.statements import Record, composed, read_record
from grpo_symbolic.kernel.terms import Json, RefusedError, Term, forget
from grpo_symbolic.kernel.verify import plain_part, verify, whole_of
from grpo_symbolic.language import domain as language
from grpo_symbolic.language.composites import Existence, Extremum, Monotone
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.statement import All, Implies, Statement, is_elementary
from grpo_symbolic.language.support import has_brackets
from grpo_symbolic.obligations.expansion import Premises
from grpo_symbolic.obligations.obligation import Obligation, unfold_statement
from grpo_symbolic.obligations.support import on_the_support
from grpo_symbolic.proofs.brackets import bracketed
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.points import points_of
from grpo_symbolic.proofs.sums import certificate
from grpo_symbolic.proofs.tables import Table, statement_of

#: So many plans are tried for one statement.
_MOST_PLANS = 8
_PLANS: Mapping[type[Statement], tuple[str, ...]] = {
    Monotone: ("slope", "two points", "one step further"),
    Extremum: ("slopes", "comparison"),
}


@dataclass(frozen=True)
class Attempt:
    """A proof of a claim, with its record; or, if there is none, what resisted."""

    record: Json
    proof: Json
    resisted: tuple[str, ...] = ()


def prove(claim: Claim, settings: Settings, points: Sequence[Place] = ()) -> Attempt:
    """A proof that the kernel accepts of a claim by itself; ``points`` are some at which its premises may hold."""
    forget()
    try:
        data, names = record_of(claim)
        record = read_record(data)
        if claim.assumed:
            return Attempt(data, {})
    except (GrpoSymbolicError, RefusedError) as error:
        return Attempt(None, None, (f"no record: {error}",))
    resisted: list[str] = []
    for plan in islice(_plans(claim), _MOST_PLANS):
        search = _Search(data, record, names, settings, points)
        try:
            return Attempt(data, search.proof(plan))
        except (GrpoSymbolicError, RefusedError, ArithmeticError, RecursionError) as error:
            resisted.append(f"{plan}: {error}")
    return Attempt(data, None, tuple(resisted))


def refute(id: str, quote: Quote, *at: Place) -> Json:
    """A quote with the first of some points at which the kernel sees that it fails; None if there is none."""
    found = (_refuted_at(id, quote, one) for one in dict.fromkeys(at) if one)
    return next((one for one in found if one is not None), None)


def _refuted_at(id: str, quote: Quote, at: Place) -> Json:
    forget()
    try:
        data, names = record_of(Claim(id, quote.where, quote.statement, quote.given))
        record = read_record(data)
        hidden = list[Term]()
        stated = [record.unfold(one, hidden) for one in (*record.given, record.statement)]
        spoken = frozenset().union(*(one.free for one in (*stated, *hidden)))
        symbols = tuple(names.symbol(name) for name in sorted(spoken) if record.symbols[name].of is None)
        sets = dict.fromkeys((*(one for symbol in symbols for one in symbol.indices), *names.sets.values()))
        table, printed = Table(record.terms), tuple(filter(is_elementary, (*quote.given, quote.statement)))
        points = [*points_of(at, symbols, sets, on_the_support((*map(unfold_statement, printed),)), table)]
    except (GrpoSymbolicError, RefusedError, ValueError):
        return None
    for point in points:
        document: Json = {"record": data, "refutation": {"terms": [*table.added], "point": point}}
        with suppress(RefusedError):
            verify(document)
            return document
    return None


def _plans(claim: Claim) -> Iterator[Json]:
    if claim.is_derived:
        yield "composed"
    yield from _plans_of(claim.statement)


def _plans_of(statement: Statement) -> Iterator[Json]:
    match statement:
        case All(inner):
            yield from map(list, product(*(list(_plans_of(one)) for one in inner)))
        case Implies(_, conclusion):
            yield from _plans_of(conclusion)
        case Existence(inner, _):
            yield from _plans_of(inner)
        case _:
            yield from _PLANS.get(type(statement), ("claim",))


class _Search:
    """The search for a proof by one plan."""

    def __init__(self, data: Json, record: Record, names: Names, settings: Settings, points: Sequence[Place]) -> None:
        self._record, self._names, self._settings, self._points = record, names, settings, points
        self._table = Table(record.terms)
        self._proposer = Everything(settings, brief=True)

    def proof(self, plan: Json) -> Json:
        """The proof.

        Raises:
            RefusedError: if something resists.
        """
        shown: list[Json] = []
        if plan == "composed":
            composed(self._record)
        else:
            shown = [self._part(one) for one in parts(self._record, plan)]
        points = [self._point(wanted) for wanted in premises(self._record, plan)]
        return {"plan": plan, "terms": [*self._table.added], "parts": shown, "points": points}

    def _part(self, part: Clause) -> Json:
        whole = whole_of(part)
        given = tuple(map(self._statement, part.facts))
        obligation = Obligation(part.label, given, self._statement(whole))
        made = bracketed if has_brackets(*obligation.expressions) else certificate
        sums = made(obligation, self._proposer, self._table)
        plain = plain_part(self._record, part, self._table.terms, sums)
        symbols = [self._plain(name, domain) for name, domain in plain.domains.items()]
        found = Finder(self._table, symbols).prove_terms(plain.facts, plain.conclusion)
        if found.open:
            raise RefusedError(f"{part.label}: {found.open[0]}")
        return {"sums": sums, "goals": [*found.proofs]}

    def _plain(self, name: str, domain: Interval) -> Symbol:
        """A symbol that is of no element, or the sum of something."""
        if name.rstrip("'") in self._names.symbols:
            return replace(self._names.symbol(name), indexed=None, second=None, of=None)
        low, high = (end if isinstance(end, Fraction) else None for end in (domain.low, domain.high))
        return Symbol(name, language.Interval(low, high, domain.low_in, domain.high_in), "", name)

    def _statement(self, term: Term) -> Statement:
        return statement_of(term, self._names.symbol, self._names.sets)

    def _point(self, wanted: Sequence[Term]) -> Json:
        """A point at which statements hold together."""
        if not wanted:
            return {"sizes": {}, "values": [], "laws": []}
        statements = tuple(map(self._statement, wanted))
        symbols = tuple(self._names.symbol(name) for name in sorted(frozenset().union(*(one.free for one in wanted))))
        sets = tuple(dict.fromkeys(one for symbol in symbols for one in symbol.indices)) + tuple(
            one for one in self._names.sets.values() if any(_runs(term, one, self._names) for term in wanted)
        )
        said = "no point was found"
        for place in self._places(statements):
            for made in points_of(place, symbols, tuple(dict.fromkeys(sets)), statements, self._table):
                try:
                    point = read_point(made, self._table.terms, self._record)
                    for one in wanted:
                        point.require(one, made["laws"])
                    return made
                except (GrpoSymbolicError, RefusedError, ValueError) as error:
                    said = str(error)
        raise RefusedError(f"premises: {said}")

    def _places(self, statements: tuple[Statement, ...]) -> Iterator[Place]:
        yield from self._points
        found = refuting.possible(Premises("premises", on_the_support(statements)), self._settings)
        if found is not None and found.point is not None:
            yield found.point
        yield ()


def _runs(term: Term, one: IndexSet, names: Names) -> bool:
    """Whether a sum in a term runs through a set."""
    if term.op == "total" and names.sets.get(term.args[1]) == one:
        return True
    return any(_runs(inner, one, names) for inner in term.args if isinstance(inner, Term))
