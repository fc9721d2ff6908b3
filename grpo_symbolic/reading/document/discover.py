"""Propose a notation map for a paper that has none: its symbols, where they stand first, and guessed domains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grpo_symbolic.reading.document.displays import Display, PrintedStep
from grpo_symbolic.reading.document.heads import Head, Heads, is_plain
from grpo_symbolic.reading.document.kinds import objects_of, why_no_number
from grpo_symbolic.reading.places import Place
from grpo_symbolic.reading.tex.retype import compact
from grpo_symbolic.reading.tex.spelling import apart
from grpo_symbolic.reading.tex.symbols import words
from grpo_symbolic.reading.tex.tree import Atom, Group, Node, Nodes, Number, Scripted, walk, without_scripts

_POSITIVE = words(r"\alpha \beta \gamma \delta \epsilon \varepsilon \eta \lambda \sigma \tau \kappa")
#: Letters of probabilities and distributions; rewards and advantages are given something, too.
_PROBABLE = words(r"p q P \pi \mu \nu \rho")
_BOUNDS = {">": "(0, oo)", r"\ge": "[0, oo)", "<": "(-oo, 0)", r"\le": "(-oo, 0]"}
#: Longest piece of a formula that a definition quotes.
MAX_QUOTE = 200
_UNIT = {"(": "(0, 1", "[": "[0, 1"}


@dataclass(frozen=True)
class Proposal:
    """One entry of the proposed map.

    ``kind`` is ``symbol``, ``definition`` (the paper says what a function is: ``tex`` quotes it and
    ``parameters`` are its arguments), or ``function``, ``object`` (no number: a vector, a matrix) and
    ``index``, whose meaning only a person can say; ``nodes`` is what is printed.
    ``why`` tells where the domain of a symbol comes from. ``guessed_factor`` says that a symbol stands before brackets
    and nothing shows that these are factors, and no arguments.
    """

    kind: str
    nodes: Nodes
    tex: str
    place: Place
    uses: int
    domain: str = ""
    why: str = ""
    parameters: tuple[str, ...] = ()
    name: str = ""
    guessed_factor: bool = False


def discover(displays: Sequence[Display], inline: Sequence[Display] = ()) -> tuple[Proposal, ...]:
    """Propose entries for the symbols of the displays, most used first; conditions on them are sought inline too."""
    heads = Heads()
    heads.collect(side for display in displays for side in _sides(display))
    beside = Heads()
    beside.collect(side for display in inline for side in _sides(display))
    steps = [step for display in (*inline, *displays) for step in display.steps]
    objects = objects_of((*inline, *displays))
    # What the paper states goes before what is guessed.
    ends = _ends_of_sums(displays)
    stated = {**ends, **stated_domains(steps)}
    # What has an argument anywhere, be it in a sentence, is no number wherever it stands alone.
    functions = {
        nodes
        for some in (heads, beside)
        for nodes, head in some.found.items()
        if head.takes_argument(number=nodes in ends)
    }
    found = [_bound(heads.found.get(nodes), nodes, place) for nodes, place in heads.bound.items()]
    defined = _abbreviations(step for display in displays for step in display.steps)
    for head in heads.found.values():
        why = why_no_number(head.nodes, objects)
        if why and head.nodes not in heads.bound:
            why = f"{compact(head.nodes)} is taken for no number: {why}"
            found.append(Proposal("object", head.nodes, compact(head.nodes), head.place, head.uses, why=why))
        elif head.nodes not in heads.bound and head.nodes not in defined:
            found += _proposals(head, head.nodes in functions, stated, heads.bound)
    found.sort(key=lambda one: -one.uses)
    named = [replace(one, name=name) for one, name in zip(found, apart([one.nodes for one in found]), strict=True)]
    symbols = {one.tex: one.name for one in named if one.kind == "symbol"}
    return _with_definitions(named, [step for display in displays for step in display.steps], symbols)


def _abbreviations(steps: Iterable[PrintedStep]) -> set[Nodes]:
    """What the paper defines by ``t := x/2``: to declare it as well would make it a symbol of its own."""
    return {
        step.left
        for step in steps
        if step.relation.symbol == ":=" and step.index == 1 and len(step.left) == 1 and _symbols_in(step.right)
    }


def _symbols_in(nodes: Nodes) -> bool:
    heads = Heads()
    heads.collect([nodes])
    return bool(heads.found)


def _with_definitions(
    proposals: Sequence[Proposal], steps: Sequence[PrintedStep], symbols: Mapping[str, str]
) -> tuple[Proposal, ...]:
    """Add a definition for each function that a first step ``f(x) = ...`` says, if its arguments are symbols."""
    functions = {one.tex.partition("(#")[0]: one for one in proposals if one.kind == "function" and "(#" in one.tex}
    added: dict[str, Proposal] = {}
    for step in steps:
        match step.left:
            case (head, Group("(", ")", items)) if step.index == 1 and step.relation.symbol in ("=", ":="):
                function = functions.get(compact((head,)))
                letters = [compact((node,)) for node in items if not _is(node, ",")]
                if function is None or function.name in added or not all(letter in symbols for letter in letters):
                    continue
                if any(node == head for node in walk(step.right)):
                    continue  # it says something of the function, and not what it is
                quote = " ".join(step.place.text.split())[:MAX_QUOTE]
                names = tuple(symbols[letter] for letter in letters)
                added[function.name] = replace(
                    function, kind="definition", tex=quote, place=step.place, parameters=names
                )
    return tuple(one for one in proposals if one.name not in added) + tuple(added.values())


def _sides(display: Display) -> Iterator[Nodes]:
    for chain in display.chains:
        yield from chain.sides[1:] if chain.continues else chain.sides
    for unread in display.unread:
        yield unread.items


def _bound(head: Head | None, nodes: Nodes, place: Place) -> Proposal:
    return Proposal("index", nodes, compact(nodes), place, head.uses if head else 1)


def _proposals(
    head: Head, function: bool, stated: Mapping[Nodes, tuple[str, str]], bound: Mapping[Nodes, Place]
) -> Iterator[Proposal]:
    """Yield the entries for one head: itself, its applications as symbols of their own, or a function to explain."""
    tex = compact(head.nodes)
    # What has a prime is a function, unless it mostly stands alone.
    primes = head.derived and sum(head.applications.values()) >= head.bare
    if head.bare and not primes and not function:
        domain, why = _domain_of(head.nodes, stated)
        guessed = bool(head.applications) and head.nodes not in stated and not head.multiplies_itself()
        if head.applications:
            why += "; it also stands before a bracket: a product, or a function?"
        yield Proposal("symbol", head.nodes, tex, head.place, head.uses, domain, why, guessed_factor=guessed)
        return
    left_over: dict[str, list[Group]] = {}
    for group in head.applications:
        items = group.items
        labels = _given(items) or all((node,) in bound for node in items if not _is(node, ","))
        if head.derived or group.open != "(" or not items or not is_plain(items) or not labels:
            left_over.setdefault(group.open, []).append(group)
            continue
        whole = (*head.nodes, Group("(", ")", items, head.place))
        domain, why = _domain_of(whole, stated)
        yield Proposal("symbol", whole, compact(whole), head.place, head.applications[group], domain, why)
    if head.derived and not left_over:
        left_over["("] = []
    for groups in left_over.values():
        yield _function(head, groups)


def _function(head: Head, groups: Sequence[Group]) -> Proposal:
    """A function to explain, by the brackets of one kind that hold its arguments."""
    shape = groups[0] if groups else Group("(", ")", (), head.place)
    holes = 1 + sum(_is(node, ",", "|") for node in shape.items)
    arguments = ", ".join(f"#{letter}" for letter in "xyzuvw"[:holes])
    arguments = arguments.replace(",", r" \mid", 1) if _given(shape.items) else arguments
    why = "it stands alone too, and is no number there" if head.bare else ""
    uses = sum(head.applications[group] for group in groups) or head.uses
    tex = f"{compact(head.nodes)}{shape.open}{arguments}{shape.close}"
    return Proposal("function", head.nodes, tex, head.place, uses, why=why)


def _is(node: Node, *texts: str) -> bool:
    return isinstance(node, Atom) and node.text in texts


def _given(items: Nodes) -> bool:
    return any(_is(node, "|") for node in items)


def _domain_of(nodes: Nodes, stated: Mapping[Nodes, tuple[str, str]]) -> tuple[str, str]:
    guess = _guess(nodes)
    said = stated.get(nodes)
    if said is None:
        return guess
    return ("(0, 1)", f"{said[1]}, and {guess[1]}") if guess[0] == "(0, 1)" and said[0] == "(0, oo)" else said


def _guess(nodes: Nodes) -> tuple[str, str]:
    first = without_scripts(nodes[0])
    text = first.text if isinstance(first, Atom) else ""
    group = nodes[-1] if isinstance(nodes[-1], Group) else None
    if group is not None and _given(group.items) and text in _PROBABLE:
        return "(0, 1)", "a guess: a value given something is often a probability"
    if text == "p" and (isinstance(nodes[0], Scripted) or group is None):
        return "(0, 1)", "a guess: p is often a probability"
    # An error of a step, or a difference, has either sign.
    signed = text == r"\delta" and isinstance(nodes[0], Scripted)
    if text in _POSITIVE and group is None and not signed:
        return "(0, oo)", "a guess: such letters are often positive"
    return "(-oo, oo)", "a guess: nothing was found that restricts it"


def stated_domains(steps: Iterable[PrintedStep]) -> dict[Nodes, tuple[str, str]]:
    """Return the domains that a paper states, ``\\beta > 0`` or ``x \\in [0, 1]``, each with where it does."""
    found: dict[Nodes, tuple[str, str]] = {}
    for step in steps:
        domain = _domain(step)
        if domain is not None and step.index == 1 and step.left not in found:
            found[step.left] = (domain, f"from {step.place}")
    return found


def _ends_of_sums(displays: Iterable[Display]) -> dict[Nodes, tuple[str, str]]:
    """The domains of letters at which sums and products end, which count something."""
    found: dict[Nodes, tuple[str, str]] = {}
    for node in (node for display in displays for side in _sides(display) for node in walk(side)):
        bare = without_scripts(node)
        if not isinstance(node, Scripted) or node.sup is None or bare is None or not _is(bare, r"\sum", r"\prod"):
            continue
        for end in node.sup:
            letter = without_scripts(end)
            if isinstance(letter, Atom) and letter.text.isalpha():
                found[(end,)] = ("[1, oo)", "a guess: a sum ends at it, so that it counts something")
    return found


def _domain(step: PrintedStep) -> str | None:
    symbol, right = step.relation.symbol, step.right
    if right == (Number("0", step.place),):
        return _BOUNDS.get(symbol)
    if symbol == r"\in" and len(right) == 1 and isinstance(right[0], Group):
        texts = [node.text if isinstance(node, Atom | Number) else "?" for node in right[0].items]
        closing = right[0].close
        if texts == ["0", ",", "1"] and right[0].open in _UNIT and closing in (")", "]"):
            return _UNIT[right[0].open] + closing
    return None


def proposal_toml(proposals: Sequence[Proposal], source: str) -> str:
    """Write the map: symbols as entries, functions left out for a reason, indices as comments to complete."""
    lines = [
        f"# Proposed for {_shown(source)}. The paper is read with this as it is without a map: all of it is guessed.",
        "# Write a line under [symbols], or a table without guessed. in its name, to declare what stands there.",
        "",
        "[guessed.symbols]",
    ]
    for one in proposals:
        if one.kind == "symbol":
            factor = ', factor = "guess"' if one.guessed_factor else ""
            lines.append(
                f'{one.name} = {{ in = "{one.domain}", tex = {_quoted(one.tex)}{factor} }}'
                f"  # {_times(one.uses)}, first at {one.place}; {one.why}"
            )
    for one in proposals:
        if one.kind == "function":
            lines += [
                "",
                f'# {_times(one.uses)}, first at {one.place}; replace skip by is = "..." or by a [[definition]]'
                + (f"; {one.why}" if one.why else ""),
                "[[guessed.notation]]",
                f"tex = {_quoted(one.tex)}",
                'skip = "its meaning is not declared"',
            ]
    for one in proposals:
        if one.kind == "object":
            lines += ["", f"# {_times(one.uses)}, first at {one.place}", "[[guessed.notation]]"]
            lines += [f"tex = {_quoted(one.tex)}", f"skip = {_quoted(one.why)}"]
    for one in proposals:
        if one.kind == "definition":
            names = ", ".join(f'"{name}"' for name in one.parameters)
            lines += ["", f"# {_times(one.uses)}, said at {one.place}", "[[guessed.definition]]"]
            lines += [f"quote = {_quoted(one.tex)}", f"params = [{names}]"]
    indices = [one for one in proposals if one.kind == "index"]
    if indices:
        lines += ["", "# Bound by a sum or an average; say over which set: [sets], then [indices], or [sizes]."]
        lines += [f"# {_shown(one.tex)}  ({_times(one.uses)}, first at {one.place})" for one in indices]
    return "\n".join(lines) + "\n"


def _times(uses: int) -> str:
    return "used once" if uses == 1 else f"used {uses} times"


def _quoted(text: str) -> str:
    """Write a TOML string: LaTeX in single quotes, unless it holds one or a control character."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in escaped) + '"'


def _shown(text: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in text)
