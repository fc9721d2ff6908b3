"""From the tree to an Expression: sums, products, powers, and at every primary the notation map first.

Nothing is guessed: a symbol that is not declared and a form with two readings are refused.
"""

from __future__ import annotations

from itertools import pairwise

from grpo_symbolic.language.expression import Expression, free_symbols
from grpo_symbolic.language.expression import Number as Constant
from grpo_symbolic.reading.meaning import (
    binders,
    cases,
    derivatives,
    expectations,
    functions,
    integrals,
    notated,
    opaque,
    primaries,
    printed,
    repeated,
)
from grpo_symbolic.reading.meaning.phrase import TIMES, Handler, Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Scope
from grpo_symbolic.reading.meaning.unknown import unknown
from grpo_symbolic.reading.notation.context import MAX_DEPTH, Context
from grpo_symbolic.reading.notation.elementary import factorial
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Environment,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    Words,
    without_scripts,
)


def read_expression(nodes: Nodes, scope: Scope, context: Context, place: Place) -> Expression:
    """Read a whole sequence of nodes as one expression; ``place`` is named if the sequence is empty.

    Raises:
        NotUnderstood: where it cannot be read, or could be read in two ways.
        FreeIndex: where an index stands that nothing binds.
    """
    if not nodes:
        raise NotUnderstood(place, "meaningless", "a formula is missing here")
    return Parser(nodes, scope, context).whole()


def read_side(nodes: Nodes, scope: Scope, context: Context, place: Place) -> Expression:
    """Read one side of a relation, which must not be deeper than what works on expressions can follow.

    Raises:
        NotUnderstood, FreeIndex: as ``read_expression``.
    """
    try:
        expression = read_expression(nodes, scope, context, place)
    except RecursionError as error:
        raise NotUnderstood(place, "limit", "nested too deeply") from error
    level: list[Expression] = [expression]
    for _ in range(MAX_DEPTH):
        level = list({id(child): child for node in level for child in node.children}.values())
        if not level:
            return expression
    raise NotUnderstood(place, "limit", f"an expression of more than {MAX_DEPTH} levels, such as a very long sum")


class Parser(Phrase):
    """A phrase that reads sums, products and every form there is."""

    def whole(self) -> Expression:
        """Read everything."""
        bar = integrals.evaluation_bar(self)
        if bar is not None:
            return bar
        result = self.sum()
        if self.node is not None:
            raise unknown(self.node, self.here(), self.context)
        return result

    def sum(self) -> Expression:
        """Read terms with plus and minus between them."""
        result = self._signed()
        while True:
            sign = self.sign("+", "-")
            if sign is None:
                return result
            self.past("sign")
            term = self._signed()
            result = result + term if sign == "+" else result - term

    def _signed(self) -> Expression:
        sign = self.sign("+", "-")
        if sign is None:
            return self.term()
        repeated.refuse_signs(self)
        if sign == "-" and isinstance(self._peek(1), Number) and self._number_alone(1):
            self.past("sign")
            value = self.term()
            return Constant(-value.value) if isinstance(value, Constant) else -value
        self.past("sign")
        inner = self._signed()
        return -inner if sign == "-" else inner

    def _peek(self, offset: int) -> Node | None:
        index = self.index + offset
        return self.nodes[index] if index < len(self.nodes) else None

    def _number_alone(self, offset: int) -> bool:
        after = self._peek(offset + 1)
        return after is None or (isinstance(after, Atom) and after.text in ("+", "-"))

    def term(self) -> Expression:
        """Read a product; in a paper without a map, one that is not read is an atom if it is one value all the same."""
        objects = self.context.objects
        if objects is None:
            return self._product()
        start, notes = self.index, len(self.context.notes)
        comparisons = len(self.context.comparisons)
        try:
            value = self._product()
            if objects.vectors & set(free_symbols(value)):
                opaque.refuse_products(value, objects, self.nodes[start].place)
            return value
        except NotUnderstood as refusal:
            del self.context.notes[notes:], self.context.comparisons[comparisons:]
            found = printed.term(self, start, refusal, objects)
            if found is None:
                raise
            return found

    def _product(self) -> Expression:
        """Read factors side by side, with ``\\cdot`` or with ``/`` between them, up to a plus or minus.

        A slash must have one factor on its right, since ``a/bc`` has two readings.
        """
        start = self.index
        result = self.factor()
        slashed = False
        while not self.at_end:
            sign = self.sign("/", *TIMES)
            if sign is not None:
                self.past("sign")
                repeated.skip_at_line_break(self, sign)
            if slashed:
                self._after_slash(sign, start)
                slashed = False
            if sign is None:
                self._juxtaposable(start)
            right = self.factor()
            result = result / right if sign == "/" else result * right
            slashed = slashed or sign == "/"
        return result

    def _after_slash(self, sign: str | None, start: int) -> None:
        """Refuse a factor after ``a/b``, unless both are numbers and a sign shows where the quotient ends."""
        numeric = all(
            isinstance(node, Number) or node == Atom("/", node.place) for node in self.nodes[start : self.index - 1]
        )
        if sign in TIMES and numeric:
            return
        raise self.refuse(
            "ambiguous",
            "a factor after a quotient with a slash",
            readings=("the factor belongs to the denominator", "the factor multiplies the quotient"),
            hint="write \\frac or brackets",
        )

    def _juxtaposable(self, start: int) -> None:
        """Refuse factors side by side that print as something else."""
        before, node = self.nodes[self.index - 1], self.node
        if isinstance(node, Words) or isinstance(before, Words):
            raise self.refuse("words", "words beside a formula")
        if isinstance(before, Number) and before.text.strip("0.") == "" and self.index - 1 == start:
            raise self.refuse("meaningless", "a literal 0 as a factor", place=before.place)
        bare = without_scripts(node)
        if isinstance(before, Number) and isinstance(node, Atom) and node.text == "e":
            self._refuse_decimal_exponent(before)
        if isinstance(bare, Number):
            closed = isinstance(before, Command | Group) or (
                isinstance(before, Scripted) and before.place.end < bare.place.start
            )
            if not closed:
                raise self.refuse(
                    "ambiguous",
                    f"the number {bare.text} right after another factor",
                    readings=("a product", "digits or an index that lost their place"),
                    hint="write \\cdot",
                )
        if isinstance(before, Number) and before.text.isdigit() and _numeric_fraction(bare):
            raise self.refuse(
                "ambiguous",
                "a fraction of numbers right after a number",
                readings=("their product", "a mixed number, their sum"),
                hint="write \\cdot",
            )
        if isinstance(node, Group) and node.open == "{":
            raise self.refuse("ambiguous", "braces after a letter", hint="a lost \\frac? write brackets for a product")

    def _refuse_decimal_exponent(self, before: Number) -> None:
        """Refuse ``1e-5`` typed without a space, which is a decimal number in programs."""
        typed = (before, *self.nodes[self.index : self.index + 3])
        texts = [node.text for node in typed if isinstance(node, Atom | Number)]
        touching = all(one.place.end == other.place.start for one, other in pairwise(typed))
        if len(texts) == len(typed) == 4 and texts[2] in ("+", "-") and texts[3].isdigit() and touching:
            readings = ("a decimal number", "a multiple of e and another term")
            raise self.refuse("ambiguous", "".join(texts), readings=readings, hint="write a power of 10, or spaces")

    # Factors.

    def factor(self) -> Expression:
        """Read one factor with its power; in a paper without a map, what nobody declared is an atom."""
        start, objects = self.index, self.context.objects
        if objects is not None and (value := opaque.applied(self, objects)) is not None:
            return self._postfix(value)
        try:
            return self._factor()
        except NotUnderstood as refusal:
            if objects is None or not (refusal.kind in opaque.KINDS or refusal.whole == "name"):
                raise
            self.index = start
            found = opaque.read(self, objects)
            found = printed.value(self, objects) if found is None else found
            if found is None:
                raise
            return self._postfix(found)

    def _factor(self) -> Expression:
        node = self.node
        if node is None:
            raise self.refuse("meaningless", "a term is missing at the end")
        found = notated.read(self)
        if found is not None:
            return self._postfix(found)
        bare, power_of = (node.base, node) if isinstance(node, Scripted) else (node, None)
        handler = self._handler(bare)
        if handler is not None:
            result = handler(self)
            if result is not None:
                return self._postfix(result)
        if bare is None:
            raise self.refuse("meaningless", "a script without a base")
        result = primaries.plain(self, bare, power_of)
        self.index += 1
        if power_of is not None:
            result = primaries.powered(self, result, power_of)
        return self._postfix(result)

    def _handler(self, node: Node | None) -> Handler | None:
        match node:
            case Atom(r"\Pr"):
                return expectations.HANDLERS["Pr"]
            case Atom(text):
                binder = binders.HANDLERS.get(text) or integrals.HANDLERS.get(text)
                return binder or functions.HANDLERS.get(text.lstrip("\\"))
            case Name(text, "upright"):
                return functions.HANDLERS.get(text) or expectations.HANDLERS.get(text)
            case Name("1" | "I", "blackboard" | "bold"):
                return cases.indicated
            case Name(text, "blackboard" | "bold"):
                return expectations.HANDLERS.get(text)
            case Command(r"\frac"):
                return derivatives.read
            case Environment("cases"):
                return cases.read
            case _:
                return None

    def _postfix(self, value: Expression) -> Expression:
        while True:
            node = self.node
            if isinstance(node, Atom) and node.text == "!":
                repeated.refuse_factorials(self)
                self.past("factorial")
                value = factorial(value)
            elif isinstance(node, Scripted) and node.base == Atom("!", node.place) and node.sup is not None:
                repeated.refuse_factorials(self)
                self.past("factorial")
                value = self.raised(factorial(value), node.sup, node.place)
            else:
                return value


def _numeric_fraction(node: Node | None) -> bool:
    if not isinstance(node, Command) or node.name != r"\frac":
        return False
    return all(len(part) == 1 and isinstance(part[0], Number) for part in node.arguments)
