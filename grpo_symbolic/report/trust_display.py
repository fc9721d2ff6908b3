"""What the terminal shows of the trusted base, and the same as data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.naming import symbols_in
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.trust import ClaimTrust
from grpo_symbolic.judging.trusted_base import KERNEL, SEARCH, File, TrustedBase, trusted_base, versions_of
from grpo_symbolic.language.expression import Definition
from grpo_symbolic.language.unknown import unknown_functions
from grpo_symbolic.obligations.principles import PRINCIPLES, Principle
from grpo_symbolic.translate.text import expression_text, statement_text

Json = dict[str, object]


def tell_base(screen: Console, assumed: Iterable[Claim], as_json: bool) -> None:
    """What every verdict rests on, and what the derivations at hand assume."""
    base, search, assumptions = trusted_base(), trusted_base(SEARCH), tuple(assumed)
    if as_json:
        _print_json(screen, base_as_json(base, search, PRINCIPLES, assumptions))
        return
    show_base(screen, base, search, PRINCIPLES)
    show_assumptions(screen, assumptions)


def tell_claim(screen: Console, found: ClaimTrust, as_json: bool) -> None:
    """What the verdict on one claim rests on."""
    base = trusted_base()
    if as_json:
        data = base_as_json(base, trusted_base(SEARCH), found.principles, found.assumptions)
        _print_json(screen, data | {"claim": claim_as_json(found)})
        return
    show_claim_trust(screen, found, base)


def _print_json(screen: Console, data: Json) -> None:
    screen.print(json.dumps(data, indent=2), markup=False, highlight=False, soft_wrap=True)


def show_base(screen: Console, base: TrustedBase, search: TrustedBase, principles: Iterable[Principle]) -> None:
    """Files by folder with their lines, libraries and principles."""
    screen.print(f"What PROVED rests on: {_files(trusted_base(KERNEL))} of the kernel, and no library but Python's own")
    screen.print(f"What DECIDED rests on: {_files(base)}")
    screen.print(f"everything that {base.root} imports\n")
    screen.print(_table(base.files))
    besides = [file for file in search.files if file not in base.files]
    screen.print(
        f"\nThat a statement is REFUTED, and that hypotheses can hold, is certified at a point by "
        f"{len(besides)} more files, {sum(file.lines for file in besides):,} lines: {search.root} and its imports"
    )
    screen.print("\nLibraries")
    for name, version in versions_of(base.modules).items():
        screen.print(_indented(f"{name} {version or '(not installed)'}"))
    _show_principles(screen, principles)


def show_claim_trust(screen: Console, found: ClaimTrust, base: TrustedBase) -> None:
    """What has to be read to believe one claim, then what has to be believed about the checks."""
    claim = found.judged.claim
    screen.print(f"{claim.id}: {found.judged.verdict.value}")
    screen.print("\nTo believe it, read the statement")
    screen.print(_indented(statement_text(claim.statement)))
    if symbols_in(claim):
        screen.print("for all")
        for symbol in symbols_in(claim):
            screen.print(_indented(f"{symbol.name} in {symbol.domain}: {symbol.meaning}"))
    for function in unknown_functions(*claim.given, claim.statement):
        screen.print(_indented(function.description))
    if claim.given:
        screen.print("with")
        for hypothesis in claim.given:
            screen.print(_indented(statement_text(hypothesis)))
    if found.definitions:
        screen.print("where")
        for made in found.definitions:
            screen.print(_indented(_definition(made)))
    show_assumptions(screen, found.assumptions)
    if found.lemmas:
        screen.print("\nIt rests on these claims, which are checked like it and need no belief")
        for item in found.lemmas:
            screen.print(_indented(f"{item.claim.id}: {item.verdict.value}"))
            screen.print(Padding(statement_text(item.claim.statement), (0, 0, 0, 8), expand=False))
    screen.print(f"\nDecided by ({_count(found.steps, 'step')} of derivations included)")
    for name, number in (*found.methods.items(), *found.solvers.items()):
        screen.print(_indented(f"{name}: {_count(number, 'decision')}"))
    _show_principles(screen, found.principles)
    if found.judged.verdict is Verdict.PROVED:
        ran = ", ".join(f"{Path(path).stem} {lines:,}" for path, lines in found.kernel.items())
        screen.print(
            f"\nand what of the kernel runs when it accepts these proofs: {sum(found.kernel.values()):,} lines"
        )
        screen.print(_indented(ran))
        screen.print(f"of {_files(trusted_base(KERNEL))}; whatever found the proofs needs no belief")
        return
    screen.print(f"\nand the checks: {_files(base)}; `grpo-symbolic trust` lists them")


def show_assumptions(screen: Console, assumptions: Iterable[Claim]) -> None:
    """The statements that are assumed."""
    assumed = tuple(assumptions)
    screen.print("\nAssumptions" if assumed else "\nNo assumptions")
    for made in assumed:
        screen.print(_indented(f"{made.id}: {made.title}"))
        screen.print(Padding(statement_text(made.statement), (0, 0, 0, 8), expand=False))


def base_as_json(
    base: TrustedBase, search: TrustedBase, principles: Iterable[Principle], assumptions: Iterable[Claim]
) -> Json:
    """Root, files and lines, and what else a verdict rests on."""
    besides = [file for file in search.files if file not in base.files]
    return {
        "root": base.root,
        "files": _files_as_json(base.files),
        "lines": base.lines,
        "libraries": versions_of(base.modules),
        "principles": [_principle(item) for item in principles],
        "assumptions": [_claim(made) for made in assumptions],
        "kernel": {
            "root": KERNEL,
            "files": _files_as_json(trusted_base(KERNEL).files),
            "lines": trusted_base(KERNEL).lines,
        },
        "search": {
            "root": search.root,
            "files": _files_as_json(besides),
            "lines": sum(file.lines for file in besides),
        },
    }


def claim_as_json(found: ClaimTrust) -> Json:
    """What has to be read and believed of one claim."""
    made = found.judged.claim
    return {
        **_claim(made),
        "verdict": found.judged.verdict.value,
        "symbols": [{"name": one.name, "domain": str(one.domain), "meaning": one.meaning} for one in symbols_in(made)],
        "hypotheses": [statement_text(item) for item in made.given],
        "definitions": [_definition(item) for item in found.definitions],
        "assumptions": [_claim(item) for item in found.assumptions],
        "lemmas": [{**_claim(item.claim), "verdict": item.verdict.value} for item in found.lemmas],
        "steps": found.steps,
        "methods": dict(found.methods),
        "solvers": dict(found.solvers),
        "principles": [item.name for item in found.principles],
        "kernel": dict(found.kernel),
    }


def _files_as_json(files: Iterable[File]) -> list[Json]:
    return [{"path": file.path, "lines": file.lines} for file in files]


def _claim(made: Claim) -> Json:
    return {"id": made.id, "statement": statement_text(made.statement)}


def _principle(item: Principle) -> Json:
    kinds = [kind.__name__ for kind in item.kinds]
    return {
        "name": item.name,
        "sentence": item.sentence,
        "text": item.text,
        "kinds": kinds,
        "methods": list(item.methods),
    }


def _definition(made: Definition) -> str:
    return f"{made(*made.parameters)} := {expression_text(made.body)}"


def _table(files: Iterable[File]) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("lines", justify="right")
    table.add_column("file")
    for folder, inside in groupby(files, key=lambda file: file.path.rpartition("/")[0]):
        members = list(inside)
        table.add_row(f"{sum(file.lines for file in members):,}", f"{folder}/", style="bold")
        for file in members:
            table.add_row(str(file.lines), f"  {file.path.rpartition('/')[2]}")
    return table


def _show_principles(screen: Console, principles: Iterable[Principle]) -> None:
    screen.print("\nPrinciples")
    for item in principles:
        users = ", ".join((*(kind.__name__ for kind in item.kinds), *item.methods))
        screen.print(_indented(f"{item.name} ({users})"))
        screen.print(Padding(item.text, (0, 0, 0, 8), expand=False))


def _files(base: TrustedBase) -> str:
    return f"{_count(len(base.files), 'file')}, {base.lines:,} lines"


def _indented(text: str) -> Padding:
    return Padding(text, (0, 0, 0, 4), expand=False)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
