"""Keys by content: of a claim everything that its judgement can depend on, and nothing else.

A key is the digest of the claim as it is handed to the judge (statement, hypotheses, domains, lemmas, steps, what is
printed, the program that it is compared with), of the settings, of this package's sources from ``judging`` down, and of
the versions of Python and of the libraries. Fields are taken into the key by default; those that are prose, such as
titles and reasons, are left out by name. What cannot be looked into has no key.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from importlib import metadata
from pathlib import Path
from types import FunctionType
from typing import TypeAlias

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma, Step
from grpo_symbolic.derivation.source import Quote
from grpo_symbolic.derivation.unbuilt import Unbuilt, UnbuiltQuote
from grpo_symbolic.judging.trusted_base import trusted_base
from grpo_symbolic.language.expression import Expression

#: Changes when what a key is made of changes in a way that the sources do not tell.
_FORM = 1
_PACKAGE = Path(__file__).resolve().parents[1]
#: What of the package has no part in a judgement: what reads papers and tells of what was found.
_APART = ("api", "cache", "coverage", "readback", "reading", "referee", "report", "wording", "cli.py", "__main__.py")
#: What judging imports from elsewhere, and what these work with if it is there.
DISTRIBUTIONS = ("sympy", "mpmath", "numpy", "python-flint", "z3-solver", "cvc5", "gmpy2")
#: Fields that are for readers, or of which only other programs speak. Not the meaning of a symbol: two symbols that
#: differ in it are two.
_PROSE: Mapping[type, frozenset[str]] = {
    Claim: frozenset(
        {"id", "title", "equation", "beyond", "paper_uses", "refuted", "cites", "fills", "key", "declared_at"}
    ),
    Derivation: frozenset({"because"}),
    Step: frozenset({"reason"}),
    Quote: frozenset(
        {"where", "latex", "instead", "another_reading", "missing", "notation", "compare_with_pdf", "isolated"}
    ),
}


class OpaqueError(Exception):
    """Something of which nobody can tell whether it is the same as before."""


#: Digests of values by their ids, each with its value, so that the id is given to no other.
Known: TypeAlias = dict[int, tuple[object, bytes]]


class Digests:
    """Digests of values; what was read for them once is remembered.

    ``prose`` are fields to leave out. Digests of expressions, which have none, may be shared by ``expressions``. Lemmas
    may be looked into as far as ``lemmas`` leaves them.
    """

    def __init__(
        self,
        prose: Mapping[type, frozenset[str]],
        expressions: Known | None = None,
        lemmas: Callable[[Lemma], Lemma] = lambda lemma: lemma,
    ) -> None:
        self._prose = prose
        self._lemmas = lemmas
        self._read: dict[Path, bytes] = {}
        self._known: Known = {}
        self._modules: dict[str, bytes] = {}
        self._fields: dict[type, tuple[str, tuple[tuple[str, bytes], ...]]] = {}
        self.expressions: Known = {} if expressions is None else expressions

    def still_there(self) -> bool:
        """Whether all files that went into a digest are still what they were."""
        try:
            return all(_digest_of(path) == digest for path, digest in self._read.items())
        except OSError:
            return False

    def of(self, value: object) -> bytes:
        """The digest of a value: of its type and of all that is in it.

        Raises:
            OpaqueError: for what is no plain value, no dataclass and no function of a module.
        """
        memory = self.expressions if isinstance(value, Expression) else self._known
        known = memory.get(id(value))
        if known is None:
            known = memory[id(value)] = (value, self._found(value))
        return known[1]

    def know(self, value: object, kind: str, content: bytes) -> None:
        """Take the digest of a value from ``content``, of which two values of this kind never have the same."""
        self._known[id(value)] = (value, combined(kind, content))

    def learn(self, value: object, digest: bytes) -> None:
        """Take a digest for that of a value that is not built, so that it need not be."""
        self._known[id(value)] = (value, digest)

    def of_files(self, paths: Iterable[Path]) -> bytes:
        """The digest of files, of their names and of what is in them."""
        return combined("files", *(self._of_file(path) for path in sorted(paths)))

    def _found(self, value: object) -> bytes:
        if isinstance(value, Unbuilt | UnbuiltQuote):
            value.built()
        if isinstance(value, Lemma):
            value = self._lemmas(value)
        if type(value) in self._fields:
            return self._of_fields(value)
        match value:
            case None | bool() | int() | float() | str() | bytes():
                return _plain(value)
            case Fraction():
                return combined("fraction", _plain(value.numerator), _plain(value.denominator))
            case Enum():
                return combined("enum", _plain(type(value).__qualname__), _plain(value.name))
            case tuple():
                return combined("tuple", *map(self.of, value))
            case dict():
                return combined("dict", *map(self.of, value.items()))
            case frozenset():
                return combined("set", *sorted(map(self.of, value)))
            case FunctionType():
                return self._of_function(value)
            case partial():
                parts = (value.func, value.args, tuple(sorted(value.keywords.items())))
                return combined("partial", *map(self.of, parts))
            case _ if is_dataclass(value) and not isinstance(value, type):
                return self._of_fields(value)
        raise OpaqueError(type(value).__qualname__)

    def _of_fields(self, value: object) -> bytes:
        known = self._fields.get(type(value))
        if known is None:
            prose = self._prose.get(type(value), frozenset())
            names = [item.name for item in fields(value) if item.name not in prose]  # type: ignore[arg-type]
            kind = f"{type(value).__module__}.{type(value).__qualname__}"
            known = self._fields[type(value)] = kind, tuple((name, _plain(name)) for name in names)
        kind, named = known
        parts: list[bytes] = []
        for name, said in named:
            parts += (said, self.of(getattr(value, name)))
        return combined(kind, *parts)

    def _of_function(self, function: FunctionType) -> bytes:
        """The digest of a module's function: of its name, and of all files that the module is made of."""
        if function.__closure__ or "<" in function.__qualname__:
            raise OpaqueError(f"{function.__module__}.{function.__qualname__} is no function of a module")
        return combined("function", _plain(function.__qualname__), self._of_module(function.__module__))

    def _of_module(self, name: str) -> bytes:
        """The digest of a module's file and of those of its package that it imports, directly or indirectly."""
        if name not in self._modules:
            module = sys.modules.get(name)
            file = None if module is None else inspect.getsourcefile(module)
            if file is None:
                raise OpaqueError(f"module {name} is read from no file")
            paths = [Path(file).resolve()]
            if "." in name:
                folder = paths[0].parents[name.count(".") - 1 + (paths[0].name == "__init__.py")]
                paths += [folder.parent / item.path for item in trusted_base(name, folder).files]
                paths.append(folder / "__init__.py")
            self._modules[name] = combined("module", _plain(name), self.of_files(set(paths)))
        return self._modules[name]

    def _of_file(self, path: Path) -> bytes:
        if path not in self._read:
            self._read[path] = _digest_of(path)
        return combined("file", _plain(path.name), self._read[path])


class Contents(Digests):
    """Digests of claims and of what judges them."""

    def __init__(self, settings: Settings, expressions: Known | None = None) -> None:
        super().__init__(_PROSE, expressions)
        self._judge = combined(
            "judge", self.of_files(sources()), self.of((_FORM, *versions().items())), self.of(settings)
        )

    def key(self, claim: Claim) -> str | None:
        """The key of a claim without what is behind its lemmas, as it is handed to the judge; None if it has none."""
        digest = self.digest(claim)
        return None if digest is None else self.key_of(digest)

    def key_of(self, digest: bytes) -> str:
        """The key of a claim with this digest."""
        return combined("claim", self._judge, digest).hex()

    def digest(self, claim: Claim) -> bytes | None:
        """The digest of such a claim; None if it has none."""
        try:
            return self.of(claim)
        except OpaqueError:
            return None


def sources(package: Path = _PACKAGE, apart: Iterable[str] = _APART) -> list[Path]:
    """The files of the package that a judgement can depend on."""
    left_out = {package / name for name in apart}
    return sorted(path for path in package.rglob("*.py") if not left_out.intersection((path, *path.parents)))


def versions() -> dict[str, str | None]:
    """The versions of Python, of the machine and of the libraries; None for what is not installed."""
    found: dict[str, str | None] = {"python": sys.version, "machine": f"{sys.platform} {platform.machine()}"}
    for name in DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def installed() -> str:
    """All that is installed beside this package, with its versions, and Python itself."""
    said = [sys.version, sys.platform, platform.machine()]
    for place in sys.path:
        if Path(place).is_dir():
            said += sorted(filter(_is_installed, os.listdir(place)))
    return "\n".join(said)


def _is_installed(name: str) -> bool:
    """Whether a folder tells of something with its version; what tells none is beside sources, some put on the path."""
    stem, kind = os.path.splitext(name)
    return kind in (".dist-info", ".egg-info") and "-" in stem


def _digest_of(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _plain(value: float | str | bytes | None) -> bytes:
    return combined(type(value).__name__, value if isinstance(value, bytes) else repr(value).encode())


def combined(kind: str, *parts: bytes) -> bytes:
    """The digest of a kind and of parts, each with its length before it, so that no two lists run into one."""
    told = [kind.encode(), *parts]
    return hashlib.sha256(b"".join([piece for part in told for piece in (len(part).to_bytes(8, "big"), part)])).digest()
