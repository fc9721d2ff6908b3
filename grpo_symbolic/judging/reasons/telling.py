"""Reasons as words and formulas; the formulas are those that were checked, by the visitor that prints all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from grpo_symbolic.judging.reasons.known import Known
from grpo_symbolic.judging.reasons.reason import (
    Cases,
    Contrary,
    Difference,
    Given,
    Instead,
    Put,
    Ranges,
    Reason,
    Rising,
    Root,
    Same,
    Sign,
    Tangent,
    Term,
)
from grpo_symbolic.judging.reasons.ring import decide_by_range
from grpo_symbolic.judging.reasons.stretches import Along
from grpo_symbolic.judging.reasons.telling_stretches import told_along
from grpo_symbolic.language.calculus import ZERO
from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, rebuild
from grpo_symbolic.language.folding import negated
from grpo_symbolic.language.powers import as_power
from grpo_symbolic.language.statement import Relation, Statement, map_expressions, symbols_of
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.ranges import range_on_domain

#: Characters of a value that both sides have; of a longer one it says little what it is.
_LONGEST_VALUE = 160
#: Characters of a side that is repeated where its range is told.
_LONGEST_SIDE = 90
_DIGITS = (3, 6, 12)
#: Numbers with larger denominators are rounded.
_SHORT = 1000
_SIGN_WORDS = {">": "positive", ">=": "not negative", "<": "negative", "<=": "not positive"}


@dataclass(frozen=True)
class Piece:
    """Words, or the LaTeX of a formula."""

    text: str
    is_formula: bool = False


def in_latex(pieces: Sequence[Piece]) -> str:
    """Words with formulas between dollar signs."""
    return "".join(f"${piece.text}$" if piece.is_formula else piece.text for piece in pieces)


def kind_of(reasons: Sequence[Reason]) -> str:
    """The field's word for what reasons are; of several, that of the one that says most."""
    kinds = [_kind(reason) for reason in reasons]
    return next(kind for kind in _KINDS if kind in kinds)


_KINDS = (
    "case distinction",
    "contradiction",
    "tangent",
    "monotone function",
    "interval images",
    "sum of terms",
    "factorisation",
    "identity",
    "hypothesis",
    "ranges",
)


def _kind(reason: Reason) -> str:
    match reason:
        case Same():
            return "identity"
        case Given():
            return "hypothesis"
        case Ranges():
            return "ranges"
        case Along():
            return "interval images"
        case Put(_, _, then) | Instead(_, _, then):
            inner = _kind(then)
            return "hypothesis" if inner == "ranges" else inner
        case Cases():
            return "case distinction"
        case Contrary(_, _, Along() as why):
            return _kind(why)
        case Contrary(_, _, why):
            return "hypothesis" if isinstance(why, Ranges) else "contradiction"
        case Difference(_, terms):
            whys = [sign.why for term in terms for sign, _ in term.factors]
            inside = {_kind(one) for one in whys if isinstance(one, Difference | Cases)}
            inside |= {"tangent" for one in whys if isinstance(one, Tangent)}
            inside |= {"monotone function" for one in whys if isinstance(one, Rising)}
            inside.add("sum of terms" if len(terms) > 1 else "factorisation")
            return next(kind for kind in _KINDS if kind in inside)


_NOTHING = Known()


def told(
    reason: Reason, totals: Mapping[Symbol, Expression], known: Known = _NOTHING, *, powers: bool = False
) -> tuple[Piece, ...]:
    """A reason as a sentence, with sums in the place of the symbols that stand for them.

    What a lemma says is told with the id of its claim, between back quotes, if it is used as it stands. With ``powers``
    an exponential is told as the power that it is where an exponent is no number.
    """
    return tuple(_merged(_Teller(totals, known, powers).reason(reason)))


@dataclass(frozen=True)
class _Teller:
    totals: Mapping[Symbol, Expression]
    known: Known
    powers: bool = False

    def reason(self, reason: Reason, *, nested: bool = False) -> Iterator[Piece]:
        """The words and formulas of a reason; one that is ``nested`` is about what was just said."""
        match reason:
            case Same(_, value):
                yield from self._same(value)
            case Given(relation, hypothesis):
                yield from self._known(hypothesis, same=relation == hypothesis)
            case Ranges(relation):
                yield from self._ranges(relation)
            case Along():
                yield from (Piece(text, is_formula) for text, is_formula in told_along(reason))
            case Difference():
                yield from self._difference(reason, nested)
            case Put(_, values, then):
                yield from self._values(values)
                yield from self.reason(then)
            case Instead(_, equation, then):
                yield from self._known(equation, same=True)
                yield Piece("; with the other side of this, ")
                yield from self.reason(then)
            case Cases(_, on, where, elsewhere):
                yield Piece("if ")
                yield self._statement(on)
                yield Piece(", ")
                yield from self._where(on).reason(where, nested=nested)
                yield Piece("; if ")
                yield self._statement(negated(on))
                yield Piece(", ")
                yield from self._where(negated(on)).reason(elsewhere, nested=nested)
            case Contrary(relation, hypothesis, why):
                if isinstance(why, Ranges | Along):
                    said = self._statement(hypothesis)
                    is_short = len(said.text) <= _LONGEST_VALUE
                    yield Piece("this case does not occur, as ")
                    yield said if is_short else Piece("the opposite of what it supposes")
                    yield Piece(" never holds" if is_short else " always holds")
                    if isinstance(why, Along) or not is_short:
                        yield Piece(": ")
                        yield from self.reason(why, nested=True)
                else:
                    yield Piece("otherwise ")
                    yield self._statement(hypothesis)
                    yield Piece(" would fail: ")
                    yield from self._where(negated(relation)).reason(why)

    def _where(self, case: Relation) -> _Teller:
        """Who tells what holds in one case."""
        return replace(self, known=self.known.assuming(map_expressions(case, self._restored)))

    def _known(self, hypothesis: Relation, *, same: bool) -> Iterator[Piece]:
        said = self._statement(hypothesis)
        restored = Relation(self._restored(hypothesis.left), hypothesis.operator, self._restored(hypothesis.right))
        up_to = "" if same else "rearranged, "
        source, noun = self.known.of(restored), self.known.noun(restored)
        by = None if source is None else f"what {source}"
        if len(said.text) > _LONGEST_VALUE:
            # It stands on the page already, in shorter words where these have names.
            yield Piece(f"{up_to}it is {by or f'a {noun}'}")
            return
        yield Piece(f"{up_to}it is {f'the {noun} ' if by is None else f'{by}: '}")
        yield said

    def _same(self, value: Expression | None) -> Iterator[Piece]:
        text = "" if value is None else self._formula(value).text
        if text and len(text) <= _LONGEST_VALUE:
            yield Piece("both sides multiply out to ")
            yield Piece(text, True)
        else:
            yield Piece("both sides multiply out to the same")

    def _values(self, values: Sequence[tuple[Symbol, Expression]]) -> Iterator[Piece]:
        yield Piece("with ")
        for number, (symbol, value) in enumerate(values):
            if number:
                yield Piece(", ")
            yield self._statement(Relation(symbol, "=", value))
        yield Piece(": ")

    def _difference(self, reason: Difference, nested: bool) -> Iterator[Piece]:
        relation = reason.relation
        match reason.terms:
            case (Term(_, ((left, 1),)), Term(_, ((right, 1),))) if relation.right != ZERO:
                if (left.value, right.value) == (relation.left, relation.right):
                    yield Piece(f"the left side is {self._named(left)}, the right side {self._named(right)}")
                    return
        what = "the left side" if relation.right == ZERO else "left side minus right side"
        yield Piece(f"{'this' if nested else what} is ")
        yield self._formula(reason.expression)
        signs = {(sign.value, sign.operator): sign for term in reason.terms for sign, _ in term.factors}
        shown = [sign for sign in signs.values() if not decide_by_range(Relation(sign.value, sign.operator, ZERO))]
        for number, sign in enumerate(shown):
            yield Piece(", where " if number == 0 else " and ")
            yield from self._sign(sign)

    def _sayer(self, sign: Sign) -> str:
        """Who says the sign of a value."""
        return self.known.sayer(Relation(self._restored(sign.value), sign.operator, ZERO))

    def _named(self, sign: Sign) -> str:
        by = "" if decide_by_range(Relation(sign.value, sign.operator, ZERO)) else f" by {self._sayer(sign)}"
        return _SIGN_WORDS[sign.operator] + by

    def _sign(self, sign: Sign) -> Iterator[Piece]:
        yield self._statement(Relation(sign.value, sign.operator, ZERO))
        match sign.why:
            case None:
                yield Piece(f" by {self._sayer(sign)}")
            case Tangent(function, argument):
                yield Piece(" as ")
                value = Apply(function, (argument,))
                tangent = argument - 1 if function == "log" else argument + 1
                yield self._statement(Relation(value, "<=" if function == "log" else ">=", tangent))
            case Rising(function, larger, smaller, why):
                name = {"log": "the logarithm", "exp": "the exponential function"}.get(function, "the root")
                yield Piece(f" as {name} rises and ")
                yield self._statement(Relation(larger, ">", smaller))
                if not decide_by_range(Relation(larger, ">", smaller)):
                    given = _given_sign(why)
                    yield Piece(", where " if given is None else f" by {self._sayer(given)}")
                    yield from self.reason(why, nested=True) if given is None else ()
            case Root():
                yield Piece(" as what stands below the root is positive: ")
                yield from self.reason(sign.why.why, nested=True)
            case _:
                yield Piece(": ")
                yield from self.reason(sign.why, nested=True)

    def _ranges(self, relation: Relation) -> Iterator[Piece]:
        if relation.left == relation.right:
            yield Piece("both sides are the same")
            return
        bounds = _bounds(relation)
        if bounds is None:
            yield from self._range(relation)
        for number, (name, side, operator, value) in enumerate(bounds or ()):
            yield Piece(", " if number else "")
            formula = self._formula(side)
            yield formula if len(formula.text) <= _LONGEST_SIDE else Piece(f"the {name} side")
            yield Piece(f" is {operator} ")
            yield Piece(str(expression_latex(Number(value))) if isinstance(value, Fraction) else value, True)

    def _range(self, relation: Relation) -> Iterator[Piece]:
        """What is left to say of sides whose ranges are not told: numbers are, if both sides are the same one."""
        if symbols_of(relation):
            yield Piece("the domains of the symbols show it")
            return
        left, right = range_on_domain(relation.left), range_on_domain(relation.right)
        value = None if left is None or left != right or left.lower != left.upper else left.lower
        if value is None:
            yield Piece("the numbers show it")
        else:
            yield Piece("both sides are ")
            yield Piece(str(expression_latex(Number(value))), True)

    def _restored(self, expression: Expression) -> Expression:
        if isinstance(expression, Symbol):
            return self.totals.get(expression, expression)
        return rebuild(expression, tuple(map(self._restored, expression.children)))

    def _shown(self, expression: Expression) -> Expression:
        restored = self._restored(expression)
        return _with_powers(restored) if self.powers else restored

    def _formula(self, expression: Expression) -> Piece:
        return Piece(str(expression_latex(self._shown(expression))), True)

    def _statement(self, statement: Statement) -> Piece:
        return Piece(str(statement_latex(map_expressions(statement, self._shown))), True)


def _with_powers(expression: Expression) -> Expression:
    """An expression with powers for what they mean."""
    power = as_power(expression)
    if power is not None and not (isinstance(power[1], Number) and power[1].value.denominator > 2):
        return Apply("power", tuple(map(_with_powers, power)))
    return rebuild(expression, tuple(map(_with_powers, expression.children)))


def _given_sign(reason: Reason) -> Sign | None:
    """The sign that is given, if a reason is no more than that one factor has it."""
    match reason:
        case Difference(_, (Term(_, ((sign, 1),)),)) if sign.why is None:
            return None if decide_by_range(Relation(sign.value, sign.operator, ZERO)) else sign
    return None


def _bounds(relation: Relation) -> list[tuple[str, Expression, str, str | Fraction]] | None:
    """What the ranges say of the sides, as far as it is needed; rounded so that it still shows the relation."""
    left, right = range_on_domain(relation.left), range_on_domain(relation.right)
    if left is None or right is None or relation.operator in ("=", "!="):
        return None
    turned = relation.operator in (">", ">=")
    low, high = (right, left) if turned else (left, right)
    if low.upper is None or high.lower is None:
        return None
    most, least = _shown(low.upper, high.lower, relation.operator in ("<", ">"))
    below = "at most " if low.upper_closed or most != low.upper else "below "
    above = "at least " if high.lower_closed or least != high.lower else "above "
    sides = (relation.right, relation.left) if turned else (relation.left, relation.right)
    both = [("smaller", sides[0], below.strip(), most), ("larger", sides[1], above.strip(), least)]
    return [one for one in both if not isinstance(one[1], Number)] or None


def _shown(most: Fraction, least: Fraction, strictly: bool) -> tuple[str | Fraction, str | Fraction]:
    """Two bounds, rounded outwards to few digits if they are long."""
    if max(most.denominator, least.denominator) <= _SHORT:
        return most, least
    for digits in _DIGITS:
        up, down = Fraction(ceil(most * 10**digits), 10**digits), Fraction(floor(least * 10**digits), 10**digits)
        if up < down or (up == down and not strictly):
            return _decimal(up, digits), _decimal(down, digits)
    if most < 0 <= least:
        return f"-{_power_below(-most)}", least
    if most <= 0 < least:
        return most, _power_below(least)
    if least.denominator <= _SHORT and most < least:
        return f"{expression_latex(Number(least))} - {_power_below(least - most)}", least
    return most, least


def _power_below(value: Fraction) -> str:
    """The largest power of ten that is not larger than a small positive number."""
    digits = 0
    while value * 10**digits < 1:
        digits += 1
    return f"10^{{-{digits}}}"


def _decimal(value: Fraction, digits: int) -> str | Fraction:
    scaled = abs(value) * 10**digits
    whole, rest = divmod(scaled.numerator // scaled.denominator, 10**digits)
    sign = "-" if value < 0 else ""
    fraction = f"{rest:0{digits}d}".rstrip("0")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbouring words as one piece."""
    words = ""
    for piece in pieces:
        if not piece.is_formula:
            words += piece.text
            continue
        if words:
            yield Piece(words)
            words = ""
        yield piece
    if words:
        yield Piece(words)
