"""What nobody declared is an atom: a name, a function's value, a norm, an expectation, a sum or gradient of atoms.

Only where a paper has no map of its own. An atom is known by what it prints, with the values of bound indices in it.
Expectations, sums and gradients are linear in what they cover, and no other law is used; a product of two things that
need not be numbers is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grpo_symbolic.language.expression import Expression, Symbol, free_symbols
from grpo_symbolic.language.expression import Number as Constant
from grpo_symbolic.reading.document.heads import GREEK, is_plain
from grpo_symbolic.reading.document.kinds import UNCLEAR
from grpo_symbolic.reading.meaning import functions
from grpo_symbolic.reading.meaning.binders import refuse_later, refuse_rebound
from grpo_symbolic.reading.meaning.conditions import infinite
from grpo_symbolic.reading.meaning.labels import holds_index
from grpo_symbolic.reading.meaning.linear import TooManyTerms, every_term, terms
from grpo_symbolic.reading.meaning.phrase import TIMES, Phrase
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.notation.elementary import total
from grpo_symbolic.reading.notation.entries import Skipped
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.notation.patterns import head_key
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.normal import find, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Name,
    Node,
    Nodes,
    Scripted,
    Words,
    place_of,
    walk,
    without_scripts,
)
from grpo_symbolic.translate.text import expression_text

#: Refusals after which something may still be read as an atom; the others say that it has two readings, or none.
KINDS = frozenset({"undeclared", "unsupported"})
_ACCENTS = frozenset(
    {
        r"\tilde",
        r"\hat",
        r"\bar",
        r"\vec",
        r"\dot",
        r"\overline",
        r"\check",
        r"\breve",
        r"\underline",
        r"\boldsymbol",
        r"\bm",
    }
)
#: Words for what may be another number each time, alone and as parts of others; the last are higher and lower orders.
_VAGUE = frozenset({"cst", "cte", "rest", "small", "other", "others", "stuff", "something", "c.c.", "etc."})
_VARYING = ("const", "terms", "error", "noise", "remainder", "residual", "h.o.t", "l.o.t")
#: Commands that print what need not be a number.
VECTORS = frozenset({r"\vec", r"\boldsymbol", r"\bm"})
_EXPECTATIONS = frozenset({"E"})
#: Names of operators whose range is below them or after them; what they cover is no factor beside them.
_OPERATORS = frozenset(
    {
        "arg", "argmax", "argmin", "min", "max", "sup", "inf", "lim", "limsup", "liminf", "log", "ln", "exp", "sin",
        "cos", "tan", "int", "oint", "iint", "sum", "prod", "bigcup", "bigcap", "bigoplus", "coprod", "mod", "bmod",
        "pmod", "gcd", "lcm", "Re", "Im", "deg", "dim", "ker", "to", "quad", "top", "dagger", "in", "subject",
    }
)  # fmt: skip
#: Signs inside the brackets of a P that only an event has.
_EVENTS = ("|", "=", "<", ">", r"\le", r"\ge", r"\ne", r"\in", r"\notin")
_STEMS = {r"\sum": "sum", r"\nabla": "gradient", "E": "expectation"}
_FONTS = frozenset({"upright", "blackboard", "calligraphic", "script", "fraktur", "bold", "typewriter"})


def read(phrase: Phrase, objects: Objects) -> Expression | None:
    """Read an atom, or an operator that is linear in atoms; ``None`` if what stands here may be something else."""
    node = phrase.node
    bare = without_scripts(node)
    if isinstance(bare, Atom) and bare.text in (r"\sum", r"\nabla"):
        return _linear(phrase, objects, bare.text)
    if isinstance(bare, Atom) and bare.text == r"\int":
        return _integral(phrase, objects)
    if isinstance(bare, Atom) and bare.text == r"\prod":
        return _product(phrase, objects)
    if isinstance(bare, Name) and bare.text in _EXPECTATIONS and bare.font != "calligraphic":
        return _linear(phrase, objects, "E")
    if isinstance(bare, Group) and (bare.open == r"\|" or (bare.open, bare.close) == (r"\langle", r"\rangle")):
        return closed(phrase, objects, 1)
    if isinstance(node, Scripted) and _is_indicator(node):
        return closed(phrase, objects, 1)
    named = _is_name(bare) or (isinstance(node, Scripted) and node.sub is not None and bare == Atom("d", node.place))
    if node is not None and named and not _is_unclear(phrase, node):
        return _named(phrase, objects, node)
    return None


def _is_indicator(node: Scripted) -> bool:
    """Whether this is 1 on a set and 0 elsewhere, printed ``\\mathbf{1}_A``; with a size below, it may be a vector."""
    bare = node.base
    if not (isinstance(bare, Name) and bare.text in ("1", "I") and bare.font in ("bold", "blackboard")):
        return False
    first = without_scripts(node.sub[0]) if node.sub and node.sup is None and not node.primes else None
    return isinstance(first, Group) or (isinstance(first, Atom) and len(first.text) == 1 and first.text.isupper())


def _is_unclear(phrase: Phrase, node: Node) -> bool:
    """Whether the paper calls it a set or an event, whose sums are none of vectors, or it may be Euler's number."""
    found = phrase.context.table.matches(head_key(node), (node,), 0)
    reasons = [entry.meaning.reason for entry, _ in found if isinstance(entry.meaning, Skipped)]
    return any(word in reason for reason in reasons for word in UNCLEAR)


def applied(phrase: Phrase, objects: Objects) -> Expression | None:
    """Read a name with the brackets of its arguments, if it certainly has some and nobody explains the two together."""
    node, following = phrase.node, phrase.nodes[phrase.index + 1 : phrase.index + 2]
    counted = _counted(phrase, objects)
    if counted is not None:
        return counted
    bare = without_scripts(node)
    if isinstance(bare, Group) and bare.open == "|" and find(bare.items, "+", "-") is None:
        return closed(phrase, objects, 1)  # an absolute value, a length, a size, a determinant
    group = following[0].base if following and isinstance(following[0], Scripted) else (*following, None)[0]
    if isinstance(node, Scripted) and isinstance(bare, Atom) and bare.text in ("E", "P") and _is_drawn(node):
        return _linear(phrase, objects, "E") if bare.text == "E" else None
    if is_event(node, group):
        return closed(phrase, objects, 2)
    if node is None or not isinstance(group, Group) or not _is_name(bare) or _is_known(bare):
        single = not isinstance(node, Scripted) or (node.sup is None and not node.primes)
        if isinstance(bare, Atom) and bare.text in ("E", "P") and isinstance(group, Group) and group.open == "[":
            if not single:
                readings = ("an expectation or a probability", "a product")
                raise phrase.refuse("ambiguous", f"{bare.text} before a bracket", readings=readings)
            return _linear(phrase, objects, "E") if bare.text == "E" else closed(phrase, objects, 2)
        return None
    if isinstance(node, Scripted) and node.sup is not None and not (_is_mark(node.sup) or _is_letter(node.sup)):
        return None
    found = phrase.context.table.matches(head_key(node), phrase.nodes, phrase.index)
    explained = [entry for entry, match in found if match.end > phrase.index + 1]
    if any(not isinstance(entry.meaning, Skipped) for entry in explained):
        return None
    return closed(phrase, objects, 2) if _applies(node, group) else None


def _counted(phrase: Phrase, objects: Objects) -> Expression | None:
    """Read the index of a sum around this place, perhaps with a power: it is a whole number, and no function."""
    node = phrase.node
    if node is None:
        return None
    power = node.sup if isinstance(node, Scripted) and node.sub is None and not node.primes else None
    letter = node.base if power is not None and isinstance(node, Scripted) else node
    key = ("atom", (letter,), bound(phrase, (letter,))) if letter is not None else None
    atom = objects.known.get(key)
    if atom is None or atom not in phrase.context.counted:
        return None
    phrase.serve("atom", *([letter] if letter is not None else []))
    phrase.index += 1
    return atom if power is None else phrase.raised(atom, power, node.place)


def is_event(node: Node | None, group: Node | None) -> bool:
    """Whether brackets after a P certainly hold an event: something equal to or given something."""
    bare = without_scripts(node)
    plain = not isinstance(node, Scripted) or (node.sup is None and not node.primes)
    letter = isinstance(bare, Atom) and bare.text in ("P", r"\Pr")
    return letter and plain and isinstance(group, Group) and find(group.items, *_EVENTS) is not None


def _is_drawn(node: Scripted) -> bool:
    return node.sub is not None and node.sup is None and not node.primes and find(node.sub, r"\sim") is not None


def _is_known(bare: Node | None) -> bool:
    """Whether the name is one of a form that needs no declaration, such as a logarithm or an indicator."""
    name = bare.text.lstrip("\\") if isinstance(bare, Atom | Name) else ""
    return name in functions.HANDLERS or name in (
        "E",
        "P",
        "Pr",
        "Var",
        "V",
        "1",
        "I",
        "lim",
        "sum",
        "prod",
        "int",
        "e",
    )


def is_function(node: Node) -> bool:
    """Whether a node may be the name of a function that needs a declaration."""
    bare = without_scripts(node)
    return _is_name(bare) and not _is_known(bare)


def is_order(node: Node) -> bool:
    """Whether a node may begin an order of growth, as in ``O(n)`` or ``o_p(1)``."""
    bare = without_scripts(node)
    return isinstance(bare, Atom | Name) and bare.text in ("O", "o")


def varies(node: Node) -> bool:
    """Whether a word is one for what may be another number each time, such as a constant or noise."""
    bare = without_scripts(node)
    text = bare.text.lower().strip() if isinstance(bare, Name | Words) else ""
    return text in _VAGUE or any(word in text for word in _VARYING)


def refuse_unread(sides: Sequence[Expression], objects: Objects, *, first: bool) -> None:
    """Refuse a step of which nothing was read, and one that begins with an optimum, which may be a task.

    Raises:
        NotUnderstood: if every side is one term that was not read; ``first`` says that it begins a chain.
    """
    alone = [_alone(side) for side in sides]
    refusals = [None if one is None else objects.unclear.get(one) for one in alone]
    begins = refusals[0]
    task = first and isinstance(begins, NotUnderstood) and begins.whole == "optimum"
    if begins is not None and (task or all(refusals)):
        raise begins


def _alone(side: Expression) -> Symbol | None:
    """The only symbol of a side that is a number times it."""
    try:
        found = every_term(side)
    except TooManyTerms:
        return None
    symbols = {one for _, product in found for one in product}
    first = next(iter(symbols), None)
    return first if len(symbols) == 1 and len(found) == 1 and isinstance(first, Symbol) else None


def _is_name(bare: Node | None) -> bool:
    match bare:
        case Atom(text):
            letters = text.lstrip("\\")
            return text in GREEK or (len(text) == 1 and letters.isalpha() and text != "d")
        case Name(text, font):
            return font in _FONTS and text not in _OPERATORS and any(letter.isalpha() for letter in text)
        case Command(name, (argument,)) if name in _ACCENTS:
            return len(argument) == 1 and _is_name(argument[0])
        case Scripted(base, _, None, _):
            return _is_name(base)
    return False


# Atoms.


def _named(phrase: Phrase, objects: Objects, node: Node) -> Expression | None:
    """Read a name, with the brackets of its arguments if it certainly has some."""
    following = phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None
    group = without_scripts(following)
    power = isinstance(node, Scripted) and node.sup is not None and not _is_mark(node.sup)
    brackets = isinstance(group, Group) and group.open in ("(", "[", r"\{")
    # Before brackets it may be the power of a function, or of an operator.
    raised = isinstance(node, Scripted) and power and not brackets and not _is_word(node) and not node.primes
    if raised and isinstance(node, Scripted) and node.sup is not None:
        return _raised(phrase, objects, node, node.sup)
    if not isinstance(group, Group) or not brackets:
        if power or (_is_word(node) and not _ends(phrase)):
            return None
        return closed(phrase, objects, 1)
    named = not power or (isinstance(node, Scripted) and node.sup is not None and _is_letter(node.sup))
    return closed(phrase, objects, 2) if named and _applies(node, group) else None


def _raised(phrase: Phrase, objects: Objects, node: Scripted, sup: Nodes) -> Expression | None:
    """Read a power of a name; under a Greek letter it may be a name of its own, which is one value all the same."""
    name = node.base if node.sub is None else Scripted(node.base, node.sub, None, 0, node.place)
    if name is None:
        return None
    if _is_letter(sup) and not (isinstance(sup[0], Atom) and len(sup[0].text) == 1):
        return closed(phrase, objects, 1)
    place = node.place
    phrase.serve("atom", name)
    phrase.index += 1
    key = ("atom", (name,), bound(phrase, (name,)))
    atom = objects.atom(key, compact((name,)), vector=_may_be_vector(phrase, (name,)))
    phrase.context.note(place, f"{atom.name} stands for {compact((name,))}, whatever that is")
    return phrase.raised(atom, sup, place)


def _is_letter(sup: Nodes) -> bool:
    """Whether a superscript is a letter, perhaps with an index, such as the policy in ``V^{\\pi_\\theta}``."""
    base = without_scripts(sup[0]) if len(sup) == 1 else None
    plain = not (isinstance(sup[0], Scripted) and (sup[0].sup is not None or sup[0].primes)) if sup else False
    return plain and isinstance(base, Atom) and (base.text in GREEK or (len(base.text) == 1 and base.text.isalpha()))


def _is_word(node: Node) -> bool:
    """Whether this is a word, which may be an operator on what follows it: ``div``, ``softmax``, an upright d."""
    bare = without_scripts(node)
    return isinstance(bare, Name) and bare.font in ("upright", "typewriter")


def _ends(phrase: Phrase) -> bool:
    """Whether the factor that stands here is the last one before a sign."""
    following = phrase.nodes[phrase.index + 1] if phrase.index + 1 < len(phrase.nodes) else None
    return following is None or (isinstance(following, Atom) and following.text in ("+", "-", "/", *TIMES))


def _is_mark(sup: Nodes) -> bool:
    """Whether a superscript belongs to a name: a star, a word, something in brackets, a plus or minus alone."""
    first = sup[0] if len(sup) == 1 else None
    if isinstance(first, Atom):
        return first.text in ("*", r"\star", r"\dagger", r"\prime", "+", "-")
    return isinstance(first, Name | Group)


def _applies(node: Node, group: Group) -> bool:
    """Whether brackets after a name certainly hold its arguments: a list, something given something, plain names."""
    bare = without_scripts(node)
    if isinstance(bare, Name) and bare.font != "bold":
        return True
    if group.open != "(":
        return False
    return find(group.items, "|", ",", ";") is not None or is_plain(group.items)


def closed(phrase: Phrase, objects: Objects, count: int) -> Expression:
    """The atom that the next nodes are; a power of its last bracket is a power of the value."""
    nodes = phrase.nodes[phrase.index : phrase.index + count]
    last = nodes[-1]
    power: Nodes | None = None
    if isinstance(last, Scripted) and isinstance(last.base, Group) and last.sup is not None and not _is_mark(last.sup):
        power = last.sup
        kept: Node = last.base if last.sub is None else Scripted(last.base, last.sub, None, last.primes, last.place)
        nodes = (*nodes[:-1], kept)
    phrase.serve("atom", *nodes)
    phrase.index += count
    place = place_of(nodes)
    if count > 1 and isinstance(phrase.node, Group) and phrase.node.open == "(" and not _is_probability(nodes[0]):
        readings = ("a product", "the value is a function itself")
        raise phrase.refuse("ambiguous", "brackets after brackets", readings=readings)
    _refuse_empty(nodes, place)
    if (count > 1 and is_order(nodes[0])) or varies(nodes[0]):
        raise phrase.refuse("ambiguous", f"{compact(nodes)}, which may be another number each time", place=place)
    key = ("atom", nodes, bound(phrase, nodes))
    atom = objects.atom(key, compact(nodes), vector=_may_be_vector(phrase, nodes))
    _look_inside(phrase, objects, atom, nodes)
    phrase.context.note(place, f"{atom.name} stands for {compact(nodes)}, whatever that is")
    return atom if power is None else phrase.raised(atom, power, place)


def _look_inside(phrase: Phrase, objects: Objects, atom: Symbol, nodes: Nodes) -> None:
    """Note of what a variance or covariance is one, where that is read."""
    bare = without_scripts(nodes[0])
    spread = bare.text.lower() if isinstance(bare, Name) else ""
    if spread not in ("var", "cov") or len(nodes) != 2 or not isinstance(nodes[1], Group):
        return
    inside, *given = split(nodes[1].items, "|")
    parts = split(inside, ",")
    notes = len(phrase.context.notes)
    if len(given) > 1 or not all((*parts, *given)) or len(parts) != (1 if spread == "var" else 2):
        return
    try:
        read_parts = tuple(phrase.inner(part, place_of(part)) for part in parts)
    except NotUnderstood:
        return
    finally:
        del phrase.context.notes[notes:]
    at = find(nodes[1].items, "|")
    objects.contents[atom] = (() if at is None else nodes[1].items[at:], read_parts)


def _is_probability(node: Node) -> bool:
    """Whether what it has in brackets is an event, so that the value is a number and no function."""
    bare = without_scripts(node)
    return isinstance(bare, Name) and bare.text in ("P", "Pr", "Var", "var", "Cov") and bare.font != "bold"


def _refuse_empty(nodes: Nodes, place: Place) -> None:
    if any(isinstance(node, Group) and not node.items for node in nodes):
        raise NotUnderstood(place, "meaningless", "nothing stands in these brackets")


def bound(phrase: Phrase, nodes: Nodes) -> tuple[tuple[Nodes, str], ...]:
    """The bound indices that stand in a name, with their values."""
    labels = phrase.scope.labels.items()
    held = ((index, label) for index, label in labels if holds_index(nodes, index))
    return tuple(sorted(held, key=lambda one: compact(one[0])))


def _may_be_vector(phrase: Phrase, nodes: Nodes) -> bool:
    """Whether a name need not be a number: it is printed like a vector, or the paper calls it something else."""
    found = phrase.context.table.matches(head_key(nodes[0]), nodes, 0)
    if any(isinstance(entry.meaning, Skipped) and not entry.pattern.holes for entry, _ in found):
        return True
    first = without_scripts(nodes[0])
    if isinstance(nodes[0], Scripted) and _is_indicator(nodes[0]):
        return False
    return (isinstance(first, Name) and first.font == "bold") or (isinstance(first, Command) and first.name in VECTORS)


# Operators.


def _linear(phrase: Phrase, objects: Objects, operator: str) -> Expression | None:
    """Read what an operator covers, and take numbers and sums out of it."""
    node = phrase.node
    if node is None or (isinstance(node, Scripted) and (node.primes or (operator != r"\sum" and node.sup is not None))):
        return None
    phrase.serve("operator", node)
    phrase.index += 1
    start = phrase.index
    body, power, given = _covered(phrase, operator)
    head = (node, *given)
    if operator == r"\sum" and isinstance(node, Scripted) and node.sub:
        refuse_later(phrase, index_of(node.sub))
        refuse_rebound(phrase, index_of(node.sub), start)
    try:
        found = terms(body)
    except TooManyTerms:
        raise phrase.refuse("limit", "a product of too many sums under an operator", place=node.place) from None
    if len(found) > 1 and isinstance(node, Scripted) and node.sup is not None and infinite(node.sup):
        phrase.context.note(node.place, "the series of each of the summands is taken to converge")
    parts: list[Expression] = []
    for product, factor in found.items():
        if not product and operator == r"\nabla":
            continue
        if not product and operator == "E" and _is_average(node):
            parts.append(Constant(factor))
            continue
        inside = " ".join(expression_text(one) for one in product) or "1"
        vector = operator == r"\nabla" or any(objects.vectors & set(free_symbols(one)) for one in product)
        key = ("linear", head, product, bound(phrase, head))
        shown = f"{compact((node,))}[{inside}{' ' if given else ''}{compact(given)}]"
        atom = objects.atom(key, shown, stem=_STEMS[operator], vector=vector, composed=True)
        phrase.context.note(node.place, f"{atom.name} stands for {shown}")
        parts.append(atom if factor == 1 else Constant(factor) * atom)
    result = total(parts) if parts else Constant(Fraction(0))
    return result if power is None else phrase.raised(result, power, node.place)


def _is_average(node: Node) -> bool:
    """Whether E is certainly an expectation; if it may be a factor, only what holds for both is used of it."""
    return isinstance(without_scripts(node), Name) or (isinstance(node, Scripted) and _is_drawn(node))


def _integral(phrase: Phrase, objects: Objects) -> Expression | None:
    """Read an integral over a region that nobody declared, ``\\int_S f dx``, which is linear in what it covers."""
    node = phrase.node
    if not isinstance(node, Scripted) or node.sub is None or node.sup is not None or node.primes:
        return None
    end = _differential(phrase)
    variable = phrase.nodes[end + 1 : end + 2]
    body = phrase.nodes[phrase.index + 1 : end]
    if not body or not variable or not _is_name(without_scripts(variable[0])):
        return None
    head = (node, phrase.nodes[end], *variable)
    phrase.serve("operator", *head)
    place = node.place
    try:
        found = terms(phrase.inner(body, place))
    except TooManyTerms:
        raise phrase.refuse("limit", "a product of too many sums under an integral", place=place) from None
    phrase.index = end + 2
    parts: list[Expression] = []
    for product, factor in found.items():
        inside = " ".join(expression_text(one) for one in product) or "1"
        vector = any(objects.vectors & set(free_symbols(one)) for one in product)
        shown = f"{compact((node,))}[{inside} {compact(head[1:])}]"
        key = ("linear", head, product, bound(phrase, head))
        atom = objects.atom(key, shown, stem="integral", vector=vector, composed=True)
        phrase.context.note(place, f"{atom.name} stands for {shown}")
        parts.append(atom if factor == 1 else Constant(factor) * atom)
    return total(parts) if parts else Constant(Fraction(0))


def _differential(phrase: Phrase) -> int:
    """Where the ``d`` of the integral sign stands that is next; the end if there is none."""
    depth = 0
    for index in range(phrase.index, len(phrase.nodes)):
        node = phrase.nodes[index]
        bare = without_scripts(node)
        depth += isinstance(bare, Atom) and bare.text == r"\int"
        depth -= isinstance(node, Atom | Name) and node.text == "d"
        if depth == 0:
            return index
    return len(phrase.nodes)


def _product(phrase: Phrase, objects: Objects) -> Expression | None:
    """Read a product over a range that is not known: the atom of what it covers."""
    node = phrase.node
    if not isinstance(node, Scripted) or node.primes or node.sub is None:
        return None
    phrase.serve("operator", node)
    phrase.index += 1
    start = phrase.index
    value, _, _ = _covered(phrase, r"\prod")
    refuse_later(phrase, index_of(node.sub))
    refuse_rebound(phrase, index_of(node.sub), start)
    key = ("product", node, value, bound(phrase, (node,)))
    shown = f"{compact((node,))}[{expression_text(value)}]"
    atom = objects.atom(key, shown, stem="product", composed=True)
    phrase.context.note(node.place, f"{atom.name} stands for {shown}")
    return atom


def index_of(sub: Nodes) -> Nodes:
    """The index in what stands below a sum or product."""
    at = find(sub, "=", r"\in", ",", "<", r"\le", r"\ne")
    return sub if at is None else sub[:at]


def _covered(phrase: Phrase, operator: str) -> tuple[Expression, Nodes | None, Nodes]:
    """What an operator covers: a bracket, all factors of the term, or one factor at its end; and a power of the result.

    Last comes what is given, with the bar before it, in a conditional expectation.

    As in expectations of a map, the power of the square bracket of an expectation is one of the expectation.
    """
    node = phrase.node
    bare = without_scripts(node)
    if node is None or phrase.at_operator:
        raise phrase.refuse("meaningless", f"{operator} of nothing")
    round_given = node is bare and isinstance(bare, Group) and bare.open == "(" and find(bare.items, "|") is not None
    if isinstance(bare, Group) and (bare.open in ("[", r"\{") or round_given) and operator == "E":
        scripted = node if isinstance(node, Scripted) else None
        if scripted is not None and (bare.open != "[" or scripted.sub is not None or scripted.primes):
            raise phrase.refuse("ambiguous", "a script on what is averaged", readings=("inside", "outside"))
        phrase.index += 1
        at = find(bare.items, "|")
        items, given = (bare.items, ()) if at is None else (bare.items[:at], bare.items[at:])
        if at is not None and (len(given) < 2 or find(given[1:], "|") is not None):
            raise phrase.refuse("ambiguous", "a bar in an expectation", readings=("given", "an absolute value"))
        phrase.serve("given", *given)
        return phrase.inner(items, bare.place), None if scripted is None else scripted.sup, given
    if operator == r"\sum":
        return phrase.term(), None, ()
    if isinstance(node, Scripted) and isinstance(bare, Group):
        reason = f"a script after the bracket of {operator}"
        raise phrase.refuse("ambiguous", reason, readings=("inside", "outside"), whole="number")
    over = _drawn(phrase.nodes[phrase.index - 1])
    value = phrase.factor()
    while not phrase.at_end and _goes_on(phrase, over):
        if phrase.sign(*TIMES):
            phrase.past("sign")
        value = value * phrase.factor()
    if not phrase.at_end:
        readings = ("it is covered too", "it is not")
        reason = f"a factor after what {operator} covers"
        raise phrase.refuse("ambiguous", reason, readings=readings, whole="number")
    return value, None, ()


def _drawn(node: Node) -> Nodes:
    """What an expectation is over, ``x`` of ``E_{x \\sim p}``; nothing of another operator."""
    sub = node.sub if isinstance(node, Scripted) else None
    return sub[:1] if sub and find(sub, r"\sim") == 1 else ()


def _goes_on(phrase: Phrase, over: Nodes) -> bool:
    """Whether what is averaged over stands in what follows in the term, so that this is averaged too."""
    ends = (index for index, node in enumerate(phrase.rest) if isinstance(node, Atom) and node.text in ("+", "-"))
    return bool(over) and over[0] in walk(phrase.rest[: next(ends, None)])


# Vectors.


def refuse_products(side: Expression, objects: Objects, place: Place) -> frozenset[int]:
    """Refuse a product or a function of things that need not be numbers; return how many stand in each term.

    Terms that were not read are not counted: they may be numbers or not.

    Raises:
        NotUnderstood: if two stand in one term, one stands inside a function, or terms differ in their number.
    """
    try:
        found = every_term(side)
    except TooManyTerms:
        raise NotUnderstood(place, "limit", "a product of too many sums with vectors in it") from None
    degrees = {
        _degree(product, objects, place)
        for _, product in found
        if len(product) != 1 or product[0] not in objects.unclear
    }
    if len(degrees) > 1 or max(degrees, default=0) > 1:
        reason = "a product of vectors, or a sum of a vector and a number"
        raise NotUnderstood(place, "unsupported", reason, whole="object")
    return frozenset(degrees)


def _degree(product: tuple[Expression, ...], objects: Objects, place: Place) -> int:
    for one in product:
        if not isinstance(one, Symbol) and objects.vectors & set(free_symbols(one)):
            reason = "a function of something that need not be a number"
            raise NotUnderstood(place, "unsupported", reason, whole="object")
    # Letters before one vector, or beside a gradient, multiply it, in the order in which they are printed; what
    # stands after a bold letter may be what it is applied to.
    count = sum(1 for one in product if one in objects.vectors)
    before = any(one in objects.vectors and one not in objects.composed for one in product[:-1])
    if count > 1 or before:
        reason = "a product of things that need not be numbers"
        raise NotUnderstood(place, "unsupported", reason, whole="object")
    return count


def refuse_orders(sides: Sequence[Expression], objects: Objects, place: Place) -> None:
    """Refuse a step that prints a product with an unknown object in two orders, as it would of what need not commute.

    Raises:
        NotUnderstood: if it does.
    """
    try:
        products = [product for side in sides for _, product in every_term(side)]
    except TooManyTerms:
        raise NotUnderstood(place, "limit", "a product of too many sums of unknown objects") from None
    orders: dict[tuple[str, ...], tuple[Expression, ...]] = {}
    for product in products:
        if len(product) > 1 and objects.among(symbol for one in product for symbol in free_symbols(one)):
            key = tuple(sorted(map(expression_text, product)))
            if orders.setdefault(key, product) != product:
                readings = ("numbers", "something that need not commute")
                raise NotUnderstood(place, "ambiguous", "a product in two orders", readings=readings)
