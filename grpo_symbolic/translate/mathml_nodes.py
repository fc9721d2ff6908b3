"""Parts of a formula as MathML: what each sign becomes, and how parts are put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape as escaped
from itertools import accumulate

from grpo_symbolic.translate.mathml_signs import (
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
)

#: Tells programs that read formulas aloud that a function is applied.
APPLY = "\u2061"

ENVIRONMENTS = {"aligned": "al", "align": "al", "align*": "al", "split": "al", "gathered": "al", "cases": "cs"}
ENVIRONMENTS |= {"array": "ar", "matrix": "ar", "pmatrix": "ar", "bmatrix": "ar"}
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
        """Whether the text needs no brackets as an operand: a word, or all of it in one pair of brackets."""
        if re.fullmatch(r"[\w.]+", self.text):
            return True
        depths = list(accumulate({"(": 1, ")": -1}.get(letter, 0) for letter in self.text))
        return self.text.startswith("(") and 0 not in depths[:-1] and depths[-1] == 0


def plain(nodes: Sequence[Node]) -> str:
    """A row read as plain text."""
    return " ".join("".join(node.text for node in nodes).split())


def mo(sign: str, more: str = "") -> str:
    """A sign, with attributes."""
    return f"<mo{' ' + more if more else ''}>{escaped(sign, quote=False)}</mo>"


def mi(name: str) -> str:
    """An upright name."""
    upright = ' mathvariant="normal"' if len(name) == 1 and name.isascii() else ""
    return f"<mi{upright}>{escaped(name, quote=False)}</mi>"


def row_of(nodes: Sequence[Node]) -> Node:
    """One node for several; a single one stays what it is."""
    if len(nodes) == 1:
        return nodes[0]
    if not nodes:
        return Node("<mrow/>", "ordinary", "")
    return Node(f"<mrow>{inside(nodes)}</mrow>", "ordinary", plain(nodes), wide(nodes))


def inside(nodes: Sequence[Node]) -> str:
    """The MathML of a row."""
    return "".join(node.ml for node in nodes)


def bare(node: Node) -> str:
    """What is inside an element that makes a row of its children itself."""
    inner = node.ml.removeprefix("<mrow>").removesuffix("</mrow>")
    return inner if node.ml.startswith("<mrow>") and "<mrow>" not in inner else node.ml


def wide(nodes: Sequence[Node]) -> float:
    """About how wide a row is, in em."""
    return sum(node.width for node in nodes)


def operand(node: Node) -> str:
    """The text of a part of something, in brackets if it needs them."""
    return node.text if node.short else f"({node.text.strip()})"


def table(name: str, rows: Sequence[Sequence[Node]]) -> Node:
    """The rows of an environment."""
    rows = [row for row in rows if any(cell.ml != "<mrow/>" for cell in row)]
    if all(row[0].ml == "<mrow/>" and len(row) > 1 for row in rows):
        rows = [row[1:] for row in rows]  # aligned at their beginnings
    kind = ENVIRONMENTS[name] if max(map(len, rows)) == 1 or name != "aligned" else "rl"
    cells = "".join(f"<mtr>{''.join(f'<mtd>{bare(cell)}</mtd>' for cell in row)}</mtr>" for row in rows)
    style = ' displaystyle="true"' if name in ("aligned", "align", "align*", "split", "gathered") else ""
    shown = f'<mtable class="{kind}"{style}>{cells}</mtable>'
    left, right = _FENCED.get(name, ("", ""))
    if left:
        shown = f"<mrow>{mo(left)}{shown}{mo(right) if right else ''}</mrow>"
    said = (" " if style else "; ").join(" ".join(cell.text for cell in row) for row in rows)
    return Node(shown, "ordinary", said, 0.5 * bool(left) + max(wide(row) + len(row) - 1 for row in rows))


def letter(shown: str) -> Node:
    """A letter, which is set in italics if it is one character."""
    return Node(f"<mi>{escaped(shown, quote=False)}</mi>", "ordinary", shown, 0.57 * len(shown))


_FENCE_KINDS = ((OPENING, "open", "prefix"), (CLOSING, "close", "postfix"))


def simple(token: str, before: str | None) -> Node | None:
    """What one token is, without an argument; None if it takes some."""
    if token.isdigit():
        return Node(f"<mn>{token}</mn>", "digit", token, 0.5)
    if token in LETTERS or (len(token) == 1 and token.isalpha()):
        return letter(LETTERS.get(token, token))
    for table, kind, form in _FENCE_KINDS:
        if token in table:
            sign = table[token]
            return Node(mo(sign, _PLAIN_FENCE + (f' form="{form}"' if sign in "|‖" else "")), kind, sign, 0.36)
    if token in BARS:
        return Node(mo(BARS[token], f'{_PLAIN_FENCE} lspace="0" rspace="0"'), "bar", BARS[token], 0.3)
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
    if token in LARGE:
        return Node(mo(LARGE[token]), "integral" if token == r"\int" else "large", LARGE[token], 1.3)
    if token in PUNCTUATION:
        return Node(mo(token), "punctuation", f"{token} ", 0.43)
    if token in RELATIONS:
        sign = RELATIONS[token]
        return Node(mo(sign, 'stretchy="false"' if sign in "↑↓→←⟶" else ""), "relation", f" {sign} ", 1.35)
    if token in OPERATIONS:
        sign = OPERATIONS[token]
        if token in "/!" or token == r"\prime":
            tight = 'lspace="0" rspace="0"' if token == "/" else ""
            return Node(mo(sign, tight), "ordinary", sign, 0.4)
        leading = token in ("+", "-", r"\pm") and before in (None, "relation", "operation", "open", "punctuation")
        # What comes before a sign says which form it has; a browser would go by its place in the row.
        form = 'form="prefix"' if leading else 'form="infix"' if before == "empty" else ""
        said = "-" if token == "-" else sign
        shown = mo(sign, form if token in ("+", "-", r"\pm") else "")
        return Node(shown, "operation", said if leading else f" {said} ", 0.8 if leading else 1.2)
    return None


def with_scripts(base: Node, below: Node | None, above: Node | None) -> Node:
    """A part with what is lowered and raised at it, or stands below and above it."""
    said = base.text
    if below is not None:
        said += f"_{operand(below)}"
    if above is not None:
        said += above.text if set(above.text) == {"'"} else f"^{operand(above)}"
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
    return Node(f"<{name}>{inside(parts)}</{name}>", kind, said, width)


_OPENS = ("open", "fence", "bar", "space", "operation", "relation", "punctuation", "close", "mark")


def spaced(nodes: Sequence[Node]) -> list[Node]:
    """Thin spaces around the name of a function: before an argument without brackets, and behind a factor."""
    thin = Node('<mspace width=".167em"/>', "space", "", 0.167)
    shown: list[Node] = []
    for position, node in enumerate(nodes):
        before = shown[-1].kind if shown else "open"
        if node.kind in ("function", "limit") and before in ("ordinary", "scripted", "digit", "close", "fence"):
            shown.append(thin)
        shown.append(node)
        after = nodes[position + 1].kind if position + 1 < len(nodes) else "close"
        if node.kind in ("function", "limit") and after not in ("close", "operation", "relation", "punctuation"):
            shown.append(Node(mo(APPLY), "mark", " " if after not in _OPENS else ""))
            if after not in _OPENS:
                shown.append(thin)
        if node.kind in ("large", "integral") and after not in _OPENS:
            shown[-1] = replace(node, text=f"{node.text} ")
    return shown
