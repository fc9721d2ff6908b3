r"""What holds where in a LaTeX text: macros within groups, and the branches of ``\if...\else...\fi``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grpo_symbolic.reading.tex.macros import DEFINING, Macro, read_definition
from grpo_symbolic.reading.tex.symbols import words

_NAME_ENDS = r"(?![A-Za-z@])"
#: A command that begins, divides or ends a branch; ``\iff`` does not.
BRANCH = rf"\\(?:if(?!f{_NAME_ENDS})[A-Za-z@]*|else{_NAME_ENDS}|fi{_NAME_ENDS})"
_BRANCHES = re.compile(rf"%[^\n]*|\\newif\s*\\if[A-Za-z@]*|(?P<branch>{BRANCH})|\\(?s:.)")
#: Commands that begin with ``\if`` and take arguments instead of a ``\fi``.
_WITH_ARGUMENTS = words(
    r"\ifthenelse \ifdef \ifundef \ifbool \iftoggle \ifblank \ifstrempty \ifstrequal \ifcsdef \ifnumcomp \ifnumequal"
    r" \ifdefempty \ifdefstring \ifempty \ifnotblank \ifdefvoid \ifboolexpr"
)
_GLOBAL = re.compile(r"\\[gx]def\Z|\\global\s*(?:\\(?:long|protected|outer)\s*)*\\[A-Za-z]+\Z")


class Scopes:
    """The macros that hold at a position of the text; ``macros`` is never changed, only replaced."""

    def __init__(self) -> None:
        self.macros: Mapping[str, Macro] = {}
        self._outer: list[tuple[str, Mapping[str, Macro], int]] = []  # with how many macros were global then
        self._global: list[Macro] = []
        self._restored: tuple[Mapping[str, Macro], int, Mapping[str, Macro]] | None = None
        self._switches: dict[str, bool] = {}
        self._taken: list[bool] = []  # for every branch that is being read, whether the other one is to be skipped

    def begin(self, group: str) -> None:
        """Enter a group: ``{``, or an environment by its name."""
        self._outer.append((group, self.macros, len(self._global)))

    def end(self, group: str) -> None:
        """Leave a group; what was defined in it is forgotten. A group that was not entered is passed over."""
        if group == "{" and self._outer and self._outer[-1][0] == "{":
            self._restore()
        elif group != "{" and any(entered[0] == group for entered in reversed(self._outer)):
            while self._outer[-1][0] != group:
                self._outer.pop()
            self._restore()

    def _restore(self) -> None:
        _, macros, count = self._outer.pop()
        if len(self._global) == count:
            self.macros = macros
            return
        known = self._restored
        if known is None or known[0] is not macros or known[1] != len(self._global):
            later = {macro.name: macro for macro in self._global[count:]}
            known = self._restored = macros, len(self._global), {**macros, **later}
        self.macros = known[2]

    def define(self, macro: Macro, before: str) -> None:
        """Add a macro, in all groups if it is global, which its command says, or what stands ``before`` its end."""
        self.macros = {**self.macros, macro.name: macro}
        if _GLOBAL.search(before):
            self._global.append(macro)

    def call(self, name: str) -> None:
        """Make the definitions that a macro in the text makes; where it has parameters, nobody knows them."""
        macro = self.macros.get(name)
        if macro is None or not any(token.text in DEFINING for token in macro.body):
            return
        body = list(macro.body)
        for index, token in enumerate(body):
            if token.text not in DEFINING:
                continue
            made, _ = read_definition(body, index, self.macros)
            if made is not None and not macro.parameters:
                self.define(made, token.text if token.text in (r"\gdef", r"\xdef") else "")
            elif made is not None:
                self.macros = {known: one for known, one in self.macros.items() if known != made.name}

    # Branches.

    def switch(self, name: str) -> None:
        r"""Take up ``\newif\ifdraft``, or ``\drafttrue`` and ``\draftfalse`` of a switch that is known."""
        if name.startswith(r"\if"):
            self._switches[name] = False
            return
        for end in ("true", "false"):
            switch = rf"\if{name[1:].removesuffix(end)}"
            if name.endswith(end) and switch in self._switches:
                self._switches[switch] = end == "true"

    def branch(self, name: str, text: str, position: int) -> int:
        """Go on from a command of a branch that ends at ``position``; return where the text is read on."""
        if name == r"\else":
            return self._skip(text, position, last=True) if self._taken and self._taken[-1] else position
        if name == r"\fi":
            if self._taken:
                self._taken.pop()
            return position
        holds = self._value(name)
        if holds is False:
            return self._skip(text, position, last=False)
        if name not in _WITH_ARGUMENTS:
            self._taken.append(holds is True)
        return position

    def _value(self, name: str) -> bool | None:
        macro = self.macros.get(name)
        plain = macro.body[0].text if macro is not None and len(macro.body) == 1 else name
        return {r"\iftrue": True, r"\iffalse": False}.get(plain, self._switches.get(name))

    def _skip(self, text: str, start: int, *, last: bool) -> int:
        r"""Skip a branch that is not taken, to behind its ``\fi`` or, if it is not the ``last``, its ``\else``."""
        depth = 0
        for match in _BRANCHES.finditer(text, start):
            name = match["branch"]
            if name is None or name in _WITH_ARGUMENTS:
                continue
            if name not in (r"\else", r"\fi"):
                depth += 1
            elif depth and name == r"\fi":
                depth -= 1
            elif not depth and (name == r"\fi" or not last):
                if last:
                    self._taken.pop()
                elif name == r"\else":
                    self._taken.append(False)
                return match.end()
        return len(text)
