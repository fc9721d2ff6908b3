r"""Obligations about unknown functions, reduced to obligations about letters for their values.

Soundness. An obligation about an unknown function f says something of each such function. Its values at finitely many
arguments are numbers in the range of f, and at equal arguments they are equal, as slopes are. So what holds of all
numbers of which this is true holds of all functions. What is supposed of a value at one argument is supposed there
only.

Refutations hold as well: to finitely many arguments, which differ where values or slopes do, there is a polynomial with
these values and slopes (Hermite). Where values are restricted there are no slopes, and there is a continuous function
with these values, straight between the arguments, that stays between them, and one that is as smooth as one likes.

Where something is supposed at every argument, this is used at those that there are, and where the mean value theorem
has a slope between two of them. Letters that are like this need belong to no function that is, so nothing is refuted by
them: a statement is refuted where it fails for the examples, which it names, or where these are not what is supposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, pairwise, starmap

from grpo_symbolic.errors import DeclarationError, UnsupportedError
from grpo_symbolic.language.calculus import differentiate, unfold
from grpo_symbolic.language.composites import Existence
from grpo_symbolic.language.definedness import differentiated, side_conditions
from grpo_symbolic.language.domain import Interval
from grpo_symbolic.language.expression import (
    Apply,
    Expression,
    Number,
    Symbol,
    Total,
    free_indices,
    free_symbols,
    is_whole,
    rebuild,
    substitute,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.sequences import LimitSuperior, SequenceLimit, Supposed, supposed_of_functions
from grpo_symbolic.language.statement import (
    All,
    Any,
    Implies,
    Relation,
    Statement,
    conjunction,
    eq,
    expressions_of,
    le,
    map_expressions,
    substitute_statement,
    symbols_of,
)
from grpo_symbolic.language.unknown import (
    Applied,
    ForEvery,
    UnknownFunction,
    applications,
    has_unknown,
    unknown_functions,
)
from grpo_symbolic.obligations.nearby import refuse_jumps
from grpo_symbolic.obligations.obligation import (
    Obligation,
    Plan,
    domain_statements,
    values_needed,
    within,
)

#: The label of what has to be shown of arguments, with that of what they stand in.
_DEFINED = "{}: arguments where functions are defined"
#: Chords are drawn between at most as many arguments.
_MOST_PLACES = 3


def told_apart(
    statement: Statement, hypotheses: Iterable[Statement]
) -> tuple[tuple[Supposed, ...], tuple[Statement, ...]]:
    """What is supposed of functions at all arguments or in the limit, unfolded, and what else is supposed.

    Raises:
        DeclarationError: if the former speaks of a symbol that the statement binds, if two
            examples are of one function or none is, if names are not told apart, and if the former is stated.
    """
    listed = tuple(hypotheses)
    unknown_functions(*listed, statement)
    if isinstance(statement, ForEvery):
        raise DeclarationError(f"what is stated holds for every {statement.symbol} anyway: state {statement.body}")
    generic = supposed_of_functions(listed)
    bound = set(_bound(statement)) if generic else set()
    examples: dict[UnknownFunction, tuple[Symbol, Expression]] = {}
    for item in generic:
        free = {symbol for side in expressions_of(item) for symbol in free_symbols(side)} - {item.symbol}
        for symbol in free & bound:
            raise DeclarationError(f"{item} speaks of {symbol}, which the statement binds; give it another name")
        for function, example in item.examples.items():
            if examples.setdefault(function, example) != example:
                raise DeclarationError(f"two examples of {function.name}: one has to be like all that is supposed")
    for item in generic:
        if isinstance(item, SequenceLimit) and item.sequence not in examples:
            raise DeclarationError(
                f"{item.term} tends to {item.to}: give an example of {item.sequence.name} in such_as"
            )
    unfolded = supposed_of_functions(map_expressions(_with_values(item), unfold) for item in generic)
    return unfolded, tuple(item for item in listed if not isinstance(item, Supposed))


def where_examples_are(generic: Iterable[Supposed]) -> tuple[Statement, ...]:
    """What has to hold for examples to be like what is supposed, unfolded."""
    return tuple(item.where for item in generic if isinstance(item, ForEvery) and item.where is not None)


def _with_values(item: Supposed) -> Supposed:
    """What is supposed, and that what it differentiates has values, without which it would not hold."""
    if not isinstance(item, ForEvery):
        return item
    return replace(item, body=conjunction((item.body, *values_needed(differentiated(item.body)))))


def refuse_captured(generic: Iterable[Statement], plans: Iterable[Plan], stated: Iterable[Statement]) -> None:
    """Refuse symbols of what is supposed everywhere that are called as those that plans have beside what is stated.

    Raises:
        DeclarationError: if there are such, of which something would be supposed that is not so.
    """
    own = {symbol.name for item in generic for side in expressions_of(item) for symbol in free_symbols(side)}
    own -= {symbol.name for symbol in symbols_of(*stated)}
    for name in own.intersection(symbol.name for plan in plans for item in plan for symbol in item.symbols):
        raise DeclarationError(f"what is supposed speaks of {name}, as another number is called; rename it")


def _bound(statement: Statement) -> Iterator[Symbol]:
    """The symbols that a statement binds, or statements in it."""
    if isinstance(statement, Existence):
        yield from (symbol for symbol, _ in statement.at)
    if isinstance(statement, LimitSuperior):
        yield from statement.moving
    for name, value in vars(statement).items():
        values = value if isinstance(value, tuple) else (value,)
        if name in ("symbol", "variables", "successors"):
            yield from (item for item in values if isinstance(item, Symbol))
        for item in values:
            if isinstance(item, Statement):
                yield from _bound(item)


def with_examples(generic: Iterable[Supposed], statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Unfolded statements with the examples in the place of the functions of which something is supposed everywhere.

    An example may have values where its function has none: so arguments are arguments of the function.
    """
    stated, supposed = tuple(statements), tuple(generic)
    inside = dict.fromkeys(_inside(expressions_of(stated))) if supposed else ()
    return tuple(_at_example(supposed, item) for item in (*stated, *inside))


def _at_example(generic: Iterable[Supposed], statement: Statement) -> Statement:
    return map_expressions(statement, partial(_realised, examples=_examples(generic)))


def _examples(generic: Iterable[Supposed]) -> Mapping[UnknownFunction, tuple[Symbol, Expression]]:
    return {function: example for item in generic for function, example in item.examples.items()}


def examples_hold(generic: tuple[Supposed, ...], given: tuple[Statement, ...]) -> Plan:
    """That examples are what is supposed, wherever the rest of what is supposed holds."""
    known = with_examples(generic, (*given, *where_examples_are(generic)))
    taken = {symbol.name for side in expressions_of((generic, known)) for symbol in free_symbols(side)}
    found: list[Obligation] = []
    for number, one in enumerate(generic, start=1):
        item = one if isinstance(one, ForEvery) else _settled(one, generic)
        # It has all values here, also where what else is supposed restricts one of its name.
        anywhere = replace(item.symbol, name=_fresh(f"{item.symbol.name}_any", taken))
        moved = {item.symbol: anywhere}
        smooth = tuple(slope for function, example in item.such_as for slope in _smooth(function, item.symbol, example))
        said = substitute_statement(item.body, moved)
        body = conjunction(with_examples(generic, (said,)))
        examples = tuple(substitute(unfold(example), moved) for _, example in item.such_as)
        inside = (
            within(function.values, example)
            for (function, _), example in zip(item.such_as, examples, strict=True)
            if not function.values.is_whole_line
        )
        conclusion = conjunction((body, *inside))
        found.append(
            Obligation(
                f"example {number} of what is supposed",
                known,
                conclusion,
                True,
                tuple(substitute(value, moved) for value in smooth),
            )
        )
    return tuple(found)


def _settled(limit: SequenceLimit, generic: Iterable[Supposed]) -> ForEvery:
    """What the example of a sequence is like that has a limit."""
    symbol, example = _examples(generic)[limit.sequence]
    return limit.settled(substitute(example, {symbol: limit.symbol}))


def at_examples(plan: Plan, generic: tuple[Supposed, ...]) -> Iterator[Obligation]:
    """What obligations say of the examples, of which a statement speaks among others: there it can be refuted."""
    where = where_examples_are(generic)
    for item in plan if generic else ():
        if item.necessary:
            inside = tuple(dict.fromkeys(_inside((*expressions_of(item.conclusion), *item.defined))))
            if inside:
                there = _at_example(generic, conjunction(inside))
                yield from by_letters(
                    Obligation(
                        f"{_DEFINED.format(item.label)}, of the examples",
                        with_examples(generic, (*item.hypotheses, *where)),
                        there,
                    )
                )
            hypotheses = with_examples(generic, (*item.hypotheses, *where, *inside))
            conclusion = _at_example(generic, item.conclusion)
            defined = tuple(_realised(one, _examples(generic)) for one in item.defined)
            yield from by_letters(
                replace(
                    item,
                    label=f"{item.label}, of the examples",
                    hypotheses=hypotheses,
                    conclusion=conclusion,
                    defined=defined,
                )
            )


def _smooth(function: UnknownFunction, symbol: Symbol, example: Expression) -> Iterator[Expression]:
    """An example and as many of its derivatives as its function has.

    Raises:
        UnsupportedError: if it may jump and its function does not, or if it has no such derivative.
    """
    value = unfold(example)
    yield value
    if function.derivatives is not None:
        refuse_jumps(value, symbol)
    for _ in range(function.derivatives or 0):
        value = differentiate(value, symbol)
        yield value


def _realised(expression: Expression, examples: Mapping[UnknownFunction, tuple[Symbol, Expression]]) -> Expression:
    children = tuple(_realised(child, examples) for child in expression.children)
    if not isinstance(expression, Applied) or expression.function not in examples:
        return rebuild(expression, children)
    symbol, value = examples[expression.function]
    value = unfold(value)
    for _ in range(expression.order):
        value = differentiate(value, symbol)
    return substitute(value, {symbol: children[0]})


def by_letters(obligation: Obligation, generic: tuple[Supposed, ...] = ()) -> Plan:
    """The obligation with a letter for each value of an unknown function, and that its arguments are arguments of it.

    Raises:
        UnsupportedError: if an argument may have no value, or is of one element of a set or bound by a sum, an
            integral or the like.
    """
    said = (*expressions_of(obligation.conclusion), *obligation.defined)
    if not has_unknown(*obligation.expressions, *said):
        # What is supposed of functions everywhere may exclude a counterexample.
        return (replace(obligation, necessary=False) if generic else obligation,)
    supposed = tuple(expressions_of(obligation.hypotheses))
    everywhere = tuple(expressions_of(generic))
    letters = _Letters({symbol.name for item in (*supposed, *said, *everywhere) for symbol in free_symbols(item)})
    change = partial(map_expressions, change=letters.put)
    hypotheses = tuple(map(change, obligation.hypotheses))
    conclusion, defined = change(obligation.conclusion), tuple(map(letters.put, obligation.defined))
    stated, hidden = (tuple(dict.fromkeys(_inside(part))) for part in (said, supposed))
    plainly = (*hypotheses, *letters.congruence())
    instances = tuple(_instances(generic, letters))
    hypotheses = (*hypotheses, *letters.congruence(), *instances)
    # Where an argument of what is supposed may be none, nobody knows whether it holds there.
    necessary = obligation.necessary and not hidden and not generic
    inside = tuple(change(item) for item in dict.fromkeys((*hidden, *stated)))
    lettered = replace(obligation, hypotheses=hypotheses, conclusion=conclusion, defined=defined, necessary=necessary)
    if not inside:
        return (lettered,)
    return lettered, Obligation(_DEFINED.format(obligation.label), plainly, conjunction(inside), necessary)


def _instances(supposed: tuple[Supposed, ...], letters: _Letters) -> Iterator[Statement]:
    """What is supposed everywhere at all arguments that there are, and where the mean value theorem has slopes."""
    generic = tuple(item for item in supposed if isinstance(item, ForEvery))
    functions = {node.function: None for item in generic for node in applications(*expressions_of(item.body))}
    sloped = {node.function for item in generic for node in applications(*expressions_of(item.body)) if node.order}
    known = tuple(letters.known)
    places = dict.fromkeys(argument for function, _, argument in known if function in functions)
    for function in functions:
        values = [argument for other, order, argument in known if other == function and not order]
        pairs = list(combinations(values, 2)) if function in sloped and len(values) <= _MOST_PLACES else []
        for first, second in pairs:
            between = letters.fresh(function)
            places.setdefault(between)
            rise, run = letters.value(function, first) - letters.value(function, second), first - second
            yield eq(rise, letters.put(function.slope(between)) * run)
            yield Any((_ordered(first, between, second), _ordered(second, between, first)))
    for item in generic:
        for place in places:
            if not item.symbol.domain.whole or is_whole(place):
                said = map_expressions(substitute_statement(item.body, {item.symbol: place}), letters.put)
                inside = domain_statements({item.symbol: place})
                yield Implies(conjunction(inside), said) if inside else said


def _ordered(*points: Expression) -> Statement:
    return All(tuple(starmap(le, pairwise(points))))


def of_constants(generic: Iterable[Supposed], statements: Iterable[Statement], symbol: Symbol) -> tuple[Statement, ...]:
    """Unfolded statements of the examples and of constant functions, with a letter each: they can hold of every number.

    Raises:
        DeclarationError: if they still speak of the symbol, so that they may hold of some numbers only.
    """
    known = with_examples(generic, statements)
    known = (*known, *dict.fromkeys(_inside(expressions_of(known))))
    taken = {one.name for side in expressions_of(known) for one in free_symbols(side)}
    constants = {
        one: (symbol, Symbol(_fresh(f"{one.name}_always", taken), one.values, one.meaning, one.latex))
        for one in unknown_functions(*known)
    }
    found = tuple(map_expressions(item, partial(_realised, examples=constants)) for item in known)
    if symbol in symbols_of(*found):
        raise DeclarationError(
            f"what is known of every {symbol} compares {symbol} itself, or an example that depends on it, and may hold "
            f"of the first numbers only: suppose with for_every, of a sequence with an example, what is so of every "
            f"{symbol}, and state with implies what holds of some"
        )
    return found


def in_letters(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Statements with letters for the values of unknown functions, and that values at equal arguments are equal."""
    expressions = tuple(expressions_of(statements))
    letters = _Letters({symbol.name for item in expressions for symbol in free_symbols(item)})
    inside = dict.fromkeys(_inside(expressions))
    changed = tuple(map_expressions(item, letters.put) for item in (*statements, *inside))
    return (*changed, *letters.congruence())


def _inside(expressions: Iterable[Expression]) -> Iterator[Relation]:
    """That arguments are arguments of their functions, where this is not plain."""
    for node in applications(*expressions):
        if not node.function.lies_plainly(node.argument):
            yield from node.function.inside(node.argument)


def _shown(argument: Expression) -> str | None:
    """A symbol, a whole number, or a sum of such, as LaTeX, to be seen in the letter for a value there."""
    match argument:
        case Symbol():
            return argument.latex
        case Number(value) if value.denominator == 1 and value >= 0:
            return str(value.numerator)
        case Apply("add", operands):
            parts = [_shown(operand) for operand in operands]
            return None if None in parts else " + ".join(map(str, parts))
    return None


@dataclass
class _Letters:
    """The letters for values of unknown functions, by the function, the order of its derivative and the argument."""

    taken: set[str]
    known: dict[tuple[UnknownFunction, int, Expression], Symbol] = field(default_factory=dict)

    def put(self, expression: Expression) -> Expression:
        """An unfolded expression with letters."""
        if not has_unknown(expression):
            return expression
        binds = expression.bound is not None or isinstance(expression, Total | GroupExpectation)
        if binds:
            raise UnsupportedError(f"{expression}: a function of which nothing is known stands in what binds a symbol")
        children = tuple(map(self.put, expression.children))
        if not isinstance(expression, Applied):
            return rebuild(expression, children)
        return self._letter(expression, children[0])

    def _letter(self, applied: Applied, argument: Expression) -> Symbol:
        function, order = applied.function, applied.order
        if free_indices(argument):
            raise UnsupportedError(f"{applied}: its argument is of one element; say it of a letter")
        if side_conditions(argument):
            raise UnsupportedError(f"{applied}: its argument may have no value; give it a letter, and say which it is")
        found = self.known.get((function, order, argument))
        if found is None:
            values = Interval(None, None) if order else function.values
            name, place = self._name(applied, argument), _shown(argument)
            shown = name if place is None else rf"{applied.latex}({place})"
            found = Symbol(name, values, f"value of {applied.sign} at {argument}", shown)
            self.known[function, order, argument] = found
        return found

    def value(self, function: UnknownFunction, argument: Expression) -> Symbol:
        """The letter for a value that has one."""
        return self.known[function, 0, argument]

    def fresh(self, function: UnknownFunction) -> Symbol:
        """A letter for an argument between two others."""
        name = _fresh("between", self.taken)
        return Symbol(name, function.on, "where the slope is that of a chord", name)

    def _name(self, applied: Applied, argument: Expression) -> str:
        place = argument.name if isinstance(argument, Symbol) else "argument"
        return _fresh(f"{applied.function.name}{'_prime' * applied.order}_at_{place}", self.taken)

    def congruence(self) -> tuple[Statement, ...]:
        """That a function has equal values at equal arguments."""
        return tuple(
            Implies(eq(here, there), eq(self.known[f, m, here], self.known[g, n, there]))
            for (f, m, here), (g, n, there) in combinations(self.known, 2)
            if f == g and m == n and not _differ_plainly(here, there)
        )


def _fresh(name: str, taken: set[str]) -> str:
    """A name that is not taken, from now on taken as well."""
    chosen, number = name, 1
    while chosen in taken:
        number += 1
        chosen = f"{name}_{number}"
    taken.add(chosen)
    return chosen


def _differ_plainly(first: Expression, second: Expression) -> bool:
    """Whether two arguments are numbers away from the same symbol, or from 0, and these numbers differ."""
    (base, shift), (other, further) = map(_shifted, (first, second))
    return base == other and shift != further


def _shifted(expression: Expression) -> tuple[Expression | None, object]:
    match expression:
        case Number(value):
            return None, value
        case Apply("add", (base, Number(value))):
            return base, value
    return expression, 0
