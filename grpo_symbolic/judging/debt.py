"""Mutants that are open: changes of a claim that nothing refutes and nothing shows to be implied.

A check that cannot tell them from the claim may check less than it seems to, so they are a debt. They are listed
beside the derivations, and the tests see to it that the list is exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from grpo_symbolic.derivation.result import Result
from grpo_symbolic.errors import LibraryError

NAME = "open_mutants.json"


def open_mutants(results: Iterable[Result]) -> Mapping[str, Mapping[str, str]]:
    """The open mutants by the id of their claim: name and statement of each, from the files beside some results.

    The id of a step is that of the step, and ``(printed)`` follows the id of a claim where its quote was changed.

    Raises:
        LibraryError: if a file cannot be read.
    """
    folders = dict.fromkeys(folder for result in results if (folder := result.folder) is not None)
    return {id: names for folder in folders for id, names in _read(folder / NAME).items()}


def claim_of(id: str) -> str:
    """The id of the claim to which a step or a quote belongs."""
    return id.removesuffix(" (printed)").partition(".step-")[0]


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(id): {str(name): str(text) for name, text in names.items()} for id, names in data.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError) as error:
        raise LibraryError(
            f"cannot read {path} ({error}); it maps ids of claims to their open mutants, by name and statement"
        ) from error
