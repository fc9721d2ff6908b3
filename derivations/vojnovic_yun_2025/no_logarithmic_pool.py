r"""The aggregation of GRPO is no logarithmic pool.

Under a logarithmic pool the reference is multiplied by $e^u$, where $u$ is the lead, and by a number that normalises,
under Equation (11) as printed by $g(u) = 1/(1-u)$. Both functions agree to first order, and $g$ is the larger one for
every lead but 0 (`pool.first-order`). Opposite leads do not cancel: the product of their factors exceeds 1, where that
of two exponentials is 1.

For two answers and groups of two the leads differ by $\gamma/\beta$. A logarithmic pool therefore multiplies the odds
of the reference by the same number for every reference, GRPO by one that falls as the policy's probability of the
better answer rises (`pool.odds`, `pool.odds-fall`). The reference may also have a weight other than 1 in a pool, so
that the log-odds of the policy are some linear function of those of the reference. That fails too: for $\beta = \gamma$
the references $\frac14$, $\frac19$ and $\frac1{16}$ lead to the policies $\frac12$, $\frac13$ and $\frac14$, and their
log-odds do not lie on a line.
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, gamma, reference, x
from derivations.vojnovic_yun_2025.preference_pooling import lead as any_lead
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Gap,
    Result,
    both,
    claim,
    decreasing,
    derive,
    eq,
    gt,
    log,
    lt,
    ne,
    rational,
    real,
)

lead = real("u", "(-1, 1)", "lead of an output over the mean, over the weight")


def derivation() -> Iterator[Claim]:
    """Any number of outputs, then two."""
    yield from _leads()
    yield from _two_answers()


def _leads() -> Iterator[Claim]:
    """The function g beside the exponential."""
    yield claim(
        "vojnovic_yun_2025.pool.opposite-leads",
        "Factors of opposite leads do not cancel, as the exponentials of a logarithmic pool do",
        derivation=derive(1 / (1 - lead) * (1 / (1 + lead)), r"$g(u)\,g(-u)$", given=[ne(lead, 0)])
        .eq(1 / (1 - lead**2), "multiply out the denominator")
        .gt(1, "it is positive, and less than 1 unless $u = 0$"),
        equation="Section 2.3, after Eq. (11)",
    )
    excess = -log(1 - any_lead) - any_lead
    rises = claim(
        "vojnovic_yun_2025.pool.first-order.slope",
        r"The derivative of $\log g(u) - u$",
        derivation=derive(Derivative(excess, any_lead), "derivative by the lead")
        .eq(1 / (1 - any_lead) - 1, "differentiate")
        .eq(any_lead / (1 - any_lead), "common denominator: the sign of $u$"),
    )
    yield rises
    yield claim(
        "vojnovic_yun_2025.pool.first-order",
        r"The factor is $e^u$ for no lead but 0, where $\log g(u) - u$ is smallest",
        Extremum(excess, any_lead, rational(0), minimum=True),
        using=[rises],
        equation="Section 2.3, after Eq. (11)",
    )


def _two_answers() -> Iterator[Claim]:
    """Odds and log-odds for groups of two."""
    factor = (beta + gamma * x) / (beta - gamma * (1 - x))
    stationary = eq(beta * ((x - reference) / (x * (1 - x))), gamma)
    yield claim(
        "vojnovic_yun_2025.pool.odds",
        "For groups of two the odds of the reference are multiplied by a number that depends on the policy",
        derivation=derive(x / (1 - x), "odds of the policy", given=[stationary])
        .eq(x * (beta - gamma * (1 - x)) / ((1 - x) * (beta + gamma * x)) * factor, "the factor cancels")
        .eq(reference / (1 - reference) * factor, "Equation (17), solved for the reference and for $1 - r$"),
    )
    yield claim(
        "vojnovic_yun_2025.pool.odds-fall",
        "The smaller the policy, the larger this number",
        decreasing(factor, x),
        given=[gt(beta, gamma * (1 - x))],
    )
    log_odds = [log(value / (1 - value)) for value in map(rational, (1, 1, 1), (2, 3, 4))]
    priors = [log(value / (1 - value)) for value in map(rational, (1, 1, 1), (4, 9, 16))]
    run, rise = ([item[0] - item[1], item[1] - item[2]] for item in (priors, log_odds))
    off_a_line = both(lt(rise[1] * run[0], rise[0] * run[1]), gt(run[0], 0), gt(run[1], 0))
    yield claim(
        "vojnovic_yun_2025.pool.no-weights",
        r"At $\beta = \gamma$ no weights make it a logarithmic pool: three log-odds that do not lie on a line",
        off_a_line,
        equation="Section 2.3, after Eq. (11)",
        printed=paper.quote(
            "Section 2.3, after Eq. (11)",
            r"\text{the aggregation of preferences is different than logarithmic pooling}",
            off_a_line,
        ),
        fills=[
            Gap(
                "Section 2.3, after Eq. (11)",
                "that no weights of a logarithmic pool give the same policy does not follow from another form of "
                "the formula",
            ),
        ],
    )


no_logarithmic_pool = Result("The aggregation is no logarithmic pool", paper, derivation)
