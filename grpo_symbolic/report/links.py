"""Names of claims on the page: labels, references by number, and ids in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.report.sources import SourceView
from grpo_symbolic.report.tex import Tex, code, escape, paragraphs

_STEP = re.compile(r"(.+)\.step-(\d+)")


def label(id: str) -> Tex:
    """The LaTeX label of an id; all labels of the report begin with ``grpo:``."""
    return Tex("grpo:" + re.sub(r"[^A-Za-z0-9.:-]", "-", id))


@dataclass(frozen=True)
class Links:
    """What the report can refer to: the claims with these ids, the steps of their derivations, and their sources."""

    ids: frozenset[str]
    sources: Mapping[str, SourceView] = field(default_factory=dict)

    def at(self, claims: Iterable[Claim]) -> Links:
        """The same, but with the sources of some claims only."""
        return replace(self, sources={made.id: self.sources[made.id] for made in claims if made.id in self.sources})

    @cached_property
    def _slugs(self) -> dict[str, str]:
        """Ids without their papers, where that is enough to tell them apart."""
        found: dict[str, str] = {}
        twice: set[str] = set()
        for id in sorted(self.ids):
            slug = id.partition(".")[2]
            twice |= {slug} & found.keys()
            found[slug] = id
        return {slug: id for slug, id in found.items() if slug not in twice}

    def reference(self, id: str) -> Tex:
        """A link to a claim by its number, or its id alone where it is not in the report."""
        step = _STEP.fullmatch(id)
        if step and step[1] in self.ids:
            return Tex(rf"\grporef{{{label(step[1])}}}, step {step[2]}")
        return Tex(rf"\grporef{{{label(id)}}}") if id in self.ids else code(id)

    def source(self, id: str) -> SourceView | None:
        """Where a claim is stated, if that is known."""
        return self.sources.get(id)

    def target(self, id: str) -> Tex | None:
        """The label at which a claim stands, or the claim whose derivation has this step."""
        step = _STEP.fullmatch(id)
        claim = step[1] if step and step[1] in self.ids else id
        return label(claim) if claim in self.ids else None

    def prose(self, text: str) -> Tex:
        """Escaped prose in which ids are links with the numbers of their claims."""
        return escape(text, self._link)

    def title(self, text: str) -> Tex:
        """Escaped prose for a heading, where ids are in typewriter but no links."""
        return escape(text, lambda name: code(name) if self._known(name) else None)

    def paragraphs(self, text: str) -> tuple[Tex, ...]:
        """The paragraphs of prose, with links."""
        return paragraphs(text, self._link)

    def _known(self, name: str) -> str | None:
        """The id of the claim in which something is to be found."""
        step = _STEP.fullmatch(name)
        id = step[1] if step else name
        return id if id in self.ids else self._slugs.get(id)

    def _link(self, name: str) -> Tex | None:
        id, step = self._known(name), _STEP.fullmatch(name)
        if id is None:
            return None
        return self.reference(f"{id}.step-{step[2]}" if step else id)
