r"""Typeset as MathML what our visitor typesets as LaTeX, and most of what papers write.

MathML is made of the LaTeX that ``formula.py`` and ``latex.py`` write, so that brackets are decided there and nowhere
else: whoever changes them changes both. Two marks that TeX does not see say what a tree knows and a page does not
show: that a product is one, and that a function is applied. The dialect is closed; a command that it does not know is
refused, so that none reaches a page as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape as escaped

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.translate.mathml_signs import (
    ACCENTS,
    ALPHABETS,
    BARS,
    CLOSING,
    FUNCTIONS,
    LARGE,
    LETTERS,
    LIMITS,
    OPENING,
    OPERATIONS,
    PUNCTUATION,
    RELATIONS,
    SPACES,
    lettered,
)

APPLY, TIMES = "\u2061", "\u2062"

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9 ,.:'()-]*")
_SIZES = {r"\big": "1.2em", r"\Big": "1.8em", r"\bigg": "2.4em", r"\Bigg": "3em"}
_SIZES |= {rf"{name}{side}": size for name, size in _SIZES.items() for side in "lrm"}
_UPRIGHT = (r"\mathrm", r"\operatorname", r"\operatorname*", r"\mathit", r"\rm", r"\mathop")
_TEXT = (r"\text", r"\textrm", r"\mbox", r"\textnormal", r"\textit", r"\textbf")
_ENVIRONMENTS = {"aligned": "al", "align": "al", "align*": "al", "split": "al", "gathered": "al", "cases": "cs"}
_ENVIRONMENTS |= {"array": "ar", "matrix": "ar", "pmatrix": "ar", "bmatrix": "ar"}
_FENCED = {"cases": ("{", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]")}
_IGNORED = (r"\displaystyle", r"\textstyle", r"\nonumber", r"\notag", r"\limits", r"\nolimits", r"\middle")
_PLAIN_FENCE = 'stretchy="false"'


@dataclass(frozen=True)
class Node:
    """MathML with what its neighbours and the page need to know: its kind, a reading in plain text, its width in em."""

    ml: str
    kind: str
    text: str
    width: float = 0.0

    @property
    def short(self) -> bool:
        """Whether the text needs no brackets as an operand."""
        return re.fullmatch(r"[\w.]+|\(.*\)", self.text) is not None


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
    return f'<math{style} aria-label="{escaped(shown)}">{_inside(nodes)}</math>'


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


def plain(nodes: Sequence[Node]) -> str:
    """A row read as plain text."""
    return " ".join("".join(node.text for node in nodes).split())


def _mo(sign: str, more: str = "") -> str:
    return f"<mo{' ' + more if more else ''}>{escaped(sign, quote=False)}</mo>"


def _mi(name: str) -> str:
    upright = ' mathvariant="normal"' if len(name) == 1 and name.isascii() else ""
    return f"<mi{upright}>{escaped(name, quote=False)}</mi>"


def _row(nodes: Sequence[Node]) -> Node:
    """One node for several; a single one stays what it is."""
    if len(nodes) == 1:
        return nodes[0]
    if not nodes:
        return Node("<mrow/>", "ordinary", "")
    return Node(f"<mrow>{_inside(nodes)}</mrow>", "ordinary", plain(nodes), wide(nodes))


def _inside(nodes: Sequence[Node]) -> str:
    return "".join(node.ml for node in nodes)


def _bare(node: Node) -> str:
    """What is inside an element that makes a row of its children itself."""
    inner = node.ml.removeprefix("<mrow>").removesuffix("</mrow>")
    return inner if node.ml.startswith("<mrow>") and "<mrow>" not in inner else node.ml


def wide(nodes: Sequence[Node]) -> float:
    """About how wide a row is, in em."""
    return sum(node.width for node in nodes)


def _operand(node: Node) -> str:
    return node.text if node.short else f"({node.text.strip()})"


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def left(self) -> list[str]:
        """The tokens that were not read."""
        return self._tokens[self._at :]

    def _skip(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1

    def _peek(self) -> str:
        self._skip()
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

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
        return _spaced(nodes)

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
        return _with_scripts(base, below, _row(above) if above else None)

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
        return _row(nodes)

    def _raw(self) -> str:
        """What the next braces hold, as it is written."""
        if self._peek() != "{":
            return self._next()
        self._next()
        depth, start = 1, self._at
        while depth:
            if self._at == len(self._tokens):
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
        simple = _simple(token, before)
        if simple is not None:
            return simple
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
            (ALPHABETS, lambda token: _letter(lettered(token, self._raw()))),
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
        return Node(shown, "ordinary", f"({_operand(above)}/{_operand(below)})", 0.2 + max(above.width, below.width))

    def _root(self, _: str) -> Node:
        if self._peek() == "[":
            self._next()
            index = _row(self.row(("]",)))
            self._next()
            body = self._argument()
            said = f"{index.text}-th root of {_operand(body)}"
            return Node(f"<mroot>{body.ml}{index.ml}</mroot>", "ordinary", said, 0.9 + body.width)
        body = self._argument()
        return Node(f"<msqrt>{_bare(body)}</msqrt>", "ordinary", f"√{_operand(body)}", 0.9 + body.width)

    def _delimiter(self) -> str:
        token = self._next()
        if token == ".":
            return ""
        for table in (OPENING, CLOSING, BARS):
            if token in table:
                return table[token]
        raise UnsupportedError(f"{token!r} is no bracket")

    def _fenced(self, _: str) -> Node:
        left = self._delimiter()
        nodes = self.row(())
        if self._next() != r"\right":
            raise UnsupportedError(f"a bracket is not closed in {''.join(self._tokens)!r}")
        right = self._delimiter()
        opening = _mo(left, 'form="prefix" stretchy="true"' if left in "|‖" else "") if left else ""
        closing = _mo(right, 'form="postfix" stretchy="true"' if right in "|‖" else "") if right else ""
        said = f"{left}{plain(nodes)}{right}"
        return Node(f"<mrow>{opening}{_inside(nodes)}{closing}</mrow>", "fence", said, 1.1 + wide(nodes))

    def _upright(self, token: str) -> Node:
        kind = "ordinary" if token in (r"\mathrm", r"\mathit", r"\rm") else "function"
        raw = self._raw()
        if _WORD.fullmatch(raw):
            name = raw.strip()
            shown = _mi(name) if token != r"\mathit" else f"<mi>{name}</mi>"
            return Node(shown, kind, name, 0.5 * len(name))
        return replace(_row(nodes_of(raw)), kind=kind)

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
        shown = f'<mover accent="true">{base.ml}{_mo(ACCENTS[token])}</mover>'
        return Node(shown, "ordinary", f"{base.text}{ACCENTS[token]}", base.width)

    def _braced(self, token: str) -> Node:
        base = self._argument()
        under = token == r"\underbrace"
        name, sign = ("munder", "⏟") if under else ("mover", "⏞")
        return Node(f"<{name}>{base.ml}{_mo(sign)}</{name}>", "large", base.text, base.width)

    def _related(self, _: str) -> Node:
        raw = self._raw()
        if raw == ":=":
            return Node(_mo("≔"), "relation", " := ", 1.6)
        return replace(_row(nodes_of(raw)), kind="relation")

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
        return Node(_mo(sign, size), "open" if sign in OPENING.values() else "close", sign, 0.6)

    def _unseen(self, _: str) -> Node:
        self._raw()
        return Node("", "space", "")

    def _environment(self, _: str) -> Node:
        name = self._raw()
        if name not in _ENVIRONMENTS:
            raise UnsupportedError(f"no MathML for the environment {name!r}")
        if self._peek() == "[":
            self.row(("]",))
            self._next()
        if name == "array":
            self._raw()
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(_row(self.row(("&", r"\\"))))
            token = self._next()
            if token == r"\end":
                self._raw()
                break
            if token == r"\\":
                rows.append([])
        return _table(name, rows)


def _table(name: str, rows: Sequence[Sequence[Node]]) -> Node:
    rows = [row for row in rows if any(cell.ml != "<mrow/>" for cell in row)]
    if all(row[0].ml == "<mrow/>" and len(row) > 1 for row in rows):
        rows = [row[1:] for row in rows]  # aligned at their beginnings
    kind = _ENVIRONMENTS[name] if max(map(len, rows)) == 1 or name != "aligned" else "rl"
    cells = "".join(f"<mtr>{''.join(f'<mtd>{_bare(cell)}</mtd>' for cell in row)}</mtr>" for row in rows)
    style = ' displaystyle="true"' if name in ("aligned", "align", "align*", "split", "gathered") else ""
    shown = f'<mtable class="{kind}"{style}>{cells}</mtable>'
    left, right = _FENCED.get(name, ("", ""))
    if left:
        shown = f"<mrow>{_mo(left)}{shown}{_mo(right) if right else ''}</mrow>"
    said = (" " if style else "; ").join(" ".join(cell.text for cell in row) for row in rows)
    return Node(shown, "ordinary", said, 0.5 * bool(left) + max(wide(row) + len(row) - 1 for row in rows))


def _letter(shown: str) -> Node:
    return Node(f"<mi>{escaped(shown, quote=False)}</mi>", "ordinary", shown, 0.57 * len(shown))


_FENCE_KINDS = ((OPENING, "open", "prefix"), (CLOSING, "close", "postfix"))


def _simple(token: str, before: str | None) -> Node | None:
    """What one token is, without an argument; None if it takes some."""
    if token.isdigit():
        return Node(f"<mn>{token}</mn>", "digit", token, 0.5)
    if token in LETTERS or (len(token) == 1 and token.isalpha()):
        return _letter(LETTERS.get(token, token))
    for table, kind, form in _FENCE_KINDS:
        if token in table:
            sign = table[token]
            return Node(_mo(sign, _PLAIN_FENCE + (f' form="{form}"' if sign in "|‖" else "")), kind, sign, 0.36)
    if token in BARS:
        return Node(_mo(BARS[token], f'{_PLAIN_FENCE} lspace="0" rspace="0"'), "bar", BARS[token], 0.3)
    if token in SPACES:
        return Node(f'<mspace width="{SPACES[token]}em"/>', "space", " ", float(SPACES[token]))
    if token in FUNCTIONS:
        name = FUNCTIONS[token]
        return Node(f"<mi>{name}</mi>", "function", name, 0.5 * len(name))
    if token in LIMITS:
        name = LIMITS[token]
        return Node(f'<mo movablelimits="false">{name}</mo>', "limit", name, 0.5 * len(name))
    if token in _IGNORED:
        return Node("", "space", "")
    return _sign(token, before)


def _sign(token: str, before: str | None) -> Node | None:
    if token in (APPLY, TIMES):
        return Node(_mo(token), "mark", "")
    if token in LARGE:
        return Node(_mo(LARGE[token]), "integral" if token == r"\int" else "large", LARGE[token], 1.3)
    if token in PUNCTUATION:
        return Node(_mo(token), "punctuation", f"{token} ", 0.43)
    if token in RELATIONS:
        sign = RELATIONS[token]
        return Node(_mo(sign, 'stretchy="false"' if sign in "↑↓→←⟶" else ""), "relation", f" {sign} ", 1.35)
    if token in OPERATIONS:
        sign = OPERATIONS[token]
        if token in "/!" or token == r"\prime":
            tight = 'lspace="0" rspace="0"' if token == "/" else ""
            return Node(_mo(sign, tight), "ordinary", sign, 0.4)
        leading = token in ("+", "-", r"\pm") and before in (None, "relation", "operation", "open", "punctuation")
        # What comes before a sign says which form it has; a browser would go by its place in the row.
        form = 'form="prefix"' if leading else 'form="infix"' if before == "empty" else ""
        said = "-" if token == "-" else sign
        shown = _mo(sign, form if token in ("+", "-", r"\pm") else "")
        return Node(shown, "operation", said if leading else f" {said} ", 0.8 if leading else 1.2)
    return None


def _with_scripts(base: Node, below: Node | None, above: Node | None) -> Node:
    said = base.text
    if below is not None:
        said += f"_{_operand(below)}"
    if above is not None:
        said += above.text if set(above.text) == {"'"} else f"^{_operand(above)}"
    limits = base.kind in ("large", "limit")
    if below is not None and above is not None:
        name, parts = ("munderover" if limits else "msubsup"), [base, below, above]
    elif below is not None:
        name, parts = ("munder" if limits else "msub"), [base, below]
    else:
        name, parts = ("mover" if limits else "msup"), [base, above or base]
    kind = base.kind if base.kind in ("large", "limit", "integral", "function", "operation", "relation") else "scripted"
    scripts = max(part.width for part in parts[1:])
    width = max(base.width, 0.72 * scripts) if limits else base.width + 0.72 * scripts + 0.05
    return Node(f"<{name}>{_inside(parts)}</{name}>", kind, said, width)


_OPENS = ("open", "fence", "bar", "space", "operation", "relation", "punctuation", "close", "mark")


def _spaced(nodes: Sequence[Node]) -> list[Node]:
    """A thin space between the name of a function and an argument without brackets."""
    shown: list[Node] = []
    for position, node in enumerate(nodes):
        shown.append(node)
        after = nodes[position + 1].kind if position + 1 < len(nodes) else "close"
        if node.kind in ("function", "limit") and after not in ("close", "operation", "relation", "punctuation"):
            shown.append(Node(_mo(APPLY), "mark", " " if after not in _OPENS else ""))
            if after not in _OPENS:
                shown.append(Node('<mspace width=".167em"/>', "space", ""))
        if node.kind in ("large", "integral") and after not in _OPENS:
            shown[-1] = replace(node, text=f"{node.text} ")
    return shown
