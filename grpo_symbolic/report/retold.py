"""Say again, word for word, what a command printed before, where nothing that this can depend on has changed.

A text is kept under a key of what was asked, of the screen that it was made for, and of the ingredients of a report on
the same folder: the files of the derivations, this package, and everything installed. Files that the derivations import
from elsewhere are compared when the text is asked for. What was left open is not kept: another time more may be found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grpo_symbolic.report.unchanged import Ingredients, are_still, elsewhere

if TYPE_CHECKING:
    from rich.console import Console

    from grpo_symbolic.cache.store import Store

_KIND = "told"


@dataclass(frozen=True)
class Answer:
    """What a command has to say: ``show`` prints it, ``code`` is its exit code; ``lasting`` if it may be kept."""

    show: Callable[[], object]
    code: int = 0
    lasting: bool = True


@dataclass(frozen=True)
class Question:
    """What is asked of derivations, and of the texts of papers: the command with everything that it was given."""

    folder: Path
    asked: Sequence[object]
    papers: Path | None = None


def tell(store: Store | None, question: Question, screen: Console, answer: Callable[[], Answer]) -> int:
    """Print what was printed of the same before, or else the answer, which is found now; return the exit code."""
    if store is None or screen.legacy_windows:
        found = answer()
        found.show()
        return found.code
    before = Ingredients.of(question.folder, question.papers)
    key = _key(question, screen, before)
    match store.get(_KIND, key):
        case {"text": str() as text, "code": int() as code, "elsewhere": dict() as further} if are_still(further):
            _print(screen, text)
            return code
    found = answer()
    with screen.capture() as captured:
        found.show()
    text = captured.get()
    _print(screen, text)
    if found.lasting and Ingredients.of(question.folder, question.papers) == before:
        store.put(_KIND, key, {"text": text, "code": found.code, "elsewhere": {**elsewhere(question.folder)}})
    return found.code


def _print(screen: Console, text: str) -> None:
    screen.file.write(text)
    screen.file.flush()


def _key(question: Question, screen: Console, now: Ingredients) -> str:
    shape = (screen.width, screen.height, screen.is_terminal, screen.color_system, screen.encoding)
    # Places are told as they were named, relative to where one is.
    paths = (str(question.folder), str(question.folder.resolve()), str(Path.cwd()), str(question.papers))
    said = repr((*question.asked, paths, shape, sorted(now.files.items()), now.surroundings))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
