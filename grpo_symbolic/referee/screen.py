"""The findings on a terminal, with colours where it has them."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from grpo_symbolic.referee.findings import OPEN, RECORDED, STANDING, Finding, Review, Status
from grpo_symbolic.referee.wording import closing, compared, details, headline, summary

_STYLES = {
    Status.REFUTED: "bold red",
    Status.BROKEN: "bold red",
    Status.NOT_AN_IDENTITY: "yellow",
    Status.UNDECIDED: "yellow",
    Status.NOT_UNDERSTOOD: "yellow",
}


def show(screen: Console, review: Review, *, verbose: bool = False, allow_unchecked: bool = False) -> None:
    """Print what is wrong or open, and the summary; with ``verbose`` also what holds."""
    for warning in review.warnings:
        screen.print(printable(f"map: {warning}"), soft_wrap=True)
    for problem in review.problems:
        screen.print(printable(f"not followed: {problem}"), soft_wrap=True)
    for finding in review.findings:
        if finding.known and not verbose:
            continue
        if finding.ignored and not verbose:
            left_alone = f"{finding.place}: {finding.status.value}  {finding.name}, ignored: {finding.ignored}"
            screen.print(printable(left_alone), soft_wrap=True)
            continue
        # Without a map, what holds does so only on domains that were guessed, so they are shown with it.
        if verbose or review.proposed or finding.status not in (*STANDING, *RECORDED):
            for line in lines(finding, domains=review.proposed or verbose):
                screen.print(line, soft_wrap=True)
    style = "bold red" if review.exit_code() == 1 else "" if any(map(review.counts.get, OPEN)) else "bold"
    screen.print(Text(printable(summary(review)), style=style), soft_wrap=True)
    for said in compared(review):
        screen.print(printable(said), soft_wrap=True)
    end = closing(review, allow_unchecked=allow_unchecked)
    if end:
        screen.print(printable(end), soft_wrap=True)


def lines(finding: Finding, *, domains: bool = False) -> list[Text]:
    """One finding, line by line."""
    first = Text(printable(f"{finding.place}: "))
    first.append(finding.status.value, style=_STYLES.get(finding.status, "green"))
    first.append(printable(f"  {headline(finding)}"))
    return [first, *(Text(printable(f"    {line}")) for line in details(finding, domains=domains))]


def printable(text: str) -> str:
    """Text of a paper without characters that would steer the terminal."""
    return "".join(one if one.isprintable() else "?" for one in text)
