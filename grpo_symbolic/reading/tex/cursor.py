"""The tokens of one formula, made uniform, and a position among them."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.reading.places import BrokenLatex, Place
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.bars import GIVEN
from grpo_symbolic.reading.tex.tokens import Token

_LEFT = frozenset({r"\left", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl"})
_RIGHT = frozenset({r"\right", r"\bigr", r"\Bigr", r"\biggr", r"\Biggr"})
_DROPPED = frozenset(name for name, arguments in symbols.SILENT.items() if arguments == 0)
_LEFT_FORMS = {"|": r"\lvert", r"\|": r"\lVert", "<": r"\langle"}
_RIGHT_FORMS = {"|": r"\rvert", r"\|": r"\rVert", ">": r"\rangle"}
_COLOURS = frozenset({r"\color", r"\textcolor"})
_ROW_BREAKS = frozenset({r"\cr", r"\newline", r"\tabularnewline"})

#: What remains of ``\\right.``: the end of a brace before an array, otherwise nothing.
NOTHING = r"\right."

#: Tokens that end a sequence of items.
STOPS = symbols.CLOSING | {"}", "&", "\\\\", r"\end"}


def uniform(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with synonyms replaced, and without sizes, thin spaces and ``\\left``, ``\\right``.

    ``\\left|`` becomes ``\\lvert``; ``\\left.`` disappears, since brackets are matched by themselves, and with it the
    brace of its ``\\right`` if that stands on the right of several lines.
    """
    if any(token.text in _COLOURS for token in tokens):
        tokens = _without_colour(tokens)
    result: list[Token] = []
    sizing = ""
    balance = 0
    from_nothing: list[bool] = []  # for every \\left, whether it is \\left.
    gap = False  # something dropped before this token printed a space, so letters around it do not touch
    for token in tokens:
        kind, text, place, spaced = token
        if kind not in ("command", "symbol"):
            result.append(token._replace(spaced=True) if gap else token)
            sizing, gap = "", False
            continue
        text = symbols.SYNONYMS.get(text, text) if text != GIVEN else text
        if text in _DROPPED:
            sizing, gap = text, True
            continue
        if sizing:
            side, sizing = sizing, ""
            if side == r"\left":
                from_nothing.append(text == ".")
            nothing = side == r"\right" and bool(from_nothing) and from_nothing.pop()
            if nothing and not balance and text == r"\}" and _ends_lines(result):
                continue
            if text == "." and side in (r"\left", r"\right"):
                if side == r"\right":
                    result.append(Token("command", NOTHING, place, True))
                continue
            forms = _LEFT_FORMS if side in _LEFT else _RIGHT_FORMS if side in _RIGHT else {}
            text = forms.get(text, text)
        if text in _ROW_BREAKS:
            text = "\\\\"
        balance += (text in symbols.OPENING) - (text in symbols.CLOSING)
        if gap or text is not token.text:
            token = Token("command" if text[0] == "\\" else "symbol", text, place, spaced or gap)
            gap = False
        result.append(token)
    return result


def _ends_lines(tokens: Sequence[Token]) -> bool:
    """Whether the tokens end with the end of an environment."""
    for token in reversed(tokens[-20:]):
        if token.text == r"\end":
            return True
        if token.kind == "command":
            return False
    return False


def _without_colour(tokens: Sequence[Token]) -> list[Token]:
    """Drop the braces of ``{\\color{red} ( x} + y)``, which only limit the colour and may cut a bracket in two.

    The same goes for ``\\textcolor{red}{(} x)``.
    """
    dropped: set[int] = set()
    stack: list[tuple[int, int]] = []
    balance = 0
    named: tuple[int, int] | None = None  # where \textcolor stands, and where the name of its colour ends
    for index, token in enumerate(tokens):
        if token.text == "{":
            stack.append((index, balance))
        elif token.text == "}" and stack:
            start, before = stack.pop()
            if tokens[start + 1].text == r"\color" and balance != before:
                dropped |= {start, index}
            elif tokens[start - 1].text == r"\textcolor":
                named = start - 1, index
            elif named is not None and named[1] == start - 1 and balance != before:
                dropped |= {*range(named[0], start + 1), index}
        elif token.text in symbols.OPENING:
            balance += 1
        elif token.text in symbols.CLOSING:
            balance -= 1
    return [token for index, token in enumerate(tokens) if index not in dropped]


class Cursor:
    """A position among uniform tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = uniform(tokens)
        self.index = 0

    def peek(self) -> Token | None:
        """Return the next token that is no control space, or ``None`` at the end."""
        while self.index < len(self.tokens):
            token = self.tokens[self.index]
            if token.text not in symbols.CONTROL_SPACES:
                return token
            self.index += 1
        return None

    def take(self, text: str) -> bool:
        """Step over the next token if it is ``text``."""
        token = self.peek()
        if token is None or token.text != text:
            return False
        self.index += 1
        return True

    def split_number(self, token: Token) -> None:
        """Cut the first digit off: in ``\\frac12`` and ``x^12``, TeX takes only that as the argument."""
        source, start, end = token.place
        wide = end - start == len(token.text)
        first = Place(source, start, start + 1) if wide else token.place
        rest = Place(source, start + 1, end) if wide else token.place
        kind = "number" if token.text[1] != "." else "symbol"
        pieces = [Token("symbol" if token.text[0] == "." else "number", token.text[0], first, token.spaced)]
        if kind == "symbol":
            pieces.append(Token("symbol", ".", rest))
            pieces.append(Token("number", token.text[2:], rest))
        else:
            pieces.append(Token("number", token.text[1:], rest))
        self.tokens[self.index : self.index + 1] = pieces

    def braced_tokens(self, owner: Token) -> list[Token]:
        """Step over ``{...}`` and return the tokens inside; a single token may stand without braces.

        Raises:
            BrokenLatex: nothing follows ``owner``, or the brace is never closed.
        """
        opening = self.peek()
        if opening is None or opening.text in STOPS:
            raise BrokenLatex(owner.place, f"{owner.text} has no argument")
        self.index += 1
        if opening.text != "{":
            return [opening]
        start, depth = self.index, 1
        while self.index < len(self.tokens):
            text = self.tokens[self.index].text
            depth += (text == "{") - (text == "}")
            self.index += 1
            if depth == 0:
                return self.tokens[start : self.index - 1]
        raise BrokenLatex(opening.place, "{ is never closed")

    def raw_text(self, owner: Token) -> str:
        """Step over ``{...}`` and return the text inside, for labels, tags and names of environments."""
        inside = self.braced_tokens(owner)
        return "".join(" " * token.spaced + token.text for token in inside).strip()
