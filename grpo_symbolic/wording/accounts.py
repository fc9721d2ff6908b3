"""What is said in prose and stands in no statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.language.statement import Statement, symbols_of
from grpo_symbolic.wording.complaint import Complaint
from grpo_symbolic.wording.numbers import unexplained
from grpo_symbolic.wording.prose import asserted, named_in, sentences_of
from grpo_symbolic.wording.values import Values, values_drawn, values_in
from grpo_symbolic.wording.words import unearned, words_in


def complaints(result: Result, library: Mapping[str, Claim]) -> Iterator[Complaint]:
    """Everything that a result says and does not state; ``library`` are the claims that its texts may name, by id."""
    yield from numbers_without_source(result)
    yield from words_without_claim(result, library)


def numbers_without_source(result: Result) -> Iterator[Complaint]:
    """The decimals in the texts of a result that its statements do not give."""
    statements = [statement for made in result.claims for statement in _said(made)]
    values = values_in(statements)
    symbols = {symbol for statement in statements for symbol in symbols_of(statement)}
    for sentence in sentences_of(result):
        known = values if sentence.figure is None else values | values_drawn(sentence.figure)
        for printed in unexplained(sentence.text, known, symbols):
            yield Complaint(sentence.where, f"{printed} stands in no statement here, and nothing enclosed rounds to it")


def words_without_claim(result: Result, library: Mapping[str, Claim]) -> Iterator[Complaint]:
    """The words of a result that say more than the claims which answer for them.

    A title answers for itself, and so does the reason of a step. Notes and corrections answer with their claim, the
    title of a result with all its claims, and every sentence with what it names of ``library``, by id. A sentence of an
    introduction or caption that asserts something has to name a claim.
    """
    for made in result.claims:
        for stated, kind in ((made, "title of"), *((step, "reason of") for step in made.steps)):
            for word, wants in unearned(stated, words_in(stated.title)):
                yield Complaint(f"{kind} {stated.id}", f"{word!r} wants {wants}")
    titles = {f"title of {made.id}" for made in result.claims}
    for sentence in sentences_of(result):
        if sentence.where in titles:
            continue
        for part in asserted(sentence.text):
            for what in _unearned(part, (*claims_named(part, result, library), *sentence.answering)):
                yield Complaint(sentence.where, f"{what}: {part}")


def _unearned(text: str, answering: Sequence[Claim]) -> Iterator[str]:
    used = words_in(text)
    said = [*(word for _, word in used), *unexplained(text, Values(frozenset()))]
    if said and not answering:
        yield f"{', '.join(map(repr, said))}: name the claim that says so between backticks"
        return
    missing = [dict(unearned(made, used)) for made in answering]
    for word, wants in missing[0].items() if missing else ():
        if all(word in others for others in missing):
            yield f"{word!r} wants {wants}, in a claim that is named or spoken of"


def claims_named(text: str, result: Result, library: Mapping[str, Claim]) -> Iterator[Claim]:
    """The claims of ``library``, by id, that a text of a result names; the paper's name may be left out."""
    for name in sorted(named_in(text)):
        yield from (library[id] for id in (name, f"{result.paper.id}.{name}") if id in library)


def _said(made: Claim) -> Iterator[Statement]:
    """Everything that a claim states: also the steps of its derivation, and what the paper prints."""
    yield from (*made.given, made.statement)
    if made.printed is not None:
        yield from (*made.printed.given, made.printed.statement)
    if made.derivation is not None:
        yield from made.derivation.step_statements
