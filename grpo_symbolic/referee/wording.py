"""The findings in words, the same ones for every output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.referee.findings import (
    NEVER,
    NO_VALUE,
    NOT_EQUIVALENT,
    NOT_UNIQUE,
    OPEN,
    RECORDED,
    SIZES,
    STANDING,
    Finding,
    Guess,
    InstanceInWords,
    Review,
    Status,
)

#: The codes of what is refuted for a reason that is told.
_TOLD = (NOT_UNIQUE, NOT_EQUIVALENT, NO_VALUE, NEVER)
#: Most readings for other values of the indices that are shown with a finding, unless everything is.
MAX_OTHERS = 8


def headline(finding: Finding) -> str:
    """What the finding says, in one line without its place and status."""
    name = f"{finding.name} across the side that was not understood" if finding.across else finding.name
    if finding.status is Status.REFUTED:
        said = "is not an identity" if finding.relation in ("=", "\\equiv") else "does not hold"
        return f"{name} {finding.reason if finding.code in _TOLD else said}"
    reason = _local(finding)
    return f"{name}: {reason}" if reason else name


def _local(finding: Finding) -> str:
    code = f" [{finding.code}]" if finding.code and finding.status in OPEN else ""
    if finding.status in STANDING:
        return support(finding)
    return f"{finding.reason}{code}"


def details(finding: Finding, *, domains: bool = False) -> Iterator[str]:
    """The lines below the headline: how it was read, where it fails, what would repair it."""
    told = finding.status in (Status.REFUTED, Status.NOT_AN_IDENTITY, Status.UNDECIDED)
    read = finding.read
    if read is not None and (told or domains):
        yield f"read:  {_formula(read)}"
        if read.at:
            yield f"for:  {_values(read)}"
        if read.given:
            yield "given: " + ", ".join(read.given)
        yield from _others(finding, None if domains else MAX_OTHERS)
    elif read is None and finding.left:
        yield f"seen:  {finding.left}  {finding.relation}  {finding.right}".rstrip()
    point = failure(finding)
    if point:
        yield point
    if finding.repair is not None:
        yield f"repair: {finding.repair}"
    if finding.guesses and (domains or told):
        yield f"guessed: {'; '.join(_guessed(finding.guesses))}"
    elif finding.domains and (domains or told):
        yield "domains: " + ", ".join(f"{name} in {domain}" for name, domain in finding.domains)
    yield from (f"note: {note}" for note in finding.notes)
    if finding.ignored:
        yield f"ignored: {finding.ignored}"


def _others(finding: Finding, most: int | None) -> Iterator[str]:
    """How the step was read for the other values of its indices, so that nothing of the reading is left to guess."""
    others = [one for one in finding.instances if one != finding.read]
    for one in others[:most]:
        given = tuple(said for said in one.given if finding.read is None or said not in finding.read.given)
        rests = f"   (given {', '.join(given)})" if given else ""
        yield f"for {_values(one)}:  {_formula(one)}{rests}" if one.at else f"and:  {_formula(one)}{rests}"
    if most is not None and len(others) > most:
        yield f"and for {len(others) - most} more values, which --verbose shows"


def _guessed(guesses: Sequence[Guess]) -> Iterator[str]:
    """The guesses, those together for which the same speaks."""
    for domain, why in dict.fromkeys((one.domain, one.why) for one in guesses):
        names = ", ".join(one.name for one in guesses if (one.domain, one.why) == (domain, why))
        yield f"{names} ({why})" if domain is None else f"{names} in {domain} ({why})"


def _formula(read: InstanceInWords) -> str:
    return f"{read.left}  {read.relation}  {read.right}"


def _values(read: InstanceInWords) -> str:
    return ", ".join(f"{index} = {value}" for index, value in read.at)


def failure(finding: Finding) -> str:
    """Where the step fails, with both sides there and how often it does; empty if it does not."""
    witness = finding.counterexample
    if witness is None:
        return ""
    texts = [witness.left, witness.right, *(value for _, value in witness.at)]
    known = ["decimals rounded" if any("." in text for text in texts) else "exact"]
    if finding.failing is not None:
        known.append(f"fails at {finding.failing[0]} of {finding.failing[1]} points")
    at = "at " + ", ".join(f"{name} = {value}" for name, value in witness.at) if witness.at else "for all values"
    return f"{at}:   left {witness.left},  right {witness.right}   ({'; '.join(known)})"


def support(finding: Finding) -> str:
    """On what a standing step rests."""
    if finding.code == SIZES:
        return finding.reason
    if finding.status is Status.SUPPORTED:
        sampled = [item for item in finding.evidence if item.verdict is Verdict.SUPPORTED and item.digits]
        if sampled:
            worst = sampled[0]
            gap = f"; smallest gap {worst.smallest_gap}" if worst.smallest_gap else ""
            return f"{worst.note}, to {worst.digits} digits{gap}"
    # That a condition can hold is shown by a point, which decides nothing about the step.
    said = [item for item in finding.evidence if item.point is None]
    deciding = [item.method for item in said if item.verdict in (Verdict.DECIDED, Verdict.PROVED)]
    return "by " + ", ".join(dict.fromkeys(deciding)) if deciding else ""


def summary(review: Review) -> str:
    """The last line of a run."""
    told = [one for one in review.findings if not one.ignored]
    counts = Counter(one.status for one in told)
    standing = sum(counts[status] for status in STANDING)
    for_sizes = sum(one.status is Status.SUPPORTED and one.code == SIZES for one in told)
    how = [
        f"{count} {word}"
        for count, word in (
            (counts[Status.PROVED], "proved"),
            (counts[Status.DECIDED], "decided"),
            (counts[Status.SUPPORTED] - for_sizes, f"to {review.digits} digits"),
            (for_sizes, "for some sizes"),
        )
        if count
    ]
    parts = [f"{standing} {'step holds' if standing == 1 else 'steps hold'}" + (f" ({', '.join(how)})" if how else "")]
    words = {Status.BROKEN: "broken LaTeX", Status.NOT_AN_IDENTITY: "not an identity", Status.CONDITION: "conditions"}
    for status in (Status.REFUTED, Status.NOT_AN_IDENTITY, Status.UNDECIDED, Status.NOT_UNDERSTOOD, Status.BROKEN):
        if counts[status] or status in (Status.REFUTED, Status.NOT_UNDERSTOOD):
            parts.append(f"{counts[status]} {words.get(status, status.value.lower())}")
    for status in RECORDED:
        if counts[status]:
            word = "condition" if status is Status.CONDITION and counts[status] == 1 else words.get(status)
            parts.append(f"{counts[status]} {word or status.value.lower()}")
    if len(told) < len(review.findings):
        parts.append(f"{len(review.findings) - len(told)} ignored")
    return f"{review.file}: {', '.join(parts)}"


def compared(review: Review) -> Iterator[str]:
    """What a baseline says of a review: what became of its findings, and how many are new."""
    if review.since is None:
        return
    yield from (f"since {review.since.name}: {said}" for said in review.since.gone)
    known = sum(one.known for one in review.findings)
    new = sum(one.counts and one.status not in (*STANDING, *RECORDED) for one in review.findings)
    yield f"{known} known from {review.since.name}, {new} new"


def closing(review: Review, *, allow_unchecked: bool = False) -> str:
    """Why the run does not count as complete; empty if it does, or if mistakes speak for themselves."""
    if not review.findings:
        return "no step was found, so nothing was checked"
    counts = Counter(one.status for one in review.findings if one.counts)
    if review.proposed and not (review.since is not None and review.since.proposed):
        return (
            f"no notation was declared: every domain above is a guess, and nothing is refuted; write them down with "
            f"grpo-symbolic init {review.file}, correct them, and check again"
        )
    failing = counts[Status.NOT_AN_IDENTITY]
    if failing and not counts[Status.REFUTED]:
        return f"{failing} {'fails' if failing == 1 else 'fail'}, unless the map says what else is meant"
    unchecked = counts[Status.UNDECIDED] + counts[Status.NOT_UNDERSTOOD]
    if unchecked and not allow_unchecked:
        return f"{unchecked} seen and not settled; --allow-unchecked accepts that"
    if review.problems and not unchecked and not allow_unchecked:
        return "some of the paper could not be followed; --allow-unchecked accepts that"
    return ""
