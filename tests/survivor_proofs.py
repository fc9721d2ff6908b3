"""Proofs that a surviving mutant is implied by its claim: facts that are decided, from which the mutant is decided.

A mutant differs from its claim in one node. The changed node is compared with the original, then the comparison
is carried up through every node above it: for fresh symbols in the place of the operands, of which only the sign and
the comparison below are known, the comparison above is decided. At the top, the claim and the comparison imply
the mutant, again for fresh symbols. Where the sign of an operand is not known, both cases are looked at.

All this only finds the facts. What shows that the claim implies the mutant is the judge, who is asked about every
fact alone, and then about the mutant with the claim and the facts as lemmas, as about every claim that uses others:
a fact about fresh symbols is used as a ``Lemma`` at the operands for which they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial

from grpo_symbolic import eq, ge, gt, le, lt, real
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Lemma
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.evidence import STANDING, Verdict
from grpo_symbolic.judging.claims import hypotheses_and_lemmas
from grpo_symbolic.judging.judge import judge_statement
from grpo_symbolic.judging.mutants import own_facts
from grpo_symbolic.language.composites import Summed
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Expression,
    Number,
    Symbol,
    Total,
    free_symbols,
    rebuild,
)
from grpo_symbolic.language.statement import All, Implies, Relation, Statement, is_elementary
from grpo_symbolic.translate.text import statement_text

SETTINGS = Settings(digits=20, points=12, effort=4_000, boxes=2_000, hunt=False)
#: How many operands of unknown sign are looked at, and how many statements that resist the judge end a search, unless
#: somebody is more patient.
SPLITS, PATIENCE = 4, 6
COMPARISONS = (eq, ge, le)
SIGNS = (gt, lt, ge, le)
ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))
Comparison = Callable[..., Relation]
Values = tuple[tuple[Symbol, Expression], ...]


@dataclass(frozen=True)
class Fact:
    """A statement under hypotheses, and what stands for its fresh symbols where it is used."""

    statement: Statement
    hypotheses: tuple[Statement, ...]
    values: Values = ()
    lemmas: tuple[Statement, ...] = ()

    @property
    def text(self) -> str:
        """The fact for a reader, without what it takes from the claim."""
        parts = [statement_text(self.statement), " and ".join(map(statement_text, self.hypotheses))]
        return ", given ".join(filter(None, parts))

    @property
    def consequence(self) -> Statement:
        """What may be used of the fact, by the rules for lemmas."""
        return Lemma(Claim("survivor.fact", "a fact", self.statement, self.hypotheses), self.values).statement


#: Whether a fact may be used.
Ask = Callable[[Fact], bool]


@dataclass(frozen=True)
class Context:
    """What may be used about the symbols of a claim: its hypotheses, its lemmas, what it says itself, and a case."""

    given: tuple[Statement, ...]
    lemmas: tuple[Statement, ...]
    ask: Ask
    case: tuple[Statement, ...] = ()
    unsigned: dict[Expression, None] = field(default_factory=dict)

    def holds(self, statement: Statement) -> bool:
        """Whether a statement about the symbols of the claim is a fact, if need be in this case only."""
        known = dict.fromkeys([self.given, (*self.given, *self.case)])
        if any(statement in hypotheses for hypotheses in known):
            return True
        return any(self.ask(Fact(statement, hypotheses, lemmas=self.lemmas)) for hypotheses in known)

    def follows(
        self, statement: Statement, hypotheses: Sequence[Statement], values: Mapping[Symbol, Expression]
    ) -> bool:
        """Whether a statement about fresh symbols, which stand for some expressions, is a fact."""
        return statement in hypotheses or self.ask(Fact(statement, tuple(hypotheses), tuple(values.items())))


def proof(
    made: Claim, mutant: Statement, known: Collection[str] | None = None, patience: int = PATIENCE
) -> tuple[Fact, ...] | None:
    """Facts, decided one by one, the last of which is that a claim implies a mutant; None if this way finds none.

    Of a composite statement nothing is found, since what it says of single points need not be all that it says.

    Facts are looked for among those with the texts in ``known``, if that is given.
    """
    if made.refuted is not None or not is_elementary(made.statement):
        return None
    given, lemmas = hypotheses_and_lemmas(made)
    context = Context(given, (*lemmas, *own_facts(made)), lambda fact: False)
    found: dict[Fact, None] = {}
    resisted: set[Fact] = set()

    def ask(fact: Fact) -> bool:
        if fact not in found and len(resisted) < patience and (known is None or fact.text in known):
            said = verdict(fact)
            if said in STANDING:
                found[fact] = None
            elif said is not Verdict.REFUTED:
                resisted.add(fact)
        return fact in found

    cases = _cases(made.statement, mutant, replace(context, ask=ask))
    if cases is None:
        return None
    used: dict[Fact, None] = {}
    last: list[Fact] = []
    for case in cases:
        needed = _needed(made.statement, mutant, replace(context, case=case), tuple(found))
        used |= dict.fromkeys(needed)
        last.append(Fact(mutant, (*given, *case), lemmas=_consequences([Fact(made.statement, made.given), *needed])))
    if len(last) > 1:
        last.append(Fact(mutant, given, lemmas=_consequences(last)))
    return (*used, *last) if all(verdict(fact) in STANDING for fact in last) else None


def _consequences(facts: Sequence[Fact]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(fact.consequence for fact in facts))


@cache
def verdict(fact: Fact) -> Verdict:
    """What the judge says of something that may be a fact."""
    try:
        return judge_statement(fact.statement, fact.hypotheses, SETTINGS, "survivor", lemmas=fact.lemmas).verdict
    except (GrpoSymbolicError, ArithmeticError):
        return Verdict.UNDECIDED


def _needed(statement: Statement, mutant: Statement, context: Context, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts without those that the search can do without."""
    left = dict.fromkeys(facts)
    for fact in reversed(facts):
        fewer = left.keys() - {fact}
        if _searched(statement, mutant, replace(context, ask=fewer.__contains__)):
            left.pop(fact)
    return tuple(left)


def _cases(statement: Statement, mutant: Statement, context: Context) -> tuple[tuple[Statement, ...], ...] | None:
    """The cases, in each of which facts are found from which the mutant should follow; one case if that is always."""
    unsigned: dict[Expression, None] = {}
    if _searched(statement, mutant, replace(context, unsigned=unsigned)):
        return ((),)
    for operand in tuple(unsigned)[:SPLITS]:
        cases = tuple((side(operand, ZERO),) for side in (ge, le))
        if all(_searched(statement, mutant, replace(context, case=case)) for case in cases):
            return cases
    return None


def _searched(statement: Statement, mutant: Statement, context: Context) -> bool:
    """Whether facts are found from which the mutant should follow in this case."""
    return _implied(statement, mutant, context) or (context.case != () and _bridged(mutant, context))


def _bridged(mutant: Statement, context: Context) -> bool:
    """Whether 0 or 1 lies between the two sides of a relation."""
    match mutant:
        case Relation(operator="<" | "<=" | ">" | ">=" as operator):
            weak = operator[0] + "="
            orders = dict.fromkeys([(weak, operator), (operator, weak)])
            return any(_between(mutant, edge, order, context) for edge in (ZERO, ONE) for order in orders)
        case All(parts):
            return all(_bridged(part, context) for part in parts)
        case Implies(premise, conclusion):
            return _bridged(conclusion, replace(context, given=(*context.given, premise)))
        case _:
            return False


def _between(mutant: Relation, edge: Number, order: tuple[str, str], context: Context) -> bool:
    """Whether a number lies between the two sides of a relation, so that this holds."""
    first, second = order
    left, right = _fresh("left"), _fresh("right")
    if not (context.holds(Relation(mutant.left, first, edge)) and context.holds(Relation(edge, second, mutant.right))):
        return False
    known = [Relation(left, first, edge), Relation(edge, second, right)]
    return context.follows(Relation(left, mutant.operator, right), known, {left: mutant.left, right: mutant.right})


def _implied(statement: Statement, mutant: Statement, context: Context) -> bool:
    """Whether the statement, which holds in the context, implies the mutant."""
    if statement == mutant:
        return True
    match statement, mutant:
        case All(parts), All(others) if len(parts) == len(others):
            return all(_implied(part, other, context) for part, other in zip(parts, others, strict=True))
        case Implies(premise, conclusion), Implies(other, changed) if premise == other:
            return _implied(conclusion, changed, replace(context, given=(*context.given, premise)))
        case Implies(premise, conclusion), Implies(other, changed) if conclusion == changed:
            return _implied(other, premise, replace(context, given=(*context.given, other)))
        case Relation(left, operator, right), Relation(changed, other, same) if operator == other and right == same:
            return _related(left, changed, right, lambda value, rest: Relation(value, operator, rest), context)
        case Relation(left, operator, right), Relation(same, other, changed) if operator == other and left == same:
            return _related(right, changed, left, lambda value, rest: Relation(rest, operator, value), context)
        case _:
            return False


def _related(
    before: Expression,
    after: Expression,
    other: Expression,
    relation: Callable[[Expression, Expression], Relation],
    context: Context,
) -> bool:
    """Whether a relation stays true when one side is changed, by a comparison of the side before and after."""
    old, new, rest = _fresh("old"), _fresh("new"), _fresh("rest")
    for compare in compared(before, after, context):
        hypotheses = [relation(old, rest), compare(new, old)]
        if context.follows(relation(new, rest), hypotheses, {old: before, new: after, rest: other}):
            return True
    return False


def compared(before: Expression, after: Expression, context: Context) -> Iterator[Comparison]:
    """The ways in which ``after`` compares with ``before``: directly, or by carrying up what holds below."""
    before, after = _value(before), _value(after)
    below = _changed_child(before, after)
    found = False
    if below is not None:
        position, children = below
        first = [_value(child) for child in before.children]
        for comparison in compared(first[position], children[position], context):
            for compare in _carried(before, first, children[position], position, comparison, context):
                found = True
                yield compare
    if not found:
        yield from _compared_here(before, after, context)


def _compared_here(before: Expression, after: Expression, context: Context) -> Iterator[Comparison]:
    """The comparisons of two nodes, with the operands as they are, or with fresh symbols of which bounds are known."""
    if isinstance(before, Total) and isinstance(after, Total):
        for compare in compared(before.body, after.body, context):
            summed = Summed(compare(after.body, before.body), ONE, compare(after, before), ONE)
            if context.holds(summed):
                yield compare
        return
    direct = next((compare for compare in COMPARISONS if context.holds(compare(after, before))), None)
    if direct is not None:
        yield direct
    if direct is not None or not isinstance(before, Apply):
        return
    symbols = {child: _fresh(f"operand_{number}") for number, child in enumerate(before.children) if child.children}
    old, new = (_with_symbols(side, symbols) for side in (before, after))
    bounds = [bound(symbol, edge) for child, symbol in symbols.items() for bound, edge in _bounds(child, context)]
    values = {symbol: child for child, symbol in symbols.items()}
    yield from (compare for compare in COMPARISONS if symbols and context.follows(compare(new, old), bounds, values))


def _with_symbols(expression: Expression, symbols: Mapping[Expression, Symbol]) -> Expression:
    """An expression with symbols for some operands, but not inside sums, derivatives and the like, which bind."""
    if expression in symbols:
        return symbols[expression]
    if not isinstance(expression, Apply):
        return expression
    return rebuild(expression, tuple(_with_symbols(child, symbols) for child in expression.children))


def _bounds(value: Expression, context: Context) -> Iterator[tuple[Comparison, Expression]]:
    """On which sides of 0 and of 1 an expression is decided to lie."""
    for edge in (ZERO, ONE):
        for bound in SIGNS:
            if context.holds(bound(value, edge)):
                yield bound, edge
                break


def _carried(
    node: Expression,
    children: Sequence[Expression],
    changed: Expression,
    position: int,
    below: Comparison,
    context: Context,
) -> Iterator[Comparison]:
    """The comparisons of a node with its changed form that follow from that of one child and from signs."""
    fixed = {number for number, child in enumerate(children) if isinstance(child, Number) and number != position}
    symbols = [child if number in fixed else _fresh(f"operand_{number}") for number, child in enumerate(children)]
    new = _fresh("changed")
    known = [below(new, symbols[position])]
    for symbol, child in [*zip(symbols, children, strict=True), (new, changed)]:
        if isinstance(symbol, Symbol):
            known += [sign(symbol, ZERO) for sign in _signs(child, context)]
    old_node = rebuild(node, tuple(symbols))
    new_node = rebuild(node, (*symbols[:position], new, *symbols[position + 1 :]))
    pairs = [*zip(symbols, children, strict=True), (new, changed)]
    values = {symbol: child for symbol, child in pairs if isinstance(symbol, Symbol)}
    for compare in (eq,) if below is eq else (ge, le):
        if context.follows(compare(new_node, old_node), known, values):
            yield compare
            return


def _signs(value: Expression, context: Context) -> Iterator[Comparison]:
    """The strongest sign of an expression that is decided."""
    for sign in SIGNS:
        if context.holds(sign(value, ZERO)):
            yield sign
            return
    # What has a sign at each output may have another one at the next.
    if not any(symbol.indexed for symbol in free_symbols(value)):
        context.unsigned.setdefault(value)


def _changed_child(before: Expression, after: Expression) -> tuple[int, tuple[Expression, ...]] | None:
    """The position of the only child in which two nodes of the same kind differ, and the children after the change."""
    if not isinstance(before, Apply) or not isinstance(after, Apply) or before.operator != after.operator:
        return None
    first, second = [_value(child) for child in before.children], [_value(child) for child in after.children]
    if len(first) != len(second):
        return None
    differing = [number for number, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    exponent = before.operator == "power" and differing == [1]
    return (differing[0], tuple(second)) if len(differing) == 1 and not exponent else None


def _value(expression: Expression) -> Expression:
    """An expression with the named function at its top written out, as mutants of its body are."""
    return _value(expression.value) if isinstance(expression, Call) else expression


_fresh = partial(real, domain="(-oo, oo)", meaning="any value")
