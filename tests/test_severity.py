"""How much an error matters is said by rules, with which what an author says must agree."""

from __future__ import annotations

import pytest

from grpo_symbolic import AMBIGUOUS, Paper, gt, real
from grpo_symbolic.derivation.source import SEVERITIES
from grpo_symbolic.errors import DeclarationError

x = real("x", "(0, oo)", "a number")
PAPER = Paper("p", "A. Author", "A title", "v1", copy="a scanned copy")


def quote(where, severity, **more):
    return PAPER.quote(where, "x > 1", gt(x, 1), severity=severity, instead="otherwise", **more)


@pytest.mark.parametrize("where", ["Abstract", "Figure 3, caption", "Caption of Figure 2"])
@pytest.mark.parametrize("severity", SEVERITIES[1:])
def test_what_is_wrong_where_the_message_stands_changes_a_conclusion(where, severity):
    with pytest.raises(DeclarationError, match=rf"quote of {where}: '{severity}', but what is wrong in an abstract"):
        quote(where, severity)
    assert quote(where, SEVERITIES[0]).severity == SEVERITIES[0]


@pytest.mark.parametrize("severity", SEVERITIES[:2])
def test_lost_glyphs_change_no_conclusion(severity):
    with pytest.raises(DeclarationError, match=r"glyphs that the copy may have lost would explain it; that is 'slip"):
        quote("Eq. (1)", severity, compare_with_pdf=True)


@pytest.mark.parametrize("where", ["Abstract", "Eq. (1)"])
def test_a_reading_that_holds_makes_a_sentence_ambiguous_anywhere(where):
    assert quote(where, AMBIGUOUS).severity == AMBIGUOUS


def test_other_places_allow_every_severity():
    assert [quote("Abstraction of Eq. (1)", severity).severity for severity in SEVERITIES] == list(SEVERITIES)
