"""How an author writes a derivation: a chain, every method of which adds one line with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma, Step
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.arguments import require, require_all, told
from grpo_symbolic.language.expression import Expression, Scalar, as_expression
from grpo_symbolic.language.statement import Relation, Statement


def as_lemma(item: object) -> Lemma:
    """A claim as it stands, or a lemma made of one.

    Raises:
        DeclarationError: if it is neither.
    """
    if not isinstance(item, Lemma | Claim):
        raise DeclarationError(f"claims and lemmas can be used, and {told(item)} is none; name them in using=[...]")
    return item if isinstance(item, Lemma) else item.at({})


@dataclass(frozen=True)
class Chain(Derivation):
    """A derivation in the making; every method returns a new chain with one more line."""

    @property
    def end(self) -> Expression | Statement:
        """The last line."""
        return self.steps[-1].to if self.steps else self.start

    @property
    def expression(self) -> Expression:
        """The last line of a chain of expressions.

        Raises:
            DeclarationError: if the chain consists of statements.
        """
        if not isinstance(self.end, Expression):
            raise DeclarationError(f"this chain ends in a statement, not an expression: {self.end}")
        return self.end

    @property
    def relation(self) -> Relation:
        """The last line of a chain of statements, if it is a single relation.

        Raises:
            DeclarationError: if it is something else.
        """
        if not isinstance(self.end, Relation):
            raise DeclarationError(f"this chain does not end in a relation: {self.end}")
        return self.end

    def eq(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line equals ``to``."""
        return self._extend("=", as_expression(to), reason, using)

    def le(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is at most ``to``."""
        return self._extend("<=", as_expression(to), reason, using)

    def lt(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is less than ``to``."""
        return self._extend("<", as_expression(to), reason, using)

    def ge(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is at least ``to``."""
        return self._extend(">=", as_expression(to), reason, using)

    def gt(self, to: Scalar, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line is greater than ``to``."""
        return self._extend(">", as_expression(to), reason, using)

    def iff(self, to: Statement, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """The line holds exactly where ``to`` holds."""
        return self._extend("iff", to, reason, using)

    def implies(self, to: Statement, reason: str, *, using: Iterable[Claim | Lemma] = ()) -> Chain:
        """Where the line holds, ``to`` holds."""
        return self._extend("implies", to, reason, using)

    def _extend(self, relation: str, to: Expression | Statement, reason: str, using: Iterable[Claim | Lemma]) -> Chain:
        if not isinstance(to, Expression):
            require(to, Statement, f"step from {self.end}")
        if not require(reason, str, f"step to {to}, its reason").strip():
            raise DeclarationError(f"step to {to}: give a reason")
        if isinstance(to, Expression) != isinstance(self.end, Expression):
            raise DeclarationError(f"step to {to}: expressions follow expressions, statements follow statements")
        step = Step(relation, to, reason, tuple(map(as_lemma, require_all(using, object, f"step to {to}, using"))))
        return replace(self, steps=(*self.steps, step))
