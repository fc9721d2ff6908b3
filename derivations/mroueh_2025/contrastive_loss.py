r"""GRPO with binary rewards as a weighted contrastive loss (Sections 2.1 and 2.2, the long displays).

For one prompt the expected clipped product is split by the reward (`contrastive-loss`). Among the successes the
advantage is one number, $\omega^+$, among the failures it is $-\omega^-$, and the weight comes out of the sum. The
lines hold for any two weights that are not negative (`contrastive-loss`): those of Section 2.1, $\sqrt{(1-p)/p}$ and
$\sqrt{p/(1-p)}$, and those of Eq. (4), which include $p = 0$ and $p = 1$. The overall cost is the mean of this over the
prompts less the penalty, with nothing to show.

In the last line of Section 2.1's display the paper prints the condition on the reward below the expectation. It is
meant as a restricted sum, as in the display that follows, with the indicator in it. Read as a conditional expectation
it would need other weights (`contrastive-loss.conditional`): $\sqrt{p(1-p)}$ for both terms, since successes have
probability $p$ and failures $1 - p$. So the two sides of the contrast have the same total weight for every $0 < p <
1$ (`weights.balanced`), and with smoothing also at the ends (`eq4.balanced`).
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.binary_advantage import (
    weight_of_failure,
    weight_of_success,
)
from derivations.mroueh_2025.clipping import clip, clipped
from derivations.mroueh_2025.functions import omega_minus, omega_plus, p
from derivations.mroueh_2025.outputs import OUTPUTS, advantage, binary, gain, loss, old, policy, success, width
from derivations.mroueh_2025.success_map_edges import inner
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    Summed,
    Symbol,
    Total,
    both,
    claim,
    define,
    derive,
    eq,
    ge,
    maximum,
    minimum,
    rational,
    real,
    sqrt,
)
from grpo_symbolic.language.expression import Definition

ONE = rational(1)
ratio = policy / old
not_negative = (ge(gain, 0), ge(loss, 0))


def at_output(name: str, meaning: str, latex: str) -> Symbol:
    """A real number for each output, which a hypothesis of the claims defines."""
    return real(name, "(-oo, oo)", meaning, latex=latex, indexed=OUTPUTS)


product = at_output("f", "clipped product of ratio and advantage", r"f_\epsilon({index})")
product_of_success = at_output("f_1", "clipped product with the advantage of a success", r"f_\epsilon^{+}({index})")
product_of_failure = at_output("f_0", "clipped product with the advantage of a failure", r"f_\epsilon^{-}({index})")
reinforced = at_output("m", "smaller of the ratio and the upper end of the range", r"\min({index})")
penalised = at_output("M", "larger of the ratio and the lower end of the range", r"\max({index})")

defined = (
    eq(product, clipped(ratio, advantage())),
    eq(product_of_success, clipped(ratio, gain)),
    eq(product_of_failure, clipped(ratio, -loss)),
    eq(reinforced, minimum(ratio, 1 + width)),
    eq(penalised, maximum(ratio, 1 - width)),
)
hypotheses = (binary, *not_negative, *defined)
successes, failures = Total(old * reinforced * success), Total(old * penalised * (1 - success))
lines: tuple[Expression, ...] = (
    Total(old * product),
    Total(old * product * success) + Total(old * product * (1 - success)),
    Total(old * product_of_success * success) + Total(old * product_of_failure * (1 - success)),
    gain * successes - loss * failures,
)


def derivation() -> Iterator[Claim]:
    """Split by the reward and take out the weights; then put in the two pairs of weights."""
    rules = tuple(by_reward())
    yield from rules
    general = contrast_of(rules)
    yield general
    yield from both_weights(general)
    yield claim(
        "mroueh_2025.contrastive-loss.conditional",
        "With conditional expectations both terms have the weight $\\sqrt{p(1-p)}$",
        derivation=derive(
            weight_of_success() * successes - weight_of_failure() * failures, "last line of the display"
        ).eq(
            sqrt(inner * (1 - inner)) * (successes / inner - failures / (1 - inner)),
            "divide by the probabilities of success and failure",
        ),
        equation="Section 2.1",
        beyond="gives the weights that conditional expectations need",
    )


def by_reward() -> Iterator[Claim]:
    """What becomes of the clipped product at a success and at a failure, and of its sums."""
    for name, indicator, weight, sign, its_own, limit in (
        ("success", success, gain, not_negative[0], defined[1], defined[3]),
        ("failure", 1 - success, -loss, not_negative[1], defined[2], defined[4]),
    ):
        value, weighted = its_own.left, weight * limit.left
        own, taken_out = eq(product * indicator, value * indicator), eq(value * indicator, weighted * indicator)
        parts = [
            claim(
                f"mroueh_2025.contrastive-loss.{name}.own",
                f"At a {name} the advantage is that of a {name}",
                derivation=derive(product * indicator, "one term", given=[binary, defined[0], its_own])
                .eq(defined[0].right * indicator, "definition of the clipped product")
                .eq(its_own.right * indicator, f"the advantage of a {name}; elsewhere the indicator is 0")
                .eq(value * indicator, f"clipped product with the advantage of a {name}"),
            ),
            claim(
                f"mroueh_2025.contrastive-loss.{name}.weight",
                f"At a {name} the weight can be taken out",
                derivation=derive(value * indicator, "one term", given=[sign, its_own, limit])
                .eq(its_own.right * indicator, f"clipped product with the advantage of a {name}")
                .eq(weight * limit.right * indicator, "take the weight out; clipping has one side")
                .eq(weighted * indicator, "the letter for the ratio limited on this side"),
            ),
        ]
        yield from parts
        yield claim(
            f"mroueh_2025.contrastive-loss.{name}",
            f"At a {name} the clipped product has the weight of a {name}, which can be taken out",
            both(own, taken_out),
            given=hypotheses,
            using=parts,
        )
        for number, line in enumerate((own, taken_out), start=1):
            yield claim(
                f"mroueh_2025.contrastive-loss.{name}.sum-{number}",
                "Summed over the outputs of the old policy",
                Summed(line, old, eq(Total(old * line.left), Total(old * line.right)), ONE),
            )


def contrast_of(rules: tuple[Claim, ...]) -> Claim:
    """The chain of three equalities, for any weights that are not negative."""
    return claim(
        "mroueh_2025.contrastive-loss",
        "The expected clipped product is a weighted contrast of successes and failures",
        derivation=derive(lines[0], "expected clipped product for one prompt", given=hypotheses)
        .eq(lines[1], "split by the reward")
        .eq(lines[2], "the advantage of successes and of failures", using=rules)
        .eq(lines[3], "the weights come out of the sums, and clipping has one side", using=rules),
        using=rules,
        equation="Section 2.2",
        printed=paper.quote(
            "Section 2.2, display after Eq. (4)",
            r"\ldots = \omega_{\varepsilon}^{+}(p) \mathbb{E}_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}"
            r" \min\left(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}, 1+\epsilon\right)"
            r" \mathbf{1}_{r(q,o)=1} - \omega_{\varepsilon}^{-}(p) \mathbb{E}_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}"
            r" \max\left(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}, 1-\epsilon\right)"
            r" \mathbf{1}_{r(q,o)=0}",
            eq(lines[0], lines[-1]),
            given=hypotheses,
        ),
    )


def both_weights(general: Claim) -> Iterator[Claim]:
    """The display of Section 2.1 and that of Section 2.2."""
    plain = (eq(gain, weight_of_success()), eq(loss, weight_of_failure()))
    yield claim(
        "mroueh_2025.contrastive-loss.unsmoothed",
        "The same with the weights of Section 2.1",
        derivation=derive(lines[0], "expected clipped product for one prompt", given=[*hypotheses, *plain])
        .eq(lines[3], "as above, for any weights", using=[general])
        .eq(weight_of_success() * successes - weight_of_failure() * failures, "the weights"),
        using=[general],
        equation="Section 2.1",
        printed=paper.quote(
            "Section 2.1, display of three lines",
            r"\ldots = \sqrt{\frac{1-p}{p}} \mathbb{E}_{o \sim \pi_{\theta_{\mathrm{old}}}(.|q), r(q, o)=1}"
            r" \min\left(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}, 1+\epsilon\right)"
            r" - \sqrt{\frac{p}{1-p}} \mathbb{E}_{o \sim \pi_{\theta_{\mathrm{old}}}(.|q), r(q, o)=0}"
            r" \max\left(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}, 1-\epsilon\right)",
            eq(
                weight_of_success() * successes - weight_of_failure() * failures,
                weight_of_success() * successes / inner - weight_of_failure() * failures / (1 - inner),
            ),
            given=(binary, eq(Total(old), 1), eq(Total(old * success), inner)),
            another_reading=True,
            fails_at={
                old: [rational(1, 2), rational(1, 2)],
                success: [1, 0],
                inner: rational(1, 2),
                reinforced: [rational(6, 5), rational(4, 5)],
                penalised: [rational(6, 5), rational(4, 5)],
            },
            instead="Read as restricted sums, with the indicator of the next display, the line holds. Read as "
            "conditional expectations, as it is written, it fails: both would need the weight $\\sqrt{p(1-p)}$ "
            "(`contrastive-loss.conditional`).",
        ),
        paper_uses=("eq1.success", "eq1.failure", "clip.positive", "clip.negative"),
    )
    smooth = (eq(gain, omega_plus(p)), eq(loss, omega_minus(p)))
    yield claim(
        "mroueh_2025.contrastive-loss.smoothed",
        "The same with the weights of Eq. (4)",
        derivation=derive(lines[0], "expected clipped product for one prompt", given=[*hypotheses, *smooth])
        .eq(lines[3], "as above, for any weights", using=[general])
        .eq(omega_plus(p) * successes - omega_minus(p) * failures, "the weights"),
        using=[general],
        equation="Section 2.2",
        paper_uses=("eq3", "clip.positive", "clip.negative"),
    )


def names() -> Iterator[Definition]:
    """The clipped ratio of an output."""
    yield define("clip", (), clip(ratio), latex=r"\mathrm{clip}_\epsilon(o)")


contrast = Result("The contrastive loss", paper, derivation, shorthands=names)
