"""Ids that claims had before, so that links to them still lead somewhere."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from grpo_symbolic.derivation.library import Library
from grpo_symbolic.errors import LibraryError

#: Beside the derivations about a paper: a table ``[renamed]`` of old ids and what the claims are called now.
NAME = "renamed.toml"


def renamed(library: Library) -> Mapping[str, str]:
    """Former ids of claims with their present ones.

    Raises:
        LibraryError: if a file cannot be read, or a former id leads to no claim, or is still that of one.
    """
    found: dict[str, str] = {}
    for folder in dict.fromkeys(result.folder for result in library.results):
        if folder is None or not (folder / NAME).is_file():
            continue
        path = folder / NAME
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8")).get("renamed", {})
        except tomllib.TOMLDecodeError as error:
            raise LibraryError(f"{path}: {error}") from error
        for old, new in table.items():
            if old in library.claims:
                raise LibraryError(f"{path}: {old} is still the id of a claim; drop the entry")
            if new not in library.claims:
                raise LibraryError(f"{path}: {old} leads to {new!r}, which is no claim; name one that exists")
            found[old] = new
    return found
