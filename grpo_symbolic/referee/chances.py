"""Laws of probabilities, averages and variances, for a paper that does not say what these are.

* what is given: ``P(A | B) P(B) = P(A, B)``, whatever the order of the events;
* a sum over all values of a variable takes it out of a probability, ``\\sum_y P(X = x, Y = y) = P(X = x)``;
* an average is the sum of the values times their probabilities, and the average of an average given a variable is the
  average;
* a variance is the average square less the square of the average, and a covariance likewise;
* an average is no random variable, so that it is a factor of other averages.

Names such as ``P`` are taken for probabilities only where a bar, an event or a blackboard letter shows that they are.
Source: W. Feller, An Introduction to Probability Theory and Its Applications I, chapters V and IX.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.language.expression import Expression, Number, Symbol
from grpo_symbolic.reading.meaning.labels import holds_index
from grpo_symbolic.reading.meaning.opaque import is_event
from grpo_symbolic.reading.notation.objects import Objects
from grpo_symbolic.reading.tex.normal import find, normal, split
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.tree import Atom, Group, Name, Node, Nodes, Scripted, walk, without_scripts

GIVEN = "P(A | B) P(B) = P(A, B), where it makes no difference in which order events stand, nor how often"
MARGINAL = "a sum runs over all values of its variable, and their probabilities add up to that of the rest"
MEAN = "an average is the sum of all values times their probabilities, all of which the sum runs over"
TOWER = "the average of an average given a variable is the average"
SPREAD = "a variance or covariance is the average product less the product of the averages"
CONSTANT = "an average is no random variable"
TOTAL = "the probabilities of all values add up to 1"

_RELATIONS = ("=", "<", ">", r"\le", r"\ge", r"\ne", r"\in", r"\notin")
#: What stands in no list of events that is taken apart: ellipses, parameters, other operations with sets.
_UNCLEAR = frozenset({r"\dots", r"\cdots", r"\ldots", "...", ";", ":", r"\cup", r"\setminus", r"\to", r"\rightarrow"})


@dataclass(frozen=True)
class Chance:
    """The probability of some events together, given others; ``head`` is what is printed before the bracket."""

    head: Node
    events: tuple[Nodes, ...]
    given: tuple[Nodes, ...]

    @property
    def together(self) -> tuple[Nodes, ...]:
        """All of its events, each once."""
        return tuple(dict.fromkeys((*self.events, *self.given)))


def chance_of(nodes: Nodes) -> Chance | None:
    """The probability that a name with brackets prints, as ``P(X = x | Y = y)``, ``p(x | y)`` or ``p_{X, Y}(x, y)``."""
    match nodes:
        case (head, Group("(" | "[" as opening, _, items)):
            pass
        case _:
            return None
    bare, inside = without_scripts(head), normal(items)
    marked = isinstance(head, Scripted) and (head.sup is not None or head.primes)
    letter = isinstance(bare, Name | Atom) and bare.text in ("P", "Pr", r"\Pr", "p")
    if not letter or marked or (opening == "[" and isinstance(bare, Atom)):
        return None
    if any(isinstance(node, Atom) and node.text in _UNCLEAR for node in walk(inside)):
        return None
    parts = split(inside, "|")
    if len(parts) > 2 or not all(parts):
        return None
    events, *given = [[_bare(one) for one in split(part, ",", r"\cap")] for part in parts]
    found = _labelled(Chance(head, tuple(dict.fromkeys(events)), tuple(dict.fromkeys(given[0])) if given else ()))
    return found if all(found.together) and _is_clear(found) else None


def _labelled(chance: Chance) -> Chance:
    """With the variables that stand below the name, ``p_{X | Y}(x | y)``, in the events."""
    sub = chance.head.sub if isinstance(chance.head, Scripted) else None
    parts = [split(part, ",") for part in split(normal(sub), "|")] if sub else []
    given = parts[1] if len(parts) == 2 else []
    fits = 1 <= len(parts) <= 2 and (len(parts[0]), len(given)) == (len(chance.events), len(chance.given))
    base = without_scripts(chance.head)
    if not fits or base is None or not all(_letter(label)[:1].isupper() for label in (*parts[0], *given)):
        return chance
    if any(find(event, *_RELATIONS) is not None for event in chance.together):
        return chance
    equal = Atom("=", chance.head.place)
    named = [(*label, equal, *event) for label, event in zip(parts[0], chance.events, strict=True)]
    known = [(*label, equal, *event) for label, event in zip(given, chance.given, strict=True)]
    return Chance(base, tuple(named), tuple(known))


def _bare(event: Nodes) -> Nodes:
    """An event without brackets around it."""
    while len(event) == 1 and isinstance(only := event[0], Group) and only.open in ("(", r"\{"):
        event = only.items
    return event


def _is_clear(chance: Chance) -> bool:
    """Whether events are told apart by what they print: relations, or letters of which no two may be of one variable.

    ``p(x' | x)`` may be a transition, of which nothing is known the other way round.
    """
    bare = [event for event in chance.together if find(event, *_RELATIONS) is None]
    letters = [_letter(event) for event in bare]
    values = [letter for letter in letters if not letter[:1].isupper()]
    return all(letters) and len(set(values)) == len(values)


def _letter(event: Nodes) -> str:
    """The letter that an event is, without scripts; nothing if it is more."""
    bare = without_scripts(event[0]) if len(event) == 1 else None
    text = bare.text.lstrip("\\") if isinstance(bare, Atom | Name) else ""
    return text if text.isalpha() else ""


def is_certain(nodes: Nodes) -> bool:
    """Whether a name with brackets is a probability for certain: of what has a relation, or given something."""
    found = chance_of(nodes)
    if found is None:
        return False
    bare = without_scripts(found.head)
    named = isinstance(bare, Name) and bare.font in ("blackboard", "upright")
    return (
        named
        or (isinstance(bare, Atom) and bare.text == r"\Pr")
        or bool(found.given)
        or is_event(found.head, nodes[1] if isinstance(nodes[1], Group) else None)
    )


def events_of(given: Nodes) -> tuple[Nodes, ...]:
    """The events after the bar of an average, if all are relations; none else."""
    parts = [_bare(part) for part in split(normal(given[1:]), ",", r"\cap")]
    clear = all(part and find(part, *_RELATIONS) is not None for part in parts)
    unclear = any(isinstance(node, Atom) and node.text in _UNCLEAR for node in walk(given))
    return tuple(parts) if clear and not unclear else ()


def is_variable(given: Nodes) -> bool:
    """Whether what is given is a random variable, and no value of it: a capital letter alone."""
    return len(given) == 2 and given[0] == Atom("|", given[0].place) and _letter(given[1:])[:1].isupper()


def variable_of(event: Nodes, index: Nodes) -> Nodes | None:
    """What has the value of an index by an event: ``Y`` by ``Y = y``, nothing by ``y`` alone; else ``None``."""
    if event == index:
        return ()
    at = find(event, "=")
    named = at is not None and event[at + 1 :] == index and index[0] not in walk(event[:at])
    return event[:at] if named else None


class Chances:
    """The probabilities that some atoms are, each as one of events together, by ``objects``; ``used`` names laws."""

    def __init__(self, objects: Objects, used: dict[str, None]) -> None:
        self.objects = objects
        self.used = used
        self.known: dict[Symbol, Chance] = {}
        self._together: dict[tuple[Node, frozenset[Nodes]], Symbol] = {}

    def collect(self, atoms: Iterable[tuple[Symbol, Nodes]]) -> None:
        """Take up the probabilities among atoms whose letter some atom shows to be one for certain."""
        found = [(atom, nodes, chance) for atom, nodes in atoms if (chance := chance_of(nodes)) is not None]
        certain = {without_scripts(chance.head) for _, nodes, chance in found if is_certain(nodes)}
        for atom, _, chance in found:
            if without_scripts(chance.head) in certain:
                self.known[atom] = chance
                if not chance.given:
                    self._together.setdefault((chance.head, frozenset(chance.events)), atom)

    @property
    def head(self) -> Node | None:
        """The only name for a probability that there is, if it has no scripts."""
        heads = {chance.head for chance in self.known.values()}
        only = next(iter(heads), None)
        return only if len(heads) == 1 and not isinstance(only, Scripted) else None

    def written(self, atom: Symbol) -> Expression | None:
        """A probability by those of events together; ``None`` of another atom."""
        chance = self.known.get(atom)
        if chance is None:
            return None
        whole = self.together(chance.head, chance.together)
        if chance.given:
            whole = whole / self.together(chance.head, chance.given)
        if whole != atom:
            self.used[GIVEN] = None
        return whole

    def together(self, head: Node, events: Iterable[Nodes]) -> Expression:
        """The probability of some events together; 1 if there are none."""
        ordered = sorted(events, key=compact)
        if not ordered:
            return Number(Fraction(1))
        key = (head, frozenset(ordered))
        if key not in self._together:
            items = tuple(node for event in ordered for node in (Atom(",", head.place), *event))[1:]
            nodes = (head, Group("(", ")", items, head.place))
            atom = self.objects.atom(("atom", nodes, ()), compact(nodes))
            self._together[key] = atom
            self.known[atom] = Chance(head, tuple(ordered), ())
        return self._together[key]

    def summed(self, one: Expression, index: Nodes) -> tuple[Node, Nodes, tuple[Nodes, ...]] | None:
        """Of a probability whose one event says that a variable has the value of an index: its name, the variable and
        the other events, in which the index does not stand."""
        chance = self.known.get(one) if isinstance(one, Symbol) else None
        if chance is None or chance.given or holds_index((chance.head,), index):
            return None
        found = [(event, name) for event in chance.events if (name := variable_of(event, index)) is not None]
        rest = tuple(event for event in chance.events if variable_of(event, index) is None)
        if len(found) != 1 or any(holds_index(event, index) for event in rest):
            return None
        return chance.head, found[0][1], rest
