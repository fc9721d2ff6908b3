"""What the terminal shows while claims are judged: live lines in a terminal, plain ones anywhere else."""

from __future__ import annotations

import io

from rich.console import Console

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.progress import Progress
from grpo_symbolic.report.display import Busy, progress

EVENTS = [
    Progress("Roots", "p.first", 0, 2, 2),
    Progress("Roots", "p.first", 0, 2, 2, asked="numeric"),
    Progress("Roots", "p.second", 0, 2, 2),
    Progress("Roots", "p.first", 0, 2, 2, asked="smt"),
    Progress("Roots", "p.second", 1, 2, 1, Verdict.DECIDED, ("numeric", "exact")),
    Progress("Roots", "p.first", 2, 2, 0, Verdict.UNDECIDED, ("numeric", "smt")),
]


def test_every_claim_in_progress_is_shown_with_its_method():
    busy = Busy()
    shown = [busy.update(event).splitlines() for event in EVENTS]
    assert [lines[1:] for lines in shown] == [
        ["p.first"],
        ["p.first by numeric"],
        ["p.first by numeric", "p.second"],
        ["p.first by smt", "p.second"],
        ["p.first by smt"],
        [],
    ]
    assert shown[4][0] == "Roots: p.second DECIDED by numeric, exact"


def shown_on(terminal: bool) -> str:
    text = io.StringIO()
    with progress(Console(file=text, force_terminal=terminal, width=120)) as listener:
        for event in EVENTS:
            listener(event)
    return text.getvalue()


def test_a_pipe_gets_one_plain_line_for_each_result():
    assert shown_on(terminal=False) == "checked Roots by numeric, exact, smt (2 of 2 claims)\n"


def test_a_terminal_ends_with_the_last_claim():
    assert "Roots: p.first UNDECIDED by numeric, smt" in shown_on(terminal=True)
