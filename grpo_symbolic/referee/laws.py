"""What a paper without a map rests on tacitly: definitions that it makes, and laws of sums, averages and gradients.

Objects of which nobody said what they are, such as a sum over an unknown range, are atoms of a step. Here an atom is
written out again with what the paper says of its parts, and by these laws:

* a factor and its inverse cancel, and the logarithm of a product is a sum, wherever all of it has a value;
* a factor in which the index of a sum does not stand is taken out of the sum;
* a gradient obeys the rules of products, quotients and logarithms, and passes a sum or an integral;
* an expectation over ``x \\sim p`` is the sum or the integral of ``p(x)`` times what is averaged, if the other side has
  one over the same ``x``; others obey the laws of ``chances``.

Every law that is used is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grpo_symbolic.language.expression import Apply, Expression, Number, Symbol, free_symbols, rebuild
from grpo_symbolic.language.vocabulary import exp, log
from grpo_symbolic.reading.meaning.labels import holds_index
from grpo_symbolic.reading.meaning.linear import TooManyTerms, every_term
from grpo_symbolic.reading.notation.elementary import total
from grpo_symbolic.reading.tex.normal import find
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Scripted, walk, without_scripts
from grpo_symbolic.reading.tex.tree import Number as Digits
from grpo_symbolic.referee.averages import AVERAGES, Averages, Product
from grpo_symbolic.referee.chances import CONSTANT
from grpo_symbolic.referee.operators import index_below, latex_of, operator_of, shares_variable

#: Deepest nesting of definitions and operators that is followed.
MAX_UNFOLDED = 12
CANCELLED = "factors that cancel are not 0"
LOGARITHMS = "what stands in a logarithm is positive, factor by factor"
OUTSIDE = "a factor without the index of a sum does not depend on it"
COUNTED = "a sum from 1 to a whole number has that many terms"
GRADIENTS = "gradients follow the rules of products and logarithms of numbers, and pass sums and integrals"

FREE = "a function that has its arguments printed does not depend on others"

_ONE = Number(Fraction(1))


@dataclass
class Laws(Averages):
    """Writes out the atoms of a paper.

    ``equated`` is all that the paper sets a name equal to, in whatever sense: what is a constant by its letters may
    depend on an index by that. ``unfolded`` are the definitions that were used.
    """

    equated: Mapping[Expression, Sequence[Expression]] = field(default_factory=dict)
    unfolded: dict[Expression, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.spelled = {latex_of(atom): rights for atom, rights in self.equated.items() if isinstance(atom, Symbol)}

    def written(self, expression: Expression, depth: int = 0) -> Expression:
        """An expression with its atoms written out.

        Raises:
            TooManyTerms: if that becomes too long, or goes in a circle.
        """
        if depth > MAX_UNFOLDED:
            raise TooManyTerms
        if isinstance(expression, Symbol):
            if expression in self.values:
                self.unfolded[expression] = None
                return self.written(self.values[expression], depth + 1)
            key = self.keys.get(expression)
            if expression in self.objects.contents:
                return self._spread(expression, depth)
            if key is not None and key[0] == "product":
                return self._multiplied(key[1], key[2], key[3], depth)
            if key is None or key[0] != "linear":
                chance = None if expression in self.weights else self.chances.written(expression)
                return expression if chance is None else chance
            body: Expression = _ONE
            for factor in key[2]:
                body = body * self.written(factor, depth + 1)
            return self._applied(tuple(key[1]), body, key[3], depth)
        return rebuild(expression, tuple(self.written(child, depth) for child in expression.children))

    def _multiplied(self, sign: Node, value: Expression, bound: object, depth: int) -> Expression:
        """A product over a range: the exponential of the sum of the logarithms."""
        if not isinstance(sign, Scripted) or self._is_vector(value):
            raise TooManyTerms
        head = (Scripted(Atom(r"\sum", sign.place), sign.sub, sign.sup, 0, sign.place),)
        self.used[LOGARITHMS] = None
        return exp(self._applied(head, log(self.written(value, depth + 1)), bound, depth + 1))

    def _applied(self, head: Nodes, body: Expression, bound: object, depth: int) -> Expression:
        """An operator over what it covers, term by term."""
        if depth > MAX_UNFOLDED:
            raise TooManyTerms
        region = self._averaged(head)
        if region is not None:
            head, weight, _ = region
            body, bound = weight * body, ()
            self.used[AVERAGES] = None
        parts: list[Expression] = []
        for factor, product in every_term(self._logarithms(body)):
            parts.append(Number(factor) * self._term(head, self._cancelled(product), bound, depth))
        return total(parts) if parts else Number(Fraction(0))

    def _term(self, head: Nodes, product: Product, bound: object, depth: int) -> Expression:
        operator = operator_of(head)
        if operator == r"\nabla":
            return self._gradient(head, product, bound, depth)
        if operator == "E" and not product and isinstance(without_scripts(head[0]), Name):
            return _ONE
        outside: list[Expression] = []
        result: Expression | None = None
        if operator == r"\sum" and len(index := index_below(head)) == 1:
            outside = [one for one in product if not self._holds(one, index)]
            product = tuple(one for one in product if one not in outside)
            if outside:
                self.used[OUTSIDE] = None
            result = self._over_values(head, product, index) if product else self._counted(head)
        elif operator == "E":
            outside = [one for one in product if self._is_average(one, head)]
            product = tuple(one for one in product if one not in outside)
            if outside:
                self.used[CONSTANT] = None
            head = self._unmarked(head, product)
            result = self._average(head, product, bound) if product or not outside else _ONE
        if result is None:
            result = self._atom(head, self._ordered(product), bound)
        for one in reversed(outside):
            result = one * result
        return result

    def _counted(self, head: Nodes) -> Expression | None:
        """How many terms a sum from 1 has, each of which is 1."""
        first = head[0]
        if not isinstance(first, Scripted) or not first.sub or not first.sup or find(first.sub, "=") != 1:
            return None
        begin, end = first.sub[2:], first.sup
        if len(begin) != 1 or not isinstance(begin[0], Digits) or begin[0].text != "1":
            return None
        digits = end[0].text if len(end) == 1 and isinstance(end[0], Digits) else ""
        many = Number(Fraction(digits)) if digits.isdigit() else self.printed.get(compact(end))
        if many is not None:
            self.used[COUNTED] = None
        return many

    def _ordered(self, product: Product) -> Product:
        """A product with its probabilities first and its only gradient or vector last."""
        vectors = [one for one in product if self._is_vector(one)]
        last = tuple(vectors) if len(vectors) == 1 else ()
        first = tuple(one for one in product if one in self.weights)
        return (*first, *(one for one in product if one not in first and one not in last), *last)

    def _gradient(self, head: Nodes, product: Product, bound: object, depth: int) -> Expression:
        """The gradient of a product: each factor in turn, the others before it."""
        if any(self._is_vector(one) for one in product):
            return self._atom(head, product, bound)
        parts: list[Expression] = []
        for at in range(len(product)):
            others: Expression = _ONE
            for other in (*product[:at], *product[at + 1 :]):
                others = others * other
            parts.append(others * self._of_factor(head, product[at], bound, depth))
        if len(product) > 1:
            self.used[GRADIENTS] = None
        return total(parts) if parts else Number(Fraction(0))

    def _of_factor(self, head: Nodes, one: Expression, bound: object, depth: int) -> Expression:
        match one:
            case Apply("log", (inner,)):
                self.used[GRADIENTS] = None
                return (_ONE / inner) * self._applied(head, inner, bound, depth + 1)
            case Apply("divide", (above, below)) if above == _ONE:
                self.used[GRADIENTS] = None
                return -(_ONE / (below * below)) * self._applied(head, below, bound, depth + 1)
            case Symbol():
                if self._is_free(one, head):
                    self.used[FREE] = None
                    return Number(Fraction(0))
                inner_head = self._head(one)
                if (
                    inner_head
                    and operator_of(inner_head) in (r"\sum", r"\int")
                    and not shares_variable(inner_head, head)
                ):
                    self.used[GRADIENTS] = None
                    key = self.keys[one]
                    body: Expression = _ONE
                    for factor in key[2]:
                        body = body * factor
                    inside = self._applied(head, body, bound, depth + 1)
                    return self._applied(inner_head, inside, key[3], depth + 1)
        return self._atom(head, (one,), bound)

    def _is_free(self, one: Symbol, head: Nodes) -> bool:
        """Whether the value of a function has its arguments printed, and the variable of a gradient is none of them."""
        variable = head[0].sub if head and isinstance(head[0], Scripted) else None
        nodes = self._nodes(one)
        if variable is None or len(variable) != 1 or len(nodes) < 2 or not isinstance(nodes[-1], Group):
            return False
        carriers = self._carriers(variable)
        printed = {variable[0], *carriers}
        equal = any(self._depends(right, variable, 0) for right in self.equated.get(one, ()))
        return (
            bool(carriers)
            and not equal
            and not any(
                node in printed or without_scripts(node) in printed or self._rests(node, variable)
                for node in walk(nodes)
            )
        )

    def _carriers(self, variable: Nodes) -> set[Node | None]:
        """The letters that the paper prints with a variable somewhere, as ``p`` in ``p_x``: they depend on it."""
        found: set[Node | None] = set()
        for symbol in self._atoms(self.keys):
            nodes = self._nodes(symbol)
            if nodes and variable[0] in walk(nodes):
                found |= {without_scripts(nodes[0])} - {variable[0]}
                found |= {
                    without_scripts(node)
                    for node in walk(nodes)
                    if isinstance(node, Scripted) and variable[0] in walk((*(node.sub or ()), *(node.sup or ())))
                }
        return found

    def _rests(self, node: Node, index: Nodes) -> bool:
        """Whether something is equal to what prints an index, by some equation of the paper."""
        rights = self.spelled.get(compact((node,)), ())
        return any(self._prints(symbol, index) for right in rights for symbol in free_symbols(right))

    def _cancelled(self, product: Product) -> Product:
        """A product without pairs of a factor and its inverse."""
        left = list(product)
        for one in product:
            inverse = _ONE / one
            if one in left and inverse in left:
                left.remove(one)
                left.remove(inverse)
                self.used[CANCELLED] = None
        return tuple(left)

    def _logarithms(self, expression: Expression) -> Expression:
        """An expression with the logarithms of products, quotients and exponentials as sums."""
        children = tuple(self._logarithms(child) for child in expression.children)
        match expression:
            case Apply("log", _):
                return self._logarithm(children[0])
        return rebuild(expression, children) if children else expression

    def _logarithm(self, inner: Expression) -> Expression:
        match inner:
            case Apply("multiply", (left, right)):
                self.used[LOGARITHMS] = None
                return self._logarithm(left) + self._logarithm(right)
            case Apply("divide", (left, right)):
                self.used[LOGARITHMS] = None
                above = Number(Fraction(0)) if left == _ONE else self._logarithm(left)
                return above - self._logarithm(right)
            case Apply("power", (base, exponent)):
                self.used[LOGARITHMS] = None
                return exponent * self._logarithm(base)
            case Apply("exp", (exponent,)):
                return exponent
        return Apply("log", (inner,))

    def _holds(self, expression: Expression, index: Nodes) -> bool:
        """Whether an index stands in what an expression prints, or nobody can tell."""
        return any(self._prints(symbol, index) for symbol in free_symbols(expression))

    def _prints(self, symbol: Symbol, index: Nodes, depth: int = 0) -> bool:
        key = self.keys.get(symbol)
        if any(self._depends(one, index, depth) for one in self.equated.get(symbol, ())):
            return True
        if key is not None and key[0] == "linear":
            return any(self._holds(one, index) for one in key[2]) or holds_index(tuple(key[1]), index)
        nodes = self._nodes(symbol)
        return not nodes or holds_index(nodes, index)

    def _depends(self, expression: Expression, index: Nodes, depth: int) -> bool:
        """Whether an index stands in an expression and nothing in that runs over it."""
        return depth < MAX_UNFOLDED and any(
            index_below(self._head(symbol))[:1] != index and self._prints(symbol, index, depth + 1)
            for symbol in free_symbols(expression)
        )
