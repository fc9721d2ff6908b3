"""What becomes of a step because of the words of the paper around it, where the map says nothing about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grpo_symbolic.language.expression import Call, Expression, Symbol
from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.meaning.announcing import announced, braces_in, is_declared, is_name
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import ReadStep
from grpo_symbolic.reading.meaning.told import ANNOUNCED, Said, Told
from grpo_symbolic.reading.notation.addresses import Finder
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.notation.entries import Entry, Function, Meaning, Plain, Skipped, Template
from grpo_symbolic.reading.notation.map import Address, ClaimEntry, MapError
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.tex.normal import normal, trimmed
from grpo_symbolic.reading.tex.tree import place_of


@dataclass(frozen=True)
class Decision:
    """How a step is to be read.

    ``said`` are the words of the paper behind it, ``claim`` what an entry of the map would say, ``entries`` the
    notation that it defines. ``valueless`` says that this has holes, and no value of its own; ``refusal`` why it
    cannot be read, ``left_out`` that it is an inline formula which was read in vain.
    """

    said: Said | None = None
    claim: ClaimEntry | None = None
    entries: tuple[Entry, ...] = ()
    valueless: bool = False
    refusal: NotUnderstood | None = None
    left_out: bool = False

    @property
    def defines(self) -> bool:
        """Whether the step defines its left side, by these words alone."""
        return self.claim is not None and self.claim.kind == "definition"


@dataclass
class Telling:
    """Decides what the text says of steps, and remembers what it defined where."""

    told: Told
    finder: Finder
    _defined: dict[int, tuple[Entry, PrintedStep]] = field(default_factory=dict)

    def keep(self, step: PrintedStep, entries: Sequence[Entry]) -> None:
        """Remember which notation a step has defined."""
        self._defined.update((id(entry), (entry, step)) for entry in entries)

    def explained(self, display: Display) -> Sequence[PrintedStep]:
        """What the text explains right after a display, and what therefore holds in it."""
        return self.told.explained(display)

    def ahead(self, step: PrintedStep, context: Context) -> tuple[Entry, ...]:
        """The notation that a step defines, nothing if it does not, or cannot be read yet."""
        if not is_name(step) or step.conditions or is_declared(step, context):
            return ()
        try:
            return tuple(announced(step, context))
        except NotUnderstood:
            return ()

    def braced(self, step: PrintedStep, context: Context) -> tuple[Entry, ...]:
        """The functions that braces in a step name."""
        found = (self.ahead(one, context) for one in braces_in(step)) if self.told.reads else ()
        return tuple(entry for entries in found for entry in entries)

    def decided(self, display: Display, step: PrintedStep, context: Context) -> Decision:
        """What the text says of a step."""
        said = self.told.said(step)
        if said is not None and said.defines:
            return self._defining(said, display, step, context)
        if display.kind == ANNOUNCED and step.index == 1:
            return Decision(left_out=True)
        claim = self.told.claim(step)
        if claim is None or not self._is_there(claim):
            return Decision()
        return Decision(said, claim)

    def _is_there(self, claim: ClaimEntry) -> bool:
        """Whether the paper has the equation that the words refer to by its number."""
        try:
            return all(self.finder.steps_at(Address(claim.address.place, "tag", (tag,))) for tag in claim.of)
        except MapError:
            return False

    def _defining(self, said: Said, display: Display, step: PrintedStep, context: Context) -> Decision:
        aside = Decision(left_out=display.kind == ANNOUNCED)
        if not is_name(step) or step.conditions:
            return aside
        claim = ClaimEntry(Address(step.place), "definition")
        if is_declared(step, context):
            entry, earlier = self._earlier(step, context)
            if entry is None:
                # What the map or the paper gave a meaning is not defined anew; an equation for it is checked.
                return replace(aside, said=replace(said, effect="the map declares its left side, which goes before"))
            if earlier is step:
                return Decision(said, claim, valueless=isinstance(entry.meaning, Template))
            return aside if said.where else self._again(said, step, context, entry, earlier)
        try:
            entries = tuple(announced(step, context))
        except NotUnderstood as refusal:
            return replace(aside, said=said, refusal=refusal)
        valueless = any(isinstance(entry.meaning, Template) for entry in entries)
        return Decision(said, claim, entries, valueless) if entries else aside

    def _earlier(self, step: PrintedStep, context: Context) -> tuple[Entry | None, PrintedStep]:
        """What the text has defined before under the same name, and where."""
        left = normal(trimmed(step.left))
        for entry, _ in context.table.matches(head_key(left[0]), left, 0):
            if id(entry) in self._defined:
                return self._defined[id(entry)]
        return None, step

    def _again(self, said: Said, step: PrintedStep, context: Context, entry: Entry, earlier: PrintedStep) -> Decision:
        """A second definition says the same, or nobody knows any longer which one is meant."""
        name = entry.pattern.text
        try:
            entries = announced(step, context)
        except NotUnderstood:
            entries = []
        if [_body(one.meaning) for one in entries] == [_body(entry.meaning)]:
            return Decision(said)
        if step.relation.symbol == ":=" and entries:
            return Decision(said, ClaimEntry(Address(step.place), "definition"), tuple(entries))
        reason = f"the text defines {name} here, and otherwise at {earlier.place}"
        refusal = NotUnderstood(step.place, "ambiguous", reason, hint="say in the map which one is meant")
        doubt = Skipped(f"the text defines {name} twice, at {earlier.place} and at {step.place}")
        both = replace(entry, meaning=doubt, place=place_of(step.left))
        return Decision(said, entries=(both,), refusal=refusal)


def _body(meaning: Meaning) -> object:
    match meaning:
        case Function(definition, _):
            return definition.parameters, definition.body
        case Plain(Call(definition, ())):
            return definition.body
        case Template(body):
            return body
    return meaning


def is_kept(claim: ClaimEntry, read: ReadStep | None) -> bool:
    """Whether what the text says holds of a step as it was read: an assumption was understood, and an equation that is
    asserted is not one for a letter, which may be its solution."""
    if claim.assume:
        return read is not None
    if claim.kind == "identity" and read is not None:
        return not any(_is_letter(side) for one in read.instances for side in (one.left, one.right))
    return True


def _is_letter(side: Expression) -> bool:
    return isinstance(side, Symbol)
