"""Primaries that the notation map explains: symbols, families, functions, templates, bound indices."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Definition, Derivative, Expression, Substitution, Symbol, free_symbols
from grpo_symbolic.language.expression import Number as Constant
from grpo_symbolic.language.vocabulary import MAX_NUMBER
from grpo_symbolic.reading.document.kinds import UNCLEAR
from grpo_symbolic.reading.meaning import functions
from grpo_symbolic.reading.meaning.labels import expanded, holds_index, is_dot, label_of
from grpo_symbolic.reading.meaning.phrase import Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.scope import Closure, Scope
from grpo_symbolic.reading.notation.context import MAX_TEMPLATES, MAX_WORK
from grpo_symbolic.reading.notation.entries import (
    Entry,
    Family,
    Function,
    ListFunction,
    Plain,
    Prefix,
    Skipped,
    Template,
)
from grpo_symbolic.reading.notation.formulas import Value, read_formula
from grpo_symbolic.reading.notation.patterns import Match, head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tokens import is_digits
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Group,
    Hole,
    Node,
    Nodes,
    Number,
    Scripted,
    children,
    place_of,
    walk,
    without_scripts,
)

#: The reason for which a map that was proposed leaves a function alone of which nothing says what it is.
UNEXPLAINED = "its meaning is not declared"
#: How the note about a variable before a bracket ends.
AS_PRODUCT = "was read as a product"
#: The same where the map says that this is a guess.
GUESSED_PRODUCT = "was guessed to be a product, and no function"


def read(phrase: Phrase) -> Expression | None:
    """Read what the map or a binder explains at the phrase's position; ``None`` if nothing stands here."""
    node = phrase.node
    if node is None:
        return None
    phrase.context.work += 1
    if phrase.context.work > MAX_WORK:
        raise phrase.refuse("limit", f"written out, the formula has more than {MAX_WORK} parts")
    local = _local(phrase, node)
    if local is not None:
        return local
    found = phrase.context.table.matches(head_key(node), phrase.nodes, phrase.index)
    if not found:
        return None
    entry, match = found[0]
    if len(found) > 1:
        raise phrase.refuse(
            "ambiguous", "two entries of the map stand here", readings=[other.pattern.text for other, _ in found]
        )
    return _meaning(phrase, entry, match)


def _local(phrase: Phrase, node: Node) -> Expression | None:
    """Read a bound index as a number, or the distribution that fills a hole."""
    bare = node.base if isinstance(node, Scripted) and node.base is not None and node.sub is None else node
    if isinstance(node, Hole):
        return _distribution_at(phrase, node)
    for candidate in (node, bare):
        label = phrase.scope.labels.get((candidate,))
        if label is None:
            continue
        if not is_digits(label.removeprefix("-")) or len(label) > MAX_NUMBER:
            raise phrase.refuse("meaningless", f"the index {candidate.place.text} stands where a number is expected")
        phrase.past("index")
        value: Expression = Constant(Fraction(int(label)))
        if candidate is not node and isinstance(node, Scripted):
            if node.primes:
                raise phrase.refuse("undeclared", "a prime on an index", place=node.place)
            return value if node.sup is None else phrase.raised(value, node.sup, node.place)
        return value
    if (bare,) in phrase.context.labels and not phrase.context.table.matches(head_key(bare), (bare,), 0):
        label_of((bare,), phrase.scope, phrase.context)
    return None


def _distribution_at(phrase: Phrase, hole: Hole) -> Expression | None:
    """Read ``#P(x)``: the distribution that fills the hole, at the label ``x``."""
    argument = phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None
    bare = without_scripts(argument)
    closure = phrase.scope.closures.get(hole.name)
    if closure is None or not isinstance(bare, Group) or bare.open != "(":
        return None
    label = label_of(bare.items, phrase.scope, phrase.context)
    if label is None:
        return None
    phrase.index += 2
    value = at_label(closure, label, phrase, hole.place)
    if isinstance(argument, Scripted) and argument.sup is not None:
        return phrase.raised(value, argument.sup, argument.place)
    return value


def at_label(closure: Closure, label: str, phrase: Phrase, place: Place) -> Expression:
    """The probability that a distribution gives to a label."""
    return phrase.inner(closure.nodes, place, closure.scope.at(label))


def _meaning(phrase: Phrase, entry: Entry, match: Match) -> Expression:
    start = phrase.index
    place = place_of(phrase.nodes[start : match.end])
    _refuse_bound(phrase, entry)
    phrase.context.used.add(entry)
    _note_samples(phrase, entry)
    _serve_literals(phrase, entry, match)
    match entry.meaning:
        case Prefix(function):
            if match.power is not None or match.primes:
                raise phrase.refuse("ambiguous", f"a power or prime on {entry.pattern.text}")
            phrase.index = match.end
            return functions.applied(phrase, function)
        case Skipped(reason):
            raise NotUnderstood(place, "unsupported", reason, whole=_whole(reason), declared=True)
        case Function(definition, holes):
            _refuse_factor(phrase, entry, match)
            arguments = [phrase.inner(match.holes[hole], place) for hole in holes]
            value = _derived(definition, arguments, match.primes, place)
        case meaning:
            if match.primes:
                raise NotUnderstood(
                    place, "undeclared", f"a prime on {entry.pattern.text}, which is no function of one variable"
                )
            value = _plain_meaning(phrase, entry, match, place)
            if isinstance(meaning, Plain):
                _note_application(phrase, match, entry)
    phrase.index = match.end
    return value if match.power is None else phrase.raised(value, match.power, place)


def _whole(reason: str) -> str:
    """What is no number is one value all the same, but for sets, events, and functions that nothing explains."""
    return "" if reason == UNEXPLAINED or any(word in reason for word in UNCLEAR) else "object"


def _refuse_bound(phrase: Phrase, entry: Entry) -> None:
    """Refuse a symbol whose name holds an index that is bound here: ``f_i`` under a sum is another one for each i."""
    if not isinstance(entry.meaning, Plain) or entry.pattern.holes:
        return
    name = entry.pattern.nodes  # and not its power here, in which the index may stand
    for index, label in phrase.scope.labels.items():
        if label.isdigit() and index != name and holds_index(name, index):
            place = phrase.nodes[phrase.index].place
            raise NotUnderstood(
                place,
                "undeclared",
                f"the index {compact(index)} is bound here, and {entry.pattern.text} is declared as one symbol",
                hint="declare it as a family",
            )


def _serve_literals(phrase: Phrase, entry: Entry, match: Match) -> None:
    """Account for a pattern but for what fills its holes, and for the holes of which its meaning says nothing."""
    stands = phrase.nodes[phrase.index : match.end]
    body = entry.meaning.body if isinstance(entry.meaning, Template) else None
    said = {node.name for node in walk(body) if isinstance(node, Hole)} if body is not None else {*match.holes}
    later = [content for hole, content in match.holes.items() if hole in said and not isinstance(entry.meaning, Plain)]
    later += [] if match.power is None else [match.power]
    held = {id(node) for content in later for node in walk(content)}
    phrase.serve("notation", *(node for node in walk(stands) if not children(node) and id(node) not in held))


def _note_samples(phrase: Phrase, entry: Entry) -> None:
    """What runs over a set in its definition runs over it wherever it stands."""
    for sample in entry.samples:
        index = next(index for index, labels in phrase.context.labels.items() if labels == sample)
        phrase.context.used_indices.add(index)


def _plain_meaning(phrase: Phrase, entry: Entry, match: Match, place: Place) -> Expression:
    match entry.meaning:
        case Plain(value):
            return value
        case Family(values, alone):
            return _member(phrase, entry, values, alone, match, place)
        case ListFunction(formula, names):
            return _list_function(phrase, formula, {**names}, match, entry, place)
        case Template(body, of_distributions):
            if of_distributions:
                _refuse_numbers(phrase, entry, match)
            return _template(phrase, body, match, entry)
        case _:
            raise NotUnderstood(place, "undeclared", f"{entry.pattern.text} has no value")


def _refuse_factor(phrase: Phrase, entry: Entry, match: Match) -> None:
    """Refuse a function before a sum in brackets where its letter is a symbol too: ``p(1 - p)`` beside ``p(#t)``."""
    group = phrase.nodes[match.end - 1]
    bare = without_scripts(group)
    symbol, hidden = phrase.context.table.bare(entry)
    if not symbol or not isinstance(bare, Group) or find(bare.items, "+", "-") is None:
        return
    # A later layer hides the symbol, unless the bracket has it too.
    if not hidden or any((node,) == symbol for node in walk(bare.items)):
        raise phrase.refuse(
            "ambiguous",
            f"{compact(symbol)} before {bare.place.text}",
            readings=("a product", f"the function {entry.pattern.text}"),
            hint="write \\cdot for a product",
        )


def _refuse_function(phrase: Phrase, entry: Entry, match: Match, following: Group) -> None:
    """Refuse a symbol before a sum in brackets where the paper, not the map, has ``p(t)`` elsewhere."""
    head = phrase.nodes[match.end - 1]
    letter = compact((*phrase.nodes[phrase.index : match.end - 1], head))
    unexplained = {items for name, items in phrase.context.usage.applied if name == letter}
    unexplained -= phrase.context.table.arguments(entry)
    if find(following.items, "+", "-") is not None and unexplained:
        raise phrase.refuse(
            "ambiguous",
            f"{letter} before {following.place.text}, which stands before a single letter elsewhere",
            readings=("a product", "a function"),
            place=following.place,
            hint="declare the function",
            whole="number",
        )


def _note_application(phrase: Phrase, match: Match, entry: Entry) -> None:
    """Note a variable right before a bracket with a single symbol in it: it was read as a product.

    Refuse it where the map also has the variable with an argument, as in p(1) beside p(q). A proposed map guesses of
    any brackets after it that they are a factor, which is noted too.
    """
    following = phrase.nodes[match.end] if match.end < len(phrase.nodes) else None
    bare = without_scripts(following)
    if entry.guessed and isinstance(bare, Group) and bare.open in ("(", "[", r"\{"):
        phrase.context.note(bare.place, f"{entry.pattern.text} before {bare.place.text} {GUESSED_PRODUCT}")
    if isinstance(bare, Group) and bare.open == "(":
        _refuse_function(phrase, entry, match, bare)
    if (
        isinstance(bare, Group)
        and bare.open == "("
        and len(bare.items) == 1
        and isinstance(bare.items[0], Atom | Scripted | Number)
    ):
        others = phrase.context.table.applications(entry)
        if others:
            raise phrase.refuse(
                "ambiguous",
                f"{entry.pattern.text} before {bare.place.text}",
                readings=("a product", f"the notation {others[0]} with another argument"),
                place=bare.place,
            )
        if phrase.context.objects is not None:
            # Either is one value, which is the same wherever it prints alike.
            shown = f"{entry.pattern.text} before {bare.place.text}"
            raise phrase.refuse("ambiguous", shown, readings=("a product", "a function"), whole="name")
        phrase.context.note(bare.place, f"{entry.pattern.text} before {bare.place.text} {AS_PRODUCT}")


def _member(phrase: Phrase, entry: Entry, values: object, alone: bool, match: Match, place: Place) -> Expression:
    table: dict[tuple[str, ...], Expression] = dict(values) if isinstance(values, dict) else {}
    if alone:
        label = phrase.scope.drawn if phrase.scope.slot is None else phrase.scope.slot
        if label is None:
            raise NotUnderstood(place, "meaningless", f"{entry.pattern.text} is a distribution, not a number")
        labels: tuple[str, ...] = (label,)
    else:
        labels = tuple(_label(phrase, match.holes[hole], entry, place) for hole in entry.pattern.holes)
    if any(label.isdigit() for label in labels) and phrase.scope.members:
        raise NotUnderstood(
            place,
            "ambiguous",
            f"{entry.pattern.text} in an expectation over a group",
            readings=("the same for every group", "that of the member which was drawn"),
        )
    if labels not in table:
        known = ", ".join("/".join(key) for key in table)
        raise NotUnderstood(
            place, "undeclared", f"{entry.pattern.text} has no member {'/'.join(labels)}", hint=f"known: {known}"
        )
    return table[labels]


def _label(phrase: Phrase, content: Nodes, entry: Entry, place: Place) -> str:
    label = label_of(content, phrase.scope, phrase.context)
    if label is None:
        shown = place_of(content).text
        raise NotUnderstood(place, "undeclared", f"{shown} is not an index of {entry.pattern.text}")
    return label


def _list_function(
    phrase: Phrase, formula: str, names: dict[str, Value], match: Match, entry: Entry, place: Place
) -> Expression:
    for hole, content in match.holes.items():
        if hole in entry.pattern.lists:
            parts = expanded(content, phrase.scope, phrase.context)
            names[hole] = [phrase.inner(part, place) for part in parts]
        else:
            names[hole] = phrase.inner(content, place)
    try:
        return read_formula(formula, names)
    except DeclarationError as error:
        raise NotUnderstood(place, "undeclared", str(error)) from error


def _refuse_numbers(phrase: Phrase, entry: Entry, match: Match) -> None:
    """Refuse what is no distribution in the holes: ``\\mathrm{KL}(p \\| q)`` of two numbers needs a declaration."""
    for content in match.holes.values():
        if any(is_dot((node,)) or isinstance(node, Hole) for node in walk(content)):
            continue
        found = phrase.context.table.matches(head_key(content[0]), content, 0)
        alone = [one for one, _ in found if isinstance(one.meaning, Family) and one.meaning.alone]
        if not alone:
            what = place_of(content)
            raise NotUnderstood(what, "undeclared", f"{what.text} is no declared distribution in {entry.pattern.text}")


def _template(phrase: Phrase, body: Nodes, match: Match, entry: Entry) -> Expression:
    context, place = phrase.context, place_of(phrase.nodes[phrase.index : match.end])
    if context.depth >= MAX_TEMPLATES:
        raise NotUnderstood(place, "limit", f"templates of the map are nested deeper than {MAX_TEMPLATES} levels")
    context.depth += 1
    try:
        closures = {hole: Closure(content, phrase.scope) for hole, content in match.holes.items()}
        # Of the names around it a template sees only those that mean the same everywhere: sizes, members of a group.
        labels = {
            index: label
            for index, label in phrase.scope.labels.items()
            if index in context.sizes or index in phrase.scope.members
        }
        return phrase.inner(body, place, Scope(labels, phrase.scope.slot, closures, members=phrase.scope.members))
    except NotUnderstood as refusal:
        raise _at_use(refusal, place, entry) from refusal
    finally:
        context.depth -= 1


def _at_use(refusal: NotUnderstood, place: Place, entry: Entry) -> NotUnderstood:
    """A refusal inside of what notation stands for, told where the paper uses it."""
    inside = refusal.place
    if inside.source is place.source and place.start <= inside.start < max(place.end, place.start + 1):
        return refusal
    reason = f"in what {entry.pattern.text} stands for, {refusal.why}"
    return NotUnderstood(
        place,
        refusal.kind,
        reason,
        hint=refusal.hint,
        readings=refusal.readings,
        whole=refusal.whole,
        declared=refusal.declared,
    )


def _derived(definition: Definition, arguments: list[Expression], primes: int, place: Place) -> Expression:
    """A named function at its arguments; every prime is one derivative by its only parameter."""
    if not primes:
        return definition(*arguments)
    if len(arguments) != 1:
        raise NotUnderstood(place, "ambiguous", f"a prime on a function of {len(arguments)} variables")
    parameter, argument = definition.parameters[0], arguments[0]
    value: Expression = definition(parameter)
    for _ in range(primes):
        value = Derivative(value, parameter)
    if argument == parameter:
        return value
    if isinstance(argument, Symbol) and argument not in free_symbols(definition.body) and primes == 1:
        return Derivative(definition(argument), argument)
    return Substitution(value, parameter, argument)
