r"""Direct divergence, large groups: what the zeros of $h$ are.

With the old policy held fixed, the objective is strictly concave (`direct-kl.concave`), and its only maximum is the
next policy (`direct-kl.next`). Hence every zero of $h$ is a stationary policy in the sense of Section 1.3, and if there
are two, both maximise the objective, each beside itself as the old policy (`direct-kl.stationary`). This is a reading
under which the remark in Section 3 on two maximising values holds.

Where $h$ is positive throughout, the paper concludes that the objective is maximised at $\pi_\theta = 1$. As a
statement on limits this holds: every update of a policy that gives both answers increases $x$, no policy below 1 is
stationary, and so the updates converge to 1 (`direct-kl.rises`). It also holds of a function of which $\beta h$ is the
derivative (`direct-kl.slope-positive`). But no objective is maximised there. If the old policy gives both answers, the
maximum (`direct-kl.next`) lies strictly below 1 (`direct-kl.below-one`). If it gives one answer only, the advantages
vanish (as $0/0$, read as $0$), and what is left, the penalty, is best at the reference policy (`direct-kl.at-one`).
"""

from collections.abc import Iterator

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta, reference, x, x_old
from derivations.vojnovic_yun_2025.direct_kl_groups_of_two import DIRECT, groups_of_two, log_odds
from derivations.vojnovic_yun_2025.direct_kl_large_groups import (
    frozen,
    h,
    large_groups,
    names,
    printed_objective,
    spread,
)
from derivations.vojnovic_yun_2025.direct_kl_zeros import zeros
from grpo_symbolic import (
    Claim,
    Derivative,
    Extremum,
    Result,
    both,
    claim,
    converges,
    define,
    derive,
    eq,
    exp,
    gt,
    iff,
    le,
    log,
    lt,
    rational,
    sqrt,
)
from grpo_symbolic.grpo.definitions import Definitions, binary_penalty
from grpo_symbolic.language.expression import Definition, substitute

#: The policy that maximises the objective beside a given old policy.
update = define("N", (x,), 1 / (1 + (1 - reference) / reference * exp(-(1 / (beta * spread)))))


def derivation(given: Definitions = DIRECT) -> Iterator[Claim]:
    """The maximum at a fixed old policy, and where it is the old policy itself."""
    objective = frozen(given)
    concave = derive(Derivative(Derivative(objective, x), x), "the second derivative, with the old policy held fixed")
    concave = concave.eq(-(beta * (1 / x + 1 / (1 - x))), "differentiate twice; the reward part is linear").eq(
        -(beta / (x * (1 - x))), "common denominator"
    )
    yield claim("vojnovic_yun_2025.direct-kl.concave", "The objective is strictly concave", derivation=concave)
    slope = claim(
        "vojnovic_yun_2025.direct-kl.next.derivative",
        "Its derivative tells how far the log-odds of the next policy are",
        derivation=derive(Derivative(objective, x), "the derivative, with the old policy held fixed")
        .eq(
            1 / sqrt(x_old * (1 - x_old)) - beta * (log_odds(x) - log_odds(reference)),
            "put it in",
            using=[large_groups.claim("direct-kl.gradient")],
        )
        .eq(
            beta * (log_odds(reference) + 1 / (beta * sqrt(x_old * (1 - x_old))) - log_odds(x)),
            r"take out $\beta$",
        )
        .eq(beta * (log_odds(update(x_old)) - log_odds(x)), "the log-odds of $N$"),
    )
    yield slope
    yield claim(
        "vojnovic_yun_2025.direct-kl.next",
        "So its derivative vanishes at the next policy only, which is its maximum",
        Extremum(objective, x, update(x_old), minimum=False),
        using=[slope, groups_of_two.claim("direct-kl.log-odds").at({x: update(x_old), x_old: x})],
    )
    step = claim(
        "vojnovic_yun_2025.direct-kl.next.step",
        "By an update the log-odds change by $h$",
        derivation=derive(log_odds(update(x)) - log_odds(x), "change of the log-odds")
        .eq(log_odds(reference) + 1 / (beta * spread) - log_odds(x), "the log-odds of $N$")
        .eq(h(x), "definition of $h$"),
    )
    yield step
    moves = claim(
        "vojnovic_yun_2025.direct-kl.next.fixed",
        "The next policy is larger where $h$ is positive, smaller where it is negative, and the same at its zeros",
        both(iff(gt(update(x), x), gt(h(x), 0)), iff(lt(update(x), x), lt(h(x), 0))),
        using=[step, groups_of_two.claim("direct-kl.log-odds").at({x: update(x), x_old: x})],
    )
    yield moves
    yield from _towards_one(moves)
    zero = eq(h(x_old), 0)
    apart = beta * (log_odds(x_old) - log_odds(x))
    before, after = (
        derive(Derivative(printed_objective, x), "the slope at another policy", given=[zero, relation(x, x_old)]).eq(
            apart, r"differentiate; $h$ vanishes at $x_{\mathrm{old}}$"
        )
        for relation in (lt, gt)
    )
    slopes = (
        claim(
            "vojnovic_yun_2025.direct-kl.stationary.before",
            "Beside a zero of $h$ the objective rises below it",
            derivation=before.gt(0, "log-odds rise"),
        ),
        claim(
            "vojnovic_yun_2025.direct-kl.stationary.after",
            "And falls above it",
            derivation=after.lt(0, "log-odds rise"),
        ),
    )
    yield from slopes
    yield claim(
        "vojnovic_yun_2025.direct-kl.stationary",
        "So every zero of $h$ maximises the objective, beside itself as the old policy",
        Extremum(printed_objective, x, x_old, minimum=False),
        given=[zero],
        using=slopes,
        equation="Section 3",
        printed=paper.quote(
            "Section 3, last sentence on the direct divergence",
            r"\text{there exist two values of } \pi_\theta(a \mid q) \text{ that maximise the objective function}",
            le(Derivative(h(x), x), 0),
            another_reading=True,
            instead="Read of the objective beside a fixed old policy the sentence holds: each value maximises it, "
            r"beside itself as the old policy. Read of a function of which $\beta h$ is the derivative, of which the "
            "sentence before holds (`direct-kl.slope-positive`), it fails: $h$ rises at the larger value, which is a "
            "minimum. Each $x$ is a zero of $h$ for one reference.",
        ),
        paper_uses=["direct-kl.zeros.none"],
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.at-one",
        "If the old policy always gives the better answer, what is left of the objective is best at the reference",
        Extremum(-(beta * binary_penalty(x, rational(1), reference, given)), x, reference, minimum=False),
    )


def _towards_one(moves: Claim) -> Iterator[Claim]:
    """Below the threshold the updates rise to 1, but no objective is maximised there."""
    none = zeros.claim("direct-kl.zeros.none")
    at_one = 1 / sqrt(x_old * (1 - x_old)) + beta * log(reference)
    at_next = substitute(printed_objective, {x: update(x_old)})
    small = (eq(reference, rational(1, 2)), eq(beta, 1))
    yield claim(
        "vojnovic_yun_2025.direct-kl.rises",
        "Below the threshold every update of a policy that gives both answers raises it, which therefore tends to 1",
        both(gt(update(x), x), converges(update(x), x, 1)),
        given=none.given,
        using=[none, moves],
        equation="Section 3",
        printed=paper.quote(
            "Section 3, direct divergence in large groups",
            r"\text{the optimal value of } \pi_\theta(a \mid q) \text{ is } 1"
            r" \text{ if } \beta \text{ is sufficiently small}",
            le(printed_objective, at_one),
            given=small,
            another_reading=True,
            instead="As a statement on the limit of updates it holds: each raises a policy that gives both answers, "
            "and none below 1 is stationary. As the maximum of an objective (`direct-kl.next`) it fails: see "
            "`direct-kl.below-one`.",
        ),
    )
    yield claim(
        "vojnovic_yun_2025.direct-kl.slope-positive",
        r"Below the threshold $\beta h$ is positive: a function of which it is the derivative rises up to 1",
        gt(beta * h(x), 0),
        given=none.given,
        using=[none],
        equation="Appendix B.2, last paragraph",
        printed=paper.quote(
            "Appendix B.2, last paragraph",
            r"\text{the objective function is maximised at } \pi_\theta(a \mid q) = 1",
            le(printed_objective, at_one),
            given=small,
            another_reading=True,
            instead=r"Read of a function of which $\beta h$ is the derivative, as the display before has it, the "
            "sentence holds. Read of the objective itself it fails: beside an old policy that gives both answers its "
            "maximum (`direct-kl.next`) lies below 1, for every weight (`direct-kl.below-one`); beside one that gives "
            "only the better answer it lies at the reference (`direct-kl.at-one`). What tends to 1, below the "
            "threshold, is the sequence of updates (`direct-kl.rises`).",
        ),
    )
    after = update(x_old)
    excess = claim(
        "vojnovic_yun_2025.direct-kl.below-one.excess",
        "By how much the objective is larger at the next policy than at 1",
        derivation=derive(at_next - at_one, "both values of the objective")
        .eq(
            -(beta * (log((1 - after) / (1 - reference)) + 1 / (beta * sqrt(x_old * (1 - x_old))) + log(reference))),
            r"the log-odds of $N$ exceed those of $r$ by $1/(\beta\sqrt{x_{\mathrm{old}}(1-x_{\mathrm{old}})})$",
        )
        .eq(-(beta * log(after)), "the same once more"),
    )
    yield excess
    yield claim(
        "vojnovic_yun_2025.direct-kl.below-one",
        "At the next policy $N < 1$ the objective is larger than at 1, by $-\\beta \\log N$, for every weight",
        both(eq(at_next - at_one, -(beta * log(update(x_old)))), lt(update(x_old), 1)),
        using=[excess],
        equation="Appendix B.2, last paragraph",
    )


def shown() -> Iterator[Definition]:
    """Both forms of the objective."""
    yield from names()
    yield define("J_printed", (x,), printed_objective, latex=r"\tilde{J}")


fixed_points = Result("Direct divergence, large groups: the zeros as fixed points", paper, derivation, shorthands=shown)
