"""What the derivations quote from a paper, read from its LaTeX and compared with the statement typed beside it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement, expressions_of
from grpo_symbolic.readback.given import settings
from grpo_symbolic.readback.matching import Typed, left_out, match
from grpo_symbolic.readback.notations import generic_element, spoken_of
from grpo_symbolic.readback.printed import Outcome
from grpo_symbolic.readback.statements import Fragment, StatementReader, parsed, read_fragment
from grpo_symbolic.readback.vocabulary import (
    Spoken,
    Vocabulary,
    context_of,
    definition_entry,
    leaves_out,
    vocabulary,
)
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.entries import Entry
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.reading.tex.normal import split, trimmed
from grpo_symbolic.reading.tex.symbols import OPERATORS, PUNCTUATION, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Nodes, Words, place_of, walk

#: How the reason begins where a statement was typed in other words on purpose.
INTERPRETED = "interpreted: "
#: The reason where a quote is a sentence without any relation between formulas.
PROSE = "prose: a sentence without a relation between formulas"
#: The status of a quote that agrees after some of its words were put in formulas, as the reason says.
REWORDED = "reworded"
#: Kinds of refusals that words cause.
_OF_PROSE = ("words", "meaningless")
#: What a name has not.
_BETWEEN = RELATIONS | OPERATORS | PUNCTUATION
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
    claims ``around`` it. Words that the vocabulary rewords for this claim are replaced before.
    """
    words = known.reworded.get(made.id, {})
    latex = _SPACE.sub(" ", quote.latex)
    for printed, formula in words.items():
        latex = latex.replace(printed, formula)
    outcome = _read(latex, quote, made, around, known)
    if outcome.status == "agrees" and words:
        said = "; ".join(f"{printed} as {formula}" for printed, formula in words.items())
        return Outcome(REWORDED, f"read with {said}")
    why = known.interpreted.get(made.id)
    if outcome.status == "agrees" or why is None:
        return outcome
    return Outcome("not read", f"{INTERPRETED}{why}")


def _read(latex: str, quote: Quote, made: Claim, around: Sequence[Expression], known: Vocabulary) -> Outcome:
    statements = (*quote.hypotheses, *made.given, made.statement)
    own = [item for statement in statements for item in expressions_of(statement)]
    spoken = Spoken(made.id, list(expressions_of(quote.statement)), own, spoken_of(*own, *around))
    found: Statement | Expression | Fragment | None = None
    reasons: list[str] = []
    prose = False
    for wider in ((), around):
        try:
            found = _with_definitions(parsed(latex), spoken, wider, known)
            break
        except ReadingError as error:
            reasons.append(error.reason)
            prose = prose or (isinstance(error, NotUnderstood) and error.kind in _OF_PROSE)
        except GrpoSymbolicError as error:
            reasons.append(str(error))
    if found is None:
        return Outcome("not read", PROSE if prose and _is_prose(latex) else reasons[0])
    cases = settings((*quote.hypotheses, *made.given), (*own, *spoken.statement), known.distributions)
    typed = Typed(quote.statement, quote.hypotheses, cases, made.statement, holds=quote.severity is None)
    outcome = match(found, typed)
    if outcome.status == "differs" and left_out(found):
        return Outcome("not read", "it names or leaves out what the claim writes out")
    return outcome


def _is_prose(latex: str) -> bool:
    nodes = list(walk(parsed(latex)))
    relation = any(isinstance(node, Atom) and node.text in RELATIONS for node in nodes)
    return not relation and any(isinstance(node, Words) for node in nodes)


def _with_definitions(
    nodes: Nodes, spoken: Spoken, wider: Sequence[Expression], known: Vocabulary
) -> Statement | Expression | Fragment:
    """Read a quote; an equation in it that says what an unknown name in the rest means is taken as its definition."""
    context, scope = context_of(spoken, wider, known), generic_element(spoken.over)
    parts = split(nodes, ",")
    kept: list[Nodes] = []
    defined: list[Entry] = []
    for index, part in enumerate(parts):
        rest = [other for place, other in enumerate(parts) if place != index]
        entry = _definition(trimmed(part), rest, context, scope)
        if entry is None:
            kept.append(part)
        else:
            defined.append(entry)
    if not defined or not kept:
        return read_fragment(nodes, context, scope, bare=True)
    comma = Atom(",", place_of(nodes))
    left = tuple(node for part in kept for node in (*part, comma))[:-1]
    return read_fragment(left, context_of(spoken, wider, known, defined), scope, bare=True)


def _definition(part: Nodes, rest: Sequence[Nodes], context: Context, scope: Scope) -> Entry | None:
    sides = split(part, "=")
    if len(sides) != 2 or not all(sides) or any(isinstance(node, Words) for node in part):
        return None
    left, right = sides
    if any(isinstance(node, Atom) and node.text in _BETWEEN for node in left):
        return None
    used = any(node == left[0] for other in rest for node in walk(other))
    if not used:
        return None
    try:
        value = StatementReader(context, scope, bare=True).side(left, place_of(left))
        if not leaves_out(value):
            return None
    except (ReadingError, FreeIndex):
        pass
    try:
        return definition_entry(left, right, place_of(left).text)
    except GrpoSymbolicError:
        return None
