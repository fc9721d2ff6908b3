"""Everything known about one step: what stands there, how it was read, with which notation, and what was found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grpo_symbolic.errors import LibraryError
from grpo_symbolic.evidence import Evidence
from grpo_symbolic.language.expression import Call, Definition
from grpo_symbolic.language.statement import expressions_of
from grpo_symbolic.language.vocabulary import definitions_in
from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.document.notebooks import cell_of
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.notation.entries import (
    Entry,
    Family,
    Function,
    ListFunction,
    Plain,
    Prefix,
    Skipped,
    Template,
)
from grpo_symbolic.reading.notation.map import ClaimEntry
from grpo_symbolic.reading.tex.account import Account
from grpo_symbolic.reading.tex.retype import latex
from grpo_symbolic.reading.tex.tokens import tokens_of
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Hole,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    Space,
    Words,
    children,
)
from grpo_symbolic.referee.check import check_opened
from grpo_symbolic.referee.declared import entries_in
from grpo_symbolic.referee.extents import extent, flat, row_of, span, text_of
from grpo_symbolic.referee.findings import Finding
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.readings import in_words
from grpo_symbolic.referee.wording import details, headline
from grpo_symbolic.translate.text import expression_text

_POSITION = re.compile(r"(\d+)(?::(\d+))?")


def explain(place: str, options: Options, notation: Path | None = None) -> Iterator[str]:
    """Lines about the steps at ``paper.tex:123``, ``paper.tex:123:18`` or ``paper.tex:eq:label``; in a notebook
    at ``paper.ipynb, cell 3:2``.

    Raises:
        LibraryError: if the place names no file or nothing that was read stands there.
        OSError, ReadingError, MapError: if the paper or its map cannot be read.
    """
    path, where = _parsed(place)
    cell, where = _in_cell(path, where)
    opened = open_paper(path, notation, inline=options.inline)
    there = [one for one in opened.interpretation.outcomes if cell in (None, one.display.place.source.name)]
    outcomes = [one for one in there if _stands(one.display, one.step, where)]
    displays = [
        one
        for one in opened.displays
        if not one.steps and cell in (None, one.place.source.name) and _in_display(one, where)
    ]
    if not outcomes and not displays:
        raise LibraryError(f"no formula that was read stands at {place}; grpo-symbolic check {path} lists them")
    findings = _findings(opened, outcomes, displays, options)
    for outcome in outcomes:
        yield from _about(outcome, opened)
        yield from (line for one in findings if _same(one, outcome, path) for line in _found(one))
        yield ""
    for finding in findings:
        if not any(_same(finding, outcome, path) for outcome in outcomes):
            yield from _found(finding)


def _parsed(place: str) -> tuple[Path, str]:
    """The file and what follows it; the file is the longest beginning of the place that exists."""
    pieces = place.split(":")
    for count in range(len(pieces), 0, -1):
        path = Path(":".join(pieces[:count]))
        if path.is_file():
            return path, ":".join(pieces[count:])
        cell = cell_of(str(path))
        if cell is not None and Path(cell[0]).is_file():
            return Path(cell[0]), ":".join([f", cell {cell[1]}", *pieces[count:]])
    raise LibraryError(f"{place!r} names no file; write paper.tex:123 or paper.tex:eq:label")


def _in_cell(path: Path, where: str) -> tuple[str | None, str]:
    """The name of a cell, if one is meant, and where in it."""
    cell, _, rest = where.partition(":")
    return (f"{path.name}{cell}", rest) if cell.startswith(", cell ") else (None, where)


def _stands(display: Display, step: PrintedStep, where: str) -> bool:
    position = _POSITION.fullmatch(where)
    if position is None:
        names = step.label or display.label, step.tag or display.tag
        return not where or where.strip("()") in {(name or "").strip("()") for name in names}
    line, column = int(position[1]), int(position[2] or 0)
    row = row_of(step)
    first, last = row.line, row.source.line_column(max(row.start, row.end - 1))[0]
    if not first <= line <= last:
        return False
    if not column:
        return True
    offset = row.source.offset(line, column)
    return row.start <= offset < row.end


def _in_display(display: Display, where: str) -> bool:
    position = _POSITION.fullmatch(where)
    if position is None:
        return not where or where.strip("()") in ((display.label or "").strip("()"), (display.tag or "").strip("()"))
    last = display.place.source.line_column(max(display.place.start, display.place.end - 1))[0]
    return display.place.line <= int(position[1]) <= last


def _findings(
    opened: Opened, outcomes: Sequence[InterpretedStep], displays: Sequence[Display], options: Options
) -> tuple[Finding, ...]:
    """Check only what is explained; the rest of the paper is read and not checked."""
    steps, chosen = {id(one.step) for one in outcomes}, {id(one) for one in displays}
    return check_opened(
        opened,
        replace(options, only=()),
        wanted=lambda item: id(item.step) in steps if isinstance(item, InterpretedStep) else id(item) in chosen,
    )


def _same(finding: Finding, outcome: InterpretedStep, path: Path) -> bool:
    place = span(row_of(outcome.step), path)
    inside = (place.line, place.column) <= (finding.place.line, finding.place.column)
    return inside and finding.index == outcome.step.index and finding.left == text_of(outcome.step.left)


# The step.


def _about(outcome: InterpretedStep, opened: Opened) -> Iterator[str]:
    step = outcome.step
    label = step.label or outcome.display.label
    yield f"{span(row_of(step), opened.path)}: step {step.index} of its chain" + (f", {label}" if label else "")
    yield f"printed:  {flat(step.place)}"
    tokens = tokens_of(step.place.source, step.place.start, extent(step.place).end)
    yield f"tokens:   {' '.join(token.text for token in tokens)}"
    yield "tree:"
    for name, nodes in (("left", step.left), ("right", step.right)):
        yield f"  {name}: {latex(nodes)}"
        account = Account() if outcome.read is None else outcome.read.account
        yield from (f"    {line}" for line in tree_lines(nodes, account))
    for condition in step.conditions:
        yield f"condition on the row: {condition.place.text.strip()}"
    yield from _reading(outcome)
    entries = list(entries_in(step, opened))
    yield "notation:" if entries else "notation: none of the map"
    yield from (f"  {entry.pattern.text}  is  {meaning_of(entry)}{_declared(entry)}" for entry in entries)
    yield from _named(outcome, {entry.name for entry in entries})
    if outcome.claim is not None:
        yield f"claim:    {_claimed(outcome.claim)}"


def _reading(outcome: InterpretedStep) -> Iterator[str]:
    if outcome.read is None:
        return
    yield "reading:"
    for one in outcome.read.instances:
        at = "".join(f"  [{index} = {value}]" for index, value in one.at)
        yield f"  {'  '.join(in_words(one))}{at}"


def _named(outcome: InterpretedStep, known: set[str]) -> Iterator[str]:
    """The notation that the paper defines itself, as far as the step uses it."""
    instances = outcome.read.instances if outcome.read is not None else ()
    sides = [side for instance in instances for side in expressions_of(instance.said)]
    found = [one for side in sides for one in definitions_in(side)]
    for definition in dict.fromkeys(found):
        if definition.name not in known:
            yield f"  {_definition(definition)}   (from the paper)"


def _definition(definition: Definition) -> str:
    names = ", ".join(parameter.name for parameter in definition.parameters)
    return f"{definition.name}({names})".removesuffix("()") + f" = {expression_text(definition.body)}"


def tree_lines(nodes: Nodes, account: Account, depth: int = 0) -> Iterator[str]:
    """The tree of a formula, a node a line with the part that it serves, children further to the right."""
    for node in nodes:
        part = account.part_of(node)
        yield "  " * depth + _shown(node) + (f": {part}" if part else "")
        for inner in children(node):
            yield from tree_lines(inner, account, depth + 1)


def _shown(node: Node) -> str:
    match node:
        case Atom(text) | Number(text) | Words(text):
            return f"{type(node).__name__} {text}"
        case Name(text, font):
            return f"Name {text} ({font})"
        case Hole(name):
            return f"Hole {name}"
        case Space():
            return "Space"
        case Command(name, _):
            return f"Command {name}"
        case Scripted(_, sub, sup, primes):
            scripts = [name for name, script in (("below", sub), ("above", sup)) if script is not None]
            return f"Scripted {', '.join([*scripts, *(['primes'] if primes else [])])}"
        case Group(opening, closing, _):
            return f"Group {opening} {closing}"
        case Environment(name, _):
            return f"Environment {name}"


def meaning_of(entry: Entry) -> str:
    """The meaning of an entry in a few words."""
    match entry.meaning:
        case Plain(Call(definition, ())):
            return _definition(definition)
        case Plain(value):
            symbol = entry.symbol
            return expression_text(value) if symbol is None else f"{symbol.name} in {symbol.domain}, {symbol.meaning}"
        case Family(values):
            return "; ".join(f"{', '.join(labels)}: {expression_text(value)}" for labels, value in values.items())
        case Function(definition, _):
            return _definition(definition)
        case ListFunction(formula):
            return f"{formula}, of a list"
        case Prefix(function):
            return f"the function {function}"
        case Template(body):
            return f"short for {latex(body)}"
        case Skipped(reason):
            return f"left alone: {reason}"


def _declared(entry: Entry) -> str:
    return f"   ({entry.place})" if entry.place is not None else ""


def _claimed(claim: ClaimEntry) -> str:
    of = f" of {', '.join(claim.of)}" if claim.of else ""
    solve = f" for {claim.solve}" if claim.solve else ""
    assume = f", assuming {', '.join(claim.assume)}" if claim.assume else ""
    reason = f": {claim.reason}" if claim.reason else ""
    return f"{claim.kind}{of}{solve}{assume}{reason}   ({claim.address.place})"


def _found(finding: Finding) -> Iterator[str]:
    yield f"{finding.place}: {finding.status.value}  {headline(finding)}"
    yield from (f"    {line}" for line in details(finding, domains=True))
    yield from (f"    evidence: {_evidence(item)}" for item in finding.evidence)


def _evidence(item: Evidence) -> str:
    return f"{item.method}, {item.verdict.value}: {item.obligation}; {item.note}"
