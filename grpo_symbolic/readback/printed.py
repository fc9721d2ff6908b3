"""One printed formula read back, and compared with the statement or expression that it was printed from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.composites import Extremum, Limit, Monotone
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.folding import mirrored
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    expressions_of,
    map_expressions,
)
from grpo_symbolic.readback.notations import generic_element, printed_notation, sets_spoken_of
from grpo_symbolic.readback.outputs import member, with_functions, written_out
from grpo_symbolic.readback.same import Comparison, compare
from grpo_symbolic.readback.statements import read_formula
from grpo_symbolic.reading.places import BrokenLatex, ReadingError

#: Line breaks and spaces of a display, which its formula does not have.
_LAYOUT = re.compile(r"\\begin\{aligned\}\[[tc]\]&?|\\end\{aligned\}|\\\\&|\\q?quad\b(?: ?\{\})?")
#: Sums of which a page that is too small shows only some terms.
_ABBREVIATED = r"\underbrace{\cdots}"


@dataclass(frozen=True)
class Outcome:
    """What became of a formula: read and the same (``agrees``), read as something else (``differs``), or not read.

    ``reason`` says why it was not read, or where the values differ; ``read`` is how a different one was read.
    """

    status: str
    reason: str = ""
    read: str = ""


AGREES = Outcome("agrees")


def read_back(latex: str, subject: Statement | Expression) -> Outcome:
    """Read LaTeX that we printed in the notation of ``subject`` alone, and compare it with ``subject``.

    ``subject`` is an expression or an elementary statement.
    """
    if _ABBREVIATED in latex:
        return Outcome("not read", "long sums are abbreviated on the page")
    expressions = [with_functions(item) for item in expressions_of(subject)]
    sets = index_sets(*expressions_of(subject))
    try:
        context = printed_notation(expressions, sets)
        scope = generic_element(*sets_spoken_of(*expressions), apart=sets)
        found = read_formula(one_line(latex), context, scope)
    except BrokenLatex as error:
        return Outcome("differs", f"broken LaTeX: {error.reason}", latex)
    except ReadingError as error:
        return Outcome("not read", error.reason)
    except GrpoSymbolicError as error:
        return Outcome("not read", str(error))
    written = partial(with_functions, written=True)
    typed = written(subject) if isinstance(subject, Expression) else map_expressions(subject, written)
    return compared(found, in_readers_terms(typed, sets))


def one_line(latex: str) -> str:
    """A printed formula without its line breaks, and with evaluation bars as brackets, which say where they begin."""
    flat = _LAYOUT.sub(" ", latex)
    return flat.replace(r"\left.", r"\left[").replace(r"\right|", r"\right]")


def in_readers_terms(subject: Statement | Expression, sets: Sequence[IndexSet] = ()) -> Statement | Expression:
    """The same with sums written out, as the reader writes them out; ``sets`` has several index sets in order."""

    def out(expression: Expression) -> Expression:
        return written_out(expression, sets=sets)

    match subject:
        case Expression():
            return out(subject)
        case Relation(left, operator, right):
            return Relation(out(left), operator, out(right))
        case Monotone(body, symbol, rises):
            return Monotone(out(body), member(symbol), rises)
        case Extremum(body, symbol, at, minimum):
            return Extremum(out(body), member(symbol), out(at), minimum, subject.sloped)
        case All(parts) | Any(parts):
            return type(subject)(tuple(_statement_in_readers_terms(part, sets) for part in parts))
        case Implies(left, right) | Equivalent(left, right):
            return type(subject)(_statement_in_readers_terms(left, sets), _statement_in_readers_terms(right, sets))
    return subject


def _statement_in_readers_terms(statement: Statement, sets: Sequence[IndexSet]) -> Statement:
    found = in_readers_terms(statement, sets)
    return found if isinstance(found, Statement) else statement


def compared(found: Statement | Expression, typed: Statement | Expression, *, strict: bool = True) -> Outcome:
    """Compare what was read with what was typed, part by part; ``strict`` as in ``same.compare``."""
    if isinstance(found, Expression) or isinstance(typed, Expression):
        if not (isinstance(found, Expression) and isinstance(typed, Expression)):
            return Outcome("differs", "a formula on one side, a relation on the other", str(found))
        return _outcome(compare(found, typed, strict=strict), found)
    pairs = _pairs(found, typed)
    if pairs is None:
        return Outcome("differs", "the relations or the words between them are others", str(found))
    outcomes = [_outcome(compare(left, right, strict=strict), left) for left, right in pairs]
    worst = sorted(outcomes, key=lambda outcome: ("differs", "not read", "agrees").index(outcome.status))
    return worst[0] if worst else AGREES


def _outcome(comparison: Comparison, found: Expression) -> Outcome:
    if comparison.agree:
        return AGREES
    if comparison.agree is None:
        return Outcome("not read", comparison.how)
    return Outcome("differs", f"other values at {comparison.how}" if comparison.how else "another value", str(found))


def _pairs(found: Statement, typed: Statement) -> list[tuple[Expression, Expression]] | None:
    """The expressions that stand in the same places of two statements; None if their build differs."""
    match found, typed:
        case Relation(), Relation():
            one, other = _oriented(found), _oriented(typed)
            if one.operator != other.operator:
                return None
            return [(one.left, other.left), (one.right, other.right)]
        case (All(), _) | (_, All()):
            return _joined(_flat(found, All), _flat(typed, All))
        case (Any(), _) | (_, Any()):
            return _joined(_flat(found, Any), _flat(typed, Any))
        case Monotone(body, symbol, rises), Monotone(other_body, other_symbol, other_rises):
            return [(body, other_body)] if (symbol, rises) == (other_symbol, other_rises) else None
        case Extremum(body, symbol, at, minimum), Extremum(other_body, other_symbol, other_at, other_minimum):
            same = (symbol, minimum, found.sloped) == (other_symbol, other_minimum, typed.sloped)
            return [(body, other_body), (at, other_at)] if same else None
        case Limit(), Limit():
            return _limits(found, typed)
        case Implies(left, right), Implies(other_left, other_right):
            return _joined([left, right], [other_left, other_right])
        case Equivalent(left, right), Equivalent(other_left, other_right):
            return _joined([left, right], [other_left, other_right])
    return None


def _joined(found: Sequence[Statement], typed: Sequence[Statement]) -> list[tuple[Expression, Expression]] | None:
    if len(found) != len(typed) or (len(found) == 1 and isinstance(found[0], All | Any)):
        return None
    pairs = [_pairs(one, other) for one, other in zip(found, typed, strict=True)]
    return None if None in pairs else [pair for inner in pairs if inner is not None for pair in inner]


def _limits(found: Limit, typed: Limit) -> list[tuple[Expression, Expression]] | None:
    """The parts of two limits; a paper gives no rate."""
    if (found.symbol, found.side) != (typed.symbol, typed.side) or (found.value is None) != (typed.value is None):
        return None
    ends = [(found.point, typed.point)]
    if found.value is not None and typed.value is not None:
        ends.append((found.value, typed.value))
    return [(found.expression, typed.expression), *ends]


def _flat(statement: Statement, kind: type[All] | type[Any]) -> list[Statement]:
    """The parts of a list, with lists of the same kind in it taken apart: they are printed alike."""
    if not isinstance(statement, kind):
        return [statement]
    return [inner for part in statement.parts for inner in _flat(part, kind)]


def _oriented(relation: Relation) -> Relation:
    """The relation written with less-than signs, as bounds on both sides are printed."""
    return mirrored(relation) if relation.operator in (">", ">=") else relation
