r"""The bias of the sample variance, for every law of finitely many values and every size of the sample.

The deviations from the sample mean are smaller than those from the expectation, on average by the factor $1 - 1/n$
(`bias`). Dividing by $n - 1$ removes it (`unbiased`).
"""

from collections.abc import Iterator

from grpo_symbolic import Claim, Group, IndexSet, Paper, Result, Total, claim, derive, drawn, eq, real

paper = Paper("sample_variance", "folklore", "Bessel's correction", "as textbooks have it")

DRAWS = IndexSet("draw", "draws", "k")
VALUES = IndexSet("value", "values", "v")
x = real("x", "(-oo, oo)", "number that is drawn", latex="x_{index}", indexed=DRAWS)
value = real("a", "(-oo, oo)", "possible number", latex="a_{index}", indexed=VALUES)
chance = real("c", "(0, 1]", "its probability", latex="c_{index}", indexed=VALUES)
n = real("n", "[2, oo)", "size of the sample")
mu = real("mu", "(-oo, oo)", "expectation")
variance = real("V", "[0, oo)", "variance", latex=r"\sigma^2")


def derivation() -> Iterator[Claim]:
    """The mean squared error of the sample mean is what the sample variance lacks."""
    sample = Group(x, n, drawn(value, chance))
    given = [
        eq(Total(chance), 1),
        eq(mu, Total(chance * value)),
        eq(variance, Total(chance * (value - mu) ** 2)),
    ]
    around_mu = Total((x - mu) ** 2) / n
    yield claim(
        "sample_variance.bias",
        r"The expected sample variance is $(1 - 1/n)\,\sigma^2$",
        derivation=derive(sample.expectation(sample.variance), "definition", given=given)
        .eq(sample.expectation(around_mu - (sample.mean - mu) ** 2), "deviations from the expectation instead")
        .eq(variance - variance / n, "linearity; different draws are independent")
        .eq((1 - 1 / n) * variance, "collect"),
    )
    yield claim(
        "sample_variance.unbiased",
        "Divided by one less it is unbiased",
        eq(sample.expectation(sample.sample_variance), variance),
        given=given,
    )


result = Result("The bias of the sample variance", paper, derivation)
