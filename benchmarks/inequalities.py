"""A hundred inequalities of reinforcement learning and information theory, each with the name under which it is known.

``python benchmarks/inequalities.py`` says which of them have no proof yet that the kernel accepts.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpo_symbolic import (
    Expression,
    Statement,
    absolute,
    cosh,
    exp,
    ge,
    gt,
    implies,
    le,
    log,
    lt,
    maximum,
    minimum,
    ne,
    rational,
    real,
    sinh,
    sqrt,
    tanh,
)
from grpo_symbolic.kernel import terms
from grpo_symbolic.language.statement import symbols_of
from grpo_symbolic.proofs.finding import Finder
from grpo_symbolic.proofs.tables import Table

p, q = (real(name, "(0, 1)", "a probability") for name in "pq")
x, y = (real(name, "(0, oo)", "a positive number") for name in "xy")
a, b, c, d = (real(name, "(0, oo)", "a positive number") for name in "abcd")
z, w, u, v = (real(name, "(-oo, oo)", "a real number") for name in "zwuv")
e = real("e", "[0, 1]", "a loss or reward in the unit interval")
n = real("n", "[1, oo)", "an exponent that is at least 1")
m = real("m", "[1, oo)", "a ratio that is at least 1")
k = real("k", "(-oo, 1)", "a number below 1")
h = real("h", "[0, 1/2]", "a number up to one half")
beta, eta = (real(name, "(0, oo)", "a weight or learning rate") for name in ("beta", "eta"))
eps = real("eps", "(0, 1)", "how far ratios are clipped")
small = real("small", "(0, oo)", "what keeps a denominator from 0")
rho = real("rho", "(0, oo)", "a ratio of probabilities")
adv, gain = (real(name, "(-oo, oo)", "an advantage or reward") for name in ("adv", "gain"))
half = rational(1, 2)


def kl(of: Expression, to: Expression) -> Expression:
    """The divergence of two outcomes from two others."""
    return of * log(of / to) + (1 - of) * log((1 - of) / (1 - to))


def entropy(of: Expression) -> Expression:
    """The entropy of two outcomes."""
    return -(of * log(of)) - (1 - of) * log(1 - of)


def sigma(of: Expression) -> Expression:
    """The logistic function."""
    return 1 / (1 + exp(-of))


def hellinger(of: Expression, to: Expression) -> Expression:
    """The squared Hellinger distance of two outcomes from two others."""
    return 1 - sqrt(of * to) - sqrt((1 - of) * (1 - to))


def chi2(of: Expression, to: Expression) -> Expression:
    """The chi-square divergence of two outcomes from two others."""
    return (of - to) ** 2 / (to * (1 - to))


def clipped(ratio: Expression) -> Expression:
    """A ratio that is kept between two bounds."""
    return maximum(1 - eps, minimum(1 + eps, ratio))


def logarithms() -> Iterator[tuple[str, Statement]]:
    """Bounds of logarithms and exponentials."""
    yield "tangent of the logarithm", le(log(x), x - 1)
    yield "tangent of the logarithm from below", ge(log(x), 1 - 1 / x)
    yield "logarithm of one plus", le(log(1 + x), x)
    yield "logarithm of one plus from below", ge(log(1 + x), x / (1 + x))
    yield "logarithm, second order", ge(log(1 + x), x - x**2 / 2)
    yield "Pade of the logarithm", ge(log(1 + x), 2 * x / (2 + x))
    yield "Karamata", le(log(1 + x), x / sqrt(1 + x))
    yield "Pade of the logarithm from above", le(log(1 + x), x * (6 + x) / (6 + 4 * x))
    yield "logarithm by roots", le(log(x), 2 * (sqrt(x) - 1))
    yield "logarithm beyond 1", le(2 * log(m), m - 1 / m)
    yield "logarithm by a root beyond 1", le(log(m), sqrt(m) - 1 / sqrt(m))
    yield "surprise of a probability", ge(-log(1 - p), p)
    yield "surprise of a probability, second order", ge(-log(1 - p), p + p**2 / 2)
    yield "surprise of a probability from above", le(-log(1 - p), p / (1 - p))
    yield "surprise up to one half (boosting)", le(-log(1 - h), h + h**2)
    yield "x log x", ge(x * log(x), x - 1)
    yield "tangent of the exponential", ge(exp(z), 1 + z)
    yield "exponential below a fraction", le(exp(k), 1 / (1 - k))
    yield "exponential, second order", ge(exp(x), 1 + x + x**2 / 2)
    yield "exponential, third order", ge(exp(x), 1 + x + x**2 / 2 + x**3 / 6)
    yield "exponential in Bernstein's inequality", implies(le(z, 1), le(exp(z), 1 + z + z**2))
    yield "decay, second order (exponential weights)", le(exp(-(eta * x)), 1 - eta * x + (eta * x) ** 2 / 2)
    yield "decay below a fraction", le(exp(-x), 1 / (1 + x))
    yield "chord of the exponential (Hedge)", le(exp(-(eta * e)), 1 - (1 - exp(-eta)) * e)
    yield "hyperbolic sine", ge(sinh(x), x)
    yield "hyperbolic cosine", ge(cosh(z), 1 + z**2 / 2)
    yield "hyperbolic tangent", le(tanh(x), x)
    yield "hyperbolic tangent from below", ge(tanh(x), x / (1 + x))
    yield "Rademacher variables (Hoeffding)", le(cosh(z), exp(z**2 / 2))
    yield "logarithmic and geometric mean", implies(gt(x, y), ge(x - y, sqrt(x * y) * (log(x) - log(y))))
    yield "logarithmic and arithmetic mean", implies(gt(x, y), le(x - y, (x + y) / 2 * (log(x) - log(y))))


def divergences() -> Iterator[tuple[str, Statement]]:
    """Distances of probabilities."""
    yield "Gibbs, two outcomes", ge(kl(p, q), 0)
    yield "Gibbs, strict", implies(ne(p, q), gt(kl(p, q), 0))
    yield (
        "Gibbs, three outcomes",
        implies(
            lt(a + b, 1),
            implies(
                lt(p + q, 1), ge(p * log(p / a) + q * log(q / b) + (1 - p - q) * log((1 - p - q) / (1 - a - b)), 0)
            ),
        ),
    )
    yield "Pinsker, two outcomes", ge(kl(p, q), 2 * (p - q) ** 2)
    yield "divergence and chi-square", le(kl(p, q), chi2(p, q))
    yield "divergence and logarithm of chi-square", le(kl(p, q), log(1 + chi2(p, q)))
    yield "divergence and Hellinger", ge(kl(p, q), 2 * hellinger(p, q))
    yield "Hellinger and total variation", le(hellinger(p, q), absolute(p - q))
    yield "total variation and chi-square", ge(chi2(p, q), 4 * (p - q) ** 2)
    yield "Jeffreys", ge((p - q) * (log(p / (1 - p)) - log(q / (1 - q))), 0)
    yield "Jeffreys and total variation", ge((p - q) * (log(p / (1 - p)) - log(q / (1 - q))), 4 * (p - q) ** 2)
    yield "entropy of two outcomes", le(entropy(p), log(rational(2)))
    yield "entropy is positive", gt(entropy(p), 0)
    yield "entropy and variance", ge(entropy(p), 2 * p * (1 - p))
    yield "entropy and surprise", le(entropy(p), -(p * log(p)) + p)
    yield "cross entropy", ge(-(p * log(q)) - (1 - p) * log(1 - q), entropy(p))
    yield "log sum, two terms", ge(a * log(a / b) + c * log(c / d), (a + c) * log((a + c) / (b + d)))
    yield "k3 estimator (Schulman)", ge(rho - 1 - log(rho), 0)
    yield "k3 and squares near 1", implies(ge(rho, 1), le(rho - 1 - log(rho), (rho - 1) ** 2 / 2))
    yield "generalised divergence", ge(x * log(x / y) - x + y, 0)
    yield "generalised divergence and Hellinger", ge(x * log(x / y) - x + y, (sqrt(x) - sqrt(y)) ** 2)
    yield "second moment of ratios", ge(p**2 / q + (1 - p) ** 2 / (1 - q), 1)
    yield (
        "Jensen-Shannon is bounded",
        le(p * log(2 * p / (p + q)) + q * log(2 * q / (p + q)), (p + q) * log(rational(2))),
    )
    yield "Donsker-Varadhan, two outcomes", le(p * u + (1 - p) * v - log(q * exp(u) + (1 - q) * exp(v)), kl(p, q))


def means() -> Iterator[tuple[str, Statement]]:
    """Convexity and means."""
    yield "Jensen of the logarithm", le(p * log(a) + (1 - p) * log(b), log(p * a + (1 - p) * b))
    yield "Jensen of the exponential", le(exp(p * u + (1 - p) * v), p * exp(u) + (1 - p) * exp(v))
    yield (
        "Jensen of x log x",
        ge(p * (a * log(a)) + (1 - p) * (b * log(b)), (p * a + (1 - p) * b) * log(p * a + (1 - p) * b)),
    )
    yield "arithmetic and geometric mean", le(sqrt(a * b), (a + b) / 2)
    yield "harmonic and geometric mean", le(2 * a * b / (a + b), sqrt(a * b))
    yield "quadratic and arithmetic mean", le((u + v) / 2, sqrt((u**2 + v**2) / 2))
    yield "weighted means", le(exp(p * log(a) + (1 - p) * log(b)), p * a + (1 - p) * b)
    yield "Cauchy", le((u * z + v * w) ** 2, (u**2 + v**2) * (z**2 + w**2))
    yield "Titu", ge(u**2 / a + v**2 / b, (u + v) ** 2 / (a + b))
    yield "Young", le(u * v, (u**2 + v**2) / 2)
    yield "Fenchel of x log x", le(x * z, x * log(x) - x + exp(z))
    yield "Bernoulli", ge(exp(n * log(1 + x)), 1 + n * x)
    yield "Bernoulli below 1", le(exp(p * log(1 + x)), 1 + p * x)
    yield "Nesbitt", ge(a / (b + c) + b / (a + c) + c / (a + b), rational(3, 2))
    yield "Minkowski", le(sqrt((u + z) ** 2 + (v + w) ** 2), sqrt(u**2 + v**2) + sqrt(z**2 + w**2))


def logistic() -> Iterator[tuple[str, Statement]]:
    """Logits, softmax and preference losses."""
    yield "slope of the logistic function", le(sigma(z) * (1 - sigma(z)), rational(1, 4))
    yield "logistic function below the exponential", le(sigma(z), exp(z))
    yield "logistic function rises", implies(lt(z, w), lt(sigma(z), sigma(w)))
    yield "logistic function is Lipschitz", implies(lt(z, w), le(sigma(w) - sigma(z), (w - z) / 4))
    yield "logistic function above its tangent", implies(ge(z, 0), le(sigma(z), half + z / 4))
    yield "softplus above its argument", gt(log(1 + exp(z)), z)
    yield "softplus above its tangent (DPO)", ge(log(1 + exp(-z)), log(rational(2)) - z / 2)
    yield "softplus below a parabola (Boehning)", le(log(1 + exp(z)), log(rational(2)) + z / 2 + z**2 / 8)
    yield "softplus of a loss (DPO)", le(log(1 + exp(-z)), exp(-z))
    yield "softmax above the maximum", ge(log(exp(z) + exp(w)), maximum(z, w))
    yield "softmax near the maximum", le(log(exp(z) + exp(w)), maximum(z, w) + log(rational(2)))
    yield "softmax above the mean", ge(log(exp(z) + exp(w)), log(rational(2)) + (z + w) / 2)
    yield "softmax of tempered values", ge(beta * log((exp(u / beta) + exp(v / beta)) / 2), (u + v) / 2)
    yield (
        "softmax is convex",
        le(log(exp((z + u) / 2) + exp((w + v) / 2)), (log(exp(z) + exp(w)) + log(exp(u) + exp(v))) / 2),
    )


def learning() -> Iterator[tuple[str, Statement]]:
    """Policy gradients, bandits and clipped objectives."""
    yield "pessimism of PPO", le(minimum(rho * adv, clipped(rho) * adv), rho * adv)
    yield "bound of PPO", implies(ge(adv, 0), le(minimum(rho * adv, clipped(rho) * adv), (1 + eps) * adv))
    yield "bound of PPO below", implies(le(adv, 0), le(minimum(rho * adv, clipped(rho) * adv), (1 - eps) * adv))
    yield "clipped ratios are near 1", le(absolute(clipped(rho) - 1), eps)
    yield "variance of a binary reward", le(p * (1 - p), rational(1, 4))
    yield "advantage of a success (GRPO)", lt((1 - p) / sqrt(p * (1 - p) + small), sqrt((1 - p) / p))
    yield "spread of advantages (GRPO)", le(p * (1 - p) / (p * (1 - p) + small), 1 / (1 + 4 * small))
    yield "amplification (GRPO)", gt(p / (p + (1 - p) * exp(-(1 / beta))), p)
    yield (
        "amplification rises with the reference",
        implies(lt(p, q), lt(p / (p + (1 - p) * exp(-(1 / beta))), q / (q + (1 - q) * exp(-(1 / beta))))),
    )
    yield "gain of tilting", ge(beta * log(p * exp(gain / beta) + 1 - p), p * gain)
    yield "gain of tilting from above", implies(ge(gain, 0), le(beta * log(p * exp(gain / beta) + 1 - p), gain))
    yield "tilting raises the mean", implies(gt(gain, 0), gt(p * exp(gain) / (p * exp(gain) + 1 - p), p))
    yield (
        "contraction of maxima (Bellman)",
        le(absolute(maximum(u, v) - maximum(z, w)), maximum(absolute(u - z), absolute(v - w))),
    )
    yield "Chernoff, upper tail", ge((1 + x) * log(1 + x) - x, x**2 / (2 + x))
    yield "Chernoff, lower tail", ge((1 - p) * log(1 - p) + p, p**2 / 2)
    yield "Bennett and Bernstein", ge((1 + x) * log(1 + x) - x, x**2 / (2 + 2 * x / 3))
    yield "multiplicative weights", ge(log(1 + eta * e), eta * e - (eta * e) ** 2)
    yield "moments of a binary reward (Chernoff)", le(1 - p + p * exp(z), exp(p * (exp(z) - 1)))
    yield "moments of a centred reward (Hoeffding)", le(log(1 - p + p * exp(z)) - p * z, z**2 / 8)
    yield "local Pinsker (KL-UCB)", implies(lt(p, q), ge(kl(p, q), (q - p) ** 2 / (2 * q)))
    yield "Bretagnolle-Huber, two outcomes", le((p - q) ** 2, 1 - exp(-kl(p, q)))


INEQUALITIES = [*logarithms(), *divergences(), *means(), *logistic(), *learning()]


def left_open(statement: Statement) -> tuple[str, ...]:
    """What resists of a statement: nothing if a proof of it is accepted."""
    terms.forget()
    return Finder(Table(), symbols_of(statement)).prove((), statement).open


if __name__ == "__main__":
    resisting = [name for name, statement in INEQUALITIES if left_open(statement)]
    print(f"{len(INEQUALITIES) - len(resisting)} of {len(INEQUALITIES)} are proved; open:", *resisting, sep="\n")
