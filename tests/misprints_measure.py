"""Misprints in the papers' own LaTeX: single tokens of true steps are changed, read again and judged.

A misprint is refused by the reader, or its step is judged; whether the changed step is false is decided by another
evaluator (``reading_oracle``). Run this file to see the counts: ``python tests/misprints_measure.py [count]``, and
with ``repairs`` behind it to see for how many the original is found again.
"""

import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from chains_measure import limited_call
from material import PAPERS, ROOT, text_of
from mpmath import mp, mpf
from reading_oracle import value

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError
from grpo_symbolic.language.calculus import unfold
from grpo_symbolic.language.statement import All, Implies, Relation, symbols_of
from grpo_symbolic.obligations.obligation import unfold_statement
from grpo_symbolic.points.solutions import satisfying
from grpo_symbolic.points.truth import Truth
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.places import ReadingError, Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, trimmed
from grpo_symbolic.reading.tex.tokens import tokens_of
from grpo_symbolic.reading.tex.tree import Atom, Scripted, place_of, walk
from grpo_symbolic.referee.answers import answer
from grpo_symbolic.referee.findings import STANDING, Status
from grpo_symbolic.referee.papers import open_paper
from grpo_symbolic.referee.questions import Asker, Repair
from grpo_symbolic.referee.readings import by_definition
from grpo_symbolic.referee.repair import repaired

SETTINGS = Settings(digits=30, points=60, effort=500, boxes=500)
_POINTS = 160
#: Found where a changed formula is undefined on the domain, which the referee says, but calls undecided.
NO_VALUE = "no value"
_GREEK = (r"\beta", r"\varepsilon", r"\gamma", r"\theta", r"\alpha", r"\omega", r"\lambda", r"\epsilon")


@dataclass(frozen=True)
class Misprint:
    """One changed step: where it stands, which change it is, the side before and after, and what was found."""

    paper: str
    label: str
    change: str
    before: str
    after: str
    equation: bool
    false: bool | None
    found: str


# Single tokens.

_FONTS = (
    r"\text",
    r"\mathrm",
    r"\operatorname",
    r"\rm",
    r"\mathcal",
    r"\mathbb",
    r"\mathbf",
    r"\tilde",
    r"\begin",
    r"\end",
)


#: What stands before or behind a letter that is an index, an argument or a function.
_STICKS = ("_", "^", "(", r"\mid", "|", r"\sim")
_STICKS_TO = ("^", "_", "(", "{", r"\mid", "|", "'")


def changes(text):
    """Every way to misprint one token or name of a formula, as pairs of a kind of change and the changed text."""
    tokens = tokens_of(Source("side", text))
    words = _in_words(tokens)
    for number, token in enumerate(tokens):
        before = tokens[number - 1].text if number else ""
        following = tokens[number + 1].text if number + 1 < len(tokens) else ""
        if token.text in ("+", "-") and number and before not in ("^", "{"):
            yield "sign", _put(text, token, "-" if token.text == "+" else "+")
        if token.kind == "number" and token.text.isdigit():
            power = before == "^" or (before == "{" and number > 1 and tokens[number - 2].text == "^")
            yield "exponent" if power else "factor", _put(text, token, str(int(token.text) + 1))
        alone = following not in _STICKS_TO and before not in _STICKS
        if _is_symbol(token) and number not in words and alone:
            yield "exponent", _put(text, token, f"{token.text}^2 ")
            yield "factor", _put(text, token, f"2 {token.text}")
        if token.text in ("a", "b") and number not in words:
            yield "index", _put(text, token, "b" if token.text == "a" else "a")
    yield from _renamed(text)
    yield from _swapped(text, tokens)


def _in_words(tokens):
    """The positions of tokens that are letters of a word or under an accent."""
    found = set()
    for number, token in enumerate(tokens):
        if token.text not in _FONTS:
            continue
        depth = 0
        for position in range(number + 1, len(tokens)):
            depth += {"{": 1, "}": -1}.get(tokens[position].text, 0)
            if depth < 0 or (depth == 0 and token.text != r"\rm"):
                break
            found.add(position)
    return found


def _renamed(text):
    """Every name with subscripts, and every parameter, exchanged for another one that stands in the same formula."""
    try:
        names = [node for node in walk(parse_tree(text)) if _is_name(node)]
    except GrpoSymbolicError:
        return
    for node in names:
        for other in sorted({other.place.text for other in names if _may_replace(node, other)}):
            yield "index", text[: node.place.start] + other + " " + text[node.place.end :]


def _is_name(node):
    if isinstance(node, Scripted):
        return isinstance(node.base, Atom) and node.sub is not None and node.sup is None and not node.primes
    return isinstance(node, Atom) and (node.text in _GREEK or node.text == "p")


def _may_replace(node, other):
    first, second = (one.base.text if isinstance(one, Scripted) else one.text for one in (node, other))
    return node.place.text != other.place.text and (first == second or (first in _GREEK and second in _GREEK))


def _is_symbol(token):
    return token.kind == "letter" or token.text in _GREEK


def _put(text, token, new):
    return text[: token.place.start] + new + text[token.place.end :]


def _swapped(text, tokens):
    """Both arguments of every fraction exchanged."""
    for number, token in enumerate(tokens):
        if token.text != r"\frac" or number + 1 >= len(tokens) or tokens[number + 1].text != "{":
            continue
        first = _closing(tokens, number + 1)
        if first is None or first + 1 >= len(tokens) or tokens[first + 1].text != "{":
            continue
        second = _closing(tokens, first + 1)
        if second is not None:
            start, middle = tokens[number + 1].place.start, tokens[first].place.end
            end = tokens[second].place.end
            yield "swap", f"{text[:start]}{text[middle:end]}{text[start:middle]}{text[end:]}"


def _closing(tokens, start):
    depth = 0
    for number in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[number].text, 0)
        if depth == 0:
            return number
    return None


# Changed steps, read in their place of the paper.


@dataclass(frozen=True)
class _Place:
    outcome: object
    side: str
    text: str


@cache
def opened(folder):
    """The paper with its map; None where its text is not here."""
    found = text_of(folder)
    return open_paper(found, ROOT / "derivations" / folder / "notation.toml") if found else None


@cache
def places(folder, every=1):
    """The sides of the steps that stand, with their LaTeX; only of some steps, to save time."""
    paper = opened(folder)
    outcomes = paper.interpretation.outcomes
    asker = Asker(paper.displays, outcomes, paper.notation)
    found = []
    for outcome in outcomes[::every]:
        read = outcome.read
        if read is None or not read.instances or outcome.kind in ("definition", "condition") or by_definition(outcome):
            continue
        try:
            question = asker.question(outcome)
        except GrpoSymbolicError:
            continue
        plain = all(isinstance(statement, Relation | Implies) for statement in question.statements)
        if not plain or judged(question) not in STANDING:
            continue
        for side in ("left", "right"):
            nodes = normal(trimmed(getattr(outcome.step, side)))
            text = place_of(nodes).text if nodes else ""
            if text and _same_tree(text, nodes):
                found.append(_Place(outcome, side, text))
    return tuple(found)


def _same_tree(text, nodes):
    try:
        return normal(trimmed(parse_tree(text))) == nodes
    except GrpoSymbolicError:
        return False


def judged(question):
    """The status of a question, within a time limit."""
    return limited_call(lambda: _status(answer(question, SETTINGS, lambda method: None)), Status.UNDECIDED)


def _status(found):
    """The status; a formula that has no value is told apart from one that resists."""
    return NO_VALUE if found.status is Status.UNDECIDED and found.code == "domain" else found.status


def misprints(folder, count, seed, every=1):
    """A seeded sample of misprints of a paper, as many of each kind as there are, judged."""
    for one in _read_again(folder, _sample(folder, count, seed, every)):
        yield _classified(folder, *one)


def _sample(folder, count, seed, every):
    kinds = {}
    for place in places(folder, every):
        nodes = normal(trimmed(getattr(place.outcome.step, place.side)))
        for name, after in changes(place.text):
            if not _same_tree(after, nodes):
                kinds.setdefault(name, []).append((place, name, after))
    draw = random.Random(seed)
    chosen = []
    for left, candidates in zip(range(len(kinds), 0, -1), sorted(kinds.values(), key=len), strict=True):
        chosen += draw.sample(candidates, min((count - len(chosen)) // left, len(candidates)))
    return chosen


def _read_again(folder, chosen):
    """Read every changed step where it stands, all in one reading of the paper."""
    paper = opened(folder)
    extra, steps = {}, []
    for place, name, after in chosen:
        step = None
        try:
            step = replace(place.outcome.step, **{place.side: parse_tree(after)})
        except ReadingError:
            pass
        else:
            extra.setdefault(id(place.outcome.display), []).append(step)
        steps.append((place, name, after, step))
    displays = []
    for display in paper.displays:
        displays.append(display)
        for step in extra.get(id(display), ()):
            chain = next(chain for chain in display.chains if any(step.place is one.place for one in chain.steps))
            displays.append(replace(display, chains=(replace(chain, steps=(step,)),), unread=(), kind="misprint"))
    read = interpret(displays, paper.notation)
    outcomes = {id(outcome.step): outcome for outcome in read.outcomes}
    asker = Asker(read.displays, read.outcomes, paper.notation)
    return [(place, name, after, outcomes.get(id(step)), asker) for place, name, after, step in steps]


def _classified(folder, place, name, after, outcome, asker):
    def result(found, false=None):
        return _misprint(folder, place, name, after, found, false)

    if outcome is None or outcome.read is None or outcome.claim is not place.outcome.claim:
        return result("refused")
    try:
        question = asker.question(outcome)
    except GrpoSymbolicError:
        return result("refused")
    false = limited_call(lambda: fails(question.statements), None)
    status = judged(question)
    return result(status if status == NO_VALUE else status.value, false)


def _misprint(folder, place, name, after, found, false=None):
    step = place.outcome.step
    equation = step.relation.symbol in ("=", r"\equiv")
    label = step.label or step.tag or str(step.place.line)
    return Misprint(folder, label, name, place.text, after, equation, false, found)


# The other evaluator.


def fails(statements):
    """Whether a statement is false somewhere, says the evaluator of complex numbers; None if it cannot tell."""
    seen = False
    for statement in statements:
        with mp.workdps(40):
            for values in _points(statement):
                conclusion = statement.conclusion if isinstance(statement, Implies) else statement
                holds = _holds(conclusion, values)
                if holds is False:
                    return True
                seen = seen or holds is True
    return False if seen else None


def _points(statement):
    """Points at which the hypotheses hold; only solving equations for them is left to the engine."""
    symbols = symbols_of(statement)
    hypotheses = (unfold_statement(statement.premise),) if isinstance(statement, Implies) else ()
    count = _POINTS if symbols else 1
    for point in satisfying(hypotheses, symbols, False, Truth(45), count, 11).points:
        yield {name: _number(at) for name, at in point.values.items()}


def _number(at):
    return mpf(at.numerator) / at.denominator if isinstance(at, Fraction) else mp.make_mpf(at.value)


def _holds(statement, values):
    match statement:
        case All(parts):
            found = [_holds(part, values) for part in parts]
            return False if False in found else None if None in found else True
        case Relation(left, operator, right):
            return _compared(left, operator, right, values)
    return None


def _compared(left, operator, right, values):
    try:
        first, second = (value(unfold(side), values) for side in (left, right))
    except (GrpoSymbolicError, ArithmeticError, ValueError, TypeError):
        return None
    if not (mp.isfinite(first) and mp.isfinite(second)) or max(abs(first.imag), abs(second.imag)) > mpf(10) ** -25:
        return None
    gap, size = first.real - second.real, max(abs(first), abs(second))
    if abs(gap) <= mpf(10) ** -20 * size:
        # So close, rounding decides; it is equal for our purpose, and no strict inequality is judged by it.
        return {"=": True, "<=": True, ">=": True}.get(operator)
    return {"=": False, "!=": True, "<": gap < 0, "<=": gap < 0, ">": gap > 0, ">=": gap > 0}[operator]


def kinds(found):
    """Counts: refused, equivalent, false and caught, false and missed, and those where the evaluator cannot tell."""
    counts = Counter()
    for one in found:
        refuted = one.found in ("REFUTED", "NOT AN IDENTITY")
        if one.found in ("refused", NO_VALUE):
            counts[one.found] += 1
        elif one.false is None:
            counts["refuted, not evaluated" if refuted else "not evaluated"] += 1
        elif one.false:
            counts["caught" if refuted else "missed"] += 1
            counts["called right"] += one.found in ("DECIDED", "PROVED")
        else:
            counts["refuted, but seems true" if refuted else "equivalent or weaker"] += 1
    return counts


# What is found to repair them.


@dataclass(frozen=True)
class Repaired:
    """A misprint that was refuted and what was proposed for it: the original, something else that holds, or nothing."""

    misprint: Misprint
    equation: bool
    text: str | None
    original: bool


def repairs(folder, count, seed, every=1):
    """Repairs of the refuted ones among a seeded sample of misprints."""
    for place, name, after, outcome, asker in _read_again(folder, _sample(folder, count, seed, every)):
        if outcome is None or outcome.read is None or outcome.claim is not place.outcome.claim:
            continue
        try:
            before, question = (asker.question(one) for one in (place.outcome, outcome))
        except GrpoSymbolicError:
            continue
        found = limited_call(lambda question=question: answer(question, SETTINGS, lambda method: None), None)
        if found is None or found.status not in (Status.REFUTED, Status.NOT_AN_IDENTITY):
            continue
        task = Repair.of(question, place.side, found.instance)
        edit = None if task is None else limited_call(lambda task=task: repaired(task, SETTINGS), None)
        equation = place.outcome.step.relation.symbol in ("=", r"\equiv")
        misprint = _misprint(folder, place, name, after, "REFUTED")
        same = edit is not None and _same_values(edit.relations, before.relations)
        yield Repaired(misprint, equation, edit and edit.text, same)


def _same_values(relations, others):
    """Whether two readings of a step say the same: the same relation between sides of the same values."""
    if len(relations) != len(others) or any(a.operator != b.operator for a, b in zip(relations, others, strict=True)):
        return False
    pairs = [pair for a, b in zip(relations, others, strict=True) for pair in ((a.left, b.left), (a.right, b.right))]
    return fails([Relation(a, "=", b) for a, b in pairs if a != b]) is False or all(a == b for a, b in pairs)


def main_repairs(count):
    found = [one for folder in PAPERS if opened(folder) for one in repairs(folder, count // 2, 5)]
    for equation in (True, False):
        some = [one for one in found if one.equation is equation]
        offered = [one for one in some if one.text]
        print("equations" if equation else "inequalities", "refuted", len(some), "repaired", len(offered), end=" ")
        print("to the original", sum(one.original for one in offered), Counter(one.misprint.change for one in offered))
        for one in some:
            if not one.original:
                print("  ", one.misprint.change, one.misprint.before, " | ", one.misprint.after, " | ", one.text)


def main(count):
    found = []
    for folder in PAPERS:
        if opened(folder):
            for one in misprints(folder, count // 2, 5):
                found.append(one)
                _tell(one)
    for equation in (True, False):
        some = [one for one in found if one.equation is equation]
        print("equations" if equation else "inequalities", len(some), dict(kinds(some)))


def _tell(one):
    """Print a misprint that is not simply refused, or false and caught, or true and not refuted."""
    refuted = one.found in ("REFUTED", "NOT AN IDENTITY")
    if one.found not in ("refused", NO_VALUE) and one.false is not refuted:
        print(f"{one.paper} {one.label} {one.change}: {one.found}, false: {one.false}")
        print(f"   {one.before}\n   {one.after}", flush=True)


if __name__ == "__main__":
    measure = main_repairs if "repairs" in sys.argv else main
    measure(next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), 100))
