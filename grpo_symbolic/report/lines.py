r"""Break long formulas into lines at top-level operators.

Widths are estimated by counting glyphs; how wide the page is, only TeX knows. A display is therefore
offered in several forms, widest first, and macros of ``grpo-appendix.sty`` take the first that fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import mul

from grpo_symbolic.language.expression import (
    Apply,
    Definition,
    Derivative,
    Expression,
    Substitution,
    Total,
    rebuild,
)
from grpo_symbolic.language.statement import (
    All,
    Any,
    Equivalent,
    Implies,
    Relation,
    Statement,
    is_elementary,
    map_expressions,
)
from grpo_symbolic.language.vocabulary import real
from grpo_symbolic.translate.formula import expression_latex, product_factors, sum_terms, symbol_latex, term_latex
from grpo_symbolic.translate.latex import RELATIONS, Phrase, Tex, phrase_latex, sentence, statement_latex

#: Glyphs in a line: a whole page wide, and one column of two.
WIDE, NARROW = 66, 36
_INLINE = 18  # wider mathematics in a sentence is displayed

_SHORT_SIDE = 4  # such a right side stays on the last line of the left

#: Longer formulas show of each long sum only the first terms and the last; TeX cannot even measure very long lines.
_LONGEST = 700
_MOST_TERMS = 8

_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}^_]|\S", re.DOTALL)
_NO_WIDTH = frozenset((r"\left", r"\right", r"\!", r"\,", r"\ ", r"\mathrm", r"\text", r"\mathbb", r"\operatorname"))
_WIDE_COMMANDS = {r"\iff": 4.0, r"\implies": 4.0, r"\log": 3.0, r"\exp": 3.0, r"\cosh": 4.0, r"\sinh": 4.0}
_SMALL = 0.7


# What is broken in different ways has mostly the same parts.
@lru_cache(maxsize=2**12)
def glyphs(latex: str) -> float:
    """Estimate the width of a formula in glyphs; commands count as one, a fraction as its wider part."""
    return _width(iter(_TOKEN.findall(latex)), closing=None)


def _width(tokens: Iterator[str], closing: str | None) -> float:
    total = 0.0
    for token in tokens:
        if token == closing:
            break
        total += _token_width(token, tokens)
    return total


def _token_width(token: str, tokens: Iterator[str]) -> float:
    if token == "{":
        return _width(tokens, "}")
    if token == r"\frac":
        return max(_argument(tokens), _argument(tokens))
    if token in ("^", "_"):
        return _SMALL * _argument(tokens)
    if token == r"\sqrt":
        return 1 + _argument(tokens)
    if token in _NO_WIDTH or token == "}":
        return 0.0
    if token in "+-=<>" or token in (r"\leq", r"\geq", r"\neq"):
        return 2.0
    return _WIDE_COMMANDS.get(token, 1.0)


def _argument(tokens: Iterator[str]) -> float:
    token = next(tokens, None)
    return 0.0 if token is None else _token_width(token, tokens)


def display(subject: Statement | Expression) -> Tex:
    """A formula in all the forms a page may need, as nested ``\\grpopick`` ending in ``\\grpofit``.

    Composite statements are sentences; use ``prose`` for them. Of a formula that would fill a page, long sums are
    abbreviated and say how many terms they leave out.
    """
    subject = _abbreviated(subject)
    forms: list[Tex] = []
    for limit in (_LONGEST, WIDE, NARROW):
        form = _aligned(broken(subject, limit))
        if form not in forms:
            forms.append(form)
    return _picked(forms)


def _abbreviated(subject: Statement | Expression) -> Statement | Expression:
    whole = expression_latex(subject) if isinstance(subject, Expression) else statement_latex(subject)
    if glyphs(whole) <= _LONGEST:
        return subject
    return _shortened(subject) if isinstance(subject, Expression) else _shortened_statement(subject)


def _shortened_statement(statement: Statement) -> Statement:
    match statement:
        case All(parts):
            return All(tuple(map(_shortened_statement, parts)))
        case _ if is_elementary(statement):
            return map_expressions(statement, _shortened)
        case _:
            return statement


def _shortened(expression: Expression) -> Expression:
    """The expression with long sums cut, for printing only."""
    terms = sum_terms(expression)
    if len(terms) <= _MOST_TERMS:
        return rebuild(expression, tuple(map(_shortened, expression.children)))
    dots = rf"\underbrace{{\cdots}}_{{\text{{{len(terms) - 3} terms}}}}"
    shown = terms[0][1]
    middle = real("dots", "(-oo, oo)", "terms that are not shown", latex=dots)
    for sign, term in (terms[1], ("+", middle), terms[-1]):
        shown = shown - term if sign == "-" else shown + term
    return shown


def _picked(forms: Sequence[Tex]) -> Tex:
    text = rf"\grpofit{{{forms[-1]}}}"
    for form in reversed(forms[:-1]):
        text = rf"\grpopick{{{form}}}{{{text}}}"
    return Tex(text)


def definition_display(definition: Definition) -> Tex:
    """``name(parameters) := body`` in all the forms a page may need, like ``display``."""
    left = expression_latex(definition(*definition.parameters))
    forms: list[Tex] = []
    for limit in (10**6, WIDE, NARROW):
        start, *others = broken(definition.body, limit - min(glyphs(left), 0.4 * limit) - 3)
        form = _aligned([rf"{left} \mathrel{{:=}} {start}", *(rf"\quad {line}" for line in others)])
        if form not in forms:
            forms.append(form)
    return _picked(forms)


def prose(statement: Statement) -> Tex:
    """A statement as text; long mathematics in it stands in a line of its own if it does not fit into one."""
    return Tex("".join(_phrase(part) for part in sentence(statement)))


def _phrase(part: Phrase) -> str:
    if isinstance(part, str):
        return part
    inline = phrase_latex(part)
    if glyphs(inline) <= _INLINE or not isinstance(part, Statement | Expression):
        return f"${inline}$"
    return rf"\grpophrase{{{inline}}}{{{display(part)}}}"


def _aligned(lines: Sequence[str], place: str = "t") -> Tex:
    if len(lines) == 1:
        return Tex(lines[0])
    return Tex(rf"\begin{{aligned}}[{place}]&" + r"\\&".join(lines) + r"\end{aligned}")


def broken(subject: Statement | Expression, limit: float) -> list[str]:
    """The lines of a formula when a line holds about ``limit`` glyphs."""
    whole = expression_latex(subject) if isinstance(subject, Expression) else statement_latex(subject)
    if glyphs(whole) <= limit:
        return [whole]
    match subject:
        case Relation(left, operator, right):
            return _relation(left, RELATIONS[operator], right, limit)
        case Equivalent(left, right):
            return _connected([(left, ""), (right, r"\iff ")], limit)
        case Implies(left, right):
            return _connected([(left, ""), (right, r"\implies ")], limit)
        case All(parts) | Any(parts):
            word = r"\text{and } " if isinstance(subject, All) else r"\text{or } "
            return _connected([(part, word if number else "") for number, part in enumerate(parts)], limit)
        case Expression():
            return _sum(subject, limit)
        case _:
            return [whole]


def _connected(parts: Sequence[tuple[Statement, str]], limit: float) -> list[str]:
    lines: list[str] = []
    for part, word in parts:
        inside = broken(part, limit - glyphs(word))
        # A compound part keeps its brackets, so its lines stay together.
        if not isinstance(part, Relation):
            inside = [rf"\left[{_aligned(broken(part, limit - glyphs(word) - 2), place='c')}\right]"]
        lines += [word + inside[0], *(rf"\quad {line}" for line in inside[1:])]
    return lines


def _relation(left: Expression, relation: str, right: Expression, limit: float) -> list[str]:
    before, after = expression_latex(left), expression_latex(right)
    if glyphs(after) <= _SHORT_SIDE:
        *lines, last = broken(left, limit - glyphs(after) - 2)
        return [*lines, f"{last} {relation} {after}"]
    if glyphs(before) <= 0.4 * limit:
        start, *others = broken(right, limit - glyphs(before) - 2)
        if others and glyphs(before) > 0.2 * limit:
            start, *others = broken(right, limit - 4)
            return [before, rf"\quad {relation} {start}", *(rf"\qquad {line}" for line in others)]
        return [f"{before} {relation} {start}", *(rf"\quad {line}" for line in others)]
    start, *others = broken(right, limit - 4)
    return [*broken(left, limit), rf"\quad {relation} {start}", *(rf"\qquad {line}" for line in others)]


def _sum(expression: Expression, limit: float) -> list[str]:
    terms = sum_terms(expression)
    if len(terms) == 1:
        return _product(expression, expression_latex(expression), limit)
    pieces = _product(terms[0][1], expression_latex(terms[0][1]), limit)
    for sign, term in terms[1:]:
        first, *others = _product(term, term_latex(term), limit - 2)
        pieces += [f"{sign} {first}", *others]
    return _filled(pieces, limit)


def _product(expression: Expression, whole: str, limit: float) -> list[str]:
    """The lines of a product that is too long for one, else the whole of it."""
    if glyphs(whole) <= limit:
        return [whole]
    first, *others = product_factors(expression)
    if not others:
        return [_operated(expression, limit) or _bracketed(expression, limit) or whole]
    groups = [first]
    for factor in others:
        longer = groups[-1] * factor
        # A line for a mere coefficient would look lost.
        if glyphs(term_latex(longer)) <= limit or glyphs(term_latex(groups[-1])) <= _SHORT_SIDE:
            groups[-1] = longer
        else:
            groups.append(factor)
    lines = [*(_broken_group(group, limit) or _group(group) for group in groups[:-1])]
    lines.append(_broken_group(groups[-1], limit) or term_latex(groups[-1]))
    return [lines[0], *(rf"\quad {{}} \times {line}" for line in lines[1:])]


def _broken_group(group: Expression, limit: float) -> str | None:
    """Factors that are too long for a line, with lines inside; None if they are not, or nothing breaks them."""
    alone = len(product_factors(group)) == 1 and glyphs(term_latex(group)) > limit
    return _bracketed(group, limit) or (_operated(group, limit) if alone else None)


def _bracketed(group: Expression, limit: float) -> str | None:
    """Factors of which the last is a sum too long for a line, with lines inside its brackets."""
    *before, last = product_factors(group)
    if len(sum_terms(last)) == 1 or glyphs(term_latex(group)) <= limit:
        return None
    start = f"{_group(reduce(mul, before))} " if before else ""
    return rf"{start}\left({_aligned(broken(last, limit - glyphs(start) - 2), place='c')}\right)"


def _operated(expression: Expression, limit: float) -> str | None:
    """A derivative, also at a point, a fraction or a root of something long, with lines inside or above the bar."""
    match expression:
        case Derivative(body, symbol):
            by = symbol_latex(symbol)
            inside = _aligned(broken(body, limit - _SHORT_SIDE), place="c")
            return rf"\frac{{\partial}}{{\partial {by}}}\left[{inside}\right]"
        case Substitution(Derivative() | Substitution() as body, symbol, replacement):
            at = rf"{symbol_latex(symbol)} = {expression_latex(replacement)}"
            shorter = _operated(body, limit - _SMALL * glyphs(at))
            opening, closing = (r"\left.", r"\right|") if isinstance(body, Derivative) else (r"\left[", r"\right]")
            return None if shorter is None else rf"{opening}{shorter}{closing}_{{{at}}}"
        case Apply("divide", (numerator, denominator)):
            above, below = (_aligned(broken(part, limit), place="c") for part in (numerator, denominator))
            return rf"\frac{{{above}}}{{{below}}}"
        case Apply("sqrt", (inside,)):
            return rf"\sqrt{{{_aligned(broken(inside, limit - 1), place='c')}}}"
        case _:
            return None


def _group(factors: Expression) -> str:
    r"""Factors that others follow in the next line: where ``\log x`` or a sum over outputs ends must be clear."""
    text, last = term_latex(factors), product_factors(factors)[-1]
    unclear = isinstance(last, Total) or (isinstance(last, Apply) and last.operator in ("log", "cosh", "sinh", "tanh"))
    return rf"\left[{text}\right]" if unclear else text


def _filled(pieces: Sequence[str], limit: float) -> list[str]:
    """Fill lines with pieces from left to right; lines after the first are indented."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        room = limit - (2 if len(lines) > 1 else 0)
        if glyphs(lines[-1]) + glyphs(piece) <= room:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    # The empty group makes a leading sign a binary operator.
    return [lines[0], *(line if line.startswith(r"\quad") else rf"\quad {{}} {line}" for line in lines[1:])]
