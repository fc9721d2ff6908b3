"""Begin a folder of derivations with a result to change."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from grpo_symbolic.errors import LibraryError

EXAMPLE = "variance.py"


def begin(folder: Path) -> tuple[Path, ...]:
    """Write a package with one result into a folder that is new or empty, and return the files.

    Raises:
        LibraryError: if the folder has something in it, or a name that Python cannot import.
        OSError: if it cannot be written.
    """
    name = folder.resolve().name
    if not name.isidentifier():
        raise LibraryError(f"{name!r} is no name of a Python package; take letters, digits and _, such as derivations")
    if folder.exists() and any(folder.iterdir()):
        raise LibraryError(f"{folder} is not empty, and nothing in it was changed; name a new folder")
    written = folder / "__init__.py", folder / EXAMPLE
    example = (files(__package__) / "example" / EXAMPLE).read_text(encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in zip(written, ('"""What our paper claims."""\n', example), strict=True):
        path.write_text(text, encoding="utf-8")
    return written
