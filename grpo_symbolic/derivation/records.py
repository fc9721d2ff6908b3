"""Claims as records, the JSON from which the kernel starts; its form is said in ``kernel.statements``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.terms import Json
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Delta,
    Derivative,
    Expression,
    Number,
    Substitution,
    Symbol,
    Total,
    free_symbols,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement, expressions_of
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied, ForEvery, UnknownFunction

#: The composite kinds that the kernel knows; their fields are written in the order in which they are declared.
_HEADS: dict[type[Statement], str] = {
    Monotone: "monotone",
    Limit: "limit",
    UniqueRoot: "unique-root",
    UniqueZero: "unique-zero",
    Zeros: "zeros",
    Extremum: "extremum",
    Summed: "summed",
    TermOfTotal: "term-of-total",
    FixedPoint: "fixed-point",
    LocalExtremum: "local-extremum",
    EveryIterate: "every-iterate",
    Converges: "converges",
    SomeZero: "some-zero",
    EveryCycle: "every-cycle",
    ForEvery: "for-every",
    SequenceLimit: "sequence-limit",
    LimitSuperior: "limit-superior",
    InTheLimit: "in-the-limit",
    MonotoneLimit: "monotone-limit",
}
#: The operators that it knows.
_OPERATORS = frozenset(
    {
        *("add", "subtract", "multiply", "divide", "power", "negate"),
        *("maximum", "minimum", "absolute", "sqrt", "exp", "log", "cosh", "sinh", "tanh"),
    }
)


@dataclass(frozen=True)
class Names:
    """What the names in a record stand for: symbols, and sets by the letters of their elements."""

    symbols: Mapping[str, Symbol]
    sets: Mapping[str, IndexSet]
    functions: Mapping[str, UnknownFunction]

    def symbol(self, name: str) -> Symbol:
        """The symbol of a name; with a prime it is another value of the same one, with a bracket one of a function."""
        if "(" in name:
            return self._value(name)
        found = self.symbols[name.rstrip("'")]
        return found if found.name == name else replace(found, name=name)

    def _value(self, name: str) -> Symbol:
        called, _, rest = name.rstrip("'").removesuffix(")").partition("(")
        function, argument = self.functions[called], rest.lstrip("'")
        primes = rest[: len(rest) - len(argument)]
        if argument.startswith("~"):
            return Symbol(name, function.on, "", rf"\xi_{{{argument[1:]}}}")
        shown = " + ".join(self.symbols[one].latex if one in self.symbols else one for one in argument.split(" + "))
        domain = Interval(None, None) if primes else function.values
        return Symbol(name, domain, "", f"{function.latex}{primes}({shown})")


def record_of(claim: Claim) -> tuple[dict[str, Json], Names]:
    """A claim with its symbols, definitions, hypotheses, lemmas and derivation, and what the names in it stand for.

    Raises:
        UnsupportedError: for what the kernel has no word for, by its name.
    """
    table = Records()
    return table.record(claim), Names(
        {name: symbol for symbol, name in table.names.items()},
        table.letters,
        {name: function for function, name in table._functions.items()},
    )


class Records:
    """A table of terms in which each stands once."""

    def __init__(self) -> None:
        self.terms: list[Json] = []
        self.symbols: dict[str, Json] = {}
        self.definitions: dict[str, Json] = {}
        self._known: dict[object, int] = {}
        self.names: dict[Symbol, str] = {}
        self._keys: dict[Definition, str] = {}
        self.functions: dict[str, Json] = {}
        self._functions: dict[UnknownFunction, str] = {}
        self.letters: dict[str, IndexSet] = {}

    def record(self, claim: Claim) -> dict[str, Json]:
        """The record of a claim."""
        stated = (claim.statement, *claim.given)
        for expression in expressions_of(stated):
            # What is bound somewhere gives way to what is not.
            for symbol in free_symbols(expression):
                self._symbol(symbol)
        statement, given = self._statement(claim.statement), self._given(claim.given)
        helping = dict.fromkeys((*claim.using, *(one for one in claim.using_anywhere if one.assuming)))
        record: dict[str, Json] = {
            "format": 1,
            "id": claim.id,
            "symbols": self.symbols,
            "definitions": self.definitions,
            "terms": self.terms,
            "statement": statement,
            "given": given,
            "assumed": claim.assumed,
            "lemmas": [self._lemma(one) for one in helping],
            "derivation": self._derivation(claim),
        }
        return record | ({"functions": self.functions} if self.functions else {})

    def _given(self, given: Iterable[Statement]) -> list[Json]:
        return [self._statement(one) for one in given]

    def _lemma(self, lemma: Lemma) -> Json:
        return {
            "claim": lemma.claim.id,
            "statement": self._statement(lemma.claim.statement),
            "given": self._given(lemma.claim.given),
            "values": [[self._symbol(symbol), self._expression(value)] for symbol, value in lemma.values],
            "ends": None if lemma.ends is None else [*map(self._expression, lemma.ends)],
            "supposed": lemma.assuming,
        }

    def _derivation(self, claim: Claim) -> Json:
        chain = claim.derivation
        if chain is None or not chain.steps:
            return None
        lines = [self._field(line) for line in (chain.start, *(step.to for step in chain.steps))]
        steps = zip(chain.steps, lines[1:], claim.step_ids, strict=True)
        return {
            "start": lines[0],
            "given": self._given(chain.given),
            "steps": [[step.relation, line, name] for step, line, name in steps],
        }

    def _add(self, key: object, node: Json) -> int:
        place = self._known[key] = len(self.terms)
        self.terms.append(node)
        return place

    def _statement(self, statement: Statement) -> int:
        found = self._known.get(statement)
        return self._add(statement, self._said(statement)) if found is None else found

    def _said(self, statement: Statement) -> Json:
        match statement:
            case Relation(left, operator, right):
                return [operator, self._expression(left), self._expression(right)]
            case All(parts) | Any(parts):
                if not parts:
                    raise UnsupportedError("a combination of nothing")
                return ["all" if isinstance(statement, All) else "any", *map(self._statement, parts)]
            case Implies(premise, conclusion):
                return ["implies", self._statement(premise), self._statement(conclusion)]
            case Equivalent(left, right):
                return ["iff", self._statement(left), self._statement(right)]
            case Existence(inner, at):
                lists = [self._list(one[place] for one in at) for place in (0, 1)]
                return ["instance", self._statement(inner), *lists]
            case EveryIterate(changes=changes) if changes:
                raise UnsupportedError("sums whose terms change")
        if type(statement) not in _HEADS:
            raise UnsupportedError(type(statement).__name__)
        fields = [value for name, value in vars(statement).items() if name != "changes"]
        match statement:
            case ForEvery(symbol=symbol, such_as=examples) | SequenceLimit(symbol=symbol, such_as=examples):
                shown = tuple((Applied(function, symbol), value) for function, value in examples)
                fields[fields.index(examples)] = shown
        if isinstance(statement, SequenceLimit | LimitSuperior | InTheLimit | MonotoneLimit):
            fields = [fields[1], fields[0], *fields[2:]]
        return [_HEADS[type(statement)], *map(self._field, fields)]

    def _field(self, value: object) -> Json:
        match value:
            case Expression():
                return self._expression(value)
            case Statement():
                return self._statement(value)
            case tuple():
                pairs = (one for item in value for one in (item if isinstance(item, tuple) else (item,)))
                return self._list(pairs)
            case bool() | str() | None:
                return value
        return self._expression(Number(value))  # type: ignore[arg-type]

    def _list(self, items: Iterable[Expression]) -> int:
        places = [*map(self._expression, items)]
        key = ("list", *places)
        found = self._known.get(key)
        return self._add(key, ["list", *places]) if found is None else found

    def _expression(self, expression: Expression) -> int:
        found = self._known.get(expression)
        return self._add(expression, self._node(expression)) if found is None else found

    def _node(self, expression: Expression) -> Json:
        match expression:
            case Number(value):
                return str(value)
            case Symbol():
                return ["sym", self._symbol(expression)]
            case Apply(operator, operands):
                if operator not in _OPERATORS:
                    raise UnsupportedError(operator)
                return [operator, *map(self._expression, operands)]
            case Applied(function, argument, order):
                return ["applied", self._function(function), "'" * order, self._expression(argument)]
            case Derivative(body, symbol):
                return ["derivative", self._expression(body), self._expression(symbol)]
            case Substitution(body, symbol, replacement):
                return ["substitution", *map(self._expression, (body, symbol, replacement))]
            case Supported(body, on):
                return ["supported", self._expression(body), self._expression(on)]
            case Delta(other):
                return ["delta", self._letter(other), self._letter(other.whole)]
            case Total(body, over):
                if over is None:
                    raise UnsupportedError("a sum over nothing in particular")
                return ["total", self._expression(body), self._letter(over)]
            case GroupExpectation(body, member, size, law, own, mixed):
                laws = (law.values, law.chances, own.values, own.chances)
                return ["expectation", *map(self._expression, (body, member, size)), *map(self._list, laws), mixed]
            case Call(definition, arguments):
                return ["call", self._definition(definition), *map(self._expression, arguments)]
        raise UnsupportedError(type(expression).__name__)

    def _definition(self, definition: Definition) -> str:
        if definition not in self._keys:
            entry: Json = [[*map(self._symbol, definition.parameters)], self._expression(definition.body)]
            self._keys[definition] = _free(definition.name, self.definitions)
            self.definitions[self._keys[definition]] = entry
        return self._keys[definition]

    def _function(self, function: UnknownFunction) -> str:
        if function not in self._functions:
            self._functions[function] = name = _free(function.name, {*self.functions, *self.symbols})
            self.functions[name] = [_domain(function.on), _domain(function.values), function.derivatives]
        return self._functions[function]

    def _symbol(self, symbol: Symbol) -> str:
        if symbol not in self.names:
            family = None if symbol.of is None else self._symbol(symbol.of)
            letters: list[Json] = [*map(self._letter, symbol.indices)]
            self.names[symbol] = name = _free(symbol.name, self.symbols)
            self.symbols[name] = [*_domain(symbol.domain), letters, family]
        return self.names[symbol]

    def _letter(self, index: IndexSet) -> str:
        if self.letters.setdefault(index.letter, index) != index:
            raise UnsupportedError("two index sets with one letter")
        return index.letter


def _domain(domain: Interval) -> list[Json]:
    low, high = (None if end is None else str(end) for end in (domain.lower, domain.upper))
    return [low, high, domain.lower_closed, domain.upper_closed, domain.whole]


def _free(name: str, taken: Iterable[str]) -> str:
    """A name that is not taken; primes are for other values of the same symbol."""
    known, number, plain = set(taken), 1, name.rstrip("'") or "symbol"
    name = plain
    while name in known:
        number += 1
        name = f"{plain}#{number}"
    return name
