"""An author's own commands, ``\\newcommand`` and the like, expanded token by token within limits.

Tokens of a body point at the place of the call; tokens of an argument keep their own place, so that an
error inside ``\\KL{p}{q}`` is shown where ``p`` stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grpo_symbolic.reading.places import BrokenLatex, TooLarge
from grpo_symbolic.reading.tex.symbols import STANDARD
from grpo_symbolic.reading.tex.tokens import Token, is_digits

#: Most macro calls that are expanded in one formula, most tokens that they may leave, and most that they may put in.
MAX_CALLS = 10_000
MAX_EXPANDED = 100_000
MAX_COPIED = 1_000_000
#: Most tokens in the body of a command that is expanded when it is defined.
MAX_BODY = 500

_NEW = frozenset({r"\newcommand", r"\renewcommand", r"\providecommand", r"\DeclareRobustCommand"})
_OPERATOR = r"\DeclareMathOperator"
_PAIRED = r"\DeclarePairedDelimiter"
#: Commands that define commands.
DEFINING = _NEW | {r"\def", r"\gdef", r"\edef", r"\xdef", r"\let", _OPERATOR, _PAIRED, r"\NewDocumentCommand"}


@dataclass(frozen=True)
class Macro:
    """A command with its number of parameters, the default of an optional first one, and its body.

    A ``final`` body is what ``\\let`` copied from a command of LaTeX; it is not expanded again. A ``starred``
    command may be called with a star that changes nothing but the size of brackets.
    """

    name: str
    parameters: int
    body: tuple[Token, ...] = field(repr=False)
    default: tuple[Token, ...] | None = None
    final: bool = False
    starred: bool = False


class _Reader:
    """A position among tokens, with the few ways in which definitions and calls take arguments."""

    def __init__(self, tokens: list[Token], index: int, call: Token) -> None:
        self.tokens, self.index, self.call = tokens, index, call

    def at(self, text: str) -> bool:
        return self.index < len(self.tokens) and self.tokens[self.index].text == text

    def skip(self, text: str) -> bool:
        found = self.at(text)
        self.index += found
        return found

    def argument(self) -> tuple[Token, ...]:
        """Take one token or a group without its braces."""
        if self.index >= len(self.tokens) or self.at("}"):
            raise BrokenLatex(self.call.place, f"{self.call.text} needs another argument")
        first = self.tokens[self.index]
        if first.text == "{":
            return self.enclosed("{", "}")
        if first.kind == "number" and len(first.text) > 1:  # TeX takes only one digit
            rest = first._replace(text=first.text[1:], spaced=False)
            first = first._replace(kind="symbol" if first.text[0] == "." else "number", text=first.text[0])
            self.tokens[self.index : self.index + 1] = [first, rest]
        self.index += 1
        return (first,)

    def option(self) -> tuple[Token, ...] | None:
        return self.enclosed("[", "]") if self.at("[") else None

    def enclosed(self, opening: str, closing: str) -> tuple[Token, ...]:
        start, braces = self.index, 0
        while self.index < len(self.tokens):
            text = self.tokens[self.index].text
            self.index += 1
            if text == closing and braces == (closing == "}"):
                return tuple(self.tokens[start + 1 : self.index - 1])
            braces += (text == "{") - (text == "}")
        raise BrokenLatex(self.tokens[start].place, f"this {opening} is never closed")


def read_definition(tokens: list[Token], index: int, known: Mapping[str, Macro]) -> tuple[Macro | None, int]:
    """Read the definition whose command stands at ``index``; return the macro and where the text goes on.

    A definition of a kind that we do not expand, such as ``\\def`` with delimited parameters, gives ``None``.

    Raises:
        BrokenLatex: the definition is cut short.
    """
    command = tokens[index]
    reader = _Reader(tokens, index + 1, command)
    reader.skip("*")
    if command.text == r"\let":
        return _read_let(reader, known)
    if command.text in (r"\def", r"\gdef", r"\edef", r"\xdef"):
        macro, index = _read_def(reader)
        if macro is not None and command.text in (r"\edef", r"\xdef"):
            macro = replace(macro, body=tuple(expand(macro.body, known)))  # what its body means is settled now
            if len(macro.body) > MAX_BODY:
                raise TooLarge(command.place, f"{macro.name} expands to more than {MAX_BODY} tokens")
        return macro, index
    named = reader.argument()
    name = named[0].text if len(named) == 1 else ""
    if command.text == _OPERATOR:
        word = (Token("command", r"\operatorname", command.place), Token("symbol", "{", command.place))
        macro = Macro(name, 0, (*word, *reader.argument(), Token("symbol", "}", command.place)))
    elif command.text == _PAIRED:
        macro = Macro(
            name, 2, (*reader.argument(), Token("parameter", "#2", command.place), *reader.argument()), (), starred=True
        )
    elif command.text in _NEW:
        count = "".join(token.text for token in reader.option() or ()) or "0"
        default = reader.option()
        macro = Macro(name, int(count) if is_digits(count) and len(count) == 1 else -1, reader.argument(), default)
    else:
        specification = [token.text for token in reader.argument()]
        macro = Macro(name, len(specification) if set(specification) <= {"m"} else -1, reader.argument())
    if command.text == r"\providecommand" and (name in known or name in STANDARD):
        return None, reader.index
    return (macro if name.startswith("\\") and 0 <= macro.parameters <= 9 else None), reader.index


def _read_let(reader: _Reader, known: Mapping[str, Macro]) -> tuple[Macro | None, int]:
    if reader.index + 1 >= len(reader.tokens):
        raise BrokenLatex(reader.call.place, r"\let needs two commands")
    name = reader.argument()[0].text
    reader.skip("=")
    (copied,) = reader.argument()[:1] or (reader.call,)
    old = known.get(copied.text)
    if not name.startswith("\\"):
        return None, reader.index
    if old is not None:
        return Macro(name, old.parameters, old.body, old.default, old.final), reader.index
    return Macro(name, 0, (copied,), final=True), reader.index


def _read_def(reader: _Reader) -> tuple[Macro | None, int]:
    if reader.index >= len(reader.tokens):
        raise BrokenLatex(reader.call.place, f"{reader.call.text} needs a command")
    name = reader.tokens[reader.index].text
    reader.index += 1
    parameters: list[str] = []
    while reader.index < len(reader.tokens) and not reader.at("{"):
        parameters.append(reader.tokens[reader.index].text)
        reader.index += 1
    body = reader.argument()
    plain = parameters == [f"#{number}" for number in range(1, len(parameters) + 1)]
    return (Macro(name, len(parameters), body) if plain and name.startswith("\\") else None), reader.index


def expand(tokens: Sequence[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """Return the tokens with every known macro call replaced by its body.

    Raises:
        BrokenLatex: a call lacks an argument.
        TooLarge: there are more than ``MAX_CALLS`` calls, as in a macro that calls itself, more than
            ``MAX_EXPANDED`` tokens come out, or more than ``MAX_COPIED`` are put in on the way.
    """
    if not any(token.text in macros for token in tokens if token.kind == "command"):
        return list(tokens)
    result: list[Token] = []
    pending = list(reversed(tokens))
    calls = copied = 0
    while pending:
        token = pending.pop()
        macro = macros.get(token.text) if token.kind == "command" else None
        if macro is None:
            result.append(token)
        else:
            calls += 1
            body = _call(macro, token, pending)
            copied += len(body)
            if macro.final:
                result.extend(body)
            else:
                pending.extend(reversed(body))
        if calls > MAX_CALLS or copied > MAX_COPIED or len(result) + len(pending) > MAX_EXPANDED + len(tokens):
            raise TooLarge(token.place, f"{token.text} expands to too much; does it call itself?")
    return result


def _call(macro: Macro, call: Token, pending: list[Token]) -> list[Token]:
    """Take the arguments of a call off ``pending``, which is reversed, and return the body with them put in."""
    arguments = _arguments(macro, call, pending) if macro.parameters else []
    body: list[Token] = []
    for token in macro.body:
        number = int(token.text[-1]) if token.kind == "parameter" and token.text[:-1] == "#" else 0
        if 0 < number <= len(arguments):
            body.extend(arguments[number - 1])
        else:
            body.append(Token(token.kind, token.text, call.place, token.spaced))
    if body:
        body[0] = body[0]._replace(spaced=call.spaced)
    return body


def _arguments(macro: Macro, call: Token, pending: list[Token]) -> list[tuple[Token, ...]]:
    """Take arguments off the end of ``pending``: from its last tokens if those suffice, since copying all is slow."""
    for size in (200, 5_000, len(pending)):
        window = pending[: -size - 1 : -1]
        taken = len(window)
        reader = _Reader(window, 0, call)
        arguments: list[tuple[Token, ...]] = []
        try:
            if macro.starred:
                reader.skip("*")
            if macro.default is not None:
                option = reader.option()
                # What stands for a missing argument has no place in the call, other than that of the call.
                default = tuple(token._replace(place=call.place) for token in macro.default)
                arguments.append(default if option is None else option)
            while len(arguments) < macro.parameters:
                arguments.append(reader.argument())
        except BrokenLatex:
            if size >= len(pending):
                raise
            continue
        pending[len(pending) - taken :] = reversed(window[reader.index :])
        break
    return arguments
