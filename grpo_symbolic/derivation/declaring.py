"""What an author writes to begin a derivation and to state a claim, and what is refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from types import FrameType

from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma
from grpo_symbolic.derivation.circular import assumed_part
from grpo_symbolic.derivation.cited import cited
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.source import Gap, Quote
from grpo_symbolic.derivation.writing import Chain, as_lemma
from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.arguments import require, require_all, told
from grpo_symbolic.language.everywhere import refuse_unclear_elements
from grpo_symbolic.language.expression import Expression, Total, walk
from grpo_symbolic.language.further import refuse_further
from grpo_symbolic.language.indexed import index_sets
from grpo_symbolic.language.sequences import Supposed
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Statement,
    expressions_of,
    is_elementary,
    parts_of,
    symbols_of,
)
from grpo_symbolic.language.support import refuse_brackets
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.obligations.expansion import refuse_unknown

_ID = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9.-]*")


def derive(start: Expression | Statement, because: str, *, given: Iterable[Statement] = ()) -> Chain:
    """Begin a derivation at a definition or a known line; ``because`` cites where it comes from."""
    if not isinstance(start, Expression | Statement):
        raise DeclarationError(f"a derivation begins with an expression or a statement, and {told(start)} is none")
    if not require(because, str, f"derivation from {start}").strip():
        raise DeclarationError(f"derivation from {start}: say where the first line comes from")
    return Chain(start, because, require_all(given, Statement, f"derivation from {start}, given"))


def claim(
    id: str,
    title: str,
    statement: Statement | None = None,
    *,
    given: Iterable[Statement] = (),
    using: Iterable[Claim | Lemma] = (),
    derivation: Derivation | None = None,
    printed: Quote | None = None,
    equation: str | None = None,
    assumed: bool = False,
    oracle: Oracle | None = None,
    beyond: str | None = None,
    paper_uses: Iterable[str] = (),
    refuted: str | None = None,
    cites: Iterable[str] = (),
    fills: Iterable[Gap] = (),
    key: bool | None = None,
) -> Claim:
    """State a claim; without a statement it says what its derivation shows.

    ``beyond`` marks a claim that says more than the paper, and in which way. ``paper_uses`` names, by their slugs,
    claims about printed statements that the paper's own argument for this one uses. ``refuted`` says why a false
    statement is stated; any verdict but REFUTED is then a finding, and nothing can rest on the claim. ``cites`` names
    theorems, from a closed list, by which the title concludes more than the statement says. ``fills`` are steps that
    an argument of the paper leaves out and that the claim supplies. ``key`` says whether the report, which is short,
    lists the claim; if nothing is said, it does so if the paper numbers or prints it, or if it goes beyond the paper.

    Raises:
        DeclarationError: for a malformed id, an empty title, two symbols of one name, or no statement; and for what
            ``check_declared`` refuses.
    """
    where = _caller(sys._getframe(1))
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise DeclarationError(f"{where}: id {told(id)} is not of the form '<paper>.<slug>', e.g. 'author_2025.eq3'")
    if not isinstance(title, str) or not title.strip():
        raise DeclarationError(f"{where}: claim {id} needs a title")
    named = f"{where}: claim {id}"
    _refuse_mistyped(
        named,
        derivation=(derivation, Derivation),
        printed=(printed, Quote),
        oracle=(oracle, Oracle),
        equation=(equation, str),
        beyond=(beyond, str),
        refuted=(refuted, str),
        assumed=(assumed, bool),
        key=(key, bool),
    )
    if statement is None:
        if derivation is None:
            raise DeclarationError(f"{named} has neither a statement nor a derivation")
        statement = derivation.statement
    if not isinstance(statement, Statement):
        raise DeclarationError(f"{named}: {told(statement)} is not a statement; something evaluated")
    hypotheses = require_all(given, Statement, f"{named}, given") or (derivation.given if derivation else ())
    paper = id.partition(".")[0]
    made = Claim(
        id,
        title,
        statement,
        hypotheses,
        tuple(as_lemma(item) for item in require_all(using, object, f"{named}, using")),
        derivation,
        printed,
        equation,
        assumed,
        oracle,
        beyond,
        tuple(f"{paper}.{slug}" for slug in require_all(paper_uses, str, f"{named}, paper_uses")),
        refuted,
        require_all(cites, str, f"{named}, cites"),
        require_all(fills, Gap, f"{named}, fills"),
        key,
        where,
    )
    check_declared(made)
    try:
        stated = (*made.given, *(lemma.statement for lemma in made.using), made.statement)
        symbols_of(*stated)
        require_index_sets(*stated)
        refuse_further(made.statement, made.given)
        for item in (made, *made.steps):
            refuse_unclear_elements(item.statement, item.given, [lemma.statement for lemma in item.using])
        refuse_brackets(made.statement)
        _refuse_nested(made.statement, made.given)
        if printed is not None:
            _refuse_nested(printed.statement, printed.given)
    except (DeclarationError, UnsupportedError) as error:
        raise DeclarationError(f"{named}: {error}") from error
    return made


def _refuse_nested(statement: Statement, hypotheses: Iterable[Statement] = ()) -> None:
    """Refuse statements that nothing expands and for which there are no words: most say nothing inside of others."""
    refuse_unknown(statement, *hypotheses)
    inside = [item for item in hypotheses if not isinstance(item, Supposed)]
    match statement:
        case All(parts):
            for part in parts:
                _refuse_nested(part)
        case Implies(premise, conclusion):
            inside.append(premise)
            _refuse_nested(conclusion)
        case Any() | Equivalent():
            inside += parts_of(statement)
    for item in inside:
        if not is_elementary(item):
            raise DeclarationError(f"a composite statement cannot stand inside another: {item}")


def _refuse_mistyped(where: str, **values: tuple[object, type]) -> None:
    """Refuse what is not of the kind that a claim takes; what is left out is None."""
    for name, (value, kind) in values.items():
        if value is not None:
            require(value, kind, f"{where}, {name}")


def require_index_sets(*statements: Statement) -> None:
    """Refuse sums of which it is not clear over which of several sets they run.

    Raises:
        DeclarationError: if statements speak of more than one set, and a sum in them names none.
    """
    expressions = [expression for statement in statements for expression in expressions_of(statement)]
    sets = index_sets(*expressions)
    bodies = [made.body for item in expressions for made in definitions_in(item)]
    nodes = (node for item in (*expressions, *bodies) for node in walk(item))
    if len(sets) > 1 and any(isinstance(node, Total) and node.over is None for node in nodes):
        raise DeclarationError(f"a sum over {' or over '.join(one.elements for one in sets)}: say over which")


def check_declared(made: Claim) -> None:
    """Refuse a claim that shows nothing, or something else than it says.

    Raises:
        DeclarationError: for a claim that is among its own hypotheses, whose derivation composes to something else,
            that is called stronger than the paper and is not, that uses what is stated as false, or is itself stated
            as false and yet derived or assumed, or that cites a theorem which is not on the list.
    """
    for complaint in (
        *_derived(made),
        *_circular(made),
        *_falsehoods(made),
        *_beyond(made),
        *_refuted(made),
        *_cites(made),
    ):
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


def _cites(made: Claim) -> Iterator[str]:
    for name in made.cites:
        try:
            cited(name)
        except DeclarationError as error:
            yield str(error)


def _falsehoods(made: Claim) -> Iterator[str]:
    for used in (lemma.claim for lemma in made.using_anywhere):
        if used.refuted is not None:
            yield (
                f"uses claim {used.id}, stated as a falsehood at {used.declared_at}, so nothing can rest on it; use a "
                "claim that says what holds instead"
            )


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
