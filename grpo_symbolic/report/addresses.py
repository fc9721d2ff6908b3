"""Templates of addresses at which the derivations can be read."""

from __future__ import annotations

import re

from grpo_symbolic.errors import LibraryError

_FIELD = re.compile(r"\{(\w*)\}|[{}]")
_ADDRESS = re.compile(r"https?://[^\s\"'<>\\^`|]+")
_EXAMPLE = "https://example.org/repository/blob/main/{path}#L{line}"


def checked_template(template: str) -> str:
    """A template of addresses, in which ``{path}`` and ``{line}`` stand for those of a claim.

    Raises:
        LibraryError: if it is no address in the web, has no ``{path}``, or has braces around anything else.
    """
    if not _ADDRESS.fullmatch(template):
        raise LibraryError(f"--source-url {template}: this is no address; write one such as {_EXAMPLE}")
    fields = {found[1] for found in _FIELD.finditer(template)}
    if "path" not in fields or not fields <= {"path", "line"}:
        raise LibraryError(f"--source-url {template}: write {{path}}, and {{line}} if you like, as in {_EXAMPLE}")
    return template
