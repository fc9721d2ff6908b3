"""Formulas of the pages as MathML: in the text, displayed in forms of several widths, and foreign ones."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from grpo_symbolic.errors import ReportError, UnsupportedError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.readback.mathml import check_mathml
from grpo_symbolic.report.site.marked import Marked
from grpo_symbolic.translate.mathml import nodes_of
from grpo_symbolic.translate.mathml_nodes import Node, plain, wide

#: Containers are told apart in steps of so many em.
STEP = 2
#: The widths that pages know: no column is wider, so that a form which needs more is left out if there is another, and
#: scaled and, if need be, scrolled if there is none.
WIDEST = 50
#: An inline formula that is wider, in em, may break at its relations.
_UNBROKEN = 9.0
#: What fits into a line of a phone, in em.
_NARROW = 18.0
#: Before what a formula may break if need be.
_TIGHT, _LOOSE = ("relation",), ("relation", "operation", "text")
_WORDS = re.compile("<mtext>([^<]*)</mtext>")
_LEFT_OVER = re.compile(r"\\|<mtext>[^<]*\$")


class Formulas:
    """Turns LaTeX into MathML, each formula once; ``said`` are text alternatives of those that are our own.

    One of these raises ``ReportError`` if its MathML does not show what its LaTeX does. What our dialect does not
    cover, such as a rare accent, is left to a larger converter. What formulas become may be kept among the ``marked``.
    """

    def __init__(self, said: Mapping[str, str], marked: Marked | None = None) -> None:
        self._said = said
        self._marked = Marked(Fragments(None)) if marked is None else marked
        self._nodes: dict[str, tuple[Node, ...] | None] = {}

    def inline(self, latex: str) -> str:
        """A formula in running text; a wide one may break after its relations and commas."""
        nodes = self._read(latex)
        if nodes is None:
            return foreign(latex)
        if len(nodes) == 1 and nodes[0].kind == "relation" and latex != "=":  # a sign that is spoken of
            return _math(nodes, nodes[0].text.strip()).replace("<mo", '<mo lspace="0" rspace="0"')
        if wide(nodes) <= _UNBROKEN:
            return _math(nodes, self._label(latex, nodes))
        return "<wbr>".join(self._part(part) for part in _broken(nodes))

    def _part(self, nodes: Sequence[Node]) -> str:
        """A part of a formula in running text; one that a phone has no room for is set apart, and scaled there."""
        if wide(nodes) <= _NARROW:
            return _math(nodes, plain(nodes))
        pieces = list(_broken(nodes, _LOOSE))
        if all(wide(piece) <= _NARROW for piece in pieces):
            return "<wbr>".join(_math(piece, plain(piece)) for piece in pieces)
        size = f"s{_bucket(wide(nodes))}"
        return f'<span class="f">{_math(nodes, plain(nodes), size)}</span>'

    def display(self, forms: Sequence[str]) -> str:
        """A formula in a line of its own, in the widest of some forms that has room."""
        read = [(latex, self._read(latex)) for latex in forms]
        known = [(latex, nodes) for latex, nodes in read if nodes is not None]
        if not known:
            return f'<span class="f">{foreign(forms[-1], display=True)}</span>'
        known = [item for item in known[:-1] if wide(item[1]) < WIDEST] + known[-1:]
        needs = [_bucket(wide(nodes)) for _, nodes in known]
        shown = []
        for position, (latex, nodes) in enumerate(known):
            if position and needs[position] >= needs[position - 1]:
                continue  # it would never be the one that fits
            last = not any(need < needs[position] for need in needs[position + 1 :])
            least = "" if last else f"g{needs[position]}"
            most = f"l{min(needs[:position])}" if position else ""
            size = f"s{needs[position]}" if last else ""
            names = " ".join(name for name in (least, most, size) if name)
            shown.append(_math(nodes, self._label(latex, nodes), names))
            if last:
                break
        return f'<span class="f">{"".join(shown)}</span>'

    def printed(self, latex: str) -> str:
        """What a paper prints, in a line of its own; where there is no room, it breaks after relations and commas."""
        nodes = self._read(latex)
        if nodes is not None and any(node.kind == "text" and node.width > _UNBROKEN for node in nodes):
            return f'<span class="words">{self._sentence(nodes)}</span>'
        if nodes is None or len(parts := list(_broken(nodes))) == 1:
            return self.display([latex])
        need, label = _bucket(wide(nodes)), self._label(latex, nodes)
        pieces = "<wbr>".join(_math(part, plain(part)) for part in parts)
        whole = _math(nodes, label, f"g{need}")
        return f'<span class="f">{whole}<span class="broken l{need}">{pieces}</span></span>'

    def _sentence(self, nodes: Sequence[Node]) -> str:
        """What is mostly words, as words between formulas."""
        shown, run = "", list[Node]()
        for node in (*nodes, None):
            words = None if node is None else _WORDS.fullmatch(node.ml)
            if node is not None and words is None:
                run.append(node)
                continue
            shown += "".join(self._part(part) for part in _broken(run)) if run else ""
            run = []
            shown += "" if words is None else words[1].replace("\u00a0", " ")
        return shown

    def fits_in_text(self, latex: str) -> bool:
        """Whether a formula is short enough to stand in a sentence."""
        nodes = self._read(latex)
        return nodes is not None and wide(nodes) <= 2 * _UNBROKEN

    def text(self, latex: str) -> str:
        """The text alternative of a formula."""
        nodes = self._read(latex)
        return latex if nodes is None else self._label(latex, nodes)

    def _label(self, latex: str, nodes: Sequence[Node]) -> str:
        # One letter reads as it looks: other letters of ours may look the same.
        own = None if len(nodes) == 1 and nodes[0].kind == "ordinary" else self._said.get(latex)
        return own or plain(nodes) or latex

    def _read(self, latex: str) -> tuple[Node, ...] | None:
        if latex not in self._nodes:
            self._nodes[latex] = self._checked(latex)
        return self._nodes[latex]

    def _checked(self, latex: str) -> tuple[Node, ...] | None:
        """The nodes of a formula, which show what is printed; None for one outside of our dialect."""
        kept = self._marked.get(latex)
        if kept is not None:
            return kept
        try:
            nodes = nodes_of(latex)
            check_mathml(latex, f"<math>{''.join(node.ml for node in nodes)}</math>")
        except UnsupportedError:
            return None
        except ReportError:
            if latex in self._said:
                raise  # it is our own
            return None
        self._marked.add(latex, nodes)
        return nodes


def foreign(latex: str, *, display: bool = False) -> str:
    """LaTeX that our own dialect does not cover: by a larger converter, or else shown as the code it is."""
    from latex2mathml.converter import convert

    try:
        found = convert(latex, display="block" if display else "inline")
    except Exception:  # its errors have no common ancestor of their own; what it cannot read is shown as it is
        found = "\\"
    if _LEFT_OVER.search(found):
        return f"<code>{escape(latex)}</code>"
    return found.replace("<math ", f'<math aria-label="{escape(latex)}" ', 1).replace(
        ' xmlns="http://www.w3.org/1998/Math/MathML"', ""
    )


def _math(nodes: Sequence[Node], label: str, display: str | None = None) -> str:
    """A formula; one that is displayed has classes that tell in which room it is shown."""
    style = "" if display is None else f' display="block" class="{display}"'
    return f'<math{style} aria-label="{escape(label or "formula")}">{"".join(node.ml for node in nodes)}</math>'


def _bucket(width: float) -> int:
    return min(WIDEST, STEP * math.ceil((width + 0.5) / STEP))


def _broken(nodes: Sequence[Node], before: Sequence[str] = _TIGHT) -> Iterable[Sequence[Node]]:
    """The parts of a row, each up to a sign of some kinds, or to a comma, outside of all brackets."""
    part: list[Node] = []
    depth = 0
    for node in nodes:
        depth += {"open": 1, "close": -1}.get(node.kind, 0)
        if node.kind in before and depth <= 0 and wide(part) > 3:
            yield part
            part = []
        part.append(node)
        if node.kind == "punctuation" and depth <= 0 and wide(part) > 3:
            yield part
            part = []
    if part:
        yield part
