"""Statements as readable text, with few parentheses, for a terminal."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.counting import as_binomial
from grpo_symbolic.language.everywhere import couples_elements
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
)
from grpo_symbolic.language.further import ambiguous_index
from grpo_symbolic.language.groups import GroupExpectation, Law
from grpo_symbolic.language.indexed import index_set_of, sets_of_hypotheses, sets_summed
from grpo_symbolic.language.nearby import (
    Converges,
    EveryCycle,
    EveryIterate,
    FixedPoint,
    LocalExtremum,
    Nearby,
    SomeZero,
)
from grpo_symbolic.language.sequences import (
    InTheLimit,
    LimitSuperior,
    MonotoneLimit,
    OfSequences,
    SequenceLimit,
    Supposed,
)
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement, expressions_of, ge, le
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied, ForEvery

RELATIONS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
FUNCTIONS = {"maximum": "max", "minimum": "min"}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# How strongly an expression holds together; a weaker one inside a stronger one needs parentheses.
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_IMPLICATION, _DISJUNCTION, _CONJUNCTION, _RELATION = 1, 2, 3, 4


def expression_text(expression: Expression) -> str:
    """Write an expression in infix form, such as ``√(1 - x²)/(2·beta)``.

    Expressions with different trees read differently, up to the order in which a sum or a product is gone through,
    and up to signs and slashes of numbers, as long as different symbols and functions have different names.

    Raises:
        UnsupportedError: for a kind of expression that has no written form.
    """
    return _expression(expression)[0]


def statement_text(statement: Statement) -> str:
    """Write a statement in infix form; composite statements become a sentence.

    Raises:
        UnsupportedError: for a kind of statement that has no written form.
    """
    return _statement(statement)[0]


def _expression(expression: Expression) -> tuple[str, int]:
    """The text of an expression and how strongly it holds together."""
    match expression:
        case Number(value):
            strength = _SUM if value < 0 else _ATOM if value.denominator == 1 else _PRODUCT
            return str(value), strength
        case Symbol(name):
            return name, _ATOM
        case Delta(other):
            return f"δ({other.whole.letter}, {other.letter})", _ATOM
        case Apply(operator, operands):
            return _operation(operator, operands)
        case Derivative(body, symbol):
            return f"∂/∂{symbol.name} [{expression_text(body)}]", _PRODUCT
        case Substitution(body, symbol, replacement):
            return f"[{expression_text(body)} at {symbol.name} = {expression_text(replacement)}]", _ATOM
        case Total(body):
            over = ambiguous_index(expression)
            return f"Σ{f'[{over.letter}]' if over else ''}({expression_text(body)})", _ATOM
        case Supported(body):
            # As a factor it keeps its parentheses: they say what the bracket is about.
            return f"[{statement_text(expression.bracket)}]·{_held(body, _POWER)}", _SUM
        case Applied(_, argument):
            return f"{expression.sign}({expression_text(argument)})", _ATOM
        case Binder():
            return _binder(expression), _ATOM
        case GroupExpectation():
            return _expectation(expression), _ATOM
        case Call(definition, arguments):
            inside = ", ".join(map(expression_text, arguments))
            return f"{definition.name}({inside})" if arguments else definition.name, _ATOM
        case _:
            raise UnsupportedError(f"no written form of {type(expression).__name__}")


def _binder(binder: Binder) -> str:
    upper = "∞" if binder.upper is None else expression_text(binder.upper)
    body = expression_text(binder.body)
    if binder.kind.startswith("limit"):
        side = {"limit+": " from above", "limit-": " from below"}.get(binder.kind, "")
        return f"lim[{body} for {binder.symbol} → {upper}{side}]"
    lower = "-∞" if binder.lower is None else expression_text(binder.lower)
    sign = "∫" if binder.kind == "integral" else "Σ"
    return f"{sign}[{body} for {binder.symbol} from {lower} to {upper}]"


def _expectation(node: GroupExpectation) -> str:
    """An expectation with the law of the one member, if it has one of its own, and that of the others."""
    own = "" if node.own == node.law else f" | {node.member.name} ~ {_law(node.own)}"
    mixed = "; mixed" if node.mixed else ""
    body, size = expression_text(node.body), expression_text(node.size)
    return f"E[{body}{mixed}{own} for {size} with {node.member.name} ~ {_law(node.law)}]"


def _law(law: Law) -> str:
    values, chances = map(expression_text, law.values), [*map(expression_text, law.chances), "else"]
    return f"{{{', '.join(f'{value}: {chance}' for value, chance in zip(values, chances, strict=False))}}}"


def _operation(operator: str, operands: tuple[Expression, ...]) -> tuple[str, int]:
    match operator:
        case "add":
            return f"{_held(operands[0], _SUM)} + {_after_sign(operands[1], _SUM)}", _SUM
        case "subtract":
            return f"{_held(operands[0], _SUM)} - {_after_sign(operands[1], _PRODUCT)}", _SUM
        case "multiply":
            # A quotient on the right keeps its parentheses: a·(b/c) is not what a·b/c says was typed.
            right = operands[1]
            return f"{_held(operands[0], _PRODUCT)}·{_held(right, _POWER if _divides(right) else _PRODUCT)}", _PRODUCT
        case "divide" if (chosen := as_binomial(Apply(operator, operands))) is not None:
            return f"binomial({', '.join(map(expression_text, chosen))})", _ATOM
        case "divide":
            return f"{_held(operands[0], _PRODUCT)}/{_held(operands[1], _POWER)}", _PRODUCT
        case "negate":
            return f"-{_after_sign(operands[0], _PRODUCT)}", _SUM
        case "power":
            return f"{_held(operands[0], _ATOM)}{_exponent(operands[1])}", _POWER
        case "sqrt":
            return f"√{_held(operands[0], _ATOM)}", _POWER
        case "absolute":
            return f"|{expression_text(operands[0])}|", _ATOM
        case _:
            arguments = ", ".join(expression_text(operand) for operand in operands)
            return f"{FUNCTIONS.get(operator, operator)}({arguments})", _ATOM


def _divides(expression: Expression) -> bool:
    """Whether a slash stands in the text of a factor outside of all brackets."""
    match expression:
        case Number(value):
            return value.denominator != 1
        case Apply("divide", _):
            return True
        case Apply("multiply", factors):
            # On the right of a product it stands in parentheses already.
            return _divides(factors[0])
    return False


def _held(expression: Expression, strength: int) -> str:
    """The text, in parentheses if it holds together less strongly than its place asks for."""
    text, own = _expression(expression)
    return text if own >= strength else f"({text})"


def _after_sign(expression: Expression, strength: int) -> str:
    """The same after a plus or minus, where a second sign would be hard to read."""
    text = _held(expression, strength)
    return f"({text})" if text.startswith("-") else text


def _exponent(exponent: Expression) -> str:
    match exponent:
        case Number(value) if value.denominator == 1:
            return str(value).translate(_SUPERSCRIPTS)
        case Symbol(name):
            return f"^{name}"
        case _:
            return f"^({expression_text(exponent)})"


def _statement(statement: Statement) -> tuple[str, int]:
    """The text of a statement and how strongly it holds together."""
    match statement:
        case Relation(left, operator, right):
            return f"{expression_text(left)} {RELATIONS[operator]} {expression_text(right)}", _RELATION
        case All(parts):
            return " and ".join(_kept(part, _CONJUNCTION) for part in parts), _CONJUNCTION
        case Any(parts):
            return " or ".join(_kept(part, _CONJUNCTION) for part in parts), _DISJUNCTION
        case Implies(premise, conclusion):
            return (
                f"{_kept(premise, _DISJUNCTION)}{_everywhere(statement)} ⇒ {_kept(conclusion, _DISJUNCTION)}",
                _IMPLICATION,
            )
        case Equivalent(left, right):
            return f"{_kept(left, _DISJUNCTION)} ⇔ {_kept(right, _DISJUNCTION)}", _IMPLICATION
        case _:
            return _sentence(statement), _IMPLICATION


def _everywhere(statement: Implies) -> str:
    """At which elements the premise of an implication is meant, where other elements matter."""
    if not couples_elements(statement, [statement.premise]):
        return ""
    (over,) = sets_of_hypotheses([statement.premise], statement.conclusion)
    return "" if over is None else f" for every {over.element}"


def _kept(statement: Statement, strength: int) -> str:
    text, own = _statement(statement)
    return text if own >= strength else f"({text})"


def _sentence(statement: Statement) -> str:
    match statement:
        case Monotone(expression, symbol, rising):
            direction = "increasing" if rising else "decreasing"
            return f"{expression_text(expression)} is strictly {direction} in {symbol.name}"
        case Limit():
            return _limit(statement)
        case UniqueRoot(symbol, condition, root):
            where = f"{symbol.name} in {symbol.domain}"
            return f"{symbol.name} = {expression_text(root)} is the only {where} with {statement_text(condition)}"
        case UniqueZero():
            return _unique_zero(statement)
        case Zeros(expression, symbol, brackets):
            between = ", ".join(f"between {expression_text(low)} and {expression_text(high)}" for low, high in brackets)
            count = f"{len(brackets)} zero{'' if len(brackets) == 1 else 's'}"
            return f"{expression_text(expression)} has exactly {count} {symbol.name} in {symbol.domain}: {between}"
        case Extremum(expression, symbol, at, minimum):
            kind = "minimum" if minimum else "maximum"
            said = f"{expression_text(expression)} has its only {kind} at {symbol.name} = {expression_text(at)}"
            before, after = ("falls", "rises") if minimum else ("rises", "falls")
            return f"{said}: it strictly {before} before and {after} after it" if statement.sloped else said
        case FixedPoint() | LocalExtremum() | Converges() | SomeZero() | EveryCycle() | EveryIterate():
            return _nearby(statement)
        case Summed(premise, weight, conclusion, scale):
            summands = (*expressions_of(premise), weight)
            among = sets_summed(summands, conclusion) or (index_set_of(statement),)
            every = f"for every {' and '.join(over.element for over in among)}"
            how = f"multiply by {expression_text(weight)}, sum, divide by {expression_text(scale)}"
            return f"{statement_text(premise)} {every} ⇒ {statement_text(conclusion)} ({how})"
        case TermOfTotal(body):
            every = f"for every {index_set_of(statement).element}"
            return f"{statement_text(ge(body, 0))} {every} ⇒ {statement_text(le(body, Total(body)))}"
        case ForEvery(symbol, body):
            return f"for every {symbol.name} in {symbol.domain}: {statement_text(body)}{_such_as(statement)}"
        case SequenceLimit() | LimitSuperior() | InTheLimit() | MonotoneLimit():
            return _of_sequences(statement)
        case Impossible(condition):
            return f"impossible: {statement_text(condition)}"
        case Existence(inner, at):
            values = ", ".join(f"{symbol.name} = {expression_text(value)}" for symbol, value in at)
            return f"{statement_text(inner)} at {values}"
        case _:
            raise UnsupportedError(f"no written form of {type(statement).__name__}")


def _such_as(statement: Supposed) -> str:
    """The examples of what is supposed."""
    where = statement.where if isinstance(statement, ForEvery) else None
    shown = ", ".join(map(statement_text, statement.shown_examples))
    return f" (such as {shown}{'' if where is None else f' where {statement_text(where)}'})" if shown else ""


def _of_sequences(statement: OfSequences) -> str:
    name = statement.symbol.name
    match statement:
        case SequenceLimit(term, _, to, by):
            said = f"{expression_text(term)} → {expression_text(to)} as {name} → ∞"
            if by is None:
                return f"{said}{_such_as(statement)}"
            return f"{said}, off by at most {expression_text(by)}, which tends to 0"
        case LimitSuperior(term, _, most, by, where):
            said = f"lim sup {_held(term, _PRODUCT)} ≤ {expression_text(most)} as {name} → ∞"
            known = "" if where is None else f" with {statement_text(where)}"
            return f"{said}, by the limit of {expression_text(by)}, which is no less for every {name}{known}"
        case InTheLimit(conclusion, _, because):
            return f"{statement_text(conclusion)}, from {statement_text(because)} as {name} → ∞"
        case MonotoneLimit(term, _, bound, rising):
            never, sign = ("falls", "≤") if rising else ("rises", "≥")
            said = f"{expression_text(term)} has a limit as {name} → ∞"
            return f"{said}: it never {never} and is {sign} {expression_text(bound)}"


def _nearby(statement: Nearby) -> str:
    match statement:
        case LocalExtremum(expression, variables, at, minimum):
            kind = "minimum" if minimum else "maximum"
            curved = "convex" if minimum else "concave"
            where = _coordinates(variables, at)
            return f"{expression_text(expression)} has a strict local {kind} at {where}, stationary and {curved}"
        case FixedPoint():
            return _fixed_point(statement)
        case Converges(step, symbol, to, within):
            start, goal = f"{symbol.name} in {symbol.domain}", expression_text(to)
            close = "" if within is None else f" within {expression_text(within)} of it"
            steps = f"steps {symbol.name} → {expression_text(step)}"
            return f"{steps} lead nearer and converge to {goal} from {start}{close}"
        case SomeZero(expression, symbol, low, high):
            between = f"between {expression_text(low)} and {expression_text(high)}"
            return f"{expression_text(expression)} vanishes for some {symbol.name} {between}"
        case EveryCycle(step, symbol, low, middle, high):
            ends = ", ".join(map(expression_text, (low, middle, high)))
            return f"steps {symbol.name} → {expression_text(step)} have cycles of every length between {ends}"
        case EveryIterate(kept) if statement.counted is not None:
            name, first = statement.counted.name, expression_text(statement.start[0])
            why = f"at {name} = {first}, and at {name} + 1 wherever it holds at {name}"
            for factor, shift in (map(expression_text, change) for change in statement.changes):
                why += f"; terms become {factor} times what they were, and more by how {shift} grows to the next term"
            return f"{statement_text(kept)} for every {name} in {statement.counted.domain} by induction ({why})"
        case EveryIterate(kept, variables, moves, begin, condition):
            pairs = zip(variables, moves, begin, strict=True)
            moving = ", ".join(f"{one.name} → {expression_text(to)}" for one, to, _ in pairs)
            if condition is not None:
                values = ", ".join(f"{one.name} = {expression_text(value)}" for one, value in statement.such_as)
                moving += f" with {statement_text(condition)}" + (f" (such as {values})" if values else "")
            always = f"{statement_text(kept)} after any number of steps {moving} from {_coordinates(variables, begin)}"
            return f"{always} (there, and after a step from wherever it holds)"


def _fixed_point(statement: FixedPoint) -> str:
    steps, names = ", ".join(map(expression_text, statement.steps)), ", ".join(one.name for one in statement.variables)
    if statement.flow:
        moves = f"at the rate {steps} of {names}"
    elif statement.successors:
        moves = f"steps {names} → {', '.join(one.name for one in statement.successors)} with {steps} = 0"
    else:
        moves = f"steps {names} → {steps}"
    return f"{_coordinates(statement.variables, statement.at)} {statement.effect} ({statement.reason}): {moves}"


def _coordinates(variables: tuple[Symbol, ...], at: tuple[Expression, ...]) -> str:
    return ", ".join(
        symbol.name if symbol == value else f"{symbol.name} = {expression_text(value)}"
        for symbol, value in zip(variables, at, strict=True)
    )


def _limit(statement: Limit) -> str:
    name, point = statement.symbol.name, expression_text(statement.point)
    approach = {"oo": f"{name} → ∞", "+": f"{name} ↓ {point}", "-": f"{name} ↑ {point}"}[statement.side]
    value = "∞" if statement.value is None else expression_text(statement.value)
    text = f"{expression_text(statement.expression)} → {value} as {approach}"
    power = _rate(statement.distance, statement.exponent)
    constant = _held(statement.constant, _PRODUCT)
    if statement.value is None:
        text += f", at least {constant}/{power}"
    else:
        text += f", off by at most {constant}·{power}"
    return text if statement.near is None else f"{text} within {expression_text(statement.near)}"


def _rate(distance: Expression, exponent: Fraction) -> str:
    return _held(distance, _ATOM) + ("" if exponent == 1 else _exponent(Number(exponent)))


def _unique_zero(statement: UniqueZero) -> str:
    low = None if statement.lower is None else f"above {expression_text(statement.lower)}"
    high = None if statement.upper is None else f"below {expression_text(statement.upper)}"
    where = " and ".join(part for part in (low, high) if part) or f"in {statement.symbol.domain}"
    between = f"between {expression_text(statement.below)} and {expression_text(statement.above)}"
    return f"{expression_text(statement.expression)} has exactly one zero {statement.symbol.name} {where}: {between}"
