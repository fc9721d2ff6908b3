"""The reader of TeX's own structure: groups, rows and letters that touch; it refuses what is unbalanced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from grpo_symbolic.reading.places import BrokenLatex, NotRead, Place, TooLarge
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.bars import GIVEN, join_signs, resolve_bars
from grpo_symbolic.reading.tex.cursor import NOTHING, STOPS, Cursor
from grpo_symbolic.reading.tex.numbers import join_thousands, refuse_commas
from grpo_symbolic.reading.tex.prose import is_prose, lost_backslash
from grpo_symbolic.reading.tex.tokens import Token
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Environment,
    Group,
    Hole,
    Name,
    Node,
    Nodes,
    Number,
    Row,
    Scripted,
    Space,
    Words,
    place_of,
)

#: Deepest nesting of brackets, arguments and environments; TeX itself gives up at 255 groups.
MAX_NESTING = 60

_BARS = frozenset({"|", r"\|", GIVEN})
_JOINED = frozenset({":", ".", "!", GIVEN})


#: Reads a command that was just stepped over, given the nodes before it, and returns its nodes.
Handler: TypeAlias = "Callable[[Builder, Token, list[Node]], Sequence[Node]]"


@dataclass(frozen=True)
class Forms:
    """How to read what has a syntax of its own.

    ``bracket`` reads the rest of a bracket, ``script`` attaches a subscript, superscript or prime to the last of the
    nodes, and ``commands`` has a handler for every command that is no plain sign.
    """

    bracket: Callable[[Builder, Token, list[Node]], Node]
    script: Callable[[Builder, list[Node], Token], None]
    commands: Mapping[str, Handler]


class Builder(Cursor):
    """Reads items until something closes; ``forms`` says how to read what has a syntax of its own.

    ``flowing`` says whether a bracket may go over a line break, as it may in ``aligned`` but not in ``cases``.
    """

    def __init__(self, tokens: Sequence[Token], forms: Forms, *, holes: bool = False) -> None:
        super().__init__(tokens)
        self.forms = forms
        self.holes = holes
        self.flowing = True
        self.depth = 0
        self.innermost = ""
        self.over = -1  # the depth at which the denominator of \over is read
        self.label: str | None = None
        self.tag: str | None = None

    def rows(self, place: Place) -> tuple[Row, ...]:
        """Read rows of cells up to ``\\end``, something unbalanced or the end of the formula."""
        outer, self.label, self.tag = (self.label, self.tag), None, None
        rows: list[Row] = []
        cells: list[Nodes] = []
        while True:
            cells.append(tuple(self.finished(self.items(), top=True)))
            token = self.peek()
            if token is not None and token.text == "&":
                self.index += 1
                continue
            joined = tuple(node for cell in cells for node in cell)
            row = Row(tuple(cells), place_of(joined) if joined else place, self.label, self.tag)
            if joined or self.label or self.tag:
                rows.append(row)
            cells, self.label, self.tag = [], None, None
            if token is None or token.text != "\\\\":
                break
            self.index += 1
            place = token.place
            self._line_break_option()
        self.label, self.tag = outer
        return tuple(rows) or (Row(((),), place),)

    def block(self, opening: Token, *, flowing: bool) -> tuple[Row, ...]:
        """Read the rows of an environment that ``opening`` began, up to what closes it."""
        self.enter(opening)
        outer, self.flowing, self.innermost = (self.flowing, self.innermost), flowing, ""
        rows = self.rows(opening.place)
        self.flowing, self.innermost = outer
        self.depth -= 1
        return rows

    def formula(self, tokens: Sequence[Token]) -> Nodes:
        """Read a formula of its own, which prose inside this one holds."""
        if not tokens:
            return ()
        inner = Builder(tokens, self.forms, holes=self.holes)
        inner.depth = self.depth
        inner.enter(tokens[0])
        nodes = inner.finished(inner.items())
        rest = inner.peek()
        if rest is not None:
            inner.refuse(rest)
        return tuple(nodes)

    def _line_break_option(self) -> None:
        """Step over the ``*`` and the ``[2pt]`` that may follow ``\\\\``."""
        self.take("*")
        token = self.peek()
        if token is None or token.text != "[" or token.spaced:
            return
        close = next((at for at in range(self.index, len(self.tokens)) if self.tokens[at].text == "]"), self.index)
        inside = "".join(token.text for token in self.tokens[self.index + 1 : close])
        if inside[-2:] in ("pt", "em", "ex", "mm", "cm", "in", "mu") and set(inside[:-2]) <= set("-.0123456789"):
            self.index = close + 1

    def items(self, *, inside: bool = False) -> list[Node]:
        """Read nodes up to a token that closes something; ``inside`` a bracket, line breaks may be dropped."""
        nodes: list[Node] = []
        tokens = self.tokens
        while self.index < len(tokens):
            token = tokens[self.index]
            text = token.text
            if text in STOPS:
                if inside and self.flowing and text in ("&", "\\\\"):
                    self.index += 1
                elif text in (r"\rvert", r"\rVert") and self.innermost not in (r"\lvert", r"\lVert"):
                    self.index += 1
                    nodes.append(Atom("|" if text == r"\rvert" else r"\|", token.place))
                else:
                    break
            elif token.kind == "letter":
                self._letters(nodes, token)
            elif text == NOTHING:
                if self.innermost == r"\{" and len(nodes) == 1 and isinstance(nodes[0], Environment):
                    break
                self.index += 1
            elif text in ("_", "^", "'"):
                self.forms.script(self, nodes, token)
            else:
                self.index += 1
                self._node(nodes, token)
        return nodes

    def _node(self, nodes: list[Node], token: Token) -> None:
        """Add the nodes of a token that was just stepped over."""
        text, kind = token.text, token.kind
        if kind == "number":
            nodes.append(Number(text, token.place))
        elif text in symbols.CONTROL_SPACES:
            pass
        elif text == "{":
            self._braces(nodes, token)
        elif text in symbols.OPENING:
            nodes.append(self.forms.bracket(self, token, nodes))
        elif text in self.forms.commands:
            nodes.extend(self.forms.commands[text](self, token, nodes))
        elif text in symbols.WIDE_SPACES:
            nodes.append(Space(token.place))
        elif kind == "hole" and self.holes:
            nodes.append(Hole(text[1:], token.place))
        elif text in ("$", "#") or kind in ("hole", "parameter"):
            raise BrokenLatex(token.place, f"a {text} inside a formula")
        else:
            nodes.append(Atom(text, token.place))

    def _letters(self, nodes: list[Node], first: Token) -> None:
        """Read letters that touch: single variables, unless they are prose or a command without its backslash."""
        tokens = self.tokens
        start = self.index
        self.index += 1
        while self.index < len(tokens) and tokens[self.index].kind == "letter" and not tokens[self.index].spaced:
            self.index += 1
        following = tokens[self.index] if self.index < len(tokens) else None
        if self.index == start + 1:
            nodes.append(Atom(first.text, first.place))
            return
        letters = tokens[start : self.index]
        run = "".join(token.text for token in letters)
        place = first.place.to(letters[-1].place)
        command = lost_backslash(run, following)
        if command is not None:
            raise NotRead(place, f"{run} looks like {command} with its backslash lost", "ambiguous")
        neighbours = (tokens[start - 1].text if start else "", following.text if following else "")
        if is_prose(run) and any(text in symbols.CONTROL_SPACES for text in neighbours):
            last = nodes[-1] if nodes else None
            if isinstance(last, Words):
                nodes[-1] = Words(f"{last.text} {run}", last.place.to(place))
            else:
                nodes.append(Words(run, place))
        else:
            nodes.extend(Atom(token.text, token.place) for token in letters)

    def argument(self, owner: Token) -> Nodes:
        """Read what TeX takes as the argument of ``owner``: a group in braces, or one token.

        Raises:
            BrokenLatex: nothing follows that can be an argument.
        """
        token = self.peek()
        if token is None or token.text in STOPS - symbols.CLOSING or token.text in ("_", "^", "'"):
            raise BrokenLatex(owner.place, f"{owner.text} has no argument")
        if token.text in symbols.OPENING or token.text in symbols.CLOSING:
            raise NotRead(token.place, f"TeX takes only this {token.text} as the argument of {owner.text}")
        if token.text == "{":
            self.index += 1
            return self.braced(token)
        if token.kind == "number" and len(token.text) > 1:
            self.split_number(token)
            token = self.tokens[self.index]
        self.index += 1
        nodes: list[Node] = []
        self.enter(token)
        self._node(nodes, token)
        self.depth -= 1
        return tuple(nodes)

    def enter(self, token: Token) -> None:
        """Go one level deeper.

        Raises:
            TooLarge: deeper than ``MAX_NESTING``.
        """
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise TooLarge(token.place, f"nested deeper than {MAX_NESTING} levels")

    def braced(self, opening: Token) -> Nodes:
        """Read the rest of ``{...}``.

        Raises:
            BrokenLatex: it is never closed, or something else is closed first.
        """
        self.enter(opening)
        flowing, self.flowing = self.flowing, False
        innermost, self.innermost = self.innermost, "{"
        nodes = self.finished(self.items())
        closing = self.peek()
        if closing is None or closing.text != "}":
            self.unclosed(opening, closing)
        self.index += 1
        self.flowing, self.innermost = flowing, innermost
        self.depth -= 1
        return tuple(nodes)

    def _braces(self, nodes: list[Node], opening: Token) -> None:
        inner = self.braced(opening)
        single = inner[0] if len(inner) == 1 else None
        if isinstance(single, Name | Words) or (isinstance(single, Atom) and single.text in symbols.RELATIONS | {":"}):
            nodes.append(single)
        else:
            nodes.append(Group("{", "}", inner, opening.place.to(self.tokens[self.index - 1].place)))

    def unclosed(self, opening: Token, found: Token | None) -> NoReturn:
        """Refuse an opening bracket that is not closed, or a closing one that a brace does not hold."""
        if found is not None and found.text in (symbols.CLOSING | {"}"}) and self.innermost == "{":
            reason = f"{found.text} has no partner inside the {{ of {opening.place.line}:{opening.place.column}"
            raise NotRead(found.place, reason, "unbalanced")
        if opening.text != "{":  # TeX asks no partner for the brackets that it prints
            raise NotRead(opening.place, f"this {opening.text} is never closed", "unbalanced")
        raise BrokenLatex(opening.place, f"this {opening.text} is never closed")

    def refuse(self, token: Token) -> NoReturn:
        """Refuse a token that closes what was never opened."""
        reason = f"this {token.text} has no partner"
        if token.text in symbols.CLOSING:
            raise NotRead(token.place, reason, "unbalanced")
        raise BrokenLatex(token.place, reason)

    def finished(self, nodes: list[Node], *, top: bool = False) -> list[Node]:
        """Put signs and bars together and drop what prints nothing."""
        drop = (Group,) if top else (Group, Space)
        if any(isinstance(node, drop) for node in nodes):
            nodes = [
                node
                for node in nodes
                if not (isinstance(node, Space) and not top)
                and not (isinstance(node, Group) and node.open == "{" and not node.items)
            ]
        if any(isinstance(node, Number) for node in nodes):
            nodes = join_thousands(nodes)
            refuse_commas(nodes)
        signs = {node.text for node in nodes if isinstance(node, Atom)}
        if signs & _JOINED:
            nodes = join_signs(nodes)
        if signs & _BARS or any(
            isinstance(node, Scripted) and isinstance(node.base, Atom) and node.base.text in _BARS for node in nodes
        ):
            nodes = resolve_bars(nodes)
        return nodes
