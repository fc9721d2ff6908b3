"""From LaTeX to a statement: relations joined by "and", "or", "if", "otherwise", implications and equivalences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import NEGATIONS, All, Any, Equivalent, Implies, Relation, Statement, conjunction
from grpo_symbolic.readback.outputs import LABELS
from grpo_symbolic.readback.properties import CONSTANT, PROPERTIES
from grpo_symbolic.readback.wording import said, split_at, where_said
from grpo_symbolic.reading.meaning.conditions import OPERATORS, relations
from grpo_symbolic.reading.meaning.parser import Parser, read_side
from grpo_symbolic.reading.meaning.refusal import NotUnderstood, refuse_idle
from grpo_symbolic.reading.meaning.scope import FreeIndex, Scope
from grpo_symbolic.reading.meaning.steps import without_constant
from grpo_symbolic.reading.notation.context import Context
from grpo_symbolic.reading.places import Place, Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import find, normal, split, trimmed
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Words, place_of, walk

_IFF, _IMPLIES = r"\Leftrightarrow", r"\Rightarrow"
#: Signs that only statements have at top level.
_SIGNS = frozenset({*OPERATORS, _IFF, _IMPLIES, r"\in", r"\propto", r"\rightarrow"})
_SUMS = frozenset({"E", "P", "Var", "KL"})
_FOR_ALL = ("for every", "for all", "for each", "for any")


@dataclass(frozen=True)
class Fragment:
    """Formulas that a quote picks out of a statement, such as both values of a function, perhaps with a condition."""

    formulas: tuple[Expression, ...]
    condition: Statement | None = None


def parsed(latex: str) -> Nodes:
    """The tree of a formula.

    Raises:
        NotUnderstood: if it is empty.
        BrokenLatex: where its structure is broken.
    """
    nodes = normal(parse_tree(latex))
    if not nodes:
        raise NotUnderstood(Place(Source("formula", latex), 0, 0), "meaningless", "a formula is missing here")
    return nodes


def read_formula(latex: str, context: Context, scope: Scope) -> Statement | Expression:
    """Read LaTeX as a statement, or as an expression if no relation stands in it.

    Raises:
        NotUnderstood: where it is not understood.
        BrokenLatex: where its structure is broken.
    """
    found = read_fragment(parsed(latex), context, scope)
    if isinstance(found, Fragment):
        raise NotUnderstood(Place(Source("formula", latex), 0, 0), "meaningless", "several formulas without a relation")
    return found


def read_fragment(
    nodes: Nodes, context: Context, scope: Scope, *, bare: bool = False
) -> Statement | Expression | Fragment:
    """Read a formula, or several formulas without a relation between them, as a quote may pick them out.

    If ``bare``, distributions may stand there without their argument, as in ``StatementReader``.

    Raises:
        NotUnderstood: where it is not understood.
    """
    reader = StatementReader(context, scope, bare=bare)
    try:
        context.work = 0
        return reader.anything(nodes)
    except FreeIndex as free:
        name = place_of(free.index).text
        raise NotUnderstood(place_of(nodes), "meaningless", f"the index {name} is free here") from free


def _is_sum(node: Node) -> bool:
    """Whether the name of a sum over outputs, of an expectation or of a divergence stands here."""
    return (isinstance(node, Atom) and node.text == r"\sum") or (
        isinstance(node, Name) and node.text in _SUMS and node.font in ("upright", "blackboard", "bold")
    )


def _is_statement(nodes: Nodes) -> bool:
    return any(isinstance(node, Words) or (isinstance(node, Atom) and node.text in _SIGNS) for node in nodes) or (
        len(nodes) == 1 and _bracketed(nodes[0]) is not None
    )


def _bracketed(node: Node) -> Nodes | None:
    """The statement in square brackets, if that is what stands here."""
    if isinstance(node, Group) and node.open == "[" and _is_statement(node.items):
        return node.items
    return None


class StatementReader:
    """Reads statements with one notation; ``scope`` says what local names mean.

    If ``bare``, a distribution without its argument means its value at the output in question, outside of sums.
    """

    def __init__(self, context: Context, scope: Scope, *, bare: bool = False) -> None:
        self.context = context
        self.scope = scope
        self.bare = bare

    def anything(self, nodes: Nodes) -> Statement | Expression | Fragment:
        """Read a statement, an expression, or several expressions."""
        at = where_said(nodes, "if")
        if at is not None and not _is_statement(nodes[:at]):
            return Fragment((self.side(nodes[:at], place_of(nodes)),), self.statement(nodes[at + 1 :]))
        if _is_statement(nodes):
            return self.statement(nodes)
        parts = split(trimmed(nodes), ",")
        if len(parts) > 1:
            return Fragment(tuple(self.side(part, place_of(nodes)) for part in parts))
        return self.side(nodes, place_of(nodes))

    def statement(self, nodes: Nodes) -> Statement:
        """Read what must be a statement."""
        nodes = trimmed(nodes)
        for sign, kind in ((_IFF, Equivalent), (_IMPLIES, Implies)):
            parts = split(nodes, sign)
            if len(parts) > 2 or not all(parts):
                raise NotUnderstood(place_of(nodes), "ambiguous", f"{sign} twice or without a side")
            if len(parts) == 2:
                return kind(self.statement(parts[0]), self.statement(parts[1]))
        conditional = self._conditional(nodes)
        if conditional is not None:
            return conditional
        for rule in PROPERTIES:
            found = rule(self, nodes)
            if found is not None:
                return found
        return self._joined(nodes)

    def _conditional(self, nodes: Nodes) -> Statement | None:
        """Read ``B if A``, ``A: B``, ``B if A, C otherwise``, and several with a semicolon between them."""
        several = split(nodes, ";")
        if len(several) > 1 and all(several):
            return All(tuple(map(self.statement, several)))
        parts = split(nodes, ":")
        if len(parts) == 2 and all(parts):
            return Implies(self.statement(parts[0]), self.statement(parts[1]))
        if said(nodes[-1]) == "otherwise":
            return self._otherwise(nodes[:-1])
        at = where_said(nodes, "if")
        if at is not None and 0 < at < len(nodes) - 1:
            return Implies(self.statement(nodes[at + 1 :]), self.statement(nodes[:at]))
        between = split_at(nodes, "to have", "we need")
        if between is not None and not between[0]:
            return Implies(self.statement(between[1]), self.statement(between[2]))
        for words in _FOR_ALL:
            at = where_said(nodes, words)
            if at is not None and 0 < at < len(nodes) - 1:
                return Implies(self._relations(nodes[at + 1 :], place_of(nodes)), self.statement(nodes[:at]))
        return None

    def _otherwise(self, nodes: Nodes) -> Statement:
        commas = [index for index, node in enumerate(nodes) if isinstance(node, Atom) and node.text == ","]
        first = self.statement(nodes[: commas[-1]]) if commas else None
        if not isinstance(first, Implies):
            raise NotUnderstood(place_of(nodes), "words", '"otherwise" without a case with "if" before it')
        return All((first, Implies(negated(first.premise), self.statement(nodes[commas[-1] + 1 :]))))

    def _joined(self, nodes: Nodes) -> Statement:
        words = {text for node in nodes if isinstance(node, Words) and (text := said(node)) is not None}
        if words <= {"and"} or words == {"or"}:
            return self._listed(nodes, Any if words == {"or"} else All)
        if words in ({"true"}, {"false"}) and len(nodes) == 1:
            return All(()) if words == {"true"} else Any(())
        if words == {"and", "or"}:
            return self._alternatives(nodes)
        raise NotUnderstood(place_of(nodes), "words", f"the words {' and '.join(sorted(words))} between formulas")

    def _alternatives(self, nodes: Nodes) -> Statement:
        """Read ``A or B and C``, where "and" binds more tightly."""
        parts: list[Nodes] = []
        start = 0
        for index, node in enumerate((*nodes, None)):
            if node is None or said(node) == "or":
                parts.append(trimmed(nodes[start:index]))
                start = index + 1
        if any(find(part, ",") is not None for part in parts):
            raise NotUnderstood(
                place_of(nodes), "ambiguous", "a comma among alternatives", readings=("it means and", "it means or")
            )
        return Any(tuple(map(self.statement, parts)))

    def _listed(self, nodes: Nodes, kind: type[All] | type[Any]) -> Statement:
        read = [self._relations(part, place_of(nodes)) for part in _items(nodes)]
        return read[0] if len(read) == 1 else kind(tuple(read))

    def _relations(self, nodes: Nodes, place: Place) -> Statement:
        nodes = trimmed(nodes)
        if len(nodes) == 1 and (inside := _bracketed(nodes[0])) is not None:
            return self.statement(inside)
        if find(nodes, r"\in") is not None:
            return All(
                tuple(Relation(*one) for one in relations(Parser(nodes, self.scope, self.context), nodes, place))
            )
        signs = [node.text for node in nodes if isinstance(node, Atom) and node.text in OPERATORS]
        if not signs:
            raise NotUnderstood(place, "meaningless", "a formula without a relation where a statement was expected")
        sides = [self.side(side, place) for side in split(nodes, *OPERATORS)]
        pairs = zip(sides, signs, sides[1:], strict=False)
        read = [Relation(left, OPERATORS[sign], right) for left, sign, right in pairs]
        return conjunction(read)

    def side(self, nodes: Nodes, place: Place) -> Expression:
        """Read one side of a relation, in which a constant without a name may be added."""
        nodes, up_to_constant = without_constant(trimmed(nodes))
        bare = self.bare and not any(_is_sum(node) for node in walk(nodes))
        scope = replace(self.scope, slot=LABELS[0]) if bare else self.scope
        value = read_side(nodes, scope, self.context, place)
        refuse_idle(self.context.account, nodes)
        return value + CONSTANT if up_to_constant else value


def negated(statement: Statement) -> Statement:
    """What holds where an elementary statement does not.

    Raises:
        NotUnderstood: if it is an implication or an equivalence.
    """
    match statement:
        case Relation(left, operator, right):
            return Relation(left, NEGATIONS[operator], right)
        case All(parts):
            return Any(tuple(map(negated, parts)))
        case Any(parts):
            return All(tuple(map(negated, parts)))
    raise NotUnderstood(Place(Source("formula", ""), 0, 0), "words", '"otherwise" after a condition with a condition')


def _items(nodes: Nodes) -> list[Nodes]:
    """The parts of a list with commas and a word before the last one."""
    parts: list[Nodes] = []
    start = 0
    for index, node in enumerate((*nodes, None)):
        if node is None or isinstance(node, Words) or node == Atom(",", node.place):
            if index > start:
                parts.append(nodes[start:index])
            start = index + 1
    return parts
