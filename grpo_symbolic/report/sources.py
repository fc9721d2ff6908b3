"""Where claims are stated: the file and line of their derivations, and where these can be read."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from grpo_symbolic.report.tex import Tex, code

if TYPE_CHECKING:
    from grpo_symbolic.derivation.chain import Claim
    from grpo_symbolic.derivation.library import Library
    from grpo_symbolic.derivation.result import Result

_IN_ADDRESS = re.compile(r"([#%&])")


@dataclass(frozen=True)
class SourceView:
    """A place such as ``derivations/paper/result.py:12``, and the address at which it can be read, if there is one."""

    place: str
    address: str | None

    @property
    def file(self) -> str:
        """The place without the line."""
        return self.place.rpartition(":")[0]

    @property
    def line(self) -> str:
        """The number of the line."""
        return self.place.rpartition(":")[2]

    @property
    def text(self) -> Tex:
        """The place in typewriter."""
        return code(self.place)

    @property
    def linked(self) -> Tex:
        """The place in typewriter, as a link if it has an address."""
        if self.address is None:
            return self.text
        escaped = _IN_ADDRESS.sub(r"\\\1", self.address)
        return Tex(rf"\grposource{{{escaped}}}{{{self.text}}}")


def sources(library: Library, template: str | None) -> dict[str, SourceView]:
    """Where each claim of a library is stated, by its id; ``template`` makes addresses of the places.

    Paths begin with the folder of derivations. A claim that was made elsewhere, in no file of that folder, is left out.
    """
    found: dict[str, SourceView] = {}
    for result in library.results:
        for made in result.claims:
            path, line = _file(result, made), made.declared_at.rpartition(":")[2]
            if path is not None:
                address = None if template is None else _address(template, path, line)
                found[made.id] = SourceView(f"{path}:{line}", address)
    return found


def _address(template: str, path: PurePosixPath, line: str) -> str:
    return template.replace("{path}", quote(str(path))).replace("{line}", line)


def _file(result: Result, made: Claim) -> PurePosixPath | None:
    """The file in which a claim is made: that of its result, or one of the same name in the folder of derivations."""
    name, _, line = made.declared_at.rpartition(":")
    if not line.isdecimal():
        return None
    own = _path(result.module)
    if own is not None and own.name == name:
        return own
    package = result.module.partition(".")[0] + "."
    others = {path for module in list(sys.modules) if module.startswith(package) and (path := _path(module))}
    named = [path for path in others if path.name == name]
    return named[0] if len(named) == 1 else None


def _path(module: str) -> PurePosixPath | None:
    """The file of a module, from the folder of its first package on."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return None
    path = Path(file)
    depth = module.count(".") + (2 if path.name == "__init__.py" else 1)
    return PurePosixPath(*path.parts[-depth:])
