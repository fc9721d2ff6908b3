"""Which solvers are installed, and how to get them: with none, nothing is proposed to them."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from grpo_symbolic.checks import smt


@dataclass(frozen=True)
class Skipped:
    """A method that could not be used, and how to get it."""

    method: str
    reason: str


def is_installed(solver: str) -> bool:
    """Whether a solver can be imported."""
    return importlib.util.find_spec(solver) is not None


def skipped() -> tuple[Skipped, ...]:
    """The deciding methods that are not there: all but one come with the package, and that needs a solver."""
    if is_installed("z3") or is_installed("cvc5"):
        return ()
    return (Skipped(smt.METHOD, "neither z3 nor cvc5 is installed: pip install 'grpo-symbolic[smt]'"),)
