"""Load a folder of derivations into an immutable library: results in reading order, claims in dependency order."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.declaring import check_declared
from grpo_symbolic.derivation.hypotheses import FILE, Hypotheses, read_hypotheses, texts_of
from grpo_symbolic.derivation.keeping import keeper
from grpo_symbolic.derivation.modules import Broken, modules, results_in, results_of, told
from grpo_symbolic.derivation.naming import meant
from grpo_symbolic.derivation.origins import Origin, Origins, sources_in
from grpo_symbolic.derivation.remembered import recall, remember
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.derivation.unbuilt import Unbuilt
from grpo_symbolic.errors import DeclarationError, LibraryError


@dataclass(frozen=True)
class Chapter:
    """Results of one paper that belong together, such as everything about Eq. (14)."""

    title: str
    results: tuple[Result, ...]

    @property
    def slug(self) -> str:
        """The title in lower case with hyphens, for ``--only``."""
        return "-".join("".join(letter if letter.isalnum() else " " for letter in self.title.lower()).split())


@dataclass(frozen=True)
class Library:
    """Results and all their claims, steps of derivations included.

    ``origins`` are what modules of results are made of, as far as that is known.
    """

    results: tuple[Result, ...]
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The results in chapters, in reading order; a result that no chapter names is one of its own."""
        grouped: dict[tuple[str, str], list[Result]] = {}
        for result in self.results:
            grouped.setdefault((result.paper.id, _chapter_title(result)), []).append(result)
        return tuple(Chapter(title, tuple(results)) for (_, title), results in grouped.items())

    @cached_property
    def claims_of(self) -> Mapping[str, tuple[Claim, ...]]:
        """The claims of each result's module in reading order, each preceded by the steps it rests on."""
        return {
            result.module: tuple(item for made in result.claims for item in (*made.steps, made))
            for result in self.results
        }

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """All claims by id.

        Raises:
            LibraryError: if two claims share an id (both places are named), an id names another paper, a claim uses
                another one than the library has under that id, or it says that the paper concludes it from a claim
                that does not exist, from itself, or from a printed statement from which the paper is said to
                conclude nothing.
            DeclarationError: for a claim that ``check_declared`` refuses, however it was made.
        """
        found: dict[str, Claim] = {}
        modules: dict[str, str] = {}
        for result in self.results:
            for made in self.claims_of[result.module]:
                if made.id in found:
                    other = found[made.id].declared_at
                    raise LibraryError(f"id {made.id} is used twice: at {other} and at {made.declared_at}; rename one")
                if not made.id.startswith(result.paper.id + "."):
                    raise LibraryError(f"{made.declared_at}: id {made.id} does not begin with {result.paper.id}.")
                found[made.id] = made
                modules[made.id] = result.module
            for made in result.claims:
                if not isinstance(made, Unbuilt):
                    check_declared(made)
        for made in found.values():
            _check_supports(made, found, modules)
            for other in made.paper_uses:
                if other not in found or other == made.id:
                    raise LibraryError(f"{made.declared_at}: paper_uses of {made.id} names {other}, no other claim")
                quote = found[other].printed
                if quote is not None and quote.isolated:
                    raise LibraryError(
                        f"{made.declared_at}: paper_uses of {made.id} names {other}, from which the paper is said to "
                        "conclude nothing"
                    )
        return found

    def since(self, made: Claim) -> tuple[str, ...]:
        """The ids that a claim rests on: the steps of its derivation, the claims it uses as lemmas, and those that show
        what it supposes.
        """
        table = self.hypotheses.get(made.id.partition(".")[0])
        shown = () if table is None else table.showing(made, texts_of(made))
        return tuple(dict.fromkeys((*made.supports, *(id for id in shown if id != made.id))))

    @cached_property
    def hypotheses(self) -> Mapping[str, Hypotheses]:
        """What the equations among hypotheses are, by the ids of the papers that have a table of it.

        Raises:
            LibraryError: if a file is no such table, or names a claim that does not exist.
        """
        folders = dict.fromkeys((result.paper.id, result.folder) for result in self.results)
        paths = {paper: folder / FILE for paper, folder in folders if folder is not None}
        found = {paper: read_hypotheses(path) for paper, path in paths.items() if path.is_file()}
        for paper, table in found.items():
            for slug in {slug for slugs in table.shown.values() for slug in slugs}:
                if f"{paper}.{slug}" not in self.claims:
                    raise LibraryError(f"{paths[paper]}: there is no claim {slug} of {paper}")
        return found

    @cached_property
    def ordered(self) -> tuple[tuple[Claim, tuple[str, ...]], ...]:
        """Claims with what they rest on, each after everything it rests on.

        Raises:
            LibraryError: for an unknown id in ``since``, or if a hypothesis is shown by what rests on it.
        """
        graph = {id: self.since(made) for id, made in self.claims.items()}
        for id, since in graph.items():
            for other in since:
                if other not in graph:
                    raise LibraryError(
                        f"{self.claims[id].declared_at}: {id} rests on {other}, which is in no loaded derivation; "
                        "let its result yield that claim"
                    )
        try:
            # Only what hypotheses are shown by can close a circle: no value contains itself.
            return tuple((self.claims[id], graph[id]) for id in TopologicalSorter(graph).static_order())
        except CycleError as error:
            circle = ", ".join(error.args[1])
            raise LibraryError(f"in {FILE} a hypothesis is shown by what rests on it: {circle}") from error

    def result_of(self, id: str) -> Result:
        """The result that a claim belongs to."""
        for result in self.results:
            if any(made.id == id for made in self.claims_of[result.module]):
                return result
        raise LibraryError(f"no claim {id}; `grpo-symbolic list` shows all")

    def select(self, names: Iterable[str]) -> frozenset[str]:
        """The ids meant by ids, id prefixes at a dot, slugs, names of results or chapters; with what they rest on.

        Raises:
            LibraryError: if a name matches nothing.
        """
        chosen = set(self.named(names))
        waiting = list(chosen)
        while waiting:
            for id in self.since(self.claims[waiting.pop()]):
                if id not in chosen:
                    chosen.add(id)
                    waiting.append(id)
        return frozenset(chosen)

    def named(self, names: Iterable[str]) -> frozenset[str]:
        """The ids meant by names as in ``select``, without what they rest on.

        Raises:
            LibraryError: if a name matches nothing.
        """
        chosen: set[str] = set()
        for name in names:
            matches = {id for id in self.claims if _matches(id, name)}
            for chapter in self.chapters:
                for result in chapter.results:
                    if name in (result.slug, result.paper.id, f"{result.paper.id}.{result.slug}", chapter.slug):
                        matches |= {made.id for made in self.claims_of[result.module]}
            if not matches:
                hint = meant(name, self._names())
                raise LibraryError(f"nothing is called {name!r}{hint}; `grpo-symbolic list` shows ids and results")
            chosen |= matches
        return frozenset(chosen)

    def _names(self) -> Iterable[str]:
        """All names that ``named`` knows, apart from beginnings of ids."""
        for chapter in self.chapters:
            yield chapter.slug
            for result in chapter.results:
                yield from (result.slug, result.paper.id)
                yield from (name for made in result.claims for name in (made.id.partition(".")[2], made.id))


def _check_supports(made: Claim, found: Mapping[str, Claim], modules: Mapping[str, str]) -> None:
    """Refuse a lemma likewise of a claim that may be remembered.

    When it was, its lemmas were those of the library, and modules that are the same make the same claims.
    """
    if not isinstance(made, Unbuilt):
        _check_lemmas(made, found)
    elif all(modules.get(id) in made.modules for id in made.supports):
        made.confirm(found)
    else:
        _check_lemmas(made.built(), found)


def _check_lemmas(made: Claim, found: Mapping[str, Claim]) -> None:
    """Refuse a lemma from a claim that only shares its id with one of the library."""
    for lemma in made.using:
        used, own = lemma.claim, found.get(lemma.claim.id)
        if own is None or own == used:
            continue
        names = [field.name for field in fields(Claim) if field.compare]
        differing = [name for name in names if getattr(own, name) != getattr(used, name)]
        shown = f": {used.statement} against {own.statement}" if "statement" in differing else ""
        raise LibraryError(
            f"{made.declared_at}: {made.id} uses a claim {used.id} made at {used.declared_at} that is not the one of "
            f"the library, made at {own.declared_at}; they differ in {', '.join(differing)}{shown}; use the claim that "
            "its result yields, or give this one an id of its own"
        )


def _matches(id: str, name: str) -> bool:
    slug = id.split(".", 1)[1]
    return name in (id, slug) or id.startswith(name + ".") or slug.startswith(name + ".")


def make_importable(folder: Path) -> None:
    """Have Python find a package folder by its name, in this process and in those that it starts from now on."""
    parent = str(folder.resolve().parent)
    if parent not in sys.path:
        sys.path.insert(0, parent)


def load(folder: str | Path, *, broken: list[Broken] | None = None) -> Library:
    """Load every module of a package folder and collect the Results defined at module level.

    A package may name the order of its modules in ``contents``, a tuple, or a dictionary from the titles of
    chapters to such tuples; modules that it does not name follow by name. With a list ``broken``, what cannot be used
    is put there, and left out with whatever rests on it.

    Raises:
        LibraryError: if the folder is no package, a module does not import, or ids clash; all modules that are broken
            are named.
    """
    if not isinstance(folder, str | Path):
        raise LibraryError(f"a folder of derivations is named by its path, and {folder!r} is none")
    path = Path(folder).resolve()
    if not (path / "__init__.py").is_file():
        raise LibraryError(f"{folder} is not a folder of derivations: it has no __init__.py")
    make_importable(path)
    found: list[Broken] = []
    before = frozenset[str]() if keeper() is None else sources_in(path)
    imported = list(modules(path.name, path, found))
    origins = _recalled(path, imported, before)
    results = tuple(result for module in imported for result in results_of(module, path, found))
    if broken is None and found:
        raise LibraryError(told(found))
    if broken is not None:
        results = _standing_alone(results, found)
        broken += found
    if not results and not found:
        raise LibraryError(
            f"{folder} defines no result; a module of it needs `result = Result(title, paper, derivation)`, as the "
            "example of the README shows"
        )
    library = Library(results, origins)
    try:
        library.claims  # noqa: B018 - builds every claim, so that errors appear here with file and line
        library.ordered  # noqa: B018
    except DeclarationError as error:
        raise LibraryError(str(error)) from error
    for module in imported:
        if module.__name__ in origins and not found:
            remember(results_in(module), origins[module.__name__])
    return library


def _recalled(folder: Path, imported: Iterable[ModuleType], before: frozenset[str]) -> dict[str, Origin]:
    """What the modules of results are made of, as far as that is known; claims are recalled, where they are remembered.

    This comes before any claim is built, because those that are may use others. Of a module it has to be known that
    its source did not change while it was imported: it was among those ``before``, and is read again here.
    """
    if keeper() is None:
        return {}
    origins = Origins(folder)
    made = {module.__name__: results_in(module) for module in imported}
    known = ((name, origins.of(name)) for name, results in made.items() if results)
    found = {
        name: origin
        for name, origin in known
        if origin is not None and before.issuperset(digest for _, digest in origin)
    }
    for name, origin in found.items():
        recall(made[name], origin)
    return found


def _standing_alone(results: tuple[Result, ...], broken: list[Broken]) -> tuple[Result, ...]:
    """The results without those that rest on claims of what is broken, however indirectly."""
    while True:
        known = {other.id for result in results for made in result.claims for other in (*made.steps, made)}
        left = tuple(result for result in results if not (_rests_on(result) - known))
        if len(left) == len(results):
            return left
        for result in results:
            missing = sorted(_rests_on(result) - known)
            if missing:
                error = LibraryError(f"{result.module} rests on {', '.join(missing)}, which was left out")
                broken.append(Broken(result.module, error, None))
        results = left


def _rests_on(result: Result) -> set[str]:
    return {id for made in result.claims for part in (*made.steps, made) for id in part.supports}


def _chapter_title(result: Result) -> str:
    package = sys.modules.get(result.module.rpartition(".")[0])
    contents = getattr(package, "contents", ())
    if isinstance(contents, Mapping):
        for title, modules in contents.items():
            if result.slug in modules:
                return str(title)
    return result.title
