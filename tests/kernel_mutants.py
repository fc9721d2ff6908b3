"""Records and proofs that were changed together, and whether the kernel accepts what is false.

``python tests/kernel_mutants.py FILE.jsonl ... [--count N] [--seed S]``: files as the report writes them. Whatever is
accepted is evaluated at random points of the domains, with sums over one to three elements written out, by what a
record says alone: nothing of the kernel is used for that. What rests on other claims than before says nothing.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import operator
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import mp

from grpo_symbolic.kernel.terms import RefusedError
from grpo_symbolic.kernel.verify import verify

mp.dps = 40
#: Differences below the first are rounded, above the second they are real; what lies between says nothing.
ROUNDED, CERTAIN, POINTS, TRIES = mp.mpf("1e-25"), mp.mpf("1e-9"), 12, 60
SWAPPED = (
    ("<", "<=", ">", ">=", "=", "!="),
    ("add", "subtract", "multiply", "divide", "maximum", "minimum"),
    ("sqrt", "exp", "log", "sinh", "cosh", "tanh", "absolute", "negate"),
    ("implies", "iff"),
    ("all", "any"),
)
LIKE = {op: row for row in SWAPPED for op in row}


class NoValueError(Exception):
    """Something has no value at a point."""


class UnclearError(Exception):
    """What is so near to a border that rounding decides, or of a kind that is not evaluated."""


class World:
    """Random values for the symbols of a record, and what its terms are there."""

    def __init__(self, record: Any, rng: random.Random) -> None:
        self.record, self.rng, self.terms = record, rng, record["terms"]
        self.symbols = record["symbols"]
        generic = {}
        for entry in self.symbols.values():
            if entry[6]:
                generic |= dict(zip(entry[5], self.symbols[entry[6]][5], strict=True))
        self.generic = generic
        letters = {generic.get(one, one) for entry in self.symbols.values() for one in entry[5]}
        letters |= {generic.get(node[2], node[2]) for node in self.terms if node[0] == "total"}
        self.sizes = {one: rng.randint(1, 3) for one in sorted(letters)}
        self.cells: dict[tuple[str, tuple[int, ...]], Any] = {}
        for name, entry in self.symbols.items():
            if not entry[6]:
                for at in itertools.product(*(range(self.sizes[generic.get(one, one)]) for one in entry[5])):
                    self.cells[name, at] = self.drawn(entry)
        self.examples: dict[str, tuple[str, int]] = {}
        for node in self.terms:
            if node[0] in ("for-every", "sequence-limit"):
                listed = self.terms[node[3 if node[0] == "for-every" else 5]][1:]
                for value, example in zip(listed[::2], listed[1::2], strict=True):
                    self.examples[self.terms[value][1]] = (self.terms[node[1]][1], example)
        self.coefficients = {name: [self.drawn(entry[1]) for _ in range(4)] for name, entry in self.functions.items()}

    @property
    def functions(self) -> Any:
        return self.record.get("functions", {})

    def applied(self, name: str, primes: str, x: Any) -> Any:
        """A value of an example, or of some function: a wave, or any of a few numbers where that may jump."""
        on, values, derivatives = self.functions[name]
        if len(primes) > (derivatives or 0):
            raise UnclearError
        for end, sign in ((on[0], 1), (on[1], -1)):
            if end is not None and sign * (x - rounded(Fraction(end))) < 0:
                raise UnclearError
        if primes:
            return mp.diff(lambda there: self.applied(name, primes[1:], there), x)
        if name in self.examples:
            symbol, place = self.examples[name]
            return self.put({(symbol, ()): x}, lambda: self.value(place, {}))
        several = self.coefficients[name]
        if derivatives is None:
            return several[hash((name, str(x))) % 4]
        return several[0] if values[0] or values[1] else several[0] + several[1] * mp.sin(several[2] * x + several[3])

    def drawn(self, entry: Any) -> Any:
        low, high, low_in, high_in, whole, *_ = entry
        bottom, top = (None if one is None else Fraction(one) for one in (low, high))
        if self.rng.random() < 0.12 and (low_in or high_in):
            return rounded(self.rng.choice([end for end, belongs in ((bottom, low_in), (top, high_in)) if belongs]))
        size = Fraction(self.rng.choice([1, 1, 5, 40]))
        if bottom is None:
            bottom = -size if top is None else top - size
        if top is None:
            top = bottom + size * (2 if low is None else 1)
        if whole:
            values = range(int(bottom) + (not low_in and low is not None), int(top) + (high_in or high is None))
            if not values:
                raise UnclearError
            return mp.mpf(self.rng.choice(values))
        return rounded(bottom + (top - bottom) * Fraction(self.rng.randint(1, 10**9 - 1), 10**9))

    def inside(self, name: str, value: Any) -> bool:
        low, high, low_in, high_in, whole, *_ = self.symbols[name]
        if whole and value != mp.nint(value):
            return False
        for end, belongs, sign in ((low, low_in, 1), (high, high_in, -1)):
            if end is not None:
                gap = sign * (value - rounded(Fraction(end)))
                if gap < 0 or (gap == 0 and not belongs):
                    return False
        return True

    def cell(self, name: str, index: dict[str, int]) -> tuple[str, tuple[int, ...]]:
        letters, family = self.symbols[name][5:]
        return family or name, tuple(index[one] for one in letters)

    def letters(self, place: int, bound: frozenset[str] = frozenset()) -> set[str]:
        node = self.terms[place]
        if isinstance(node, str):
            return set()
        if node[0] in ("sym", "delta"):
            return {*(self.symbols[node[1]][5] if node[0] == "sym" else node[1:])} - bound
        if node[0] == "expectation":
            body, laws, listed = node[1], [node[4:6], node[6:8]], set[str]()
            for values, chances in laws:
                inside = bound.union(self.drawn_letter(values, chances))
                listed |= self.letters(values, inside) | self.letters(chances, inside)
            return self.letters(body, bound | {*self.letters(node[2])}) | self.letters(node[3], bound) | listed
        inner = bound | {node[2]} if node[0] == "total" else bound
        found = set().union(*(self.letters(one, inner) for one in node[1:] if is_place(one)), set())
        if node[0] == "call":
            parameters, body = self.record["definitions"][node[1]]
            found |= self.letters(body, bound) - {x for name in parameters for x in self.symbols[name][5]}
        return found

    def assignments(self, *places: int) -> Iterator[dict[str, int]]:
        letters = sorted(set().union(*map(self.letters, places), set()))
        for at in itertools.product(*(range(self.sizes[self.generic.get(one, one)]) for one in letters)):
            yield dict(zip(letters, at, strict=True))

    def value(self, place: int, index: dict[str, int]) -> Any:
        node = self.terms[place]
        if isinstance(node, str):
            return rounded(Fraction(node))
        op, *args = node
        if op == "sym":
            return self.cells[self.cell(args[0], index)]
        if op == "total":
            return mp.fsum(
                self.value(args[0], {**index, args[1]: one})
                for one in range(self.sizes[self.generic.get(args[1], args[1])])
            )
        if op == "applied":
            return self.applied(args[0], args[1], self.value(args[2], index))
        if op == "delta":
            return mp.mpf(index[args[0]] == index[args[1]])
        if op == "supported":
            return mp.mpf(0) if bordering(self.value(args[1], index)) == 0 else self.value(args[0], index)
        if op == "expectation":
            return self.expected(*args, index)
        if op in ("substitution", "call"):
            names = [self.terms[args[1]][1]] if op == "substitution" else self.record["definitions"][args[0]][0]
            body = args[0] if op == "substitution" else self.record["definitions"][args[0]][1]
            values = [self.value(one, index) for one in (args[2:] if op == "substitution" else args[1:])]
            if any(self.symbols[name][5] for name in names):
                raise UnclearError
            return self.put(
                {(name, ()): one for name, one in zip(names, values, strict=True)}, lambda: self.value(body, index)
            )
        if op == "derivative":
            cell = self.cell(self.terms[args[1]][1], index)
            self.value(args[0], index)
            at = self.cells[cell]
            try:
                return mp.diff(lambda x: self.put({cell: x}, lambda: self.value(args[0], index)), at)
            except NoValueError:
                raise UnclearError from None
        return operate(op, *(self.value(one, index) for one in args))

    def expected(
        self,
        body: int,
        member: int,
        size: int,
        values: int,
        chances: int,
        own_values: int,
        own_chances: int,
        mixed: bool,
        index: dict[str, int],
    ) -> Any:
        """An expectation, by every group there may be."""
        name, number = self.terms[member][1], self.value(size, index)
        (letter,) = self.symbols[name][5]
        law, own = self.law(values, chances, index), self.law(own_values, own_chances, index)
        if number < 2:
            raise NoValueError
        if number != mp.nint(number) or len(law) ** (int(number) - 1) * len(own) > 100:
            raise UnclearError
        before, total = self.sizes.get(letter), mp.mpf(0)
        self.sizes[letter] = int(number)
        try:
            for group in itertools.product(own, *[law] * (int(number) - 1)):
                chance = mp.fprod(chance for _, chance in group)
                if chance and not (mixed and len({value for value, _ in group}) == 1):
                    cells = {(name, (place,)): value for place, (value, _) in enumerate(group)}
                    total += chance * self.put(cells, lambda: self.value(body, {**index, letter: 0}))
        finally:
            self.sizes[letter] = before or 1
        return total

    def drawn_letter(self, values: int, chances: int) -> set[str]:
        listed = self.terms[values][1:]
        return self.letters(listed[0]) if len(listed) == len(self.terms[chances]) - 1 else set()

    def law(self, values: int, chances: int, index: dict[str, int]) -> list[tuple[Any, Any]]:
        """Values with their chances; that of the last one is what is left, or an element has been drawn."""
        listed, known = self.terms[values][1:], self.terms[chances][1:]
        if letters := self.drawn_letter(values, chances):
            (letter,) = letters
            places = [{**index, letter: one} for one in range(self.sizes[self.generic.get(letter, letter)])]
            found = [(self.value(listed[0], at), self.value(known[0], at)) for at in places]
        else:
            several = [self.value(one, index) for one in known]
            chances_of_all = [*several, 1 - mp.fsum(several)]
            found = [(self.value(one, index), chance) for one, chance in zip(listed, chances_of_all, strict=True)]
        total = mp.fsum(chance for _, chance in found)
        if any(bordering(chance) < 0 for _, chance in found) or abs(total - 1) > CERTAIN:
            raise NoValueError
        return found

    def put(self, values: dict[Any, Any], then: Callable[[], Any]) -> Any:
        before = {cell: self.cells.get(cell) for cell in values}
        self.cells |= values
        try:
            return then()
        finally:
            self.cells |= before

    def relation(self, place: int, index: dict[str, int]) -> bool:
        op, left, right = self.terms[place]
        return compared(op, self.value(left, index), self.value(right, index))

    def holds(self, place: int, index: dict[str, int]) -> bool:
        """Whether a statement holds at an element; all that is compared must have a value."""
        op, *args = self.terms[place]
        if op in ("<", "<=", ">", ">=", "=", "!="):
            return self.relation(place, index)
        if op == "implies":
            return not self.everywhere(args[0]) or self.holds(args[1], index)
        if op == "iff":
            # What has no value does not hold; so it is where neither side holds.
            return self.known(args[0], index) is self.known(args[1], index)
        if op in ("all", "any"):
            said = [self.holds(one, index) for one in args]
            return all(said) if op == "all" else any(said)
        return self.kind(op, args, index)

    def known(self, place: int, index: dict[str, int]) -> bool:
        try:
            return self.holds(place, index)
        except NoValueError:
            return False

    def everywhere(self, place: int) -> bool:
        """Whether a premise holds at every element; it does not where it has no value."""
        return all(self.known(place, at) for at in self.assignments(place))

    def at_several(self, symbol: int, place: int, several: Sequence[Any]) -> bool:
        cell = (self.terms[symbol][1], ())
        return all(self.put({cell: one}, lambda: self.holds(place, {})) for one in several)

    def of_functions(self, op: str, args: Sequence[Any], index: dict[str, int]) -> bool:
        if op == "for-every":
            # Of an example; where it is one of these is part of what it is.
            entry = self.symbols[self.terms[args[0]][1]]
            where = args[3] is None or self.holds(args[3], index)
            return where and self.at_several(args[0], args[1], [self.drawn(entry) for _ in range(6)])
        if op == "every-iterate" and args[4] is None and len(self.terms[args[1]]) == 2:
            start, (low, *_) = self.terms[self.terms[args[3]][1]], self.symbols[self.terms[self.terms[args[1]][1]][1]]
            if start != low:
                raise UnclearError
            return self.at_several(self.terms[args[1]][1], args[0], [mp.mpf(int(low) + one) for one in range(6)])
        if op == "in-the-limit":
            return self.holds(args[1], index)
        if op == "sequence-limit":
            late, cell = mp.mpf(10**9), (self.terms[args[0]][1], ())
            gap = self.put({cell: late}, lambda: self.value(args[1], index) - self.value(args[2], index))
            if ROUNDED < abs(gap) < 1:
                raise UnclearError
            return abs(gap) < 1
        raise UnclearError

    def kind(self, op: str, args: Sequence[Any], index: dict[str, int]) -> bool:
        if op == "term-of-total":
            (letter,) = self.letters(args[0])
            terms = [self.value(args[0], {**index, letter: one}) for one in range(self.sizes[letter])]
            return all(compared("<=", one, mp.fsum(terms)) for one in terms)
        if op == "summed":
            return not self.everywhere(args[0]) or self.holds(args[2], index)
        if op == "instance":
            names = [self.terms[one][1] for one in self.terms[args[1]][1:]]
            values = [self.value(one, index) for one in self.terms[args[2]][1:]]
            if any(self.symbols[name][5] for name in names):
                raise UnclearError
            for name, one in zip(names, values, strict=True):
                if not self.inside(name, one):
                    raise UnclearError
            return self.put(
                {(name, ()): one for name, one in zip(names, values, strict=True)}, lambda: self.holds(args[0], index)
            )
        if op not in ("monotone", "extremum", "unique-root"):
            return self.of_functions(op, args, index)
        name = self.terms[args[0 if op == "unique-root" else 1]][1]
        cell = self.cell(name, index)

        def at(value: Any, what: Callable[[], Any]) -> Any:
            return self.put({cell: value}, what)

        def given() -> bool:
            return all(self.everywhere(one) for one in self.record["given"])

        if op == "unique-root":
            root = self.value(args[2], index)
            said = at(root, lambda: self.holds(args[1], index)) and self.inside(name, root)
            here = self.cells[cell]
            return said and (abs(here - root) < CERTAIN or not self.holds(args[1], index))
        if op == "extremum":
            best = self.value(args[2], index)
            if not self.inside(name, best):
                return False
            return compared(
                ">=" if args[3] else "<=", self.value(args[0], index), at(best, lambda: self.value(args[0], index))
            )
        other = self.drawn(self.symbols[name])
        if abs(other - self.cells[cell]) < CERTAIN or not at(other, given):
            raise UnclearError
        first, second = self.value(args[0], index), at(other, lambda: self.value(args[0], index))
        return compared("<" if (other > self.cells[cell]) is args[2] else ">", first, second)

    def settle(self) -> bool:
        """Make what is given hold, equations by one of their cells each; whether that was possible."""
        fixed: set[Any] = set()
        for place in self.record["given"]:
            node = self.terms[place]
            for index in self.assignments(place) if node[0] == "=" else ():
                free = [cell for cell in self.cells if cell not in fixed]
                self.rng.shuffle(free)
                for cell in free:
                    if self.solve(node, index, cell):
                        fixed.add(cell)
                        break
        return all(self.everywhere(one) for one in self.record["given"])

    def solve(self, node: Any, index: dict[str, int], cell: Any) -> bool:
        def gap(x: Any) -> Any:
            return self.put({cell: x}, lambda: self.value(node[1], index) - self.value(node[2], index))

        here = self.cells[cell]
        try:
            if abs(gap(here)) < ROUNDED:
                return True
            if gap(here) == gap(here + mp.mpf("0.001")):
                return False
            found = mp.findroot(gap, (here, here + mp.mpf("0.01")), maxsteps=60)
            ends = (rounded(Fraction(end)) for end in self.symbols[cell[0]][:2] if end is not None)
            # Next to an end it may be a rounded solution where there is none.
            if (
                not self.inside(cell[0], found)
                or abs(gap(found)) > ROUNDED
                or any(abs(found - x) < CERTAIN for x in ends)
            ):
                return False
        except (NoValueError, UnclearError, ValueError, ZeroDivisionError, TypeError):
            return False
        self.cells[cell] = found
        return True


def is_place(one: object) -> bool:
    return isinstance(one, int) and not isinstance(one, bool)


def rounded(value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


def bordering(value: Any) -> Any:
    """A value that is not so near to 0 that rounding could have changed its sign."""
    if 0 < abs(value) < CERTAIN * CERTAIN:
        raise UnclearError
    return value


PLAIN: dict[str, Callable[..., Any]] = {
    **{"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "negate": operator.neg},
    **{
        "maximum": max,
        "minimum": min,
        "absolute": abs,
        **{op: getattr(mp, op) for op in ("exp", "sinh", "cosh", "tanh")},
    },
}


def operate(op: str, *args: Any) -> Any:
    one, other = args[0], args[-1]
    if any(abs(x) > 10**6 for x in args) and op in ("exp", "sinh", "cosh", "power"):
        raise UnclearError
    if op in PLAIN:
        return PLAIN[op](*args)
    match op:
        case "divide":
            if bordering(other) == 0:
                raise NoValueError
            return one / other
        case "maximum" | "minimum":
            return max(one, other) if op == "maximum" else min(one, other)
        case "power":
            whole = other == mp.nint(other)
            if (not whole and bordering(one) < 0) or (one == 0 and other <= 0):
                raise NoValueError
            if bordering(one) == 0:
                return mp.mpf(0)
            return one ** (int(other) if whole else other)
        case "sqrt" | "log":
            if bordering(one) < 0 or (one == 0 and op == "log"):
                raise NoValueError
            return mp.sqrt(one) if op == "sqrt" else mp.log(one)
    raise UnclearError


def compared(op: str, left: Any, right: Any) -> bool:
    gap, scale = left - right, max(1, abs(left), abs(right))
    if abs(gap) > CERTAIN * scale:
        return op in ("!=", ">", ">=") if gap > 0 else op in ("!=", "<", "<=")
    if abs(gap) > ROUNDED * scale or op in ("!=", "<", ">"):
        # Rounded or really different: only what both allow is sure.
        if gap == 0 and op in ("!=", "<", ">"):
            return False
        raise UnclearError
    return True


def counterexample(record: Any, rng: random.Random) -> str | None:
    """A point at which what a record states fails or has no value, if one is met; ``""`` if no point was judged."""
    judged = 0
    for _ in range(TRIES):
        try:
            world = World(record, rng)
            if not world.settle():
                continue
            for index in world.assignments(record["statement"]):
                if failure(world, index) and mp.workdps(1_000)(failure)(world, index):
                    return f"{failure(world, index)} at {world.cells} {index}"
                judged += 1
        except (
            UnclearError,
            NoValueError,
            ArithmeticError,
            ValueError,
            RecursionError,
            TypeError,
            LookupError,
            AttributeError,
        ):
            # Such a record says nothing that could be judged: it is no record.
            continue
        if judged >= POINTS:
            break
    return None if judged else ""


def failure(world: World, index: dict[str, int]) -> str | None:
    """How the statement fails at a point, if it does; once more with many digits this is certain."""
    try:
        return None if world.holds(world.record["statement"], index) else "false"
    except NoValueError:
        return "no value"


# Mutants.


def changed_number(text: str, rng: random.Random) -> str:
    value = Fraction(text)
    return str(
        rng.choice([value + 1, value - 1, -value, 2 * value, value / 2, Fraction(0), Fraction(1), Fraction(1, 2)])
    )


def changed_node(node: Any, place: int, rng: random.Random) -> Any:
    if isinstance(node, str):
        return changed_number(node, rng)
    op, *args = node
    ways = []
    if op in LIKE:
        ways.append(lambda: [rng.choice(LIKE[op]), *args])
    flags = [at for at, one in enumerate(args) if isinstance(one, bool)]
    if flags:
        ways.append(lambda: [op, *(not one if at == flags[0] else one for at, one in enumerate(args))])
    places = [at for at, one in enumerate(args) if is_place(one)]
    if len(places) > 1:
        swapped = dict(zip(places, (args[at] for at in reversed(places)), strict=True))
        ways.append(lambda: [op, *(swapped.get(at, one) for at, one in enumerate(args))])
    if places and place:
        at = rng.choice(places)
        ways.append(lambda: [op, *args[:at], rng.randrange(place), *args[at + 1 :]])
    return rng.choice(ways)() if ways else node


def change_terms(data: Any, rng: random.Random) -> None:
    """Change a node, and every one that is the same, whether the record or the proof has it."""
    ours, theirs = data["record"]["terms"], data["proof"].get("terms", [])
    both, known, same = [*ours, *theirs], dict[str, int](), list[int]()
    for place, node in enumerate(both):
        meant = (
            node
            if isinstance(node, str)
            else [("@", same[one]) if is_place(one) and one < place else one for one in node]
        )
        same.append(known.setdefault(json.dumps(meant), place))
    chosen = rng.randrange(len(ours)) if rng.random() < 0.8 else rng.randrange(len(both))
    node = changed_node(both[same[chosen]], same[chosen], rng)
    for place, one in enumerate(same):
        if one == same[chosen]:
            (ours if place < len(ours) else theirs)[place if place < len(ours) else place - len(ours)] = node


def change_symbol(data: Any, rng: random.Random) -> None:
    entry = rng.choice([*data["record"]["symbols"].values()] or [[None] * 7])
    which = rng.choice([0, 1, 2, 3, 4])
    if which < 2:
        entry[which] = rng.choice([None, "0", "1", "-1", "1/2", "2"])
        if entry[which] is None:
            entry[which + 2] = False
    else:
        entry[which] = not entry[which]


def change_list(data: Any, rng: random.Random) -> None:
    record = data["record"]
    some = rng.choice([record["given"], record["lemmas"], *(one["goals"] for one in data["proof"].get("parts", []))])
    if some:
        at = rng.randrange(len(some))
        if rng.random() < 0.7:
            del some[at]
        else:
            some[at] = some[rng.randrange(len(some))]


def change_proof(data: Any, rng: random.Random) -> None:
    """Change one leaf of a proof: a number, a reference, an operator, or a reason."""
    leaves: list[tuple[Any, Any]] = []

    def walk(one: Any) -> None:
        for key, inner in one.items() if isinstance(one, dict) else enumerate(one):
            leaves.append((one, key))
            if isinstance(inner, dict | list):
                walk(inner)

    parts = data["proof"].get("parts", [])
    walk([parts, data["proof"].get("points", [])])
    holder, key = rng.choice(leaves)
    one = holder[key]
    size = len(data["record"]["terms"]) + len(data["proof"].get("terms", []))
    if is_place(one):
        holder[key] = rng.choice([rng.randrange(size), one + 1, 1, 0])
    elif isinstance(one, str) and one.lstrip("-")[:1].isdigit():
        holder[key] = changed_number(one, rng)
    elif isinstance(one, str) and one in LIKE:
        holder[key] = rng.choice(LIKE[one])
    elif isinstance(one, list) and one and rng.random() < 0.5:
        del one[rng.randrange(len(one))]
    else:
        holder[key] = rng.choice([None, ["range"], ["same", []], []])


def mutant(data: Any, rng: random.Random) -> Any:
    found = copy.deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choices([change_terms, change_symbol, change_list, change_proof], [6, 2, 1, 2])[0](found, rng)
    return found


def is_sound_ground(data: Any) -> bool:
    """Whether a document is no assumption and rests on none."""
    record = data["record"]
    return not record["assumed"] and not any(one["supposed"] for one in record["lemmas"])


def try_mutants(documents: Sequence[Any], count: int, seed: int) -> tuple[Counter[str], list[tuple[str, Any]]]:
    """Verify so many mutants; how they fared, and those that were accepted though false, or that broke the kernel."""
    rng, fates, bad = random.Random(seed), Counter[str](), list[tuple[str, Any]]()
    usual = [(one, {*verify(one).rests_on}) for one in documents if is_sound_ground(one)]
    while fates.total() < count:
        data, before = rng.choice(usual)
        try:
            other = mutant(data, rng)
        except (ValueError, IndexError, KeyError, ZeroDivisionError, TypeError, AttributeError):
            continue
        if other == data:
            continue
        try:
            verified = verify(other)
        except RefusedError:
            # How many of these are false tells how hard the kernel was tried.
            fates["refused"] += 1
            if rng.random() < 0.1:
                found = counterexample(other["record"], rng)
                fates_of = "refused, looked at: false" if found else "refused, looked at: not seen to be false"
                SEEN[fates_of] += 1
            continue
        except Exception as error:
            fates["broke"] += 1
            bad.append((f"{type(error).__name__}: {error}", other))
            continue
        if not {*verified.rests_on} <= before:
            fates["accepted, resting on other claims"] += 1
            continue
        found = counterexample(other["record"], rng)
        if found:
            fates["accepted, false"] += 1
            bad.append((found, other))
        else:
            fates["accepted, not judged" if found == "" else "accepted, true at all points"] += 1
    return fates, bad


SEEN: Counter[str] = Counter()


def main() -> None:
    """Try mutants of the documents of some files, and write what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    documents = []
    for line in (line for path in options.files for line in path.read_text(encoding="utf-8").splitlines()):
        data = json.loads(line)
        try:
            verify(data)
        except RefusedError:
            continue
        documents.append(data)
    fates, bad = try_mutants(documents, options.count, options.seed)
    for kind, number in sorted((fates + SEEN).items()):
        print(f"{kind}: {number}")
    for why, data in bad[:20]:
        print(data["record"]["id"], why[:300])
    if options.out:
        options.out.write_text("".join(f"{json.dumps([why, data])}\n" for why, data in bad), encoding="utf-8")


if __name__ == "__main__":
    main()
