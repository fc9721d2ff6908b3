"""What the commands of LaTeX's mathematics look like: characters for letters, signs, accents and alphabets."""

from __future__ import annotations

import string
import unicodedata

_GREEK = (
    "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)


def _greek(name: str) -> str:
    kind = "SMALL" if name[0].islower() else "CAPITAL"
    return unicodedata.lookup(f"GREEK {kind} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


#: Letters, by their commands.
LETTERS = {
    **{rf"\{name}": _greek(name) for name in _GREEK.split()},
    r"\epsilon": "ϵ",
    r"\varepsilon": "ε",
    r"\phi": "ϕ",
    r"\varphi": "φ",
    r"\vartheta": "ϑ",
    r"\varrho": "ϱ",
    r"\varsigma": "ς",
    r"\ell": "ℓ",
    r"\infty": "∞",
    r"\partial": "∂",
    r"\nabla": "∇",
    r"\emptyset": "∅",
    r"\varnothing": "∅",
    r"\top": "⊤",
    r"\bot": "⊥",
    r"\dots": "…",
    r"\ldots": "…",
    r"\cdots": "⋯",
    r"\vdots": "⋮",
    r"\forall": "∀",
    r"\exists": "∃",
    r"\Re": "ℜ",
    r"\Im": "ℑ",
    r"\#": "#",
    r"\%": "%",
    r"\&": "&",
    r"\_": "_",
    r"\$": "$",
}
#: Signs between two sides.
RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    ":": ":",
    r"\le": "≤",
    r"\leq": "≤",
    r"\leqslant": "⩽",
    r"\ge": "≥",
    r"\geq": "≥",
    r"\geqslant": "⩾",
    r"\lt": "<",
    r"\gt": ">",
    r"\ne": "≠",
    r"\neq": "≠",
    r"\ll": "≪",
    r"\gg": "≫",
    r"\approx": "≈",
    r"\equiv": "≡",
    r"\sim": "∼",
    r"\simeq": "≃",
    r"\propto": "∝",
    r"\in": "∈",
    r"\notin": "∉",
    r"\subset": "⊂",
    r"\subseteq": "⊆",
    r"\supset": "⊃",
    r"\succ": "≻",
    r"\prec": "≺",
    r"\succeq": "⪰",
    r"\preceq": "⪯",
    r"\to": "→",
    r"\rightarrow": "→",
    r"\leftarrow": "←",
    r"\gets": "←",
    r"\longrightarrow": "⟶",
    r"\mapsto": "↦",
    r"\uparrow": "↑",
    r"\downarrow": "↓",
    r"\iff": "⟺",
    r"\Longleftrightarrow": "⟺",
    r"\Leftrightarrow": "⇔",
    r"\implies": "⟹",
    r"\Longrightarrow": "⟹",
    r"\Rightarrow": "⇒",
    r"\mid": "∣",
    r"\perp": "⟂",
    r"\colon": ":",
    r"\triangleq": "≜",
}
#: Signs between two operands.
OPERATIONS = {
    "+": "+",
    "-": "\u2212",
    "*": "∗",
    "/": "/",
    "!": "!",
    r"\cdot": "⋅",
    r"\times": "×",
    r"\pm": "±",
    r"\mp": "∓",
    r"\circ": "∘",
    r"\cup": "∪",
    r"\cap": "∩",
    r"\wedge": "∧",
    r"\vee": "∨",
    r"\land": "∧",
    r"\lor": "∨",
    r"\neg": "¬",
    r"\setminus": "∖",
    r"\oplus": "⊕",
    r"\otimes": "⊗",
    r"\odot": "⊙",
    r"\star": "⋆",
    r"\ast": "∗",
    r"\backslash": "\\",
    r"\prime": "′",
    r"\surd": "√",
}
PUNCTUATION = {",": ",", ";": ";", ".": "."}
OPENING = {"(": "(", "[": "[", r"\{": "{", r"\lbrace": "{", r"\lvert": "|", r"\lVert": "‖", r"\langle": "⟨"}
OPENING |= {r"\lfloor": "⌊", r"\lceil": "⌈"}
CLOSING = {")": ")", "]": "]", r"\}": "}", r"\rbrace": "}", r"\rvert": "|", r"\rVert": "‖", r"\rangle": "⟩"}
CLOSING |= {r"\rfloor": "⌋", r"\rceil": "⌉"}
#: Bars are the same on both sides.
BARS = {"|": "|", r"\|": "‖", r"\Vert": "‖", r"\vert": "|"}
#: What takes its limits above and below.
LARGE = {
    r"\sum": "∑",
    r"\prod": "∏",
    r"\int": "∫",
    r"\bigcup": "⋃",
    r"\bigcap": "⋂",
}
#: Functions with names of letters; those in LIMITS take what is under them.
_NAMES = "log ln lg exp cosh sinh tanh coth sin cos tan cot arctan arcsin arccos deg dim ker Pr arg"
FUNCTIONS = {rf"\{name}": name for name in _NAMES.split()}
LIMITS = {rf"\{name}": name for name in ("lim", "max", "min", "sup", "inf", "det", "gcd")} | {r"\limsup": "lim sup"}
LIMITS |= {r"\liminf": "lim inf", r"\argmax": "arg max", r"\argmin": "arg min"}
ACCENTS = {
    r"\bar": "¯",
    r"\hat": "^",
    r"\tilde": "~",
    r"\dot": "˙",
    r"\ddot": "¨",
    r"\vec": "→",
    r"\check": "ˇ",
    r"\overline": "‾",
    r"\widehat": "^",
    r"\widetilde": "~",
}
#: Widths of spaces, in em.
SPACES = {
    r"\,": ".167",
    r"\:": ".222",
    r"\;": ".278",
    r"\ ": ".25",
    "~": ".25",
    r"\quad": "1",
    r"\qquad": "2",
    r"\!": "-.167",
}
#: Alphabets: where the capitals, the small letters and the digits begin.
_ALPHABETS = {
    r"\mathbf": (0x1D400, 0x1D41A, 0x1D7CE),
    r"\boldsymbol": (0x1D400, 0x1D41A, 0x1D7CE),
    r"\bm": (0x1D400, 0x1D41A, 0x1D7CE),
    r"\mathbb": (0x1D538, 0x1D552, 0x1D7D8),
    r"\mathcal": (0x1D49C, 0x1D4B6, None),
    r"\mathscr": (0x1D49C, 0x1D4B6, None),
    r"\mathsf": (0x1D5A0, 0x1D5BA, 0x1D7E2),
    r"\mathfrak": (0x1D504, 0x1D51E, None),
    r"\mathtt": (0x1D670, 0x1D68A, 0x1D7F6),
}
ALPHABETS = frozenset(_ALPHABETS)
#: The letters of these alphabets that Unicode had before the others.
_EARLIER = {
    r"\mathbb": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
    r"\mathcal": dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)),
    r"\mathfrak": dict(zip("CHIRZ", "ℭℌℑℜℨ", strict=True)),
}
_EARLIER[r"\mathscr"] = _EARLIER[r"\mathcal"]


def lettered(command: str, text: str) -> str:
    """The text in an alphabet such as that of ``\\mathbb``; what the alphabet lacks stays as it is."""
    capital, small, digit = _ALPHABETS[command]
    shown = ""
    for letter in text:
        if letter in _EARLIER.get(command, {}):
            shown += _EARLIER[command][letter]
        elif letter in string.ascii_uppercase:
            shown += chr(capital + ord(letter) - ord("A"))
        elif letter in string.ascii_lowercase:
            shown += chr(small + ord(letter) - ord("a"))
        elif letter in string.digits and digit is not None:
            shown += chr(digit + int(letter))
        else:
            shown += letter
    return shown
