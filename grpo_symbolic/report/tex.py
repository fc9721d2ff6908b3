"""Text for a LaTeX page: what is escaped, what is kept, and templates that refuse anything else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jinja2

from grpo_symbolic.errors import ReportError
from grpo_symbolic.translate.latex import Tex

__all__ = ["Link", "Tex", "code", "environment", "escape", "paragraphs", "source"]

#: What is set in the place of a name, or None if the name means nothing here.
Link = Callable[[str], Tex | None]

_PARTS = re.compile(
    r"(?<!\\)\$\$(?P<display>[^$]+)\$\$|(?P<maths>(?<!\\)\$[^$]+\$)|``?(?P<code>[^`]+)``?|(?<![\w*])\*(?P<emphasis>\w[^*$`]*)(?<!\s)\*(?![\w*])"
)
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9]+(?:[.-][a-z0-9]+)*")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "—": "---",
    "–": "--",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u00a0": "~",
    "§": r"\S{}",
    "°": r"\textdegree{}",
}
_MATHS = {
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "×": r"\times",
    "·": r"\cdot",
    "±": r"\pm",
    "−": "-",
    "∞": r"\infty",
    "→": r"\to",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "⇒": r"\Rightarrow",
    "⇔": r"\Leftrightarrow",
    "↦": r"\mapsto",
    "∈": r"\in",
    "∂": r"\partial",
    "∇": r"\nabla",
    "∑": r"\sum",
    "∫": r"\int",
    "Σ": r"\Sigma",
    "√": r"\surd",
    **{sign: f"{{}}^{{{digit}}}" for sign, digit in zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True)},
    "½": r"\tfrac12",
    "∀": r"\forall",
    "∃": r"\exists",
    "′": "{}'",
}
# The final form of sigma and the variants have Unicode names of their own; the plain letters suffice here.
_GREEK_NAME = re.compile(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)")
_GREEK_AS_LATIN = {"omicron": "o", "Alpha": "A", "Beta": "B", "Epsilon": "E", "Eta": "H", "Chi": "X", "Rho": "P"}
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BREAKABLE = re.compile(r"([.\-/:]|\\_)(?=.)")


def escape(text: str, link: Link | None = None) -> Tex:
    """Turn prose into LaTeX: ``$...$`` and ``$$...$$`` stay mathematics, backticks give typewriter, ``*...*`` emphasis.

    ``link`` is asked about everything that looks like the id of a claim, and about what stands in backticks.
    A character that the standard fonts lack is shown by its code point, never dropped.
    """
    parts, end = [], 0
    for match in _PARTS.finditer(text):
        parts.append(_named(text[end : match.start()], link))
        if match["code"] is not None:
            parts.append((link(match["code"]) if link else None) or code(match["code"]))
        elif match["display"] is not None:
            shown = match["display"]
            parts.append(rf"\grpodisplay{{\grpofit{{{_maths(shown)}}}}}" if _balanced(shown) else _plain(match[0]))
        elif match["emphasis"] is not None:
            parts.append(rf"\emph{{{_named(match['emphasis'], link)}}}")
        else:
            parts.append(_maths(match["maths"]))
        end = match.end()
    parts.append(_named(text[end:], link))
    return Tex("".join(parts))


def _named(text: str, link: Link | None) -> str:
    """Prose in which names that ``link`` knows are set as it says."""
    if link is None:
        return _plain(text)
    text = re.sub(r"\\_", "_", text)  # authors escape these by habit
    parts, end = [], 0
    for match in _NAME.finditer(text):
        shown = link(match[0])
        if shown is not None:
            parts += [_plain(text[end : match.start()]), shown]
            end = match.end()
    return "".join([*parts, _plain(text[end:])])


def paragraphs(text: str, link: Link | None = None) -> tuple[Tex, ...]:
    """The paragraphs of prose, separated by blank lines, each escaped and on one line."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return tuple(escape(" ".join(block.split()), link) for block in blocks if block.strip())


def code(text: str) -> Tex:
    """Typewriter text, such as an id, that may break after dots, hyphens and underscores."""
    shown = " ".join(text.split()).translate(_SHOWN)
    return Tex(rf"\texttt{{{_BREAKABLE.sub(chr(92) + r'g<1>' + chr(92) * 2 + 'allowbreak{}', shown)}}}")


def source(line: str) -> Tex:
    """A line of a program, in typewriter by whoever prints it, that may break after operators and commas."""
    # Typewriter has these letters in every encoding; their names for other fonts would fetch them from elsewhere.
    letters = (letter if letter in '<>"' else _character(letter) for letter in line)
    return Tex(re.sub(r"(?<=[*/,(])(?=[^)])", lambda _: r"\allowbreak{}", "".join(letters)))


def _maths(text: str) -> str:
    if _balanced(text):
        return "".join(letter if letter.isascii() else _in_maths(letter) for letter in text)
    return _plain(text)


def _balanced(text: str) -> bool:
    depth = 0
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0


def _plain(text: str) -> str:
    text = re.sub(r"\\([_%&#$])", r"\1", text)  # authors escape these by habit
    text = re.sub(r'(?<![^\s(\[])"(?=\S)', "“", text).replace('"', "”")
    return text.translate(_SHOWN)


def _character(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter.isascii():
        return letter if letter.isprintable() or letter.isspace() else ""
    symbol = _symbol(letter)
    if symbol is not None:
        return f"${symbol}$"
    # What the T1 encoding has, which covers the accented letters of European names.
    if letter <= "\u017f":
        return letter
    return f"[U+{ord(letter):04X}]"


class _Shown(dict[int, str]):
    """What characters are in LaTeX by their code points, found out for each once."""

    def __missing__(self, code: int) -> str:
        shown = self[code] = _character(chr(code))
        return shown


_SHOWN = _Shown()


def braced(tex: str, start: int) -> tuple[str, int]:
    """What the braces at a position hold, and the position behind them.

    Raises:
        ReportError: if they are not closed.
    """
    depth = 0
    for match in _BRACE.finditer(tex, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth and match[0] == "}":
            return tex[start + 1 : match.start()], match.end()
    raise ReportError(f"a brace is not closed in {tex[start:]!r}")


def _in_maths(letter: str) -> str:
    symbol = _symbol(letter)
    if symbol is not None:
        return f"{symbol} "
    return rf"\text{{{_character(letter)}}}"


def _symbol(letter: str) -> str | None:
    if letter in _MATHS:
        return _MATHS[letter]
    match = _GREEK_NAME.fullmatch(unicodedata.name(letter, ""))
    if match is None:
        return None
    name = match[2].lower() if match[1] == "SMALL" else match[2].capitalize()
    name = {"lamda": "lambda", "Lamda": "Lambda"}.get(name, name)
    return _GREEK_AS_LATIN.get(name, "\\" + name)


@cache
def environment(folder: Path) -> jinja2.Environment:
    r"""A template environment with TeX-shaped delimiters in which only ``Tex`` reaches the page.

    There is one for each folder, so that a template is compiled once; one that was changed is compiled again.

    Write ``\VAR{...}``, ``\BLOCK{...}`` and ``\#{...}``. Numbers must be turned into Tex by the view.
    An undefined name is an error, and so is a raw string (``ReportError`` names it).
    """
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        variable_start_string=r"\VAR{",
        variable_end_string="}",
        block_start_string=r"\BLOCK{",
        block_end_string="}",
        comment_start_string=r"\#{",
        comment_end_string="}",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        finalize=_only_tex,
    )


def filled(templates: jinja2.Environment, name: str, told: str | None = None, /, **values: object) -> str:
    """What a template makes of values; ``told`` names it in errors, if its name alone says too little.

    Raises:
        ReportError: if it cannot be filled.
    """
    try:
        return templates.get_template(name).render(**values)
    except jinja2.TemplateError as error:
        raise ReportError(f"template {told or name}: {error}") from error


def _only_tex(value: object) -> Tex:
    if isinstance(value, jinja2.Undefined):
        return Tex(str(value))  # StrictUndefined raises here and names what is missing
    if not isinstance(value, Tex):
        raise ReportError(f"a template would print {value!r}, which is not escaped for LaTeX")
    return value
