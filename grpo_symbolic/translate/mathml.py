r"""Typeset as MathML what our visitor typesets as LaTeX, and most of what papers write.

MathML is made of the LaTeX that ``formula.py`` and ``latex.py`` write, so that brackets are decided there and nowhere
else: whoever changes them changes both. The dialect is closed; a command that it does not know is refused, so that none
reaches a page as text. ``readback/mathml.py`` compares what came of it with the LaTeX, sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape as escaped

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.translate.mathml_nodes import (
    ENVIRONMENTS,
    Node,
    bare,
    inside,
    letter,
    mi,
    mo,
    operand,
    plain,
    row_of,
    simple,
    spaced,
    table,
    wide,
    with_scripts,
)
from grpo_symbolic.translate.mathml_signs import ACCENTS, ALPHABETS, BARS, CLOSING, OPENING, lettered

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9 ,.:'()-]*")
_TALL = re.compile("<(?:mfrac|mtable|munder|mover|msqrt|mroot|mrow><mo>)")
_SIZES = {r"\big": "1.2em", r"\Big": "1.8em", r"\bigg": "2.4em", r"\Bigg": "3em"}
_SIZES |= {rf"{name}{side}": size for name, size in _SIZES.items() for side in "lrm"}
_UPRIGHT = (r"\mathrm", r"\operatorname", r"\operatorname*", r"\mathit", r"\rm", r"\mathop")
_TEXT = (r"\text", r"\textrm", r"\mbox", r"\textnormal", r"\textit", r"\textbf")


def mathml(latex: str, *, display: bool = False, label: str | None = None) -> str:
    """A formula as a ``math`` element with a text alternative: ``label``, or a reading made of the LaTeX.

    >>> mathml("x^2", label="x squared")
    '<math aria-label="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>'

    Raises:
        UnsupportedError: if there is a command in it that is not known, or a brace that is not closed.
    """
    nodes = nodes_of(latex)
    shown = label if label is not None else plain(nodes)
    style = ' display="block"' if display else ""
    return f'<math{style} aria-label="{escaped(shown)}">{inside(nodes)}</math>'


def nodes_of(latex: str) -> tuple[Node, ...]:
    """The parts of a formula from left to right.

    Raises:
        UnsupportedError: as ``mathml`` does.
    """
    reader = _Reader(_TOKEN.findall(latex))
    nodes = reader.row(())
    if reader.left:
        raise UnsupportedError(f"{reader.left[0]!r} has no beginning in {latex!r}")
    return tuple(nodes)


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        #: Behind the last one is what ends every search.
        self._tokens = [*tokens, ""]
        self._at = 0

    @property
    def left(self) -> list[str]:
        """The tokens that were not read."""
        return self._tokens[self._at : -1]

    def _peek(self) -> str:
        while (token := self._tokens[self._at]).isspace():
            self._at += 1
        return token

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise UnsupportedError(f"the formula {''.join(self._tokens)!r} ends too early")
        self._at += 1
        return token

    def row(self, until: Sequence[str]) -> list[Node]:
        """The nodes up to one of some tokens, which is left to be read."""
        nodes: list[Node] = []
        while (token := self._peek()) and token not in until and token not in ("}", r"\right", r"\end"):
            node = self._scripted(self._atom(nodes[-1].kind if nodes else None))
            if node.kind == "digit" and nodes and nodes[-1].kind in ("digit", "point"):
                before = nodes.pop()
                number = before.text + node.text
                node = Node(f"<mn>{number}</mn>", "digit", number, 0.5 * len(number))
            elif node.text == ". " and nodes and nodes[-1].kind == "digit" and "".join(self.left[:1]).isdigit():
                node = Node("", "point", f"{nodes.pop().text}.", 0.25)
            nodes.append(node)
        return spaced(nodes)

    def _scripted(self, base: Node) -> Node:
        """A node with what is raised and lowered at it."""
        below: Node | None = None
        above: list[Node] = []
        while (token := self._peek()) in ("^", "_", "'"):
            self._next()
            if token == "'":
                above.append(Node("<mo>′</mo>", "ordinary", "'"))
            elif token == "^":
                above.append(self._argument())
            else:
                below = self._argument()
        if below is None and not above:
            return base
        return with_scripts(base, below, row_of(above) if above else None)

    def _argument(self) -> Node:
        token = self._peek()
        if token == "{":
            return self._group()
        return self._atom(None)

    def _group(self) -> Node:
        if self._next() != "{":
            raise UnsupportedError(f"a brace is missing in {''.join(self._tokens)!r}")
        nodes = self.row(())
        if self._next() != "}":
            raise UnsupportedError(f"a brace is not closed in {''.join(self._tokens)!r}")
        return row_of(nodes)

    def _raw(self) -> str:
        """What the next braces hold, as it is written."""
        if self._peek() != "{":
            return self._next()
        self._next()
        depth, start = 1, self._at
        while depth:
            if not self._tokens[self._at]:
                raise UnsupportedError(f"a brace is not closed in {''.join(self._tokens)!r}")
            depth += {"{": 1, "}": -1}.get(self._tokens[self._at], 0)
            self._at += 1
        return "".join(self._tokens[start : self._at - 1])

    def _atom(self, before: str | None) -> Node:
        token = self._peek()
        if token == "{":
            group = self._group()
            return replace(
                group, kind="ordinary" if group.ml != "<mrow/>" or before not in (None, "space") else "empty"
            )
        if token in ("^", "_", "'"):
            return Node("<mrow/>", "ordinary", "")
        token = self._next()
        sign = simple(token, before)
        if sign is not None:
            return sign
        for commands, read in self._commands():
            if token in commands:
                return read(token)
        raise UnsupportedError(f"no MathML for {token!r} in {''.join(self._tokens)!r}")

    def _commands(self) -> tuple[tuple[Sequence[str] | frozenset[str], Callable[[str], Node]], ...]:
        return (
            ((r"\frac", r"\tfrac", r"\dfrac", r"\binom"), self._fraction),
            ((r"\sqrt",), self._root),
            ((r"\left",), self._fenced),
            (_UPRIGHT, self._upright),
            (_TEXT, self._words),
            (ALPHABETS, lambda token: letter(lettered(token, self._raw()))),
            (tuple(ACCENTS), self._accent),
            ((r"\underbrace", r"\overbrace"), self._braced),
            ((r"\mathrel", r"\mathbin", r"\mathord"), self._related),
            ((r"\overset", r"\underset", r"\stackrel"), self._stacked),
            (tuple(_SIZES), self._sized),
            ((r"\begin",), self._environment),
            ((r"\label", r"\tag"), self._unseen),
        )

    def _fraction(self, token: str) -> Node:
        above, below = self._argument(), self._argument()
        if token == r"\binom":
            inside = f'<mfrac linethickness="0">{above.ml}{below.ml}</mfrac>'
            said = f"binom({above.text}, {below.text})"
            return Node(f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>", "fence", said, 1 + max(above.width, below.width))
        shown = f"<mfrac>{above.ml}{below.ml}</mfrac>"
        if token != r"\frac":
            shown = f'<mstyle displaystyle="{"true" if token == chr(92) + "dfrac" else "false"}">{shown}</mstyle>'
        return Node(shown, "ordinary", f"({operand(above)}/{operand(below)})", 0.2 + max(above.width, below.width))

    def _root(self, _: str) -> Node:
        if self._peek() == "[":
            self._next()
            index = row_of(self.row(("]",)))
            self._next()
            body = self._argument()
            said = f"{index.text}-th root of {operand(body)}"
            return Node(f"<mroot>{body.ml}{index.ml}</mroot>", "ordinary", said, 0.9 + body.width)
        body = self._argument()
        # A style sheet may tell low roots from tall ones.
        name = "msqrt" if _TALL.search(body.ml) else 'msqrt class="low"'
        return Node(f"<{name}>{bare(body)}</msqrt>", "ordinary", f"√{operand(body)}", 0.9 + body.width)

    def _delimiter(self) -> str:
        token = self._next()
        if token == ".":
            return ""
        for signs in (OPENING, CLOSING, BARS):
            if token in signs:
                return signs[token]
        raise UnsupportedError(f"{token!r} is no bracket")

    def _fenced(self, _: str) -> Node:
        left = self._delimiter()
        nodes = self.row(())
        if self._next() != r"\right":
            raise UnsupportedError(f"a bracket is not closed in {''.join(self._tokens)!r}")
        right = self._delimiter()
        opening = mo(left, 'form="prefix" stretchy="true"' if left in "|‖" else "") if left else ""
        closing = mo(right, 'form="postfix" stretchy="true"' if right in "|‖" else "") if right else ""
        said = f"{left}{plain(nodes)}{right}"
        return Node(f"<mrow>{opening}{inside(nodes)}{closing}</mrow>", "fence", said, 1.1 + wide(nodes))

    def _upright(self, token: str) -> Node:
        kind = "ordinary" if token in (r"\mathrm", r"\mathit", r"\rm") else "function"
        raw = self._raw()
        if _WORD.fullmatch(raw):
            name = raw.strip()
            shown = mi(name) if token != r"\mathit" else f"<mi>{name}</mi>"
            return Node(shown, kind, name, 0.5 * len(name))
        return replace(row_of(nodes_of(raw)), kind=kind)

    def _words(self, _: str) -> Node:
        shown, said = "", ""
        for number, part in enumerate(re.split(r"(?<!\\)\$", self._raw())):
            if number % 2:
                nodes = nodes_of(part)
                shown, said = shown + "".join(node.ml for node in nodes), said + plain(nodes)
            elif part:
                words = re.sub(r"\\([ _%&#$])", r"\1", part).replace("~", " ")
                spaced = re.sub(r"^ +| +$", "\u00a0", words)
                shown, said = f"{shown}<mtext>{escaped(spaced, quote=False)}</mtext>", said + words
        if "\\" in shown:
            raise UnsupportedError(f"no MathML for the text {shown!r}")
        return Node(f"<mrow>{shown}</mrow>" if shown.count("<m") > 1 else shown, "text", said, 0.46 * len(said))

    def _accent(self, token: str) -> Node:
        base = self._argument()
        shown = f'<mover accent="true">{base.ml}{mo(ACCENTS[token])}</mover>'
        return Node(shown, "ordinary", f"{base.text}{ACCENTS[token]}", base.width)

    def _braced(self, token: str) -> Node:
        base = self._argument()
        under = token == r"\underbrace"
        name, sign = ("munder", "⏟") if under else ("mover", "⏞")
        return Node(f"<{name}>{base.ml}{mo(sign)}</{name}>", "large", base.text, base.width)

    def _related(self, _: str) -> Node:
        raw = self._raw()
        if raw == ":=":
            return Node(mo("≔"), "relation", " := ", 1.6)
        return replace(row_of(nodes_of(raw)), kind="relation")

    def _stacked(self, token: str) -> Node:
        extra, base = self._argument(), self._argument()
        name = "munder" if token == r"\underset" else "mover"
        return Node(
            f"<{name}>{base.ml}{extra.ml}</{name}>", base.kind, f"{base.text}[{extra.text.strip()}] ", base.width
        )

    def _sized(self, token: str) -> Node:
        sign = self._delimiter()
        form = {"l": 'form="prefix" ', "r": 'form="postfix" '}.get(token[-1], "") if token not in (r"\big",) else ""
        size = f'{form}stretchy="true" symmetric="true" minsize="{_SIZES[token]}" maxsize="{_SIZES[token]}"'
        return Node(mo(sign, size), "open" if sign in OPENING.values() else "close", sign, 0.6)

    def _unseen(self, _: str) -> Node:
        self._raw()
        return Node("", "space", "")

    def _environment(self, _: str) -> Node:
        name = self._raw()
        if name not in ENVIRONMENTS:
            raise UnsupportedError(f"no MathML for the environment {name!r}")
        if self._peek() == "[":
            self.row(("]",))
            self._next()
        if name == "array":
            self._raw()
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(row_of(self.row(("&", r"\\"))))
            token = self._next()
            if token == r"\end":
                self._raw()
                break
            if token == r"\\":
                rows.append([])
        return table(name, rows)
