"""The formulas of our own pages that nobody can read back, listed beside the derivations with the reason."""

from __future__ import annotations

import tomllib
from collections.abc import Container

from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError

#: Beside the derivations of a paper: claims with a formula that is not read back, and why, by id without the paper's.
UNREAD = "unread.toml"


def listed(library: Library, shown: Container[str]) -> dict[str, str]:
    """Why formulas of claims on the pages need not be read back, by the claim's id.

    Raises:
        LibraryError: if a file cannot be read, or has an entry for a claim that does not exist or without a reason.
    """
    places = dict.fromkeys((result.folder, result.paper.id) for result in library.results)
    found: dict[str, str] = {}
    for folder, paper in places:
        path = None if folder is None else folder / UNREAD
        if path is None or not path.is_file():
            continue
        try:
            entries = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise LibraryError(f"{path}: {error}") from error
        for slug, reason in entries.items():
            id = f"{paper}.{slug}"
            if id not in library.claims or not isinstance(reason, str) or not reason.strip():
                raise LibraryError(f"{path}: {slug} is no claim of {paper} with a reason; write 'slug' = \"reason\"")
            if id in shown:
                found[id] = reason
    return found
