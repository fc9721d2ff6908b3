"""Printed = checked: every formula of the finished pages is read back and compared with what it was printed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeAlias, cast

from grpo_symbolic.cache.store import Json
from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.errors import ReportError
from grpo_symbolic.judging.fragments import Fragments
from grpo_symbolic.language.composites import Summed
from grpo_symbolic.language.expression import Definition, Expression
from grpo_symbolic.language.statement import Statement, is_elementary
from grpo_symbolic.readback.printed import AGREES, Outcome, read_back
from grpo_symbolic.readback.unread import UNREAD
from grpo_symbolic.report.apart import Apart
from grpo_symbolic.report.claims import ClaimView
from grpo_symbolic.report.links import label
from grpo_symbolic.report.sections import ChapterView, ResultView, definitions_of
from grpo_symbolic.report.tex import braced
from grpo_symbolic.translate.latex import Maths, expression_latex, sentence, statement_latex
from grpo_symbolic.translate.text import expression_text, statement_text

_Subject: TypeAlias = Statement | Expression


_NOT_THERE = Outcome("differs", "the page does not show this formula")


@dataclass(frozen=True)
class Unread:
    """A formula that the reader's grammar does not cover: the claim it belongs to, and why."""

    id: str
    reason: str


@dataclass(frozen=True)
class ReadBack:
    """What reading the pages back found; each formula counts once in every form in which it is set.

    ``sentences`` is how many statements are said in words, of which only the formulas were read.
    """

    relations: int
    agree: int
    sentences: int
    not_read: tuple[Unread, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The object ``read_back`` of ``results.json``."""
        return {
            "relations": self.relations,
            "agree": self.agree,
            "sentences": self.sentences,
            "not_read": [{"id": item.id, "reason": item.reason} for item in self.not_read],
        }


class Paged(Protocol):
    """A view whose pages are read back."""

    @property
    def chapters(self) -> Sequence[ChapterView]:
        """The results on the pages, by chapter."""


@dataclass(frozen=True)
class _Printed:
    """A formula on the page, in all its forms, and what it was printed from."""

    id: str
    where: str
    forms: tuple[str, ...]
    subject: _Subject


def read_report_back(
    view: Paged,
    claims: Mapping[str, Claim],
    page: str,
    listed: Mapping[str, str] = MappingProxyType({}),
    fragments: Fragments | None = None,
) -> ReadBack:
    """Read back the hypotheses, statements, derivations, definitions and errata on a ``page`` made from a view.

    ``listed`` says why formulas of some claims cannot be read back. What was read from the same formula in an earlier
    run, and agreed, may be kept in ``fragments``.

    Raises:
        ReportError: if a formula is not on the page, or reads as something else than it was printed from, with both
            readings; if one was not read back and its claim is not listed; if all of a listed one were.
    """
    fragments = Fragments(None) if fragments is None else fragments
    results = [result for chapter in view.chapters for result in chapter.results]
    labelled, known = _labelled(claims), dict[tuple[str, _Subject], Outcome]()
    readings = []
    for result, part in zip(results, _parts(page, results), strict=True):
        own = tuple(labelled[str(shown.label)] for shown in result.claims)
        make = partial(_read_result, result, _Reader(labelled, part, fragments, known))
        readings.append(fragments.kept("page", (result, own, part), make, _kept_reading, _same_reading))
    wrong = [line for reading in readings for line in reading.wrong]
    if wrong:
        raise ReportError("printed is not checked:\n" + "\n".join(wrong))
    unread = tuple(item for reading in readings for item in reading.unread)
    _check_listed(unread, listed)
    relations, agree, sentences = (sum(reading.counts[place] for reading in readings) for place in range(3))
    return ReadBack(relations, agree, sentences, unread)


@dataclass(frozen=True)
class _Reading:
    """What reading one result found: how many relations, those that agree, and sentences; and what was not read."""

    counts: tuple[int, int, int]
    unread: tuple[Unread, ...] = ()
    wrong: tuple[str, ...] = ()


def _read_result(result: ResultView, reader: _Reader) -> _Reading:
    reader.result(result)
    counts = reader.relations, reader.agree, reader.sentences
    return _Reading(counts, tuple(reader.unread), tuple(reader.wrong))


def _kept_reading(reading: _Reading) -> Json:
    """Only that all was read and agrees is kept."""
    return None if reading.unread or reading.wrong else [*reading.counts]


def _same_reading(value: Json) -> _Reading:
    relations, agree, sentences = cast("list[int]", value)
    return _Reading((relations, agree, sentences))


def _parts(page: str, results: Sequence[ResultView]) -> list[str]:
    """What a page has of each result: from its label to that of the next; all of it where there is no such label."""
    begins = [page.find(rf"\label{{{result.label}}}") for result in results]
    ends = [*begins[1:], len(page)][: len(begins)]
    return [page[begin:end] if 0 <= begin < end else page for begin, end in zip(begins, ends, strict=True)]


def said_by(view: Paged, claims: Mapping[str, Claim], kept: Apart | None = None) -> dict[str, str]:
    """What the formulas of a view say in plain text, by their LaTeX; what stands for several things is left out.

    What those of a result say may be ``kept``, by its label.
    """
    labelled, heard = _labelled(claims), dict[str, set[str]]()
    for chapter in view.chapters:
        for result in chapter.results:
            for form, texts in _heard(result, labelled, kept).items():
                heard.setdefault(form, set()).update(texts)
    return {form: texts.pop() for form, texts in heard.items() if len(texts) == 1}


def _heard(result: ResultView, labelled: Mapping[str, Claim], kept: Apart | None) -> Mapping[str, Sequence[str]]:
    known = None if kept is None else kept.get(result.label)
    if isinstance(known, dict):
        return cast("dict[str, list[str]]", known)
    listener = _Listener(labelled, "", Fragments(None))
    listener.result(result)
    made = {form: sorted(texts) for form, texts in listener.heard.items()}
    if kept is not None:
        kept.add(result.label, {form: [*texts] for form, texts in made.items()})
    return made


def _labelled(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    return {label(id): made for id, made in claims.items()}


def _check_listed(unread: Sequence[Unread], listed: Mapping[str, str]) -> None:
    """Refuse formulas that were not read back and are not listed, and entries of the list that are not needed."""
    reasons = {item.id: item.reason for item in unread}
    strange = [
        f"{id}: {reason}; print it otherwise, or list it in {UNREAD}"
        for id, reason in reasons.items()
        if id not in listed
    ]
    strange += [f"{id} is listed in {UNREAD}, but was read; drop the entry" for id in listed if id not in reasons]
    if strange:
        raise ReportError("what is printed was not read back as listed:\n" + "\n".join(strange))


class _Reader:
    """Reads result by result and keeps count."""

    def __init__(
        self,
        claims: Mapping[str, Claim],
        page: str,
        fragments: Fragments,
        known: dict[tuple[str, _Subject], Outcome] | None = None,
    ) -> None:
        self._fragments = fragments
        self.claims = claims
        self.page = page
        self.relations = self.agree = self.sentences = 0
        self.unread: list[Unread] = []
        self.wrong: list[str] = []
        self._known = {} if known is None else known

    def result(self, result: ResultView) -> None:
        """Read a result: the definitions at its beginning, then its claims."""
        claims = [self.claims[str(shown.label)] for shown in result.claims]
        place = claims[0].id.rpartition(".")[0]
        for tex, definition in zip(result.definitions, definitions_of(claims), strict=True):
            self._definition(place, tex, definition)
        for shown, made in zip(result.claims, claims, strict=True):
            self._claim(shown, made)

    def _definition(self, id: str, tex: str, definition: Definition) -> None:
        name = definition(*definition.parameters)
        head = rf"{expression_latex(name)} \mathrel{{:=}} "
        for form in _forms(tex):
            one = form.removeprefix(r"\begin{aligned}[t]&")
            if not one.startswith(head):
                self.wrong.append(f"{id}, definition of {definition.name}: {form} does not begin with {head}")
                continue
            self._read(_Printed(id, f"definition of {definition.name}", (one.removeprefix(head),), definition.body))

    def _claim(self, shown: ClaimView, made: Claim) -> None:
        self._prose(made.id, "given", shown.given, made.given)
        if shown.statement is not None:
            self._line(made.id, "claim", shown.statement.formula or shown.statement.sentence or "", made.statement)
        if made.derivation is not None and shown.start is not None:
            self._line(made.id, "start", shown.start, made.derivation.start)
            for number, (line, step) in enumerate(zip(shown.steps, made.derivation.steps, strict=True), start=1):
                to = step.to.conclusion if isinstance(step.to, Summed) else step.to
                self._line(made.id, f"step {number}", line.formula, to)
        if shown.erratum is not None and made.printed is not None:
            quote = made.printed
            self._prose(made.id, "erratum", shown.erratum.reading, (quote.statement, *quote.given))

    def _line(self, id: str, where: str, tex: str, subject: _Subject) -> None:
        if isinstance(subject, Statement) and not is_elementary(subject):
            self._prose(id, where, tex, (subject,))
        else:
            self._read(_Printed(id, where, tuple(_forms(tex)), subject))

    def _prose(self, id: str, where: str, tex: str, statements: Sequence[Statement]) -> None:
        """Read the formulas in a sentence; finished LaTeX, such as the domain of a symbol, is not ours to read."""
        phrases = [part for statement in statements for part in sentence(statement) if not isinstance(part, str)]
        self.sentences += sum(not is_elementary(statement) for statement in statements)
        found = list(_mathematics(tex))
        if len(found) != len(phrases):
            self.wrong.append(f"{id}, {where}: {len(found)} formulas on the page, {len(phrases)} were printed")
            return
        for forms, phrase in zip(found, phrases, strict=True):
            if not isinstance(phrase, Maths):
                self._read(_Printed(id, where, forms, phrase))

    def _read(self, printed: _Printed) -> None:
        for form in printed.forms:
            key = (form, printed.subject)
            if form not in self.page:
                outcome = _NOT_THERE
            else:
                if key not in self._known:
                    self._known[key] = self._found(form, printed.subject)
                outcome = self._known[key]
            self.relations += 1
            if outcome.status == "agrees":
                self.agree += 1
            elif outcome.status == "not read":
                self.unread.append(Unread(printed.id, outcome.reason))
            else:
                self.wrong.append(
                    f"{printed.id}, {printed.where}: {outcome.reason}\n  printed: {form}\n  read: {outcome.read}\n"
                    f"  from: {_latex(printed.subject)}"
                )

    def _found(self, form: str, subject: _Subject) -> Outcome:
        """What is read; only that it agrees is kept."""
        return self._fragments.kept(
            "readback",
            (form, subject),
            partial(read_back, form, subject),
            lambda outcome: True if outcome == AGREES else None,
            lambda kept: AGREES,
        )


class _Listener(_Reader):
    """Goes the same way, but only hears what each formula says."""

    def __init__(self, claims: Mapping[str, Claim], page: str, fragments: Fragments) -> None:
        super().__init__(claims, page, fragments)
        self.heard: dict[str, set[str]] = {}

    def _read(self, printed: _Printed) -> None:
        text = _text(printed.subject)
        for form in printed.forms:
            self.heard.setdefault(form, set()).add(text)


def _latex(subject: _Subject) -> str:
    return expression_latex(subject) if isinstance(subject, Expression) else statement_latex(subject)


def _text(subject: _Subject) -> str:
    return expression_text(subject) if isinstance(subject, Expression) else statement_text(subject)


def _mathematics(tex: str) -> Iterator[tuple[str, ...]]:
    r"""The formulas in a sentence: ``$...$`` and ``\grpophrase{...}{...}``."""
    position = 0
    while position < len(tex):
        if tex.startswith(r"\grpophrase{", position):
            inline, middle = braced(tex, position + len(r"\grpophrase"))
            displayed, position = braced(tex, middle)
            yield (inline, *_forms(displayed))
        elif tex[position] == "$":
            end = tex.index("$", position + 1)
            yield (tex[position + 1 : end],)
            position = end + 1
        else:
            position += 2 if tex[position] == "\\" else 1


def _forms(tex: str) -> Iterator[str]:
    r"""The forms of a display, which ``\grpopick`` and ``\grpofit`` hold."""
    while tex.startswith(r"\grpopick"):
        form, middle = braced(tex, len(r"\grpopick"))
        yield form
        tex, _ = braced(tex, middle)
    if not tex.startswith(r"\grpofit"):
        raise ReportError(f"a display without forms: {tex}")
    yield braced(tex, len(r"\grpofit"))[0]
