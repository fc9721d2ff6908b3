"""Read the displays of a paper with a notation map: every step becomes statements, or says why it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from grpo_symbolic.language.expression import Symbol, free_symbols
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.reading.clock import FORMULA_SECONDS, STEPS_SECONDS, Budget, Late, guarded
from grpo_symbolic.reading.document.displays import Display, PrintedStep, whole_chains
from grpo_symbolic.reading.meaning.announcing import declared_left
from grpo_symbolic.reading.meaning.defining import defined_by, defined_by_itself
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.stated import Stated, noted
from grpo_symbolic.reading.meaning.steps import ReadStep, Wish, read_step
from grpo_symbolic.reading.meaning.telling import Decision, Telling, is_kept
from grpo_symbolic.reading.meaning.told import ANNOUNCED, Said, Told
from grpo_symbolic.reading.notation.addresses import Finder
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.entries import Entry
from grpo_symbolic.reading.notation.map import ClaimEntry, DefinitionEntry, MapError, Notation, Section
from grpo_symbolic.reading.notation.names import Names
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.notation.usage import Usage
from grpo_symbolic.reading.places import unforeseen
from grpo_symbolic.reading.tex.tree import Nodes

#: The kinds of claims that are about the points at which a step holds.
_COMPARED = frozenset({"condition", "consequence", "equivalent"})
_Entry = TypeVar("_Entry", DefinitionEntry, ClaimEntry)


@dataclass(frozen=True)
class InterpretedStep:
    """One step of a paper: read, or refused; ``kind`` is what the map, the text or a ``:=`` says it is, else empty.

    ``said`` are the words of the text that say so, if it is the text.
    """

    display: Display
    step: PrintedStep
    read: ReadStep | None
    refusal: NotUnderstood | None
    kind: str = ""
    claim: ClaimEntry | None = None
    said: Said | None = None


@dataclass(frozen=True)
class Interpretation:
    """All steps of a paper in reading order, what is wrong with the map, and the ``objects`` nobody declared.

    ``reread`` reads what another step says in the place of one, with everything that the paper defines.
    """

    displays: tuple[Display, ...]
    outcomes: tuple[InterpretedStep, ...]
    warnings: tuple[MapError, ...]
    unused: tuple[Entry, ...]
    objects: Objects | None = None
    reread: Callable[[InterpretedStep, PrintedStep], ReadStep] | None = field(default=None, compare=False, repr=False)


def interpret(
    displays: Iterable[Display], notation: Notation, objects: Objects | None = None, stated: Sequence[Stated] = ()
) -> Interpretation:
    """Read all displays in order; definitions hold from where they stand.

    ``objects`` take up what nobody declared, ``stated`` are letters whose domain the text says.
    """
    return _Interpreter(tuple(displays), notation, objects, tuple(stated)).run()


@dataclass
class _Interpreter:
    displays: tuple[Display, ...]
    notation: Notation
    objects: Objects | None = None
    stated: tuple[Stated, ...] = ()
    defined: list[Entry] = field(default_factory=list)
    warnings: list[MapError] = field(default_factory=list)
    used: set[Entry] = field(default_factory=set)
    contexts: dict[tuple[int, ...], Context] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.finder = Finder(self.displays, self.notation.sections)
        self.budget = Budget(STEPS_SECONDS)
        parts: tuple[Notation | Section, ...] = (self.notation, *self.notation.sections)
        self.names = Names(entry for part in parts for entry in part.entries)
        for name in {name for part in parts for name in part.symbols}:
            self.names.keep(name)
        chains = pairwise(whole_chains(self.displays))
        self.tied = {id(step) for before, chain in chains if chain.link for step in before.steps + chain.steps}
        self.usage = Usage.of(_formulas(self.displays), _texts(self.displays))
        # Without a map the words are judged where names are introduced.
        self.telling = Telling(Told(self.displays if self.objects is None else ()), self.finder)

    def run(self) -> Interpretation:
        self.warnings += self.notation.warnings()
        definitions = self._by_step(self.notation.definitions)
        claims = self._by_step(self.notation.claims)
        for section in self.notation.sections:
            text = self.finder.missing(section)
            if text is not None:
                self.warnings.append(MapError(section.place, f"the paper does not say {text!r}", "copy some words"))
        self._take_up(one for one in self.stated if one.everywhere)
        self._define_ahead(definitions)
        outcomes: list[InterpretedStep] = []
        kept: list[Display] = []
        for display in self.displays:
            self._take_up(one for one in self.stated if one.holds_at(display.place))
            for step in self.telling.explained(display):
                if id(step) not in definitions and id(step) not in claims:
                    self._announce(step, self._found(self.telling.ahead, step))
            for step in display.steps:
                self._announce(step, self._found(self.telling.braced, step))
            read = [
                one if one.read is None else replace(one, read=noted(one.read, self.stated))
                for one in self._of_display(display, definitions, claims)
            ]
            outcomes += read
            kept += [display] if read or display.kind != ANNOUNCED else []
        known = [*self.notation.entries, *(entry for section in self.notation.sections for entry in section.entries)]
        names = {entry.name for entry in self.used} | {symbol.name for symbol in _symbols_in(outcomes)}
        unused = tuple(entry for entry in known if entry not in self.used and entry.name not in names)
        return Interpretation(tuple(kept), tuple(outcomes), tuple(self.warnings), unused, self.objects, self._reread)

    def _reread(self, outcome: InterpretedStep, step: PrintedStep) -> ReadStep:
        """Read a step as if it stood where another one does; it raises what ``read_step`` raises, or ``MapError``."""
        sections = self.finder.sections_at(outcome.step.place)
        wish = self._wish(outcome.step, outcome.claim, sections, outcome.kind)
        return read_step(step, self._context(sections), wish)

    def _by_step(self, entries: Sequence[_Entry]) -> dict[int, _Entry]:
        found: dict[int, _Entry] = {}
        for entry in entries:
            steps: list[PrintedStep] = []
            # What one of the texts does not name, the others still may.
            for address in entry.address.apart():
                try:
                    steps += self.finder.steps_at(address)
                except MapError as error:
                    self.warnings.append(error)
            # A definition is one equation; a claim may be about a whole chain.
            for step in steps[:1] if isinstance(entry, DefinitionEntry) else steps:
                if found.setdefault(id(step), entry) is not entry:
                    reason = f"an earlier entry of the map is about the step at {step.place} too"
                    remedy = "give one of them a longer quote or a step"
                    self.warnings.append(MapError(entry.address.place, reason, remedy))
        return found

    def _context(self, sections: Sequence[Section]) -> Context:
        key = tuple(id(section) for section in sections)
        if key not in self.contexts:
            self.contexts[key] = self.notation.context(sections, self.defined)
        context = self.contexts[key]
        context.used = self.used
        context.usage = self.usage
        context.objects = self.objects
        return context

    def _of_display(
        self, display: Display, definitions: Mapping[int, DefinitionEntry], claims: Mapping[int, ClaimEntry]
    ) -> Iterator[InterpretedStep]:
        """The outcomes of its steps: what the map says of a step goes before what the text says."""
        in_vain = False
        for step in display.steps:
            definition, claim = definitions.get(id(step)), claims.get(id(step))
            if definition is not None or claim is not None:
                if claim is not None and claim.kind == "definition" and definition is None:
                    self._warn_of_declared(step, claim)
                yield self._outcome(display, step, definition, claim)
            elif step.index == 1 or not in_vain:
                told = self._told(display, step)
                in_vain = told is None
                if told is not None:
                    yield told

    def _warn_of_declared(self, step: PrintedStep, claim: ClaimEntry) -> None:
        """Warn of a definition, by the map, of what the map declares: the declaration goes before it."""
        declared = declared_left(step, self._context_at(step))
        if step.index == 1 and declared is not None and declared.place is not None:
            reason = f"{declared.pattern.text} is declared in the map, so that {step.place} does not define it"
            self.warnings.append(MapError(claim.address.place, reason, "leave out one of the two"))

    def _told(self, display: Display, step: PrintedStep) -> InterpretedStep | None:
        """A step of which the map says nothing, with what the text says of it; nothing if it was read in vain."""
        try:
            with guarded(self.budget.share(FORMULA_SECONDS)):
                decision = self.telling.decided(display, step, self._context_at(step))
        except (Exception, Late):  # what the text says never costs the step its own reading
            decision = Decision()
        self._announce(step, decision.entries)
        if decision.refusal is not None and not decision.left_out:
            return InterpretedStep(display, step, None, decision.refusal, "definition", said=decision.said)
        if decision.left_out:
            return None
        found = self._outcome(display, step, None, decision.claim, announced=decision.defines)
        if decision.claim is not None and not is_kept(decision.claim, found.read):
            return self._outcome(display, step, None, None)
        if decision.valueless and found.refusal is not None:
            found = replace(found, read=ReadStep(step, ()), refusal=None)
        return replace(found, said=decision.said)

    def _take_up(self, stated: Iterable[Stated]) -> None:
        """Take up letters whose domain the text has said by now."""
        known = {entry.pattern.nodes for entry in self.defined}
        new = [one.entry for one in stated if one.entry.pattern.nodes not in known]
        if new:
            self.defined = [*self.defined, *new]
            self.contexts.clear()

    def _found(self, find: Callable[[PrintedStep, Context], Sequence[Entry]], step: PrintedStep) -> Sequence[Entry]:
        """The notation that a step defines before it is read; none if that cannot be found out in time."""
        try:
            with guarded(self.budget.share(FORMULA_SECONDS)):
                return find(step, self._context_at(step))
        except (Exception, Late):
            return ()

    def _announce(self, step: PrintedStep, entries: Sequence[Entry]) -> None:
        """Take up what the text defines by a step."""
        if entries:
            given = self.names.given(entries)
            self.telling.keep(step, given)
            self.defined = _updated(self.defined, given)
            self.contexts.clear()

    def _context_at(self, step: PrintedStep) -> Context:
        return self._context(self.finder.sections_at(step.place))

    def _outcome(
        self,
        display: Display,
        step: PrintedStep,
        definition: DefinitionEntry | None,
        claim: ClaimEntry | None,
        *,
        announced: bool = False,
    ) -> InterpretedStep:
        sections = self.finder.sections_at(step.place)
        kind = claim.kind if claim is not None else ""
        if definition is not None or (step.relation.symbol == ":=" and step.index == 1):
            kind = kind or "definition"
        if kind == "skip" and claim is not None:
            return InterpretedStep(display, step, None, NotUnderstood(step.place, "skipped", claim.reason), kind, claim)
        if self.budget.spent:
            reason = f"not read, since the steps before it took {STEPS_SECONDS:g} s"
            return InterpretedStep(display, step, None, NotUnderstood(step.place, "timeout", reason), kind, claim)
        try:
            with guarded(self.budget.share(FORMULA_SECONDS)):
                if not announced:
                    self._define(step, definition, sections, kind)
                if definition is not None and definition.holes:
                    # Notation with holes for distributions has no value of its own.
                    return InterpretedStep(display, step, ReadStep(step, ()), None, kind, claim)
                read = read_step(step, self._context(sections), self._wish(step, claim, sections, kind))
        except NotUnderstood as refusal:
            return InterpretedStep(display, step, None, refusal, kind, claim)
        except Late:
            late = NotUnderstood(step.place, "timeout", f"reading it took more than {FORMULA_SECONDS:g} s")
            return InterpretedStep(display, step, None, late, kind, claim)
        except MapError as error:
            self.warnings.append(error)
            return InterpretedStep(
                display, step, None, NotUnderstood(step.place, "undeclared", error.reason), kind, claim
            )
        except Exception as error:  # one step never costs the paper its result
            failed = NotUnderstood(step.place, "internal", unforeseen(error))
            return InterpretedStep(display, step, None, failed, kind, claim)
        return InterpretedStep(display, step, read, None, kind, claim)

    def _define_ahead(self, definitions: Mapping[int, DefinitionEntry]) -> None:
        """Take up all definitions before reading begins, since "where" comes after what it explains.

        Where the paper defines something twice, the first definition holds up to the second one.
        """
        told: list[Entry] = []  # what the text defines holds from its place on, but definitions may rest on it
        for _ in range(2):  # the second time, definitions that rest on later ones
            first: list[Entry] = []
            for step in (step for display in self.displays for step in display.steps):
                said = self.telling.told.said(step)
                if id(step) not in definitions and not (said is not None and said.defines):
                    continue
                sections = self.finder.sections_at(step.place)
                context = self._context(sections)
                try:
                    with guarded(self.budget.share(FORMULA_SECONDS)):
                        if id(step) in definitions:
                            new = defined_by(definitions[id(step)], step, self.notation, sections, context)
                        else:
                            new = list(self.telling.ahead(step, context))
                        new = self.names.given(new)
                except (Exception, Late):  # what went wrong is told where the step is read
                    continue
                told += [] if id(step) in definitions else new
                known = {entry.pattern.nodes for entry in first}
                first += [entry for entry in new if entry.pattern.nodes not in known]
                self.defined = _updated(self.defined, new)
                self.contexts.clear()
            self.defined = _updated(self.defined, first)
            self.contexts.clear()
        self.defined = [entry for entry in self.defined if entry not in told]
        self.contexts.clear()

    def _define(
        self, step: PrintedStep, definition: DefinitionEntry | None, sections: Sequence[Section], kind: str
    ) -> None:
        entries: list[Entry] = []
        if definition is not None:
            entries = defined_by(definition, step, self.notation, sections, self._context(sections))
        elif kind == "definition" and step.relation.symbol in (":=", "=") and step.index == 1:
            entries = defined_by_itself(step, self._context(sections))
        if entries:
            self.defined = _updated(self.defined, self.names.given(entries))
            self.contexts.clear()

    def _wish(self, step: PrintedStep, claim: ClaimEntry | None, sections: Sequence[Section], kind: str) -> Wish:
        if claim is None:
            return Wish(drop_constant=kind == "definition", compared=id(step) in self.tied)
        compared = id(step) in self.tied or kind in _COMPARED
        symbols: list[Symbol] = []
        for name in claim.varies:
            symbol = self.notation.symbol(name, sections)
            if symbol is None:
                raise MapError(claim.address.place, f"{name} is no symbol of the map", "declare it under [symbols]")
            symbols.append(symbol)
        put = [(self.notation.symbol(name, sections), value) for name, value in claim.put.items()]
        known = tuple((symbol, value) for symbol, value in put if symbol is not None)
        return Wish(claim.assume, tuple(symbols), known, claim.where, kind == "definition", compared)


def _formulas(displays: Iterable[Display]) -> Iterator[Nodes]:
    """Everything that the displays print, with the conditions on their rows."""
    for display in displays:
        yield from (unread.items for unread in display.unread)
        for step in display.steps:
            yield from (step.left, step.right, *(condition.items for condition in step.conditions))


def _texts(displays: Iterable[Display]) -> set[str]:
    return {display.place.source.text for display in displays}


def _updated(entries: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """The entries with new ones in the place of those with the same pattern."""
    patterns = {entry.pattern.nodes for entry in new}
    return [entry for entry in entries if entry.pattern.nodes not in patterns] + [*new]


def _symbols_in(outcomes: Iterable[InterpretedStep]) -> set[Symbol]:
    """The symbols that what was read depends on, also through families and formulas of the map."""
    instances = [instance for outcome in outcomes if outcome.read for instance in outcome.read.instances]
    return {symbol for one in instances for side in expressions_of(one.said) for symbol in free_symbols(side)}
