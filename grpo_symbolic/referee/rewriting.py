"""A repair put into the author's LaTeX: the one small change of what is typed that is read as the repaired step.

The repair is found among expressions, far from what is typed. Here changes of the LaTeX are proposed, each is read
again as the step would be, and the first that says what the repair says is taken. What is decided, is decided
elsewhere: a paper with the change in it has to be checked again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Relation, symbols_of
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.reading.clock import FORMULA_SECONDS, Late, guarded
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.steps import ReadStep
from grpo_symbolic.reading.places import Place, ReadingError, Source, unforeseen
from grpo_symbolic.reading.tex.build import parse_rows, parse_tree
from grpo_symbolic.reading.tex.macros import Macro, expand
from grpo_symbolic.reading.tex.tokens import tokens_of
from grpo_symbolic.reading.tex.tree import Nodes, Space, place_of
from grpo_symbolic.referee.extents import exact_span, extent
from grpo_symbolic.referee.findings import Finding, Rewrite
from grpo_symbolic.referee.papers import Opened
from grpo_symbolic.referee.typed_edits import Change, changes, letters_in, terms_in
from grpo_symbolic.translate.arithmetics import FLOATS
from grpo_symbolic.translate.program import Point, Program

#: Most changes of a side that are read.
MAX_CHANGES = 1_500
#: Longest side that is changed, in characters.
MAX_SIDE = 1_000
_SIGNS: Mapping[str, str] = {"<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "=": "="}
#: What a change may neither lose nor double: numbers, columns, rows, comments.
_LAYOUT = re.compile(r"\\label|\\tag|\\nonumber|\\notag|\\\\|(?<!\\)[&%]")
_TOUCHING = re.compile(r"\\[A-Za-z]+\Z")
_POINTS, _SEED, _CLOSE = 6, 1, 1e-9


class NotWritten(GrpoSymbolicError):  # noqa: N818 - said of a repair, not a failure of ours
    """A repair that no change of the LaTeX says, with the reason."""


@dataclass(frozen=True)
class Side:
    """One side as it is typed, and where that stands."""

    place: Place
    macros: Mapping[str, Macro]

    @property
    def text(self) -> str:
        """The LaTeX as it is typed."""
        return self.place.text

    def tree(self, text: str) -> Nodes:
        """How a text in the place of the side is read, over several rows if it has them; places in it are offsets."""
        rows = parse_rows(expand(tokens_of(Source(self.place.source.name, text)), self.macros))
        return tuple(node for row in rows for node in row.items if not isinstance(node, Space))


def with_rewrites(
    opened: Opened, findings: Sequence[Finding], steps: Sequence[tuple[InterpretedStep | None, Sequence[Relation]]]
) -> tuple[Finding, ...]:
    """The findings with a repair, each with the change of the LaTeX that makes it or the reason why there is none.

    ``steps`` has, for each finding, the step and what its relations are with the repair.
    """
    return tuple(
        _with_rewrite(opened, finding, outcome, mended)
        if finding.repair is not None and outcome is not None
        else finding
        for finding, (outcome, mended) in zip(findings, steps, strict=True)
    )


def _with_rewrite(opened: Opened, finding: Finding, outcome: InterpretedStep, mended: Sequence[Relation]) -> Finding:
    try:
        with guarded(FORMULA_SECONDS):
            return replace(finding, rewrite=_rewrite(opened, outcome, mended))
    except NotWritten as reason:
        return replace(finding, unwritten=str(reason))
    except Late:
        return replace(finding, unwritten="looking for the change of the LaTeX took too long")
    except (GrpoSymbolicError, ArithmeticError, RecursionError) as error:
        said = error.reason if isinstance(error, ReadingError) else error
        return replace(finding, unwritten=f"what is typed there is not read by itself: {said}")
    except Exception as error:  # a repair that is not typed never costs the paper its result
        return replace(finding, unwritten=unforeseen(error))


def _rewrite(opened: Opened, outcome: InterpretedStep, mended: Sequence[Relation]) -> Rewrite:
    """The change of the LaTeX that says what the repair says.

    Raises:
        NotWritten: there is none, or what is typed there is not read by itself.
    """
    reread = opened.interpretation.reread
    if outcome.read is None or reread is None:
        raise NotWritten("the step was not read")
    step, printed, compared = outcome.step, _relations(outcome.read), Compared(mended)
    changed = [name for name in ("left", "operator", "right") if _differ(printed, mended, name)]
    if changed == ["operator"]:
        return _with_sign(opened, step, mended[0].operator)
    if changed not in (["left"], ["right"]):
        raise NotWritten("the repair changes more than one side")
    on_left = changed == ["left"]
    side = side_of(opened, step.left if on_left else step.right)

    def read_as(text: str) -> tuple[Relation, ...]:
        nodes = side.tree(text)
        return _relations(reread(outcome, replace(step, left=nodes) if on_left else replace(step, right=nodes)))

    def says(text: str) -> bool:
        with suppress(GrpoSymbolicError, ArithmeticError, RecursionError):
            return compared.same(read_as(text))
        return False

    if not Compared(printed).same(read_as(side.text)):
        raise NotWritten(f"{side.place}: the side is not read by itself as it is in its display")
    letters = list(dict.fromkeys([*letters_in(side.tree(side.text), side.text), *_latex_of(mended)]))
    other = step.right if on_left else step.left
    terms = list(terms_in(other, other[0].place.source.text)) if other else []
    found = _first(says, side, letters, terms)
    if found is None:
        raise NotWritten(_why(side))
    start, end, new = found
    place = Place(side.place.source, side.place.start + start, side.place.start + end)
    return Rewrite(exact_span(place, opened.path), place.text, new)


def _first(says: Callable[[str], bool], side: Side, letters: Sequence[str], terms: Sequence[str]) -> Change | None:
    text = side.text
    layout = Counter(_LAYOUT.findall(text))
    tried: set[str] = set()
    for start, end, new in islice(changes(side.tree(text), text, letters, terms), MAX_CHANGES):
        if not 0 <= start <= end <= len(text):
            continue  # a place of another text, from which a macro took it
        new = _apart(text[:start], new, text[end:])
        after = text[:start] + new + text[end:]
        if after in tried or Counter(_LAYOUT.findall(after)) != layout:
            continue
        tried.add(after)
        with suppress(GrpoSymbolicError):
            if says(after):
                return start, end, new
    return None


def _apart(before: str, new: str, after: str) -> str:
    """A text that does not run into the commands and letters around it."""
    if new[:1].isalpha() and _TOUCHING.search(before):
        new = f" {new}"
    if _TOUCHING.search(new) and after[:1].isalpha():
        new = f"{new} "
    return new


def _with_sign(opened: Opened, step: PrintedStep, operator: str) -> Rewrite:
    place, new = step.relation.place, _SIGNS.get(operator)
    if new is None or not _stands_there(step):
        raise NotWritten(f"{place}: the sign comes from a macro, or is written in several parts")
    new = _apart("", new, place.source.text[place.end : place.end + 1])
    return Rewrite(exact_span(place, opened.path), place.text, new)


def _stands_there(step: PrintedStep) -> bool:
    """Whether the sign is typed where it seems to stand, and is not a part of what a macro prints."""
    place = step.relation.place
    try:
        nodes = parse_tree(place.text)
    except GrpoSymbolicError:
        return False
    return len(nodes) == 1 and getattr(nodes[0], "text", None) == step.relation.symbol


def side_of(opened: Opened, nodes: Nodes) -> Side:
    """A side of a step as it is typed.

    Raises:
        NotWritten: nothing stands there, or too much, or in no display.
    """
    if not nodes:
        raise NotWritten("nothing stands there")
    place = extent(place_of(nodes))
    blocks = (block for block in opened.paper.blocks if block.place.source is place.source)
    block = next((block for block in blocks if block.place.start <= place.start <= block.place.end), None)
    if block is None or len(place.text) > MAX_SIDE:
        raise NotWritten(f"{place}: the side is too long, or stands in no display")
    return Side(place, block.macros)


def _why(side: Side) -> str:
    called = [token.text for token in tokens_of(Source("", side.text)) if token.text in side.macros]
    if called:
        names = ", ".join(dict.fromkeys(called))
        return f"{side.place}: no change of what is typed there says it; it may stand in the macro {names}"
    return f"{side.place}: no single change of what is typed there says it"


def _relations(read: ReadStep) -> tuple[Relation, ...]:
    return tuple(one.relation for one in dict.fromkeys(read.instances) if one.whole is None)


def _differ(printed: Sequence[Relation], mended: Sequence[Relation], name: str) -> bool:
    if len(printed) != len(mended):
        raise NotWritten("the repair is about something else than what is typed")
    return any(getattr(one, name) != getattr(other, name) for one, other in zip(printed, mended, strict=True))


def _latex_of(relations: Sequence[Relation]) -> Iterator[str]:
    """How the symbols of the step are typed."""
    yield from (symbol.latex for symbol in symbols_of(*relations) if symbol.latex)


class Compared:
    """Whether other relations say what some relations say: the same trees, or the same numbers wherever they differ."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = tuple(relations)
        self._points: Sequence[Point] | None = None

    def same(self, others: Sequence[Relation]) -> bool:
        """Compare one by one."""
        if len(others) != len(self._relations):
            return False
        pairs = list(zip(self._relations, others, strict=True))
        return all(
            one.operator == other.operator and self._equal(one.left, other.left) and self._equal(one.right, other.right)
            for one, other in pairs
        )

    def _equal(self, first: Expression, second: Expression) -> bool:
        if first == second:
            return True
        both = Relation(first, "=", second)
        if not set(symbols_of(both)) <= set(symbols_of(*self._relations)):
            return False
        found = [self._gap(both, point) for point in self._sample()]
        known = [gap for gap in found if gap is not None]
        return 2 * len(known) > len(found) and max(known) < _CLOSE

    def _sample(self) -> Sequence[Point]:
        if self._points is None:
            symbols = symbols_of(*self._relations)
            count = _POINTS if symbols else 1
            self._points = satisfying((), symbols, False, Truth(20), count, _SEED).points
        return self._points

    @staticmethod
    def _gap(both: Relation, point: Point) -> float | None:
        with suppress(GrpoSymbolicError, ArithmeticError, ValueError):
            left, right = Program((unfold(both.left), unfold(both.right))).run(FLOATS, point)
            return abs(left - right) / max(abs(left), abs(right), 1.0)
        return None
