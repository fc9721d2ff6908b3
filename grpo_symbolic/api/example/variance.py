r"""The variance of a reward that is 0 or 1.

A right answer has probability $p$; the variance of its reward is largest for $p = 1/2$ (`largest-variance`).
"""

from collections.abc import Iterator

from grpo_symbolic import Claim, Paper, Result, claim, derive, eq, le, rational, real

paper = Paper("ours_2026", "A. Author", "Our paper", "draft of May")
p = real("p", "(0, 1)", "probability of a right answer")


def derivation() -> Iterator[Claim]:
    """From the definition to the bound."""
    chain = derive(p * (1 - p) ** 2 + (1 - p) * p**2, "definition of the variance")
    variance = claim(
        "ours_2026.variance",
        "The variance in closed form",
        derivation=chain.eq(p * (1 - p), "factor out $p(1-p)$"),
        equation="Eq. (1)",
        printed=paper.quote("Eq. (1)", "p(1-p)^2 + (1-p)p^2 = p(1-p)", eq(chain.expression, p * (1 - p))),
    )
    yield variance
    yield claim(
        "ours_2026.largest-variance",
        "It is at most 1/4",
        le(chain.expression, rational(1, 4)),
        using=[variance],
    )


result = Result("The variance of an answer", paper, derivation)
