"""Verify proofs: each by itself, then what each rests on.

A file has a claim a line: ``{"record": ..., "proof": ...}``, see ``statements`` for the record. The proof is ``{"plan",
"terms", "parts": [{"sums", "goals"}], "points"}``: nodes that continue the table of the record, for each part what it
comes to without sums and a proof of each goal (null where none is needed), and a point for each list of premises.

What a paper prints may come with ``"refutation": {"terms", "point"}`` in the place of a proof: there all that it
supposes holds, and it fails or has no value.

A claim is PROVED if its proof is accepted and all claims that it rests on are proved, or assumed, which is told.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import inf
from pathlib import Path
from typing import Any

from grpo_symbolic.kernel import sums
from grpo_symbolic.kernel.kinds import Clause, parts, premises, refuse_unclear
from grpo_symbolic.kernel.points import read_point
from grpo_symbolic.kernel.rules import Goal, Obligation, check, goals_of, is_evident
from grpo_symbolic.kernel.statements import Record, composed, digest, read_record, rests_on
from grpo_symbolic.kernel.terms import RefusedError, Term, allow, conditions, forget, make, read_terms, relations_of

#: A line of a file may be so long.
_LONGEST = 8_000_000
#: What may be done to verify one, which takes some seconds.
_MOST_WORK = 5_000_000


@dataclass(frozen=True)
class Verified:
    """A claim whose proof was accepted, if those that it rests on say what they are taken to say; or its refutation."""

    id: str
    digest: str
    assumed: bool
    rests_on: tuple[tuple[str, str], ...]
    refuted: bool = False


def verify(data: object) -> Verified:
    """Accept a claim with its proof.

    Raises:
        RefusedError: if it is not accepted.
    """
    forget()
    allow(_MOST_WORK)
    try:
        return _verify(data)
    except (RecursionError, OverflowError, ZeroDivisionError, MemoryError) as error:
        raise RefusedError(f"not checked: {type(error).__name__}") from error
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise RefusedError(f"not of the form of a proof: {error!r}") from error
    finally:
        allow(inf)


def _verify(data: Any) -> Verified:
    record = read_record(data["record"])
    if "refutation" in data:
        _refute(record, data["refutation"])
        return Verified(record.id, digest(record, record.statement, record.given), False, (), refuted=True)
    proof = data["proof"]
    rests = list(rests_on(record))
    if record.assumed:
        return Verified(record.id, digest(record, record.statement, record.given), True, ())
    terms = read_terms(proof["terms"], record.terms)
    if proof["plan"] == "composed":
        rests += composed(record)
    else:
        shown = parts(record, proof["plan"])
        for part, one in zip(shown, proof["parts"], strict=True):
            for goal, why in zip(_goals(record, part, terms, one["sums"]), one["goals"], strict=True):
                if why is not None:
                    check(goal, why)
                elif not is_evident(goal):
                    raise RefusedError(f"{part.label}: nothing shows {goal.relation}")
    for wanted, one in zip(premises(record, proof["plan"]), proof["points"], strict=True):
        point = read_point(one, terms, record)
        for statement in wanted:
            point.require(statement, one["laws"])
    return Verified(record.id, digest(record, record.statement, record.given), False, tuple(rests))


def _refute(record: Record, refutation: Any) -> None:
    """A statement about all points fails if it does at one where all that is supposed holds at every element."""
    if record.lemmas or record.derivation is not None:
        raise RefusedError("what is refuted rests on nothing")
    if any(one.op == "expectation" and not record.is_whole(one.args[2]) for one in record.terms):
        raise RefusedError("it may fail only for groups whose sizes are no whole numbers")
    point = read_point(refutation["point"], read_terms(refutation["terms"], record.terms), record)
    laws, hidden = refutation["point"]["laws"], list[Term]()
    *given, statement = (record.unfold(one, hidden) for one in (*record.given, record.statement))
    while statement.op == "implies":
        given, statement = [*given, statement.args[0]], statement.args[1]
    if statement.op == "limit":
        # It names a rate, which it says of every point nearby.
        (rate,) = (one for one in parts(record, "claim") if one.label == "rate")
        given, statement = [*rate.facts], rate.conclusion
    refuse_unclear(record, (*given, statement), hidden)
    for needed in (*given, *(condition for one in hidden for condition in conditions(one))):
        point.require(needed, laws)
    point.refute(statement, laws)


def whole_of(part: Clause) -> Term:
    """What has to be shown of a part: that all that it compares has a value, inner things first, and what it says."""
    compared = [*part.hidden, *(side for one in relations_of(part.conclusion) for side in one.args)]
    needed = dict.fromkeys(one for side in compared for one in conditions(side))
    return make("all", *needed, part.conclusion)


def plain_part(record: Record, part: Clause, terms: Sequence[Term], certificate: object) -> sums.Sequent:
    """A part without sums."""
    whole = whole_of(part)
    symbols = {name: record.symbol(name) for one in (*part.facts, whole) for name in sorted(one.free)}
    elements = sums.Elements(
        {name: one.letters for name, one in symbols.items() if one.letters},
        {name: one.of for name, one in symbols.items() if one.of is not None},
        record.sets,
    )
    domains = {name: one.domain for name, one in symbols.items()}
    return sums.without_totals(sums.Sequent(domains, elements, part.facts, whole), terms, certificate)


def _goals(record: Record, part: Clause, terms: Sequence[Term], certificate: object) -> Iterator[Goal]:
    plain = plain_part(record, part, terms, certificate)
    return goals_of(Obligation(plain.domains, terms), plain.facts, plain.conclusion)


@dataclass(frozen=True)
class Report:
    """Which claims are proved, under which assumptions, what was refused, with its place, and what is refuted."""

    proved: Mapping[str, frozenset[str]]
    refused: tuple[str, ...]
    refuted: tuple[str, ...] = ()


def verify_all(lines: Iterable[tuple[str, str]]) -> Report:
    """Verify claims, each given with its place."""
    found: dict[str, Verified] = {}
    refused: list[str] = []
    for place, line in lines:
        try:
            if len(line) > _LONGEST:
                raise RefusedError("a line is too long")
            data = json.loads(line)
            one = verify(data)
            if one.id in found:
                raise RefusedError(f"{one.id} is there twice")
            found[one.id] = one
        except (ValueError, RecursionError) as error:
            refused.append(f"{place}: no JSON that can be read: {type(error).__name__}")
        except RefusedError as error:
            refused.append(f"{place}: {_name(line)}{error}")
    proofs = {id: one for id, one in found.items() if not one.refuted}
    return Report(_standing(proofs, refused), tuple(refused), tuple(found.keys() - proofs.keys()))


def _name(line: str) -> str:
    try:
        return f"{str(json.loads(line)['record']['id'])[:200]}: "
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""


def _standing(found: Mapping[str, Verified], refused: list[str]) -> dict[str, frozenset[str]]:
    """The claims that stand with all below them, and the assumptions among these; nothing rests on itself."""
    rests = {id: {other for other, _ in one.rests_on if other in found} for id, one in found.items()}
    circular, standing = set[str](), dict[str, frozenset[str]]()
    while True:
        try:
            order = [*TopologicalSorter(rests).static_order()]
            break
        except CycleError as error:
            for id in sorted({*error.args[1]} - circular):
                refused.append(f"{id} rests on itself")
                circular.add(id)
                rests[id] = set()
    for id in order:
        one = found[id]
        others = [other for other, wanted in one.rests_on if other in found and found[other].digest != wanted]
        refused += [f"{id} rests on {other}, which says something else" for other in dict.fromkeys(others)]
        if id not in circular and not others and all(other in standing for other, _ in one.rests_on):
            below = (standing[other] for other, _ in one.rests_on)
            standing[id] = frozenset({id} if one.assumed else ()).union(*below)
    return {id: under for id, under in standing.items() if not found[id].assumed}


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify the files of a folder, or some files; 0 if nothing is refused, else 2."""
    given = [*(sys.argv[1:] if arguments is None else arguments)] or ["build/proofs"]
    files = [
        one
        for name in given
        for path in [Path(name)]
        for one in (sorted(path.rglob("*.jsonl")) if path.is_dir() else [path])
    ]
    if not files:
        print(f"no proofs in {', '.join(given)}; `grpo-symbolic report` writes them", file=sys.stderr)
        return 2
    try:
        report = verify_all(
            (f"{path}:{number}", line)
            for path in files
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        )
    except (OSError, UnicodeDecodeError) as error:
        print(f"cannot read proofs: {error}", file=sys.stderr)
        return 2
    for one in report.refused:
        print(one, file=sys.stderr)
    for name in sorted(frozenset().union(*report.proved.values())):
        print(f"assumed: {name}, on which {sum(name in under for under in report.proved.values())} of them rest")
    refuted = f", {len(report.refuted)} printed statements refuted" if report.refuted else ""
    print(f"{len(report.proved)} claims proved{refuted}; {len(report.refused)} refused")
    return 2 if report.refused else 0
