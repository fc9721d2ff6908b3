"""Which entries of the map a step uses, and the places that a finding hangs on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.notation.addresses import squashed
from grpo_symbolic.reading.notation.entries import Entry
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import normal
from grpo_symbolic.reading.tex.tree import Node, Nodes, rows
from grpo_symbolic.referee.extents import exact_span, flat, span
from grpo_symbolic.referee.findings import RECORDED, STANDING, Finding, Related, Span, Status
from grpo_symbolic.referee.papers import Opened

_FAILING = (Status.REFUTED, Status.NOT_AN_IDENTITY)
#: Most places that are told with one finding.
MAX_RELATED = 20


def entries_in(step: PrintedStep, opened: Opened) -> Iterator[Entry]:
    """The entries of the map, or of the paper's own definitions, whose notation stands in a step."""
    sections = [entry for section in opened.notation.sections for entry in section.entries]
    printed = _rows_of(step)
    for entry in (*opened.notation.entries, *sections):
        if any(entry.pattern.match(nodes, start) is not None for nodes in printed for start in range(len(nodes))):
            yield entry


def _rows_of(step: PrintedStep) -> list[Nodes]:
    return [*rows(normal(step.left)), *rows(normal(step.right))]


def with_related(
    opened: Opened, findings: Sequence[Finding], outcomes: Sequence[InterpretedStep | None]
) -> tuple[Finding, ...]:
    """The findings that fail or are open, with the places that they hang on."""
    defined = _definitions(opened)
    return tuple(
        finding
        if outcome is None or finding.status in (*STANDING, *RECORDED)
        else replace(finding, related=tuple(dict.fromkeys(_related(opened, finding, outcome, defined)))[:MAX_RELATED])
        for finding, outcome in zip(findings, outcomes, strict=True)
    )


def with_dependants(findings: Sequence[Finding], outcomes: Sequence[InterpretedStep | None]) -> tuple[Finding, ...]:
    """The findings that fail, with a note of the steps that the map says to follow from them."""
    resting = [
        (finding.place, text)
        for finding, outcome in zip(findings, outcomes, strict=True)
        if outcome is not None and outcome.claim is not None
        for text in outcome.claim.of
    ]
    return tuple(
        _with_dependants(finding, outcome, resting) if finding.status in _FAILING and outcome is not None else finding
        for finding, outcome in zip(findings, outcomes, strict=True)
    )


def _with_dependants(finding: Finding, outcome: InterpretedStep, resting: Sequence[tuple[Span, str]]) -> Finding:
    step, display = outcome.step, outcome.display
    names = {name.strip("()") for name in (step.label, step.tag, display.label, display.tag) if name}
    typed = squashed(step.place.text)
    places = [str(place) for place, text in resting if text.strip("()") in names or squashed(text) in typed]
    if not places:
        return finding
    return replace(finding, notes=(*finding.notes, f"what rests on it: {', '.join(dict.fromkeys(places))}"))


def _related(
    opened: Opened, finding: Finding, outcome: InterpretedStep, defined: Sequence[tuple[Node, PrintedStep]]
) -> Iterator[Related]:
    """What the map says of the step and its symbols, what the paper defines, and where guesses come from."""
    if outcome.said is not None:
        yield Related(span(outcome.said.place, opened.path), str(outcome.said))
    elif outcome.claim is not None:
        yield Related(_in_map(outcome.claim.address.place, opened), f"declared to be of kind {outcome.claim.kind}")
    if not opened.proposed:
        for entry in entries_in(outcome.step, opened):
            if entry.place is not None:
                yield Related(_in_map(entry.place, opened), f"{entry.pattern.text} is declared here")
    names = {node for row in _rows_of(outcome.step) for node in row}
    for name, step in defined:
        if name in names and step is not outcome.step:
            yield Related(span(step.place, opened.path), f"defined here: {flat(step.place)}")
    for guess in finding.guesses:
        proposal = opened.proposals.get(guess.name)
        if proposal is not None:
            said = guess.why if guess.domain is None else f"guessed to be in {guess.domain}: {guess.why}"
            yield Related(span(proposal.place, opened.path), f"{guess.name}: {said}")


def _definitions(opened: Opened) -> list[tuple[Node, PrintedStep]]:
    """What the paper defines, by its name, with the steps; what the arguments are called is another matter."""
    steps = [outcome.step for outcome in opened.interpretation.outcomes if outcome.kind == "definition"]
    heads = [(normal(step.left), step) for step in steps]
    return [(head[0], step) for head, step in heads if head]


def _in_map(place: Place, opened: Opened) -> Span:
    """Where an entry of the map stands, beside the paper or in its comments."""
    beside = opened.map_path
    found = exact_span(place, opened.path)
    if beside is None or place.source.name != beside.name or any(place.source is one for one in opened.paper.sources):
        return found
    return replace(found, file=str(beside))
