"""What the facts of a goal say of polynomials: signs of factors, one by one, and how the kernel is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from grpo_symbolic.kernel.algebra import Generator, Law, Quotient, Ring
from grpo_symbolic.kernel.ranges import Interval
from grpo_symbolic.kernel.rules import Goal, conditions_of
from grpo_symbolic.kernel.terms import MIRRORED, ONE, ZERO, Json, RefusedError, Term, make, number
from grpo_symbolic.proofs.kernel_rings import Polynomials, laws_in, multiplied, raised, subterms
from grpo_symbolic.proofs.tables import Table, rational
from grpo_symbolic.translate.algebra import Polynomial
from grpo_symbolic.translate.balls import exact

_SIGNS = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "=": {0}, "!=": {-1, 1}}
_OPERATORS = {frozenset(signs): op for op, signs in _SIGNS.items()}
_MOST_TERMS, _LONGEST_EQUATION, _LONGEST_END = 120, 600, 10**6


@dataclass(frozen=True, eq=False)
class Known:
    """How a polynomial compares with 0, and how the kernel sees it: by itself, or by a proof with others before."""

    polynomial: Polynomial
    operator: str
    term: Term
    #: A proof of it; none if the kernel sees it.
    proof: Json = None
    #: A proof of it as a factor of a product, which needs no fact of its own.
    inline: Json = None
    uses: tuple[Known, ...] = ()
    #: Whether it is what a fact says, and no more than an end of a domain.
    told: bool = True


class Knowledge:
    """Relations of a goal as polynomials; where it is in ``letters``, the kernel sees less at once."""

    def __init__(self, goal: Goal, table: Table, *, letters: bool = False) -> None:
        self.goal, self._table = goal, table
        self._evident = goal.inside.ranges.holds if letters else goal.shown
        facts = [(one.op, make("subtract", *one.args), one) for one in goal.relations]
        given = dict.fromkeys(one for fact in (*goal.facts, goal.relation) for one in conditions_of(fact, certain=True))
        facts += [(one.op, make("subtract", *one.args), one) for one in given if one not in goal.relations]
        self.terms = subterms(*(gap for _, gap, _ in facts))
        self.laws = laws_in(goal, self.terms)
        self.ring = Ring(goal.shown, self.laws)
        read: list[tuple[str, Quotient, Term, bool]] = []
        for op, gap, fact in facts:
            try:
                read.append((op, self.ring.quotient(gap), fact, fact in given))
            except RefusedError:
                continue
        self.polynomials = Polynomials(self.ring)
        self.known: list[Known] = []
        #: A fact that two sides differ which are the same.
        self.denied: Term | None = None
        self._signs: dict[str, tuple[frozenset[int], Known | None]] = {}
        self._factored = [(op, *self.polynomials.factored(value), fact, seen) for op, value, fact, seen in read]
        self._domains()
        self._as_typed()
        for again in (False, True):
            for op, content, factors, fact, seen in self._factored:
                self._learn(op, content, factors, fact, seen, again)

    def written_laws(self) -> Json:
        """The laws as a proof states them."""
        return [written_law(one, self._table) for one in self.laws]

    # Signs.

    def signs(self, factor: Polynomial) -> tuple[frozenset[int], Known | None]:
        """The signs that an irreducible polynomial may have, and what says so unless its range does."""
        key = str(factor)
        if key not in self._signs:
            found = self._by_range(self.polynomials.term(factor))
            self._signs[key] = found, None
        return self._signs[key]

    def _by_range(self, term: Term) -> frozenset[int]:
        try:
            low, low_in, high, high_in = self.goal.inside.ranges.of(term)
        except RefusedError:
            return frozenset((-1, 0, 1))
        zero = (low < 0 or (low == 0 and low_in)) and (high > 0 or (high == 0 and high_in))
        return frozenset((-1,) * (low < 0) + (0,) * zero + (1,) * (high > 0)) or frozenset((-1, 0, 1))

    def _keep(self, known: Known, factor: Polynomial) -> None:
        """Remember what is known, and the sign of a factor by it."""
        self.known.append(known)
        if str(factor) != str(known.polynomial) or factor.is_zero():
            return
        before, why = self.signs(factor)
        said = frozenset(_SIGNS[known.operator])
        if said < before:
            self._signs[str(factor)] = said, known
        elif before & said and before & said not in (before, said):
            self._combine(known, why, frozenset(before & said))

    def _combine(self, known: Known, why: Known | None, signs: frozenset[int]) -> None:
        """Of what is not negative and not 0, that it is positive; of what has no sign, that it is 0.

        Otherwise f would be neither, or not 0, so that the square of f is positive and f * f is not.
        """
        place = self._table.term(known.term)
        above, below = (None if why is None or why.operator != op else why.inline for op in (">=", "<="))
        terms: Json = [["-1", [[place, "!=", 2, None]]], ["1", [[place, ">=", 1, above], [place, "<=", 1, below]]]]
        uses = (known,) if why is None else (known, why)
        operator = _OPERATORS[signs]
        made = Known(known.polynomial, operator, known.term, ["absurd", ["sum", terms, []]], uses=uses)
        self.known.append(made)
        self._signs[str(known.polynomial)] = signs, made

    def _domains(self) -> None:
        """The ends of the ranges of all generators; that roots are positive where their radicands are."""
        for place, term in enumerate(self.polynomials.generators):
            variable = self.polynomials.context.gen(place)
            try:
                values = self.goal.inside.ranges.of(term)
            except RefusedError:
                continue
            for bound, op in _ends(values):
                gap = term if bound == 0 else make("subtract", term, number(bound))
                polynomial = variable - exact(bound)
                # The kernel sees the ends of ranges without being told.
                self.known.append(Known(polynomial, op, gap, told=False))

    def _as_typed(self) -> None:
        """Signs that ranges show of sums as they were typed, but not of the polynomials that these become."""
        for term in self.terms:
            op = _OPERATORS.get(self._by_range(term)) if term.op in ("add", "subtract") else None
            if op is None:
                continue
            content, factors = self.polynomials.factored(self.ring.quotient(term))
            split = self._open(factors)
            if split is None or len(split[1]) != 1 or split[1][0][1] != 1:
                continue
            known, ((factor, _),) = split
            rest = self._signed(1 / content, known)
            if rest is not None and rest[0] in ({1}, {-1}):
                sign, parts, uses = rest
                of_term: Json = [self._table.term(term), op, 1, None]
                why: Json = ["sum", [[rational(1 / content), [of_term, *parts]]], self.written_laws()]
                operator = op if sign == {1} else MIRRORED[op]
                self._keep(Known(factor, operator, self.polynomials.term(factor), why, uses=uses, told=False), factor)

    def roots(self) -> None:
        """Learn which roots are positive, by what is known of their radicands."""
        for place, known in enumerate(self.ring.generators):
            if isinstance(known, Generator) and known.kind == "sqrt":
                root = self.polynomials.context.gen(place)
                if self.signs(root)[0] != {0, 1}:
                    continue
                shown = self.product_sign(*self.polynomials.factored(known.argument))
                if shown is not None and shown[0] == {1}:
                    why: Json = ["root", shown[1]]
                    self._keep(Known(root, ">", known.term, inline=why, proof=why, uses=shown[2], told=False), root)

    def product_sign(
        self, content: Fraction, factors: Sequence[tuple[Polynomial, int]]
    ) -> tuple[set[int], Json, tuple[Known, ...]] | None:
        """The signs of a product of which no factor below the fraction bar is 0, with a proof, and what that uses."""
        found = self._signed(content, factors)
        if found is None:
            return None
        return found[0], ["sum", [[rational(content), found[1]]], self.written_laws()], found[2]

    def summand(self, sign: int, term: Term) -> tuple[set[int], Json, tuple[Known, ...]] | None:
        """The signs of a term times a sign, with how a proof has it, and what that uses; None if they are not known."""
        content, factors = self.polynomials.factored(self.ring.quotient(term))
        found = self._signed(content * sign, factors)
        return None if found is None else (found[0], [rational(content * sign), [*found[1]]], found[2])

    def _signed(
        self, content: Fraction, factors: Sequence[tuple[Polynomial, int]]
    ) -> tuple[set[int], list[Json], tuple[Known, ...]] | None:
        """The same with the factors as a proof has them."""
        signs, parts, uses = {(content > 0) - (content < 0)}, list[Json](), list[Known]()
        for factor, power in factors:
            of_factor, why = self.signs(factor)
            op = _OPERATORS.get(of_factor)
            if op is None and power > 0 and power % 2 == 0:
                # A square has a sign, whatever it is the square of.
                signs = {one * other for one in signs for other in (0, 1)}
                square = make("power", self.polynomials.term(factor), number(power))
                parts.append([self._table.term(square), ">=", 1, None])
                continue
            if op is None or (power < 0 and 0 in of_factor):
                return None
            signs = {one * other ** abs(power) for one in signs for other in of_factor}
            inline = None
            if why is not None:
                uses.append(why)
                inline = why.inline if op in (">", ">=", "!=") else None
            parts.append([self._table.term(self.polynomials.term(factor)), op, power, inline])
        return signs, parts, tuple(uses)

    # What facts say.

    def _learn(
        self, op: str, content: Fraction, factors: Sequence[tuple[Polynomial, int]], fact: Term, seen: bool, again: bool
    ) -> None:
        """What a fact says of the factors whose sign is not known."""
        if not content and op == "!=" and fact in self.goal.relations:
            self.denied = fact
        if not again:
            self.roots()
        split = self._open(factors)
        if split is None:
            return
        known, open_ones = split
        if again and len(open_ones) == len([pair for pair in factors if pair[1] > 0]):
            return
        polynomial = self.polynomials.one
        for factor, power in open_ones:
            polynomial = polynomial * factor**power
        if len(polynomial.coeffs()) > (_MOST_TERMS if op not in ("=", "!=") else _LONGEST_EQUATION):
            return
        by = 1 / content if content else Fraction(1)
        sign = self.product_sign(by, known)
        if sign is None or (len(sign[0]) != 1 and op not in ("=", "!=")):
            return
        turned = -1 in sign[0] and len(sign[0]) == 1
        operator = MIRRORED[op] if turned else op
        polynomial = polynomial if content else polynomial * 0
        term = self.polynomials.term(polynomial)
        proof: Json = None
        uses: tuple[Known, ...] = ()
        relation = make(operator, term, ZERO)
        if relation in self.goal.facts or self._evident(relation):
            if operator == "=" and relation not in self.goal.facts:
                proof = ["sum", [["1", [[self._table.term(term), "=", 1, None]]]], []]
        else:
            if fact not in self.goal.relations:
                return
            wanted = next(iter(sign[0])) if len(sign[0]) == 1 else 0
            factor_op = {1: ">", -1: "<", 0: "!="}[wanted]
            written = self._product(by, known)
            why: Json = None if written is ONE else [factor_op, sign[1]]
            place = None if written is ONE else self._table.term(written)
            proof = ["fact", self._table.term(fact), place, self.written_laws(), why]
            uses = sign[2]
        for factor, power in open_ones:
            if power % 2 == 0:
                square = raised(self.polynomials.term(factor), power)
                self.known.append(Known(factor**power, ">=", square, told=False))
        factor = open_ones[0][0] if len(open_ones) == 1 else polynomial
        self._keep(Known(polynomial, operator, term, proof, uses=uses), factor)

    def _open(self, factors: Sequence[tuple[Polynomial, int]]) -> tuple[list[tuple[Polynomial, int]], ...] | None:
        """By which factors a fact is divided, as their signs are known, and the others; None if one may divide by 0."""
        known, open_ones = list[tuple[Polynomial, int]](), list[tuple[Polynomial, int]]()
        for factor, power in factors:
            signs, _ = self.signs(factor)
            settled = 0 not in signs and (len(signs) == 1 or power % 2 == 0)
            if settled or (power < 0 and 0 not in signs):
                known.append((factor, -power if settled else -power + power % 2))
                if not settled and power % 2:
                    open_ones.append((factor, 1))
            elif power > 0:
                open_ones.append((factor, power))
            else:
                return None
        return known, open_ones

    def _product(self, content: Fraction, factors: Sequence[tuple[Polynomial, int]]) -> Term:
        return multiplied(
            number(content), *(raised(self.polynomials.term(factor), power) for factor, power in factors if power)
        )


def written_law(law: Law, table: Table) -> Json:
    """A law as a proof states it."""
    factors: list[Json] = [[table.term(one), rational(power)] for one, power in law.factors]
    return [law.kind, table.term(law.argument), factors]


def _ends(values: Interval) -> Iterator[tuple[Fraction, str]]:
    """The ends, 0 for a long one beyond it, and how what lies between compares with them."""
    for end, belongs, op in ((values.low, values.low_in, ">"), (values.high, values.high_in, "<")):
        if end in (inf, -inf):
            continue
        if Fraction(end).denominator <= _LONGEST_END:
            yield Fraction(end), op + "=" * belongs
        elif (end > 0) == (op == ">"):
            yield Fraction(0), op
