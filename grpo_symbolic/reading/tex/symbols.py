"""What the reader knows about LaTeX commands: synonyms, arguments, fonts, brackets, relations, small words."""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """Return the words of a text, to write a table of names on few lines."""
    return frozenset(text.split())


def _synonyms(table: Mapping[str, str]) -> dict[str, str]:
    return {other: name for name, others in table.items() for other in others.split()}


#: Commands that print the same, or mean the same, as a simpler one.
SYNONYMS: Mapping[str, str] = _synonyms(
    {
        r"\le": r"\leq \leqslant",
        r"\ge": r"\geq \geqslant",
        r"\ne": r"\neq",
        "<": r"\lt",
        ">": r"\gt",
        "=": r"\eq",
        ":=": r"\coloneqq \triangleq \eqdef \defeq \coloneq",
        r"\rightarrow": r"\to \longrightarrow",
        r"\Leftrightarrow": r"\iff \Longleftrightarrow",
        r"\Rightarrow": r"\implies \Longrightarrow",
        r"\Leftarrow": r"\impliedby \Longleftarrow",
        r"\mapsto": r"\longmapsto",
        "|": r"\mid \vert",
        r"\|": r"\Vert \parallel",
        "*": r"\ast",
        ":": r"\colon",
        r"\dots": r"\ldots \cdots \dotsc \dotsb \dotsm \dotsi \dotso \textellipsis",
        r"\wedge": r"\land",
        r"\vee": r"\lor",
        r"\neg": r"\lnot",
        r"\cdot": r"\centerdot",
        r"\{": r"\lbrace",
        r"\}": r"\rbrace",
        "[": r"\lbrack",
        "]": r"\rbrack",
        r"\frac": r"\dfrac \tfrac \cfrac",
        r"\binom": r"\dbinom \tbinom",
        r"\tilde": r"\widetilde",
        r"\hat": r"\widehat",
        r"\stackrel": r"\overset",
        r"\gets": r"\leftarrow",
        r"\emptyset": r"\varnothing",
    }
)

#: What ``\not`` makes of a relation.
NEGATED: Mapping[str, str] = {"=": r"\ne", r"\in": r"\notin", "<": r"\nless", ">": r"\ngtr", r"\le": r"\nleq"}

#: Number of arguments of the commands that take some and keep a node.
ARGUMENTS: Mapping[str, int] = {
    r"\frac": 2,
    r"\binom": 2,
    r"\sqrt": 1,
    r"\stackrel": 2,
    r"\underset": 2,
    r"\xrightarrow": 1,
    r"\xleftarrow": 1,
    r"\pmod": 1,
} | dict.fromkeys(
    words(r"""\tilde \hat \bar \vec \dot \ddot \check \breve \acute \grave \mathring \overline \underline \overbrace
        \underbrace \overrightarrow \overleftarrow \cancel \bcancel \xcancel \sout \not"""),
    1,
)

#: Commands whose argument stands there as if the command were not written.
TRANSPARENT = words(
    r"\boxed \fbox \smash \mathop \mathrel \mathbin \mathord \mathopen \mathclose \mathpunct \mathinner"
    r" \ensuremath"
)

#: Spaces that are none between statements, and commands that set the style of what follows or break lines.
SPACES = words(r"\, \; \: \! \> \/ \thinspace \medspace \thickspace \negthinspace \enspace \hfill \hfil")
STYLES = words(
    r"""\displaystyle \textstyle \scriptstyle \scriptscriptstyle \limits \nolimits \nonumber \notag \allowbreak \nobreak
        \break \relax \strut \mathstrut \centering \noindent \hline \allowdisplaybreaks \protect \null \bgroup \egroup
        \tiny \scriptsize \footnotesize \small \normalsize \large \Large"""
)
#: Commands before a delimiter: those that have to be paired, and those that only set its size.
PAIRED = words(r"\left \right \middle")
SIZES = words(r"\big \Big \bigg \Bigg \bigl \Bigl \biggl \Biggl \bigr \Bigr \biggr \Biggr \bigm \Bigm \biggm \Biggm")
#: Spaces that take an argument.
MEASURED = words(r"\phantom \hphantom \vphantom \hspace \vspace \mspace")

#: Commands that print nothing of interest, with the number of arguments they swallow.
SILENT: Mapping[str, int] = dict.fromkeys(SPACES | STYLES | PAIRED | SIZES, 0) | dict.fromkeys(
    MEASURED | words(r"\color \cline \footnote \footnotemark \index"), 1
)

#: Control spaces: nothing in mathematics, but people type prose with them (``if \ p < 1``).
CONTROL_SPACES = frozenset({r"\ ", "\\\n", "\\\t", "~", r"\space", r"\nobreakspace"})
WIDE_SPACES = frozenset({r"\quad", r"\qquad"})

#: Font commands with one argument, and the older ones that last to the end of the group.
FONTS: Mapping[str, str] = {
    command: font
    for font, commands in {
        "upright": r"\mathrm \operatorname \mathsf \mathup \rm \sf \operatorname* \DeclareMathOperatorBody",
        "blackboard": r"\mathbb \mathbbm \mathds \Bbb",
        "calligraphic": r"\mathcal \cal \EuScript",
        "script": r"\mathscr",
        "fraktur": r"\mathfrak \frak",
        "bold": r"\mathbf \boldsymbol \bm \bf \pmb \symbf \mathbfit",
        "italic": r"\mathit \mathnormal \it \em",
        "typewriter": r"\mathtt \tt",
    }.items()
    for command in commands.split()
}
FONT_SWITCHES = words(r"\rm \sf \cal \frak \bf \it \em \tt")

#: Commands whose argument is prose, perhaps with ``$...$`` inside.
TEXT = words(
    r"\text \textrm \textsf \textnormal \textit \textbf \texttt \textsc \textup \mbox \hbox"
    r" \intertext \shortintertext"
)

#: Commands that print a number or an author, so words as far as a formula is concerned.
REFERENCES = words(r"\ref \eqref \cref \Cref \autoref \cite \citep \citet")

OPENING: Mapping[str, frozenset[str]] = {
    "(": frozenset({")"}),
    "[": frozenset({"]"}),
    r"\{": frozenset({r"\}"}),
    r"\lfloor": frozenset({r"\rfloor", r"\rceil"}),
    r"\lceil": frozenset({r"\rceil", r"\rfloor"}),
    r"\langle": frozenset({r"\rangle"}),
    r"\lvert": frozenset({r"\rvert"}),
    r"\lVert": frozenset({r"\rVert"}),
}
CLOSING = frozenset().union(*OPENING.values())

#: Relations that may join the sides of a chain.
RELATIONS = words(r"""
        = < > := =: \le \ge \ne \nless \ngtr \nleq \equiv \approx \sim \simeq \cong \propto \asymp \ll \gg \doteq
        \lesssim \gtrsim \in \notin \ni \subset \subseteq \supset \supseteq \succ \prec \succeq \preceq
        \Leftrightarrow \Rightarrow \Leftarrow \rightarrow \uparrow \downarrow \nearrow \searrow \mapsto \gets
        \perp \models \vdash \xrightarrow""")
#: Signs that join two terms; a row that starts with one goes on with the row before.
OPERATORS = words(r"+ - * / \times \cdot \pm \mp \div \ast \circ \otimes \oplus \cap \cup \wedge \vee")
PUNCTUATION = frozenset({",", ";", ".", ":"})

#: Words that join or restrict formulas; any other single word in an upright font may be a name.
CONNECTIVES = words("""
       if and or for where with when otherwise is are such that else then since because all any every as so but while
       whenever unless by from in on under we have let therefore hence thus given iff only not""")

#: Commands that a lost backslash, or one read as an escape by another program, leaves behind.
LOST_COMMANDS: Mapping[str, str] = {"heta": r"\theta", "theta": r"\theta", "ight": r"\right", "imes": r"\times"}
LOST_BEFORE_BRACE: Mapping[str, str] = {
    "rac": r"\frac", "frac": r"\frac", "dfrac": r"\dfrac", "sqrt": r"\sqrt", "ext": r"\text", "text": r"\text",
    "mathrm": r"\mathrm", "mathbb": r"\mathbb", "mathcal": r"\mathcal", "egin": r"\begin", "begin": r"\begin",
    "ilde": r"\tilde", "tilde": r"\tilde", "hat": r"\hat", "bar": r"\bar", "operatorname": r"\operatorname",
}  # fmt: skip

#: Environments whose rows are the lines of a display, as against the value of one expression.
LINES = words("""equation align alignat flalign gather multline eqnarray aligned alignedat split gathered multlined
       displaymath math array subequations IEEEeqnarray dmath""")

#: Letters and named operators that LaTeX defines.
LETTERS = words(
    r"""\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta \iota \kappa \lambda \mu \nu \xi
        \pi \varpi \rho \varrho \sigma \varsigma \tau \upsilon \phi \varphi \chi \psi \omega \Gamma \Delta \Theta
        \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega \exp \log \ln \sin \cos \tan \cot \sec \csc \sinh \cosh
        \tanh \coth \arcsin \arccos \arctan \max \min \sup \inf \lim \limsup \liminf \det \Pr \sum \prod \int
        \infty \partial \nabla \forall \exists \ell \hbar \Re \Im \prime"""
)
#: Commands that LaTeX and amsmath define, so that ``\\providecommand`` leaves them as they are.
STANDARD = (
    frozenset(
        name
        for table in (
            SYNONYMS,
            ARGUMENTS,
            TRANSPARENT,
            SILENT,
            WIDE_SPACES,
            FONTS,
            TEXT,
            REFERENCES,
            RELATIONS,
            OPERATORS,
        )
        for name in table
        if name[0] == "\\"
    )
    | LETTERS
    | words(r"\top \bot \lfloor \rfloor \lceil \rceil")
)
