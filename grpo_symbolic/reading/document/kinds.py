"""Letters that are no numbers: vectors, matrices, operators and sets, by how they are printed or what the words say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.document.heads import GREEK
from grpo_symbolic.reading.places import BrokenLatex
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tree import (
    Atom,
    Command,
    Group,
    Name,
    Node,
    Nodes,
    Number,
    Scripted,
    children,
    without_power,
    without_scripts,
)

_PRINTED = "it is printed like a vector or a matrix"
_ORDER = "the paper prints a product of it in both orders"
_TRANSPOSED = "it has a transpose or adjoint, a determinant or a trace"
_TWO_MEANINGS = "it stands alone and as the base of an exponential, Euler's number or a letter?"
#: Parts of reasons after which something is no vector either.
UNCLEAR = ("calls it set", "calls it event", _TWO_MEANINGS)
_ELEMENT = "it lies in a group, a ring or an algebra"
_STRUCTURE = re.compile(r"calls it (?:semigroup|group|monoid|ring|module|algebra)s?$")
_SPACE = "it lies in a space of vectors or matrices"

_TRANSPOSES = words(r"\top \dagger \intercal")
_OF_MATRICES = words(r"\det det tr Tr rank diag vec")
_PRODUCTS = words(r"\cdot \times")
_LETTERS = r"(?:\$[^$\n]{1,60}\$|[A-Z]\b)(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+)(?:\$[^$\n]{1,60}\$|[A-Z]\b))*"
_OBJECTS = (
    r"(?:matri(?:x|ces)|operators?|vectors?|quaternions?|tensors?|linear maps?|endomorphisms?|permutations?"
    r"|rotations?|observables?|sets?|events?"
    r"|(?:semi)?groups?|monoids?|rings?|modules?|algebras?|differential forms?|strings?|multivectors?|spinors?"
    r"|orthogonal|orthonormal|idempotents?|nilpotents?)"
)
#: What is a number, whatever it is one of.
_NUMBERS = r"(?:probability|chance|likelihood|number|size|norm|determinant|trace|rank|dimension)"
_NAMED = re.compile(rf"\b({_OBJECTS})\s+({_LETTERS})(?!\s+(?:to|equal|as)\b)", re.IGNORECASE)
_SAID = re.compile(
    rf"({_LETTERS})\s+(?:be|is|are|denotes?)\s+(?!set\s)(?:(?!{_NUMBERS} of\s)[\w-]+\s+){{0,5}}?({_OBJECTS})\b"
    r"(?!\s+\w*(?:of|size))"
)
#: Words for what need not commute, where nothing stands between them and the letter that could be something of theirs.
_MAPS = (
    r"(?:matri(?:x|ces)|operators?|vectors?|hessians?|laplacians?|jacobians?(?!\s+determinant)|map|mappings?"
    r"|(?<=linear )maps|(?:projections?|projectors?|transformations?|derivatives?|differentiation)(?!\s+of)"
    r"|generators?|hermitian|self-adjoint|unitary)"
)
#: Words for a set that is a part of those over which a probability is taken.
_PARTS = (
    r"(?:(?:(?:set|list|collection|family)\s+of\s+)?(?:\w+\s+)??(?:(?:sub)?samples?(?!\s+spaces?)|observations?|draws)"
    r"|subsets?|(?:mini-?)?batch(?:es)?|data\s?sets?|training\s+sets?)"
)


def _calling(nouns: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns of a noun before a letter, and of a letter that is, or stands beside, such a thing."""
    between = r"(?:(?!(?:of|by|on|in|for|to|from|with|under|between|than|that|which|not|no)\s)[\w.-]+\s+){0,5}?"
    return (
        re.compile(rf"\b(?i:({nouns}))\s+({_LETTERS})(?!\s+(?:to|into|onto|equal|as)\b)"),
        re.compile(
            rf"({_LETTERS})(?:\s+(?:be|is|are|denotes?)\s+|,?\s+(?=(?:the|an?)\s)){between}(?i:({nouns}))\b(?!\s+size)"
        ),
    )


_CALLED, _CALLED_PART = _calling(_MAPS), _calling(_PARTS)


def parts_of(texts: Iterable[str]) -> frozenset[str]:
    """The letters, as ``compact`` prints them, that the words call a sample or another part of a whole."""
    return frozenset(letter for text in texts for letter, _ in _called(_CALLED_PART, text))


def _called(patterns: tuple[re.Pattern[str], re.Pattern[str]], text: str) -> Iterator[tuple[str, str]]:
    """The letters that the words call something, each with the noun."""
    text = text.replace(r"\(", "$").replace(r"\)", "$").replace("~", " ")
    before, after = patterns
    for noun, letters in before.findall(text):
        yield from ((letter, noun.lower()) for letter in _letters(letters))
    for letters, noun in after.findall(text):
        yield from ((letter, noun.lower()) for letter in _letters(letters))


def objects_of(displays: Sequence[Display]) -> dict[str, str]:
    """The letters, as ``compact`` prints them, that are no numbers, each with the reason."""
    found: dict[str, str] = {}
    texts: dict[int, str] = {}
    exponential = False
    for display in displays:
        texts[id(display.place.source)] = display.place.source.text
        for step in display.steps:
            found.update((letter, _ORDER) for letter in _in_both_orders(step))
            found.update((letter, _SPACE) for letter in _in_a_space(step))
            for side in (step.left, step.right):
                found.update((letter, _TRANSPOSED) for letter in _transposed(normal(side)))
                exponential = exponential or _is_exponential(normal(side))
    for text in texts.values():
        found.update(_said(text))
    structures = {letter for letter, reason in found.items() if _STRUCTURE.search(reason)}
    for display in displays:
        for step in display.steps:
            found.update((letter, _ELEMENT) for letter in _in_a_structure(step, structures))
    # Where e is no letter, the proposal has no entry for it, and this plays no part.
    return {**found, "e": _TWO_MEANINGS} if exponential else found


def why_no_number(nodes: Nodes, objects: dict[str, str]) -> str:
    """Why a symbol is no number, or nothing: it is printed bold or with an arrow, or is one of the ``objects``."""
    bare = without_power(nodes[0]) if len(nodes) == 1 else None
    base = without_scripts(bare)
    if (isinstance(base, Name) and base.font == "bold") or (isinstance(base, Command) and base.name == r"\vec"):
        return _PRINTED
    return "" if bare is None else objects.get(compact((bare,)), "")


def _in_both_orders(step: PrintedStep) -> Iterator[str]:
    """Letters of ``AB`` where the step has ``BA`` as well, and of ``A B A^{-1}``."""
    terms = [_factors(term) for side in (step.left, step.right) for term in split(normal(side), "+", "-")]
    pairs = {term for term in terms if len(term) == 2}
    for first, second in pairs:
        if first != second and (second, first) in pairs:
            yield from (first, second)
    for term in terms:
        for place, letter in enumerate(term):
            between = term[place + 1 : term.index(letter, place + 1)] if letter in term[place + 1 :] else ()
            if between and set(between) != {letter}:
                yield from (letter, *between)


def _factors(term: Nodes) -> tuple[str, ...]:
    """The letters of a product, without powers and numbers; nothing if something else is a factor."""
    found = [node for node in term if not (isinstance(node, Atom) and node.text in _PRODUCTS)]
    letters = [without_power(node) for node in found if not isinstance(node, Number)]
    return tuple(compact((node,)) for node in letters) if all(map(_is_letter, letters)) else ()


def _is_letter(node: Node) -> bool:
    bare = node.base if isinstance(node, Scripted) and node.sup is None else node
    if isinstance(bare, Command):
        return len(bare.arguments) == 1 and len(bare.arguments[0]) == 1 and _is_letter(bare.arguments[0][0])
    if isinstance(bare, Name):
        return bare.text.isalpha()
    # Of commands only letters: what stands behind a logarithm or a sign of integration is no factor.
    return isinstance(bare, Atom) and (bare.text.isalpha() or bare.text in GREEK)


def _in_a_space(step: PrintedStep) -> Iterator[str]:
    match step.right:
        case (Scripted(Name(_, "blackboard"), _, sup),) if sup is not None and step.relation.symbol == r"\in":
            yield from (compact(part) for part in split(normal(step.left), ",") if part)


def _in_a_structure(step: PrintedStep, structures: set[str]) -> Iterator[str]:
    if step.relation.symbol == r"\in" and compact(normal(step.right)) in structures:
        yield from (compact(part) for part in split(normal(step.left), ",") if part)


def _transposed(nodes: Nodes) -> Iterator[str]:
    for node, following in pairwise((*nodes, None)):
        if isinstance(node, Scripted) and node.sup is not None and _is_transpose(node.sup):
            yield compact((without_power(node),))
        if isinstance(node, Atom | Name) and node.text in _OF_MATRICES and following is not None:
            inside = following.items if isinstance(following, Group) else (following,)
            yield from (compact((without_power(one),)) for one in inside if _is_letter(without_power(one)))
        for inner in () if node is None else children(node):
            yield from _transposed(inner)


def _is_exponential(nodes: Nodes) -> bool:
    """Whether e has a power that is no number somewhere."""
    here = any(
        isinstance(node, Scripted)
        and node.base == Atom("e", node.place)
        and node.sup is not None
        and not (len(node.sup) == 1 and isinstance(node.sup[0], Number))
        for node in nodes
    )
    return here or any(_is_exponential(part) for node in nodes for part in children(node))


def _is_transpose(sup: Sequence[Node]) -> bool:
    first = sup[0] if len(sup) == 1 else None
    upright = isinstance(first, Name) and first.text == "T"
    return upright or (isinstance(first, Atom) and first.text in _TRANSPOSES)


def _said(text: str) -> Iterator[tuple[str, str]]:
    text = text.replace(r"\(", "$").replace(r"\)", "$").replace("~", " ")
    for word, letters in _NAMED.findall(text):
        yield from ((letter, f"the text calls it {word.lower()}") for letter in _letters(letters))
    for letters, word in _SAID.findall(text):
        yield from ((letter, f"the text calls it {word.lower()}") for letter in _letters(letters))
    for letter, noun in _called(_CALLED, text):
        # What is called a derivative otherwise is the value of a function.
        if not noun.startswith("deriv") or letter.lstrip("\\")[0].isupper() or letter.startswith("\\math"):
            yield letter, f"the text calls it {noun}"


#: What stands between a letter and what a formula says of it.
_OF_LETTER = re.compile(r"\\in\b|\\subset|:|=|\\colon\b")


def _letters(listed: str) -> Iterator[str]:
    for piece in re.findall(r"\$([^$]*)\$|\b([A-Z])\b", listed):
        for latex in _OF_LETTER.split(piece[0] or piece[1])[0].split(","):
            try:
                nodes = normal(parse_tree(latex.strip(), name="letter"))
            except BrokenLatex:
                continue
            applied = len(nodes) == 2 and isinstance(nodes[1], Group)
            if (len(nodes) == 1 or applied) and _is_letter(nodes[0]):
                yield compact(nodes[:1])
