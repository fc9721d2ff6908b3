"""Commands with a syntax of their own: fractions, roots, fonts, text, labels, environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grpo_symbolic.reading.places import BrokenLatex, NotRead
from grpo_symbolic.reading.tex import symbols
from grpo_symbolic.reading.tex.builder import Builder, Handler
from grpo_symbolic.reading.tex.prose import font_name, text_nodes
from grpo_symbolic.reading.tex.tokens import Token
from grpo_symbolic.reading.tex.tree import Atom, Command, Environment, Name, Node, Scripted, Space, Words


def _with_arguments(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    option = None
    if (
        token.text in (r"\sqrt", r"\xrightarrow", r"\xleftarrow")
        and (opening := builder.peek())
        and opening.text == "["
    ):
        builder.index += 1
        builder.enter(opening)
        option = tuple(builder.finished(builder.items()))
        if not builder.take("]"):
            never = "this [ is never closed"
            raise BrokenLatex(opening.place, never) if builder.peek() is None else NotRead(opening.place, never)
        builder.depth -= 1
    arguments = tuple(builder.argument(token) for _ in range(symbols.ARGUMENTS[token.text]))
    place = token.place.to(builder.tokens[builder.index - 1].place)
    if token.text == r"\not" and len(arguments[0]) == 1 and isinstance(arguments[0][0], Atom):
        negated = symbols.NEGATED.get(arguments[0][0].text)
        if negated is not None:
            return [Atom(negated, place)]
    if token.text == r"\underset" and len(arguments[1]) == 1 and not isinstance(arguments[1][0], Scripted):
        return [Scripted(arguments[1][0], arguments[0], None, 0, place)]
    return [Command(token.text, arguments, place, option)]


def _over(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    """Read the rest of ``{a \\over b}``; what stands before it in the group is the numerator."""
    numerator = tuple(builder.finished(list(before)))
    before.clear()
    if builder.over == builder.depth:
        raise BrokenLatex(token.place, f"a second {token.text} in the same group")
    builder.enter(token)
    outer, builder.over = builder.over, builder.depth
    denominator = tuple(builder.finished(builder.items()))
    builder.over = outer
    builder.depth -= 1
    if not numerator or not denominator:
        raise NotRead(token.place, f"{token.text} needs something on both sides", "meaningless")
    name = r"\frac" if token.text == r"\over" else r"\binom"
    return [Command(name, (numerator, denominator), token.place)]


def _font(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    builder.take("*")
    font = symbols.FONTS[token.text]
    start = builder.index
    inside = builder.braced_tokens(token)
    place = token.place.to(builder.tokens[builder.index - 1].place)
    if len(inside) == 1 and inside[0].kind == "number" and builder.tokens[builder.index - 1] is inside[0]:
        builder.index = start
        digit = builder.argument(token)
        return digit if font == "upright" else [Name(builder.tokens[start].text, font, place)]
    name = font_name(inside, font, place, prose=token.text != r"\operatorname")
    if name is not None:
        return [name]
    builder.index = start
    return [Command(token.text, (builder.argument(token),), place)]


def _font_switch(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    """Read ``\\rm ref``: the letters that follow are a name, and the rest of the group is as usual."""
    start = builder.index
    builder.peek()
    while builder.index < len(builder.tokens) and builder.tokens[builder.index].kind in ("letter", "number"):
        builder.index += 1
    letters = builder.tokens[start : builder.index]
    name = font_name(letters, symbols.FONTS[token.text], letters[0].place.to(letters[-1].place)) if letters else None
    return [] if name is None else [name]


def _text(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    inside = builder.braced_tokens(token)
    place = token.place.to(builder.tokens[builder.index - 1].place)
    nodes = text_nodes(inside, place, builder.formula)
    if token.text in (r"\intertext", r"\shortintertext"):
        return [Space(place), *nodes, Space(place)]
    return nodes


def _transparent(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    return builder.argument(token)


def _coloured(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    builder.raw_text(token)
    return builder.argument(token)


def _silent(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    builder.take("*")
    for _ in range(symbols.SILENT[token.text]):
        builder.braced_tokens(token)
    return []


def _label(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    builder.label = builder.raw_text(token)
    return []


def _tag(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    builder.take("*")
    builder.tag = builder.raw_text(token)
    return []


def _reference(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    return [Words(f"({builder.raw_text(token)})", token.place.to(builder.tokens[builder.index - 1].place))]


def _substack(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    opening = builder.peek()
    if opening is None or opening.text != "{":
        raise BrokenLatex(token.place, f"{token.text} has no argument")
    builder.index += 1
    rows = builder.block(opening, flowing=False)
    if not builder.take("}"):
        raise BrokenLatex(opening.place, "this { is never closed")
    return [
        Command(token.text, tuple(row.items for row in rows), token.place.to(builder.tokens[builder.index - 1].place))
    ]


def _begin(builder: Builder, token: Token, before: list[Node]) -> Sequence[Node]:
    name = builder.raw_text(token)
    plain = name.rstrip("*")
    if (option := builder.peek()) and option.text == "[" and plain in _PLACED:
        while builder.index < len(builder.tokens) and not builder.take("]"):
            builder.index += 1
    if plain in _WITH_COLUMNS:
        builder.braced_tokens(token)
    rows = builder.block(token, flowing=plain in symbols.LINES and plain != "array")
    end = builder.peek()
    if end is not None and end.text in symbols.CLOSING:
        raise NotRead(end.place, _unended(name, end), "unbalanced")
    if end is None or end.text != r"\end":
        raise BrokenLatex(end.place if end else token.place, _unended(name, end))
    builder.index += 1
    ended = builder.raw_text(end)
    if ended != name:
        raise BrokenLatex(
            end.place, rf"\end{{{ended}}} closes \begin{{{name}}} of {token.place.line}:{token.place.column}"
        )
    return [Environment(name, rows, token.place.to(builder.tokens[builder.index - 1].place))]


def _unended(name: str, found: Token | None) -> str:
    return rf"\begin{{{name}}} is never ended" if found is None else f"this {found.text} has no partner in {name}"


_PLACED = frozenset({"aligned", "alignedat", "gathered", "split", "array", "multlined"})
_WITH_COLUMNS = frozenset({"array", "alignat", "alignedat", "tabular"})

_KINDS: Mapping[Handler, frozenset[str] | Mapping[str, object]] = {
    _with_arguments: symbols.ARGUMENTS,
    _over: frozenset({r"\over", r"\choose"}),
    _font: frozenset(symbols.FONTS) - symbols.FONT_SWITCHES,
    _font_switch: symbols.FONT_SWITCHES,
    _text: symbols.TEXT,
    _transparent: symbols.TRANSPARENT,
    _coloured: frozenset({r"\textcolor", r"\colorbox"}),
    _silent: {name: count for name, count in symbols.SILENT.items() if count},
    _label: frozenset({r"\label"}),
    _tag: frozenset({r"\tag"}),
    _reference: symbols.REFERENCES,
    _substack: frozenset({r"\substack"}),
    _begin: frozenset({r"\begin"}),
}

#: How to read each command: the handler is called after the command was stepped over, with the nodes before it.
HANDLERS: Mapping[str, Handler] = {name: handler for handler, names in _KINDS.items() for name in names}
