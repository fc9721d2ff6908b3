"""Judge again what is kept before a build begins whose turn it is: nobody waits for it then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.keeping import kept_by
from grpo_symbolic.derivation.library import load, make_importable
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.digested import Digested
from grpo_symbolic.judging.fragments import Fragments, FragmentsOfDerivations
from grpo_symbolic.judging.judges import judges
from grpo_symbolic.judging.kept import Judgements, Kept
from grpo_symbolic.processes.crew import Errand
from grpo_symbolic.processes.tasks import Tell

#: So many jobs are not done in this process; there is only one.
_APART = 2


@contextmanager
def judging_ahead(
    folder: Path, settings: Settings, cache: Path, only: tuple[str, ...] = ()
) -> Iterator[Callable[[], Mapping[str, Judgements]]]:
    """Begin to judge again the claims in ``folder`` whose turn it is in the next run with this ``cache``.

    What is given ends that and says what was found, by contents: nothing if there was no time for it, or anything went
    wrong. A process of its own does it, which reads the derivations as they are now; this one does not. Nothing of it
    is seen, and nothing is written into the cache.

    Raises:
        CheckError: if no process can be started.
    """
    errand = Errand(partial(_judged, settings, cache, only), folder)
    try:
        yield lambda: errand.end() or {}
    finally:
        errand.end()


def _judged(settings: Settings, cache: Path, only: tuple[str, ...], folder: Path, tell: Tell) -> dict[str, Judgements]:
    """What is found of the claims whose turn it is in the next run, by their contents."""
    make_importable(folder)
    with Store(cache, only_look=True) as store, kept_by(FragmentsOfDerivations(store)):
        library = load(folder)
        selected = library.select(only) if only else library.claims.keys()
        digested = Digested(library, Fragments(store))
        claims = {id: bare(claim) for id, claim in library.claims.items() if id in selected}
        kept = Kept(store, settings, claims.values(), digested.fragments.expressions, digested.judged, ahead=True)
        due = {key: claims[id] for id in claims if id in kept.due and (key := kept.key(id)) is not None}
    # Modules of derivations may change what belongs to others: who judges has not imported them, as in a build.
    with judges(settings, jobs=_APART) as who:
        return {**who.again(due)()}
