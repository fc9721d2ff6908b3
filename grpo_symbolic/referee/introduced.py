"""Where a paper without a map introduces what it has not used before: that is a definition, and cannot be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.definedness import side_conditions
from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.reading.document.displays import PrintedStep
from grpo_symbolic.reading.document.heads import is_plain
from grpo_symbolic.reading.meaning.interpret import InterpretedStep
from grpo_symbolic.reading.meaning.linear import TooManyTerms, terms
from grpo_symbolic.reading.meaning.opaque import is_function
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import Instance
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import normal, split, trimmed
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    children,
    place_of,
    walk,
    without_scripts,
)
from grpo_symbolic.referee.stated import Said, said_before
from grpo_symbolic.translate.ranges import decide_by_range

#: Names whose meaning is known, so that an equation about them is no definition unless the words say so.
_OPERATORS = frozenset({"P", "Pr", "E", "Var", "var", "Cov", "cov"})
#: What defines even what has a meaning; what stands after *where* may state a fact about what was just defined.
_DEFINES = re.compile(r"defin(?!.*\bwhere\b)", re.IGNORECASE | re.DOTALL)
#: Why a right side may not be read that says something all the same: a set, a case in words, an ellipsis.
_UNKNOWN = frozenset({"undeclared", "unsupported", "words"})


@dataclass(frozen=True)
class Introduced:
    """What a step says the meaning of: its name, and where that was said before, with the same right side or not.

    ``words`` are those of the paper that say so, if some do; ``unread`` is why its right side was not read, if it was
    not.
    """

    name: str
    before: Place | None = None
    same: bool = True
    words: str = ""
    unread: str = ""


def introduced(
    outcomes: Iterable[InterpretedStep], objects: Objects | None, declared: Iterable[Symbol] = ()
) -> dict[int, Introduced]:
    """The steps, by identity, that say what a symbol or object is, each with what it introduces.

    A step does if it is the first equation of its chain, a name stands alone on its left side, perhaps with different
    letters in brackets, the right side has not this name, and no formula before has it but right sides of such steps:
    these use what is explained later; nor has the map ``declared`` it. So does any first equation whose left side is a
    name, perhaps with anything in brackets, if the words before its display say that it is a definition. Words that
    only describe something, such as *the loss*, do that for a new name alone.
    """
    restricted: set[Symbol] = {*declared, *(() if objects is None else objects.composed)}
    said: dict[Expression, tuple[Place, Expression]] = {}
    found: dict[int, Introduced] = {}
    generic: list[tuple[Nodes, Nodes]] = []
    unseen: dict[str, str] = {}
    for outcome in outcomes:
        instances = () if outcome.read is None else outcome.read.instances
        step = outcome.step
        name = step.left[0].place.to(step.left[-1].place).text if step.left else ""
        circular = any(_is_circular(one, said) for one in instances)
        names = objects is None or not any(_is_calculated(one.left, objects) for one in instances)
        words = None
        if names and not circular and _may_define(step, instances):
            words = said_before(outcome.display) if step.relation.symbol == "=" else Said("definition", "it prints :=")
        earlier = next((said[one.left] for one in instances if one.left in said), None)
        same = earlier is None or all(one.left in said and said[one.left][1] == one.right for one in instances)
        described = same and _defines(step, instances) and not _is_generic_again(step, generic)
        # "We write P(A, B) = ..." may rewrite what has a meaning; only the word itself gives it another.
        weak = words is not None and (
            words.weak or (_is_operator(step) and not _DEFINES.search(words.words) and step.relation.symbol == "=")
        )
        unread = _defined_unread(outcome)
        if unread is not None:
            # Nobody can compare what was not read, so that another text may be another meaning.
            before = unseen.setdefault(" ".join(name.split()), printed := _text(step.right))
            if before == printed:
                found[id(step)] = Introduced(name, words=unread[0], unread=unread[1])
            continue
        if words is not None and words.kind == "definition" and (described or not weak):
            found[id(step)] = Introduced(name, earlier and earlier[0], same, words.words)
            said |= {one.left: (step.place, one.right) for one in instances}
            generic += [form for form in (_generic(step),) if form is not None]
            continue
        free = not circular and not any(one.left in restricted for one in instances)
        if _defines(step, instances) and free and not _is_generic_again(step, generic):
            known = [said[one.left] for one in instances if one.left in said]
            if not known:
                found[id(step)] = Introduced(name)
                said |= {one.left: (step.place, one.right) for one in instances}
                generic += [form for form in (_generic(step),) if form is not None]
                continue
            if len(known) == len(instances) and not any(one.hypotheses for one in instances):
                same = all(said[one.left][1] == one.right for one in instances)
                found[id(step)] = Introduced(name, known[0][0], same)
                continue
        for one in instances:
            restricted |= {*free_symbols(one.left), *free_symbols(one.right)}
    return found


def _text(nodes: Nodes) -> str:
    return " ".join(place_of(nodes).text.split())


def _defined_unread(outcome: InterpretedStep) -> tuple[str, str] | None:
    """The words that define a name by what was not read, and why it was not: whatever that is, the name stands for it.

    What has two readings or none, or is no name of its own on the left side, is defined by no words.
    """
    step, refusal = outcome.step, outcome.refusal
    if refusal is None or step.index > 1 or step.conditions or step.relation.symbol not in ("=", ":="):
        return None
    if step.relation.over or not step.right or not step.left or not _says_what(step):
        return None
    if not is_function(normal(trimmed(step.left))[0]):
        return None  # no name, or one whose meaning is known
    here = place_of(step.right)
    inside = refusal.place.source is here.source and here.start <= refusal.place.start < here.end
    if not inside or not _is_unknown(refusal, step.right) or not any(isinstance(one, Atom) for one in walk(step.right)):
        return None
    said = said_before(outcome.display) if step.relation.symbol == "=" else Said("definition", "it prints :=")
    strong = said is not None and said.kind == "definition" and not said.weak
    return (said.words, refusal.reason) if said is not None and strong else None


def _is_unknown(refusal: NotUnderstood, nodes: Nodes) -> bool:
    """Whether something was not read because no expression says it: no mistake, no choice, no limit of the reader."""
    if refusal.kind == "meaningless":
        return refusal.why.startswith("the relation ") and len(nodes) == 1 and _is_set(nodes[0], refusal)
    return refusal.kind in _UNKNOWN


def _is_set(node: Node, refusal: NotUnderstood) -> bool:
    """Whether a node is a set in braces, in which a relation stands that was not read."""
    at = refusal.place
    return isinstance(node, Group) and node.open == r"\{" and node.place.start <= at.start < node.place.end


def _is_calculated(left: Expression, objects: Objects) -> bool:
    """Whether a left side is a sum, gradient or term of others, which is calculated and not defined."""
    return isinstance(left, Symbol) and left in objects.composed and not left.name.startswith("expectation")


def _is_circular(one: Instance, said: Mapping[Expression, tuple[Place, Expression]]) -> bool:
    """Whether the right side rests on the left one by what was said before."""
    waiting: list[Expression] = [*free_symbols(one.right)]
    seen: set[Expression] = set()
    while waiting:
        symbol = waiting.pop()
        if symbol not in seen and symbol in said:
            waiting += free_symbols(said[symbol][1])
        seen.add(symbol)
    return one.left in seen


def _generic(step: PrintedStep) -> tuple[Nodes, Nodes] | None:
    """The head and the letters of ``f(x)`` or ``a_i``, if all of them stand on the right side too."""
    form = _applied(step)
    there = [*walk(normal(step.right))]
    generic = form is not None and all(isinstance(one, Atom | Name) and one in there for one in form[1])
    return form if generic else None


def _applied(step: PrintedStep) -> tuple[Nodes, Nodes] | None:
    """The head and the letters of ``f(x)`` or ``a_i``."""
    match normal(trimmed(step.left)):
        case (head, Group("(", ")", items)):
            letters = tuple(node for node in items if not (isinstance(node, Atom) and node.text in (",", ";", "|")))
        case (Scripted(base, sub, None, 0),) if base is not None and sub is not None:
            head, letters = base, sub
        case _:
            return None
    return ((head,), letters) if letters else None


def _is_generic_again(step: PrintedStep, before: Sequence[tuple[Nodes, Nodes]]) -> bool:
    """Whether a step says for one letter what was said for another, and for all letters: ``a_j`` after ``a_i``."""
    form = _applied(step)
    return form is not None and any(
        form[0] == head and len(form[1]) == len(letters) and form[1] != letters for head, letters in before
    )


def _is_nowhere(expression: Expression) -> bool:
    """Whether an expression certainly has no value, since something in it is outside the domain of its function."""
    return any(
        decide_by_range(needed) is False or (needed.operator == "!=" and _is_zero(needed.left))
        for needed in side_conditions(unfold(expression))
    )


def _is_zero(expression: Expression) -> bool:
    try:
        return not terms(expression)
    except TooManyTerms:
        return False


def _may_define(step: PrintedStep, instances: Sequence[Instance]) -> bool:
    """Whether a step is a first equation with one thing on its left side, of which the right side says nothing."""
    return (
        bool(instances)
        and step.index == 1
        and step.relation.symbol in ("=", ":=")
        and not step.relation.over
        and all(isinstance(one.left, Symbol) and one.whole is None for one in instances)
        and not any(one.left in free_symbols(one.right) for one in instances)
        and all(free_symbols(one.right) and not _is_nowhere(one.right) for one in instances)
        and len({one.left for one in instances}) == len(instances)
    )


def _defines(step: PrintedStep, instances: Sequence[Instance]) -> bool:
    """Whether a step has the form of a definition whatever the words say: a new name, and no known operator."""
    return not _is_operator(step) and _may_define(step, instances) and _says_what(step)


def _is_operator(step: PrintedStep) -> bool:
    """Whether a left side begins with a known operator."""
    head = without_scripts(step.left[0]) if step.left else None
    return isinstance(head, Atom | Name) and head.text in _OPERATORS


def _says_what(step: PrintedStep) -> bool:
    """Whether the left side is a name, perhaps of different letters, that stands nowhere on the right side."""
    left = normal(trimmed(step.left))
    letters: list[Nodes] = []
    match left:
        case (head,):
            pass
        case (head, Group("(", ")", items)):
            letters = split(items, ",", ";", "|")
        case _:
            return False
    plain = all(len(letter) == 1 and is_plain(letter) and not isinstance(letter[0], Number) for letter in letters)
    name = head.base if isinstance(head, Scripted) and head.base is not None and head.sub is None else head
    if (
        (isinstance(head, Scripted) and head.primes)
        or isinstance(without_scripts(head), Group)
        or len(set(letters)) < len(letters)
    ):
        return False
    whole = isinstance(head, Scripted) and head.sub is not None
    right = normal(step.right)
    return plain and (all(node not in (head, name) for node in walk(right)) if whole else not _names(right, head, name))


def _names(nodes: Nodes, head: Node, name: Node) -> bool:
    """Whether a name stands in nodes as it is, and not only with an index that makes another one of it."""
    for node in nodes:
        if node in (head, name):
            return True
        indexed = isinstance(node, Scripted) and node.sub is not None and node.base in (head, name)
        inside = [*(node.sub or ()), *(node.sup or ())] if indexed and isinstance(node, Scripted) else None
        parts = [tuple(inside)] if inside is not None else children(node)
        if any(_names(part, head, name) for part in parts):
            return True
    return False
