"""What the derivations quote from a paper, read from its LaTeX and compared with the statement typed beside it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from grpo_symbolic.calculus import unfold
from grpo_symbolic.chain import Claim, Result
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.expression import Expression, Symbol, free_symbols
from grpo_symbolic.readback.given import put, settings
from grpo_symbolic.readback.printed import AGREES, Outcome, compared, in_readers_terms
from grpo_symbolic.readback.statements import read_formula
from grpo_symbolic.readback.vocabulary import Vocabulary, context_of, leaves_out, scope_of, vocabulary
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.source import Quote
from grpo_symbolic.statement import (
    All,
    Equivalent,
    Implies,
    Relation,
    Statement,
    Summed,
    UniqueRoot,
    expressions_of,
)

#: How the reason begins where a statement was typed in other words on purpose.
INTERPRETED = "interpreted: "
#: The reason of an agreement of which only one side could be compared.
ONE_SIDE = "one side was compared; the other one names what the claim writes out"
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SPACE = re.compile(r"\\q?quad\b|\\ ")


def read_quotes(parts: Iterable[tuple[Result, Sequence[Claim]]]) -> dict[str, Outcome]:
    """What became of the quote of every claim that has one, by id, from results with their claims.

    Raises:
        LibraryError: if a file of notation beside the derivations cannot be read.
    """
    vocabularies: dict[Path, Vocabulary] = {}
    found: dict[str, Outcome] = {}
    for result, claims in parts:
        folder = _folder(result)
        if folder not in vocabularies:
            vocabularies[folder] = vocabulary(folder)
        known = vocabularies[folder]
        around = list(_expressions(claims))
        for made in claims:
            if made.printed is not None:
                found[made.id] = read_quote(made.printed, made, around, known)
    return found


def _folder(result: Result) -> Path:
    """The folder of the derivations to which a result belongs; the root, which has no notation, if it has no file."""
    place = getattr(sys.modules.get(result.module), "__file__", None)
    return Path("/") if place is None else Path(place).parent


def _expressions(claims: Iterable[Claim]) -> Iterator[Expression]:
    for made in claims:
        for statement in (*made.given, made.statement):
            yield from expressions_of(statement)


def read_quote(quote: Quote, made: Claim, around: Sequence[Expression], known: Vocabulary) -> Outcome:
    """Read a quote and compare it with its statement and its hypotheses.

    It is read in the notation of its claim and its paper, and if that does not suffice, also in that of the
    claims ``around`` it.
    """
    statements = (quote.statement, *quote.hypotheses, *made.given, made.statement)
    own = [item for statement in statements for item in expressions_of(statement)]
    found: Statement | Expression | None = None
    reason = ""
    for expressions in (own, [*own, *around]):
        try:
            found = read_formula(
                _SPACE.sub(" ", quote.latex), context_of(own, expressions, known), scope_of(quote.latex)
            )
            break
        except ReadingError as error:
            reason = error.reason
        except GrpoSymbolicError as error:
            reason = str(error)
    if found is None:
        return Outcome("not read", reason)
    outcome = _outcome(found, quote, settings((*quote.hypotheses, *made.given)))
    if outcome.status != "differs":
        return outcome
    parts = [found] if isinstance(found, Expression) else expressions_of(found)
    if any(map(leaves_out, parts)):
        return Outcome("not read", "it names or leaves out what the claim writes out")
    why = known.interpreted.get(made.id)
    return outcome if why is None else Outcome("not read", f"{INTERPRETED}{why}")


def _outcome(found: Statement | Expression, quote: Quote, cases: Sequence[Mapping[Symbol, Expression]]) -> Outcome:
    outcome = _closest(found, (quote.statement, *quote.hypotheses), cases)
    if outcome.status == "agrees" or not isinstance(found, Implies) or not quote.hypotheses:
        return outcome
    # "B if A" may be typed as B under the hypothesis A.
    conditions = found.premise.parts if isinstance(found.premise, All) else (found.premise,)
    known = all(_closest(condition, quote.hypotheses, ()).status == "agrees" for condition in conditions)
    return _closest(found.conclusion, (quote.statement,), cases) if known else outcome


def _closest(
    found: Statement | Expression, typed: Sequence[Statement], cases: Sequence[Mapping[Symbol, Expression]]
) -> Outcome:
    """The best outcome over the parts of what was typed that a formula can print.

    Where the formulas are not the same everywhere, they are compared where the hypotheses hold, in all ``cases``.
    """
    outcomes: list[Outcome] = []
    for one, other in _choices(found, typed):
        outcome = _compared(one, in_readers_terms(other))
        if outcome.status == "differs" and any(cases):
            outcome = _compared_under(one, in_readers_terms(other), cases) or outcome
        if outcome.status == "agrees":
            return outcome
        outcomes.append(outcome)
    return min(outcomes, key=lambda outcome: outcome.status != "differs", default=Outcome("not read", "words"))


def _choices(
    found: Statement | Expression, typed: Sequence[Statement]
) -> Iterator[tuple[Statement | Expression, Statement | Expression]]:
    """What may be meant by what: the whole by a part, or a part by the whole, but no part by a part."""
    wholes = [other for statement in typed for other in _candidates(statement)]
    for other in wholes:
        yield found, other
    if isinstance(found, All):
        # Of a chain often one relation is typed.
        yield from ((part, other) for part in found.parts for other in wholes)
    for other in wholes:
        if isinstance(other, All):
            yield from ((found, inner) for part in other.parts for inner in _candidates(part))


def _candidates(typed: Statement | Expression) -> Iterator[Statement | Expression]:
    """What of a typed statement a paper may print by one formula."""
    yield typed
    match typed:
        case Implies(premise, conclusion) | Summed(premise, _, conclusion, _) | Equivalent(premise, conclusion):
            yield from _candidates(conclusion)
            yield from _candidates(premise)
        case UniqueRoot(symbol, condition, root):
            yield Relation(symbol, "=", root)
            yield from _candidates(condition)
        case Relation(left, operator, right):
            yield right
            yield left
            if operator == "=":
                yield Relation(right, operator, left)


def _compared_under(
    found: Statement | Expression, typed: Statement | Expression, cases: Sequence[Mapping[Symbol, Expression]]
) -> Outcome | None:
    """The agreement of two formulas in all cases that the hypotheses leave; ``None`` if there is none."""
    try:
        agree = all(_compared(put(found, case), put(_carried_out(typed), case)).status == "agrees" for case in cases)
    except GrpoSymbolicError:
        return None
    return Outcome("agrees", "where the hypotheses hold") if agree else None


def _carried_out(typed: Statement | Expression) -> Statement | Expression:
    """With derivatives carried out, below which nothing can be replaced."""
    match typed:
        case Expression():
            return unfold(typed)
        case Relation(left, operator, right):
            return Relation(unfold(left), operator, unfold(right))
        case _:
            return typed


def _compared(found: Statement | Expression, typed: Statement | Expression) -> Outcome:
    outcome = compared(found, typed, strict=False)
    if outcome.status == "agrees" or not (isinstance(found, Relation) and isinstance(typed, Relation)):
        return outcome
    named = _named_side(found, typed)
    return outcome if named is None else named


def _named_side(found: Relation, typed: Relation) -> Outcome | None:
    """The comparison of the other sides, where one side printed is a name for what was typed there."""
    if found.operator != typed.operator:
        typed = Relation(typed.right, _SWAPPED.get(typed.operator, typed.operator), typed.left)
    if found.operator != typed.operator:
        return None
    known = {*free_symbols(typed.left), *free_symbols(typed.right)}
    for name, other, wanted in ((found.left, found.right, typed.right), (found.right, found.left, typed.left)):
        # A mere number or symbol on the other side would agree with too much.
        named = (isinstance(name, Symbol) and name not in known) or leaves_out(name)
        if named and other.children and compared(other, wanted, strict=False) == AGREES:
            return Outcome("agrees", ONE_SIDE)
    return None
