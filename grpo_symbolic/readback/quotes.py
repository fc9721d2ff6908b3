"""A quote of a paper, read from its LaTeX and compared with the statement typed beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Apply, Expression, Symbol, free_symbols
from grpo_symbolic.language.expression import walk as walk_expression
from grpo_symbolic.language.statement import Statement, expressions_of
from grpo_symbolic.readback.given import settings
from grpo_symbolic.readback.matching import Typed, left_out, match, parts_of
from grpo_symbolic.readback.notations import generic_element, sets_spoken_of
from grpo_symbolic.readback.printed import Outcome
from grpo_symbolic.readback.statements import Fragment, StatementReader, parsed, read_fragment
from grpo_symbolic.readback.vocabulary import (
    Spoken,
    Vocabulary,
    context_of,
    definition_entry,
    leaves_out,
)
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.entries import Entry
from grpo_symbolic.reading.places import ReadingError
from grpo_symbolic.reading.tex.normal import split, trimmed
from grpo_symbolic.reading.tex.symbols import OPERATORS, PUNCTUATION, RELATIONS
from grpo_symbolic.reading.tex.tree import Atom, Group, Nodes, Words, place_of, walk

#: The status of a quote that cannot be read; somebody typed what it is taken to mean, as the reason says.
INTERPRETED = "interpreted"
#: The reason where a quote is a sentence without any relation between formulas.
PROSE = "prose: a sentence without a relation between formulas"
#: The status of a quote that agrees after some of its words were put in formulas, as the reason says.
REWORDED = "reworded"
#: Kinds of refusals that words cause.
_OF_PROSE = ("words", "meaningless")
#: What a name has not.
_BETWEEN = RELATIONS | OPERATORS | PUNCTUATION
_SPACE = re.compile(r"\\q?quad\b|\\ ")


def read_quote(quote: Quote, made: Claim, around: Sequence[Expression], known: Vocabulary) -> Outcome:
    """Read a quote and compare it with its statement and its hypotheses.

    It is read in the notation of its claim and its paper, and if that does not suffice, also in that of the
    claims ``around`` it. If it is not read so, the words that the vocabulary rewords for this claim are replaced, or
    it is what the vocabulary says that it is taken to mean. Neither goes before a reading: what is read is compared.
    """
    latex = _SPACE.sub(" ", quote.latex)
    outcome = _read(latex, quote, made, around, known)
    words, why = known.reworded.get(made.id), known.interpreted.get(made.id)
    if outcome.status != "not read":
        return _in_notation(outcome, known.local.get(made.id, {}))
    if words is not None:
        for printed, formula in words.items():
            latex = latex.replace(printed, formula)
        outcome = _read(latex, quote, made, around, known)
        return Outcome(REWORDED, f"read with {_said(words)}") if outcome.status == "agrees" else outcome
    return outcome if why is None else Outcome(INTERPRETED, why)


def _in_notation(outcome: Outcome, local: Mapping[str, str]) -> Outcome:
    """Say of an agreement which notation was given for this quote alone."""
    if outcome.status != "agrees" or not local:
        return outcome
    return Outcome("agrees", "; ".join([f"read with {_said(local)}", *filter(None, [outcome.reason])]))


def _said(meanings: Mapping[str, str]) -> str:
    return "; ".join(
        f"{_shown(printed)} as {_shown(formula)}".replace("#", "") for printed, formula in meanings.items()
    )


def _shown(latex: str) -> str:
    """What is words alone stands in quotation marks, where lines may break."""
    words = re.fullmatch(r"\\text\{([^{}$]*)\}", latex.strip())
    return f"${latex.strip()}$" if words is None else f'"{words[1].strip()}"'


def _read(latex: str, quote: Quote, made: Claim, around: Sequence[Expression], known: Vocabulary) -> Outcome:
    statements = (*quote.hypotheses, *made.given, made.statement)
    own = [item for statement in statements for item in expressions_of(statement)]
    over = sets_spoken_of(*own) or sets_spoken_of(*around)[:1]
    spoken = Spoken(made.id, list(expressions_of(quote.statement)), own, over)
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
    unclear = _unclear(found, parsed(latex))
    if unclear is not None:
        return Outcome("not read", unclear)
    cases = settings((*quote.hypotheses, *made.given), (*own, *spoken.statement), known.distributions)
    typed = Typed(quote.statement, quote.hypotheses, cases, made.statement, holds=not quote.expected_to_fail)
    outcome = match(found, typed)
    if outcome.status == "differs" and left_out(found):
        return Outcome("not read", "it names or leaves out what the claim writes out")
    return outcome


def _unclear(found: Statement | Expression | Fragment, nodes: Nodes) -> str | None:
    """Why what was read cannot be what is meant: a limit of a constant, or a name with a name as its argument."""
    read = [node for item in parts_of(found) for node in walk_expression(item)]
    for node in read:
        if isinstance(node, Binder) and node.kind.startswith("limit") and node.symbol not in free_symbols(node.body):
            return f"a limit as {node.symbol} grows of something that is not written as depending on it"
    factors = {parsed(name) for node in read for name in _factor(node)}
    for before, group in pairwise(nodes):
        if (before,) in factors and isinstance(group, Group) and group.open == "(" and len(group.items) == 1:
            return f"{place_of((before,)).text} stands before a single name in brackets: a product, or its argument"
    return None


def _factor(node: Expression) -> Iterator[str]:
    """The first factor, as it is printed, of a product of two names."""
    match node:
        case Apply("multiply", (Symbol(indexed=None) as first, Symbol(indexed=None))):
            yield first.latex


def _is_prose(latex: str) -> bool:
    nodes = list(walk(parsed(latex)))
    relation = any(isinstance(node, Atom) and node.text in RELATIONS for node in nodes)
    return not relation and any(isinstance(node, Words) for node in nodes)


def _with_definitions(
    nodes: Nodes, spoken: Spoken, wider: Sequence[Expression], known: Vocabulary
) -> Statement | Expression | Fragment:
    """Read a quote; an equation in it that says what an unknown name in the rest means is taken as its definition."""
    context, scope = context_of(spoken, wider, known), generic_element(*spoken.over)
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
