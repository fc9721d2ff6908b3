"""Where in a paper an error can be planted, which places are taken, and the paper with one error in it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.meaning.interpret import InterpretedStep, interpret
from grpo_symbolic.reading.meaning.stated import stated_symbols
from grpo_symbolic.reading.notation.map import Address
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import Nodes, place_of
from grpo_symbolic.referee.check import Checked
from grpo_symbolic.referee.extents import extent
from grpo_symbolic.referee.findings import STANDING
from grpo_symbolic.referee.options import Options
from grpo_symbolic.referee.papers import Opened, open_paper
from grpo_symbolic.referee.planting import KINDS, reversed_relation, slips
from grpo_symbolic.referee.rewriting import NotWritten, side_of


@dataclass(frozen=True)
class Site:
    """A slip in the text of a paper: where, what kind, and the steps that hold and have it in a side of theirs."""

    kind: str
    place: Place
    new: str
    steps: tuple[Checked, ...]


@dataclass(frozen=True)
class Copy:
    """A paper with one error in it, and those of its steps that held before and have it in a side."""

    opened: Opened
    steps: tuple[InterpretedStep, ...]


def holds(checked: Checked) -> bool:
    """Whether a step is asserted and holds, so that a slip in it would be an error."""
    known = checked.question is not None and checked.outcome is not None and checked.outcome.read is not None
    return known and checked.finding.status in STANDING and not checked.finding.across


def sites_in(opened: Opened, standing: Sequence[Checked]) -> dict[str, list[Site]]:
    """All slips in steps that hold, by kind; one in a side that two steps share belongs to both."""
    sides: dict[Place, tuple[Nodes, list[Checked]]] = {}
    found: dict[str, list[Site]] = {kind: [] for kind in KINDS}
    for one in standing:
        step = step_of(one)
        for nodes in (step.left, step.right):
            if nodes:
                sides.setdefault(extent(place_of(nodes)), (nodes, []))[1].append(one)
        new = reversed_relation(step)
        if new is not None:
            found["relation"].append(Site("relation", step.relation.place, new, (one,)))
    for place, (nodes, steps) in sides.items():
        try:
            side = side_of(opened, nodes)
            for slip in slips(side.tree(side.text), side.text):
                at = Place(place.source, place.start + slip.start, place.start + slip.end)
                found[slip.kind].append(Site(slip.kind, at, slip.new, tuple(steps)))
        except (NotWritten, GrpoSymbolicError):
            continue  # what is typed there is not read by itself
    return found


def step_of(checked: Checked) -> PrintedStep:
    """The step that something found is about.

    Raises:
        ValueError: for what is no step.
    """
    if checked.outcome is None:
        raise ValueError("what was not read has no step")
    return checked.outcome.step


def sample(found: Mapping[str, Sequence[Site]], count: int, seed: int) -> list[Site]:
    """A seeded sample with as many of each kind as there are, in reading order; rare kinds are taken whole."""
    draw = random.Random(seed)
    taken: list[Site] = []
    kinds = sorted((kind for kind in found if found[kind]), key=lambda kind: (len(found[kind]), KINDS.index(kind)))
    for left, kind in zip(range(len(kinds), 0, -1), kinds, strict=True):
        sites = sorted(found[kind], key=_order)
        share = -(-(count - len(taken)) // left)
        taken += draw.sample(sites, min(share, len(sites)))
    return sorted(taken[:count], key=_order)


def _order(site: Site) -> tuple[str, int, int, str, str]:
    return site.place.source.name, site.place.start, site.place.end, site.kind, site.new


def copies(
    opened: Opened, sites: Sequence[Site], notation: Path | None, options: Options
) -> Iterator[Copy | GrpoSymbolicError]:
    """The paper with one error in it after the other, or why it cannot be read with that."""
    texts = {source.name: source.text for source in opened.paper.sources}
    for site in sites:
        name, text = site.place.source.name, site.place.source.text
        changed = text[: site.place.start] + site.new + text[site.place.end :]
        try:
            copy = open_paper(opened.path, notation, inline=options.inline, texts={**texts, name: changed})
        except GrpoSymbolicError as error:
            yield error
            continue
        yield _with_claims(copy, {beginning(step_of(one)): one for one in site.steps})


def _with_claims(copy: Opened, changed: Mapping[tuple[str, int, int], Checked]) -> Copy:
    """The copy with what the map claims of the changed steps, also where it quotes what was changed in them."""
    lost: dict[int, list[str]] = {}
    for one in copy.interpretation.outcomes:
        before = changed.get(beginning(one.step))
        claim = None if before is None or before.outcome is None else before.outcome.claim
        if claim is not None and (one.claim is None or one.claim.address.place.start != claim.address.place.start):
            lost.setdefault(claim.address.place.start, []).append(one.step.place.text)
    if lost:
        claims = tuple(
            replace(one, address=Address(one.address.place, "quote", tuple(lost[one.address.place.start])))
            if one.address.place.start in lost
            else one
            for one in copy.notation.claims
        )
        notation = replace(copy.notation, claims=claims)
        read = interpret(copy.displays, notation, stated=stated_symbols(copy.paper.blocks, notation))
        copy = replace(copy, notation=notation, interpretation=read, displays=read.displays)
    return Copy(copy, tuple(one for one in copy.interpretation.outcomes if beginning(one.step) in changed))


def beginning(step: PrintedStep) -> tuple[str, int, int]:
    """Where a step begins, which no change inside of it moves."""
    place = place_of(step.left) if step.left else step.place
    return place.source.name, place.start, step.index
