"""Files that are what they were: making a thousand files takes longer than all that stands in them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write(path: Path, text: str, before: Path | None = None) -> None:
    """Write a new file; one with the same content that is there ``before`` is the same file under another name.

    Raises:
        OSError: if it cannot be written.
    """
    content = text.encode("utf-8")
    if before is not None:
        with suppress(OSError):  # there is none, or the file system knows no other names
            os.link(before, path)
            # Not looked at before: another process may put another file there meanwhile.
            if path.read_bytes() == content:
                return
            path.unlink()
    path.write_bytes(content)
