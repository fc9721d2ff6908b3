"""Terms: expressions and statements alike, each one object, so that equal terms are the same one.

A number is ``num`` of a Fraction, a symbol ``sym`` of its name; all else is an operator over terms, flags and None.
Everything that is read is bounded in size and depth, and nothing here simplifies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import Any, TypeAlias

#: What JSON holds.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
#: What is read from a file may be so large at most, and terms so large with what they repeat.
MOST_NODES, DEEPEST, LONGEST_NUMBER, LARGEST = 200_000, 400, 4_000, 20_000


class RefusedError(Exception):
    """Why a statement or a proof is not accepted; ``needed`` is a relation that was not shown, if that is all."""

    def __init__(self, why: str, needed: Term | None = None) -> None:
        super().__init__(why)
        self.needed = needed


_left = [inf]


def allow(work: float) -> None:
    """From now on so much work may be done, about as many steps as there are microseconds."""
    _left[0] = work


def spend(work: int) -> None:
    """Refuse to do more work than was allowed."""
    _left[0] -= work
    if _left[0] < 0:
        raise RefusedError("this takes too long")


class Term:
    """An operator over its arguments; made by ``make`` alone, so that equal terms are identical."""

    __slots__ = ("args", "depth", "free", "is_expression", "needed", "op", "size")

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self.op, self.args = op, args
        inner = [one for one in args if isinstance(one, Term)]
        self.depth: int = 1 + max((one.depth for one in inner), default=0)
        #: The names of all symbols that occur, bound ones as well.
        self.free: frozenset[str] = frozenset(args) if op == "sym" else frozenset().union(*(one.free for one in inner))
        self.size: int = 1 + sum(one.size for one in inner)
        self.is_expression: bool = op in ("num", "sym") or (
            OPERATORS.get(op) == len(args) == len(inner) and all(one.is_expression for one in inner)
        )
        #: What must hold for it to have a value, once that was asked.
        self.needed: tuple[Term, ...] | None = None
        spend(1 + len(self.free))
        if self.depth > DEEPEST or self.size > LARGEST:
            raise RefusedError(f"a term is nested deeper than {DEEPEST}, or larger than {LARGEST}")

    def __repr__(self) -> str:
        return str(self.args[0]) if self.op in ("sym", "num") else f"{self.op}{self.args}"


_KNOWN: dict[tuple[Any, ...] | str, Term] = {}


def _key(value: Fraction) -> str:
    """A number as text, which is not as easily made to have the hash of others."""
    return f"{value.numerator:x}/{value.denominator:x}"


def make(op: str, *args: Any) -> Term:
    """The one term with this operator and these arguments."""
    spend(1)
    # Python takes True for 1, so flags are told apart from numbers by their types.
    key = _key(*args) if op == "num" else (op, *args, *(type(one) for one in args if not isinstance(one, Term)))
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) > 10 * MOST_NODES:
            raise RefusedError("too many terms")
        found = _KNOWN[key] = Term(op, args)
    return found


def forget() -> None:
    """Let go of all terms if there are many: those of another claim are not compared with."""
    if len(_KNOWN) > MOST_NODES:
        _KNOWN.clear()
        # These are compared with by identity in every claim.
        _KNOWN.update({_key(*one.args): one for one in (ZERO, ONE, TWO)})


def number(value: Fraction | int) -> Term:
    """A rational number."""
    return make("num", Fraction(value))


def sym(name: str) -> Term:
    """A symbol."""
    return make("sym", name)


RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
COMBINATIONS = ("all", "any", "implies", "iff")
#: Operators with their numbers of operands. Nothing else is an expression.
OPERATORS: Mapping[str, int] = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "power", "maximum", "minimum"), 2),
    **dict.fromkeys(("negate", "sqrt", "exp", "log", "cosh", "sinh", "tanh", "absolute"), 1),
}


def read_terms(table: object, before: Sequence[Term] = ()) -> list[Term]:
    """The terms of a table of nodes, each a number as text or an operator with the places of earlier nodes.

    The nodes continue a table that was read ``before``.

    Raises:
        RefusedError: for what is no such table, or too large.
    """
    if not isinstance(table, list) or len(table) + len(before) > MOST_NODES:
        raise RefusedError("no table of terms, or one that is too large")
    found = [*before]
    for place, node in enumerate(table, start=len(before)):
        if isinstance(node, str):
            found.append(number(read_number(node)))
        elif isinstance(node, list) and node and isinstance(node[0], str) and node[0] not in ("num", "sym"):
            found.append(make(node[0], *(_argument(one, found, place) for one in node[1:])))
        elif isinstance(node, list) and len(node) == 2 and node[0] == "sym" and isinstance(node[1], str):
            found.append(sym(node[1]))
        else:
            raise RefusedError(f"node {place} is no term")
    return found


def _argument(one: object, found: list[Term], place: int) -> object:
    if one is None or isinstance(one, bool | str):
        return one
    if isinstance(one, int) and 0 <= one < place:
        return found[one]
    raise RefusedError(f"node {place} refers to {one!r}, which is no earlier node")


def read_number(text: object) -> Fraction:
    """A rational number as text, such as ``-3/4``."""
    if not isinstance(text, str) or len(text) > LONGEST_NUMBER:
        raise RefusedError("no number, or one that is too long")
    above, bar, below = text.partition("/")
    if not (
        above.removeprefix("-").isdecimal() and above.isascii() and (not bar or (below.isdecimal() and below.isascii()))
    ):
        raise RefusedError(f"{text[:40]!r} is no number")
    if bar and not int(below):
        raise RefusedError("a number is divided by 0")
    return Fraction(int(above), int(below) if bar else 1)


def is_expression(term: object) -> bool:
    """Whether a term is an expression of numbers, symbols and operators alone."""
    return isinstance(term, Term) and term.is_expression


def is_elementary(term: object) -> bool:
    """Whether a term is a relation between such expressions, or a combination of such relations."""
    if not isinstance(term, Term):
        return False
    if term.op in RELATIONS:
        return len(term.args) == 2 and all(map(is_expression, term.args))
    most = {"implies": 2, "iff": 2}.get(term.op, len(term.args))
    return term.op in COMBINATIONS and len(term.args) == most and all(map(is_elementary, term.args))


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """A term without binders with terms in the places of symbols, all at once."""
    if term.free.isdisjoint(values):
        return term
    if term.op == "sym":
        return values.get(term.args[0], term)
    return make(term.op, *(substitute(one, values) if isinstance(one, Term) else one for one in term.args))


def totals(*terms: Term, op: str = "total") -> Iterator[Term]:
    """All sums over elements in terms, or what is made with another operator."""
    for term in terms:
        if term.op == op:
            yield term
        yield from totals(*(one for one in term.args if isinstance(one, Term)), op=op)


def conjuncts(*statements: Term) -> Iterator[Term]:
    """Statements with conjunctions taken apart, however deep."""
    for one in statements:
        if one.op == "all":
            yield from conjuncts(*one.args)
        else:
            yield one


def relations_of(statement: Term) -> Iterator[Term]:
    """The relations in an elementary statement."""
    if statement.op in RELATIONS:
        yield statement
    else:
        for part in statement.args:
            yield from relations_of(part)


def negation(statement: Term) -> Term:
    """An elementary statement that holds where another one, which has a value, does not."""
    op, args = statement.op, statement.args
    if op in NEGATED:
        return make(NEGATED[op], *args)
    if op in ("all", "any"):
        return make("any" if op == "all" else "all", *map(negation, args))
    first, second = args
    if op == "implies":
        return make("all", first, negation(second))
    if op == "iff":
        return make("any", make("all", first, negation(second)), make("all", negation(first), second))
    raise RefusedError(f"no negation of {op}")


ZERO, ONE, TWO = number(0), number(1), number(2)


def derivative(
    term: Term, name: str, letters: Sequence[str] = (), others: Mapping[str, Term] = MappingProxyType({})
) -> Term:
    """The derivative of an expression by a symbol, wherever the expression has a value next to a point.

    By a coordinate with these letters a sum over its elements has that of its one term with this coordinate, or it is
    said what derivatives ``others`` have, what the coordinate is at other elements, and the sum has that of each term.
    """
    if name not in term.free and term.free.isdisjoint(others):
        return ZERO
    op, args = term.op, term.args
    if op == "sym":
        return others.get(args[0], ONE)
    slopes = [derivative(one, name, letters, others) for one in args if isinstance(one, Term)]
    u, du = args[0], slopes[0]
    match op:
        case "total":
            if args[1] not in letters:
                return make(op, du, args[1])
            _refuse_again(u, name, args[1])
            return du
        case "add":
            return _plus(du, slopes[1])
        case "subtract":
            return du if slopes[1] is ZERO else make("negate", slopes[1]) if du is ZERO else make(op, du, slopes[1])
        case "negate":
            return make(op, du)
        case "multiply":
            return _plus(_times(du, args[1]), _times(u, slopes[1]))
        case "divide":
            if slopes[1] is ZERO:
                return make(op, du, args[1])
            return make(op, make("subtract", _times(du, args[1]), _times(u, slopes[1])), make("power", args[1], TWO))
        case "supported" if args[1].free.isdisjoint((name, *others)):
            return make(op, du, args[1])
        case "power" if args[1].op == "num":
            n = args[1].args[0]
            return _times(_times(args[1], u if n == 2 else make(op, u, number(n - 1))), du)
    outer = {
        "applied": lambda: make(op, args[0], args[1] + "'", args[2]),
        "sqrt": lambda: make("divide", ONE, make("multiply", TWO, term)),
        "exp": lambda: term,
        "log": lambda: make("divide", ONE, u),
        "cosh": lambda: make("sinh", u),
        "sinh": lambda: make("cosh", u),
        "tanh": lambda: make("subtract", ONE, make("power", term, TWO)),
    }
    if op not in outer:
        raise RefusedError(f"no derivative of {op}")
    return _times(outer[op](), slopes[0])


def _refuse_again(term: Term, name: str, letter: str) -> None:
    if term.op == "total" and term.args[1] == letter and name in term.free:
        raise RefusedError(f"every term of {term} depends on {name} at each element")
    for one in term.args:
        if isinstance(one, Term):
            _refuse_again(one, name, letter)


def _plus(left: Term, right: Term) -> Term:
    return right if left is ZERO else left if right is ZERO else make("add", left, right)


def _times(left: Term, right: Term) -> Term:
    if ZERO in (left, right):
        return ZERO
    return right if left is ONE else left if right is ONE else make("multiply", left, right)


def conditions(term: Term) -> tuple[Term, ...]:
    """What must hold for an expression to have a value, inner ones first: each has one given those before it."""
    if term.needed is None:
        term.needed = tuple(dict.fromkeys(_conditions(term)))
    spend(1 + len(term.needed))
    return term.needed


def _conditions(term: Term) -> Iterator[Term]:
    op, args = term.op, term.args
    if op == "supported":
        yield from conditions(args[1])
        yield from (make("implies", make("!=", args[1], ZERO), one) for one in conditions(args[0]))
        return
    for one in args:
        if isinstance(one, Term):
            yield from conditions(one)
    if op == "divide" and (args[1].op != "num" or args[1] is ZERO):
        yield make("!=", args[1], ZERO)
    elif op == "power":
        if args[1].op != "num":
            yield make(">", args[0], ZERO)
        elif args[1].args[0].denominator == 2:
            yield make(">=" if args[1].args[0] > 0 else ">", args[0], ZERO)
        elif args[1].args[0].denominator != 1:
            raise RefusedError("an exponent is neither an integer nor half of one")
        elif args[1].args[0] <= 0:
            yield make("!=", args[0], ZERO)
    elif op == "sqrt" and not (args[0].op == "num" and args[0].args[0] >= 0):
        yield make(">=", args[0], ZERO)
    elif op == "log" and not (args[0].op == "num" and args[0].args[0] > 0):
        yield make(">", args[0], ZERO)
