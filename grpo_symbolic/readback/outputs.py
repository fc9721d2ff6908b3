"""Sums over all outputs, written out for two labelled outputs as the reader writes them out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from grpo_symbolic.language import outputs
from grpo_symbolic.language.expression import (
    Apply,
    Call,
    Definition,
    Expression,
    Symbol,
    Total,
    free_symbols,
    rebuild,
)
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import IndexSet
from grpo_symbolic.language.inside import kinds_in
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied
from grpo_symbolic.translate.formula import bracket_frame, expectation_frame
from grpo_symbolic.translate.ranges import WHOLE_LINE

#: Two labels tell a coordinate from a sum; that is all the LaTeX can get wrong.
LABELS = ("first", "second")
#: The name of what fills the bracket of an expectation.
HOLE = "inside"


def member(symbol: Symbol, label: str = LABELS[0]) -> Symbol:
    """The coordinate of an indexed symbol at one output; any other symbol is itself."""
    return outputs.member(symbol, label)


def labels_of(sets: Sequence[IndexSet]) -> dict[IndexSet, tuple[str, ...]]:
    """The labels of the elements of each of several sets, which are told apart."""
    return {over: tuple(label + " of another set" * number for label in LABELS) for number, over in enumerate(sets)}


def written_out(expression: Expression, label: str = LABELS[0], sets: Sequence[IndexSet] = ()) -> Expression:
    """The expression at one output, with every sum over the outputs written out; ``sets`` has several ones in order."""
    labels = labels_of(sets)
    here = {over: label if over == sets[0] else known[0] for over, known in labels.items()}
    return outputs.Written(labels, LABELS, label, here).out(expression)


def with_functions(
    expression: Expression, sums: tuple[IndexSet | None, ...] = (), *, written: bool = False
) -> Expression:
    """The expression with expectations over groups as functions of what they are the expectation of.

    Such a function is printed as its sign and its law, letter by letter, around what is in the bracket, and what counts
    only on a support as its bracket, a function of what stands in it, times what counts; ``sums`` are
    the sets over which the sums run that it stands in. If ``written``, sums over its members are written out, as the
    reader does.
    """
    if kinds_in(expression).isdisjoint((Supported, Applied, GroupExpectation)):
        return expression
    inner = (*sums, expression.over) if isinstance(expression, Total) else sums
    children = tuple(with_functions(child, inner, written=written) for child in expression.children)
    if isinstance(expression, Supported):
        # A bracket is read as a factor, the same function of what stands in it wherever it stands.
        printed = f"[#{HOLE} {bracket_frame(expression)}]"
        inside = Symbol(HOLE, WHOLE_LINE, "what does not vanish", HOLE)
        return Call(Definition(f"bracket {printed}", (inside,), inside, printed), children[1:]) * children[0]
    if isinstance(expression, Applied):
        return Call(_read_as_named(expression), children)
    if not isinstance(expression, GroupExpectation):
        return rebuild(expression, children)
    before, after = expectation_frame(expression, sums)
    inside = Symbol(HOLE, expression.member.domain, "what is in the bracket", HOLE)
    printed = f"{before}[#{HOLE}{after}]"
    body = _of_members(children[0], expression.member, LABELS[0]) if written else children[0]
    return Call(Definition(f"expectation {printed}", (inside,), inside, printed), (body,))


def _read_as_named(applied: Applied) -> Definition:
    """An unknown function as one that is no other: the number that its letters make is added to a sine."""
    inside = Symbol(HOLE, WHOLE_LINE, "its argument", HOLE)
    body = Apply("sin", (inside,)) + int.from_bytes(applied.latex.encode())
    return Definition(applied.sign, (inside,), body, applied.latex)


def _of_members(expression: Expression, symbol: Symbol, label: str) -> Expression:
    """An expression at the member with this label, and every sum over members as one of terms for all labels."""
    if expression == symbol:
        return member(symbol, label)
    if isinstance(expression, Total) and symbol in free_symbols(expression):
        return reduce(add, (_of_members(expression.body, symbol, other) for other in LABELS))
    return rebuild(expression, tuple(_of_members(child, symbol, label) for child in expression.children))
