"""Words that say more than a formula: each has to be earned by what a claim states, or by a theorem that it cites.

"Exactly" wants an equivalence, "only" something that excludes the rest, "attracts" a theorem about iterations. What is
looked for is the kind of the statement, never its meaning: a word that is earned here can still be false, but one that
is not is listed. A title answers for itself, and so do the steps of a derivation; introductions, notes, corrections and
captions answer with all claims of their result and those that they name between backticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.cited import cited
from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.expression import Apply, Call, Expression, Symbol, Total, walk
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.nearby import Converges, EveryCycle, FixedPoint, LocalExtremum
from grpo_symbolic.language.sequences import MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import Equivalent, Implies, Relation, expressions_of, symbols_of
from grpo_symbolic.wording.values import everything

#: Formulas, and names of claims between backticks, are no words.
_NO_WORDS = re.compile(r"\$[^$]*\$|`[^`]*`")
#: Statements that speak of all places where something holds.
_EXCLUSIVE = (Equivalent, UniqueRoot, UniqueZero, Zeros, Extremum)
#: And those from which follows that it holds nowhere else, or at no two places.
_EXCLUDING = (*_EXCLUSIVE, Implies, Impossible, Monotone)
#: Descriptions of quantities that are means.
_MEAN = re.compile(r"expect|mean|average")


@dataclass(frozen=True)
class Word:
    """A kind of words, by the name that theorems use for it, and what earns it."""

    kind: str
    pattern: re.Pattern[str]
    wants: str
    is_earned: Callable[[Claim], bool]


def _has(*kinds: type) -> Callable[[Claim], bool]:
    return lambda made: any(isinstance(part, kinds) for part in everything(made.statement))


def _relations(made: Claim) -> Iterator[Relation]:
    return (part for part in everything(made.statement) if isinstance(part, Relation))


def _differs(made: Claim) -> bool:
    """Whether a hypothesis takes something out, and the conclusion is strict for all the rest."""
    given = (part for hypothesis in made.given for part in everything(hypothesis))
    apart = any(isinstance(part, Relation) and part.operator == "!=" for part in given)
    return apart and isinstance(made.statement, Relation) and made.statement.operator in ("<", ">", "!=")


def _is_same(made: Claim) -> bool:
    """Whether two of a kind are shown to be equal."""
    match made.statement:
        case Relation(Symbol(), "=", Symbol()):
            return True
        case _:
            return False


def _is_as_good(made: Claim) -> bool:
    """Whether everything that is as good as the best is shown to be it."""
    match made.statement:
        case Relation(Symbol(), "=", _):
            return any(isinstance(given, Relation) and given.operator in ("<=", ">=") for given in made.given)
        case _:
            return False


def _excludes(made: Claim) -> bool:
    return _has(*_EXCLUDING)(made) or _differs(made) or _is_same(made) or _is_as_good(made)


def _compares(made: Claim) -> bool:
    """Whether one value is at least, or at most, all others; or the larger or smaller of two numbers is meant."""
    ordered = any(part.operator in ("<=", ">=") for part in _relations(made))
    if ordered or _has(Extremum, LocalExtremum, Monotone)(made) or _differs(made) or _is_as_good(made):
        return True
    nodes = (node for expression in expressions_of(made.statement) for node in walk(expression))
    return any(isinstance(node, Apply) and node.operator in ("maximum", "minimum") for node in nodes)


def _repeats(made: Claim) -> bool:
    """Whether a function is applied to its own values, written out or named by an equation."""
    if _has(EveryCycle)(made):
        return True
    stated = [expression for statement in (made.statement, *made.given) for expression in expressions_of(statement)]
    calls = {node for expression in stated for node in walk(expression) if isinstance(node, Call)}
    values = [*_named_values(made), *((call, call) for call in calls)]
    return any(
        call != first and call.definition == first.definition and any(value in walk(part) for part in call.arguments)
        for first, value in values
        for call in calls
    )


def _named_values(made: Claim) -> Iterator[tuple[Call, Expression]]:
    """What equations of a claim say that functions have as values."""
    for part in everything((made.statement, made.given)):
        if isinstance(part, Relation) and part.operator == "=":
            for side, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(side, Call):
                    yield side, other


def _averages(made: Claim) -> bool:
    """Whether something is summed, or is a quantity of which its description says that it is a mean."""
    stated = (made.statement, *made.given)
    means = Total | Summed | TermOfTotal | GroupExpectation
    sums = any(isinstance(part, means) for one in stated for part in everything(one))
    return sums or any(_MEAN.search(symbol.meaning) for symbol in symbols_of(*stated))


def _tends(made: Claim) -> bool:
    """Whether something has a limit, or is supposed to have one."""
    supposed = any(isinstance(hypothesis, SequenceLimit) for hypothesis in made.given)
    return supposed or _has(Limit, Converges, SequenceLimit, MonotoneLimit)(made)


def _is_general(made: Claim) -> bool:
    """Whether it speaks of a symbol that can have many values, or of all places where something holds."""
    free = bool(symbols_of(made.statement)) and not isinstance(made.statement, Existence)
    return free or _has(EveryCycle, *_EXCLUDING)(made)


def _word(kind: str, words: str, wants: str, is_earned: Callable[[Claim], bool]) -> Word:
    return Word(kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE), wants, is_earned)


_COUNTED = (
    r"(?:exactly |only )?(?:one|two|three|no) (?:other )?(?:stationary |local |strict )*"
    r"(?:fixed points?|zeros?|solutions?|roots?|polic(?:y|ies)|maxim(?:um|a))"
)
WORDS = (
    _word("exactly", "exactly", "an equivalence, a unique zero, all zeros or an extremum", _has(*_EXCLUSIVE)),
    _word(
        "only",
        "(?<!-)only(?!-)|unique|uniquely|uniqueness|nowhere else",
        "a statement that excludes the rest",
        _excludes,
    ),
    _word("counted", f"(?:there (?:is|are)|has|have) {_COUNTED}", "a statement that excludes the rest", _excludes),
    _word(
        "attracts",
        r"attract(?:s|ed|ing|ive)?|repel(?:s|ling)?",
        "a fixed point that attracts or repels",
        _has(FixedPoint, Converges),
    ),
    _word("converges", r"converge(?:s|d|nce)?|tends? to", "a limit, or iterates that have one", _tends),
    _word(
        "best",
        r"maxim(?:um|a|al|ises?|isers?)|largest|smallest|minim(?:um|a|al)",
        "an extremum, or an inequality with the best value as one side",
        _compares,
    ),
    _word("cycle", "cycles?", "a function of its own value, or two equations", _repeats),
    _word(
        "expected",
        "expected|expectations?|on average|unbiased",
        "a sum, or a symbol for a mean",
        _averages,
    ),
    _word("general", "every|any|all|always|never|whatever", "a statement about more than one case", _is_general),
)


def words_in(text: str) -> tuple[tuple[Word, str], ...]:
    """The kinds of words that stand in a text, each with the first of its words."""
    plain = _NO_WORDS.sub(" ", text)
    return tuple((word, found[0]) for word in WORDS if (found := word.pattern.search(plain)))


def unearned(made: Claim, used: Sequence[tuple[Word, str]]) -> Iterator[tuple[str, str]]:
    """Of the words of a text those that a claim does not earn, each with what would have earned it."""
    theorems = [cited(name) for name in made.cites]
    exactly = any(word.kind == "exactly" for word, _ in used)
    for word, said in used:
        if word.is_earned(made):
            continue
        lending = [theorem for theorem in theorems if word.kind in theorem.words]
        if not lending:
            yield said, word.wants
        elif exactly and all(theorem.strict for theorem in lending):
            yield f"{said} exactly", f"more than {lending[0].name}, which says nothing at equality"
