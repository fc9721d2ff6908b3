"""Proofs in words and formulas: what the kernel accepted, told rule by rule; nothing is searched for, or added.

A teller goes through a proof as ``kernel.rules.check`` does, from goal to goal. What it prints is LaTeX between dollar
signs among words, by the visitor that prints all formulas, with sums in the places of the symbols that stand for them.
What takes more than a few lines is told in outline: proofs within proofs are left out, inner ones first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import groupby, islice
from math import ceil, floor
from operator import add, itemgetter
from typing import Any, NamedTuple

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.records import Names, record_of
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.kernel.kinds import Clause, parts
from grpo_symbolic.kernel.ranges import End, fails
from grpo_symbolic.kernel.rules import Goal, Obligation, goals_of, with_value, within
from grpo_symbolic.kernel.statements import Record, lemma_statement, read_record
from grpo_symbolic.kernel.terms import (
    ONE,
    RELATIONS,
    ZERO,
    Json,
    Term,
    conditions,
    conjuncts,
    derivative,
    forget,
    make,
    negation,
    read_number,
    read_terms,
    relations_of,
    substitute,
    sym,
)
from grpo_symbolic.kernel.verify import plain_part
from grpo_symbolic.language.expression import Apply, Delta, Expression, Number, Symbol, Total, rebuild
from grpo_symbolic.language.powers import as_power
from grpo_symbolic.language.statement import Relation, map_expressions
from grpo_symbolic.language.support import Supported
from grpo_symbolic.proofs.keeping import Document
from grpo_symbolic.proofs.ring import product_of
from grpo_symbolic.proofs.tables import expression_of, statement_of
from grpo_symbolic.translate.latex import expression_latex, statement_latex, symbol_latex

#: Characters in a few lines, in an outline, and in a formula of an outline.
_FEW_LINES, _OUTLINE, _LONGEST = 1000, 500, 160
#: Bounds are rounded, to the first of these numbers of digits that still show what they do.
_DIGITS = (3, 6, 12)
#: The name of the parts that say that something has a value.
CONDITION = "has a value"
_RISING = {
    "exp": "the exponential function",
    "log": "the logarithm",
    "sqrt": "the root",
    "sinh": "the hyperbolic sine",
    "tanh": "the hyperbolic tangent",
}
#: Which signs of terms show how their sum compares with 0.
_TERMS = {
    ">": "none of them negative and one positive",
    ">=": "none of them negative",
    "<": "none of them positive and one negative",
    "<=": "none of them positive",
    "=": "each of them 0",
    "!=": "one of them not 0",
}


@dataclass(frozen=True)
class Told:
    """How a ``goal`` of a part was shown: by which rule of the kernel, and in words, perhaps in outline only."""

    part: str
    goal: str
    rule: str
    words: str


class _Source(NamedTuple):
    """Who says a fact: by whom it is known, and what it is called before its formula."""

    by: str
    noun: str


_HYPOTHESIS = _Source("by hypothesis", "the hypothesis ")
_CASE = _Source("in this case", "what this case supposes: ")
_SHOWN = _Source("as was shown", "what was shown: ")
_SUPPOSED = _Source("as was supposed", "what was supposed: ")
_BRACKET = _Source("by what the bracket means", "what the bracket means: ")
_CHOSEN = _Source("by its choice", "how it was chosen: ")
_SOMEBODY = _Source("by what is known", "what the hypotheses and lemmas give: ")


def told(claim: Claim, document: Document) -> tuple[Told, ...]:
    """The proof of a claim, goal by goal; that something has a value is told only if it took a proof."""
    forget()
    names, record, proof = record_of(claim)[1], read_record(document["record"]), document["proof"]
    if not isinstance(proof, dict) or not isinstance(proof["parts"], list) or proof["plan"] == "composed":
        return ()
    terms = read_terms(proof["terms"], record.terms)
    shown = zip(parts(record, proof["plan"]), proof["parts"], strict=True)
    return tuple(one for part, how in shown for one in _of_part(record, names, part, terms, how))


def _of_part(record: Record, names: Names, part: Clause, terms: Sequence[Term], how: Any) -> Iterator[Told]:
    plain = plain_part(record, part, terms, how["sums"])
    *needed, conclusion = plain.conclusion.args
    sources = (*_sources(record, part.facts, plain.facts), *((one, _HYPOTHESIS) for one in _premises(conclusion)))
    powers = any(one.op == "power" and one.args[1].op != "num" for one in record.terms)
    teller = _Teller(_Symbols(names, terms, how["sums"]), sources, powers)
    inside, proofs = Obligation(plain.domains, terms), iter(how["goals"])
    for label, statement in (*((CONDITION, one) for one in needed), (part.label, conclusion)):
        given = [*islice(proofs, _count(statement))]
        if label == CONDITION and all(one is None for one in given):
            continue  # whoever makes a goal looks into all facts
        for goal, proof in zip(goals_of(inside, plain.facts, statement), given, strict=True):
            if proof is not None or label != CONDITION:
                yield Told(label, teller.said(goal.relation), _rule(goal, proof), teller.in_few_lines(goal, proof))


def _count(statement: Term) -> int:
    """Of how many goals a statement consists, as ``goals_of`` makes them."""
    if statement.op in RELATIONS:
        return 1
    if statement.op in ("any", "implies"):
        return _count(statement.args[-1])
    return sum(map(_count, statement.args))


def _sources(record: Record, stated: Sequence[Term], plain: Sequence[Term]) -> Iterator[tuple[Term, _Source]]:
    """Who says the facts of a part, which have no sums any more: a lemma, a hypothesis, or what a bracket means."""
    says = {lemma_statement(record, one): f"`{one.claim}`" for one in record.lemmas}
    for statement, fact in zip(stated, plain, strict=False):
        id = says.get(statement)
        yield fact, _HYPOTHESIS if id is None else _Source(f"by {id}", f"what {id} says: ")
    yield from ((fact, _BRACKET) for fact in plain[len(stated) :])


def _premises(statement: Term) -> Iterator[Term]:
    """What is supposed on the way to goals."""
    if statement.op in RELATIONS:
        return
    yield from {"implies": statement.args[:1], "iff": statement.args}.get(statement.op, ())
    yield from map(negation, statement.args[:-1] if statement.op == "any" else ())
    for part in statement.args:
        yield from _premises(part)


class _Symbols:
    """What the symbols of a proof stand for: those of a claim, and sums and brackets with names of their own."""

    def __init__(self, names: Names, terms: Sequence[Term], sums: Iterable[Any]) -> None:
        self._names, self.sets = names, names.sets
        further = ((letter, one) for letter, one in names.sets.items() if one.of is not None)
        self._known: dict[str, Expression] = {f"delta {letter}": Delta(one) for letter, one in further}
        for place, pairs, _ in sums:
            whole = terms[place]
            if whole.op == "supported":
                self._known[pairs] = Supported(*(expression_of(one, self, self.sets) for one in whole.args))
                continue
            for _, summand, name in pairs:
                if name is not None and name not in self._known:
                    body = expression_of(terms[summand], self, self.sets)
                    self._known[name] = Total(body, self.sets[whole.args[1]])

    def __call__(self, name: str) -> Expression:
        """What a name stands for."""
        if name not in self._known:
            plain = name.rstrip("'")
            self.know(name, plain, len(name) - len(plain))
        return self._known[name]

    def know(self, name: str, like: str, primes: int = 1) -> None:
        """Take a name for another value of a symbol, which is typeset with primes."""
        found = self._known[like] if like in self._known else self._names.symbol(like)
        if primes and isinstance(found, Symbol):
            written = found.latex if found.indexed else str(symbol_latex(found))
            found = replace(found, name=name, latex=f"{{{written}}}{primes * chr(39)}")
        self._known[name] = found


@dataclass(frozen=True)
class _Teller:
    """Tells proofs; with a ``depth`` only those that are nested no deeper, and no long formulas."""

    symbols: _Symbols
    sources: tuple[tuple[Term, _Source], ...]
    with_powers: bool
    depth: int | None = None
    #: The laws that were told already.
    laws: set[str] = field(default_factory=set)

    def in_few_lines(self, goal: Goal, proof: Json) -> str:
        """Why a goal holds, whole if that takes a few lines, else in outline."""
        found = replace(self, laws=set()).why(goal, proof)
        if len(found) <= _FEW_LINES:
            return found
        for depth in (1, 0):
            found = replace(self, depth=depth, laws=set()).why(goal, proof)
            if len(found) <= _OUTLINE:
                break
        else:
            # What is cut ends with a clause, outside of formulas.
            ends = (end for end in range(_OUTLINE, 0, -1) if found[end] in ";," and found[:end].count("$") % 2 == 0)
            found = f"{found[: next(ends, 0)]} ..."
        many = f"the whole proof, in {_steps(proof)} steps, is in build/proofs"
        return found if proof is None else f"{found} (in outline; {many})"

    def why(self, goal: Goal, proof: Json) -> str:
        """A clause that says why a goal holds."""
        if not isinstance(proof, list):
            return self._evident(goal)
        return _TOLD[str(proof[0])](self, goal, proof[1:])

    def _inside(self, goal: Goal, proof: Json) -> str:
        """The same in brackets, after what is shown; nothing where the outline ends."""
        if self.depth == 0:
            return ""
        return f" ({replace(self, depth=None if self.depth is None else self.depth - 1).why(goal, proof)})"

    def _knowing(self, source: _Source, *facts: Term) -> _Teller:
        return replace(self, sources=(*((one, source) for one in facts), *self.sources))

    # Formulas.

    def said(self, statement: Term, otherwise: str | None = None) -> str:
        """A statement; that a difference is positive is said as that one side is larger.

        In an outline there are other words for a long one.
        """
        if statement.op in RELATIONS and statement.args[0].op == "subtract" and statement.args[1] is ZERO:
            statement = make(statement.op, *statement.args[0].args)
        written = statement_of(statement, self.symbols, self.symbols.sets)
        return self._short(str(statement_latex(map_expressions(written, self._shown))), otherwise)

    def value(self, term: Term, otherwise: str | None = None) -> str:
        """An expression, or other words for a long one."""
        return self._short(str(expression_latex(self._expression(term))), otherwise)

    def _short(self, latex: str, otherwise: str | None) -> str:
        is_long = self.depth is not None and len(latex) > _LONGEST
        return otherwise if is_long and otherwise is not None else f"${latex}$"

    def _expression(self, term: Term) -> Expression:
        return self._shown(expression_of(term, self.symbols, self.symbols.sets))

    def _shown(self, expression: Expression) -> Expression:
        """An expression, with powers where the claim has them for the exponentials that they mean."""
        power = as_power(expression) if self.with_powers else None
        if power is not None and not (isinstance(power[1], Number) and power[1].value.denominator > 2):
            return Apply("power", tuple(map(self._shown, power)))
        match expression:
            case Apply("multiply", (Number(value), factor)) if abs(value) == 1:
                # So the coefficients of sums are kept.
                return self._shown(factor) if value == 1 else -self._shown(factor)
        return rebuild(expression, tuple(map(self._shown, expression.children)))

    def _listed(self, lead: str, shown: Iterable[tuple[Term, str]], otherwise: str = "") -> str:
        """Relations with what is said of each, which is said once of several; an outline leaves long ones out."""
        found = [(self.said(one, ""), words) for one, words in shown]
        short = [one for one in found if one[0]]
        text = "".join(
            f"{'' if number == 1 else ' and ' if number == len(short) else ', '}{relation}"
            f"{'' if number < len(short) and short[number][1] == words else words}"
            for number, (relation, words) in enumerate(short, start=1)
        )
        return f"{lead}{text}" if short else otherwise

    # Who says what.

    def _source(self, goal: Goal, fact: Term) -> _Source:
        """Who says a fact, outright, in a combination, or in other words of the same sign."""
        for parts_of in (conjuncts, relations_of):
            for statement, source in self.sources:
                if fact in parts_of(statement):
                    return source
        wanted = goal.inside.canonical(fact) if fact.op in RELATIONS else fact
        alike = (by for one, by in self.sources if wanted in map(goal.inside.canonical, relations_of(one)))
        return next(alike, _SOMEBODY)

    def _shower(self, goal: Goal, relation: Term) -> Term | None:
        """A fact that shows a relation by itself."""
        if relation in goal.relations:
            return relation
        return next((one for one in goal.relations if self._shows(goal, one, relation)), None)

    def _shows(self, goal: Goal, fact: Term, relation: Term) -> bool:
        """Whether a fact shows a relation without a proof, or by having a value."""
        return Goal(goal.inside, (fact,), fact).shown(relation)

    def _fact(self, goal: Goal, fact: Term) -> str:
        """What is said of a fact that shows a goal."""
        noun, rearranged = self._source(goal, fact).noun, fact is not goal.relation
        said = f"{noun}{self.said(fact, '') if rearranged else ''}".rstrip(" :")
        return f"rearranged, it is {said}" if rearranged else f"it is {said}"

    def _evident(self, goal: Goal) -> str:
        rule = _rule(goal, None)
        if rule == "range":
            return self._by_range(goal, ())
        if rule == "contrary":
            return self._excluded(next(one for one in goal.relations if fails(goal.inside.ranges, one)))
        fact = self._shower(goal, goal.relation)
        return "else what is compared would have no value" if fact is None else self._fact(goal, fact)

    def _excluded(self, fact: Term) -> str:
        return f"{self.said(fact, 'what is supposed')} never holds, so this case does not occur"

    # Rules.

    def _by_range(self, goal: Goal, proof: Sequence[Any]) -> str:
        """What the ranges say of both sides, rounded so that it still shows the relation."""
        ranges, relation = goal.inside.finer(proof[0]) if proof else goal.inside.ranges, goal.relation
        if relation.args[0] is relation.args[1]:
            return "both sides are the same"
        turned = relation.op in (">", ">=")
        small, large = relation.args[::-1] if turned else relation.args
        below, above = ranges.of(small), ranges.of(large)
        bounds = _rounded(below.high, above.low, strictly=relation.op in ("<", ">"))
        if relation.op in ("=", "!=") or bounds is None:
            return "the domains of the symbols show it" if relation.free else "the numbers show it"
        sides = [
            (small, "at most" if below.high_in or bounds[0] != below.high else "below", bounds[0]),
            (large, "at least" if above.low_in or bounds[1] != above.low else "above", bounds[1]),
        ]
        sides = [side for side in sides[:: -1 if turned else 1] if side[0].op != "num"]
        names = {relation.args[1]: "the right side", relation.args[0]: "the left side"}
        said = (f"{self.value(side, names[side])} is {how} ${_written(bound)}$" for side, how, bound in sides)
        return ", ".join(said) or "the numbers show it"

    def _same(self, goal: Goal, proof: Sequence[Any]) -> str:
        identical = goal.relation.args[0] is goal.relation.args[1]
        return f"both sides {'are' if identical else 'multiply out to'} the same{self._by_laws(goal, proof[0])}"

    def _by_laws(self, goal: Goal, laws: Iterable[Any]) -> str:
        """The equations of functions that were used, but for those that say nothing and were told."""
        read = dict.fromkeys(self._law(goal, *one) for one in laws)
        found = [f"${statement_latex(one)}$" for one in read if one.left != one.right]
        new = [one for one in found if one not in self.laws]
        self.laws.update(new)
        *some, last = new or [""]
        told_of = f", with {', '.join(some)} and {last}" if some else f", with {last}"
        return told_of if last and (self.depth is None or len(told_of) <= _LONGEST) else ""

    def _law(self, goal: Goal, kind: str, argument: int, factors: Sequence[Any]) -> Relation:
        at = goal.inside.at
        left = self._expression(make(kind, at(argument)))
        read = [(at(place), read_number(power)) for place, power in factors if at(place) is not ONE]
        match kind:
            case "log":
                logs = ((one.args[0] if one.op == "exp" else make("log", one), power) for one, power in read)
                terms = [product_of([(self._expression(one), 1)], power) for one, power in logs]
                return Relation(left, "=", reduce(add, terms) if terms else Number(Fraction(0)))
            case "absolute":
                return Relation(left, "=", product_of([(self._expression(one), 1) for one, _ in read], read[0][1]))
            case "sqrt" | "exp":
                halves = ((self._expression(one), power / 2 if kind == "sqrt" else power) for one, power in read)
                powers = ((one if n.denominator == 1 else Apply("sqrt", (one,)), n.numerator) for one, n in halves)
                return Relation(left, "=", product_of(powers))
        raise UnsupportedError(f"there is no law of {kind}")

    def _by_fact(self, goal: Goal, proof: Sequence[Any]) -> str:
        place, factor, laws, why = proof
        text, times = self._fact(goal, goal.inside.at(place)), ONE if factor is None else goal.inside.at(factor)
        if times.free:
            text += f", multiplied by {self.value(times, 'a factor of one sign')}"
        if times.free and why is not None:
            sign = make(why[0], times, ZERO)
            text += self._listed(", where ", [(sign, self._inside(goal.but(sign), why[1]))])
        return text + self._by_laws(goal, laws)

    def _sum(self, goal: Goal, proof: Sequence[Any]) -> str:
        (terms, laws), at = proof, goal.inside.at
        match terms:
            case [["1", [[value, op, 1, why]]]] if _is_gap(goal.relation, at(value)):
                relation = make(op, at(value), ZERO)
                return self._by_function(goal, relation, why) or self.why(goal.but(relation), why)
        written = [
            product_of([(self._expression(at(one)), power) for one, _, power, _ in factors], read_number(coefficient))
            for coefficient, factors in terms
        ]
        whole = str(expression_latex(reduce(add, written) if written else Number(Fraction(0))))
        many = (
            f"a sum of {len(terms)} terms, {_TERMS[goal.relation.op]}"
            if len(terms) > 1
            else "a product with known signs"
        )
        text = f"{_subject(goal.relation)} {self._short(whole, many)}"
        if _is_absurd(goal.relation) and text.endswith("$"):
            text += ", which is negative"
        signs = [(make(op, at(value), ZERO), why) for _, factors in terms for value, op, _, why in factors]
        once = [one for number, one in enumerate(signs) if one not in signs[:number]]
        hidden = (one for one in once if one[1] is not None or not goal.inside.ranges.holds(one[0]))
        text += self._listed(", where ", ((one, self._sign(goal, one, why)) for one, why in hidden))
        return text + self._by_laws(goal, laws)

    def _sign(self, goal: Goal, relation: Term, why: Any) -> str:
        """How a relation such as the sign of a factor is shown, after it."""
        fact = self._shower(goal, relation) if why is None else None
        match why:
            case None:
                return "" if fact is None else f" {self._source(goal, fact).by}"
            case ["fact", place, *_] if self._shows(goal, goal.inside.at(place), relation):
                return f" {self._source(goal, goal.inside.at(place)).by}"
        by = self._by_function(goal, relation, why)
        return f" as {by}" if by else self._inside(goal.but(relation), why)

    def _by_function(self, goal: Goal, relation: Term, why: Any) -> str:
        """What is said of a sign that a function shows; nothing for other proofs of signs."""
        at = goal.inside.at
        match why:
            case ["tangent", function, argument, _]:
                line = make("subtract" if function == "log" else "add", at(argument), ONE)
                return self.said(make("<=" if function == "log" else ">=", make(str(function), at(argument)), line))
            case ["rising", function, larger, smaller, _, then]:
                compared = make(relation.op, make("subtract", at(larger), at(smaller)), ZERO)
                return f"{_RISING[function]} rises" + self._listed(
                    " and ", [(compared, self._sign(goal, compared, then))]
                )
        return ""

    def _root(self, goal: Goal, proof: Sequence[Any]) -> str:
        inner = make(">", goal.relation.args[0].args[0], ZERO)
        return "what stands below the root is positive" + self._listed(": ", [(inner, self._sign(goal, inner, *proof))])

    def _put(self, goal: Goal, proof: Sequence[Any]) -> str:
        teller, then, values = self, ["put", *proof], list[str]()
        while then[0] == "put":
            _, name, value, equation, factor, _, why, after = then
            term, fact = goal.inside.at(value), goal.inside.at(equation)
            source = teller._source(goal, fact)
            told_of = self.said(make("=", sym(name), term), f"a value for {self.value(sym(name))}")
            if {*fact.args} != {sym(name), term} and teller.said(fact) != told_of:
                told_of += f" ({teller.said(fact, 'an equation')} {source.by})"
            elif source is not _HYPOTHESIS:
                told_of += f" {source.by}"
            if why is not None:
                sign = make("!=", goal.inside.at(factor), ZERO)
                told_of += self._listed(", as ", [(sign, teller._sign(goal, sign, why))])
            values.append(told_of)
            sources = tuple((substitute(one, {name: term}), by) for one, by in teller.sources)
            domain = _Source(f"by the domain of {self.value(sym(name))}", "what the domain of a symbol says: ")
            teller = replace(self, sources=sources)._knowing(domain, *within(goal.inside.domains[name], term))
            goal, then = with_value(goal, name, term), after
        return f"with {', '.join(values)}: {teller.why(goal, then)}"

    def _instead(self, goal: Goal, proof: Sequence[Any]) -> str:
        other, equation, _, _, then = proof
        new = goal.inside.at(other)
        inner, says = self.why(goal.but(new), then), self.said(new, "")
        if equation is not None:
            fact = goal.inside.at(equation)
            by = self._listed("with ", [(fact, f" {self._source(goal, fact).by}")], "with a longer equation")
            return f"{by}, it says {says}: {inner}" if says else f"{by}, {inner}"
        if says and not (then[0] == "fact" and goal.inside.at(then[1]) is new):
            return f"rearranged, it says {says}: {inner}"
        return inner if inner.startswith("rearranged") else f"rearranged, {inner}"

    def _cases(self, goal: Goal, proof: Sequence[Any]) -> str:
        case = goal.inside.at(proof[0])
        pairs = ((case, "one relation holds", proof[1]), (negation(case), "it does not", proof[2]))
        return self._in_cases(goal, ((on, words, goal.but(goal.relation, on), why) for on, words, why in pairs))

    def _in_cases(self, goal: Goal, cases: Iterable[tuple[Term, str, Goal, Json]]) -> str:
        if self.depth == 0:
            named = [self.said(on, "") for on, *_ in cases]
            which = f"the cases {' and '.join(named)}" if all(named) else f"{len(named)} cases"
            return f"none of {which} occurs" if _is_absurd(goal.relation) else f"it holds in each of {which}"
        return "; ".join(
            f"if {self.said(on, words)}, {self._knowing(_CASE, on).why(there, why)}" for on, words, there, why in cases
        )

    def _have(self, goal: Goal, proof: Sequence[Any]) -> str:
        teller, then, shown = self, ["have", *proof], list[tuple[Term, str]]()
        while then[0] == "have":
            fact = goal.inside.at(then[1])
            shown.append((fact, teller._sign(goal, fact, then[2])))
            teller, goal, then = teller._knowing(_SHOWN, fact), goal.but(goal.relation, fact), then[3]
        many = f"{len(shown)} longer relations are" if len(shown) > 1 else "a longer relation is"
        first = self._listed("first ", shown, f"first {many} shown")
        return f"{first}; then {teller.why(goal, then)}"

    def _either(self, goal: Goal, proof: Sequence[Any]) -> str:
        fact = goal.inside.at(proof[0])
        pairs = zip(fact.args, proof[1], strict=True)
        cases = ((one, "another case", goal.but(goal.relation, one, without=fact), why) for one, why in pairs)
        return f"{self._source(goal, fact).by}, one of {len(fact.args)} relations holds: {self._in_cases(goal, cases)}"

    def _contrary(self, goal: Goal, proof: Sequence[Any]) -> str:
        fact, why = goal.inside.at(proof[0]), proof[1]
        if why == ["range"]:
            return self._excluded(fact)
        denied = () if _is_absurd(goal.relation) else (negation(goal.relation),)
        noun, against = self._source(goal, fact).noun.rstrip(" :"), negation(fact)
        inner = self._knowing(_SUPPOSED, *denied).why(goal.but(against, *denied, without=fact), why)
        return f"{'otherwise ' if denied else ''}{self.said(against, 'the opposite holds')}, against {noun}: {inner}"

    def _absurd(self, goal: Goal, proof: Sequence[Any]) -> str:
        supposed = negation(goal.relation)
        inner = self._knowing(_SUPPOSED, supposed).why(goal.but(make("<", ZERO, ZERO), supposed), proof[0])
        return f"suppose that {self.said(supposed, 'it fails')}; then {inner}"

    def _both(self, goal: Goal, proof: Sequence[Any]) -> str:
        sides = ((make(op, *goal.relation.args), why) for op, why in proof)
        return "; and ".join(f"{self.said(one, 'one way')}, as {self.why(goal.but(one), why)}" for one, why in sides)

    def _along(self, goal: Goal, proof: Sequence[Any]) -> str:
        symbol, stretches = self.value(sym(proof[0])), list[str]()
        for how, alike in groupby(proof[1], key=itemgetter(1)):
            ends = ["\\infty" if upper is None else _written(read_number(upper)) for upper, _, _ in alike]
            by = "the range" if how is None else f"the slope and the value at the {how} end"
            stretches.append(f"up to {', '.join(f'${end}$' for end in ends)} by {by}")
        many = f"{len(proof[1])} stretches of the interval" if len(proof[1]) > 1 else "the interval"
        return f"on {many} of {symbol}: {', '.join(stretches)}"

    def _mean(self, goal: Goal, proof: Sequence[Any]) -> str:
        name, like, function, first, last, whys, then = proof
        inside, proofs, between = goal.inside, iter(whys), sym(name)
        self.symbols.know(name, like)
        there = Obligation({**inside.domains, name: inside.domains[like]}, inside.terms)
        f, a, b = map(inside.at, (function, first, last))
        op, slope = "<" if goal.shown(make("<", a, b)) else "<=", derivative(f, name)
        rise = make("subtract", substitute(f, {name: b}), substitute(f, {name: a}))
        said = make("=", rise, make("multiply", slope, make("subtract", b, a)))
        ends = (make(op, a, between), make(op, between, b))
        facts, teller = (*goal.facts, *ends), self._knowing(_CHOSEN, *ends)
        goals = (Goal(there, facts, one) for one in dict.fromkeys((*conditions(f), *conditions(slope))))
        needed = [(one.relation, teller._inside(one, next(proofs))) for one in goals if not one.shown(one.relation)]
        by = "by the mean value theorem"
        text = self._listed(f"{by} ", [(said, " for some ")], f"{by} for some ")
        text += f"{self.value(between)} with {self.said(make('all', *ends))}{self._listed(', where ', needed)}"
        return f"{text}; then {teller._knowing(_SHOWN, said).why(Goal(there, (*facts, said), goal.relation), then)}"


#: How each rule of the kernel is told.
_TOLD: Mapping[str, Callable[[_Teller, Goal, Sequence[Any]], str]] = {
    "range": _Teller._by_range,
    "same": _Teller._same,
    "fact": _Teller._by_fact,
    "sum": _Teller._sum,
    "root": _Teller._root,
    "put": _Teller._put,
    "instead": _Teller._instead,
    "cases": _Teller._cases,
    "have": _Teller._have,
    "either": _Teller._either,
    "contrary": _Teller._contrary,
    "absurd": _Teller._absurd,
    "along": _Teller._along,
    "both": _Teller._both,
    "mean": _Teller._mean,
}
#: The kinds of reasons.
RULES = tuple(_TOLD)


def _rule(goal: Goal, proof: Json) -> str:
    """The rule that shows a goal: what needs no proof is seen from the domains, is a fact, or is excluded by one."""
    if isinstance(proof, list):
        return str(proof[0])
    if goal.inside.ranges.holds(goal.relation):
        return "range"
    return "fact" if goal.shown(goal.relation) else "contrary"


def _is_absurd(relation: Term) -> bool:
    """Whether a relation says that 0 is negative."""
    return relation.op == "<" and relation.args == (ZERO, ZERO)


def _is_gap(relation: Term, value: Term) -> bool:
    """Whether a value is what a relation compares with 0."""
    return value is make("subtract", *relation.args) or (relation.args[1] is ZERO and value is relation.args[0])


def _subject(relation: Term) -> str:
    """What is said to be a sum of terms, after a relation was printed."""
    left, right = relation.args
    if _is_absurd(relation):
        return "0 would be"
    if right is not ZERO:
        return "left side minus right side is"
    return "the difference is" if left.op == "subtract" else "the left side is"


def _steps(proof: Json) -> int:
    """How many rules a proof uses."""
    if not isinstance(proof, list):
        return 0
    own = bool(proof) and isinstance(proof[0], str) and proof[0] in (*_TOLD, "tangent", "rising")
    return own + sum(map(_steps, proof))


def _rounded(most: End, least: End, *, strictly: bool) -> tuple[Fraction, Fraction] | None:
    """A bound from above and one from below, rounded outwards to few digits if they are long; None if there is none."""
    if not (isinstance(most, Fraction) and isinstance(least, Fraction)):
        return None
    if max(most.denominator, least.denominator) <= 10 ** _DIGITS[0]:
        return most, least
    for digits in _DIGITS:
        up, down = Fraction(ceil(most * 10**digits), 10**digits), Fraction(floor(least * 10**digits), 10**digits)
        if up < down or (up == down and not strictly):
            return up, down
    return None


def _written(value: Fraction) -> str:
    """A number, as a decimal if that ends soon, but for simple fractions."""
    ends_soon = (value * 10 ** _DIGITS[-1]).denominator == 1
    if not ends_soon or value.denominator < 10:
        return str(expression_latex(Number(value)))
    return f"{Decimal(value.numerator) / value.denominator:f}"
