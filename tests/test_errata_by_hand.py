"""Every erratum once more, from the papers' definitions in plain numbers: nothing of the engine computes here.

Each function returns what the paper prints, what its definitions give, and what the erratum says instead, at one point;
statements count as 1 where they hold and as 0 where they do not.
"""

import itertools
from collections.abc import Callable
from math import cosh, exp, inf, isclose, log, sqrt

import pytest

from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging.ledger import entries

Three = tuple[float, float, float | None]
#: Errata about notation, a domain or a word, where no number can differ.
NOT_NUMBERS = {
    "vojnovic_yun_2025.eq15.lower-bound.compared",
    "vojnovic_yun_2025.direct-kl.h-at-0",
    "vojnovic_yun_2025.direct-kl.h-at-1",
    "vojnovic_yun_2025.direct-kl.zeros.none",
    "mroueh_2025.eq9",
    "mroueh_2025.f-prime.interval",
    "mroueh_2025.a-and-b.positive",
}


def advantages(rewards: tuple[float, ...]) -> list[float]:
    """Equation (2), with 0/0 read as 0."""
    mean = sum(rewards) / len(rewards)
    deviation = sqrt(sum((reward - mean) ** 2 for reward in rewards) / len(rewards))
    return [(reward - mean) / deviation if deviation else 0.0 for reward in rewards]


def preference(output: int, old: list[float], rewards: list[float], size: int) -> float:
    """The expected advantage of an output in a group whose other members the old policy gives."""
    total = 0.0
    for others in itertools.product(range(len(old)), repeat=size - 1):
        share = 1.0
        for other in others:
            share *= old[other]
        total += share * advantages((rewards[output], *(rewards[other] for other in others)))[0]
    return total


def ppo_clip() -> Three:
    ratio, width = 0.5, 1 / 3
    return 1.0, min(max(ratio, 1 - width), 1 + width), 1 - width


def penalties(policy: list[float], old: list[float], reference: list[float], weighted: bool) -> float:
    """The expected penalty of an output that the old policy gives, with or without the weight of Section 3."""
    total = 0.0
    for new, before, prior in zip(policy, old, reference, strict=True):
        if before:
            total += (new if weighted else before) * (prior / new - log(prior / new) - 1)
    return total


def bias(weighted: bool) -> Three:
    policy, reference = [0.25, 0.75, 0.0], [0.5, 0.2, 0.3]
    divergence = sum(new * log(new / prior) for new, prior in zip(policy, reference, strict=True) if new)
    return divergence, penalties(policy, policy, reference, weighted), divergence + (0.5 + 0.2) - 1


def equation_11() -> Three:
    """Always giving the better of two answers is a maximum beside itself, in groups of two with the margin 1."""
    beta, prior = 1.0, 0.5
    rewards, old = [1.0, 0.0], [1.0, 0.0]
    led = [preference(output, old, rewards, 2) for output in range(2)]

    def value(better: float) -> float:
        return better * led[0] + (1 - better) * led[1] - beta * (prior / better - log(prior / better) - 1)

    best = max(range(1, 2001), key=lambda step: value(step / 2000)) / 2000
    mean = best * led[0] + (1 - best) * led[1]
    lead = (led[0] - mean) / beta
    return (1 - lead) * best, prior, (prior - lead) * best


def equation_6() -> Three:
    """A third output that only the new policy gives, in groups of two; the rewards are 0, 0 and 1."""
    old, new, rewards = [0.5, 0.5, 0.0], [0.25, 0.25, 0.5], [0.0, 0.0, 1.0]
    true = 0.0
    for group in itertools.product(range(2), repeat=2):
        led = advantages(tuple(rewards[member] for member in group))
        weights = [new[member] / old[member] for member in group]
        share = old[group[0]] * old[group[1]]
        true += share * sum(weight * item for weight, item in zip(weights, led, strict=True)) / 2
    terms = [new[output] * preference(output, old, rewards, 2) for output in range(3)]
    return sum(terms), true, sum(terms[:2])


def mixed_pair() -> Three:
    new, old, margin = 0.5, 1 / 3, -1.0
    terms = [new * (1 - old) * margin, (1 - new) * old * -margin]
    return new * (1 - old) * margin - (1 - new) * (1 - old) * margin, sum(terms), margin * (new - old)


def equation_18() -> Three:
    new, old, rewards = 0.3, 0.2, (5.0, 2.0)
    mean = old * rewards[0] + (1 - old) * rewards[1]
    deviation = sqrt(old * (rewards[0] - mean) ** 2 + (1 - old) * (rewards[1] - mean) ** 2)
    true = (new * rewards[0] + (1 - new) * rewards[1] - mean) / deviation
    root = sqrt(old / (1 - old))
    return new / sqrt(old) - root, true, new / sqrt(old * (1 - old)) - root


def moments(chances: list[tuple[float, float]]) -> tuple[float, float]:
    mean = sum(chance * reward for chance, reward in chances)
    return mean, sum(chance * (reward - mean) ** 2 for chance, reward in chances)


#: Both answers give a reward of their own mean plus or minus 1.
NOISY = {"a": [(0.5, 3.0), (0.5, 1.0)], "b": [(0.5, 2.0), (0.5, 0.0)]}


def mixture(share: float) -> tuple[float, float]:
    return moments(
        [(share * chance, reward) for chance, reward in NOISY["a"]]
        + [((1 - share) * chance, reward) for chance, reward in NOISY["b"]]
    )


def noisy_variance() -> Three:
    share = 0.3
    between = (2.0 - 1.0) ** 2 * share * (1 - share)
    return between, mixture(share)[1], between + share * 1.0 + (1 - share) * 1.0


def noisy_pull() -> Three:
    """The difference of the expected rewards over the standard deviation, which is what pulls."""
    share = 0.3
    return 1 / sqrt(share * (1 - share)), (2.0 - 1.0) / sqrt(mixture(share)[1]), 1 / sqrt(share * (1 - share) + 1)


def less_biased() -> Three:
    """One answer has the reward 1, the other one 100 with probability 1/200, else 0; printed: more pull than pairs."""
    rare, high, share = 1 / 200, 100.0, 0.5
    _, variance = moments([(share, 1.0), ((1 - share) * rare, high), ((1 - share) * (1 - rare), 0.0)])
    margin = (1 - rare) - rare
    return 1.0, float((1 - rare * high) / sqrt(variance) > margin), 0.0


def sign() -> Three:
    better, worse = 1.0, 0.0
    return float(worse > better), (worse - better) / abs(worse - better), -1.0


def reference_of_zero(bound: float) -> Three:
    """The largest policy whose penalty is finite where the reference never gives the answer; printed: a bound of it."""

    def penalty(share: float) -> float:
        terms = [(probability, prior) for probability, prior in ((share, 0.0), (1 - share, 1.0)) if probability > 0]
        if any(prior == 0 for _, prior in terms):
            return inf
        return sum(probability * (prior / probability - log(prior / probability) - 1) for probability, prior in terms)

    return bound, max(share / 100 for share in range(101) if penalty(share / 100) < inf), 0.0


def local_minimum(large: bool) -> Three:
    """The objective beside the stationary policy 1/5 with the reference 1/20; printed: it is largest there."""
    here, prior = 0.2, 0.05
    reward = 1 / sqrt(here * (1 - here)) if large else 1.0
    beta = reward * here * (1 - here) / (here - prior)

    def value(new: float) -> float:
        ratios = (prior / new, (1 - prior) / (1 - new))
        return reward * new - beta * sum(
            share * (ratio - log(ratio) - 1) for share, ratio in zip((here, 1 - here), ratios, strict=True)
        )

    slope = (value(here + 1e-6) - value(here - 1e-6)) / 2e-6
    neighbours = (value(here - 0.01), value(here + 0.01))
    return 1.0, float(abs(slope) < 1e-6 and value(here) >= min(neighbours)), 0.0


def lost_minus() -> Three:
    ratio, width = 0.5, 0.25
    return 1 * width, max(ratio, 1 - width), 1 - width


def ratio_leaves_the_range() -> Three:
    """From an old policy of one half with the reference 9/10: the largest ratio that clipping is said to leave."""
    width, prior, beta = 0.2, 0.9, 1.0

    def value(new: float) -> float:
        clipped = 0.5 * min(new / 0.5, 1 + width) - 0.5 * max((1 - new) / 0.5, 1 - width)
        return clipped - beta * (new * log(new / prior) + (1 - new) * log((1 - new) / (1 - prior)))

    best = max(range(1, 2000), key=lambda step: value(step / 2000)) / 2000
    return 1 + width, best / 0.5, prior / 0.5


def smoothed() -> Three:
    share, smoothing = 0.3, 0.01
    mean, variance = moments([(share, 1.0), (1 - share, 0.0)])
    weight = (1 - share) / sqrt(share * (1 - share) + smoothing)
    return (1 - share) / (sqrt(share * (1 - share)) + smoothing), (1 - mean) / sqrt(variance + smoothing), weight


def step(share: float, prior: float, beta: float, smoothing: float) -> float:
    """One step of Theorem 2, from the policy of Theorem 1 over one success and one failure."""
    scale = beta * sqrt(share * (1 - share) + smoothing)
    success, failure = prior * exp((1 - share) / scale), (1 - prior) * exp(-share / scale)
    return success / (success + failure)


def logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


def slope_of_logistic() -> Three:
    return exp(-1.0) / (1 - exp(-1.0)) ** 2, logistic(1.0) * (1 - logistic(1.0)), exp(-1.0) / (1 + exp(-1.0)) ** 2


def square_of_cosh() -> Three:
    slope = logistic(0.6) * (1 - logistic(0.6))
    return slope / 4, cosh(0.3) ** 2, 1 / (4 * slope)


def cosh_of_log_odds() -> Three:
    prior = 0.7
    odds = prior / (1 - prior)
    return (odds**-2 + odds**2 + 2) / 4, cosh(log(odds) / 2), (sqrt(odds) + sqrt(1 / odds)) / 2


def certain_success() -> Three:
    return 1.0, step(1.0, 0.5, 1.0, 0.5), 1 - 0.5 / (0.5 * exp(1 / sqrt(0.5)) + 0.5)


def excess_at_reference() -> Three:
    """The left-hand side; what is printed on the right is the excess itself."""
    excess = step(0.4, 0.4, 2.0, 0.1) - 0.4
    right = 1 / (1 + 0.6 / 0.4 * exp(-1 / (2.0 * sqrt(0.4 * 0.6 + 0.1)))) - 0.4
    return right, excess - 0.4, right - 0.4


def excess_at_zero() -> Three:
    return 1.0, step(0.0, 0.4, 2.0, 0.1) - 0.0, 1 / (1 + 0.6 / 0.4 * exp(-1 / (2.0 * sqrt(0.1))))


def where_the_condition_holds() -> Three:
    """On a grid of references and weights; printed: mostly where the condition holds the reference is high."""
    holding = []
    for high, weight in itertools.product(range(1, 100), range(1, 100)):
        prior, beta = high / 100, weight / 10
        right = prior * (1 - prior) * (2 * prior - 1) / (2 * (prior * (1 - prior) + 1e-5) ** 1.5)
        if beta * cosh(1 / (2 * beta) / sqrt(0.25 + 1e-5)) ** 2 >= right:
            holding.append(prior > 0.5)
    return 1.0, float(2 * sum(holding) > len(holding)), 0.0


def total_variation() -> Three:
    """A function of norm 2 against the distance of two policies, and the same function scaled to norm 1."""
    first, second, values = (1 / 3, 2 / 3), (0.5, 0.5), (-2.0, 2.0)
    half = sum((a - b) * value for a, b, value in zip(first, second, values, strict=True)) / 2
    return half, sum(abs(a - b) for a, b in zip(first, second, strict=True)) / 2, half / 2


def alternating_errors() -> Three:
    """Two approximations at the same distance from the exact policy; printed: one limit of their errors."""
    exact, moved = (1 / 3, 1 / 3, 1 / 3), 0.1
    errors = []
    for other in ((1 / 3 + moved, 1 / 3, 1 / 3 - moved), (1 / 3 + moved, 1 / 3 - moved, 1 / 3)):
        distance = sum(abs(a - b) for a, b in zip(exact, other, strict=True)) / 2
        assert isclose(distance, moved)
        errors.append(abs(sum(other[:2]) - sum(exact[:2])))
    return min(errors), max(errors), moved


BY_HAND: dict[str, Callable[[], Three]] = {
    "vojnovic_yun_2025.clip": ppo_clip,
    "vojnovic_yun_2025.penalty.bias": lambda: bias(weighted=False),
    "vojnovic_yun_2025.weighted-penalty": lambda: bias(weighted=True),
    "vojnovic_yun_2025.eq11": equation_11,
    "vojnovic_yun_2025.eq6": equation_6,
    "vojnovic_yun_2025.eq16.antisymmetric": mixed_pair,
    "vojnovic_yun_2025.eq18": equation_18,
    "vojnovic_yun_2025.random-rewards.variance": noisy_variance,
    "vojnovic_yun_2025.random-rewards.slope": noisy_pull,
    "vojnovic_yun_2025.random-rewards.less-biased": less_biased,
    "vojnovic_yun_2025.direct-kl.sign": sign,
    "vojnovic_yun_2025.eq14.local-minimum": lambda: local_minimum(large=False),
    "vojnovic_yun_2025.eq15.local-minimum": lambda: local_minimum(large=True),
    "vojnovic_yun_2025.eq14.lower-bound.at-zero": lambda: reference_of_zero(1 - 1 / 2),
    "vojnovic_yun_2025.eq15.lower-bound.at-zero": lambda: reference_of_zero(1 / (1 + 1**2)),
    "mroueh_2025.clip.constant-failure": lost_minus,
    "mroueh_2025.clip.range": ratio_leaves_the_range,
    "mroueh_2025.eq3": smoothed,
    "mroueh_2025.h-at-one": certain_success,
    "mroueh_2025.lemma-3.1.product": slope_of_logistic,
    "mroueh_2025.lemma-3.1.cosh": square_of_cosh,
    "mroueh_2025.lemma-4.cosh": cosh_of_log_odds,
    "mroueh_2025.lemma-2": excess_at_reference,
    "mroueh_2025.f-at-zero": excess_at_zero,
    "mroueh_2025.condition.caption": where_the_condition_holds,
    "mroueh_2025.total-variation": total_variation,
    "mroueh_2025.theorem-5.no-limit": alternating_errors,
}


def test_every_erratum_is_here(library):
    refuted = {id for id, entry in entries(library).items() if entry.printed is Verdict.REFUTED}
    quotes = {id: made.printed for id, made in library.claims.items() if id in refuted}
    assert {id for id, quote in quotes.items() if quote is not None and not quote.another_reading} == (
        BY_HAND.keys() | NOT_NUMBERS
    )


@pytest.mark.parametrize("id", BY_HAND)
def test_an_erratum_by_hand(id):
    printed, true, instead = BY_HAND[id]()
    assert not isclose(printed, true, rel_tol=1e-3, abs_tol=1e-3)
    assert instead is None or isclose(true, instead, rel_tol=1e-9, abs_tol=1e-9)
