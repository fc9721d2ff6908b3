"""What the text of a paper says of its displays, step by step: an entry of a notation map would say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grpo_symbolic.reading.document.blocks import Block
from grpo_symbolic.reading.document.displays import Display, PrintedChain, PrintedStep
from grpo_symbolic.reading.document.leads import Lead, Leads
from grpo_symbolic.reading.document.saying import Saying, may_be_special, saying_of
from grpo_symbolic.reading.notation.map import Address, ClaimEntry
from grpo_symbolic.reading.places import Place

#: The kind of inline formulas that are read only because the words before them define something.
ANNOUNCED = "announced"
#: The kind of comparisons of two sides around one that was not read.
ACROSS = "across"
_ORDERS = ("<", ">", r"\le", r"\ge", r"\ne", r"\leq", r"\geq")
_DEFINING = ("definition", "where")
#: What holds for each of several statements in one display.
_EACH = (*_DEFINING, "condition", "identity")


@dataclass(frozen=True)
class Said:
    """Words of the paper that say what a step is, and what follows from that; ``place`` is where they end.

    ``defines`` says that they define a name, ``where`` that they explain what was used just before.
    """

    words: str
    place: Place
    effect: str
    defines: bool = False
    where: bool = False

    def __str__(self) -> str:
        return f'line {self.place.line} says "{self.words}": {self.effect}'


_EFFECTS = {
    "definition": "it defines its left side",
    "where": "it defines its left side",
    "condition": "it is required or assumed",
    "identity": "it is asserted",
    "equivalent": "it says the same as",
    "assumption": "it is about this case",
}


class Told:
    """The sayings about the steps of some displays in reading order, by the identity of the step.

    ``reads`` says whether there is anything to read.
    """

    def __init__(self, displays: Sequence[Display]) -> None:
        self.reads = bool(displays)
        self._sayings: dict[int, Saying] = {}
        #: By the identity of a display, the steps after it that say what something in it is.
        self._explained: dict[int, list[PrintedStep]] = {}
        leads = Leads(display.place for display in displays if display.kind == "display")
        before: Display | None = None
        last: Saying | None = None
        for display in displays:
            lead = leads.of(display.place)
            saying = _in_context(saying_of(lead), lead, display, leads)
            if any(chain.link for chain in display.chains):
                saying = None
            listed = lead.follows or lead.words.strip(" ,:") == "and"
            if saying is None and listed and last is not None and last.kind in _DEFINING and display.kind == "display":
                saying = last
            if saying is not None and saying.kind == "where" and before is not None:
                own = {step.left for step in before.steps}  # what it says itself needs no explaining
                explained = [step for step in _first_equations(display) if step.left not in own]
                self._explained.setdefault(id(before), []).extend(explained)
            for chain in display.chains:
                # What goes on from the display before is what that is.
                said = last if chain.continues and last is not None and last.kind not in _DEFINING else saying
                if said is not None and (len(display.chains) == 1 or said.kind in _EACH):
                    self._sayings.update((id(step), said) for step in _meant(chain, said))
            if display.kind == "display":
                before, last = display, saying if not _only_continues(display) else last

    def said(self, step: PrintedStep) -> Said | None:
        """The words that say what a step is, if there are any."""
        found = self._sayings.get(id(step))
        if found is None:
            return None
        effect = f"{_EFFECTS[found.kind]} ({found.of})" if found.of else _EFFECTS[found.kind]
        defines = found.kind in _DEFINING
        return Said(found.words, found.place, effect, defines, found.kind == "where")

    def explained(self, display: Display) -> Sequence[PrintedStep]:
        """What the text explains right after a display: ``where ... = ...``."""
        return self._explained.get(id(display), ())

    def claim(self, step: PrintedStep) -> ClaimEntry | None:
        """What an entry of a map would say of a step, from the words before it."""
        found = self._sayings.get(id(step))
        if found is None or found.kind in _DEFINING:
            return None
        address = Address(found.place)
        match found.kind:
            case "equivalent":
                return ClaimEntry(address, "equivalent", of=(found.of,))
            case "assumption":
                assumed = () if found.assumed is None else (found.assumed.text,)
                return ClaimEntry(address, "", assume=assumed)
            case kind:
                return ClaimEntry(address, kind)


def _in_context(saying: Saying | None, lead: Lead, display: Display, leads: Leads) -> Saying | None:
    """What is said of a display, where that is clear.

    An inline formula can only define something, and after "where" only with a sign for that: it may state a fact. An
    equation is asserted where the text since the last beginning speaks of no case for which alone it may hold.
    """
    if display.kind == ACROSS:
        return saying if saying is not None and saying.kind not in _DEFINING else None
    if display.kind != "display":
        noted = any(step.relation.symbol == ":=" for step in display.steps[:1])
        if noted and not lead.quoted and (saying is None or saying.kind not in _DEFINING):
            return Saying("definition", "is defined as", lead.place)
        kept = saying is not None and (saying.kind == "definition" or (noted and saying.kind == "where"))
        return saying if kept else None
    if saying is not None and saying.kind == "identity":
        return None if may_be_special(leads.since_beginning(lead.place).text) else saying
    return saying


def _only_continues(display: Display) -> bool:
    return bool(display.chains) and all(chain.continues for chain in display.chains)


def _first_equations(display: Display) -> Iterator[PrintedStep]:
    for chain in display.chains:
        if not chain.continues and chain.steps[0].relation.symbol in ("=", ":="):
            yield chain.steps[0]


def _meant(chain: PrintedChain, saying: Saying) -> Iterable[PrintedStep]:
    """The steps of a chain that some words are about."""
    if chain.link:
        return ()
    symbols = [step.relation.symbol for step in chain.steps]
    if saying.kind in _DEFINING:
        first = chain.steps[0]
        return (first,) if not chain.continues and first.relation.symbol in ("=", ":=") else ()
    if saying.kind == "condition":
        # In "f = ... < 0" the condition is the inequality, and the equation says what it is about.
        orders = [step for step in chain.steps if step.relation.symbol in _ORDERS]
        rest = len(symbols) - len(orders)
        if orders:
            return orders if all(symbol in ("=", *_ORDERS) for symbol in symbols) else ()
        return chain.steps if rest == 1 and symbols == ["="] and not chain.continues else ()
    if saying.kind == "identity":
        return chain.steps[:1] if symbols[0] == "=" and not chain.continues else ()
    return chain.steps


#: How the text before an inline formula ends that may define something, and a sign that does.
_MAY_DEFINE = re.compile(
    r"(?:\b(?:let|define|denote|introduce|write|set|put|by|as|function|follows)\b|\$|,|\band)[\s:,]*$", re.I
)
_NOTED = re.compile(r":=|\\triangleq|\\coloneqq|\\(?:stackrel|overset|mathrel)\b.{0,40}def|\\defeq", re.IGNORECASE)
_NEAR = 40


def said_inline(blocks: Sequence[Block]) -> frozenset[Place]:
    """The places of the inline formulas by which the text defines something: "let $f(x) = ...$", "$f(x) := ...$"."""
    leads = Leads(block.place for block in blocks if block.kind == "display")
    found: set[Place] = set()
    for block in blocks:
        text, start = block.place.source.text, block.place.start
        if block.kind == "display" or "=" not in block.inner.text:
            continue
        if _NOTED.search(block.inner.text):
            found.add(block.place)
        elif _MAY_DEFINE.search(text[max(0, start - _NEAR) : start]):
            saying = saying_of(leads.of(block.place))
            if saying is not None and saying.kind == "definition":
                found.add(block.place)
    return frozenset(found)
