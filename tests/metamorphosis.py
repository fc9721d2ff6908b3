"""Change one token of a formula at a time and tell which changes the reader does not notice."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_step
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.neutral import neutral
from grpo_symbolic.reading.tex.tokens import Token, tokens_of

_INSTEAD = {
    "letter": ("w", "v"), "number": ("7", "5"), "command": (r"\omega", r"\tau"), "+": ("-",), "-": ("+",), "=": ("<",),
    "<": ("=",), ">": ("=",), "*": ("+",), "/": ("+",), "(": ("[",), ")": ("]",), "[": ("(",), "]": (")",),
    "{": ("(",), "}": (")",), ",": (";",), "|": ("+",), "^": ("_",), "_": ("^",), "&": ("+",), ".": (",",),
}  # fmt: skip


class Mutant(NamedTuple):
    """A formula with one token changed; ``why`` names the neutral pattern that the token belongs to, if any."""

    how: str
    token: Token
    text: str
    why: str

    def __str__(self) -> str:
        start, end = self.token.place.start, self.token.place.end
        source = self.token.place.source.text
        return f"{self.how} {source[max(0, start - 40) : start]}>>{self.token.text}<<{source[end : end + 40]}"


def count_tokens(formula: str) -> int:
    """How many tokens a formula has."""
    return len(tokens_of(Source("formula", formula)))


def mutants(formula: str, chosen: Container[int] | None = None) -> Iterator[Mutant]:
    """The formula with each token, or each ``chosen`` by number, deleted, doubled, and replaced by one of its kind."""
    tokens = tokens_of(Source("formula", formula))
    for at, token in enumerate(tokens):
        if chosen is not None and at not in chosen:
            continue
        start, end = token.place.start, token.place.end
        why = neutral(tokens, at)
        yield Mutant("delete", token, f"{formula[:start]} {formula[end:]}", why)
        doubled = f"{formula[:end]} {formula[start:]}"
        after = tokens_of(Source("formula", doubled))
        yield Mutant("double", token, doubled, why or neutral(after, at) or neutral(after, min(at + 1, len(after) - 1)))
        for new in _INSTEAD.get(token.text, _INSTEAD.get(token.kind, ("+",))):
            if new != token.text:
                changed = f"{formula[:start]}{new} {formula[end:]}"
                after = tokens_of(Source("formula", changed))
                yield Mutant("change", token, changed, why and neutral(after, min(at, len(after) - 1)))
                break


def reading(formula: str, context: Context) -> list[tuple[object, ...]]:
    """Everything that is said of a displayed formula: what was read, what was not, and what belongs to it."""
    said: list[tuple[object, ...]] = []
    for display in read_text(f"$${formula}$$", tex=False).displays(lambda block: True):
        if display.broken is not None:
            said.append(("broken",))
            continue
        unread = ((one.code, one.items, " ".join(one.place.text.split())) for one in display.unread)
        said.append((display.label, display.tag, *unread))
        for chain in display.chains:
            said.append((chain.link, chain.continues))
            for step in chain.steps:
                try:
                    read = read_step(step, context)
                except NotUnderstood:
                    said.append(("refused", step.left, step.relation, step.right, step.conditions))
                else:
                    beside = tuple((one.words, one.items) for one in read.unread)
                    said.append(("read", step.relation.symbol, *(one.statement for one in read.instances), beside))
    return said


def is_read(said: list[tuple[object, ...]]) -> bool:
    """Whether at least one step was read."""
    return any(one[0] == "read" for one in said)


def unnoticed(formula: str, context: Context, chosen: Container[int] | None = None) -> Iterator[Mutant]:
    """The mutants of the ``chosen`` tokens that are read as the formula is, though no neutral pattern explains them."""
    original = reading(formula, context)
    if not is_read(original):
        return
    drawn = {nodes[0].place.text for nodes in context.points}
    for mutant in mutants(formula, chosen):
        if not mutant.why and not _of_point(mutant, drawn) and reading(mutant.text, context) == original:
            yield mutant


def _of_point(mutant: Mutant, drawn: set[str]) -> bool:
    """Whether the token is part of what an index is drawn from over which the map says that an average is none."""
    before = mutant.token.place.source.text[: mutant.token.place.start]
    index, sim, since = before.rpartition(r"\sim")
    return bool(sim) and index.rstrip().endswith(tuple(drawn)) and "," not in since and "]" not in since
