r"""The normaliser of Theorem 1's policy for binary rewards.

Rewards are 0 or 1, so the tilt of an output is one of two numbers, and the normaliser splits into successes and
failures (`normaliser`). What is left of the reference policy is its success probability $p_{\mathrm{ref}} = \sum_o
\pi_{\mathrm{ref}}(o|q)\, r(q,o)$. The display for $Z_{n-1}$ in Appendix A is followed line by line.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.functions import beta, p_ref
from derivations.mroueh_2025.outputs import advantage, binary, gain, loss, reference, reference_sums_to_one, success
from grpo_symbolic import (
    Claim,
    Result,
    Summed,
    Total,
    claim,
    define,
    derive,
    either,
    eq,
    exp,
    rational,
)

ONE = rational(1)
success_of_reference = eq(p_ref, Total(reference * success))
outputs = (binary, reference_sums_to_one, success_of_reference)
#: The tilt of an output for the advantages of the paper, and the normaliser with it.
tilt = exp(advantage() / beta)
Z = define("Z", (), Total(reference * tilt), latex="Z_{n-1}(q)")
up, down = exp(gain / beta), exp(-loss / beta)
of_successes, of_failures = Total(reference * success), Total(reference * (1 - success))
tilted_successes, tilted_failures = Total(reference * success * tilt), Total(reference * (1 - success) * tilt)
whole = p_ref * up + (1 - p_ref) * down


def derivation() -> Iterator[Claim]:
    """The tilt of successes and failures, then the normaliser."""
    cases = [
        claim(
            f"mroueh_2025.tilt.{name}.cases",
            f"The tilt among the {name}, from both values of a reward",
            derivation=derive(binary, "a reward is 0 or 1")
            .iff(either(eq(success, 0), eq(success, 1)), "a product is 0 exactly where a factor is")
            .implies(
                eq(indicator * tilt, indicator * constant),
                f"for {value} put it into the exponent; for {1 - value} both sides are 0",
            ),
        )
        for name, value, indicator, constant in (("successes", 1, success, up), ("failures", 0, 1 - success, down))
    ]
    yield from cases
    successes = claim(
        "mroueh_2025.tilt.successes",
        "Among the successes the tilt is one number",
        eq(success * tilt, success * up),
        given=[binary],
        using=[cases[0]],
    )
    failures = claim(
        "mroueh_2025.tilt.failures",
        "Among the failures too",
        eq((1 - success) * tilt, (1 - success) * down),
        given=[binary],
        using=[cases[1]],
    )
    yield from (successes, failures)
    over_successes = claim(
        "mroueh_2025.tilt.sum-of-successes",
        "Summed over the successes",
        Summed(eq(success * tilt, success * up), reference, eq(tilted_successes, up * of_successes), ONE),
    )
    over_failures = claim(
        "mroueh_2025.tilt.sum-of-failures",
        "Summed over the failures",
        Summed(eq((1 - success) * tilt, (1 - success) * down), reference, eq(tilted_failures, down * of_failures), ONE),
    )
    yield from (over_successes, over_failures)
    rules = (successes, failures, over_successes, over_failures)
    yield normaliser(rules)


def normaliser(rules: tuple[Claim, ...]) -> Claim:
    """The chain for the normaliser in the proof of Theorem 1."""
    lines = [Z(), tilted_successes + tilted_failures, up * of_successes + down * of_failures, whole]
    return claim(
        "mroueh_2025.normaliser",
        "The normaliser is that of two outputs, a success and a failure",
        derivation=derive(lines[0], "definition", given=outputs)
        .eq(lines[1], "split by the reward")
        .eq(lines[2], "in each part the tilt is constant", using=rules)
        .eq(lines[3], "definition of $p_{\\mathrm{ref}}$"),
        using=rules,
        equation="Theorem 1",
        printed=paper.quote(
            "Theorem 1, and four lines in Appendix A",
            r"Z_{n-1}(q) = \ldots = p_{\mathrm{ref}}(q)"
            r" \exp\left(\frac{1}{\beta}\omega_{\varepsilon}^{+}(p_{n-1}(q))\right) + (1 - p_{\mathrm{ref}}(q))"
            r" \exp\left(-\frac{1}{\beta}\omega_{\varepsilon}^{-}(p_{n-1}(q))\right)",
            eq(lines[0], lines[-1]),
            given=outputs,
        ),
    )


splitting = Result("The normaliser for binary rewards", paper, derivation)
