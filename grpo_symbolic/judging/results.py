"""Write an assessment as data: ``results.json``, whose contract is ``results.schema.json``.

Two runs with the same versions, settings and derivations differ only in ``times``.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import metadata
from pathlib import Path

from grpo_symbolic import __version__
from grpo_symbolic.cache.packed import packed, unpacked
from grpo_symbolic.checks.proposals.installed import Skipped
from grpo_symbolic.coverage.aboutness import Aboutness, Tie
from grpo_symbolic.coverage.score import Covered, as_json, score
from grpo_symbolic.derivation.cited import CITED
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.evidence import Evidence, Verdict, Witness
from grpo_symbolic.judging.assess import Assessment
from grpo_symbolic.judging.claims import Judged
from grpo_symbolic.judging.counterexamples import refuting
from grpo_symbolic.judging.dependants import blast_radius
from grpo_symbolic.judging.errata import is_ambiguous, is_erratum
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.judging.methods import decisions
from grpo_symbolic.judging.quotes import Standing, reading_of, readings_of, standing_of, standings
from grpo_symbolic.judging.severity import severity_of
from grpo_symbolic.judging.solvers import agreement
from grpo_symbolic.judging.verdicts import Judgement
from grpo_symbolic.judging.why import Why, put_together, reasons_by_rule
from grpo_symbolic.judging.why import standings as reason_standings
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
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import All, Any, Equivalent, Implies, Relation, Statement
from grpo_symbolic.language.unknown import ForEvery, UnknownFunction, unknown_functions
from grpo_symbolic.readback.readings import QuoteRead
from grpo_symbolic.translate.latex import expression_latex, statement_latex
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.translate.tree import statement_tree

SCHEMA = 8

#: What a verdict can depend on besides this package and Python.
DISTRIBUTIONS = ("sympy", "mpmath", "python-flint", "z3-solver", "cvc5")

Json = dict[str, object]


def results(assessment: Assessment) -> Json:
    """The assessment as a JSON object; claims stand in reading order."""
    aboutness = Aboutness(assessment.library)
    claims = [one for result in assessment.library.results for one in _claims_of(result, assessment, aboutness)]
    return _about(assessment, aboutness) | {"claims": claims}


def results_text(assessment: Assessment, read_back: Json, fragments: Fragments) -> tuple[str, ...]:
    """The text of the results, with what was ``read_back``; what it says of the claims of a result may be kept.

    It comes in pieces: joining millions of letters would take longer than all the rest.
    """
    aboutness = Aboutness(assessment.library)
    found = (
        fragments.kept(
            "results",
            _content(result, assessment, aboutness),
            partial(_text_of, result, assessment, aboutness),
            packed,
            lambda kept: unpacked(str(kept)),
        )
        for result in assessment.library.results
    )
    inside = [text for text in found if text]
    whole = json_text(_about(assessment, aboutness) | {"claims": [], "read_back": read_back})
    if not inside:
        return (whole,)
    # No text has a line break in it, so that this stands there once.
    before, none, after = whole.partition('\n  "claims": []')
    separated = [piece for text in inside for piece in (",", text)][1:]
    return (before, none[:-1], *separated, "\n  ]", after)


def _text_of(result: Result, assessment: Assessment, aboutness: Aboutness) -> str:
    """The claims of a result as they stand in the list of all."""
    texts = map(json_text, _claims_of(result, assessment, aboutness))
    return ",".join("\n    " + text.rstrip().replace("\n", "\n    ") for text in texts)


def _content(result: Result, assessment: Assessment, aboutness: Aboutness) -> tuple[object, ...]:
    """All that is told of the claims of a result."""
    judged, quotes = assessment.judged, assessment.quotes
    own = [claim.id for claim in assessment.library.claims_of[result.module] if claim.id in assessment.selected]
    told = ((judged[id], quotes.get(id), aboutness.ties.get(id), assessment.whys.get(id)) for id in own)
    errata = [json_text(data) for id in own if (data := _erratum(judged[id], judged)) is not None]
    return result.slug, result.paper.id, tuple(told), tuple(errata)


def _claims_of(result: Result, assessment: Assessment, aboutness: Aboutness) -> Iterator[Json]:
    for claim in assessment.library.claims_of[result.module]:
        if claim.id in assessment.selected:
            yield _data(assessment, claim.id, result, aboutness)


def _about(assessment: Assessment, aboutness: Aboutness) -> Json:
    """The results without the claims one by one."""
    library, settings = assessment.library, assessment.settings
    counted = decisions(assessment.judged[id] for id in assessment.selected)
    counted_quotes = standings((assessment.judged[id] for id in assessment.selected), assessment.quotes)
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "digits": settings.digits,
        "points": settings.points,
        "seed": settings.seed,
        "quotes": {item.value: counted_quotes[item] for item in Standing if counted_quotes[item]},
        "reasons": {
            "claims": {item.value: count for item, count in reason_standings(assessment.whys.values()).items()},
            "put_together": sorted(put_together(library.claims, assessment.whys)),
            "rules": reasons_by_rule(assessment.whys.values()),
        },
        "cited": [
            {"name": item.name, "sentence": item.sentence, "missing": item.missing, "claims": citing}
            for item in CITED
            if (citing := [id for id in assessment.judged if item.name in library.claims[id].cites])
        ],
        "decisions": {"methods": dict(counted.methods), "solvers": dict(counted.solvers)},
        "coverage": {
            item.coverage.paper.id: as_json(item)
            for item in covered_lines(assessment.judged, assessment.quotes, aboutness)
        },
        "times": {
            "seconds": round(assessment.seconds, 3),
            "claims": {id: round(seconds_of(judged), 3) for id, judged in assessment.judged.items()},
            "kept": sorted(assessment.kept),
        },
    }


def _tie(tie: Tie | None) -> Json | None:
    """What a claim that is tied to numbered places is about, and what of that it does not depend on."""
    if tie is None:
        return None
    return {
        "places": list(tie.places),
        "definitions": list(tie.about),
        "contains": list(tie.contains),
        "through": list(tie.through),
        "missing": list(tie.missing),
    }


def claim_data(assessment: Assessment, id: str, aboutness: Aboutness) -> Json:
    """One claim as it stands among the ``claims`` of the results."""
    return _data(assessment, id, assessment.library.result_of(id), aboutness)


def _data(assessment: Assessment, id: str, result: Result, aboutness: Aboutness) -> Json:
    data = _claim(assessment.judged[id], result, assessment.judged, assessment.quotes)
    return data | {"about": _tie(aboutness.ties.get(id)), "why": _why(assessment.whys.get(id))}


def _why(found: Why | None) -> Json | None:
    """Why a claim holds, formulas as LaTeX between dollar signs."""
    if found is None:
        return None
    parts = [{"part": one.part, "goal": one.goal, "rule": one.rule, "latex": one.words} for one in found.parts]
    return {"by": found.standing.value, "parts": parts, "methods": list(found.methods)}


def covered_lines(
    judged: Mapping[str, Judged], quotes: Mapping[str, QuoteRead], aboutness: Aboutness
) -> tuple[Covered, ...]:
    """What became of the lines of each paper whose coverage stands beside its derivations."""
    verdicts = {
        id: (item.verdict, None if item.printed is None else item.printed.verdict) for id, item in judged.items()
    }
    readings = readings_of(judged.values(), quotes)
    return tuple(score(item, verdicts, readings, aboutness.in_part(item)) for item in aboutness.coverages)


def write(assessment: Assessment, path: Path) -> None:
    """Write ``results.json`` to ``path``; whoever reads it meanwhile sees the old file or the new one."""
    write_json(results(assessment), path)


def write_json(data: Json, path: Path) -> None:
    """Write JSON sorted, indented and in UTF-8, replacing ``path`` in one step."""
    write_text((json_text(data),), path)


def json_text(data: Json) -> str:
    """JSON sorted and indented."""
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(pieces: Iterable[str], path: Path) -> None:
    """Write a text in UTF-8, given in pieces, replacing ``path`` in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.writelines(pieces)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def versions() -> dict[str, str | None]:
    """The versions of this package, of Python and of what the checks use; None where it is not installed."""
    found: dict[str, str | None] = {"grpo_symbolic": __version__, "python": platform.python_version()}
    for name in DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def seconds_of(judged: Judged) -> float:
    """The time spent on a claim and on what is printed in its place."""
    return judged.alone.seconds + (judged.printed.seconds if judged.printed else 0.0)


def refuting_witness(judgement: Judgement) -> Witness | None:
    """The first point at which a refuted statement fails, if the method could name one."""
    found = refuting(judgement) if judgement.verdict is Verdict.REFUTED else None
    return None if found is None else found.witness


def skipped_of(judged: Judged) -> tuple[Skipped, ...]:
    """The methods that were not available for a claim or its quote, each once."""
    printed = judged.printed.skipped if judged.printed else ()
    return tuple(dict.fromkeys((*judged.alone.skipped, *printed)))


_KINDS: Mapping[type[Statement], str] = {
    All: "combination",
    Any: "combination",
    Implies: "implication",
    Equivalent: "equivalence",
    Monotone: "monotonicity",
    Limit: "limit",
    UniqueRoot: "unique root",
    UniqueZero: "unique zero",
    Zeros: "zeros",
    Extremum: "extremum",
    Summed: "sum over outputs",
    TermOfTotal: "sum over outputs",
    Impossible: "impossibility",
    Existence: "existence",
    LocalExtremum: "local extremum",
    FixedPoint: "stability",
    Converges: "convergence",
    SomeZero: "zero",
    EveryCycle: "cycles",
    EveryIterate: "induction",
    ForEvery: "hypothesis",
    **dict.fromkeys((SequenceLimit, LimitSuperior, InTheLimit, MonotoneLimit), "limit of a sequence"),
}


def kind_of(statement: Statement) -> str:
    """The field's word for a statement's kind.

    Raises:
        DeclarationError: for a kind that has no word.
    """
    if isinstance(statement, Relation):
        return "identity" if statement.operator == "=" else "inequality"
    if type(statement) not in _KINDS:
        raise DeclarationError(f"no word for a {type(statement).__name__} statement")
    return _KINDS[type(statement)]


def _claim(judged: Judged, result: Result, everything: Mapping[str, Judged], read: Mapping[str, QuoteRead]) -> Json:
    claim = judged.claim
    return {
        "id": claim.id,
        "result": result.slug,
        "paper": result.paper.id,
        "equation": claim.equation,
        "title": claim.title,
        "kind": kind_of(claim.statement),
        "symbols": [
            *map(_symbol, symbols_in(claim)),
            *map(_function, unknown_functions(*claim.given, claim.statement)),
        ],
        "hypotheses": [_statement(hypothesis) for hypothesis in claim.given],
        "statement": _statement(claim.statement),
        "verdict": judged.verdict.value,
        "alone": judged.alone.verdict.value,
        "since": list(judged.since),
        "paper_uses": list(claim.paper_uses),
        "beyond": claim.beyond,
        "assumed": claim.assumed,
        "assumes": list(judged.claim.assumes),
        "cites": list(claim.cites),
        "fills": [{"where": gap.where, "missing": gap.missing} for gap in claim.fills],
        "refuted": claim.refuted,
        "evidence": _evidence(judged.alone.evidence),
        "skipped": [{"method": item.method, "reason": item.reason} for item in skipped_of(judged)],
        "printed": _printed(judged, read.get(claim.id)),
        "erratum": _erratum(judged, everything),
    }


def _symbol(symbol: Symbol) -> Json:
    latex = str(expression_latex(symbol))
    return {"name": symbol.name, "latex": latex, "domain": str(symbol.domain), "meaning": symbol.meaning}


def _function(function: UnknownFunction) -> Json:
    """An unknown function among the symbols."""
    domain = f"{function.on} -> {function.values}, {function.kind}"
    return {"name": function.name, "latex": function.latex, "domain": domain, "meaning": function.meaning}


def _statement(statement: Statement) -> Json:
    return {"latex": str(statement_latex(statement)), "tree": statement_tree(statement)}


def _evidence(items: Iterable[Evidence]) -> list[Json]:
    return [_one_evidence(item) for item in items]


def _one_evidence(item: Evidence) -> Json:
    data: Json = {
        "method": item.method,
        "verdict": item.verdict.value,
        "obligation": item.obligation,
        "note": item.note,
        "witness": None if item.witness is None else _witness(item.witness),
    }
    measured = {
        "digits": item.digits,
        "points": item.points,
        "worst_residual": item.worst_residual,
        "smallest_gap": item.smallest_gap,
        "worst_at": dict(item.worst_at) or None,
        "answers": [{"solver": answer.solver, "status": answer.status} for answer in item.answers] or None,
        "solvers": agreement(item),
        "aids": list(item.aids) or None,
        "point": None if item.point is None else dict(item.point),
        "impossible": item.impossible or None,
        "zero": item.zero,
        "failing": item.failing,
        "undefined": item.undefined,
    }
    return data | {key: value for key, value in measured.items() if value is not None}


def _witness(witness: Witness) -> Json:
    return {"at": dict(witness.at), "left": witness.left, "right": witness.right}


def _printed(judged: Judged, read: QuoteRead | None) -> Json | None:
    quote, judgement, found = judged.claim.printed, judged.printed, standing_of(judged, read)
    if quote is None or judgement is None or read is None or found is None:
        return None
    outcome = read.outcome
    return {
        "where": quote.where,
        "latex": quote.latex,
        "in_words": read.in_words,
        "read": {"status": outcome.status, "reason": outcome.reason, "as": outcome.read},
        "reading": reading_of(read).value,
        "standing": found.value,
        "verdict": judgement.verdict.value,
        "holds_if_read_as": quote.instead if is_ambiguous(judged) else None,
        "evidence": _evidence(judgement.evidence),
    }


def _erratum(judged: Judged, everything: Mapping[str, Judged]) -> Json | None:
    quote, judgement = judged.claim.printed, judged.printed
    if quote is None or judgement is None or not is_erratum(judged):
        return None
    witness, matters = refuting_witness(judgement), severity_of(judged.claim.id, everything)
    return {
        "where": quote.where,
        "printed": quote.latex,
        "counterexample": None if witness is None else _witness(witness),
        "instead": quote.instead,
        "severity": None if matters is None else matters.severity.value,
        "severity_because": None if matters is None else matters.in_words,
        "missing": [statement_text(item) for item in quote.missing],
        "notation": quote.notation,
        "compare_with_pdf": quote.compare_with_pdf,
        "isolated": quote.isolated,
        "blast_radius": [
            {"id": item.id, "where": item.place, "outcome": item.outcome.value}
            for item in blast_radius(judged.claim.id, everything)
        ],
    }
